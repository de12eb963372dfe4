"""Import of a document, which is read twice: once to check its rows and once to write them.

Nothing in a document is trusted: rows refer only to rows of the document, every column is validated by its model, the
database checks its constraints, and every written row is then checked as its readers will read it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, BinaryIO, NamedTuple
from uuid import UUID

from django.db import DataError, IntegrityError, connection
from django.db.models import sql

from kingdom.archive import versions
from kingdom.archive.columns import Column, Ids, PersonColumn, clean_id
from kingdom.archive.import_checks import ROOT, CarriedTable, Check, find_table, list_carried_tables
from kingdom.archive.scanner import DocumentFile, Scanner
from kingdom.archive.versions import TABLES, Row, locate_faults
from kingdom.chronicle.last_changes import rebuild_last_changes
from kingdom.contributions import contributed
from kingdom.models import Campaign
from rules.core.errors import MARGIN_MOST, IllegalCommand, InvalidInput, demand, demand_object_file
from rules.core.text import _, say

READING, WRITING, CHECKING = "reading", "writing", "checking"


class Progress:
    """Progress of an import, read by other threads. `stop` ends it at the next row, and everything is rolled back."""

    def __init__(self) -> None:
        self.step, self.done, self.of = READING, 0, 0
        self.stop = False

    def rows[Row](self, step: str, rows: Iterable[Row]) -> Iterator[Row]:
        """Yield these rows, counted. Reading them first sets their number. Raises `IllegalCommand` once stopped."""
        self.step, self.done = step, 0
        for place, row in enumerate(rows, 1):
            if self.stop:
                raise IllegalCommand(_("Import stopped. Nothing was imported."))
            yield row
            self.done = place
        if step == READING:
            self.of = self.done


ROWS, PARTS = 500, 250_000  # rows written at a time, and JSON values in them
HEAD = ("format", "version", "written_at", "campaign", "people")


class PersonNamed(NamedTuple):
    """A person named in a document."""

    id: str
    name: str


class RowFound(NamedTuple):
    """A row in today's format and table, its pointer in the document, and its number of JSON values."""

    table: str
    row: Row
    at: str
    parts: int


class Bounds(NamedTuple):
    """Limits of a document; None for none. `size`: bytes, unpacked."""

    size: int | None = None
    rows: int | None = None


NO_BOUNDS = Bounds()


class Document:
    """A document on disk. `file` is read from its beginning, several times."""

    def __init__(self, file: BinaryIO, bounds: Bounds = NO_BOUNDS):
        self._source = DocumentFile(file, bounds.size)
        self._bounds = bounds
        self._moved: dict[tuple[str, str], Row] = {}
        self.head = self._read_head()
        versions.demand_known(self.head)
        self.version: int = self.head["version"]

    @property
    def size(self) -> int:
        """Bytes, unpacked, read so far."""
        return self._source.size

    @property
    def people(self) -> list[PersonNamed]:
        """The people it names. Raises `InvalidInput`."""
        listed = self.head.get("people", [])
        demand(isinstance(listed, list), _("Use a list."), field="/people")
        return [_named(one, f"/people/{place}") for place, one in enumerate(listed)]

    @property
    def campaign(self) -> Row:
        row = self.head.get("campaign")
        demand(isinstance(row, dict), _("This field is missing. Add it."), field="/campaign")
        return {**ROOT.added, **versions.campaign_today(dict(row), self.version)}  # type: ignore[arg-type]

    def rows(self) -> Iterator[RowFound]:
        """Yield every row. Raises `InvalidInput` if one cannot be read or there are too many."""
        for name, scanner in self._walk():
            if name == TABLES:
                yield from self._bounded(self._tables(scanner))
            else:
                scanner.value(f"/{name}")

    def _bounded(self, rows: Iterator[RowFound]) -> Iterator[RowFound]:
        most = self._bounds.rows
        for number, found in enumerate(rows, 1):
            demand(most is None or number <= most, _("This file has too many rows. A "
                                                     "campaign can have {most} at most."),
                   field=found.at, most=most)  # fmt: skip
            yield found

    def _tables(self, scanner: Scanner) -> Iterator[RowFound]:
        for name in scanner.members(f"/{TABLES}"):
            today, at = versions.table_today(name, self.version), f"/{TABLES}/{name}"
            demand(find_table(today), _("Unknown table in the campaign file."), field=at[:200])
            for place in scanner.items(at):
                row = scanner.value(f"{at}/{place}")
                demand(isinstance(row, dict), _("Enter a JSON object."), field=f"{at}/{place}")
                now = versions.row_today(name, row, self.version)
                if now is not None:
                    yield RowFound(today, self._settled(_table(today), now), f"{at}/{place}", scanner.parts)

    def _settled(self, table: CarriedTable, row: Row) -> Row:
        """Return the row with columns that came later, and with what another table had for it (`CarriedTable.moved`),
        which the first reading of the document collects.
        """
        for column, (names, home) in table.moved.items():
            if column in row:
                self._moved.setdefault((home, str(row.get(names))), {})[column] = row.pop(column)
        return {**table.added, **row, **self._moved.get((table.name, str(row.get(table.key))), {})}

    def _read_head(self) -> dict[str, Any]:
        """Return the members beside the tables. Those before the tables are enough if they are complete."""
        head: dict[str, Any] = {}
        demand_object_file(self._source.read(MARGIN_MOST), versions.NO_CAMPAIGN_FILE)
        for name, scanner in self._walk():
            if name != TABLES:
                head[name] = scanner.value(f"/{name}")
            elif set(HEAD) <= head.keys():
                break
            else:
                _skip_tables(scanner)
        return head

    def _walk(self) -> Iterator[tuple[str, Scanner]]:
        scanner, ours = Scanner(self._source), False
        for name in scanner.members(""):
            ours = ours or name in HEAD[:2]
            unknown = _("Unknown field in the campaign file.") if ours else versions.NO_CAMPAIGN_FILE
            demand(name in (*HEAD, TABLES), unknown, field=f"/{name}"[:200])
            yield name, scanner
        scanner.end()


