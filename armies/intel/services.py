"""Services for intelligence: the GM hides armies and places spies and allies."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import Http404

from armies.forces.row_locks import lock_armies
from armies.forces.tracked_fields import LEVELS, conceal
from armies.models import Army, Insight, rows_of
from kingdom.access.decorators import gm_only, require_not_deleted
from kingdom.access.queries import require_gm
from kingdom.chronicle.transaction import record_changes
from kingdom.map.fog_services import update_visibility
from kingdom.models import Campaign, Kingdom, Knowledge, User
from kingdom.models.natural import Natural
from rules.core.errors import demand
from rules.core.text import Said, _, say

FEW = 50


@dataclass(frozen=True, slots=True)
class KnownPage:
    """`hidden`: the first of the hidden armies, `rest` how many others there are. `army`: the one asked about."""

    campaign: Campaign
    insights: tuple[Insight, ...]
    hidden: tuple[Army, ...]
    rest: int
    army: Army | None


def list_insights(user: User, campaign: Campaign) -> QuerySet[Insight]:
    """Those that tell somebody something, the latest first. Raises `PermissionDenied` for who is not the GM."""
    require_gm(user, campaign)
    rows = Insight.objects.filter(campaign=campaign, level__gt=Knowledge.NOTHING)
    return rows.select_related("kingdom", "realm", "army__kingdom").order_by("-id")


def get_insight_for(user: User, campaign: Campaign, insight_id: UUID) -> Insight:
    """One of them. Raises Http404, `PermissionDenied` for who is not the GM."""
    found = list_insights(user, campaign).filter(pk=insight_id).first()
    if found is None:
        raise Http404
    return found


def build_known_page(user: User, campaign: Campaign, army: Army | None) -> KnownPage:
    """Raises `PermissionDenied` for who is not the GM."""
    insights = list_insights(user, campaign)
    if army:
        both = Q(kingdom=army.kingdom_id, mutual=True)
        insights = insights.filter(Q(army=army.pk) | Q(realm=army.kingdom_id) | both)
    hidden = rows_of(Army).filter(campaign=campaign, hidden=True).select_related("kingdom")
    first = list(hidden.order_by(Natural("kingdom__name"), Natural("name"), "id")[: FEW + 1])
    rest = hidden.count() - FEW if len(first) > FEW else 0
    return KnownPage(campaign, tuple(insights), tuple(first[:FEW]), rest, army)


@gm_only
@transaction.atomic
def hide_army(*, by: User, army: Army, hidden: bool) -> Army:
    """Hide an army from everybody but viewers and those who run its kingdom, as if it did not exist, or no longer (GM).

    What others have seen of it is forgotten. Raises `IllegalCommand` where it fights or lies before a place: there the
    whole table sees it.
    """
    require_gm(by, army.campaign)
    with record_changes(by=by, campaign=army.campaign, kind="army", on=[("army", army)]) as told:
        army = lock_armies([army.pk], type(army))[army.pk]
        conceal(army, bool(hidden))
        template = _("{army} is hidden from the other players.") if hidden else _("{army} is no longer hidden.")
        told.text = say(template, army=army.name)
    update_visibility(army.campaign)
    return army


@gm_only
@transaction.atomic
def let_know(
    *,
    by: User,
    kingdom: Kingdom,
    level: int,
    army: Army | None = None,
    realm: Kingdom | None = None,
    mutual: bool = False,
) -> Insight:
    """A kingdom knows one army, or all armies of a `realm`, at this level (GM); `mutual`: allies, each the other's.

    Level 0 takes it away. What is known otherwise stays known. Raises `InvalidInput`, Http404 where one of them is
    gone.
    """
    campaign = kingdom.campaign
    require_gm(by, campaign)
    demand(level in Knowledge.values, _("Choose a level from the list."), field="/level")
    kingdom, army, realm = _between(kingdom, army, realm, mutual)
    with record_changes(by=by, campaign=campaign, kind="other") as told:
        require_not_deleted(kingdom, army, realm)
        known, _new = Insight.objects.get_or_create(campaign=campaign, kingdom=kingdom, army=army, realm=realm,
                                                    mutual=mutual)  # fmt: skip
        told.watch([("insight", known)])
        known = told.rows("insight")[str(known.pk)]
        known.level = level
        known.save(update_fields=["level"])
        told.text = _in_words(known)
    return known


def _between(
    kingdom: Kingdom, army: Army | None, realm: Kingdom | None, mutual: bool
) -> tuple[Kingdom, Army | None, Kingdom | None]:
    """Who knows whom; allies in one order, whoever was named first."""
    demand((army is None) != (realm is None), _("Choose either an army or a kingdom, not both."), field="/army")
    if army is not None:
        demand(not mutual, _("Only kingdoms can be allies. Choose a kingdom."), field="/realm")
        demand(
            army.campaign_id == kingdom.campaign_id,
            _("This belongs to another campaign. Choose one from this campaign."),
            field="/army",
        )
        demand(
            army.kingdom_id != kingdom.pk,
            _("A kingdom always knows its own armies. Choose another kingdom."),
            field="/army",
        )
        return kingdom, army, None
    assert realm is not None
    demand(
        realm.campaign_id == kingdom.campaign_id,
        _("This belongs to another campaign. Choose one from this campaign."),
        field="/realm",
    )
    demand(realm.pk != kingdom.pk, _("A kingdom always knows its own armies. Choose another kingdom."), field="/realm")
    first, second = sorted((kingdom, realm), key=lambda one: str(one.pk)) if mutual else (kingdom, realm)
    return first, None, second


def _in_words(known: Insight) -> Said:
    """For the GM's chronicle."""
    template = (ALLIES if known.mutual else SPIES)[known.level > Knowledge.NOTHING]
    level = LEVELS.get(known.level, _("nothing"))
    return say(template, kingdom=known.kingdom.name, other=str(known.army or known.realm), level=level)


ALLIES = (
    _("{kingdom} and {other} are no longer allies."),
    _("{kingdom} and {other} are allies. What each knows about the other’s armies: {level}."),
)
SPIES = (
    _("{kingdom} no longer has spies in {other}."),
    _("{kingdom} has spies in {other}. What it knows: {level}."),
)
