"""Services for sides that the engine plays: assign them, and give their orders."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import transaction

from battles.forecast.single_flight import Unanswered
from battles.models import ENGINE, TOGETHER, Battle
from battles.opponents.queries import (
    NOT_HERE,
    Counsel,
    SideHead,
    check_leaning,
    counsel,
    is_over,
    list_engine_sides,
    list_sides,
    seed_of,
)
from battles.opponents.turn_services import write_heads
from battles.play import battle_state as play_battle_state
from battles.play.record_services import carry_out, notify, refuse_stale, take
from battles.queries import get_viewer
from core import text
from kingdom.access.decorators import gm_only, internal
from kingdom.access.queries import require_gm
from kingdom.models import User
from rules.core.errors import Refusal, demand, refuse, require
from rules.core.odds import Proposal
from rules.core.text import Said, _
from rules.law import Viewer

THINKING = _("The computer is still choosing its orders. Try again in a moment.")


@dataclass(frozen=True, slots=True)
class GivenByEngine:
    """Result of giving the engine's orders. `state`: the battle's present state; `refused`: why armies keep what they
    had, by id.
    """

    battle: Battle
    state: Any
    given: tuple[str, ...]
    refused: Mapping[str, Said]


@gm_only
@transaction.atomic
def set_head(*, by: User, battle_id: UUID | str, side: int, leaning: str, left: bool = False) -> Battle:
    """Lets the engine command this side with this leaning, or people with "" (GM).

    `left`: its orders are given when the GM resolves, or its turns are played as they come; otherwise they are only
    proposed. Orders already given stay.
    """
    battle = take(by, battle_id)
    require_gm(by, battle.campaign)
    state = play_battle_state.load_state(battle)
    require(play_battle_state.get_engine(battle).forecast.commands, NOT_HERE)
    require(not is_over(battle, state), _("The battle is over: sides can’t be assigned any more."))
    demand(0 <= side < len(list_sides(battle, state)), _("This side isn’t in this battle."), field="/side")
    if leaning:
        check_leaning(leaning, "/leaning")
    others = {key: told for key, told in battle.opponents.items() if key != str(side)}
    paused = {"paused": True} if left and any(told.get("paused") for told in battle.opponents.values()) else {}
    told = {str(side): {"leaning": leaning, "left": left, **paused}} if leaning else {}
    write_heads(battle, state, {**others, **told})
    return battle


@gm_only
@transaction.atomic
def give_proposed(*, by: User, battle_id: UUID | str, version: int, side: int) -> GivenByEngine:
    """Gives a side the engine's present proposals, all together (GM). Raises `IllegalCommand` while they are being
    calculated.
    """
    battle = take(by, battle_id)
    state = play_battle_state.load_state(battle)
    viewer = get_viewer(by, battle, state)
    if not viewer.gm:
        raise PermissionDenied
    refuse_stale(battle, version)
    heads = [head for head in list_engine_sides(battle, state) if head.side == side]
    require(heads, _("The computer doesn’t command this side, so it can’t give its orders."))
    mark = {TOGETHER: battle.version}
    done = _give(battle, state, heads, by=by, viewer=viewer, mark=mark)
    if done.given:
        notify(battle)
    return done


@internal
def give_what_is_left(
    battle: Battle, state: Any, *, by: User, viewer: Viewer, together: int | None = None
) -> tuple[Any, Mapping[str, Any] | None]:
    """Gives the orders of sides that are left to the engine. Called when the GM resolves.

    Returns the new state, and the mark that these orders share with the command that follows, None where none was
    given. Orders that are not legal are dropped. `together`: number of the mark, where other commands have it already.
    """
    heads = [head for head in list_engine_sides(battle, state) if head.left]
    if not heads:
        return state, None
    mark = {TOGETHER: battle.version if together is None else together}
    done = _give(battle, state, heads, by=by, viewer=viewer, mark=mark)
    return done.state, mark if done.given else None


def _give(
    battle: Battle, state: Any, heads: Iterable[SideHead], *, by: User, viewer: Viewer, mark: Mapping[str, Any]
) -> GivenByEngine:
    heads = tuple(heads)
    given: list[str] = []
    refused: dict[str, Said] = {}
    found = _known(battle, state, heads)
    told = {head.side: {"leaning": head.leaning, "seed": seed_of(battle, state, head.side)} for head in heads}
    for head in heads:
        for proposal in found[head.side]:
            beside = {**mark, ENGINE: {**told[head.side], "why": text.dump_said(proposal.why)}}
            try:
                state = _carried(battle, state, proposal, by=by, viewer=viewer, told=beside)
            except Refusal as refusal:
                refused[proposal.army] = refusal.message
            else:
                given.append(proposal.army)
    return GivenByEngine(battle, state, tuple(given), refused)


def _carried(
    battle: Battle, state: Any, proposal: Proposal, *, by: User, viewer: Viewer, told: Mapping[str, Any]
) -> Any:
    return carry_out(battle, state, by=by, viewer=viewer, command=proposal.command, told=told, quiet=True).state


def _known(battle: Battle, state: Any, heads: tuple[SideHead, ...]) -> Counsel:
    """The engine's proposals. Mostly they are ready, since the GM's page asks for them from the beginning of the phase.

    The battle is locked, so it waits only a moment; then it raises `IllegalCommand`.
    """
    try:
        found = counsel(battle, state, heads)
    except Unanswered:
        found = None
    if found is None:
        refuse(THINKING)
    return found
