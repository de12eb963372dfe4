"""What a battle does to the world, as a proposal: every change with its rule (PF-6, PF-2.8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from rules.breakdown import Breakdown, Line
from rules.dice import Dice, Roll
from rules.errors import demand, require
from rules.pathfinder import traits as t
from rules.pathfinder.commander import check_boon_learned, learnable_boons
from rules.pathfinder.parse import mount_to_json, unit_to_json
from rules.pathfinder.sheet import rating_of
from rules.pathfinder.size import BY_RANK, experience, scaled
from rules.pathfinder.spec import CommanderSpec
from rules.text import Message, Said, Term, _, say

from .state import AFTERMATH, CAPTURED, DEFEATED, FIGHTING, ROUTED, ArmyInBattle, Battle


@dataclass(frozen=True, slots=True)
class KingdomFigures:
    """What the aftermath needs of a kingdom (PF-8.1, PF-8.2)."""

    name: str
    economy: int
    loyalty: int
    stability: int
    unrest: int
    control_dc: int


@dataclass(frozen=True, slots=True)
class ArmyNow:
    """An army's record as it stands in the world."""

    kingdom: str
    hp: int
    morale: int
    status: str
    tactics: list[dict[str, object]] = field(default_factory=list)
    resources: dict[str, int] = field(default_factory=dict)
    disease: int = 0
    drain: int = 0
    commander: str | None = None
    surcharge: int = 0


