"""Versions of the document's format, and upgrades of older ones.

A document of version n passes through the upgrades n, n + 1, …, row by row. Whoever adds, renames or drops a table or a
column of a carried model raises `VERSION` and writes the upgrade of the version before; a test holds the columns of
every version. A figure of an army declared with `ADDED_LATER` (`rules.army_law`) needs no upgrade: its default
applies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from django.db import DatabaseError

from kingdom.chronicle.field_change import UNREADABLE
from rules.core.errors import InvalidInput, Refusal, demand
from rules.core.text import _

FORMAT = "warhost-campaign"
NO_CAMPAIGN_FILE = _("This isn’t a campaign file. Choose the .json file that “Export” in a campaign’s settings made.")
VERSION = 7

Row = dict[str, Any]
RowUpgrade = Callable[[Row], Row | None]


def _as_it_is(row: Row) -> Row | None:
    return row


class Upgrade(NamedTuple):
    """The upgrade from one version to the next. `campaign` and `rows` (by table) change a row, or drop it by returning
    None; `renamed`: new names of tables, which `rows` uses.
    """

    campaign: RowUpgrade = _as_it_is
    rows: Mapping[str, RowUpgrade] = {}
    renamed: Mapping[str, str] = {}


def _with(**added: Any) -> RowUpgrade:
    """Return an upgrade that adds columns with these values."""
    return lambda row: {**row, **added}


UPGRADES: dict[int, Upgrade] = {
    1: Upgrade(
        campaign=_with(others_known=1, met_known=1),
        rows={"armies": _with(hidden=False), "chronicle": _with(names=[])},
    ),
    2: Upgrade(rows={"requests": _with(names=[])}),
    3: Upgrade(campaign=_with(secrecy={})),
    4: Upgrade(),  # deleted rows got a table of their own
    5: Upgrade(),  # battle maps got a table of their own
    6: Upgrade(),  # pictures got a table of their own
}
"""By the version they upgrade."""


def demand_known(head: Mapping[str, Any]) -> None:
    """Raise `InvalidInput` unless this document can be read here. `head`: the members beside the tables."""
    demand(head.get("format") == FORMAT, NO_CAMPAIGN_FILE, field="/format")
    version: Any = head.get("version")
    demand(type(version) is int, _("Enter a whole number."), field="/version")
    demand(1 <= version <= VERSION, _("This file has format version {version}. This "
                                      "server reads up to version {known}."),
           field="/version", version=version, known=VERSION)  # fmt: skip


def campaign_today(row: Row, version: int) -> Row:
    """Return the campaign's row in today's format."""
    for step in _steps(version):
        row = step.campaign(row) or {}
    return row


def table_today(name: str, version: int) -> str:
    """Return today's name of a table of that version."""
    for step in _steps(version):
        name = step.renamed.get(name, name)
    return name


def row_today(table: str, row: Row, version: int) -> Row | None:
    """Return a row in today's format; None if it no longer exists. `table`: its name in that version."""
    found: Row | None = row
    for step in _steps(version):
        table = step.renamed.get(table, table)
        if found is not None and table in step.rows:
            found = step.rows[table](found)
    return found


def _steps(version: int) -> list[Upgrade]:
    return [UPGRADES[one] for one in range(version, VERSION)]


# Errors while a document is read: each becomes a fault of the document with its pointer.


TABLES = "tables"


@contextmanager
def locate_faults(at: str) -> Iterator[None]:
    """Turn errors of reading into `InvalidInput` at this JSON pointer, or below it if the error says where.

    A pointer into a table (`/tables/map_rows/0/claims`) is taken from the document's root.
    """
    try:
        yield
    except Refusal as refusal:
        errors = tuple((_from_here(at, where), what) for where, what in refusal.errors)
        raise InvalidInput(refusal.message, errors[0][0], errors) from None
    except DatabaseError:
        raise
    except Exception as fault:  # any error that a document can cause
        raise InvalidInput(UNREADABLE, at) from fault


def _from_here(at: str, where: str) -> str:
    return where if where.startswith(f"/{TABLES}/") else at + where
