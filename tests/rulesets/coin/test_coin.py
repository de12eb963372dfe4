"""A law without numbered dice, played through its pages, and its odds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from django.template.loader import render_to_string

from armies.models import Army
from armies.ruleset_ui import get_army_ui
from battles.default.ui import PlainPayers
from battles.models import Battle
from kingdom.models import Kingdom
from kingdom.models.base import uuid7
from rules.core.odds import AboutOdds
from rules.law import Viewer
from tests.rulesets.coin.driver import DRIVER as coin
from tests.rulesets.coin.law import COIN_LAW, Company, Opening
from tests.rulesets.drivers import table_of
from tests.worlds import built_once


@built_once
def table(db) -> Any:
    return table_of(coin)


def test_a_battle_is_played_through_its_pages(table, client):
    """Set up, called, tossed with a typed coin, settled, and undone."""
    client.force_login(table.gm)
    sides = {"one": "Crown", "armies-one": [table.watch.pk], "two": "Horde", "armies-two": [table.raiders.pk]}
    opened = client.post(f"/c/{table.campaign.pk}/battles/new/", {"name": "The ford", **sides})
    battle = Battle.objects.get()
    page = f"/battles/{battle.pk}/"
    assert opened.headers["Location"] == page

    def send(user: Any, **data: Any) -> str:
        client.force_login(user)
        version = Battle.objects.get(pk=battle.pk).version
        answer = client.post(f"{page}command/", {"version": version, **data}, headers={"HX-Request": "true"})
        assert answer.status_code == 200, answer.content
        return answer.content.decode()

    for _round in range(2):
        send(table.ana, type="order", army=table.watch.pk, call="heads")
        send(table.bo, type="order", army=table.raiders.pk, call="tails")
        assert '<option value="heads">' in send(table.gm, type="toss", how="asked")
        drawn = send(table.gm, type="toss", how="asked", die="coin|toss|2", face="heads")
        assert "heads" in drawn
    assert "Crown is left." in drawn
    assert 'aria-label="Health: ' in drawn
    assert "hit points" not in drawn

    before = Kingdom.objects.get(pk=table.horde.pk).treasury
    version = Battle.objects.get(pk=battle.pk).version
    ransom = {"die": f"{table.raiders.pk}|ransom|2", "face": "tails", "do": "confirm"}
    settled = client.post(f"{page}aftermath/", {"version": version, **ransom})
    assert settled.status_code == 302
    assert Kingdom.objects.get(pk=table.horde.pk).treasury == before - 4
    send(table.gm, type="undo")
    assert Kingdom.objects.get(pk=table.horde.pk).treasury == before


def test_a_call_that_is_no_side_of_a_coin_comes_back_with_its_message(table, client):
    client.force_login(table.gm)
    sides = {"one": "Crown", "armies-one": [table.watch.pk], "two": "Horde", "armies-two": [table.raiders.pk]}
    client.post(f"/c/{table.campaign.pk}/battles/new/", {"name": "The ford", **sides})
    page = f"/battles/{Battle.objects.get().pk}/"
    sent = {"type": "order", "version": 1, "army": table.watch.pk, "call": "edge"}
    refused = client.post(f"{page}command/", sent, headers={"HX-Request": "true"})
    assert refused.status_code == 422
    assert "edge" in refused.content.decode()


def test_a_setup_form_says_who_commands_which_side(table, client):
    """The engine for the horde, left to it; a form that grew or was refused keeps what was chosen."""
    client.force_login(table.gm)
    address = f"/c/{table.campaign.pk}/battles/new/"
    sides = {"one": "Crown", "armies-one": [table.watch.pk], "two": "Horde", "armies-two": [table.raiders.pk]}
    chosen = {"leaning-0": "", "leaning-1": "bold", "left-1": "on"}
    assert 'name="leaning-1"' in client.get(address).content.decode()
    refused = client.post(address, {**sides, **chosen, "name": ""})
    assert refused.status_code == 422
    assert '<option value="bold" selected>' in " ".join(refused.content.decode().split())
    client.post(address, {**sides, **chosen, "name": "The ford"})
    assert Battle.objects.get().opponents == {"1": {"leaning": "bold", "left": True}}


def test_a_setup_without_two_companies_is_refused(table, client):
    client.force_login(table.gm)
    sides = {
        "one": "Crown",
        "armies-one": [table.watch.pk],
        "two": "Horde",
        "armies-two": [table.raiders.pk, table.spare.pk],
    }
    refused = client.post(f"/c/{table.campaign.pk}/battles/new/", {"name": "The ford", **sides})
    assert refused.status_code == 422
    assert "Two companies, one a side." in refused.content.decode()


def test_where_armies_are_many_they_are_searched_for(table, client):
    """A law of plain numbers lists no more than was put on a side and what a search found."""
    client.force_login(table.gm)
    address = f"/c/{table.campaign.pk}/battles/new/"
    rows = [Army(id=uuid7(), campaign=table.campaign, kingdom=table.horde, name=f"Band {n}", health=1, health_max=1)
            for n in range(1, 300)]  # fmt: skip
    Army.objects.bulk_create(rows)
    empty = client.get(address).content.decode()
    assert ("Band 1 " in empty, "Find armies" in empty, len(empty) < 30_000) == (False, True, True)
    typed = {"name": "The ford", "one": "Crown", "armies-one": [table.watch.pk], "two": "Horde"}
    found = client.post(address, {**typed, "add": "find", "find": "band 29"}).content.decode()
    assert (f'value="{rows[28].pk}"' in found, f'value="{rows[27].pk}"' in found) == (True, False)
    assert f'value="{table.watch.pk}" id="id_armies-one_0" checked' in " ".join(found.split())
    assert 'value="The ford"' in found
    many = client.post(address, {**typed, "add": "find", "find": "horde"}).content.decode()
    assert "more armies go by that" in many
    assert "No matching army." in client.post(address, {"add": "find", "find": "nobody"}).content.decode()
    assert client.post(address, {**typed, "armies-two": ["x\0", "7"]}).status_code == 422
    opened = client.post(address, {**typed, "armies-two": [rows[28].pk]})
    assert opened.status_code == 302, opened.content.decode()


def fractions_of(one: int, two: int) -> tuple[Fraction, Fraction, Fraction]:
    """That the one wins, that the other does, that nobody is left: in whole fractions, by the rules of the coin."""
    if one == 0 or two == 0:
        return Fraction(one > 0), Fraction(two > 0), Fraction(one == two == 0)
    ends = [fractions_of(one - a, two - b) for a, b in ((1, 1), (1, 0), (0, 1))]  # nobody loses: thrown again
    return tuple(sum(end[of] for end in ends) / 3 for of in range(3))  # type: ignore[return-value]


@pytest.mark.parametrize("men", [(1, 1), (2, 2), (3, 1), (2, 5)])
def test_its_odds_are_the_exact_ones(men):
    state = COIN_LAW.battle.open(
        Opening(("One", "Two"), (Company("a", "A", "", 9, men[0]), Company("b", "B", "", 9, men[1])))
    )
    told = COIN_LAW.battle.forecast.odds(state, AboutOdds(), Viewer(gm=True))
    found = (*(side.win for side in told.sides), told.mutual)
    assert found == pytest.approx([float(chance) for chance in fractions_of(*men)], abs=1e-12)
    assert sum(found) + told.undecided == pytest.approx(1, abs=1e-12)
    for army in told.armies.values():
        assert sum(chance for _left, chance in army.health) == pytest.approx(1, abs=1e-12)


def test_a_look_that_is_cut_short_says_what_is_undecided():
    state = COIN_LAW.battle.open(Opening(("One", "Two"), (Company("a", "A", "", 2, 2), Company("b", "B", "", 2, 2))))
    told = COIN_LAW.battle.forecast.odds(state, AboutOdds(phases=1), Viewer(gm=True))
    assert (told.undecided, told.mutual) == (1, 0)


def test_a_bar_bears_the_name_its_law_gives_health(table):
    """On a shared kingdom's page, too, which every law's armies are drawn on."""
    told = render_to_string(
        "armies/forces/panels/shared.html", {"armies": [get_army_ui(table.campaign).on_paper(table.watch)]}
    )
    assert 'aria-label="Men: 2 of 2"' in told
    assert "it points" not in told


def test_a_kingdom_pays_for_all_of_its_armies_at_once(table):
    payers = PlainPayers({"a": table.crown, "b": table.horde, "c": table.crown}, "COIN-3")
    paid = payers.changes_of(None, [("a", 2), ("b", 2), ("c", 4)])
    assert [(change.subject, change.before, change.after) for change in paid] == [("Crown", 100, 94), ("Horde", 20, 18)]
