"""Effects of rules content: the changed figure, the condition, and the facts that the condition depends on.

There are four kinds, in order of preference: a `Modifier` (a number with a condition), a trait (a permission or
immunity that the engine knows by name), a `Use` (an order that marks, heals or sets a condition), and last a named hook
in the engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal, NamedTuple, Protocol, Self, get_args

from rules.core import content
from rules.core.breakdown import Line
from rules.core.content import Switchable
from rules.core.text import NO_WORDS, Term
from rules.pathfinder.catalogue.traits import TRAITS, Trait


class Stat(StrEnum):
    """Figure that a modifier changes. `FOE_OM` and `FOE_DV` are figures of the other army."""

    OM = "om"
    DV = "dv"
    DAMAGE = "damage"
    MORALE = "morale"
    FOE_OM = "foe_om"
    FOE_DV = "foe_dv"
    SIEGEBREAKER = "siegebreaker"


OM, DV, DAMAGE, MORALE = Stat.OM, Stat.DV, Stat.DAMAGE, Stat.MORALE
FOE_OM, FOE_DV, SIEGEBREAKER = Stat.FOE_OM, Stat.FOE_DV, Stat.SIEGEBREAKER

type Mode = Literal["melee", "shot"]
type Purpose = Literal["tactic", "strategy", "taunt", "fear", "rout", "withdraw", "stop"]  # purpose of a morale check
type AttackKind = Literal["attack", "parting", "ambush", "siegebreaker"]
type Sense = Literal["", "darkness", "dim-light", "weather", "invisibility"]
type GroundKind = Literal["bright-light", "on-water", "suits-mobility"]
"""Battlefield conditions that other conditions ask for (`conditions.py`)."""
type MarkKind = Literal[
    "afraid", "at-range", "barred", "bleeding", "burrowed", "burrowing", "challenge", "channels", "combat-style",
    "companions", "dirty", "doomed", "drained", "drank", "feigns", "fresh", "grabbed", "hovering", "ill", "inspired",
    "invincible", "judgment", "last-stand", "leaving", "lures", "paralysed", "rage", "shape", "sings-for-ally", "smite",
    "surrendered", "surrendering", "taunted", "triage", "tripped", "weapon-specialization", "withdrawing",
    "withstood-taunt",
]  # fmt: skip
"""Marks of an army in a battle (`marks.py`)."""


class Fact(StrEnum):
    """Changing fact of an army in battle that a condition may read. Everything else is constant."""

    BLOODIED = "bloodied"
    ENGINES = "engines"
    ATTACKED = "attacked"
    PHASE = "phase"
    TACTIC = "tactic"
    MARKS = "marks"
    FIELD = "field"


type MomentKind = Literal[
    "shoots-heavy", "overcomes", "first-melee", "faces-favored-enemy", "faces-challenged", "has-attacked",
    "has-attacked-early", "withdrawing", "behind-walls", "uses-false-retreat", "evil", "undead-or-outsider",
    "inspires-itself",
]  # fmt: skip
"""State of an army at a moment, possibly in relation to the army it faces. Unknown outside a battle."""

READS: dict[MomentKind, tuple[Fact, ...]] = {
    "shoots-heavy": (Fact.ENGINES,),
    "overcomes": (),
    "first-melee": (Fact.PHASE,),
    "faces-favored-enemy": (),
    "faces-challenged": (Fact.MARKS,),
    "has-attacked": (Fact.ATTACKED,),
    "has-attacked-early": (Fact.ATTACKED,),
    "withdrawing": (Fact.TACTIC,),
    "behind-walls": (Fact.FIELD,),
    "uses-false-retreat": (Fact.TACTIC,),
    "evil": (),
    "undead-or-outsider": (),
    "inspires-itself": (Fact.MARKS,),
}


class HeldMark(Protocol):
    """Protocol of a mark on an army, as conditions read it."""

    @property
    def kind(self) -> str: ...
    @property
    def other(self) -> str: ...
    @property
    def detail(self) -> str: ...
    @property
    def amount(self) -> int: ...
    @property
    def source(self) -> str: ...


class Sources(Protocol):
    """Protocol of an army's compiled sources of figures."""

    @property
    def immune(self) -> frozenset[str]: ...

    def works(self, trait: Trait, foe: Sources | None = None) -> bool: ...


