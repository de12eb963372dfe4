"""Board choices for moving, attacking and pending questions: where the chosen unit can go, the path there, whom it can
attack, what threatens it, and how far its march gets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from rules.core.errors import require
from rules.core.text import Term, _, say
from rules.hexbattle import common, seeing
from rules.hexbattle.board import Act, BoardLegal, Confirm, Picks, Piece, Step, Target, Threat, picks_of
from rules.hexbattle.common import Revealed
from rules.hexbattle.field import Field, Stumbled, Token
from rules.hexbattle.ground import BattleGround
from rules.hexbattle.moving import Mover, Walk, Way, reach, route, steps_of, walk
from rules.pending import HEX, AnswerCommand, Pending

# Board choices for moving and attacking: where the chosen unit can go, the path there, and whom it can attack.
#
# A reader may lay the path hex by hex (HX-3.3). Then one pick is its slug, `way:C7.C8`, with the hexes to enter so
# far.

WAY, BETWEEN = "way:", "."

type ReachCosts = Mapping[str, int]
"""Hexes where a unit can end its move, with their costs in movement points."""


def offered(
    legal: BoardLegal,
    field: Field,
    mover: Mover,
    unit: Token,
    picks: Picks,
    targets: Callable[[ReachCosts], Iterable[Target]],
) -> tuple[BoardLegal, Target | None]:
    """`legal` with the unit's steps, path and targets filled in, and the target picked (None if none is).

    `targets`: the law's function; it gets the hexes to attack from with their costs (every reachable hex, or only the
    picked one). A target picked without a hex is attacked from its `source`.
    """
    costs = reach(field.ground, mover, unit.at)
    own = own_way(picks.more)
    laid = lay(field.ground, (mover,), unit.at, own) if own is not None else None
    if laid:
        picks = picks._replace(to=laid.way.end if laid.hexes else "")
        stands = laid.way.end in costs
        found = tuple(targets({laid.way.end: laid.way.cost} if stands else {}))
    else:
        picks = picks._replace(to=picks.to if picks.to in costs else "")
        found = tuple(targets({picks.to: costs[picks.to]} if picks.to else costs))
    target = next((one for one in found if picks.target in (one.target, one.at) and not one.why_not), None)
    end = target.source if target else picks.to
    way = laid.way if laid else route(field.ground, mover, unit.at, end) if end else None
    way = way if way and len(way.hexes) > 1 else None
    open_ = laid.steps if laid else costs
    steps = (Step(at, cost, "halt" if at in mover.halts else "reach") for at, cost in open_.items() if at != unit.at)
    more = (one for one in picks.more if not one.startswith(WAY))
    return legal._replace(
        picked=(unit.id, end, target.target if target else "", *more, *((laid.slug,) if laid else ())),
        steps=tuple(steps),
        way=way.hexes if way else (),
        way_costs=way.costs if way else (),
        targets=found,
        acts=(way_act(way, laid is not None),) if len(costs) > 1 else (),
    ), target


# A path laid hex by hex


class LaidWay(NamedTuple):
    """The valid part of a path laid hex by hex. `steps`: its hexes and possible next ones, with running costs."""

    way: Way
    steps: Mapping[str, int]

    @property
    def hexes(self) -> tuple[str, ...]:
        """The hexes to enter, without the start."""
        return self.way.hexes[1:]

    @property
    def slug(self) -> str:
        return slug_of_way(self.hexes)


def slug_of_way(hexes: Sequence[str]) -> str:
    """The slug of a path laid by hand, such as "way:C7.C8"."""
    return WAY + BETWEEN.join(hexes)


def own_way(picks: Iterable[str]) -> tuple[str, ...] | None:
    """The hexes of the reader's own path so far; None if they aren't laying one."""
    slug = next((pick for pick in picks if pick.startswith(WAY)), None)
    return None if slug is None else tuple(filter(None, slug.removeprefix(WAY).upper().split(BETWEEN)))


def longer_way(slug: str, at: str) -> str:
    """The slug of the path extended by a hex. If the path already contains it, the path is cut there."""
    hexes = own_way((slug,)) or ()
    return slug_of_way(hexes[: hexes.index(at) + 1] if at in hexes else (*hexes, at))


def way_act(way: Way | None, on: bool) -> Act:
    """The act that switches to laying the path by hand, starting from the path shown; if `on`, it switches back."""
    note = _("hexes in order; click one again to shorten the path") if on else ""
    slug = slug_of_way(way.hexes[1:] if way else ())
    return Act(slug, _("Choose the path yourself"), "g-move", note, beside=True)


def lay(ground: BattleGround, movers: Sequence[Mover], start: str, hexes: Sequence[str]) -> LaidWay:
    """The longest part of a path that one of the movers can follow, and where it can continue (HX-3.3)."""
    found = [_along(ground, mover, start, hexes) for mover in movers]
    most = max(len(way.hexes) for way, _onward in found)
    best = [(way, onward) for way, onward in found if len(way.hexes) == most]
    way = min((way for way, _onward in best), key=lambda one: one.cost)
    steps = dict(zip(way.hexes[1:], way.costs[1:], strict=True))
    for _way, onward in best:
        for at, cost in onward.items():
            if at not in way.hexes:
                steps[at] = min(cost, steps.get(at, cost))
    return LaidWay(way, steps)


def _along(ground: BattleGround, mover: Mover, start: str, hexes: Sequence[str]) -> tuple[Way, dict[str, int]]:
    """The part of a path that a mover can follow, and the hexes it can enter next."""
    gone, costs, onward = [start], [0], _onward(ground, mover, start, 0)
    for at in hexes:
        if at not in onward or at in gone:
            break
        gone.append(at)
        costs.append(onward[at])
        onward = _onward(ground, mover, at, costs[-1], gone[-2])
    return Way(tuple(gone), tuple(costs)), onward


def _onward(ground: BattleGround, mover: Mover, here: str, cost: int, before: str | None = None) -> dict[str, int]:
    """The hexes that can be entered from a hex, with the running cost; empty if the move ends there."""
    steps, numbers = steps_of(ground, mover.gait), ground.numbers
    if not here:
        prices = [(numbers[at], steps.enter[numbers[at]]) for at in mover.entry]
    elif before is not None and _ends(ground, mover, before, here):
        prices = []
    else:
        prices = list(steps.exits(numbers[here]))
    found = {ground.labels[there]: cost + abs(price) for there, price in prices if price}
    return {at: total for at, total in found.items() if total <= mover.points and at not in mover.closed}


def _ends(ground: BattleGround, mover: Mover, before: str, here: str) -> bool:
    steps, at = steps_of(ground, mover.gait), ground.numbers[here]
    price = steps.price(ground.numbers[before], at) if before else steps.enter[at]
    return price < 0 or here in mover.halts


def best_source(field: Field, costs: ReachCosts, foe: Token, enemies: Iterable[Token]) -> str | None:
    """The hex to attack an enemy from: the cheapest, then the one with fewest enemies beside it; None if none."""
    near = [at for at in field.ground.around(foe.at) if at in costs]
    return min(near, key=lambda at: (costs[at], len(field.beside(at, enemies))), default=None)


# Board choices for pending questions that are answered by picking a hex.

CHOOSE = _("Choose {hex}")


def legal(
    pending: Sequence[Pending],
    field: Field,
    selection: Sequence[str],
    commands: tuple[str, ...] = (),
    button: Term = CHOOSE,
) -> BoardLegal:
    """Legal choices on the board while questions are pending.

    Only the first question counts. If it asks for exactly one hex and nothing else, the result offers each possible hex
    as a step and, once one is picked, the finished answer as `confirm`. Where the question's key is a unit's id, that
    unit is shown as picked.

    `selection`: the reader's picks. `commands`: slugs of other commands the viewer may give. `button`: the text of the
    confirming button, with `{hex}` in it.
    """
    if not pending:
        return BoardLegal(commands)
    asked, hexes = pending[0], _hexes(pending[0])
    unit = asked.key if asked.key in field.tokens else ""
    to = picks_of(selection).to
    to = to if to in hexes else ""
    steps = tuple(Step(at, 0, "answer") for at in hexes)
    confirm = None
    if to:
        answer = AnswerCommand(asked.key, "", {asked.asks[0].key: to})
        text = say(_("{question} {hex}"), question=asked.text, hex=to)
        confirm = Confirm(answer, text, say(button, hex=to))
    return BoardLegal(
        ("answer", *commands), (unit, to) if to else (unit,), steps=steps, must=asked.text, confirm=confirm, turn=True
    )


def _hexes(asked: Pending) -> tuple[str, ...]:
    """The hexes to choose from if one hex answers the whole question; () otherwise."""
    if asked.options or len(asked.asks) != 1 or asked.asks[0].kind != HEX:
        return ()
    return tuple(at for at, _label in asked.asks[0].options)


# Threats to a unit: what each visible enemy could do to it on a hex before it acts again.
#
# Each enemy moves by its own mover to the hex with the worst attack; the law defines the attacks.

type Blow = Callable[[Token, str], Threat | None]
"""A function of an enemy and a hex: the enemy's attack on the unit from there; None if it has none."""


