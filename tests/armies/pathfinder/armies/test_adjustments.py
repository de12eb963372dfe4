"""Lasting adjustments (PF-3.12): given and ended by the GM, by page and API, until a day or for good."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.urls import reverse

from armies.adjustments.services import MOST_ADJUSTMENTS, adjust_army, end_adjustment, replace_adjustments
from armies.pathfinder.armies.march_services import rest_army
from armies.pathfinder.armies.queries import build_sheet
from armies.pathfinder.armies.services import correct_army
from armies.pathfinder.armies.trade_services import buy_resource
from armies.pathfinder.forces.specs import build_army_spec
from armies.pathfinder.models import PathfinderArmy
from armies.pathfinder.weeks.outlook import build_outlook
from armies.tables.services import bring_in_table
from core.text import load_said, render
from kingdom.chronicle.services import undo_last
from kingdom.models import ChronicleEntry
from rules.core.errors import IllegalCommand, InvalidInput
from rules.pathfinder.spec import ADJUSTABLE, LastingAdjustment
from tests.armies.tables.test_bringing import table_of
from tests.armies.weeks.conftest import now, pass_days, quiet, set_army, treasury  # noqa: F401 - fixtures
from tests.armies.weeks.test_pages import browser, text_of
from tests.everyday import everyday
from tests.kingdom.archive.journeys import bring_in, taken_along
from tests.kingdom.conftest import api_of

pytestmark = pytest.mark.django_db


def adjusted(table: Any, figure: str = "om", amount: int = 2, **given: Any) -> dict[str, Any]:
    return adjust_army(by=table.gm, army=now(table.levy), figure=figure, amount=amount,
                       **{"reason": "Blessed by the lake", **given})  # fmt: skip


def test_the_gm_adjusts_a_figure_and_ends_it(war):
    before = build_sheet(now(war.levy))
    made = adjusted(war)
    sheet = build_sheet(now(war.levy))
    assert (sheet.om.total, sheet.dv) == (before.om.total + 2, before.dv)
    assert build_army_spec(now(war.levy)).adjustments == (LastingAdjustment("om", 2, "Blessed by the lake"),)
    end_adjustment(by=war.gm, army=now(war.levy), adjustment=made["id"])
    assert build_sheet(now(war.levy)) == before
    with pytest.raises(Http404):
        end_adjustment(by=war.gm, army=now(war.levy), adjustment=made["id"])


def test_the_chronicle_tells_it_and_undo_takes_it_back(war):
    adjusted(war, until=9)
    entry = ChronicleEntry.objects.filter(campaign=war.campaign).latest("seq")
    assert render(load_said(entry.text)) == "Levy adjusted: Offense (OM) +2. Blessed by the lake"
    page = text_of(browser(war.gm).get(reverse("kingdom:chronicle", args=[war.campaign.pk])))
    assert "Offense (OM) +2: Blessed by the lake (until day 9)" in page
    undo_last(by=war.gm, campaign=war.campaign)
    assert now(war.levy).adjustments == []


def test_a_player_adjusts_nothing(war):
    made = adjusted(war)
    with pytest.raises(PermissionDenied):
        adjust_army(by=war.ana, army=now(war.levy), figure="om", amount=9, reason="Please")
    with pytest.raises(PermissionDenied):
        end_adjustment(by=war.ana, army=now(war.levy), adjustment=made["id"])
    address = reverse("armies:army_adjust", args=[war.levy.pk])
    assert browser(war.ana).post(address, {"figure": "om", "amount": "9", "reason": "Please"}).status_code == 403
    page = text_of(browser(war.ana).get(reverse("armies:army", args=[war.levy.pk])))
    assert "Blessed by the lake" in page
    assert "Adjust a figure" not in page


def test_wrong_input_is_refused_at_its_place(war):
    cases = {"figure": "charm", "amount": 0, "reason": " ", "until": -1}
    for name, wrong in cases.items():
        with pytest.raises(InvalidInput) as refused:
            adjusted(war, **{name: wrong})
        assert refused.value.field == f"/{name}", name
    for amount in (1001, "2", None, True):
        with pytest.raises(InvalidInput):
            adjusted(war, amount=amount)
    assert now(war.levy).adjustments == []


def test_an_army_has_so_many_at_most(war):
    set_army(war.levy, adjustments=[
        {"id": str(number), "figure": "om", "amount": 1, "reason": "r", "until": None}
        for number in range(MOST_ADJUSTMENTS)
    ])  # fmt: skip
    with pytest.raises(InvalidInput, match="End one first"):
        adjusted(war)


def test_an_army_in_a_battle_is_left_alone(war, busy):
    busy.add(war.levy.pk)
    with pytest.raises(IllegalCommand):
        adjusted(war)


def test_damage_is_kept_and_undo_is_exact(war):
    most = now(war.levy).hp_max
    set_army(war.levy, hp=2)
    adjusted(war, "hp", -most + 1)
    assert (now(war.levy).hp, now(war.levy).hp_max) == (1, 1)
    undo_last(by=war.gm, campaign=war.campaign)
    assert (now(war.levy).hp, now(war.levy).hp_max) == (2, most)
    adjusted(war, "hp", 5)
    assert (now(war.levy).hp, now(war.levy).hp_max) == (7, most + 5)


AMOUNTS = (-990, -26, -19, -2, 10, 990)
EACH = [(figure, amount) for figure in sorted(ADJUSTABLE.figures) for amount in AMOUNTS]


def of_health_or_in_turn(case: tuple[str, int]) -> bool:
    """Hit points by every amount; of the other figures each by one amount, and each amount for one of them."""
    figure, amount = case
    return figure == "hp" or AMOUNTS.index(amount) == sorted(ADJUSTABLE.figures).index(figure) % len(AMOUNTS)


@pytest.mark.parametrize("figure, amount", everyday(EACH, keep=of_health_or_in_turn))
def test_set_and_taken_away_any_adjustment_leaves_health_as_it_was(war, figure, amount):
    set_army(war.levy, hp=1)
    adjusted(war, "hp", 5)
    before = now(war.levy)
    made = adjusted(war, figure, amount)
    other = adjusted(war, "hp", -7)
    for one in (made, other):
        end_adjustment(by=war.gm, army=now(war.levy), adjustment=one["id"])
    after = now(war.levy)
    assert (after.hp, after.hp_max, after.consumption, after.acr, after.adjustments) == (
        before.hp, before.hp_max, before.consumption, before.acr, before.adjustments
    )  # fmt: skip


def hurt(table: Any, **given: Any) -> tuple[dict[str, Any], int, int]:
    """An army at half its hit points, whose maximum the GM lowers to 1. Returns hit points and maximum of before."""
    most = now(table.levy).hp_max
    set_army(table.levy, hp=most // 2)
    made = adjusted(table, "hp", 1 - most, **given)
    assert (now(table.levy).hp, now(table.levy).hp_max) == (1, 1)
    return made, most // 2, most


def test_damage_beyond_the_last_hit_point_comes_back_by_cell_and_by_undo(war):
    made, hp, most = hurt(war)
    end_adjustment(by=war.gm, army=now(war.levy), adjustment=made["id"])
    assert (now(war.levy).hp, now(war.levy).hp_max) == (hp, most)
    undo_last(by=war.gm, campaign=war.campaign)
    assert (now(war.levy).hp, now(war.levy).hp_max) == (1, 1)
    replace_adjustments(by=war.gm, army=now(war.levy), adjustments=[])
    assert (now(war.levy).hp, now(war.levy).hp_max) == (hp, most)


def test_damage_beyond_the_last_hit_point_comes_back_when_a_day_ends_it(quiet):  # noqa: F811
    _made, hp, most = hurt(quiet, until=0)
    pass_days(quiet.gm, quiet.campaign, days=1)
    assert (now(quiet.levy).hp, now(quiet.levy).hp_max) == (hp, most)


def weakened(table: Any) -> None:
    """Of the levy's damage an adjustment until day 0 spares some: it has 1 of 6 hit points."""
    most = now(table.levy).hp_max
    set_army(table.levy, hp=4)
    adjusted(table, "hp", 6 - most, until=0)
    assert (now(table.levy).hp, now(table.levy).hp_max) == (1, 6)


