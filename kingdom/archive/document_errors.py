"""Errors while a document is read: every one is told as a fault of the document, with its place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import DatabaseError

from kingdom.chronicle.tracked_models import UNREADABLE
from rules.core.errors import InvalidInput, Refusal

TABLES = "tables"


@contextmanager
def locate_faults(at: str) -> Iterator[None]:
    """Refuse what cannot be read here at this JSON pointer, or below it where the refusal says so. One that points into
    a table (`/tables/map_rows/0/claims`) points from the document's beginning.

    Raises `InvalidInput`.
    """
    try:
        yield
    except Refusal as refusal:
        errors = tuple((_from_here(at, where), what) for where, what in refusal.errors)
        raise InvalidInput(refusal.message, errors[0][0], errors) from None
    except DatabaseError:
        raise
    except Exception as fault:  # whatever a document can provoke
        raise InvalidInput(UNREADABLE, at) from fault


def _from_here(at: str, where: str) -> str:
    return where if where.startswith(f"/{TABLES}/") else at + where
