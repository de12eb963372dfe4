"""Marches (PF-1.8), active commanders (PF-2.5), captives and their ransom (PF-2.8), and what is refused."""

from __future__ import annotations

from copy import deepcopy

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from armies.pathfinder.armies.march_services import march_army, place_army, reckon_march, rest_army
from armies.pathfinder.armies.queries import list_warnings
from armies.pathfinder.armies.resource_services import Share, transfer_resource
from armies.pathfinder.armies.services import correct_army, raise_armies, teach_tactic, update_army
from armies.pathfinder.armies.trade_services import Disposal, buy_resource, disband_army
from armies.pathfinder.commanders.command_services import assign_commander, ransom_commander
from armies.pathfinder.commanders.services import learn_boon, remove_commander, update_commander
from armies.pathfinder.forces.specs import Road, build_army_spec
from armies.pathfinder.models import PathfinderArmy, PathfinderCommander
from core.text import load_said, render
from kingdom.campaign.services import create_campaign
from kingdom.chronicle.services import undo_entry, undo_last
from kingdom.models import Campaign, ChronicleEntry, LedgerEntry
from kingdom.realms.services import found_kingdom, found_settlement
from kingdom.realms.treasury_services import record_entry
from rules.core.errors import IllegalCommand, InvalidInput
from tests.armies.conftest import api_of, appointed, orc, raised
from tests.databases import tried
from tests.everyday import everyday
from tests.worlds import built_once

API = "/api/v1"


