"""Parser of a board selection in the action phase. The unit comes first, everything else in any order."""

from __future__ import annotations

from typing import NamedTuple

from rules.battle_law import Selection
from rules.hexbattle.board import picks_of
from rules.hexbattle.choosing import WAY, own_way, slug_of_way
from rules.wing_command.battle.record.state import HostState
from rules.wing_command.spec import MELEE, MISSILE
from rules.wing_command.starter import POSTURES

STAND, EXIT, RALLY, TAKE = "stand", "exit", "rally", "take_wing"
POSTURE, CHARGE, FOLLOW, STAY = "posture", "charge", "follow", "stay"
YES, NO = "yes", "no"
HOWS = (MELEE, MISSILE, "duel-melee", "duel-missile")


class PickedAct(NamedTuple):
    """The picks after the unit: posture, hex, target with kind of attack, another act, and deviations from the default.

    `charge`, `follow`: None for the default. `stay`: characters who don't go along. `way`: the hexes of a path laid by
    hand, None for the cheapest path.
    """

    posture: str = ""
    hex: str = ""
    target: str = ""
    how: str = ""
    act: str = ""
    charge: bool | None = None
    follow: bool | None = None
    stay: tuple[str, ...] = ()
    way: tuple[str, ...] | None = None

    @property
    def slugs(self) -> tuple[str, ...]:
        """The slugs that stay picked whichever hex or target is picked next."""
        posture = (f"{POSTURE}:{self.posture}",) if self.posture else ()
        leaves = (EXIT,) if self.act == EXIT else ()
        charge = () if self.charge is None else (f"{CHARGE}:{NO}",)
        follow = () if self.follow is None else (f"{FOLLOW}:{YES if self.follow else NO}",)
        way = () if self.way is None else (slug_of_way(self.way),)
        return (*posture, *leaves, *charge, *follow, *(f"{STAY}:{one}" for one in self.stay), *way)


def read_picks(state: HostState, selection: Selection) -> PickedAct:
    """The picks after the unit, parsed."""
    found = PickedAct()
    for pick in selection[1:]:
        kind, _colon, value = pick.partition(":")
        if kind in OTHERWISE:
            found = _otherwise(state, found, kind, value)
        elif pick.startswith(WAY):
            found = found._replace(way=own_way((pick,)))
        elif pick in state.field.ground:
            found = found._replace(hex=pick)
        elif pick in HOWS:
            found = found._replace(how=pick)
        elif pick in state.field.tokens:
            found = found._replace(target=pick)
        elif pick in (STAND, EXIT, RALLY):
            found = found._replace(act=pick)
    return found


OTHERWISE = (POSTURE, CHARGE, FOLLOW, STAY)


def _otherwise(state: HostState, found: PickedAct, kind: str, value: str) -> PickedAct:
    if kind == POSTURE and value in POSTURES:
        return found._replace(posture=value)
    if kind == CHARGE and value == NO:
        return found._replace(charge=False)
    if kind == FOLLOW and value in (YES, NO):
        return found._replace(follow=value == YES)
    if kind == STAY and value in state.units:
        return found._replace(stay=tuple(dict.fromkeys((*found.stay, value))))
    return found


def first_of(selection: Selection) -> str:
    """The single pick: a target, else a unit, else anything else; "" for none."""
    picks = picks_of(selection)
    return picks.target or picks.unit or next((pick for pick in (picks.to, *picks.more) if pick), "")


def deed_of(selection: Selection) -> str:
    """The command picked for a character; "" for none."""
    return next((pick for pick in selection[1:] if pick), "")


def standing(unit: str = "", hex_: str = "", target: str = "", more: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The valid part of a selection, in the order that boards expect (`picks_of`)."""
    found = (unit, hex_, target, *more)
    while found and not found[-1]:
        found = found[:-1]
    return found
