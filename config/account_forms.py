"""The account forms that say more here than elsewhere."""

from __future__ import annotations

from typing import Any

from allauth.account import forms
from django.utils.translation import gettext_lazy as _

ENDS = _("Every other session and all your API keys end with the old password.")


class _SaysWhatEnds:
    fields: dict[str, Any]

    def __init__(self, *args: Any, **options: Any):
        super().__init__(*args, **options)
        self.fields["password2"].help_text = ENDS


class ChangePasswordForm(_SaysWhatEnds, forms.ChangePasswordForm):
    """The old password, and a new one."""


class ResetPasswordKeyForm(_SaysWhatEnds, forms.ResetPasswordKeyForm):
    """A new password by the link of a mail."""
