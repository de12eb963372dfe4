"""How the world changes: a proposal is confirmed, written down, and can be undone.

Time and battles propose `Change`s, each with what was and what will be. `apply` writes all of them in
one transaction with a chronicle entry, or none: a value that is no longer what the proposal saw is
refused. `undo` puts everything back, unless something later rests on it, and then says what.

Apps make their tables known with `register`; kingdoms do not know armies.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from uuid import UUID

from django.db import models, transaction
from django.utils import timezone

from kingdom import text as words
from kingdom.models import Campaign, ChronicleEntry, User
from rules.errors import require
from rules.text import Said, _

Rows = dict[str, models.Model]


@dataclass(frozen=True, slots=True)
class Change:
    """One field of one thing, before and after (JSON values), the rule that says so, and in words.

    `subject` is the display name, kept so that the chronicle still reads when the thing is gone. `kept`: whoever
    proposes it writes it, and takes it back when its entry is undone (`follow_undo`): time, by the thousand.
    """

    subject_kind: str
    subject_id: str
    field: str
    before: Any
    after: Any
    rule: str
    label: Said
    subject: str = ""
    kept: bool = False

    @property
    def place(self) -> tuple[str, str, str]:
        return self.subject_kind, self.subject_id, self.field

    def turned(self) -> Change:
        """The change that takes this one back."""
        return replace(self, before=self.after, after=self.before)


class Occasion(NamedTuple):
    """On what occasion a value is written: for hooks that keep a record of their own."""

    campaign: Campaign
    by: User
    text: Said
    source: str
    day: int


@dataclass(frozen=True, slots=True)
class Field:
    """How to read and write what is not a plain column. `write` saves by itself."""

    read: Callable[[Any], Any]
    write: Callable[[Any, Any, Occasion], None]


Loader = Callable[[Campaign, set[str]], Rows]
Visible = Callable[[User, Campaign, set[str]], set[str]]


@dataclass(frozen=True, slots=True)
class Kind:
    loader: Loader
    fields: Mapping[str, Field]
    visible: Visible | None
    after: Callable[[Any, set[str]], None] | None


Follower = Callable[[ChronicleEntry, User], None]
Overlap = Callable[[ChronicleEntry, ChronicleEntry], Said | None]

_kinds: dict[str, Kind] = {}
_followers: list[Follower] = []
_overlaps: list[Overlap] = []


def register(
    kind: str,
    loader: Loader,
    *,
    fields: Mapping[str, Field] | None = None,
    visible: Visible | None = None,
    after: Callable[[Any, set[str]], None] | None = None,
) -> None:
    """Make a kind of thing changeable. `loader` answers rows by str(id), locked, of that campaign only.

    Other columns are read and set as attributes and saved together; `after(row, changed)` runs then.
    `visible` says whose lines a player may read in the chronicle (nobody's without it).
    """
    _kinds[kind] = Kind(loader, fields or {}, visible, after)


def follow_undo(follower: Follower) -> None:
    """Call `follower(entry, by)` when an entry is taken back, inside its transaction; it may refuse."""
    if follower not in _followers:
        _followers.append(follower)


def watch_overlap(overlap: Overlap) -> None:
    """Ask `overlap(entry, later)` before `entry` is undone: what of `later` rests on it, if its lines do not say."""
    if overlap not in _overlaps:
        _overlaps.append(overlap)


def visible_ids(kind: str, user: User, campaign: Campaign, ids: set[str]) -> set[str]:
    visible = _kinds[kind].visible if kind in _kinds else None
    return visible(user, campaign, ids) if visible else set()


@transaction.atomic
def apply(
    *,
    campaign: Campaign,
    changes: Iterable[Change],
    by: User,
    kind: str,
    text: Said,
    battle_id: UUID | None = None,
) -> ChronicleEntry:
    """Write a confirmed proposal and its chronicle entry.

    Raises `IllegalCommand`, with nothing written, when something is no longer as the proposal saw it.
    The caller has asked for permission.
    """
    changes = tuple(replace(change, subject_id=str(change.subject_id)) for change in changes)
    locked = _lock(campaign)
    day = _day_after(changes, locked)
    _write(_written_here(changes), Occasion(locked, by, text, kind, day), _refuse_stale)
    return ChronicleEntry.objects.create(
        campaign=campaign,
        seq=_next_seq(campaign),
        day=day,
        by=by,
        kind=kind,
        text=words.to_json(text),
        changes=[_to_json(change) for change in changes],
        battle_id=battle_id,
    )


@transaction.atomic
def undo(*, campaign: Campaign, entry: ChronicleEntry, by: User) -> ChronicleEntry:
    """Take an entry back; its trace stays. Raises `IllegalCommand` naming what depends on it."""
    locked = _lock(campaign)
    entry = ChronicleEntry.objects.select_for_update().get(pk=entry.pk, campaign=campaign)
    require(not entry.undone, _("This was undone already."))
    changes = changes_of(entry)
    _refuse_overtaken(entry, {change.place for change in changes})
    text = words.from_json(entry.text)
    turned = tuple(change.turned() for change in reversed(changes))
    _write(_written_here(turned), Occasion(locked, by, text, "undo", _day_after(turned, locked)), _refuse_moved)
    entry.undone_at, entry.undone_by = timezone.now(), by
    entry.save(update_fields=["undone_at", "undone_by"])
    for follower in _followers:
        follower(entry, by)
    return entry


def changes_of(entry: ChronicleEntry) -> list[Change]:
    """The entry's lines, as they were applied."""
    return [_from_json(data) for data in entry.changes]


def _lock(campaign: Campaign) -> Campaign:
    """The campaign row, locked: world changes of one campaign happen one after the other."""
    return Campaign.objects.select_for_update().get(pk=campaign.pk)


def _day_after(changes: Sequence[Change], campaign: Campaign) -> int:
    """The day these changes end on: records made with them carry it."""
    days = [change.after for change in changes if change.place[::2] == ("campaign", "day")]
    return days[-1] if days else campaign.day


def _next_seq(campaign: Campaign) -> int:
    last = ChronicleEntry.objects.filter(campaign=campaign).aggregate(last=models.Max("seq"))["last"]
    return (last or 0) + 1


def _written_here(changes: Iterable[Change]) -> tuple[Change, ...]:
    return tuple(change for change in changes if not change.kept)


def _write(changes: Sequence[Change], occasion: Occasion, refuse: Callable[[Change, Any], None]) -> None:
    rows = _load(occasion.campaign, changes)
    touched: dict[tuple[str, str], set[str]] = defaultdict(set)
    for change in changes:
        row = rows[change.subject_kind].get(change.subject_id)
        require(row, _("{subject} no longer exists."), subject=change.subject or change.subject_id)
        refuse(change, _read(change, row))
        _put(change, row, occasion)
        touched[change.subject_kind, change.subject_id].add(change.field)
    for (kind, key), fields in touched.items():
        _save(_kinds[kind], rows[kind][key], fields)


def _load(campaign: Campaign, changes: Sequence[Change]) -> dict[str, Rows]:
    """The rows to change, locked kind by kind in one order for everybody, so that none wait in a ring."""
    wanted: dict[str, set[str]] = defaultdict(set)
    for change in changes:
        wanted[change.subject_kind].add(change.subject_id)
    return {kind: _kinds[kind].loader(campaign, wanted[kind]) for kind in sorted(wanted)}


def _read(change: Change, row: Any) -> Any:
    special = _kinds[change.subject_kind].fields.get(change.field)
    return plain(special.read(row) if special else getattr(row, change.field))


def _put(change: Change, row: Any, occasion: Occasion) -> None:
    if special := _kinds[change.subject_kind].fields.get(change.field):
        special.write(row, change.after, occasion)
    else:
        setattr(row, change.field, change.after)


def _save(kind: Kind, row: Any, fields: set[str]) -> None:
    if columns := fields - kind.fields.keys():
        row.save(update_fields=sorted(columns))
    if kind.after:
        kind.after(row, fields)


def _refuse_stale(change: Change, now: Any) -> None:
    require(
        now == plain(change.before),
        _("{subject} has changed since the proposal ({label}: it was {before}, it is {now}). Look at it again."),
        subject=change.subject or change.subject_id,
        label=change.label,
        before=show(change.before),
        now=show(now),
    )


def _refuse_moved(change: Change, now: Any) -> None:
    require(
        now == plain(change.before),
        _("{subject} has changed since ({label}: this left {before}, now it is {now}). Set that back first."),
        subject=change.subject or change.subject_id,
        label=change.label,
        before=show(change.before),
        now=show(now),
    )


def _refuse_overtaken(entry: ChronicleEntry, places: set[tuple[str, str, str]]) -> None:
    later = ChronicleEntry.objects.filter(campaign=entry.campaign_id, seq__gt=entry.seq, undone_at=None)
    for other in later.order_by("-seq"):
        shared = next((change for change in changes_of(other) if change.place in places), None)
        require(
            shared is None,
            _("“{later}” (day {day}) came later and rests on this ({subject}: {label}). Undo that first."),
            later=words.from_json(other.text),
            day=other.day,
            subject=getattr(shared, "subject", ""),
            label=getattr(shared, "label", ""),
        )
        _refuse_overlap(entry, other)


def _refuse_overlap(entry: ChronicleEntry, other: ChronicleEntry) -> None:
    for overlap in _overlaps:
        shared = overlap(entry, other)
        require(
            shared is None,
            _("“{later}” (day {day}) came later and rests on this ({subject}). Undo that first."),
            later=words.from_json(other.text),
            day=other.day,
            subject=shared,
        )


def plain(value: Any) -> Any:
    """A value as JSON holds it, so that what was stored compares with what is."""
    match value:
        case UUID():
            return str(value)
        case Mapping():
            return {str(key): plain(item) for key, item in value.items()}
        case list() | tuple():
            return [plain(item) for item in value]
        case _:
            return value


def show(value: Any) -> Said | str:
    """A value for a sentence."""
    if value is None:
        return _("nothing")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return ", ".join(map(str, value)) or _("nothing") if isinstance(value, list | tuple) else str(value)


def _to_json(change: Change) -> dict[str, Any]:
    return {
        "subject_kind": change.subject_kind,
        "subject_id": change.subject_id,
        "subject": str(change.subject),
        "field": change.field,
        "before": plain(change.before),
        "after": plain(change.after),
        "rule": change.rule,
        "label": words.to_json(change.label),
        **({"kept": True} if change.kept else {}),
    }


def _from_json(data: Mapping[str, Any]) -> Change:
    return Change(**{**data, "label": words.from_json(data["label"])})
