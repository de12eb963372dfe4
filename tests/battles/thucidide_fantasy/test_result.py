"""The page of a battle that ended: losses by army, and what became of each character (TF-4.7, TF-7)."""

from __future__ import annotations

import re
from typing import Any

from battles.aftermath.services import confirm_aftermath
from battles.field.page import load_battle_page
from battles.models import Battle
from battles.result.page import BattleResult
from core.text import render
from tests.rulesets.browsing import Reader


def result_of(user: Any, battle: Battle) -> BattleResult:
    page = load_battle_page(user, battle.pk)
    found = page.result
    assert isinstance(found, BattleResult)
    return found


def words_of(result: BattleResult) -> dict[str, str]:
    return {one.name: render(one.word) for one in result.leaders}


def test_each_character_has_their_own_word(table, over):
    """TF-4.5, TF-4.7, TF-7: captured, carried home, and a fate that the aftermath throws for."""
    assert words_of(result_of(table.bo, over)) == {
        "Chief Dark host": "captured", "Necromancer": "carried home by a god", "Grash": "fate open",
        "Chief Realm": "unhurt", "Court mage": "unhurt", "Sir Kadrin": "unhurt",
    }  # fmt: skip
    confirm_aftermath(by=table.gm, battle_id=over.pk, version=over.version)
    settled = result_of(table.bo, Battle.objects.get(pk=over.pk))
    assert words_of(settled)["Grash"] == "fallen"


def test_losses_stand_by_army_and_the_headline_is_the_readers_own(table, over):
    realm, dark = (side[0] for side in result_of(table.gm, over).losses)
    assert realm.lost == 4 + 3
    assert dark.lost == 4 + 4
    for who, words in (("ana", "You won the battle."), ("bo", "You lost the battle."), ("viewer", "Realm wins")):
        told = Reader(getattr(table, who)).markup(f"/battles/{over.pk}/")
        assert re.search(rf'id="result-title">\s*{re.escape(words)}', told), who
        assert "Night falls" in told
        assert "left the map" not in told
