"""Board of a battle as its reader sees it: counters with their signs, effects, the clock of wings."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rules.core.text import Said, Term, _, say
from rules.core.viewers import Viewer
from rules.hexbattle.board import Badge, Board, Cell, Clock, Counter
from rules.hexbattle.showing import board_of, set_up
from rules.hexbattle.timers import Timer
from rules.hexbattle.tokens import Token
from rules.wing_command.battle.record.state import ACTION, COMMAND, FIT, FRESH, PHASES, ROUTED, HostState, Wing
from rules.wing_command.battle.situation import engaged
from rules.wing_command.battle.turn import PHASE_NAMES, may_command
from rules.wing_command.battle.wings import able_to_act
from rules.wing_command.spec import GROUND, ZONE_ROWS
from rules.wing_command.starter import CHARACTERS, FATIGUES, MORALES, ORDERS, POSTURES, SPELLS, TROOPS

ENGAGED, SPECIAL = _("Engaged"), _("Special order")


def board(seen: HostState, viewer: Viewer) -> Board:
    """The board of the state a viewer sees."""
    tags = tags_of(seen)

    def counter(token: Token) -> Counter:
        return counter_of(seen, viewer, token, tags[token.id])

    clock = clock_of(seen, viewer) if seen.field.started else None
    board = board_of(seen.field, counter, effect_name, clock=clock, last=seen.last)
    return set_up(board, seen.field, viewer, seen.opening.sides, zone_rows=ZONE_ROWS)


def effect_name(timer: Timer) -> Said:
    return SPELLS[timer.effect].name


def tags_of(seen: HostState) -> dict[str, str]:
    """Letters of the kind and a number in the order of the wings, by side; units that aren't seen leave no gap."""
    counts: dict[tuple[int, str], int] = {}
    found = {}
    for wing in seen.wings.values():
        for unit in wing.members:
            kind = seen.units[unit].own.kind if unit in seen.units else ""
            if kind:
                letter = (TROOPS.get(kind) or CHARACTERS[kind]).tag
                number = counts[wing.side, letter] = counts.get((wing.side, letter), 0) + 1
                found[unit] = f"{letter}{number}"
    return found


def counter_of(seen: HostState, viewer: Viewer, token: Token, tag: str) -> Counter:
    own = seen.units[token.id]
    active = seen.phase == ACTION and own.wing == seen.wing
    acts = able_to_act(seen, token.id) if active else seen.phase == COMMAND and _commands(seen, token)
    return Counter(
        token.id, token.army, token.side, token.name, token.at, own.own.kind, tag, character=token.character,
        can_act=bool(acts and seen.field.started), done=own.acted, group=own.wing,
        badges=tuple(badges_of(seen, token.id)), states=tuple(states_of(seen, token.id)),
    )  # fmt: skip


def _commands(seen: HostState, token: Token) -> bool:
    return token.side == seen.side and may_command(seen, token.id)


def badges_of(seen: HostState, unit: str) -> Iterator[Badge]:
    """Signs on the corners: leader, morale, fatigue, order or spell."""
    own = seen.units[unit]
    if seen.is_army_leader(unit):
        yield Badge("nw", "army-leader", _("Army leader"))
    elif seen.is_leader(unit):
        yield Badge("nw", "leader", _("Wing leader"))
    if own.morale != FIT:
        yield Badge("ne", "routed" if own.morale == ROUTED else "shaken", MORALES[own.morale])
    if own.fatigue != FRESH:
        yield Badge("se", ("winded", "exhausted")[own.fatigue - 1], FATIGUES[own.fatigue])
    if own.special:
        yield Badge("sw", "special-order", SPECIAL)
    elif own.spell:
        yield Badge("sw", "spell", SPELLS[own.spell].name)


def states_of(seen: HostState, unit: str) -> Iterator[Said]:
    """Its states in words; fit, fresh and on the ground are left out."""
    own = seen.units[unit]
    if own.morale != FIT:
        yield MORALES[own.morale]
    if own.fatigue != FRESH:
        yield FATIGUES[own.fatigue]
    if own.posture != GROUND:
        yield POSTURES[own.posture].name
    if engaged(seen, unit):
        yield ENGAGED
    if own.special:
        yield SPECIAL


# The clock


def clock_of(seen: HostState, viewer: Viewer) -> Clock:
    """The turn, its steps, and a cell for each wing."""
    place = PHASES.index(seen.phase)
    steps = tuple(
        (PHASE_NAMES[phase], "current" if at == place else "done" if at < place else "to come")
        for at, phase in enumerate(PHASES)
    )
    mine = any(viewer.commands(wing.id) for wing in seen.wings_of(seen.side))
    side = seen.opening.sides[seen.side]
    now = _("You act") if mine else say(_("{side} acts"), side=side)
    cells = tuple(cell_of(seen, wing) for wing in seen.wings.values())
    return Clock(say(_("Turn {number}"), number=seen.turn), now, cells=cells, steps=steps)


def cell_of(seen: HostState, wing: Wing) -> Cell:
    """A wing: its order and morale, its troops left of how many, how many it may lose before it breaks."""
    left = sum(not seen.units[unit].character for unit in seen.members(wing))
    brink = -(-Fraction(wing.troops * seen.options.break_share, 100) // 1)
    order = ORDERS[wing.order].name if wing.order else Term("–")
    lines = (order, say(_("Morale {morale}, shaken markers {shaken}"), morale=wing.morale, shaken=wing.shaken))
    out = wing.broken or not left
    state = "out" if out else "acting" if wing.id == seen.wing else "acted" if wing.done else "to act"
    word = _("broken") if wing.broken else ""
    return Cell(wing.id, wing.side, wing.name, lines, (left, wing.troops), int(brink), state, word)
