"""Words of a value for the chronicle: what its fields say, and what has changed between two of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from rules.core.shapes.objects import DeclaredShape, ShapeField, UnionKind
from rules.core.shapes.value_kinds import Catalogues, ChoiceKind, FlagKind, ListKind
from rules.core.text import Said, Term, _, say

NOTHING = Term("–")
NO_CATALOGUES: Catalogues = {}


class FieldChange(NamedTuple):
    """A field that says something else. `label`: its name, with that of the entry it belongs to."""

    label: Said
    before: Said
    after: Said


def in_words(shape: DeclaredShape, value: Any, known: Catalogues = NO_CATALOGUES) -> Sequence[Said]:
    """A sentence for each field that is not as usual; lists of objects tell each of their entries. `known`: what slugs
    are called.
    """
    return [said for one in shape.fields for said in _sentences(one, getattr(value, one.name), known)]


def differences(
    shape: DeclaredShape, before: Any, after: Any, known: Catalogues = NO_CATALOGUES
) -> Iterator[FieldChange]:
    """What has changed, entry by entry where a list has objects."""
    for one in shape.fields:
        was, now = getattr(before, one.name), getattr(after, one.name)
        if was == now:
            continue
        inner = entries_of(one)
        if inner is None:
            yield FieldChange(one.label, value_in_words(one, was, known), value_in_words(one, now, known))
            continue
        for place in range(max(len(was), len(now))):
            yield from _of_entry(inner, was[place : place + 1], now[place : place + 1], one, place, known)


def entries_of(one: ShapeField) -> DeclaredShape | None:
    """The shape of the objects this field lists."""
    item = one.kind.item if isinstance(one.kind, ListKind) else None
    return item if isinstance(item, DeclaredShape) else None


def title_of(shape: DeclaredShape, entry: Any, place: int) -> Said:
    """What an entry is called: its name, else its number."""
    name = str(getattr(entry, "name", "") or "")
    return say(Term("{written}"), written=name or str(place + 1))


def value_in_words(one: ShapeField, value: Any, known: Catalogues = NO_CATALOGUES) -> Said:
    if value is None or value == () or value == "":
        return NOTHING
    if isinstance(one.kind, FlagKind):
        return _("yes") if value else _("no")
    written = one.kind.write(value)
    item = one.kind.item if isinstance(one.kind, ListKind) else one.kind
    choice = item.choice if isinstance(item, UnionKind) else item
    told = [_plain(part, choice, known) for part in (written if isinstance(written, list) else [written])]
    return say(Term("{value}"), value=told if isinstance(written, list) else told[0])


def _of_entry(
    inner: DeclaredShape,
    was: Sequence[Any],
    now: Sequence[Any],
    one: ShapeField,
    place: int,
    known: Catalogues,
) -> Iterator[FieldChange]:
    title = title_of(inner, (now or was)[0], place)
    if was and now:
        for change in differences(inner, was[0], now[0], known):
            label = say(Term("{entry}: {field}"), entry=title, field=change.label)
            yield change._replace(label=label)
        return
    whole = say(Term("{told}"), told=list(in_words(inner, (now or was)[0], known)))
    label = say(Term("{list}: {entry}"), list=one.named.one or one.label, entry=title)
    yield FieldChange(label, whole if was else NOTHING, whole if now else NOTHING)


def _sentences(one: ShapeField, value: Any, known: Catalogues) -> Iterator[Said]:
    inner = entries_of(one)
    if inner is not None:
        for place, entry in enumerate(value):
            told = [said for field in inner.fields if field.name != "name"
                    for said in _sentences(field, getattr(entry, field.name), known)]  # fmt: skip
            yield say(_("{entry} ({told})"), entry=title_of(inner, entry, place), told=told)
    elif one.needed or value != one.default:
        is_flag = isinstance(one.kind, FlagKind) and value is True
        yield say(Term("{field}"), field=one.label) if is_flag else say(
            _("{field} {value}"), field=one.label, value=value_in_words(one, value, known)
        )  # fmt: skip


def _plain(written: Any, kind: Any, known: Catalogues) -> Any:
    """A slug by its name, where it has one."""
    if isinstance(written, dict):
        return ", ".join(f"{name} {value}" for name, value in written.items())
    among = kind.among if isinstance(kind, ChoiceKind) else ()
    catalogue = known.get(among, ()) if isinstance(among, str) else among
    found = catalogue.get(written, written) if isinstance(catalogue, Mapping) else written
    return Term(name) if (name := getattr(found, "name", None)) else found
