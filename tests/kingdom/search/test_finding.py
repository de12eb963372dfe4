"""One search over everything one may see: what it finds, in which order, and what it tells nobody."""

from __future__ import annotations

from itertools import product

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from armies.models import Army
from armies.pathfinder.models import PathfinderArmy
from battles.models import Battle
from core.request_memo import remember_reads
from core.text_search import strip_accents
from kingdom.campaign.services import create_campaign
from kingdom.models import Campaign, Kingdom
from kingdom.notes.queries import get_thing_for
from kingdom.notes.services import write_note
from kingdom.notes.targets import make_ref
from kingdom.realms.services import found_kingdom, found_settlement
from kingdom.search.search_registry import FEW, find
from tests.armies.conftest import appointed, multiplied, raised, war  # noqa: F401 - fixtures
from tests.everyday import at_most
from tests.kingdom.conftest import api_of, client_of, seat
from tests.worlds import built_once

pytestmark = pytest.mark.django_db
CANARY = "Zyxwvut"


@built_once
def realm(war):  # noqa: F811
    """The war with a hidden army, its commander and a town of the horde, each named like the canary."""
    chief = appointed(war.gm, war.horde, f"{CANARY} the Hidden")
    war.hidden = raised(war.gm, war.horde, f"{CANARY} riders", commander=chief)
    found_settlement(by=war.gm, kingdom=war.horde, name=f"{CANARY}heim")
    return war


def names(user, query, here=None, kind=""):
    return {group.kind: [one.name for one in group.found] for group in find(user, query, here, kind)}


def a_battle(table, name):
    return Battle.objects.create(
        campaign=table.campaign, name=name, ruleset=table.campaign.ruleset, ruleset_version="1", opening={}, state={},
        day=0,
    )  # fmt: skip


def test_everything_is_found_by_its_name_with_where_it_belongs(realm):
    a_battle(realm, "The battle of Restov")
    found = names(realm.gm, "restov", realm.campaign)
    assert found == {
        "kingdom": ["Crown of Restov"],
        "settlement": ["Restov"],
        "campaign": ["Restov marches"],
        "battle": ["The battle of Restov"],
    }
    army = find(realm.gm, "levy", realm.campaign, "army")[0].found[0]
    assert (army.kind, army.name, army.about) == ("army", "Levy", "Crown of Restov")
    assert army.url == reverse("armies:army", args=[realm.levy.pk])
    assert names(realm.gm, "vell", kind="commander")["commander"] == ["Ser Vell"]


def test_an_army_that_is_none_any_more_is_told_from_the_living(realm):
    Army.objects.filter(pk=realm.levy.pk).update(status="disbanded")
    army = find(realm.gm, "levy", realm.campaign, "army")[0].found[0]
    assert army.about == "Crown of Restov · disbanded"


def test_accents_case_and_letters_of_their_own_do_not_matter(realm):
    raised(realm.gm, realm.crown, "Cœurs de l’Évêque")
    for query in ("coeurs", "ÉVEQUE", "eveque", "cœurs de l’evêque", "coeurs de l'Évêque", "L’é"):
        assert names(realm.gm, query, kind="army")["army"] == ["Cœurs de l’Évêque"], query
    assert strip_accents("Cœurs de l’Évêque ÅØß") == "coeurs de l'eveque aoss"


def test_what_is_called_so_comes_before_what_begins_so_and_what_holds_it_last(realm):
    for name in ("Outriders", "The riders", "Riders of dawn", "Riders"):
        raised(realm.gm, realm.crown, name)
    assert names(realm.gm, "riders", kind="army")["army"] == [
        "Riders",
        "Riders of dawn",
        "The riders",
        f"{CANARY} riders",
        "Outriders",
    ]
    assert find(realm.gm, "taunt", realm.campaign)[0].kind == "rule"


def test_every_word_counts_wherever_it_stands_and_one_of_them_in_the_name(realm):
    assert names(realm.gm, "crown levy") == {"army": ["Levy"]}
    assert "army" not in names(realm.gm, "crown of restov", kind="army"), "its kingdom's name alone finds no army"
    assert names(realm.gm, "levy horde") == {}


