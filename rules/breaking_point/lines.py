"""Breakdowns of figures, in whole numbers that add up (BP-2, BP-3, BP-9)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import floor
from typing import NamedTuple

from rules.adjustments import LastingAdjustment, adjustment_lines
from rules.breaking_point.dice import modifier
from rules.breaking_point.figures import (
    AS_LISTED,
    LEAST_BREAKING,
    NEVER_IN_A_MEAN,
    NOTHING,
    Terms,
    bare_power,
    bearers,
    blows,
    breaking_of,
    charge_factor,
    contact_power,
    damage_of,
    fire_power,
    main_contact,
    main_shot,
    mean,
    shot_factors,
    shots_of,
    test_combat,
    thrown_weapon,
    unit_breaking,
    unit_defense,
    unit_force,
)
from rules.breaking_point.spec import (
    ADJUSTABLE,
    BREAKING_POINT,
    COMBAT,
    DEFENSE,
    General,
    Host,
    Unit,
    Weapon,
)
from rules.breaking_point.spec import COMMAND as COMMAND_FIGURE
from rules.core.breakdown import Breakdown, Line
from rules.core.text import Said, Term, _, say


class Reckoned(NamedTuple):
    """Intermediate exact value of a figure, and its reason."""

    label: Said
    value: Fraction | int
    rule: str


def stepped(steps: Iterable[Reckoned]) -> Breakdown:
    """Convert exact intermediate values into a breakdown of whole numbers. The fraction is dropped once, at the end
    (B-2).
    """
    lines, before = Breakdown(), 0
    for label, value, rule in steps:
        lines = lines.plus(label, floor(value) - before, rule)
        before = floor(value)
    return lines


# Units.

BLOWS: dict[str, tuple[Term, str]] = {
    "main": (_("{heads} × {weapon}, damage {damage}"), "BP-2.2"),
    "besides": (_("{weapon}, thrown: half damage"), "BP-2.2"),
    "alone": (_("{weapon}, thrown only: half damage"), "BP-2.2"),
    "extra": (_("Added by the GM for a secondary weapon"), "B-9"),
}
FACTORS: dict[str, tuple[Term, str]] = {
    "armour": (_("{weapon}: too weak for this armor"), "BP-9"),
    "bursts": (_("{weapon}: bursts, × 2"), "BP-2.3"),
    "range": (_("{weapon}: halved by its range"), "BP-2.3"),
    "secondary": (_("{weapon}: secondary, halved"), "BP-9"),
    "contact": (_("{weapon}: attacked at contact"), "BP-4.9"),
}


def contact_lines(unit: Unit, terms: Terms = AS_LISTED) -> Breakdown:
    """Return the breakdown of attack power (BP-2.2)."""
    return stepped(_contact_steps(unit, terms))


def _contact_steps(unit: Unit, terms: Terms) -> Iterator[Reckoned]:
    so_far = NOTHING
    for reason, weapon, damage in blows(unit, terms.armour):
        so_far += unit.strength * damage
        label, rule = BLOWS[reason]
        yield Reckoned(say(label, heads=unit.strength, weapon=weapon.name, damage=str(damage_of(weapon))), so_far, rule)
    factor = charge_factor(unit, terms.charging)
    yield Reckoned(say(_("{kind}: × {factor}"), kind=unit.type.name, factor=factor), so_far * factor, "BP-2.2")


def fire_lines(unit: Unit, terms: Terms = AS_LISTED) -> Breakdown:
    """Return the breakdown of fire power (BP-2.3, BP-9)."""
    return stepped(_fire_steps(unit, terms))


def _fire_steps(unit: Unit, terms: Terms) -> Iterator[Reckoned]:
    so_far = NOTHING
    for weapon in shots_of(unit):
        power = bare_power(unit, weapon)
        yield Reckoned(_shot(unit, weapon), so_far + power, "BP-2.3")
        for reason, factor in shot_factors(unit, weapon, terms):
            power *= factor
            label, rule = FACTORS[reason]
            yield Reckoned(say(label, weapon=weapon.name), so_far + power, rule)
        so_far += power


def _shot(unit: Unit, weapon: Weapon) -> Said:
    return say(
        _("{count} × {weapon}: damage {damage}, rate {rate}, area {area}"),
        count=bearers(unit) * weapon.number, weapon=weapon.name, damage=str(damage_of(weapon)), rate=str(weapon.rate),
        area=weapon.area,
    )  # fmt: skip


def force_lines(unit: Unit) -> Breakdown:
    """Return the breakdown of force (BP-2.4)."""
    bare = say(_("{heads} × toughness {toughness}"), heads=unit.strength, toughness=unit.toughness)
    worn = say(_("{heads} × armor {armour}"), heads=unit.strength, armour=unit.armour)
    lines = Breakdown().plus(bare, unit.strength * unit.toughness, "BP-2.4")
    return lines.plus(worn, unit.strength * unit.armour, "BP-2.4")


def breaking_lines(unit: Unit) -> Breakdown:
    """Return the breakdown of the breaking point in percent (BP-2.5); empty if it never breaks."""
    if (found := unit_breaking(unit)) is None:
        return Breakdown()
    if unit.adjustments:
        return _adjusted(breaking_lines(_plain(unit)), found, [unit], BREAKING_POINT)
    if unit.breaking is not None:
        return Breakdown().plus(_("Set by the GM"), found, "B-11")
    lines = Breakdown().plus(_("Base value"), LEAST_BREAKING, "BP-2.5")
    lines = lines.plus(say(_("10 × combat {combat}"), combat=unit.combat), 10 * unit.combat, "BP-2.5")
    return lines.at_least(LEAST_BREAKING, _("At least 10%"), "BP-2.5")


def defense_lines(unit: Unit) -> Breakdown:
    """Return the breakdown of defense (BP-2.5, BP-9)."""
    if unit.adjustments:
        return _adjusted(defense_lines(_plain(unit)), unit_defense(unit), [unit], DEFENSE)
    lines = Breakdown().plus(_("Combat"), unit.combat, "BP-2.5")
    if unit.machine is not None and unit.machine.defense:
        lines = lines.plus(say(_("{machine}: defense"), machine=unit.machine.name), unit.machine.defense, "BP-9")
    return lines.at_least(0, _("Never below 0"), "BP-2.5")


def test_lines(unit: Unit, shooting: bool) -> Breakdown:
    """Return the breakdown of combat in tests (B-10, B-63)."""
    if unit.adjustments:
        total = floor(test_combat(unit, shooting))
        return _adjusted(test_lines(_plain(unit), shooting), total, [unit], COMBAT)
    lines = Breakdown().plus(_("Combat"), unit.combat, "BP-2.5")
    more = floor(test_combat(unit, shooting)) - unit.combat
    if unit.machine is not None:
        return lines.plus(_("Average of the machine’s control and attack"), more, "B-63")
    weapon = main_shot(unit) if shooting else main_contact(unit) or thrown_weapon(unit)
    if weapon is None:
        return lines
    return lines.plus(say(_("{weapon}: accuracy"), weapon=weapon.name), more, "B-10")


test_lines.__test__ = False  # type: ignore[attr-defined] # keeps pytest from collecting it


# Adjustments (B-41).


def _plain(unit: Unit) -> Unit:
    return replace(unit, adjustments=())


def _adjusted(plain: Breakdown, total: int, units: Sequence[Unit], figure: str) -> Breakdown:
    """Return the lines of a figure without adjustments, then a line for each adjustment of it. What bounds or a mean
    take of them makes them one line.
    """
    several = dict.fromkeys(unit.adjustments for unit in units)
    return with_adjustments(plain, total, [one for given in several for one in given], figure)


def with_adjustments(plain: Breakdown, total: int, given: Iterable[LastingAdjustment], figure: str) -> Breakdown:
    own = [one for one in given if one.figure == figure]
    lines = tuple(adjustment_lines(own, figure, ADJUSTABLE.rule))
    if plain.total + sum(line.value for line in lines) == total:
        return Breakdown((*plain.lines, *lines))
    reasons = dict.fromkeys(one.reason for one in own)
    return plain.plus(say(_("GM: {reason}"), reason="; ".join(reasons)), total - plain.total, ADJUSTABLE.rule)


def with_plain(whole: Line, plain: int | None, given: Iterable[LastingAdjustment], figure: str) -> Breakdown:
    """Return a figure of a body: its `plain` value and lines of its adjustments, or one line if it has none."""
    if plain is None:
        return Breakdown((whole,))
    return with_adjustments(Breakdown((whole._replace(value=plain),)), whole.value, given, figure)


# Bodies.


def added(units: Sequence[Unit], figure: Callable[[Unit], Fraction | int], rule: str) -> Breakdown:
    """Return the sum of a figure over units, a line for each. Fractions are added before they are dropped (B-2)."""
    so_far: Fraction | int = 0
    steps = []
    for unit in units:
        so_far += figure(unit)
        steps.append(Reckoned(say(_("{heads} × {unit}"), heads=unit.strength, unit=unit.name), so_far, rule))
    return stepped(steps)


def _averaged(units: Sequence[Unit], figure: Callable[[Unit], Fraction | int], rule: str) -> Breakdown:
    """Return each unit's contribution to a mean weighted by strength."""
    strength = sum(unit.strength for unit in units) or 1
    so_far: Fraction | int = 0
    steps = []
    for unit in units:
        counts = figure(unit)
        so_far += unit.strength * counts
        label = say(_("{unit}: {figure}, for {heads} of {all}"), unit=unit.name, figure=str(counts),
                    heads=unit.strength, all=strength)  # fmt: skip
        steps.append(Reckoned(label, Fraction(so_far) / strength, rule))
    return stepped(steps)


