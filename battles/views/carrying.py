"""Dice that were being typed while an order came in: they are asked for anew, with the faces that have a place yet."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable

from django.db import transaction

from battles.codec.storage import keeper_of
from battles.faces import face_of
from battles.folding import law_of
from battles.forms.dice import DiceForm
from battles.models import Battle
from kingdom.forms.dice import DieField
from rules.dice import DiceNeeded
from rules.errors import Refusal

Faces = dict[str, deque[str]]


def ordered_since(battle: Battle, version: int) -> bool:
    """Whether nothing but orders came since: the phase that is to be resolved is the same."""
    since = list(battle.records.filter(version__gt=version).values_list("command", flat=True))
    law = law_of(battle)
    face, keeper = face_of(law), keeper_of(law.battle)
    known = 0 < len(since) == battle.version - version  # what is undone leaves a version without its record
    return known and all(face.army_of(keeper.load_command(command)) for command in since)


def carry_over(typed: DiceForm, fresh: DiceForm, obey: Callable[[DiceForm], object]) -> list[DieField] | None:
    """What `fresh` asks for, filled with what was typed, step by step as far as all of a step is known; the last step
    stays open, to be looked at. Answers dice that have no place any more; None where nothing is asked for.

    `obey` does what the form is for, and is taken back.
    """
    given = [die for die in (*typed.dice, *typed.asked) if die.typed]
    faces: Faces = defaultdict(deque)
    for die in given:
        faces[die.key].append(die.typed)
    while _asks(fresh, obey):
        for die in fresh.asked:
            die.typed = faces[die.key].popleft() if faces[die.key] else ""
        if any(die.empty or (not die.left and die.read() is None) for die in fresh.asked):
            return _left(given, faces)
        fresh.settle()
    return _left(given, faces) if fresh.reopen() else None


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


def _left(given: list[DieField], faces: Faces) -> list[DieField]:
    left = {key: len(rest) for key, rest in faces.items()}
    found = []
    for die in reversed(given):
        if left[die.key]:
            left[die.key] -= 1
            found.append(die)
    return found[::-1]
