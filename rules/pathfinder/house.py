"""House rules of mass combat that a campaign may set (PF-HOUSE), and those in force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rules.core.text import _
from rules.halts import empty_phases
from rules.house import HouseRule, HouseRules, ItemFigure, ItemFigures, every

BP_MOST = 10_000_000
LEADERSHIP_MOST = 100
AFTER_FIRST = "after-first"


def _not_always_known(tactic: Any) -> bool:
    """Whether a tactic may be switched off: not one that every army knows."""
    return not tactic.always_known


HOUSE_RULES = HouseRules(
    rule="PF-HOUSE",
    rules={
        "minimum_damage": HouseRule(
            _("Damage of a hit"), 1, rule="PF-3.6",
            choices={1: _("A hit always costs at least 1 hit point"), 0: _("A hit may cost nothing")},
        ),
        "parting_shots": HouseRule(
            _("Parting shots"), "enemies", rule="PF-3.9",
            choices={
                "enemies": _("Only enemies attack a routing army"),
                "all": _("All armies attack a routing army"),
            },
        ),
        "buildings_required": HouseRule(
            _("Buildings for resources"), True, rule="PF-5",
            choices={True: _("Resources need their building"), False: _("Resources need no building")},
        ),
        "recovery_cap": HouseRule(
            _("Recovery"), "none", rule="PF-7.1",
            choices={"none": _("Rest heals all hit points"), "half": _("Rest heals up to half the hit points")},
        ),
        "second_loyalty_check": HouseRule(
            _("Second Loyalty check of a victor"), "always", rule="R-93",
            choices={
                "always": _("The check for a boon is always made"),
                AFTER_FIRST: _("The check for a boon is made only if the first one succeeds"),
            },
        ),
        "empty_phases": empty_phases(
            "PF-3.2",
            _("A ranged phase in which nobody can shoot or use anything, and nobody is withdrawing. "
              "Undo steps back into it."),
        ),
    },
    figures={
        "resources": ItemFigures(_("Resource"), {
            "price": ItemFigure(_("price in BP"), _("BP"), 0, BP_MOST),
            "consumption": ItemFigure(_("Consumption in BP"), _("BP per week"), 0, BP_MOST),
        }),
        "boons": ItemFigures(_("Boon"), {
            "leadership": ItemFigure(_("required leadership"), _("Required leadership"), 0, LEADERSHIP_MOST),
        }),
    },
    switches={
        "tactics": _not_always_known, "boons": every, "resources": every, "abilities": every, "conditions": every,
    },
)  # fmt: skip

_OWN: Mapping[str, Any] = HOUSE_RULES.defaults


@dataclass(frozen=True, slots=True)
class House:
    """House rules in force. `overlay`: {kind: {slug: {"price": 4, "off": true…}}}."""

    minimum_damage: int = _OWN["minimum_damage"]
    parting_shots: str = _OWN["parting_shots"]
    buildings_required: bool = _OWN["buildings_required"]
    recovery_cap: str = _OWN["recovery_cap"]
    second_loyalty_check: str = _OWN["second_loyalty_check"]
    empty_phases: bool = _OWN["empty_phases"]
    overlay: Mapping[str, Mapping[str, Mapping[str, Any]]] = field(default_factory=dict)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> House:
        return cls(**{name: data[name] for name in cls.__slots__ if name in data})
