"""A GM who looks through a player's eyes reads what that player reads, at every address of the campaign."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest
from django.http import Http404
from django.test import Client, RequestFactory
from django.urls import resolve

from kingdom.access.impersonation import WORN, find_campaign_of_request, things
from kingdom.access.impersonation_queries import reader_in
from kingdom.access.queries import get_campaign_for, get_kingdom_for, get_role
from kingdom.members.services import remove_member, set_role
from kingdom.notes.queries import get_thing_for
from kingdom.notes.services import write_note
from kingdom.notes.targets import make_ref
from tests.access.people import STREAMS, Knock, answer, is_read, pages
from tests.everyday import at_most, everyday
from tests.kingdom.conftest import make_user, seat
from tests.manners.doors import patterns
from tests.markup import NEW_EACH_TIME

ITS_OWN = [
    re.compile(rb'<div class="guise".*?</div>', re.DOTALL),  # the bar
    re.compile(rb'<details class="menu account".*?</details>', re.DOTALL),  # the account stays the GM's
    re.compile(NEW_EACH_TIME.encode()),
    re.compile(rb'<div id="messages">.*?</div>', re.DOTALL),
]
NOTE = re.compile("/notes/[0-9a-f-]{36}/")
BEYOND = ("/accounts/", "/account/", "/tokens/", "/i18n/", "/api/", "/demo/")


def plain(said: object) -> bytes:
    body: bytes = said.body  # type: ignore[attr-defined]
    for own in ITS_OWN:
        body = own.sub(b"", body)
    return b"\n".join(line for line in body.splitlines() if line.strip())


def signed_in(user: object) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(user)
    return client


def looking(gm: object, campaign: object, who: object) -> Client:
    """A browser of the GM, who puts on these eyes by the form of the members' page."""
    client = signed_in(gm)
    said = client.post(f"/c/{campaign.pk}/view-as/", {"who": str(who)})  # type: ignore[attr-defined]
    assert (said.status_code, said["Location"]) == (302, f"/c/{campaign.pk}/")  # type: ignore[attr-defined]
    return client


def asked(table: SimpleNamespace, campaign: Any = None) -> Iterator[Knock]:
    """Every address that is read, of a campaign or of all."""
    for knock in pages(table):
        if is_page(knock) and is_read(knock.door.pattern) and (campaign is None or of(knock) == campaign.pk):
            yield knock


def is_page(knock: Knock) -> bool:
    """Whether it is read with the eyes they wear, where it is of a campaign."""
    return knock.method == "GET" and not knock.door.url.startswith(BEYOND)


def of(knock: Knock) -> UUID | None:
    """The campaign of an address."""
    return find_campaign_of_request(
        RequestFactory().get(knock.door.url), resolve(knock.door.url.partition("?")[0]).kwargs
    )


@pytest.fixture
def secrets(table):
    about = get_thing_for(table.gm, make_ref("campaign", table.campaign.pk))
    write_note(by=table.gm, about=about, text="Wyvernsecret plans", audience="gm")
    write_note(by=table.ana, about=about, text="Ana thinks so", audience="gm")
    return table


@pytest.mark.slow
@pytest.mark.parametrize("who", ["ana", "viewer", "bo"])
def test_he_reads_every_page_as_that_person_does(secrets, who):
    """Every day a player's eyes go where they go themselves: tests/access/test_canaries.py."""
    table, told = secrets, {}
    person = getattr(table, who)
    for place in (table.campaign, table.walls.campaign):
        himself, eyes = signed_in(person), looking(table.gm, place, person.pk)
        for knock in asked(table, place):
            theirs, his = (answer(client, {}, knock) for client in (himself, eyes))
            assert b"<html" not in his.body or b'<div class="guise"' in his.body, knock.name
            if (theirs.status_code, plain(theirs)) != (his.status_code, plain(his)):
                told[knock.name] = theirs.status_code, his.status_code
    assert told == {}


@pytest.mark.parametrize("role", everyday(["player", "viewer"], first=1))
def test_who_is_nobody_reads_what_a_new_member_would(secrets, role):
    table, told = secrets, {}
    fresh = seat(table.gm, table.campaign, make_user("fresh"), role)
    himself, eyes = signed_in(fresh), looking(table.gm, table.campaign, role)
    for place, knock in enumerate(asked(table, table.campaign)):
        if knock.door.pattern.endswith("/members/") or place % at_most(6, full=1):
            continue  # at the first the new one has a line of their own; the others are read in their eyes above
        theirs, his = (answer(client, {}, knock) for client in (himself, eyes))
        if (theirs.status_code, plain(theirs)) != (his.status_code, plain(his)):
            told[knock.name] = theirs.status_code, his.status_code
    assert told == {}


def test_the_other_test_would_notice(secrets):
    """The GM’s own pages differ from the player’s at many of these addresses."""
    table = secrets
    gm, ana = signed_in(table.gm), signed_in(table.ana)
    differ = (
        knock.name for knock in asked(table, table.campaign)
        if plain(answer(gm, {}, knock)) != plain(answer(ana, {}, knock))
    )  # fmt: skip
    enough = at_most(7, full=13)
    assert len([*islice(differ, enough)]) == enough


def test_every_page_of_a_campaign_says_through_whose_eyes_and_can_be_left(table):
    eyes = looking(table.gm, table.campaign, table.ana.pk)
    for page in (f"/c/{table.campaign.pk}/", f"/battles/{table.battle.pk}/", f"/armies/{table.watch.pk}/"):
        body = eyes.get(page).content.decode()
        assert "as <b>ana</b>." in body
        assert f'action="/c/{table.campaign.pk}/view-as/stop/"' in body
    said = eyes.post(f"/c/{table.campaign.pk}/view-as/stop/", {"next": f"/battles/{table.battle.pk}/"})
    assert (said.status_code, said["Location"]) == (302, f"/battles/{table.battle.pk}/")
    assert "as <b>ana</b>." not in eyes.get(f"/battles/{table.battle.pk}/").content.decode()
    assert WORN not in eyes.session


