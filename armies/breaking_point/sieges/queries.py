"""Queries for places and sieges (B-18).

Every member of the campaign knows that they exist and how they stand. Figures of a side are only for readers of one of
its kingdoms.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import Prefetch, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext

from armies.breaking_point.forces.specs import BESIEGED, MEMBERS, build_place, build_siege, load_armies
from armies.breaking_point.models import RUNNING, FortifiedPlace, SiegeRow, Stationed
from armies.forces.busy import Engaged, find_in_battle
from armies.forces.page import BusyNotice
from armies.models import Army, rows_of
from core.text import load_said
from kingdom.access.queries import build_membership_condition, get_one, is_gm, reads_kingdom, runs_kingdom
from kingdom.models import Campaign, ChronicleEntry, Kingdom, User
from kingdom.models.calendar import DAYS_A_WEEK
from kingdom.realms.figures import get_ruleset
from rules.army_law import one_figure
from rules.breaking_point.siege.siege_battles import Fielded, for_assault, for_field
from rules.breaking_point.siege.siege_ends import garrison_price, terms_difficulty, terms_score
from rules.breaking_point.siege.siege_state import (
    ASSAULT,
    BESIEGER,
    BROKEN,
    FOUGHT,
    GARRISON,
    OPEN,
    ROOM,
    STATUSES,
    Siege,
    Troops,
)
from rules.breaking_point.siege.week import hold_weeks
from rules.core.breakdown import Breakdown
from rules.core.text import Said, Term, _, say

LOGGED = 200


def list_sieges(user: User) -> QuerySet[SiegeRow]:
    """Sieges of the user's campaigns."""
    rows = SiegeRow.objects.select_related("campaign", "place__kingdom__campaign", "place__settlement")
    return rows.filter(build_membership_condition(user)) if user.is_authenticated else rows.none()


def get_siege_for(user: User, siege_id: UUID | str) -> SiegeRow:
    """The siege, for any member of its campaign. Raises `Http404`."""
    return get_one(list_sieges(user), siege_id)


def list_places(user: User) -> QuerySet[FortifiedPlace]:
    besieged = Prefetch("sieges", SiegeRow.objects.filter(status__in=RUNNING), to_attr="besieged")
    rows = FortifiedPlace.objects.select_related("campaign", "kingdom__campaign", "settlement", "outer")
    rows = rows.prefetch_related(besieged, Prefetch("stationed", Stationed.objects.order_by("id")))
    return rows.filter(build_membership_condition(user)) if user.is_authenticated else rows.none()


def get_place_for(user: User, place_id: UUID | str) -> FortifiedPlace:
    """The place, for any member of its campaign. Raises `Http404`."""
    return get_one(list_places(user), place_id)


def place_held(place: FortifiedPlace) -> BusyNotice | None:
    """Notice in place of the form of a besieged place; None where it is not besieged. `place`: one of `list_places`."""
    siege: SiegeRow | None = next(iter(getattr(place, "besieged", ())), None)
    if siege is None:
        return None
    here, there = reverse("armies:place", args=[place.pk]), reverse("armies:siege", args=[siege.pk])
    why = say(BESIEGED, place=place.name)
    return BusyNotice(gettext("Edit fortified place"), place.name, place.kingdom, here, why, "white-tower", there)


def garrison_of(place: FortifiedPlace) -> list[Army]:
    """Armies stationed in the place, with everything their sheets need."""
    return list(rows_of(Army).filter(stationed__place=place).complete().order_by("stationed__id"))


class SiegeArmyLine(NamedTuple):
    """An army of a siege. `reads`: whether its reader may read its sheet."""

    pk: UUID
    name: str
    kingdom: str
    reads: bool


@dataclass(frozen=True, slots=True)
class SiegeSide:
    """A side for one reader.

    `heads`: exact, or rounded to one figure (`about`). `force`, `lost`: points, None where the reader may not know
    them. `share`: percent of its force lost, known to everybody. `commands`: whether the reader commands it.
    """

    side: str
    name: Said
    armies: tuple[SiegeArmyLine, ...]
    share: int
    reads: bool
    commands: bool
    heads: int | None = None
    about: bool = False
    force: int | None = None
    lost: int | None = None
    breaks_at: int | None = None


class LogLineOfSiege(NamedTuple):
    """`dice`: faces; `typed_by`: who typed each, "" for the server's; empty where all are the server's."""

    day: int
    text: Said
    rule: str
    dice: Sequence[int] = ()
    typed_by: Sequence[str] = ()

    @property
    def rolls(self) -> list[tuple[int, str]]:
        return list(zip(self.dice, self.typed_by or [""] * len(self.dice), strict=False))


