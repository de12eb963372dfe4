"""Legal commands of the action phase: wings to activate, reach with costs, targets with chances, reasons why not."""

from __future__ import annotations

from collections.abc import Iterator

from rules.battle_law import Selection
from rules.core.odds import whole_percent
from rules.core.text import Said, Term, _, in_percent, say
from rules.core.viewers import Viewer
from rules.hexbattle.board import Act, BoardLegal, Confirm, Step, Target
from rules.hexbattle.choosing import way_act
from rules.hexbattle.field import Token, by_name
from rules.hexbattle.ground import apart
from rules.hexbattle.moving import Way
from rules.wing_command.battle import activation
from rules.wing_command.battle.acting import going_on, released
from rules.wing_command.battle.activation import able_units, must_still_act, open_wings, rally_chance, why_not_rally
from rules.wing_command.battle.blows import companions
from rules.wing_command.battle.combat import Setting, led_from
from rules.wing_command.battle.legal.pieces import (
    CHARGE,
    EXIT,
    FOLLOW,
    NO,
    POSTURE,
    POSTURE_GLYPHS,
    RALLY,
    STAND,
    STAY,
    TAKE,
    YES,
    PickedAct,
    Range,
    command_of,
    confirm,
    laid_range,
    note_of,
    price_of,
    range_of,
    read_picks,
    refusal_of,
    standing,
    target_of,
    threats_to,
    title_of,
    way_in,
)
from rules.wing_command.battle.movement import (
    Pace,
    can_leave,
    clear_steps,
    in_posture,
    may_charge,
    postures_of,
)
from rules.wing_command.battle.obedience import (
    DUTY_WORDS,
    FREE,
    beside_now,
    duty_of,
    strikes,
    why_disobeys,
    why_not_by_order,
)
from rules.wing_command.battle.record import commands as c
from rules.wing_command.battle.record.state import ROUTED, HostState
from rules.wing_command.battle.situation import beside, enemies, fit_leader, order_of, stops_beside
from rules.wing_command.spec import GROUND, HOLD, MELEE, MISSILE
from rules.wing_command.starter import POSTURES

SLUGS = ("take_wing", "act", "rally", "duel", "end_wing")
DUEL = "duel-"


def legal_action(state: HostState, viewer: Viewer, selection: Selection) -> BoardLegal:
    """Legal commands of a viewer in the action phase, given their picks."""
    if not state.wing:
        return _taking(state, viewer, selection)
    wing = state.wings[state.wing]
    own = [unit for unit in able_units(state, wing) if _theirs(state, viewer, unit)]
    if state.going and not state.going.done:
        own = [unit for unit in own if unit == state.going.unit]
    able = tuple(token.id for token in by_name(state.token(unit) for unit in own))
    going = state.going
    duellist = going.unit if going and going.done and going.unit in state.units else ""
    known = (*able, duellist) if duellist and _theirs(state, viewer, duellist) else able
    if selection and selection[0] in known:
        return unit_legal(state, able, selection)
    if not (viewer.commands(wing.id) or able):
        return BoardLegal(())
    waiting = must_still_act(state, wing)
    must = say(_("Still to obey: {names}."), names=[state.name_in_side(unit) for unit in waiting]) if waiting else None
    ends = viewer.commands(wing.id) and not waiting
    act = confirm(c.EndWing(), say(_("End the activation of {wing}"), wing=wing.name)) if ends else None
    return BoardLegal(SLUGS, able=able, must=must, confirm=act, turn=True)


def _theirs(state: HostState, viewer: Viewer, unit: str) -> bool:
    return viewer.commands(state.units[unit].wing) or viewer.commands(state.token(unit).army)


