"""What a reserve is made of (B-18), and what dice need: at every address that tells of a battle of breaking points."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from battles.breaking_point.field.cards import list_blocks, on_paper
from kingdom.sharing.services import create_share
from rules.breaking_point.battle.orders.commands import ChangeCondition, End, Override
from rules.breaking_point.battle.state.battle_state import FieldMark
from rules.core.dice import Pinned
from rules.law import ANYBODY, OMNISCIENT, Viewer
from tests.battles.breaking_point.test_pages import page_of, send
from tests.battles.requests import play_request
from tests.browser.conftest import play
from tests.everyday import at_most
from tests.kingdom.conftest import api_of, make_user, seat
from tests.rules.breaking_point.battle import random_fights

pytestmark = pytest.mark.django_db
MADE_OF = ("reserve-contact", "Reserve, contact", "reserve (contact)", "Old guard")
PAGES = ("battle", "replay", "order_of_battle", "log", "log_text", "log_json", "log_luck", "report")
LINKS = ("live", "replay", "report")
PROGRAMS = ("", "events/?limit=200", "replay/")


def addresses(river: Any) -> Iterator[tuple[str, str]]:
    """All that a player of the other side, one of neither and whoever has a link are told, by their name."""
    river.cai = seat(river.gm, river.campaign, make_user("cai"), "player")
    for page in PAGES:
        for name in ("miv", *at_most((), full=("cai",))):
            client = river.as_(getattr(river, name))
            yield f"{name} {page}", client.get(reverse(f"battles:{page}", args=[river.bridge.pk]))
    for path in PROGRAMS:
        for name in ("miv", "cai"):
            yield f"{name} api {path}", api_of(getattr(river, name)).get(f"/api/v1/battles/{river.bridge.pk}/{path}")
    asked = api_of(river.miv).post(f"/api/v1/battles/{river.bridge.pk}/forecast/", {"matrix": True}, format="json")
    yield "forecast", asked
    for kind in LINKS:
        link = create_share(by=river.gm, campaign=river.campaign, kind=kind, thing=river.bridge.pk)
        yield f"link {kind}", Client().get(reverse("kingdom:shared", args=[link.token]))


def body_of(answer: Any) -> str:
    return b"".join(answer.streaming_content).decode() if answer.streaming else answer.content.decode()


def test_b18_no_address_tells_what_an_enemys_reserve_is_made_of(river):
    """Nor after the GM has spoken of it, or set something of it by hand."""
    waiting = f"{river.host.pk}:reserve-contact"
    play(river, river.bridge, ChangeCondition(FieldMark("cover", 5, None, waiting)))
    play(river, river.bridge, Override(waiting, "losses", 30, "as I say"))
    play(river, river.bridge, End("They parley", 1))
    answers = dict(addresses(river))
    assert {name for name, answer in answers.items() if answer.status_code != 200} <= {"forecast"}
    told = {name: body_of(answer) for name, answer in answers.items()}
    assert not {(name, word) for name, text in told.items() for word in MADE_OF if word in text}
    assert "Cover" in told["miv battle"]
    assert f"{river.host.pk}:reserve" in told["miv api "]


def test_b18_programs_are_told_that_a_reserve_waits_and_no_more(river):
    read = api_of(river.miv).get(f"/api/v1/battles/{river.bridge.pk}/").json()
    host = next(army for army in read["armies"] if army["army"] == str(river.host.pk))
    reserve = host["bodies"][-1]
    assert reserve | {"name": ""} == {
        "id": f"{river.host.pk}:reserve", "key": "reserve", "name": "", "kind": "reserve", "status": "waiting",
        "state": "fresh", "heads": 0, "force": 100, "losses": 0, "penalty": 0, "breaking_point": None, "masked": True,
        "units": [], "figures": None, "breakdown": None,
    }  # fmt: skip
    own = api_of(river.dru).get(f"/api/v1/battles/{river.bridge.pk}/").json()
    host = next(army for army in own["armies"] if army["army"] == str(river.host.pk))
    assert [(body["key"], body["kind"]) for body in host["bodies"]][-1] == ("reserve-contact", "contact")


def test_b18_a_block_of_an_unknown_reserve_is_called_so(river):
    page = page_of(river.as_(river.miv), river.bridge)
    host = next(one for one in page.context["page"].cards if one.id == str(river.host.pk))
    assert [str(body.name) for body in host.bodies] == ["Contact group", "Shooting group", "Reserve"]
    assert str(host.bodies[-1].about) == "composition unknown"


@pytest.mark.parametrize("key", ["reserve", "reserve-contact", "reserve-shooting"])
def test_b18_an_order_against_a_reserve_is_refused_alike_whatever_it_is_made_of(river, key):
    """There is a reserve-contact and no reserve-shooting: the one must be refused as the other."""
    river.bridge.refresh_from_db()
    bodies = {"contact": {"do": "attack", "target": f"{river.host.pk}:{key}"}}
    answer = api_of(river.miv).post(
        f"/api/v1/battles/{river.bridge.pk}/commands/", {"type": "order", "army": str(river.swords.pk),
        "bodies": bodies}, format="json", HTTP_IF_MATCH=f'"{river.bridge.version}"',
    )  # fmt: skip
    said = {409: "That enemy is still in reserve: choose another target.",
            400: "This group isn’t in this battle."}  # fmt: skip
    assert answer.status_code == (409 if key == "reserve" else 400)
    assert answer.json()["errors"][0]["detail"] == said[answer.status_code]


# shares


def test_b18_what_a_body_has_lost_is_counted_alike_for_everybody():
    """Of any loss at least one in a hundred, on the GM's page as on a link's, and in its boxes on paper."""
    some = 0
    for seed in at_most(range(14, 22), full=range(150)):
        law, opening = random_fights.drawn(seed)
        rng, dice, state = Random(seed), Pinned(f"{seed:08x}"), law.open(opening)
        for _stretch in range(5):
            for command in random_fights.commands(law, state, rng):
                if state.phase.kind != "aftermath":
                    state = law.fold(state, law.decide(state, command, dice, OMNISCIENT))
            for seen in (law.seen(state, ANYBODY), law.seen(state, Viewer(armies=frozenset({opening.armies[0].id})))):
                theirs = _counted(seen)
                ours = {body: counted for body, counted in _counted(state).items() if body in theirs}
                assert ours == {body: theirs[body] for body in ours}
            some += sum(0 < 100 * body.losses < body.force for body in state.bodies.values())
            boxes = _boxes(law, state)
            assert boxes == {body: max(0, 100 - _counted(state)[body][0]) for body in boxes}
    assert some


def _counted(state: Any) -> dict[str, tuple[int, str]]:
    blocks = (block for army in state.armies for block in list_blocks(state, army, {}, orders=False))
    return {block.id: (block.took, str(block.chips[0].text) if block.chips else "") for block in blocks}


def _boxes(law: Any, state: Any) -> dict[str, int]:
    viewer = Viewer(gm=True, reads=frozenset(state.armies))
    papers = on_paper(state, law.summary(state), {}, viewer).values()
    parts = (part for paper in papers for part in (paper.parts or (paper,)))
    return {part.id: part.health for part in parts if part.id in state.bodies and _counted(state)[part.id][0] < 120}


# needs


def test_the_page_and_the_api_say_what_dice_of_a_round_need(river):
    gm, swords = river.gm, str(river.swords.pk)
    orders = {
        "type": "order",
        "army": swords,
        "bodies": {"contact": {"do": "attack", "target": f"{river.host.pk}:contact"}},
    }
    river.bridge.refresh_from_db()
    play_request(gm, river.bridge, orders)
    rows = send(river.as_(gm), river.bridge, type="resolve", dice_by="table", how="asked").context["sent"]
    river.bridge.refresh_from_db()
    told = api_of(gm).post(
        f"/api/v1/battles/{river.bridge.pk}/commands/", {"type": "resolve", "ask": True}, format="json",
        HTTP_IF_MATCH=f'"{river.bridge.version}"',
    ).json()  # fmt: skip
    assert [(ask["label"], ask["need"]) for ask in told["asks"]] == [(die.label, die.need) for die in rows.asked]
    assert all(" against " in ask["need"] for ask in told["asks"])
    assert told["follows"] == rows.follows != ""


def test_a_player_is_refused_before_any_die_is_asked_for(river):
    """B-18: what a die needs tells what an enemy defends with."""
    for who in (river.miv, river.dru):
        river.bridge.refresh_from_db()
        answer = api_of(who).post(
            f"/api/v1/battles/{river.bridge.pk}/commands/", {"type": "resolve", "ask": True}, format="json",
            HTTP_IF_MATCH=f'"{river.bridge.version}"',
        )  # fmt: skip
        assert (answer.status_code, "asks" in answer.json()) == (403, False)
