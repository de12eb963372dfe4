"""Commanders with a declared document: their form, and their rows in a CSV table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from django.http import QueryDict

from armies.default.forms import PlainCommanderForm
from armies.documents.commander_services import appoint_commander, is_same_sheet, update_commander
from armies.documents.forms import offers_of
from armies.documents.rows import cells_of, document_of
from armies.forces.access import list_visible_commanders
from armies.models import Commander
from armies.tables.tables import FIELD, Cells, Piece, Problem, TableOut
from core.clean_input import parse_uuid
from core.csv_tables import RowRead, TableRead
from core.shapes.forms import CatalogueChoices, JsonDocument, ShapeForm, add_refusal
from core.text_search import normalize_typing
from kingdom.campaign.queries import run_kingdoms
from kingdom.models import Campaign, Kingdom, User
from kingdom.models.base import Natural
from kingdom.realms.figures import get_ruleset
from rules.core.errors import Refusal
from rules.core.shapes import DeclaredShape
from rules.core.text import Said, _, say

EMPTY_ROWS = 2  # empty rows of each list, for browsers without JavaScript


class DocumentCommanderForm(PlainCommanderForm):
    """Form of a commander: name and the shape's members; for an existing commander the GM also has status, absence and
    ransom.

    Messages of the ruleset stand beside their fields. `cleaned_data` are the services' arguments, with the document as
    `sheet`. `offers`: choices of lists that are not the whole catalogue.
    """

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        campaign: Campaign,
        commander: Commander | None = None,
        gm: bool = False,
        offers: CatalogueChoices | None = None,
    ):
        super().__init__(data, commander=commander, gm=gm)
        self.law: Any = get_ruleset(campaign).armies
        self.document_form = ShapeForm(self.law.commander_shape, offers or offers_of(self.law), empty_rows=EMPTY_ROWS)
        kept = self._kept(commander)
        self._members = dict(self.document_form.fields("", kept))
        self.initial.update(self.document_form.flat("", kept))
        self.fields = {"name": self.fields["name"], **self._members, **self.fields}

    def _kept(self, commander: Commander | None) -> JsonDocument:
        """The stored document; {} for a new commander or an invalid document, so that the fields show their
        defaults.
        """
        try:
            found: JsonDocument = self.law.read_commander(commander.sheet if commander else {})
        except Refusal:
            return {}
        return found

    def clean(self) -> Any:
        sheet = self.document_form.posted(self.data, "")  # type: ignore[arg-type]  # a form that is judged was sent
        try:
            self.law.read_commander(sheet)
        except Refusal as refusal:
            add_refusal(self, refusal)
        rest = {name: value for name, value in (super().clean() or {}).items() if name not in self._members}
        return {**rest, "sheet": sheet}


ID, KINGDOM, NAME = "id", "kingdom", "commander"
HEAD = (ID, KINGDOM, NAME)
CHUNK = 500
SHEETS = "attributes"  # kind of leave for the sheets of kingdoms and commanders


class CommanderTable:
    slug, title, leave, private = "commanders", _("Commanders"), "appoint", True
    about = _(
        "Each row is a commander, identified by id, or by kingdom and name. Those who don’t exist yet are "
        "appointed. Empty cells take the default value."
    )

    def __init__(self, shape: DeclaredShape):
        self.shape = shape

    def columns(self, campaign: Campaign) -> Sequence[str]:
        return (*HEAD, *self.shape.members)

    def out(self, user: User, campaign: Campaign) -> TableOut:
        """The commanders that the user may read."""
        columns = self.columns(campaign)
        return TableOut(columns, self._rows(user, campaign, columns))

    def _rows(self, user: User, campaign: Campaign, columns: Sequence[str]) -> Iterator[Sequence[Any]]:
        rows = list_visible_commanders(user, Commander).filter(campaign=campaign).select_related("kingdom")
        for commander in rows.order_by(Natural("kingdom__name"), "kingdom_id", Natural("name"), "id").iterator(CHUNK):
            cells = self.cells(commander)
            yield [cells.get(name) for name in columns]

    def cells(self, commander: Commander) -> Cells:
        own = cells_of(self.shape, commander.sheet)
        return {ID: str(commander.pk), KINGDOM: commander.kingdom.name, NAME: commander.name, **own}

    def told(self, new: int, changed: int) -> Said:
        text = _("Commanders imported from a table: {new} new, {changed} changed.")
        return say(text, new=new, changed=changed)

    def pieces(self, by: User, campaign: Campaign, table: TableRead) -> Iterator[Piece]:
        table.demand_columns((), self.columns(campaign), field=FIELD)
        kingdoms = {normalize_typing(one.name): one for one in run_kingdoms(by, campaign)}
        found = list(list_visible_commanders(by, Commander).filter(campaign=campaign).select_related("kingdom"))
        seen: dict[Any, int] = {}
        for row in table.rows:
            yield self._piece(by, row, kingdoms, found, seen)

    def _piece(
        self,
        by: User,
        row: RowRead,
        kingdoms: Mapping[str, Kingdom],
        known: Sequence[Commander],
        seen: dict[Any, int],
    ) -> Piece:
        """`seen`: the first line of each commander."""
        kingdom, commander, problems = _meant(row, kingdoms, known)
        key = commander.pk if commander else (kingdom and kingdom.pk, normalize_typing(row.cells.get(NAME, "")))
        first = seen.setdefault(key, row.line)
        if first != row.line and not problems:
            problems = [Problem(row.line, NAME, say(_("This commander is already in line {line}."), line=first))]
        return Piece(
            line=row.line,
            name=row.cells.get(NAME) or (commander.name if commander else ""),
            under=kingdom.name if kingdom else row.cells.get(KINGDOM, ""),
            before=[self.cells(commander)] if commander else None,
            do=partial(self._do, by, kingdom, commander, row),
            where=partial(_where, row),
            problems=tuple(problems),
            leave=self._find_leave(commander, row),
        )

    def _find_leave(self, commander: Commander | None, row: RowRead) -> str:
        """Kind of leave that the row needs beside the appointment: a changed sheet needs that of sheets."""
        try:
            same = commander is None or is_same_sheet(commander, self._sheet(commander, row))
        except Refusal:  # the row is refused when it is tried
            return ""
        return "" if same else SHEETS

    def _sheet(self, commander: Commander | None, row: RowRead) -> JsonDocument:
        """The document in the row. Columns that the table leaves out stay as they are."""
        said = document_of(self.shape, {key: row.cells.get(key, "") for key in self.shape.members})
        kept = commander.sheet if commander else {}
        missing = [key for key in self.shape.members if key not in row.cells]
        return {**{key: kept[key] for key in missing if key in kept}, **said}

    def _do(self, by: User, kingdom: Kingdom | None, commander: Commander | None, row: RowRead) -> Any:
        sheet, name = self._sheet(commander, row), row.cells.get(NAME, "")
        if commander is None:
            assert kingdom is not None  # otherwise it has a problem and is not carried out
            return partial(self._told, appoint_commander(by=by, kingdom=kingdom, name=name, sheet=sheet).pk)
        changes: dict[str, Any] = {} if is_same_sheet(commander, sheet) else {"sheet": sheet}
        if name and normalize_typing(name) != normalize_typing(commander.name):
            changes["name"] = name
        if changes:
            update_commander(by=by, commander=commander, **changes)
        return partial(self._told, commander.pk)

    def _told(self, pk: Any) -> list[Cells]:
        return [self.cells(Commander.objects.select_related("kingdom").get(pk=pk))]


def _meant(
    row: RowRead, kingdoms: Mapping[str, Kingdom], known: Sequence[Commander]
) -> tuple[Kingdom | None, Commander | None, list[Problem]]:
    """Kingdom and existing commander of the row, or its problems."""
    given, said, name = row.cells.get(ID, ""), row.cells.get(KINGDOM, ""), row.cells.get(NAME, "")
    if given:
        commander = next((one for one in known if one.pk == parse_uuid(given)), None)
        if commander is None:
            text = _("This id doesn’t match any commander. Leave it empty for a new one.")
            return None, None, [Problem(row.line, ID, text)]
        if said and normalize_typing(said) != normalize_typing(commander.kingdom.name):
            text = _("A commander can’t change kingdoms.")
            return commander.kingdom, commander, [Problem(row.line, KINGDOM, text)]
        return commander.kingdom, commander, []
    kingdom = next(iter(kingdoms.values())) if not said and len(kingdoms) == 1 else kingdoms.get(normalize_typing(said))
    if kingdom is None:
        text = _("Enter one of your kingdoms: {known}.")
        names = ", ".join(one.name for one in kingdoms.values()) or "–"
        return None, None, [Problem(row.line, KINGDOM, say(text, known=names))]
    named = [one for one in known if one.kingdom_id == kingdom.pk
             and normalize_typing(one.name) == normalize_typing(name)]  # fmt: skip
    if len(named) > 1:
        text = _("{count} commanders have this name. Add the id of the one you mean.")
        return kingdom, None, [Problem(row.line, NAME, say(text, count=len(named)))]
    if not name:
        return kingdom, None, [Problem(row.line, NAME, _("A new commander needs a name."))]
    return kingdom, named[0] if named else None, []


def _where(row: RowRead, pointer: str) -> tuple[int, str]:
    """Line, and the first part of the pointer that is a column."""
    if pointer == "/name":
        return row.line, NAME
    return row.line, next((part for part in pointer.split("/") if part in row.cells), "")
