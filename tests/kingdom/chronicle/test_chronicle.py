"""The chronicle: every change by hand has its line, and everyone finds their own."""

from __future__ import annotations

import csv
import io
import re
from copy import copy

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from core.text import load_said, render
from kingdom.chronicle import changes as chronicle_changes
from kingdom.chronicle import transaction
from kingdom.chronicle.field_change import dump_change
from kingdom.chronicle.queries import list_entries, read_filters
from kingdom.chronicle.services import undo_after, undo_entry, undo_last
from kingdom.chronicle.wording import entries_in_words
from kingdom.models import ChronicleEntry, Kingdom, LedgerEntry, Settlement
from kingdom.models.base import uuid7
from kingdom.realms.services import (
    dissolve_kingdom,
    found_settlement,
    raze_settlement,
    update_kingdom,
    update_settlement,
)
from kingdom.realms.treasury_services import record_entry
from rules.core.errors import IllegalCommand, InvalidInput
from rules.core.text import _, say
from tests.everyday import at_most, everyday
from tests.kingdom.conftest import api_of
from tests.rows import write_rows
from tests.worlds import built_once

API = "/api/v1"


def browser(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def latest() -> ChronicleEntry:
    return ChronicleEntry.objects.order_by("seq").last()


def lines(entry) -> list[tuple]:
    return [(change["field"], change["before"], change["after"]) for change in entry.changes]


def text(entry) -> str:
    return render(load_said(entry.text))


# Every change has its line


def test_an_edited_sheet_is_told_field_by_field(table):
    update_kingdom(by=table.ana, kingdom=table.crown, economy=20, unrest=4, reason="the floods")
    entry = latest()
    assert text(entry) == "Crown of Restov: the floods"
    assert lines(entry) == [("economy", 22, 20), ("unrest", 3, 4)]
    assert (entry.by, entry.kind, entry.kingdoms, entry.private) == (table.ana, "kingdom", [table.crown.pk], True)


def test_saving_what_is_there_tells_nothing(table):
    before = ChronicleEntry.objects.count()
    update_kingdom(by=table.ana, kingdom=table.crown, economy=22)
    assert ChronicleEntry.objects.count() == before


def test_a_refused_edit_tells_nothing(table):
    before = ChronicleEntry.objects.count()
    with pytest.raises(PermissionDenied):
        update_kingdom(by=table.ana, kingdom=table.crown, economy=20, control_dc_override=5)
    with pytest.raises(InvalidInput):
        update_kingdom(by=table.ana, kingdom=table.crown, economy=20, reason="x" * 300)
    assert ChronicleEntry.objects.count() == before
    assert Kingdom.objects.get(pk=table.crown.pk).economy == 22


def test_an_edit_is_undone(table):
    update_kingdom(by=table.ana, kingdom=table.crown, economy=20)
    undo_last(by=table.gm, campaign=table.campaign)
    assert Kingdom.objects.get(pk=table.crown.pk).economy == 22


def test_an_edit_that_something_later_rests_on_is_not(table):
    update_kingdom(by=table.ana, kingdom=table.crown, economy=20)
    first = latest()
    update_kingdom(by=table.ana, kingdom=table.crown, economy=18)
    with pytest.raises(IllegalCommand, match="depends on this"):
        undo_entry(by=table.gm, entry=first)


def test_the_gm_undoes_to_an_entry_and_all_that_came_after_is_undone(table):
    update_kingdom(by=table.ana, kingdom=table.crown, economy=20)
    first = latest()
    update_kingdom(by=table.ana, kingdom=table.crown, economy=18)
    record_entry(by=table.ana, kingdom=table.crown, amount=-6, reason="bread")
    gm = browser(table.gm)
    page = gm.get(reverse("kingdom:entry", args=[table.campaign.pk, first.pk])).content.decode()
    assert "Undo to here" in page
    assert "bread" in page
    told = gm.post(reverse("kingdom:undo", args=[table.campaign.pk, first.pk]), {"after": "1"}, follow=True)
    assert "Undone: 2 changes." in told.content.decode()
    crown = Kingdom.objects.get(pk=table.crown.pk)
    assert (crown.economy, crown.treasury) == (20, 21)
    assert [entry.undone for entry in ChronicleEntry.objects.filter(seq__gte=first.seq).order_by("seq")][:3] == [
        False, True, True,
    ]  # fmt: skip
    with pytest.raises(IllegalCommand, match="Nothing happened after this"):
        undo_after(by=table.gm, entry=first)
    for player in (table.ana, table.viewer):
        with pytest.raises(PermissionDenied):
            undo_after(by=player, entry=first)


def test_undo_to_an_entry_undoes_nothing_where_it_is_too_much(table, monkeypatch):
    monkeypatch.setattr("kingdom.chronicle.services.UNDO_MOST", 1)
    update_kingdom(by=table.ana, kingdom=table.crown, economy=20)
    first = latest()
    for economy in (19, 18):
        update_kingdom(by=table.ana, kingdom=table.crown, economy=economy)
    address = f"{API}/campaigns/{table.campaign.pk}/undo/"
    refused = api_of(table.gm).post(address, {"after": str(first.pk)}, format="json")
    assert (refused.status_code, "At most 1 change" in refused.json()["detail"]) == (409, True)
    assert Kingdom.objects.get(pk=table.crown.pk).economy == 18
    monkeypatch.undo()
    assert api_of(table.gm).post(address, {"after": str(first.pk)}, format="json").status_code == 200
    assert Kingdom.objects.get(pk=table.crown.pk).economy == 20
    unknown = api_of(table.gm).post(address, {"after": str(uuid7())}, format="json")
    assert unknown.json()["errors"][0]["pointer"] == "/after"


def test_undo_of_an_entry_and_to_an_entry_at_once_is_refused(table):
    update_kingdom(by=table.ana, kingdom=table.crown, economy=20)
    asked = dict.fromkeys(("entry", "after"), str(latest().pk))
    refused = api_of(table.gm).post(f"{API}/campaigns/{table.campaign.pk}/undo/", asked, format="json")
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, "/after")
    assert Kingdom.objects.get(pk=table.crown.pk).economy == 20


