"""Actors of Foundry in which anything is null, missing, of another type or unknown: refused where it stands, or in and
out again as it came.
"""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from django.db import transaction
from hypothesis import example, given
from hypothesis import settings as profile
from hypothesis import strategies as st

from armies.pathfinder.foundry.actor_shapes import ARMY, TERRAIN
from armies.pathfinder.foundry.army_actors import build_army_actor, keep_army_rest, read_army
from armies.pathfinder.foundry.kingdom_actors import build_kingdom_actor, keep_kingdom_rest, read_kingdom
from armies.pathfinder.foundry.services import bring_in_actors, get_army_actor, get_kingdom_actor, propose_actors
from armies.pathfinder.models import ArmyResource, ArmyTactic, FoundryActor, PathfinderArmy
from core.clean_input import read_json
from kingdom.models import Campaign, Kingdom
from rules.core.errors import InvalidInput
from rules.pathfinder.catalogue.units import UNITS
from rules.pathfinder.documents import unit_to_json
from rules.registry import ruleset
from tests.armies.pathfinder.foundry.test_foundry import REALM, THEIRS, army_named
from tests.armies.tables.mutations import LONG, NUMBERS, OTHERS, changed, is_number, members, mutated
from tests.everyday import FULL, at_most

LAW = ruleset("combat-de-masse")
FOREIGN = copy.deepcopy(THEIRS)
FOREIGN["items"] += [
    {"name": name, "type": "pf1-kingdom-sheet.special", "system": {"changes": [{"formula": "1"}]}}
    for name in ("Hex (Cauldron)", "Hex (Healing)", "Ability Drain", "Fast Healing 5", "Spellcasting")
]
CAMPAIGN = Campaign(ruleset="combat-de-masse", house_rules={})
OWN_UNIT = {
    **unit_to_json(UNITS["human-alchemists"].unit), "name": "Riders", "cr": "1", "speed_m": 10.5,
    "abilities": [{"ability": "regeneration", "value": 7}, {"ability": "hex", "options": {"choice": "healing"}},
                  {"ability": "armor-training"}],
}  # fmt: skip
MOUNT = {"name": "Griffon", "cr": "3", "speed_m": None, "creature_type": "animal"}


def army_of(found: Any, name: str = "A") -> PathfinderArmy:
    """An army as this says, which no database keeps."""
    army = PathfinderArmy(campaign=CAMPAIGN, name=name, sheet=LAW.armies.read(found["what"]))
    army.kingdom = Kingdom(campaign=CAMPAIGN, name="Crown")
    measure = LAW.armies.measure(army.sheet)
    army.health_max = measure.health
    army.health = measure.health if found.get("hp") is None else found["hp"]
    army.morale = found.get("morale") or 0
    held = found["resources"].items()
    army._prefetched_objects_cache = {
        "resources": [ArmyResource(army=army, resource=slug, quantity=many) for slug, many in held],
        "tactics": [ArmyTactic(army=army, tactic=slug) for slug in found.get("tactics") or ()],
    }
    return army


def told(found: Any) -> dict[str, Any]:
    return {name: getattr(found, name) for name in ("what", "hp", "morale", "tactics", "resources")}


def written(actor: Any) -> Any:
    """As a file has it, and the database: it writes large numbers out."""
    text = json.dumps(actor)
    return read_json(text) if text else None


OWN = build_army_actor(army_of({"what": {"unit": OWN_UNIT, "count": 450, "mount": MOUNT}, "morale": 2,
                          "tactics": ["taunt"],
                          "resources": {"siege-engines": 3, "magic-armor": 1}}), None)  # fmt: skip