def _skip_tables(scanner: Scanner) -> None:
    for name in scanner.members(f"/{TABLES}"):
        for place in scanner.items(f"/{TABLES}/{name}"):
            scanner.value(f"/{TABLES}/{name}/{place}")


def _named(one: Any, at: str) -> PersonNamed:
    match one:
        case {"id": str(key), "name": str(name)}:
            with _below(f"{at}/id"):
                return PersonNamed(clean_id(key), name)
    raise InvalidInput(_("Use an object with an id and a name."), at)


def import_document(
    document: Document,
    *,
    people: Mapping[str, UUID],
    own: Mapping[str, Any],
    progress: Progress | None = None,
    admit: Callable[[int], None] | None = None,
) -> Campaign:
    """Import the document in the caller's transaction and return the campaign.

    `people`: accounts here by their ids in the document; `own`: columns of the campaign that the document lacks;
    `admit(bytes)` may refuse it once it is read. Raises `InvalidInput` with pointers into the document.
    """
    ids, progress = Ids(people), progress or Progress()
    _know(document, ids, progress)
    if admit:
        admit(document.size)
    with _told_by_database():
        campaign = _campaign(document, ids, {**own, "brought_bytes": document.size})
        _write(document, ids, campaign, progress)
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")
    _check(campaign, progress)
    rebuild_last_changes(campaign)
    return campaign


def _know(document: Document, ids: Ids, progress: Progress) -> None:
    """Check that every row has the columns of its table and a unique id, and register the ids."""
    _carry(ROOT, document.campaign, "/campaign", ids)
    for found in progress.rows(READING, document.rows()):
        _carry(_table(found.table), found.row, found.at, ids)


def _carry(found: CarriedTable, row: Row, at: str, ids: Ids) -> None:
    if row.keys() != found.columns.keys():
        for name in found.columns.keys() - row.keys():
            raise InvalidInput(_("This field is missing. Add it."), f"{at}/{name}")
        for name in row.keys() - found.columns.keys():
            raise InvalidInput(_("Unknown column. Remove it."), f"{at}/{name}"[:200])
    if found.key:
        with _below(f"{at}/{found.key}"):
            demand(ids.carry(found.name, clean_id(row[found.key])), _("Another row already has this id."))


def _campaign(document: Document, ids: Ids, own: Mapping[str, Any]) -> Campaign:
    values = _values(ROOT, document.campaign, "/campaign", ids)
    campaign = Campaign(**values, **own)
    campaign.save(force_insert=True)
    return campaign