def test_hit_points_regained_while_damage_is_spared_stay(war):
    weakened(war)
    rest_army(by=war.ana, army=now(war.levy))
    hp = now(war.levy).hp
    buy_resource(by=war.gm, army=now(war.levy), resource="improved-armor")
    assert now(war.levy).hp == hp > 1


def test_days_that_heal_an_army_and_end_its_adjustment_can_be_undone(war):
    weakened(war)
    pass_days(war.gm, war.campaign, days=1)
    assert (now(war.levy).adjustments, now(war.levy).hp > 4) == ([], True)
    undo_last(by=war.gm, campaign=war.campaign)
    assert (now(war.levy).hp, now(war.levy).hp_max) == (1, 6)
    assert now(war.levy).adjustments


def test_damage_beyond_the_last_hit_point_travels_and_is_seen_by_nobody(war):
    made, hp, most = hurt(war)
    document = taken_along(war.campaign)
    came = arrived(war, document)
    end_adjustment(by=war.gm, army=came, adjustment=came.adjustments[0]["id"])
    assert (now(came).hp, now(came).hp_max) == (hp, most)
    (told,) = api_of(war.gm).get(f"/api/v1/armies/{war.levy.pk}/").json()["adjustments"]
    assert told == made
    row = next(row for row in document["tables"]["armies"] if row["name"] == "Levy")
    for wrong in (0, -1, "1", 10**12):
        row["adjustments"] = [{**made, "spared": wrong}]
        with pytest.raises(InvalidInput):
            bring_in(war.gm, document)
    row["adjustments"] = [{**made, "figure": "om", "spared": 1}]
    with pytest.raises(InvalidInput):
        bring_in(war.gm, document)


