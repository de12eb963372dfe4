"""Moves and arrivals of armies as days pass, under any ruleset. The hex of a marching army follows from its route and
the day, so an undo needs no stored positions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet

from armies.forces.busy import load_recent_battles
from armies.marches.queries import meetings_ahead
from armies.models import Army, Commander
from armies.models.routes import Route
from armies.weeks.passage import DueLine, Passage, TimeEvent, TimeNote, TimeProposal, TimeStop
from kingdom.chronicle.changes import Change
from kingdom.map.fog_services import update_visibility
from kingdom.map.queries import find_map
from kingdom.models import Campaign, ChronicleEntry, Kingdom
from rules.core.text import Said, _, say
from rules.hexes.geometry import Hex, hex_at

if TYPE_CHECKING:
    from armies.ruleset_ui import WeeksUI


# Moves of marching armies as days pass, in one SQL statement for any number of armies, and back.
#
# The hex of a marching army follows from its route and the day, so an undo needs no stored positions.

MOST_TOLD = 20  # most encounters that are listed
COLUMNS = ("id", "name", "kingdom_id", "hex", "route", "marching_until")
MOVE = """
UPDATE armies_army SET hex = route->'stops'->>LEAST(
    GREATEST(%(day)s - (route->>'since')::int, 0), jsonb_array_length(route->'stops') - 1)
WHERE campaign_id = %(campaign)s AND route IS NOT NULL AND marching_until > %(since)s
"""


def move_on(passage: Passage) -> None:
    """Puts marching armies where they are after these days, and records what their kingdoms saw on each day."""
    passed = _passed(passage)
    _move(passage.campaign.pk, since=passage.since, day=passage.until)
    passage.campaign.day = passage.until
    update_visibility(passage.campaign, passed)


def move_back(entry: ChronicleEntry) -> None:
    """Puts armies that were on the march before these days passed back where they were."""
    day = Campaign.objects.values_list("day", flat=True).get(pk=entry.campaign_id)
    _move(entry.campaign_id, since=day, day=day)


def _move(campaign: UUID, *, since: int, day: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute(MOVE, {"campaign": campaign, "since": since, "day": day})


def _passed(passage: Passage) -> dict[UUID, set[Hex]]:
    """Hexes from which each kingdom's armies look around on the days between; empty without fog."""
    found: dict[UUID, set[Hex]] = defaultdict(set)
    drawn = find_map(passage.campaign)
    if drawn is None or not drawn.fog:
        return found
    for army in list_travelling(passage.campaign, passage.since):
        assert army.way is not None
        found[army.kingdom_id].update(hex_at(at) for day, at in army.way.ahead(passage.since) if day < passage.until)
    return found


def list_travelling(campaign: Campaign, day: int) -> QuerySet[Army]:
    """Armies on the march on this day, by id."""
    rows = Army.objects.filter(campaign=campaign, route__isnull=False, marching_until__gt=day)
    return rows.filter(status__in=Army.STANDING).only(*COLUMNS).order_by("id")


def split_held_up(passage: Passage) -> tuple[list[Army], list[Army]]:
    """Armies on the march: those held up by a battle that is not over, and those that go on."""
    rows = list(list_travelling(passage.campaign, passage.since))
    fighting = load_recent_battles(passage.campaign, passage.since).fighting if rows else frozenset()
    held = [army for army in rows if str(army.pk) in fighting]
    return held, [army for army in rows if str(army.pk) not in fighting]


def breaking_off(passage: Passage, held: Iterable[Army]) -> Iterator[Change]:
    """Changes that end the marches of these armies where they stand."""
    rule, label = passage.life.rules.arrives, _("Held up by a battle")
    for army in held:
        pk, name = str(army.pk), army.name
        yield Change("army", pk, "route", army.route, None, rule, label, name)
        yield Change("army", pk, "marching_until", army.marching_until, passage.since, rule, label, name)


