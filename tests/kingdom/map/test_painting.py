"""Painting the campaign's map (HX-9): strokes, their undoing, and two painters at once."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.utils import translation

from armies.marches.services import march_along, put_army
from armies.models import Army
from armies.weeks import services as time
from core.text import load_said, render
from kingdom.chronicle.changes import Change
from kingdom.chronicle.queries import list_entries
from kingdom.chronicle.services import undo_entry
from kingdom.map.displacement import RULE, Displaced
from kingdom.map.painting_queries import describe_stroke
from kingdom.map.painting_services import generate_sheet, paint_map, undo_stroke
from kingdom.map.queries import load_map_state
from kingdom.map.services import make_map
from kingdom.members.services import set_role
from kingdom.models import Campaign, CampaignMap, ChronicleEntry, Role
from rules.core.errors import IllegalCommand, InvalidInput
from rules.hexes.geometry import hex_at, label_of
from rules.hexes.mapfile import document, written
from rules.hexes.terrain import MapChoices, MapKind
from tests.everyday import at_most
from tests.kingdom.map.conftest import drawing
from tests.markup import NEW_EACH_TIME

pytestmark = pytest.mark.django_db


def field(campaign):
    return load_map_state(CampaignMap.objects.get(campaign=campaign)).field


def labels(hexes):
    return sorted(map(label_of, hexes))


def said(campaign):
    return render(load_said(ChronicleEntry.objects.filter(campaign=campaign).order_by("-seq").first().text))


STROKES = [
    ({"command": "paint", "at": "G6", "size": "fill", "terrain": "sea"}, ["G6", "H6", "I6"], "Sea on G6, H6, I6."),
    ({"command": "paint", "at": "C3", "size": "3", "terrain": "forest"}, 7, "Forest on "),
    ({"command": "raise", "hexes": ["C3"], "height": 3}, ["C3"], "Height changed on C3."),
    ({"command": "road", "start": "D3", "to": "G3"}, ["D3", "E3", "F3", "G3"], "Road drawn through D3, E3, F3, G3."),
    ({"command": "road", "hexes": ["B2", "C2"], "there": False}, ["B2", "C2"], "Road removed from B2, C2."),
    ({"command": "river", "hexes": ["A1", "B1"]}, ["A1", "B1"], "River drawn through A1, B1."),
    ({"command": "edge", "between": ["A1", "B1"], "obstacle": "wall"}, ["A1", "B1"], "Wall drawn between A1, B1."),
    ({"command": "edge", "between": ["A1", "B1"], "obstacle": "stream"}, ["A1", "B1"], "Stream drawn between A1, B1."),
    ({"command": "label", "hex": "A1", "text": "Gralton"}, ["A1"], "A1 was named Gralton."),
    ({"command": "label", "hex": "G6", "text": None}, ["G6"], "Name removed from G6."),
    ({"command": "claim", "at": "L10", "kingdom": None}, ["L10"], "Claims removed from L10."),
    ({"command": "resize", "columns": 10, "rows": 12}, None, "The map is now 10 by 12 hexes."),
    (
        {"command": "generate_map", "kind": "coast", "seed": "7", "columns": 12, "rows": 10}, None,
        "The map was generated: Coast, seed “7”.",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("command", "changed", "told"), STROKES)
def test_hx_9_1_a_stroke_answers_what_changed_and_undoing_it_restores_the_bytes(marches, command, changed, told):
    before = written(field(marches.campaign)), load_map_state(CampaignMap.objects.get()).claims
    stroke = paint_map(by=marches.gm, campaign=marches.campaign, command=command)
    assert stroke.whole is (changed is None)
    if changed is not None:
        assert labels(stroke.hexes) == changed or len(stroke.hexes) == changed
    assert said(marches.campaign).startswith(told)
    undone = undo_stroke(by=marches.gm, campaign=marches.campaign)
    assert (written(field(marches.campaign)), load_map_state(CampaignMap.objects.get()).claims) == before
    assert undone.whole == stroke.whole
    assert stroke.whole or undone.hexes == stroke.hexes


def test_a_stroke_that_changes_nothing_is_not_told(marches):
    entries = ChronicleEntry.objects.count()
    stroke = paint_map(by=marches.gm, campaign=marches.campaign, command=STROKES[0][0] | {"terrain": "lake"})
    assert (stroke.hexes, ChronicleEntry.objects.count()) == (frozenset(), entries)


def test_a_kingdom_claims_what_the_brush_covers(marches):
    command = {"command": "claim", "at": "N3", "size": "3", "kingdom": str(marches.horde.pk)}
    stroke = paint_map(by=marches.gm, campaign=marches.campaign, command=command)
    assert len(stroke.hexes) == 7
    claims = load_map_state(stroke.drawn).claims
    assert {claims[at] for at in stroke.hexes} == {marches.horde.pk}


def test_a_stroke_is_not_taken_back_from_under_a_later_one(marches):
    paint_map(by=marches.gm, campaign=marches.campaign, command=STROKES[0][0])
    other = marches.gm.__class__.objects.create_user("other")
    set_role_of(marches, other)
    paint_map(by=other, campaign=marches.campaign, command={"command": "paint", "hexes": ["H6"], "terrain": "swamp"})
    with pytest.raises(IllegalCommand, match="depends on this"):
        undo_stroke(by=marches.gm, campaign=marches.campaign)
    undo_stroke(by=other, campaign=marches.campaign)
    assert field(marches.campaign).at(hex_at("H6")).slug == "sea"
    undo_stroke(by=marches.gm, campaign=marches.campaign)
    assert field(marches.campaign).at(hex_at("H6")).slug == "lake"


def set_role_of(marches, user):
    from kingdom.models import Membership

    Membership.objects.create(campaign=marches.campaign, user=user, role=Role.PLAYER)
    set_role(by=marches.gm, campaign=marches.campaign, user=user, role=Role.GM)


@pytest.mark.parametrize(
    ("command", "pointer"),
    [
        ({"command": "zone", "side": 0, "hexes": ["A1"]}, "/command"),
        ({"command": "claim", "at": "A1", "kingdom": "nobody"}, "/kingdom"), ({"command": "claim"}, "/hexes"),
        ({"command": "paint", "hexes": ["Z99"], "terrain": "lake"}, "/hexes/0"), ("paint", ""),
        ({"command": "generate_map", "kind": "coast", "seed": "7", "columns": 3, "rows": 10}, "/columns"),
    ],
)  # fmt: skip
def test_what_cannot_be_painted_is_refused_with_its_place(marches, command, pointer):
    before = written(field(marches.campaign))
    with pytest.raises(InvalidInput) as refused:
        paint_map(by=marches.gm, campaign=marches.campaign, command=command)
    assert refused.value.field == pointer
    assert written(field(marches.campaign)) == before


def test_only_the_gm_paints(marches):
    choices = MapChoices(MapKind.CAMPAIGN, 12, 10, "coast", "7")
    for deed, given in (
        (paint_map, {"command": STROKES[0][0]}),
        (undo_stroke, {}),
        (generate_sheet, {"choices": choices}),
    ):
        with pytest.raises(PermissionDenied):
            deed(by=marches.ana, campaign=marches.campaign, **given)


def test_a_land_made_from_a_seed_is_the_first_map_or_takes_the_place_of_one(war):
    choices = MapChoices(MapKind.CAMPAIGN, 12, 10, "coast", "7", river=True, roads=True)
    first = generate_sheet(by=war.gm, campaign=war.campaign, choices=choices, name="Coast")
    assert (first.name, load_map_state(first).field.columns) == ("Coast", 12)
    before = written(load_map_state(first).field)
    again = generate_sheet(by=war.gm, campaign=war.campaign, choices=MapChoices(MapKind.CAMPAIGN, 9, 9, "dry", "1"))
    assert (again.pk, again.columns) == (first.pk, 9)
    undo_stroke(by=war.gm, campaign=war.campaign)
    assert written(field(war.campaign)) == before
    with pytest.raises(IllegalCommand, match="nothing to undo"):
        undo_stroke(by=war.gm, campaign=war.campaign)


@pytest.mark.django_db(transaction=True)
def test_two_gms_who_paint_at_once_lose_no_stroke(war):
    hands = at_most(3, full=4)
    make_map(by=war.gm, campaign=war.campaign, document=drawing())
    campaign_, hexes = (
        Campaign.objects.get(pk=war.campaign.pk),
        [f"{letter}{row}" for letter in "AB" for row in range(1, at_most(4, full=7))],
    )
    together = Barrier(hands)

    def paint(label):
        together.wait(10)
        try:
            paint_map(by=war.gm, campaign=campaign_, command={"command": "paint", "hexes": [label], "terrain": "swamp"})
        finally:
            connection.close()

    with ThreadPoolExecutor(hands) as pool:
        list(pool.map(paint, hexes))
    assert {field(war.campaign).at(hex_at(label)).slug for label in hexes} == {"swamp"}
    for _stroke in hexes:
        undo_stroke(by=war.gm, campaign=war.campaign)
    assert {field(war.campaign).at(hex_at(label)).slug for label in hexes} == {"plains"}


def lake(table, *hexes):
    return paint_map(
        by=table.gm, campaign=table.campaign, command={"command": "paint", "hexes": hexes, "terrain": "lake"}
    )


def test_hx_9_3_an_army_under_which_a_lake_is_painted_leaves_the_map_and_undoing_puts_it_back(marches):
    march_along(by=marches.gm, army=marches.levy, path=["E3", "F3", "G3"])
    levy = Army.objects.get(pk=marches.levy.pk)
    lake(marches, "C2", "D3")
    gone = Army.objects.get(pk=levy.pk)
    assert (gone.hex, gone.route, gone.marching_until) == ("", None, None)
    assert said(marches.campaign) == "Lake on C2, D3."
    (told,) = told_to(marches.ana, marches)
    assert told == "Levy was taken off the map because its hex is now impassable or gone."
    with pytest.raises(IllegalCommand, match="depends on this"):
        undo_entry(by=marches.gm, entry=ChronicleEntry.objects.filter(kind="army").latest("seq"))
    undo_stroke(by=marches.gm, campaign=marches.campaign)
    back = Army.objects.get(pk=levy.pk)
    assert (back.hex, back.route, back.marching_until) == ("D3", levy.route, levy.marching_until)
    assert told_to(marches.ana, marches, undone_at=None) == []


def told_to(user, table, **which):
    """What the chronicle tells this user of the map's armies."""
    entries = list_entries(user, table.campaign).filter(kind="army", changes__contains=[{"rule": "HX-9.3"}], **which)
    return [render(load_said(entry.text)) for entry in entries]


