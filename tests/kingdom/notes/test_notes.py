"""Notes about everything there is: who reads them, what they mention, and that nothing of them is lost."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.test import Client
from django.urls import reverse

from armies.forces.services import reveal_army
from armies.models import Army
from armies.pathfinder.armies.services import update_army
from core.text import render
from kingdom.models import Note
from kingdom.notes.page import audiences_of, name_audience
from kingdom.notes.queries import get_thing_for, list_notes, names_offered, note_for
from kingdom.notes.services import NoteMovedOn, bring_back_version, delete_note, edit_note, restore_note, write_note
from kingdom.notes.targets import make_ref
from kingdom.realms.services import dissolve_kingdom, found_kingdom, found_settlement, update_kingdom
from rules.core.errors import IllegalCommand, InvalidInput
from tests.everyday import FULL, at_most
from tests.kingdom.conftest import api_of, build_subject
from tests.worlds import built_once

CANARY = "canary7Q"
READERS = ("gm", "ana", "bo", "viewer")


def browser(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def noted(table, by, about, text=CANARY, audience="public", **more) -> Note:
    return write_note(by=by, about=about, text=text, audience=audience, **more)


def for_kingdom(kingdom) -> str:
    return make_ref("kingdom", kingdom.pk)


def who_reads(table, note) -> set[str]:
    return {name for name in READERS if list_notes(getattr(table, name), note.campaign).filter(pk=note.pk).exists()}


@built_once
def town(table):
    return found_settlement(by=table.gm, kingdom=table.crown, name="Restov")


# Who reads what


WHO_READS = (
    ("public", "ana", {"gm", "ana", "bo", "viewer"}),
    ("gm", "ana", {"gm", "ana"}),
    ("gm", "gm", {"gm"}),
    ("horde", "gm", {"gm", "bo"}),
    ("horde", "ana", {"gm", "ana", "bo"}),  # a letter
)


def test_a_note_is_read_by_its_audience_its_author_and_the_gm(table):
    for audience, by, readers in WHO_READS:
        meant = for_kingdom(table.horde) if audience == "horde" else audience
        note = noted(table, getattr(table, by), build_subject("campaign", table.campaign), audience=meant)
        assert who_reads(table, note) == readers, (audience, by)
        assert name_audience(note) == meant
        for name in set(READERS) - readers | {"stranger"}:
            with pytest.raises(Http404):
                note_for(getattr(table, name), note.pk)


def test_a_note_for_the_table_about_what_is_hidden_is_for_those_who_may_see_that(table, town):
    army, leader = table.watch, table.watch.leader
    for kind, row in (("army", army), ("commander", leader), ("settlement", town)):
        assert who_reads(table, noted(table, table.ana, build_subject(kind, row))) == {"gm", "ana", "viewer"}
    reveal_army(by=table.gm, army=army, revealed=True)
    assert {name for name in READERS if list_notes(getattr(table, name), table.campaign).count() == 2} == {"bo"}


def test_a_note_for_another_kingdom_about_a_hidden_army_waits_until_it_is_revealed(table):
    note = noted(table, table.gm, build_subject("army", table.watch), audience=for_kingdom(table.horde))
    assert who_reads(table, note) == {"gm"}
    reveal_army(by=table.gm, army=table.watch, revealed=True)
    assert who_reads(table, note) == {"gm", "bo"}


def test_nobody_writes_about_what_he_may_not_see_and_viewers_do_not_write(table):
    with pytest.raises(Http404):
        get_thing_for(table.bo, make_ref("army", table.watch.pk))
    with pytest.raises(PermissionDenied):
        noted(table, table.viewer, build_subject("campaign", table.campaign))
    for ref in ("", "army", "army:x", "note:0190a0b0-0000-7000-8000-000000000000", "user:1", f"army:{table.crown.pk}"):
        with pytest.raises(Http404):
            get_thing_for(table.gm, ref)


def test_what_is_written_about_what_is_gone_stays_with_those_who_knew_it(table, town):
    note = noted(table, table.ana, build_subject("settlement", town))
    town.delete()
    assert who_reads(table, note) == {"gm", "ana", "viewer"}
    drawn = browser(table.viewer).get(reverse("kingdom:note", args=[note.pk]))
    assert "Restov" in drawn.text


# Nothing is lost


def test_every_text_is_kept_and_an_earlier_one_is_taken_again(table):
    note = noted(table, table.ana, build_subject("kingdom", table.crown), "first")
    edit_note(by=table.gm, note=note, text="second", audience="gm")
    assert bring_back_version(by=table.ana, note=note, number=1).text == "first"
    note.refresh_from_db()
    assert [(old.number, old.text, old.audience) for old in note.versions.all()] == [
        (3, "first", "gm"), (2, "second", "gm"), (1, "first", "public"),
    ]  # fmt: skip
    assert (note.edited_by, note.version) == (table.ana, 3)


def test_saving_what_is_there_keeps_no_version(table):
    note = noted(table, table.ana, build_subject("kingdom", table.crown), "first")
    assert edit_note(by=table.ana, note=note, text="first\r\n").version == 1
    assert note.versions.count() == 1


def test_only_its_author_and_the_gm_change_a_note(table):
    note = noted(table, table.ana, build_subject("kingdom", table.crown))
    for deed in (edit_note, delete_note, restore_note):
        with pytest.raises(PermissionDenied):
            deed(by=table.bo, note=note)


def test_a_deleted_note_is_nowhere_and_comes_back(table):
    note = noted(table, table.ana, build_subject("kingdom", table.crown))
    delete_note(by=table.ana, note=note)
    assert who_reads(table, note) == set()
    page = reverse("kingdom:note", args=[note.pk])
    assert browser(table.bo).get(page).status_code == 404
    assert CANARY in browser(table.ana).get(page).text, "its author finds it again"
    with pytest.raises(IllegalCommand):
        edit_note(by=table.ana, note=note, text="x")
    restore_note(by=table.gm, note=note)
    assert who_reads(table, note) == set(READERS)


def test_the_second_of_two_who_edit_is_told_and_keeps_his_text(table):
    note = noted(table, table.ana, build_subject("kingdom", table.crown), "as it was")
    edit_note(by=table.gm, note=note, version=1, text="what the GM made of it")
    with pytest.raises(NoteMovedOn):
        edit_note(by=table.ana, note=note, version=1, text="mine")
    url, sent = reverse("kingdom:note_edit", args=[note.pk]), {"text": "mine", "audience": "public", "day": "3"}
    told = browser(table.ana).post(url, {**sent, "version": "1"})
    assert told.status_code == 409
    assert "what the GM made of it" in told.text
    assert ">\nmine</textarea>" in told.text
    assert told.context["form"]["version"].value() == "2"
    assert browser(table.ana).post(url, {**sent, "version": "2"}).status_code == 302
    note.refresh_from_db()
    assert (note.text, note.day, note.versions.count()) == ("mine", 3, 3)


NO_NOTES = (
    ({"text": "x" * 20_001}, "/text"), ({"text": " \n"}, "/text"), ({"text": "a\x00b"}, "/text"),
    ({"text": "\u200b\n\u3164"}, "/text"),
    ({"text": 7}, "/text"), ({"audience": "kingdom:none"}, "/audience"), ({"audience": ["gm"]}, "/audience"),
    ({"day": -1}, "/day"), ({"text": "@Crown " * 101}, "/text"),
)  # fmt: skip


def test_what_cannot_be_kept_is_refused_beside_its_field(table):
    for given, field in NO_NOTES:
        with pytest.raises(InvalidInput) as refused:
            write_note(by=table.ana, about=build_subject("kingdom", table.crown), **{"text": "x", **given})
        assert refused.value.field == field, given
        assert Note.objects.count() == 0, given


def test_a_kingdom_of_another_campaign_is_no_audience(table):
    with pytest.raises(InvalidInput):
        noted(table, table.gm, build_subject("kingdom", table.crown), audience=f"kingdom:{table.campaign.pk}")


def test_a_note_for_a_kingdom_that_is_dissolved_stays_with_its_author_and_the_gm(table):
    note = noted(table, table.ana, build_subject("campaign", table.campaign), audience=for_kingdom(table.horde))
    dissolve_kingdom(by=table.gm, kingdom=table.horde)
    assert who_reads(table, note) == {"gm", "ana"}
    client = browser(table.ana)
    assert "deleted kingdom" in client.get(reverse("kingdom:note", args=[note.pk])).text
    url = reverse("kingdom:note_edit", args=[note.pk])
    sent = {"text": "anew", "audience": name_audience(note), "day": "0", "version": "1"}
    assert client.post(url, sent).status_code == 302, "and can still be edited"


# Mentions


def test_a_mention_means_what_its_writer_may_see_and_follows_a_new_name(table, battle):
    note = noted(
        table, table.gm, build_subject("kingdom", table.crown), "@Ironwatch under @Ysolde at @[The ford]; @Nobody"
    )
    assert [one["word"] for one in note.mentions] == ["Ironwatch", "Ysolde", "The ford"]
    Army.objects.filter(pk=table.watch.pk).update(name="Steelwatch")
    drawn = browser(table.gm).get(reverse("kingdom:note", args=[note.pk])).text
    assert f'href="{reverse("armies:army", args=[table.watch.pk])}" class="mention"' in drawn
    assert ">Steelwatch</a> under" in drawn
    assert ">The ford</a>; @Nobody" in drawn


def test_who_may_not_see_what_is_mentioned_reads_the_word_and_learns_nothing(table):
    about = build_subject("campaign", table.campaign)
    note = noted(table, table.gm, about, "Beware @Ironwatch and @[Ironwatch]! @Crown")
    update_army(by=table.gm, army=table.watch, name=CANARY)
    bo = browser(table.bo)
    shown = bo.get(reverse("kingdom:note", args=[note.pk])).text
    assert "Beware @Ironwatch and Ironwatch!" in shown
    for page in (shown, api_of(table.bo).get(f"/api/v1/notes/{note.pk}/").content.decode()):
        assert CANARY not in page
        assert str(table.watch.pk) not in page
    assert [one["name"] for one in api_of(table.bo).get(f"/api/v1/notes/{note.pk}/").json()["mentions"]] == ["Crown"]
    assert api_of(table.bo).get(f"/api/v1/notes/?mentions=army:{table.watch.pk}").json()["results"] == []
    assert len(api_of(table.gm).get(f"/api/v1/notes/?mentions=army:{table.watch.pk}").json()["results"]) == 1


def test_a_word_means_nothing_that_its_writer_may_not_see(table):
    assert noted(table, table.bo, build_subject("kingdom", table.horde), "Where is @Ironwatch?").mentions == []


def test_what_a_word_stood_for_it_stands_for_when_somebody_else_edits(table):
    note = noted(table, table.bo, build_subject("campaign", table.campaign), "@Raiders")
    reveal_army(by=table.gm, army=table.watch, revealed=True)
    note = edit_note(by=table.gm, note=note, text="@Raiders and @Ironwatch")
    reveal_army(by=table.gm, army=table.watch, revealed=False)
    note = edit_note(by=table.bo, note=note, text="@Raiders, @Ironwatch")
    assert [one["ref"] for one in note.mentions] == [f"army:{table.raiders.pk}", f"army:{table.watch.pk}"]


def test_of_two_things_of_one_name_that_of_the_kingdom_written_about_is_meant(table):
    update_army(by=table.gm, army=table.spare, name="Ironwatch")
    for kingdom, army in ((table.horde, table.spare), (table.crown, table.watch)):
        note = noted(table, table.gm, build_subject("kingdom", kingdom), "@ironwatch")
        assert [one["ref"] for one in note.mentions] == [f"army:{army.pk}"]


def test_names_are_offered_of_what_one_may_see(table):
    offered = {name: [found for found, _topic in names_offered(getattr(table, name), table.campaign, "r")]
               for name in ("gm", "bo", "ana")}  # fmt: skip
    assert offered["bo"] == ["Raiders", "Horde", "Crown", "Gruk", "Spare"] or set(offered["bo"]) == {
        "Raiders", "Horde", "Crown", "Gruk", "Spare",
    }  # fmt: skip
    assert offered["gm"][0] == "Raiders", "those that begin so come first"
    assert {"Ironwatch"} == set(offered["gm"]) - set(offered["bo"])
    assert "Raiders" not in offered["ana"]
    assert browser(table.stranger).get(reverse("kingdom:note_names", args=[table.campaign.pk])).status_code == 404


def test_kingdoms_a_note_may_be_for_stand_as_people_count_ones_own_first(table):
    for name in ("March 10", "March 2", "Écu"):
        found_kingdom(by=table.gm, campaign=table.campaign, name=name)
    offered = [render(word) for _key, word in audiences_of(table.bo, table.campaign)]
    assert offered[2:] == ["for Horde", "for Crown", "for Écu", "for March 2", "for March 10"]


# Pages


def test_every_page_of_a_thing_shows_its_notes_and_those_that_mention_it(table, battle, town):
    pages = {
        "campaign": (table.campaign, reverse("kingdom:campaign", args=[table.campaign.pk])),
        "kingdom": (table.crown, reverse("kingdom:kingdom", args=[table.crown.pk])),
        "settlement": (town, reverse("kingdom:settlement_edit", args=[town.pk])),
        "army": (table.watch, reverse("armies:army", args=[table.watch.pk])),
        "commander": (table.watch.leader, reverse("armies:commander", args=[table.watch.leader.pk])),
    }
    ana = browser(table.ana)
    for kind, (row, url) in pages.items():
        noted(table, table.ana, build_subject(kind, row), f"about the {kind}")
        noted(table, table.ana, build_subject("battle", battle), f"mention {kind} @[{row.name}]")
        later = reverse("kingdom:notes", args=[kind, row.pk])
        assert f'hx-get="{later}" hx-trigger="revealed"' in ana.get(url).text
        page = ana.get(later, headers={"HX-Request": "true"}).text
        assert f"<p>about the {kind}</p>" in page
        assert kind == "campaign" or f"mention {kind}" in page
    drawn = ana.get(reverse("kingdom:notes", args=["battle", battle.pk]), headers={"HX-Request": "true"}).text
    assert drawn.lstrip().startswith("<section")
    assert "<p>mention army" in drawn
    assert (
        reverse("kingdom:notes", args=["battle", battle.pk])
        in ana.get(reverse("battles:battle", args=[battle.pk])).text
    )


def test_a_secret_note_is_nowhere(table, battle):
    """For the GM or for another kingdom: on no page, in no story or document of it, not in the API nor in any count."""
    things = {"campaign": table.campaign, "kingdom": table.crown, "battle": battle, "army": table.watch}
    noted(table, table.ana, build_subject("kingdom", table.crown), "open")
    pages = [
        *(reverse("kingdom:notes", args=[kind, row.pk]) for kind, row in things.items()),
        reverse("kingdom:campaign", args=[table.campaign.pk]),
        reverse("kingdom:kingdom", args=[table.crown.pk]),
        reverse("armies:army", args=[table.watch.pk]),
        *(reverse(f"kingdom:story{part}", args=[table.campaign.pk]) for part in ("", "_print", "_markdown")),
        *(f"/api/v1/{part}" for part in ("notes/", f"notes/?about=kingdom:{table.crown.pk}",
                                         f"notes/?mentions=kingdom:{table.crown.pk}",
                                         f"campaigns/{table.campaign.pk}/story/",
                                         f"campaigns/{table.campaign.pk}/story/document/")),
        reverse("kingdom:note_names", args=[table.campaign.pk]) + f"?q={CANARY}",
    ]  # fmt: skip
    own = {"campaign": "kingdom:campaign", "kingdom": "kingdom:kingdom", "army": "armies:army"}
    later = {reverse(page, args=[things[kind].pk]) for kind, page in own.items()}
    ana, gm = browser(table.ana), browser(table.gm)
    before = {url: ana.get(url).content.count(b"note-") for url in pages[:: at_most(2, full=1)]}
    for kind, row in things.items():
        for audience in ("gm", for_kingdom(table.horde)):
            noted(table, table.gm, build_subject(kind, row), f"{CANARY} @Crown", audience=audience)
    secret = Note.objects.filter(text__contains=CANARY)
    for url in pages:
        shown = ana.get(url)
        assert shown.status_code == 200, url
        assert CANARY not in shown.text, url
        assert url not in before or shown.content.count(b"note-") == before[url], url
        assert not any(str(note.pk) in shown.text for note in secret), url
    for note in secret.order_by("audience").distinct("audience") if not FULL else secret:
        urls = [reverse(f"kingdom:note{part}", args=[note.pk]) for part in ("", "_edit")]
        urls += [f"/api/v1/notes/{note.pk}/{part}" for part in ("", "versions/")]
        assert {ana.get(url).status_code for url in urls} == {404}
        assert ana.post(reverse("kingdom:note_delete", args=[note.pk])).status_code == 404
        assert ana.post(reverse("kingdom:note_restore", args=[note.pk])).status_code == 404
    assert all(CANARY in gm.get(url).text for url in pages[:: at_most(3, full=1)] if url not in later)


def test_who_watches_reads_no_secret_note(table):
    noted(table, table.gm, build_subject("campaign", table.campaign), audience=for_kingdom(table.crown))
    assert CANARY not in browser(table.viewer).get(reverse("kingdom:story", args=[table.campaign.pk])).text


def test_the_history_of_a_note_is_not_for_its_readers(table):
    note = noted(table, table.gm, build_subject("campaign", table.campaign), CANARY, audience="gm")
    edit_note(by=table.gm, note=note, text="told to all", audience="public")
    for url in (reverse("kingdom:note", args=[note.pk]), f"/api/v1/notes/{note.pk}/"):
        assert CANARY not in browser(table.bo).get(url).text
    assert browser(table.bo).get(f"/api/v1/notes/{note.pk}/versions/").status_code == 404
    assert CANARY in browser(table.gm).get(reverse("kingdom:note", args=[note.pk])).text


def test_a_note_is_written_previewed_and_deleted_on_the_page_without_scripts(table):
    ana, url = browser(table.ana), reverse("kingdom:notes", args=["army", table.watch.pk])
    sent = {"text": "**Brave** @Ysolde", "audience": "public", "day": "4"}
    preview = ana.post(url, {**sent, "preview": "1"})
    assert "<strong>Brave</strong> <a" in preview.text
    assert Note.objects.count() == 0
    done = ana.post(url, sent)
    assert done["Location"] == reverse("armies:army", args=[table.watch.pk]) + "#notes"
    note = Note.objects.get()
    assert (note.title, note.day, note.by) == ("Brave @Ysolde", 4, table.ana)
    assert ana.post(url, {**sent, "text": " "}).status_code == 422
    assert ana.post(url, {**sent, "day": "x"}).status_code == 422
    assert "<strong>Brave" in ana.post(url, sent, headers={"HX-Request": "true"}).text
    assert ana.post(reverse("kingdom:note_delete", args=[note.pk])).status_code == 302
    assert "Deleted notes" in ana.get(url).text
    assert "Deleted notes" not in browser(table.bo).get(reverse("kingdom:notes", args=["kingdom", table.crown.pk])).text
    assert ana.post(reverse("kingdom:note_restore", args=[note.pk])).status_code == 302
    assert ana.post(reverse("kingdom:note_version", args=[note.pk, 9])).status_code == 302
    assert browser(table.viewer).post(url, sent).status_code == 403
    assert browser(table.bo).post(url, sent).status_code == 404


def test_questions_do_not_grow_with_the_notes_and_what_they_mention(table, django_assert_max_num_queries):
    url, ana = reverse("kingdom:notes", args=["kingdom", table.crown.pk]), browser(table.ana)
    most = 22
    for number in range(at_most(4, full=9)):
        noted(table, table.ana, build_subject("kingdom", table.crown), f"{number} @Crown @Ironwatch @Ysolde @Horde")
        if number in (1, at_most(4, full=9) - 1):
            with django_assert_max_num_queries(most) as asked:
                assert ana.get(url).status_code == 200
            most = len(asked)


# By program


def test_notes_by_program(table):
    ana = api_of(table.ana)
    about = f"army:{table.watch.pk}"
    made = ana.post("/api/v1/notes/", {"about": about, "text": "A *note*"}, format="json")
    assert made.status_code == 201, made.content
    note = made.json()
    assert {name: note[name] for name in ("about", "audience", "text", "by", "day", "version")} == {
        "about": about, "audience": "public", "text": "A *note*", "by": "ana", "day": 0, "version": 1,
    }  # fmt: skip
    url = f"/api/v1/notes/{note['id']}/"
    etag = ana.get(url)["ETag"]
    changed = ana.patch(url, {"text": "B", "audience": "gm"}, format="json", headers={"If-Match": etag})
    assert (changed.status_code, changed.json()["audience"], changed.json()["edited_by"]) == (200, "gm", "ana")
    assert ana.patch(url, {"text": "C"}, format="json", headers={"If-Match": etag}).status_code == 412
    assert [old["text"] for old in ana.get(f"{url}versions/").json()["results"]] == ["B", "A *note*"]
    assert [one["id"] for one in ana.get(f"/api/v1/notes/?about={about}").json()["results"]] == [note["id"]]
    assert ana.delete(url).status_code == 204
    assert ana.get(url).status_code == 404
    assert ana.post(f"{url}restore/").status_code == 200
    assert ana.get(url).status_code == 200


def test_what_a_program_sends_wrong_is_named(table):
    campaign, watch, api = f"campaign:{table.campaign.pk}", f"army:{table.watch.pk}", api_of(table.bo)
    for body, status, pointer in (
        ({"about": "army:x", "text": "a"}, 404, "/about"), ({"text": "a"}, 400, "/about"),
        ({"about": campaign, "text": ""}, 400, "/text"), ({"about": campaign, "text": "a", "by": "bo"}, 400, "/by"),
        ({"about": campaign, "text": "a", "audience": "all"}, 400, "/audience"),
        ({"about": watch, "text": "a"}, 404, "/about"),
    ):  # fmt: skip
        answer = api.post("/api/v1/notes/", body, format="json")
        assert answer.status_code == status, (body, answer.content)
        assert [error["pointer"] for error in answer.json()["errors"]] == [pointer], body


def test_filters_that_name_nothing_are_refused(table):
    assert api_of(table.bo).get("/api/v1/notes/?about=nothing").status_code == 400
    assert api_of(table.bo).get("/api/v1/notes/?page=1").status_code == 400


def test_a_renamed_kingdom_is_called_by_its_name_of_today(table):
    noted(table, table.ana, build_subject("kingdom", table.crown), "@Crown", audience=for_kingdom(table.crown))
    update_kingdom(by=table.gm, kingdom=table.crown, name="New Crown")
    page = browser(table.ana).get(reverse("kingdom:story", args=[table.campaign.pk])).text
    assert "for New Crown" in page
    assert ">New Crown</a></p>" in page


def test_a_text_too_long_is_refused_whole_and_stays_in_the_form(table):
    """A browser would cut it at a `maxlength`, without a word."""
    url, gm = reverse("kingdom:notes", args=["campaign", table.campaign.pk]), browser(table.gm)
    assert 'maxlength="20000"' not in gm.get(url).content.decode()
    long = "Snow in the passes. " * 3000
    refused = "A note can have 20,000 characters at most. This one has 59,999. Split it into two."
    answer = gm.post(url, {"text": long, "audience": "public", "day": ""})
    assert (answer.status_code, Note.objects.count()) == (422, 0)
    assert refused in answer.content.decode()
    assert long in answer.content.decode()
    kept = noted(table, table.gm, build_subject("campaign", table.campaign), text="n" * 20_000)
    edit = reverse("kingdom:note_edit", args=[kept.pk])
    answer = gm.post(edit, {"text": long, "audience": "public", "day": "", "version": kept.version})
    assert answer.status_code == 422
    assert refused in answer.content.decode()
    assert long in answer.content.decode()
    assert Note.objects.get().text == "n" * 20_000
