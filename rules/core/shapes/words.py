"""Words of a value for the chronicle: what its fields say, and what has changed between two of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from rules.core.shapes.kinds import DeclaredShape, FlagKind, ListKind, ShapeField
from rules.core.text import Said, Term, _, say

NOTHING = Term("–")


class FieldChange(NamedTuple):
    """A field that says something else. `label`: its name, with that of the entry it belongs to."""

    label: Said
    before: Said
    after: Said


def in_words(shape: DeclaredShape, value: Any) -> Sequence[Said]:
    """A sentence for each field that is not as usual; lists of objects tell each of their entries."""
    return [said for one in shape.fields for said in _sentences(one, getattr(value, one.name))]


def differences(shape: DeclaredShape, before: Any, after: Any) -> Iterator[FieldChange]:
    """What has changed, entry by entry where a list has objects."""
    for one in shape.fields:
        was, now = getattr(before, one.name), getattr(after, one.name)
        if was == now:
            continue
        inner = entries_of(one)
        if inner is None:
            yield FieldChange(one.label, value_in_words(one, was), value_in_words(one, now))
            continue
        for place in range(max(len(was), len(now))):
            yield from _of_entry(inner, was[place : place + 1], now[place : place + 1], one, place)


def entries_of(one: ShapeField) -> DeclaredShape | None:
    """The shape of the objects this field lists."""
    item = one.kind.item if isinstance(one.kind, ListKind) else None
    return item if isinstance(item, DeclaredShape) else None


def title_of(shape: DeclaredShape, entry: Any, place: int) -> Said:
    """What an entry is called: its name, else its number."""
    name = str(getattr(entry, "name", "") or "")
    return say(Term("{written}"), written=name or str(place + 1))


def value_in_words(one: ShapeField, value: Any) -> Said:
    if value is None or value == () or value == "":
        return NOTHING
    if isinstance(one.kind, FlagKind):
        return _("yes") if value else _("no")
    written = one.kind.write(value)
    told = [_plain(item) for item in written] if isinstance(written, list) else _plain(written)
    return say(Term("{value}"), value=told)


def _of_entry(
    inner: DeclaredShape, was: Sequence[Any], now: Sequence[Any], one: ShapeField, place: int
) -> Iterator[FieldChange]:
    title = title_of(inner, (now or was)[0], place)
    if was and now:
        for change in differences(inner, was[0], now[0]):
            label = say(Term("{entry}: {field}"), entry=title, field=change.label)
            yield change._replace(label=label)
        return
    whole = say(Term("{told}"), told=list(in_words(inner, (now or was)[0])))
    label = say(Term("{list}: {entry}"), list=one.named.one or one.label, entry=title)
    yield FieldChange(label, whole if was else NOTHING, whole if now else NOTHING)


def _sentences(one: ShapeField, value: Any) -> Iterator[Said]:
    inner = entries_of(one)
    if inner is not None:
        for place, entry in enumerate(value):
            told = [said for field in inner.fields if field.name != "name"
                    for said in _sentences(field, getattr(entry, field.name))]  # fmt: skip
            yield say(_("{entry} ({told})"), entry=title_of(inner, entry, place), told=told)
    elif one.needed or value != one.default:
        is_flag = isinstance(one.kind, FlagKind) and value is True
        yield say(Term("{field}"), field=one.label) if is_flag else say(
            _("{field} {value}"), field=one.label, value=value_in_words(one, value)
        )  # fmt: skip


def _plain(written: Any) -> Any:
    if isinstance(written, dict):
        return ", ".join(f"{name} {_plain(value)}" for name, value in written.items())
    return ", ".join(map(str, written)) if isinstance(written, list) else written
