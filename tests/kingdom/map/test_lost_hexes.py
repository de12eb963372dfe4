"""Where sizes follow the map, size and hexes go together: when the upkeep phase costs a hex, and whatever is undone."""

from __future__ import annotations

from typing import Any

import pytest

from armies.weeks import services as time
from core.text import render
from kingdom.campaign.services import update_campaign
from kingdom.chronicle.services import undo_entry, undo_last
from kingdom.map.painting_services import undo_stroke
from kingdom.map.queries import load_map_state
from kingdom.map.services import claim_hexes, configure_map, put_map_away, put_settlement
from kingdom.models import CampaignMap, ChronicleEntry, Kingdom, Settlement
from kingdom.realms.services import found_kingdom, update_kingdom
from rules.core.errors import IllegalCommand
from rules.hexes.geometry import label_of
from tests.kingdom.map.conftest import CROWN_HEXES
from tests.worlds import built_once


@built_once
def riot(marches) -> Any:
    """A month is three days, and the crown's Unrest 17: each month costs it a hex."""
    update_campaign(by=marches.gm, campaign=marches.campaign, calendar={"months": [{"name": "Short", "days": 3}]})
    Kingdom.objects.filter(pk=marches.crown.pk).update(unrest=17)
    return marches


def follow(table: Any) -> None:
    configure_map(by=table.gm, campaign=fresh(table.campaign), sizes=True)


def fresh(thing: Any) -> Any:
    return type(thing).objects.get(pk=thing.pk)


def hexes_of(kingdom: Kingdom) -> set[str]:
    return set(map(label_of, load_map_state(CampaignMap.objects.get(campaign=kingdom.campaign_id)).of(kingdom.pk)))


def foreseen(table: Any, days: int = 3) -> Any:
    return time.propose_time(by=table.gm, campaign=fresh(table.campaign), days=days)


def pass_days(table: Any, days: int = 3) -> ChronicleEntry:
    return time.confirm_time(by=table.gm, campaign=fresh(table.campaign), days=days)


def last_entry(table: Any) -> ChronicleEntry:
    return ChronicleEntry.objects.filter(campaign=table.campaign, undone_at=None).latest("seq")


def test_pf_8_4_a_hex_lost_to_unrest_is_lost_on_the_map_and_comes_back_with_the_month(riot):
    claim_hexes(by=riot.gm, campaign=riot.campaign, kingdom=riot.crown, hexes=["A1"])
    follow(riot)
    proposal = foreseen(riot)
    told = [(change.subject_id, change.field, change.after, change.rule) for change in proposal.changes
            if change.subject_kind == "ground"]  # fmt: skip
    assert told == [("A1", "claim", None, "PF-8.4")]
    said = "lost A1: of its hexes without a town or army, the farthest from its towns."
    assert [render(note.text) for note in proposal.notes if note.rule == "PF-8.4"][-1] == f"{riot.crown.name} {said}"
    entry = pass_days(riot)
    assert (hexes_of(riot.crown), fresh(riot.crown).size) == (set(CROWN_HEXES), 5)
    undo_entry(by=riot.gm, entry=entry)
    assert (hexes_of(riot.crown), fresh(riot.crown).size) == ({*CROWN_HEXES, "A1"}, 6)


def test_a_month_that_cost_a_hex_is_no_stroke_to_take_back_on_the_easel(riot):
    follow(riot)
    entry = pass_days(riot)
    with pytest.raises(IllegalCommand, match=r"depends on this"):
        undo_stroke(by=riot.gm, campaign=fresh(riot.campaign))
    assert not fresh(entry).undone


def test_pf_8_4_towns_go_last_and_armies_before_them(riot):
    """C3 has the town, D3 the army; two months cost two hexes, each another one."""
    follow(riot)
    pass_days(riot, 6)
    assert (hexes_of(riot.crown), fresh(riot.crown).size) == ({"B3", "C3", "D3"}, 3)
    Kingdom.objects.filter(pk=riot.crown.pk).update(unrest=17)
    notes = [render(note.text) for note in foreseen(riot, 6).notes if note.rule == "PF-8.4"]
    assert f"{riot.crown.name} lost D3. An army or a town stands on every hex it still claims." in notes
    pass_days(riot, 6)
    assert (hexes_of(riot.crown), fresh(riot.crown).size) == ({"C3"}, 1)


def test_pf_8_4_without_towns_on_the_map_the_hex_farthest_out_is_lost(riot):
    put_settlement(by=riot.gm, settlement=Settlement.objects.get(name="Restov"), hex="")
    claim_hexes(by=riot.gm, campaign=riot.campaign, kingdom=riot.crown, hexes=["A1"])
    follow(riot)
    said = f"{riot.crown.name} lost A1: of its hexes without an army, the farthest from the center of its land."
    assert said in [render(note.text) for note in foreseen(riot).notes]


