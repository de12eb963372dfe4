"""Requests: asked, granted once, refused with a reason, withdrawn; who sees them."""

from __future__ import annotations

import threading

import pytest
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, connections, transaction
from django.http import Http404
from django.utils import timezone

from armies.forces.services import remove_army
from armies.intel.services import hide_army
from armies.pathfinder.armies.march_services import place_army
from armies.pathfinder.armies.resource_services import Share, transfer_resource
from armies.pathfinder.armies.services import change_army, raise_army, update_army
from armies.pathfinder.armies.trade_services import buy_resource, disband_army
from armies.pathfinder.commanders.command_services import assign_commander
from armies.pathfinder.commanders.services import appoint_commander, update_commander
from armies.pathfinder.models import PathfinderArmy
from core.text import load_said, render
from kingdom.access.decorators import ApprovalRequested
from kingdom.approvals import submission
from kingdom.approvals import submission as arguments
from kingdom.approvals.serializers import get_request_for, list_visible_changes, list_visible_requests, waiting_for
from kingdom.approvals.services import grant_request, refuse_request, repeat_request, withdraw_request
from kingdom.campaign.services import create_campaign, update_campaign
from kingdom.chronicle import changes as chronicle_changes
from kingdom.chronicle.services import undo_entry, undo_last
from kingdom.members.services import accept_invitation, invite, remove_member, set_role
from kingdom.models import ApprovalRequest, Campaign, Kingdom, Settlement, User
from kingdom.realms.services import (
    assign_player,
    assign_players,
    dissolve_kingdom,
    found_kingdom,
    found_settlement,
    raze_settlement,
    update_kingdom,
    update_settlement,
)
from kingdom.realms.treasury_services import record_entry
from rules.core.errors import IllegalCommand, InvalidInput
from tests.armies.conftest import orc, raised
from tests.everyday import everyday
from tests.kingdom.approvals.conftest import afresh, latest, players_may, world_of


def asked(action, **given) -> ApprovalRequest:
    with pytest.raises(ApprovalRequested) as found:
        action(**given)
    return ApprovalRequest.objects.get(pk=found.value.petition.pk)


def asked_gold(court, amount=100) -> ApprovalRequest:
    return asked(record_entry, by=court.ana, kingdom=court.crown, amount=amount, reason="Treasure")


def asked_economy(court, value=99) -> ApprovalRequest:
    return asked(update_kingdom, by=court.ana, kingdom=court.crown, economy=value)


def text(thing) -> str:
    return render(load_said(thing.text))


def now(thing):
    return type(thing).objects.get(pk=thing.pk)


@pytest.mark.slow
def test_by_default_a_player_does_not_rewrite_his_own_kingdom(court):
    """Economy 99 and 100 000 BP, without anybody asking: that was the fault."""
    for petition in (asked_economy(court), asked_gold(court, 100_000)):
        assert petition.status == "waiting"
    assert (now(court.crown).economy, now(court.crown).treasury) == (22, court.crown.treasury)


def test_by_default_buying_appointing_and_marching_are_free(court):
    buy_resource(by=court.ana, army=court.guard, resource="improved-weapons")
    appoint_commander(by=court.ana, kingdom=court.crown, name="Lady Ash", level=3)
    assign_commander(by=court.ana, army=court.levy, commander=None)
    place_army(by=court.ana, army=court.levy, place="The ford")
    assert not ApprovalRequest.objects.exists()


def test_names_are_always_free(court):
    players_may(court, **dict.fromkeys(("attributes", "found", "raise", "appoint"), "no"))
    court = afresh(court)
    update_kingdom(by=court.ana, kingdom=court.crown, name="Crown of Brevoy", economy=22)
    update_settlement(by=court.ana, settlement=court.restov, name="New Restov", districts=1)
    update_army(by=court.ana, army=court.levy, name="Old levy", unit=court.levy.unit, count=500, mount=None)
    update_commander(by=court.ana, commander=court.vell, name="Sir Vell", level=8, office="")
    assert [str(now(thing)) for thing in (court.crown, court.restov, court.levy, court.vell)] == [
        "Crown of Brevoy", "New Restov", "Old levy", "Sir Vell",
    ]  # fmt: skip


