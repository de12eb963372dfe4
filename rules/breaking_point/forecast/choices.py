"""Choices of an army for a round, tables of them, the orders of the computer player (B-22), and standing orders for
later rounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from rules.battle_law import OMNISCIENT
from rules.breaking_point.battle.orders.commands import GiveOrder
from rules.breaking_point.battle.orders.legal import ATTACK, SHOOT, check_order, host_choices, why_it_cannot
from rules.breaking_point.battle.state.battle_state import (
    COMMAND,
    FIGHTING,
    FLEET,
    HOLD,
    ROUND,
    BattleNow,
    Body,
    BodyOrder,
    Order,
)
from rules.breaking_point.battle.state.field_figures import chief_army
from rules.breaking_point.battle.state.reach import why_out_of_reach
from rules.breaking_point.battle.telling.summary import health_of
from rules.breaking_point.battle.telling.words import body_name
from rules.core.errors import InvalidInput, demand
from rules.core.odds import EXACT, SIMULATED, AboutOdds, Choosable, Leaning, Odds, OddsTable, Proposal, TableKind
from rules.core.text import Said, Term, _, say
from rules.odds.opponents import choose, solve

# Standing orders in a forecast: what armies do round after round without new orders.

HOLDS_GROUND = "hold"
type StandingOrders = Mapping[str, Order]
"""Lasting order of each army."""


def with_orders(battle: BattleNow, commands: Iterable[Any]) -> BattleNow:
    """Return the battle with these orders replacing its own. Raises as the engine does."""
    for command in commands:
        if not isinstance(command, GiveOrder):
            raise InvalidInput(_("A forecast only takes orders for armies."), "/commands")
        check_order(battle, command.order, OMNISCIENT)
        battle = battle.changed(orders={**battle.orders, command.order.army: command.order})
    return battle


def ordered(battle: BattleNow, standing: StandingOrders, idle: frozenset[str] = frozenset()) -> BattleNow:
    """Return the battle with an order for every army in its next phase: its standing order, else the default. Armies in
    `idle` hold.
    """
    told = {**{army: _held(battle, army) for army in idle}, **standing}
    return battle.changed(orders={army: _order(battle, army, told.get(army)) for army in battle.owners()})


def idle_armies(battle: BattleNow, about: AboutOdds) -> frozenset[str]:
    """Return the armies that hold in this round, because they have no order (B-22)."""
    return about.undecided - battle.orders.keys() if battle.phase.kind == ROUND else frozenset()


def _held(battle: BattleNow, army: str) -> Order:
    return Order(army, {body.key: BodyOrder(HOLDS_GROUND) for body in battle.of_army(army)})


def lasting(battle: BattleNow) -> StandingOrders:
    """Return the standing orders that follow from the current ones for later rounds. A reserve is committed once."""
    return {army: replace(order, commit=False) for army, order in battle.orders.items()}


def _order(battle: BattleNow, army: str, told: Order | None) -> Order:
    order = told or Order(army)
    if battle.phase.kind == COMMAND:
        return replace(order, bodies={}, commit=False, distance="")
    bodies = {
        body.key: _deed(battle, body, order.bodies.get(body.key))
        for body in battle.of_army(army)
        if body.status == FIGHTING and not order.withdraw
    }
    return replace(order, bodies=bodies, commit=order.commit and any(b.waiting for b in battle.of_army(army)))


def _deed(battle: BattleNow, body: Body, told: BodyOrder | None) -> BodyOrder:
    """Return the order of a body: as ordered while that is possible, hold if it holds, else attack the first enemy in
    reach.
    """
    if told is not None and (told.do not in (ATTACK, SHOOT) or reaches(battle, body, told.do, told.target)):
        return told
    standing = told or BodyOrder()
    found = first_deed(battle, body, (standing.do,) if told is not None else ()) or first_deed(battle, body)
    return (
        standing._replace(do=HOLDS_GROUND, target="")
        if found is None
        else standing._replace(do=found.do, target=found.target)
    )


def first_deed(battle: BattleNow, body: Body, may: Iterable[str] = ()) -> BodyOrder | None:
    """Return the first possible deed, best ones first. `may` limits the kinds."""
    return next(deeds(battle, body, may), None)


def deeds(battle: BattleNow, body: Body, may: Iterable[str] = ()) -> Iterator[BodyOrder]:
    """Yield everything it can do to an enemy now: its best kind first, enemies in attack order."""
    wanted = tuple(may)
    for do in (SHOOT, ATTACK) if body.shoots_only or battle.kind == FLEET else (ATTACK, SHOOT):
        if (not wanted or do in wanted) and why_it_cannot(battle, body, do) is None:
            for foe in battle.on_field():
                if foe.side != body.side and not why_out_of_reach(battle, body, foe, do):
                    yield BodyOrder(do, foe.id)


def reaches(battle: BattleNow, body: Body, do: str, target: str) -> bool:
    foe = battle.bodies.get(target)
    there = foe is not None and foe.on_field and body.rests != battle.round
    return there and not why_out_of_reach(battle, body, foe, do)  # type: ignore[arg-type]


def retreating(battle: BattleNow, about: AboutOdds, fought: int, left: Mapping[str, int]) -> StandingOrders:
    """Return orders for armies that withdraw from now on. `left` is the force of each army."""
    if battle.phase.kind != ROUND:
        return {}
    return {
        army: Order(army, withdraw=True)
        for army, retreat in about.retreats.items()
        if (retreat.after is not None and fought >= retreat.after)
        or (retreat.health is not None and left.get(army, 0) <= retreat.health)
    }


# Choices of an army for a round, tables of them, and the engine's orders (B-22).

ORDERS = TableKind("orders", _("Orders"))
AT, HOLDS, LEAVES, COMMITS = "at:", "hold", "withdraw", "commit"
WORTH = 4
"""Work for a table, in questions."""


class Simulate(Protocol):
    def __call__(self, battle: BattleNow, about: AboutOdds, share: int = 1) -> Odds: ...


def kinds(battle: BattleNow, row: str, column: str) -> Sequence[TableKind]:
    """Return the tables available for two enemies that take orders in a round."""
    if battle.phase.kind != ROUND or any(not _acts(battle, army) for army in (row, column)):
        return ()
    return () if battle.side_of(row) == battle.side_of(column) else (ORDERS,)


def _acts(battle: BattleNow, army: str) -> bool:
    return any(body.status == FIGHTING for body in battle.of_army(army))


def choices_of(battle: BattleNow, army: str) -> tuple[Choosable, ...]:
    """Return the choices of an army: attack each enemy, hold, withdraw, commit the reserve."""
    now = slug_of(battle, army)
    legal = host_choices(battle, army)
    foes = [foe for foe in battle.on_field() if foe.side != battle.side_of(army)]
    told: list[tuple[str, Said, Said | str]] = [
        (f"{AT}{foe.id}", say(_("attack {body}"), body=body_name(battle, foe)), _barred(battle, army, foe))
        for foe in foes
    ]
    told.append((HOLDS, _("hold"), ""))
    told.append((LEAVES, _("withdraw"), "" if legal.may_withdraw else _("This army can’t withdraw now.")))
    if legal.may_commit:
        told.append((COMMITS, _("commit the reserve"), ""))
    return tuple(Choosable(slug, name, barred, current=slug == now) for slug, name, barred in told)


def _barred(battle: BattleNow, army: str, foe: Body) -> Said | str:
    able = any(_at(battle, body, foe) for body in battle.of_army(army) if body.status == FIGHTING)
    return "" if able else _("No group of this army can reach that enemy.")


def _at(battle: BattleNow, body: Body, foe: Body) -> BodyOrder | None:
    """Return the order of a body that can act against this enemy, or None."""
    for do in (SHOOT, ATTACK) if body.shoots_only else (ATTACK, SHOOT):
        if why_it_cannot(battle, body, do) is None and not why_out_of_reach(battle, body, foe, do):
            return BodyOrder(do, foe.id)
    return None


def slug_of(battle: BattleNow, army: str) -> str:
    """Return the choice that its current order amounts to, or ""."""
    order = battle.orders.get(army)
    if order is None:
        return ""
    if order.withdraw or order.commit:
        return LEAVES if order.withdraw else COMMITS
    targets = {given.target for given in order.bodies.values() if given.do in (ATTACK, SHOOT)}
    if len(targets) == 1:
        return f"{AT}{targets.pop()}"
    return "" if targets else HOLDS


def chosen(battle: BattleNow, army: str, slug: str) -> BattleNow:
    """Return the battle with this choice as the army's order. Its standing answers stay."""
    order = battle.orders.get(army, Order(army))
    plain = replace(order, withdraw=slug == LEAVES, commit=slug == COMMITS)
    own = [body for body in battle.of_army(army) if body.status == FIGHTING]
    told = {body.key: _told(battle, body, slug, order.bodies.get(body.key, HOLD)) for body in own}
    bodies = {} if slug == LEAVES else {key: given for key, given in told.items() if given is not None}
    return battle.changed(orders={**battle.orders, army: replace(plain, bodies=bodies)})


