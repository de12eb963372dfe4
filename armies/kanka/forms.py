"""Form for a Kanka export to import."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from armies.kanka.kanka_export import pack
from armies.tables.forms import TableForm
from armies.tables.tables import FIELD
from kingdom.models import Kingdom


class KankaForm(TableForm):
    accept = ".zip,.json,application/zip,application/json"
    packed = True

    file = forms.FileField(label=_("ZIP file of the export"), required=False, allow_empty_file=True)
    pasted = forms.CharField(
        label=_("or paste the JSON of its entities"), required=False, strip=False,
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false"}),
    )  # fmt: skip
    kingdom = forms.ModelChoiceField(
        Kingdom.objects.none(), label=_("Kingdom for the other characters"), required=False,
        empty_label=_("don’t import them"),
        help_text=_("For characters who belong to no imported organization."),
    )  # fmt: skip
    field_order = ("file", "pasted", "kingdom")

    def __init__(self, *args: Any, kingdoms: QuerySet[Kingdom], **options: Any):
        super().__init__(*args, **options)
        self.fields["kingdom"].queryset = kingdoms  # type: ignore[attr-defined]

    def text(self) -> str:
        """The packed export. Raises `InvalidInput`."""
        upload = self.cleaned_data.get("file")
        return pack(upload.read(), field=FIELD) if upload else self.cleaned_data["pasted"]
