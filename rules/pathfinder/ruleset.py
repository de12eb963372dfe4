"""A ruleset: its catalogues, its house rules, and the doors to its law."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from rules.content import SWITCHED_OFF, Ability, Boon, FieldCondition, Item, Office, Resource, Strategy, Tactic
from rules.errors import IllegalCommand, require
from rules.house import HouseRules
from rules.law import BattleLaw, Catalogue
from rules.realm import RealmLaw
from rules.text import Said, Term, _, say

from . import commander as command_law
from .abilities import ABILITIES
from .boons import BOONS, OFFICES
from .catalogues import catalogues_of
from .field import CONDITIONS
from .house import HOUSE_RULES, House
from .kingdom import BUILDINGS, Building
from .realm import Realm
from .resources import RESOURCES
from .sheet import Sheet, army_sheet, rating_of
from .size import HIT_DICE, SIZES, Size, parse_cr, scaled
from .spec import ArmySpec, CommanderSpec, TacticKnown
from .tactics import STRATEGIES, TACTICS

ALIGNMENTS = ("LG", "NG", "CG", "LN", "N", "CN", "LE", "NE", "CE")
_TYPES = (
    ("aberration", _("aberration")), ("animal", _("animal")), ("construct", _("construct")), ("dragon", _("dragon")),
    ("fey", _("fey")), ("humanoid", _("humanoid")), ("magical-beast", _("magical beast")),
    ("monstrous-humanoid", _("monstrous humanoid")), ("ooze", _("ooze")), ("outsider", _("outsider")),
    ("plant", _("plant")), ("undead", _("undead")), ("vermin", _("vermin")),
)  # fmt: skip
CREATURE_TYPES: dict[str, Item] = {slug: Item(slug, name, "PF-9") for slug, name in _TYPES}


# What a new version changed. A battle opened under an older one goes on by the newest, and says so.
HISTORY: tuple[tuple[str, Term], ...] = (
    ("2", _("an army in its last stand or doomed by fear cannot leave the field; without an order an army seeks an "
            "enemy within its reach; parting shots need reach; siege engines go on to the next wall; mobility counts "
            "only where the ground suits it")),
)  # fmt: skip
VERSION = HISTORY[-1][0]


@dataclass(frozen=True, slots=True)
class Price:
    """BP once, and BP a week while the army has it (PF-5)."""

    bp: int
    consumption: int


@dataclass(frozen=True, eq=False)
class Ruleset:
    """`rules.law.Law`, as its apps know it."""

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

    def amend(self, *, slug: str, name: Term, version: str, **changes: Mapping[str, Any]) -> Ruleset:
        """Another ruleset that differs from this one only in the items given, kind by kind."""
        merged: dict[str, Any] = {kind: {**getattr(self, kind), **items} for kind, items in changes.items()}
        return replace(self, slug=slug, name=name, version=version, **merged)

    def with_house(self, stored: Mapping[str, Any]) -> Ruleset:
        """This ruleset with a campaign's house rules and content overlay, as they are kept (PF-HOUSE)."""
        house = House.from_json(stored)
        changes: dict[str, Any] = {}
        for kind, items in house.overlay.items():
            catalogue = dict(getattr(self, kind))
            for slug, fields in items.items():
                _overlay(kind, catalogue, slug, fields)
            changes[kind] = catalogue
        return replace(self, house=house, **changes)

    def changes_since(self, version: str) -> tuple[Said, ...]:
        """What has become different since that version, oldest first."""
        return tuple(said for number, said in HISTORY if int(number) > int(version))

    @cached_property
    def battle(self) -> BattleLaw:
        """How battles are fought (PF-3)."""
        from .battle.law import Battles

        return Battles(self)

    @property
    def house_rules(self) -> HouseRules:
        """What a campaign may set (PF-HOUSE)."""
        return HOUSE_RULES

    @cached_property
    def realm(self) -> RealmLaw:
        """What it says of kingdoms (PF-8)."""
        return Realm(self)

    @cached_property
    def catalogues(self) -> Mapping[str, Catalogue]:
        """Everything a reader can look up, by kind."""
        return catalogues_of(self)

    # sheets
    def sheet(self, spec: ArmySpec) -> Sheet:
        return army_sheet(self, spec)

    def commander_sheet(self, spec: CommanderSpec) -> command_law.CommanderSheet:
        return command_law.commander_sheet(self, spec)

    def check_commander(self, spec: CommanderSpec) -> None:
        command_law.check_commander(self, spec)

    def check_boon_learned(self, spec: CommanderSpec, boon: str, tactic: str | None = None) -> None:
        command_law.check_boon_learned(self, spec, boon, tactic)

    # resources
    def price(self, spec: ArmySpec, resource: str, quantity: int = 1) -> Price:
        """What this army would pay for it (PF-5). Mounts cost their CR, at least 1 (R-3), or nothing (R-83)."""
        item, (size, _acr) = self.resources[resource], rating_of(spec)
        base = item.price
        if resource == "mounts" and base and spec.mount is not None and spec.mount.cr is not None:
            base = max(base, int(parse_cr(spec.mount.cr, "/mount/cr").exact))
        if not item.scaled:
            return Price(base * quantity, item.consumption * quantity)
        return Price(scaled(base, size) * quantity, scaled(item.consumption, size))

    def refuse_resource(self, spec: ArmySpec, resource: str, quantity: int = 1) -> None:
        """Raise IllegalCommand when the army cannot use it or has it already (PF-5, PF-5.1)."""
        item = self.resources.get(resource)
        if item is None:
            raise IllegalCommand(say(_("There is no resource “{slug}”."), slug=resource), "/resource")
        require(not item.off, SWITCHED_OFF, field="/resource", item=item.name)
        mindless = any(choice.ability == "mindless" for choice in spec.unit.abilities)
        unfit = (spec.unit.creature_type in item.unfit) or (mindless and "mindless" in item.unfit)
        require(not unfit, _("Such an army cannot use {resource}."), field="/resource", resource=item.name)
        held = {slug for slug, quantity in spec.resources.items() if quantity > 0}
        require(item.several or resource not in held, _("This army already has {resource}."),
                field="/resource", resource=item.name)  # fmt: skip
        require(item.several or quantity == 1, _("An army has {resource} once."), field="/quantity", resource=item.name)
        better = next((r for r in self.resources.values() if r.replaces == resource and r.slug in held), None)
        require(better is None, _("This army has better already: {better}."), field="/resource",
                better=better.name if better else "")  # fmt: skip

    # tactics
    def tactics_of(self, spec: ArmySpec) -> tuple[str, ...]:
        """Every tactic the army may use: always known, learned, granted, its commander's, its tactician's."""
        own = [slug for slug, tactic in self.tactics.items() if tactic.always_known]
        own += [known.tactic for known in spec.tactics if known.tactic in self.tactics]
        own += self.bonus_tactics(spec)
        return tuple(slug for slug in dict.fromkeys(own) if not self.tactics[slug].off)

    def bonus_tactics(self, spec: ArmySpec) -> list[str]:
        """Tactics that come from the commander or a tactician, outside the room of the army (PF-1.10)."""
        teaches = not self.abilities["tactician"].off
        found = [str(c.options.get("tactic")) for c in spec.unit.abilities if c.ability == "tactician" and teaches]
        if spec.commander is not None and spec.commander.active:
            for state in self.commander_sheet(spec.commander).boons:
                taught = state.active and state.boon.needs_tactic and not state.boon.off
                found += state.tactics if taught else ()
        return [slug for slug in found if slug in self.tactics]

    def learn_tactic_refusal(self, spec: ArmySpec, tactic: str, granted: bool = False) -> Said | None:
        """Why the army cannot learn this tactic, or None (PF-1.10)."""
        item = self.tactics.get(tactic)
        if item is None:
            return say(_("There is no tactic “{slug}”."), slug=tactic)
        if item.off:
            return say(SWITCHED_OFF, item=item.name)
        if item.always_known:
            return say(_("Every army can use {tactic}: it need not be learned."), tactic=item.name)
        if TacticKnown(tactic, True) in spec.tactics or TacticKnown(tactic, False) in spec.tactics:
            return say(_("This army knows {tactic} already."), tactic=item.name)
        sheet = self.sheet(spec)
        if not granted and sheet.tactics_counted >= sheet.tactics_max:
            return say(_("This army has room for {most} tactics (half its ACR)."), most=sheet.tactics_max)
        return None


def _overlay(kind: str, catalogue: dict[str, Any], slug: str, fields: Mapping[str, Any]) -> None:
    if slug not in catalogue:
        return
    if fields.get("off"):
        catalogue[slug] = catalogue[slug].switched_off()
        return
    known = {name: value for name, value in fields.items() if name in HOUSE_RULES.figures_of(kind)}
    catalogue[slug] = replace(catalogue[slug], **known)
