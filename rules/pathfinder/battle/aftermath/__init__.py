"""Aftermath of a battle as a proposal: every change with its rule (PF-6, PF-2.8)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import assert_never

from rules.aftermath import Remark
from rules.core.dice import Dice, DiceNeeded
from rules.core.errors import demand, require
from rules.core.text import _, say
from rules.pathfinder.battle.aftermath.consequences import captured, defeated, routed, show_mercy, victorious
from rules.pathfinder.battle.aftermath.proposal import (
    DISBANDED,
    LOST,
    Aftermath,
    ArmyInCampaign,
    CommanderInCampaign,
    Consequence,
    KingdomFigures,
    Reckoning,
    World,
    rallied,
    set_hp,
)
from rules.pathfinder.battle.state.battle_state import (
    AFTERMATH,
    CAPTURED,
    DEFEATED,
    DRUNK_BEFORE,
    FIGHTING,
    ROUTED,
    ArmyInBattle,
    BattleState,
)
from rules.pathfinder.documents import mount_to_json, unit_to_json
from rules.pathfinder.sheet import rating_of
from rules.pathfinder.spec import BY_RANK, breaks, experience, scaled

__all__ = [
    "Aftermath",
    "ArmyInCampaign",
    "CommanderInCampaign",
    "Consequence",
    "KingdomFigures",
    "World",
    "aftermath",
]  # fmt: skip


def aftermath(battle: BattleState, world: World, choices: Mapping[str, str], dice: Dice) -> Aftermath:
    """Return every change the battle makes to armies, commanders and kingdoms (PF-6).

    Raises `IllegalCommand` before the battle is over, `InvalidInput` for an unknown choice, and `DiceNeeded`.
    """
    require(battle.phase.kind == AFTERMATH, _("The battle isn’t over yet. Finish it first."))
    return proposed(Reckoning(battle, world, choices, dice), _army)


def proposed(reckoning: Reckoning, settle: Callable[[Reckoning, ArmyInBattle], None]) -> Aftermath:
    """Settle every army, losers before victors, and return the proposal (PF-6.1, PF-6.3)."""
    battle, world, dice = reckoning.battle, reckoning.world, reckoning.dice
    for army in sorted(battle.armies.values(), key=lambda army: _won(battle, army)):
        settle(reckoning, army)
    try:
        dice.checkpoint()
    except DiceNeeded as needed:
        raise needed.explained(reckoning.needs) from None
    _experience(reckoning)
    for army in battle.armies.values():
        if army.status not in (DEFEATED, CAPTURED) and not _gone(world, army):
            show_mercy(reckoning, army)
    demand(not reckoning.choices, _("{key} isn’t an open choice. Remove it."), field="/choices",
           key=next(iter(reckoning.choices), ""))  # fmt: skip
    dice.finish()
    return Aftermath(
        tuple(reckoning.changes), tuple(reckoning.notes), tuple(reckoning.questions), tuple(reckoning.rolls)
    )


def _army(r: Reckoning, army: ArmyInBattle) -> None:
    if army.id not in r.world.armies:
        _raised(r, army)
        return
    if has_gone(r, army):
        return
    _lasting(r, army)
    match army.status:
        case "defeated":
            defeated(r, army)
        case "routed":
            routed(r, army)
        case "captured":
            captured(r, army)
        case "fighting" | "withdrawn":
            if _won(r.battle, army):
                victorious(r, army)
            else:
                set_hp(r, army, army.hp, "PF-1.4", LOST)
        case _:
            assert_never(army.status)


def has_gone(r: Reckoning, army: ArmyInBattle) -> bool:
    """Whether the army has disbanded since the battle. If so, a note says it."""
    if gone := _gone(r.world, army):
        told = say(_("{army} disbanded since then: the battle has no effect."), army=army.name)
        r.notes.append(Remark(told, "PF-1.9", about=army.id))
    return gone


def _gone(world: World, army: ArmyInBattle) -> bool:
    """Whether the army has disbanded since, for example in a week that has passed (PF-1.9)."""
    now = world.armies.get(army.id)
    return now is not None and now.status == DISBANDED


def _won(battle: BattleState, army: ArmyInBattle) -> bool:
    return battle.result is not None and army.status == FIGHTING and army.side == battle.result.winner


def _lasting(r: Reckoning, army: ArmyInBattle) -> None:
    """Apply what outlives any battle: lost engines, used potions, disease, drain, and the GM's changes."""
    now = r.world.armies[army.id]
    if army.morale != army.spec.morale:
        r.change("army", army.id, "morale", now.morale, army.morale, "PF-3.12", _("Set by the GM"))
    drained, ill = army.mark("drained"), army.mark("ill")
    if drained is not None:
        r.change(
            "army", army.id, "drain", now.drain, now.drain + drained.amount, "R-44", _("energy drained for 24 hours")
        )
    if ill is not None:
        r.change("army", army.id, "ill", now.ill, True, "PF-7.3", _("fell ill in the battle"))
    engines = now.resources.get("siege-engines", 0)
    if army.engines < engines and not r.battle.law.resources["siege-engines"].off:
        left = {**now.resources, "siege-engines": army.engines}
        kept = {slug: quantity for slug, quantity in left.items() if quantity}
        r.change("army", army.id, "resources", dict(now.resources), kept, "R-15", _("siege engines destroyed"))
    drunk = army.spent.get("resource:healing-potions", 0) + army.spent.get(DRUNK_BEFORE, 0)
    if drunk:
        cost = drunk * scaled(r.battle.law.resources["healing-potions"].consumption, BY_RANK[army.rank])
        r.change("army", army.id, "surcharge", now.surcharge, now.surcharge + cost, "R-22", _("healing potions drunk"))


def _raised(r: Reckoning, army: ArmyInBattle) -> None:
    """Let an army that arose in the battle join its maker's kingdom, if it still stands (R-54)."""
    if army.status not in (FIGHTING, "withdrawn", ROUTED):
        return
    spec, beaten = army.spec, army.status == ROUTED
    morale = army.morale - beaten  # PF-6.2
    if breaks(morale, arrears=False):
        return  # PF-1.9: it disbands at once
    hp = rallied(army) if beaten or _won(r.battle, army) else army.hp  # PF-6.2, PF-6.3
    body = {"kingdom": spec.kingdom, "name": spec.name, "unit": unit_to_json(spec.unit), "count": spec.count,
            "mount": mount_to_json(spec.mount), "hp": hp, "morale": morale,
            "status": ROUTED if beaten else "ready"}  # fmt: skip
    r.change("army", army.id, "created", None, body, "R-54", say(_("{army} rose from the dead"), army=army.name))


def _experience(r: Reckoning) -> None:
    """Award XP to the winners' player characters for each beaten army (PF-6.4, R-56)."""
    winner = None if r.battle.result is None else r.battle.result.winner
    if winner is None:
        return
    for army in r.battle.armies.values():
        if army.side != winner and army.status in (DEFEATED, ROUTED, CAPTURED):
            amount = experience(rating_of(army.spec)[1])
            text = say(
                _("{side} earns {xp} XP for defeating {army}."),
                side=r.battle.sides[winner].name,
                xp=amount,
                army=army.name,
            )
            r.notes.append(Remark(text, "PF-6.4"))
