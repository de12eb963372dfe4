"""Figures of bodies under the circumstances: power, combat, defense, command, mobility (BP-4, BP-5, B-25 to B-32).

Every figure has lines that add up to it; a halving shows what it takes off.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from math import floor
from typing import NamedTuple

from rules.adjustments import LastingAdjustment
from rules.breaking_point import figures as f
from rules.breaking_point.battle.state import conditions as c
from rules.breaking_point.battle.state.battle_state import (
    ANNIHILATED,
    ASSAULT,
    BATTERED,
    DECIMATED,
    ENGAGED,
    FLEET,
    FRESH,
    GARRISON,
    ROUTED,
    SHOOTING,
    BattleNow,
    Body,
    state_of,
)
from rules.breaking_point.battle.state.carried_losses import fighting_unit
from rules.breaking_point.battle.state.conditions import Terrain, terrain_of
from rules.breaking_point.ground import FieldEffects, GroundMark, can_charge
from rules.breaking_point.lines import COMMAND, added, best_led, contact_lines, fire_lines, led_lines, with_plain
from rules.breaking_point.losses import men_out, shared
from rules.breaking_point.spec import COMBAT as ADJUSTED_COMBAT
from rules.breaking_point.spec import DEFENSE as ADJUSTED_DEFENSE
from rules.breaking_point.spec import LONG, MEDIUM, RANGES, SHORT, VERY_LONG, General, Host, Place, Unit
from rules.core.breakdown import Breakdown, Line
from rules.core.text import Said, _, say

CONTACT_USE, SHOT_USE, CLOSE_USE = "contact", "shot", "close"
DIFFICULTY = {SHORT: 5, MEDIUM: 10, LONG: 15, VERY_LONG: 20}
DISTANCE_NAMES = {
    SHORT: _("Short distance"), MEDIUM: _("Medium distance"), LONG: _("Long distance"),
    VERY_LONG: _("Very long distance"),
}  # fmt: skip
DISTANCE_LINES = {distance: Line(name, DIFFICULTY[distance], "BP-4.4") for distance, name in DISTANCE_NAMES.items()}
ROUT, SURPRISED, GM_HAND = _("Rout"), _("Surprised"), _("GM override")
SURPRISE_COMBAT = -5
PLIGHTS = {
    ENGAGED: Line(_("Engaged"), -1, "BP-4.8"),
    BATTERED: Line(_("Battered"), -2, "BP-4.8"),
    DECIMATED: Line(_("Decimated"), -5, "BP-4.8"),
    ROUTED: Line(ROUT, -5, "BP-4.10"),
}
"""Effect of a plight on combat."""
HALVES_POWER = {plight: (PLIGHTS[plight].label, PLIGHTS[plight].rule) for plight in (BATTERED, DECIMATED, ROUTED)}
KEPT = 4096
"""Most cached sums of each kind."""


def ground_of(battle: BattleNow) -> tuple[GroundMark, ...]:
    """Return ground and weather, as they were set."""
    return terrain_of(battle.conditions).marks


def effects(battle: BattleNow) -> FieldEffects:
    """Return the combined effects of ground and weather."""
    return terrain_of(battle.conditions).effects


class Sums(NamedTuple):
    """Figure: its lines and their total."""

    lines: tuple[Line, ...]
    total: int

    @property
    def told(self) -> Breakdown:
        return Breakdown(self.lines)


def _sums(found: Breakdown) -> Sums:
    return Sums(found.lines, found.total)


def plight_of(body: Body) -> str:
    """Return the state that reduces the body's figures: routed, or else its loss band (BP-4.8, BP-4.10). A body that
    the GM lets fight on after its annihilation counts as decimated.
    """
    if body.status == ROUTED:
        return ROUTED
    state = state_of(body.losses, body.force) if body.losses else FRESH
    return DECIMATED if state == ANNIHILATED else state


def units_of(battle: BattleNow, body: Body) -> list[Unit]:
    return [fighting_unit(battle.opening, unit) for unit in battle.units(body)]


# Powers.


def power_lines(battle: BattleNow, body: Body, use: str, armour: int = 0) -> Breakdown:
    """Return the current power (B-2), opened into its units, or into the weapons of its only one. `use` is contact, a
    shot, or a shot by shooters under attack (BP-4.9).
    """
    told = power_now(battle, body, use, armour).told
    whole, *rest = told.lines
    opened = _opened_power(battle, body, use, armour)
    return Breakdown((*opened.lines, *rest)) if opened.lines and opened.total == whole.value else told


def _opened_power(battle: BattleNow, body: Body, use: str, armour: int) -> Breakdown:
    units = list(battle.units(body))
    shoots = use != CONTACT_USE or body.formation.kind == SHOOTING
    if len(units) != 1 or body.formation.kind == GARRISON:
        rule = "BP-2.3" if shoots else "BP-2.2"
        return added(units, lambda unit: _unit_power(battle, body, unit, use, armour), rule)
    if shoots:
        return fire_lines(units[0], f.Terms(short=use != SHOT_USE, armour=armour))
    return contact_lines(units[0], f.Terms(charging=charges(battle, units[0]), armour=armour))


def power_now(battle: BattleNow, body: Body, use: str, armour: int = 0) -> Sums:
    """Return the current power with its total."""
    contact = use == CONTACT_USE
    # a garrison's power holds blows and shots, with the hindrance of each applied already
    ground = None if contact and body.formation.kind == GARRISON else terrain_of(battle.conditions)
    hand = body.adjusted.get("power" if contact else "fire-power", 0) if body.adjusted else 0
    return _power(_whole_power(battle, body, use, armour), contact, plight_of(body), ground, hand)


@lru_cache(maxsize=KEPT)
def _power(whole: int, contact: bool, plight: str, ground: Terrain | None, hand: int) -> Sums:
    label = _("Attack power") if contact else _("Fire power")
    found = Breakdown((Line(label, whole, "BP-2.2" if contact else "BP-2.3"),))
    if plight in HALVES_POWER:
        found = halved(found, *HALVES_POWER[plight])
    for reason, rule in ground.of(shooting=not contact).halvings if ground is not None else ():
        found = halved(found, reason, rule)
    return _sums(found.plus(GM_HAND, hand, "B-41"))


def _whole_power(battle: BattleNow, body: Body, use: str, armour: int) -> int:
    """Return the power on this ground, before halvings. Cached, because units do not change during a battle."""
    key = (body.formation.id, use, armour, battle.conditions)
    known = battle.memo.get(key)
    if known is None:
        powers = (_unit_power(battle, body, unit, use, armour) for unit in battle.units(body))
        known = battle.memo[key] = floor(sum(powers, start=Fraction(0)))
    return known


def halved(found: Breakdown, reason: Said, rule: str) -> Breakdown:
    """Return half of a figure, rounded down. Repeated halving gives the same as one division at the end."""
    return found.plus(say(_("{reason} (halved)"), reason=reason), found.total // 2 - found.total, rule)


def _unit_power(battle: BattleNow, body: Body, unit: Unit, use: str, armour: int) -> Fraction:
    if use != CONTACT_USE or body.formation.kind == SHOOTING:
        return f.fire_power(unit, f.Terms(short=use != SHOT_USE, armour=armour))
    power = f.contact_power(unit, f.Terms(charging=charges(battle, unit), armour=armour))
    if body.formation.kind == GARRISON:
        return _garrison_power(battle, unit, power, armour)
    mark = battle.condition(c.FLYERS)
    flies = unit.type.flies and battle.kind == ASSAULT and mark is not None
    return power * int(mark.value or 1) if flies and mark is not None else power


def _garrison_power(battle: BattleNow, unit: Unit, power: Fraction, armour: int) -> Fraction:
    """Return the power of a garrison: its blows and the full fire of all its shooters (B-54, B-74). Ground affects
    blows, weather affects shots.
    """
    held = effects(battle)
    return power * held.contact + f.fire_power(unit, f.Terms(armour=armour)) * held.shot


def charges(battle: BattleNow, unit: Unit) -> bool:
    """Whether this unit can charge here (BP-5, B-6, B-7)."""
    return battle.kind != ASSAULT and can_charge(unit, effects(battle))


def _plain(battle: BattleNow, body: Body, figure: str) -> int | None:
    """Return a figure of an adjusted body without its adjustments; None of any other. Cached like powers."""
    key = (body.formation.id, figure)
    if body.formation.adjustments and key not in battle.memo:
        bare = f.body_figures([replace(unit, adjustments=()) for unit in units_of(battle, body)])
        battle.memo[key] = getattr(bare, figure)
    return battle.memo[key] if body.formation.adjustments else None


# Combat.


def combat_lines(battle: BattleNow, body: Body, use: str) -> Breakdown:
    """Return combat for a test, without effects of the target (BP-4.4, B-32)."""
    return combat_now(battle, body, use).told


def combat_now(battle: BattleNow, body: Body, use: str) -> Sums:
    """Return combat for a test with its total."""
    own, shooting = body.formation, use != CONTACT_USE
    bare = own.shot_combat if shooting else own.contact_combat
    hand = body.adjusted.get("combat", 0) if body.adjusted else 0
    surprised = own.side in battle.surprised
    ground, plain = terrain_of(battle.conditions), _plain(battle, body, "shot_combat" if shooting else "contact_combat")
    return _combat(bare, shooting, plight_of(body), body.penalty, surprised, ground, hand, plain, own.adjustments)


@lru_cache(maxsize=KEPT)
def _combat(
    bare: int, shooting: bool, plight: str, penalty: int, surprised: bool, ground: Terrain, hand: int,
    plain: int | None, given: tuple[LastingAdjustment, ...],
) -> Sums:  # fmt: skip
    found = with_plain(Line(_("Combat"), bare, "BP-2.5"), plain, given, ADJUSTED_COMBAT)
    if plight in PLIGHTS:
        found = found.plus(*PLIGHTS[plight])
    found = found.plus(_("Withdrawal failed"), penalty, "B-36")
    found = found.plus(SURPRISED, SURPRISE_COMBAT if surprised else 0, "BP-4.1")
    for line in ground.of(shooting=shooting).weather:
        found = found.plus(*line)
    return _sums(found.plus(GM_HAND, hand, "B-41"))


# Defense.


def defense_lines(battle: BattleNow, body: Body, use: str, base: Line | None = None) -> Breakdown:
    """Return defense at contact or against shots: halvings first, then additions (B-27). `base` is the distance."""
    return defense_now(battle, body, use, base).told


def defense_now(battle: BattleNow, body: Body, use: str, base: Line | None = None) -> Sums:
    """Return defense with its total."""
    own, shot = body.formation, use != CONTACT_USE
    hand = body.adjusted.get("defense", 0) if body.adjusted else 0
    bare = own.defense if shot else own.contact_defense
    worth, plain = max(0, bare + hand), _plain(battle, body, "defense" if shot else "contact_defense")
    surprised = own.side in battle.surprised
    if surprised and battle.kind == FLEET:
        worth, surprised = 0, False  # BP-9
    cover = battle.condition(c.COVER, body=own.id) if shot and battle.conditions else None
    place = battle.opening.place if body.sheltered else None
    return _defense(
        worth, shot, surprised, body.status == ROUTED, terrain_of(battle.conditions),
        int(cover.value or 0) if cover is not None else 0, place, base,
        (bare, plain, own.adjustments) if plain is not None and worth else None,
    )  # fmt: skip


@lru_cache(maxsize=KEPT)
def _defense(
    worth: int,
    shot: bool,
    surprised: bool,
    routed: bool,
    ground: Terrain,
    cover: int,
    place: Place | None,
    base: Line | None,
    adjusted: tuple[int, int, tuple[LastingAdjustment, ...]] | None,
) -> Sums:
    bare, plain, given = adjusted or (worth, None, ())
    found = with_plain(Line(_("Defense"), bare, "BP-2.5"), plain, given, ADJUSTED_DEFENSE)
    field = ground.of(shooting=shot)
    found = found.plus(GM_HAND, worth - bare, "B-41")
    hindered = ((_("Under fire"), "BP-4.4", shot), (SURPRISED, "BP-4.1", surprised), (ROUT, "BP-4.10", routed))
    for reason, rule in (*((reason, rule) for reason, rule, holds in hindered if holds), *field.exposures):
        found = halved(found, reason, rule)
    if base is not None:
        found = Breakdown((base, *found.lines))
    found = found.plus(c.CONDITIONS[c.COVER].name, cover, "BP-4.4")
    for line in field.cover:
        found = found.plus(*line)
    if place is not None and (shot or not place.kind.against_shots):
        found = found.plus(say(_("{place}"), place=place.name), place.kind.defense, "BP-8")
    return _sums(found)


def distance_line(battle: BattleNow, body: Body, use: str) -> Line:
    """Return the range of this body's shots, as the base of the difficulty (BP-4.4, B-26)."""
    if use == CLOSE_USE or effects(battle).near:
        return DISTANCE_LINES[SHORT]
    return DISTANCE_LINES[_range_in_assault(battle, body) if battle.kind == ASSAULT else battle.distance]


