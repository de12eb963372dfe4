"""Values a battle law returns for drawing a hex board, already limited to what the reader may know.

A law never returns markup. It returns the counters on the board (`Counter`), where the chosen unit can go (`Step`),
whom it can attack (`Target`), its other actions (`Act`), and what the confirming button would do now (`Confirm`). The
page, the tables for screen readers, the API's `choices` and the printed board all use these values. Hexes are labels
such as "C7".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from rules.core.text import NO_WORDS, Said, UnitName, _, say
from rules.core.viewers import Viewer


class Picks(NamedTuple):
    """The reader's picks on a board so far; a pick not made is "". `more`: slugs of acts and other extra picks."""

    unit: str = ""
    to: str = ""
    target: str = ""
    more: tuple[str, ...] = ()


def picks_of(selection: Sequence[str]) -> Picks:
    """Parse a selection: unit, hex and target in this order ("" where not picked), then any other slugs."""
    unit, to, target = (*selection[:3], "", "", "")[:3]
    return Picks(unit, to, target, tuple(selection[3:]))


class Badge(NamedTuple):
    """A sign on one corner of a counter: "nw" leader, "ne" morale, "se" fatigue, "sw" order or spell."""

    corner: str
    sign: str
    """The slug of a drawing; the sprite has it as `b-<sign>`."""
    label: Said
    mark: str = ""
    """Text written on the badge, such as the turns left."""


class Counter(NamedTuple):
    """A unit on the board or in the reserve, as far as the reader may know it."""

    unit: str
    army: str
    side: int
    name: Said | str
    at: str
    """The label of its hex; "" in the reserve."""
    glyph: str
    """The slug of a drawing in the sprite of glyphs."""
    tag: str = ""
    """One or two letters and a number ("R2") at the foot of the counter; "" if `pips` are drawn there instead."""
    pips: tuple[int, int] | None = None
    """Stands left and stands at full strength."""
    character: bool = False
    """Whether it is a character, drawn behind the troop of its hex unless only the character can act."""
    can_act: bool = False
    """Whether it can still act in this activation or phase; the counter is drawn pale if not."""
    done: bool = False
    group: str = ""
    """Id of the wing or other group its law puts it in; "" for none."""
    badges: tuple[Badge, ...] = ()
    states: tuple[Said, ...] = ()
    """Its states in words, without "fit" and "fresh"."""
    offers: Said | str = ""
    """What it can do now, as one line of the list of units; "" for nothing."""
    stripe: str = ""
    """The heraldic colour of its kingdom, where two armies of one side must be told apart."""


class Step(NamedTuple):
    """A hex the chosen unit can end on."""

    hex: str
    cost: int
    kind: str = "reach"
    """How the hex is reached: "reach" freely, "halt" where an enemy or the ground stops it, "effort" at an extra price
    the law names, "place" during setup, "answer" to a pending question.
    """
    why_not: Said | None = None


class Piece(NamedTuple):
    """One possible result of an attack."""

    slug: str
    label: Said
    chance: Fraction
    tone: int | None = None
    """Colour step: 0 the attacker suffers, 1 nothing happens, up to 5 for the worst; None to derive it."""


class Target(NamedTuple):
    """A unit or hex the chosen unit can attack or aim at, from the chosen hex or else from the best one."""

    target: str
    """Id of the unit, or label of the hex."""
    at: str
    name: Said | str
    how: str = ""
    """The law's slug for the kind of attack."""
    source: str = ""
    """The hex the attack is made from."""
    chance: Fraction | None = None
    chance_label: Said = NO_WORDS
    """What `chance` is the chance of ("shaken or worse")."""
    outcomes: tuple[Piece, ...] = ()
    """All results, mildest first; their chances sum to 1."""
    sum: tuple[Said, ...] = ()
    """The lines that explain the attack's arithmetic."""
    throw: Said | str = ""
    """The dice to roll, in short ("2D6 + 3", "3 dice")."""
    label: Said = NO_WORDS
    """The text of its row in the list of actions ("Charge the Levy")."""
    why_not: Said | None = None
    pick: str = ""
    """The slug to pick along with it, where one unit can be attacked in several ways."""
    mark: str = ""
    """Text shown where there is no chance, such as a price. Targets with a mark are listed in short rows."""
    icon: str = ""
    """The slug of a drawing in the list of actions; "" for crossed swords."""
    adds: bool = False
    """Whether several targets can be picked together: then a tap adds or removes `pick`."""
    along: tuple[str, ...] = ()
    """Slugs that stay picked when it is picked, if it is one of several alternatives."""


class Act(NamedTuple):
    """Any other action of the chosen unit. `why_not` gives the reason if it isn't allowed."""

    slug: str
    label: Said
    icon: str = ""
    note: Said | str = ""
    why_not: Said | None = None
    beside: bool = False
    """Whether it combines with the other picks (a posture, a waived charge): picking it leaves the rest unchanged."""
    along: tuple[str, ...] = ()
    """Slugs that stay picked when it is picked, as do hex and target: it is one of several ways to do the same thing.
    """


class Threat(NamedTuple):
    """Possible attack of a visible enemy on the chosen unit, on its destination hex, before the unit acts again."""

    unit: str
    name: Said | str
    note: Said | str
    throw: Said | str
    outcomes: tuple[Piece, ...]