def threats(
    field: Field,
    enemies: Iterable[Token],
    mover: Callable[[Token], Mover | None],
    blow: Blow,
    *,
    badness: Callable[[tuple[Piece, ...]], Fraction] | None = None,
) -> tuple[Threat, ...]:
    """The worst attack of each enemy that can attack, worst enemy first.

    `field`: as the unit's side sees it, with the unit on the hex in question. `mover`: how an enemy can move; None if
    it can't. `badness`: how bad the outcomes are; by default the chance of any but the mildest.
    """
    weigh = badness or any_harm
    found = [worst for enemy in enemies if (worst := _worst(field.ground, enemy, mover(enemy), blow, weigh))]
    return tuple(sorted(found, key=lambda threat: (-weigh(threat.outcomes), threat.unit)))


def any_harm(outcomes: tuple[Piece, ...]) -> Fraction:
    """The chance of any outcome but the first, the mildest."""
    return sum((piece.chance for piece in outcomes[1:]), Fraction(0))


def _worst(
    ground: BattleGround, enemy: Token, mover: Mover | None, blow: Blow, weigh: Callable[[tuple[Piece, ...]], Fraction]
) -> Threat | None:
    sources = [enemy.at] if mover is None else list(reach(ground, mover, enemy.at))
    found = [threat for source in sources if (threat := blow(enemy, source))]
    return max(found, key=lambda threat: weigh(threat.outcomes), default=None)


