"""Rulebook: the catalogues of a ruleset, with a campaign's house rules (PF-HOUSE) applied. All figures are computed
from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

from rules.core.content import Item, overlaid
from rules.core.text import Term, _
from rules.house import HouseRule, HouseRules, ItemFigure, ItemFigures, every
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.catalogue.abilities import ABILITIES
from rules.pathfinder.catalogue.conditions import CONDITIONS
from rules.pathfinder.catalogue.effects import reads_of
from rules.pathfinder.catalogue.items import Ability, Boon, FieldCondition, Office, Resource, Strategy, Tactic
from rules.pathfinder.catalogue.tactics import BOONS, OFFICES, RESOURCES, STRATEGIES, TACTICS
from rules.pathfinder.kingdom_checks import BUILDINGS, Building
from rules.pathfinder.own_abilities import Own, abilities_of, clean_own
from rules.pathfinder.spec import HIT_DICE, SIZES, AbilityChoice, Size
from rules.pending import empty_phases

# House rules of mass combat that a campaign may set (PF-HOUSE), and those in force.

BP_MOST = 10_000_000
LEADERSHIP_MOST = 100
AFTER_FIRST = "after-first"


def _not_always_known(tactic: Any) -> bool:
    """Whether a tactic may be switched off: not one that every army knows."""
    return not tactic.always_known


HOUSE_RULES = HouseRules(
    rule="PF-HOUSE",
    rules={
        "minimum_damage": HouseRule(
            _("Damage of a hit"), 1, rule="PF-3.6",
            choices={1: _("A hit always costs at least 1 hit point"), 0: _("A hit may cost nothing")},
        ),
        "parting_shots": HouseRule(
            _("Parting shots"), "enemies", rule="PF-3.9",
            choices={
                "enemies": _("Only enemies attack a routing army"),
                "all": _("All armies attack a routing army"),
            },
        ),
        "buildings_required": HouseRule(
            _("Buildings for resources"), True, rule="PF-5",
            choices={True: _("Resources need their building"), False: _("Resources need no building")},
        ),
        "recovery_cap": HouseRule(
            _("Recovery"), "none", rule="PF-7.1",
            choices={"none": _("Rest heals all hit points"), "half": _("Rest heals up to half the hit points")},
        ),
        "second_loyalty_check": HouseRule(
            _("Second Loyalty check of a victor"), "always", rule="R-93",
            choices={
                "always": _("The check for a boon is always made"),
                AFTER_FIRST: _("The check for a boon is made only if the first one succeeds"),
            },
        ),
        "reform": HouseRule(
            _("Reforming armies"), True, rule="R-94",
            choices={
                True: _("Armies may be divided, combined and regrouped"),
                False: _("Armies stay as they were raised"),
            },
        ),
        "empty_phases": empty_phases(
            "PF-3.2",
            _("A ranged phase is empty if nobody can shoot, use anything or is withdrawing. Undo steps back into it."),
        ),
    },
    figures={
        "resources": ItemFigures(_("Resource"), {
            "price": ItemFigure(_("price in BP"), _("BP"), 0, BP_MOST),
            "consumption": ItemFigure(_("Consumption in BP"), _("BP per week"), 0, BP_MOST),
        }),
        "boons": ItemFigures(_("Boon"), {
            "leadership": ItemFigure(_("required leadership"), _("Required leadership"), 0, LEADERSHIP_MOST),
        }),
    },
    switches={
        "tactics": _not_always_known, "boons": every, "resources": every, "abilities": every, "conditions": every,
    },
    own=clean_own,
)  # fmt: skip

_USUAL: Mapping[str, Any] = HOUSE_RULES.defaults


@dataclass(frozen=True, slots=True)
class House:
    """House rules in force. `overlay`: {kind: {slug: {"price": 4, "off": true…}}}, `own`: {kind: {slug: {…}}}."""

    minimum_damage: int = _USUAL["minimum_damage"]
    parting_shots: str = _USUAL["parting_shots"]
    buildings_required: bool = _USUAL["buildings_required"]
    recovery_cap: str = _USUAL["recovery_cap"]
    second_loyalty_check: str = _USUAL["second_loyalty_check"]
    reform: bool = _USUAL["reform"]
    empty_phases: bool = _USUAL["empty_phases"]
    overlay: Mapping[str, Mapping[str, Mapping[str, Any]]] = field(default_factory=dict)
    own: Own = field(default_factory=dict)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> House:
        return cls(**{name: data[name] for name in cls.__slots__ if name in data})


# Rulebook: the catalogues of a ruleset, with a campaign's house rules applied. All figures are computed from it.

ALIGNMENTS = (_("LG"), _("NG"), _("CG"), _("LN"), _("N"), _("CN"), _("LE"), _("NE"), _("CE"))
_TYPES = (
    ("aberration", _("aberration")), ("animal", _("animal")), ("construct", _("construct")), ("dragon", _("dragon")),
    ("fey", _("fey")), ("humanoid", _("humanoid")), ("magical-beast", _("magical beast")),
    ("monstrous-humanoid", _("monstrous humanoid")), ("ooze", _("ooze")), ("outsider", _("outsider")),
    ("plant", _("plant")), ("undead", _("undead")), ("vermin", _("vermin")),
)  # fmt: skip
CREATURE_TYPES: dict[str, Item] = {slug: Item(slug, name, "PF-9") for slug, name in _TYPES}


# Changes by version. A battle opened under an older version continues under the newest and says so.
HISTORY: tuple[tuple[str, Term], ...] = (
    ("2", _(
        "armies in a last stand or panicked can’t leave the field; armies without orders attack an enemy in reach; "
        "parting shots need reach; siege engines go on to the next wall; mobility only counts on suitable ground"
    )),
    ("3", _(
        "risen armies count melee phases from the next one; an interruption ends effects raised by armies; armies "
        "can be ordered to surrender or to stay at range; the GM can make an army invincible against an enemy"
    )),
)  # fmt: skip
VERSION = HISTORY[-1][0]


@dataclass(frozen=True, eq=False)
class Rulebook:
    """Catalogues by kind, with items by slug. `Ruleset` adds what is computed from them."""

    slug: str
    name: Term
    version: str
    family: str = "pathfinder"
    house: House = field(default_factory=House)
    sizes: Mapping[str, Size] = field(default_factory=lambda: SIZES)
    tactics: Mapping[str, Tactic] = field(default_factory=lambda: TACTICS)
    strategies: Mapping[str, Strategy] = field(default_factory=lambda: STRATEGIES)
    boons: Mapping[str, Boon] = field(default_factory=lambda: BOONS)
    resources: Mapping[str, Resource] = field(default_factory=lambda: RESOURCES)
    abilities: Mapping[str, Ability] = field(default_factory=lambda: ABILITIES)
    conditions: Mapping[str, FieldCondition] = field(default_factory=lambda: CONDITIONS)
    offices: Mapping[str, Office] = field(default_factory=lambda: OFFICES)
    buildings: Mapping[str, Building] = field(default_factory=lambda: BUILDINGS)
    creature_types: Mapping[str, Item] = field(default_factory=lambda: CREATURE_TYPES)
    alignments: tuple[str, ...] = ALIGNMENTS
    hit_dice: tuple[str, ...] = HIT_DICE

    def amend(self, *, slug: str, name: Term, version: str, **changes: Mapping[str, Any]) -> Self:
        """Return another ruleset that differs only in the given items, by kind."""
        merged: dict[str, Any] = {kind: {**getattr(self, kind), **items} for kind, items in changes.items()}
        return replace(self, slug=slug, name=name, version=version, **merged)

    def with_house(self, stored: Mapping[str, Any]) -> Self:
        """Return this ruleset with a campaign's stored house rules, changed items and own abilities (PF-HOUSE)."""
        house = House.from_json(stored)
        changes = {
            kind: overlaid(getattr(self, kind), items, HOUSE_RULES.figures_of(kind))
            for kind, items in house.overlay.items()
            if kind in HOUSE_RULES.kinds
        }
        if house.own:
            known: Mapping[str, Ability] = changes.get("abilities", self.abilities)
            changes["abilities"] = {**known, **abilities_of(known, house.own)}
        return replace(self, house=house, **changes)  # type: ignore[arg-type]

    def mindless(self, choices: Iterable[AbilityChoice]) -> bool:
        """Whether these abilities make soldiers mindless (PF-9): they learn nothing and cannot operate engines."""
        return any(t.MINDLESS in self.abilities[choice.ability].traits for choice in choices)

    @cached_property
    def named_like(self) -> Mapping[str, tuple[str, ...]]:
        """Slugs of the campaign's own abilities by the ability they work like."""
        found: dict[str, tuple[str, ...]] = {}
        for slug, ability in self.abilities.items():
            if ability.like:
                found[ability.like] = (*found.get(ability.like, ()), slug)
        return found

    @cached_property
    def reads_of_tactics(self) -> Mapping[str, frozenset[str]]:
        """What the conditions of each tactic depend on, by slug."""
        return {slug: reads_of(tactic.modifiers, tactic.needs) for slug, tactic in self.tactics.items()}

    @cached_property
    def reads_of_conditions(self) -> Mapping[str, frozenset[str]]:
        return {slug: reads_of(condition.modifiers) for slug, condition in self.conditions.items()}
