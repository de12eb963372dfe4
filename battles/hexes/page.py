"""Page object of a board: what one reader sees of a battle on hexes with their picks, ready to draw."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from django.utils.safestring import SafeString, mark_safe

from battles.hexes import counters
from battles.hexes.board_view import ShownBoard
from battles.hexes.ground_layer import percent
from battles.hexes.picks import LookLink, UnitRow
from battles.setup.page import pick_colour
from core.text import render
from rules.core.text import Said, _, by_number, say
from rules.hexbattle.board import Act, Cell, Counter, Effect, Piece, Step, Target
from rules.law import AFTERMATH, CLOSED

# Outcomes of an attack, as a bar and in words.

TONES = 5


class Slice(NamedTuple):
    """A piece of the bar of outcomes, in thousandths, with its colour step."""

    at: int
    wide: int
    tone: int


def slices(pieces: Sequence[Piece]) -> list[Slice]:
    """The bar of outcomes; each piece is as wide as its chance."""
    found, at = [], 0
    for number, piece in enumerate(pieces):
        wide = round(1000 * piece.chance)
        if wide:
            found.append(Slice(at, wide, tone_of(piece, number, len(pieces))))
        at += wide
    return found


def tone_of(piece: Piece, number: int, count: int) -> int:
    """The colour step of a result, 0 to 5; by default derived from its position among `count` results."""
    if piece.tone is not None:
        return piece.tone
    return 1 + (number * (TONES - 1)) // max(1, count - 1)


def in_words(pieces: Sequence[Piece]) -> str:
    """The possible results with their chances, in words."""
    return ", ".join(f"{percent(piece.chance)} {render(piece.label)}" for piece in pieces if piece.chance)


LISTS = ("able", "own", "enemy", "trouble")
IN_TROUBLE = ("warn", "flees", "tired", "spent")  # badges that mean trouble
TO_ACT = by_number("{count} unit to act", "{count} units to act")


class Group(NamedTuple):
    """Units of one wing or other group of the law. `title`: "" for units without a group."""

    title: Said | str
    rows: tuple[UnitRow, ...]
    colour: str
    id: str = ""


POINTS = by_number("{count} point", "{count} points")


class TapStep(NamedTuple):
    """One of the taps needed for an action. `state`: "done", "now" or ""."""

    title: Said | str
    note: Said
    state: str = ""


def _is_place(one: Target) -> bool:
    """Whether a target is a bare hex without chance or reason against it."""
    return one.target == one.at == str(one.name) and one.chance is None and not one.why_not


class BoardView(ShownBoard):
    """The drawn board with the list of units, the clock, and the choices of the picked unit."""

    @property
    def listed(self) -> str:
        asked = self.look.kept.get("list", "")
        if asked in LISTS:
            return asked
        return "able" if self.legal.able else "own" if self.own_sides else "enemy"

    @cached_property
    def lists(self) -> list[tuple[LookLink, int]]:
        """The lists of units, each with its number of units."""
        names = {"able": _("To act"), "own": _("Mine"), "enemy": _("Others"), "trouble": _("In trouble")}
        if not self.own_sides:
            names["enemy"] = _("All units")
        elif not self._listed("enemy"):
            names["own"] = _("All units")
        found = [(slug, len(self._listed(slug))) for slug in LISTS]
        return [
            (LookLink(slug, names[slug], self._with(list=slug, find=""), slug == self.listed), count)
            for slug, count in found
            if count or slug == self.listed
        ]

    def _listed(self, slug: str) -> list[Counter]:
        able = set(self.legal.able)
        match slug:
            case "able":
                order = {unit: place for place, unit in enumerate(self.legal.able)}
                return sorted((c for c in self.board.counters if c.unit in able), key=lambda c: order[c.unit])
            case "own":
                own = [c for c in self.board.counters if c.side in self.own_sides]
                return sorted(own, key=lambda counter: counter.unit not in able)
            case "enemy":
                return [c for c in self.board.counters if c.side not in self.own_sides]
        return [c for c in self.board.counters if any(badge.sign in IN_TROUBLE for badge in c.badges)]

    @cached_property
    def groups(self) -> list[Group]:
        found = self._sought() if self.find else self._listed(self.listed)
        return self._grouped(found)

    def _grouped(self, found: list[Counter]) -> list[Group]:
        titles: dict[str, Said | str] = {army.id: army.name for army in self.asked.summary.armies.values()}
        titles |= {cell.id: cell.title for cell in self.cells}
        by_group: dict[tuple[str, int], list[Counter]] = {}
        for counter in found:
            by_group.setdefault((counter.group, counter.side), []).append(counter)
        return [
            Group(titles.get(group) or self.side_names[side], tuple(map(self._row, counters)), pick_colour(side), group)
            for (group, side), counters in by_group.items()
        ]

    @property
    def find(self) -> str:
        return self.look.kept.get("find", "")

    def _sought(self) -> list[Counter]:
        """The units whose tag or hex is the search text, or else whose name contains it."""
        wanted = self.find.casefold().strip()
        exact = [c for c in self.board.counters if wanted in (c.tag.casefold(), c.at.casefold())]
        return exact or [c for c in self.board.counters if wanted in render(c.name).casefold()]

    @property
    def trays(self) -> list[Group]:
        """In setup: the reader's units by group, in the order of the armies of their side."""
        order = {army: place for place, army in enumerate(self.asked.summary.armies)}
        own = (counter for counter in self.board.counters if counter.side in self.own_sides)
        return self._grouped(sorted(own, key=lambda counter: (counter.side, order.get(counter.group, 0))))

    @property
    def on_paper(self) -> list[Group]:
        """Every unit the reader knows of, by group, in the order of the sides."""
        return self._grouped(sorted(self.board.counters, key=lambda counter: counter.side))

    @property
    def waiting(self) -> int:
        """The number of the reader's units without a place."""
        return sum(not counter.at for counter in self.board.counters if counter.side in self.own_sides)

    @property
    def next(self) -> UnitRow | None:
        return self._beside(1)

    @property
    def previous(self) -> UnitRow | None:
        return self._beside(-1)

    def _beside(self, step: int) -> UnitRow | None:
        """The next (or previous) unit that can act, counted from the picked one and wrapping around."""
        able = [unit for unit in self.legal.able if unit in self.counters]
        if not able:
            return None
        if self.picks.unit not in able:
            return self._row(self.counters[able[0 if step > 0 else -1]])
        if len(able) == 1:
            return None
        return self._row(self.counters[able[(able.index(self.picks.unit) + step) % len(able)]])

    @property
    def able_words(self) -> Said:
        return say(TO_ACT, count=len(self.legal.able))

    # The clock

    @property
    def cells(self) -> tuple[Cell, ...]:
        return self.board.clock.cells if self.board.clock else ()

    def cells_of(self, side: int) -> list[Cell]:
        return [cell for cell in self.cells if cell.side == side]

    @property
    def forces(self) -> bool:
        """Whether the cells of the clock stand for sides with tokens to spend."""
        return any(cell.tokens for cell in self.cells)

    @property
    def slim(self) -> bool:
        return len(self.cells) > 8

    # Choices of the picked unit

    @property
    def acts(self) -> tuple[Act, ...]:
        """The acts that don't combine with other picks."""
        return tuple(act for act in self.legal.acts if not act.beside)

    @property
    def targets(self) -> list[tuple[Target, str, bool]]:
        """The targets with the link that picks them, and whether they are picked."""
        return [
            (one, self.links.of_target(one), one is self.target or (one.adds and one.pick in self.picks.more))
            for one in self.legal.targets
        ]

    @property
    def priced(self) -> list[tuple[Target, str, bool]]:
        """The targets with a price, shown in short rows; impossible ones last."""
        return sorted((one for one in self.targets if one[0].mark), key=lambda one: one[0].why_not is not None)

    @property
    def attacked(self) -> list[tuple[Target, str, bool]]:
        """The other targets that are units, or hexes with a chance."""
        return [one for one in self.targets if not one[0].mark and not _is_place(one[0])]

    @property
    def places_aimed(self) -> list[tuple[Target, str, bool]]:
        """The bare hexes that can be targeted, shown in one row."""
        return [one for one in self.targets if not one[0].mark and _is_place(one[0])]

    @cached_property
    def signs(self) -> frozenset[str]:
        """The signs of badges on the board now; only these are explained in the key."""
        found = {badge.sign for counter in self.board.counters for badge in counter.badges}
        return frozenset(found | ({"locked"} if self.board.engaged else set()))

    @cached_property
    def ways(self) -> frozenset[str]:
        """The kinds of hexes that can be chosen now; only these are explained in the key."""
        return frozenset(step.kind for step in self.legal.steps if not step.why_not)

    @property
    def ring_keys(self) -> list[tuple[Said, int]]:
        """The meaning of each ring's outline, once per layer, with the number of its dash pattern."""
        labels = {ring.layer: ring.label for ring in reversed(self.rings)}
        layers = list(dict.fromkeys(ring.layer for ring in self.rings))
        return [(labels[layer], number) for number, layer in enumerate(layers)]

    @property
    def beside(self) -> list[Act]:
        """The acts that combine with other picks."""
        return [act for act in self.legal.acts if act.beside]

    @property
    def next_target(self) -> Target | None:
        """The target after the picked one, wrapping around."""
        open_ = [one for one in self.legal.targets if not one.why_not]
        if not open_:
            return None
        return open_[(open_.index(self.target) + 1) % len(open_) if self.target in open_ else 0]

    @property
    def scale(self) -> list[tuple[Said, int]]:
        """The meaning of the bars' colours, from the target with most outcomes."""
        longest = max((one.outcomes for one in self.legal.targets), key=len, default=())
        return [(piece.label, tone_of(piece, number, len(longest))) for number, piece in enumerate(longest)]

    def act_href(self, act: Act) -> str:
        return self.links.of_act(act)

    def act_on(self, act: Act) -> bool:
        return act.slug in self.picks.more

    # Tables

    @property
    def in_tables(self) -> bool:
        return self.look.kept.get("tables") == "1"

    @property
    def tables(self) -> str:
        return self._with(tables="" if self.in_tables else "1")

    @property
    def steps(self) -> list[tuple[Step, str, Said]]:
        """The hexes the unit can reach, with link and terrain, cheapest first."""
        steps = sorted(self.legal.steps, key=lambda step: (step.why_not is not None, step.cost))
        return [(step, self.links.of_step(step.hex), self._ground(step.hex)) for step in steps]

    def _ground(self, label: str) -> Said:
        at = self.land.at(label)
        assert at is not None
        return self.land.map.at(at).name

    @property
    def in_letters(self) -> list[str]:
        """The ground as text, one line per row, even rows indented by half a hex."""
        rows = enumerate(self.land.map.terrain, 1)
        return [f"{number:2d} {'' if number % 2 else ' '}{' '.join(row)}" for number, row in rows]

    # For templates

    @property
    def companions(self) -> list[UnitRow]:
        """All units in the picked unit's hex, if there are several."""
        if self.unit is None or not self.unit.at:
            return []
        rows = [self._row(counter) for counter in self.board.counters if counter.at == self.unit.at]
        return rows if len(rows) > 1 else []

    def turns(self, effect: Effect) -> Said | None:
        """How long an effect lasts; None if it has no end."""
        return None if effect.left is None else say(counters.TURNS_LEFT, count=effect.left)

    def inside(self, counter: Counter) -> SafeString:
        return mark_safe(counters.counter_parts(counter))

    def drawn_counter(self, counter: Counter) -> SafeString:
        acted = " acted" if counter.done and not counter.can_act else ""
        return mark_safe(
            f'<svg class="mini-tok {pick_colour(counter.side)}{acted}" viewBox="-25 -27 50 52" aria-hidden="true">'
            f"{counters.counter_parts(counter)}</svg>"
        )

    def percent(self, chance: Fraction) -> str:
        return percent(chance)

    def slices(self, pieces: Sequence[Piece]) -> list[Slice]:
        return slices(pieces)

    def told(self, pieces: Sequence[Piece]) -> str:
        return in_words(pieces)

    @property
    def expected(self) -> Said:
        """Sentence on the reader's next step."""
        status = self.asked.summary.status
        if status in (AFTERMATH, CLOSED):
            return _("Aftermath not settled yet") if status == AFTERMATH else _("Aftermath settled")
        if not self.live or not (self.legal.able or self.picks.unit):
            asked = self.live and self.legal.turn and self.legal.must
            return asked or self.asked.summary.stage.label
        if not self.picks.unit:
            return self.legal.must if self.legal.acts and self.legal.must else _("Choose a unit")
        if self.placing or self.answering:
            return _("Choose a hex with a dot")
        if self.laying:
            return _("Choose the next hex of the path")
        open_ = any(step.why_not is None for step in self.legal.steps)
        if open_ and self.legal.targets:
            return _("Choose a hex or an enemy")
        if open_:
            return _("Choose a hex")
        if self.legal.must and self.picks.more:
            return self.legal.must
        return _("Choose an action") if self.legal.targets or self.legal.acts else _("No action possible now")

    @property
    def tap_steps(self) -> list[TapStep]:
        """The taps needed on a phone: unit, hex or enemy, confirm. Empty where one tap is enough."""
        if not (self.live and (self.legal.able or self.picks.unit)) or self.placing or self.answering:
            return []
        unit, target = self.counters.get(self.picks.unit), self.target
        goes = self.picks.to or (self.picks.more and not self.laying)
        where = target.at if target else self.picks.to
        ready = self.legal.confirm is not None and self.legal.confirm.why_not is None
        first = TapStep(unit.tag or unit.name, _("unit")) if unit else TapStep(_("Unit"), _("with a bright edge"))
        cost = self.legal.way_costs[-1:] if self.legal.way else ()
        told = say(POINTS, count=cost[0]) if cost and not target else _("target")
        second = TapStep(where or _("Action"), told) if target or goes else TapStep(_("Hex or enemy"), _("gold or red"))
        third = TapStep(_("Confirm"), _("at the bottom"))
        done = (unit is not None, bool(target or goes))
        steps = [
            one._replace(state="done" if is_done else "") for one, is_done in zip((first, second), done, strict=True)
        ]
        steps.append(third)
        now = 2 if ready else next((place for place, is_done in enumerate(done) if not is_done), 2)
        steps[now] = steps[now]._replace(state="now")
        return steps

    # For scripts and screen readers

    @property
    def spoken(self) -> str:
        """The current choice in one line, for screen readers."""
        if told := self.why_not_here or (self.legal.confirm and self.legal.confirm.title):
            return render(told)
        if self.unit:
            return counters.told(self.unit, self.side_names)
        return self.place.label if self.place else ""