def test_what_is_here_comes_before_what_is_elsewhere(realm):
    other = create_campaign(by=realm.gm, name="Elsewhere", ruleset="coin")
    found_kingdom(by=realm.gm, campaign=other, name="Crown")
    near = find(realm.gm, "crown", realm.campaign, "kingdom")[0].found
    assert [(one.name, one.far) for one in near] == [("Crown of Restov", False), ("Crown", True)]
    assert [one.name for one in find(realm.gm, "crown", other, "kingdom")[0].found] == ["Crown", "Crown of Restov"]
    assert [one.name for one in find(realm.gm, "crown", None, "kingdom")[0].found] == ["Crown", "Crown of Restov"]


def test_rules_are_found_in_both_languages_and_lead_to_the_codex(realm):
    found = find(realm.ana, "taunt", realm.campaign, "rule")[0].found[0]
    assert found.name == "Taunt"
    assert found.url == reverse("battles:codex", args=[realm.campaign.pk]) + "?kind=tactics#tactics-taunt"
    assert client_of(realm.ana).get(found.url).status_code == 200
    french = find(realm.ana, "raillerie", realm.campaign, "rule") or find(
        realm.ana, "provocation", realm.campaign, "rule"
    )
    assert found.id in {one.id for one in french[0].found}
    assert find(realm.ana, "PF-2.7", realm.campaign, "rule")


def test_whatever_is_typed_is_only_looked_for(realm):
    """Every day by name and by text and in what is in no table; in the full run in everything at once besides."""
    odd = ["\\", "'; drop table", "(", "[a-", "🐉", "\ud800", "é" * 300, "x y " * 40, "\\m"]
    for query, kind in product(["", "   ", "%", "_", "\0", *odd], ("note", "rule", *at_most((), full=("",)))):
        assert isinstance(find(realm.gm, query, realm.campaign, kind), list), (query, kind)


def test_nothing_and_signs_of_patterns_find_nothing(realm):
    for query in ("", "   ", "%", "_", "\0"):
        assert names(realm.gm, query, kind="army") == {}, query


def test_of_many_the_first_are_shown_and_that_there_are_more(realm):
    multiplied(PathfinderArmy.objects.get(pk=realm.levy.pk), 12)
    (group,) = [group for group in find(realm.gm, "levy", realm.campaign) if group.kind == "army"]
    assert (len(group.found), group.more) == (FEW, True)
    (alone,) = find(realm.gm, "levy", realm.campaign, "army")
    assert (len(alone.found), alone.more) == (13, False)
    assert [one.name for one in alone.found][:4] == ["Levy", "Levy 0", "Levy 1", "Levy 2"], "as people count"


def test_the_number_of_queries_does_not_grow(realm):
    asked = []
    for _turn in range(2):
        with CaptureQueriesContext(connection) as queries, remember_reads():
            find(realm.ana, "levy", realm.campaign)
        asked.append(len(queries))
        multiplied(PathfinderArmy.objects.get(pk=realm.levy.pk), 30)
    assert asked == [4, 4], "seats, what was told of armies, campaigns, and everything by that name"


def test_who_reads_by_a_token_of_the_campaign_finds_the_same(realm):

    def everything():
        return [
            find(user, query, here, kind)
            for user in (realm.gm, realm.ana, realm.bo)
            for query in at_most(("levy", "e r", "100%"), full=("l", "levy", "restov", "the levy", "e r", "100%", "_"))
            for here, kind in ((realm.campaign, ""), (None, "army"))
        ]

    first = everything()
    for user in (realm.gm, realm.ana, realm.bo):
        user.bound_to = realm.campaign.pk
    bound = everything()
    assert bound == first
    assert sum(map(bool, first)) > at_most(4, full=12)


# Secrecy


HIDDEN = ("zyxwvut", "zyx", "zyxwvut riders", "zyxwvut greenbelt")
WITHIN = ("", "army", "commander", "settlement")
PAGES = ("kingdom:find", "kingdom:find_choices")


@pytest.mark.parametrize("who", ["ana", "stranger"])
def test_what_one_may_not_see_is_found_nowhere_and_counted_nowhere(realm, who):
    """Every day one query among everything and each other one in a kind; in the full run each in each."""
    user, where = getattr(realm, who), {"campaign": str(realm.campaign.pk)} if who == "ana" else {}
    client, api = client_of(user), api_of(user)
    for query, kind in at_most([*zip(HIDDEN, WITHIN, strict=True)], full=[*product(HIDDEN, WITHIN)]):
        assert find(user, query, realm.campaign, kind) == []
        asked = {"q": query, **where, **({"kind": kind} if kind else {})}
        for name in at_most(PAGES if not kind else PAGES[:1], full=PAGES):
            answer = client.get(reverse(name), asked)
            text = answer.content.decode()
            assert answer.context["count"] == 0
            assert CANARY not in text
            assert str(realm.hidden.pk) not in text
        assert api.get("/api/v1/find/", asked).json() == {"results": [], "more": []}