def _mean_lines(units: Sequence[Unit], figure: Callable[[Unit], Fraction | int], rule: str, adjusted: str) -> Breakdown:
    """Return the lines of a mean, with the adjustments of this figure in lines of their own."""
    if not any(unit.adjustments for unit in units):
        return _averaged(units, figure, rule)
    return _adjusted(_averaged([_plain(unit) for unit in units], figure, rule), mean(units, figure), units, adjusted)


def body_breaking_lines(units: Sequence[Unit]) -> Breakdown:
    """Return the breakdown of a body's breaking point: of one unit its own, of several their mean rounded down to 5 %
    (B-11).
    """
    if len(units) == 1:
        return breaking_lines(units[0])
    if (found := breaking_of(units)) is None:
        return Breakdown()
    if any(unit.adjustments for unit in units):
        plain = [_plain(unit) for unit in units]
        return _adjusted(body_breaking_lines(plain), found, units, BREAKING_POINT)
    averaged = _averaged(units, lambda unit: NEVER_IN_A_MEAN if (own := unit_breaking(unit)) is None else own, "B-11")
    return averaged.plus(_("Rounded down to a multiple of 5"), found - averaged.total, "BP-2.7")


def body_lines(units: Sequence[Unit]) -> dict[str, Breakdown]:
    """Return the breakdown of every figure of a body; of a single unit its own (BP-2.7)."""
    if len(units) == 1:
        return unit_lines(units[0])
    return {
        "strength": added(units, lambda unit: unit.strength, "BP-2.7"),
        "power": added(units, contact_power, "BP-2.2"),
        "fire_power": added(units, fire_power, "BP-2.3"),
        "force": added(units, unit_force, "BP-2.4"),
        "combat": _averaged(units, lambda unit: unit.combat, "BP-2.7"),
        "contact_combat": _mean_lines(units, lambda unit: test_combat(unit, shooting=False), "B-10", COMBAT),
        "shot_combat": _mean_lines(units, lambda unit: test_combat(unit, shooting=True), "B-10", COMBAT),
        "defense": _mean_lines(units, unit_defense, "BP-2.7", DEFENSE),
        "breaking_point": body_breaking_lines(units),
    }


