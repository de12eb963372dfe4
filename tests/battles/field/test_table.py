"""A battle's page: which army lies on the desk, what was decided last, whom the table waits for."""

from __future__ import annotations

import pytest
from django.urls import reverse

from battles.field.table import format_names, in_short
from battles.models import Battle
from battles.pathfinder.field.cards import build_stance
from battles.play.battle_state import load_state
from battles.play.services import undo
from battles.setup.services import open_battle
from rules.core.text import Term
from rules.law import Stage
from rules.pathfinder.battle.orders.commands import GiveOrder, Next, Override, Resolve
from rules.pathfinder.battle.state.battle_state import Order
from tests.battles.conftest import RAIDER, SPEARMAN, muster, open_ford
from tests.battles.field.test_pages import as_, now, page_of, play, seen_by, send, text
from tests.everyday import at_most
from tests.worlds import built_once


@built_once
def four(table) -> Battle:
    """Two against two, before the first blows of the melee."""
    table.bows = muster(table.gm, table.crown, "Boatmen", SPEARMAN, 500, commander="Tom")
    table.trolls = muster(table.gm, table.horde, "Trolls", RAIDER, 400, commander="Ugg")
    sides = [
        {"name": "Crown", "armies": [str(table.watch.pk), str(table.bows.pk)]},
        {"name": "Horde", "armies": [str(table.raiders.pk), str(table.trolls.pk)]},
    ]
    battle = open_battle(by=table.gm, campaign=table.campaign, name="The ford", sides=sides)
    play(table, battle, Next(), Resolve(), Resolve())
    return battle


def picked(response) -> str:
    return response.context["card"].name


# Which army lies on the desk


def test_the_first_of_ones_own_armies_without_orders_lies_on_the_desk(table, four):
    assert picked(page_of(table.ana, four)) == "Ironwatch"
    assert picked(page_of(table.bo, four)) == "Raiders"
    play(table, four, GiveOrder(Order(str(table.watch.pk))))
    assert picked(page_of(table.ana, four)) == "Boatmen"
    play(table, four, GiveOrder(Order(str(table.bows.pk))))
    assert picked(page_of(table.ana, four)) == "Ironwatch"
    assert page_of(table.viewer, four).context["card"] is None


def test_every_row_is_a_link_that_picks_its_army(table, four):
    page = page_of(table.ana, four, f"?army={table.trolls.pk}")
    assert (picked(page), page.context["card"].form) == ("Trolls", None)
    assert f'href="{reverse("battles:battle", args=[four.pk])}?army={table.bows.pk}#desk"' in text(page)
    own = page_of(table.ana, four, f"?army={table.bows.pk}")
    assert own.context["card"].form.concerns == str(table.bows.pk)
    assert text(own).count('class="order-form') == 1


def test_where_the_picked_army_takes_no_orders_the_foot_leads_to_the_one_that_waits_for_them(table, four):
    assert 'id="onward"' not in text(page_of(table.ana, four))
    for other in at_most((table.trolls.pk,), full=(table.trolls.pk, table.raiders.pk)):
        page = text(page_of(table.ana, four, f"?army={other}"))
        assert f'id="onward" href="/battles/{four.pk}/?army={table.watch.pk}#desk"' in page
    assert 'id="onward"' not in text(page_of(table.gm, four, f"?army={table.trolls.pk}"))
    assert 'id="onward"' not in text(page_of(table.viewer, four))
    play(table, four, GiveOrder(Order(str(table.watch.pk))), GiveOrder(Order(str(table.bows.pk))))
    assert 'id="onward"' not in text(page_of(table.ana, four, f"?army={table.trolls.pk}"))


