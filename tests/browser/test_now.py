"""The campaign's page says what waits, a new link is copied, a strip unrolls once, a player is done: in a browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from kingdom.campaign.services import update_campaign
from kingdom.models import Invitation
from rules.pathfinder.battle.orders.commands import GiveOrder, Resolve
from rules.pathfinder.battle.state.battle_state import Order
from tests.browser.conftest import play
from tests.browsing import LAPTOP, NARROW, PHONE, following, overflow
from tests.everyday import everyday
from tests.kingdom.conftest import client_of, make_user, seat

UNROLLS = "() => getComputedStyle(document.getElementById('verdict')).animationName"


@pytest.fixture
def busy(table, running):
    """Two newcomers without a kingdom, a request that waits, first steps that are not all done."""
    for name in ("nadia", "tom"):
        seat(table.gm, table.campaign, make_user(name), "player")
    update_campaign(by=table.gm, campaign=table.campaign, players_may={"treasury": "ask"}, first_steps=True)
    client_of(table.ana).post(f"/kingdoms/{table.crown.pk}/ledger/", {"amount": "4", "reason": "A watchtower"})
    return table


@pytest.mark.parametrize(
    "viewport, dark, language",
    everyday([(NARROW, False, "fr"), (LAPTOP, True, "en"), (PHONE, False, "en"), (LAPTOP, False, "fr")], first=2),
)
def test_what_waits_stands_first_and_fits(busy, open_page, sign_in, accessibility, shoot, viewport, dark, language):
    for who in ("gm", "ana"):
        page = open_page(viewport=viewport, dark=dark, language=language)
        sign_in(page, getattr(busy, who))
        page.goto(f"/c/{busy.campaign.pk}/")
        assert overflow(page) <= 0
        assert accessibility(page) == []
        cards = page.locator(".now-card")
        edges = cards.evaluate_all("all => all.map((card) => card.classList.contains('yours'))")
        assert edges == sorted(edges, reverse=True)
        assert edges[0]
        first = cards.first.bounding_box()
        assert first["y"] < page.locator("#realms").bounding_box()["y"]
        due = page.locator(".now-card .button.primary")
        assert due.count() == 1
        expect(due).to_be_in_viewport(ratio=1)  # one screen, on a phone too
        shoot(page, f"now-{who}-{viewport['width']}-{'dark' if dark else 'light'}-{language}")


def test_orders_that_come_in_show_by_themselves_on_the_campaigns_page(busy, running, open_page, sign_in):
    page = open_page()
    sign_in(page, busy.ana)
    page.goto(f"/c/{busy.campaign.pk}/")
    following(page)
    card = page.locator(f"#now-battle-{running.pk}")
    expect(card).to_contain_text("0 of 2 orders in")
    expect(card.get_by_role("link", name="Give orders")).to_be_visible()
    expect(page.locator("#battles-wait")).to_contain_text("1")
    play(busy, running, GiveOrder(Order(str(busy.watch.pk))))
    expect(card).to_contain_text("1 of 2 orders in")
    expect(card).to_contain_text("Waiting for Raiders")
    expect(card.get_by_role("link", name="Watch")).to_be_visible()
    expect(page.locator("#battles-wait")).to_be_empty()


def test_the_gm_answers_on_the_card_and_unfolds_the_first_steps(busy, open_page, sign_in):
    page = open_page()
    sign_in(page, busy.gm)
    page.goto(f"/c/{busy.campaign.pk}/")
    expect(page.locator("#first-steps .checklist")).to_be_hidden()
    page.locator("#first-steps summary").first.click()
    expect(page.locator("#first-steps .open .primary")).to_be_visible()
    expect(page.get_by_role("button", name="Approve")).to_be_hidden()
    asked = page.locator("#now-requests .told > p")
    expect(asked).to_contain_text(
        re.compile(r"ana ·\s+If approved: “Crown, ledger: .+ \(A watchtower\)\.”\s+Treasury 100\s+→")
    )
    page.locator("#requests > summary").click()
    page.get_by_role("button", name="Approve").click()
    expect(page.locator("#now-requests")).to_have_count(0)


@pytest.mark.parametrize("scripts", [True, False])
def test_a_new_link_stands_under_its_button_to_be_copied(table, open_page, sign_in, accessibility, shoot, scripts):
    page = open_page(viewport=PHONE, java_script_enabled=scripts)
    if scripts:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.add_init_script("Navigator.prototype.share = async (what) => { window.shared = what.url; };")
    sign_in(page, table.gm)
    page.goto(f"/c/{table.campaign.pk}/members/")
    form = page.locator("form:has(select[name=kingdom]):has(#id_uses)")
    form.locator("select[name=kingdom]").select_option(label="Crown")
    form.get_by_role("button", name="Create a link").click()
    field = page.locator("#made-link")
    expect(field).to_have_value(re.compile(Invitation.objects.latest("id").token))
    button = form.locator("button.primary").bounding_box()
    assert button["y"] < field.bounding_box()["y"] < button["y"] + 160
    assert overflow(page) <= 0
    copy = form.get_by_role("button", name="Copy")
    if scripts:
        copy.click()
        expect(form.locator("[data-copy]")).to_have_text("Copied.")
        assert page.evaluate("() => navigator.clipboard.readText()") == field.input_value()
        form.get_by_role("button", name="Share").click()
        assert page.evaluate("window.shared") == field.input_value()
        assert accessibility(page, contrasts=True) == []
    else:
        expect(copy).to_be_hidden()
        expect(form.locator("[data-share]")).to_be_hidden()
    expect(form.get_by_role("img", name="QR code of the invitation link")).to_be_visible()
    shoot(page, f"new-link-{scripts}")


def test_a_link_is_copied_and_told_so_where_a_page_has_no_clipboard(table, open_page, sign_in):
    """Over plain HTTP, as phones reach a laptop at the table, *Copy* did nothing."""
    page = open_page()
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined });")
    sign_in(page, table.gm)
    page.goto(f"/c/{table.campaign.pk}/members/")
    page.get_by_role("button", name="Create a link").click()
    field = page.locator("#made-link")
    link = field.input_value()
    page.locator(".copied [data-copy]").click()
    expect(page.locator(".copied [data-copy]")).to_have_text("Copied.")
    page.locator("#id_uses").fill("")
    page.locator("#id_uses").evaluate("input => { input.type = 'text'; }")
    page.locator("#id_uses").press("Control+V")
    expect(page.locator("#id_uses")).to_have_value(link)
    expect(page.locator(".copied [data-copy]")).to_have_text("Copy")


def test_a_strip_unrolls_once_a_resolution(table, running, open_page, sign_in):
    page = open_page(still=False)
    sign_in(page, table.ana)
    page.goto(f"/battles/{running.pk}/")
    play(table, running, Resolve())
    expect(page.locator("#verdict")).to_contain_text("Melee 1")
    assert page.evaluate(UNROLLS) == "unroll"
    play(table, running, GiveOrder(Order(str(table.raiders.pk))))
    expect(page.locator(".foot .state")).to_contain_text("1 of 2")
    assert page.evaluate(UNROLLS) == "none", "drawn anew, it is no news"
    page.reload()
    assert page.evaluate(UNROLLS) == "none"
    page.goto(f"/c/{table.campaign.pk}/")
    page.go_back()
    assert page.evaluate(UNROLLS) == "none"
    play(table, running, Resolve())
    expect(page.locator("#verdict")).to_contain_text("Melee 2")
    assert page.evaluate(UNROLLS) == "unroll"


@pytest.mark.parametrize("viewport", [NARROW, PHONE, {"width": 900, "height": 800}, LAPTOP], ids=lambda v: v["width"])
def test_a_strip_breaks_no_name(table, running, open_page, sign_in, shoot, viewport):
    play(table, running, Resolve())
    page = open_page(viewport=viewport)
    sign_in(page, table.viewer)
    page.goto(f"/battles/{running.pk}/")
    lines = page.evaluate(
        """() => {
          const list = document.querySelector('#verdict > ol');
          const whole = list.children[0];
          for (const name of ['The Silver Lances of Restov', 'Tuskwater boatmen', 'Bog trolls of the Slough']) {
            const line = whole.cloneNode(true);
            line.querySelector('b').textContent = name;
            list.append(line);
          }
          const broken = (node) => [...node.data.matchAll(/\\S+/g)].filter((word) => {
            const range = document.createRange();
            range.setStart(node, word.index);
            range.setEnd(node, word.index + word[0].length);
            return range.getClientRects().length > 1;
          });
          const walk = document.createTreeWalker(list, NodeFilter.SHOW_TEXT);
          let words = 0;
          while (walk.nextNode()) words += broken(walk.currentNode).length;
          return [words, ...[...list.querySelectorAll('li b')].map((name) => name.getClientRects().length - 1)];
        }"""
    )
    words, *names = lines
    assert words == 0
    if viewport != NARROW:  # there a long name takes two lines, between its words
        assert names == [0] * len(names)
    assert overflow(page) <= 0
    shoot(page.locator("#verdict"), f"strip-{viewport['width']}")


def test_a_phone_with_all_its_orders_in_says_so_and_whom_the_table_waits_for(
    table, running, open_page, sign_in, accessibility, shoot
):
    phone = open_page(viewport=PHONE)
    sign_in(phone, table.ana)
    phone.goto(f"/battles/{running.pk}/")
    expect(phone.locator("#done")).to_have_count(0)
    phone.locator("button.give").click()
    expect(phone.locator("#done")).to_contain_text("You are done")
    expect(phone.locator("#done")).to_contain_text("Waiting for Raiders.")
    whole = "small => small.scrollWidth <= small.clientWidth && small.scrollHeight <= small.clientHeight + 1"
    assert phone.locator("#done small").evaluate(whole), "whom it waits for is read whole"
    expect(phone.locator("#battles-wait")).to_be_empty()
    assert accessibility(phone) == []
    shoot(phone, "done")
    play(table, running, GiveOrder(Order(str(table.raiders.pk))))
    expect(phone.locator("#done")).to_contain_text("Waiting for the GM.")
    play(table, running, Resolve())
    expect(phone.locator("#done")).to_have_count(0)


def test_a_confirmed_aftermath_leads_on(table, settled, open_page, sign_in, accessibility, shoot):
    page = open_page(viewport=PHONE)
    sign_in(page, table.gm)
    page.goto(f"/battles/{settled.pk}/aftermath/")
    foot = page.locator(".foot")
    expect(foot.locator("#to-campaign")).to_be_in_viewport()
    for name, address in (("to-report", "/report/"), ("to-share", f"/shares/?what=report:{settled.pk}")):
        assert foot.locator(f"#{name}").get_attribute("href").endswith(address)
    assert overflow(page) <= 0
    assert accessibility(page) == []
    shoot(page, "leads-on")
    foot.locator("#to-campaign").click()
    expect(page).to_have_url(re.compile(f"/c/{table.campaign.pk}/$"))
