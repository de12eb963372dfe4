"""Note targets: kinds of objects that notes may be about and mention. Apps contribute them.

An object is named by its kind and id, "army:0190…" (`make_ref`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Model, QuerySet

from kingdom.contributions import contributed
from kingdom.models import Campaign, User
from rules.core.text import Said


@dataclass(frozen=True, slots=True)
class NoteTarget:
    """A kind of object. `rows(user)` returns those the user may see, in all their campaigns; `page(id)` the address of
    its page.

    `everybody`: every member may know each of them. `owner`: the field with its kingdom's id, if it has one. `written`:
    notes may be about it; `mentioned`: notes may mention it. `rank`: of objects with one name the lowest is meant.
    """

    model: type[Model]
    word: Said
    rows: Callable[[User], QuerySet[Any]]
    page: Callable[[UUID], str]
    icon: str = ""
    name: str = "name"
    owner: str = ""
    everybody: bool = False
    written: bool = True
    mentioned: bool = True
    rank: int = 0

    def of(self, user: User, campaign: Campaign) -> QuerySet[Any]:
        """Return those of this campaign that the user may see."""
        return self.rows(user).filter(**{self.campaign_path: campaign.pk})

    @property
    def campaign_path(self) -> str:
        return "pk" if self.model is Campaign else "campaign"


def list_note_targets() -> Mapping[str, NoteTarget]:
    """Return all note targets, by kind."""
    return contributed().note_targets


def make_ref(kind: str, key: UUID | str) -> str:
    return f"{kind}:{key}"


def parse_ref(ref: object) -> tuple[str, UUID] | None:
    """Return the kind and id of a reference; None if it is malformed or of an unknown kind."""
    kind, _colon, key = str(ref).partition(":")
    try:
        return (kind, UUID(key)) if kind in list_note_targets() else None
    except ValueError:
        return None
