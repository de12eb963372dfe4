"""Working state of an aftermath: its input, and what has been found so far."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rules.breaking_point.battle.aftermath.tolls import UnitToll
from rules.breaking_point.battle.battle_state import BattleNow, Body
from rules.breaking_point.spoils import Spoil
from rules.core.dice import Dice
from rules.core.errors import demand
from rules.core.text import Said, _
from rules.law import Measure
from rules.sequels import Question, Remark

type ArmyDocument = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ArmyInCampaign:
    """An army as it stands in the world: its document as it is kept, and what lists know of it."""

    document: ArmyDocument
    status: str
    health: int
    health_max: int
    upkeep: int = 0


@dataclass(frozen=True, slots=True)
class World:
    """`measure`: what lists and weeks read of a document. `besieged`: armies whose losses their siege keeps (B-55).
    `commanders`: by id, their status.
    """

    armies: Mapping[str, ArmyInCampaign]
    measure: Callable[[ArmyDocument], Measure]
    besieged: frozenset[str] = frozenset()
    commanders: Mapping[str, str] = field(default_factory=dict)


class Consequence(NamedTuple):
    """One figure of the world, before and after (JSON values), with its rule and its reason."""

    subject_kind: str
    subject_id: str
    field: str
    before: object
    after: object
    rule: str
    label: Said


@dataclass
class Reckoning:
    battle: BattleNow
    world: World
    choices: dict[str, str]
    dice: Dice
    tolls: dict[str, list[UnitToll]] = field(default_factory=lambda: defaultdict(list))
    bodies: dict[str, list[Body]] = field(default_factory=lambda: defaultdict(list))
    learnt: dict[int, int] = field(default_factory=dict)
    spoils: dict[str, list[Spoil]] = field(default_factory=lambda: defaultdict(list))
    changes: list[Consequence] = field(default_factory=list)
    notes: list[Remark] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)

    def ask(self, key: str, label: Said, options: Sequence[tuple[str, Said]], usual: str) -> str:
        """What the GM has chosen, or the usual answer."""
        chosen = self.choices.pop(key, usual)
        known = ", ".join(slug for slug, _label in options)
        demand(chosen in dict(options), _("Choose one of: {choices}."), field=f"/choices/{key}", choices=known)
        self.questions.append(Question(key, label, tuple(options), chosen))
        return chosen

    def tell(self, text: Said, rule: str, about: str = "", **more: Any) -> None:
        self.notes.append(Remark(text, rule, about=about, **more))