def browser(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def fresh(row):
    return type(row).objects.get(pk=row.pk)


def latest() -> ChronicleEntry:
    return ChronicleEntry.objects.order_by("seq").last()


def text(entry) -> str:
    return render(load_said(entry.text))


def day(campaign, number: int) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(day=number)


# The march


def test_an_army_marches_and_does_not_rest_meanwhile(war):
    army = march_army(by=war.ana, army=war.levy, place="the ford", road=Road(hexes=5))
    assert (army.place, army.marching_until) == ("the ford", 3)
    assert text(latest()) == "Levy set out for the ford, 5 hexes away. It arrives on day 3."
    with pytest.raises(IllegalCommand, match="on the march until day 3"):
        rest_army(by=war.ana, army=war.levy)
    with pytest.raises(IllegalCommand, match="Halt the army first"):
        march_army(by=war.ana, army=war.levy, place="the hills", road=Road(hexes=1))
    day(war.campaign, 3)
    rest_army(by=war.ana, army=fresh(war.levy))


def test_a_rested_army_marches_tomorrow(war):
    correct_army(by=war.gm, army=war.levy, hp=5)
    rest_army(by=war.ana, army=war.levy)
    with pytest.raises(IllegalCommand, match="march tomorrow"):
        march_army(by=war.ana, army=war.levy, place="the ford", road=Road(hexes=1))


ROADS = [
    ({}, None, Road(hexes=4), 2),  # 9 m: 36 km, 2 hexes
    ({}, None, Road(difficult_hexes=4), 4),
    ({"speed_m": 4.5}, None, Road(difficult_hexes=2), 4),  # one hex of speed a day
    ({"speed_m": 6}, {"name": "horse", "cr": "1", "speed_m": 15}, Road(hexes=6), 2),  # 60 km: 3 hexes
    ({"abilities": [{"ability": "teleportation"}]}, None, Road(hexes=400), 0),
]


def test_days_of_the_road(war):
    for unit, mount, road, days in ROADS:
        with tried():
            army = raised(war.gm, war.crown, "Walkers", unit=orc(**unit), mount=mount)
            assert reckon_march(army=army, road=road).days == days, (unit, road)


def test_teleporting_armies_are_there_the_same_day_but_do_not_rest(war):
    army = raised(war.gm, war.crown, "Imps", unit=orc(abilities=[{"ability": "teleportation"}]))
    assert march_army(by=war.ana, army=army, place="the moon", road=Road(hexes=900)).marching_until == 1
    assert text(latest()) == "Imps teleported to the moon."
    with pytest.raises(IllegalCommand, match="before it rests"):
        rest_army(by=war.ana, army=army)


def test_only_a_leader_who_knows_how_lives_off_the_land(war):
    with pytest.raises(IllegalCommand, match="live off the land"):
        reckon_march(army=fresh(war.levy), road=Road(hexes=4, land=True))
    learn_boon(by=war.ana, commander=war.vell, boon="live-off-the-land")
    assert reckon_march(army=fresh(war.levy), road=Road(hexes=4, land=True)).days == 4
    update_commander(by=war.ana, commander=fresh(war.vell), active_days=2)
    with pytest.raises(IllegalCommand, match="live off the land"):
        reckon_march(army=fresh(war.levy), road=Road(hexes=4, land=True))


def test_a_march_is_halted_and_taken_back(war):
    march_army(by=war.ana, army=war.levy, place="the ford", road=Road(hexes=9))
    day(war.campaign, 2)
    army = place_army(by=war.ana, army=fresh(war.levy), place="the old mill")
    assert (army.place, army.marching_until, text(latest())) == ("the old mill", 3, "Levy halted at the old mill.")
    undo_last(by=war.gm, campaign=war.campaign)
    assert (fresh(war.levy).place, fresh(war.levy).marching_until) == ("the ford", 5)


NO_NAMES = ["x" * 121, "", "  ", "a\0b"]


def test_a_place_has_a_name(war):
    for place in NO_NAMES:
        with pytest.raises(InvalidInput) as refused:
            march_army(by=war.ana, army=war.levy, place=place, road=Road(hexes=1))
        assert refused.value.field == "/place", place
        assert fresh(war.levy).marching_until is None, place


def test_an_army_in_battle_does_not_march_away(war, busy):
    busy.add(war.levy.pk)
    with pytest.raises(IllegalCommand, match="fights"):
        march_army(by=war.ana, army=war.levy, place="home", road=Road(hexes=1))


MARCHES = {"gm": 200, "ana": 200, "bo": 404, "viewer": 403, "stranger": 404, None: 401}


def test_who_may_send_an_army(war):
    for who, status in MARCHES.items():
        with tried():
            api = api_of(getattr(war, who) if who else None)
            answer = api.post(f"{API}/armies/{war.levy.pk}/march/", {"place": "the ford", "hexes": 3})
            assert answer.status_code == status, who
            if answer.status_code == 200:
                assert (answer.json()["place"], answer.json()["marching_until"]) == ("the ford", 2), who


def test_a_road_is_reckoned_by_rest_without_setting_out(war):
    body = {"hexes": 2, "difficult_hexes": 1, "confirm": False}
    answer = api_of(war.ana).post(f"{API}/armies/{war.levy.pk}/march/", body).json()
    assert (answer["days"], answer["hexes"], answer["teleports"]) == (2, 3, False)
    assert [(line["value"], line["rule"]) for line in answer["cost"]] == [(2, "PF-1.8"), (2, "R-72")]
    assert [line["rule"] for line in answer["pace"]] == ["PF-1.8"]
    assert fresh(war.levy).place == ""


ODD_ROADS = [
    ({"hexes": 3}, "/place"),
    ({"place": "x", "hexes": 0}, "/hexes"),
    ({"place": "x", "hexes": -1}, "/hexes"),
    ({"place": "x", "hexes": 10**9}, "/hexes"),
    ({"place": "x", "hexes": "many"}, "/hexes"),
    ({"place": "x" * 200, "hexes": 1}, "/place"),
    ({"place": "x", "difficult_hexes": -3}, "/difficult_hexes"),
]


def test_odd_roads_are_refused(war):
    api = api_of(war.ana)
    for body, pointer in ODD_ROADS:
        answer = api.post(f"{API}/armies/{war.levy.pk}/march/", body)
        assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, pointer), body


