"""Measures by the module's figures: size and ACR make head count and CR, hexes a day its speed."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from armies.pathfinder.foundry.actor_shapes import is_number, is_text, read_at
from rules.core.errors import InvalidInput
from rules.core.text import Said, _, say
from rules.pathfinder.documents import MOST_SPEED, mount_from_json, unit_from_json
from rules.pathfinder.size import BY_RANK, HIGHEST_CR, LOW, Acr, Size, army_rating, hexes_per_day, parse_cr, size_of
from rules.pathfinder.spec import ArmySpec

NEAR = 0.02  # how far a fraction may be rounded: 0.33 is 1/3
HIGHEST_ACR = HIGHEST_CR + BY_RANK[-1].step
HEXES_MOST = hexes_per_day(Fraction(MOST_SPEED))
METRES = 4.5  # a round, for each hex a day (PF-1.8)


def measure(actor: Mapping[str, Any], what: dict[str, Any], places: dict[str, str]) -> None:
    """Head count and CR. The module has size and ACR: they say so many, and what such an army must be of."""
    size, best = size_of(what["count"]), _best(what)
    now = _size(actor) or size
    acr = _acr(actor)
    if now is not size:
        what["count"], places["/count"] = now.units, "/system/size"
    if acr is None or (now is size and acr == army_rating(best, size)):
        return
    if acr.step < now.step:
        raise InvalidInput(_("No army of this size has so low an ACR."), "/system/acr")
    wanted = Acr(acr.step - now.step)
    if wanted.exact > HIGHEST_CR:
        raise InvalidInput(_("No army of this size has so high an ACR."), "/system/acr")
    if wanted != best:
        places["/unit/cr"] = "/system/acr"
        _set_best(what, wanted)


def _best(what: Mapping[str, Any]) -> Acr:
    """The CR that counts: the higher one of rider and mount (PF-1.3)."""
    unit, mount = what["unit"], what["mount"] or {}
    return max(parse_cr(cr) for cr in (unit["cr"], mount.get("cr")) if cr is not None)


def _set_best(what: Mapping[str, Any], wanted: Acr) -> None:
    """The one that counts has this CR, the other at most this."""
    best = _best(what)
    for part in (what["unit"], what["mount"] or {}):
        if part.get("cr") is not None and (parse_cr(part["cr"]) == best or parse_cr(part["cr"]) > wanted):
            part["cr"] = str(wanted)


def _size(actor: Mapping[str, Any]) -> Size | None:
    rank = read_at(actor, "system/size", is_text, "")
    known = {str(one.rank): one for one in BY_RANK}
    if rank and rank not in known:
        raise InvalidInput(_("The module knows the sizes 0 to 8."), "/system/size")
    return known.get(rank)


def _acr(actor: Mapping[str, Any]) -> Acr | None:
    told = read_at(actor, "system/acr", is_number)
    acr = None if told is None else rated(told)
    if told is not None and acr is None:
        said = _("“{acr}” is no ACR: write 1/8, 1/6, 1/4, 1/3 or 1/2 as a number, or a whole number up to {most}.")
        raise InvalidInput(say(said, acr=str(told)[:20], most=HIGHEST_ACR), "/system/acr")
    return acr


def rated(told: float) -> Acr | None:
    """The step of the ladder this number stands for; None where it is none."""
    for place in range(len(LOW)):
        if abs(told - float(Acr(place).exact)) < NEAR:
            return Acr(place)
    whole_number = 1 <= told <= HIGHEST_ACR and float(told).is_integer()
    return Acr(int(told) + len(LOW) - 1) if whole_number else None


def format_acr(acr: Acr) -> float | int:
    return acr.floor if acr.exact.denominator == 1 else round(float(acr.exact), 4)


def pace(
    actor: Mapping[str, Any], what: dict[str, Any], base: Mapping[str, Any], law: Any, warnings: list[Said]
) -> None:
    """How fast it is. The module has hexes a day: who changes none keeps their own metres."""
    told = read_at(actor, "system/speed/base", is_number)
    if told is None:
        return
    if not 0 <= told < HEXES_MOST + 1:
        raise InvalidInput(say(_("From {least} to {most}, please."), least=0, most=HEXES_MOST), "/system/speed/base")
    hexes = hexes_of(told)
    if hexes != told:
        warnings.append(say(_("Speed {told} is {speed} here."), told=told, speed=hexes))
    if hexes in (_speed(base, law), _speed(what, law)):
        return
    mover = what["mount"] if what["mount"] and what["mount"].get("speed_m") else what["unit"]
    for metres in (METRES * hexes, METRES * hexes + 1.5):  # armor training makes more of some
        mover["speed_m"] = metres
        if _speed(what, law) == hexes:
            return


def hexes_of(told: float) -> int:
    return max(1, int(told)) if 0 <= told <= HEXES_MOST + 1 else 0


def _speed(what: Mapping[str, Any], law: Any) -> int:
    unit, mount = unit_from_json(what["unit"], law), mount_from_json(what["mount"], law)
    hexes: int = law.sheet(ArmySpec("", "", unit, what["count"], mount)).speed.total
    return hexes
