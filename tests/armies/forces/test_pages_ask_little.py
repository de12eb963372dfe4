"""What the pages of a campaign ask of the database: fifteen queries each at most, for whoever sits at the table."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from armies.pathfinder.models import WeekChoices
from armies.pathfinder.weeks import outlook
from armies.pathfinder.weeks.mapping import find_loaded_choices, load_troop_totals
from kingdom.campaign.queries import load_board
from kingdom.models import Campaign, Kingdom, KingdomPlayer
from tests.battles.conftest import demonstration  # noqa: F401 (fixture)
from tests.everyday import by_turns
from tests.kingdom.conftest import make_user, seat

MOST = 15  # two of them are who sits where, and what was told of armies
PAGES = {
    "campaign": "/c/{campaign}/",
    "kingdom": "/kingdoms/{kingdom}/",
    "other kingdom": "/kingdoms/{other}/",
    "time": "/c/{campaign}/time/",
    "units": "/c/{campaign}/units/",
    "chronicle": "/c/{campaign}/chronicle/",
    "battles": "/c/{campaign}/battles/",
    "set-up": "/c/{campaign}/battles/new/",
}


def asked_by(client: Client, path: str, *, again: bool = True) -> tuple[int, list[str]]:
    """`again`: the second time, for the first puts together what is kept, for everybody at the table."""
    if again:
        client.get(path)
    with CaptureQueriesContext(connection) as counted:
        status = client.get(path).status_code
    return status, [query["sql"] for query in counted.captured_queries]


def test_every_page_of_a_campaign_asks_fifteen_queries_at_most(demonstration: Any) -> None:  # noqa: F811
    gm, campaign = demonstration.gm, demonstration.campaign
    crown, horde = Kingdom.objects.filter(campaign=campaign).order_by("id")
    player, viewer = (seat(gm, campaign, make_user(role), role) for role in ("player", "viewer"))
    KingdomPlayer.objects.create(campaign=campaign, kingdom=crown, user=player)
    places = {"campaign": campaign.pk, "kingdom": crown.pk, "other": horde.pk}
    too_many = {}
    for user in (gm, player, viewer):
        client = Client()
        client.force_login(user)
        for name, page in PAGES.items():
            if user not in (gm, *by_turns(name, (player, viewer))):
                continue
            status, asked = asked_by(client, page.format(**places), again=(user, name) == (gm, "campaign"))
            assert status == (403 if name == "set-up" and user != gm else 200), (user, name)
            if len(asked) > MOST:
                too_many[user.username, name] = asked
    assert not too_many, "\n".join(line for asked in too_many.values() for line in ("--", *asked))


def test_armies_too_many_to_be_named_cost_no_more(demonstration: Any, monkeypatch: Any) -> None:  # noqa: F811
    """Beyond some number their tables count them; poor treasuries cost a query a kind of claim."""
    monkeypatch.setattr(outlook, "NAMED", 0)
    campaign, client = demonstration.campaign, Client()
    Campaign.objects.filter(pk=campaign.pk).update(first_steps=False)
    crown = campaign.kingdoms.order_by("id")[0]
    client.force_login(demonstration.gm)
    for page in ("/c/{campaign}/", "/kingdoms/{kingdom}/"):
        status, asked = asked_by(client, page.format(campaign=campaign.pk, kingdom=crown.pk))
        assert status == 200
        assert any("FILTER (WHERE double)" in sql for sql in asked), "counted by the table"
        assert len(asked) <= MOST, "\n".join(asked)


def test_what_a_board_tells_is_what_is_counted(demonstration: Any) -> None:  # noqa: F811
    """A board reads what is counted of the armies with the kingdoms; whoever has no board counts them themselves."""
    campaign = demonstration.campaign
    Kingdom.objects.create(campaign=campaign, name="Empty", economy=0, loyalty=0, stability=0)
    chosen = {"pay_double": [str(campaign.pk)]}
    WeekChoices.objects.create(campaign=campaign, week=campaign.day // 7, choices=chosen)
    WeekChoices.objects.create(campaign=campaign, week=campaign.day // 7 + 1, choices={})
    plain = list(Kingdom.objects.filter(campaign=campaign))
    board = load_board(Campaign.objects.get(pk=campaign.pk))
    with CaptureQueriesContext(connection) as counted:
        told = load_troop_totals(board)
    assert not counted.captured_queries
    assert told == load_troop_totals(plain)
    assert sum(one.armies for one in told.values())
    assert find_loaded_choices(plain) is None
    assert find_loaded_choices(board) == chosen
