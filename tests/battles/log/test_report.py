"""What is printed of a battle of mass combat: what its reader may know, and how it lies on paper."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from battles.log.battle_report import order_page, report_page
from battles.models import Battle
from core.text import render
from rules.pathfinder.battle.orders.commands import End, Next, Override, Resolve
from tests.battles.conftest import SPEARMAN, muster, open_ford
from tests.battles.conftest import Client as TableClient
from tests.browser.conftest import play
from tests.everyday import everyday
from tests.paper import pages_printed
from tests.worlds import built_once


@built_once
def rainy(table) -> Battle:
    return open_ford(table, conditions=[{"condition": "rain"}])


@built_once
def fought(table, rainy) -> Battle:
    battle = rainy
    rout = Override(str(table.raiders.pk), "status", "routed", "They ran")
    play(table, battle, Next(), Resolve(), Resolve(), Resolve(), rout, End("They ran", 0))
    return Battle.objects.get(pk=battle.pk)


def row_of(user, battle, name):
    found = [row for side in order_page(user, battle.pk).sides for row in side.rows]
    return next(row for row in found if row.army.name == name)


def test_an_enemys_row_has_his_shield_and_his_hit_points_and_no_more(table, fought) -> None:
    foe = row_of(table.ana, fought, "Raiders")
    assert foe.army.health_max
    assert (foe.army.figures, foe.army.words, foe.army.about, foe.army.leader, foe.army.brink) == ((), (), "", "", 0)
    assert foe.arms == table.horde.arms_borne
    own = row_of(table.ana, fought, "Ironwatch")
    assert own.army.leader == "Ysolde"
    assert [figure.label for figure in own.army.figures] == ["OM", "DV", "Morale"]
    assert row_of(table.gm, fought, "Raiders").army.leader == "Gruk"


def test_a_report_names_an_enemys_commander_to_nobody_who_may_not_know_him(table, fought) -> None:
    def told(user) -> str:
        return " ".join(render(text) for _side, armies in report_page(user, fought.pk).sides for text in armies)

    assert "Ysolde" in told(table.ana)
    assert "Gruk" not in told(table.ana)
    assert "Gruk" in told(table.gm)


def test_a_report_tells_what_turned_the_battle(table, fought) -> None:
    page = report_page(table.viewer, fought.pk)
    assert page.turns
    labels = {render(chapter.label) for chapter in page.chapters}
    assert any(label.startswith("Melee") for label in labels)
    assert [render(text) for text in page.conditions] == ["Rain"]
    assert page.reason == "They ran"


def test_whoever_is_left_when_it_is_over_stands_and_fights_no_more(table, fought, client) -> None:
    client.force_login(table.gm)
    shown = client.get(reverse("battles:report", args=[fought.pk])).content.decode()
    assert "<td>holding</td>" in shown
    assert "<td>routed</td>" in shown
    aftermath = client.get(reverse("battles:aftermath", args=[fought.pk])).content.decode()
    assert "fighting" not in shown + aftermath


def test_phases_in_which_nobody_gave_way_are_told_together(table) -> None:
    battle = open_ford(table)
    play(table, battle, Next(), *[Resolve()] * 7, End("Night falls"))
    told = [(render(one.label), len(one.sentences)) for one in report_page(table.gm, battle.pk).chapters]
    assert len(told) == 2, told
    assert " to Melee" in told[0][0]


def test_a_report_speaks_french(table, fought) -> None:
    client = Client(headers={"accept-language": "fr"})
    client.force_login(table.gm)
    page = client.get(reverse("battles:report", args=[fought.pk])).content.decode()
    for words in ("Tournants", "Pertes", "Déroulement de la bataille"):
        assert words in page


@pytest.mark.parametrize("language", everyday(["fr", "en"], first=1))  # the longer words
def test_order_and_report_lie_on_a_page_each(
    table, rainy, open_page, sign_in, transactional_db, accessibility, shoot, language
) -> None:
    battle = rainy
    page = open_page(language=language)
    sign_in(page, table.gm)
    page.goto(reverse("battles:order_of_battle", args=[battle.pk]))
    assert accessibility(page) == []
    shoot(page.locator(".paper"), f"order-{language}")
    assert pages_printed(page) == 1
    play(table, battle, Next(), Resolve(), Resolve(), Resolve(), End("Night falls"))
    page.goto(reverse("battles:report", args=[battle.pk]))
    assert accessibility(page) == []
    shoot(page.locator(".paper"), f"report-{language}")
    assert pages_printed(page) == 1


def test_a_great_battle_names_the_first_and_counts_the_rest(table) -> None:
    armies = [str(muster(table.gm, table.crown, f"Host {n}", SPEARMAN, 200).pk) for n in range(12)]
    body = {"campaign": str(table.campaign.pk), "name": "The great battle", "sides": [
        {"name": "Crown", "armies": armies}, {"name": "Horde", "armies": [str(table.raiders.pk)]},
    ]}  # fmt: skip
    made = TableClient(table.gm).api.post("/api/v1/battles/", body)
    battle = Battle.objects.get(pk=made.json()["id"])
    play(table, battle, Next(), Resolve(), Resolve(), End("Night falls."))
    page = report_page(table.gm, battle.pk)
    assert [render(text) for text in page.sides[0][1]][-1] == "5 more"
    assert len(page.losses[0][1]) == 12