def list_still_marching(passage: Passage, moving: Iterable[Army]) -> Iterator[TimeNote]:
    """Notes about armies that are still on the march at the end of these days; only the first `MOST_TOLD`."""
    rule = passage.life.rules.arrives
    later = [army for army in moving if (army.marching_until or 0) > passage.until]
    for army in sorted(later, key=lambda army: (army.marching_until, army.pk))[:MOST_TOLD]:
        assert army.way is not None
        told = {"army": army.name, "hex": army.way.at(passage.until), "end": army.way.end, "day": army.way.until}
        yield TimeNote(say(_("{army} will be in {hex}, on its way to {end}, arriving on day {day}."), **told), rule)


def lost(proposal: TimeProposal) -> frozenset[str]:
    """Ids of armies that no longer stand after the proposal, as far as it lists armies one by one."""
    own = (change for change in proposal.changes if (change.subject_kind, change.field) == ("army", "status"))
    return frozenset(change.subject_id for change in own if change.after not in Army.STANDING)


def list_final_encounters(passage: Passage, moving: Iterable[Army], gone: Collection[str] = ()) -> Iterator[Said]:
    """Warnings of encounters of these marching armies at the end of the days, without the armies `gone` by then."""
    ends = {army.pk: army.way.at(passage.until) for army in moving if army.way and str(army.pk) not in gone}
    for meeting in meetings_ahead(passage.campaign, ends, gone):
        template = _("On day {day}, {armies} meet in {hex}. They may fight a battle there.")
        yield say(template, day=passage.until, armies=[army.name for army in meeting.armies], hex=meeting.hex)


class Footprint(NamedTuple):
    """An army that stays or moves; `at(day)` is its hex on that day."""

    army: UUID
    kingdom: UUID
    name: str
    hex: str
    way: Route | None = None

    def at(self, day: int) -> str:
        return self.way.at(day) if self.way else self.hex


def list_passed_encounters(passage: Passage, marching: Iterable[Army]) -> list[Said]:
    """Warnings of encounters on the days between that are over at the end. To fight there, let fewer days pass."""
    moving = [Footprint(army.pk, army.kingdom_id, army.name, army.hex, army.way) for army in marching]
    if not moving or passage.days == 1:
        return []
    told: dict[frozenset[UUID], Said] = {}
    for day, at, one, other in islice(_meetings(passage, moving), MOST_TOLD):
        template = _(
            "On day {day}, {army} and {other} are both in {hex}. To let them fight, advance time only to that day."
        )
        said = say(template, day=day, army=one.name, other=other.name, hex=at)
        told.setdefault(frozenset((one.army, other.army)), said)
    return list(told.values())


def _meetings(passage: Passage, moving: Sequence[Footprint]) -> Iterator[tuple[int, str, Footprint, Footprint]]:
    days = range(passage.since + 1, passage.until)
    waiting = _waiting(passage.campaign, moving, {one.at(day) for one in moving for day in days})
    for day in days:
        here: dict[str, list[Footprint]] = defaultdict(list)
        for one in moving:
            here[one.at(day)].append(one)
        for at, found in sorted(here.items()):
            others = (*found[1:], *waiting.get(at, ()))
            met = (other for other in others if other.kingdom != found[0].kingdom)
            yield from (
                (day, at, found[0], other) for other in met if found[0].at(passage.until) != other.at(passage.until)
            )


def _waiting(campaign: Campaign, moving: Sequence[Footprint], hexes: set[str]) -> dict[str, list[Footprint]]:
    """Armies that stay in these hexes, by hex."""
    rows = Army.objects.filter(campaign=campaign, status__in=Army.STANDING, hex__in=sorted(hexes)).order_by("id")
    gone = {one.army for one in moving}
    found: dict[str, list[Footprint]] = defaultdict(list)
    for row in rows.values_list("pk", "kingdom_id", "name", "hex"):
        if row[0] not in gone:
            found[row[3]].append(Footprint(*row))
    return found


# Arrivals as days pass, under any ruleset: armies that arrive, commanders who return or are set free.

MOST_RETURNS = 50


