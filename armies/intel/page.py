"""Page object of intelligence, for the GM: spies, allies, hidden armies."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q, QuerySet
from django.http import Http404

from armies.models import Army, Insight, rows_of
from kingdom.access.queries import require_gm
from kingdom.models import Campaign, Knowledge, User
from kingdom.models.natural import Natural

FEW = 50


@dataclass(frozen=True, slots=True)
class KnownPage:
    """`hidden`: the first hidden armies; `rest`: how many others there are. `army`: the army the page is limited to, if
    any.
    """

    campaign: Campaign
    insights: tuple[Insight, ...]
    hidden: tuple[Army, ...]
    rest: int
    army: Army | None


def list_insights(user: User, campaign: Campaign) -> QuerySet[Insight]:
    """Insights above level 0, the latest first. Raises `PermissionDenied` unless the user is the GM."""
    require_gm(user, campaign)
    rows = Insight.objects.filter(campaign=campaign, level__gt=Knowledge.NOTHING)
    return rows.select_related("kingdom", "realm", "army__kingdom").order_by("-id")


def get_insight_for(user: User, campaign: Campaign, insight_id: UUID) -> Insight:
    """The insight with this id. Raises `Http404`, and `PermissionDenied` unless the user is the GM."""
    found = list_insights(user, campaign).filter(pk=insight_id).first()
    if found is None:
        raise Http404
    return found


def build_known_page(user: User, campaign: Campaign, army: Army | None) -> KnownPage:
    """The page, of one army or of all. Raises `PermissionDenied` unless the user is the GM."""
    insights = list_insights(user, campaign)
    if army:
        both = Q(kingdom=army.kingdom_id, mutual=True)
        insights = insights.filter(Q(army=army.pk) | Q(realm=army.kingdom_id) | both)
    hidden = rows_of(Army).filter(campaign=campaign, hidden=True).select_related("kingdom")
    first = list(hidden.order_by(Natural("kingdom__name"), Natural("name"), "id")[: FEW + 1])
    rest = hidden.count() - FEW if len(first) > FEW else 0
    return KnownPage(campaign, tuple(insights), tuple(first[:FEW]), rest, army)