@pytest.mark.slow
def test_an_army_grows_by_leave_only(court):
    petition = asked(update_army, by=court.ana, army=court.levy, count=50_000)
    assert petition.kind == "raise"


def test_of_several_kinds_the_strictest_decides(court):
    players_may(court, appoint="no")
    court = afresh(court)
    with pytest.raises(PermissionDenied, match="Appoint and teach"):
        change_army(by=court.ana, army=court.levy, count=600, commander=None)
    assert asked(change_army, by=court.ana, army=court.levy, count=600, name="Levy").kind == "raise"


def test_a_commander_rises_to_level_20_by_leave_only(court):
    petition = asked(update_commander, by=court.ana, commander=court.vell, level=20)
    assert petition.kind == "attributes"


def test_a_request_tells_what_it_would_change(court):
    petition = asked_gold(court)
    before = court.crown.treasury
    (change,) = chronicle_changes.list_changes(petition)
    assert (change.field, change.before, change.after) == ("treasury", before, before + 100)
    assert text(petition) == "Crown of Restov, ledger: +100 BP (Treasure)."
    assert (petition.kind, petition.day, petition.kingdoms) == ("treasury", 0, [court.crown.pk])


def test_a_request_holds_only_what_differs(court):
    """A form sends every field: granting it days later must not set the others back."""
    sheet = {"economy": 30, "loyalty": 18, "stability": 20, "unrest": 3, "size": 11, "alignment": "LN"}
    petition = asked(update_kingdom, by=court.ana, kingdom=court.crown, **sheet)
    update_kingdom(by=court.gm, kingdom=now(court.crown), unrest=7)
    grant_request(by=court.gm, petition=petition)
    assert (now(court.crown).economy, now(court.crown).unrest) == (30, 7)


def test_the_impossible_is_refused_at_once_with_its_ordinary_error(court):
    players_may(court, buy="ask")
    court = afresh(court)
    with pytest.raises(InvalidInput) as invalid:
        record_entry(by=court.ana, kingdom=court.crown, amount=0, reason="Nothing")
    assert invalid.value.field == "/amount"
    with pytest.raises(IllegalCommand, match="Academy"):
        buy_resource(by=court.ana, army=court.guard, resource="siege-engines")
    with pytest.raises(PermissionDenied):
        update_kingdom(by=court.ana, kingdom=court.crown, control_dc_override=1)
    with pytest.raises(PermissionDenied):
        update_kingdom(by=court.ana, kingdom=court.horde, economy=1)
    assert not ApprovalRequest.objects.exists()


def test_what_changes_nothing_is_not_asked(court):
    players_may(court, appoint="ask")
    court = afresh(court)
    with pytest.raises(IllegalCommand, match="change nothing"):
        assign_commander(by=court.ana, army=court.levy, commander=court.vell)


def test_the_same_deed_asked_twice_is_one_request(court):
    assert asked_gold(court) == asked_gold(court)
    assert asked_gold(court) != asked_gold(court, 101)


def test_nobody_floods_the_gm(court, monkeypatch):
    monkeypatch.setattr(submission, "WAITING_MAX", 2)
    asked_gold(court, 1), asked_gold(court, 2)
    with pytest.raises(IllegalCommand, match="2 open requests"):
        record_entry(by=court.ana, kingdom=court.crown, amount=3, reason="Treasure")


def test_granting_does_it_once_and_the_chronicle_says_who_asked_and_who_granted(court):
    petition = grant_request(by=court.gm, petition=asked_gold(court))
    assert now(court.crown).treasury == court.crown.treasury + 100
    assert (petition.status, petition.answered_by, petition.entry) == ("granted", court.gm, latest())
    assert text(latest()) == "Crown of Restov, ledger: +100 BP (Treasure). (Requested by ana, approved by gm.)"
    assert latest().changes == petition.changes
    with pytest.raises(IllegalCommand, match="already been approved"):
        grant_request(by=court.gm, petition=petition)
    assert now(court.crown).treasury == court.crown.treasury + 100


