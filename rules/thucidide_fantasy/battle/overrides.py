"""The GM's hand in a battle (TF-9): reinforcements, appeals a scenario foresees, states set by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.errors import demand, require
from rules.core.text import _
from rules.thucidide_fantasy.arsenal import TEMPERS
from rules.thucidide_fantasy.battle.combat.losses import fall
from rules.thucidide_fantasy.battle.combat.retreat import is_free
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.commands import REASON_MOST
from rules.thucidide_fantasy.battle.record.entering import entering
from rules.thucidide_fantasy.battle.record.state import FantasyState
from rules.thucidide_fantasy.battle.run import Run
from rules.thucidide_fantasy.battle.spells.appeals import appeal as appeal_to_god
from rules.thucidide_fantasy.contingent import POINTS_MOST, USUAL_MELEE
from rules.thucidide_fantasy.figures import Tables, rate_of
from rules.thucidide_fantasy.spec import CASTER, HERO, INFANTRY, LEADER, MEDIUM, CharacterFigures
from rules.thucidide_fantasy.starter import HERO_FASTER, ISOLATED_MOVE, LEVELS, RANKS, WEIGHTS

WHOLE = _("Use a whole number from {low} to {high}.")
DICE_MOST, STANDS_MOST, MOVE_MOST, COUNTERS_MOST = 12, 12, 12, 99
OF_FIGURES = {
    "weight": (1, 7), "move": (0, MOVE_MOST), "calm": (0, MOVE_MOST), "assault": (0, DICE_MOST),
    "melee": (0, DICE_MOST), "shot": (0, DICE_MOST), "range": (0, DICE_MOST), "dice": (-2, 4),
}  # fmt: skip
CHOICES_OF_ROLES: Mapping[str, tuple[str, ...]] = {"rank": ("", *RANKS), "level": tuple(LEVELS)}
LIMITS_OF_ROLES = {"resistance": (0, STANDS_MOST), "points": (0, POINTS_MOST)}
OF_ROLES = frozenset({*CHOICES_OF_ROLES, *LIMITS_OF_ROLES})
"""What makes a character a leader, a hero, a caster."""
USUAL_LEVEL = "normal"
FLAGS = ("activated", "fought", "done", "announced")


def piece(state: FantasyState, unit: str) -> str:
    """The unit or character named. Raises `InvalidInput` for what isn't in the battle."""
    demand(unit in state.units or unit in state.people, _("This unit isn’t in the battle."), field="/unit")
    return unit


def appeal(run: Run, command: c.AppealByGm) -> None:
    """An appeal that the scenario foresees needs nobody's consent."""
    person = command.character
    demand(person in run.state.people, _("Choose a character."), field="/character")
    require(run.state.standing(person), _("The character has left the battle."), field="/character")
    appeal_to_god(run, person)


def reinforce(run: Run, command: c.Reinforce) -> None:
    """An army joins a side, into its reserve (T-97)."""
    state = run.state
    demand(command.side in (0, 1), _("Give side 0 or 1."), field="/side")
    require(command.army.id not in state.field.armies, _("This army is in the battle already."), field="/army")
    run.emit(e.ArmyJoined(entering(command.army._replace(side=command.side), state.opening.salt)))


# Overrides


def override(run: Run, command: c.Override) -> None:
    """A state of a unit, a character or a side is set by hand."""
    told = {"least": 1, "most": REASON_MOST}
    fits = 0 < len(command.reason.strip()) <= REASON_MOST
    demand(fits, _("Give a text of {least} to {most} characters."), field="/reason", **told)
    state, what = run.state, command.what
    value: Any = command.value
    if command.field == "counters":
        demand(what in ("0", "1"), _("Give side 0 or 1."), field="/what")
        demand_whole(value, (0, COUNTERS_MOST), "/value")
    else:
        demand(what in state.field.tokens, _("Name a unit or character of this battle."), field="/what")
        require(not state.token(what).gone, _("The unit has left the battle."), field="/what")
        _check(state, command)
    run.emit(e.Overridden(what, command.field, value, command.reason.strip(), _seen(state, what)))
    if command.field in ("stands", "left") and value == 0:
        fall(run, what)


