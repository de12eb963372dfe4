"""Who is to act is called: page, title, tab, lists, API; and what was decided has the law's own words."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client as Browser

from kingdom.accounts.services import choose_settings
from kingdom.models import KingdomPlayer
from tests.battles.conftest import Client
from tests.battles.frame.conftest import opened, play
from tests.everyday import everyday
from tests.rulesets.browsing import Reader, plain
from tests.rulesets.turns.driver import DRIVER as road


def page(user: Any, client: Client, query: str = "", **headers: str) -> Any:
    browser = Browser(headers=headers)
    browser.force_login(user)
    return browser.get(f"/battles/{client.battle.pk}/{query}")  # type: ignore[union-attr]


def called(user: Any, client: Client) -> tuple[bool, bool, bool, bool]:
    """Whether page, title, the tab's badge and the API say that it is their turn."""
    drawn = page(user, client, **{"HX-Request": "true"})
    markup = drawn.content.decode()
    return (
        drawn.context["call"].turn,
        "<title>Your turn · " in markup,
        "waits for you" in markup,
        Client(user, client.battle).read()["your_turn"],
    )


ALL, NONE = (True,) * 4, (False,) * 4


def test_whoever_is_to_act_is_called_everywhere_and_nobody_else(gm, ana, bo, table):
    assert called(table.ana, gm) == ALL
    assert [called(user, gm) for user in (table.bo, table.gm, table.viewer)] == [NONE] * 3
    ana.ok(**road.step(table.watch, 5))
    assert called(table.bo, gm) == ALL
    assert [called(user, gm) for user in (table.ana, table.gm, table.viewer)] == [NONE] * 3


def test_whoever_has_to_answer_is_called_and_not_who_struck(struck, table):
    assert called(table.bo, struck) == ALL
    assert [called(user, struck) for user in (table.ana, table.gm)] == [NONE] * 2


def test_the_gm_acts_for_whom_nobody_plays(gm, ana, table):
    KingdomPlayer.objects.filter(kingdom=table.horde).delete()
    assert called(table.gm, gm) == NONE
    ana.ok(**road.step(table.watch, 5))
    assert called(table.gm, gm) == ALL


def test_the_law_calls_the_owner_of_a_unit_whose_army_is_somebody_elses(table):
    """Lists know kingdoms, not units: only page and API ask the law for everybody."""
    table.watch.sheet["scouts"] = str(table.viewer.pk)
    table.watch.save()
    gm = opened(table)
    turn, title, _badge, api = called(table.viewer, gm)
    assert (turn, title, api) == (True, True, True)
    Client(table.ana, gm.battle).ok(**road.step(table.watch, 5))
    assert called(table.viewer, gm) == NONE


def test_the_campaign_says_whose_turn_it_is(gm, ana, table):
    for user, yours in ((table.ana, True), (table.bo, False)):
        assert ("your turn" in Reader(user).read(f"/c/{table.campaign.pk}/")) is yours
    ana.ok(**road.step(table.watch, 5))
    assert "your turn" in Reader(table.bo).read(f"/c/{table.campaign.pk}/")


def test_the_panel_says_your_turn_to_whose_it_is(gm, table):
    heading = 'id="turn-title"'
    for user, said in ((table.ana, "Your turn"), (table.bo, "Waiting"), (table.gm, "Waiting")):
        markup = page(user, gm).content.decode()
        assert said in plain(markup.partition(heading)[2].partition("</h2>")[0]), user


@pytest.mark.parametrize("language", everyday(["en", "fr"], first=1))
def test_what_was_decided_and_what_undo_takes_back_have_the_laws_own_words(struck, bo, table, language):
    headers = {"accept-language": language}
    before = [page(user, struck, **headers) for user in (table.gm, table.ana, table.bo)]
    bo.ok(**road.answer(road.unit(table.raiders), "stand"), dice=[road.die(table)])
    for drawn in (*before, *(page(user, struck, **headers) for user in (table.gm, table.ana, table.bo))):
        markup = plain(drawn.content.decode())
        assert "resolved" not in drawn.content.decode().replace("resolved.html", "")
        assert "Undo Turn" not in markup
    shown = page(table.gm, struck, **headers)
    assert shown.context["page"].news is not None
    title = shown.context["page"].title
    assert title.endswith("Raiders, line fell · The ford"), title
    if language == "en":
        assert ">Undo the move</span>" in shown.content.decode()
        assert 'data-done-words="Raiders, line fell.' in shown.content.decode()


def test_a_hidden_step_is_no_news_to_others_but_whose_turn_it_is(gm, ana, table):
    ana.ok(**road.own(table))
    assert page(table.bo, gm).context["page"].title == "Your turn · Horde to act · The ford"
    assert page(table.ana, gm).context["page"].title == "Ironwatch, scouts has moved · The ford"


def test_the_dice_switch_stands_beside_a_command_that_throws_dice(gm, ana, bo, table):
    shown = [user for user in (table.ana, table.bo, table.gm) if 'id="dice-switch"' in page(user, gm).content.decode()]
    assert shown == [table.ana, table.gm]
    play(gm, road.before_dice(table))
    shown = [user for user in (table.ana, table.bo) if 'id="dice-switch"' in page(user, gm).content.decode()]
    assert shown == [table.bo]
    assert 'id="dice-switch"' not in page(table.gm, gm, "?as=1").content.decode(), "nothing is done by borrowed eyes"


def test_who_types_their_dice_is_asked_for_those_of_any_command(struck, bo, table):
    key, reader = road.unit(table.raiders), Browser()
    reader.force_login(table.bo)
    choose_settings(by=table.bo, dice="typed")
    answer = {"type": "answer", "version": bo.read()["version"], "key": key, "choice": "stand"}
    address = f"/battles/{struck.battle.pk}/command/"
    asked = reader.post(address, answer, headers={"HX-Request": "true"}).content.decode()
    assert 'id="dice-form"' in asked
    assert bo.read()["version"] == answer["version"]
    die = {"die": f"{key}|clash|2", "face": "tails"}
    assert reader.post(address, {**answer, **die}, headers={"HX-Request": "true"}).status_code == 200
    assert bo.read()["version"] == answer["version"] + 1


def test_a_command_that_throws_none_is_done_at_once_by_who_types_their_dice(gm, ana, table):
    reader = Browser()
    reader.force_login(table.ana)
    choose_settings(by=table.ana, dice="typed")
    step = {"type": "deed", "version": 1, "unit": road.unit(table.watch), "deed": "step:5"}
    done = reader.post(f"/battles/{gm.battle.pk}/command/", step, headers={"HX-Request": "true"})
    assert (done.status_code, ana.read()["version"]) == (200, 2)
