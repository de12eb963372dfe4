"""Aftermath of a battle: losses in the armies' documents, troops that return, fates of commanders (C-6, WC-11)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from rules.aftermath import DESTROYED as ALL_DESTROYED
from rules.aftermath import (
    FATE_DIE,
    FATE_ROLL,
    FATE_SCALE,
    FATES,
    SCATTERED,
    STANDS,
    ArmyEnd,
    BattleToll,
    BattleTolls,
    MusteredSide,
    PlainSequel,
    Question,
    Remark,
    fate_of,
)
from rules.core.dice import Dice, Roll
from rules.core.errors import demand, require
from rules.core.text import Said, _, by_number, say
from rules.hexbattle.common import DESTROYED, WITHDRAWN, teams
from rules.hexbattle.telling import outcome
from rules.law import Measure
from rules.wing_command.battle.demoralisation import FLED, MARKER_LEAST, REASONS
from rules.wing_command.battle.record.state import HostState

RETURNS = 4
"""A troop that fled returns on this result or more of 1D6 (C-6)."""
RETURN_DIE = 6


@dataclass(frozen=True, slots=True)
class ArmyInCampaign:
    """An army as the campaign stores it: its document, and the figures shown in lists."""

    document: Mapping[str, Any]
    status: str
    health: int
    health_max: int
    upkeep: int = 0


@dataclass(frozen=True, slots=True)
class World:
    """The campaign's armies and commanders when the aftermath is proposed.

    `measure`: the figures of an army document. `commanders`: status by id.
    """

    armies: Mapping[str, ArmyInCampaign]
    measure: Callable[[Mapping[str, Any]], Measure]
    commanders: Mapping[str, str] = field(default_factory=dict)


class Consequence(NamedTuple):
    """A proposed change of one value in the campaign, before and after (JSON values), with its rule and reason."""

    subject_kind: str
    subject_id: str
    field: str
    before: object
    after: object
    rule: str
    label: Said


class Toll(NamedTuple):
    """Losses of an army: the indexes in its document of troops and characters that leave it."""

    destroyed: tuple[int, ...]
    fled: tuple[int, ...]
    characters: tuple[int, ...]
    commander: str = ""
    """Id of the commander if destroyed, else ""."""


class Reckoning:
    """Builder of the aftermath: collects changes, remarks, questions and rolls."""

    def __init__(self, state: HostState, world: World, choices: Mapping[str, str], dice: Dice):
        self.state, self.world, self.dice = state, world, dice
        self.choices = dict(choices)
        self.changes: list[Consequence] = []
        self.notes: list[Remark] = []
        self.questions: list[Question] = []
        self.rolls: list[Roll] = []

    def change(self, army: str, name: str, before: object, after: object, rule: str, label: Said) -> None:
        if before != after:
            self.changes.append(Consequence("army", army, name, before, after, rule, label))

    def roll(self, army: str, name: str, die: int) -> Roll:
        found = self.dice.roll(army, name, die)
        self.rolls.append(found)
        return found

    def ask(self, key: str, label: Said, options: Sequence[tuple[str, Said]], usual: str, about: str) -> str:
        """The GM's choice for a question, or `usual` if they made none. Raises `InvalidInput` for an unknown choice."""
        chosen = self.choices.pop(key, usual)
        known = ", ".join(slug for slug, _label in options)
        demand(chosen in dict(options), _("Choose one of: {choices}."), field=f"/choices/{key}", choices=known)
        self.questions.append(Question(key, label, tuple(options), chosen, about))
        return chosen


def proposed(state: HostState, world: World, choices: Mapping[str, str], dice: Dice) -> PlainSequel:
    """The proposed aftermath.

    Raises `IllegalCommand` before the battle is over and `InvalidInput` for an unknown choice.
    """
    require(state.field.ended, _("The battle isn’t over yet. Finish it first."))
    r = Reckoning(state, world, choices, dice)
    for army in state.wings:
        if army in world.armies:
            _army(r, army, toll_of(state, army))
    for key in r.choices:
        demand(False, _("This question hasn’t been asked."), field=f"/choices/{key}")
    dice.finish()
    return PlainSequel(r.changes, r.notes, r.questions, r.rolls)


def toll_of(state: HostState, army: str) -> Toll:
    """The losses of an army's units, by their index in its document."""
    own = [unit for unit in state.units if state.field.tokens[unit].army == army]
    troops = [unit for unit in own if not state.units[unit].character]
    characters = [unit for unit in own if state.units[unit].character and not state.units[unit].commander]
    lost = next((unit for unit in own if state.units[unit].commander and _how(state, unit) == DESTROYED), "")
    return Toll(
        tuple(place for place, unit in enumerate(troops) if _how(state, unit) == DESTROYED),
        tuple(place for place, unit in enumerate(troops) if _how(state, unit) == FLED),
        tuple(place for place, unit in enumerate(characters) if _how(state, unit) == DESTROYED),
        state.units[lost].key if lost else "",
    )


def _how(state: HostState, unit: str) -> str:
    gone = state.field.tokens[unit].gone
    return "" if gone == WITHDRAWN else gone


def _army(r: Reckoning, army: str, toll: Toll) -> None:
    now, wing = r.world.armies[army], r.state.wings[army]
    stays_away = _returning(r, army, toll)
    gone = {*toll.destroyed, *stays_away}
    troops = [troop for place, troop in enumerate(now.document["troops"]) if place not in gone]
    characters = now.document.get("characters", ())
    left = [one for place, one in enumerate(characters) if place not in toll.characters]
    if troops:
        _smaller(r, army, troops, left, broken=wing.broken)
    else:
        _no_more(r, army, toll)
    if withdrawn := _withdrawn(r.state, army):
        text = say(COME_BACK, army=wing.name, count=withdrawn)
        r.notes.append(Remark(text, "C-6", about=army))
    if toll.commander:
        _fate(r, army, toll.commander)


