"""Armies and unit types come in as tables: shown first, whole or not at all, one entry, one undo."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied

from armies.bulk.services import StaleProposal
from armies.forces.services import raise_army
from armies.models import Army
from armies.pathfinder.models import PathfinderArmy, UnitType
from armies.tables.forms import BYTES_MOST
from armies.tables.imports import find_table, propose
from armies.tables.services import bring_in_table
from armies.tables.tables import ROWS_MOST
from kingdom.access.decorators import ApprovalRequested
from kingdom.approvals.services import grant_request
from kingdom.campaign.services import create_campaign
from kingdom.chronicle import changes
from kingdom.models import ApprovalRequest, Campaign, ChronicleEntry
from kingdom.realms.services import found_kingdom
from rules.core.errors import InvalidInput
from tests.armies.breaking_point.conftest import marches  # noqa: F401 - a fixture
from tests.armies.conftest import raised
from tests.kingdom.approvals.conftest import players_may

HEAD = "kingdom,army,unit,cr,hit_die,count"


def table_of(user: Any, campaign: Campaign, slug: str = "armies") -> str:
    """What goes out, as text."""
    found = find_table(campaign, slug).out(user, campaign)
    text = io.StringIO()
    csv.writer(text).writerows([found.head, *[["" if cell is None else cell for cell in row] for row in found.rows]])
    return text.getvalue()


def changed_in(text: str, army: str, **cells: Any) -> str:
    """The table with other cells in the row of this army (or name)."""
    rows = list(csv.DictReader(io.StringIO(text)))
    for row in rows:
        if army in (row.get("army"), row.get("name")):
            row.update({name: str(value) for name, value in cells.items()})
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0].keys())
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def bring(user: Any, campaign: Campaign, text: str, table: str = "armies") -> Any:
    return bring_in_table(by=user, campaign=campaign, table=table, text=text)


def figures(campaign: Campaign) -> Any:
    rows = PathfinderArmy.objects.filter(campaign=campaign).order_by("pk")
    return [(a.pk, a.name, a.sheet, a.hp, a.hp_max, a.morale, a.status, a.consumption, a.revealed) for a in rows]


def test_what_goes_out_and_comes_back_changes_nothing(war):
    found = propose(war.gm, war.campaign, find_table(war.campaign, "armies"), table_of(war.gm, war.campaign))
    assert found.lines
    assert {line.what for line in found.lines} == {"same"}
    with pytest.raises(InvalidInput, match="Nothing to import"):
        bring(war.gm, war.campaign, table_of(war.gm, war.campaign))


def test_a_changed_cell_changes_its_army_and_one_undo_takes_all_back(war):
    before = figures(war.campaign)
    text = changed_in(table_of(war.gm, war.campaign), "Levy", count=750, morale=2)
    text += "\r\n".join(["", f",{war.crown.name},2nd levy,Pikes,1,d8,,,,,,,300"]).strip()
    seen = propose(war.gm, war.campaign, find_table(war.campaign, "armies"), text)
    assert figures(war.campaign) == before, "shown, not done"
    assert (seen.new, seen.changed, seen.wrong) == (1, 1, 0)
    told = {(cell.column, str(cell.before), str(cell.after)) for line in seen.lines for cell in line.differences}
    assert {("count", "500", "750"), ("morale", "0", "2")} <= told
    entries = ChronicleEntry.objects.count()
    done = bring_in_table(by=war.gm, campaign=war.campaign, table="armies", text=text, mark=seen.mark)
    assert ChronicleEntry.objects.count() == entries + 1
    levy = PathfinderArmy.objects.get(name="Levy")
    assert (levy.count, levy.morale) == (750, 2)
    assert PathfinderArmy.objects.get(name="2nd levy").count == 300
    changes.undo(campaign=war.campaign, entry=done.entry, by=war.gm)
    assert figures(war.campaign) == before


def test_one_wrong_cell_keeps_everything_out_and_is_named_with_line_and_column(war):
    before = figures(war.campaign)
    rows = [f"{war.crown.name},A,Pikes,1,d8,300", f"{war.crown.name},B,Pikes,many,d8,300",
            f"{war.crown.name},C,Pikes,1,d8,few", "Nowhere,D,Pikes,1,d8,300", f"{war.crown.name},E,,1,d8,300",
            f"{war.crown.name},A,Pikes,1,d8,400"]  # fmt: skip
    with pytest.raises(InvalidInput) as refused:
        bring(war.gm, war.campaign, "\n".join([HEAD, *rows]))
    assert {pointer for pointer, _said in refused.value.errors} == {
        "/rows/3/cr", "/rows/4/count", "/rows/5/kingdom", "/rows/6/unit", "/rows/7/army",
    }  # fmt: skip
    told = [str(said) for _pointer, said in refused.value.errors]
    assert any(said.startswith("Line 3, cr: ") for said in told)
    assert figures(war.campaign) == before


NO_TABLES = [
    ("", "This table is empty."),
    (HEAD, "The table has no rows. Add at least one row below the column names."),
    ("army,colour\nA,red", "Unknown column “colour”."),
    (HEAD + "\n" + "Crown,A,P,1,d8,1\n" * (ROWS_MOST + 1), f"the limit is {ROWS_MOST}"),
    (HEAD + "\n" + "".join(f"Crown,A{n},P,1,d8,1\n" for n in range(501)), "Import at most 500 at a time"),
]  # fmt: skip


def test_what_is_no_table_of_armies_is_refused(war):
    for text, said in NO_TABLES:
        with pytest.raises(InvalidInput, match=said.split(":")[0]):
            bring(war.gm, war.campaign, text)


def test_two_armies_of_one_name_are_told_apart_by_their_ids(war):
    twin = raised(war.gm, war.crown, "Levy", count=400)
    text = table_of(war.gm, war.campaign)
    assert {line.what for line in propose(war.gm, war.campaign, find_table(war.campaign, "armies"), text).lines} == {
        "same"
    }
    with pytest.raises(InvalidInput, match="Add the id of the one you mean"):
        bring(war.gm, war.campaign, f"{HEAD}\n{war.crown.name},Levy,Pikes,1,d8,300")
    bring(war.gm, war.campaign, f"id,count\n{twin.pk},450")
    assert sorted(a.count for a in PathfinderArmy.objects.filter(name="Levy")) == [450, 500]


def test_in_another_campaign_they_are_raised_anew(war):
    raised(war.gm, war.crown, "Levy", count=400)
    other = create_campaign(by=war.gm, name="Elsewhere", ruleset=war.campaign.ruleset)
    for name in (war.crown.name, war.horde.name):
        found_kingdom(by=war.gm, campaign=other, name=name)
    text = table_of(war.gm, war.campaign)
    found = bring(war.gm, other, text)
    assert found.bringing.new == len(list(csv.DictReader(io.StringIO(text))))

    def plain(campaign: Campaign) -> Any:
        rows = list(csv.DictReader(io.StringIO(table_of(war.gm, campaign))))
        return sorted(tuple(value for name, value in row.items() if name != "id") for row in rows)

    assert plain(other) == plain(war.campaign)


def test_a_reader_takes_out_no_more_than_he_may_read(war):
    told = table_of(war.ana, war.campaign)
    assert "Levy" in told
    hidden = PathfinderArmy.objects.get(kingdom=war.horde)
    assert hidden.name not in told
    assert str(hidden.pk) not in told


def test_a_player_brings_in_nothing_of_others_and_learns_nothing_of_them(war):
    players_may(war, **{"raise": "free"})
    hidden = PathfinderArmy.objects.get(kingdom=war.horde)
    before = figures(war.campaign)
    campaign = Campaign.objects.get(pk=war.campaign.pk)
    for row in (f"{war.horde.name},Mine,Pikes,1,d8,300", f"{war.horde.name},{hidden.name},Pikes,1,d8,300"):
        with pytest.raises(InvalidInput) as refused:
            bring(war.ana, campaign, f"{HEAD}\n{row}")
        assert [pointer for pointer, _said in refused.value.errors] == ["/rows/2/kingdom"]
    found = propose(war.ana, campaign, find_table(campaign, "armies"), f"id,{HEAD}\n{hidden.pk},,X,Pikes,1,d8,300")
    assert [line.what for line in found.lines] == ["new"], "an id he may not know is nobody’s"
    with pytest.raises(InvalidInput, match="Only the GM can do that"):
        bring(war.ana, campaign, f"kingdom,army,morale\n{war.crown.name},Levy,3")
    assert figures(campaign) == before


def test_a_players_own_file_comes_back_with_revealed_armies_of_others_in_it(war):
    players_may(war, **{"raise": "free"})
    theirs = PathfinderArmy.objects.get(kingdom=war.horde)
    PathfinderArmy.objects.filter(pk=theirs.pk).update(revealed=True)
    campaign = Campaign.objects.get(pk=war.campaign.pk)
    text = table_of(war.ana, campaign)
    assert str(theirs.pk) in text
    more = text + f",{war.crown.name},More,Pikes,1,d8,,,,,,,300\r\n"
    assert bring(war.ana, campaign, more).bringing.new == 1
    for cells in ({"count": 1}, {"hp": 1}, {"morale": 4}, {"kingdom": war.crown.name}):
        with pytest.raises(InvalidInput, match="doesn’t belong to one of your kingdoms"):
            bring(war.ana, campaign, changed_in(text, theirs.name, **cells))
    with pytest.raises(InvalidInput, match="doesn’t belong to one of your kingdoms"):
        bring(war.ana, campaign, f"id,army\n{theirs.pk},Mine")


def test_an_id_means_its_army_however_it_is_written(war):
    levy = PathfinderArmy.objects.get(name="Levy")
    count = PathfinderArmy.objects.count()
    for strength, id_ in enumerate((levy.pk.hex, f"{{{levy.pk}}}", str(levy.pk).upper()), start=600):
        bring(war.gm, war.campaign, f"id,kingdom,army,count\n{id_},{war.crown.name},Levy {strength},{strength}")
        levy.refresh_from_db()
        assert (levy.name, levy.count) == (f"Levy {strength}", strength)
    with pytest.raises(InvalidInput) as refused:
        bring(war.gm, war.campaign, f"id,{HEAD}\n{str(levy.pk)[:-1]},{war.crown.name},Levy,Pikes,1,d8,300")
    assert [pointer for pointer, _said in refused.value.errors] == ["/rows/2/id"]
    assert PathfinderArmy.objects.count() == count


def test_by_api_too_only_who_may_bring_a_table_in_has_it_tried(client, war):
    url = f"/api/v1/campaigns/{war.campaign.pk}/tables/"
    text = {"file": f"{HEAD}\n{war.crown.name},A,Pikes,1,d8,300"}
    for user, may, status in ((war.viewer, "free", 403), (war.ana, "no", 403), (war.ana, "ask", 200)):
        players_may(war, **{"raise": may})
        client.force_login(user)
        assert client.post(f"{url}armies/", json.dumps(text), "application/json").status_code == status
    assert client.post(f"{url}units/", json.dumps({"file": "name,cr\nA,1"}), "application/json").status_code == 403


def test_where_leave_is_needed_the_table_waits_for_it(war):
    players_may(war, **{"raise": "ask"})
    campaign = Campaign.objects.get(pk=war.campaign.pk)
    with pytest.raises(ApprovalRequested):
        bring(war.ana, campaign, f"{HEAD}\n{war.crown.name},More,Pikes,1,d8,300")
    assert not PathfinderArmy.objects.filter(name="More").exists()
    grant_request(by=war.gm, petition=ApprovalRequest.objects.get(campaign=campaign))
    assert PathfinderArmy.objects.get(name="More").count == 300


def test_an_army_in_a_battle_is_left_out_of_nothing_it_does_not_change(war, monkeypatch):
    text = table_of(war.gm, war.campaign)
    PathfinderArmy.objects.filter(name="Levy").update(morale=1)
    with pytest.raises(StaleProposal):
        bring_in_table(by=war.gm, campaign=war.campaign, table="armies", text=text, mark="x" * 32)
    assert bring(war.gm, war.campaign, text).bringing.changed == 1


def test_unit_types_come_in_with_one_entry_and_go_with_one_undo(war):
    text = table_of(war.gm, war.campaign, "units")
    assert {line.what for line in propose(war.gm, war.campaign, find_table(war.campaign, "units"), text).lines} == {
        "same"
    }
    text = changed_in(text, "Ogres", cr="4") + ",Bog lancers,,1,d8,,,,,,\r\n"
    entries = ChronicleEntry.objects.count()
    done = bring(war.gm, war.campaign, text, "units")
    assert (done.bringing.new, done.bringing.changed) == (1, 1)
    assert ChronicleEntry.objects.count() == entries + 1
    assert {row.slug: row.unit["cr"] for row in UnitType.objects.filter(campaign=war.campaign)} == {
        "ogres": "4", "bog-lancers": "1",
    }  # fmt: skip
    changes.undo(campaign=war.campaign, entry=done.entry, by=war.gm)
    assert not UnitType.objects.filter(campaign=war.campaign).exists()
    with pytest.raises(PermissionDenied):
        bring(war.ana, war.campaign, text, "units")
    with pytest.raises(InvalidInput) as refused:
        bring(war.gm, war.campaign, "name,cr\nA,1\nA,2\nB,x\n", "units")
    assert [pointer for pointer, _said in refused.value.errors] == ["/rows/3/name", "/rows/4/cr"]


def test_unit_types_of_other_alphabets_are_told_apart_by_their_names(war):
    bring(war.gm, war.campaign, "name,cr\n近衛兵,1\nГвардия,2\n", "units")
    done = bring(war.gm, war.campaign, "name,cr\nГвардия,3\n騎兵,4\n", "units")
    assert (done.bringing.new, done.bringing.changed) == (1, 1)
    found = {row.name: row.unit["cr"] for row in UnitType.objects.filter(campaign=war.campaign)}
    assert found == {"近衛兵": "1", "Гвардия": "3", "騎兵": "4"}


def test_armies_of_units_have_a_row_for_each_unit(marches):  # noqa: F811
    text = table_of(marches.gm, marches.campaign)
    kind = find_table(marches.campaign, "armies")
    assert {line.what for line in propose(marches.gm, marches.campaign, kind, text).lines} == {"same"}
    before = Army.objects.get(name="Ironwatch").sheet
    done = bring(marches.gm, marches.campaign, changed_in(text, "Archers", strength=150))
    (line,) = [line for line in done.bringing.lines if line.what == "changed"]
    assert [(c.row, c.column, c.before, c.after) for c in line.differences] == [("Archers", "strength", 200, 150)]
    changes.undo(campaign=marches.campaign, entry=done.entry, by=marches.gm)
    assert Army.objects.get(name="Ironwatch").sheet == before
    with pytest.raises(InvalidInput) as refused:
        bring(
            marches.gm, marches.campaign, changed_in(changed_in(text, "Archers", strength=0), "Tanks", type="unicorns")
        )
    assert {pointer.split("/")[-1] for pointer, _said in refused.value.errors} == {"strength", "type"}


def test_types_of_troops_come_in_and_go(marches):  # noqa: F811
    text = "name;toughness;mounted;charge\nGryphon riders;30;oui;4\nBog folk;12;;\n"
    done = bring(marches.gm, marches.campaign, text, "units")
    assert done.bringing.new == 2
    campaign = Campaign.objects.get(pk=marches.campaign.pk)
    out = table_of(marches.gm, campaign, "units")
    assert "gryphon-riders,Gryphon riders,30,4" in out
    assert {line.what for line in propose(marches.gm, campaign, find_table(campaign, "units"), out).lines} == {"same"}
    changes.undo(campaign=campaign, entry=done.entry, by=marches.gm)
    assert table_of(marches.gm, Campaign.objects.get(pk=campaign.pk), "units").count("\n") == 1
    with pytest.raises(InvalidInput) as refused:
        bring(marches.gm, campaign, "name,toughness\nA,1\nB,none\n", "units")
    assert [pointer for pointer, _said in refused.value.errors] == ["/rows/3/toughness"]


def test_types_of_troops_of_other_alphabets_are_told_apart_by_their_names(marches):  # noqa: F811
    bring(marches.gm, marches.campaign, "name,toughness\n近衛兵,10\nГвардия,20\n", "units")
    campaign = Campaign.objects.get(pk=marches.campaign.pk)
    done = bring(marches.gm, campaign, "name,toughness\nГвардия,30\n", "units")
    assert (done.bringing.new, done.bringing.changed) == (0, 1)
    out = table_of(marches.gm, Campaign.objects.get(pk=campaign.pk), "units")
    assert "近衛兵,10" in out
    assert "Гвардия,30" in out


def test_armies_of_numbers_too(gm):
    campaign = create_campaign(by=gm, name="Coins", ruleset="coin")
    crown = found_kingdom(by=gm, campaign=campaign, name="Crown")
    levy = raise_army(by=gm, kingdom=crown, name="Levy", sheet={"men": 2})
    text = table_of(gm, campaign)
    bring(gm, campaign, changed_in(text, "Levy", men=5))
    levy.refresh_from_db()
    assert levy.sheet["men"] == 5


PREVIEW, CONFIRM = {"do": "preview"}, {"do": "confirm"}


def test_the_page_shows_before_it_does(client, war):
    client.force_login(war.gm)
    url = f"/c/{war.campaign.pk}/tables/armies/"
    assert "Choose a file" in client.post(url, PREVIEW).content.decode()
    wrong = client.post(url, {**PREVIEW, "pasted": f"{HEAD}\n{war.crown.name},A,Pikes,x,d8,300"})
    assert "Line 2, cr:" in " ".join(wrong.content.decode().split())
    text = f"{HEAD}\r\n{war.crown.name},<b>A</b>,Pikes,1,d8,300"
    shown = client.post(url, {**PREVIEW, "pasted": text})
    assert "&lt;b&gt;A&lt;/b&gt;" in shown.content.decode()
    assert not PathfinderArmy.objects.filter(name="<b>A</b>").exists()
    mark = shown.context["found"].mark
    stale = client.post(url, {**CONFIRM, "pasted": text, "mark": "old"})
    assert stale.status_code == 412
    assert client.post(url, {**CONFIRM, "pasted": text.replace("\r\n", "\n"), "mark": mark}).status_code == 302
    assert PathfinderArmy.objects.get(name="<b>A</b>").count == 300


def test_a_file_goes_out_as_the_readers_spreadsheet_reads_it(client, war):
    client.force_login(war.ana)
    url = f"/c/{war.campaign.pk}/tables/armies.csv"
    english, french = (client.get(url, headers={"Accept-Language": code}).content.decode() for code in ("en", "fr"))
    assert english.startswith("\ufeffid,kingdom,army,unit")
    assert french.startswith("\ufeffid;kingdom;army;unit")
    client.force_login(war.gm)
    for text in (english, french):
        sent = io.BytesIO(text.encode())
        sent.name = "armies.csv"
        answer = client.post(f"/c/{war.campaign.pk}/tables/armies/", {**PREVIEW, "file": sent})
        assert answer.context["found"].same


@pytest.mark.parametrize("begins", [b"PK\x03\x04", b"\xd0\xcf\x11\xe0"])
@pytest.mark.parametrize("size", [100, BYTES_MOST + 1])
def test_a_spreadsheets_own_file_is_told_to_be_saved_as_csv(client, war, begins, size):
    client.force_login(war.gm)
    for page in ("tables/armies", "units/import"):
        sent = io.BytesIO(begins + b"\0" * size)
        sent.name = "armies.xlsx"
        answer = client.post(f"/c/{war.campaign.pk}/{page}/", {**PREVIEW, "file": sent})
        assert answer.status_code == 422
        assert "Save it as CSV" in answer.content.decode()


def test_half_a_cr_outlives_the_spreadsheet_it_goes_through(war):
    half = bring(war.gm, war.campaign, f"{HEAD}\n{war.crown.name},Halves,Boys,0.5,d8,300")
    assert half.bringing.new == 1
    out = table_of(war.gm, war.campaign)
    assert "½" in out
    assert "1/2" not in out
    armies = find_table(war.campaign, "armies")
    for became in ("½", "2-Jan", "01-févr", "0,5"):
        assert propose(war.gm, war.campaign, armies, changed_in(out, "Halves", cr=became)).changed == 0, became
    third = propose(war.gm, war.campaign, armies, changed_in(out, "Halves", cr="01-mars", hp=2))
    assert third.wrong == 0, third.problems
    differences = [(d.column, d.before, d.after) for line in third.lines for d in line.differences]
    assert ("cr", "½", "⅓") in differences


def test_a_new_army_of_a_table_costs_few_queries(war, django_assert_max_num_queries):
    """Five hundred of them are a matter of seconds."""
    rows = [f"{war.crown.name},Host {number},Guard,1,d8,{100 + number}" for number in range(20)]
    text = "\n".join([HEAD, *rows])
    with django_assert_max_num_queries(20 * 8 + 12):
        mark = propose(war.gm, war.campaign, find_table(war.campaign, "armies"), text).mark
    with django_assert_max_num_queries(20 * 8 + 16):
        bring_in_table(by=war.gm, campaign=war.campaign, table="armies", text=text, mark=mark)


def test_strangers_find_no_tables_and_no_law_has_others(client, war):
    client.force_login(war.gm)
    assert client.get(f"/c/{war.campaign.pk}/tables/spoons/").status_code == 404
    client.force_login(war.stranger)
    for path in ("tables/armies/", "tables/armies.csv", "tables/units.csv"):
        assert client.get(f"/c/{war.campaign.pk}/{path}").status_code == 404


def test_the_same_by_api(client, war):
    client.force_login(war.gm)
    url = f"/api/v1/campaigns/{war.campaign.pk}/tables/armies/"

    def send(**body: Any) -> Any:
        return client.post(url, json.dumps(body), "application/json")

    text = client.get(url).content.decode()
    same = send(file=text).json()
    assert (same["new"], same["changed"], same["wrong"], same["entry"]) == (0, 0, 0, None)
    text = f"{HEAD}\n{war.crown.name},More,Pikes,1,d8,300"
    shown = send(file=text).json()
    assert shown["lines"][0]["what"] == "new"
    assert send(file=text, confirm=True).status_code == 428
    assert send(file=text, confirm=True, mark="old").status_code == 412
    done = send(file=text, confirm=True, mark=shown["mark"]).json()
    assert done["entry"]["text"] == "Armies imported from a table: 1 new, 0 changed."
    wrong = send(file=text.replace(",1,d8", ",x,d8").replace("More", "Less")).json()
    assert wrong["lines"][0]["problems"][0]["pointer"] == "/rows/2/cr"
    refused = send(file=text.replace(",1,d8", ",x,d8"), confirm=True, mark="any")
    assert refused.status_code == 400
    assert refused.json()["errors"][0]["pointer"] == "/rows/2/cr"