def _taking(state: HostState, viewer: Viewer, selection: Selection) -> BoardLegal:
    """The choices of a wing to activate: by its name, or by one of its units."""
    wings = [wing for wing in open_wings(state, state.side) if viewer.commands(wing.id)]
    if not wings:
        return BoardLegal(())
    acts = tuple(
        Act(f"{TAKE}:{wing.id}", say(_("Activate {wing}"), wing=wing.name), "g-banner") for wing in wings
    )  # fmt: skip
    able = tuple(unit for wing in wings for unit in able_units(state, wing))
    picks = [pick for pick in selection if pick]
    first = picks[0] if len(picks) == 1 else ""
    chosen = next(
        (w for w in wings if first == f"{TAKE}:{w.id}" or (first in able and state.units[first].wing == w.id)), None
    )
    title = say(_("Activate {wing}"), wing=chosen.name) if chosen else None
    act = confirm(c.TakeWing(chosen.id), title) if chosen and title else None
    must = None if chosen else _("Choose the wing to act, or one of its units.")
    stands = standing(first) if first in able else standing(more=(first,))
    return BoardLegal(SLUGS, stands if chosen else (), able, acts=acts, must=must, confirm=act, turn=True)


# One unit


def unit_legal(state: HostState, able: tuple[str, ...], selection: Selection) -> BoardLegal:
    """Reach, targets and acts of a picked unit, and the command of the other picks."""
    unit = selection[0]
    state = released(state, unit)
    own = state.units[unit]
    if own.morale == ROUTED:
        return _rallying(state, able, unit)
    picked = read_picks(state, selection)
    if own.acted:
        found, where = list(_duels(state, unit, picked)), Range(state, Pace(0, 0), {}, {})
    else:
        where = range_of(state, unit, picked.posture)
        if picked.way is not None:
            where, picked = laid_range(where, unit, picked)
        found = [*_targets(state, unit, where, picked), *_duels(state, unit, picked)]
    target = _target(found, picked)
    if target is not None and target.source and not target.how.startswith(DUEL):
        picked = picked._replace(hex=target.source)
    way = way_in(where, unit, picked.hex) if picked.hex else None
    act = _confirmed(state, unit, picked, target, way, where)
    duty = duty_of(state, unit) if not own.acted and going_on(state, unit) is None else None
    must = DUTY_WORDS.get(duty.kind) if duty and duty.kind != FREE else None
    acts = (*_acts(state, unit, way), *_otherwise(state, unit, where, target, way))
    return BoardLegal(
        SLUGS, _standing_picks(unit, picked, target, way), able, tuple(_steps(state, unit, where, found)),
        way.hexes if way else (), way.costs if way else (), tuple(found), acts,
        threats_to(state, unit, way.end if way else state.token(unit).at), must=must, confirm=act, turn=True,
    )  # fmt: skip


def _target(found: list[Target], picked: PickedAct) -> Target | None:
    fits = (one for one in found if one.target == picked.target and picked.how in ("", one.how))
    return next((one for one in fits if one.why_not is None), None)


def _standing_picks(unit: str, picked: PickedAct, target: Target | None, way: Way | None) -> tuple[str, ...]:
    act = (picked.act,) if picked.act and picked.act != EXIT else ()
    more = (*picked.slugs, *((target.how,) if target else act))
    return standing(unit, way.end if way else "", target.target if target else "", more)


def _steps(state: HostState, unit: str, where: Range, found: list[Target]) -> Iterator[Step]:
    """Hexes in reach with their cost, and the reason if its order forbids one."""
    halts = stops_beside(where.now, unit)
    at = state.token(unit).at
    if where.laid:
        for target, cost in where.laid.steps.items():
            kind = "effort" if cost > where.pace.points else "halt" if target in halts else "reach"
            yield Step(target, cost, kind)
        return
    bound_ = going_on(state, unit) is None and bool(at) and not state.units[unit].character
    for target, cost in where.steps.items():
        kind = "halt" if target in halts else "reach"
        yield Step(target, cost, kind, _barred(state, unit, target) if bound_ else None)
    for target, cost in where.effort.items():
        yield Step(target, cost, "effort", _barred(state, unit, target) if bound_ else None)


def _barred(state: HostState, unit: str, at: str) -> Said | None:
    """Why the unit's order forbids it to end there, whatever it does from there; None if it doesn't."""
    attacks = duty_of(state, unit).kind == "fight"
    return why_disobeys(state, unit, at, moves=at != state.token(unit).at, attacks=attacks, leaves=False)


