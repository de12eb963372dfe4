"""Whatever things are called, pages tell it as text: every phase, every reader, both languages of templates."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from battles.field.page import BattlePage
from battles.play.services import undo
from battles.setup.services import open_battle
from kingdom.campaign.services import create_campaign
from kingdom.realms.services import assign_player, found_kingdom
from rules.core.text import Term, say
from rules.pathfinder.battle.orders.commands import ChangeCondition, End, GiveOrder, Next, Override, Resolve
from rules.pathfinder.battle.state.battle_state import Order, SetCondition
from tests.battles.conftest import RAIDER, SPEARMAN, muster
from tests.battles.field.test_pages import as_, now, play, send, text
from tests.everyday import FULL, at_most, everyday
from tests.kingdom.conftest import FREELY, make_user, seat
from tests.worlds import built_once

CALLED = "{what}\" onbad=1 x='><script>bad()</script>{{{{ 7 }}}}{{0}}%(x)s%s&"
STAGES = ("setup", "tactics", "melee", "late", "aftermath")
READERS = ("gm", "ana", "viewer", "bo", "cy")
LINKS = re.compile(r'(?:href|hx-get|action)="(/[^"#]*)')
OURS = re.compile(r"/(kingdoms|armies|commanders|battles)/[0-9a-f-]{36}/")
BESIDE = ("report", "order_of_battle", "replay", "aftermath")


def called(what: str) -> str:
    return CALLED.format(what=what)


class Found(HTMLParser):
    """What of the names has become markup."""

    def __init__(self) -> None:
        super().__init__()
        self.bad: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.bad += [f"<{tag} {name}>" for name, _value in attrs if name.startswith("on")]

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "script" and "bad()" in data:
            self.bad.append(data)


def told(response: Any) -> str:
    assert response.status_code in (200, 412, 422), (response.request["PATH_INFO"], response.status_code)
    body = text(response)
    if response["Content-Type"].startswith("text/html"):
        found = Found()
        found.feed(body)
        assert not found.bad, (response.request["PATH_INFO"], found.bad)
        assert "<script>bad" not in body
        assert "&amp;lt;script" not in body, response.request["PATH_INFO"]
    return body


@built_once
def odd(db) -> SimpleNamespace:
    """Three kingdoms whose everything is called as nobody should be."""
    gm = make_user("gm")
    campaign = create_campaign(by=gm, name=called("March"), ruleset="combat-de-masse", players_may=FREELY)
    table = SimpleNamespace(gm=gm, campaign=campaign, armies=[])
    for who, unit in (("ana", SPEARMAN), ("bo", RAIDER), ("cy", RAIDER)):
        realm = found_kingdom(by=gm, campaign=campaign, name=called(f"Realm of {who}"), treasury=50, loyalty=5)
        kind = unit | {"name": called(f"Kind of {who}")}
        more = {"commander": called(f"Lord of {who}")}
        table.armies.append(muster(gm, realm, called(f"Host of {who}"), kind, 1000, **more))
        player = seat(gm, campaign, make_user(who), "player")
        assign_player(by=gm, kingdom=realm, player=player)
        setattr(table, who, player)
    table.viewer = seat(gm, campaign, make_user("viewer"), "viewer")
    sides = [{"name": called(f"Side {at}"), "armies": [str(one.pk)]} for at, one in enumerate(table.armies)]
    table.battle = open_battle(by=gm, campaign=campaign, name=called("Fight"), sides=sides)
    return table


def looks(table: SimpleNamespace, who: str) -> Iterator[str]:
    """Ways to look at the battle."""
    yield ""
    armies = table.armies if who == "gm" or FULL else table.armies[-1:]
    yield from (f"?army={army.pk}" for army in armies)
    if who == "gm":
        yield from ("?as=0", "?as=2", "?rail=tools", "?do=together", "?do=condition&what=wind")
        yield f"?do=override&what=dv&army={table.armies[0].pk}"


def see_everything(table: SimpleNamespace, stage: str) -> None:
    """The GM and by turns another reader, every look at the battle and a refresh of it, what lies beside it."""
    where = reverse("battles:battle", args=[table.battle.pk])
    others = READERS[1:]
    turn = STAGES.index(stage) % len(others)
    for who in ("gm", *at_most(others[turn : turn + 1], full=others)):
        client = as_(getattr(table, who))
        for query in looks(table, who):
            body = told(client.get(where + query))
            assert "Host of ana" in body
        told(client.get(where, headers={"HX-Request": "true"}))
        for link in sorted({link for link in LINKS.findall(body) if link.startswith(f"{where}log/")}):
            told(client.get(link.replace("&amp;", "&")))
        see_beside(table, client)


def see_beside(table: SimpleNamespace, client: Client) -> None:
    for name in BESIDE:
        told(client.get(reverse(f"battles:{name}", args=[table.battle.pk]), follow=True))


def go_on(table: SimpleNamespace, stage: str) -> None:
    """The battle brought to this stage, with something of every kind in it."""
    for _stage in steps(table, stage):
        pass


def steps(table: SimpleNamespace, last: str = STAGES[-1]) -> Iterator[str]:
    """The same, stage by stage."""
    battle, (ana, bo, cy) = table.battle, (str(army.pk) for army in table.armies)
    for stage in STAGES[: STAGES.index(last) + 1]:
        if stage == "tactics":
            play(table, battle, ChangeCondition(SetCondition("darkness")), Next())
        elif stage == "melee":
            play(table, battle, Resolve(), Resolve())
            play(table, battle, Override(ana, "dv", 2, called("Walls")), Override(bo, "mark", "+ill", "x"))
            play(table, battle, GiveOrder(Order(ana, target=bo)), GiveOrder(Order(cy, target=bo)))
            undo(by=table.gm, battle_id=battle.pk, version=now(battle).version)
        elif stage == "late":
            play(table, battle, Resolve(), Override(cy, "hp", 0, called("Fell")))
        elif stage == "aftermath":
            play(table, battle, End(called("Night"), 0))
        yield stage


@pytest.fixture
def law_changed(monkeypatch) -> None:
    monkeypatch.setattr(BattlePage, "law_changes", [say(Term("Now by {name}"), name=called("Law"))])


@pytest.mark.usefixtures("law_changed")
@pytest.mark.parametrize("stage", everyday(STAGES, keep=lambda stage: stage == "late"))
def test_names_are_text_on_every_page_of_every_phase(odd, stage):
    go_on(odd, stage)
    see_everything(odd, stage)


@pytest.mark.usefixtures("law_changed")
def test_names_are_text_in_every_phase_for_whoever_looks(odd):
    """One look in each, by one after the other; what lies beside a battle that is to be settled."""
    where = reverse("battles:battle", args=[odd.battle.pk])
    for stage, who in zip(steps(odd), READERS, strict=True):
        assert "Host of ana" in told(as_(getattr(odd, who)).get(where)), stage
    see_beside(odd, as_(odd.gm))


def test_names_are_text_where_dice_are_asked_for_and_refused(odd):
    go_on(odd, "melee")
    seen = now(odd.battle).version
    for fields in ({}, {"die": [f"{odd.armies[0].pk}|attack|20"], "face": ["77"]}):
        for htmx in (False, True):
            assert "Host of ana" in told(send(odd.gm, odd.battle, htmx, type="resolve", how="asked", **fields))
    play(odd, odd.battle, Override(str(odd.armies[0].pk), "dv", 1, called("Mud")))
    typed = {"die": [f"{odd.armies[0].pk}|attack|20"], "face": ["14"]}
    late = send(odd.gm, odd.battle, True, type="resolve", how="asked", version=seen, **typed)
    assert late.status_code == 412
    told(late)
    order = {"type": "order", "army": odd.armies[0].pk, "target": called("nobody"), "tactic": called("none")}
    told(send(odd.ana, odd.battle, True, **order))


def test_names_are_text_when_the_aftermath_is_settled(odd):
    go_on(odd, "aftermath")
    where = reverse("battles:aftermath", args=[odd.battle.pk])
    gm = as_(odd.gm)
    told(gm.post(where, {"version": now(odd.battle).version, "how": "asked"}))
    proposed = told(gm.get(where))
    fields = dict(re.findall(r'<input type="hidden" name="([a-z_]+)" value="([^"]*)"', proposed))
    told(gm.post(where, {**fields, "how": "rolled", "confirm": "yes"}, follow=True))
    told(gm.get(reverse("battles:battle", args=[odd.battle.pk])))
    see_beside(odd, gm)
    if FULL:
        see_everything(odd, "aftermath")


@pytest.mark.slow
def test_names_are_text_on_every_page_that_is_linked(odd):
    """From the campaign on, for the GM and for a player."""
    go_on(odd, "aftermath")
    for who in (odd.gm, odd.bo):
        client, known = as_(who), set[str]()
        waiting = [reverse("kingdom:campaign", args=[odd.campaign.pk])]
        while waiting:
            link = waiting.pop()
            response = client.get(link, follow=True)
            if response.status_code == 405 or not response["Content-Type"].startswith("text/html"):
                continue
            links = {one.replace("&amp;", "&") for one in LINKS.findall(told(response))}
            new = {one for one in links if str(odd.campaign.pk) in one or OURS.match(one)} - known
            known |= new
            waiting += sorted(new)
        assert len(known) > 40
