"""Options of an army, and reasons against them. Orders, buttons and the API all ask here."""

from __future__ import annotations

from dataclasses import replace

from rules.core.content import SWITCHED_OFF
from rules.core.text import Said, _, say
from rules.pathfinder.battle.state.battle_state import (
    FIGHTING,
    MELEE,
    PHASES,
    RANGED,
    TACTICS,
    ArmyInBattle,
    BattleState,
    Fort,
)
from rules.pathfinder.battle.state.view import ArmyView, can_shoot, forts_of, parts_left, wind_allows
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.catalogue.effects import Situation, Use
from rules.pathfinder.figures import UseOf
from rules.pathfinder.sheet import abilities_now, tactics_of

TACTIC_DC = 15  # DCs of morale checks to change tactic and strategy (PF-3.5, PF-3.7)
STRATEGY_DC = 20
SANDSTORM = "sandstorm"  # condition that a use sets only once


def cannot_act(battle: BattleState, army: ArmyInBattle) -> Said | None:
    """Return why the army takes no orders at all, or None."""
    if army.status != FIGHTING:
        return say(_("{army} left the field."), army=army.name)
    stand = army.mark("last-stand")
    if stand is not None and (battle.phase.kind != MELEE or stand.other == str(battle.phase.tick)):
        return say(_("{army} can only act in the next melee phase, the last stand."), army=army.name)
    if battle.phase.kind == TACTICS and army.id in battle.ambushed:
        return say(_("{army} can’t act in the tactics phase: ambushed."), army=army.name)
    return None


def why_it_stays(battle: BattleState, army: ArmyInBattle) -> Said | None:
    """Return why a withdrawing army keeps its distance but cannot leave the field, or None (R-59, R-62)."""
    if army.id in battle.opening.cannot_leave:
        return _("keeps its distance: no way out")
    if army.mark("last-stand") is not None:
        return _("keeps its distance: last stand")
    if army.mark("doomed", battle.phase.tick) is not None:
        return _("keeps its distance: will rout")
    return None


def surrender_refusal(battle: BattleState, army: ArmyInBattle) -> Said | None:
    """Return why the army cannot surrender now, or None (R-88)."""
    if battle.phase.kind != MELEE:
        return _("An army can only surrender in a melee phase.")
    if army.mark("last-stand") is not None:
        return say(_("{army} can’t surrender in a last stand."), army=army.name)
    return None


def range_refusal(battle: BattleState, army: ArmyInBattle) -> Said | None:
    """Return why the army cannot stay at range now, or None (R-89)."""
    if battle.phase.kind != RANGED:
        return _("An army can only stay at range in a ranged phase.")
    most = battle.opening.ammunition
    if most is not None and battle.phase.number >= most:
        return _("No ammunition is left for another ranged phase.")
    view = ArmyView(battle, army)
    if not can_shoot(view) or army.mark("last-stand") is not None:
        return say(_("{army} can’t shoot and so can’t stay at range."), army=army.name)
    if not wind_allows(view):
        return say(_("The wind prevents {army} from shooting, so it can’t stay at range."), army=army.name)
    return None


def tactics_now(battle: BattleState, army: ArmyInBattle) -> tuple[str, ...]:
    """Return every tactic the army may use, without that of a Tactician whom the GM took away (PF-1.10, PF-3.12)."""
    spec = army.spec
    if "tactician" in army.lost:
        spec = replace(spec, unit=replace(spec.unit, abilities=abilities_now(spec, army.gained, army.lost)))
    return tactics_of(battle.law, spec)


def tactic_refusal(battle: BattleState, army: ArmyInBattle, slug: str) -> Said | None:
    """Return why the army cannot adopt this tactic, or None (PF-1.10, PF-3.11, R-23)."""
    tactic = battle.law.tactics.get(slug)
    if tactic is None:
        return say(_("Tactic “{slug}” not found."), slug=slug)
    if tactic.off:
        return say(SWITCHED_OFF, item=tactic.name)
    if t.MINDLESS in army.profile.traits and slug != "standard":
        return say(_("{army} can only use the standard tactic, being mindless."), army=army.name)
    if slug not in tactics_now(battle, army):
        return say(_("{army} must learn {tactic} first."), army=army.name, tactic=tactic.name)
    if army.mark("rage") is not None and tactic.careful:
        return say(_("{army} can’t fight this carefully while raging."), army=army.name)
    if tactic.needs is not None and tactic.needs(Situation(ArmyView(battle, army))) is not True:
        return say(_("{army} can’t use {tactic}: {need}."), army=army.name, tactic=tactic.name, need=tactic.needs_text)
    return None


def strategy_refusal(battle: BattleState, army: ArmyInBattle, slug: str) -> Said | None:
    """Return why the army cannot take this strategy now, or None (PF-3.7)."""
    if slug not in battle.law.strategies:
        return say(_("Strategy “{slug}” not found."), slug=slug)
    if battle.phase.kind != MELEE:
        return _("You can only choose a strategy in melee phases.")
    if t.MINDLESS in army.profile.traits and slug != "standard":
        return say(_("{army} can only use the standard strategy, being mindless."), army=army.name)
    if army.mark("rage") is not None and battle.law.strategies[slug].careful:
        return say(_("{army} can’t fight this carefully while raging."), army=army.name)
    return None


