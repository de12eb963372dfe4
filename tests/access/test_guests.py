"""A guest is told what any player in their place is told, and nothing of an account."""

from __future__ import annotations

import pytest
from django.urls import resolve

from kingdom.members.guest_services import join_as_guest
from kingdom.members.services import invite
from kingdom.middleware import LOGOUT, needs_account
from kingdom.models import KingdomPlayer, Membership
from tests.access.people import rows
from tests.everyday import spread
from tests.kingdom.conftest import client_of
from tests.manners.doors import doors


@pytest.fixture
def guest(table):
    """They sit wherever the crown's player does, and run what that player runs."""
    link = invite(by=table.gm, campaign=table.campaign, role="player", kingdom=table.crown, guests=True)
    found = join_as_guest(token=link.token, name="Robin")
    for seat in Membership.objects.filter(user=table.ana).exclude(campaign=table.campaign):
        Membership.objects.create(campaign=seat.campaign, user=found, role=seat.role)
    for played in KingdomPlayer.objects.filter(user=table.ana).exclude(kingdom=table.crown):
        KingdomPlayer.objects.create(campaign=played.campaign, kingdom=played.kingdom, user=found)
    return found


def test_a_guest_reads_the_pages_a_player_reads(table, guest, no_demo):
    """`spread`: a part of the addresses every day."""
    theirs, players = client_of(guest), client_of(table.ana)
    pages = [door for door in doors(table) if not door.api and f"GET {door.pattern}" in rows()]
    told = {}
    for door in spread(pages, 60):
        if needs_account(name := resolve(door.url).view_name) or name in (LOGOUT, "kingdom:keep_seat"):
            continue
        answers = [client.get(door.url).status_code for client in (theirs, players)]
        if answers[0] != answers[1]:
            told[door.pattern] = answers
    assert told == {}


def test_a_guest_is_told_no_secret_of_another_kingdom(table, guest):
    for page in ("ledger", "outlook"):
        assert client_of(guest).get(f"/kingdoms/{table.crown.pk}/{page}/").status_code == 200
    assert client_of(guest).get(f"/kingdoms/{table.horde.pk}/ledger/").status_code == 404
