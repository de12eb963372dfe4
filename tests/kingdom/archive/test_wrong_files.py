"""A file that is no campaign's is told so in one sentence, whatever it is."""

from __future__ import annotations

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from kingdom.archive.versions import NO_CAMPAIGN_FILE
from kingdom.models import Campaign

pytestmark = pytest.mark.django_db
WRONG = {
    "empty": b"",
    "a picture": b"\x89PNG\r\n\x1a\n",
    "a list": b"[1, 2]",
    "nothing": b"{}",
    "another program's": json.dumps({"a": 1, "format": "something"}).encode(),
    "another file of ours": json.dumps({"format": "warhost-hexmap", "version": 1}).encode(),
}


@pytest.mark.parametrize("content", WRONG.values(), ids=WRONG)
def test_a_file_that_is_no_campaign_says_so_without_a_pointer(client, django_user_model, content):
    client.force_login(django_user_model.objects.create_user("ana"))
    file = SimpleUploadedFile("campaign.json", content)
    answer = client.post(reverse("kingdom:campaign_import"), {"file": file}, follow=True)
    page = answer.content.decode()
    assert str(NO_CAMPAIGN_FILE) in page
    assert f": {NO_CAMPAIGN_FILE}" not in page
    assert not Campaign.objects.exists()


def test_a_broken_campaign_file_still_says_where(client, django_user_model):
    client.force_login(django_user_model.objects.create_user("ana"))
    file = SimpleUploadedFile("campaign.json", b'{"format": "warhost-campaign",\n;')
    answer = client.post(reverse("kingdom:campaign_import"), {"file": file}, follow=True)
    assert "Invalid JSON at line 2" in answer.content.decode()
