"""Dice in the session while a table types them: the secret behind those the server rolls, and those typed so far."""

from __future__ import annotations

import secrets
from collections import defaultdict, deque
from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.db import transaction
from django.http import QueryDict

from battles.field.forms import DiceForm
from battles.models import Battle
from battles.play.battle_state import get_law
from battles.play.event_log import commands_since
from battles.ruleset_ui import get_battle_ui
from kingdom.access.request_types import PageRequest
from kingdom.dice_fields import DieField, is_dice_field
from rules.core.dice import DiceNeeded, Pinned
from rules.core.errors import Refusal

SECRET_BYTES = 32


def new_dice_secret() -> str:
    return secrets.token_hex(SECRET_BYTES)


KEY, OPEN = "dice", "open"
KEPT_MOST = 1 << 16  # characters of a form that a session keeps
NOT_KEPT = {"csrfmiddlewaretoken", "version"}


def pinned(request: PageRequest, battle_id: UUID, version: int) -> Pinned:
    """The server's dice for this version of this battle: the same until something was decided with them."""
    if not is_pinned(request, battle_id, version):
        request.session[KEY] = {"of": [str(battle_id), version], "secret": new_dice_secret()}
    return Pinned(request.session[KEY]["secret"])


def is_pinned(request: PageRequest, battle_id: UUID, version: int) -> bool:
    """Whether the server's dice for this version are settled: somebody may have seen what came of some of them."""
    return request.session.get(KEY, {}).get("of") == [str(battle_id), version]


def forget_secret(request: PageRequest, battle_id: UUID) -> None:
    if request.session.get(KEY, {}).get("of", [""])[0] == str(battle_id):
        del request.session[KEY]


def keep_open(request: PageRequest, battle: Battle, form: DiceForm) -> None:
    """The dice asked for and what was typed outlive a reload, until the battle moves on or they are put away."""
    pinned(request, battle.pk, battle.version)
    data: Any = form.data
    others = {name: values for name, values in data.lists() if not (name in NOT_KEPT or is_dice_field(name))}
    sent = others | form.kept()
    if sum(len(value) for values in sent.values() for value in values) > KEPT_MOST:
        put_away(request)  # no form of a page is so long
        return
    asking = {"sent": {**sent, "how": [form.how]}, "refused": bool(form.wrong)}
    if request.session[KEY].get(OPEN) != asking:
        request.session[KEY] = {**request.session[KEY], OPEN: asking}


def put_away(request: PageRequest) -> None:
    """What is typed is no longer shown; the server's dice stay what they are."""
    if OPEN in request.session.get(KEY, {}):
        request.session[KEY] = {name: value for name, value in request.session[KEY].items() if name != OPEN}


def read_left_open(request: PageRequest, battle: Battle) -> tuple[QueryDict, bool] | None:
    """What was kept of the dice of this battle as it stands: the fields, and whether they were refused."""
    kept: dict[str, Any] = request.session.get(KEY, {})
    if kept.get("of") != [str(battle.pk), battle.version] or OPEN not in kept:
        return None
    data = QueryDict(mutable=True)
    for name, values in kept[OPEN]["sent"].items():
        data.setlist(name, values)
    return data, kept[OPEN]["refused"]


# Carried dice: those being typed while an order came in are asked for anew, with the faces that still have a place.


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
