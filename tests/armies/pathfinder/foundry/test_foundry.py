"""Armies and kingdoms as actors of Foundry's `pf1-kingdom-sheet`: out, in, and nothing of either side lost."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import SimpleUploadedFile
from hypothesis import example, given
from hypothesis import settings as profile
from hypothesis import strategies as st

from armies.adjustments.services import adjust_army
from armies.bulk.services import StaleProposal
from armies.pathfinder.armies.services import teach_tactic, update_army
from armies.pathfinder.armies.trade_services import buy_resource
from armies.pathfinder.forces.specs import build_army_spec
from armies.pathfinder.foundry.actor_shapes import ARMY, KINGDOM, TERRAIN
from armies.pathfinder.foundry.army_actors import build_army_actor, read_army
from armies.pathfinder.foundry.services import (
    ACTORS_MOST,
    bring_in_actors,
    get_army_actor,
    get_kingdom_actor,
    propose_actors,
)
from armies.pathfinder.models import FoundryActor, PathfinderArmy
from core.text import render
from kingdom.campaign.services import create_campaign
from kingdom.chronicle import changes
from kingdom.models import Campaign, ChronicleEntry, Kingdom
from rules.core.errors import InvalidInput
from rules.pathfinder.catalogue.units import UNITS
from rules.pathfinder.documents import unit_to_json
from rules.registry import ruleset
from tests.everyday import at_most

LAW = ruleset("combat-de-masse")
THEIRS: dict[str, Any] = {
    "name": "Greenbelt Guard", "type": ARMY, "img": "icons/svg/mystery-man.svg",
    "system": {
        "acr": 5, "type": "human fighters", "alignment": "lg", "size": "5", "hd": "d10", "strategy": "3",
        "hp": {"current": 20, "temp": 3}, "speed": {"base": 2}, "morale": {"base": 3},
        "resources": {"potions": True, "impWeapons": True, "seCount": 2, "somethingNew": True},
        "commander": {"actor": "AbCdEf", "kingdomLeader": True}, "kingdom": None,
        "notes": {"value": "<p>Old friends</p>"},
    },
    "items": [
        {"name": "Taunt", "type": "pf1-kingdom-sheet.tactic", "system": {"disabled": False, "changes": [{"x": 1}]}},
        {"name": "Moonwalk", "type": "pf1-kingdom-sheet.tactic", "system": {}},
        {"name": "Ferocity", "type": "pf1-kingdom-sheet.special", "system": {}},
        {"name": "Regeneration", "type": "pf1-kingdom-sheet.special", "system": {}},
        {"name": "Loyalty", "type": "pf1-kingdom-sheet.boon", "system": {}},
    ],
    "effects": [{"name": "fog"}], "flags": {"core": {"x": 1}}, "prototypeToken": {"width": 2},
}  # fmt: skip


def theirs(**changed: Any) -> dict[str, Any]:
    return {**copy.deepcopy(THEIRS), **changed}


def bring(war: Any, *actors: Any, **asked: Any) -> Any:
    asked = {"kingdom": war.crown, **asked}
    return bring_in_actors(by=war.gm, campaign=war.campaign, text=json.dumps(list(actors)), **asked)


def shown(war: Any, *actors: Any, **asked: Any) -> Any:
    return propose_actors(
        by=war.gm, campaign=war.campaign, text=json.dumps(list(actors)), **{"kingdom": war.crown, **asked}
    )


def army_named(name: str) -> PathfinderArmy:
    return PathfinderArmy.objects.complete().get(name=name)


def test_an_army_of_theirs_is_raised_with_all_the_module_says_of_it(war):
    done = bring(war, theirs())
    army = army_named("Greenbelt Guard")
    assert (army.unit["name"], army.unit["alignment"], army.unit["hit_die"]) == ("human fighters", "LG", "d10")
    assert (army.count, army.unit["cr"]) == (200, "3"), "large, and ACR 5: two steps above its units"
    assert (army.acr, army.hp, army.morale) == (5, 20, 3)
    assert {row.resource: row.quantity for row in army.resources.all()} == {
        "healing-potions": 1, "improved-weapons": 1, "siege-engines": 2,
    }  # fmt: skip
    assert [row.tactic for row in army.tactics.all()] == ["taunt"]
    assert [choice["ability"] for choice in army.unit["abilities"]] == ["ferocity"]
    told = " ".join(str(one) for line in done.bringing.lines for one in line.warnings)
    for word in ("Moonwalk", "Regeneration", "commander", "notes"):
        assert word in told


def test_what_means_nothing_here_goes_out_again_as_it_came(war):
    bring(war, theirs())
    army = army_named("Greenbelt Guard")
    out = get_army_actor(war.gm, army)
    for path in ("img", "effects", "prototypeToken"):
        assert out[path] == THEIRS[path]
    assert out["flags"]["core"] == {"x": 1}
    for name in ("strategy", "commander", "notes", "kingdom"):
        assert out["system"][name] == THEIRS["system"][name]
    assert out["system"]["hp"]["temp"] == 3
    assert out["system"]["resources"]["somethingNew"] is True
    assert out["items"] == THEIRS["items"]
    same = {name: out["system"][name] for name in ("acr", "type", "alignment", "size", "hd", "morale")}
    assert same == {name: THEIRS["system"][name] for name in same}


def test_what_changes_here_changes_there_and_back(war):
    bring(war, theirs())
    teach_tactic(by=war.gm, army=army_named("Greenbelt Guard"), tactic="dirty-fighters", granted=True)
    out = get_army_actor(war.gm, army_named("Greenbelt Guard"))
    assert {"Taunt", "Dirty Fighters"} <= {item["name"].title() for item in out["items"]}
    assert {line.what for line in shown(war, out).lines} == {"same"}, "nothing is kept for Foundry that was not"
    out["system"]["hp"]["current"] = 7
    out["items"] = [item for item in out["items"] if item["name"] != "Taunt"]
    bring(war, out)
    army = army_named("Greenbelt Guard")
    assert army.hp == 7
    assert {row.tactic: row.granted for row in army.tactics.all()} == {"dirty-fighters": True}
    assert {line.what for line in shown(war, out).lines} == {"same"}


def special(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "type": "pf1-kingdom-sheet.special", "system": {}, **more}


def abilities_of(name: str) -> dict[str, Any]:
    return {choice["ability"]: choice for choice in army_named(name).unit["abilities"]}


THEIR_NAMES = {
    "Hex (Cauldron)": {"ability": "hex", "options": {"choice": "cauldron"}},
    "Hex (Healing)": {"ability": "hex", "options": {"choice": "healing"}},
    "Hunter's Bond (Animal)": {"ability": "hunters-bond", "options": {"choice": "animal"}},
    "Hunter’s Bond (Companions)": {"ability": "hunters-bond", "options": {"choice": "companions"}},
    "Ability Drain": {"ability": "ability-damage"},
    "Ability Damage": {"ability": "ability-damage"},
    "Challange": {"ability": "challenge"},
    "Judgement": {"ability": "judgment"},
    "Fast Healing 5": {"ability": "fast-healing", "value": 5},
    "Regeneration (10)": {"ability": "regeneration", "value": 10},
    "Favored Enemy (Undead)": {"ability": "favored-enemy", "options": {"creature_type": "undead"}},
    "Tactician (Cavalry Experts)": {"ability": "tactician", "options": {"tactic": "cavalry-experts"}},
}


@pytest.mark.parametrize("name", THEIR_NAMES)
def test_an_ability_of_another_name_is_ours_with_its_choice(name):
    found = read_army(theirs(items=[special(name)]), LAW, None)
    assert found.what["unit"]["abilities"] == [THEIR_NAMES[name]]


@pytest.mark.parametrize("name", ["Cœur du Lac", "COEUR DU LAC", "cœur du lac"])
def test_an_ability_of_the_campaign_s_own_is_known_by_its_name(name):
    own = {"heart": {"name": "Cœur du lac", "summary": "The lake looks after them."}}
    law = LAW.with_house({"own": {"abilities": own}})
    found = read_army(theirs(items=[special(name)]), law, None)
    assert found.what["unit"]["abilities"] == [{"ability": "heart"}]


def test_what_an_ability_lacks_is_told_apart_from_what_is_none_of_ours(war):
    items = [special("Regeneration"), special("Moon walk"), special("Hex"), special("Hex (Healing)"),
             special("Hex (Cauldron)")]  # fmt: skip
    (line,) = bring(war, theirs(items=items)).bringing.lines
    told = [str(one) for one in line.warnings]
    assert "The special ability “Regeneration” was not imported: Regeneration needs a number." in told
    assert "The special ability “Moon walk” was not imported: Warhost does not know it." in told
    assert "The special ability “Hex” was not imported: Hex: choose one of the two." in told
    assert "“Hex (Cauldron)” appears twice. Only the first was imported." in told
    assert abilities_of("Greenbelt Guard") == {"hex": THEIR_NAMES["Hex (Healing)"]}
    assert get_army_actor(war.gm, army_named("Greenbelt Guard"))["items"] == items


def test_a_number_given_here_to_an_ability_of_theirs_comes_back(war):
    bring(war, theirs(items=[special("Regeneration", system={"x": 1}), special("Hex (Healing)")]))
    army = army_named("Greenbelt Guard")
    for number in (5, 7):
        abilities = [{"ability": "regeneration", "value": number}, THEIR_NAMES["Hex (Cauldron)"]]
        update_army(by=war.gm, army=army_named("Greenbelt Guard"), unit={**army.unit, "abilities": abilities})
        out = get_army_actor(war.gm, army_named("Greenbelt Guard"))
        assert [item["name"] for item in out["items"]] == ["Regeneration", "Hex (Cauldron)"]
        assert {line.what for line in shown(war, out).lines} == {"same"}
        bring(war, {**out, "img": f"{number}.webp"})
        assert abilities_of("Greenbelt Guard")["regeneration"]["value"] == number
    update_army(by=war.gm, army=army_named("Greenbelt Guard"), unit={**army.unit, "abilities": []})
    assert get_army_actor(war.gm, army_named("Greenbelt Guard"))["items"] == []


def test_a_rider_of_a_lower_cr_than_its_mount_stays_one(war):
    unit = {**army_named("Levy").unit, "cr": "1"}
    update_army(by=war.gm, army=war.levy, unit=unit, count=100, mount={"name": "Griffon", "cr": "3"})
    out = get_army_actor(war.gm, army_named("Levy"))
    assert out["system"]["acr"] == 3
    assert {line.what for line in shown(war, out).lines} == {"same"}
    out["system"]["acr"] = 5
    bring(war, out)
    assert (army_named("Levy").unit["cr"], army_named("Levy").mount["cr"], army_named("Levy").acr) == ("1", "5", 5)
    out["system"]["acr"] = 0.5
    bring(war, out)
    assert (army_named("Levy").unit["cr"], army_named("Levy").mount["cr"], army_named("Levy").acr) == ("1/2", "1/2", 0)


def test_an_army_of_the_highest_acr_comes_back(war):
    update_army(by=war.gm, army=war.levy, unit={**army_named("Levy").unit, "cr": "60"}, count=2_000)
    out = get_army_actor(war.gm, army_named("Levy"))
    assert out["system"]["acr"] == 68
    assert {line.what for line in shown(war, out).lines} == {"same"}


def test_hexes_a_day_come_in_as_metres_and_go_out_again(war):
    bring(war, theirs(system={**THEIRS["system"], "speed": {"base": 4}}))
    assert army_named("Greenbelt Guard").unit["speed_m"] == 18
    out = get_army_actor(war.gm, army_named("Greenbelt Guard"))
    assert out["system"]["speed"]["base"] == 4
    out["system"]["speed"]["base"] = 1
    bring(war, out)
    assert army_named("Greenbelt Guard").unit["speed_m"] == 4.5
    update_army(by=war.gm, army=army_named("Levy"), unit={**army_named("Levy").unit, "speed_m": 10.5})
    out = get_army_actor(war.gm, army_named("Levy"))
    assert {line.what for line in shown(war, out).lines} == {"same"}, "who changes no hexes keeps his own metres"


def test_what_a_file_leaves_out_stays_as_it_is(war):
    bring(war, theirs())
    before = get_army_actor(war.gm, army_named("Greenbelt Guard"))["system"]
    bring(war, {"name": "Greenbelt Guard", "type": ARMY, "img": "new.webp"})
    after = get_army_actor(war.gm, army_named("Greenbelt Guard"))
    for name in ("acr", "size", "hd", "alignment", "hp", "morale"):
        assert (after["system"].get(name) or {}) == (before[name] if name != "hp" else {"current": 20})
    assert {"Taunt", "Ferocity"} == {item["name"].title() for item in after["items"]}
    assert after["system"]["resources"]["seCount"] == 2


STORED = [{"system": None, "flags": None}, {"system": {"hp": None, "speed": None, "morale": None, "resources": None}},
          {"items": [{"type": ["a"]}, 5, None], "flags": [1]}, {"system": {"terrain": None}},
          {"system": 3, "items": {}}]  # fmt: skip


@pytest.mark.parametrize("actor", STORED)
def test_what_an_earlier_version_took_over_goes_out(client, war, actor):
    client.force_login(war.gm)
    FoundryActor.objects.create(campaign=war.campaign, army=war.levy, actor=actor)
    FoundryActor.objects.create(campaign=war.campaign, kingdom=war.crown, actor=actor)
    for url in (f"/armies/{war.levy.pk}/foundry.json", f"/kingdoms/{war.crown.pk}/foundry.json",
                f"/api/v1/armies/{war.levy.pk}/foundry/", f"/api/v1/kingdoms/{war.crown.pk}/foundry/"):  # fmt: skip
        answer = client.get(url)
        assert answer.status_code == 200
        assert answer.json()["flags"]["warhost"]["version"] == 1


def test_one_entry_and_one_undo(war):
    before = set(PathfinderArmy.objects.values_list("pk", flat=True))
    levy = get_army_actor(war.gm, army_named("Levy"))
    levy["system"]["morale"]["base"] = -2
    entries = ChronicleEntry.objects.count()
    done = bring(war, theirs(), levy)
    assert (done.bringing.new, done.bringing.changed) == (1, 1)
    assert ChronicleEntry.objects.count() == entries + 1
    assert army_named("Levy").morale == -2
    changes.undo(campaign=war.campaign, entry=done.entry, by=war.gm)
    assert set(PathfinderArmy.objects.values_list("pk", flat=True)) == before
    assert army_named("Levy").morale == 0


def test_our_own_armies_go_to_another_campaign_whole(war):
    buy_resource(by=war.gm, army=war.levy, resource="improved-armor")
    teach_tactic(by=war.gm, army=war.levy, tactic="taunt", granted=True)
    actors = [get_kingdom_actor(war.gm, war.crown.pk)[1], get_army_actor(war.gm, army_named("Levy"))]
    other = create_campaign(by=war.gm, name="Elsewhere", ruleset=war.campaign.ruleset)
    done = bring_in_actors(by=war.gm, campaign=other, text=json.dumps(actors))
    assert done.bringing.new == 2
    there, here = PathfinderArmy.objects.complete().get(campaign=other), army_named_in(war.campaign, "Levy")
    assert there.sheet == here.sheet
    assert (there.hp, there.hp_max, there.consumption) == (here.hp, here.hp_max, here.consumption)
    assert {row.resource for row in there.resources.all()} == {"improved-armor"}
    war.crown.refresh_from_db()
    for name in ("name", "alignment", "economy", "loyalty", "stability", "unrest", "size", "treasury"):
        assert getattr(there.kingdom, name) == getattr(war.crown, name), name


def test_adjustments_go_along_and_count_once(war):
    for figure, amount in (("speed", 2), ("hp", 5), ("om", -1)):
        adjust_army(by=war.gm, army=army_named("Levy"), figure=figure, amount=amount, reason="Blessed", until=9)
    levy = army_named("Levy")
    actor = get_army_actor(war.gm, levy)
    assert [(one["figure"], one["amount"], one["until"]) for one in actor["flags"]["warhost"]["adjustments"]] == [
        ("speed", 2, 9), ("hp", 5, 9), ("om", -1, 9),
    ]  # fmt: skip
    with pytest.raises(InvalidInput, match="Nothing to import"):
        bring(war, actor)
    other = create_campaign(by=war.gm, name="Elsewhere", ruleset=war.campaign.ruleset)
    bring_in_actors(by=war.gm, campaign=other, text=json.dumps([get_kingdom_actor(war.gm, war.crown.pk)[1], actor]))
    there = army_named_in(other, "Levy")
    assert (there.sheet, there.hp, there.hp_max) == (levy.sheet, levy.hp, levy.hp_max)
    assert build_army_spec(there).adjustments == build_army_spec(levy).adjustments
    Campaign.objects.filter(pk=other.pk).update(day=10)
    there.delete()
    actor["flags"]["warhost"]["id"] = None
    bring_in_actors(by=war.gm, campaign=Campaign.objects.get(pk=other.pk), text=json.dumps(actor))
    late = army_named_in(other, "Levy")
    assert (late.adjustments, late.hp) == ([], late.hp_max)


@pytest.mark.parametrize("broken", [{}, ["om"], [{"figure": "om"}], [{"figure": "luck", "amount": 1, "reason": "x"}],
                                    [{"figure": "om", "amount": 1, "reason": "x"}] * 21])  # fmt: skip
def test_adjustments_that_are_none_are_refused_where_they_stand(war, broken):
    actor = get_army_actor(war.gm, army_named("Levy"))
    actor["flags"]["warhost"]["adjustments"] = broken
    with pytest.raises(InvalidInput) as refused:
        bring(war, actor)
    assert "/flags/warhost/adjustments" in refused.value.errors[0][0]
    assert army_named("Levy").adjustments == []


def army_named_in(campaign: Campaign, name: str) -> PathfinderArmy:
    return PathfinderArmy.objects.complete().get(campaign=campaign, name=name)


REALM: dict[str, Any] = {
    "name": "Varn", "type": KINGDOM, "items": [{"name": "Castle", "type": "pf1-kingdom-sheet.building"}],
    "system": {
        "alignment": "cg", "treasury": 40, "unrest": 2, "turn": 7, "terrain": {"forest": 9, "plains": 3},
        "leadership": {"ruler": {"actor": "x"}}, "settlementProxies": [{"id": "a", "actor": "b"}],
    },
}  # fmt: skip


def test_a_kingdom_of_theirs_is_founded_and_goes_out_again(war):
    done = bring(war, REALM)
    varn = Kingdom.objects.get(name="Varn")
    assert (varn.alignment, varn.treasury, varn.unrest, varn.size) == ("CG", 40, 2, 12)
    assert len([one for line in done.bringing.lines for one in line.warnings]) == 3
    out = get_kingdom_actor(war.gm, varn.pk)[1]
    assert out["items"] == REALM["items"]
    for name in ("turn", "leadership", "settlementProxies"):
        assert out["system"][name] == REALM["system"][name]
    Kingdom.objects.filter(pk=varn.pk).update(size=5)
    terrain = get_kingdom_actor(war.gm, varn.pk)[1]["system"]["terrain"]
    assert sum(terrain[name] for name in TERRAIN) == 5
    assert min(terrain.values()) >= 0
    out["system"]["treasury"] = 25
    bring(war, out)
    varn.refresh_from_db()
    assert (varn.treasury, varn.size) == (25, 12)
    Kingdom.objects.filter(pk=varn.pk).update(without_treasury=True)
    out["system"] |= {"treasury": 99, "unrest": 4}
    told = [render(one) for line in bring(war, out).bringing.lines for one in line.warnings]
    assert "The kingdom has no treasury, so the file’s treasury was not imported." in told
    varn.refresh_from_db()
    assert (varn.treasury, varn.unrest) == (25, 4)


WRONG = [
    ({"type": "npc"}, "/rows/1/type"),
    ({"name": ""}, "/rows/1/name"),
    ({"system": 5}, "/rows/1/system/"),
    ({"system": {"hd": "d20"}}, "/rows/1/system/hd"),
    ({"system": {"hp": {"current": "many"}}}, "/rows/1/system/hp/current"),
    ({"system": {"size": "12"}}, "/rows/1/system/size"),
    ({"system": {"size": "8", "acr": 0.125}}, "/rows/1/system/acr"),
    ({"system": {"acr": 5.5}}, "/rows/1/system/acr"),
    ({"items": "none"}, "/rows/1/items"),
    ({"system": {"resources": 3}}, "/rows/1/system/resources"),
    ({"flags": {"warhost": {"unit": {"cr": []}, "count": 5}}}, "/rows/1/flags/warhost/unit/cr"),
    ({"flags": {"warhost": {"unit": {"cr": "1"}, "count": 0}}}, "/rows/1/flags/warhost/count"),
    ({"flags": {"warhost": {"unit": {"cr": "1"}, "mount": {"cr": "x"}}}}, "/rows/1/flags/warhost/mount/cr"),
    ({"flags": {"warhost": {"kingdom": 5}}}, "/rows/1/flags/warhost/kingdom"),
    ({"system": {"resources": {"seCount": 1001}}}, "/rows/1/system/resources/seCount"),
    ({"system": {"resources": {"potions": 1}}}, "/rows/1/system/resources/potions"),
    ({"items": [{"name": "Taunt"}, 5]}, "/rows/1/items/1"),
    ({"system": {"type": "x" * 121}}, "/rows/1/system/type"),
    (
        {"items": [{"name": "Mindless", "type": "pf1-kingdom-sheet.special"}], "system": {"resources": {"seCount": 1}}},
        "/rows/1/system/resources/seCount",
    ),
]  # fmt: skip


def test_what_is_no_actor_of_the_module_is_refused_where_it_stands(war):
    for change, pointer in WRONG:
        with pytest.raises(InvalidInput) as refused:
            bring(war, theirs(**change))
        assert refused.value.field.startswith(pointer), change
        assert not PathfinderArmy.objects.filter(name="Greenbelt Guard").exists(), change


NO_FILES = ["", "{", "5", "[]", "[5]", '{"a": NaN}', "[" * 100]


def test_what_is_no_file_of_actors_is_refused(war):
    for text in NO_FILES:
        with pytest.raises(InvalidInput):
            bring_in_actors(by=war.gm, campaign=war.campaign, text=text)


def test_too_many_and_nowhere_to_go_are_refused(war):
    with pytest.raises(InvalidInput):
        bring(war, *[theirs()] * (ACTORS_MOST + 1))
    with pytest.raises(InvalidInput, match="Choose which kingdom"):
        bring(war, theirs(), kingdom=None)
    with pytest.raises(InvalidInput, match="This campaign has no kingdom “Varn”"):
        bring(war, theirs(flags={"warhost": {"kingdom": "Varn"}}), kingdom=None)
    bring(war, theirs())
    with pytest.raises(InvalidInput, match="Nothing to import"):
        bring(war, theirs())


def test_only_a_gm_brings_in_and_only_who_reads_a_sheet_takes_out(client, war):
    with pytest.raises(PermissionDenied):
        bring_in_actors(by=war.ana, campaign=war.campaign, text=json.dumps([theirs()]))
    hidden = PathfinderArmy.objects.get(kingdom=war.horde)
    client.force_login(war.ana)
    for url in (f"/armies/{hidden.pk}/foundry.json", f"/kingdoms/{war.horde.pk}/foundry.json",
                f"/api/v1/armies/{hidden.pk}/foundry/", f"/api/v1/kingdoms/{war.horde.pk}/foundry/"):  # fmt: skip
        assert client.get(url).status_code == 404
    assert client.get(f"/kingdoms/{war.crown.pk}/foundry.json").json()["type"] == KINGDOM
    assert client.get(f"/c/{war.campaign.pk}/foundry/").status_code == 403


def test_what_is_kept_for_foundry_alone_goes_out_to_gms_only(client, war):
    """Its notes may be the GM's."""
    bring(war, theirs())
    army = army_named("Greenbelt Guard")
    army.revealed = True
    army.save(update_fields=["revealed"])
    client.force_login(war.ana)
    for url in (f"/armies/{army.pk}/foundry.json", f"/api/v1/armies/{army.pk}/foundry/"):
        shown = client.get(url).json()
        assert (shown["name"], "notes" in shown["system"]) == (army.name, False)
        assert "core" not in shown["flags"]


