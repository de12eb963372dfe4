"""A table with everybody at it: GM, two players with a kingdom each, a viewer, and a stranger."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from django.test import Client
from django.urls import include, path
from django.utils import timezone
from drf_spectacular.generators import SchemaGenerator
from rest_framework.routers import SimpleRouter
from rest_framework.test import APIClient

from kingdom.access.permissions import KINDS
from kingdom.campaign.services import create_campaign
from kingdom.members.services import accept_invitation, invite
from kingdom.models import ApiToken, Campaign, Kingdom, User
from kingdom.notes.queries import NoteSubject
from kingdom.notes.targets import list_note_targets
from kingdom.realms.services import assign_player, found_kingdom
from tests.worlds import built_once


def make_user(name: str) -> User:
    """They have answered what a first battle asks (`tests/battles/field/test_call_offer.py`)."""
    return User.objects.create_user(username=name, password="correct horse battery", call_offered=True)


def seat(gm: User, campaign: Campaign, user: User, role: str) -> User:
    invitation = invite(by=gm, campaign=campaign, role=role)
    accept_invitation(by=user, token=invitation.token)
    return user


def client_of(user: User | None, **headers: str) -> Client:
    """A browser in which the user is signed in."""
    client = Client(headers=headers)
    if user:
        client.force_login(user)
    return client


def api_of(user: User | None, **token: Any) -> APIClient:
    """A client with the user's own key, which was just used: that it is used is not noted again."""
    client = APIClient()
    if user:
        client.credentials(HTTP_AUTHORIZATION=f"Token {key_of(user, **token)}")
    return client


def key_of(user: User, **token: Any) -> str:
    _token, key = ApiToken.objects.create(user=user, **{"last_used_at": timezone.now(), **token})
    return str(key)


def document_of(**views: Any) -> dict[str, Any]:
    """The OpenAPI document of these views alone, by the names they are found at."""
    router = SimpleRouter()
    for name, view in views.items():
        router.register(name, view, basename=name)
    patterns = [path("api/v1/", include(router.urls))]
    return SchemaGenerator(patterns=patterns).get_schema(request=None, public=True)


def shapes_of(**views: Any) -> dict[str, Any]:
    """What it says of them, by the names of its components."""
    return document_of(**views)["components"]["schemas"]


FREELY = dict.fromkeys(KINDS, "free")  # these tables trust their players; tests of leave say otherwise


@built_once
def gm(db) -> User:
    return make_user("gm")


@built_once
def campaign(gm) -> Campaign:
    return create_campaign(by=gm, name="Restov marches", ruleset="combat-de-masse", players_may=FREELY)


@built_once
def crown(gm, campaign) -> Kingdom:
    return found_kingdom(
        by=gm,
        campaign=campaign,
        name="Crown of Restov",
        alignment="LN",
        economy=22,
        loyalty=18,
        stability=20,
        unrest=3,
        size=11,
        districts=3,
        treasury=21,
    )


@built_once
def table(gm, campaign, crown):
    """Everybody by name, with `crown` run by ana and `horde` by bo."""
    ana = seat(gm, campaign, make_user("ana"), "player")
    bo = seat(gm, campaign, make_user("bo"), "player")
    viewer = seat(gm, campaign, make_user("viewer"), "viewer")
    horde = found_kingdom(by=gm, campaign=campaign, name="Greenbelt horde", economy=9, treasury=2)
    assign_player(by=gm, kingdom=crown, player=ana)
    assign_player(by=gm, kingdom=horde, player=bo)
    return SimpleNamespace(
        gm=gm,
        ana=ana,
        bo=bo,
        viewer=viewer,
        stranger=make_user("stranger"),
        campaign=campaign,
        crown=crown,
        horde=horde,
    )


def build_subject(kind: str, row: Any) -> NoteSubject:
    """Return a row that the reader may see as the subject of notes."""
    topic = list_note_targets()[kind]
    campaign: Campaign = row if isinstance(row, Campaign) else row.campaign
    owner = getattr(row, topic.owner) if topic.owner else None
    return NoteSubject(campaign, kind, row.pk, getattr(row, topic.name), owner)
