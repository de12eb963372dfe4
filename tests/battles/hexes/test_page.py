"""The battle page on a board: picks in the address, what a choice sends, what is done, what others see of it."""

from __future__ import annotations

import gzip
import re
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from battles.field.look import Look
from battles.opponents.services import set_head
from tests.battles.hexes import sample

HTMX = {"HX-Request": "true"}
LAYERS = ("layer-choices", "layer-tokens", "layer-over")


@pytest.fixture
def ana(client, table):
    client.force_login(table.ana)
    return client


def page(client: Any, battle: Any, headers: dict[str, str] | None = None, **asked: str) -> str:
    answer = client.get(f"/battles/{battle.pk}/", asked, headers=headers or {})
    assert answer.status_code == 200
    return str(answer.content.decode())


def ground_of(html: str) -> str:
    return re.findall(r'id="(ground-[^"]+)"', html)[0]


def test_the_page_draws_the_board(ana, board):
    html = page(ana, board)
    assert [layer for layer in LAYERS if f'id="{layer}"' not in html] == []
    assert (html.count('class="tok one'), html.count('class="tok two')) == (13, 13)
    assert "You act" in html
    assert "3 units to act" in html
    assert html.count('<use href="#ga"') > 100  # bare ground


def test_the_list_of_a_gm_who_plays_both_sides_says_that_it_has_all_units(client, table, board):
    client.force_login(table.gm)
    html = page(client, board, list="own")
    assert ("All units" in html, "Mine" in html) == (True, False)
    client.force_login(table.ana)
    assert "Mine" in page(client, board, list="own")


def test_each_step_is_a_link_that_works_without_scripts(ana, board):
    """HX-10.1."""
    unit = page(ana, board, unit="R2")
    assert '<h2 id="unit-title">' in unit
    step = re.findall(r'href="(\?[^"]*unit=R2&amp;to=L10)"', unit)
    assert len(step) == 1
    target = re.findall(r'class="target" href="(\?[^"]*unit=R2&amp;to=L10&amp;target=[^"]*L2)"', unit)
    assert len(target) == 1
    picked = page(ana, board, unit="R2", to="L10", target="two:L2")
    assert "R2 to L10, charge the Levy" in picked
    assert 'id="go"' in picked
    assert 'class="ghost one"' in picked
    assert 'class="reticle on"' in picked
    assert "72%" in picked


def test_a_unit_that_is_not_ones_own_is_looked_at_and_has_no_way(ana, board):
    html = page(ana, board, unit="two:L1")
    assert "Levy" in re.findall(r'<h2 id="unit-title">(.*?)</h2>', html, re.DOTALL)[0]
    assert 'class="go' not in html
    assert 'id="go"' not in html


@pytest.mark.parametrize(
    "asked", [{"unit": "none"}, {"unit": "<i>x"}, {"hex": "<i>x"}, {"hex": "AA1"}, {"zoom": "<i>x"}]
)
def test_what_is_nowhere_is_not_picked(ana, board, asked):
    html = page(ana, board, **asked)
    assert [part for part in ("place-title", "unit-title", "<i>x") if part in html] == []


def test_a_hex_that_is_picked_says_what_it_is(ana, board):
    html = page(ana, board, hex="G5")
    card = re.findall(r'<section class="sheet place-card".*?</section>', html, re.DOTALL)[0]
    assert [word for word in ("G5", "Hill", "Height 1") if word not in card] == []
    assert '<a href="?hex=H5">' in card
    assert "a fire" in page(ana, board, hex="E5")


def test_a_choice_sends_what_it_changes_and_nothing_else(ana, board):
    html = page(ana, board)
    choice = {**HTMX, "Field-Choice": str(board.version), "Field-Ground": ground_of(html)}
    answer = ana.get(f"/battles/{board.pk}/", {"unit": "R2", "to": "L10"}, headers=choice)
    sent = answer.content.decode()
    assert answer.headers["HX-Push-Url"].endswith("?unit=R2&to=L10")
    assert re.findall(r'<(?:svg|div|section)[^>]*id="([\w-]+)"[^>]*hx-swap-oob="true"', sent) == [
        "layer-choices", "layer-over", "layer-list", "board-panel", "board-foot",
    ]  # fmt: skip
    assert [part for part in ("layer-tokens", "ground-", 'id="battle"', "wings-strip") if part in sent] == []
    assert len(gzip.compress(answer.content)) < 12 * 1024