def _write(document: Document, ids: Ids, campaign: Campaign, progress: Progress) -> None:
    """Write the rows in the order of the document; foreign keys are checked at the end."""
    for name, some in _grouped(progress.rows(WRITING, document.rows())):
        written = _table(name)
        kept = [row for found in some if (row := _row(written, found, ids, campaign))]
        if kept:
            _insert(written, kept)


def _grouped(rows: Iterator[RowFound]) -> Iterator[tuple[str, list[RowFound]]]:
    """Yield batches of rows, each of one table."""
    for some in _together(rows):
        by_table: dict[str, list[RowFound]] = {}
        for found in some:
            by_table.setdefault(found.table, []).append(found)
        yield from by_table.items()


def _together(rows: Iterator[RowFound]) -> Iterator[list[RowFound]]:
    """Yield batches of rows that fit in memory at once."""
    some: list[RowFound] = []
    parts = 0
    for found in rows:
        some.append(found)
        parts += found.parts
        if len(some) == ROWS or parts > PARTS:
            yield some
            some, parts = [], 0
    yield some


def _row(written: CarriedTable, found: RowFound, ids: Ids, campaign: Campaign) -> SimpleNamespace | None:
    """Return the row to insert; None for a person who has no account here."""
    values = _values(written, found.row, found.at, ids)
    if written.people and any(values[c.field.attname] is None for c in _persons(written)):
        return None
    for left in written.left_out:
        missing: Any = written.model._meta.get_field(left)
        values[missing.attname] = missing.get_default()
    return SimpleNamespace(**values, **({"campaign_id": campaign.pk} if written.owned else {}))


def _persons(written: CarriedTable) -> list[Column]:
    return [column for column in written.columns.values() if isinstance(column, PersonColumn)]


def _values(written: CarriedTable, row: Row, at: str, ids: Ids) -> dict[str, Any]:
    values = {}
    for name, column in written.columns.items():
        try:
            values[column.field.attname] = column.read(row[name], ids)
        except InvalidInput as refusal:
            raise refusal.below(f"{at}/{name}") from None
    return values


def _insert(written: CarriedTable, rows: list[Any]) -> None:
    """Insert a table's own columns in bulk: Django would insert rows with parents one by one."""
    query = sql.InsertQuery(written.model)
    query.insert_values(written.model._meta.local_concrete_fields, rows, raw=True)
    with _told_by_database(f"/{TABLES}/{written.name}"):
        query.get_compiler(connection=connection).execute_sql()


def _check(campaign: Campaign, progress: Progress) -> None:
    """Run the checks of all tables on the written rows."""
    for check, row, at in progress.rows(CHECKING, _to_check(campaign)):
        _look(check, row, at)


def _to_check(campaign: Campaign) -> Iterator[tuple[Check | None, Any, str]]:
    """Yield every row with a check, and its pointer."""
    yield ROOT.check, campaign, "/campaign"
    for check in contributed().whole_checks:
        yield check, campaign, ""
    for found in list_carried_tables():
        if found.check:
            rows = found.ready(found.rows(campaign))
            for place, row in enumerate(rows.iterator(chunk_size=ROWS)):
                yield found.check, row, f"/{TABLES}/{found.name}/{place}"


def _look(check: Check | None, row: Any, at: str) -> None:
    if check:
        with locate_faults(at):
            check(row)


def _table(name: str) -> CarriedTable:
    found = find_table(name)
    assert found is not None
    return found


@contextmanager
def _below(at: str) -> Iterator[None]:
    try:
        yield
    except InvalidInput as refusal:
        raise refusal.below(at) from None


@contextmanager
def _told_by_database(at: str = "") -> Iterator[None]:
    """Turn errors of the database into `InvalidInput` naming the constraint."""
    try:
        yield
    except (IntegrityError, DataError) as error:
        told = getattr(error.__cause__, "diag", None)
        where = at or _place_of(getattr(told, "table_name", None))
        broken = getattr(told, "constraint_name", None) or str(error).splitlines()[0]
        raise InvalidInput(say(_("Some rows contradict each other ({condition})."), condition=broken),
                           where) from None  # fmt: skip


def _place_of(stored: str | None) -> str:
    return next(
        (f"/{TABLES}/{found.name}" for found in list_carried_tables() if found.model._meta.db_table == stored), ""
    )
