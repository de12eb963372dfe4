"""What painters' programs may do: strokes, their undoing, lands and pictures."""

from __future__ import annotations

import pytest

from kingdom.map.queries import load_map_state
from kingdom.map.services import configure_map
from kingdom.models import CampaignMap, ChronicleEntry
from tests.armies.conftest import api_of

pytestmark = pytest.mark.django_db
STROKE = {"command": "paint", "at": "G6", "size": "fill", "terrain": "sea"}


@pytest.fixture
def address(marches):
    return f"/api/v1/campaigns/{marches.campaign.pk}/map"


def test_a_stroke_answers_the_hexes_that_changed_and_is_taken_back(marches, address):
    client = api_of(marches.gm)
    answer = client.post(f"{address}/strokes/", STROKE, format="json")
    assert answer.status_code == 200
    assert answer.data["changed"] == [{"hex": label, "terrain": "sea"} for label in ("G6", "H6", "I6")]
    assert answer.data["version"] == CampaignMap.objects.get().version
    assert answer.data["told"] == "Sea on G6, H6, I6."
    undone = client.post(f"{address}/strokes/undo/")
    assert [one["terrain"] for one in undone.data["changed"]] == ["lake"] * 3
    whole = client.post(f"{address}/strokes/", {"command": "resize", "columns": 9, "rows": 9}, format="json")
    assert (whole.data["whole"], whole.data["changed"]) == (True, [])


def test_hx_9_3_the_answer_says_who_leaves_the_map(marches, address):
    stroke = {"command": "paint", "at": "D3", "terrain": "lake"}
    answer = api_of(marches.gm).post(f"{address}/strokes/", stroke, format="json")
    assert answer.data["told"] == "Lake on D3. Levy was taken off the map because its hex is now impassable or gone."


def test_hx_9_3_who_lays_another_sheet_is_told_who_leaves_the_map(marches, address):
    client = api_of(marches.gm)
    read = client.get(f"{address}/")
    drowned = {**read.data, "terrain": ["~" * len(row) for row in read.data["terrain"]]}
    laid = client.put(f"{address}/", drowned, format="json", headers={"If-Match": read["ETag"]})
    assert laid.data["told"] == (
        "The map was replaced: Marches. "
        "Levy, Raiders were taken off the map because their hexes are now impassable or gone."
    )
    again = client.get(f"{address}/")
    assert (again["ETag"], "told" in again.data) == (laid["ETag"], False)
    same = client.put(f"{address}/", {**laid.data}, format="json", headers={"If-Match": again["ETag"]})
    assert (same.status_code, same.data["told"]) == (200, "")
    assert client.get(f"{address}/").data == again.data


def test_hx_9_3_who_lays_a_land_from_a_seed_is_told_who_leaves_the_map(marches, address):
    land = {"kind": "coast", "columns": 12, "rows": 9, "seed": "7", "confirm": True}
    told = api_of(marches.gm).post(f"{address}/land/", land, format="json").data["told"]
    assert "Raiders" in told


def test_a_repeated_stroke_is_painted_once(marches, address):
    client, key = api_of(marches.gm), {"Idempotency-Key": "once"}
    entries = ChronicleEntry.objects.count()
    answers = [client.post(f"{address}/strokes/", STROKE, format="json", headers=key) for _try in range(2)]
    assert answers[0].data == answers[1].data
    assert ChronicleEntry.objects.count() == entries + 1


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ({"command": "paint", "hexes": ["Z99", "A1"], "terrain": "lava"}, ["/terrain", "/hexes/0"]),
        ({"command": "claim", "hexes": ["A1"], "kingdom": "nobody"}, ["/kingdom"]), ([], []), ({}, ["/command"]),
    ],
)  # fmt: skip
def test_a_wrong_stroke_is_a_problem_with_pointers(marches, address, body, pointers):
    answer = api_of(marches.gm).post(f"{address}/strokes/", body, format="json")
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"
    assert [one["pointer"] for one in answer.json().get("errors", ())] == pointers


def test_only_the_gm_paints_and_looks_at_lands(marches, address):
    for user, status in ((marches.ana, 403), (marches.viewer, 403), (marches.stranger, 404)):
        for path, body in (("strokes/", STROKE), ("strokes/undo/", {}), ("land/", {})):
            assert api_of(user).post(f"{address}/{path}", body, format="json").status_code == status


def test_a_land_is_shown_and_taken_when_confirmed(marches, address):
    client = api_of(marches.gm)
    choices = {"kind": "islands", "columns": 12, "rows": 10, "seed": "7"}
    shown = client.post(f"{address}/land/", choices, format="json")
    assert (shown.status_code, shown.data["columns"]) == (200, 12)
    assert CampaignMap.objects.get().columns == 16
    taken = client.post(f"{address}/land/", choices | {"confirm": True}, format="json")
    assert (taken.status_code, taken.data["terrain"]) == (201, shown.data["terrain"])
    assert list(load_map_state(CampaignMap.objects.get()).field.terrain) == shown.data["terrain"]
    refused = client.post(f"{address}/land/", choices | {"kind": "moon", "rows": 3}, format="json")
    assert [one["pointer"] for one in refused.json()["errors"]] == ["/rows", "/kind"]


def test_a_picture_shows_what_its_reader_sees(marches, address):
    configure_map(by=marches.gm, campaign=marches.campaign, fog=True)
    pictures = {user: api_of(user).get(f"{address}/picture/") for user in (marches.gm, marches.ana)}
    assert {one["Content-Type"] for one in pictures.values()} == {"image/svg+xml"}
    assert b"Canary Barrow" in pictures[marches.gm].content
    assert b"Canary Barrow" not in pictures[marches.ana].content
    assert b"#tz" in pictures[marches.ana].content
    png = api_of(marches.ana).get(f"{address}/picture/?as=png")
    assert png.content.startswith(b"\x89PNG")
    assert api_of(marches.gm).get(f"{address}/picture/?as=gif").status_code == 400
    assert api_of(marches.stranger).get(f"{address}/picture/").status_code == 404
