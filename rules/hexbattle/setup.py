"""Setup of a hex battle: painting the map, placing units, lining them up in a side's zone, getting ready, starting
(HX-9). Only the GM paints during play.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from rules.battle_law import Awaited
from rules.core.errors import demand, require
from rules.core.text import Said, _, by_number, say
from rules.core.viewers import Viewer
from rules.hexbattle.board import Act, BoardLegal, Confirm, Step
from rules.hexbattle.common import MapChanged, Placed, SideReady, Started, name_of
from rules.hexbattle.field import SIDES, Field, Token, by_name, commands
from rules.hexbattle.ground import BattleGround, MapDocument, changes_between, hex_of, label
from rules.hexes.field import doubts as map_doubts
from rules.hexes.field import home
from rules.hexes.geometry import place_of
from rules.hexes.mapfile import document
from rules.hexes.orders import COMMANDS, command_in
from rules.hexes.painting import Paint, paint
from rules.hexes.terrain import IMPASSABLE

# Setup of a hex battle: painting the map, placing units, getting ready, starting (HX-9). Only the GM paints during
# play.
#
# Each function decides one command: it returns events or raises a refusal. `allowed` says who may give a command.

type MayStand = Callable[[Field, Token, str], bool]
"""Whether a unit may stand on a hex, given its terrain and the units there (HX-6.1)."""

SMALL_ZONE = by_number(
    "{side}: the zone has {count} free hex, too few for its units.",
    "{side}: the zone has {count} free hexes, too few for its units.",
)
RESERVE = "reserve"
NOT_PLACED = by_number(
    "{count} unit isn’t placed yet: {names}. Place it, or choose “Place the rest for me”.",
    "{count} units aren’t placed yet: {names}. Place them, or choose “Place the rest for me”.",
)
MANY_NOT_PLACED = _(
    "{count} units aren’t placed yet: {names} and {more} others. Place them, or choose “Place the rest for me”."
)
NAMED = 5


class ChangeMap(NamedTuple):
    """A command of the map painter (HX-9.1), in its document form: `{"command": "paint", "hexes": […], …}`.

    `reason`: why the map changes; required during play (HX-9.4).
    """

    told: Mapping[str, object]
    reason: str = ""


class Place(NamedTuple):
    """Place a unit on a hex of its zone, or return it to the reserve (`at` is "")."""

    unit: str
    at: str = ""


class SetReady(NamedTuple):
    """A side declares itself ready, or (`on` false) undoes that."""

    side: int
    on: bool = True


class Start(NamedTuple):
    """The GM ends setup and begins the battle."""


Command = ChangeMap | Place | SetReady | Start
"""The setup commands, to be listed in a law's `Shapes` with its own."""

MAP_COMMANDS = tuple(COMMANDS)
"""The slugs of the painter's commands; a law's API accepts the same names."""


def allowed(field: Field, command: object, viewer: Viewer, *, brush: bool = False) -> bool | None:
    """Whether this viewer may give the command; None if it isn't a setup command. `brush`: players may paint too."""
    match command:
        case ChangeMap():
            return viewer.gm or (brush and not field.started)
        case Place(unit):
            token = field.tokens.get(unit)
            return viewer.gm or (token is not None and commands(viewer, token))
        case SetReady(side):
            return any(viewer.commands(army) for army, own in field.armies.items() if own == side)
        case Start():
            return viewer.gm
        case _:
            return None


def decided(
    field: Field, command: object, may_stand: MayStand, *, zone_rows: int, margin: int = 0
) -> tuple[Any, ...] | None:
    """The events of a setup command; None for any other command. Raises a refusal if it isn't possible."""
    match command:
        case ChangeMap():
            return stroke(field, command, may_stand, zone_rows=zone_rows, margin=margin)
        case Place(unit, at):
            return place(field, unit, at, may_stand, zone_rows=zone_rows)
        case SetReady(side, on):
            return ready(field, side, on)
        case Start():
            return start(field)
        case _:
            return None


