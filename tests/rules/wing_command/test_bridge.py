"""The bridge (WC-10): every line of it, from what an army is to the wing it becomes."""

from fractions import Fraction

import pytest

from rules.aftermath import Muster, MusteredLeader, MusteredTroops
from rules.wing_command.battle.law import WingBattles
from rules.wing_command.documents import wing_from
from rules.wing_command.figures import Tables
from rules.wing_command.starter import TROOPS
from tests.rules.wing_command.fights import opening

SOLDIER = Fraction(1)


def troops(*tags, rating=SOLDIER, heads=100, worth=100, name="Men"):
    return MusteredTroops(name, heads, worth, rating, frozenset(tags))


def muster(*kinds, size="medium", **more):
    return Muster("a", "Ironwatch", "k", size, kinds or (troops(),), 10, 10, **more)


def units(found):
    return [unit for unit in found.units if not unit.character]


def kind_of(*tags, rating=SOLDIER):
    return units(wing_from(muster(troops(*tags, rating=rating))))[0].figures


@pytest.mark.parametrize(
    ("size", "number"),
    [("fine", 1), ("diminutive", 1), ("tiny", 1), ("small", 1), ("medium", 2), ("large", 3), ("huge", 4),
     ("gargantuan", 6), ("colossal", 8)],
)  # fmt: skip
def test_w_18_troops_by_size_below_medium_one(size, number):
    assert len(units(wing_from(muster(size=size)))) == number


@pytest.mark.parametrize(
    ("tags", "kind"),
    [(("flies", "rides"), "griffins"), (("rides", "throws-rocks", "shoots"), "riders"),
     (("throws-rocks", "shoots"), "trolls"), (("giant", "armored"), "trolls"), (("shoots", "armored"), "archers"),
     (("armored", "beast"), "heavy-foot"), (("beast",), "beasts"), ((), "foot")],
)  # fmt: skip
def test_wc_10_the_first_that_applies_says_the_type(tags, kind):
    assert kind_of(*tags).kind == kind


def test_wc_10_up_to_a_third_they_are_levies_before_beasts_and_foot_and_after_all_else():
    third = Fraction(1, 3)
    assert kind_of("beast", rating=third).kind == kind_of(rating=third).kind == "levy"
    assert kind_of("armored", rating=third).kind == "heavy-foot"
    assert kind_of(rating=Fraction(1, 2)).kind == "foot"


@pytest.mark.parametrize(("rating", "melee", "guard"), [(3, 0, 0), (4, 1, 0), (7, 1, 0), (8, 1, 1), (20, 1, 1)])
def test_wc_10_from_4_on_better_in_melee_from_8_on_better_guarded(rating, melee, guard):
    found, usual = kind_of("shoots", rating=Fraction(rating)), TROOPS["archers"]
    assert (found.melee - usual.melee, found.guard - usual.guard) == (melee, guard)
    assert found.shot - usual.shot == melee, "a step of quality is one of melee and shot"


@pytest.mark.parametrize(
    ("tags", "profile"),
    [(("animal", "beast"), "chaotic"), (("mindless", "undead"), "chaotic"), (("chaotic", "animal"), "chaotic"),
     (("chaotic",), "irregular"), (("beast",), "regular"), (("giant",), "regular"), ((), "regular")],
)  # fmt: skip
def test_wc_10_animals_and_mindless_are_chaotic_chaotic_alignment_irregular_else_regular(tags, profile):
    assert kind_of(*tags).profile == profile


def test_wc_10_who_passes_unseen_infiltrates():
    assert kind_of("infiltrates").infiltrate
    assert not kind_of("shoots").infiltrate


@pytest.mark.parametrize(("spirit", "marker"), [(0, 8), (2, 10), (-3, 5), (4, 12), (9, 12), (-9, 4)])
def test_wc_10_the_marker_is_8_and_the_armys_morale_from_4_to_12(spirit, marker):
    assert wing_from(muster(spirit=spirit)).morale == marker


@pytest.mark.parametrize(
    ("rank", "ability"), [(20, "A"), (15, "A"), (14, "B"), (12, "B"), (11, "C"), (9, "C"), (8, "D"), (6, "D"), (5, "E")]
)
def test_wc_10_its_commander_leads_the_wing_by_their_leadership(rank, ability):
    chief = wing_from(muster(leader=MusteredLeader("c", "Ysolde", rank))).commander
    assert (chief.name, chief.key, chief.figures.ability, chief.figures.profile) == ("Ysolde", "c", ability, "regular")


def test_wc_10_flexible_tactics_make_them_autonomous():
    chief = wing_from(muster(leader=MusteredLeader("c", "Ysolde", 9, autonomous=True))).commander
    assert chief.figures.profile == "autonomous"


def test_wc_10_without_a_commander_a_sergeant_leads():
    chief = wing_from(muster()).commander
    assert (chief.key, chief.figures.ability, chief.figures.profile) == ("", "E", "irregular")


@pytest.mark.parametrize(("caster", "level"), [(1, 1), (3, 3), (6, 6), (9, 6)])
def test_wc_10_spellcasting_adds_a_mage_of_fire_up_to_level_6(caster, level):
    mages = [unit.figures for unit in wing_from(muster(caster=caster)).units if unit.figures.kind == "mage"]
    assert [(mage.level, mage.art) for mage in mages] == [(level, "fire")]


def test_wc_10_without_spells_there_is_no_mage():
    assert [unit.figures.kind for unit in wing_from(muster()).units if unit.character] == ["commander"]


def test_troops_of_several_kinds_are_shared_by_what_each_is_worth_and_numbered():
    found = wing_from(muster(troops("rides", name="Knights", worth=300), troops(name="Spears", worth=100), size="huge"))
    names = [(unit.name, unit.figures.kind) for unit in units(found)]
    assert names == [("Knights 1", "riders"), ("Knights 2", "riders"), ("Knights 3", "riders"), ("Spears", "foot")]


def test_the_campaigns_figures_of_troops_are_not_asked_they_are_those_of_the_tables():
    tables = Tables({**TROOPS, "foot": TROOPS["heavy-foot"]})
    assert units(wing_from(muster(), tables))[0].figures.guard == TROOPS["heavy-foot"].guard


def test_wc_10_the_army_leader_is_the_commander_with_the_highest_leadership():
    """Of 12 and 14 both are abilities of B: the second leads, though the first comes first."""
    leaders = [MusteredLeader(f"c{rank}", f"Of {rank}", rank) for rank in (12, 14)]
    wings = [wing_from(muster(leader=leader)._replace(id=leader.id)) for leader in leaders]
    enemy = wing_from(muster()._replace(id="b"))._replace(side=1)
    state = WingBattles().open(opening(*wings, enemy))
    assert state.token(state.leaders[0]).name == "Of 14"
