"""Forms of places and sieges, and of passing time: in which sieges to offer terms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from armies.breaking_point.forces.specs import ROLLS, TERMS
from armies.breaking_point.models import FortifiedPlace, SiegeRow
from armies.breaking_point.sieges.place_services import GARRISON_MOST
from armies.breaking_point.weeks.services import TERMS_CHOICE
from armies.models import Army
from armies.weeks.forms import TimeForm
from core.clean_input import BP_MAX
from core.forms.form_fields import Whole, list_choices
from kingdom.dice_fields import DiceFields
from kingdom.models import Campaign, Kingdom
from rules.breaking_point.siege.siege_battles import Fielded
from rules.breaking_point.siege.siege_ends import FELL, GOES_ON, OUTCOMES
from rules.breaking_point.siege.siege_state import LIFTED
from rules.breaking_point.spec import FORTIFICATIONS
from rules.core.text import Term
from rules.core.text import _ as term

# Forms of places and sieges.

OUTCOME_NAMES: dict[str, Term] = {
    GOES_ON: term("Siege continues"), LIFTED: term("Besiegers driven off"),
    FELL: term("Fortified place taken"),
}  # fmt: skip
BODY_NAMES: dict[str, Term] = {
    "contact": term("main body"), "shooting": term("shooting group"), "garrison": term("garrison"),
    "reserve-contact": term("reserve (contact)"), "reserve-shooting": term("reserve (shooting)"),
    "reserve-garrison": term("reserve"),
}  # fmt: skip


class PlaceForm(forms.Form):
    """A place: its kind, the size of its full garrison, its settlement, and the place before it."""

    name = forms.CharField(label=_("Name"), max_length=120)
    kind = forms.ChoiceField(label=_("Kind of place"), choices=list_choices(FORTIFICATIONS))
    garrison = Whole(label=_("Garrison"), least=1, most=GARRISON_MOST)
    settlement: Any = forms.ModelChoiceField(
        None, label=_("Settlement"), required=False, empty_label=_("not in a settlement")
    )
    outer: Any = forms.ModelChoiceField(None, label=_("Protected by"), required=False, empty_label=_("nothing"))

    def __init__(self, data: QueryDict | None = None, *, kingdom: Kingdom, place: FortifiedPlace | None = None):
        initial = {name: getattr(place, name) for name in self.base_fields} if place else None
        super().__init__(data, initial=initial)
        self.fields["garrison"].help_text = _(
            "Troops needed to hold the place properly. It has room for twice as many."
        )
        self.fields["outer"].help_text = _("The fortified place that must fall before this one can be besieged.")
        others = FortifiedPlace.objects.filter(campaign=kingdom.campaign_id)
        settlement: Any = self.fields["settlement"]
        outer: Any = self.fields["outer"]
        settlement.queryset = kingdom.settlements.all()
        outer.queryset = others.exclude(pk=place.pk) if place else others
        if place:
            self.fields["kingdom"] = forms.ModelChoiceField(
                Kingdom.objects.filter(campaign=kingdom.campaign_id), label=_("Held by"), initial=kingdom
            )

    def given(self) -> dict[str, Any]:
        return dict(self.cleaned_data)


class BesiegeForm(forms.Form):
    """Armies that besiege a place, and the one whose commander speaks for them."""

    armies = forms.MultipleChoiceField(label=_("Armies"), widget=forms.CheckboxSelectMultiple)
    chief = forms.ChoiceField(label=_("Chief"), required=False)

    def __init__(self, data: QueryDict | None = None, *, armies: Sequence[Army]):
        super().__init__(data)
        self._armies = {str(army.pk): army for army in armies}
        names = [(key, army.name) for key, army in self._armies.items()]
        chosen: Any = self.fields["armies"]
        chief: Any = self.fields["chief"]
        chosen.choices = names
        chief.choices = [("", _("the best commander’s")), *names]

    def given(self) -> dict[str, Any]:
        data = self.cleaned_data
        return {
            "armies": [self._armies[key] for key in data["armies"]],
            "chief": self._armies.get(data["chief"]),
        }


class TermsForm(DiceFields, forms.Form):
    """Offers terms: who rolls the die, and typed faces."""

    rolls = {TERMS: ROLLS[TERMS]}
    dice_by = forms.ChoiceField(
        label=_("Dice"),
        widget=forms.RadioSelect,
        required=False,
        choices=[("server", _("Rolled by Warhost")), ("table", _("Rolled at the table"))],
    )
    money = Whole(label=_("Build Points offered"), least=0, most=BP_MAX, initial=0, required=False)
    data: Any

    def __init__(self, data: QueryDict | None = None, *, types_dice: bool = False):
        super().__init__(data, initial={"dice_by": "table" if types_dice else "server"})
        self.fields["money"].help_text = _(
            "+1 for each 5% of the garrison’s price, +4 at most. Paid only if the garrison accepts."
        )
        self.take_dice(data)

    @property
    def by_hand(self) -> bool:
        """Whether the die is typed. An invalid face is asked for again and changes nothing."""
        return self.cleaned_data.get("dice_by") == "table" or bool(self.dice or self.asked)

    def clean(self) -> None:
        super().clean()
        self.check_faces()


class SiegeOrdersForm(forms.Form):
    """Standing orders of a side for the coming weeks."""

    bombards = forms.BooleanField(label=_("Besiegers’ artillery fires"), required=False)
    answers = forms.BooleanField(label=_("Garrison’s artillery returns fire"), required=False)
    hears = forms.BooleanField(
        label=_("Garrison is willing to talk"), help_text=_("Leave unchecked if the garrison expects no mercy or "
                                                            "shares no language with the besiegers."),
        required=False,
    )  # fmt: skip

    def __init__(self, data: QueryDict | None = None, *, state: Any, only: Iterable[str] = ()):
        super().__init__(data, initial={name: state[name] for name in self.base_fields})
        for name in set(self.base_fields) - set(only):
            del self.fields[name]

    def given(self) -> dict[str, Any]:
        return dict(self.cleaned_data)


class SiegeBattleForm(forms.Form):
    """Form of the outcome of an assault or a sortie, with the current losses of its bodies."""

    outcome = forms.ChoiceField(
        label=_("Outcome"), choices=list_choices({slug: OUTCOME_NAMES[slug] for slug in OUTCOMES})
    )

    def __init__(self, data: QueryDict | None = None, *, bodies: Sequence[Fielded], names: dict[str, str]):
        super().__init__(data)
        self._bodies = {f"losses-{place}": one.body for place, one in enumerate(bodies)}
        for place, one in enumerate(bodies):
            army, _colon, kind = one.body.partition(":")
            label = _("%(army)s, %(body)s: points lost") % {
                "army": names.get(army, ""), "body": list_choices({kind: BODY_NAMES[kind]})()[0][1],
            }  # fmt: skip
            self.fields[f"losses-{place}"] = Whole(label=label, least=0, most=one.most, initial=one.losses)

    @property
    def loss_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self._bodies]

    def given(self) -> dict[str, Any]:
        data = self.cleaned_data
        return {"outcome": data["outcome"], "losses": {body: data[name] for name, body in self._bodies.items()}}


# Form that lets time pass under breaking point: in which sieges to offer terms.


class SiegeTimeForm(TimeForm):
    """Form with the sieges in which terms can be offered; without sieges there are no choices."""

    def __init__(self, data: QueryDict | None = None, *, campaign: Campaign, offers: Sequence[SiegeRow]):
        super().__init__(data, campaign=campaign, rolls=ROLLS)
        if offers:
            self.fields[TERMS_CHOICE] = forms.MultipleChoiceField(
                label=_("Offer terms each week"),
                help_text=_("If the garrison is willing to talk."),
                choices=[(str(row.pk), row.place.name) for row in offers],
                required=False,
                widget=forms.CheckboxSelectMultiple,
            )

    @property
    def terms_field(self) -> forms.BoundField | None:
        return self[TERMS_CHOICE] if TERMS_CHOICE in self.fields else None

    @property
    def choices(self) -> dict[str, Any]:
        return {TERMS_CHOICE: self.cleaned_data.get(TERMS_CHOICE, [])} if TERMS_CHOICE in self.fields else {}
