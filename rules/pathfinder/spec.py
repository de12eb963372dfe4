"""Specs of an army and its commander, before anything is computed: the input of every figure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class AbilityChoice:
    """A special ability with its number and options, as chosen when the army was raised (PF-9)."""

    ability: str
    value: int | None = None
    options: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class UnitSpec:
    """One soldier of a homogeneous army (PF-1.11). `cr` as "1/3" or "9", speed in metres a round."""

    name: str
    cr: str
    hit_die: str = "d8"
    speed_m: float = 9
    creature_type: str = "humanoid"
    alignment: str = "N"
    level: int = 1
    ranged: bool = False
    abilities: tuple[AbilityChoice, ...] = ()


@dataclass(frozen=True, slots=True)
class MountSpec:
    """What the army rides (R-3). Without a CR it costs as CR 1 and never raises the ACR."""

    name: str = ""
    cr: str | None = None
    speed_m: float | None = None
    creature_type: str = "animal"


@dataclass(frozen=True, slots=True)
class BoonChoice:
    boon: str
    tactic: str | None = None


@dataclass(frozen=True, slots=True)
class CommanderSpec:
    """A commander's figures (PF-2.1). `active`: with the army at least 3 days a week, on the field in battle."""

    id: str
    name: str
    level: int = 1
    charisma_modifier: int = 0
    soldier_ranks: int = 0
    leadership_feat: bool = False
    player_character: bool = False
    office: str | None = None
    office_boon: str | None = None
    office_tactic: str | None = None
    boons: tuple[BoonChoice, ...] = ()
    notorious: bool = False
    active: bool = True


@dataclass(frozen=True, slots=True)
class TacticKnown:
    """A tactic the army may use; granted ones are not counted against its room (PF-1.10)."""

    tactic: str
    granted: bool = False


@dataclass(frozen=True, slots=True)
class ArmySpec:
    """An army as it stands. hp None means unhurt; `disease` and `drain` are penalties to OM and DV."""

    id: str
    name: str
    unit: UnitSpec
    count: int
    mount: MountSpec | None = None
    commander: CommanderSpec | None = None
    resources: Mapping[str, int] = field(default_factory=dict)
    tactics: tuple[TacticKnown, ...] = ()
    hp: int | None = None
    morale: int = 0
    arrears: bool = False
    disease: int = 0
    drain: int = 0
    status: str = "ready"
    kingdom: str = ""


# The bounds of Morale, and when an army has had enough (PF-1.9, PF-7.2).

LEAST_MORALE, MOST_MORALE = -4, 4
ARREARS = 2  # Morale, while anything is owed


def breaks(morale: int, arrears: bool) -> bool:
    """Whether the army disbands: at −5 or less, arrears included, before the figure is clamped."""
    return morale - (ARREARS if arrears else 0) < LEAST_MORALE


def clamped(morale: int) -> int:
    return max(LEAST_MORALE, min(MOST_MORALE, morale))
