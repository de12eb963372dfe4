"""Every command of both hex laws with what makes no sense, by API and page: refused in words, nothing is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client as Browser

from battles.models import Battle, BattleRecord
from battles.play import battle_state as play_battle_state
from tests.battles.conftest import Client
from tests.databases import tried
from tests.everyday import by_turns, everyday, spread
from tests.rulesets.skirmish.test_secrecy import apart, plain
from tests.rulesets.thucidide_fantasy import hosts as fantasy_hosts
from tests.rulesets.thucidide_fantasy.test_secrecy import conjured
from tests.rulesets.wing_command import hosts as wing_hosts
from tests.worlds import built_once


def fantasy(phases: int) -> SimpleNamespace:
    """A unit of the dark host is in a grove; the realm goes on by so many phases of its turn."""
    table = fantasy_hosts.hosts()
    battle, gm = conjured(table, "grove", lambda battle: [fantasy_hosts.unit(battle, "Light foot")])
    gm.ok(type="end_phase")
    at = named(table.ana, battle, FANTASY_NAMES, hidden=fantasy_hosts.unit(battle, "Light foot"))
    ana = Client(table.ana, battle)
    if phases > 0:
        ana.ok(type="activate", leader=at.leader, units=[at.unit, at.other], characters=[at.character])
    for _phase in range(phases):
        ana.ok(type="end_phase")
    return SimpleNamespace(table=table, battle=Battle.objects.get(pk=battle.pk), at=at)


def fantasy_setup() -> SimpleNamespace:
    table = fantasy_hosts.hosts()
    battle = fantasy_hosts.opened(table)
    fantasy_hosts.lined_up(table, battle)
    at = named(table.ana, battle, FANTASY_NAMES)
    return SimpleNamespace(table=table, battle=Battle.objects.get(pk=battle.pk), at=at)


def wings(phase: str) -> SimpleNamespace:
    """The scouts of the horde lie hidden; the crown commands, distributes orders or acts."""
    table = wing_hosts.hosts()
    battle = wing_hosts.begun(table)
    at = named(table.ana, battle, WING_NAMES, hidden=wing_hosts.unit(battle, "Night eyes"))
    gm, ana = Client(table.gm, battle), Client(table.ana, battle)
    if phase == "distribution":
        ana.ok(type="distribute", character=at.leader)
    if phase == "action":
        ana.ok(type="choose_spell", character=at.character, spell="firebolt")
        for side in (0, 1):
            gm.ok(type="pass", side=side)
        ana.ok(type="take_wing", wing=at.army)
    return SimpleNamespace(table=table, battle=Battle.objects.get(pk=battle.pk), at=at)


def wings_setup() -> SimpleNamespace:
    table = wing_hosts.hosts()
    battle = wing_hosts.opened(table)
    wing_hosts.place_all(table, battle)
    at = named(table.ana, battle, WING_NAMES)
    return SimpleNamespace(table=table, battle=Battle.objects.get(pk=battle.pk), at=at)


FANTASY_NAMES = {"unit": "Pikes", "other": "Bows 1", "character": "Court mage", "leader": "Chief Realm", "foe": "Ogres"}
WING_NAMES = {"unit": "Archers", "other": "Foot 1", "character": "Mirel", "leader": "Chief C1", "foe": "Trolls"}


def named(ana: Any, battle: Battle, names: Mapping[str, str], hidden: str = "") -> SimpleNamespace:
    """Who stands for what in a body: ids of units by what their player calls them, armies, a hex."""
    read = Client(ana, battle).read()
    units = {(one["side"] == 1, one["name"]): one["unit"] for one in reversed(read["units"])}
    assert hidden not in units.values()
    ids = {part: units[part == "foe", name] for part, name in names.items()}
    armies = {part: ids[of].rpartition(":")[0] for part, of in (("army", "unit"), ("theirs", "foe"))}
    return SimpleNamespace(**ids, **armies, hidden=hidden, hex="H10")


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
    "wings command": (lambda: wings("command"), WINGS), "armies activate": (lambda: fantasy(0), FANTASY),
    "wings set up": (wings_setup, WINGS), "armies set up": (fantasy_setup, FANTASY),
    "wings act": (lambda: wings("action"), WINGS), "wings are ordered": (lambda: wings("distribution"), WINGS),
    "armies move": (lambda: fantasy(1), FANTASY), "armies fight": (lambda: fantasy(2), FANTASY),
    "armies cast": (lambda: fantasy(3), FANTASY),
}  # fmt: skip
EVERY_VALUE = ("wings command", "armies activate", "wings set up", "armies set up")
"""How a value is read doesn't hang on the phase: elsewhere ids alone are wrong."""
PLAYED = [moment for moment in SCENES if not moment.endswith("set up")]
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


SEVERAL = 5


def mixed(ways: Sequence[Any], values: Sequence[Any], first: int = 0) -> list[tuple[Any, Any]]:
    """Several values for each way, others for the next one: all of them have their turn."""
    turns = count(first)
    return [(way, values[next(turns) % len(values)]) for way in ways for _value in range(min(SEVERAL, len(values)))]


