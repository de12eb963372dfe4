"""Aftermath of a battle: why it ended, losses in the armies' documents or for armies of other rulesets, and the fates
of characters (C-6, TF-4.7, TF-9).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from rules.aftermath import DESTROYED as ALL_DESTROYED
from rules.aftermath import (
    SCATTERED,
    STANDS,
    ArmyEnd,
    Band,
    BattleToll,
    BattleTolls,
    MusteredSide,
    PlainSequel,
    Question,
    Remark,
)
from rules.core.dice import Dice, Roll
from rules.core.errors import demand, require
from rules.core.text import Said, Term, _, by_number, say
from rules.hexbattle import ending
from rules.hexbattle.common import DESTROYED, teams
from rules.hexbattle.telling import outcome
from rules.law import Measure
from rules.thucidide_fantasy.battle.record.entering import ids_of
from rules.thucidide_fantasy.battle.record.fold import CAPTURED
from rules.thucidide_fantasy.battle.record.state import FantasyState, Person
from rules.thucidide_fantasy.battle.run import ENOUGH_DESTROYED
from rules.thucidide_fantasy.documents import (
    DEAD_OR_PRISONER,
    WOUNDED,
    ArmyToll,
    ContingentDocuments,
    after_battle,
    death_from,
    fate,
)
from rules.thucidide_fantasy.figures import Tables
from rules.thucidide_fantasy.spec import ContingentSpec, House
from rules.thucidide_fantasy.starter import FATE_DIE

# Aftermath of a battle: losses in the armies' documents, and the fates of characters (C-6, TF-4.7, TF-9).

KILLED, ESCAPES = "killed", "escapes"
FATES: Mapping[str, Term] = {
    KILLED: _("{character} is killed."),
    CAPTURED: _("{character} is captured."),
    WOUNDED: _("{character} is wounded."),
    ESCAPES: _("{character} escapes."),
}
SCALE = (Band(_("escapes"), 3, "good"), Band(_("is wounded"), 5, "warn"), Band(_("dead or captured"), 6, "bad"))
LEAVES = (KILLED, CAPTURED)
SURVIVORS = by_number(
    "{unit}: no stands left, but on the winning side, so {count} stand survives.",
    "{unit}: no stands left, but on the winning side, so {count} stands survive.",
)


@dataclass(frozen=True, slots=True)
class CampaignArmy:
    """An army as the campaign stores it: its document, and the figures shown in lists."""

    document: Mapping[str, Any]
    status: str
    health: int
    health_max: int
    upkeep: int = 0


@dataclass(frozen=True, slots=True)
class CampaignWorld:
    """The campaign's armies and commanders when the aftermath is proposed.

    `measure`: the figures of an army document. `commanders`: status by id.
    """

    armies: Mapping[str, CampaignArmy]
    measure: Callable[[Mapping[str, Any]], Measure]
    commanders: Mapping[str, str] = field(default_factory=dict)


class WorldChange(NamedTuple):
    """A proposed change of one value in the campaign, before and after (JSON values), with its rule and reason."""

    subject_kind: str
    subject_id: str
    field: str
    before: object
    after: object
    rule: str
    label: Said


class _Account:
    """Builder of the aftermath: collects changes, remarks, questions and rolls."""

    def __init__(
        self, state: FantasyState, world: CampaignWorld, choices: Mapping[str, str], dice: Dice, tables: Tables,
        house: House,
    ):  # fmt: skip
        self.state, self.world, self.dice, self.tables, self.house = state, world, dice, tables, house
        self.choices = dict(choices)
        self.changes: list[WorldChange] = []
        self.notes: list[Remark] = []
        self.questions: list[Question] = []
        self.rolls: list[Roll] = []

    def change(self, army: str, name: str, before: object, after: object, rule: str, label: Said) -> None:
        if before != after:
            self.changes.append(WorldChange("army", army, name, before, after, rule, label))

    def roll(self, who: str, name: str, count: int) -> tuple[Roll, ...]:
        found = tuple(self.dice.roll(who, name, FATE_DIE) for _die in range(count))
        self.dice.checkpoint()
        self.rolls += found
        return found

    def ask(self, key: str, label: Said, options: Sequence[tuple[str, Said]], usual: str, about: str) -> str:
        """The GM's choice for a question, or `usual` if they made none. Raises `InvalidInput` for an unknown choice."""
        chosen = self.choices.pop(key, usual)
        known = ", ".join(slug for slug, _label in options)
        demand(chosen in dict(options), _("Choose one of: {choices}."), field=f"/choices/{key}", choices=known)
        self.questions.append(Question(key, label, tuple(options), chosen, about))
        return chosen


