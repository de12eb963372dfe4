"""Conflicts: what blocks an undo, with a link that leads there."""

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
    """Something else must be undone or ended first: an `entry` of the chronicle, or what was done in a `battle` (its
    id, where it is known).
    """

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
    """What is asked for is gone: where it was struck, the entry that did it has to be undone first."""

    def __init__(self, message: Said, campaign: UUID, thing: object):
        struck = find_deleted_row(campaign, thing)
        super().__init__(message, entry=struck.entry if struck else None)


@contextmanager
def unless_remembered(why: Term, held: Term | None = None) -> Iterator[None]:
    """What is deleted here though a battle remembers it raises `Blocked` with that battle and `why`; what something
    else keeps, with `held`.
    """
    try:
        yield
    except (ProtectedError, RestrictedError) as error:
        kept = error.protected_objects if isinstance(error, ProtectedError) else error.restricted_objects
        battle = next((row.battle_id for row in kept if hasattr(row, "battle_id")), None)
        raise Blocked(why if battle else held or why, battle=battle) from None


def link_refusal(refusal: Refusal, message: Said | None = None) -> str:
    """A refusal in words, with a link to what must be undone first where it names that. Safe to be drawn as it is."""
    words = say(refusal.message if message is None else message)
    found = _place(refusal) if isinstance(refusal, Blocked) else None
    return format_html('{} <a href="{}">{}</a>', words, *found) if found else words


def _place(refusal: Blocked) -> tuple[str, str] | None:
    """An address, and how the link is called."""
    if refusal.entry:
        there = reverse("kingdom:entry", args=[refusal.entry.campaign_id, refusal.entry.pk])
        return there, gettext("Go to this chronicle entry")
    try:
        return (
            (reverse("battles:battle", args=[refusal.battle]), gettext("Go to the battle")) if refusal.battle else None
        )
    except NoReverseMatch:  # a site without battles
        return None
