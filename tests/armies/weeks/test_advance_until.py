"""Advance until something happens: the forecast finds the day, the ordinary proposal and confirmation take it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.urls import reverse

from armies.weeks.passage import TimeStop
from armies.weeks.queries import MOST_WEEKS, find_days
from armies.weeks.services import propose_time
from kingdom.models import ChronicleEntry, Kingdom
from rules.core.errors import InvalidInput
from tests.armies.weeks.conftest import now, pass_days, set_army
from tests.armies.weeks.test_api import url as api_url
from tests.armies.weeks.test_pages import address, browser, confirmed, form, mark_of, text_of
from tests.kingdom.conftest import api_of


def days_to(war: Any, stop: TimeStop) -> int:
    return find_days(by=war.gm, campaign=now(war.campaign), stop=stop)


def last_day_events(war: Any, stop: TimeStop, days: int) -> list[int]:
    """The events that the proposal of so many days tells, by day."""
    events = propose_time(by=war.gm, campaign=now(war.campaign), days=days).events
    return [event.day for event in events if event.kind == stop]


def test_an_arrival_is_the_first_march_that_ends(quiet):
    set_army(quiet.raiders, marching_until=12)
    set_army(quiet.levy, marching_until=5)
    assert days_to(quiet, TimeStop.ARRIVAL) == 5


def test_a_recovery_is_found_where_the_proposal_of_so_many_days_tells_it_and_not_a_week_before(quiet):
    """PF-7.1, PF-7.5."""
    set_army(quiet.raiders, hp=1)
    days = days_to(quiet, TimeStop.RECOVERY)
    assert last_day_events(quiet, TimeStop.RECOVERY, days) == [days]
    assert last_day_events(quiet, TimeStop.RECOVERY, max(1, days - 7)) == []
    pass_days(quiet.gm, quiet.campaign, days)
    assert now(quiet.raiders).hp == now(quiet.raiders).hp_max


def test_a_treasury_that_cannot_pay_its_armies_counts_as_empty(quiet):
    """PF-7.2."""
    Kingdom.objects.filter(pk=quiet.crown.pk).update(treasury=3)
    days = days_to(quiet, TimeStop.EMPTY_TREASURY)
    assert last_day_events(quiet, TimeStop.EMPTY_TREASURY, days)
    assert not last_day_events(quiet, TimeStop.EMPTY_TREASURY, days - 7)


@pytest.mark.parametrize("stop", [TimeStop.ARRIVAL, TimeStop.RECOVERY])
def test_where_nothing_comes_within_a_year_it_says_so(quiet, stop):
    with pytest.raises(InvalidInput, match=str(MOST_WEEKS)) as refused:
        days_to(quiet, stop)
    assert [pointer for pointer, _text in refused.value.errors] == ["/to"]


def test_the_page_previews_the_days_until_then_and_confirms_them_in_one_entry(quiet):
    set_army(quiet.levy, marching_until=9)
    client = browser(quiet.gm)
    page = text_of(client.post(address(quiet), form(quiet, span="arrival", do="preview")))
    assert "From day 0 to day 9" in page
    assert "Levy: arrival at an unknown place on day 9." in page
    assert confirmed(client, quiet, span="arrival").status_code == 302
    assert now(quiet.campaign).day == 9
    assert ChronicleEntry.objects.filter(kind=ChronicleEntry.Kind.WEEK).count() == 1
    page = text_of(client.get(address(quiet)))
    assert re.search(r"<dt>Arrived</dt><dd>Levy</dd>", page)


def test_the_page_says_where_nothing_comes(quiet):
    page = browser(quiet.gm).post(address(quiet), form(quiet, span="arrival", do="preview"))
    assert page.status_code == 422
    assert "No army arrives in the next 52 weeks. Choose how many days to advance." in text_of(page)


DATES = {
    ("8", "1", "1"): (200, "From day 0 to day 7"),
    ("1", "1", "1"): (422, "Choose a date after today."),
    ("30", "2", "1"): (422, "This date isn’t in the campaign’s calendar."),
    ("1", "1", "9"): (422, "Choose a date within the next 366 days."),
}


def test_time_passes_to_a_date_of_the_campaigns_calendar(war):
    for (day, month, year), (status, told) in DATES.items():
        sent = form(war, span="date", to_day=day, to_month=month, to_year=year, do="preview")
        page = browser(war.gm).post(address(war), sent)
        assert (page.status_code, told in text_of(page)) == (status, True), told


def test_by_api_to_names_the_event(quiet):
    set_army(quiet.levy, marching_until=9)
    api = api_of(quiet.gm)
    body = api.post(api_url(quiet), {"to": "arrival"}, format="json").json()
    assert body["until"] == 9
    assert [(event["event"], event["day"]) for event in body["events"]] == [("arrival", 9)]
    refused = api.post(api_url(quiet), {"to": "recovery"}, format="json")
    assert refused.status_code == 400
    assert "/to" in refused.content.decode()
    assert api_of(quiet.ana).post(api_url(quiet), {"to": "arrival"}, format="json").status_code == 403


def test_a_row_an_army_with_those_in_trouble_first(quiet):
    """The leaderless horde loses morale (PF-2.7); the levy only heals."""
    set_army(quiet.levy, hp=1)
    page = text_of(browser(quiet.gm).post(address(quiet), form(quiet, do="preview")))
    rows = page.partition('class="army-weeks"')[2]
    assert rows.index("Raiders") < rows.index("Levy")
    assert "bad-week" in rows.partition("Levy")[0]
    assert "bad-week" not in rows.partition("Levy")[2].partition("</form>")[0]


def test_afterwards_the_page_tells_who_healed_what_was_paid_and_who_is_in_trouble(quiet):
    set_army(quiet.levy, hp=1)
    pass_days(quiet.gm, quiet.campaign)
    page = text_of(browser(quiet.gm).get(address(quiet)))
    facts = page.partition('class="week-facts"')[2].partition("</dl>")[0]
    assert re.search(r"<dt>Healed</dt> <dd> Levy 1 → \d+ </dd>", facts)
    assert re.search(r"<dt>Treasuries</dt> <dd> Crown of Restov 200 → 199", facts)
    assert "Raiders" in facts.partition("Problems")[2].partition("</div>")[0]


def test_the_campaigns_page_leads_to_the_preview_of_the_weeks_end(war):
    client = browser(war.gm)
    board = client.get(reverse("kingdom:campaign", args=[war.campaign.pk])).content.decode()
    assert f'href="{address(war)}?for=week#what-happens"' in board
    page = client.get(address(war), {"for": "week"})
    assert "From day 0 to day 7" in text_of(page)
    sent = mark_of(client.post(address(war), form(war, do="preview")))
    assert mark_of(page) == sent
    assert now(war.campaign).day == 0
    assert "From day 0 to day 7" not in text_of(browser(war.ana).get(address(war), {"for": "week"}))
