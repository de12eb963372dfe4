"""Pictures travel with their campaign, and no document brings in what no upload could."""

from __future__ import annotations

import base64

import pytest

from core.images import digest_of
from kingdom.chronicle.services import undo_last
from kingdom.models import Campaign, Kingdom, Picture
from kingdom.pictures.queries import list_visible_pictures
from kingdom.pictures.services import save_picture
from rules.core.errors import InvalidInput
from tests.kingdom.archive.journeys import bring_in, taken_along
from tests.pictures_sent import make_picture

pytestmark = pytest.mark.django_db


@pytest.fixture
def document(war):
    for color in ("red", "blue"):
        save_picture(by=war.gm, campaign=war.campaign, kind="kingdom", key=str(war.crown.pk),
                     sent=make_picture(color=color))  # fmt: skip
    save_picture(by=war.gm, campaign=war.campaign, kind="unit", key="orc-warriors", sent=make_picture())
    return taken_along(war.campaign)


def test_pictures_come_along_with_what_undo_needs(war, document):
    there = Campaign.objects.get(pk=bring_in(war.gm, document).campaign.pk)
    crown = Kingdom.objects.get(campaign=there, name=war.crown.name)
    old, new, unit = Picture.objects.filter(campaign=there)
    found = {(one.kind, one.key): one.digest for one in list_visible_pictures(war.gm, there)}
    assert found == {("kingdom", str(crown.pk)): new.digest, ("unit", "orc-warriors"): unit.digest}
    for _deed in range(2):
        undo_last(by=war.gm, campaign=there)
    assert [one.digest for one in list_visible_pictures(war.gm, there)] == [old.digest]


def told(content: bytes) -> dict:
    return {"content": base64.b64encode(content).decode(), "digest": digest_of(content)}


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (told(b"<svg onload=alert(1)>"), "content"),
        (told(make_picture("PNG")), "content"),
        (told(make_picture("WEBP", 600, 600)), "content"),
        (told(make_picture("WEBP", xmp=b"<x/>")), "content"),
        ({"digest": "0" * 64}, "digest"),
        ({"digest": "../../etc/passwd"}, "digest"),
        ({"width": 9}, "digest"),
        ({"kind": "battle"}, "kind"),
        ({"slug": "orc warriors/"}, "slug"),
        ({"kind": "kingdom"}, "slug"),
    ],
)
def test_a_document_with_another_picture_is_refused(war, document, change, where):
    document["tables"]["pictures"][2] |= change
    with pytest.raises(InvalidInput) as refused:
        bring_in(war.gm, document)
    assert refused.value.field == f"/tables/pictures/2/{where}"


def test_two_pictures_shown_at_once_are_refused(war, document):
    document["tables"]["pictures"][0]["shown"] = True
    with pytest.raises(InvalidInput):
        bring_in(war.gm, document)
    assert Campaign.objects.count() == 1
