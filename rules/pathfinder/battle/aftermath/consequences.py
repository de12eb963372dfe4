"""Consequences of a battle for its armies: defeat, rout, capture, lost commanders, victory and mercy (PF-6, PF-2.8)."""

from __future__ import annotations

from functools import partial

from rules.aftermath import FATE_DIE, FATE_ROLL, FATE_SCALE, FATES, Remark, fate_of
from rules.core.breakdown import Breakdown
from rules.core.dice import Roll
from rules.core.text import Message, Said, Term, _, say
from rules.pathfinder.battle.aftermath.proposal import NOTHING, Reckoning, rally, set_hp, set_morale, victors_of
from rules.pathfinder.battle.state.battle_state import CAPTURED, DEFEATED, ROUTED, ArmyInBattle, BattleState
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.kingdom_checks import kingdom_check, kingdom_need
from rules.pathfinder.leadership import check_boon_learned, learnable_boons, taught_refusal
from rules.pathfinder.rulebook import AFTER_FIRST
from rules.pathfinder.sheet import learn_tactic_refusal
from rules.pathfinder.spec import BY_RANK, CommanderSpec


def defeated(r: Reckoning, army: ArmyInBattle, *, leader_lost: bool = True) -> None:
    """Apply a defeat. `leader_lost`: decide its commander's fate as well; a battle under another law has already said
    it.
    """
    set_hp(r, army, 0, "PF-6.1", _("defeated"))
    now = r.world.armies[army.id]
    r.change("army", army.id, "status", now.status, DEFEATED, "PF-6.1", _("defeated"))
    _kingdom_loses(r, army, "PF-6.1", _("{army} defeated ({size})"))
    if leader_lost:
        lose_commander(r, army)


def _kingdom_loses(r: Reckoning, army: ArmyInBattle, rule: str, why: Term) -> None:
    """Apply what a defeat costs the army's kingdom, by the army's size (PF-6.1, PF-1.2)."""
    owner = r.world.armies[army.id].kingdom
    kingdom = r.world.kingdoms.get(owner)
    if kingdom is None:
        return
    for attribute, loss in zip(("economy", "loyalty", "stability"), BY_RANK[army.rank].defeat, strict=True):
        before = r.now("kingdom", owner, attribute, getattr(kingdom, attribute))
        assert isinstance(before, int)
        label = say(why, army=army.name, size=BY_RANK[army.rank].name)
        r.change("kingdom", owner, attribute, before, before + loss, rule, label)


def lose_commander(r: Reckoning, army: ArmyInBattle, *, captured: bool = False) -> None:
    """Decide a lost commander's fate. NPC: d100 1–20 killed, 21–70 captured, 71–100 escapes. PC: the GM decides
    (PF-2.8). `captured`: a battle under another law has already said that they were (TF-9).
    """
    commander = army.spec.commander
    if commander is None or not commander.active or commander.id not in r.world.commanders:
        return
    options: tuple[tuple[str, Said], ...] = (("captured", _("captured")), ("escapes", _("escapes")))
    fate, rolls = "captured", tuple[Roll, ...]()
    if commander.player_character:
        label = say(_("{commander}, a player character, was beaten. What happens to them?"), commander=commander.name)
        fate = r.ask(f"fate:{army.id}", commander.id, label, options, fate) or fate
    elif not captured:
        roll = r.roll(army.id, FATE_ROLL, FATE_DIE, _fate_need)
        rolls = (roll,)
        fate = fate_of(roll.value)
    _commander_fate(r, army, commander, fate, rolls)


def _fate_need() -> Said:
    return say(
        _("1–{killed}: killed; up to {captured}: captured; above: escapes"),
        killed=FATE_SCALE["killed"].most,
        captured=FATE_SCALE["captured"].most,
    )


