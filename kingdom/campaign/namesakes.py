"""Labels for campaigns of the same name: by owner, and by when they were opened."""

from __future__ import annotations

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext

from kingdom.access.queries import list_seats
from kingdom.models import Campaign, User


def annotate_namesakes(user: User, rows: QuerySet[Campaign]) -> QuerySet[Campaign]:
    """Campaigns that know whether another one that stands in a list of theirs bears the same name
    (`format_distinction`).
    """
    his = Q(pk__in=list_seats(user)) | Q(owner=user) | Q(offered_to=user)
    others = Campaign.objects.filter(his, name__iexact=OuterRef("name")).exclude(pk=OuterRef("pk"))
    return rows.annotate(namesake=Exists(others.order_by()), owned_by=F("owner__username"))


def format_distinction(campaign: Campaign) -> str:
    """What stands beside its name, "" where no other bears it (as `annotate_namesakes` has found)."""
    if not getattr(campaign, "namesake", False):
        return ""
    owner, moment = getattr(campaign, "owned_by", None), localtime(campaign.created_at)
    words = gettext("GM {owner}, open since {moment}") if owner else gettext("open since {moment}")
    return words.format(owner=owner, moment=date_format(moment, "SHORT_DATETIME_FORMAT"))


def name_apart(campaign: Campaign) -> str:
    """Its name for a choice of several."""
    apart = format_distinction(campaign)
    return f"{campaign.name} ({apart})" if apart else campaign.name
