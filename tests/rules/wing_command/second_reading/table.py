"""Where both readings meet: a battle is drawn and played, and after every command both say what is the case."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from rules.adjustments import LastingAdjustment
from rules.core.dice import Roll
from rules.core.errors import Refusal
from rules.core.viewers import OMNISCIENT
from rules.hexbattle.field import Token
from rules.hexbattle.setup import ChangeMap, SetReady, Start
from rules.hexbattle.setup import Place as PutUnit
from rules.wing_command.battle.player import next_command
from rules.wing_command.battle.record import commands as c
from rules.wing_command.battle.record.entering import formed, identified, tokens_of, units_of
from rules.wing_command.battle.record.state import HostState, Unit, Wing
from rules.wing_command.spec import BattleOptions, WingSpec
from rules.wing_command.wing import WingCharacter, WingTroop
from tests.rules.hexes.second_reading import moves, situations
from tests.rules.hexes.second_reading.ground import Land, apart, name, place
from tests.rules.hexes.second_reading.sides import from_home
from tests.rules.wing_command.fights import LAW, SALT, army, opening, side_viewer
from tests.rules.wing_command.random_fights import any_command
from tests.rules.wing_command.second_reading import host, magic, referee, reserve
from tests.rules.wing_command.second_reading.host import Situation

TROOPS = ("levy", "foot", "heavy-foot", "archers", "riders", "beasts", "trolls", *["scouts", "griffins"] * 2)
PROFILES = ("regular", "irregular", "chaotic", "autonomous")
ARTS = ("fire", "spirit", "nature")
ORDERS = ("attack", "advance", "hold")
POSTURES = ("ground", "infiltrating", "close_flight", "high_flight")
CALLED = {
    c.RollInitiative: "roll_initiative", c.Distribute: "distribute", c.GiveOrder: "give_order",
    c.EndDistribution: "end_distribution", c.ChangeOrder: "change_order", c.TakeCommand: "take_command",
    c.Resign: "resign", c.ChooseSpell: "choose_spell", c.CastSpell: "cast", c.Aim: "aim", c.PassCommand: "pass",
    c.TakeWing: "take_wing", c.UnitAct: "act", c.RallyUnit: "rally", c.FightDuel: "duel", c.EndWing: "end_wing",
    c.ResolveRout: "resolve_rout", c.ReportBlow: "report", c.Reinforce: "reinforce", c.Override: "override",
    ChangeMap: "paint",
}  # fmt: skip


# What is drawn


def hosts(random: Random) -> tuple[WingSpec, ...]:
    """One to three wings a side, of anything."""
    return tuple(
        _wing(random, f"{'ab'[side]}{number}", side) for side in (0, 1) for number in range(random.choice((1, 2, 2, 3)))
    )


def _wing(random: Random, id_: str, side: int) -> WingSpec:
    troops = [
        WingTroop(
            random.choice(TROOPS), "", random.choice((0, 0, 1, 2)), random.choice((0, 0, 1)), random.random() < 0.25
        )
        for _ in range(random.randint(1, 4))
    ]  # fmt: skip
    shot = random.choice((0, 0, 3))
    magic_ = random.random() < 0.3
    return army(
        id_, side, *troops, characters=tuple(_character(random, f"{id_} {n}") for n in range(random.choice((0, 1, 2)))),
        order=random.choice(ORDERS), morale=random.randint(4, 12), ability=random.choice("ABCDE"),
        profile=random.choice(PROFILES), fly=random.random() < 0.25, infiltrate=random.random() < 0.25,
        melee=random.randint(0, 6), guard=random.randint(0, 6), shot=shot, range=4 if shot else 0,
        move=random.randint(2, 6), art=random.choice(ARTS) if magic_ else "", level=4 if magic_ else 0,
        pentacle=random.randint(0, 3), given=adjusted(random, id_),
    )  # fmt: skip


def adjusted(random: Random, id_: str) -> tuple[LastingAdjustment, ...]:
    """WC-11: what the GM has adjusted of an army; of a draw of its own, so that what was drawn before stays."""
    own = Random(f"adjusted {id_} {random.getstate()[1][0]}")
    figures = own.sample(("melee", "shot", "guard", "move", "morale"), own.choice((0, 0, 0, 1, 2)))
    return tuple(LastingAdjustment(figure, own.choice((-3, -1, 1, 2)), "so be it") for figure in figures)


def _character(random: Random, called: str) -> WingCharacter:
    kind = random.choice(("plain", "champion", "archer-captain", "mage", "mage"))
    own = WingCharacter(called, kind, random.choice("ABCDE"), random.choice(PROFILES))
    if kind == "mage":
        own = own._replace(art=random.choice(ARTS), level=random.randint(1, 6), pentacle=random.randint(0, 3))
    return own


def options(random: Random) -> BattleOptions:
    return BattleOptions(
        combat="gm" if random.random() < 0.1 else "table", orders_to_characters=random.random() < 0.8,
        turn_limit=random.choice((6, 8)), break_share=random.choice((50, 50, 50, 30, 100)),
        thresholds=random.choice(({}, {}, {"A": 9, "B": 10, "C": 11, "D": 4, "E": 3})),
        difficulties=random.choice(({}, {}, {"firebolt": 0, "courage": 0, "mire": 2, "fire-wall": 1}, {"ward": 0})),
        aptitude_bonus=random.choice((0, 0, -2, 3)),
    )  # fmt: skip


def drawn(seed: str) -> HostState:
    """A battle in its first turn, its units anywhere in their zones."""
    for attempt in range(40):
        random = Random(f"{seed} {attempt}")
        try:
            return _begun(random)
        except Refusal:
            continue
    raise AssertionError(seed)


def _begun(random: Random) -> HostState:
    map_ = situations.document(random)
    state = LAW.open(opening(*hosts(random), map_=map_, options=options(random)))
    for unit, token in state.field.tokens.items():
        zone = sorted(state.field.ground.zone(token.side, LAW.zone_rows))
        spots = random.sample(zone, len(zone))
        if token.character and random.random() < 0.6:
            spots = [other.at for other in state.field.of_side(token.side) if other.at] + spots
        own = state.units[unit].own
        wish = random.choice(("ground", *["infiltrating"] * own.infiltrate, *["close_flight", "high_flight"] * own.fly))
        state = _placed(state, unit, spots, wish)
    for side in (0, 1):
        state = _did(state, SetReady(side))
    return _did(state, Start())


def _placed(state: HostState, unit: str, spots: list[str], posture: str) -> HostState:
    for at in spots:
        try:
            put = _did(state, PutUnit(unit, at))
        except Refusal:
            continue
        try:
            return _did(put, c.SetPosture(unit, posture))
        except Refusal:
            return put
    return state


def _did(state: HostState, command: Any) -> HostState:
    return LAW.fold(state, LAW.decide(state, command, Dealt(Random("")), OMNISCIENT))


# Dice


class Dealt:
    """Dice for the engine; what fell is kept."""

    def __init__(self, random: Random):
        self.random = random
        self.fallen: list[tuple[str, str, int]] = []

    def roll(self, army: str, name: str, die: int) -> Roll:
        value = self.random.randint(1, die)
        self.fallen.append((army.rpartition(":")[2] and army, name, value))
        return Roll(army, name, die, value)

    def checkpoint(self) -> None: ...

    def finish(self) -> None: ...


class Told:
    """The same dice for the referee, who must ask for them by the same names in the same order (WC-11)."""

    def __init__(self, fallen: list[tuple[str, str, int]]):
        self.left = list(fallen)

    def one(self, name: str, who: str) -> int:
        assert self.left, f"a die too many: {name} of {who}"
        known_as, known_for, value = self.left.pop(0)
        assert (known_for, known_as) == (name, who), f"{name} of {who}, but {known_for} of {known_as} fell"
        return value

    def two(self, name: str, who: str) -> int:
        return self.one(name, who) + self.one(name, who)


# One situation, said by both


def translated(state: HostState) -> Situation:
    """What the referee is given at the start."""
    land: Any = Land(state.opening.map)
    land.known = object()
    units = {key: _unit(key, unit, state.token(key)) for key, unit in state.units.items()}
    wings = {key: _wing_said(wing, units) for key, wing in state.wings.items()}
    leaders = []
    for side in (0, 1):  # C-1
        own_leaders = [wing["leader"] for wing in wings.values() if wing["side"] == side]
        leaders.append(min(own_leaders, key=lambda key: units[key]["ability"]))
    told = state.options
    return {
        "land": land, "units": units, "wings": wings, "leaders": leaders, "turn": 1, "phase": "initiative", "first": 0,
        "side": 0, "wing": "", "passed": set(), "distribution": None, "aiming": None, "blow": None, "stumbled": None,
        "last": None, "fought": set(), "timers": [], "ended": None, "far": referee.far,
        "options": {
            "combat": told.combat, "orders_to_characters": told.orders_to_characters, "turn_limit": told.turn_limit,
            "break_share": told.break_share, "thresholds": dict(told.thresholds),
            "difficulties": dict(told.difficulties), "aptitude_bonus": told.aptitude_bonus,
        },
    }  # fmt: skip


def _unit(key: str, unit: Unit, token: Token) -> dict[str, Any]:
    own = unit.own
    return {
        "id": key, "side": token.side, "wing": unit.wing, "character": unit.character, "large": own.large,
        "move": own.move, "melee": own.melee, "shot": own.shot, "range": own.range, "guard": own.guard,
        "fly": own.fly, "infiltrate": own.infiltrate, "profile": own.profile, "ability": own.ability,
        "art": own.art, "level": own.level, "pentacle": own.pentacle, "at": place(token.at) if token.at else None,
        "gone": "", "posture": unit.posture, "morale": 0, "fatigue": 0, "special": False, "freed": False,
        "activated": False, "moved": False, "stirred": False, "acted": False, "tested": False, "charged": False,
        "spell": "",
    }  # fmt: skip


def _wing_said(wing: Wing, units: dict[str, Any]) -> dict[str, Any]:
    leader = next(key for key in wing.members if units[key]["character"])  # W-61: its commander is the first
    return {
        "id": wing.id, "side": wing.side, "members": list(wing.members), "order": wing.order, "morale": wing.morale,
        "leader": leader, "shaken": 0, "broken": False, "done": False,
        "troops": sum(not units[key]["character"] for key in wing.members),
    }  # fmt: skip


def _army_said(army: WingSpec) -> dict[str, Any]:
    """Reinforcements as a situation has them, all in the reserve."""
    tokens = {token.id: token for token in tokens_of(army, SALT)}
    units = [_unit(key, unit, tokens[key]) for key, unit in units_of(army, SALT).items()]
    return {"wing": _wing_said(formed(army, SALT), {unit["id"]: unit for unit in units}), "units": units}


FLAGS = ("morale", "fatigue", "posture", "special", "activated", "moved", "stirred", "acted", "tested", "charged",
         "spell", "freed", "wing")  # fmt: skip
LASTING = ("morale", "fatigue", "posture", "spell", "wing")


def engine_says(state: HostState) -> dict[str, Any]:
    said: dict[str, Any] = {}
    for key, unit in state.units.items():
        token = state.token(key)
        said[key] = {"at": "" if token.gone else token.at, "gone": token.gone}
        if not token.gone:
            said[key] |= {flag: getattr(unit, flag) for flag in (LASTING if state.field.ended else FLAGS)}
            said[key]["foes"] = sorted(foe for foe in unit.foes if not state.token(foe).gone)
    for key, wing in state.wings.items():
        said[key] = {
            "order": wing.order, "morale": wing.morale, "leader": wing.leader, "shaken": wing.shaken,
            "broken": wing.broken, "members": [unit for unit in wing.members if not state.token(unit).gone],
        }  # fmt: skip
    said["timers"] = sorted(
        (timer.effect, sorted(timer.on), timer.left)
        for timer in state.field.timers
    )  # fmt: skip
    said["winner"] = state.field.ended and {"winner": state.field.ended.winner}
    if state.field.ended:
        return said
    stumbled = state.going if state.going and not state.going.done else None
    said |= {
        "leaders": list(state.leaders), "turn": state.turn, "phase": state.phase, "wing": state.wing,
        "distribution": state.distribution and [state.distribution.character, state.distribution.points],
        "aiming": state.aiming and [state.aiming.character, state.aiming.spell],
        "blow": state.blow and [state.blow.attacker, state.blow.target, state.blow.how],
        "stumbled": stumbled and [stumbled.unit, stumbled.left],
    }  # fmt: skip
    if state.phase in ("command", "action"):
        said |= {"side": state.side, "first": state.first}
    return said


def referee_says(now: Situation) -> dict[str, Any]:
    said: dict[str, Any] = {}
    for key, unit in now["units"].items():
        said[key] = {"at": name(unit["at"]) if host.on_map(unit) else "", "gone": unit["gone"]}
        if not unit["gone"]:
            said[key] |= {flag: unit[flag] for flag in (LASTING if now["ended"] else FLAGS)}
            said[key]["foes"] = sorted(one for pair in now["fought"] if key in pair for one in pair if one != key)
    for key, wing in now["wings"].items():
        said[key] = {part: wing[part] for part in ("order", "morale", "leader", "shaken", "broken")}
        said[key]["members"] = [unit for unit in wing["members"] if not now["units"][unit]["gone"]]
    said["timers"] = sorted(
        (timer["effect"], [timer["unit"]] if timer["unit"] else sorted(map(name, timer["hexes"])), timer["left"])
        for timer in now["timers"]
    )
    said["winner"] = now["ended"]
    if now["ended"]:
        return said
    spent, aiming, blow, stumbled = (now[part] for part in ("distribution", "aiming", "blow", "stumbled"))
    said |= {
        "leaders": now["leaders"], "turn": now["turn"], "phase": now["phase"], "wing": now["wing"],
        "distribution": spent and [spent["character"], spent["points"]],
        "aiming": aiming and [aiming["character"], aiming["spell"]],
        "blow": blow and [blow["attacker"], blow["target"], blow["how"]],
        "stumbled": stumbled and [stumbled["unit"], stumbled["left"]],
    }  # fmt: skip
    if now["phase"] in ("command", "action"):
        said |= {"side": now["side"], "first": now["first"]}
    return said


def differences(one: dict[str, Any], other: dict[str, Any], at: str = "") -> Iterator[str]:
    for key in one.keys() | other.keys():
        mine, yours = one.get(key, "absent"), other.get(key, "absent")
        if isinstance(mine, dict) and isinstance(yours, dict):
            yield from differences(mine, yours, f"{at}{key}.")
        elif mine != yours:
            yield f"{at}{key}: engine {mine}, referee {yours}"


# One command, decided by both


class Disagreement(AssertionError):
    pass


def as_told(command: Any) -> tuple[str, dict[str, Any]]:
    fields = command._asdict()
    if isinstance(command, c.UnitAct) and command.attack:
        fields["attack"] = command.attack._asdict()
    if isinstance(command, c.Reinforce):
        fields["army"] = _army_said(command.army)
    return CALLED[type(command)], fields


class Decided(NamedTuple):
    state: HostState
    now: Situation
    accepted: bool
    events: tuple[str, ...] = ()


def both(state: HostState, now: Situation, command: Any, viewer: Any, random: Random) -> Decided:
    """Raises `Disagreement`."""
    dice = Dealt(random)
    refused = why = None
    events: Any = ()
    try:
        events = LAW.decide(state, command, dice, viewer)
    except Refusal as refusal:
        refused = refusal
    what, fields = as_told(command)
    told = Told(dice.fallen if refused is None else [])
    after = now
    try:
        after = referee.judged(now, told, what, fields)
    except host.Refused as refusal:
        why = refusal
    except AssertionError as wrong:
        if refused is None:
            raise Disagreement(f"DICE {wrong}\n{command}\n{events}") from wrong
    if refused is not None and why is None:
        raise Disagreement(f"REFUSED BY ENGINE {refused!r} {refused}\n{command}")
    if refused is None and why is not None:
        raise Disagreement(f"REFUSED BY REFEREE {why}\n{command}\n{events}")
    if refused is not None:
        return Decided(state, now, False)
    state = LAW.fold(state, events)
    found = sorted(differences(engine_says(state), referee_says(after)))
    if found or told.left:
        raise Disagreement("DIFFERENT " + "; ".join(found) + f" dice left {told.left}\n{command}\n{events}")
    return Decided(state, after, True, tuple(_tags(command, events, after)))


def _tags(command: Any, events: Any, now: Situation) -> Iterator[str]:
    """What happened, so that it can be counted how much of the law was played."""
    yield from (type(event).__name__ for event in events)
    if now["stumbled"]:
        yield "stumbled"
        if now["stumbled"]["effort"]:
            yield "stumbled in a second effort"
    for flag in ("effort", "exit", "stay", "posture", "charge"):
        if getattr(command, flag, None):
            yield flag


# Commands of every kind

PAINTED = ("open", "wood", "thicket", "lake", "road", "hill", "marsh", "mountain")


def by_hand(now: Situation, random: Random) -> Any:
    """What the GM does by hand."""
    units = host.everybody(now)
    unit, land = random.choice(units), now["land"]
    dice = random.random()
    if dice < 0.2:
        army_ = _wing(random, f"r{len(now['wings'])}", random.choice((0, 1)))
        return c.Reinforce(identified(army_, SALT), army_.side)
    if dice < 0.4:
        middle = random.choice(list(land.letters))
        hexes = [name(middle), *(name(at) for at in land.around(middle) if random.random() < 0.6)]
        return ChangeMap({"command": "paint", "hexes": hexes, "terrain": random.choice(PAINTED)}, "As told")
    if dice < 0.5:
        wing = random.choice(list(now["wings"].values()))
        leaders = ["", *(one["id"] for one in host.present(now, wing) if one["character"])]
        told: dict[str, Any] = {
            "morale": random.randint(4, 12), "shaken": random.randint(0, 3), "order": random.choice(ORDERS),
            "leader": random.choice(leaders),
        }  # fmt: skip
        field = random.choice(list(told))
        return c.Override(wing["id"], field, told[field], "As told")
    told = {
        "morale": random.choice((0, 1, 2, 2)), "fatigue": random.choice((0, 1, 2)), "special": random.random() < 0.6,
        "activated": random.random() < 0.6, "acted": True, "at": name(random.choice(land.around(unit["at"]))),
        "melee": random.randint(0, 6), "guard": random.randint(0, 6), "move": random.randint(1, 6),
        "profile": random.choice(PROFILES[:3]),
    }  # fmt: skip
    field = random.choice(list(told))
    return c.Override(unit["id"], field, told[field], "As told")


def wild(state: HostState, now: Situation, random: Random) -> Any:
    """A command that may be legal or not, drawn from what the referee's situation holds."""
    units = [unit for unit in now["units"].values() if host.on_map(unit)]
    own = [unit for unit in units if unit["side"] == now["side"]] or units
    anybody = random.choice(units)["id"]
    if now["blow"]:
        return c.ReportBlow(random.choice(("none", "recoil", "shaken", "routed", "destroyed", "attacker-recoils", "x")))
    if now["aiming"]:
        hexes = [name(at) for at in now["land"].letters]
        near = magic.targets(now, now["units"][now["aiming"]["character"]], now["aiming"]["spell"])
        return c.Aim(random.choice([anybody, random.choice(hexes), *near]))
    if random.random() < 0.03:
        return by_hand(now, random)
    if now["phase"] == "command":
        return _command(now, own, anybody, random)
    if now["phase"] == "action" and now["wing"]:
        return _action(now, units, random)
    if now["phase"] == "action":
        return c.TakeWing(random.choice(list(now["wings"])))
    return random.choice((c.RollInitiative(), c.ResolveRout(), c.EndWing(), c.EndDistribution()))


