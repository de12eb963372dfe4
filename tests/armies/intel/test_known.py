"""How much players know of others' armies: every reason to know one, at every level, and what hides one from them."""

from __future__ import annotations

from itertools import combinations
from types import SimpleNamespace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from armies.forces.access import filter_known, get_knowledge, list_commanders, list_visible_armies
from armies.forces.services import remove_army, reveal_army
from armies.intel.services import hide_army, let_know
from armies.models import Army, Insight, Sighting, rows_of
from battles.models import Battle
from kingdom.access.redaction import build_knowledge_condition
from kingdom.campaign.services import create_campaign, update_campaign
from kingdom.chronicle import changes as chronicle_changes
from kingdom.chronicle.queries import chronicle_for_all, list_entries
from kingdom.chronicle.services import undo_last
from kingdom.models import Campaign, ChronicleEntry, Knowledge, User
from kingdom.models.base import uuid7
from kingdom.notes.queries import get_thing_for, list_visible_notes
from kingdom.notes.services import write_note
from kingdom.notes.targets import make_ref
from kingdom.realms.services import found_kingdom
from kingdom.webhooks import event_types
from rules.core.errors import IllegalCommand, InvalidInput
from rules.core.text import Message
from tests.battles.conftest import RAIDER, make_table, muster, open_ford, seat_everybody
from tests.battles.conftest import Client as TableClient
from tests.everyday import everyday
from tests.kingdom.conftest import api_of, make_user, seat
from tests.worlds import built_once

pytestmark = pytest.mark.django_db
NOTHING, NAME, GLANCE, ALL = Knowledge


@built_once
def table(db) -> SimpleNamespace:
    return seat_everybody(make_table(make_user("gm")))


def know(campaign: Campaign, others: int, met: int = NAME) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(others_known=others, met_known=met)


def level(user, army: Army) -> int:
    """How much they know: as it is read with the army, and as it is asked, which is the same."""
    found = filter_known(user, rows_of(Army)).filter(pk=army.pk).first()
    told = Army.objects.filter(pk=army.pk)
    knows = (least for least in (NAME, GLANCE, ALL) if told.filter(build_knowledge_condition(user, least)).exists())
    counted = max(knows, default=NOTHING)
    assert counted == (get_knowledge(found) if found else NOTHING)
    return counted


# What makes somebody know


def test_the_campaign_says_what_everybody_knows_of_others(table):
    for ground in Knowledge:
        know(table.campaign, ground)
        assert level(table.ana, table.spare) == ground


def test_who_reads_the_kingdom_knows_all_of_it(table):
    hide_army(by=table.gm, army=table.spare, hidden=True)
    for ground in Knowledge:
        know(table.campaign, ground)
        assert {level(user, table.spare) for user in (table.gm, table.viewer, table.bo)} == {ALL}, ground


def test_a_stranger_knows_nothing(table):
    reveal_army(by=table.gm, army=table.spare, revealed=True)
    for ground in Knowledge:
        know(table.campaign, ground, ALL)
        assert level(table.stranger, table.spare) == NOTHING, ground


def test_a_revealed_army_is_known_to_all(table):
    know(table.campaign, NOTHING)
    reveal_army(by=table.gm, army=table.spare, revealed=True)
    assert (level(table.ana, table.spare), level(table.ana, table.raiders)) == (ALL, NOTHING)


def test_who_has_fought_against_it_knows_it_as_one_that_was_met(table):
    open_ford(table)
    for met in (NAME, GLANCE, ALL):
        know(table.campaign, NOTHING, met)
        assert (level(table.ana, table.raiders), level(table.ana, table.spare)) == (met, NOTHING)


def test_who_has_seen_it_on_the_map_knows_it_as_one_that_was_met(table):
    Sighting.objects.create(campaign=table.campaign, kingdom=table.crown, army=table.spare, hex="C3", day=0)
    for met in (NAME, GLANCE, ALL):
        know(table.campaign, NOTHING, met)
        assert level(table.ana, table.spare) == met


