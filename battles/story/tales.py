"""Data of a battle's story for one reader, which `rules.narrative` puts into words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from battles.field.field_ui import FieldAsked
from battles.field.look import Look
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.queries import get_viewer
from battles.result.leaders import LeaderFate
from battles.result.page import ArmyLosses, BattleResult
from battles.ruleset_ui import get_battle_ui
from kingdom.models import User
from rules.core.health import WHOLE
from rules.core.text import NO_WORDS, Said, closed
from rules.law import Summary, Team, Viewer
from rules.narrative import ArmyTold, BattleTold, SideTold

DEAD, CAPTIVE = "bad", "padlock"  # tone and icon of a leader


def read_tale(user: User, battle: Battle, date: Said = NO_WORDS) -> BattleTold:
    """The battle as it is now, for this reader. Its parts are cached with the state (`battle_story`)."""
    state = play_battle_state.load_state(battle)
    viewer = get_viewer(user, battle, state)
    seen = play_battle_state.view_state(battle, state, viewer)
    if seen.summary.outcome is None:
        return _ongoing(battle, seen.summary, viewer, date)
    ui = get_battle_ui(play_battle_state.get_law(battle))
    return _over(BattleResult(FieldAsked(battle, seen.state, seen.summary, viewer, Look()), ui), date)


def _ongoing(battle: Battle, summary: Summary, viewer: Viewer, date: Said) -> BattleTold:
    sides = tuple(SideTold(side.name, tuple(_armies(summary, side, viewer))) for side in summary.sides)
    return BattleTold(battle.pk.int, date, sides, over=False)


def _over(result: BattleResult, date: Said) -> BattleTold:
    summary, viewer = result.summary, result.asked.viewer
    outcome, point = summary.outcome, result.turning_point
    sides = tuple(
        SideTold(side.name, tuple(_armies(summary, side, viewer)), lost_of(own))
        for side, own in zip(summary.sides, result.losses, strict=True)
    )
    return BattleTold(
        key=result.asked.battle.pk.int,
        date=date,
        sides=sides,
        winner=result.winner,
        turn=(point.label, closed(result.moment)) if point and result.moment else None,
        reason=(outcome.reason or outcome.text) if outcome else "",
        dead=_names(result.leaders, lambda leader: leader.tone == DEAD),
        captured=_names(result.leaders, lambda leader: leader.icon == CAPTIVE),
    )


def _armies(summary: Summary, side: Team, viewer: Viewer) -> Iterator[ArmyTold]:
    """Names of the armies, with the leaders of those whose figures the reader knows."""
    for army in (summary.armies[key] for key in side.armies if key in summary.armies):
        yield ArmyTold(army.name, army.leader_name if army.id in viewer.reads else "")


def lost_of(own: Sequence[ArmyLosses]) -> int | None:
    """Percentage of its strength that a side lost; None where there is no sum, since several armies are told in words.

    1 to 99 unless nothing or everything was lost.
    """
    if not own or (len(own) > 1 and any(one.army.words for one in own)):
        return None
    before, lost = sum(one.before for one in own), sum(one.lost for one in own)
    if not before or not lost:
        return 0
    return WHOLE if lost >= before else min(WHOLE - 1, max(1, WHOLE * lost // before))


def _names(leaders: Sequence[LeaderFate], chosen: Callable[[LeaderFate], bool]) -> tuple[str, ...]:
    return tuple(leader.name for leader in leaders if chosen(leader))
