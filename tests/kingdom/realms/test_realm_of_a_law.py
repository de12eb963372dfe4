"""What a kingdom holds is its law's to say: pages, forms, API and chronicle show that and nothing else."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from kingdom.campaign.services import create_campaign
from kingdom.models import Campaign, Kingdom
from kingdom.realms.api import KingdomViewSet, SettlementViewSet
from kingdom.realms.figures import check_target
from kingdom.realms.services import found_kingdom, found_settlement, update_kingdom
from rules import registry
from rules.core.breakdown import Breakdown, Line
from rules.core.content import Item
from rules.core.errors import IllegalCommand, InvalidInput, demand
from rules.core.text import Term
from rules.house import NO_HOUSE_RULES, NothingSet
from rules.realm import NO_REALM, BriefFigure, Checks, KingdomCheck, NoRealm, Notice, RealmFigures, SheetFigure, Ware
from tests.kingdom.conftest import api_of, shapes_of

pytestmark = pytest.mark.django_db

BARE, HARBOUR, NOTHING = Term("Bare"), Term("Harbours"), NothingSet()


@dataclass(frozen=True)
class Law:
    """A law of nothing but its realm."""

    slug: str = "bare"
    name: Term = BARE
    version: str = "1"
    family: str = "bare"
    realm: NoRealm = NO_REALM
    house: Any = NOTHING
    house_rules: Any = NO_HOUSE_RULES
    catalogues: Any = field(default_factory=dict)

    def with_house(self, stored: Any) -> Law:
        return self


PIER = Item("pier", Term("Pier"), "SEA-3", Term("Ships land here."))
ROPE = Item("rope", Term("Rope"), "SEA-4")


class Harbours(NoRealm):
    """Kingdoms that live by trade: one attribute, a die of six, piers."""

    def derive(self, figures: RealmFigures) -> Mapping[str, Breakdown]:
        return {"tide": Breakdown((Line(Term("Coast"), figures["size"] or 0, "SEA-2"),))}

    def glance(self, figures: RealmFigures) -> Sequence[BriefFigure]:
        return (BriefFigure(Term("Trade"), figures["economy"] or 0),)

    def notices(self, figures: RealmFigures) -> Sequence[Notice]:
        return () if figures["economy"] else (Notice(Term("Nothing is traded any more."), True),)

    def check(self, *, attribute: str, figures: RealmFigures, dc: int, roll: int) -> KingdomCheck:
        lines = Breakdown((Line(Term("d6"), roll, "SEA-2"),)).plus(Term("Trade"), figures[attribute] or 0, "SEA-2")
        return KingdomCheck(attribute, roll, dc, lines.total >= dc, lines, Term("by the tide"))

    def check_buildings(self, counted: Mapping[str, int], *, districts: int) -> None:
        demand(counted.get("pier", 0) <= 2, Term("Two piers are enough."), field="/buildings")


HARBOURS = Harbours(
    rule="SEA-1",
    market_rule="SEA-4",
    sheet={
        "economy": SheetFigure(Term("Trade"), 0, 9, 2, attribute=True, remembered=True),
        "size": SheetFigure(Term("Miles of coast"), 0, 50, 5, gm=True),
    },
    derived={"tide": Term("Tide")},
    checks=Checks(6, "tide", Term("d6 + trade, against the tide."), "SEA-2"),
    buildings={"pier": PIER},
    wares=(Ware(ROPE, ("pier",)),),
)


@pytest.fixture(autouse=True)
def _laws(monkeypatch, contribute) -> None:
    """Panels of other apps tell of armies, which these laws have none of."""
    monkeypatch.setitem(registry.RULESETS, "bare", Law())
    monkeypatch.setitem(registry.RULESETS, "harbours", Law("harbours", HARBOUR, realm=HARBOURS))
    contribute(slots=[])


def realm(gm, ruleset: str, **figures: Any) -> Kingdom:
    campaign: Campaign = create_campaign(by=gm, name="Coast", ruleset=ruleset)
    return found_kingdom(by=gm, campaign=campaign, name="Restov", treasury=7, **figures)


WORDS = ("Economy", "Loyalty", "Stability", "Unrest", "Control DC", "State of the kingdom", "Kingdom check", "Defense",
         "History", "can buy", "building", "Building", "PF-")  # fmt: skip


def pages_of(client, gm, kingdom: Kingdom) -> dict[str, str]:
    client.force_login(gm)
    town = kingdom.settlements.first() or found_settlement(by=gm, kingdom=kingdom, name="Varnhold", districts=2)
    urls = (f"/c/{kingdom.campaign_id}/", f"/kingdoms/{kingdom.pk}/", f"/kingdoms/{kingdom.pk}/edit/",
            f"/c/{kingdom.campaign_id}/kingdoms/new/", f"/kingdoms/{kingdom.pk}/settlements/new/",
            f"/settlements/{town.pk}/", f"/c/{kingdom.campaign_id}/chronicle/")  # fmt: skip
    found = {url: client.get(url) for url in urls}
    assert {url: answer.status_code for url, answer in found.items()} == dict.fromkeys(urls, 200)
    return {url: answer.content.decode() for url, answer in found.items()}


def test_where_a_law_says_nothing_of_kingdoms_no_page_does(client, gm):
    kingdom = realm(gm, "bare")
    for url, page in pages_of(client, gm, kingdom).items():
        assert [word for word in WORDS if word in page] == [], url
        assert ("Restov" in page) or "new/" in url
    page = client.get(f"/kingdoms/{kingdom.pk}/").content.decode()
    assert "7 BP" in page
    assert "Varnhold" in page


def test_the_api_of_such_a_kingdom_has_its_frame_alone(gm):
    kingdom = realm(gm, "bare")
    api, url = api_of(gm), f"/api/v1/kingdoms/{kingdom.pk}/"
    known = {"id": str(kingdom.pk), "campaign": str(kingdom.campaign_id), "name": "Restov", "arms": kingdom.arms}
    told = {**known, "treasury": 7, "without_treasury": False, "players": []}
    read = api.get(url).json()
    assert read == {**told, "updated_at": read["updated_at"]}
    changed = api.patch(url, {**read, "name": "Brevoy"}, format="json").json()
    assert changed == {**told, "name": "Brevoy", "updated_at": changed["updated_at"]}
    for name, value in (("economy", 3), ("alignment", "N"), ("control_dc_override", None)):
        answer = api.patch(url, {name: value}, format="json")
        assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, f"/{name}")
    check = api.post(f"{url}check/", {"attribute": "loyalty"}, format="json")
    assert check.status_code == 409
    towns = "/api/v1/settlements/"
    town = api.post(towns, {"kingdom": str(kingdom.pk), "name": "Varnhold"}, format="json").json()
    assert {name: town[name] for name in town if name not in ("id", "kingdom", "updated_at")} == {
        "name": "Varnhold", "districts": 1, "buildings": [],
    }  # fmt: skip
    for member in ({"buildings": ["castle"]}, {"defense_override": 3}):
        assert api.patch(f"{towns}{town['id']}/", member, format="json").status_code == 400


def test_a_law_has_its_own_words_limits_and_beginnings(client, gm):
    kingdom = realm(gm, "harbours")
    assert (kingdom.economy, kingdom.size) == (2, 5)
    with pytest.raises(InvalidInput):
        update_kingdom(by=gm, kingdom=kingdom, economy=10)
    with pytest.raises(InvalidInput):
        update_kingdom(by=gm, kingdom=kingdom, loyalty=1)
    update_kingdom(by=gm, kingdom=kingdom, economy=0, size=8)
    found_settlement(by=gm, kingdom=kingdom, name="Varnhold", buildings=["pier", "pier"])
    with pytest.raises(InvalidInput, match="Two piers"):
        found_settlement(by=gm, kingdom=kingdom, name="Tatzlford", buildings=["pier"] * 3)
    pages = pages_of(client, gm, kingdom)
    campaign, page, edit, *_others, town, chronicle = pages.values()
    assert re.search(r"<dt>Trade</dt>\s*<dd>0</dd>", campaign)
    told = ("Tide", "Nothing is traded any more.", "d6 rolled at the table", "Pier × 2", "Rope", "SEA-4", "Trade")
    assert [words for words in told if words not in page] == []
    assert ("Miles of coast" in edit, "Loyalty" in edit) == (True, False)
    assert "Ships land here." in town
    assert ("SEA-1" in chronicle, "PF-" in chronicle) == (True, False)


def test_a_law_makes_its_own_checks(client, gm):
    kingdom = realm(gm, "harbours")
    api, url = api_of(gm), f"/api/v1/kingdoms/{kingdom.pk}/"
    check = api.post(f"{url}check/", {"attribute": "economy", "dice": 3}, format="json").json()
    assert (check["total"], check["dc"], check["success"], check["breakdown"][0]["rule"]) == (5, 5, True, "SEA-2")
    assert api.post(f"{url}check/", {"attribute": "economy", "dice": 7}, format="json").status_code == 400
    assert api.post(f"{url}check/", {"attribute": "loyalty"}, format="json").status_code == 400
    client.force_login(gm)
    page = client.post(f"/kingdoms/{kingdom.pk}/check/", {"attribute": "economy", "dice": "3"}).content.decode()
    assert "by the tide" in page
    assert "5 against 5" in page
    told = api.get(url).json()
    assert (told["economy"], told["size"], told["tide"]) == (2, 5, 5)
    assert not {"loyalty", "unrest", "control_dc", "alignment"} & told.keys()


def test_a_law_without_checks_refuses_one_in_words(gm):
    kingdom = realm(gm, "harbours")
    law = Law("harbours", HARBOUR, realm=replace(HARBOURS, checks=None))
    registry.RULESETS["harbours"] = law
    from kingdom.realms.check_services import roll_check

    assert check_target(kingdom) == 0
    with pytest.raises(IllegalCommand, match="no kingdom checks"):
        roll_check(by=gm, kingdom=kingdom, attribute="economy")


def test_the_openapi_document_requires_only_what_every_law_tells():
    schemas = shapes_of(kingdoms=KingdomViewSet, settlements=SettlementViewSet)
    kingdom, town = schemas["Kingdom"], schemas["Settlement"]
    assert {"economy", "control_dc", "tide"} <= kingdom["properties"].keys()
    assert {"id", "name", "treasury"} <= set(kingdom["required"])
    assert not {"economy", "control_dc", "tide", "alignment"} & set(kingdom["required"])
    assert "defense" not in town["required"]
    assert schemas["CheckInputRequest"]["properties"]["dice"]["items"]["maximum"] == 20


def test_a_kingdoms_sheet_is_read_by_the_law_in_force_once_the_campaign_is_held(gm):
    """Whoever waited for the campaign writes by the law that it has then."""
    kingdom = realm(gm, "harbours")
    waiting = Kingdom.objects.select_related("campaign").get(pk=kingdom.pk)
    assert waiting.campaign.ruleset == "harbours"
    Campaign.objects.update(ruleset="bare")
    with pytest.raises(InvalidInput):
        update_kingdom(by=gm, kingdom=waiting, economy=5)
    stale = Campaign.objects.get()
    stale.ruleset = "harbours"
    with pytest.raises(InvalidInput):
        found_kingdom(by=gm, campaign=stale, name="Second", economy=5)
    assert Kingdom.objects.get().economy == kingdom.economy
