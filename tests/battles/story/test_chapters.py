"""The story of the war: battles in prose by season, for each reader as much as they may know, shared and on paper."""

from __future__ import annotations

import re

from django.test import Client
from django.urls import reverse
from django.utils import translation

from battles.models import Battle
from battles.result.page import ArmyLosses
from battles.story import page as story_page
from battles.story.page import (
    AUTUMN,
    SPRING,
    SUMMER,
    WINTER,
    Season,
    cut_story,
    divide_story,
    find_season,
    lost_of,
    outline_story,
    write_chapters,
)
from core.text import render
from kingdom.models.calendar import Calendar, Month, SeasonStart
from kingdom.realms.services import update_kingdom
from kingdom.sharing.services import create_share
from rules.battle_law import worded
from rules.core.text import Term
from rules.core.viewers import WHOLE
from rules.law import FIGHTING, Combatant
from rules.narrative import PARTS, LossPart
from tests.battles.field.test_pages import as_, ended, ford  # noqa: F401 (fixtures)
from tests.kingdom.conftest import api_of


def told(user, table) -> str:
    chapters = write_chapters(user, table.campaign, outline_story(table.campaign))
    return " ".join(render(sentence) for one in chapters for battle in one.battles for sentence in battle.sentences)


def address(table, part: str = "") -> str:
    return reverse(f"battles:chapters{part}", args=[table.campaign.pk])


def test_a_battle_is_told_in_a_paragraph_of_its_season_and_bookkeeping_is_not(table, ended):  # noqa: F811
    update_kingdom(by=table.gm, kingdom=table.crown, unrest=4, reason="taxes of the month")
    shown = as_(table.ana).get(address(table)).text
    assert "Winter of year 1</h2>" in shown
    assert re.search(r'<h3>\s*<a href="/battles/[^"]*">The ford</a>', shown)
    assert "1 January" in shown
    assert "taxes of the month" not in shown
    with translation.override("fr"):
        assert "1er janvier" in told(table.ana, table)


def test_the_story_always_reads_the_same_and_leaders_are_known_as_in_the_report(table, ended):  # noqa: F811
    assert told(table.ana, table) == told(table.ana, table)
    assert "Ysolde" in told(table.ana, table)
    assert "Gruk" not in told(table.ana, table)
    assert "Gruk" in told(table.bo, table)


def test_where_health_is_told_in_words_the_prose_tells_no_more():
    """What is told of an army's losses is the same by its figures and by the word of its health; of several armies in
    words nothing is.
    """
    army = Combatant("a", "Watch", 0, FIGHTING, Term("holding"), 0, 60)
    for left in range(61):
        seen = worded(army._replace(health=left))
        by_words = ArmyLosses(seen, "", WHOLE - seen.health, Term(""))
        assert part_lost(lost_of([ArmyLosses(army._replace(health=left), "", 60 - left, Term(""))])) == part_lost(
            lost_of([by_words])
        )
        assert lost_of([by_words, by_words]) is None


def part_lost(lost: int | None) -> LossPart:
    return next(part for part in PARTS if lost is not None and lost <= part.most)


def test_a_battle_in_hand_is_one_sentence_and_one_being_set_up_none(table, battle):
    assert outline_story(table.campaign) == []
    assert "No battle has been fought yet" in as_(table.ana).get(address(table)).text
    Battle.objects.filter(pk=battle.pk).update(status="running")
    assert len(re.findall(r"\.", told(table.ana, table))) == 1


def test_whoever_has_the_link_reads_what_nobody_in_particular_may_know(table, ended):  # noqa: F811
    token = create_share(by=table.gm, campaign=table.campaign, kind="story", thing=table.campaign.pk).token
    shown = Client().get(reverse("kingdom:shared", args=[token])).text
    assert "The ford" in shown
    assert "Crown" in shown
    assert not any(name in shown for name in ("Ysolde", "Gruk", "ana", f"/battles/{ended.pk}"))


def test_the_paper_and_the_program_tell_the_same(table, ended):  # noqa: F811
    prose = told(table.ana, table)
    paper = as_(table.ana).get(address(table, "_print")).text
    assert all(sentence in paper for sentence in prose.split(". ")[:2])
    answer = api_of(table.ana).get(f"/api/v1/campaigns/{table.campaign.pk}/story/chapters/").json()
    assert (answer["pages"], answer["chapters"][0]["title"]) == (1, "Winter of year 1")
    assert answer["chapters"][0]["battles"][0]["text"] == prose
    for wrong in ("?page=2", "?page=x", "?page=0", "?order=latest"):
        assert api_of(table.ana).get(f"/api/v1/campaigns/{table.campaign.pk}/story/chapters/{wrong}").status_code == 400


def test_seasons_go_by_whole_months_and_winter_by_two_years():
    calendar = Calendar()
    days = {"31 January": 30, "1 March": 59, "1 June": 151, "1 September": 243, "30 November": 333, "1 December": 334}
    found = {name: find_season(calendar, day) for name, day in days.items()}
    assert found == {
        "31 January": Season(1, WINTER, 1), "1 March": Season(1, SPRING, 1), "1 June": Season(1, SUMMER, 1),
        "1 September": Season(1, AUTUMN, 1), "30 November": Season(1, AUTUMN, 1), "1 December": Season(2, WINTER, 1),
    }  # fmt: skip
    assert find_season(calendar, 370) == Season(2, WINTER, 1)
    assert render(Season(2, WINTER, 1).title) == "Winter of years 1 and 2"
    with translation.override("fr"):
        assert render(found["1 June"].title) == "Été de l’an 1"
    assert find_season(Calendar(month=12, day=20), 0) == find_season(Calendar(month=12, day=20), 20)


def test_a_year_of_few_months_has_seasons_too():
    calendar = Calendar(months=(Month(Term("Long"), 360),))
    assert [find_season(calendar, day).season for day in (0, 59, 60, 150, 240, 330)] == [
        WINTER, WINTER, SPRING, SUMMER, AUTUMN, WINTER,
    ]  # fmt: skip


def test_chapters_follow_the_seasons_that_the_calendar_sets():
    seasons = (SeasonStart(Term("Rains"), 3, 15), SeasonStart(Term("Drought"), 9, 1))
    calendar = Calendar(seasons=seasons)
    titles = [render(find_season(calendar, day).title) for day in (0, 72, 73, 243, 400)]
    assert titles == ["Drought, year 1", "Drought, year 1", "Rains, year 1", "Drought, years 1 and 2",
                      "Drought, years 1 and 2"]  # fmt: skip


def test_pages_have_whole_seasons_and_a_long_page_ends_with_one(monkeypatch):
    monkeypatch.setattr(story_page, "MOST", 30)
    outline = [(Season(year, SPRING, year), list(range(count))) for year, count in enumerate((5, 15, 1, 40, 3))]
    assert [[len(own) for _season, own in page] for page in divide_story(outline)] == [[5, 15], [1], [40], [3]]
    assert cut_story(outline) == (outline[:3], True)
    assert cut_story(outline[3:4]) == (outline[3:4], False)
