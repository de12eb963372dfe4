"""Army cards to print: four of A6 on a page of A4, nothing cut, and only what the reader may know."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from armies.pathfinder.models import PathfinderArmy
from armies.ruleset_ui import list_army_uis
from kingdom.campaign.services import create_campaign
from kingdom.realms.services import found_kingdom
from kingdom.templatetags.paper import boxes
from rules.core.breakdown import OnPaper
from rules.pathfinder.ruleset import COMBAT_DE_MASSE
from tests.armies.conftest import appointed, orc, raised
from tests.browsing import NARROW, PHONE, overflow
from tests.everyday import at_most, everyday
from tests.kingdom.conftest import make_user
from tests.paper import pages_printed


def cards_of(user, kingdom, *armies) -> tuple[int, str]:
    client = Client()
    client.force_login(user)
    wanted = {"army": [str(army.pk) for army in armies]}
    page = client.get(reverse("armies:cards", args=[kingdom.pk]), wanted)
    return page.status_code, page.content.decode()


def names_on(page: str) -> list[str]:
    return re.findall(r'<h2 id="card-[^"]*">([^<]*)</h2>', page)


def count(path: str, html: object) -> int:
    found = re.search(rf'class="{path}" d="([^"]*)"', str(html))
    return found.group(1).count("M") if found else 0


@pytest.mark.parametrize(
    ("whole", "left", "brink", "drawn"),
    [(49, 40, 9, (9, 40, 9)), (5, 5, 9, (5, 0, 0)), (400, 0, 20, (20, 380, 400)), (3, -2, 0, (0, 3, 3))],
)
def test_there_is_a_box_a_hit_point_grey_at_the_brink_and_crossed_out_where_lost(whole, left, brink, drawn) -> None:
    html = boxes(OnPaper("a", "Levy", left, whole, brink=brink))
    assert (count("risk", html), count("safe", html), count("struck", html)) == drawn


@pytest.mark.parametrize("whole", [0, 401])
def test_who_has_no_health_or_too_much_of_it_gets_no_boxes(whole: int) -> None:
    assert boxes(OnPaper("a", "Levy", whole, whole)) == ""


def test_the_cards_of_a_kingdom_are_those_of_its_standing_armies(war) -> None:
    raised(war.gm, war.crown, "Gone", count=100)
    PathfinderArmy.objects.filter(name="Gone").update(status="disbanded")
    status, page = cards_of(war.ana, war.crown)
    assert status == 200
    assert names_on(page) == ["Levy"]
    assert "Ser Vell" in page
    assert "Defensive" in page


def test_one_chosen_army_has_its_card_alone(war) -> None:
    second = raised(war.gm, war.crown, "Second", count=100)
    assert names_on(cards_of(war.ana, war.crown, second)[1]) == ["Second"]
    assert names_on(cards_of(war.ana, war.crown)[1]) == ["Levy", "Second"]


def test_a_card_tells_nobody_what_he_may_not_know(war) -> None:
    status, page = cards_of(war.ana, war.horde)
    assert status == 200
    assert "Raiders" not in page
    assert cards_of(war.ana, war.horde, war.raiders)[0] == 404
    assert cards_of(war.stranger, war.crown)[0] == 404


def test_cards_cost_the_same_for_one_army_and_for_many(war, django_assert_max_num_queries) -> None:
    client = Client()
    client.force_login(war.ana)
    for number in range(9):
        raised(war.gm, war.crown, f"Levy {number}", count=100)
    with django_assert_max_num_queries(10):
        client.get(reverse("armies:cards", args=[war.crown.pk]))


def test_every_law_prints_its_armies() -> None:
    for ui in list_army_uis():
        assert ui.stages
        assert callable(ui.on_paper)


PLAIN_ABILITIES = [
    {"ability": slug}
    for slug, ability in COMBAT_DE_MASSE.abilities.items()
    if ability.value == "none" and not ability.options and ability.summary
]
LOADED = orc(hit_die="d12", cr="8", abilities=PLAIN_ABILITIES[:12])


@pytest.mark.parametrize("language", everyday(["fr", "en"], first=1))
def test_four_cards_lie_on_a_page_and_nothing_on_them_is_cut(
    open_page, sign_in, transactional_db, shoot, language
) -> None:
    gm = make_user("gm")
    campaign = create_campaign(by=gm, name="Restov marches", ruleset="combat-de-masse")
    crown = found_kingdom(by=gm, campaign=campaign, name="Crown of Restov", treasury=500)
    vell = appointed(gm, crown, "Dame Ysolde Marrec, warden of the northern marches", level=16)
    raised(gm, crown, "The loaded host of the hundred banners of Restov", unit=LOADED, count=2000, commander=vell)
    for number in range(4):
        raised(gm, crown, f"Levy {number}")
    page = open_page(language=language)
    sign_in(page, gm)
    page.goto(reverse("armies:cards", args=[crown.pk]))
    page.emulate_media(media="print")
    assert page.locator(".a6").count() == 5
    for card in page.locator(".a6").all():
        box, room = card.bounding_box(), card.locator(".p-notes").bounding_box()
        assert card.evaluate("card => card.scrollWidth <= card.clientWidth")
        assert room["y"] + room["height"] <= box["y"] + box["height"], "what stands on it is cut"
        assert room["height"] > 60, "no room to write"
    shoot(page.locator(".desktop-paper"), f"cards-{language}")
    assert pages_printed(page) == 2


def test_on_a_phone_the_cards_stand_below_each_other_with_nothing_cut(open_page, sign_in, transactional_db) -> None:
    gm = make_user("gm")
    crown = found_kingdom(by=gm, campaign=create_campaign(by=gm, name="Restov marches", ruleset="combat-de-masse"),
                          name="Crown of Restov", treasury=500)  # fmt: skip
    for name in ("The loaded host of the hundred banners of Restov", "Levy"):
        raised(gm, crown, name, unit=LOADED)
    page = open_page(viewport=PHONE, language="fr")
    sign_in(page, gm)
    for width in at_most([PHONE], full=[PHONE, NARROW]):
        page.set_viewport_size(width)
        page.goto(reverse("armies:cards", args=[crown.pk]))
        assert overflow(page) <= 0
        first, second = (card.bounding_box() for card in page.locator(".a6").all())
        assert first["x"] + first["width"] <= width["width"]
        assert first["y"] + first["height"] <= second["y"]
        assert all(notes.bounding_box()["height"] > 60 for notes in page.locator(".a6 .p-notes").all())
        assert page.locator(".a6, .a6 *").evaluate_all(
            "all => all.every((one) => one.getBoundingClientRect().right <= innerWidth)"
        )
