"""Commanders of a declared document, from its shape alone: appointed, changed, shown, asked for, told."""

from __future__ import annotations

from typing import Any

import pytest

from armies.documents.commander_services import appoint_commander, update_commander
from armies.models import Commander
from kingdom.access.decorators import ApprovalRequested
from kingdom.models import Campaign
from rules.core.errors import InvalidInput
from tests.armies.documents.test_document_armies import table  # noqa: F401  # the fixture
from tests.kingdom.conftest import api_of
from tests.rulesets.browsing import Reader, beside

USUAL = {"version": 1}


def sheet_of(name: str) -> dict[str, Any]:
    return Commander.objects.get(name=name).sheet


@pytest.fixture
def odo(table: Any) -> Commander:  # noqa: F811
    return appoint_commander(by=table.gm, kingdom=table.crown, name="Odo", sheet={"skill": 6, "cards": ["fog"]})


def test_a_commander_is_appointed_by_form(table):  # noqa: F811
    ana, page = Reader(table.ana), f"/kingdoms/{table.crown.pk}/commanders/new/"
    assert 'name="status"' not in ana.markup(page)
    at = ana.done(page, name="Mo", skill="7", rank="marshal", mounted="on", cards__0__slug="fire", cards__1__slug="fog")
    assert at == f"/commanders/{Commander.objects.get(name='Mo').pk}/"
    assert sheet_of("Mo") == {"skill": 7, "rank": "marshal", "mounted": True, "cards": ["fire", "fog"], **USUAL}
    told = ana.read(at)
    for words in ("Skill 7", "Rank marshal", "Mounted yes", "Cards Fire, Fog"):
        assert words in told, words


def test_what_is_left_out_is_as_usual(table):  # noqa: F811
    Reader(table.ana).done(f"/kingdoms/{table.crown.pk}/commanders/new/", name="Mo")
    assert sheet_of("Mo") == USUAL


def test_what_is_wrong_stands_beside_its_field(table, odo):  # noqa: F811
    page = f"/commanders/{odo.pk}/edit/"
    wrong: tuple[tuple[dict[str, str], str, str], ...] = (
        ({"skill": "10"}, "skill", "Enter a whole number from 0 to 9."),
        ({"skill": "many"}, "skill", "Enter a whole number from 0 to 9."),
        ({"rank": "marshal", "skill": "4"}, "skill", "A marshal has a skill of 5 or more."),
        ({"cards__0__slug": "rain"}, "cards-0-slug", "Choose one of"),
        ({"name": ""}, "name", "Fill this in"),
    )
    answers = Reader(table.ana).refused_each(page, [sent for sent, _field, _said in wrong])
    for markup, (sent, field, said) in zip(answers, wrong, strict=True):
        assert said in beside(markup, field), sent
    assert sheet_of("Odo") == {"skill": 6, "cards": ["fog"], **USUAL}


def test_a_change_keeps_what_stands_in_the_form(table, odo):  # noqa: F811
    Reader(table.ana).done(f"/commanders/{odo.pk}/edit/", skill="8")
    assert sheet_of("Odo") == {"skill": 8, "cards": ["fog"], **USUAL}
    Reader(table.gm).done(f"/commanders/{odo.pk}/edit/", status="captured", ransom="9")
    odo.refresh_from_db()
    assert (odo.status, odo.ransom, odo.sheet["skill"]) == ("captured", 9, 8)


def test_a_program_appoints_reads_and_changes(table, odo):  # noqa: F811
    api, all_ = api_of(table.ana), "/api/v1/commanders/"
    made = api.post(all_, {"kingdom": str(table.crown.pk), "name": "Mo", "skill": 5}, format="json")
    assert made.status_code == 201, made.content
    one = f"{all_}{made.data['id']}/"
    told = api.get(one).data
    assert (told["skill"], told["rank"], told["mounted"], told["cards"]) == (5, "captain", False, [])
    assert "sheet" not in told
    assert api.patch(one, {"cards": ["fire"]}, format="json").status_code == 200
    assert sheet_of("Mo") == {"skill": 5, "cards": ["fire"], **USUAL}
    assert api.patch(one, {**api.get(one).data, "name": "Moe"}, format="json").status_code == 200
    assert sheet_of("Moe")["skill"] == 5
    for wrong, pointer in (({"skill": "5"}, "/skill"), ({"cards": ["rain"]}, "/cards/0"), ({"motto": 1}, "/motto")):
        refused = api.patch(one, wrong, format="json")
        assert refused.status_code == 400, wrong
        assert [error["pointer"] for error in refused.data["errors"]] == [pointer], wrong


def test_figures_ask_for_leave_and_names_do_not(table, odo):  # noqa: F811
    Campaign.objects.filter(pk=table.campaign.pk).update(players_may={"attributes": "ask"})
    odo = Commander.objects.get(pk=odo.pk)
    update_commander(by=table.ana, commander=odo, name="Odo the Old", sheet={"skill": 6, "cards": ["fog"]})
    with pytest.raises(ApprovalRequested):
        update_commander(by=table.ana, commander=Commander.objects.get(pk=odo.pk), sheet={"skill": 9})
    assert sheet_of("Odo the Old")["skill"] == 6


def test_the_service_refuses_with_a_pointer(table):  # noqa: F811
    with pytest.raises(InvalidInput) as refused:
        appoint_commander(by=table.gm, kingdom=table.crown, name="Mo", sheet={"skill": 99})
    assert refused.value.field == "/sheet/skill"
    assert not Commander.objects.filter(name="Mo").exists()


def test_the_chronicle_tells_them_in_words(table, odo):  # noqa: F811
    update_commander(by=table.gm, commander=odo, sheet={"skill": 8})
    told = Reader(table.gm).read(f"/c/{table.campaign.pk}/chronicle/")
    assert "Odo’s sheet was changed." in told
    assert "Skill 6" in told
    assert "Skill 8" in told
