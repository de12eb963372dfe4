"""Passkeys: forms for what a browser answers, and how many an account may have.

What a browser sends is checked by `fido2`; it expects a browser, and breaks in many ways at what anybody else sends.
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

MOST = 20  # of an account
NAME_LONGEST = 60
ANSWER_LONGEST = 20_000  # characters: attested ones have two or three thousand
BROKEN = (
    *(ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError),
    *(struct.error, UnsupportedAlgorithm),
)
"""What reading an answer that no browser gave may raise."""


class _Answered(Form):
    """A form around a browser's answer, `credential`: whatever is no such answer is refused.

    It is kept as JSON in the database, which knows no NUL.
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
    """A new passkey. One without a name is given one: the device has made it by then."""

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
    """Another name for a passkey."""

    name = CharField(label=gettext_lazy("Name"), max_length=NAME_LONGEST)


class _Checked(_Answered):
    """A passkey as the proof of who somebody is. A wrong one stands in the account's security log."""

    user: User | None

    def clean_credential(self) -> Any:
        try:
            return super().clean_credential()
        except ValidationError:
            if self.user is not None:
                note_failed(account=self.user.get_username())
            raise


class SecondStepForm(_Checked, forms.AuthenticateWebAuthnForm):
    """At the door, after the password."""


class SignInForm(_Checked, forms.LoginWebAuthnForm):
    """At the door, alone. Whose it claims to be is only known once it was right."""


class AgainForm(_Checked, forms.ReauthenticateWebAuthnForm):
    """Before something that only the owner themselves may do."""
