"""Markdown export of the story: what its reader may know, and no more."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from django.utils.translation import gettext as _

from core import markdown
from core.text import render
from kingdom.models import Campaign
from kingdom.notes.queries import NoteCard
from kingdom.story.queries import StoryLine
from kingdom.templatetags.words import who

MARKS = re.compile(r"([\\`*_\[\]<>])")


def markdown_of(campaign: Campaign, lines: Iterable[StoryLine]) -> Iterator[str]:
    """The document, a piece at a time."""
    yield f"# {escape_markdown(campaign.name)}\n\n{_('The story of the war')}\n"
    day = None
    for line in lines:
        if line.row.day != day:
            day = line.row.day
            yield f"\n## {_('Day {day}').format(day=day)}\n"
        yield f"\n{_note(line.card) if line.card else _entry(line)}\n"


def _entry(line: StoryLine) -> str:
    text = escape_markdown(render(line.text))
    if line.entry and line.entry.undone:
        return f"- ~~{text}~~ ({_('undone')})"
    return f"- {text}"


def _note(card: NoteCard) -> str:
    """A quotation under who wrote it: its headings are its own."""
    note = card.note
    by = escape_markdown(who(note.by))
    about = f"{render(card.word)} {escape_markdown(card.about.name)}"
    text = markdown.render_plain(note.text, card.names).replace("<", "&lt;")
    quoted = "\n".join(f"> {line}".rstrip() for line in text.splitlines())
    return f"**{by}**, {about}, {render(card.readers)}:\n\n{quoted}"


def escape_markdown(text: str) -> str:
    """Words that mean nothing in Markdown but themselves, on one line."""
    return MARKS.sub(r"\\\1", " ".join(text.split()))
