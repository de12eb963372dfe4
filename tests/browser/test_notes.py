"""Notes are written where they belong, on a phone too, and read as the story of the war."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from kingdom.models import Note
from kingdom.notes.services import edit_note, write_note
from tests.browsing import LAPTOP, PHONE, heard_by, overflow
from tests.everyday import at_most, everyday
from tests.kingdom.conftest import build_subject

LOOKS = [(PHONE, True, "fr"), (LAPTOP, False, "en"), (PHONE, False, "en"), (LAPTOP, True, "fr")]
TEXT = """# The ford

Mist over the river when @Ironwatch came down, **{name}** before them.

| stood | fell |
|---|--:|
| @[Ironwatch] | 120 |

- a list with a link: <https://example.com/a/very/long/address/that/has/no/end/at/all/and/goes/on/and/on/and/on/and/on>

> We held.
"""


@pytest.mark.parametrize(("viewport", "dark", "language"), everyday(LOOKS, first=1))
def test_a_note_is_written_in_place_and_read_in_the_story(
    table, settled, open_page, sign_in, accessibility, shoot, viewport, dark, language
):
    page = open_page(viewport=viewport, dark=dark, language=language)
    name = f"{viewport['width']}-{'dark' if dark else 'light'}"
    about = build_subject("army", table.watch)
    write_note(by=table.gm, about=about, text=TEXT.format(name="Ysolde"))
    write_note(by=table.gm, about=about, text="Only *ours* to know.", audience=f"kingdom:{table.crown.pk}")
    sign_in(page, table.gm)
    heard = heard_by(page)
    page.goto(f"/armies/{table.watch.pk}/")
    notes = page.locator("#notes")
    notes.scroll_into_view_if_needed()
    notes.locator("#note-write > summary").click()
    mention_by_keys(notes, lambda: shoot(page, f"notes-army-{name}"))
    assert accessibility(page) == []
    notes.locator("button[name=preview]").click()
    expect(notes.locator(".preview a.mention")).to_have_text("Ysolde")
    notes.locator("#note-write button.primary").click()
    expect(notes.locator("article .prose").first).to_contain_text("Seen by Ysolde")
    expect(notes.locator("article").first).to_be_focused()
    expect(notes.locator("#note-write")).not_to_have_attribute("open", "")
    assert overflow(page) <= 0
    note = Note.objects.get(text__startswith="Seen")
    own = notes.locator(f"#note-{note.pk}")
    write_where_somebody_was_quicker(own, table, note)
    shoot(page, f"notes-conflict-{name}")
    strike_out_and_keep(own)

    campaign = f"/c/{table.campaign.pk}/"
    pages = {"story": f"{campaign}story/", "note": f"/notes/{note.pk}/", "notes": f"/notes/army/{table.watch.pk}/",
             "paper": f"{campaign}story/print/", "campaign": campaign}  # fmt: skip
    for shot, address in [*pages.items()][: at_most(4, full=5)]:
        page.goto(address)
        assert overflow(page) <= 0, address
        shoot(page, f"notes-{shot}-{name}")
        assert accessibility(page) == [], address
    assert [line for line in heard if "409" not in line] == []  # the refusal of the second of two


def mention_by_keys(notes: Any, shoot: Callable[[], None]) -> None:
    """Arrows lead from the text to the names that are offered and back; Enter takes one."""
    text, offered = notes.locator("textarea"), notes.locator(".offered button")
    expect(text).to_be_focused()
    text.press_sequentially("Seen by @yso")
    expect(offered).to_have_count(1)
    shoot()
    text.press("ArrowDown")
    expect(offered).to_be_focused()
    offered.press("ArrowUp")
    expect(text).to_be_focused()
    text.press("ArrowDown")
    offered.press("Enter")
    expect(text).to_have_value("Seen by @Ysolde ")
    expect(text).to_be_focused()


def write_where_somebody_was_quicker(own: Any, table: Any, note: Note) -> None:
    own.locator("a.button").click()
    editor = own.locator("textarea")
    expect(editor).to_be_focused()
    edit_note(by=table.gm, note=note, text="Somebody was quicker.")
    editor.fill("What I meant")
    own.locator("button.primary").click()
    expect(own.locator("[role=alert]")).to_be_visible()
    expect(own).to_contain_text("Somebody was quicker.")
    expect(editor).to_have_value("What I meant")


def strike_out_and_keep(own: Any) -> None:
    own.locator("button.primary").click()
    expect(own.locator(".prose")).to_have_text("What I meant")
    own.locator("form button").click()
    expect(own.locator(".notice")).to_be_visible()
    own.locator("form button").click()
    expect(own.locator(".prose")).to_have_text("What I meant")


def test_what_was_told_stays_when_the_notes_load(table, open_page, sign_in):
    page = open_page(viewport=PHONE)
    sign_in(page, table.gm)
    page.goto(f"/armies/{table.watch.pk}/edit/")
    page.locator("[name=name]").fill("Ironwall")
    page.locator("#army-form button.primary").click()
    undo = page.locator("#messages form[action$='/undo/'] button")
    expect(undo).to_have_count(1)
    notes = page.locator("#notes")
    notes.scroll_into_view_if_needed()
    expect(notes).to_contain_text("No notes yet.")
    undo.click()
    expect(page.get_by_role("heading", name="Ironwatch", level=1)).to_be_visible()


def test_the_story_is_taken_along_as_a_file_as_it_is_sifted(table, page, sign_in):
    thing = build_subject("army", table.watch)
    write_note(by=table.gm, about=thing, text="Mist over **the river**.")
    write_note(by=table.gm, about=thing, text="Canary of the GM", audience="gm")
    sign_in(page, table.ana)
    page.goto(f"/c/{table.campaign.pk}/story/")
    download = page.get_by_role("link", name="Markdown")

    def taken() -> tuple[str, str]:
        with page.expect_download() as coming:
            download.click()
        return coming.value.suggested_filename, coming.value.path().read_text()

    name, text = taken()
    assert name == "restov-marches.md"
    assert text.startswith("# Restov marches")
    assert "Mist over **the river**." in text
    assert "Canary" not in text
    page.get_by_label("Type").select_option("note")
    page.wait_for_url("**kind=note**")
    name, sifted = taken()
    assert "Mist over **the river**." in sifted
    assert len(sifted) < len(text)


def test_a_long_text_that_is_pasted_stays_whole_and_what_is_wrong_with_it_is_in_sight(table, open_page, sign_in, shoot):
    page = open_page(viewport=PHONE, language="fr")
    sign_in(page, table.gm)
    page.goto(f"/notes/campaign/{table.campaign.pk}/")
    text = page.locator("textarea[name=text]")
    text.focus()
    page.keyboard.insert_text("Neige. " * 8572)
    page.get_by_role("button", name="Enregistrer").click()
    told = page.locator(".field-error")
    expect(told).to_contain_text("Cette note en a")
    expect(told).to_be_in_viewport(ratio=1)
    assert len(text.input_value()) == 60_004
    shoot(page, "note-too-long")