def test_what_was_granted_is_undone_like_anything_else(court):
    grant_request(by=court.gm, petition=asked_economy(court))
    undo_entry(by=court.gm, entry=latest())
    assert now(court.crown).economy == 22


def test_an_army_asked_for_stands_when_it_is_granted(court):
    wish = {
        "kingdom": court.crown,
        "name": "Riders",
        "unit": orc(),
        "count": 200,
        "mount": {"name": "horse", "cr": "1"},
    }
    petition = asked(raise_army, by=court.ana, **wish)
    grant_request(by=court.gm, petition=petition)
    army = PathfinderArmy.objects.get(name="Riders")
    assert (army.count, army.mount["name"], army.kingdom) == (200, "horse", court.crown)


def test_what_is_no_longer_possible_waits_on(court):
    players_may(court, buy="ask")
    court = afresh(court)
    petition = asked(buy_resource, by=court.ana, army=court.guard, resource="improved-weapons")
    record_entry(by=court.gm, kingdom=court.crown, amount=-now(court.crown).treasury, reason="War")
    before = world_of()
    with pytest.raises(IllegalCommand, match="BP more to pay"):
        grant_request(by=court.gm, petition=petition)
    assert world_of() == before
    record_entry(by=court.gm, kingdom=court.crown, amount=100, reason="Peace")
    assert grant_request(by=court.gm, petition=petition).status == "granted"


def test_a_figure_that_moved_meanwhile_is_not_overwritten(court):
    petition = asked_economy(court, 23)
    update_kingdom(by=court.gm, kingdom=now(court.crown), economy=30)
    with pytest.raises(IllegalCommand, match=r"Economy: 22 then, 30 now"):
        grant_request(by=court.gm, petition=petition)
    assert (now(court.crown).economy, now(petition).status) == (30, "waiting")


def test_a_town_that_changed_meanwhile_is_razed_as_it_is(court):
    """And built again as it was when it was razed, not when that was asked."""
    town = found_settlement(by=court.gm, kingdom=court.crown, name="Restov")
    petition = asked(raze_settlement, by=court.ana, settlement=town)
    update_settlement(by=court.gm, settlement=town, name="New Restov", districts=3)
    grant_request(by=court.gm, petition=petition)
    assert not Settlement.objects.filter(pk=town.pk).exists()
    undo_last(by=court.gm, campaign=afresh(court).campaign)
    assert (now(town).name, now(town).districts) == ("New Restov", 3)


def test_an_amount_is_added_to_what_there_is_now(court):
    petition, before = asked_gold(court), now(court.crown).treasury
    record_entry(by=court.gm, kingdom=court.crown, amount=-50, reason="War")
    grant_request(by=court.gm, petition=petition)
    assert now(court.crown).treasury == before - 50 + 100


def test_what_is_there_already_is_not_granted(court):
    petition = asked_economy(court, 23)
    update_kingdom(by=court.gm, kingdom=now(court.crown), economy=23)
    with pytest.raises(IllegalCommand, match="no longer change anything"):
        grant_request(by=court.gm, petition=petition)


@pytest.mark.parametrize("gone", everyday(["kingdom", "army"], first=1))
def test_what_it_is_about_may_be_gone(court, gone):
    petition = asked(disband_army, by=court.ana, army=court.levy)
    if gone == "army":
        remove_army(by=court.gm, army=court.levy)
    else:
        dissolve_kingdom(by=court.gm, kingdom=court.crown)
    with pytest.raises(IllegalCommand, match=r"Levy: no longer in the campaign"):
        grant_request(by=court.gm, petition=petition)
    assert get_request_for(court.ana, petition.pk).status == "waiting"
    assert refuse_request(by=court.gm, petition=petition).status == "refused"


def test_who_no_longer_runs_the_kingdom_is_granted_nothing(court):
    petition = asked_gold(court)
    assign_players(by=court.gm, kingdom=court.crown, players=[court.bo])
    with pytest.raises(IllegalCommand, match="ana is no longer allowed to do this"):
        grant_request(by=court.gm, petition=petition)


