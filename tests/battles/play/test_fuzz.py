"""Whatever JSON is sent: an answer or a problem document, never an exception, and state = fold of what is stored."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from battles.models import Battle
from battles.pathfinder.command_shapes import READERS
from battles.play import battle_state as play_battle_state
from battles.play.services import play
from rules.pathfinder.battle.orders.commands import Next, Resolve
from tests.battles.conftest import Client
from tests.everyday import at_most

SLUGS = ("standard", "withdraw", "reckless", "leave", "range", "army", "fog", "wind", "severe", "heroes", "hp", "mark",
         "+rage", "rage", "melee", "attack", "rout", "Crown", "x", "", "\0", "ranged", "~1")  # fmt: skip
MEMBERS = ("army", "tactic", "strategy", "target", "use", "withdraw", "let_go", "hold_the_line", "spawn", "kind",
           "condition", "value", "armies", "except", "parts", "lift", "field", "reason", "side", "winner", "confirm",
           "choices", "dice", "ask", "roll", "values", "ability", "resource", "option", "material")  # fmt: skip


def anything(ids: tuple[str, ...]) -> st.SearchStrategy[Any]:
    leaf = st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-5, 30),
        st.floats(allow_nan=False, allow_infinity=False),
        st.sampled_from((*ids, *SLUGS)),
    )
    member = st.one_of(st.sampled_from(MEMBERS), st.text(max_size=3))
    return st.recursive(
        leaf,
        lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(member, inner, max_size=4)),
        max_leaves=6,
    )


def test_no_command_breaks_the_server(table, battle):
    for version, command in ((1, Next()), (2, Resolve()), (3, Resolve())):
        play(by=table.gm, battle_id=battle.pk, version=version, command=command)
    gm, ids = Client(table.gm, battle), tuple(str(army.pk) for army in (table.watch, table.raiders, table.spare))

    @settings(max_examples=at_most(12, full=150), suppress_health_check=list(HealthCheck))
    @given(
        st.sampled_from([*READERS, "flee"]),
        st.dictionaries(st.sampled_from(MEMBERS), anything(ids), max_size=4),
    )
    def sent(kind: str, body: dict[str, Any]) -> None:
        response = gm.send(**{**body, "type": kind})
        assert response.status_code in (200, 400, 404, 409), response.content
        if response.status_code == 200:
            fresh = Battle.objects.get(pk=battle.pk)
            assert play_battle_state.refold(fresh) == play_battle_state.load_state(fresh)
            assert response.json()["version"] == fresh.version

    sent()


def test_no_opening_breaks_the_server(table):
    gm, ids = Client(table.gm), tuple(str(army.pk) for army in (table.watch, table.raiders, table.spare))
    named = ("sides", "conditions", "overcomes", "sees_invisible", "cannot_leave", "engines_shoot", "magical", "ambush")
    sides = [{"name": "A", "armies": [ids[0]]}, {"name": "B", "armies": [ids[1]]}]

    @settings(max_examples=at_most(10, full=100), suppress_health_check=list(HealthCheck))
    @given(st.dictionaries(st.sampled_from(named), anything(ids), max_size=3))
    def sent(body: dict[str, Any]) -> None:
        whole = {"campaign": str(table.campaign.pk), "name": "Fuzz", "sides": sides, **body}
        response = gm.api.post("/api/v1/battles/", whole)
        assert response.status_code in (201, 400, 404, 409), response.content
        Battle.objects.all().delete()

    sent()
