"""The table of a battle under every law: a row an army, one desk, what was decided last, a foot."""

from __future__ import annotations

import re

import pytest
from django.test import Client as Browser

from battles.play import battle_state as play_battle_state
from battles.ruleset_ui import BattleUI, get_battle_ui
from kingdom.models import Kingdom
from tests.battles.frame.conftest import play
from tests.everyday import at_most, everyday


def page(user, battle, query=""):
    browser = Browser()
    browser.force_login(user)
    return browser.get(f"/battles/{battle.pk}/{query}")


@pytest.mark.parametrize("who", everyday(["ana", "gm", "viewer"], first=1))
def test_every_army_has_its_row_and_at_most_one_is_ordered(table, gm, driver, who):
    play(gm, driver.before_orders(table))
    body = page(getattr(table, who), gm.battle).content.decode()
    own = get_battle_ui(play_battle_state.get_law(gm.battle)).field_template != BattleUI.field_template
    assert len(re.findall(r'<article id="army-', body)) == (0 if own else 2)
    assert ("data-board" in body) == own
    assert len(re.findall(r'class="order-form', body)) <= 1
    assert re.search(r'class="foot[" ]', body)


def test_what_was_decided_stands_on_everybodys_page(table, gm, driver):
    assert page(table.gm, gm.battle).context["page"].strip is None
    play(gm, driver.fought(table))
    for who in at_most(("gm", "ana"), full=("gm", "ana", "bo", "viewer")):
        shown = page(getattr(table, who), gm.battle)
        strip = shown.context["page"].strip
        assert {line.name for line in strip.lines} >= {"Raiders"}
        assert 'id="verdict"' in shown.content.decode()
        assert all(str(line.text) and (line.lost or line.word) for line in strip.lines)
        assert {army for army, _sentence in strip.own} <= {str(table.watch.pk), str(table.raiders.pk)}


def test_a_battle_that_has_ended_has_no_empty_tab_of_tools(table, gm, driver):
    assert "tools" in dict(page(table.gm, gm.battle).context["page"].rails)
    play(gm, driver.until_over(table))
    over = page(table.gm, gm.battle, "?rail=tools").context["page"]
    assert (over.rail, "tools" in dict(over.rails)) == ("log", False)


def test_a_row_picks_its_army_without_scripts(table, gm, driver):
    play(gm, driver.before_orders(table))
    picked = page(table.bo, gm.battle, f"?army={table.watch.pk}").context["card"]
    assert (picked.id, getattr(picked, "form", None)) == (str(table.watch.pk), None)


def test_shields_have_the_colour_of_their_side_even_where_both_kingdoms_bear_the_same(table, gm, driver):
    alike = {"shield": "heater", "division": "chief", "field": "azure", "charge": "wolf", "tincture": "or"}
    Kingdom.objects.filter(campaign=table.campaign).update(arms=alike)
    play(gm, driver.until_over(table))
    for where in ("", "aftermath/"):
        body = page(table.gm, gm.battle, where).content.decode()
        drawn = re.findall(r'<svg class="(arms [^"]*)"', body)
        assert drawn, where
        assert [one for one in drawn if not re.search(r" sided (one|two)$", one)] == [], where
        assert {one.rpartition(" ")[2] for one in drawn} == {"one", "two"}, where