def test_the_sheet_reckons_and_sends(war):
    client, url = browser(war.ana), reverse("armies:army_march", args=[war.levy.pk])
    page = client.post(url, {"hexes": "4", "days": "3", "reckon": "1"}).content.decode()
    assert "<b>2 days</b>" in page
    assert "6 open hexes or 3 difficult hexes" in page
    for sent, at in (
        ({"hexes": "four", "reckon": "1"}, "march-hexes"),
        ({"difficult_hexes": "-1", "reckon": "1"}, "march-difficult"),
        ({"days": "5000", "reckon": "1"}, "march-days"),
        ({"hexes": "4", "go": "1"}, "march-place"),
    ):
        refused = client.post(url, sent)
        assert (refused.status_code, refused.content.decode().count("field-error")) == (422, 1), sent
        assert f'<p class="field-error" id="{at}-error">' in refused.content.decode(), sent
    refused = client.post(reverse("armies:army_rest", args=[war.levy.pk]), {"rally": "on", "die": "21"})
    assert (refused.status_code, 'id="rest-die-error"' in refused.content.decode()) == (422, True)
    assert client.post(url, {"hexes": "4", "place": "the ford", "go": "1"}).status_code == 302
    assert (
        "On the march to the ford, arriving on day 2"
        in client.get(reverse("armies:army", args=[war.levy.pk])).content.decode()
    )
    halt = reverse("armies:army_place", args=[war.levy.pk])
    assert client.post(halt, {"place": "the mill"}).status_code == 302
    assert fresh(war.levy).place == "the mill"


# The commander's days


ACTIVE = [(0, False), (3, True), (2, False), (7, True)]  # each time the other answer


def test_three_days_a_week_make_a_commander_active(war):
    for days, active in ACTIVE:
        update_commander(by=war.ana, commander=war.vell, active_days=days)
        army = fresh(war.levy)
        assert build_army_spec(army).commander.active is active, days
        assert ("commander-away" in {warning.slug for warning in list_warnings(army)}) is not active, days


NO_DAYS = [-1, 8, "three", None, True]


def test_a_week_has_seven_days(war):
    for days in NO_DAYS:
        with pytest.raises(InvalidInput) as refused:
            update_commander(by=war.ana, commander=war.vell, active_days=days)
        assert refused.value.field == "/active_days", days


# Captives


def captured(war) -> PathfinderCommander:
    buy_resource(by=war.gm, army=war.levy, resource="improved-armor")
    return update_commander(by=war.gm, commander=fresh(war.vell), status="captured")


def test_a_captive_costs_what_the_army_he_led_consumes(war):
    vell = captured(war)
    assert vell.ransom == fresh(war.levy).consumption > 1
    assert fresh(war.levy).commander is None


def test_the_price_survives_the_army(war):
    vell = captured(war)
    price = vell.ransom
    disband_army(by=war.gm, army=fresh(war.levy))
    before = fresh(war.crown).treasury
    freed = ransom_commander(by=war.ana, commander=vell)
    assert (freed.status, freed.ransom, fresh(war.crown).treasury) == ("free", None, before - price)
    entry = LedgerEntry.objects.filter(kingdom=war.crown).order_by("seq").last()
    assert (entry.source, entry.amount) == ("ransom", -price)
    assert text(latest()) == f"Ser Vell was ransomed for {price} BP."
    undo_last(by=war.gm, campaign=war.campaign)
    assert (fresh(vell).status, fresh(vell).ransom, fresh(war.crown).treasury) == ("captured", price, before)


def test_without_the_money_nobody_is_freed(war):
    vell = captured(war)
    record_entry(by=war.gm, kingdom=war.crown, amount=1 - fresh(war.crown).treasury, reason="fire")
    with pytest.raises(IllegalCommand, match="BP more to pay"):
        ransom_commander(by=war.ana, commander=vell)
    assert fresh(vell).status == "captured"


