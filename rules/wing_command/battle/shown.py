"""Board of a battle as one viewer sees it: counters with badges, effects, and the turn track with each wing's state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from rules.core.text import Said, Term, _, by_number, say
from rules.core.viewers import Viewer
from rules.hexbattle import seeing
from rules.hexbattle.board import Badge, Board, Cell, Clock, Counter
from rules.hexbattle.field import SIDES, Token
from rules.hexbattle.ground import Timer
from rules.hexbattle.seeing import board_of, set_up
from rules.wing_command.battle.activation import able_to_act, able_units, open_wings
from rules.wing_command.battle.legal.pieces import ORDER_GLYPHS, TAKE
from rules.wing_command.battle.obedience import FIGHT, HOME, LEAVE, NEARER, STAY, duty_of
from rules.wing_command.battle.record import events as e
from rules.wing_command.battle.record.state import (
    ACTION,
    COMMAND,
    FIT,
    FRESH,
    PHASES,
    ROUT,
    ROUTED,
    HostState,
    Unit,
    Wing,
)
from rules.wing_command.battle.situation import engaged, foes_of, unseen
from rules.wing_command.battle.turn import PHASE_NAMES, may_command
from rules.wing_command.spec import GROUND, ZONE_ROWS, WingSpec
from rules.wing_command.starter import CHARACTERS, FATIGUES, MORALES, ORDERS, POSTURES, SPELLS, TROOPS

# Board of a battle as its reader sees it: counters with badges, effects, the clock of wings.

ROMAN = ("I", "II", "III", "IV", "V", "VI")
ENGAGED, SPECIAL = _("Engaged in melee"), _("Special order")


def board(seen: HostState, viewer: Viewer) -> Board:
    """The board of the state a viewer sees."""
    tags = tags_of(seen)

    def counter(token: Token) -> Counter:
        return counter_of(seen, viewer, token, tags[token.id])

    clock = clock_of(seen, viewer) if seen.field.started else None
    found = board_of(seen.field, counter, effect_name, clock=clock, last=seen.last)
    found = set_up(found, seen.field, viewer, seen.opening.sides, zone_rows=ZONE_ROWS)
    return found._replace(engaged=tuple(locked(seen)))


def locked(seen: HostState) -> Iterator[tuple[str, str]]:
    """Pairs of hexes whose units are engaged with each other."""
    pairs = {
        (min(ends), max(ends))
        for unit in seen.units
        for foe in foes_of(seen, unit)
        for ends in ((seen.token(unit).at, seen.token(foe).at),)
    }
    yield from sorted(pairs)


def effect_name(timer: Timer) -> Said:
    return SPELLS[timer.effect].name


def tags_of(seen: HostState) -> dict[str, str]:
    """The tag of each unit: letters of its kind and a number per side, by wing. Unseen units leave no gap."""
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
        token.id, token.army, token.side, token.name, token.at, GLYPHS.get(own.own.kind, own.own.kind), tag,
        character=token.character, can_act=bool(acts and seen.field.started), done=own.acted, group=own.wing,
        badges=tuple(badges_of(seen, token.id)), states=tuple(states_of(seen, token.id)),
        offers=_offer(seen, token.id) if active and acts else "",
    )  # fmt: skip


def _offer(seen: HostState, unit: str) -> Said | str:
    """The demand of its order on the unit now, in a few words; "" for none."""
    if seen.units[unit].routed:
        return _("can rally")
    if seen.units[unit].must_land:
        return _("must land")
    return OFFERS.get(duty_of(seen, unit).kind, "")


OFFERS = {
    FIGHT: _("must attack"), NEARER: _("must move closer"), HOME: _("must fall back"), LEAVE: _("must leave"),
    STAY: _("stays"),
}  # fmt: skip
GLYPHS = {
    "heavy-foot": "heavy", "plain": "g-banner", "champion": "guard", "archer-captain": "bows", "commander": "hero",
}  # fmt: skip
"""The drawings of kinds whose drawing has another name."""


def _commands(seen: HostState, token: Token) -> bool:
    return token.side == seen.side and may_command(seen, token.id)


def badges_of(seen: HostState, unit: str) -> Iterator[Badge]:
    """Badges on the corners: leader, morale, fatigue, order or spell."""
    own = seen.units[unit]
    if seen.is_army_leader(unit):
        yield Badge("nw", "chief", _("Army leader"))
    elif seen.is_leader(unit):
        yield Badge("nw", "leader", _("Wing leader"))
    if own.morale != FIT:
        yield Badge("ne", "flees" if own.morale == ROUTED else "warn", MORALES[own.morale])
    elif own.flying:
        yield Badge("ne", "wing", POSTURES[own.posture].name)
    if own.fatigue != FRESH:
        yield Badge("se", ("tired", "spent")[own.fatigue - 1], FATIGUES[own.fatigue])
    if own.special:
        yield Badge("sw", "order", SPECIAL)
    elif own.spell:
        yield Badge("sw", "star", SPELLS[own.spell].name)


def states_of(seen: HostState, unit: str) -> Iterator[Said]:
    """Its states in words, without fit, fresh and on the ground."""
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
    """The turn, its phases, and a cell for each wing."""
    place = PHASES.index(seen.phase)
    steps = tuple(
        (PHASE_NAMES[phase], "current" if at == place else "done" if at < place else "to come")
        for at, phase in enumerate(PHASES)
    )
    side = seen.opening.sides[seen.side]
    mine = not viewer.gm and any(viewer.commands(wing.id) for wing in seen.wings_of(seen.side))
    if seen.phase in (COMMAND, ACTION):
        words = (_("You command"), _("{side} commands")) if seen.phase == COMMAND else (_("You act"), _("{side} acts"))
        now: Said = words[0] if mine else say(words[1], side=side)
    else:
        now = PHASE_NAMES[seen.phase]
    takes = seen.phase == ACTION and not seen.wing
    open_ = frozenset(w.id for w in open_wings(seen, seen.side) if viewer.commands(w.id)) if takes else frozenset()
    number = say(_("Turn {number} of {limit}"), number=seen.turn, limit=seen.options.turn_limit)
    return Clock(number, now, _then(seen), tuple(cell_of(seen, wing, open_) for wing in seen.wings.values()), steps)


def _then(seen: HostState) -> Said | str:
    """The next side to act, in words; "" if none."""
    other = 1 - seen.side
    waits = (seen.phase == COMMAND and other not in seen.passed) or (
        seen.phase == ACTION and any(not wing.done for wing in seen.wings_of(other))
    )
    return say(_("then {side}"), side=seen.opening.sides[other]) if waits else ""


def cell_of(seen: HostState, wing: Wing, open_: frozenset[str] = frozenset()) -> Cell:
    """A wing's cell: its order and morale, troops left and in all, and how many it may lose before it breaks.

    `open_`: ids of the wings the reader may take now.
    """
    left = sum(not seen.units[unit].character for unit in seen.members(wing))
    brink = -(-Fraction(wing.troops * seen.options.break_share, 100) // 1)
    order = ORDERS[wing.order].name if wing.order else Term("–")
    given = sum(seen.units[unit].special for unit in seen.members(wing))
    line = say(Term("{order} ◆{count}"), order=order, count=given) if given else order
    out = wing.broken or not left
    acts = wing.id in (seen.wing, _giving(seen))
    done = wing.done and seen.phase in (ACTION, ROUT)
    state = "out" if out and not acts else "acting" if acts else "acted" if done else "to act"
    about = say(_("Morale {morale}, shaken markers {shaken}"), morale=wing.morale, shaken=wing.shaken)
    return Cell(
        wing.id, wing.side, wing.name, (line,), (left, wing.troops), int(brink), state, _word(seen, wing, state),
        ORDER_GLYPHS.get(wing.order, ""), str(wing.morale), wing.shaken, about,
        f"{TAKE}:{wing.id}" if wing.id in open_ else "", number_of(seen, wing),
    )  # fmt: skip


def number_of(seen: HostState, wing: Wing) -> str:
    """A wing's number in its side, I to VI."""
    return ROMAN[[own.id for own in seen.wings_of(wing.side)].index(wing.id)]


