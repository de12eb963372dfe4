"""Every spell and every trait changes something, and is refused or void once (TF-3, TF-5.3, TF-6.3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from typing import Any, NamedTuple

import pytest

from rules.thucidide_fantasy.arsenal import TRAITS
from rules.thucidide_fantasy.battle.combat.engagement import in_sight, melee_targets, range_of
from rules.thucidide_fantasy.battle.combat.retreat import flags_of, is_fanatic
from rules.thucidide_fantasy.battle.factors import MELEE, SHOT, AimedBlow, dice_of, level_of, throw_at
from rules.thucidide_fantasy.battle.marching_orders import must_move, why_not_end
from rules.thucidide_fantasy.battle.paces import closed_hexes, pace_of
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.contingent import ContingentCharacter
from rules.thucidide_fantasy.grimoire import SPELLS
from rules.thucidide_fantasy.spec import BorneTrait
from tests.rules.thucidide_fantasy.fights import LAW, Table, army, do, open_ground, opening

ALL = tuple(SPELLS) * 2
MAGE = ContingentCharacter("Mage", "caster", points=500, cards=ALL)
LICH = ContingentCharacter("Lich", "caster", points=500, cards=ALL)
PLACES = {
    "Chief a": "A11", "Chief b": "M1", "Mage": "E8", "Own": "E7", "Mate": "B11", "Archers": "D8",
    "Foe": "E5", "Bones": "G6", "Lich": "H5",
}  # fmt: skip
WOOD = open_ground(terrain=["............."] * 7 + [".ww.........."] + ["............."] * 3)
WRONG, FAR = "valid target", "too far"

type Measure = Callable[[Table], Any]


def spell_table() -> Table:
    """A caster with two units; an enemy that shoots three hexes away, and undead with their master."""
    mine = army("a", 0, "pike:Own", "pike:Mate", "bows:Archers", people=(MAGE,))
    theirs = army("b", 1, "bows:Foe", "skeletons:Bones", people=(LICH,))
    now = Table(mine, theirs, places=PLACES, phase="spells", map_=WOOD)
    return now.set("Mage", announced=True).now(consents=(True, True))


def tried(now: Table) -> Table:
    """The same battle, to try something on."""
    other = copy(now)
    other.ids = dict(now.ids)
    return other


# What is measured


def level(now: Table) -> int:
    return level_of(now.state, now.id("Own"), now.id("Foe"), ranged=False, foul=False)


def dice(by: str, at: str, how: str = MELEE) -> Measure:
    return lambda now: dice_of(now.state, AimedBlow(now.id(by), now.id(at), how, now.at(by), now.at(at)))


def flags(unit: str, shown: int = 3) -> Measure:
    return lambda now: flags_of(now.state, now.id(unit), shown).left


def pace(unit: str) -> Measure:
    return lambda now: pace_of(now.state, now.id(unit))[:2]


def stands(unit: str) -> Measure:
    return lambda now: now.unit(unit).stands


def place(unit: str) -> Measure:
    return lambda now: now.at(unit)


def row_of(unit: str) -> Measure:
    return lambda now: now.at(unit)[1:]


def type_on(at: str) -> Measure:
    def found(now: Table) -> str:
        unit = now.state.unit_at(at)
        return now.state.units[unit].own.type if unit else ""

    return found


def raised(now: Table) -> int:
    return sum(own.summoned for own in now.state.units.values())


def struck(now: Table) -> tuple[int, int]:
    """The stands of both once the enemy has struck with two reds."""
    now = tried(now).now(phase="combat", side=1).put("Foe", "E6").set("Foe", activated=True)
    now.attack("Foe", "Own", attack="rr")
    return now.unit("Own").stands, now.unit("Foe").stands


def slowed(now: Table) -> tuple[int, int]:
    """The pace of the unit once the enemy's caster has slowed it."""
    now = tried(now).now(side=1).put("Lich", "E4").set("Lich", announced=True)
    now.cast("Lich", "slowness", "Own")
    return pace("Own")(now)


def driven_off(now: Table) -> bool:
    now = tried(now).now(phase="movement", side=1).set("Foe", activated=True)
    return must_move(now.state, now.id("Foe"))