def _commander_fate(
    r: Reckoning, army: ArmyInBattle, commander: CommanderSpec, fate: str, rolls: tuple[Roll, ...]
) -> None:
    if fate == "captured" and _mindless_victor(r.battle, army):
        fate = "killed"
        r.notes.append(Remark(say(_("The victor is mindless: it takes no captives.")), "PF-2.8", about=commander.id))
    told = say(FATES[fate], commander=commander.name)
    scale = tuple(FATE_SCALE.values()) if rolls else ()
    r.notes.append(Remark(told, "PF-2.8", rolls, about=commander.id, moment=True, scale=scale))
    now = r.world.commanders[commander.id]
    status = {"killed": "killed", "captured": "captured"}.get(fate, now.status)
    label = say(FATES[fate], commander=commander.name)
    r.change("commander", commander.id, "status", now.status, status, "PF-2.8", label)
    if status == "captured":
        r.change("commander", commander.id, "captures", now.captures, now.captures + 1, "PF-2.8", label)
        price = r.world.armies[army.id].consumption
        ransom = say(_("ransom: the Consumption of {army} for a week"), army=army.name)
        r.change("commander", commander.id, "ransom", now.ransom, price, "PF-2.8", ransom)
        if now.captures + 1 >= 2 and not now.notorious:
            _notorious(r, commander)


def _notorious(r: Reckoning, commander: CommanderSpec) -> None:
    label = say(
        _("Does {commander} get a reputation for losing (Morale −1 to any army they lead)?"), commander=commander.name
    )
    options: tuple[tuple[str, Said], ...] = (("yes", _("yes")), ("no", _("no")))
    if r.ask(f"notorious:{commander.id}", commander.id, label, options, "yes") == "yes":
        r.change("commander", commander.id, "notorious", False, True, "PF-2.8", _("captured again"))


def _mindless_victor(battle: BattleState, army: ArmyInBattle) -> bool:
    victors = victors_of(battle)
    return bool(victors) and all(t.MINDLESS in victor.profile.traits for victor in victors)


def routed(r: Reckoning, army: ArmyInBattle) -> None:
    now = r.world.armies[army.id]
    rally(r, army, "PF-6.2", _("routed"))
    r.change("army", army.id, "status", now.status, ROUTED, "PF-6.2", _("routed"))
    set_morale(r, army, -1, "PF-6.2", _("routed"))


def captured(r: Reckoning, army: ArmyInBattle) -> None:
    now = r.world.armies[army.id]
    set_hp(r, army, army.hp, "R-55", _("surrendered"))
    r.change("army", army.id, "status", now.status, CAPTURED, "R-55", _("surrendered"))
    if army.mark("surrendered") is not None:  # an army that surrendered, in contrast to one without a way out
        _kingdom_loses(r, army, "R-88", _("{army} surrendered ({size})"))
    commander = army.spec.commander
    if commander is not None and commander.active and commander.id in r.world.commanders:
        _commander_fate(r, army, commander, "captured", ())


def victorious(r: Reckoning, army: ArmyInBattle) -> None:
    """Raise hit points; roll Loyalty for morale and a tactic, and again for a boon (PF-6.3, R-56, R-93)."""
    rally(r, army, "PF-6.3", _("victorious"))
    first = _loyalty_check(r, army, army.id, "loyalty-tactic", _("Loyalty check for morale and a tactic"))
    if first:
        set_morale(r, army, 1, "PF-6.3", _("victorious"))
        _learn_tactic(r, army)
    if not first and r.battle.law.house.second_loyalty_check == AFTER_FIRST:
        return
    if _loyalty_check(r, army, _learner(r, army), "loyalty-boon", _("Loyalty check for a boon of the commander")):
        _learn_boon(r, army)


def _learner(r: Reckoning, army: ArmyInBattle) -> str:
    """Return the id that a note about a boon belongs to: the commander's, or the army's if it has no active
    commander.
    """
    commander = army.spec.commander
    led = commander is not None and commander.active and commander.id in r.world.commanders
    return commander.id if commander is not None and led else army.id


def _loyalty_check(r: Reckoning, army: ArmyInBattle, about: str, roll_name: str, title: Term) -> bool:
    """Roll d20 + Loyalty − Unrest against the control DC. 1 fails, 20 succeeds, anarchy counts as 0
    (PF-3.1, PF-8.4).
    """
    kingdom = r.world.kingdoms.get(r.world.armies[army.id].kingdom)
    if kingdom is None:
        return False
    loyalty = r.now("kingdom", r.world.armies[army.id].kingdom, "loyalty", kingdom.loyalty)
    assert isinstance(loyalty, int)
    check = partial(kingdom_check, attribute="loyalty", value=loyalty, unrest=kingdom.unrest, dc=kingdom.control_dc)
    roll = r.roll(army.id, roll_name, 20, partial(kingdom_need, check))
    verdict = check(roll=roll.value)
    template = (
        _("{army}, {what}: {check} against {dc}, success.")
        if verdict.success
        else _("{army}, {what}: {check} against {dc}, failure.")
    )
    text = say(template, army=army.name, what=title, check=verdict.total, dc=kingdom.control_dc)
    r.notes.append(Remark(text, "PF-6.3", (roll,), Breakdown(verdict.breakdown.lines[1:]), about))
    return verdict.success


