"""Legal commands of the command phase: activations by a leader, and orders with their costs."""

from __future__ import annotations

from collections.abc import Iterator

from rules.battle_law import Selection
from rules.core.text import Said, _, by_number, say
from rules.core.viewers import Viewer
from rules.hexbattle.board import Act, BoardLegal, Confirm, Ring, Step, Target
from rules.hexbattle.field import by_name, commands
from rules.hexbattle.ground import apart
from rules.hexbattle.setup import Place
from rules.thucidide_fantasy.battle import activation
from rules.thucidide_fantasy.battle.legal.pieces import confirm, ending, facts_of
from rules.thucidide_fantasy.battle.paces import may_stand
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.battle.record.state import FantasyState
from rules.thucidide_fantasy.battle.situation import alone
from rules.thucidide_fantasy.starter import ORDERS

SLUGS = ("order", "activate", "end_phase")
WITH, ORDER, HEXES = "with:", "order:", "hexes:"
COSTS = by_number("{count} counter", "{count} counters")
FAR = by_number("{count} hex from the leader", "{count} hexes from the leader")
LEFT = by_number(
    "{count} activation left (up to {units} units).", "{count} activations left (up to {units} units each)."
)
FREE = by_number("{count} lone character is activated for free.", "{count} lone characters are activated for free.")
WOODS = by_number("{count} difficult hex", "{count} difficult hexes")
CHOOSE = _("Choose a leader, or end the phase")
WHOM = _("{leader}: choose units to activate, up to {count}")


def legal_command(state: FantasyState, viewer: Viewer, selection: Selection) -> BoardLegal:
    """The choices of the command phase.

    For a picked leader, the units they may activate (`with:<id>`, several); for any picked unit, its orders; with
    nothing picked, the side's orders and the end of the phase.
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
    if chosen:
        done = confirm(given_order(chosen.slug, ""), chosen.label)
    else:
        done = ending(state, viewer, _("End the command phase"), able, CHOOSE)
    stands = ("", "", "", chosen.slug) if chosen else ()
    return BoardLegal(slugs, stands, able, acts=acts, must=_left(state), confirm=done, turn=True)


def _left(state: FantasyState) -> Said:
    count = activation.activations_left(state)
    left: Said = say(LEFT, count=count, units=activation.share_of(state)) if count else _("No activations left.")
    free = activation.free_left(state)
    return say(_("{activations} {free}"), activations=left, free=say(FREE, count=free)) if free else left


def _does(state: FantasyState, piece: str) -> bool:
    """Whether the piece can do something: a leader who may still lead, or one that needs no leader to be activated."""
    if piece in state.people:
        leads = activation.why_not_lead(state, piece) is None and activation.activations_left(state)
        return bool(leads) or _free(state, piece)
    return _unled(state) and activation.why_not_activate(state, piece) is None


def _unled(state: FantasyState) -> bool:
    """Whether nobody can lead, so that one unit or character is activated without a leader (T-20)."""
    return next(activation.leaders(state, state.side), None) is None and bool(activation.activations_left(state))


def _free(state: FantasyState, person: str) -> bool:
    """Whether a character may be activated without a leader: for free, or in a unit's place where nobody can lead."""
    places = activation.free_left(state) or _unled(state)
    return bool(places) and activation.why_not_activate(state, person) is None


# A picked unit or character


def _picked(state: FantasyState, piece: str, selection: Selection, found: BoardLegal) -> BoardLegal:
    given = selection[1:]
    orders = tuple(_orders(state, piece))
    order = next((act.slug for act in orders if act.slug in given and act.why_not is None), "")
    woods = _woods(state, order) if order else ()
    hexes = max((act.slug for act in woods if act.slug in given), default="")
    members = tuple(_members(state, piece, given))
    among = () if order else tuple(one.pick for one in members if one.why_not is None and one.pick in given)
    picks = tuple(slug for slug in (order, hexes, *among) if slug)
    leads = bool(members)
    must = say(WHOM, leader=state.name_in_side(piece), count=activation.share_of(state)) if leads else None
    return found._replace(
        picked=(piece, "", "", *picks), targets=members, facts=facts_of(state, piece),
        acts=(*orders, *woods), must=must,
        rings=tuple(_rings(state, piece)), confirm=_confirm(state, piece, order, hexes, among),
    )  # fmt: skip


def _members(state: FantasyState, piece: str, given: Selection) -> Iterator[Target]:
    """The units a leader may activate, each with its price or the reason why not. Lone characters are included."""
    if activation.why_not_lead(state, piece) is not None or not activation.activations_left(state):
        return
    share, free = activation.share_of(state), activation.free_left(state)
    people = [one for one in state.people_of(state.side) if alone(state, one) and one != piece]
    picked = [one for one in (*state.units_of(state.side), *people) if f"{WITH}{one}" in given]
    paid = _places(state, picked, free)
    for one in (*state.units_of(state.side), *people):
        why = activation.why_not_activate(state, one)
        if why is None and one in state.units and not activation.in_range(state, piece, one):
            why = say(activation.TOO_FAR, unit=state.name_in_side(one), reach=activation.reach_of_leader(state, piece))
        others = [other for other in picked if other != one]
        more = _places(state, [*others, one], free) - _places(state, others, free)
        if why is None and one not in picked and paid + more > share:
            why = say(activation.TOO_MANY, count=share)
        far = say(FAR, count=apart(state.at(piece), state.at(one)))
        name = state.name_in_side(one)
        yield Target(
            one, state.at(one), name, "activate", sum=(far,), label=say(_("Activate {unit}"), unit=name),
            why_not=why, pick=f"{WITH}{one}", mark=str(more), icon="g-trumpet", adds=True,
        )  # fmt: skip


