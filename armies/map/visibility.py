"""Visibility on a campaign's map: the hexes, kingdoms, towns and armies that a user may see, and the places (in words)
of others' armies that are not on the map. Pages, pictures, tables and the API use only this.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from uuid import UUID

from django.utils.translation import gettext as _

from armies.forces.access import filter_known, get_knowledge
from armies.forces.busy import Engaged, find_engaged
from armies.models import Army, Sighting, rows_of
from core.text import render
from kingdom.access.queries import is_gm, list_assigned, reads_all, run_kingdom_ids
from kingdom.access.redaction import build_told_condition
from kingdom.campaign.page import SIDES
from kingdom.map.fog_services import hexes_around, watched_by
from kingdom.map.queries import ALL, Eyes, MapState, find_hex, find_map, load_eyes, load_map_state, towns_seen
from kingdom.models import Campaign, CampaignMap, Kingdom, Knowledge, Settlement, User
from kingdom.models.base import Natural, make_natural_key
from kingdom.models.heraldry import Arms
from kingdom.realms.figures import get_ruleset
from kingdom.templatetags.look import health_left
from rules.core.errors import Refusal
from rules.core.text import NO_WORDS, Said
from rules.core.viewers import word_outside_battle
from rules.hexes.geometry import Hex, label_of
from rules.hexes.mapfile import HexMap

# Visibility on a campaign's map: the hexes, kingdoms, towns and armies that a user may see.
#
# Pages, pictures, tables and the API use only this.

SHORT = 8  # length of an army's short id in addresses


class RealmOnMap(NamedTuple):
    """A kingdom of the campaign. `hexes`: the visible part of its claims."""

    id: UUID
    name: str
    side: str
    arms: Arms
    own: bool
    hexes: frozenset[Hex] = frozenset()


class TownOnMap(NamedTuple):
    id: UUID
    name: str
    at: Hex
    realm: RealmOnMap
    revealed: bool

    @property
    def hex(self) -> str:
        return label_of(self.at)


@dataclass(frozen=True, slots=True)
class ArmyOnMap:
    """An army where it is seen now, or where it was seen on the day `last_seen`.

    `health` and `most` are in its ruleset's unit, or as its battle tells them (`engaged`). If the reader may not read
    its sheet (`known`), they serve only for words, and its place, march and status are empty.
    `shrinks`: its losses leave its sheet.
    """

    id: UUID
    name: str
    at: Hex
    hex: str
    realm: RealmOnMap
    place: str
    status: str
    health: int
    most: int
    marching: bool
    last_seen: int | None = None
    known: int = Knowledge.ALL
    engaged: Engaged | None = None
    shrinks: bool = False

    @property
    def open(self) -> bool:
        """Whether the reader may read its sheet."""
        return self.known >= Knowledge.ALL

    @property
    def condition(self) -> str:
        """Its health in words; "" where nothing can be said of it."""
        return render(word_outside_battle(self.health, self.most, shrinks=self.shrinks and self.engaged is None))

    @property
    def short(self) -> str:
        return str(self.id)[-SHORT:]

    @property
    def broken(self) -> bool:
        """Whether it stands, but is not ready."""
        return self.status != Army.Status.READY

    @property
    def sign(self) -> str:
        """The mark behind its initials, for a state the reader should see at once."""
        return "?" if self.last_seen is not None else "!" if self.broken else "›" if self.marching else ""

    @property
    def state(self) -> str:
        """Its state in a word or two; its health where there is nothing else."""
        if self.last_seen is not None:
            return _("last seen on day {day}").format(day=self.last_seen)
        if self.broken:
            return str(Army.Status(self.status).label)
        if self.marching:
            return _("on the march")
        return f"{render(self.engaged.held)} {self.engaged.name}, {self.left}" if self.engaged else self.left

    @property
    def left(self) -> str:
        """Its health as far as the reader knows it."""
        if not self.open:
            return self.condition
        return health_left(self.health, self.most, self.engaged is not None and self.engaged.share)


@dataclass(frozen=True)
class SeenMap:
    """Everything that a user sees of the campaign's map."""

    drawn: CampaignMap
    land: MapState
    eyes: Eyes
    gm: bool
    realms: Mapping[UUID, RealmOnMap]
    towns: tuple[TownOnMap, ...] = ()
    armies: tuple[ArmyOnMap, ...] = ()
    labels: Mapping[Hex, str] = field(default_factory=dict)

    @property
    def field(self) -> HexMap:
        return self.land.field

    @property
    def met(self) -> bool:
        """Whether armies of several kingdoms are seen in one hex now."""
        there = {(army.at, army.realm.id) for army in self.armies if army.last_seen is None}
        return len(there) > len({at for at, _realm in there})

    @property
    def known(self) -> frozenset[Hex] | None:
        return self.eyes.known

    @property
    def claiming(self) -> list[RealmOnMap]:
        """Kingdoms with visible claims."""
        return [realm for realm in self.realms.values() if realm.hexes]


