"""An army comes between rounds, by page and by program, and goes when it is undone (BP-4.1)."""

from __future__ import annotations

import pytest
from django.urls import reverse

from armies.forces.services import raise_army
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from tests.kingdom.conftest import api_of

pytestmark = pytest.mark.django_db
ARCHERS = {"name": "Late archers", "type": "archers", "strength": 90, "combat": 4, "group": "shooting",
           "weapons": ["longbow"]}  # fmt: skip


@pytest.fixture
def late(river):
    return raise_army(by=river.gm, kingdom=river.swords.kingdom, name="Late archers", sheet={"units": [ARCHERS]})


def command(river, **told):
    river.bridge.refresh_from_db()
    return api_of(river.gm).post(
        f"/api/v1/battles/{river.bridge.pk}/commands/", told, format="json",
        headers={"if-match": f'"{river.bridge.version}"'},
    )  # fmt: skip


def page(river, user, **told):
    river.bridge.refresh_from_db()
    form = {"version": river.bridge.version, "type": "reinforce", **told}
    return river.as_(user).post(
        reverse("battles:command", args=[river.bridge.pk]), form, headers={"hx-request": "true"}
    )


def bodies(river):
    return set(play_battle_state.load_state(Battle.objects.get(pk=river.bridge.pk)).bodies)


def test_they_come_in_their_groups_and_call_for_a_new_command_test(river, late):
    before = bodies(river)
    answer = command(river, type="reinforce", army=str(late.pk), side="Mivon")
    assert answer.status_code == 200, answer.content
    assert bodies(river) - before == {f"{late.pk}:shooting"}
    assert command(river, type="reinforce", army=str(late.pk), side="Mivon").status_code == 409
    fought = command(river, type="resolve").json()
    assert "initiative-settled" in {event["type"] for event in fought["events"]}
    assert command(river, type="undo").status_code == 200
    assert command(river, type="undo").status_code == 200
    assert bodies(river) == before


def test_the_gm_adds_them_by_name(river, late):
    read = river.as_(river.gm).get(reverse("battles:battle", args=[river.bridge.pk]) + "?rail=tools").content.decode()
    assert 'id="do-reinforce"' in read
    assert page(river, river.gm, army="Late archers", side="1").status_code == 200
    assert f"{late.pk}:shooting" in bodies(river)


def test_who_has_no_such_army_or_may_not_is_told(river, late):
    before = bodies(river)
    assert page(river, river.gm, army="Nobody", side="1").status_code == 422
    assert page(river, river.miv, army="Late archers", side="1").status_code == 403
    assert command(river, type="reinforce", army=str(river.home.pk), side="Mivon").status_code in (400, 409)
    assert bodies(river) == before