def test_what_takes_the_field_the_whole_table_knows_by_name(table):
    cai = seated_apart(table)
    open_ford(table)
    know(table.campaign, NOTHING, ALL)
    assert (level(cai, table.raiders), level(cai, table.watch), level(cai, table.spare)) == (NAME, NAME, NOTHING)


def seated_apart(table: SimpleNamespace):
    return seat(table.gm, table.campaign, make_user("cai"), "player")


def test_spies_tell_one_kingdom_of_one_army(table):
    know(table.campaign, NOTHING)
    cai = seated_apart(table)
    for given in (NAME, GLANCE, ALL):
        let_know(by=table.gm, kingdom=table.crown, army=table.spare, level=given)
        assert (level(table.ana, table.spare), level(table.ana, table.raiders)) == (given, NOTHING)
        assert level(cai, table.spare) == NOTHING


def test_spies_tell_one_kingdom_of_all_armies_of_another(table):
    know(table.campaign, NOTHING)
    there = [table.spare, table.raiders]
    for given in (NAME, GLANCE, ALL):
        let_know(by=table.gm, kingdom=table.crown, realm=table.horde, level=given)
        there.append(muster(table.gm, table.horde, f"Later {given}", RAIDER, 100))
        assert {level(table.ana, army) for army in there} == {given}
        assert level(table.bo, table.watch) == NOTHING


@pytest.mark.parametrize("first", ["crown", "horde"])
def test_allies_know_each_others_armies(table, first):
    know(table.campaign, NOTHING)
    one, other = (table.crown, table.horde) if first == "crown" else (table.horde, table.crown)
    for given in (NAME, GLANCE, ALL):
        let_know(by=table.gm, kingdom=one, realm=other, level=given, mutual=True)
        assert (level(table.ana, table.spare), level(table.bo, table.watch)) == (given, given)


def test_a_hidden_army_is_nothing_to_others_whatever_else_holds(table):
    know(table.campaign, ALL, ALL)
    reveal_army(by=table.gm, army=table.spare, revealed=True)
    let_know(by=table.gm, kingdom=table.crown, army=table.spare, level=ALL)
    let_know(by=table.gm, kingdom=table.crown, realm=table.horde, level=ALL, mutual=True)
    Sighting.objects.create(campaign=table.campaign, kingdom=table.crown, army=table.spare, hex="C3", day=0)
    hide_army(by=table.gm, army=table.spare, hidden=True)
    assert level(table.ana, table.spare) == NOTHING
    hide_army(by=table.gm, army=table.spare, hidden=False)
    assert level(table.ana, table.spare) == ALL


def test_the_name_of_a_hidden_army_that_is_struck_stays_hidden(table):
    text = Message("{army} was seen.", {"army": "Spare"})
    entry = chronicle_changes.apply(campaign=table.campaign, changes=(), by=table.gm, kind="other", text=text)
    note = write_note(by=table.gm, about=get_thing_for(table.gm, make_ref("army", table.watch.pk)),
                      text="@Spare is near.", audience="public")  # fmt: skip

    def told(user) -> tuple[bool, bool]:
        entries = list_entries(user, table.campaign).filter(pk=entry.pk)
        return entries.exists(), list_visible_notes(user).filter(pk=note.pk).exists()

    assert told(table.ana) == (True, True)
    hide_army(by=table.gm, army=table.spare, hidden=True)
    assert told(table.ana) == (False, False)
    remove_army(by=table.gm, army=table.spare)
    assert [told(user) for user in (table.ana, table.gm, table.viewer)] == [(False, False), (True, True), (True, True)]
    assert told(table.bo)[0], "it was his own"
    undo_last(by=table.gm, campaign=table.campaign)
    assert told(table.ana) == (False, False)
    hide_army(by=table.gm, army=table.spare, hidden=False)
    assert told(table.ana) == (True, True)


def test_the_commander_of_an_army_is_known_with_its_sheet_alone(table):
    for ground in Knowledge:
        know(table.campaign, ground)
        found = list_commanders(table.ana, table.campaign).filter(name="Gruk").exists()
        assert found == (ground == ALL)
    hide_army(by=table.gm, army=table.raiders, hidden=True)
    assert not list_commanders(table.ana, table.campaign).filter(name="Gruk").exists()