def held_back(now: Table) -> bool:
    return why_not_end(now.state, now.id("Foe"), "E6", 1) is not None


class SpellScene(NamedTuple):
    """A spell cast at `targets`: `measure` was `before` and is `after`. It's refused at `wrong`, in these `words`."""

    targets: tuple[str, ...]
    measure: Measure
    before: Any
    after: Any
    wrong: tuple[str, ...]
    words: str
    faces: Mapping[str, Any] = {}
    prepare: Callable[[Table], Any] = lambda now: now


def own(measure: Measure, before: Any, after: Any, wrong: str = "Foe", **more: Any) -> SpellScene:
    """On a unit of the caster's."""
    return SpellScene(("Own",), measure, before, after, (wrong,), WRONG, **more)


def foe(measure: Measure, before: Any, after: Any, wrong: str = "Own", **more: Any) -> SpellScene:
    """On an enemy unit."""
    return SpellScene(("Foe",), measure, before, after, (wrong,), WRONG, **more)


def hurt(now: Table) -> None:
    now.set("Own", stands=1)


SCENES: Mapping[str, SpellScene] = {
    "divine-appeal": SpellScene(
        (), lambda now: now.gone("Mage"), "", "carried-home", ("Own",), WRONG, {"divine": [4, 4]}
    ),
    "armour": own(level, 4, 5),
    "farewell": SpellScene(("Foe",), row_of("Foe"), "5", "1", ("Mage",), WRONG),
    "blessing": own(level, 4, 6, "Mage"),
    "grove": SpellScene(
        ("Own",), lambda now: now.state.token(now.id("Own")).hidden, False, True, ("Mate",), FAR
    ),
    "bell": own(dice("Foe", "Own", SHOT), 2, 1),
    "counterspell": SpellScene(
        ("Foe", "slowness"), pace("Foe"), (1, 1), (2, 2), ("Foe", "stop"), "Choose a spell that is active there",
        prepare=lambda now: now.cast("Mage", "slowness", "Foe"),
    ),
    "elite": own(dice("Own", "Foe"), 4, 5, "Mage"),
    "enthusiasm": own(flags("Own"), 3, 1),
    "shackles": SpellScene(("E5",), dice("Own", "Foe"), 4, 2, ("A1",), FAR),
    "fanaticism": own(flags("Own"), 3, 0, "Mage"),
    "magic-arrows": foe(stands("Foe"), 4, 2, faces={"spell": "rgl"}),
    "hatred": foe(lambda now: is_fanatic(now.state, now.id("Foe")), False, True),
    "immunity": own(dice("Own", "Bones"), 3, 4),
    "slowness": foe(pace("Foe"), (2, 2), (1, 1)),
    "word-of-power": foe(stands("Foe"), 4, 3, faces={"spell": "aag"}),
    "allied-nature": SpellScene(
        ("C8", "B8"), lambda now: sorted(closed_hexes(now.state, 1, False)), [], ["B8", "C8"], ("E9",), "adjacent hexes"
    ),
    "darkness": SpellScene(
        ("E5",), lambda now: in_sight(now.state, "E7", "E5", (False, False)), True, False, ("E1",), FAR
    ),
    "fear": foe(place("Foe"), "E5", "E4", "Mage", faces={"spell": "fg"}),
    "rain-of-fire": foe(stands("Foe"), 4, 2, faces={"spell": "rlrl"}),
    "rebound": own(struck, (2, 4), (4, 2)),
    "repulsion": foe(driven_off, False, True),
    "major-healing": own(stands("Own"), 1, 3, faces={"spell": "fa"}, prepare=hurt),
    "minor-healing": own(stands("Own"), 1, 2, faces={"spell": "fa"}, prepare=hurt),
    "total-healing": own(stands("Own"), 1, 4, faces={"spell": "ffag"}, prepare=hurt),
    "stop": foe(held_back, False, True),
    "fire-storm": foe(stands("Foe"), 4, 1, faces={"spell": "rllrllrll"}),
    "terror": foe(row_of("Foe"), "5", "3", "Mage", faces={"spell": "fagg"}),
    "phantom-troop": SpellScene(("F8", "pike"), type_on("F8"), "", "pike", ("F8", "bows"), "doesn’t shoot"),
    "vade-retro": foe(row_of("Foe"), "5", "3"),
    "speed": own(pace("Own"), (1, 2), (2, 3)),
    "volley": own(slowed, (0, 1), (1, 2)),
    "animate-dead": SpellScene(
        ("D8", "Archers"), type_on("D8"), "", "zombies", ("F8", "Archers"), "No unit that could return",
        prepare=lambda now: now.do(c.Override(now.id("Archers"), "stands", 0, "it fell")),
    ),
    "dust-warriors": SpellScene(("F8",), type_on("F8"), "", "skeletons", ("E7",), "isn’t empty"),
    "army-of-the-dead": SpellScene(("E9", "E10", "E11", "F11"), raised, 0, 4, ("E9", "E10", "E11"), "four empty"),
    "turn": SpellScene(
        ("Bones",), lambda now: bool(now.unit("Bones").turner), False, True, ("Foe",), WRONG
    ),
}  # fmt: skip


