"""Change log of a campaign's world: changes are proposed, applied with a chronicle entry, and can be undone.

Time and battles propose `Change`s, each with the value before and after. `apply` writes all of them and an entry in one
transaction, or nothing: it refuses a value that has changed since the proposal. `undo` restores the values, unless a
later change depends on them, and then names that change.

Apps contribute what can be changed as tracked models (`kingdom.chronicle.field_change`).
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError, ProgrammingError, models, transaction
from django.shortcuts import get_object_or_404
from django.utils import timezone

from core import live
from core import text as words
from kingdom.access import redaction
from kingdom.chronicle.context import collect_entries, collecting, format_entries
from kingdom.chronicle.field_change import (
    BEGINNINGS,
    EXISTS,
    FAULTS,
    UNREADABLE,
    Blocked,
    BlockedByDeletion,
    Change,
    FieldAccess,
    Occasion,
    RowsById,
    TrackedModel,
    begins,
    dump_change,
    ends,
    figure_of,
    figures,
    figures_of,
    format_value,
    get_kind,
    keep_deleted_rows,
    kingdom_of,
    list_things,
    make_plain,
    read_lines,
    serialize_value,
    value_of,
    visible_ids,
    word_of,
)
from kingdom.chronicle.last_changes import note_changes
from kingdom.contributions import contributed
from kingdom.models import ApprovalRequest, Campaign, ChronicleEntry, DeletedRow, User
from kingdom.webhooks.event_types import tell_of_entry
from rules.core.errors import IllegalCommand, require
from rules.core.text import Said, Term, _, say

__all__ = [
    "Change", "FieldAccess", "Occasion", "RowsById", "apply", "apply_held", "differences", "ends", "figure_of",
    "figures", "figures_of", "find_later", "format_value", "get_kind", "hold", "kingdom_of", "later_than",
    "list_changes", "list_things", "lock", "make_plain", "read_lines", "serialize_value", "show", "undo",
    "visible_ids", "word_of", "write_entry",
]  # fmt: skip


def differences(
    kind: str, row: models.Model, then: Mapping[str, Any], now: Mapping[str, Any], rule: str
) -> Iterator[Change]:
    """Yield a change for each field whose value differs between `then` and `now`."""
    for field, value in now.items():
        if value != then[field]:
            yield Change(kind, str(row.pk), field, then[field], value, rule, word_of(kind, field), str(row))


logger = logging.getLogger(__name__)
UndoFollower = Callable[[ChronicleEntry, User], None]
"""`follower(entry, by)` is called when an entry is undone, inside the transaction. It may refuse by raising."""
Overlap = Callable[[ChronicleEntry, ChronicleEntry], Said | None]
"""`overlap(entry, later)` is called before `entry` is undone. It returns what of `later` depends on it beyond their
lines, or None.
"""


@transaction.atomic
def apply(
    *,
    campaign: Campaign,
    changes: Iterable[Change],
    by: User,
    kind: str,
    text: Said,
    battle_id: UUID | None = None,
    private: bool = False,
    kingdoms: Iterable[UUID] = (),
) -> ChronicleEntry:
    """Apply confirmed changes and write their chronicle entry.

    Raises `IllegalCommand`, with nothing written, when a value has changed since the proposal. The caller has checked
    permission. `private`: only readers of the kingdoms concerned see the entry. `kingdoms`: those concerned beside the
    ones these changes touch.
    """
    return apply_held(
        campaign=lock(campaign), changes=changes, by=by, kind=kind, text=text, battle_id=battle_id, private=private,
        kingdoms=kingdoms,
    )  # fmt: skip


def apply_held(
    *,
    campaign: Campaign,
    changes: Iterable[Change],
    by: User,
    kind: str,
    text: Said,
    battle_id: UUID | None = None,
    private: bool = False,
    kingdoms: Iterable[UUID] = (),
) -> ChronicleEntry:
    """Apply changes as `apply` does, with a `campaign` that `lock` has returned in this transaction."""
    changes = tuple(replace(change, subject_id=str(change.subject_id)) for change in changes)
    day = _day_after(changes, campaign)
    touched = _write(_written_here(changes), Occasion(campaign, by, text, kind, day), _refuse_stale)
    return write_entry(
        campaign=campaign, day=day, by=by, kind=kind, text=text, changes=changes, battle_id=battle_id,
        kingdoms={*kingdoms, *touched}, private=private,
    )  # fmt: skip


def write_entry(
    *, campaign: Campaign, day: int, by: User, text: Said, changes: Iterable[Change], kingdoms: Iterable[UUID],
    **fields: Any,
) -> ChronicleEntry:  # fmt: skip
    """Write an entry for changes already made. The campaign is locked. Inside `collect_changes` the entry is
    not saved.
    """
    if (gathers := collecting()) is not None:
        gathers.take(changes, kingdoms)
        return ChronicleEntry(campaign=campaign, day=day, by=by, text=words.dump_said(text), **fields)
    changes, about = tuple(changes), {UUID(str(kingdom)) for kingdom in kingdoms}
    said = words.dump_said(format_entries(text))
    subjects = {(change.subject_kind, change.subject_id, change.subject) for change in changes}
    entry = ChronicleEntry.objects.create(
        campaign=campaign,
        seq=_next_seq(campaign),
        day=day,
        by=by,
        text=said,
        changes=[dump_change(change) for change in changes],
        kingdoms=sorted(about),
        names=redaction.names_in(campaign.pk, said, subjects, about),
        **fields,
    )
    note_changes(campaign, entry)
    keep_deleted_rows(entry, [change for change in changes if change.whole is not None])
    live.notify_campaign(campaign.pk)
    tell_of_entry(entry, _written_here(changes), day=day)
    return collect_entries(entry)


@transaction.atomic
def undo(*, campaign: Campaign, entry: ChronicleEntry, by: User) -> ChronicleEntry:
    """Undo an entry; it stays, marked as undone. Raises `IllegalCommand` naming later changes that depend on it."""
    locked = lock(campaign)
    entry = ChronicleEntry.objects.select_for_update().get(pk=entry.pk, campaign=campaign)
    require(not entry.undone, _("This has already been undone."))
    changes = list_changes(entry)
    text = words.load_said(entry.text)
    # An entry without changes: a founding, a farewell, or one whose changes an older version did not keep.
    told = not changes and entry.battle_id is None
    require(not told, _("“{entry}” can’t be undone: nothing in it can be restored."), entry=text)
    _refuse_overtaken(entry, changes)
    back = reversed(_with_what_was_struck(entry, changes))
    turned = sorted((change.turned() for change in back), key=lambda one: not begins(one))
    day = _day_after(turned, locked)
    _write_back(_written_here(turned), Occasion(locked, by, text, "undo", day, entry))
    entry.undone_at, entry.undone_by = timezone.now(), by
    entry.save(update_fields=["undone_at", "undone_by"])
    note_changes(campaign, entry)
    for follower in contributed().undo_followers:
        follower(entry, by)
    live.notify_campaign(campaign.pk)
    tell_of_entry(entry, _written_here(changes), day=day, taken_back=True)
    return entry


def _with_what_was_struck(entry: ChronicleEntry, changes: Sequence[Change]) -> list[Change]:
    if not any(change.field == EXISTS and ends(change) for change in changes):
        return list(changes)
    kept = {(one.kind, str(one.thing), EXISTS): one.whole for one in DeletedRow.objects.filter(entry=entry)}
    return [replace(change, whole=kept.get(change.place)) for change in changes]


def list_changes(entry: ChronicleEntry | ApprovalRequest) -> list[Change]:
    """Return the changes of an entry, or those that an approval request would make."""
    return read_lines(entry.changes)


def lock(campaign: Campaign) -> Campaign:
    """Lock the campaign's row and return it: changes of one campaign's world are made one after the other.

    The lock leaves the key free, so rows below it may be added meanwhile. Raises Http404 if the campaign was removed.
    """
    return get_object_or_404(Campaign.objects.select_for_update(no_key=True), pk=campaign.pk)


def hold(campaign: Campaign) -> Campaign:
    """Lock the campaign's row and refresh the caller's own object from it. Raises Http404 as `lock`."""
    held = lock(campaign)
    for field in Campaign._meta.concrete_fields:
        setattr(campaign, field.attname, getattr(held, field.attname))
    return campaign


def _day_after(changes: Sequence[Change], campaign: Campaign) -> int:
    """Return the campaign's day after these changes, for the new entry."""
    days = [change.after for change in changes if change.place[::2] == ("campaign", "day")]
    return days[-1] if days else campaign.day


