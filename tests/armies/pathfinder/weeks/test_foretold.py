"""What panel, due list, outlook and API foretell is the week that comes (PF-7.2, PF-2.7, PF-1.9)."""

from __future__ import annotations

from typing import Any
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from armies.pathfinder.models import ArmyWeek, PathfinderArmy, PathfinderCommander, WeekChoices
from armies.pathfinder.weeks import outlook
from armies.pathfinder.weeks.outlook import build_outlook, foresee
from armies.pathfinder.weeks.weeks import list_weekly_due
from armies.weeks import services as time
from armies.weeks.queries import list_due
from kingdom.models import Campaign, Kingdom, Membership
from kingdom.realms import treasury_services
from tests.armies.weeks.conftest import now, pass_days, set_army
from tests.everyday import at_most
from tests.kingdom.conftest import api_of, make_user

FORAGE = [{"boon": "live-off-the-land", "tactic": None}]

army = st.fixed_dictionaries(
    {
        "kingdom": st.integers(0, 1),
        "status": st.sampled_from(["ready", "ready", "ready", "routed", "disbanded"]),
        "morale": st.sampled_from([-4, -4, -3, -2, 0, 2]),
        "owed": st.sampled_from([0, 0, 0, 2, 30]),
        "consumption": st.sampled_from([0, 1, 2, 5, 9]),
        "surcharge": st.sampled_from([0, 0, 3]),
        "count": st.sampled_from([100, 500]),
        "foraging": st.sampled_from([None, 0, 1]),
        "marching": st.sampled_from([None, None, 1, 4]),
        "led_days": st.integers(0, 5),
        "led_to": st.integers(0, 13),
        "leader": st.sampled_from([None, "free", "free", "captured"]),
        "away": st.sampled_from([None, None, 1, 2, 3, 4, 6, 30]),
        "active_days": st.sampled_from([7, 7, 3, 2, 0]),
        "chosen": st.sampled_from([None, None, "live_off_the_land", "commander_away", "commander_present"]),
        "reserved_on": st.sampled_from([None, None, 0, 3, 7]),
        "called_up": st.sampled_from([None, None, 1, 4, 7]),
    }
)
campaigns = st.fixed_dictionaries(
    {
        "day": st.integers(0, 13),
        "month": st.integers(3, 12),
        "armies": st.lists(army, min_size=1, max_size=6),
        "treasuries": st.lists(st.sampled_from([-3, 0, 4, 10, 30, 200]), min_size=2, max_size=2),
        "consumption": st.sampled_from([0, 0, 4, 40]),
        "double": st.booleans(),
        "free": st.sampled_from([False, False, True]),
        "needs": st.booleans(),
        "reform": st.booleans(),
    }
)


