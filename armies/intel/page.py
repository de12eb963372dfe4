"""Page object and form of intelligence, for the GM: spies, allies, hidden armies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django import forms
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from armies.models import Army, Insight, rows_of
from kingdom.access.queries import get_one, require_gm
from kingdom.models import Campaign, Kingdom, Knowledge, User
from kingdom.models.base import Natural

# Page object of intelligence, for the GM: spies, allies, hidden armies.

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
    return get_one(list_insights(user, campaign), insight_id)


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


# Form of intelligence, for spies and allies.


class LevelField(forms.TypedChoiceField):
    def __init__(self, least: int = Knowledge.NOTHING, **options: Any):
        choices = [choice for choice in Knowledge.choices if choice[0] >= least]
        super().__init__(choices=choices, coerce=int, **options)


class InsightForm(forms.Form):
    """A kingdom, about whose armies it is informed, and how well. `army`: this one army instead of a whole
    kingdom's.
    """

    kingdom = forms.ModelChoiceField(label=_("Informed kingdom"), queryset=Kingdom.objects.none())
    realm = forms.ModelChoiceField(label=_("About the armies of"), queryset=Kingdom.objects.none())
    mutual = forms.BooleanField(label=_("Allies: share this both ways"), required=False)
    level = LevelField(Knowledge.NAME, label=_("Intelligence"), initial=Knowledge.GLANCE)

    def __init__(self, data: Any = None, *, campaign: Campaign, army: Army | None = None):
        super().__init__(data)
        kingdoms = Kingdom.objects.filter(campaign=campaign)
        if army:
            del self.fields["realm"], self.fields["mutual"]
            kingdoms = kingdoms.exclude(pk=army.kingdom_id)
        else:
            self._choices("realm").queryset = kingdoms
        self._choices("kingdom").queryset = kingdoms
        self._army = army

    def _choices(self, name: str) -> Any:
        return self.fields[name]

    def given(self) -> dict[str, Any]:
        """Arguments of the service."""
        return {**self.cleaned_data, **({"army": self._army} if self._army else {})}
