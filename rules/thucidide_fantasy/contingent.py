"""Document shapes of an army and its commander (C-3): an army is a contingent of units and characters. Also the sample
armies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, NamedTuple

from rules.core.shapes import KEPT, Each, Label, OneOf, Text, WholeNumber, Wrong
from rules.core.text import Term, _
from rules.thucidide_fantasy.arsenal import TRAITS
from rules.thucidide_fantasy.spec import CASTER, GENERAL, HERO, LEADER, MEDIUM, UNDEAD, TroopType
from rules.thucidide_fantasy.starter import CHARACTERS, EXPERIENCES, LEVELS, RANKS, WEIGHTS

# Document shapes of an army and its commander (C-3): an army is a contingent of units and characters.

UNITS_MOST, CHARACTERS_MOST, NAME_MOST = 20, 8, 60
STANDS_MOST, TRAITS_MOST, CARDS_MOST, LIKES_MOST = 10, 15, 20, 20
POINTS_MOST, FIGURE_MOST, RANGE_MOST = 20, 3, 6
RESISTANCE_MOST = 8
USUAL_MELEE, USUAL_RESISTANCE = 2, 3
COMMANDER = "commander"
"""The master's name in a document of undead, if the master is the army's commander."""

KINDS = {slug: kind.name for slug, kind in CHARACTERS.items() if slug != LEADER}
EXPERIENCE_NAMES = {slug: one.name for slug, one in EXPERIENCES.items()}
WEIGHT_NAMES = {slug: weight.name for slug, weight in WEIGHTS.items()}
LEVEL_NAMES = {slug: level.name for slug, level in LEVELS.items()}
RANK_NAMES = {**{slug: rank.name for slug, rank in RANKS.items()}, HERO: _("Hero (doesn’t lead troops)")}
FEW = _("An army needs at least one unit.")
MANY = _("An army can have at most {most} units.")
MANY_CHARACTERS = _("An army can have at most {most} characters.")
OF_HEROES = ("armour", "mounted", "melee", "shot", "range", "resistance")
"""Figures that only heroes have."""


class GivenTrait(NamedTuple):
    """A trait of a unit or character in addition to its type's. `likes`: types of troops, for hindrance only."""

    trait: Annotated[str, OneOf("traits"), Label(_("Trait"))]
    likes: Annotated[tuple[Annotated[str, OneOf("troops")], ...], Each(LIKES_MOST), Label(_("Affinities"))] = ()
    object: Annotated[str, Text(NAME_MOST), Label(_("Object"), _("The magic object this comes from."))] = ""

    def judged(self, wrong: Wrong) -> GivenTrait:
        if self.likes and self.trait != "hindrance":
            wrong("likes", _("Only hindrance can have affinities."))
        return self


type Traits = Annotated[
    tuple[Annotated[str, OneOf("traits")] | GivenTrait, ...],
    Each(TRAITS_MOST),
    Label(_("Traits"), one=_("Trait")),
]  # fmt: skip
type Cards = Annotated[tuple[Annotated[str, OneOf("spells")], ...], Each(CARDS_MOST), Label(_("Cards"))]


class ContingentUnit(NamedTuple):
    """A unit of an army document. Empty members default to the values of its type."""

    type: Annotated[str, OneOf("troops"), Label(_("Type"))]
    name: Annotated[str, Text(NAME_MOST), Label(_("Name"))] = ""
    experience: Annotated[str, OneOf(EXPERIENCE_NAMES), Label(_("Experience"))] = ""
    stands: Annotated[
        int | None,
        WholeNumber(1, STANDS_MOST),
        Label(_("Number of stands"), _("Leave empty to use its type’s default.")),
    ] = None
    lost: Annotated[int, WholeNumber(0, STANDS_MOST - 1), Label(_("Stands lost"))] = 0
    traits: Traits = ()
    weapon: Annotated[str, OneOf("weapons"), Label(_("Weapon"), _("Leave empty to use its type’s default."))] = ""
    master: Annotated[
        str, Text(NAME_MOST), Label(_("Master"), _("For undead: a character of the army, or “commander”."))
    ] = ""

    def judged(self, wrong: Wrong) -> ContingentUnit:
        own: TroopType = wrong.known["troops"][self.type]
        if self.lost >= self.whole(own):
            wrong("lost", _("At least one of the {stands} stands must be left."), stands=self.whole(own))
        if self.master and not self.is_undead(own):
            wrong("master", _("Only undead units have a master."))
        judge_traits(self.traits, wrong)
        return self._replace(traits=given(self.traits))

    def whole(self, own: TroopType) -> int:
        """The number of stands without losses."""
        return self.stands or own.stands

    def is_undead(self, own: TroopType) -> bool:
        return own.has(UNDEAD) or any(one.trait == UNDEAD for one in given(self.traits))