def test_it_leads_nowhere_else(table):
    eyes = looking(table.gm, table.campaign, table.ana.pk)
    said = eyes.post(f"/c/{table.campaign.pk}/view-as/stop/", {"next": "https://elsewhere.example/"})
    assert said["Location"] == f"/c/{table.campaign.pk}/members/"


def test_nothing_is_changed_meanwhile(table):
    """Not what the player might, and not what the GM might."""
    eyes = looking(table.gm, table.campaign, table.ana.pk)
    sent = [
        knock for knock in pages(table)
        if knock.method == "POST" and "/view-as/" not in knock.door.url
        and of(knock) == table.campaign.pk
    ]  # fmt: skip
    assert len(sent) > 60
    for knock in sent[:: at_most(4, full=1)]:
        said = answer(eyes, {}, knock)
        assert (said.status_code, b"Nothing was changed" in said.body) == (403, True), knock.name


def test_in_place_he_is_told_on_the_page(table):
    eyes = looking(table.gm, table.campaign, table.ana.pk)
    said = eyes.post(f"/battles/{table.battle.pk}/command/", headers={"HX-Request": "true"})
    assert (said.status_code, said["HX-Refresh"]) == (403, "true")
    assert "to make changes" in eyes.get(f"/battles/{table.battle.pk}/").content.decode()


def test_other_campaigns_his_account_and_the_api_stay_his_own(table):
    eyes = looking(table.gm, table.campaign, table.ana.pk)
    for page in ("/", "/account/", f"/c/{table.walls.campaign.pk}/"):
        said = eyes.get(page)
        assert said.status_code == 200
        assert b'<div class="guise"' not in said.content


def test_pages_of_a_person_stay_his_own_whatever_campaign_their_question_names(table):
    eyes, tried = looking(table.gm, table.campaign, table.ana.pk), 0
    for knock in pages(table):
        url = knock.door.url
        if knock.method == "GET" and url.startswith(BEYOND):
            said = answer(eyes, {}, knock._replace(query=f"?campaign={table.campaign.pk}"))
            assert b'<div class="guise"' not in said.body, url
            tried += said.status_code == 200
    assert tried > 8


def test_search_in_the_campaign_finds_what_he_would(secrets):
    table = secrets
    found = f"/find/choices/?q=Wyvernsecret&campaign={table.campaign.pk}"
    for browser, there in ((signed_in(table.gm), True), (looking(table.gm, table.campaign, table.ana.pk), False)):
        assert (f"/notes/{NOTE.search(browser.get(found).content.decode())}" != "/notes/None") is there


def test_only_a_gm_puts_on_eyes_and_none_of_another_gms(table):
    second = seat(table.gm, table.campaign, make_user("second"), "gm")
    to = f"/c/{table.campaign.pk}/view-as/"
    assert signed_in(table.ana).post(to, {"who": str(table.bo.pk)}).status_code == 403
    assert signed_in(table.stranger).post(to, {"who": str(table.bo.pk)}).status_code == 404
    for who in (second.pk, table.stranger.pk, table.gm.pk, "", "x", UUID(int=0)):
        client = signed_in(table.gm)
        client.post(to, {"who": str(who)})
        assert WORN not in client.session


@pytest.mark.parametrize("ends", ["the player leaves", "the player is made a GM", "he is GM no more"])
def test_it_ends_with_the_right_to_it(table, ends):
    second = seat(table.gm, table.campaign, make_user("second"), "gm")
    eyes = looking(second, table.campaign, table.bo.pk)
    match ends:
        case "the player leaves":
            remove_member(by=table.gm, campaign=table.campaign, user=table.bo)
        case "the player is made a GM":
            set_role(by=table.gm, campaign=table.campaign, user=table.bo, role="gm")
        case _:
            set_role(by=table.gm, campaign=table.campaign, user=second, role="viewer")
    said = eyes.get(f"/c/{table.campaign.pk}/")
    assert b'<div class="guise"' not in said.content
    assert WORN not in eyes.session


def test_of_every_address_the_campaign_is_known():
    """Else a page of it would still be read with the GM's own eyes."""
    unknown = set()
    for pattern in patterns():
        if pattern.startswith(("/api/", STREAMS, "/accounts/")):
            continue
        parts = set(re.findall(r"<(\w+)>", pattern))
        ids = {part for part in parts if part.endswith("_id")}
        if ids and not ids & {"campaign_id", "thing_id", *things()}:
            unknown.add(pattern)
    imports = {"/campaigns/import/<import_id>/", "/campaigns/import/<import_id>/stop/"}  # of who brings one in
    assert unknown == {"/tokens/<token_id>/revoke/", "/account/sessions/<session_id>/end/", *imports}


@pytest.mark.parametrize("role", ["player", "viewer"])
def test_a_made_up_reader_has_no_other_seat_than_the_gms(table, role):
    second = seat(table.gm, table.campaign, make_user("second"), "gm")
    reader = reader_in(second, table.campaign.pk, role)
    assert get_role(reader, get_campaign_for(reader, table.campaign.pk)) == role
    remove_member(by=table.gm, campaign=table.campaign, user=second)
    with pytest.raises(Http404):
        get_campaign_for(reader, table.campaign.pk)
    with pytest.raises(Http404):
        get_kingdom_for(reader, table.crown.pk)