@given(actor=st.one_of(mutated(FOREIGN), mutated(OWN)))
@example(actor=changed(FOREIGN, ("flags",), None))
@example(actor=changed(FOREIGN, ("system",), None))
@example(actor=changed(FOREIGN, ("system", "hp"), None))
@example(actor=changed(FOREIGN, ("system", "resources"), None))
@example(actor=changed(FOREIGN, ("system", "speed"), None))
@example(actor=changed(FOREIGN, ("system", "morale"), None))
@example(actor=changed(FOREIGN, ("items", 0, "type"), ["a", "b"]))
@example(actor=changed(FOREIGN, ("system", "speed", "base"), 4))
@example(actor=changed(FOREIGN, ("system", "speed", "base"), 2.5))
@profile(max_examples=at_most(60, full=1_000), deadline=None)
def test_an_army_goes_out_as_it_came_in_whatever_else_stands_there(actor):
    try:
        found = read_army(actor, LAW, None)
    except InvalidInput:
        return
    army = army_of(told(found), found.name)
    out = written(build_army_actor(army, copy.deepcopy(actor)))
    again = read_army(out, LAW, None)
    complete = {"hp": army.health, "morale": army.morale, "tactics": tuple(sorted(found.tactics or ()))}
    assert {**told(again), "tactics": tuple(sorted(again.tactics))} == {**told(found), **complete}
    assert keep_army_rest(out, LAW) == keep_army_rest(actor, LAW)
    assert (
        written(build_army_actor(army_of(told(again), again.name), copy.deepcopy(out))).items()
        >= {name: value for name, value in out.items() if name != "flags"}.items()
    )


@given(actor=mutated(REALM))
@example(actor=changed(REALM, ("system",), None))
@example(actor=changed(REALM, ("system", "terrain"), None))
@example(actor={**REALM, "flags": None})
@profile(max_examples=at_most(40, full=1_000), deadline=None)
def test_a_kingdom_goes_out_as_it_came_in_whatever_else_stands_there(actor):
    try:
        found = read_kingdom(actor)
    except InvalidInput:
        return
    kingdom = Kingdom(campaign=CAMPAIGN, name=found.name, **found.sheet, treasury=found.treasury or 0)
    out = written(build_kingdom_actor(kingdom, copy.deepcopy(actor)))
    again = read_kingdom(out)
    for name, value in again.sheet.items():
        assert getattr(kingdom, name) == value, name
    assert (again.name, again.treasury) == (found.name, kingdom.treasury)
    assert keep_kingdom_rest(out) == keep_kingdom_rest(actor)


kept = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["hp", "x", "warhost"]), inner),
)
holders = st.dictionaries(st.sampled_from(["system", "flags", "items", "effects", "name", "type"]), kept)


@given(actor=holders)
@profile(max_examples=at_most(30, full=1_000), deadline=None)
def test_whatever_is_kept_of_old_something_goes_out(actor):
    """What earlier versions took over is believed in nothing."""
    army = army_of({"what": {"unit": OWN_UNIT, "count": 450, "mount": MOUNT}, "resources": {}})
    json.dumps(build_army_actor(army, actor))
    out = build_kingdom_actor(Kingdom(campaign=CAMPAIGN, name="K", size=7), actor)
    assert sum(out["system"]["terrain"][name] for name in TERRAIN) == 7


def fate(war: Any, actor: Any) -> Any:
    """What becomes of it, done and taken back: the refusal, or the warnings with what goes out then."""
    text = json.dumps([actor])
    try:
        with transaction.atomic():
            found = bring_in_actors(by=war.gm, campaign=war.campaign, text=text, kingdom=war.crown)
            warnings = [one for line in found.bringing.lines for one in line.warnings]
            if actor.get("type") == ARMY:
                out = get_army_actor(war.gm, FoundryActor.objects.latest("id").army.pathfinderarmy)
            else:
                out = get_kingdom_actor(war.gm, FoundryActor.objects.latest("id").kingdom_id)[1]
            again = propose_actors(by=war.gm, campaign=war.campaign, text=json.dumps(out), kingdom=war.crown)
            assert [line.what for line in again.lines] == ["same"], again.lines
            transaction.set_rollback(True)
    except InvalidInput as refused:
        for pointer, _said in refused.errors:
            assert pointer.startswith(("/rows/1/", "/file")), pointer
        return refused
    return out, warnings


def pointed(actor: Any, pointer: str) -> bool:
    """Whether it leads to a place in the actor, or to where one would stand."""
    here = actor
    for name in pointer.removeprefix("/rows/1").split("/")[1:-1]:
        here = here[int(name)] if isinstance(here, list) and name.isdecimal() else (here or {}).get(name, {})
        if here is None or not isinstance(here, dict | list):
            return True
    return isinstance(here, dict | list)