def _command(now: Situation, own: list[Any], anybody: str, random: Random) -> Any:
    routed = [unit["id"] for unit in own if unit["morale"] == 2 and not unit["special"]]
    if now["distribution"] and routed and random.random() < 0.5:
        return c.GiveOrder(random.choice(routed))
    if now["distribution"] and random.random() < 0.9:
        return random.choice((c.GiveOrder(random.choice(own)["id"]), c.GiveOrder(anybody), c.EndDistribution()))
    who = random.choice([unit for unit in own if unit["character"]] or own)
    who_id, art = who["id"], who["art"]
    spells = [slug for slug in magic.SPELLS if magic.SPELLS[slug][0] == art] or list(magic.SPELLS)
    kinds = [
        c.Distribute(who_id), c.Distribute(who_id), c.ChangeOrder(who_id, random.choice((*ORDERS, "retreat"))),
        c.TakeCommand(who_id, random.choice(list(now["wings"]))), c.Resign(who_id), c.GiveOrder(anybody),
        c.ChooseSpell(who_id, random.choice(spells)), c.ChooseSpell(who_id, random.choice(list(magic.SPELLS))),
        c.CastSpell(who_id), c.CastSpell(who_id), c.PassCommand(random.choice((0, 1))), c.EndDistribution(),
    ]  # fmt: skip
    return random.choice(kinds)