def test_every_spell_has_its_scene():
    assert SCENES.keys() == SPELLS.keys()


@pytest.mark.parametrize("slug", SPELLS)
def test_a_spell_changes_something_and_is_refused_where_it_can_t_be_cast(slug):
    scene, now = SCENES[slug], spell_table()
    scene.prepare(now)
    now.set("Mage", cast=False, announced=True)
    assert scene.measure(now) == scene.before
    now.refused(now.casting("Mage", slug, *scene.wrong), scene.words)
    now.cast("Mage", slug, *scene.targets, **scene.faces)
    assert scene.measure(now) == scene.after
    assert now.person("Mage").cards.count(slug) == 1
    now.refused(now.casting("Mage", slug, *scene.targets), "declined|announced no spell|has to flee first")


# Traits


class TraitScene(NamedTuple):
    """`measure` of a battle in which `who` has the trait: `before` without it, `after` with it. `void`: another measure
    that stays what it is.
    """

    who: str
    measure: Measure
    before: Any
    after: Any
    void: Measure
    stays: Any


def trait_table() -> Table:
    """Pikes beside riders of the enemy, who has bows farther away; a friend of each near by."""
    mine = army("a", 0, "pike:Own", "ghouls:Ghouls", people=(ContingentCharacter("Keeper", "caster"),))
    theirs = army("b", 1, "riders-medium:Foe", "bows:Archers", "foot-medium:Mate")
    places = {
        "Chief a": "A11", "Chief b": "M1", "Own": "E7", "Foe": "E6", "Archers": "H6", "Mate": "E5",
        "Ghouls": "D6", "Keeper": "C9",
    }  # fmt: skip
    return Table(mine, theirs, places=places)


def level_against(by: str, target: str, *, ranged: bool = False) -> Measure:
    def found(now: Table) -> int:
        foul = not ranged and now.unit(by).own.has("foul-touch")
        return level_of(now.state, now.id(target), now.id(by), ranged=ranged, foul=foul)

    return found


def stages(by: str, at: str, *, fire: bool = False) -> Measure:
    def found(now: Table) -> int:
        blow = AimedBlow(now.id(by), now.id(at), SHOT if fire else MELEE, now.at(by), now.at(at))
        return len(throw_at(now.state, blow, "attack", fire=fire)[0].confirms)

    return found


def struck_by(unit: str, target: str) -> Measure:
    """Whether a unit may open a melee on another."""
    return lambda now: target in {str(token.name) for token in melee_targets(now.state, now.id(unit), now.at(unit))}


def hindering(bearer: str, **more: Any) -> Callable[[Table], Table]:
    return lambda now: now.set(bearer, traits=(BorneTrait("hindrance", **more),))


def with_(change: Callable[[Table], Any], measure: Measure) -> Measure:
    """Measured after something else has changed."""

    def found(now: Table) -> Any:
        now = tried(now)
        change(now)
        return measure(now)

    return found


def far_off(unit: str, at: str) -> Callable[[Table], Any]:
    return lambda now: now.put(unit, at)