def test_an_entry_made_by_hand_moves_the_treasury_in_the_chronicle_too(table):
    record_entry(by=table.ana, kingdom=table.crown, amount=-6, reason="bread")
    entry = latest()
    assert (text(entry), lines(entry)) == ("Crown of Restov, ledger: −6 BP (bread).", [("treasury", 21, 15)])
    undo_last(by=table.gm, campaign=table.campaign)
    assert Kingdom.objects.get(pk=table.crown.pk).treasury == 21
    assert LedgerEntry.objects.filter(kingdom=table.crown).order_by("seq").last().source == "undo"


def test_settlements_come_change_and_go(table):
    town = found_settlement(by=table.ana, kingdom=table.crown, name="Restov")
    assert (text(latest()), lines(latest())) == ("Crown of Restov founded Restov.", [("exists", False, True)])
    update_settlement(by=table.ana, settlement=town, buildings=["smithy", "castle", "castle"])
    (line,) = entries_in_words(table.ana, table.campaign, [latest()])[0].changes
    assert (line.subject, str(line.field), line.after) == ("Restov", "Buildings", ["Smithy", "Castle × 2"])
    undo_last(by=table.gm, campaign=table.campaign)
    undo_last(by=table.gm, campaign=table.campaign)
    assert not Settlement.objects.exists()


def test_a_foundation_is_not_undone_under_what_was_built(table):
    town = found_settlement(by=table.ana, kingdom=table.crown, name="Restov")
    founded = latest()
    update_settlement(by=table.ana, settlement=town, buildings=["smithy"])
    with pytest.raises(IllegalCommand, match="was changed"):
        undo_entry(by=table.gm, entry=founded)


def test_razing_and_dissolving_are_told(table):
    town = found_settlement(by=table.ana, kingdom=table.crown, name="Restov")
    raze_settlement(by=table.ana, settlement=town)
    assert text(latest()) == "Crown of Restov: Restov was razed."
    dissolve_kingdom(by=table.gm, kingdom=table.horde)
    assert text(latest()) == "Greenbelt horde was deleted."


def fail(table) -> None:
    with transaction.record_changes(by=table.gm, campaign=table.campaign, kind="other", text=_("Day")) as deed:
        deed.always = True
        raise ZeroDivisionError


def test_a_deed_that_fails_is_not_told(table):
    before = ChronicleEntry.objects.count()
    with pytest.raises(ZeroDivisionError):
        fail(table)
    assert ChronicleEntry.objects.count() == before


# Who reads what


