"""CSV rows of armies: one for each army, or one for each unit where the ruleset has units."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol

from armies.adjustments.cells import COLUMN as ADJUSTMENTS
from armies.adjustments.cells import read_cell, same, write_cell
from armies.adjustments.services import replace_adjustments
from armies.forces.access import list_armies
from armies.forces.services import request_sheet_change
from armies.models import Army
from armies.ruleset_ui import get_army_ui
from armies.tables.tables import Cells, Piece, Problem, TableOut, parse_whole_number, parse_yes_or_no
from core.clean_input import parse_uuid
from core.csv_tables import RowRead, TableRead
from core.text_search import build_phrase, normalize_typing
from kingdom.campaign.queries import run_kingdoms
from kingdom.models import Campaign, Kingdom, User
from kingdom.models.base import Natural
from kingdom.realms.figures import get_ruleset
from rules.army_law import ARMY_FIGURES, AT_RAISING, CORRECTABLE, GM_ONLY, list_figures, names_of
from rules.core.errors import InvalidInput, demand
from rules.core.shapes import DeclaredShape, ShapeField
from rules.core.shapes.value_kinds import ChoiceKind, FlagKind, WholeKind
from rules.core.text import Said, _, say

ID, KINGDOM, NAME = "id", "kingdom", "army"
HEAD = (ID, KINGDOM, NAME)
CHUNK = 500


class ArmyBody(NamedTuple):
    """Content of an army's cells. `what`: members of its ruleset's API (units, count …); `state`: values that only a GM
    may set.
    """

    what: Mapping[str, Any]
    state: Mapping[str, Any]


class ArmyCells(Protocol):
    """Protocol of a ruleset for writing its armies as cells, and reading them."""

    several: bool
    """Whether an army may have several rows."""
    needed: Collection[str]
    """Columns that a new army needs."""

    def columns(self, campaign: Campaign) -> Sequence[str]: ...
    def cells(self, army: Any) -> Sequence[Cells]:
        """Rows of the army."""

    def body(self, army: Any, campaign: Campaign, rows: Sequence[Mapping[str, str]]) -> ArmyBody:
        """Content of these rows; `army` is None for a new one. Missing columns leave their values unchanged.

        Raises `InvalidInput` with pointers "/row/column".
        """

    def column_of(self, pointer: str) -> tuple[int, str]:
        """Row and column of a pointer from the services."""

    def unchanged(self, army: Any, what: Mapping[str, Any]) -> bool:
        """Whether the army has these values already."""


class ArmyTable:
    slug, title, leave, private = "armies", _("Armies"), "raise", True
    about = _(
        "Each row is an army, identified by id, or by kingdom and name. Armies that don’t exist yet are raised. "
        "Columns left out stay unchanged."
    )

    def __init__(self, cells: ArmyCells):
        self.law = cells

    def columns(self, campaign: Campaign) -> Sequence[str]:
        adjusted = (ADJUSTMENTS,) if get_ruleset(campaign).adjustable.figures else ()
        return (*HEAD, *self.law.columns(campaign), *adjusted)

    def out(self, user: User, campaign: Campaign) -> TableOut:
        """The standing armies whose sheets the user may read."""
        columns = self.columns(campaign)
        return TableOut(columns, self._rows(user, campaign, columns))

    def _rows(self, user: User, campaign: Campaign, columns: Sequence[str]) -> Iterator[Sequence[Any]]:
        rows = list_armies(user, campaign, get_army_ui(campaign).army).filter(status__in=Army.STANDING)
        ordered = rows.order_by(Natural("kingdom__name"), "kingdom_id", Natural("name"), "id")
        for army in ordered.iterator(chunk_size=CHUNK):
            army.campaign = campaign
            for cells in self._told(army):
                yield [cells.get(name) for name in columns]

    def _told(self, army: Any) -> list[Cells]:
        own = {ID: str(army.pk), KINGDOM: army.kingdom.name, NAME: army.name}
        rows: list[dict[str, Any]] = [{**own, **cells} for cells in self.law.cells(army)]
        if rows and get_ruleset(army.campaign).adjustable.figures:
            rows[0][ADJUSTMENTS] = write_cell(army.adjustments)
        return [*rows]

    def told(self, new: int, changed: int) -> Said:
        return say(_("Armies imported from a table: {new} new, {changed} changed."), new=new, changed=changed)

    def pieces(self, by: User, campaign: Campaign, table: TableRead) -> Iterable[Piece]:
        return _Pieces(self, by, campaign, table).all()


class _Pieces:
    """A table of armies divided into armies, each with the existing army it is about."""

    def __init__(self, kind: ArmyTable, by: User, campaign: Campaign, table: TableRead):
        self.kind, self.law, self.by, self.campaign, self.table = kind, kind.law, by, campaign, table
        self.kingdoms = list(run_kingdoms(by, campaign))
        for kingdom in self.kingdoms:
            kingdom.campaign = campaign
        self.model = get_army_ui(campaign).army
        self.ids = {found for row in table.rows if (found := parse_uuid(row.cells.get(ID, "")))}
        self.known, self.named = self._there()
        self.others = self._of_others()

    def _there(self) -> tuple[dict[str, Any], dict[tuple[Any, str], list[Any]]]:
        """The user's armies that the table may mean: by id, and standing ones by kingdom and name."""
        names = {build_phrase(row.cells.get(NAME, "")) for row in self.table.rows}
        ours = list_armies(self.by, self.campaign, self.model).filter(kingdom__in=self.kingdoms)
        rows = [*ours.filter(pk__in=self.ids),
                *ours.filter(name__plain__in=names, status__in=Army.STANDING).exclude(pk__in=self.ids)]  # fmt: skip
        named: dict[tuple[Any, str], list[Any]] = {}
        for army in rows:
            army.campaign = army.kingdom.campaign = self.campaign
            if army.standing:
                named.setdefault((army.kingdom_id, normalize_typing(army.name)), []).append(army)
        return {str(army.pk): army for army in rows}, named

    def _of_others(self) -> dict[str, Any]:
        """Armies in the table, by id, whose sheets the user may read, but whose kingdoms they do not run. An exported
        file contains them.
        """
        ids = [found for found in self.ids if str(found) not in self.known]
        rows = list_armies(self.by, self.campaign, self.model).filter(pk__in=ids) if ids else ()
        for army in rows:
            army.campaign = army.kingdom.campaign = self.campaign
        return {str(army.pk): army for army in rows}

    def all(self) -> Iterator[Piece]:
        groups: dict[tuple[str, ...], list[RowRead]] = {}
        for row in self.table.rows:
            key = _id_of(row)
            named = normalize_typing(row.cells.get(KINGDOM, "")), normalize_typing(row.cells.get(NAME, ""))
            groups.setdefault((key,) if key else named, []).append(row)
        return (self._piece(rows) for rows in groups.values())

    def _piece(self, rows: list[RowRead]) -> Piece:
        first = rows[0]
        if other := self.others.get(_id_of(first)):
            return self._piece_of_others(other, rows)
        kingdom, army, problems = self._meant(first)
        if len(rows) > 1 and not self.law.several:
            said = _("This army is already in line {line}.")
            problems += [Problem(row.line, NAME, say(said, line=first.line)) for row in rows[1:]]
        wanted = () if army else self.law.needed
        missing = [name for name in wanted if not first.cells.get(name)]
        problems += [Problem(first.line, name, _("Required for a new army.")) for name in missing]
        under = kingdom.name if kingdom else first.cells.get(KINGDOM, "")
        return Piece(
            line=first.line,
            name=first.cells.get(NAME) or (army.name if army else ""),
            under=under,
            before=None if army is None else self.kind._told(army),
            do=partial(self._do, kingdom, army, rows),
            where=partial(self._where, rows),
            problems=tuple(problems),
        )

    def _piece_of_others(self, army: Any, rows: list[RowRead]) -> Piece:
        """Piece for an army the user may not change. It is no problem as long as the table does not change it."""
        return Piece(
            line=rows[0].line,
            name=army.name,
            under=army.kingdom.name,
            before=self.kind._told(army),
            do=partial(self._leave_alone, army, rows),
            where=partial(self._where, rows),
        )

    def _leave_alone(self, army: Any, rows: list[RowRead]) -> Any:
        cells = rows[0].cells
        body = self.law.body(army, self.campaign, [row.cells for row in rows])
        placed = (cells.get(KINGDOM) or army.kingdom.name, cells.get(NAME) or army.name)
        unchanged = placed == (army.kingdom.name, army.name) and self.law.unchanged(army, body.what)
        unchanged = unchanged and all(getattr(army, name) == value for name, value in body.state.items())
        unchanged = unchanged and self._adjusted(army, cells) is None
        demand(
            unchanged,
            _("This army doesn’t belong to one of your kingdoms. Leave its row unchanged or remove it."),
            field="/name",
        )
        return lambda: self.kind._told(army)

    def _meant(self, row: RowRead) -> tuple[Kingdom | None, Any, list[Problem]]:
        """Kingdom and existing army of the row, or its problems."""
        said, name = row.cells.get(KINGDOM, ""), row.cells.get(NAME, "")
        given = row.cells.get(ID, "")
        if given and not parse_uuid(given):
            return None, None, [Problem(row.line, ID, _("No army has this id. Leave the cell empty for a new army."))]
        army = self.known.get(_id_of(row))
        found = [one for one in self.kingdoms if normalize_typing(one.name) == normalize_typing(said)]
        if not said and (army or len(self.kingdoms) == 1):
            found = [army.kingdom if army else self.kingdoms[0]]
        if len(found) != 1:
            return None, army, [Problem(row.line, KINGDOM, self._no_kingdom(said, found))]
        kingdom = found[0]
        if army and army.kingdom_id != kingdom.pk:
            return kingdom, army, [Problem(row.line, KINGDOM, _("An army can’t change kingdoms."))]
        if army is None:
            alike = self.named.get((kingdom.pk, normalize_typing(name)), [])
            if len(alike) > 1:
                said_of = say(_("{count} armies have this name. Add the id of the one you mean."), count=len(alike))
                return kingdom, None, [Problem(row.line, NAME, said_of)]
            army = alike[0] if alike and alike[0].pk not in self.ids else None  # another row has that army's id
        return kingdom, army, [] if name or army else [Problem(row.line, NAME, _("Required for a new army."))]

    def _no_kingdom(self, said: str, found: Sequence[Kingdom]) -> Said:
        if found:
            return say(_("{count} kingdoms have this name. Add the id of the army you mean."), count=len(found))
        known = ", ".join(kingdom.name for kingdom in self.kingdoms) or "–"
        return say(_("“{name}” isn’t one of your kingdoms. Yours are: {known}."), name=said[:60], known=known)

    def _do(self, kingdom: Kingdom | None, army: Any, rows: list[RowRead]) -> Any:
        body = self.law.body(army, self.campaign, [row.cells for row in rows])
        name = rows[0].cells.get(NAME, "")
        api = get_army_ui(self.campaign).api
        if army is None:
            assert kingdom is not None  # otherwise it has a problem and is not carried out
            army, changed = api.raise_army(self.by, kingdom, {"name": name, **body.what}), False
            army.campaign = army.kingdom.campaign = self.campaign
        else:
            alike = name == army.name or (
                normalize_typing(name) == normalize_typing(army.name) and not rows[0].cells.get(ID)
            )
            named = {"name": name} if name and not alike else {}  # a name that only served to find it stays
            what = {} if self.law.unchanged(army, body.what) else dict(body.what)
            if changed := bool(named or what):
                api.change_army(self.by, army, {**named, **what})
                army = self._again(army)
        adjusted = self._adjusted(army, rows[0].cells)
        if adjusted is not None:  # before the figures whose bounds it changes
            self._adjust(army, adjusted)
            army = self._again(army)
        state = {name: value for name, value in body.state.items() if getattr(army, name) != value}
        if state:
            api.change_army(self.by, army, state)
        return lambda: self.kind._told(self._again(army) if changed or state or adjusted is not None else army)

    def _adjusted(self, army: Any, cells: Mapping[str, str]) -> list[dict[str, Any]] | None:
        """The adjustments in these cells; None where the army has them already. Raises `InvalidInput`."""
        law = get_ruleset(self.campaign).adjustable
        if not cells.get(ADJUSTMENTS) or not law.figures:
            return None
        found = read_cell(cells[ADJUSTMENTS], law, field=f"/0/{ADJUSTMENTS}")
        return None if same(found, army.adjustments) else found

    def _adjust(self, army: Any, adjustments: list[dict[str, Any]]) -> None:
        try:
            replace_adjustments(by=self.by, army=army, adjustments=adjustments)
        except InvalidInput as refusal:
            raise wrong(0, ADJUSTMENTS, refusal.message) from None

    def _again(self, army: Any) -> Any:
        found: Any = self.model.objects.complete().get(pk=army.pk)
        found.campaign = found.kingdom.campaign = self.campaign
        return found

    def _where(self, rows: list[RowRead], pointer: str) -> tuple[int, str]:
        if pointer == "/name":
            return rows[0].line, NAME
        place, column = self.law.column_of(pointer)
        return rows[min(place, len(rows) - 1)].line, column if column in self.table.columns else ""