def test_nobody_pays_for_the_free_or_the_unpriced(war):
    with pytest.raises(IllegalCommand, match="isn’t a captive"):
        ransom_commander(by=war.ana, commander=war.vell)
    loose = appointed(war.gm, war.crown, "Idle")
    update_commander(by=war.gm, commander=loose, status="captured")
    with pytest.raises(IllegalCommand, match="no ransom yet"):
        ransom_commander(by=war.ana, commander=loose)
    update_commander(by=war.gm, commander=loose, ransom=7)
    ransom_commander(by=war.ana, commander=loose)
    assert fresh(loose).status == "free"


def test_the_price_is_the_gms_to_set(war):
    with pytest.raises(PermissionDenied):
        update_commander(by=war.ana, commander=war.vell, ransom=1)


PAYS = {"gm": 200, "ana": 200, "bo": 404, "viewer": 403, "stranger": 404, None: 401}


@pytest.mark.parametrize("payer", everyday(["ana", "gm"], first=1))
def test_who_may_pay(war, payer):
    vell = captured(war)
    for who in (*(who for who, status in PAYS.items() if status != 200), payer):
        answer = api_of(getattr(war, who) if who else None).post(f"{API}/commanders/{vell.pk}/ransom/")
        assert answer.status_code == PAYS[who]
        assert fresh(vell).status == ("free" if who == payer else "captured")


def test_the_page_names_the_price_and_takes_the_money(war):
    vell = captured(war)
    client = browser(war.ana)
    page = client.get(reverse("armies:commander", args=[vell.pk])).content.decode()
    assert f"The ransom is {vell.ransom} BP" in page
    url = reverse("armies:commander_ransom", args=[vell.pk])
    assert client.post(url).status_code == 302
    assert client.post(url).status_code == 422
    assert fresh(vell).status == "free"


def test_a_captured_army_takes_its_commander_along(war):
    price = war.levy.consumption
    correct_army(by=war.gm, army=war.levy, status="captured")
    vell = fresh(war.vell)
    assert (fresh(war.levy).commander, vell.status, vell.ransom, vell.captures) == (None, "captured", price, 1)
    undo_last(by=war.gm, campaign=war.campaign)
    assert (fresh(war.levy).commander, fresh(war.vell).status) == (war.vell, "free")


def test_what_deserters_left_is_shared_out(war):
    buy_resource(by=war.gm, army=war.levy, resource="improved-armor")
    correct_army(by=war.gm, army=fresh(war.levy), status="disbanded")
    page = browser(war.ana).get(reverse("armies:army", args=[war.levy.pk])).content.decode()
    assert "Distribute equipment" in page
    disband_army(by=war.ana, army=fresh(war.levy))
    page = browser(war.ana).get(reverse("armies:army", args=[war.levy.pk])).content.decode()
    assert "Distribute equipment" not in page
    assert text(latest()) == "Levy’s equipment was distributed."
    assert war.crown.stores.get().resource == "improved-armor"
    with pytest.raises(IllegalCommand, match="disbanded, so nothing"):
        disband_army(by=war.ana, army=fresh(war.levy))


def test_the_sheet_of_an_army_that_is_none_any_more_is_the_gms_to_set_right(war):
    """That of one that stands is as well, by the same door, which is offered once."""
    there, door = reverse("armies:army", args=[war.levy.pk]), reverse("armies:army_edit", args=[war.levy.pk])

    def doors(user) -> int:
        return browser(user).get(there).content.decode().count(f'href="{door}"')

    assert (doors(war.gm), doors(war.ana)) == (1, 1)
    correct_army(by=war.gm, army=fresh(war.levy), status="disbanded")
    assert (doors(war.gm), doors(war.ana)) == (1, 0)


# Everything stands in the chronicle, and comes back


def state(army) -> tuple:
    army = fresh(army)
    known = {row.tactic: row.granted for row in army.tactics.all()}
    held = {row.resource: row.quantity for row in army.resources.all()}
    fields = ("name", "count", "unit", "mount", "hp", "hp_max", "morale", "status", "consumption", "commander_id")
    stock = sorted((row.resource, row.size, row.quantity) for row in army.kingdom.stores.all())
    return (*(getattr(army, name) for name in fields), army.kingdom.treasury, known, held, stock)