def _next_seq(campaign: Campaign) -> int:
    entries = ChronicleEntry.objects.filter(campaign=campaign).order_by("-seq")
    return (entries.values_list("seq", flat=True).first() or 0) + 1


def _written_here(changes: Iterable[Change]) -> tuple[Change, ...]:
    return tuple(change for change in changes if not change.kept)


def _write(changes: Sequence[Change], occasion: Occasion, refuse: Callable[[Change, Any], None]) -> set[UUID]:
    """Write every change after `refuse(change, present value)`. Return the ids of the kingdoms concerned."""
    rows = _load(occasion.campaign, changes)
    released = _release(changes, rows, occasion, refuse)
    touched: dict[tuple[str, str], set[str]] = defaultdict(set)
    for change in changes:
        row = rows[change.subject_kind].get(change.subject_id)
        there = row is not None and (begins(change) or not _awaited(change, row, occasion.campaign))
        if not there:
            why = say(_("{subject}: no longer in the campaign."), subject=change.subject or change.subject_id)
            raise BlockedByDeletion(why, occasion.campaign.pk, change.subject_id)
        require(get_kind(change.subject_kind, occasion.campaign).may_change(row, change.field), UNREADABLE)
        if change.place not in released:
            refuse(change, _read(change, row, occasion.campaign))
        _put(change, row, occasion)
        touched[change.subject_kind, change.subject_id].add(change.field)
    for (kind, key), fields in touched.items():
        _save(get_kind(kind, occasion.campaign), rows[kind][key], fields)
    return {owner for kind, key in touched if (owner := kingdom_of(kind, rows[kind][key]))}