def _id_of(row: RowRead) -> str:
    """The row's id in canonical spelling; "" where it is empty."""
    given = row.cells.get(ID, "")
    return str(parse_uuid(given) or given)


def wrong(row: int, column: str, message: Said) -> InvalidInput:
    """The refusal of a cell, for `ArmyCells.body`."""
    return InvalidInput(message, f"/{row}/{column}")


def find_cell(pointer: str) -> tuple[int, str] | None:
    """Row and column of a refusal made by `wrong`; None for any other pointer."""
    place, _slash, column = pointer.removeprefix("/").partition("/")
    return (int(place), column) if place.isdecimal() else None


# Rows of armies whose document is numbers (`rules.law.SheetLaw.entries`): a column for each.


class StateCells:
    """Columns of the figures that a GM may correct: numbers, then choices, then yes or no."""

    def __init__(self, shape: DeclaredShape):
        known = list_figures(shape, CORRECTABLE)
        kinds = (WholeKind, ChoiceKind, FlagKind)
        self.figures = {one.name: one for kind in kinds for one in known if isinstance(one.kind, kind)}
        self.raised = set(names_of(shape, AT_RAISING, without=GM_ONLY))

    def cells(self, army: Army) -> dict[str, Any]:
        return {name: self._cell(one, getattr(army, name)) for name, one in self.figures.items()}

    def _cell(self, one: ShapeField, value: Any) -> Any:
        return ("yes" if value else "no") if isinstance(one.kind, FlagKind) else value

    def read(self, cells: Mapping[str, str]) -> dict[str, Any]:
        """Values of the cells; empty cells are left out. Raises `InvalidInput`."""
        return {name: self._value(one, cells[name]) for name, one in self.figures.items() if cells.get(name)}

    def _value(self, one: ShapeField, text: str) -> Any:
        match one.kind:
            case WholeKind():
                return parse_whole_number(text, field=f"/0/{one.name}")
            case ChoiceKind() if text not in one.kind.slugs({}):
                raise wrong(0, one.name, one.kind.wrong)
            case FlagKind():
                return parse_yes_or_no(text, field=f"/0/{one.name}")
        return text

    def read_raised(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """The values among these that may be set when the army is raised."""
        return {name: value for name, value in state.items() if name in self.raised}


class PlainCells:
    several = False
    needed: Collection[str] = ()
    state = StateCells(ARMY_FIGURES)

    def columns(self, campaign: Campaign) -> Sequence[str]:
        return (*get_ruleset(campaign).armies.entries, *self.state.figures)

    def cells(self, army: Army) -> Sequence[Cells]:
        entries = get_ruleset(army.campaign).armies.entries
        own = {name: army.sheet.get(name) for name in entries}
        return [{**own, **self.state.cells(army)}]

    def body(self, army: Army | None, campaign: Campaign, rows: Sequence[Mapping[str, str]]) -> ArmyBody:
        (cells,) = rows
        entries = get_ruleset(campaign).armies.entries
        said = {name: parse_whole_number(cells[name], field=f"/0/{name}") for name in entries if cells.get(name)}
        kept = {name: value for name, value in army.sheet.items() if name != "version"} if army else {}
        fresh = {name: entry.start for name, entry in entries.items()}
        state = self.state.read(cells)
        raised = {} if army else self.state.read_raised(state)
        return ArmyBody({"sheet": {**(kept or fresh), **said}, **raised}, state)

    def column_of(self, pointer: str) -> tuple[int, str]:
        return find_cell(pointer) or (0, pointer.rsplit("/", 1)[-1])

    def unchanged(self, army: Army, what: Mapping[str, Any]) -> bool:
        return not request_sheet_change({"army": army, **what}).kinds
