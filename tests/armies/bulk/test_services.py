"""One deed for many armies: proposed army by army, done at once, told and taken back as one."""

from __future__ import annotations

import time

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test.utils import CaptureQueriesContext

from armies.bulk.many_deeds import get_deed, list_deeds, propose
from armies.bulk.services import StaleProposal, order_armies
from armies.pathfinder.armies.march_services import rest_army
from armies.pathfinder.models import PathfinderArmy, RestCheck
from core.text import load_said, render
from kingdom.access.decorators import ApprovalRequested
from kingdom.access.permissions import Forbidden
from kingdom.approvals.services import grant_request
from kingdom.chronicle.services import undo_entry
from kingdom.models import ApprovalRequest, ChronicleEntry, Kingdom, LedgerEntry
from rules.core.errors import IllegalCommand, InvalidInput
from tests.armies.conftest import appointed, multiplied, raised
from tests.databases import tried
from tests.everyday import at_most
from tests.kingdom.approvals.conftest import players_may, world_of
from tests.rulesets.browsing import Reader
from tests.worlds import built_once

pytestmark = pytest.mark.django_db


@built_once
def host(war):
    """Three wounded armies of the crown."""
    war.archers, war.guard = (raised(war.gm, war.crown, name) for name in ("Archers", "Guard"))
    PathfinderArmy.objects.filter(kingdom=war.crown).update(health=5)
    return war


def ids(*armies):
    return [str(army.pk) for army in armies]


def now(army):
    return PathfinderArmy.objects.get(pk=army.pk)


def shown(by, table, slug, armies, **options):
    return propose(by, table.campaign, get_deed(table.campaign, slug), ids(*armies), options)


def done(by, table, slug, armies, mark=None, **options):
    return order_armies(
        by=by, campaign=table.campaign, deed=slug, armies=ids(*armies), options=options, mark=mark
    )  # fmt: skip


def lines(proposal):
    return {line.army.name: (line.done, str(line.text)) for line in proposal.lines}


def test_a_proposal_says_of_each_army_what_would_happen_and_why_not(host, busy):
    busy.add(host.guard.pk)
    rest_army(by=host.gm, army=host.archers)
    before = world_of()
    found = lines(shown(host.ana, host, "rest", [host.levy, host.archers, host.guard]))
    assert found == {
        "Levy": (True, "Levy: 3 hp regained."),
        "Archers": (False, "Archers already rested today. It can rest again tomorrow."),
        "Guard": (False, "Guard fights."),
    }
    assert world_of() == before


def test_who_cannot_is_left_as_he_is_and_the_others_do_it(host):
    rest_army(by=host.gm, army=host.archers)
    proposal, entry = done(host.ana, host, "rest", [host.levy, host.archers, host.guard])
    assert [now(army).hp for army in (host.levy, host.archers, host.guard)] == [8, 8, 8]
    assert (len(proposal.done), proposal.refused) == (2, 1)
    assert {change["subject"] for change in entry.changes} == {"Levy", "Guard"}


def test_where_none_can_nothing_is_done(host):
    done(host.gm, host, "rest", [host.levy])
    with pytest.raises(IllegalCommand, match="None of these armies can do that: Levy already rested today"):
        done(host.gm, host, "rest", [host.levy])


TOGETHER = [
    ("rest", {}),
    ("march", {"place": "The ford", "hexes": 4}),
    ("place", {"place": "The ford"}),
    ("pay", {}),
    ("assign", {}),
    ("relieve", {}),
    ("combine", {}),
    ("regroup", {}),
    ("reveal", {}),
    ("conceal", {}),
]


