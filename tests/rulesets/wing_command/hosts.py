"""Two hosts of three wings at the table, the sample hosts of WC-10 with characters: an evening of wing command."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from armies.forces.services import appoint_commander, raise_army
from armies.models import Army
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from kingdom.campaign.services import create_campaign
from kingdom.realms.services import assign_player, found_kingdom
from rules.wing_command.wing import CROWN, HORDE, SampleWing
from tests.battles.conftest import Client
from tests.kingdom.conftest import FREELY, make_user, seat
from tests.rules.wing_command.fights import deployed

CHARACTERS: dict[tuple[str, int], list[dict[str, Any]]] = {
    ("Crown", 0): [{"name": "Mirel", "kind": "mage", "art": "fire", "level": 3}],
    ("Crown", 1): [{"name": "Kadrin", "kind": "champion"}],
    ("Horde", 0): [{"name": "Oshka", "kind": "mage", "art": "spirit", "level": 3}],
    ("Horde", 1): [{"name": "Brakk", "kind": "champion"}],
}
SPIES = ("Horde", 2)
"""The wing that has scouts besides."""


def hosts() -> SimpleNamespace:
    """A campaign with both hosts, ana running the crown's, bo the horde's."""
    gm = make_user("gm")
    campaign = create_campaign(by=gm, name="Marches", ruleset="wing-command", players_may=FREELY)
    table = SimpleNamespace(gm=gm, campaign=campaign, stranger=make_user("stranger"))
    for name, sample, player in (("Crown", CROWN, "ana"), ("Horde", HORDE, "bo")):
        kingdom = found_kingdom(by=gm, campaign=campaign, name=name, treasury=100)
        user = seat(gm, campaign, make_user(player), "player")
        assign_player(by=gm, kingdom=kingdom, player=user)
        armies = [_army(gm, kingdom, name, number, wing) for number, wing in enumerate(sample)]
        setattr(table, name.lower(), SimpleNamespace(kingdom=kingdom, armies=armies))
        setattr(table, player, user)
    table.viewer = seat(gm, campaign, make_user("viewer"), "viewer")
    return table


def _army(gm: Any, kingdom: Any, host: str, number: int, wing: SampleWing) -> Army:
    commander = appoint_commander(by=gm, kingdom=kingdom, name=f"Chief {host[0]}{number + 1}")
    commander.sheet = {"ability": wing.commander.ability}
    commander.save(update_fields=["sheet"])
    troops = [{"type": troop.type} for troop in wing.sheet.troops]
    if (host, number) == SPIES:
        troops.append({"type": "scouts", "name": "Night eyes"})
    sheet = {"troops": troops, "order": wing.sheet.order, "morale": wing.sheet.morale,
             "characters": CHARACTERS.get((host, number), [])}  # fmt: skip
    return raise_army(by=gm, kingdom=kingdom, name=str(wing.name), sheet=sheet, commander=commander)


def opened(table: SimpleNamespace, name: str = "The meadows") -> Battle:
    client = Client(table.gm)
    sides = [{"name": side, "armies": [str(army.pk) for army in getattr(table, side.lower()).armies]}
             for side in ("Crown", "Horde")]  # fmt: skip
    answer = client.api.post("/api/v1/battles/", {"campaign": str(table.campaign.pk), "name": name, "sides": sides})
    assert answer.status_code == 201, answer.content
    return Battle.objects.get(pk=answer.json()["id"])


def unit(battle: Battle, name: str) -> str:
    """The id of the first unit called so."""
    tokens = play_battle_state.load_state(battle).field.tokens.values()
    return next(token.id for token in tokens if str(token.name) == name)


def place_all(table: SimpleNamespace, battle: Battle) -> Client:
    """Each wing in a block of its zone, its commander with the first troop, other characters by themselves."""
    gm, taken = Client(table.gm, battle), set()
    state = play_battle_state.load_state(battle)
    places = {id_: token.at for id_, token in deployed(state).field.tokens.items()}
    for id_, at in places.items():
        alone = state.units[id_].character and not state.units[id_].commander
        if alone:
            at = _free(state, state.side_of(id_), {*places.values(), *taken})
            taken.add(at)
        gm.ok(type="place", unit=id_, at=at)
    return gm


def _free(state: Any, side: int, taken: set[str]) -> str:
    zone = state.field.ground.zone(side, 3)
    return sorted(at for at in zone if at not in taken and state.field.ground.terrain(at).on_foot)[-1]


def begun(table: SimpleNamespace) -> Battle:
    """The battle has begun, and the crown has the initiative."""
    battle = opened(table)
    gm = place_all(table, battle)
    gm.ok(type="start")
    dice = [{"army": str(side.armies[0].pk), "roll": "initiative", "values": [face]}
            for side, face in ((table.crown, 6), (table.horde, 1))]  # fmt: skip
    gm.ok(type="roll_initiative", dice=dice)
    return Battle.objects.get(pk=battle.pk)
