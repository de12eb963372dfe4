"""Force left of armies whose figures the viewer may not know: in hundredths of each body, as they see it (B-18)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from rules.breaking_point.battle.battle_state import BattleNow
from rules.breaking_point.battle.telling.summary import bodies_of, health_of
from rules.breaking_point.forecast.knowledge import hidden_from
from rules.core.health import WHOLE
from rules.core.odds import AboutOdds, Odds, Spread
from rules.law import Viewer

type Scales = Mapping[str, tuple[int, int]]
"""By hidden army how much it has whole, as it is seen and as it is taken for."""


def _scales(battle: BattleNow, viewer: Viewer) -> Scales:
    return {
        army: (WHOLE * len(bodies_of(battle, army)), max(1, health_of(battle, army)[1]))
        for army in hidden_from(battle, viewer)
    }


def as_fought(battle: BattleNow, about: AboutOdds, viewer: Viewer) -> AboutOdds:
    """What is asked of hidden armies, in the points they are taken for."""
    scales = _scales(battle, viewer)

    def points(army: str, health: int) -> int:
        seen, whole = scales.get(army, (1, 1))
        return health * whole // seen

    retreats = {
        army: retreat if retreat.health is None else retreat._replace(health=points(army, retreat.health))
        for army, retreat in about.retreats.items()
    }
    until = {army: points(army, health) for army, health in about.until.items()}
    return replace(about, retreats=retreats, until=until)


def as_seen(battle: BattleNow, odds: Odds, viewer: Viewer) -> Odds:
    """What is left of hidden armies, in hundredths."""
    armies = dict(odds.armies)
    for army, (seen, whole) in _scales(battle, viewer).items():
        own = armies[army]
        armies[army] = own._replace(health=_scaled(own.health, seen, whole), victory=_scaled(own.victory, seen, whole))
    return replace(odds, armies=armies)


def _scaled(spread: Spread, seen: int, whole: int) -> Spread:
    found: dict[int, float] = defaultdict(float)
    for left, chance in spread:
        found[-(-left * seen // whole)] += chance
    return tuple(sorted(found.items()))
