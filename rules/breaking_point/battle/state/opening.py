"""Opening of a battle: its check, and the bodies in which armies fight (B-5, B-53)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from rules.adjustments import LastingAdjustment, adjusted_by
from rules.breaking_point.battle.state.battle_state import (
    ASSAULT,
    COMMAND,
    CONTACT,
    FIELD,
    FLEET,
    GARRISON,
    KINDS,
    SHOOTING,
    UNIT,
    BattleNow,
    Enrolled,
    FieldMark,
    Formation,
    Opening,
    Side,
)
from rules.breaking_point.battle.state.carried_losses import able_heads, fighting_unit, spent_refusal, with_losses
from rules.breaking_point.battle.state.conditions import CONDITIONS, OF_BODY, OF_SIDE, UNTESTED, ConditionKind
from rules.breaking_point.figures import (
    armour_to_beat,
    body_figures,
    contact_power,
    fire_power,
    mean,
)
from rules.breaking_point.lines import best_led
from rules.breaking_point.losses import army_of_unit, unit_key
from rules.breaking_point.spec import COMBAT, DEFENSE, MEDIA, RANGES, ROUTED, Host, Unit
from rules.breaking_point.spec import CONTACT as CONTACT_GROUP
from rules.core.errors import Fault, InvalidInput
from rules.core.text import Said, _, say

MOST_SIDES, NAME_MOST, REASON_MOST = 8, 120, 200
RESERVE = "reserve-"
NO_SUCH_ARMY = _("This army isn’t in this battle.")
ROOM = _("{place} holds at most {most} heads; you sent {heads}.")
NO_SUCH_UNIT = _("This unit isn’t in this army.")
ONE_OF = _("Choose one of: {choices}.")


def checked(opening: Opening) -> Opening:
    """Return the opening with the bodies of its armies. Raises `InvalidInput` with every problem."""
    problems = list(_problems(opening))
    if problems:
        raise InvalidInput(problems[0][1], problems[0][0], tuple(problems))
    return replace(opening, formations=with_losses(opening, formations_of(opening)))


# Bodies.


def formations_of(opening: Opening) -> tuple[Formation, ...]:
    """Return all bodies in attack order (B-21): sides, armies, bodies."""
    known = {host.id: host for host in opening.armies}
    found: list[Formation] = []
    for index, side in enumerate(opening.sides):
        hosts = [known[army] for army in side.armies]
        if opening.kind == ASSAULT:
            found += _of_one(opening, index, owner_of(side, hosts), hosts)
        else:
            for host in hosts:
                found += host_formations(opening, index, host)
    return tuple(found)


def owner_of(side: Side, hosts: Sequence[Host]) -> Host:
    """Return the army that commands a side's bodies in an assault: its chief's (B-53)."""
    return next((host for host in hosts if host.id == side.chief), None) or best_led(hosts) or hosts[0]


def host_formations(opening: Opening, side: int, host: Host) -> Iterator[Formation]:
    """Yield the bodies of one army."""
    if opening.kind == FLEET:
        for index in _able(host):
            yield _formation(opening, side, host, UNIT, str(index), [(host, index)], [host])
        return
    yield from _of_one(opening, side, host, [host])


def _of_one(opening: Opening, side: int, owner: Host, hosts: Sequence[Host]) -> Iterator[Formation]:
    """Yield bodies by group, of one army or of several that act as one."""
    own = [(host, index) for host in hosts for index in _able(host)]
    garrison = opening.kind == ASSAULT and side == opening.defender
    for reserve in (False, True):
        for group in (GARRISON,) if garrison else (CONTACT, SHOOTING):
            members = [(h, i) for h, i in own if h.units[i].reserve == reserve and _in_group(h.units[i], group)]
            if members:
                yield _formation(opening, side, owner, group, RESERVE * reserve + group, members, hosts)


def _able(host: Host) -> Iterator[int]:
    """Return the indices of units with anybody able to fight. Units of wounded only are absent (B-48)."""
    return (index for index, unit in enumerate(host.units) if unit.strength)


def _in_group(unit: Unit, group: str) -> bool:
    if group == GARRISON:
        return True
    return (unit.group == CONTACT_GROUP) == (group == CONTACT)


def _formation(
    opening: Opening,
    side: int,
    owner: Host,
    kind: str,
    key: str,
    members: Sequence[tuple[Host, int]],
    hosts: Sequence[Host],
) -> Formation:
    """Build a body. `hosts` are the armies that act as one with it; in an assault all of a side (B-53)."""
    units = [fighting_unit(opening, host.units[index]) for host, index in members]
    factor = opening.place.kind.factor if kind == GARRISON and opening.place else 1
    figures, reserve = body_figures(units, factor=factor), members[0][0].units[members[0][1]].reserve
    counted = [unit for host in hosts for unit in host.units]
    return Formation(
        id=f"{owner.id}:{key}",
        army=owner.id,
        side=side,
        kind=kind,
        members=tuple(Enrolled(host.id, index) for host, index in members),
        heads=figures.strength,
        force=figures.force,
        combat=figures.combat,
        breaking=figures.breaking,
        value=figures.breaking_value,
        range=figures.range,
        command=mean([unit for unit in counted if unit.reserve == reserve], lambda unit: unit.combat),
        mobility=figures.mobility,
        contact_combat=figures.contact_combat,
        shot_combat=figures.shot_combat,
        defense=figures.defense,
        contact_defense=figures.contact_defense,
        armour=armour_to_beat(units),
        reserve=reserve,
        factor=factor,
        support=owner.id in opening.support,
        adjustments=_common_adjustments(units),
    )


def _common_adjustments(units: Sequence[Unit]) -> tuple[LastingAdjustment, ...]:
    """Return the adjustments of units of one army. Of several armies, each adjusted figure's share in the mean, with
    all the reasons (B-53).
    """
    several = dict.fromkeys(unit.adjustments for unit in units)
    if len(several) <= 1:
        return next(iter(several), ())
    return tuple(LastingAdjustment(figure, share, "; ".join(reasons))
                 for figure in (COMBAT, DEFENSE) for share, reasons in [_shared(units, figure)] if reasons)  # fmt: skip


def _shared(units: Sequence[Unit], figure: str) -> tuple[int, list[str]]:
    reasons = (one.reason for unit in units for one in unit.adjustments if one.figure == figure)
    return mean(units, lambda unit: adjusted_by(unit.adjustments, figure)), list(dict.fromkeys(reasons))


# Problems.


def _problems(opening: Opening) -> Iterator[Fault]:
    yield from _side_problems(opening)
    yield from _field_problems(opening)
    armies = list(_army_problems(opening))
    yield from armies
    if not armies:
        yield from _assault_problems(opening)
        yield from _reference_problems(opening)
        for index, mark in enumerate(opening.conditions):
            yield from ((f"/conditions/{index}{at}", said) for at, said in mark_problems(opening, mark))


def _side_problems(opening: Opening) -> Iterator[Fault]:
    names = [side.name.strip() for side in opening.sides]
    if not 2 <= len(names) <= MOST_SIDES:
        yield "/sides", say(_("Set up 2 to {most} sides."), most=MOST_SIDES)
    for index, side in enumerate(opening.sides):
        at = f"/sides/{index}"
        if not 1 <= len(names[index]) <= NAME_MOST:
            yield f"{at}/name", _("Enter a name of 1 to 120 characters.")
        elif names.index(names[index]) != index:
            yield f"{at}/name", _("Two sides have the same name. Rename one of them.")
        if not side.armies:
            yield f"{at}/armies", _("This side has no army. Add one.")
        if side.chief and side.chief not in side.armies:
            yield f"{at}/chief", _("Choose the chief from the commanders of this side.")
        most = CONDITIONS["circumstances"].whole
        if most and not most[0] <= side.circumstances <= most[1]:
            yield f"{at}/circumstances", say(WHOLE, low=most[0], high=most[1])


def _field_problems(opening: Opening) -> Iterator[Fault]:
    for name, value, choices in (
        ("kind", opening.kind, KINDS),
        ("medium", opening.medium, MEDIA),
        ("distance", opening.distance, ("", *RANGES)),
    ):
        if value not in choices:
            yield f"/{name}", say(ONE_OF, choices=", ".join(filter(None, choices)))


def _army_problems(opening: Opening) -> Iterator[Fault]:
    known = {host.id: host for host in opening.armies}
    seen: set[str] = set()
    for number, side in enumerate(opening.sides):
        for index, army in enumerate(side.armies):
            at = f"/sides/{number}/armies/{index}"
            if army not in known:
                yield at, _("Army not found in this campaign.")
            elif army in seen:
                yield at, say(_("{army}: listed twice. Remove one."), army=known[army].name)
            elif (said := _refused(opening, known[army], number)) is not None:
                yield at, said
            seen.add(army)


def _refused(opening: Opening, host: Host, side: int) -> Said | None:
    inside = opening.kind == ASSAULT and side == opening.defender
    return host_refusal(opening.kind, host, sheltered=inside) or spent_refusal(opening, host, sheltered=inside)


def host_refusal(kind: str, host: Host, *, sheltered: bool = False) -> Said | None:
    """Return why this army cannot enter a battle of this kind, or None. An army that fled needs a week (B-69), unless
    it is `sheltered` behind its walls.
    """
    if not host.stands:
        return say(_("{army}: no longer an army, unable to fight."), army=host.name)
    if host.status == ROUTED and not sheltered:
        return say(_("{army} can’t fight for a week after fleeing, unless the GM sets the army to ready."),
                   army=host.name)  # fmt: skip
    if not host.units:
        return say(_("{army}: no units. Add one first."), army=host.name)
    able = [host.units[index] for index in _able(host)]
    if not able:
        return say(_("Nobody in {army} is fit to fight."), army=host.name)
    if all(unit.reserve for unit in able):
        return say(_("All units of {army} are in reserve. Put at least one on the field."), army=host.name)
    if not _reserve_counts(able):
        return say(_("The reserve of {army} needs at least a tenth of its power."), army=host.name)
    if kind == FLEET and any(unit.machine is None for unit in able):
        return say(_("{army} can’t be a fleet: all units of a fleet are machines."), army=host.name)
    return None


def _reserve_counts(units: Sequence[Unit]) -> bool:
    """Whether a reserve has at least a tenth of the total listed attack and fire power, or there is none (BP-7)."""
    power = {reserve: sum((contact_power(unit) + fire_power(unit) for unit in units if unit.reserve == reserve),
                          start=Fraction(0)) for reserve in (False, True)}  # fmt: skip
    return not any(unit.reserve for unit in units) or 9 * power[True] >= power[False]


def _assault_problems(opening: Opening) -> Iterator[Fault]:
    place = opening.place
    if opening.kind != ASSAULT:
        if place is not None:
            yield "/place", _("Only an assault has a fortified place. Choose an assault, or no place.")
        return
    if place is None:
        yield "/place", _("Choose the place to assault.")
    if len(opening.sides) != 2:
        yield "/sides", _("An assault needs two sides: the garrison and the attackers.")
        return
    if opening.defender not in (0, 1):
        yield "/defender", _("Side not found.")
        return
    known = {host.id: host for host in opening.armies}
    inside = opening.sides[opening.defender].armies
    heads = sum(able_heads(opening, known[army], place.kind.factor) for army in inside) if place else 0
    if place is not None and heads > 2 * place.garrison:
        yield (
            f"/sides/{opening.defender}/armies",
            say(ROOM, place=place.name, most=2 * place.garrison, heads=heads),
        )


def _reference_problems(opening: Opening) -> Iterator[Fault]:
    units = {army: len(host.units) for side in opening.sides for army in side.armies for host in opening.armies
             if host.id == army}  # fmt: skip
    for index, army in enumerate(opening.support):
        if army not in units:
            yield f"/support/{index}", NO_SUCH_ARMY
    for unit, losses in opening.losses.items():
        away = army_of_unit(unit) in opening.besieged and army_of_unit(unit) not in units
        if not away and unit not in {unit_key(army, nth) for army, several in units.items() for nth in range(several)}:
            yield f"/losses/{unit}", NO_SUCH_UNIT
        elif losses < 0:
            yield f"/losses/{unit}", _("Losses have to be 0 or more.")
    for index, character in enumerate(opening.characters):
        if character.army not in units:
            yield f"/characters/{index}/army", NO_SUCH_ARMY
        elif not 0 <= character.unit < units[character.army]:
            yield f"/characters/{index}/unit", NO_SUCH_UNIT
        elif character.armour < 0:
            yield f"/characters/{index}/armour", _("Armor has to be 0 or more.")


# Conditions.

WHOLE = _("Use a whole number from {low} to {high}.")


def mark_problems(field: Opening | BattleNow, mark: FieldMark, *, lift: bool = False) -> Iterator[Fault]:
    """Yield all problems of a condition; none if it can be set."""
    kind = CONDITIONS.get(mark.kind)
    if kind is None:
        yield "/condition", say(_("Condition “{slug}” not found."), slug=mark.kind[:NAME_MOST])
        return
    yield from _place_problems(field, kind, mark)
    if lift:
        return
    if (said := _value_problem(field, kind, mark)) is not None:
        yield "/value", said
    if (said := _reason_problem(kind, mark)) is not None:
        yield "/reason", said
    if kind.slug == UNTESTED and (said := _waiver_problem(field)) is not None:
        yield "/condition", said


def _reason_problem(kind: ConditionKind, mark: FieldMark) -> Said | None:
    """Return the problem of a condition's reason, or None. Modifiers of retreats need one (B-82)."""
    if not kind.reasoned:
        return _("Leave the reason empty for this condition.") if mark.reason else None
    if not mark.reason.strip():
        return say(_("{condition}: enter a reason. Everybody will read it."), condition=kind.name)
    return None if len(mark.reason) <= REASON_MOST else say(_("Use at most {most} characters."), most=REASON_MOST)


