"""Weapons, troops and spells that a campaign adds to the law's (TF-2.3, 6.3).

They are stored among its house rules: `{"weapons": {slug: {…}}, "troops": …, "spells": …}`. Documents refer to them by
slug, as to the law's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, NamedTuple

from rules.core.content import SourceMark
from rules.core.shapes import KEPT, DeclaredShape, JsonValue, Label, OneOf, Text, WholeNumber, Wrong, shape_of
from rules.core.text import Said, Term, _, say
from rules.house import OWN_MOST, OwnGiven, read_own
from rules.thucidide_fantasy.arsenal import TRAITS
from rules.thucidide_fantasy.contingent import (
    EXPERIENCE_NAMES,
    NAME_MOST,
    STANDS_MOST,
    WEIGHT_NAMES,
    Traits,
    given,
    judge_traits,
)
from rules.thucidide_fantasy.figures import Tables
from rules.thucidide_fantasy.grimoire import BLOWS, DICE, FLAGS, HEALING, SPELL_SHOT, TRAIT
from rules.thucidide_fantasy.spec import (
    ANIMALS,
    ENEMY,
    ENEMY_OR_HEX,
    FOUL_TOUCH,
    FRIEND,
    NEXT,
    NOW,
    REGULAR,
    TWO,
    UNDEAD,
    UNIT,
    BorneTrait,
    Spell,
    TroopType,
    Weapon,
)
from rules.thucidide_fantasy.starter import KINDS as TROOP_KINDS

WEAPONS, TROOPS, SPELLS = "weapons", "troops", "spells"
KINDS: Mapping[str, Term] = {WEAPONS: _("Weapon"), TROOPS: _("Type of troops"), SPELLS: _("Spell")}
MOST = OWN_MOST
SUMMARY_MOST = 200
DICE_MOST, RANGE_MOST, POINTS_MOST, TIMES_MOST = 8, 8, 30, 4
RULES = {WEAPONS: "TF-1.14", TROOPS: "TF-2.3", SPELLS: "TF-6.3"}

TARGETS: Mapping[str, Term] = {
    FRIEND: _("A friendly unit"), ENEMY: _("An enemy unit"), UNIT: _("Any unit"),
    ENEMY_OR_HEX: _("An enemy unit or a hex"),
}  # fmt: skip
EFFECTS: Mapping[str, Term] = {
    TRAIT: _("Gives a trait"), SPELL_SHOT: _("Shoots like a weapon"), BLOWS: _("Attacks morale"),
    HEALING: _("Heals stands"), DICE: _("More or fewer dice in combat"), FLAGS: _("Ignores flags"),
}  # fmt: skip
DURATIONS: Mapping[str, Term] = {NOW: _("Immediate"), NEXT: _("Until the next spell phase"), TWO: _("2 turns")}

NOT_BY_SPELLS = ("flyer", UNDEAD, FOUL_TOUCH, ANIMALS)
"""Traits that spells can't give (T-47)."""

type Own = Mapping[str, Mapping[str, Mapping[str, Any]]]
type OwnSummary = Annotated[str, Text(SUMMARY_MOST), Label(_("Description"))]
LAW = Tables()


class OwnWeapon(NamedTuple):
    """A campaign's own weapon, for melee or for shooting."""

    name: Annotated[str, Text(NAME_MOST), Label(_("Name"))]
    assault: Annotated[int, WholeNumber(0, DICE_MOST), Label(_("Assault factor"))] = 0
    melee: Annotated[int, WholeNumber(0, DICE_MOST), Label(_("Melee factor"))] = 0
    shot: Annotated[int, WholeNumber(0, DICE_MOST), Label(_("Shot factor"))] = 0
    range: Annotated[int, WholeNumber(0, RANGE_MOST), Label(_("Range"))] = 0
    fire: Annotated[bool, Label(_("Fire"))] = False
    natural: Annotated[bool, Label(_("Natural weapon"))] = False
    summary: OwnSummary = ""

    def judged(self, wrong: Wrong) -> OwnWeapon:
        strikes, shoots = bool(self.assault or self.melee), bool(self.shot or self.range)
        if strikes == shoots:
            wrong("", _("Enter assault and melee, or shot and range."))
        elif strikes and not (self.assault and self.melee):
            wrong("melee", _("Enter both assault and melee."))
        elif shoots and not (self.shot and self.range):
            wrong("range", _("Enter both shot and range."))
        if self.fire and strikes:
            wrong("fire", _("Only shooting weapons can use fire."))
        return self