def test_hx_9_3_an_army_on_its_way_halts_before_water_and_undoing_lets_it_go_on(marches):
    march_along(by=marches.gm, army=marches.levy, path=["E3", "F3", "G3"])
    levy = Army.objects.get(pk=marches.levy.pk)
    stroke = lake(marches, "F3")
    halted = Army.objects.get(pk=levy.pk)
    assert (halted.hex, halted.route, halted.marching_until) == ("D3", None, None)
    said_to_gm = describe_stroke(marches.gm, marches.campaign, stroke.text)
    assert said_to_gm == "Lake on F3. Levy stopped because its route is now impassable."
    assert told_to(marches.ana, marches) == ["Levy stopped because its route is now impassable."]
    assert told_to(marches.bo, marches) == []
    undo_stroke(by=marches.gm, campaign=marches.campaign)
    again = Army.objects.get(pk=levy.pk)
    assert (again.hex, again.route, again.marching_until) == ("D3", levy.route, levy.marching_until)


def cut(marches, columns):
    """The map, cut in the east."""
    command = {"command": "resize", "columns": columns, "rows": 14}
    return paint_map(by=marches.gm, campaign=marches.campaign, command=command)


def test_hx_9_3_an_army_whose_ground_is_cut_off_leaves_the_map_until_that_is_taken_back(marches):
    march_along(by=marches.gm, army=marches.levy, path=["E3", "F3", "G3", "H3", "I3", "J3"])
    levy = Army.objects.get(pk=marches.levy.pk)
    put_army(by=marches.gm, army=marches.raiders, hex="N1")
    cut(marches, 9)
    assert {(army.name, army.hex, army.route) for army in Army.objects.all()} == {
        ("Levy", "D3", None), ("Raiders", "", None),
    }  # fmt: skip
    assert told_to(marches.ana, marches) == ["Levy stopped because its route is now impassable."]
    assert told_to(marches.bo, marches) == ["Raiders was taken off the map because its hex is now impassable or gone."]
    undo_stroke(by=marches.gm, campaign=marches.campaign)
    assert Army.objects.get(pk=levy.pk).route == levy.route
    assert Army.objects.get(pk=marches.raiders.pk).hex == "N1"


