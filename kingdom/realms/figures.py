"""Figures of kingdoms and settlements with their breakdowns, by the campaign's ruleset."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from uuid import UUID

from drf_spectacular.extensions import OpenApiSerializerExtension
from rest_framework import serializers

from core.text import load_said
from kingdom.api.fields import WholeField
from kingdom.campaign import house_rules
from kingdom.chronicle import changes as chronicle_changes
from kingdom.models import Campaign, ChronicleEntry, Kingdom, Settlement
from rules.core.breakdown import Breakdown
from rules.core.content import Item
from rules.core.text import Said, Term, _
from rules.realm import RealmLaw, SheetFigure, Ware, attributes_of
from rules.registry import RULESETS
from rules.registry import ruleset as find_ruleset

NO_TREASURY, NEEDS_COMMANDERS = "without_treasury", "needs_commanders"
SWITCHES: Mapping[str, Term] = {
    NO_TREASURY: _("No treasury"),
    NEEDS_COMMANDERS: _("Commanders needed"),
}
"""The GM's switches of a kingdom, by column."""


def get_ruleset(campaign: Campaign) -> Any:
    """Return the campaign's ruleset with its house rules applied."""
    return find_ruleset(campaign.ruleset, campaign.house_rules)


def get_realm_law(campaign: Campaign) -> RealmLaw:
    """Return the ruleset's rules for kingdoms."""
    realm: RealmLaw = get_ruleset(campaign).realm
    return realm


def list_switches(realm: RealmLaw) -> tuple[str, ...]:
    """Return the GM's switches of kingdoms that matter under these rules."""
    return tuple(SWITCHES) if realm.leaderless else (NO_TREASURY,)


def house_rules_of(campaign: Campaign) -> dict[str, Any]:
    """Return every house rule with its value."""
    return house_rules.all_house_rules(campaign.house_rules, campaign.ruleset)


def count_districts(kingdom: Kingdom) -> int:
    """Return the number of districts: those of the settlements, or the number on the sheet if that is greater.

    So a kingdom without recorded settlements keeps its number, and a recorded settlement always counts.
    """
    counted: int | None = getattr(kingdom, "town_districts", None)  # annotated on the campaign's page
    if counted is None:
        counted = sum(settlement.districts for settlement in kingdom.settlements.all())
    return max(kingdom.districts, counted)


def read_figures(kingdom: Kingdom) -> dict[str, int | None]:
    """Return the figures on the kingdom's sheet by slug. Reads the settlements: prefetch them for lists."""
    known = get_realm_law(kingdom.campaign).sheet
    return {slug: count_districts(kingdom) if slug == "districts" else getattr(kingdom, slug) for slug in known}


def derive_figures(kingdom: Kingdom) -> Mapping[str, Breakdown]:
    """Return the figures derived from the sheet, by the ruleset's slugs. Reads the settlements: prefetch them for
    lists.
    """
    return get_realm_law(kingdom.campaign).derive(read_figures(kingdom))


def check_target(kingdom: Kingdom) -> int:
    """Return the default DC of a kingdom check; 0 if the ruleset has no checks."""
    checks = get_realm_law(kingdom.campaign).checks
    return derive_figures(kingdom)[checks.target].total if checks else 0


def compute_defense(settlement: Settlement) -> Breakdown | None:
    """Return the settlement's Defense; None if the ruleset has no such figure."""
    realm = get_realm_law(settlement.kingdom.campaign)
    return realm.defense(settlement.buildings, settlement.defense_override)


def buildings_of(kingdom: Kingdom) -> set[str]:
    """Return the slugs of all buildings in the kingdom's settlements."""
    if "settlements" in getattr(kingdom, "_prefetched_objects_cache", ()):
        return {slug for settlement in kingdom.settlements.all() for slug in settlement.buildings}
    rows = Settlement.objects.filter(kingdom=kingdom).order_by().values_list("buildings", flat=True)
    return {slug for buildings in rows for slug in buildings}


# Serializer fields of kingdom figures. All rulesets share one schema; each kingdom shows the figures of its own.


def list_realm_laws() -> Iterator[RealmLaw]:
    return (law.realm for law in RULESETS.values())


