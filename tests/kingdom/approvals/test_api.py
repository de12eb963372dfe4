"""Leave over the API: 202 with a request, then grant, refuse or withdraw."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from armies.pathfinder.models import PathfinderArmy
from kingdom.models import ApprovalRequest, Kingdom
from tests.armies.conftest import orc
from tests.everyday import everyday
from tests.kingdom.approvals.conftest import more_like, players_may
from tests.kingdom.conftest import api_of

ROOT = "/api/v1"
ORDINARY = {
    "attributes": "ask", "treasury": "ask", "raise": "ask", "disband": "ask", "buy": "free", "found": "ask",
    "appoint": "free", "march": "free",
}  # fmt: skip


def gold(court: Any, **more: Any) -> Any:
    url = f"{ROOT}/kingdoms/{court.crown.pk}/ledger/"
    return api_of(court.ana).post(url, {"amount": 100_000, "reason": "Found it"}, **more)


def treasury(court: Any) -> int:
    return Kingdom.objects.get(pk=court.crown.pk).treasury


def test_the_choices_are_read_by_every_member_and_changed_by_the_gm(court):
    url = f"{ROOT}/campaigns/{court.campaign.pk}/"
    assert api_of(court.bo).get(url).json()["players_may"] == ORDINARY
    changed = api_of(court.gm).patch(url, {"players_may": {"buy": "no", "raise": "free"}})
    assert changed.json()["players_may"] == {**ORDINARY, "buy": "no", "raise": "free"}
    assert api_of(court.ana).patch(url, {"players_may": {"buy": "free"}}).status_code == 403


def test_choices_nobody_knows_are_refused(court):
    api = api_of(court.gm)
    for given, pointer in (
        ({"teleport": "free"}, "/players_may/teleport"),
        ({"buy": "perhaps"}, "/players_may/buy"),
        ({"buy": None}, "/players_may/buy"),
        ([], "/players_may"),
        ("free", "/players_may"),
    ):
        answer = api.patch(f"{ROOT}/campaigns/{court.campaign.pk}/", {"players_may": given})
        assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, pointer)


def test_what_needs_leave_answers_202_with_the_request(court):
    before = treasury(court)
    answer = gold(court)
    assert answer.status_code == 202
    body = answer.json()
    assert answer["Location"].endswith(f"{ROOT}/requests/{body['id']}/")
    (change,) = body.pop("changes")
    assert (change["field"], change["before"], change["after"]) == ("treasury", before, before + 100_000)
    expected = {
        "campaign": str(court.campaign.pk), "by": "ana", "day": 0, "kind": "treasury", "status": "waiting",
        "text": "Crown of Restov, ledger: +100000 BP (Found it).", "reason": "", "answered_by": None,
        "kingdoms": [str(court.crown.pk)],
        "answered_at": None, "entry": None,
    }  # fmt: skip
    assert {name: body[name] for name in expected} == expected
    assert treasury(court) == before


def test_every_way_of_rewriting_the_world_asks(court):
    api = api_of(court.ana)
    answers = [
        api.patch(f"{ROOT}/kingdoms/{court.crown.pk}/", {"economy": 99}),
        api.post(f"{ROOT}/settlements/", {"kingdom": str(court.crown.pk), "name": "Varnhold"}),
        api.patch(f"{ROOT}/settlements/{court.restov.pk}/", {"buildings": ["castle"]}),
        api.delete(f"{ROOT}/settlements/{court.restov.pk}/"),
        api.post(f"{ROOT}/armies/", {"kingdom": str(court.crown.pk), "name": "More", "unit": orc(), "count": 5000}),
        api.patch(f"{ROOT}/armies/{court.levy.pk}/", {"count": 50_000}),
        api.post(f"{ROOT}/armies/{court.levy.pk}/disband/", {}),
        api.patch(f"{ROOT}/commanders/{court.vell.pk}/", {"level": 20}),
    ]
    assert [answer.status_code for answer in answers] == [202] * 8
    kinds = ["attributes", "found", "found", "found", "raise", "raise", "disband", "attributes"]
    assert [answer.json()["kind"] for answer in answers] == kinds


def test_reckoning_needs_no_leave(court):
    players_may(court, march="no", disband="no")
    api = api_of(court.ana)
    assert api.post(f"{ROOT}/armies/{court.levy.pk}/march/", {"hexes": 4, "confirm": False}).status_code == 200
    assert api.post(f"{ROOT}/armies/{court.levy.pk}/disband/", {"confirm": False}).status_code == 200
    assert api.post(f"{ROOT}/kingdoms/{court.crown.pk}/check/", {"attribute": "economy"}).status_code == 200


def test_what_the_gm_keeps_to_himself_is_403_in_words(court):
    players_may(court, treasury="no")
    answer = gold(court)
    assert answer.status_code == 403
    assert answer.json()["detail"] == "In this campaign, only the GM can do this: Enter BP in the ledger."
    assert not ApprovalRequest.objects.exists()


def test_the_impossible_is_refused_as_ever(court):
    answer = api_of(court.ana).patch(f"{ROOT}/kingdoms/{court.crown.pk}/", {"alignment": "XX"})
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, "/alignment")


def test_an_idempotency_key_gets_the_same_answer(court):
    first, again = (gold(court, headers={"Idempotency-Key": "k"}) for _ in range(2))
    assert (first.status_code, again.status_code) == (202, 202)
    assert first.json() == again.json()
    assert again["Location"] == first["Location"]
    assert ApprovalRequest.objects.count() == 1


def test_the_gm_grants(court):
    before, url = treasury(court), gold(court)["Location"]
    granted = api_of(court.gm).post(f"{url}grant/")
    assert granted.status_code == 200
    assert (granted.json()["status"], granted.json()["answered_by"]) == ("granted", "gm")
    assert treasury(court) == before + 100_000
    again = api_of(court.gm).post(f"{url}grant/")
    assert (again.status_code, again.json()["detail"]) == (409, "This request has already been approved.")
    assert treasury(court) == before + 100_000
    chronicle = api_of(court.ana).get(f"{ROOT}/campaigns/{court.campaign.pk}/chronicle/").json()["results"][0]
    assert chronicle["text"] == "Crown of Restov, ledger: +100000 BP (Found it). (Requested by ana, approved by gm.)"
    assert (chronicle["id"], len(chronicle["changes"])) == (granted.json()["entry"], 1)


def test_the_gm_refuses_with_a_reason_or_without(court):
    url = gold(court)["Location"]
    refused = api_of(court.gm).post(f"{url}refuse/", {"reason": "Too much."})
    assert (refused.status_code, refused.json()["status"], refused.json()["reason"]) == (200, "refused", "Too much.")
    assert api_of(court.gm).post(f"{gold(court)['Location']}refuse/").json()["reason"] == ""


def test_what_is_no_longer_possible_is_409_and_waits(court):
    answer = api_of(court.ana).patch(f"{ROOT}/armies/{court.levy.pk}/", {"count": 600})
    PathfinderArmy.objects.filter(pk=court.levy.pk).update(status="disbanded")
    refused = api_of(court.gm).post(f"{answer['Location']}grant/")
    assert (refused.status_code, "disbanded, so nothing can be changed" in refused.json()["detail"]) == (409, True)
    assert api_of(court.ana).get(answer["Location"]).json()["status"] == "waiting"


def test_the_player_withdraws(court):
    url = gold(court)["Location"]
    assert api_of(court.ana).delete(url).status_code == 204
    assert api_of(court.ana).get(url).json()["status"] == "withdrawn"
    other = gold(court)["Location"]
    assert api_of(court.ana).post(f"{other}withdraw/").json()["status"] == "withdrawn"
    assert api_of(court.ana).delete(other).status_code == 409


@pytest.mark.parametrize(  # the others are refused every day in tests/access, too
    ("who", "read", "answer", "withdraw"),
    everyday([("ana", 200, 403, 204), ("gm", 200, 200, 403), ("viewer", 200, 403, 403), ("bo", 404, 404, 404),
              ("stranger", 404, 404, 404)], first=1),
)  # fmt: skip
def test_the_rights_of_each(court, who, read, answer, withdraw):
    url, api = gold(court)["Location"], api_of(getattr(court, who))
    assert api.get(url).status_code == read
    assert len(api.get(f"{ROOT}/requests/").json()["results"]) == (1 if read == 200 else 0)
    assert api.delete(url).status_code == withdraw
    url = gold(court)["Location"]
    assert api.post(f"{url}refuse/").status_code == answer
    url = gold(court)["Location"]
    assert api.post(f"{url}grant/").status_code == answer


def test_filters(court):
    gold(court)
    api_of(court.ana).patch(f"{ROOT}/kingdoms/{court.crown.pk}/", {"economy": 99})
    api = api_of(court.gm)

    def found(**query):
        return [line["kind"] for line in api.get(f"{ROOT}/requests/", query).json()["results"]]

    assert found(campaign=str(court.campaign.pk)) == ["treasury", "attributes"]
    assert found(kind="treasury", status="waiting") == ["treasury"]
    assert found(status="granted") == []
    assert api.get(f"{ROOT}/requests/", {"by": "ana"}).status_code == 400


def test_the_list_takes_no_more_queries_for_more_requests(court, django_assert_max_num_queries):
    gold(court)
    asked, readers, least = (
        ApprovalRequest.objects.get(),
        {name: api_of(getattr(court, name)) for name in ("gm", "ana")},
        {},
    )
    more_like(asked, 1)
    for name, api in readers.items():
        with CaptureQueriesContext(connection) as few:
            api.get(f"{ROOT}/requests/")
        least[name] = len(few)
    more_like(asked, 7)
    for name, api in readers.items():
        with django_assert_max_num_queries(least[name]):
            assert len(api.get(f"{ROOT}/requests/").json()["results"]) == 9


def test_in_french(court):
    players_may(court, disband="no")
    french = {"headers": {"Accept-Language": "fr"}}
    refused = api_of(court.ana).post(f"{ROOT}/armies/{court.levy.pk}/disband/", {}, **french)
    assert (
        refused.json()["detail"]
        == "Dans cette campagne, cette action revient au MJ\N{NO-BREAK SPACE}: Dissoudre des armées."
    )
    url = gold(court)["Location"]
    api_of(court.gm).post(f"{url}grant/")
    told = api_of(court.ana).get(f"{ROOT}/campaigns/{court.campaign.pk}/chronicle/", **french).json()["results"][0]
    assert told["text"].endswith("(Demandé par ana, accordé par gm.)")