def test_hit_points_that_the_gm_sets_are_all_that_counts(war):
    made, _hp, most = hurt(war)
    correct_army(by=war.gm, army=now(war.levy), hp=1)
    end_adjustment(by=war.gm, army=now(war.levy), adjustment=made["id"])
    assert (now(war.levy).hp, now(war.levy).hp_max) == (most, most)


def test_consumption_is_paid_as_adjusted(quiet):  # noqa: F811
    before, bp = treasury(quiet.crown), now(quiet.levy).consumption
    adjusted(quiet, "consumption", 4)
    assert build_outlook(now(quiet.crown)).due.weekly == bp + 4
    pass_days(quiet.gm, quiet.campaign)
    assert treasury(quiet.crown) == before - bp - 4


def test_until_its_day_it_counts_and_then_it_ends(quiet):  # noqa: F811
    before, bp = treasury(quiet.crown), now(quiet.levy).consumption
    adjusted(quiet, "consumption", 4, until=7)
    adjusted(quiet, "om", 1, reason="for good")
    entry = pass_days(quiet.gm, quiet.campaign, days=14)
    assert treasury(quiet.crown) == before - (bp + 4) - bp
    assert [one["reason"] for one in now(quiet.levy).adjustments] == ["for good"]
    assert now(quiet.levy).consumption == bp
    undo_last(by=quiet.gm, campaign=quiet.campaign)
    assert (treasury(quiet.crown), len(now(quiet.levy).adjustments), now(entry).undone) == (before, 2, True)
    assert now(quiet.levy).consumption == bp + 4


def test_what_ends_within_the_week_is_foretold(quiet):  # noqa: F811
    bp = now(quiet.levy).consumption
    adjusted(quiet, "consumption", 4, until=3)
    assert build_outlook(now(quiet.crown)).coming.week.due == bp


def test_hit_points_that_end_keep_the_damage_and_come_back_by_undo(quiet):  # noqa: F811
    most = now(quiet.levy).hp_max
    adjusted(quiet, "hp", 10, until=2)
    set_army(quiet.levy, hp=3)
    pass_days(quiet.gm, quiet.campaign, days=3)
    healed = 3 * max(1, now(quiet.levy).acr)
    assert (now(quiet.levy).hp, now(quiet.levy).hp_max) == (max(1, 3 + healed - 10), most)
    undo_last(by=quiet.gm, campaign=quiet.campaign)
    assert (now(quiet.levy).hp, now(quiet.levy).hp_max) == (3, most + 10)


def test_on_its_last_day_it_still_holds(quiet):  # noqa: F811
    adjusted(quiet, until=2)
    pass_days(quiet.gm, quiet.campaign, days=2)
    assert len(now(quiet.levy).adjustments) == 1
    pass_days(quiet.gm, quiet.campaign, days=1)
    assert now(quiet.levy).adjustments == []