def test_page_and_api_show_before_they_do(client, war):
    client.force_login(war.gm)
    url, text = f"/c/{war.campaign.pk}/foundry/", json.dumps(theirs())
    answer = client.post(url, {"do": "preview", "pasted": text, "kingdom": war.crown.pk})
    assert "Moonwalk" in answer.content.decode()
    assert not PathfinderArmy.objects.filter(name="Greenbelt Guard").exists()
    mark = answer.context["found"].mark
    confirm = {"do": "confirm", "pasted": text, "kingdom": war.crown.pk}
    assert client.post(url, {**confirm, "mark": "old"}).status_code == 412
    assert client.post(url, {**confirm, "mark": mark}).status_code == 302
    army = army_named("Greenbelt Guard")
    out = client.get(f"/armies/{army.pk}/foundry.json")
    assert "attachment" in out["Content-Disposition"]
    api = f"/api/v1/campaigns/{war.campaign.pk}/foundry/"
    changed = out.json() | {"name": "Greenbelt Guards"}
    body = {"file": json.dumps(changed), "kingdom": str(war.crown.pk)}
    told = client.post(api, json.dumps(body), "application/json").json()
    assert told["lines"][0]["what"] == "changed"
    done = client.post(api, json.dumps({**body, "confirm": True, "mark": told["mark"]}), "application/json")
    assert done.json()["entry"]["text"].startswith("Armies and kingdoms imported from Foundry")
    assert PathfinderArmy.objects.filter(pk=army.pk, name="Greenbelt Guards").exists()
    assert client.post(api, json.dumps({**body, "confirm": True}), "application/json").status_code == 428


