"""Forms of armies and commanders for rulesets that keep everything in the sheet document."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from armies.forces.declared_figures import CorrectionForm, RaiseForm
from armies.forces.services import SEVERAL_MOST
from armies.models import Army, Commander
from core.forms.form_fields import Whole, said
from kingdom.models import Kingdom
from kingdom.realms.figures import get_ruleset
from rules.army_law import ARMY_FIGURES


def copies_field() -> Whole:
    """Field of the number of like armies to raise together."""
    return Whole(
        label=_("Number of armies"),
        least=1,
        most=SEVERAL_MOST,
        initial=1,
        required=False,
        help_text=_("If more than one, their names are numbered: “2nd company”, then “3rd company”."),
    )


class PlainArmyForm(RaiseForm):
    """Form of an army: name, the sheet's entries (`sheet-…`), and for a new army its commander."""

    name = forms.CharField(label=_("Name of the army"), max_length=120)

    def __init__(self, data: QueryDict | None = None, *, kingdom: Kingdom, army: Army | None = None, gm: bool = False):
        super().__init__(data, initial={"name": army.name} if army else None)
        self.entries = get_ruleset(kingdom.campaign).armies.entries
        kept = army.sheet if army else {}
        for slug, entry in self.entries.items():
            self.fields[f"sheet-{slug}"] = Whole(
                label=said(entry.name), least=entry.least, most=entry.most, initial=kept.get(slug, entry.start)
            )
        if army is None:
            self.fields["copies"] = copies_field()
            free = Commander.objects.filter(kingdom=kingdom, status=Commander.Status.FREE, army=None)
            self.fields["commander"] = forms.ModelChoiceField(
                free, label=_("Commander"), required=False, empty_label=_("none yet")
            )
            self.ask_figures(ARMY_FIGURES, gm=gm)

    def given(self) -> dict[str, Any]:
        """Arguments of the service that raises or changes one army."""
        sheet = {slug: self.cleaned_data[f"sheet-{slug}"] for slug in self.entries}
        rest = {
            name: value
            for name, value in self.cleaned_data.items()
            if not name.startswith("sheet-") and name != "copies"
        }
        return {**rest, "sheet": sheet}


class StatusCorrectionForm(CorrectionForm):
    """Correction of an army whose sheet has the numbers of its troops: health is corrected there."""

    def __init__(self, data: QueryDict | None = None, *, army: Army):
        super().__init__(data, army=army)
        del self.fields["health"]


class PlainCommanderForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=120)
    status = forms.ChoiceField(label=_("Status"), choices=Commander.Status)
    away_until = Whole(
        label=_("Away until day"),
        least=0,
        most=10_000_000,
        required=False,
        help_text=_("The day they return from a journey or captivity. Leave empty if not away."),
    )
    ransom = Whole(label=_("Ransom"), least=0, most=1_000_000_000, required=False)

    def __init__(self, data: QueryDict | None = None, *, commander: Commander | None = None, gm: bool = False):
        initial = {name: getattr(commander, name) for name in self.base_fields} if commander else None
        super().__init__(data, initial=initial)
        if not (gm and commander):
            for name in ("status", "away_until", "ransom"):
                del self.fields[name]