@built_once
def history(table):
    """Both kingdoms have edited their sheets, on days 0 and 9."""
    update_kingdom(by=table.ana, kingdom=table.crown, loyalty=17, reason="a feast")
    table.campaign.day = 9
    table.campaign.save()
    update_kingdom(by=table.bo, kingdom=table.horde, economy=8, reason="a raid")
    return table


READS = {"gm": True, "ana": False, "bo": True, "viewer": True}


@pytest.mark.parametrize("who", everyday(list(READS), keep=("ana", "bo", "viewer").__contains__))
def test_what_others_do_at_home_is_theirs(history, who):
    user = getattr(history, who)
    found = [text(entry) for entry in list_entries(user, history.campaign)]
    assert ("Greenbelt horde: a raid" in found) is READS[who]
    page = browser(user).get(reverse("kingdom:chronicle", args=[history.campaign.pk])).content.decode()
    assert ("a raid" in page) is READS[who]
    rows = api_of(user).get(f"{API}/campaigns/{history.campaign.pk}/chronicle/").json()["results"]
    assert any("a raid" in row["text"] for row in rows) is READS[who]
    table = browser(user).get(reverse("kingdom:chronicle_csv", args=[history.campaign.pk])).content.decode()
    assert ("a raid" in table) is READS[who]
    board = browser(user).get(reverse("kingdom:campaign", args=[history.campaign.pk])).content.decode()
    assert ("a raid" in board) is READS[who]


@pytest.mark.parametrize("name", ["kingdom:chronicle", "kingdom:chronicle_csv"])
def test_strangers_find_nothing(history, name):
    assert browser(history.stranger).get(reverse(name, args=[history.campaign.pk])).status_code == 404


# Looking for something


FILTERS = [
    ({"kingdom": "crown"}, ["a feast"]),
    ({"from": "1"}, ["a raid"]),
    ({"from": "1", "to": "8"}, []),
    ({"kind": "", "from": "", "kingdom": ""}, ["a raid", "a feast"]),
    ({"kingdom": "horde"}, ["a raid"]),
    ({"to": "8"}, ["a feast"]),
    ({"kind": "kingdom"}, ["a raid", "a feast"]),
    ({"kind": "battle"}, []),
]


def test_filters(history):
    """Every day each of them in the API, and on the page one of two."""
    client, api = browser(history.gm), api_of(history.gm)
    url, ids = (
        reverse("kingdom:chronicle", args=[history.campaign.pk]),
        {"crown": history.crown, "horde": history.horde},
    )
    for number, (given, found) in enumerate(FILTERS):
        query = {name: str(ids[value].pk) if value in ids else value for name, value in given.items()}
        rows = api.get(f"{API}/campaigns/{history.campaign.pk}/chronicle/", query).json()["results"]
        assert [row["text"].split(": ")[1] for row in rows if ": a " in row["text"]] == found, given
        if number % at_most(2, full=1) == 0:
            page = client.get(url, query).content.decode()
            assert [word for word in ("a raid", "a feast") if f": {word}" in page] == found, given


def test_odd_filters_are_refused(history):
    """Every day each of them by the API, and on the page the first and the last."""
    client, api = browser(history.gm), api_of(history.gm)
    url = reverse("kingdom:chronicle", args=[history.campaign.pk])
    queries = ("from=x", "to=-1", "kind=song", "army=7", "colour=red", "from=9999999999", "kingdom=%00")
    for number, query in enumerate(queries):
        answer = api.get(f"{API}/campaigns/{history.campaign.pk}/chronicle/?{query}")
        assert answer.status_code == 400, query
        assert answer.json()["errors"][0]["pointer"] == "/" + query.split("=")[0]
        if number % at_most(len(queries) - 1, full=1) == 0:
            assert client.get(f"{url}?{query}").status_code == 200, query


def test_asking_for_another_kingdom_by_id_finds_nothing(history):
    entries = list_entries(history.ana, history.campaign, read_filters({"kingdom": str(history.horde.pk)}))
    assert not entries.exists()


def names_offered(user, history, kind: str, text: str) -> list[str]:
    address = reverse("kingdom:chronicle_names", args=[history.campaign.pk, kind])
    page = browser(user).get(address, {kind: text}).content.decode()
    return re.findall(r'<option value="([^"]*)">', page)


