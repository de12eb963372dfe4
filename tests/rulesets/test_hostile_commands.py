"""Every command of both hex laws with what makes no sense, by API and page: refused in words, nothing is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from battles.models import Battle, BattleRecord
from battles.play import battle_state as play_battle_state
from tests.battles.conftest import Client
from tests.databases import tried
from tests.everyday import by_turns, everyday
from tests.rulesets.thucidide_fantasy import hosts as fantasy_hosts
from tests.rulesets.thucidide_fantasy.test_secrecy import conjured
from tests.rulesets.wing_command import hosts as wing_hosts
from tests.rulesets.wing_command.test_secrecy import wing
from tests.worlds import built_once


def fantasy(phases: int) -> SimpleNamespace:
    table = fantasy_hosts.hosts()
    battle, gm = conjured(table, "grove", lambda battle: [fantasy_hosts.unit(battle, "Light foot")])
    gm.ok(type="end_phase")
    hidden = fantasy_hosts.unit(battle, "Light foot")
    units = Client(table.ana, battle).read()["units"]
    own = {one["name"]: one["unit"] for one in units if one["side"] == 0}
    foes = {one["name"]: one["unit"] for one in units if one["side"] == 1}
    told = SimpleNamespace(
        unit=own["Pikes"],
        other=own["Bows 1"],
        character=own["Court mage"],
        leader=own["Chief Realm"],
        foe=foes["Ogres"],
        hidden=hidden,
        army=str(table.realm.army.pk),
        theirs=str(table.dark.army.pk),
        hex="H10",
    )
    ana = Client(table.ana, battle)
    if phases > 0:
        ana.ok(type="activate", leader=told.leader, units=[told.unit, told.other], characters=[told.character])
    for _phase in range(phases):
        ana.ok(type="end_phase")
    return SimpleNamespace(table=table, battle=Battle.objects.get(pk=battle.pk), at=told)


def wings(phase: str) -> SimpleNamespace:
    table = wing_hosts.hosts()
    battle = wing_hosts.begun(table)
    gm, ana = Client(table.gm, battle), Client(table.ana, battle)
    units = ana.read()["units"]
    own = {one["name"]: one["unit"] for one in reversed(units) if one["side"] == 0}
    foes = {one["name"]: one["unit"] for one in units if one["side"] == 1}
    hidden = wing_hosts.unit(battle, "Night eyes")
    assert hidden not in foes.values()
    told = SimpleNamespace(
        unit=own["Archers"],
        other=own["Foot 1"],
        character=own["Mirel"],
        leader=own["Chief C1"],
        foe=foes["Trolls"],
        hidden=hidden,
        army=wing(table, "crown", 0),
        theirs=wing(table, "horde", 0),
        hex="H10",
    )
    if phase == "distribution":
        ana.ok(type="distribute", character=told.leader)
    if phase == "action":
        ana.ok(type="choose_spell", character=told.character, spell="firebolt")
        for side in (0, 1):
            gm.ok(type="pass", side=side)
        ana.ok(type="take_wing", wing=told.army)
    return SimpleNamespace(table=table, battle=Battle.objects.get(pk=battle.pk), at=told)


BOTH: dict[str, dict[str, Any]] = {
    "place": {"unit": "$unit", "at": "$hex"},
    "ready": {"side": 0, "on": True},
    "start": {},
    "end": {"winner": 0, "reason": "Night"},
    "answer": {"key": "aim", "choice": "$foe", "answers": {"hex": "$hex"}},
    "paint": {"hexes": ["$hex"], "terrain": "wood", "reason": "x", "size": "1"},
    "raise": {"hexes": ["$hex"], "height": 1, "reason": "x"},
    "edge": {"between": ["H10", "H11"], "obstacle": "wall", "reason": "x"},
    "road": {"hexes": ["H10", "H11"], "there": True, "reason": "x"},
    "river": {"hexes": ["H10", "H11"], "there": True, "reason": "x"},
    "label": {"hex": "$hex", "text": "x", "reason": "x"},
    "zone": {"hexes": ["$hex"], "side": 0, "add": True, "reason": "x"},
    "home": {"side": 0, "edge": "west", "reason": "x"},
    "load_map": {"map": {}, "reason": "x"},
    "generate_map": {"columns": 16, "rows": 14, "kind": "mixed", "seed": 1, "river": "no", "symmetric": True},
    "resize": {"columns": 16, "rows": 14},
    "undo": {},
    "reinforce": {"army": "$theirs", "side": 0},
    "aftermath": {"confirm": False, "choices": {"a": "b"}, "reroll": False},
    "override": {"what": "$unit", "field": "at", "value": "$hex", "reason": "x"},
    "edit_unit": {"unit": "$unit", "fields": {"melee": 3}},
    "option": {"name": "turn_limit", "value": 9},
}
FANTASY: dict[str, dict[str, Any]] = BOTH | {
    "grant": {"unit": "$unit", "trait": "armour", "likes": ["ogres"], "object": "x"},
    "consent": {"side": 0, "on": True},
    "reveal": {"side": 0, "what": "list", "on": True},
    "seal": {"side": 0, "on": True},
    "victory": {"side": 0, "number": 3},
    "name_general": {"army": "$army"},
    "attach": {"character": "$character", "unit": "$unit"},
    "line_up": {"armies": ["$army"]},
    "choose_cards": {"caster": "$character", "spells": ["fear"]},
    "order": {"kind": "courier", "unit": "$unit", "leader": "$leader", "hexes": 1},
    "activate": {"leader": "$leader", "units": ["$unit"], "characters": ["$character"]},
    "end_phase": {},
    "move": {
        "unit": "$unit",
        "path": ["$hex"],
        "to": "$hex",
        "carry": {"unit": "$other", "down": "$hex"},
        "stay": ["$character"],
    },
    "announce": {"caster": "$character"},
    "attack": {"unit": "$unit", "target": "$foe"},
    "shoot": {"unit": "$other", "target": "$foe"},
    "pursue": {"unit": "$unit", "target": "$foe"},
    "flee": {"character": "$character", "hex": "$hex"},
    "cast": {"caster": "$character", "spell": "fear", "targets": ["$foe"]},
    "decline": {"caster": "$character"},
    "turn_attack": {"unit": "$unit", "target": "$foe"},
    "reroll": {"roll": "attack", "index": 0},
    "answer_god": {"stands": {"$unit": 1}, "places": {"$unit": "$hex"}, "unit": "$unit", "hex": "$hex"},
    "report": {"stands": 1, "flags": 1, "hexes": 1, "counters": 1},
    "divine": {"character": "$character"},
}
WINGS: dict[str, dict[str, Any]] = BOTH | {
    "name_army_leader": {"unit": "$leader"},
    "set_order": {"wing": "$army", "order": "hold"},
    "set_posture": {"unit": "$unit", "posture": "ground"},
    "line_up": {"wings": ["$army"]},
    "roll_initiative": {},
    "distribute": {"character": "$leader"},
    "give_order": {"unit": "$unit"},
    "end_distribution": {},
    "change_order": {"character": "$leader", "order": "hold"},
    "take_command": {"character": "$leader", "wing": "$army"},
    "resign": {"character": "$leader"},
    "choose_spell": {"character": "$character", "spell": "firebolt"},
    "cast": {"character": "$character"},
    "aim": {"target": "$foe"},
    "pass": {"side": 0},
    "take_wing": {"wing": "$army"},
    "act": {
        "unit": "$unit",
        "path": ["$hex"],
        "to": "$hex",
        "posture": "ground",
        "effort": False,
        "attack": {"target": "$foe", "how": "missile"},
        "charge": False,
        "follow": True,
        "stay": ["$character"],
        "exit": False,
    },
    "rally": {"unit": "$unit"},
    "duel": {"character": "$leader", "target": "$foe", "how": "melee", "charge": False},
    "end_wing": {},
    "resolve_rout": {},
    "report": {"result": "recoil"},
}


def filled(told: Any, at: SimpleNamespace) -> Any:
    if isinstance(told, str) and told.startswith("$"):
        return getattr(at, told[1:])
    if isinstance(told, dict):
        return {filled(name, at): filled(value, at) for name, value in told.items()}
    return [filled(one, at) for one in told] if isinstance(told, list) else told


def spots(body: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands in a body: members, items of lists, members of those."""
    inner = body.items() if isinstance(body, dict) else enumerate(body) if isinstance(body, list) else ()
    for name, value in inner:
        yield (*way, name)
        yield from spots(value, (*way, name))


