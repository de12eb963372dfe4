"""The proposal of an aftermath: what armies are left with, what is told beside it, what the GM decides."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from rules.breaking_point.battle.aftermath.booty import share_spoils
from rules.breaking_point.battle.aftermath.lessons import Lesson, lessons_of
from rules.breaking_point.battle.aftermath.reckoning import ArmyInCampaign, Consequence, Reckoning, World
from rules.breaking_point.battle.aftermath.tolls import UnitToll, fought, pieces_left, tolls_of
from rules.breaking_point.battle.battle_state import ANNIHILATED, FLED, SURRENDERED, BattleNow, Body, Character
from rules.breaking_point.dice import WOUND_DIE
from rules.breaking_point.spoils import added
from rules.core.dice import Dice, DiceNeeded, Roll
from rules.core.errors import demand, require
from rules.core.text import Message, Said, _, by_number, say
from rules.sequels import PlainSequel

POINTS_MOST = 40
TENTH = 10


def proposed(battle: BattleNow, world: World, choices: Mapping[str, str], dice: Dice) -> PlainSequel:
    """Raises `IllegalCommand` before the battle is over, `InvalidInput` for an unknown choice."""
    require(battle.result is not None, _("The battle is not over yet."))
    return reckoned(Reckoning(battle, world, dict(choices), dice))


def reckoned(r: Reckoning, rolls: Sequence[Roll] = ()) -> PlainSequel:
    """`rolls`: those that fell already."""
    battle, world = r.battle, r.world
    for body in battle.bodies.values():
        if fought(body):
            for toll in tolls_of(battle, body):
                r.tolls[toll.member.army].append(toll)
                r.bodies[toll.member.army] += [body] * (body not in r.bodies[toll.member.army])
    rolls = [*rolls, *_wounds(r)]
    for side, lesson in enumerate(lessons_of(battle)):
        r.learnt[side] = _asked(r, side, lesson)
    share_spoils(r)
    for army in battle.armies:
        if army in world.armies:
            _army(r, army)
    for key in r.choices:
        demand(False, _("Nobody has asked this."), field=f"/choices/{key}")
    r.dice.finish()
    return PlainSequel(r.changes, r.notes, r.questions, rolls)


POINTS = by_number("{points} point", "{points} points", "points")


def _asked(r: Reckoning, side: int, lesson: Lesson) -> int:
    """The GM moves the points within the band or beyond it (B-50)."""
    points = sorted({0, lesson.least, lesson.usual, lesson.most or lesson.usual + 5, 30, POINTS_MOST, *(5, 10, 15, 20)})
    options = tuple((str(number), say(POINTS, points=number)) for number in points)
    key = f"experience-{side}"
    label = say(_("Experience of {side}: {result}"), side=r.battle.sides[side].name, result=lesson.name)
    return int(r.ask(key, label, options, str(lesson.usual)))


# one army


def _army(r: Reckoning, army: str) -> None:
    now, host = r.world.armies[army], r.battle.armies[army]
    tolls = {toll.member.unit: toll for toll in r.tolls[army]}
    side = r.battle.side_of(army)
    if army in r.world.besieged:
        _of_siege(r, army, tolls, r.learnt[side])
        return
    kept = list(_units_left(r, army, tolls, r.learnt[side]))
    if not any(unit["strength"] for unit in kept):
        _no_more(r, army, now)
    else:
        after = _richer(r, army, {**now.document, "units": kept})
        if after != now.document:
            measure = r.world.measure(after)
            health = sum(unit["strength"] for unit in kept)
            _change(r, army, "sheet", now.document, after, "B-47", _("what the battle leaves of it"))
            _change(r, army, "health_max", now.health_max, measure.health, "B-48", _("the fallen and the taken"))
            _change(r, army, "health", now.health, health, "B-47", _("losses"))
            _change(r, army, "upkeep", now.upkeep, measure.upkeep, "B-69", _("fewer to keep"))
        if any(body.status == FLED for body in r.bodies[army]):
            _change(r, army, "status", now.status, "routed", "B-69", _("it needs a week before it fights"))
    _told_of(r, army, host.name, tolls.values())


def _of_siege(r: Reckoning, army: str, tolls: Mapping[int, UnitToll], points: int) -> None:
    """Its losses the siege keeps: what it has learnt, and the guns it has lost or taken, it has from today (B-55)."""
    units = []
    for index, document in enumerate(r.world.armies[army].document["units"]):
        toll, left = tolls.get(index), dict(document)
        if toll is not None:
            _noted(left, "experience", points)
        if toll is not None and toll.pieces and left.get("pieces"):
            left["pieces"] = max(0, left["pieces"] - toll.pieces)
        units.append(left)
    before = r.world.armies[army].document
    after = _richer(r, army, {**before, "units": units})
    _change(r, army, "sheet", before, after, "B-50", _("what it has learnt, lost and taken"))
    told = _("The losses of {army} are counted with those of its siege.")
    r.tell(say(told, army=r.battle.armies[army].name), "B-55", army)


def _richer(r: Reckoning, army: str, document: dict[str, Any]) -> dict[str, Any]:
    """With what it takes from others."""
    taken = added(document.get("spoils", ()), r.spoils.get(army, ()))
    return {**document, "spoils": taken} if taken else document


def _no_more(r: Reckoning, army: str, now: ArmyInCampaign) -> None:
    """Nobody is left: its document stays, for who reads of it later."""
    taken = all(body.status == SURRENDERED for body in r.bodies[army])
    status, label = ("captured", _("it has surrendered")) if taken else ("defeated", _("nobody is left of it"))
    _change(r, army, "health", now.health, 0, "B-48", label)
    _change(r, army, "status", now.status, status, "B-48", label)


def _change(r: Reckoning, army: str, name: str, before: object, after: object, rule: str, label: Said) -> None:
    if before != after:
        r.changes.append(Consequence("army", army, name, before, after, rule, label))


def _units_left(r: Reckoning, army: str, tolls: Mapping[int, UnitToll], points: int) -> Iterator[dict[str, Any]]:
    """The units of its document as the battle leaves them. Who has no men, not even wounded, is struck off (B-48)."""
    host, kept = r.battle.armies[army], r.world.armies[army].document["units"]
    for index, (unit, document) in enumerate(zip(host.units, kept, strict=True)):
        toll = tolls.get(index)
        if toll is None:
            yield dict(document)
            continue
        heads = max(0, document["strength"] - toll.out)
        if not (heads or toll.wounded or document.get("wounded")):
            r.tell(say(_("{unit} is struck off."), unit=unit.name), "B-48", army)
            continue
        left = {**document, "strength": heads}
        _noted(left, "wounded", toll.wounded)
        _noted(left, "experience", points)
        if (pieces := pieces_left(unit, heads, toll.pieces)) is not None and document.get("pieces") is not None:
            left["pieces"] = pieces
        yield left


def _noted(document: dict[str, Any], name: str, more: int) -> None:
    if more:
        document[name] = document.get(name, 0) + more


# what is told beside it


def _told_of(r: Reckoning, army: str, name: str, tolls: Collection[UnitToll]) -> None:
    dead, wounded, taken = (sum(getattr(t, what) for t in tolls) for what in ("dead", "wounded", "prisoners"))
    if dead or wounded or taken:
        text = _("{army}: {dead} dead, {wounded} wounded, {prisoners} prisoners.")
        r.tell(say(text, army=name, dead=dead, wounded=wounded, prisoners=taken), "B-48", army)
    for toll in tolls:
        if toll.crews:
            unit = r.battle.armies[army].units[toll.member.unit]
            text = _("The crews of {unit} lose {percent} % in the machines that are left.")
            r.tell(say(text, unit=unit.name, percent=toll.crews), "B-66", army)


def _wounds(r: Reckoning) -> list[Roll]:
    """Characters: 1d3 for each full tenth their unit lost before any recovery, less their armour once (B-51)."""
    rolled: list[Roll] = []
    needs: list[tuple[Roll, Said]] = []
    for character in r.battle.opening.characters:
        body = _body_of(r, character)
        if body is None:
            continue
        lost = TENTH * max(0, body.losses - body.brought) // body.force  # what a siege cost was told of then
        rolls = tuple(r.dice.roll(character.id, "wounds", WOUND_DIE) for _tenth in range(lost))
        rolled += rolls
        needs += [(roll, _need(character)) for roll in rolls]
        wounds = max(0, sum(roll.value for roll in rolls) - character.armour)
        if rolls:
            text = _("{character} takes {wounds} points of damage: the unit lost {percent} %.")
            said = say(text, character=character.name, wounds=wounds, percent=TENTH * lost)
            r.tell(said, "B-51", character.army, rolls=rolls, moment=True)
        if body.status in (ANNIHILATED, SURRENDERED):
            text = _("{character} is captured, unless the GM says otherwise.")
            r.tell(say(text, character=character.name), "B-51", character.army, moment=True)
    try:
        r.dice.checkpoint()
    except DiceNeeded as needed:
        raise needed.explained(needs) from None
    return rolled


def _need(character: Character) -> Message:
    if not character.armour:
        return say(_("damage to {character}"), character=character.name)
    template = _("damage to {character}, less {armour} for the armour, once")
    return say(template, character=character.name, armour=character.armour)


def _body_of(r: Reckoning, character: Character) -> Body | None:
    place = (character.army, character.unit)
    return next((b for b in r.battle.bodies.values() if place in b.formation.members and fought(b)), None)
