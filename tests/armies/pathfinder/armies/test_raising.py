"""Raising armies and changing what they are (PF-1)."""

from __future__ import annotations

import threading

import pytest
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, connections, transaction
from django.http import Http404

from armies.forces.services import remove_army, reveal_army
from armies.pathfinder.armies.march_services import rest_army
from armies.pathfinder.armies.resource_services import Share, transfer_resource
from armies.pathfinder.armies.services import correct_army, raise_army, teach_tactic, update_army
from armies.pathfinder.armies.trade_services import buy_resource, disband_army
from armies.pathfinder.commanders.command_services import assign_commander, promote_soldier
from armies.pathfinder.commanders.services import update_commander
from armies.pathfinder.models import PathfinderArmy
from kingdom.models import Campaign, Kingdom
from kingdom.realms.figures import get_ruleset
from rules.core.errors import IllegalCommand, InvalidInput
from tests.armies.conftest import appointed, orc, raised


def test_five_hundred_orcs_are_a_huge_army_of_acr_3_with_16_hp(war):
    army = raised(war.ana, war.crown)
    assert (army.hp, army.hp_max, army.morale, army.consumption, army.status) == (16, 16, 0, 1, "ready")
    assert not army.tactics.exists()


WRONG = [
    ({"unit": orc(cr="0")}, "/unit/cr"),
    ({"unit": orc(cr="abc")}, "/unit/cr"),
    ({"unit": orc(hit_die="d7")}, "/unit/hit_die"),
    ({"unit": orc(creature_type="orc")}, "/unit/creature_type"),
    ({"unit": orc(abilities=[{"ability": "shoots-lasers"}])}, "/unit/abilities/0/ability"),
    ({"unit": orc(abilities=[{"ability": "spellcasting"}])}, "/unit/abilities/0/value"),
    ({"unit": orc(abilities=[{"ability": "hex"}])}, "/unit/abilities/0/options/choice"),
    ({"unit": orc(name="")}, "/unit/name"),
    ({"count": 0}, "/count"),
    ({"count": 10**9}, "/count"),
    ({"count": 1}, "/count"),
    ({"name": "   "}, "/name"),
    ({"mount": {"cr": "x"}}, "/mount/cr"),
]


def test_what_is_no_army_is_refused_at_its_field(war):
    for changes, pointer in WRONG:
        before = PathfinderArmy.objects.count()
        with pytest.raises(InvalidInput) as refusal:
            raised(war.ana, war.crown, **{"name": "Levy", **changes})
        assert pointer in [place for place, _said in refusal.value.errors], changes
        assert PathfinderArmy.objects.count() == before, changes


def test_too_few_units_are_told_to_add_troops(war):
    with pytest.raises(InvalidInput, match="Add units until it reaches ACR 1/8"):
        raised(war.ana, war.crown, count=10)


def test_cavalry_uses_the_higher_cr_of_rider_and_mount(war):
    army = raised(war.ana, war.crown, mount={"name": "warg", "cr": "2"})
    assert army.hp_max == 33  # ACR 6 × 5.5


def test_only_the_gm_raises_monstrous_units(war):
    ogres = orc(name="Ogre", creature_type="monstrous-humanoid", cr="3")
    with pytest.raises(IllegalCommand, match="Ask the GM"):
        raised(war.ana, war.crown, unit=ogres)
    assert raised(war.gm, war.crown, unit=ogres).pk
    with pytest.raises(IllegalCommand, match="Ask the GM"):
        update_army(by=war.ana, army=war.levy, unit=ogres)


def test_growing_keeps_the_damage_taken(war):
    correct_army(by=war.gm, army=war.levy, hp=10)
    army = update_army(by=war.ana, army=war.levy, count=1000)
    assert (army.hp, army.hp_max, army.consumption) == (21, 27, 2)


def test_shrinking_never_kills(war):
    correct_army(by=war.gm, army=war.levy, hp=2)
    army = update_army(by=war.ana, army=war.levy, count=100)
    assert (army.hp, army.hp_max) == (1, 1)


