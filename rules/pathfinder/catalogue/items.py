"""Item types of Pathfinder's rules: abilities, tactics, boons, resources and more. `effects` holds what they do."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal, Self

from rules.core.content import Item
from rules.core.text import NO_WORDS, Said, Term
from rules.pathfinder.catalogue.effects import Condition, Feature, Modifier

type OptionKind = Literal["choice", "many", "flag", "tactic", "creature_type"]
type Again = Literal["once", "more", "each"]
"""Combination of equal marks: "once" counts one, "more" adds up the amounts, "each" keeps them separate."""


@dataclass(frozen=True, slots=True)
class AbilityOption:
    """Choice made on the sheet when the army is raised. `kind` is "choice" (one of `choices`), "many" (several ability
    slugs), "flag", "tactic" or "creature_type".
    """

    slug: str
    kind: OptionKind
    choices: tuple[str, ...] = ()
    required: bool = True


@dataclass(frozen=True, slots=True)
class Ability(Feature):
    """Special ability (PF-9). `value` is "required" if it carries a number, else "none".

    A campaign's own (`own_abilities`) may work `like` one of the law; `beside` has its further effects, which do not
    merge with that mechanic. `told` are its effects in words.
    """

    value: str = "none"
    options: tuple[AbilityOption, ...] = ()
    class_levels: str = ""
    like: str = ""
    beside: Ability | None = None
    told: tuple[Said, ...] = field(default=(), compare=False)

    def alias(self, slug: str, name: Term, summary: Term, *, class_levels: str = "") -> Self:
        """Return the same mechanic under another printed name."""
        return replace(self, slug=slug, name=name, summary=summary, class_levels=class_levels, mechanic=self.key)


@dataclass(frozen=True, slots=True)
class Tactic(Feature):
    """Tactic (PF-3.11). `needs` is checked at adoption, and without it the tactic has no effect. `careful`: rage bars
    it (R-23).
    """

    needs: Condition | None = None
    needs_text: Term = NO_WORDS
    always_known: bool = False
    careful: bool = False


@dataclass(frozen=True, slots=True)
class Strategy(Item):
    step: int = 0
    om: int = 0
    dv: int = 0
    damage: int = 0
    careful: bool = False


@dataclass(frozen=True, slots=True)
class Boon(Feature):
    """Boon of a commander (PF-2.9). From leadership `tier` on, `tier_modifiers` replace its modifiers."""

    leadership: int = 0
    tier: int = 0
    tier_modifiers: tuple[Modifier, ...] = ()
    needs_tactic: bool = False

    def met_by(self, leadership: int) -> bool:
        """Whether this leadership is enough. A boon without a minimum is always met (PF-2.9)."""
        return not self.leadership or leadership >= self.leadership

    def at_high_tier(self) -> Boon:
        return self if self.off else replace(self, modifiers=self.tier_modifiers)


@dataclass(frozen=True, slots=True)
class Resource(Feature):
    """Resource (PF-5). `price` once and `consumption` a week, in BP, before the size factor."""

    price: int = 0
    consumption: int = 0
    buildings: tuple[str, ...] = ()
    scaled: bool = True
    replaces: str = ""
    unfit: tuple[str, ...] = ()
    several: bool = False


@dataclass(frozen=True, slots=True)
class FieldCondition(Feature):
    """Battlefield condition (PF-4). `value` is its kind of value: "", "wind", "defense" or "heroes"."""

    value: str = ""
    scope: str = "field"


@dataclass(frozen=True, slots=True)
class Office(Item):
    boons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MarkEffect(Feature):
    """Effect of a mark on an army in battle.

    `by_hand` is how long a mark given by the GM lasts, "phase" or "battle". It is "" for marks that need an enemy, an
    option or a place: the GM may remove those but not give them. `outlasts`: the mark matters beyond the battle.
    `stays`: an interruption leaves it. `again`: how it combines with another of its kind. `ends_with`: it ends when the
    army that gave it or the one that bears it leaves the field.
    """

    bad: bool = False
    hidden: bool = False
    by_hand: str = ""
    outlasts: bool = False
    stays: bool = False
    again: Again = "once"
    ends_with: Literal["", "giver", "bearer"] = ""