COME_BACK = by_number(
    "{army}: {count} troop that left the map comes back.", "{army}: {count} troops that left the map come back."
)


def _withdrawn(state: HostState, army: str) -> int:
    """The number of an army's troops that left the map and are not lost."""
    own = (unit for unit in state.units if state.field.tokens[unit].army == army and not state.units[unit].character)
    return sum(state.field.tokens[unit].gone == WITHDRAWN for unit in own)


def _returning(r: Reckoning, army: str, toll: Toll) -> tuple[int, ...]:
    """Roll for each troop that fled, which returns on 4+. The indexes of those that don't."""
    rolls = [(place, r.roll(army, "return", RETURN_DIE)) for place in toll.fled]
    if not rolls:
        return ()
    r.dice.checkpoint()
    away = tuple(place for place, roll in rolls if roll.value < RETURNS)
    told = {"army": r.state.wings[army].name, "fled": len(rolls), "back": len(rolls) - len(away)}
    text = say(_("{army}: of the troops that fled, {back} of {fled} return."), **told)
    r.notes.append(Remark(text, "C-6", tuple(roll for _place, roll in rolls), about=army))
    return away


def _smaller(r: Reckoning, army: str, troops: list[Any], characters: list[Any], *, broken: bool) -> None:
    """Record the army's document without its losses. A broken wing loses a point of morale."""
    now = r.world.armies[army]
    after = {**now.document, "troops": troops, "characters": characters}
    if "characters" not in now.document and not characters:
        after.pop("characters")
    if broken:
        after["morale"] = max(MARKER_LEAST, now.document.get("morale", MARKER_LEAST) - 1)
    if after == now.document:
        return
    measure = r.world.measure(after)
    r.change(army, "sheet", now.document, after, "C-6", _("left after the battle"))
    r.change(army, "health_max", now.health_max, measure.health, "C-6", _("troops destroyed and scattered"))
    r.change(army, "health", now.health, measure.health, "C-6", _("losses"))
    r.change(army, "upkeep", now.upkeep, measure.upkeep, "C-5", _("fewer heads to pay"))


def _no_more(r: Reckoning, army: str, toll: Toll) -> None:
    """Mark an army without troops: defeated if most were destroyed, else routed. Its document is kept for reference."""
    now = r.world.armies[army]
    defeated = 2 * len(toll.destroyed) > len(now.document["troops"])
    status, label = ("defeated", _("all troops lost")) if defeated else ("routed", _("troops scattered"))
    r.change(army, "health", now.health, 0, "WC-11", label)
    r.change(army, "status", now.status, status, "WC-11", label)


def _fate(r: Reckoning, army: str, commander: str) -> None:
    """Record the fate of a destroyed commander, by a die or by the GM's choice."""
    if commander not in r.world.commanders:
        return
    name = next(r.state.told_name(unit) for unit, own in r.state.units.items() if own.key == commander)
    roll = r.roll(army, FATE_ROLL, FATE_DIE)
    r.dice.checkpoint()
    thrown = fate_of(roll.value)
    options = tuple((slug, band.name) for slug, band in FATE_SCALE.items())
    label = say(_("Fate of {commander}"), commander=name)
    fate = r.ask(f"fate:{army}", label, options, thrown, commander)
    told = say(FATES[fate], commander=name)
    r.notes.append(Remark(told, "C-6", (roll,), about=commander, moment=True, scale=tuple(FATE_SCALE.values())))
    before = r.world.commanders[commander]
    after = before if fate == "escapes" else fate
    if after != before:
        r.changes.append(Consequence("commander", commander, "status", before, after, "C-6", told))


# Armies of other rulesets

RULE = "WC-11"
LOST = _("Wing command: {destroyed} of {troops} troops destroyed, {fled} fled.")
BROKEN = _("Wing command: {destroyed} of {troops} troops destroyed, {fled} fled. The wing broke.")


def tolls_of(state: HostState) -> BattleTolls:
    """The losses of each army. Raises `IllegalCommand` before the battle is over."""
    ended, names = state.field.ended, state.opening.sides
    require(ended is not None, _("The battle isn’t over yet. Finish it first."))
    assert ended is not None
    sides = tuple(MusteredSide(team.name, team.armies) for team in teams(state.field, names))
    armies = {army: _battle_toll(state, army) for army in state.wings}
    return BattleTolls(sides, ended.winner, armies, outcome(ended, names, REASONS).text)


def _battle_toll(state: HostState, army: str) -> BattleToll:
    """The losses of an army: a destroyed troop counts fully, one that fled half, a withdrawn one not at all.

    The army loses the same share of its health.
    """
    wing, toll = state.wings[army], toll_of(state, army)
    destroyed, fled, troops = len(toll.destroyed), len(toll.fled), max(1, wing.troops)
    left = _left(toll, troops)
    broken = wing.broken and left == STANDS
    return BattleToll(
        Fraction(2 * destroyed + fled, 2 * troops),
        left,
        -1 if broken else 0,
        bool(toll.commander),
        RULE,
        say(BROKEN if broken else LOST, destroyed=destroyed, fled=fled, troops=troops),
    )


def _left(toll: Toll, troops: int) -> ArmyEnd:
    """The army's status after the battle: if all troops are lost, destroyed if most of them were destroyed, else
    scattered.
    """
    if len(toll.destroyed) + len(toll.fled) < troops:
        return STANDS
    return ALL_DESTROYED if 2 * len(toll.destroyed) > troops else SCATTERED
