"""Adapter of django-allauth, and rate limits of account forms: who may sign up and sign in, and how often."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any, ClassVar
from urllib.parse import urlsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.stagekit import get_pending_stage
from allauth.core import context
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from config.mail_settings import UNSENT, MailAway
from core.clean_input import has_visible_text
from core.client_info import device_of, get_limit_address, remember_device, wait_words
from core.queries import find_one
from core.text import get_origin, reached_at
from kingdom.accounts import rate_limits
from kingdom.accounts.queries import find_latin_twin, looks_like_another
from kingdom.accounts.rate_limits import Limit, render_too_often
from kingdom.accounts.services import (
    Happening,
    end_sessions,
    end_tokens,
    is_due,
    is_over,
    note,
    note_failed,
    note_sign_in,
)
from kingdom.models import User

SIGNUP = Limit("signup", 20, 60)
RESET_ADDRESS = Limit("reset-address", 20, 60)
RESET_MAIL = Limit("reset-mail", 3, 60)
CODE = Limit("code", 10, 10)
CODE_ADDRESS = Limit("code-address", 30, 10)
PASSKEY = Limit("passkey", 60, 10)  # by address; requesting a challenge and answering it count one each
OWN_PASSWORD = Limit("own-password", 10, 10)


# Security log events by allauth's mail template.
CHANGES = {
    "account/email/password_changed": Happening.PASSWORD_CHANGED,
    "account/email/password_set": Happening.PASSWORD_CHANGED,
    "account/email/password_reset": Happening.PASSWORD_RESET,
    "account/email/email_changed": Happening.MAIL_CHANGED,
    "account/email/email_confirm": Happening.MAIL_CHANGED,
    "account/email/email_deleted": Happening.MAIL_CHANGED,
    "mfa/email/totp_activated": Happening.FACTOR_ON,
    "mfa/email/totp_deactivated": Happening.FACTOR_OFF,
    "mfa/email/webauthn_added": Happening.PASSKEY_ADDED,
    "mfa/email/webauthn_removed": Happening.PASSKEY_REMOVED,
    "mfa/email/recovery_codes_generated": Happening.CODES_MADE,
}
ALL_THAT_WAS_ASKED = ("account/email/password_reset_key", "account/email/unknown_account")
"""Mails that are the whole purpose of a request. They fail alike whether or not the account exists."""
CONFIRMATION_SENT = "account/messages/email_confirmation_sent.txt"
log = logging.getLogger(__name__)


class AccountAdapter(DefaultAccountAdapter):
    error_messages: ClassVar = {
        **DefaultAccountAdapter.error_messages,
        "duplicate_email": gettext_lazy("Your account has this email address already."),
        "email_taken": gettext_lazy("Another account has this email address. Enter another one."),
        "enter_current_password": gettext_lazy("This isn’t your current password. Enter it again."),
        "incorrect_code": gettext_lazy("This code isn’t right. Enter the newest one."),
        "incorrect_password": gettext_lazy("This password isn’t right. Enter it again."),
        "invalid_password_reset": gettext_lazy("This link no longer works. Ask for a new email."),
        "unknown_email": gettext_lazy("No account has this email address. Enter another one."),
        "unverified_primary_email": gettext_lazy("Confirm your primary email address first."),
        "username_password_mismatch": gettext_lazy("Wrong username or password."),
        "username_taken": gettext_lazy("This username is taken. Choose another one."),
    }
    """What allauth answers to wrong input, in the site's own words."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Return False with WARHOST_SIGNUP=off; the administrator then creates accounts with `manage.py
        createsuperuser`.
        """
        return bool(settings.SIGNUP_OPEN)

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Return the username, validated. Django's own check accepts invisible letters. Raises `ValidationError`."""
        if len(words := username.split()) > 1:
            raise ValidationError(
                _("A name has no spaces. You could write “%(name)s”."), params={"name": "_".join(words)}
            )
        cleaned = str(super().clean_username(username, shallow=shallow))
        if not has_visible_text(cleaned):
            raise ValidationError(_("This can’t be empty."))
        if looks_like_another(cleaned):
            raise ValidationError(
                _("This name mixes alphabets or uses look-alike letters. Use letters of one alphabet only.")
            )
        twin = find_latin_twin(cleaned)
        if twin and not shallow and User.objects.filter(username__iexact=twin).exists():
            raise ValidationError(_("This name looks too much like another account’s. Choose another one."))
        return cleaned

    @transaction.atomic
    def set_password(self, user: Any, password: str) -> None:
        """Set the password and end all tokens and other sessions, so that people who knew the old one lose access."""
        super().set_password(user, password)
        end_tokens(of=user)
        end_sessions(of=user, but=_own_session(user))

    def send_notification_mail(self, template_prefix: str, user: Any, *args: Any, **told: Any) -> None:
        """Send allauth's mail about a change of the account, and add the change to its security log."""
        if kind := CHANGES.get(template_prefix):
            note(kind, of=user)
        super().send_notification_mail(template_prefix, user, *args, **told)

    def send_mail(self, template_prefix: str, email: str, told: dict[str, Any]) -> None:
        """Send a mail. If that fails, a new account or address stays, and the failure is only logged. Raises `MailAway`
        if the mail was the whole purpose of the request.
        """
        try:
            super().send_mail(template_prefix, email, _passed_on(told))
        except UNSENT as error:
            if template_prefix in ALL_THAT_WAS_ASKED:
                raise MailAway(f"{type(error).__name__}: {error}") from error  # logged in one line
            log.exception("A mail could not be sent: %s", template_prefix)
            if context.request is not None:
                context.request.mail_unsent = True

    def format_email_subject(self, subject: str) -> str:
        return f"[{_site_name()}] {subject}"

    def add_message(
        self, request: HttpRequest, level: int, message_template: str | None = None, *given: Any, **options: Any
    ) -> None:
        """Add a message; if the confirmation mail could not be sent, say that instead."""
        if message_template == CONFIRMATION_SENT and getattr(request, "mail_unsent", False):
            messages.warning(request, _("The confirmation email could not be sent. Ask for it again later."))
            return
        super().add_message(request, level, message_template, *given, **options)

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        super().authentication_failed(request, **credentials)
        note_failed(account=_who(request, credentials)["account"])

    def logout(self, request: HttpRequest) -> None:
        if request.user.is_authenticated:
            note(Happening.SIGNED_OUT, of=request.user)
        super().logout(request)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count the attempt before the password is checked. Raises `ValidationError` for too many."""
        if wait := rate_limits.try_password(**_who(request, credentials)):
            raise ValidationError(wait_words(wait), code="too_many_login_attempts")

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Any:
        user = super().authenticate(request, **credentials)
        if user:
            rate_limits.password_was_right(**_who(request, credentials))
        return user

    def post_login(self, request: HttpRequest, user: Any, **told: Any) -> HttpResponse:
        response = super().post_login(request, user, **told)
        remember_device(request, response, user.get_username().casefold())
        note(Happening.SIGNED_IN, of=user)
        return response


def _passed_on(told: dict[str, Any]) -> dict[str, Any]:
    """Return a mail's context with the site's own address, so that a request with another Host cannot put that into a
    mail to somebody else.
    """
    if (request := context.request) is None:
        return told
    reached, site = f"{reached_at(request)}/", f"{get_origin(request)}/"
    named = SimpleNamespace(domain=_site_name(), name=_site_name())
    return {"current_site": named} | {
        name: site + value.removeprefix(reached) if isinstance(value, str) and value.startswith(reached) else value
        for name, value in told.items()
    }


def _site_name() -> str:
    return urlsplit(get_origin(context.request)).netloc if context.request is not None else "Warhost"


def _own_session(user: Any) -> str:
    """Return the key of the user's present session; "" if the request is not theirs."""
    request = context.request
    return (request.session.session_key or "") if request is not None and request.user == user else ""


def _who(request: HttpRequest, credentials: dict[str, Any]) -> dict[str, str]:
    account = str(credentials.get("username") or credentials.get("email") or "").casefold()
    return {"address": get_limit_address(request), "account": account, "device": device_of(request, account)}


class Gates:
    """Middleware that limits how often forms that guess, create or mail something may be sent."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        name = (request.resolver_match.url_name or "") if request.resolver_match else ""
        gate = GATES.get(name)
        if gate is None or (request.method != "POST" and name not in KEEP_SOMETHING):
            return None
        for limit, who in gate(request):
            if wait := rate_limits.count_attempt(limit, who):
                return render_too_often(request, wait_words(wait), wait)
        return None


type Counted = Iterator[tuple[Limit, str]]


def _signup(request: HttpRequest) -> Counted:
    yield SIGNUP, get_limit_address(request)


def _reset(request: HttpRequest) -> Counted:
    yield RESET_ADDRESS, get_limit_address(request)
    if mail := request.POST.get("email", "").strip().casefold():
        yield RESET_MAIL, mail


def _reset_key(request: HttpRequest) -> Counted:
    yield RESET_ADDRESS, get_limit_address(request)


def _code(request: HttpRequest) -> Counted:
    """Yield the limits of a second factor. A known device of the owner is counted apart."""
    stage = get_pending_stage(request)
    user = stage.login.user if stage else None
    if user is None:
        return
    device = device_of(request, user.get_username().casefold())
    if not device:
        yield CODE_ADDRESS, get_limit_address(request)
    yield CODE, f"{user.pk}:{device}"


def _passkey(request: HttpRequest) -> Counted:
    """Yield the limit of passkeys: they cannot be guessed, but each attempt costs work and a session row."""
    yield PASSKEY, get_limit_address(request)


def _own(request: HttpRequest) -> Counted:
    if request.user.is_authenticated:
        yield OWN_PASSWORD, str(request.user.pk)


GATES: dict[str, Callable[[HttpRequest], Counted]] = {
    "account_signup": _signup,
    "join_as_guest": _signup,
    "account_reset_password": _reset,
    "account_reset_password_from_key": _reset_key,
    "mfa_authenticate": _code,
    "account_reauthenticate": _own,
    "mfa_login_webauthn": _passkey,
    "mfa_reauthenticate": _own,
    "mfa_reauthenticate_webauthn": _own,
    "account_change_password": _own,
    "account_email": _own,
}
KEEP_SOMETHING = {"mfa_login_webauthn"}
"""View names whose GET also stores something in the database."""


# Password validators beside Django's own.

WORDS = ("warhost", "pathfinder", "kingmaker", "kingdom", "royaume", "army", "armee", "gamemaster")
"""Words that attackers try first (docs/asvs.md)."""


class NotOurWords:
    """Password validator: no word of this site with only numbers and signs around it."""

    def validate(self, password: str, user: object = None) -> None:
        letters = re.sub("[^a-z]", "", password.lower())
        if any(letters.removeprefix("my").removeprefix("the").rstrip("s") == word for word in WORDS):
            raise ValidationError(
                _("This password is a word from this site with numbers around it. Choose another one."),
                code="password_of_this_site",
            )

    def get_help_text(self) -> str:
        return _("Your password can’t be the name of this site or one of its words, even with numbers added.")


# Session store in the database, which also records when and where sessions are used.

KEY = re.compile("[0-9a-z]+")


class SessionStore(db.SessionStore):
    """Django's session store, which reads the last use with the session in one query. Malformed keys are not looked up:
    a NUL in a cookie would be an error in the database. Sign-ins and uses are recorded for the user.
    """

    noted = ""  # the key whose use is recorded already

    def _validate_session_key(self, key: Any) -> bool:
        return bool(super()._validate_session_key(key) and KEY.fullmatch(key))  # type: ignore[misc]

    def _get_session_from_db(self) -> Any:
        valid = Session.objects.filter(session_key=self.session_key, expire_date__gt=timezone.now())
        found: Any = find_one(valid.annotate(seen=F("sign_in__seen"), since=F("sign_in__since")))
        if found is None:
            self._session_key = None
        elif found.seen and is_over(since=found.since, seen=found.seen):
            found = self._session_key = None
        elif found.seen and not is_due(found.seen):
            self.noted = found.session_key
        return found

    def load(self) -> Any:
        data = super().load()
        if self.noted != self.session_key and SESSION_KEY in data:
            self._note(data[SESSION_KEY])
        return data

    def save(self, must_create: bool = False) -> None:
        super().save(must_create)
        if not must_create and self.noted != self.session_key and (user := self.get(SESSION_KEY)):
            self._note(user)

    def _note(self, user: str) -> None:
        key = self.session_key or ""
        note_sign_in(session=key, user=user)
        self.noted = key