# Targets


def _targets(state: HostState, unit: str, where: Range, picked: PickedAct) -> Iterator[Target]:
    """Enemies that can be attacked from the picked hex, or each from its best hex."""
    at = picked.hex
    hexes = {**where.steps, **where.effort}
    if state.units[unit].must_land:
        where = where._replace(now=in_posture(where.now, unit, GROUND))  # it lands before it attacks (W-23)
    if at:
        hexes = {at: hexes[at]} if at in hexes else {}
    best: dict[tuple[str, str], tuple[bool, int, int, str]] = {}
    reach = max(1, where.now.units[unit].own.range)
    foes = enemies(where.now, where.now.side_of(unit))
    before = beside_now(state, unit) if state.token(unit).at else ()
    for hex_, cost in hexes.items():
        if not any(apart(hex_, foe.at) <= reach for foe in foes):
            continue
        crowd = len(beside(where.now, hex_, where.now.side_of(unit)))
        barred = _barred_attack(state, unit, hex_) is not None
        for foe, how in _allowed(where, unit, hex_, before):
            key = (foe.id, how)
            best[key] = min(best.get(key, (barred, cost, crowd, hex_)), (barred, cost, crowd, hex_))
    for (foe_id, how), (barred, _cost, _crowd, hex_) in best.items():
        setting = _setting(state, unit, where, hex_, how)
        setting = setting._replace(charged=setting.charged and picked.charge is not False)
        found = target_of(where.now, unit, where.now.token(foe_id), how, setting)
        yield found._replace(why_not=_barred_attack(state, unit, hex_)) if barred else found


def _barred_attack(state: HostState, unit: str, at: str) -> Said | None:
    """Why the unit's order forbids attacks from there; None if it doesn't."""
    if going_on(state, unit) is not None or not state.token(unit).standing:
        return None
    return why_disobeys(state, unit, at, moves=at != state.token(unit).at, attacks=True, leaves=False)


def _allowed(where: Range, unit: str, at: str, before: tuple[str, ...]) -> Iterator[tuple[Token, str]]:
    now = where.now if where.now.token(unit).at == at or not where.now.units[unit].character else where.now.but(
        field=where.now.field.put(unit, at=at)
    )  # fmt: skip
    going = going_on(where.now, unit)
    for foe, how in strikes(now, unit, at):
        if how == MELEE and (at in where.effort or (going is not None and going.effort)):
            continue
        if why_not_by_order(where.now, unit, foe.id, how, at, before) is None:
            yield foe, how


def _setting(state: HostState, unit: str, where: Range, at: str, how: str) -> Setting:
    """Circumstances of an attack from a hex: charge, infiltration, leaders, second effort."""
    way = way_in(where, unit, at)
    going = going_on(state, unit)
    clear = (clear_steps(where.now, unit, way) if way else 0) + (going.clear if going else 0)
    charged = how == MELEE and may_charge(where.now, unit, clear)
    out = state.units[unit].infiltrating and where.now.units[unit].infiltrating
    return Setting(at, charged, going.out if going else out, leader=_leader_there(where.now, unit, at),
                   tired=int(at in where.effort))  # fmt: skip


def _leader_there(state: HostState, unit: str, at: str) -> bool:
    """Whether a fit leader would be stacked with it there: one who goes along or is there already."""
    start = state.token(unit).at
    if start == at or not start:
        return led_from(state, unit, at)
    return led_from(state, unit, at) or any(fit_leader(state, one) for one in companions(state, unit, at))


def _duels(state: HostState, character: str, picked: PickedAct) -> Iterator[Target]:
    if activation.why_no_duellist(state, character) is not None:
        return
    for foe in enemies(state, state.side_of(character)):
        for how in (MELEE, MISSILE):
            if activation.why_not_duel(state, character, foe, how) is None:
                blow = activation.blow_of(state, character, foe.id, how, picked.charge)
                setting = Setting(state.token(character).at, blow.charged, blow.out, duel=True)
                yield target_of(state, character, foe, how, setting)