in_play = pytest.mark.parametrize("moment", everyday(PLAYED, first=2), indirect=True)
at_any_time = pytest.mark.parametrize("moment", everyday(list(SCENES), first=2), indirect=True)
one_of_each = pytest.mark.parametrize("moment", PLAYED[:2], indirect=True)


@in_play
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


@at_any_time
def test_what_makes_no_sense_is_refused_in_words_and_changes_nothing(scene, moment):
    """By the player whose turn it is, and by the GM."""
    at, values = scene.at, WRONG if moment in EVERY_VALUE else ()
    others = [at.foe, at.theirs, at.army, at.character, at.unit, unknown(at.unit)]
    for kind, body in scene.bodies.items():
        cases = mixed([*spots(body), ()], (*values, *others))
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


# The page

KINDS = (
    "chosen", "brush", "map", "undo", "reinforce", "answer", "end", "override", "option", "edit_unit", "line_up",
    "order", "together", "condition", "lift", "start", "nonsense", "", "resolve_rout", "roll_initiative", "set_order",
    "name_army_leader", "choose_cards", "grant", "consent", "reveal", "seal", "victory", "name_general", "divine",
)  # fmt: skip
FIELDS = (
    "unit", "to", "target", "pick", "what", "field", "value", "reason", "name", "side", "number", "army", "armies",
    "wing", "wings", "order", "trait", "likes", "object", "on", "character", "caster", "spells", "hexes", "text",
    "winner", "key", "choice", "index", "columns", "rows", "seed", "kind", "dice_by", "how", "die", "face", "need",
    "settled", "look-unit", "look-to", "look-target", "look-hex", "look-pick", "look-does", "look-terrain",
    "look-height", "look-size", "look-obstacle", "look-zone", "since", "rail", "do",
)  # fmt: skip
TYPED = ("nobody", "", "x" * 5000, "Z99", "A1", "0", "-1", str(10**30), "1.5", "\0", "[]", "é ü", "a:b:c", "%00", "<b>")
DENIED = (400, 403, 404, 412, 422)


def browser_of(user: Any) -> Browser:
    browser = Browser()
    browser.force_login(user)
    return browser


def posted(scene: SimpleNamespace, browser: Browser, told: Mapping[str, Any]) -> Any:
    """The answer to a form; what it does is undone. Refused it says why, and nothing was written."""
    sent = {"version": scene.battle.version, **told}
    with tried():
        answer = browser.post(f"/battles/{scene.battle.pk}/command/", sent, headers={"HX-Request": "true"})
        if answer.status_code in (200, 204, 302):
            play_battle_state._states.clear()
            return answer
        assert answer.status_code in DENIED, (told, answer.status_code)
        assert answer.content.strip(), told
        assert written(scene) == scene.before, told
    return answer


@at_any_time
def test_what_no_form_of_the_page_would_send_is_refused_and_changes_nothing(scene):
    """Each form with one value in every field, once and twice."""
    readers = [browser_of(who) for who in (scene.table.ana, scene.table.gm)]
    at = scene.at
    values = (*TYPED, at.unit, at.foe, at.theirs, unknown(at.unit), unknown(at.unit).rpartition(":")[2])
    for place, kind in enumerate(spread(KINDS, 10)):
        for number, (_kind, value) in enumerate(by_turns(kind, mixed([kind], values, place))):
            told = dict.fromkeys(FIELDS, value if (number + place) % 3 else [value, "A1"])
            posted(scene, readers[(number + place) % 2], {"type": kind, **told})


LOOKS = (
    "unit={id}", "unit={own}&target={id}", "unit={own}&to=H10&target={id}", "pick={id}", "unit={own}&pick={id}",
    "unit={own}&pick=order:courier:{id}", "unit={own}&pick=activate:{id}", "pick=take_wing:{id}", "find={id}",
    "hex={id}", "unit={id}&tables=1", "unit={id}&rail=log", "army={id}", "what={id}&do=override",
)  # fmt: skip


@in_play
def test_hx_10_5_the_page_shows_of_whom_nobody_sees_what_it_shows_of_nobody(scene):
    """By whole ids and by their ends, looked at and chosen."""
    browser, own = browser_of(scene.table.ana), scene.at.unit.rpartition(":")[2]
    hidden, nobody = scene.at.hidden, unknown(scene.at.hidden)
    ends = [(one, one.rpartition(":")[2]) for one in (hidden, nobody)]
    for look in spread(LOOKS, 5):
        for short in by_turns(look, (False, True)):
            pages = []
            for names in ends:
                id_ = names[short]
                answer = browser.get(f"/battles/{scene.battle.pk}/?{look.format(id=id_, own=own)}")
                told = {"type": "chosen", **parse(look.format(id=id_, own=own))}
                chosen = posted(scene, browser, told)
                words = "".join(plain(one.content.decode(), scene.battle) for one in (answer, chosen))
                for name in names:
                    words = words.replace(name, "ID").replace(quote(name, safe=""), "ID")
                pages.append((answer.status_code, chosen.status_code, words))
            assert pages[0][:2] == pages[1][:2], look
            assert pages[0] == pages[1], (look, apart(pages[0][2], pages[1][2]))


def parse(query: str) -> dict[str, str]:
    return dict(one.split("=", 1) for one in query.split("&"))
