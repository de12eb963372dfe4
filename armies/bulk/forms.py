"""Forms of an order for several armies, made from `ManyDeed.asks`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.http import QueryDict

from armies.bulk.many_deeds import EACH, OPTIONS, TEXT, WHOLE, DeedAsk, ManyDeed
from armies.models import Army
from core.forms.form_fields import Whole, said
from core.text import render
from rules.core.errors import Refusal

ASKED = "asked"
"""Hidden field with the deed whose options were sent. Another deed ignores them."""


class ManyForm(forms.Form):
    """Form of the deed's options. `sent`: the posted data, ignored if it belongs to another deed."""

    def __init__(self, deed: type[ManyDeed], sent: QueryDict):
        asked = sent.get(ASKED) == deed.slug
        super().__init__(sent if asked else None)
        self.deed, self.sent = deed, sent if asked else QueryDict()
        for ask in deed.asks:
            if ask.kind != EACH:
                self.fields[ask.name] = _field(ask)

    @property
    def ready(self) -> bool:
        """Whether a preview is possible: the form is valid, or nothing required is missing."""
        return self.is_valid() if self.is_bound else not any(ask.required for ask in self.deed.asks)

    def options(self) -> dict[str, Any]:
        """The options in the shape of the API."""
        plain = self.cleaned_data if self.is_bound else {}
        each = {ask.name: self._each(ask) for ask in self.deed.asks if ask.kind == EACH}
        return {**plain, **each}

    def _each(self, ask: DeedAsk) -> dict[str, str]:
        lead = f"{ask.name}-"
        return {name.removeprefix(lead): self.sent.get(name, "") for name in self.sent if name.startswith(lead)}

    def refused(self, refusal: Refusal) -> None:
        """Adds each message to the field it is about, else to the form."""
        for pointer, message in refusal.errors:
            name = pointer.removeprefix(f"{OPTIONS}/").split("/")[0]
            if not self.is_bound:
                self.is_bound, self.cleaned_data, self._errors = True, {}, forms.utils.ErrorDict()
            self.add_error(name if name in self.fields else None, render(message))


def _field(ask: DeedAsk) -> forms.Field:
    told: dict[str, Any] = {"label": said(ask.label), "help_text": said(ask.help), "required": ask.required}
    if ask.kind == TEXT:
        return forms.CharField(max_length=ask.most, **told)
    if ask.kind == WHOLE:
        return Whole(least=ask.least, most=ask.most, **told)
    return forms.BooleanField(**told)


class EachForm(forms.Form):
    """One choice for each army, with its present value."""

    def __init__(self, deed: ManyDeed, armies: Sequence[Army]):
        super().__init__()
        self._names: dict[Any, str] = {}
        for ask in (ask for ask in deed.asks if ask.kind == EACH):
            for army in armies:
                self._add(deed, ask, army)

    def _add(self, deed: ManyDeed, ask: DeedAsk, army: Army) -> None:
        name = self._names[army.pk] = f"{ask.name}-{army.pk}"
        choices = [(value, render(words)) for value, words in deed.choices(army, ask)]
        given = deed.given(army, ask)
        self.fields[name] = forms.ChoiceField(label=said(ask.label), choices=choices, initial=given, required=False)

    def of(self, army: Army) -> BoundField | None:
        """The field of this army, if it has one."""
        return self[self._names[army.pk]] if army.pk in self._names else None
