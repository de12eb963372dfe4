"""Terms of the game: explained where they are first met and on the Help page."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.utils.translation import override

from armies.models import Army
from core.text import render
from kingdom.help.terms import COMMON, find_term
from kingdom.templatetags.help import explained, open_term
from rules.registry import RULESETS
from tests.battles.breaking_point.conftest import river  # noqa: F401 - a fixture
from tests.battles.conftest import demonstration  # noqa: F401 - a fixture
from tests.kingdom.conftest import client_of


def terms():
    yield from COMMON.values()
    for law in RULESETS.values():
        yield from law.terms.values()


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "fr"])
def test_help_lists_every_term(client, language):
    with override(language):
        page = client.get("/help/", headers={"accept-language": language}).content.decode()
        assert page.count("<dt>") > len(RULESETS)
        missing = [render(one.name) for one in terms() if f"<dd>{render(one.text)}</dd>" not in unescape(page)]
    assert missing == []


def test_a_term_is_a_disclosure_that_needs_no_script():
    drawn = open_term("om", "pathfinder")
    assert drawn.startswith("<details")
    assert "<summary>OM</summary>" in drawn
    assert "script" not in drawn


def test_what_is_no_term_is_not_explained():
    assert (find_term("pathfinder", "moon"), find_term("nowhere", "om"), open_term("moon")) == (None, None, "")
    assert render(explained("moon", "pathfinder")) == ""


def opened(page: str, id: str) -> str:
    found = re.search(rf'<details class="figure" id="{id}".*?</details>', page, re.DOTALL)
    return found.group() if found else ""


def test_figures_of_an_army_open_to_what_they_mean(demonstration):  # noqa: F811
    army = Army.objects.filter(campaign=demonstration.campaign, status="ready").first()
    client = client_of(demonstration.gm)
    page = client.get(f"/armies/{army.pk}/").content.decode()
    for slug in ("om", "dv", "morale"):
        assert render(find_term("pathfinder", slug).text) in unescape(opened(page, slug)), slug
    assert render(find_term("pathfinder", "acr").text) in unescape(page)
    kingdom = client.get(f"/kingdoms/{army.kingdom_id}/").content.decode()
    assert render(COMMON["bp"].text) in unescape(kingdom)
    assert "<summary>OM</summary>" in kingdom


def test_figures_of_units_open_to_what_they_mean(river):  # noqa: F811
    page = river.as_(river.gm).get(f"/armies/{river.host.pk}/").content.decode()
    for slug in ("power", "force", "combat", "breaking"):
        assert render(find_term("breaking_point", slug).text) in unescape(opened(page, slug)), slug
    assert "<summary>Breaking point</summary>" in page
