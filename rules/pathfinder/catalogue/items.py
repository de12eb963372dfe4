"""Items of Pathfinder's rulebook: abilities, tactics, boons, resources… `effects` says what they do."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, Self

from rules.core.content import Item
from rules.core.text import NO_WORDS, Term
from rules.pathfinder.catalogue.effects import Condition, Feature, Modifier

type OptionKind = Literal["choice", "many", "flag", "tactic", "creature_type"]
type Again = Literal["once", "more", "each"]
"""Of a mark given twice: the same one counts once, they add up to one of a greater amount, or each stands by itself."""


@dataclass(frozen=True, slots=True)
class AbilityOption:
    """A choice written on the sheet when the army is raised.

    kind: "choice" (one of `choices`), "many" (several ability slugs), "flag", "tactic", "creature_type".
    """

    slug: str
    kind: OptionKind
    choices: tuple[str, ...] = ()
    required: bool = True


@dataclass(frozen=True, slots=True)
class Ability(Feature):
    """A special ability (PF-9). `value`: the number it carries is required ("required"), or none."""

    value: str = "none"
    options: tuple[AbilityOption, ...] = ()
    class_levels: str = ""

    def alias(self, slug: str, name: Term, summary: Term, *, class_levels: str = "") -> Self:
        """The same mechanic under another printed name."""
        return replace(self, slug=slug, name=name, summary=summary, class_levels=class_levels, mechanic=self.key)


@dataclass(frozen=True, slots=True)
class Tactic(Feature):
    """A tactic (PF-3.11). `needs` is checked when it is adopted; without it the tactic has no effect.

    `careful`: rage bars it (R-23), as it bars a strategy.
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
    """A commander's boon (PF-2.9). From leadership `tier` on, `tier_modifiers` apply instead."""

    leadership: int = 0
    tier: int = 0
    tier_modifiers: tuple[Modifier, ...] = ()
    needs_tactic: bool = False

    def met_by(self, leadership: int) -> bool:
        """Whether this leadership is enough; a boon that asks for none is met by the least (PF-2.9)."""
        return not self.leadership or leadership >= self.leadership

    def at_high_tier(self) -> Boon:
        return self if self.off else replace(self, modifiers=self.tier_modifiers)


@dataclass(frozen=True, slots=True)
class Resource(Feature):
    """A resource (PF-5). Price once and Consumption a week, in BP, before the size factor."""

    price: int = 0
    consumption: int = 0
    buildings: tuple[str, ...] = ()
    scaled: bool = True
    replaces: str = ""
    unfit: tuple[str, ...] = ()
    several: bool = False


@dataclass(frozen=True, slots=True)
class FieldCondition(Feature):
    """A battlefield condition (PF-4). `value`: "", "wind", "defense" or "heroes" says what it carries."""

    value: str = ""
    scope: str = "field"


@dataclass(frozen=True, slots=True)
class Office(Item):
    boons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MarkEffect(Feature):
    """What a mark on an army in battle does while it lasts.

    `by_hand`: how long it lasts when the GM gives it, "phase" or "battle"; "" for one that needs an enemy, an
    option or a place, which only its order can name: the GM may take it away but not give it.
    `outlasts`: it matters beyond the battle; `stays`: an interruption leaves it as it is. `again`: what becomes of it
    when the army is given another of its kind.
    `ends_with`: whose leaving the field ends it, that of the army that gave it or of the army that bears it.
    """

    bad: bool = False
    hidden: bool = False
    by_hand: str = ""
    outlasts: bool = False
    stays: bool = False
    again: Again = "once"
    ends_with: Literal["", "giver", "bearer"] = ""
