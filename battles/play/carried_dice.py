"""Carried dice: those being typed while an order came in are asked for anew, with the faces that still have a place."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable

from django.db import transaction

from battles.field.dice_forms import DiceForm
from battles.models import Battle
from battles.play.battle_state import get_law
from battles.play.commands_since import commands_since
from battles.ruleset_ui import get_battle_ui
from kingdom.dice_fields import DieField
from rules.core.dice import DiceNeeded
from rules.core.errors import Refusal


def ordered_since(battle: Battle, version: int) -> bool:
    """Whether nothing but orders came since: the phase that is to be resolved is the same."""
    since, ui = commands_since(battle, version), get_battle_ui(get_law(battle))
    return bool(since) and all(map(ui.army_of, since))


def carry_over(typed: DiceForm, fresh: DiceForm, obey: Callable[[DiceForm], object]) -> list[DieField] | None:
    """What `fresh` asks for, filled with what was typed, step by step as far as all of a step is known; the last step
    stays open, to be looked at. Answers dice that have no place any more; None where nothing is asked for.

    `obey` does what the form is for, and is taken back.
    """
    waiting: dict[str, deque[DieField]] = defaultdict(deque)
    for die in (*typed.dice, *typed.asked):
        if die.typed:
            waiting[die.key].append(die)
    open_still = False
    while not open_still and _asks(fresh, obey):
        for die in fresh.asked:
            die.typed = waiting[die.key].popleft().typed if waiting[die.key] else ""
        open_still = any(die.empty or (not die.left and die.read() is None) for die in fresh.asked)
        if not open_still:
            fresh.settle()
    left = [die for dice in waiting.values() for die in dice]
    return left if open_still or fresh.reopen() else None


def _asks(form: DiceForm, obey: Callable[[DiceForm], object]) -> bool:
    try:
        with transaction.atomic():
            obey(form)
            transaction.set_rollback(True)
    except DiceNeeded as needed:
        form.ask_for(needed)
        return True
    except Refusal:
        pass
    return False
