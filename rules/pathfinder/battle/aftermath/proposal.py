"""Proposal of an aftermath: the world it reads, and the changes, notes and questions it makes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from rules.aftermath import Question, Remark
from rules.core.dice import Dice, Roll
from rules.core.errors import demand
from rules.core.text import Said, Term, _, say
from rules.pathfinder.battle.state.battle_state import ArmyInBattle, BattleState
from rules.pathfinder.spec import CommanderSpec, breaks, clamped


@dataclass(frozen=True, slots=True)
class KingdomFigures:
    """Figures of a kingdom that the aftermath reads (PF-8.1, PF-8.2)."""

    name: str
    economy: int
    loyalty: int
    stability: int
    unrest: int
    control_dc: int


@dataclass(frozen=True, slots=True)
class ArmyInCampaign:
    """Present values of an army in the campaign, which the aftermath changes."""

    kingdom: str
    hp: int
    morale: int
    status: str
    tactics: list[dict[str, object]] = field(default_factory=list)
    resources: dict[str, int] = field(default_factory=dict)
    disease: int = 0
    ill: bool = False
    drain: int = 0
    commander: str | None = None
    surcharge: int = 0
    consumption: int = 1
    arrears: bool = False


@dataclass(frozen=True, slots=True)
class CommanderInCampaign:
    spec: CommanderSpec
    status: str = "free"
    captures: int = 0
    notorious: bool = False
    ransom: int | None = None
    boons: list[dict[str, object]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class World:
    kingdoms: Mapping[str, KingdomFigures]
    armies: Mapping[str, ArmyInCampaign]
    commanders: Mapping[str, CommanderInCampaign]


@dataclass(frozen=True, slots=True)
class Consequence:
    """Change of one figure of the world: before and after (JSON values), rule and reason."""

    subject_kind: str
    subject_id: str
    field: str
    before: object
    after: object
    rule: str
    label: Said


@dataclass(frozen=True, slots=True)
class Aftermath:
    changes: tuple[Consequence, ...]
    notes: tuple[Remark, ...]
    questions: tuple[Question, ...]
    rolls: tuple[Roll, ...]


NOTHING = ("", _("nothing"))
DISBANDED = "disbanded"


class Reckoning:
    """Proposal under construction."""

    def __init__(self, battle: BattleState, world: World, choices: Mapping[str, str], dice: Dice):
        self.battle = battle
        self.world = world
        self.choices = dict(choices)
        self.dice = dice
        self.changes: list[Consequence] = []
        self.notes: list[Remark] = []
        self.questions: list[Question] = []
        self.rolls: list[Roll] = []
        self.needs: list[tuple[Roll, Said]] = []

    def roll(self, army: str, name: str, die: int, need: Callable[[], Said]) -> Roll:
        """Roll a die. `need`: the die's target in words, shown to the person who types it."""
        roll = self.dice.roll(army, name, die)
        self.rolls.append(roll)
        if not roll.known:
            self.needs.append((roll, need()))
        return roll

    def change(self, kind: str, subject: str, name: str, before: object, after: object, rule: str, label: Said) -> None:
        """Add a change. It starts from the value that an earlier change of this proposal left, if any."""
        for held in reversed(self.changes):
            if (held.subject_kind, held.subject_id, held.field) == (kind, subject, name):
                before = held.after
                break
        if before != after:
            self.changes.append(Consequence(kind, subject, name, before, after, rule, label))

    def now(self, kind: str, subject: str, name: str, default: object) -> object:
        for held in reversed(self.changes):
            if (held.subject_kind, held.subject_id, held.field) == (kind, subject, name):
                return held.after
        return default

    def ask(
        self, key: str, about: str, label: Said, options: tuple[tuple[str, Said], ...], default: str | None
    ) -> str | None:
        chosen = self.choices.pop(key, default)
        slugs = {slug for slug, _label in options}
        demand(chosen is None or chosen in slugs, _("Choose one of: {choices}."), field=f"/choices/{key}",
               choices=", ".join(sorted(slug for slug in slugs if slug)))  # fmt: skip
        self.questions.append(Question(key, label, options, chosen, about))
        return chosen


def victors_of(battle: BattleState) -> list[ArmyInBattle]:
    """Return the armies of the winning side that are still on the field."""
    winner = None if battle.result is None else battle.result.winner
    return [army for army in battle.on_field() if army.side == winner]


def rallied(army: ArmyInBattle) -> int:
    """Return hit points raised to the ACR if lower, at least 1, at most the maximum (PF-6.2, PF-6.3, R-2)."""
    return max(army.hp, min(max(1, army.acr), army.hp_max))


def set_hp(r: Reckoning, army: ArmyInBattle, after: int, rule: str, label: Said) -> None:
    """Set the hit points left after the battle."""
    r.change("army", army.id, "hp", r.world.armies[army.id].hp, after, rule, label)


LOST = _("hit points lost in the battle")


def rally(r: Reckoning, army: ArmyInBattle, rule: str, why: Term) -> None:
    """Set the hit points left after the battle, raised to the ACR if lower (PF-6.2, PF-6.3). The reason names both."""
    after = rallied(army)
    if after == army.hp:
        set_hp(r, army, after, "PF-1.4", LOST)
    else:
        raised = say(_("{why}: {left} left after the battle, raised to its ACR"), why=why, left=army.hp)
        set_hp(r, army, after, rule, raised)


def set_morale(r: Reckoning, army: ArmyInBattle, by: int, rule: str, label: Said) -> None:
    """Change current Morale, which may have changed since the battle, by an amount; at most 4.

    Below −4, arrears included, the army disbands. That is tested before Morale is clamped (PF-1.9, PF-7.2).
    """
    now = r.world.armies[army.id]
    before = r.now("army", army.id, "morale", now.morale)
    assert isinstance(before, int)
    r.change("army", army.id, "morale", now.morale, clamped(before + by), rule, label)
    if breaks(before + by, now.arrears):
        r.change("army", army.id, "status", now.status, DISBANDED, "PF-1.9", _("morale broken: the army disbands"))
