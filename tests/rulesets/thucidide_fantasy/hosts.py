"""Two hosts at the table, the samples of TF-8 with a hero each and a dragon: an evening of THUCIDIDE fantasy."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from armies.documents.commander_services import appoint_commander
from armies.forces.services import raise_army
from armies.models import Army
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from kingdom.campaign.services import create_campaign
from kingdom.realms.services import assign_player, found_kingdom
from rules.core.shapes import shape_of
from rules.thucidide_fantasy.contingent import DARK_HOST, REALM, ContingentSheet
from tests.battles.conftest import Client
from tests.kingdom.conftest import FREELY, make_user, seat

SIDES = ("Realm", "Dark host")
MORE = {
    "Realm": {"units": [], "characters": [{"name": "Sir Kadrin", "kind": "hero"}]},
    "Dark host": {
        "units": [{"type": "dragon", "name": "Vexar"}, {"type": "skeletons", "name": "Bones"}],
        "characters": [{"name": "Grash", "kind": "hero"}],
    },
}


def hosts() -> SimpleNamespace:
    """A campaign with both hosts, ana running the realm's, bo the dark host's."""
    gm = make_user("gm")
    campaign = create_campaign(by=gm, name="Marches", ruleset="thucidide-fantasy", players_may=FREELY)
    table = SimpleNamespace(gm=gm, campaign=campaign, stranger=make_user("stranger"))
    for name, sample, player in zip(SIDES, (REALM, DARK_HOST), ("ana", "bo"), strict=True):
        kingdom = found_kingdom(by=gm, campaign=campaign, name=name, treasury=100)
        user = seat(gm, campaign, make_user(player), "player")
        assign_player(by=gm, kingdom=kingdom, player=user)
        commander = appoint_commander(by=gm, kingdom=kingdom, name=f"Chief {name}")
        army = _army(gm, kingdom, name, commander, dict(shape_of(ContingentSheet).write(sample.sheet)))
        setattr(table, name.split()[0].lower(), SimpleNamespace(kingdom=kingdom, army=army))
        setattr(table, player, user)
    table.viewer = seat(gm, campaign, make_user("viewer"), "viewer")
    return table


def _army(gm: Any, kingdom: Any, name: str, commander: Any, sheet: dict[str, Any]) -> Army:
    more = MORE[name]
    sheet = {"units": [*sheet["units"], *more["units"]], "characters": [*sheet["characters"], *more["characters"]]}
    return raise_army(by=gm, kingdom=kingdom, name=f"Host of the {name}", sheet=sheet, commander=commander)


def opened(table: SimpleNamespace, name: str = "The meadows", **options: Any) -> Battle:
    client = Client(table.gm)
    sides = [{"name": side, "armies": [str(getattr(table, side.split()[0].lower()).army.pk)]} for side in SIDES]
    body = {"campaign": str(table.campaign.pk), "name": name, "sides": sides, **options}
    answer = client.api.post("/api/v1/battles/", body)
    assert answer.status_code == 201, answer.content
    return Battle.objects.get(pk=answer.json()["id"])


def state_of(battle: Battle) -> Any:
    return play_battle_state.load_state(Battle.objects.get(pk=battle.pk))


def unit(battle: Battle, name: str) -> str:
    """The id of the first unit called so."""
    tokens = play_battle_state.load_state(battle).field.tokens.values()
    return next(token.id for token in tokens if str(token.name) == name)


def lined_up(table: SimpleNamespace, battle: Battle) -> Client:
    gm = Client(table.gm, battle)
    gm.ok(type="line_up", armies=[str(table.realm.army.pk), str(table.dark.army.pk)])
    return gm


def lot(table: SimpleNamespace, first: int = 0) -> list[dict[str, Any]]:
    faces = (6, 1) if first == 0 else (1, 6)
    return [{"army": str(army.pk), "roll": "lot", "values": [face]}
            for army, face in zip((table.realm.army, table.dark.army), faces, strict=True)]  # fmt: skip


def begun(table: SimpleNamespace, **options: Any) -> Battle:
    """The battle has begun, and the realm has the lot."""
    battle = opened(table, **options)
    lined_up(table, battle).ok(type="start", dice=lot(table))
    return Battle.objects.get(pk=battle.pk)


def move(table: SimpleNamespace, battle: Battle, name: str, at: str) -> None:
    """The GM's hand puts somebody on a hex."""
    Client(table.gm, Battle.objects.get(pk=battle.pk)).ok(
        type="override", what=unit(battle, name), field="at", value=at, reason="for a test"
    )
