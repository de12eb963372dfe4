"""Form of a picture to upload."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from core.images import PORTRAIT, ImageLimits
from core.text import render

ACCEPTED = "image/jpeg,image/png,image/webp"


class PictureForm(forms.Form):
    file = forms.FileField(
        label=_("File"),
        widget=forms.FileInput(attrs={"accept": ACCEPTED}),
        allow_empty_file=True,
    )

    def __init__(self, *args: Any, limits: ImageLimits = PORTRAIT, **options: Any):
        super().__init__(*args, **options)
        self.limits = limits
        self.fields["file"].help_text = render(limits.asked)

    def read(self) -> bytes:
        """Return the uploaded bytes; of a file that is too large one byte more than allowed."""
        return read_upload(self.cleaned_data["file"], self.limits)


def read_upload(file: UploadedFile, limits: ImageLimits) -> bytes:
    return bytes(file.read(limits.upload + 1))
