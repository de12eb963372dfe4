"""Propose, confirm, undo."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.db.models import F

from core.text import load_said
from kingdom.campaign.services import create_campaign, update_campaign
from kingdom.chronicle import changes as chronicle_changes
from kingdom.chronicle.changes import Change
from kingdom.chronicle.field_change import Blocked
from kingdom.chronicle.queries import list_visible_changes
from kingdom.chronicle.services import undo_entry, undo_last
from kingdom.models import Campaign, ChronicleEntry, Kingdom, LedgerEntry, Settlement, User
from kingdom.realms import api
from kingdom.realms import views as pages
from kingdom.realms.services import (
    dissolve_kingdom,
    found_kingdom,
    found_settlement,
    raze_settlement,
    update_kingdom,
    update_settlement,
)
from kingdom.realms.treasury_services import record_entry, spend
from rules.core.errors import IllegalCommand, Refusal
from rules.core.text import _, say
from tests.kingdom.conftest import api_of


def change(kingdom: Kingdom, field: str, before: object, after: object) -> Change:
    return Change("kingdom", str(kingdom.pk), field, before, after, "PF-7.2", _("Consumption"), kingdom.name)


def days(campaign: Campaign, before: int, after: int) -> Change:
    return Change("campaign", str(campaign.pk), "day", before, after, "PF-7.2", _("A week passes"), campaign.name)


def confirm(campaign: Campaign, by: User, *changes: Change) -> ChronicleEntry:
    text = say(_("Week {week}: Consumption paid."), week=1)
    return chronicle_changes.apply(campaign=campaign, changes=changes, by=by, kind="week", text=text)


def now(kingdom: Kingdom) -> Kingdom:
    return Kingdom.objects.get(pk=kingdom.pk)


def test_a_confirmed_proposal_changes_the_world_and_is_written_down(gm, campaign, crown):
    entry = confirm(
        campaign, gm, days(campaign, 0, 7), change(crown, "loyalty", 18, 16), change(crown, "treasury", 21, 7)
    )
    assert (now(crown).loyalty, now(crown).treasury) == (16, 7)
    assert Campaign.objects.get(pk=campaign.pk).day == entry.day == 7
    assert str(load_said(entry.text)) == "Week 1: Consumption paid."
    assert [line.field for line in chronicle_changes.list_changes(entry)] == ["day", "loyalty", "treasury"]


def test_a_treasury_moves_through_its_ledger(gm, campaign, crown):
    confirm(campaign, gm, days(campaign, 0, 7), change(crown, "treasury", 21, 15), change(crown, "treasury", 15, 7))
    last, earlier = LedgerEntry.objects.filter(kingdom=crown).order_by("-seq")[:2]
    assert [(entry.amount, entry.balance, entry.day, entry.source) for entry in (earlier, last)] == [
        (-6, 15, 7, "week"),
        (-8, 7, 7, "week"),
    ]


def test_a_proposal_that_is_out_of_date_changes_nothing(gm, campaign, crown):
    update_kingdom(by=gm, kingdom=crown, loyalty=17)
    with pytest.raises(IllegalCommand) as refused:
        confirm(campaign, gm, change(crown, "treasury", 21, 7), change(crown, "loyalty", 18, 16))
    assert "was 18, now 17" in str(refused.value)
    assert now(crown).treasury == 21
    assert not ChronicleEntry.objects.filter(kind="week").exists()


def test_a_thing_that_is_gone_is_named(gm, campaign, crown):
    proposal = change(crown, "loyalty", 18, 16)
    dissolve_kingdom(by=gm, kingdom=crown)
    with pytest.raises(IllegalCommand, match="Crown of Restov: no longer in the campaign"):
        confirm(campaign, gm, proposal)


def test_another_campaigns_kingdom_cannot_be_changed(gm, crown):
    other = create_campaign(by=gm, name="Elsewhere", ruleset="combat-de-masse")
    with pytest.raises(IllegalCommand, match="no longer in the campaign"):
        confirm(other, gm, change(crown, "loyalty", 18, 16))
    assert now(crown).loyalty == 18


def test_undo_puts_everything_back_and_keeps_the_trace(gm, campaign, crown):
    entry = confirm(
        campaign, gm, days(campaign, 0, 7), change(crown, "loyalty", 18, 16), change(crown, "treasury", 21, 7)
    )
    undone = undo_last(by=gm, campaign=campaign)
    assert undone.pk == entry.pk
    assert undone.undone_by == gm
    assert (now(crown).loyalty, now(crown).treasury) == (18, 21)
    assert Campaign.objects.get(pk=campaign.pk).day == 0
    assert LedgerEntry.objects.filter(kingdom=crown).order_by("seq").last().source == "undo"


def test_undoing_twice_undoes_the_one_before(gm, campaign, crown):
    confirm(campaign, gm, change(crown, "loyalty", 18, 16))
    confirm(campaign, gm, change(crown, "loyalty", 16, 10))
    undo_last(by=gm, campaign=campaign)
    assert now(crown).loyalty == 16
    undo_last(by=gm, campaign=campaign)
    assert now(crown).loyalty == 18
    with pytest.raises(IllegalCommand, match="nothing to undo"):
        undo_last(by=gm, campaign=campaign)


def test_what_came_later_and_rests_on_it_is_named(gm, campaign, crown):
    first = confirm(campaign, gm, change(crown, "loyalty", 18, 16))
    confirm(campaign, gm, change(crown, "loyalty", 16, 10))
    with pytest.raises(IllegalCommand, match=r"Week 1: Consumption paid.*depends on this"):
        undo_entry(by=gm, entry=first)
    assert now(crown).loyalty == 10


def test_an_earlier_entry_that_nothing_rests_on_can_be_undone_by_itself(gm, campaign, crown):
    first = confirm(campaign, gm, change(crown, "loyalty", 18, 16))
    confirm(campaign, gm, change(crown, "economy", 22, 20))
    undo_entry(by=gm, entry=first)
    assert (now(crown).loyalty, now(crown).economy) == (18, 20)


def test_a_value_changed_by_hand_since_is_not_overwritten(gm, campaign, crown):
    entry = confirm(campaign, gm, change(crown, "treasury", 21, 7))
    spend(by=gm, kingdom=crown, amount=2, reason="bread", source="purchase")
    with pytest.raises(IllegalCommand, match="was 7, now 5"):
        undo_entry(by=gm, entry=entry)
    assert now(crown).treasury == 5
    assert not ChronicleEntry.objects.get(kind="week").undone


def test_an_entry_is_undone_once(gm, campaign, crown):
    entry = confirm(campaign, gm, change(crown, "loyalty", 18, 16))
    undo_entry(by=gm, entry=entry)
    with pytest.raises(IllegalCommand, match="already"):
        undo_entry(by=gm, entry=entry)


def test_only_the_gm_undoes(table):
    confirm(table.campaign, table.gm, change(table.crown, "loyalty", 18, 16))
    for user in (table.ana, table.viewer):
        with pytest.raises(PermissionDenied):
            undo_last(by=user, campaign=table.campaign)
    assert now(table.crown).loyalty == 16


def test_a_player_reads_only_his_own_kingdoms_lines(table):
    entry = confirm(
        table.campaign,
        table.gm,
        days(table.campaign, 0, 7),
        change(table.crown, "loyalty", 18, 16),
        change(table.horde, "economy", 9, 8),
    )

    def read_by(user: User) -> list[str]:
        campaign = Campaign.objects.get(pk=table.campaign.pk)
        return [line.subject for line in list_visible_changes(user, campaign, [entry])[entry.pk]]

    assert read_by(table.ana) == ["Restov marches", "Crown of Restov"]
    assert read_by(table.bo) == ["Restov marches", "Greenbelt horde"]
    assert len(read_by(table.gm)) == len(read_by(table.viewer)) == 3


def test_a_kind_nobody_registered_is_a_programming_error(gm, campaign, crown):
    with pytest.raises(KeyError):
        confirm(campaign, gm, replace(change(crown, "loyalty", 18, 16), subject_kind="dragon"))


@pytest.mark.django_db(transaction=True)
def test_of_two_confirmations_of_one_proposal_only_one_counts():
    gm = User.objects.create_user("gm")
    campaign = create_campaign(by=gm, name="C", ruleset="combat-de-masse")
    crown = found_kingdom(by=gm, campaign=campaign, name="K", loyalty=18, treasury=21)
    start, outcomes = threading.Barrier(2), []

    def go() -> None:
        try:
            start.wait(timeout=10)
            confirm(campaign, gm, change(crown, "loyalty", 18, 16), change(crown, "treasury", 21, 7))
            outcomes.append("done")
        except IllegalCommand:
            outcomes.append("refused")
        finally:
            connection.close()

    threads = [threading.Thread(target=go) for _each in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=20)
    assert sorted(outcomes) == ["done", "refused"]
    assert (now(crown).loyalty, now(crown).treasury) == (16, 7)
    assert ChronicleEntry.objects.filter(kind="week").count() == 1


def test_a_razed_town_is_built_again_as_it_was(gm, campaign, crown):
    town = found_settlement(by=gm, kingdom=crown, name="Restov", districts=3, buildings=["temple"], defense_override=4)
    before = Settlement.objects.values().get(pk=town.pk)
    for _twice in range(2):  # two people at once: razed once
        raze_settlement(by=gm, settlement=town)
        town = Settlement(**before)
    razed = ChronicleEntry.objects.latest("seq")
    razings = [str(load_said(entry.text)) for entry in ChronicleEntry.objects.all()]
    assert sum("was razed, and with it" in told for told in razings) == 1
    with pytest.raises(Blocked, match=r"Restov was razed.*depends on this"):
        undo_entry(by=gm, entry=ChronicleEntry.objects.get(seq=razed.seq - 1))  # its foundation
    undo_last(by=gm, campaign=campaign)
    assert Settlement.objects.values().get(pk=town.pk) == before


NO_TOWNS = [
    True, [], {}, {"columns": []}, {"name": "x" * 500}, {"name": "  "}, {"districts": -1}, {"districts": 0},
    {"districts": 10**6}, {"buildings": "no list"}, {"revealed": "maybe"}, {"kingdom_id": "Restov"}, {"leant": 3},
    {"leant": {"fortifiedplace.settlement": ["no id"]}},
]  # fmt: skip


def test_what_no_town_can_be_is_built_by_no_undo(gm, campaign, crown):
    """Of a document somebody else wrote."""
    town = found_settlement(by=gm, kingdom=crown, name="Restov")
    raze_settlement(by=gm, settlement=town)
    razed = ChronicleEntry.objects.latest("seq")
    struck = razed.struck.get()
    whole = struck.whole
    for kept in NO_TOWNS:
        if isinstance(kept, dict) and kept:
            kept = whole | (kept if kept.keys() <= whole.keys() | {"leant"} else {"columns": whole["columns"] | kept})
        struck.whole = kept
        struck.save()
        with pytest.raises(Refusal):
            undo_entry(by=gm, entry=razed)
        assert not Settlement.objects.exists(), kept
    struck.whole = whole
    struck.save()
    undo_entry(by=gm, entry=razed)
    assert Settlement.objects.get() == town


def test_a_town_razed_when_the_line_itself_told_how_it_was_is_built_again(gm, campaign, crown):
    town = found_settlement(by=gm, kingdom=crown, name="Restov", districts=3)
    before = Settlement.objects.values().get(pk=town.pk)
    raze_settlement(by=gm, settlement=town)
    razed = ChronicleEntry.objects.latest("seq")
    (line,) = razed.changes
    columns = razed.struck.get().whole["columns"]
    razed.changes = [{**line, "field": "created", "before": columns, "after": None}]
    razed.save()
    undo_entry(by=gm, entry=razed)
    assert Settlement.objects.values().get(pk=town.pk) == before


def test_a_razed_town_of_a_kingdom_that_is_gone_stays_razed(gm, campaign, crown):
    town = found_settlement(by=gm, kingdom=crown, name="Restov")
    raze_settlement(by=gm, settlement=town)
    razed = ChronicleEntry.objects.latest("seq")
    dissolve_kingdom(by=gm, kingdom=crown)
    with pytest.raises(IllegalCommand, match="The kingdom Restov belonged to no longer exists"):
        undo_entry(by=gm, entry=razed)
    razed.refresh_from_db()
    assert (razed.undone, Settlement.objects.count()) == (False, 0)


def test_what_is_gone_for_good_is_not_called_undone(gm, campaign, crown):
    """A kingdom that was dissolved when nothing was kept of it."""
    dissolve_kingdom(by=gm, kingdom=crown)
    entry = ChronicleEntry.objects.latest("seq")
    entry.changes = []
    entry.save()
    with pytest.raises(IllegalCommand, match=r"was deleted.*can’t be undone: nothing in it can be restored"):
        undo_entry(by=gm, entry=entry)
    entry.refresh_from_db()
    assert not entry.undone


def test_who_changes_a_town_that_somebody_has_just_razed_is_told_that_it_is_gone(gm, crown, client, monkeypatch):
    town = found_settlement(by=gm, kingdom=crown, name="Restov")

    def changed(**given):
        raze_settlement(by=gm, settlement=Settlement.objects.get(pk=town.pk))
        return update_settlement(**given)

    for room in (pages, api):
        monkeypatch.setattr(room, "update_settlement", changed)
    client.force_login(gm)
    page = client.post(f"/settlements/{town.pk}/", {"name": "New", "districts": "1"})
    assert (page.status_code, "text/html" in page["Content-Type"]) == (404, True)
    told = api_of(gm).patch(f"/api/v1/settlements/{town.pk}/", {"name": "New"}, format="json")
    assert (told.status_code, told["Content-Type"]) == (404, "application/problem+json")


def test_house_rules_of_another_family_of_laws_are_taken_back_before_the_change_to_it(gm):
    table = create_campaign(by=gm, name="Changing", ruleset="combat-de-masse")
    update_campaign(by=gm, campaign=table, ruleset="breaking-point")
    changed = ChronicleEntry.objects.latest("seq")
    update_campaign(by=gm, campaign=table, house_rules={"plain_die": True})
    chosen = ChronicleEntry.objects.latest("seq")
    with pytest.raises(Blocked, match=r"depends on this .*Ruleset.*Undo that event first") as refused:
        undo_entry(by=gm, entry=changed)
    assert refused.value.entry == chosen
    undo_entry(by=gm, entry=chosen)
    undo_entry(by=gm, entry=changed)
    table.refresh_from_db()
    assert (table.ruleset, table.house_rules) == ("combat-de-masse", {})


def test_an_undo_asks_nothing_of_what_it_does_not_touch(gm, campaign, crown):
    """Whatever has always been wrong elsewhere in the row: its ledger, its house rules."""
    record_entry(by=gm, kingdom=crown, amount=5, reason="Toll")
    Kingdom.objects.update(treasury=F("treasury") + 1, arms={"x": 1})
    Campaign.objects.update(house_rules={"plain_die": True})
    update_kingdom(by=gm, kingdom=Kingdom.objects.get(pk=crown.pk), unrest=1)
    undo_last(by=gm, campaign=campaign)
    assert Kingdom.objects.get(pk=crown.pk).unrest == crown.unrest


def test_a_kingdom_named_before_anybody_asked_how_names_read_is_dissolved_and_brought_back(gm, campaign, crown):
    Kingdom.objects.update(name="\u202eevening")
    dissolve_kingdom(by=gm, kingdom=Kingdom.objects.get(pk=crown.pk))
    undo_last(by=gm, campaign=campaign)
    assert Kingdom.objects.get(pk=crown.pk).name == "\u202eevening"


def test_a_foundation_of_what_was_dissolved_is_not_undone(gm, campaign, crown):
    found_settlement(by=gm, kingdom=crown, name="Restov")
    founded = ChronicleEntry.objects.latest("seq")
    dissolve_kingdom(by=gm, kingdom=crown)
    with pytest.raises(IllegalCommand, match=r"was deleted.*depends on this"):
        undo_entry(by=gm, entry=founded)
