"""R-69: the dice of an aftermath lie as they fell, until somebody throws them again for all to see."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse

from armies.pathfinder.models import PathfinderCommander
from battles.aftermath.services import AftermathProposal, confirm_aftermath, propose_aftermath, roll_anew
from battles.log.queries import check_replay
from battles.models import Battle, BattleRecord
from battles.play.services import undo
from kingdom.chronicle.services import undo_last
from kingdom.models import ChronicleEntry
from rules.core.dice import TypedDie
from rules.core.errors import IllegalCommand
from rules.pathfinder.battle.orders.commands import End, Override
from tests.battles.aftermath.test_services import Hand, fight
from tests.battles.conftest import Client
from tests.worlds import built_once


@built_once
def drowned(table) -> Battle:
    """The raiders drowned; Gruk led them, a d100 decides what becomes of them."""
    hand = fight(table, table.watch, table.raiders)
    hand.play(Override(str(table.raiders.pk), "status", "defeated", "drowned"), End("The ice broke", winner=0))
    return Battle.objects.get(pk=hand.battle.pk)


@built_once
def reopened(table, drowned) -> Battle:
    """Their fate was typed, the aftermath confirmed and taken back: the die lies."""
    hand = Hand(table, drowned)
    hand.confirm(typed=fate(table, 15))
    assert gruk() == "killed"
    undo(**hand.seen)
    return Battle.objects.get(pk=drowned.pk)


@pytest.fixture
def beaten(table, drowned) -> Hand:
    return Hand(table, drowned)


@pytest.fixture
def lying(table, reopened) -> Hand:
    return Hand(table, reopened)


def fate(table: Any, value: int) -> list[TypedDie]:
    return [TypedDie(str(table.raiders.pk), "commander-fate", (value,))]


def faces(proposal: AftermathProposal) -> dict[str, tuple[int, str, str]]:
    return {roll.name: (roll.value, roll.source, roll.by) for roll in proposal.rolls}


def proposed(hand: Hand, **given: Any) -> dict[str, tuple[int, str, str]]:
    return faces(propose_aftermath(**hand.seen, **given))


def gruk() -> str:
    return PathfinderCommander.objects.get(name="Gruk").status


def test_the_proposal_shows_the_same_dice_at_every_look(beaten):
    """R-69: even when the battle was taken back to its last phase and ended once more in between."""
    shown = proposed(beaten)
    assert proposed(beaten) == shown
    undo(**beaten.seen)
    beaten.play(End("The ice broke", winner=0))
    assert proposed(beaten) == shown
    beaten.confirm()
    assert fallen(beaten) == values(shown)


def test_a_typed_die_stays_when_the_aftermath_is_undone(beaten, table):
    """R-69: a commander killed by a typed 15 is killed by it again; the server's dice beside it stay, too."""
    beaten.confirm(typed=fate(table, 15))
    assert gruk() == "killed"
    fell = fallen(beaten)
    before = proposed_after_undo(beaten)
    assert before["commander-fate"] == (15, "typed", "gm")
    assert {source for _value, source, _by in before.values()} == {"typed", "rolled"}
    assert values(before) == fell
    beaten.confirm()
    assert gruk() == "killed"


def fallen(hand: Hand) -> dict[str, int]:
    """The dice of the aftermath that was confirmed last."""
    return {roll["name"]: roll["value"] for roll in hand.battle.records.latest("seq").command["rolls"]}


def values(found: dict[str, tuple[int, str, str]]) -> dict[str, int]:
    return {name: value for name, (value, _source, _by) in found.items()}


def proposed_after_undo(hand: Hand) -> dict[str, tuple[int, str, str]]:
    undo(**hand.seen)
    return proposed(hand)


@pytest.mark.slow
def test_and_rolled_ones_too(beaten):
    """R-69."""
    beaten.confirm()
    fell = fallen(beaten)
    assert values(proposed_after_undo(beaten)) == fell


def test_undone_in_the_chronicle_they_lie_too(beaten, table):
    """R-69: the other way to take it back."""
    beaten.confirm(typed=fate(table, 15))
    undo_last(by=table.gm, campaign=table.campaign)
    assert proposed(beaten)["commander-fate"] == (15, "typed", "gm")


def test_a_die_that_lies_is_neither_typed_over_nor_asked_for(lying, table):
    """R-69: the refusal names its face; the same face again, or none, is no matter."""
    for call in (propose_aftermath, confirm_aftermath):
        with pytest.raises(IllegalCommand, match="shows 15") as refused:
            call(**lying.seen, typed=fate(table, 93))
        assert refused.value.field == "/dice"
    assert proposed(lying, ask=True)["commander-fate"] == (15, "typed", "gm")
    lying.confirm(typed=fate(table, 15))
    assert gruk() == "killed"


def test_a_choice_changes_only_what_follows_from_it(table):
    """R-69: the tactic chosen is another, the Loyalty that allowed it the same."""
    hand = fight(table, table.watch, table.spare)
    hand.play(Override(str(table.spare.pk), "status", "routed", "fled"), End("Fled", winner=0))
    watch = str(table.watch.pk)
    typed = [TypedDie(watch, "loyalty-tactic", (20,)), TypedDie(watch, "loyalty-boon", (1,))]
    hand.confirm(typed=typed, choices={f"tactic:{watch}": ""})
    undo(**hand.seen)
    hand.confirm(choices={f"tactic:{watch}": "taunt"})
    table.watch.refresh_from_db()
    assert [row.tactic for row in table.watch.tactics.all()] == ["taunt"]
    assert table.watch.morale == 1


