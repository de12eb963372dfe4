"""Share links: who makes them, what they open and for how long, and what stands on their pages."""

from __future__ import annotations

import re
import struct
from dataclasses import replace
from datetime import timedelta
from itertools import product
from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.test import Client
from django.utils import timezone

from armies.models import Army
from battles.models import Battle
from battles.play.services import play
from battles.share_links import preview_battle
from kingdom.campaign.services import update_campaign
from kingdom.members.services import set_role
from kingdom.models import Role, ShareLink, User
from kingdom.realms.services import assign_players
from kingdom.sharing import api as sharing_api
from kingdom.sharing import views as sharing_views
from kingdom.sharing.preview_image import BAR_HIGH, BAR_WIDE, GOLD, svg_of
from kingdom.sharing.queries import list_shares, share_lines
from kingdom.sharing.services import OPEN_MOST, WRONG, create_share, revoke_share
from kingdom.sharing.share_kinds import list_kinds, onlooker
from rules.core.errors import IllegalCommand, InvalidInput
from rules.pathfinder.battle.orders.commands import GiveOrder, Next, Resolve
from rules.pathfinder.battle.state.battle_state import Order
from tests.battles.breaking_point.conftest import river  # noqa: F401 - a fixture
from tests.everyday import at_most, everyday
from tests.kingdom.conftest import api_of, client_of, make_user

pytestmark = pytest.mark.django_db
KINDS = ("live", "replay", "report")


def link_to(table, battle, kind="live", **more):
    return create_share(by=table.gm, campaign=table.campaign, kind=kind, thing=battle.pk, **more)


def to_kingdom(table, kingdom, by=None, **more):
    return create_share(by=by or table.gm, campaign=table.campaign, kind="kingdom", thing=kingdom.pk, **more)


def read(token, client=None, part="", **more):
    return (client or Client()).get(f"/s/{token}/{part}", **more)


# Who makes one


def test_a_token_is_random_and_only_its_hash_is_kept(table, battle):
    one, two = link_to(table, battle), link_to(table, battle)
    assert one.token != two.token
    assert len(one.token) >= 43  # 256 bits
    kept = ShareLink.objects.get(pk=one.link.pk)
    assert one.token not in repr(kept.__dict__)
    assert kept.digest == ShareLink.digest_of(one.token)


def test_the_gm_shares_and_nobody_else(table, battle):
    for by, refusal in ((table.ana, PermissionDenied), (table.viewer, PermissionDenied), (table.stranger, Http404)):
        for kind, thing in (("live", battle), ("kingdom", table.crown)):
            with pytest.raises(refusal):
                create_share(by=by, campaign=table.campaign, kind=kind, thing=thing.pk)
    assert not ShareLink.objects.exists()


def test_where_the_gm_lets_them_players_share_their_own_kingdom_and_nothing_else(table, battle):
    update_campaign(by=table.gm, campaign=table.campaign, players_share=True)
    made = to_kingdom(table, table.crown, by=table.ana)
    assert read(made.token).status_code == 200
    for kind, thing in (("kingdom", table.horde), ("live", battle)):
        with pytest.raises(PermissionDenied):
            create_share(by=table.ana, campaign=table.campaign, kind=kind, thing=thing.pk)


@pytest.mark.parametrize(
    ("given", "refusal"),
    [
        ({"kind": "treasury"}, InvalidInput),
        ({"thing": uuid4()}, Http404),
        ({"days": 0}, InvalidInput),
        ({"days": 4000}, InvalidInput),
    ],
)
def test_what_cannot_be_shared_is_refused(table, battle, given, refusal):
    with pytest.raises(refusal):
        create_share(by=table.gm, campaign=table.campaign, **{"kind": "live", "thing": battle.pk, **given})


def test_a_thing_of_another_campaign_is_none_here(table, battle):
    other = client_of(make_user("elsewhere"))
    assert other.get(f"/c/{table.campaign.pk}/shares/").status_code == 404


def test_there_are_not_more_than_a_campaign_can_look_after(table, battle):
    made = [
        ShareLink(campaign=table.campaign, kind="live", thing=battle.pk, digest=str(one)) for one in range(OPEN_MOST)
    ]
    ShareLink.objects.bulk_create(made)
    with pytest.raises(IllegalCommand):
        link_to(table, battle)
    revoke_share(by=table.gm, link=made[0])
    link_to(table, battle)


