"""Stance of an army in its row: tactic, strategy, target."""

from __future__ import annotations

from dataclasses import dataclass

from rules.core.text import Said, Term, _, say
from rules.pathfinder.battle.state.battle_state import FIGHTING, KEEP, MELEE, PHASES, ArmyInBattle, BattleState
from rules.pathfinder.catalogue.marks import MARKS


@dataclass(frozen=True)
class Stance:
    """`steps`: the place of its strategy on the track, and how long that is."""

    tactic: Said
    icon: str
    aim: Said | None = None
    target: str = ""
    steps: tuple[int, int] | None = None


def build_stance(battle: BattleState, army: ArmyInBattle, *, commanded: bool) -> Stance:
    """As ordered, for whoever commands it; else as it was. A tactic ordered is not yet a tactic taken up."""
    order = battle.orders.get(army.id) if commanded else None
    tactic = battle.law.tactics[(order.tactic if order else None) or army.tactic]
    if order is not None and order.surrender:
        return Stance(MARKS["surrendering"].name, "surrendering")
    if army.status != FIGHTING or battle.phase.kind not in PHASES or tactic.slug == "withdraw":
        return Stance(tactic.name, tactic.slug)
    chosen = army.target if order is None or order.target == KEEP else order.target
    foe = battle.armies.get(chosen or "")
    target = foe.id if foe is not None and foe.status == FIGHTING else ""
    whom: Said = say(Term("{name}"), name=foe.name) if foe is not None and target else _("nobody: hold")
    if battle.phase.kind != MELEE:
        aim: Said | None = say(_("→ {army}"), army=whom) if target else None
        if order is not None and order.stay_at_range:
            aim = say(_("at range → {army}"), army=whom) if target else _("at range")
        return Stance(tactic.name, tactic.slug, aim, target)
    slug = (order.strategy if order else None) or army.strategy
    track = list(battle.law.strategies)
    meant = say(_("{strategy} → {army}"), strategy=battle.law.strategies[slug].name, army=whom)
    known = meant if target or order else battle.law.strategies[slug].name
    return Stance(tactic.name, tactic.slug, known, target, (track.index(slug), len(track)))