def founded(drawn: dict[str, Any], gm: Any) -> tuple[Campaign, list[Kingdom]]:
    campaign = Campaign.objects.create(
        name="C", ruleset="combat-de-masse", day=drawn["day"], house_rules={"reform": drawn["reform"]},
        calendar={"months": [{"name": name, "days": drawn["month"]} for name in ("One", "Two", "Three")]},
    )  # fmt: skip
    kingdoms = [
        Kingdom.objects.create(
            campaign=campaign,
            name=f"K{place}",
            consumption=drawn["consumption"],
            without_treasury=drawn["free"] and place == 1,
            needs_commanders=drawn["needs"],
        )
        for place in range(2)
    ]
    for kingdom, bp in zip(kingdoms, drawn["treasuries"], strict=True):
        if bp:
            treasury_services.append(kingdom=kingdom, amount=bp, reason="Found", source="manual", by=gm, day=0)
    chosen: dict[str, list[str]] = {"pay_double": [str(kingdoms[0].pk)]} if drawn["double"] else {}
    for figures in drawn["armies"]:
        one = mustered(campaign, kingdoms, dict(figures))
        if (name := figures["chosen"]) and one.standing:
            chosen.setdefault(name, []).append(str(one.pk))
    WeekChoices.objects.create(campaign=campaign, week=drawn["day"] // 7, choices=chosen)
    return campaign, kingdoms


def mustered(campaign: Campaign, kingdoms: list[Kingdom], figures: dict[str, Any]) -> PathfinderArmy:
    kingdom, leader, away = kingdoms[figures.pop("kingdom")], figures.pop("leader"), figures.pop("away")
    active, marching, _chosen = figures.pop("active_days"), figures.pop("marching"), figures.pop("chosen")
    since, back = figures.pop("reserved_on"), figures.pop("called_up")
    if since is not None and since <= campaign.day:
        figures |= {"reserved_on": since, "called_up": back and campaign.day + back}
    commander = leader and PathfinderCommander.objects.create(
        campaign=campaign, kingdom=kingdom, name="V", status=leader, boons=FORAGE, active_days=active,
        away_until=away and max(0, campaign.day - 2 + away),
    )  # fmt: skip
    return PathfinderArmy.objects.create(
        campaign=campaign, kingdom=kingdom, name="A", unit={}, commander=commander, hp=5, hp_max=9,
        arrears=figures["owed"] > 0, marching_until=marching and campaign.day + marching, **figures,
    )  # fmt: skip


class TheWeekComesAsItWasForetold(TestCase):
    @settings(max_examples=at_most(3, full=settings.default.max_examples // 2))
    @given(campaigns)
    def test_any_campaign(self, drawn):
        gm = make_user("gm")
        campaign, kingdoms = founded(drawn, gm)
        Membership.objects.create(campaign=campaign, user=gm, role="gm")
        panel = {str(due.kingdom.pk): due for due in list_weekly_due(gm, campaign)}
        listed = api_of(gm).get(f"/api/v1/campaigns/{campaign.pk}/due/").json()
        outlooks = {str(one.pk): build_outlook(now(one)) for one in kingdoms}
        with mock.patch.object(outlook, "NAMED", 0):  # as the tables tell it
            counted = foresee(campaign, Kingdom.objects.filter(campaign=campaign))
        payments = pass_the_week(gm, campaign)
        for kingdom in kingdoms:
            key = str(kingdom.pk)
            foretold = panel[key].foretold
            assert foretold == outlooks[key].coming
            assert foretold._replace(week=without_names(foretold)) == counted[key]._replace(
                week=without_names(counted[key])
            )
            assert_came(foretold, now(kingdom), [pay for pay in payments if pay.kingdom == key])
            texts = [line["text"] for line in listed if line["kingdom"] == key]
            assert_listed(foretold.week, texts, free=kingdom.without_treasury)
            if kingdom.without_treasury:
                assert (outlooks[key].ahead, foretold.asked) == ((), 0)
            elif not foretold.short:
                assert outlooks[key].ahead[0].balance == foretold.after
            assert_due(outlooks[key].due, panel[key], [pay for pay in payments if pay.kingdom == key])
            if not foretold.week.deserting:
                assert_goes_on(outlooks[key], build_outlook(now(kingdom)).due, drawn["month"])


def without_names(foretold: Any) -> Any:
    return foretold.week._replace(deserters=len(foretold.week.deserters))


def pass_the_week(gm: Any, campaign: Campaign) -> Any:
    """As it was proposed."""
    days = campaign.days_to_upkeep
    proposal = time.propose_time(by=gm, campaign=campaign, days=days)
    time.confirm_time(by=gm, campaign=campaign, days=days, mark=proposal.mark)
    return proposal.payments


def assert_came(foretold: Any, kingdom: Kingdom, payments: Any) -> None:
    week = foretold.week
    rows = list(ArmyWeek.objects.filter(kingdom_id=kingdom.pk, day=week.day))
    assert kingdom.treasury == foretold.after
    owed = 0 if kingdom.without_treasury else sum(row.owed_before for row in rows)
    assert (week.armies, week.due, week.owed, week.spent) == (
        len(rows), sum(row.due or 0 for row in rows), owed, sum(row.paid for row in rows),
    )  # fmt: skip
    assert (week.unpaid, week.doubled) == (
        sum(not pay.paid for pay in payments), sum(pay.double for pay in payments),
    )  # fmt: skip
    assert week.deserting == sum(row.status_after == "disbanded" for row in rows)
    poor = sum(row.morale_before == -4 for row in rows)
    lost = sum(row.morale_after < row.morale_before for row in rows)
    assert lost <= week.losing <= lost + poor
    assert foretold.short == any(row.owed_after for row in rows)


def assert_due(due: Any, panel: Any, payments: Any) -> None:
    """What outlook and panel say is due is the Consumption of the coming week, before its choices (PF-7.2, R-94)."""
    assert (due.weekly, due.reserve) == (panel.weekly, panel.reserve)
    lines = [line for pay in payments for line in pay.due.lines]
    consumed, spared = (sum(line.value for line in lines if line.rule == rule) for rule in ("PF-1.7", "R-94"))
    assert due.weekly + due.reserve == consumed
    assert spared in (0, -due.reserve)


def assert_goes_on(outlook: Any, due: Any, month: int) -> None:
    """The second week was foretold as the outlook at its beginning says that it costs."""
    end = outlook.coming.week.day
    begun = sum(day % month == 0 for day in range(end + 1, end + 8))
    for second in outlook.ahead[1:2]:
        assert second.due == due.weekly + begun * due.monthly + (begun > 0) * due.reserve


def assert_listed(week: Any, texts: list[str], *, free: bool) -> None:
    said = " ".join(texts)
    assert (f"treasury {signed(week.purse)} → {signed(week.purse - week.spent)}" in said) == bool(
        week.armies and not free
    )
    assert (f"Armies without an active commander: {week.losing}. Morale −1" in said) == bool(week.losing)
    assert (f"Armies disbanded by broken morale: {week.deserting} (" in said) == bool(week.deserting)
    assert (f"Unpaid armies: {week.unpaid}." in said) == bool(week.unpaid)


def signed(bp: int) -> str:
    return str(bp).replace("-", "−")


@pytest.mark.parametrize("day, back, lost", [(0, 2, 0), (6, 6, 1), (0, 5, 1), (0, 4, 0)])
def test_r80_the_panel_counts_a_commanders_days_as_the_week_does(quiet, day, back, lost):
    """Back on day 2 they have five days left of the week; back on day 6, with the command counted since, one."""
    Campaign.objects.filter(pk=quiet.campaign.pk).update(day=day)
    PathfinderCommander.objects.filter(pk=quiet.vell.pk).update(away_until=back)
    due = next(due for due in list_weekly_due(quiet.gm, now(quiet.campaign)) if due.kingdom == quiet.crown)
    assert due.week.losing == lost
    pass_days(quiet.gm, quiet.campaign, 7 - day)
    assert now(quiet.levy).morale == -lost


def test_arrears_are_part_of_what_is_foretold(quiet):
    set_army(quiet.levy, owed=30, arrears=True)
    due = next(due for due in list_weekly_due(quiet.gm, quiet.campaign) if due.kingdom == quiet.crown)
    assert (due.week.spent, due.foretold.after) == (31, 169)


def test_a_month_that_begins_before_the_week_ends_comes_first(war, monkeypatch):
    Campaign.objects.filter(pk=war.campaign.pk).update(calendar={"months": [{"name": "Short", "days": 3}]})
    Kingdom.objects.filter(pk=war.crown.pk).update(consumption=110)
    for named in (outlook.NAMED, 0):  # 0: as the tables tell it
        monkeypatch.setattr(outlook, "NAMED", named)
        due = next(due for due in list_weekly_due(war.gm, now(war.campaign)) if due.kingdom == war.crown)
        assert (due.week.purse, due.week.unpaid, due.foretold.after) == (-20, 1, -20)
    texts = [str(line.text) for line in list_due(war.gm, now(war.campaign))]
    assert "Upkeep phase: Stability check." in texts, "the horde consumes nothing"
    assert "Upkeep phase: Stability check, Consumption of 110 BP." in texts


def test_a_desertion_at_morale_minus_four_is_foreseen_by_name(quiet):
    set_army(quiet.raiders, morale=-4)
    texts = [str(line.text) for line in list_due(quiet.gm, quiet.campaign)]
    assert any("broken morale: 1 (Raiders)" in text for text in texts)
    pass_days(quiet.gm, quiet.campaign)
    assert now(quiet.raiders).status == "disbanded"


def test_many_armies_are_foretold_in_few_queries(quiet, django_assert_max_num_queries, monkeypatch):
    monkeypatch.setattr(outlook, "NAMED", 0)
    with django_assert_max_num_queries(12):
        list_weekly_due(quiet.gm, quiet.campaign)