def _places(state: FantasyState, picked: list[str], free: int) -> int:
    """The places of an activation these take: one per unit, and one per character beyond the free ones."""
    units = sum(one in state.units for one in picked)
    return units + max(0, len(picked) - units - free)


def _rings(state: FantasyState, piece: str) -> Iterator[Ring]:
    if piece in state.people and state.people[piece].rank:
        reach = activation.reach_of_leader(state, piece)
        yield Ring("command", _("Command range"), state.field.ground.within(state.at(piece), reach))


# Orders


def _orders(state: FantasyState, piece: str) -> Iterator[Act]:
    """The orders for this unit or leader, or for the side ("" as piece), with their cost and what they do."""
    for kind, item in ORDERS.items():
        if not _for(state, kind, piece):
            continue
        cost = activation.cost_of(kind)
        why = activation.why_not_order(state, kind)
        why = why or (activation.why_not_for(state, kind, piece) if piece else None)
        had = state.counters[state.side]
        if why is None and cost > had:
            why = say(activation.TOO_DEAR, cost=cost, counters=had)
        note = say(_("{cost}. {does}"), cost=say(COSTS, count=cost), does=item.summary)
        yield Act(f"{ORDER}{kind}", item.name, "g-pin", note, why)


def _woods(state: FantasyState, order: str) -> tuple[Act, ...]:
    """Choices for the number of difficult hexes of a woodsman order, as far as the counters suffice."""
    if order != f"{ORDER}{activation.WOODSMAN}":
        return ()
    most = min(activation.WOODS_MOST, state.counters[state.side] // activation.cost_of(activation.WOODSMAN))
    costs = {hexes: activation.cost_of(activation.WOODSMAN, hexes) for hexes in range(2, most + 1)}
    return tuple(
        Act(f"{HEXES}{hexes}", say(WOODS, count=hexes), note=say(COSTS, count=cost), beside=True)
        for hexes, cost in costs.items()
    )


def _for(state: FantasyState, kind: str, piece: str) -> bool:
    if kind in activation.OF_UNITS:
        return piece in state.units
    if kind in activation.OF_LEADERS:
        return piece in state.people and bool(state.people[piece].rank)
    return not piece


def given_order(slug: str, piece: str, hexes: int = 1) -> c.GiveOrder:
    kind = slug.removeprefix(ORDER)
    if kind in activation.OF_UNITS:
        return c.GiveOrder(kind, piece, hexes=hexes)
    return c.GiveOrder(kind, leader=piece if kind in activation.OF_LEADERS else "")


# The button


def _confirm(state: FantasyState, piece: str, order: str, hexes: str, among: tuple[str, ...]) -> Confirm | None:
    name = state.name_in_side(piece)
    if order:
        label = ORDERS[order.removeprefix(ORDER)].name
        given = given_order(order, piece, int(hexes.removeprefix(HEXES)) if hexes else 1)
        return Confirm(given, say(_("{order}: {unit}"), order=label, unit=name), label)
    chosen = [pick.removeprefix(WITH) for pick in among]
    if chosen:
        units = tuple(one for one in chosen if one in state.units)
        people = tuple(one for one in chosen if one in state.people)
        title = say(_("{leader} activates {units}"), leader=name, units=[state.name_in_side(one) for one in chosen])
        return Confirm(c.ActivateUnits(piece, units, people), title, say(ACTIVATE, count=len(chosen)), icon="g-trumpet")
    if piece in state.units:
        if not _does(state, piece):
            return None
        return confirm(c.ActivateUnits(None, (piece,)), say(_("Activate {unit}"), unit=name))
    if not _free(state, piece):
        return None
    return confirm(c.ActivateUnits(None, (), (piece,)), say(_("Activate {unit}"), unit=name))


ACTIVATE = by_number("Activate {count}", "Activate {count}")


def _entering(state: FantasyState, piece: str, selection: Selection, found: BoardLegal) -> BoardLegal:
    """The choices for a reinforcement entering on its base line (T-97)."""
    token = state.token(piece)
    line = state.field.ground.home_edge(token.side)
    steps = tuple(Step(at, 0, "place") for at in line if may_stand(state, piece, at))
    at = next((step.hex for step in steps if step.hex in selection[1:]), "")
    if not at:
        return found._replace(steps=steps)
    done = confirm(Place(piece, at), say(_("{unit} to {hex}"), unit=state.name_in_side(piece), hex=at))
    return found._replace(steps=steps, picked=(piece, at), confirm=done)
