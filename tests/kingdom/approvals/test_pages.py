"""Leave on pages: forms say it before, the request says it after, the GM answers."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from armies.forces.services import remove_army
from armies.models import Army
from armies.pathfinder.armies.services import raise_army
from armies.pathfinder.armies.trade_services import disband_army
from kingdom.access.decorators import ApprovalRequested
from kingdom.access.permissions import KINDS
from kingdom.models import ApprovalRequest, Campaign, Kingdom
from kingdom.realms.treasury_services import record_entry
from tests.armies.conftest import orc
from tests.everyday import at_most, everyday
from tests.kingdom.approvals.conftest import more_like, players_may
from tests.kingdom.conftest import client_of


def page(client, name, *args, **query) -> str:
    response = client.get(reverse(name, args=args), query)
    assert response.status_code == 200
    return response.content.decode()


def ask_gold(court, amount=100) -> ApprovalRequest:
    with pytest.raises(ApprovalRequested):
        record_entry(by=court.ana, kingdom=court.crown, amount=amount, reason="Treasure")
    return ApprovalRequest.objects.latest("id")


def test_the_gm_chooses_in_the_settings(court):
    gm, url = client_of(court.gm), reverse("kingdom:campaign_edit", args=[court.campaign.pk])
    html = gm.get(url).content.decode()
    assert html.count('name="may:') == 3 * len(KINDS)
    form = {
        "name": "Restov marches", "ruleset": "combat-de-masse", "minimum_damage": "1", "parting_shots": "enemies",
        "second_loyalty_check": "always", "reform": "True",
        "buildings_required": "True", "recovery_cap": "none", "empty_phases": "True",
        **{f"may:{kind}": "free" for kind in KINDS},
        "may:march": "no",
    }  # fmt: skip
    assert gm.post(url, form).status_code == 302
    stored = Campaign.objects.get(pk=court.campaign.pk).players_may
    assert stored == {"attributes": "free", "treasury": "free", "raise": "free", "disband": "free", "found": "free",
                      "march": "no"}  # fmt: skip
    assert gm.post(url, {**form, "may:march": "maybe"}).status_code == 422


ASKING = [
    ("kingdom:kingdom_edit", "crown"),
    ("kingdom:kingdom", "crown"),
    ("kingdom:ledger", "crown"),
    ("kingdom:settlement_new", "crown"),
    ("kingdom:settlement_edit", "restov"),
    ("armies:army_new", "crown"),
    ("armies:army_edit", "levy"),
    ("armies:army_disband", "levy"),
    ("armies:commander_edit", "vell"),
]


def test_a_form_that_needs_leave_says_so_to_players_and_not_to_the_gm(court):
    ana, gm = client_of(court.ana), client_of(court.gm)
    for number, (name, thing) in enumerate(ASKING):
        key = getattr(court, thing).pk
        html = page(ana, name, key)
        assert "This sends a request to the GM" in html, name
        assert "ask the GM" in html or "Ask the GM" in html, name
        if number % at_most(3, full=1) == 0:
            assert "This sends a request to the GM" not in page(gm, name, key), name


FORBIDDEN = [
    ("kingdom:settlement_new", "crown", 403),
    ("armies:army_new", "crown", 403),
    ("armies:army_edit", "levy", 403),
    ("armies:army_disband", "levy", 403),
    ("armies:commander_new", "crown", 403),
    ("kingdom:kingdom_edit", "crown", 200),
    ("kingdom:settlement_edit", "restov", 200),
    ("armies:commander_edit", "vell", 200),
]


def test_a_form_of_a_deed_the_gm_keeps_to_himself_is_not_there_or_asks_the_name_only(court):
    players_may(court, **dict.fromkeys(KINDS, "no"))
    ana, gm = client_of(court.ana), client_of(court.gm)
    for number, (name, thing, status) in enumerate(FORBIDDEN):
        url = reverse(name, args=[getattr(court, thing).pk])
        response = ana.get(url)
        assert response.status_code == status, name
        html = response.content.decode()
        if status == 403:
            assert "In this campaign, only the GM can do this" in html, name
        else:
            assert 'name="name"' in html, name
            assert 'type="number"' not in html, name
        if number % at_most(3, full=1) == 0:
            assert gm.get(url).status_code == 200, name


def test_pages_offer_nothing_the_gm_keeps_to_himself(court):
    players_may(court, **dict.fromkeys(KINDS, "no"))
    ana = client_of(court.ana)
    kingdom = page(ana, "kingdom:kingdom", court.crown.pk)
    for name in ("kingdom:kingdom_entry", "kingdom:settlement_new", "armies:army_new", "armies:commander_new"):
        assert reverse(name, args=[court.crown.pk]) not in kingdom
    assert "<form" in kingdom  # the check stays
    army = page(ana, "armies:army", court.levy.pk)
    for name in ("army_edit", "army_disband", "army_resources", "army_transfer", "army_assign", "army_rest",
                 "army_place", "army_tactics"):  # fmt: skip
        assert reverse(f"armies:{name}", args=[court.levy.pk]) not in army
    commander = page(ana, "armies:commander", court.vell.pk)
    assert reverse("armies:commander_boons", args=[court.vell.pk]) not in commander


def test_who_posts_anyway_is_told_no(court):
    players_may(court, treasury="no")
    url = reverse("kingdom:kingdom_entry", args=[court.crown.pk])
    refused = client_of(court.ana).post(url, {"amount": "100", "reason": "x"})
    assert (refused.status_code, "Enter BP in the ledger" in refused.content.decode()) == (403, True)


def test_after_sending_the_page_says_that_it_was_asked(court):
    url = reverse("kingdom:kingdom_entry", args=[court.crown.pk])
    answer = client_of(court.ana).post(url, {"amount": "100", "reason": "Treasure"}, follow=True)
    petition = ApprovalRequest.objects.get()
    assert answer.redirect_chain == [(reverse("kingdom:petition", args=[petition.pk]), 302)]
    html = answer.content.decode()
    assert "Request sent to the GM. Nothing changes until it is approved." in html
    assert "Crown of Restov, ledger: +100 BP (Treasure)." in html
    assert reverse("kingdom:petition_withdraw", args=[petition.pk]) in html
    assert reverse("kingdom:petition_grant", args=[petition.pk]) not in html


def test_a_request_is_told_as_one_until_it_is_granted(court):
    petition = ask_gold(court)
    asker, gm = client_of(court.ana), client_of(court.gm)
    waits, board = "Nothing changes until it is approved", ("kingdom:campaign", court.campaign.pk)
    there = page(asker, "kingdom:petition", petition.pk)
    assert waits in there
    assert "<p>If approved: “Crown of Restov, ledger: +100 BP (Treasure).”</p>" in there
    assert ">If approved: “Crown of Restov, ledger: +100 BP (Treasure).”</a>" in page(gm, *board)
    assert waits not in page(gm, "kingdom:petition", petition.pk)
    assert waits not in page(asker, "kingdom:petitions", court.campaign.pk)
    gm.post(reverse("kingdom:petition_grant", args=[petition.pk]))
    done = page(asker, "kingdom:petition", petition.pk)
    assert waits not in done
    assert "<p>Crown of Restov, ledger: +100 BP (Treasure)." in done


def test_a_request_that_came_to_nothing_no_longer_says_what_approval_would_do(court):
    for deed, who in (("refuse", court.gm), ("withdraw", court.ana)):
        petition = ask_gold(court)
        client_of(who).post(reverse(f"kingdom:petition_{deed}", args=[petition.pk]))
        done = page(client_of(court.ana), "kingdom:petition", petition.pk)
        assert "<p>Requested: “Crown of Restov, ledger: +100 BP (Treasure).”</p>" in done
        assert "If approved" not in done, deed


def test_what_a_granted_request_created_is_a_link_for_whoever_asked(court):
    with pytest.raises(ApprovalRequested) as wish:
        raise_army(by=court.ana, kingdom=court.crown, name="More", unit=orc(), count=200)
    petition = wish.value.petition
    where = [("kingdom:petition", petition.pk), ("kingdom:petitions", court.campaign.pk)]
    ana = client_of(court.ana)
    for one in where:
        assert ">More</a>" not in page(ana, *one), "it does not exist yet"
    client_of(court.gm).post(reverse("kingdom:petition_grant", args=[petition.pk]))
    address = reverse("armies:army", args=[Army.objects.get(name="More").pk])
    for one in where:
        assert f'href="{address}"' in page(ana, *one)
    assert ana.get(address).status_code == 200


def test_of_choices_one_of_which_is_always_taken_none_is_called_optional(court):
    html = page(client_of(court.gm), "kingdom:campaign_edit", court.campaign.pk)
    groups = [group for group in html.split("<fieldset") if 'type="radio"' in group.partition("</fieldset>")[0]]
    assert len(groups) > len(KINDS)
    for group in groups:
        assert "optional" not in group.partition("</legend>")[0], group
    assert "optional" not in html.partition('for="id_others_known"')[2].partition("</label>")[0]


def test_htmx_goes_to_the_request_too(court):
    url = reverse("kingdom:kingdom_entry", args=[court.crown.pk])
    answer = client_of(court.ana, **{"HX-Request": "true"}).post(url, {"amount": "100", "reason": "Treasure"})
    assert answer["HX-Redirect"] == reverse("kingdom:petition", args=[ApprovalRequest.objects.get().pk])


def test_a_form_with_a_fault_asks_nobody(court):
    url = reverse("kingdom:kingdom_edit", args=[court.crown.pk])
    answer = client_of(court.ana).post(url, {"name": "Crown of Restov", "economy": "99999"})
    assert (answer.status_code, ApprovalRequest.objects.exists()) == (422, False)


def test_the_gm_finds_what_waits_on_the_campaigns_page(court):
    petition = ask_gold(court)
    html = page(client_of(court.gm), "kingdom:campaign", court.campaign.pk)
    assert "1 request" in html
    assert reverse("kingdom:petition_grant", args=[petition.pk]) in html
    asked = page(client_of(court.ana), "kingdom:campaign", court.campaign.pk)
    assert "Your request" in asked
    assert "waiting for the GM" in asked
    assert reverse("kingdom:petition", args=[petition.pk]) in asked
    assert reverse("kingdom:petition", args=[petition.pk]) not in page(
        client_of(court.bo), "kingdom:campaign", court.campaign.pk
    )


def test_requests_to_rewrite_a_sheet_are_told_apart_where_they_wait(court):
    for figures in ({"economy": "30"}, {"unrest": "1", "loyalty": "19"}):
        sheet = {"name": "Crown of Restov", "alignment": "LN", "economy": "22", "loyalty": "18", "stability": "20"}
        sheet |= {"unrest": "3", "size": "11", "districts": "3", **figures}
        client_of(court.ana).post(reverse("kingdom:kingdom_edit", args=[court.crown.pk]), sheet)
    html = page(client_of(court.gm), "kingdom:campaign", court.campaign.pk)
    gists = re.findall(r'<span class="gist">(.*?)</span>\s*<small>', html.split('id="requests"')[1], re.DOTALL)
    told = [" ".join(re.sub(r"<span aria-hidden.*?</span>|<[^>]+>", "", gist).split()) for gist in gists]
    assert told == ["Loyalty 18 becomes 19 · Unrest 3 becomes 1", "Economy 22 becomes 30"], "the newest first"


def test_the_gm_grants_from_the_list(court):
    petition, gm = ask_gold(court), client_of(court.gm)
    before = Kingdom.objects.get(pk=court.crown.pk).treasury
    listed = page(gm, "kingdom:petitions", court.campaign.pk)
    assert f"{before}</span>" in listed
    assert f"{before + 100}</b>" in listed
    answer = gm.post(reverse("kingdom:petition_grant", args=[petition.pk]), follow=True)
    assert "Request approved and carried out." in answer.content.decode()
    assert Kingdom.objects.get(pk=court.crown.pk).treasury == before + 100
    assert "approved" in page(client_of(court.ana), "kingdom:petition", petition.pk)


def test_the_gm_refuses_with_a_reason_the_player_reads(court):
    petition, gm = ask_gold(court), client_of(court.gm)
    gm.post(reverse("kingdom:petition_refuse", args=[petition.pk]), {"reason": "Not yet."})
    html = page(client_of(court.ana), "kingdom:petitions", court.campaign.pk)
    assert "Reason: Not yet." in html
    assert reverse("kingdom:petition_withdraw", args=[petition.pk]) not in html


def test_what_cannot_be_granted_says_why(court):
    with pytest.raises(ApprovalRequested):
        disband_army(by=court.ana, army=court.levy)
    petition = ApprovalRequest.objects.get()
    remove_army(by=court.gm, army=court.levy)
    answer = client_of(court.gm).post(reverse("kingdom:petition_grant", args=[petition.pk]))
    assert (answer.status_code, "Levy: no longer in the campaign." in answer.content.decode()) == (409, True)


def test_the_player_withdraws(court):
    petition = ask_gold(court)
    client_of(court.ana).post(reverse("kingdom:petition_withdraw", args=[petition.pk]))
    petition.refresh_from_db()
    assert petition.status == "withdrawn"
    html = page(client_of(court.ana), "kingdom:petition", petition.pk)
    assert ("Withdrawn, " in html, "Answered by" in html) == (True, False)  # nobody answered it


def test_the_player_asks_again(court):
    petition, ana = ask_gold(court), client_of(court.ana)
    again = reverse("kingdom:petition_repeat", args=[petition.pk])
    assert again not in page(ana, "kingdom:petition", petition.pk)
    client_of(court.gm).post(reverse("kingdom:petition_refuse", args=[petition.pk]), {"reason": "Not yet."})
    assert again not in page(client_of(court.gm), "kingdom:petition", petition.pk)
    for place in (("kingdom:petition", petition.pk), ("kingdom:petitions", court.campaign.pk)):
        assert again in page(ana, *place)
    answer = ana.post(again)
    made = ApprovalRequest.objects.exclude(pk=petition.pk).get()
    assert (answer.status_code, answer["Location"]) == (302, reverse("kingdom:petition", args=[made.pk]))
    assert "Request sent to the GM." in page(ana, "kingdom:petition", made.pk)


@pytest.mark.parametrize(  # the others are refused every day in tests/access, too
    ("who", "read", "answer"),
    everyday([("ana", 200, 403), ("viewer", 200, 403), ("bo", 404, 404), ("stranger", 404, 404)], first=1),
)
def test_the_pages_know_who_may_what(court, who, read, answer):
    petition, client = ask_gold(court), client_of(getattr(court, who))
    assert client.get(reverse("kingdom:petition", args=[petition.pk])).status_code == read
    for name in ("kingdom:petition_grant", "kingdom:petition_refuse"):
        assert client.post(reverse(name, args=[petition.pk])).status_code == answer
    petition.refresh_from_db()
    assert petition.status == "waiting"


def test_the_list_takes_no_more_queries_for_more_requests(court, django_assert_max_num_queries):
    client, names, least = client_of(court.gm), ("kingdom:petitions", "kingdom:campaign"), {}
    asked = ask_gold(court)
    more_like(asked, 6)  # more than the campaign's page shows: there it counts the others
    page(client, names[0], court.campaign.pk)
    for name in names:
        with CaptureQueriesContext(connection) as few:
            page(client, name, court.campaign.pk)
        least[name] = len(few)
    more_like(asked, 9)
    for name in names:
        with django_assert_max_num_queries(least[name]):
            assert "Treasure" in page(client, name, court.campaign.pk)


def test_in_french(court):
    ana = client_of(court.ana, **{"Accept-Language": "fr"})
    html = page(ana, "kingdom:kingdom_edit", court.crown.pk)
    assert "Une demande sera envoyée au MJ" in html
    assert "Demander au MJ" in html
    ask_gold(court)
    html = page(client_of(court.gm, **{"Accept-Language": "fr"}), "kingdom:petitions", court.campaign.pk)
    for words in ("En attente de votre réponse", "Accorder", "Refuser", "Inscrire des PC au registre"):
        assert words in html


def test_a_single_request_is_told_once_on_the_gms_board_and_several_each_beside_its_buttons(court):
    petition = ask_gold(court)
    card = card_of_requests(court)
    assert told_in(card) == ["If approved: “Crown of Restov, ledger: +100 BP (Treasure).”"]
    assert card.count(f'href="{reverse("kingdom:petition", args=[petition.pk])}"') == 2  # the heading and the sentence
    ask_gold(court, amount=200)
    assert len(told_in(card_of_requests(court))) == 4  # two above, two beside their buttons


def card_of_requests(court) -> str:
    html = page(client_of(court.gm), "kingdom:campaign", court.campaign.pk)
    return html.partition('id="now-requests"')[2].partition("</ol>")[0]


def told_in(card: str) -> list[str]:
    """What is asked, as it stands on the card for everybody to see."""
    return re.findall("If approved: [^<]*", card)
