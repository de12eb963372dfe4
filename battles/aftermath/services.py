"""Services for the aftermath: propose the changes, reroll the dice, confirm."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Unpack
from uuid import UUID

from django.db import transaction
from django.utils.crypto import salted_hmac

from battles.aftermath.stored_dice import AftermathDice, load_stored_dice
from battles.codec import storage
from battles.codec.requests import TableDice
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.play.record_services import Played, append, refuse_stale, take
from battles.ruleset_ui import get_battle_ui
from battles.setup.queries import build_own_documents, get_law_of_armies
from kingdom.access.decorators import gm_only
from kingdom.access.queries import require_gm
from kingdom.chronicle import changes as chronicle_changes
from kingdom.models import ChronicleEntry, User
from kingdom.models.base import uuid7
from rules.core.dice import Dice, Pinned, Roll, Rolled, StoredDice, Typed, TypedDie, still_to_fall
from rules.core.errors import require
from rules.core.text import Said, Term, _, closed, say
from rules.law import OMNISCIENT, DieSide, Question, Remark

NO_AFTERMATH = _("This is a what-if: it changes nothing in the campaign, so it has no aftermath.")
PLAIN = _("Aftermath of “{battle}”")
ANEW = _("Aftermath of “{battle}”, dice rolled again")
WON = _("{aftermath}. {outcome}")
DECIDED = Term("{told} {decided}")


@dataclass(frozen=True, slots=True)
class AftermathProposal:
    """A proposal: changes, remarks, open questions, and dice.

    `lying`: those of the dice that are kept from an earlier confirmation. `thrown`: the reroll that came before it, if
    any.
    """

    changes: tuple[chronicle_changes.Change, ...]
    notes: tuple[Remark, ...]
    questions: tuple[Question, ...]
    rolls: tuple[Roll, ...]
    lying: tuple[Roll, ...] = ()
    die_sides: Mapping[str, tuple[DieSide, ...]] = field(default_factory=dict)
    thrown: Played | None = None

    @property
    def to_fall(self) -> bool:
        """Whether any of the dice may still be typed."""
        return len(self.rolls) > len(self.lying)


@gm_only
@transaction.atomic
def propose_aftermath(
    *,
    by: User,
    battle_id: UUID | str,
    version: int,
    choices: Mapping[str, str] | None = None,
    **dice: Unpack[TableDice],
) -> AftermathProposal:
    """Every change the battle would make to kingdoms, armies and commanders (GM). Writes nothing.

    The server's dice stay the same until they are rerolled, so that the confirmed result is the one shown. Raises
    `IllegalCommand` before the battle is over, `InvalidInput` for an unknown choice, `DiceNeeded`.
    """
    battle = take(by, battle_id)
    require_gm(by, battle.campaign)
    refuse_stale(battle, version)
    return _propose(
        battle, play_battle_state.load_state(battle), choices or {}, _dice(load_stored_dice(battle), by, **dice)
    )


@gm_only
@transaction.atomic
def confirm_aftermath(
    *,
    by: User,
    battle_id: UUID | str,
    version: int,
    choices: Mapping[str, str] | None = None,
    **dice: Unpack[TableDice],
) -> Played:
    """Applies the proposal with these choices and dice, writes it into the chronicle and closes the battle (GM). Raises
    like `propose_aftermath`.
    """
    battle = take(by, battle_id, with_campaign=True)
    require_gm(by, battle.campaign)
    refuse_stale(battle, version)
    state = play_battle_state.load_state(battle)
    lying = load_stored_dice(battle)
    proposal = _propose(battle, state, choices or {}, _dice(lying, by, **dice))
    chronicle_changes.apply(
        campaign=battle.campaign,
        changes=_settled(proposal.changes),
        by=by,
        kind=ChronicleEntry.Kind.BATTLE,
        text=_told_in_chronicle(battle, state, ANEW if lying.throw else PLAIN, proposal.changes),
        battle_id=battle.pk,
    )
    return _close(battle, state, by, choices or {}, proposal, lying.throw)


def _told_in_chronicle(
    battle: Battle, state: Any, template: Term, changes: Iterable[chronicle_changes.Change]
) -> Said:
    """Text of the chronicle entry: the battle's name, its winner, and what it decided in the campaign."""
    aftermath, outcome = say(template, battle=battle.name), play_battle_state.summarize(battle, state).outcome
    told: Said = say(WON, aftermath=aftermath, outcome=outcome.text) if outcome else aftermath
    decided = get_battle_ui(get_law_of_armies(battle)).outcome_in_campaign(changes)
    return say(DECIDED, told=closed(told), decided=decided) if decided else told


