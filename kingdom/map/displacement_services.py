"""Services for displaced units: once the map is painted they leave it, or halt (HX-9.3).

Kingdoms do not know armies: who does tells which ones. Each kingdom concerned has an entry of its own that tells of
its own alone and holds what changed; the stroke's entry, which comes next, keeps the same lines, and undoing it undoes
those.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import replace
from uuid import UUID

from kingdom.access.decorators import internal
from kingdom.chronicle import changes as chronicle_changes
from kingdom.chronicle.changes import Change
from kingdom.map.displacement import RULE, describe_displaced
from kingdom.map.map_state import load_map_state
from kingdom.map.tracked_fields import parse_hexes
from kingdom.models import Campaign, CampaignMap, ChronicleEntry, User
from rules.core.errors import IllegalCommand
from rules.core.text import by_number, say
from rules.hexes.geometry import place_of
from rules.hexes.mapfile import HexMap, parse

OwnedChange = tuple[UUID, Change]
"""Whose it is, and what changes."""
LeavingTeller = Callable[[Campaign, HexMap, HexMap], Iterable[OwnedChange]]

IN_THE_WAY = by_number(
    "{names} stands there, or is on its way there, where nobody could any more: move it elsewhere first.",
    "{names} stand there, or are on their way there, where nobody could any more: move them elsewhere first.",
)
_tellers: list[LeavingTeller] = []


def register_displacement(teller: LeavingTeller) -> None:
    """Ask `teller(campaign, before, after)` who leaves the map, or halts, when its ground becomes another. Twice counts
    once.
    """
    if teller not in _tellers:
        _tellers.append(teller)


def leaving(campaign: Campaign, before: HexMap, after: HexMap) -> list[OwnedChange]:
    """What takes those off the map who cannot stand where they stand on it as it will be, or halts who cannot go on."""
    return [change for teller in _tellers for change in teller(campaign, before, after)]


@internal
def tell_each(campaign: Campaign, by: User, left: Iterable[OwnedChange]) -> list[Change]:
    """Let them leave, with an entry for each kingdom. Answers the lines that the stroke's entry keeps, which has to be
    the next one.
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
    """With a stroke, what it took off the map is taken back (`UndoFollower`); refused where
    that would put others on ground nobody can enter. Raises `IllegalCommand`.
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
    drawn = CampaignMap.objects.filter(campaign=campaign).first()
    now = load_map_state(drawn).field if drawn else None
    if now is None or (then := _undone(changes, now)) is None:
        return
    names = list(dict.fromkeys(str(change.subject) for _kingdom, change in leaving(campaign, then, now)))
    if names:
        raise IllegalCommand(say(IN_THE_WAY, count=len(names), names=names))


def _undone(changes: Iterable[Change], now: HexMap) -> HexMap | None:
    """The ground as it was until these were undone; None where they are not about it."""
    rows, touched = [list(row) for row in now.terrain], False
    for change in changes:
        if change.place[::2] == ("map", "document"):
            return parse(change.after["map"], kept=True)
        if change.place[::2] == ("ground", "terrain"):
            touched = True
            for (column, row), letter in zip(map(place_of, parse_hexes(change.subject_id)), change.after, strict=True):
                rows[row][column] = letter
    return replace(now, terrain=tuple(map("".join, rows))) if touched else None
