"""Weapons, traits and tempers of THUCIDIDE fantasy as data (TF-1.14, 2.1, 3, 1.12)."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.content import SourceMark
from rules.core.text import NO_WORDS, Term, _
from rules.thucidide_fantasy.spec import (
    ANIMALS,
    FANATIC,
    FLEEING,
    FOUL_TOUCH,
    HESITANT,
    TENACIOUS,
    UNDEAD,
    Trait,
    Weapon,
    by_slug,
)

DOCUMENT, RULING = SourceMark.DOCUMENT, SourceMark.RULING
LOST, SEEN = SourceMark.RECONSTRUCTION, SourceMark.SEEN


# Weapons (TF-1.14, 2.1)


def _arm(slug: str, name: Term, assault: int, melee: int) -> Weapon:
    return Weapon(slug, name, "TF-1.14", _("A melee weapon."), assault, melee, mark=LOST)


def _natural(slug: str, name: Term, assault: int, melee: int) -> Weapon:
    return Weapon(
        slug,
        name,
        "TF-2.1",
        _("A natural weapon, regardless of the number of limbs."),
        assault,
        melee,
        natural=True,
        mark=DOCUMENT,
    )


def _shot(slug: str, name: Term, dice: int, far: int, summary: Term = NO_WORDS) -> Weapon:
    told = summary or _("A shooting weapon.")
    return Weapon(slug, name, "TF-1.14", told, shot=dice, range=far, mark=LOST)


def _fire(slug: str, name: Term, dice: int, far: int) -> Weapon:
    return Weapon(slug, name, "TF-1.14", _("Fire: an advantage sets fire to flammable ground and targets."),
                  shot=dice, range=far, fire=True, mark=LOST)  # fmt: skip


WEAPONS: Mapping[str, Weapon] = by_slug(
    _arm("short", _("Short weapons"), 2, 2),
    _arm("individual", _("Individual weapons"), 2, 2),
    _arm("spear", _("Spear"), 2, 3),
    _arm("two-handed", _("Two-handed weapon"), 3, 3),
    _arm("pike", _("Pike"), 3, 4),
    _arm("lance", _("Lance"), 4, 2),
    _arm("elephant", _("War elephant"), 4, 4),
    _arm("chariot", _("War chariot"), 4, 2),
    Weapon("crew", _("Crew"), "TF-8", _("A gun’s crew in melee."), 1, 1, mark=LOST),
    _natural("claw", _("Claw"), 2, 2),
    _natural("strong-claw", _("Strong claw"), 3, 3),
    _natural("very-strong-claw", _("Very strong claw"), 5, 4),
    _natural("bite", _("Bite"), 2, 2),
    _natural("strong-bite", _("Strong bite"), 3, 3),
    _natural("very-strong-bite", _("Very strong bite"), 4, 4),
    _natural("blow", _("Blow"), 2, 2),
    _natural("great-blow", _("Great blow"), 3, 3),
    _natural("very-great-blow", _("Very great blow"), 5, 4),
    _natural("jet", _("Jet of poison or spines"), 2, 2),
    _shot("javelin", _("Javelin"), 2, 2),
    _shot("sling", _("Sling"), 2, 3),
    _shot("bow", _("Bow"), 2, 3),
    _shot("composite-bow", _("Composite bow"), 3, 3),
    _shot("light-crossbow", _("Light crossbow"), 2, 3, _("A shooting weapon, also for spines shot from afar.")),
    _shot("crossbow", _("Crossbow"), 2, 4),
    _shot("artillery-very-light", _("Very light artillery piece"), 2, 4),
    _shot("artillery-light", _("Light artillery piece"), 2, 5),
    _shot("artillery-medium", _("Medium artillery piece"), 3, 5),
    _shot("artillery-heavy", _("Heavy artillery piece"), 4, 6),
    _fire("rockets-heavy", _("Heavy rockets"), 2, 5),
    _fire("rockets-very-heavy", _("Very heavy rockets"), 3, 5),
    _fire("flame-thrower-light", _("Light flame-thrower"), 2, 1),
    _fire("flame-thrower-heavy", _("Great siphon"), 4, 2),
)  # fmt: skip


# Traits and tempers (TF-3, 1.12)


def _trait(number: int, slug: str, name: Term, summary: Term, *, aura: bool = False) -> Trait:
    return Trait(slug, name, "TF-3", summary, number, aura, mark=DOCUMENT)


def _temper(slug: str, name: Term, summary: Term) -> Trait:
    return Trait(slug, name, "TF-1.12", summary, temper=True, of_units=True, mark=LOST)


TRAITS: Mapping[str, Trait] = by_slug(
    _trait(1, "armour", _("Armor"), _("Counts as 1 weight class heavier in combat. No effect against inverted armor.")),
    _trait(2, "great-armour", _("Great armor"),
           _("Counts as 2 weight classes heavier in combat. No effect against inverted armor.")),
    _trait(3, "blur", _("Blur"), _("Counts as 1 weight class heavier against shots. Adds to armor.")),
    _trait(4, "flyer", _("Flyer"), _("Flies over troops and terrain; ground units can’t attack it in melee.")),
    _trait(5, "rapid", _("Rapid"), _("Moves 1 extra hex and still fights.")),
    _trait(6, "very-rapid", _("Very rapid"), _("Moves 2 hexes more and still fights.")),
    _trait(7, "fine-weapons", _("Exceptional weapons"), _("Its shots reach 1 hex farther.")),
    _trait(8, "hindrance", _("Hindrance"),
           _("Animal troops in melee with it roll 1 fewer die, unless they are among its affinities.")),
    _trait(9, "unaffected", _("Unaffected"), _("Animals that ignore every effect of other animals.")),
    _trait(10, "bell", _("Bell"), _("Shots and magic against it roll 1 die.")),
    _trait(11, "invulnerable", _("Invulnerability"),
           _("Each loss has to be confirmed; very heavy troops confirm twice.")),
    _trait(12, "morale", _("Morale"), _("Friends within 1 hex ignore 1 flag."), aura=True),
    _trait(13, "threat", _("Threat"), _("Enemies within 2 hexes count as hesitant: +1 flag if they have any."),
           aura=True),
    _trait(14, "great-threat", _("Great threat"),
           _("Enemies within 2 hexes count as fleeing: +2 flags if they have any."), aura=True),
    _trait(15, "fire-proof", _("Protection against fire"), _("Losses by fire have to be confirmed.")),
    _temper(TENACIOUS, _("Tenacious"), _("Ignores 1 flag.")),
    _temper(FANATIC, _("Fanatic"), _("Ignores all flags. When activated, goes to the nearest enemy and attacks.")),
    _temper(HESITANT, _("Hesitant"), _("+1 flag if it has any.")),
    _temper(FLEEING, _("Fleeing"), _("+2 flags if it has any. Never starts a melee.")),
    Trait(UNDEAD, _("Undead"), "TF-5.1",
          _("Ignores all flags, stays within 4 hexes of its master, and hinders all living troops."),
          of_units=True, mark=DOCUMENT),
    Trait(FOUL_TOUCH, _("Inverted armor"), "TF-3.3",
          _("Hits as if the heaviest armor were the lightest: level 6 − weight."), of_units=True, mark=LOST),
    Trait(ANIMALS, _("Animals"), "TF-3.2", _("Affected by hindrance, like riders."), of_units=True, mark=RULING),
)  # fmt: skip

TEMPERS = tuple(slug for slug, trait in TRAITS.items() if trait.temper)
AURAS = tuple(slug for slug, trait in TRAITS.items() if trait.aura)
