"""Mapping of a table's headings to columns: proposed, corrected by the user, and stored for the campaign's next
import.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from django.conf import settings
from django.utils import translation

from armies.ruleset_ui import get_army_ui
from armies.tables.tables import FIELD as FILE
from armies.tables.tables import TableFile
from core.csv_tables import NAME_SHOWN, RowRead, TableRead, read_table
from core.text import render
from core.text_search import strip_accents
from kingdom.chronicle.field_change import get_kind
from kingdom.models import Campaign
from rules.core.errors import demand
from rules.core.text import _

FIELD = "/columns"
IGNORED = ""
HEADINGS_MOST = 200
"""Headings kept for one table of a campaign."""
COLUMNS_MOST = 100
LONGEST = 80
NEAR = 0.86
SAMPLES = 3
SHOWN = 40

type Columns = Mapping[str, str]
"""Column by folded heading; `IGNORED` for none."""

SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "id": ("identifiant", "uuid", "key", "cle"),
    "kingdom": ("realm", "nation", "country", "faction", "state", "owner", "side", "royaume", "pays", "camp",
                "proprietaire", "etat"),
    "army": ("army name", "name of the army", "host", "force", "armee", "nom de l armee", "ost", "name", "nom"),
    "name": ("unit", "unit name", "nom", "unite", "nom de l unite", "commander", "commandant", "commander name"),
    "health": ("pv", "points de vie", "sante"),
    "status": ("state", "statut", "etat"),
    "type": ("troop type", "kind", "type de troupe", "type de troupes"),
    "family": ("category", "group", "famille", "categorie"),
    "slug": ("short name", "code"),
}  # fmt: skip
"""Other headings of a column in English and French, folded. A ruleset adds its own (`column_words` of its UI)."""
FEET = re.compile(r"\b(?:ft|feet|foot|pieds?)\b")
MEASURE = re.compile(r"\b(?:m|metres?|meters?|per round|par round|in|en)\b")


class HeadingChoice(NamedTuple):
    """A heading of a table with the column it stands for, and the first cells below it."""

    place: int
    heading: str
    column: str
    samples: tuple[str, ...]

    @property
    def name(self) -> str:
        """Name of its form field."""
        return f"column-{self.place}"

    @property
    def number(self) -> int:
        return self.place + 1


def fold_heading(heading: str) -> str:
    """Fold a heading for comparison: words without accents, case and punctuation."""
    return " ".join(re.findall(r"[^\W_]+", strip_accents(heading)))[:LONGEST]


def read_headings(text: str, *, field: str) -> TableRead:
    """Read a table with any headings: they may be empty or stand twice. Raises `InvalidInput`."""
    found = read_table(text, field=field, any_headings=True)
    demand(len(found.columns) <= COLUMNS_MOST, _("This table has {found} columns; the limit is {most}. Split it."),
           field=field, found=len(found.columns), most=COLUMNS_MOST)  # fmt: skip
    folded = [fold_heading(heading) for heading in found.columns]
    for heading, alike in zip(found.columns, folded, strict=True):
        demand(folded.count(alike) == 1, _("Two columns are called “{name}”."), field=field, name=heading[:NAME_SHOWN])
    return found


def needs_columns(table: TableRead, known: Iterable[str]) -> bool:
    """Whether some heading is no column."""
    return not set(table.columns) <= set(known)


# The proposal.


def propose_columns(campaign: Campaign, kind: TableFile, headings: Sequence[str]) -> dict[str, str]:
    """The columns these headings probably stand for: each column once, the surest first."""
    known, kept = kind.columns(campaign), kept_columns(campaign, kind.slug)
    words = _words(campaign, known)
    found = dict.fromkeys(map(fold_heading, headings), IGNORED)
    open_ones = [heading for heading in found if heading]
    for sure in (_named, lambda heading, words: kept.get(heading, ""), _worded, _measured, _alike):
        for heading in list(open_ones):
            column = sure(heading, words)
            if column in known and column not in found.values():
                found[heading] = column
                open_ones.remove(heading)
            elif sure is not _named and heading in kept and kept[heading] == IGNORED:
                open_ones.remove(heading)  # a user has chosen to ignore this heading
    return found


def _words(campaign: Campaign, known: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Headings of each column, folded: its name, its label in every language, its synonyms."""
    labels, own_words = get_kind("army", campaign).words, get_army_ui(campaign).column_words
    found: dict[str, tuple[str, ...]] = {}
    for column in known:
        own = [column, *_in_every_language(labels[column])] if column in labels else [column]
        found[column] = (*map(fold_heading, own), *own_words.get(column, ()), *SYNONYMS.get(column, ()))
    return found


def _in_every_language(label: object) -> Iterator[str]:
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            yield render(label)


