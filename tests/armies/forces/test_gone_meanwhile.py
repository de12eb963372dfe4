"""Whoever waits for the campaign while somebody else strikes what their order is about is told that it is gone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import ObjectNotUpdated
from django.db import connection
from django.http import Http404, HttpResponse

from armies.breaking_point.armies.services import grant_experience, part_with, tend_wounded
from armies.breaking_point.models import FortifiedPlace
from armies.breaking_point.sieges import place_services, services
from armies.breaking_point.sieges import services as sieges_services
from armies.forces import services as commander_services
from armies.forces import services as forces_services
from armies.intel.services import hide_army, let_know
from armies.marches.services import put_army
from armies.models import Army, Commander
from armies.pathfinder.armies import services as pathfinder_raising
from armies.pathfinder.armies.services import teach_tactic
from kingdom.access.decorators import WARRANTS
from kingdom.chronicle.services import undo_last
from kingdom.models import Kingdom, Settlement
from kingdom.realms.services import dissolve_kingdom, found_settlement, raze_settlement
from rules.core.errors import IllegalCommand
from tests import worlds
from tests.armies.breaking_point.sieges.conftest import laid, walls  # noqa: F401 - fixtures
from tests.armies.breaking_point.sieges.tables import again
from tests.armies.conftest import orc
from tests.databases import unhindered
from tests.kingdom.approvals.conftest import (  # noqa: F401 - fixtures
    DEEDS,
    PLAIN_DEEDS,
    UNIT_DEEDS,
    court,
    plain_court,
    unit_court,
    world_of,
)
from tests.kingdom.conftest import api_of, client_of
from tests.meanwhile import Strike

pytestmark = pytest.mark.django_db

GONE = (Http404, ObjectNotUpdated)  # 404 to whoever asked, either way

# They are told of what is gone in words of their own, or it is all the same to them.
OTHERWISE = {"kingdom.raze_settlement", "armies.together.order_armies", "armies.files.bring_in_table"}


def striking(gm: Any, thing: Any) -> Strike:
    """Take it out of the world, as its GM does."""
    match thing:
        case Army():
            return lambda: forces_services.remove_army(by=gm, army=again(thing))
        case Commander():
            return lambda: commander_services.remove_commander(by=gm, commander=Commander.objects.get(pk=thing.pk))
        case Kingdom():
            return lambda: dissolve_kingdom(by=gm, kingdom=again(thing))
        case Settlement():
            return lambda: raze_settlement(by=gm, settlement=again(thing))
        case FortifiedPlace():
            return lambda: place_services.raze_place(by=gm, place=again(thing))
    raise TypeError(thing)


@pytest.fixture
def struck() -> Callable[[Any, Any], Strike]:
    """`striking` for many orders in one world: by the service of a thing once, afterwards its rows go as they went
    then.
    """
    known: dict[Any, str] = {}

    def striking_again(gm: Any, thing: Any) -> Strike:
        def strike() -> None:
            if found := known.get(thing.pk):
                with connection.cursor() as cursor:
                    cursor.execute(unhindered(found))
                return
            before = worlds.everything()
            striking(gm, thing)()
            known[thing.pk] = worlds.statements(before, worlds.everything())

        return strike

    return striking_again


def named(arguments: dict[str, Any]) -> list[Any]:
    """The things an order is about, and the kingdoms whose they are."""
    things = [one for one in arguments.values() if isinstance(one, Army | Commander | Kingdom | Settlement)]
    return [*things, *(one.kingdom for one in things if not isinstance(one, Kingdom))]


@pytest.fixture
def tell(waiting, struck) -> Callable[..., None]:
    """Whichever of its things is struck, the order is told so, and nothing is done."""

    def telling(gm: Any, service: Callable[..., Any], arguments: Callable[[], dict[str, Any]]) -> None:
        before = world_of()
        for place in range(len(named(arguments()))):
            given = arguments()
            gone = named(given)[place]
            with pytest.raises(GONE), waiting(struck(gm, gone)):
                service(by=gm, **given)
            connection.check_constraints()
        assert world_of() == before

    return telling


@pytest.mark.parametrize("law, deeds", [("court", DEEDS), ("plain_court", PLAIN_DEEDS), ("unit_court", UNIT_DEEDS)])
def test_no_order_of_a_player_breaks_on_what_was_struck_meanwhile(law, deeds, request, tell):
    found = request.getfixturevalue(law)
    for name in sorted(deeds.keys() - OTHERWISE):
        deed = deeds[name]
        tell(found.gm, WARRANTS[name].service, lambda deed=deed: deed(found))


def test_no_order_of_a_gm_does(court, tell):  # noqa: F811
    army, kingdom = {"army": court.levy}, {"kingdom": court.horde}
    orders: list[tuple[Callable[..., Any], dict[str, Any]]] = [
        (hide_army, {**army, "hidden": True}),
        (put_army, {**army, "hex": "B2"}),
        (forces_services.reveal_army, {**army, "revealed": True}),
        (forces_services.correct_army, {**army, "revealed": True}),
        (pathfinder_raising.correct_army, {**army, "morale": 1}),
        (teach_tactic, {**army, "tactic": "cavalry-experts"}),
        (let_know, {**kingdom, **army, "level": 2}),
        (let_know, {**kingdom, "realm": court.crown, "level": 2}),
    ]
    for service, given in orders:
        tell(court.gm, service, lambda given=given: given)


def test_nor_do_those_about_units_and_spoils(unit_court, tell):  # noqa: F811
    army = {"army": unit_court.levy}
    for service, more in (
        (grant_experience, {"unit": 0, "points": 1}), (tend_wounded, {"unit": 0, "back": 1}), (part_with, {"spoil": 0}),
    ):  # fmt: skip
        tell(unit_court.gm, service, lambda more=more: {**army, **more})


def test_one_of_several_who_were_to_get_something_may_be_gone(court, waiting):  # noqa: F811
    for name in ("armies.pathfinder.transfer_resource", "armies.pathfinder.disband_army"):
        given = DEEDS[name](court)
        with pytest.raises(Http404), waiting(striking(court.gm, court.guard)):
            WARRANTS[name].service(by=court.gm, **given)


def test_who_was_to_lead_may_be_gone(court, waiting):  # noqa: F811
    raised = {**DEEDS["armies.pathfinder.raise_army"](court), "commander": court.captive}
    for name, given in (
        ("armies.pathfinder.raise_army", raised),
        ("armies.pathfinder.assign_commander", {"army": court.guard, "commander": court.captive}),
    ):
        with pytest.raises(Http404), waiting(striking(court.gm, court.captive)):
            WARRANTS[name].service(by=court.gm, **given)


def test_of_several_who_march_before_a_place_one_may_be_gone_or_the_place(walls, waiting):  # noqa: F811
    place_services.leave_place(by=walls.gm, army=walls.guard)
    for gone in (walls.host, walls.ker, walls.crown):
        with pytest.raises(Http404), waiting(striking(walls.gm, gone)):
            services.begin_siege(by=walls.gm, place=again(walls.ker), armies=[again(walls.host)])
        with pytest.raises(Http404), waiting(striking(walls.gm, walls.guard if gone == walls.host else gone)):
            place_services.enter_place(by=walls.gm, army=again(walls.guard), place=again(walls.ker))


def test_a_siege_may_be_taken_back_before_an_order_comes(walls, laid, waiting):  # noqa: F811
    orders = (
        lambda siege: sieges_services.lift_siege(by=walls.bo, siege=siege),
        lambda siege: sieges_services.order_siege(by=walls.bo, siege=siege, bombards=True),
        lambda siege: services.join_siege(by=walls.bo, siege=siege, army=walls.host),
    )
    for order in orders:
        with pytest.raises(Http404), waiting(lambda: undo_last(by=walls.gm, campaign=walls.campaign)):
            order(laid)


def test_an_army_that_was_in_a_siege_that_is_over_commands_nothing(walls, laid):  # noqa: F811
    over = sieges_services.lift_siege(by=walls.bo, siege=laid)
    forces_services.remove_army(by=walls.gm, army=again(walls.host))
    with pytest.raises(IllegalCommand, match="This siege is over"):
        sieges_services.begin_assault(by=walls.gm, siege=over)


def test_places_do_not_lean_on_what_is_gone(walls, waiting):  # noqa: F811
    gm, town = walls.gm, found_settlement(by=walls.gm, kingdom=walls.horde, name="Ketra")
    wall = place_services.fortify(by=gm, kingdom=walls.horde, name="Wall", kind="fort", garrison=100)
    keep = {"kingdom": walls.horde, "name": "Keep", "kind": "fort", "garrison": 100, "settlement": town, "outer": wall}
    for gone in (walls.horde, town, wall):
        with pytest.raises(Http404), waiting(striking(gm, gone)):
            place_services.fortify(by=gm, **keep)
    kept = place_services.fortify(by=gm, **keep)
    for gone, given in ((kept, {"name": "Old keep"}), (wall, {"outer": wall}), (town, {"settlement": town})):
        with pytest.raises(Http404), waiting(striking(gm, gone)):
            place_services.update_place(by=gm, place=again(kept), **given)
    with waiting(striking(gm, wall)):
        place_services.update_place(by=gm, place=again(kept), name="Old keep")
    found = again(kept)
    assert (found.name, found.outer, found.settlement) == ("Old keep", None, town)


def test_pages_and_api_say_that_it_is_not_found(court, waiting, struck):  # noqa: F811
    gm, levy, crown = court.gm, court.levy, court.crown
    browser, program = client_of(gm), api_of(gm)
    army, realm, table = f"/armies/{levy.pk}", f"/kingdoms/{crown.pk}", f"/c/{court.campaign.pk}"
    new = {"kingdom": str(crown.pk), "name": "Hero"}
    figures = {"level": "4", "charisma_modifier": "0", "soldier_ranks": "0"}
    requests: list[tuple[Any, str, dict[str, Any], dict[str, Any]]] = [
        (levy, f"{army}/hide/", {"hidden": "1"}, {}),
        (levy, f"{army}/hidden/", {}, {"hidden": True}),
        (levy, f"{army}/place/", {"place": "The ford"}, {"hex": "B2"}),
        (levy, f"{army}/rest/", {"rest": "1"}, {"loyalty_check": False}),
        (levy, f"{army}/resources/", {"resource": "improved-weapons"}, {"resource": "improved-weapons"}),
        (levy, f"{army}/tactics/", {"tactic": "cavalry-experts"}, {"tactic": "cavalry-experts"}),
        (levy, f"{army}/assign/", {"commander": ""}, {"commander": None}),
        (levy, f"{army}/disband/", {"confirm": "1"}, {}),
        (levy, f"{army}/march/", {}, {"place": "The ford", "hexes": 4}),
        (levy, f"{army}/reveal/", {"revealed": "1"}, {}),
        (levy, f"{table}/map/army/", {"army": str(levy.pk), "hex": "B2"}, {}),
        (court.vell, f"/commanders/{court.vell.pk}/boons/", {"boon": "loyalty"}, {"boon": "loyalty"}),
        (crown, f"{realm}/commanders/new/", {"name": "Hero", **figures}, {}),
        (crown, "/commanders/", {}, new),
        (crown, "/armies/", {}, {**new, "unit": orc(), "count": 500}),
        (crown, f"{table}/map/claim/", {"kingdom": str(crown.pk), "hexes": "B2"}, {}),
    ]
    told = set()
    for gone, address, form, body in requests:
        if form:
            with waiting(struck(gm, gone)):
                told.add((address, *how(browser.post(address, form))))
        if body:
            with waiting(struck(gm, gone)):
                told.add((address, *how(program.post(f"/api/v1{address}", body, format="json"))))
    assert {one for one in told if one[1:] not in ((404, "text/html"), (404, "application/problem+json"))} == set()


def how(response: HttpResponse) -> tuple[int, str]:
    """The status, and what kind of document says it."""
    return response.status_code, response["Content-Type"].partition(";")[0]
