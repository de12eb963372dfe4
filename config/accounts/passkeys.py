"""Forms for passkeys: the browser's answers, and the number of passkeys of an account.

`fido2` checks the answers. It raises many kinds of errors for input that no browser sends.
"""

from __future__ import annotations

import struct
from typing import Any

from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn import forms
from cryptography.exceptions import UnsupportedAlgorithm
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, ProhibitNullCharactersValidator
from django.forms import BooleanField, CharField, Form, HiddenInput, JSONField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from kingdom.accounts.services import note_failed
from kingdom.models import User

MOST = 20  # passkeys of an account
NAME_LONGEST = 60
ANSWER_LONGEST = 20_000  # characters: attested ones have two or three thousand
BROKEN = (
    *(ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError),
    *(struct.error, UnsupportedAlgorithm),
)
"""Errors that reading a malformed answer may raise."""


class _Answered(Form):
    """Form with a browser's answer in `credential`. Malformed answers are refused.

    The answer is stored as JSON in the database, which cannot hold NUL.
    """

    credential = JSONField(widget=HiddenInput, error_messages={"required": gettext_lazy("No passkey was chosen.")})

    def clean_credential(self) -> Any:
        text = self.data.get(self.add_prefix("credential"), "")
        if len(text) > ANSWER_LONGEST or "\\u0000" in text:
            raise get_adapter().validation_error("incorrect_code")
        try:
            above = getattr(super(), "clean_credential", None)
            return above() if above else self.cleaned_data["credential"]
        except (ValidationError, *BROKEN) as error:
            raise get_adapter().validation_error("incorrect_code") from error


class AddForm(_Answered, forms.AddWebAuthnForm):
    """Form to add a passkey. A missing name is filled in, since the device has created the key already."""

    def __init__(self, *args: Any, **options: Any):
        super().__init__(*args, **options)
        name = self.fields["name"]
        name.label, name.help_text = _("Name"), _("For example, the device it is on.")
        name.validators += [MaxLengthValidator(NAME_LONGEST), ProhibitNullCharactersValidator()]
        name.widget.attrs["maxlength"] = NAME_LONGEST
        self.fields["passwordless"] = BooleanField(
            label=_("Sign in with this passkey alone, without a password"),
            required=False,
            initial=True,
            help_text=_(
                "Your device then asks for your fingerprint, your face or a PIN. Otherwise the passkey is a second "
                "step after your password, as with simple security keys."
            ),
        )
        self.order_fields(["name", "passwordless"])

    def clean(self) -> dict[str, Any]:
        kept = Authenticator.objects.filter(user=self.user, type=Authenticator.Type.WEBAUTHN).count()
        if kept >= MOST:
            words = _("An account can have %(most)d passkeys at most. Remove one you no longer use.")
            raise ValidationError(words % {"most": MOST}, code="too_many")
        try:
            return super().clean() or {}
        except BROKEN as error:
            raise get_adapter().validation_error("incorrect_code") from error


class RenameForm(forms.EditWebAuthnForm):
    """Form to rename a passkey."""

    name = CharField(label=gettext_lazy("Name"), max_length=NAME_LONGEST)


class _Checked(_Answered):
    """Form with a passkey that proves who the user is. A wrong one is logged in the account's security log."""

    user: User | None

    def clean_credential(self) -> Any:
        try:
            return super().clean_credential()
        except ValidationError:
            if self.user is not None:
                note_failed(account=self.user.get_username())
            raise


class SecondStepForm(_Checked, forms.AuthenticateWebAuthnForm):
    """Form of a passkey at sign-in, after the password."""


class SignInForm(_Checked, forms.LoginWebAuthnForm):
    """Form to sign in with a passkey alone. The account is known only if it is valid."""


class AgainForm(_Checked, forms.ReauthenticateWebAuthnForm):
    """Form to reauthenticate with a passkey."""
