"""The odds workshop: two armies, asked by an address; what a reader may not know they neither picks nor infers."""

from __future__ import annotations

import json
from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from django.http import QueryDict
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from armies.forces.services import reveal_army
from battles.forecast.single_flight import flights
from battles.models import Battle, BattleRecord
from battles.workshop.matchups import read_written
from battles.workshop.page import WorkshopPage, workshop_page
from kingdom.models import KingdomPlayer
from rules.core.errors import InvalidInput
from rules.core.odds import EXACT
from rules.odds.tasks import GivenUp
from tests.everyday import everyday
from tests.kingdom.conftest import client_of

PLAIN = {"name": "Levy", "unit": {"name": "Soldier", "cr": "1", "hit_die": "d8"}, "count": 1000}


NOBODY = "01900000-0000-7000-8000-000000000000"


def plain_of(page: Any) -> str:
    """What the page says, without the menu that leads back to its own address."""
    return page.content.decode().partition("<main")[2].partition("</main>")[0]


@pytest.fixture(autouse=True)
def _nothing_known():
    flights.clear()


@pytest.fixture
def quick(monkeypatch) -> None:
    """Only the odds: what explains them, and tables, are asked for by their own tests."""
    from battles.workshop import page as battles_workshop_page

    asked = battles_workshop_page.tasks_of
    monkeypatch.setattr(battles_workshop_page, "tasks_of", lambda *given: [_nothing(task) for task in asked(*given)])


def _nothing(task: Any) -> Any:
    return task if task.function.endswith("odds_of") else task._replace(function="builtins.bool", arguments=(0,))


def ask(user: Any, table: SimpleNamespace, **said: Any) -> Any:
    return client_of(user).get(reverse("battles:workshop", args=[table.campaign.pk]), said)


def page_asked(user: Any, table: SimpleNamespace, **said: Any) -> WorkshopPage:
    """What the page is drawn of, where nothing hinges on its text."""
    return workshop_page(user, table.campaign.pk, QueryDict(urlencode(said, doseq=True)))


def written(**changes: Any) -> str:
    return json.dumps({**PLAIN, **changes})


def two(**said: Any) -> dict[str, Any]:
    """Two written armies, alike."""
    return {"a-army": "written", "a-body": written(), "b-army": "written", "b-body": written(name="Foe"),
            **{name.replace("_", "-", 1): value for name, value in said.items()}}  # fmt: skip


def known(**said: Any) -> dict[str, Any]:
    """The same with the form filled in."""
    filled = {f"{side}-{name}": value for side in "ab" for name, value in (
        ("known", "written"), ("tactic", "standard"), ("strategy", "standard"))}  # fmt: skip
    return {**two(), **filled, **{name.replace("_", "-", 1): value for name, value in said.items()}}


def odds_of(page: WorkshopPage) -> Any:
    assert page.answers is not None, page.bench.refused
    return page.answers.odds


# what is asked
@pytest.mark.usefixtures("quick")
def test_two_equal_armies_have_equal_odds_to_a_decimal(table):
    page = ask(table.gm, table, **two())
    odds = odds_of(page.context["page"])
    assert odds.method == EXACT
    assert odds.sides[0].win == pytest.approx(odds.sides[1].win)
    shown = f"{100 * odds.sides[0].win:.1f}%"
    assert page.content.decode().count(f"<b>{shown}</b>") == 2


DIFFERENT: tuple[tuple[dict[str, str], bool | None], ...] = (
    ({"a_walls": "4"}, True), ({"a_strategy": "defensive", "b_strategy": "reckless"}, None), ({"a_om": "2"}, True),
    ({"a_hp": "20"}, False), ({"a_count": "2000"}, True), ({"b_heroes": "4"}, False), ({"a_dv": "-3"}, False),
    ({"a_ground": "battlefield-advantage"}, True), ({"field_wind": "strong"}, None), ({"field_darkness": "on"}, None),
)  # fmt: skip