# What is hidden takes no field


def test_a_hidden_army_takes_no_field(table):
    hide_army(by=table.gm, army=table.raiders, hidden=True)
    with pytest.raises(IllegalCommand, match="Raiders: hidden from the players"):
        open_ford(table)


def test_an_army_that_fights_cannot_be_hidden(table):
    open_ford(table)
    with pytest.raises(IllegalCommand):
        hide_army(by=table.gm, army=table.raiders, hidden=True)


# What is granted and hidden is undone like any other change


def test_hiding_and_spies_are_taken_back(table):
    know(table.campaign, NOTHING)
    let_know(by=table.gm, kingdom=table.crown, army=table.spare, level=GLANCE)
    undo_last(by=table.gm, campaign=table.campaign)
    assert (level(table.ana, table.spare), Insight.objects.get().level) == (NOTHING, NOTHING)
    know(table.campaign, ALL)
    hide_army(by=table.gm, army=table.spare, hidden=True)
    undo_last(by=table.gm, campaign=table.campaign)
    assert level(table.ana, table.spare) == ALL


def test_what_is_hidden_again_by_an_undo_is_hidden_by_the_same_rules(table):
    hide_army(by=table.gm, army=table.raiders, hidden=True)
    shown = hide_army(by=table.gm, army=table.raiders, hidden=False)
    entry = ChronicleEntry.objects.order_by("seq").last()
    open_ford(table)
    with pytest.raises(IllegalCommand, match="Raiders: still in battle"):
        chronicle_changes.undo(campaign=table.campaign, entry=entry, by=table.gm)
    assert not Army.objects.get(pk=shown.pk).hidden


def test_where_it_was_seen_is_forgotten_when_an_undo_hides_it_again(table):
    for hidden in (True, False):
        hide_army(by=table.gm, army=table.spare, hidden=hidden)
    Sighting.objects.create(campaign=table.campaign, kingdom=table.crown, army=table.spare, hex="C3", day=0)
    undo_last(by=table.gm, campaign=table.campaign)
    assert Army.objects.get(pk=table.spare.pk).hidden
    assert not Sighting.objects.filter(army=table.spare).exists()


def test_a_spy_is_changed_and_called_back_in_one_place(table):
    for given in (ALL, GLANCE, NOTHING):
        let_know(by=table.gm, kingdom=table.crown, army=table.spare, level=given)
        assert Insight.objects.get().level == given


def test_of_spies_only_those_are_told_who_read_everything(table):
    let_know(by=table.gm, kingdom=table.crown, realm=table.horde, level=ALL)
    said = {user.username: [str(entry.text) for entry in list_entries(user, table.campaign)]
            for user in (table.gm, table.viewer, table.ana, table.bo)}  # fmt: skip
    assert {name for name, texts in said.items() if any("spies" in text for text in texts)} == {"gm", "viewer"}


def test_nonsense_is_refused(table):
    refused: list[dict] = [
        {"kingdom": table.crown, "level": 7, "army": table.spare},
        {"kingdom": table.crown, "level": ALL},
        {"kingdom": table.crown, "level": ALL, "army": table.spare, "realm": table.horde},
        {"kingdom": table.horde, "level": ALL, "army": table.spare},
        {"kingdom": table.crown, "level": ALL, "realm": table.crown},
        {"kingdom": table.crown, "level": ALL, "army": table.spare, "mutual": True},
    ]
    for given in refused:
        with pytest.raises(InvalidInput):
            let_know(by=table.gm, **given)
    with pytest.raises(InvalidInput):
        update_campaign(by=table.gm, campaign=table.campaign, others_known=4)
    with pytest.raises(InvalidInput):
        update_campaign(by=table.gm, campaign=table.campaign, met_known=NOTHING)


# Raising a level never hides anything


REASONS = ("ground", "met", "seen", "spy", "realm", "ally", "revealed")


