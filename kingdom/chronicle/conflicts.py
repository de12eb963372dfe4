"""Conflicts: what blocks an undo, with a link to it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.db.models import ProtectedError, RestrictedError
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html
from django.utils.translation import gettext

from core.text import render as say
from kingdom.chronicle.field_change import find_deleted_row
from kingdom.models import ChronicleEntry
from rules.core.errors import IllegalCommand, Refusal
from rules.core.text import Said, Term


class Blocked(IllegalCommand):
    """Something else must be undone or ended first: an `entry` of the chronicle, or a `battle` (its id, if known)."""

    def __init__(
        self,
        message: Said,
        field: str = "",
        errors: tuple[tuple[str, Said], ...] = (),
        *,
        entry: ChronicleEntry | None = None,
        battle: object = None,
    ):
        super().__init__(message, field, errors)
        self.entry, self.battle = entry, battle


class BlockedByDeletion(Blocked):
    """The object no longer exists. If an entry deleted it, that entry must be undone first."""

    def __init__(self, message: Said, campaign: UUID, thing: object):
        struck = find_deleted_row(campaign, thing)
        super().__init__(message, entry=struck.entry if struck else None)


@contextmanager
def unless_remembered(why: Term, held: Term | None = None) -> Iterator[None]:
    """Context that turns a protected deletion into `Blocked`: with `why` and the battle if a battle refers to the row,
    else with `held` (or `why`).
    """
    try:
        yield
    except (ProtectedError, RestrictedError) as error:
        kept = error.protected_objects if isinstance(error, ProtectedError) else error.restricted_objects
        battle = next((row.battle_id for row in kept if hasattr(row, "battle_id")), None)
        raise Blocked(why if battle else held or why, battle=battle) from None


def link_refusal(refusal: Refusal, message: Said | None = None) -> str:
    """Return the refusal as safe HTML, with a link to what must be undone first if it names that."""
    words = say(refusal.message if message is None else message)
    found = _place(refusal) if isinstance(refusal, Blocked) else None
    return format_html('{} <a href="{}">{}</a>', words, *found) if found else words


def _place(refusal: Blocked) -> tuple[str, str] | None:
    """Return the address of what must be undone first, and the text of the link; None if unknown."""
    if refusal.entry:
        there = reverse("kingdom:entry", args=[refusal.entry.campaign_id, refusal.entry.pk])
        return there, gettext("Go to this chronicle entry")
    try:
        return (
            (reverse("battles:battle", args=[refusal.battle]), gettext("Go to the battle")) if refusal.battle else None
        )
    except NoReverseMatch:  # the site has no battles app
        return None
