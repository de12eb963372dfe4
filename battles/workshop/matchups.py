"""Matchups of the odds workshop, between armies the user may read and armies written in the address."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict

from armies.forces.access import list_armies
from armies.ruleset_ui import get_army_ui
from battles.ruleset_ui import get_battle_ui
from battles.workshop.sweeps import Named, by_kingdom
from core.clean_input import parse_uuid
from core.text import render
from kingdom.models import Campaign, User
from kingdom.models.heraldry import Arms
from kingdom.realms.figures import get_ruleset
from rules.core.errors import InvalidInput, Refusal
from rules.core.text import Said, _

WRITTEN = "written"  # chosen instead of an army's id: an army written in the address
TWIN = "~"  # suffix of the id of an army that meets itself
SIDES = ("a", "b")
COLOURS = ("one", "two")
LONGEST = 6_000  # most characters of an army in an address

type Armies = Sequence[tuple[str, Sequence[tuple[str, str]]]]
"""Armies to choose among, as (id, name) by kingdom."""

NOT_HIS = _("You can’t read the sheet of this army, or it no longer exists.")
NO_JSON = _("This isn’t valid JSON: copy an army in API format.")


@dataclass(frozen=True)
class MatchupSide:
    """A chosen army. `picked`: its value in the address; `arms`: those of its kingdom, if any.

    `document`: the ruleset's document with an `id`; None where it is `refused`.
    """

    picked: str
    document: Any = None
    arms: Arms | None = None
    refused: Said | None = None

    @property
    def exists(self) -> bool:
        """Whether it is an army of the campaign."""
        return self.document is not None and self.picked == self.document.id


type Pair = tuple[MatchupSide, MatchupSide]


@dataclass(frozen=True, kw_only=True)
class PairBench:
    """Base of every ruleset's bench: the two chosen armies, their forms, and why they cannot meet.

    `armies`: those to choose among. `pair`: None where there are none. `tuners`: the armies' forms; empty where an army
    cannot be read.
    """

    campaign: Campaign
    armies: Armies = ()
    pair: Pair | None = None
    tuners: tuple[Any, ...] = ()
    refused: Said | None = None

    @property
    def enough(self) -> bool:
        """Whether there are any armies to choose."""
        return self.pair is not None

    @property
    def ready(self) -> bool:
        """Whether both armies can be read, so that their forms are shown."""
        return bool(self.tuners)

    @property
    def exist(self) -> bool:
        """Whether both are armies of the campaign."""
        return self.pair is not None and all(found.exists for found in self.pair)

    def drawn(self, figures: Sequence[Sequence[tuple[Said, str]]]) -> list[dict[str, Any]]:
        """Context of the template for each army: colour, arms, form, figures; empty where an army cannot be read."""
        if self.pair is None or not self.tuners:
            return []
        rows = zip(COLOURS, self.pair, self.tuners, figures, strict=True)
        return [{"colour": colour, "arms": who.arms, "form": form, "figures": told} for colour, who, form, told in rows]

    @property
    def today(self) -> str:
        """Query string that asks about both armies as they are now."""
        if self.pair is None or not self.tuners:
            return ""
        return urlencode(
            build_query(self.pair, {form.prefix: form.data[f"{form.prefix}-body"] for form in self.tuners})
        )


def offered(names: Iterable[Named]) -> Armies:
    """Armies by kingdom; last the choice of an army written in the address."""
    return [*by_kingdom(names), (render(_("Custom army")), [(WRITTEN, render(_("another army")))])]


def picks(names: Sequence[Named], data: Mapping[str, str]) -> tuple[str, str] | None:
    """Chosen value of each side; by default the first army, and the first one of another kingdom. None without
    armies.
    """
    if not names:
        return None
    first = data.get("a-army") or names[0].id
    kingdom = next((one.kingdom for one in names if one.id == first), "")
    others = [one.id for one in names if one.kingdom != kingdom] or [one.id for one in names if one.id != first]
    return first, data.get("b-army") or (others or [first])[0]


def list_matchup_sides(
    user: User,
    campaign: Campaign,
    picked: tuple[str, str],
    data: Mapping[str, str],
    written: Callable[[str, str], Any],
) -> Pair:
    """Both sides of the matchup. `written`: makes the ruleset's document of an army in the address from its text and
    id.
    """
    ids = [key for pick in picked if (key := parse_uuid(pick))]
    rows = list_armies(user, campaign, get_army_ui(campaign).army).complete().filter(pk__in=ids)
    known = {str(row.pk): row for row in rows}
    first, second = (
        _contestant(campaign, one, known, lambda side=side: written(data.get(f"{side}-body", ""), f"{WRITTEN}-{side}"))  # type: ignore[misc]
        for one, side in zip(picked, SIDES, strict=True)
    )
    if first.document and second.document and first.document.id == second.document.id:
        second = replace(second, document=replace(second.document, id=second.document.id + TWIN))
    return first, second


def refusal_of(pair: Pair) -> Said | None:
    return next((found.refused for found in pair if found.refused), None)


def build_query(pair: Pair, bodies: Mapping[str, str]) -> dict[str, str]:
    """Query that asks about both armies as they are. `bodies`: texts of the armies written in the address, by side."""
    asked = {f"{side}-army": found.picked for side, found in zip(SIDES, pair, strict=True)}
    written = {f"{side}-body": bodies[side] for side, found in zip(SIDES, pair, strict=True) if found.picked == WRITTEN}
    return {**asked, **written}


def read_written(text: str) -> Any:
    """JSON values of an army in the address. Raises `InvalidInput`."""
    try:
        return json.loads(text)
    except ValueError as error:
        raise InvalidInput(NO_JSON) from error


def with_written(query: QueryDict, side: str, body: Any) -> str:
    """The workshop's query string with this army (in the shape of the API) on that side."""
    asked = QueryDict(mutable=True)
    for name, values in query.lists():
        if not name.startswith(f"{side}-"):
            asked.setlist(name, values)
    asked[f"{side}-army"], asked[f"{side}-body"] = WRITTEN, as_written(body)
    return asked.urlencode()


def as_written(body: Any) -> str:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))


def _contestant(campaign: Campaign, pick: str, known: Mapping[str, Any], written: Callable[[], Any]) -> MatchupSide:
    try:
        if pick == WRITTEN:
            return MatchupSide(pick, written())
        row = known.get(pick)
        if row is None:
            raise InvalidInput(NOT_HIS)
        row.campaign = campaign
        return MatchupSide(pick, get_battle_ui(get_ruleset(campaign)).document(row), row.kingdom.arms_borne)
    except Refusal as refusal:
        return MatchupSide(pick, refused=refusal.message)
