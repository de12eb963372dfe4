"""Account forms whose texts differ from allauth's."""

from __future__ import annotations

from typing import Any

from allauth.account import forms
from allauth.mfa.base import forms as mfa_forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from kingdom.accounts.services import note_failed

DIFFER = _("The two passwords differ. Enter them again.")
ENDS = _("Changing the password ends all other sessions and revokes your API tokens.")


class _TwoPasswords:
    """Form with a new password to be typed twice."""

    cleaned_data: dict[str, Any]

    def add_error(self, field: str | None, error: Any) -> None:
        first, second = (self.cleaned_data.get(name) for name in ("password1", "password2"))
        if field == "password2" and first and second and first != second:
            error = DIFFER
        super().add_error(field, error)  # type: ignore[misc]


class SignupForm(_TwoPasswords, forms.SignupForm):
    """Form to create an account."""


class _SaysWhatEnds(_TwoPasswords):
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


class SetPasswordForm(_TwoPasswords, forms.SetPasswordForm):
    """Form of the first password of an account that has none."""
