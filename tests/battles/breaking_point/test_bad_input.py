"""Orders and dice that make no sense, by page and by program: refused with their place, and nothing has changed."""

from __future__ import annotations

import pytest
from django.urls import reverse

from battles.models import Battle
from battles.play import battle_state as play_battle_state
from tests.battles.requests import play_request
from tests.kingdom.conftest import api_of

pytestmark = pytest.mark.django_db


def state(battle):
    return play_battle_state.load_state(Battle.objects.get(pk=battle.pk))


def by_program(river, user, **command):
    river.bridge.refresh_from_db()
    return api_of(user).post(
        f"/api/v1/battles/{river.bridge.pk}/commands/", command, format="json",
        headers={"if-match": f'"{river.bridge.version}"'},
    )  # fmt: skip


def by_page(river, user, **form):
    river.bridge.refresh_from_db()
    told = {"version": river.bridge.version, **form}
    url = reverse("battles:command", args=[river.bridge.pk])
    return river.as_(user).post(url, told, headers={"hx-request": "true"})


def ordered(river, **bodies):
    return by_program(river, river.miv, type="order", army=str(river.swords.pk), bodies=bodies)


def refused(answer, code, pointer):
    assert answer.status_code == code, answer.content
    assert answer.json()["errors"][0]["pointer"] == pointer


def test_a_body_that_is_not_there_takes_no_order(river):
    before = state(river.bridge)
    refused(ordered(river, cavalry={"do": "hold"}), 400, "/bodies/cavalry")
    page = by_page(river, river.miv, type="order", army=str(river.swords.pk), **{"do-cavalry": "hold"})
    assert page.status_code == 422
    assert "This group isn’t in this army" in page.content.decode()
    assert state(river.bridge) == before


def test_a_body_that_is_not_there_is_no_target(river):
    before = state(river.bridge)
    nobody = f"{river.host.pk}:cavalry"
    refused(ordered(river, contact={"do": "attack", "target": nobody}), 400, "/bodies/contact/target")
    page = by_page(
        river, river.miv, type="order", army=str(river.swords.pk), **{"do-contact": f"attack|{nobody}"}
    )  # fmt: skip
    assert page.status_code == 422
    assert page.context["card"].form.errors["do-contact"]
    assert state(river.bridge) == before


def test_a_contact_group_does_not_shoot(river):
    before, theirs = state(river.bridge), f"{river.host.pk}:contact"
    refused(ordered(river, contact={"do": "shoot", "target": theirs}), 409, "/bodies/contact/do")
    page = by_page(river, river.miv, type="order", army=str(river.swords.pk), **{"do-contact": f"shoot|{theirs}"})
    assert page.status_code == 422
    assert page.context["card"].form.errors["do-contact"]
    assert state(river.bridge) == before


def test_a_routed_body_takes_no_orders(river):
    play_request(river.gm, river.bridge, {
        "type": "override", "body": f"{river.swords.pk}:contact", "field": "status", "value": "routed",
        "reason": "Panic",
    })  # fmt: skip
    before, theirs = state(river.bridge), f"{river.host.pk}:contact"
    refused(ordered(river, contact={"do": "attack", "target": theirs}), 409, "/bodies/contact")
    page = by_page(river, river.miv, type="order", army=str(river.swords.pk), **{"do-contact": f"attack|{theirs}"})
    assert page.status_code in (409, 422)
    assert "can’t take orders while routed" in page.content.decode()
    assert state(river.bridge) == before


def test_b1_a_third_face_without_a_ten_is_refused(river):
    before = state(river.bridge)
    die = {"army": f"{river.host.pk}:contact", "roll": "contact", "values": [10, 4, 4]}
    answer = by_program(river, river.gm, type="resolve", dice=[die])
    refused(answer, 400, "/dice/0/values/2")
    keys = [f"{die['army']}|contact|10"] * 3
    page = by_page(river, river.gm, type="resolve", dice_by="table", how="rolled", die=keys, face=["10", "4", "4"],
                   need=[""] * 3, settled="3")  # fmt: skip
    assert page.status_code in (409, 422), page.content[:500]
    assert state(river.bridge) == before