def test_what_the_gm_shows_is_found_and_whoever_reads_everything_finds_it(realm):
    for user in (realm.gm, realm.bo, realm.viewer):
        assert set(names(user, CANARY)) == {"army", "commander", "settlement"}
    PathfinderArmy.objects.filter(pk=realm.hidden.pk).update(revealed=True)
    assert set(names(realm.ana, CANARY)) == {"army", "commander"}, "the town stays their own"


def test_other_tables_are_no_business_of_ones_own(realm):
    other = create_campaign(by=realm.stranger, name=f"{CANARY} campaign", ruleset="coin")
    found_kingdom(by=realm.stranger, campaign=other, name=f"{CANARY} kingdom")
    kinds = ("kingdom", "campaign")
    assert [names(realm.gm, CANARY, kind=kind) for kind in kinds] == [{}, {}]
    refused = client_of(realm.gm).get(reverse("kingdom:find"), {"q": "x", "campaign": str(other.pk)})
    assert refused.status_code == 404
    assert api_of(realm.gm).get(f"/api/v1/find/?q=x&campaign={other.pk}").status_code == 404
    seat(realm.stranger, other, realm.gm, "player")
    assert all(names(realm.gm, CANARY, kind=kind) for kind in kinds)


def test_notes_are_found_by_their_words_by_those_they_are_meant_for(realm):
    about = get_thing_for(realm.gm, make_ref("kingdom", realm.crown.pk))
    for text, audience in (("The bridge is down", "public"), (f"Scouts\n\nby {CANARY} at the bridge", "gm")):
        write_note(by=realm.gm, about=about, text=text, audience=audience)
    assert names(realm.ana, "bridge") == {"note": ["The bridge is down"]}
    assert names(realm.gm, "bridge", kind="note")["note"] == ["The bridge is down", "Scouts"]
    assert names(realm.ana, "at the bridge zyxwvut", kind="note") == {}
    (scouts,) = find(realm.gm, "scouts zyxwvut", None, "note")
    assert client_of(realm.gm).get(scouts.found[0].url).status_code == 200


# Pages and programs


def test_without_scripts_the_link_leads_to_a_page_that_finds(realm):
    client = client_of(realm.ana)
    board = client.get(reverse("kingdom:campaign", args=[realm.campaign.pk])).content.decode()
    link = f"{reverse('kingdom:find')}?campaign={realm.campaign.pk}"
    assert link in board
    assert 'id="finder"' in board
    page = client.get(link + "&q=levy&kind=army")
    assert reverse("armies:army", args=[realm.levy.pk]) in page.content.decode()
    assert client.get(link + "&q=levy&kind=nonsense").status_code == 200
    assert "No results" in client.get(link + "&q=qqq&kind=army").content.decode()
    assert 'id="finder"' not in Client().get(reverse("account_login")).content.decode()
    assert Client().get(reverse("kingdom:find_choices")).status_code == 302


def test_the_api_finds_the_same_and_points_at_what_is_wrong(realm):
    api = api_of(realm.ana)
    found = api.get(f"/api/v1/find/?q=levy&campaign={realm.campaign.pk}").json()["results"][0]
    assert (found["kind"], found["id"], found["campaign"]) == ("army", str(realm.levy.pk), str(realm.campaign.pk))
    assert found["url"].endswith(reverse("armies:army", args=[realm.levy.pk]))
    for wrong, pointer in (("q=x&kind=dragon", "/kind"), ("q=" + "x" * 101, "/q")):
        answer = api.get(f"/api/v1/find/?{wrong}")
        assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, pointer)
    assert api.get("/api/v1/find/?q=x&sort=name").status_code == 400
    assert api_of(None).get("/api/v1/find/?q=x").status_code == 401


def test_lists_find_without_accents_too(realm):
    Kingdom.objects.filter(pk=realm.crown.pk).update(name="Évêché")
    raised(realm.gm, realm.crown, "Cœurs")
    page = client_of(realm.gm).get(reverse("kingdom:kingdom", args=[realm.crown.pk]), {"q": "coeurs"})
    assert "Cœurs" in page.content.decode()
    assert Campaign.objects.filter(name__plain__contains="restov").exists()