def test_each_deed_is_one_entry_and_one_undo(host):
    appointed(host.gm, host.crown, "Ser Ado")
    appointed(host.gm, host.crown, "Ser Bel")
    PathfinderArmy.objects.filter(kingdom=host.crown).update(owed=4, arrears=True)
    before = world_of()
    chronicle, ledger = ChronicleEntry.objects.count(), LedgerEntry.objects.count()
    told = {"kingdom_chronicleentry", "kingdom_ledgerentry"}
    for slug, options in TOGETHER:
        with tried():
            proposal, entry = done(host.gm, host, slug, [host.levy, host.archers, host.guard], **options)
            assert proposal.done, slug
            assert ChronicleEntry.objects.count() == chronicle + 1, slug
            assert world_of() != before, slug
            undo_entry(by=host.gm, entry=entry)
            after = world_of()
            assert {k: v for k, v in after.items() if k not in told} == {
                k: v for k, v in before.items() if k not in told
            }, slug
            assert LedgerEntry.objects.count() >= ledger, slug


def test_what_is_shown_is_what_is_done(host):
    proposal = shown(host.gm, host, "march", [host.levy, host.archers], place="The ford", hexes=4)
    made = done(host.gm, host, "march", [host.levy, host.archers], place="The ford", hexes=4, mark=proposal.mark)
    assert lines(made.proposal) == lines(proposal)
    seen = [(c.subject, c.field, c.before, c.after) for line in proposal.lines for c in line.changes]
    kept = [(c["subject"], c["field"], c["before"], c["after"]) for c in made.entry.changes]
    assert sorted(seen, key=str) == sorted(kept, key=str)


def test_a_world_that_moved_since_is_shown_again(host):
    mark = shown(host.gm, host, "rest", [host.levy, host.archers]).mark
    rest_army(by=host.gm, army=host.archers)
    with pytest.raises(StaleProposal):
        done(host.gm, host, "rest", [host.levy, host.archers], mark=mark)
    assert now(host.levy).hp == 5


def test_one_loyalty_check_counts_for_all_armies_of_the_kingdom(host):
    """R-79"""
    found = lines(shown(host.gm, host, "rest", [host.levy, host.guard], rally=True))
    assert found["Levy"][1] == "Levy: 3 hp regained, or 6 if the Loyalty check succeeds."
    assert not RestCheck.objects.exists(), "no die falls for a proposal"
    _proposal, entry = done(host.gm, host, "rest", [host.levy, host.guard], rally=True, die=20)
    assert RestCheck.objects.count() == 1
    assert [now(army).hp for army in (host.levy, host.guard)] == [11, 11]
    assert "Loyalty check passed" in render(load_said(entry.text))
    with pytest.raises(InvalidInput) as wrong:
        shown(host.gm, host, "rest", [host.archers], rally=True, die=4)
    assert wrong.value.field == "/options/die"


def test_armies_march_together_each_at_its_own_speed(host):
    """PF-1.8"""
    made = done(host.gm, host, "march", [host.levy, host.guard], place="The ford", hexes=9)
    assert {now(army).place for army in (host.levy, host.guard)} == {"The ford"}
    assert all(now(army).marching for army in (host.levy, host.guard))
    assert render(load_said(made.entry.text)) == "Crown of Restov: 2 armies set out for The ford (Guard, Levy)."
    with pytest.raises(IllegalCommand, match="Halt the army first"):
        done(host.gm, host, "march", [host.levy], place="Home", hexes=1)


def test_arrears_are_paid_from_the_smallest_on_while_the_treasury_lasts(host):
    """PF-7.2"""
    for army, owed in ((host.levy, 150), (host.archers, 30), (host.guard, 60)):
        PathfinderArmy.objects.filter(pk=army.pk).update(owed=owed, arrears=True)
    treasury = Kingdom.objects.get(pk=host.crown.pk).treasury
    proposal = shown(host.ana, host, "pay", [host.levy, host.archers, host.guard])
    assert [line.done for line in proposal.lines] == [True, True, False]
    assert str(proposal.notes[0]) == f"Crown of Restov: treasury {treasury} → {treasury - 90}"
    done(host.ana, host, "pay", [host.levy, host.archers, host.guard])
    assert [(now(one).owed, now(one).arrears) for one in (host.levy, host.guard)] == [(150, True), (0, False)]
    assert Kingdom.objects.get(pk=host.crown.pk).treasury == treasury - 90