def unit_lines(unit: Unit) -> dict[str, Breakdown]:
    """Return the breakdown of every figure of a unit."""
    return {
        "strength": Breakdown().plus(_("Heads"), unit.strength, "BP-2.1"),
        "power": contact_lines(unit),
        "fire_power": fire_lines(unit),
        "force": force_lines(unit),
        "combat": Breakdown().plus(_("Combat"), unit.combat, "BP-2.5"),
        "contact_combat": test_lines(unit, shooting=False),
        "shot_combat": test_lines(unit, shooting=True),
        "defense": defense_lines(unit),
        "breaking_point": breaking_lines(unit),
    }


# Commanders.


class Leading(NamedTuple):
    """Kind of leadership test: what a commander adds to the die besides their own combat.

    `mind` and `skill` are their figures. `figure` names the characteristic with its value, `modifier` without.
    """

    mind: str
    figure: Term
    modifier: Term
    skill: str
    skill_name: Term
    rule: str


COMMAND = Leading("mental", _("MENTAL {value}"), _("MENTAL modifier"), "art_of_war", _("Art of war"), "BP-3")
RALLY = Leading("presence", _("PRESENCE {value}"), _("PRESENCE modifier"), "art_of_war", _("Art of war"), "BP-4.11")
TERMS = Leading("presence", RALLY.figure, RALLY.modifier, "diplomacy", _("Diplomacy"), "B-59")


def led_lines(leader: General, what: Leading, *, in_full: bool = False) -> Breakdown:
    """Return the breakdown of BP-3, BP-4.11 or BP-8. `in_full`: for readers of the commander's sheet."""
    mind = getattr(leader, what.mind)
    label = say(what.figure, value=mind) if in_full else what.modifier
    lines = Breakdown((Line(label, modifier(mind), "B-14"),)).plus(_("Personal combat"), leader.combat, what.rule)
    lines = lines.plus(what.skill_name, getattr(leader, what.skill), what.rule)
    given = adjustment_lines(leader.adjustments, COMMAND_FIGURE, ADJUSTABLE.rule) if what is COMMAND else ()
    return Breakdown((*lines.lines, *given))


def command_lines(commander: General | None, units: Sequence[Unit]) -> Breakdown:
    """Return the command potential: the commander's, else the mean combat of the troops (BP-3, B-14, B-15)."""
    return _led_or_alone(commander, units, COMMAND, "B-15")


def best_led(hosts: Iterable[Host]) -> Host | None:
    """Return the army of the best commander, the first on a tie; None without one (B-15)."""
    led = [host for host in hosts if host.commander is not None]
    return max(led, key=lambda host: command_lines(host.commander, ()).total, default=None)


def rally_lines(commander: General | None, units: Sequence[Unit]) -> Breakdown:
    """Return the bonus to a rally (BP-4.11); without a commander combat alone (B-38)."""
    return _led_or_alone(commander, units, RALLY, "B-38")


def terms_lines(commander: General | None, units: Sequence[Unit]) -> Breakdown:
    """Return the bonus to the die of terms, before the numbers (BP-8)."""
    return _led_or_alone(commander, units, TERMS, "B-15")


def _led_or_alone(commander: General | None, units: Sequence[Unit], what: Leading, rule: str) -> Breakdown:
    if commander is None:
        return _averaged(units, lambda unit: unit.combat, rule)
    return led_lines(commander, what, in_full=True)
