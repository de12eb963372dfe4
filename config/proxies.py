"""Which proxies are believed."""

from __future__ import annotations

from collections.abc import Iterable

from django.core.exceptions import ImproperlyConfigured

from kingdom.clients import Network, networks


def proxies(names: Iterable[str]) -> tuple[Network, ...]:
    """WARHOST_TRUSTED_PROXIES: addresses and networks."""
    try:
        return networks(names)
    except ValueError as error:
        raise ImproperlyConfigured(
            f"WARHOST_TRUSTED_PROXIES: {error}. Write addresses or networks with commas, e.g. 127.0.0.1,10.0.0.0/8."
        ) from None
