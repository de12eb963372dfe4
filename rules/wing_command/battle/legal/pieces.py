"""Parts of the legal choices: the selection on the board, ranges of a picked unit, targets with modifiers and chances,
confirming buttons.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from rules.battle_law import Selection
from rules.core.breakdown import Breakdown
from rules.core.errors import Refusal
from rules.core.odds import whole_percent
from rules.core.text import Said, Term, UnitName, _, say, signed
from rules.hexbattle.board import Confirm, Piece, Target, Threat, Threats, picks_of
from rules.hexbattle.choosing import WAY, LaidWay, lay, own_way, slug_of_way, threats
from rules.hexbattle.field import Token
from rules.hexbattle.ground import apart
from rules.hexbattle.moving import Mover, Way, route
from rules.wing_command.battle.acting import going_on, planned
from rules.wing_command.battle.blows import BlowOutcome, companions, outcome_of
from rules.wing_command.battle.combat import (
    BACKWARD,
    DESTROY,
    NONE,
    RECOIL,
    RESULT_WORDS,
    RESULTS,
    ROUT,
    SHAKE,
    Setting,
    chances,
    harm,
    sum_of,
    why_not_strike,
)
from rules.wing_command.battle.movement import Pace, in_posture, lands_on, mover_of, pace_of, reach_of, why_it_stays
from rules.wing_command.battle.record import commands as c
from rules.wing_command.battle.record.state import EXHAUSTED, ROUTED, HostState
from rules.wing_command.battle.situation import enemies, halting, stops_beside
from rules.wing_command.spec import (
    ADVANCE,
    ATTACK,
    CLOSE_FLIGHT,
    GROUND,
    HIGH_FLIGHT,
    HOLD,
    INFILTRATING,
    MELEE,
    MISSILE,
    RETREAT,
)
from rules.wing_command.starter import FATIGUES, POSTURES

# Parser of a board selection in the action phase. The unit comes first, everything else in any order.

STAND, EXIT, RALLY, TAKE = "stand", "exit", "rally", "take_wing"
POSTURE, CHARGE, FOLLOW, STAY = "posture", "charge", "follow", "stay"
YES, NO = "yes", "no"
HOWS = (MELEE, MISSILE, "duel-melee", "duel-missile")


class PickedAct(NamedTuple):
    """The picks after the unit: posture, hex, target with kind of attack, another act, and deviations from the default.

    `charge`, `follow`: None for the default. `stay`: characters who don't go along. `way`: the hexes of a path laid by
    hand, None for the cheapest path.
    """

    posture: str = ""
    hex: str = ""
    target: str = ""
    how: str = ""
    act: str = ""
    charge: bool | None = None
    follow: bool | None = None
    stay: tuple[str, ...] = ()
    way: tuple[str, ...] | None = None

    @property
    def slugs(self) -> tuple[str, ...]:
        """The slugs that stay picked whichever hex or target is picked next."""
        posture = (f"{POSTURE}:{self.posture}",) if self.posture else ()
        leaves = (EXIT,) if self.act == EXIT else ()
        charge = () if self.charge is None else (f"{CHARGE}:{NO}",)
        follow = () if self.follow is None else (f"{FOLLOW}:{YES if self.follow else NO}",)
        way = () if self.way is None else (slug_of_way(self.way),)
        return (*posture, *leaves, *charge, *follow, *(f"{STAY}:{one}" for one in self.stay), *way)


def read_picks(state: HostState, selection: Selection) -> PickedAct:
    """The picks after the unit, parsed."""
    found = PickedAct()
    for pick in selection[1:]:
        kind, _colon, value = pick.partition(":")
        if kind in OTHERWISE:
            found = _otherwise(state, found, kind, value)
        elif pick.startswith(WAY):
            found = found._replace(way=own_way((pick,)))
        elif pick in state.field.ground:
            found = found._replace(hex=pick)
        elif pick in HOWS:
            found = found._replace(how=pick)
        elif pick in state.field.tokens:
            found = found._replace(target=pick)
        elif pick in (STAND, EXIT, RALLY):
            found = found._replace(act=pick)
    return found


OTHERWISE = (POSTURE, CHARGE, FOLLOW, STAY)


def _otherwise(state: HostState, found: PickedAct, kind: str, value: str) -> PickedAct:
    if kind == POSTURE and value in POSTURES:
        return found._replace(posture=value)
    if kind == CHARGE and value == NO:
        return found._replace(charge=False)
    if kind == FOLLOW and value in (YES, NO):
        return found._replace(follow=value == YES)
    if kind == STAY and value in state.units:
        return found._replace(stay=tuple(dict.fromkeys((*found.stay, value))))
    return found


def first_of(selection: Selection) -> str:
    """The single pick: a target, else a unit, else anything else; "" for none."""
    picks = picks_of(selection)
    return picks.target or picks.unit or next((pick for pick in (picks.to, *picks.more) if pick), "")


def deed_of(selection: Selection) -> str:
    """The command picked for a character; "" for none."""
    return next((pick for pick in selection[1:] if pick), "")


def standing(unit: str = "", hex_: str = "", target: str = "", more: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The valid part of a selection, in the order that boards expect (`picks_of`)."""
    found = (unit, hex_, target, *more)
    while found and not found[-1]:
        found = found[:-1]
    return found


