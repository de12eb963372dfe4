"""Every link and every form that is shown to somebody answers them, and nobody finds what they are not shown."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest
from django.core import mail
from django.test import Client

from armies.forces.services import reveal_army
from armies.pathfinder.models import PathfinderArmy
from battles.models import Battle
from kingdom.campaign.services import create_campaign
from kingdom.members.services import invite
from kingdom.models import Campaign, Kingdom
from kingdom.realms.services import assign_player
from rules.breaking_point.workshop.workshop_law import HostWorkshop
from rules.core.workshop import WorkshopLaw
from tests.battles.breaking_point.conftest import river  # noqa: F401 (fixture)
from tests.battles.conftest import demonstration  # noqa: F401 (fixture)
from tests.everyday import at_most, everyday
from tests.kingdom.conftest import api_of, make_user, seat
from tests.markup import faults_of
from tests.walking import Walk, offered
from tests.worlds import built_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("briefly")]
ROLES = ("gm", "player", "idle", "viewer", "elsewhere", "nobody")
MEMBERS = ROLES[:4]
DEAR = (("post", "demo/", "law"),)  # the same for everybody who is signed in, and seconds of work: one of them does it


@pytest.fixture
def briefly(monkeypatch) -> None:
    """Nobody asks here what the odds come to."""
    for law in (WorkshopLaw, HostWorkshop):
        monkeypatch.setattr(law, "thrown", 4)


@built_once
def people(demonstration: SimpleNamespace) -> dict[str, Any]:  # noqa: F811
    """The demo with a running and a settled battle, one enemy army revealed, and everybody there is."""
    gm, campaign = demonstration.gm, demonstration.campaign
    crown, horde = Kingdom.objects.filter(campaign=campaign).order_by("name")
    player, idle, viewer = (
        seat(gm, campaign, make_user(name), role)
        for name, role in (("player", "player"), ("idle", "player"), ("viewer", "viewer"))
    )
    assign_player(by=gm, kingdom=crown, player=player)
    reveal_army(by=gm, army=PathfinderArmy.objects.filter(kingdom=horde).order_by("name")[0], revealed=True)
    invite(by=gm, campaign=campaign, role="player", uses=2)
    elsewhere = make_user("elsewhere")
    create_campaign(by=elsewhere, name="Elsewhere", ruleset="combat-de-masse")
    found = {"gm": gm, "player": player, "idle": idle, "viewer": viewer, "elsewhere": elsewhere, "nobody": None}
    return {**found, "campaign": campaign, "crown": crown, "horde": horde}


OF_NO_TABLE = ("accounts/", "account/", "tokens/", "i18n/", "credits/", "rules/")
"""Pages that know no seat: every day the GM walks them in English and a player in French."""
OF_EVERY_LAW = (
    *OF_NO_TABLE[:-1], "notes/", "demo/", "campaigns/",
    *(f"c/<uuid:campaign_id>/{part}/" for part in ("map", "members", "shares", "hand-over", "webhooks")),
)  # fmt: skip
"""Pages that say the same whichever law a campaign is played by: every day they are walked in one of the first law."""
BY_ANOTHER = {"gm": ("rules/<str:rule>/",), "player": ("c/<uuid:campaign_id>/odds/",)}
"""What a walk goes past every day, for another one of the same table comes there: a rule tells a player what it tells
the GM, and so do the odds of armies that anybody makes up.
"""
MANY = 30  # of one kind, in the full run: in whatever ways a long list may be asked for, one in many tells of them all
LEAST = {"nobody": 3, "elsewhere": 12}  # pages a walk must have seen; members see more
REFUSALS = {"nobody": -1, "viewer": at_most(2, full=3), "idle": 3}  # forms that do not fit as they stand, likewise


@pytest.mark.parametrize("role", everyday(ROLES, keep=lambda role: role in ("gm", "player", "nobody")))
def test_whatever_a_page_shows_somebody_answers_him(people, role):
    """One of each kind, forms that are refused too. Somebody reads French."""
    spare, language = () if role == "elsewhere" else DEAR, "fr" if role == "player" else "en"
    together = at_most(1, full=2) if role == "gm" else 1
    past = at_most({**dict.fromkeys(("viewer", "elsewhere"), OF_NO_TABLE), **BY_ANOTHER}.get(role, ()), full=())
    walk = Walk(people[role], spare=spare, past=past, language=language, together=together).from_("/")
    assert walk.faults == []
    assert faults_of(walk.shown) == []
    assert faults_of(walk.refused, alone=True) == []
    assert len(walk.pages) > LEAST.get(role, 20)
    assert len(walk.refused) > REFUSALS.get(role, 10)
    assert [walk.tried[kind] for kind in DEAR] == [int(role == "elsewhere")]
    assert walk.for_good == []


@pytest.mark.parametrize("role", everyday(("gm", "dru"), keep=lambda role: role == "gm"))
def test_whatever_a_page_of_the_second_law_shows_somebody_answers_him(river, role):  # noqa: F811
    past = at_most(OF_EVERY_LAW, full=())
    walk = Walk(getattr(river, role), spare=DEAR, past=past).from_(f"/c/{river.campaign.pk}/")
    assert walk.faults == []
    assert faults_of(walk.shown) == []
    assert faults_of(walk.refused, alone=True) == []
    assert walk.for_good == []
    assert len(walk.pages) > 40


@pytest.mark.slow
@pytest.mark.parametrize("role", ROLES)
def test_whatever_any_page_shows_somebody_answers_him(people, role):
    walk = Walk(people[role], links=MANY, forms=MANY).from_("/")
    assert walk.faults == []
    if role == "gm":
        not_for_others(people, walk.pages)


@pytest.mark.slow
def test_whatever_any_page_of_the_second_law_shows_somebody_answers_him(river):  # noqa: F811
    assert Walk(river.gm, links=1).from_(f"/c/{river.campaign.pk}/").faults == []


def not_for_others(people: dict[str, Any], seen: list[str]) -> None:
    """What the table sees does not exist for a member of another one, and asks an unknown person to sign in. Every day
    tests/access/test_matrix.py asks it at every address, by turns of one of those who are refused alike.
    """
    pages = {page.partition("?")[0] for page in seen if re.search(r"/[0-9a-f]{8}-", page)}
    assert len(pages) > 20
    stranger, nobody = Client(), Client()
    stranger.force_login(people["elsewhere"])
    assert [page for page in pages if stranger.get(page).status_code != 404] == []
    assert [page for page in pages if "/accounts/login/" not in nobody.get(page).headers.get("Location", "")] == []


# The one law, on pages and the API alike


def ids(rows: Any) -> set[str]:
    return {str(row) for row in rows.values_list("pk", flat=True)}


def test_a_sheet_is_read_by_page_and_api_and_list_alike(people):
    """GM and viewer read every army, a player their own and what is revealed; others only what is revealed."""
    revealed, own = (
        ids(PathfinderArmy.objects.filter(revealed=True)),
        ids(PathfinderArmy.objects.filter(kingdom=people["crown"])),
    )
    everything = ids(PathfinderArmy.objects.all())
    law = {"gm": everything, "viewer": everything, "player": own | revealed, "idle": revealed}
    for role, readable in law.items():
        api, client = api_of(people[role]), Client()
        client.force_login(people[role])
        assert {row["id"] for row in api.get("/api/v1/armies/?limit=200").json()["results"]} == readable, role
        assert {pk for pk in everything if api.get(f"/api/v1/armies/{pk}/").status_code == 200} == readable, role
        assert {pk for pk in everything if client.get(f"/armies/{pk}/").status_code == 200} == readable, role
        for page in (people["campaign"], *Kingdom.objects.all(), *Battle.objects.all()):
            shown = client.get(where(page)).content.decode()
            linked = {pk for pk in everything if f'href="/armies/{pk}/"' in shown}
            assert linked <= readable, (role, page)
            assert page != people["campaign"] or linked == readable, (role, page)


def where(page: Any) -> str:
    return f"/{ {Campaign: 'c', Kingdom: 'kingdoms', Battle: 'battles'}[type(page)] }/{page.pk}/"


READABLE = {
    "campaign": "campaigns", "kingdom": "kingdoms", "army": "armies", "commander": "commanders",
    "settlement": "settlements", "battle": "battles",
}  # fmt: skip
LISTS = ("campaigns", "kingdoms", "settlements", "armies", "commanders", "battles")
BELOW = {"campaigns": ("members", "chronicle"), "kingdoms": ("ledger",), "battles": ("events", "replay")}
# A battle names everybody on its field, so that orders can name their target: their sheets stay where they are.
NAMES_ONLY = ("battles",)


def named(answer: Any, key: str = "") -> set[tuple[str, str]]:
    """(kind, id) of everything an answer names."""
    if isinstance(answer, list):
        return set().union(*(named(item, key) for item in answer))
    if not isinstance(answer, dict):
        return {(key, answer)} if key in READABLE and is_id(answer) else set()
    found = set().union(*(named(value, name) for name, value in answer.items()))
    if answer.get("subject_kind") in READABLE and is_id(answer.get("subject_id")):
        found.add((answer["subject_kind"], answer["subject_id"]))
    return found


def is_id(value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(UUID(value))
    except ValueError:
        return False


def test_ids_in_one_answer_of_the_api_are_readable_in_another(people):
    for role in (*MEMBERS, "elsewhere"):
        api = api_of(people[role])
        told, read = told_by(api)
        addresses = {f"/api/v1/{READABLE[kind]}/{pk}/" for kind, pk in told} - read
        assert [address for address in sorted(addresses) if api.get(address).status_code != 200] == [], role
        assert told or role == "elsewhere"


def told_by(api: Any) -> tuple[set[tuple[str, str]], set[str]]:
    """What the lists, the single reads and what lies below them name, and the addresses of what was read by itself."""
    told: set[tuple[str, str]] = set()
    read: set[str] = set()
    for kind in LISTS:
        for row in api.get(f"/api/v1/{kind}/?limit=200").json()["results"]:
            one = api.get(f"/api/v1/{kind}/{row['id']}/")
            assert one.status_code == 200, (kind, row["id"])
            read.add(one.wsgi_request.path)
            told |= {pair for pair in named(one.json()) if not (kind in NAMES_ONLY and pair[0] == "army")}
            for below in BELOW.get(kind, ()):
                answer = api.get(f"/api/v1/{kind}/{row['id']}/{below}/")
                assert answer.status_code == (404 if _closed(kind, row) else 200), (kind, below)
                told |= set() if kind in NAMES_ONLY else named(answer.json())
    return told, read


def _closed(kind: str, row: dict[str, Any]) -> bool:
    return kind == "kingdoms" and row["treasury"] is None


def test_the_link_in_a_mail_answers(people):
    user = people["player"]
    user.email = "player@example.org"
    user.save()
    Client().post("/accounts/password/reset/", {"email": user.email})
    (link,) = re.findall(r"http://testserver(/\S+)", mail.outbox[0].body)
    assert Client().get(link, follow=True).status_code == 200


def test_the_walker_sees_links_and_forms_with_what_stands_in_them():
    markup = """<a href="/a/">x</a><a href="https://elsewhere.org/">y</a><a href="#top">z</a>
        <form method="post" action="/f/"><input name="n" value="1"><input type="checkbox" name="c">
        <select name="s"><option value="1"><option value="2" selected></select>
        <button name="b" value="one">1</button><button name="b" value="two">2</button></form>"""
    found = offered("/p/", markup)
    assert [(step.method, step.url) for step in found] == [("get", "/a/"), ("post", "/f/"), ("post", "/f/")]
    assert found[1].data == (("n", "1"), ("s", "2"), ("b", "one"))
    assert found[2].data[-1] == ("b", "two")