@pytest.mark.usefixtures("quick")
def test_the_address_says_what_is_different(table):
    usual = odds_of(page_asked(table.gm, table, **known()))
    for said, better in DIFFERENT:
        changed = odds_of(page_asked(table.gm, table, **known(**said)))
        if better is not None:
            assert (changed.sides[0].win > usual.sides[0].win) is better, said
        conditions = [held for held in said if held.startswith("field")]
        assert conditions or changed != usual, said


@pytest.mark.usefixtures("quick")
def test_what_an_army_has_can_be_left_out_and_another_army_begins_as_it_stands(table):
    """A form that was filled in for one army says nothing of the next that is picked in its place."""
    body = written(
        commander={"level": 6, "charisma_modifier": 4, "boons": [{"boon": "loyalty"}]}, resources={"improved-armor": 1}
    )
    full = known(a_body=body)
    has = ["resource:improved-armor", "boon:loyalty", "commander"]
    page = page_asked(table.gm, table, **{**full, "a-has": has})
    assert [slug for slug, _name in page.bench.tuners[0].owned] == sorted(has, key=has.index)
    bare = page_asked(table.gm, table, **{**full, "a-has": has[1:]})
    assert odds_of(bare).sides[0].win < odds_of(page).sides[0].win
    other = {**full, "a-army": str(table.watch.pk), "a-strategy": "reckless"}
    tuner = page_asked(table.gm, table, **other).bench.tuners[0]
    assert (tuner.cleaned_data["strategy"], tuner.left_out) == ("standard", set())


NO_CHOICE = "This choice isn’t available"
MINDLESS = written(unit={**PLAIN["unit"], "abilities": [{"ability": "mindless"}]})
NO_ARMIES: tuple[tuple[dict[str, Any], str], ...] = (
    (
        known(a_body=MINDLESS, a_has="ability:mindless", a_strategy="reckless"),
        "can only use the standard strategy, being mindless",
    ),
    (two(a_body="{"), "This isn’t valid JSON: copy an army in API format"),
    (two(a_body=written(count=0)), "Enter a whole number"),
    ({"a-army": NOBODY}, "You can’t read the sheet of this army"),
    ({"a-army": "nonsense"}, "You can’t read the sheet of this army"),
    ({"a-army": "\0"}, "You can’t read the sheet of this army"),
)
NO_FIELDS: tuple[tuple[dict[str, Any], str], ...] = (
    ({"a_tactic": "no-tactic"}, NO_CHOICE),
    ({"a_strategy": "no-more"}, NO_CHOICE),
    ({"a_has": "ability:lost"}, NO_CHOICE),
    ({"b_does": "boon:lost"}, NO_CHOICE),
    ({"a_hp": "99999999999999999999"}, "At most 10000"),
)


def refused(table: SimpleNamespace, said: dict[str, Any], *words: str) -> None:
    page = ask(table.gm, table, **said)
    assert page.status_code == 200
    assert [word for word in words if word not in page.text] == []
    assert page.context["page"].answers is None


@pytest.mark.usefixtures("quick")
def test_impossible_things_are_refused_in_words(table):
    """To whoever watches, too, who may ask here."""
    for said, words in NO_ARMIES:
        refused(table, said, words)
    bad = page_asked(table.viewer, table, **known(a_walls="many"))
    assert bad.bench.tuners[0].errors["walls"]


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("fields", everyday([[NO_FIELDS], *([(one,)] for one in NO_FIELDS)], first=1))
def test_each_impossible_word_of_the_form_is_refused(table, fields):
    said = {name: value for one, _words in fields for name, value in one.items()}
    refused(table, known(**said), *(words for _one, words in fields))


@pytest.mark.usefixtures("quick")
def test_a_wrong_word_about_the_field_is_told_where_it_can_be_read(table):
    page = plain_of(ask(table.gm, table, **known(field_wind="no-such")))
    assert 'id="ground" open' in page
    assert "This choice isn’t available" in page


