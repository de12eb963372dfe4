"""A Kanka export becomes kingdoms, commanders and notes: shown first, whole or not at all, nothing private told."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext

from armies.bulk.services import StaleProposal
from armies.kanka.kanka_export import FILE_BYTES, FILES_MOST, pack, read_export, read_html, split_text
from armies.kanka.services import bring_in_kanka, propose_kanka
from armies.models import Commander
from kingdom.models import Audience, Kingdom, Note
from kingdom.notes.services import TEXT_MAX
from rules.core.errors import InvalidInput
from tests.armies.breaking_point.conftest import marches  # noqa: F401 - a fixture

pytestmark = pytest.mark.django_db

GUILD = {
    "id": 7, "name": "Silver Guild", "is_private": 0, "entry": "<p>Old <b>money</b>.</p><ul><li>ships</li></ul>",
    "entity": {"id": 107, "posts": [
        {"name": "Debts", "entry": "<p>They owe the crown.</p>", "visibility_id": 2},
        {"name": "Harbor", "entry": "<p>Led by [character:201|Mira].</p>", "visibility_id": 1},
    ]},
}  # fmt: skip
CULT = {"id": 8, "name": "Hidden Cult", "is_private": 1, "entry": "<p>Nobody knows.</p>", "entity": {"id": 108}}
MIRA = {
    "id": 11, "name": "Mira Vane", "is_private": False, "is_dead": 0,
    "entity": {"id": 201, "entry": "<p>Captain of [organisation:107].</p>"},
    "organisationMemberships": [{"organisation_id": 8}, {"organisation_id": 7, "role": "Captain"}],
}  # fmt: skip
DEAD = {"id": 12, "name": "Old Vane", "is_dead": 1, "organisationMemberships": [{"organisation_id": 7}]}
LONER = {"id": 13, "name": "Loner", "organisationMemberships": []}
SPY = {"id": 14, "name": "The Spy", "is_private": 1, "organisationMemberships": [{"organisation_id": 7}]}
LORE = {"id": 21, "name": "The old war", "entry": "<h2>Cause</h2><p>Salt.</p>", "entity": {"id": 301}}
SECRET = {"id": 22, "name": "Secret", "is_private": 1, "entry": "<p>The crown is false.</p>"}
EXPORT = {"organisations": [GUILD, CULT], "characters": [MIRA, DEAD, LONER, SPY], "notes": [LORE, SECRET],
          "others": {"locations": 12, "quests": 1}}  # fmt: skip


def archive(**more: bytes) -> bytes:
    """As Kanka sends it: a folder a kind, a file an entity."""
    sent = io.BytesIO()
    with zipfile.ZipFile(sent, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("campaign.json", "{}")
        file.writestr("locations/harbor.json", "{}")
        file.writestr("w/1/picture.png", b"x")
        for kind in ("organisations", "characters", "notes"):
            for thing in EXPORT[kind]:
                file.writestr(f"{kind}/{thing['id']}.json", json.dumps(thing))
        for name, content in more.items():
            file.writestr(name.replace("__", "/") + ".json", content)
    return sent.getvalue()


def bring(war, thing=EXPORT, **more):
    return bring_in_kanka(by=war.gm, campaign=war.campaign, text=json.dumps(thing), **more)


def propose(war, thing=EXPORT, **more):
    return propose_kanka(by=war.gm, campaign=war.campaign, text=json.dumps(thing), **more)


def lines(found):
    return {line.name: (line.what, line.under, [str(one) for one in line.warnings]) for line in found.lines}


# What becomes of it.


def test_organisations_characters_and_texts_come_in(war):
    bring(war)
    guild = Kingdom.objects.get(campaign=war.campaign, name="Silver Guild")
    assert list(Commander.objects.filter(kingdom=guild).values_list("name", flat=True)) == ["Mira Vane"]
    notes = {note.text: note.audience for note in Note.objects.filter(campaign=war.campaign)}
    assert notes == {
        "# Silver Guild\n\nOld money.\n\n- ships": Audience.PUBLIC,
        "# Debts\n\nThey owe the crown.": Audience.GM,
        "# Harbor\n\nLed by Mira.": Audience.PUBLIC,
        "# Mira Vane\n\nCaptain of Silver Guild.": Audience.PUBLIC,
        "# The old war\n\n## Cause\n\nSalt.": Audience.PUBLIC,
        "# Secret\n\nThe crown is false.": Audience.GM,
    }


def test_what_was_not_understood_or_is_private_is_told_line_by_line(war):
    assert [str(line.kind) for line in propose(war).lines][:3] == ["Kingdom", "Kingdom", "Commander"]
    found = lines(propose(war))
    assert found["Silver Guild"] == ("new", "", [])
    assert found["Mira Vane"] == ("new", "Silver Guild", [])
    assert found["Hidden Cult"] == ("same", "", ["Not imported: private in Kanka."])
    assert found["The Spy"][2] == ["Not imported: private in Kanka."]
    assert found["Old Vane"][2] == ["Not imported: dead in Kanka."]
    assert "Choose a kingdom" in found["Loner"][2][0]
    assert found["Kanka"][2] == ["Not imported: locations (12), quests (1)."]
    assert not Kingdom.objects.filter(campaign=war.campaign, name="Silver Guild").exists()
    assert not Note.objects.filter(campaign=war.campaign).exists()


def test_a_text_names_nothing_that_is_private(war):
    bring(
        war, {"organisations": [CULT], "notes": [{"id": 1, "name": "Rumor", "entry": "<p>Of [organisation:108].</p>"}]}
    )
    assert Note.objects.get(campaign=war.campaign).text == "# Rumor\n\nOf ."


def test_characters_without_an_organisation_go_where_the_gm_says(war):
    bring(war, kingdom=war.crown)
    assert Commander.objects.filter(kingdom=war.crown, name="Loner").exists()


def test_the_same_export_again_changes_nothing(war):
    bring(war)
    found = propose(war)
    assert {line.what for line in found.lines} == {"same"}
    with pytest.raises(InvalidInput, match="already up to date"):
        bring(war)


def test_a_kingdom_that_is_there_gets_what_is_new_about_it(war):
    named = {**GUILD, "name": war.crown.name.upper()}
    found = propose(war, {"organisations": [named]})
    assert [(line.what, line.differences[0].column) for line in found.lines] == [("changed", "notes")]
    bring(war, {"organisations": [named]})
    assert Kingdom.objects.filter(campaign=war.campaign).count() == 2
    assert Note.objects.filter(about_id=war.crown.pk).count() == 3


def test_another_rulesets_commanders_come_in_too(marches):  # noqa: F811
    bring_in_kanka(by=marches.gm, campaign=marches.campaign, text=json.dumps(EXPORT))
    assert Commander.objects.filter(campaign=marches.campaign, name="Mira Vane").exists()


# What is refused.


def test_one_wrong_entry_keeps_everything_out(war):
    wrong = {**EXPORT, "notes": [LORE, {"id": 3, "name": "", "entry": "x"}]}
    with pytest.raises(InvalidInput) as refused:
        bring(war, wrong)
    assert refused.value.field == "/rows/8/name"
    assert not Kingdom.objects.filter(campaign=war.campaign, name="Silver Guild").exists()


def test_what_changed_since_the_preview_is_not_confirmed(war):
    mark = propose(war).mark
    with pytest.raises(StaleProposal):
        bring(war, kingdom=war.crown, mark=mark)
    bring(war, mark=mark)


def test_only_a_gm_may(war):
    with pytest.raises(PermissionDenied):
        propose_kanka(by=war.ana, campaign=war.campaign, text=json.dumps(EXPORT))


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"organisations": {}}', '{"notes": []}', "null"])
def test_what_is_no_export_is_refused(text):
    with pytest.raises(InvalidInput):
        read_export(text, field="/file")


@pytest.mark.parametrize(
    "odd", [{"id": "7", "name": 3, "entity": []}, {"entity": {"posts": "x"}, "name": None}, {"name": "A", "entry": 5}]
)
def test_members_of_another_type_are_no_error(odd):
    found = read_export(json.dumps({"organisations": [odd], "others": {"x": "y"}}), field="/file")
    assert len(found.entries) == 1
    assert found.others == {}


# The archive.


def test_an_archive_says_the_same_as_its_files():
    packed = json.loads(pack(archive(), field="/file"))
    assert packed["others"] == {"locations": 1}
    assert (
        read_export(json.dumps(packed), field="").entries
        == read_export(json.dumps({**EXPORT, "organisations": [GUILD, CULT]}), field="").entries
    )


@pytest.mark.parametrize(
    "sent",
    [b"PK\x03\x04 broken", archive()[:-60], b"\xff\xfe", archive(notes__bad=b"{"),
     archive(notes__large=b'"' + b"x" * FILE_BYTES + b'"'), archive(**{f"x__{n}": b"" for n in range(FILES_MOST)})],
    ids=["broken", "cut", "bytes", "no json", "large", "many"],
)  # fmt: skip
def test_a_bad_archive_is_refused(sent):
    with pytest.raises(InvalidInput) as refused:
        pack(sent, field="/file")
    assert refused.value.field == "/file"


def test_html_becomes_paragraphs_and_scripts_are_dropped():
    assert read_html("<p>a&amp;b</p><script>x</script><p>c<br>d</p>", {}) == "a&b\n\nc\nd"
    assert read_html("[location:9] and [character:1|Mira] and [item:2]", {2: "Sword"}) == "and Mira and Sword"


def test_a_long_text_is_parted_at_paragraphs_and_nothing_is_lost(war):
    text = "\n\n".join(f"Paragraph {number} " + "x" * 300 for number in range(100))
    parts = split_text(text, 5_000)
    assert "\n\n".join(parts) == text
    assert max(map(len, parts)) <= 5_000
    html = "".join(f"<p>{part}</p>" for part in text.split("\n\n"))
    bring(war, {"notes": [{"id": 1, "name": "Long", "entry": html}]})
    assert all(len(note.text) <= TEXT_MAX for note in Note.objects.filter(campaign=war.campaign))
    assert Note.objects.filter(campaign=war.campaign).count() == 2


# Page and API.


def test_the_page_shows_an_archive_and_imports_what_it_showed(client, war):
    client.force_login(war.gm)
    url = f"/c/{war.campaign.pk}/kanka/"
    sent = SimpleUploadedFile("export.zip", archive(), "application/zip")
    page = client.post(url, {"do": "preview", "file": sent})
    assert page.status_code == 200
    assert "Not imported: locations (1)." in page.content.decode()
    asked = {"do": "confirm", "pasted": page.context["text"], "mark": page.context["found"].mark}
    assert client.post(url, asked).status_code == 302
    assert Kingdom.objects.filter(campaign=war.campaign, name="Silver Guild").exists()
    assert client.post(url, {"do": "preview", "pasted": "{}"}).status_code == 422
    assert client.post(url, {"do": "preview"}).status_code == 422


def test_the_tables_page_leads_there(client, war):
    client.force_login(war.gm)
    assert f"/c/{war.campaign.pk}/kanka/" in client.get(f"/c/{war.campaign.pk}/tables/armies/").content.decode()


def test_the_api_proposes_and_confirms(client, war):
    client.force_login(war.gm)
    url, body = f"/api/v1/campaigns/{war.campaign.pk}/kanka/", {"file": json.dumps(EXPORT)}
    found = client.post(url, json.dumps(body), "application/json").json()
    assert (found["new"], found["wrong"]) == (4, 0)
    again = {**body, "confirm": True, "mark": found["mark"]}
    done = client.post(url, json.dumps(again), "application/json")
    assert done.status_code == 200
    assert done.json()["entry"]["text"] == "Imported from Kanka: 4 new, 0 changed."
    assert client.post(url, json.dumps({"file": "{}"}), "application/json").status_code == 400


# Queries.


def world_of(count: int) -> dict[str, list[dict[str, object]]]:
    """As many organisations, characters and texts, each with something to say."""
    return {
        "organisations": [{"id": n, "name": f"House {n}", "entry": f"<p>Salt {n}.</p>"} for n in range(count)],
        "characters": [{"id": n, "name": f"Captain {n}", "entry": f"<p>Of House {n}.</p>",
                        "organisationMemberships": [{"organisation_id": n}]} for n in range(count)],
        "notes": [{"id": n, "name": f"Rumor {n}", "entry": f"<p>It is said {n}.</p>"} for n in range(count)],
    }  # fmt: skip


def queries_of(war, thing) -> tuple[int, int]:
    """Queries of a preview: all but savepoints, and those that read notes, kingdoms or commanders."""
    with CaptureQueriesContext(connection) as asked:
        propose(war, thing)
    found = [one["sql"] for one in asked if "SAVEPOINT" not in one["sql"]]
    return len(found), sum(sql.startswith("SELECT") for sql in found)


def test_an_export_that_is_there_asks_the_same_for_any_number_of_entries(war):
    for count in (10, 40):
        bring(war, world_of(count))
    assert queries_of(war, world_of(10)) == queries_of(war, world_of(40))


def test_each_new_entry_asks_no_more_the_more_there_are(war):
    few, some, many = (queries_of(war, world_of(count))[0] for count in (2, 12, 22))
    assert many - some == some - few
    assert (many - some) / 10 < 40, "a kingdom, a commander and three notes"
