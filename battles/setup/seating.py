"""Page object of a new battle's seats (armies assigned to sides): its sides, and the bench of armies that could join
them.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.forms import BoundField
from django.http import QueryDict

from armies.forces.access import list_named_armies
from armies.forces.busy import build_barred, explain_absent, explain_in_battle, find_held_by_ruleset
from armies.models import Army
from armies.ruleset_ui import get_army_ui
from battles.forecast.odds_page import Segment, build_segments
from battles.ruleset_ui import BattleUI, get_battle_ui
from battles.setup.page import pick_colour
from battles.setup.queries import MOST_FOUND, EligibleArmy, is_many
from battles.setup.seats import FAR, SideOfArmy, hexes_between
from battles.setup.side_names import ArmyAndKingdom, name_empty_sides
from core.clean_input import NAME_MAX, parse_uuid
from core.text import render
from core.text_search import filter_by_words
from kingdom.models import Campaign, Kingdom
from kingdom.models.heraldry import Arms
from kingdom.realms.figures import get_ruleset
from rules.core.text import Said, Term, say
from rules.core.text import _ as term

GONE = term("This army is gone.")


class ArmyMark(NamedTuple):
    """Note of a ruleset on an army in the setup. `why`: the reason why it cannot fight, if it cannot."""

    about: Said | None = None
    crest: str = "army"
    why: Said | None = None


UNMARKED = ArmyMark()


def offer_only(field: BoundField, armies: Collection[str]) -> BoundField:
    """Limits a field of armies to those of one side."""
    choice: Any = field.field
    choice.widget.choices = [(key, name) for key, name in choice.choices if not key or key in armies]
    return field


class SeatingForm:
    """Mixin of a setup form: what the page of the seats asks of it. By default nothing but the sides and their
    names.
    """

    marks: Mapping[str, ArmyMark] = {}
    """Marks of armies, by id."""
    may_add_side = False
    chips: Sequence[tuple[BoundField, str]] = ()
    """Conditions that are checkboxes, each with its icon."""
    side_count: int
    grown: Mapping[str, int] = {}
    """Counts of repeated parts of the form, by the hidden fields that keep them."""

    @abstractmethod
    def name_of(self, side: int) -> BoundField:
        """The field of a side's name."""

    def more_of(self, side: int, armies: Collection[str]) -> Sequence[BoundField]:
        """Further fields of a side with these armies."""
        return ()

    def special_of(self, army: str) -> Sequence[BoundField]:
        """Fields about one army on a side."""
        return ()

    def errors_of(self, army: str) -> Sequence[Any]:
        return ()

    def field_of_side(self, side: int) -> BoundField | None:
        """The field of the side's armies, where they are one field."""
        return None


@dataclass(frozen=True)
class SeatedArmy:
    """An army on a side or on the bench.

    `health`: what it brings into the battle, less than its sheet has where an event has cost some. `away`: hexes to the
    nearest army on a side, None where that is unknown. `special`: fields about this army alone; `errors`: theirs.
    """

    army: Army
    mark: ArmyMark
    health: int
    why: Said | None = None
    away: int | None = None
    field: tuple[str, str] = ("", "")
    special: Sequence[BoundField] = ()
    errors: Sequence[Any] = ()

    @property
    def id(self) -> str:
        return str(self.army.pk)

    @property
    def opened(self) -> bool:
        """Whether a field about this army alone is filled in."""
        return any(one.value() or one.errors for one in self.special)

    @property
    def where(self) -> Said | str:
        """Place of the army, and how far it is from the nearest army on a side."""
        if not self.away:
            return self.army.where
        far = {"place": self.army.where, "count": self.away}
        return say(term("{place}, {count} hexes away") if self.away > 1 else term("{place}, 1 hex away"), **far)


@dataclass(frozen=True)
class SeatedSide:
    """A side with its armies. `auto`: its name where the GM types none."""

    index: int
    name: BoundField
    auto: str
    armies: tuple[SeatedArmy, ...]
    more: Sequence[BoundField] = ()
    field: BoundField | None = None

    @property
    def colour(self) -> str:
        return pick_colour(self.index)

    @property
    def number(self) -> int:
        return self.index + 1

    @property
    def called(self) -> str:
        return str(self.name.value() or self.auto)

    @property
    def health(self) -> int:
        return sum(seat.health for seat in self.armies)

    @property
    def arms(self) -> list[Arms]:
        """Arms of its kingdoms, without repeats."""
        kingdoms: dict[Any, Kingdom] = {seat.army.kingdom_id: seat.army.kingdom for seat in self.armies}
        return [kingdom.arms_borne for kingdom in kingdoms.values()]


