"""Legal commands of the movement phase: reach with costs, reasons why not, and announcing spells."""

from __future__ import annotations

from collections.abc import Iterator

from rules.battle_law import Selection
from rules.core.errors import Refusal
from rules.core.text import Said, _, say
from rules.core.viewers import Viewer
from rules.hexbattle.board import Act, BoardLegal, Confirm, Ring, Step
from rules.hexbattle.choosing import LaidWay, own_way, way_act
from rules.hexbattle.field import by_name, commands
from rules.hexbattle.moving import Way
from rules.thucidide_fantasy.battle.legal.pieces import dangers, ending, facts_of
from rules.thucidide_fantasy.battle.marching_orders import may_set_down, must_move, way_of, why_not_end, why_not_move
from rules.thucidide_fantasy.battle.paces import goes_far, laid_way, reach_of, way_to
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.battle.record.state import FantasyState
from rules.thucidide_fantasy.battle.situation import flies, is_undead
from rules.thucidide_fantasy.battle.spells.spell_effects import casts, why_not_announce
from rules.thucidide_fantasy.battle.turn import forced
from rules.thucidide_fantasy.grimoire import LEASH
from rules.thucidide_fantasy.spec import INFANTRY

SLUGS = ("move", "announce", "end_phase")
ANNOUNCE, STAY, CARRY, DOWN = "announce", "stay:", "carry:", "down:"


def legal_movement(state: FantasyState, viewer: Viewer, selection: Selection) -> BoardLegal:
    """Where the picked unit or character can go; with nothing picked, the end of the phase."""
    own = [token for token in by_name(state.field.of_side(state.side)) if commands(viewer, token) and token.standing]
    able = tuple(token.id for token in own if _acts_now(state, token.id))
    if selection and selection[0] in able:
        return _picked(state, selection[0], selection[1:], BoardLegal(SLUGS, (selection[0],), able, turn=True))
    waiting = [state.name_in_side(unit) for unit in forced(state)]
    must = say(_("Still to move: {names}"), names=waiting) if waiting else None
    done = None if waiting else ending(state, viewer, _("End the movement phase"), able)
    return BoardLegal(SLUGS, able=able, must=must, confirm=done, turn=True)


def _acts_now(state: FantasyState, piece: str) -> bool:
    return why_not_move(state, piece) is None or (casts(state, piece) and why_not_announce(state, piece) is None)


def _picked(state: FantasyState, piece: str, picks: Selection, found: BoardLegal) -> BoardLegal:
    moves = why_not_move(state, piece) is None
    costs = reach_of(state, piece) if moves else {}
    own = own_way(picks) if len(costs) > 1 else None
    laid = laid_way(state, piece, own) if own is not None else None
    steps = tuple(_onward(state, piece, laid) if laid else _steps(state, piece, costs))
    to = next((step.hex for step in steps if step.hex in picks and step.why_not is None), "")
    way = way_to(state, piece, to) if to else None
    if laid:
        way = laid.way if laid.hexes else None
    choice = (way_act(way, laid is not None),) if len(costs) > 1 else ()
    acts = (*_acts(state, piece), *choice, *_staying(state, piece), *_loads(state, piece, way, picks))
    open_ = {act.slug for act in acts if act.why_not is None}
    chosen = tuple(slug for slug in dict.fromkeys((*picks, laid.slug) if laid else picks) if slug in open_)
    if ANNOUNCE in chosen:
        chosen, way = (ANNOUNCE,), None
    must = _("This unit has to move.") if piece in state.units and must_move(state, piece) else None
    return found._replace(
        picked=(piece, way.end if way else "", "", *chosen), steps=steps,
        way=way.hexes if way else (), way_costs=way.costs if way else (), acts=acts, must=must,
        threats=dangers(state, piece, way.end) if way else (), rings=tuple(_rings(state, piece)),
        facts=facts_of(state, piece), confirm=_confirm(state, piece, way, chosen),
    )  # fmt: skip


def _steps(state: FantasyState, piece: str, costs: dict[str, int]) -> Iterator[Step]:
    """Hexes in reach with their cost; those too far to fight afterwards are marked "effort"."""
    at = state.at(piece)
    for one, cost in costs.items():
        if one == at:
            continue
        far = piece in state.units and _far(state, piece, one, cost)
        yield Step(one, cost, "effort" if far else "reach", why_not_end(state, piece, one, cost))


