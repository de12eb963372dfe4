"""Panels of armies for the pages of campaigns and kingdoms."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any
from uuid import UUID

from django.core.paginator import Page
from django.db.models import QuerySet

from armies.bulk.many_deeds import list_deeds
from armies.forces.access import revealed_of
from armies.forces.portraits import list_commander_pictures
from armies.ruleset_ui import Panel, get_army_ui, list_army_uis
from kingdom.access.queries import is_gm, run_kingdom_ids, runs_kingdom
from kingdom.approvals.serializers import leave_of
from kingdom.contributions import SlotPanel
from kingdom.models import Campaign, Kingdom, User
from kingdom.rendering import ListLook, paginate
from rules.registry import family_of

LISTED = 20  # armies or commanders on one page of a kingdom
KINGDOM_ARMIES = "armies/forces/panels/kingdom.html"  # includes the template of the `roster`


def rosters(
    user: User, kingdoms: Sequence[Kingdom], template: str, lines: Mapping[UUID, Any], **more: Any
) -> Panel:  # fmt: skip
    """Panel with the roster of each of these kingdoms of one campaign, for the campaign's page. `lines`: armies by
    kingdom.
    """
    may = leave_of(user, kingdoms[0].campaign) if kingdoms else {}
    own = {kingdom.pk for kingdom in kingdoms if runs_kingdom(user, kingdom)}
    picks = bool(own and list_deeds(user, kingdoms[0].campaign))
    return template, {
        kingdom.pk: {
            "lines": lines.get(kingdom.pk, []),
            "rest": _rest(lines.get(kingdom.pk, [])),
            "query": "",
            "runs": kingdom.pk in own,
            "picks": picks and kingdom.pk in own,
            "free": kingdom.without_treasury and kingdom.pk in own,
            "kingdom_id": kingdom.pk,
            "may": may,
            **more,
        }
        for kingdom in kingdoms
        if kingdom.pk in lines or kingdom.pk in own
    }


def kingdom_page(
    user: User,
    kingdom: Kingdom,
    look: ListLook,
    rows: QuerySet[Any],
    template: str,
    lines: Callable[[Page], Sequence[Any]],
    **more: Any,
) -> Panel:
    """Panel with a page of the kingdom's armies or commanders. `lines`: makes the ruleset's rows; `template` draws
    them.
    """
    found = paginate(rows, look.page, LISTED)
    runs = runs_kingdom(user, kingdom)
    deeds = list_deeds(user, kingdom.campaign) if runs else []
    return template, {
        "kingdom": kingdom,
        "kingdom_id": kingdom.pk,
        "page_obj": found,
        "query": look.query,
        "lines": lines(found),
        "rest": 0,
        "runs": runs,
        "free": kingdom.without_treasury,
        "picks": bool(deeds),
        "deeds": deeds,
        "campaign": kingdom.campaign,
        "may": leave_of(user, kingdom.campaign),
        **more,
    }


def with_portraits(panel: Panel) -> Panel:
    """The panel of commanders, with their pictures."""
    if panel is None:
        return None
    template, context = panel
    return template, {**context, "portraits": list_commander_pictures(context["campaign"], context["page_obj"])}


def picks(user: User, campaign: Campaign) -> Panel:
    """Panel with actions for the armies selected in the rosters."""
    may = is_gm(user, campaign) or bool(run_kingdom_ids(user, campaign))
    deeds = list_deeds(user, campaign) if may else []
    return ("armies/bulk/picks.html", {"campaign": campaign, "deeds": deeds}) if deeds else None


def shared(_onlooker: User, kingdom: Kingdom) -> Panel:
    """Panel of a kingdom's public page with its revealed armies."""
    ui = get_army_ui(kingdom.campaign)
    armies = [ui.on_paper(army) for army in revealed_of(kingdom, ui.army)]
    if not armies:
        return None
    return "armies/forces/panels/shared.html", {"armies": armies, "kingdom": kingdom}


def _rest(lines: Sequence[Any]) -> int:
    """Number of the kingdom's armies that are not among these lines of `armies.forces.access.list_first_armies`."""
    return lines[0].army.among - len(lines) if lines else 0


def list_ruleset_panels() -> Iterator[SlotPanel]:
    """Panels of all army UIs, each shown in campaigns of its ruleset family only."""
    for ui in list_army_uis():
        for panel in ui.panels:
            yield replace(panel, provider=_by_law(ui.family, panel.provider))


def _by_law(family: str, provider: Callable[..., Panel]) -> Callable[..., Panel]:
    @wraps(provider)
    def shown(user: User, subject: Campaign | Kingdom, *more: Any) -> Panel:
        campaign = subject.campaign if isinstance(subject, Kingdom) else subject
        return provider(user, subject, *more) if family_of(campaign.ruleset) == family else None

    return shown
