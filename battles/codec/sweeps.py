"""A sweep in the shape of the API."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple
from uuid import UUID

from battles.codec.members import Members, read_army
from battles.faces import WorkshopFace, face_of
from battles.selectors.sweeps import MOST_ARMIES, Entrant, Sweep, entrants_of
from battles.services.errors import UnknownArmy
from kingdom.house_rules import clean_house_rules
from kingdom.models import Campaign, User
from kingdom.selectors import campaign_for, ruleset_of
from rules.errors import demand, require
from rules.law import Law
from rules.registry import ruleset
from rules.text import _
from rules.workshop import NO_SUCH


class Ground(NamedTuple):
    """Whose armies are meant, by which law."""

    user: User
    campaign: Campaign | None
    law: Law
    house: Mapping[str, Any]

    @property
    def face(self) -> WorkshopFace:
        face = face_of(self.law).workshop
        require(face is not None, NO_SUCH)
        assert face is not None
        return face


def sweep_from_json(user: User, data: object) -> tuple[Sweep, Campaign | None]:
    """The body of POST forecast/sweep/. Raises `InvalidInput` with pointers, Http404, `UnknownArmy` for one that he may
    not read.
    """
    members = Members(data)
    ground = _ground(members, user)
    every = members.flag("every")
    army, against = members.raw("army"), members.raw("against")
    field = ground.face.read_field(ground.law, members)
    members.done()
    demand(every == (army is None), _("Name one army, or ask for every one against every other."), field="/army")
    columns = _all(ground) if against is None else _several(ground, _listed(against))
    rows = columns if every else _several(ground, [("/army", army)])
    return Sweep(ground.law.slug, ground.house, rows, columns, field), ground.campaign


def _ground(members: Members, user: User) -> Ground:
    named = members.raw("campaign")
    slug, house = members.raw("ruleset"), members.raw("house_rules")
    if named is not None:
        demand(slug is None and house is None, _("A campaign has its own rules: leave these out."), field="/ruleset")
        campaign = campaign_for(user, str(named))
        return Ground(user, campaign, ruleset_of(campaign), campaign.house_rules)
    law = ruleset(members.slug("ruleset"))
    return Ground(user, None, law, clean_house_rules(house or {}, ruleset=law.slug))


def _all(ground: Ground) -> list[Entrant]:
    demand(ground.campaign is not None, _("Name the armies, or the campaign whose armies are meant."), field="/against")
    assert ground.campaign is not None
    return entrants_of(ground.user, ground.campaign)


def _listed(given: object) -> list[tuple[str, Any]]:
    """Each with its pointer."""
    fits = isinstance(given, list) and len(given) <= MOST_ARMIES
    demand(fits, _("Give a list of at most {most} armies."), field="/against", most=MOST_ARMIES)
    return [(f"/against/{index}", one) for index, one in enumerate(given)]  # type: ignore[arg-type,var-annotated]


def _several(ground: Ground, given: Iterable[tuple[str, Any]]) -> list[Entrant]:
    """Armies by their ids, or written out: those are known by their names. Each once."""
    read = [(at, one if isinstance(one, Mapping) else read_army(one, at)) for at, one in given]
    ids = [UUID(one) for _at, one in read if isinstance(one, str) and _is_uuid(one)]
    known = {one.id: one for one in entrants_of(ground.user, ground.campaign, ids)} if ground.campaign else {}
    found = [_entrant(ground, one, known, at) for at, one in read]
    return list({one.id: one for one in found}.values())


def _entrant(ground: Ground, one: Any, known: Mapping[str, Entrant], at: str) -> Entrant:
    if isinstance(one, Mapping):
        document = ground.face.read_army(ground.law, one, at)
        return Entrant(document.id, document.name, document)
    if one not in known:
        raise UnknownArmy(at)
    return known[one]


def _is_uuid(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True
