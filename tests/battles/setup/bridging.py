"""Battles by wing command that armies of other laws fight, played by the law's own engine player."""

from __future__ import annotations

from random import Random
from typing import Any

from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.play.services import play
from battles.setup.services import open_battle
from rules.core.viewers import Viewer
from rules.hexbattle.field import SIDES
from rules.hexbattle.setup import Place, SetReady, Start
from rules.wing_command.battle.player import next_command
from rules.wing_command.battle.record.commands import SetOrder
from tests.rules.wing_command.fights import Loaded
from tests.rulesets.drivers import sides_of

LAW = "wing-command"
MOST_COMMANDS = 1500


def open_bridged(table: Any, **more: Any) -> Battle:
    told = {"name": "The ford", "sides": sides_of(table), "ruleset": LAW, "map": "the-ford", **more}
    return open_battle(by=table.gm, campaign=table.campaign, **told)


def fresh(battle: Battle) -> Battle:
    return Battle.objects.select_related("campaign").get(pk=battle.pk)


def command(table: Any, battle: Battle, told: Any, **dice: Any) -> Battle:
    now = fresh(battle)
    play(by=table.gm, battle_id=now.pk, version=now.version, command=told, **dice)
    return fresh(now)


def begin(table: Any, battle: Battle) -> Battle:
    """Each army in a row of its zone about the middle, commander and mages with its first troop, on the attack."""
    state = play_battle_state.load_state(fresh(battle))
    for side in SIDES:
        ground = state.field.ground
        spots = sorted(ground.zone(side, 3), key=lambda at: (-ground.from_home(side, at), _off(ground, at)))
        for wing in state.wings_of(side):
            command(table, battle, SetOrder(wing.id, "attack"))
            troops = [unit for unit in wing.members if not state.units[unit].character]
            for unit in (*troops, *(unit for unit in wing.members if unit not in troops)):
                tokens = play_battle_state.load_state(fresh(battle)).field.tokens
                taken = {token.at for token in tokens.values()}
                free = next(at for at in spots if at not in taken and _clear(state, at))
                command(table, battle, Place(unit, free if unit in troops else tokens[troops[0]].at))
        command(table, battle, SetReady(side))
    return command(table, battle, Start())


def _off(ground: Any, at: str) -> tuple[int, str]:
    return abs(ord(at[0]) - ord("A") - ground.columns // 2), at


def _clear(state: Any, at: str) -> bool:
    return bool(state.field.ground.terrain(at).footing == "clear")


def fight(table: Any, battle: Battle, seed: str = "ford") -> Battle:
    """Both sides are played until it is over."""
    random, dice, now = Random(seed), Loaded(seed), fresh(battle)
    for _turn in range(MOST_COMMANDS):
        state = play_battle_state.load_state(now)
        if state.field.ended:
            return now
        engine = play_battle_state.get_engine(now)
        for side in SIDES:
            viewer = Viewer(armies=frozenset(wing.id for wing in state.wings_of(side)))
            told = next_command(engine.seen(state, viewer), viewer, random)
            if told is not None:
                break
        assert told is not None, "somebody has to act"
        now = command(table, now, told, server=dice)
    raise AssertionError("the battle goes on and on")