def test_a_player_revokes_his_own_and_the_gm_any(table):
    update_campaign(by=table.gm, campaign=table.campaign, players_share=True)
    mine, his = to_kingdom(table, table.crown, by=table.ana), to_kingdom(table, table.crown)
    with pytest.raises(Http404):
        revoke_share(by=table.ana, link=his.link)
    revoke_share(by=table.ana, link=mine.link)
    revoke_share(by=table.gm, link=mine.link)
    assert (read(mine.token).status_code, read(his.token).status_code) == (404, 200)


def test_a_link_ends_with_the_right_it_was_made_by(table, battle):
    update_campaign(by=table.gm, campaign=table.campaign, players_share=True)
    set_role(by=table.gm, campaign=table.campaign, user=table.ana, role=Role.GM)
    fight = create_share(by=table.ana, campaign=table.campaign, kind="live", thing=battle.pk)
    theirs, own = to_kingdom(table, table.horde, by=table.ana), to_kingdom(table, table.crown, by=table.ana)
    of_gm = to_kingdom(table, table.crown)
    made = (fight, theirs, own, of_gm)
    set_role(by=table.gm, campaign=table.campaign, user=table.ana, role=Role.PLAYER)
    assert [read(one.token).status_code for one in made] == [404, 404, 200, 200]
    update_campaign(by=table.gm, campaign=table.campaign, players_share=False)
    set_role(by=table.gm, campaign=table.campaign, user=table.ana, role=Role.PLAYER)
    assign_players(by=table.gm, kingdom=table.crown, players=[table.ana, table.bo])
    assert read(own.token).status_code == 200, "the links there are stay"
    assign_players(by=table.gm, kingdom=table.crown, players=[table.bo])
    assert [read(one.token).status_code for one in made] == [404, 404, 404, 200]


# How long it works


@pytest.mark.parametrize("part", ["", "picture.png"])
def test_unknown_revoked_expired_and_gone_are_the_same_404(table, battle, part):
    revoked, expired, gone = (link_to(table, battle) for _one in range(3))
    revoke_share(by=table.gm, link=revoked.link)
    ShareLink.objects.filter(pk=expired.link.pk).update(expires=timezone.now() - timedelta(seconds=1))
    ShareLink.objects.filter(pk=gone.link.pk).update(thing=uuid4())
    told = set()
    for token in (revoked.token, expired.token, gone.token, ShareLink.new_token()):
        answer = read(token, part=part)
        text = re.sub(r"[\w-]{64}", "", answer.content.decode()).replace(token, "")
        told.add((answer.status_code, re.sub(r'name="next" value="[^"]*"', "", text)))
    assert {status for status, _text in told} == {404}
    assert len(told) == 1
    assert "Ask whoever sent it for a new one." in told.pop()[1], "who has it may have no account"


def test_what_is_no_token_opens_nothing(table):
    for token in ("x", "x" * 500, "\u0661%00", "%2e%2e", "a b"):
        assert read(token).status_code == 404, token


def test_it_works_for_a_month_unless_somebody_says_otherwise(table, battle):
    days = {days: link_to(table, battle, days=days).link.expires for days in (7, None)}
    ordinary = link_to(table, battle).link.expires
    assert timedelta(days=29) < ordinary - timezone.now() <= timedelta(days=30)
    assert days[7] < ordinary
    assert days[None] is None


def test_its_makers_see_when_it_was_used_last(table, battle):
    made = link_to(table, battle)
    assert ShareLink.objects.get(pk=made.link.pk).last_used_at is None
    read(made.token)
    assert ShareLink.objects.get(pk=made.link.pk).last_used_at is not None


def test_guesses_are_counted_by_address_and_right_ones_are_not(table, battle, monkeypatch):
    few = replace(WRONG, most=3)
    monkeypatch.setattr(sharing_views, "WRONG", few)
    token = link_to(table, battle).token
    for _right in range(few.most + 1):
        assert read(token).status_code == 200
    for _wrong in range(few.most):
        assert read("guess").status_code == 404
    late = read("guess")
    assert late.status_code == 429
    assert int(late["Retry-After"]) > 0
    assert read("guess", REMOTE_ADDR="203.0.113.7").status_code == 404
    assert read(token).status_code == 200, "whoever has a link is not shut out by others of the same address"


# What stands there


