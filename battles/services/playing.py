"""Playing a command: one door for pages, API and tests."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import transaction

from armies.services.locking import lock_armies
from armies.spec import army_spec
from battles import folding
from battles.models import Battle, BattleRecord
from battles.selectors.access import viewer_of
from battles.services.errors import UnknownArmy
from battles.services.keeping import Recording, append, refuse_stale, take
from battles.services.opening import refuse_busy, uuid_or_none
from kingdom.models import User
from rules.dice import Dice, Typed, TypedDie
from rules.errors import refuse
from rules.pathfinder.battle import engine
from rules.pathfinder.battle.commands import Close, Command, GiveOrder, Reinforce, Reopen, RollAnew, Viewer
from rules.pathfinder.battle.events import Event
from rules.pathfinder.battle.state import Battle as State
from rules.text import _


@dataclass(frozen=True, slots=True)
class Played:
    """A command that was carried out: the battle as it is now, and what happened."""

    battle: Battle
    state: State
    events: tuple[Event, ...]
    record: BattleRecord | None = None


@transaction.atomic
def play(
    *,
    by: User,
    battle_id: UUID | str,
    version: int,
    command: Command,
    typed: Iterable[TypedDie] = (),
    ask: bool = False,
    server: Dice | None = None,
    patient: bool = False,
) -> Played:
    """Carry out a command on the version its sender saw.

    Typed dice carry his name; missing ones are rolled (by `server`), or with `ask` asked for (`DiceNeeded`).
    `patient`: an order still counts when nothing but orders for other armies came in between.
    """
    if isinstance(command, Close | Reopen | RollAnew):
        refuse(_("What comes after a battle is settled with its aftermath."))
    battle = take(by, battle_id)
    state = folding.state_of(battle)
    viewer = viewer_of(by, battle, state)
    _refuse_forbidden(command, viewer, state)
    if not (patient and _only_orders_since(battle, version, command)):
        refuse_stale(battle, version)
    return carry_out(battle, state, by=by, viewer=viewer, command=command, typed=typed, ask=ask, server=server)


def carry_out(
    battle: Battle,
    state: State,
    *,
    by: User,
    viewer: Viewer,
    command: Command,
    typed: Iterable[TypedDie] = (),
    ask: bool = False,
    server: Dice | None = None,
) -> Played:
    """Decide, write down. The battle is locked and permission was asked for."""
    dice = Recording(Typed(typed, by=by.get_username(), ask=ask, server=server))
    events = engine.decide(state, command, dice, viewer)
    after = engine.fold(state, events)
    record = append(battle, by=by, command=command, rolls=dice.rolls, events=events, state=after)
    return Played(battle, after, events, record)


def _refuse_forbidden(command: Command, viewer: Viewer, state: State) -> None:
    """Orders by whoever commands the army; all else by the GM. Raises `PermissionDenied`."""
    if viewer.gm:
        return
    if not (isinstance(command, GiveOrder) and viewer.commands(command.order.army)):
        raise PermissionDenied


def _only_orders_since(battle: Battle, version: int, command: Command) -> bool:
    """Whether the version is older, but since then others only gave orders to other armies."""
    if not isinstance(command, GiveOrder) or version >= battle.version:
        return False
    since = battle.records.filter(version__gt=version, undone=False).values_list("command", flat=True)
    others = [told for told in since if told["is"] == "GiveOrder" and told["order"]["army"] != command.order.army]
    return len(others) == battle.version - version


@transaction.atomic
def reinforce(*, by: User, battle_id: UUID | str, version: int, army_id: str, side: int) -> Played:
    """An army of the campaign joins a side between phases (GM). Its sheet is taken as it is now."""
    battle = take(by, battle_id)
    state = folding.state_of(battle)
    viewer = viewer_of(by, battle, state)
    if not viewer.gm:
        raise PermissionDenied
    refuse_stale(battle, version)
    key = uuid_or_none(army_id)
    army = lock_armies([key]).get(key) if key else None
    if army is None or army.campaign_id != battle.campaign_id:
        raise UnknownArmy("/army")
    if str(key) not in state.armies:
        refuse_busy(army, "/army")
    return carry_out(battle, state, by=by, viewer=viewer, command=Reinforce(army_spec(army), side))