def _named(heading: str, words: Mapping[str, tuple[str, ...]]) -> str:
    return next((column for column, told in words.items() if heading == told[0]), "")


def _worded(heading: str, words: Mapping[str, tuple[str, ...]]) -> str:
    return next((column for column, told in words.items() if heading in told), "")


def _measured(heading: str, words: Mapping[str, tuple[str, ...]]) -> str:
    """Column matched by the heading without its unit of measure: "Speed (m)". Feet would be read as meters, so they are
    no match.
    """
    return "" if FEET.search(heading) else _worded(" ".join(MEASURE.sub(" ", heading).split()), words)


def _alike(heading: str, words: Mapping[str, tuple[str, ...]]) -> str:
    """Column matched by a similar spelling: "Kingdoms", "armee"."""
    if len(heading) < 4 or FEET.search(heading):
        return ""
    rated = [(_likeness(heading, one), column) for column, told in words.items() for one in told]
    nearest, column = max(rated, default=(0.0, ""))
    return column if nearest >= NEAR else ""


def _likeness(one: str, other: str) -> float:
    matcher = SequenceMatcher(None, one, other)
    return matcher.ratio() if matcher.real_quick_ratio() >= NEAR else 0


def complete_columns(campaign: Campaign, kind: TableFile, text: str, given: object) -> dict[str, str]:
    """The columns that somebody chose, and for every other heading of the table the proposed one, by heading.

    Raises `InvalidInput`.
    """
    demand(isinstance(given, Mapping) and all(isinstance(one, str) for one in given.values()),
           _("Send an object that maps each heading to its column."), field=FIELD)  # fmt: skip
    assert isinstance(given, Mapping)
    headings = read_headings(text, field=FILE).columns
    chosen = {fold_heading(str(heading)): column for heading, column in given.items()}
    taken = set(chosen.values())
    found = propose_columns(campaign, kind, [one for one in headings if fold_heading(one) not in chosen])
    proposed = {heading: IGNORED if column in taken else column for heading, column in found.items()} | chosen
    return {heading: proposed[fold_heading(heading)] for heading in headings}


def list_choices(table: TableRead, columns: Columns) -> list[HeadingChoice]:
    """The headings in their order, each with its column."""
    rows = table.rows[:SAMPLES]
    return [
        HeadingChoice(
            place,
            "" if heading.startswith("#") else heading[:LONGEST],
            columns.get(fold_heading(heading), IGNORED),
            tuple(cell[:SHOWN] for row in rows if (cell := row.cells.get(heading, ""))),
        )
        for place, heading in enumerate(table.columns)
    ]


# Application of the chosen columns to a table.


def apply_columns(table: TableRead, columns: Columns, known: Sequence[str]) -> TableRead:
    """The table with columns in place of its headings; ignored headings are left out. Raises `InvalidInput`."""
    folded = {fold_heading(heading): column for heading, column in columns.items()}
    chosen = {heading: column for heading in table.columns if (column := folded.get(fold_heading(heading), IGNORED))}
    for heading, column in chosen.items():
        demand(column in known, _("Unknown column “{name}”. Known columns: {known}."), field=f"{FIELD}/{heading}",
               name=column[:NAME_SHOWN], known=", ".join(known))  # fmt: skip
        twice = [one for one, other in chosen.items() if other == column]
        demand(len(twice) == 1, _("{headings}: choose only one of them for “{column}”."), field=f"{FIELD}/{heading}",
               headings=", ".join(f"“{one[:NAME_SHOWN]}”" for one in twice), column=column)  # fmt: skip
    demand(chosen, _("Match at least one heading with a column."), field=FIELD)
    rows = (RowRead(row.line, {chosen[one]: cell for one, cell in row.cells.items() if one in chosen})
            for row in table.rows)  # fmt: skip
    filled = tuple(row for row in rows if any(row.cells.values()))
    return TableRead(tuple(chosen.values()), filled, {column: heading for heading, column in chosen.items()})


# Kept for the campaign.


def kept_columns(campaign: Campaign, slug: str) -> dict[str, str]:
    """Columns that people chose for this table before, by folded heading."""
    kept = campaign.headings.get(slug, {})
    return {str(heading): str(column) for heading, column in kept.items()} if isinstance(kept, Mapping) else {}


def keep_columns(campaign: Campaign, slug: str, columns: Columns) -> None:
    """Keeps these columns for the next import of this table. The campaign is locked. The oldest give way."""
    told = {folded: column for heading, column in columns.items() if (folded := fold_heading(heading))}
    kept = {heading: column for heading, column in kept_columns(campaign, slug).items() if heading not in told}
    wanted = dict([*kept.items(), *told.items()][-HEADINGS_MOST:])
    if wanted != kept_columns(campaign, slug):
        campaign.headings = {**campaign.headings, slug: wanted}
        campaign.save(update_fields=["headings"])