DEEDS = {
    "buys": lambda war: buy_resource(by=war.ana, army=war.levy, resource="magic-armor", waive_building=False),
    "mounts": lambda war: buy_resource(by=war.ana, army=war.levy, resource="mounts", mount={"name": "wolf", "cr": "1"}),
    "grows": lambda war: update_army(by=war.ana, army=war.levy, count=1000, name="Host"),
    "is corrected": lambda war: correct_army(by=war.gm, army=war.levy, hp=1, morale=-2),
    "loses its leader": lambda war: assign_commander(by=war.ana, army=war.levy, commander=None),
    "is taught": lambda war: teach_tactic(by=war.gm, army=war.levy, tactic="taunt", granted=True),
    "disbands": lambda war: disband_army(by=war.ana, army=war.levy, choices={"improved-armor": Disposal("sell")}),
    "hands over": lambda war: transfer_resource(
        by=war.ana, army=war.levy, resource="improved-armor", to=[Share(war.second)]
    ),
}


@built_once
def equipped(war):
    """The levy has improved armor, and there is a second one as large."""
    record_entry(by=war.gm, kingdom=war.crown, amount=500, reason="Gold")
    war.second = raised(war.gm, war.crown, "Second")
    buy_resource(by=war.ana, army=war.levy, resource="improved-armor")
    war.levy = fresh(war.levy)
    return war


def test_every_deed_is_told_and_undone(equipped):
    before, entries = (state(equipped.levy), state(equipped.second)), ChronicleEntry.objects.count()
    for deed, do in DEEDS.items():
        with tried():
            do(deepcopy(equipped))
            assert ChronicleEntry.objects.count() == entries + 1, deed
            assert (state(equipped.levy), state(equipped.second)) != before, deed
            assert latest().private is True, deed
            undo_last(by=equipped.gm, campaign=equipped.campaign)
            assert (state(equipped.levy), state(equipped.second)) == before, deed


def test_a_low_acr_is_told_as_a_fraction(war):
    raised(war.gm, war.crown, "Riders", unit=orc(cr="1/2"), count=100)
    assert text(latest()) == "Crown of Restov raised Riders: 100 × Orc warrior 1. ACR 1/2, 1 BP a week."
    raise_armies(by=war.gm, kingdom=war.crown, names=["A", "B"], unit=orc(cr="1/2"), count=100)
    assert "ACR 1/2." in text(latest())


def test_a_raised_army_is_unraised_unless_something_rests_on_it(war):
    army = raised(war.gm, war.crown, "Mistake")
    entry = latest()
    assert text(entry) == "Crown of Restov raised Mistake: 500 × Orc warrior 1. ACR 3, 1 BP a week."
    update_army(by=war.gm, army=army, name="Meant")
    with pytest.raises(IllegalCommand, match="depends on this"):
        undo_entry(by=war.gm, entry=entry)
    undo_last(by=war.gm, campaign=war.campaign)
    undo_last(by=war.gm, campaign=war.campaign)
    assert not PathfinderArmy.objects.filter(pk=army.pk).exists()


def test_a_leader_is_not_unappointed_at_the_head_of_an_army(war):
    gorth = appointed(war.gm, war.crown, "Gorth")
    entry = latest()
    assign_commander(by=war.gm, army=war.levy, commander=gorth)
    with pytest.raises(IllegalCommand, match="leads Levy"):
        undo_entry(by=war.gm, entry=entry)


def test_whose_commander_is_struck_from_the_rolls_is_told(war):
    """PF-2.7: an army without a commander says in the chronicle since when, and why."""
    remove_commander(by=war.gm, commander=war.vell)
    entry = latest()
    assert text(entry) == "Ser Vell was deleted."
    assert [(change["subject"], change["field"], change["after"]) for change in entry.changes] == [
        ("Ser Vell", "exists", False), ("Levy", "commander", None)
    ]  # fmt: skip
    assert fresh(war.levy).commander is None
    undo_entry(by=war.gm, entry=entry)
    assert fresh(war.levy).commander.pathfindercommander == war.vell