def test_hx_9_3_a_map_is_not_made_small_again_from_under_an_army(marches):
    cut(marches, 9)
    cut(marches, 16)
    put_army(by=marches.gm, army=marches.levy, hex="L3")
    with pytest.raises(IllegalCommand, match="are in, or on their way to, hexes"):
        undo_stroke(by=marches.gm, campaign=marches.campaign)
    put_army(by=marches.gm, army=marches.levy, hex="D3")
    undo_stroke(by=marches.gm, campaign=marches.campaign)
    assert field(marches.campaign).columns == 9


def test_hx_9_3_a_question_about_very_many_names_some_of_them():
    changes = [Change("army", f"{n}", "hex", "D3", "", RULE, "", f"Levy {n}") for n in range(14)]
    asked = Displaced(changes, {})
    with translation.override("fr"):
        assert render(asked.message).startswith("Levy 0, Levy 1, Levy 2,")
        assert "Levy 11 et 2 autres seraient retirées de la carte" in render(asked.message)
    assert asked.key == Displaced(reversed(changes), {}).key != Displaced(changes[1:], {}).key


def test_hx_9_3_nobody_is_put_back_by_an_undo_where_there_is_no_hex_any_more(marches):
    put_army(by=marches.gm, army=marches.levy, hex="N1")
    put_army(by=marches.gm, army=marches.levy, hex="D3")
    back = ChronicleEntry.objects.latest("seq")
    cut(marches, 13)
    with pytest.raises(IllegalCommand) as refused:
        undo_entry(by=marches.gm, entry=back)
    assert render(refused.value.message) == (
        "Levy would be in, or on its way to, a hex the map no longer has. Undo the change to the map first."
    )
    assert Army.objects.get(pk=marches.levy.pk).hex == "D3"
    undo_stroke(by=marches.gm, campaign=marches.campaign)
    undo_entry(by=marches.gm, entry=back)
    assert Army.objects.get(pk=marches.levy.pk).hex == "N1"


