"""What is chosen for a week holds while it runs (R-81), days are counted (R-80), a kingdom checks once a day (R-79)."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.urls import reverse

from armies.marches.queries import build_traveller
from armies.marches.services import march_along, put_army
from armies.pathfinder.armies.march_services import march_army, reckon_march, rest_army
from armies.pathfinder.commanders.command_services import assign_commander, ransom_commander
from armies.pathfinder.commanders.services import update_commander
from armies.pathfinder.forces.specs import Road
from armies.pathfinder.models import PathfinderCommander, RestCheck, WeekChoices
from armies.weeks import services as time
from kingdom.chronicle.services import undo_last
from kingdom.map.services import make_map
from rules.core.errors import IllegalCommand, InvalidInput
from tests.armies.conftest import appointed, raised
from tests.armies.weeks.conftest import dice, now, pass_days, set_army, treasury
from tests.armies.weeks.test_pages import browser
from tests.everyday import everyday
from tests.kingdom.conftest import api_of
from tests.worlds import built_once


def undo(war: Any) -> None:
    undo_last(by=war.gm, campaign=now(war.campaign))


def propose(war: Any, days: int, **options: Any) -> Any:
    return time.propose_time(by=war.gm, campaign=now(war.campaign), days=days, **options)


@built_once
def scouts(quiet):
    ranger = appointed(quiet.gm, quiet.crown, "Ada", boons=[{"boon": "live-off-the-land"}])
    return set_army(raised(quiet.gm, quiet.crown, "Scouts", commander=ranger), consumption=6)


def spent_on(proposal: Any, army: Any) -> int:
    return next(pay.spent for pay in proposal.payments if pay.army == str(army.pk))


def test_r81_what_is_chosen_holds_when_the_passage_ends_before_the_week(quiet, scouts):
    pass_days(quiet.gm, quiet.campaign, 2, choices={"live_off_the_land": [str(scouts.pk)]})
    assert WeekChoices.objects.get().choices == {"live_off_the_land": [str(scouts.pk)]}
    assert spent_on(propose(quiet, 5), scouts) == 3
    assert [pay.spent for pay in propose(quiet, 12).payments if pay.name == "Scouts"] == [3, 6]


def test_r81_it_may_be_changed_until_the_week_ends_and_undo_brings_back_what_was_chosen(quiet, scouts):
    chosen = {"live_off_the_land": [str(scouts.pk)]}
    pass_days(quiet.gm, quiet.campaign, 2, choices=chosen)
    pass_days(quiet.gm, quiet.campaign, 2, choices={"live_off_the_land": []})
    assert spent_on(propose(quiet, 3), scouts) == 6
    undo(quiet)
    assert (now(quiet.campaign).day, WeekChoices.objects.get().choices) == (2, chosen)
    undo(quiet)
    assert (now(quiet.campaign).day, WeekChoices.objects.get().choices) == (0, {})


def test_r81_a_new_week_begins_without_choices(quiet, scouts):
    pass_days(quiet.gm, quiet.campaign, 7, choices={"live_off_the_land": [str(scouts.pk)]})
    assert spent_on(propose(quiet, 7), scouts) == 6


def test_r81_double_pay_and_a_commander_away_hold_too(quiet):
    crown = str(quiet.crown.pk)
    pass_days(quiet.gm, quiet.campaign, 3, choices={"pay_double": [crown], "commander_away": [str(quiet.levy.pk)]})
    pass_days(quiet.gm, quiet.campaign, 4)
    assert (now(quiet.levy).morale, treasury(quiet.crown)) == (0, 198)


def test_r81_who_can_do_it_no_longer_does_it_no_longer(quiet, scouts):
    pass_days(quiet.gm, quiet.campaign, 2, choices={"live_off_the_land": [str(scouts.pk)]})
    assign_commander(by=quiet.gm, army=now(scouts), commander=None)
    assert spent_on(propose(quiet, 5), scouts) == 6


def test_r80_the_gm_corrects_the_count_both_ways(quiet):
    PathfinderCommander.objects.filter(pk=quiet.vell.pk).update(away_until=30)
    levy = str(quiet.levy.pk)
    there = propose(quiet, 7, choices={"commander_present": [levy]})
    assert not any(line.subject_id == levy and line.field == "morale" for line in there.changes)
    PathfinderCommander.objects.filter(pk=quiet.vell.pk).update(away_until=None)
    away = propose(quiet, 7, choices={"commander_away": [levy]})
    assert any(line.subject_id == levy and line.field == "morale" for line in away.changes)
    with pytest.raises(InvalidInput, match="either away or with the army"):
        propose(quiet, 7, choices={"commander_away": [levy], "commander_present": [levy]})
    with pytest.raises(InvalidInput, match="no commander"):
        propose(quiet, 7, choices={"commander_present": [str(quiet.raiders.pk)]})


@pytest.mark.parametrize("day, led", everyday([(2, False), (3, True), (5, True)], first=2))
def test_r80_three_days_make_the_week_though_he_gives_up_the_command(quiet, day, led):
    pass_days(quiet.gm, quiet.campaign, day)
    assign_commander(by=quiet.gm, army=now(quiet.levy), commander=None)
    pass_days(quiet.gm, quiet.campaign, 7 - day)
    assert now(quiet.levy).morale == (0 if led else -1)
    pass_days(quiet.gm, quiet.campaign)
    assert now(quiet.levy).morale == (-1 if led else -2)


@pytest.mark.parametrize("day, led", [(4, True), (5, False)])
def test_r80_who_takes_command_late_has_too_few_days_this_week(quiet, day, led):
    assign_commander(by=quiet.gm, army=quiet.levy, commander=None)
    pass_days(quiet.gm, quiet.campaign, day)
    assign_commander(by=quiet.gm, army=now(quiet.levy), commander=now(quiet.vell))
    pass_days(quiet.gm, quiet.campaign, 7 - day)
    assert now(quiet.levy).morale == (0 if led else -1)


@pytest.mark.parametrize("day, led", [(2, False), (3, True)])
def test_r80_days_before_a_journey_count(quiet, day, led):
    pass_days(quiet.gm, quiet.campaign, day)
    update_commander(by=quiet.gm, commander=now(quiet.vell), away_until=60)
    pass_days(quiet.gm, quiet.campaign, 7 - day)
    assert now(quiet.levy).morale == (0 if led else -1)


@pytest.mark.parametrize("day, led", [(4, True), (5, False)])
def test_r80_days_of_captivity_before_the_ransom_do_not_count(quiet, day, led):
    PathfinderCommander.objects.filter(pk=quiet.vell.pk).update(status="captured", ransom=2)
    pass_days(quiet.gm, quiet.campaign, day)
    ransom_commander(by=quiet.gm, commander=now(quiet.vell))
    pass_days(quiet.gm, quiet.campaign, 7 - day)
    assert now(quiet.levy).morale == (0 if led else -1)


def test_r80_undoing_the_change_of_command_brings_the_count_back(quiet):
    pass_days(quiet.gm, quiet.campaign, 2)
    assign_commander(by=quiet.gm, army=now(quiet.levy), commander=None)
    undo(quiet)
    assert (now(quiet.levy).led_days, now(quiet.levy).led_to) == (0, 0)
    pass_days(quiet.gm, quiet.campaign, 5)
    assert now(quiet.levy).morale == 0


def test_r80_an_army_raised_with_its_commander_begins_with_a_whole_week(quiet):
    pass_days(quiet.gm, quiet.campaign, 6)
    fresh = raised(quiet.gm, quiet.crown, "Fresh", commander=appointed(quiet.gm, quiet.crown, "Ada"))
    pass_days(quiet.gm, quiet.campaign, 1)
    assert now(fresh).morale == 0


def test_r79_one_check_a_day_serves_every_army_that_rests_by_hand(quiet):
    guard = set_army(raised(quiet.gm, quiet.crown, "Guard"), hp=1)
    set_army(quiet.levy, hp=1)
    first = rest_army(by=quiet.gm, army=quiet.levy, rally=True, dice=[20])
    with pytest.raises(IllegalCommand, match="already made its Loyalty check"):
        rest_army(by=quiet.gm, army=guard, rally=True, dice=[1])
    second = rest_army(by=quiet.gm, army=guard, rally=True)
    assert (first.check.roll, second.check.roll, second.check.success) == (20, 20, True)
    assert RestCheck.objects.count() == 1


def test_r79_a_check_made_by_hand_serves_the_day_when_time_passes(quiet):
    guard = set_army(raised(quiet.gm, quiet.crown, "Guard"), hp=1)
    rest_army(by=quiet.gm, army=quiet.levy, rally=True, dice=[20])
    proposal = propose(quiet, 2, choices={"loyalty_check": [str(quiet.crown.pk)]},
                       typed=dice(rally=[(quiet.crown, 1)]))  # fmt: skip
    assert [roll.value for roll in proposal.rolls] == [1]
    healed = next(line for line in proposal.changes if line.subject_id == str(guard.pk) and line.field == "hp")
    assert healed.after == 1 + 3 * guard.acr


def test_r79_the_next_day_has_a_check_of_its_own(quiet):
    rest_army(by=quiet.gm, army=quiet.levy, rally=True, dice=[20])
    pass_days(quiet.gm, quiet.campaign, 1)
    assert rest_army(by=quiet.gm, army=now(quiet.levy), rally=True, dice=[1]).check.roll == 1


def test_r79_the_die_lies_though_the_rest_is_undone(quiet):
    rest_army(by=quiet.gm, army=quiet.levy, rally=True, dice=[1])
    undo(quiet)
    assert rest_army(by=quiet.gm, army=now(quiet.levy), rally=True).check.roll == 1


def test_r81_a_week_is_chosen_without_time_passing_by_page_and_api(quiet, scouts):
    address = f"/api/v1/campaigns/{quiet.campaign.pk}/week/"
    chosen = {"live_off_the_land": [str(scouts.pk)]}
    answer = api_of(quiet.gm).patch(address, {"choices": chosen}, format="json")
    assert (answer.status_code, answer.json()) == (200, {"week": 1, "ends": 7, "choices": chosen})
    page = browser(quiet.gm).get(reverse("armies:time", args=[quiet.campaign.pk])).content.decode()
    assert re.search(rf'name="live_off_the_land" value="{scouts.pk}"[^>]*checked', page)
    assert (
        "Live off the land: Scouts"
        in browser(quiet.gm).get(reverse("kingdom:campaign", args=[quiet.campaign.pk])).content.decode()
    )
    assert spent_on(propose(quiet, 7), scouts) == 3
    form = {"span": "week", "dice_by": "server", "do": "keep"}
    browser(quiet.gm).post(reverse("armies:time", args=[quiet.campaign.pk]), form)
    assert api_of(quiet.gm).get(address).json()["choices"] == {}
    assert now(quiet.campaign).day == 0
    undo(quiet)
    assert api_of(quiet.gm).get(address).json()["choices"] == chosen


@pytest.mark.parametrize("name, status", [("ana", 403), ("viewer", 403), ("stranger", 404)])
def test_only_the_gm_chooses_for_a_week(quiet, name, status):
    address = f"/api/v1/campaigns/{quiet.campaign.pk}/week/"
    api = api_of(getattr(quiet, name))
    assert api.get(address).status_code == status
    assert api.patch(address, {"choices": {}}, format="json").status_code == status


@pytest.mark.parametrize(
    "choices, pointer",
    [({"march": []}, "/choices/march"), ({"live_off_the_land": 3}, "/choices/live_off_the_land"),
     ({"commander_away": ["x"]}, "/choices/commander_away/0")],
)  # fmt: skip
def test_odd_choices_for_a_week_are_refused_with_the_pointer(quiet, choices, pointer):
    address = f"/api/v1/campaigns/{quiet.campaign.pk}/week/"
    answer = api_of(quiet.gm).patch(address, {"choices": choices}, format="json")
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, pointer)


def test_r80_a_commander_who_is_back_for_two_days_gives_the_week_no_boon(quiet, scouts):
    """PF-2.5: boons are given by an active commander, and three days make the week."""
    PathfinderCommander.objects.filter(pk=scouts.commander_id).update(away_until=5)
    pass_days(quiet.gm, quiet.campaign, 5)
    proposal = propose(quiet, 2, choices={"live_off_the_land": [str(scouts.pk)]})
    assert spent_on(proposal, scouts) == 6
    assert any(
        "had no active commander this week and can’t live off the land" in str(said) for said in proposal.warnings
    )


def test_r80_a_commander_who_made_the_week_gives_it_his_boon_though_he_left_since(quiet, scouts):
    pass_days(quiet.gm, quiet.campaign, 4, choices={"live_off_the_land": [str(scouts.pk)]})
    update_commander(by=quiet.gm, commander=scouts.leader, away_until=60)
    assert spent_on(propose(quiet, 3), scouts) == 3


def test_r80_the_gm_may_say_that_he_was_there(quiet, scouts):
    PathfinderCommander.objects.filter(pk=scouts.commander_id).update(away_until=60)
    key = str(scouts.pk)
    assert spent_on(propose(quiet, 7, choices={"live_off_the_land": [key], "commander_present": [key]}), scouts) == 3
    assert spent_on(propose(quiet, 7, choices={"live_off_the_land": [key]}), scouts) == 6


def test_r81_the_land_chosen_before_gives_way_to_a_commander_who_was_away(quiet, scouts):
    key = str(scouts.pk)
    pass_days(quiet.gm, quiet.campaign, 1, choices={"live_off_the_land": [key]})
    assert spent_on(propose(quiet, 6, choices={"commander_away": [key]}), scouts) == 6


def test_r81_who_lives_off_the_land_this_week_marches_at_half_its_speed(quiet, scouts):
    """PF-2.9: Consumption and speed are halved in a week in which it is used, however the march is ordered."""
    time.choose_week(by=quiet.gm, campaign=now(quiet.campaign), choices={"live_off_the_land": [str(scouts.pk)]})
    page = browser(quiet.gm).get(reverse("armies:army", args=[scouts.pk])).content.decode()
    assert "1 hex in two days" in page
    assert reckon_march(army=now(scouts), road=Road(4)).days == 4
    assert march_army(by=quiet.gm, army=now(scouts), place="Oleg’s", road=Road(4)).marching_until == 4
    undo(quiet)
    time.choose_week(by=quiet.gm, campaign=now(quiet.campaign), choices={"live_off_the_land": []})
    assert march_army(by=quiet.gm, army=now(scouts), place="Oleg’s", road=Road(4)).marching_until == 2


def test_r81_over_the_map_too(quiet, scouts):
    """PF-2.9: the way keeps the manner, which its preview, the hexes within reach and orders to many have as well."""
    make_map(by=quiet.gm, campaign=quiet.campaign, name="Here", columns=12, rows=8)
    put_army(by=quiet.gm, army=scouts, hex="A1")
    time.choose_week(by=quiet.gm, campaign=now(quiet.campaign), choices={"live_off_the_land": [str(scouts.pk)]})
    who = build_traveller(quiet.gm, now(scouts))
    assert (who.to("E1").days, set(who.reach(1).values()), len(who.reach(1))) == (4, {1}, 2)
    army = march_along(by=quiet.gm, army=now(scouts), path=["B1", "C1"])
    assert (army.way.manner, army.way.until) == (("land",), 2)
    PathfinderCommander.objects.filter(army=scouts.pk).update(away_until=3)  # who knows how is not with it
    assert build_traveller(quiet.gm, now(scouts)).to("E1").days == 2


def test_r81_a_march_and_a_week_that_do_not_fit_are_told_before_time_passes(quiet, scouts):
    """PF-2.9: an army that set out at full speed and then is to live off the land, and one the other way round."""
    make_map(by=quiet.gm, campaign=quiet.campaign, name="Here", columns=12, rows=8)
    put_army(by=quiet.gm, army=scouts, hex="A1")
    feeds = {"live_off_the_land": [str(scouts.pk)]}
    march_along(by=quiet.gm, army=now(scouts), path=["B1", "C1"])
    assert [str(said) for said in propose(quiet, 1).warnings] == []
    assert "Scouts: living off the land this week, but on the march at full speed. The speed should be halved." in [
        str(said) for said in propose(quiet, 1, choices=feeds).warnings
    ]
    undo(quiet)
    march_along(by=quiet.gm, army=now(scouts), path=["B1", "C1"], manner=["land"])
    assert any("isn’t chosen for this week" in str(said) for said in propose(quiet, 1).warnings)
    assert [str(said) for said in propose(quiet, 1, choices=feeds).warnings] == []