def _action(now: Situation, units: list[Any], random: Random) -> Any:
    wing = [unit for unit in host.present(now, now["wings"][now["wing"]]) if not unit["acted"]]
    unit = random.choice(wing or units)
    if now["stumbled"] and random.random() < 0.9:
        unit = now["units"][now["stumbled"]["unit"]]
    if random.random() < 0.03:
        unit = random.choice(units)
    enemies = [one for one in units if one["side"] != unit["side"]]
    dice = random.random()
    if dice < 0.06:
        return c.EndWing()
    if unit["at"] is None:
        return _enter(now, unit, enemies, random)
    rallying = [one["id"] for one in wing if one["morale"] == 2 and one["special"]]
    if rallying and dice < 0.5:
        return c.RallyUnit(random.choice(rallying))
    if (unit["morale"] == 2 and dice < 0.7) or dice < 0.08:
        return c.RallyUnit(unit["id"])
    if unit["character"] and enemies and dice < 0.4:
        return _duel(now, unit, enemies, random)
    return _act(now, unit, enemies, random)


def _duel(now: Situation, unit: Any, enemies: list[Any], random: Random) -> Any:
    near = [one for one in enemies if one["character"] and apart(one["at"], unit["at"]) <= 4] or enemies
    how = random.choice(("melee", "melee", "missile"))
    if how == "melee":
        near = [one for one in near if apart(one["at"], unit["at"]) == 1] or near
    return c.FightDuel(unit["id"], random.choice(near)["id"], how, random.choice((None, None, True, False)))


