"""The battle page on a board: picks in the address, what a choice sends, what is done."""

from __future__ import annotations

import re

import pytest

CHOICE = {"HX-Request": "true", "Field-Choice": "1"}


@pytest.fixture
def ana(client, table):
    client.force_login(table.ana)
    return client


def test_the_page_draws_the_board(ana, board):
    html = ana.get(f"/battles/{board.pk}/").content.decode()
    for layer in ("ground-ford", "layer-choices", "layer-tokens", "layer-over"):
        assert f'id="{layer}"' in html
    assert html.count('class="tok one') == 13
    assert html.count('class="tok two') == 13
    assert "You act" in html
    assert "3 units to act" in html
