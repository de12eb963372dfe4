"""Ruleset object of THUCIDIDE fantasy, the entry point for the apps, and its catalogues."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property, partial
from typing import Any

from rules.adjustments import Adjustable
from rules.core.content import Item
from rules.core.text import Said, Term, _, by_number, say, signed
from rules.hexes.terrain import MAP_RULINGS
from rules.house import HouseRules
from rules.law import BattleLaw, Catalogue, ExplainedTerm, Law, LawHistory, since
from rules.thucidide_fantasy.arsenal import TRAITS
from rules.thucidide_fantasy.battle.law import FantasyBattles
from rules.thucidide_fantasy.documents import ContingentDocuments
from rules.thucidide_fantasy.figures import ADJUSTABLE, Tables
from rules.thucidide_fantasy.grimoire import APPEALS, INTERVENTIONS
from rules.thucidide_fantasy.house import HOUSE_RULES, house_of, tables_of
from rules.thucidide_fantasy.rulings import READINGS, RULES
from rules.thucidide_fantasy.spec import (
    CHAIN,
    ELEMENT,
    ENEMY,
    ENEMY_OR_HEX,
    ENEMY_UNDEAD,
    FREE_HEX,
    FRIEND,
    GRAVE,
    HEX,
    NEXT,
    NOTHING,
    NOW,
    TWO,
    UNIT,
    UNIT_OR_HEX,
    WHILE,
    CharacterKind,
    CommandLevel,
    CounterOrder,
    DivineResult,
    Experience,
    HitLevel,
    House,
    MoveRate,
    Rank,
    Spell,
    Trait,
    TroopKind,
    TroopType,
    TroopWeight,
    Weapon,
)
from rules.thucidide_fantasy.starter import CHARACTERS, FACE_ITEMS, KINDS, LEVELS, ORDERS, RANKS, WEIGHTS

# Catalogues of THUCIDIDE fantasy: the items a reader can look up, by kind, with their figures in words.

FIGURES = (
    "kind", "weight", "stands", "weapon", "missile", "experience", "points", "assault", "melee", "shot", "range",
    "fire", "natural", "move", "calm", "fixed", "level", "hits", "confirms", "advantage", "dice", "number", "aura",
    "temper", "of_animals", "pursues", "retreat", "flight", "reach", "influence", "counters", "cost", "per_hex", "on",
    "character", "lasts", "effect", "trait", "times", "advantages", "least", "most",
)  # fmt: skip

TARGETS: Mapping[str, Term] = {
    FRIEND: _("on a friendly unit"), ENEMY: _("on an enemy unit"), UNIT: _("on any unit"), HEX: _("on a hex"),
    FREE_HEX: _("on a free hex"), ELEMENT: _("on a patch of terrain"), UNIT_OR_HEX: _("on a unit or a hex"),
    ENEMY_OR_HEX: _("on an enemy unit or a hex"), ENEMY_UNDEAD: _("on enemy undead"),
    GRAVE: _("on an empty hex where a unit fell"), CHAIN: _("on 4 empty hexes in a chain"), NOTHING: _(
        "without a target"
    ),
}  # fmt: skip
DURATIONS: Mapping[str, Term] = {
    NOW: _("immediate"), NEXT: _("until the end of the caster’s next spell phase"),
    TWO: _("until the end of the caster’s second spell phase"), WHILE: _("until it ends on its own"),
}  # fmt: skip
COLORS_HIT = by_number("hit by {count} color", "hit by {count} colors")
COLORS_CONFIRM = by_number("confirmed by {count} color", "confirmed by {count} colors")
STANDS = by_number("{count} stand", "{count} stands")
DICE = by_number("{count} die", "{count} dice")
MORE_DICE = by_number("{shown} die", "{shown} dice")
COUNTERS = by_number("{count} counter", "{count} counters")
FLIGHT = by_number("flees {count} hex", "flees {count} hexes")
RETREAT = by_number("retreats {count} hex for each flag", "retreats {count} hexes for each flag")
REACH = by_number("commands within {count} hex", "commands within {count} hexes")
RANGE = by_number("within {count} hex", "within {count} hexes")


def catalogues_of(tables: Tables) -> dict[str, Catalogue]:
    """All catalogues, with the figures of a campaign's tables."""
    found: dict[str, tuple[Term, Mapping[str, Item]]] = {
        "troops": (_("Troops"), tables.troops),
        "weapons": (_("Weapons"), tables.weapons),
        "traits": (_("Traits and tempers"), TRAITS),
        "experiences": (_("Experience"), tables.experiences),
        "kinds": (_("Kinds of troops"), KINDS),
        "weights": (_("Weights"), WEIGHTS),
        "moves": (_("Moves"), tables.moves),
        "hits": (_("Levels of protection"), tables.hits),
        "faces": (_("Faces of the die"), FACE_ITEMS),
        "characters": (_("Characters"), CHARACTERS),
        "ranks": (_("Ranks"), RANKS),
        "levels": (_("Command levels"), LEVELS),
        "orders": (_("Maneuver orders"), ORDERS),
        "spells": (_("Spells"), tables.spells),
        "appeals": (_("Appeals to the gods"), APPEALS),
        "interventions": (_("Interventions of the gods"), INTERVENTIONS),
        "rules": (_("Rules"), {**RULES, **READINGS, **MAP_RULINGS}),
    }
    facts = partial(_tell_facts, tables)  # partial instead of a closure, so that the catalogue can be pickled
    return {kind: Catalogue(label, items, facts, FIGURES, _members) for kind, (label, items) in found.items()}


