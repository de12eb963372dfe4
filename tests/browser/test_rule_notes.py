"""Rule ids and chips open what they mean beside themselves: by mouse, by key, and without scripts."""

from __future__ import annotations

import pytest

from tests.battles.conftest import battle, table  # noqa: F401
from tests.browsing import PHONE


@pytest.fixture
def sheet(table, server) -> str:  # noqa: F811
    return f"/armies/{table.watch.pk}/"


def test_a_rule_opens_beside_its_figure_and_gives_the_focus_back(open_page, sign_in, table, sheet, accessibility):  # noqa: F811
    page = open_page(viewport=PHONE)
    sign_in(page, table.gm)
    page.goto(sheet)
    link = page.locator("a.rule:visible").first
    link.focus()
    page.keyboard.press("Enter")
    note = page.locator("#rule-note")
    note.wait_for(state="visible")
    assert page.url.endswith(sheet)
    assert link.inner_text() in note.inner_text()
    box = note.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE["width"]
    assert accessibility(page) == []
    page.keyboard.press("Escape")
    note.wait_for(state="hidden")
    assert page.evaluate("document.activeElement.className") == "rule"


@pytest.mark.slow
def test_without_scripts_it_leads_to_a_page(open_page, sign_in, table, sheet):  # noqa: F811
    page = open_page(java_script_enabled=False)
    sign_in(page, table.gm)
    page.goto(sheet)
    page.locator("a.rule:visible").first.click()
    assert "/rules/" in page.url
    assert page.locator("h1").inner_text()


def test_a_rule_within_an_opened_sum_leaves_the_sum_open(open_page, sign_in, table, battle):  # noqa: F811
    page = open_page()
    sign_in(page, table.gm)
    page.goto(f"/battles/{battle.pk}/")
    page.locator(".trio button").first.click()
    total = page.locator(".sum-pop:popover-open")
    total.locator("a.rule").first.click()
    page.locator("#rule-note").wait_for(state="visible")
    assert total.first.is_visible()