def value_at(body: Any, way: tuple[Any, ...]) -> Any:
    for name in way:
        body = body[name]
    return body


def put(body: Any, way: tuple[Any, ...], value: Any) -> Any:
    if not way:
        return value
    copy = dict(body) if isinstance(body, dict) else list(body)
    copy[way[0]] = put(body[way[0]], way[1:], value)
    return copy


WRONG = (
    "nobody", "", "x" * 500, "Z99", "\0", 0, -1, 10**9, 2**70, 1.5, True, None, [], ["x"], ["x"] * 600, {},
    {"unit": "x"},
)  # fmt: skip
SCENES: Mapping[str, tuple[Callable[[], SimpleNamespace], dict[str, dict[str, Any]]]] = {
    "wings command": (lambda: wings("command"), WINGS),
    "armies activate": (lambda: fantasy(0), FANTASY),
    "wings act": (lambda: wings("action"), WINGS),
    "wings are ordered": (lambda: wings("distribution"), WINGS),
    "armies move": (lambda: fantasy(1), FANTASY),
    "armies fight": (lambda: fantasy(2), FANTASY),
    "armies cast": (lambda: fantasy(3), FANTASY),
}
REFUSED = (400, 403, 404, 409)


def unknown(id_: str) -> str:
    """An id of this army that nobody has."""
    return f"{id_.rpartition(':')[0]}:000000"


