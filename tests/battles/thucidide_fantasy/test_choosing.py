"""A tap on what a leader can't choose says why, and what was chosen stays (T-20)."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest

from battles.models import Battle
from tests.kingdom.conftest import client_of
from tests.rulesets.browsing import plain
from tests.rulesets.thucidide_fantasy import hosts
from tests.worlds import built_once

CHIEF, NEAR, FAR = "Chief Realm", "Pikes", "Heavy foot 1"


@built_once
def begun(table) -> Battle:
    """In the command phase of the realm; one unit of it stands far from the leader."""
    battle = hosts.begun(table)
    hosts.move(table, battle, FAR, "A1")
    return Battle.objects.get(pk=battle.pk)


@pytest.fixture
def read(table, begun):
    client, address = client_of(table.ana), f"/battles/{begun.pk}/"

    def page(query: str = "", **asked: Any) -> str:
        answer = client.get(f"{address}{query}", asked or None)
        assert answer.status_code == 200
        return str(answer.content.decode())

    return page


def foot(markup: str) -> str:
    return plain(markup[markup.index('id="board-foot"') : markup.index("</section>", markup.index('id="board-foot"'))])


def over(markup: str, hex_: str) -> list[str]:
    """Links over a hex that choose something, or say why not."""
    layer = markup.partition('id="layer-over"')[2].partition("</svg>")[0]
    found = re.findall(r'<a class="target"[^>]*href="([^"]*)"[^>]*data-hex="([A-Z0-9]+)"', layer)
    return [unescape(link) for link, at in found if at == hex_]


def test_a_unit_out_of_range_says_so_and_the_others_stay_chosen(begun, read):
    chief, near = hosts.unit(begun, CHIEF), hosts.unit(begun, NEAR)
    picked = read(unit=chief, pick=f"with:{near}")
    assert "activates Pikes" in foot(picked)
    (link,) = over(picked, "A1")
    told = read(link)
    assert re.search(r"Heavy foot 1.* (hex|range)", foot(told)), foot(told)
    assert "activates Pikes" in foot(told)
    assert re.search(r'id="place-title">\s*A1', told)


def test_bare_ground_says_that_it_can_not_be_chosen(begun, read):
    chief, near = hosts.unit(begun, CHIEF), hosts.unit(begun, NEAR)
    picked = read(unit=chief, pick=f"with:{near}")
    ground = unescape(re.findall(r'href="([^"]*hex=D4)"', picked)[0])
    told = foot(read(ground))
    assert "D4 can’t be chosen now. What you have chosen stays." in told
    assert "activates Pikes" in told
    assert "can’t be chosen" not in foot(read(hex="D4")), "nobody chooses"