def _tell_facts(tables: Tables, item: Any) -> Iterator[Said]:
    """The figures of an item in words. Troops and spells name weapons as the campaign's tables do."""
    match item:
        case TroopType():
            yield from _of_troop(item, tables)
        case Spell():
            yield from _of_spell(item, tables)
        case _:
            yield from _plain(item)


def _plain(item: Any) -> Iterator[Said]:
    match item:
        case Weapon():
            yield from _of_weapon(item)
        case MoveRate():
            yield from _of_rate(item)
        case HitLevel():
            yield say(COLORS_HIT, count=item.hits)
            if item.confirms:
                yield say(COLORS_CONFIRM, count=item.confirms)
            if item.advantage:
                yield _("hit by advantages")
        case Experience():
            yield say(MORE_DICE, shown=signed(item.dice), count=abs(item.dice))
            yield say(_("points {points}"), points=item.points)
        case TroopKind():
            yield say(RETREAT, count=item.retreat)
            if item.pursues:
                yield _("pursues")
        case TroopWeight():
            yield say(_("level {level}"), level=item.level)
        case _:
            yield from _of_command(item)


def _of_command(item: Any) -> Iterator[Said]:
    match item:
        case CharacterKind():
            if item.flight:
                yield say(FLIGHT, count=item.flight)
            if item.points:
                yield say(_("points {points}"), points=item.points)
        case Rank():
            yield say(REACH, count=item.reach)
            yield say(_("influence {influence}"), influence=item.influence)
        case CommandLevel():
            yield say(COUNTERS, count=item.counters)
        case CounterOrder():
            yield say(COUNTERS, count=item.cost)
            if item.per_hex:
                yield _("for each hex")
        case DivineResult():
            shown = str(item.least) if item.least == item.most else f"{item.least}–{item.most}"
            yield say(_("2D6: {shown}"), shown=shown)
        case Trait():
            if item.number:
                yield say(_("number {number}"), number=item.number)
            if item.aura:
                yield _("aura")


def _of_weapon(item: Weapon) -> Iterator[Said]:
    if item.shoots:
        yield say(_("shot {shot}, range {range}"), shot=item.shot, range=item.range)
    else:
        yield say(_("assault {assault}, melee {melee}"), assault=item.assault, melee=item.melee)
    if item.fire:
        yield _("fire")


def _of_rate(item: MoveRate) -> Iterator[Said]:
    yield say(_("move {move}"), move=item.move)
    if item.calm != item.move:
        yield say(_("{calm} without fighting"), calm=item.calm)
    if item.fixed:
        yield _("never farther")


