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
    assert "Nothing to import: everything in this file is already up to date." in answer.content.decode()


def test_commanders_are_appointed_and_changed_by_table(table):
    text = "kingdom,commander,ability,profile,art,level,fly\nCrown,Isaut,A,autonomous,,,\nHorde,Ulf,D,,fire,3,yes\n"
    answer = bring(table, table.gm, "commanders", text)
    assert answer.status_code == 200, answer.content
    leader, ulf = Commander.objects.get(pk=table.leader.pk), Commander.objects.get(name="Ulf")
    assert (leader.name, leader.sheet["ability"], leader.sheet["profile"]) == ("Isaut", "A", "autonomous")
    assert (ulf.kingdom, ulf.sheet["art"], ulf.sheet["fly"]) == (table.horde, "fire", True)
    told = Reader(table.gm).read(f"/c/{table.campaign.pk}/chronicle/")
    assert "Commanders imported from a table: 1 new, 1 changed." in told


def test_a_column_that_is_left_out_stays_as_it_was(table):
    text = f"id,ability\n{table.leader.pk},C\n"
    Commander.objects.filter(pk=table.leader.pk).update(sheet={**table.leader.sheet, "melee": 9})
    assert bring(table, table.ana, "commanders", text).status_code == 200
    sheet = Commander.objects.get(pk=table.leader.pk).sheet
    assert (sheet["ability"], sheet["melee"]) == ("C", 9)


def test_each_problem_names_its_line_and_column(table):
    for text, pointer, said in (
        ("kingdom,commander,ability\nCrown,Mo,F\n", "/rows/2/ability", "Choose one of"),
        ("kingdom,commander,move\nCrown,Mo,99\n", "/rows/2/move", "Enter a whole number from 1 to 12."),
        ("kingdom,commander,move\nCrown,Mo,fast\n", "/rows/2/move", "“fast” isn’t a whole number."),
        ("kingdom,commander\nMoon,Mo\n", "/rows/2/kingdom", "Enter one of your kingdoms: Crown, Horde."),
        ("kingdom,commander\nCrown,\n", "/rows/2/commander", "A new commander needs a name."),
        ("kingdom,commander\nCrown,Mo\nCrown,Mo\n", "/rows/3/commander", "This commander is already in line 2."),
        ("id,commander\n7,Mo\n", "/rows/2/id", "This id doesn’t match any commander."),
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


def test_types_of_the_campaigns_own_come_as_a_table(table):
    """WC-HOUSE."""
    text = "name,tag,melee,guard,points,shot,range\nPikes of the guard,Pk,4,4,5,,\nSlingers,Sl,1,1,2,3,3\n"
    answer = bring(table, table.gm, "units", text)
    assert answer.status_code == 200, answer.content
    campaign = Campaign.objects.get(pk=table.campaign.pk)
    own = campaign.house_rules["own"]["troops"]
    assert own.keys() == {"pikes-of-the-guard", "slingers"}
    assert (own["slingers"]["shot"], own["slingers"]["move"]) == (3, 3)
    form = Reader(table.ana).markup(f"/kingdoms/{table.crown.pk}/armies/new/")
    assert 'value="pikes-of-the-guard"' in form
    changed = out(table, table.gm, "units").replace("Pk,,3,4", "Pk,yes,3,4")
    assert bring(table, table.gm, "units", changed).status_code == 200
    assert Campaign.objects.get(pk=campaign.pk).house_rules["own"]["troops"]["pikes-of-the-guard"]["large"] is True


def test_a_type_that_cannot_be_names_its_line_and_column(table):
    for text, pointer, said in (
        ("name,tag,melee\nPikes,Pk,99\n", "/rows/2/melee", "Enter a whole number from 0 to 12."),
        ("name,tag,shot\nPikes,Pk,3\n", "/rows/2", "Enter both shot and range, or neither."),
        ("slug,name,tag\nfoot,Foot,Ft\n", "/rows/2/slug", "is one of the ruleset’s troop types"),
        ("slug,name,tag\nPi kes,Pikes,Pk\n", "/rows/2/slug", "only a–z, 0–9 and dashes"),
    ):
        api, url = api_of(table.gm), f"/api/v1/campaigns/{table.campaign.pk}/tables/units/"
        lines = api.post(url, {"file": text}, format="json").json()["lines"]
        problems = [problem for line in lines for problem in line["problems"]]
        assert [problem["pointer"] for problem in problems] == [pointer], (text, problems)
        assert said in problems[0]["detail"], text
    assert api_of(table.ana).post(url, {"file": text}, format="json").status_code == 403
    assert "own" not in Campaign.objects.get(pk=table.campaign.pk).house_rules
