"""What the campaign's page and the tab of battles tell of open battles, under every law: whom each waits for."""

from __future__ import annotations

from typing import Any

from battles.field.page import load_battle_page
from battles.models import Battle
from battles.opponents.services import set_head
from battles.setup.page import TAB, battles_now, next_battle
from kingdom.access.queries import get_campaign_for
from kingdom.campaign.awaiting_counts import awaiting
from kingdom.campaign.campaign_cards import now_of
from kingdom.members.services import take_kingdom_from
from kingdom.models import Campaign
from tests.battles.frame.conftest import play
from tests.battles.setup.test_lists import copies, counted
from tests.everyday import under
from tests.kingdom.conftest import client_of
from tests.rulesets.drivers import COMMANDED

READERS = ("gm", "ana", "bo", "viewer")


def cards(table: Any, who: str) -> list[Any]:
    user = getattr(table, who)
    found = now_of(user, get_campaign_for(user, table.campaign.pk)).cards
    return [card for card in found if card.id.startswith("battle-")]


def yours(table: Any) -> set[str]:
    """Whom the only battle waits for; the tab says the same as the card."""
    found = set()
    for who in READERS:
        user, ((card,)) = getattr(table, who), cards(table, who)
        counted = awaiting(user, get_campaign_for(user, table.campaign.pk), TAB)
        assert counted == card.yours, who
        if card.yours:
            found.add(who)
    return found


def test_what_lists_keep_says_what_the_page_of_a_battle_says(gm, table, driver, fresh):
    """Orders in and awaited, before and after each command, for whoever looks."""
    told = set()
    for command in ([], *([one] for one in (*driver.before_orders(table), driver.own(table), driver.theirs(table)))):
        play(gm, command)
        state = Battle.objects.get(pk=fresh.pk).state
        for who in READERS:
            page = load_battle_page(getattr(table, who), fresh.pk)
            ready = [card.ready for card in page.cards]
            assert state["orders"] == {"in": ready.count("in"), "of": len(ready) - ready.count("")}, who
            assert set(state["waiting"]) == {awaited.army for awaited in page.summary.waiting_for}, who
        told.add(str(state["orders"]) + str(state["waiting"]))
    assert len(told) > 1, "something was told of it"


def test_a_battle_waits_for_whom_it_says(gm, table, driver, fresh):
    play(gm, driver.before_orders(table))
    state = Battle.objects.get(pk=fresh.pk).state
    players = {str(table.crown.pk): "ana", str(table.horde.pk): "bo"}
    assert yours(table) == {players[kingdom] for kingdom in state["awaited"]} or {"gm"}
    play(gm, driver.before_dice(table)[len(driver.before_orders(table)) :])
    state = Battle.objects.get(pk=fresh.pk).state
    assert yours(table) == ({players[kingdom] for kingdom in state["awaited"]} or {"gm"})


def test_what_no_player_commands_waits_for_the_gm(gm, table, driver, fresh):
    play(gm, driver.before_orders(table))
    for kingdom, player in ((table.crown, table.ana), (table.horde, table.bo)):
        take_kingdom_from(by=table.gm, kingdom=kingdom, player=player)
    assert yours(table) == {"gm"}


def test_an_end_waits_for_the_gm_and_a_closed_battle_for_nobody(table, driver, decided):
    assert yours(table) == {"gm"}
    (card,) = cards(table, "gm")
    assert card.act.url.endswith("/aftermath/")
    assert client_of(table.gm).get(card.act.url).status_code == 200
    Battle.objects.update(status=Battle.Status.CLOSED)
    assert [cards(table, who) for who in READERS] == [[]] * len(READERS)
    assert awaiting(table.gm, get_campaign_for(table.gm, table.campaign.pk), TAB) == 0


def test_a_battle_of_an_earlier_version_is_told_the_same(gm, table, driver, fresh):
    play(gm, driver.before_orders(table))
    expected = yours(table), cards(table, "ana")
    battle = Battle.objects.get(pk=fresh.pk)
    old = {name: battle.state[name] for name in ("phase", "sides", "result")}
    Battle.objects.update(state=old)
    assert (yours(table), [card.told["orders"] for card in cards(table, "ana")]) == (
        expected[0],
        [card.told["orders"] for card in expected[1]],
    )


@under(*COMMANDED)
def test_nobody_waits_for_orders_that_are_left_to_the_engine(gm, table, driver, fresh):
    play(gm, driver.before_orders(table))
    before = Battle.objects.get(pk=fresh.pk).state["awaited"]
    set_head(by=table.gm, battle_id=fresh.pk, side=1, leaning="bold", left=True)
    after = Battle.objects.get(pk=fresh.pk).state["awaited"]
    assert str(table.horde.pk) in before
    assert set(before) - set(after) == {str(table.horde.pk)}
    set_head(by=table.gm, battle_id=fresh.pk, side=1, leaning="bold", left=False)
    assert Battle.objects.get(pk=fresh.pk).state["awaited"] == before


def test_more_battles_cost_no_more(table, fresh):
    def asks(who: str) -> int:
        campaign = get_campaign_for(getattr(table, who), table.campaign.pk)
        return counted(lambda: now_of(getattr(table, who), campaign))

    few = {who: asks(who) for who in READERS}
    copies(fresh, 4)
    Battle.objects.update(status=fresh.status)
    assert {who: asks(who) for who in READERS} == few
    assert len(cards(table, "gm")) == 5


def test_a_stranger_is_told_of_no_battle(table, fresh):
    campaign = Campaign.objects.get(pk=table.campaign.pk)
    assert list(battles_now(table.stranger, campaign)) == []
    assert next_battle(table.stranger, campaign) is None


def test_the_page_shows_them_with_one_act_each_and_the_tab_counts_them(gm, table, driver, fresh):
    play(gm, driver.before_orders(table))
    for who in READERS:
        html = client_of(getattr(table, who)).get(f"/c/{table.campaign.pk}/").content.decode()
        (card,) = cards(table, who)
        shown = html.split(f'id="now-{card.id}"')[1].split("</li>")[0]
        assert "yours" in html.split(f'id="now-{card.id}"')[0].rsplit("<li", 1)[1] or not card.yours
        assert shown.count('class="button') == 1, who
        badge = html.split('id="battles-wait">')[1].split("</span>")[0]
        assert ('badge warn">1' in badge) == card.yours, who
