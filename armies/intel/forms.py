"""Form of intelligence, for spies and allies."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from armies.models import Army
from kingdom.models import Campaign, Kingdom, Knowledge


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