@dataclass(frozen=True)
class Seating:
    """Seats of a new battle.

    `bench`: the armies listed there; `more`: how many others there are. `tab`: id of the kingdom whose armies are
    listed, "" for all. `find`: the search.
    """

    sides: tuple[SeatedSide, ...]
    bench: tuple[SeatedArmy, ...]
    kingdoms: tuple[EligibleArmy, ...]
    health: Term
    unit: Term
    many: bool
    tab: str = ""
    find: str = ""
    more: int = 0

    @property
    def counted(self) -> str:
        """Unit of health, written after a number."""
        return render(self.unit) or render(self.health).lower()

    @property
    def choices(self) -> list[EligibleArmy]:
        """Kingdoms (options of the bench's select) that have armies free to join the battle."""
        return [one for one in self.kingdoms if one.free]

    @cached_property
    def tabs(self) -> list[tuple[EligibleArmy, int]]:
        """Kingdoms with armies on the bench, and how many each has."""
        seated = Counter(str(seat.army.kingdom_id) for side in self.sides for seat in side.armies)
        found = [(one, one.free - seated[one.id]) for one in self.choices]
        return [(one, count) for one, count in found if count > 0 or one.id == self.tab]

    @property
    def waiting(self) -> int:
        """Number of free armies on no side."""
        return sum(count for _kingdom, count in self.tabs)

    @property
    def strengths(self) -> list[Segment]:
        """Bar of each side's share of the total health."""
        whole = sum(side.health for side in self.sides) or 1
        first, *others = [(side.colour, side.health / whole) for side in self.sides]
        return build_segments([first, *others[1:], *others[:1]])

    @property
    def shown(self) -> EligibleArmy | None:
        """Kingdom whose armies the bench lists; None for all."""
        return next((one for one in self.choices if one.id == self.tab), None)

    @property
    def troubles(self) -> list[Said]:
        """Reasons why armies on a side cannot fight."""
        return [seat.why for side in self.sides for seat in side.armies if seat.why]


def is_complete(form: Any, seating: Seating) -> bool:
    """Whether the form is valid and every army on a side can fight. Adds the reasons to the form where not."""
    valid = form.is_valid()
    for trouble in seating.troubles:
        form.add_error(None, render(trouble))
    return bool(valid and not seating.troubles)


class StandingArmies:
    """Standing armies of a campaign, read once where they are few.

    Each has `bound`: whether it can't join a battle. `kingdoms`: those that have any.
    """

    def __init__(self, campaign: Campaign, kingdoms: Sequence[EligibleArmy]):
        self.campaign, self.kingdoms = campaign, tuple(kingdoms)
        self.many = is_many(self.kingdoms)

    @property
    def rows(self) -> QuerySet[Army, Any]:
        rows = list_named_armies(self.campaign).select_related("kingdom")
        return rows.annotate(bound=build_barred(self.campaign))

    @cached_property
    def all(self) -> list[Army]:
        """Every army; none where there are too many to list."""
        return [] if self.many else list(self.rows)

    @property
    def free(self) -> list[Army]:
        return [army for army in self.all if not army.bound]  # type: ignore[attr-defined]

    def explain_busy(self, armies: Collection[Army]) -> dict[Any, Said]:
        """Reasons why armies cannot be sent into a battle now, by id; armies that are free are left out."""
        holding = get_army_ui(self.campaign).holding
        held = [army for army in armies if army.bound]  # type: ignore[attr-defined]
        found = dict(holding.explain(armies)) if holding and armies else {}
        return found | (explain_absent([army.pk for army in held]) | explain_in_battle(held) if held else {})