def proposed(
    state: FantasyState, world: CampaignWorld, choices: Mapping[str, str], dice: Dice, tables: Tables, house: House
) -> PlainSequel:
    """The proposed aftermath, by the house rules of the day the battle opened.

    Raises `IllegalCommand` before the battle is over and `InvalidInput` for an unknown choice.
    """
    require(state.field.ended, _("The battle isn’t over yet. Finish it first."))
    account = _Account(state, world, choices, dice, tables, house)
    for army in (*state.opening.contingents, *state.joined):
        if army.id in world.armies:
            _army(account, army)
    for key in account.choices:
        demand(False, _("This question hasn’t been asked."), field=f"/choices/{key}")
    dice.finish()
    return PlainSequel(account.changes, account.notes, account.questions, account.rolls)


def _army(r: _Account, army: ContingentSpec) -> None:
    fates = {one: _fate(r, one) for one in _people(r.state, army)}
    gone = [r.state.people[one].key for one, found in fates.items() if found in LEAVES]
    documents = ContingentDocuments(r.tables, r.house)
    sheet = documents.value_of(r.world.armies[army.id].document)
    toll = toll_of(r.state, army, gone)
    left = after_battle(sheet, toll, r.tables, r.house.survivors)
    _survivors(r, army, toll)
    if left is None:
        _no_more(r, army.id)
    else:
        version = {name: value for name, value in r.world.armies[army.id].document.items() if name == "version"}
        _smaller(r, army, {**documents.shape.write(left), **version})
    for one, found in fates.items():
        _told(r, one, found)


def _survivors(r: _Account, army: ContingentSpec, toll: ArmyToll) -> None:
    """Tell why units that were destroyed stay in the army (C-6)."""
    if not toll.won or not r.house.survivors:
        return
    units = ids_of(army, r.state.opening.salt)
    for place in (place for place, stands in toll.stands.items() if not stands):
        name, count = r.state.told_name(units[place]), min(r.house.survivors, army.units[place].figures.stands)
        r.notes.append(Remark(say(SURVIVORS, unit=name, count=count), "C-6", about=army.id))


def toll_of(state: FantasyState, army: ContingentSpec, gone: Sequence[str] = ()) -> ArmyToll:
    """The losses of an army's units, by their index in its document.

    Where the GM has set other stands for the battle, the document loses those lost in it; a unit that lives keeps one.
    """
    ended = state.field.ended
    won = ended is not None and ended.winner == army.side
    stands = {}
    for place, (unit, left) in enumerate(_stands_left(state, army).items()):
        lost = state.units[unit].start - left
        if lost:
            stands[place] = max(1, army.units[place].figures.stands - lost) if left else 0
    return ArmyToll(stands, gone, won)


def _stands_left(state: FantasyState, army: ContingentSpec) -> dict[str, int]:
    """The stands left of each of an army's own units, in the order of its document; 0 for those that are gone."""
    own = ids_of(army, state.opening.salt)[: len(army.units)]
    return {unit: 0 if state.field.tokens[unit].gone else state.units[unit].stands for unit in own}


def _people(state: FantasyState, army: ContingentSpec) -> tuple[str, ...]:
    return ids_of(army, state.opening.salt)[len(army.units) :]


def _fate(r: _Account, person: str) -> str:
    """The fate of a character; "" for one who lost no resistance and wasn't captured or killed."""
    own, token = r.state.people[person], r.state.field.tokens[person]
    if token.gone == CAPTURED:
        return CAPTURED
    lost = own.start - own.left
    if not lost:
        return KILLED if token.gone == DESTROYED else ""
    rolls = r.roll(person, "fate", lost)
    dice = [roll.value for roll in rolls]
    found = fate(dice)
    told = _final(r, person, own, dice) if found == DEAD_OR_PRISONER else found if found == WOUNDED else ESCAPES
    text = say(FATES[told], character=r.state.told_name(person))
    about = own.key if own.commander else token.army
    r.notes.append(Remark(text, "TF-4.7", rolls, about=about, moment=True, scale=SCALE))
    return told


def _final(r: _Account, person: str, own: Person, dice: Sequence[int]) -> str:
    """Killed or captured: decided by one more die, or by the GM."""
    (roll,) = r.roll(person, "death", 1)
    usual = KILLED if roll.value >= death_from(dice) else CAPTURED
    token = r.state.field.tokens[person]
    options = ((KILLED, _("killed")), (CAPTURED, _("captured")))
    label = say(_("Fate of {character}"), character=r.state.told_name(person))
    return r.ask(f"fate:{person}", label, options, usual, own.key if own.commander else token.army)