class OwnTroop(NamedTuple):
    """A campaign's own type of troops, with weapons of the law or the campaign."""

    name: Annotated[str, Text(NAME_MOST), Label(_("Name"))]
    kind: Annotated[str, OneOf({slug: kind.name for slug, kind in TROOP_KINDS.items()}), Label(_("Type"))]
    weight: Annotated[str, OneOf(WEIGHT_NAMES), Label(_("Weight"))]
    weapon: Annotated[str, OneOf("weapons"), Label(_("Weapon"))]
    points: Annotated[int, WholeNumber(1, POINTS_MOST), Label(_("Points"))]
    missile: Annotated[str, OneOf("weapons"), Label(_("Shooting weapon"))] = ""
    stands: Annotated[int, WholeNumber(1, STANDS_MOST), KEPT, Label(_("Number of stands"))] = 4
    experience: Annotated[str, OneOf(EXPERIENCE_NAMES), Label(_("Experience"))] = REGULAR
    traits: Traits = ()
    summary: OwnSummary = ""

    def judged(self, wrong: Wrong) -> OwnTroop:
        weapons: Mapping[str, Weapon] = wrong.known["weapons"]
        if f"{self.kind}-{self.weight}" not in LAW.moves:
            wrong(
                "weight",
                _("{kind}: not available in this weight. Choose another weight."),
                kind=TROOP_KINDS[self.kind].name,
            )
        if weapons[self.weapon].shoots:
            wrong("weapon", _("Choose a melee weapon here."))
        if self.missile and not weapons[self.missile].shoots:
            wrong("missile", _("Choose a shooting weapon here."))
        judge_traits(self.traits, wrong)
        return self._replace(traits=given(self.traits))


class OwnSpell(NamedTuple):
    """A campaign's own spell, limited to effects that need only a trait, a weapon or a number of dice."""

    name: Annotated[str, Text(NAME_MOST), Label(_("Name"))]
    cost: Annotated[int, WholeNumber(1, POINTS_MOST), Label(_("Cost"))]
    on: Annotated[str, OneOf(TARGETS), Label(_("Target"))]
    effect: Annotated[str, OneOf(EFFECTS), Label(_("Effect"))]
    character: Annotated[bool, Label(_("Or a character"))] = False
    range: Annotated[int, WholeNumber(1, RANGE_MOST), KEPT, Label(_("Range"))] = 3
    lasts: Annotated[str, OneOf(DURATIONS), Label(_("Duration"))] = NOW
    trait: Annotated[str, OneOf("traits"), Label(_("Trait"))] = ""
    weapon: Annotated[str, OneOf("weapons"), Label(_("Weapon"))] = ""
    times: Annotated[int, WholeNumber(1, TIMES_MOST), Label(_("Shots"))] = 1
    dice: Annotated[int, WholeNumber(-DICE_MOST, DICE_MOST), Label(_("Dice"))] = 0
    advantages: Annotated[bool, Label(_("Advantages count like flags"))] = False
    summary: OwnSummary = ""

    def judged(self, wrong: Wrong) -> OwnSpell:
        """Check that the effect has what it needs."""
        if self.effect == TRAIT and not self.trait:
            wrong("trait", _("Choose the trait the spell gives."))
        if self.trait in NOT_BY_SPELLS:
            wrong("trait", _("Spells can’t give this trait: {trait}."), trait=TRAITS[self.trait].name)
        if self.effect == SPELL_SHOT and (not self.weapon or not wrong.known["weapons"][self.weapon].shoots):
            wrong("weapon", _("Choose a shooting weapon here."))
        if self.effect == DICE and not self.dice:
            wrong("dice", _("Enter the dice to add or remove."))
        if self.effect in (BLOWS, HEALING, FLAGS) and self.dice < 1:
            wrong("dice", _("Enter at least 1 die."))
        if (self.lasts == NOW) != (self.effect in (SPELL_SHOT, BLOWS, HEALING)):
            wrong("lasts", _("Shots, morale attacks and healing are immediate. All other effects need a duration."))
        if self.on == ENEMY_OR_HEX and self.effect != SPELL_SHOT:
            wrong("on", _("Only shots can target a hex."))
        return self