def _giving(seen: HostState) -> str:
    """The wing of the character who is giving special orders or casting; "" for none."""
    busy = seen.distribution or seen.aiming
    return seen.units[busy.character].wing if busy else ""


def _word(seen: HostState, wing: Wing, state: str) -> Said | str:
    if wing.broken:
        return _("broken")
    if state == "acting" and seen.distribution:
        return say(POINTS_LEFT, count=seen.distribution.points)
    if state == "acting" and seen.phase == ACTION:
        return say(LEFT_TO_ACT, count=sum(1 for _unit in able_units(seen, wing)))
    if seen.phase != ACTION:
        return ""
    return _("acted") if state == "acted" else _("to act") if state == "to act" else ""


POINTS_LEFT = by_number("{count} point", "{count} points")
LEFT_TO_ACT = by_number("{count} left", "{count} left")


# Knowledge of a viewer (H-5 … H-7, WC-11 *Secret*): the state they see and the events they are told.

HIDDEN_ORDER = ""
"""Shown as the enemy's standing order during setup."""


def seen(state: HostState, viewer: Viewer) -> HostState:
    """The part of the state this viewer may know: without unseen units, enemy spells and, in setup, enemy orders."""
    if viewer.gm:
        return state
    field = seeing.seen_by(state.field, viewer, lambda side: unseen(state, side))
    own = seeing.sides_of(state.field, viewer)
    units = {
        unit: figures._replace(spell="") if figures.spell and state.side_of(unit) not in own else figures
        for unit, figures in state.units.items()
        if unit in field.tokens
    }
    units = dict(seeing.without_foreign_reasons(units, viewer))
    aiming, open_ = state.aiming, state.distribution
    if aiming and state.side_of(aiming.character) not in own:
        aiming = aiming._replace(spell="") if aiming.character in units else None
    if open_ and open_.character not in units:
        open_ = None
    going = state.going if state.going and state.going.unit in units else None
    secret = not (field.started or len(state.field.ready) == len(SIDES))
    wings = {
        id_: wing if wing.side in own else _of_enemies(wing, units, state, secret) for id_, wing in state.wings.items()
    }
    return state.but(field=field, units=units, aiming=aiming, distribution=open_, wings=wings, going=going)


