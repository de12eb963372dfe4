"""Form of an order for many armies, drawn from `ManyDeed.asks`."""

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
"""Names the deed whose options were sent: those of another one are none of this one's."""


class ManyForm(forms.Form):
    """`sent` is what was posted; another deed's options begin anew."""

    def __init__(self, deed: type[ManyDeed], sent: QueryDict):
        asked = sent.get(ASKED) == deed.slug
        super().__init__(sent if asked else None)
        self.deed, self.sent = deed, sent if asked else QueryDict()
        for ask in deed.asks:
            if ask.kind != EACH:
                self.fields[ask.name] = _field(ask)

    @property
    def ready(self) -> bool:
        """Whether what it would do can be told: it was asked, or asks nothing that must be said."""
        return self.is_valid() if self.is_bound else not any(ask.required for ask in self.deed.asks)

    def options(self) -> dict[str, Any]:
        """What was said, in the shape of the API."""
        plain = self.cleaned_data if self.is_bound else {}
        each = {ask.name: self._each(ask) for ask in self.deed.asks if ask.kind == EACH}
        return {**plain, **each}

    def _each(self, ask: DeedAsk) -> dict[str, str]:
        lead = f"{ask.name}-"
        return {name.removeprefix(lead): self.sent.get(name, "") for name in self.sent if name.startswith(lead)}

    def refused(self, refusal: Refusal) -> None:
        """Beside its field where there is one."""
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
    """What is chosen for each army, as it stands."""

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
        """The army's own field."""
        return self[self._names[army.pk]] if army.pk in self._names else None
