"""Board values: what a law of hex battles hands to whoever draws it, already cut to what the reader may know.

A law never hands over markup. It says which counters stand where (`Counter`), where the chosen unit can go (`Step`),
whom it can attack (`Target`), what else it can do (`Act`), and what one button would do now (`Confirm`). The same
values make the page, the tables for screen readers, the API's `choices` and the printed board. Hexes are labels ("C7").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from rules.core.text import NO_WORDS, Said


class Picks(NamedTuple):
    """What somebody picked so far on a board, by name; "" for what they did not. `more`: slugs of acts and the like."""

    unit: str = ""
    to: str = ""
    target: str = ""
    more: tuple[str, ...] = ()


def picks_of(selection: Sequence[str]) -> Picks:
    """A law's selection read: unit, hex and target in this order ("" where one was not picked), then whatever else."""
    unit, to, target = (*selection[:3], "", "", "")[:3]
    return Picks(unit, to, target, tuple(selection[3:]))


class Badge(NamedTuple):
    """A sign on a corner of a counter: "nw" leader, "ne" morale, "se" fatigue, "sw" order or spell."""

    corner: str
    sign: str
    """The slug of a drawing (`b-<sign>`)."""
    label: Said
    mark: str = ""
    """Written on it: turns left."""


class Counter(NamedTuple):
    """A unit on the board or in the reserve, as its reader may know it."""

    unit: str
    army: str
    side: int
    name: Said | str
    at: str
    """Its hex; "" in the reserve."""
    glyph: str
    """The slug of a drawing in the sprite of glyphs."""
    tag: str = ""
    """One or two letters and a number ("R2"), at the foot of the counter; "" where `pips` stand there."""
    pips: tuple[int, int] | None = None
    """Stands left, of how many."""
    character: bool = False
    """Drawn behind the troop of its hex, where there is one that can act as it can."""
    can_act: bool = False
    """Solid where true: it can still act in this activation or phase. Pale otherwise."""
    done: bool = False
    group: str = ""
    """Id of the wing or whatever else its law groups units by."""
    badges: tuple[Badge, ...] = ()
    states: tuple[Said, ...] = ()
    """Its states in words, "fit" and "fresh" left out."""
    offers: Said | str = ""
    """What it can do, in a line of the list of units; "" for nothing."""
    stripe: str = ""
    """The tincture of an allied kingdom, where two armies of one side must be told apart."""


class Step(NamedTuple):
    """A hex the chosen unit can end on."""

    hex: str
    cost: int
    kind: str = "reach"
    """"reach", "halt" (an enemy or the ground stops it there), "effort" (at a price the law names), "place" (setup),
    "answer" (it answers what is asked)."""
    why_not: Said | None = None


class Piece(NamedTuple):
    """One possible result of an attack."""

    slug: str
    label: Said
    chance: Fraction
    tone: int | None = None
    """How it is coloured: 0 falls back on whoever attacks, 1 nothing, up to 5 the worst; None goes by its place."""


class Target(NamedTuple):
    """A unit or hex the chosen unit can attack or aim at, from the best hex or from the hex chosen."""

    target: str
    """Id of the unit, or label of the hex."""
    at: str
    name: Said | str
    how: str = ""
    """The law's slug of the kind of attack."""
    source: str = ""
    """The hex it is attacked from."""
    chance: Fraction | None = None
    chance_label: Said = NO_WORDS
    """What the chance is of ("shaken or worse")."""
    outcomes: tuple[Piece, ...] = ()
    """Mildest first; sums to 1."""
    sum: tuple[Said, ...] = ()
    """The lines of the sum behind it."""
    throw: Said | str = ""
    """The throw in short ("2D6 + 3", "3 dice")."""
    label: Said = NO_WORDS
    """What the row of the list of actions says ("Charge the Levy")."""
    why_not: Said | None = None
    pick: str = ""
    """What is picked along with it, where one unit can be attacked in several ways."""
    mark: str = ""
    """Written on it where there is no chance: a price. Targets that bear one are listed in short rows."""
    icon: str = ""
    """The slug of a drawing in the list of actions; crossed swords where it says none."""
    adds: bool = False
    """Whether it is one of several that can be picked together: a tap picks `pick` besides, or puts it away again."""
    along: tuple[str, ...] = ()
    """Slugs that stay picked with it, where it is one of several."""


class Act(NamedTuple):
    """Anything else the chosen unit can do, or is barred from with the reason."""

    slug: str
    label: Said
    icon: str = ""
    note: Said | str = ""
    why_not: Said | None = None
    beside: bool = False
    """Whether it goes with what else is picked (a posture, a charge that is waived): picked or not, all else stays."""
    along: tuple[str, ...] = ()
    """Slugs that stay picked with it, as the hex and the target do then: it is one of several ways to do the same."""