def test_what_is_wrong_is_told_beside_what_was_sent(client, war):
    client.force_login(war.gm)
    url, asked = f"/c/{war.campaign.pk}/foundry/", {"do": "preview", "kingdom": war.crown.pk}
    pasted = client.post(url, {**asked, "pasted": "{"})
    assert (pasted.status_code, [*pasted.context["form"].errors]) == (422, ["pasted"])
    uploaded = client.post(url, {**asked, "file": SimpleUploadedFile("actor.json", b"{")})
    assert (uploaded.status_code, [*uploaded.context["form"].errors]) == (422, ["file"])


def test_a_stale_mark_does_nothing(war):
    with pytest.raises(StaleProposal):
        bring(war, theirs(), mark="x")
    assert not FoundryActor.objects.exists()


@given(slug=st.sampled_from(sorted(UNITS)), count=st.integers(100, 5_000), morale=st.integers(-4, 4))
@example(slug="human-alchemists", count=100, morale=0)  # "Bombs" is not called by its slug
@profile(max_examples=at_most(20, full=200), deadline=None)
def test_every_kind_of_unit_comes_back_from_its_actor(slug, count, morale):
    sheet = LAW.armies.read({"unit": {**unit_to_json(UNITS[slug].unit), "name": slug}, "count": count, "mount": None})
    campaign = Campaign(ruleset="combat-de-masse", house_rules={})
    army = PathfinderArmy(campaign=campaign, name="A", sheet=sheet, health=1, health_max=1, morale=morale)
    army.kingdom = Kingdom(campaign=campaign, name="Crown")
    army._prefetched_objects_cache = {"resources": [], "tactics": []}
    actor = json.loads(json.dumps(build_army_actor(army, None)))
    found = read_army(actor, LAW, None)
    assert LAW.armies.read(found.what) == sheet
    assert (found.morale, found.tactics, found.resources, found.kingdom) == (morale, (), {}, "Crown")
