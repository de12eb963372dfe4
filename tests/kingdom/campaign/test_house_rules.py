"""A law declares once what a campaign may set (PF-HOUSE): the form, the API, the chronicle and the codex follow it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import permutations
from typing import Any

import pytest
from django.http import QueryDict
from django.utils import translation

from kingdom.campaign.api import CampaignViewSet
from kingdom.campaign.forms import CampaignForm
from kingdom.campaign.house_rules import clean_house_rules
from kingdom.models import Campaign
from rules import registry
from rules.core.content import Item
from rules.core.errors import InvalidInput
from rules.core.text import NO_WORDS, Term
from rules.house import HouseRule, HouseRules, ItemFigure, ItemFigures, every
from rules.law import Catalogue
from rules.pathfinder.ruleset import COMBAT_DE_MASSE
from rules.realm import NO_REALM
from tests.kingdom.conftest import api_of, shapes_of

pytestmark = pytest.mark.django_db


@dataclass(frozen=True)
class Dice(Item):
    """An item of a made-up law."""

    sides: int = 6
    off: bool = False


@dataclass(frozen=True)
class InForce:
    overlay: Any = field(default_factory=dict)


DICE = Term("Dice")
DECLARED = HouseRules(
    rule="DICE-1",
    rules={
        "ties": HouseRule(
            Term("Ties"), "again", {"again": Term("A tie is thrown again"), "both": Term("Both lose a tie")},
            help=Term("Two equal dice."), rule="DICE-2",
        ),
        "rounds": HouseRule(Term("Rounds"), 3, least=1, most=9),
    },
    figures={"dice": ItemFigures(Term("Die"), {"sides": ItemFigure(Term("sides"), Term("Sides of it"), 2, 100)})},
    switches={"dice": every},
)  # fmt: skip


@dataclass(frozen=True)
class DiceLaw:
    """A law of nothing but its house rules."""

    slug: str = "dice"
    name: Term = DICE
    about: Term = NO_WORDS
    version: str = "1"
    family: str = "dice"
    house: InForce = InForce()
    realm: Any = NO_REALM
    house_rules: HouseRules = DECLARED

    @property
    def catalogues(self) -> dict[str, Catalogue]:
        items = {"bone": Dice("bone", Term("Bone die"), "DICE-3", Term("Of bone."))}
        for slug, values in self.house.overlay.get("dice", {}).items():
            items[slug] = replace(items[slug], **values)
        return {"dice": Catalogue(Term("All dice"), items, lambda item: (), ("sides",))}

    def with_house(self, stored: Any) -> DiceLaw:
        return replace(self, house=InForce(stored.get("overlay", {})))


@pytest.fixture
def dice(monkeypatch) -> DiceLaw:
    law = DiceLaw()
    monkeypatch.setitem(registry.RULESETS, law.slug, law)
    return law


SET = {"ties": "both", "rounds": 5, "overlay": {"dice": {"bone": {"sides": 8, "off": True}}}}


@pytest.fixture
def campaign(gm, dice) -> Campaign:
    from kingdom.campaign.services import create_campaign

    return create_campaign(by=gm, name="Dice and bones", ruleset="dice")


def edit(client, gm, campaign, **fields):
    client.force_login(gm)
    return client.post(f"/c/{campaign.pk}/edit/", {"name": campaign.name, "ruleset": "dice", **fields})


def test_the_form_asks_for_what_the_law_declares(client, gm, campaign):
    client.force_login(gm)
    page = client.get(f"/c/{campaign.pk}/edit/").content.decode()
    for words in ("Both lose a tie", "Two equal dice.", "Rounds", "All dice", "Bone die", "Sides of it"):
        assert words in page
    assert "Parting shots" not in page
    sent = {"ties": "both", "rounds": "5", "dice:bone:sides": "8"}
    assert edit(client, gm, campaign, **sent).status_code == 302
    campaign.refresh_from_db()
    assert campaign.house_rules == {"ties": "both", "rounds": 5, "overlay": {"dice": {"bone": {"sides": 8}}}}
    assert edit(client, gm, campaign, ties="again", rounds="3", **{"off:dice": ["bone"]}).status_code == 302
    campaign.refresh_from_db()
    assert campaign.house_rules == {"overlay": {"dice": {"bone": {"off": True}}}}
    assert edit(client, gm, campaign, ties="neither", rounds="10").status_code == 422


def test_the_api_takes_what_the_law_declares_and_nothing_else(gm, campaign):
    api, url = api_of(gm), f"/api/v1/campaigns/{campaign.pk}/"
    assert api.patch(url, {"house_rules": SET}, format="json").json()["house_rules"] == SET
    for rules, pointer in (
        ({"minimum_damage": 0}, "minimum_damage"),
        ({"rounds": 10}, "rounds"),
        ({"rounds": True}, "rounds"),
        ({"ties": "neither"}, "ties"),
        ({"overlay": {"boons": {}}}, "overlay/boons"),
        ({"overlay": {"dice": {"bone": {"weight": 1}}}}, "overlay/dice/bone/weight"),
        ({"overlay": {"dice": {"bone": {"sides": 1}}}}, "overlay/dice/bone/sides"),
    ):
        answer = api.patch(url, {"house_rules": rules}, format="json")
        assert answer.status_code == 400
        assert answer.json()["errors"][0]["pointer"] == f"/house_rules/{pointer}"


def test_the_openapi_document_says_what_may_be_set(dice):
    with translation.override("en"):
        shape = shapes_of(campaigns=CampaignViewSet)["HouseRules"]["properties"]
    assert {"ties", "rounds", "minimum_damage", "overlay"} <= shape.keys()
    assert "`both`: Both lose a tie" in shape["ties"]["description"]
    assert (shape["rounds"]["minimum"], shape["rounds"]["maximum"]) == (1, 9)
    item = shape["overlay"]["properties"]["dice"]["additionalProperties"]["properties"]
    assert (item["sides"]["maximum"], item["off"]["type"]) == (100, "boolean")


def test_the_chronicle_says_it_in_the_laws_words(client, gm, campaign):
    edit(client, gm, campaign, **{"ties": "both", "rounds": "5", "dice:bone:sides": "8"})
    page = client.get(f"/c/{campaign.pk}/chronicle/").content.decode()
    for words in ("Both lose a tie", "Rounds: 5", "Bone die: sides 8", "DICE-1"):
        assert words in page
    assert "PF-HOUSE" not in page


def test_the_codex_shows_what_the_campaign_changed(client, gm, campaign):
    edit(client, gm, campaign, **{"ties": "again", "rounds": "3", "dice:bone:sides": "8"})
    page = client.get(f"/c/{campaign.pk}/codex/?kind=dice").content.decode()
    assert "Bone die" in page
    assert "house rule" in page
    items = client.get(f"/api/v1/rules/dice/?campaign={campaign.pk}").json()["dice"]
    assert [(item["slug"], item["sides"]) for item in items] == [("bone", 8)]


def test_house_rules_that_do_not_hold_under_another_ruleset_refuse_it(gm, campaign):
    api, url = api_of(gm), f"/api/v1/campaigns/{campaign.pk}/"
    assert api.patch(url, {"house_rules": SET}, format="json").status_code == 200
    answer = api.patch(url, {"ruleset": COMBAT_DE_MASSE.slug}, format="json")
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, "/house_rules")
    campaign.refresh_from_db()
    assert (campaign.ruleset, campaign.house_rules) == ("dice", SET)
    both = {"ruleset": COMBAT_DE_MASSE.slug, "house_rules": {"minimum_damage": 0}}
    assert api.patch(url, both, format="json").json()["house_rules"] == {"minimum_damage": 0}


def test_a_house_rule_that_is_the_other_rulesets_own_is_no_longer_kept(gm):
    from kingdom.campaign.services import create_campaign, update_campaign

    five = {"overlay": {"resources": {"improved-weapons": {"price": 5}}}}
    found = create_campaign(by=gm, name="Marches", ruleset=COMBAT_DE_MASSE.slug, house_rules=five)
    assert found.house_rules == five
    update_campaign(by=gm, campaign=found, ruleset="ultimate-campaign")
    assert found.house_rules == {}


@pytest.mark.parametrize(("shown", "chosen"), [*permutations(registry.RULESETS, 2)])
def test_what_one_ruleset_sends_is_not_refused_as_anothers(shown, chosen):
    before = CampaignForm(campaign=Campaign(ruleset=shown, name="Marches"))
    sent = QueryDict(mutable=True)
    for bound in before:
        value = bound.value()
        sent.setlist(bound.html_name, value if isinstance(value, list) else [] if value in (None, False) else [value])
    sent["ruleset"] = chosen
    form = CampaignForm(sent, campaign=Campaign(ruleset=shown, name="Marches"))
    assert set(form.errors) <= {"ruleset"}, form.errors


def test_who_chooses_another_ruleset_is_shown_its_house_rules_before_they_hold(client, gm, campaign):
    sent = {"rules_of": "dice", "ruleset": COMBAT_DE_MASSE.slug, "ties": "both"}
    answer = edit(client, gm, campaign, **sent)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "This ruleset has house rules of its own" in page
    assert "Only enemies attack a routing army" in page
    assert "Both lose a tie" not in page
    assert f'name="rules_of" value="{COMBAT_DE_MASSE.slug}"' in page
    own = {"minimum_damage": "1", "parting_shots": "all", "second_loyalty_check": "always", "reform": "True",
           "buildings_required": "True", "recovery_cap": "none", "empty_phases": "True"}  # fmt: skip
    again = edit(client, gm, campaign, ruleset=COMBAT_DE_MASSE.slug, rules_of=COMBAT_DE_MASSE.slug, **own)
    assert again.status_code == 302
    campaign.refresh_from_db()
    assert (campaign.ruleset, campaign.house_rules) == (COMBAT_DE_MASSE.slug, {"parting_shots": "all"})
    page = client.get(f"/c/{campaign.pk}/chronicle/").content.decode()
    assert "All armies attack a routing army" in page


def test_what_every_law_declares_is_legal_for_it():
    for law in registry.RULESETS.values():
        declared = law.house_rules
        assert clean_house_rules(declared.defaults, ruleset=law.slug) == {}
        for name, rule in declared.rules.items():
            assert rule.knows(rule.default)
            for value in rule.choices:
                kept = clean_house_rules({name: value}, ruleset=law.slug)
                assert kept == ({} if value == rule.default else {name: value})
                assert law.with_house(kept).house is not None
        assert set(declared.kinds) <= set(law.catalogues)


def test_a_number_is_no_yes_in_a_house_rule():
    with pytest.raises(InvalidInput):
        clean_house_rules({"buildings_required": 1}, ruleset=COMBAT_DE_MASSE.slug)