def test_a_die_no_longer_needed_stays_aside(lying, table):
    """R-69: the raiders only routed after all, no fate to roll; drowned again, it is the same fate."""
    undo(**lying.seen)
    raiders = str(table.raiders.pk)
    lying.play(Override(raiders, "status", "routed", "swam"), End("Swam", winner=0))
    assert "commander-fate" not in proposed(lying)
    lying.confirm()
    undo(**lying.seen)
    undo(**lying.seen)
    lying.play(Override(raiders, "status", "defeated", "drowned"), End("Drowned", winner=0))
    assert proposed(lying)["commander-fate"] == (15, "typed", "gm")


def test_thrown_again_they_fall_anew_and_the_log_tells(lying, table):
    """R-69: an act of the GM, with the dice as they lay; the chronicle tells it too."""
    done = roll_anew(**lying.seen)
    (event,) = done.events
    assert [(roll.value, roll.by) for roll in event.rolls if roll.name == "commander-fate"] == [(15, "gm")]
    assert proposed(lying)["commander-fate"][1] == "rolled"
    lying.confirm(typed=fate(table, 93))
    assert gruk() == "free"
    entry = ChronicleEntry.objects.get(kind="battle", undone_at=None)
    assert "rolled again" in str(entry.text)
    assert "Victory on the field" in str(entry.text), "the chronicle tells who won"
    assert check_replay(lying.battle).identical


def test_taking_the_throw_back_brings_the_dice_back(lying, table):
    """R-69: nobody fishes: the second throw is the same each time it is made."""
    roll_anew(**lying.seen)
    second = proposed(lying)
    undo(**lying.seen)
    assert proposed(lying)["commander-fate"] == (15, "typed", "gm")
    roll_anew(**lying.seen)
    assert proposed(lying) == second
    roll_anew(**lying.seen)
    assert proposed(lying) != second


def test_only_the_gm_throws_again_and_only_what_is_open(beaten, table):
    """R-69: the refusals."""
    with pytest.raises(PermissionDenied):
        roll_anew(**{**beaten.seen, "by": table.ana})
    beaten.confirm()
    with pytest.raises(IllegalCommand, match="already confirmed"):
        roll_anew(**beaten.seen)
    assert not BattleRecord.objects.filter(command__is="RollAnew").exists()


def test_without_dice_there_is_nothing_to_throw(table):
    """R-69."""
    hand = fight(table, table.watch, table.raiders)
    with pytest.raises(IllegalCommand, match="isn’t over"):
        roll_anew(**hand.seen)
    hand.play(End("Peace"))
    with pytest.raises(IllegalCommand, match="no dice"):
        roll_anew(**hand.seen)


def test_by_the_api(beaten, table):
    """R-69: `lying` names them, a typed one is refused, `reroll` throws again and answers its event."""
    gm, raiders = Client(table.gm, beaten.battle), str(table.raiders.pk)
    die = {"army": raiders, "roll": "commander-fate", "values": [15]}
    gm.ok(type="aftermath", confirm=True, dice=[die])
    gm.ok(type="undo")
    proposal = gm.ok(type="aftermath")["proposal"]
    assert {(roll["roll"], roll["source"]) for roll in proposal["lying"]} >= {("commander-fate", "typed")}
    refused = gm.send(type="aftermath", confirm=True, dice=[{**die, "values": [93]}])
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (409, "/dice/0/values/0")
    version = gm.read()["version"]
    thrown = gm.ok(type="aftermath", reroll=True)
    assert [event["type"] for event in thrown["events"]] == ["rolled-anew"]
    assert (thrown["version"], thrown["proposal"]["lying"]) == (version + 1, [])
    gm.ok(type="aftermath", confirm=True, reroll=True, dice=[{**die, "values": [93]}])
    assert gruk() == "free"
    assert Client(table.ana, beaten.battle).send(type="aftermath", reroll=True).status_code == 403


def test_thrown_again_and_refused_nothing_is_done(lying, table):
    """R-69: a wrong choice in the same request leaves the dice where they are."""
    gm = Client(table.gm, lying.battle)
    assert gm.send(type="aftermath", reroll=True, choices={"fate:nobody": "killed"}).status_code == 400
    assert proposed(lying)["commander-fate"] == (15, "typed", "gm")


def test_on_the_page(lying, table, client):
    """R-69: it says that they lie; a button throws them again."""
    client.force_login(table.gm)
    url = reverse("battles:aftermath", args=[lying.battle.pk])
    page = client.get(url)
    assert 'id="lying"' in page.content.decode()
    assert 'id="type-dice"' not in page.content.decode()
    lying.battle.refresh_from_db()
    sent = client.post(url, {"version": lying.battle.version, "do": "reroll"}, follow=True)
    assert "rolled again" in sent.content.decode()
    assert 'id="lying"' not in sent.content.decode()
    assert 'id="type-dice"' in sent.content.decode()
    stale = client.post(url, {"version": lying.battle.version, "do": "reroll"})
    assert stale.status_code == 412


def test_the_api_tells_what_was_taken_back_where_it_is_asked_for(beaten, table):
    """Numbers of events stay; a page of them leads on to the next with the same wish."""
    undo(**beaten.seen)
    bo = Client(table.bo, beaten.battle)
    events = f"{bo.url}events/"
    plain, whole = bo.api.get(events).json()["results"], bo.api.get(f"{events}?undone=true").json()["results"]
    assert {event["undone"] for event in plain} == {False}
    gone = [event["type"] for event in whole if event["undone"]]
    assert "battle-ended" in gone
    assert len(whole) == len(plain) + len(gone)
    assert "undone=true" in bo.api.get(f"{events}?undone=true&limit=1").json()["next"]
    assert bo.api.get(f"{events}?undone=perhaps").status_code == 400