def test_the_page_offers_only_what_the_reader_may_know(history):
    crown, horde = history.crown.name, history.horde.name
    assert names_offered(history.gm, history, "kingdom", "") == sorted([crown, horde])
    assert names_offered(history.gm, history, "kingdom", horde[1:4].upper()) == [horde]
    assert names_offered(history.ana, history, "kingdom", "") == [crown]
    assert names_offered(history.ana, history, "kingdom", horde) == []


def test_names_of_nothing_and_for_nobody(history):
    address = reverse("kingdom:chronicle_names", args=[history.campaign.pk, "song"])
    assert browser(history.gm).get(address).status_code == 404
    address = reverse("kingdom:chronicle_names", args=[history.campaign.pk, "kingdom"])
    assert browser(history.stranger).get(address).status_code == 404
    assert names_offered(history.gm, history, "kingdom", "\0") == []


def test_the_page_seeks_by_name(history):
    """Exactly that name, or else what has it in its name; a name nobody bears is said beside the filters."""
    url = reverse("kingdom:chronicle", args=[history.campaign.pk])
    by_id = browser(history.gm).get(url, {"kingdom": str(history.crown.pk)})
    for name in (history.crown.name, history.crown.name.upper(), history.crown.name[:3]):
        by_name = browser(history.gm).get(url, {"kingdom": name})
        assert [e.entry for e in by_name.context["entries"]] == [e.entry for e in by_id.context["entries"]]
        assert f'value="{name}"' in by_name.content.decode()
    assert f'value="{history.crown.name}"' in by_id.content.decode()
    nothing = browser(history.gm).get(url, {"kingdom": "Atlantis"}).content.decode()
    assert "“Atlantis” not found in this campaign." in nothing


def test_a_name_one_may_not_know_is_nobodys(history):
    url = reverse("kingdom:chronicle", args=[history.campaign.pk])
    hidden = browser(history.ana).get(url, {"kingdom": history.horde.name}).content.decode()
    assert f"“{history.horde.name}” not found in this campaign." in hidden
    by_id = browser(history.ana).get(url, {"kingdom": str(history.horde.pk)}).content.decode()
    assert f'value="{history.horde.name}"' not in by_id


def test_htmx_gets_the_entries_alone(history):
    client = browser(history.gm)
    page = client.get(reverse("kingdom:chronicle", args=[history.campaign.pk]), headers={"HX-Request": "true"})
    assert page.content.decode().lstrip().startswith('<div class="stack" id="entries"')


# Files


def rows_of(answer) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))


def test_the_chronicle_as_a_table(history):
    answer = browser(history.gm).get(
        reverse("kingdom:chronicle_csv", args=[history.campaign.pk]) + f"?kingdom={history.crown.pk}"
    )
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    row = rows_of(answer)[-1]
    assert (row["day"], row["by"], row["entry"]) == ("0", "ana", "Crown of Restov: a feast")
    assert (row["subject"], row["field"], row["before"], row["after"]) == ("Crown of Restov", "Loyalty", "18", "17")


def test_the_ledger_as_a_table(table):
    record_entry(by=table.ana, kingdom=table.crown, amount=-6, reason="=bread()")
    url = reverse("kingdom:ledger_csv", args=[table.crown.pk])
    found = rows_of(browser(table.ana).get(url))
    assert [(row["BP"], row["balance"], row["reason"]) for row in found] == [
        ("21", "21", "Opening balance"),
        ("-6", "15", "'=bread()"),
    ]
    assert [row["BP"] for row in rows_of(browser(table.ana).get(f"{url}?direction=in"))] == ["21"]


LEDGER = {"gm": 200, "ana": 200, "viewer": 200, "bo": 404, "stranger": 404}


@pytest.mark.parametrize("who", everyday(list(LEDGER), keep=("ana", "bo").__contains__))
def test_who_may_take_the_ledger_home(table, who):
    assert (
        browser(getattr(table, who)).get(reverse("kingdom:ledger_csv", args=[table.crown.pk])).status_code
        == LEDGER[who]
    )


def test_the_ledger_is_filtered_by_rest(table):
    record_entry(by=table.ana, kingdom=table.crown, amount=-6, reason="bread")
    api, url = api_of(table.ana), f"{API}/kingdoms/{table.crown.pk}/ledger/"
    assert [row["amount"] for row in api.get(f"{url}?source=manual").json()["results"]] == [-6]
    assert [row["amount"] for row in api.get(f"{url}?direction=in").json()["results"]] == [21]
    assert api.get(f"{url}?source=stealing").status_code == 400


