"""What the GM gives a battle by its pages and by the API: retreats with a reason (B-82), no command test (B-81)."""

from __future__ import annotations

import pytest

from battles.models import Battle
from battles.play import battle_state as play_battle_state
from tests.battles.breaking_point.test_pages import page_of, send, setup
from tests.kingdom.conftest import api_of

pytestmark = pytest.mark.django_db


def conditions(battle) -> dict[str, object]:
    state = play_battle_state.load_state(Battle.objects.get(pk=battle.pk))
    return {mark.kind: (mark.value, mark.side, mark.reason) for mark in state.conditions}


def command(user, battle, **body):
    version = Battle.objects.get(pk=battle.pk).version
    return api_of(user).post(f"/api/v1/battles/{battle.pk}/commands/", body, format="json",
                             headers={"if-match": f'"{version}"'})  # fmt: skip


def test_b82_a_retreat_is_given_with_its_reason_on_the_page_and_told_to_all(river):
    gm = river.as_(river.gm)
    asked = page_of(gm, river.bridge, do="condition", what="retreat").content.decode()
    assert 'name="reason"' in asked
    refused = send(gm, river.bridge, type="condition", condition="retreat", side="0", value="3", reason="")
    assert refused.status_code == 422
    done = send(gm, river.bridge, type="condition", condition="retreat", side="0", value="3", reason="Smoke")
    assert done.status_code == 200, done.content.decode()[:500]
    assert conditions(river.bridge)["retreat"] == (3, 0, "Smoke")
    assert "Smoke" in page_of(river.as_(river.miv), river.bridge).content.decode()
    index = list(conditions(river.bridge)).index("retreat")
    lifted = send(gm, river.bridge, type="lift", index=str(index))
    assert lifted.status_code == 200
    assert "retreat" not in conditions(river.bridge)


def test_b82_it_is_the_gms_alone_and_bounded_by_the_api(river):
    given = {"type": "condition", "condition": "retreat", "side": 0, "value": 2, "reason": "Decoys"}
    assert command(river.dru, river.bridge, **given).status_code == 403
    for changed, pointer in (({"value": 6}, "/value"), ({"reason": ""}, "/reason"), ({"side": None}, "/side")):
        refused = command(river.gm, river.bridge, **{**given, **changed})
        assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, pointer), changed
    done = command(river.gm, river.bridge, **given)
    assert done.status_code == 200
    (told,) = (mark for mark in done.json()["conditions"] if mark["condition"] == "retreat")
    assert (told["value"], told["side"], told["reason"]) == (2, river.bridge.state["sides"][0]["name"], "Decoys")


def test_b81_a_battle_is_set_up_without_its_command_test(river):
    form = river.as_(river.gm).get(f"/c/{river.campaign.pk}/battles/new/").content.decode()
    assert 'name="untested"' in form
    refused = setup(river, kind="assault", garrison="400", untested="on")
    assert refused.status_code == 422
    assert "Only a field battle can do without the command test" in refused.content.decode()
    opened = setup(river, untested="on")
    assert opened.status_code == 302, opened.content.decode()[:2000]
    battle = Battle.objects.get(name="Again")
    assert "untested" in conditions(battle)
    for kind in ("next", "resolve"):
        assert send(river.as_(river.gm), battle, type=kind).status_code == 200
    assert play_battle_state.load_state(Battle.objects.get(pk=battle.pk)).scores == (None, None)


def test_b81_in_a_battle_it_is_set_and_lifted_by_the_gm(river):
    given = {"type": "condition", "condition": "untested"}
    assert command(river.miv, river.bridge, **given).status_code == 403
    assert command(river.gm, river.bridge, **given).status_code == 200
    assert "untested" in conditions(river.bridge)
    assert command(river.gm, river.bridge, **given, lift=True).status_code == 200
    assert "untested" not in conditions(river.bridge)
