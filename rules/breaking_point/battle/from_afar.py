"""Bodies and armies as others see them from afar: names, types, rounded heads, losses in percent (B-18)."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace
from functools import cache

from rules.breaking_point.battle.state.battle_state import RESERVE, Body, Enrolled, Formation, state_of
from rules.breaking_point.losses import share
from rules.breaking_point.spec import CONTACT, General, Host, TroopType, Unit
from rules.core.viewers import WHOLE, band_of


def rounded(heads: int) -> int:
    """Round a number of heads to one significant digit, as enemies see it."""
    power = int(10 ** (len(str(heads)) - 1))
    return (heads + power // 2) // power * power


@cache
def alike(lost: int) -> tuple[int, ...]:
    """Return the range of losses, in percent, that have the same word and state (BP-4.8)."""
    return tuple(one for one in range(2 * WHOLE + 1) if _look(one) == _look(lost))


def likeness(lost: int) -> int:
    """Return the middle of the loss range that has this word and state, as a placeholder for the hidden losses."""
    found = alike(lost)
    return found[len(found) // 2]


def _look(lost: int) -> tuple[str, str]:
    return band_of(WHOLE - lost, WHOLE).slug, state_of(lost, WHOLE)


def masked_body(body: Body) -> Body:
    return replace(
        body,
        formation=formation_from_afar(body.formation),
        force=WHOLE,
        breaking=None,
        value=None,
        losses=share(body.losses, body.force),
        hearts=(),
        adjusted={},
        masked=True,
    )


def reserve_from_afar(formation: Formation) -> Formation:
    """Return the placeholder for a reserve."""
    army, side = formation.army, formation.side
    return Formation(
        f"{army}:{RESERVE}", army, side, RESERVE, (), 0, WHOLE, 0, None, None, "", 0,
        reserve=True, support=formation.support,
    )  # fmt: skip


def formation_from_afar(formation: Formation) -> Formation:
    return formation._replace(
        heads=rounded(formation.heads), force=WHOLE, combat=0, breaking=None, value=None, command=0,
        losses=share(formation.losses, formation.force), mobility=0, contact_combat=0, shot_combat=0, defense=0,
        contact_defense=0, armour=0, adjustments=(),
    )  # fmt: skip


def host_from_afar(host: Host, come: Container[Enrolled], own: Container[Enrolled] = ()) -> Host:
    leader = host.commander
    known = None if leader is None else General(leader.id, leader.name, 0, 0, 0, 0, 0)
    units = ((Enrolled(host.id, place), unit) for place, unit in enumerate(host.units))
    seen = (unit if one in own else _unit(unit) if one in come or not unit.reserve else UNKNOWN for one, unit in units)
    return replace(host, units=tuple(seen), commander=known)


def _unit(unit: Unit) -> Unit:
    """Return the unit with only its name, type and heads rounded to one digit."""
    return replace(
        unit, combat=0, armour=0, toughness=0, weapons=(), breaking=None, mobility=0, shield=False, extra=0, wounded=0,
        experience=0, strength=rounded(unit.strength), never=False, adjustments=(),
    )  # fmt: skip


UNKNOWN = Unit("", TroopType("", "", 0), 0, 0, 0, CONTACT, 0, reserve=True, mobility=0)
"""Placeholder for a unit in a reserve that has not come."""
