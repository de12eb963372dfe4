"""Errors that pages and the API distinguish. The module imports no model, because the settings import it."""

from __future__ import annotations

from django.http import Http404

from rules.core.text import _, say
from rules.registry import RULESETS


class NotInRuleset(Http404):
    """The requested thing exists and the user may know of it, but its campaign's ruleset has nothing of the kind. A
    page answers 404.

    `pointer` is the member of the body that named it.
    """

    pointer: str = ""

    def __init__(self, ruleset: str):
        super().__init__()
        self.said = say(_("Not available in this ruleset ({ruleset})."), ruleset=RULESETS[ruleset].name)
