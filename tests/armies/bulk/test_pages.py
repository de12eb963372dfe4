"""Lists in which armies are picked, the page of a deed for many, and the same by program."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from armies.models import Army
from armies.pathfinder.models import PathfinderArmy
from kingdom.models import ApprovalRequest, ChronicleEntry, Kingdom
from tests.armies.conftest import appointed, raised
from tests.everyday import everyday
from tests.kingdom.approvals.conftest import players_may
from tests.kingdom.conftest import api_of, client_of
from tests.rulesets.drivers import LAWS, driver_of, table_of
from tests.worlds import built_once

pytestmark = pytest.mark.django_db
BULK = "/api/v1/armies/bulk/"


@built_once
def host(war):
    war.archers = raised(war.gm, war.crown, "Archers")
    PathfinderArmy.objects.filter(kingdom=war.crown).update(health=5)
    return war


def page_of(table, name="together"):
    return reverse(f"armies:{name}", args=[table.campaign.pk])


def boxes(body):
    return set(re.findall(r'name="army" value="([0-9a-f-]+)"', body))


def hidden(body, name):
    return re.search(rf'name="{name}" value="([^"]*)"', body)[1]


def sent(table, *armies, **more):
    return {"army": [str(army.pk) for army in armies], **more}


def ordered(client, table, data):
    """Proposed and confirmed, as a browser without scripts does it."""
    shown = client.post(page_of(table), {**data, "do": "choose"})
    body = shown.content.decode()
    more = {"asked": hidden(body, "asked"), "mark": hidden(body, "mark"), "do": "confirm"}
    return shown, client.post(page_of(table), {**data, **more})


def test_lists_offer_to_pick_the_armies_one_commands_and_no_others(host):
    crown, horde = reverse("kingdom:kingdom", args=[host.crown.pk]), reverse("kingdom:kingdom", args=[host.horde.pk])
    board = reverse("kingdom:campaign", args=[host.campaign.pk])
    own, theirs = {str(host.levy.pk), str(host.archers.pk)}, {str(host.raiders.pk)}
    for user, where, picks in (
        (host.gm, board, own | theirs), (host.ana, board, own), (host.viewer, board, set()),
        (host.ana, crown, own), (host.ana, horde, set()), (host.viewer, crown, set()),
        (host.ana, page_of(host, "list"), own), (host.viewer, page_of(host, "list"), set()),
    ):  # fmt: skip
        body = client_of(user).get(where).content.decode()
        assert (boxes(body), 'id="picks"' in body) == (picks, bool(picks)), (user, where)


def test_the_list_of_all_armies_is_found_and_sifted_and_hides_what_is_hidden(host):
    PathfinderArmy.objects.filter(pk=host.levy.pk).update(health=9)
    client, url = client_of(host.ana), page_of(host, "list")

    def listed(**asked):
        return {line.army.name for line in client.get(url, asked).context["page"].lines}

    assert listed() == {"Levy", "Archers"}
    assert listed(q="vell") == {"Levy"} == listed(q="LEVY restov")
    assert listed(state="unled") == {"Archers"}
    assert listed(kingdom=str(host.horde.pk)) == set()
    assert listed(kingdom="nonsense", state="nonsense") == {"Levy", "Archers"}
    assert b"Raiders" not in client.get(url).content


def test_many_armies_rest_with_one_proposal_and_one_confirmation(host):
    client = client_of(host.ana)
    shown, done = ordered(client, host, sent(host, host.levy, host.archers, deed="rest"))
    assert "Levy: 3 hp regained." in shown.content.decode()
    assert done.status_code == 302
    after = client.get(done["Location"]).content.decode()
    assert "Crown of Restov: 2 armies rested for a day (Archers, Levy) and regained 6 hp." in after
    assert ChronicleEntry.objects.filter(kind="army").order_by("-seq")[0].changes
    assert {army.health for army in PathfinderArmy.objects.filter(kingdom=host.crown)} == {8}


def test_a_whole_kingdom_is_picked_by_one_tick(host):
    shown = client_of(host.ana).post(
        page_of(host), {"kingdom": [str(host.crown.pk), str(host.horde.pk)], "deed": "rest"}
    )
    assert set(shown.context["ids"]) == {str(host.levy.pk), str(host.archers.pk)}, "not those of others"


def test_what_a_deed_must_know_is_asked_before_anything_is_shown(host):
    client, data = client_of(host.ana), sent(host, host.levy, host.archers, deed="march")
    first = client.post(page_of(host), {**data, "do": "choose"})
    assert first.context["proposal"] is None
    assert first.status_code == 200
    wrong = client.post(page_of(host), {**data, "asked": "march", "place": "", "hexes": "x", "do": "preview"})
    assert wrong.status_code == 422
    assert set(wrong.context["form"].errors) == {"place", "hexes"}
    good = client.post(page_of(host), {**data, "asked": "march", "place": "The ford", "hexes": "8", "do": "preview"})
    assert "set out for The ford" in good.content.decode()
    other = client.post(
        page_of(host), {**data, "deed": "place", "asked": "march", "place": "The ford", "do": "preview"}
    )
    assert other.context["form"].is_bound is False, "another deed asks anew"


def test_commanders_can_be_chosen_for_each_army_of_the_proposal(host):
    bel, _ado = appointed(host.gm, host.crown, "Ser Bel"), appointed(host.gm, host.crown, "Ser Ado")
    data = sent(host, host.archers, deed="assign", **{f"commanders-{host.archers.pk}": str(bel.pk)})
    client = client_of(host.ana)
    shown = client.post(page_of(host), {**data, "asked": "assign", "do": "preview"})
    mark = hidden(shown.content.decode(), "mark")
    client.post(page_of(host), {**data, "asked": "assign", "do": "confirm", "mark": mark})
    assert PathfinderArmy.objects.get(pk=host.archers.pk).commander_id == bel.pk


def test_a_world_that_moved_on_is_shown_anew_and_nothing_is_done(host):
    client, data = client_of(host.ana), sent(host, host.levy, deed="rest", asked="rest")
    mark = hidden(client.post(page_of(host), {**data, "do": "preview"}).content.decode(), "mark")
    PathfinderArmy.objects.filter(pk=host.levy.pk).update(health=7)
    stale = client.post(page_of(host), {**data, "do": "confirm", "mark": mark})
    assert stale.status_code == 412
    assert PathfinderArmy.objects.get(pk=host.levy.pk).rested_on is None


def test_without_a_pick_one_is_told_and_sent_back(host):
    client = client_of(host.ana)
    assert client.get(page_of(host))["Location"] == page_of(host, "list")
    back = client.post(page_of(host), {"deed": "rest"}, follow=True)
    assert "Choose at least one army." in back.content.decode()


def test_the_armies_of_others_are_picked_by_nobody(host):
    client = client_of(host.ana)
    refused = client.post(page_of(host), sent(host, host.levy, host.raiders, deed="rest"))
    assert refused.status_code == 422
    assert b"Raiders" not in refused.content
    assert client.post(page_of(host), {"army": "nonsense", "deed": "rest"}).status_code == 404
    assert client_of(host.stranger).post(page_of(host), sent(host, host.levy)).status_code == 404
    assert client_of(host.viewer).post(page_of(host), sent(host, host.levy)).status_code == 403


def test_what_needs_leave_asks_the_gm_once_for_all(host):
    players_may(host, march="ask")
    shown, asked = ordered(client_of(host.ana), host, sent(host, host.levy, host.archers, deed="rest"))
    assert "Ask the GM" in shown.content.decode()
    assert asked["Location"] == reverse("kingdom:petition", args=[ApprovalRequest.objects.get().pk])


# By program


def test_the_api_proposes_and_confirms_what_it_has_shown(host):
    api = api_of(host.ana)
    body = {"armies": [str(host.levy.pk), str(host.archers.pk)], "deed": "rest"}
    shown = api.post(BULK, body, format="json")
    assert shown.status_code == 200
    assert shown.data["entry"] is None
    assert {line["text"] for line in shown.data["armies"]} == {"Levy: 3 hp regained.", "Archers: 3 hp regained."}
    assert api.post(BULK, {**body, "confirm": True}, format="json").status_code == 428
    stale = api.post(BULK, {**body, "confirm": True, "mark": "0" * 32}, format="json")
    assert stale.status_code == 412
    done = api.post(BULK, {**body, "confirm": True, "mark": shown.data["mark"]}, format="json")
    assert done.status_code == 200
    assert done.data["entry"]["text"] == "Crown of Restov: 2 armies rested for a day (Archers, Levy) and regained 6 hp."
    assert len(done.data["entry"]["changes"]) == 4


def test_the_api_points_at_what_is_wrong(host):
    api = api_of(host.ana)

    def problem(code, **body):
        answer = api.post(BULK, {"armies": [str(host.levy.pk)], "deed": "rest", **body}, format="json")
        assert answer.status_code == code, answer.data
        return [error["pointer"] for error in answer.data.get("errors", [])]

    assert problem(400, deed="dance") == ["/deed"]
    assert problem(400, armies=[]) == ["/armies"]
    assert problem(400, options={"rally": 1}) == ["/options/rally"]
    assert problem(404, armies=[str(host.raiders.pk)]) == ["/armies/0"]
    assert problem(404, armies=[str(host.levy.pk), str(host.raiders.pk)]) == ["/armies/1"]
    assert problem(403, deed="reveal") == []
    players_may(host, march="ask")
    mark = api.post(BULK, {"armies": [str(host.levy.pk)], "deed": "rest"}, format="json").data["mark"]
    assert problem(202, confirm=True, mark=mark) == []


@pytest.mark.parametrize("slug", everyday(LAWS, first=2))
def test_every_law_offers_its_own_deeds_and_takes_them_back(slug, db):
    """No law is asked for a deed it has not; what it has works with rows of its own."""
    table = table_of(driver_of(slug))
    client, armies = client_of(table.gm), [table.raiders, table.spare]
    offered = client.post(page_of(table), sent(table, *armies)).context["deeds"]
    assert {"place", "assign", "relieve", "reveal", "hide"} <= {deed.slug for deed in offered}
    assert ("rest" in {deed.slug for deed in offered}) == (slug == "combat-de-masse")
    data = sent(table, *armies, deed="place", place="The ford", asked="place")
    mark = hidden(client.post(page_of(table), {**data, "do": "preview"}).content.decode(), "mark")
    done = client.post(page_of(table), {**data, "do": "confirm", "mark": mark})
    ids = [army.pk for army in armies]
    assert set(Army.objects.filter(pk__in=ids).values_list("place", flat=True)) == {"The ford"}
    undo = client.get(done["Location"]).content.decode().split('method="post" action="')
    client.post(next(form.partition('"')[0] for form in undo if "/undo/" in form.partition('"')[0]), {"here": "1"})
    assert set(Army.objects.filter(pk__in=ids).values_list("place", flat=True)) == {""}


def test_kingdoms_that_are_counted_stand_in_the_order_of_their_names(host):
    names = [f"Vassal {number}" for number in range(30, 0, -1)]
    Kingdom.objects.bulk_create(Kingdom(campaign=host.campaign, name=name) for name in names)
    shown = client_of(host.gm).get(page_of(host, "list")).context["page"].realms
    assert [realm.kingdom.name for realm in shown] == [host.crown.name, host.horde.name, *reversed(names)]
