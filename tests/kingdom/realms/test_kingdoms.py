"""Kingdoms and settlements (PF-8)."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404

from kingdom.access.queries import runs_kingdom
from kingdom.members.services import set_role
from kingdom.models import Kingdom, LedgerEntry
from kingdom.realms.check_services import roll_check
from kingdom.realms.figures import buildings_of, compute_defense, count_districts, derive_figures
from kingdom.realms.services import assign_player, dissolve_kingdom, found_kingdom, found_settlement, update_kingdom
from kingdom.realms.treasury_services import record_entry, spend
from rules.core.errors import InvalidInput


def test_control_dc_is_twenty_plus_size_plus_districts_plus_modifier(gm, crown):
    update_kingdom(by=gm, kingdom=crown, control_dc_modifier=2)
    assert derive_figures(crown)["control_dc"].total == 20 + 11 + 3 + 2
    assert [line.rule for line in derive_figures(crown)["control_dc"].lines] == ["PF-8.2"] * 4


def test_the_gm_may_set_the_control_dc_outright(gm, crown):
    update_kingdom(by=gm, kingdom=crown, control_dc_override=15)
    assert derive_figures(crown)["control_dc"].total == 15


def test_settlements_count_their_districts_when_they_have_more_than_was_noted(gm, crown):
    found_settlement(by=gm, kingdom=crown, name="Restov", districts=2)
    assert count_districts(crown) == 3
    found_settlement(by=gm, kingdom=crown, name="Nivakta", districts=4)
    assert count_districts(Kingdom.objects.get(pk=crown.pk)) == 6


def test_defense_counts_walls_by_side_and_each_building(gm, crown):
    town = found_settlement(
        by=gm,
        kingdom=crown,
        name="Restov",
        buildings=["castle", "city-wall", "city-wall", "moat", "watchtower", "smithy"],
    )
    assert compute_defense(town).total == 8 + 2 + 1 + 2
    assert buildings_of(crown) >= {"castle", "smithy"}


def test_a_wall_has_at_most_four_sides_a_district(gm, crown):
    with pytest.raises(InvalidInput) as refused:
        found_settlement(by=gm, kingdom=crown, name="Restov", buildings=["city-wall"] * 5)
    assert refused.value.field == "/buildings"
    found_settlement(by=gm, kingdom=crown, name="Restov", districts=2, buildings=["city-wall"] * 5)


def test_an_unknown_building_is_named(gm, crown):
    with pytest.raises(InvalidInput) as refused:
        found_settlement(by=gm, kingdom=crown, name="Restov", buildings=["smithy", "casino"])
    assert refused.value.field == "/buildings/1"
    assert "casino" in str(refused.value)


IMPOSSIBLE = [
    ({"name": ""}, "/name"),
    ({"name": "   "}, "/name"),
    ({"name": "x" * 121}, "/name"),
    ({"name": "a\0b"}, "/name"),
    ({"economy": 10**9}, "/economy"),
    ({"economy": -(10**9)}, "/economy"),
    ({"economy": "22"}, "/economy"),
    ({"economy": True}, "/economy"),
    ({"unrest": -1}, "/unrest"),
    ({"size": -1}, "/size"),
    ({"size": 10**30}, "/size"),
    ({"alignment": "XX"}, "/alignment"),
    ({"control_dc_override": -1}, "/control_dc_override"),
]


def test_impossible_figures_are_refused_beside_their_field(gm, crown):
    for fields, pointer in IMPOSSIBLE:
        with pytest.raises(InvalidInput) as refused:
            update_kingdom(by=gm, kingdom=crown, **fields)
        assert refused.value.field == pointer, fields
        crown = Kingdom.objects.get(pk=crown.pk)
        assert (crown.name, crown.economy, crown.unrest) == ("Crown of Restov", 22, 3), fields


def test_the_longest_name_fits(gm, crown):
    assert update_kingdom(by=gm, kingdom=crown, name="x" * 120).name == "x" * 120


def test_a_player_edits_his_kingdom_but_not_the_gms_figures(table):
    update_kingdom(by=table.ana, kingdom=table.crown, economy=23)
    assert Kingdom.objects.get(pk=table.crown.pk).economy == 23
    with pytest.raises(PermissionDenied):
        update_kingdom(by=table.ana, kingdom=table.crown, control_dc_override=5)
    with pytest.raises(PermissionDenied):
        update_kingdom(by=table.ana, kingdom=table.crown, players=[table.bo])
    with pytest.raises(PermissionDenied):
        update_kingdom(by=table.ana, kingdom=table.horde, economy=0)


@pytest.mark.parametrize("who, error", [("bo", PermissionDenied), ("viewer", PermissionDenied), ("stranger", Http404)])
def test_others_cannot_edit_it(table, who, error):
    user = getattr(table, who)
    with pytest.raises(error):
        update_kingdom(by=user, kingdom=table.crown, economy=0)
    with pytest.raises(error):
        found_settlement(by=user, kingdom=table.crown, name="Camp")
    with pytest.raises(error):
        record_entry(by=user, kingdom=table.crown, amount=5, reason="gift")
    with pytest.raises(error):
        roll_check(by=user, kingdom=table.crown, attribute="loyalty")
    with pytest.raises(error):
        found_kingdom(by=user, campaign=table.campaign, name="Mine")


def test_only_players_of_the_campaign_can_be_given_a_kingdom(table):
    for user in (table.stranger, table.viewer):
        with pytest.raises(InvalidInput) as refused:
            assign_player(by=table.gm, kingdom=table.crown, player=user)
        assert refused.value.field == "/players"


def test_a_player_made_viewer_runs_nothing_any_more(table):
    set_role(by=table.gm, campaign=table.campaign, user=table.ana, role="viewer")
    assert not runs_kingdom(table.ana, table.crown)
    assert not table.crown.players.exists()


def test_saving_an_old_copy_never_writes_an_old_treasury_back(gm, crown):
    old = Kingdom.objects.get(pk=crown.pk)
    spend(by=gm, kingdom=crown, amount=20, reason="spears", source="purchase")
    old.economy = 1
    old.save()
    assert Kingdom.objects.get(pk=crown.pk).treasury == 1


def test_dissolving_a_kingdom_takes_its_ledger_along(gm, crown):
    dissolve_kingdom(by=gm, kingdom=crown)
    assert not LedgerEntry.objects.exists()
