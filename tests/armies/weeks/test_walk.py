"""How often a passage of time asks the database, from the first query of its request to the last."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from kingdom.models import Campaign, User
from kingdom.onboarding.checklist import make
from tests.armies.weeks.test_pages import browser, mark_of
from tests.kingdom.conftest import api_of, make_user
from tests.worlds import built_once

pytestmark = pytest.mark.django_db
FRAME = ("SAVEPOINT", "RELEASE")  # the transaction itself, which the tests have begun already


@built_once
def demo(db: None) -> tuple[User, Campaign]:
    """Two kingdoms, six armies with commanders, a battle over and one half fought."""
    gm = make_user("gm")
    return gm, make(owner=gm)


class Counted(CaptureQueriesContext):
    def __init__(self) -> None:
        super().__init__(connection)

    @property
    def asked(self) -> list[str]:
        return [query["sql"] for query in self.captured_queries if not query["sql"].startswith(FRAME)]

    def at_most(self, most: int) -> None:
        assert len(self.asked) <= most, "\n".join(self.asked)


def form_of(client: Any, url: str) -> dict[str, Any]:
    """What the page sends if nobody touches it."""
    form = client.get(url).context["form"]
    fields = {name: form[name].initial for name in form.fields if name not in ("mark", "day")}
    return {name: value for name, value in fields.items() if value not in (None, "", [])}


def test_the_page_of_time_asks_little(war):
    assert_page_asks_little(war.gm, war.campaign)


@pytest.mark.slow
def test_the_page_of_time_asks_little_of_a_campaign_with_battles(demo):
    assert_page_asks_little(*demo)


def assert_page_asks_little(gm: User, campaign: Campaign) -> None:
    client, url = browser(gm), f"/c/{campaign.pk}/time/"
    client.get(url)
    with Counted() as drawn:
        assert client.get(url).status_code == 200
    drawn.at_most(11)
    fields = form_of(client, url)
    with Counted() as proposed:
        shown = client.post(url, {**fields, "do": "preview"})
    assert shown.context["proposal"].payments
    proposed.at_most(23)
    confirm = {**fields, "do": "confirm", "day": str(campaign.day), "mark": mark_of(shown)}
    with Counted() as confirmed:
        assert client.post(url, confirm).status_code == 302
    confirmed.at_most(35)  # whether a webhook listens and who has mails among them
    assert Campaign.objects.get(pk=campaign.pk).day == campaign.day + 7


def test_time_by_the_api_asks_little(war):
    assert_program_asks_little(war.gm, war.campaign)


@pytest.mark.slow
def test_time_by_the_api_asks_little_of_a_campaign_with_battles(demo):
    assert_program_asks_little(*demo)


def assert_program_asks_little(gm: User, campaign: Campaign) -> None:
    client, url = api_of(gm), f"/api/v1/campaigns/{campaign.pk}/advance/"
    with Counted() as proposed:
        shown = client.post(url, {"to": "week"}, format="json").json()
    proposed.at_most(13)
    assert len(set(proposed.asked)) == len(proposed.asked)  # nothing is read twice
    body = {"to": "week", "confirm": True, "mark": shown["mark"]}
    with Counted() as confirmed:
        assert client.post(url, body, format="json").status_code == 200
    confirmed.at_most(32)