TRAIT_SCENES: Mapping[str, TraitScene] = {
    "armour": TraitScene("Foe", level_against("Own", "Foe"), 3, 4, level_against("Ghouls", "Foe"), 3),
    "great-armour": TraitScene("Mate", level_against("Own", "Mate"), 3, 5, level_against("Ghouls", "Mate"), 3),
    "blur": TraitScene("Foe", level_against("Own", "Foe", ranged=True), 3, 4, level_against("Own", "Foe"), 3),
    "flyer": TraitScene("Foe", struck_by("Own", "Foe"), True, False, struck_by("Foe", "Own"), True),
    "rapid": TraitScene(
        "Own", pace("Own"), (1, 2), (2, 3), with_(lambda now: now.set("Own", fixed=True), pace("Own")), (1, 2)
    ),
    "very-rapid": TraitScene(
        "Own", pace("Own"), (1, 2), (3, 4), with_(lambda now: now.set("Own", fixed=True), pace("Own")), (1, 2)
    ),
    "fine-weapons": TraitScene(
        "Archers", lambda now: range_of(now.state, now.id("Archers")), 3, 4,
        lambda now: range_of(now.state, now.id("Foe")), 0,
    ),
    "hindrance": TraitScene("Own", dice("Foe", "Own"), 2, 1, dice("Mate", "Own"), 3),
    "unaffected": TraitScene(
        "Foe", with_(hindering("Own"), dice("Foe", "Own")), 1, 2, dice("Foe", "Ghouls"), 1
    ),
    "bell": TraitScene("Own", dice("Archers", "Own", SHOT), 2, 1, dice("Foe", "Own"), 2),
    "invulnerable": TraitScene("Foe", stages("Own", "Foe"), 0, 1, stages("Own", "Mate"), 0),
    "morale": TraitScene("Mate", flags("Foe"), 3, 2, flags("Mate"), 3),
    "threat": TraitScene("Own", flags("Foe"), 3, 4, with_(far_off("Own", "E9"), flags("Foe")), 3),
    "great-threat": TraitScene("Own", flags("Foe"), 3, 5, with_(far_off("Own", "E9"), flags("Foe")), 3),
    "fire-proof": TraitScene("Foe", stages("Own", "Foe", fire=True), 0, 1, stages("Own", "Foe"), 0),
}  # fmt: skip
NUMBERED = {slug: trait for slug, trait in TRAITS.items() if trait.number}


def test_every_numbered_trait_has_its_scene():
    assert sorted(trait.number for trait in NUMBERED.values()) == list(range(1, 16))
    assert TRAIT_SCENES.keys() == NUMBERED.keys()


@pytest.mark.parametrize("slug", NUMBERED)
def test_a_trait_changes_something_and_is_void_where_the_rule_says_so(slug):
    scene, now = TRAIT_SCENES[slug], trait_table()
    assert (scene.measure(now), scene.void(now)) == (scene.before, scene.stays)
    one = now.unit(scene.who).own
    now.set(scene.who, traits=(*one.traits, BorneTrait(slug)))
    assert (scene.measure(now), scene.void(now)) == (scene.after, scene.stays)
    now.set(scene.who, traits=(*one.traits, BorneTrait(slug), BorneTrait(slug)))
    assert scene.measure(now) == scene.after, "TF-3.1: a trait counts once"


@pytest.mark.parametrize("slug", TRAITS)
def test_the_gm_grants_a_trait_before_the_battle_alone_and_to_whom_it_fits(slug):
    """TF-7, TF-9: tempers are edited, not granted; what only units have no character is given."""
    state = LAW.open(opening(army("a", 0, "pike:Own"), army("b", 1, "pike:Foe")))
    names = {str(token.name): unit for unit, token in state.field.tokens.items()}
    now = trait_table()
    if TRAITS[slug].temper:
        now.state = state
        now.refused(c.GrantTrait(names["Own"], slug), "Choose one of")
        return
    granted, _events = do(state, c.GrantTrait(names["Own"], slug))
    assert granted.units[names["Own"]].own.has(slug)
    now.refused(c.GrantTrait(now.id("Own"), slug), "has begun already")
    if TRAITS[slug].of_units:
        now.state = state
        now.refused(c.GrantTrait(names["Chief a"], slug), "Choose one of")
    else:
        assert do(state, c.GrantTrait(names["Chief a"], slug))[0].people[names["Chief a"]].own.has(slug)
