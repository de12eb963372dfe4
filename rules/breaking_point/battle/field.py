"""Figures of bodies under the circumstances: powers, combat, defense, command, mobility (BP-4, BP-5, B-25 to B-32).

Every figure comes as lines that add up to it; halvings show what they take.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from math import floor

from rules.breakdown import Breakdown, Line
from rules.breaking_point import figures as f
from rules.breaking_point.ground import MARKS, FieldEffects, GroundMark, can_charge, effects_of
from rules.breaking_point.lines import COMMAND, led_lines
from rules.breaking_point.losses import men_out, shared
from rules.breaking_point.spec import LONG, MEDIUM, RANGES, SHORT, VERY_LONG, General, Host, Unit
from rules.text import Said, _, say

from . import conditions as c
from .opening import best_led, fighting_unit
from .state import ASSAULT, BATTERED, DECIMATED, ENGAGED, FLEET, GARRISON, ROUTED, SHOOTING, BattleNow, Body

CONTACT_USE, SHOT_USE, CLOSE_USE = "contact", "shot", "close"
DIFFICULTY = {SHORT: 5, MEDIUM: 10, LONG: 15, VERY_LONG: 20}
DISTANCE_NAMES = {
    SHORT: _("Short distance"),
    MEDIUM: _("Medium distance"),
    LONG: _("Long distance"),
    VERY_LONG: _("Very long distance"),
}
STATE_COMBAT = {ENGAGED: -1, BATTERED: -2, DECIMATED: -5}
STATE_NAMES = {ENGAGED: _("Engaged"), BATTERED: _("Battered"), DECIMATED: _("Decimated")}
ROUT, SURPRISED, GM_HAND = _("Rout"), _("Surprised"), _("The GM’s hand")
ROUT_COMBAT = SURPRISE_COMBAT = -5


def ground_of(battle: BattleNow) -> list[GroundMark]:
    """Ground and weather, as they were set."""
    return [MARKS[mark.kind] for mark in battle.conditions if mark.kind in MARKS]


def effects(battle: BattleNow) -> FieldEffects:
    """What it all comes to."""
    return _together(tuple(mark.slug for mark in ground_of(battle)))


@lru_cache(maxsize=256)
def _together(slugs: tuple[str, ...]) -> FieldEffects:
    return effects_of(slugs)


def units_of(battle: BattleNow, body: Body) -> list[Unit]:
    return [fighting_unit(battle.opening, unit) for unit in battle.units(body)]


# powers


def power_lines(battle: BattleNow, body: Body, use: str, armour: int = 0) -> Breakdown:
    """The current power (B-2). `use`: at contact, as a shot, or as a shot of shooters who are attacked (BP-4.9)."""
    exact = _exact_power(battle, body, use, armour)
    contact = use == CONTACT_USE
    label = _("Attack power") if contact else _("Fire power")
    found = Breakdown((Line(label, floor(exact), "BP-2.2" if contact else "BP-2.3"),))
    for reason, rule in _halvings_of_power(battle, body, use):
        found = halved(found, reason, rule)
    return found.plus(GM_HAND, body.adjusted.get("power" if contact else "fire-power", 0), "B-41")


def _exact_power(battle: BattleNow, body: Body, use: str, armour: int) -> Fraction:
    """On this ground, before any halving. Reckoned once: units do not change in a battle."""
    ground = tuple(mark.slug for mark in ground_of(battle))
    key = (body.id, use, armour, ground, battle.condition(c.FLYERS))
    if key not in battle.memo:
        powers = (_unit_power(battle, body, unit, use, armour) for unit in battle.units(body))
        battle.memo[key] = sum(powers, start=Fraction(0))
    return battle.memo[key]


def halved(found: Breakdown, reason: Said, rule: str) -> Breakdown:
    """Half of it, what is lost dropped: one after the other it is the same as once at the end."""
    return found.plus(say(_("{reason}: halved"), reason=reason), found.total // 2 - found.total, rule)


def _unit_power(battle: BattleNow, body: Body, unit: Unit, use: str, armour: int) -> Fraction:
    if use != CONTACT_USE or body.formation.kind == SHOOTING:
        return _fire(battle, body, unit, armour, close=use != SHOT_USE)
    power = f.contact_power(unit, f.Terms(charging=charges(battle, unit), armour=armour))
    if body.formation.kind == GARRISON:
        return _garrison_power(battle, unit, power, armour)
    mark = battle.condition(c.FLYERS)
    flies = unit.type.flies and battle.kind == ASSAULT and mark is not None
    return power * int(mark.value or 1) if flies and mark is not None else power


def _garrison_power(battle: BattleNow, unit: Unit, power: Fraction, armour: int) -> Fraction:
    """Its blows with its shooters' full fire (B-54): mud is in the way of the one, blindness of the other."""
    held = effects(battle)
    fire = f.fire_power(unit, f.Terms(armour=armour)) if unit.group == SHOOTING else Fraction(0)
    return power * held.contact + fire * held.shot


