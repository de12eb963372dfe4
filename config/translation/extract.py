"""Extraction of every sentence a person may read from the source."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from babel.messages.extract import extract
from django.utils.translation.template import templatize
from jinja2.ext import babel_extract

from config.ops.data_directory import BASE_DIR

PACKAGES = ("rules", "core", "kingdom", "armies", "battles", "config")
PLAIN = ("_", "gettext", "gettext_lazy", "gettext_noop", "term")  # `term`: rules.core.text._ beside Django’s own `_`
PLURAL = ("ngettext", "ngettext_lazy", "by_number")
CONTEXT = ("pgettext", "pgettext_lazy")
CONTEXT_PLURAL = ("npgettext", "npgettext_lazy")
KEYWORDS: dict[str, tuple[int | tuple[int, str], ...] | None] = (
    dict.fromkeys(PLAIN)
    | dict.fromkeys(PLURAL, (1, 2))
    | dict.fromkeys(CONTEXT, ((1, "c"), 2))
    | dict.fromkeys(CONTEXT_PLURAL, ((1, "c"), 2, 3))
)
JINJA = "jinja2"  # the folder of templates in that language
# As config/web/jinja.py has them; a template that cannot be read is an error, not a gap in the catalogue.
PIECES = dict.fromkeys(("newstyle_gettext", "trimmed", "trim_blocks", "lstrip_blocks"), "true") | {"silent": "false"}


class Sentence(NamedTuple):
    """A message id as gettext knows it; `context` and `plural` are empty where there are none."""

    msgid: str
    context: str
    plural: str


def extract_sentences(root: Path = BASE_DIR) -> set[Sentence]:
    return {*_in_python(root), *_in_templates(root), *_in_pieces(root)}


def _in_python(root: Path) -> Iterator[Sentence]:
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            if "migrations" not in path.parts:
                yield from _read("python", path.read_bytes())


def _in_templates(root: Path) -> Iterator[Sentence]:
    for path in sorted((root / "templates").rglob("*.*")):
        if path.suffix in {".html", ".txt", ".svg"} and JINJA not in path.relative_to(root).parts:
            # templatize leaves function calls in a text that is no longer Python; the JavaScript lexer bears it
            source = templatize(path.read_text(), origin=path.relative_to(root).as_posix())
            yield from _read("javascript", source.encode())


def _in_pieces(root: Path) -> Iterator[Sentence]:
    for path in sorted((root / "templates" / JINJA).rglob("*.html")):
        yield from _read(babel_extract, path.read_bytes(), PIECES)


def _read(
    language: str | Callable[..., Any], source: bytes, options: dict[str, Any] | None = None
) -> Iterable[Sentence]:
    found = extract(language, BytesIO(source), keywords=KEYWORDS, options=options)
    for _line, message, _comments, context in found:
        singular, plural = message if isinstance(message, tuple) else (message, "")
        if singular:
            yield Sentence(singular, context or "", plural)
