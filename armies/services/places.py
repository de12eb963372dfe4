"""Where an army is, in free words."""

from __future__ import annotations

from django.db import transaction

from armies.locking import lock_army
from armies.models import Army
from kingdom.inputs import NAME_MAX, clean_text
from kingdom.models import User
from kingdom.recording import recorded
from kingdom.selectors import require_runs
from kingdom.warrants import by_leave
from rules.text import _, say


@by_leave("march")
@transaction.atomic
def place_army(*, by: User, army: Army, place: str) -> Army:
    """Note where the army is; empty takes the note away."""
    require_runs(by, army.kingdom)
    place = clean_text(place, field="/place", most=NAME_MAX) if place.strip() else ""
    with recorded(by=by, campaign=army.campaign, kind="army", on=[("army", army)]) as told:
        army = lock_army(army)
        army.place, army.marching_until = place, None
        army.save(update_fields=["place", "marching_until"])
        told.text = say(_("{army}: now at {place}."), army=army.name, place=place or _("an unknown place"))
    return army
