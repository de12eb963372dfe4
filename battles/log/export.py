"""Export of a battle's log as text or JSON, in the reader's language and as far as they may know it, and its API."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import batched, chain, repeat
from typing import Any
from uuid import UUID

from django.http import StreamingHttpResponse
from django.utils import translation
from django.utils.text import slugify
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema

from battles.api.serializers import EventSerializer
from battles.log.phases import PageLine, build_line, is_told
from battles.log.queries import LogLine, add_commander_names, tell_lines
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.play.event_log import PORTION, read_in_portions
from battles.queries import get_battle_alone, get_viewer
from core.api.serializers import refuse_unknown
from core.text import render
from kingdom.access.permissions import ApiRequest
from kingdom.api.base_views import ApiView
from kingdom.models import User
from rules.core.errors import demand
from rules.core.text import Said, _, signed
from rules.law import Viewer

# Export of a battle's log as text or JSON, in the reader's language and as far as they may know it.
#
# Lines are read and sent in portions, so memory use does not grow with the battle.

LINES = 200  # lines in a portion
type LineShape = Callable[[LogLine], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class LogTold:
    """Log as its reader may know it. `first` is the phase in which the battle opened."""

    battle: Battle
    viewer: Viewer
    state: Any
    first: Said
    language: str

    @property
    def portions(self) -> Iterator[list[LogLine]]:
        """Yield portions of lines, oldest first. Commands undone while sending are left out from then on."""
        records = self.battle.records.filter(undone=False, version__lte=self.battle.version)
        read = read_in_portions(self.battle, records, size=PORTION)
        lines = (line for record in read for line in tell_lines(self.battle, record, self.state, self.viewer))
        return (add_commander_names(some) for some in batched(lines, LINES))


def log_told(user: User, battle: Battle) -> LogTold:
    """Return the log of a battle they may see (`get_battle_for`), as far as they may know it."""
    now = play_battle_state.load_state(battle)
    viewer = get_viewer(user, battle, now)
    first = play_battle_state.summarize(battle, now).stages[0][0].label
    return LogTold(
        battle,
        viewer,
        play_battle_state.view_state(battle, now, viewer).state,
        first,
        translation.get_language() or "en",
    )


def export_text(told: LogTold) -> Iterator[bytes]:
    """Yield the log as text: a heading for each phase, a sentence for each event with dice and rule."""
    return _sent(told, [f"{told.battle.name}\n"], _Text(told.first).of)


def as_json_lines(told: LogTold, shape: LineShape) -> Iterator[bytes]:
    """Yield the log as JSON lines, an object for each event."""
    return _sent(told, [], lambda some: (f"{_json(shape(line))}\n" for line in some))


def export_json(told: LogTold, shape: LineShape) -> Iterator[bytes]:
    """Yield the log as one JSON object with all events."""
    head = {"battle": str(told.battle.pk), "name": told.battle.name}
    between = chain([""], repeat(",\n"))
    yield f'{_json(head)[:-1]},"events":[\n'.encode()
    yield from _sent(told, [], lambda some: (f"{next(between)}{_json(shape(line))}" for line in some))
    yield b"\n]}\n"


def _sent(told: LogTold, head: Iterable[str], tell: Callable[[list[LogLine]], Iterable[str]]) -> Iterator[bytes]:
    """Yield encoded pieces. Each piece sets the language anew, because other requests of the thread may change it in
    between.
    """
    yield "".join(head).encode()
    for some in told.portions:
        with translation.override(told.language):
            piece = "".join(tell(some))
        yield piece.encode()


class _Text:
    """Text writer that repeats no phase heading at the border of portions."""

    def __init__(self, first: Said):
        self.label, self.headed = first, False

    def of(self, some: Iterable[LogLine]) -> Iterator[str]:
        for line in some:
            begins = line.entry.begins
            if begins is not None and begins != self.label:
                self.label, self.headed = begins, False
            if is_told(line) or (begins is not None and not self.headed):
                yield from self._heading()
            if is_told(line):
                yield f"{_sentence(build_line(line))}\n"

    def _heading(self) -> Iterator[str]:
        if not self.headed:
            self.headed = True
            yield f"\n## {render(self.label)}\n"


def _sentence(line: PageLine) -> str:
    return f"- {render(line.text)}" + (f" [{format_dice(line)}]" if line.rolls else "") + f" ({line.rule})"


def format_dice(line: PageLine) -> str:
    """Format dice: "d10 10, d10 4 +5 = 19 / 12, d10 7". Dice beside the check follow its sum."""
    own, further = (", ".join(f"d{roll.die} {face}" for roll, face in some) for some in (line.checked, line.further))
    if line.check is None:
        return ", ".join(filter(None, (own, further)))
    bonus = "" if line.bonus is None else f" {signed(line.bonus)}"
    against = "" if line.against is None else f" / {line.against}"
    return ", ".join(filter(None, (f"{own}{bonus} = {line.check}{against}", further)))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


# API of a battle's log as a file.


def _dump_event(event: object) -> dict[str, Any]:
    return EventSerializer(event).data


FORMS: dict[str, tuple[str, Any]] = {
    "jsonl": ("application/jsonl", lambda told: as_json_lines(told, _dump_event)),
    "txt": ("text/plain", export_text),
    "json": ("application/json", lambda told: export_json(told, _dump_event)),
}
AS = "as"


def log_response(user: User, battle: Battle, form: str) -> StreamingHttpResponse:
    """Return the log as a file of that ending, as far as this reader may know it."""
    media, write = FORMS[form]
    response = StreamingHttpResponse(write(log_told(user, battle)), content_type=f"{media}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slugify(battle.name) or "battle"}.{form}"'
    return response


class LogExportView(ApiView):
    counted = "costly"

    @extend_schema(
        parameters=[
            OpenApiParameter(
                AS,
                str,
                enum=tuple(FORMS),
                description="An event a line (jsonl, also without this), one object, or text.",
            )
        ],
        responses={
            (200, "application/jsonl"): OpenApiTypes.STR,
            (200, "text/plain"): OpenApiTypes.STR,
            (200, "application/json"): OpenApiTypes.OBJECT,
        },
        summary="The whole log as a file, in your language, as far as you may know it",
    )
    def get(self, request: ApiRequest, pk: UUID) -> StreamingHttpResponse:
        battle = get_battle_alone(request.user, pk)
        refuse_unknown(request, {AS})
        form = request.query_params.get(AS, "jsonl")
        demand(form in FORMS, _("Choose one of: {choices}."), field=f"/{AS}", choices=", ".join(FORMS))
        return log_response(request.user, battle, form)
