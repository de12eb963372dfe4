"""Buying, storing, handing over and disbanding (PF-5)."""

from __future__ import annotations

import threading

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connections
from django.urls import reverse

from armies.pathfinder.armies.resource_services import Share, transfer_resource
from armies.pathfinder.armies.services import correct_army, update_army
from armies.pathfinder.armies.trade_services import (
    Disposal,
    buy_resource,
    disband_army,
    issue_from_stores,
    preview_disband,
)
from armies.pathfinder.forces.specs import compute_speed
from armies.pathfinder.models import KingdomStock, PathfinderArmy
from core.text import render
from kingdom.campaign.services import update_campaign
from kingdom.chronicle.services import undo_last
from kingdom.models import Campaign, Kingdom
from kingdom.realms.treasury_services import record_entry
from rules.core.errors import IllegalCommand, InvalidInput
from tests.armies.conftest import orc, raised


def held(army) -> dict[str, int]:
    return {row.resource: row.quantity for row in army.resources.all()}


def treasury(kingdom) -> int:
    return Kingdom.objects.get(pk=kingdom.pk).treasury


def buy(war, resource, army=None, by=None, **given):
    return buy_resource(by=by or war.ana, army=army or war.levy, resource=resource, **given)


def test_a_huge_army_pays_four_times_and_four_times_a_week(war):
    buy(war, "improved-weapons")
    war.levy.refresh_from_db()
    assert (treasury(war.crown), war.levy.consumption) == (188, 5)
    assert war.crown.ledger.first().amount == -12


def test_the_missing_building_is_named(war):
    with pytest.raises(IllegalCommand) as refusal:
        buy(war, "siege-engines")
    assert "Academy, Foreign quarter, Military academy, University" in render(refusal.value.message)
    assert held(war.levy) == {}
    assert treasury(war.crown) == 200


def test_the_gm_waives_the_building_and_only_he(war):
    with pytest.raises(PermissionDenied):
        buy(war, "siege-engines", waive_building=True)
    buy(war, "siege-engines", by=war.gm, waive_building=True, quantity=2)
    assert (held(war.levy), treasury(war.crown)) == ({"siege-engines": 2}, 170)


def test_a_house_rule_drops_the_buildings(war):
    update_campaign(by=war.gm, campaign=war.campaign, house_rules={"buildings_required": False})
    war.levy.campaign = Campaign.objects.get(pk=war.campaign.pk)
    buy(war, "siege-engines")
    assert held(war.levy) == {"siege-engines": 1}


def test_the_missing_bp_are_named(war):
    with pytest.raises(IllegalCommand, match=r"Greenbelt horde has 2 BP\. It needs 6 BP more to pay 8"):
        buy(war, "ranged-weapons", war.raiders, war.bo)
    assert (held(war.raiders), treasury(war.horde)) == ({}, 2)


def test_potions_need_no_building_where_an_army_brews(war):
    with pytest.raises(IllegalCommand, match="Healing potions"):
        buy(war, "healing-potions")
    raised(war.gm, war.crown, "Brewers", unit=orc(abilities=[{"ability": "brew-potion"}]))
    buy(war, "healing-potions")
    assert held(war.levy) == {"healing-potions": 1}


def test_a_witchs_cauldron_brews_as_well(war):
    hexes = [{"ability": "hex", "options": {"choice": "cauldron"}}]
    raised(war.gm, war.crown, "Coven", unit=orc(abilities=hexes))
    buy(war, "healing-potions")
    assert held(war.levy) == {"healing-potions": 1}


def test_potions_cost_nothing_in_weeks_without_use(war):
    buy(war, "healing-potions", by=war.gm, waive_building=True)
    war.levy.refresh_from_db()
    assert war.levy.consumption == 1


def test_one_set_is_enough(war):
    buy(war, "ranged-weapons")
    with pytest.raises(IllegalCommand, match="already"):
        buy(war, "ranged-weapons")
    with pytest.raises(InvalidInput) as refusal:
        buy(war, "improved-armor", quantity=2)
    assert refusal.value.field == "/quantity"


ODD_QUANTITIES = [0, -1, 1001, "two", True, None]