def test_pf_8_4_a_kingdom_without_hexes_loses_none(riot):
    claim_hexes(by=riot.gm, campaign=riot.campaign, kingdom=None, hexes=CROWN_HEXES)
    follow(riot)
    assert not [change for change in foreseen(riot).changes if change.subject_kind == "ground"]


def test_pf_8_4_where_people_write_sizes_the_map_stays_as_it_is(riot):
    pass_days(riot)
    assert (hexes_of(riot.crown), fresh(riot.crown).size) == (set(CROWN_HEXES), 10)


def test_a_month_that_cost_a_hex_is_not_taken_back_below_a_later_claim_of_it(riot):
    claim_hexes(by=riot.gm, campaign=riot.campaign, kingdom=riot.crown, hexes=["A1"])
    follow(riot)
    entry = pass_days(riot)
    claim_hexes(by=riot.gm, campaign=riot.campaign, kingdom=riot.horde, hexes=["A1"])
    with pytest.raises(IllegalCommand, match=r"claimed A1.* depends on this"):
        undo_entry(by=riot.gm, entry=entry)


def test_a_map_that_lies_on_the_table_again_makes_sizes_follow_it_again(marches):
    follow(marches)
    put_map_away(by=marches.gm, campaign=marches.campaign)
    update_kingdom(by=marches.gm, kingdom=fresh(marches.crown), size=20)
    put_map_away(by=marches.gm, campaign=marches.campaign, away=False)
    assert fresh(marches.crown).size == 5
    undo_last(by=marches.gm, campaign=marches.campaign)
    assert fresh(marches.crown).size == 20


def test_pf_8_4_a_hex_lost_while_the_map_is_put_away_stays_lost_when_it_is_laid_out(riot):
    """However large somebody has written the kingdom meanwhile."""
    claim_hexes(by=riot.gm, campaign=riot.campaign, kingdom=riot.crown, hexes=["A1"])
    follow(riot)
    put_map_away(by=riot.gm, campaign=riot.campaign)
    Kingdom.objects.filter(pk=riot.crown.pk).update(size=3)
    entry = pass_days(riot)
    assert (hexes_of(riot.crown), fresh(riot.crown).size) == (set(CROWN_HEXES), 2)
    put_map_away(by=riot.gm, campaign=fresh(riot.campaign), away=False)
    assert fresh(riot.crown).size == 5
    undo_last(by=riot.gm, campaign=fresh(riot.campaign))
    undo_entry(by=riot.gm, entry=entry)
    assert (hexes_of(riot.crown), fresh(riot.crown).size) == ({*CROWN_HEXES, "A1"}, 3)


def ended(marches, off):
    """The entry by which sizes follow no longer: the rule is switched off, or the map put away."""
    follow(marches)
    if off == "switched":
        configure_map(by=marches.gm, campaign=fresh(marches.campaign), sizes=False)
    else:
        put_map_away(by=marches.gm, campaign=marches.campaign)
    return last_entry(marches)


@pytest.mark.parametrize("off", ["switched", "put away"])
def test_sizes_do_not_follow_again_by_an_undo_below_a_size_written_since(marches, off):
    entry = ended(marches, off)
    update_kingdom(by=marches.gm, kingdom=fresh(marches.crown), size=20)
    with pytest.raises(IllegalCommand, match=r"Kingdom size follows the map.*Undo that event first"):
        undo_entry(by=marches.gm, entry=entry)
    undo_last(by=marches.gm, campaign=marches.campaign)
    undo_entry(by=marches.gm, entry=entry)
    assert fresh(marches.crown).size == 5


@pytest.mark.parametrize("off", ["switched", "put away"])
def test_sizes_do_not_follow_again_by_an_undo_while_a_kingdom_founded_since_has_another(marches, off):
    entry = ended(marches, off)
    founded = found_kingdom(by=marches.gm, campaign=fresh(marches.campaign), name="Varn", size=7)
    with pytest.raises(IllegalCommand, match=r"Varn has size 7 but claims 0 hexes, so this can’t be undone"):
        undo_entry(by=marches.gm, entry=entry)
    assert not fresh(entry).undone
    if off == "switched":
        follow(marches)
    else:
        put_map_away(by=marches.gm, campaign=marches.campaign, away=False)
    assert fresh(founded).size == 0


def test_a_claim_made_before_sizes_followed_is_not_taken_back_below_the_switch(marches):
    claim_hexes(by=marches.gm, campaign=marches.campaign, kingdom=marches.crown, hexes=["A1"])
    claim = last_entry(marches)
    Kingdom.objects.filter(pk=marches.crown.pk).update(size=6)
    Kingdom.objects.filter(pk=marches.horde.pk).update(size=2)
    follow(marches)
    with pytest.raises(IllegalCommand, match=r"Kingdom size follows the map.*Undo that event first"):
        undo_entry(by=marches.gm, entry=claim)
    undo_last(by=marches.gm, campaign=marches.campaign)
    undo_entry(by=marches.gm, entry=claim)
    assert hexes_of(marches.crown) == set(CROWN_HEXES)