@dataclass(frozen=True, slots=True)
class SiegePage:
    """A siege for one reader; what they may not know is None.

    `hold`, `difficulty`: the garrison's; `score`: modifier to the besieger's die of terms; `price`: of the garrison, in
    Build Points. `bodies`: those of a battle of the siege, for the GM who enters its end. `battle`: the battle, once it
    is set up. `forms`: forms the reader may fill in, by name.
    """

    row: SiegeRow
    campaign: Campaign
    status: Term
    besieger: SiegeSide
    garrison: SiegeSide
    log: tuple[LogLineOfSiege, ...]
    invested: bool | None = None
    properly_held: bool | None = None
    hold: Breakdown | None = None
    difficulty: Breakdown | None = None
    score: Breakdown | None = None
    price: int | None = None
    next_week: int | None = None
    heard: bool = False
    gm: bool = False
    bodies: tuple[Fielded, ...] = ()
    battle: Engaged | None = None
    forms: Mapping[str, Any] = field(default_factory=dict)

    @property
    def sides(self) -> tuple[SiegeSide, SiegeSide]:
        return self.besieger, self.garrison

    @property
    def open(self) -> bool:
        return self.row.status == OPEN

    @property
    def broken(self) -> bool:
        return self.row.status == BROKEN

    @property
    def fought(self) -> bool:
        return self.row.status in FOUGHT

    @property
    def deaf(self) -> bool:
        """Whether the garrison refuses to hear any terms."""
        return not self.row.state["hears"]

    @property
    def sallies(self) -> bool:
        """Whether this reader may order a sortie now."""
        return self.garrison.commands and not self.fought and self.garrison.heads != 0

    @property
    def begun_with(self) -> str:
        """Query string with which the setup of the siege's battle begins."""
        place = self.row.place
        told: dict[str, Any] = {"add": "siege", "name": place.name}
        for side, army in (("one", self.besieger), ("two", self.garrison)):
            told[f"armies-{side}"] = [str(line.pk) for line in army.armies]
        if self.row.status == ASSAULT:
            told |= {"kind": ASSAULT, "place": place.name, "place-kind": place.kind, "garrison": place.garrison}
        return urlencode({**told, "defender": 1}, doseq=True)

    @property
    def commands(self) -> bool:
        return self.besieger.commands or self.garrison.commands

    @property
    def asks(self) -> bool:
        """Whether the reader has anything to do here."""
        return self.commands or bool(self.forms)

    @property
    def state(self) -> Mapping[str, Any]:
        return self.row.state


SIDE_NAMES: Mapping[str, Said] = {BESIEGER: _("Besiegers"), GARRISON: _("Garrison")}


def build_siege_page(user: User, row: SiegeRow) -> SiegePage:
    """The siege as far as this reader may know it. A constant number of queries."""
    campaign = row.campaign
    armies = load_armies([row])
    for army in armies.values():
        army.kingdom.campaign = campaign
    siege = build_siege(row, armies) if row.running else None
    sides = {side: _side(user, row, side, siege, armies) for side in MEMBERS}
    page = SiegePage(
        row=row,
        campaign=campaign,
        status=STATUSES[row.status],
        besieger=sides[BESIEGER],
        garrison=sides[GARRISON],
        log=tuple(log_of(row)),
        gm=is_gm(user, campaign),
    )
    return _running(page, siege) if siege else page


def _running(page: SiegePage, siege: Siege) -> SiegePage:
    both = page.garrison.reads and page.besieger.reads
    inside = page.garrison.reads
    return replace(
        page,
        invested=siege.invested if both else None,
        properly_held=siege.properly_held if inside else None,
        hold=hold_weeks(siege) if inside else None,
        difficulty=terms_difficulty(siege) if both else None,
        score=terms_score(siege) if both else None,
        price=garrison_price(siege, get_ruleset(page.campaign).house.price) if inside else None,
        next_week=_next_week(page.row),
        heard=siege.heard == siege.age,
        bodies=_bodies(siege) if page.gm else (),
        battle=_battle(page) if page.fought else None,
    )


def _battle(page: SiegePage) -> Engaged | None:
    battles = find_in_battle(page.campaign)
    found = (battles.get(line.pk) for side in page.sides for line in side.armies)
    return next(filter(None, found), None)


def _next_week(row: SiegeRow) -> int:
    return row.campaign.day + DAYS_A_WEEK - (row.campaign.day - row.began) % DAYS_A_WEEK


def _bodies(siege: Siege) -> tuple[Fielded, ...]:
    if siege.status not in FOUGHT:
        return ()
    return for_assault(siege) if siege.status == ASSAULT else for_field(siege)


def _side(user: User, row: SiegeRow, side: str, siege: Siege | None, armies: Mapping[str, Army]) -> SiegeSide:
    found = [armies[one] for one in row.state[MEMBERS[side]] if one in armies]
    reads = any(reads_kingdom(user, army.kingdom) for army in found)
    lines = tuple(
        SiegeArmyLine(army.pk, army.name, army.kingdom.name, reads_kingdom(user, army.kingdom)) for army in found
    )
    commands = bool(found) and row.running and runs_kingdom(user, found[0].kingdom)
    figures = _figures(siege, side, reads) if siege else {}
    return SiegeSide(side, SIDE_NAMES[side], lines, row.state["lost"][side], reads, commands, **figures)


