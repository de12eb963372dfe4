"""Form of a new share link."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext_lazy as _

from core.text import render
from kingdom.sharing.services import DAYS
from kingdom.sharing.share_kinds import ShareKind

FOREVER = 0
LIVES = ((7, _("a week")), (DAYS, _("a month")), (365, _("a year")), (FOREVER, _("until revoked")))


class ShareForm(forms.Form):
    """Form of a new share link: what it shows (kind and object in one field) and for how long."""

    what = forms.ChoiceField(label=_("Shared page"))
    days = forms.TypedChoiceField(label=_("Valid for"), coerce=int, choices=LIVES, initial=DAYS)

    def __init__(self, *args: Any, offered: Iterable[tuple[str, ShareKind, list[tuple[UUID, str]]]], **options: Any):
        super().__init__(*args, **options)
        what: Any = self.fields["what"]
        what.choices = [
            (render(kind.name), [(f"{slug}:{pk}", name) for pk, name in things]) for slug, kind, things in offered
        ]

    def given(self) -> dict[str, Any]:
        """Return the arguments for the service."""
        kind, _colon, thing = self.cleaned_data["what"].partition(":")
        return {"kind": kind, "thing": UUID(thing), "days": self.cleaned_data["days"] or None}