# March of a unit: how far it gets among enemies its side doesn't see, and the events of its move (H-6, H-9).

type UnseenBy = Callable[[Field, int], frozenset[str]]
"""A function of a field and a side: the ids of the enemy units that side doesn't see."""


class March(NamedTuple):
    """The result of a move: how far the unit got, the events, and the field after them."""

    walk: Walk
    events: tuple[Any, ...]
    field: Field


def everybody(token: Token) -> bool:
    return True


def march(
    field: Field,
    unit: str,
    mover: Mover,
    way: Way,
    unseen: UnseenBy,
    *,
    halts: Callable[[Token], bool] = everybody,
    blocks: Callable[[Token], bool] = everybody,
) -> March:
    """Move a unit along its way.

    `halts`: whether an enemy ends the move of a unit beside it (W-42). `blocks`: whether an enemy keeps this unit out
    of its hex. Events: `Moved`, which records who sees it; `Revealed` for other units that come into sight; `Stumbled`
    if an unseen enemy stopped it. The unit must then finish its move before any other, with the points it has left.
    """
    token = field.tokens[unit]
    hidden = [field.tokens[one] for one in sorted(unseen(field, token.side))]
    ids = frozenset(one.id for one in hidden)

    def spotted(at: str) -> frozenset[str]:
        return ids - unseen(field.put(unit, at=at), token.side)

    done = walk(
        field.ground, mover, way,
        unseen={one.at: one.id for one in hidden if blocks(one)},
        spotted=spotted,
        halting={one.id: one.at for one in hidden if halts(one)},
    )  # fmt: skip
    moved = seeing.moved(field, unit, done.way.hexes, unseen)
    after = common.after(field, moved)
    revealed = _revealed(field, after, unit, done, unseen)
    events: list[Any] = [moved, *(event for event in revealed if event.unit != unit or done.stumbled)]
    if done.stumbled:
        before = field.stumbled.walked if field.stumbled and field.stumbled.unit == unit else 0
        events.append(Stumbled(unit, done.left, before + len(done.way.hexes) - 1, seeing.own_side(token)))
    for event in events[1:]:
        after = common.after(after, event)
    return March(done, tuple(events), after)


def _revealed(before: Field, after: Field, unit: str, done: Walk, unseen: UnseenBy) -> list[Revealed]:
    """The units that come into sight: those the moving side found, and those either side sees at the end."""
    token = after.tokens[unit]
    events = {event.unit: event for event in seeing.come_into_sight(before, after, unseen)}
    for found, _place in done.found:
        events.setdefault(found, Revealed(found, after.tokens[found].at))
    if done.stumbled and token.hidden:
        events[unit] = Revealed(unit, token.at)
    return list(events.values())


def require_next(field: Field, unit: str) -> None:
    """Guard: while a unit that met a hidden enemy hasn't finished its move, no other may act (H-9).

    Raises `IllegalCommand` for any other unit.
    """
    first = field.stumbled
    if first and first.unit != unit:
        name = field.tokens[first.unit].name
        require(False, _("{unit} met a hidden enemy and must finish moving first."), field="/unit", unit=name)
