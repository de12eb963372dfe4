"""Two kingdoms of one campaign do not bear one name, however it is written; what is imported may."""

from __future__ import annotations

import pytest
from django.urls import reverse

from kingdom.campaign.services import create_campaign
from kingdom.chronicle.services import undo_entry
from kingdom.models import ChronicleEntry, Kingdom
from kingdom.realms.services import dissolve_kingdom, found_kingdom, update_kingdom
from rules.core.errors import InvalidInput
from tests.kingdom.archive.journeys import bring_in, taken_along
from tests.kingdom.conftest import api_of, client_of

ALIKE = ("Éclair d’Or", "ECLAIR D'OR", "éclair  d’or", "eclair d’or")


@pytest.fixture
def gilded(gm, campaign):
    return found_kingdom(by=gm, campaign=campaign, name=ALIKE[0])


def test_a_second_kingdom_of_the_name_is_refused_whatever_its_case_and_accents(gm, campaign, gilded):
    for name in ALIKE:
        with pytest.raises(InvalidInput) as refused:
            found_kingdom(by=gm, campaign=campaign, name=name)
        assert refused.value.field == "/name", name
        assert f"named {ALIKE[0]}." in str(refused.value), name
    assert Kingdom.objects.filter(campaign=campaign).count() == 1
    elsewhere = create_campaign(by=gm, name="Elsewhere", ruleset="combat-de-masse")
    found_kingdom(by=gm, campaign=elsewhere, name=ALIKE[0])


def test_no_kingdom_takes_the_name_of_another_but_each_may_write_its_own_anew(gm, campaign, gilded):
    other = found_kingdom(by=gm, campaign=campaign, name="Silver")
    with pytest.raises(InvalidInput) as refused:
        update_kingdom(by=gm, kingdom=other, name=ALIKE[1])
    assert refused.value.field == "/name"
    update_kingdom(by=gm, kingdom=Kingdom.objects.get(pk=gilded.pk), name=ALIKE[1])
    assert Kingdom.objects.get(pk=gilded.pk).name == ALIKE[1]


def test_kingdoms_that_came_with_one_name_keep_it_and_go_on(gm, campaign, gilded):
    twin = Kingdom.objects.create(campaign=campaign, name=ALIKE[0], economy=0, loyalty=0, stability=0)
    update_kingdom(by=gm, kingdom=twin, name=ALIKE[0], economy=3)
    assert Kingdom.objects.get(pk=twin.pk).economy == 3


def test_a_dissolved_kingdom_comes_back_though_its_name_was_taken(gm, campaign, gilded):
    dissolve_kingdom(by=gm, kingdom=gilded)
    gone = ChronicleEntry.objects.latest("seq")
    found_kingdom(by=gm, campaign=campaign, name=ALIKE[2])
    undo_entry(by=gm, entry=gone)
    assert sorted(Kingdom.objects.filter(campaign=campaign).values_list("name", flat=True)) == sorted(
        [ALIKE[0], "éclair d’or"]
    )


def test_form_and_api_point_at_the_name(gm, campaign, gilded):
    page = client_of(gm).post(
        reverse("kingdom:kingdom_new", args=[campaign.pk]),
        {"name": ALIKE[1], "alignment": "N", "economy": 1, "loyalty": 2, "stability": 3, "unrest": 0, "size": 4,
         "districts": 0, "control_dc_modifier": 0, "control_dc_override": "", "consumption": 0, "treasury": 0},
    )  # fmt: skip
    assert page.status_code == 422
    assert 'id="id_name_error"' in page.content.decode()
    body = {"campaign": str(campaign.pk), "name": ALIKE[1], "economy": 0, "loyalty": 0, "stability": 0}
    answer = api_of(gm, scope="manage").post("/api/v1/kingdoms/", body, format="json")
    assert answer.status_code == 400
    assert "/name" in answer.content.decode()


def test_a_document_with_two_kingdoms_of_one_name_comes_in_as_it_is(gm, campaign, gilded):
    Kingdom.objects.create(campaign=campaign, name=ALIKE[1], economy=0, loyalty=0, stability=0)
    arrival = bring_in(gm, taken_along(campaign))
    names = Kingdom.objects.filter(campaign=arrival.campaign).values_list("name", flat=True)
    assert sorted(names) == sorted(ALIKE[:2])
