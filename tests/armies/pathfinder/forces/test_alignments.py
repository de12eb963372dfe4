"""Alignments are read in the reader's language; what is kept, and what the API says, stays."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from django.utils.translation import override

from core.text import render
from kingdom.models import Kingdom
from kingdom.realms.services import update_kingdom
from rules.pathfinder.rulebook import ALIGNMENTS
from tests.armies.conftest import war  # noqa: F401 - a fixture
from tests.kingdom.conftest import api_of, client_of

FRENCH = {"LG": "LB", "NG": "NB", "CG": "CB", "LN": "LN", "N": "N", "CN": "CN", "LE": "LM", "NE": "NM", "CE": "CM"}


def test_every_alignment_is_said_in_french():
    with override("fr"):
        assert {str(one): render(one) for one in ALIGNMENTS} == FRENCH


@pytest.mark.django_db
def test_whoever_reads_french_sees_them_so_wherever_they_stand(war):  # noqa: F811
    update_kingdom(by=war.gm, kingdom=war.crown, alignment="CE")
    french = client_of(war.gm, **{"accept-language": "fr"})
    page = french.get(reverse("kingdom:kingdom", args=[war.crown.pk])).content.decode()
    assert "· CM" in page
    form = french.get(reverse("kingdom:kingdom_edit", args=[war.crown.pk])).content.decode()
    assert '<option value="CE" selected>CM</option>' in form
    army = french.get(reverse("armies:army", args=[war.raiders.pk])).content.decode()
    assert "<dt>Alignement</dt><dd>CM</dd>" in army
    raising = french.get(reverse("armies:army_new", args=[war.crown.pk])).content.decode()
    assert '<option value="LE">LM</option>' in raising
    told = french.get(reverse("kingdom:chronicle", args=[war.campaign.pk])).content.decode()
    assert "CM" in told
    assert not re.search(r"\bCE\b", told)  # as a word: a random token may contain the letters


@pytest.mark.django_db
def test_what_is_kept_and_sent_stays(war):  # noqa: F811
    update_kingdom(by=war.gm, kingdom=war.crown, alignment="CE")
    assert Kingdom.objects.get(pk=war.crown.pk).alignment == "CE"
    told = api_of(war.gm).get(f"/api/v1/kingdoms/{war.crown.pk}/", headers={"Accept-Language": "fr"})
    assert told.json()["alignment"] == "CE"