# Acts and the command


def _acts(state: HostState, unit: str, way: Way | None) -> Iterator[Act]:
    if state.units[unit].acted:
        return
    yield Act(STAND, _("Stay here"), "g-halt", why_not=refusal_of(state, c.UnitAct(unit)))
    if can_leave(state, unit):
        leaves = c.UnitAct(unit, way.hexes[1:] if way else (), exit=True)
        refused = refusal_of(state, leaves)
        beside_it = way is not None or refused is not None  # without a move it is an ordinary action
        yield Act(EXIT, _("Leave the map"), "g-return", why_not=refused, beside=beside_it)
    if going_on(state, unit) is None:
        for posture in postures_of(state, unit)[1:]:
            yield Act(f"{POSTURE}:{posture}", POSTURES[posture].name, POSTURE_GLYPHS[posture], beside=True)


def _otherwise(state: HostState, unit: str, where: Range, target: Target | None, way: Way | None) -> Iterator[Act]:
    """The options of the picked action: the way, the charge, following up, and who goes along."""
    if where.laid or {*where.steps, *where.effort} - {state.token(unit).at}:
        yield way_act(way, where.laid is not None)
    if target is not None and target.how.endswith(MELEE):
        if _may_charge(state, unit, where, target):
            yield Act(
                f"{CHARGE}:{NO}", _("Without the charge"), "g-charge", _("without tiring the unit further"), beside=True
            )
        if not target.how.startswith(DUEL):
            holds_ = order_of(state, unit) == HOLD
            label = _("Follow into the vacated hex") if holds_ else _("Don’t follow into the vacated hex")
            yield Act(f"{FOLLOW}:{YES if holds_ else NO}", label, "g-run", beside=True)
    if way is not None and len(way.hexes) > 1 and not state.units[unit].character:
        for one in companions(state, unit, way.end):
            yield Act(
                f"{STAY}:{one}", say(_("{unit}: left behind"), unit=state.name_in_side(one)), "g-halt", beside=True
            )


def _may_charge(state: HostState, unit: str, where: Range, target: Target) -> bool:
    if target.how.startswith(DUEL):
        return activation.charges(state, unit)
    return _setting(state, unit, where, target.source, target.how).charged


def _rallying(state: HostState, able: tuple[str, ...], unit: str) -> BoardLegal:
    why = why_not_rally(state, unit)
    note = in_percent(whole_percent(rally_chance(state, unit)))
    act = confirm(c.RallyUnit(unit), say(_("{unit}: rally attempt"), unit=state.name_in_side(unit)), throws=True)
    acts = (Act(RALLY, _("Rally"), "g-rally", note, why),)
    return BoardLegal(SLUGS, standing(unit), able, acts=acts, confirm=act if why is None else None, turn=True)


def _confirmed(
    state: HostState, unit: str, picked: PickedAct, target: Target | None, way: Way | None, where: Range
) -> Confirm | None:
    """The complete command of the picks, if the law accepts it; None otherwise."""
    if target is not None and target.how.startswith(DUEL):
        how = target.how.removeprefix(DUEL)
        fights = say(Term("{unit}: {deed}"), unit=state.name_in_side(unit), deed=target.label)
        duel = c.FightDuel(unit, target.target, how, picked.charge)
        return Confirm(duel, fights, target.label, note_of(target), throws=True, icon=target.icon)
    if way is None and not picked.act and not picked.posture:
        return None
    command = command_of(unit, picked, target, way, bool(way and way.end in where.effort))
    if refusal_of(state, command) is not None:
        return None
    title = title_of(state, unit, command, target)
    if target is not None:
        return Confirm(command, title, target.label, note_of(target), throws=True, icon=target.icon)
    button = say(_("Move to {hex}"), hex=command.path[-1]) if command.path and not command.exit else title
    fatigue = state.units[unit].fatigue + 1 if way and way.end in where.effort else None
    return Confirm(command, title, button, price_of(way.cost, where.pace.points, fatigue) if way and way.cost else "")