class ContingentCharacter(NamedTuple):
    """A character in an army document, not its commander. Only heroes fight; only heroes and casters cast spells."""

    name: Annotated[str, Text(NAME_MOST), Label(_("Name"))]
    kind: Annotated[str, OneOf(KINDS), Label(_("Type"))]
    armour: Annotated[str, OneOf(WEIGHT_NAMES), Label(_("Armor"))] = ""
    mounted: Annotated[bool, Label(_("Has a mount"))] = False
    melee: Annotated[int | None, WholeNumber(1, FIGURE_MOST), Label(_("Melee dice"))] = None
    shot: Annotated[int, WholeNumber(0, FIGURE_MOST), Label(_("Shot dice"))] = 0
    range: Annotated[int, WholeNumber(0, RANGE_MOST), Label(_("Range"))] = 0
    resistance: Annotated[int | None, WholeNumber(1, RESISTANCE_MOST), Label(_("Resistance"))] = None
    traits: Traits = ()
    cards: Cards = ()
    points: Annotated[
        int | None,
        WholeNumber(1, POINTS_MOST),
        Label(_("Spell points"), _("Leave empty for the campaign’s usual number.")),
    ] = None

    def judged(self, wrong: Wrong) -> ContingentCharacter:
        if self.kind not in (HERO, CASTER):
            _refuse_given(self, ("cards", "points"), _("Only heroes and casters can cast spells."), wrong)
        return _judged_character(self, self.kind == HERO, wrong)

    @property
    def casts(self) -> bool:
        return self.kind == CASTER or bool(self.cards or self.points)


class ContingentSheet(NamedTuple):
    """The document of an army (C-3)."""

    units: Annotated[tuple[ContingentUnit, ...], Each(UNITS_MOST, 1, FEW, MANY), Label(_("Units"), one=_("Unit"))]
    characters: Annotated[
        tuple[ContingentCharacter, ...],
        Each(CHARACTERS_MOST, many=MANY_CHARACTERS),
        Label(_("Characters"), one=_("Character")),
    ] = ()

    def judged(self, wrong: Wrong) -> ContingentSheet:
        names = [one.name for one in self.characters]
        for place, name in enumerate(names):
            if name in names[:place]:
                told = _("“{name}” already exists. Give each character a different name.")
                wrong.below("characters", place)("name", told, name=name)
        for place, unit in enumerate(self.units):
            if unit.master and unit.master not in (*names, COMMANDER):
                told = _("The army has no character “{name}”.")
                wrong.below("units", place)("master", told, name=unit.master)
        return self


class ContingentCommander(NamedTuple):
    """The document of a commander (C-3). A hero leads no units (TF-4.2); only a hero has combat figures."""

    rank: Annotated[str, OneOf(RANK_NAMES), KEPT, Label(_("Rank"))] = GENERAL
    level: Annotated[str, OneOf(LEVEL_NAMES), KEPT, Label(_("Command level"))] = "normal"
    armour: Annotated[str, OneOf(WEIGHT_NAMES), Label(_("Armor"))] = ""
    mounted: Annotated[bool, Label(_("Has a mount"))] = False
    melee: Annotated[int | None, WholeNumber(1, FIGURE_MOST), Label(_("Melee dice"))] = None
    shot: Annotated[int, WholeNumber(0, FIGURE_MOST), Label(_("Shot dice"))] = 0
    range: Annotated[int, WholeNumber(0, RANGE_MOST), Label(_("Range"))] = 0
    resistance: Annotated[int | None, WholeNumber(1, RESISTANCE_MOST), Label(_("Resistance"))] = None
    traits: Traits = ()
    cards: Cards = ()
    points: Annotated[int | None, WholeNumber(1, POINTS_MOST), Label(_("Spell points"))] = None

    def judged(self, wrong: Wrong) -> ContingentCommander:
        return _judged_character(self, self.rank == HERO, wrong)

    @property
    def casts(self) -> bool:
        return bool(self.cards or self.points)


def given(traits: tuple[str | GivenTrait, ...]) -> tuple[GivenTrait, ...]:
    """The traits in their long form; a document may give just a slug."""
    return tuple(GivenTrait(one) if isinstance(one, str) else one for one in traits)