def _range_in_assault(battle: BattleNow, body: Body) -> str:
    """Return a body's range in an assault: artillery its own, all others short (BP-8). The strongest weapon decides
    (B-26).
    """
    shots = [(f.weapon_power(unit, weapon), RANGES.index(weapon.range), weapon.siege)
             for unit in battle.units(body) for weapon in f.shots_of(unit)]  # fmt: skip
    _power, reach, siege = max(shots, default=(Fraction(0), 0, False))
    return RANGES[reach] if siege else SHORT


# Command and mobility.


def mobility(battle: BattleNow, bodies: Iterable[Body]) -> int:
    """Return the mobility of a side or an army: that of most heads, without pieces (B-13)."""
    return f.mobility_of((unit for body in bodies for unit in battle.units(body)), without_pieces=True)


def mobility_bonus(own: int, foes: Iterable[int]) -> int:
    """Return +2 if above every enemy, −2 if below any (B-13)."""
    known = list(foes)
    if not known:
        return 0
    return -2 if own < max(known) else 2 if own > max(known) else 0


def circumstances_line(battle: BattleNow, side: int) -> Line:
    """Return the GM's modifier for a side (B-16)."""
    return Line(_("Circumstances"), battle.sides[side].circumstances, "B-16")


def retreat_line(battle: BattleNow, side: int) -> Line:
    """Return the GM's modifier for a side's retreats: decoys, terrain, detection (B-82)."""
    mark = battle.condition(c.RETREAT, side=side)
    return Line(c.CONDITIONS[c.RETREAT].name, int(mark.value or 0) if mark else 0, "B-82")


