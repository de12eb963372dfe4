"""What of kingdoms notes may be about and mention, and the panel of notes under every page of such things."""

from __future__ import annotations

from typing import Any

from kingdom import panels, topics
from kingdom.addresses import address
from kingdom.models import Campaign, Kingdom, Note, Settlement, User
from kingdom.selectors import campaigns_of, kingdoms_of, settlements_of
from kingdom.selectors.notebook import notebook_of, thing_of
from kingdom.selectors.notes import notes_visible_to
from kingdom.topics import Topic
from rules.text import _

LATER = ("campaign", "kingdom")


def register() -> None:
    topics.register(
        "campaign",
        Topic(Campaign, _("Campaign"), campaigns_of, lambda key: address("kingdom:campaign", key), "crown",
              everybody=True, mentioned=False),
    )  # fmt: skip
    topics.register(
        "kingdom",
        Topic(Kingdom, _("Kingdom"), kingdoms_of, lambda key: address("kingdom:kingdom", key), "castle", owner="pk",
              everybody=True),
    )  # fmt: skip
    topics.register(
        "settlement",
        Topic(Settlement, _("Settlement"), settlements_of, lambda key: address("kingdom:notes", "settlement", key),
              "settlement", owner="kingdom_id"),
    )  # fmt: skip
    topics.register(
        "note",
        Topic(Note, _("Note"), notes_visible_to, lambda key: address("kingdom:note", key), "scroll-unfurled",
              name="title", written=False, rank=1),
    )  # fmt: skip
    panels.register("beneath", beneath)


def beneath(user: User, kind: str, row: Any) -> tuple[str, dict[Any, Any]]:
    """The notes about a thing, under its page; the form of a new one comes when it is asked for. The busiest pages have
    them once they are scrolled to.
    """
    if kind in LATER:
        return "kingdom/notes/later.html", {"kind": kind, "key": row.pk}
    book = notebook_of(user, thing_of(kind, row))
    return "kingdom/notes/beneath.html", {"book": book, "thing": book.thing, "campaign": book.thing.campaign}
