"""Armies whose sheets the law no longer reads, as after its content has changed: they are shown as far as they go."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from armies.models import Army
from tests.battles.breaking_point.conftest import river  # noqa: F401 (fixture)
from tests.battles.conftest import demonstration  # noqa: F401 (fixture)
from tests.everyday import at_most, everyday
from tests.walking import Walk

pytestmark = pytest.mark.django_db
UNREAD = {
    "type": ("unit", "creature_type", "gone"),
    "ability": ("unit", "abilities", [{"ability": "gone"}]),
    "field": ("unit", "gone", 1),
    "rating": ("unit", "cr", "9/7"),
}


def spoil(campaign: Any, *change: Any) -> None:
    *path, value = change
    for army in Army.objects.filter(campaign=campaign):
        within = army.sheet
        for name in path[:-1]:
            within = within[name]
        within[path[-1]] = value
        Army.objects.filter(pk=army.pk).update(sheet=army.sheet)


def walked(table: Any) -> list[str]:
    walk = Walk(table.gm)
    walk.client.raise_request_exception = False
    walk.from_(f"/c/{table.campaign.pk}/")
    assert len(walk.pages) > 20
    return walk.faults


@pytest.mark.parametrize("spoilt", everyday(list(UNREAD), first=0))
def test_every_page_goes_on_without_what_is_not_read(demonstration, spoilt):  # noqa: F811
    spoil(demonstration.campaign, *UNREAD[spoilt])
    assert walked(demonstration) == []


PAGES = ("/c/{campaign}/", "/c/{campaign}/armies/", "/c/{campaign}/map/?army={army}", "/c/{campaign}/time/",
         "/c/{campaign}/battles/new/", "/kingdoms/{kingdom}/", "/kingdoms/{kingdom}/armies/cards/", "/armies/{army}/",
         "/armies/{army}/edit/", "/api/v1/armies/{army}/", "/api/v1/kingdoms/{kingdom}/")  # fmt: skip


OF_UNITS: dict[str, dict[str, Any]] = {"type": {"type": "gone"}, "machine": {"machine": "gone"}, "field": {"gone": 1}}


def opened(table: Any) -> Client:
    """The GM's browser, by which every page was opened: every day of an army of each kingdom."""
    client = Client()
    client.force_login(table.gm)
    armies = Army.objects.filter(campaign=table.campaign).order_by("pk")
    one_each = {army.kingdom_id: army for army in armies}.values()
    named = [
        {"campaign": table.campaign.pk, "kingdom": army.kingdom_id, "army": army.pk}
        for army in at_most([*one_each], full=[*armies])
    ]
    for address in sorted({page.format(**each) for each in named for page in PAGES}):
        assert client.get(address, follow=True).status_code in (200, 404), address
    return client


def test_pages_stand_without_what_is_not_read_and_what_cannot_be_made_of_it_says_why(demonstration):  # noqa: F811
    spoil(demonstration.campaign, *UNREAD["type"])
    client, army = opened(demonstration), Army.objects.filter(campaign=demonstration.campaign)[0]
    refused = client.get(f"/armies/{army.pk}/foundry.json")
    assert refused.status_code == 422
    assert "Choose one of: aberration" in refused.content.decode()


def test_nor_do_pages_of_the_second_law_fall(river):  # noqa: F811
    units = Army.objects.filter(campaign=river.campaign)[0].sheet["units"]
    spoil(river.campaign, "units", [{**units[0], **OF_UNITS["type"]}])
    opened(river)


@pytest.mark.parametrize("spoilt", everyday(list(OF_UNITS), first=0))
def test_nor_does_the_second_law_stop(river, spoilt):  # noqa: F811
    units = Army.objects.filter(campaign=river.campaign)[0].sheet["units"]
    spoil(river.campaign, "units", [{**units[0], **OF_UNITS[spoilt]}])
    assert walked(river) == []