def give(table: SimpleNamespace, reason: str, level: int) -> None:
    match reason:
        case "ground":
            know(table.campaign, level, Campaign.objects.get(pk=table.campaign.pk).met_known)
        case "met":
            Campaign.objects.filter(pk=table.campaign.pk).update(met_known=level)
        case "seen":
            Sighting.objects.get_or_create(campaign=table.campaign, kingdom=table.crown, army=table.spare, hex="C3",
                                           day=0)  # fmt: skip
        case "spy":
            let_know(by=table.gm, kingdom=table.crown, army=table.spare, level=level)
        case "realm":
            let_know(by=table.gm, kingdom=table.crown, realm=table.horde, level=level)
        case "ally":
            let_know(by=table.gm, kingdom=table.crown, realm=table.horde, level=level, mutual=True)
        case "revealed":
            reveal_army(by=table.gm, army=table.spare, revealed=True)


def beside_each_other(pair: tuple[str, str]) -> bool:
    """In a row of all reasons, so that each is in one of the pairs that are tried every day."""
    first, second = map(REASONS.index, pair)
    return second - first == 1 and (first % 2 == 0 or second == len(REASONS) - 1)


@pytest.mark.parametrize(
    "pair",
    everyday([[pair] for pair in combinations(REASONS, 2)], keep=lambda case: beside_each_other(*case)),
    ids="-".join,
)
def test_more_reasons_and_higher_levels_never_hide_anything(table, pair):
    know(table.campaign, NOTHING)
    before = level(table.ana, table.spare)
    for given in (NAME, GLANCE, ALL):
        for reason in pair:
            give(table, reason, given)
            now = level(table.ana, table.spare)
            assert now >= before, (pair, reason, given)
            before = now


# Where it is told


def test_the_campaigns_page_tells_of_each_army_as_much_as_is_known(client, table):
    client.force_login(table.ana)
    for ground in Knowledge:
        know(table.campaign, ground)
        page = client.get(f"/c/{table.campaign.pk}/").content.decode()
        assert ("Spare" in page) == (ground >= NAME), ground
        assert ("unhurt" in page) == (ground == GLANCE), ground
        assert (f"/armies/{table.spare.pk}/" in page) == (ground == ALL), ground


def test_what_is_unknown_is_not_counted_either(client, table):
    know(table.campaign, NOTHING)
    for number in range(30):
        muster(table.gm, table.horde, f"Horde {number}", RAIDER, 100)
    reveal_army(by=table.gm, army=table.spare, revealed=True)
    client.force_login(table.ana)
    page = client.get(f"/c/{table.campaign.pk}/").content.decode()
    assert "Spare" in page
    assert "more arm" not in page


def test_an_entry_that_names_an_army_is_told_to_who_may_know_it(table):
    chronicle_changes.apply(campaign=table.campaign, changes=(), by=table.gm, kind="other",
                text=Message("{army} was seen.", {"army": "Spare"}))  # fmt: skip
    entry = ChronicleEntry.objects.order_by("seq").last()
    assert entry.names == [table.spare.pk]
    for ground in Knowledge:
        know(table.campaign, ground)
        for user, told in ((table.ana, ground >= NAME), (table.bo, True), (table.viewer, True), (table.gm, True)):
            assert (entry in list_entries(user, table.campaign)) == told, (ground, user)


def players(table) -> list[User]:
    return list(User.objects.filter(memberships__campaign=table.campaign, memberships__role="player"))


@pytest.mark.parametrize("private", [False, True])
def test_what_all_players_may_read_is_what_each_of_them_may(table, private):
    """Asked of all in one query, however many they are."""
    chronicle_changes.apply(campaign=table.campaign, changes=(), by=table.gm, kind="other", private=private,
                kingdoms=[table.spare.kingdom_id], text=Message("{army} was seen.", {"army": "Spare"}))  # fmt: skip
    entry = ChronicleEntry.objects.order_by("seq").last()
    for ground in Knowledge:
        know(table.campaign, ground)
        for several in ([], [table.ana], [table.bo], players(table)):
            each = bool(several) and all(entry in list_entries(user, table.campaign) for user in several)
            assert (entry in chronicle_for_all(several, table.campaign)) == each, (ground, several)


