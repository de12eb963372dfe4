"""Services for sides that the computer plays: assign them, give their orders, play their turns, pause and resume."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from concurrent.futures import wait
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import OperationalError, transaction

from battles.forecast.computation import answer_of
from battles.forecast.single_flight import Unanswered, flights
from battles.models import ENGINE, TOGETHER, Battle
from battles.opponents.queries import (
    NOT_HERE,
    Counsel,
    SideHead,
    call_engine,
    check_leaning,
    counsel,
    due_head,
    is_over,
    list_engine_sides,
    list_sides,
    seed_of,
    task_of,
)
from battles.play import battle_state as play_battle_state
from battles.play.event_log import read_standing
from battles.play.record_services import carry_out, notify, refuse_stale, take
from battles.queries import get_viewer, viewer_at_head
from battles.webhook_events import tell_of_turn
from core import live as live_notify
from core import text
from core.queries import find_one
from kingdom.access.decorators import gm_only, internal
from kingdom.access.queries import require_gm
from kingdom.models import User
from rules.core.errors import IllegalCommand, Refusal, demand, refuse, require
from rules.core.odds import Proposal
from rules.core.text import Said, _
from rules.law import Viewer

# Turns of sides that the computer plays command by command: play, pause, resume.
#
# A move is calculated without a lock and carried out only if the battle is still at the same version, so two workers
# never play the same turn twice. A turn that cannot be played pauses the computer player and stores why.

log = logging.getLogger(__name__)
PATIENCE = 30.0  # most seconds a worker waits for one move; a slower one is asked for again later
NO_MOVE = _("The computer found no move for this side. Move for it, or let players command it.")
BROKE_DOWN = _("The computer failed while looking for a move. Move for this side, or let players command it.")
NOT_ALLOWED = _("The computer chose a command this side can’t give. Move for this side, or let players command it.")
NOT_BY_TURNS = _("The computer doesn’t play a side of this battle on its own.")


@dataclass(frozen=True, slots=True)
class WeighedMove:
    """A move, and the battle for which it was calculated."""

    battle: Battle
    head: SideHead
    proposal: Proposal | None


@internal
def play_turn(battle_id: UUID) -> bool:
    """Plays the next command of the side that the computer plays. Returns False if none is due, or the battle has moved
    on.
    """
    battle = find_one(Battle.with_branches.filter(pk=battle_id, campaign__deleted_at=None).select_related("campaign"))
    if battle is None:
        return False
    head = due_head(battle, play_battle_state.load_state(battle))
    if head is None:
        return False
    try:
        weighed = WeighedMove(battle, head, _weigh(battle, head))
    except Unanswered:
        return False  # `look_after` asks again
    except Refusal as refusal:
        return _stop(battle, refusal.message)
    except OperationalError:
        raise  # temporary, as below
    except Exception:
        log.exception("The computer player broke down: battle %s", battle.pk)
        return _stop(battle, BROKE_DOWN)
    return _played(weighed)


def _weigh(battle: Battle, head: SideHead) -> Proposal | None:
    task = task_of(battle, play_battle_state.load_state(battle), head)
    futures = flights.ask([task], f"turn {battle.pk}")
    if wait(futures, PATIENCE).not_done:
        raise Unanswered
    return next(iter(answer_of(futures[0])), None)


@transaction.atomic
def _played(weighed: WeighedMove) -> bool:
    battle = _locked(weighed.battle)
    if battle is None:
        return False
    if weighed.proposal is None:
        return _paused_because(battle, NO_MOVE)
    try:
        with transaction.atomic():
            _carry_out(battle, weighed.head, weighed.proposal)
    except Refusal as refusal:
        return _paused_because(_as_it_was(battle), refusal.message)
    except OperationalError:
        raise  # temporary: `look_after` asks again
    except Exception:
        log.exception("The command of the computer player broke down: battle %s", battle.pk)
        return _paused_because(_as_it_was(battle), BROKE_DOWN)
    return True


def _locked(seen: Battle) -> Battle | None:
    """Lock the battle and return it; None if its version or commander has changed, or its campaign is deleted."""
    rows = (
        Battle.with_branches.select_for_update(of=("self",))
        .filter(campaign__deleted_at=None)
        .select_related("campaign")
    )
    return find_one(rows.filter(pk=seen.pk, version=seen.version, opponents=seen.opponents))


def _as_it_was(battle: Battle) -> Battle:
    """The battle read again. Its failed transaction was rolled back in the database, but not in the object."""
    return Battle.with_branches.select_related("campaign").get(pk=battle.pk)


def _carry_out(battle: Battle, head: SideHead, proposal: Proposal) -> None:
    state = play_battle_state.load_state(battle)
    viewer = viewer_at_head(battle, state, head.side)
    if not play_battle_state.get_engine(battle).allows(state, proposal.command, viewer):
        raise IllegalCommand(NOT_ALLOWED)
    told = {
        "side": head.side,
        "leaning": head.leaning,
        "seed": seed_of(battle, state, head.side),
        "why": text.dump_said(proposal.why),
    }
    mark = {TOGETHER: _mark(battle, head.side), ENGINE: told}
    carry_out(battle, state, by=None, viewer=viewer, command=proposal.command, told=mark)


def _mark(battle: Battle, side: int) -> int:
    """The mark that the commands of one turn share, so that they are undone together."""
    last = next(read_standing(battle, 1), None)
    own = last is not None and last.by_engine and last.command[ENGINE].get("side") == side
    return last.together or battle.version if own and last else battle.version


@transaction.atomic
def _stop(seen: Battle, why: Said) -> bool:
    battle = _locked(seen)
    return battle is not None and _paused_because(battle, why)


def _paused_because(battle: Battle, why: Said) -> bool:
    write_heads(battle, play_battle_state.load_state(battle), _with_pause(battle, paused=True, why=why))
    return False


@gm_only
@transaction.atomic
def pause_engine(*, by: User, battle_id: UUID | str, paused: bool) -> Battle:
    """Pauses the computer player in this battle, or lets it go on (GM). Raises `IllegalCommand` if it plays no
    turns.
    """
    battle = take(by, battle_id)
    require_gm(by, battle.campaign)
    state = play_battle_state.load_state(battle)
    require(play_battle_state.get_engine(battle).forecast.by_turns, NOT_HERE)
    require(any(head.left for head in list_engine_sides(battle, state)), NOT_BY_TURNS)
    write_heads(battle, state, _with_pause(battle, paused=paused))
    return battle


@internal
def hold_engine(battle: Battle, state: Any) -> None:
    """Pauses the computer player after an undo that makes its turn due again: it would play the turn at once."""
    if play_battle_state.engine_turns(battle, state):
        battle.opponents = _with_pause(battle, paused=True)
        battle.save(update_fields=["opponents"])


@internal
def write_heads(battle: Battle, state: Any, heads: Mapping[str, Any]) -> None:
    """Stores who commands each side, and tells lists, webhooks, open pages and the computer player whose turn it is."""
    before = battle.state
    battle.opponents = heads
    battle.state = play_battle_state.summarize_for_lists(battle, state)
    battle.save(update_fields=["opponents", "state"])
    tell_of_turn(battle, before)
    call_engine(battle, state)
    live_notify.notify(battle.pk, battle.version, beside=None if battle.is_branch else battle.campaign_id)


def _with_pause(battle: Battle, *, paused: bool, why: Said | None = None) -> dict[str, Mapping[str, Any]]:
    """`Battle.opponents` with every side that the computer plays paused or not. `why`: the trouble, unless the GM
    paused it.
    """
    told = {"paused": True, **({"trouble": text.dump_said(why)} if why else {})} if paused else {}
    return {
        side: {name: value for name, value in head.items() if name not in ("paused", "trouble")}
        | (told if head.get("left") else {})
        for side, head in battle.opponents.items()
    }


# Services for sides that the computer plays: assign them, and give their orders.

THINKING = _("The computer is still choosing its orders. Try again in a moment.")


@dataclass(frozen=True, slots=True)
class GivenByEngine:
    """Result of giving the computer's orders. `state`: the battle's present state; `refused`: why armies keep what they
    had, by id.
    """

    battle: Battle
    state: Any
    given: tuple[str, ...]
    refused: Mapping[str, Said]


@gm_only
@transaction.atomic
def set_head(*, by: User, battle_id: UUID | str, side: int, leaning: str, left: bool = False) -> Battle:
    """Lets the computer command this side with this leaning, or people with "" (GM).

    `left`: its orders are given when the GM resolves, or its turns are played as they come; otherwise they are only
    proposed. Orders already given stay. Raises `InvalidInput` for an unknown side or leaning, `IllegalCommand` after
    the battle or if the ruleset has no computer player.
    """
    battle = take(by, battle_id)
    require_gm(by, battle.campaign)
    state = play_battle_state.load_state(battle)
    require(play_battle_state.get_engine(battle).forecast.commands, NOT_HERE)
    require(not is_over(battle, state), _("The battle is over. Sides can’t be assigned anymore."))
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
    """Gives a side the computer's present proposals, all together (GM). Raises `IllegalCommand` while they are being
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
    """Gives the orders of sides that are left to the computer. Called when the GM resolves.

    Returns the new state, and the mark that these orders share with the command that follows, None if none was given.
    Orders that are not legal are dropped. `together`: number of the mark, where other commands have it already.
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
    """Return the computer's proposals. They are usually ready, because the GM's page requests them from the beginning
    of the phase.

    The battle is locked, so this waits only a moment, then raises `IllegalCommand`.
    """
    try:
        found = counsel(battle, state, heads)
    except Unanswered:
        found = None
    if found is None:
        refuse(THINKING)
    return found
