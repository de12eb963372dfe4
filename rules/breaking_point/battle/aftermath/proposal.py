"""Proposal of an aftermath: what armies have left, remarks, and the GM's decisions."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from rules.aftermath import PlainSequel
from rules.breaking_point.battle.aftermath.tolls import (
    ArmyInCampaign,
    Consequence,
    Reckoning,
    UnitToll,
    World,
    fought,
    pieces_left,
    tolls_of,
)
from rules.breaking_point.battle.state.battle_state import (
    ANNIHILATED,
    FIGHTING,
    FLED,
    GONE,
    ROUND,
    SURRENDERED,
    WAITING,
    WITHDRAWN,
    BattleNow,
    Body,
    Character,
)
from rules.breaking_point.dice import WOUND_DIE
from rules.breaking_point.losses import ALL, HALF, Spoil, added, baggage, guns
from rules.core.dice import Dice, DiceNeeded, Roll
from rules.core.errors import demand, require
from rules.core.text import Message, Said, Term, _, by_number, say, verbatim

# Booty: guns and baggage (B-49). The GM decides which of the victor's armies gets it.

NOBODY = "none"
GUNS_LEFT = by_number(
    "{pieces} gun of {army} falls to the victor.", "{pieces} guns of {army} fall to the victor.", "pieces"
)
WOUNDS = by_number(
    "{character} takes {wounds} point of damage: the unit lost {percent}%.",
    "{character} takes {wounds} points of damage: the unit lost {percent}%.",
    "wounds",
)


def share_spoils(r: Reckoning) -> None:
    """Give what each defeated army leaves behind to an army of the victor's, or to nobody."""
    left = {army: list(_left_by(r, army)) for army in r.battle.armies}
    takers = _takers(r)
    taken = [spoil for found in left.values() for spoil in found]
    if taken and takers:
        armies: list[tuple[str, Said]] = [(army, verbatim(r.battle.armies[army].name)) for army in takers]
        options = (*armies, (NOBODY, _("nobody (lost)")))
        chosen = r.ask("spoils", _("Army that takes the guns and baggage"), options, takers[0])
        r.spoils[chosen] += taken
        if chosen == NOBODY:
            return
    for army, found in left.items():
        for said in _told(r.battle.armies[army].name, found):
            r.tell(said, "B-49", army)


def _takers(r: Reckoning) -> list[str]:
    """Return the victor's armies that still exist in the campaign: those that hold the field first, of them the
    chief's.
    """
    winner = r.battle.result.winner if r.battle.result else None
    if winner is None:
        return []
    side = r.battle.sides[winner]
    gone = (ANNIHILATED, SURRENDERED)
    there = [army for army in side.armies if army in r.world.armies
             and any(body.status not in gone for body in r.bodies.get(army, ()))]  # fmt: skip
    holds = {army for army in there if any(body.status == FIGHTING for body in r.bodies[army])}
    return sorted(there, key=lambda army: (army not in holds, army != side.chief))


def _left_by(r: Reckoning, army: str) -> Iterator[Spoil]:
    name = r.battle.armies[army].name
    for toll in r.tolls.get(army, ()):
        if toll.pieces:
            yield guns(name, str(_unit_name(r, toll)), toll.pieces)
    if share := _baggage(r, army):
        yield baggage(name, share)


def _unit_name(r: Reckoning, toll: UnitToll) -> str:
    return r.battle.armies[toll.member.army].units[toll.member.unit].name


def _baggage(r: Reckoning, army: str) -> int:
    """Return the percentage of its baggage that the victor gets."""
    winner = r.battle.result.winner if r.battle.result else None
    bodies = [body for body in r.bodies.get(army, ()) if body.side != winner]
    if winner is None or not bodies or not all(body.status in GONE for body in bodies):
        return 0
    if all(body.status in (ANNIHILATED, SURRENDERED) or _left_it(body) for body in bodies):
        return ALL
    return HALF if any(body.status == FLED for body in bodies) else 0


def _left_it(body: Body) -> bool:
    return body.status == WITHDRAWN and not body.saved


def _told(army: str, found: list[Spoil]) -> Iterator[Said]:
    pieces = sum(spoil.get("count", 0) for spoil in found)
    if pieces:
        yield say(GUNS_LEFT, army=army, pieces=pieces)
    for share in (spoil["share"] for spoil in found if "share" in spoil):
        whole = _("All the baggage of {army} falls to the victor.")
        yield say(whole if share >= ALL else _("Half the baggage of {army} falls to the victor."), army=army)


# Experience gained in a battle (BP-6, B-50).


class Lesson(NamedTuple):
    """Result of a battle, and its experience points: `usual`, of a range from `least` to `most` (None: unlimited)."""

    slug: str
    name: Term
    least: int
    usual: int
    most: int | None