class Threat(NamedTuple):
    """What an enemy that is seen could do to the chosen unit, where it would stand, before it acts again."""

    unit: str
    name: Said | str
    note: Said | str
    throw: Said | str
    outcomes: tuple[Piece, ...]


class Ring(NamedTuple):
    """Hexes outlined as one area in a layer: command distance, leash, zone, sight."""

    layer: str
    label: Said
    hexes: frozenset[str]
    mark: str = ""
    """Written on its edge ("+1")."""


class Confirm(NamedTuple):
    """The one act of the foot: a complete command of the law."""

    command: Any
    title: Said
    """What happens, in full ("R2 to L10, charge the Levy")."""
    button: Said
    note: Said | str = ""
    throws: bool = False
    """Whether dice may be asked for: then the dice switch is shown."""
    why_not: Said | None = None
    """What the button waits for; it stands there and cannot be pressed."""
    icon: str = ""
    """The slug of a drawing on the button."""


class OutOfSight(NamedTuple):
    """A side that is set up out of sight: its zone is hatched, and this is written over it."""

    side: int
    label: Said


class Effect(NamedTuple):
    """Something that lies on a hex for a while: a fire, a mire, a grave."""

    hex: str
    slug: str
    label: Said
    left: int | None = None
    """Turns left, None where it stays."""
    unit: str = ""
    """Id of the unit it is on and goes along with; "" for what lies on the hex."""
    glyph: str = ""
    """The slug of its drawing, where that is not its own."""
    about: Said = NO_WORDS
    """What it does, in a sentence."""


class Cell(NamedTuple):
    """One cell of the clock above the board: a wing or a side."""

    id: str
    side: int
    title: Said | str
    lines: tuple[Said | str, ...] = ()
    pips: tuple[int, int] | None = None
    brink: int | None = None
    """How many of the pips may be lost before it breaks."""
    state: str = "to act"
    """"acting", "acted", "to act", "out"."""
    word: Said | str = ""
    icon: str = ""
    """The slug of a drawing before its first line."""
    mark: str = ""
    """A number at its head, and how many warnings stand beside it; `about` says both in words."""
    warnings: int = 0
    about: Said = NO_WORDS
    act: str = ""
    """The slug of the act that picks it, where it can be picked."""
    number: str = ""
    """Its number in its side, as it is written ("II")."""
    tokens: tuple[Said, int] | None = None
    """What a side has in hand and pays with, drawn as coins."""
    tally: tuple[Said, int, int] | None = None
    """What it has reached of what it needs, drawn as diamonds."""
    acting: tuple[str, ...] = ()
    """Units that act this turn, drawn in a row."""


class Clock(NamedTuple):
    """Whose turn it is, in words, and the steps of a turn."""

    number: Said
    now: Said
    """The reader's ("You act") or somebody else's ("The Horde acts")."""
    then: Said | str = ""
    cells: tuple[Cell, ...] = ()
    steps: tuple[tuple[Said, str], ...] = ()
    """Each with "done", "current" or "to come"."""


class Board(NamedTuple):
    """What stands on the board whatever is chosen. The map itself is `HexMap`, by its version."""

    counters: tuple[Counter, ...]
    effects: tuple[Effect, ...] = ()
    overlays: Mapping[str, str] = {}
    """Terrain of a while, by hex."""
    clock: Clock | None = None
    last: tuple[str, str] | None = None
    """From where to where the last act went."""
    losses: Sequence[tuple[str, str]] = ()
    """Hexes with the name of who fell there."""
    losses_about: Said = NO_WORDS
    """What may still become of who fell, in a sentence: then graves are always drawn."""
    zones: tuple[frozenset[str], ...] = ()
    """Where each side sets up, by side; () once that is over."""
    hidden: tuple[OutOfSight, ...] = ()
    engaged: tuple[tuple[str, str], ...] = ()
    """Pairs of touching hexes whose units are locked in a fight."""


class Facts(NamedTuple):
    """The card of a unit: figures with their sums stand in the law's own template."""

    unit: str
    lines: tuple[tuple[Said, Said | str], ...] = ()


class BoardLegal(NamedTuple):
    """What the reader may do, of what they picked so far: unit, then hex, then target."""

    commands: tuple[str, ...]
    picked: tuple[str, ...] = ()
    """What of the selection stands."""
    able: tuple[str, ...] = ()
    """Units that can act now, in the order in which *Next* walks them."""
    steps: tuple[Step, ...] = ()
    way: tuple[str, ...] = ()
    """The path to the chosen hex, start included."""
    way_costs: tuple[int, ...] = ()
    """The running cost at each hex of `way`."""
    targets: tuple[Target, ...] = ()
    acts: tuple[Act, ...] = ()
    threats: tuple[Threat, ...] = ()
    rings: tuple[Ring, ...] = ()
    facts: Facts | None = None
    must: Said | None = None
    """What it has to do, or who has to answer, in a sentence."""
    confirm: Confirm | None = None
    turn: bool = False
    """Whether the reader is called: something of theirs is to be done now."""
