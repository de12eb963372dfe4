"""Battles of the demo campaign, played like any other: every die was typed at the table."""

from __future__ import annotations

from typing import Any

from armies.pathfinder.models import PathfinderArmy
from battles.aftermath.services import confirm_aftermath
from battles.demo_battles import DemoTable
from battles.models import Battle
from battles.pathfinder.demo import inhabitants
from battles.setup.services import open_battle
from core.text import translate
from kingdom.models import Campaign, User
from rules.core.dice import TypedDie
from rules.core.text import Term, _
from rules.pathfinder.battle.orders.commands import Command, End, GiveOrder, Next, Resolve
from rules.pathfinder.battle.state.battle_state import KEEP, Order, UseOrder

AT_NIGHT = (11, 7, 14, 9, 16, 5, 12, 10, 13, 8)
AT_THE_FORD = (18, 4, 12, 17, 18, 9, 15, 11, 19, 4, 10)
LUCKY = 20
NIGHT = _("Night at Rushbank")
FORD = _("The ford at Tuskwater")


class SettledTable(DemoTable):
    """Whose aftermath is settled too."""

    def settle(self, lucky: PathfinderArmy, learns: str) -> None:
        """Confirm the aftermath; the lucky army's men love their crown, and it learns this tactic."""
        typed = [TypedDie(str(lucky.pk), "loyalty-tactic", (LUCKY,))]
        self.typing(confirm_aftermath, typed=typed, choices={f"tactic:{lucky.pk}": learns})


def side(name: Term, *armies: PathfinderArmy) -> dict[str, Any]:
    return {"name": translate(name), "armies": [str(army.pk) for army in armies]}


def order(army: PathfinderArmy, target: PathfinderArmy | None = None, *use: UseOrder, **given: Any) -> GiveOrder:
    aim = str(target.pk) if target else KEEP
    return GiveOrder(Order(str(army.pk), target=aim, use=use, **given))


def night_at_rushbank(owner: User, campaign: Campaign, armies: dict[str, PathfinderArmy]) -> Battle:
    """Fought to its end and settled: the dead came up the river and sank back at dawn."""
    lances, boatmen, drowned = (
        armies[host["name"]] for host in (inhabitants.LANCES, inhabitants.BOATMEN, inhabitants.DROWNED)
    )
    battle = open_battle(
        by=owner,
        campaign=campaign,
        name=translate(NIGHT),
        sides=[side(inhabitants.CROWN["name"], lances, boatmen), side(_("The drowned"), drowned)],
        conditions=[{"condition": "dim-light"}],
    )
    table = SettledTable(owner, battle, AT_NIGHT)
    table.play(
        Next(),
        order(lances, tactic="cavalry-experts"),
        order(boatmen, tactic="sniper-support"),
        Resolve(),
        order(boatmen, drowned),
        Resolve(),
        order(lances, drowned, UseOrder("ability", "challenge", target=str(drowned.pk)), strategy="aggressive"),
        order(boatmen, drowned, strategy="cautious"),
        Resolve(),
        order(lances, drowned, strategy="standard"),
        Resolve(),
        End(translate(_("Dawn breaks, and the dead sink back into the river.")), winner=0),
    )
    table.settle(lances, "defensive-wall")
    return table.battle


def ford_at_tuskwater(owner: User, campaign: Campaign, armies: dict[str, PathfinderArmy]) -> Battle:
    """Half fought: the third melee phase is open, two of four orders are in."""
    present = (inhabitants.IRONWATCH, inhabitants.BOATMEN, inhabitants.RAIDERS, inhabitants.TROLLS)
    ironwatch, boatmen, raiders, trolls = (armies[host["name"]] for host in present)
    battle = open_battle(
        by=owner,
        campaign=campaign,
        name=translate(FORD),
        sides=[side(inhabitants.CROWN["name"], ironwatch, boatmen), side(inhabitants.HORDE["name"], raiders, trolls)],
        conditions=[
            {"condition": "rain"},
            {"condition": "fortification", "armies": [str(ironwatch.pk)], "value": 6, "parts": PALISADE},
            {"condition": "battlefield-advantage", "army": str(boatmen.pk)},
        ],
    )
    table = SettledTable(owner, battle, AT_THE_FORD)
    table.play(*_crossing(ironwatch, boatmen, raiders, trolls))
    return table.battle


PALISADE = [{"kind": "wall", "material": "wood", "value": 4}, {"kind": "moat", "value": 2}]


def _crossing(
    ironwatch: PathfinderArmy, boatmen: PathfinderArmy, raiders: PathfinderArmy, trolls: PathfinderArmy
) -> tuple[Command, ...]:
    """Phase by phase, to the middle of the third melee."""
    return (
        Next(),
        order(ironwatch, tactic="defensive-wall"),
        order(boatmen, tactic="sniper-support"),
        order(raiders, tactic="relentless-brutality"),
        order(trolls, tactic="dirty-fighters"),
        Resolve(),
        order(boatmen, trolls),
        Resolve(),
        order(ironwatch, raiders, strategy="cautious"),
        order(boatmen, trolls, strategy="cautious"),
        order(raiders, ironwatch, UseOrder("ability", "rage"), strategy="aggressive"),
        order(trolls, boatmen, strategy="standard"),
        Resolve(),
        order(boatmen, trolls, strategy="standard"),
        order(trolls, boatmen, UseOrder("tactic", "dirty-fighters"), strategy="aggressive"),
        Resolve(),
        order(ironwatch, raiders, strategy="cautious", hold_the_line=True),
        order(raiders, ironwatch, strategy="aggressive"),
    )
