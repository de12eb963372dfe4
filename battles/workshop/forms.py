"""Forms of the odds workshop: which armies are compared, and an army that is in no campaign."""

from __future__ import annotations

from collections.abc import Sequence

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from battles.workshop.matchups import LONGEST
from battles.workshop.sweeps import Named, by_kingdom

# Form of a sweep: which armies are compared.

ONE, EVERY = "one", "every"


class SweepForm(forms.Form):
    """Compares one army with a list of armies, or every army of the list with every other."""

    what = forms.ChoiceField(
        label=_("Comparison"),
        choices=((ONE, _("one army against the others")), (EVERY, _("every army against every other"))),
        widget=forms.RadioSelect, initial=ONE,
    )  # fmt: skip
    army = forms.ChoiceField(label=_("First army"), required=False)
    against = forms.MultipleChoiceField(
        label=_("Other armies"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Check none to include all."),
    )

    def __init__(self, names: Sequence[Named], data: QueryDict | None = None, *, army: str = ""):
        super().__init__(data, label_suffix="", initial={"army": army})
        self.fields["army"].choices = by_kingdom(names)  # type: ignore[attr-defined]
        self.fields["against"].choices = [(one.id, one.name) for one in names]  # type: ignore[attr-defined]
        self.names = names

    @property
    def every(self) -> bool:
        return self.cleaned_data["what"] == EVERY

    def chosen(self) -> list[str]:
        """Ids of the selected armies; of all armies where none is selected."""
        return self.cleaned_data["against"] or [one.id for one in self.names]

    def clean(self) -> None:
        given = self.cleaned_data
        if given.get("what") == ONE and not given.get("army"):
            self.add_error("army", _("Choose the first army."))


# Form of an army that is in no campaign: the fields of every ruleset.


def pasted_field() -> forms.CharField:
    return forms.CharField(
        label=_("Army in API format (JSON)"), required=False, max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
        help_text=_("Text pasted here replaces the fields above."),
    )  # fmt: skip