class View(Protocol):
    """Protocol of an army as conditions and figures see it, on its sheet or in battle. None means unknown here."""

    @property
    def id(self) -> str: ...
    @property
    def acr(self) -> int: ...
    @property
    def creature_type(self) -> str: ...
    @property
    def bloodied(self) -> bool: ...
    @property
    def marks(self) -> Sequence[HeldMark]: ...
    @property
    def profile(self) -> Sources: ...

    def has(self, trait: Trait) -> bool | None: ...

    def at_this_moment(self, moment: MomentKind, s: Situation) -> bool | None: ...

    def under(self, condition: str) -> bool | None: ...

    def marked(self, kind: str) -> bool: ...

    def sees_invisible(self, foe: View | None = None) -> bool: ...

    def effects(self, stat: Stat) -> Iterable[Effect]: ...

    def situation_lines(self, stat: Stat, s: Situation) -> Iterator[Line]: ...

    def morale_lines(self) -> Iterator[Line]: ...


class Situation:
    """Army, the other army if any, and how and why they meet (None if unknown). `mark` is the mark whose modifier is
    being read, if any.
    """

    __slots__ = ("deed", "foe", "mark", "me", "mode", "purpose")

    def __init__(self, me: View, foe: View | None = None, mode: Mode | None = None, *, purpose: Purpose | None = None,
                 deed: AttackKind | None = None, mark: HeldMark | None = None):  # fmt: skip
        self.me = me
        self.foe = foe
        self.mode = mode
        self.purpose = purpose
        self.deed = deed
        self.mark = mark

    def turned(self) -> Situation:
        """Return the same situation from the other army's point of view."""
        assert self.foe is not None
        return Situation(self.foe, self.me, self.mode, purpose=self.purpose, deed=self.deed, mark=self.mark)


Condition = content.Condition[Situation]
type Amount = content.Amount[Situation]


def Has(trait: Trait) -> Condition:
    """The army has this trait, from its abilities, its tactic, or its engines."""
    if trait not in TRAITS:
        raise ValueError(f"no trait {trait!r}")
    return Condition(lambda s: s.me.has(trait), frozenset({Fact.TACTIC, Fact.ENGINES}))


def Is(moment: MomentKind) -> Condition:
    return Condition(lambda s: s.me.at_this_moment(moment, s), frozenset(READS[moment]))


def Works(trait: Trait) -> Condition:
    """The army has this trait by a printed name to which the other army is not immune (R-4)."""
    if trait not in TRAITS:
        raise ValueError(f"no trait {trait!r}")
    return Condition(lambda s: s.me.profile.works(trait, None if s.foe is None else s.foe.profile))


def OfType(*types: str) -> Condition:
    return Condition(lambda s: s.me.creature_type in types)


def Against(condition: Condition) -> Condition:
    """The condition, asked of the other army. Unknown if there is none."""
    return Condition(lambda s: None if s.foe is None else condition.test(s.turned()), condition.reads)


def In(slug: GroundKind) -> Condition:
    """A battlefield condition reaches this army. Unknown outside a battle."""
    if slug not in get_args(GroundKind.__value__):
        raise ValueError(f"no condition of the battlefield {slug!r}")
    return Condition(lambda s: s.me.under(slug), frozenset({Fact.FIELD}))


def Marked(kind: MarkKind) -> Condition:
    if kind not in get_args(MarkKind.__value__):
        raise ValueError(f"no mark {kind!r}")
    return Condition(lambda s: s.me.marked(kind), frozenset({Fact.MARKS}))


def For(*purposes: Purpose) -> Condition:
    """The morale check has one of these purposes."""
    return Condition(lambda s: None if s.purpose is None else s.purpose in purposes)