def chief_of(battle: BattleNow, side: int) -> Host | None:
    """Return the army that rolls for a side: the named one, else that of its best commander present; None if nobody
    commands (B-15).
    """
    present = present_armies(battle, side)
    named = battle.sides[side].chief
    if named in present and battle.armies[named].commander is not None:
        return battle.armies[named]
    return best_led(battle.armies[army] for army in battle.sides[side].armies if army in present)


def present_armies(battle: BattleNow, side: int) -> set[str]:
    """Return the armies with a unit on the field or in reserve, whose commanders are present."""
    here = [body for body in battle.bodies.values() if body.side == side and (body.on_field or body.waiting)]
    return {member.army for body in here for member in body.formation.members}


def chief_army(battle: BattleNow, side: int) -> str:
    """Return the army that speaks for its side: its chief's, else the named one, else its first."""
    chief, owners = chief_of(battle, side), [body.army for body in battle.on_field(side)]
    wanted = chief.id if chief else battle.sides[side].chief
    return wanted if wanted in owners else next(iter(owners), "")


def side_command(battle: BattleNow, side: int) -> tuple[str, Breakdown]:
    """Return the army that commands a side, and the lines of its command (BP-3, B-15)."""
    chief = chief_of(battle, side)
    if chief is not None and chief.commander is not None:
        return chief.id, led_lines(chief.commander, COMMAND)
    return "", troops_lines(battle, battle.on_field(side))