def test_a_channel_hears_of_an_army_no_more_once_it_is_hidden_however_many_players_there_are(table):
    entry = chronicle_changes.apply(campaign=table.campaign, changes=(), by=table.gm, kind="other",
                        text=Message("{army} was seen.", {"army": "Spare"}))  # fmt: skip
    know(table.campaign, NAME)
    about = {"entry": str(entry.pk), "taken_back": False}

    def said() -> tuple[str | None, int]:
        with CaptureQueriesContext(connection) as asked:
            sentence = event_types.get_event_type("army.changed").sentence(table.campaign, about)
        return sentence, len(asked)

    assert said() == ("Spare was seen.", 5)
    for number in range(5):
        seat(table.gm, table.campaign, make_user(f"more{number}"), "player")
    assert said() == ("Spare was seen.", 5)
    hide_army(by=table.gm, army=table.spare, hidden=True)
    assert said() == (None, 5)


def test_an_entry_names_the_army_it_is_about_and_none_of_that_name_elsewhere(table):
    namesake = muster(table.gm, table.crown, "Spare", RAIDER, 100)
    entry = ChronicleEntry.objects.order_by("seq").last()
    assert entry.names == [namesake.pk]
    know(table.campaign, NOTHING)
    assert entry in list_entries(table.ana, table.campaign)


def test_a_note_that_mentions_an_army_is_told_to_who_may_know_it(table):
    about = get_thing_for(table.gm, make_ref("campaign", table.campaign.pk))
    note = write_note(by=table.gm, about=about, text="Beware of @Spare today.")
    assert note.mentions
    for ground in Knowledge:
        know(table.campaign, ground)
        for user, told in ((table.ana, ground >= NAME), (table.bo, True), (table.viewer, True), (table.gm, True)):
            assert (note in list_visible_notes(user)) == told, (ground, user)


def test_its_author_keeps_a_note_that_mentions_what_he_may_no_longer_know(table):
    about = get_thing_for(table.ana, make_ref("campaign", table.campaign.pk))
    reveal_army(by=table.gm, army=table.spare, revealed=True)
    note = write_note(by=table.ana, about=about, text="Beware of @Spare today.")
    assert note.mentions
    hide_army(by=table.gm, army=table.spare, hidden=True)
    assert note in list_visible_notes(table.ana)


def test_the_api_lists_what_is_known_of_each_army(table):
    api, spare = api_of(table.ana), str(table.spare.pk)
    for ground in Knowledge:
        know(table.campaign, ground)
        told = api.get(f"/api/v1/campaigns/{table.campaign.pk}/known-armies/").json()["results"]
        found = {row["id"]: row for row in told}
        assert found[str(table.watch.pk)]["known"] == "all"
        assert (spare in found) == (ground != NOTHING)
        if row := found.get(spare):
            assert row["known"] == ("name", "glance", "all")[ground - 1]
            assert (row["health"] is None) == (ground == NAME)


def test_by_a_campaigns_address_only_its_own_kingdoms_come_to_know_anything(table):
    other = create_campaign(by=table.gm, name="Elsewhere", ruleset=table.campaign.ruleset)
    first, second = (found_kingdom(by=table.gm, campaign=other, name=name) for name in ("Here", "There"))
    url = f"/api/v1/campaigns/{table.campaign.pk}/insights/"
    told = {"kingdom": str(first.pk), "realm": str(second.pk), "level": "all"}
    refused = api_of(table.gm).post(url, told, format="json")
    assert refused.status_code == 404
    assert refused.json()["errors"][0]["pointer"] in ("/kingdom", "/realm")
    assert not Insight.objects.exists()