def test_whose_account_is_gone_is_granted_nothing(court):
    petition = asked_gold(court)
    court.ana.delete()
    with pytest.raises(IllegalCommand, match="no longer has an account"):
        grant_request(by=court.gm, petition=petition)


def test_refusing_says_why_and_changes_nothing(court):
    petition = asked_economy(court)
    before = now(court.crown)
    petition = refuse_request(by=court.gm, petition=petition, reason="  Not in this world. ")
    assert (petition.status, petition.reason, petition.answered_by) == ("refused", "Not in this world.", court.gm)
    assert now(court.crown).economy == before.economy
    expected = "Request by ana refused: “Crown of Restov’s sheet was changed.” Reason: Not in this world."
    assert text(latest()) == expected
    assert (latest().changes, latest().private, latest().kingdoms) == ([], True, [court.crown.pk])
    with pytest.raises(IllegalCommand, match="already been refused"):
        grant_request(by=court.gm, petition=petition)


def test_a_reason_is_one_line_of_at_most_200_characters(court):
    petition = asked_economy(court)
    with pytest.raises(InvalidInput) as refused:
        refuse_request(by=court.gm, petition=petition, reason="x" * 201)
    assert (refused.value.field, now(petition).status) == ("/reason", "waiting")


def test_one_withdraws_ones_own(court):
    petition = asked_economy(court)
    for other in (court.bo, court.gm, court.viewer):
        with pytest.raises(PermissionDenied):
            withdraw_request(by=other, petition=petition)
    assert withdraw_request(by=court.ana, petition=petition).status == "withdrawn"
    with pytest.raises(IllegalCommand, match="withdrawn"):
        grant_request(by=court.gm, petition=petition)


def test_one_asks_again_for_what_came_to_nothing(court):
    petition = asked_gold(court)
    with pytest.raises(IllegalCommand, match="waiting"):
        repeat_request(by=court.ana, petition=petition)
    for end in (
        lambda one: withdraw_request(by=court.ana, petition=one),
        lambda one: refuse_request(by=court.gm, petition=one),
    ):
        petition = end(now(petition))
        for other in (court.bo, court.gm, court.viewer):
            with pytest.raises(PermissionDenied):
                repeat_request(by=other, petition=petition)
        again = asked(repeat_request, by=court.ana, petition=petition)
        assert again.pk != petition.pk
        assert (again.status, again.command, again.arguments) == ("waiting", petition.command, petition.arguments)
        petition = again
    treasury = afresh(court).crown.treasury
    grant_request(by=court.gm, petition=petition)
    assert afresh(court).crown.treasury == treasury + 100
    with pytest.raises(IllegalCommand, match="approved"):
        repeat_request(by=court.ana, petition=now(petition))


def test_what_needs_no_approval_any_more_is_done_at_once(court):
    petition = withdraw_request(by=court.ana, petition=asked_gold(court))
    players_may(court, treasury="free")
    treasury = afresh(court).crown.treasury
    repeat_request(by=court.ana, petition=now(petition))
    assert afresh(court).crown.treasury == treasury + 100
    players_may(court, treasury="no")
    with pytest.raises(PermissionDenied):
        repeat_request(by=court.ana, petition=now(petition))


def test_what_is_gone_can_not_be_asked_again(court):
    petition = withdraw_request(by=court.ana, petition=asked(disband_army, by=court.ana, army=court.levy))
    remove_army(by=court.gm, army=court.levy)
    with pytest.raises(IllegalCommand, match="no longer in the campaign"):
        repeat_request(by=court.ana, petition=now(petition))


def test_only_the_gm_answers(court):
    petition = asked_economy(court)
    for answer in (grant_request, refuse_request):
        for other in (court.ana, court.bo, court.viewer):
            with pytest.raises(PermissionDenied):
                answer(by=other, petition=petition)
        with pytest.raises(Http404):
            answer(by=court.stranger, petition=petition)


def test_who_leaves_asks_for_nothing_any_more(court):
    petition = asked_economy(court)
    remove_member(by=court.gm, campaign=court.campaign, user=court.ana)
    assert (now(petition).status, now(petition).answered_by) == ("withdrawn", None)
    with pytest.raises(Http404):
        get_request_for(court.ana, petition.pk)


