"""The story of the war: chronicle and notes together, in the order of days, for each as much as they may know."""

from __future__ import annotations

import re
from base64 import b64encode
from urllib.parse import quote

from django.test import Client
from django.urls import reverse

from core.text import render
from kingdom.chronicle.queries import EntryLines, Subjects, list_visible_changes, load_first_lines
from kingdom.chronicle.services import undo_last
from kingdom.models import ChronicleEntry
from kingdom.models.base import uuid7
from kingdom.notes.services import write_note
from kingdom.realms.services import update_kingdom
from kingdom.story.queries import build_lines, list_rows, story_sought
from tests.everyday import at_most
from tests.kingdom.conftest import api_of, build_subject
from tests.worlds import built_once


def browser(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


@built_once
def war(table):
    """Entries of days 0 and 8, notes of days 3, 8 and 9; the newest entry is undone."""
    for name, day, about in (("third", 3, ("kingdom", table.crown)), ("eighth", 8, ("army", table.watch)),
                             ("ninth", 9, ("campaign", table.campaign))):  # fmt: skip
        write_note(by=table.ana, about=build_subject(*about), text=f"*{name}* note of @Crown", day=day)
    write_note(
        by=table.bo, about=build_subject("kingdom", table.horde), text="hidden plan @Raiders", audience="gm", day=4
    )
    table.campaign.day = 8
    table.campaign.save()
    update_kingdom(by=table.gm, kingdom=table.crown, unrest=4, reason="floods")
    update_kingdom(by=table.gm, kingdom=table.crown, unrest=7, reason="locusts")
    undo_last(by=table.gm, campaign=table.campaign)
    return table


def lines_of(user, table, **given) -> list[str]:
    rows = list_rows(user, table.campaign, story_sought(given))
    return [
        line.card.note.title if line.card else render(line.text) for line in build_lines(user, table.campaign, rows)
    ]


def test_the_story_is_told_in_the_order_of_days_without_what_was_undone(war):
    story = lines_of(war.ana, war)
    assert story[:2] == ["Crown was founded.", "Horde was founded."]
    assert story[-4:] == ["third note of @Crown", "eighth note of @Crown", "Crown: floods", "ninth note of @Crown"]
    assert lines_of(war.ana, war, order="latest") == story[::-1]
    whole = lines_of(war.ana, war, undone="1")
    assert [line for line in whole if line not in story] == ["Crown: locusts"]


def test_it_is_sifted_by_kind_kingdom_army_and_days(war):
    assert lines_of(war.ana, war, kind="note", since="") == [
        "third note of @Crown", "eighth note of @Crown", "ninth note of @Crown",
    ]  # fmt: skip
    assert lines_of(war.ana, war, kind="kingdom", **{"from": "8"}) == ["Crown: floods"]
    assert lines_of(war.gm, war, army=str(war.watch.pk), kind="note") == ["eighth note of @Crown"]
    assert lines_of(war.gm, war, kingdom=str(war.horde.pk), kind="note") == ["hidden plan @Raiders"]
    assert lines_of(war.gm, war, army=str(war.raiders.pk), kind="note") == ["hidden plan @Raiders"]
    assert lines_of(war.ana, war, army=str(war.raiders.pk)) == []
    assert lines_of(war.ana, war, **{"from": "4", "to": "8", "kind": "note"}) == ["eighth note of @Crown"]


def test_its_pages_find_by_name_and_say_what_is_not_there(war):
    url, ana = reverse("kingdom:story", args=[war.campaign.pk]), browser(war.ana)
    assert "eighth" in ana.get(url, {"army": "ironw"}).text
    assert "not found in this campaign" in ana.get(url, {"army": "Raiders"}).text
    assert ana.get(url, {"page": "99", "from": "x"}).status_code == 200
    assert ana.get(url, {"kind": "note", "to": "2"}).status_code == 200
    assert browser(war.stranger).get(url).status_code == 404


def test_the_document_is_what_its_reader_may_know(war):
    update_kingdom(by=war.gm, kingdom=war.crown, name="New *Crown*")
    write_note(by=war.ana, about=build_subject("kingdom", war.crown), text="# A\n<script>x</script>\n\n- b", day=9)
    shown = browser(war.ana).get(reverse("kingdom:story_markdown", args=[war.campaign.pk]))
    assert shown["Content-Type"] == "text/markdown; charset=utf-8"
    assert shown["Content-Disposition"] == 'attachment; filename="restov-marches.md"'
    text = shown.text
    assert re.findall(r"^## .*$", text, re.M) == ["## Day 0", "## Day 3", "## Day 8", "## Day 9"]
    assert "\n**ana**, Kingdom New \\*Crown\\*, for the table:\n\n> *third* note of New *Crown*\n" in text
    assert "> # A\n> &lt;script>x&lt;/script>\n>\n> - b" in text
    assert "hidden plan" not in text
    assert "hidden plan" in browser(war.bo).get(reverse("kingdom:story_markdown", args=[war.campaign.pk])).text
    paper = browser(war.ana).get(reverse("kingdom:story_print", args=[war.campaign.pk]) + "?kind=note").text
    assert "third" in paper
    assert "<button" not in paper.partition("story told")[2].partition("</main")[0]


def test_the_story_by_program_a_page_at_a_time_in_both_directions(war):
    url = f"/api/v1/campaigns/{war.campaign.pk}/story/"
    ana = api_of(war.ana)
    whole = ana.get(url).json()["results"]
    assert [line["type"] for line in whole[-4:]] == ["note", "note", "entry", "note"]
    assert whole[-1]["note"]["mentions"][0]["name"] == "Crown"
    for order in ("", "&order=latest"):
        found, pages, at = [], [], f"{url}?limit={at_most(5, full=2)}{order}"
        while at:
            pages.append(ana.get(at).json())
            found += pages[-1]["results"]
            at = pages[-1]["next"]
        assert found == (whole[::-1] if order else whole)
        assert ana.get(pages[-1]["previous"]).json()["results"] == pages[-2]["results"]
        assert pages[0]["previous"] is None
    for wrong in ("?cursor=x", "?kind=song", "?from=x", "?army=Ironwatch", "?page=2", "?limit=0"):
        assert ana.get(url + wrong).status_code == 400, wrong
    far = b64encode(f"p={quote(f'0|2026-01-01T00:00:00+20:23|{uuid7()}')}".encode()).decode()
    assert ana.get(url, {"cursor": far}).status_code == 200  # a zone that PostgreSQL would not take
    document = ana.get(f"{url}document/")
    assert (document.status_code, "*third* note" in document.content.decode()) == (200, True)


def test_a_player_s_chronicle_is_cut_by_the_database_and_says_what_it_said(war, django_assert_num_queries):
    entries = list(ChronicleEntry.objects.filter(campaign=war.campaign).annotate(subjects=Subjects("changes")))
    for user in (war.ana, war.bo, war.viewer):
        readable = list_visible_changes(user, war.campaign, entries)
        cut = load_first_lines(user, war.campaign, {entry.pk: entry.subjects for entry in entries}, 2)
        for entry in entries:
            lines, count = cut.get(entry.pk, ([], 0))
            assert (lines, count) == (readable[entry.pk][:2], len(readable[entry.pk]))
            shown = EntryLines(user, war.campaign, entry.pk)
            assert (shown[0:50], len(shown)) == (readable[entry.pk], count)
            assert shown[1:2] == readable[entry.pk][1:2]
            assert list(shown) == [shown[place] for place in range(count)] == readable[entry.pk]


def test_an_entry_s_lines_are_found_by_the_name_of_what_they_change(war):
    entry = ChronicleEntry.objects.filter(campaign=war.campaign, changes__contains=[{"subject": "Ironwatch"}]).last()
    assert len(EntryLines(war.gm, war.campaign, entry.pk, "IRONW")) == 1
    assert len(EntryLines(war.gm, war.campaign, entry.pk, "%")) == 0
    url = reverse("kingdom:entry", args=[war.campaign.pk, entry.pk])
    assert "Ironwatch" in browser(war.ana).get(url, {"q": "iron", "page": "7"}).text
    assert browser(war.bo).get(url).status_code == 404


def test_the_latest_of_the_story_counts_no_secret(war):
    before = list_rows(war.ana, war.campaign).count()
    for audience in ("gm", f"kingdom:{war.horde.pk}"):
        write_note(by=war.gm, about=build_subject("campaign", war.campaign), text="secret", audience=audience)
        assert list_rows(war.ana, war.campaign).count() == before
    assert list_rows(war.gm, war.campaign).count() > before + 1