def load_seen_map(user: User, campaign: Campaign, drawn: CampaignMap) -> SeenMap:
    """The map as this member sees it."""
    land = load_map_state(drawn)
    towns, armies = list(towns_seen(user, campaign)), _rows(user, campaign)
    own = () if reads_all(user, campaign) or not drawn.fog else run_kingdom_ids(user, campaign)
    looking = [*((town.kingdom_id, town.hex) for town in towns), *((row.kingdom_id, row.hex) for row in armies)]
    from_where = {find_hex(land.field, label) for kingdom, label in looking if kingdom in own}
    watched = (at for place in from_where if place for at in hexes_around(land.field, place, drawn.sight))
    eyes = load_eyes(user, campaign, drawn, watched)
    realms = _realms(user, campaign, land, eyes)
    return SeenMap(
        drawn=drawn,
        land=land,
        eyes=eyes,
        gm=is_gm(user, campaign),
        realms=realms,
        towns=tuple(_towns(towns, land, eyes, realms)),
        armies=tuple(_armies(campaign, armies, land, eyes, realms)),
        labels={at: text for at, text in land.field.labels.items() if eyes.knows(at)},
    )


def eyes_for(user: User, campaign: Campaign, drawn: CampaignMap) -> Eyes:
    """The user's sight on the map, including the current sight of their armies and towns. For checks of a single hex or
    army.
    """
    if reads_all(user, campaign) or not drawn.fog:
        return ALL
    watched = watched_by(campaign, drawn, load_map_state(drawn))
    own = run_kingdom_ids(user, campaign)
    return load_eyes(user, campaign, drawn, (at for kingdom in own for at in watched.get(kingdom, ())))


def _realms(user: User, campaign: Campaign, land: MapState, eyes: Eyes) -> dict[UUID, RealmOnMap]:
    """Every kingdom by id, oldest first. All members know that it exists, and its colour."""
    kingdoms = list(Kingdom.objects.filter(campaign=campaign).order_by("id"))
    own = {kingdom.pk for kingdom in kingdoms} if is_gm(user, campaign) else run_kingdom_ids(user, campaign)
    return {
        kingdom.pk: RealmOnMap(
            kingdom.pk, kingdom.name, SIDES[place % len(SIDES)], kingdom.arms_borne, kingdom.pk in own,
            _known(land.of(kingdom.pk), eyes),
        )
        for place, kingdom in enumerate(kingdoms)
    }  # fmt: skip


def _known(hexes: frozenset[Hex], eyes: Eyes) -> frozenset[Hex]:
    return hexes if eyes.known is None else hexes & eyes.known


def _towns(
    towns: Iterable[Settlement], land: MapState, eyes: Eyes, realms: Mapping[UUID, RealmOnMap]
) -> Iterable[TownOnMap]:  # fmt: skip
    for town in towns:
        at = find_hex(land.field, town.hex)
        if at is not None and eyes.knows(at):
            yield TownOnMap(town.pk, town.name, at, realms[town.kingdom_id], town.revealed)


class ArmyRow(NamedTuple):
    """Columns that are read of an army."""

    pk: UUID
    name: str
    kingdom_id: UUID
    hex: str
    place: str
    status: str
    health: int
    health_max: int
    marching_until: int | None
    knowledge: int


def _rows(user: User, campaign: Campaign) -> list[ArmyRow]:
    """Standing armies of which the user knows at least what is seen from afar."""
    rows = rows_of(Army).filter(campaign=campaign, status__in=Army.STANDING)
    found = filter_known(user, rows, Knowledge.GLANCE).order_by(Natural("name"), "id")
    return [ArmyRow(*row) for row in found.values_list(*ArmyRow._fields)]


