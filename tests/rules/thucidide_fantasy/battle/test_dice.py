"""Dice of thucidide-fantasy: the ladder, confirmations, dice line by line (TF-1.6 … 1.8, TF-3), exact chances."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from rules.thucidide_fantasy.battle.factors import (
    MELEE,
    RIPOSTE,
    SHOT,
    AimedBlow,
    dice_of,
    level_of,
    lines_of,
    throw_at,
)
from rules.thucidide_fantasy.battle.throws import (
    ADVANTAGE,
    USUAL_LADDER,
    faces_that_hit,
    losses,
    losses_and_flags,
    mean_losses,
    stages_of,
)
from rules.thucidide_fantasy.contingent import ContingentUnit
from tests.rules.thucidide_fantasy.fights import Table, army, open_ground


def cases(level, *, advantage=False):
    chances = losses(3, faces_that_hit(USUAL_LADDER, level, advantage=advantage), stages_of(USUAL_LADDER, level))
    return [chance * 216 for chance in chances]


def test_three_dice_on_each_weight():
    """TF-T 1."""
    assert cases(1) == [8, 48, 96, 64]
    assert cases(2) == [27, 81, 81, 27]
    assert cases(3) == [64, 96, 48, 8]
    assert cases(3, advantage=True) == [27, 81, 81, 27]
    assert cases(4) == [125, 75, 15, 1]
    assert mean_losses(3, *ladder(5)) == pytest.approx(0.25)


def ladder(level, *, advantage=False, **more):
    return faces_that_hit(USUAL_LADDER, level, advantage=advantage), stages_of(USUAL_LADDER, level, **more)


def test_white_counts_an_advantage_once():
    """TF-1.7, T-45."""
    assert faces_that_hit(USUAL_LADDER, 1, advantage=True).count(ADVANTAGE) == 1
    assert ADVANTAGE in faces_that_hit(USUAL_LADDER, 1, advantage=False)


@pytest.mark.parametrize("level", range(1, 9))
@pytest.mark.parametrize("advantage", [False, True])
def test_chances_of_losses_and_flags_are_those_of_all_throws(level, advantage):
    """By brute force over two dice and their confirmations."""
    hits, confirms = ladder(level, advantage=advantage)
    share = Fraction(1)
    for stage in confirms:
        share *= Fraction(len(stage), 6)
    found: dict[tuple[int, int, bool], Fraction] = {}
    for one, other in product(range(1, 7), repeat=2):
        struck = [face for face in (one, other) if face in hits]
        flags = [one, other].count(4)
        for kept in product((True, False), repeat=len(struck)):
            chance = Fraction(1, 36)
            for stays in kept:
                chance *= share if stays else 1 - share
            key = (sum(kept), flags, 6 in (one, other))
            found[key] = found.get(key, Fraction(0)) + chance
    got = losses_and_flags(2, hits, confirms, (4,), 9)
    assert {key: chance for key, chance in got.items() if chance} == {k: v for k, v in found.items() if v}


def test_armour_raises_the_level():
    """TF-T 4: medium and armor are hit by red; great armor: red, confirmed; heavy and great armor by blue or red."""
    now = Table(army("a", 0, "foot-medium:Own"), army("b", 1, "foot-medium:Foe"), places={"Own": "D5", "Foe": "E5"})

    def level(**borne):
        now.set("Foe", **borne)
        return level_of(now.state, now.id("Foe"), now.id("Own"), ranged=False, foul=False)

    from rules.thucidide_fantasy.spec import BorneTrait

    armour, great = BorneTrait("armour"), BorneTrait("great-armour")
    assert level(traits=(armour,)) == 4
    assert level(traits=(great,)) == 5
    assert level(traits=(great, armour)) == 5
    assert level(traits=(great,), weight=4) == 6
    assert ladder(5) == ((3,), ((3, 2, 1),))
    assert ladder(6) == ((3,), ((3, 2),))
    assert ladder(7) == ladder(9) == ((3,), ((3,),))


def test_t_55_the_foul_touch_inverts_the_ladder_of_own_blows():
    """TF-3.3, TF-T 4: ghouls against black as against white; armor is void. Not the blows they take."""
    chief = {"chief": "Chief"}
    now = Table(army("a", 0, "ghouls:Own", **chief), army("b", 1, "mammoth:Foe"), places={"Own": "D5", "Foe": "E5"})
    made, _lines = throw_at(now.state, AimedBlow(now.id("Own"), now.id("Foe"), MELEE, "D5", "E5"), "attack")
    assert made.hits == faces_that_hit(USUAL_LADDER, 1, advantage=False)
    assert not made.confirms
    back, _lines = throw_at(now.state, AimedBlow(now.id("Foe"), now.id("Own"), RIPOSTE, "E5", "D5"), "riposte")
    assert back.hits[:3] == (3, 2, 1)


def test_t_46_confirmations_run_stage_by_stage():
    assert stages_of(USUAL_LADDER, 5, invulnerable=True, fire_proof=True) == ((3, 2, 1), (1, 2, 3), (1, 2, 3))
    now = Table(army("a", 0, "foot-medium:Own"), army("b", 1, "dragon:Foe", leads=False),
                places={"Own": "D5", "Foe": "E5"})  # fmt: skip
    made, _lines = throw_at(now.state, AimedBlow(now.id("Own"), now.id("Foe"), MELEE, "D5", "E5"), "attack")
    assert len(made.confirms) == 2


def blow(now, how=MELEE, own="Own", foe="Foe", **more):
    return AimedBlow(now.id(own), now.id(foe), how, now.at(own), now.at(foe), **more)


def table(own, foe, map_=None, **more):
    places = {"Own": "D5", "Foe": "E5"}
    return Table(army("a", 0, own), army("b", 1, foe), places=places | more.pop("places", {}), map_=map_, **more)


def test_dice_of_assault_melee_and_experience():
    """TF-1.8."""
    now = table(ContingentUnit("riders-medium", "Own", "elite"), "foot-medium:Foe")
    assert dice_of(now.state, blow(now, assault=True)) == 5
    assert dice_of(now.state, blow(now)) == 3
    assert [line.value for line in lines_of(now.state, blow(now))] == [2, 1]


def test_at_least_one_die_is_thrown():
    """TF-1.8."""
    marsh = open_ground(terrain=["............."] * 4 + ["...mw........"] + ["............."] * 6)
    now = table("recruits:Own", "foot-medium:Foe", marsh)
    assert dice_of(now.state, blow(now)) == 1


@pytest.mark.parametrize(
    ("row", "dice"), [("...........", 3), ("...m.......", 2), ("....w......", 2), ("...mh......", 1)]
)
def test_shelter_and_bad_footing_cost_a_die(row, dice):
    """TF-1.5."""
    rows = ["............."] * 4 + [row.ljust(13, ".")] + ["............."] * 6
    now = table("foot-medium:Own", "foot-medium:Foe", open_ground(terrain=rows))
    assert dice_of(now.state, blow(now)) == dice


def test_t_59_shelter_takes_a_die_from_a_riposte_and_bad_footing_from_shots():
    rows = ["............."] * 4 + ["...w.........", "............."] + ["............."] * 5
    now = table("foot-medium:Own", "foot-medium:Foe", open_ground(terrain=rows))
    assert dice_of(now.state, blow(now, RIPOSTE, "Foe", "Own")) == 2
    rows = ["............."] * 4 + ["...m.........", "............."] + ["............."] * 5
    now = table("bows:Own", "foot-medium:Foe", open_ground(terrain=rows), places={"Foe": "F5"})
    assert dice_of(now.state, blow(now, SHOT)) == 1


def test_t_44_hindrance_touches_those_of_or_on_animals():
    """TF-3.2: riders lose a die against wargs, foot doesn't; house rule: all do."""
    now = table("riders-medium:Own", "warg-riders:Foe")
    assert dice_of(now.state, blow(now)) == 1
    now = table("foot-medium:Own", "warg-riders:Foe")
    assert dice_of(now.state, blow(now)) == 3
    now.now(options=now.state.options._replace(hindrance="all"))
    assert dice_of(now.state, blow(now)) == 2


