"""Form of an army of troops and characters: entries called by their type or kind, with their figures."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

from armies.documents.forms import DocumentForm
from core.text import render
from rules.core.errors import Refusal


class TypedTroopForm(DocumentForm):
    """`troops`: the list whose entries have a type of the law's tables. `kinds`: those of characters, by slug."""

    troops: ClassVar[str]
    kinds: ClassVar[Mapping[str, Any]]

    @abstractmethod
    def describe_troop(self, entry: Mapping[str, Any]) -> str:
        """Type and figures of a troop. Raises `Refusal` where the law doesn't accept it."""

    def title_of(self, name: str, entry: Mapping[str, Any]) -> str:
        if entry.get("name"):
            return str(entry["name"])
        kind = self.law.tables.troops.get(entry.get("type")) if name == self.troops else None
        return render(kind.name) if kind else ""

    def about(self, name: str, entry: Mapping[str, Any]) -> str:
        """A troop's type and figures, a character's kind."""
        if name == "characters":
            kind = self.kinds.get(str(entry.get("kind")))
            return render(kind.name) if kind else ""
        try:
            return self.describe_troop(entry)
        except Refusal:
            return ""
