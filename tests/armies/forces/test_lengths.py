"""Lengths in the reader's units: metres are kept and told to programs; who reads feet sees feet and types them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from armies.pathfinder.models import PathfinderArmy, UnitType
from kingdom.accounts.services import choose_settings
from kingdom.length_fields import convert_to_feet, convert_to_metres
from kingdom.models import User
from kingdom.templatetags.look import metres
from tests.everyday import at_most
from tests.kingdom.conftest import api_of

TYPED = {"name": "Night watch", "count": "300", "copies": "1", "unit_name": "Walkers", "cr": "1", "hit_die": "d8",
         "level": "1", "creature_type": "humanoid", "alignment": "LG", "mount_creature_type": "animal"}  # fmt: skip


@pytest.fixture
def client(war) -> Client:
    """Of somebody who reads feet."""
    choose_settings(by=war.gm, units="feet")
    client = Client()
    client.force_login(war.gm)
    return client


@pytest.fixture
def address(war) -> str:
    return f"/kingdoms/{war.crown.pk}/armies/new/"


def raised_by(client: Client, address: str, **typed: str) -> PathfinderArmy:
    assert client.post(address, {**TYPED, "raise": "1", **typed}).status_code == 302
    return PathfinderArmy.objects.get(name="Night watch")


def field_of(answer: Any, name: str = "speed_m") -> str:
    return str(answer.context["form"][name])


USUAL = [("1.5", 5), ("6", 20), ("9", 30), ("12", 40), ("13.5", 45), ("18", 60)]


def test_usual_speeds_are_whole_feet_and_come_back():
    for kept, feet in USUAL:
        assert (convert_to_feet(Decimal(kept)), convert_to_metres(Decimal(feet))) == (feet, Decimal(kept)), kept
        assert str(convert_to_feet(Decimal(kept))) == str(feet), kept
        assert metres(float(kept), User(units="feet")) == f"{feet} ft", kept


def test_every_hundredth_of_a_metre_comes_back_through_feet():
    kept = [Decimal(hundredths) / 100 for hundredths in range(1, 12_001, 7)]
    assert [convert_to_metres(convert_to_feet(one)) for one in kept] == kept


def test_who_reads_feet_types_feet_and_metres_are_kept(client, address, war):
    page = client.get(address)
    assert 'name="speed_ft"' in field_of(page)
    assert 'value="30"' in field_of(page)
    assert "Speed (feet per round)" in page.content.decode()
    assert "(metres" not in page.content.decode()
    army = raised_by(client, address, speed_ft="20", mounted="on", mount_name="Mule", mount_speed_ft="40")
    assert army.unit["speed_m"] == 6
    assert army.mount is not None
    assert army.mount["speed_m"] == 12
    sheet = client.get(f"/armies/{army.pk}/").content.decode()
    assert ("20 ft" in sheet, "40 ft" in sheet, "A hex is 12 miles." in sheet) == (True, True, True)
    assert api_of(war.gm).get(f"/api/v1/armies/{army.pk}/").json()["unit"]["speed_m"] == 6


def test_in_french_feet_are_pieds(client, address, war):
    choose_settings(by=war.gm, language="fr")
    assert "Vitesse (pieds par round)" in client.get(address).content.decode()
    sheet = client.get(f"/armies/{war.levy.pk}/").content.decode()
    assert ("30\u00a0pi" in sheet or "30 pi" in sheet, "Un hexagone fait 12" in sheet) == (True, True)


def test_a_sheet_that_is_only_saved_again_keeps_its_speed(client, address):
    army = raised_by(client, address, speed_m="4")  # 13.33 feet
    edit = f"/armies/{army.pk}/edit/"
    assert 'value="13.33"' in field_of(client.get(edit))
    assert client.post(edit, {**TYPED, "speed_ft": "13.33"}).status_code == 302
    army.refresh_from_db()
    assert army.unit["speed_m"] == 4


def test_what_was_typed_is_in_the_unit_the_form_had(client, address, war):
    """A form that was drawn before somebody settled for the other unit sends the one it showed."""
    assert raised_by(client, address, speed_m="9").unit["speed_m"] == 9
    choose_settings(by=war.gm, units="metres")
    redrawn = client.post(address, {**TYPED, "preview": "1", "speed_ft": "30"})
    assert ('name="speed_m"' in field_of(redrawn), 'value="9"' in field_of(redrawn)) == (True, True)


def test_a_unit_taken_from_the_list_brings_its_speed_in_feet(client, address):
    taken = client.post(address, {**TYPED, "speed_ft": "55", "use": "human-light-horse"})
    assert 'value="50"' in field_of(taken)
    assert client.get(f"{address}?unit=wraiths").context["form"]["speed_m"].value() == 18
    assert 'value="60"' in field_of(client.get(f"{address}?unit=wraiths"))


NO_FEET = [
    ("500", "at most 400"), ("abc", "Enter a number"), ("1e9999999", "at most 400"),
    ("30.123", "2 decimal places"), ("", "at most 400"), ("0", "at most 400"), ("-5", "at most 400"),
    ("NaN", "Enter a number"), ("1e9", "at most 400"),
]  # fmt: skip


def test_no_feet_at_all_and_too_many_are_refused_in_feet(client, address):
    for typed, told in NO_FEET[: at_most(6, full=len(NO_FEET))]:  # one of each kind each day
        refused = client.post(address, {**TYPED, "raise": "1", "speed_ft": typed})
        assert refused.status_code == 422, typed
        errors = " ".join(refused.context["form"].errors["speed_m"])
        assert told in errors, typed
        assert "metres" not in errors, typed
        assert not PathfinderArmy.objects.filter(name="Night watch").exists(), typed
        assert not typed or f'value="{typed}"' in field_of(refused), typed
        previewed = client.post(address.replace("new", "preview"), {**TYPED, "speed_ft": typed}).content.decode()
        assert "metres" not in previewed, typed
        assert told in previewed, typed
        assert "Speed (feet per round): " in previewed or "Enter a speed" in previewed, typed


def test_unit_types_and_armies_of_no_campaign_are_written_in_feet_too(client, war):
    url = f"/c/{war.campaign.pk}/units/"
    assert 'value="60"' in field_of(client.get(f"{url}wraiths/"))
    assert client.post(f"{url}new/", {**TYPED, "unit_name": "Swift folk", "speed_ft": "45",
                                      "family": "humanoids"}).status_code == 302  # fmt: skip
    assert UnitType.objects.get(slug="swift-folk").unit["speed_m"] == 13.5
    assert "45 ft" in client.get(f"{url}?q=swift").content.decode()
    assert 'name="speed_ft"' in client.get(f"/c/{war.campaign.pk}/odds/army/a/").content.decode()


def test_who_has_chosen_nothing_reads_the_units_of_the_language():
    """The game's English edition counts in feet, the French one in metres."""
    told = {}
    for language in ("en", "fr"):
        with translation.override(language):
            told[language] = [metres(9, User(units=units)).replace("\xa0", " ") for units in ("", "metres", "feet")]
    assert told == {"en": ["30 ft", "9 m", "30 ft"], "fr": ["9 m", "9 m", "30 pi"]}


def test_the_choice_of_units_can_be_left_to_the_language_again(client, war):
    assert client.post("/account/", {"dice": "server", "units": ""}).status_code == 302
    war.gm.refresh_from_db()
    assert war.gm.units == ""


def test_who_reads_metres_is_asked_for_metres(client, address, war):
    choose_settings(by=war.gm, units="metres")
    page = client.get(address)
    assert ('name="speed_m"' in field_of(page), 'value="9"' in field_of(page)) == (True, True)
    assert "Speed (meters per round)" in page.content.decode()
    assert raised_by(client, address, speed_m="10.5").unit["speed_m"] == 10.5
    for speed in ("121", ""):
        refused = client.post(address, {**TYPED, "raise": "1", "speed_m": speed})
        assert "at most 120" in refused.content.decode()
