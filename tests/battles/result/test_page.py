"""What the page of a battle says once it is over, of a battle in phases: who won, what decided it, losses, leaders."""

from __future__ import annotations

from typing import Any

import pytest

from battles.aftermath.services import confirm_aftermath
from battles.codec.requests import AskForward
from battles.models import Battle
from battles.play import services as play_services
from battles.result.page import BattleResult
from battles.result.turn_losses import BattleCourse, TurnLosses, _moment
from core.text import render
from kingdom.access.redaction import WORDS
from rules.core.text import say
from rules.pathfinder.battle.orders.commands import End, Next
from tests.battles.field.test_pages import as_, ended, ford, now, page_of, play, seen_by, text  # noqa: F401 (fixtures)
from tests.battles.field.test_table import four  # noqa: F401 (fixture)
from tests.battles.steady import Steady
from tests.worlds import built_once


@built_once
def fought(table, four) -> Battle:  # noqa: F811
    """Two against two, to the end."""
    while now(four).status == "running":
        asked = {"by": table.gm, "battle_id": four.pk, "version": now(four).version}
        play_services.play(**asked, command=AskForward(), server=Steady())
    return now(four)


def result_of(user: Any, battle: Battle) -> BattleResult:
    found = seen_by(user, battle).result
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("who", "words"),
    [("ana", "You won the battle."), ("bo", "You lost the battle."), ("gm", "Victory on the field: Crown.")],
)
def test_the_headline_is_the_readers_own(table, ended, who, words):  # noqa: F811
    shown = text(page_of(getattr(table, who), ended))
    assert f"{words}</h2>" in shown
    assert "They ran" in shown, "why it ended, in the GM's words"
    assert "Nothing is settled yet" in shown


def test_a_phase_in_which_the_gm_only_ended_the_battle_does_not_count_and_undo_names_the_end(table, ford):  # noqa: F811
    play(table, ford, Next(), End("They made peace"))
    battle = now(ford)
    told = [render(sentence) for sentence in result_of(table.gm, battle).told]
    assert told == ["They made peace."]
    assert "Undo the end of the battle" in text(page_of(table.gm, battle))


def test_losses_of_the_phases_add_up_to_those_of_the_armies(table, fought):
    result = result_of(table.gm, fought)
    for side, own in enumerate(result.losses):
        assert sum(phase.lost[side] for phase in result.course.turns) == sum(one.lost for one in own)
    assert render(result.course.turns[0].label) == "Tactics"
    assert [column.short for column in result.chart[:3]] == ["T1", "R1", "M1"]


def test_an_army_that_leaves_the_field_outweighs_losses():
    turns = [
        TurnLosses(1, (0, 900), 1, 4, say("Round 1"), "round", (0, 0)),
        TurnLosses(2, (300, 200), 5, 8, say("Round 2"), "round", (1, 1)),
        TurnLosses(3, (100, 400), 9, 12, say("Round 3"), "round", (0, 1)),
    ]
    course = BattleCourse(None, tuple(turns))  # type: ignore[arg-type]
    points = [course.turning_point(winner) for winner in (0, 1, None)]
    assert [point and point.number for point in points] == [3, 2, 1]


def test_the_turning_point_leads_to_its_phase_in_the_replay(table, fought):
    result = result_of(table.ana, fought)
    assert result.turning_point is not None
    page = as_(table.ana).get(result.replay).context["page"]
    (current,) = [stop for stop in page.stops if stop.current]
    assert current.label == result.turning_point.label
    assert f"Watch {render(current.label)}" in text(page_of(table.ana, fought))


def test_what_hurts_the_winner_never_decided_it(table, fought):
    result = result_of(table.gm, fought)
    winner, lines = result.winner, result.story.lines
    hurting = [turn for turn in result.course.turns if _moment(lines, turn, None) != _moment(lines, turn, winner)]
    assert hurting, "in some phase the heaviest blow is one against the winner"
    assert all(_moment(lines, turn, winner).entry.harmed != winner for turn in hurting)
    assert result.turning_point.favors(winner)


def test_the_line_for_the_chronicle_says_how_it_ended_and_what_decided_it(table, fought):
    outcome, decided = map(render, result_of(table.ana, fought).tale)
    assert outcome.startswith("Victory on the field: ")
    assert render(result_of(table.ana, fought).turning_point.label) in decided


def test_a_reader_is_told_of_leaders_whose_armies_they_know(table, fought):
    names = {
        who: {leader.name for leader in result_of(getattr(table, who), fought).leaders} for who in ("gm", "ana", "bo")
    }
    assert names == {"gm": {"Ysolde", "Tom", "Gruk", "Ugg"}, "ana": {"Ysolde", "Tom"}, "bo": {"Gruk", "Ugg"}}


def test_a_beaten_commanders_fate_is_open_until_the_aftermath(table, fought):
    def fates(battle: Battle) -> dict[str, str]:
        return {leader.name: render(leader.word) for leader in result_of(table.gm, battle).leaders}

    beaten = {army.name for own in result_of(table.gm, fought).losses for one in own if not (army := one.army).fighting}
    led = {"Ironwatch": "Ysolde", "Boatmen": "Tom", "Raiders": "Gruk", "Trolls": "Ugg"}
    open_ = {name for name, word in fates(fought).items() if word == "fate open"}
    assert open_ == {led[army] for army in beaten}
    confirm_aftermath(by=table.gm, battle_id=fought.pk, version=fought.version)
    settled = fates(now(fought))
    assert all(settled[name] in ("killed", "captured", "escaped") for name in open_)
    assert all(settled[name] == "unhurt" for name in settled.keys() - open_)


def test_a_player_is_not_told_what_they_may_not_know_of_losses(table, fought):
    """The battle keeps no figures from them: health in words stays in words."""
    table.campaign.secrecy = {"health": WORDS}
    table.campaign.save()
    result = result_of(table.ana, fought)
    assert result.in_shares
    assert result.score == []


def test_nothing_is_said_of_an_end_while_it_is_fought(table, four):  # noqa: F811
    assert seen_by(table.gm, four).result is None
    assert 'id="result-title"' not in text(page_of(table.gm, four))


def test_dice_fall_where_a_battle_goes_on_and_not_on_the_headline_of_its_result(table, ford):  # noqa: F811
    play(table, ford, Next())
    shown = []
    while now(ford).status == "running":
        shown.append('id="dice-fall"' in text(page_of(table.gm, now(ford))))
        asked = {"by": table.gm, "battle_id": ford.pk, "version": now(ford).version}
        play_services.play(**asked, command=AskForward(), server=Steady())
    page = page_of(table.gm, now(ford))
    assert any(shown)
    assert page.context["page"].fallen, "the last decision threw dice"
    assert 'id="dice-fall"' not in text(page)
