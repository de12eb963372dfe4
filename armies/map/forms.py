"""Forms of the map page, for the GM."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from armies.map.visibility import RealmOnMap
from armies.models import Army, rows_of
from core.forms.form_fields import Whole
from core.text import render
from kingdom.models import Campaign, CampaignMap, Kingdom, Settlement
from kingdom.models.base import Natural
from kingdom.models.map import SIDE_MOST, SIGHT_MOST
from rules.core.errors import InvalidInput, demand
from rules.core.text import Term
from rules.hexes.geometry import at_place, hex_at, label_of, place_of
from rules.hexes.mapfile import LEAST_SIDE, NAME_MOST

HEX, NOWHERE = _("Hex of the map"), _("Leave empty to take it off the map.")
NOT_THERE = Term("{hex} isn’t on the map.")
SEVERAL = re.compile(r"[\s,;]+")


class MakeMapForm(forms.Form):
    """A new map of open terrain."""

    name = forms.CharField(label=_("Name"), max_length=NAME_MOST)
    columns = Whole(label=_("Columns"), least=LEAST_SIDE, most=SIDE_MOST, initial=24)
    rows = Whole(label=_("Rows"), least=LEAST_SIDE, most=SIDE_MOST, initial=16)

    def __init__(self, *given: Any, campaign: Campaign, **options: Any):
        super().__init__(*given, **options)
        self.fields["name"].initial = campaign.name[:NAME_MOST]


class MapRulesForm(forms.Form):
    """Form of the map's settings: players' sight, and figures derived from the map."""

    fog = forms.BooleanField(
        label=_("Fog of war"),
        help_text=_("Players see other kingdoms’ armies only where their own kingdom sees them now or last saw them."),
        required=False,
    )
    sight = Whole(label=_("Sight around towns and armies (hexes)"), least=0, most=SIGHT_MOST)
    sizes = forms.BooleanField(
        label=_("Kingdom size follows the map"),
        help_text=_(
            "A kingdom’s size is then its number of claimed hexes. Anyone who sees its borders can count them."
        ),
        required=False,
    )

    def __init__(self, *given: Any, drawn: CampaignMap | None, extent: bool, **options: Any):
        super().__init__(*given, **options)
        if drawn:
            self.initial = {"fog": drawn.fog, "sight": drawn.sight, "sizes": drawn.sizes}
        if not extent:
            del self.fields["sizes"]


class HexOrderForm(forms.Form):
    """Base of forms that share field names on one page; `ids` makes their element ids unique."""

    ids: str

    def __init__(self, *given: Any, **options: Any):
        super().__init__(*given, **{**options, "auto_id": f"{self.ids}_%s"})


def _hexes_of(word: str) -> list[str]:
    """The labels of "C7", or of the block between the corners of "C7:F9". Raises `InvalidInput`."""
    first, colon, last = word.partition(":")
    ends = [place_of(hex_at(label)) for label in (first, last if colon else first)]
    (left, right), (top, bottom) = ((min(side), max(side)) for side in zip(*ends, strict=True))
    demand(max(right, bottom) < SIDE_MOST, NOT_THERE, hex=label_of(at_place(right, bottom)))
    return [label_of(at_place(column, row)) for row in range(top, bottom + 1) for column in range(left, right + 1)]


class ClaimForm(HexOrderForm):
    """Claims hexes for a kingdom, or for nobody."""

    ids = "claim"

    kingdom = forms.ModelChoiceField(
        label=_("Claimed by"), queryset=Kingdom.objects.none(), required=False, empty_label=_("nobody")
    )
    hexes = forms.CharField(
        label=_("Hexes"),
        max_length=4000,
        help_text=_("One or several hexes (C7 D7) or a block from corner to corner (C7:F9)."),
    )

    def __init__(self, *given: Any, campaign: Campaign, **options: Any):
        super().__init__(*given, **options)
        choice: Any = self.fields["kingdom"]
        choice.queryset = Kingdom.objects.filter(campaign=campaign)

    def offer(self, realms: Iterable[RealmOnMap]) -> None:
        """Sets the choices to these kingdoms, which are loaded already."""
        choice: Any = self.fields["kingdom"]
        choice.choices = [("", choice.empty_label), *((str(realm.id), realm.name) for realm in realms)]

    def clean_hexes(self) -> list[str]:
        try:
            words = filter(None, SEVERAL.split(self.cleaned_data["hexes"].strip()))
            return [label for word in words for label in _hexes_of(word)]
        except InvalidInput as refusal:
            raise forms.ValidationError(render(refusal.message)) from refusal


class StandForm(HexOrderForm):
    """Puts an army on a hex."""

    ids = "stand"

    army = forms.ModelChoiceField(label=_("Army"), queryset=rows_of(Army).none())
    hex = forms.CharField(
        label=_("Hex of the map"), max_length=8, required=False, help_text=_("Leave empty to take it off the map.")
    )

    def __init__(self, *given: Any, campaign: Campaign, **options: Any):
        super().__init__(*given, **options)
        choice: Any = self.fields["army"]
        choice.queryset = rows_of(Army).filter(campaign=campaign, status__in=Army.STANDING).order_by(Natural("name"))


class TownForm(HexOrderForm):
    """Puts a settlement on a hex."""

    ids = "town"

    town = forms.ModelChoiceField(label=_("Settlement"), queryset=Settlement.objects.none())
    hex = forms.CharField(
        label=_("Hex of the map"), max_length=8, required=False, help_text=_("Leave empty to take it off the map.")
    )
    revealed = forms.BooleanField(label=_("Visible to everyone"), required=False)

    def __init__(self, *given: Any, campaign: Campaign, **options: Any):
        super().__init__(*given, **options)
        choice: Any = self.fields["town"]
        choice.queryset = Settlement.objects.filter(campaign=campaign)