def sheet_figures() -> dict[str, SheetFigure]:
    """Return the sheet figures of all rulesets with the widest limits, optional ones last."""
    found: dict[str, SheetFigure] = {}
    for slug, figure in (pair for realm in list_realm_laws() for pair in realm.sheet.items()):
        known = found.get(slug, figure)
        found[slug] = replace(known, least=min(known.least, figure.least), most=max(known.most, figure.most))
    return dict(sorted(found.items(), key=lambda pair: pair[1].optional))


def list_derived_figures() -> tuple[str, ...]:
    return tuple(dict.fromkeys(slug for realm in list_realm_laws() for slug in realm.derived))


def attributes() -> tuple[str, ...]:
    return tuple(dict.fromkeys(slug for realm in list_realm_laws() for slug in attributes_of(realm)))


FRAME = ("treasury", "players", "arms")


def members_of(realms: Iterable[RealmLaw], frame: tuple[str, ...] = FRAME) -> tuple[str, ...]:
    """Return the names of a kingdom's fields under these rulesets, in order."""
    realms = tuple(realms)
    switches = tuple(dict.fromkeys(name for realm in realms for name in list_switches(realm)))
    known = {slug for realm in realms for slug in realm.sheet}
    sheet = {slug: figure for slug, figure in sheet_figures().items() if slug in known}
    derived = dict.fromkeys(slug for realm in realms for slug in realm.derived)
    alignment = ("alignment",) if any(realm.alignments for realm in realms) else ()
    own = (slug for slug, figure in sheet.items() if not figure.gm)
    gms = (slug for slug, figure in sheet.items() if figure.gm)
    return ("id", "campaign", "name", *alignment, *own, *derived, *gms, *switches, *frame)


def figure_field(figure: SheetFigure) -> WholeField:
    limits: dict[str, Any] = {"min_value": figure.least, "max_value": figure.most}
    return WholeField(required=False, allow_null=figure.optional, **limits)


class AttributeField(serializers.ChoiceField):
    """Attribute of a kingdom check, in any ruleset."""

    def __init__(self, **options: Any):
        super().__init__(choices=attributes(), **options)


class CheckDieField(WholeField):
    """Result of the largest die any ruleset uses for kingdom checks. The service checks against the campaign's own."""

    def __init__(self, **options: Any):
        sides = max((realm.checks.sides for realm in list_realm_laws() if realm.checks), default=1)
        super().__init__(min_value=1, max_value=sides, **options)


class PartlyToldSchema(OpenApiSerializerExtension):
    """Schema extension: only fields that every kingdom has are required."""

    target_class = "kingdom.campaign.serializers.PartlyTold"
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: Any) -> Any:
        schema = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        untold = self.target.untold_sometimes()
        required = [name for name in schema.get("required", ()) if name not in untold]
        return {**schema, "required": required} if required else schema


# History of a kingdom: changes of its attributes, and losses by defeats.

ENTRIES = 200

type EntryChanges = Iterable[tuple[ChronicleEntry, list[chronicle_changes.Change]]]


class HistoryLine(NamedTuple):
    """A change of one attribute, with its cause."""

    day: int
    field: str
    word: Said
    before: int
    after: int
    why: Any
    rule: str
    by: str
    entry: UUID
    battle: UUID | None

    @property
    def step(self) -> int:
        return self.after - self.before


class Defeat(NamedTuple):
    """The losses of one defeat, by attribute."""

    day: int
    why: Any
    by_attribute: tuple[tuple[Said, int], ...]
    battle: UUID | None


@dataclass(frozen=True, slots=True)
class History:
    """History, newest first. `lost`: the losses of all defeats by attribute; `rule`: the rule id of those losses."""

    lines: tuple[HistoryLine, ...]
    defeats: tuple[Defeat, ...]
    attributes: tuple[Said, ...]
    rule: str

    @property
    def lost(self) -> tuple[tuple[Said, int], ...]:
        together: dict[Said, int] = dict.fromkeys(self.attributes, 0)
        for word, loss in (pair for defeat in self.defeats for pair in defeat.by_attribute):
            together[word] += loss
        return tuple(together.items())