def test_odd_quantities_are_refused(war):
    for quantity in ODD_QUANTITIES:
        with pytest.raises(InvalidInput):
            buy(war, "siege-engines", by=war.gm, waive_building=True, quantity=quantity)
        assert treasury(war.crown) == 200, quantity


def test_unknown_resources_are_refused(war):
    with pytest.raises(InvalidInput) as refusal:
        buy(war, "cannons")
    assert refusal.value.field == "/resource"


def test_mindless_armies_use_no_engines(war):
    golems = raised(war.gm, war.crown, "Golems", unit=orc(abilities=[{"ability": "mindless"}]))
    with pytest.raises(IllegalCommand, match="This army can’t use"):
        buy(war, "siege-engines", golems, war.gm, waive_building=True)


def test_what_an_army_becomes_unable_to_use_goes_to_the_stores(war):
    """PF-5.1: animals use no weapons, the mindless no engines. Armour stays; taken back, all is as it was."""
    for resource in ("improved-armor", "improved-weapons"):
        buy(war, resource)
    buy(war, "siege-engines", by=war.gm, waive_building=True, quantity=2)
    before = PathfinderArmy.objects.get(pk=war.levy.pk).consumption
    update_army(by=war.gm, army=war.levy, unit=orc(abilities=[{"ability": "mindless"}]))
    levy = PathfinderArmy.objects.complete().get(pk=war.levy.pk)
    assert (held(levy), levy.consumption) == ({"improved-armor": 1, "improved-weapons": 1}, before - 6)
    update_army(by=war.gm, army=levy, unit=orc(creature_type="animal"))
    assert held(PathfinderArmy.objects.complete().get(pk=war.levy.pk)) == {"improved-armor": 1}
    stored = {row.resource: (row.size, row.quantity) for row in KingdomStock.objects.filter(kingdom=war.crown)}
    assert stored == {"improved-weapons": ("huge", 1), "siege-engines": ("huge", 2)}
    for _deed in range(2):
        undo_last(by=war.gm, campaign=Campaign.objects.get(pk=war.campaign.pk))
    levy = PathfinderArmy.objects.complete().get(pk=war.levy.pk)
    assert (len(held(levy)), levy.consumption, KingdomStock.objects.count()) == (3, before, 0)


def test_better_armor_sends_the_old_to_the_stores(war):
    buy(war, "improved-armor")
    buy(war, "magic-armor")
    assert held(war.levy) == {"magic-armor": 1}
    stock = KingdomStock.objects.get()
    assert (stock.resource, stock.size, stock.quantity) == ("improved-armor", "huge", 1)
    with pytest.raises(IllegalCommand, match="better"):
        buy(war, "improved-armor")


def test_stores_are_issued_to_armies_that_fit(war):
    buy(war, "improved-armor")
    buy(war, "magic-armor")
    stock = KingdomStock.objects.get()
    giant = raised(war.gm, war.crown, "Host", count=1000)
    with pytest.raises(IllegalCommand, match="too large"):
        issue_from_stores(by=war.ana, army=giant, stock=stock)
    small = raised(war.gm, war.crown, "Guard", count=200)
    issue_from_stores(by=war.ana, army=small, stock=stock)
    assert held(small) == {"improved-armor": 1}
    assert not KingdomStock.objects.exists()


def test_mounts_cost_their_cr_and_raise_the_acr(war):
    buy(war, "mounts", mount={"name": "warg", "cr": "2"})
    war.levy.refresh_from_db()
    assert (treasury(war.crown), war.levy.mount["cr"], war.levy.hp_max) == (192, "2", 33)


@pytest.mark.parametrize("given", [{"mount_speed_m": "18"}, {"mount_speed_ft": "60"}])
def test_r3_who_buys_mounts_says_how_fast_they_are_and_the_army_moves_so(war, client, given):
    """In the reader's unit; what is no speed the law refuses."""
    client.force_login(war.gm)
    url = reverse("armies:army_resources", args=[war.levy.pk])
    sent = {"resource": "mounts", "mount_name": "courser", "mount_cr": "1"}
    refused = client.post(url, {**sent, **dict.fromkeys(given, "fast")})
    assert (refused.status_code, "Enter a speed" in refused.content.decode()) == (422, True)
    assert client.post(url, {**sent, **given}).status_code == 302
    army = PathfinderArmy.objects.complete().get(pk=war.levy.pk)
    assert (army.mount["speed_m"], compute_speed(army).total) == (18, 4)