def standing(document: Any, path: Any) -> Any:
    for name in path:
        inside = name in document if isinstance(document, dict) else name < len(document or ())
        document = document[name] if inside else None
    return document


def own_actor(war: Any) -> Any:
    actor = get_army_actor(war.gm, army_named("Levy"))
    actor["flags"]["warhost"] |= {"mount": dict(MOUNT), "granted": ["taunt"]}
    del actor["flags"]["warhost"]["id"]
    actor["name"] = "Away"
    return actor


def numbers_of(document: Any) -> list[tuple[Any, Any]]:
    numeric = [path for path, value in members(document) if is_number(value)]
    return [(path, value) for path in numeric for value in NUMBERS]


def test_every_number_and_every_text_is_refused_told_or_kept(war):
    """One bound at every door, and nothing is cut without a word."""
    realm = get_kingdom_actor(war.gm, war.crown.pk)[1]
    realm["name"] = "Elsewhere"
    del realm["flags"]["warhost"]["id"]
    for actor in (FOREIGN, own_actor(war), REALM, realm):
        texts = [(path, LONG) for path, value in members(actor) if isinstance(value, str)]
        cases = [*numbers_of(actor), *texts]
        for path, value in cases if FULL else cases[:: 1 + len(cases) // 10]:
            sent = changed(actor, path, value)
            found = fate(war, sent)
            if path[-1] == "ability" or path[-2:] == ("figures", "size"):
                continue  # the item's name says which one it is, and the terrain how large
            if isinstance(found, InvalidInput):
                assert all(pointed(sent, pointer) for pointer, _said in found.errors), (path, found.errors)
                continue
            out, warnings = found
            assert warnings or standing(out, path) == value, (path, value)


BOUNDS = [
    (("system", "resources", "seCount"), 1_001),
    (("system", "resources", "seCount"), 2**31 - 1),
    (("system", "resources", "seCount"), -1),
    (("system", "hp", "current"), -1),
    (("system", "morale", "base"), 5),
    (("system", "speed", "base"), 27),
    (("system", "speed", "base"), -1),
    (("system", "acr"), 69),
    (("system", "acr"), -1),
    (("system", "type"), LONG),
    (("name",), LONG),
    (("flags", "warhost", "unit", "level"), 61),
    (("flags", "warhost", "unit", "speed_m"), 121),
    (("flags", "warhost", "unit", "cr"), "61"),
    (("flags", "warhost", "unit", "name"), LONG),
    (("flags", "warhost", "count"), 10_000_001),
    (("flags", "warhost", "count"), "5"),
    (("flags", "warhost", "mount", "name"), LONG),
    (("flags", "warhost", "mount", "name"), 5),
    (("flags", "warhost", "mount", "cr"), "61"),
    (("flags", "warhost", "id"), LONG),
    (("flags", "warhost", "version"), 2),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value"), BOUNDS)
def test_a_figure_beyond_its_bound_is_refused_where_it_stands(path, value):
    with pytest.raises(InvalidInput) as refused:
        read_army(changed(OWN, path, value), LAW, None)
    assert refused.value.field == "/" + "/".join(path)


def test_every_member_of_an_actor_may_be_anything(war):
    """By the services, as the pages call them: what is taken over goes out and comes in the same."""
    for actor in (FOREIGN, own_actor(war), REALM):
        places = [path for path, _value in members(actor) if path != ("type",)]
        cases = [(path, value) for path in places for value in OTHERS]
        for path, value in cases if FULL else cases[:: 1 + len(cases) // 8]:
            fate(war, changed(actor, path, value))


def test_a_number_too_large_is_pointed_at_in_its_actor(war):
    text = json.dumps([THEIRS, changed(THEIRS, ("system", "hp", "current"), 2**63)])
    with pytest.raises(InvalidInput) as refused:
        propose_actors(by=war.gm, campaign=war.campaign, text=text, kingdom=war.crown)
    assert refused.value.field == "/rows/2/system/hp/current"
    with pytest.raises(InvalidInput) as refused:
        propose_actors(by=war.gm, campaign=war.campaign, text=text[len(json.dumps(THEIRS)) + 3 : -1])
    assert refused.value.field == "/rows/1/system/hp/current"
