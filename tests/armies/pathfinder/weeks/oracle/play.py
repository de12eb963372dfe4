"""One campaign by the tables and by the second reading: the same dice, the same choices, the same figures."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack
from random import Random
from typing import Any
from unittest.mock import patch

from django.db.models import Sum

from armies.forces.busy import FightsOfLate
from armies.marches import queries
from armies.pathfinder.models import PathfinderArmy as ArmyRow
from armies.pathfinder.models import PathfinderCommander
from armies.pathfinder.weeks import services as weeks
from armies.weeks import army_moves, passage, ruleset_weeks
from armies.weeks import services as time
from kingdom.chronicle.services import undo_last
from kingdom.models import Campaign, Kingdom, LedgerEntry, User
from tests.armies.pathfinder.weeks.oracle.drawing import draw
from tests.armies.pathfinder.weeks.oracle.meddling import Table
from tests.armies.pathfinder.weeks.oracle.passing import let_pass
from tests.armies.pathfinder.weeks.oracle.world import World
from tests.rules.pathfinder.oracle.dice import KeyedDice

STEPS, MANY, UNDONE = 6, 0.3, 0.15
ARMY = ("hp", "morale", "status", "arrears", "owed", "ill", "disease", "drain", "surcharge", "foraging")
REALM = ("treasury", "unrest", "size", "economy", "loyalty", "stability")


def play(seed: int, gm: User, met: Counter[str], steps: int = STEPS) -> None:
    """Raises `AssertionError` at the first step after which a figure differs."""
    rng = Random(seed)
    campaign, world = draw(rng, gm)
    table = Table(rng, gm, campaign, world, met)
    for step in range(steps):
        if step:
            table.meddle()
        said = _pass(table, (seed, step))
        found, expected = by_tables(campaign, world.day), by_reading(world)
        assert found == expected, f"seed {seed} step {step}: {differences(found, expected)} {said}"
        assert not any(said["dice"]), f"seed {seed} step {step}: other dice {said}"
    for key, realm in world.realms.items():
        moved = LedgerEntry.objects.filter(kingdom_id=key).aggregate(all=Sum("amount"))["all"] or 0
        assert realm.treasury == moved, f"seed {seed}: the ledger of {key}"


def _pass(table: Table, seed: tuple[int, int]) -> dict[str, Any]:
    world, campaign = table.world, table.campaign
    campaign.refresh_from_db()
    days = table.rng.choice([1, 1, 2, 3, 5, 7, 7 - world.day % 7, 14, table.rng.randint(1, 40)])
    chosen, deeds = table.choices(), table.deeds()
    said = {"since": world.day, "days": days, "chosen": chosen, "deeds": deeds, "stored": dict(world.stored)}
    ours, theirs = KeyedDice(*seed), []
    told = FightsOfLate(fighting=frozenset(deeds.fighting), fought=frozenset(deeds.fought))
    with ExitStack() as patches:
        patches.enter_context(
            patch.object(passage, "Pinned", lambda secret: theirs.append(KeyedDice(*seed)) or theirs[-1])
        )
        for asking in (queries, weeks, army_moves, ruleset_weeks):
            patches.enter_context(patch.object(asking, "load_recent_battles", lambda campaign, since: told))
        if Random(f"many {seed}").random() < MANY:
            patches.enter_context(patch.object(weeks, "NAMED", 0))  # too many to be named: the tables alone tell
            table.met["by the tables alone"] += 1
        if Random(f"undone {seed}").random() < UNDONE:
            before = whole(campaign)
            time.confirm_time(by=table.gm, campaign=campaign, days=days, choices=chosen)
            undo_last(by=table.gm, campaign=Campaign.objects.get(pk=campaign.pk))
            after, campaign = whole(campaign), Campaign.objects.get(pk=campaign.pk)
            assert after == before, f"seed {seed}, undone: {changed(before, after)}"
            table.met["undone"] += 1
        time.confirm_time(by=table.gm, campaign=campaign, days=days, choices=chosen)
    deeds.march = set(chosen.get("march", ()))
    let_pass(world, days, chosen, deeds, ours, table.met)
    _meet(table, chosen, deeds, ours)
    said["dice"] = [other_dice(dice.asked(), ours.asked()) for dice in theirs]
    return said


def whole(campaign: Campaign) -> dict[Any, dict[str, Any]]:
    """Every column of everything that time may change, by row."""
    rows: dict[Any, dict[str, Any]] = {}
    for model in (ArmyRow, PathfinderCommander, Kingdom):
        rows |= {str(row.pk): {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
                 for row in model._default_manager.filter(campaign=campaign)}  # fmt: skip
    return rows


def changed(before: dict[Any, dict[str, Any]], after: dict[Any, dict[str, Any]]) -> list[Any]:
    return [
        (key, name, row[name], after[key][name])
        for key, row in before.items()
        for name in row
        if row[name] != after[key][name]
    ]


def other_dice(theirs: dict[Any, int], ours: dict[Any, int]) -> dict[Any, tuple[int, int]]:
    """Dice one reading asked for more often than the other."""
    return {
        which: (theirs.get(which, 0), ours.get(which, 0))
        for which in {*theirs, *ours}
        if theirs.get(which, 0) != ours.get(which, 0)
    }


def _meet(table: Table, chosen: dict[str, list[str]], deeds: Any, dice: KeyedDice) -> None:
    table.met.update(f"choice {name}" for name, those in chosen.items() if those)
    table.met.update(f"die {name}" for _whose, name in dice.asked())
    table.met["fighting"] += len(deeds.fighting)
    table.met["fought"] += len(deeds.fought)
    table.met["steps"] += 1


def by_tables(campaign: Campaign, day: int) -> dict[str, Any]:
    found: dict[str, Any] = {"day": Campaign.objects.get(pk=campaign.pk).day}
    for army in ArmyRow.objects.filter(campaign=campaign):
        figures = {name: getattr(army, name) for name in ARMY}
        figures["marching"] = max(0, (army.marching_until or 0) - day)
        figures["consumption"] = army.consumption if army.standing else 0
        found[str(army.pk)] = {**figures, "leader": army.commander_id and str(army.commander_id)}
    for realm in Kingdom.objects.filter(campaign=campaign):
        found[str(realm.pk)] = {name: getattr(realm, name) for name in REALM}
    for him in PathfinderCommander.objects.filter(campaign=campaign):
        found[str(him.pk)] = him.status, him.ransom, max(0, (him.away_until or 0) - day)
    return found


def by_reading(world: World) -> dict[str, Any]:
    found: dict[str, Any] = {"day": world.day}
    for army in world.armies.values():
        figures = {name: getattr(army, name) for name in ARMY}
        figures["marching"] = max(0, (army.marching_until or 0) - world.day)
        figures["consumption"] = army.consumption if army.standing else 0
        found[army.id] = {**figures, "leader": army.leader and army.leader.id}
    for realm in world.realms.values():
        found[realm.id] = {name: getattr(realm, name) for name in REALM}
    for him in world.leaders.values():
        found[him.id] = him.status, him.ransom, max(0, (him.back or 0) - world.day)
    return found


def differences(found: dict[str, Any], expected: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Tables first, then the second reading."""
    lines: list[tuple[Any, ...]] = []
    for key in expected:
        one, other = found.get(key), expected[key]
        if isinstance(one, dict):
            lines += [(key, name, one[name], other[name]) for name in other if one[name] != other[name]]
        elif one != other:
            lines.append((key, one, other))
    return lines
