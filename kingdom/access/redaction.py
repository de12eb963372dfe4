"""Knowledge of other people's armies: conditions on how much a user may know, and redaction of names and figures they
may not.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import reduce
from typing import Any, NamedTuple
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import BooleanField, Exists, F, Func, IntegerField, OuterRef, Q, QuerySet, UUIDField, Value

from armies.models import Army, ArmyQuerySet, Insight, Sighting, list_seat_models, rows_of
from core.clean_input import clean_choices
from core.request_memo import read_once
from kingdom.access.queries import Seats, build_reads_condition, load_seats
from kingdom.models import DeletedRow, Knowledge, Role, User
from rules.core.text import Term, _

# Conditions on how much a user may know of other people's armies, and querysets of armies they know nothing of.
#
# A player knows an army that is not theirs at the highest level (`Knowledge`) that any of these gives:
#
#   campaign default   the campaign's level for all other armies; the name of every army that is or was in a battle
#   met                the campaign's level for armies their kingdoms have met: in a battle, or seen on a map
#   insight            the level that spies and allies give one of their kingdoms, as set by the GM
#   revealed           everything
#   hidden             nothing, whatever else applies: such an army does not exist for them


class ToldArmies(NamedTuple):
    """Knowledge of some kingdoms about other armies: the ids of armies they have met, and pairs (id, `Knowledge` level)
    of insights into single armies and into all armies of a kingdom (`realms`).
    """

    met: frozenset[UUID]
    armies: frozenset[tuple[UUID, int]]
    realms: frozenset[tuple[UUID, int]]

    def build_condition(self, level: int) -> Q:
        """Return the condition on armies known at `level` or better, without regard to whether they are hidden."""
        shown = Q(revealed=True) | Q(campaign__others_known__gte=level)
        shown |= Q(pk__in=[army for army, told in self.armies if told >= level])
        shown |= Q(kingdom__in=[realm for realm, told in self.realms if told >= level])
        if level == Knowledge.NAME:
            return shown | Q(pk__in=self.met) | _sits_in(*(seat._default_manager.all() for seat in list_seat_models()))
        return shown | Q(pk__in=self.met, campaign__met_known__gte=level)


NOTHING_TOLD = ToldArmies(frozenset(), frozenset(), frozenset())
MET = -1  # stands in for the level of an insight
NOBODY, UNGRADED = Value(None, UUIDField()), Value(MET, IntegerField())


def load_told_armies(kingdoms: Collection[UUID]) -> ToldArmies:
    """Return the knowledge of these kingdoms about other armies. One query, cached for the request."""
    if not kingdoms:
        return NOTHING_TOLD
    return read_once(("told armies", frozenset(kingdoms)), lambda: _load_told_armies(kingdoms))


def _load_told_armies(kingdoms: Collection[UUID]) -> ToldArmies:
    own, mutual = Insight.objects.filter(kingdom__in=kingdoms), Insight.objects.filter(mutual=True, realm__in=kingdoms)
    met = [Sighting.objects.filter(kingdom__in=kingdoms), *(seat.list_met_by(kingdoms) for seat in list_seat_models())]
    first, *more = (
        own.order_by().values_list("army", "realm", "level"),
        mutual.order_by().values_list(NOBODY, "kingdom", "level"),
        *(rows.order_by().values_list("army", NOBODY, UNGRADED) for rows in met),
    )
    found = list(first.union(*more).order_by())
    return ToldArmies(
        met=frozenset(army for army, _realm, level in found if level == MET),
        armies=frozenset((army, level) for army, _realm, level in found if army and level != MET),
        realms=frozenset((realm, level) for _army, realm, level in found if realm),
    )


class ArmyKnowledge(NamedTuple):
    """Knowledge of a reader about armies: everything about armies they may read; about others, the level that their
    kingdoms have.
    """

    seats: Seats
    told: ToldArmies

    def build_condition(self, level: int) -> Q:
        """Return the condition on armies that the reader knows at `level` or better."""
        reads, played = self.seats.build_reads_condition(), self.seats.list_campaigns((Role.PLAYER,))
        if not played:  # a GM or viewer reads all of these anyway
            return reads
        return reads | (Q(hidden=False, campaign__in=played) & self.told.build_condition(level))


def load_army_knowledge(user: User) -> ArmyKnowledge:
    """Return the user's knowledge of armies. Two queries at most, cached for the request."""
    seats = load_seats(user)
    return ArmyKnowledge(seats, load_told_armies(seats.plays))


def build_knowledge_condition(user: User, level: int = Knowledge.ALL) -> Q:
    """Return the condition on armies that the user knows at `level` or better."""
    return load_army_knowledge(user).build_condition(level)


def build_told_condition(kingdoms: Collection[UUID], level: int = Knowledge.ALL) -> Q:
    """Return the condition on other people's armies that players of these kingdoms know at `level` or better."""
    return Q(hidden=False) & build_shown_condition(kingdoms, level)


def build_shown_condition(kingdoms: Collection[UUID], level: int = Knowledge.ALL) -> Q:
    """Return the condition of known armies, hidden ones included: an army that a battle has shown stays known there."""
    return load_told_armies(kingdoms).build_condition(level)


def _sits_in(*seats: QuerySet[Any]) -> Q:
    """Return the condition on armies that one of these seats is for: in a battle, or in another event of a ruleset."""
    return reduce(Q.__or__, (Q(Exists(some.filter(army=OuterRef("pk")))) for some in seats), Q())


def list_untold_armies(user: User) -> ArmyQuerySet[Army]:
    """Return the armies of which the user may not even know the names."""
    return rows_of(Army).filter(~build_knowledge_condition(user, Knowledge.NAME))


def list_untold_deleted_armies(user: User) -> QuerySet[DeletedRow]:
    """Return the deleted armies that were hidden from the user when they were deleted: their names stay secret."""
    struck = DeletedRow.objects.filter(kind="army", hidden=True, entry__undone_at=None)
    return struck.filter(~build_reads_condition(user))


# Redaction: names of armies a reader may not know, and figures of enemies in battle.
#
# Chronicle entries and approval requests store the ids of what their text names (`names_in`), notes what they mention.
# A text that names an army the reader may not know is hidden from them as a whole.

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
    """Return the condition on entries or requests of the campaign that name only what this user may know."""
    told: Q = Q()
    for key, untold in UNTOLD.items():
        told &= ~Q(names__overlap=ArraySubquery(untold(user).filter(campaign=campaign).order_by().values(key)))
    return told


def names_known_anywhere(user: User) -> Q:
    """Return the condition of `names_known` for entries of all campaigns. It checks row by row, so use it for few
    rows.
    """
    told: Q = Q()
    for key, untold in UNTOLD.items():
        rows = untold(user).filter(_IsNamed(F(key), OuterRef("names")))
        told &= Q(~Exists(rows.order_by().values("pk")))
    return told


def mentions_known(user: User) -> Q:
    """Return the condition on notes that mention only what this user may know."""
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
        {SHOWN: _("Shown in the log"), HIDDEN: _("Hidden in the log")},
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
