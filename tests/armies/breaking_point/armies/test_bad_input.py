"""What no army may be, by page and by program: refused beside its field, and nothing has changed."""

from __future__ import annotations

import pytest

from armies.models import Army
from tests.armies.breaking_point.armies.test_builder import Bench, beside, edit
from tests.armies.breaking_point.conftest import LEGION, TANKS
from tests.everyday import everyday
from tests.kingdom.conftest import api_of

HORSE = {**LEGION, "type": "cavalry", "machine": "heavy-tank"}
WRONG = {
    "strength 0": ({"strength": 0}, "strength", "0"),
    "strength 10⁹": ({"strength": 10**9}, "strength", "1000000000"),
    "an unknown weapon": ({"weapons": ["doom"]}, "weapons/0", "doom"),
    "shooting without a weapon for it": ({"group": "shooting"}, "group", "shooting"),
    "an unknown type": ({"type": "unicorns"}, "type", "unicorns"),
}
FIELDS = {"weapons/0": "weapons-0-slug"}


def kept(marches):
    return [(army.pk, army.sheet) for army in Army.objects.filter(campaign=marches.campaign).order_by("pk")]


def test_by_the_api_it_is_pointed_at(marches):
    before, api = kept(marches), api_of(marches.ana)
    for case, (changed, member, _typed) in WRONG.items():
        body = {"kingdom": str(marches.crown.pk), "name": "Levy", "units": [{**LEGION, **changed}]}
        for answer in (
            api.post("/api/v1/armies/", body, format="json"),
            api.patch(f"/api/v1/armies/{marches.watch.pk}/", {"units": body["units"]}, format="json"),
        ):
            assert answer.status_code == 400, answer.content
            assert [error["pointer"] for error in answer.data["errors"]] == [f"/units/0/{member}"], case
        assert kept(marches) == before, case


@pytest.mark.parametrize("case", everyday([*WRONG], keep=lambda case: case.startswith("shooting")))
def test_on_the_page_it_stands_beside_its_field(marches, case):
    """Every day those which `test_builder` does not try."""
    _changed, member, typed = WRONG[case]
    before, name = kept(marches), f"units-0-{FIELDS.get(member, member)}"
    bench = Bench(marches.ana, edit(marches.watch))
    bench.redraw(**{name: typed})
    assert bench.status == 422
    assert beside(bench.markup, name)
    assert kept(marches) == before


def test_a_machine_with_a_horse_is_refused_by_program_and_on_the_page(marches):
    before = kept(marches)
    body = {"kingdom": str(marches.crown.pk), "name": "Centaurs", "units": [HORSE]}
    answer = api_of(marches.ana).post("/api/v1/armies/", body, format="json")
    assert answer.status_code == 400
    assert [error["pointer"] for error in answer.data["errors"]] == ["/units/0/machine"]
    bench = Bench(marches.bo, edit(marches.tanks))
    bench.redraw(**{"units-0-type": "cavalry"})
    assert bench.status == 422, bench.markup
    assert beside(bench.markup, "units-0-machine") or beside(bench.markup, "units-0-type")
    assert kept(marches) == before
    assert TANKS["machine"] == "heavy-tank"


NO_UNITS = [[], None, "legion", 3, [None], [[]]]


def test_no_unit_is_no_army(marches):
    before, api = kept(marches), api_of(marches.ana)
    for units in NO_UNITS:
        body = {"kingdom": str(marches.crown.pk), "name": "Nobody", "units": units}
        answer = api.post("/api/v1/armies/", body, format="json")
        assert answer.status_code == 400, units
        assert answer.data["errors"][0]["pointer"].startswith("/units"), units
        assert kept(marches) == before, units
