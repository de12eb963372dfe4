"""The page of a battle that ended: who won, the turning point, losses by army, leaders, and what comes next."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from battles.aftermath.services import confirm_aftermath
from battles.field.page import load_battle_page
from battles.hexes.world import LeadersOnBoard
from battles.log.queries import LogLine
from battles.log.replay_page import replay_page
from battles.models import Battle
from battles.result import turn_losses
from battles.result.page import BattleResult
from battles.result.turn_losses import BattleCourse, TurnLosses, _moment, load_course, lost_by
from core.text import render
from rules.core.text import Term, _, closed
from rules.core.weights import Fall, Weight
from rules.law import FIGHTING, OMNISCIENT, Combatant, LogEntry
from tests.battles.wing_command.conftest import few_of, fight_out
from tests.rulesets.browsing import Reader


def result_of(user: Any, battle: Battle) -> BattleResult:
    page = load_battle_page(user, battle.pk)
    found = page.result
    assert isinstance(found, BattleResult)
    return found


def text_of(user: Any, battle: Battle) -> str:
    return Reader(user).markup(f"/battles/{battle.pk}/")


@pytest.mark.parametrize(
    ("who", "words"),
    [("ana", "You won the battle."), ("bo", "You lost the battle."), ("gm", "Crown wins the battle."),
     ("viewer", "Crown wins the battle.")],
)  # fmt: skip
def test_the_headline_is_the_readers_own(hosts, over, who, words):
    told = text_of(getattr(hosts, who), over)
    assert re.search(rf'id="result-title">\s*{re.escape(words)}', told)
    assert "Night falls" in told, "how it ended, in the GM's words"
    assert 'class="notice good"' not in told, "said once"


def test_only_the_gm_has_the_button_to_settle(hosts, over):
    assert "Settle the aftermath" in text_of(hosts.gm, over)
    told = text_of(hosts.ana, over)
    assert "Settle the aftermath" not in told
    assert "The GM settles the aftermath" in told


def test_losses_stand_by_army_before_and_after(hosts, over):
    crown, horde = result_of(hosts.ana, over).losses
    assert [(one.before, one.army.health, one.lost) for one in crown] == [(4, 4, 0)]
    (raiders,) = horde
    assert (raiders.before, raiders.lost) == (raiders.army.health_max, 2), "one destroyed, one fled"
    assert [row[2:] for row in result_of(hosts.bo, over).score] == [(4, 4), (raiders.before - 2, raiders.before)]


def test_a_destroyed_commanders_fate_is_open_until_the_aftermath(hosts, over):
    """Design of hex battles, 4.3."""
    leaders = result_of(hosts.bo, over).leaders
    first = leaders[0]
    assert (first.name, render(first.word)) == ("Captain of Raiders", "fate open")
    assert [render(part) for part in first.about] == ["led Raiders", "turn 1, K6"]
    assert [(one.name, render(one.word)) for one in leaders[1:]] == [("Captain of Ironwatch", "unhurt")]
    confirm_aftermath(by=hosts.gm, battle_id=over.pk, version=over.version)
    closed = result_of(hosts.bo, Battle.objects.get(pk=over.pk))
    assert render(closed.leaders[0].word) == "fallen"
    assert [render(step.title) for step in closed.next_steps] == [
        "Aftermath", "Report of the battle", "Back to the campaign"]  # fmt: skip


def test_beside_a_leader_who_still_stands_is_told_that_the_army_broke(hosts, over):
    """ "Unhurt" alone would read as if the army were."""
    result = result_of(hosts.ana, over)
    armies = {
        key: army._replace(status="broken", status_word=Term("broken")) for key, army in result.summary.armies.items()
    }
    result.summary = replace(result.summary, armies=armies)
    told = {one.name: one for one in LeadersOnBoard(result, {}, throws_every_fate=False).listed()}
    standing = told["Captain of Ironwatch"]
    assert [render(standing.word), *map(render, standing.about)] == ["unhurt", "leads Ironwatch", "broken"]
    assert "broken" not in map(render, told["Captain of Raiders"].about), "of those who are gone their own fate is told"


def test_the_turning_point_is_the_turn_with_the_largest_difference_in_losses():
    """Design of hex battles, 4.4."""

    def course(*lost: tuple[int, int]) -> BattleCourse:
        turns = (
            TurnLosses(place, one, 10 * place, 10 * place + 9, Term(str(place)))
            for place, one in enumerate(lost, start=1)
        )
        return BattleCourse(None, tuple(turns))  # type: ignore[arg-type]

    def number(winner: int | None, *lost: tuple[int, int]) -> int:
        found = course(*lost).turning_point(winner)
        return found.number if found else 0

    assert number(0, (0, 1), (3, 3), (1, 3)) == 3
    assert number(0, (9, 0), (0, 2)) == 2, "a turn that cost the winner more never decided it"
    assert number(1, (9, 0), (0, 2)) == 1
    assert number(0, (9, 0), (2, 2)) == 0, "no turn favored the winner"
    assert number(None, (0, 2), (1, 3)) == 2, "then the bloodiest"
    assert number(0, (0, 0), (0, 0)) == 0, "none without losses"
    assert [course((0, 1), (0, 0)).turn_of(event) for event in (5, 12, 25)] == [0, 1, 2]


def test_who_fell_outweighs_harm_in_the_turn_and_in_its_moment(hosts, over):
    """A commander who falls and a broken army are remembered before many small losses."""

    def turn(number: int, lost: tuple[int, int], **more: Any) -> TurnLosses:
        return TurnLosses(number, lost, 10 * number, 10 * number + 9, Term(str(number)), **more)

    many, few = turn(1, (0, 5)), turn(2, (0, 1), felled=(0, Fall.CHARACTER))
    broken, dear = turn(3, (0, 0), fallen=(0, 1)), turn(4, (1, 9), felled=(Fall.CHARACTER, Fall.ROUTED))

    def number(*turns: TurnLosses, winner: int | None = 0) -> int:
        found = BattleCourse(None, turns).turning_point(winner)  # type: ignore[arg-type]
        return found.number if found else 0

    assert number(many, few) == 2
    assert number(many, few, broken) == 3, "although it cost nobody a troop"
    assert number(many, dear) == 1, "a turn in which the winner's own commander fell did not decide it"
    assert number(many, dear, winner=None) == 4
    told = result_of(hosts.ana, over)
    assert told.turning_point.felled == (0, Fall.DESTROYED + Fall.CHARACTER + Fall.ROUTED)
    assert render(told.moment) == "Captain of Raiders: fallen on K6."


def test_what_a_spell_or_an_order_does_is_not_the_moment_where_somebody_fell():
    def line(seq: int, kind: str, **more: Any) -> LogLine:
        return LogLine(seq, None, LogEntry(kind, "", "", Term(kind), **more), None, {})

    lines = [
        line(1, "wounded", numbers={"damage": 9}, harmed=1),
        line(2, "destroyed", weight=Weight.TELLING, fall=Fall.DESTROYED, harmed=1),
        line(3, "routed", weight=Weight.TELLING, fall=Fall.ROUTED, harmed=1),
        line(4, "fallen", weight=Weight.TELLING, fall=Fall.CHARACTER, harmed=0),
        line(5, "order-changed", weight=Weight.TELLING),
    ]
    assert _moment(lines, TurnLosses(1, (0, 1), 1, 9, Term("1")), 0).seq == 2


def test_troops_that_come_into_sight_make_up_for_no_losses():
    """H-5: a wing of three that are seen and one that lies hidden loses one, and the other is found."""
    then = Combatant("a", "Wings", 1, FIGHTING, _("fighting"), 3, 3)
    assert lost_by(then._replace(health=3, health_max=4), then) == 1
    assert lost_by(then._replace(health=2, health_max=3), then._replace(health=2)) == 0, "lost before"
    assert lost_by(then._replace(health=2, health_max=3), None) == 1, "who joined later came whole"


def test_the_story_is_read_once_for_each_reader_and_state(hosts, over, monkeypatch):
    read: list[str] = []
    real = turn_losses.load_course
    monkeypatch.setattr(
        turn_losses, "load_course", lambda battle, viewer: read.append(viewer.user) or real(battle, viewer)
    )
    for who in ("ana", "ana", "bo"):
        assert text_of(getattr(hosts, who), over)
    assert read == [str(hosts.ana.pk), str(hosts.bo.pk)]
    confirm_aftermath(by=hosts.gm, battle_id=over.pk, version=over.version)
    assert text_of(hosts.ana, over)
    assert len(read) == 3, "it was changed since"


def test_what_the_gm_typed_is_a_sentence(hosts, over):
    result = result_of(hosts.ana, over)
    assert [render(sentence) for sentence in result.told] == [
        "Crown wins the battle.", "Night falls.", "The battle lasted 2 turns."]  # fmt: skip
    assert render(closed("Night falls!")) == "Night falls!"


def test_an_evening_is_told_by_turns_that_add_up_and_the_link_leads_to_its_turn(hosts):
    battle = fight_out(hosts, sides=few_of(hosts))
    course = load_course(battle, OMNISCIENT)
    result = result_of(hosts.gm, battle)
    for side, own in enumerate(result.losses):
        assert sum(turn.lost[side] for turn in course.turns) == sum(one.lost for one in own)
    assert [turn.number for turn in course.turns] == list(range(1, len(course.turns) + 1))
    point = result.turning_point
    assert point is not None
    assert point.difference == max(turn.difference for turn in course.turns)
    step = int(result_of(hosts.ana, battle).replay.partition("step=")[2])
    (current,) = [stop for stop in replay_page(hosts.ana, battle.pk, step).stops if stop.current]
    assert render(current.label) == f"Turn {point.number}"
    shown = text_of(hosts.ana, battle)
    assert f"Watch Turn {point.number}" in shown


def test_nothing_is_said_of_a_result_while_it_is_fought(hosts, gm, fresh):
    page = load_battle_page(hosts.gm, fresh.pk)
    assert page.result is None
    assert 'id="result-title"' not in text_of(hosts.gm, fresh)