# Parts of the legal choices: targets with modifiers and chances, confirming buttons.

AT_LEAST_RECOIL = _("recoil or worse")
ORDER_GLYPHS = {ATTACK: "g-swords", ADVANCE: "g-run", HOLD: "g-shield", RETREAT: "g-return"}
POSTURE_GLYPHS = {GROUND: "g-move", INFILTRATING: "g-hood", CLOSE_FLIGHT: "g-wing", HIGH_FLIGHT: "g-wing"}
"""Drawings of orders and postures."""
TONES = {BACKWARD: 0, NONE: 1, RECOIL: 2, SHAKE: 3, ROUT: 4, DESTROY: 5}


def pieces(
    state: HostState, target: str, how: str, total: int, source: str, *, duel: bool = False
) -> tuple[Piece, ...]:
    """What an attack from a hex does to its target, with the chances, mildest first.

    In a duel, results against the attacker count as no effect (WC-8.8).
    """
    found = dict(zip(RESULTS[how], chances(how, total), strict=True))
    if duel and BACKWARD in found:
        found[NONE] += found.pop(BACKWARD)
    told: dict[BlowOutcome, Fraction] = {}
    for slug, chance in found.items():
        outcome = outcome_of(state, target, slug, source, alone=duel)
        told[outcome] = told.get(outcome, Fraction(0)) + chance
    return tuple(Piece(one.result, _word_of(one), chance, TONES[one.result]) for one, chance in told.items())


IN_PLACE: Mapping[str, Term] = {SHAKE: _("shaken, can’t recoil"), ROUT: _("routed, can’t recoil")}


def _word_of(outcome: BlowOutcome) -> Term:
    return IN_PLACE.get(outcome.result, RESULT_WORDS[outcome.result]) if outcome.stays else RESULT_WORDS[outcome.result]


def struck_from(state: HostState, attacker: str, source: str) -> HostState:
    """The state with the attacker, and who goes along, on the hex it attacks from."""
    at = state.token(attacker).at
    if not at or at == source:
        return state
    field = state.field
    for one in (attacker, *companions(state, attacker, source)):
        field = field.put(one, at=source)
    return state.but(field=field)


def sum_lines(found: Breakdown) -> tuple[Said, ...]:
    return tuple(say(_("{label}: {value}"), label=line.label, value=signed(line.value)) for line in found.lines)


def throw(total: int) -> str:
    """The roll in short, such as "2D6 + 3"."""
    if not total:
        return "2D6"
    return f"2D6 {'+' if total > 0 else '−'} {abs(total)}"


LABELS: dict[tuple[str, bool, bool], Term] = {
    (MELEE, False, False): _("Attack {foe}"),
    (MELEE, True, False): _("Charge {foe}"),
    (MELEE, False, True): _("Duel with {foe}"),
    (MELEE, True, True): _("Duel with {foe}, charging"),
}
SHOOT, SHOOT_DUEL = _("Shoot at {foe}"), _("Missile duel with {foe}")


