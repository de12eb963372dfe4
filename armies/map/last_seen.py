"""Places of others' armies outside the map (lists, sheets, API): shown only where the user's own forces see them."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple
from uuid import UUID

from armies.forces.access import get_knowledge
from armies.forces.busy import Engaged
from armies.map.visibility import eyes_for
from armies.models import Army
from kingdom.access.army_knowledge import build_told_condition
from kingdom.access.queries import list_assigned, reads_all, run_kingdom_ids
from kingdom.map.map_state import load_map_state
from kingdom.map.queries import find_hex, find_map
from kingdom.models import Campaign, Knowledge, User
from kingdom.realms.figures import get_ruleset
from rules.core.errors import Refusal
from rules.core.health import band_of
from rules.core.text import NO_WORDS, Said


def out_of_sight(user: User, campaign: Campaign) -> frozenset[UUID]:
    """Ids of others' armies whose sheets the user may read, but not their place: under fog, nobody of the user's own
    sees them now.
    """
    if reads_all(user, campaign):
        return frozenset()
    drawn = find_map(campaign)
    if drawn is None or not drawn.fog:
        return frozenset()
    own = run_kingdom_ids(user, campaign)
    told = Army.objects.filter(build_told_condition(list_assigned(user)), campaign=campaign)
    placed = told.exclude(hex="").order_by().values_list("pk", "hex", "kingdom")
    rows = [(pk, label) for pk, label, kingdom in placed if kingdom not in own]
    if not rows:
        return frozenset()
    field, eyes = load_map_state(drawn).field, eyes_for(user, campaign, drawn)
    places = {pk: find_hex(field, label) for pk, label in rows}
    return frozenset(pk for pk, at in places.items() if at is None or not eyes.watches(at))


def annotate_last_seen[A: Army](user: User, *armies: A) -> list[A]:
    """The same rows, for display only: armies out of sight have neither their place nor their march."""
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


# What is known about an army without its sheet: only its name, or what is seen from afar.


class VisibleArmy(NamedTuple):
    """Kind (may be ""), rough size and health of an army, in words."""

    kind: Said
    size: Said
    health: Said


def build_visible_army(army: Army, engaged: Engaged | None = None) -> VisibleArmy | None:
    """What its reader sees of an army loaded by `armies.forces.access.filter_known`; None where they know only its
    name.

    `engaged`: the battle it is in, whose health counts.
    """
    if get_knowledge(army) < Knowledge.GLANCE:
        return None
    shown = engaged or army
    health = band_of(shown.health, shown.health_max).word
    try:
        kind, size = get_ruleset(army.campaign).armies.from_afar(army.sheet)
    except Refusal:
        kind = size = NO_WORDS
    return VisibleArmy(kind, size, health)