def _waiver_problem(field: Opening | BattleNow) -> Said | None:
    """Return why the command test cannot be waived, or None (B-81)."""
    if field.kind != FIELD:
        return _("Only a field battle can do without the command test.")
    if isinstance(field, Opening) or field.phase.kind != COMMAND:
        return None
    declared = any(order.withdraw for order in field.orders.values())
    return _("A side is withdrawing before battle, so the command test is needed.") if declared else None


def _place_problems(field: Opening | BattleNow, kind: ConditionKind, mark: FieldMark) -> Iterator[Fault]:
    if kind.of == OF_SIDE and (mark.side is None or not 0 <= mark.side < len(field.sides)):
        yield "/side", say(_("{condition}: choose a side."), condition=kind.name)
    if kind.of != OF_SIDE and mark.side is not None:
        yield "/side", say(_("{condition}: leave the side empty."), condition=kind.name)
    if kind.of == OF_BODY and mark.body not in _bodies(field):
        yield "/body", say(_("{condition}: choose a group."), condition=kind.name)
    if kind.of != OF_BODY and mark.body:
        yield "/body", say(_("{condition}: leave the group empty."), condition=kind.name)


def _bodies(field: Opening | BattleNow) -> set[str]:
    if isinstance(field, BattleNow):
        return set(field.bodies)
    return {formation.id for formation in formations_of(field)}


def _value_problem(field: Opening | BattleNow, kind: ConditionKind, mark: FieldMark) -> Said | None:
    if kind.choices:
        return None if mark.value in kind.choices else say(ONE_OF, choices=", ".join(kind.choices))
    if kind.armies:
        own = (
            mark.side is not None and 0 <= mark.side < len(field.sides) and mark.value in field.sides[mark.side].armies
        )
        return None if own else _("Choose the chief from the commanders of this side.")
    if kind.whole is None:
        return None if mark.value is None else _("Leave the value empty for this condition.")
    if mark.value is None and kind.usual is not None:
        return None
    low, high = kind.whole
    whole = isinstance(mark.value, int) and not isinstance(mark.value, bool) and low <= mark.value <= high
    return None if whole else say(WHOLE, low=low, high=high)
