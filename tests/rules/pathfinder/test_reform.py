"""R-94: what comes of armies that are divided, combined or regrouped."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rules.core.errors import IllegalCommand, InvalidInput
from rules.pathfinder.reform import Reformed, TroopPart, Troops, even_parts, reform, regroup, share
from rules.pathfinder.ruleset import COMBAT_DE_MASSE as LAW
from rules.pathfinder.spec import LastingAdjustment, MountSpec, TacticKnown, UnitSpec
from rules.registry import ruleset
from tests.everyday import at_most
from tests.scenario import spec

GUARD = UnitSpec("Guard", "5", "d8")  # a medium army of them has ACR 5 and 22 hp, a large one ACR 7 and 31


def troops(name: str = "A", count: int = 100, *, ill: bool = False, owed: int = 0, surcharge: int = 0,
           place: str = "C7", **given) -> Troops:  # fmt: skip
    army = replace(spec(name), unit=GUARD, count=count, hp=22, kingdom="crown")
    return Troops(replace(army, **given), place, owed, surcharge, ill)


def figures(found: Reformed) -> list[tuple[int, int | None, int]]:
    return [(one.army.count, one.army.hp, one.army.morale) for one in found.parts]


def test_r94_hp_are_shared_in_proportion_rounded_down():
    found = reform(LAW, [troops(count=300, hp=31)], [TroopPart(200), TroopPart(100)])
    assert figures(found) == [(200, 20, 0), (100, 10, 0)]
    assert found.lost == 1


def test_r94_each_part_has_at_least_one_hp():
    assert figures(reform(LAW, [troops(count=200, hp=3)], [TroopPart(190), TroopPart(10)])) == [(190, 2, 0), (10, 1, 0)]


def test_r94_dividing_makes_no_hp_of_nothing():
    with pytest.raises(IllegalCommand, match="enough hit points for so many armies"):
        reform(LAW, [troops(count=200, hp=1)], [TroopPart(150), TroopPart(50)])


def test_r94_a_set_shared_by_dividing_is_not_stored_by_combining():
    army = troops(count=300, hp=31, resources={"magic-weapons": 1})
    both = reform(LAW, [army], [TroopPart(200, {"magic-weapons": 1}), TroopPart(100, {"magic-weapons": 1})])
    again = reform(LAW, both.parts, [TroopPart(300)])
    assert (again.parts[0].army.resources, again.stored) == ({"magic-weapons": 1}, ())


def test_r94_nobody_sheds_arrears_by_dividing():
    army = troops(count=102, hp=22, owed=1, arrears=True)
    parts = reform(LAW, [army], [TroopPart(51), TroopPart(51)]).parts
    assert [(one.owed, one.army.arrears) for one in parts] == [(1, True), (0, True)]


def test_r94_armies_with_other_adjustments_of_the_gm_are_not_combined():
    bad = LastingAdjustment("om", -3, "Cursed")
    with pytest.raises(IllegalCommand, match="adjustments of A and B differ"):
        reform(LAW, [troops("A"), troops("B", adjustments=(bad,))], [TroopPart(200)])
    kept = reform(LAW, [troops("A", adjustments=(bad,)), troops("B", adjustments=(bad,))], [TroopPart(200)])
    assert kept.parts[0].army.adjustments == (bad,)


def test_r94_heads_and_hp_add_up_and_morale_is_the_mean_by_heads_rounded_down():
    pair = [troops("A", 300, hp=12, morale=2), troops("B", 100, hp=7, morale=-3)]
    assert figures(reform(LAW, pair, [TroopPart(400)])) == [(400, 19, 0)]  # (600 − 300) ÷ 400, down
    low = [troops("A", 300, hp=12, morale=-1), troops("B", 100, hp=7, morale=0)]
    assert figures(reform(LAW, low, [TroopPart(400)])) == [(400, 19, -1)]


def test_r94_figures_follow_the_new_heads_and_what_is_above_the_maximum_is_lost():
    found = reform(LAW, [troops("A", 199), troops("B", 199)], [TroopPart(398)])
    assert (figures(found), found.lost) == ([(398, 31, 0)], 13)


def test_r94_two_armies_of_one_unit_are_evened_out_in_one_step():
    pair = [troops("A", 150, hp=22, morale=4), troops("B", 50, hp=2)]
    assert figures(reform(LAW, pair, [TroopPart(100), TroopPart(100)])) == [(100, 12, 3), (100, 12, 3)]


def test_r94_tactics_are_those_of_the_larger_army():
    taunt, dirty = TacticKnown("taunt"), TacticKnown("dirty-fighters", granted=True)
    found = reform(LAW, [troops("A", 100, tactics=(taunt,)), troops("B", 110, tactics=(dirty,))], [TroopPart(210)])
    assert found.parts[0].army.tactics == (dirty,)


def test_r94_resources_go_whole_to_the_parts_named_and_engines_by_the_piece():
    army = troops(count=300, hp=31, resources={"improved-weapons": 1, "siege-engines": 5, "ranged-weapons": 1})
    found = reform(LAW, [army], [TroopPart(200, {"siege-engines": 1}), TroopPart(100, {"improved-weapons": 1,
                                                                             "siege-engines": 2})])  # fmt: skip
    assert [dict(one.army.resources) for one in found.parts] == [
        {"siege-engines": 3, "ranged-weapons": 1},
        {"improved-weapons": 1, "siege-engines": 2},
    ]
    assert found.stored == ()


def test_r94_pf52_a_set_equips_several_parts_that_have_no_more_units_than_its_army():
    army = troops(count=300, hp=31, resources={"improved-armor": 1})
    both = reform(LAW, [army], [TroopPart(200, {"improved-armor": 1}), TroopPart(100, {"improved-armor": 1})])
    assert all(one.army.resources == {"improved-armor": 1} for one in both.parts)
    pair = [troops("A", 100, resources={"improved-armor": 1}), troops("B", 200)]
    with pytest.raises(IllegalCommand, match="isn’t enough Improved armor") as refusal:
        reform(LAW, pair, [TroopPart(150, {"improved-armor": 1}), TroopPart(150, {"improved-armor": 1})])
    assert refusal.value.field == "/parts/0/resources/improved-armor"


def test_r94_what_is_not_enough_for_the_combined_army_goes_to_the_stores():
    pair = [troops("A", 100, resources={"improved-armor": 1}), troops("B", 100)]
    found = reform(LAW, pair, [TroopPart(200)])
    assert found.parts[0].army.resources == {}
    assert [tuple(one) for one in found.stored] == [("A", "improved-armor", 1)]


def test_r94_pf52_a_set_is_enough_for_a_combined_army_of_the_same_size():
    armed = {"improved-armor": 1}
    found = reform(LAW, [troops("A", 300, hp=31, resources=armed), troops("B", 100)], [TroopPart(400)])
    assert (found.parts[0].army.resources, found.stored) == (armed, ())


def test_r94_pf52_sets_that_no_units_need_go_to_the_stores():
    armed = {"improved-armor": 1}
    pair = [troops("A", 300, hp=31, resources=armed), troops("B", 100, resources=armed)]
    assert reform(LAW, pair, [TroopPart(400)]).stored == ()
    found = reform(LAW, pair, [TroopPart(300, armed), TroopPart(100)])
    assert [tuple(one) for one in found.stored] == [("B", "improved-armor", 1)]


def test_r94_the_better_set_stays_and_what_it_replaces_goes_to_the_stores():
    pair = [troops("A", 150, resources={"magic-weapons": 1}), troops("B", 20, resources={"improved-weapons": 1})]
    found = reform(LAW, pair, [TroopPart(170)])
    assert (found.parts[0].army.resources, found.stored[0].resource) == ({"magic-weapons": 1}, "improved-weapons")
    with pytest.raises(IllegalCommand, match="something better: Magic weapons"):
        reform(LAW, pair, [TroopPart(20, {"magic-weapons": 1, "improved-weapons": 1}), TroopPart(150)])


def test_r94_who_gets_no_mounts_walks():
    horse = MountSpec("Horse", "1", 15)
    army = troops(count=300, hp=31, mount=horse, resources={"mounts": 1})
    found = reform(LAW, [army], [TroopPart(200), TroopPart(100)])
    assert [one.army.mount for one in found.parts] == [horse, None]
    born = replace(army, army=replace(army.army, resources={}))
    assert [one.army.mount for one in reform(LAW, [born], [TroopPart(200), TroopPart(100)]).parts] == [horse, horse]


def test_r94_debts_are_shared_without_loss_and_ills_spread():
    pair = [troops("A", 100, owed=7, arrears=True, surcharge=2, disease=1), troops("B", 100, ill=True, drain=2)]
    found = reform(LAW, pair, [TroopPart(150), TroopPart(50)])
    assert [(one.owed, one.army.arrears, one.surcharge) for one in found.parts] == [(5, True, 2), (2, True, 0)]
    assert {(one.ill, one.army.disease, one.army.drain) for one in found.parts} == {(True, 1, 2)}


def test_r94_arrears_that_would_disband_the_combined_army_are_refused():
    pair = [troops("A", 100, morale=-4), troops("B", 100, morale=-4, owed=2, arrears=True)]
    with pytest.raises(IllegalCommand, match="Pay the arrears first"):
        reform(LAW, pair, [TroopPart(200)])


@pytest.mark.parametrize(
    "other, why",
    [
        ({"kingdom": "horde"}, "different kingdoms"),
        ({"unit": replace(GUARD, level=2)}, "different units"),
        ({"mount": MountSpec("Horse")}, "mounted differently"),
        ({"resources": {"mounts": 1}}, "mounted differently"),
        ({"status": "routed"}, "routed"),
    ],
)
def test_r94_armies_that_do_not_go_together_are_refused(other, why):
    with pytest.raises(IllegalCommand, match=why):
        reform(LAW, [troops("A"), troops("B", **other)], [TroopPart(200)])


def test_r94_armies_at_different_places_are_refused():
    with pytest.raises(IllegalCommand, match="A and B aren’t at the same place"):
        reform(LAW, [troops("A"), troops("B", place="C8")], [TroopPart(200)])


def test_r94_more_units_than_an_army_can_have_are_not_combined():
    huge = [troops("A", 6_000_000), troops("B", 6_000_000)]
    with pytest.raises(InvalidInput, match="from 1 to") as refusal:
        reform(LAW, huge, [TroopPart(12_000_000)])
    assert refusal.value.field == "/armies"


@pytest.mark.parametrize(
    "parts, field",
    [
        ([], "/parts"),
        ([TroopPart(100)], "/parts"),
        ([TroopPart(150), TroopPart(0)], "/parts/1/count"),
        ([TroopPart(150), TroopPart(True)], "/parts/1/count"),
        ([TroopPart(9)] * 21, "/parts"),
        ([TroopPart(200, {"mounts": 1})], "/parts/0/resources/mounts"),
        ([TroopPart(200, {"siege-engines": 3})], "/parts/0/resources/siege-engines"),
    ],
)
def test_r94_wrong_parts_are_refused(parts, field):
    with pytest.raises(InvalidInput) as refusal:
        reform(LAW, [troops(count=200, resources={"siege-engines": 2})], parts)
    assert refusal.value.field == field


def test_r94_pf13_a_part_below_acr_an_eighth_is_no_army():
    weak = troops(count=200, unit=replace(GUARD, cr="1/3"))
    with pytest.raises(InvalidInput, match="ACR 1/8") as refusal:
        reform(LAW, [weak], [TroopPart(199), TroopPart(1)])
    assert refusal.value.field == "/parts/1/count"


def test_r94_a_worn_army_is_whole_again_with_the_units_its_hp_stand_for():
    found = regroup(LAW, troops(count=300, hp=11, morale=2, resources={"siege-engines": 2}))
    assert (found.army.count, found.army.hp, found.army.morale) == (107, 22, 2)  # ⌈300 × 11 ÷ 31⌉, medium
    assert found.army.resources == {"siege-engines": 2}


@pytest.mark.parametrize(
    "given, why",
    [
        ({"hp": 22}, "no hit points lost"),
        ({"hp": None}, "no hit points lost"),
        ({"hp": 21, "count": 10, "unit": replace(GUARD, cr="11")}, "too few"),
        ({"hp": 1, "count": 2000, "unit": replace(GUARD, cr="1/8", hit_die="d12")}, "77 units: too few for an army"),
    ],
)
def test_r94_what_cannot_be_regrouped_is_refused(given, why):
    with pytest.raises(IllegalCommand, match=why):
        regroup(LAW, troops(**given))


def test_r94_a_house_rule_forbids_all_of_it():
    off = ruleset("combat-de-masse", {"reform": False})
    with pytest.raises(IllegalCommand, match="house rule"):
        reform(off, [troops(count=200)], [TroopPart(100), TroopPart(100)])
    with pytest.raises(IllegalCommand, match="house rule"):
        regroup(off, troops(hp=3))


@given(st.integers(0, 10**6), st.lists(st.integers(1, 10**4), min_size=1, max_size=20))
def test_what_is_shared_out_adds_up(total, weights):
    shares = share(total, weights)
    assert sum(shares) == total
    assert all(abs(one - total * weight / sum(weights)) < 1 for one, weight in zip(shares, weights, strict=True))


@st.composite
def pools(draw):
    """Armies of one unit with equipment and debts, and the units of some new armies."""
    number = draw(st.integers(1, 4))
    sets = st.sampled_from(["improved-armor", "magic-weapons", "improved-weapons", "healing-potions"])
    found = []
    for name in "ABCD"[:number]:
        count = draw(st.integers(100, 900))
        goods = dict.fromkeys(draw(st.sets(sets)), 1)
        goods.pop("improved-weapons" if "magic-weapons" in goods else "", None)
        if engines := draw(st.integers(0, 5)):
            goods["siege-engines"] = engines
        owed = draw(st.integers(0, 9))
        found.append(troops(name, count, hp=draw(st.integers(1, 22)), resources=goods, owed=owed, arrears=owed > 0,
                            morale=draw(st.integers(-2, 4)), surcharge=draw(st.integers(0, 5))))  # fmt: skip
    return found, even_parts(sum(one.army.count for one in found), draw(st.integers(1, 5)))


def engines(armies) -> int:
    return sum(one.army.resources.get("siege-engines", 0) for one in armies)


@settings(max_examples=at_most(40, full=400))
@given(pools())
def test_r94_nothing_is_lost_and_nothing_gained(drawn):
    before, counts = drawn
    assume(sum(one.army.hp or 0 for one in before) >= len(counts))
    found = reform(LAW, before, [TroopPart(count) for count in counts])
    after = found.parts
    for total in (lambda one: one.army.count, lambda one: one.owed, lambda one: one.surcharge):
        assert sum(map(total, before)) == sum(map(total, after))
    assert engines(before) == engines(after)
    had = {(one.army.id, slug) for one in before for slug in one.army.resources if slug != "siege-engines"}
    stored = {(army, slug) for army, slug, _quantity in found.stored}
    assert stored <= had
    assert {slug for _army, slug in had - stored} == {
        slug for one in after for slug in one.army.resources if slug != "siege-engines"
    }
    hp = sum(one.army.hp or 0 for one in before)
    assert sum(one.army.hp or 0 for one in after) + found.lost == hp