def test_the_page_adjusts_and_ends(war):
    client, address = browser(war.gm), reverse("armies:army_adjust", args=[war.levy.pk])
    sent = {"figure": "dv", "amount": "−3", "reason": "Cursed", "until": ""}
    assert client.post(address, sent).status_code == 302
    (made,) = now(war.levy).adjustments
    assert (made["figure"], made["amount"], made["until"]) == ("dv", -3, None)
    refused = client.post(address, {**sent, "amount": "many"})
    assert refused.status_code == 422
    assert "Cursed" in text_of(refused)
    assert client.post(address, {"end": made["id"]}).status_code == 302
    assert now(war.levy).adjustments == []


def test_the_api_adjusts_tells_and_ends(war):
    address, gm = f"/api/v1/armies/{war.levy.pk}/", api_of(war.gm, scope="manage")
    sent = {"figure": "speed", "amount": 1, "reason": "Good roads", "until": 12}
    told = gm.post(f"{address}adjustments/", sent, format="json")
    assert told.status_code == 201
    (made,) = told.json()["adjustments"]
    assert {name: made[name] for name in sent} == sent
    assert told.json()["breakdown"]["speed"][-1]["label"] == "GM: Good roads"
    player = api_of(war.ana, scope="manage")
    assert player.post(f"{address}adjustments/", sent, format="json").status_code == 403
    assert player.delete(f"{address}adjustments/{made['id']}/").status_code == 403
    wrong = gm.post(f"{address}adjustments/", {**sent, "until": -4}, format="json")
    assert (wrong.status_code, wrong.json()["errors"][0]["pointer"]) == (400, "/until")
    assert gm.delete(f"{address}adjustments/{made['id']}/").json()["adjustments"] == []
    assert gm.delete(f"{address}adjustments/{made['id']}/").status_code == 404


def arrived(table: Any, document: Any) -> PathfinderArmy:
    return PathfinderArmy.objects.get(campaign=bring_in(table.gm, document).campaign, name="Levy")


def test_they_travel_in_the_campaigns_file(war):
    adjusted(war, "hp", 5, until=9)
    document = taken_along(war.campaign)
    came = arrived(war, document)
    assert [{**one, "id": ""} for one in came.adjustments] == [
        {"id": "", "figure": "hp", "amount": 5, "reason": "Blessed by the lake", "until": 9}
    ]
    rows = document["tables"]["armies"]
    row = next(row for row in rows if row["name"] == "Levy")
    for broken in ({}, [{"figure": "om"}], [{**came.adjustments[0], "amount": 0}], came.adjustments * 2):
        row["adjustments"] = broken
        with pytest.raises(InvalidInput):
            bring_in(war.gm, document)
    for one in rows:
        del one["adjustments"]
    assert arrived(war, document).adjustments == []


def test_a_document_that_has_them_in_the_table_of_mass_combat_still_comes_in(war):
    adjusted(war, "hp", 5, until=9)
    document = taken_along(war.campaign)
    kept = {row["id"]: row.pop("adjustments") for row in document["tables"]["armies"]}
    for row in document["tables"]["pathfinder_armies"]:
        row["adjustments"] = kept[row["army_ptr"]]
    came = arrived(war, document)
    assert [(one["figure"], one["amount"], one["until"]) for one in came.adjustments] == [("hp", 5, 9)]
    assert came.hp_max == now(war.levy).hp_max


def test_a_table_brings_them_in_before_the_hit_points_they_allow(war):
    before = now(war.levy).hp
    adjusted(war, "hp", 5, until=9)
    adjusted(war, "om", -2, reason="Cursed")
    text, made = table_of(war.gm, war.campaign), now(war.levy)
    for one in made.adjustments:
        end_adjustment(by=war.gm, army=now(war.levy), adjustment=one["id"])
    assert now(war.levy).hp == before
    bring_in_table(by=war.gm, campaign=war.campaign, table="armies", text=text)
    again = now(war.levy)
    assert (again.hp, again.hp_max) == (made.hp, made.hp_max) == (before + 5, before + 5)
    assert build_army_spec(again).adjustments == build_army_spec(made).adjustments