def test_after_an_order_the_next_army_without_one_is_picked(table, four):
    sent = send(table.gm, four, type="order", army=table.bows.pk)
    assert sent.url.endswith(f"?army={table.raiders.pk}#orders-{table.raiders.pk}")
    play(table, four, GiveOrder(Order(str(table.raiders.pk))), GiveOrder(Order(str(table.watch.pk))))
    last = send(table.gm, four, htmx=True, type="order", army=table.trolls.pk)
    assert picked(last) == "Trolls"  # nobody is left without
    assert last["HX-Replace-Url"].endswith(f"?army={table.trolls.pk}")
    assert last.context["page"].orders_in.given == 4


def test_after_a_phase_the_work_begins_with_the_first(table, four):
    resolved = send(table.gm, four, htmx=True, type="resolve", how="rolled", army=table.trolls.pk)
    assert picked(resolved) == "Ironwatch"
    assert resolved.context["focus"] == "verdict"


def test_a_refused_order_stays_where_it_was_written(table, four):
    refused = send(table.gm, four, htmx=True, type="order", army=table.trolls.pk, strategy="heroic")
    assert (refused.status_code, picked(refused)) == (422, "Trolls")
    assert refused.context["card"].form.errors["strategy"]


# What was decided last


def test_the_strip_tells_what_became_of_every_army(table, four):
    play(table, four, Override(str(table.watch.pk), "dv", 50, "Behind walls"), Resolve())
    strip = seen_by(table.bo, four).strip
    told = {line.name: line for line in strip.lines}
    assert list(told) == ["Ironwatch", "Boatmen", "Raiders", "Trolls"]
    assert (told["Ironwatch"].lost, str(told["Ironwatch"].word)) == (0, "held")
    assert told["Raiders"].lost == load_state(now(four)).armies[str(table.raiders.pk)].last_loss > 0
    assert str(told["Trolls"].word) == "untouched"
    assert [str(sentence).partition(" ")[0].rstrip(":") for _army, sentence in strip.own] == ["Raiders", "Trolls"]
    assert seen_by(table.viewer, four).strip.own == seen_by(table.gm, four).strip.own == ()


def test_where_nothing_could_happen_the_strip_says_only_that_the_battle_has_begun(table):
    ford = open_ford(table)
    play(table, ford, Next())
    shown = seen_by(table.ana, ford)
    assert (shown.strip.lines, shown.strip.own, str(shown.news)) == ((), (), "The battle has begun")
    play(table, ford, Resolve())
    after = seen_by(table.ana, ford).strip
    assert (after.lines, after.own, after.spoken) == ((), (), "Tactics resolved.")


def test_a_blow_that_missed_says_by_how_much(table, four):
    play(table, four, Override(str(table.watch.pk), "dv", 50, "Behind walls"))
    play(table, four, GiveOrder(Order(str(table.trolls.pk), target=None)), Resolve())
    line = next(line for line in seen_by(table.ana, four).strip.lines if line.name == "Ironwatch")
    dv, om = (seen_by(table.gm, four).cards[index].figures for index in (0, 2))
    short = dv[1].value - om[0].value - 13  # the raiders threw 13
    assert str(line.text) == f"Raiders missed by {short}"
    (sentence, _) = (sentence for _army, sentence in seen_by(table.ana, four).strip.own)
    assert str(sentence) == f"Ironwatch held: Raiders missed by {short}."


def test_orders_do_not_push_the_news_away_and_undo_takes_it_back(table, four):
    before = seen_by(table.gm, four).strip
    play(table, four, Resolve())
    fresh = seen_by(table.gm, four)
    assert (str(fresh.strip.title), fresh.strip.fresh, str(fresh.undo_label)) == ("Melee 1", True, "Undo Melee 1")
    assert fresh.title == "Melee 1 resolved · The ford"
    assert fresh.spoken.startswith("Melee 1: ")
    french = text(as_(table.gm).get(reverse("battles:battle", args=[four.pk]), headers={"Accept-Language": "fr"}))
    assert "Corps à corps 1\N{NO-BREAK SPACE}: " in french
    play(table, four, GiveOrder(Order(str(table.watch.pk))))
    after = seen_by(table.gm, four)
    assert (str(after.strip.title), after.strip.fresh, str(after.undo_label)) == (
        "Melee 1",
        False,
        "Undo Ironwatch’s orders",
    )
    for _command in range(2):
        undo(by=table.gm, battle_id=four.pk, version=now(four).version)
    assert page_of(table.gm, four).context["page"].strip == before