@pytest.mark.usefixtures("quick")
def test_more_hit_points_than_it_can_have_outlive_what_is_left_out(table):
    body = written(resources={"improved-armor": 1})
    has = {"a_has": "resource:improved-armor"}
    for left_out in (has, {}):
        usual, hardy = (
            odds_of(page_asked(table.gm, table, **known(a_body=body, **left_out, **hp))) for hp in ({}, {"a_hp": "400"})
        )
        assert hardy.sides[0].win > usual.sides[0].win


def test_what_decides_and_what_would_make_it_even_stand_on_the_page(table):
    page = ask(table.gm, table, **known(a_walls="2", b_strategy="aggressive"))
    answers = page.context["page"].answers
    assert not answers.pending
    slugs = [bar.cause.slug.partition(":")[0] for bar in answers.causes.bars]
    assert set(slugs) >= {"condition", "strategy"}
    assert all(min(even.win, even.other) < 0.5 <= max(even.win, even.other) for even in answers.explained.evens)
    text = page.content.decode()
    for bar in answers.causes.bars:
        assert f"{abs(100 * bar.cause.points):.1f}</b>" in text
    assert [table.table.kind for table in answers.shown_tables][:1] == ["strategy"]
    assert "optimal mix" in text


# what it does not do
@pytest.mark.usefixtures("quick")
def test_nothing_here_touches_the_campaign(table):
    before = [list(model.objects.values()) for model in (Battle, BattleRecord, type(table.watch))]
    ask(table.gm, table, **{"a-army": str(table.watch.pk), "b-army": str(table.raiders.pk)})
    ask(table.gm, table, **known(a_hp="3"))
    assert before == [list(model.objects.values()) for model in (Battle, BattleRecord, type(table.watch))]


@pytest.mark.usefixtures("quick")
def test_set_this_battle_up_begins_the_setup_with_both_and_their_walls(table):
    said = {"a-army": str(table.watch.pk), "b-army": str(table.raiders.pk), "a-known": str(table.watch.pk),
            "a-tactic": "standard", "a-strategy": "standard", "a-walls": "5", "field-fog": "on"}  # fmt: skip
    drawn = ask(table.gm, table, **said)
    page = drawn.context["page"]
    assert f"/new/?{escape(page.setup)}" in drawn.text
    setup = client_of(table.gm).get(reverse("battles:battle_new", args=[table.campaign.pk]) + "?" + page.setup)
    form = setup.context["form"]
    assert (form[f"army-{table.watch.pk}"].value(), form[f"army-{table.raiders.pk}"].value()) == ("1", "2")
    assert (form["fort-0-armies"].value(), form["fort-0-value"].value()) == ([str(table.watch.pk)], "5")
    assert form["fog"].value()
    assert not Battle.objects.exists()
    assert page_asked(table.ana, table, **said).setup == ""
    assert page_asked(table.gm, table, **two()).setup == ""


# who may know what
@pytest.mark.usefixtures("quick")
def test_a_player_picks_his_own_and_what_is_revealed_and_nobody_else(table):
    own, foreign = str(table.watch.pk), str(table.raiders.pk)
    offered = page_asked(table.ana, table).bench.armies
    ids = [pk for _kingdom, armies in offered for pk, _name in armies]
    assert own in ids
    assert foreign not in ids
    page = ask(table.ana, table, **{"a-army": own, "b-army": foreign})
    assert page.context["page"].answers is None
    assert "Raiders" not in page.content.decode()
    nowhere = ask(table.ana, table, **{"a-army": own, "b-army": NOBODY})
    assert plain_of(nowhere).replace(NOBODY, foreign) == plain_of(page)
    reveal_army(by=table.gm, army=table.raiders, revealed=True)
    assert odds_of(page_asked(table.ana, table, **{"a-army": own, "b-army": foreign})) is not None


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
def test_strangers_find_nothing_and_viewers_ask(table):
    assert ask(table.stranger, table).status_code == 404
    assert ask(table.viewer, table).status_code == 200
    assert Client().get(reverse("battles:workshop", args=[table.campaign.pk])).status_code == 302


def test_a_player_without_armies_is_told_what_to_do(table):
    KingdomPlayer.objects.filter(user=table.bo).delete()
    page = ask(table.bo, table)
    assert "No armies to compare" in page.content.decode()


