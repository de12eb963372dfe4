"""House rules of THUCIDIDE fantasy (TF-HOUSE): each is set, prices follow, and what is in use stays."""

from __future__ import annotations

from typing import Any

import pytest

from armies.models import Army
from armies.weeks.services import confirm_time
from kingdom.models import Campaign
from rules.registry import ruleset
from tests.armies.thucidide_fantasy.conftest import kept
from tests.kingdom.conftest import api_of
from tests.rulesets.browsing import Reader


def given(table: Any, **rules: Any) -> Any:
    return api_of(table.gm).patch(f"/api/v1/campaigns/{table.campaign.pk}/", {"house_rules": rules}, format="json")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("supply", "points"), ("supply_points", 8), ("hindrance", "all"), ("flyers_beside", "not"),
        ("victory_share", "half"), ("turn_limit", 15), ("combat", "table"), ("appeals", "never"), ("upkeep", False),
        ("survivors", 0), ("stands_back", 2),
    ],
)  # fmt: skip
def test_each_rule_is_set(table, name, value):
    answer = given(table, **{name: value})
    assert answer.status_code == 200, answer.content
    found = Campaign.objects.get(pk=table.campaign.pk).house_rules
    assert getattr(ruleset("thucidide-fantasy", found).house, name) == value


def test_the_settings_offer_all_of_it(table):
    told = Reader(table.gm).read(f"/c/{table.campaign.pk}/edit/")
    for words in ("Spell points of each caster", "Hindrance", "Flyers next to a caster", "Turn limit",
                  "Share of the enemy’s units to destroy", "Appeals to the gods", "Weekly upkeep",
                  "Stands each unit regains in a week without battle"):  # fmt: skip
        assert words in told, words


def test_prices_move_with_the_table(table):
    """C-5, C-8."""
    assert given(table, overlay={"troops": {"foot-heavy": {"points": 14}}}).status_code == 200
    assert Army.objects.get(pk=table.watch.pk).upkeep == 9  # 36 points ÷ 4
    assert given(table, upkeep=False).status_code == 200
    assert Army.objects.get(pk=table.watch.pk).upkeep == 0
    before = Campaign.objects.get(pk=table.campaign.pk).kingdoms.get(name="Realm").treasury
    confirm_time(by=table.gm, campaign=table.campaign, days=7)
    assert Campaign.objects.get(pk=table.campaign.pk).kingdoms.get(name="Realm").treasury == before


def test_a_weapon_that_is_changed_changes_all_who_bear_it(table):
    """TF-1.14."""
    assert given(table, overlay={"weapons": {"two-handed": {"melee": 6}}}).status_code == 200
    sheet = api_of(table.ana).get(f"/api/v1/armies/{table.watch.pk}/").data["sheet"]
    assert sheet["units"][0]["figures"]["melee"] == 7


def test_a_type_is_not_made_so_small_that_an_army_is_none_any_more(table):
    refused = given(table, overlay={"troops": {"foot-heavy": {"stands": 2}}})
    assert refused.status_code in (400, 409), refused.content
    assert "Under these rules, Ironwatch would no longer be valid" in refused.content.decode()


def test_a_quiet_week_gives_back_what_the_house_says(table):
    """C-7."""
    assert given(table, stands_back=2).status_code == 200
    confirm_time(by=table.gm, campaign=Campaign.objects.get(pk=table.campaign.pk), days=7)
    assert "lost" not in kept(table.watch)["units"][0]