@gm_only
@transaction.atomic
def roll_anew(*, by: User, battle_id: UUID | str, version: int) -> Played:
    """Rerolls the dice of the aftermath (GM): the kept ones, and those the server would roll. The log shows the old
    ones.

    Raises `IllegalCommand` before the battle is over, after confirmation, and where no dice are needed.
    """
    battle = take(by, battle_id)
    require_gm(by, battle.campaign)
    refuse_stale(battle, version)
    state, lying = play_battle_state.load_state(battle), load_stored_dice(battle)
    shown = _propose(battle, state, {}, _dice(lying, by))
    aside = [roll for roll in lying.dice if roll not in shown.rolls]
    return _told(battle, state, by, play_battle_state.get_engine(battle).throwing_anew((*shown.rolls, *aside)))


def _close(
    battle: Battle, state: Any, by: User, choices: Mapping[str, str], proposal: AftermathProposal, throw: int
) -> Played:
    """Closes the battle. The record keeps the choices, dice and remarks; the closing command itself needs no dice."""
    told: dict[str, Any] = {"choices": dict(choices), "rolls": storage.dump_dice(proposal.rolls)}
    if proposal.notes:
        told["notes"] = storage.dump_remarks(proposal.notes)
    if throw:
        told["throw"] = throw
    return _told(battle, state, by, play_battle_state.get_engine(battle).closing(), **told)


def _told(battle: Battle, state: Any, by: User, command: Any, **told: Any) -> Played:
    engine = play_battle_state.get_engine(battle)
    events = engine.decide(state, command, Rolled(), OMNISCIENT)
    after = engine.fold(state, events)
    record = append(battle, by=by, command=command, rolls=(), events=events, before=state, state=after, told=told)
    return Played(battle, after, events, record)


def _propose(battle: Battle, state: Any, choices: Mapping[str, str], dice: StoredDice) -> AftermathProposal:
    require(not battle.is_branch, NO_AFTERMATH)
    require(battle.open, _("The aftermath of this battle is already confirmed. Undo it first to change it."))
    law, own = play_battle_state.get_law(battle), get_law_of_armies(battle)
    now = get_battle_ui(own).read_world(battle)
    if own is law:
        found = law.battle.aftermath(state, now.world, choices, dice)
    else:
        tolls = law.battle.tolls(state)
        found = own.battle.settle(tolls, build_own_documents(battle), now.world, choices, dice)
    return AftermathProposal(
        now.changes_of(state, found.changes),
        tuple(found.notes),
        tuple(found.questions),
        tuple(found.rolls),
        tuple(dice.taken),
        own.battle.die_sides,
    )


def _settled(changes: Iterable[chronicle_changes.Change]) -> tuple[chronicle_changes.Change, ...]:
    """The changes to write. An army that rose in the battle gets a new id."""
    return tuple(
        replace(change, subject_id=str(uuid7())) if change.field == "created" else change for change in changes
    )


def _dice(
    lying: AftermathDice, by: User, *, typed: Iterable[TypedDie] = (), ask: bool = False, server: Dice | None = None
) -> StoredDice:
    """Dice of the aftermath: kept ones first, then typed ones, then the server's, which are the same each time."""
    to_fall = still_to_fall(typed, lying.dice)
    return StoredDice(
        lying.dice, Typed(to_fall, by=by.get_username(), ask=ask, server=server or Pinned(_secret(lying)))
    )


def _secret(lying: AftermathDice) -> str:
    """Seed of the server's dice: unpredictable, and another one after each reroll."""
    return salted_hmac("battles.aftermath", f"{lying.battle_id}|{lying.throw}", algorithm="sha256").hexdigest()