def stroke(
    field: Field, command: ChangeMap, may_stand: MayStand, *, zone_rows: int, margin: int = 0
) -> tuple[MapChanged, ...]:
    """The event of a map change; () if the map already looks so.

    Raises `IllegalCommand` during play for anything but painting terrain, and `InvalidInput` without a reason then.
    """
    land = field.ground.land
    read = command_in(dict(command.told), land)
    if field.started:
        require(isinstance(read, Paint), _("During play you can only paint terrain."), field="/command")
        demand(command.reason.strip(), _("Enter a reason: players will read it."), field="/reason")
    painted = paint(land, read, zone_rows=zone_rows, margin=margin)
    changes = changes_between(field.ground.document, document(painted.land))
    if not changes:
        return ()
    hexes = () if painted.whole else tuple(map(label, sorted(painted.hexes, key=lambda at: (at.r, at.q))))
    event = MapChanged(
        str(command.told["command"]), changes, hexes, tuple(_displaced(field, changes, may_stand, zone_rows))
    )
    if not isinstance(read, Paint) or not field.started:
        return (event,)
    before = dict.fromkeys(land.at(hex_of(at)).slug for at in hexes)
    return (event._replace(reason=command.reason.strip(), before=tuple(before), now=read.terrain),)


def _displaced(field: Field, changes: MapDocument, may_stand: MayStand, zone_rows: int) -> Iterator[str]:
    """The units that can't stay on their hex after a map change (HX-9.3), or whose hex is no longer in their zone.

    Such a hex may now be in the zone of an enemy who doesn't see them. During play all units stay.
    """
    if field.started:
        return
    after = field.but(ground=field.ground.changed(changes))
    for token in field.tokens.values():
        if not token.standing:
            continue
        stays = token.at in after.ground and may_stand(after.put(token.id, at=""), token, token.at)
        if not stays or _lost_zone(field.ground, after.ground, token, zone_rows):
            yield token.id


def _lost_zone(before: BattleGround, after: BattleGround, token: Token, rows: int) -> bool:
    """Whether a unit's hex has left its side's zone for a reason other than its terrain."""
    if token.at not in before.zone(token.side, rows) or token.at in after.zone(token.side, rows):
        return False
    old, now = before.terrain(token.at), after.terrain(token.at)
    return now.footing is not IMPASSABLE or now == old or token.at in after.zone(1 - token.side, rows)


def place(field: Field, unit: str, at: str, may_stand: MayStand, *, zone_rows: int) -> tuple[Placed, ...]:
    """The event of placing a unit on a hex of its zone, or of returning it to the reserve.

    Raises `InvalidInput` for an unknown unit or hex, and `IllegalCommand` where it can't be placed.
    """
    token = field.tokens.get(unit)
    demand(token is not None, _("This unit isn’t in the battle."), field="/unit")
    assert token is not None
    require(not field.started, _("The battle has begun: units can’t be placed anymore."))
    require(token.side not in field.ready, _("Your side is ready. Choose “Place units again” first."))
    if not at:
        return (Placed(unit, ""),) if token.at else ()
    hex_ = field.ground.require_hex(at, field="/at")
    zone = field.ground.zone(token.side, zone_rows)
    require(hex_ in zone, _("{hex} is outside your side’s zone."), field="/at", hex=hex_)
    lifted = field.put(unit, at="")
    require(may_stand(lifted, token, hex_), _("{unit} can’t stand on {hex}."), field="/at", unit=token.name, hex=hex_)
    return (Placed(unit, hex_),) if token.at != hex_ else ()


def ready(field: Field, side: int, on: bool) -> tuple[SideReady, ...]:
    """The event of a side declaring itself ready, or undoing that.

    Raises `IllegalCommand` while units aren't placed, or after the start.
    """
    demand(side in SIDES, _("Must be side 0 or 1."), field="/side")
    require(not field.started, _("The battle has begun already."))
    if on:
        _require_placed(by_name(token for token in field.of_side(side) if token.waiting))
    return (SideReady(side, on),) if (side in field.ready) is not on else ()


def _require_placed(waiting: Sequence[Token]) -> None:
    """Raise `IllegalCommand` if any units wait. Of many, the first are named and the others counted."""
    many = len(waiting) > NAMED + 1
    told: dict[str, object] = {"names": [token.name for token in (waiting[:NAMED] if many else waiting)]}
    if many:
        told["more"] = len(waiting) - NAMED
    require(not waiting, MANY_NOT_PLACED if many else NOT_PLACED, field="/side", count=len(waiting), **told)


def start(field: Field) -> tuple[Started, ...]:
    """The event of the start of the battle. Sides needn't be ready, but all units must be placed.

    Raises `IllegalCommand` otherwise.
    """
    require(not field.started, _("The battle has begun already."))
    _require_placed(by_name(token for side in SIDES for token in field.of_side(side) if token.waiting))
    return (Started(),)


def awaited(field: Field) -> tuple[Awaited, ...]:
    """The armies of sides that aren't ready, with the commands expected of them."""
    return tuple(Awaited(army, ("place", "ready")) for army, side in field.armies.items() if side not in field.ready)


