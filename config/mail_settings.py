"""Mail settings: EMAIL_URL as Django's MAILERS, and a backend that prints mails in development."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured
from django.core.mail.backends.console import EmailBackend

UNSENT = (OSError, ImproperlyConfigured)
"""Errors of sending a mail; `smtplib`'s own are subclasses of OSError."""


PRINTED = "config.mail_settings.ConsoleMail"


class MailAway(Exception):
    """The mail that was the whole purpose of the request cannot be sent."""


def leaves(kept: dict[str, dict[str, Any]]) -> bool:
    """Return whether mail goes to a server."""
    return kept["default"]["BACKEND"].endswith("smtp.EmailBackend")


def find_site_url(told: str, *, origins: list[str], names: list[str]) -> str:
    """Return WARHOST_URL, or else the first configured origin or name without a pattern; "" for none. Raises
    `ImproperlyConfigured`.
    """
    known = [*origins, *(f"https://{name}" for name in names if not name.startswith("."))]
    url = told.rstrip("/") or next((one for one in known if "*" not in one), "")
    parts = urlsplit(url)
    plain = parts.scheme in ("http", "https") and parts.hostname and url == f"{parts.scheme}://{parts.netloc}"
    if url and (not plain or "@" in url):
        raise ImproperlyConfigured(f"WARHOST_URL: write it as https://warhost.example.org, not {url}.")
    return url


def build_mailers(url: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return MAILERS for what django-environ reads in EMAIL_URL: `smtp+tls://user:password@host:587` or
    `consolemail://`.
    """
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


# Mail backend for development: prints mail while EMAIL_URL names no server. A mail may hold a key (a new password, a
# confirmed address), so its text is printed only on a terminal; a log just notes the mail.


DEVELOPMENT = "For development: this mail is printed and not sent, for EMAIL_URL names no server."
KEPT_BACK = "Its text is printed on a terminal only, for it may hold a link that opens an account."


class ConsoleMail(EmailBackend):
    def write_message(self, message: Any) -> None:
        self.stream.write(f"{DEVELOPMENT}\n")
        if self.stream.isatty():
            super().write_message(message)
            return
        self.stream.write(f"Subject: {' '.join(str(message.subject).split())}\n{KEPT_BACK}\n")
