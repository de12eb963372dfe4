"""Battles of each ruleset, played by the Python client from raising the armies to the aftermath."""

from __future__ import annotations

import re
from random import Random
from typing import Any, NamedTuple, cast

import pytest
from warhost_client import Battle, Warhost, is_request
from warhost_client import types as t

ROUNDS = 60
"""Phases within which a battle ends here."""


class Table(NamedTuple):
    """A campaign with two kingdoms, and an army of each under its commander."""

    campaign: str
    armies: list[str]

    @property
    def sides(self) -> list[t.SideInputRequest]:
        names = ("Crown", "Horde")
        return [{"name": name, "armies": [army]} for name, army in zip(names, self.armies, strict=True)]


def raised(site: Warhost, ruleset: t.RulesetEnum, commander: dict[str, Any], *armies: dict[str, Any]) -> Table:
    """A campaign of this ruleset: the crown raises the first army, the horde the second."""
    campaign = site.campaigns_create({"name": "Marches", "ruleset": ruleset})["id"]
    made = []
    for name, army in zip(("Crown", "Horde"), armies, strict=True):
        kingdom = site.kingdoms_create({"campaign": campaign, "name": name, "treasury": 100})
        assert not is_request(kingdom)
        leads: Any = {"kingdom": kingdom["id"], "name": f"Captain of {name}", **commander}
        leader = site.commanders_create(leads)
        assert not is_request(leader)
        raising: Any = {"kingdom": kingdom["id"], "name": f"Host of {name}", "commander": leader["id"], **army}
        answer = site.armies_create(raising)
        assert not is_request(answer)
        made.append(answer["id"])
    return Table(campaign, made)


DICE = Random(7)


def thrown(asks: list[t.Ask]) -> list[t.DieInputRequest]:
    """What the table throws."""
    return [{"army": one["army"], "roll": one["roll"], "values": [face(one)]} for one in asks]


def face(ask: t.Ask) -> str | int:
    return DICE.choice(ask["sides"]) if ask.get("sides") else DICE.randint(1, int(ask["die"].removeprefix("d")))


def assert_settled(site: Warhost, battle: Battle) -> None:
    """The aftermath is done, and stands in the campaign's chronicle and the battle's log."""
    assert battle.status == "aftermath"
    battle.settle(throw=thrown)
    assert battle.status == battle.read()["status"] == "closed"
    assert battle.state["result"] is not None
    told = [event["seq"] for event in battle.events()]
    assert told == sorted(told)
    assert site.battles_replay_retrieve(battle.id)["identical"] is True
    assert any(
        line.get("battle_id") == battle.id
        for line in site.each(site.campaigns_chronicle_list(battle.state["campaign"]))
    )


def test_pathfinder(gm: Warhost) -> None:
    unit = {"name": "Raider", "cr": "2", "hit_die": "d10", "level": 1, "ranged": True}
    table = raised(gm, "combat-de-masse", {"level": 6}, {"unit": unit, "count": 500}, {"unit": unit, "count": 100})
    battle = gm.open_battle({"campaign": table.campaign, "name": "The ford", "sides": table.sides})
    battle.command({"type": "next"})
    for _phase in range(ROUNDS):
        if battle.status != "running":
            break
        for mine, theirs in (table.armies, table.armies[::-1]):
            order: t.PathfinderOrderCommandRequest = {"type": "order", "army": mine}
            match battle.state["phase"]["kind"]:
                case "tactics":
                    order["tactic"] = "standard"
                case "ranged":
                    order["target"] = theirs
                case "melee":
                    order |= {"strategy": "aggressive", "target": theirs}
            battle.command(order)
        battle.command({"type": "resolve"}, throw=thrown)
    assert_settled(gm, battle)


SWORDS = {"name": "Swords", "type": "infantry", "strength": 100, "combat": 3, "armour": 0, "group": "contact",
          "weapons": ["sword"]}  # fmt: skip


@pytest.mark.slow  # the client throws numbers and faces; every day once each
def test_breaking_point(gm: Warhost) -> None:
    few = {**SWORDS, "strength": 40}
    table = raised(gm, "breaking-point", {"art_of_war": 2}, {"units": [SWORDS]}, {"units": [few]})
    battle = gm.open_battle({"campaign": table.campaign, "name": "The ford", "sides": table.sides})
    battle.command({"type": "next"})
    for _phase in range(ROUNDS):
        if battle.status != "running":
            break
        if battle.state["phase"]["kind"] == "round":
            for mine, theirs in (table.armies, table.armies[::-1]):
                attack: t.BodyOrderInputRequest = {"do": "attack", "target": f"{theirs}:contact"}
                battle.command({"type": "order", "army": mine, "bodies": {"contact": attack}})
        battle.command({"type": "resolve"}, throw=thrown)
    assert_settled(gm, battle)


