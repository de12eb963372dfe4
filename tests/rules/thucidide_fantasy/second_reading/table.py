"""Where both readings meet: a battle is drawn and played, and after every command both say what is the case."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from rules.adjustments import LastingAdjustment
from rules.core.dice import Roll
from rules.core.errors import Refusal
from rules.core.viewers import OMNISCIENT
from rules.hexbattle.setup import ChangeMap, SetReady, Start
from rules.hexbattle.setup import Place as PutUnit
from rules.thucidide_fantasy.battle.player import next_command
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.battle.record.state import FantasyState
from rules.thucidide_fantasy.battle.spells.appeals import usual_answer
from rules.thucidide_fantasy.contingent import ContingentCharacter, ContingentUnit, GivenTrait
from rules.thucidide_fantasy.grimoire import SPELLS
from rules.thucidide_fantasy.spec import BattleOptions, ContingentSpec
from rules.thucidide_fantasy.starter import TROOPS
from tests.rules.hexes.second_reading import situations
from tests.rules.hexes.second_reading.ground import BATTLE, Land, apart, name, place
from tests.rules.thucidide_fantasy.fights import LAW, army, opening, side_viewer
from tests.rules.thucidide_fantasy.random_fights import any_command
from tests.rules.thucidide_fantasy.second_reading import command as commanding
from tests.rules.thucidide_fantasy.second_reading import gods, host, magic, marching, referee, turning
from tests.rules.thucidide_fantasy.second_reading.host import Situation

CALLED = {
    c.GiveOrder: "order", c.ActivateUnits: "activate", c.EndPhase: "end_phase", c.MovePiece: "move",
    c.AnnounceSpell: "announce", c.OpenMelee: "attack", c.OpenShot: "shoot", c.PursueFoe: "pursue", c.FleeTo: "flee",
    c.CastSpell: "cast", c.DeclineSpell: "decline", c.TurnAttack: "turn_attack", c.RerollDie: "reroll",
    c.AnswerGod: "god", c.ReportThrow: "report", c.AppealByGm: "divine", c.Reinforce: "reinforce", PutUnit: "place",
    c.Override: "override", ChangeMap: "paint",
}  # fmt: skip
UNDEAD = ("skeletons", "zombies", "ghouls", "skeleton-riders")
LIVING = tuple(slug for slug in TROOPS if slug not in UNDEAD)
OWN_TRAITS = (
    "flyer", "armour", "great-armour", "blur", "rapid", "very-rapid", "fine-weapons", "hindrance", "unaffected", "bell",
    "invulnerable", "morale", "threat", "great-threat", "fire-proof",
)  # fmt: skip
TEMPERS = ("tenacious", "fanatic", "hesitant", "fleeing")
LIKED = ("warg-riders", "riders-medium", "giant-spider")
EASY = "........==bw^mt"


# What is drawn


def ground(random: Random) -> dict[str, Any]:
    columns, rows = random.choice(((9, 12), (12, 9), (10, 12)))
    letters = random.choice([EASY, EASY, EASY + "hA|", "".join(BATTLE)])
    hexes = [(column - row // 2, row) for row in range(rows) for column in range(columns)]
    told: dict[str, Any] = {
        "format": "warhost-hexmap", "version": 1, "name": "Drawn", "columns": columns, "rows": rows,
        "terrain": ["".join(random.choices(letters, k=columns)) for _ in range(rows)],
        "heights": {name(at): random.randint(0, 3) for at in random.sample(hexes, 8)},
        "edges": [
            {"between": pair, "obstacle": random.choice(["stream", "wall"])}
            for pair in situations.pairs(random, hexes, 14)
        ],
        "roads": [[name(at) for at in situations.line(random, hexes, random.randint(2, 8))] for _ in range(2)],
        "rivers": situations.pairs(random, hexes, 8),
        "homes": random.choice([[], ["south", "north"]] if rows == 12 else [["west", "east"]]),
    }  # fmt: skip
    return {key: value for key, value in told.items() if value}


def hosts(random: Random) -> tuple[ContingentSpec, ...]:
    return tuple(
        _host(random, f"{'ab'[side]}{number}", side, number)
        for side in (0, 1) for number in range(random.choice((1, 1, 2)))
    )  # fmt: skip


def _host(random: Random, id_: str, side: int, number: int) -> ContingentSpec:
    units = []
    for _unit in range(random.randint(2, random.choice((5, 5, 9)))):
        traits = random.sample(OWN_TRAITS, random.choice((0, 0, 0, 1, 2)))
        if random.random() < 0.2:
            traits.append(random.choice(TEMPERS))
        type_ = random.choice(UNDEAD if random.random() < 0.2 else LIVING)
        own = {one.trait for one in TROOPS[type_].traits}
        if type_ in UNDEAD or own & set(TEMPERS):
            traits = [one for one in traits if one not in TEMPERS]
        units.append(
            ContingentUnit(
                type_,
                f"{type_} {len(units)}",
                random.choice(("", "", "recruits", "elite", "guard")),
                random.choice((None, None, 2, 3)),
                traits=_borne(random, [one for one in traits if one not in own]),
            )
        )
    people = [
        ContingentCharacter(f"{id_} hero {n}", "hero", random.choice(("very-light", "light", "medium", "heavy")),
                            random.random() < 0.3, random.randint(1, 3), *random.choice(((0, 0), (2, 3), (1, 2))),
                            random.randint(1, 4), **_spells(random, 0.15),
                            traits=_borne(random, random.sample(OWN_TRAITS, random.choice((0, 0, 1)))))
        for n in range(random.choice((0, 1, 1, 2)))
    ]  # fmt: skip
    people += [
        ContingentCharacter(f"{id_} mage {n}", "caster", cards=tuple(random.choices(CARDS, k=8)), points=500)
        for n in range(random.choice((0, 1, 2)))
    ]
    people += [ContingentCharacter(f"{id_} sage", "useful", traits=("morale",))] * (random.random() < 0.2)
    rank = "general" if not number and random.random() < 0.9 else random.choice(("sub-general", "senior-officer"))
    level = random.choice(("poor", "normal", "great"))
    spells = _spells(random, 0.2)
    return army(id_, side, *units, people=people, rank=rank, level=level, adjustments=adjusted(random, id_), **spells)


def adjusted(random: Random, id_: str) -> tuple[LastingAdjustment, ...]:
    """TF-9: what the GM has adjusted of an army; of a draw of its own, so that what was drawn before stays."""
    own = Random(f"adjusted {id_} {random.getstate()[1][0]}")
    figures = own.sample(("dice", "move", "range"), own.choice((0, 0, 0, 1, 2)))
    return tuple(LastingAdjustment(figure, own.choice((-2, -1, 1, 2)), "so be it") for figure in figures)


def _borne(random: Random, traits: list[str]) -> tuple[GivenTrait, ...]:
    """T-22: half of those who hinder like some."""
    shy = random.random() < 0.5
    return tuple(GivenTrait(one, LIKED if shy and one == "hindrance" else ()) for one in traits)


def _spells(random: Random, share: float) -> dict[str, Any]:
    """Heroes and leaders who cast too (T-48, TF-6.1)."""
    return {"cards": tuple(random.choices(CARDS, k=4)), "points": 500} if random.random() < share else {}


CARDS = (*SPELLS, *("divine-appeal", "phantom-troop", "grove", "allied-nature") * 5, *("turn",) * 20)
BY_GM = (c.AppealByGm, c.Reinforce, c.ReportThrow, c.Override, ChangeMap)


def drawn(seed: str) -> FantasyState:
    for attempt in range(40):
        random = Random(f"{seed} {attempt}")
        try:
            return _begun(random)
        except Refusal:
            continue
    raise AssertionError(seed)


def _begun(random: Random) -> FantasyState:
    options = BattleOptions(
        turn_limit=random.choice((4, 6, 8)), hindrance=random.choice(("animals", "animals", "all")),
        flyers_beside=random.choice(("count", "count", "not")), victory_share=random.choice(("third", "half", "all")),
        combat="table" if random.random() < 0.1 else "engine", appeals=random.choice(("consent", "consent", "never")),
        supply=random.choice(("cards", "cards", "cards", "points")),
    )  # fmt: skip
    state = LAW.open(opening(*hosts(random), map_=ground(random), options=options))
    for piece in (*state.units, *state.people):
        token = state.token(piece)
        spots = sorted(state.field.ground.zone(token.side, LAW.zone_rows))
        random.shuffle(spots)
        if token.character and random.random() < 0.6:
            spots = [other.at for other in state.field.of_side(token.side) if other.at] + spots
        state = _placed(state, piece, spots)
    for side in (0, 1):
        state = _did(_did(state, c.SetConsent(side, random.random() < 0.8)), SetReady(side))
    state = _did(state, Start(), random)
    return _nearer(state, random)


def _nearer(state: FantasyState, random: Random) -> FantasyState:
    """Units, with whom is with them, stand anywhere on a part of the map."""
    field = state.field
    land = Land(state.opening.map)
    middle = random.choice(list(land.letters))
    spots = sorted(land.letters, key=lambda at: (apart(at, middle), at))[: 3 * len(state.units) + 10]
    random.shuffle(spots)
    for unit in state.units:
        token = field.tokens[unit]
        mates = [one.id for one in field.at(token.at)]
        while spots and random.random() < 0.9:
            at = spots.pop()
            if land.lies_as(at) != "impassable" and not field.at(name(at)):
                for one in mates:
                    field = field.put(one, at=name(at))
                break
    rich = random.random() < 0.5
    return state.but(field=field, counters=(14, 14) if rich else state.counters)


def _placed(state: FantasyState, piece: str, spots: list[str]) -> FantasyState:
    for at in spots:
        try:
            return _did(state, PutUnit(piece, at))
        except Refusal:
            continue
    return state


def _did(state: FantasyState, command: Any, random: Random | None = None) -> FantasyState:
    return LAW.fold(state, LAW.decide(state, command, Dealt(random or Random("")), OMNISCIENT))


# Dice


class Dealt:
    """Dice for the engine; what fell is kept."""

    def __init__(self, random: Random):
        self.random = random
        self.fallen: list[tuple[str, int]] = []

    def roll(self, army: str, name: str, die: int) -> Roll:
        value = self.random.randint(1, die)
        if name == "divine" and self.random.random() < 0.6:
            value = self.random.randint(5, 6)
        if name == "intervention" and self.random.random() < 0.6:
            value = self.random.choice((1, 5, 6))
        self.fallen.append((name, value))
        return Roll(army, name, die, value)

    def checkpoint(self) -> None: ...

    def finish(self) -> None: ...


class Told:
    """The same dice for the referee, who must ask for them by the same names in the same order (TF-9)."""

    def __init__(self, fallen: list[tuple[str, int]]):
        self.all = list(fallen)
        self.left = list(fallen)

    def again(self, earlier: list[tuple[str, int]]) -> None:
        """A combat begins anew: what fell before falls again."""
        self.all = [*earlier, *self.all]
        self.left = [*earlier, *self.left]

    def so_far(self) -> list[tuple[str, int]]:
        return self.all[: len(self.all) - len(self.left)]

    def one(self, label: str) -> int:
        assert self.left, f"a die too many: {label}"
        known_as, value = self.left.pop(0)
        assert known_as == label, f"{label}, but {known_as} fell"
        return value


# One situation, said by both


def translated(state: FantasyState) -> Situation:
    """What the referee is given at the start."""
    pieces: dict[str, Any] = {}
    for key in state.field.tokens:
        pieces[key] = piece_of(state, key)
    options = state.options
    now: Situation = {
        "raised": {place(label) for label in state.opening.map.get("heights", {})},
        "hills": {(c - r // 2, r) for r, row in enumerate(state.opening.map["terrain"])
                  for c, letter in enumerate(row) if letter == "^"},
        "land": land_of(state), "pieces": pieces, "turn": 1, "first": state.first, "waiting": None,
        "ended": None, "timers": [], "graves": [], "orphans": [], "bereaved": [], "fallen": [[], []], "used": [],
        "consents": list(state.consents), "rerolls": [], "omens": [],
        "generals": ["", ""], "counters": [0, 0], "options": {
            "turn_limit": options.turn_limit, "hindrance": options.hindrance, "flyers_beside": options.flyers_beside,
            "combat": options.combat, "appeals": options.appeals, "supply": options.supply,
        },
    }  # fmt: skip
    now["counted"] = [sum(one["side"] == side and not one["character"] for one in pieces.values()) for side in (0, 1)]
    share = {"third": 3, "half": 2, "all": 1}[options.victory_share]
    now["victory"] = [-(-now["counted"][1 - side] // share) for side in (0, 1)]
    for side in (0, 1):
        chiefs = [one["id"] for one in host.people_of(now, side) if one["rank"] == "general"]
        now["generals"][side] = chiefs[0] if chiefs else ""
    now["counters"] = list(state.counters) if 14 in state.counters else commanding.levels_at_start(now)
    commanding.begin_turn(now, state.first)
    return now


def piece_of(state: FantasyState, key: str) -> dict[str, Any]:
    token = state.token(key)
    character = key in state.people
    one: Any = (state.people if character else state.units)[key]
    own = one.own
    piece: dict[str, Any] = {
        "id": key, "side": token.side, "character": character, "at": place(token.at) if token.at else None,
        "gone": token.gone, "move": own.move, "calm": own.calm, "weight": own.weight, "melee": own.melee,
        "shot": own.shot, "range": own.range, "traits": {borne.trait for borne in own.traits}, "hero": False,
        "summoned": False, "master": "", "rank": "", "points": 0, "fire": False, "dice": 0, "temper": "",
        "fixed": False, "assault": own.melee, "cards": [], "purse": 0, "first_side": token.side, "army": token.army,
        "false": False, "turned": "", "phases": 0, "likes": {slug for borne in own.traits for slug in borne.likes},
        **host.FOR_A_TURN,
    }  # fmt: skip
    if character:
        piece |= {
            "hero": own.hero, "kind": own.kind, "rank": one.rank, "level": own.level, "stands": own.resistance,
            "points": own.points, "purse": one.points, "cards": list(one.cards),
            "start_stands": own.resistance, "mounted": own.mounted,
        }  # fmt: skip
    else:
        given = {one.figure: sum(more.amount for more in own.adjustments if more.figure == one.figure)
                 for one in own.adjustments}  # fmt: skip
        piece |= {
            "type": own.type, "kind": own.kind, "stands": own.stands, "start_stands": own.stands,
            "fixed": own.fixed, "assault": own.assault, "fire": own.fire, "dice": own.dice + given.get("dice", 0),
            "temper": own.temper,
            "given": given,
            "likes": {*piece["likes"], own.type}, "master": one.master, "armed": (own.assault, own.melee),
        }  # fmt: skip
    return piece


def land_of(state: FantasyState) -> Land:
    """HX-2.1, last column: a hill is open ground of its height."""
    land = Land(state.opening.map)
    for at, letter in list(land.letters.items()):
        if letter == "^":
            land.heights.setdefault(at, 1)
            land.letters[at] = "."
    return land


LONG = 1000  # no phase ends it
NAMED = ("flee", "pursue")
FLAGS = (
    "activated", "free", "fought", "pursued", "announced", "cast", "far", "carried", "stirred", "bonus", "woodsman",
)  # fmt: skip
HOW = {"crumbled": "vanished", "carried-home": "carried home"}


def engine_says(state: FantasyState) -> dict[str, Any]:
    said: dict[str, Any] = {}
    ended = state.field.ended
    for key in (*state.units, *state.people):
        token = state.token(key)
        said[key] = {"at": "" if token.gone else token.at, "gone": HOW.get(token.gone, token.gone)}
        one: Any = state.people[key] if key in state.people else state.units[key]
        if not token.gone:
            said[key]["stands"] = one.left if key in state.people else one.stands
            said[key]["master"] = one.master if key in state.units else ""
            said[key]["cards"] = [*sorted(one.cards), one.points] if key in state.people else [0]
            if token.side == state.side and not ended:
                flags = [flag for flag in FLAGS if not (state.fight and flag == "fought")]  # while it waits
                said[key] |= {flag: getattr(one.doing, flag) for flag in flags}
    said["fallen"] = [sorted(fallen) for fallen in state.fallen]
    graves = [one for one in state.field.graves if one.unit in state.units and one.unit not in state.used_graves]
    said["graves"] = sorted((one.at, one.unit) for one in graves)
    said["counters"] = list(state.counters)
    said["victory"] = list(state.victory)
    said["timers"] = sorted(
        (one.effect, sorted(one.on), *((0, 0) if one.left > LONG else (one.side, one.left)))
        for one in state.field.timers
        if one.on and not one.on[0].startswith("side:")
    )
    said["rerolls"] = sorted(one.side for one in state.rerolls)
    said["winner"] = ended and {"winner": ended.winner}
    if ended:
        return said
    fight = state.fight
    said |= {
        "side": state.side, "phase": state.phase, "turn": state.turn, "share": state.share, "allowed": state.allowed,
        "activations": [(one.leader, list(one.units)) for one in state.activations],
        "order": state.order.partition(":")[0],
        "waiting": fight and [fight.asks, fight.side, sorted(fight.options) if fight.asks in NAMED else []],
    }  # fmt: skip
    return said


def referee_says(now: Situation) -> dict[str, Any]:
    said: dict[str, Any] = {}
    for key, one in now["pieces"].items():
        said[key] = {"at": "" if one["gone"] or one["at"] is None else name(one["at"]), "gone": one["gone"]}
        if not one["gone"]:
            said[key]["stands"] = one["stands"]
            said[key]["master"] = one["master"]
            said[key]["cards"] = [*sorted(one["cards"]), one["purse"]]
            if one["side"] == now["side"] and not now["ended"]:
                said[key] |= {flag: one[flag] for flag in FLAGS if not (now["waiting"] and flag == "fought")}
    said["fallen"] = [sorted(set(fallen)) for fallen in now["fallen"]]
    said["graves"] = sorted((name(at), unit) for at, unit in now["graves"] if unit not in now["used"])
    said["counters"] = list(now["counters"])
    said["victory"] = list(now["victory"])
    said["timers"] = sorted(
        (one["effect"], sorted(map(_said, one["on"])), *((0, 0) if one["left"] > LONG else (one["side"], one["left"])))
        for one in now["timers"]
    )
    said["rerolls"] = sorted(one["side"] for one in now["rerolls"])
    said["winner"] = now["ended"]
    if now["ended"]:
        return said
    waiting = now["waiting"]
    said |= {
        **{part: now[part] for part in ("side", "phase", "turn", "share", "allowed", "activations", "order")},
        "waiting": waiting and [
            waiting["asks"], waiting["side"],
            sorted(one if isinstance(one, str) else name(one) for one in waiting["options"])
            if waiting["asks"] in NAMED else [],
        ],
    }  # fmt: skip
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


class Decided(NamedTuple):
    state: FantasyState
    now: Situation
    accepted: bool
    events: tuple[str, ...] = ()


def both(state: FantasyState, now: Situation, command: Any, viewer: Any, random: Random) -> Decided:
    """Raises `Disagreement`."""
    dice = Dealt(random)
    refused = why = None
    events: Any = ()
    try:
        events = LAW.decide(state, command, dice, viewer)
    except Refusal as refusal:
        refused = refusal
    told = Told(dice.fallen)
    after = now
    more: dict[str, Any] = {}
    if isinstance(command, c.Reinforce) and refused is None:
        joined = LAW.fold(state, events)
        more["pieces"] = {
            key: piece_of(joined, key) for key in (*joined.units, *joined.people) if key not in now["pieces"]
        }
    try:
        ids = [event.token.id for event in events if type(event).__name__ == "Summoned"] or [
            f"new {n}" for n in range(4)
        ]
        after = referee.judged(now, told, CALLED[type(command)], command._asdict() | more | {"ids": ids})
    except host.Refused as refusal:
        why = refusal
    except AssertionError as wrong:
        if refused is None:
            raise Disagreement(f"DICE {wrong}\n{command}\n{_lines(events)}") from wrong
    if refused is not None and why is None:
        raise Disagreement(f"REFUSED BY ENGINE {refused!r} {refused}\n{command}")
    if refused is None and why is not None:
        raise Disagreement(f"REFUSED BY REFEREE {why}\n{command}\n{_lines(events)}")
    if refused is not None:
        return Decided(state, now, False)
    state = LAW.fold(state, events)
    found = sorted(differences(engine_says(state), referee_says(after)), key=len)
    if found or told.left:
        told_ = "; ".join(found)[:400]
        raise Disagreement(f"DIFFERENT {told_} dice left {told.left}\n{command}\n{_lines(events)}")
    return Decided(state, after, True, tuple(type(event).__name__ for event in events))


def _lines(events: Any) -> str:
    return "\n".join(f"  {event}"[:400] for event in events if type(event).__name__ != "Silence")


# Commands that may be legal or not


def wild(now: Situation, random: Random) -> Any:
    own = [one for one in host.everybody(now) if one["side"] == now["side"]]
    anybody = list(now["pieces"].values())
    if random.random() < 0.05 or not own:
        own = anybody
    if now["waiting"]:
        return answer(now, random)
    if random.random() < 0.01:
        return _by_gm(now, random)
    if random.random() < BY_HAND:
        return _by_hand(now, random)
    waiting = [one for one in own if one["at"] is None and not one["gone"]]
    if waiting and now["phase"] == "command" and random.random() < 0.5:
        line = [at for at in now["land"].letters if host.base_line(now, now["side"], at)]
        spots = line if random.random() < 0.9 else list(now["land"].letters)
        return PutUnit(random.choice(waiting)["id"], name(random.choice(spots)))
    dice = random.random()
    if dice < 0.06:
        return c.EndPhase()
    match now["phase"]:
        case "command":
            return _order(now, own, random) if dice < 0.35 else _activation(now, own, random)
        case "movement":
            return _move(now, own, random)
        case "combat":
            return _fight(now, own, anybody, random)
    turned = [one for one in own if one["turned"]]
    if turned and random.random() < 0.5:
        return _turn_attack(now, turned, random)
    casters = [one for one in own if one["announced"]] or own
    caster = random.choice(casters)
    if dice < 0.15 or not magic.known(now, caster):
        return c.DeclineSpell(caster["id"])
    return _cast(now, caster, random)


def answer(now: Situation, random: Random) -> Any:
    waiting = now["waiting"]
    if waiting["asks"] == "flee":
        to = random.choice(waiting["options"] if random.random() < 0.9 else list(now["land"].letters))
        return c.FleeTo(waiting["who"], name(to))
    if waiting["asks"] == "reroll":
        return c.RerollDie(waiting["who"], random.choice([*waiting["options"], *waiting["options"], 17]))
    if waiting["asks"] == "report":
        return _report(waiting["options"][0], random)
    if waiting["asks"] == "god":
        return _to_god(now, waiting, random)
    wanted = random.choice([None, *waiting["options"], *waiting["options"]])
    if random.random() < 0.1:
        wanted = random.choice(list(now["pieces"]))
    return c.PursueFoe(waiting["who"], wanted)


def _report(most: int, random: Random) -> Any:
    if random.random() < 0.05:
        return c.ReportThrow(most + 1, 0, 0, 0)
    hexes = random.choice((0, 0, 1, 2, 4 * (most + 1)))
    return c.ReportThrow(random.randint(0, most), random.randint(0, most), hexes, random.randint(0, most))


def _to_god(now: Situation, waiting: Any, random: Random) -> Any:
    """An answer to a god, right or wrong; the referee forgets which of them was asked."""
    asked = [one for one in now["pieces"].values() if not one["character"]]
    caster = now["pieces"][waiting["who"]]
    near = [at for at in now["land"].letters if apart(at, caster["at"]) <= 3]
    if waiting["options"] == ["stands"]:
        short = gods.short_of(now, waiting["side"]) if random.random() < 0.95 else asked
        chosen = random.sample(short, min(len(short), random.randint(0, 4)))
        stands = {}
        for one in chosen:
            stands[one["id"]] = random.randint(1, max(1, min(5, one["start_stands"] - one["stands"])))
        places = {one["id"]: name(random.choice(near)) for one in chosen if one["gone"]}
        return c.AnswerGod(stands, places)
    side, there = waiting["side"], waiting["options"] == ["servant"]
    fit = gods.models(now, side, there) if random.random() < 0.95 else asked
    return c.AnswerGod(unit=random.choice(fit or asked)["id"], hex=name(random.choice(near)))


def _by_gm(now: Situation, random: Random) -> Any:
    people = [one["id"] for one in now["pieces"].values() if one["character"]]
    if people and random.random() < 0.7:
        return c.AppealByGm(random.choice(people))
    side, number = random.randrange(2), len(now["pieces"])
    return c.Reinforce(_host(random, f"{'ab'[side]}x{number}", side, 1), side)


BY_HAND = 0.05
PAINTED = ("open", "wood", "houses", "lake", "road", "bridge", "hill", "marsh", "mountain", "river")


def _by_hand(now: Situation, random: Random) -> Any:
    """What the GM may set (TF-9), or paint (HX-9.4)."""
    if random.random() < 0.15:
        middle = random.choice(list(now["land"].letters))
        hexes = [name(middle), *(name(at) for at in now["land"].around(middle) if random.random() < 0.6)]
        return ChangeMap({"command": "paint", "hexes": hexes, "terrain": random.choice(PAINTED)}, "so be it")
    piece = random.choice(host.everybody(now))
    what, field, value = random.choice((_figure, _figure, _mark, _effect, _effect, _trait, _place))(now, piece, random)
    if random.random() < 0.1:
        what, field, value = str(random.randrange(2)), "counters", random.randint(0, 12)
    return c.Override(what, field, value, "so be it")


def _figure(now: Situation, piece: Any, random: Random) -> tuple[str, str, Any]:
    if piece["character"] and not piece["hero"]:
        return piece["id"], "move", random.randint(1, 4)
    if random.random() < 0.25:
        return piece["id"], "left" if piece["character"] else "stands", random.randint(1, piece["start_stands"])
    shot = ("shot", "range") if piece["shot"] else ()
    own = () if piece["character"] else ("assault", "dice")
    field = random.choice(("weight", "move", "calm", "melee", *own, *shot))
    low, high = {"weight": (1, 7), "dice": (-2, 4), "range": (1, 6)}.get(field, (0, 6))
    value = piece[field] if random.random() < 0.1 and field != "dice" else random.randint(low, high)
    return piece["id"], field, value


def _mark(now: Situation, piece: Any, random: Random) -> tuple[str, str, Any]:
    if piece["side"] != now["side"]:  # its marks are of its own turns
        return _figure(now, piece, random)
    return piece["id"], random.choice(("activated", "fought")), random.random() < 0.5


def _trait(now: Situation, piece: Any, random: Random) -> tuple[str, str, Any]:
    fit = set(OWN_TRAITS) - {"flyer"}
    known, missing = sorted(piece["traits"] & fit), sorted(fit - piece["traits"])
    if piece["character"] or (known and random.random() < 0.5):
        return (piece["id"], "trait", f"-{random.choice(known)}") if known else _figure(now, piece, random)
    return piece["id"], "trait", f"+{random.choice(missing)}"


def _place(now: Situation, piece: Any, random: Random) -> tuple[str, str, Any]:
    free = [at for at in now["land"].letters if not host.here(now, at) and marching.may_stand(now, piece, at)]
    return piece["id"], "at", name(random.choice(free))


def _effect(now: Situation, piece: Any, random: Random) -> tuple[str, str, Any]:
    running = [
        (_said(on), one["effect"]) for one in now["timers"] for on in one["on"] if one["effect"] in magic.LASTING
    ]
    if running and random.random() < 0.4:
        on, slug = random.choice(running)
        return on, f"effect:{slug}", random.choice((0, 0, 1, 2, 3))
    wanted = ("hex",) if random.random() < 0.25 else ("friend", "enemy")
    known = [slug for slug, (on, _ends) in magic.LASTING.items() if on in wanted and slug != "repulsion"]
    if piece["character"] and wanted != ("hex",):
        known = ["rebound", "volley"]  # TF-6.3: those of characters too
    what = name(random.choice(list(now["land"].letters))) if wanted == ("hex",) else piece["id"]
    return what, f"effect:{random.choice(known)}", random.choice((1, 1, 2, 3))


def _turn_attack(now: Situation, turned: list[Any], random: Random) -> Any:
    unit = random.choice(turned)
    preys = turning.preys(now, unit) if host.on_table(unit) and not unit["fought"] else []
    prey = random.choice(preys or list(now["pieces"].values()))
    return c.TurnAttack(unit["id"], prey["id"])


def _order(now: Situation, own: list[Any], random: Random) -> Any:
    people = [one for one in own if one["rank"]] or own
    return c.GiveOrder(
        random.choice(list(commanding.COSTS)), random.choice(own)["id"], random.choice(people)["id"],
        random.choice((1, 1, 2)),
    )  # fmt: skip


def _activation(now: Situation, own: list[Any], random: Random) -> Any:
    units = [one["id"] for one in own if not one["character"]]
    people = [one["id"] for one in own if one["character"]]
    chiefs = [one["id"] for one in own if one["rank"]] or people
    leader = random.choice([None, *chiefs, *chiefs, *chiefs]) if chiefs else None
    most = 1 if leader is None else random.choice((1, 2, 3, 3, 4))
    chosen = random.sample(units, min(len(units), most if random.random() < 0.9 else 0))
    return c.ActivateUnits(
        leader, tuple(chosen), tuple(random.sample(people, min(len(people), random.choice((0, 0, 1, 2, 3)))))
    )


def _move(now: Situation, own: list[Any], random: Random) -> Any:
    ready = [one for one in own if one["activated"] and not one["moved"] and host.on_table(one)] or own
    piece = random.choice(ready)
    casters = [one for one in own if one["points"] and not one["announced"] and not one["stirred"]]
    if casters and random.random() < 0.4:
        return c.AnnounceSpell(random.choice(casters)["id"])
    if not host.on_table(piece):
        return c.MovePiece(piece["id"], to="A1")
    if piece["points"] and random.random() < 0.4:
        return c.AnnounceSpell(piece["id"])
    ends = marching.ends_for(now, piece) or [piece["at"]]
    end = random.choice(ends if random.random() < 0.95 else list(now["land"].letters))
    foes = [one for one in host.everybody(now) if one["side"] != piece["side"]]
    near = [at for at in ends if any(apart(at, one["at"]) == 1 for one in foes)]
    if near and random.random() < 0.5:
        end = random.choice(near)
    path: tuple[str, ...] = ()
    to = name(end)
    if random.random() < 0.2 or piece["woodsman"]:
        way = [random.choice(now["land"].around(piece["at"]))]
        while len(way) < 4 and random.random() < 0.6:
            way.append(random.choice(now["land"].around(way[-1])))
        path, to = tuple(map(name, way)), ""
    mates = [one["id"] for one in host.people_at(now, piece["at"])] if not piece["character"] else []
    stay = tuple(one for one in mates if random.random() < 0.15)
    return c.MovePiece(piece["id"], path, to, _load(now, piece, end, random), stay)


def _load(now: Situation, piece: Any, end: Any, random: Random) -> Any:
    foot = [one["id"] for one in host.everybody(now) if apart(one["at"], piece["at"]) == 1 and not one["character"]]
    if not foot or random.random() < (0.3 if marching.flying(now, piece) else 0.98):
        return None
    return c.CarryLoad(random.choice(foot), name(random.choice(now["land"].around(end))))


def _fight(now: Situation, own: list[Any], anybody: list[Any], random: Random) -> Any:
    ready = [one for one in own if one["activated"] and not one["fought"] and host.on_table(one)] or own
    piece = random.choice(ready)
    foes = [one for one in host.everybody(now) if one["side"] != piece["side"]] or anybody
    if host.on_table(piece) and random.random() < 0.9:
        foes = [one for one in foes if host.on_table(one) and apart(one["at"], piece["at"]) <= 3] or foes
    kind = random.choice((c.OpenMelee, c.OpenMelee, c.OpenShot))
    return kind(piece["id"], random.choice(foes)["id"])


def _said(on: Any) -> str:
    return on if isinstance(on, str) else name(on)


def _cast(now: Situation, caster: Any, random: Random) -> Any:
    by_points = now["options"]["supply"] == "points"
    known = sorted(magic.known(now, caster)) if by_points else caster["cards"]
    spell = random.choice(known if known and random.random() < 0.95 else sorted(magic.READ))
    at = caster["at"] or (0, 0)
    hexes = [one for one in now["land"].letters if apart(one, at) <= 3] or list(now["land"].letters)
    pieces = [one for one in host.everybody(now) if apart(one["at"], at) <= random.choice((3, 3, 5))]
    units = [one["id"] for one in pieces if not one["character"]] or list(now["pieces"])
    dead = [one["id"] for one in pieces if host.undead(one) and one["side"] != caster["side"]]
    if dead and "turn" in known:
        spell = "turn"  # seldom possible
    if spell == "army-of-the-dead":
        chain = [random.choice(hexes)]
        while len(chain) < 4:
            chain.append(random.choice(now["land"].around(chain[-1])))
        return c.CastSpell(caster["id"], spell, tuple(map(name, chain)))
    if spell == "animate-dead":
        grave = random.choice(now["graves"] or [(at, units[0])])
        return c.CastSpell(caster["id"], spell, (name(grave[0]), grave[1]))
    if spell == "counterspell":
        running = [(_said(on), one["effect"]) for one in now["timers"] for on in one["on"]]
        return c.CastSpell(caster["id"], spell, random.choice(running or [(units[0], "armour")]))
    if spell == "divine-appeal":
        return c.CastSpell(caster["id"], spell)
    if spell == "phantom-troop":
        kinds = sorted(magic.types_of(now, caster)) if random.random() < 0.95 else list(TROOPS)
        return c.CastSpell(caster["id"], spell, (name(random.choice(hexes)), random.choice(kinds or list(TROOPS))))
    if spell == "allied-nature":
        return c.CastSpell(caster["id"], spell, tuple(map(name, _element(now, hexes, random))))
    if spell == "turn":
        foes = [one["id"] for one in host.everybody(now) if one["side"] != caster["side"]] or units
        prey = (random.choice(foes),) if random.random() < 0.4 else ()
        return c.CastSpell(caster["id"], spell, (random.choice(dead or units), *prey))
    wants_hex = spell in ("shackles", "darkness", "dust-warriors") or (
        spell in ("rain-of-fire", "fire-storm") and random.random() < 0.4
    )
    if wants_hex:
        return c.CastSpell(caster["id"], spell, (name(random.choice(hexes)),))
    friendly = magic.LASTING.get(spell, ("",))[0] == "friend" or spell in magic.HEALING
    fit = [one for one in units if (now["pieces"][one]["side"] == caster["side"]) == friendly] or units
    if spell == "word-of-power" and random.random() < 0.3:
        fit = [one["id"] for one in pieces] or fit
    return c.CastSpell(caster["id"], spell, (random.choice(fit if random.random() < 0.9 else units),))


def _element(now: Situation, hexes: list[Any], random: Random) -> list[Any]:
    land = now["land"]
    lie = [at for at in hexes if land.letters[at] in magic.ELEMENTS] or hexes
    found = [random.choice(lie)]
    for _more in range(random.choice((0, 1, 2, 4, 6, 7))):
        around = [at for one in found for at in land.around(one) if land.letters[at] == land.letters[one]]
        fresh = [at for at in around if at not in found]
        if fresh:
            found.append(random.choice(fresh))
    if random.random() < 0.05:
        found.append(random.choice(list(land.letters)))
    return found


# A whole battle


class Played(NamedTuple):
    commands: int
    refused: int
    turns: int
    kinds: list[str]


def play(seed: str, most: int = 500, tries: int = 3) -> Played:
    """Raises `Disagreement` with the number of the command."""
    random = Random(f"play {seed}")
    state = drawn(seed)
    now = translated(state)
    boldness = random.choice((0.3, 0.7, 0.9))
    done = refused = 0
    kinds: list[str] = []
    try:
        found = sorted(differences(engine_says(state), referee_says(now)))
        if found:
            raise Disagreement("START " + "; ".join(found))
        while not state.field.ended and done < most:
            decided = None
            for _try in range(tries):
                command = wild(now, random)
                decided = both(state, now, command, _whose(state, command), random)
                refused += not decided.accepted
                if decided.accepted and random.random() < boldness:
                    break
                decided = None
            if decided is None:
                command = _sensible(state, now, random)
                decided = both(state, now, command, _whose(state, command), random)
                if not decided.accepted:
                    raise Disagreement(f"REFUSED BY BOTH {command}")
            state, now = decided.state, decided.now
            done += 1
            kinds += [type(command).__name__, *decided.events]
    except Disagreement as wrong:
        raise Disagreement(f"seed {seed!r} command {done} turn {now['turn']}: {wrong}") from wrong
    return Played(done, refused, state.turn, kinds)


def _whose(state: FantasyState, command: Any = None) -> Any:
    if isinstance(command, BY_GM) or (state.fight and state.fight.side < 0):
        return OMNISCIENT
    side = state.fight.side if state.fight and state.fight.side >= 0 else state.side
    return side_viewer(state, side)


def _sensible(state: FantasyState, now: Situation, random: Random) -> Any:
    """What the engine offers, or its player does."""
    while now["waiting"]:
        command = answer(now, random)
        given = now["waiting"]["options"]
        if isinstance(command, c.ReportThrow) and command.stands <= given[0]:
            return command
        if isinstance(command, c.RerollDie) and command.die in given:
            return command
        if isinstance(command, c.AnswerGod):
            return usual_answer(LAW.seen(state, _whose(state)))
        if isinstance(command, c.FleeTo) and place(command.hex) in given:
            return command
        if isinstance(command, c.PursueFoe) and command.target in (None, *given):
            return command
    viewer = _whose(state)
    seen = LAW.seen(state, viewer)
    for _try in range(20):
        chooser = any_command if random.random() < 0.3 else next_command
        return chooser(seen, viewer, random)
    raise AssertionError("nothing to do")
