"""Wings and their commanders as tables of the campaign: out, changed in a spreadsheet, in again."""

from __future__ import annotations

from typing import Any

from armies.models import Army, Commander
from kingdom.models import Campaign
from tests.armies.wing_command.conftest import SHEET, kept
from tests.kingdom.conftest import api_of
from tests.rulesets.browsing import Reader


def out(table: Any, user: Any, slug: str) -> str:
    answer = Reader(user).client.get(f"/c/{table.campaign.pk}/tables/{slug}.csv")
    return answer.getvalue().decode("utf-8-sig") if answer.streaming else answer.content.decode("utf-8-sig")


def bring(table: Any, user: Any, slug: str, text: str) -> Any:
    """The proposal, then what was confirmed of it; the proposal alone where it cannot be done."""
    api, url = api_of(user), f"/api/v1/campaigns/{table.campaign.pk}/tables/{slug}/"
    proposed = api.post(url, {"file": text}, format="json")
    mark = proposed.data.get("mark")
    if not mark or not proposed.data.get("ready", True):
        return proposed
    return api.post(url, {"file": text, "confirm": True, "mark": mark}, format="json")


def test_commanders_go_out_with_their_figures(table):
    head, *rows = out(table, table.ana, "commanders").splitlines()
    assert head == ("id,kingdom,commander,ability,profile,melee,guard,shot,range,move,fly,infiltrate,art,level,"
                    "pentacle")  # fmt: skip
    assert rows == [f"{table.leader.pk},Crown,Isaut,B,regular,4,4,0,0,5,,,,0,0"]


def test_what_went_out_changes_nothing_when_it_comes_in(table):
    answer = bring(table, table.gm, "commanders", out(table, table.gm, "commanders"))
    assert answer.status_code == 400
    assert "This file says nothing that is not so already." in answer.content.decode()


def test_commanders_are_appointed_and_changed_by_table(table):
    text = "kingdom,commander,ability,profile,art,level,fly\nCrown,Isaut,A,autonomous,,,\nHorde,Ulf,D,,fire,3,yes\n"
    answer = bring(table, table.gm, "commanders", text)
    assert answer.status_code == 200, answer.content
    leader, ulf = Commander.objects.get(pk=table.leader.pk), Commander.objects.get(name="Ulf")
    assert (leader.name, leader.sheet["ability"], leader.sheet["profile"]) == ("Isaut", "A", "autonomous")
    assert (ulf.kingdom, ulf.sheet["art"], ulf.sheet["fly"]) == (table.horde, "fire", True)
    told = Reader(table.gm).read(f"/c/{table.campaign.pk}/chronicle/")
    assert "Commanders were imported as a table: 1 new, 1 changed." in told


def test_a_column_that_is_left_out_stays_as_it_was(table):
    text = f"id,ability\n{table.leader.pk},C\n"
    Commander.objects.filter(pk=table.leader.pk).update(sheet={**table.leader.sheet, "melee": 9})
    assert bring(table, table.ana, "commanders", text).status_code == 200
    sheet = Commander.objects.get(pk=table.leader.pk).sheet
    assert (sheet["ability"], sheet["melee"]) == ("C", 9)


def test_each_problem_names_its_line_and_column(table):
    for text, pointer, said in (
        ("kingdom,commander,ability\nCrown,Mo,F\n", "/rows/2/ability", "Choose one of"),
        ("kingdom,commander,move\nCrown,Mo,99\n", "/rows/2/move", "Give a whole number from 1 to 12."),
        ("kingdom,commander,move\nCrown,Mo,fast\n", "/rows/2/move", "“fast” is no whole number."),
        ("kingdom,commander\nMoon,Mo\n", "/rows/2/kingdom", "Name one of your kingdoms: Crown, Horde."),
        ("kingdom,commander\nCrown,\n", "/rows/2/commander", "A new commander needs a name."),
        ("kingdom,commander\nCrown,Mo\nCrown,Mo\n", "/rows/3/commander", "This commander is in line 2 already."),
        ("id,commander\n7,Mo\n", "/rows/2/id", "No commander here has this id."),
        (f"id,kingdom\n{table.leader.pk},Horde\n", "/rows/2/kingdom", "A commander can’t change kingdoms."),
    ):
        api, url = api_of(table.gm), f"/api/v1/campaigns/{table.campaign.pk}/tables/commanders/"
        lines = api.post(url, {"file": text}, format="json").json()["lines"]
        problems = [problem for line in lines for problem in line["problems"]]
        assert [problem["pointer"] for problem in problems] == [pointer], (text, problems)
        assert said in problems[0]["detail"], text
    assert Commander.objects.count() == 1


def test_players_change_their_own_alone(table):
    text = f"id,ability\n{table.leader.pk},A\n"
    refused = bring(table, table.bo, "commanders", text)
    assert Commander.objects.get(pk=table.leader.pk).sheet["ability"] == "B", refused.content
    Campaign.objects.filter(pk=table.campaign.pk).update(players_may={"appoint": "ask"})
    api, url = api_of(table.ana), f"/api/v1/campaigns/{table.campaign.pk}/tables/commanders/"
    mark = api.post(url, {"file": text}, format="json").data["mark"]
    asked = api.post(url, {"file": text, "confirm": True, "mark": mark}, format="json")
    assert asked.status_code == 202, asked.content
    assert Commander.objects.get(pk=table.leader.pk).sheet["ability"] == "B"


def test_wings_go_out_and_come_in_with_all_their_entries(table):
    text = out(table, table.gm, "armies")
    assert f"{table.watch.pk},Crown,Ironwatch,troops,hold,9,foot,Old guard,1,1" in text
    changed = text.replace("griffins", "riders").replace("Mira", "Mirabel")
    assert bring(table, table.gm, "armies", changed).status_code == 200
    sheet = kept(Army.objects.get(pk=table.watch.pk))
    assert [troop["type"] for troop in sheet["troops"]] == ["foot", "archers", "riders"]
    assert sheet["characters"] == [{**SHEET["characters"][0], "name": "Mirabel"}]
    assert (sheet["order"], sheet["morale"]) == ("hold", 9)