def judge_traits(traits: tuple[str | GivenTrait, ...], wrong: Wrong, *, of_units: bool = True) -> None:
    """Check traits: each at most once, at most one temper, and traits reserved for units only on units."""
    slugs = [one.trait for one in given(traits)]
    for place, slug in enumerate(slugs):
        trait, here = TRAITS[slug], wrong.below("traits", place)
        if slug in slugs[:place]:
            here("", _("{trait} is listed twice. Remove one."), trait=trait.name)
        elif trait.temper and any(TRAITS[other].temper for other in slugs[:place]):
            here("", _("A unit can have at most one temper."))
        elif trait.of_units and not of_units:
            here("", _("A character can’t have {trait}."), trait=trait.name)


def _judged_character[C: (ContingentCharacter, ContingentCommander)](one: C, hero: bool, wrong: Wrong) -> C:
    """The character checked, with a hero's usual figures filled in."""
    judge_traits(one.traits, wrong, of_units=False)
    _judge_cards(one, wrong)
    if not hero:
        _refuse_given(one, OF_HEROES, _("Only heroes can have this."), wrong)
    elif bool(one.shot) != bool(one.range):
        wrong("range", _("Enter both shot and range, or neither."))
    told = one._replace(traits=given(one.traits))
    if not hero:
        return told
    return told._replace(
        armour=told.armour or MEDIUM,
        melee=told.melee or USUAL_MELEE,
        resistance=told.resistance or USUAL_RESISTANCE,
    )


def _judge_cards(one: ContingentCharacter | ContingentCommander, wrong: Wrong) -> None:
    """Check that the cards cost no more than the character's spell points (TF-6.2).

    Skipped where the campaign's usual number of points isn't known.
    """
    usual = wrong.known.get("limits", {}).get("points")
    if usual is None or not one.cards:
        return
    cost, limit = sum(wrong.known["spells"][slug].cost for slug in one.cards), one.points or usual
    if cost > limit:
        wrong("cards", _("These cards cost {cost} points; the limit is {limit}."), cost=cost, limit=limit)


def _refuse_given(one: Any, members: tuple[str, ...], sentence: Term, wrong: Wrong) -> None:
    for member in _given(one, members):
        wrong(member, sentence)


def _given(one: Any, members: tuple[str, ...]) -> Iterator[str]:
    usual: Mapping[str, Any] = one._field_defaults
    return (name for name in members if getattr(one, name) != usual[name])


# Sample armies (TF-8): the Realm and the Dark host, as documents of an army and its commander.


class SampleHost(NamedTuple):
    """A sample army with its commander."""

    name: Term
    caster: Term
    sheet: ContingentSheet
    commander: ContingentCommander

    def called(self, words: Callable[[Term], str]) -> ContingentSheet:
        """Its document with the caster's name translated by `words`."""
        caster, *others = self.sheet.characters
        return self.sheet._replace(characters=(caster._replace(name=words(self.caster)), *others))


REALM_CARDS = ("magic-arrows", "word-of-power", "armour", "minor-healing")
DARK_CARDS = ("dust-warriors", "dust-warriors", "fear", "slowness")
STARTER_CARDS = (REALM_CARDS, DARK_CARDS)
"""The cards of casters without cards of their own (T-35), by side; each set costs six points."""


def _host(name: Term, caster: Term, cards: tuple[str, ...], *types: str) -> SampleHost:
    units = tuple(ContingentUnit(slug) for slug in types)
    casters = (ContingentCharacter(str(caster), CASTER, cards=cards),)
    return SampleHost(name, caster, ContingentSheet(units, casters), ContingentCommander())


REALM = _host(
    _("The Realm"), _("Court mage"), REALM_CARDS,
    "foot-medium", "foot-medium", "foot-heavy", "foot-heavy", "foot-heavy", "pike", "bows", "bows", "riders-medium",
)  # fmt: skip
"""42 points of units and a caster with 6 spell points."""
DARK_HOST = _host(
    _("The Dark host"), _("Necromancer"), DARK_CARDS,
    "warg-riders", "warg-riders", "ogres", "foot-medium", "foot-medium", "foot-light", "bows", "bows", "giant-spider",
)  # fmt: skip
"""39 points of units and a caster with 6 spell points."""
SAMPLE_HOSTS: Mapping[str, SampleHost] = {"realm": REALM, "dark-host": DARK_HOST}


def starter_cards(side: int, points: int, costs: Mapping[str, int]) -> tuple[str, ...]:
    """The cards of a side's starter set, in order, as far as the points suffice (T-35)."""
    chosen: list[str] = []
    for slug in STARTER_CARDS[side]:
        cost = costs.get(slug, points + 1)
        if cost > points:
            break
        chosen.append(slug)
        points -= cost
    return tuple(chosen)
