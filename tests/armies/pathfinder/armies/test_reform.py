"""Dividing, combining, evening out and regrouping armies (R-94)."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.urls import reverse

from armies.adjustments.services import adjust_army
from armies.forces.busy import FightsOfLate
from armies.marches.services import put_army
from armies.pathfinder.armies import reform_services
from armies.pathfinder.armies.march_services import march_army, place_army
from armies.pathfinder.armies.reform_services import WantedArmy, preview_reform, reform_armies, regroup_army
from armies.pathfinder.armies.reserve_services import call_up_army, reserve_army
from armies.pathfinder.armies.services import correct_army, teach_tactic, update_army
from armies.pathfinder.armies.trade_services import buy_resource
from armies.pathfinder.commanders.command_services import assign_commander
from armies.pathfinder.forces.specs import Road
from armies.pathfinder.models import KingdomStock, PathfinderArmy
from armies.pathfinder.weeks.outlook import build_outlook
from armies.pathfinder.weeks.weeks import list_weekly_due
from armies.weeks.services import confirm_time
from kingdom.campaign.services import update_campaign
from kingdom.chronicle.services import undo_last
from kingdom.map.services import make_map
from kingdom.models import Campaign, Kingdom
from kingdom.realms.treasury_services import record_entry
from rules.core.errors import IllegalCommand, InvalidInput, StaleProposal
from rules.pathfinder.reform import reform
from tests.armies.conftest import api_of, appointed, orc, raised
from tests.armies.pathfinder.armies.test_army_life import browser, fresh, latest, state, text
from tests.databases import tried
from tests.kingdom.archive.journeys import bring_in, taken_along
from tests.walking import offered
from tests.worlds import built_once

API = "/api/v1"


@built_once
def camp(war) -> SimpleNamespace:
    """The levy (500 orcs, huge, with armor, engines and Ser Vell), and a second army of 500 with Gorth."""
    record_entry(by=war.gm, kingdom=war.crown, amount=900, reason="Gold")
    gorth = appointed(war.gm, war.crown, "Gorth")
    second = raised(war.gm, war.crown, "Second", commander=gorth)
    buy_resource(by=war.gm, army=war.levy, resource="improved-armor")
    buy_resource(by=war.gm, army=fresh(war.levy), resource="siege-engines", quantity=3, waive_building=True)
    teach_tactic(by=war.gm, army=fresh(war.levy), tactic="taunt", granted=True)
    correct_army(by=war.gm, army=second, hp=5, morale=2)
    found = {**vars(war), "gorth": gorth, "levy": fresh(war.levy), "second": fresh(second)}
    return SimpleNamespace(**found)


def goods(army) -> dict[str, int]:
    return {row.resource: row.quantity for row in army.resources.all()}


def both(camp):
    return state(camp.levy), state(camp.second)


def test_r94_an_army_is_divided_and_the_entry_undoes_it(camp):
    before = both(camp)
    _levy, new = reform_armies(
        by=camp.gm,
        army=camp.levy,
        parts=[WantedArmy(300), WantedArmy(200, name="Vanguard", resources={"siege-engines": 2})],
    ).rows
    levy, new = fresh(camp.levy), fresh(new)
    assert (levy.count, new.count, levy.hp, new.hp) == (300, 200, 5, 5)
    assert (levy.commander, new.commander) == (camp.vell, None)
    assert (goods(levy), goods(new)) == ({"improved-armor": 1, "siege-engines": 1}, {"siege-engines": 2})
    assert [row.tactic for row in new.tactics.all()] == ["taunt"]
    assert (new.kingdom, new.place, new.hp_max, new.consumption) == (camp.crown, "", 5, 7)
    assert text(latest()) == "Levy divided: Levy, Vanguard."
    undo_last(by=camp.gm, campaign=camp.campaign)
    assert both(camp) == before
    assert not PathfinderArmy.objects.filter(pk=new.pk).exists()


def test_r94_armies_are_combined_and_the_entry_undoes_it(camp):
    before = both(camp)
    assert reform_armies(by=camp.gm, army=camp.levy, others=[camp.second]).rows == [camp.levy]
    levy, second = fresh(camp.levy), fresh(camp.second)
    assert (levy.count, levy.hp, levy.morale, levy.commander) == (1000, 21, 1, camp.vell)
    assert (second.status, second.commander, goods(second)) == ("disbanded", None, {})
    assert goods(levy) == {"siege-engines": 3}  # the armor is for 500
    assert list(KingdomStock.objects.values_list("resource", "size")) == [("improved-armor", "huge")]
    assert text(latest()) == "Armies combined into Levy: Levy, Second."
    undo_last(by=camp.gm, campaign=camp.campaign)
    assert both(camp) == before


def test_r94_whose_commander_leads_the_combined_army_is_chosen_and_undone(camp):
    before = both(camp)
    for army, other, chief in ((camp.levy, camp.second, camp.gorth), (camp.second, camp.levy, camp.vell)):
        with tried():
            reform_armies(by=camp.gm, army=army, others=[other], parts=[WantedArmy(1000, army, commander=chief)])
            assert (fresh(army).commander, fresh(other).commander) == (chief, None)
            undo_last(by=camp.gm, campaign=camp.campaign)
            assert both(camp) == before


def test_r94_armies_change_commanders_as_they_are_evened_out(camp):
    before = both(camp)
    parts = [WantedArmy(700, camp.levy, commander=camp.gorth), WantedArmy(300, camp.second, commander=camp.vell)]
    plan = preview_reform(army=camp.levy, others=[camp.second], parts=parts)
    assert (plan.gone, plan.freed, plan.lost) == ([], [], 2)
    reform_armies(by=camp.gm, army=camp.levy, others=[camp.second], parts=parts, mark=plan.mark)
    levy, second = fresh(camp.levy), fresh(camp.second)
    assert (levy.count, levy.hp, levy.morale, levy.commander) == (700, 14, 1, camp.gorth)
    assert (second.count, second.hp, second.morale, second.commander) == (300, 5, 1, camp.vell)
    assert text(latest()) == "Armies reformed (Levy, Second). Now: Levy, Second."
    undo_last(by=camp.gm, campaign=camp.campaign)
    assert both(camp) == before


def test_r80_the_days_a_commander_has_led_go_with_them(camp):
    Campaign.objects.filter(pk=camp.campaign.pk).update(day=5)
    parts = [WantedArmy(200, camp.levy), WantedArmy(300, name="Vanguard", commander=camp.vell)]
    _levy, new = reform_armies(by=camp.gm, army=fresh(camp.levy), parts=parts).rows
    assert (fresh(new).commander, fresh(new).led_days, fresh(new).led_to) == (camp.vell, 5, 5)
    assert (fresh(camp.levy).led_days, fresh(camp.levy).led_to) == (5, 5)


def test_r94_the_commander_of_a_dissolved_army_leads_where_nobody_does(camp):
    assign_commander(by=camp.gm, army=camp.levy, commander=None)
    with tried():
        reform_armies(by=camp.gm, army=camp.levy, others=[camp.second])
        assert fresh(camp.levy).commander == camp.gorth
    reform_armies(by=camp.gm, army=camp.levy, others=[camp.second], parts=[WantedArmy(1000, camp.levy)])
    assert fresh(camp.levy).commander is None


def test_r94_a_worn_army_is_regrouped_and_the_entry_undoes_it(camp):
    before = both(camp)
    regroup_army(by=camp.gm, army=camp.second)
    second = fresh(camp.second)
    assert (second.count, second.hp, second.hp_max, second.morale) == (157, 1, 1, 2)
    assert text(latest()) == "Second regrouped: 500 → 157 units, 1 hp."
    undo_last(by=camp.gm, campaign=camp.campaign)
    assert both(camp) == before


def test_r94_refusals_leave_everything_as_it_was(camp, busy):
    before = both(camp)
    far, routed = fresh(camp.second), fresh(camp.second)
    cases = {
        "isn’t one of those": ([], [WantedArmy(250, camp.raiders), WantedArmy(250, camp.levy)]),
        "Choose other armies to combine": ([], [WantedArmy(500, camp.levy)]),
        "List each army only once": ([], [WantedArmy(250, camp.levy), WantedArmy(250, camp.levy)]),
        "List each army only": ([camp.levy], []),
        "leads none of these armies": ([], [WantedArmy(250, commander=camp.gorth), WantedArmy(250, name="B")]),
        "only one army": ([], [WantedArmy(250, commander=camp.vell), WantedArmy(250, name="B", commander=camp.vell)]),
        "Enter a name": ([], [WantedArmy(250), WantedArmy(250)]),
        "different kingdoms": ([camp.raiders], []),
    }
    for why, (others, parts) in cases.items():
        with pytest.raises((IllegalCommand, InvalidInput), match=why):
            reform_armies(by=camp.gm, army=camp.levy, others=others, parts=parts)
    deeds = {
        "on the march until day": lambda: march_army(by=camp.gm, army=far, place="The ford", road=Road(hexes=4)),
        "aren’t at the same place": lambda: place_army(by=camp.gm, army=far, place="The ford"),
        "different units": lambda: update_army(by=camp.gm, army=far, unit={**far.unit, "level": 2}),
        "is routed": lambda: correct_army(by=camp.gm, army=routed, status="routed"),
        "disbanded, so nothing": lambda: correct_army(by=camp.gm, army=routed, status="disbanded"),
        "house rule": lambda: update_campaign(by=camp.gm, campaign=camp.campaign, house_rules={"reform": False}),
    }
    for why, do in deeds.items():
        with tried():
            do()
            with pytest.raises(IllegalCommand, match=why):
                reform_armies(by=camp.gm, army=fresh(camp.levy), others=[fresh(camp.second)])
    busy.add(camp.second.pk)
    for do in (lambda: reform_armies(by=camp.gm, army=camp.levy, others=[camp.second]),
               lambda: regroup_army(by=camp.gm, army=camp.second)):  # fmt: skip
        with pytest.raises(IllegalCommand, match="Second fights"):
            do()
    assert both(camp) == before


def test_nobody_reforms_armies_of_others(camp):
    before = both(camp)
    for do in (lambda: reform_armies(by=camp.bo, army=camp.levy, others=[camp.second]),
               lambda: reform_armies(by=camp.bo, army=camp.raiders, others=[camp.levy]),
               lambda: regroup_army(by=camp.bo, army=camp.second)):  # fmt: skip
        with pytest.raises((PermissionDenied, Http404)):
            do()
    assert both(camp) == before


def test_what_has_changed_since_the_preview_is_not_confirmed(camp):
    plan = preview_reform(army=camp.levy, others=[camp.second])
    correct_army(by=camp.gm, army=camp.second, hp=4)
    with pytest.raises(StaleProposal):
        reform_armies(by=camp.gm, army=camp.levy, others=[camp.second], mark=plan.mark)
    assert fresh(camp.second).standing


# In reserve.


def test_r94_an_army_in_reserve_does_nothing_until_it_is_called_up_for_a_week(camp):
    reserve_army(by=camp.gm, army=camp.levy)
    levy = fresh(camp.levy)
    assert (levy.in_reserve, levy.reserved_on, text(latest())) == (True, 0, "Levy put in reserve.")
    for do in (
        lambda: march_army(by=camp.gm, army=levy, place="The ford", road=Road(hexes=4)),
        lambda: reform_armies(by=camp.gm, army=levy, others=[camp.second]),
        lambda: regroup_army(by=camp.gm, army=levy),
    ):
        with pytest.raises(IllegalCommand, match="Levy: in reserve"):
            do()
    with pytest.raises(IllegalCommand, match="already in reserve"):
        reserve_army(by=camp.gm, army=levy)
    levy = call_up_army(by=camp.gm, army=levy)
    assert (levy.called_up, text(latest())) == (7, "Levy called up: ready on day 7.")
    with pytest.raises(IllegalCommand, match="ready on day 7"):
        march_army(by=camp.gm, army=levy, place="The ford", road=Road(hexes=4))
    Campaign.objects.filter(pk=camp.campaign.pk).update(day=7)
    levy = fresh(levy)
    assert not levy.in_reserve
    march_army(by=camp.gm, army=levy, place="The ford", road=Road(hexes=4))
    with pytest.raises(IllegalCommand, match="on the march"):
        reserve_army(by=camp.gm, army=fresh(levy))


def test_r94_the_reserve_is_undone_and_left_before_the_week_is_over(camp):
    with pytest.raises(IllegalCommand, match="not in reserve"):
        call_up_army(by=camp.gm, army=camp.levy)
    reserve_army(by=camp.gm, army=camp.levy)
    call_up_army(by=camp.gm, army=camp.levy)
    Campaign.objects.filter(pk=camp.campaign.pk).update(day=3)
    reserve_army(by=camp.gm, army=fresh(camp.levy))
    assert (fresh(camp.levy).reserved_on, fresh(camp.levy).called_up) == (0, None)
    for was in ((0, 7), (0, None), (None, None)):
        undo_last(by=camp.gm, campaign=camp.campaign)
        assert (fresh(camp.levy).reserved_on, fresh(camp.levy).called_up) == was


def test_r94_a_house_rule_or_a_battle_forbids_the_reserve(camp, busy):
    busy.add(camp.second.pk)
    with pytest.raises(IllegalCommand, match="Second fights"):
        reserve_army(by=camp.gm, army=camp.second)
    update_campaign(by=camp.gm, campaign=camp.campaign, house_rules={"reform": False})
    with pytest.raises(IllegalCommand, match="house rule"):
        reserve_army(by=camp.gm, army=fresh(camp.levy))
    with pytest.raises((PermissionDenied, Http404)):
        reserve_army(by=camp.bo, army=camp.levy)


def test_r94_weeks_in_reserve_cost_nothing_but_once_a_month(camp):
    both_weeks = camp.levy.consumption + camp.second.consumption
    weekly = build_outlook(camp.crown).due.weekly
    assert weekly == both_weeks
    reserve_army(by=camp.gm, army=camp.levy)
    due = build_outlook(camp.crown).due
    assert (due.weekly, due.reserve) == (camp.second.consumption, camp.levy.consumption)
    page = browser(camp.gm).get(reverse("kingdom:outlook", args=[camp.crown.pk])).content.decode()
    assert f"Armies in reserve cost {camp.levy.consumption} BP a month." in page
    before = Kingdom.objects.get(pk=camp.crown.pk).treasury
    confirm_time(by=camp.gm, campaign=Campaign.objects.get(pk=camp.campaign.pk), days=7)
    spared = before - Kingdom.objects.get(pk=camp.crown.pk).treasury
    assert spared == camp.second.consumption


def test_r94_called_up_is_foretold_by_the_week_again(camp):
    reserve_army(by=camp.gm, army=camp.levy)
    call_up_army(by=camp.gm, army=fresh(camp.levy))
    due = build_outlook(camp.crown).due
    assert (due.weekly, due.reserve) == (camp.levy.consumption + camp.second.consumption, 0)
    campaign = Campaign.objects.get(pk=camp.campaign.pk)
    (told,) = [one for one in list_weekly_due(camp.gm, campaign) if one.kingdom == camp.crown]
    assert (told.weekly, told.reserve) == (due.weekly, due.reserve)


def test_r94_a_called_up_army_costs_again_from_the_week_in_which_it_is_ready(camp):
    """The week in which it is called up is still one in reserve; the week in which it is ready is paid."""
    reserve_army(by=camp.gm, army=camp.levy)
    confirm_time(by=camp.gm, campaign=Campaign.objects.get(pk=camp.campaign.pk), days=10)
    call_up_army(by=camp.gm, army=fresh(camp.levy))
    assert fresh(camp.levy).called_up == 17
    for levy in (0, camp.levy.consumption):
        due = build_outlook(Kingdom.objects.get(pk=camp.crown.pk)).due
        assert (due.weekly, due.reserve) == (camp.second.consumption + levy, camp.levy.consumption - levy)
        before = Kingdom.objects.get(pk=camp.crown.pk).treasury
        confirm_time(by=camp.gm, campaign=Campaign.objects.get(pk=camp.campaign.pk), days=7)
        spent = before - Kingdom.objects.get(pk=camp.crown.pk).treasury
        assert spent == camp.second.consumption + levy


def test_r94_where_a_house_rule_ends_the_reserve_its_weeks_are_paid(camp):
    reserve_army(by=camp.gm, army=camp.levy)
    update_campaign(by=camp.gm, campaign=camp.campaign, house_rules={"reform": False})
    before = Kingdom.objects.get(pk=camp.crown.pk).treasury
    confirm_time(by=camp.gm, campaign=Campaign.objects.get(pk=camp.campaign.pk), days=7)
    paid = before - Kingdom.objects.get(pk=camp.crown.pk).treasury
    assert paid == camp.levy.consumption + camp.second.consumption


def test_r94_parts_of_an_army_keep_what_the_gm_adjusts(camp):
    adjust_army(by=camp.gm, army=camp.second, figure="hp", amount=10, reason="Blessed")
    for army in reform_armies(
        by=camp.gm, army=fresh(camp.second), parts=[WantedArmy(300), WantedArmy(200, name="Rest")]
    ).rows:
        assert [(one["figure"], one["amount"]) for one in fresh(army).adjustments] == [("hp", 10)]
    with pytest.raises(IllegalCommand, match="adjustments of Levy and Second differ"):
        reform_armies(by=camp.gm, army=fresh(camp.levy), others=[fresh(camp.second)])


def test_r94_an_army_that_fought_today_is_reformed_tomorrow(camp, monkeypatch):
    late = FightsOfLate(fought=frozenset({str(camp.second.pk)}))
    monkeypatch.setattr(reform_services, "load_recent_battles", lambda campaign, day: late)
    with pytest.raises(IllegalCommand, match="Second fought today"):
        reform_armies(by=camp.gm, army=camp.levy, others=[camp.second])


def test_the_reserve_by_api_page_and_list(camp):
    told = post(camp.gm, camp.levy, "reserve", reserve=True).json()
    assert (told["reserved_on"], told["called_up"]) == (0, None)
    assert post(camp.gm, camp.levy, "reserve", reserve=True).status_code == 409
    sheet = browser(camp.gm).get(reverse("armies:army", args=[camp.levy.pk])).content.decode()
    assert "In reserve: paid once a month" in sheet
    answer = browser(camp.gm).post(reverse("armies:army_rest", args=[camp.levy.pk]), {"reserve": "0"})
    assert (answer.status_code, fresh(camp.levy).called_up) == (302, 7)
    told = many(camp, "reserve", camp.levy, camp.second)
    assert [row["done"] for row in told["armies"]] == [True, True]
    many(camp, "reserve", camp.levy, camp.second, confirm=True, mark=told["mark"])
    assert (fresh(camp.levy).called_up, fresh(camp.second).reserved_on) == (None, 0)
    told = many(camp, "call-up", camp.levy, camp.second)
    many(camp, "call-up", camp.levy, camp.second, confirm=True, mark=told["mark"])
    assert {fresh(camp.levy).called_up, fresh(camp.second).called_up} == {7}


# Many at once.


def many(camp, deed, *armies, by=None, **more):
    ids = [str(army.pk) for army in armies]
    body = {"armies": ids, "deed": deed, "options": {}, **more}
    return api_of(by or camp.gm).post(f"{API}/armies/bulk/", body, format="json").json()


def test_r94_the_selected_armies_are_combined_place_by_place(camp):
    far, near = (raised(camp.gm, camp.crown, name, count=200) for name in ("Far", "Near"))
    lone = raised(camp.gm, camp.crown, "Lone", count=200, unit=orc(cr="1"))
    for army in (far, near):
        place_army(by=camp.gm, army=army, place="The ford")
    before = [state(army) for army in (camp.levy, camp.second, far, near, lone)]
    told = many(camp, "combine", camp.levy, camp.second, far, near, lone)
    assert [(row["name"], row["done"], row["text"]) for row in told["armies"]] == [
        ("Far", True, "Far will have 400 units, 5 of 5 hp, Morale 0."),
        ("Levy", True, "Levy will have 1000 units, 21 of 27 hp, Morale 1."),
        ("Lone", False, "No other selected army with the same unit type is in the same place."),
        ("Near", True, "Near: combined with Far."),
        ("Second", True, "Second: combined with Levy."),
    ]
    assert told["notes"] == ["Improved armor: moved to the stores.", "Gorth is free to lead another army."]
    many(camp, "combine", camp.levy, camp.second, far, near, lone, confirm=True, mark=told["mark"])
    assert [fresh(army).count for army in (camp.levy, far)] == [1000, 400]
    assert [fresh(army).standing for army in (camp.second, near, lone)] == [False, False, True]
    undo_last(by=camp.gm, campaign=camp.campaign)
    assert [state(army) for army in (camp.levy, camp.second, far, near, lone)] == before


def test_r94_the_selected_armies_are_regrouped(camp):
    told = many(camp, "regroup", camp.levy, camp.second)
    assert [row["text"] for row in told["armies"]] == [
        "Levy: no hit points lost, so there is nothing to regroup.",
        "Second regrouped: 500 → 157 units, 1 hp.",
    ]
    many(camp, "regroup", camp.levy, camp.second, confirm=True, mark=told["mark"])
    assert (fresh(camp.second).count, fresh(camp.second).hp, fresh(camp.levy).count) == (157, 1, 500)


# By the API.


def post(user, army, what, **body):
    return api_of(user).post(f"{API}/armies/{army.pk}/{what}/", body, format="json")


def test_the_api_previews_and_confirms_by_the_mark(camp):
    before = both(camp)
    parts = [{"count": 300, "army": str(camp.levy.pk)}, {"count": 200, "name": "Vanguard"}]
    shown = post(camp.gm, camp.levy, "reform", parts=parts)
    told = shown.json()
    assert (shown.status_code, [row["hp"] for row in told["armies"]], told["lost"]) == (200, [5, 5], 6)
    assert (told["armies"][1]["army"], told["gone"], told["freed"], told["stored"]) == (None, [], [], [])
    assert both(camp) == before
    assert post(camp.gm, camp.levy, "reform", parts=parts, confirm=True).status_code == 428
    stale = post(camp.gm, camp.levy, "reform", parts=parts, confirm=True, mark="0" * 32)
    assert (stale.status_code, both(camp)) == (412, before)
    done = post(camp.gm, camp.levy, "reform", parts=parts, confirm=True, mark=told["mark"]).json()
    new = PathfinderArmy.objects.get(name="Vanguard")
    assert [row["army"] for row in done["armies"]] == [str(camp.levy.pk), str(new.pk)]


def test_what_is_shown_or_confirmed_is_planned_once(camp, monkeypatch):
    planned: list[int] = []

    def counted(law, troops, parts):
        planned.append(len(parts))
        return reform(law, troops, parts)

    monkeypatch.setattr(reform_services, "reform", counted)
    shown = browser(camp.gm).get(page_of(camp)).content.decode()
    assert planned == [2]
    parts = [{"count": 300, "army": str(camp.levy.pk)}, {"count": 200, "name": "Vanguard"}]
    mark = post(camp.gm, camp.levy, "reform", parts=parts).json()["mark"]
    done = post(camp.gm, camp.levy, "reform", parts=parts, confirm=True, mark=mark)
    assert (planned, done.json()["mark"], done["ETag"]) == ([2, 2, 2], mark, f'"{mark}"')
    undo_last(by=camp.gm, campaign=camp.campaign)
    answer, _drawn = send(camp.gm, camp, "confirm", shown)
    assert (answer.status_code, planned) == (302, [2, 2, 2, 2])


def test_the_api_says_who_is_freed_when_it_confirms_as_when_it_previews(camp):
    told = post(camp.gm, camp.levy, "reform", armies=[str(camp.second.pk)]).json()
    done = post(camp.gm, camp.levy, "reform", armies=[str(camp.second.pk)], confirm=True, mark=told["mark"]).json()
    assert (told["freed"], done["freed"], done["gone"]) == ([str(camp.gorth.pk)], told["freed"], told["gone"])


def test_the_api_combines_without_parts_and_regroups(camp):
    told = post(camp.gm, camp.levy, "reform", armies=[str(camp.second.pk)]).json()
    assert (told["gone"], told["freed"]) == ([str(camp.second.pk)], [str(camp.gorth.pk)])
    assert told["stored"] == [{"army": str(camp.levy.pk), "resource": "improved-armor", "quantity": 1}]
    assert post(camp.gm, camp.second, "regroup").json() == {"count": 157, "hp": 1}
    assert post(camp.gm, camp.second, "regroup", confirm=True).json()["count"] == 157


def test_the_api_points_at_what_is_wrong(camp):
    cases = [
        ({"parts": [{"count": 499}]}, 400, "/parts"),
        ({"parts": [{"count": 499}, {"count": 1, "name": "One"}]}, 400, "/parts/1/count"),
        ({"parts": [{"count": 250}, {"count": 250}]}, 400, "/parts/1/name"),
        ({"parts": [{"count": 500, "commander": str(camp.gorth.pk)}]}, 404, "/parts/0/commander"),
        ({"parts": [{"count": 500, "army": str(camp.second.pk)}]}, 404, "/parts/0/army"),
        (
            {"parts": [{"count": 300, "resources": {"mounts": 1}}, {"count": 200, "name": "B"}]},
            400,
            "/parts/0/resources/mounts",
        ),
        ({"armies": [str(camp.levy.pk)]}, 400, "/armies"),
        ({"armies": ["x"]}, 400, "/armies/0"),
        ({"parts": [{"count": 9}] * 21}, 400, "/parts"),
    ]
    for body, status, pointer in cases:
        answer = post(camp.gm, camp.levy, "reform", **body)
        assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (status, pointer), body
    assert post(camp.ana, camp.levy, "reform", armies=[str(camp.raiders.pk)]).status_code == 404
    assert post(camp.bo, camp.levy, "reform").status_code == 404


# On the page.


def page_of(camp):
    return reverse("armies:army_reform", args=[camp.levy.pk])


def send(user, camp, do, page="", **given):
    """Sends the form as the page that was drawn has it, changed where the test cares."""
    forms = [step.data for step in offered(page_of(camp), page) if ("do", "choose") in step.data]
    answer = browser(user).post(page_of(camp), {**dict(forms[0] if forms else ()), **given, "do": do})
    return answer, answer.content.decode()


def test_the_sheet_leads_to_the_page_unless_a_house_rule_forbids_it(camp):
    sheet = reverse("armies:army", args=[camp.levy.pk])
    assert page_of(camp) in browser(camp.ana).get(sheet).content.decode()
    update_campaign(by=camp.gm, campaign=camp.campaign, house_rules={"reform": False})
    assert page_of(camp) not in browser(camp.ana).get(sheet).content.decode()
    answer = browser(camp.ana).get(page_of(camp))
    assert (answer.status_code, "house rule" in answer.content.decode()) == (200, True)


def test_the_map_leads_whoever_runs_the_army_to_the_page(camp):
    make_map(by=camp.gm, campaign=camp.campaign)
    for army in (camp.levy, camp.raiders):
        put_army(by=camp.gm, army=army, hex="B2")
    board = reverse("armies:map", args=[camp.campaign.pk])
    shown = {user: browser(user).get(f"{board}?army={camp.levy.pk}").content.decode() for user in (camp.ana, camp.bo)}
    assert page_of(camp) in shown[camp.ana]
    assert page_of(camp) not in shown[camp.bo]


def test_an_army_is_divided_on_the_page(camp):
    shown = browser(camp.gm).get(page_of(camp)).content.decode()
    assert 'value="Levy"' in shown
    assert 'value="2nd Levy"' in shown or 'value="Levy 2"' in shown
    assert shown.count('value="250"') == 2
    answer, drawn = send(camp.gm, camp, "preview", shown, **{"part0-count": "300", "part1-count": "100"})
    assert (answer.status_code, "400 units in total, but you have 500" in drawn) == (422, True)
    answer, drawn = send(camp.gm, camp, "preview", drawn, **{
        "part0-count": "300", "part1-count": "200", "part1-name": "Vanguard", "part1-commander": str(camp.vell.pk),
        "part0-siege-engines": "1", "part1-siege-engines": "2",
    })  # fmt: skip
    assert answer.status_code == 200
    assert "6 hit points are lost" in drawn
    answer, _drawn = send(camp.gm, camp, "confirm", drawn)
    assert (answer.status_code, answer["Location"]) == (302, reverse("armies:army", args=[camp.levy.pk]))
    new = PathfinderArmy.objects.get(name="Vanguard")
    assert (new.count, new.commander, goods(new)) == (200, camp.vell, {"siege-engines": 2})
    assert goods(fresh(camp.levy)) == {"improved-armor": 1, "siege-engines": 1}


def test_armies_are_combined_on_the_page_and_a_change_meanwhile_is_told(camp):
    shown = browser(camp.gm).get(page_of(camp)).content.decode()
    assert "Second (500)" in shown
    answer, drawn = send(camp.gm, camp, "choose", shown, others=str(camp.second.pk), number="1")
    assert "Second: no longer an army of its own" in drawn
    assert "Gorth is free" in drawn
    correct_army(by=camp.gm, army=camp.second, hp=4)
    answer, again = send(camp.gm, camp, "confirm", drawn)
    assert (answer.status_code, fresh(camp.second).standing) == (412, True)
    answer, _drawn = send(camp.gm, camp, "confirm", again)
    assert (answer.status_code, fresh(camp.levy).count, fresh(camp.levy).hp) == (302, 1000, 20)


def test_only_armies_that_go_together_are_offered(camp):
    place_army(by=camp.gm, army=camp.second, place="The ford")
    shown = browser(camp.gm).get(page_of(camp)).content.decode()
    assert "Second (500)" not in shown
    assert "No other army of this unit type is here" in shown
    _answer, drawn = send(camp.gm, camp, "choose", shown, others=str(camp.raiders.pk))
    assert "Raiders" not in drawn


def test_a_wrong_number_stands_beside_its_field(camp):
    shown = browser(camp.gm).get(page_of(camp)).content.decode()
    for field, value in (("part1-count", "x"), ("part1-name", ""), ("number", "99"), ("part0-siege-engines", "9")):
        answer, drawn = send(camp.gm, camp, "preview", shown, **{field: value})
        assert (answer.status_code, "field-error" in drawn) == (422, True), field


def test_a_worn_army_is_regrouped_on_the_page(camp):
    correct_army(by=camp.gm, army=camp.levy, hp=5)
    shown = browser(camp.gm).get(page_of(camp)).content.decode()
    assert "of 500 units stay" in shown
    answer, _drawn = send(camp.gm, camp, "regroup")
    assert (answer.status_code, fresh(camp.levy).count) == (302, 157)
    answer, drawn = send(camp.gm, camp, "regroup")
    assert (answer.status_code, "nothing to regroup" in drawn) == (422, True)


def test_the_page_speaks_french(camp):
    client = browser(camp.gm)
    client.cookies["django_language"] = "fr"
    drawn = client.get(page_of(camp)).content.decode()
    assert "Répartir 500 unités" in drawn
    assert "Share out" not in drawn


def test_r94_a_document_brings_in_no_army_called_up_from_no_reserve(camp):
    document = taken_along(camp.campaign)
    row = document["tables"]["pathfinder_armies"][0]
    for wrong in ({"reserved_on": None, "called_up": 5}, {"reserved_on": 6, "called_up": 5}):
        row.update(wrong)
        with pytest.raises(InvalidInput, match="only be called up from reserve"):
            bring_in(camp.gm, document)
    row.update(reserved_on=3, called_up=5)
    assert bring_in(camp.gm, document).campaign.name == camp.campaign.name
