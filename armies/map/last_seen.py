"""Places of others' armies, told beside the map too only where one's own see them: lists, sheets, the API."""

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
    """Others' armies which stand where nobody of theirs looks now, under fog: of those whose sheet they read they are
    not told where they are.
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


# Text about an army to whom its sheet is not told: its name alone, or what is seen of it from afar.


class VisibleArmy(NamedTuple):
    """Its kind (it may be ""), its rough size and its health in words."""

    kind: Said
    size: Said
    health: Said


def build_visible_army(army: Army, engaged: Engaged | None = None) -> VisibleArmy | None:
    """Of an army read by `armies.forces.access.filter_known`; None where its reader knows no more than its name.
    `engaged`: where it fights, and stands as that tells.
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
