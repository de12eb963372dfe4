"""The pages: who sees what, forms that are refused, and what they cost."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlencode

import pytest
from django.core.cache import cache
from django.db import connection
from django.templatetags.static import static
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation

from config.ops.data_directory import BASE_DIR
from kingdom.accounts.services import create_token
from kingdom.campaign.services import create_campaign
from kingdom.chronicle import changes as chronicle_changes
from kingdom.chronicle.changes import Change
from kingdom.contributions import SlotPanel
from kingdom.members.services import invite
from kingdom.models import ApiToken, Campaign, Invitation, Kingdom, LedgerEntry, Membership, User
from kingdom.onboarding import checklist
from kingdom.realms.services import assign_player, found_kingdom, found_settlement
from kingdom.realms.treasury_services import Move, append_many, record_entry
from rules.core.text import _, say
from tests.everyday import at_most, everyday
from tests.kingdom.conftest import api_of, client_of, make_user

HTMX = {"HTTP_HX_REQUEST": "true"}


def url(name: str, *args: object) -> str:
    return reverse(f"kingdom:{name}", args=args)


def text_of(response) -> str:
    return response.content.decode()


# Home


@pytest.mark.django_db
def test_a_stranger_is_told_what_this_is_and_how_to_come_in():
    page = client_of(None).get(url("home"))
    assert page.status_code == 200
    assert reverse("account_signup") in text_of(page)
    assert reverse("account_login") in text_of(page)


PICTURE = re.compile(r'<img class="by-(day|night)" src="([^"]*)" alt="([^"]*)" width="(\d+)" height="(\d+)"')
SHOWN = {"armies", "battle", "map", "realm", "story"}


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_stranger_is_shown_pictures_in_his_language_for_day_and_night(language):
    page = text_of(client_of(None).get(url("home"), headers={"Accept-Language": language}))
    pictures = PICTURE.findall(page)
    assert len(pictures) == page.count("<img") == 2 * len(SHOWN)
    themes = {"day": "light", "night": "dark"}
    assert {source for _time, source, *_rest in pictures} == {
        static(f"pictures/{subject}-{language}-{theme}.webp") for subject in SHOWN for theme in themes.values()
    }
    for time, source, alt, *sides in pictures:
        assert source.endswith(f"-{themes[time]}.webp")
        assert alt, source
        assert sides_of(BASE_DIR / source.removeprefix("/")) == tuple(map(int, sides)), source
    assert len({alt for _time, _source, alt, *_sides in pictures}) == len(SHOWN)


def sides_of(picture: Path) -> tuple[int, int]:
    """Width and height in the head of a WebP as Chromium writes it: each one less than it is."""
    head = picture.read_bytes()[:30]
    assert (head[:4], head[8:16]) == (b"RIFF", b"WEBPVP8X"), picture
    return int.from_bytes(head[24:27], "little") + 1, int.from_bytes(head[27:30], "little") + 1


@pytest.mark.django_db
def test_a_first_visit_offers_an_empty_campaign_and_the_demo(contribute):
    contribute(demos={})
    user = make_user("new")
    page = text_of(client_of(user).get(url("home")))
    assert 'name="own"' in page
    assert url("demo") not in page
    made = []

    def maker(*, owner: User) -> Campaign:
        made.append(create_campaign(by=owner, name="Demo", ruleset="combat-de-masse"))
        return made[0]

    contribute(demos={"combat-de-masse": maker})
    assert url("demo") in text_of(client_of(user).get(url("home")))
    answer = client_of(user).post(url("demo"))
    assert answer.url == f"{url('campaign', made[0].pk)}?tour=campaign", "the tour begins"


@pytest.mark.django_db
def test_a_person_loads_only_so_many_demo_campaigns_an_hour(contribute):
    owner, other = make_user("new"), make_user("other")
    contribute(
        demos={"combat-de-masse": lambda *, owner: create_campaign(by=owner, name="Demo", ruleset="combat-de-masse")}
    )
    client = client_of(owner)
    made = [client.post(url("demo"), follow=True) for _time in range(checklist.LOADED.most + 2)]
    assert Campaign.objects.count() == checklist.LOADED.most
    assert "You can create 3 demo campaigns per hour. Try again in 60 min." in text_of(made[-1])
    client_of(other).post(url("demo"))
    assert Campaign.objects.count() == checklist.LOADED.most + 1


@pytest.mark.django_db
def test_without_a_demo_its_address_is_not_found(contribute):
    contribute(demos={})
    assert client_of(make_user("new")).post(url("demo")).status_code == 404


def test_home_lists_only_ones_own_campaigns(table):
    assert "Restov marches" in text_of(client_of(table.ana).get(url("home")))
    assert "Restov marches" not in text_of(client_of(table.stranger).get(url("home")))


# Who sees what


PAGES = ("campaign", "members", "chronicle", "kingdom", "ledger", "settlement_edit", "kingdom_edit", "campaign_edit")
SEES = {
    "gm": (200, 200, 200, 200, 200, 200, 200, 200),
    "ana": (200, 200, 200, 200, 200, 200, 200, 403),
    "bo": (200, 200, 200, 200, 404, 404, 403, 403),
    "viewer": (200, 200, 200, 200, 200, 403, 403, 403),
    "stranger": (404,) * 8,
    None: (302,) * 8,
}


@pytest.mark.parametrize("who", everyday(list(SEES), keep=lambda who: who == "ana"))
def test_who_sees_which_page(table, who):
    """Whoever is refused is asked every day in tests/access, too."""
    town = found_settlement(by=table.gm, kingdom=table.crown, name="Restov")
    subject = {"kingdom": table.crown, "ledger": table.crown, "kingdom_edit": table.crown, "settlement_edit": town}
    client = client_of(getattr(table, who) if who else None)
    codes = [client.get(url(name, subject.get(name, table.campaign).pk)).status_code for name in PAGES]
    assert tuple(codes) == SEES[who]


DEEDS = {
    "kingdom_entry": ("crown", {"amount": 5, "reason": "gift"}),
    "kingdom_check": ("crown", {"attribute": "loyalty"}),
    "settlement_new": ("crown", {"name": "Camp", "districts": 1}),
    "kingdom_dissolve": ("crown", {"typed": "no"}),
    "invite": ("campaign", {"role": "player", "uses": "1"}),
    "campaign_delete": ("campaign", {"delete-typed": "no"}),
}
MAY = {
    "gm": (302, 200, 302, 422, 302, 422),
    "ana": (302, 200, 302, 403, 403, 403),
    "bo": (403,) * 6,
    "viewer": (403,) * 6,
    "stranger": (404,) * 6,
}


@pytest.mark.parametrize("who", everyday(list(MAY), keep=lambda who: who == "gm"))
def test_who_may_do_what(table, who):
    client = client_of(getattr(table, who))
    codes = [
        client.post(url(name, getattr(table, subject).pk), data).status_code for name, (subject, data) in DEEDS.items()
    ]
    assert tuple(codes) == MAY[who]


def test_a_kingdom_whose_name_is_typed_wrong_stays_and_the_panel_open_with_what_was_typed(table):
    client, address = client_of(table.gm), url("kingdom_dissolve", table.crown.pk)
    refused = text_of(client.post(address, {"typed": "Crown"}))
    assert '<details class="sheet more" id="dissolve" open>' in refused
    assert re.search(r'name="typed" value="Crown"[^>]*aria-describedby="dissolve-typed_error"', refused)
    assert "This isn’t the kingdom’s name. Enter it exactly as shown." in refused
    assert 'id="dissolve">' in text_of(client.get(url("kingdom_edit", table.crown.pk)))
    assert client.post(address, {"typed": " Crown of Restov "}).status_code == 302
    assert not Kingdom.objects.filter(pk=table.crown.pk).exists()


def test_a_player_finds_their_own_kingdom_first_and_everybody_else_the_oldest(table):
    oldest = [table.crown.pk, table.horde.pk]
    for reader, order in ((table.bo, oldest[::-1]), (table.gm, oldest), (table.ana, oldest), (table.viewer, oldest)):
        board = client_of(reader).get(url("campaign", table.campaign.pk)).content.decode().partition("<main")[2]
        assert sorted(order, key=lambda pk: board.index(f'href="{url("kingdom", pk)}"')) == order


def test_other_players_see_a_kingdoms_name_and_no_figure(table):
    Kingdom.objects.filter(pk=table.crown.pk).update(economy=7654)
    for name, pk in (("campaign", table.campaign.pk), ("kingdom", table.crown.pk)):
        page = text_of(client_of(table.bo).get(url(name, pk)))
        assert "Crown of Restov" in page
        assert "7654" not in page
        assert "7654" in text_of(client_of(table.ana).get(url(name, pk)))


# Campaigns


@pytest.mark.django_db
def test_a_form_is_read_as_utf_8_whatever_charset_it_names():
    sent = {
        "name": "Écu d’or",
        "ruleset": "combat-de-masse",
        "minimum_damage": "0",
        "second_loyalty_check": "always",
        "reform": "True",
        "parting_shots": "all",
    }
    named = "application/x-www-form-urlencoded; charset=latin-1"
    sent |= {"buildings_required": "False", "recovery_cap": "half", "empty_phases": "True"}
    client_of(make_user("gm")).generic("POST", url("campaign_new"), urlencode(sent), named)
    assert Campaign.objects.get().name == "Écu d’or"


@pytest.mark.django_db
def test_house_rules_come_after_the_name_and_ruleset_and_keep_both():
    client = client_of(make_user("gm"))
    new = client.get(url("campaign_new")).content.decode()
    assert (new.count('name="name"'), new.count('name="own"')) == (1, 1), "a name is asked for once"
    begun = {"name": "The barrow years", "ruleset": "thucidide-fantasy", "own": "1"}
    ruled = client.post(url("campaign_begin"), begun, follow=True).content.decode()
    assert ruled.count('name="name"') == 1
    assert 'value="The barrow years"' in ruled
    assert 'name="victory_share"' in ruled, "the house rules are those of the ruleset"


@pytest.mark.django_db
def test_a_campaign_is_opened_with_its_house_rules():
    user = make_user("gm")
    data = {
        "name": "Marches",
        "ruleset": "combat-de-masse",
        "minimum_damage": "0",
        "parting_shots": "all",
        "second_loyalty_check": "always",
        "reform": "True",
        "buildings_required": "False",
        "recovery_cap": "half",
        "empty_phases": "True",
        "resources:mounts:price": "4",
    }
    answer = client_of(user).post(url("campaign_new"), data)
    campaign = Campaign.objects.get()
    assert answer.url == url("campaign", campaign.pk)
    assert campaign.house_rules == {
        "minimum_damage": 0,
        "parting_shots": "all",
        "buildings_required": False,
        "recovery_cap": "half",
        "overlay": {"resources": {"mounts": {"price": 4}}},
    }
    assert 'value="4"' in text_of(client_of(user).get(url("campaign_edit", campaign.pk)))


@pytest.mark.parametrize("name", everyday(["a\0b", "", "   ", "x" * 121], first=2))
def test_a_refused_form_says_so_beside_the_field(gm, campaign, name):
    data = {
        "name": name,
        "ruleset": "combat-de-masse",
        "minimum_damage": "1",
        "second_loyalty_check": "always",
        "reform": "True",
        "parting_shots": "enemies",
    }
    page = client_of(gm).post(url("campaign_edit", campaign.pk), data)
    assert page.status_code == 422
    assert 'id="id_name_error"' in text_of(page)
    assert Campaign.objects.get().name == "Restov marches"


def test_a_campaign_goes_only_when_its_name_is_typed(gm, campaign, crown):
    client = client_of(gm)
    assert client.post(url("campaign_delete", campaign.pk), {"delete-typed": "Restov"}).status_code == 422
    assert Campaign.objects.get().deleted_at is None
    assert client.post(url("campaign_delete", campaign.pk), {"delete-typed": "Restov marches"}).url == url("home")
    assert Campaign.objects.get().deleted_at is not None


def test_an_empty_campaign_offers_the_next_step(gm, campaign):
    assert url("kingdom_new", campaign.pk) in text_of(client_of(gm).get(url("campaign", campaign.pk)))


def test_panels_of_other_apps_stand_in_their_places(gm, campaign, crown, contribute):
    shown = ("components/empty.html", {"title": "A panel of mine"})
    roster = (shown[0], {crown.pk: {"title": "The roster of one"}})
    contribute(
        slots=[
            SlotPanel("campaign", lambda user, subject: shown),
            SlotPanel("met", lambda user, subject: None),
            SlotPanel("realms", lambda user, subject, kingdoms: roster),
            SlotPanel("kingdom", lambda user, subject, look: shown),
        ]
    )
    page = text_of(client_of(gm).get(url("campaign", campaign.pk)))
    assert "A panel of mine" in page
    assert "The roster of one" in page
    assert "A panel of mine" in text_of(client_of(gm).get(url("kingdom", crown.pk)))
    with pytest.raises(ValueError, match="no place"):
        SlotPanel("nowhere", lambda: None)


# Kingdoms


def kingdom_form(**changes: object) -> dict[str, object]:
    return {
        "name": "Crown",
        "alignment": "N",
        "economy": 1,
        "loyalty": 2,
        "stability": 3,
        "unrest": 0,
        "size": 4,
        "districts": 0,
        "control_dc_modifier": 0,
        "control_dc_override": "",
        "consumption": 0,
        **changes,
    }


def test_a_kingdom_is_founded_with_its_treasury_and_players(table):
    data = kingdom_form(treasury=12, players=[str(table.ana.pk)])
    answer = client_of(table.gm).post(url("kingdom_new", table.campaign.pk), data)
    made = Kingdom.objects.get(name="Crown")
    assert answer.url == url("kingdom", made.pk)
    assert made.treasury == 12
    assert [player.username for player in made.players.all()] == ["ana"]


@pytest.mark.parametrize(
    "field, value",
    everyday([("economy", "99999999999999999999"), ("alignment", "XX"), ("unrest", "-1"), ("size", "x"),
              ("name", "x" * 121)], first=2),
)  # fmt: skip
def test_odd_figures_stand_beside_their_field(gm, campaign, field, value):
    page = client_of(gm).post(url("kingdom_new", campaign.pk), kingdom_form(treasury=0, **{field: value}))
    assert page.status_code == 422
    assert f'id="id_{field}_error"' in text_of(page)
    assert not Kingdom.objects.exists()


def test_a_player_edits_his_sheet_and_a_forged_gm_field_changes_nothing(table):
    data = kingdom_form(name="Crown of Restov", control_dc_override=1, players=[str(table.bo.pk)])
    client = client_of(table.ana)
    assert 'name="control_dc_override"' not in text_of(client.get(url("kingdom_edit", table.crown.pk)))
    assert client.post(url("kingdom_edit", table.crown.pk), data).status_code == 302
    crown = Kingdom.objects.get(pk=table.crown.pk)
    assert (crown.economy, crown.control_dc_override) == (1, None)
    assert list(crown.players.all()) == [table.ana]


def test_a_strangers_id_among_the_players_is_refused(table):
    data = kingdom_form(players=[str(table.stranger.pk)])
    page = client_of(table.gm).post(url("kingdom_edit", table.crown.pk), data)
    assert page.status_code == 422
    assert list(table.crown.players.all()) == [table.ana]


def test_an_entry_on_the_kingdoms_page_comes_back_as_its_part(gm, crown):
    client = client_of(gm)
    part = client.post(url("kingdom_entry", crown.pk), {"amount": "-5", "reason": "Roads"}, **HTMX)
    assert part.status_code == 200
    assert text_of(part).lstrip().startswith('<section class="sheet stack" id="treasury">')
    assert "16 BP" in text_of(part)
    assert "HX-Request" in part["Vary"]
    refused = client.post(url("kingdom_entry", crown.pk), {"amount": "0", "reason": "Roads"}, **HTMX)
    assert refused.status_code == 422
    assert 'id="id_amount_error"' in text_of(refused)
    assert "<html" not in text_of(refused)
    whole = client.post(url("kingdom_entry", crown.pk), {"amount": "0", "reason": "Roads"})
    assert whole.status_code == 422
    assert "<html" in text_of(whole)
    assert LedgerEntry.objects.filter(kingdom=crown).count() == 2


def test_a_typed_die_shows_its_arithmetic_and_whose_it_is(gm, crown):
    data = {"attribute": "loyalty", "dc": "", "dice": "19"}
    page = text_of(client_of(gm).post(url("kingdom_check", crown.pk), data))
    assert "34 against 34: success" in page
    assert "entered by gm" in page
    page = text_of(client_of(gm).post(url("kingdom_check", crown.pk), {**data, "dice": "18"}))
    assert "33 against 34: failure" in page
    assert client_of(gm).post(url("kingdom_check", crown.pk), {**data, "dice": "21"}).status_code == 422


def test_a_settlement_is_built_and_razed(gm, crown):
    client = client_of(gm)
    data = {"name": "Restov", "districts": 1, "building:smithy": 1, "building:city-wall": 3, "defense_override": ""}
    assert client.post(url("settlement_new", crown.pk), data).url == url("kingdom", crown.pk)
    town = crown.settlements.get()
    assert town.buildings == ["smithy", "city-wall", "city-wall", "city-wall"]
    page = client.post(url("settlement_edit", town.pk), {**data, "building:city-wall": 5})
    assert page.status_code == 422
    assert "at most 4" in text_of(page)
    assert client.post(url("settlement_raze", town.pk)).status_code == 302
    assert not crown.settlements.exists()


def test_the_ledger_is_filtered_and_comes_in_pages(gm, crown):
    moves = [Move(crown, number - 30 or 5, f"Entry {number:02}", crown.campaign.day) for number in range(60)]
    append_many(moves, source=LedgerEntry.Origin.MANUAL, by=gm)
    client = client_of(gm)
    first = text_of(client.get(url("ledger", crown.pk)))
    assert "Entry 59" in first
    assert "Entry 05" not in first
    assert "Entry 05" in text_of(client.get(url("ledger", crown.pk) + "?page=2"))
    paid = text_of(client.get(url("ledger", crown.pk) + "?direction=out", **HTMX))
    assert "Entry 59" not in paid
    assert "Entry 05" in paid
    assert "<html" not in paid
    french = text_of(client.get(url("ledger", crown.pk), headers={"Accept-Language": "fr"}))
    for direction, words in (("in", "recettes"), ("out", "dépenses")):
        assert f'<option value="{direction}">{words}</option>' in french
    assert "Entry 59" not in text_of(client.get(url("ledger", crown.pk) + "?source=opening"))


@pytest.mark.parametrize("day", everyday(["9" * 40, "soon", "-1"], first=1))
def test_a_day_that_is_none_is_said_and_filters_nothing(gm, crown, day):
    record_entry(by=gm, kingdom=crown, amount=5, reason="Tolls")
    page = text_of(client_of(gm).get(url("ledger", crown.pk) + f"?since={day}", **HTMX))
    assert "Enter the day as a whole number." in page
    assert "Tolls" in page


# Members


def test_an_invitation_link_brings_a_person_to_the_table(gm, campaign):
    assert client_of(gm).post(url("invite", campaign.pk), {"role": "player", "uses": "2"}).status_code == 302
    invitation = Invitation.objects.get()
    join = url("invitation", invitation.token)
    assert join in text_of(client_of(gm).get(url("members", campaign.pk)))
    anonymous = client_of(None).get(join)
    assert f"next={join}" in text_of(anonymous)
    assert '<meta name="robots" content="noindex">' in text_of(anonymous), "the address is a secret"
    assert "no-store" in anonymous["Cache-Control"]
    assert anonymous["Referrer-Policy"] == "same-origin"
    ana = make_user("ana")
    assert client_of(ana).post(join).url == url("campaign", campaign.pk)
    assert Membership.objects.get(user=ana).role == "player"
    client_of(gm).post(url("invitation_revoke", campaign.pk, invitation.pk))
    assert client_of(make_user("late")).get(join).status_code == 410
    assert client_of(None).post(join).status_code == 410


def test_links_are_for_the_gms_eyes(table):
    invitation = invite(by=table.gm, campaign=table.campaign, role="gm")
    assert invitation.token not in text_of(client_of(table.ana).get(url("members", table.campaign.pk)))


def test_a_seat_is_given_up_after_one_question(table):
    """Folded, so that it works without scripts: what is lost, then the button."""
    shown = text_of(client_of(table.ana).get(url("members", table.campaign.pk)))
    fold = shown.split('<details class="more">')[1].split("</details>")[0]
    assert "a new invitation" in fold
    assert "Leave campaign" in fold
    assert "Leave campaign" not in shown.replace(fold, "")


def test_roles_change_and_the_last_gm_stays(table):
    client, campaign = client_of(table.gm), table.campaign
    seats = {seat.user.username: seat for seat in Membership.objects.filter(campaign=campaign)}
    client.post(url("member_role", campaign.pk, seats["bo"].pk), {"role": "viewer"})
    assert Membership.objects.get(pk=seats["bo"].pk).role == "viewer"
    refused = client.post(url("member_role", campaign.pk, seats["gm"].pk), {"role": "player"})
    assert refused.status_code == 422
    assert "A campaign needs a GM" in text_of(refused)
    assert client.post(url("member_remove", campaign.pk, seats["gm"].pk)).status_code == 409
    client.post(url("member_remove", campaign.pk, seats["ana"].pk))
    assert not Membership.objects.filter(pk=seats["ana"].pk).exists()


# Chronicle


def test_the_chronicle_tells_and_takes_back(table):
    line = Change("kingdom", str(table.crown.pk), "loyalty", 18, 16, "PF-6.1", _("Defeat"), "Crown of Restov")
    text = say(_("{army} was beaten."), army="Ironwatch")
    entry = chronicle_changes.apply(campaign=table.campaign, changes=[line], by=table.gm, kind="battle", text=text)
    page = text_of(client_of(table.gm).get(url("chronicle", table.campaign.pk)))
    assert "Ironwatch was beaten." in page
    assert "PF-6.1" in page
    assert "PF-6.1" not in text_of(client_of(table.bo).get(url("chronicle", table.campaign.pk)))
    assert client_of(table.ana).post(url("undo", table.campaign.pk, entry.pk)).status_code == 403
    client = client_of(table.gm)
    assert client.post(url("undo", table.campaign.pk, entry.pk)).status_code == 302
    again = client.post(url("undo", table.campaign.pk, entry.pk), follow=True)
    assert again.redirect_chain == [(url("chronicle", table.campaign.pk), 302)]
    assert "already been undone" in text_of(again)


def test_an_undo_that_something_stands_in_the_way_of_goes_back_and_leads_to_it(table):
    """A reload of the page that refuses it is no other deed, and what to undo first is a click away."""
    earlier, later = (
        chronicle_changes.apply(
            campaign=table.campaign,
            changes=[Change("kingdom", str(table.crown.pk), "loyalty", *sides, "", _("Rain"))],
            by=table.gm,
            kind="battle",
            text=say(_("{army} was beaten."), army=who),
        )
        for who, sides in (("Levy", (18, 16)), ("<b>Hail</b>", (16, 14)))
    )
    client, undoing = client_of(table.gm), url("undo", table.campaign.pk, earlier.pk)
    where = "http://testserver" + url("chronicle", table.campaign.pk) + "?kind=battle"
    refused = client.post(undoing, headers={"referer": where}, follow=True)
    assert refused.redirect_chain == [(where, 302)]
    assert "“&lt;b&gt;Hail&lt;/b&gt; was beaten.” (day 0) depends on this" in text_of(refused)
    there = url("entry", table.campaign.pk, later.pk)
    assert f'<a href="{there}">Go to this chronicle entry</a>' in refused.content.decode()
    assert url("undo", table.campaign.pk, later.pk) in client.get(there).content.decode()
    assert "/undo/" not in client_of(table.ana).get(there).content.decode()
    for elsewhere in ("https://evil.example/", "http://testserver" + undoing):
        assert client.post(undoing, headers={"referer": elsewhere}).url == url("chronicle", table.campaign.pk)


# Account


@pytest.mark.django_db
def test_a_key_is_shown_once_and_can_be_revoked():
    user, other = make_user("ana"), make_user("other")
    client = client_of(user)
    once = text_of(client.get(url("tokens"))).split('name="once" value="')[1].split('"')[0]
    sent = {"name": "Dice bot", "scope": "read", "days": "30", "once": once}
    page = text_of(client.post(url("tokens"), sent))
    again = client.post(url("tokens"), sent, follow=True)  # the page loaded anew
    assert "This token has already been created." in text_of(again)
    token = ApiToken.objects.get()
    key = page.split('id="new-key">')[1].split("<")[0]
    assert key.startswith(token.token_key)
    later = text_of(client.get(url("tokens")))
    assert "Dice bot" in later
    assert key not in later
    assert client_of(other).post(url("token_revoke", token.public_id)).status_code == 404
    client.post(url("token_revoke", token.public_id))
    assert not ApiToken.objects.exists()
    assert client.post(url("tokens"), {"name": "", "days": "30"}).status_code == 422
    assert client.post(url("tokens"), {"name": "x", "days": "99999"}).status_code == 422


@pytest.mark.django_db
def test_the_accounts_language_speaks_on_every_device():
    user = make_user("ana")
    assert client_of(user).post(url("account"), {"language": "fr", "dice": "server"}).status_code == 302
    elsewhere = client_of(user).get(url("home"))
    assert '<html lang="fr">' in text_of(elsewhere)
    assert client_of(user).post(url("account"), {"language": "xx", "dice": "server"}).status_code == 422
    client_of(user).post(url("account"), {"language": "", "dice": "server"})
    assert '<html lang="en">' in text_of(client_of(user).get(url("home")))


@pytest.mark.django_db
def test_dice_sound_and_notifications_are_settled_once_and_shown_as_they_stand():
    user = make_user("ana")
    client = client_of(user)
    assert client.post(url("account"), {"language": "", "dice": "loaded"}).status_code == 422
    chosen = {"language": "", "dice": "typed", "sound": "on", "notices": "on"}
    assert client.post(url("account"), chosen).status_code == 302
    user.refresh_from_db()
    assert (user.dice, user.sound, user.notices) == ("typed", True, True)
    assert text_of(client.get(url("account"))).count("checked") == 5
    client.post(url("account"), {"language": "", "dice": "server"})
    user.refresh_from_db()
    assert (user.dice, user.sound, user.notices) == ("server", False, False)


# Cost and languages


def test_a_page_costs_the_same_with_two_rows_and_with_ten(gm, campaign, crown):
    """Every day with four."""
    client = client_of(gm)
    addresses = [url("home"), url("tokens"), url("kingdom", crown.pk), url("ledger", crown.pk)]
    addresses += [url(name, campaign.pk) for name in ("campaign", "members", "chronicle")]
    grow(gm, campaign, crown, 2)
    client.get(addresses[0])  # sessions and content types
    few = {address: count_queries(client, address) for address in addresses}
    grow(gm, campaign, crown, at_most(2, full=8))
    many = {address: count_queries(client, address) for address in addresses}
    assert all(few[address] <= many[address] <= few[address] + 1 for address in addresses)  # pages are counted


def grow(gm: User, campaign: Campaign, crown: Kingdom, rows: int) -> None:
    for _row in range(rows):
        create_campaign(by=gm, name="C", ruleset="combat-de-masse")
        kingdom = found_kingdom(by=gm, campaign=campaign, name=f"K {Kingdom.objects.count()}", treasury=5)
        found_settlement(by=gm, kingdom=kingdom, name="T", buildings=["smithy"])
        found_settlement(by=gm, kingdom=crown, name="T", buildings=["castle"])
        record_entry(by=gm, kingdom=crown, amount=1, reason="gift")
        invite(by=gm, campaign=campaign, role="viewer")
        member = User.objects.create(username=f"m{User.objects.count()}")
        campaign.memberships.create(user=member, role="player")
        assign_player(by=gm, kingdom=kingdom, player=member)
        create_token(by=gm, name="key")
        line = Change("kingdom", str(crown.pk), "unrest", 3, 3, "PF-8.4", _("Unrest"), "Crown")
        chronicle_changes.apply(campaign=campaign, changes=[line], by=gm, kind="other", text=_("Unrest"))


def count_queries(client: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200
    return len(queries)


@pytest.fixture(autouse=True)
def fresh_cache():
    cache.clear()
    yield
    translation.deactivate()


CATALOGUE = BASE_DIR / "locale" / "fr" / "LC_MESSAGES" / "django.po"


@pytest.mark.skipif(not CATALOGUE.exists(), reason="the French catalogue is not there yet")
def test_the_campaign_and_the_kingdom_read_in_french(gm, campaign, crown):
    client = client_of(gm)
    client.cookies["django_language"] = "fr"
    board = text_of(client.get(url("campaign", campaign.pk)))
    assert "DD de contrôle" in board
    assert "semaine 1" in board
    sheet = text_of(client.get(url("kingdom", crown.pk)))
    assert "Test de royaume" in sheet
    assert "Solde de départ" in sheet
    assert "Économie" in sheet
    page = client.post(url("kingdom_check", crown.pk), {"attribute": "loyalty", "dice": "15"})
    assert "30 contre 34\u00a0: échec" in text_of(page)
    refused = api_of(gm).post(
        f"/api/v1/kingdoms/{crown.pk}/ledger/", {"amount": 0, "reason": "x"}, HTTP_ACCEPT_LANGUAGE="fr"
    )
    assert refused.json()["detail"] == "Une écriture de 0 PC ne change rien. Indiquez un autre montant."


@pytest.mark.django_db
def test_house_rules_take_over_what_was_typed_before():
    client = client_of(make_user("new"))
    sent = {"name": "Mine", "ruleset": "wing-command", "own": "1"}
    page = text_of(client.post(url("campaign_begin"), sent, follow=True))
    assert 'value="Mine"' in page
    assert re.search(r'value="wing-command"[^>]*checked', page)
    assert not Campaign.objects.exists()