# armies of one's own making
def test_an_army_is_written_by_the_parts_of_raising_one(table):
    client = client_of(table.ana)
    here = reverse("battles:workshop_army", args=[table.campaign.pk, "b"])
    said = "?a-army=" + str(table.watch.pk)
    fields = {"name": "Ogres", "count": "50", "unit_name": "Ogre", "cr": "3", "hit_die": "d8", "level": "4",
              "speed_m": "9", "creature_type": "humanoid", "alignment": "CE"}  # fmt: skip
    grown = client.post(here + said, {**fields, "add": "1", "new-ability": "fear"})
    assert grown.context["form"].rows[0].ability.slug == "fear"
    refused = client.post(here + said, {**fields, "count": "0"})
    assert refused.status_code == 422
    done = client.post(here + said, {**fields, "ability-0": "fear"})
    query = parse_qs(urlsplit(done["Location"]).query)
    assert query["a-army"] == [str(table.watch.pk)]
    body = json.loads(query["b-body"][0])
    assert (body["name"], body["unit"]["abilities"]) == ("Ogres", [{"ability": "fear"}])


def test_an_army_is_pasted_as_the_api_tells_it(table):
    here = reverse("battles:workshop_army", args=[table.campaign.pk, "a"])
    client = client_of(table.ana)
    done = client.post(here, {"pasted": written(name="Pasted")})
    assert json.loads(parse_qs(urlsplit(done["Location"]).query)["a-body"][0])["name"] == "Pasted"
    wrong = client.post(here, {"pasted": '{"name": "x"}'})
    assert wrong.status_code == 422
    assert wrong.context["form"].errors["pasted"]


# when it takes longer
def test_what_is_not_reckoned_yet_the_page_asks_for_again(table, monkeypatch):
    from concurrent.futures import Future

    waiting: Future[Any] = Future()
    monkeypatch.setattr(flights, "ask", lambda tasks, asker, **_more: [waiting for _task in tasks])
    page = ask(table.gm, table, **two())
    assert page.context["page"].answers.pending
    text = page.content.decode()
    assert 'hx-trigger="load delay:400ms"' in text
    assert "Refresh" in text


def test_doors_to_the_workshop_stand_on_the_campaign_and_on_an_army(table):
    client = client_of(table.gm)
    here = reverse("battles:workshop", args=[table.campaign.pk])
    assert here in client.get(reverse("kingdom:campaign", args=[table.campaign.pk])).content.decode()
    army = client.get(reverse("armies:army", args=[table.watch.pk])).content.decode()
    assert f"{here}?a-army={table.watch.pk}" in army


class Settling(Future):
    """A question that is answered right after the page has looked at it."""

    def done(self) -> bool:
        was = super().done()
        if not was:
            self.set_result(None)
        return was


def test_what_is_answered_while_the_page_is_made_is_asked_for_again(table, monkeypatch):
    from battles.workshop import page as workshop

    monkeypatch.setattr(workshop, "submit_tasks", lambda tasks, asker: [Settling() for _task in tasks])
    asked = {"a-army": table.watch.pk, "b-army": table.raiders.pk}
    assert page_asked(table.gm, table, **asked).answers.pending


def test_what_a_newer_question_overtook_is_asked_for_again(table, monkeypatch):
    from battles.workshop import page as workshop

    given_up: Future[Any] = Future()
    given_up.set_exception(GivenUp())
    monkeypatch.setattr(workshop, "submit_tasks", lambda tasks, asker: [given_up for _task in tasks])
    asked = {"a-army": table.watch.pk, "b-army": table.raiders.pk}
    assert page_asked(table.gm, table, **asked).answers.pending


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, '{"unit": ' + "[" * 50 + "]" * 50 + "}"])
def test_an_army_in_the_address_that_is_no_json_or_nested_too_deeply_is_refused(text):
    with pytest.raises(InvalidInput, match="isn’t valid JSON"):
        read_written(text)
