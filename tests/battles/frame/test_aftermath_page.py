"""The aftermath's page under every law: what is changed stands in its kingdom, with its dice, and undoing is told."""

from __future__ import annotations

from typing import Any

from battles.models import Battle
from battles.play.battle_state import get_law
from battles.ruleset_ui import get_battle_ui
from tests.battles.frame.test_world import settle


def read(client: Any, user: Any, battle: Battle) -> Any:
    client.force_login(user)
    return client.get(f"/battles/{battle.pk}/aftermath/")


def test_what_it_would_do_stands_in_its_kingdom_and_its_figures_join_up(over, table, client):
    told = read(client, table.gm, over.battle).context["reckoning"]
    assert [realm.name for realm in told.realms] == ["Crown", "Horde"]
    assert {realm.fate for realm in told.realms} == {"won", "lost"}
    horde = told.realms[1]
    shifts = [shift for told in (horde, *horde.deeds) for shift in told.news.shifts if shift.number]
    assert shifts
    assert all(shift.before + sum(cause.by for cause in shift.causes) == shift.after for shift in shifts)
    assert not told.others


def test_every_die_of_it_stands_where_it_belongs(over, table, client, driver):
    """Told by a remark, or by its own name: none is lost."""
    settle(over, table, driver)
    page = read(client, table.gm, over.battle)
    done = page.context["page"].done
    assert len(done.dice) == len(driver.aftermath_dice(table))
    shown = [
        roll
        for realm in done.realms
        for deed in realm.deeds
        for roll in (
            *(roll for told in deed.news.told + deed.news.moments for roll, _face in told.dice),
            *(roll for _name, roll, _face in deed.news.dice),
        )
    ]
    assert sorted(shown) == sorted(roll for roll, _face in done.dice)
    sides = get_law(over.battle).battle.die_sides
    body = page.content.decode()
    for roll, face in done.dice:
        assert str(face) == (str(sides[roll.name][roll.value - 1].name) if roll.name in sides else str(roll.value))
        assert f">{face}<" in body


def test_a_reader_is_told_what_it_did_to_his_own(over, table, client, driver):
    settle(over, table, driver)
    for who, seen in (("gm", True), ("viewer", True), ("ana", False), ("bo", True)):
        done = read(client, getattr(table, who), over.battle).context["page"].done
        assert any(realm.name == "Horde" for realm in done.realms) is seen, who


def test_undoing_is_foretold_to_the_gm(over, table, client, driver):
    for settled in (False, True):
        if settled:
            settle(over, table, driver)
        body = read(client, table.gm, over.battle).content.decode().split('aria-labelledby="sealed"')[1]
        back, _sep, _kept = body.partition("It keeps")
        assert driver.hurt in back
    assert "sealed" not in read(client, table.ana, over.battle).content.decode()


def test_a_face_says_which_figure_health_is(over):
    assert get_battle_ui(get_law(over.battle)).health_field