def load_history(kingdom: Kingdom) -> History:
    """Return the changes of the latest entries that are not undone. One query."""
    entries = ChronicleEntry.objects.filter(
        campaign=kingdom.campaign_id,
        undone_at=None,
        changes__contains=[{"subject_kind": "kingdom", "subject_id": str(kingdom.pk)}],
    )
    latest = list(entries.select_related("by").order_by("-seq")[:ENTRIES])
    realm = get_realm_law(kingdom.campaign)
    changes = [(entry, _changes(kingdom, realm, entry)) for entry in latest]
    defeats = tuple(_defeats(realm, changes))
    return History(tuple(_lines(changes)), defeats, tuple(attributes_of(realm).values()), realm.defeat_rule)


def _changes(kingdom: Kingdom, realm: RealmLaw, entry: ChronicleEntry) -> list[chronicle_changes.Change]:
    ours = ("kingdom", str(kingdom.pk))
    told = {slug for slug, figure in realm.sheet.items() if figure.remembered}
    return [
        change for change in chronicle_changes.list_changes(entry) if change.place[:2] == ours and change.field in told
    ]


def _lines(entries: EntryChanges) -> Iterable[HistoryLine]:
    for entry, changes in entries:
        for change in reversed(changes):
            word = chronicle_changes.word_of("kingdom", change.field)
            why = load_said(entry.text) if change.label == word else change.label
            yield HistoryLine(entry.day, change.field, word, change.before, change.after, why, change.rule,
                              str(entry.by or ""), entry.pk, entry.battle_id)  # fmt: skip


def _defeats(realm: RealmLaw, entries: EntryChanges) -> Iterable[Defeat]:
    """Yield one defeat for each army lost in a battle. Its lines share their label."""
    words = attributes_of(realm)
    for entry, changes in entries:
        lost: dict[str, dict[str, int]] = defaultdict(dict)
        labels = {}
        for change in changes:
            if realm.defeat_rule and change.rule == realm.defeat_rule:
                labels[str(change.label)] = change.label
                lost[str(change.label)][change.field] = change.after - change.before
        for label, steps in lost.items():
            losses = tuple((word, steps.get(slug, 0)) for slug, word in words.items())
            yield Defeat(entry.day, labels[label], losses, entry.battle_id)


# Requirements of purchases: which buildings a kingdom needs to buy a ware for its armies.


class Seller(NamedTuple):
    """A building that sells the ware, and the names of the settlements where it stands."""

    building: Term
    towns: tuple[str, ...]


class Need(NamedTuple):
    """A ware for armies: its sellers, or the missing buildings that would sell it. Without `needs` it requires no
    building.
    """

    item: Item
    sellers: tuple[Seller, ...]
    missing: tuple[Term, ...]
    needs: bool

    @property
    def open(self) -> bool:
        return bool(self.sellers) or not self.needs


def needs_of(kingdom: Kingdom) -> tuple[Need, ...]:
    """Return every ware of the campaign's ruleset. Reads the settlements: prefetch them."""
    realm = get_realm_law(kingdom.campaign)
    return tuple(_need(kingdom, ware, realm.buildings) for ware in realm.wares)


def _need(kingdom: Kingdom, ware: Ware, buildings: Mapping[str, Item]) -> Need:
    known = [slug for slug in ware.buildings if slug in buildings]
    found = tuple(Seller(buildings[slug].name, towns) for slug in known if (towns := _towns_with(kingdom, slug)))
    missing = () if found else tuple(buildings[slug].name for slug in known)
    return Need(ware.item, found, missing, not ware.free)


def _towns_with(kingdom: Kingdom, slug: str) -> tuple[str, ...]:
    return tuple(town.name for town in kingdom.settlements.all() if slug in town.buildings)


def unlocked_by(kingdom: Kingdom, standing: list[str]) -> tuple[Term, ...]:
    """Return the names of the wares that these buildings sell."""
    there = set(standing)
    return tuple(ware.item.name for ware in get_realm_law(kingdom.campaign).wares if there & set(ware.buildings))
