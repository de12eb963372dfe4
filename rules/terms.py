"""Terms of a law that newcomers are told: a name, and one sentence that says what it is."""

from __future__ import annotations

from typing import NamedTuple

from rules.core.text import Term


class ExplainedTerm(NamedTuple):
    """`name`: as pages label it."""

    name: Term
    text: Term