def test_an_army_that_can_be_paid_nothing_takes_nobody_s_money(host, busy):
    busy.add(host.archers.pk)
    for army, owed in ((host.levy, 190), (host.archers, 30)):
        PathfinderArmy.objects.filter(pk=army.pk).update(owed=owed, arrears=True)
    proposal = shown(host.gm, host, "pay", [host.levy, host.archers])
    assert [line.done for line in proposal.lines] == [False, True]


def test_free_commanders_go_round_in_the_order_of_their_names_unless_named(host):
    """PF-2.5"""
    bel, ado = appointed(host.gm, host.crown, "Ser Bel"), appointed(host.gm, host.crown, "Ser Ado")
    found = lines(shown(host.gm, host, "assign", [host.levy, host.archers, host.guard]))
    assert found["Levy"] == (False, "A commander already leads Levy: Ser Vell.")
    assert [found[name][1].split(" took")[0] for name in ("Archers", "Guard")] == ["Ser Ado", "Ser Bel"]
    done(host.gm, host, "assign", [host.archers, host.guard], commanders={str(host.guard.pk): str(ado.pk)})
    assert (now(host.guard).commander_id, now(host.archers).commander_id) == (ado.pk, bel.pk)
    with pytest.raises(IllegalCommand, match="already leads"):
        done(host.gm, host, "assign", [host.guard], commanders={str(host.guard.pk): str(bel.pk)})


def test_no_commander_is_given_twice_or_to_another_kingdom(host):
    ado = appointed(host.gm, host.crown, "Ser Ado")
    both = {str(army.pk): str(ado.pk) for army in (host.archers, host.guard)}
    found = shown(host.gm, host, "assign", [host.archers, host.guard], commanders=both)
    assert [line.done for line in found.lines] == [True, False]
    theirs = {str(host.raiders.pk): str(ado.pk)}
    assert not shown(host.gm, host, "assign", [host.raiders], commanders=theirs).done


def test_days_led_are_counted_when_many_lose_their_commanders(host):
    """R-80"""
    type(host.campaign).objects.filter(pk=host.campaign.pk).update(day=host.campaign.day + 4)
    host.campaign.refresh_from_db()
    done(host.gm, host, "relieve", [host.levy])
    assert (now(host.levy).led_days, now(host.levy).led_to) == (4, host.campaign.day)


WRONG = [
    ("march", {"hexes": 4}, "/options/place"),
    ("march", {"place": "The ford", "hexes": -1}, "/options/hexes"),
    ("march", {"place": "The ford", "hexes": "4"}, "/options/hexes"),
    ("march", {"place": ["The ford"], "hexes": 4}, "/options/place"),
    ("rest", {"rally": "yes"}, "/options/rally"),
    ("rest", {"sleep": True}, "/options/sleep"),
    ("assign", {"commanders": ["x"]}, "/options/commanders"),
    ("rest", [], "/options"),
]


def test_wrong_options_are_refused_at_their_place(host):
    for slug, options, pointer in WRONG:
        with pytest.raises(InvalidInput) as wrong:
            propose(host.gm, host.campaign, get_deed(host.campaign, slug), ids(host.levy), options)
        assert wrong.value.field == pointer, slug


def test_armies_of_others_are_nobody_s_to_order(host):
    """Hidden ones are not there at all; one whose sheet is shown is not theirs."""
    with pytest.raises(InvalidInput) as unknown:
        shown(host.ana, host, "rest", [host.levy, host.raiders])
    assert unknown.value.field == "/armies/1"
    PathfinderArmy.objects.filter(pk=host.raiders.pk).update(revealed=True)
    with pytest.raises(PermissionDenied):
        shown(host.ana, host, "rest", [host.raiders])
    with pytest.raises(PermissionDenied):
        done(host.viewer, host, "rest", [host.levy])


