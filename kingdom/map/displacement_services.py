"""Services for displaced armies: after a change of the map they leave it, or halt (HX-9.3).

Each kingdom concerned gets an entry of its own that names only its armies and holds their changes. The entry of the
brush stroke follows and stores the same lines; undoing it undoes those entries.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Set
from dataclasses import replace
from uuid import UUID

from django.db.models import Q

from armies.models import Army, rows_of
from core.queries import find_one
from kingdom.access.decorators import internal
from kingdom.chronicle import changes as chronicle_changes
from kingdom.chronicle.changes import Change
from kingdom.map.displacement import RULE, describe_displaced
from kingdom.map.queries import find_hex, load_map_state
from kingdom.map.tracked_fields import parse_hexes
from kingdom.models import Campaign, CampaignMap, ChronicleEntry, User
from kingdom.realms.figures import get_ruleset
from rules.core.errors import IllegalCommand
from rules.core.text import by_number, say
from rules.hexes.geometry import label_of, place_of
from rules.hexes.mapfile import HexMap, parse

OwnedChange = tuple[UUID, Change]
"""The id of a kingdom, and a change of one of its armies."""

IN_THE_WAY = by_number(
    "{names} is in, or on its way to, a hex that would become impassable. Move it elsewhere first.",
    "{names} are in, or on their way to, hexes that would become impassable. Move them elsewhere first.",
)
RETURNS = ("hex", "route", "exists")
"""Fields of armies whose undo puts them on the map."""
NO_HEX = by_number(
    "{names} would be in, or on its way to, a hex the map no longer has. Undo the change to the map first.",
    "{names} would be in, or on their way to, hexes the map no longer has. Undo the change to the map first.",
)


def list_displaced(campaign: Campaign, before: HexMap, after: HexMap) -> Iterator[OwnedChange]:
    """Yield the changes of standing armies that are displaced (HX-9.3).

    An army leaves the map if its hex is cut off, or was passable before and is not now. It halts if its route leads
    through such a hex. An army that was put in an impassable hex stays there while the hex exists.
    """
    tolls = get_ruleset(campaign).travel.tolls
    closed = {
        label_of(at)
        for at in before
        if at not in after or (before.at(at).footing in tolls and after.at(at).footing not in tolls)
    }
    closed |= {label_of(at) for at in after if at not in before and after.at(at).footing not in tolls}
    for row, then in chronicle_changes.figures(
        "army", campaign, _concerned(campaign, closed) if closed else set()
    ).values():
        assert isinstance(row, Army)
        row.break_off()
        row.hex = "" if row.hex in closed else row.hex
        for change in chronicle_changes.differences(
            "army", row, then, chronicle_changes.figures_of("army", campaign, row), RULE
        ):
            yield row.kingdom_id, change


def _concerned(campaign: Campaign, closed: Set[str]) -> set[str]:
    """Return the ids of standing armies in these hexes, or on a route that still leads through one."""
    rows = rows_of(Army).filter(campaign=campaign, status__in=Army.STANDING).select_related("campaign")
    rows = rows.filter(Q(hex__in=closed) | Q(marching_until__gt=campaign.day, route__isnull=False))
    return {str(row.pk) for row in rows if not closed.isdisjoint(_on_its_way(row))}


@internal
def tell_each(campaign: Campaign, by: User, left: Iterable[OwnedChange]) -> list[Change]:
    """Apply the changes, with an entry for each kingdom. Return the lines for the stroke's entry, which must be the
    next one.
    """
    own: dict[UUID, list[Change]] = defaultdict(list)
    for kingdom, change in left:
        own[kingdom].append(change)
    for changes in own.values():
        text = describe_displaced(changes)
        assert text is not None
        chronicle_changes.apply_held(campaign=campaign, changes=changes, by=by, kind="army", text=text, private=True)
    return [replace(change, kept=True) for changes in own.values() for change in changes]


@internal
def come_back(entry: ChronicleEntry, by: User) -> None:
    """When a stroke is undone, undo its displacements (`UndoFollower`). Raises `IllegalCommand` if other armies would
    then stand on impassable ground.
    """
    changes = chronicle_changes.list_changes(entry)
    kept = [replace(change, kept=False) for change in changes if change.kept and change.rule == RULE]
    earlier = ChronicleEntry.objects.filter(campaign=entry.campaign_id, seq__lt=entry.seq).order_by("-seq")
    for told in earlier.iterator() if kept else ():
        if told.undone or not all(change in kept for change in chronicle_changes.list_changes(told)):
            break
        chronicle_changes.undo(campaign=entry.campaign, entry=told, by=by)
    _refuse_closed(entry.campaign, changes)


def _refuse_closed(campaign: Campaign, changes: Iterable[Change]) -> None:
    drawn = find_one(CampaignMap.objects.filter(campaign=campaign))
    now = load_map_state(drawn).field if drawn else None
    if now is None or (then := _undone(changes, now)) is None:
        return
    names = list(dict.fromkeys(str(change.subject) for _kingdom, change in list_displaced(campaign, then, now)))
    if names:
        raise IllegalCommand(say(IN_THE_WAY, count=len(names), names=names))


def _undone(changes: Iterable[Change], now: HexMap) -> HexMap | None:
    """Return the terrain as it was before the undo; None if the changes are not about terrain."""
    rows, touched = [list(row) for row in now.terrain], False
    for change in changes:
        if change.place[::2] == ("map", "document"):
            return parse(change.after["map"], kept=True)
        if change.place[::2] == ("ground", "terrain"):
            touched = True
            for (column, row), letter in zip(map(place_of, parse_hexes(change.subject_id)), change.after, strict=True):
                rows[row][column] = letter
    return replace(now, terrain=tuple(map("".join, rows))) if touched else None


@internal
def stay_on_the_map(entry: ChronicleEntry, by: User) -> None:
    """Check that armies an undo puts back stand and march on existing hexes (`UndoFollower`). Raises `IllegalCommand`
    (HX-9.3).

    Only a replaced map lacks hexes: if none was replaced since, nothing is queried.
    """
    if (
        not chronicle_changes.later_than(entry)
        .filter(changes__contains=[{"subject_kind": "map", "field": "document"}])
        .exists()
    ):
        return
    rows = rows_of(Army).filter(campaign=entry.campaign_id, status__in=Army.STANDING).select_related("campaign")
    if entry.kind == ChronicleEntry.Kind.WEEK:
        rows = rows.filter(route__isnull=False)  # undone time has marched them back
    else:
        lines = (change for change in chronicle_changes.list_changes(entry) if change.subject_kind == "army")
        rows = rows.filter(pk__in={change.subject_id for change in lines if change.field in RETURNS})
    drawn = find_one(CampaignMap.objects.filter(campaign=entry.campaign_id)) if rows else None
    if drawn is None:
        return
    field = load_map_state(drawn).field
    names = [row.name for row in rows if any(find_hex(field, at) is None for at in _on_its_way(row))]
    if names:
        raise IllegalCommand(say(NO_HEX, count=len(names), names=names))


def _on_its_way(army: Army) -> set[str]:
    """Return the hexes where the army stands and that lie ahead on its route."""
    ahead = army.way.left(army.campaign.day) if army.way and army.marching else ()
    return {army.hex, *ahead} - {""}
