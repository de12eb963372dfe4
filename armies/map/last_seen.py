"""Places of others' armies, told beside the map too only where one's own see them: lists, sheets, the API."""

from __future__ import annotations

from collections import defaultdict
from uuid import UUID

from armies.forces.access import build_told_condition
from armies.map.visibility import eyes_for
from armies.models import Army
from core.db.compiled_queries import CompiledQueryForUser
from kingdom.access.queries import list_assigned, reads_all, run_kingdom_ids
from kingdom.map.map_state import load_map_state
from kingdom.map.queries import find_hex, find_map
from kingdom.models import Campaign, User


def out_of_sight(user: User, campaign: Campaign) -> frozenset[UUID]:
    """Others' armies which stand where nobody of theirs looks now, under fog: of those whose sheet they read they are
    not told where they are.
    """
    if reads_all(user, campaign):
        return frozenset()
    drawn = find_map(campaign)
    if drawn is None or not drawn.fog:
        return frozenset()
    own = run_kingdom_ids(user, campaign)
    rows = [(pk, label) for pk, label, kingdom in _ask_placed(user, campaign.pk) if kingdom not in own]
    if not rows:
        return frozenset()
    field, eyes = load_map_state(drawn).field, eyes_for(user, campaign, drawn)
    places = {pk: find_hex(field, label) for pk, label in rows}
    return frozenset(pk for pk, at in places.items() if at is None or not eyes.watches(at))


_ask_placed = CompiledQueryForUser(
    lambda user, campaign: Army.objects.filter(build_told_condition(list_assigned(user)), campaign=campaign)
    .exclude(hex="").order_by().values_list("pk", "hex", "kingdom"),
    UUID,
)  # fmt: skip


def annotate_last_seen[A: Army](user: User, *armies: A) -> list[A]:
    """The same rows, to be shown and not to be kept: those out of sight say neither where they are nor that and until
    when they march.
    """
    of: dict[UUID, list[A]] = defaultdict(list)
    for army in armies:
        of[army.campaign_id].append(army)
    for found in of.values():
        campaign = found[0].campaign
        if not (reads_all(user, campaign) or {army.kingdom_id for army in found} <= run_kingdom_ids(user, campaign)):
            hidden = out_of_sight(user, campaign)
            for army in found:
                if army.pk in hidden:
                    army.place, army.hex, army.marching_until, army.route = "", "", None, None
    return list(armies)
