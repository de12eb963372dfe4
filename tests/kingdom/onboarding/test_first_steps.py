"""The first hour: a campaign that offers each of its first steps ready to be taken, and templates to begin from."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from armies.breaking_point.models import SiegeRow
from armies.marches.queries import list_encounters
from armies.models import Army, Commander
from armies.onboarding.casts import BLOCKADED_TOWN_CAST, CASTS, CampaignCast
from battles.models import Battle
from core.text import load_said, render
from kingdom.campaign.services import create_campaign
from kingdom.chronicle.services import undo_entry
from kingdom.map.queries import get_extent_figure, load_map_state
from kingdom.models import Campaign, ChronicleEntry, Kingdom, Membership, Settlement, User
from kingdom.onboarding import checklist
from kingdom.onboarding.checklist import list_steps
from kingdom.realms.services import found_kingdom
from rules.core.errors import InvalidInput
from rules.hexes.geometry import distance, hex_at
from tests.everyday import everyday
from tests.kingdom.conftest import api_of, make_user, seat
from tests.rulesets.drivers import LAWS
from tests.worlds import built_once

pytestmark = pytest.mark.django_db
TEMPLATED = ("combat-de-masse", "breaking-point")


class Beginner:
    """Somebody who takes what is suggested, by plain forms."""

    def __init__(self, user: User, language: str = "en"):
        self.user, self.client = user, Client(headers={"accept-language": language})
        self.client.force_login(user)

    def begins(self, law: str, template: str = "") -> Campaign:
        form = self.client.get("/").context["begin"]
        sent = {"name": form["name"].value(), "ruleset": law, "template": template}
        self.url = self.client.post("/campaigns/begin/", sent).headers["Location"].partition("?")[0]
        return Campaign.objects.get()

    def page(self, query: str = "") -> Any:
        return self.client.get(self.url + query)

    def offered(self, query: str = "") -> tuple[str, dict[str, Any]]:
        """The step that stands open, and what stands in it."""
        line = next(line for line in self.page(query).context["first"].lines if line.form)
        return line.step.slug, {field.html_name: field.value() for field in line.form}

    def takes(self, step: str, sent: dict[str, Any]) -> Any:
        return self.client.post(f"{self.url}first-steps/{step}/", sent)


@pytest.mark.parametrize("law", everyday(LAWS, first=1))
def test_every_step_is_taken_in_its_place_with_what_is_suggested(law):
    gm = Beginner(make_user("gm"))
    gm.begins(law)
    for step in list_steps():
        slug, sent = gm.offered()
        assert slug == step.slug
        assert all(value not in (None, "") for value in sent.values())
        answer = gm.takes(slug, sent)
        assert answer.status_code == 302, answer.context["first"]
    battle = Battle.objects.get()
    assert answer.headers["Location"] == f"/battles/{battle.pk}/"
    assert (Kingdom.objects.count(), Army.objects.count()) == (2, 2)
    assert {army.commander for army in Army.objects.all()} == set(Commander.objects.all())
    assert not gm.page().context["first"]  # all is done
    for kingdom in Kingdom.objects.all():
        owed = sum(army.upkeep for army in Army.objects.filter(kingdom=kingdom))
        assert kingdom.treasury >= 4 * owed, "nobody begins in arrears"


def test_a_done_step_is_a_line_and_any_that_can_be_taken_stands_open_when_it_is_asked_for():
    gm = Beginner(make_user("gm"))
    gm.begins("combat-de-masse")
    gm.takes(*gm.offered())
    lines = {line.step.slug: line for line in gm.page().context["first"].lines}
    assert lines["kingdom"].done
    assert lines["kingdom"].form is None
    assert lines["settlement"].form is not None
    assert lines["battle"].waits
    assert not lines["invite"].waits
    assert gm.offered("?step=invite")[0] == "invite"
    assert gm.offered("?step=battle")[0] == "settlement"  # it cannot be taken yet
    gm.takes("invite", {"uses": 3})
    assert "/join/" in gm.page().content.decode()


def test_a_step_that_is_refused_keeps_what_was_typed_and_does_nothing_by_halves():
    gm = Beginner(make_user("gm"))
    gm.begins("combat-de-masse")
    answer = gm.takes("kingdom", {"name": "Ours", "enemy": "x" * 121})
    assert answer.status_code == 422
    assert "Ours" in answer.content.decode()
    answer = gm.takes("kingdom", {"name": "Ours", "enemy": "a\x00b"})
    assert answer.status_code == 422
    answer = gm.takes("kingdom", {"name": "Same", "enemy": "same"})
    assert "The two kingdoms need different names." in answer.content.decode()
    assert not Kingdom.objects.exists()
    assert gm.takes("nonsense", {}).status_code == 404


def test_only_a_gm_is_shown_the_steps_and_takes_them_and_he_may_put_them_away():
    owner = make_user("gm")
    gm = Beginner(owner)
    campaign = gm.begins("combat-de-masse")
    player = Beginner(seat(owner, campaign, make_user("ana"), "player"))
    player.url = gm.url
    assert not player.page().context["first"]
    assert player.takes("kingdom", {"name": "Mine"}).status_code == 403
    assert player.client.post(f"{gm.url}first-steps/away/").status_code == 403
    assert gm.client.post(f"{gm.url}first-steps/away/").status_code == 302
    assert not gm.page().context["first"]
    body = {"first_steps": True}
    assert api_of(owner).patch(f"/api/v1/campaigns/{campaign.pk}/", body, format="json").json()["first_steps"] is True
    assert gm.page().context["first"]


def test_who_has_nobody_to_fight_is_given_an_enemy():
    gm = Beginner(make_user("gm"))
    gm.begins("breaking-point")
    gm.takes("kingdom", {"name": "Alone", "enemy": ""})
    for step in ("settlement", "commander", "army"):
        slug, sent = gm.offered(f"?step={step}")
        assert slug == step
        assert all(value not in (None, "") for value in sent.values())
        assert gm.takes(slug, sent).status_code == 302
    slug, sent = gm.offered("?step=battle")
    assert sent["theirs"] == "enemy"
    assert gm.takes(slug, sent).status_code == 302
    assert Kingdom.objects.count() == 2
    assert Battle.objects.get().seats.count() == 2


EACH_OF_THEM = [*product(TEMPLATED, CASTS)]


@pytest.mark.parametrize(  # every template, and every law, each day; the other law of each in the full run
    ("law", "cast"),
    everyday(EACH_OF_THEM, keep=EACH_OF_THEM[::2].__contains__),
    ids=lambda one: getattr(one, "slug", one),
)
def test_a_template_is_whole_in_the_reader_s_language_and_ready_for_battle(law, cast, django_assert_max_num_queries):
    gm = Beginner(make_user("gm"), "fr")
    with django_assert_max_num_queries(380):
        campaign = gm.begins(law, cast.slug)
    with translation.override("fr"):
        named = {translation.gettext(realm.name) for realm in cast.realms}
        hosts = {translation.gettext(host.name) for realm in cast.realms for host in realm.hosts}
    assert set(campaign.kingdoms.values_list("name", flat=True)) == named
    assert set(Army.objects.values_list("name", flat=True)) == hosts
    assert Settlement.objects.count() == sum(len(realm.towns) for realm in cast.realms)
    lies_on_the_table(gm, campaign, cast)
    if cast is BLOCKADED_TOWN_CAST:
        stands_before_its_walls(law)
    slug, sent = gm.offered("?step=battle")
    assert gm.takes(slug, sent).status_code == 302
    assert Battle.objects.count() == 1


def lies_on_the_table(gm: Beginner, campaign: Campaign, cast: CampaignCast) -> None:
    """Every realm claims as much as a young one has, its towns among it; each army stands where one can stand."""
    land = load_map_state(campaign.map)
    with translation.override("fr"):
        assert land.field.name == translation.gettext(cast.name)
        assert set(land.field.labels.values()) == {translation.gettext(label) for label in cast.sheet.labels.values()}
    towns = {hex_at(label) for label in Settlement.objects.filter(revealed=True).values_list("hex", flat=True)}
    assert len(towns) == Settlement.objects.count()
    assert towns <= land.claims.keys()
    for kingdom in Kingdom.objects.all():
        hexes = land.of(kingdom.pk)
        assert len(hexes) == (kingdom.size if get_extent_figure(campaign) else 6)
        assert hexes & {hex_at(town.hex) for town in kingdom.settlements.all()}
        assert all(land.field.at(one).on_foot and hexes & set(land.field.around(one)) for one in hexes)
    stands = [(army, hex_at(army.hex)) for army in Army.objects.all()]
    assert all(land.field.at(at).on_foot for _army, at in stands)
    assert list_encounters(campaign) == []  # nobody begins in an enemy's hex
    assert gm.client.get(f"{gm.url}map/").status_code == 200


def stands_before_its_walls(law: str) -> None:
    """Under a law that knows sieges, it besieges the town."""
    siege = BLOCKADED_TOWN_CAST.blockade
    with translation.override("fr"):
        town = Settlement.objects.get(name=translation.gettext(siege.town))
    hosts = [[army.hex for army in kingdom.armies.order_by("id")] for kingdom in Kingdom.objects.order_by("id")]
    assert [hex_at(hosts[0][place]) for place in siege.within] == [hex_at(town.hex)]
    assert all(distance(hex_at(hosts[1][place]), hex_at(town.hex)) == 1 for place in siege.before)
    laid = [(siege.place.name, siege.armies.count()) for siege in SiegeRow.objects.all()]
    assert laid == ([("Castelmar", 3)] if law == "breaking-point" else [])


@built_once
def marches(db) -> SimpleNamespace:
    """Begun from the first template by a program that speaks French."""
    gm, law = make_user("gm"), "combat-de-masse"
    api = api_of(gm)
    listed = [one["slug"] for one in api.get(f"/api/v1/rules/{law}/").json()["templates"]]
    body = {"name": "Marches", "ruleset": law, "template": listed[0]}
    made = api.post("/api/v1/campaigns/", body, format="json", HTTP_ACCEPT_LANGUAGE="fr")
    translation.deactivate()
    return SimpleNamespace(gm=gm, status=made.status_code, campaign=Campaign.objects.get())


def test_a_template_set_out_on_its_map_is_one_deed_that_is_taken_back(marches):
    gm, campaign = marches.gm, marches.campaign
    entry = next(one for one in ChronicleEntry.objects.all() if "placed on the map" in render(load_said(one.text)))
    undo_entry(by=gm, entry=entry)
    assert not Army.objects.filter(campaign=campaign).exclude(hex="").exists()
    assert not Settlement.objects.filter(campaign=campaign).exclude(hex="", revealed=False).exists()


def test_a_template_is_made_whole_or_not_at_all(monkeypatch):
    """Whatever goes wrong at its end leaves no campaign behind."""
    from armies.pathfinder.ui import PathfinderStarts

    def break_down(*_args: Any) -> None:
        raise InvalidInput("no")

    monkeypatch.setattr(PathfinderStarts, "arrange", break_down)
    gm = make_user("gm")
    with pytest.raises(InvalidInput):
        create_campaign(by=gm, name="Marches", ruleset="combat-de-masse", template="two-realms")
    assert not (Campaign.objects.exists())
    assert not (Membership.objects.exists())
    assert not (ChronicleEntry.objects.exists())


@pytest.mark.parametrize("law", ["coin", "turns"])
def test_a_law_without_templates_offers_none_and_says_so(law):
    gm = make_user("gm")
    api = api_of(gm)
    assert api.get(f"/api/v1/rules/{law}/").json()["templates"] == []
    body = {"name": "Marches", "ruleset": law, "template": "two-realms"}
    refused = api.post("/api/v1/campaigns/", body, format="json")
    assert refused.status_code == 400
    assert refused.json()["errors"][0]["pointer"] == "/template"


def test_programs_begin_from_templates_too(marches):
    assert marches.status == 201
    assert Army.objects.count() == 6
    with translation.override("fr"):
        assert Kingdom.objects.filter(name=translation.gettext("Crown of Estmere")).exists()
    there = f"/api/v1/campaigns/{marches.campaign.pk}/"
    assert api_of(marches.gm).patch(there, {"template": "x"}, format="json").status_code == 400


def test_a_campaign_that_was_there_before_shows_no_steps():
    """Nor does the checklist cost it a query."""
    gm = make_user("gm")
    campaign = create_campaign(by=gm, name="Old", ruleset="combat-de-masse", first_steps=False)
    found_kingdom(by=gm, campaign=campaign, name="Crown")
    reader = Beginner(gm)
    reader.url = f"/c/{campaign.pk}/"
    assert not reader.page().context["first"]


@pytest.mark.parametrize(
    ("language", "name", "taken", "names"),
    [
        ("en", "2nd company", (), ["2nd company", "3rd company", "4th company"]),
        ("en", "Ironwatch", (), ["1st Ironwatch", "2nd Ironwatch", "3rd Ironwatch"]),
        ("en", "Ironwatch", ("ironwatch",), ["2nd Ironwatch", "3rd Ironwatch", "4th Ironwatch"]),
        ("en", "Raiders 9", ("Raiders 10",), ["Raiders 9", "Raiders 11", "Raiders 12"]),
        ("en", "11th horse", (), ["11th horse", "12th horse", "13th horse"]),
        ("fr", "1re compagnie", (), ["1re compagnie", "2e compagnie", "3e compagnie"]),
        ("fr", "Garde de fer", ("Garde de fer",), ["Garde de fer 2", "Garde de fer 3", "Garde de fer 4"]),
    ],
)
def test_names_are_counted_on_as_the_reader_counts(language, name, taken, names):
    with translation.override(language):
        assert checklist.number_names(name, 3, taken) == names


def test_a_counted_name_is_never_too_long():
    assert all(len(name) <= 120 for name in checklist.number_names("x" * 120, 12))
