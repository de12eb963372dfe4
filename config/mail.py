"""EMAIL_URL in the shape of Django's MAILERS, and what it is when no mail leaves."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ImproperlyConfigured

UNSENT = (OSError, ImproperlyConfigured)
"""What sending a mail raises where it cannot: `smtplib`'s own errors are among the first."""


PRINTED = "config.console_mail.ConsoleMail"


class MailAway(Exception):
    """A mail was all that was asked for, and it cannot be sent."""


def mailers(url: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """One mailer from what django-environ reads in EMAIL_URL: `smtp+tls://user:password@host:587` or `consolemail://`."""
    backend = url["EMAIL_BACKEND"]
    if not backend.endswith("smtp.EmailBackend"):
        printed = backend.endswith("console.EmailBackend")
        return {"default": {"BACKEND": PRINTED if printed else backend}}
    options = {
        "host": url["EMAIL_HOST"],
        "port": url["EMAIL_PORT"],
        "username": url["EMAIL_HOST_USER"],
        "password": url["EMAIL_HOST_PASSWORD"],
        "use_tls": url.get("EMAIL_USE_TLS", False),
        "use_ssl": url.get("EMAIL_USE_SSL", False),
        "timeout": 10,
    }
    return {"default": {"BACKEND": backend, "OPTIONS": {k: v for k, v in options.items() if v is not None}}}
