"""Log sentences of GM overrides, and of gods' gifts before a battle (TF-7, TF-9)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.battle_law import LogEntry
from rules.core.text import Said, Term, _, by_number
from rules.hexbattle.ending import effect_in, told_effect
from rules.thucidide_fantasy.arsenal import TRAITS
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.hand_fold import GIVE, SIDES
from rules.thucidide_fantasy.battle.record.state import DEPLOYMENT, LIST, FantasyState
from rules.thucidide_fantasy.battle.telling.summary import entry, name_effect, of_side, spell_name

KIND = "overridden"
SIGNED: Mapping[str, tuple[Term, Term]] = {
    "trait": (_("The GM gives {unit} a trait, {what}: {reason}"),
              _("The GM removes a trait from {unit}, {what}: {reason}")),
    "card": (_("The GM gives {unit} a card, {what}: {reason}"),
             _("The GM removes a card from {unit}, {what}: {reason}")),
}  # fmt: skip


def overridden(state: FantasyState, event: e.Overridden) -> LogEntry:
    reason: Any = {"reason": event.reason}
    if effect := effect_in(event.field):
        side = state.opening.sides[int(event.what)] if event.what in SIDES else ""
        return told_effect(state.field, event, name_effect(state, effect), side)
    if event.what in SIDES:
        return of_side(state, KIND, int(event.what), _("The GM sets the counters of {side}: {reason}"), **reason)
    if event.field in SIGNED:
        given, taken = SIGNED[event.field]
        value = str(event.value)
        words = given if value[0] == GIVE else taken
        return entry(state, KIND, event.what, words, what=_named(state, event.field, value[1:]), **reason)
    if event.field == "grave" and event.value:
        words = _("The GM sets the grave of {unit} on {hex}: {reason}")
        return entry(state, KIND, event.what, words, hex=event.value, **reason)
    if event.field == "grave":
        return entry(state, KIND, event.what, _("The GM removes the grave of {unit}: {reason}"), **reason)
    return entry(state, KIND, event.what, _("The GM changes the state of {unit}: {reason}"), **reason)


def _named(state: FantasyState, field: str, slug: str) -> Said:
    return TRAITS[slug].name if field == "trait" else spell_name(state, slug)


# Gifts of gods before a battle (TF-7)


DREAMT_POINTS = by_number(
    "A dream has revealed {count} spell point of {unit}.",
    "A dream has revealed {count} spell points of {unit}.",
)
DREAMT: Mapping[str, tuple[Term, Term]] = {
    LIST: (_("{side} can see the enemy’s spells in a dream until the battle begins."),
           _("{side} no longer sees the enemy’s spells in a dream.")),
    DEPLOYMENT: (_("{side} can see in a dream where the enemy sets up."),
                 _("{side} no longer sees the enemy’s setup in a dream.")),
}  # fmt: skip


def _dream(state: FantasyState, event: e.DreamSent) -> LogEntry:
    sent, over = DREAMT[event.what]
    return of_side(state, "dream-sent", event.side, sent if event.on else over, rule="TF-7")


def _dreamt_cards(state: FantasyState, event: e.CardsDreamt) -> LogEntry:
    if not event.spells:
        return entry(state, "cards-dreamt", event.caster, DREAMT_POINTS, count=event.points, rule="TF-7")
    spells = [spell_name(state, slug) for slug in event.spells]
    words = _("A dream has revealed the spells of {unit}: {spells}.")
    return entry(state, "cards-dreamt", event.caster, words, spells=spells, rule="TF-7")


def _sealed(state: FantasyState, event: e.DeploymentSealed) -> LogEntry:
    words = _("A fog hides where {side} sets up, until the battle begins.") if event.on else _(
        "The fog around {side} lifts."
    )  # fmt: skip
    return of_side(state, "deployment-sealed", event.side, words, rule="TF-7")


GIFTS: Mapping[type, Callable[[FantasyState, Any], LogEntry]] = {
    e.DreamSent: _dream, e.CardsDreamt: _dreamt_cards, e.DeploymentSealed: _sealed,
}  # fmt: skip
