"""What the API answers fits what openapi.yaml says it answers: every read, and what people do most."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import jsonschema_rs

from tests.kingdom.conftest import api_of
from tests.manners.bodies import document, operations, shape
from tests.manners.doors import doors

NO_JSON = ("/schema/", "/docs/", "/export/")


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
        if method == "GET" and not path.endswith(NO_JSON):
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