def _act(now: Situation, unit: Any, enemies: list[Any], random: Random) -> Any:
    posture = random.choice(POSTURES) if random.random() < 0.3 else ""
    effort = random.random() < 0.15
    points = host.moves_by(now, unit) + (2 if effort else 0) + (random.random() < 0.1)
    how = host.mover(now, unit, posture or unit["posture"], points)
    ends = list(moves.reach(now["land"], how, unit["at"]))
    end = random.choice(ends)
    if random.random() < 0.03:
        end = random.choice(list(now["land"].letters))
    attack = None
    if enemies and random.random() < 0.6:
        target = random.choice(enemies)
        kind = random.choice(("melee", "missile")) if unit["shot"] else "melee"
        touching = [at for at in ends if apart(at, target["at"]) == 1]
        if kind == "melee" and touching and random.random() < 0.8:
            end = random.choice(touching)
        attack = c.Strike(target["id"], kind)
    path, to = (), name(end) if end != unit["at"] or random.random() < 0.05 else ""
    if to and random.random() < 0.4:
        found = moves.route(now["land"], how, unit["at"], end)
        way = found[1][1:] if found else [end]
        if random.random() < 0.3:  # a way of its own
            way = [random.choice(now["land"].around(unit["at"]))]
            while len(way) < 3 and random.random() < 0.6:
                way.append(random.choice(now["land"].around(way[-1])))
        path, to = tuple(map(name, way)), ""
    mates = [one["id"] for one in host.with_him(now, unit) if one["character"]]
    stay = tuple(mate for mate in mates if random.random() < 0.2)
    return c.UnitAct(
        unit["id"], path, to, posture, effort, attack, random.choice((None, None, True, False)),
        random.choice((None, None, True, False)), stay, random.random() < (0.3 if _at_home(now, unit, end) else 0.02),
    )  # fmt: skip