FIELD: Any = {"columns": 12, "rows": 12, "kind": "plain", "seed": "oak"}
HEX = re.compile(r"([A-Z])(\d+)")
STEPS = 300
"""Commands within which a battle on hexes ends here: it has a limit of turns."""


def apart(one: str, other: str) -> int:
    (column, row), (its, other_row) = HEX.fullmatch(one).groups(), HEX.fullmatch(other).groups()  # type: ignore[union-attr]
    return max(abs(ord(column) - ord(its)), abs(int(row) - int(other_row)))


def picked(site: Warhost, battle: Battle, unit: str) -> tuple[list[t.HexChoice], list[t.HexChoice]]:
    """The targets and hexes a unit may choose, those next to an enemy first."""
    told = cast("t.ThucidideFantasyBattle", site.battles_retrieve(battle.id, pick=[unit]))
    sides = {one["unit"]: one["side"] for one in told["units"]}
    foes = [one["at"] for one in told["units"] if one["at"] and one["side"] != sides[unit]]
    open_ = [choice for choice in told["choices"] if not choice.get("why_not")]
    hexes = [choice for choice in open_ if choice["what"] == "hex"]
    nearest = sorted(hexes, key=lambda choice: (min(apart(choice["id"], foe) for foe in foes), choice["cost"]))
    return [choice for choice in open_ if choice["what"] == "target"], nearest


@pytest.mark.slow
def test_wing_command(gm: Warhost) -> None:
    riders = {"troops": [{"type": "riders"}], "order": "attack"}
    table = raised(gm, "wing-command", {"ability": "B"}, riders, riders)
    battle = gm.open_battle({"campaign": table.campaign, "name": "The raid", "sides": table.sides, "map": FIELD})
    battle.command({"type": "line_up", "wings": table.armies})
    battle.command({"type": "start"})
    for _step in range(STEPS):
        if battle.status != "running":
            break
        state = cast("t.WingCommandBattle", battle.state)
        if asked := state.get("pending"):
            battle.command({"type": "answer", "key": asked[0]["key"], "choice": asked[0]["options"][0]["slug"]})
            continue
        match state["turn"]["phase"]:
            case "initiative":
                battle.command({"type": "roll_initiative"}, throw=thrown)
            case "command":
                battle.command({"type": "pass", "side": state["turn"]["side"] or 0})
            case "rout":
                battle.command({"type": "resolve_rout"}, throw=thrown)
            case "action":
                battle.command(wing_acts(gm, battle, state), throw=thrown)
    assert_settled(gm, battle)


def wing_acts(site: Warhost, battle: Battle, state: t.WingCommandBattle) -> t.WingCommandCommandInputRequest:
    """A wing is taken, each of its units attacks or comes nearer, and the wing is done."""
    turn = state["turn"]
    if turn["active"] is None:
        free = (wing for wing in state["wings"] if wing["side"] == turn["side"] and not wing["activated"])
        return {"type": "take_wing", "wing": next(free)["wing"]}
    for unit in state["able"]:
        targets, hexes = picked(site, battle, unit)
        if targets:
            attack = cast("t.WingCommandStrikeInputRequest", {"target": targets[0]["id"], "how": targets[0]["how"]})
            return {"type": "act", "unit": unit, "to": targets[0]["from"] or "", "attack": attack}
        if hexes:
            return {"type": "act", "unit": unit, "to": hexes[0]["id"]}
    return {"type": "end_wing"}


def test_thucidide_fantasy(gm: Warhost) -> None:
    hosts = ({"units": [{"type": kind}]} for kind in ("foot-heavy", "recruits"))
    table = raised(gm, "thucidide-fantasy", {"level": "normal"}, *hosts)
    battle = gm.open_battle({"campaign": table.campaign, "name": "The raid", "sides": table.sides, "map": FIELD})
    battle.command({"type": "line_up", "armies": table.armies})
    battle.command({"type": "start"}, throw=thrown)
    for _step in range(STEPS):
        if battle.status != "running":
            break
        state = cast("t.ThucidideFantasyBattle", battle.state)
        if asked := state.get("pending"):
            battle.command({"type": "answer", "key": asked[0]["key"], "choice": asked[0]["options"][0]["slug"]})
        else:
            battle.command(contingent_acts(gm, battle, state), throw=thrown)
    assert_settled(gm, battle)


def contingent_acts(
    site: Warhost, battle: Battle, state: t.ThucidideFantasyBattle
) -> t.ThucidideFantasyCommandInputRequest:
    """What a unit can do in this phase; where none can do anything, its end."""
    for unit in state["able"]:
        targets, hexes = picked(site, battle, unit)
        match state["turn"]["phase"]:
            case "command" if targets:
                return {"type": "activate", "leader": unit, "units": [targets[0]["id"]]}
            case "movement" if hexes:
                return {"type": "move", "unit": unit, "to": hexes[0]["id"]}
            case "combat" if targets:
                return {"type": "attack", "unit": unit, "target": targets[0]["id"]}
    return {"type": "end_phase"}
