"""POST battles/{id}/forecast/ under every law: what is to come, as far as its reader may know."""

from __future__ import annotations

from typing import Any

import pytest

from battles.forecast import computation
from battles.models import Job
from tests.battles.conftest import Client
from tests.battles.frame.conftest import foretells, plays_out
from tests.everyday import under
from tests.manners.test_schema import faults
from tests.rulesets.drivers import FORETOLD

FORECAST = "/api/v1/battles/{id}/forecast/"


def ask(client: Client, **body: Any) -> Any:
    return client.api.post(f"{client.url}forecast/", body)


def test_chances_are_one_together(gm, table, ready):
    answer = ask(gm)
    if plays_out(gm.battle):  # tests/battles/frame/test_odds_by_play.py waits for the job
        assert answer.status_code == 202
        return
    if not foretells(gm.battle):
        assert (answer.status_code, answer.json()["detail"]) == (409, "This ruleset has no forecasts.")
        return
    assert answer.status_code == 200, answer.content
    told = answer.json()
    whole = sum(side["win"] for side in told["sides"]) + told["mutual"] + told["undecided"]
    assert whole == pytest.approx(1, abs=1e-9)
    assert [side["name"] for side in told["sides"]] == ["Crown", "Horde"]
    assert {army["army"] for army in told["hp"]} == {str(table.watch.pk), str(table.raiders.pk)}
    for army in told["hp"]:
        assert sum(chance for _left, chance in army["distribution"]) == pytest.approx(1, abs=1e-9)
        assert sum(army["fates"].values()) == pytest.approx(1, abs=1e-9)
    assert told["method"] in ("exact", "simulated")
    assert (told["error"] == 0) is (told["method"] == "exact")
    assert "matrix" not in told
    assert list(faults("POST", FORECAST, answer)) == []


def test_a_battle_that_is_over_has_nothing_to_foretell(over):
    assert ask(over).status_code == 409


@under(*FORETOLD)
def test_with_a_table_of_choices(gm, table, ready):
    answer = ask(gm, matrix=True)
    assert list(faults("POST", FORECAST, answer)) == []
    matrix = answer.json()["matrix"]
    assert (matrix["row"], matrix["column"]) == (str(table.watch.pk), str(table.raiders.pk))
    assert len(matrix["win"]) == len(matrix["rows"]) == len(matrix["mix"]["rows"])
    assert all(len(row) == len(matrix["columns"]) for row in matrix["win"])
    assert sum(matrix["mix"]["rows"]) == pytest.approx(1)
    named = {"kind": matrix["kind"], "row": matrix["column"], "column": matrix["row"]}
    turned = ask(gm, table=named).json()["matrix"]
    assert (turned["row"], turned["rows"]) == (matrix["column"], matrix["columns"])


NONSENSE = (
    ({"unknown": "hope"}, "/unknown"),
    ({"untl": {}}, "/untl"),
    ({"until": {"phases": 0}}, "/until/phases"),
    ({"until": {"hp": {"nobody": 1}}}, "/until/hp/nobody"),
    ({"withdraw": {"nobody": {"after": 1}}}, "/withdraw/nobody"),
    ({"withdraw": {"nobody": {}}}, "/withdraw/nobody"),
    ({"withdraw": {"nobody": {"after": "x"}}}, "/withdraw/nobody/after"),
    ({"orders": []}, "/orders"),
    ({"table": {"kind": "nothing", "row": "a", "column": "b"}}, "/table/row"),
    ({"matrix": 1}, "/matrix"),
)


def test_what_cannot_be_asked_is_refused_with_its_pointer(gm):
    known = foretells(gm.battle) or plays_out(gm.battle)
    for body, pointer in NONSENSE:
        answer = ask(gm, **body)
        assert answer.status_code == (400 if known else 409), body
        pointers = [error["pointer"] for error in answer.json().get("errors", ())]
        whole = plays_out(gm.battle) and pointer.startswith(tuple(pointers))  # nothing of it can be supposed
        assert not known or pointer in pointers or whole, body


@pytest.mark.slow
def test_who_may_ask(ready, table):
    told = 200 if foretells(ready) else 202 if plays_out(ready) else 409
    for who, code in (("gm", told), ("ana", told), ("viewer", told), ("stranger", 404)):
        assert ask(Client(getattr(table, who), ready)).status_code == code, who


def test_asking_changes_nothing(gm, table, ready):
    """Whoever watches may ask, too."""
    before = gm.read()
    told = 200 if foretells(ready) else 400 if plays_out(ready) else 409
    assert ask(Client(table.viewer, ready), matrix=True).status_code == told
    assert gm.read() == before
    assert not Job.objects.exists()


@pytest.mark.django_db(transaction=True)
@under(*FORETOLD)
def test_what_takes_longer_is_a_job_its_asker_reads_and_stops(gm, table, ready, monkeypatch):
    monkeypatch.setattr(computation, "wait", lambda futures, _seconds: None)
    monkeypatch.setattr("concurrent.futures.Future.done", lambda self: False)
    began = ask(gm, matrix=True)
    monkeypatch.undo()
    assert began.status_code == 202, began.content
    job = began.json()
    assert began.headers["Location"].endswith(f"/api/v1/jobs/{job['id']}/")
    path = f"/api/v1/jobs/{job['id']}/"
    done = finished(gm, path)
    assert (done["state"], done["done"], done["of"]) == ("done", 2, 2)
    assert done["results"] == [ask(gm, matrix=True).json()]
    assert Client(table.ana, gm.battle).api.get(path).status_code == 404
    assert Client(table.ana, gm.battle).api.delete(path).status_code == 404
    assert gm.api.delete(path).status_code == 204


def finished(client: Client, path: str) -> Any:
    for _look in range(200):
        found = client.api.get(path).json()
        if found["state"] != "running":
            return found
        import time

        time.sleep(0.05)
    raise AssertionError(found)
