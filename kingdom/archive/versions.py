"""Versions of the document's format, and how older ones become today's.

A document of version n is read by the upgrades n, n + 1, … one after the other, row by row, so that nothing is held in
memory. Whoever adds, renames or drops a table or a column of a carried model raises `VERSION` and writes the upgrade of
the version before; a test holds the columns of every version. A figure of an army that is declared with `ADDED_LATER`
(`rules.army_figures`) needs none: a document that lacks it means its default.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from django.db import DatabaseError

from kingdom.chronicle.tracked_models import UNREADABLE
from rules.core.errors import InvalidInput, Refusal, demand
from rules.core.text import _

FORMAT = "warhost-campaign"
VERSION = 7

Row = dict[str, Any]
RowUpgrade = Callable[[Row], Row | None]


def _as_it_is(row: Row) -> Row | None:
    return row


class Upgrade(NamedTuple):
    """From one version to the next. `campaign` and `rows` (by table) change a row, or drop it with None; `renamed`:
    tables by their new names, which `rows` goes by.
    """

    campaign: RowUpgrade = _as_it_is
    rows: Mapping[str, RowUpgrade] = {}
    renamed: Mapping[str, str] = {}


def _with(**added: Any) -> RowUpgrade:
    """Columns that are new, as they are in a campaign that was there before them."""
    return lambda row: {**row, **added}


UPGRADES: dict[int, Upgrade] = {
    1: Upgrade(
        campaign=_with(others_known=1, met_known=1),
        rows={"armies": _with(hidden=False), "chronicle": _with(names=[])},
    ),
    2: Upgrade(rows={"requests": _with(names=[])}),
    3: Upgrade(campaign=_with(secrecy={})),
    4: Upgrade(),  # what was struck is new, a table of its own
    5: Upgrade(),  # battle maps are new, a table of their own
    6: Upgrade(),  # pictures are new, a table of their own
}
"""By the version they begin with."""


def demand_known(head: Mapping[str, Any]) -> None:
    """Raise `InvalidInput` unless this is a document that can be read here. `head`: what stands beside the tables."""
    demand(head.get("format") == FORMAT, _("This isn’t a Warhost campaign file."), field="/format")
    version: Any = head.get("version")
    demand(type(version) is int, _("Enter a whole number."), field="/version")
    demand(1 <= version <= VERSION, _("This file has format version {version}. This "
                                      "server reads up to version {known}."),
           field="/version", version=version, known=VERSION)  # fmt: skip


def campaign_today(row: Row, version: int) -> Row:
    """The campaign's own row as it is written today."""
    for step in _steps(version):
        row = step.campaign(row) or {}
    return row


def table_today(name: str, version: int) -> str:
    """What a table of that version is called today."""
    for step in _steps(version):
        name = step.renamed.get(name, name)
    return name


def row_today(table: str, row: Row, version: int) -> Row | None:
    """A row as it is written today; None: there is nothing like it any more. `table`: as it was called then."""
    found: Row | None = row
    for step in _steps(version):
        table = step.renamed.get(table, table)
        if found is not None and table in step.rows:
            found = step.rows[table](found)
    return found


def _steps(version: int) -> list[Upgrade]:
    return [UPGRADES[one] for one in range(version, VERSION)]


# Errors while a document is read: every one is told as a fault of the document, with its place.


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
