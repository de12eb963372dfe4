"""Typed dice in a real browser: a mistake costs nothing else, several go into one field, a reload loses nothing."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from battles.models import Battle
from kingdom.accounts.services import choose_settings
from tests.browsing import NARROW, PHONE, heard_by, overflow


@pytest.fixture
def typing(table, running, open_page, sign_in):
    """Opens the dice of the first melee phase for the GM, who types theirs."""

    def opening(**options) -> Page:
        choose_settings(by=table.gm, dice="typed")
        page = open_page(**options)
        sign_in(page, table.gm)
        page.goto(f"/battles/{running.pk}/")
        page.locator("#go").click()
        expect(page.locator(".dice-rows > li")).to_have_count(2)
        return page

    return opening


def faces(page: Page) -> list[str]:
    return [control.input_value() for control in page.locator(".dice-rows [name='face']").all()]


def paste(page: Page, place: str, text: str) -> None:
    """As the clipboard's text arrives, its lines and all."""
    page.locator(place).evaluate(
        """(field, text) => {
            const clipboardData = new DataTransfer();
            clipboardData.setData("text", text);
            field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
        }""",
        text,
    )


def fallen(battle: Battle) -> list[tuple[int, str]]:
    dice = battle.records.filter(undone=False).latest("seq").dice
    return [(die["value"], die["source"]) for die in dice if die["name"] == "attack"]


def test_dice_typed_and_not_sent_outlive_a_reload_and_going_back_several_go_into_one_field_and_a_mistake_is_marked(
    running, typing, accessibility
):
    page = typing(viewport=NARROW, language="fr")
    heard = heard_by(page)
    page.locator("#die-1").fill("14")
    page.locator("#die-2").fill("x")
    page.reload()
    assert faces(page) == ["14", "x"]
    expect(page.locator("[data-count='wrong']")).to_have_text("1")
    page.locator("#dice-away").click()
    expect(page.locator(".dice-rows")).to_have_count(0)
    page.locator("#go").click()
    expect(page.locator("#die-1")).to_have_value("14")
    several_in_one_field(page)
    assert accessibility(page) == []
    assert overflow(page) <= 0
    mark_a_mistake(page, running)
    assert [message for message in heard if "422" not in message] == []


def several_in_one_field(page: Page) -> None:
    """They go into the rows below, and stay where there is no room."""
    first, second = page.locator("#die-1"), page.locator("#die-2")
    first.fill("")
    second.fill("")
    paste(page, "#die-1", "14\n3")
    assert faces(page) == ["14", "3"]
    expect(second).to_be_focused()
    expect(page.locator("[data-count='typed']")).to_have_text("2")

    second.fill("")
    first.fill("15, 4")  # typed: on leaving the field
    first.blur()
    assert faces(page) == ["15", "4"]

    first.fill("")
    second.fill("8")
    paste(page, "#die-1", "14 3 20")
    assert faces(page) == ["14 3 20", "8"]
    page.locator("#apply-dice").click()
    expect(page.locator("#die-1-error")).to_contain_text("Vous avez saisi 3 dés, mais il n’y a place que pour 1")
    assert faces(page) == ["14 3 20", "8"]


def mark_a_mistake(page: Page, running: Battle) -> None:
    """At its row, at the top and in the foot; the rest stays."""
    page.locator("#die-1").fill("14")
    page.locator("#die-2").fill("77")
    expect(page.locator("[data-count='wrong']")).to_have_text("1")
    page.locator("#apply-dice").click()
    expect(page.locator("#die-2-error")).to_have_text("Un d20 donne de 1 à 20. Vous avez saisi 77.")
    expect(page.locator("#die-2")).to_be_focused()
    expect(page.locator("#wrong-dice")).to_contain_text("Un dé n’est pas valide.")
    page.locator("#wrong-dice a").click()
    expect(page.locator("#die-2")).to_be_focused()
    assert faces(page) == ["14", "77"]
    assert page.locator(".counts").inner_text() == "saisis\xa0: 1 · non valables\xa0: 1 · vides\xa0: 0"
    page.locator("#die-2").fill("7")
    page.get_by_label("Les lancer pour moi").check()
    expect(page.get_by_role("button", name="Appliquer mes dés, lancer les autres")).to_be_visible()
    page.locator("#apply-dice").click()
    expect(page.locator(".dice-rows")).to_have_count(0)
    assert fallen(running) == [(14, "typed"), (7, "typed")]
    page.locator("#go").click()
    expect(page.locator(".dice-rows > li")).not_to_have_count(0)
    assert set(faces(page)) == {""}, "what was typed for the phase before is gone"


def test_typed_dice_work_without_scripts(running, typing):
    page = typing(java_script_enabled=False)
    page.locator("#die-1").fill("14 77")
    page.locator("#apply-dice").click()
    expect(page.locator("#die-2-error")).to_be_visible()
    assert faces(page) == ["14", "77"]
    page.locator("#die-2").fill("7")
    page.locator("input[name='how'][value='rolled']").check(force=True)
    page.locator("#apply-dice").click()
    assert fallen(running) == [(14, "typed"), (7, "typed")]


@pytest.mark.slow
@pytest.mark.parametrize(("viewport", "dark"), [(NARROW, False), (PHONE, True)], ids=["320", "390-dark"])
def test_typed_dice_with_a_mistake_are_accessible_on_a_phone_in_french(typing, accessibility, viewport, dark):
    page = typing(viewport=viewport, dark=dark, language="fr")
    page.locator("#die-1").fill("77")
    page.locator("#apply-dice").click()
    expect(page.locator("#die-1-error")).to_be_visible()
    expect(page.locator("#die-2-error")).to_be_visible()
    assert accessibility(page) == []
    assert overflow(page) <= 0
