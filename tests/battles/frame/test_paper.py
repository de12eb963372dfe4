"""The order of battle and the report, under every law: what its reader may know, in prose, on paper."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from battles.log.battle_report import report_page
from battles.play import battle_state as play_battle_state
from battles.ruleset_ui import list_battle_uis
from core.text import render


def shown(user, name: str, battle) -> tuple[int, str]:
    client = Client()
    client.force_login(user)
    page = client.get(reverse(f"battles:{name}", args=[battle.pk]))
    return page.status_code, page.content.decode()


def test_the_order_of_battle_names_every_army_at_any_phase(gm, table) -> None:
    status, page = shown(table.gm, "order_of_battle", gm.battle)
    assert status == 200
    for army in gm.battle.armies.all():
        assert army.name in page
    assert 'class="boxes"' in page


def test_there_is_no_report_while_the_battle_is_fought(gm, table) -> None:
    client = Client()
    client.force_login(table.gm)
    answer = client.get(reverse("battles:report", args=[gm.battle.pk]), follow=True)
    assert answer.redirect_chain == [(reverse("battles:battle", args=[gm.battle.pk]), 302)]
    assert "report will be written afterward" in answer.content.decode()


def test_the_report_tells_who_stood_there_how_it_ended_and_what_it_cost(over, table) -> None:
    page = report_page(table.gm, over.battle.pk)
    stood = " ".join(render(text) for _side, armies in page.sides for text in armies)
    named = {army.name for army in over.battle.armies.all()}
    assert all(name in stood for name in named)
    assert page.outcome
    losses = [loss for _side, found in page.losses for loss in found]
    assert {loss.army.name for loss in losses} >= named
    assert all(loss.before - loss.lost == loss.army.health for loss in losses if loss.lost)


def test_what_the_chapters_cost_is_what_was_lost(over, table) -> None:
    page = report_page(table.gm, over.battle.pk)
    told = " ".join(render(sentence.text) for chapter in page.chapters for sentence in chapter.sentences)
    for _side, found in page.losses:
        for loss in found:
            assert (loss.army.name in told) or not loss.lost


@pytest.mark.parametrize("name", ["order_of_battle", "report"])
def test_strangers_find_neither(over, table, name: str) -> None:
    assert shown(table.stranger, name, over.battle)[0] == 404


@pytest.mark.parametrize("name", ["order_of_battle", "report"])
def test_both_are_drawn_in_few_queries(over, table, name: str) -> None:
    client = Client()
    client.force_login(table.gm)
    play_battle_state._states.clear()
    with CaptureQueriesContext(connection) as found:
        assert client.get(reverse(f"battles:{name}", args=[over.battle.pk])).status_code == 200
    assert len(found) <= 13  # whose names a reader may know among them


def test_every_face_prints() -> None:
    for ui in list_battle_uis():
        assert callable(ui.on_paper)
        assert callable(ui.aids)
