"""Legal commands now, and whose: the buttons of the pages and the `legal` of the API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rules.breaking_point.battle.battle_state import (
    AFTERMATH,
    COMMAND,
    FLEET,
    ROUND,
    ROUTED,
    SETUP,
    BattleNow,
    Body,
    Order,
)
from rules.breaking_point.battle.conditions import UNTESTED
from rules.breaking_point.battle.field_figures import chief_army, held_fast
from rules.breaking_point.battle.orders.check import ATTACK, SHOOT, why_it_cannot
from rules.breaking_point.battle.reach import why_out_of_reach
from rules.breaking_point.battle.sharing import may_share
from rules.breaking_point.battle.telling.words import WHY_NOT, body_name
from rules.core.text import Said, Term, say
from rules.law import Viewer

GM_COMMANDS: Mapping[str, tuple[str, ...]] = {
    SETUP: ("next", "condition", "reinforce", "override", "end"),
    COMMAND: ("order", "resolve", "condition", "reinforce", "override", "end"),
    ROUND: ("order", "resolve", "condition", "reinforce", "override", "end"),
    AFTERMATH: ("aftermath", "share"),
}


class AimChoice(NamedTuple):
    """An enemy body, and why it cannot be aimed at so, None where it can."""

    body: str
    name: Said
    why_not: Said | None = None


class BodyChoices(NamedTuple):
    """What a body may do. `cannot_attack`, `cannot_shoot`: why not at all. `waits`: only with the reserve's coming."""

    body: str
    key: str
    name: Said
    attack: tuple[AimChoice, ...]
    shoot: tuple[AimChoice, ...]
    cannot_attack: Said | None
    cannot_shoot: Said | None
    may_pursue: bool
    may_withdraw: bool
    waits: bool


class HostChoices(NamedTuple):
    """What an army may be ordered. `rally`: bodies that may still be rallied, by key; `current`: its order so far."""

    army: str
    bodies: tuple[BodyChoices, ...]
    may_withdraw: bool
    may_commit: bool
    may_change_distance: bool
    rally: tuple[str, ...]
    current: Order | None


class LegalFight(NamedTuple):
    commands: tuple[str, ...]
    armies: tuple[HostChoices, ...]


def legal_now(battle: BattleNow, viewer: Viewer) -> LegalFight:
    """The commands open to this viewer, and the choices of the armies they command. `battle` as they see it."""
    mine = [army for army in _asked(battle) if viewer.commands(army)]
    if viewer.gm:
        commands = GM_COMMANDS.get(battle.phase.kind, ())
    else:
        commands = ("order",) if mine else ("share",) if _shares(battle, viewer) else ()
    return LegalFight(commands, tuple(host_choices(battle, army) for army in mine))


def _shares(battle: BattleNow, viewer: Viewer) -> bool:
    """Whether they run an army whose losses they may share otherwise (B-78)."""
    mine = [army for army in battle.armies if viewer.commands(army)]
    over = battle.phase.kind == AFTERMATH
    return over and any(may_share(battle, body, army) for army in mine for body in battle.bodies.values())


def _asked(battle: BattleNow) -> Sequence[str]:
    """Who may be ordered something: before the command test each side's chief (B-24), in a round whoever stands."""
    if battle.phase.kind == COMMAND:
        return [army for side in range(len(battle.sides)) if (army := chief_army(battle, side))]
    return [army for army in battle.owners() if _can_act(battle, army)] if battle.phase.kind == ROUND else []


def _can_act(battle: BattleNow, army: str) -> bool:
    return any(body.on_field or body.waiting for body in battle.of_army(army))


def host_choices(battle: BattleNow, army: str) -> HostChoices:
    if battle.phase.kind == COMMAND:
        free = not any(held_fast(battle, body) for body in battle.of_army(army)) and not battle.holds(UNTESTED)
        return HostChoices(army, (), free, False, False, (), battle.orders.get(army))
    own = [body for body in battle.of_army(army) if body.on_field or body.waiting]
    standing = [body for body in own if body.on_field]
    held = any(held_fast(battle, body) for body in standing)
    return HostChoices(
        army,
        bodies=tuple(_body_choices(battle, body) for body in own if body.status != ROUTED),
        may_withdraw=bool(standing) and not held,
        may_commit=any(body.waiting for body in own),
        may_change_distance=battle.kind == FLEET,
        rally=tuple(body.key for body in own if not body.rallied),
        current=battle.orders.get(army),
    )


def _body_choices(battle: BattleNow, body: Body) -> BodyChoices:
    no_attack, no_shot = _why(battle, body, ATTACK), _why(battle, body, SHOOT)
    return BodyChoices(
        body.id,
        body.key,
        body_name(battle, body),
        attack=_aims(battle, body, ATTACK) if no_attack is None else (),
        shoot=_aims(battle, body, SHOOT) if no_shot is None else (),
        cannot_attack=no_attack,
        cannot_shoot=no_shot,
        may_pursue=not body.shoots_only,
        may_withdraw=battle.kind == FLEET and body.on_field and not held_fast(battle, body),
        waits=body.waiting,
    )


def _why(battle: BattleNow, body: Body, do: str) -> Said | None:
    why = why_it_cannot(battle, body, do)
    return None if why is None else say(why, body=body_name(battle, body))


def _aims(battle: BattleNow, body: Body, do: str) -> tuple[AimChoice, ...]:
    foes = [foe for foe in battle.on_field() if foe.side != body.side]
    return tuple(AimChoice(foe.id, body_name(battle, foe), _barred(battle, body, foe, do)) for foe in foes)


def _barred(battle: BattleNow, body: Body, foe: Body, do: str) -> Said | None:
    why = why_out_of_reach(battle, body, foe, do)
    template: Term | None = WHY_NOT.get(why)
    return None if template is None else say(template, body=body_name(battle, foe))