def test_who_only_watches_from_now_on_asks_for_nothing_any_more(court):
    petition = asked_economy(court)
    set_role(by=court.gm, campaign=court.campaign, user=court.ana, role="viewer")
    assert now(petition).status == "withdrawn"


def test_who_sees_a_request(court):
    petition = asked_economy(court)
    cyd = User.objects.create_user("cyd")
    link = invite(by=court.gm, campaign=court.campaign, role="player")
    accept_invitation(by=cyd, token=link.token)

    def seen_by(user):
        return petition in list_visible_requests(user)

    assert [seen_by(user) for user in (court.gm, court.ana, court.viewer)] == [True, True, True]
    assert [seen_by(user) for user in (court.bo, cyd, court.stranger)] == [False, False, False]
    assign_player(by=court.gm, kingdom=court.crown, player=cyd)
    assert seen_by(cyd)


def test_lines_of_a_kingdom_one_does_not_read_are_left_out(court):
    """Handing over between two kingdoms of one player: who runs one of them reads their own lines."""
    assign_player(by=court.gm, kingdom=court.horde, player=court.ana)
    players_may(court, buy="ask")
    court = afresh(court)
    small = raised(court.gm, court.horde, "Scouts", count=100)
    share = Share(small)
    petition = asked(
        transfer_resource, by=court.ana, army=court.levy, resource="improved-armor", to=[share]
    )  # fmt: skip
    subjects = {change.subject for change in list_visible_changes(court.bo, petition)}
    assert subjects == {"Scouts"}
    assert {"Levy", "Scouts"} <= {c.subject for c in list_visible_changes(court.ana, petition)}


def test_a_request_that_names_a_hidden_army_is_for_who_may_know_it(court):
    """Also for who plays another of its kingdoms; once it is granted, and in what is told of a refusal."""
    assign_player(by=court.gm, kingdom=court.horde, player=court.ana)
    players_may(court, buy="ask")
    court = afresh(court)
    share = Share(raised(court.gm, court.horde, "Scouts", count=100))
    petition = asked(transfer_resource, by=court.ana, army=court.levy, resource="improved-armor", to=[share])
    assert court.levy.pk in petition.names

    def readers():
        campaign = Campaign.objects.get(pk=court.campaign.pk)
        found = [user.username for user in (court.gm, court.viewer, court.ana, court.bo)
                 if petition in list_visible_requests(user)]  # fmt: skip
        if now(petition).waiting:
            assert found == [user.username for user in (court.gm, court.viewer, court.ana, court.bo)
                             if waiting_for(user, campaign)]  # fmt: skip
        return found

    assert readers() == ["gm", "viewer", "ana", "bo"]
    hide_army(by=court.gm, army=court.levy, hidden=True)
    assert readers() == ["gm", "viewer", "ana"]
    grant_request(by=court.gm, petition=petition)
    assert readers() == ["gm", "viewer", "ana"]
    hide_army(by=court.gm, army=now(court.levy), hidden=False)
    assert readers() == ["gm", "viewer", "ana", "bo"]


def test_an_army_that_a_granted_request_raised_is_named_in_it(court):
    players_may(court, **{"raise": "ask"})
    court = afresh(court)
    petition = asked(raise_army, by=court.ana, kingdom=court.crown, name="More", unit=orc(), count=5000)
    grant_request(by=court.gm, petition=petition)
    assert now(petition).names == [PathfinderArmy.objects.get(name="More").pk]


def test_arguments_come_back_as_they_were(court):
    wish = {"a": [1, None, {"a": "Army", "id": "x", "name": "no army"}], "to": (Share(court.levy, 2),)}
    back = arguments.load_argument(arguments.dump_argument(wish), court.campaign)
    assert back == {"a": wish["a"], "to": [Share(court.levy, 2)]}
    with pytest.raises(TypeError, match="User"):
        arguments.dump_argument(court.ana)


