"""Mail settings: EMAIL_URL as Django's MAILERS, and the setting when no mail is sent."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

UNSENT = (OSError, ImproperlyConfigured)
"""What sending a mail raises where it cannot: `smtplib`'s own errors are among the first."""


PRINTED = "config.console_mail.ConsoleMail"


class MailAway(Exception):
    """A mail was all that was asked for, and it cannot be sent."""


def leaves(kept: dict[str, dict[str, Any]]) -> bool:
    """Whether mail goes to a server."""
    return kept["default"]["BACKEND"].endswith("smtp.EmailBackend")


def find_site_url(told: str, *, origins: list[str], names: list[str]) -> str:
    """WARHOST_URL, else the first origin or name the site is configured for that is no pattern; "" for none."""
    known = [*origins, *(f"https://{name}" for name in names if not name.startswith("."))]
    url = told.rstrip("/") or next((one for one in known if "*" not in one), "")
    parts = urlsplit(url)
    plain = parts.scheme in ("http", "https") and parts.hostname and url == f"{parts.scheme}://{parts.netloc}"
    if url and (not plain or "@" in url):
        raise ImproperlyConfigured(f"WARHOST_URL: write it as https://warhost.example.org, not {url}.")
    return url


def build_mailers(url: dict[str, Any]) -> dict[str, dict[str, Any]]:
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
