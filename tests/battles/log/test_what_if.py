"""What-ifs: a battle branched at any event, which is played on and touches nothing of its campaign."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from armies.forces.busy import explain_busy, load_recent_battles
from armies.models import Army
from battles.log import branch_services
from battles.log.branch_services import branch_battle, throw_branch_away
from battles.log.queries import check_replay, list_own_commands
from battles.models import Battle, BattleArmy, BattleRecord
from battles.play import battle_state as play_battle_state
from battles.play import services as play_services
from battles.queries import list_battles
from kingdom.archive.export_rows import write_document
from kingdom.models import ChronicleEntry, Webhook, WebhookDelivery
from rules.core.errors import IllegalCommand, InvalidInput
from rules.pathfinder.battle.orders.commands import End, Next, Override, Resolve
from tests.battles.conftest import open_ford
from tests.battles.field.test_pages import as_, now, page_of, play, text
from tests.battles.steady import Steady
from tests.kingdom.conftest import api_of
from tests.worlds import built_once


@built_once
def fought(table) -> Battle:
    """The battle has begun, its ground was corrected, and the raiders have left it."""
    battle = open_ford(table)
    play(table, battle, Next(), Override(str(table.watch.pk), "dv", 50, "Walls"))
    play(table, battle, Override(str(table.raiders.pk), "status", "routed", "test"), End("They ran", 0))
    return now(battle)


def event_of(battle: Battle, seq: int) -> int:
    return battle.records.get(seq=seq).first_event


def branched(table, battle: Battle, seq: int) -> Battle:
    return branch_battle(by=table.gm, battle_id=battle.pk, at=event_of(battle, seq))


def play_on(table, branch: Battle, *commands: Any) -> Battle:
    for command in commands:
        version = again(branch).version
        play_services.play(by=table.gm, battle_id=branch.pk, version=version, command=command, server=Steady())
    return again(branch)


def again(branch: Battle) -> Battle:
    return Battle.with_branches.select_related("campaign").get(pk=branch.pk)


# The branch itself.


def test_a_branch_is_the_battle_right_after_the_event_and_the_battle_stays(table, fought):
    branch = branched(table, fought, 2)
    before = play_battle_state.fold_until(fought, event_of(fought, 2))
    assert play_battle_state.refold(branch) == before
    assert (branch.status, branch.branch_of_id, branch.name) == ("running", fought.pk, "What if: The ford")
    assert branch.records.count() == 2
    assert now(fought).version == fought.version
    assert fought.records.count() == 4


def test_a_branch_of_the_opening_has_no_records(table, fought):
    branch = branch_battle(by=table.gm, battle_id=fought.pk, at=0, name="Again")
    assert (branch.status, branch.records.count(), branch.name, branch.branched_at) == ("setup", 0, "Again", 0)


def test_a_battles_page_lists_them_after_a_command_too(table, battle):
    branch_battle(by=table.gm, battle_id=battle.pk, at=0)
    client, page = as_(table.gm), reverse("battles:battle", args=[battle.pk])
    assert 'id="what-ifs"' in text(client.get(page))
    answer = client.post(f"{page}command/", {"type": "next", "version": "1"}, headers={"HX-Request": "true"})
    assert 'id="what-ifs"' in text(answer)


def test_it_is_played_on_undone_and_replayed_like_any_battle(table, fought):
    branch = branched(table, fought, 2)
    on = play_on(table, branch, Resolve(), Override(str(table.watch.pk), "dv", 3, "Wet"))
    assert check_replay(on).identical
    play_services.undo(by=table.gm, battle_id=branch.pk, version=on.version)
    play_services.undo(by=table.gm, battle_id=branch.pk, version=again(branch).version, to=0)
    assert again(branch).status == "setup"
    assert now(fought).version == fought.version


def test_its_odds_are_told_like_those_of_any_battle(table, battle):
    branch = branched_setup(table, battle)
    answer = api_of(table.gm).post(f"/api/v1/battles/{branch.pk}/forecast/", {}, format="json")
    assert answer.status_code == 200, answer.json()
    assert as_(table.gm).get(reverse("battles:forecast", args=[branch.pk])).status_code == 200


def test_a_fought_branch_is_over_and_tells_its_result(table, fought):
    branch = branched(table, fought, 4)
    assert (branch.status, branch.state["result"]["winner"]) == ("closed", 0)
    page = text(page_of(table.gm, branch))
    assert "as it was really fought" in page
    assert reverse("battles:aftermath", args=[branch.pk]) not in page


def test_a_branch_of_a_branch_belongs_to_the_same_battle(table, fought):
    first = play_on(table, branched(table, fought, 2), Override(str(table.watch.pk), "dv", 3, "Wet"))
    second = branch_battle(by=table.gm, battle_id=first.pk, at=event_of(first, 3))
    assert (second.branch_of_id, second.records.count(), second.name) == (fought.pk, 3, first.name)


@pytest.mark.parametrize("at", [-1, 10**9])
def test_no_branch_from_a_moment_that_never_was(table, fought, at):
    with pytest.raises(InvalidInput) as refused:
        branch_battle(by=table.gm, battle_id=fought.pk, at=at)
    assert [pointer for pointer, _message in refused.value.errors] == ["/at"]


def test_no_branch_from_what_is_undone_nor_after_a_confirmed_aftermath(table, fought):
    play_services.undo(by=table.gm, battle_id=fought.pk, version=fought.version)
    with pytest.raises(IllegalCommand, match="already been undone"):
        branched(table, fought, 4)
    play(table, fought, End("They ran", 0))
    api = f"/api/v1/battles/{fought.pk}/commands/"
    done = api_of(table.gm).post(
        api, {"type": "aftermath", "confirm": True}, format="json", HTTP_IF_MATCH=f'"{now(fought).version}"'
    )
    assert done.status_code == 200, done.json()
    with pytest.raises(IllegalCommand, match="aftermath is already confirmed"):
        branched(table, fought, 6)
    assert branched(table, fought, 5).status == "closed"


def test_a_battle_has_so_many_what_ifs_and_no_more(table, fought, monkeypatch):
    monkeypatch.setattr(branch_services, "WHAT_IFS_MOST", 1)
    branched(table, fought, 1)
    with pytest.raises(IllegalCommand, match="at most 1 what-ifs"):
        branched(table, fought, 1)
    assert Battle.with_branches.count() == 2


# It touches nothing.


def test_it_holds_no_army_and_no_list_story_or_file_has_it(table, battle):
    """The armies are free once the real battle is gone; what-ifs of it go with it."""
    branch = branched_setup(table, battle)
    assert not BattleArmy.objects.filter(battle=branch).exists()
    assert list(list_battles(table.gm)) == [battle]
    assert str(branch.pk) not in text(as_(table.gm).get(reverse("battles:battle_list", args=[table.campaign.pk])))
    assert str(branch.pk) not in text(as_(table.gm).get(reverse("kingdom:campaign", args=[table.campaign.pk])))
    listed = api_of(table.gm).get("/api/v1/battles/").json()["results"]
    assert [one["id"] for one in listed] == [str(battle.pk)]
    battle.delete()
    assert explain_busy(Army.objects.get(pk=table.watch.pk)) is None
    assert not Battle.with_branches.exists()


def branched_setup(table, battle: Battle) -> Battle:
    branch = branch_battle(by=table.gm, battle_id=battle.pk, at=0)
    return play_on(table, branch, Next(), Resolve())


def test_its_fights_are_none_of_the_campaigns(table, battle):
    branched_setup(table, battle)
    lately = load_recent_battles(table.campaign, 0)
    assert (lately.fighting, lately.fought) == (frozenset(), frozenset())


def test_the_campaigns_file_leaves_it_behind(table, fought):
    branched(table, fought, 2)
    document = b"".join(write_document(table.campaign)).decode()
    assert str(fought.pk) in document
    assert not any(str(one.pk) in document for one in Battle.with_branches.exclude(branch_of=None))
    assert not any(str(one.pk) in document for one in BattleRecord.objects.exclude(battle__branch_of=None))


def test_no_webhook_and_no_mail_hears_of_it(table, battle, mailoutbox, django_capture_on_commit_callbacks):
    events = ["battle.begun", "battle.turn", "battle.phase.resolved", "battle.ended"]
    Webhook.objects.create(
        campaign=table.campaign, name="Bot", url="https://1.1.1.1/", seed="", origin="", events=events
    )
    with django_capture_on_commit_callbacks(execute=True):
        branch = play_on(table, branched_setup(table, battle), End("Enough", None))
        with pytest.raises(IllegalCommand, match="has no players to remind"):
            play_services.remind_awaited(by=table.gm, battle_id=branch.pk)
    assert not WebhookDelivery.objects.exists()
    assert mailoutbox == []


def test_it_has_no_aftermath_and_the_refusal_says_why(table, fought):
    branch = branched(table, fought, 4)
    entries = ChronicleEntry.objects.count()
    for asked in ({"confirm": False}, {"confirm": True}, {"reroll": True}):
        answer = api_of(table.gm).post(
            f"/api/v1/battles/{branch.pk}/commands/",
            {"type": "aftermath", **asked},
            format="json",
            HTTP_IF_MATCH=f'"{branch.version}"',
        )
        assert answer.status_code == 409
        assert "it has no aftermath" in answer.json()["detail"]
    address = reverse("battles:aftermath", args=[branch.pk])
    for answer in (
        as_(table.gm).get(address, follow=True),
        as_(table.gm).post(address, {"do": "confirm"}, follow=True),
    ):
        assert "it has no aftermath" in text(answer)
    assert ChronicleEntry.objects.count() == entries
    assert Army.objects.get(pk=table.raiders.pk).standing


def test_a_busy_army_may_join_it_and_is_not_held_by_it(table, battle):
    branch = branched_setup(table, battle)
    play_services.reinforce(
        by=table.gm, battle_id=branch.pk, version=branch.version, army_id=str(table.spare.pk), side=1
    )
    assert str(table.spare.pk) in str(again(branch).state["sides"][1])
    assert explain_busy(Army.objects.get(pk=table.spare.pk)) is None


def test_the_data_of_a_person_tells_a_copied_command_once(table, fought):
    own = len(list(list_own_commands(table.gm)))
    play_on(table, branched(table, fought, 2), Override(str(table.watch.pk), "dv", 3, "Wet"))
    assert len(list(list_own_commands(table.gm))) == own + 1


# Who sees it, by page and API.


def test_only_gms_find_it_and_make_it(table, fought):
    """Played on, a branch shows what players ordered in the real battle before that tells it."""
    branch = branched(table, fought, 2)
    for user in (table.ana, table.bo, table.viewer, table.stranger):
        assert page_of(user, branch).status_code == 404
        assert api_of(user).get(f"/api/v1/battles/{branch.pk}/").status_code == 404
        assert as_(user).get(reverse("battles:log_text", args=[branch.pk])).status_code == 404
    for user in (table.ana, table.viewer):
        made = as_(user).post(reverse("battles:what_if", args=[fought.pk]), {"at": event_of(fought, 2)})
        assert made.status_code == 403
        assert "what-if" not in text(page_of(user, fought))
        replay = text(as_(user).get(reverse("battles:replay", args=[fought.pk]) + "?step=2"))
        assert reverse("battles:what_if", args=[fought.pk]) not in replay
    assert Battle.with_branches.count() == 2


def test_the_gm_branches_from_log_and_replay_and_finds_it_at_the_battle(table, fought):
    address = reverse("battles:what_if", args=[fought.pk])
    at = event_of(fought, 2)
    for page in (reverse("battles:log_line", args=[fought.pk, at]), reverse("battles:replay", args=[fought.pk])):
        assert address in text(as_(table.gm).get(page))
    banner = text(as_(table.gm).post(address, {"at": at, "name": " Dry feet "}, follow=True))
    branch = Battle.with_branches.exclude(branch_of=None).get()
    assert branch.name == "Dry feet"
    assert "nothing here changes the campaign" in banner
    assert reverse("battles:battle", args=[fought.pk]) in banner
    listed = text(page_of(table.gm, fought))
    assert "1 what-if" in listed
    assert reverse("battles:battle", args=[branch.pk]) in listed
    for bad in ({}, {"at": "x"}, {"at": "99999"}):
        assert "This moment doesn’t exist" in text(as_(table.gm).post(address, bad, follow=True))


def test_thrown_away_it_is_gone_and_a_real_battle_is_never_thrown_away(table, fought):
    branch = branched(table, fought, 2)
    address = reverse("battles:throw_away", args=[branch.pk])
    assert as_(table.ana).post(address).status_code == 404
    answer = as_(table.gm).post(address)
    assert answer.url == reverse("battles:battle", args=[fought.pk])
    assert as_(table.gm).post(address).status_code == 404
    with pytest.raises(IllegalCommand, match="belongs to the campaign"):
        throw_branch_away(by=table.gm, battle_id=fought.pk)
    assert list(Battle.with_branches.all()) == [fought]
    assert fought.records.count() == 4


def test_a_program_makes_lists_and_throws_away(table, fought):
    api, address = api_of(table.gm), f"/api/v1/battles/{fought.pk}/what-ifs/"
    made = api.post(address, {"at": event_of(fought, 2), "name": "Walls"}, format="json")
    assert made.status_code == 201
    assert made.json()["branch_of"] == str(fought.pk)
    assert [one["name"] for one in api.get(address).json()] == ["Walls"]
    one = f"/api/v1/battles/{made.json()['id']}/"
    assert api.get(one).json()["branch_of"] == str(fought.pk)
    assert api.post(address, {"at": 99999}, format="json").status_code == 400
    assert api_of(table.ana).post(address, {"at": 0}, format="json").status_code == 403
    assert api_of(table.ana).get(address).status_code == 403
    assert api_of(table.ana).delete(f"/api/v1/battles/{fought.pk}/").status_code == 403
    assert api.delete(f"/api/v1/battles/{fought.pk}/").status_code == 409
    assert api.delete(one).status_code == 204
    assert api.get(address).json() == []
