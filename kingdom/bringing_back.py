"""What is taken out of the world is kept whole (`StruckThing`), so that it can be brought back as it was: its columns,
the rows that hang on it and go with it, and which rows lean on it and forget it.

A kind of thing that can be brought back has `existence` for its field `exists`; its loader answers rows that are not
there yet for ids it does not find (`or_new`). Nobody is told what is kept: it may say more than its reader may know.
What is kept may come from a document that somebody else wrote: whatever reads it later reads it before it stands.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.core.exceptions import ObjectDoesNotExist, ValidationError
from django.db import DatabaseError, models, transaction
from django.db.models import Field, ForeignObjectRel, QuerySet

from kingdom.archive.tables import carried
from kingdom.models import Campaign, Kingdom, Membership, User
from kingdom.subjects import FieldAccess, Occasion, Rows, plain
from rules.errors import IllegalCommand, Refusal, require
from rules.registry import family_of
from rules.text import _

if TYPE_CHECKING:
    from kingdom.recording import RecordedDeed

COLUMNS, LEANT, HUNG, FAMILY, DAY = "columns", "leant", "hung", "family", "day"
"""What is kept: its columns, rows that pointed at it, rows that went with it, the family of laws it was of, the day."""
Kept = Mapping[str, Any]
Guard = Callable[[Any, Kept, Occasion], None]
Demand = Callable[[Any], None]
Parting = Callable[["RecordedDeed", Sequence[Any]], None]

GONE = _("This is gone for good.")
FAULTS = (
    ArithmeticError, AssertionError, AttributeError, LookupError, ObjectDoesNotExist, TypeError, ValueError,
    ValidationError,
)  # fmt: skip
"""What a document that somebody else wrote can provoke."""

_partings: dict[str, list[Parting]] = defaultdict(list)
_demands: dict[type[models.Model], Demand] = {}
_wanted: dict[type[models.Model], Callable[[Any], bool]] = {}


def existence(strike: Callable[[Any], object], guard: Guard) -> FieldAccess:
    """Whether it is there. `strike(row)` takes back that it came; `guard(row, kept, occasion)` sets right what has to
    be otherwise now, or refuses to have it stand again.
    """

    def write(row: models.Model, told: object, occasion: Occasion) -> None:
        if told is None or told is False:
            strike(row)
        else:
            require(isinstance(told, Mapping), GONE)
            _bring_back(row, told, guard, occasion)  # type: ignore[arg-type]

    return FieldAccess(is_there, write)


def told_before(access: FieldAccess) -> FieldAccess:
    """For lines of `created`, where the columns stood in the line itself."""

    def write(row: models.Model, told: Any, occasion: Occasion) -> None:
        columns = isinstance(told, Mapping)
        access.write(row, {COLUMNS: told, LEANT: told.get(LEANT, {})} if columns else told, occasion)

    return FieldAccess(lambda row: is_there(row) or None, write)


def is_there(row: models.Model) -> bool:
    return not row._state.adding


def part_from(kind: str, parting: Parting, *, last: bool = False) -> None:
    """Before things of this kind go, `parting(told, rows)` has what leans on them leave them, or go before them, each
    with its own line. `last`: after the others, for they lean on what goes here.
    """
    if parting not in _partings[kind]:
        _partings[kind].insert(len(_partings[kind]) if last else 0, parting)


def part(kind: str, told: RecordedDeed, rows: Sequence[Any]) -> None:
    for parting in _partings[kind] if rows else ():
        parting(told, rows)


def hang_again(model: type[models.Model], demand: Demand) -> None:
    """`demand(row)` raises `IllegalCommand` where a row of this model that hung on something may not come back with it.

    Rows of others come back where what else they point at is there.
    """
    _demands[model] = demand


def hang_again_where(model: type[models.Model], wanted: Callable[[Any], bool]) -> None:
    """Rows of this model come back only where `wanted(row)`; what they hung on comes back without the others."""
    _wanted[model] = wanted


def whole_of(rows: Sequence[Any]) -> list[dict[str, Any]]:
    """All that is needed to bring each of these rows of a model back, as JSON. One query for each table that points at
    them, however many they are.
    """
    if not rows:
        return []
    campaign: Campaign = rows[0].campaign
    return [{**kept, FAMILY: family_of(campaign.ruleset), DAY: campaign.day} for kept in _kept(rows)]


def or_new(model: type[models.Model], campaign: Campaign, ids: set[str], found: Rows) -> Rows:
    """The rows, and one that is not there yet for each other id."""
    return {**{pk: model(pk=UUID(pk), campaign=campaign) for pk in sorted(ids - found.keys())}, **found}


def of_its_kingdom(row: Any) -> None:
    """For guards: raises `IllegalCommand` for what a kingdom had that is gone."""
    there = Kingdom.objects.filter(campaign=row.campaign_id, pk=row.kingdom_id).exists()
    require(there, _("The kingdom {name} belonged to is gone."), name=row.name)


def of_this_law(row: Any, kept: Kept) -> None:
    """For guards: raises `IllegalCommand` for what another law wrote."""
    own = kept.get(FAMILY) in (None, family_of(row.campaign.ruleset))
    require(own, _("This belongs to another ruleset than the one the campaign is played by now."))


def _kept(rows: Sequence[Any]) -> list[dict[str, Any]]:
    if not rows:
        return []
    model, campaign = type(rows[0]), rows[0].campaign_id
    found: dict[UUID, dict[str, Any]] = {row.pk: {COLUMNS: _told(row)} for row in rows}
    for name, link, others in _links(model, campaign, models.SET_NULL):
        for key, pk in others.filter(**{f"{link.name}__in": [*found]}).order_by("pk").values_list(link.attname, "pk"):
            found[key].setdefault(LEANT, {}).setdefault(name, []).append(str(pk))
    for name, link, others in _links(model, campaign, models.CASCADE):
        hung = list(others.filter(**{f"{link.name}__in": [*found]}).order_by("pk"))
        for one, kept in zip(hung, _kept(hung), strict=True):
            found[getattr(one, link.attname)].setdefault(HUNG, {}).setdefault(name, []).append(kept)
    return [found[row.pk] for row in rows]


def _told(row: models.Model) -> dict[str, Any]:
    return {column.attname: _in_json(column, row) for column in _columns(row)}


def _in_json(column: Any, row: models.Model) -> Any:
    value = getattr(row, column.attname)
    if value is not None and isinstance(column, models.BinaryField | models.DateField):
        return column.value_to_string(row)
    return plain(value)


def _columns(row: models.Model) -> Iterator[Any]:
    """Its own and its parents', but for what follows from where and what it is."""
    for column in row._meta.concrete_fields:
        same = column.remote_field is not None and getattr(column.remote_field, "parent_link", False)
        if not (same or column.generated or column.name == "campaign"):
            yield column


