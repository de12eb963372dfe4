"""Tables of THUCIDIDE fantasy: armies and commanders as CSV, out and in (C-3)."""

from __future__ import annotations

from typing import Any

from armies.models import Army, Commander
from tests.armies.thucidide_fantasy.conftest import kept
from tests.kingdom.conftest import api_of
from tests.rulesets.browsing import Reader


def out(table: Any, who: Any, name: str) -> str:
    return Reader(who).client.get(f"/c/{table.campaign.pk}/tables/{name}.csv").content.decode("utf-8-sig")


def bring(table: Any, who: Any, name: str, text: str) -> Any:
    api, url = api_of(who), f"/api/v1/campaigns/{table.campaign.pk}/tables/{name}/"
    proposed = api.post(url, {"file": text}, format="json")
    mark = proposed.data.get("mark")
    return api.post(url, {"file": text, "confirm": True, "mark": mark}, format="json") if mark else proposed


def test_commanders_go_out_with_their_figures(table):
    head, *rows = out(table, table.ana, "commanders").splitlines()
    assert head == ("id,kingdom,commander,rank,level,armour,mounted,melee,shot,range,resistance,traits,cards,"
                    "points")  # fmt: skip
    assert rows == [f"{table.leader.pk},Realm,Isaut,general,great,,,,,,,,blessing,"]


def test_what_went_out_changes_nothing_when_it_comes_in(table):
    for name in ("commanders", "armies"):
        answer = bring(table, table.gm, name, out(table, table.gm, name))
        assert answer.status_code == 400, name
        assert "Nothing to import: everything in this file is already up to date." in answer.content.decode(), name


def test_commanders_are_appointed_and_changed_by_table(table):
    text = ("kingdom,commander,rank,level,melee,traits,cards\nRealm,Isaut,sub-general,poor,,,fear; fear\n"
            "Dark host,Ulf,hero,,3,threat?object=Crown,\n")  # fmt: skip
    answer = bring(table, table.gm, "commanders", text)
    assert answer.status_code == 200, answer.content
    leader, ulf = Commander.objects.get(pk=table.leader.pk), Commander.objects.get(name="Ulf")
    assert (leader.sheet["rank"], leader.sheet["cards"]) == ("sub-general", ["fear", "fear"])
    assert (ulf.sheet["melee"], ulf.sheet["traits"]) == (3, [{"trait": "threat", "object": "Crown"}])


def test_each_problem_names_its_line_and_column(table):
    for text, pointer, said in (
        ("kingdom,commander,rank\nRealm,Mo,king\n", "/rows/2/rank", "Choose one of"),
        ("kingdom,commander,melee\nRealm,Mo,2\n", "/rows/2/melee", "Only heroes can have this."),
        ("kingdom,commander,cards\nRealm,Mo,wish\n", "/rows/2/cards", "Choose one of"),
    ):
        api, url = api_of(table.gm), f"/api/v1/campaigns/{table.campaign.pk}/tables/commanders/"
        lines = api.post(url, {"file": text}, format="json").json()["lines"]
        problems = [problem for line in lines for problem in line["problems"]]
        assert [problem["pointer"] for problem in problems] == [pointer], (text, problems)
        assert said in problems[0]["detail"], text


def test_armies_go_out_and_come_in_with_all_their_entries(table):
    text = out(table, table.gm, "armies")
    assert f"{table.watch.pk},Realm,Ironwatch,units,foot-heavy,Old guard,elite,,2,,two-handed" in text
    changed = text.replace("two-handed", "pike").replace("Odo", "Odile")
    assert bring(table, table.gm, "armies", changed).status_code == 200
    sheet = kept(Army.objects.get(pk=table.watch.pk))
    assert sheet["units"][0]["weapon"] == "pike"
    assert [one["name"] for one in sheet["characters"]] == ["Mira", "Odile"]
