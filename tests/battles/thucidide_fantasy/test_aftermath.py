"""Aftermath on its page and in the API: stands, units by who won, fates by typed dice and the GM's word, undo (C-6)."""

from __future__ import annotations

from typing import Any

import pytest

from armies.models import Army, Commander
from battles.models import Battle
from tests.battles.conftest import Client
from tests.rulesets.browsing import Reader, plain
from tests.rulesets.thucidide_fantasy import hosts
from tests.rulesets.thucidide_fantasy.test_secrecy import face

FATES = {"Sir Kadrin": (6, 6), "Grash": (4, 2, 1)}
DEATH = 5  # two sixes: death from 5 on


def world() -> list[Any]:
    return [list(rows.objects.order_by("pk").values()) for rows in (Army, Commander)]


@pytest.fixture
def gm(table, over) -> Client:
    return Client(table.gm, over)


def thrown(battle: Battle, death: int = DEATH) -> list[dict[str, Any]]:
    """The dice of every fate, as the API is told."""
    dice = [face(hosts.unit(battle, name), "fate", *values) for name, values in FATES.items()]
    return [*dice, face(hosts.unit(battle, "Sir Kadrin"), "death", death)]


def typed(battle: Battle, death: int = DEATH) -> dict[str, Any]:
    """The same, as the page's form sends it."""
    told = [(die["army"], die["roll"], value) for die in thrown(battle, death) for value in die["values"]]
    keys = [f"{who}|{roll}|6" for who, roll, _value in told]
    return {"die": keys, "face": [value for _who, _roll, value in told], "settled": len(keys), "how": "rolled"}


def sheet(army: Army) -> dict[str, Any]:
    return Army.objects.get(pk=army.pk).sheet


def lost(army: Army) -> list[int]:
    """The stands that units of an army are without."""
    return [unit["lost"] for unit in sheet(army)["units"] if unit.get("lost")]


def people(army: Army) -> list[str]:
    return [one["name"] for one in sheet(army)["characters"]]


def test_documents_shrink_by_who_won_and_fates_are_those_of_the_dice(table, over, gm):
    """C-6, TF-4.7: of the winner a destroyed unit is left with one stand, of the loser it's gone."""
    gm.ok(type="aftermath", confirm=True, dice=thrown(over))
    assert lost(table.realm.army) == [3, 3], "the first heavy foot, and the pikes that were destroyed"
    assert len(sheet(table.realm.army)["units"]) == len(_units(over, 0))
    assert len(sheet(table.dark.army)["units"]) == len(_units(over, 1)) - 2, "light foot and the undead are gone"
    assert people(table.realm.army) == ["Court mage"], "6, 6, then 5: death"
    assert set(people(table.dark.army)) == {"Necromancer", "Grash"}, "carried home; wounded by the dice"
    assert [Army.objects.get(pk=side.army.pk).status for side in (table.realm, table.dark)] == ["ready", "routed"]
    chief = Commander.objects.get(pk=table.dark.army.commander_id)
    assert (chief.status, Commander.objects.get(pk=table.realm.army.commander_id).status) == ("captured", "free")


def _units(battle: Battle, side: int) -> list[str]:
    state = hosts.state_of(battle)
    return [unit for unit, own in state.units.items() if state.side_of(unit) == side and not own.summoned]


@pytest.mark.parametrize(
    ("death", "choice", "word"), [(5, "", "killed"), (4, "", "captured"), (5, "captured", "captured")]
)
def test_tf_4_7_a_six_is_death_or_prison_by_one_more_die_or_by_the_gms_word(table, over, gm, death, choice, word):
    kadrin = hosts.unit(over, "Sir Kadrin")
    choices = {f"fate:{kadrin}": choice} if choice else {}
    told = gm.ok(type="aftermath", dice=thrown(over, death), choices=choices)["proposal"]
    (question,) = told["questions"]
    assert (question["key"], question["chosen"]) == (f"fate:{kadrin}", word)
    notes = " ".join(note["text"] for note in told["notes"])
    assert f"Sir Kadrin is {'killed' if death >= DEATH else 'captured'}." in notes or word in notes
    assert "Grash is wounded." in notes
    assert "Chief Dark host is captured." in notes


def test_the_page_shows_typed_dice_takes_the_gms_word_and_all_of_it_is_undone(table, over):
    reader, page = Reader(table.gm), f"/battles/{over.pk}/aftermath/"
    before, kadrin = world(), hosts.unit(over, "Sir Kadrin")
    fields = {"version": over.version, **typed(over)}
    shown = reader.client.post(page, fields)
    assert shown.status_code == 200, plain(shown.content.decode())[-1500:]
    told = plain(shown.content.decode())
    for words in ("Sir Kadrin is killed.", "Grash is wounded.", "Chief Dark host is captured."):
        assert words in told, words
    assert f'name="choice-fate:{kadrin}"' in shown.content.decode()
    assert "minus 3 stands" in told
    assert "{" not in told.split("Notes")[0], "no document is shown as it is stored"
    assert world() == before, "nothing is settled by looking"
    sent = reader.client.post(page, {**fields, f"choice-fate:{kadrin}": "captured", "do": "confirm"})
    assert sent.status_code == 302, plain(sent.content.decode())[-1500:]
    assert Battle.objects.get(pk=over.pk).status == "closed"
    assert "Sir Kadrin is captured." in reader.read(page)
    assert "Sir Kadrin" not in people(table.realm.army)
    version = Battle.objects.get(pk=over.pk).version
    reader.client.post(f"/battles/{over.pk}/command/", {"type": "undo", "version": version})
    assert world() == before
    assert Battle.objects.get(pk=over.pk).status == "aftermath"


def test_an_unknown_choice_is_refused_and_players_settle_nothing(table, over, gm):
    answer = gm.send(type="aftermath", choices={"fate:nobody": "killed"}, dice=thrown(over))
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["pointer"] == "/choices/fate:nobody"
    kadrin = hosts.unit(over, "Sir Kadrin")
    answer = gm.send(type="aftermath", choices={f"fate:{kadrin}": "promoted"}, dice=thrown(over))
    assert answer.json()["errors"][0]["pointer"] == f"/choices/fate:{kadrin}"
    assert Client(table.bo, over).send(type="aftermath", confirm=True).status_code == 403
