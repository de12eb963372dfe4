"""Form of a picture to upload."""

from __future__ import annotations

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from core.images import UPLOAD_MOST

ACCEPTED = "image/jpeg,image/png,image/webp"


class PictureForm(forms.Form):
    file = forms.FileField(
        label=_("File"),
        help_text=_("JPEG, PNG or WebP, at most 2 MB. Location, date and camera data are removed."),
        widget=forms.FileInput(attrs={"accept": ACCEPTED}),
        allow_empty_file=True,
    )

    def read(self) -> bytes:
        """Return the uploaded bytes; of a file that is too large one byte more than allowed."""
        return read_upload(self.cleaned_data["file"])


def read_upload(file: UploadedFile) -> bytes:
    return bytes(file.read(UPLOAD_MOST + 1))
