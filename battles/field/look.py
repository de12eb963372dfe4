"""Look of a reader at a battle's page: as its address says, and as its forms send along."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import urlencode

from battles.log.parts import EVER
from rules.law import Selection

PICKS = ("unit", "to", "target", "hex")
"""What can be picked on a field by name, in the order in which it is. A hex is picked for its facts alone."""


@dataclass(frozen=True)
class Look:
    """Through whose eyes, at which army, what lies on the rail, what the reader is about to do, and what they picked
    for it. `kept`: what the law keeps of how they look at its field.
    """

    side: int | None = None
    doing: str = ""
    army: str = ""
    what: str = ""
    picked: Selection = ()
    rail: str = ""
    since: int = EVER
    """The event down to which they have gone in the log."""
    unit: str = ""
    to: str = ""
    target: str = ""
    hex: str = ""
    kept: Mapping[str, str] = field(default_factory=dict)

    def query(self) -> str:
        told = {"as": self.side, "do": self.doing, "army": self.army, "what": self.what, "pick": self.picked}
        told |= {"rail": self.rail} | {name: getattr(self, name) for name in PICKS} | dict(self.kept)
        kept = {name: value for name, value in told.items() if value not in ("", None, ())}
        return f"?{urlencode(kept, doseq=True)}" if kept else ""

    @property
    def selection(self) -> Selection:
        """What the law is asked about: unit, hex and target ("" where one is not picked), then whatever else."""
        if not (self.unit or self.to or self.target):
            return self.picked
        return selection_of((self.unit, self.to, self.target), self.picked)

    @property
    def unpicked(self) -> Look:
        return replace(self, picked=(), unit="", to="", target="", hex="")

    def keeping(self, names: Collection[str]) -> Look:
        """With no more than a law keeps."""
        return replace(self, kept={name: self.kept[name] for name in names if self.kept.get(name)})

    @property
    def sent_along(self) -> list[tuple[str, str]]:
        """What a form sends of it, as names and values of hidden fields (`look_of_command` reads them)."""
        told = {name: getattr(self, name) for name in PICKS} | {"pick": " ".join(self.picked)} | dict(self.kept)
        return [(f"look-{name}", value) for name, value in told.items() if value]


def selection_of(named: Selection, more: Selection) -> Selection:
    """Picks in their order, without what is "" at the end."""
    if more:
        return (*named, *more)
    while named and not named[-1]:
        named = named[:-1]
    return named