def _seen(state: FantasyState, what: str) -> tuple[bool, ...]:
    token = state.field.tokens.get(what)
    return (True, True) if token is None or not token.hidden else tuple(side == token.side for side in (0, 1))


def _check(state: FantasyState, command: c.Override) -> None:
    what, name, value = command.what, command.field, command.value
    if name == "at":
        at = state.field.ground.require_hex(value, field="/value")
        side = state.side_of(what)
        own = all(other.side == side for other in state.field.at(at))
        free = own if what in state.people else is_free(state, what, at)
        require(free, _("{hex} is taken."), field="/value", hex=at)
    elif name in FLAGS:
        demand(isinstance(value, bool), _("Answer yes or no."), field="/value")
    elif name == "stands" and what in state.units:
        demand_whole(value, (0, state.units[what].start), "/value")
    elif name == "left" and what in state.people:
        demand_whole(value, (0, state.people[what].start), "/value")
    else:
        check_figure(state, what, name, value, "/value")


def edited_person(own: CharacterFigures, fields: Mapping[str, Any]) -> CharacterFigures:
    """A character with these figures. With resistance they are a hero, without none; with points they cast; with a rank
    they lead (TF-8, T-48).
    """
    fields = {name: value or "" if name == "rank" else value for name, value in fields.items()}
    now = own._replace(**fields)
    if "resistance" in fields and bool(now.resistance) != own.hero:
        now = _hero(now, fields) if now.resistance else _no_hero(now)
    kind = LEADER if now.rank else HERO if now.hero else CASTER if now.casts else now.kind
    level = now.level or USUAL_LEVEL if now.rank else ""
    return now._replace(kind=kind, level=level) if OF_ROLES & fields.keys() else now


def _hero(own: CharacterFigures, given: Mapping[str, Any]) -> CharacterFigures:
    """With the usual figures of a hero, as far as others weren't given (TF-8)."""
    rate = rate_of(INFANTRY, MEDIUM, Tables())
    usual = {"weight": WEIGHTS[MEDIUM].level, "melee": USUAL_MELEE, "move": rate.move + HERO_FASTER,
             "calm": rate.calm + HERO_FASTER}  # fmt: skip
    return own._replace(hero=True, **{name: figure for name, figure in usual.items() if name not in given})


def _no_hero(own: CharacterFigures) -> CharacterFigures:
    return own._replace(
        hero=False, weight=0, mounted=False, melee=0, shot=0, range=0, move=ISOLATED_MOVE, calm=ISOLATED_MOVE
    )


def check_person(state: FantasyState, what: str, name: str, value: object, at: str) -> None:
    """Raises `InvalidInput` for a figure of a character before the battle that they can't have."""
    if name in CHOICES_OF_ROLES:
        known = CHOICES_OF_ROLES[name]
        demand(value in known or (name == "rank" and value is None), _("Choose one of: {choices}."), field=at,
               choices=", ".join(filter(None, known)))  # fmt: skip
    elif name in LIMITS_OF_ROLES:
        demand_whole(value, LIMITS_OF_ROLES[name], at)
    else:
        check_figure(state, what, name, value, at)


def check_figure(state: FantasyState, what: str, name: str, value: object, at: str) -> None:
    """Raises `InvalidInput` for a figure that somebody can't have."""
    own = state.units[what].own if what in state.units else state.people[what].own
    known = name in OF_FIGURES and name in own._fields
    if name == "temper" and what in state.units:
        demand(value in ("", *TEMPERS), _("Choose one of: {choices}."), field=at, choices=", ".join(TEMPERS))
        return
    demand(known, _("“{name}” is not a field here."), field=at.rpartition("/")[0] + "/field", name=name)
    demand_whole(value, OF_FIGURES[name], at)


def demand_whole(value: object, bounds: tuple[int, int], at: str) -> None:
    low, high = bounds
    whole = isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
    demand(whole, WHOLE, field=at, low=low, high=high)
