"""The campaign's map as people change it: each deed told, each taken back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test.utils import CaptureQueriesContext

from armies.marches.services import put_army
from kingdom.chronicle.services import undo_last
from kingdom.map.fog_services import forget_seen, watched_by
from kingdom.map.queries import find_map, forget_map, load_eyes, load_map_state
from kingdom.map.services import claim_hexes, configure_map, make_map, put_map_away, put_settlement, redraw_map
from kingdom.models import CampaignMap, ChronicleEntry, Kingdom, MapKnowledge, MapRow, Settlement
from kingdom.realms.services import dissolve_kingdom, update_kingdom
from rules.core.errors import IllegalCommand, InvalidInput
from rules.hexes.geometry import hex_at
from rules.hexes.mapfile import document, parse
from tests.kingdom.map.conftest import CROWN_HEXES, drawing


def drawn_on(campaign) -> CampaignMap:
    return CampaignMap.objects.get(campaign=campaign)


def ground(campaign):
    return load_map_state(drawn_on(campaign))


def claimed_by(kingdom) -> set[str]:
    return {at for at in CROWN_HEXES if ground(kingdom.campaign).claims.get(hex_at(at)) == kingdom.pk}


def test_a_map_is_made_from_a_document_and_says_it_again(war):
    make_map(by=war.gm, campaign=war.campaign, document=drawing(more={"of": "mine"}))
    told = document(ground(war.campaign).field)
    assert told == document(parse(drawing(more={"of": "mine"})))
    undo_last(by=war.gm, campaign=war.campaign)
    assert not CampaignMap.objects.exists()
    assert not MapRow.objects.exists()


def test_only_the_gm_makes_a_map_and_bad_documents_say_where(war):
    with pytest.raises(PermissionDenied):
        make_map(by=war.ana, campaign=war.campaign)
    with pytest.raises(InvalidInput) as refused:
        make_map(by=war.gm, campaign=war.campaign, document=drawing(labels={"Z99": "Nowhere"}))
    assert refused.value.field == "/labels/Z99"
    with pytest.raises(InvalidInput) as refused:
        make_map(by=war.gm, campaign=war.campaign, document=drawing(kind="battle", roads=[], rivers=[], labels={}))
    assert refused.value.field in ("/kind", "/terrain/10")
    assert not CampaignMap.objects.exists()


def test_another_map_takes_the_place_of_one_there_is_and_undo_brings_it_back(marches):
    make_map(by=marches.gm, campaign=marches.campaign, name="Elsewhere", columns=8, rows=8)
    assert ground(marches.campaign).field.name == "Elsewhere"
    assert hex_at("L10") not in ground(marches.campaign).claims
    undo_last(by=marches.gm, campaign=marches.campaign)
    assert document(ground(marches.campaign).field) == document(parse(drawing()))
    assert ground(marches.campaign).claims[hex_at("L10")] == marches.horde.pk


def test_a_stroke_is_told_by_its_places_and_taken_back(marches):
    before = ground(marches.campaign).field
    row = "..ww" + before.terrain[3][4:]
    stroke = replace(
        before,
        terrain=(*before.terrain[:3], row, *before.terrain[4:]),
        labels={**before.labels, hex_at("A1"): "Corner"},
        roads=before.roads - {min(before.roads)},
    )
    redraw_map(by=marches.gm, drawn=drawn_on(marches.campaign), field=stroke)
    entry = ChronicleEntry.objects.latest("seq")
    assert {(line["subject_id"], line["field"]) for line in entry.changes} == {
        ("C4:D4", "terrain"), ("A1", "label"), ("B2|C2", "road"),
    }  # fmt: skip
    assert ground(marches.campaign).field == stroke
    undo_last(by=marches.gm, campaign=marches.campaign)
    assert ground(marches.campaign).field == before


def test_a_stroke_rewrites_the_rows_it_touches_and_no_more(marches):
    field, rows = ground(marches.campaign).field, dict(MapRow.objects.values_list("number", "pk"))
    stroke = replace(field, terrain=("w" * 16, *field.terrain[1:]))
    with CaptureQueriesContext(connection) as counted:
        redraw_map(by=marches.gm, drawn=drawn_on(marches.campaign), field=stroke)
    written = [one["sql"] for one in counted.captured_queries if one["sql"].startswith('UPDATE "kingdom_maprow"')]
    assert len(written) == 1
    assert [number for number, pk in rows.items() if str(pk).replace("-", "") in written[0].replace("-", "")] == [0]


def test_drawing_the_same_again_changes_nothing(marches):
    version = drawn_on(marches.campaign).version
    redraw_map(by=marches.gm, drawn=drawn_on(marches.campaign), field=ground(marches.campaign).field)
    assert drawn_on(marches.campaign).version == version


def test_an_earlier_stroke_is_not_taken_back_under_a_later_one_on_its_hexes(marches):
    field = ground(marches.campaign).field
    one = replace(field, terrain=("wwww" + "." * 12, *field.terrain[1:]))
    redraw_map(by=marches.gm, drawn=drawn_on(marches.campaign), field=one)
    first = ChronicleEntry.objects.latest("seq")
    two = replace(field, terrain=("wwmm" + "." * 12, *field.terrain[1:]))
    redraw_map(by=marches.gm, drawn=drawn_on(marches.campaign), field=two)
    from kingdom.chronicle.services import undo_entry

    with pytest.raises(IllegalCommand):
        undo_entry(by=marches.gm, entry=first)
    undo_last(by=marches.gm, campaign=marches.campaign)
    undo_entry(by=marches.gm, entry=first)
    assert ground(marches.campaign).field == field


def test_a_hex_is_claimed_by_one_kingdom_at_most(marches):
    claim_hexes(by=marches.gm, campaign=marches.campaign, kingdom=marches.horde, hexes=["C2", "c3"])
    assert claimed_by(marches.horde) == {"C2", "C3"}
    assert claimed_by(marches.crown) == {"B2", "B3", "D3"}
    claim_hexes(by=marches.gm, campaign=marches.campaign, kingdom=None, hexes=["C2"])
    assert hex_at("C2") not in ground(marches.campaign).claims
    undo_last(by=marches.gm, campaign=marches.campaign)
    undo_last(by=marches.gm, campaign=marches.campaign)
    assert claimed_by(marches.crown) == set(CROWN_HEXES)


def test_claims_name_hexes_of_the_map(marches):
    for hexes, pointer in ((["B2", "Z99"], "/hexes/1"), (["here"], "/hexes/0"), ([], "/hexes")):
        with pytest.raises(InvalidInput) as refused:
            claim_hexes(by=marches.gm, campaign=marches.campaign, kingdom=marches.crown, hexes=hexes)
        assert refused.value.field == pointer
    with pytest.raises(PermissionDenied):
        claim_hexes(by=marches.ana, campaign=marches.campaign, kingdom=marches.crown, hexes=["A1"])


def test_a_size_that_follows_the_hexes_changes_with_each_claim_and_back(marches):
    gm, campaign, crown = marches.gm, marches.campaign, marches.crown
    configure_map(by=gm, campaign=campaign, sizes=True)
    sizes = dict(Kingdom.objects.values_list("name", "size"))
    assert sizes == {crown.name: 5, marches.horde.name: 2}
    claim_hexes(by=gm, campaign=campaign, kingdom=crown, hexes=["A1", "L10"])
    assert dict(Kingdom.objects.values_list("name", "size")) == {crown.name: 7, marches.horde.name: 1}
    fresh = Kingdom.objects.get(pk=crown.pk)
    with pytest.raises(InvalidInput) as refused:
        update_kingdom(by=gm, kingdom=fresh, size=20)
    assert refused.value.field == "/size"
    undo_last(by=gm, campaign=campaign)
    assert dict(Kingdom.objects.values_list("name", "size")) == sizes
    undo_last(by=gm, campaign=campaign)
    assert Kingdom.objects.get(pk=crown.pk).size == 11
    forget_map(campaign)
    update_kingdom(by=gm, kingdom=Kingdom.objects.get(pk=crown.pk), size=20)


def test_a_map_that_is_put_away_keeps_what_lies_on_it(marches):
    put_map_away(by=marches.gm, campaign=marches.campaign)
    forget_map(marches.campaign)
    assert find_map(marches.campaign) is None
    with pytest.raises(IllegalCommand):
        claim_hexes(by=marches.gm, campaign=marches.campaign, kingdom=marches.crown, hexes=["A1"])
    put_map_away(by=marches.gm, campaign=marches.campaign, away=False)
    forget_map(marches.campaign)
    assert find_map(marches.campaign)
    assert claimed_by(marches.crown) == set(CROWN_HEXES)


def test_towns_and_armies_stand_on_hexes_and_keep_their_words(marches):
    army = marches.levy
    army.place = "The ford"
    army.save(update_fields=["place"])
    put_army(by=marches.gm, army=army, hex="e4")
    army.refresh_from_db()
    assert (army.hex, army.place, army.where) == ("E4", "The ford", "The ford")
    undo_last(by=marches.gm, campaign=marches.campaign)
    army.refresh_from_db()
    assert army.hex == "D3"
    army.place = ""
    assert army.where == "D3"
    with pytest.raises(InvalidInput) as refused:
        put_army(by=marches.gm, army=army, hex="Z99")
    assert refused.value.field == "/hex"
    with pytest.raises(PermissionDenied):
        put_army(by=marches.ana, army=army, hex="E4")
    put_settlement(by=marches.ana, settlement=marches.town, hex="", revealed=True)
    assert Settlement.objects.get(pk=marches.town.pk).hex == ""
    undo_last(by=marches.gm, campaign=marches.campaign)
    assert Settlement.objects.get(pk=marches.town.pk).hex == "C3"


def test_a_dissolved_kingdom_claims_nothing(marches):
    dissolve_kingdom(by=marches.gm, kingdom=marches.horde)
    assert set(ground(marches.campaign).realms) == {marches.crown.pk}


def test_under_fog_a_kingdom_knows_what_it_has_seen(marches):
    gm, campaign = marches.gm, marches.campaign
    assert not MapKnowledge.objects.exists()
    configure_map(by=gm, campaign=campaign, fog=True, sight=1)

    def eyes(user):
        forget_map(campaign)
        drawn = find_map(campaign)
        watched = watched_by(campaign, drawn, load_map_state(drawn))
        return load_eyes(user, campaign, drawn, watched.get(marches.crown.pk, ()))

    assert eyes(gm).known is eyes(marches.viewer).known is None
    before = eyes(marches.ana)
    assert before.known == before.watched
    assert before.knows(hex_at("E3"))
    assert not before.knows(hex_at("F3"))
    assert not before.knows(hex_at("M10"))
    put_army(by=gm, army=marches.levy, hex="H8")
    after = eyes(marches.ana)
    assert before.known < after.known
    assert after.knows(hex_at("E3"))
    assert not after.watches(hex_at("E3"))
    assert after.watches(hex_at("I8"))
    forget_seen(by=gm, kingdom=marches.crown)
    assert eyes(marches.ana).known == eyes(marches.ana).watched