@dataclass(frozen=True, slots=True)
class CommanderNow:
    spec: CommanderSpec
    status: str = "free"
    captures: int = 0
    notorious: bool = False
    boons: list[dict[str, object]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class World:
    kingdoms: Mapping[str, KingdomFigures]
    armies: Mapping[str, ArmyNow]
    commanders: Mapping[str, CommanderNow]


@dataclass(frozen=True, slots=True)
class Change:
    """One figure of the world, before and after (JSON values), with its rule and its reason."""

    subject_kind: str
    subject_id: str
    field: str
    before: object
    after: object
    rule: str
    label: Said


@dataclass(frozen=True, slots=True)
class Note:
    text: Said
    rule: str
    rolls: tuple[Roll, ...] = ()
    sum: Breakdown | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """Something the rules leave to a person. `chosen` is the answer given, or the default."""

    key: str
    label: Said
    options: tuple[tuple[str, Said], ...]
    chosen: str | None


@dataclass(frozen=True, slots=True)
class Proposal:
    changes: tuple[Change, ...]
    notes: tuple[Note, ...]
    questions: tuple[Question, ...]
    rolls: tuple[Roll, ...]


NOTHING = ("", _("nothing"))


class Reckoning:
    """The proposal being written. Changes to the same figure are joined into one line each."""

    def __init__(self, battle: Battle, world: World, choices: Mapping[str, str], dice: Dice):
        self.battle = battle
        self.world = world
        self.choices = dict(choices)
        self.dice = dice
        self.changes: list[Change] = []
        self.notes: list[Note] = []
        self.questions: list[Question] = []
        self.rolls: list[Roll] = []

    def roll(self, army: str, name: str, die: int) -> Roll:
        roll = self.dice.roll(army, name, die)
        self.rolls.append(roll)
        return roll

    def change(self, kind: str, subject: str, name: str, before: object, after: object, rule: str, label: Said) -> None:
        """Add a change, from the value an earlier line of this proposal left, if any."""
        for held in reversed(self.changes):
            if (held.subject_kind, held.subject_id, held.field) == (kind, subject, name):
                before = held.after
                break
        if before != after:
            self.changes.append(Change(kind, subject, name, before, after, rule, label))

    def now(self, kind: str, subject: str, name: str, default: object) -> object:
        for held in reversed(self.changes):
            if (held.subject_kind, held.subject_id, held.field) == (kind, subject, name):
                return held.after
        return default

    def ask(self, key: str, label: Said, options: tuple[tuple[str, Said], ...], default: str | None) -> str | None:
        chosen = self.choices.pop(key, default)
        slugs = {slug for slug, _label in options}
        demand(chosen is None or chosen in slugs, _("Choose one of: {choices}."), field=f"/choices/{key}",
               choices=", ".join(sorted(slug for slug in slugs if slug)))  # fmt: skip
        self.questions.append(Question(key, label, options, chosen))
        return chosen


def aftermath(battle: Battle, world: World, choices: Mapping[str, str], dice: Dice) -> Proposal:
    """Every change the battle makes to armies, commanders and kingdoms (PF-6).

    Raises IllegalCommand before the battle is over, InvalidInput for an unknown choice, DiceNeeded.
    """
    require(battle.phase.kind == AFTERMATH, _("The battle is not over yet."))
    reckoning = Reckoning(battle, world, choices, dice)
    for army in battle.armies.values():
        _army(reckoning, army)
    dice.checkpoint()
    _experience(reckoning)
    for army in _victors(battle):
        _mercy(reckoning, army)
    demand(not reckoning.choices, _("Nothing asks for this choice: {key}."), field="/choices",
           key=next(iter(reckoning.choices), ""))  # fmt: skip
    dice.finish()
    return Proposal(
        tuple(reckoning.changes), tuple(reckoning.notes), tuple(reckoning.questions), tuple(reckoning.rolls)
    )


def _victors(battle: Battle) -> list[ArmyInBattle]:
    winner = None if battle.result is None else battle.result.winner
    return [army for army in battle.on_field() if army.side == winner]


def _army(r: Reckoning, army: ArmyInBattle) -> None:
    if army.id not in r.world.armies:
        _raised(r, army)
        return
    _lasting(r, army)
    match army.status:
        case "defeated":
            _defeated(r, army)
        case "routed":
            _routed(r, army)
        case "captured":
            _captured(r, army)
        case _:
            won = r.battle.result is not None and army.status == FIGHTING and army.side == r.battle.result.winner
            if won:
                _victorious(r, army)
            else:
                _hp(r, army, army.hp, "PF-1.4", _("hit points lost in the battle"))


def _hp(r: Reckoning, army: ArmyInBattle, after: int, rule: str, label: Said) -> None:
    r.change("army", army.id, "hp", r.world.armies[army.id].hp, after, rule, label)


def _lasting(r: Reckoning, army: ArmyInBattle) -> None:
    """What outlives the battle whatever its end: engines lost, potions drunk, disease, drain, the GM's hand."""
    now = r.world.armies[army.id]
    drained, ill = army.mark("drained"), army.mark("ill")
    if drained is not None:
        r.change(
            "army", army.id, "drain", now.drain, now.drain + drained.amount, "R-44", _("energy drained for 24 hours")
        )
    if ill is not None:
        r.change("army", army.id, "disease", now.disease, max(1, now.disease), "PF-7.3", _("fell ill in the battle"))
    engines = now.resources.get("siege-engines", 0)
    if army.engines < engines:
        left = {**now.resources, "siege-engines": army.engines}
        kept = {slug: quantity for slug, quantity in left.items() if quantity}
        r.change("army", army.id, "resources", dict(now.resources), kept, "R-15", _("siege engines destroyed"))
    drunk = army.spent.get("resource:healing-potions", 0)
    if drunk:
        cost = drunk * scaled(3, BY_RANK[army.rank])
        r.change("army", army.id, "surcharge", now.surcharge, now.surcharge + cost, "R-22", _("healing potions drunk"))


def _defeated(r: Reckoning, army: ArmyInBattle) -> None:
    _hp(r, army, 0, "PF-6.1", _("defeated"))
    now = r.world.armies[army.id]
    r.change("army", army.id, "status", now.status, DEFEATED, "PF-6.1", _("defeated"))
    kingdom = r.world.kingdoms.get(now.kingdom)
    if kingdom is not None:
        losses = zip(("economy", "loyalty", "stability"), BY_RANK[army.rank].defeat, strict=True)
        for attribute, loss in losses:
            before = r.now("kingdom", now.kingdom, attribute, getattr(kingdom, attribute))
            assert isinstance(before, int)
            label = say(_("{army} defeated ({size})"), army=army.name, size=BY_RANK[army.rank].name)
            r.change("kingdom", now.kingdom, attribute, before, before + loss, "PF-6.1", label)
    _lost_commander(r, army)


def _lost_commander(r: Reckoning, army: ArmyInBattle) -> None:
    """NPC: d100 1–20 killed, 21–70 captured, 71–100 escapes; PC: the GM decides (PF-2.8)."""
    commander = army.spec.commander
    if commander is None or not commander.active or commander.id not in r.world.commanders:
        return
    options: tuple[tuple[str, Said], ...] = (("captured", _("captured")), ("escapes", _("escapes")))
    if commander.player_character:
        label = say(_("{commander}, a player character, was beaten: what becomes of them?"), commander=commander.name)
        fate = r.ask(f"fate:{army.id}", label, options, "captured") or "captured"
        rolls: tuple[Roll, ...] = ()
    else:
        roll = r.roll(army.id, "commander-fate", 100)
        rolls = (roll,)
        fate = "killed" if roll.value <= 20 else "captured" if roll.value <= 70 else "escapes"
    _commander_fate(r, army, commander, fate, rolls)


FATES: dict[str, Term] = {
    "killed": _("{commander} is killed."),
    "captured": _("{commander} is captured."),
    "escapes": _("{commander} escapes."),
}


def _commander_fate(
    r: Reckoning, army: ArmyInBattle, commander: CommanderSpec, fate: str, rolls: tuple[Roll, ...]
) -> None:
    if fate == "captured" and _mindless_victor(r.battle, army):
        fate = "killed"
        r.notes.append(Note(say(_("The victor is mindless: it takes no captives.")), "PF-2.8"))
    r.notes.append(Note(say(FATES[fate], commander=commander.name), "PF-2.8", rolls))
    now = r.world.commanders[commander.id]
    status = {"killed": "killed", "captured": "captured"}.get(fate, now.status)
    label = say(FATES[fate], commander=commander.name)
    r.change("commander", commander.id, "status", now.status, status, "PF-2.8", label)
    if status == "captured":
        r.change("commander", commander.id, "captures", now.captures, now.captures + 1, "PF-2.8", label)
        if now.captures + 1 >= 2 and not now.notorious:
            _notorious(r, commander)


def _notorious(r: Reckoning, commander: CommanderSpec) -> None:
    label = say(_("Is {commander} now known for losing (Morale −1 to any army led)?"), commander=commander.name)
    options: tuple[tuple[str, Said], ...] = (("yes", _("yes")), ("no", _("no")))
    if r.ask(f"notorious:{commander.id}", label, options, "yes") == "yes":
        r.change("commander", commander.id, "notorious", False, True, "PF-2.8", _("captured again"))


def _mindless_victor(battle: Battle, army: ArmyInBattle) -> bool:
    victors = _victors(battle)
    return bool(victors) and all(t.MINDLESS in victor.profile.traits for victor in victors)


def _routed(r: Reckoning, army: ArmyInBattle) -> None:
    now = r.world.armies[army.id]
    _hp(r, army, max(army.hp, army.acr), "PF-6.2", _("routed; rallies to its ACR at least"))
    r.change("army", army.id, "status", now.status, ROUTED, "PF-6.2", _("routed"))
    _morale(r, army, army.morale - 1, "PF-6.2", _("routed"))


def _morale(r: Reckoning, army: ArmyInBattle, after: int, rule: str, label: Said) -> None:
    """Below −4 the army disbands, tested before the figure is clamped (PF-1.9)."""
    now = r.world.armies[army.id]
    r.change("army", army.id, "morale", now.morale, max(-4, min(4, after)), rule, label)
    if after <= -5:
        r.change("army", army.id, "status", now.status, "disbanded", "PF-1.9", _("morale broken: the army disbands"))


def _captured(r: Reckoning, army: ArmyInBattle) -> None:
    now = r.world.armies[army.id]
    _hp(r, army, army.hp, "R-55", _("surrendered"))
    r.change("army", army.id, "status", now.status, CAPTURED, "R-55", _("surrendered"))
    commander = army.spec.commander
    if commander is not None and commander.active and commander.id in r.world.commanders:
        _commander_fate(r, army, commander, "captured", ())


def _victorious(r: Reckoning, army: ArmyInBattle) -> None:
    """hp raise, a Loyalty check for morale and a tactic, another for a boon (PF-6.3, R-56)."""
    _hp(r, army, max(army.hp, min(army.acr, army.hp_max)), "PF-6.3", _("victorious"))
    if _loyalty_check(r, army, "loyalty-tactic", _("Loyalty check for morale and a tactic")):
        _morale(r, army, min(4, army.morale + 1), "PF-6.3", _("victorious"))
        _learn_tactic(r, army)
    if _loyalty_check(r, army, "loyalty-boon", _("Loyalty check for a boon of the commander")):
        _learn_boon(r, army)


def _loyalty_check(r: Reckoning, army: ArmyInBattle, roll_name: str, title: Term) -> bool:
    """d20 + Loyalty − Unrest against the control DC; 1 fails and 20 succeeds (PF-3.1, PF-8.2)."""
    kingdom = r.world.kingdoms.get(r.world.armies[army.id].kingdom)
    if kingdom is None:
        return False
    roll = r.roll(army.id, roll_name, 20)
    loyalty = r.now("kingdom", r.world.armies[army.id].kingdom, "loyalty", kingdom.loyalty)
    assert isinstance(loyalty, int)
    lines = Breakdown((Line(_("Loyalty"), loyalty, "PF-8.1"),)).plus(_("Unrest"), -kingdom.unrest, "PF-8.1")
    check = roll.value + lines.total
    success = roll.value == 20 or (roll.value != 1 and check >= kingdom.control_dc)
    template = (
        _("{army}, {what}: {check} against {dc}, success.")
        if success
        else _("{army}, {what}: {check} against {dc}, failure.")
    )
    text = say(template, army=army.name, what=title, check=check, dc=kingdom.control_dc)
    r.notes.append(Note(text, "PF-6.3", (roll,), lines))
    return success


def _learn_tactic(r: Reckoning, army: ArmyInBattle) -> None:
    law, now = r.battle.law, r.world.armies[army.id]
    open_to = [tactic for slug, tactic in law.tactics.items() if law.learn_tactic_refusal(army.spec, slug) is None]
    if not open_to or t.MINDLESS in army.profile.traits:
        r.notes.append(Note(say(_("{army} has no room for another tactic."), army=army.name), "R-56"))
        return
    options = (NOTHING, *((tactic.slug, tactic.name) for tactic in open_to))
    label = say(_("Tactic learned by {army}"), army=army.name)
    chosen = r.ask(f"tactic:{army.id}", label, options, "")
    if chosen:
        learned = [*now.tactics, {"tactic": chosen, "granted": False}]
        gained = say(_("learned {tactic}"), tactic=law.tactics[chosen].name)
        r.change("army", army.id, "tactics", list(now.tactics), learned, "PF-6.3", gained)


def _learn_boon(r: Reckoning, army: ArmyInBattle) -> None:
    commander = army.spec.commander
    if commander is None or not commander.active or commander.id not in r.world.commanders:
        return
    law, now = r.battle.law, r.world.commanders[commander.id]
    options: list[tuple[str, Said]] = [NOTHING]
    for boon in learnable_boons(law, commander):
        if boon.needs_tactic:
            options += _tactic_boons(r, commander, boon.slug)
        else:
            options.append((boon.slug, boon.name))
    if len(options) == 1:
        r.notes.append(Note(say(_("{commander} has no room for another boon."), commander=commander.name), "R-56"))
        return
    label = say(_("Boon learned by {commander}"), commander=commander.name)
    chosen = r.ask(f"boon:{commander.id}", label, tuple(options), "")
    if chosen:
        boon_slug, _sep, tactic = chosen.partition(":")
        check_boon_learned(law, commander, boon_slug, tactic or None)
        learned = [*now.boons, {"boon": boon_slug, "tactic": tactic or None}]
        gained = say(_("learned {boon}"), boon=law.boons[boon_slug].name)
        r.change("commander", commander.id, "boons", list(now.boons), learned, "PF-6.3", gained)


def _tactic_boons(r: Reckoning, commander: CommanderSpec, slug: str) -> list[tuple[str, Said]]:
    law = r.battle.law
    held = {choice.tactic for choice in commander.boons if choice.boon == slug} | {commander.office_tactic}
    return [
        (f"{slug}:{tactic.slug}", say(_("{boon}: {tactic}"), boon=law.boons[slug].name, tactic=tactic.name))
        for tactic in law.tactics.values()
        if tactic.slug not in held and not tactic.always_known
    ]


def _raised(r: Reckoning, army: ArmyInBattle) -> None:
    """An army that rose in the battle joins its maker's kingdom, if it still stands (R-54)."""
    if army.status not in (FIGHTING, "withdrawn", ROUTED):
        return
    spec = replace(army.spec, hp=army.hp)
    body = {"kingdom": spec.kingdom, "name": spec.name, "unit": unit_to_json(spec.unit), "count": spec.count,
            "mount": mount_to_json(spec.mount), "hp": army.hp,
            "status": ROUTED if army.status == ROUTED else "ready"}  # fmt: skip
    r.change("army", army.id, "created", None, body, "R-54", say(_("{army} rose from the dead"), army=army.name))


def _experience(r: Reckoning) -> None:
    """What the winners' player characters earn for each beaten army (PF-6.4, R-56)."""
    winner = None if r.battle.result is None else r.battle.result.winner
    if winner is None:
        return
    for army in r.battle.armies.values():
        if army.side != winner and army.status in (DEFEATED, ROUTED, CAPTURED):
            amount = experience(rating_of(army.spec)[1])
            text: Message = say(
                _("{side} earns {xp} XP for {army}."), side=r.battle.sides[winner].name, xp=amount, army=army.name
            )
            r.notes.append(Note(text, "PF-6.4"))


def _mercy(r: Reckoning, army: ArmyInBattle) -> None:
    """Mercy cures one allied army of disease (PF-9)."""
    if t.MERCIFUL not in army.profile.traits:
        return
    ill: list[tuple[str, Said]] = []
    for ally in r.battle.armies.values():
        known = r.world.armies.get(ally.id)
        if known is not None and ally.side == army.side and r.now("army", ally.id, "disease", known.disease):
            ill.append((ally.id, Message(Term("{name}"), {"name": ally.name})))
    if not ill:
        return
    label = say(_("{army} shows mercy: which army is cured of disease?"), army=army.name)
    cured = r.ask(f"mercy:{army.id}", label, (NOTHING, *ill), ill[0][0])
    if cured:
        before = r.now("army", cured, "disease", r.world.armies[cured].disease)
        r.change("army", cured, "disease", before, 0, "PF-9", _("cured by mercy"))
