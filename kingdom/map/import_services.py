"""Service that replaces the campaign's map by one from another tool, and stores the terrain chosen for each of its
names.
"""

from __future__ import annotations

from django.db import transaction

from kingdom.access.decorators import gm_only
from kingdom.access.queries import require_gm
from kingdom.chronicle import changes
from kingdom.map.import_queries import KEPT_UNDER, TerrainByName, demand_chosen, merge_kept, propose_map
from kingdom.map.queries import find_map, forget_map
from kingdom.map.services import make_map, redraw_map
from kingdom.models import Campaign, CampaignMap, User
from rules.core.errors import StaleProposal
from rules.core.text import _, say
from rules.hexes.imports.layout import TOOL_NAMES, ForeignMap
from rules.hexes.mapfile import document


@gm_only
@transaction.atomic
def import_map(
    *,
    by: User,
    campaign: Campaign,
    foreign: ForeignMap,
    terrains: TerrainByName | None = None,
    empty: str | None = None,
    name: str | None = None,
    mark: str | None = None,
    agreed: str | None = None,
) -> CampaignMap:
    """Replace the campaign's map by another tool's map, or create it (GM). Claims stay where the new map has hexes.

    `terrains`, `empty`: choices, kept for the next import; for other names the proposed ones count. `mark`: the mark of
    the proposal that the user confirms; raises `StaleProposal` if the map has changed since. `agreed`: as in
    `redraw_map`. Raises `InvalidInput` with every name that has no terrain yet.
    """
    require_gm(by, campaign)
    campaign = changes.lock(campaign)
    forget_map(campaign)
    proposal = propose_map(campaign, foreign, terrains, empty, name)
    if mark is not None and mark != proposal.mark:
        raise StaleProposal(_("The map has changed since this preview was made. Check it again."))
    field = demand_chosen(proposal)
    campaign.headings = {**campaign.headings, KEPT_UNDER: merge_kept(campaign, proposal)}
    campaign.save(update_fields=["headings"])
    drawn = find_map(campaign)
    if drawn is None:
        return make_map(by=by, campaign=campaign, document=document(field), agreed=agreed)
    text = say(_("Map imported from {tool}: {map}."), tool=TOOL_NAMES[foreign.tool], map=field.name)
    return redraw_map(by=by, drawn=drawn, field=field, text=text, agreed=agreed)
