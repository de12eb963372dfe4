"""A skirmish set up, played and answered: by the API, by pages without scripts; and what is refused, in a sentence."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from html import unescape
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.html import escape

from battles.models import Battle
from battles.play import battle_state as play_state
from rules.hexes.battlefields import STARTERS
from rules.hexes.generate import generate
from rules.hexes.mapfile import document
from rules.hexes.terrain import MapChoices, MapKind
from tests.battles.conftest import Client
from tests.battles.frame.conftest import opened, play
from tests.rulesets.browsing import Reader, beside, plain
from tests.rulesets.drivers import sides_of
from tests.rulesets.skirmish.driver import DRIVER as hexes
from tests.rulesets.skirmish.driver import NORTH, SOUTH
from tests.walking import offered


def units(client: Client) -> dict[str, dict[str, Any]]:
    return {unit["name"]: unit for unit in client.read()["units"]}


def picked(client: Client, *picks: str) -> dict[str, Any]:
    answer = client.api.get(client.url, {"pick": picks})
    assert answer.status_code == 200, answer.content
    return answer.json()


def short(army: Any, tag: str) -> str:
    """What addresses call a unit."""
    return hexes.unit(army, tag).rpartition(":")[2]


# setting up


def test_a_map_of_the_house_is_chosen_as_the_battle_opens(table):
    gm = Client(table.gm)
    body = {"campaign": str(table.campaign.pk), "name": "Bridge", "sides": sides_of(table), "map": "the-ford"}
    made = gm.api.post("/api/v1/battles/", body)
    assert made.status_code == 201, made.content
    assert made.json()["map"]["terrain"] == document(STARTERS["the-ford"])["terrain"]


def test_of_other_maps_it_says_which_there_are(table):
    body = {"campaign": str(table.campaign.pk), "name": "Bridge", "sides": sides_of(table), "map": "moon"}
    refused = Client(table.gm).api.post("/api/v1/battles/", body)
    assert refused.status_code == 400
    assert "The pass (the-pass)" in refused.json()["detail"]
    assert not Battle.objects.filter(name="Bridge").exists()


CHOSEN = {"columns": 14, "rows": 12, "kind": "wooded", "seed": "oak", "river": False, "symmetric": True}


def opening_of(table: Any, **more: Any) -> dict[str, Any]:
    return {"campaign": str(table.campaign.pk), "name": "Bridge", "sides": sides_of(table), **more}


def test_a_battle_opens_on_a_map_that_is_sent_or_made(table):
    gm = Client(table.gm)
    land = {**document(STARTERS["the-pass"]), "name": "Pass of my own"}
    made = gm.api.post("/api/v1/battles/", opening_of(table, map=land))
    assert made.status_code == 201, made.content
    assert made.json()["map"] == land


def test_a_battle_opens_on_a_map_that_is_made_of_choices(table):
    """HX-8.1, HX-8.4: the hexes are stored, and the same choices make the same map."""
    made = Client(table.gm).api.post("/api/v1/battles/", opening_of(table, map=CHOSEN))
    assert made.status_code == 201, made.content
    assert made.json()["map"] == document(generate(MapChoices(MapKind.BATTLE, 14, 12, "wooded", "oak")))


WRONG_MAPS = (
    ({**document(STARTERS["the-ford"]), "terrain": ["?" * 16, *document(STARTERS["the-ford"])["terrain"][1:]]},
     "/map/terrain/0"),
    ({**CHOSEN, "columns": 99}, "/map/columns"),
    ({**CHOSEN, "kind": "moon"}, "/map/kind"),
    ({**CHOSEN, "colour": "red"}, "/map/colour"),
    (7, "/map"),
)  # fmt: skip


@pytest.mark.parametrize("land, pointer", WRONG_MAPS)
def test_a_map_that_is_none_is_refused_with_its_place_as_the_battle_opens(table, land, pointer):
    refused = Client(table.gm).api.post("/api/v1/battles/", opening_of(table, map=land))
    assert refused.status_code == 400, refused.content
    assert [error["pointer"] for error in refused.json()["errors"]] == [pointer]
    assert not Battle.objects.filter(name="Bridge").exists()


def filled(table: Any, **more: Any) -> dict[str, Any]:
    armies = {"armies-one": [str(table.watch.pk)], "armies-two": [str(table.raiders.pk)]}
    return {"name": "Bridge", "one": "Crown", "two": "Horde", **armies, **more}


def setup_of(table: Any) -> str:
    return f"/c/{table.campaign.pk}/battles/new/"


def file_of(land: Any) -> Any:
    return SimpleUploadedFile("map.json", land.encode() if isinstance(land, str) else json.dumps(land).encode())


def test_the_setup_page_asks_for_the_map_and_opens_on_the_one_of_the_house(table):
    gm = Reader(table.gm)
    page = gm.markup(setup_of(table))
    assert page.count('class="thumbnail"') == len(STARTERS)
    assert re.search(r'value="meadows"\s+checked', page)
    gm.client.post(setup_of(table), filled(table, **{"map-how": "the-pass"}))
    assert Client(table.gm, Battle.objects.get(name="Bridge")).read()["map"]["name"] == "The pass"


def test_the_setup_page_makes_a_map_of_choices(table):
    chosen = {"map-how": "made", "map-columns": "14", "map-rows": "12", "map-land": "wooded", "map-seed": "oak"}
    Reader(table.gm).client.post(setup_of(table), filled(table, **chosen, **{"map-symmetric": "on"}))
    told = Client(table.gm, Battle.objects.get(name="Bridge")).read()["map"]
    assert told == document(generate(MapChoices(MapKind.BATTLE, 14, 12, "wooded", "oak")))


def test_choices_that_make_no_map_are_refused_beside_their_fields(table):
    chosen = {"map-how": "made", "map-columns": "99", "map-rows": "12", "map-land": "wooded", "map-seed": "oak"}
    refused = Reader(table.gm).client.post(setup_of(table), filled(table, **chosen))
    assert refused.status_code == 422
    page = refused.content.decode()
    assert "40" in beside(page, "map-columns")
    assert 'value="oak"' in page
    assert not Battle.objects.filter(name="Bridge").exists()


def test_a_file_with_a_wrong_row_is_refused_beside_its_field_and_nothing_is_lost(table):
    land = document(STARTERS["the-ford"])
    land["terrain"][3] = "..?" + land["terrain"][3][3:]
    land["terrain"][5] = land["terrain"][5][:-1]
    sent = filled(table, **{"map-how": "file", "map-file": file_of(land)})
    refused = Reader(table.gm).client.post(setup_of(table), sent)
    page = refused.content.decode()
    assert refused.status_code == 422
    said = beside(page, "map-file")
    assert "Row 4, column C" in said
    assert "Row 6" in said
    assert 'value="Bridge"' in page
    assert re.search(r'value="file"\s+checked', page)
    assert f'name="armies-one" value="{table.watch.pk}"' in page


@pytest.mark.parametrize("text, told", [("{", "This file isn’t valid JSON."), ("", "Choose a file.")])
def test_what_is_no_file_of_a_map_is_refused_in_words(table, text, told):
    files = {"map-file": file_of(text)} if text else {}
    refused = Reader(table.gm).client.post(setup_of(table), filled(table, **{"map-how": "file", **files}))
    assert beside(refused.content.decode(), "map-file") == told


def test_a_good_file_is_kept_where_something_else_is_refused(table):
    land = {**document(STARTERS["the-ford"]), "name": "Tuskwater"}
    sent = {**filled(table, **{"map-how": "file", "map-file": file_of(land)}), "name": ""}
    gm = Reader(table.gm)
    page = gm.client.post(setup_of(table), sent).content.decode()
    assert re.search(r'value="given"\s+checked', page)
    assert "Tuskwater" in plain(page)
    text = re.search(r'name="map" value="([^"]*)"', page)
    assert text
    gm.client.post(setup_of(table), filled(table, map=unescape(text[1]), **{"map-how": "given"}))
    assert Client(table.gm, Battle.objects.get(name="Bridge")).read()["map"] == land


def test_the_ground_where_armies_met_is_chosen_to_begin_with(table):
    land = {**document(STARTERS["the-pass"]), "name": "Near Tuskwater"}
    begun = {"add": "picked", "name": "Battle at D5", "map": json.dumps(land)}
    page = Reader(table.gm).client.get(setup_of(table), begun).content.decode()
    assert re.search(r'value="given"\s+checked', page)
    assert "Near Tuskwater" in plain(page)
    assert page.count('class="thumbnail"') == len(STARTERS) + 1


def test_the_brush_lays_a_map_from_a_file(table, fresh):
    land = {**document(STARTERS["the-ford"]), "name": "Tuskwater"}
    gm = Reader(table.gm)
    page = f"/battles/{fresh.pk}/"
    sent = {"type": "map", "version": fresh.version, "how": "file"}
    refused = gm.client.post(f"{page}command/", {**sent, "file": file_of({**land, "terrain": land["terrain"][1:]})})
    assert re.search(r'id="map-file_error">[^<]*(<[^>]*>\s*)*[^<]*15', refused.content.decode()), plain(
        refused.content.decode()
    )
    assert gm.client.post(f"{page}command/", {**sent, "file": file_of(land)}).status_code == 302
    assert Client(table.gm, fresh).read()["map"] == land


STROKES = (
    ({"look__terrain": "wood", "look__size": "3", "hexes": "C7"}, "terrain"),
    ({"look__terrain": "", "look__height": "2", "hexes": "c7, d7"}, "heights"),
    ({"look__does": "edge", "look__obstacle": "wall", "hexes": "C7 D7"}, "edges"),
    ({"look__does": "label", "text": "Old bridge", "hexes": "H8"}, "labels"),
    ({"look__does": "zone", "look__zone": "1-", "hexes": "A1 B1"}, "zones"),
)
PAINTED = {
    "heights": {"C7": 2, "D7": 2},
    "edges": [{"between": ["C7", "D7"], "obstacle": "wall"}],
    "labels": {"H8": "Old bridge"},
}


@pytest.mark.parametrize("stroke, member", STROKES, ids=[member for _stroke, member in STROKES])
def test_hx_9_1_each_stroke_of_the_brush_is_painted_by_the_page_and_taken_back(gm, table, fresh, stroke, member):
    page, before = f"/battles/{fresh.pk}/?do=brush", gm.read()["map"]
    reader = Reader(table.gm)
    sent = {name.replace("__", "-"): value for name, value in stroke.items()}
    command = {"type": "brush", "version": Battle.objects.get(pk=fresh.pk).version}
    for name in sent:
        assert f'name="{name}"' in reader.markup(page), name
    done = reader.client.post(f"/battles/{fresh.pk}/command/", {**command, **sent})
    assert done.status_code == 302, plain(done.content.decode())
    after = gm.read()["map"]
    assert {name for name in {*before, *after} if before.get(name) != after.get(name)} == {member}
    if member in PAINTED:
        assert after[member] == PAINTED[member]
    elif member == "terrain":
        assert sum(row.count("w") for row in after["terrain"]) > sum(row.count("w") for row in before["terrain"])
    else:
        assert not {"A1", "B1"} & set(after["zones"][1])
        assert "C1" in after["zones"][1]
    gm.ok(type="undo")
    assert gm.read()["map"] == before


WRONG_STROKES = (
    ({"look-does": "edge", "look-obstacle": "wall", "hexes": "C7"}, "Enter two neighboring hexes, such as C7 C8."),
    ({"look-does": "edge", "look-obstacle": "wall", "hexes": "C7 H8"}, "C7"),
    ({"look-does": "label", "text": "Hill", "hexes": "C7 D7"}, "Enter one hex, such as C7."),
    ({"look-does": "zone", "look-zone": "0+", "hexes": "Z99"}, "Z99 is not on this map."),
)


@pytest.mark.parametrize("stroke, told", WRONG_STROKES)
def test_a_stroke_that_cannot_be_is_refused_beside_its_field(table, fresh, stroke, told):
    command = {"type": "brush", "version": Battle.objects.get(pk=fresh.pk).version}
    refused = Reader(table.gm).client.post(f"/battles/{fresh.pk}/command/", {**command, **stroke})
    assert refused.status_code == 422
    beside_it = re.search(r'id="brush-hexes_error">(.*?)</div>', refused.content.decode(), re.S)
    assert beside_it, plain(refused.content.decode())
    assert told in plain(beside_it[1])


def test_what_the_brush_holds_leaves_the_address_when_painting_ends(table, fresh):
    reader = Reader(table.gm)
    held = "do=brush&terrain=wood&size=3&does=ground&zoom=70"
    page = reader.markup(f"/battles/{fresh.pk}/?{held}")
    done = re.search(r'href="([^"]*)"[^>]*>Done<', page)
    assert done
    assert done[1] == "?zoom=70"
    after = reader.markup(f"/battles/{fresh.pk}/{done[1]}")
    assert "terrain=wood" not in after


def test_each_side_places_its_units_out_of_the_others_sight(gm, ana, bo, table):
    ana.ok(**hexes.place(table.watch, "F1", "H12"))
    assert units(ana)["Ironwatch F1"]["at"] == "H12"
    assert units(bo)["Ironwatch F1"]["at"] is None
    assert bo.send(**hexes.place(table.watch, "F1", "H13")).status_code == 403
    ana.ok(**hexes.place(table.watch, "F1", ""))
    assert units(ana)["Ironwatch F1"]["at"] is None


SETUP_REFUSED = (
    ({"type": "place", "at": "H5"}, 409, "H5 is outside your side’s zone."),
    ({"type": "place", "at": "Z99"}, 400, "Z99 isn’t on the map."),
    ({"type": "ready", "side": 0}, 409, "6 units aren’t placed yet: Ironwatch F1, Ironwatch F2, Ironwatch F3"),
    ({"type": "act"}, 409, "The battle hasn’t begun yet."),
)


@pytest.mark.parametrize("command, status, told", SETUP_REFUSED)
def test_what_cannot_be_done_in_setup_is_said(ana, fresh, table, command, status, told):
    unit = {"unit": hexes.unit(table.watch, "F1")} if command["type"] != "ready" else {}
    refused = ana.send(**command, **unit)
    assert (refused.status_code, refused.json()["detail"].startswith(told)) == (status, True), refused.content
    assert Battle.objects.get(pk=fresh.pk).version == fresh.version


def test_sides_say_that_they_are_ready_and_the_gm_begins(gm, ana, bo, table):
    play(ana, hexes.placing(table.watch, SOUTH))
    ana.ok(type="ready", side=0)
    assert ana.send(**hexes.place(table.watch, "F1", "H13")).json()["detail"].startswith("Your side is ready.")
    assert bo.send(type="ready", side=0).status_code == 403
    assert [one["army"] for one in gm.read()["awaiting"]] == [str(table.raiders.pk)]
    play(bo, hexes.placing(table.raiders, NORTH))
    assert units(bo)["Ironwatch F1"]["at"] is None
    bo.ok(type="ready", side=1)
    assert units(bo)["Ironwatch F1"]["at"] == "H12", "both are ready"
    assert ana.send(type="start").status_code == 403
    assert gm.ok(type="start")["status"] == "running"


def test_a_map_with_a_wrong_row_is_refused_whole(gm, fresh):
    land = document(STARTERS["the-ford"])
    land["terrain"][3] = land["terrain"][3][:-1]
    refused = gm.send(type="load_map", map=land)
    assert refused.status_code == 400
    assert refused.json()["errors"][0]["pointer"] == "/map/terrain/3"
    assert "15" in refused.json()["errors"][0]["detail"]
    assert gm.read()["map"]["name"] == "Meadows"
    assert Battle.objects.get(pk=fresh.pk).version == fresh.version


def test_the_gm_changes_the_map_and_units_go_back_to_the_reserve(gm, ana, table):
    ana.ok(**hexes.place(table.watch, "F1", "H12"))
    gm.ok(type="paint", hexes=["H12", "H13"], terrain="lake")
    assert units(ana)["Ironwatch F1"]["at"] is None
    assert ana.send(type="paint", hexes=["H12"], terrain="open").status_code == 403


# playing


def test_sides_alternate_unit_by_unit(met, ana, bo, table):
    assert (ana.read()["legal"], bo.read()["legal"]) == (["act"], [])
    ana.ok(**hexes.act(table.watch, "F1", "H11"))
    assert (ana.read()["legal"], bo.read()["legal"]) == ([], ["act"])
    bo.ok(**hexes.act(table.raiders, "F1"))
    assert hexes.unit(table.watch, "F1") not in ana.read()["able"]
    again = ana.send(**hexes.act(table.watch, "F1", "H10"))
    assert (again.status_code, again.json()["detail"]) == (409, "This unit has acted. Choose another.")


def test_a_round_is_over_when_everybody_has_acted(met, gm, table):
    for tag in ("F1", "F2", "F3", "R1", "R2"):
        gm.ok(**hexes.act(table.watch, tag))
        gm.ok(**hexes.act(table.raiders, "S1" if tag == "R1" else tag))
    assert gm.read()["phase"] == {"kind": "round", "number": 2}
    assert len(gm.read()["able"]) == 6


def test_the_exact_chance_stands_in_what_is_legal(met, ana, table):
    unit, foe = hexes.unit(table.watch, "R1"), hexes.unit(table.raiders, "R1")
    (target,) = [one for one in picked(ana, unit)["choices"] if one["what"] == "target"]
    assert (target["id"], target["from"], target["chance"], target["throw"]) == (foe, "F7", "1/2", "1D6 ≥ 4")
    assert sum(Fraction(one["chance"]) for one in target["outcomes"]) == 1
    told = picked(ana, unit, "", foe)
    assert (told["way"][0], told["way"][-1]) == ("F12", "F7")
    assert told["does"] == "Ironwatch R1 to F7, strike at Raiders R1"


def test_beside_a_way_stands_what_enemies_could_do_there(met, table):
    """Riders that can come up to the hex are named; foot that is too far away is not."""
    page = Reader(table.ana).markup(f"/battles/{met.pk}/?unit={short(table.watch, 'R1')}&to=F8")
    box = plain(page.partition('class="threats"')[2].partition("</section>")[0])
    assert "Raiders R1" in box
    assert "Raiders F3" not in box
    assert "Raiders S1" not in box, "scouts lie hidden"


def test_what_is_legal_is_taken(met, ana, table):
    """Every hex that is offered can be gone to, and no other of the map."""
    unit = hexes.unit(table.watch, "F1")
    steps = {one["id"] for one in picked(ana, unit)["choices"] if one["what"] == "hex"}
    assert len(steps) > 10
    for at in sorted(steps)[:6]:
        ana.ok(**hexes.act(table.watch, "F1", at))
        ana.ok(type="undo")
    for at in ("H7", "G12", "A1"):
        assert ana.send(**hexes.act(table.watch, "F1", at)).status_code == 409


def test_a_player_takes_back_a_step_and_no_blow(met, ana, bo, table):
    ana.ok(**hexes.act(table.watch, "F1", "H11"))
    assert bo.send(type="undo").status_code == 403
    ana.ok(type="undo")
    ana.ok(**hexes.thrown(table), dice=hexes.face(table.watch, "R1", 3))
    assert ana.send(type="undo").status_code == 403


@pytest.mark.parametrize("cold", [False, True], ids=["warm", "cold"])
def test_who_has_to_flee_is_asked_for_a_hex(asked, gm, ana, bo, table, cold):
    if cold:
        play_state._states.clear()
    (pending,) = bo.read()["pending"]
    hexes_asked = [option["slug"] for option in pending["asks"][0]["options"]]
    assert "F4" in hexes_asked
    assert "F7" not in hexes_asked
    assert "pending" not in ana.read()
    assert {one["id"] for one in bo.read()["choices"]} == set(hexes_asked)
    refused = bo.send(**hexes.answer(table.raiders, "R1", "H9"))
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, "/answers/to")
    assert refused.json()["detail"].startswith("Choose one of these hexes: ")
    assert ana.send(**hexes.answer(table.raiders, "R1", "F4")).status_code == 403
    meanwhile = gm.send(**hexes.act(table.raiders, "F1", "H4"))
    assert meanwhile.json()["detail"] == "Another unit has to flee first: its side says where to."
    bo.ok(**hexes.answer(table.raiders, "R1", "f4"))
    assert units(ana)["Raiders R1"]["at"] == "F4"
    late = bo.send(**hexes.answer(table.raiders, "R1", "F4"))
    assert (late.status_code, late.json()["detail"]) == (
        409,
        "It isn’t your turn to answer. You can give these commands: act.",
    )


PLAY_REFUSED = (
    ("F1", {"path": ["H11", "H9"]}, 400, "H9 isn’t next to H11. Enter every hex of the path."),
    ("F1", {"path": ["H11", "Z99"]}, 400, "Z99 isn’t on the map."),
    ("F1", {"to": "Z99"}, 400, "Z99 isn’t on the map."),
    ("F1", {"to": "H5"}, 409, "The unit can’t reach H5 this turn."),
    ("F1", {"path": ["H11", "H10", "H9", "H8"]}, 409, "The path costs"),
    ("F1", {"to": "H11", "target": "nobody"}, 400, "This enemy isn’t in sight. Choose another."),
    ("nobody", {"to": "H11"}, 400, "You have no such unit here."),
)


@pytest.mark.parametrize("tag, more, status, told", PLAY_REFUSED)
def test_what_cannot_be_done_in_play_is_said(met, ana, table, tag, more, status, told):
    command = {"type": "act", "unit": tag if tag == "nobody" else hexes.unit(table.watch, tag), **more}
    refused = ana.send(**command)
    assert refused.status_code == status, refused.content
    assert refused.json()["detail"].startswith(told)
    assert Battle.objects.get(pk=met.pk).version == met.version


def test_units_of_others_acts_out_of_turn_and_stale_versions_are_refused(met, ana, bo, table):
    assert ana.send(**hexes.act(table.raiders, "F1", "H4")).status_code == 403
    early = bo.send(**hexes.act(table.raiders, "F1", "H4"))
    assert (early.status_code, early.json()["detail"]) == (409, "It's the other side's turn. Wait for yours.")
    assert ana.send(met.version - 1, **hexes.act(table.watch, "F1", "H11")).status_code == 412
    nobody = ana.send(**hexes.answer(table.watch, "F1", "H11"))
    assert (nobody.status_code, nobody.json()["detail"]) == (
        409,
        "It isn’t your turn to answer. You can give these commands: act.",
    )
    assert Battle.objects.get(pk=met.pk).version == met.version


# what is hidden


def test_who_runs_into_scouts_stops_and_the_replay_is_identical(table, gm):
    """The GM, who sees them, moves with what the side knows."""
    play(gm, hexes.placing(table.watch, SOUTH | {"S1": "H12", "F1": "A14"}))
    gm.ok(type="paint", hexes=["G8"], terrain="open")
    play(gm, [*hexes.placing(table.raiders, NORTH), {"type": "start"}])
    gm.ok(**hexes.act(table.watch, "S1", "G8"))
    stopped = gm.ok(**hexes.act(table.raiders, "R2", "G9"))
    kinds = [event["type"] for event in stopped["events"]]
    assert "stumbled" in kinds
    assert "revealed" in kinds
    first = gm.send(**hexes.act(table.raiders, "R1", "F5"))
    assert (first.status_code, first.json()["detail"]) == (
        409,
        "Raiders R2 met a hidden enemy and must finish moving first.",
    )
    gm.ok(**hexes.act(table.raiders, "R2"))
    assert "Ironwatch S1" in units(Client(table.bo, gm.battle))
    assert gm.api.get(f"{gm.url}replay/").json()["identical"] is True


def test_a_false_unit_fades_and_is_no_loss(table):
    table.watch.sheet["false"] = "R1"
    table.watch.save()
    gm = opened(table)
    ana, bo = Client(table.ana, gm.battle), Client(table.bo, gm.battle)
    play(gm, [*hexes.before_orders(table), hexes.act(table.watch, "R1", "F8"), hexes.act(table.raiders, "R1", "F7")])
    strikes = hexes.act(table.watch, "R1", target=hexes.unit(table.raiders, "R1"))
    assert ana.send(**{**strikes, "to": "F8"}).status_code in (400, 409)
    gm.ok(**hexes.act(table.watch, "F1"))
    struck = hexes.act(table.raiders, "R2", "G7", hexes.unit(table.watch, "R1"))
    told = bo.ok(**struck, dice=hexes.face(table.raiders, "R2", 6))
    assert "Ironwatch R1 was false: it fades on F8." in [event["text"] for event in told["events"]]
    (army,) = [one for one in bo.read()["armies"] if one["army"] == str(table.watch.pk)]
    assert (army["health"], army["health_max"]) == (2, 2)
    assert "Ironwatch R1" not in units(bo)


def test_a_false_unit_cannot_strike_and_its_side_is_told_why(table):
    table.watch.sheet["false"] = "R1"
    table.watch.save()
    gm = opened(table)
    play(gm, hexes.before_dice(table))
    ana = Client(table.ana, gm.battle)
    refused = ana.send(**hexes.thrown(table))
    assert (refused.status_code, refused.json()["detail"]) == (409, "This unit is false: it can't strike.")
    (target,) = [one for one in picked(ana, hexes.unit(table.watch, "R1"))["choices"] if one["what"] == "target"]
    assert target["why_not"] == "This unit is false: it can't strike."


# by pages without scripts


def test_a_page_without_scripts_places_readies_moves_strikes_and_flees(gm, fresh, table):
    page = f"/battles/{fresh.pk}/"
    for user, army, places in ((table.ana, table.watch, SOUTH), (table.bo, table.raiders, NORTH)):
        reader = Reader(user)
        for tag, at in places.items():
            chosen(reader, page, f"?unit={short(army, tag)}&to={at}", f"Place on {at}")
        chosen(reader, page, "", "Ready")
    chosen(Reader(table.gm), page, "", "Begin the battle")
    ana, bo = Reader(table.ana), Reader(table.bo)
    chosen(ana, page, f"?unit={short(table.watch, 'S1')}&pick=wait", "Wait")
    chosen(bo, page, f"?unit={short(table.raiders, 'R1')}&to=F6", "Go to F6")
    strike = f"?unit={short(table.watch, 'R1')}&target={short(table.raiders, 'R1')}"
    chosen(ana, page, strike, "Strike at Raiders R1", die=f"{hexes.unit(table.watch, 'R1')}|strike|6", face="4")
    told = bo.read(page)
    assert "Raiders R1 must flee." in told
    chosen(bo, page, "?to=F4", "Choose F4")
    assert units(gm)["Raiders R1"]["at"] == "F4"


def chosen(reader: Reader, page: str, query: str, button: str, **typed: str) -> None:
    """What the page's address says is picked, and its one button is pressed."""
    markup = reader.markup(page + query)
    assert button in plain(markup), plain(markup)
    kinds = ("type", "chosen"), ("type", "start")
    form = [step for step in offered(page + query, markup) if any(kind in step.data for kind in kinds)][-1]
    answer = reader.client.post(form.url, {**dict(form.data), **typed})
    assert answer.status_code == 302, plain(answer.content.decode())


