"""Matchups of the odds workshop between armies the user may read and armies they describe. Nothing is stored."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict

from armies.forces import access
from armies.forces.access import list_armies
from armies.ruleset_ui import get_army_ui, list_army_uis
from battles.codec.forecasts import WONDER
from battles.codec.requests import Members
from battles.forecast.queries import Foreseen, build_foreseen_opening, require_supposing
from battles.play.errors import UnknownArmy
from battles.ruleset_ui import BattleUI, get_battle_ui
from battles.workshop.sweeps import Named, by_kingdom
from core.clean_input import clean_text, parse_uuid, read_json
from core.queries import find_one
from core.text import render
from kingdom.campaign.house_rules import clean_house_rules
from kingdom.models import Campaign, User
from kingdom.models.base import uuid7
from kingdom.models.heraldry import Arms
from kingdom.realms.figures import get_ruleset
from rules.core.errors import InvalidInput, Refusal, demand
from rules.core.shapes.value_kinds import LIST_MOST
from rules.core.text import Said, _
from rules.law import Law
from rules.registry import ruleset

# Matchups of the odds workshop, between armies the user may read and armies written in the address.

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

    `document`: the ruleset's document with an `id`; None if it is `refused`.
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

    `armies`: those to choose among. `pair`: None if there are none. `tuners`: the armies' forms; empty if an army
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
        """Context of the template for each army: colour, arms, form, figures; empty if an army cannot be read."""
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
    """Chosen value of each side; by default the first army, and the first one of another kingdom, those that
    could fight before others. None without armies.
    """
    if not names:
        return None
    names = sorted(names, key=lambda one: not one.ready)
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
        return read_json(text)
    except InvalidInput as refusal:
        raise InvalidInput(NO_JSON) from refusal


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


# Hypothetical battles between armies the asker may read and armies they describe. Nothing is stored.

ARMIES_MOST = 40


def build_hypothetical_battle(user: User, data: Any) -> tuple[Foreseen, dict[str, Any]]:
    """Reads the body of a hypothetical forecast. Returns the battle, and the members that say what is asked (`WONDER`).

    The user must be able to read the figures of every named army. Raises `InvalidInput` with pointers, and
    `UnknownArmy` (404) for other armies.
    """
    demand(isinstance(data, Mapping), _("Enter a JSON object."))
    body = dict(data)
    slug = Members({"ruleset": body.pop("ruleset", None)}).slug("ruleset")
    house = clean_house_rules(body.pop("house_rules", None), ruleset=slug)
    law = ruleset(slug, house)
    require_supposing(law)
    wonder = {name: body.pop(name) for name in WONDER if name in body}
    found: dict[str, Any] = {}
    sides = _sides(user, law, body.pop("sides", None), found)
    opening = get_battle_ui(law).read_opening({"sides": sides, **body}).with_armies(found)
    return build_foreseen_opening(law, house, law.battle.check(opening), uuid7()), wonder


def _sides(user: User, law: Law, data: Any, found: dict[str, Any]) -> list[dict[str, Any]]:
    """The sides, with ids instead of described armies; the ruleset's document of each army is added to `found`."""
    demand(isinstance(data, list) and len(data) <= LIST_MOST, _("Must be a list."), field="/sides")
    return [_side(user, law, side, f"/sides/{index}", found) for index, side in enumerate(data)]


def _side(user: User, law: Law, data: Any, at: str, found: dict[str, Any]) -> dict[str, Any]:
    members = Members(data, at)
    name = clean_text(members.raw("name"), field=f"{at}/name")
    armies = members.each("armies", lambda item, place: _army(user, law, item, place, found))
    members.done()
    return {"name": name, "armies": list(armies)}


def _army(user: User, law: Law, data: object, at: str, found: dict[str, Any]) -> str:
    demand(len(found) < ARMIES_MOST, _("Use at most {most} armies."), field=at, most=ARMIES_MOST)
    ui = get_battle_ui(law)
    if isinstance(data, Mapping):
        name = clean_text(data.get("name"), field=f"{at}/name")
        demand(name not in found, _("Two armies have the same name. Rename one of them."), field=f"{at}/name")
        found[name] = ui.supposed(law, data, at)
        return name
    demand(isinstance(data, str), _("Must be the id of an army, or a description of one."), field=at)
    army = _known(user, law, str(data), at, ui)
    found[str(army.pk)] = ui.document(army)
    return str(army.pk)


def _known(user: User, law: Law, name: str, at: str, ui: BattleUI) -> Any:
    key = parse_uuid(name)
    kind = next((known.army for known in list_army_uis() if known.family == ui.family), None)
    army = find_one(access.list_visible_armies(user, kind).complete().filter(pk=key)) if key and kind else None
    if army is None or ruleset(army.campaign.ruleset).family != law.family:
        raise UnknownArmy(at)
    return army
