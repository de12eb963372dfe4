"""`manage.py exportcampaign` and `importcampaign`: for whoever runs the server, people included."""

from __future__ import annotations

import gzip
import io
import json
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from kingdom.models import Campaign, ChronicleEntry
from kingdom.realms.treasury_services import record_entry
from tests.kingdom.archive.journeys import but_for_ids, differences, taken_along

pytestmark = pytest.mark.django_db


def run(*words: str) -> str:
    out = io.StringIO()
    call_command(*words, stdout=out, stderr=out)
    return out.getvalue()


def test_a_campaign_goes_to_a_file_and_comes_back_with_its_people(table, tmp_path):
    record_entry(by=table.ana, kingdom=table.crown, amount=3, reason="Found")
    file = tmp_path / "marches.json"
    run("exportcampaign", str(table.campaign.pk), str(file), "--members")
    assert [path.name for path in tmp_path.iterdir()] == ["marches.json"]
    told = run("importcampaign", str(file), "--gm", "gm", "--members")
    there = Campaign.objects.get(pk=told.split()[0])
    before = json.loads(file.read_text())
    after = taken_along(there, named=True)
    assert {one["name"] for one in after["people"]} == {"gm", "ana", "bo", "viewer"}
    assert sorted(one.user.username for one in there.memberships.all()) == ["ana", "bo", "gm", "viewer"]
    assert ChronicleEntry.objects.filter(campaign=there).order_by("-seq")[0].by == table.ana
    for document in (before, after):
        document["tables"]["members"].sort(key=lambda row: row["user"])
        for row in document["tables"]["members"]:
            row["id"] = ""
    assert differences(but_for_ids(after), but_for_ids(before)) == []


def test_without_an_id_every_campaign_is_listed(table):
    assert f"{table.campaign.pk}  {table.campaign.name}" in run("exportcampaign")


def test_it_writes_to_standard_output_and_reads_what_is_packed(table, capfdbinary, tmp_path):
    run("exportcampaign", str(table.campaign.pk))
    file = tmp_path / "packed.gz"
    file.write_bytes(gzip.compress(capfdbinary.readouterr().out))
    run("importcampaign", str(file), "--gm", "stranger")
    assert Campaign.objects.filter(memberships__user=table.stranger).count() == 1


@pytest.mark.parametrize(("words", "said"), [
    (("exportcampaign", str(uuid4()), "-"), "no such campaign"),
    (("importcampaign", "/nowhere/at/all.json", "--gm", "gm"), "cannot be read"),
    (("importcampaign", "/dev/null", "--gm", "nobody"), "Nobody here is called nobody"),
    (("importcampaign", "/dev/null", "--gm", "gm"), "Nothing was brought in"),
])  # fmt: skip
def test_what_cannot_be_done_is_said(table, words, said):
    with pytest.raises(CommandError, match=said):
        run(*words)


def test_a_file_that_cannot_be_written_leaves_what_was_there(table, tmp_path):
    (tmp_path / "there").mkdir()
    with pytest.raises(CommandError, match="cannot be written"):
        run("exportcampaign", str(table.campaign.pk), str(tmp_path / "there"))
    assert [path.name for path in tmp_path.iterdir()] == ["there"]
