"""The page on which time passes, as a browser without JavaScript (and htmx) asks for it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from armies.pathfinder.weeks import services as weeks_services
from kingdom.campaign.services import create_campaign, update_campaign
from kingdom.models import Campaign, User
from tests.armies.conftest import appointed, orc, raised
from tests.armies.weeks.conftest import now, set_army, treasury
from tests.everyday import at_most, by_turns

HTMX = {"HX-Request": "true"}


def browser(user: User, **headers: str) -> Client:
    client = Client(headers=headers)
    client.force_login(user)
    return client


def address(war: Any, name: str = "time") -> str:
    return reverse(f"armies:{name}", args=(war.campaign.pk,))


def text_of(response: Any) -> str:
    return re.sub(r"\s+", " ", response.content.decode())


def form(war: Any, **fields: Any) -> dict[str, Any]:
    """What the form sends when nothing is touched."""
    every = [str(war.crown.pk), str(war.horde.pk)]
    return {"span": "week", "days": "", "dice_by": "server", "day": "0", "run_upkeep": every, **fields}


def mark_of(response: Any) -> str:
    return re.search(r'name="mark" value="(\w+)"', response.content.decode())[1]  # type: ignore[index]


def confirmed(client: Client, war: Any, **fields: Any) -> Any:
    """What was shown, confirmed."""
    mark = mark_of(client.post(address(war), form(war, **fields, do="preview")))
    return client.post(address(war), form(war, **fields, do="confirm", mark=mark))


def test_the_page_shows_the_date_and_what_falls_due(war):
    page = text_of(browser(war.gm).get(address(war)))
    assert "Monday, 1 January 1" in page
    assert "week 1, day 0" in page
    assert "Consumption: 1 BP for one army (treasury 200 → 199)." in page
    assert "Armies without an active commander: 1." in page


def test_the_board_shows_the_date_and_leads_here(war):
    board = reverse("kingdom:campaign", args=(war.campaign.pk,))
    page = text_of(browser(war.gm).get(board))
    assert address(war) in page
    assert "Monday, 1 January 1" in page
    assert "Show what’s due" in text_of(browser(war.ana).get(board))


def test_where_nothing_falls_due_a_gm_is_not_told_that_he_may_not_know_of_it(war):
    empty = create_campaign(by=war.gm, name="Nothing yet", ruleset="combat-de-masse")
    page = text_of(browser(war.gm).get(reverse("armies:time", args=(empty.pk,))))
    assert "Nothing is due." in page
    assert "that you can see" not in page


def test_members_read_what_concerns_them_and_find_no_form(war):
    player = text_of(browser(war.ana).get(address(war)))
    assert "Crown of Restov" in player
    assert "Greenbelt horde" not in player
    assert '<form id="pass"' not in player
    assert "Greenbelt horde" in text_of(browser(war.viewer).get(address(war)))
    assert browser(war.stranger).get(address(war)).status_code == 404
    assert Client().get(address(war)).status_code == 302


def test_nobody_but_the_gm_lets_time_pass(war):
    for user, status in ((war.ana, 403), (war.viewer, 403), (war.stranger, 404)):
        assert browser(user).post(address(war), form(war, do="confirm")).status_code == status
        assert browser(user).post(address(war, "time_undo")).status_code == status
    assert now(war.campaign).day == 0


def test_preview_confirm_undo_with_plain_forms(quiet):
    set_army(quiet.levy, hp=1)
    client = browser(quiet.gm)
    preview = client.post(address(quiet), form(quiet, do="preview"))
    page = text_of(preview)
    assert "Preview" in page
    for part in ("Levy", "PF-7.1", "PF-2.7", "No active commander in week 1", "Week 1: payments by Crown of Restov"):
        assert part in page
    assert now(quiet.campaign).day == 0
    done = client.post(address(quiet), form(quiet, do="confirm", mark=mark_of(preview)), follow=True)
    assert "7 days passed: day 0 to 7." in text_of(done)
    assert (now(quiet.campaign).day, now(quiet.levy).hp, treasury(quiet.crown)) == (7, 16, 199)
    entry = re.search(r'name="entry" value="([\w-]+)"', done.content.decode())[1]  # type: ignore[index]
    undone = client.post(address(quiet, "time_undo"), {"entry": entry}, follow=True)
    assert "Undone: 7 days passed" in text_of(undone)
    assert (now(quiet.campaign).day, now(quiet.levy).hp, treasury(quiet.crown)) == (0, 1, 200)
    again = client.post(address(quiet, "time_undo"), {"entry": entry}, follow=True)
    assert again.redirect_chain == [(address(quiet), 302)]
    assert "already been undone" in text_of(again)


def test_a_double_click_on_confirm_lets_one_week_pass(quiet):
    client = browser(quiet.gm)
    mark = mark_of(client.post(address(quiet), form(quiet, do="preview")))
    first = client.post(address(quiet), form(quiet, do="confirm", mark=mark))
    second = client.post(address(quiet), form(quiet, do="confirm", mark=mark))
    assert (first.status_code, second.status_code) == (302, 412)
    assert "It is now day 7, not day 0" in text_of(second)
    assert "Preview" in text_of(second)
    assert now(quiet.campaign).day == 7


def test_what_nobody_was_shown_is_shown_before_it_is_done(quiet):
    answer = browser(quiet.gm).post(address(quiet), form(quiet, do="confirm"))
    assert (answer.status_code, "Preview" in text_of(answer)) == (412, True)
    assert now(quiet.campaign).day == 0


def test_a_world_that_moved_shows_the_new_proposal(quiet):
    client = browser(quiet.gm)
    mark = mark_of(client.post(address(quiet), form(quiet, do="preview")))
    set_army(quiet.raiders, morale=-2)
    stale = client.post(address(quiet), form(quiet, do="confirm", mark=mark))
    assert stale.status_code == 412
    assert "Something has changed since this preview" in text_of(stale)
    assert mark_of(stale) != mark
    assert now(quiet.campaign).day == 0


@pytest.mark.parametrize(
    "fields, field",
    [
        ({"span": "days", "days": ""}, "days"),
        ({"span": "days", "days": "0"}, "days"),
        pytest.param({"span": "days", "days": "-4"}, "days", marks=pytest.mark.slow),
        ({"span": "days", "days": "367"}, "days"),
        pytest.param({"span": "days", "days": "99999999999999999999"}, "days", marks=pytest.mark.slow),
        ({"span": "days", "days": "x"}, "days"),
        ({"span": "year"}, "span"),
        ({"march": "x"}, "march"),
        ({"pay_double": "00000000-0000-0000-0000-000000000000"}, "pay_double"),
    ],
)
def test_odd_forms_come_back_with_the_message_beside_the_field(quiet, fields, field):
    set_army(quiet.levy, hp=1)
    for do in by_turns(f"{fields}", ("preview", "confirm")):
        page = browser(quiet.gm).post(address(quiet), form(quiet, do=do, **fields))
        assert page.status_code == 422
        assert f'id="id_{field}_error"' in text_of(page)
    assert now(quiet.campaign).day == 0


def test_some_days_and_a_single_day(quiet):
    client = browser(quiet.gm)
    confirmed(client, quiet, span="day")
    assert now(quiet.campaign).day == 1
    confirmed(client, quiet, span="days", days="2", day="1")
    assert now(quiet.campaign).day == 3
    confirmed(client, quiet, day="3")
    assert now(quiet.campaign).day == 7


def test_choices_are_offered_to_those_who_have_them_and_reach_the_law(quiet):
    ranger = appointed(quiet.gm, quiet.crown, "Ada", boons=[{"boon": "live-off-the-land"}])
    scouts = raised(quiet.gm, quiet.crown, "Scouts", unit=orc(cr="4"), count=200, commander=ranger)
    raised(quiet.gm, quiet.horde, "Ghouls", unit=orc(abilities=[{"ability": "cannibalize"}]))
    set_army(quiet.levy, hp=1)
    client = browser(quiet.gm)
    page = client.get(address(quiet)).content.decode()

    def offered(name: str) -> int:
        return len(re.findall(rf'name="{name}"', page))

    assert [offered(name) for name in ("march", "live_off_the_land", "cannibalize", "pay_first")] == [1, 1, 1, 4]
    fields = form(quiet, live_off_the_land=str(scouts.pk), march=str(quiet.levy.pk), do="preview")
    answer = text_of(client.post(address(quiet), fields))
    assert "Lives off the land" in answer
    assert "Rest <small" not in answer


def test_unticked_upkeep_is_skipped_and_taxes_are_collected(war):
    update_campaign(by=war.gm, campaign=war.campaign, calendar={"months": [{"name": "Short", "days": 3}]})
    fields = form(war, do="preview", run_upkeep=[str(war.crown.pk)], collect_taxes=[str(war.horde.pk)])
    page = text_of(browser(war.gm).post(address(war), fields))
    assert "Crown of Restov, Stability check in upkeep" in page
    assert "Greenbelt horde, Stability check in upkeep" not in page
    assert "Greenbelt horde collects taxes" in page


def test_dice_may_be_typed_at_the_table(quiet):
    set_army(quiet.levy, hp=1)
    client = browser(quiet.gm)
    crown = str(quiet.crown.pk)
    fields = form(quiet, span="day", dice_by="table", loyalty_check=crown, do="preview")
    asked = client.post(address(quiet), fields)
    key = f"{crown}|rally|20"
    assert f'value="{key}"' in text_of(asked)
    assert "Loyalty check for rest" in text_of(asked)
    wrong = client.post(address(quiet), {**fields, "die": key, "face": "21"})
    assert (wrong.status_code, "A d20 rolls 1 to 20" in text_of(wrong)) == (422, True)
    typed = {**fields, "die": key, "face": "20"}
    shown = client.post(address(quiet), typed)
    assert "entered by gm" in text_of(shown)
    client.post(address(quiet), {**typed, "do": "confirm", "mark": mark_of(shown)})
    assert now(quiet.levy).hp == 7
    rolled = client.post(
        address(quiet), {**fields, "day": "1", "do": "preview", "how": "rolled", "die": key, "face": ""}
    )
    assert "Preview" in text_of(rolled)


def test_htmx_gets_the_part_and_is_sent_on_after_the_confirmation(quiet):
    client = browser(quiet.gm, **HTMX)
    part = client.post(address(quiet), form(quiet, do="preview"))
    assert part.content.decode().strip().startswith('<div id="passage"')
    assert part["Vary"]
    done = client.post(address(quiet), form(quiet, do="confirm", mark=mark_of(part)))
    assert done["HX-Redirect"] == address(quiet)


def test_a_refused_undo_says_what_is_in_the_way(quiet):
    client = browser(quiet.gm)
    confirmed(client, quiet)
    entry = re.search(r'name="entry" value="([\w-]+)"', client.get(address(quiet)).content.decode())[1]  # type: ignore[index]
    set_army(quiet.raiders, morale=4)
    answer = client.post(address(quiet, "time_undo"), {"entry": entry}, follow=True)
    assert answer.redirect_chain == [(address(quiet), 302)]
    assert "Raiders: changed or deleted since" in text_of(answer)


def test_a_large_campaign_counts_its_armies(quiet, monkeypatch):
    monkeypatch.setattr(weeks_services, "NAMED", 0)
    page = text_of(browser(quiet.gm).post(address(quiet), form(quiet, do="preview")))
    assert "Armies without an active commander (Morale −1): 1" in page
    assert "Too many armies to list" in page


def queries(client: Client, war: Any, **fields: Any) -> int:
    with CaptureQueriesContext(
        connection,
    ) as caught:
        assert client.post(address(war), form(war, do="preview", **fields)).status_code == 200
    return len(caught)


def test_queries_do_not_grow_with_armies_nor_with_weeks(quiet):
    client = browser(quiet.gm)
    few = queries(client, quiet)
    for place in range(at_most(3, full=8)):
        leader = appointed(quiet.gm, quiet.crown, f"Captain {place}")
        set_army(raised(quiet.gm, quiet.crown, f"Band {place}", commander=leader), hp=1, ill=True)
    assert queries(client, quiet) == few
    assert queries(client, quiet, span="days", days=str(at_most(21, full=70))) == few


# The calendar


def calendar(**fields: Any) -> dict[str, Any]:
    months = {"months": "Thaw 30\nDeep Frost 31\n", "weekdays": "A\nB\nC\n"}
    return {"year": "4710", "month": "2", "day": "3", **months, **fields}


def test_the_gm_renames_the_months_and_the_days(war):
    url = reverse("kingdom:calendar", args=(war.campaign.pk,))
    client = browser(war.gm)
    assert "January 31" in client.get(url).content.decode()
    assert client.post(url, calendar()).status_code == 302
    assert str(now(war.campaign).date.text) == "A, 3 Deep Frost 4710"
    assert "A, 3 Deep Frost 4710" in text_of(client.get(address(war)))
    assert "Deep Frost 31" in client.get(url).content.decode()


def test_a_ready_calendar_fills_in_the_form_and_is_saved_by_its_button(war):
    url = reverse("kingdom:calendar", args=(war.campaign.pk,))
    client = browser(war.gm)
    page = client.get(url, {"preset": "golarion"})
    assert "“Golarion” is filled in below, but not saved yet." in text_of(page)
    assert "not saved yet" not in text_of(client.get(url, {"preset": "unknown"}))
    assert now(war.campaign).calendar == {}
    filled = {name: value for name, value in page.context["form"].initial.items() if value is not None}
    assert client.post(url, filled).status_code == 302
    assert str(now(war.campaign).date.short) == "1 Abadius 1"
    for place in (address(war), reverse("kingdom:campaign", args=(war.campaign.pk,))):
        assert "Somal: new moon" in text_of(client.get(place))
    client.cookies["django_language"] = "fr"
    told = text_of(client.get(address(war)))
    assert "· Hiver · Somal : nouvelle lune" in " ".join(told.split())


def test_days_between_months_and_a_leap_day_through_the_form(war):
    url = reverse("kingdom:calendar", args=(war.campaign.pk,))
    client = browser(war.gm)
    months = {"months": "Thaw 30\n+ Leap day 0\nFrost 31", "day": "30", "month": "1", "year": "4708"}
    assert client.post(url, calendar(leap_every="4", leap_month="2", **months)).status_code == 302
    assert [str(now(war.campaign).dates.date(day).short) for day in (1, 2)] == ["Leap day 4708", "1 Frost 4708"]
    assert "+ Leap day 0" in client.get(url).content.decode()


def test_the_ordinary_calendar_stays_translatable_through_the_form(war):
    url = reverse("kingdom:calendar", args=(war.campaign.pk,))
    client = browser(war.gm)
    client.cookies["django_language"] = "fr"
    page = client.get(url)
    fields = page.context["form"].initial
    assert fields["weekdays"].startswith("lundi\nmardi")
    client.post(url, {name: str(value) for name, value in fields.items()})
    assert now(war.campaign).calendar == {}


@pytest.mark.parametrize(
    "fields, field",
    [
        ({"months": "Thaw"}, "months"),
        ({"months": "Thaw 0"}, "months"),
        ({"months": "Thaw 401"}, "months"),
        ({"months": "\n".join(["M 3"] * 31)}, "months"),
        ({"months": " "}, "months"),
        ({"month": "3"}, "month"),
        ({"day": "32"}, "day"),
        ({"weekdays": " "}, "weekdays"),
        ({"weekdays": "\n".join("A" * 31)}, "weekdays"),
        ({"months": "Thaw 30\n+ Feast 0"}, "months"),
        ({"leap_month": "1"}, "leap_every"),
        ({"leap_every": "4"}, "leap_month"),
        ({"leap_every": "4", "leap_month": "3"}, "leap_month"),
        ({"leap_every": "4", "leap_month": "1", "leap_keep": "400"}, "leap_keep"),
        ({"seasons": "Spring 3"}, "seasons"),
        ({"seasons": "Spring 3 1"}, "seasons"),
        ({"moons": "Somal 29.5"}, "moons"),
        ({"moons": "Somal 0.5 0"}, "moons"),
        ({"year": "x"}, "year"),
    ],
)
def test_an_odd_calendar_comes_back_with_the_message_beside_the_field(war, fields, field):
    url = reverse("kingdom:calendar", args=(war.campaign.pk,))
    page = browser(war.gm).post(url, calendar(**fields))
    assert page.status_code == 422
    assert f'id="id_{field}_error"' in text_of(page)
    assert now(war.campaign).calendar == {}


def test_the_calendar_is_the_gms(war):
    url = reverse("kingdom:calendar", args=(war.campaign.pk,))
    assert browser(war.ana).get(url).status_code == 403
    assert browser(war.stranger).get(url).status_code == 404
    assert Campaign.objects.get(pk=war.campaign.pk).calendar == {}


def test_the_page_reads_in_french(war):
    client = browser(war.gm)
    client.cookies["django_language"] = "fr"
    page = text_of(client.get(address(war)))
    assert "lundi 1er janvier de l’an 1" in page
    assert "Échéances" in page
    preview = text_of(client.post(address(war), form(war, do="preview")))
    assert "Aperçu" in preview
    assert "Aucun commandant actif, semaine 1" in preview
