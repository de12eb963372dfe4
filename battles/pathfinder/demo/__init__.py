"""Demo campaign of mass combat: two kingdoms at war, six armies, one finished battle and one half fought."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import transaction

from armies.pathfinder.armies.services import raise_army, teach_tactic
from armies.pathfinder.armies.trade_services import buy_resource
from armies.pathfinder.commanders.services import appoint_commander
from armies.pathfinder.models import PathfinderArmy
from armies.weeks import services as time
from battles.aftermath.services import confirm_aftermath
from battles.demo_battles import DemoTable
from battles.models import Battle
from battles.pathfinder.demo import inhabitants
from battles.pathfinder.demo.inhabitants import lay_out
from battles.setup.services import open_battle
from core.text import translate
from kingdom.campaign.services import create_campaign
from kingdom.models import Campaign, Kingdom, User
from kingdom.models.calendar import DAYS_A_WEEK
from kingdom.realms.services import found_kingdom, found_settlement
from kingdom.realms.treasury_services import record_entry
from rules.core.dice import DiceNeeded, TypedDie
from rules.core.text import Term, _
from rules.pathfinder.battle.orders.commands import Command, End, GiveOrder, Next, Resolve
from rules.pathfinder.battle.state.battle_state import KEEP, Order, UseOrder

# Battles of the demo campaign, played through the usual services with typed dice.

AT_NIGHT = (11, 7, 14, 9, 16, 5, 12, 10, 13, 8)
AT_THE_FORD = (18, 4, 12, 17, 18, 9, 15, 11, 19, 4, 10)
LUCKY = 20
NIGHT = _("Night at Rushbank")
FORD = _("The ford at Tuskwater")


class SettledTable(DemoTable):
    """Table of a battle whose aftermath is settled too."""

    def settle(self, lucky: PathfinderArmy, learns: str) -> None:
        """Confirm the aftermath. The lucky army passes its Loyalty check and learns this tactic."""
        typed = [TypedDie(str(lucky.pk), "loyalty-tactic", (LUCKY,))]
        self.typing(confirm_aftermath, typed=typed, choices={f"tactic:{lucky.pk}": learns})


def side(name: Term, *armies: PathfinderArmy) -> dict[str, Any]:
    return {"name": translate(name), "armies": [str(army.pk) for army in armies]}


def order(army: PathfinderArmy, target: PathfinderArmy | None = None, *use: UseOrder, **given: Any) -> GiveOrder:
    aim = str(target.pk) if target else KEEP
    return GiveOrder(Order(str(army.pk), target=aim, use=use, **given))


def night_at_rushbank(owner: User, campaign: Campaign, armies: dict[str, PathfinderArmy]) -> Battle:
    """Fight a battle to its end and settle it: the dead came up the river and sank back at dawn."""
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
    """Fight half a battle: the third melee phase is open, two of four orders are given."""
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
    """Return the commands to the middle of the third melee phase."""
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


type DemoEntry = tuple[int, Kingdom, int, str]


@transaction.atomic
def load_demo(owner: User) -> Campaign:
    """Create a demo campaign whose GM is `owner`, through the usual services."""
    campaign = create_campaign(
        by=owner, name=translate(inhabitants.CAMPAIGN),
        ruleset="combat-de-masse", calendar={"epoch": {"year": inhabitants.YEAR}},
        first_steps=False,
    )  # fmt: skip
    crown = _kingdom(owner, campaign, inhabitants.CROWN, inhabitants.CROWN_TOWNS)
    horde = _kingdom(owner, campaign, inhabitants.HORDE, inhabitants.HORDE_TOWNS)
    campaign = _go_to(owner, campaign, inhabitants.MUSTERED, skip_upkeep=True)
    hosts = {
        **_hosts(owner, crown, (inhabitants.IRONWATCH, inhabitants.LANCES, inhabitants.BOATMEN)),
        **_hosts(owner, horde, (inhabitants.RAIDERS, inhabitants.TROLLS, inhabitants.DROWNED)),
    }
    lay_out(owner, campaign, crown, horde, hosts)
    entries = _entries(crown, inhabitants.CROWN_LEDGER) + _entries(horde, inhabitants.HORDE_LEDGER)
    return _live_through(owner, campaign, hosts, sorted(entries, key=lambda entry: entry[0]))


def _live_through(
    owner: User, campaign: Campaign, hosts: dict[str, PathfinderArmy], entries: list[DemoEntry]
) -> Campaign:
    """Let the weeks pass, with a night battle at the end of the thirteenth and the ford today."""
    for week in range(inhabitants.MUSTERED, inhabitants.TODAY, DAYS_A_WEEK):
        for _day, kingdom, amount, why in (entry for entry in entries if entry[0] == week):
            record_entry(by=owner, kingdom=kingdom, amount=amount, reason=translate(why))
        last = week + DAYS_A_WEEK == inhabitants.TODAY
        if last:
            night_at_rushbank(owner, campaign, hosts)
        drowned = str(hosts[inhabitants.DROWNED["name"]].pk)
        campaign = _go_to(owner, campaign, week + DAYS_A_WEEK, pay_double=not last, march=[drowned])
    ford_at_tuskwater(owner, campaign, hosts)
    return campaign


def _entries(kingdom: Kingdom, ledger: Iterable[tuple[int, int, str]]) -> list[DemoEntry]:
    return [(day, kingdom, amount, why) for day, amount, why in ledger]


def _go_to(owner: User, campaign: Campaign, day: int, **choices: object) -> Campaign:
    """Let time pass. Every die asked for shows the same face in every demo."""
    told: dict[str, Any] = {"days": day - campaign.day, "choices": choices, "ask": True, "lenient": True}
    typed: list[TypedDie] = []
    while True:
        try:
            time.confirm_time(by=owner, campaign=campaign, typed=typed, **told)
        except DiceNeeded as needed:
            typed += [TypedDie(ask.army, ask.name, (min(ask.die, inhabitants.DIE_FACE),)) for ask in needed.asks]
        else:
            return Campaign.objects.get(pk=campaign.pk)


def _kingdom(owner: User, campaign: Campaign, figures: dict[str, Any], towns: Iterable[dict[str, Any]]) -> Kingdom:
    kingdom = found_kingdom(by=owner, campaign=campaign, **translate(figures))
    for town in towns:
        found_settlement(by=owner, kingdom=kingdom, **translate(town))
    return kingdom


def _hosts(owner: User, kingdom: Kingdom, raised: Iterable[dict[str, Any]]) -> dict[str, PathfinderArmy]:
    return {host["name"]: _muster(owner, kingdom, translate(host)) for host in raised}


def _muster(owner: User, kingdom: Kingdom, host: dict[str, Any]) -> PathfinderArmy:
    """Raise the army with its commander, resources and tactics."""
    leader = host["commander"] and appoint_commander(by=owner, kingdom=kingdom, **host["commander"])
    army = raise_army(
        by=owner,
        kingdom=kingdom,
        name=host["name"],
        unit=host["unit"],
        count=host["count"],
        mount=host.get("mount"),
        commander=leader,
    )
    for resource in host.get("resources", ()):
        buy_resource(by=owner, army=army, resource=resource)
    for tactic, granted in host.get("tactics", ()):
        teach_tactic(by=owner, army=army, tactic=tactic, granted=granted)
    return army
