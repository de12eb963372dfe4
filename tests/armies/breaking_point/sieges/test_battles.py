"""Battles of sieges: what armies bring along, and what their end does to the siege (B-55, B-56, B-60)."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied

from armies.breaking_point.sieges import services as sieges_services
from armies.breaking_point.sieges.siege_changes import armies_of_siege, changes_after, find_siege_battle
from battles.breaking_point.world import outcome_of_siege
from kingdom.chronicle import changes as chronicle_changes
from kingdom.chronicle.services import undo_last
from rules.breaking_point.siege.siege_battles import FoughtBody
from rules.core.text import Term
from tests.armies.breaking_point.sieges.tables import again
from tests.armies.weeks.test_pages import browser

pytestmark = pytest.mark.django_db


def written(walls, row, *bodies: FoughtBody) -> None:
    changes = changes_after(row, bodies)
    chronicle_changes.apply(campaign=walls.campaign, changes=changes, by=walls.gm, kind="battle", text=Term("Over"))


def left(army, losses: int, status: str = "fighting", *, unit: int = 0, factor: int = 1) -> FoughtBody:
    return FoughtBody(((str(army.pk), unit),), factor, 0, losses, status)


def body(army, name: str) -> str:
    return f"{army.pk}:{name}"


def test_armies_of_a_siege_that_fights_no_battle_bring_nothing_along(walls, laid):
    assert find_siege_battle([walls.host.pk, walls.guard.pk]) is None


def test_an_assault_knows_its_place_and_what_was_lost_before(walls, laid):
    sieges_services.begin_assault(by=walls.bo, siege=laid)
    sieges_services.end_siege_battle(
        by=walls.gm, siege=again(laid), outcome="goes-on", losses={body(walls.guard, "garrison"): 301}
    )
    sieges_services.begin_assault(by=walls.bo, siege=again(laid))
    found = find_siege_battle([walls.guard.pk])
    assert (found.place.name, found.invested, found.losses) == ("Ker", True, {f"{walls.guard.pk}:0": 301})
    assert (found.besiegers, found.garrison) == ((str(walls.host.pk),), (str(walls.guard.pk),))
    assert armies_of_siege(found.row) == {str(walls.host.pk), str(walls.guard.pk)}


def test_the_set_up_counts_those_whom_the_siege_has_left_able(walls, laid):
    sieges_services.begin_assault(by=walls.bo, siege=laid)
    sieges_services.end_siege_battle(
        by=walls.gm, siege=again(laid), outcome="goes-on", losses={body(walls.guard, "garrison"): 301}
    )
    sieges_services.begin_assault(by=walls.bo, siege=again(laid))
    asked = {"armies-one": str(walls.host.pk), "armies-two": str(walls.guard.pk), "kind": "assault", "add": "picked"}
    seating = browser(walls.gm).get(f"/c/{walls.campaign.pk}/battles/new/", asked).context["seating"]
    garrison = browser(walls.gm).get(f"/sieges/{laid.pk}/").context["page"].garrison
    walls.guard.refresh_from_db()
    assert [side.health for side in seating.sides] == [walls.host.health, garrison.heads]
    assert garrison.heads < walls.guard.health


def test_in_the_open_there_is_no_place_and_losses_weigh_by_the_factor(walls, laid):
    sieges_services.begin_assault(by=walls.bo, siege=laid)
    sieges_services.end_siege_battle(
        by=walls.gm, siege=again(laid), outcome="goes-on", losses={body(walls.guard, "garrison"): 301}
    )
    sieges_services.begin_sortie(by=walls.ana, siege=again(laid))
    found = find_siege_battle([walls.host.pk])
    assert (found.place, found.losses) == (None, {f"{walls.guard.pk}:0": 150})


def test_the_end_of_an_assault_goes_back_into_the_siege_and_is_undone_with_it(walls, laid):
    sieges_services.begin_assault(by=walls.bo, siege=laid)
    written(walls, again(laid), left(walls.host, 60, "withdrawn"), left(walls.guard, 200, factor=2))
    now = again(laid)
    assert (now.status, now.state["garrison"]["borne"], now.state["contact"]["borne"]) == ("open", [200], [60])
    assert (again(walls.guard).health, again(walls.host).health) == (100, 340)
    undo_last(by=walls.gm, campaign=walls.campaign)
    assert again(laid).status == "assault"


def test_a_garrison_that_fled_has_lost_the_place_and_all_is_reckoned(walls, laid):
    sieges_services.begin_assault(by=walls.bo, siege=laid)
    written(walls, again(laid), left(walls.host, 60), left(walls.guard, 950, "surrendered", factor=2))
    assert (again(laid).status, again(walls.ker).kingdom) == ("taken", walls.horde)
    assert (again(walls.guard).status, again(walls.guard).health) == ("captured", 5)
    assert again(walls.host).health == 340 - 6


def test_no_side_of_a_siege_loses_more_than_all_it_had(walls, laid):
    sieges_services.begin_assault(by=walls.bo, siege=laid)
    written(walls, again(laid), left(walls.host, 60), left(walls.guard, 5_000, "surrendered", factor=2))
    assert again(laid).state["lost"]["garrison"] == 100


@pytest.mark.parametrize(
    ("status", "told"),
    [("surrendered", "Ker was taken by assault."), ("fighting", "Ker: the battle ended.")],
)
def test_the_siege_tells_how_its_battle_left_it(walls, laid, status, told):
    sieges_services.begin_assault(by=walls.bo, siege=laid)
    changes = changes_after(again(laid), [left(walls.host, 60), left(walls.guard, 5, status, factor=2)])
    assert str(outcome_of_siege(changes)) == told
    assert outcome_of_siege([one for one in changes if one.subject_kind != "siege"]) is None


def test_a_sortie_that_drives_the_besieger_off_lifts_the_siege(walls, laid):
    sieges_services.begin_sortie(by=walls.ana, siege=laid)
    beaten = [left(walls.host, 0, "fled", unit=unit) for unit in range(2)]
    written(walls, again(laid), left(walls.guard, 50), *beaten)
    assert again(laid).status == "lifted"
    assert (again(walls.guard).health, again(walls.guard).health_max) == (95, 95)


def test_relief_is_the_gms_word(walls, laid):
    with pytest.raises(PermissionDenied):
        sieges_services.begin_relief(by=walls.ana, siege=laid)
    assert sieges_services.begin_relief(by=walls.gm, siege=laid).status == "sortie"
    assert find_siege_battle([walls.host.pk]).place is None
