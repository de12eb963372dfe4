"""API of contingents and their commanders: the bodies of C-3, and what follows as `sheet`."""

from __future__ import annotations

from typing import Any

from armies.models import Army
from tests.armies.thucidide_fantasy.conftest import HORDE, SHEET, kept
from tests.kingdom.conftest import api_of

ARMIES, COMMANDERS = "/api/v1/armies/", "/api/v1/commanders/"


def test_an_army_is_raised_and_read_back(table):
    api = api_of(table.ana)
    made = api.post(ARMIES, {"kingdom": str(table.realm.pk), "name": "Levy", **SHEET}, format="json")
    assert made.status_code == 201, made.content
    told = api.get(f"{ARMIES}{made.data['id']}/").data
    assert {name: told[name] for name in SHEET} == kept(table.watch)
    assert (told["health"], told["health_max"], told["upkeep"]) == (13, 15, 7)


def test_the_sheet_says_what_follows_and_why(table):
    sheet = api_of(table.ana).get(f"{ARMIES}{table.watch.pk}/").data["sheet"]
    assert (sheet["points"], sheet["upkeep"], sheet["victory"]) == (27, 7, 2)
    assert (sheet["health"], sheet["health_max"]) == (13, 15)
    guard, bows, wargs, bones = sheet["units"]
    assert guard["figures"] == {"assault": 4, "melee": 4, "move": 1}
    assert (guard["stands"], guard["whole"], guard["points"]) == (2, 4, 6)
    assert [(line["label"], line["value"], line["rule"]) for line in guard["breakdown"]["melee"]] == [
        ("Two-handed weapon", 3, "TF-1.14"), ("Elite", 1, "TF-1.8"),
    ]  # fmt: skip
    assert (bows["figures"]["shot"], bows["figures"]["range"]) == (2, 3)
    assert wargs["traits"] == ["Hindrance, except Tigers", "Rapid"]
    assert bones["traits"] == ["Undead"]
    mage, hero = sheet["characters"]
    assert (mage["points"], mage["spell_points"]) == (6, 6)
    assert mage["cards"] == [
        {"spell": "fear", "count": 1, "cost": 1}, {"spell": "dust-warriors", "count": 1, "cost": 2},
    ]  # fmt: skip
    assert hero["figures"] == {"melee": 3, "resistance": 4, "move": 4}
    assert (hero["points"], hero["traits"]) == (3, ["Threat (Crown of dread)"])
    for row in (sheet, *sheet["units"], *sheet["characters"]):
        figures = {**row, **row.get("figures", {})}
        for name, found in row["breakdown"].items():
            assert sum(line["value"] for line in found) == figures[name], name


def test_what_was_read_may_come_back(table):
    api, one = api_of(table.ana), f"{ARMIES}{table.watch.pk}/"
    before, read = kept(table.watch), api.get(one).json()
    assert api.patch(one, {**read, "name": "Iron"}, format="json").status_code == 200
    assert kept(Army.objects.get(name="Iron")) == before
    refused = api.patch(one, {"sheet": {**read["sheet"], "points": 1}}, format="json")
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, "/sheet")


def test_refusals_point_into_the_body(table):
    api = api_of(table.ana)
    body: dict[str, Any] = {"kingdom": str(table.realm.pk), "name": "Levy", **HORDE}
    hero = {"name": "Mo", "kind": "hero"}
    for wrong, pointer in (
        ({"units": []}, "/units"),
        ({"units": [{"type": "recruits"}] * 21}, "/units"),
        ({"units": [{"type": "dragoons"}]}, "/units/0/type"),
        ({"units": [{"type": "recruits", "stands": 11}]}, "/units/0/stands"),
        ({"units": [{"type": "recruits", "lost": 3}]}, "/units/0/lost"),
        ({"units": [{"type": "recruits", "speed": 3}]}, "/units/0/speed"),
        ({"units": [{"type": "recruits", "traits": ["speed"]}]}, "/units/0/traits/0"),
        ({"units": [{"type": "recruits", "traits": ["hesitant", "fanatic"]}]}, "/units/0/traits/1"),
        ({"units": [{"type": "recruits", "weapon": "spoon"}]}, "/units/0/weapon"),
        ({"units": [{"type": "recruits", "master": "Mo"}], "characters": [hero]}, "/units/0/master"),
        ({"units": [{"type": "ghouls", "master": "Mo"}]}, "/units/0/master"),
        ({"characters": [{**hero, "name": f"Mo {place}"} for place in range(9)]}, "/characters"),
        ({"characters": [{"kind": "hero"}]}, "/characters/0/name"),
        ({"characters": [hero, hero]}, "/characters/1/name"),
        ({"characters": [{**hero, "shot": 1}]}, "/characters/0/range"),
        ({"characters": [{**hero, "kind": "useful", "points": 3}]}, "/characters/0/points"),
        ({"characters": [{**hero, "kind": "caster", "cards": ["army-of-the-dead", "fear"]}]}, "/characters/0/cards"),
        ({"characters": [{**hero, "kind": "caster", "cards": ["wish"]}]}, "/characters/0/cards/0"),
    ):
        refused = api.post(ARMIES, {**body, **wrong}, format="json")
        assert refused.status_code == 400, wrong
        assert [error["pointer"] for error in refused.json()["errors"]] == [pointer], wrong
    assert not Army.objects.filter(name="Levy").exists()


def test_more_like_it_are_raised(table):
    made = api_of(table.ana).post(f"{ARMIES}{table.watch.pk}/duplicate/", {"copies": 2}, format="json")
    assert made.status_code == 201, made.content
    assert [kept(Army.objects.get(pk=one["id"])) for one in made.json()] == [kept(table.watch)] * 2


def test_a_commander_is_read_with_what_follows(table):
    told = api_of(table.ana).get(f"{COMMANDERS}{table.leader.pk}/").json()
    assert (told["rank"], told["level"], told["army"]) == ("general", "great", str(table.watch.pk))
    assert told["sheet"] == {
        "reach": 5, "influence": 1, "counters": 7, "figures": {}, "breakdown": {}, "traits": [], "spell_points": 6,
        "cards": [{"spell": "blessing", "count": 1, "cost": 2}],
    }  # fmt: skip


def test_a_commander_is_appointed_and_changed(table):
    api = api_of(table.ana)
    made = api.post(COMMANDERS, {"kingdom": str(table.realm.pk), "name": "Mo", "rank": "senior-officer"}, format="json")
    assert made.status_code == 201, made.content
    one = f"{COMMANDERS}{made.json()['id']}/"
    assert api.get(one).json()["sheet"]["reach"] == 1
    assert api.patch(one, {"rank": None, "melee": 3}, format="json").status_code == 200
    assert api.patch(one, api.get(one).json(), format="json").status_code == 200
    told = api.get(one).json()
    assert told["rank"] == "hero", "null is a hero, who leads nobody (C-3)"
    assert (told["sheet"]["reach"], told["sheet"]["figures"]) == (0, {"melee": 3, "resistance": 3, "move": 2})
    for wrong, pointer in (({"rank": "king"}, "/rank"), ({"level": "superb"}, "/level"),
                           ({"rank": "general"}, "/armour"), ({"cards": ["wish"]}, "/cards/0"),
                           ({"traits": ["undead"]}, "/traits/0")):  # fmt: skip
        refused = api.patch(one, wrong, format="json")
        assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, pointer), wrong