def test_after_somebody_acted_a_choice_is_answered_with_the_whole_field(ana, board):
    choice = {**HTMX, "Field-Choice": str(board.version - 1)}
    answer = ana.get(f"/battles/{board.pk}/", {"unit": "R2"}, headers=choice)
    assert 'id="battle"' in answer.content.decode()
    assert (answer.headers["HX-Retarget"], answer.headers["HX-Reswap"]) == ("#battle", "outerHTML")


def test_the_ground_is_not_sent_to_who_has_it(ana, board):
    whole = page(ana, board)
    again = page(ana, board, {**HTMX, "Field-Ground": ground_of(whole)})
    assert ground_of(again) == ground_of(whole)
    assert 'class="hexes"' in whole
    assert 'class="hexes"' not in again
    assert "hx-preserve" in again
    assert 'class="hexes"' in page(ana, board, {**HTMX, "Field-Ground": "ground-another"})


def test_what_is_laid_over_the_board_is_kept_in_the_address(ana, board):
    """HX-10.4."""
    html = page(ana, board, layers="coordinates.heights.command", zoom="150")
    assert 'class="coordinates"' in html
    assert 'class="height"' in html
    assert "&amp;layers=coordinates.heights.command" in html
    wide = re.findall(r'class="layer l-ground" viewBox="0 0 (\d+) \d+"[^>]*\swidth="(\d+)"', html)[0]
    assert int(wide[1]) == int(wide[0]) * 150 // 100
    fourth = re.findall(r'href="\?([^"]*layers=[^"]*sight[^"]*)"', html)[0]
    assert "layers=heights.command.sight" in fourth


def test_sight_is_seen_from_the_hex(ana, board):
    html = page(ana, board, layers="sight", hex="C5")
    assert html.count('class="ring ring-0"') == 2  # on the board and in its key


def test_the_same_stands_in_tables(ana, board):
    """HX-10.3."""
    html = page(ana, board, unit="R2", tables="1")
    tables = re.findall(r"<caption>(.*?)</caption>", html)
    assert tables == ["Units", "Hexes within reach", "Targets"]
    assert "K9</a>" in html
    assert "has to stop" in html


def test_a_unit_or_hex_is_found(ana, board):
    html = page(ana, board, find="h8")
    rows = re.findall(r'<ul class="unit-rows">(.*?)</ul>', html, re.DOTALL)
    assert len(rows) == 1
    assert "Trolls" in rows[0]


def test_the_button_carries_out_what_was_chosen(ana, board):
    """HX-10.2."""
    sent = {"type": "chosen", "version": board.version, "unit": "R2", "to": "L10", "target": "", "look-zoom": "150"}
    done = ana.post(f"/battles/{board.pk}/command/", sent, headers=HTMX)
    assert done.status_code == 200
    assert "goes to place 5" in done.content.decode()
    assert done.headers["HX-Replace-Url"].endswith("?zoom=150")
    board.refresh_from_db()
    assert board.version == 2


def test_what_cannot_be_done_any_more_is_refused(ana, board):
    sent = {"type": "chosen", "version": board.version, "unit": "F5"}
    refused = ana.post(f"/battles/{board.pk}/command/", sent, headers=HTMX)
    assert refused.status_code == 422
    assert "This isn’t possible anymore" in refused.content.decode()
    late = ana.post(f"/battles/{board.pk}/command/", {**sent, "unit": "R2", "to": "L10", "version": 0}, headers=HTMX)
    assert late.status_code == 412


def test_nobody_paints_where_the_law_gives_them_no_brush(ana, board):
    sent = {"type": "brush", "version": board.version, "hexes": "C7", "terrain": "wood"}
    assert ana.post(f"/battles/{board.pk}/command/", sent, headers=HTMX).status_code == 403


