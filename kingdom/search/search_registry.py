"""Search registry: apps contribute what can be found, and who may find it.

    Finder("army", _("Armies"), "army", armies_seen, url_of_army, about="kingdom__name")

Rows are found by name in one query for all kinds; what is in no table (`Shelf`) is searched in memory.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, NamedTuple
from unicodedata import category
from uuid import UUID

from django.db.models import Case, CharField, F, IntegerField, Model, Q, QuerySet, TextField, UUIDField, Value, When
from django.db.models.functions import Cast
from django.urls import reverse

from core.text import render
from core.text_search import containing, like, split_words
from kingdom.access.queries import list_seats
from kingdom.campaign.queries import annotate_namesakes, settlements_of
from kingdom.contributions import contributed
from kingdom.models import Campaign, Kingdom, User
from kingdom.models.base import Natural, make_natural_key
from kingdom.notes.queries import list_visible_notes
from rules.core.text import Said, _

SOUGHT_MAX, WORDS_MAX = 100, 8
FEW, MANY = 6, 100  # results of each kind in a search of all kinds; of one kind
EXACT, BEGINS, WORD, INSIDE, BESIDE = range(5)

type OpenRows = Callable[[User], QuerySet[Any]]
type Address = Callable[[UUID, UUID], str]
"""Returns the address of a result, from its id and that of its `owner`."""


class FoundThing(NamedTuple):
    """A result. `about` is shown beside its name; `campaign` is named if it is not the reader's present one (`far`)."""

    kind: str
    id: str
    name: str
    about: str
    campaign: Campaign
    url: str
    far: bool
    rank: int


@dataclass(frozen=True, slots=True)
class Finder:
    """Rows of a kind. `rows(user)` returns exactly those the user may open.

    They are found by `name` and the fields in `texts`; `about` is shown beside the name and searched too. `states`:
    words shown for values of the field `state`. `owner`: the row of its page, if not the campaign. Among equal kinds
    the lowest `order` comes first. `among`: returns the ids in a campaign that the user may open, if no query can; it
    is called only if rows match.
    """

    kind: str
    label: Said
    icon: str
    rows: OpenRows
    url: Address
    name: str = "name"
    about: str = ""
    texts: tuple[str, ...] = ()
    owner: str = "campaign_id"
    campaign: str = "campaign_id"
    order: int = 0
    among: Callable[[User, Campaign], Collection[UUID]] | None = None
    state: str = ""
    states: Mapping[str, object] = field(default_factory=dict)

    def tell(self, about: str, state: str) -> str:
        """Text beside the name of a result."""
        return " · ".join(filter(None, (about, render(self.states.get(state, "")))))


@dataclass(frozen=True, slots=True)
class Shelf:
    """Items in no table: `look(search)` returns matches, the best first."""

    kind: str
    label: Said
    icon: str
    look: Callable[[Search], Iterable[FoundThing]]
    order: int = 0


@dataclass(frozen=True, slots=True)
class Search:
    """A search. `campaigns`: all of the user's, by id, the present one (`here`) first."""

    user: User
    query: str
    campaigns: dict[UUID, Campaign]
    here: UUID | None = None
    words: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class FoundKind:
    """Results of one kind. `more`: there are further ones."""

    kind: str
    label: Said
    icon: str
    found: Sequence[FoundThing]
    more: bool


def kinds() -> Mapping[str, Finder | Shelf]:
    """Return the finders by kind, lowest `order` first."""
    return {finder.kind: finder for finder in contributed().search}


def clean(query: str) -> str:
    """Return the query normalised for the search; "" if nothing is left."""
    written = "".join(sign for sign in query[:SOUGHT_MAX] if category(sign) not in ("Cc", "Cs"))
    return " ".join(split_words(written)[:WORDS_MAX])