class Coming(NamedTuple):
    """Changes, notes and events of arrivals, soonest first."""

    changes: list[Change]
    notes: list[TimeNote]
    events: list[TimeEvent]


def homecomings(passage: Passage) -> Coming:
    """Commanders who are back by the end of the passage."""
    found, rules = Coming([], [], []), passage.life.rules
    for one in _away(passage.campaign.pk, passage.campaign.day).filter(away_until__lte=passage.until):
        text = say(_("{commander} is back on day {day}."), commander=one.name, day=one.away_until)
        found.notes.append(TimeNote(text, rules.freed))
        found.events.append(TimeEvent(TimeStop.RECOVERY, one.away_until or 0, text, rules.back))
        found.changes.extend(_freed(one, rules.freed) if one.status == Commander.Status.CAPTURED else [])
        found.changes.append(_told("commander", one, "away", one.away_until, rules.back))
    return found


def arrivals(passage: Passage, held: Collection[UUID] = ()) -> Coming:
    """Armies that arrive by the end of the passage, without those `held` up."""
    found, rule = Coming([], [], []), passage.life.rules.arrives
    rows = _marching(passage.campaign.pk, passage.campaign.day).filter(marching_until__lte=passage.until)
    for one in rows.exclude(pk__in=held) if held else rows:
        text = say(
            _("{army}: arrival at {place} on day {day}."), army=one.name, place=_place(one), day=one.marching_until
        )
        found.notes.append(TimeNote(text, rule))
        found.events.append(TimeEvent(TimeStop.ARRIVAL, one.marching_until or 0, text, rule))
        found.changes.append(_told("army", one, "marching", one.marching_until, rule))
    return found


def _told(kind: str, row: Army | Commander, field: str, day: int | None, rule: str) -> Change:
    """Change for display. It follows from the day, so there is nothing to write and nothing to undo."""
    return Change(kind, str(row.pk), field, True, False, rule, say(_("On day {day}"), day=day), row.name, kept=True)


def _freed(one: Commander, rule: str) -> Iterator[Change]:
    """Changes that set a captive free, without a ransom."""
    label = _("released")
    yield Change("commander", str(one.pk), "status", one.status, str(Commander.Status.FREE), rule, label, one.name)
    if one.ransom is not None:
        yield Change("commander", str(one.pk), "ransom", one.ransom, None, rule, label, one.name)


def returns_due(campaign: Campaign, kingdoms: Sequence[Kingdom], life: WeeksUI) -> Iterator[DueLine]:
    """Returns of these kingdoms' commanders, and arrivals of their armies."""
    of = {kingdom.pk: kingdom for kingdom in kingdoms}
    for one in _away(campaign.pk, campaign.day).filter(kingdom__in=of)[:MOST_RETURNS]:
        text = say(_("{commander} is back."), commander=one.name)
        yield _line(campaign, one.away_until, of[one.kingdom_id], text, life.rules.back)
    for army in _marching(campaign.pk, campaign.day).filter(kingdom__in=of)[:MOST_RETURNS]:
        text = say(_("{army}: arrival at {place}."), army=army.name, place=_place(army))
        yield _line(campaign, army.marching_until, of[army.kingdom_id], text, life.rules.arrives)


def _away(campaign: UUID, day: int) -> QuerySet[Commander]:
    rows = Commander.objects.filter(campaign=campaign, away_until__gt=day)
    return rows.exclude(status=Commander.Status.KILLED).order_by("away_until", "id")


def _marching(campaign: UUID, day: int) -> QuerySet[Army]:
    rows = Army.objects.filter(campaign=campaign, marching_until__gt=day, status__in=Army.STANDING)
    return rows.order_by("marching_until", "id")


def _place(army: Army) -> Any:
    return army.place or (army.way and army.way.end) or army.hex or _("an unknown place")


def _line(campaign: Campaign, day: int | None, kingdom: Kingdom, text: Said, rule: str) -> DueLine:
    return DueLine(day or 0, campaign.dates.date(day or 0), kingdom, text, rule)
