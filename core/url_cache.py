"""URL cache: a page names the same few hundred addresses, so each is reversed once."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import get_script_prefix, reverse


def get_origin(request: HttpRequest) -> str:
    """The site's configured address, for what is passed on: invitations, links, mails, webhooks. Where none is
    configured, the site as whoever asks has reached it.
    """
    return settings.SITE_URL or reached_at(request)


def reached_at(request: HttpRequest) -> str:
    """The site as whoever asks says they have reached it."""
    return request.build_absolute_uri("/").rstrip("/")


def build_absolute_url(request: HttpRequest, path: str) -> str:
    """The address of one of the site's pages, to be passed on."""
    return get_origin(request) + path


def get_url(name: str, *args: Any) -> str:
    """As `reverse` says it. Raises `NoReverseMatch`."""
    return _address(get_script_prefix(), name, args)


@lru_cache(maxsize=4096)
def _address(prefix: str, name: str, args: tuple[Any, ...]) -> str:
    """`prefix`: where the site hangs, which `reverse` puts in front by itself."""
    return reverse(name, args=args)
