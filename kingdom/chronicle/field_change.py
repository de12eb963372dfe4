"""Change of one field of one object, the JSON an entry stores of it, and rows that were deleted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from core import text as words
from core.clean_input import parse_uuid
from kingdom.chronicle.tracked_models import make_plain
from kingdom.models import Campaign, ChronicleEntry, DeletedRow, Knowledge
from rules.core.text import Said

EXISTS = "exists"
BEGINNINGS = frozenset({"created", EXISTS})
"""Fields that say whether an object exists."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change of one field of one object: its values before and after (JSON), the rule id, and a label for readers.

    `subject` is the display name, stored so that the chronicle still reads when the object is deleted. `kept`: the
    proposer writes the value itself and restores it on undo (`UndoFollower`), as time does for thousands of rows.
    `whole`: what restores a deleted object (`kingdom.chronicle.undelete`); it is stored apart in `DeletedRow`.
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
    whole: Any = None

    @property
    def place(self) -> tuple[str, str, str]:
        return self.subject_kind, self.subject_id, self.field

    def turned(self) -> Change:
        """Return the change that undoes this one."""
        return replace(self, before=self.after, after=self.before)


def begins(change: Change) -> bool:
    """Return whether the change creates an object."""
    return change.field in BEGINNINGS and change.after not in (None, False)


def ends(change: Change) -> bool:
    """Return whether the change deletes an object."""
    return change.field in BEGINNINGS and not begins(change)


def read_lines(kept: Iterable[Mapping[str, Any]]) -> list[Change]:
    """Return the changes stored with an entry or an approval request."""
    return [_from_json(data) for data in kept]


def dump_change(change: Change) -> dict[str, Any]:
    return {
        "subject_kind": change.subject_kind,
        "subject_id": change.subject_id,
        "subject": str(change.subject),
        "field": change.field,
        "before": make_plain(change.before),
        "after": make_plain(change.after),
        "rule": change.rule,
        "label": words.dump_said(change.label),
        **({"kept": True} if change.kept else {}),
    }


def _from_json(data: Mapping[str, Any]) -> Change:
    return Change(**{**data, "label": words.load_said(data["label"])})


# Deleted rows, stored with the entry that deleted them (`kingdom.chronicle.undelete`).


def keep_deleted_rows(entry: ChronicleEntry, struck: Sequence[Change]) -> None:
    dissolved = {change.subject_id for change in struck if change.subject_kind == "kingdom"}
    DeletedRow.objects.bulk_create(
        DeletedRow(
            campaign=entry.campaign,
            entry=entry,
            kind=one.subject_kind,
            thing=one.subject_id,
            whole=one.whole,
            kingdom_id=owner if (owner := one.whole["columns"].get("kingdom_id")) not in dissolved else None,
            hidden=_hidden(entry.campaign, one.whole["columns"]),
        )
        for one in struck
    )


def _hidden(campaign: Campaign, columns: Mapping[str, Any]) -> bool:
    """Return whether other players might not know of it: it is hidden, or not revealed where others' armies are
    unknown.
    """
    unknown = campaign.others_known < Knowledge.NAME and not columns.get("revealed", True)
    return unknown or bool(columns.get("hidden", False))


def find_deleted_row(campaign: UUID, thing: object) -> DeletedRow | None:
    """Return the stored row of a deleted object whose deletion has not been undone; None if there is none."""
    if (key := parse_uuid(thing)) is None:
        return None
    found = DeletedRow.objects.filter(campaign=campaign, thing=key, entry__undone_at=None)
    return found.select_related("entry").order_by("-entry__seq").first()
