"""Armies of a declared document, from their shape alone: raised, changed, shown, taken out and in, asked for."""

from __future__ import annotations

from typing import Any

import pytest

from armies import ruleset_ui as army_uis
from armies.documents.ui import DocumentArmies
from armies.forces.services import raise_army
from armies.models import Army
from battles import ruleset_ui as battle_uis
from core.api.serializers import title_of
from rules import registry
from tests.armies.breaking_point.armies.bench import form_of
from tests.armies.documents.law import WARBAND, Captain, Warband
from tests.kingdom.conftest import api_of
from tests.rulesets.browsing import Reader, beside, plain
from tests.rulesets.drivers import table_of
from tests.rulesets.turns.driver import Turns
from tests.rulesets.turns.ui import TurnsBattleUI

SQUAD = {"type": "spears", "men": 6, "name": "Old guard"}
SHEET = {"squads": [SQUAD, {"type": "riders", "men": 3, "brave": True}], "wizards": [{"name": "Mo", "cards": ["fire"]}]}
ARMIES = DocumentArmies("warband", Warband, commander=Captain)
BATTLES = type("WarbandFace", (TurnsBattleUI,), {"family": "warband"})()


class Warbands(Turns):
    slug = "warband"

    def army(self, gm: Any, kingdom: Any, name: str) -> Army:
        return raise_army(by=gm, kingdom=kingdom, name=name, sheet=SHEET)


