"""What a kingdom plans comes and goes by itself as time passes: counted ahead, entered, paid from, taken back."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import Http404
from django.test import Client

from armies.pathfinder.weeks.outlook import build_outlook
from armies.weeks.queries import list_due
from core.text import render
from kingdom.campaign.services import create_campaign
from kingdom.chronicle import changes
from kingdom.models import Campaign, Kingdom, LedgerEntry
from kingdom.realms.planned_services import change_line, plan_line, strike_line
from kingdom.realms.services import found_kingdom
from kingdom.realms.treasury_services import record_entry
from rules.core.errors import InvalidInput
from rules.realm import MOST_LINES
from tests.armies.weeks.conftest import now, pass_days, treasury
from tests.everyday import everyday
from tests.kingdom.conftest import api_of, make_user, seat


def lines(kingdom: Kingdom) -> list[tuple[str, int]]:
    entries = LedgerEntry.objects.filter(kingdom=kingdom).order_by("seq")
    return [(render(entry.told), entry.amount) for entry in entries]


def test_what_is_planned_is_there_before_armies_are_paid(quiet):
    kingdom, gm = quiet.crown, quiet.gm
    record_entry(by=gm, kingdom=kingdom, amount=-treasury(kingdom), reason="Spent")
    due = build_outlook(now(kingdom)).due.weekly
    assert due > 0
    plan_line(by=gm, kingdom=kingdom, name="Tribute", amount=due + 2)
    foretold = build_outlook(now(kingdom)).coming
    assert (foretold.planned, foretold.after, foretold.short) == (due + 2, 2, False)
    pass_days(gm, quiet.campaign)
    assert lines(kingdom)[-2:] == [("Tribute", due + 2), ("Armies, week 1", -due)]
    assert treasury(kingdom) == 2
    entry = LedgerEntry.objects.filter(kingdom=kingdom, source="planned").get()
    assert entry.day == 7


def test_a_treasury_may_fall_below_nothing_by_what_is_planned(quiet):
    kingdom, gm = quiet.crown, quiet.gm
    held = treasury(kingdom)
    plan_line(by=gm, kingdom=kingdom, name="Tribute to the dragon", amount=-held - 5, until=7)
    pass_days(gm, quiet.campaign)
    assert treasury(kingdom) == -5
    pass_days(gm, quiet.campaign)
    assert treasury(kingdom) == -5  # it is over, and armies go unpaid


def test_weeks_ahead_count_what_is_planned(quiet):
    kingdom, gm = quiet.crown, quiet.gm
    before = build_outlook(now(kingdom))
    plan_line(by=gm, kingdom=kingdom, name="Tribute", amount=before.due.weekly)
    after = build_outlook(now(kingdom))
    assert after.endless
    assert {week.balance for week in after.ahead} == {treasury(kingdom)}


def test_time_taken_back_takes_back_what_was_planned_and_the_ledger_says_so(quiet):
    kingdom, gm = quiet.crown, quiet.gm
    held = treasury(kingdom)
    plan_line(by=gm, kingdom=kingdom, name="Tribute", amount=9)
    entry = pass_days(gm, quiet.campaign)
    changes.undo(campaign=quiet.campaign, entry=entry, by=gm)
    assert treasury(kingdom) == held
    assert lines(kingdom)[-1][0] == "Undone: 7 days passed: day 0 to 7."
    assert now(kingdom).planned_lines[0].name == "Tribute"


def test_a_line_is_planned_changed_struck_and_each_is_taken_back(quiet):
    kingdom, gm = quiet.crown, quiet.gm
    line = plan_line(by=gm, kingdom=kingdom, name="Wages", amount=-3, every="month")
    change_line(by=gm, kingdom=kingdom, line=line.id, amount=-4)
    assert now(kingdom).planned_lines == (line._replace(amount=-4),)
    strike_line(by=gm, kingdom=kingdom, line=line.id)
    assert now(kingdom).planned_lines == ()
    for left in (line._replace(amount=-4), line, None):
        entry = quiet.campaign.chronicle.filter(undone_at=None).first()
        changes.undo(campaign=quiet.campaign, entry=entry, by=gm)
        assert now(kingdom).planned_lines == ((left,) if left else ())


@pytest.mark.parametrize(
    "given, field",
    [
        ({"amount": 0}, "/amount"),
        ({"amount": 10**9}, "/amount"),
        ({"name": " "}, "/name"),
        ({"every": "hour"}, "/every"),
        ({"since": 9, "until": 9}, "/until"),
        ({"since": -1}, "/since"),
    ],
)
def test_what_cannot_be_planned_is_refused_beside_its_field(quiet, given, field):
    with pytest.raises(InvalidInput) as refused:
        plan_line(by=quiet.gm, kingdom=quiet.crown, **{"name": "Wages", "amount": -3, **given})
    assert [pointer for pointer, _said in refused.value.errors] == [field]
    assert now(quiet.crown).planned == []


def test_no_more_lines_than_anybody_reads(quiet):
    kingdom = now(quiet.crown)
    kingdom.planned = [{"id": str(number), "name": "x", "amount": 1} for number in range(MOST_LINES)]
    kingdom.save(update_fields=["planned"])
    with pytest.raises(InvalidInput):
        plan_line(by=quiet.gm, kingdom=kingdom, name="Wages", amount=-3)
    with pytest.raises(Http404):
        strike_line(by=quiet.gm, kingdom=kingdom, line="nowhere")


@pytest.mark.parametrize("law", everyday(["breaking-point", "coin", "combat-de-masse", "turns"], first=2))
def test_under_every_law_what_is_planned_falls_and_is_seen_ahead(db, law):
    gm = make_user("planner")
    campaign: Campaign = create_campaign(by=gm, name="Marches", ruleset=law)
    kingdom = found_kingdom(by=gm, campaign=campaign, name="Crown")
    held = treasury(kingdom)
    plan_line(by=gm, kingdom=kingdom, name="Taxes", amount=5)
    (due,) = [line for line in list_due(gm, Campaign.objects.get(pk=campaign.pk)) if "Taxes" in render(line.text)]
    assert (due.day, render(due.text)) == (7, "Taxes: +5 BP, each week.")
    entry = pass_days(gm, campaign, 14)
    assert treasury(kingdom) == held + 10
    changes.undo(campaign=campaign, entry=entry, by=gm)
    assert treasury(kingdom) == held


def test_programs_plan_and_read_only_what_they_may(quiet):
    gm, kingdom = api_of(quiet.gm), quiet.crown
    url = f"/api/v1/kingdoms/{kingdom.pk}/planned/"
    made = gm.post(url, {"name": "Taxes", "amount": 4, "every": "month"}, format="json")
    assert made.status_code == 201, made.json()
    line = made.json()
    assert gm.get(url).json() == [line]
    assert gm.patch(f"{url}{line['id']}/", {"amount": 6}, format="json").json()["amount"] == 6
    assert gm.patch(f"{url}{line['id']}/", {"amount": 0}, format="json").status_code == 400
    other = api_of(seat(quiet.gm, quiet.campaign, make_user("looker"), "player"))
    assert other.get(url).status_code == 404
    assert other.post(url, {"name": "x", "amount": 1}, format="json").status_code in (403, 404)
    assert gm.delete(f"{url}{line['id']}/").status_code == 204
    assert gm.delete(f"{url}{line['id']}/").status_code == 404


def test_the_ledger_page_plans_sums_and_filters(quiet):
    kingdom, gm = quiet.crown, quiet.gm
    browser: Any = Client()
    browser.force_login(gm)
    url = f"/kingdoms/{kingdom.pk}/ledger/"
    sent = {"plan-name": "Canary tax", "plan-amount": "12000", "plan-every": "week", "plan-until": ""}
    assert browser.post(f"/kingdoms/{kingdom.pk}/planned/", sent).status_code == 302
    page = browser.get(url).content.decode()
    assert "Canary tax" in page
    assert "Total: +12,000 BP each week." in page
    refused = browser.post(f"/kingdoms/{kingdom.pk}/planned/", sent | {"plan-amount": "0"})
    assert refused.status_code == 422
    assert "changes nothing" in refused.content.decode()
    line = now(kingdom).planned_lines[0]
    edited = {"name": "Canary tax", "amount": "7", "every": "week", "until": "30"}
    assert browser.post(f"/kingdoms/{kingdom.pk}/planned/{line.id}/", edited).status_code == 302
    record_entry(by=gm, kingdom=kingdom, amount=-3, reason="A lost wheel")
    page = browser.get(url, {"direction": "out", "since": "0", "until": "6"}).content.decode()
    assert "1 entry: income +0, expenses −3, net −3 BP." in page
    assert "No matching entries" in browser.get(url, {"since": "4"}).content.decode()
    assert browser.post(f"/kingdoms/{kingdom.pk}/planned/{line.id}/strike/").status_code == 302
    assert now(kingdom).planned == []
