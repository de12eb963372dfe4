"""Dice in the user's session: the dice typed so far, and the secret from which the server rolls (so that a retry gives
the same result).
"""

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
from kingdom.access.permissions import PageRequest
from kingdom.dice_fields import DieField, is_dice_field
from rules.core.dice import DiceNeeded, Pinned
from rules.core.errors import Refusal

SECRET_BYTES = 32


def new_dice_secret() -> str:
    return secrets.token_hex(SECRET_BYTES)


KEY, OPEN = "dice", "open"
KEPT_MOST = 1 << 16  # characters of a form kept in a session
NOT_KEPT = {"csrfmiddlewaretoken", "version"}


def pinned(request: PageRequest, battle_id: UUID, version: int) -> Pinned:
    """Return the server's dice for this version of this battle. They stay the same until something is decided with
    them.
    """
    if not is_pinned(request, battle_id, version):
        request.session[KEY] = {"of": [str(battle_id), version], "secret": new_dice_secret()}
    return Pinned(request.session[KEY]["secret"])


def is_pinned(request: PageRequest, battle_id: UUID, version: int) -> bool:
    """Whether the server's dice for this version are fixed, because somebody may have seen some results."""
    return request.session.get(KEY, {}).get("of") == [str(battle_id), version]


def forget_secret(request: PageRequest, battle_id: UUID) -> None:
    if request.session.get(KEY, {}).get("of", [""])[0] == str(battle_id):
        del request.session[KEY]


def keep_open(request: PageRequest, battle: Battle, form: DiceForm) -> None:
    """Keep the dice asked for and those typed across reloads, until the battle moves on or they are discarded."""
    pinned(request, battle.pk, battle.version)
    data: Any = form.data
    others = {name: values for name, values in data.lists() if not (name in NOT_KEPT or is_dice_field(name))}
    sent = others | form.kept()
    if sum(len(value) for values in sent.values() for value in values) > KEPT_MOST:
        put_away(request)  # no form of our pages is so long
        return
    asking = {"sent": {**sent, "how": [form.how]}, "refused": bool(form.wrong)}
    if request.session[KEY].get(OPEN) != asking:
        request.session[KEY] = {**request.session[KEY], OPEN: asking}


def put_away(request: PageRequest) -> None:
    """Stop showing typed dice. The server's dice stay the same."""
    if OPEN in request.session.get(KEY, {}):
        request.session[KEY] = {name: value for name, value in request.session[KEY].items() if name != OPEN}


def read_left_open(request: PageRequest, battle: Battle) -> tuple[QueryDict, bool] | None:
    """Return the kept dice of this battle and version: the fields, and whether they were refused. None if there are
    none.
    """
    kept: dict[str, Any] = request.session.get(KEY, {})
    if kept.get("of") != [str(battle.pk), battle.version] or OPEN not in kept:
        return None
    data = QueryDict(mutable=True)
    for name, values in kept[OPEN]["sent"].items():
        data.setlist(name, values)
    return data, kept[OPEN]["refused"]


# Carried dice: if an order arrives while dice are being typed, they are asked for again, with the faces that still fit.


def ordered_since(battle: Battle, version: int) -> bool:
    """Whether only orders arrived since, so that the phase to resolve is the same."""
    since, ui = commands_since(battle, version), get_battle_ui(get_law(battle))
    return bool(since) and all(map(ui.army_of, since))


def carry_over(typed: DiceForm, fresh: DiceForm, obey: Callable[[DiceForm], object]) -> list[DieField] | None:
    """Fill a fresh form with the dice that were typed, step by step, as long as all dice of a step are known. The last
    step stays open for review.

    Returns typed dice that no longer fit; None if nothing is asked for. `obey` tries the form and is rolled back.
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