def find(user: User, query: str, here: Campaign | None = None, kind: str = "") -> list[FoundKind]:
    """Return the results by kind, beginning with the kind of the best one; results in `here` come first.

    Two queries, and those of `Finder.among`. An unknown `kind` finds nothing.
    """
    sought = _sought(user, query, here)
    asked = [one for one in kinds().values() if kind in ("", one.kind)]
    if not (sought.query and sought.campaigns and asked):
        return []
    most = MANY if kind else FEW
    found = _in_tables(sought, [one for one in asked if isinstance(one, Finder)], most)
    for shelf in (one for one in asked if isinstance(one, Shelf)):
        found[shelf.kind] = sorted(shelf.look(sought), key=lambda one: (one.far, one.rank))[: most + 1]
    groups = [FoundKind(one.kind, one.label, one.icon, found[one.kind][:most], len(found[one.kind]) > most)
              for one in asked if found.get(one.kind)]  # fmt: skip
    return sorted(groups, key=lambda group: (group.found[0].far, group.found[0].rank))


def _sought(user: User, query: str, here: Campaign | None) -> Search:
    known = clean(query)
    campaigns = {one.pk: one for one in _campaigns_of(user)} if known else {}
    first = here.pk if here and here.pk in campaigns else None
    ordered = dict(sorted(campaigns.items(), key=lambda pair: pair[0] != first))
    return Search(user, known, ordered, first, tuple(known.split()))


def _campaigns_of(user: User) -> QuerySet[Campaign]:
    own = Campaign.objects.filter(pk__in=list_seats(user))
    return annotate_namesakes(user, own).order_by("-created_at", "-id")


def _in_tables(sought: Search, finders: Sequence[Finder], most: int) -> dict[str, list[FoundThing]]:
    """Return the results in tables, by kind. One query."""
    by_kind: dict[str, list[FoundThing]] = {finder.kind: [] for finder in finders}
    if not finders:
        return by_kind
    asked = _question(sought)
    parts = [_part(finder, sought.user, asked, (MANY if finder.among else most) + 1) for finder in finders]
    whole = parts[0].union(*parts[1:], all=True).order_by() if len(parts) > 1 else parts[0]
    known = {finder.kind: finder for finder in finders}
    for kind, far, rank, key, name, about, owner, campaign, state in whole:
        url, told = known[kind].url(key, owner), known[kind].tell(about, state)
        by_kind[kind].append(FoundThing(kind, str(key), name, told, sought.campaigns[campaign], url, bool(far), rank))
    for finder in finders:
        if finder.among:
            by_kind[finder.kind] = _open(sought, finder.among, by_kind[finder.kind])
    return {kind: sorted(found, key=_place) for kind, found in by_kind.items()}


def _open(
    sought: Search, among: Callable[[User, Campaign], Collection[UUID]], found: Sequence[FoundThing]
) -> list[FoundThing]:
    """Return those results that the user may open."""
    campaigns = {one.campaign.pk: one.campaign for one in found}
    may = {str(key) for campaign in campaigns.values() for key in among(sought.user, campaign)}
    return [one for one in found if one.id in may]


def _place(found: FoundThing) -> tuple[Any, ...]:
    return found.far, found.rank, make_natural_key(found.name), found.id


class _Question(NamedTuple):
    """Parameters of the database query. `here`: the campaign that counts as near. `exact`, `begins`, `word`, `inside`:
    patterns of the whole query, for names that equal it, begin with it, have a word that does, or contain it; `words`:
    a pattern of each word.
    """

    campaigns: list[UUID]
    here: UUID | None
    exact: str
    begins: str
    word: str
    inside: str
    words: tuple[str, ...]


def _question(sought: Search) -> _Question:
    query = sought.query
    return _Question(
        campaigns=list(sought.campaigns),
        here=sought.here,
        exact=query,
        begins=f"{like(query)}%",
        word=rf"\m{_escaped(query)}",
        inside=containing(query),
        words=tuple(map(containing, sought.words)),
    )