def _enter(now: Situation, unit: Any, enemies: list[Any], random: Random) -> Any:
    """W-32: onto the map, by `to` or a path of its own."""
    posture = random.choice(POSTURES) if random.random() < 0.3 else ""
    effort = random.random() < 0.2
    points = host.moves_by(now, unit) + 2 * effort
    how = reserve.entering(now, unit, posture or unit["posture"], points)
    end = random.choice(list(moves.reach(now["land"], how, None)) or list(now["land"].letters))
    path, to = (), name(end)
    if random.random() < 0.4:
        hexes = [random.choice(sorted(how.entry))]
        while len(hexes) < 4 and random.random() < 0.6:
            hexes.append(random.choice(now["land"].around(hexes[-1])))
        path, to, end = tuple(map(name, hexes)), "", hexes[-1]
    near = [foe for foe in enemies if apart(foe["at"], end) <= max(1, unit["range"])]
    attack = c.Strike(random.choice(near)["id"], random.choice(("melee", "missile"))) if near else None
    return c.UnitAct(unit["id"], path, to, posture, effort, attack, random.choice((None, None, True, False)))


def _at_home(now: Situation, unit: Any, end: Any) -> bool:
    return from_home(now["land"], unit["side"], end) == 0


# A whole battle


class Played(NamedTuple):
    commands: int
    refused: int
    turns: int
    kinds: list[str]