def _onward(state: FantasyState, piece: str, laid: LaidWay) -> Iterator[Step]:
    """The hexes of a path laid by hand, and the possible next ones (HX-3.3)."""
    gone = laid.way.hexes
    for one, cost in laid.steps.items():
        hexes = gone[: gone.index(one) + 1] if one in gone else (*gone, one)
        far = piece in state.units and goes_far(state, piece, Way(hexes, (cost,)))
        yield Step(one, cost, "effort" if far else "reach")


def _far(state: FantasyState, piece: str, at: str, cost: int) -> bool:
    own = state.units[piece].own
    if cost <= own.move:
        return False
    way = way_to(state, piece, at)
    return way is not None and goes_far(state, piece, way)


def _acts(state: FantasyState, piece: str) -> Iterator[Act]:
    if casts(state, piece):
        yield Act(ANNOUNCE, _("Announce a spell"), "g-swirl", why_not=why_not_announce(state, piece))


def _staying(state: FantasyState, piece: str) -> Iterator[Act]:
    """A choice to stay behind for each character who would go along with the unit."""
    if piece not in state.units:
        return
    for one in state.people_at(state.at(piece)):
        if not state.doing(one).announced:
            yield Act(f"{STAY}{one}", say(_("{unit}: no move"), unit=state.name_in_side(one)), beside=True)


def _loads(state: FantasyState, piece: str, way: Way | None, picks: Selection) -> Iterator[Act]:
    """The infantry beside a flyer that it may carry, and where it may be set down (T-89)."""
    if piece not in state.units or not flies(state, piece):
        return
    ground, side = state.field.ground, state.side_of(piece)
    loads = [unit for at in ground.around(state.at(piece)) if (unit := _foot_at(state, at, side))]
    load = next((unit for unit in loads if f"{CARRY}{unit}" in picks), "")
    for unit in loads:
        yield Act(f"{CARRY}{unit}", say(_("Carry {unit}"), unit=state.name_in_side(unit)), beside=True)
    if way is None or not load:
        return
    for at in ground.around(way.end):
        if may_set_down(state, piece, way.end, load, at):
            yield Act(f"{DOWN}{at}", say(_("unloads it on {hex}"), hex=at), beside=True)


def _foot_at(state: FantasyState, at: str, side: int) -> str:
    unit = state.unit_at(at)
    fits = unit and state.side_of(unit) == side and state.units[unit].own.kind == INFANTRY
    stands = fits and not flies(state, unit) and not state.doing(unit).stirred and not state.units[unit].turner
    return unit if stands else ""


def _rings(state: FantasyState, piece: str) -> Iterator[Ring]:
    """The leash around the master of the picked undead, or around the picked master."""
    master = state.units[piece].master if piece in state.units and is_undead(state, piece) else piece
    has_undead = any(state.units[unit].master == master for unit in state.units_of(state.side_of(piece)))
    if master in state.people and has_undead and state.standing(master):
        yield Ring("leash", _("Distance from the undead’s master"), state.field.ground.within(state.at(master), LEASH))


def _confirm(state: FantasyState, piece: str, way: Way | None, chosen: tuple[str, ...]) -> Confirm | None:
    name = state.name_in_side(piece)
    if ANNOUNCE in chosen:
        return Confirm(
            c.AnnounceSpell(piece), say(_("{unit}: spell announced"), unit=name), _("Announce a spell"), icon="g-swirl"
        )
    if way is None:
        return None
    note = _("This unit can’t fight this turn.") if piece in state.units and goes_far(state, piece, way) else ""
    stay = tuple(slug.removeprefix(STAY) for slug in chosen if slug.startswith(STAY))
    load = next((slug.removeprefix(CARRY) for slug in chosen if slug.startswith(CARRY)), "")
    down = next((slug.removeprefix(DOWN) for slug in chosen if slug.startswith(DOWN)), "")
    carry = c.CarryLoad(load, down) if load and down else None
    title = say(_("{unit} to {hex}"), unit=name, hex=way.end)
    if carry:
        title = say(_("{unit} to {hex}, carrying {load} to {down}"), unit=name, hex=way.end,
                    load=state.name_in_side(load), down=down)  # fmt: skip
    command = c.MovePiece(piece, way.hexes[1:], carry=carry, stay=stay)
    why_not = _refused(state, command) if own_way(chosen) else None
    why_not = _("Choose where to unload.") if load and not down else why_not
    return Confirm(command, title, say(_("Move to {hex}"), hex=way.end), note, why_not=why_not, icon="g-move")


def _refused(state: FantasyState, command: c.MovePiece) -> Said | None:
    """Why the laid path can't be taken or may not end there; None if it can."""
    try:
        way = way_of(state, command.unit, command)
    except Refusal as refusal:
        return refusal.message
    return why_not_end(state, command.unit, way.end, way.cost)
