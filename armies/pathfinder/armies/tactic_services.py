"""Services for tactics an army learns, is granted, or gives up (PF-1.10)."""

from __future__ import annotations

from django.db import transaction

from armies.pathfinder.forces.row_locks import lock_army
from armies.pathfinder.forces.specs import build_army_spec
from armies.pathfinder.models import ArmyTactic, PathfinderArmy
from kingdom.access.decorators import gm_only, needs_approval
from kingdom.access.queries import require_gm, require_runs
from kingdom.chronicle.transaction import record_changes
from kingdom.models.user import User
from kingdom.realms.figures import get_ruleset
from rules.core.errors import IllegalCommand, demand, refuse
from rules.core.text import _, say


@gm_only
@transaction.atomic
def teach_tactic(*, by: User, army: PathfinderArmy, tactic: str, granted: bool = False) -> ArmyTactic:
    """The army learns a tactic if it has room, or is granted one that does not count.

    Only the GM teaches: by the rules a tactic is won in battle (PF-6.3) or granted.
    """
    require_gm(by, army.campaign)
    with record_changes(by=by, campaign=army.campaign, kind="army", rule="PF-1.10", on=[("army", army)]) as told:
        army = lock_army(army)
        ruleset = get_ruleset(army.campaign)
        demand(tactic in ruleset.tactics, _("There is no such tactic."), field="/tactic")
        if reason := ruleset.learn_tactic_refusal(build_army_spec(army), tactic, granted):
            raise IllegalCommand(reason, "/tactic")
        text = _("{army} received {tactic}.") if granted else _("{army} learned {tactic}.")
        told.text = say(text, army=army.name, tactic=ruleset.tactics[tactic].name)
        return ArmyTactic.objects.create(campaign=army.campaign, army=army, tactic=tactic, granted=granted)


@needs_approval("armies.pathfinder.forget_tactic", "appoint")
@transaction.atomic
def forget_tactic(*, by: User, army: PathfinderArmy, tactic: str) -> None:
    """The army gives a learned tactic up, which makes room. Granted ones are the GM's to take back."""
    require_runs(by, army.kingdom)
    with record_changes(by=by, campaign=army.campaign, kind="army", rule="PF-1.10", on=[("army", army)]) as told:
        army = lock_army(army)
        row = next((row for row in army.tactics.all() if row.tactic == tactic), None)
        if row is None:
            refuse(_("{army} does not know this tactic."), field="/tactic", army=army.name)
        if row.granted:
            require_gm(by, army.campaign)
        row.delete()
        told.text = say(_("{army} gave a tactic up."), army=army.name)
