"""Rulesets of Pathfinder mass combat: entry point for apps, prices of resources, and musters of armies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from rules.adjustments import Adjustable
from rules.aftermath import Muster, MusteredLeader, MusteredTroops, TroopTag
from rules.core.content import SWITCHED_OFF
from rules.core.errors import IllegalCommand, require
from rules.core.text import Said, _, say
from rules.core.workshop import WorkshopLaw
from rules.house import HouseRules
from rules.law import BattleLaw, Catalogue, ExplainedTerm, SheetLaw, since
from rules.pathfinder import leadership, sheet
from rules.pathfinder.battle.battle_law import Battles
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.catalogue.abilities import ABILITIES
from rules.pathfinder.catalogue.effects import For, Is, Modifier, Stat, Use
from rules.pathfinder.catalogue.items import Resource
from rules.pathfinder.catalogue.tactics import ARMOUR, BOONS, OFFICES, RESOURCES
from rules.pathfinder.catalogue.traits import Trait
from rules.pathfinder.catalogue.units import UNITS
from rules.pathfinder.catalogues import catalogues_of
from rules.pathfinder.documents import ArmyDocuments, unit_from_json
from rules.pathfinder.figures import Profile, compile_profile
from rules.pathfinder.forecast.forecast_law import Prospects
from rules.pathfinder.leadership import commander_sheet
from rules.pathfinder.realm import Realm
from rules.pathfinder.rulebook import HISTORY, HOUSE_RULES, VERSION, Rulebook
from rules.pathfinder.sheet import Sheet, army_sheet, hp_max_of, rating_of
from rules.pathfinder.spec import ADJUSTABLE, ArmySpec, CommanderSpec, UnitSpec, parse_cr, scaled
from rules.pathfinder.travel import Travel
from rules.pathfinder.workshop.workshop_law import Workshop
from rules.realm import RealmLaw
from rules.travel import TravelLaw

# Terms of mass combat that newcomers are told.

TERMS: Mapping[str, ExplainedTerm] = {
    "acr": ExplainedTerm(
        _("ACR"), _("Army Challenge Rating: how strong an army is. Most of its figures start from it.")
    ),
    "om": ExplainedTerm(_("OM"), _("Offense Modifier: added to the d20 of an Offense check.")),
    "dv": ExplainedTerm(_("DV"), _("Defense Value: what an enemy’s Offense check must exceed.")),
    "morale": ExplainedTerm(
        _("Morale"), _("From −4 to +4: how willing an army is to fight. It counts in morale checks.")
    ),
    "tactic": ExplainedTerm(
        _("Tactic"), _("How an army fights, such as standard, dirty fighters or taunt. Commanders teach more of them.")
    ),
    "strategy": ExplainedTerm(
        _("Strategy"),
        _("How bold an army is, from defensive to reckless: more OM and damage, less DV, or the reverse."),
    ),
    "boon": ExplainedTerm(_("Boon"), _("What a commander can do for their army, such as healing or a second tactic.")),
    "rout": ExplainedTerm(
        _("Rout check"), _("A morale check when an army’s hit points fall to its ACR or below. If it fails, it flees.")
    ),
    "hold": ExplainedTerm(_("Hold"), _("An order without a target: the army attacks nobody in this phase.")),
}


FLEXIBLE = "flexible-tactics"
ANIMAL, DRAGON, BEASTS = "animal", "dragon", ("animal", "magical-beast", "vermin")
TAGGED: tuple[tuple[Trait, TroopTag], ...] = (
    (t.FLIES, "flies"),
    (t.MOUNTED, "rides"),
    (t.ROCKS, "throws-rocks"),
    (t.RANGED, "shoots"),
    (t.UNDEAD, "undead"),
    (t.MINDLESS, "mindless"),
    (t.MOBILITY, "infiltrates"),
    (t.INVISIBLE, "infiltrates"),
    (t.BURROWS, "infiltrates"),
    (t.EARTH_GLIDES, "infiltrates"),
)
BY_ABILITY: Mapping[str, TroopTag] = {
    "breath-weapon": "breathes-fire", "invisibility": "unseen", "spell-resistance": "magic-proof",
    "damage-reduction": "hard-to-hurt", "incorporeal": "hard-to-hurt", "regeneration": "hard-to-hurt",
    "aura-of-courage": "inspires", "inspire-courage": "inspires", "fear": "frightens",
    "unnatural-aura": "unnatural", "bravery": "brave",
}  # fmt: skip
BASE_DV = 10
"""DV of an unprotected army of ACR 0 (PF-1.5)."""


def _nameless(unit: UnitSpec) -> UnitSpec:
    return replace(unit, name="", abilities=tuple(sorted(unit.abilities, key=lambda choice: choice.ability)))


GIANTS = tuple(_nameless(kind.unit) for kind in UNITS.values() if kind.family == "giants")
"""Units of the library that are giants, without their names. Giants have no creature type of their own, so equal units
count as giants whatever their name.
"""


def muster_of(law: Rulebook, spec: ArmySpec) -> Muster:
    """Convert an army into a muster. Raises `InvalidInput` if its units are too few for an army."""
    size, acr = rating_of(spec)
    profile = compile_profile(law, spec, spec.unit.abilities)
    hp_max = hp_max_of(spec, acr)
    troops = MusteredTroops(
        spec.unit.name,
        spec.count,
        spec.count,
        parse_cr(spec.unit.cr).exact,
        frozenset(_tags(law, spec, profile)),
        army_sheet(law, spec).dv.total - BASE_DV - acr.floor,
    )
    leader = spec.commander if spec.commander is not None and spec.commander.active else None
    return Muster(
        spec.id,
        spec.name,
        spec.kingdom,
        size.slug,
        (troops,),
        hp_max if spec.hp is None else min(spec.hp, hp_max),
        hp_max,
        spirit=spec.morale,
        caster=profile.values.get("spellcasting", 0),
        leader=_leader(law, leader) if leader else None,
    )


def _tags(law: Rulebook, spec: ArmySpec, profile: Profile) -> Iterator[TroopTag]:
    yield from (tag for trait, tag in TAGGED if trait in profile.traits)
    named = (law.abilities[slug].like or slug for slug in profile.choices)
    yield from (BY_ABILITY[slug] for slug in named if slug in BY_ABILITY)
    creature = spec.unit.creature_type
    if creature == DRAGON:
        yield "dragon"
    if creature in BEASTS:
        yield "beast"
    if creature == ANIMAL:
        yield "animal"
    if _nameless(spec.unit) in GIANTS:
        yield "giant"
    if creature == "undead":
        yield "undead"
    if "C" in spec.unit.alignment:
        yield "chaotic"
    if any(spec.resources.get(slug) and not law.resources[slug].off for slug in ARMOUR):
        yield "armored"


def _leader(law: Rulebook, spec: CommanderSpec) -> MusteredLeader:
    sheet = commander_sheet(law, spec)
    flexible = any(state.active and state.boon.slug == FLEXIBLE for state in sheet.boons)
    return MusteredLeader(spec.id, spec.name, sheet.leadership.total, flexible)


# Market: what an army may buy, and the price (PF-5).


@dataclass(frozen=True, slots=True)
class Price:
    """Price of a resource: `bp` once, and `consumption` in BP a week while the army has it (PF-5)."""

    bp: int
    consumption: int


def price(law: Rulebook, spec: ArmySpec, resource: str, quantity: int = 1) -> Price:
    """Return the price for this army (PF-5). Mounts cost their CR, at least 1 (R-3), or nothing if the house rules make
    them free (R-83).
    """
    item, (size, _acr) = law.resources[resource], rating_of(spec)
    base = item.price
    if resource == "mounts" and base and spec.mount is not None and spec.mount.cr is not None:
        base = max(base, int(parse_cr(spec.mount.cr, "/mount/cr").exact))
    if not item.scaled:
        return Price(base * quantity, item.consumption * quantity)
    return Price(scaled(base, size) * quantity, scaled(item.consumption, size))


def unfit(law: Rulebook, unit: UnitSpec, item: Resource) -> bool:
    """Whether these soldiers cannot use the resource: the mindless no engines, animals no potions
    or weapons (PF-5.1).
    """
    return unit.creature_type in item.unfit or ("mindless" in item.unfit and law.mindless(unit.abilities))


def refuse_resource(law: Rulebook, spec: ArmySpec, resource: str, quantity: int = 1) -> None:
    """Raise `IllegalCommand` if the army cannot use the resource or has it already (PF-5, PF-5.1)."""
    item = law.resources.get(resource)
    if item is None:
        raise IllegalCommand(say(_("Resource “{slug}” not found."), slug=resource), "/resource")
    require(not item.off, SWITCHED_OFF, field="/resource", item=item.name)
    able = not unfit(law, spec.unit, item)
    require(able, _("This army can’t use {resource}."), field="/resource", resource=item.name)
    held = {slug for slug, quantity in spec.resources.items() if quantity > 0}
    require(item.several or resource not in held, _("This army already has {resource}."),
            field="/resource", resource=item.name)  # fmt: skip
    require(
        item.several or quantity == 1,
        _("An army can only have {resource} once."),
        field="/quantity",
        resource=item.name,
    )
    better = next((r for r in law.resources.values() if r.replaces == resource and r.slug in held), None)
    require(better is None, _("This army already has something better: {better}."), field="/resource",
            better=better.name if better else "")  # fmt: skip


REMEMBERED = 4096  # most cached sheets, and units, of one ruleset


def _once[Key, Value](known: dict[Key, Value], key: Key, reckon: Callable[[], Value]) -> Value:
    """Return the cached value, or compute it. The cache is read only once, because another thread may clear it in
    between.
    """
    if (found := known.get(key)) is not None:
        return found
    if len(known) >= REMEMBERED:
        known.clear()
    return known.setdefault(key, reckon())


@dataclass(frozen=True, eq=False)
class Ruleset(Rulebook):
    """Ruleset of mass combat, as apps know it (`rules.law.Law`)."""

    @property
    def about(self) -> Said:
        """One sentence that describes the ruleset, shown where a ruleset is chosen."""
        return ABOUT if self.slug == COMBAT_DE_MASSE.slug else ABOUT_ORIGINAL

    @property
    def terms(self) -> Mapping[str, ExplainedTerm]:
        return TERMS

    def changes_since(self, version: str) -> tuple[Said, ...]:
        """Return what has changed since that version, oldest first."""
        return since(HISTORY, version)

    @cached_property
    def battle(self) -> BattleLaw:
        """The law of battles (PF-3)."""
        return Battles(self, forecast=Prospects())

    @cached_property
    def workshop(self) -> WorkshopLaw:
        """The law of hypothetical battles (PF-3)."""
        return Workshop(self)

    @property
    def house_rules(self) -> HouseRules:
        """House rules a campaign may set (PF-HOUSE)."""
        return HOUSE_RULES

    @cached_property
    def realm(self) -> RealmLaw:
        """The law of kingdoms (PF-8)."""
        return Realm(self)

    @cached_property
    def catalogues(self) -> Mapping[str, Catalogue]:
        """Catalogues of the codex, by kind."""
        return catalogues_of(self)

    @cached_property
    def armies(self) -> SheetLaw:
        """The law of army documents (PF-1)."""
        return ArmyDocuments(self)

    @property
    def adjustable(self) -> Adjustable:
        """Figures of armies that the GM may adjust (PF-3.12)."""
        return ADJUSTABLE

    @cached_property
    def travel(self) -> TravelLaw:
        """The law of marches over the map (PF-1.8)."""
        return Travel(self)

    # sheets
    def sheet(self, spec: ArmySpec) -> Sheet:
        """Return every figure of an army (PF-1). Cached, because lists on every page need many."""
        return _once(self._sheets, repr(spec), lambda: army_sheet(self, spec))

    def unit(self, data: Mapping[str, Any]) -> UnitSpec:
        """Parse a unit as stored. Raises `InvalidInput` with a JSON pointer for every problem. Cached."""
        return _once(self._units, repr(data), lambda: unit_from_json(data, self))

    @cached_property
    def _sheets(self) -> dict[str, Sheet]:
        return {}

    @cached_property
    def _units(self) -> dict[str, UnitSpec]:
        return {}

    def commander_sheet(self, spec: CommanderSpec) -> leadership.CommanderSheet:
        return leadership.commander_sheet(self, spec)

    def check_commander(self, spec: CommanderSpec) -> None:
        leadership.check_commander(self, spec)

    def check_boon_learned(self, spec: CommanderSpec, boon: str, tactic: str | None = None) -> None:
        leadership.check_boon_learned(self, spec, boon, tactic)

    # resources
    def price(self, spec: ArmySpec, resource: str, quantity: int = 1) -> Price:
        return price(self, spec, resource, quantity)

    def refuse_resource(self, spec: ArmySpec, resource: str, quantity: int = 1) -> None:
        refuse_resource(self, spec, resource, quantity)

    def unfit(self, unit: UnitSpec, resource: str) -> bool:
        return resource in self.resources and unfit(self, unit, self.resources[resource])

    # tactics
    def tactics_of(self, spec: ArmySpec) -> tuple[str, ...]:
        return sheet.tactics_of(self, spec)

    def bonus_tactics(self, spec: ArmySpec) -> list[str]:
        return sheet.bonus_tactics(self, spec)

    def learn_tactic_refusal(self, spec: ArmySpec, tactic: str, granted: bool = False) -> Said | None:
        return sheet.learn_tactic_refusal(self, spec, tactic, granted)


# The two rulesets: the documents' own, and the amendments of the English original (PF-VAR).

ABOUT = _("Armies and kingdoms for Pathfinder: each army fights as one, phase by phase, with tactics and commanders.")
ABOUT_ORIGINAL = _("The same rules as first published in English, with their few differences.")

COMBAT_DE_MASSE = Ruleset("combat-de-masse", _("Mass combat"), VERSION)

_EARLY = For("withdraw") & Is("has-attacked-early")
ULTIMATE_CAMPAIGN = COMBAT_DE_MASSE.amend(
    slug="ultimate-campaign",
    name=_("Mass combat, English original"),
    version=VERSION,
    resources={"improved-weapons": replace(RESOURCES["improved-weapons"], price=5)},
    offices={
        "royal-enforcer": replace(OFFICES["royal-enforcer"], boons=("bonus-tactic", "merciless", "sharpshooter")),
    },
    abilities={
        "evasion": replace(ABILITIES["evasion"], class_levels="monk 2, rogue 2"),
        "brew-potion": replace(ABILITIES["brew-potion"], class_levels="alchemist 1"),
        "inspire-courage": replace(
            ABILITIES["inspire-courage"],
            summary=_("OM +1, and +2 on morale checks against fear and rout, for itself or one ally."),
            use=Use(per="phase", target="ally", mark="inspired", self_mark="sings-for-ally", on_target=True),
        ),
    },
    boons={
        "hit-and-run": replace(
            BOONS["hit-and-run"],
            summary=_(
                "After attacking in a ranged phase or its first melee phase: +2 to withdraw, or +4 at leadership 10+."
            ),
            modifiers=(Modifier(Stat.MORALE, +2, when=_EARLY),),
            tier_modifiers=(Modifier(Stat.MORALE, +4, when=_EARLY),),
        ),
    },
)