def test_shrinking_below_acr_one_eighth_is_refused_and_changes_nothing(war):
    with pytest.raises(InvalidInput):
        update_army(by=war.ana, army=war.levy, name="Remnant", count=10)
    war.levy.refresh_from_db()
    assert (war.levy.name, war.levy.count) == ("Levy", 500)


def test_one_commander_leads_one_army(war):
    with pytest.raises(IllegalCommand, match="Ser Vell already leads Levy"):
        raised(war.ana, war.crown, "Second", commander=war.vell)
    assert not PathfinderArmy.objects.filter(name="Second").exists()
    second = raised(war.ana, war.crown, "Second")
    with pytest.raises(IllegalCommand):
        assign_commander(by=war.ana, army=second, commander=war.vell)
    with pytest.raises(IntegrityError), transaction.atomic():
        PathfinderArmy.objects.filter(pk=second.pk).update(commander=war.vell)


@pytest.mark.django_db(transaction=True)
def test_of_two_armies_that_ask_for_one_commander_at_once_one_gets_him(war):
    free = appointed(war.gm, war.crown, "Free")
    armies = [raised(war.gm, war.crown, name) for name in ("A", "B")]
    start, answers = threading.Barrier(2), []

    def ask(army):
        start.wait()
        try:
            assign_commander(by=war.ana, army=army, commander=free)
            answers.append("got")
        except IllegalCommand:
            answers.append("refused")
        finally:
            connections.close_all()

    threads = [threading.Thread(target=ask, args=(army,)) for army in armies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=20)
    assert sorted(answers) == ["got", "refused"]


def test_a_commander_of_another_kingdom_is_refused(war):
    foreign = appointed(war.gm, war.horde, "Gorth")
    with pytest.raises(InvalidInput) as refusal:
        assign_commander(by=war.gm, army=war.levy, commander=foreign)
    assert refusal.value.field == "/commander"


def test_a_captive_leads_nobody(war):
    assign_commander(by=war.ana, army=war.levy, commander=None)
    update_commander(by=war.gm, commander=war.vell, status="captured")
    with pytest.raises(IllegalCommand, match="not free"):
        assign_commander(by=war.ana, army=war.levy, commander=war.vell)


def test_a_commander_taken_captive_leaves_his_army(war):
    update_commander(by=war.gm, commander=war.vell, status="captured")
    war.levy.refresh_from_db()
    assert war.levy.commander is None


def test_a_soldier_is_promoted_at_the_level_of_his_unit(war):
    army = promote_soldier(by=war.bo, army=war.raiders, name="Grub")
    commander = army.leader
    assert (commander.name, commander.level, commander.charisma_modifier, commander.soldier_ranks) == ("Grub", 1, 0, 0)
    with pytest.raises(IllegalCommand, match="A commander already leads"):
        promote_soldier(by=war.bo, army=war.raiders, name="Snaga")


BEYOND = [("hp", 17), ("hp", -1), ("morale", 5), ("morale", -5), ("status", "gone")]


def test_corrections_stay_within_bounds(war):
    for field, value in BEYOND:
        with pytest.raises(InvalidInput) as refusal:
            correct_army(by=war.gm, army=war.levy, **{field: value})
        assert refusal.value.field == f"/{field}", field


BROKEN = [{"health": 99}, {"morale": 5}, {"morale": -5}, {"status": "lost"}]


def test_the_database_holds_the_bounds_too(war):
    for broken in BROKEN:
        with pytest.raises(IntegrityError), transaction.atomic():
            PathfinderArmy.objects.filter(pk=war.levy.pk).update(**broken)


def test_corrections_are_the_gms(war):
    with pytest.raises(PermissionDenied):
        correct_army(by=war.ana, army=war.levy, hp=16)


