"""Catalogues: one .po file per language, merged with the source, filled from JSON, checked, compiled."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import polib
from django.conf import settings

from config.ops.data_directory import written_aside
from config.translation.extract import Sentence

PLURAL_FORMS = {"fr": "nplurals=2; plural=(n > 1);"}
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}")
SPACES = {"fr": re.compile(r" (?=[;:?!»]|%(?![(sd]))|(?<=«) ")}  # where no line may break
SEPARATOR = "\u0004"  # between context and message id, as in compiled catalogues

Filling = Mapping[str, str | list[str]]


def get_po_path(language: str) -> Path:
    return Path(settings.LOCALE_PATHS[0]) / language / "LC_MESSAGES" / "django.po"


def load(language: str) -> polib.POFile:
    path = get_po_path(language)
    return polib.pofile(str(path)) if path.exists() else polib.POFile()


def merge(language: str, found: Iterable[Sentence]) -> polib.POFile:
    """The catalogue of these sentences, in order of their text, with the translations that still fit."""
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
    """Put these translations in; answers the ids that no source knows."""
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
    """Each sentence this language cannot say, or says with other placeholders than its source."""
    for entry in merge(language, found):
        texts = [*entry.msgstr_plural.values()] if entry.msgid_plural else [entry.msgstr]
        allowed = _placeholders(entry.msgid) | _placeholders(entry.msgid_plural)
        if not texts or not all(texts) or entry.fuzzy:
            yield f"untranslated: {entry.msgid}"
        elif any(not _fits(text, entry, allowed) for text in texts):
            yield f"placeholders differ: {entry.msgid}"


def compile_stale(*, force: bool = False) -> list[Path]:
    """Compile what is older than its source, or than this code; answers the files written."""
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
    """With spaces that do not break a line where the language wants them: whoever translates types plain ones."""
    spaces = SPACES.get(language)
    return spaces.sub("\N{NO-BREAK SPACE}", text) if spaces else text


def _key(entry: polib.POEntry) -> Sentence:
    return Sentence(entry.msgid, entry.msgctxt or "", entry.msgid_plural)


def _address(entry: polib.POEntry) -> str:
    return f"{entry.msgctxt}{SEPARATOR}{entry.msgid}" if entry.msgctxt else entry.msgid


def _plurals_win(found: Iterable[Sentence]) -> list[Sentence]:
    """A sentence used both alone and counted is one entry, the counted one: gettext finds both uses in it."""
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
    """A plural form may leave its number out ("one army"), a plain sentence may leave nothing out."""
    used = _placeholders(text)
    return used <= allowed if entry.msgid_plural else used == allowed
