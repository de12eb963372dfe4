"""B-83 and C-9: what comes of army documents that are divided and combined, under the laws that have them."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.breaking_point.figures import body_figures
from rules.core.errors import InvalidInput
from rules.movable_entries import EntryMove, move_entries
from rules.registry import ruleset
from tests.everyday import at_most

HOSTS, WINGS, CONTINGENTS = (ruleset(law).armies for law in ("breaking-point", "wing-command", "thucidide-fantasy"))
SWORDS = {"name": "Swords", "type": "infantry", "strength": 100, "combat": 3, "armour": 0, "group": "contact",
          "weapons": ["sword"]}  # fmt: skip
GUNS = {"name": "Guns", "type": "artillery", "strength": 24, "combat": 6, "armour": 1, "group": "shooting", "pieces": 6,
        "weapons": ["8-pounder"]}  # fmt: skip


def host(*units: dict, **more) -> dict:
    return {"units": list(units), **more}


def numbers(document: dict | None) -> list[tuple]:
    return [(unit["name"], unit["strength"]) for unit in (document or {}).get("units", ())]


def test_b83_heads_go_to_a_new_army_with_their_share_of_wounded_and_guns():
    army = host({**SWORDS, "wounded": 11, "experience": 5}, GUNS)
    left, new = move_entries(HOSTS, [army, None], [EntryMove(0, "units", 0, 1, 40), EntryMove(0, "units", 1, 1, 8)])
    assert (numbers(left), numbers(new)) == ([("Swords", 60), ("Guns", 16)], [("Swords", 40), ("Guns", 8)])
    assert [unit.get("wounded", 0) for unit in (*left["units"], *new["units"])] == [7, 0, 4, 0]
    assert [one["units"][1]["pieces"] for one in (left, new)] == [4, 2]
    assert [one["units"][0]["experience"] for one in (left, new)] == [5, 5]


def test_b83_units_that_differ_only_in_numbers_become_one_and_others_stay_apart():
    other = {**SWORDS, "strength": 30, "wounded": 2}
    joined, gone = move_entries(HOSTS, [host(SWORDS), host(other, {**SWORDS, "experience": 1})],
                          [EntryMove(1, "units", 0, 0), EntryMove(1, "units", 1, 0)])  # fmt: skip
    assert (numbers(joined), gone) == ([("Swords", 130), ("Swords", 100)], None)
    assert joined["units"][0]["wounded"] == 2


def test_b83_the_last_troops_of_an_army_take_its_spoils_along():
    spoils = [
        {"what": "baggage", "of": "Steel", "share": 50},
        {"what": "pieces", "of": "Steel", "name": "G", "count": 2},
    ]
    mine = [{"what": "pieces", "of": "Steel", "name": "G", "count": 3}]
    armies = [host(SWORDS, spoils=mine), host(SWORDS, GUNS, spoils=spoils)]
    half, other = move_entries(HOSTS, armies, [EntryMove(1, "units", 0, 0)])
    assert (half["spoils"], other["spoils"]) == (mine, spoils)
    whole, gone = move_entries(HOSTS, armies, [EntryMove(1, "units", 0, 0), EntryMove(1, "units", 1, 0)])
    assert gone is None
    assert [one.get("count") or one["share"] for one in whole["spoils"]] == [5, 50]


def test_c9_troops_and_characters_of_a_wing_move_and_the_rest_stays():
    mage = {"name": "Ada", "kind": "mage"}
    wing = {"troops": [{"type": "foot"}, {"type": "archers"}], "characters": [mage], "order": "hold", "morale": 10}
    left, new = move_entries(WINGS, [wing, None], [EntryMove(0, "troops", 1, 1), EntryMove(0, "characters", 0, 1)])
    assert [troop["type"] for troop in (*left["troops"], *new["troops"])] == ["foot", "archers"]
    assert ("characters" in left, [one["name"] for one in new["characters"]]) == (False, ["Ada"])
    assert [(one["order"], one["morale"]) for one in (left, new)] == [("hold", 10), ("hold", 10)]


def test_c9_what_an_army_may_not_be_is_refused_in_the_laws_words():
    wing = {"troops": [{"type": "foot"}] * 5, "characters": [{"name": "Ada", "kind": "mage"}]}
    undead = {"units": [{"type": "foot-heavy", "traits": ["undead"], "master": "Nec"}, {"type": "bows"}],
              "characters": [{"name": "Nec", "kind": "caster"}]}  # fmt: skip
    small = {"troops": [{"type": "levy"}]}
    cases = (
        (WINGS, [wing, wing], [EntryMove(1, "troops", at, 0) for at in range(4)], "at most 8 troops", "/0/troops"),
        (WINGS, [small, wing], [EntryMove(1, "troops", at, 0) for at in range(5)], "at least one troop", "/1/troops"),
        (CONTINGENTS, [undead, None], [EntryMove(0, "units", 0, 1)], "no character “Nec”", "/1/units/0/master"),
    )
    for law, armies, moves, why, at in cases:
        with pytest.raises(InvalidInput, match=why) as refused:
            move_entries(law, armies, moves)
        assert refused.value.field == f"/documents{at}", why


def test_what_is_not_there_is_not_moved():
    army = host(SWORDS, GUNS)
    cases = {
        "/moves/0/army": EntryMove(2, "units", 0, 1),
        "/moves/0/part": EntryMove(0, "spoils", 0, 1),
        "/moves/0/entry": EntryMove(0, "units", 2, 1),
        "/moves/0/to": EntryMove(0, "units", 0, 0),
        "/moves/0/heads": EntryMove(0, "units", 0, 1, 101),
    }
    for at, move in cases.items():
        with pytest.raises(InvalidInput) as refused:
            move_entries(HOSTS, [army, None], [move])
        assert refused.value.field == at
    for at, moves in (
        ("/moves/1/entry", [EntryMove(0, "units", 0, 1), EntryMove(0, "units", 0, 1)]),
        ("/moves/1/heads", [EntryMove(0, "units", 0, 1, 60), EntryMove(0, "units", 0, 1, 60)]),
        ("/documents/1", []),
    ):
        with pytest.raises(InvalidInput) as refused:
            move_entries(HOSTS, [army, None], moves)
        assert refused.value.field == at
    with pytest.raises(InvalidInput, match="can’t be divided"):
        move_entries(WINGS, [{"troops": [{"type": "foot"}] * 2}, None], [EntryMove(0, "troops", 0, 1, 1)])


UNITS = st.builds(lambda kind, strength, wounded, extra: {**kind, "strength": strength, "wounded": wounded, **extra},
                  st.sampled_from([SWORDS, GUNS]), st.integers(1, 500), st.integers(0, 40),
                  st.sampled_from([{}, {"experience": 3}]))  # fmt: skip
HEADS = st.one_of(st.none(), st.integers(1, 500))


@given(st.lists(st.lists(UNITS, min_size=1, max_size=4), min_size=1, max_size=3),
       st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(0, 3), HEADS), max_size=8))  # fmt: skip
@settings(max_examples=at_most(40, full=1000), deadline=None)
def test_b83_nobody_and_nothing_is_lost_or_made_by_reforming(armies, wanted):
    """Moves that are refused leave the armies as they were; the others go on from what there is."""
    now = [*(host(*units) for units in armies), None]
    for army, entry, to, heads in wanted:
        before = totals(now)
        try:
            now = move_entries(HOSTS, now, [EntryMove(army, "units", entry, to, heads)])
        except InvalidInput:
            continue
        assert totals(now) == before


def totals(documents) -> Counter:
    found: Counter = Counter()
    for document in filter(None, documents):
        units = HOSTS.units_of(document)
        found["force"] += body_figures(units).force
        for unit in units:
            key = unit.name, unit.experience
            found[key] += unit.strength
            found[(*key, "wounded")] += unit.wounded
            found[(*key, "pieces")] += unit.pieces or 0
    return +found