def _told(battle: BattleNow, body: Body, slug: str, held: BodyOrder) -> BodyOrder | None:
    if slug == HOLDS:
        return held._replace(do=HOLDS, target="")
    foe = battle.bodies.get(slug.removeprefix(AT)) if slug.startswith(AT) else None
    found = (_at(battle, body, foe) if foe is not None else None) or first_deed(battle, body)
    do, target = (HOLDS, "") if found is None else (found.do, found.target)
    return held._replace(do=do, target=target)


def table_of(
    battle: BattleNow, kind: str, row: str, column: str, about: AboutOdds, simulate: Simulate
) -> OddsTable | None:
    """Return the chance that the row's side wins for each pair of choices. All other orders stay."""
    demand(kind == ORDERS.slug, _("Choose one of: {known}."), field="/table/kind", known=ORDERS.slug)
    if not kinds(battle, row, column):
        return None
    rows, columns = choices_of(battle, row), choices_of(battle, column)
    open_to = sum(not one.barred for one in rows) * sum(not two.barred for two in columns)
    each = None if about.battles is None else max(1, about.battles // max(1, open_to))
    asked, share = replace(about, commands=(), battles=each), 1 if each else max(1, open_to // WORTH)
    found: list[Odds] = []

    def cell(one: Choosable, two: Choosable) -> float | None:
        if one.barred or two.barred:
            return None
        found.append(simulate(chosen(chosen(battle, row, one.slug), column, two.slug), asked, share))
        return found[-1].sides[battle.side_of(row)].win

    win = tuple(tuple(cell(one, two) for two in columns) for one in rows)
    game = solve(win)
    method = EXACT if all(odds.method == EXACT for odds in found) else SIMULATED
    return OddsTable(
        kind, ORDERS.name, row, column, rows, columns, win, _best(win), game.rows, game.columns, game.value, method,
        max(odds.error for odds in found),
    )  # fmt: skip


def _best(win: Sequence[Sequence[float | None]]) -> tuple[int | None, ...]:
    """Return for each column the index of the row that wins most often, or None."""
    return tuple(_highest([line[column] for line in win]) for column in range(len(win[0])))


def _highest(chances: Sequence[float | None]) -> int | None:
    open_to = [(chance, -row) for row, chance in enumerate(chances) if chance is not None]
    return -max(open_to)[1] if open_to else None


# Computer opponents: each army that waits for orders gets one from the table of its choices (B-22).


BATTLES, FEW = 1_000, 200
STANDS: Term = _("no withdrawal before the first blow")


def proposals(battle: BattleNow, side: int, leaning: Leaning, seed: str, answer: Simulate) -> Iterator[Proposal]:
    """Yield the orders of the computer player. Before the command test the chief stays to fight; in a round each army
    follows the leaning.
    """
    if battle.phase.kind == COMMAND:
        chief = chief_army(battle, side)
        if chief and chief not in battle.orders:
            yield Proposal(chief, GiveOrder(Order(chief)), STANDS)
    if battle.phase.kind != ROUND:
        return
    for army in battle.owners():
        waits = army in battle.sides[side].armies and army not in battle.orders
        if waits and any(body.status == FIGHTING for body in battle.of_army(army)):
            proposal = _proposed(battle, side, army, leaning, seed, answer)
            if proposal is not None:
                yield proposal
                battle = battle.changed(orders={**battle.orders, army: proposal.command.order})


def _proposed(
    battle: BattleNow, side: int, army: str, leaning: Leaning, seed: str, answer: Simulate
) -> Proposal | None:
    foe = _strongest(battle, side)
    if foe is None:
        return None
    table = table_of(battle, ORDERS.slug, army, foe, AboutOdds(battles=BATTLES), answer)
    if table is None:
        return None
    coming = AboutOdds(phases=1, battles=FEW)

    def left(slug: str) -> float:
        """Return the foe's mean health after the next round."""
        health = answer(chosen(battle, army, slug), coming).armies[foe].health
        return sum(points * chance for points, chance in health)

    picked = choose(table, leaning, seed, left)
    return Proposal(army, GiveOrder(chosen(battle, army, picked.slug).orders[army]), picked.why)


def _strongest(battle: BattleNow, side: int) -> str | None:
    """Return the enemy army with most force left that still fights."""
    foes = [army for army in battle.owners() if army not in battle.sides[side].armies]
    fighting = [army for army in foes if any(body.status == FIGHTING for body in battle.of_army(army))]
    return max(fighting, key=lambda army: health_of(battle, army)[0], default=None)
