"""Marks of the codex: what the document says, what a ruling decides, what was reconstructed, under any ruleset."""

from __future__ import annotations

import pytest

from kingdom.campaign.services import create_campaign
from tests.kingdom.conftest import make_user
from tests.rulesets.browsing import Reader

pytestmark = pytest.mark.django_db


def codex_of(ruleset: str) -> tuple[Reader, str]:
    gm = make_user("gm")
    campaign = create_campaign(by=gm, name="Marches", ruleset=ruleset)
    return Reader(gm), f"/c/{campaign.pk}/codex/"


def test_each_entry_bears_its_mark(client):
    reader, address = codex_of("wing-command")
    page = reader.client.get(address).context["page"]
    assert {str(mark.slug) for mark in page.marks} == {"document", "ruling", "reconstruction"}
    assert sum(mark.found for mark in page.marks) == page.found
    engaged = reader.client.get(address, {"q": "WC-1.6"})
    assert "Ruling" in engaged.content.decode().partition('class="entries"')[2]


def test_entries_are_filtered_by_mark():
    reader, address = codex_of("wing-command")
    everything = reader.client.get(address).context["page"]
    for mark in everything.marks:
        page = reader.client.get(address, {"mark": mark.slug}).context["page"]
        assert page.found == mark.found, mark.slug
        assert {entry.mark for _label, entries in page.groups for entry in entries} == {mark.slug}
    both = reader.client.get(address, {"mark": "reconstruction", "kind": "troops", "q": "riders"}).context["page"]
    assert [entry.slug for _label, entries in both.groups for entry in entries] == ["riders"]
    assert reader.client.get(address, {"mark": "rumour"}).context["page"].found == everything.found


def test_a_ruleset_that_marks_nothing_offers_no_filter():
    reader, address = codex_of("breaking-point")
    answer = reader.client.get(address)
    assert answer.context["page"].marks == ()
    assert 'name="mark"' not in answer.content.decode()


def test_the_note_beside_a_figure_tells_it_too():
    reader, _address = codex_of("wing-command")
    assert "Ruling" in reader.read("/rules/WC-1.6/")


def test_marks_are_french_in_french():
    _reader, address = codex_of("wing-command")
    from kingdom.models import User

    french = Reader(User.objects.get(username="gm"), "fr").read(address)
    assert "Reconstitution" in french
    assert "Reconstruction" not in french


def test_programs_read_and_filter_them(client):
    url = "/api/v1/rules/wing-command/?kind=rules"
    rules = client.get(url).json()["rules"]
    assert {rule["slug"]: rule["mark"] for rule in rules}["WC-1.6"] == "ruling"
    only = client.get(f"{url}&mark=ruling").json()["rules"]
    assert {rule["mark"] for rule in only} == {"ruling"}
    assert len(only) < len(rules)
    refused = client.get(f"{url}&mark=rumour")
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, "/mark")
    plain = client.get("/api/v1/rules/breaking-point/?kind=qualities").json()["qualities"]
    assert all("mark" not in item for item in plain)