def _of_troop(item: TroopType, tables: Tables) -> Iterator[Said]:
    yield KINDS[item.kind].name
    yield WEIGHTS[item.weight].name
    yield say(STANDS, count=item.stands)
    for slug in filter(None, (item.weapon, item.missile)):
        weapon = tables.weapons[slug]
        yield say(_("{weapon} ({figures})"), weapon=weapon.name, figures=list(_of_weapon(weapon)))
    yield tables.experiences[item.experience].name
    yield from (TRAITS[one.trait].name for one in item.traits)
    yield say(_("points {points}"), points=item.points)


def _of_spell(item: Spell, tables: Tables) -> Iterator[Said]:
    yield say(_("cost {cost}"), cost=item.cost)
    yield TARGETS[item.on]
    if item.character:
        yield _("or on a character")
    if item.on != NOTHING:
        yield say(RANGE, count=item.range)
    yield DURATIONS[item.lasts]
    if item.trait:
        yield TRAITS[item.trait].name
    if item.weapon:
        weapon = tables.weapons[item.weapon]
        yield say(_("{times} × {weapon} ({figures})"), times=item.times, weapon=weapon.name,
                  figures=list(_of_weapon(weapon)))  # fmt: skip
    if item.dice > 0:
        yield say(DICE, count=item.dice)
    elif item.dice:
        yield say(MORE_DICE, shown=signed(item.dice), count=abs(item.dice))


def _members(item: Any) -> dict[str, Any]:
    """Further members of an item in the API."""
    told: dict[str, Any] = {"mark": str(item.mark)}
    if isinstance(item, TroopType):
        told["traits"] = [one.trait for one in item.traits]
    return told


# Ruleset object of THUCIDIDE fantasy, the entry point for the apps.

HISTORY: LawHistory = (("1", _("First version")),)
VERSION = HISTORY[-1][0]


TERMS: Mapping[str, ExplainedTerm] = {
    "contingent": ExplainedTerm(_("Contingent"), _("Units and characters under one general. In a campaign, one army.")),
    "stand": ExplainedTerm(_("Stand"), _("What a unit is made of and loses. A unit without stands is destroyed.")),
    "flags": ExplainedTerm(
        _("Flags"),
        _(
            "Each flag means a retreat of 1 hex, or 2 for mounted troops. Each hex the unit can’t retreat costs a "
            "stand."
        ),
    ),
    "activation": ExplainedTerm(
        _("Activation"), _("A leader chooses units within command range. Only these move and open combats this turn.")
    ),
    "counters": ExplainedTerm(
        _("Command counters"), _("What orders cost. A general starts with some; combats earn more.")
    ),
    "victory-number": ExplainedTerm(_("Victory number"), _("How many enemy units a side has to destroy to win.")),
}


class ThucidideFantasy(Law):
    """Ruleset (`rules.law.Law`) of fantasy battles on a hex map with units of stands, heroes and casters."""

    slug = "thucidide-fantasy"
    name = _("THUCIDIDE fantasy")
    about = _(
        "Fantasy battles on a hex map with heroes, magic and gods. Each turn leaders activate a few of their units."
    )
    version = VERSION
    family = "thucidide_fantasy"
    terms = TERMS

    def __init__(self, house: House | None = None):
        self._house = house or House()

    @property
    def house(self) -> House:
        """The house rules of this campaign."""
        return self._house

    def changes_since(self, version: str) -> tuple[Said, ...]:
        return since(HISTORY, version)

    def with_house(self, stored: Mapping[str, Any]) -> ThucidideFantasy:
        return ThucidideFantasy(house_of(stored))

    @property
    def house_rules(self) -> HouseRules:
        return HOUSE_RULES

    @cached_property
    def tables(self) -> Tables:
        """Troops, weapons, moves, hits and spells, with the campaign's changes and own items."""
        return tables_of(self.house.overlay, self.house.own)

    @cached_property
    def catalogues(self) -> Mapping[str, Catalogue]:
        return catalogues_of(self.tables)

    @cached_property
    def armies(self) -> ContingentDocuments:
        """Army documents (C-3)."""
        return ContingentDocuments(self.tables, self.house)

    @property
    def adjustable(self) -> Adjustable:
        """Figures of armies that the GM may adjust."""
        return ADJUSTABLE

    @cached_property
    def battle(self) -> BattleLaw:
        """The battle law."""
        return FantasyBattles(self.house, self.tables)


THUCIDIDE_FANTASY = ThucidideFantasy()
