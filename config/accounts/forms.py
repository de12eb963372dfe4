"""Account forms whose words differ from allauth's."""

from __future__ import annotations

from typing import Any

from allauth.account import forms
from allauth.mfa.base import forms as mfa_forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from kingdom.accounts.services import note_failed

ENDS = _("Changing the password ends all other sessions and revokes your API tokens.")


class _SaysWhatEnds:
    fields: dict[str, Any]

    def __init__(self, *args: Any, **options: Any):
        super().__init__(*args, **options)
        self.fields["password2"].help_text = ENDS


class ChangePasswordForm(_SaysWhatEnds, forms.ChangePasswordForm):
    """The old password, and a new one."""


class AuthenticateForm(mfa_forms.AuthenticateForm):
    """The second factor at the door."""

    def clean_code(self) -> str:
        try:
            return str(super().clean_code())
        except ValidationError:
            note_failed(account=self.user.get_username())
            raise


class ResetPasswordKeyForm(_SaysWhatEnds, forms.ResetPasswordKeyForm):
    """A new password by the link of a mail."""
