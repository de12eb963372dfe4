"""Services for settlements and their buildings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction

from core.clean_input import ATTRIBUTE_MAX, DISTRICTS_MAX, clean_optional_whole, clean_text, clean_whole
from kingdom.access.decorators import RequestedChange, drop_unchanged, needs_approval, require_not_deleted
from kingdom.access.queries import is_gm, require_runs
from kingdom.chronicle.transaction import record_changes
from kingdom.models import Kingdom, Settlement, User
from kingdom.realms.figures import get_realm_law
from rules.core.errors import demand
from rules.core.text import Said, Term, _, say
from rules.realm import RealmLaw, counted

BUILDINGS_MAX = 2_000
FIELDS = frozenset({"name", "districts", "buildings", "defense_override"})


@needs_approval("kingdom.found_settlement", "found")
@transaction.atomic
def found_settlement(
    *,
    by: User,
    kingdom: Kingdom,
    name: str,
    districts: int = 1,
    buildings: Iterable[str] = (),
    defense_override: int | None = None,
) -> Settlement:
    """Create a settlement (whoever runs the kingdom; only the GM sets a fixed Defense). Raises `InvalidInput`, Http404
    if the kingdom is dissolved meanwhile.
    """
    require_runs(by, kingdom)
    settlement = Settlement(campaign_id=kingdom.campaign_id, kingdom=kingdom)
    rule = get_realm_law(kingdom.campaign).rule
    with record_changes(by=by, campaign=kingdom.campaign, kind="kingdom", rule=rule) as told:
        require_not_deleted(kingdom)
        _put(by, settlement, name=name, districts=districts, buildings=buildings, defense_override=defense_override)
        settlement.save(force_insert=True)
        told.made("settlement", settlement)
        told.text = _of(_("{kingdom} founded {settlement}."), settlement, _("{kingdom} founded {settlement}: {what}."))
    return settlement


def _changes(given: Mapping[str, Any]) -> RequestedChange:
    """Return the changed fields. A new name alone needs no approval."""
    wanted = drop_unchanged(given["settlement"], given, FIELDS)
    return RequestedChange(("found",) if wanted.keys() & FIELDS - {"name"} else (), wanted)


@needs_approval("kingdom.update_settlement", "found", wish=_changes)
@transaction.atomic
def update_settlement(*, by: User, settlement: Settlement, **fields: object) -> Settlement:
    """Change name, districts, buildings or Defense; other fields stay. Raises `InvalidInput`."""
    require_runs(by, settlement.kingdom)
    current = {name: getattr(settlement, name) for name in sorted(FIELDS)}
    campaign, on = settlement.kingdom.campaign, [("settlement", settlement)]
    with record_changes(by=by, campaign=campaign, kind="kingdom", rule=get_realm_law(campaign).rule, on=on) as told:
        _put(by, settlement, **{**current, **fields})
        settlement.save(update_fields=list(current))
        told.text = _of(_("{kingdom}: {settlement} was changed."), settlement)
    return settlement


def _of(template: Term, settlement: Settlement, with_what: Term | None = None) -> Said:
    """Return the sentence: `with_what`, if given and the settlement has contents to name, else `template`."""
    names = {"kingdom": settlement.kingdom.name, "settlement": settlement.name}
    what = _contents(settlement) if with_what else []
    return say(with_what, **names, what=what) if with_what and what else say(template, **names)


def _contents(settlement: Settlement) -> list[Said]:
    """Return its districts, if it has several, and its buildings with their numbers."""
    standing, known = Counter(settlement.buildings), get_realm_law(settlement.kingdom.campaign).buildings
    several = settlement.districts > 1
    districts = [say(_("{count} districts"), count=settlement.districts)] if several else []
    return [*districts, *(counted(known[slug], standing[slug]) for slug in known if standing[slug])]


@needs_approval("kingdom.raze_settlement", "found")
@transaction.atomic
def raze_settlement(*, by: User, settlement: Settlement) -> None:
    """Delete a settlement (whoever runs the kingdom). Undo restores it."""
    require_runs(by, settlement.kingdom)
    campaign, on = settlement.kingdom.campaign, [("settlement", settlement)]
    with record_changes(by=by, campaign=campaign, kind="kingdom", rule=get_realm_law(campaign).rule, on=on) as told:
        for town in told.rows("settlement").values():  # none if it was razed meanwhile
            lost = _("{kingdom}: {settlement} was razed, and with it {what}.")
            told.text = _of(_("{kingdom}: {settlement} was razed."), town, lost)
            told.gone("settlement", town)
            town.delete()


def _put(
    by: User, settlement: Settlement, *, name: object, districts: object, buildings: object, defense_override: object
) -> None:
    settlement.name = clean_text(name, field="/name")
    settlement.districts = clean_whole(districts, field="/districts", least=1, most=DISTRICTS_MAX)
    realm = get_realm_law(settlement.kingdom.campaign)
    settlement.buildings = clean_buildings(realm, buildings, districts=settlement.districts)
    override = clean_optional_whole(defense_override, field="/defense_override", least=0, most=ATTRIBUTE_MAX)
    if override != settlement.defense_override and not is_gm(by, settlement.kingdom.campaign):
        raise PermissionDenied
    unknown = override is not None and realm.defense((), None) is None
    demand(not unknown, _("Settlements don’t have this value in this ruleset. Remove it."), field="/defense_override")
    settlement.defense_override = override


def clean_buildings(realm: RealmLaw, buildings: object, *, districts: int) -> list[str]:
    """Return the slugs in the catalogue's order, within the numbers that the ruleset allows. Raises `InvalidInput`."""
    demand(isinstance(buildings, list | tuple), _("Send a list of buildings."), field="/buildings")
    slugs = list(buildings)  # type: ignore[call-overload]
    demand(
        len(slugs) <= BUILDINGS_MAX,
        _("A settlement can have {most} buildings at most."),
        field="/buildings",
        most=BUILDINGS_MAX,
    )
    for position, slug in enumerate(slugs):
        known = isinstance(slug, str) and slug in realm.buildings
        demand(known, _("Unknown building “{slug}”."), field=f"/buildings/{position}", slug=str(slug)[:60])
    standing = Counter(slugs)
    realm.check_buildings(standing, districts=districts)
    return [slug for slug in realm.buildings for _each in range(standing[slug])]
