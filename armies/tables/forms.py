"""Form of a table to import: a file or pasted text; for confirmation the text that was previewed."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from armies.tables.tables import FIELD
from core.csv_tables import CHARACTERS_MOST, NO_CSV, NO_UTF8, SPREADSHEET, decoded
from core.text import render
from rules.core.errors import Refusal
from rules.core.text import Said

BYTES_MOST = 2 * CHARACTERS_MOST
MOST_SHOWN = 8  # errors of a table


class TableForm(forms.Form):
    accept = ".csv,text/csv"
    packed = False  # whether an archive is what it asks for
    otherwise: Said = NO_UTF8  # refusal of a file that isn't text

    file = forms.FileField(label=_("CSV file"), required=False, allow_empty_file=True)
    pasted = forms.CharField(
        label=_("or paste its text"), required=False, strip=False,
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false"}),
    )  # fmt: skip

    def __init__(self, *args: Any, **options: Any):
        super().__init__(*args, **options)
        self.fields["file"].widget.attrs["accept"] = self.accept

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        upload = given.get("file")
        if upload is None and not given.get("pasted"):
            self.add_error("file", _("Choose a file or paste its text."))
        if upload is not None and not upload.size:
            self.add_error("file", _("This file is empty. Choose another one."))
        if upload is not None and upload.size > BYTES_MOST:
            packed = not self.packed and upload.read(8).startswith(SPREADSHEET)
            self.add_error("file", render(NO_CSV) if packed else _("This file is too large. Choose a smaller one."))
        return given

    def text(self) -> str:
        """Text of the table. Raises `InvalidInput`."""
        upload = self.cleaned_data.get("file")
        return decoded(upload.read(), field=FIELD, otherwise=self.otherwise) if upload else self.cleaned_data["pasted"]

    def add_refusal(self, refusal: Refusal) -> None:
        """Show the errors beside what was sent: the file, else the pasted text."""
        sent = "file" if self.files.get("file") else "pasted"
        for _pointer, message in refusal.errors[:MOST_SHOWN]:
            self.add_error(sent, render(message))