def test_a_hidden_army_is_a_404_as_if_it_had_never_been(table):
    reveal_army(by=table.gm, army=table.spare, revealed=True)
    api = api_of(table.ana)
    assert api.get(f"/api/v1/armies/{table.spare.pk}/").status_code == 200
    hide_army(by=table.gm, army=table.spare, hidden=True)
    for said in (api.get(f"/api/v1/armies/{table.spare.pk}/"), api.delete(f"/api/v1/armies/{table.spare.pk}/")):
        assert said.status_code == 404
    assert table.spare not in list_visible_armies(table.ana)


def test_the_gm_hides_an_army_and_names_spies_and_allies_on_one_page(client, table):
    client.force_login(table.gm)
    known = f"/c/{table.campaign.pk}/known/"
    client.post(f"/armies/{table.spare.pk}/hide/", {"hidden": "1"})
    assert level(table.ana, table.spare) == NOTHING
    assert "Spare" in client.get(known).content.decode()
    client.post(f"/armies/{table.spare.pk}/hide/", {"hidden": "0"})
    client.post(f"{known}?army={table.spare.pk}", {"kingdom": table.crown.pk, "level": "2"})
    client.post(known, {"kingdom": table.crown.pk, "realm": table.horde.pk, "mutual": "on", "level": "3"})
    assert (level(table.ana, table.spare), Insight.objects.count()) == (ALL, 2)
    ally = Insight.objects.get(mutual=True)
    client.post(f"{known}{ally.pk}/end/")
    assert level(table.ana, table.spare) == GLANCE
    refused = client.post(known, {"kingdom": table.crown.pk, "realm": table.crown.pk, "level": "3"})
    assert refused.status_code == 422


def test_an_army_that_fights_is_not_hidden_and_the_page_says_why(client, table):
    open_ford(table)
    client.force_login(table.gm)
    said = client.post(f"/armies/{table.raiders.pk}/hide/", {"hidden": "1"}, follow=True).content.decode()
    assert "still in battle" in said or "In battle" in said
    assert not Army.objects.get(pk=table.raiders.pk).hidden


# In battles


def test_in_a_battle_figures_are_told_to_whom_spies_tell_all(table):
    know(table.campaign, NOTHING, NAME)
    ford, cai = open_ford(table), seated_apart(table)
    raiders = str(table.raiders.pk)

    def figures(user) -> bool:
        (army,) = [one for one in TableClient(user, ford).read()["armies"] if one["army"] == raiders]
        return army["om"] is not None

    assert not figures(table.ana)
    for given in (NAME, GLANCE, ALL):
        let_know(by=table.gm, kingdom=table.crown, army=table.raiders, level=given)
        for hidden in (False, True):
            Army.objects.filter(pk=table.raiders.pk).update(hidden=hidden)
            assert figures(table.ana) == (given == ALL), "what was told in battles stays told there"
            assert hidden or not figures(cai)
        Army.objects.filter(pk=table.raiders.pk).update(hidden=False)


def fought_again(battle: Battle) -> None:
    """The same once more, over by now."""
    seats = list(battle.seats.all())
    battle.pk, battle.status, battle._state.adding = uuid7(), Battle.Status.CLOSED, True
    battle.save()
    for one in seats:
        one.pk, one.battle, one._state.adding = uuid7(), battle, True
        one.save()


def test_a_list_of_battles_asks_once_whose_figures_its_reader_knows(table):
    update_campaign(by=table.gm, campaign=table.campaign, secrecy={"health": "words"})
    open_ford(table)
    api = api_of(table.ana)
    api.get("/api/v1/battles/")  # a session that is new is noted once
    with CaptureQueriesContext(connection) as few:
        (line,) = api.get("/api/v1/battles/").json()["results"]
    assert [side["armies"][0]["hp"] is None for side in line["sides"]] == [False, True]
    for _number in range(3):
        fought_again(Battle.objects.earliest("id"))
    with CaptureQueriesContext(connection) as many:
        lines = api.get("/api/v1/battles/").json()["results"]
    assert len(lines) == 4
    assert {tuple(side["armies"][0]["hp"] is None for side in line["sides"]) for line in lines} == {(False, True)}
    assert len(many) == len(few)
