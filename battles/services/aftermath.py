"""What a battle does to the world: proposed line by line, then confirmed as one (PF-6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.utils.crypto import salted_hmac

from battles import folding
from battles.codec import storage
from battles.models import Battle
from battles.services import world_now
from battles.services.keeping import append, refuse_stale, take
from battles.services.playing import Played
from kingdom import world
from kingdom.models import ChronicleEntry, User
from kingdom.selectors import require_gm
from rules.dice import Dice, Roll, Rolled, Typed, TypedDie
from rules.errors import require
from rules.pathfinder.battle import engine
from rules.pathfinder.battle.aftermath import Note, Question
from rules.pathfinder.battle.commands import Close, Viewer
from rules.pathfinder.battle.state import Battle as State
from rules.pinned import Pinned
from rules.text import _, say


@dataclass(frozen=True, slots=True)
class Proposal:
    """What would change, what else is said, what is left to choose, and the dice behind it."""

    changes: tuple[world.Change, ...]
    notes: tuple[Note, ...]
    questions: tuple[Question, ...]
    rolls: tuple[Roll, ...]


@transaction.atomic
def propose_aftermath(
    *,
    by: User,
    battle_id: UUID | str,
    version: int,
    choices: Mapping[str, str] | None = None,
    typed: Iterable[TypedDie] = (),
    ask: bool = False,
    server: Dice | None = None,
) -> Proposal:
    """Every change to kingdoms, armies and commanders (GM). Nothing is written.

    The server's dice stay the same as long as the battle does: what is confirmed is what was shown.
    Raises `IllegalCommand` before the battle is over, `InvalidInput` for an unknown choice, `DiceNeeded`.
    """
    battle = take(by, battle_id)
    require_gm(by, battle.campaign)
    refuse_stale(battle, version)
    return _propose(battle, folding.state_of(battle), choices or {}, _dice(battle, by, typed, ask, server))


@transaction.atomic
def confirm_aftermath(
    *,
    by: User,
    battle_id: UUID | str,
    version: int,
    choices: Mapping[str, str] | None = None,
    typed: Iterable[TypedDie] = (),
    ask: bool = False,
    server: Dice | None = None,
) -> Played:
    """Apply the proposal with these choices and dice, write it into the chronicle and close the battle (GM)."""
    battle = take(by, battle_id, with_campaign=True)
    require_gm(by, battle.campaign)
    refuse_stale(battle, version)
    state = folding.state_of(battle)
    proposal = _propose(battle, state, choices or {}, _dice(battle, by, typed, ask, server))
    world.apply(
        campaign=battle.campaign,
        changes=world_now.settled(proposal.changes),
        by=by,
        kind=ChronicleEntry.Kind.BATTLE,
        text=say(_("Aftermath of “{battle}”"), battle=battle.name),
        battle_id=battle.pk,
    )
    return _close(battle, state, by, choices or {}, proposal.rolls)


def _close(battle: Battle, state: State, by: User, choices: Mapping[str, str], rolls: Iterable[Roll]) -> Played:
    """The record keeps what was chosen and rolled; closing itself needs no dice."""
    events = engine.decide(state, Close(), Rolled(), Viewer(gm=True))
    after = engine.fold(state, events)
    told = {"choices": dict(choices), "rolls": storage.dump_dice(rolls)}
    record = append(battle, by=by, command=Close(), rolls=(), events=events, state=after, told=told)
    return Played(battle, after, events, record)


def _propose(battle: Battle, state: State, choices: Mapping[str, str], dice: Dice) -> Proposal:
    require(battle.open, _("The aftermath of this battle has been confirmed already."))
    now = world_now.read(battle)
    found = engine.aftermath(state, now.world, choices, dice)
    return Proposal(now.changes_of(state, found.changes), found.notes, found.questions, found.rolls)


def _dice(battle: Battle, by: User, typed: Iterable[TypedDie], ask: bool, server: Dice | None) -> Dice:
    return Typed(typed, by=by.get_username(), ask=ask, server=server or Pinned(_secret(battle)))


def _secret(battle: Battle) -> str:
    """Nobody can foresee it, and it is another one as soon as the battle changes."""
    return salted_hmac("battles.aftermath", str(battle.revision), algorithm="sha256").hexdigest()
