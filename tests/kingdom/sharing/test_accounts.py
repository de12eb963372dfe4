"""An account that ends, and what is kept about a person."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from django.contrib.auth import authenticate
from django.db import IntegrityError, connection, transaction
from django.test import Client

from battles.play.services import play
from config.accounts import adapter
from config.ops.infrastructure_errors import COLLISION, find_trouble
from kingdom.accounts.personal_data import personal_data
from kingdom.accounts.services import create_token, delete_account
from kingdom.campaign.services import create_campaign
from kingdom.chronicle import changes
from kingdom.members.services import (
    accept_campaign,
    accept_invitation,
    delete_campaign,
    invite,
    offer_campaign,
    remove_deleted,
    set_role,
)
from kingdom.models import ApiToken, Campaign, ChronicleEntry, Membership, Note, User
from kingdom.notes.queries import get_thing_for
from kingdom.notes.services import write_note
from kingdom.notes.targets import make_ref
from kingdom.realms.treasury_services import record_entry
from kingdom.sharing.services import create_share
from rules.core.errors import IllegalCommand
from rules.pathfinder.battle.orders.commands import GiveOrder, Next, Resolve
from rules.pathfinder.battle.state.battle_state import Order
from tests.config.house import until
from tests.kingdom.conftest import make_user, seat
from tests.meanwhile import somebody_waits

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse battery"


def signed_in(user):
    """With their password given a moment ago."""
    client = Client()
    client.force_login(user)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client


def wrote(table, user, text="What I know"):
    return write_note(by=user, about=get_thing_for(user, make_ref("campaign", table.campaign.pk)), text=text)


def test_what_he_wrote_stays_as_somebody_who_left(table):
    wrote(table, table.ana)
    record_entry(by=table.ana, kingdom=table.crown, amount=5, reason="Tolls")
    key = create_token(by=table.ana).key
    delete_account(by=table.ana)
    assert not User.objects.filter(username="ana").exists()
    assert Note.objects.get().by is None
    gm = signed_in(table.gm)
    assert "former member" in gm.get(f"/notes/campaign/{table.campaign.pk}/").content.decode()
    assert "Tolls" in gm.get(f"/kingdoms/{table.crown.pk}/ledger/").content.decode()
    assert not table.crown.players.exists()
    assert ChronicleEntry.objects.latest("seq").private
    assert not ApiToken.objects.exists()
    told = Client().get("/api/v1/campaigns/", headers={"Authorization": f"Token {key}"})
    assert told.status_code == 401
    assert authenticate(username="ana", password=PASSWORD) is None


def test_what_is_his_alone_is_handed_over_or_deleted_first(table):
    with pytest.raises(IllegalCommand, match="Restov marches"):
        delete_account(by=table.gm)
    assert User.objects.filter(username="gm").exists()
    offer_campaign(by=table.gm, campaign=table.campaign, user=table.ana)
    accept_campaign(by=table.ana, campaign=table.campaign)
    delete_account(by=table.gm)
    campaign = Campaign.objects.get()
    assert (campaign.owner, campaign.created_by) == (table.ana, None)


def test_the_only_gm_stays_though_he_is_not_the_owner(table):
    Campaign.objects.update(owner=None)
    with pytest.raises(IllegalCommand, match="Restov marches"):
        delete_account(by=table.gm)
    set_role(by=table.gm, campaign=table.campaign, user=table.ana, role="gm")
    delete_account(by=table.gm)


def test_what_he_deleted_goes_in_its_time(table):
    delete_campaign(by=table.gm, campaign=table.campaign)
    delete_account(by=table.gm)
    campaign = Campaign.objects.get()
    assert campaign.deleted_at is not None
    from kingdom.members.services import GRACE

    assert remove_deleted(campaign.deleted_at + GRACE) == 1


def test_links_he_made_end(table):
    set_role(by=table.gm, campaign=table.campaign, user=table.ana, role="gm")
    made = create_share(by=table.ana, campaign=table.campaign, kind="kingdom", thing=table.crown.pk)
    delete_account(by=table.ana)
    assert Client().get(f"/s/{made.token}/").status_code == 404


def test_the_page_tells_what_is_in_the_way_and_where_to_go(table):
    gm = signed_in(table.gm)
    text = gm.get("/account/delete/").content.decode()
    assert f"/c/{table.campaign.pk}/members/#hand-over" in text
    assert f"/c/{table.campaign.pk}/edit/#delete" in text
    assert 'name="typed"' not in text
    refused = gm.post("/account/delete/", {"typed": "gm"})
    assert refused.status_code == 422
    assert User.objects.filter(username="gm").exists()


def test_his_name_is_typed_and_he_is_signed_out(table):
    client = signed_in(table.ana)
    assert client.post("/account/delete/", {"typed": "bo"}).status_code == 422
    assert User.objects.filter(username="ana").exists()
    gone = client.post("/account/delete/", {"typed": "ana"})
    assert (gone.status_code, gone.url) == (302, "/")
    assert not User.objects.filter(username="ana").exists()
    assert client.get("/account/").status_code == 302


def test_a_session_that_is_not_fresh_gives_the_password_again(table):
    client = Client()
    client.force_login(table.ana)
    asked = client.get("/account/delete/")
    assert asked.status_code == 302
    assert "reauthenticate" in asked.url
    back = client.post(asked.url, {"password": PASSWORD})
    assert back.status_code == 302
    assert client.get("/account/delete/").status_code == 200


def test_after_the_password_a_page_offers_the_file_for_a_download_leaves_the_form_standing(table):
    client = Client(HTTP_ACCEPT_LANGUAGE="en")
    client.force_login(table.ana)
    asked = client.get("/account/data/", follow=True).redirect_chain[-1][0]
    assert "reauthenticate" in asked
    shown = client.post(asked, {"password": PASSWORD}, follow=True)
    assert shown.redirect_chain[-1][0] == "/account/#my-data"
    assert "Confirmed. You can download your data now." in shown.content.decode()
    assert "attachment" in client.get("/account/data/")["Content-Disposition"]


def test_what_was_sent_waits_for_the_password(table):
    client = Client()
    client.force_login(table.ana)
    asked = client.post("/account/delete/", {"typed": "ana"})
    assert "reauthenticate" in asked.url
    client.post(asked.url, {"password": "wrong"})
    assert User.objects.filter(username="ana").exists()
    client.post(asked.url, {"password": PASSWORD})
    assert not User.objects.filter(username="ana").exists()
    assert client.get("/account/").status_code == 302


def test_wrong_passwords_there_are_counted(table, monkeypatch):
    few = replace(adapter.OWN_PASSWORD, most=2)
    monkeypatch.setattr(adapter, "OWN_PASSWORD", few)
    client = Client()
    client.force_login(table.ana)
    tries = range(few.most + 1)
    answers = [client.post("/accounts/reauthenticate/", {"password": "wrong"}).status_code for _try in tries]
    assert answers[-1] == 429


def test_nobody_takes_along_or_deletes_what_is_not_his(table):
    assert Client().get("/account/data/").status_code == 302
    assert "/accounts/login/" in Client().get("/account/delete/").url


def test_everything_that_is_kept_about_him_and_no_secret(table, battle):
    wrote(table, table.ana, "My plans")
    wrote(table, table.bo, "Not his")
    record_entry(by=table.ana, kingdom=table.crown, amount=5, reason="Tolls")
    made = create_token(by=table.ana, name="Dice bot")
    for version, command in enumerate((Next(), Resolve(), Resolve()), start=1):
        play(by=table.gm, battle_id=battle.pk, version=version, command=command)
    order = GiveOrder(Order(str(table.watch.pk), strategy="cautious"))
    play(by=table.ana, battle_id=battle.pk, version=4, command=order)
    Client().post("/accounts/login/", {"login": "ana", "password": PASSWORD})
    answer = signed_in(table.ana).get("/account/data/")
    assert "attachment" in answer["Content-Disposition"]
    text = answer.content.decode()
    told = json.loads(text)
    assert told["account"]["username"] == "ana"
    assert told["seats"] == [
        {"campaign": str(table.campaign.pk), "name": "Restov marches", "role": "player", "owner": False,
         "kingdoms": ["Crown"]}
    ]  # fmt: skip
    assert [note["text"] for note in told["notes"]] == ["My plans"]
    assert [token["name"] for token in told["tokens"]] == ["Dice bot"]
    assert "signed-in" in [event["kind"] for event in told["security_log"]]
    assert "Tolls" in told["ledger"][0]["reason"]
    assert [command["name"] for command in told["commands"]] == ["The ford"]
    secrets = [made.key, made.token.digest, User.objects.get(username="ana").password, "Not his"]
    assert [secret for secret in secrets if secret in text] == []
    assert not re.search(r"pbkdf2|argon2|digest|secret", text)


def test_every_table_that_names_people_is_told_or_needs_no_telling():
    """A new model with a person in it is thought of here."""
    from django.apps import apps

    named = {
        model.__name__
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if field.is_relation and field.related_model is User
    }
    told = {"ApiToken", "Authenticator", "BattleRecord", "ChronicleEntry", "EmailAddress", "Invitation",
            "KingdomPlayer", "LedgerEntry", "Membership", "Note", "NoteVersion", "ApprovalRequest", "Picture",
            "SecurityEvent", "ShareLink"}  # fmt: skip
    untold = {
        "CampaignImport": "a document on its way in: the campaign is told as a seat",
        "BattleMap": "a map of the campaign's: that somebody kept it stands in the chronicle, which is told",
        "Battle": "a row of the table's that he opened: its first command is told",
        "Campaign": "told as a seat",
        "IdempotencyRecord": "answers of a day",
        "Job": "work of a day",
        "SignIn": "a device: its sign-in is told",
        "LogEntry": "of an administration that is not there",
        "DeletedMembership": "a seat that waits to come back",
        "Webhook": "an address of the campaign's",
    }
    assert named - told - untold.keys() == set()


def test_a_person_without_anything_has_a_document(db):
    told = personal_data(make_user("new"))
    assert told["seats"] == []
    assert told["commands"] == []


# Two at once


def beside(deed):
    """What it answered in a thread of its own, or what it raised."""

    def done():
        try:
            return deed()
        except Exception as error:
            return error
        finally:
            connection.close()

    return ThreadPoolExecutor(1).submit(done)


def committed_table():
    gm, ana = make_user("gm"), make_user("ana")
    campaign = create_campaign(by=gm, name="C", ruleset="combat-de-masse")
    return gm, seat(gm, campaign, ana, "player"), campaign


@pytest.mark.django_db(transaction=True)
def test_who_is_offered_a_campaign_while_he_ends_his_account_makes_neither_wait_for_ever():
    """The offer has the campaign in hand and names them; they wait for the campaign, with nothing in theirs."""
    gm, ana, campaign = committed_table()
    with transaction.atomic():
        offer_campaign(by=gm, campaign=campaign, user=ana)
        leaving = beside(lambda: delete_account(by=ana))
        until(somebody_waits, 30)
    assert leaving.result(30) is None
    campaign.refresh_from_db()
    assert campaign.offered_to is None
    assert not User.objects.filter(username="ana").exists()


@pytest.mark.django_db(transaction=True)
def test_who_sits_down_elsewhere_while_he_ends_his_account_is_told_that_two_changes_met():
    """Whichever is first, one of them is done and the other is a 503 to try again, never a fault."""
    gm, ana, _campaign = committed_table()
    other = create_campaign(by=gm, name="D", ruleset="combat-de-masse")
    token = invite(by=gm, campaign=other, role="player").token

    @transaction.atomic
    def sit_down() -> None:
        accept_invitation(by=ana, token=token)
        assert beside(lambda: delete_account(by=ana)).result(30) is None

    with pytest.raises(IntegrityError) as met:
        sit_down()
    assert find_trouble(met.value) is COLLISION
    assert not Membership.objects.filter(campaign=other).exclude(user=gm).exists()


@pytest.mark.django_db(transaction=True)
def test_who_was_seated_while_he_waited_for_his_tables_is_not_deleted_past_the_new_one():
    gm, ana, campaign = committed_table()
    other = create_campaign(by=gm, name="D", ruleset="combat-de-masse")
    with transaction.atomic():
        changes.lock(campaign)
        leaving = beside(lambda: delete_account(by=ana))
        until(somebody_waits, 30)
        assert beside(lambda: seat(gm, other, ana, "gm").pk).result(30) == ana.pk
    assert find_trouble(leaving.result(30)) is COLLISION
    assert Membership.objects.filter(user=ana).count() == 2
    delete_account(by=ana)
    assert not User.objects.filter(username="ana").exists()