def _part(finder: Finder, user: User, asked: _Question, most: int) -> QuerySet[Model, Any]:
    """Return the best rows of one kind, in the columns shared by all."""
    rows = finder.rows(user).filter(**{f"{finder.campaign}__in": asked.campaigns})
    own = (finder.name, *finder.texts)
    everywhere = (*own, finder.about) if finder.about else own
    for word in asked.words:
        rows = rows.filter(_any_of(everywhere, [word]))
    rows = rows.filter(_any_of(own, asked.words))
    told = rows.annotate(
        found_kind=Value(finder.kind, CharField()),
        found_far=_told_far(finder, asked),
        found_rank=_ranked(finder.name, asked),
        found_name=Cast(F(finder.name), TextField()),
        found_about=Cast(F(finder.about), TextField()) if finder.about else Value("", TextField()),
        found_owner=Cast(F(finder.owner), UUIDField()),
        found_campaign=Cast(F(finder.campaign), UUIDField()),
        found_state=Cast(F(finder.state), TextField()) if finder.state else Value("", TextField()),
    ).order_by("found_far", "found_rank", Natural(finder.name), "pk")
    columns = (
        "found_kind",
        "found_far",
        "found_rank",
        "pk",
        "found_name",
        "found_about",
        "found_owner",
        "found_campaign",
        "found_state",
    )
    return told.values_list(*columns)[:most]


def _any_of(fields: Iterable[str], patterns: Iterable[str]) -> Q:
    return reduce(Q.__or__, (Q((f"{name}__plain__like", pattern)) for name in fields for pattern in patterns))


def _told_far(finder: Finder, asked: _Question) -> Any:
    """Return an expression: 1 if the row is in another campaign than `here`."""
    if asked.here is None:
        return Value(0, IntegerField())
    near = When(Q((finder.campaign, asked.here)), then=Value(0))
    return Case(near, default=Value(1), output_field=IntegerField())


def _ranked(name: str, asked: _Question) -> Case:
    return Case(
        When(Q((f"{name}__plain", asked.exact)), then=Value(EXACT)),
        When(Q((f"{name}__plain__like", asked.begins)), then=Value(BEGINS)),
        When(Q((f"{name}__plain__regex", asked.word)), then=Value(WORD)),
        When(Q((f"{name}__plain__like", asked.inside)), then=Value(INSIDE)),
        default=Value(BESIDE),
        output_field=IntegerField(),
    )


def _escaped(text: str) -> str:
    return re.sub(r"(\W)", r"\\\1", text)


def rank_of(name: str, query: str) -> int:
    """Return the rank of a name (without accents, lower case), as `_ranked` does in SQL."""
    if query not in name:
        return BESIDE
    if name.startswith(query):
        return EXACT if name == query else BEGINS
    return WORD if re.search(rf"\b{re.escape(query)}", name) else INSIDE


# Search results of campaigns, kingdoms and settlements.


def _campaigns(user: User) -> QuerySet[Any]:
    return Campaign.objects.filter(pk__in=list_seats(user))


def _kingdoms(user: User) -> QuerySet[Any]:
    """All kingdoms of the user's campaigns: every member knows their names."""
    return Kingdom.objects.filter(campaign__in=list_seats(user))


def _campaign_url(key: UUID, _owner: UUID) -> str:
    return reverse("kingdom:campaign", args=[key])


def _kingdom_url(key: UUID, _owner: UUID) -> str:
    return reverse("kingdom:kingdom", args=[key])


def _settlement_url(key: UUID, kingdom: UUID) -> str:
    return reverse("kingdom:kingdom", args=[kingdom]) + f"#settlement-{key}"


def _note_url(key: UUID, _owner: UUID) -> str:
    return reverse("kingdom:note", args=[key])


FINDERS = (
    Finder("kingdom", _("Kingdoms"), "castle", _kingdoms, _kingdom_url, order=3),
    Finder("settlement", _("Settlements"), "settlement", settlements_of, _settlement_url, about="kingdom__name",
           owner="kingdom_id", order=4),
    Finder("note", _("Notes"), "edit", list_visible_notes, _note_url, name="title", about="about_name",
           texts=("text",), order=6),
    Finder("campaign", _("Campaigns"), "crown", _campaigns, _campaign_url, campaign="pk", owner="pk", order=8),
)  # fmt: skip