def play(seed: str, most: int = 700, tries: int = 2) -> Played:
    """Raises `Disagreement` with the number of the command."""
    random = Random(f"play {seed}")
    state = drawn(seed)
    now = translated(state)
    boldness = random.choice((0.1, 0.5, 0.9))
    done = refused = 0
    kinds: list[str] = []
    try:
        found = sorted(differences(engine_says(state), referee_says(now)))
        if found:
            raise Disagreement("START " + "; ".join(found))
        while not state.field.ended and done < most:
            viewer = side_viewer(state, state.side)
            for _try in range(tries):
                command = wild(state, now, random)
                decided = both(state, now, command, _gm(command) or viewer, random)
                refused += not decided.accepted
                if decided.accepted and random.random() < boldness:
                    state, now = decided.state, decided.now
                    done += 1
                    kinds += [type(command).__name__, *decided.events]
                    break
            else:
                command = _sensible(state, random)
                decided = both(state, now, command, _gm(command) or viewer, random)
                if not decided.accepted:
                    raise Disagreement(f"REFUSED BY BOTH {command}")
                state, now = decided.state, decided.now
                done += 1
                kinds += [type(command).__name__, *decided.events]
    except Disagreement as wrong:
        raise Disagreement(f"seed {seed!r} command {done} turn {now['turn']}: {wrong}") from wrong
    return Played(done, refused, state.turn, kinds)


def _gm(command: Any) -> Any:
    return OMNISCIENT if isinstance(command, c.ReportBlow | c.Override | c.Reinforce | ChangeMap) else None


def _sensible(state: HostState, random: Random) -> Any:
    """What the engine offers, or its player does."""
    if state.blow is not None:
        return c.ReportBlow(random.choice(("none", "recoil", "shaken", "routed", "destroyed")))
    viewer = side_viewer(state, state.side)
    seen = LAW.seen(state, viewer)
    if random.random() < 0.3:
        return any_command(seen, viewer, random)
    return next_command(seen, viewer, random)
