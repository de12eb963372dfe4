"""The tactics an army may use, and which more it can learn (PF-1.10)."""

from __future__ import annotations

from rules.core.content import SWITCHED_OFF
from rules.core.text import Said, _, say
from rules.pathfinder.leadership import ALWAYS_KNOWN, commander_sheet
from rules.pathfinder.rulebook import Rulebook
from rules.pathfinder.sheet import army_sheet
from rules.pathfinder.spec import ArmySpec, TacticKnown


def tactics_of(law: Rulebook, spec: ArmySpec) -> tuple[str, ...]:
    """Every tactic the army may use: always known, learned, granted, its commander's, its tactician's."""
    own = [slug for slug, tactic in law.tactics.items() if tactic.always_known]
    own += [known.tactic for known in spec.tactics if known.tactic in law.tactics]
    own += bonus_tactics(law, spec)
    return tuple(slug for slug in dict.fromkeys(own) if not law.tactics[slug].off)


def bonus_tactics(law: Rulebook, spec: ArmySpec) -> list[str]:
    """Tactics that come from the commander or a tactician, outside the room of the army (PF-1.10)."""
    teaches = not law.abilities["tactician"].off
    found = [str(c.options.get("tactic")) for c in spec.unit.abilities if c.ability == "tactician" and teaches]
    if spec.commander is not None and spec.commander.active:
        for state in commander_sheet(law, spec.commander).boons:
            taught = state.active and state.boon.needs_tactic and not state.boon.off
            found += state.tactics if taught else ()
    return [slug for slug in found if slug in law.tactics and not law.tactics[slug].off]


def learn_tactic_refusal(law: Rulebook, spec: ArmySpec, tactic: str, granted: bool = False) -> Said | None:
    """Why the army cannot learn this tactic, or None (PF-1.10)."""
    item = law.tactics.get(tactic)
    if item is None:
        return say(_("There is no tactic “{slug}”."), slug=tactic)
    if item.off:
        return say(SWITCHED_OFF, item=item.name)
    if item.always_known:
        return say(ALWAYS_KNOWN, tactic=item.name)
    if law.mindless(spec.unit.abilities):
        return say(_("{army} is mindless: it knows only the standard tactic."), army=spec.name)
    if TacticKnown(tactic, True) in spec.tactics or TacticKnown(tactic, False) in spec.tactics:
        return say(_("This army knows {tactic} already."), tactic=item.name)
    sheet = army_sheet(law, spec)
    if not granted and sheet.tactics_counted >= sheet.tactics_max:
        return say(_("This army has room for {most} tactics (half its ACR)."), most=sheet.tactics_max)
    return None
