"""Requests for forecasts and sweeps in the shape of the API."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple

from armies.forces.access import list_visible_armies
from battles.codec.requests import Members, read_army, read_whole
from battles.forecast.queries import Wondered
from battles.play.errors import UnknownArmy
from battles.ruleset_ui import WorkshopUI, get_battle_ui
from battles.workshop.sweeps import MOST_ARMIES, Entrant, Sweep, list_entrants
from core.clean_input import clean_text, parse_uuid
from core.queries import find_one
from kingdom.access.queries import get_campaign_for
from kingdom.campaign.house_rules import clean_house_rules
from kingdom.models import Campaign, User
from kingdom.realms.figures import get_ruleset
from rules.core.errors import InvalidInput, demand, require
from rules.core.odds import AboutOdds, Retreat
from rules.core.text import Term, _
from rules.core.workshop import NO_SUCH
from rules.law import Law
from rules.odds.viewer_forecast import WhichTable
from rules.registry import ruleset

PHASES_MOST, HEALTH_MOST = 200, 1_000_000
UNKNOWN = ("average", "worst")
WONDER = ("orders", "until", "withdraw", "unknown", "matrix", "table")


def parse_forecast_request(data: object, law: Law, sides: tuple[str, ...], usual: Callable[[], WhichTable]) -> Wondered:
    """Reads the body of POST forecast/. `usual`: the table for `matrix` without details. Raises `InvalidInput`."""
    members = Members(data)
    unknown = members.slug_or("unknown", "average")
    demand(unknown in UNKNOWN, _("Choose one of: {known}."), field="/unknown", known=", ".join(UNKNOWN))
    phases, until = _until(members)
    about = AboutOdds(
        commands=_orders(members, law, sides),
        phases=phases,
        until=until,
        retreats=_by_army(members, "withdraw", partial(_retreat, span=get_battle_ui(law).span)),
        unknown=unknown,
    )
    wants, table = members.flag("matrix"), members.raw("table")
    members.done()
    if table is None:
        return Wondered(about, usual() if wants else None)
    return Wondered(about, _table(table))


def _orders(members: Members, law: Law, sides: tuple[str, ...]) -> tuple[Any, ...]:
    reader = get_battle_ui(law).readers.get("order")
    given = _by_army(members, "orders", lambda body, _at: body)
    demand(reader or not given, _("This ruleset has no orders for single armies."), field="/orders")
    return tuple(_order(reader, army, body, sides) for army, body in given.items())


def _order(reader: Any, army: str, body: object, sides: tuple[str, ...]) -> Any:
    at = f"/orders/{army}"
    demand(isinstance(body, Mapping), _("Enter a JSON object."), field=at)
    members = Members({**body, "type": "order", "army": army}, at)  # type: ignore[dict-item]
    members.slug("type")
    order = reader(members, sides)
    members.done()
    return order


def _until(members: Members) -> tuple[int | None, Mapping[str, int]]:
    told = members.raw("until")
    if told is None:
        return None, {}
    own = Members(told, "/until")
    phases = own.whole("phases", 1, PHASES_MOST) if own.has("phases") else None
    found = _by_army(own, "hp", _health)
    own.done()
    return phases, found


def _health(value: object, at: str) -> int:
    return read_whole(value, 0, HEALTH_MOST, at)


def _retreat(data: object, at: str, *, span: Term) -> Retreat:
    own = Members(data, at)
    after = own.whole("after", 0, PHASES_MOST) if own.has("after") else None
    health = own.whole("hp", 0, HEALTH_MOST) if own.has("hp") else None
    own.done()
    demand(after is not None or health is not None, _("Enter a number of {span}, or a strength."), field=at, span=span)
    return Retreat(after, health)


def _by_army[Item](members: Members, name: str, read: Callable[[object, str], Item]) -> dict[str, Item]:
    value, at = members.raw(name), members.pointer(name)
    if value is None:
        return {}
    demand(isinstance(value, Mapping), _("Enter a JSON object."), field=at)
    return {read_army(army, at): read(item, f"{at}/{army}") for army, item in value.items()}


def _table(data: object) -> WhichTable:
    own = Members(data, "/table")
    table = WhichTable(own.slug("kind"), own.army("row"), own.army("column"))
    own.done()
    return table


# Sweeps in the shape of the API.


class SweepGround(NamedTuple):
    """Campaign and ruleset of the armies that a sweep compares."""

    user: User
    campaign: Campaign | None
    law: Law
    house: Mapping[str, Any]

    @property
    def ui(self) -> WorkshopUI:
        ui = get_battle_ui(self.law).workshop
        require(ui is not None, NO_SUCH)
        assert ui is not None
        return ui


def sweep_from_json(user: User, data: object) -> tuple[Sweep, Campaign | None]:
    """Reads the body of POST forecast/sweep/. Raises `InvalidInput` with pointers, `Http404`, and `UnknownArmy` for an
    army the user may not read.
    """
    members = Members(data)
    army, against = members.raw("army"), members.raw("against")
    ground = _ground(members, user, [("/army", army), *(_listed(against) if against is not None else ())])
    every = members.flag("every")
    field = ground.ui.read_field(ground.law, members)
    members.done()
    _own_rules(ground, members)
    ground.ui.check_field(ground.law, field)
    demand(every == (army is None), _("Choose one army, or compare all of them."), field="/army")
    columns = _all(ground) if against is None else _several(ground, _listed(against))
    rows = columns if every else _several(ground, [("/army", army)])
    return Sweep(ground.law.slug, ground.house, rows, columns, field), ground.campaign


def _ground(members: Members, user: User, armies: Iterable[tuple[str, Any]]) -> SweepGround:
    """The campaign that is named; without one the ruleset; without either the campaign of the first army that is an
    id.
    """
    named = members.raw("campaign")
    slug, house = members.raw("ruleset"), members.raw("house_rules")
    if slug is not None and named is None:
        house = clean_house_rules(house or {}, ruleset=members.slug("ruleset"))
        return SweepGround(user, None, ruleset(members.slug("ruleset"), house), house)
    campaign = get_campaign_for(user, str(named)) if named is not None else _campaign_of(user, armies)
    return SweepGround(user, campaign, get_ruleset(campaign), campaign.house_rules)


def _own_rules(ground: SweepGround, members: Members) -> None:
    named = members.raw("ruleset") is not None or members.raw("house_rules") is not None
    demand(
        ground.campaign is None or not named, _("The campaign’s rules apply: leave these fields out."), field="/ruleset"
    )


def _campaign_of(user: User, armies: Iterable[tuple[str, Any]]) -> Campaign:
    for at, army in armies:
        if isinstance(army, str):
            found = find_one(list_visible_armies(user).select_related("campaign").filter(pk=parse_uuid(army)))
            if found is None:
                raise UnknownArmy(at)
            return found.campaign
    raise InvalidInput(_("Enter the ruleset, or the ids of armies in a campaign."), "/ruleset")


def _all(ground: SweepGround) -> list[Entrant]:
    demand(ground.campaign is not None, _("Enter the armies, or the campaign they belong to."), field="/against")
    assert ground.campaign is not None
    return list_entrants(ground.user, ground.campaign)


def _listed(given: object) -> list[tuple[str, Any]]:
    """The items of `against`, each with its pointer."""
    fits = isinstance(given, list) and len(given) <= MOST_ARMIES
    demand(fits, _("Must be a list of at most {most} armies."), field="/against", most=MOST_ARMIES)
    return [(f"/against/{index}", one) for index, one in enumerate(given)]  # type: ignore[arg-type,var-annotated]


def _several(ground: SweepGround, given: Iterable[tuple[str, Any]]) -> list[Entrant]:
    """Armies by id, or described ones, which go by their names. Repeats are dropped."""
    read = [(at, one if isinstance(one, Mapping) else read_army(one, at)) for at, one in given]
    ids = [key for _at, one in read if isinstance(one, str) and (key := parse_uuid(one))]
    known = {one.id: one for one in list_entrants(ground.user, ground.campaign, ids)} if ground.campaign else {}
    found = [_entrant(ground, one, known, at) for at, one in read]
    return list({one.id: one for one in found}.values())


def _entrant(ground: SweepGround, one: Any, known: Mapping[str, Entrant], at: str) -> Entrant:
    if isinstance(one, Mapping):
        name = clean_text(one.get("name"), field=f"{at}/name")
        return Entrant(name, name, get_battle_ui(ground.law).supposed(ground.law, one, at))
    if one not in known:
        raise UnknownArmy(at)
    return known[one]
