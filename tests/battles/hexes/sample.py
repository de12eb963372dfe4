"""A board to draw: The ford in its fourth turn, and a law that answers for what is picked on it.

Its battle is one of the road (`tests.rulesets.turns`): what the foot's button does is a step there.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from battles.hexes.picks import Layer
from battles.hexes.ui import HexBattleUI
from rules.core.text import Term, _, verbatim
from rules.hexbattle.board import (
    Act,
    Badge,
    Board,
    BoardLegal,
    Cell,
    Clock,
    Confirm,
    Counter,
    Effect,
    Facts,
    OutOfSight,
    Piece,
    Ring,
    Step,
    Target,
    Threat,
    picks_of,
)
from rules.hexes.battlefields import STARTERS
from rules.hexes.field import zone
from rules.hexes.geometry import Hex, hex_at, label_of
from rules.hexes.mapfile import HexMap
from rules.hexes.paths import costs_on_foot, path, reach
from rules.hexes.terrain import CLEAR, DIFFICULT, MapKind
from rules.law import SETUP, Viewer
from tests.rulesets.turns import law as road
from tests.rulesets.turns.ui import TurnsBattleUI

FORD = STARTERS["the-ford"]
GLYPHS = {
    "A": "archers",
    "B": "beasts",
    "F": "foot",
    "G": "griffins",
    "H": "heavy",
    "L": "levy",
    "R": "riders",
    "T": "trolls",
}
NAMES = {
    "A": "Archers", "B": "Beasts", "F": "Foot", "G": "Griffins", "H": "Heavy foot", "L": "Levy", "R": "Riders",
    "T": "Trolls",
}  # fmt: skip
TIRED = Badge("se", "tired", verbatim("winded"))
SHAKEN = Badge("ne", "warn", verbatim("shaken"))
LEADER = Badge("nw", "leader", verbatim("with a leader"))
CHIEF = Badge("nw", "chief", verbatim("with the chief"))
ORDER = Badge("sw", "order", verbatim("special order"))
FLEES = Badge("ne", "flees", verbatim("flees"))
HORDE = {
    "L1": ("G7", True, ()), "T1": ("H8", True, (TIRED,)), "F1": ("I7", True, (CHIEF,)), "A1": ("H6", True, ()),
    "B1": ("C8", False, (SHAKEN,)), "B2": ("D7", False, ()), "F2": ("C6", False, (LEADER,)), "G1": ("L9", False, ()),
    "R1": ("N9", False, (FLEES, TIRED)), "L2": ("M9", False, ()), "L3": ("M8", False, ()),
    "F3": ("M7", False, (LEADER,)),
    "L4": ("O6", True, (SHAKEN,)),
}  # fmt: skip
CROWN = {
    "F1": ("I9", True, (CHIEF,)), "H1": ("H9", True, (TIRED,)), "F2": ("G10", True, ()), "A1": ("H10", True, ()),
    "R1": ("N10", True, (TIRED,)), "R2": ("K13", False, ()), "F5": ("K10", False, (LEADER,)), "A3": ("J11", False, ()),
    "F3": ("D10", False, (ORDER,)), "H2": ("C9", False, (SHAKEN,)), "F4": ("B10", False, (LEADER,)),
    "A2": ("E11", False, (ORDER,)),
}  # fmt: skip
ABLE = ("one:R2", "one:F5", "one:A3")
RESULTS = ("nothing", "recoil", "shaken", "routed", "destroyed")
WINGS = (
    ("one-1", 0, "Ironwatch", ("Attack", "9"), (4, 4), 2, "acted", "acted"),
    ("one-2", 0, "Silver Lances", ("Attack", "8"), (5, 5), 2, "acting", "3 left"),
    ("one-3", 0, "Boatmen", ("Hold", "7"), (4, 4), 2, "to act", "to act"),
    ("two-1", 1, "Raiders", ("Attack", "8"), (5, 6), 3, "acted", "acted"),
    ("two-2", 1, "Bog clans", ("Advance", "6"), (3, 4), 2, "to act", "to act"),
    ("two-3", 1, "Sky clans", ("Attack", "8"), (5, 5), 3, "to act", "to act"),
)
COSTS = costs_on_foot(FORD, {CLEAR: 1, DIFFICULT: 2})


def counter(side: int, army: str, tag: str, at: str, done: bool, badges: Any) -> Counter:
    unit = f"{('one', 'two')[side]}:{tag}"
    return Counter(
        unit, army, side, NAMES[tag[0]], at, GLYPHS[tag[0]], tag, can_act=unit in ABLE, done=done,
        group="one-2" if unit in ABLE else "", badges=badges,
        offers=verbatim("charge L2, 72%") if unit == "one:R2" else "",
        states=tuple(badge.label for badge in badges if badge.corner == "ne"),
    )  # fmt: skip


def ford(armies: tuple[str, str] = ("one", "two")) -> Board:
    units = [counter(0, armies[0], tag, *more) for tag, more in CROWN.items()]
    units += [counter(1, armies[1], tag, *more) for tag, more in HORDE.items()]
    knight = Counter("one:Ka", armies[0], 0, "Sir Kadrin", "K13", "hero", "Ka", character=True)
    cells = tuple(
        Cell(id_, side, name, tuple(map(verbatim, lines)), pips, brink, state, verbatim(word))
        for id_, side, name, lines, pips, brink, state, word in WINGS
    )
    steps = tuple(
        (verbatim(name), when)
        for name, when in (("Initiative", "done"), ("Command", "done"), ("Action", "current"), ("Rally", "to come"))
    )
    return Board(
        (*units, knight),
        effects=(Effect("E5", "g-fire", verbatim("a fire"), 2),),
        clock=Clock(verbatim("Turn 4 of 12"), verbatim("You act"), verbatim("then the Horde"), cells, steps),
        last=("L12", "N10"),
        losses=(("N8", "Archers A2"),),
        engaged=(("H9", "H8"), ("I9", "H8"), ("K10", "L9"), ("C9", "C8")),
    )


def pieces(*parts: int) -> tuple[Piece, ...]:
    return tuple(Piece(name, verbatim(name), Fraction(part, 36)) for name, part in zip(RESULTS, parts, strict=True))


SHAKEN_OR_WORSE = verbatim("shaken or worse")


def targets() -> tuple[Target, ...]:
    levy = Target(
        "two:L2", "M9", "Levy", "charge", "L10", Fraction(26, 36), SHAKEN_OR_WORSE, pieces(3, 7, 11, 9, 6),
        (verbatim("melee 4"), verbatim("guard −2"), verbatim("charge +1")), "2D6 + 3", verbatim("Charge the Levy"),
    )  # fmt: skip
    griffins = Target(
        "two:G1", "L9", "Griffins", "charge", "L10", Fraction(21, 36), SHAKEN_OR_WORSE, pieces(6, 9, 11, 7, 3),
        throw="2D6 + 2", label=verbatim("Charge the Griffins"),
    )  # fmt: skip
    return levy, griffins


def steps(board: Board) -> tuple[Step, ...]:
    taken = {one.at for one in board.counters}
    found = reach(COSTS, hex_at("K13"), 7)
    costs = {label_of(at): cost for at, cost in found.items()}
    return tuple(
        Step(label, cost, "halt" if label in ("K9", "L10") else "reach" if cost <= 5 else "effort")
        for label, cost in sorted(costs.items())
        if cost and label not in taken
    )


def disc(at: str, radius: int) -> frozenset[str]:
    middle = hex_at(at)
    near = (
        Hex(middle.q + q, middle.r + r)
        for q in range(-radius, radius + 1)
        for r in range(max(-radius, -q - radius), min(radius, -q + radius) + 1)
    )
    return frozenset(label_of(at) for at in near if at in FORD)


def legal_of(board: Board, selection: tuple[str, ...], command: Any = None) -> BoardLegal:
    picks = picks_of(selection)
    unit = next((one for one in board.counters if one.unit == picks.unit), None)
    if unit is None:
        return BoardLegal(("act",), able=ABLE, turn=True)
    facts = Facts(unit.unit, ((_("Move"), verbatim("5")), (verbatim("Melee"), verbatim("4"))))
    if unit.unit != "one:R2":
        return BoardLegal(("act",), picked=(unit.unit,) if unit.unit in ABLE else (), able=ABLE, facts=facts, turn=True)
    target = next((one for one in targets() if one.target == picks.target), None)
    to = picks.to or (target.source if target else "")
    way = path(COSTS, hex_at("K13"), hex_at(to)) if to else None
    hexes = tuple(label_of(at) for at in way.hexes) if way else ()
    confirm = None
    if to:
        act = f"R2 to {to}" + (", charge the Levy" if target else "")
        words = verbatim("Charge the Levy") if target else verbatim(f"Go to {to}")
        confirm = Confirm(command, verbatim(act), words, verbatim("4 of 5 points, then winded"), throws=bool(target))
    return BoardLegal(
        ("act",),
        picked=(unit.unit, to, target.target if target else ""),
        able=ABLE,
        steps=steps(board),
        way=hexes,
        way_costs=tuple(range(len(hexes))),
        targets=targets(),
        acts=(Act("move", verbatim("Move when not fighting"), "g-move", why_not=verbatim("an enemy is in reach")),),
        threats=(Threat("two:G1", "Griffins G1", verbatim("with L2"), "2D6", pieces(3, 7, 11, 9, 6)),) if to else (),
        rings=(
            Ring("command", verbatim("command +1"), disc("K11", 3), "+1"),
            Ring("command", verbatim("command +2"), disc("K11", 5), "+2"),
        ),
        facts=facts,
        confirm=confirm,
        turn=True,
    )  # fmt: skip


def large() -> tuple[HexMap, Board]:
    """40 by 40 hexes, 40 units a side."""
    land = HexMap("Tuskwater plain", MapKind.BATTLE, 40, 40, tuple(
        "".join("w" if (3 * row + 7 * at) % 11 == 0 else "^" if (row + at) % 13 == 0 else "." for at in range(40))
        for row in range(40)
    ))  # fmt: skip
    units = []
    for side in (0, 1):
        for number in range(40):
            tag = f"{'AFHLR'[number % 5]}{number // 5 + 1}"
            column, row = 2 * (number % 20), (24, 12)[side] + 2 * (number // 20)
            at = label_of(Hex(column - row // 2, row))
            units.append(counter(side, ("one", "two")[side], tag, at, number % 3 == 0, ())._replace(can_act=side == 0))
    return land, Board(tuple(units), clock=ford().clock)


class FordUI(HexBattleUI, TurnsBattleUI):  # type: ignore[misc]
    """A battle of the road, shown as The ford."""

    by_players = (*HexBattleUI.by_players, "deed")
    turn_template = ""
    layers = (Layer("command", verbatim("Command distance"), usual=True),)
    key = (("leader", Term("leader")),)

    def board(self, state: Any, viewer: Viewer) -> Board:
        return ford(tuple(army.id for army in state.armies))  # type: ignore[arg-type]

    def land(self, state: Any) -> tuple[HexMap, str]:
        return FORD, "ford"

    def command_form(self, page: Any, kind: str, data: Any) -> Any:
        return HexBattleUI.command_form(self, page, kind, data)


def before(armies: tuple[str, str]) -> Board:
    """The same before the battle: three of the crown wait for a place, the horde sets up out of sight."""
    board = ford(armies)
    zones = tuple(frozenset(label_of(at) for at in zone(FORD, side)) for side in (0, 1))
    spots = sorted(zones[0])
    units = [
        one._replace(at="" if one.unit in ABLE else spots[place], can_act=one.unit in ABLE, done=False, group="one-1")
        for place, one in enumerate(one for one in board.counters if one.side == 0)
    ]
    hidden = (OutOfSight(1, verbatim("Horde: 11 of 13 placed, out of sight until both are ready")),)
    return Board(tuple(units), clock=board.clock, zones=zones, hidden=hidden)


def legal_before(board: Board, viewer: Viewer, selection: tuple[str, ...]) -> BoardLegal:
    unit = picks_of(selection).unit or ABLE[0]
    taken = {one.at for one in board.counters}
    free = tuple(Step(at, 0, "place") for at in sorted(board.zones[0]) if at not in taken)
    once = Confirm(
        None, verbatim("10 of 13 units placed"), verbatim("Ready"), why_not=verbatim("Ready after 3 more placements")
    )
    commands = ("place", "ready", *(("paint", "start") if viewer.gm else ()))
    return BoardLegal(commands, picked=(unit,), able=ABLE, steps=free, confirm=once, turn=True)


class SetupUI(FordUI):
    def board(self, state: Any, viewer: Viewer) -> Board:
        return before(tuple(army.id for army in state.armies))  # type: ignore[arg-type]


class SetupBattles(road.Battles):
    def legal(self, state: Any, viewer: Viewer, selection: tuple[str, ...] = ()) -> Any:
        return legal_before(before(tuple(army.id for army in state.armies)), viewer, selection)  # type: ignore[arg-type]

    def summary(self, state: Any) -> Any:
        return replace(super().summary(state), status=SETUP)


class FordBattles(road.Battles):
    """What is chosen on The ford is a step of the first army's line."""

    def legal(self, state: Any, viewer: Viewer, selection: tuple[str, ...] = ()) -> Any:
        board = ford(tuple(army.id for army in state.armies))  # type: ignore[arg-type]
        line = next(iter(state.units.values()))
        return legal_of(board, selection, road.Step(line.id, line.at + 1))