def label_of(how: str, foe: UnitName, *, charged: bool = False, duel: bool = False) -> Said:
    words = LABELS[how, charged, duel] if how == MELEE else SHOOT_DUEL if duel else SHOOT
    return say(words, foe=foe)


def target_of(state: HostState, attacker: str, foe: Token, how: str, setting: Setting) -> Target:
    """An enemy as a target, with the modifiers and chances of an attack."""
    found = sum_of(state, attacker, foe.id, how, setting)
    total, name = found.total, state.name_in_side(foe.id)
    bar = pieces(struck_from(state, attacker, setting.source), foe.id, how, total, setting.source, duel=setting.duel)
    return Target(
        foe.id, foe.at, name, f"duel-{how}" if setting.duel else how, setting.source, harm(how, total),
        AT_LEAST_RECOIL, bar, sum_lines(found), throw(total),
        label_of(how, name, charged=setting.charged, duel=setting.duel),
        pick=f"duel-{how}" if setting.duel else how, icon=_icon(how, setting),
    )  # fmt: skip


def _icon(how: str, setting: Setting) -> str:
    if how != MELEE:
        return "g-arrows"
    return "g-charge" if setting.charged else "g-swords"


def note_of(target: Target) -> Said:
    """The roll and its chance of harm, in words."""
    assert target.chance is not None
    told = {"throw": target.throw, "percent": whole_percent(target.chance), "what": target.chance_label}
    return say(_("{throw} · {percent}% {what}"), **told)


def price_of(cost: int, points: int, fatigue: int | None) -> Said:
    """The cost of a move in words. `fatigue`: the unit's fatigue after a second effort (W-22), None without one."""
    if fatigue is None:
        return say(_("{cost} of {points} points"), cost=cost, points=points)
    after = FATIGUES[min(EXHAUSTED, fatigue)]
    return say(_("{cost} points, a second effort; then: {state}"), cost=cost, state=after)


def confirm(command: Any, title: Said, *, throws: bool = False, note: Said | str = "") -> Confirm:
    """A confirming button whose label is its title."""
    return Confirm(command, title, title, note, throws)


def first[T](found: Iterable[T]) -> T | None:
    return next(iter(found), None)


# Confirmation of an action: its command, its title, and why the law refuses it


def command_of(unit: str, picked: PickedAct, target: Target | None, way: Way | None, effort: bool) -> c.UnitAct:
    """The command of the picked action. `effort`: whether its way takes a second effort."""
    path = way.hexes[1:] if way else ()
    attack = c.Strike(target.target, target.how) if target else None
    leaves = picked.act == EXIT
    charge, follow = (picked.charge, picked.follow) if attack and attack.how == MELEE else (None, None)
    return c.UnitAct(unit, path, "", picked.posture, effort, attack, charge, follow, picked.stay, leaves)


def refusal_of(state: HostState, command: c.UnitAct) -> Said | None:
    """Why the law refuses an action; None if it accepts it."""
    try:
        planned(state, command)
    except Refusal as refusal:
        return refusal.message
    return None


def title_of(state: HostState, unit: str, command: c.UnitAct, target: Target | None) -> Said:
    """The full description of what happens ("Riders to F6: Charge the Levy")."""
    name = state.name_in_side(unit)
    moves = (
        say(_("{unit} to {hex}"), unit=name, hex=command.path[-1]) if command.path else say(Term("{unit}"), unit=name)
    )
    if command.exit:
        return say(_("{unit}: off the map"), unit=name)
    if target is not None:
        return say(_("{move}: {deed}"), move=moves, deed=target.label)
    return moves if command.path else say(_("{unit}: no move"), unit=name)


# Range of a picked unit: hexes with their costs, the ways to them, and a path laid by hand.


class Range(NamedTuple):
    """Where a unit can go: hexes with their cost, second effort apart. `laid`: the path laid by hand."""

    now: HostState
    pace: Pace
    steps: dict[str, int]
    effort: dict[str, int]
    laid: LaidWay | None = None


