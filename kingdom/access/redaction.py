"""Redaction: names of armies a reader may not know, and figures of enemies in battle.

Chronicle entries and approval requests store the ids of what their text names (`names_in`), notes what they mention. A
text that names an army the reader may not know is hidden from them as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import BooleanField, Exists, F, Func, OuterRef, Q, QuerySet

from armies.models import Army
from core.clean_input import clean_choices
from kingdom.access.army_knowledge import list_untold_armies, list_untold_deleted_armies
from kingdom.models import User
from rules.core.text import Term, _

SEPARATOR = ", "


ARMY = "army"
UNTOLD: Mapping[str, Callable[[User], QuerySet[Any]]] = {
    "pk": list_untold_armies,
    "thing": list_untold_deleted_armies,
}
"""Querysets of the existing and deleted armies that a user may not know, by their column of ids."""


def names_in(
    campaign: UUID, text: Any, subjects: Iterable[tuple[str, str, str]], kingdoms: Collection[UUID]
) -> list[UUID]:
    """Return the ids of the armies that a text (as JSON) names. Names are looked up among its `subjects` (kind, id,
    name), then among armies of `kingdoms`, then in the whole campaign.
    """
    words = {part for leaf in _leaves(text) for part in (leaf, *leaf.split(SEPARATOR))}
    about = {(UUID(key), name) for kind, key, name in subjects if kind == ARMY and name in words}
    found = {key for key, _name in about}
    if sought := words - {name for _key, name in about}:
        named = Army.objects.filter(campaign=campaign, name__in=sought).order_by()
        bearers = list(named.values_list("pk", "name", "kingdom_id"))
        near = {name for _key, name, kingdom in bearers if kingdom in kingdoms}
        found |= {key for key, name, kingdom in bearers if name not in near or kingdom in kingdoms}
    return sorted(found)


def _leaves(text: Any) -> Iterator[str]:
    """Yield the strings in a translatable text: its parameters, at any depth."""
    match text:
        case {"say": _, "with": Mapping() as given}:
            for value in given.values():
                yield from _leaves(value)
        case list():
            for value in text:
                yield from _leaves(value)
        case str():
            yield text


def names_known(user: User, campaign: UUID) -> Q:
    """Return the condition on entries or requests of the campaign that name nothing this user may not know."""
    told: Q = Q()
    for key, untold in UNTOLD.items():
        told &= ~Q(names__overlap=ArraySubquery(untold(user).filter(campaign=campaign).order_by().values(key)))
    return told


def names_known_anywhere(user: User) -> Q:
    """Return the same condition for all campaigns. It checks row by row, so use it for few rows."""
    told: Q = Q()
    for key, untold in UNTOLD.items():
        rows = untold(user).filter(_IsNamed(F(key), OuterRef("names")))
        told &= Q(~Exists(rows.order_by().values("pk")))
    return told


def mentions_known(user: User) -> Q:
    """Return the same condition for notes: that they mention nothing this user may not know."""
    told: Q = Q()
    for key, untold in UNTOLD.items():
        rows = untold(user).filter(_IsMentioned(F(key), OuterRef("mentions"), kind=ARMY))
        told &= Q(~Exists(rows.order_by().values("pk")))
    return told


class _IsNamed(Func):
    """SQL function: whether an id is in an array."""

    template, arg_joiner = "(%(expressions)s))", " = ANY("
    output_field = BooleanField()
    arity = 2


class _IsMentioned(Func):
    """SQL function: whether a note's mentions name an id of this kind."""

    arg_joiner = " = ANY(ARRAY(SELECT split_part(one->>'ref', ':', 2)::uuid FROM jsonb_array_elements("
    template = "(%(expressions)s) one WHERE split_part(one->>'ref', ':', 1) = '%(kind)s')))"
    output_field = BooleanField()
    arity = 2


# Settings of what players learn of enemies in battle. Only what differs from the default is stored.


EXACT, WORDS, SHOWN, HIDDEN, TOLD, BARE = "exact", "words", "shown", "hidden", "told", "bare"


class Withheld(NamedTuple):
    """A setting of the campaign: its label, its choices by slug (the default first) and its help text."""

    label: Term
    choices: Mapping[str, Term]
    help: Term


SETTINGS: Mapping[str, Withheld] = {
    "health": Withheld(
        _("Enemy health"),
        {EXACT: _("As numbers"), WORDS: _("Bar with words")},
        _("Words such as unhurt, scratched or bloodied. Damage dealt to enemies is then hidden, too."),
    ),
    "figures": Withheld(
        _("Enemy attack and defense"),
        {SHOWN: _("Shown in the log"), HIDDEN: _("hidden")},
        _("If hidden, the log only shows hits and misses, without totals. Enemy health is then shown in words, too."),
    ),
    "corrections": Withheld(
        _("GM overrides on enemies"),
        {TOLD: _("Show value and reason"), BARE: _("Show neither")},
        _("Always hidden if enemy health is shown in words."),
    ),
}  # fmt: skip


def read_settings(stored: Mapping[str, str]) -> dict[str, str]:
    """Return the value of every setting, the default where none is stored."""
    return {name: stored.get(name, next(iter(kept.choices))) for name, kept in SETTINGS.items()}


def in_words(stored: Mapping[str, str]) -> bool:
    """Return whether an enemy's health is shown in words instead of numbers."""
    now = read_settings(stored)
    return now["health"] == WORDS or now["figures"] == HIDDEN


def clean_secrecy(given: object, *, stored: Mapping[str, str]) -> dict[str, str]:
    """Return the settings to store: the given ones over the stored ones. Raises `InvalidInput`."""
    among = {name: kept.choices for name, kept in SETTINGS.items()}
    return clean_choices(given, field="/secrecy", stored=stored, among=among, ordinary=read_settings({}))