def _release(
    changes: Sequence[Change], rows: Mapping[str, RowsById], occasion: Occasion, refuse: Callable[[Change, Any], None]
) -> set[tuple[str, str, str]]:
    """Empty the fields that only one row can have, where several rows change. Return their places, which `refuse` has
    looked at.
    """
    found = [(change, access.release) for change in changes
             if (access := get_kind(change.subject_kind, occasion.campaign).fields.get(change.field))
             and access.release]  # fmt: skip
    released: set[tuple[str, str, str]] = set()
    for change, release in found if len(found) > 1 else ():
        row = rows[change.subject_kind].get(change.subject_id)
        if row is not None and not row._state.adding and change.place not in released:
            refuse(change, _read(change, row, occasion.campaign))
            release(row)
            released.add(change.place)
    return released


def _write_back(changes: Sequence[Change], occasion: Occasion) -> None:
    """Write the changes of an undo. Raises `IllegalCommand` if a value cannot be written: the entry may come from an
    imported document.
    """
    try:
        with transaction.atomic():
            _write(changes, occasion, _refuse_moved)
    except (DataError, IntegrityError, ProgrammingError, *FAULTS) as error:
        logger.warning("A change that cannot be taken back", exc_info=error)
        raise IllegalCommand(UNREADABLE) from error


def _awaited(change: Change, row: Any, campaign: Campaign) -> bool:
    """Return whether the row does not exist yet and an earlier change has to create it."""
    return row._state.adding and bool(BEGINNINGS & get_kind(change.subject_kind, campaign).fields.keys())


