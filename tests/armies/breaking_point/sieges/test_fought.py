"""An assault fought from the siege to its aftermath, which goes back into the siege (B-53, B-55)."""

from __future__ import annotations

import pytest

from armies.breaking_point.sieges.services import commands
from battles import folding
from battles.services.opening import open_battle
from battles.services.requests import obey_json
from kingdom.services.undoing import undo_last
from rules.errors import InvalidInput
from tests.armies.breaking_point.sieges.tables import again

pytestmark = pytest.mark.django_db


def opened(walls, kind: str = "assault"):
    sides = [{"name": "Horde", "armies": [str(walls.host.pk)]}, {"name": "Crown", "armies": [str(walls.guard.pk)]}]
    return open_battle(by=walls.gm, campaign=again(walls.campaign), name="The walls", sides=sides, kind=kind)


def command(walls, battle, **data):
    battle.refresh_from_db()
    return obey_json(by=walls.gm, battle_id=battle.pk, version=battle.version, data=data)


def test_an_assault_takes_place_and_losses_from_the_siege(walls, laid):
    commands.begin_assault(by=walls.bo, siege=laid)
    commands.end_siege_battle(
        by=walls.gm, siege=again(laid), outcome="goes-on", losses={f"{walls.guard.pk}:garrison": 120}
    )
    commands.begin_assault(by=walls.bo, siege=again(laid))
    state = folding.state_of(opened(walls))
    assert (state.opening.place.name, state.opening.defender) == ("Ker", 1)
    assert state.bodies[f"{walls.guard.pk}:garrison"].losses == 120
    assert "invested" in [mark.kind for mark in state.conditions]


def test_a_siege_that_waits_for_an_assault_fights_no_other_battle(walls, laid):
    commands.begin_assault(by=walls.bo, siege=laid)
    with pytest.raises(InvalidInput, match="waits for an assault"):
        opened(walls, "field")


def test_the_aftermath_goes_back_into_the_siege_and_leaves_the_armies_their_heads(walls, laid):
    commands.begin_assault(by=walls.bo, siege=laid)
    battle = opened(walls)
    command(walls, battle, type="next")
    sides = [{"army": f"side-{side}", "roll": "command", "values": [5]} for side in (0, 1)]
    command(walls, battle, type="resolve", dice=sides)
    garrison = f"{walls.guard.pk}:garrison"
    command(walls, battle, type="override", body=garrison, field="losses", value=333, reason="Fire in the stores")
    command(walls, battle, type="end", reason="Night falls")
    battle.refresh_from_db()
    shown = command(walls, battle, type="aftermath")
    assert [change.subject_kind for change in shown.changes] == ["siege"]
    command(walls, battle, type="aftermath", confirm=True)
    now = again(laid)
    assert (now.status, now.state["garrison"]["borne"]) == ("open", [333])
    assert again(walls.guard).health == 100
    undo_last(by=walls.gm, campaign=again(walls.campaign))
    assert again(laid).status == "assault"
