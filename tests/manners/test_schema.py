"""What the API answers fits what openapi.yaml says it answers: every read, and what people do most."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from types import SimpleNamespace
from typing import Any, NamedTuple
from uuid import uuid4

import jsonschema_rs
import pytest
from rest_framework.test import APIClient

from kingdom.models import Scope
from tests.access.people import reads
from tests.databases import tried
from tests.everyday import FULL, at_most, everyday
from tests.kingdom.conftest import api_of, make_user
from tests.manners.bodies import document, operations, shape
from tests.manners.doors import PART
from tests.manners.operations import Operation, operations_at

TOLD_HEADERS = ("ETag", "Location", "Idempotency-Replayed")
ITSELF = ("/schema/", "/docs/")
NO_JSON = (*ITSELF, "/export/", "/tables/armies/")
PICTURE = "/pictures/commander/"
OF_OTHERS = ("/jobs/", "/places/", "/sieges/", "/arsenal/")  # the table's of another campaign, or of somebody else


def is_json(url: str) -> bool:
    return not url.endswith(NO_JSON) and PICTURE not in url


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


@cache
def components() -> Any:
    return modern(document()["components"])


@cache
def checker(method: str, path: str, status: str, kind: str = "application/json") -> Any | None:
    """Of the answers of an operation with a status; None where nothing of this kind is promised. Raises `KeyError`
    where the status is not.
    """
    promised = operations(document())[method, path]["responses"][status]
    schema = promised.get("content", {}).get(kind, {}).get("schema")
    whole = {**modern(schema), "components": components()} if schema else None
    return whole and jsonschema_rs.validator_for(whole, validate_formats=True)


def faults(method: str, path: str, answer: Any) -> Iterator[str]:
    """Where the answer is not what the operation promises for its status."""
    try:
        found = checker(method, path, str(answer.status_code))
    except KeyError:
        yield f"status {answer.status_code} is not promised"
        return
    told = operations(document())[method, path]["responses"][str(answer.status_code)].get("headers", {})
    yield from (f"the header {name} is not promised" for name in TOLD_HEADERS if name in answer and name not in told)
    for error in found.iter_errors(json.loads(answer.content)) if found else ():
        yield f"{'/'.join(map(str, error.instance_path))}: {error.message[:200]}"


@pytest.mark.parametrize("reader", everyday(["ana", "viewer"], first=1))
def test_every_read_fits_its_schema(table, reader):
    """Also of what they may know in part only, and by a token of the campaign, which opens its things as any of theirs
    does. What is refused them is asked in the full run: a refusal is one of those below.
    """
    user, role = getattr(table, reader), {"ana": "player"}.get(reader, reader)
    api, bound = api_of(user), api_of(user, scope=Scope.READ, campaign=table.campaign)
    wrong, read, opened = {}, 0, 0
    for one in operations_at(table):
        if one.method != "GET" or not is_json(one.url) or not (FULL or reads(role, one.door.pattern)):
            continue
        within = "<pk>" in one.door.pattern and not any(part in one.url for part in OF_OTHERS)
        answer = (bound if within else api).get(one.url + one.query)
        read, opened = read + 1, opened + (within and answer.status_code == 200)
        if found := [*faults("GET", one.path, answer)]:
            wrong[one.path] = found[:5]
        if within and answer.status_code != 200:
            whole = api.get(one.url + one.query).status_code
            if answer.status_code != whole:
                wrong[one.path] = [f"{answer.status_code} by a token of the campaign, {whole} by another"]
    assert opened > 12
    assert read > 25
    assert [f"{key} {told}" for key, told in wrong.items()] == []


MANAGED = {"/api/v1/account/security/"}  # the log of what happened to the account: not for a token that only reads


def test_every_read_of_the_gm_fits_its_schema_is_not_sent_twice_and_takes_no_filter_it_does_not_know(table):
    """Exactly the reads of which the document says so answer 304 to whoever has that version already. Their token is
    one that reads.
    """
    api, reads_of_lists = api_of(table.gm, scope=Scope.READ), 0
    wrong, taken, kept, told = {}, [], set(), set()
    for one in operations_at(table):
        if one.method != "GET" or not one.told or one.url.endswith(ITSELF):
            continue
        answer = api.get(one.url + one.query)
        assert (answer.status_code == 403) == (one.path in MANAGED), one.path
        if one.path in MANAGED:
            continue
        if is_json(one.url) and (found := list(faults("GET", one.path, answer))):
            wrong[one.path] = found[:5]
        tag = answer.headers.get("ETag")
        if tag and api.get(one.url + one.query, headers={"If-None-Match": tag}).status_code == 304:
            kept.add(one.path)
        if "304" in one.told["responses"]:
            told.add(one.path)
        if a_list(answer):
            reads_of_lists += 1
            refused = api.get(f"{one.url}{one.query or '?'}&nonsense=1")
            if refused.status_code != 400 or refused.json()["errors"][0]["pointer"] != "/nonsense":
                taken.append(one.path)
    assert [f"{key} {found}" for key, found in wrong.items()] == []
    assert told == kept
    assert len(kept) > 10
    assert taken == []
    assert reads_of_lists > 20


def a_list(answer: Any) -> bool:
    """A page of one, or all of it."""
    told = answer.json() if not answer.streaming and answer["Content-Type"] == "application/json" else None
    return isinstance(told, list) or (isinstance(told, dict) and "results" in told)


def test_the_document_tells_of_every_operation_there_is(table):
    there = {(one.method, one.path) for one in operations_at(table) if not one.url.endswith(ITSELF)}
    assert there == operations(document()).keys()


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
    api, wrong, read = api_of(demonstration.gm), {}, 0
    known = {shape(path): path for method, path in operations(document()) if method == "GET"}
    for name, below in BELOW.items():
        for row in api.get(f"/api/v1/{name}/").json()["results"][: at_most(2, full=1_000)]:
            for last in below:
                url = f"/api/v1/{name}/{row['id']}/{last}"
                path = known[f"/api/v1/{name}/<>/{last.partition('?')[0]}"]
                read += 1
                if found := list(faults("GET", path, api.get(url))):
                    wrong[name, last] = found[:5]
    assert read > at_most(20, full=30)
    assert [f"{key} {told}" for key, told in wrong.items()] == []


def test_what_is_done_most_fits_its_schema(table):
    api = api_of(table.gm)
    campaign, army, battle = table.campaign.pk, table.spare.pk, table.battle.pk
    deeds = [
        ("/api/v1/kingdoms/{id}/ledger/", table.crown.pk, {"amount": 5, "reason": "tolls"}),
        ("/api/v1/kingdoms/{id}/check/", table.crown.pk, {"attribute": "economy"}),
        ("/api/v1/armies/{id}/rest/", army, {}),
        ("/api/v1/armies/{id}/disband/", army, {"confirm": False}),
        ("/api/v1/armies/{id}/march/", army, {"hexes": 3, "confirm": False}),
        ("/api/v1/armies/{id}/reform/", army, {"parts": [{"count": 300}, {"count": 200, "name": "Second half"}]}),
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
        if found := list(faults("POST", path, answer)):
            wrong[path, str(body)] = [*found[:5], answer.content[:200]]
    assert [f"{key} {told}" for key, told in wrong.items()] == []


def test_dice_that_are_asked_for_fit_as_any_other_refusal_of_a_command_does(table):
    fits = checker("POST", "/api/v1/battles/{id}/commands/", "409", "application/problem+json")
    api, url = api_of(table.gm), f"/api/v1/battles/{table.battle.pk}/commands/"
    early, rallied = {"type": "resolve"}, {"type": "order", "army": str(table.watch.pk), "tactic": "dirty-fighters"}
    commands = [early, {"type": "next"}, rallied, {"type": "resolve"}, {"type": "resolve", "ask": True}]
    told = []
    for command in commands:
        version = type(table.battle).objects.get(pk=table.battle.pk).version
        answer = api.post(url, command, headers={"If-Match": f'"{version}"'})
        if answer.status_code == 409:
            told.append(answer.json())
    early, untrained, asked = told
    assert (early.keys() | untrained.keys()) & {"asks", "follows"} == set()
    assert untrained["errors"][0]["pointer"] == "/tactic"
    assert asked["asks"]
    assert [error.message for one in told for error in fits.iter_errors(one)] == []


def alternatives(schema: Any) -> Iterator[list[Any]]:
    """Those of which exactly one holds, where no word tells which."""
    for inner in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from alternatives(inner)
    if isinstance(schema, dict) and "oneOf" in schema and "discriminator" not in schema:
        yield schema["oneOf"]


def test_what_is_promised_as_one_of_several_can_be_one_of_them_only():
    """Shapes of several laws may fit the same thing: one that reads all its members by chance, or has none of them."""
    shapes, alike = document()["components"]["schemas"], []
    for several in alternatives(document()):
        told = [shapes[one["$ref"].rpartition("/")[2]] if "$ref" in one else one for one in several]
        kinds = [value for one in told for value in one.get("enum", [one.get("type")])]
        if len(set(kinds)) < len(kinds):
            alike.append(several)
    assert alike == []


def test_letting_know_again_is_answered_as_the_first_time(table):
    url, body = f"/api/v1/campaigns/{table.campaign.pk}/insights/", {"kingdom": str(table.crown.pk)}
    for level in ("name", "glance", "nothing"):
        answer = api_of(table.gm).post(url, {**body, "army": str(table.spare.pk), "level": level})
        assert list(faults("POST", "/api/v1/campaigns/{campaign_id}/insights/", answer)) == []


# Refusals


JSON = "application/json"


class Way(NamedTuple):
    """One way to be turned away: who asks, where, and what they send."""

    name: str
    api: APIClient
    url: str
    sent: str
    kind: str = JSON
    headers: dict[str, str] = {}


def askers(table: Any) -> SimpleNamespace:
    """Whoever may be turned away."""
    wrong = APIClient()
    wrong.credentials(HTTP_AUTHORIZATION="Token nonsense")
    return SimpleNamespace(
        gm=api_of(table.gm), player=api_of(table.ana), stranger=api_of(make_user("nobody")),
        reader=api_of(table.gm, scope=Scope.READ), nobody=APIClient(), wrong=wrong,
    )  # fmt: skip


def ways(who: SimpleNamespace, one: Operation) -> list[Way]:
    """Every way to ask for this operation in vain."""
    url, body = one.url, json.dumps(one.body or {})
    nowhere, stale = PART.sub(lambda _part: str(uuid4()), one.door.pattern), {"If-Match": '"0"'}
    return [
        Way("without a name", who.nobody, url, body),
        Way("by a wrong token", who.wrong, url, body),
        Way("by a token that reads", who.reader, url, body),
        Way("by a stranger", who.stranger, url, body),
        Way("by a player", who.player, url, body),
        Way("of nothing there is", who.gm, nowhere, body, headers=stale),
        Way("with an unknown filter", who.gm, f"{url}?nonsense=1&limit=x", body),
        Way("with a list", who.gm, url, "[1]"),
        Way("with strange members", who.gm, url, '{"nonsense": 1}', headers=stale),
        Way("with half a body", who.gm, url, '{"a": '),
        Way("as a form", who.gm, url, "a=b", "application/x-www-form-urlencoded"),
        Way("of an old version", who.gm, url, body, headers=stale),
        Way("of no version", who.gm, url, body),
        Way("with a bad key", who.gm, url, body, headers={"Idempotency-Key": ""}),
    ]


def refused(table: Any) -> Iterator[tuple[Operation, str, Any]]:
    """Every operation of the document, asked in every way there is to be turned away: the way, and the answer.
    Whatever one of them does after all is undone.
    """
    who = askers(table)
    told = [one for one in operations_at(table) if one.told]
    for nth, one in enumerate(told):
        known = ways(who, one)
        shift = nth % len(known)  # every day some ways, others at the next operation
        for way in (known[shift:] + known[:shift])[: at_most(1, full=len(known))]:
            sent = "" if one.method == "GET" else way.sent
            with tried():
                answer = way.api.generic(one.method, way.url, sent, way.kind, headers=way.headers)
            yield one, way.name, answer
        if one.method == "POST" and nth % at_most(4, full=1) == 0:
            yield one, "with a key used before", _again(table, who.gm, one)


def _again(table: Any, gm: APIClient, one: Operation) -> Any:
    """Something else is sent with a key that was used."""
    key = {"Idempotency-Key": "once"}
    with tried():
        first = gm.generic("POST", one.url, json.dumps(one.body or {}), JSON, headers=key | _version_of(table, one.url))
        again = gm.generic("POST", one.url, '{"another": 1}', JSON, headers={**key, "If-Match": '"0"'})
    return again if first.status_code < 400 else first


def _version_of(table: Any, url: str) -> dict[str, str]:
    return {"If-Match": f'"{table.battle.version}"'} if str(table.battle.pk) in url else {}


def test_every_refusal_is_one_the_document_promises(table):
    """Its status, its kind of content, and the shape of a problem."""
    doc, unkept, met = document(), [], set()
    problem = jsonschema_rs.validator_for({**doc["components"]["schemas"]["Problem"]}, validate_formats=True)
    for one, way, answer in refused(table):
        if answer.status_code < 400:
            continue
        met.add(answer.status_code)
        promised = one.told["responses"].get(str(answer.status_code))
        if promised is None:
            unkept.append(f"{one} {way}: {answer.status_code} is not promised")
            continue
        if "$ref" in promised:
            promised = doc["components"]["responses"][promised["$ref"].rpartition("/")[2]]
        kind = answer.headers["Content-Type"].partition(";")[0]
        if kind not in promised.get("content", {}) or not problem.is_valid(json.loads(answer.content)):
            unkept.append(f"{one} {way}: {answer.status_code} as {kind}: {answer.content[:120]!r}")
    assert unkept == []
    assert met >= {400, 401, 403, 404, 409, 412, 415, 422, 428}


def test_what_an_operation_is_says_how_it_may_be_refused():
    doc = document()
    shapes = doc["components"]["schemas"]
    for (method, path), told in operations(doc).items():
        codes, parts = told["responses"].keys(), {part.get("name") for part in told.get("parameters", ())}
        assert {"400", "429", "503"} <= codes, (method, path)
        assert ("404" in codes) >= ("{" in path), (method, path)
        assert ({"409", "415"} <= codes) == (method != "GET"), (method, path)
        sent = told.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
        marked = "mark" in shapes.get(sent.get("$ref", "").rpartition("/")[2], {}).get("properties", {})
        assert ({"412", "428"} <= codes) >= ("If-Match" in parts or marked), (method, path)
        assert ("422" in codes) == (method == "POST"), (method, path)
        assert ("401" in codes) or path.endswith(("/schema/", "/docs/")), (method, path)
