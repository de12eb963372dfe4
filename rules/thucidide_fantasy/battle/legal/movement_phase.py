"""Legal commands of the movement phase: reach with costs, why a hex is barred, spells to announce."""

from __future__ import annotations

from collections.abc import Iterator

from rules.battle_law import Selection
from rules.core.text import _, say
from rules.core.viewers import Viewer
from rules.hexbattle.board import Act, BoardLegal, Confirm, Ring, Step
from rules.hexbattle.moving import Way
from rules.hexbattle.tokens import by_name, commands
from rules.thucidide_fantasy.battle.binding import must_move, why_not_end
from rules.thucidide_fantasy.battle.legal.pieces import confirm
from rules.thucidide_fantasy.battle.marching_orders import why_not_move
from rules.thucidide_fantasy.battle.moves import goes_far, reach_of, way_to
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.battle.record.state import FantasyState
from rules.thucidide_fantasy.battle.situation import is_undead
from rules.thucidide_fantasy.battle.spells.casting import casts, why_not_announce
from rules.thucidide_fantasy.battle.turn import forced
from rules.thucidide_fantasy.gods import LEASH

SLUGS = ("move", "announce", "end_phase")
ANNOUNCE = "announce"


def legal_movement(state: FantasyState, viewer: Viewer, selection: Selection) -> BoardLegal:
    """Of who is picked, where they can go; with nobody picked the end of the phase."""
    own = [token for token in by_name(state.field.of_side(state.side)) if commands(viewer, token) and token.standing]
    able = tuple(token.id for token in own if _acts_now(state, token.id))
    if selection and selection[0] in able:
        return _picked(state, selection[0], selection[1:], BoardLegal(SLUGS, (selection[0],), able, turn=True))
    waiting = [state.name(unit) for unit in forced(state)]
    must = say(_("Still to move: {names}"), names=waiting) if waiting else None
    done = None if waiting else confirm(c.EndPhase(), _("End the movement phase"))
    return BoardLegal(SLUGS, able=able, must=must, confirm=done, turn=True)


def _acts_now(state: FantasyState, piece: str) -> bool:
    return why_not_move(state, piece) is None or (casts(state, piece) and why_not_announce(state, piece) is None)


def _picked(state: FantasyState, piece: str, picks: Selection, found: BoardLegal) -> BoardLegal:
    moves = why_not_move(state, piece) is None
    costs = reach_of(state, piece) if moves else {}
    steps = tuple(_steps(state, piece, costs))
    to = next((step.hex for step in steps if step.hex in picks and step.why_not is None), "")
    way = way_to(state, piece, to) if to else None
    acts = tuple(_acts(state, piece))
    chosen = ANNOUNCE if ANNOUNCE in picks and any(act.slug == ANNOUNCE and act.why_not is None for act in acts) else ""
    must = _("This unit has to move.") if piece in state.units and must_move(state, piece) else None
    return found._replace(
        picked=(piece, way.end if way else "", "", *((chosen,) if chosen else ())), steps=steps,
        way=way.hexes if way else (), way_costs=way.costs if way else (), acts=acts, must=must,
        rings=tuple(_rings(state, piece)), confirm=_confirm(state, piece, way, chosen),
    )  # fmt: skip


def _steps(state: FantasyState, piece: str, costs: dict[str, int]) -> Iterator[Step]:
    """Hexes with their cost; those after which it can't fight are marked."""
    at = state.at(piece)
    for one, cost in costs.items():
        if one == at:
            continue
        far = piece in state.units and _far(state, piece, one, cost)
        yield Step(one, cost, "effort" if far else "reach", why_not_end(state, piece, one, cost))


def _far(state: FantasyState, piece: str, at: str, cost: int) -> bool:
    own = state.units[piece].own
    if cost <= own.move:
        return False
    way = way_to(state, piece, at)
    return way is not None and goes_far(state, piece, way)


def _acts(state: FantasyState, piece: str) -> Iterator[Act]:
    if casts(state, piece):
        yield Act(ANNOUNCE, _("Announce a spell"), "spell", why_not=why_not_announce(state, piece))


def _rings(state: FantasyState, piece: str) -> Iterator[Ring]:
    if is_undead(state, piece) and state.standing(state.units[piece].master):
        master = state.at(state.units[piece].master)
        yield Ring("leash", _("As far as their master"), state.field.ground.within(master, LEASH))


def _confirm(state: FantasyState, piece: str, way: Way | None, chosen: str) -> Confirm | None:
    name = state.name(piece)
    if chosen:
        return confirm(c.AnnounceSpell(piece), say(_("{unit} announces a spell"), unit=name))
    if way is None:
        return None
    note = _("It doesn’t fight this turn.") if piece in state.units and goes_far(state, piece, way) else ""
    return confirm(c.MovePiece(piece, way.hexes[1:]), say(_("{unit} to {hex}"), unit=name, hex=way.end), note=note)
