"""Services for spoils: what an army has taken is used up, handed on or lost (B-49)."""

from __future__ import annotations

from django.db import transaction

from armies.forces.row_locks import lock_army
from armies.forces.services import set_sheet
from armies.models import Army
from kingdom.access.decorators import unrestricted
from kingdom.access.queries import require_runs
from kingdom.chronicle.transaction import record_changes
from kingdom.models import User
from rules.breaking_point.spoils import in_words
from rules.core.errors import demand
from rules.core.text import _, say


@unrestricted("what one has taken one may part with")
@transaction.atomic
def part_with(*, by: User, army: Army, spoil: int) -> Army:
    """Strike off one of the things the army has taken, by its number. Raises `InvalidInput` where there is none."""
    require_runs(by, army.kingdom)
    with record_changes(by=by, campaign=army.campaign, kind="army", rule="B-49", on=[("army", army)]) as told:
        army = lock_army(army)
        held = list(army.sheet.get("spoils", ()))
        demand(0 <= spoil < len(held), _("The army has taken no such thing."), field="/spoil")
        gone = held.pop(spoil)
        set_sheet(army, {**army.sheet, "spoils": held})
        army.save()
        told.text = say(_("{army} parts with: {what}."), army=army.name, what=in_words(gone))
    return army