@pytest.fixture
def moment(request) -> str:
    return request.param


@built_once
def standing(db, moment) -> SimpleNamespace:
    """A battle where this is done now. The dark host, or the horde, has somebody its enemy doesn't see."""
    return SCENES[moment][0]()


@pytest.fixture
def scene(standing, moment) -> SimpleNamespace:
    battle, at = standing.battle, standing.at
    bodies = {kind: {"type": kind, **filled(told, at)} for kind, told in SCENES[moment][1].items()}
    ana, gm = (Client(who, battle) for who in (standing.table.ana, standing.table.gm))
    found = SimpleNamespace(battle=battle, at=at, bodies=bodies, ana=ana, gm=gm, table=standing.table)
    found.before = written(found)
    return found


def written(scene: SimpleNamespace) -> tuple[Any, ...]:
    rows = BattleRecord.objects.filter(battle=scene.battle).count()
    return rows, Battle.objects.values().get(pk=scene.battle.pk)


def sent(scene: SimpleNamespace, client: Client, body: Any) -> Any:
    """The answer to a command; what it does is undone. Refused it says why, and nothing was written."""
    with tried():
        answer = client.api.post(
            f"{client.url}commands/", body, headers={"If-Match": f'"{scene.battle.version}"'}
        )  # fmt: skip
        if answer.status_code == 200:
            play_battle_state._states.clear()
            return answer
        assert answer.status_code in REFUSED, (body, answer.status_code, answer.content)
        assert answer["Content-Type"] == "application/problem+json", body
        assert answer.json()["detail"].strip(), body
        assert written(scene) == scene.before, body
    return answer


def alike(answer: Any, id_: str) -> tuple[int, str]:
    return answer.status_code, answer.content.decode().replace(id_, "ID")


everyday_moments = pytest.mark.parametrize("moment", everyday(list(SCENES), first=2), indirect=True)
one_of_each = pytest.mark.parametrize("moment", list(SCENES)[:2], indirect=True)


@everyday_moments
def test_hx_10_5_of_whom_nobody_sees_is_said_what_is_said_of_nobody(scene):
    hidden, nobody = scene.at.hidden, unknown(scene.at.hidden)
    for kind, body in scene.bodies.items():
        ids = [way for way in spots(body) if isinstance(value_at(body, way), str) and way != ("type",)]
        for way in by_turns(kind, ids):
            of_the_hidden = alike(sent(scene, scene.ana, put(body, way, hidden)), hidden)
            of_nobody = alike(sent(scene, scene.ana, put(body, way, nobody)), nobody)
            if of_the_hidden[0] == of_nobody[0] == 200:
                continue  # it isn't asked for, and changes nothing
            assert of_the_hidden == of_nobody, (kind, way)


@everyday_moments
def test_what_makes_no_sense_is_refused_in_words_and_changes_nothing(scene, moment):
    """By the player whose turn it is, and by the GM. How a value is read doesn't hang on the phase."""
    at = scene.at
    values = WRONG if moment in list(SCENES)[:2] else ()
    others = [at.foe, at.theirs, at.army, at.character, at.unit, unknown(at.unit)]
    for kind, body in scene.bodies.items():
        ways = [*spots(body), ()]
        cases = [(way, wrong) for way in ways for wrong in (*values, *others)]
        for number, (way, wrong) in enumerate(by_turns(kind, cases)):
            sent(scene, (scene.ana, scene.gm)[(number + len(kind)) % 2], put(body, way, wrong))


@one_of_each
def test_a_command_sent_again_or_for_a_state_of_before_is_refused(scene):
    spell = {"type": "choose_spell", "character": scene.at.character, "spell": "firebolt"}
    again = spell if "choose_spell" in scene.bodies else {"type": "order", "kind": "reconnaissance"}
    version = scene.battle.version
    assert scene.ana.send(version, **again).status_code == 200
    scene.before = written(scene)
    for stale in (version, version - 1, version + 5):
        answer = scene.ana.send(stale, **again)
        assert answer.status_code == 412, answer.content
        assert answer.json()["detail"]
    assert scene.ana.send(**again).status_code == 409
    assert written(scene) == scene.before


@one_of_each
def test_a_key_that_stands_twice_is_refused(scene):
    url, version = f"{scene.ana.url}commands/", {"If-Match": f'"{scene.battle.version}"'}
    twice = f'{{"type": "place", "unit": "{scene.at.unit}", "unit": "{scene.at.other}", "at": "A1"}}'
    answer = scene.ana.api.generic("POST", url, twice, "application/json", headers=version)
    assert answer.status_code == 400
    assert "twice" in answer.json()["detail"]
    assert written(scene) == scene.before