SHAPES: Mapping[str, DeclaredShape] = {
    WEAPONS: shape_of(OwnWeapon), TROOPS: shape_of(OwnTroop), SPELLS: shape_of(OwnSpell),
}  # fmt: skip


# Reading


def clean_own(document: object) -> dict[str, dict[str, JsonValue]]:
    """A campaign's own items in their stored form. Raises `InvalidInput`, as `read_own`."""
    return read_own(document, SHAPES, taken, _known)


def _known(kept: Own, given: OwnGiven) -> dict[str, Any]:
    """The names the items may use: the weapons read before, and any type of troops as a like."""
    tables = with_own(LAW, kept)
    return {"weapons": tables.weapons, "traits": tables.traits, "troops": {*LAW.troops, *given[TROOPS]}}


def taken(kind: str, slug: str) -> bool:
    """Whether the law itself has an item with this slug."""
    return slug in LAW._asdict()[kind]


# Use in tables


def with_own(tables: Tables, own: Own) -> Tables:
    """The tables with the campaign's own items added."""
    weapons = {slug: _weapon(slug, kept) for slug, kept in own.get(WEAPONS, {}).items()}
    troops = {slug: _troop(slug, kept) for slug, kept in own.get(TROOPS, {}).items()}
    spells = {slug: _spell(slug, kept) for slug, kept in own.get(SPELLS, {}).items()}
    return tables._replace(
        weapons={**tables.weapons, **weapons},
        troops={**tables.troops, **troops},
        spells={**tables.spells, **spells},
    )


def _item(kind: str, slug: str, kept: Mapping[str, Any]) -> dict[str, Any]:
    """The members common to all items. A campaign's own items have no source mark."""
    told = {**kept, "name": Term(kept["name"]), "summary": Term(kept.get("summary", ""))}
    return {**told, "slug": slug, "rule": RULES[kind], "mark": SourceMark.NONE}


def _weapon(slug: str, kept: Mapping[str, Any]) -> Weapon:
    return Weapon(**_item(WEAPONS, slug, kept))


def _troop(slug: str, kept: Mapping[str, Any]) -> TroopType:
    traits = tuple(_borne(one) for one in kept.get("traits", ()))
    return TroopType(**{**_item(TROOPS, slug, kept), "traits": traits})


def _borne(kept: str | Mapping[str, Any]) -> BorneTrait:
    if isinstance(kept, str):
        return BorneTrait(kept)
    return BorneTrait(kept["trait"], tuple(kept.get("likes", ())), kept.get("object", ""))


def _spell(slug: str, kept: Mapping[str, Any]) -> Spell:
    return Spell(**_item(SPELLS, slug, kept))


# Uses by documents and other items


def named_by(document: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The table entries that an army's or commander's document uses, as kind and slug."""
    for unit in document.get("units", ()):
        yield TROOPS, str(unit.get("type", ""))
        if unit.get("weapon"):
            yield WEAPONS, unit["weapon"]
        yield from _likes(unit.get("traits", ()))
    for character in (document, *document.get("characters", ())):
        yield from ((SPELLS, slug) for slug in character.get("cards", ()))
        yield from _likes(character.get("traits", ()))


def _likes(traits: Any) -> Iterator[tuple[str, str]]:
    yield from ((TROOPS, slug) for one in traits if isinstance(one, Mapping) for slug in one.get("likes", ()))


def unknown_to(tables: Tables, document: Mapping[str, Any]) -> tuple[str, str] | None:
    """The first table entry (kind, slug) a document uses that these tables lack; None if they have all."""
    known = tables._asdict()
    return next(((kind, slug) for kind, slug in named_by(document) if slug not in known[kind]), None)


def bearing(own: Own, kind: str, slug: str) -> Said | None:
    """A campaign's own troop or spell that uses this weapon or likes these troops, in words; None if none does."""
    for bearer in (TROOPS, SPELLS):
        for key, kept in own.get(bearer, {}).items():
            if (bearer, key) != (kind, slug) and (kind, slug) in _used_by(kept):
                return say(_("{kind}: {name}"), kind=KINDS[bearer], name=kept["name"])
    return None


def _used_by(kept: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield from ((WEAPONS, kept[name]) for name in ("weapon", "missile") if kept.get(name))
    yield from _likes(kept.get("traits", ()))
