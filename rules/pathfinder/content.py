"""Pathfinder's vocabulary of effects: what a line of its rulebook can say, as typed data.

Four kinds, in this order of preference: `Modifier` (a number with a condition), a trait granted
(a permission or an immunity the engine knows by name), `Use` (an order that marks, heals or sets
a condition), and only then a named hook in the engine.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Protocol, Self

from rules import content
from rules.content import Item, Switchable
from rules.text import NO_WORDS, Term


class Stat(StrEnum):
    """What a modifier changes. `FOE_OM` and `FOE_DV` change the figure of the other army of the pairing."""

    OM = "om"
    DV = "dv"
    DAMAGE = "damage"
    MORALE = "morale"
    FOE_OM = "foe_om"
    FOE_DV = "foe_dv"
    SIEGEBREAKER = "siegebreaker"


OM, DV, DAMAGE, MORALE = Stat.OM, Stat.DV, Stat.DAMAGE, Stat.MORALE
FOE_OM, FOE_DV, SIEGEBREAKER = Stat.FOE_OM, Stat.FOE_DV, Stat.SIEGEBREAKER


class Situation(Protocol):
    """What a condition may look at. `foe`, `mode` and `purpose` may be unknown (None)."""

    me: Any
    foe: Any
    mode: str | None  # "melee" or "shot"
    purpose: str | None  # of a morale check
    deed: str | None  # "attack", "parting", "ambush"
    mark: Any  # the mark whose modifier is being read, if any

    def turned(self) -> Situation: ...


Condition = content.Condition[Any]
type Amount = content.Amount[Any]


def Has(trait: str) -> Condition:
    """The army has this trait, printed or of the moment (see `pathfinder.traits`)."""
    return Condition(lambda s: s.me.has(trait, s))


def Works(trait: str) -> Condition:
    """The army has this printed trait by a name the other army is not immune to (R-4)."""
    return Condition(lambda s: s.me.works(trait, s.foe))


def OfType(*types: str) -> Condition:
    return Condition(lambda s: s.me.creature_type in types)


def Against(condition: Condition) -> Condition:
    """The condition, asked of the other army; unknown without one."""
    return Condition(lambda s: None if s.foe is None else condition.test(s.turned()))


def In(slug: str) -> Condition:
    """A battlefield condition reaches this army; unknown outside a battle."""
    return Condition(lambda s: s.me.under(slug))


def Marked(kind: str) -> Condition:
    return Condition(lambda s: s.me.marked(kind))


def For(*purposes: str) -> Condition:
    """A morale check made for one of these purposes."""
    return Condition(lambda s: None if s.purpose is None else s.purpose in purposes)


def Pairing(mode: str) -> Condition:
    """The attack is made in melee, or as a shot."""
    return Condition(lambda s: None if s.mode is None else s.mode == mode)


def Deed(*deeds: str) -> Condition:
    return Condition(lambda s: None if s.deed is None else s.deed in deeds)


def own_value(_situation: Any, value: int) -> int:
    """The number written beside the ability (Spellcasting 3 → 3)."""
    return value


def acr(situation: Any, _value: int) -> int:
    return int(situation.me.acr)


def half_acr(situation: Any, _value: int) -> int:
    return int(situation.me.acr) // 2


@dataclass(frozen=True, slots=True)
class Modifier(content.BaseModifier[Any]):
    """A number with a condition.

    `sense` names the hindrance a keen sense may lift ("darkness", "dim-light", "weather", "invisibility");
    `terrain` marks a bonus of the ground, which favoured terrain halves.
    """

    sense: str = ""
    terrain: bool = False


@dataclass(frozen=True, slots=True)
class AbilityOption:
    """A choice written on the sheet when the army is raised.

    kind: "choice" (one of `choices`), "many" (several ability slugs), "flag", "tactic", "creature_type".
    """

    slug: str
    kind: str
    choices: tuple[str, ...] = ()
    required: bool = True


@dataclass(frozen=True, slots=True)
class Use:
    """Something ordered. `mark` goes on the army itself (or on `target` where `on_target`).

    `self_mark` goes on the army itself where the use favours another one. per: "battle" or "phase"; times: how
    often; phase: "melee" or "any"; target: "", "enemy", "ally" (itself included); lasts: "phase", "next", "battle".
    """

    per: str = "battle"
    times: int = 1
    phase: str = "any"
    target: str = ""
    options: tuple[str, ...] = ()
    mark: str = ""
    self_mark: str = ""
    lasts: str = "battle"
    on_target: bool = False
    heal: Amount | None = None
    drink: bool = False
    bars: bool = False
    condition: str = ""


@dataclass(frozen=True, slots=True)
class Feature(Switchable):
    """An item that acts. `mechanic` is shared by aliases: an army has a mechanic once (R-1)."""

    modifiers: tuple[Modifier, ...] = ()
    traits: tuple[str, ...] = ()
    immune: tuple[str, ...] = ()
    use: Use | None = None
    mechanic: str = ""

    def switched_off(self) -> Self:
        """Known by name, doing nothing (PF-HOUSE)."""
        return replace(self, modifiers=(), traits=(), immune=(), use=None, off=True)

    @property
    def key(self) -> str:
        return self.mechanic or self.slug


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
    """A tactic (PF-3.11). `needs` is checked when it is adopted; without it the tactic has no effect."""

    needs: Condition | None = None
    needs_text: Term = NO_WORDS
    always_known: bool = False


@dataclass(frozen=True, slots=True)
class Strategy(Item):
    step: int = 0
    om: int = 0
    dv: int = 0
    damage: int = 0


@dataclass(frozen=True, slots=True)
class Boon(Feature):
    """A commander's boon (PF-2.9). From leadership `tier` on its values are `tier_values` instead."""

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
class MarkEffect(Item):
    """What a mark on an army in battle does while it lasts.

    `by_hand`: how long it lasts when the GM gives it, "phase" or "battle"; "" for one that needs an enemy, an
    option or a place, which only its order can name: the GM may take it away but not give it.
    """

    modifiers: tuple[Modifier, ...] = ()
    bad: bool = False
    hidden: bool = field(default=False)
    by_hand: str = ""
