"""Queries for who commands which side, and what the computer is asked where it does."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any, cast

from django.utils.crypto import salted_hmac

from battles.codec import storage
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.queries import viewer_at_head
from battles.setup.page import pick_colour
from rules.core.errors import demand
from rules.core.odds import Leaning
from rules.core.text import _
from rules.law import AFTERMATH, CLOSED
from rules.odds.opponents import LEANINGS, MEANT
from rules.odds.tasks import Task
from rules.odds.viewer_forecast import guesses_of

NOT_HERE = _("In this ruleset the engine commands no side.")
PROPOSALS = "rules.odds.opponents.proposals_of"
SEED_LENGTH = 32
OFFERED = tuple((slug, LEANINGS[slug], MEANT[slug]) for slug in LEANINGS)
"""What the GM chooses among: the leaning, its name, and what it does."""


@dataclass(frozen=True, slots=True)
class SideHead:
    """A side and who commands it. `leaning` is "" for people; `left`: the engine's orders are given when the GM
    resolves, not only proposed to them.
    """

    side: int
    name: str
    leaning: str = ""
    left: bool = False

    @property
    def colour(self) -> str:
        return pick_colour(self.side)


def list_sides(battle: Battle, state: Any) -> tuple[SideHead, ...]:
    """Of every side."""
    teams = play_battle_state.summarize(battle, state).sides
    return tuple(_head(battle, side, team.name) for side, team in enumerate(teams))


def _head(battle: Battle, side: int, name: str) -> SideHead:
    told = battle.opponents.get(str(side), {})
    leaning = told.get("leaning", "")
    return SideHead(side, name, leaning, bool(told.get("left"))) if leaning in LEANINGS else SideHead(side, name)


def list_engine_sides(battle: Battle, state: Any) -> tuple[SideHead, ...]:
    """The sides the engine commands, where the law knows how."""
    if not battle.opponents or not play_battle_state.get_engine(battle).forecast.commands:
        return ()
    return tuple(head for head in list_sides(battle, state) if head.leaning)


def check_leaning(leaning: object, field: str) -> None:
    """Raises `InvalidInput` for one the engine does not know."""
    demand(leaning in LEANINGS, _("One of: {known}."), field=field, known=", ".join(LEANINGS))


def is_over(battle: Battle, state: Any) -> bool:
    """Nobody commands anybody in it any more."""
    return play_battle_state.summarize(battle, state).status in (AFTERMATH, CLOSED)


def seed_of(battle: Battle, state: Any, side: int) -> str:
    """The draw of a side in a phase: nobody can foresee it, and it is the same however often it is asked for."""
    stage = play_battle_state.summarize(battle, state).stage
    told = f"{battle.pk}|{stage.kind}|{stage.number}|{side}"
    return salted_hmac("battles.opponents", told, algorithm="sha256").hexdigest()[:SEED_LENGTH]


def task_of(battle: Battle, state: Any, head: SideHead) -> Task:
    """What the engine would order this side as the battle stands. Its key names what its commander may believe, and
    nothing else: whatever others order in secret, it is the same question.
    """
    engine = play_battle_state.get_engine(battle)
    keeper = storage.get_keeper(engine)
    now = play_battle_state.build_field(battle, state)
    viewer, seed = viewer_at_head(battle, state, head.side), seed_of(battle, state, head.side)
    believed = [[guess.weight, keeper.dump_frozen(engine.freeze(guess.state))] for guess in guesses_of(now, viewer)]
    told = json.dumps([believed, head.side, head.leaning, seed, viewer.knowledge], sort_keys=True)
    key = f"{PROPOSALS} {battle.pk} {hashlib.sha256(told.encode()).hexdigest()}"
    return Task(PROPOSALS, (now, head.side, cast(Leaning, head.leaning), viewer, seed), key)
