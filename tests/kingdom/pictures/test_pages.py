"""Pages and API of pictures: upload, show, remove, and what a browser may keep."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from kingdom.models import Picture
from kingdom.pictures.services import save_picture
from tests.kingdom.conftest import api_of, client_of
from tests.pictures_sent import make_picture

pytestmark = pytest.mark.django_db


def upload(name="portrait.png", sent=None):
    return SimpleUploadedFile(name, make_picture() if sent is None else sent, "image/png")


def form_of(war, kind, key):
    return reverse("kingdom:picture", args=[war.campaign.pk, kind, str(key)])


@pytest.mark.parametrize("kind", ["army", "commander", "kingdom"])
def test_a_picture_is_uploaded_shown_and_removed(war, kind):
    thing = {"army": war.levy, "commander": war.vell, "kingdom": war.crown}[kind]
    ana, address = client_of(war.ana), form_of(war, kind, thing.pk)
    page = reverse({"kingdom": "kingdom:kingdom"}.get(kind, f"armies:{kind}"), args=[thing.pk])
    assert ana.post(address, {"file": upload()}).headers["Location"] == page
    url = reverse("kingdom:picture_file", args=[war.campaign.pk, kind, str(thing.pk), Picture.objects.get().digest])
    shown = ana.get(page).content.decode()
    assert f'src="{url}"' in shown
    assert 'loading="lazy"' in shown
    assert thing.name in shown.partition(url)[2].partition(">")[0]
    assert url in ana.get(address).content.decode()
    ana.post(address, {"remove": "1"})
    assert url not in ana.get(page).content.decode()
    assert ana.get(url).status_code == 404


def test_the_file_is_kept_for_good_and_only_for_its_reader(war):
    row = save_picture(by=war.ana, campaign=war.campaign, kind="commander", key=str(war.vell.pk), sent=make_picture())
    url = reverse("kingdom:picture_file", args=[war.campaign.pk, "commander", row.key, row.digest])
    answer = client_of(war.ana).get(url)
    assert (answer.headers["Content-Type"], answer.content) == ("image/webp", bytes(row.content))
    assert answer.headers["Cache-Control"] == "private, max-age=31536000, immutable"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert client_of(war.bo).get(url).status_code == client_of(war.stranger).get(url).status_code == 404
    assert client_of(war.ana).get(url.replace(row.digest, "0" * 64)).status_code == 404


def test_a_refused_file_is_told_beside_its_field(war):
    answer = client_of(war.ana).post(form_of(war, "kingdom", war.crown.pk), {"file": upload(sent=b"<svg/>")})
    assert answer.status_code == 422
    assert "Choose a JPEG, PNG or WebP picture." in answer.content.decode()
    assert client_of(war.ana).post(form_of(war, "kingdom", war.crown.pk)).status_code == 422


def test_where_there_is_no_picture_a_drawing_stands(war):
    ana = client_of(war.ana)
    drawn = {
        reverse("armies:commander", args=[war.vell.pk]): "commander",
        reverse("armies:army", args=[war.levy.pk]): "foot",
        reverse("armies:unit_types", args=[war.campaign.pk]) + "?q=wolf": "rider",
    }
    for page, symbol in drawn.items():
        assert f"portraits.svg#{symbol}" in ana.get(page).content.decode()
    assert "portraits" not in ana.get(reverse("kingdom:kingdom", args=[war.crown.pk])).content.decode()


def test_an_army_shows_the_picture_of_its_unit_type_until_it_has_its_own(war):
    page, ana = reverse("armies:army", args=[war.levy.pk]), client_of(war.ana)
    type(war.levy).objects.filter(pk=war.levy.pk).update(sheet={**war.levy.sheet, "unit": {
        **war.levy.unit, "name": "Orc warriors"}})  # fmt: skip
    given = {"by": war.gm, "campaign": war.campaign}
    unit = save_picture(**given, kind="unit", key="orc-warriors", sent=make_picture(color="green"))
    cards = reverse("armies:cards", args=[war.crown.pk])
    assert unit.digest in ana.get(page).content.decode()
    assert unit.digest in ana.get(cards).content.decode()
    assert unit.digest in ana.get(reverse("armies:unit_types", args=[war.campaign.pk]) + "?q=orc").content.decode()
    own = save_picture(**given, kind="army", key=str(war.levy.pk), sent=make_picture(color="red"))
    assert own.digest in ana.get(page).content.decode()
    assert unit.digest not in ana.get(page).content.decode()


def test_pictures_by_program(war):
    address = f"/api/v1/campaigns/{war.campaign.pk}/pictures/"
    one, ana, bo = f"{address}commander/{war.vell.pk}/", api_of(war.ana), api_of(war.bo)
    assert ana.get(one).status_code == 404
    answer = ana.put(one, {"file": upload()}, format="multipart")
    assert answer.status_code == 200, answer.data
    assert (answer.data["kind"], answer.data["width"]) == ("commander", 64)
    assert ana.get(one).headers["Content-Type"] == "image/webp"
    assert ana.get(answer.data["file"].replace("http://testserver", "")).content == ana.get(one).content
    assert [row["key"] for row in ana.get(address).json()["results"]] == [str(war.vell.pk)]
    assert bo.get(address).json()["results"] == []
    assert bo.get(one).status_code == bo.delete(one).status_code == 404
    assert bo.put(one, {"file": upload()}, format="multipart").status_code == 404
    assert api_of(war.viewer).delete(one).status_code == 403
    for body, words in (({"file": upload(sent=b"GIF89a")}, "JPEG, PNG or WebP"), ({}, ""), ({"files": upload()}, "")):
        refused = ana.put(one, body, format="multipart")
        assert refused.status_code == 400
        assert words in str(refused.json())
    assert ana.delete(one).status_code == 204
    assert ana.get(one).status_code == 404
