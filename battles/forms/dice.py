"""The dice of a phase: rolled by the server, or typed by the table. The secret behind the rolled ones stays in the
session (`battles.pinned`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict

from battles.forms.base import CommandForm
from kingdom.forms.dice import DiceFields
from kingdom.text import render
from rules.errors import Refusal
from rules.text import Term

ROLLED, ASKED = "rolled", "asked"


class DiceForm(DiceFields, CommandForm):
    """Resolves the phase, or ends the setup: whatever needs dice. `how`: all rolled, or asked for."""

    def __init__(self, kind: str, version: int, rolls: Mapping[str, Term], data: QueryDict | None = None):
        self.kind = kind
        self.rolls = rolls
        super().__init__(version, data, auto_id=f"{kind}-%s")
        self.take_dice(data)

    @property
    def ask(self) -> bool:
        return self.data.get("how") == ASKED

    def clean(self) -> None:
        self.check_faces()

    def to_json(self) -> dict[str, Any]:
        return {"type": self.kind}

    def refused(self, refusal: Refusal) -> None:
        self.add_error(None, render(refusal.message))
