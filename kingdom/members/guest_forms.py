"""Forms of guests: joining by a name, and creating the account that keeps the seat."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter
from django import forms
from django.contrib.auth.forms import SetPasswordMixin
from django.utils.translation import gettext_lazy as _

from core.clean_input import NAME_MAX
from kingdom.models import User


class GuestForm(forms.Form):
    """Form for the name of a guest. The rules for usernames apply."""

    name = forms.CharField(
        label=_("Your name"),
        max_length=NAME_MAX,
        help_text=_("Letters, digits and @ . + - _, without spaces. Everyone in the campaign sees it."),
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )

    def clean_name(self) -> str:
        return str(get_adapter().clean_username(self.cleaned_data["name"]))


class KeepSeatForm(SetPasswordMixin, forms.Form):
    """Form for the name and password of the account that a guest becomes."""

    name = forms.CharField(
        label=_("Username"), max_length=NAME_MAX, widget=forms.TextInput(attrs={"autocomplete": "username"})
    )
    password1, password2 = SetPasswordMixin.create_password_fields()

    def __init__(self, *args: Any, user: User, **options: Any):
        super().__init__(*args, **{"initial": {"name": user.username}, **options})
        self.user = user

    def clean_name(self) -> str:
        own = self.cleaned_data["name"].casefold() == self.user.username.casefold()
        return str(get_adapter().clean_username(self.cleaned_data["name"], shallow=own))

    def clean(self) -> dict[str, Any]:
        self.validate_passwords()
        self.validate_password_for_user(User(username=self.cleaned_data.get("name", "")))
        return self.cleaned_data