def _fire(battle: BattleNow, body: Body, unit: Unit, armour: int, *, close: bool) -> Fraction:
    if body.formation.kind == GARRISON and unit.group != SHOOTING:
        return Fraction(0)  # B-54
    return f.fire_power(unit, f.Terms(short=close, armour=armour))


def charges(battle: BattleNow, unit: Unit) -> bool:
    """Whether this unit can charge here (BP-5, B-6, B-7)."""
    return battle.kind != ASSAULT and can_charge(unit, effects(battle))


def _halvings_of_power(battle: BattleNow, body: Body, use: str) -> Iterator[tuple[Said, str]]:
    if body.status == ROUTED:
        yield ROUT, "BP-4.10"
    elif body.state in (BATTERED, DECIMATED):
        yield STATE_NAMES[body.state], "BP-4.8"
    if use == CONTACT_USE and body.formation.kind == GARRISON:
        return  # in its power already: its blows and its shots are not hindered alike
    for mark in ground_of(battle):
        if (mark.contact if use == CONTACT_USE else mark.shot) == f.HALF:
            yield mark.name, mark.rule


# combat


def combat_lines(battle: BattleNow, body: Body, use: str) -> Breakdown:
    """Combat for a test, without what the target makes of it (BP-4.4, B-32)."""
    own, shooting = body.formation, use != CONTACT_USE
    bare = Breakdown((Line(_("Combat"), own.shot_combat if shooting else own.contact_combat, "BP-2.5"),))
    found = bare.plus(*_condition_line(body))
    found = found.plus(_("Withdrawal failed"), body.penalty, "B-36")
    if body.side in battle.surprised:
        found = found.plus(SURPRISED, SURPRISE_COMBAT, "BP-4.1")
    for line in _weather(battle, shooting):
        found = found.plus(*line)
    return found.plus(GM_HAND, body.adjusted.get("combat", 0), "B-41")


def _condition_line(body: Body) -> Line:
    if body.status == ROUTED:
        return Line(ROUT, ROUT_COMBAT, "BP-4.10")
    state = body.state
    return Line(STATE_NAMES[state], STATE_COMBAT[state], "BP-4.8") if state in STATE_COMBAT else Line(ROUT, 0, "")


def _weather(battle: BattleNow, shooting: bool) -> Iterator[Line]:
    """What weighs on combat; of marks that share a word the first stands for all (B-43)."""
    told: set[str] = set()
    for mark in ground_of(battle):
        value = mark.combat + (mark.aim if shooting else 0)
        if value and mark.once not in told:
            told |= {mark.once} if mark.once else set()
            yield Line(mark.name, value, mark.rule)


# defense


def defense_lines(battle: BattleNow, body: Body, use: str, base: Line | None = None) -> Breakdown:
    """Defense at contact or against shots: halvings first, then what is added (B-27). `base`: of the distance."""
    own, shot = body.formation, use != CONTACT_USE
    worth = max(0, (own.defense if shot else own.contact_defense) + body.adjusted.get("defense", 0))
    if battle.kind == FLEET and body.side in battle.surprised:
        worth = 0  # BP-9
    found = Breakdown((Line(_("Defense"), worth, "BP-2.5"),))
    for reason, rule in _halvings_of_defense(battle, body, shot):
        found = halved(found, reason, rule)
    if base is not None:
        found = Breakdown((base, *found.lines))
    for line in _besides(battle, body, shot):
        found = found.plus(*line)
    return found


def _halvings_of_defense(battle: BattleNow, body: Body, shot: bool) -> Iterator[tuple[Said, str]]:
    if shot:
        yield _("Shot at"), "BP-4.4"
    if body.side in battle.surprised and battle.kind != FLEET:
        yield SURPRISED, "BP-4.1"
    if body.status == ROUTED:
        yield ROUT, "BP-4.10"
    for mark in ground_of(battle):
        if shot and mark.exposed:
            yield mark.name, mark.rule


def _besides(battle: BattleNow, body: Body, shot: bool) -> Iterator[Line]:
    cover = battle.condition(c.COVER, body=body.id)
    if shot and cover is not None:
        yield Line(c.CONDITIONS[c.COVER].name, int(cover.value or 0), "BP-4.4")
    for mark in ground_of(battle):
        yield Line(mark.name, mark.shelter + (mark.cover if shot else 0), mark.rule)
    place = battle.opening.place
    if body.sheltered and place is not None and (shot or not place.kind.against_shots):
        yield Line(say(_("{place}"), place=place.name), place.kind.defense, "BP-8")