def army_command(battle: BattleNow, army: str, bodies: Iterable[Body]) -> Breakdown:
    """Return the command figure with which one army withdraws, with its lines (B-15)."""
    leader = leader_of(battle, army)
    return led_lines(leader, COMMAND) if leader is not None else troops_lines(battle, bodies)


def leader_of(battle: BattleNow, army: str) -> General | None:
    """Return an army's commander (B-15); in an assault, where a side acts as one army, its chief (B-53)."""
    if battle.kind != ASSAULT:
        return battle.armies[army].commander
    chief = chief_of(battle, battle.side_of(army))
    return chief.commander if chief else None


def troops_lines(battle: BattleNow, bodies: Iterable[Body]) -> Breakdown:
    combat = f.mean([unit for body in bodies for unit in battle.units(body)], lambda unit: unit.combat)
    return Breakdown((Line(_("Combat of the troops"), combat, "B-15"),))


def heads_now(battle: BattleNow, body: Body) -> int:
    """Return the heads still able to fight, with losses so far taken off its units (B-47)."""
    units = units_of(battle, body)
    parts = shared(body.losses, [f.unit_force(unit) for unit in units])
    return sum(unit.strength - men_out(unit, part, body.factor) for unit, part in zip(units, parts, strict=True))


def held_fast(battle: BattleNow, body: Body) -> str:
    """Return why the body cannot withdraw: "surrounded" (B-37), "invested" for the garrison of an invested place
    (B-56), or "".
    """
    if battle.condition(c.SURROUNDED, body=body.id) is not None:
        return c.SURROUNDED
    garrison = battle.kind == ASSAULT and body.formation.kind == GARRISON
    return c.INVESTED if garrison and battle.holds(c.INVESTED) else ""


def properly_held(battle: BattleNow) -> bool:
    """Whether more than half of the garrison is in the place (B-52)."""
    place = battle.opening.place
    bodies = [b for b in battle.bodies.values() if b.side == battle.opening.defender and (b.on_field or b.waiting)]
    return place is not None and 2 * sum(heads_now(battle, body) for body in bodies) > place.garrison