def doubts(field: Field, *, zone_rows: int, sides: tuple[str, ...]) -> tuple[Said, ...]:
    """Warnings about the map: zones too small for their units, or not connected with each other (HX-7.3)."""
    found: list[Said] = []
    for side in SIDES:
        free = sum(field.ground.terrain(at).on_foot for at in field.ground.zone(side, zone_rows))
        if free < sum(not token.character for token in field.of_side(side)):
            found.append(say(SMALL_ZONE, side=sides[side], count=free))
    return (*found, *map_doubts(field.ground.land, zone_rows))


def legal(
    field: Field, viewer: Viewer, selection: tuple[str, ...], may_stand: MayStand, *, zone_rows: int
) -> BoardLegal:
    """Legal commands of a viewer during setup, given the picked unit and hex. `field` is limited to what they see."""
    own = [token for token in by_name(field.tokens.values()) if commands(viewer, token) and not token.gone]
    movable = [token for token in own if token.side not in field.ready]
    sides = {token.side for token in own}
    slugs = (*(("place", "ready") if own else ()), *((*MAP_COMMANDS, "start") if viewer.gm else ()))
    unit = next((token for token in movable if selection and token.id == selection[0]), None)
    open_sides = sides - field.ready
    able = tuple(token.id for token in sorted(movable, key=lambda token: bool(token.at)))
    if unit is None:
        return BoardLegal(slugs, able=able, turn=bool(open_sides))
    lifted = field.put(unit.id, at="")
    zone = field.ground.zone(unit.side, zone_rows)
    steps = tuple(
        Step(at, 0, "place")
        for at in field.ground.labels
        if at in zone and at != unit.at and may_stand(lifted, unit, at)
    )
    hex_ = next((step.hex for step in steps if len(selection) > 1 and step.hex == selection[1]), "")
    confirm = None
    if hex_:
        told = {"unit": name_of(field, unit.id, in_side=True), "hex": hex_}
        confirm = Confirm(Place(unit.id, hex_), say(_("{unit} to {hex}"), **told), say(_("Place on {hex}"), **told))
    picked: tuple[str, ...] = (unit.id, hex_) if hex_ else (unit.id,)
    acts = (Act(RESERVE, _("Back to the reserve"), "g-return"),) if unit.at else ()
    if acts and RESERVE in selection and not hex_:
        picked = (unit.id, "", "", RESERVE)
        title = say(_("{unit} back to the reserve"), unit=name_of(field, unit.id, in_side=True))
        confirm = Confirm(Place(unit.id, ""), title, acts[0].label, icon=acts[0].icon)
    return BoardLegal(slugs, picked, able, steps, acts=acts, confirm=confirm, turn=True)


# Frontage of a side during setup: its zone as rows behind a front line, used to line up units.

DEEPER = 1.5
"""Weight of a row's difference in distance; a hex sideways counts 1."""
FACING_SOUTH_OR_WEST = ("north", "east")


class Wanted(NamedTuple):
    """The ideal place of a unit: its position along the front, and the number of rows behind it."""

    unit: str
    along: float
    behind: int


class Frontage:
    """The setup zone of a side. `hexes`: for each hex, its position along the front and its rows behind it."""

    def __init__(self, field: Field, side: int, zone_rows: int):
        ground = field.ground
        edge = home(ground.land, side)
        upright = edge in ("west", "east")
        sign = -1 if edge in FACING_SOUTH_OR_WEST else 1
        found = {}
        for at in ground.zone(side, zone_rows):
            column, row = place_of(hex_of(at))
            along = float(row) if upright else column + row % 2 / 2
            found[at] = (sign * along, ground.from_home(side, at))
        deepest = max((depth for _along, depth in found.values()), default=0)
        self.hexes = {at: (along, deepest - depth) for at, (along, depth) in found.items()}
        front = [along for along, behind in self.hexes.values() if not behind]
        self.left, self.right = min(front, default=0.0), max(front, default=0.0)

    @property
    def middle(self) -> float:
        return (self.left + self.right) / 2

    def nearest(self, wanted: Wanted, free: Collection[str]) -> str:
        """The free hex closest to the wanted place; "" if none is free."""
        return min(free, key=lambda at: (self._far(wanted, at), at), default="")

    def _far(self, wanted: Wanted, at: str) -> float:
        along, behind = self.hexes[at]
        return abs(along - wanted.along) + DEEPER * abs(behind - wanted.behind)
