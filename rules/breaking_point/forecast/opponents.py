"""Opponents: each army that waits for an order gets one from the table of its choices (B-22)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.breaking_point.battle.orders.commands import GiveOrder
from rules.breaking_point.battle.state.battle_state import COMMAND, FIGHTING, ROUND, BattleNow, Order
from rules.breaking_point.battle.state.field_figures import chief_army
from rules.breaking_point.battle.telling.summary import health_of
from rules.breaking_point.forecast.choices import ORDERS, Simulate, chosen, table_of
from rules.core.odds import AboutOdds, Leaning, Proposal
from rules.core.text import Term, _
from rules.odds.opponents import choose

BATTLES, FEW = 1_000, 200
STANDS: Term = _("nobody leaves before a blow has fallen")


def proposals(battle: BattleNow, side: int, leaning: Leaning, seed: str, answer: Simulate) -> Iterator[Proposal]:
    """Before the command test its chief stands to fight; in a round each army does what its leaning has it do."""
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
        """Of the foe after the coming round."""
        health = answer(chosen(battle, army, slug), coming).armies[foe].health
        return sum(points * chance for points, chance in health)

    picked = choose(table, leaning, seed, left)
    return Proposal(army, GiveOrder(chosen(battle, army, picked.slug).orders[army]), picked.why)


def _strongest(battle: BattleNow, side: int) -> str | None:
    """The enemy army with most of its force left that still fights."""
    foes = [army for army in battle.owners() if army not in battle.sides[side].armies]
    fighting = [army for army in foes if any(body.status == FIGHTING for body in battle.of_army(army))]
    return max(fighting, key=lambda army: health_of(battle, army)[0], default=None)