def tactic_is_free(battle: BattleState, army: ArmyInBattle, slug: str) -> bool:
    """Whether the army changes to this tactic without a check (PF-3.4, PF-3.5)."""
    return slug == "withdraw" or battle.phase.kind == TACTICS or army.mark("fresh") is not None


def strategy_is_free(battle: BattleState, army: ArmyInBattle, slug: str) -> bool:
    """Whether a strategy is taken without a check in melee: the army's first one, or one at most a
    step away (PF-3.7).
    """
    strategies = battle.law.strategies
    return army.melees == 0 or abs(strategies[army.strategy].step - strategies[slug].step) <= 1


def target_refusal(battle: BattleState, army: ArmyInBattle, target: str) -> Said | None:
    foe = battle.armies.get(target)
    if foe is None:
        return _("This army isn’t in this battle.")
    if foe.side == army.side:
        return say(_("{target} and {army} are on the same side."), target=foe.name, army=army.name)
    if foe.status != FIGHTING:
        return say(_("{target} left the field."), target=foe.name)
    return None


def uses_of(battle: BattleState, army: ArmyInBattle, tactic: str | None = None) -> tuple[UseOf, ...]:
    """Return everything the army could ever use, with its current or the given tactic."""
    item = battle.law.tactics.get(tactic or army.tactic)
    own = (UseOf("tactic", item, item.use),) if item is not None and item.use is not None else ()
    return (*army.profile.uses, *own)


def spent_key(use: UseOf) -> str:
    return f"{use.kind}:{use.source.slug}"


def uses_left(army: ArmyInBattle, use: UseOf) -> int | None:
    """Return how often it can still be used in this battle; None if it is limited per phase."""
    if use.use.per != "battle":
        return None
    return max(0, use.use.times - army.spent.get(spent_key(use), 0))


def use_refusal(battle: BattleState, army: ArmyInBattle, use: UseOf) -> Said | None:
    """Return why this use is not available now, whatever its target and option, or None."""
    name, phase = use.source.name, battle.phase.kind
    if phase not in PHASES:
        return say(_("You can only order {use} in ranged and melee phases."), use=name)
    if use.use.phase == MELEE and phase == RANGED:
        return say(_("You can only order {use} in melee phases."), use=name)
    shaped = use.source.slug == "wild-shape" and army.mark("shape") is not None
    if uses_left(army, use) == 0 and not shaped:
        return say(_("{army}: {use} already used."), army=army.name, use=name)
    return _use_refusal_by_state(battle, army, use)


def _use_refusal_by_state(battle: BattleState, army: ArmyInBattle, use: UseOf) -> Said | None:
    if use.use.heal is not None and army.mark("last-stand") is not None:
        return say(_("{army} can’t heal in a last stand."), army=army.name)
    if use.use.needs is not None and use.use.needs(Situation(ArmyView(battle, army))) is False:
        return say(use.use.needs_text, army=army.name)
    if use.use.condition and (item := battle.law.conditions[use.use.condition]).off:
        return say(SWITCHED_OFF, item=item.name)
    if use.use.condition == SANDSTORM and any(c.condition == SANDSTORM and not c.armies for c in battle.conditions):
        return _("A sandstorm is already blowing over the field.")
    return None


def option_choices(army: ArmyInBattle, use: UseOf) -> tuple[str, ...]:
    """Return the current options of a use. Wild shape once taken can only be ended (R-24)."""
    if use.source.slug != "wild-shape":
        return use.use.options
    return ("end",) if army.mark("shape") is not None else use.use.options


def use_targets(battle: BattleState, army: ArmyInBattle, use: Use) -> list[ArmyInBattle]:
    """Return the armies that a use may target: enemies, or its own side including itself."""
    if use.target == "enemy":
        return battle.enemies(army)
    return [ally for ally in battle.on_field() if ally.side == army.side] if use.target == "ally" else []


def use_target_refusal(battle: BattleState, army: ArmyInBattle, use: UseOf, target: ArmyInBattle) -> Said | None:
    """Return why the use cannot target this army, or None."""
    if target not in use_targets(battle, army, use.use):
        return say(_("{use} can’t target {target}."), use=use.source.name, target=target.name)
    meeting = Situation(ArmyView(battle, army), ArmyView(battle, target))
    if use.use.needs is not None and use.use.needs(meeting) is False:
        return say(use.use.needs_text, army=army.name, target=target.name)
    if use.use.mark == "burrowing" and fort_to_dig(battle, army, target) is None:
        return say(_("{target}: no fortification left to undermine."), target=target.name)
    return None


def fort_to_dig(battle: BattleState, army: ArmyInBattle, target: ArmyInBattle) -> Fort | None:
    """Return the first fortification around the target that the army has not dug under yet."""
    dug = {mark.other for mark in army.marks if mark.kind == "burrowed"}
    for fort in forts_of(ArmyView(battle, target)):
        if fort.id not in dug and any(value > 0 for _part, value in parts_left(fort)):
            return fort
    return None