UNFOUGHT = Lesson("no-battle", _("no battle"), 0, 0, 0)
CRUSHING = Lesson("crushing", _("crushing defeat"), 0, 2, 5)
DEFEAT = Lesson("defeat", _("defeat"), 5, 7, 10)
DRAW = Lesson("draw", _("draw"), 10, 12, 15)
MARGINAL = Lesson("marginal", _("marginal victory"), 16, 18, 20)
VICTORY = Lesson("victory", _("victory"), 20, 22, 25)
DECISIVE = Lesson("decisive", _("decisive victory"), 25, 25, None)
ONCE_AND_A_HALF, THREE_TIMES = Fraction(3, 2), 3


def share_lost(battle: BattleNow, side: int) -> Fraction:
    """Return the share of the force in battle that a side has lost, at most 1 (B-72)."""
    bodies = [body for body in battle.bodies.values() if body.side == side and fought(body)]
    force = sum(body.force for body in bodies)
    return min(Fraction(1), Fraction(sum(body.losses for body in bodies), force)) if force else Fraction(0)


UNHURT = (FIGHTING, WAITING, WITHDRAWN)


def came_to_blows(battle: BattleNow) -> bool:
    """Whether anybody could strike. If a side leaves before the battle there was none (BP-6, B-24)."""
    harmed = any(body.losses > body.brought or body.status not in UNHURT for body in battle.bodies.values())
    return harmed or any(phase.kind == ROUND for phase in battle.phases)


def lessons_of(battle: BattleNow) -> list[Lesson]:
    """Return the result by side, comparing the worst loser's share of force lost with the victor's (B-50)."""
    if not came_to_blows(battle):
        return [UNFOUGHT] * len(battle.sides)
    winner = battle.result.winner if battle.result else None
    if winner is None:
        return [DRAW] * len(battle.sides)
    others = [side for side in range(len(battle.sides)) if side != winner]
    worst, own = max(share_lost(battle, side) for side in others), share_lost(battle, winner)
    if worst >= THREE_TIMES * own:
        won, lost = DECISIVE, CRUSHING
    else:
        won, lost = (VICTORY if worst >= ONCE_AND_A_HALF * own else MARGINAL), DEFEAT
    return [won if side == winner else lost for side in range(len(battle.sides))]


POINTS_MOST = 40
TENTH = 10


def proposed(battle: BattleNow, world: World, choices: Mapping[str, str], dice: Dice) -> PlainSequel:
    """Return the aftermath. Raises `IllegalCommand` before the battle is over, `InvalidInput` for an unknown choice."""
    require(battle.result is not None, _("The battle isn’t over yet. Finish it first."))
    return reckoned(Reckoning(battle, world, dict(choices), dice))


def reckoned(r: Reckoning, rolls: Sequence[Roll] = ()) -> PlainSequel:
    """Work out an aftermath. `rolls` are dice already rolled."""
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
        demand(False, _("This question hasn’t been asked."), field=f"/choices/{key}")
    r.dice.finish()
    return PlainSequel(r.changes, r.notes, r.questions, rolls)


POINTS = by_number("{points} point", "{points} points", "points")


def _asked(r: Reckoning, side: int, lesson: Lesson) -> int:
    """Ask for a side's points. The GM may go beyond the usual range (B-50)."""
    points = sorted({0, lesson.least, lesson.usual, lesson.most or lesson.usual + 5, 30, POINTS_MOST, *(5, 10, 15, 20)})
    options = tuple((str(number), say(POINTS, points=number)) for number in points)
    key = f"experience-{side}"
    label = say(_("Experience of {side}: {result}"), side=r.battle.sides[side].name, result=lesson.name)
    return int(r.ask(key, label, options, str(lesson.usual)))


# One army.


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
        _tell_struck(r, army, tolls)
        after = _richer(r, army, {**now.document, "units": kept})
        if after != now.document:
            measure = r.world.measure(after)
            health = sum(unit["strength"] for unit in kept)
            _change(r, army, "sheet", now.document, after, "B-47", _("left after the battle"))
            _change(r, army, "health_max", now.health_max, measure.health, "B-48", _("dead and prisoners"))
            _change(r, army, "health", now.health, health, "B-47", _("losses"))
            _change(r, army, "upkeep", now.upkeep, measure.upkeep, "B-69", _("fewer heads to pay"))
        if any(body.status == FLED for body in r.bodies[army]):
            _change(r, army, "status", now.status, "routed", "B-69", _("needs a week before it can fight"))
    _told_of(r, army, host.name, tolls.values())


