"""Errors that pages and API tell apart. Imports no model, because settings need these."""

from __future__ import annotations

from django.http import Http404

from rules.core.text import _, say
from rules.registry import RULESETS


class NotInRuleset(Http404):
    """What is asked for is there and this user may know of it, but the ruleset of its campaign has nothing of the kind
    (a page: not found). `pointer`: the member of a body that named it.
    """

    pointer: str = ""

    def __init__(self, ruleset: str):
        super().__init__()
        self.said = say(_("Not available in this ruleset ({ruleset})."), ruleset=RULESETS[ruleset].name)
