"""Conditional requests: `If-None-Match` on what is read, `If-Match` on what is changed."""

from __future__ import annotations

import pytest

from tests.kingdom.conftest import api_of
from tests.manners.operations import operations_at

MALFORMED = ("later", '"half', 'half"', "W/", ",", '"a",', '*, "a"', '"a" "b"')


def reads(table):
    return [one for one in operations_at(table) if one.method == "GET" and one.told]


def test_every_read_that_gives_an_etag_says_304_to_whoever_has_that_version(table):
    api, tagged = api_of(table.gm), set()
    for one in reads(table):
        url = one.url + one.query
        first = api.get(url)
        promised = "304" in one.told["responses"]
        assert ("ETag" in first.headers) == promised, f"{one} {first.status_code}"
        if not promised:
            continue
        tagged.add(one.path)
        for named in (first["ETag"], f'"other", {first["ETag"]}', f"W/{first['ETag']}", "*"):
            again = api.get(url, headers={"If-None-Match": named})
            assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"]), (one.path, named)
        assert api.get(url, headers={"If-None-Match": '"other"'}).status_code == 200
    assert tagged >= {f"/api/v1/{kind}/{{id}}/" for kind in ("battles", "campaigns", "armies", "sieges", "kingdoms")}


def test_a_battle_that_has_moved_on_is_told_anew(table):
    api, url = api_of(table.gm), f"/api/v1/battles/{table.battle.pk}/"
    seen = api.get(url)["ETag"]
    assert api.post(f"{url}commands/", {"type": "next"}, headers={"If-Match": seen}).status_code == 200
    assert api.get(url, headers={"If-None-Match": seen}).status_code == 200


@pytest.mark.parametrize("header", MALFORMED)
def test_an_if_match_that_is_none_is_a_400(table, header):
    api = api_of(table.gm)
    sent = (
        ("post", f"battles/{table.battle.pk}/commands/", {"type": "next"}),
        ("post", f"sieges/{table.siege.pk}/commands/", {"type": "lift"}),
        ("put", f"campaigns/{table.campaign.pk}/map/", {}),
        ("patch", f"campaigns/{table.campaign.pk}/", {"name": "Other"}),
        ("patch", f"kingdoms/{table.crown.pk}/", {"name": "Other"}),
        ("delete", f"notes/{table.note.pk}/", None),
    )
    for method, path, body in sent:
        answer = getattr(api, method)(f"/api/v1/{path}", body, format="json", headers={"If-Match": header})
        told = answer.json()
        assert (answer.status_code, told["errors"][0]["pointer"]) == (400, "/If-Match"), (path, told)
        assert told["detail"] == "Send the ETag you received, including its quotes."