def _told(r: _Account, person: str, found: str) -> None:
    """Record a fate: the status of a commander, and a remark for a fate not decided by dice."""
    own, token = r.state.people[person], r.state.field.tokens[person]
    if found and (own.start == own.left or token.gone == CAPTURED):
        r.notes.append(Remark(say(FATES[found], character=r.state.told_name(person)), "TF-4.7", about=token.army))
    if own.commander and found in LEAVES and own.key in r.world.commanders:
        before = r.world.commanders[own.key]
        text = say(FATES[found], character=r.state.told_name(person))
        if before != found:
            r.changes.append(WorldChange("commander", own.key, "status", before, found, "C-6", text))


def _smaller(r: _Account, army: ContingentSpec, after: dict[str, Any]) -> None:
    """Record the losses in the army's document. Armies of the losing side become routed."""
    now, ended = r.world.armies[army.id], r.state.field.ended
    assert ended is not None
    measure = r.world.measure(after)
    r.change(army.id, "sheet", now.document, after, "C-6", _("left after the battle"))
    r.change(army.id, "health_max", now.health_max, measure.health, "C-6", _("units destroyed"))
    r.change(army.id, "health", now.health, _health_now(measure), "C-6", _("losses"))
    r.change(army.id, "upkeep", now.upkeep, measure.upkeep, "C-5", _("fewer heads to pay"))
    if ended.winner == 1 - army.side:
        r.change(army.id, "status", now.status, "routed", "TF-9", _("its side’s defeat"))


def _health_now(measure: Measure) -> int:
    """The number of stands present now."""
    return measure.health if measure.fit is None else measure.fit


def _no_more(r: _Account, army: str) -> None:
    """Mark an army without units as defeated. Its document is kept for reference."""
    now, label = r.world.armies[army], _("all units destroyed")
    r.change(army, "health", now.health, 0, "TF-9", label)
    r.change(army, "status", now.status, "defeated", "TF-9", label)


# Reasons why a battle ended.

REASONS: Mapping[str, Said] = {
    **ending.REASONS,
    ENOUGH_DESTROYED: _("The agreed number of enemy units is destroyed."),
}


# Losses of a battle for armies of other rulesets (TF-9): share of stands lost, routed and defeated armies.

RULE = "TF-9"
LOST = _("stands lost: {lost} of {stands}, units destroyed: {destroyed} of {units}")


def tolls_of(state: FantasyState) -> BattleTolls:
    """The losses of each army. Raises `IllegalCommand` before the battle is over."""
    ended, names = state.field.ended, state.opening.sides
    require(ended is not None, _("The battle isn’t over yet. Finish it first."))
    assert ended is not None
    sides = tuple(MusteredSide(team.name, team.armies) for team in teams(state.field, names))
    armies = {army.id: _toll(state, army) for army in (*state.opening.contingents, *state.joined)}
    return BattleTolls(sides, ended.winner, armies, outcome(ended, names, REASONS).text)


def _toll(state: FantasyState, army: ContingentSpec) -> BattleToll:
    """The losses of an army. A destroyed unit counts with all its stands; healed stands aren't lost."""
    units = _stands_left(state, army)
    start, left = sum(state.units[unit].start for unit in units), sum(units.values())
    destroyed = list(units.values()).count(0)
    told = say(LOST, lost=max(0, start - left), stands=start, destroyed=destroyed, units=len(units))
    end = _end(state, army, all_gone=destroyed == len(units))
    lost, how = Fraction(max(0, start - left), max(1, start)), _leader_gone(state, army)
    return BattleToll(lost, end, 0, how in (CAPTURED, DESTROYED), RULE, told, leader_captured=how == CAPTURED)


def _end(state: FantasyState, army: ContingentSpec, *, all_gone: bool) -> ArmyEnd:
    """The army's status after the battle: defeated if every unit is destroyed, else routed if its side lost."""
    ended = state.field.ended
    if all_gone:
        return ALL_DESTROYED
    return SCATTERED if ended is not None and ended.winner == 1 - army.side else STANDS


def _leader_gone(state: FantasyState, army: ContingentSpec) -> str:
    """How the army's leader left the battle, "" if they didn't or there is none."""
    leaders = (one for one in _people(state, army) if state.people[one].commander)
    return next((state.field.tokens[one].gone for one in leaders), "")
