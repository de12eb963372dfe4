"""How whoever runs an army shares its losses otherwise, once the battle is over (B-78): by page and by API."""

from __future__ import annotations

import pytest

from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.play.services import play
from rules.breaking_point.battle.aftermath.tolls import own_shares
from rules.breaking_point.battle.orders.commands import End, Override
from tests.battles.breaking_point.test_pages import send
from tests.kingdom.conftest import api_of
from tests.worlds import built_once

pytestmark = pytest.mark.django_db
LOST = 600


@built_once
def over(river) -> Battle:
    """The bridge is lost: the host has left 600 points there."""
    battle, body = river.bridge, f"{river.host.pk}:contact"
    for command in (Override(body, "losses", LOST, "for the table"), End("it rains", 1)):
        battle.refresh_from_db()
        play(by=river.gm, battle_id=battle.pk, version=battle.version, command=command)
    battle.refresh_from_db()
    return battle


def shares(river, battle) -> dict[int, int]:
    battle = Battle.objects.get(pk=battle.pk)
    state = play_battle_state.load_state(battle)
    body = state.bodies[f"{river.host.pk}:contact"]
    return {share.unit: share.points for share in own_shares(state, body, str(river.host.pk))}


def otherwise(river, battle) -> dict[int, int]:
    """Ten points of the first unit's are the second's."""
    (one, first), (two, second), *rest = shares(river, battle).items()
    return {one: first - 10, two: second + 10, **dict(rest)}


def sent(river, battle, units: dict[int, int]) -> dict[str, str]:
    fields = {f"share-{river.host.pk}-contact-unit-{unit}": str(points) for unit, points in units.items()}
    seen = {f"initial-share-{river.host.pk}-contact-unit-{unit}": str(points)
            for unit, points in shares(river, battle).items()}  # fmt: skip
    return {"do": "share", "version": str(Battle.objects.get(pk=battle.pk).version), **fields, **seen}


def at(battle) -> str:
    return f"/battles/{battle.pk}/aftermath/"


def command(user, battle, **body):
    version = Battle.objects.get(pk=battle.pk).version
    return api_of(user).post(f"/api/v1/battles/{battle.pk}/commands/", {"type": "share", **body}, format="json",
                             headers={"if-match": f'"{version}"'})  # fmt: skip


def test_b78_whoever_runs_the_army_shares_on_the_aftermaths_page(river, over):
    client, wanted = river.as_(river.dru), otherwise(river, over)
    page = client.get(at(over)).content.decode()
    assert f"({LOST} points)" in page
    assert f'<details class="more" id="share-{river.host.pk}-contact"' in page, "it stays open while all is drawn anew"
    assert "data-keep" in page.partition(f'id="share-{river.host.pk}-contact"')[0].rpartition("<form")[2]
    done = client.post(at(over), sent(river, over, wanted), follow=True)
    assert "Losses redistributed." in done.content.decode()
    assert shares(river, over) == wanted


def test_b78_what_does_not_add_up_comes_back_with_what_was_typed(river, over):
    client, wanted = river.as_(river.dru), otherwise(river, over)
    first = next(iter(wanted))
    refused = client.post(at(over), sent(river, over, {**wanted, first: 3}))
    assert refused.status_code == 422
    assert f"Distribute {LOST}." in refused.content.decode()
    assert 'value="3"' in refused.content.decode()
    assert shares(river, over) != wanted
    too_many = client.post(at(over), sent(river, over, {**wanted, first: 10**8}))
    assert too_many.status_code == 422


def test_b78_it_is_shared_by_the_gm_too_and_the_proposal_follows(river, over):
    client, wanted = river.as_(river.gm), otherwise(river, over)
    assert client.post(at(over), sent(river, over, wanted)).status_code == 302
    page = client.get(at(over))
    assert page.context["proposal"] is not None
    assert shares(river, over) == wanted
    refused = client.post(at(over), sent(river, over, {**wanted, next(iter(wanted)): 0}))
    assert (refused.status_code, refused.context["proposal"] is not None) == (422, True)


def test_b78_an_enemy_neither_sees_nor_shares_them(river, over):
    client = river.as_(river.miv)
    page = client.get(at(over)).content.decode()
    assert str(river.host.pk) not in page
    assert client.post(at(over), sent(river, over, otherwise(river, over))).status_code == 403
    units = {str(unit): points for unit, points in otherwise(river, over).items()}
    asked = command(river.miv, over, army=str(river.host.pk), body=f"{river.host.pk}:contact", units=units)
    assert asked.status_code == 403
    command(river.dru, over, army=str(river.host.pk), body=f"{river.host.pk}:contact", units=units)
    log = api_of(river.miv).get(f"/api/v1/battles/{over.pk}/events/").content.decode()
    assert "losses-shared" not in log
    assert "losses-shared" in api_of(river.dru).get(f"/api/v1/battles/{over.pk}/events/").content.decode()