def Pairing(mode: Mode) -> Condition:
    """The attack is made in this mode."""
    return Condition(lambda s: None if s.mode is None else s.mode == mode)


def Doing(*deeds: AttackKind) -> Condition:
    return Condition(lambda s: None if s.deed is None else s.deed in deeds)


BLOODIED = Condition(lambda s: s.me.bloodied, frozenset({Fact.BLOODIED}))


def own_value(_situation: Situation, value: int) -> int:
    """Return the value written beside the ability (Spellcasting 3 gives 3)."""
    return value


def acr(situation: Situation, _value: int) -> int:
    return situation.me.acr


def half_acr(situation: Situation, _value: int) -> int:
    return situation.me.acr // 2


@dataclass(frozen=True, slots=True)
class Modifier(content.BaseModifier[Situation]):
    """Number with a condition. `sense` names the hindrance that a keen sense may reduce. `terrain` marks a bonus of the
    ground, which favoured terrain halves.
    """

    sense: Sense = ""
    terrain: bool = False


class Barring(NamedTuple):
    """Mark of an army that makes no attack, and the rule behind it."""

    mark: MarkKind
    rule: str


DRINKING = Barring("drank", "R-22")
FEIGNING = Barring("feigns", "R-28")


@dataclass(frozen=True, slots=True)
class Use:
    """Action that may be ordered.

    `per` is "battle" or "phase", `times` how often in it. `phase` is "melee" or "any". `target` is "", "enemy" or
    "ally" (including itself). `mark` goes on the army, or on the target if `on_target`; `self_mark` goes on the army
    when the use favours another one. `lasts` is "phase", "next" or "battle". `needs` is a condition on army and target
    that must not be False; `needs_text` states it of {army} and {target}. `bars`: the army makes no attack in this
    phase.
    """

    per: str = "battle"
    times: int = 1
    needs: Condition | None = None
    needs_text: Term = NO_WORDS
    phase: str = "any"
    target: str = ""
    options: tuple[str, ...] = ()
    mark: MarkKind | Literal[""] = ""
    self_mark: MarkKind | Literal[""] = ""
    lasts: str = "battle"
    on_target: bool = False
    heal: Amount | None = None
    drink: bool = False
    bars: Barring | None = None
    condition: str = ""


@dataclass(frozen=True, slots=True)
class Feature(Switchable):
    """Item with effects. Aliases share a `mechanic`; an army has each mechanic only once (R-1)."""

    modifiers: tuple[Modifier, ...] = ()
    traits: tuple[Trait, ...] = ()
    immune: tuple[str, ...] = ()
    use: Use | None = None
    mechanic: str = ""

    def switched_off(self) -> Self:
        """Return the item without effects, known only by name (PF-HOUSE)."""
        return replace(self, modifiers=(), traits=(), immune=(), use=None, off=True)

    @property
    def key(self) -> str:
        return self.mechanic or self.slug


class Active(NamedTuple):
    """Feature in force. `names` are the printed abilities that grant it (R-1, R-4); empty for a resource or boon."""

    source: Feature
    value: int
    names: tuple[str, ...]

    def blocked_by(self, immune: frozenset[str]) -> bool:
        """Whether the enemy is immune to every printed name of the feature (R-4)."""
        return bool(self.names) and immune.issuperset(self.names)


class Effect(NamedTuple):
    modifier: Modifier
    active: Active


IN_ANY_CASE = frozenset({Fact.ENGINES, Fact.TACTIC, Fact.MARKS, Fact.FIELD})
"""Facts that every figure depends on. They are always in the cache key, so conditions need not name them."""


def reads_of(modifiers: Iterable[Modifier], *needs: Condition | None) -> frozenset[str]:
    """Return the facts that these conditions read, without those in every cache key (`IN_ANY_CASE`)."""
    conditions = (*(modifier.when for modifier in modifiers), *needs)
    return frozenset().union(*(condition.reads for condition in conditions if condition is not None)) - IN_ANY_CASE