def test_an_offices_change_is_told(war):
    update_commander(by=war.ana, commander=war.vell, office="warden", office_boon="loyalty")
    assert {change["field"] for change in latest().changes} == {"office", "office_boon"}
    chronicle = browser(war.ana).get(reverse("kingdom:chronicle", args=[war.campaign.pk])).content.decode()
    assert "Warden" in chronicle
    assert "Loyalty" in chronicle


def test_the_chronicle_finds_an_army_and_its_commander(war):
    assign_commander(by=war.ana, army=war.levy, commander=None)
    api, url = api_of(war.gm), f"{API}/campaigns/{war.campaign.pk}/chronicle/"
    assert len(api.get(f"{url}?army={war.raiders.pk}").json()["results"]) == 1
    found = [row["text"] for row in api.get(f"{url}?commander={war.vell.pk}").json()["results"]]
    assert found[0] == "Levy: without a commander."
    assert api_of(war.ana).get(f"{url}?army={war.raiders.pk}").json()["results"] == []


def test_what_goes_to_the_stores_is_told_to_whom_they_belong(war):
    buy_resource(by=war.gm, army=war.levy, resource="improved-armor")
    disband_army(by=war.gm, army=fresh(war.levy))

    def told(user) -> set[str]:
        rows = api_of(user).get(f"{API}/campaigns/{war.campaign.pk}/chronicle/").json()["results"]
        return {change["field"] for row in rows for change in row["changes"]}

    assert "stock" in told(war.ana)
    assert "stock" not in told(war.bo)


# Refused, with what is missing


def test_a_set_for_a_small_army_does_not_reach_a_larger_one(war):
    small = raised(war.gm, war.crown, "Band", count=100, unit=orc(cr="1"))
    buy_resource(by=war.gm, army=small, resource="improved-armor")
    with pytest.raises(IllegalCommand, match="The set of Band isn’t enough for Levy") as refused:
        transfer_resource(by=war.gm, army=small, resource="improved-armor", to=[Share(war.levy)])
    assert refused.value.field == "/to/0/army"


def test_nothing_is_handed_to_an_army_of_another_campaign(war):
    buy_resource(by=war.gm, army=war.levy, resource="improved-armor")
    other = create_campaign(by=war.gm, name="Elsewhere", ruleset="combat-de-masse")
    far = raised(war.gm, found_kingdom(by=war.gm, campaign=other, name="Far"), "Far away")
    with pytest.raises(InvalidInput, match="another campaign"):
        transfer_resource(by=war.gm, army=war.levy, resource="improved-armor", to=[Share(far)])
    choices = {"improved-armor": Disposal("give", (Share(far),))}
    with pytest.raises(InvalidInput, match="another campaign"):
        disband_army(by=war.gm, army=war.levy, choices=choices)
    body = {"resource": "improved-armor", "to": [{"army": str(far.pk)}]}
    answer = api_of(war.gm).post(f"{API}/armies/{war.levy.pk}/transfer/", body)
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (404, "/to/0/army")


def test_more_than_is_there_is_not_handed_over(war):
    found_settlement(by=war.gm, kingdom=war.crown, name="School", buildings=["academy"])
    second = raised(war.gm, war.crown, "Second")
    record_entry(by=war.gm, kingdom=war.crown, amount=500, reason="Gold")
    buy_resource(by=war.gm, army=fresh(war.levy), resource="siege-engines", quantity=2)
    with pytest.raises(IllegalCommand, match="Too many for"):
        transfer_resource(by=war.gm, army=war.levy, resource="siege-engines", to=[Share(second, 3)])


def test_money_that_is_not_there_is_named(war):
    record_entry(by=war.gm, kingdom=war.crown, amount=-150, reason="fire")
    with pytest.raises(IllegalCommand, match="needs 150 BP more to pay 200"):
        buy_resource(by=war.ana, army=war.levy, resource="magic-weapons")