def test_handing_mounts_over_hands_over_the_beasts(war):
    buy(war, "mounts", mount={"name": "warg", "cr": "2"})
    guard = raised(war.gm, war.crown, "Guard", count=200)
    transfer_resource(by=war.ana, army=war.levy, resource="mounts", to=[Share(guard)])
    war.levy.refresh_from_db()
    guard.refresh_from_db()
    assert (war.levy.mount, war.levy.hp_max, war.levy.morale) == (None, 16, -1)
    assert (guard.mount["name"], held(guard)) == ("warg", {"mounts": 1})


def test_a_set_is_split_among_smaller_armies_while_their_units_fit(war):
    buy(war, "improved-armor")
    two = [raised(war.gm, war.crown, name, count=200) for name in ("A", "B")]
    third = raised(war.gm, war.crown, "C", count=200)
    with pytest.raises(IllegalCommand, match="more units than Levy"):
        transfer_resource(
            by=war.ana, army=war.levy, resource="improved-armor", to=[Share(army) for army in (*two, third)]
        )
    assert held(war.levy) == {"improved-armor": 1}
    transfer_resource(by=war.ana, army=war.levy, resource="improved-armor", to=[Share(army) for army in two])
    war.levy.refresh_from_db()
    assert [held(army) for army in (war.levy, *two)] == [{}, {"improved-armor": 1}, {"improved-armor": 1}]
    assert (war.levy.morale, war.levy.consumption) == (-1, 1)
    assert PathfinderArmy.objects.get(name="A").consumption == 3  # 1 and 1 × 2


def test_a_larger_army_gets_nothing(war):
    buy(war, "improved-armor")
    host = raised(war.gm, war.crown, "Host", count=1000)
    with pytest.raises(IllegalCommand, match="The set of Levy isn’t enough for Host") as refusal:
        transfer_resource(by=war.ana, army=war.levy, resource="improved-armor", to=[Share(host)])
    assert refusal.value.field == "/to/0/army"


def test_engines_are_handed_over_by_the_piece(war):
    buy(war, "siege-engines", by=war.gm, waive_building=True, quantity=3)
    guard = raised(war.gm, war.crown, "Guard", count=200)
    with pytest.raises(IllegalCommand, match="Too many for"):
        transfer_resource(by=war.ana, army=war.levy, resource="siege-engines", to=[Share(guard, 4)])
    transfer_resource(by=war.ana, army=war.levy, resource="siege-engines", to=[Share(guard, 2)])
    assert (held(war.levy), held(guard)) == ({"siege-engines": 1}, {"siege-engines": 2})


def test_what_it_does_not_have_it_cannot_give(war):
    guard = raised(war.gm, war.crown, "Guard", count=200)
    with pytest.raises(IllegalCommand):
        transfer_resource(by=war.ana, army=war.levy, resource="improved-armor", to=[Share(guard)])


def test_to_nobody_to_itself_or_twice_is_refused(war):
    buy(war, "improved-armor")
    guard = raised(war.gm, war.crown, "Guard", count=200)
    for to in ([], [Share(war.levy)], [Share(guard), Share(guard)]):
        with pytest.raises(InvalidInput):
            transfer_resource(by=war.ana, army=war.levy, resource="improved-armor", to=to)


def test_a_player_gives_nothing_to_kingdoms_he_does_not_run(war):
    buy(war, "improved-armor")
    with pytest.raises(PermissionDenied):
        transfer_resource(by=war.ana, army=war.levy, resource="improved-armor", to=[Share(war.raiders)])
    transfer_resource(by=war.gm, army=war.levy, resource="improved-armor", to=[Share(war.raiders)])
    assert held(war.raiders) == {"improved-armor": 1}


def test_at_morale_minus_four_giving_up_more_would_break_it(war):
    buy(war, "improved-armor")
    correct_army(by=war.gm, army=war.levy, morale=-4)
    guard = raised(war.gm, war.crown, "Guard", count=200)
    with pytest.raises(IllegalCommand, match="would disband the army"):
        transfer_resource(by=war.ana, army=war.levy, resource="improved-armor", to=[Share(guard)])


