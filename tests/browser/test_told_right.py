"""What strangers stumbled over, in a real browser: words in the middle of their buttons, notices that take back what
they tell, what can be done next, and forms that say at once that they would be refused.
"""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from armies.breaking_point.sieges import services as sieges_services
from kingdom.campaign.services import create_campaign
from tests.armies.breaking_point.sieges.conftest import laid, walls  # noqa: F401 (fixtures)
from tests.armies.breaking_point.sieges.tables import again
from tests.browsing import LAPTOP, PHONE, overflow
from tests.everyday import everyday
from tests.kingdom.conftest import make_user

pytestmark = pytest.mark.django_db(transaction=True)
LOOKS = everyday(["fr dark phone", "en light laptop", "fr light phone", "en dark laptop"], first=1)
ASIDE = """() => [...document.querySelectorAll("button, .button")].filter((one) => one.querySelector(".visually-hidden")
  && one.getClientRects().length && getComputedStyle(one).justifyContent === "center").map((one) => {
  const box = one.getBoundingClientRect(), seen = [], range = document.createRange();
  const walk = document.createTreeWalker(one, NodeFilter.SHOW_ALL);
  for (let node; (node = walk.nextNode());) {
    const around = node.nodeType === 3 ? node.parentElement : node;
    if (around.closest(".visually-hidden") || !(node.nodeType === 3 ? node.data.trim() : node.matches("svg"))) continue;
    range.selectNode(node);
    seen.push(...range.getClientRects());
  }
  const start = Math.min(...seen.map((rect) => rect.left)) - box.left;
  const end = box.right - Math.max(...seen.map((rect) => rect.right));
  return [one.textContent.trim().split(/\\s+/)[0], Math.round(end - start)];
}).filter(([, aside]) => Math.abs(aside) > 1)"""


@pytest.fixture(params=LOOKS)
def look(request, open_page):
    """A page as somebody has it, and what its picture is called."""
    language, light, where = request.param.split()
    page = open_page(viewport=PHONE if where == "phone" else LAPTOP, dark=light == "dark", language=language)
    return page, request.param.replace(" ", "-")


def test_words_stand_in_the_middle_of_buttons_that_say_more_to_those_who_listen(look, sign_in, shoot):
    page, name = look
    owner = make_user("ana")
    sign_in(page, owner)
    page.goto("/")
    assert page.locator("#begin button .visually-hidden").count() > 1
    assert page.evaluate(ASIDE) == []
    assert overflow(page) <= 0
    shoot(page, f"begin-{name}")


def test_an_army_under_siege_leads_to_it_terms_are_taken_back_at_once_and_a_battle_to_be_fought_leads_there(
    walls, laid, look, sign_in, shoot, accessibility  # noqa: F811
):  # fmt: skip
    """At the end two campaigns are of one name."""
    page, name = look
    sign_in(page, walls.gm)
    page.goto(reverse("armies:army_edit", args=[walls.host.pk]))
    expect(page.locator("#held")).to_be_visible()
    assert overflow(page) <= 0
    shoot(page, f"held-{name}")
    page.locator("main .button.primary").click()
    expect(page.locator("#siege")).to_be_visible()
    assert page.url.endswith(reverse("armies:siege", args=[laid.pk]))
    page.locator('[name="dice_by"][value="table"]').check()
    page.locator("form[action$='/terms/'] button.primary").click()
    page.locator("[name='face']").fill("2")
    page.locator("#apply-dice").click()
    undo = page.locator("#messages form[action$='/undo/'] button")
    expect(undo).to_be_visible()
    shoot(page, f"terms-refused-{name}")
    assert overflow(page) <= 0
    assert accessibility(page) == []
    undo.click()
    expect(page.locator("form[action$='/terms/'] button.primary")).to_be_visible()
    expect(page.locator("#messages .message.success")).to_be_visible()
    assert page.url.endswith(reverse("armies:siege", args=[laid.pk]))
    sieges_services.begin_assault(by=walls.bo, siege=again(laid))
    page.goto(reverse("armies:siege", args=[laid.pk]))
    assert page.locator("main .primary").count() == 1
    assert "/battles/new/" in page.locator("main .primary").get_attribute("href")
    expect(page.locator("#battle-elsewhere form")).to_be_hidden()
    shoot(page, f"siege-assault-{name}")
    page.locator("#battle-elsewhere > summary").click()
    expect(page.locator("#battle-elsewhere form")).to_be_visible()
    assert overflow(page) <= 0
    shoot(page, f"siege-elsewhere-{name}")
    create_campaign(by=walls.gm, name=walls.campaign.name, ruleset="breaking-point")
    page.goto("/")
    assert page.locator(".cards .card small").count() == 2
    assert overflow(page) <= 0
    shoot(page, f"namesakes-{name}")
