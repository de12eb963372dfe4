"""Ids of a document: everything imported gets new ones.

An id that names a row of the document becomes that row's new one wherever it stands, in columns and inside JSON; one
that names nothing of it becomes one that names nothing here. So no document can name what is not in it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from uuid import UUID, uuid4, uuid5

from kingdom.models.base import uuid7

ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
REFERENCE = re.compile(rf"(?:[a-z_-]{{1,40}}:)?{ID.pattern}", re.IGNORECASE)
LENGTH = 36


class Ids:
    """New ids for old. Rows of one table keep their order: ids sort by creation. `people`: those of accounts here."""

    def __init__(self, people: Mapping[str, UUID]):
        self.people = people
        self._carried: dict[str, tuple[str, UUID]] = {}
        self._strange = uuid4()  # of what names nothing here: no list of it is kept, however much of it there is

    def carry(self, table: str, old: str) -> bool:
        """Know a row. False where there is one already."""
        if old in self._carried:
            return False
        self._carried[old] = table, uuid7()
        return True

    def row(self, table: str, old: str) -> UUID | None:
        """The new id of a row of this table; None where the document has none."""
        where, new = self._carried.get(old.lower(), ("", None))
        return new if where == table else None

    def any(self, old: str) -> UUID:
        """The new id of whatever this names."""
        old = old.lower()
        found = self._carried.get(old)
        return found[1] if found else self.people.get(old) or uuid5(self._strange, old)

    def inside(self, value: Any) -> Any:
        """JSON with every id replaced, names of members too."""
        match value:
            case dict():
                return {self.text(name): self.inside(item) for name, item in value.items()}
            case list():
                return [self.inside(item) for item in value]
            case str():
                return self.text(value)
        return value

    def text(self, text: str) -> str:
        """A text with the ids in it replaced: in an id or a reference ("army:…") any, in prose those of rows."""
        if len(text) < LENGTH or "-" not in text:
            return text
        if REFERENCE.fullmatch(text):
            return text[:-LENGTH] + str(self.any(text[-LENGTH:]))
        return self.prose(text)

    def prose(self, text: str) -> str:
        """Words in which addresses of the campaign's own things may stand."""
        return ID.sub(lambda found: self._known(found[0]), text) if len(text) >= LENGTH else text

    def _known(self, old: str) -> str:
        found = self._carried.get(old.lower())
        return str(found[1]) if found else old
