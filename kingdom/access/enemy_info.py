"""Settings of what players learn of enemies in battle. Only what differs from the default is stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from core.clean_input import clean_choices
from rules.core.text import Term, _

EXACT, WORDS, SHOWN, HIDDEN, TOLD, BARE = "exact", "words", "shown", "hidden", "told", "bare"


class Withheld(NamedTuple):
    """One setting: its choices by slug, the ordinary one first, and what it means."""

    label: Term
    choices: Mapping[str, Term]
    help: Term


SETTINGS: Mapping[str, Withheld] = {
    "health": Withheld(
        _("An enemy’s health"),
        {EXACT: _("as figures"), WORDS: _("as a bar with words")},
        _("Unhurt, scratched, wounded, bloodied, nearly broken: what a blow cost him is then not told either."),
    ),
    "figures": Withheld(
        _("What an enemy attacks and defends with"),
        {SHOWN: _("as the dice and sums of the log tell it"), HIDDEN: _("hidden")},
        _("Hidden: the log tells who hit and who missed, without the sum. Health is then told in words, too: the harm"
          " of a blow would tell the rest."),
    ),
    "corrections": Withheld(
        _("What the GM sets by hand of an enemy"),
        {TOLD: _("told with figure and reason"), BARE: _("told without either")},
        _("Always without either where his health is told in words."),
    ),
}  # fmt: skip


def read_settings(stored: Mapping[str, str]) -> dict[str, str]:
    """Every setting as it holds."""
    return {name: stored.get(name, next(iter(kept.choices))) for name, kept in SETTINGS.items()}


def in_words(stored: Mapping[str, str]) -> bool:
    """Whether an enemy's health is told in words."""
    now = read_settings(stored)
    return now["health"] == WORDS or now["figures"] == HIDDEN


def clean_secrecy(given: object, *, stored: Mapping[str, str]) -> dict[str, str]:
    """What is to be stored: what was given, and what stays. Raises `InvalidInput`."""
    among = {name: kept.choices for name, kept in SETTINGS.items()}
    return clean_choices(given, field="/secrecy", stored=stored, among=among, ordinary=read_settings({}))
