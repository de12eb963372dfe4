"""Orders the viewer may not know: every world in which they are given, averaged, or the one that is worst for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from random import Random

from rules.breaking_point.battle.battle_state import ROUND, BattleNow
from rules.breaking_point.forecast.choices import COMMITS, LEAVES, Simulate, choices_of, chosen
from rules.core.odds import AboutOdds, Odds
from rules.core.text import Said, Term, _
from rules.law import Viewer
from rules.odds.viewer_forecast import mixed

MOST = 9
"""So many worlds are weighed; where there are more, so many are drawn."""

AVERAGE: Term = _(
    "Where you do not know an army’s orders, each enemy it can reach and declining are as likely as any other."
)
WORST: Term = _("Enemies whose orders you do not know choose what is worst for you.")
NOT_THESE = (LEAVES, COMMITS)


def foretold(battle: BattleNow, about: AboutOdds, viewer: Viewer, answer: Simulate) -> Odds | None:
    """The odds as `about.unknown` has it; None where this viewer is in doubt about no order."""
    worlds = _worlds(battle, about, viewer)
    if len(worlds) < 2:
        return None
    each = None if about.battles is None else max(1, about.battles // len(worlds))
    asked, share = replace(about, battles=each), 1 if each else len(worlds)
    found = [answer(world, asked, share) for world in worlds]
    own = [at for at, side in enumerate(battle.sides) if any(viewer.commands(army) for army in side.armies)]
    if about.unknown == "worst" and own:
        worst = min(range(len(found)), key=lambda at: sum(found[at].sides[side].win for side in own))
        return _with(replace(answer(worlds[worst], about), assumed=found[worst].assumed), WORST)
    whole = mixed([(odds, 1 / len(found)) for odds in found])
    return _with(replace(whole, error=whole.error / len(found) ** 0.5), AVERAGE)


def _with(odds: Odds, said: Said) -> Odds:
    return replace(odds, assumed=(*odds.assumed, said))


def _worlds(battle: BattleNow, about: AboutOdds, viewer: Viewer) -> Sequence[BattleNow]:
    if battle.phase.kind != ROUND or viewer.gm:
        return (battle,)
    told: list[list[tuple[str, str]]] = []
    for army in battle.owners():
        hidden = not viewer.commands(army) and army not in battle.orders
        if hidden and any(body.status == "fighting" for body in battle.of_army(army)):
            open_to = [c.slug for c in choices_of(battle, army) if not c.barred and c.slug not in NOT_THESE]
            told.append([(army, slug) for slug in open_to])
    worlds = list(product(*told))
    if len(worlds) > MOST:
        worlds = Random(about.seed).sample(worlds, MOST)
    return [_world(battle, world) for world in worlds]


def _world(battle: BattleNow, world: Sequence[tuple[str, str]]) -> BattleNow:
    for army, slug in world:
        battle = chosen(battle, army, slug)
    return battle
