"""Pages that follow their campaign, in a real browser: what others do comes by itself, what is half done stays."""

from __future__ import annotations

import re
from time import monotonic

import pytest
from playwright.sync_api import expect

from kingdom.members.services import hand_over
from kingdom.notes.services import write_note
from kingdom.realms.services import update_kingdom
from kingdom.realms.treasury_services import record_entry
from tests.browsing import OWN_LINE, PHONE, following
from tests.kingdom.conftest import build_subject


def row_of(page, name):
    """A member's row."""
    return page.locator("tr", has=page.locator("td:first-child", has_text=re.compile(rf"^\s*{name}\b")))


def until(page, happened):
    """Wait for something that the page's requests do here."""
    deadline = monotonic() + 10
    while not happened():
        assert monotonic() < deadline
        page.wait_for_timeout(10)


def test_a_page_follows_the_gm_while_its_reader_types_on_his_phone(open_page, sign_in, table):
    phone = open_page(viewport=PHONE)
    sign_in(phone, table.ana)
    phone.goto(f"/kingdoms/{table.crown.pk}/")
    following(phone)
    phone.wait_for_timeout(300)
    phone.get_by_text("New entry").click()
    reason = phone.locator("#treasury input[name=reason]")
    reason.fill("Tolls of the b")
    reason.press("r")
    reason.evaluate("field => field.setSelectionRange(3, 3)")
    before = phone.evaluate("scrollY")
    record_entry(by=table.gm, kingdom=table.crown, amount=37, reason="A gift of the king")
    expect(phone.locator("#treasury table")).to_contain_text("A gift of the king")
    expect(reason).to_have_value("Tolls of the br")
    expect(reason).to_be_focused()
    assert reason.evaluate("field => field.selectionStart") == 3
    assert abs(phone.evaluate("scrollY") - before) < 120, "only what grew above it moved it"
    phone.keyboard.type("!")
    expect(reason).to_have_value("Tol!ls of the br")

    sign_in(phone, table.gm)  # the page in place: what is handed over shows, and the sent form is empty again
    phone.goto(f"/c/{table.campaign.pk}/members/")
    row = row_of(phone, "bo")
    row.locator("select[name=kingdom]").select_option(label="Crown (ana)")
    row.locator("[name=alone]").check()
    row.get_by_role("button", name="Assign kingdom").click()
    expect(row.get_by_role("link", name="Crown")).to_be_visible()
    expect(phone.locator("#messages")).to_contain_text("bo now plays Crown")
    expect(row.locator("select[name=kingdom]")).to_have_count(0)
    expect(row_of(phone, "ana")).to_contain_text("no kingdom yet")


@pytest.mark.slow
def test_a_page_whose_line_is_cut_says_so_and_catches_up_and_a_kingdom_arrives_by_itself(page, sign_in, table):
    hand_over(by=table.gm, kingdom=table.crown, player=table.bo)
    sign_in(page, table.ana)
    page.add_init_script(OWN_LINE)
    page.route("**/live/**", lambda route: route.abort())
    page.goto(f"/c/{table.campaign.pk}/")
    expect(page.locator("#connection-lost")).to_be_visible()
    expect(page.get_by_role("heading", name="You have no kingdom yet")).to_be_visible()
    update_kingdom(by=table.gm, kingdom=table.horde, name="The Great Horde")
    hand_over(by=table.gm, kingdom=table.crown, player=table.ana)
    page.unroute("**/live/**")
    expect(page.locator("#connection-lost")).to_be_hidden()
    expect(page.locator("#realms")).to_contain_text("The Great Horde")
    expect(page.get_by_role("heading", name="You have no kingdom yet")).to_have_count(0)


def test_what_is_half_typed_stays_on_the_pages_of_time_campaign_and_army(page, sign_in, table):
    sign_in(page, table.gm)
    base = f"/c/{table.campaign.pk}/"
    for place, opened, name, typed in (
        (f"{base}time/", "Several days", "days", "12"),
        (base, "First steps", f"town-{table.crown.pk}", "Old Rest"),
        (f"/armies/{table.watch.pk}/", "Set location", "place", "The old fo"),
    ):
        page.goto(place)
        following(page)
        page.wait_for_timeout(300)
        if opened:
            page.get_by_text(opened).first.click()
        field = page.locator(f"main input[name='{name}']:visible")
        field.fill(typed[:-1])
        field.press("End")
        field.press(typed[-1])
        shown = f"Crown while {typed} is typed"
        update_kingdom(by=table.gm, kingdom=table.crown, name=shown)
        expect(page.locator("main")).to_contain_text(shown)
        expect(field).to_have_value(typed)
        expect(field).to_be_focused()


def test_what_was_done_here_is_answered_though_the_page_changes_meanwhile(page, sign_in, table):
    """The note is gone for everybody as soon as it is deleted; whoever deleted it may bring it back all the same."""
    write_note(by=table.gm, about=build_subject("army", table.watch), text="Too much said")
    sign_in(page, table.gm)
    page.goto(f"/armies/{table.watch.pk}/")
    following(page)
    held, note = [], page.locator("#notes article")
    page.locator("#notes").scroll_into_view_if_needed()
    expect(note).to_be_visible()
    page.route("**/delete/", lambda route: held.append((route, route.fetch())))
    page.wait_for_timeout(300)
    looks = []
    page.on("request", lambda request: "live-seen" in request.headers and looks.append(request))
    note.get_by_role("button", name="Delete").click()
    update_kingdom(by=table.gm, kingdom=table.crown, name="The Crown of Restov")
    until(page, lambda: held)
    page.wait_for_function("look.due")  # it was told, and puts it off
    (route, answer) = held.pop()
    route.fulfill(response=answer)
    expect(note.get_by_role("button", name="Restore")).to_be_visible()
    expect(page.locator("main")).to_contain_text("The Crown of Restov")
    expect(note.get_by_role("button", name="Restore")).to_be_visible()
    assert looks, "what happened meanwhile is drawn afterwards"


def test_whoever_signs_out_is_led_where_that_leads_though_the_page_he_leaves_hears_of_it_first(page, sign_in, table):
    """And not to sign in again, for what they have just left."""
    held = []
    sign_in(page, table.gm)
    page.route("**/accounts/logout/", lambda route: held.append((route, route.fetch(max_redirects=0))))
    page.goto(f"/c/{table.campaign.pk}/chronicle/")
    following(page)
    page.locator("details.account summary").click()
    with page.expect_response(re.compile("/accounts/login/")):  # what the page gets that looks again
        page.get_by_role("button", name="Sign out").click(no_wait_after=True)
    page.wait_for_timeout(300)
    assert page.url.endswith("/chronicle/")
    ((route, answer),) = held
    route.fulfill(response=answer)
    expect(page.get_by_role("link", name="Sign in").first).to_be_visible()
    assert "next=" not in page.url
