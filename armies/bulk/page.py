"""Page object of a campaign's armies: searched, filtered, and selected for an order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from django.core.paginator import Page
from django.db.models import Count, F, Q, QuerySet
from django.http import QueryDict

from armies.bulk.many_deeds import ManyDeed, list_deeds
from armies.forces.access import FALLEN_LAST, list_armies
from armies.forces.busy import Engaged, find_engaged
from armies.map.visibility import annotate_last_seen, out_of_sight
from armies.models import Army
from core.text_search import filter_by_words
from kingdom.access.permissions import PageRequest
from kingdom.access.queries import is_gm, run_kingdom_ids
from kingdom.models import Campaign, Kingdom, User
from kingdom.models.base import Natural
from kingdom.rendering import look_of, paginate
from rules.core.text import Term, _

LISTED = 50
MARCHING = "marching"
NAMED = ("name", "commander__name", "kingdom__name")  # searched fields, besides the place
STANDING = Q(status__in=Army.STANDING)


class Sieve(NamedTuple):
    """A filter of armies by state."""

    slug: str
    name: Term
    which: Q


def sieves(day: int) -> list[Sieve]:
    return [
        Sieve("", _("in service"), STANDING),
        Sieve("unled", _("without a commander"), STANDING & Q(commander=None)),
        Sieve("hurt", _("with losses"), STANDING & Q(health__lt=F("health_max"))),
        Sieve(MARCHING, _("on the march"), STANDING & Q(marching_until__gt=day)),
        Sieve("gone", _("no longer in service"), ~STANDING),
        Sieve("all", _("all"), Q()),
    ]


class ListedArmy(NamedTuple):
    army: Army
    engaged: Engaged | None
    picks: bool


class RealmCounted(NamedTuple):
    """A kingdom in the filter. `armies`: number of its standing armies that the reader commands."""

    kingdom: Kingdom
    armies: int


@dataclass(frozen=True, slots=True)
class ArmyList:
    campaign: Campaign
    lines: Sequence[ListedArmy]
    page_obj: Page
    realms: Sequence[RealmCounted]
    sieves: Sequence[Sieve]
    query: str
    kingdom: Kingdom | None
    state: str
    deeds: Sequence[type[ManyDeed]]
    gm: bool

    @property
    def picks(self) -> bool:
        """Whether the reader can give any of these armies an order."""
        return bool(self.deeds) and any(realm.armies for realm in self.realms)

    @property
    def sifted(self) -> bool:
        return bool(self.query or self.kingdom or self.state)


def army_list(request: PageRequest, campaign: Campaign) -> ArmyList:
    """The page for this request's search and filters. Unknown values of filters are ignored."""
    user, look = request.user, look_of(request)
    known, ours = sieves(campaign.day), run_kingdom_ids(user, campaign)
    realms = _realms(campaign, ours)
    state = next((sieve for sieve in known if sieve.slug == request.GET.get("state", "")), known[0])
    kingdom = next((one.kingdom for one in realms if str(one.kingdom.pk) == request.GET.get("kingdom", "")), None)
    rows = _sifted(user, campaign, look.query, state, kingdom)
    found, engaged = paginate(rows, look.page, LISTED), find_engaged(campaign)
    for army in found:
        army.campaign = campaign
    annotate_last_seen(user, *found)
    return ArmyList(
        campaign=campaign,
        lines=[ListedArmy(army, engaged.get(army.pk), army.kingdom_id in ours) for army in found],
        page_obj=found,
        realms=realms,
        sieves=known,
        query=look.query,
        kingdom=kingdom,
        state=state.slug,
        deeds=list_deeds(user, campaign) if ours else [],
        gm=is_gm(user, campaign),
    )


def _sifted(
    user: User, campaign: Campaign, query: str, state: Sieve, kingdom: Kingdom | None
) -> QuerySet[Army]:  # fmt: skip
    told = list_armies(user, campaign, Army).filter(state.which)
    hidden = out_of_sight(user, campaign) if query or state.slug == MARCHING else ()
    if hidden and state.slug == MARCHING:
        told = told.exclude(pk__in=hidden)
    rows = told.order_by(
        Natural("kingdom__name"), "kingdom_id", FALLEN_LAST, Natural("name"), "id"
    )  # fmt: skip
    found = rows.filter(kingdom=kingdom) if kingdom else rows
    if not hidden:
        return filter_by_words(found, query, *NAMED, "place")
    plain = Army.objects.order_by().values("pk")
    named = filter_by_words(plain.filter(pk__in=hidden), query, *NAMED)
    placed = filter_by_words(plain.filter(campaign=campaign).exclude(pk__in=hidden), query, *NAMED, "place")
    return found.filter(Q(pk__in=named) | Q(pk__in=placed))


def _realms(campaign: Campaign, ours: set[UUID]) -> list[RealmCounted]:
    counted = Count("armies", filter=Q(armies__status__in=Army.STANDING, pk__in=ours))
    rows = Kingdom.objects.filter(campaign=campaign).annotate(standing=counted)
    rows = rows.order_by(Natural("name"), "id")  # The model's own ordering would break the count.
    return [RealmCounted(kingdom, kingdom.standing) for kingdom in rows]


def meant_by(user: User, campaign: Campaign, sent: QueryDict) -> list[str]:
    """Ids of the selected armies: single ones (`army`), and all standing armies of a kingdom (`kingdom`)."""
    picked, wanted = sent.getlist("army"), set(sent.getlist("kingdom"))
    if wanted:
        ours = {pk for pk in run_kingdom_ids(user, campaign) if str(pk) in wanted}
        rows = list_armies(user, campaign, Army).filter(STANDING, kingdom__in=ours).order_by()
        picked = [*picked, *map(str, rows.values_list("pk", flat=True))]
    return list(dict.fromkeys(picked))
