"""What the API answers fits what openapi.yaml says it answers: every read, and what people do most."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import jsonschema_rs
from rest_framework.test import APIClient

from kingdom.models import Scope
from tests.databases import tried
from tests.everyday import at_most
from tests.kingdom.conftest import api_of, make_user
from tests.manners.bodies import body_of, document, operations, shape
from tests.manners.doors import doors

NO_JSON = ("/schema/", "/docs/", "/export/", "/tables/armies/")


def modern(schema: Any) -> Any:
    """OpenAPI 3.0 as JSON Schema: `nullable` becomes a kind of its own, and no member goes unnamed."""
    if isinstance(schema, list):
        return [modern(inner) for inner in schema]
    if not isinstance(schema, dict):
        return schema
    told = {name: modern(inner) for name, inner in schema.items() if name != "nullable"}
    if "properties" in told:
        told.setdefault("additionalProperties", False)
    return {"anyOf": [told, {"type": "null"}]} if schema.get("nullable") else told


def faults(doc: dict[str, Any], told: dict[str, Any], answer: Any) -> Iterator[str]:
    """Where the answer is not what the operation promises for its status."""
    promised = told["responses"].get(str(answer.status_code))
    if promised is None:
        yield f"status {answer.status_code} is not promised"
        return
    schema = promised.get("content", {}).get("application/json", {}).get("schema")
    if schema is None:
        return
    whole = {**modern(schema), "components": modern(doc["components"])}
    checker = jsonschema_rs.validator_for(whole, validate_formats=True)
    for error in checker.iter_errors(json.loads(answer.content)):
        yield f"{'/'.join(map(str, error.instance_path))}: {error.message[:200]}"


def test_every_read_fits_its_schema(table):
    doc, api = document(), api_of(table.gm)
    by_shape = {shape(door.pattern): door for door in doors(table)}
    of_one = {"unit-types": table.campaign, "arsenal": table.place.campaign}
    wrong, read = {}, 0
    for (method, path), told in operations(doc).items():
        if method == "GET" and not by_shape[shape(path)].url.endswith(NO_JSON):
            asked = next((campaign.pk for part, campaign in of_one.items() if part in path), None)
            needs = f"?campaign={asked}" if asked else ""
            found = list(faults(doc, told, api.get(by_shape[shape(path)].url + needs)))
            read += 1
            if found:
                wrong[path] = found[:5]
    assert read > 25
    assert [f"{key} {told}" for key, told in wrong.items()] == []


BELOW = {
    "campaigns": ("", "chronicle/", "members/", "due/"),
    "kingdoms": ("", "ledger/", "outlook/"),
    "armies": ("", "resources/"),
    "battles": ("", "events/?limit=200", "replay/"),
    "commanders": ("",),
    "settlements": ("",),
    "stores": ("",),
}


def test_every_read_of_the_demo_campaign_fits_its_schema(demonstration):
    doc, api = document(), api_of(demonstration.gm)
    known = {shape(path): told for (method, path), told in operations(doc).items() if method == "GET"}
    wrong, read = {}, 0
    for name, below in BELOW.items():
        for row in api.get(f"/api/v1/{name}/").json()["results"]:
            for last in below:
                url = f"/api/v1/{name}/{row['id']}/{last}"
                told = known[f"/api/v1/{name}/<>/{last.partition('?')[0]}"]
                read += 1
                if found := list(faults(doc, told, api.get(url))):
                    wrong[name, last] = found[:5]
    assert read > 30
    assert [f"{key} {told}" for key, told in wrong.items()] == []


def test_what_is_done_most_fits_its_schema(table):
    doc, api = document(), api_of(table.gm)
    known = operations(doc)
    campaign, army, battle = table.campaign.pk, table.spare.pk, table.battle.pk
    deeds = [
        ("/api/v1/kingdoms/{id}/ledger/", table.crown.pk, {"amount": 5, "reason": "tolls"}),
        ("/api/v1/kingdoms/{id}/check/", table.crown.pk, {"attribute": "economy"}),
        ("/api/v1/armies/{id}/rest/", army, {}),
        ("/api/v1/armies/{id}/disband/", army, {"confirm": False}),
        ("/api/v1/armies/{id}/march/", army, {"hexes": 3, "confirm": False}),
        ("/api/v1/campaigns/{campaign_id}/advance/", campaign, {"days": 1}),
        ("/api/v1/campaigns/{id}/invitations/", campaign, {"role": "viewer"}),
        ("/api/v1/battles/{id}/commands/", battle, {"type": "next"}),
        ("/api/v1/battles/{id}/commands/", battle, {"type": "resolve"}),
        ("/api/v1/battles/{id}/commands/", battle, {"type": "end", "reason": "dusk", "winner": "Crown"}),
        ("/api/v1/battles/{id}/commands/", battle, {"type": "aftermath"}),
    ]
    wrong = {}
    for path, pk, body in deeds:
        version = {"If-Match": f'"{type(table.battle).objects.get(pk=battle).version}"'} if "battles" in path else {}
        url = path.replace("{id}", str(pk)).replace("{campaign_id}", str(pk))
        answer = api.post(url, body, headers=version)
        if found := list(faults(doc, known["POST", path], answer)):
            wrong[path, str(body)] = [*found[:5], answer.content[:200]]
    assert [f"{key} {told}" for key, told in wrong.items()] == []


# Refusals


def refused(table: Any) -> Iterator[tuple[str, str, dict[str, Any], Any]]:
    """Every operation of the document, asked in every way there is to be turned away: its name, the way, what
    is told of it, the answer. Whatever one of them does after all is undone.
    """
    doc = document()
    gm, ana, stranger = api_of(table.gm), api_of(table.ana), api_of(make_user("nobody"))
    reader, nameless = api_of(table.gm, scope=Scope.READ), APIClient()
    wrong = APIClient()
    wrong.credentials(HTTP_AUTHORIZATION="Token nonsense")
    by_shape = {shape(door.pattern): door for door in doors(table)}
    for nth, ((method, path), told) in enumerate(operations(doc).items()):
        url, nowhere = by_shape[shape(path)].url, _nowhere(path)
        body, once = json.dumps(body_of(told, doc, table) or {}), {"Idempotency-Key": "once"}
        stale, plain = {"If-Match": '"0"'}, "application/json"
        ways = [
            ("without a name", nameless, url, body, plain, {}),
            ("by a wrong token", wrong, url, body, plain, {}),
            ("by a token that reads", reader, url, body, plain, {}),
            ("by a stranger", stranger, url, body, plain, {}),
            ("by a player", ana, url, body, plain, {}),
            ("of nothing there is", gm, nowhere, body, plain, stale),
            ("with an unknown filter", gm, f"{url}?nonsense=1&limit=x", body, plain, {}),
            ("with a list", gm, url, "[1]", plain, {}),
            ("with strange members", gm, url, '{"nonsense": 1}', plain, stale),
            ("with half a body", gm, url, '{"a": ', plain, {}),
            ("as a form", gm, url, "a=b", "application/x-www-form-urlencoded", {}),
            ("of an old version", gm, url, body, plain, stale),
            ("of no version", gm, url, body, plain, {}),
            ("with a bad key", gm, url, body, plain, {"Idempotency-Key": ""}),
        ]
        shift = nth % len(ways)  # every day some ways, others at the next operation
        for way, api, asked, sent, kind, headers in (ways[shift:] + ways[:shift])[: at_most(4, full=len(ways))]:
            with tried():
                answer = api.generic(method, asked, "" if method == "GET" else sent, kind, headers=headers)
            yield f"{method} {path}", way, told, answer
        if method == "POST":
            with tried():
                first = gm.generic(method, url, body, plain, headers={**once, **_version_of(table, url)})
                again = gm.generic(method, url, '{"another": 1}', plain, headers={**once, **stale})
            yield f"{method} {path}", "with a key used before", told, again if first.status_code < 400 else first


def _nowhere(path: str) -> str:
    return "".join(part if not part.startswith("{") else str(uuid4()) for part in _parts(path))


def _parts(path: str) -> list[str]:
    return [part for piece in path.replace("{", "\0{").replace("}", "}\0").split("\0") for part in [piece] if part]


def _version_of(table: Any, url: str) -> dict[str, str]:
    return {"If-Match": f'"{table.battle.version}"'} if str(table.battle.pk) in url else {}


def test_every_refusal_is_one_the_document_promises(table):
    """Its status, its kind of content, and the shape of a problem."""
    doc, unkept, met = document(), [], set()
    problem = jsonschema_rs.validator_for({**doc["components"]["schemas"]["Problem"]}, validate_formats=True)
    for operation, way, told, answer in refused(table):
        if answer.status_code < 400:
            continue
        met.add(answer.status_code)
        promised = told["responses"].get(str(answer.status_code))
        if promised is None:
            unkept.append(f"{operation} {way}: {answer.status_code} is not promised")
            continue
        if "$ref" in promised:
            promised = doc["components"]["responses"][promised["$ref"].rpartition("/")[2]]
        kind = answer.headers["Content-Type"].partition(";")[0]
        if kind not in promised.get("content", {}) or not problem.is_valid(json.loads(answer.content)):
            unkept.append(f"{operation} {way}: {answer.status_code} as {kind}: {answer.content[:120]!r}")
    assert unkept == []
    assert met >= {400, 401, 403, 404, 409, 412, 415, 422, 428}


def test_what_an_operation_is_says_how_it_may_be_refused():
    for (method, path), told in operations(document()).items():
        codes, parts = told["responses"].keys(), {part["name"] for part in told.get("parameters", ())}
        assert {"400", "429", "503"} <= codes, (method, path)
        assert ("404" in codes) >= ("{" in path), (method, path)
        assert ({"409", "415"} <= codes) == (method != "GET"), (method, path)
        assert ({"412", "428"} <= codes) >= ("If-Match" in parts), (method, path)
        assert ("422" in codes) == (method == "POST"), (method, path)
        assert ("401" in codes) or path.endswith(("/schema/", "/docs/")), (method, path)