@pytest.mark.parametrize("kind", KINDS)
def test_whoever_opens_it_sees_the_same(table, battle, kind):
    """Every day nobody and one of them."""
    token, place = link_to(table, battle, kind).token, KINDS.index(kind)
    people = at_most((table.gm, table.bo, table.stranger)[place : place + 1], full=(table.gm, table.bo, table.stranger))
    pages = {
        re.sub(r'"X-CSRFToken": "\w+"', "", read(token, client).content.decode())
        for client in (Client(), *map(client_of, people))
    }
    assert len(pages) == 1
    assert "<form" not in pages.pop()


def test_orders_and_hidden_sheets_are_not_there_and_revealed_ones_are(table, battle):
    token = link_to(table, battle).token
    version = 1
    for command in (Next(), Resolve(), Resolve()):
        play(by=table.gm, battle_id=battle.pk, version=version, command=command)
        version += 1
    order = GiveOrder(Order(str(table.raiders.pk), strategy="aggressive"))
    play(by=table.bo, battle_id=battle.pk, version=version, command=order)
    before = read(token).content.decode()
    assert "aggressive" not in before.lower()
    assert "DV" not in re.findall(r"<dt>(\w+)</dt>", before)
    Army.objects.filter(pk=table.raiders.pk).update(revealed=True)
    after = read(token).content.decode()
    assert after.count("<dt>") > before.count("<dt>")


def test_nobody_is_named(table, battle):
    named = []
    for user, name in ((table.gm, "Zephyrine"), (table.bo, "Bogdanova"), (table.ana, "Anaximander")):
        User.objects.filter(pk=user.pk).update(username=name)
        named.append(name)
    play(by=table.gm, battle_id=battle.pk, version=1, command=Next())
    for made in (*(link_to(table, battle, kind) for kind in KINDS), to_kingdom(table, table.crown)):
        text = read(made.token).content.decode()
        assert [name for name in named if name in text] == [], made.link.kind


def test_a_kingdoms_page_tells_its_revealed_armies_and_no_figure_of_its_own(table):
    token = to_kingdom(table, table.horde).token
    before = read(token).content.decode()
    assert "Horde" in before
    assert "Raiders" not in before
    assert "every army whose sheet the GM reveals to everyone" in before, "an empty page says what it is for"
    Army.objects.filter(pk=table.raiders.pk).update(revealed=True)
    after = read(token).content.decode()
    assert "Raiders" in after
    assert "Spare" not in after
    assert "No army sheets revealed yet" not in after


def test_a_replay_steps_and_a_report_waits_for_the_end(table, battle):
    replay, report = link_to(table, battle, "replay").token, link_to(table, battle, "report").token
    play(by=table.gm, battle_id=battle.pk, version=1, command=Next())
    assert read(f"{replay}", part="?step=999").status_code == 200
    assert "isn’t over" in read(report).content.decode()


def test_nothing_leads_away_but_the_credits(table, battle):
    """Every day where there is most."""
    for kind in at_most(("live", "replay"), full=KINDS):
        text = read(link_to(table, battle, kind).token).content.decode()
        links = set(re.findall(r'<a [^>]*href="([^"]*)"', text))
        assert {link for link in links if not link.startswith(("?", "#"))} <= {"/", "/credits/"}


def test_every_battle_of_the_demonstration_can_be_shown(demonstration):
    shows_its_battles(demonstration)


def test_every_battle_of_the_demonstration_by_breaking_points_can_be_shown(river):  # noqa: F811
    shows_its_battles(river)


def shows_its_battles(table):
    """With all that stands on their fields: chips lead nowhere."""
    looks = [*product(KINDS, ("", "?step=9", "picture.png"))]
    few, once = [("live", ""), ("replay", "?step=9"), ("report", "")], [("live", "picture.png")]
    for number, battle in enumerate(Battle.objects.filter(campaign=table.campaign)):
        for kind, part in at_most(few if number else few + once, full=looks):
            answer = read(link_to(table, battle, kind).token, part=part)
            assert answer.status_code == 200
            assert b"/rules/" not in answer.content


# How it is sent


def test_it_is_kept_nowhere_found_nowhere_and_told_nowhere(table, battle):
    answer = read(link_to(table, battle).token)
    assert answer["Referrer-Policy"] == "no-referrer"
    assert answer["X-Robots-Tag"] == "noindex"
    assert "no-store" in answer["Cache-Control"]


def test_it_is_read_only(table, battle):
    token = link_to(table, battle).token
    for method in ("post", "put", "patch", "delete"):
        assert getattr(Client(), method)(f"/s/{token}/").status_code == 405


