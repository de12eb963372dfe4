"""Account forms whose texts differ from allauth's."""

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
    """Form to change the password."""


class AuthenticateForm(mfa_forms.AuthenticateForm):
    """Form of the second factor at sign-in. A wrong code is logged."""

    def clean_code(self) -> str:
        try:
            return str(super().clean_code())
        except ValidationError:
            note_failed(account=self.user.get_username())
            raise


class ResetPasswordKeyForm(_SaysWhatEnds, forms.ResetPasswordKeyForm):
    """Form of a new password, by the link in a mail."""