def _figures(siege: Siege, side: str, reads: bool) -> dict[str, Any]:
    bodies = [siege.garrison] if side == GARRISON else list(siege.besieging)
    heads = sum(troops.heads for troops in bodies)
    if not reads:
        return {"heads": one_figure(heads), "about": True}
    found: dict[str, Any] = {"heads": heads, "force": _sum(bodies, "force"), "lost": _sum(bodies, "lost")}
    return found | ({"breaks_at": siege.garrison.breaks_at} if side == GARRISON else {})


def _sum(bodies: Sequence[Troops], figure: str) -> int:
    return sum(getattr(troops, figure) for troops in bodies)


def log_of(row: SiegeRow) -> list[LogLineOfSiege]:
    """The siege's log, latest first, from chronicle entries that are not undone."""
    about = [{"subject_kind": "siege", "subject_id": str(row.pk)}]
    entries = ChronicleEntry.objects.filter(campaign=row.campaign_id, undone_at=None, changes__contains=about)
    found = [_lines(entry, str(row.pk)) for entry in entries.order_by("-seq")[:LOGGED]]
    return [line for lines in found for line in reversed(lines)]


def _lines(entry: ChronicleEntry, key: str) -> list[LogLineOfSiege]:
    states = [
        change["after"]
        for change in entry.changes
        if change["subject_kind"] == "siege" and change["subject_id"] == key and change["field"] == "state"
    ]
    told = [line for state in states for line in state.get("told", [])]
    if not states:
        return [LogLineOfSiege(entry.day, load_said(entry.text), "BP-8")]
    return [
        LogLineOfSiege(line["day"], load_said(line["text"]), line["rule"], line["dice"], line.get("typed_by", ()))
        for line in told
    ]


@dataclass(frozen=True, slots=True)
class PlacePage:
    """A place for one reader. `garrison`: None where they may not read its kingdom. `entering`, `besieging`: armies
    they may station in it, or send against it.
    """

    place: FortifiedPlace
    kind: Any
    room: int
    siege: SiegeRow | None
    gm: bool
    garrison: tuple[Army, ...] | None
    heads: int | None
    held: bool | None
    entering: tuple[Army, ...]
    besieging: tuple[Army, ...]
    past: tuple[SiegeRow, ...]

    @property
    def own(self) -> bool:
        return self.garrison is not None


def place_page(user: User, place: FortifiedPlace) -> PlacePage:
    law_place = build_place(place)
    sieges = list(SiegeRow.objects.filter(place=place))
    siege = next((row for row in sieges if row.running), None)
    inside = garrison_of(place) if reads_kingdom(user, place.kingdom) else None
    heads = None if inside is None else sum(army.health for army in inside)
    free = _free_armies(user, place) if siege is None else []
    return PlacePage(
        place=place,
        kind=law_place.kind,
        room=ROOM * place.garrison,
        siege=siege,
        gm=is_gm(user, place.campaign),
        garrison=None if inside is None else tuple(inside),
        heads=heads,
        held=None if heads is None else 2 * heads > place.garrison,
        entering=tuple(army for army in free if army.kingdom_id == place.kingdom_id),
        besieging=tuple(army for army in free if army.kingdom_id != place.kingdom_id),
        past=tuple(row for row in sieges if not row.running),
    )


def _free_armies(user: User, place: FortifiedPlace) -> list[Army]:
    """Armies the user commands that could go there: ready, not on the march, in no siege and not in this place."""
    busy = Q(sieges__siege__status__in=RUNNING) | Q(stationed__place=place)
    rows = rows_of(Army).filter(campaign=place.campaign, status=Army.Status.READY).exclude(busy).complete()
    found = [army for army in rows if not army.marching]
    for army in found:
        army.kingdom.campaign = place.campaign
    return [army for army in found if runs_kingdom(user, army.kingdom)]


class SiegeList(NamedTuple):
    """Sieges and places of a campaign."""

    running: list[SiegeRow]
    over: list[SiegeRow]
    places: list[FortifiedPlace]


def siege_list(user: User, campaign: Campaign) -> SiegeList:
    rows = list(list_sieges(user).filter(campaign=campaign))
    places = list(list_places(user).filter(campaign=campaign))
    return SiegeList([row for row in rows if row.running], [row for row in rows if not row.running], places)


def places_of_kingdom(user: User, kingdom: Kingdom) -> list[FortifiedPlace]:
    return list(list_places(user).filter(kingdom=kingdom))


def station_of(army: Army) -> FortifiedPlace | None:
    """The place where the army is stationed; None for none."""
    row = Stationed.objects.filter(army=army.pk).select_related("place").first()
    return row.place if row else None


def stationed_ids(user: User, place: FortifiedPlace) -> list[str] | None:
    """Ids of the armies stationed in the place; None for users who may not read its kingdom."""
    if not reads_kingdom(user, place.kingdom):
        return None
    return [str(row.army_id) for row in place.stationed.all()]