def test_its_preview_tells_what_it_shows_with_a_picture(table, battle):
    made = link_to(table, battle)
    text = read(made.token).content.decode()
    assert '<meta property="og:title" content="The ford">' in text
    assert '<meta name="twitter:card" content="summary_large_image">' in text
    picture = re.search(r'og:image" content="(http://testserver/[^"]+)"', text)[1]
    answer = Client().get(picture.removeprefix("http://testserver"))
    assert answer["Content-Type"] == "image/png"
    assert struct.unpack(">II", answer.content[16:24]) == (1200, 630)
    assert "no-store" in answer["Cache-Control"]


def test_a_program_without_a_language_gets_the_makers(table, battle):
    from django.utils import translation

    with translation.override("fr"):
        made = link_to(table, battle, "replay")
    assert 'lang="fr"' in read(made.token).content.decode()
    assert 'lang="en"' in read(made.token, headers={"Accept-Language": "en"}).content.decode()


ODD = ["Ω" * 120, "<script>alert(1)</script>", "\uffff\ufffe a & b", "W" * 120]


@pytest.mark.parametrize("name", everyday([f"{ODD[1]}{ODD[2]}{'ΩW' * 42}", *ODD], first=1))
def test_any_name_can_be_drawn(table, battle, name):
    type(battle).objects.filter(pk=battle.pk).update(name=name)
    made = link_to(table, battle)
    assert read(made.token, part="picture.png").status_code == 200
    assert "<script>alert" not in read(made.token).content.decode()


# The page of those who make them


def test_the_address_is_shown_once(table, battle):
    client, url = client_of(table.gm), f"/c/{table.campaign.pk}/shares/"
    made = client.post(url, {"what": f"live:{battle.pk}", "days": "30"})
    address = re.search(r'id="new-link">http://testserver(/s/[\w-]+/)<', made.content.decode())[1]
    assert Client().get(address).status_code == 200
    again = client.get(url).content.decode()
    assert address not in again
    assert "The ford" in again
    link = ShareLink.objects.get()
    assert client.post(f"{url}{link.pk}/revoke/").status_code == 302
    assert Client().get(address).status_code == 404


def test_a_page_that_is_loaded_anew_makes_no_second_link(table, battle):
    """The second would work for a month, and nobody would know its address."""
    client, url = client_of(table.gm), f"/c/{table.campaign.pk}/shares/"
    form = {"what": f"live:{battle.pk}", "days": "30"}
    marks = [client.get(url).context["once"] for _page in range(2)]
    assert client.post(url, {**form, "once": marks[0]}).status_code == 200
    again = client.post(url, {**form, "once": marks[0]}, follow=True)
    assert "This link has already been created." in again.content.decode()
    assert ShareLink.objects.count() == 1
    assert client.post(url, {**form, "once": marks[1]}).status_code == 200
    assert ShareLink.objects.count() == 2


def test_the_list_asks_for_the_names_of_a_kind_at_once_and_reads_no_battle(table, battle, django_assert_num_queries):
    gone = link_to(table, battle)
    ShareLink.objects.filter(pk=gone.link.pk).update(thing=uuid4())
    for kind in KINDS * 3:
        link_to(table, battle, kind)
    to_kingdom(table, table.crown)
    links = list(list_shares(table.gm, table.campaign))
    with django_assert_num_queries(len(KINDS) + 1) as asked:
        names = [line.about for line in share_lines(table.campaign, links)]
    assert names == ["Crown", *["The ford"] * 9, ""]
    assert not any("state" in query["sql"] for query in asked)


def test_a_form_that_makes_no_sense_comes_back(table, battle):
    client = client_of(table.gm)
    for sent in ({}, {"what": "live:x"}, {"what": "treasury:1", "days": "30"}, {"days": "-1"}):
        assert client.post(f"/c/{table.campaign.pk}/shares/", sent).status_code == 422, sent
        assert not ShareLink.objects.exists()


def test_who_may_share_nothing_has_no_page_of_them(table):
    url = f"/c/{table.campaign.pk}/shares/"
    assert client_of(table.ana).get(url).status_code == 403
    assert client_of(table.viewer).get(url).status_code == 403
    assert client_of(table.stranger).get(url).status_code == 404
    update_campaign(by=table.gm, campaign=table.campaign, players_share=True)
    assert client_of(table.ana).get(url).status_code == 200
    assert client_of(table.viewer).get(url).status_code == 403


# By program