def keeps_secrets(state: HostState) -> bool:
    """Whether the sides see different fields once the battle has begun."""
    return any(token.hidden for token in state.field.tokens.values())


def _of_enemies(wing: Wing, units: Mapping[str, Unit], state: HostState, secret: bool) -> Wing:
    """An enemy wing without unseen units, and in setup without its order."""
    if not secret and len(units) == len(state.units):
        return wing
    members = tuple(unit for unit in wing.members if unit in units)
    hidden = sum(not state.units[unit].character for unit in wing.members if unit not in units)
    order = HIDDEN_ORDER if secret else wing.order
    return wing._replace(members=members, troops=wing.troops - hidden, order=order)


def without_secrets(state: HostState, event: Any, viewer: Viewer) -> Any | None:
    """The part of a witnessed event that this viewer may know: no enemy spells, no hidden reinforcements of the enemy,
    and no postures in setup.
    """
    own = seeing.sides_of(state.field, viewer)
    match event:
        case e.SpellChosen() if not _owns(state, event.character, own):
            return event._replace(spell="")
        case e.SpellTried() if not _owns(state, event.character, own):
            return event._replace(spell="", lines=(), limit=0)
        case e.SpellCast() if not seeing.saw(event.met, own):
            return event._replace(target="")
        case e.WingJoined(army) if army.side not in own:
            return e.WingJoined(_without_hidden(army))
        case e.PostureTaken() if not state.field.started and not _owns(state, event.unit, own):
            return None
        case _:
            return seeing.tell_lines(state.units, event, viewer)


def _without_hidden(army: WingSpec) -> WingSpec:
    """The army without the units that begin hidden (H-7)."""
    known = [place for place, unit in enumerate(army.units) if not unit.figures.infiltrate]
    ids = tuple(army.ids[place] for place in known) if army.ids else ()
    return army._replace(units=tuple(army.units[place] for place in known), ids=ids)


def _owns(state: HostState, unit: str, own: frozenset[int]) -> bool:
    return seeing.side_of(state.field, unit) in own