def test_hx_3_3_a_way_is_laid_link_by_link_and_gone(met, table):
    """Without scripts: every hex that comes next is a link, one hex longer than the page's own address."""
    ana, page, unit = Reader(table.ana), f"/battles/{met.pk}/", short(table.watch, "F1")
    assert f"unit={unit}&amp;pick=way:" in ana.markup(f"{page}?unit={unit}"), "the choice is offered"
    query = f"?unit={unit}&pick=way:"
    for hex_, way in (("H11", "way:H11"), ("I11", "way:H11.I11")):
        longer = f"?unit={unit}&to={hex_}&pick={way}"
        assert escape(longer) in ana.markup(page + query)
        query = longer
    assert escape(f"?unit={unit}&to=H11&pick=way:H11") in ana.markup(page + query), "a hex of the way cuts it back"
    chosen(ana, page, query, "Go to I11")
    assert Battle.objects.get(pk=met.pk).records.latest("seq").command["path"] == ["H12", "H11", "I11"]


def test_a_refusal_stands_in_the_foot_and_nothing_is_done(met, table):
    reader, page = Reader(table.ana), f"/battles/{met.pk}/"
    sent = {"type": "chosen", "version": met.version, "unit": short(table.watch, "F1"), "to": "H5"}
    answer = reader.client.post(f"{page}command/", sent)
    assert answer.status_code == 422
    assert "This isn’t possible anymore. Choose again." in plain(answer.content.decode())
    assert Battle.objects.get(pk=met.pk).version == met.version


def test_the_page_speaks_french(met, table):
    told = Reader(table.ana, "fr").read(f"/battles/{met.pk}/?unit={short(table.watch, 'R1')}&tables=1")
    for words in ("unités à jouer", "Hexagones à portée", "à portée, avec son coût"):
        assert words in told, told
    log = Reader(table.bo, "fr").read(f"/battles/{met.pk}/")
    assert "Raiders R1 : de F3 à F6." in log


def test_it_is_printed_with_the_units_its_reader_knows(met, table):
    sheet = f"/battles/{met.pk}/order-of-battle/"
    assert escape("Ironwatch S1") in Reader(table.ana).markup(sheet)
    assert "Ironwatch S1" not in Reader(table.bo).markup(sheet)
