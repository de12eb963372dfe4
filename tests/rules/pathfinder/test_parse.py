"""Bad input and good: units, mounts and abilities from JSON (PF-1, PF-9)."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.errors import InvalidInput
from rules.pathfinder.documents import choice_to_json, mount_from_json, mount_to_json, unit_from_json, unit_to_json
from rules.pathfinder.ruleset import COMBAT_DE_MASSE as LAW
from rules.pathfinder.spec import ArmySpec, MountSpec, UnitSpec, parse_cr, size_of

GOOD: dict[str, Any] = {
    "name": "Orc warrior 1", "cr": "1/3", "hit_die": "d10", "speed_m": 9, "creature_type": "humanoid",
    "alignment": "CE", "level": 1, "ranged": False,
    "abilities": [{"ability": "ferocity"}, {"ability": "spellcasting", "value": 3, "options": {"ranged": True}}],
}  # fmt: skip


def unit(**changes: Any) -> UnitSpec:
    return unit_from_json({**GOOD, **changes}, LAW)


def pointers(**changes: Any) -> list[str]:
    with pytest.raises(InvalidInput) as refused:
        unit(**changes)
    return [field for field, _said in refused.value.errors]


def ability(slug: str, **fields: Any) -> list[str]:
    return pointers(abilities=[{"ability": slug, **fields}])


def test_a_good_unit_comes_back_the_same() -> None:
    """PF-1: lossless."""
    assert unit_to_json(unit()) == GOOD
    assert choice_to_json(unit().abilities[0]) == {"ability": "ferocity"}


def test_what_is_left_out_has_a_default() -> None:
    """PF-1."""
    assert unit_from_json({"name": "x", "cr": "1"}, LAW) == UnitSpec("x", "1")


@pytest.mark.parametrize(
    "cr", ["0", "abc", "", "-1", "1/7", "2/3", "61", "1000", "1.5", "½", "٣", None, True, [], 10**30]
)
def test_challenge_ratings_off_the_ladder(cr: Any) -> None:
    """PF-1.1: refused, shortened in the message."""
    assert pointers(cr=cr) == ["/unit/cr"]


@pytest.mark.parametrize("cr", ["1/8", "1/2", "1", "60", 9, " 3 "])
def test_challenge_ratings_on_the_ladder(cr: Any) -> None:
    """PF-1.1."""
    assert unit(cr=cr).cr == str(cr).strip()


@pytest.mark.parametrize("count", [0, -5, 10**9, 2.5, "100", None])
def test_head_counts_no_army_has(count: Any) -> None:
    """PF-1.2: 1 to ten million."""
    with pytest.raises(InvalidInput) as refused:
        LAW.sheet(ArmySpec("A", "A", unit(), count))
    assert refused.value.field == "/count"


def test_too_few_for_an_army() -> None:
    """PF-1.3."""
    with pytest.raises(InvalidInput, match="Add units until it reaches ACR 1/8") as refused:
        LAW.sheet(ArmySpec("A", "A", unit(cr="1/8"), 50))
    assert (refused.value.field, size_of(50).slug) == ("/count", "small")


FIELDS = {
    "name": ("", 0, None, "x" * 121, ["x"]),
    "hit_die": ("d7", 8, None),
    "creature_type": ("goblin", None),
    "alignment": ("XX", "ce", None),
    "level": (0, 61, "3", 1.0, True),
    "speed_m": (0, -1, 121, "9", None, True),
    "ranged": ("yes", 1, None),
    "abilities": ("fear", None, {"ability": "fear"}),
}


@pytest.mark.parametrize("field", FIELDS)
def test_bad_fields_are_named(field: str) -> None:
    """PF-1, PF-9."""
    for value in FIELDS[field]:
        assert pointers(**{field: value}) == [f"/unit/{field}"]


def test_a_field_nobody_knows() -> None:
    """PF-1."""
    assert pointers(colour="red") == ["/unit/colour"]


@pytest.mark.parametrize("data", [None, [], "orc", 3])
def test_a_unit_that_is_no_object(data: Any) -> None:
    """PF-1."""
    with pytest.raises(InvalidInput) as refused:
        unit_from_json(data, LAW)
    assert refused.value.field == "/unit"


def test_every_problem_at_once() -> None:
    """PF-1: so that a form shows each beside its field."""
    assert pointers(cr="0", hit_die="d3", colour="red", abilities=[{"ability": "x"}]) == [
        "/unit/cr", "/unit/hit_die", "/unit/abilities/0/ability", "/unit/colour"
    ]  # fmt: skip


AT = "/unit/abilities/0"
VALUED = ("bravery", "fast-healing", "poison-resistance", "regeneration", "spellcasting")


@pytest.mark.parametrize("slug", VALUED)
def test_a_number_that_is_needed(slug: str) -> None:
    """PF-9: missing, too small, too great, not a number."""
    assert {slug for slug, item in LAW.abilities.items() if item.value == "required"} == set(VALUED)
    for value in (None, "", 0, 61, "3", 2.5, True):
        assert ability(slug, value=value) == [f"{AT}/value"]


def test_a_number_that_is_not_wanted() -> None:
    """PF-9."""
    assert ability("fear", value=3) == [f"{AT}/value"]


OPTIONS = {
    "immunity": ("to", [None, [], "fear", [3], ["x"], ["fear", "x"]], ["fear", "poison"]),
    "favored-enemy": ("creature_type", [None, "", "goblin", 3], "dragon"),
    "hex": ("choice", [None, "x"], "healing"),
    "hunters-bond": ("choice", [None, "healing"], "animal"),
    "tactician": ("tactic", [None, "x"], "cavalry-experts"),
}


@pytest.mark.parametrize("slug", OPTIONS)
def test_a_choice_made_when_the_army_is_raised(slug: str) -> None:
    """PF-9: missing or unknown; the good one is kept."""
    option, wrong, right = OPTIONS[slug]
    for value in wrong:
        assert ability(slug, options={option: value}) == [f"{AT}/options/{option}"]
    assert ability(slug) == [f"{AT}/options/{option}"]
    kept = unit(abilities=[{"ability": slug, "options": {option: right}}]).abilities[0]
    assert kept.options == {option: right}


def test_an_option_nobody_knows() -> None:
    """PF-9."""
    assert ability("fear", options={"loud": True}) == [f"{AT}/options/loud"]
    assert ability("spellcasting", value=1, options={"ranged": "far"}) == [f"{AT}/options/ranged"]
    assert ability("fear", options=3) == [f"{AT}/options"]
    assert ability("fear", colour="red") == [f"{AT}/colour"]


def test_an_ability_nobody_knows_or_twice() -> None:
    """PF-9."""
    assert ability("no-such") == [f"{AT}/ability"]
    assert pointers(abilities=[{"ability": "fear"}, {"ability": "fear"}]) == ["/unit/abilities/1/ability"]
    assert pointers(abilities=["fear"]) == [AT, f"{AT}/ability"]


def test_mounts() -> None:
    """R-3: none, with and without a CR; the problems."""
    assert mount_from_json(None, LAW) is None
    assert mount_to_json(None) is None
    mount = MountSpec("drake", "5", 12, "dragon")
    assert mount_from_json(mount_to_json(mount), LAW) == mount
    assert mount_from_json({"name": "pony", "cr": ""}, LAW) == MountSpec("pony")
    for body, field in (({"cr": "0"}, "/mount/cr"), ({"speed_m": -1}, "/mount/speed_m"), ({"legs": 4}, "/mount/legs"),
                        ({"creature_type": "x"}, "/mount/creature_type"), (3, "/mount")):  # fmt: skip
        with pytest.raises(InvalidInput) as refused:
            mount_from_json(body, LAW)
        assert refused.value.field == field


def test_the_message_of_an_endless_rating_is_short() -> None:
    """PF-1.1."""
    with pytest.raises(InvalidInput) as refused:
        parse_cr("9" * 10_000)
    assert len(str(refused.value)) < 200
