"""Models of a ruleset's own, and what the house learns of them: the `own` of its UI.

A law whose armies are their documents keeps none, and has nothing to say here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from django.db.models import Model
from django.db.models.expressions import Combinable

from kingdom.approvals import arguments as approvals_arguments
from kingdom.archive.carried_tables import CarriedTable, carry, leave_out
from kingdom.campaign.ruleset_services import LawFollower, LawGuard, follow_law, guard_law
from kingdom.realms import annotations as realms_annotations

if TYPE_CHECKING:
    from armies.forces.busy import Engaged
    from armies.models import Army
    from kingdom.models import Campaign
    from rules.core.text import Said


class Holding(NamedTuple):
    """What of the law's own holds armies where they are, beside battles (`armies.forces.busy`). Who sits there is a
    model below `armies.models.ArmySeat`.

    `engaged` tells of them in lists, `explain` why they may not be changed.
    """

    engaged: Callable[[Campaign], Mapping[UUID, Engaged]]
    explain: Callable[[Collection[Army]], Mapping[UUID, Said]]


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