def _learn_tactic(r: Reckoning, army: ArmyInBattle) -> None:
    law, now = r.battle.law, r.world.armies[army.id]
    open_to = [tactic for slug, tactic in law.tactics.items() if learn_tactic_refusal(law, army.spec, slug) is None]
    if not open_to or t.MINDLESS in army.profile.traits:
        r.notes.append(Remark(say(_("{army}: no room for another tactic."), army=army.name), "R-56", about=army.id))
        return
    options = (NOTHING, *((tactic.slug, tactic.name) for tactic in open_to))
    label = say(_("Tactic learned by {army}"), army=army.name)
    chosen = r.ask(f"tactic:{army.id}", army.id, label, options, "")
    if chosen:
        learned = [*now.tactics, {"tactic": chosen, "granted": False}]
        gained = say(_("learned {tactic}"), tactic=law.tactics[chosen].name)
        r.change("army", army.id, "tactics", list(now.tactics), learned, "PF-6.3", gained)


def _learn_boon(r: Reckoning, army: ArmyInBattle) -> None:
    commander = army.spec.commander
    if commander is None or not commander.active or commander.id not in r.world.commanders:
        r.notes.append(Remark(say(_("{army}: no commander to learn a boon."), army=army.name), "R-56", about=army.id))
        return
    law, now = r.battle.law, r.world.commanders[commander.id]
    options: list[tuple[str, Said]] = [NOTHING]
    for boon in learnable_boons(law, commander):
        if boon.needs_tactic:
            options += _tactic_boons(r, commander, boon.slug)
        else:
            options.append((boon.slug, boon.name))
    if len(options) == 1:
        r.notes.append(
            Remark(
                say(_("{commander} has no room for another boon."), commander=commander.name),
                "R-56",
                about=commander.id,
            )
        )
        return
    label = say(_("Boon learned by {commander}"), commander=commander.name)
    chosen = r.ask(f"boon:{commander.id}", commander.id, label, tuple(options), "")
    if chosen:
        boon_slug, _sep, tactic = chosen.partition(":")
        check_boon_learned(law, commander, boon_slug, tactic or None)
        learned = [*now.boons, {"boon": boon_slug, "tactic": tactic or None}]
        gained = say(_("learned {boon}"), boon=law.boons[boon_slug].name)
        r.change("commander", commander.id, "boons", list(now.boons), learned, "PF-6.3", gained)


def _tactic_boons(r: Reckoning, commander: CommanderSpec, slug: str) -> list[tuple[str, Said]]:
    law = r.battle.law
    held = {choice.tactic for choice in commander.boons if choice.boon == slug} | {commander.office_tactic}
    return [
        (f"{slug}:{tactic.slug}", say(_("{boon}: {tactic}"), boon=law.boons[slug].name, tactic=tactic.name))
        for tactic in law.tactics.values()
        if tactic.slug not in held and taught_refusal(law, tactic.slug) is None
    ]


def show_mercy(r: Reckoning, army: ArmyInBattle) -> None:
    """Let mercy cure one allied army of disease. The penalty then shrinks as usual (PF-9, PF-7.3)."""
    if t.MERCIFUL not in army.profile.traits:
        return
    ill: list[tuple[str, Said]] = []
    for ally in r.battle.armies.values():
        known = r.world.armies.get(ally.id)
        if known is not None and ally.side == army.side and r.now("army", ally.id, "ill", known.ill):
            ill.append((ally.id, Message(Term("{name}"), {"name": ally.name})))
    if not ill:
        return
    label = say(_("Mercy of {army}: which army is cured of disease?"), army=army.name)
    cured = r.ask(f"mercy:{army.id}", army.id, label, (NOTHING, *ill), ill[0][0])
    if cured:
        before = r.now("army", cured, "ill", r.world.armies[cured].ill)
        r.change("army", cured, "ill", before, False, "PF-9", _("cured by mercy"))
