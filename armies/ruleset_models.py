"""Models of a ruleset's own, and what the house learns of them: the `own` of its UI.

A law whose armies are their documents keeps none, and has nothing to say here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.db.models.expressions import Combinable

from armies.forces import access, busy, current_battles
from kingdom.realms import annotations as realms_annotations


class Holding(NamedTuple):
    """What of the law's own holds armies where they are, beside battles.

    `engaged` tells of them in lists, `why` refuses to touch them, `held` are their ids; `met` and `public` are whom
    kingdoms meet there, and what the whole table sees (`armies.forces.access.register_meetings`).
    """

    engaged: current_battles.EngagementTeller
    why: busy.BusyReasons
    held: busy.Holder
    met: Callable[[Any], QuerySet[Any]]
    public: Callable[[], QuerySet[Any]]


@dataclass(frozen=True, kw_only=True)
class RulesetModels:
    """`boards`: what is read of each kingdom on a board."""

    boards: Mapping[str, Combinable] = field(default_factory=dict)
    holding: Holding | None = None

    def make_known(self) -> None:
        """Once, as the site starts (`armies.apps`)."""
        for name, expression in self.boards.items():
            realms_annotations.register(name, expression)
        if self.holding:
            self._hold(self.holding)

    def _hold(self, holding: Holding) -> None:
        """A battle knows better how an army stands: what is told here yields to it."""
        current_battles.register(holding.engaged, yields=True)
        busy.register(holding.why, holding.held)
        access.register_meetings(holding.met, holding.public)