def _armies(
    campaign: Campaign, rows: Iterable[ArmyRow], land: MapState, eyes: Eyes, realms: Mapping[UUID, RealmOnMap]
) -> Iterable[ArmyOnMap]:  # fmt: skip
    """Armies where the user sees them, or where they were last seen."""
    remembered, engaged = _sightings(campaign, eyes), find_engaged(campaign)
    shrinks = get_ruleset(campaign).armies.shrinks
    for row in rows:
        label, place, day = row.hex, row.place, None
        at = find_hex(land.field, label)
        if row.kingdom_id not in eyes.kingdoms and (at is None or not eyes.watches(at)):
            label, day = remembered.get(row.pk, ("", None))
            at, place = find_hex(land.field, label), ""
        if at is not None:
            whole = row.knowledge >= Knowledge.ALL
            marching = day is None and row.marching_until is not None and row.marching_until > campaign.day
            held = engaged.get(row.pk) if day is None else None
            shown = held or row
            yield ArmyOnMap(
                row.pk, row.name, at, label, realms[row.kingdom_id], place if whole else "",
                row.status if whole else Army.Status.READY, shown.health, shown.health_max, marching and whole, day,
                row.knowledge, held, shrinks,
            )  # fmt: skip


def _sightings(campaign: Campaign, eyes: Eyes) -> dict[UUID, tuple[str, int]]:
    """Latest sighting of each army by the user's kingdoms: hex and day."""
    if eyes.known is None:
        return {}
    rows = Sighting.objects.filter(campaign=campaign, kingdom__in=eyes.kingdoms).order_by("day", "id")
    return {army: (label, day) for army, label, day in rows.values_list("army_id", "hex", "day")}


def hex_told(user: User, army: Army) -> str:
    """The army's hex, if a reader of its sheet sees it there now; else ""."""
    drawn = find_map(army.campaign)
    at = find_hex(load_map_state(drawn).field, army.hex) if drawn else None
    if drawn is None or at is None:
        return ""
    eyes = eyes_for(user, army.campaign, drawn)
    return army.hex if army.kingdom_id in eyes.kingdoms or eyes.watches(at) else ""


def group_by_hex(armies: Iterable[ArmyOnMap]) -> dict[Hex, list[ArmyOnMap]]:
    found: dict[Hex, list[ArmyOnMap]] = defaultdict(list)
    for army in armies:
        found[army.at].append(army)
    return found


def in_order(things: Iterable[Any]) -> list[Any]:
    """Sort objects by name; numbers within names are compared by value."""
    return sorted(things, key=lambda thing: (make_natural_key(thing.name), thing.id))


# Places of others' armies outside the map (lists, sheets, API): shown only where the user's own forces see them.


def out_of_sight(user: User, campaign: Campaign) -> frozenset[UUID]:
    """Ids of others' armies whose sheets the user may read, but not their place: under fog, nobody of the user's own
    sees them now.
    """
    if reads_all(user, campaign):
        return frozenset()
    drawn = find_map(campaign)
    if drawn is None or not drawn.fog:
        return frozenset()
    own = run_kingdom_ids(user, campaign)
    told = Army.objects.filter(build_told_condition(list_assigned(user)), campaign=campaign)
    placed = told.exclude(hex="").order_by().values_list("pk", "hex", "kingdom")
    rows = [(pk, label) for pk, label, kingdom in placed if kingdom not in own]
    if not rows:
        return frozenset()
    field, eyes = load_map_state(drawn).field, eyes_for(user, campaign, drawn)
    places = {pk: find_hex(field, label) for pk, label in rows}
    return frozenset(pk for pk, at in places.items() if at is None or not eyes.watches(at))


def annotate_last_seen[A: Army](user: User, *armies: A) -> list[A]:
    """Annotate armies for display: those out of sight lose their place and their march."""
    of: dict[UUID, list[A]] = defaultdict(list)
    for army in armies:
        of[army.campaign_id].append(army)
    for found in of.values():
        campaign = found[0].campaign
        if not (reads_all(user, campaign) or {army.kingdom_id for army in found} <= run_kingdom_ids(user, campaign)):
            hidden = out_of_sight(user, campaign)
            for army in found:
                if army.pk in hidden:
                    army.place, army.hex, army.marching_until, army.route = "", "", None, None
    return list(armies)


# What is known about an army without its sheet: only its name, or what is seen from afar.


class VisibleArmy(NamedTuple):
    """Kind (may be ""), rough size and health of an army, in words."""

    kind: Said
    size: Said
    health: Said


def build_visible_army(army: Army, engaged: Engaged | None = None) -> VisibleArmy | None:
    """View of an army for its reader, who loaded it by `armies.forces.access.filter_known`; None where they know only
    its name.

    `engaged`: the battle it is in, whose health counts.
    """
    if get_knowledge(army) < Knowledge.GLANCE:
        return None
    shown, sheets = engaged or army, get_ruleset(army.campaign).armies
    health = word_outside_battle(shown.health, shown.health_max, shrinks=sheets.shrinks and engaged is None)
    try:
        kind, size = sheets.from_afar(army.sheet)
    except Refusal:
        kind = size = NO_WORDS
    return VisibleArmy(kind, size, health)
