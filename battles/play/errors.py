"""Errors about the request (a stale version, an unknown army), as opposed to refusals by the rules."""

from __future__ import annotations

from django.http import Http404

from rules.core.errors import IllegalCommand
from rules.core.text import _


class BattleMovedOn(IllegalCommand):
    """The battle has changed since the user looked at it. `version` is the current one."""

    def __init__(self, version: int):
        super().__init__(_("The battle has changed in the meantime. Check it, then try again."))
        self.version = version


class UnknownArmy(Http404):
    """There is no such army in this campaign, as far as this user may know. `pointer` is its place in the input."""

    def __init__(self, pointer: str):
        super().__init__()
        self.pointer = pointer