def _load(campaign: Campaign, changes: Sequence[Change]) -> dict[str, RowsById]:
    """Load and lock the rows to change. Kinds are locked in a fixed order, to avoid deadlocks. Raises `IllegalCommand`
    for malformed ids.
    """
    wanted: dict[str, set[str]] = defaultdict(set)
    for change in changes:
        wanted[change.subject_kind].add(change.subject_id)
    itself: dict[str, RowsById] = {"campaign": {str(campaign.pk): copy(campaign)}}  # it is locked already
    try:
        return {
            kind: itself.get(kind) or get_kind(kind, campaign).loader(campaign, wanted[kind]) for kind in sorted(wanted)
        }
    except (ValueError, ValidationError) as error:  # the ids may come from an imported document
        raise IllegalCommand(UNREADABLE) from error


def _read(change: Change, row: Any, campaign: Campaign) -> Any:
    return value_of(get_kind(change.subject_kind, campaign), change.field, row)


def _put(change: Change, row: Any, occasion: Occasion) -> None:
    if special := get_kind(change.subject_kind, occasion.campaign).fields.get(change.field):
        special.write(row, change.whole if begins(change) and change.whole is not None else change.after, occasion)
    else:
        setattr(row, change.field, change.after)


def _save(kind: TrackedModel, row: Any, fields: set[str]) -> None:
    if row._state.adding or row.pk is None:
        return  # a hook has deleted it
    if columns := {kind.stored.get(field, field) for field in fields - kind.fields.keys()}:
        row.save(update_fields=sorted(columns))
    if kind.after:
        kind.after(row, fields)


def _refuse_stale(change: Change, now: Any) -> None:
    require(
        now == make_plain(change.before),
        _("{subject} changed since this preview ({label}: was {before}, now {now}). Check it again."),
        subject=change.subject or change.subject_id,
        label=change.label,
        before=show(change.before),
        now=show(now),
    )


def _refuse_moved(change: Change, now: Any) -> None:
    require(
        now == make_plain(change.before),
        _("{subject} changed since then ({label} was {before}, now {now}). Undo that change first."),
        subject=change.subject or change.subject_id,
        label=change.label,
        before=show(change.before),
        now=show(now),
    )


def later_than(entry: ChronicleEntry) -> models.QuerySet[ChronicleEntry]:
    """Return the later entries that have not been undone."""
    return ChronicleEntry.objects.filter(campaign=entry.campaign_id, seq__gt=entry.seq, undone_at=None)


def find_later(entry: ChronicleEntry, **line: Any) -> ChronicleEntry | None:
    """Return the last of the later entries that have such a line; None if there is none."""
    return later_than(entry).filter(changes__contains=[line]).order_by("-seq").first()


def _refuse_overtaken(entry: ChronicleEntry, changes: Iterable[Change]) -> None:
    """Raise `Blocked` for a later entry that changed the same field, changed something this entry created, or deleted
    something this entry changed.
    """
    places = {change.place for change in changes}
    touched = {change.place[:2] for change in changes}
    begun = {change.place[:2] for change in changes if change.field in BEGINNINGS}
    for other in later_than(entry).order_by("-seq"):
        rests = (
            change
            for change in list_changes(other)
            if change.place in places or change.place[:2] in begun or (ends(change) and change.place[:2] in touched)
        )
        if shared := next(rests, None):
            why = _("“{later}” (day {day}) depends on this ({subject}: {label}). Undo that event first.")
            raise Blocked(_named(why, other, subject=shared.subject, label=shared.label), entry=other)
        _refuse_overlap(entry, other)


def _refuse_overlap(entry: ChronicleEntry, other: ChronicleEntry) -> None:
    for overlap in contributed().overlaps:
        if (shared := overlap(entry, other)) is not None:
            why = _("“{later}” (day {day}) depends on this ({subject}). Undo that event first.")
            raise Blocked(_named(why, other, subject=shared), entry=other)


def _named(why: Term, other: ChronicleEntry, **about: Any) -> Said:
    return say(why, later=words.load_said(other.text), day=other.day, **about)


def show(value: Any) -> Said | str:
    """Return a value as it reads in a sentence."""
    if value is None:
        return _("nothing")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, Mapping):
        return _("too long to show here")
    return ", ".join(map(str, value)) or _("nothing") if isinstance(value, list | tuple) else str(value)
