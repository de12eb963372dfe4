"""Parsing of settings that list addresses and networks, such as trusted proxies."""

from __future__ import annotations

from collections.abc import Iterable

from django.core.exceptions import ImproperlyConfigured

from core.client_info import Network, parse_networks


def parse_proxies(names: Iterable[str], *, variable: str = "WARHOST_TRUSTED_PROXIES") -> tuple[Network, ...]:
    """Return the addresses and networks in such a setting. Raises `ImproperlyConfigured`."""
    try:
        return parse_networks(names)
    except ValueError as error:
        raise ImproperlyConfigured(
            f"{variable}: {error}. Write addresses or networks with commas, e.g. 127.0.0.1,10.0.0.0/8."
        ) from None
