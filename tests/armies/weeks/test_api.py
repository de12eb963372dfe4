"""Time by REST: `advance/`, `undo/`, `due/`."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from armies.models import TimeStep
from kingdom.campaign.services import create_campaign
from kingdom.models import ChronicleEntry
from kingdom.realms.services import found_kingdom
from kingdom.realms.treasury_services import record_entry
from tests.armies.weeks.conftest import now, set_army, treasury
from tests.armies.weeks.test_integrity import at_once
from tests.everyday import at_most
from tests.kingdom.conftest import api_of

LANGUAGES = {
    "en": "Choose either an army or a kingdom, not both.",
    "fr": "Choisissez soit une armée, soit un royaume, pas les deux.",
}


def url(war: Any, what: str = "advance") -> str:
    return f"/api/v1/campaigns/{war.campaign.pk}/{what}/"


def advance(api: Any, war: Any, body: dict[str, Any], **headers: str) -> Any:
    """Proposed, then confirmed as it was shown."""
    shown = api.post(url(war), body, format="json").json()
    return api.post(url(war), {**body, "confirm": True, "mark": shown["mark"]}, format="json", **headers)


def test_advance_proposes_and_changes_nothing(quiet):
    set_army(quiet.levy, hp=1, surcharge=12)
    answer = api_of(quiet.gm).post(url(quiet), {"days": 7, "confirm": False}, format="json")
    assert answer.status_code == 200
    body = answer.json()
    assert (body["day"], body["until"], body["date"]) == (0, 7, "Monday, 8 The long year 1")
    line = next(line for line in body["changes"] if line["field"] == "hp")
    assert {key: line[key] for key in ("subject", "before", "after", "rule", "label")} == {
        "subject": "Levy", "before": 1, "after": 16, "rule": "PF-7.1", "label": "Rest",
    }  # fmt: skip
    pay = next(pay for pay in body["payments"] if pay["name"] == "Levy")
    assert (pay["due"], pay["spent"], pay["paid"], len(pay["breakdown"])) == (13, 13, True, 2)
    assert body["warnings"] == []
    assert answer["ETag"] == f'"{body["version"]}"'
    assert body["mark"] == body["version"]
    assert now(quiet.campaign).day == 0


def test_confirm_applies_and_answers_the_chronicle_entry(quiet):
    answer = advance(api_of(quiet.gm), quiet, {"days": 7})
    assert answer.status_code == 200
    entry = ChronicleEntry.objects.get(kind="week")
    body = answer.json()
    assert (body["id"], body["kind"], body["day"]) == (str(entry.pk), "week", 7)
    assert [line["field"] for line in body["changes"]] == ["day", "morale", "treasury", "treasury"]
    assert treasury(quiet.crown) == 199


def test_undo_takes_the_week_back(quiet):
    api = api_of(quiet.gm)
    advance(api, quiet, {"days": 7})
    answer = api.post(url(quiet, "undo"))
    assert (answer.status_code, answer.json()["undone"]) == (200, True)
    assert (now(quiet.campaign).day, treasury(quiet.crown), now(quiet.raiders).morale) == (0, 200, 0)


def test_to_the_end_of_the_week_however_long_that_is(quiet):
    api = api_of(quiet.gm)
    advance(api, quiet, {"days": 3})
    proposal = api.post(url(quiet), {"to": "week"}, format="json").json()
    assert (proposal["day"], proposal["until"]) == (3, 7)
    assert advance(api, quiet, {"to": "week"}).json()["day"] == 7
    body = {"to": "week", "day": 3, "confirm": True, "mark": proposal["mark"]}
    stale = api.post(url(quiet), body, format="json")
    assert (stale.status_code, now(quiet.campaign).day) == (412, 7)


@pytest.mark.parametrize("body", [{}, {"days": 2, "to": "week"}, {"to": "year"}])
def test_how_long_is_said_once(quiet, body):
    answer = api_of(quiet.gm).post(url(quiet), {**body, "confirm": True, "mark": "0"}, format="json")
    assert (answer.status_code, now(quiet.campaign).day) == (400, 0)


def test_an_undo_may_name_its_entry_so_that_a_retry_takes_back_no_second_one(quiet):
    """Two weeks have passed; the second click on the last one leaves the first alone."""
    api = api_of(quiet.gm)
    entries = [advance(api, quiet, {"days": 7}).json()["id"] for _week in range(2)]
    undone = [api.post(url(quiet, "undo"), {"entry": entries[1]}, format="json") for _click in range(2)]
    assert [answer.status_code for answer in undone] == [200, 409]
    assert undone[1].json()["detail"] == "This has already been undone."
    assert now(quiet.campaign).day == 7
    assert api.post(url(quiet, "undo"), {"entry": entries[0]}, format="json").json()["id"] == entries[0]
    assert now(quiet.campaign).day == 0


@pytest.mark.parametrize("entry, status", [("nonsense", 400), ("00000000-0000-7000-8000-000000000000", 404)])
def test_an_undo_of_what_is_not_there_is_refused(quiet, entry, status):
    answer = api_of(quiet.gm).post(url(quiet, "undo"), {"entry": entry}, format="json")
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (status, "/entry")


def test_an_undo_of_another_campaigns_entry_is_not_found(quiet):
    other = create_campaign(by=quiet.gm, name="Elsewhere", ruleset="combat-de-masse")
    found_kingdom(by=quiet.gm, campaign=other, name="Far", treasury=3)
    far = ChronicleEntry.objects.filter(campaign=other).latest("seq")
    answer = api_of(quiet.gm).post(url(quiet, "undo"), {"entry": str(far.pk)}, format="json")
    assert answer.status_code == 404
    assert not now(far).undone


def test_choices_and_dice_are_taken(quiet):
    set_army(quiet.levy, hp=1)
    body = {
        "days": 1,
        "choices": {"loyalty_check": [str(quiet.crown.pk)]},
        "dice": [{"kingdom": str(quiet.crown.pk), "roll": "rally", "values": [20]}],
    }
    answer = api_of(quiet.gm).post(url(quiet), body, format="json").json()
    assert next(line["after"] for line in answer["changes"] if line["field"] == "hp") == 7
    assert answer["dice"] == [
        {"army": str(quiet.crown.pk), "roll": "rally", "die": 20, "value": 20, "source": "typed", "by": "gm"}
    ]
    assert answer["notes"][0]["rule"] == "PF-7.1"


@pytest.mark.parametrize(
    "body, pointer",
    [
        ({}, "/days"),
        ({"days": 0}, "/days"),
        ({"days": -3}, "/days"),
        ({"days": 10**30}, "/days"),
        ({"days": "7"}, "/days"),
        ({"days": 7, "choices": {"nap": []}}, "/choices/nap"),
        ({"days": 7, "choices": []}, "/choices"),
        ({"days": 7, "dice": [{"roll": "rally", "values": [3]}]}, "/dice/0/army"),
        ({"days": 7, "dice": [{"army": str(uuid4()), "roll": "rally", "values": [3]}]}, "/dice/0/values/0"),
        ({"days": 7, "confirm": "perhaps"}, "/confirm"),
    ],
)
def test_bad_bodies_are_400_with_the_pointer(quiet, body, pointer):
    answer = api_of(quiet.gm).post(url(quiet), body, format="json")
    assert answer.status_code == 400
    assert pointer in [error["pointer"] for error in answer.json()["errors"]]


def test_another_day_than_expected_is_412(quiet):
    api = api_of(quiet.gm)
    mark = api.post(url(quiet), {"days": 7}, format="json").json()["mark"]
    body = {"days": 7, "confirm": True, "day": 0, "mark": mark}
    assert api.post(url(quiet), body, format="json").status_code == 200
    stale = api.post(url(quiet), body, format="json")
    assert (stale.status_code, stale["Content-Type"]) == (412, "application/problem+json")
    assert "It is now day 7" in stale.json()["detail"]
    assert (now(quiet.campaign).day, TimeStep.objects.count()) == (7, 1)


def test_if_match_names_the_proposal(quiet):
    api = api_of(quiet.gm)
    version = api.post(url(quiet), {"days": 7}, format="json")["ETag"]
    set_army(quiet.raiders, morale=-2)
    body = {"days": 7, "confirm": True}
    assert api.post(url(quiet), body, format="json", HTTP_IF_MATCH=version).status_code == 412
    version = api.post(url(quiet), {"days": 7}, format="json")["ETag"]
    assert api.post(url(quiet), body, format="json", HTTP_IF_MATCH=version).status_code == 200


@pytest.mark.parametrize("headers", [{}, {"HTTP_IF_MATCH": "*"}])
def test_confirming_without_the_mark_of_a_proposal_is_428(quiet, headers):
    answer = api_of(quiet.gm).post(url(quiet), {"days": 7, "confirm": True}, format="json", **headers)
    assert (answer.status_code, answer["Content-Type"]) == (428, "application/problem+json")
    assert answer.json()["detail"] == "Send the mark of the proposal you read."
    assert now(quiet.campaign).day == 0


def moved(war: Any) -> dict[str, Any]:
    """Ways to ask for something else than seven days without a choice."""
    return {
        "days": {"days": 6},
        "choices": {"choices": {"pay_first": [str(war.levy.pk)]}},
        "dice": {"choices": {"loyalty_check": True},
                 "dice": [{"kingdom": str(war.crown.pk), "roll": "rally", "values": [20]}]},
    }  # fmt: skip


@pytest.mark.parametrize("what", ["days", "choices", "dice", "figures"])
def test_a_mark_holds_for_what_it_showed_and_nothing_else(quiet, what):
    api = api_of(quiet.gm)
    mark = api.post(url(quiet), {"days": 7}, format="json").json()["mark"]
    if what == "figures":
        record_entry(by=quiet.gm, kingdom=now(quiet.crown), amount=1, reason="Found")
    body = {"days": 7, **moved(quiet).get(what, {}), "confirm": True, "mark": mark}
    answer = api.post(url(quiet), body, format="json")
    assert (answer.status_code, answer["Content-Type"]) == (412, "application/problem+json")
    assert (now(quiet.campaign).day, TimeStep.objects.count()) == (0, 0)


@pytest.mark.django_db(transaction=True)
def test_many_equal_bodies_at_once_let_one_week_pass(quiet):
    mark = api_of(quiet.gm).post(url(quiet), {"days": 7}, format="json").json()["mark"]
    body = {"days": 7, "confirm": True, "mark": mark}
    many = at_most(3, full=8)
    answers = at_once(*[lambda: api_of(quiet.gm).post(url(quiet), body, format="json").status_code] * many)
    assert sorted(answers) == [200, *[412] * (many - 1)]
    assert (now(quiet.campaign).day, treasury(quiet.crown), TimeStep.objects.count()) == (7, 199, 1)


def test_a_retry_with_the_same_key_is_answered_and_not_done_again(quiet):
    api = api_of(quiet.gm)
    mark = api.post(url(quiet), {"days": 7}, format="json").json()["mark"]
    body = {"days": 7, "confirm": True, "mark": mark}
    first, again = (api.post(url(quiet), body, format="json", HTTP_IDEMPOTENCY_KEY="week 1") for _attempt in range(2))
    assert first.json() == again.json()
    assert (now(quiet.campaign).day, treasury(quiet.crown)) == (7, 199)
    other = api.post(url(quiet), {"days": 1, "confirm": True}, format="json", HTTP_IDEMPOTENCY_KEY="week 1")
    assert other.status_code == 422


def test_a_refused_confirmation_under_a_key_leaves_nothing_and_may_be_tried_again(quiet):
    api = api_of(quiet.gm)
    mark = api.post(url(quiet), {"days": 7}, format="json").json()["mark"]
    wrong = {"days": 7, "confirm": True, "day": 3, "mark": mark}
    assert api.post(url(quiet), wrong, format="json", HTTP_IDEMPOTENCY_KEY="k").status_code == 412
    right = {"days": 7, "confirm": True, "day": 0, "mark": mark}
    assert api.post(url(quiet), right, format="json", HTTP_IDEMPOTENCY_KEY="k").status_code == 200


def test_an_undo_that_something_depends_on_is_409(quiet):
    api = api_of(quiet.gm)
    advance(api, quiet, {"days": 7})
    set_army(quiet.raiders, morale=3)
    refused = api.post(url(quiet, "undo"))
    assert refused.status_code == 409
    assert "Raiders: changed or deleted since" in refused.json()["detail"]


@pytest.mark.parametrize("name, status", [("ana", 403), ("viewer", 403), ("stranger", 404)])
def test_only_the_gm_may_advance(quiet, name, status):
    api = api_of(getattr(quiet, name))
    for confirm in (False, True):
        assert api.post(url(quiet), {"days": 7, "confirm": confirm}, format="json").status_code == status
    assert now(quiet.campaign).day == 0


def test_due_lists_what_lies_ahead_of_the_kingdoms_one_may_read(war):
    set_army(war.raiders, drain=1)
    lines = api_of(war.gm).get(url(war, "due")).json()
    assert [(line["day"], line["rule"]) for line in lines] == [
        (1, "PF-7.3"), (7, "PF-7.2"), (7, "PF-7.2"), (7, "PF-2.7"), (31, "PF-8.4"), (31, "PF-8.4"),
    ]  # fmt: skip
    assert lines[1]["text"] == "Consumption: 1 BP for one army (treasury 200 → 199)."
    assert lines[1]["date"] == "8 January 1"
    mine = api_of(war.ana).get(url(war, "due")).json()
    assert {line["kingdom"] for line in mine} == {str(war.crown.pk)}
    assert api_of(war.stranger).get(url(war, "due")).status_code == 404


def test_a_campaign_tells_its_date_and_takes_a_calendar(war):
    api = api_of(war.gm)
    address = f"/api/v1/campaigns/{war.campaign.pk}/"
    body = {"calendar": {"epoch": {"year": 4710, "month": 1, "day": 27}, "weekdays": list("ABCDEFG")}}
    changed = api.patch(address, body, format="json").json()
    assert (changed["week"], changed["date"]) == (1, "A, 27 January 4710")
    assert changed["calendar"]["epoch"] == {"year": 4710, "month": 1, "day": 27}
    assert changed["sky"] == []
    sky = {"seasons": [{"name": "Rains", "month": 1, "day": 1}], "moons": [{"name": "Somal", "cycle": 29.5, "new": 15}]}
    changed = api.patch(address, {"calendar": sky | {"leap": {"month": 2, "every": 8}}}, format="json").json()
    assert changed["sky"] == ["Rains", "Somal: full moon"]
    assert changed["calendar"]["leap"] == {"month": 2, "every": 8, "skip": None, "keep": None}
    assert api.get(address).json()["calendar"] == changed["calendar"]
    refused = api.patch(address, {"calendar": {"weekdays": []}}, format="json")
    assert refused.status_code == 400
    assert refused.json()["errors"][0]["pointer"] == "/calendar/weekdays"


def test_the_answer_comes_in_french(quiet, settings):
    answer = api_of(quiet.gm).post(url(quiet), {"days": 0}, format="json", HTTP_ACCEPT_LANGUAGE="fr")
    assert answer.json()["detail"] == "Indiquez de 1 à 366 jours."


def test_a_die_for_an_army_and_a_kingdom_at_once_is_refused_in_the_reader_s_language(quiet):
    both = {"army": str(uuid4()), "kingdom": str(quiet.crown.pk), "roll": "rally", "values": [3]}
    api, body = api_of(quiet.gm), {"days": 7, "dice": [both]}
    told = {
        language: api.post(url(quiet), body, headers={"Accept-Language": language}).json() for language in LANGUAGES
    }
    assert {language: one["detail"] for language, one in told.items()} == LANGUAGES
    assert {one["errors"][0]["pointer"] for one in told.values()} == {"/dice/0/army"}
