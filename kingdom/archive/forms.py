"""Forms for export and import."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy


class TakeAlongForm(forms.Form):
    members = forms.BooleanField(label=gettext_lazy("Include the names of the members"), required=False)


class BringInForm(forms.Form):
    """Form to upload a campaign file. `wait`: seconds until it may be sent again, if it was too early."""

    wait: float = 0
    file = forms.FileField(label=gettext_lazy("Campaign file"), allow_empty_file=True)

    def __init__(self, *args: Any, **options: Any):
        super().__init__(*args, **options)
        self.fields["file"].help_text = _("JSON, plain or compressed with gzip; %(limit)s at most.") % {
            "limit": filesizeformat(settings.IMPORT_LIMIT)
        }
        self.fields["file"].widget.attrs["accept"] = ".json,.gz,application/json,application/gzip"
