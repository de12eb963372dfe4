"""Losers: defeat, rout and capture, and what becomes of commanders (PF-6.1, PF-6.2, PF-2.8, R-55)."""

from __future__ import annotations

from rules.core.dice import Roll
from rules.core.text import Said, Term, _, say
from rules.lost_commanders import FATE_DIE, FATE_ROLL, FATE_SCALE, FATES, fate_of
from rules.pathfinder.battle.aftermath.proposal import Reckoning, rally, set_hp, set_morale, victors_of
from rules.pathfinder.battle.state.battle_state import CAPTURED, DEFEATED, ROUTED, ArmyInBattle, BattleState
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.size import BY_RANK
from rules.pathfinder.spec import CommanderSpec
from rules.sequels import Remark


def defeated(r: Reckoning, army: ArmyInBattle, *, leader_lost: bool = True) -> None:
    """`leader_lost`: its commander is lost with it; by another law's battle it is known whether they are."""
    set_hp(r, army, 0, "PF-6.1", _("defeated"))
    now = r.world.armies[army.id]
    r.change("army", army.id, "status", now.status, DEFEATED, "PF-6.1", _("defeated"))
    _kingdom_loses(r, army, "PF-6.1", _("{army} defeated ({size})"))
    if leader_lost:
        lose_commander(r, army)


def _kingdom_loses(r: Reckoning, army: ArmyInBattle, rule: str, why: Term) -> None:
    """What a defeat costs its kingdom, by the size of the army (PF-6.1, PF-1.2)."""
    owner = r.world.armies[army.id].kingdom
    kingdom = r.world.kingdoms.get(owner)
    if kingdom is None:
        return
    for attribute, loss in zip(("economy", "loyalty", "stability"), BY_RANK[army.rank].defeat, strict=True):
        before = r.now("kingdom", owner, attribute, getattr(kingdom, attribute))
        assert isinstance(before, int)
        label = say(why, army=army.name, size=BY_RANK[army.rank].name)
        r.change("kingdom", owner, attribute, before, before + loss, rule, label)


def lose_commander(r: Reckoning, army: ArmyInBattle) -> None:
    """NPC: d100 1–20 killed, 21–70 captured, 71–100 escapes; PC: the GM decides (PF-2.8)."""
    commander = army.spec.commander
    if commander is None or not commander.active or commander.id not in r.world.commanders:
        return
    options: tuple[tuple[str, Said], ...] = (("captured", _("captured")), ("escapes", _("escapes")))
    if commander.player_character:
        label = say(_("{commander}, a player character, was beaten: what becomes of them?"), commander=commander.name)
        fate = r.ask(f"fate:{army.id}", commander.id, label, options, "captured") or "captured"
        rolls: tuple[Roll, ...] = ()
    else:
        roll = r.roll(army.id, FATE_ROLL, FATE_DIE, _fate_need)
        rolls = (roll,)
        fate = fate_of(roll.value)
    _commander_fate(r, army, commander, fate, rolls)


def _fate_need() -> Said:
    return say(
        _("up to {killed} killed, up to {captured} captured, above that the commander escapes"),
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
        ransom = say(_("ransom: the Consumption of {army}"), army=army.name)
        r.change("commander", commander.id, "ransom", now.ransom, price, "PF-2.8", ransom)
        if now.captures + 1 >= 2 and not now.notorious:
            _notorious(r, commander)


def _notorious(r: Reckoning, commander: CommanderSpec) -> None:
    label = say(_("Is {commander} now known for losing (Morale −1 to any army led)?"), commander=commander.name)
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
    if army.mark("surrendered") is not None:  # of its own will, not for want of a way out
        _kingdom_loses(r, army, "R-88", _("{army} surrendered ({size})"))
    commander = army.spec.commander
    if commander is not None and commander.active and commander.id in r.world.commanders:
        _commander_fate(r, army, commander, "captured", ())
