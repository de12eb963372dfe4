"""Battles that armies fight by another ruleset than their own: opened, fought to the end, settled, undone (WC-10, 11).

The battle's law is wing command, on the ford; the armies are those of mass combat and of breaking points.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from armies.models import Army, Commander
from armies.ruleset_ui import get_army_ui
from battles.aftermath.services import confirm_aftermath
from battles.log.queries import check_replay
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.play.services import reinforce, undo
from battles.setup.queries import list_battle_laws
from kingdom.models import Kingdom
from rules.core.errors import InvalidInput
from tests.battles.setup.bridging import LAW, begin, fight, fresh, open_bridged
from tests.everyday import by_turns
from tests.kingdom.archive.journeys import bring_in, but_for_ids, taken_along
from tests.kingdom.conftest import api_of
from tests.rulesets.browsing import Reader
from tests.rulesets.drivers import driver_of, sides_of, table_of
from tests.worlds import built_once

OWN = ("combat-de-masse", "breaking-point")


@pytest.fixture(params=OWN)
def driver(request) -> Any:
    return driver_of(request.param)


@built_once
def table(db, driver) -> SimpleNamespace:
    return table_of(driver)


@built_once
def opened(table) -> Battle:
    return open_bridged(table)


@built_once
def over(table, opened) -> Battle:
    """Fought on the ford to its end."""
    return fight(table, begin(table, opened))


def figures(table: Any) -> dict[str, Any]:
    """Everything the aftermath may change, as it stands."""
    model = get_army_ui(table.campaign).army
    fields = [one.attname for one in model._meta.concrete_fields if one.attname not in ("updated_at", "version")]
    rows = {str(row.pk): {name: getattr(row, name) for name in fields} for row in model._default_manager.all()}
    leaders = {str(one.pk): (one.status, one.name) for one in Commander.objects.all()}
    realms = {str(one.pk): (one.economy, one.loyalty, one.stability, one.treasury) for one in Kingdom.objects.all()}
    return rows | leaders | realms


def seen(table: Any, battle: Battle) -> dict[str, Any]:
    now = fresh(battle)
    return {"by": table.gm, "battle_id": now.pk, "version": now.version}


# opened


def test_a_battle_keeps_its_own_ruleset_and_none_of_the_campaigns_house_rules(table, opened, driver):
    assert (opened.ruleset, opened.house_rules) == (LAW, {})
    assert fresh(opened).campaign.ruleset == driver.slug
    assert api_of(table.ana).get(f"/api/v1/battles/{opened.pk}/").json()["ruleset"] == LAW


def test_without_a_word_it_is_the_campaigns(table, driver):
    body = {"campaign": str(table.campaign.pk), "name": "At home", "sides": sides_of(table)}
    answer = api_of(table.gm).post("/api/v1/battles/", body)
    assert (answer.status_code, answer.json()["ruleset"]) == (201, driver.slug)


def test_the_api_opens_it(table):
    body = {"campaign": str(table.campaign.pk), "name": "The ford", "sides": sides_of(table), "ruleset": LAW}
    answer = api_of(table.gm).post("/api/v1/battles/", body)
    assert (answer.status_code, answer.json()["ruleset"]) == (201, LAW)


@pytest.mark.parametrize("named", ["chess", "ultimate-campaign", "", 7, ["wing-command"]])
def test_a_ruleset_that_cannot_take_these_armies_is_refused_naming_those_that_can(table, named):
    body = {"campaign": str(table.campaign.pk), "name": "The ford", "sides": sides_of(table), "ruleset": named or "x"}
    answer = api_of(table.gm).post("/api/v1/battles/", body)
    (error,) = answer.json()["errors"]
    assert (answer.status_code, error["pointer"]) == (400, "/ruleset")
    assert LAW in error["detail"]
    assert not Battle.objects.exists()


def test_an_army_that_is_no_more_is_refused_with_its_pointer(table):
    Army.objects.filter(pk=table.raiders.pk).update(status="defeated")
    with pytest.raises(InvalidInput) as refused:
        open_bridged(table)
    assert refused.value.errors[0][0] == "/sides/1/armies/0"


def test_armies_of_the_law_of_the_battle_go_nowhere_else(db):
    """Wing command's own armies can't be mustered: there is one ruleset, and no choice."""
    own = table_of_wings()
    assert [law.slug for law in list_battle_laws(own.campaign)] == [LAW]
    assert api_of(own.gm).get(f"/api/v1/armies/{own.army.pk}/mustered/").status_code == 400
    assert "Ruleset of this battle" not in Reader(own.gm).read(f"/c/{own.campaign.pk}/battles/new/")


def table_of_wings() -> SimpleNamespace:
    from armies.forces.services import raise_army
    from kingdom.campaign.services import create_campaign
    from kingdom.realms.services import found_kingdom
    from tests.kingdom.conftest import make_user

    gm = make_user("gm")
    campaign = create_campaign(by=gm, name="Wings", ruleset=LAW)
    crown = found_kingdom(by=gm, campaign=campaign, name="Crown")
    sheet = {"troops": [{"type": "foot"}]}
    armies = [raise_army(by=gm, kingdom=crown, name=name, sheet=sheet) for name in ("Left", "Right")]
    return SimpleNamespace(gm=gm, campaign=campaign, army=armies[0])


# the page


def test_the_page_offers_the_rulesets_and_opens_the_battle_by_the_one_that_is_chosen(table, driver):
    gm, page = Reader(table.gm), f"/c/{table.campaign.pk}/battles/new/"
    assert f'<option value="{LAW}">' in gm.markup(page)
    sides = {"one": "Crown", "armies-one": [table.watch.pk], "two": "Horde", "armies-two": [table.raiders.pk]}
    gm.done(f"{page}?ruleset={LAW}", page, name="The ford", **sides)
    assert Battle.objects.get().ruleset == LAW


def test_the_page_knows_no_other_rulesets(table):
    gm, page = Reader(table.gm), f"/c/{table.campaign.pk}/battles/new/"
    assert gm.status(f"{page}?ruleset=chess") == 404
    assert Reader(table.ana).status(f"{page}?ruleset={LAW}") == 403


# what an army would be


def test_what_an_army_would_be_is_told_to_whoever_may_read_its_sheet(table, driver):
    address = f"/api/v1/armies/{table.watch.pk}/mustered/"
    told = api_of(table.ana).get(f"{address}?ruleset={LAW}").json()
    assert told["ruleset"] == LAW
    troops = [unit for unit in told["army"]["units"] if not unit["character"]]
    count, kind = (4, "archers") if driver.slug == "combat-de-masse" else (2, "foot")
    assert [unit["kind"] for unit in troops] == [kind] * count
    assert told["muster"]["size"] == ("huge" if driver.slug == "combat-de-masse" else "medium")
    assert api_of(table.gm).get(address).json() == told
    for other in (table.bo, table.stranger):
        assert api_of(other).get(address).status_code == 404
    assert api_of(table.ana).get(f"{address}?ruleset=chess").status_code == 400
    assert api_of(table.ana).get(f"{address}?law={LAW}").status_code == 400


def test_who_leads_without_a_commander_is_named_in_the_language_of_the_request(table):
    Army.objects.filter(pk=table.spare.pk).update(commander=None)
    address = f"/api/v1/armies/{table.spare.pk}/mustered/?ruleset={LAW}"
    for language, name in (("fr", "Sergent"), ("en", "Sergeant")):
        told = api_of(table.gm).get(address, headers={"accept-language": language}).json()
        assert [unit["name"] for unit in told["army"]["units"] if unit["commander"]] == [name]


# fought, settled, undone


class Loss(NamedTuple):
    """What an army lost on the table, counted by hand."""

    troops: int
    destroyed: int
    fled: int
    broken: bool
    won: bool

    @property
    def share(self) -> Fraction:
        return (self.destroyed + Fraction(self.fled, 2)) / self.troops

    @property
    def all_gone(self) -> bool:
        return self.destroyed + self.fled == self.troops


def loss_of(over: Battle, army: Army) -> Loss:
    state = play_battle_state.load_state(over)
    wing = state.wings[str(army.pk)]
    gone = [state.field.tokens[unit].gone for unit in wing.members if not state.units[unit].character]
    won = state.field.ended.winner == wing.side
    return Loss(len(gone), gone.count("destroyed"), gone.count("fled"), wing.broken, won)


def points_left(loss: Loss, hp: int) -> int:
    """Hit points of an army that has more of them left than its ACR (WC-11)."""
    return 0 if loss.all_gone and 2 * loss.destroyed > loss.troops else hp - floor(hp * loss.share)


def heads_left(loss: Loss, heads: int) -> int:
    """Heads of toughness 5 without armour: points of force are shared out, half of the victor's come back (B-48)."""
    if loss.all_gone and 2 * loss.destroyed > loss.troops:
        return 0
    points = floor(5 * heads * loss.share)
    return heads - (points - points // 2 if loss.won and not loss.all_gone else points) // 5


def test_a_battle_on_the_ford_costs_what_wc_11_says_and_all_of_it_is_undone(table, over, driver):
    before = figures(table)
    losses = {str(army.pk): loss_of(over, army) for army in (table.watch, table.raiders)}
    assert any(loss.share for loss in losses.values()), "a battle that cost nothing shows nothing"
    confirm_aftermath(**seen(table, over))
    after = figures(table)
    left = points_left if driver.slug == "combat-de-masse" else heads_left
    for army, loss in losses.items():
        assert after[army]["health"] == left(loss, before[army]["health"]), loss
        if driver.slug == "combat-de-masse" and not (loss.won or loss.all_gone):
            assert after[army]["morale"] == before[army]["morale"] - loss.broken
    assert fresh(over).status == "closed"
    undo(**seen(table, over))
    assert figures(table) == before
    assert fresh(over).status == "aftermath"


def test_confirmed_again_it_is_the_same(table, over):
    confirm_aftermath(**seen(table, over))
    once = figures(table)
    undo(**seen(table, over))
    confirm_aftermath(**seen(table, over))
    assert figures(table) == once


def test_its_log_is_decided_again_as_it_was(over):
    assert check_replay(fresh(over)).identical


def test_every_line_names_its_rule_on_the_page_and_in_the_api(table, over):
    proposal = api_of(table.gm).post(
        f"/api/v1/battles/{over.pk}/commands/", {"type": "aftermath"}, headers={"If-Match": f'"{over.version}"'}
    )
    assert proposal.status_code == 200, proposal.content
    assert "WC-11" in {note["rule"] for note in proposal.json()["proposal"]["notes"]}
    assert "Wing command: " in Reader(table.gm).read(f"/battles/{over.pk}/aftermath/")


def test_both_before_and_after_it_is_confirmed_its_pages_are_drawn_for_everybody(table, over):
    for done in (False, True):
        if done:
            confirm_aftermath(**seen(table, over))
        readers = {who: Reader(getattr(table, who)) for who in ("gm", "ana", "bo", "viewer")}
        for page in ("", "aftermath/", "log/", "replay/", "report/", "order-of-battle/"):
            for who in by_turns(f"{page} {done}", (*readers,)):
                assert readers[who].status(f"/battles/{over.pk}/{page}") == 200, (who, page, done)


def test_pages_of_its_armies_are_drawn_while_they_fight(table, opened):
    owner = Reader(table.ana)
    for page in (f"armies/{table.watch.pk}/", f"kingdoms/{table.crown.pk}/", f"c/{table.campaign.pk}/"):
        assert "The ford" in owner.read(f"/{page}"), page


def test_the_list_of_battles_and_its_page_say_by_which_rules_it_is_fought(table, over):
    for page in (f"/c/{table.campaign.pk}/battles/", f"/battles/{over.pk}/"):
        assert "· Wing command" in Reader(table.ana).read(page)


def test_in_lists_of_armies_its_health_is_told_in_hundredths(table, over):
    """There it is troops that are left, elsewhere hit points or heads."""
    from armies.forces.busy import find_in_battle

    engaged = find_in_battle(table.campaign)[table.raiders.pk]
    assert (engaged.share, engaged.health_max) == (True, 100)


def test_an_army_joins_a_battle_by_another_ruleset(table, opened):
    battle = begin(table, opened)
    reinforce(**seen(table, battle), army_id=str(table.spare.pk), side=1)
    state = play_battle_state.load_state(fresh(battle))
    assert str(table.spare.pk) in state.wings
    assert state.field.troops(str(table.spare.pk))[1] == state.field.troops(str(table.raiders.pk))[1]


def test_it_is_exported_and_imported_as_it_was(table, over):
    confirm_aftermath(**seen(table, over))
    document = taken_along(table.campaign)
    arrived = bring_in(table.gm, document).campaign
    battle = Battle.objects.get(campaign=arrived)
    assert (battle.ruleset, battle.status) == (LAW, "closed")
    assert but_for_ids(taken_along(arrived))["tables"]["battles"] == but_for_ids(document)["tables"]["battles"]
    assert Reader(table.gm).status(f"/battles/{battle.pk}/aftermath/") == 200