def get_seating(roster: StandingArmies, ui: BattleUI, form: Any, data: QueryDict, seats: SideOfArmy) -> Seating:
    """The seats as they were sent, and the bench beside them."""
    tab = data.get("bench", "") if parse_uuid(data.get("bench", "")) else ""
    find = data.get("find", "").replace("\0", "").strip()[:NAME_MAX]
    seated, waiting, more = _read(roster, seats, tab, find)
    marks = form.marks
    busy, held = roster.explain_busy([*seated.values(), *waiting]), find_held_by_ruleset(roster.campaign)
    near = [army.hex for army in seated.values() if army.hex]

    def told(army: Army, side: int | None = None) -> SeatedArmy:
        key = str(army.pk)
        mark = marks.get(key, UNMARKED)
        gone = None if army.standing else GONE
        why = busy.get(army.pk) or gone or mark.why
        able = held[army.pk].able if army.pk in held else None
        health = army.health if able is None else able
        if side is None:
            return SeatedArmy(army, mark, health, why, _away(army, near))
        field = ui.seats.name_of(side, key), ui.seats.value_of(side, key)
        return SeatedArmy(army, mark, health, why, None, field, form.special_of(key), form.errors_of(key))

    def of_side(index: int) -> tuple[SeatedArmy, ...]:
        return tuple(told(seated[key], index) for key, side in seats.items() if side == index and key in seated)

    rows = [of_side(index) for index in range(form.side_count)]
    sides = tuple(_name_sides(form, rows))
    own = get_battle_ui(get_ruleset(roster.campaign))
    bench = tuple(told(army) for army in waiting)
    name, unit = own.setup_health or (own.health_name, own.health_unit)
    return Seating(sides, bench, roster.kingdoms, name, unit, roster.many, tab, find, more)


def _read(roster: StandingArmies, seats: SideOfArmy, tab: str, find: str) -> tuple[Mapping[str, Army], list[Army], int]:
    """The armies on sides, the armies on the bench (nearest to a side first), and how many more there are."""
    if not roster.many:
        found = roster.all
        seated = {str(army.pk): army for army in found if str(army.pk) in seats}
        waiting = [army for army in found if str(army.pk) not in seats and tab in ("", str(army.kingdom_id))]
        return seated, _nearest(waiting, seated.values()), 0
    seated = {str(army.pk): army for army in roster.rows.filter(pk__in=list(seats))} if seats else {}
    others: QuerySet[Any] = roster.rows
    others = others.filter(bound=False).exclude(pk__in=list(seats))
    if find:
        others = filter_by_words(others, find, "name", "kingdom__name")
    if tab:
        others = others.filter(kingdom_id=tab)
    keys = _nearest_keys(others, seated.values())
    listed = {army.pk: army for army in others.filter(pk__in=keys[:MOST_FOUND])}
    return seated, [listed[key] for key in keys[:MOST_FOUND] if key in listed], max(0, len(keys) - MOST_FOUND)


def _nearest_keys(rows: Any, seated: Collection[Army]) -> list[Any]:
    places = [army.hex for army in seated if army.hex]
    found = list(rows.values_list("pk", "hex"))
    if places:
        found.sort(key=lambda one: _far(one[1], places))
    return [key for key, _hex in found]


def _nearest(waiting: list[Army], seated: Iterable[Army]) -> list[Army]:
    places = [army.hex for army in seated if army.hex]
    return sorted(waiting, key=lambda army: _far(army.hex, places)) if places else waiting


def _far(hex: str, places: Sequence[str]) -> int:
    return min((hexes_between(hex, place) for place in places), default=FAR)


def _away(army: Army, places: Sequence[str]) -> int | None:
    far = _far(army.hex, places)
    return far if far < FAR else None


def _name_sides(form: Any, rows: Sequence[tuple[SeatedArmy, ...]]) -> Iterator[SeatedSide]:
    """The sides, each with the name it gets where nobody types one."""
    given = [str(form.name_of(index).value() or "") for index in range(len(rows))]
    armies = [[ArmyAndKingdom(seat.army.name, seat.army.kingdom.name) for seat in seats] for seats in rows]
    for index, name in enumerate(name_empty_sides(given, armies)):
        field = form.name_of(index)
        field.field.widget.attrs["placeholder"] = name
        more = form.more_of(index, [seat.id for seat in rows[index]])
        yield SeatedSide(index, field, name, rows[index], more, form.field_of_side(index))