def test_b78_by_the_api_with_what_each_unit_bears(river, over):
    army, body = str(river.host.pk), f"{river.host.pk}:contact"
    wanted = otherwise(river, over)
    done = command(river.dru, over, army=army, body=body, units={str(u): p for u, p in wanted.items()})
    assert done.status_code == 200, done.content
    told = api_of(river.dru).get(f"/api/v1/battles/{over.pk}/").json()
    (own,) = (one for host in told["armies"] for one in host["bodies"] if one["id"] == body)
    assert {unit["number"]: unit["lost"] for unit in own["units"]} == wanted
    hidden = api_of(river.miv).get(f"/api/v1/battles/{over.pk}/").json()
    (seen,) = (one for host in hidden["armies"] for one in host["bodies"] if one["id"] == body)
    assert {unit["lost"] for unit in seen["units"]} == {None}
    for units, pointer in (({}, "/units"), ({"x": 1}, "/units/x"), ({"0": -1}, "/units/0"), ({"0": "1"}, "/units/0")):
        refused = command(river.dru, over, army=army, body=body, units=units)
        assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, pointer), units


def test_b78_it_is_his_to_take_back_and_confirmed_it_lasts(river, over):
    client, before, wanted = river.as_(river.dru), shares(river, over), otherwise(river, over)
    client.post(at(over), sent(river, over, wanted))
    assert send(client, over, type="undo").status_code == 200
    assert shares(river, over) == before
    client.post(at(over), sent(river, over, wanted))
    units = {unit["name"]: unit["strength"] for unit in river.host.sheet["units"]}
    over.refresh_from_db()
    settled = river.as_(river.gm).post(at(over), {"do": "confirm", "version": str(over.version)})
    assert settled.status_code == 302, settled.content.decode()[:2000]
    river.host.refresh_from_db()
    left = {unit["name"]: unit["strength"] for unit in river.host.sheet["units"]}
    assert any(left[name] < strength for name, strength in units.items())
    late = client.post(at(over), sent(river, over, before))
    assert late.status_code == 403


def test_b78_confirming_takes_the_losses_that_stand_in_the_fields(river, over):
    client, wanted = river.as_(river.gm), otherwise(river, over)
    page = client.get(at(over)).content.decode()
    settling = page.partition('<form id="settle"')[2].partition("</form>")[0]
    assert f'name="share-{river.host.pk}-contact-unit-' in settling, "the button that confirms sends them"
    assert f'name="initial-share-{river.host.pk}-contact-unit-' in settling, "only what was changed counts"
    answer = client.post(at(over), {**sent(river, over, wanted), "do": "confirm"})
    assert answer.status_code == 302, answer.content.decode()[:2000]
    assert Battle.objects.get(pk=over.pk).status == Battle.Status.CLOSED
    assert shares(river, over) == wanted


def test_b78_recalculating_takes_them_too_and_says_so(river, over):
    client, wanted = river.as_(river.gm), otherwise(river, over)
    answer = client.post(at(over), {**sent(river, over, wanted), "do": "preview"})
    assert answer.status_code == 200
    assert "Losses redistributed." in answer.content.decode()
    assert shares(river, over) == wanted


def test_b78_nothing_is_confirmed_while_they_do_not_add_up(river, over):
    client, before = river.as_(river.gm), shares(river, over)
    wrong = {**otherwise(river, over), next(iter(before)): 3}
    for do in ("confirm", "preview"):
        answer = client.post(at(over), {**sent(river, over, wrong), "do": do})
        assert (answer.status_code, f"Distribute {LOST}." in answer.content.decode()) == (422, True), do
        assert 'value="3"' in answer.content.decode(), do
    assert Battle.objects.get(pk=over.pk).status != Battle.Status.CLOSED
    assert shares(river, over) == before


def test_b78_untouched_fields_of_an_old_page_overwrite_nothing(river, over):
    before, wanted = shares(river, over), otherwise(river, over)
    old = {**sent(river, over, before), "do": "confirm"}
    river.as_(river.dru).post(at(over), sent(river, over, wanted))
    client = river.as_(river.gm)
    answer = client.post(at(over), old)
    assert answer.status_code == 412
    assert shares(river, over) == wanted
    fields = {one.html_name: one.value() for form in answer.context["said"] for one in form}
    assert set(wanted.values()) <= set(fields.values())
