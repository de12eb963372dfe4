"""Panel of notes under every page, and the kinds of `kingdom/` that notes may be about."""

from __future__ import annotations

from typing import Any

from core.url_cache import get_url
from kingdom import slots as kingdom_slots
from kingdom.access.queries import list_campaigns
from kingdom.campaign.queries import kingdoms_of, settlements_of
from kingdom.models import Campaign, Kingdom, Note, Settlement, User
from kingdom.notes import targets
from kingdom.notes.page import build_subject, notebook_of
from kingdom.notes.queries import list_visible_notes
from kingdom.notes.targets import NoteTarget
from rules.core.text import _

LATER = ("campaign", "kingdom")


def register() -> None:
    targets.register(
        "campaign",
        NoteTarget(Campaign, _("Campaign"), list_campaigns, lambda key: get_url("kingdom:campaign", key), "crown",
              everybody=True, mentioned=False),
    )  # fmt: skip
    targets.register(
        "kingdom",
        NoteTarget(Kingdom, _("Kingdom"), kingdoms_of, lambda key: get_url("kingdom:kingdom", key), "castle",
                   owner="pk", everybody=True),
    )  # fmt: skip
    targets.register(
        "settlement",
        NoteTarget(Settlement, _("Settlement"), settlements_of, lambda key: get_url("kingdom:notes", "settlement", key),
              "settlement", owner="kingdom_id"),
    )  # fmt: skip
    targets.register(
        "note",
        NoteTarget(Note, _("Note"), list_visible_notes, lambda key: get_url("kingdom:note", key), "scroll-unfurled",
              name="title", written=False, rank=1),
    )  # fmt: skip
    kingdom_slots.register("beneath", beneath)


def beneath(user: User, kind: str, row: Any) -> tuple[str, dict[Any, Any]]:
    """The notes about a thing, under its page; the form of a new one comes when it is asked for. The busiest pages have
    them once they are scrolled to.
    """
    if kind in LATER:
        return "kingdom/notes/later.html", {"kind": kind, "key": row.pk}
    book = notebook_of(user, build_subject(kind, row))
    return "kingdom/notes/beneath.html", {"book": book, "thing": book.thing, "campaign": book.thing.campaign}