@pytest.fixture
def table(db, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setitem(registry.RULESETS, "warband", WARBAND)
    monkeypatch.setitem(army_uis._uis.by_family, "warband", ARMIES)
    monkeypatch.setitem(battle_uis._uis.by_family, "warband", BATTLES)
    return table_of(Warbands())


def kept(army: Army) -> dict[str, Any]:
    return {name: value for name, value in Army.objects.get(pk=army.pk).sheet.items() if name != "version"}


class Form:
    """The form in the hands of ana, who has no scripts."""

    def __init__(self, table: Any, url: str):
        self.reader, self.url = Reader(table.ana), url
        self.markup = self.reader.markup(url)

    def press(self, **sent: Any) -> None:
        answer = self.reader.client.post(self.url, {**form_of(self.markup, self.url), **sent})
        assert answer.status_code in (200, 422), answer.headers
        self.markup, self.status = answer.content.decode(), answer.status_code

    def refused(self, **sent: Any) -> str:
        """The page that says what is wrong with it. The form stays as it was."""
        answer = self.send(**sent)
        assert answer.status_code == 422, (sent, answer.status_code)
        return answer.content.decode()

    def send(self, **sent: Any) -> Any:
        return self.reader.client.post(self.url, {**form_of(self.markup, self.url), **sent})


def test_an_army_is_raised_entry_by_entry(table):
    form = Form(table, f"/kingdoms/{table.crown.pk}/armies/new/")
    form.press(add="squads", name="Levy")
    form.press(add="wizards", **{"squads-0-type": "riders", "squads-0-men": "5", "squads-0-brave": "on"})
    form.press(preview="1", **{"wizards-0-name": "Mo", "wizards-0-cards-0-slug": "fog"})
    assert "5 men" in plain(form.markup)
    assert 'name="wizards-0-cards-1-slug"' in form.markup, "there is always room for one more"
    answer = form.send(order="attack")
    army = Army.objects.get(name="Levy")
    assert answer.headers["Location"] == f"/armies/{army.pk}/"
    assert kept(army) == {
        "squads": [{"type": "riders", "men": 5, "brave": True}], "order": "attack",
        "wizards": [{"name": "Mo", "cards": ["fog"]}],
    }  # fmt: skip
    assert (army.health, army.health_max) == (5, 5)


def test_entries_are_copied_and_taken_away(table):
    form = Form(table, f"/armies/{table.watch.pk}/edit/")
    form.press(copy="squads-0")
    assert form.markup.count("Old guard</b>") == 2
    form.press(drop="squads-2")
    form.press(drop="wizards-0")
    assert kept(table.watch) == SHEET, "nothing is saved yet"
    assert form.send().status_code == 302
    assert kept(table.watch) == {"squads": [SQUAD, SQUAD]}


def test_what_is_wrong_stands_beside_its_field(table):
    form = Form(table, f"/armies/{table.watch.pk}/edit/")
    for name, value, said in (
        ("squads-0-men", "0", "Enter a whole number from 1 to 100."),
        ("squads-0-type", "dragons", "Choose one of: Spears (spears), Riders (riders)."),
        ("wizards-0-name", "", "Enter text here."),
        ("wizards-0-cards-0-slug", "rain", "Choose one of"),
    ):
        refused = form.refused(**{name: value})
        assert said in beside(refused, name.removesuffix("-0-slug") if "men" in name else name)
    form.press(order="attack", **{"squads-0-men": "1"}, drop="squads-1")
    form.press(order="attack", **{"squads-0-men": "1"})
    assert "Five men attack, or more." in beside(form.markup, "order")
    assert kept(table.watch) == SHEET


def test_a_table_goes_out_and_comes_in(table):
    csv = Reader(table.ana).client.get(f"/armies/{table.watch.pk}/units.csv").content.decode("utf-8-sig")
    assert csv.splitlines() == [
        "list,order,type,men,name,brave,cards", "squads,,spears,6,Old guard,,", "squads,,riders,3,,yes,",
        "wizards,,,,Mo,,fire",
    ]  # fmt: skip
    form = Form(table, f"/armies/{table.watch.pk}/edit/")
    form.press(read="1", table=csv.replace("6", "many"))
    assert "Line 2, men: “many” isn’t a whole number." in beside(form.markup, "table")
    form.press(read="1", table=csv.replace("riders,3", "dragons,3"))
    assert "Line 3 (), type: Choose one of" in beside(form.markup, "table")
    form.press(read="1", table=csv.replace("6", "7"))
    assert form.send().status_code == 302
    assert kept(table.watch) == {**SHEET, "squads": [{**SQUAD, "men": 7}, SHEET["squads"][1]]}


def test_a_campaigns_table_has_them_too(table):
    csv = Reader(table.gm).client.get(f"/c/{table.campaign.pk}/tables/armies.csv").content.decode("utf-8-sig")
    assert "Ironwatch,squads,,spears,6,Old guard,," in csv


def test_its_page_shows_what_the_document_says(table):
    told = plain(Reader(table.ana).markup(f"/armies/{table.watch.pk}/"))
    for words in ("Order hold", "Squads", "Kind Men Name Brave", "Spears 6 Old guard no", "Riders 3 – yes", "Mo Fire"):
        assert words in told, words


def test_the_gm_corrects_it(table):
    page = f"/armies/{table.watch.pk}/edit/"
    Reader(table.gm).done(page, "/correct/", health="4")
    assert Army.objects.get(pk=table.watch.pk).health == 4


def test_what_the_game_writes_stays_as_it_is(table):
    table.watch.sheet = {**table.watch.sheet, "loot": 9}
    table.watch.save()
    form = Form(table, f"/armies/{table.watch.pk}/edit/")
    assert 'name="loot"' not in form.markup
    form.send(order="hold", **{"squads-0-men": "8"})
    assert kept(table.watch)["loot"] == 9
    api = api_of(table.ana)
    answer = api.patch(f"/api/v1/armies/{table.watch.pk}/", {"loot": 50}, format="json")
    assert (answer.status_code, answer.data["errors"][0]["pointer"]) == (400, "/loot")
    assert api.patch(f"/api/v1/armies/{table.watch.pk}/", {"order": "attack"}, format="json").status_code == 200
    assert kept(table.watch)["loot"] == 9


def test_a_program_raises_reads_and_changes_it(table):
    api, armies = api_of(table.ana), "/api/v1/armies/"
    body = {"kingdom": str(table.crown.pk), "name": "Levy", **SHEET}
    made = api.post(armies, body, format="json")
    assert made.status_code == 201, made.content
    told = api.get(f"{armies}{made.data['id']}/").data
    assert (told["squads"], told["wizards"], told["order"]) == (SHEET["squads"], SHEET["wizards"], "hold")
    assert "sheet" not in told
    changed = api.patch(f"{armies}{made.data['id']}/", {"squads": [SQUAD]}, format="json")
    assert changed.status_code == 200, changed.content
    assert kept(Army.objects.get(name="Levy")) == {"squads": [SQUAD], "wizards": SHEET["wizards"]}
    for wrong, pointer in (({"squads": []}, "/squads"), ({"squads": [{**SQUAD, "men": "6"}]}, "/squads/0/men"),
                           ({"motto": "x"}, "/motto")):  # fmt: skip
        refused = api.post(armies, {**body, "name": "Other", **wrong}, format="json")
        assert refused.status_code == 400, wrong
        assert [error["pointer"] for error in refused.data["errors"]] == [pointer], wrong


def test_it_is_described_under_its_own_names():
    assert ARMIES.api.army_input.__name__ == f"{title_of('warband')}ArmyInput"
    fields = ARMIES.api.army_input().fields
    assert [name for name, field in fields.items() if field.required] == ["kingdom", "name", "squads"]
    assert "loot" not in fields
    assert {"squads", "wizards", "order", "loot"} < ARMIES.api.army_shape().fields.keys()
