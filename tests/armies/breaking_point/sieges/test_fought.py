"""An assault fought from the siege to its aftermath, which goes back into the siege (B-53, B-55)."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from armies.breaking_point.sieges import services as sieges_services
from armies.breaking_point.sieges.place_services import leave_place
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.setup.services import open_battle
from kingdom.chronicle.services import undo_last
from rules.core.errors import IllegalCommand, InvalidInput
from tests.armies.breaking_point.sieges import tables
from tests.armies.breaking_point.sieges.tables import again
from tests.battles.requests import play_request
from tests.everyday import everyday
from tests.kingdom.conftest import api_of

pytestmark = pytest.mark.django_db


def opened(walls, kind: str = "assault"):
    sides = [{"name": "Horde", "armies": [str(walls.host.pk)]}, {"name": "Crown", "armies": [str(walls.guard.pk)]}]
    return open_battle(by=walls.gm, campaign=again(walls.campaign), name="The walls", sides=sides, kind=kind)


def command(walls, battle, **data):
    battle.refresh_from_db()
    return play_request(walls.gm, battle, data)


def test_an_assault_takes_place_and_losses_from_the_siege(walls, laid):
    sieges_services.begin_assault(by=walls.bo, siege=laid)
    sieges_services.end_siege_battle(
        by=walls.gm, siege=again(laid), outcome="goes-on", losses={f"{walls.guard.pk}:garrison": 120}
    )
    sieges_services.begin_assault(by=walls.bo, siege=again(laid))
    state = play_battle_state.load_state(opened(walls))
    assert (state.opening.place.name, state.opening.defender) == ("Ker", 1)
    assert state.bodies[f"{walls.guard.pk}:garrison"].losses == 120
    assert "invested" in [mark.kind for mark in state.conditions]


def test_a_siege_that_waits_for_an_assault_fights_no_other_battle(walls, laid):
    sieges_services.begin_assault(by=walls.bo, siege=laid)
    with pytest.raises(InvalidInput, match="is waiting for an assault"):
        opened(walls, "field")


def test_the_aftermath_goes_back_into_the_siege_and_leaves_the_armies_their_heads(walls, laid):
    sieges_services.begin_assault(by=walls.bo, siege=laid)
    battle = opened(walls)
    command(walls, battle, type="next")
    sides = [{"army": f"side-{side}", "roll": "command", "values": [5]} for side in (0, 1)]
    command(walls, battle, type="resolve", dice=sides)
    garrison = f"{walls.guard.pk}:garrison"
    command(walls, battle, type="override", body=garrison, field="losses", value=333, reason="Fire in the stores")
    command(walls, battle, type="end", reason="Night falls")
    battle.refresh_from_db()
    shown = command(walls, battle, type="aftermath")
    told = [(change.subject_kind, change.field, change.rule) for change in shown.changes]
    assert told == [("siege", "state", "BP-8"), *[("army", "sheet", "B-50")] * 2]
    command(walls, battle, type="aftermath", confirm=True)
    now = again(laid)
    assert (now.status, now.state["garrison"]["borne"]) == ("open", [333])
    assert again(walls.guard).health == 100
    undo_last(by=walls.gm, campaign=again(walls.campaign))
    assert again(laid).status == "assault"


def test_b60_a_garrison_that_joins_its_relief_brings_what_it_has_lost_and_takes_it_home(walls, laid):
    """B-55. In the open 120 points of the place are 60; there 40 more fall."""
    sieges_services.begin_assault(by=walls.bo, siege=laid)
    garrison = str(walls.guard.pk)
    sieges_services.end_siege_battle(
        by=walls.gm, siege=again(laid), outcome="goes-on", losses={f"{garrison}:garrison": 120}
    )
    friends = tables.army(walls.crown, "Friends", tables.foot(400))
    sieges_services.begin_relief(by=walls.gm, siege=again(laid))
    sides = [{"name": "Horde", "armies": [str(walls.host.pk)]}, {"name": "Crown", "armies": [str(friends.pk)]}]
    battle = open_battle(by=walls.gm, campaign=again(walls.campaign), name="Relief", sides=sides)
    command(walls, battle, type="next")
    command(walls, battle, type="reinforce", army=garrison, side="Crown")
    assert play_battle_state.load_state(again(battle)).bodies[f"{garrison}:contact"].losses == 60
    command(walls, battle, type="override", body=f"{garrison}:contact", field="losses", value=100, reason="At the gate")
    command(walls, battle, type="end", reason="Night falls")
    command(walls, battle, type="aftermath", confirm=True)
    assert again(laid).state["garrison"]["borne"] == [200]


@pytest.mark.parametrize(
    ("begin", "kind"),
    everyday([(sieges_services.begin_assault, "assault"), (sieges_services.begin_sortie, "field")], first=1),
)
def test_that_a_battle_of_a_siege_begins_is_not_taken_back_while_it_is_fought(walls, laid, begin, kind):
    """Else its end would find no siege any more, and what it cost would be nowhere."""
    begin(by=walls.gm, siege=laid)
    battle = opened(walls, kind)
    command(walls, battle, type="next")
    with pytest.raises(IllegalCommand, match=r"“The walls”\)\. Finish that battle first"):
        undo_last(by=walls.gm, campaign=again(walls.campaign))
    command(walls, battle, type="end", reason="Nobody came")
    with pytest.raises(IllegalCommand, match="Settle its aftermath first"):
        undo_last(by=walls.gm, campaign=again(walls.campaign))
    command(walls, battle, type="aftermath", confirm=True)
    assert again(laid).status == "open"
    undo_last(by=walls.gm, campaign=again(walls.campaign))
    assert again(laid).status in ("assault", "sortie")


def test_a_battle_that_was_only_set_up_does_not_begin_once_its_assault_is_taken_back(walls, laid):
    sieges_services.begin_assault(by=walls.gm, siege=laid)
    battle = opened(walls)
    undo_last(by=walls.gm, campaign=again(walls.campaign))
    assert again(laid).status == "open"
    with pytest.raises(IllegalCommand, match="held by the siege of Ker"):
        command(walls, battle, type="next")
    battle.refresh_from_db()
    assert (battle.status, battle.version) == ("setup", 1)
    sieges_services.begin_assault(by=walls.gm, siege=again(laid))
    command(walls, battle, type="next")


def asked(walls, **place):
    """An assault by the API and by the page, of the host on the guard."""
    sides = [{"name": "Horde", "armies": [str(walls.host.pk)]}, {"name": "Crown", "armies": [str(walls.guard.pk)]}]
    told = {"campaign": str(walls.campaign.pk), "name": "The walls", "sides": sides, "kind": "assault", "defender": 1}
    api = api_of(walls.gm).post("/api/v1/battles/", {**told, "place": place}, format="json")
    client = Client()
    client.force_login(walls.gm)
    form = {
        "name": "The walls", "kind": "assault", "medium": "land", "n-sides": "2", "one": "Horde", "two": "Crown",
        "armies-one": str(walls.host.pk), "armies-two": str(walls.guard.pk), "defender": "1",
        "place": place["name"], "place-kind": place["kind"], "garrison": str(place["garrison"]),
    }  # fmt: skip
    return api, client.post(reverse("battles:battle_new", args=[walls.campaign.pk]), form)


@pytest.mark.parametrize("name", ["Ker", "The old mill"])
def test_a_place_that_is_not_besieged_is_not_assaulted(walls, name):
    """By its name, or by who stands in it."""
    api, page = asked(walls, name=name, kind="fort", garrison=100)
    assert (api.status_code, api.json()["errors"][0]["pointer"]) == (400, "/place")
    assert page.status_code == 422
    assert "Ker isn’t besieged" in str(page.context["form"].errors["place"])
    assert not Battle.objects.exists()


def test_a_supposed_assault_on_a_besieged_place_is_led_to_its_siege(walls, laid):
    sides = [{"name": "Horde", "armies": [str(walls.host.pk)]}, {"name": "Crown", "armies": [str(walls.guard.pk)]}]
    told = {"ruleset": "breaking-point", "sides": sides, "kind": "assault",
            "defender": 1, "place": {"name": "Ker", "kind": "fort", "garrison": 100}}  # fmt: skip
    answer = api_of(walls.gm).post("/api/v1/forecast/", told, format="json")
    assert answer.status_code == 400
    assert "Ker is besieged: start the assault from the siege’s page" in answer.json()["errors"][0]["detail"]


def test_a_place_that_is_on_no_map_is_assaulted_as_ever(walls):
    leave_place(by=walls.ana, army=walls.guard)
    api, _page = asked(walls, name="The old mill", kind="fort", garrison=100)
    assert api.status_code == 201, api.json()


def test_who_besieges_a_place_storms_it_from_there(walls, laid):
    api, page = asked(walls, name="Ker", kind="fort", garrison=100)
    assert (api.status_code, page.status_code) == (409, 422)
    assert "held by the siege of Ker" in api.json()["detail"]
    assert not Battle.objects.exists()


def test_a_battle_that_is_being_fought_is_not_entered_by_hand_besides(walls, laid):
    """B-55: its losses would count twice."""
    sieges_services.begin_assault(by=walls.bo, siege=laid)
    opened(walls)
    before = again(laid).version
    with pytest.raises(IllegalCommand, match="The walls"):
        sieges_services.end_siege_battle(by=walls.gm, siege=again(laid), outcome="lifted")
    client = Client()
    client.force_login(walls.gm)
    told = {"type": "fought", "outcome": "lifted"}
    answer = api_of(walls.gm).post(
        f"/api/v1/sieges/{laid.pk}/commands/", told, format="json", headers={"if-match": f'"{before}"'}
    )
    assert answer.status_code == 409
    assert b"losses-0" not in client.get(reverse("armies:siege", args=[laid.pk])).content
    assert (again(laid).status, again(laid).version) == ("assault", before)