def distance_line(battle: BattleNow, body: Body, use: str) -> Line:
    """How far this body's shots go, as the difficulty they begin with (BP-4.4, B-26)."""
    distance = battle.distance
    if use == CLOSE_USE or effects(battle).near:
        distance = SHORT
    elif battle.kind == ASSAULT:
        distance = _range_in_assault(battle, body)
    return Line(DISTANCE_NAMES[distance], DIFFICULTY[distance], "BP-4.4")


def _range_in_assault(battle: BattleNow, body: Body) -> str:
    """Artillery shoots at its own range, all else short (BP-8); a body is what its strongest weapon is (B-26)."""
    shots = [(f.weapon_power(unit, weapon), RANGES.index(weapon.range), weapon.siege)
             for unit in battle.units(body) for weapon in f.shots_of(unit)]  # fmt: skip
    _power, reach, siege = max(shots, default=(Fraction(0), 0, False))
    return RANGES[reach] if siege else SHORT


# command and mobility


def mobility(battle: BattleNow, bodies: Iterable[Body]) -> int:
    """Of a side or an army: that of most heads, pieces left out (B-13)."""
    return f.mobility_of((unit for body in bodies for unit in battle.units(body)), without_pieces=True)


def mobility_bonus(own: int, foes: Iterable[int]) -> int:
    """+2 above every enemy, −2 below any (B-13)."""
    known = list(foes)
    if not known:
        return 0
    return -2 if own < max(known) else 2 if own > max(known) else 0


def chief_of(battle: BattleNow, side: int) -> Host | None:
    """Who rolls for a side: the one it names, else its best commander present (B-15). None: nobody commands."""
    present = present_armies(battle, side)
    named = battle.sides[side].chief
    if named in present and battle.armies[named].commander is not None:
        return battle.armies[named]
    return best_led(battle.armies[army] for army in battle.sides[side].armies if army in present)


def present_armies(battle: BattleNow, side: int) -> set[str]:
    """Armies with a unit on the field or in reserve: their commanders are there."""
    here = [body for body in battle.bodies.values() if body.side == side and (body.on_field or body.waiting)]
    return {member.army for body in here for member in body.formation.members}


def chief_army(battle: BattleNow, side: int) -> str:
    """The army that speaks for its side: its chief's; nobody commands: the one it names, or its first."""
    chief, owners = chief_of(battle, side), [body.army for body in battle.on_field(side)]
    wanted = chief.id if chief else battle.sides[side].chief
    return wanted if wanted in owners else next(iter(owners), "")


def side_command(battle: BattleNow, side: int) -> tuple[str, Breakdown]:
    """Whose command it is, and its lines (BP-3, B-15)."""
    chief = chief_of(battle, side)
    if chief is not None and chief.commander is not None:
        return chief.id, led_lines(chief.commander, COMMAND)
    return "", troops_lines(battle, battle.on_field(side))


def army_command(battle: BattleNow, army: str, bodies: Iterable[Body]) -> Breakdown:
    """Of an army alone, for its withdrawal (B-15)."""
    leader = leader_of(battle, army)
    return led_lines(leader, COMMAND) if leader is not None else troops_lines(battle, bodies)


def leader_of(battle: BattleNow, army: str) -> General | None:
    """An army's own commander (B-15); in an assault, where a side is as one army, its chief (B-53)."""
    if battle.kind != ASSAULT:
        return battle.armies[army].commander
    side = next(index for index, one in enumerate(battle.sides) if army in one.armies)
    chief = chief_of(battle, side)
    return chief.commander if chief else None


def troops_lines(battle: BattleNow, bodies: Iterable[Body]) -> Breakdown:
    combat = f.mean([unit for body in bodies for unit in battle.units(body)], lambda unit: unit.combat)
    return Breakdown((Line(_("Combat of the troops"), combat, "B-15"),))


def heads_now(battle: BattleNow, body: Body) -> int:
    """Heads still able to fight: what its losses have cost so far is taken from its units (B-47)."""
    units = units_of(battle, body)
    factor = body.formation.factor if body.sheltered else 1
    parts = shared(body.losses, [f.unit_force(unit) for unit in units])
    return sum(unit.strength - men_out(unit, part, factor) for unit, part in zip(units, parts, strict=True))


def properly_held(battle: BattleNow) -> bool:
    """More than half of the garrison stands in the place (B-52)."""
    place = battle.opening.place
    bodies = [b for b in battle.bodies.values() if b.side == battle.opening.defender and (b.on_field or b.waiting)]
    return place is not None and 2 * sum(heads_now(battle, body) for body in bodies) > place.garrison
