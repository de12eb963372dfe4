"""Models of a ruleset's own, and what the house learns of them: the `own` of its UI.

A law whose armies are their documents keeps none, and has nothing to say here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.db.models import Model, QuerySet
from django.db.models.expressions import Combinable

from armies.forces import access, busy, current_battles
from kingdom.approvals import arguments as approvals_arguments
from kingdom.archive.carried_tables import CarriedTable, carry, leave_out
from kingdom.campaign.ruleset_services import LawFollower, LawGuard, follow_law, guard_law
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
    """`carried`: tables that go along in the document of a campaign, parents first; `left_out`: those that do not, and
    why. `subjects`: what makes their rows changeable, undone and told (`kingdom.chronicle.changes.register`).
    `arguments`: models and named tuples that its services take, for requests that wait for leave. `guards`, `follows`:
    what is asked before a campaign changes its law, and what else changes then. `boards`: what is read of each kingdom
    on a board.
    """

    carried: Sequence[CarriedTable] = ()
    left_out: Mapping[type[Model], str] = field(default_factory=dict)
    subjects: Sequence[Callable[[], None]] = ()
    arguments: Sequence[type[Any]] = ()
    guards: Sequence[LawGuard] = ()
    follows: Sequence[LawFollower] = ()
    boards: Mapping[str, Combinable] = field(default_factory=dict)
    holding: Holding | None = None

    def make_known(self) -> None:
        """Once, as the site starts (`armies.ruleset_ui`)."""
        carry(*self.carried)
        for model, why in self.left_out.items():
            leave_out(model, why)
        for register in self.subjects:
            register()
        approvals_arguments.register_type(*self.arguments)
        for guard in self.guards:
            guard_law(guard)
        for follower in self.follows:
            follow_law(follower)
        for name, expression in self.boards.items():
            realms_annotations.register(name, expression)
        if self.holding:
            self._hold(self.holding)

    def _hold(self, holding: Holding) -> None:
        """A battle knows better how an army stands: what is told here yields to it."""
        current_battles.register(holding.engaged, yields=True)
        busy.register(holding.why, holding.held)
        access.register_meetings(holding.met, holding.public)
