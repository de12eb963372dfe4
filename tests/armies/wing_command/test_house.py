"""House rules of wing command (WC-HOUSE): figures, what a campaign does without, types of its own, upkeep."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from armies.forces.services import raise_army
from armies.models import Army
from kingdom.models import Campaign
from rules.registry import ruleset
from rules.wing_command.spec import BattleOptions
from tests.kingdom.conftest import api_of
from tests.rulesets.browsing import Reader

PIKES = {"name": "Pikes", "tag": "Pk", "melee": 4, "guard": 4, "points": 5}


def given(table: Any, **rules: Any) -> Any:
    return api_of(table.gm).patch(f"/api/v1/campaigns/{table.campaign.pk}/", {"house_rules": rules}, format="json")


def watch(table: Any) -> Army:
    return Army.objects.get(pk=table.watch.pk)


@pytest.mark.parametrize(
    ("rules", "read"),
    [
        ({"turn_limit": 15}, lambda house: house.turn_limit == 15),
        ({"break_share": 40}, lambda house: house.break_share == 40),
        ({"combat": "gm"}, lambda house: house.combat == "gm"),
        ({"orders_to_characters": False}, lambda house: house.orders_to_characters is False),
        ({"aptitude_bonus": -2}, lambda house: house.aptitude_bonus == -2),
        ({"upkeep": False}, lambda house: house.upkeep is False),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_each_rule_is_set(table, rules, read):
    answer = given(table, **rules)
    assert answer.status_code == 200, answer.content
    campaign = Campaign.objects.get(pk=table.campaign.pk)
    assert campaign.house_rules == rules
    assert read(ruleset("wing-command", campaign.house_rules).house)


def test_the_settings_offer_all_of_it(table):
    told = Reader(table.gm).read(f"/c/{table.campaign.pk}/edit/")
    for words in ("Special orders to characters", "Turn limit", "Losses that break a wing, in % of its troops",
                  "Added to every casting aptitude", "Weekly upkeep"):  # fmt: skip
        assert words in told, words


def test_prices_move_with_the_table(table):
    """C-5, C-8."""
    assert given(table, overlay={"troops": {"griffins": {"points": 14, "melee": 7}}}).status_code == 200
    assert watch(table).upkeep == 6  # 24 points ÷ 4
    sheet = api_of(table.ana).get(f"/api/v1/armies/{table.watch.pk}/").data["sheet"]
    assert (sheet["points"], sheet["troops"][2]["figures"]["melee"]) == (24, 7)
    assert given(table, upkeep=False).status_code == 200
    assert watch(table).upkeep == 0


def test_a_type_in_use_does_not_go_away(table):
    refused = given(table, overlay={"troops": {"griffins": {"off": True}}})
    assert refused.status_code in (400, 409), refused.content
    assert "Troops of Ironwatch have the type Griffins. Change that army first." in refused.content.decode()
    assert given(table, overlay={"troops": {"scouts": {"off": True}}}).status_code == 200
    form = Reader(table.ana).markup(f"/kingdoms/{table.crown.pk}/armies/new/")
    assert 'value="scouts"' not in form
    assert 'value="riders"' in form


def test_a_campaign_has_types_of_its_own(table):
    assert given(table, own={"troops": {"pikes": PIKES}}).status_code == 200
    campaign = Campaign.objects.get(pk=table.campaign.pk)
    army = raise_army(by=table.gm, kingdom=table.crown, name="Pikes", sheet={"troops": [{"type": "pikes"}]})
    assert (army.health, army.upkeep) == (1, 2)
    assert "Pikes" in Reader(table.ana).read(f"/armies/{army.pk}/")
    codex = Reader(table.ana).read(f"/c/{campaign.pk}/codex/?q=pikes")
    assert "from this campaign" in codex
    refused = given(table, own={})
    assert "Troops of Pikes have the type Pikes. Change that army first." in refused.content.decode()


def test_what_is_no_type_is_refused_with_its_pointer(table):
    for own, pointer in (
        ({"troops": {"pikes": {**PIKES, "melee": 99}}}, "/house_rules/own/troops/pikes/melee"),
        ({"troops": {"pikes": {"name": "Pikes"}}}, "/house_rules/own/troops/pikes/tag"),
        ({"troops": {"pikes": {**PIKES, "shot": 3}}}, "/house_rules/own/troops/pikes/range"),
        ({"troops": {"foot": PIKES}}, "/house_rules/own/troops"),
        ({"troops": {"Pi kes": PIKES}}, "/house_rules/own/troops"),
        ({"troops": [PIKES]}, "/house_rules/own/troops"),
        ({"spells": {}}, "/house_rules/own/spells"),
        (["pikes"], "/house_rules/own"),
    ):
        refused = given(table, own=own)
        assert refused.status_code == 400, (own, refused.content)
        assert [error["pointer"] for error in refused.json()["errors"]] == [pointer], own


def test_a_spell_the_campaign_does_without_is_not_offered(table):
    """WC-7.2 with the house rule, WC-7.4."""
    assert given(table, overlay={"spells": {"fire-wall": {"off": True}}}, aptitude_bonus=1).status_code == 200
    told = Reader(table.ana).read(f"/armies/{table.watch.pk}/")
    assert "Wall of fire" not in told
    assert "aptitude 4: 2D6, 9 or less" in told
    law: Any = ruleset("wing-command", Campaign.objects.get(pk=table.campaign.pk).house_rules)
    options = law.battle._options(SimpleNamespace(options=BattleOptions(), asked={}))
    assert set(options.difficulties) == set(law.tables.spells) - {"fire-wall"}
    assert options.aptitude_bonus == 1