def _of_siege(r: Reckoning, army: str, tolls: Mapping[int, UnitToll], points: int) -> None:
    """Apply experience, and guns lost or taken, to an army whose losses its siege keeps (B-55)."""
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
    _change(r, army, "sheet", before, after, "B-50", _("experience, losses and loot"))
    told = _("The losses of {army} are counted with those of its siege.")
    r.tell(say(told, army=r.battle.armies[army].name), "B-55", army)


def _richer(r: Reckoning, army: str, document: dict[str, Any]) -> dict[str, Any]:
    """Return the document with the spoils it takes."""
    taken = added(document.get("spoils", ()), r.spoils.get(army, ()))
    return {**document, "spoils": taken} if taken else document


def _no_more(r: Reckoning, army: str, now: ArmyInCampaign) -> None:
    """Mark an army with nobody left. Its document stays for later readers."""
    taken = all(body.status == SURRENDERED for body in r.bodies[army])
    status, label = ("captured", _("surrendered")) if taken else ("defeated", _("nobody left"))
    _change(r, army, "health", now.health, 0, "B-48", label)
    _change(r, army, "status", now.status, status, "B-48", label)


def _change(r: Reckoning, army: str, name: str, before: object, after: object, rule: str, label: Said) -> None:
    if before != after:
        r.changes.append(Consequence("army", army, name, before, after, rule, label))


def _units_left(r: Reckoning, army: str, tolls: Mapping[int, UnitToll], points: int) -> Iterator[dict[str, Any]]:
    """Yield the units of its document after the battle. A unit without men or wounded is dropped (B-48)."""
    host, kept = r.battle.armies[army], r.world.armies[army].document["units"]
    for index, (unit, document) in enumerate(zip(host.units, kept, strict=True)):
        toll = tolls.get(index)
        if toll is None:
            yield dict(document)
            continue
        if _is_struck(document, toll):
            continue
        heads = max(0, document["strength"] - toll.out)
        left = {**document, "strength": heads}
        _noted(left, "wounded", toll.wounded)
        _noted(left, "experience", points)
        if (pieces := pieces_left(unit, heads, toll.pieces)) is not None and document.get("pieces") is not None:
            left["pieces"] = pieces
        yield left


def _is_struck(document: Mapping[str, Any], toll: UnitToll) -> bool:
    """Whether nobody of a unit is left, not even wounded."""
    return document["strength"] <= toll.out and not (toll.wounded or document.get("wounded"))


def _tell_struck(r: Reckoning, army: str, tolls: Mapping[int, UnitToll]) -> None:
    """Name the units that are dropped. An army of which none is left keeps them for later readers."""
    for index, document in enumerate(r.world.armies[army].document["units"]):
        if index in tolls and _is_struck(document, tolls[index]):
            name = r.battle.armies[army].units[index].name
            r.tell(say(_("{unit}: removed from the army."), unit=name), "B-48", army)


def _noted(document: dict[str, Any], name: str, more: int) -> None:
    if more:
        document[name] = document.get(name, 0) + more


# Remarks.


def _told_of(r: Reckoning, army: str, name: str, tolls: Collection[UnitToll]) -> None:
    dead, wounded, taken = (sum(getattr(t, what) for t in tolls) for what in ("dead", "wounded", "prisoners"))
    if dead or wounded or taken:
        text = _("{army}: {dead} dead, {wounded} wounded, {prisoners} captured.")
        r.tell(say(text, army=name, dead=dead, wounded=wounded, prisoners=taken), "B-48", army)
    for toll in tolls:
        if toll.crews:
            unit = r.battle.armies[army].units[toll.member.unit]
            text = _("{unit}: the crews of the surviving machines lose {percent}%.")
            r.tell(say(text, unit=unit.name, percent=toll.crews), "B-66", army)


def _wounds(r: Reckoning) -> list[Roll]:
    """Roll wounds of characters: 1d3 for each full tenth their unit lost before recovery, minus their armour once
    (B-51).
    """
    rolled: list[Roll] = []
    needs: list[tuple[Roll, Said]] = []
    for character in r.battle.opening.characters:
        body = _body_of(r, character)
        if body is None:
            continue
        lost = TENTH * max(0, body.losses - body.brought) // body.force  # the siege's earlier losses were told already
        rolls = tuple(r.dice.roll(character.id, "wounds", WOUND_DIE) for _tenth in range(lost))
        rolled += rolls
        needs += [(roll, _need(character)) for roll in rolls]
        wounds = max(0, sum(roll.value for roll in rolls) - character.armour)
        if rolls:
            text = WOUNDS
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
    template = _("damage to {character}, reduced once by {armour} for armor")
    return say(template, character=character.name, armour=character.armour)


def _body_of(r: Reckoning, character: Character) -> Body | None:
    place = (character.army, character.unit)
    return next((b for b in r.battle.bodies.values() if place in b.formation.members and fought(b)), None)