def test_hx_9_3_no_week_is_taken_back_to_where_there_is_no_hex_any_more(marches):
    put_army(by=marches.gm, army=marches.levy, hex="P3")
    march_along(by=marches.gm, army=marches.levy, path=[f"{letter}3" for letter in "ONMLKJ"])
    time.confirm_time(by=marches.gm, campaign=Campaign.objects.get(pk=marches.campaign.pk), days=5)
    week = ChronicleEntry.objects.filter(kind="week").latest("seq")
    assert Army.objects.get(pk=marches.levy.pk).hex < "O"
    cut(marches, 15)
    with pytest.raises(IllegalCommand, match="the map no longer has"):
        undo_entry(by=marches.gm, entry=week)
    undo_stroke(by=marches.gm, campaign=marches.campaign)
    undo_entry(by=marches.gm, entry=week)
    assert Army.objects.get(pk=marches.levy.pk).hex == "P3"


def test_hx_9_3_a_hex_that_comes_back_as_water_takes_whom_an_older_map_left_there(marches):
    """Armies were left on hexes that were cut off, once."""
    cut(marches, 9)
    Army.objects.filter(pk=marches.levy.pk).update(hex="N1")
    before = field(marches.campaign)
    wide = {**document(before), "columns": 16, "terrain": [row + "~" * 7 for row in before.terrain]}
    make_map(by=marches.gm, campaign=marches.campaign, document=wide)
    assert Army.objects.get(pk=marches.levy.pk).hex == ""


