"""Queries for the commanders of each side (people or the computer), and the tasks by which the computer plays."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from django.utils.crypto import salted_hmac

from battles.codec import storage
from battles.forecast.computation import answer_of, submit_tasks
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.play.event_log import read_latest
from battles.queries import viewer_at_head
from battles.setup.page import pick_colour
from core import text
from rules.core.errors import demand
from rules.core.odds import Leaning, Proposal
from rules.core.text import Said, _
from rules.law import AFTERMATH, CLOSED, BattleLaw
from rules.odds.opponents import LEANINGS, MEANT
from rules.odds.tasks import Task
from rules.odds.viewer_forecast import guesses_of

NOT_HERE = _("In this ruleset the computer can’t play a side.")
PROPOSALS = "rules.odds.opponents.proposals_of"
SEED_LENGTH = 32


@dataclass(frozen=True, slots=True)
class SideHead:
    """A side and who commands it.

    `leaning`: "" for people. `left`: the computer's orders are given when the GM resolves, or its turns are played as
    they come; otherwise they are only proposed. `paused`: the computer plays no turn until the GM lets it go on;
    `trouble`: why, unless the GM paused it.
    """

    side: int
    name: str
    leaning: str = ""
    left: bool = False
    paused: bool = False
    trouble: Said | None = None

    @property
    def colour(self) -> str:
        return pick_colour(self.side)


def list_leanings(law: BattleLaw) -> tuple[tuple[Leaning, Said, Said], ...]:
    """The leanings a GM can choose: slug, name, and what each does by this ruleset."""
    meant = {**MEANT, **law.forecast.meant}
    return tuple((slug, LEANINGS[slug], meant[slug]) for slug in LEANINGS)


def list_sides(battle: Battle, state: Any) -> tuple[SideHead, ...]:
    """Every side with who commands it."""
    teams = play_battle_state.summarize(battle, state).sides
    return tuple(_head(battle, side, team.name) for side, team in enumerate(teams))


def _head(battle: Battle, side: int, name: str) -> SideHead:
    told = battle.opponents.get(str(side), {})
    leaning = told.get("leaning", "")
    if leaning not in LEANINGS:
        return SideHead(side, name)
    trouble = text.load_said(told["trouble"]) if told.get("trouble") else None
    return SideHead(side, name, leaning, bool(told.get("left")), bool(told.get("paused")), trouble)


def list_engine_sides(battle: Battle, state: Any) -> tuple[SideHead, ...]:
    """The sides that the computer commands; none where the ruleset has no computer player."""
    if not battle.opponents or not play_battle_state.get_engine(battle).forecast.commands:
        return ()
    return tuple(head for head in list_sides(battle, state) if head.leaning)


def proposes(head: SideHead, *, by_turns: bool) -> bool:
    """Whether the side's orders are proposed to the GM. Sides that the computer plays turn by turn are not."""
    return bool(head.leaning) and not (by_turns and head.left)


def due_head(battle: Battle, state: Any) -> SideHead | None:
    """The side whose next command the computer has to give now; None where there is none."""
    due = play_battle_state.engine_turns(battle, state)
    return list_sides(battle, state)[due[0]] if due else None


def check_leaning(leaning: object, field: str) -> None:
    """Raises `InvalidInput` for an unknown leaning."""
    demand(leaning in LEANINGS, _("Choose one of: {known}."), field=field, known=", ".join(LEANINGS))


def is_over(battle: Battle, state: Any) -> bool:
    """Whether the fighting is over, so that nobody gives commands any more."""
    return play_battle_state.summarize(battle, state).status in (AFTERMATH, CLOSED)


def seed_of(battle: Battle, state: Any, side: int) -> str:
    """Seed of a side's random choices in a phase: unpredictable, and the same each time it is computed.

    Where sides take turns it belongs to the next record, so that each command has its own.
    """
    stage = play_battle_state.summarize(battle, state).stage
    told = f"{battle.pk}|{stage.kind}|{stage.number}|{side}"
    if play_battle_state.get_engine(battle).forecast.by_turns:
        last = next(iter(read_latest(battle)), None)
        told = f"{told}|{last.seq + 1 if last else 1}"
    return salted_hmac("battles.opponents", told, algorithm="sha256").hexdigest()[:SEED_LENGTH]


def task_of(battle: Battle, state: Any, head: SideHead) -> Task:
    """Task of the computer's proposal for this side in this state.

    Its key depends on what the side's commander may know and on nothing else: other sides' secret orders do not change
    it.
    """
    engine = play_battle_state.get_engine(battle)
    keeper = storage.get_keeper(engine)
    now = play_battle_state.build_field(battle, state)
    viewer, seed = viewer_at_head(battle, state, head.side), seed_of(battle, state, head.side)
    believed = [[guess.weight, keeper.dump_frozen(engine.freeze(guess.state))] for guess in guesses_of(now, viewer)]
    told = json.dumps([believed, head.side, head.leaning, seed, viewer.knowledge], sort_keys=True)
    key = f"{PROPOSALS} {battle.pk} {hashlib.sha256(told.encode()).hexdigest()}"
    return Task(PROPOSALS, (now, head.side, cast(Leaning, head.leaning), viewer, seed), key)


# Queue of the computer's turns. Every change of a battle queues one if the computer has to act.


def call_engine(battle: Battle, state: Any) -> None:
    """Queues the computer's next command, if one is due. Call it in the transaction that makes it due."""
    if play_battle_state.engine_turns(battle, state):
        from battles.opponents.tasks import take_turn

        take_turn.enqueue(str(battle.pk))


# Orders that the computer proposes, from the process pool.


type Counsel = Mapping[int, tuple[Proposal, ...]]


def counsel(battle: Battle, state: Any, heads: Iterable[SideHead]) -> Counsel | None:
    """The computer's proposals by side; None while they are being calculated. Ask again to get them then.

    Raises `Unanswered`, and the ruleset's refusals.
    """
    heads = tuple(heads)
    tasks = [task_of(battle, state, head) for head in heads]
    futures = submit_tasks(tasks, f"counsel {battle.pk} {[head.side for head in heads]}")
    if not all(future.done() for future in futures):
        return None
    return {head.side: answer_of(future) for head, future in zip(heads, futures, strict=True)}
