"""Form of a commander: characteristics and skills, each with what it is good for (BP-3)."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import QueryDict

from armies.default.forms import PlainCommanderForm
from armies.models import Commander
from core.forms.form_fields import Whole, said
from rules.breaking_point.documents import COMMANDER_FIGURES


class CommanderForm(PlainCommanderForm):
    """Name and figures; for the GM of one who exists status, absence and ransom too."""

    def __init__(self, data: QueryDict | None = None, *, commander: Commander | None = None, gm: bool = False):
        super().__init__(data, commander=commander, gm=gm)
        kept = commander.sheet if commander else {}
        figures: dict[str, forms.Field] = {
            slug: Whole(label=said(entry.name), least=entry.least, most=entry.most, help_text=said(entry.help),
                        initial=kept.get(slug, entry.start))
            for slug, entry in COMMANDER_FIGURES.items()
        }  # fmt: skip
        self.fields = {"name": self.fields["name"], **figures, **self.fields}

    def given(self) -> dict[str, Any]:
        return self.cleaned_data