def _bring_back(row: Any, kept: Kept, guard: Guard, occasion: Occasion) -> None:
    try:
        _fill(row, {**kept[COLUMNS], "id": str(row.pk)})
        guard(row, kept, occasion)
        require(not _lost(row), GONE)
        with transaction.atomic():
            for one in _write(row, kept):
                _read(one)
    except IllegalCommand:
        raise
    except (Refusal, DatabaseError, *FAULTS) as error:
        raise IllegalCommand(GONE) from error


def _fill(row: Any, columns: Kept) -> None:
    """Its columns as they were, as far as there still are such. Raises what Django raises of values that cannot be."""
    links, empty = {"campaign"}, set()
    for column in _columns(row):
        if column.attname in columns:
            value = columns[column.attname]
            if isinstance(column, models.UUIDField | models.ForeignKey) and not isinstance(value, str | None):
                raise TypeError("an id is a text")
            value = column.to_python(value)
            if _names_somebody(column) and column.null and not _is_there(column, value, row.campaign_id):
                value = None
            setattr(row, column.attname, value)
            links |= {column.name} if column.is_relation else set()
            empty |= {column.name} if value in column.empty_values else set()
    row.clean_fields(exclude={*links, *empty, *(link.name for link in row._meta.parents.values() if link)})
    row.validate_constraints(exclude=links)


def _write(row: Any, kept: Kept) -> list[models.Model]:
    """Answers all that was written, once all of it stands."""
    leant, hung, written = kept.get(LEANT, {}), kept.get(HUNG, {}), [row]
    row.save(force_insert=True)
    model, campaign = type(row), row.campaign_id
    for name, link, rows in _links(model, campaign, models.SET_NULL):
        ids = [UUID(pk) for pk in leant.get(name, ())]
        rows.filter(**{f"{link.name}__isnull": True}, pk__in=ids).update(**{link.name: row})
    for name, _link, rows in _links(model, campaign, models.CASCADE):
        for one in hung.get(name, ()):
            written += _hang(row, rows.model(campaign_id=campaign), one)
    return written


def _hang(on: models.Model, row: Any, kept: Kept) -> list[models.Model]:
    """One that went with it, where what else it points at is there and nothing has taken its place."""
    _fill(row, kept[COLUMNS])
    if on.pk not in [getattr(row, column.attname) for column in _columns(row) if column.is_relation]:
        raise ValueError("it hung on something else")
    if demand := _demands.get(type(row)):
        demand(row)
    if _lost(row) or not _wanted.get(type(row), bool)(row):
        return []
    try:
        row.validate_unique(exclude=["id"])
    except ValidationError:
        return []
    return _write(row, kept)


def _lost(row: Any) -> bool:
    """Whether it points at what is not there, or is another campaign's."""
    links = ((column, getattr(row, column.attname)) for column in _columns(row) if column.is_relation)
    return any(found and not _is_there(column, found, row.campaign_id) for column, found in links)


def _is_there(column: Any, pk: Any, campaign: UUID) -> bool:
    """Whether the campaign has such a row; of people, whether he has a seat there."""
    if _names_somebody(column):
        return bool(pk) and Membership.objects.filter(campaign=campaign, user=pk).exists()
    return bool(column.related_model._default_manager.filter(pk=pk, campaign=campaign).exists())


def _names_somebody(column: Any) -> bool:
    return column.related_model is User


def _read(row: models.Model) -> None:
    """As whoever reads a campaign's document reads what is in it."""
    for table in carried():
        if table.check and isinstance(row, table.model):
            for one in table.ready(table.model._default_manager.filter(pk=row.pk)):
                table.check(one)


def _links(model: type[models.Model], campaign: UUID, on_delete: Any) -> Iterator[tuple[str, Field, QuerySet[Any]]]:
    """The tables whose rows point at rows of this model, by table and column: what they do when those go, here what
    goes with them (`CASCADE`) and what forgets them (`SET_NULL`), but for what is only more of the same row.
    """
    for link in model._meta.get_fields(include_hidden=True):
        if isinstance(link, ForeignObjectRel) and link.on_delete is on_delete and not _is_more_of_it(link):
            related: Any = link.related_model
            rows = related._default_manager.filter(campaign=campaign)
            yield f"{link.related_model._meta.model_name}.{link.field.name}", link.field, rows


def _is_more_of_it(link: ForeignObjectRel) -> bool:
    return bool(getattr(link.field.remote_field, "parent_link", False))