def test_the_api_makes_lists_and_revokes(table, battle):
    api, url = api_of(table.gm), f"/api/v1/campaigns/{table.campaign.pk}/shares/"
    made = api.post(url, {"kind": "replay", "thing": str(battle.pk), "days": 7})
    assert made.status_code == 201, made.content
    told = made.json()
    token = told["url"].split("/s/")[1].strip("/")
    assert read(token).status_code == 200
    (listed,) = api.get(url).json()["results"]
    assert listed["id"] == told["id"]
    assert listed["url"] is None
    assert api.delete(f"{url}{told['id']}/").status_code == 204
    assert read(token).status_code == 404
    assert api.delete(f"{url}{told['id']}/").status_code == 404


def test_the_api_knows_every_kind_that_the_page_offers():
    assert set(sharing_api.KINDS) == set(list_kinds())


def test_the_api_shares_the_story_of_the_war(table, battle):
    api, url = api_of(table.gm), f"/api/v1/campaigns/{table.campaign.pk}/shares/"
    asked = {"kind": "story", "thing": str(table.campaign.pk)}
    made = api.post(url, asked)
    assert made.status_code == 201, made.content
    assert read(made.json()["url"].split("/s/")[1].strip("/")).status_code == 200
    assert api.get(f"{url}picture/", asked)["Content-Type"] == "image/png"
    refused = api.post(url, {**asked, "thing": str(battle.pk)})
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (404, "/thing")


def test_the_api_refuses_as_the_page_does(table, battle):
    url, body = f"/api/v1/campaigns/{table.campaign.pk}/shares/", {"kind": "live", "thing": str(battle.pk)}
    assert api_of(table.ana).post(url, body).status_code == 403
    assert api_of(table.ana).get(url).json()["results"] == []
    assert api_of(table.stranger).post(url, body).status_code == 404
    refused = api_of(table.gm).post(url, {**body, "thing": str(uuid4())})
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (404, "/thing")
    assert api_of(table.gm).post(url, {**body, "days": 0}).status_code == 400


def test_its_picture_shows_what_is_left_of_each_side_and_of_armies_told_in_words_nothing(table, battle):
    drawn = preview_battle(onlooker(table.campaign), battle)
    assert drawn.left == (100, 100)
    assert svg_of(drawn).count(f'width="{BAR_WIDE}" height="{BAR_HIGH}" fill="{GOLD}"') == 2
    half = svg_of(drawn._replace(left=(50, None)))
    assert (
        half.count(f'width="{BAR_WIDE // 2}" height="{BAR_HIGH}" fill="{GOLD}"') == half.count(f'fill="{GOLD}"/>') == 1
    )


# The picture, by program


def test_a_program_that_only_plays_gets_the_picture_of_a_link_that_is_not_made(table, battle):
    api = api_of(table.gm, scope="play")
    address = f"/api/v1/campaigns/{table.campaign.pk}/shares/picture/"
    answer = api.get(address, {"kind": "live", "thing": battle.pk})
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
    shown = read(link_to(table, battle).token, part="picture.png")
    assert answer.content == shown.content
    ShareLink.objects.all().delete()
    for wrong in ({"kind": "treasury"}, {"thing": "x"}, {"thing": uuid4()}, {}, {"kind": "kingdom"}, {"more": "1"}):
        given = {**({"kind": "live", "thing": battle.pk} if wrong else {}), **wrong}
        assert api.get(address, given).status_code in (400, 404), wrong
    assert not ShareLink.objects.exists()


def test_the_picture_is_for_whoever_may_make_the_link(table, battle):
    address = f"/api/v1/campaigns/{table.campaign.pk}/shares/picture/"
    own, fight = {"kind": "kingdom", "thing": table.crown.pk}, {"kind": "live", "thing": battle.pk}
    ana, stranger = api_of(table.ana, scope="play"), api_of(table.stranger)
    assert [api.get(address, own).status_code for api in (ana, stranger)] == [403, 404]
    update_campaign(by=table.gm, campaign=table.campaign, players_share=True)
    assert [ana.get(address, asked).status_code for asked in (own, fight)] == [200, 403]


def test_a_new_link_comes_with_the_address_of_its_picture(table, battle):
    api, address = api_of(table.gm), f"/api/v1/campaigns/{table.campaign.pk}/shares/"
    made = api.post(address, {"kind": "live", "thing": str(battle.pk)}, format="json").json()
    assert Client().get(made["picture"])["Content-Type"] == "image/png"
    assert api.get(address).json()["results"][0]["picture"] is None
