"""View options of a battle page, from its address or from hidden fields of its forms."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import urlencode

from battles.log.parts import EVER
from rules.law import Selection

PICKS = ("unit", "to", "target", "hex")
"""Names of what can be selected on a field, in the order of selection. A hex is selected only to read its facts."""


@dataclass(frozen=True)
class Look:
    """View options of a battle's page.

    `side`: the side from whose view the GM looks at it. `army`: the selected army. `rail`: the open panel. `doing`: the
    form in use, about `what`, and `picked`: the selection for it. `kept`: parameters that the ruleset keeps
    (`FieldUI.kept`).
    """

    side: int | None = None
    doing: str = ""
    army: str = ""
    what: str = ""
    picked: Selection = ()
    rail: str = ""
    since: int = EVER
    """Id of the event down to which the log was read."""
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
        """The selection for the ruleset's `legal`: unit, hex and target ("" where none is selected), then further
        picks.
        """
        if not (self.unit or self.to or self.target):
            return self.picked
        return selection_of((self.unit, self.to, self.target), self.picked)

    @property
    def unpicked(self) -> Look:
        return replace(self, picked=(), unit="", to="", target="", hex="")

    def keeping(self, names: Collection[str]) -> Look:
        """Copy with only those of the kept parameters."""
        return replace(self, kept={name: self.kept[name] for name in names if self.kept.get(name)})

    @property
    def sent_along(self) -> list[tuple[str, str]]:
        """Names and values of hidden fields that keep the look in a form. `look_of_command` reads them."""
        told = {name: getattr(self, name) for name in PICKS} | {"pick": " ".join(self.picked)} | dict(self.kept)
        return [(f"look-{name}", value) for name, value in told.items() if value]


def selection_of(named: Selection, more: Selection) -> Selection:
    """The picks in order, without "" at the end."""
    if more:
        return (*named, *more)
    while named and not named[-1]:
        named = named[:-1]
    return named