def test_who_leaves_the_field_is_told_by_what_became_of_him(table, four):
    trolls = str(table.trolls.pk)
    weak = Override(trolls, "hp", 1, "A flood"), Override(trolls, "dv", -50, "Mud")
    play(table, four, *weak, GiveOrder(Order(str(table.bows.pk), target=trolls)), Resolve())
    while load_state(now(four)).armies[trolls].status == "fighting":  # ferocity has them stand once more
        play(table, four, Resolve())
    line = next(line for line in seen_by(table.ana, four).strip.lines if line.name == "Trolls")
    assert (line.gone, str(line.word)) == (True, load_state(now(four)).armies[trolls].status)
    assert str(seen_by(table.bo, four).strip.own[-1][1]) == f"Trolls: {line.word}."


def test_before_anything_was_decided_there_is_no_strip(table):
    sides = [{"name": n, "armies": [str(a.pk)]} for n, a in (("Crown", table.watch), ("Horde", table.raiders))]
    battle = open_battle(by=table.gm, campaign=table.campaign, name="The ford", sides=sides)
    page = page_of(table.gm, battle)
    assert page.context["page"].strip is None
    assert 'id="verdict"' not in text(page)
    assert page.context["page"].title == "The ford"


# Rows, rail, foot


def test_a_row_says_what_is_ordered_to_whoever_commands_it_only(table, four):
    order = Order(str(table.raiders.pk), strategy="reckless", target=str(table.bows.pk))
    play(table, four, GiveOrder(order))
    state = load_state(now(four))
    own = build_stance(state, state.armies[order.army], commanded=True)
    others = build_stance(state, state.armies[order.army], commanded=False)
    assert (str(own.aim), own.steps) == ("Reckless → Boatmen", (4, 5))
    assert others.steps == (2, 5)
    seen_by_ana = {card.name: card for card in seen_by(table.ana, four).cards}["Raiders"]
    assert (seen_by_ana.ready, seen_by_ana.steps) == ("in", (2, 5))


def test_the_gms_tools_lie_on_the_rail_when_asked_for(table, four):
    assert 'id="do-end"' not in text(page_of(table.gm, four))
    tools = page_of(table.gm, four, "?rail=tools")
    assert 'id="do-end"' in text(tools)
    assert 'role="log"' not in text(tools)
    assert 'id="do-end"' not in text(page_of(table.ana, four, "?rail=tools"))
    refused = send(table.gm, four, type="end", reason="")
    assert (refused.status_code, refused.context["page"].rail) == (422, "tools")
    kept = send(table.gm, four, type="override", rail="tools", army=table.watch.pk, field="hp", value="9", reason="x")
    assert kept.url.endswith("?rail=tools#tray")


def test_a_page_of_a_battle_asks_little_of_the_database(table, four, django_assert_max_num_queries):
    client, address = as_(table.gm), reverse("battles:battle", args=[four.pk])
    client.get(address)
    with django_assert_max_num_queries(10):
        client.get(address)


def test_of_many_names_the_first_are_said():
    assert format_names(["A", "B", "C"]) == "A, B, C"
    assert format_names(["A", "B", "C", "D"]) == "A, B and 2 more"


@pytest.mark.parametrize("melees", [1, 30])
def test_the_line_of_phases_never_grows_long(melees):
    done = [(Stage("ranged", 1, Term("Ranged")), "done")]
    done += [(Stage("melee", number, Term("Melee {number}")), "done") for number in range(1, melees + 1)]
    told = in_short([*done, (Stage("aftermath", 1, Term("Aftermath")), "to come")])
    assert len(told) <= 5
    assert [short for _stage, _when, short in told] == (["", "", ""] if melees == 1 else ["", "28", "29", "30", ""])