def test_arrears_count_when_giving_up_more_would_break_it(war):
    """PF-1.9, PF-7.2: unpaid, an army at morale −2 stands at −4; one less and it would break up."""
    buy(war, "improved-armor")
    correct_army(by=war.gm, army=war.levy, morale=-2, arrears=True)
    guard = raised(war.gm, war.crown, "Guard", count=200)
    with pytest.raises(IllegalCommand, match=r"Levy: Morale −4, arrears included.*would disband the army"):
        transfer_resource(by=war.ana, army=war.levy, resource="improved-armor", to=[Share(guard)])
    assert (PathfinderArmy.objects.get(pk=war.levy.pk).morale, held(war.levy)) == (-2, {"improved-armor": 1})
    correct_army(by=war.gm, army=war.levy, morale=-1)
    transfer_resource(by=war.ana, army=war.levy, resource="improved-armor", to=[Share(guard)])
    assert PathfinderArmy.objects.get(pk=war.levy.pk).morale == -2


def test_disbanding_gives_stores_and_sells_for_half(war):
    guard = raised(war.gm, war.crown, "Guard", count=200)
    for resource in ("improved-armor", "improved-weapons", "ranged-weapons"):
        buy(war, resource)
    choices = {"improved-armor": Disposal("give", (Share(guard),)), "improved-weapons": Disposal("sell")}
    plan = preview_disband(army=war.levy, choices=choices)
    assert (plan.bp, [parting.choice for parting in plan.partings]) == (6, ["give", "sell", "store"])
    before = treasury(war.crown)
    army = disband_army(by=war.ana, army=war.levy, choices=choices)
    assert (army.status, army.commander, held(army)) == ("disbanded", None, {})
    assert (treasury(war.crown), held(guard)) == (before + 6, {"improved-armor": 1})
    assert list(KingdomStock.objects.values_list("resource", "size")) == [("ranged-weapons", "huge")]
    guard.refresh_from_db()
    assert guard.morale == 0


def test_a_preview_changes_nothing(war):
    buy(war, "improved-armor")
    preview_disband(army=war.levy, choices={"improved-armor": Disposal("sell")})
    assert PathfinderArmy.objects.get(pk=war.levy.pk).status == "ready"
    assert held(war.levy) == {"improved-armor": 1}


ODD_DISPOSALS = [
    {"cannons": Disposal("sell")},
    {"improved-armor": Disposal("eat")},
    {"improved-armor": Disposal("give")},
]


def test_odd_disposals_are_refused(war):
    buy(war, "improved-armor")
    for choices in ODD_DISPOSALS:
        with pytest.raises(InvalidInput):
            disband_army(by=war.ana, army=war.levy, choices=choices)
        assert PathfinderArmy.objects.get(pk=war.levy.pk).status == "ready", choices


def test_engines_not_given_are_stored(war):
    guard = raised(war.gm, war.crown, "Guard", count=200)
    buy(war, "siege-engines", by=war.gm, waive_building=True, quantity=3)
    disband_army(by=war.ana, army=war.levy, choices={"siege-engines": Disposal("give", (Share(guard, 1),))})
    assert held(guard) == {"siege-engines": 1}
    assert KingdomStock.objects.get().quantity == 2


@pytest.mark.django_db(transaction=True)
def test_of_two_purchases_with_money_for_one_one_succeeds(war):
    record_entry(by=war.gm, kingdom=war.crown, amount=-192, reason="Feast")
    other = raised(war.gm, war.crown, "Other")
    start, answers = threading.Barrier(2), []

    def purchase(army):
        start.wait()
        try:
            buy(war, "ranged-weapons", PathfinderArmy.objects.get(pk=army.pk))
            answers.append("bought")
        except IllegalCommand:
            answers.append("refused")
        finally:
            connections.close_all()

    threads = [threading.Thread(target=purchase, args=(army,)) for army in (war.levy, other)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=20)
    assert sorted(answers) == ["bought", "refused"]
    assert treasury(war.crown) == 0
    assert sum(len(held(army)) for army in (war.levy, other)) == 1