class Threats(Sequence[Threat]):
    """Threats computed when they are first read. Only a drawn board reads them: no program, and no opponent."""

    def __init__(self, compute: Callable[[], tuple[Threat, ...]]):
        self._compute = compute

    @cached_property
    def _found(self) -> tuple[Threat, ...]:
        return self._compute()

    def __len__(self) -> int:
        return len(self._found)

    def __getitem__(self, place: Any) -> Any:
        return self._found[place]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._found == tuple(other)

    def __hash__(self) -> int:
        return hash(self._found)


class Ring(NamedTuple):
    """An outlined area of hexes in a map layer: command distance, leash, zone, sight."""

    layer: str
    label: Said
    hexes: frozenset[str]
    mark: str = ""
    """Text written on its edge ("+1")."""


class Confirm(NamedTuple):
    """The action of the confirming button: a complete command of the law."""

    command: Any
    title: Said
    """The full description of what happens ("R2 to L10, charge the Levy")."""
    button: Said
    note: Said | str = ""
    throws: bool = False
    """Whether the command may roll dice; then the dice switch is shown."""
    why_not: Said | None = None
    """Why the button is disabled; None if it can be pressed."""
    icon: str = ""
    """The slug of a drawing on the button."""


def name_side(button: Said, side: str, viewer: Viewer) -> Said:
    """The words of a button that ends something for a side. The GM, who can press it for anybody, reads for whom."""
    return say(_("{button}: {side}"), button=button, side=side) if viewer.gm else button


class OutOfSight(NamedTuple):
    """A side whose setup the reader doesn't see: its zone is hatched, and `label` is written over it."""

    side: int
    label: Said


class Effect(NamedTuple):
    """A temporary or lasting effect on a hex: a fire, a mire, a grave."""

    hex: str
    slug: str
    label: Said
    left: int | None = None
    """Turns left; None if it stays."""
    unit: str = ""
    """Id of the unit it moves along with; "" if it lies on the hex itself."""
    glyph: str = ""
    """The slug of its drawing, if it isn't `slug`."""
    about: Said = NO_WORDS
    """What it does, in a sentence."""


class Cell(NamedTuple):
    """One cell of the turn track above the board: a wing or a side."""

    id: str
    side: int
    title: Said | str
    lines: tuple[Said | str, ...] = ()
    pips: tuple[int, int] | None = None
    brink: int | None = None
    """How many of the pips may be lost before it breaks."""
    state: str = "to act"
    """"acting", "acted", "to act" or "out"."""
    word: Said | str = ""
    icon: str = ""
    """The slug of a drawing before its first line."""
    mark: str = ""
    """A number at its head. `about` explains it, and the warnings, in words."""
    warnings: int = 0
    about: Said = NO_WORDS
    act: str = ""
    """The slug of the act that picks this wing or side; "" if it can't be picked."""
    number: str = ""
    """Its number within its side, as displayed ("II")."""
    tokens: tuple[Said, int] | None = None
    """The tokens a side can spend, with their name; drawn as coins."""
    tally: tuple[Said, int, int] | None = None
    """A name, the points a side has reached, and the points it needs; drawn as diamonds."""
    acting: tuple[str, ...] = ()
    """Units that act this turn, drawn in a row."""


class Clock(NamedTuple):
    """Turn track: the side to act, and the steps of the turn."""

    number: Said
    now: Said
    """Who acts, from the reader's point of view ("You act", "The Horde acts")."""
    then: Said | str = ""
    cells: tuple[Cell, ...] = ()
    steps: tuple[tuple[Said, str], ...] = ()
    """The steps of the turn, each "done", "current" or "to come"."""


class Board(NamedTuple):
    """Everything on the board that doesn't depend on the selection. The map is a `HexMap`, fetched by its version."""

    counters: tuple[Counter, ...]
    effects: tuple[Effect, ...] = ()
    overlays: Mapping[str, str] = {}
    """Temporary terrain, by hex."""
    clock: Clock | None = None
    last: tuple[str, str] | None = None
    """Start and end hex of the last action."""
    losses: Sequence[tuple[str, UnitName]] = ()
    """Pairs of a hex and the name of the unit that fell there."""
    losses_about: Said = NO_WORDS
    """A sentence on what may still happen to the fallen; if set, graves are always drawn."""
    zones: tuple[frozenset[str], ...] = ()
    """The setup zone of each side, by side; () after setup."""
    hidden: tuple[OutOfSight, ...] = ()
    engaged: tuple[tuple[str, str], ...] = ()
    """Pairs of adjacent hexes whose units are engaged with each other."""


class Facts(NamedTuple):
    """The lines of a unit's card. Figures with breakdowns are in the law's own template instead."""

    unit: str
    lines: tuple[tuple[Said, Said | str], ...] = ()


class BoardLegal(NamedTuple):
    """Legal choices of the reader, given their picks of unit, hex and target."""

    commands: tuple[str, ...]
    picked: tuple[str, ...] = ()
    """The part of the selection that is valid."""
    able: tuple[str, ...] = ()
    """Units that can act now, in the order in which *Next* visits them."""
    steps: tuple[Step, ...] = ()
    way: tuple[str, ...] = ()
    """The path to the chosen hex, start included."""
    way_costs: tuple[int, ...] = ()
    """The running cost at each hex of `way`."""
    targets: tuple[Target, ...] = ()
    acts: tuple[Act, ...] = ()
    threats: Sequence[Threat] = ()
    rings: tuple[Ring, ...] = ()
    facts: Facts | None = None
    must: Said | None = None
    """An instruction in a sentence: what the reader must do first, or who has to answer."""
    confirm: Confirm | None = None
    turn: bool = False
    """Whether the reader has something to do now."""