def test_others_change_nothing(war):
    for who in (war.bo, war.viewer):
        with pytest.raises(PermissionDenied):
            raised(who, war.crown)
        with pytest.raises(PermissionDenied):
            update_army(by=who, army=war.levy, name="Ours")
    with pytest.raises(Http404):
        raised(war.stranger, war.crown)


def test_a_busy_army_is_left_alone(war, busy):
    busy.add(war.levy.pk)
    other = raised(war.gm, war.crown, "Other")
    for refused in (
        lambda: update_army(by=war.gm, army=war.levy, name="x"),
        lambda: correct_army(by=war.gm, army=war.levy, hp=1),
        lambda: assign_commander(by=war.gm, army=war.levy, commander=None),
        lambda: buy_resource(by=war.gm, army=war.levy, resource="ranged-weapons"),
        lambda: transfer_resource(by=war.gm, army=other, resource="ranged-weapons", to=[Share(war.levy)]),
        lambda: teach_tactic(by=war.gm, army=war.levy, tactic="taunt", granted=True),
        lambda: rest_army(by=war.gm, army=war.levy),
        lambda: disband_army(by=war.gm, army=war.levy),
        lambda: update_commander(by=war.gm, commander=war.vell, level=9),
        lambda: remove_army(by=war.gm, army=war.levy),
    ):
        with pytest.raises(IllegalCommand, match="Levy fights"):
            refused()
    assert reveal_army(by=war.gm, army=war.levy, revealed=True).revealed


def test_a_fallen_army_takes_no_orders(war):
    correct_army(by=war.gm, army=war.levy, status="defeated", hp=0)
    with pytest.raises(IllegalCommand, match="defeated, so nothing"):
        buy_resource(by=war.gm, army=war.levy, resource="ranged-weapons")


def test_what_is_raised_is_read_by_the_house_rules_in_force_once_the_campaign_is_locked(war):
    """They may have changed since its page was drawn: an ability switched off meanwhile gives its army nothing."""
    kingdom = Kingdom.objects.select_related("campaign").get(pk=war.crown.pk)
    overlay = {"abilities": {"regeneration": {"off": True}}}
    Campaign.objects.filter(pk=war.campaign.pk).update(house_rules={"overlay": overlay}, day=9)
    assert kingdom.campaign.house_rules == {}
    unit = orc(abilities=[{"ability": "regeneration", "value": 5}])
    army = raise_army(by=war.gm, kingdom=kingdom, name="Trolls", unit=unit, count=100)
    assert army.regrowth == 0
    assert army.campaign.day == 9


REFUSED = [
    {"unit": orc(cr="abc")},
    {"unit": orc(hit_die="d7", speed_m=-1)},
    {"unit": orc(abilities=[{"ability": "shoots-lasers"}])},
    {"unit": "orcs"},
    {"count": 0},
    {"count": 10**9},
    {"count": "many"},
    {"mount": {"cr": "x"}},
]


def test_the_service_and_the_law_refuse_the_same_documents_in_the_same_words(war):
    """PF-1.11: what an army is, its law reads; nobody else knows what is wrong with it."""
    for changes in REFUSED:
        document = {"unit": orc(), "count": 500, "mount": None, **changes}
        law = get_ruleset(war.campaign).armies
        with pytest.raises(InvalidInput) as by_law:
            law.measure(law.read(document))
        with pytest.raises(InvalidInput) as by_service:
            raised(war.gm, war.crown, **document)
        assert by_service.value.errors == by_law.value.errors, changes


def test_an_army_keeps_its_document_as_its_law_reads_it_and_says_of_which_shape_it_is(war):
    army = raised(war.gm, war.crown, mount={"name": "Wolf", "cr": "1", "speed_m": 15})
    law = get_ruleset(war.campaign).armies
    assert PathfinderArmy.objects.get(pk=army.pk).sheet == {**law.read(army.sheet), "version": law.version}
    assert law.measure(army.sheet)[:2] == (army.hp_max, army.consumption)
    update_army(by=war.gm, army=army, count=200)
    assert PathfinderArmy.objects.get(pk=army.pk).sheet["version"] == law.version
