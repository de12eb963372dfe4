"""A battle where armies met on the campaign's map begins on the ground there."""

from __future__ import annotations

import json
from urllib.parse import parse_qs, urlsplit

from armies.marches.services import put_army
from battles.slots import list_proposed_battles
from kingdom.map.services import make_map, put_settlement
from kingdom.realms.services import found_settlement
from rules.hexes.mapfile import document, parse

ROAD = [["F7", "G7", "H7"]]


def drawing(**more):
    rows = ["." * 12] * 6 + ["....wwww...."] + ["." * 12] * 3
    return {"format": "warhost-hexmap", "version": 1, "name": "Marches", "kind": "campaign", "columns": 12, "rows": 10,
            "terrain": rows, "roads": ROAD, **more}  # fmt: skip


def met_on(table, hex_="G7"):
    make_map(by=table.gm, campaign=table.campaign, document=drawing(labels={"G7": "The old wood"}))
    for army in (table.watch, table.raiders):
        army.refresh_from_db()
        put_army(by=table.gm, army=army, hex=hex_)


def proposed(table):
    (battle,) = list_proposed_battles(table.gm, table.campaign)
    return parse_qs(urlsplit(battle.setup).query)


def test_the_setup_gets_a_battlefield_made_of_the_hex_and_its_roads(table):
    met_on(table)
    fields = proposed(table)
    land = parse(json.loads(fields["map"][0]))
    assert land.name == "The old wood"
    assert {"w", "="} <= set("".join(land.terrain))
    assert land.terrain[7][0] == land.terrain[7][-1] == "="
    assert json.loads(fields["map"][0]) == document(land)
    assert {"name", "one", "armies-one"} <= set(fields)


def test_the_same_place_gives_the_same_battlefield_and_a_town_there_stands_on_it(table):
    met_on(table)
    before = proposed(table)["map"]
    assert proposed(table)["map"] == before
    kingdom = table.watch.kingdom
    put_settlement(by=table.gm, settlement=found_settlement(by=table.gm, kingdom=kingdom, name="Restov"), hex="G7")
    town = parse(json.loads(proposed(table)["map"][0]))
    assert town.name == "Restov"
    assert "".join(town.terrain).count("h") >= 3