def test_sheets_are_shown_by_the_gm_alone_whatever_else_holds_the_armies(host, busy):
    busy.add(host.levy.pk)
    assert "reveal" not in {deed.slug for deed in list_deeds(host.ana, host.campaign)}
    with pytest.raises(PermissionDenied):
        done(host.ana, host, "reveal", [host.levy])
    done(host.gm, host, "reveal", [host.levy, host.raiders])
    assert now(host.levy).revealed
    assert now(host.raiders).revealed


LISTED = ("armies/",)
TOLD = (*LISTED, "", "chronicle/", "story/")


def seen_by(user, table, pages=LISTED) -> str:
    """What a reader finds of armies in their list, or wherever they are told of them."""
    reader = Reader(user)
    return " ".join(reader.read(f"/c/{table.campaign.pk}/{page}") for page in pages)


def test_armies_hidden_together_are_seen_by_nobody_else_and_shown_together_again(host, busy):
    """One that fights stays seen, and its line says so; it is the GM's alone."""
    PathfinderArmy.objects.filter(kingdom=host.crown).update(revealed=True)
    busy.add(host.guard.pk)
    with pytest.raises(PermissionDenied):
        done(host.ana, host, "conceal", [host.levy])
    three = [host.levy, host.archers, host.guard]
    seen = seen_by(host.bo, host)
    assert all(army.name in seen for army in three)
    proposal, _entry = done(host.gm, host, "conceal", three)
    assert {name: did for name, (did, _why) in lines(proposal).items()} == {
        host.levy.name: True, "Archers": True, "Guard": False
    }  # fmt: skip
    assert "Archers" in seen_by(host.ana, host)
    seen = seen_by(host.bo, host, TOLD)
    assert [army.name in seen for army in three] == [False, False, True]
    done(host.gm, host, "unveil", three)
    seen = seen_by(host.bo, host)
    assert all(army.name in seen for army in three)
    with pytest.raises(IllegalCommand, match="not hidden"):
        done(host.gm, host, "unveil", three)


def test_what_armies_of_several_kingdoms_do_names_nobody_to_the_others(host):
    PathfinderArmy.objects.filter(pk=host.raiders.pk).update(health=5)
    _proposal, entry = done(host.gm, host, "rest", [host.levy, host.raiders])
    assert entry.private
    assert "Raiders" not in str(entry.text)
    assert "Greenbelt" not in str(entry.text)


def test_what_needs_leave_is_one_request_for_all(host):
    players_may(host, march="ask")
    host.campaign.refresh_from_db()
    mark = shown(host.ana, host, "rest", [host.levy, host.archers]).mark
    before = world_of()
    with pytest.raises(ApprovalRequested) as asked:
        done(host.ana, host, "rest", [host.levy, host.archers], mark=mark)
    assert world_of() == before
    petition = ApprovalRequest.objects.get()
    assert petition == asked.value.petition
    assert {change["subject"] for change in petition.changes} == {"Levy", "Archers"}
    grant_request(by=host.gm, petition=petition)
    assert now(host.levy).hp == now(host.archers).hp == 8


def test_what_the_gm_keeps_to_himself_is_not_offered(host):
    players_may(host, march="no")
    host.campaign.refresh_from_db()
    assert {"rest", "march", "place"}.isdisjoint(deed.slug for deed in list_deeds(host.ana, host.campaign))
    with pytest.raises(Forbidden):
        done(host.ana, host, "rest", [host.levy])


def test_many_armies_cost_hardly_more_queries_than_two(host):
    armies = multiplied(now(host.levy), at_most(20, full=200))
    asked = []
    for some in (armies[:2], armies[2:]):
        started = time.perf_counter()
        with CaptureQueriesContext(
            connection,
        ) as queries:
            proposal = shown(host.gm, host, "rest", some)
            done(host.gm, host, "rest", some, mark=proposal.mark)
        asked.append(len(queries))
        took = time.perf_counter() - started
    assert asked[1] <= asked[0] + 4, asked
    assert took < 8, f"{took:.1f} s for {len(some)} armies, with a proposal"
    print(f"\n{len(some)} armies: {took:.2f} s, {asked[1]} queries (2 armies: {asked[0]})")
