"""Every page of a campaign, by pages' and programs' addresses: for whoever wants to know that all of them answer."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from django.test import Client

from armies.breaking_point.models import FortifiedPlace, SiegeRow
from armies.models import Army, Commander
from armies.pathfinder.models import KingdomStock, UnitType
from battles.models import Battle
from kingdom.models import Campaign, Kingdom, Note, Settlement, User
from tests.kingdom.conftest import api_of, client_of
from tests.manners.doors import PART, patterns

ROWS = {
    "campaign_id": Campaign, "campaigns": Campaign, "kingdom_id": Kingdom, "kingdoms": Kingdom, "army_id": Army,
    "armies": Army, "commander_id": Commander, "commanders": Commander, "settlement_id": Settlement,
    "settlements": Settlement, "battle_id": Battle, "battles": Battle, "place_id": FortifiedPlace,
    "places": FortifiedPlace, "siege_id": SiegeRow, "sieges": SiegeRow, "stores": KingdomStock, "note_id": Note,
    "notes": Note,
}  # fmt: skip
"""What the part of an address names."""
NOTHING_READ = ("undo", "stream", "/live")


def addresses_of(campaign: Campaign, most: int | None = None) -> Iterator[str]:
    """All that can be read of it, of at most so many rows of each kind."""
    ids = {name: _ids_of(model, campaign)[:most] for name, model in ROWS.items()}
    ids |= {"table": ["armies", "units"], "seq": ["1"], "slug": _slugs_of(campaign)}
    for pattern in patterns():
        parts = [_named(pattern, part) for part in PART.findall(pattern)]
        if parts and not any(word in pattern for word in NOTHING_READ):
            yield from _filled(pattern, [ids.get(part, []) for part in parts])


def _named(pattern: str, part: str) -> str:
    return pattern.removeprefix("/api/v1").split("/")[1] if part == "pk" else part


def _filled(pattern: str, values: list[list[str]]) -> Iterator[str]:
    for chosen in product(*values):
        left = iter(chosen)
        yield PART.sub(lambda _part, left=left: next(left), pattern)


def _ids_of(model: Any, campaign: Campaign) -> list[str]:
    found = model._default_manager.filter(**({"pk": campaign.pk} if model is Campaign else {"campaign": campaign.pk}))
    return [str(pk) for pk in found.order_by("pk").values_list("pk", flat=True)]


def _slugs_of(campaign: Campaign) -> list[str]:
    return list(UnitType.objects.filter(campaign=campaign).values_list("slug", flat=True))


def broken_pages(gm: User, campaign: Campaign, most: int | None = None, within: str = "/") -> list[str]:
    """Those that do not answer, of at most so many rows of each kind. `within`: how the addresses begin."""
    pages, api = client_of(gm), api_of(gm)
    found = []
    for address in addresses_of(campaign, most):
        if not address.startswith(within):
            continue
        client: Client = api if address.startswith("/api/") else pages
        client.raise_request_exception = False
        code = client.get(address).status_code
        if code >= 500:
            found.append(f"{address}: {code}")
    return found