def test_rows_of_another_campaign_are_not_found(court):
    other = create_campaign(by=court.gm, name="Elsewhere", ruleset="combat-de-masse")
    with pytest.raises(IllegalCommand, match="no longer in the campaign"):
        arguments.load_argument(arguments.dump_argument(court.levy), other)


def test_the_database_knows_no_half_answered_request(court):
    petition = asked_economy(court)
    for wrong in ({"status": "granted"}, {"answered_at": timezone.now()}, {"status": "lost"}, {"kind": "teleport"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            ApprovalRequest.objects.filter(pk=petition.pk).update(**wrong)


def test_choices_are_checked_and_the_ordinary_ones_not_kept(court):
    def change(**choices):
        return update_campaign(by=court.gm, campaign=now(court.campaign), players_may=choices).players_may

    assert change(buy="ask") == {"buy": "ask"}
    assert change(treasury="no") == {"buy": "ask", "treasury": "no"}
    assert change(buy="free") == {"treasury": "no"}
    for wrong, field in (({"teleport": "free"}, "/players_may/teleport"), ({"buy": "maybe"}, "/players_may/buy")):
        with pytest.raises(InvalidInput) as refused:
            change(**wrong)
        assert refused.value.field == field


@pytest.mark.django_db(transaction=True)
def test_of_two_gms_who_grant_at_once_one_does_it():
    gm, ana = User.objects.create_user("gm"), User.objects.create_user("ana")
    campaign = create_campaign(by=gm, name="C", ruleset="combat-de-masse")
    link = invite(by=gm, campaign=campaign, role="player")
    accept_invitation(by=ana, token=link.token)
    kingdom = found_kingdom(by=gm, campaign=campaign, name="K", treasury=10, players=[ana])
    with pytest.raises(ApprovalRequested) as found:
        record_entry(by=ana, kingdom=now(kingdom), amount=7, reason="Treasure")
    start, outcomes = threading.Barrier(2), []

    def grant() -> None:
        try:
            start.wait(timeout=10)
            own = ApprovalRequest.objects.select_related("campaign").get(pk=found.value.petition.pk)
            grant_request(by=User.objects.get(pk=gm.pk), petition=own)
            outcomes.append("granted")
        except IllegalCommand as refusal:
            outcomes.append(render(refusal.message))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=grant) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=20)
    assert sorted(outcomes) == ["This request has already been approved.", "granted"]
    assert Kingdom.objects.get(pk=kingdom.pk).treasury == 17
    told = [entry for entry in Campaign.objects.get().chronicle.all() if "Requested by" in text(entry)]
    assert len(told) == 1


def test_a_request_to_found_or_raze_names_what_stands_there(court):
    """A castle asked for must not hide behind a settlement's name."""
    wish = {"kingdom": court.crown, "name": "Varnhold", "districts": 2, "buildings": ["castle", "castle", "smithy"]}
    founded = asked(found_settlement, by=court.ana, **wish)
    assert text(founded) == "Crown of Restov founded Varnhold: 2 districts, Smithy, Castle × 2."
    razed = asked(raze_settlement, by=court.ana, settlement=court.restov)
    assert text(razed) == "Crown of Restov: Restov was razed, and with it Smithy, Stable."


def test_a_request_to_raise_an_army_names_what_it_is_worth_and_costs(court):
    petition = asked(raise_army, by=court.ana, kingdom=court.crown, name="More", unit=orc(), count=500)
    assert text(petition) == "Crown of Restov raised More: 500 × Orc warrior 1. ACR 3, 1 BP a week."


def test_the_gist_of_a_request_is_its_first_figures(court):
    sheet = {"economy": 30, "loyalty": 19, "stability": 21, "unrest": 4}
    asked(update_kingdom, by=court.ana, kingdom=court.crown, **sheet)
    asked(found_settlement, by=court.ana, kingdom=court.crown, name="Varnhold")
    (figures, founding) = waiting_for(court.gm, court.campaign)
    assert [(str(change.field), change.before, change.after) for change in figures.gist] == [
        (str(change.field), change.before, change.after) for change in figures.changes[:3]
    ]
    assert (len(figures.gist), figures.more) == (3, 1)
    assert (founding.gist, founding.more) == ([], 0)