def test_the_chronicle_asks_as_often_for_fifty_entries_as_for_two(table, django_assert_max_num_queries):
    client, url = browser(table.gm), reverse("kingdom:chronicle", args=[table.campaign.pk])
    for economy in (1, 2):
        update_kingdom(by=table.ana, kingdom=table.crown, economy=economy)
    row, more = latest(), []
    for _row in range(50):
        row = copy(row)
        row.pk, row.seq = uuid7(), row.seq + 1
        more.append(row)
    write_rows(more)
    with django_assert_max_num_queries(14):
        client.get(url)


# Entries of many lines


@pytest.fixture
def long(table):
    """An entry of the crown's with 130 lines, and a secret of the horde's among them."""
    kingdoms = [(table.crown, f"Company {n}") for n in range(1, 130)] + [(table.horde, "Secret host")]
    lines = [
        chronicle_changes.Change(
            "kingdom", str(kingdom.pk), "economy", 1, 2, "PF-8.1", say(_("{army} moves"), army=name), name
        )
        for kingdom, name in kingdoms
    ]
    table.entry = ChronicleEntry.objects.create(
        campaign=table.campaign, seq=900, day=0, by=table.gm, kind="week", text={"say": "A long week"},
        changes=[dump_change(line) for line in lines], kingdoms=[table.crown.pk, table.horde.pk],
    )  # fmt: skip
    return table


def entry_page(user, long, query="") -> str:
    url = reverse("kingdom:entry", args=[long.campaign.pk, long.entry.pk])
    return " ".join(browser(user).get(url + query).content.decode().split())


def test_the_list_shows_the_first_lines_of_a_long_entry_and_leads_to_all_of_them(long):
    url = reverse("kingdom:chronicle", args=[long.campaign.pk])
    page = " ".join(browser(long.gm).get(url).content.decode().split())
    assert ("Company 4</b>" in page, "Company 5</b>" in page) == (True, False)
    assert "130 changes" in page
    assert reverse("kingdom:entry", args=[long.campaign.pk, long.entry.pk]) in page
    seen = " ".join(browser(long.ana).get(url).content.decode().split())
    assert ("129 changes" in seen, "130 changes" in seen) == (True, False)


def test_a_long_entry_is_read_a_page_at_a_time_and_searched(long):
    first, third = entry_page(long.gm, long), entry_page(long.gm, long, "?page=3")
    assert ("Company 50</b>" in first, "Company 51</b>" in first, "Secret host</b>" in third) == (True, False, True)
    found = entry_page(long.gm, long, "?q=company+12")
    assert found.count('class="subject"') == 11  # 12 and 120 to 129
    assert "No matching changes." in entry_page(long.gm, long, "?q=nobody")
    for page in at_most(("999999999999999999999",), full=("0", "x", "999999999999999999999")):
        assert 'class="subject"' in entry_page(long.gm, long, f"?page={page}")


def test_an_entry_is_searched_as_lists_are(long):
    (first, *rest) = long.entry.changes
    long.entry.changes = [first | {"subject": "Garde de l’Épée"}, *rest]
    long.entry.save(update_fields=["changes"])
    for query in ("epee", "l'%C3%89P%C3%89E", "+garde++de+"):
        assert entry_page(long.gm, long, f"?q={query}").count('class="subject"') == 1


def test_an_entrys_page_hides_what_its_list_hides(long):
    seen = entry_page(long.ana, long, "?page=3")
    assert ("Company 129</b>" in seen, "Secret host" in seen) == (True, False)
    assert "No matching changes." in entry_page(long.ana, long, "?q=secret")
    url = reverse("kingdom:entry", args=[long.campaign.pk, long.entry.pk])
    assert browser(long.stranger).get(url).status_code == 404
    ChronicleEntry.objects.filter(pk=long.entry.pk).update(private=True, kingdoms=[long.horde.pk])
    assert browser(long.ana).get(url).status_code == 404


def test_the_numbers_of_entries_count_nothing_a_player_is_not_told(table):
    """Gaps between them would be the deeds of others."""
    base = f"{API}/campaigns/{table.campaign.pk}/chronicle/"
    numbers = {user: {row["seq"] for row in api_of(user).get(base).json()["results"]} for user in (table.gm, table.ana)}
    assert numbers[table.ana] == {None}
    assert None not in numbers[table.gm]
