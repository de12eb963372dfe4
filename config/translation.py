"""Translation without a gettext installation: Babel extracts, polib merges and compiles the catalogues."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import polib
from babel.messages.extract import extract
from django.conf import settings
from django.utils.translation.template import templatize
from jinja2.ext import babel_extract

from config.ops.data_directory import BASE_DIR, written_aside

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
JINJA = "jinja2"  # the directory of Jinja2 templates
# As in config/web/jinja.py; an unreadable template is an error, not a gap in the catalogue.
PIECES = dict.fromkeys(("newstyle_gettext", "trimmed", "trim_blocks", "lstrip_blocks"), "true") | {"silent": "false"}


class Sentence(NamedTuple):
    """A message id of gettext; `context` and `plural` are empty if it has none."""

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
            # templatize leaves function calls in a text that is no longer Python; the JavaScript lexer accepts it
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


PLURAL_FORMS = {"fr": "nplurals=2; plural=(n > 1);"}
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}")
SPACES = {"fr": re.compile(r" (?=[;:?!»]|%(?![(sd]))|(?<=«) ")}  # spaces before or after which no line may break
SEPARATOR = "\u0004"  # between context and message id, as in compiled catalogues

Filling = Mapping[str, str | list[str]]


def get_po_path(language: str) -> Path:
    return Path(settings.LOCALE_PATHS[0]) / language / "LC_MESSAGES" / "django.po"


def load(language: str) -> polib.POFile:
    path = get_po_path(language)
    return polib.pofile(str(path)) if path.exists() else polib.POFile()


def merge(language: str, found: Iterable[Sentence]) -> polib.POFile:
    """Return the catalogue of these sentences, sorted, with the translations that still fit."""
    known = {_key(entry): entry for entry in load(language)}
    catalogue = polib.POFile(wrapwidth=110)
    catalogue.metadata = {
        "Project-Id-Version": "Warhost",
        "Language": language,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": PLURAL_FORMS[language],
    }
    for sentence in _plurals_win(found):
        catalogue.append(known.get(sentence) or _blank(sentence))
    return catalogue


def fill(catalogue: polib.POFile, filling: Filling) -> list[str]:
    """Insert these translations. Return the ids that are in no source."""
    entries = {_address(entry): entry for entry in catalogue}
    for address, translation in filling.items():
        if entry := entries.get(address):
            _translate(entry, translation)
    return [address for address in filling if address not in entries]


def save(catalogue: polib.POFile, language: str) -> None:
    path = get_po_path(language)
    path.parent.mkdir(parents=True, exist_ok=True)
    catalogue.save(str(path))


def faults(language: str, found: Iterable[Sentence]) -> Iterator[str]:
    """Yield each sentence that is untranslated, or whose translation has other placeholders."""
    for entry in merge(language, found):
        texts = [*entry.msgstr_plural.values()] if entry.msgid_plural else [entry.msgstr]
        allowed = _placeholders(entry.msgid) | _placeholders(entry.msgid_plural)
        if not texts or not all(texts) or entry.fuzzy:
            yield f"untranslated: {entry.msgid}"
        elif any(not _fits(text, entry, allowed) for text in texts):
            yield f"placeholders differ: {entry.msgid}"


def compile_stale(*, force: bool = False) -> list[Path]:
    """Compile catalogues older than their source or this code. Return the written files."""
    written = []
    own = Path(__file__).stat().st_mtime
    for source in Path(settings.LOCALE_PATHS[0]).glob("*/LC_MESSAGES/django.po"):
        target = source.with_suffix(".mo")
        if force or not target.exists() or target.stat().st_mtime < max(own, source.stat().st_mtime):
            _compile(source, target, source.parts[-3])
            written.append(target)
    return written


def _compile(source: Path, target: Path, language: str) -> None:
    catalogue = polib.pofile(str(source))
    for entry in catalogue:
        entry.msgstr = typeset(entry.msgstr, language)
        entry.msgstr_plural = {form: typeset(text, language) for form, text in entry.msgstr_plural.items()}
    with written_aside(target) as aside:
        catalogue.save_as_mofile(str(aside))


def typeset(text: str, language: str) -> str:
    """Return the text with no-break spaces where the language requires them; translators type plain ones."""
    spaces = SPACES.get(language)
    return spaces.sub("\N{NO-BREAK SPACE}", text) if spaces else text


def _key(entry: polib.POEntry) -> Sentence:
    return Sentence(entry.msgid, entry.msgctxt or "", entry.msgid_plural)


def _address(entry: polib.POEntry) -> str:
    return f"{entry.msgctxt}{SEPARATOR}{entry.msgid}" if entry.msgctxt else entry.msgid


def _plurals_win(found: Iterable[Sentence]) -> list[Sentence]:
    """Return one entry for a sentence used both with and without a number: the plural one, which serves both."""
    by_id: dict[tuple[str, str], Sentence] = {}
    for sentence in sorted(found):
        by_id[sentence.msgid, sentence.context] = sentence
    return list(by_id.values())


def _blank(sentence: Sentence) -> polib.POEntry:
    entry = polib.POEntry(msgid=sentence.msgid, msgctxt=sentence.context or None, msgid_plural=sentence.plural)
    if sentence.plural:
        entry.msgstr_plural = {0: "", 1: ""}
    return entry


def _translate(entry: polib.POEntry, translation: str | list[str]) -> None:
    if entry.msgid_plural:
        entry.msgstr_plural = dict(enumerate([translation] * 2 if isinstance(translation, str) else translation))
    else:
        entry.msgstr = translation if isinstance(translation, str) else translation[0]


def _placeholders(text: str) -> set[str]:
    return set(PLACEHOLDER.findall(text))


def _fits(text: str, entry: polib.POEntry, allowed: set[str]) -> bool:
    """Return whether the placeholders match. A plural form may leave the number out ("one army")."""
    used = _placeholders(text)
    return used <= allowed if entry.msgid_plural else used == allowed