@pytest.mark.parametrize("where", ["replay/", "order-of-battle/"])
def test_other_pages_draw_the_board_still(ana, board, where):
    html = ana.get(f"/battles/{board.pk}/{where}").content.decode()
    assert 'id="layer-tokens"' in html
    assert html.count('class="tok one') == 13
    assert "layer-choices" not in html
    board_drawn = re.findall(r'<section class="board-box.*?</section>', html, re.DOTALL)[0]
    assert "<a " not in board_drawn


def test_the_small_map_has_an_address_for_good(ana, board, client, table):
    answer = ana.get(f"/battles/{board.pk}/ground/ford.svg")
    assert answer["Content-Type"] == "image/svg+xml"
    assert "immutable" in answer["Cache-Control"]
    old = ana.get(f"/battles/{board.pk}/ground/old.svg")
    assert old["Location"] == f"/battles/{board.pk}/ground/ford.svg"
    client.force_login(table.stranger)
    assert client.get(f"/battles/{board.pk}/ground/ford.svg").status_code == 404


def test_a_large_map_scrolls_and_has_a_small_one(ana, board, monkeypatch):
    land, _many = sample.large()
    monkeypatch.setattr(sample.FordUI, "land", lambda ui, state: (land, "plain"))
    html = page(ana, board)
    assert 'class="minimap"' in html
    assert f"/battles/{board.pk}/ground/plain.svg" in html
    assert 'class="board zoomed"' in html


def test_a_look_asks_its_law_about_names_in_order():
    look = Look(unit="R2", target="L2")
    assert look.selection == ("R2", "", "L2")
    assert replace(look, target="", to="").selection == ("R2",)
    assert replace(look, picked=("stand",)).selection == ("R2", "", "L2", "stand")
    assert Look(picked=("a", "b")).selection == ("a", "b")
    assert look.keeping(("zoom",)).kept == {}
    assert replace(look, kept={"zoom": "150", "other": "x"}).keeping(("zoom",)).query() == "?unit=R2&target=L2&zoom=150"


def test_a_choice_brings_the_key_of_its_rings_and_its_layers(ana, board):
    """They stood as they were before the choice."""
    headers = {**HTMX, "Field-Choice": str(board.version)}
    nothing = ana.get(f"/battles/{board.pk}/", headers=headers).content.decode()
    picked = ana.get(f"/battles/{board.pk}/?unit=R2", headers=headers).content.decode()
    for answer in (nothing, picked):
        assert re.search(r'id="board-key" hx-swap-oob="true"', answer)
        assert re.search(r'id="layer-list" hx-swap-oob="true"', answer)
    count = r'id="layer-count" hx-swap-oob="true">(\d*)<'
    assert "in reach" not in nothing, "nothing is explained that isn't there"
    assert "in reach" in picked
    assert "ring ring-0" not in re.findall(r'<ul class="legend.*?</ul>', nothing, re.DOTALL)[0]
    assert "ring ring-0" in re.findall(r'<ul class="legend.*?</ul>', picked, re.DOTALL)[0]
    assert re.search(count, picked)


def test_the_gm_reads_on_the_board_what_the_engine_plays_and_proposes(ana, board, table):
    gm, page_of = Client(), f"/battles/{board.pk}/"
    gm.force_login(table.gm)
    set_head(by=table.gm, battle_id=board.pk, side=1, leaning="balanced", left=True)
    html = gm.get(page_of).content.decode()
    assert 'id="engine-pause"' in html
    assert "counsel-1" not in html
    assert 'id="engine-pause"' not in ana.get(page_of).content.decode()
    set_head(by=table.gm, battle_id=board.pk, side=1, leaning="balanced")
    html = gm.get(page_of).content.decode()
    assert 'id="counsel-1"' in html
    assert 'id="engine-pause"' not in html
    assert "counsel-1" not in ana.get(page_of).content.decode()


def test_units_are_printed_beside_the_board(ana, board):
    """HX-10.4."""
    html = ana.get(f"/battles/{board.pk}/order-of-battle/").content.decode()
    tables = re.findall(r'<section class="paper-units">.*?</section>', html, re.DOTALL)
    told = " ".join(" ".join(tables).split())
    assert re.search(r"<td><b>R2</b></td> <td>[^<]*Riders[^<]*</td> <td>K13</td>", told), told[:600]
    assert told.count("<td><b>") == html.count('class="tok ') == 26
    assert "Army details" not in html
