"""News of an attack: what happened to the target, if it is worse than the result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.hexbattle.common import Destroyed
from rules.wing_command.battle.combat import DESTROY, RESULTS, ROUT, SHAKE
from rules.wing_command.battle.record import events as e
from rules.wing_command.spec import MELEE

FATES: Mapping[type, int] = {
    kind: RESULTS[MELEE].index(result) for kind, result in ((e.Shaken, SHAKE), (e.Routed, ROUT), (Destroyed, DESTROY))
}
"""The severity of each event, as the index of the melee result."""


def fate_of(blow: e.Attacked | e.DuelFought, events: Sequence[Any]) -> Any | None:
    """The event that shows what happened to an attack's target, if worse than its result (WC-8.2, 8.3); else None."""
    own = [event for event in events if type(event) in FATES and event.unit == blow.target]
    worst = max(own, key=lambda event: FATES[type(event)], default=None)
    worse = worst is not None and FATES[type(worst)] > RESULTS[MELEE].index(blow.result)
    return worst if worse else None