def range_of(state: HostState, unit: str, posture: str = "") -> Range:
    """Every hex where a unit can end its move, in a posture; what its order demands isn't considered."""
    going = going_on(state, unit)
    now = in_posture(state, unit, posture)
    at = state.token(unit).at
    if state.units[unit].must_land:
        pace = pace_of(state, unit)
        return Range(state, pace, lands_on(state, unit, pace.points), {})
    pace = pace_of(now, unit) if going is None else Pace(going.left, going.left)
    if why_it_stays(now, unit) or (going is not None and at in stops_beside(now, unit)):
        return Range(now, pace, {at: 0}, {})
    steps = reach_of(now, unit, pace.points)
    if going is not None or pace.more == pace.points:
        return Range(now, pace, steps, {})
    near = halting(now, now.side_of(unit))
    further = reach_of(now, unit, pace.more)
    effort = {one: cost for one, cost in further.items() if one not in steps and one not in near}
    return Range(now, pace, steps, effort)


def laid_range(where: Range, unit: str, picked: PickedAct) -> tuple[Range, PickedAct]:
    """The range and picks of a unit whose path is laid by hand (HX-3.3): it can only end where the path does."""
    now, start, hexes = where.now, where.now.token(unit).at, {**where.steps, **where.effort}
    if not hexes.keys() - {start}:
        return where, picked._replace(way=None)
    most, usual = where.pace.more if where.effort else where.pace.points, where.pace.points
    near = halting(now, now.side_of(unit))
    laid = lay(now.field.ground, (mover_of(now, unit, most),), start, picked.way or ())
    steps = {at: cost for at, cost in laid.steps.items() if cost <= usual or at not in near}
    laid, end, cost = laid._replace(steps=steps), laid.way.end, laid.way.cost
    ends = {end: cost} if end in hexes and (cost <= usual or end not in near) else {}
    tired = cost > usual
    where = where._replace(steps={} if tired else ends, effort=ends if tired else {}, laid=laid)
    stays = picked.hex if picked.hex == start else ""
    return where, picked._replace(way=laid.hexes, hex=end if laid.hexes else stays)


def way_in(where: Range, unit: str, at: str) -> Way | None:
    """The way to a hex in the range, the one laid by hand if it ends there; None if there is none."""
    if where.laid and at == where.laid.way.end:
        return where.laid.way
    points = where.pace.more if at in where.effort else where.pace.points
    if at not in where.steps and at not in where.effort:
        return None
    start = where.now.token(unit).at
    return (
        Way((start,), (0,))
        if at == start
        else route(where.now.field.ground, mover_of(where.now, unit, points), start, at)
    )


# Threats to a unit: what visible enemies could do to it before it acts again


def threats_to(state: HostState, unit: str, at: str) -> Sequence[Threat]:
    """The worst attack of each enemy on a unit placed on a hex."""
    return Threats(lambda: _list_threats(state, unit, at)) if at else ()


def _list_threats(state: HostState, unit: str, at: str) -> tuple[Threat, ...]:
    there = state if state.token(unit).at == at else state.but(field=state.field.put(unit, at=at))
    near = [foe for foe in enemies(state, state.side_of(unit)) if _near(there, foe, at)]

    def mover(foe: Token) -> Mover | None:
        return None if why_it_stays(there, foe.id) else mover_of(there, foe.id, pace_of(there, foe.id).points)

    def blow(foe: Token, source: str) -> Threat | None:
        return _blow(there, foe, source, unit)

    return threats(there.field, near, mover, blow)


def _near(state: HostState, foe: Token, at: str) -> bool:
    """Whether an enemy could get near enough at all."""
    own = state.units[foe.id]
    return own.morale != ROUTED and apart(foe.at, at) <= pace_of(state, foe.id).points + max(1, own.own.range)


def _blow(state: HostState, foe: Token, source: str, unit: str) -> Threat | None:
    token, far = state.token(unit), apart(source, state.token(unit).at)
    if not 0 < far <= max(1, state.units[foe.id].own.range):
        return None
    for how in (MELEE, MISSILE):
        if (how == MISSILE or far == 1) and why_not_strike(state, foe.id, token, how, source) is None:
            total = sum_of(state, foe.id, unit, how, Setting(source)).total
            note = say(_("from {hex}"), hex=source)
            bar = pieces(struck_from(state, foe.id, source), unit, how, total, source)
            return Threat(foe.id, state.name_in_side(foe.id), note, throw(total), bar)
    return None
