"""Selection of a reader: which picks of a board mean what. A unit comes first, all else in any order."""

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
    """What of a selection follows the unit: a posture, a hex, a target and how, another act, and what of it is
    otherwise than usual. `charge`, `follow`: None as usual. `stay`: characters who don't go along. `way`: the hexes of
    a way that is laid hex by hex; None where it is the cheapest.
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
        """What stays picked whichever hex or target comes next."""
        posture = (f"{POSTURE}:{self.posture}",) if self.posture else ()
        leaves = (EXIT,) if self.act == EXIT else ()
        charge = () if self.charge is None else (f"{CHARGE}:{NO}",)
        follow = () if self.follow is None else (f"{FOLLOW}:{YES if self.follow else NO}",)
        way = () if self.way is None else (slug_of_way(self.way),)
        return (*posture, *leaves, *charge, *follow, *(f"{STAY}:{one}" for one in self.stay), *way)


def read_picks(state: HostState, selection: Selection) -> PickedAct:
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
    """What is picked where one thing is: a target, else a unit, else whatever else."""
    picks = picks_of(selection)
    return picks.target or picks.unit or next((pick for pick in (picks.to, *picks.more) if pick), "")


def deed_of(selection: Selection) -> str:
    """What a character who is picked is to do."""
    return next((pick for pick in selection[1:] if pick), "")


def standing(unit: str = "", hex_: str = "", target: str = "", more: tuple[str, ...] = ()) -> tuple[str, ...]:
    """What stands of a selection, as boards read it (`picks_of`)."""
    found = (unit, hex_, target, *more)
    while found and not found[-1]:
        found = found[:-1]
    return found