def test_hx_9_3_who_was_put_upon_water_stays_while_there_is_such_a_hex(marches):
    lake(marches, "I7")
    put_army(by=marches.gm, army=marches.levy, hex="I7")
    cut(marches, 9)
    assert Army.objects.get(pk=marches.levy.pk).hex == "I7"
    cut(marches, 8)
    assert Army.objects.get(pk=marches.levy.pk).hex == ""


def test_hx_9_3_a_way_that_lies_behind_an_army_may_become_water(marches):
    march_along(by=marches.gm, army=marches.levy, path=["E3", "F3", "G3", "H3", "I3"])
    time.confirm_time(by=marches.gm, campaign=Campaign.objects.get(pk=marches.campaign.pk), days=1)
    levy = Army.objects.get(pk=marches.levy.pk)
    assert levy.way.left(levy.way.since + 1) == levy.way.path[levy.way.path.index(levy.hex) + 1 :]
    assert levy.hex != "D3"
    lake(marches, "D3")
    assert Army.objects.get(pk=levy.pk).route == levy.route


def test_hx_9_3_a_stroke_is_not_taken_back_from_under_an_army(marches):
    """Nor from below a way that leads over what it made passable; who is moved first hinders nobody."""
    stroke = {"command": "paint", "hexes": ["G6", "H6"], "terrain": "plains"}
    paint_map(by=marches.gm, campaign=marches.campaign, command=stroke)
    put_army(by=marches.gm, army=marches.levy, hex="G6")
    with pytest.raises(IllegalCommand) as refused:
        undo_stroke(by=marches.gm, campaign=marches.campaign)
    assert render(refused.value.message) == (
        "Levy is in, or on its way to, a hex that would become impassable. Move it elsewhere first."
    )
    assert field(marches.campaign).at(hex_at("G6")).slug == "plains"
    put_army(by=marches.gm, army=marches.levy, hex="F6")
    march_along(by=marches.gm, army=marches.levy, path=["G6"])
    with pytest.raises(IllegalCommand, match="on their way to"):
        undo_stroke(by=marches.gm, campaign=marches.campaign)
    put_army(by=marches.gm, army=marches.levy, hex="F6")
    undo_stroke(by=marches.gm, campaign=marches.campaign)
    assert field(marches.campaign).at(hex_at("G6")).slug == "lake"


def test_hx_9_3_an_army_that_may_stand_there_stays_and_so_does_one_put_upon_water(marches):
    paint_map(
        by=marches.gm, campaign=marches.campaign, command={"command": "paint", "hexes": ["D3"], "terrain": "swamp"}
    )
    put_army(by=marches.gm, army=marches.raiders, hex="G6")
    lake(marches, "G6", "H6", "I7")
    assert set(Army.objects.exclude(hex="").values_list("name", "hex")) == {("Levy", "D3"), ("Raiders", "G6")}
    assert said(marches.campaign) == "Lake on I7."


def test_hx_9_3_players_are_told_of_their_armies_and_not_of_the_ground(marches, client):
    lake(marches, "D3", "M10", "N1")
    assert said(marches.campaign) == "Lake on N1, D3, M10."
    for user, own, other in ((marches.ana, "Levy", "Raiders"), (marches.bo, "Raiders", "Levy")):
        client.force_login(user)
        shown = client.get(f"/c/{marches.campaign.pk}/chronicle/").content.decode()
        assert f"{own} was taken off the map" in shown
        assert f"{other} was taken off the map" not in shown
        assert "N1" not in re.sub(NEW_EACH_TIME, "", shown)
    undo_stroke(by=marches.gm, campaign=marches.campaign)
    assert set(Army.objects.exclude(hex="").values_list("name", "hex")) == {("Levy", "D3"), ("Raiders", "M10")}
    assert not ChronicleEntry.objects.filter(undone_at=None, changes__contains=[{"rule": "HX-9.3"}]).exists()