def test_t_22_the_bearers_own_type_is_always_liked():
    """D-3: the row of the table says what is played."""
    now = table("warg-riders:Own", "warg-riders:Foe")
    assert dice_of(now.state, blow(now)) == 3


def test_t_57_trait_9_is_proof_against_animals_and_not_against_the_undead():
    from rules.thucidide_fantasy.spec import BorneTrait

    now = table("riders-medium:Own", "warg-riders:Foe").set("Own", traits=(BorneTrait("unaffected"),))
    assert dice_of(now.state, blow(now)) == 2
    now = table("foot-medium:Own", "skeletons:Foe").set("Own", traits=(BorneTrait("unaffected"),))
    assert dice_of(now.state, blow(now)) == 2


def test_t_56_blur_counts_against_shots_beside_armour():
    from rules.thucidide_fantasy.spec import BorneTrait

    now = table("bows:Own", "foot-medium:Foe", places={"Foe": "F5"})
    now.set("Foe", traits=(BorneTrait("blur"), BorneTrait("armour")))
    target, by = now.id("Foe"), now.id("Own")
    assert level_of(now.state, target, by, ranged=True, foul=False) == 5
    assert level_of(now.state, target, by, ranged=False, foul=False) == 4


def test_a_bell_leaves_one_die_to_shots():
    """TF-3 row 10."""
    from rules.thucidide_fantasy.spec import BorneTrait

    now = table("crossbows:Own", "foot-medium:Foe", places={"Foe": "F5"}).set("Foe", traits=(BorneTrait("bell"),))
    assert dice_of(now.state, blow(now, SHOT)) == 1
    now = table("foot-medium:Own", "foot-medium:Foe").set("Foe", traits=(BorneTrait("bell"),))
    assert dice_of(now.state, blow(now)) == 3
