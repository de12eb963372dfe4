"""Money offered with terms (B-80): who pays whom, when, and how it is taken back."""

from __future__ import annotations

import pytest

from armies.breaking_point.sieges import services as sieges_services
from armies.breaking_point.sieges.queries import build_siege_page
from kingdom.campaign.services import update_campaign
from kingdom.chronicle.services import undo_last
from kingdom.models import Kingdom, LedgerEntry
from kingdom.realms.services import update_kingdom
from kingdom.realms.treasury_services import record_entry
from rules.core.dice import TypedDie
from rules.core.errors import IllegalCommand, InvalidInput
from tests.armies.breaking_point.sieges.tables import again
from tests.armies.breaking_point.sieges.test_pages import at, browser, send

pytestmark = pytest.mark.django_db


def die(army, *faces: int) -> list[TypedDie]:
    return [TypedDie(str(army.pk), "terms", faces)]


def purses(walls) -> tuple[int, int]:
    found = dict(Kingdom.objects.values_list("pk", "treasury"))
    return found[walls.host.kingdom_id], found[walls.crown.pk]


@pytest.fixture
def rich(walls, laid):
    """The horde has 30 BP."""
    record_entry(by=walls.gm, kingdom=walls.host.kingdom, amount=10, reason="Loot")
    return laid


def test_b80_money_is_paid_to_the_garrisons_kingdom_once_terms_are_taken(walls, rich):
    sieges_services.offer_terms(by=walls.bo, siege=rich, typed=die(walls.host, 9), money=20)
    assert again(rich).status in ("honours", "unconditional")
    assert purses(walls) == (10, 120)
    moved = LedgerEntry.objects.order_by("-pk")[:2]
    assert sorted(entry.amount for entry in moved) == [-20, 20]


def test_b80_refused_terms_cost_nothing(walls, rich):
    sieges_services.offer_terms(by=walls.bo, siege=rich, typed=die(walls.host, 1, 10, 10, 10, 2), money=20)
    assert again(rich).status == "open"
    assert purses(walls) == (30, 100)


def test_b80_undoing_the_fall_of_the_place_gives_the_money_back(walls, rich):
    sieges_services.offer_terms(by=walls.bo, siege=rich, typed=die(walls.host, 9), money=20)
    undo_last(by=walls.gm, campaign=walls.campaign)
    assert again(rich).status == "open"
    assert purses(walls) == (30, 100)


def test_b80_nobody_offers_what_he_does_not_have(walls, rich):
    with pytest.raises(IllegalCommand, match="needs 1 BP more") as refused:
        sieges_services.offer_terms(by=walls.bo, siege=rich, typed=die(walls.host, 9), money=31)
    assert refused.value.field == "/money"
    assert (again(rich).status, again(rich).state["heard"], purses(walls)) == ("open", None, (30, 100))


@pytest.mark.parametrize("money", [-1, 10**12])
def test_b80_money_is_a_whole_number_of_build_points(walls, rich, money):
    with pytest.raises(InvalidInput) as refused:
        sieges_services.offer_terms(by=walls.bo, siege=rich, typed=die(walls.host, 9), money=money)
    assert refused.value.field == "/money"


def test_b80_where_garrisons_have_no_price_money_is_refused(walls, rich):
    update_campaign(by=walls.gm, campaign=walls.campaign, house_rules={"price": 0})
    with pytest.raises(IllegalCommand, match="no price"):
        sieges_services.offer_terms(by=walls.bo, siege=rich, typed=die(walls.host, 9), money=5)


def test_b80_money_is_offered_by_the_api(walls, rich):
    dice = [{"army": str(walls.host.pk), "roll": "terms", "values": [9]}]
    done = send(walls.bo, rich, type="terms", dice=dice, money=20)
    assert done.status_code == 200, done.content
    assert any("20 BP" in line["text"] for line in done.json()["log"])
    assert purses(walls) == (10, 120)
    odd = send(walls.bo, rich, type="assault", money=3)
    assert (odd.status_code, odd.json()["errors"][0]["pointer"]) == (400, "/money")


def test_b80_money_is_offered_on_the_page_and_kept_while_dice_are_asked_for(walls, rich):
    client, url, key = browser(walls.bo), at("siege_terms", rich), f"{walls.host.pk}|terms|10"
    asked = client.post(url, {"version": str(again(rich).version), "dice_by": "table", "money": "20"})
    assert 'name="money" value="20"' in asked.content.decode()
    sent = {"version": str(again(rich).version), "how": "asked", "die": [key], "face": ["9"], "need": [""],
            "settled": "0", "money": "20"}  # fmt: skip
    client.post(url, sent)
    assert purses(walls) == (10, 120)


def test_b80_the_price_of_the_garrison_is_not_the_besiegers_to_know(walls, rich):
    price = build_siege_page(walls.gm, again(rich)).price
    assert price
    assert build_siege_page(walls.bo, again(rich)).price is None
    assert build_siege_page(walls.ana, again(rich)).price == price


def test_b80_a_kingdom_without_a_treasury_offers_and_gains_nothing(walls, rich):
    update_kingdom(by=walls.gm, kingdom=walls.host.kingdom, without_treasury=True)
    with pytest.raises(IllegalCommand, match="has no treasury") as refused:
        sieges_services.offer_terms(by=walls.bo, siege=rich, typed=die(walls.host, 9), money=5)
    assert refused.value.field == "/money"
    update_kingdom(by=walls.gm, kingdom=walls.host.kingdom, without_treasury=False)
    update_kingdom(by=walls.gm, kingdom=walls.crown, without_treasury=True)
    sieges_services.offer_terms(by=walls.bo, siege=rich, typed=die(walls.host, 9), money=20)
    assert purses(walls) == (10, 100)
