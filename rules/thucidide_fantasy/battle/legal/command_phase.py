"""Legal commands of the command phase: whom a leader may activate, orders with their cost."""

from __future__ import annotations

from collections.abc import Iterator

from rules.battle_law import Selection
from rules.core.text import Said, _, by_number, say
from rules.core.viewers import Viewer
from rules.hexbattle.board import Act, BoardLegal, Confirm, Ring, Step
from rules.hexbattle.setup import Place
from rules.hexbattle.tokens import by_name, commands
from rules.thucidide_fantasy.battle import activation, manoeuvres
from rules.thucidide_fantasy.battle.legal.dangers import facts_of
from rules.thucidide_fantasy.battle.legal.pieces import confirm
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.battle.record.state import FantasyState
from rules.thucidide_fantasy.battle.setup import may_stand
from rules.thucidide_fantasy.starter import ORDERS

SLUGS = ("order", "activate", "end_phase")
WITH, ORDER, HEXES = "with:", "order:", "hexes:"
COSTS = by_number("{count} counter", "{count} counters")
LEFT = by_number("{count} activation of {units} left.", "{count} activations of {units} left.")


def legal_command(state: FantasyState, viewer: Viewer, selection: Selection) -> BoardLegal:
    """Of a leader that is picked, whom they may activate (`with:<id>`); of any unit the orders for it; with nothing
    picked the end of the phase.
    """
    own = [token for token in by_name(state.field.of_side(state.side)) if commands(viewer, token)]
    arriving = [token for token in own if token.waiting]
    able = tuple(token.id for token in own if token.standing and _does(state, token.id)) + tuple(t.id for t in arriving)
    slugs = (*SLUGS, *(("place",) if arriving else ()))
    picked = selection[0] if selection else ""
    if picked in {token.id for token in arriving}:
        return _entering(state, picked, selection, BoardLegal(slugs, (picked,), able, turn=True))
    if picked in {token.id for token in own if token.standing}:
        return _picked(state, picked, selection, BoardLegal(slugs, (picked,), able, turn=True))
    acts = tuple(_orders(state, ""))
    chosen = next((act for act in acts if act.slug in selection and act.why_not is None), None)
    done = (
        confirm(_order(chosen.slug, ""), chosen.label) if chosen else confirm(c.EndPhase(), _("End the command phase"))
    )
    return BoardLegal(
        slugs, (chosen.slug,) if chosen else (), able, acts=acts, must=_left(state), confirm=done, turn=True
    )


def _left(state: FantasyState) -> Said:
    left = activation.activations_left(state)
    return say(LEFT, count=left, units=activation.share_of(state))


def _does(state: FantasyState, piece: str) -> bool:
    """A leader who may still lead, somebody who may be activated without one."""
    if piece in state.people:
        return activation.why_not_lead(state, piece) is None or activation.why_not_activate(state, piece) is None
    alone = next(activation.leaders(state, state.side), None) is None
    return alone and bool(activation.activations_left(state)) and activation.why_not_activate(state, piece) is None


def _picked(state: FantasyState, piece: str, selection: Selection, found: BoardLegal) -> BoardLegal:
    acts = [*_members(state, piece), *_orders(state, piece)]
    given = tuple(pick for pick in selection[1:] if pick.startswith((WITH, ORDER, HEXES)))
    known = {act.slug for act in acts if act.why_not is None}
    picks = tuple(pick for pick in given if pick in known or pick.startswith(HEXES))
    return found._replace(
        picked=(piece, *picks),
        facts=facts_of(state, piece),
        acts=tuple(acts),
        rings=tuple(_rings(state, piece)),
        confirm=_confirm(state, piece, picks),
    )


def _members(state: FantasyState, piece: str) -> Iterator[Act]:
    """Whom the leader may activate, each with the reason why not."""
    if activation.why_not_lead(state, piece) is not None or not activation.activations_left(state):
        return
    for unit in state.units_of(state.side):
        name = state.name(unit)
        why = activation.why_not_activate(state, unit)
        if why is None and not activation.in_range(state, piece, unit):
            why = say(activation.TOO_FAR, unit=name, reach=activation.reach_of_leader(state, piece))
        yield Act(f"{WITH}{unit}", say(_("Activate {unit}"), unit=name), "activate", why_not=why)


def _rings(state: FantasyState, piece: str) -> Iterator[Ring]:
    if piece in state.people and state.people[piece].rank:
        reach = activation.reach_of_leader(state, piece)
        yield Ring("command", _("Command range"), state.field.ground.within(state.at(piece), reach))


def _orders(state: FantasyState, piece: str) -> Iterator[Act]:
    """The orders for this unit or leader, or for nobody, with their cost."""
    for kind, item in ORDERS.items():
        if _for(state, kind, piece):
            cost = manoeuvres.cost_of(kind)
            why = manoeuvres.why_not_order(state, kind) or manoeuvres.why_not_for(state, kind, piece)
            had = state.counters[state.side]
            if why is None and cost > had:
                why = say(manoeuvres.TOO_DEAR, cost=cost, counters=had)
            yield Act(f"{ORDER}{kind}", item.name, "order", say(COSTS, count=cost), why)


def _for(state: FantasyState, kind: str, piece: str) -> bool:
    if kind in manoeuvres.OF_UNITS:
        return piece in state.units
    if kind in manoeuvres.OF_LEADERS:
        return piece in state.people and bool(state.people[piece].rank)
    return not piece


def _order(slug: str, piece: str, hexes: int = 1) -> c.GiveOrder:
    kind = slug.removeprefix(ORDER)
    if kind in manoeuvres.OF_UNITS:
        return c.GiveOrder(kind, piece, hexes=hexes)
    return c.GiveOrder(kind, leader=piece if kind in manoeuvres.OF_LEADERS else "")


def _confirm(state: FantasyState, piece: str, picks: tuple[str, ...]) -> Confirm | None:
    chosen = next((pick for pick in picks if pick.startswith(ORDER)), "")
    if chosen:
        hexes = next((int(pick.removeprefix(HEXES)) for pick in picks if pick.removeprefix(HEXES).isdecimal()), 1)
        return confirm(_order(chosen, piece, hexes), ORDERS[chosen.removeprefix(ORDER)].name)
    units = tuple(pick.removeprefix(WITH) for pick in picks if pick.startswith(WITH))
    name = state.name(piece)
    if len(units) > state.share:
        return None
    if units:
        names = [state.name(unit) for unit in units]
        return confirm(c.ActivateUnits(piece, units), say(_("{leader} activates {units}"), leader=name, units=names))
    if activation.why_not_activate(state, piece) is not None:
        return None
    if piece in state.units:
        lone = next(activation.leaders(state, state.side), None) is None
        return confirm(c.ActivateUnits(None, (piece,)), say(_("Activate {unit}"), unit=name)) if lone else None
    if not activation.free_left(state):
        return None
    return confirm(c.ActivateUnits(None, (), (piece,)), say(_("Activate {unit}"), unit=name))


def _entering(state: FantasyState, piece: str, selection: Selection, found: BoardLegal) -> BoardLegal:
    """A reinforcement enters on its base line (T-97)."""
    token = state.token(piece)
    line = state.field.ground.home_edge(token.side)
    steps = tuple(Step(at, 0, "place") for at in line if may_stand(state.field, token, at))
    at = next((step.hex for step in steps if step.hex in selection[1:]), "")
    if not at:
        return found._replace(steps=steps)
    done = confirm(Place(piece, at), say(_("{unit} to {hex}"), unit=token.name, hex=at))
    return found._replace(steps=steps, picked=(piece, at), confirm=done)
