"""Two battles alike but for a figure the campaign keeps from a player are told them alike, at every address there is.

The other battle is the same one told anew: its opening has another figure, every command is decided again with the dice
that fell, and nothing else of it differs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client as Browser

from battles.codec import storage
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.play import event_log
from battles.queries import get_veil
from kingdom.campaign.services import update_campaign
from rules.core.dice import Replayed
from rules.core.viewers import band_of
from rules.law import OMNISCIENT, Veil
from tests.battles.conftest import Client
from tests.everyday import at_most, everyday
from tests.kingdom.access.test_impersonation import ITS_OWN
from tests.kingdom.conftest import api_of
from tests.manners.doors import patterns
from tests.rulesets.drivers import driver_of, sides_of, table_of
from tests.worlds import built_once

type Change = Callable[[Any], Any]
type Deed = Callable[[], None]
ASKED_OF_IT = ("do=override", "rail=forecast", "rail=log", "army={watch}", "army={raiders}")
SKIPPED = ("<job_id>", "<step>", "opponents", "/dice/", "/live/")
KEEPERS = {
    "health": {"health": "words"},
    "figures": {"figures": "hidden"},
    "corrections": {"corrections": "bare"},
}


def told_anew(
    battle: Battle, change: Callable[[Any], Any], command: Callable[[Any], Any] = lambda given: given
) -> None:
    """Write the battle as it would be with another opening, or other commands."""
    battle = Battle.objects.get(pk=battle.pk)
    engine = play_battle_state.get_engine(battle)
    keeper = storage.get_keeper(engine)
    opening = change(play_battle_state.load_opening(battle))
    state = engine.open(opening)
    battle.opening, battle.figures = keeper.dump_opening(opening), storage.dump_figures(engine.figures(state))
    for record in battle.records.filter(undone=False).order_by("seq"):
        given = command(keeper.load_command(record.command))
        events = engine.decide(state, given, Replayed(storage.load_dice(record.dice)), OMNISCIENT)
        state = engine.fold(state, events)
        record.command, record.events = keeper.dump_command(given), keeper.dump_events(events)
        record.frozen, record.figures = None, storage.dump_figures(engine.figures(state))
        record.save()
    battle.state = play_battle_state.summarize_for_lists(battle, state)
    battle.save()
    forget()


def forget() -> None:
    for kept in (play_battle_state._states, event_log._latest, event_log._written, event_log._events):
        kept.clear()


def addresses(table: SimpleNamespace, battle: Battle) -> Iterator[str]:
    """Every address of the battle, and where else of the campaign it is told of."""
    events = range(1, battle.records.order_by("-seq")[0].first_event + 12)
    steps = events[:: at_most(3, full=1)]
    for pattern in patterns():
        if any(part in pattern for part in SKIPPED):
            continue
        url = pattern.replace("/api/v1/battles/<pk>/", f"/api/v1/battles/{battle.pk}/")
        url = url.replace("<battle_id>", str(battle.pk))
        if url == pattern:
            continue
        yield from (url.replace("<seq>", str(seq)) for seq in (events if "<seq>" in url else (0,)))
    page = f"/battles/{battle.pk}/"
    named = {"watch": table.watch.pk, "raiders": table.raiders.pk}
    yield from (f"{page}?{asked.format(**named)}" for asked in ASKED_OF_IT)
    yield from (f"{page}replay/?step={step}" for step in steps)
    campaign = f"/c/{table.campaign.pk}/"
    yield from (campaign, f"{campaign}battles/", f"{campaign}armies/", f"{campaign}story/", f"{campaign}chronicle/")
    yield from (f"/kingdoms/{table.horde.pk}/", f"/kingdoms/{table.crown.pk}/", "/", "/api/v1/battles/")
    yield f"/find/choices/?q=Raiders&campaign={table.campaign.pk}"


def telling(battle: Battle) -> Iterator[str]:
    """Where whoever may know more reads it: every day nobody asks at all addresses whether they are told it anywhere.
    What programs are told here tells of all that can be kept.
    """
    page, api = f"/battles/{battle.pk}/", f"/api/v1/battles/{battle.pk}/"
    yield from (page, f"{page}log/", api, f"{api}events/")
    yield from (f"{page}?rail=log", f"{page}log.txt", f"{page}log.jsonl", f"{page}report/", f"{page}replay/?step=3")


def answers(user: Any, urls: Iterable[str]) -> dict[str, tuple[int, bytes]]:
    """What is sent them there."""
    browser, api = Browser(raise_request_exception=False), api_of(user)
    browser.force_login(user)
    found = {}
    for url in urls:
        said = (api if url.startswith("/api/") else browser).get(url)
        body = said.getvalue()
        for own in (*ITS_OWN, re.compile(rb"data-seen=\"\w+\"")):
            body = own.sub(b"", body)
        found[url] = said.status_code, body
    assert sum(status == 200 for status, _body in found.values()) * 4 > len(found)
    return found


def differing(asked: Iterable[tuple[Any, list[str]]], anew: Deed) -> list[set[str]]:
    """Of what is sent to each of these people at their addresses: where it is another thing in the other battle."""
    asked = list(asked)
    forget()
    ones = [answers(user, urls) for user, urls in asked]
    anew()
    twos = [answers(user, urls) for user, urls in asked]
    forget()  # the next test has the first battle again
    return [{url for url in one if one[url] != two[url]} for one, two in zip(ones, twos, strict=True)]


# Pathfinder: raiders with other hit points, another DV and OM, or corrected otherwise


def the_ford(table: SimpleNamespace) -> Battle:
    """Two phases of blows that hit, a miss, and a correction."""
    battle = table.battle
    gm = Client(table.gm, battle)
    watch, raiders = str(table.watch.pk), str(table.raiders.pk)
    gm.ok(type="override", army=raiders, field="morale", value=1, reason="Well rested")
    for command in ({"type": "next"}, {"type": "resolve"}):
        gm.ok(**command)
    for fell in ({watch: 13}, {watch: 13, raiders: 2}, {watch: 3, raiders: 3}):
        gm.ok(type="resolve", dice=[{"army": army, "roll": "attack", "values": [face]} for army, face in fell.items()])
    return battle


def with_raiders(table: SimpleNamespace, **changed: Any) -> Callable[[Any], Any]:
    key = str(table.raiders.pk)

    def change(opening: Any) -> Any:
        return replace(opening, entered={**opening.entered, key: replace(opening.entered[key], **changed)})

    return change


def better_armed(table: SimpleNamespace) -> Callable[[Any], Any]:
    key = str(table.raiders.pk)

    def change(opening: Any) -> Any:
        more = {"improved-armor": 1, "improved-weapons": 1}
        armies = (replace(spec, resources=more) if spec.id == key else spec for spec in opening.armies)
        return replace(opening, armies=tuple(armies))

    return change


def corrected(value: int, reason: str) -> Callable[[Any], Any]:
    return lambda given: replace(given, value=value, reason=reason) if hasattr(given, "reason") else given


def other_world(table: SimpleNamespace, battle: Battle, kept: str) -> Deed:
    return {
        "health": lambda: told_anew(battle, with_raiders(table, hp=45, hp_max=45)),
        "figures": lambda: told_anew(battle, better_armed(table)),
        "corrections": lambda: told_anew(battle, lambda opening: opening, corrected(2, "The gods will it")),
    }[kept]


@built_once
def ford(table) -> Battle:
    return the_ford(table)


@pytest.mark.parametrize("kept", list(KEEPERS))
def test_two_worlds_look_alike(table, ford, kept):
    """Every day at each address for one thing that is kept, by turns, and for all of them where most is told."""
    everywhere = list(addresses(table, ford))
    update_campaign(by=table.gm, campaign=table.campaign, secrecy=KEEPERS[kept])
    knowing = at_most([url for url in telling(ford) if url.startswith("/api/")], full=everywhere)
    its_turn = everywhere[list(KEEPERS).index(kept) :: at_most(len(KEEPERS), full=1)]
    unknowing = at_most([*telling(ford), *its_turn], full=everywhere)
    asked = [(table.ana, unknowing), *((user, knowing) for user in (table.gm, table.bo, table.viewer))]
    told = dict(zip(("ana", "gm", "bo", "viewer"), differing(asked, other_world(table, ford, kept)), strict=True))
    assert told["ana"] == set()
    assert told["gm"], "the GM sees the difference"
    assert told["bo"], "their own side does"
    assert told["viewer"], "viewers do"


@pytest.mark.parametrize("kept", list(KEEPERS))
def test_without_the_setting_the_difference_is_told(table, ford, kept):
    (told,) = differing([(table.ana, list(telling(ford)))], other_world(table, ford, kept))
    assert len(told) > 3


def test_what_a_player_reads_instead(table, ford):
    update_campaign(by=table.gm, campaign=table.campaign, secrecy={"figures": "hidden"})
    ana = Client(table.ana, ford)
    shown = next(army for army in ana.read()["armies"] if army["army"] == str(table.raiders.pk))
    state = play_battle_state.load_state(Battle.objects.get(pk=ford.pk))
    raiders = state.armies[str(table.raiders.pk)]
    assert (shown["hp"], shown["hp_max"], shown["looks"]) == (None, None, band_of(raiders.hp, raiders.hp_max).slug)
    events = ana.api.get(f"{ana.url}events/").json()["results"]
    ours, theirs = ([e for e in events if e["type"] == "attacked" and e["army"] == str(army.pk)]
                    for army in (table.watch, table.raiders))  # fmt: skip
    assert {e["text"] for e in ours} == {
        "The shots of Ironwatch hit Raiders.", "The attack of Ironwatch hits Raiders.",
        "The attack of Ironwatch misses Raiders.",
    }  # fmt: skip
    assert all(e["rolls"] and not any(e["numbers"].values()) for e in ours)
    assert all(not e["rolls"] and "check" not in e["numbers"] for e in theirs)
    override = next(e for e in events if e["type"] == "overridden")
    assert override["text"] == "The GM corrects Raiders."
    assert "Well rested" not in str(events)
    mine = next(army for army in ana.read()["armies"] if army["army"] == str(table.watch.pk))
    assert mine["hp"] == state.armies[str(table.watch.pk)].hp


def test_the_setting_of_now_decides_and_hidden_figures_bring_words(table, ford):
    raiders = str(table.raiders.pk)

    def told() -> Any:
        return next(army for army in Client(table.ana, ford).read()["armies"] if army["army"] == raiders)["hp"]

    assert told() is not None
    for secrecy in ({"health": "words"}, {"health": "exact", "figures": "hidden"}):
        update_campaign(by=table.gm, campaign=table.campaign, secrecy=secrecy)
        assert told() is None
    update_campaign(by=table.gm, campaign=table.campaign, secrecy={"health": "exact", "figures": "shown"})
    assert table.campaign.secrecy == {}
    assert get_veil(table.campaign) == Veil()
    assert told() is not None


# every law


@pytest.mark.parametrize("slug", everyday(["breaking-point", "coin", "turns"], first=1))
def test_under_other_laws_health_is_told_in_words_to_enemies_alone(db, slug):
    driver = driver_of(slug)
    table = table_of(driver)
    client = Client(table.gm)
    made = client.api.post(
        "/api/v1/battles/", {"campaign": str(table.campaign.pk), "name": "F", "sides": sides_of(table)}
    )
    client.battle = battle = Battle.objects.get(pk=made.json()["id"])
    for command in driver.fought(table):
        client.ok(**command)
    update_campaign(by=table.gm, campaign=table.campaign, secrecy={"health": "words"})
    forget()
    raiders, told = str(table.raiders.pk), {}
    for who in ("gm", "ana", "bo"):
        rows = api_of(getattr(table, who)).get("/api/v1/battles/").json()["results"][0]["sides"]
        told[who] = {army["army"]: army["hp"] for side in rows for army in side["armies"]}
    assert told["ana"][raiders] is None
    assert told["bo"][raiders] is not None
    assert told["gm"][raiders] is not None
    assert told["bo"][str(table.watch.pk)] is None
    page = Browser()
    page.force_login(table.ana)
    for url in at_most([*telling(battle)], full=[*addresses(table, battle)]):
        if not url.startswith("/api/"):
            assert page.get(url).status_code < 500, url
    summary = play_battle_state.summarize(battle, play_battle_state.load_state(battle)).armies[raiders]
    body = page.get(f"/battles/{battle.pk}/").content.decode()
    assert str(band_of(summary.health, summary.health_max).word) in body
