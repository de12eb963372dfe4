"""Tracked fields of armies, commanders, stores and unit types (`kingdom.chronicle.changes`).

Army: the fields declared in `rules.pathfinder.spec`; `tactics` (sorted slugs), `resources` ({slug: quantity}),
`commander` (id or None); `created`: None → `{kingdom, name, unit, count, mount?, hp?, morale?, status?}` creates an
army (create spawn) with the id and all figures from the proposal, undo deletes it; `repertoire`: {slug: granted}, the
tactics as people change them; `exists`: whether there is a row.

Commander: `status`, `boons`, `notorious`, `captures`, `ransom`… (columns), `exists`. Unit type: `name`, `family`,
`unit` (columns), `exists`. Stores have the id of their kingdom; `stock` is the list of their content.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any
from uuid import UUID

from armies.adjustments.services import describe_adjustment
from armies.forces.tracked_fields import (
    ARMY,
    ARMY_FIELDS,
    COMMANDER,
    COMMANDER_FIELDS,
    STATUSES,
    armies_or_new,
    check_return,
    commanders_in_their_law,
    list_army_parts,
    take_away,
    way_in_words,
)
from armies.pathfinder.armies.resource_services import forget_rows, refresh, set_figures
from armies.pathfinder.armies.services import set_document
from armies.pathfinder.models import ArmyResource, ArmyTactic, FoundryActor, KingdomStock, PathfinderArmy, UnitType
from armies.pathfinder.models.army import STORED
from armies.pathfinder.unit_types.services import FULL, MOST_TYPES
from core.text import render
from kingdom.access.queries import list_readable_kingdom_ids
from kingdom.chronicle import changes, undelete
from kingdom.chronicle.field_change import FAULTS, Blocked, TrackedModel
from kingdom.models import Campaign, Kingdom, User
from kingdom.realms.figures import get_ruleset
from rules.army_law import DERIVED, words_of
from rules.core.errors import IllegalCommand, InvalidInput, require
from rules.core.text import Said, Term, _, say
from rules.pathfinder.catalogues import NAMED_UNITS
from rules.pathfinder.documents import unit_from_json
from rules.pathfinder.spec import MASS_COMBAT_FIGURES

# Words of changes: names of fields and slugs.

ARMY_WORDS = words_of(MASS_COMBAT_FIGURES, without=DERIVED)
COMMANDER_WORDS: Mapping[str, Said] = {
    "name": _("Name"),
    "character_class": _("Class or creature type"),
    "level": _("Level or HD"),
    "charisma_modifier": _("Charisma modifier"),
    "soldier_ranks": _("Ranks in Profession (soldier)"),
    "leadership_feat": _("Leadership feat"),
    "player_character": _("Player character"),
    "office": _("Office"),
    "office_boon": _("Boon from office"),
    "office_tactic": _("Office boon’s tactic"),
    "boons": _("Boons"),
    "status": _("Status"),
    "notorious": _("Notorious for defeats, captures and ransoms"),
    "captures": _("Times captured"),
    "away_until": _("Away until day"),
    "active_days": _("Days per week with the army"),
    "ransom": _("Ransom in BP"),
}
NAMES: Mapping[str, Said] = {
    "tactics": _("Tactics"),
    "created": _("New army"),
    "exists": _("In service"),
    **words_of(MASS_COMBAT_FIGURES, DERIVED),
}
STORE_WORDS: Mapping[str, Said] = {"stock": _("Stores")}
CATALOGUES = {"office": "offices", "office_boon": "boons", "office_tactic": "tactics"}


def format_value(campaign: Campaign, field: str, value: Any) -> Any:
    """Value of a field before or after a change, in words."""
    law = get_ruleset(campaign)
    match field, value:
        case _, None:
            return None
        case "status", str():
            return render(STATUSES.get(value, Term(value)))
        case "unit", dict():
            return render(say(_("{name} (CR {cr})"), name=value.get("name"), cr=value.get("cr")))
        case "route", dict():
            return way_in_words(value)
        case "mount", dict():
            return value.get("name") or render(_("unnamed"))
        case "tactics", list():
            return [_item(law.tactics, slug) for slug in value]
        case "repertoire", dict():
            return [_tactic(law, slug, granted=granted) for slug, granted in value.items()]
        case "resources", dict():
            return [_counted(_item(law.resources, slug), quantity) for slug, quantity in value.items()]
        case "stock", list():
            return [_lot(law, lot) for lot in value]
        case "adjustments", list():
            return [describe_adjustment(campaign, one) for one in value]
        case "boons", list():
            return [_boon(law, boon) for boon in value]
        case "created", {"slug": _slug, "unit": dict(unit)}:
            return format_value(campaign, "unit", {**unit, "name": value.get("name")})
        case "created", dict():
            return render(say(NAMED_UNITS, name=value.get("name"), count=value.get("count")))
        case (("office" | "office_boon" | "office_tactic"), str()):
            return _item(getattr(law, CATALOGUES[field]), value)
    return value


def _item(catalogue: Mapping[str, Any], slug: str) -> str:
    return render(catalogue[slug].name) if slug in catalogue else slug


def _tactic(law: Any, slug: str, *, granted: bool) -> str:
    name = _item(law.tactics, slug)
    return render(say(_("{tactic} (granted)"), tactic=name)) if granted else name


def _counted(name: str, quantity: int) -> str:
    return f"{name} × {quantity}" if quantity > 1 else name


def _lot(law: Any, lot: Mapping[str, Any]) -> str:
    name = _counted(_item(law.resources, lot["resource"]), lot["quantity"])
    return f"{name} ({_item(law.sizes, lot['size'])})"


def _boon(law: Any, boon: Mapping[str, Any]) -> str:
    name, tactic = _item(law.boons, boon["boon"]), boon.get("tactic")
    return f"{name} ({_item(law.tactics, tactic)})" if tactic else name


FIGURES = frozenset({"resources", "unit", "count", "mount", "adjustments"})


def list_tracked() -> Iterator[TrackedModel]:
    """Tracked models: armies, commanders, stores and unit types."""
    own: dict[str, Any] = {"names": NAMES, "shown": format_value, "family": "pathfinder"}
    yield TrackedModel(
        "army",
        _armies,
        fields=FIELDS,
        after=_after,
        words=ARMY_WORDS,
        parts=list_army_parts(MASS_COMBAT_FIGURES),
        stored=STORED,
        **{**ARMY, **own},
    )
    yield TrackedModel(
        "commander", commanders_in_their_law, fields=COMMANDER_FIELDS, words=COMMANDER_WORDS, **{**COMMANDER, **own}
    )
    yield TrackedModel(
        "stores",
        _stores,
        fields={"stock": changes.FieldAccess(_read_stock, _write_stock)},
        visible=_visible_stores,
        words=STORE_WORDS,
        shown=format_value,
        kingdom=lambda kingdom: kingdom.pk,
    )
    yield TrackedModel(
        "unit_type",
        _unit_types,
        fields={
            "exists": TYPE_STANDS,
            "created": undelete.was_told_before(TYPE_STANDS),
        },
        visible=lambda user, campaign, ids: ids,
        words=UNIT_TYPE_WORDS,
        names=TYPE_NAMES,
        shown=format_value,
    )


def demand_actor(row: FoundryActor, _on: object) -> None:
    require(isinstance(row.actor, dict), undelete.GONE)


UNIT_TYPE_WORDS: Mapping[str, Said] = {"name": _("Name"), "family": _("Family"), "unit": _("Unit")}
TYPE_NAMES: Mapping[str, Said] = dict.fromkeys(("exists", "created"), _("In the library"))


def _unit_types(campaign: Campaign, ids: set[str]) -> changes.RowsById:
    """The campaign's unit types, locked; for ids without a row new instances, to be restored."""
    rows = UnitType.objects.filter(campaign=campaign, pk__in=ids).select_for_update().order_by("pk")
    return undelete.find_or_build(UnitType, campaign, ids, {str(row.pk): row for row in rows})


def _free_place(row: UnitType, kept: undelete.KeptColumns, occasion: changes.Occasion) -> None:
    """Checks that a deleted unit type may be restored: its slug is free, no later one has taken its room, and the
    ruleset accepts the unit.
    """
    undelete.require_same_law(row, kept)
    unit_from_json(row.unit, get_ruleset(row.campaign))
    _refuse_full(row, occasion)
    other = UnitType.objects.filter(campaign=row.campaign, slug=row.slug).first()
    require(other is None, _("Another unit type has taken its place: {unit}. Delete that one first."), unit=other)


def _refuse_full(row: UnitType, occasion: changes.Occasion) -> None:
    """Raises `Blocked` where there is no room, unless there was none when the unit type was deleted."""
    full = UnitType.objects.filter(campaign=row.campaign).count() >= MOST_TYPES
    made = {"subject_kind": "unit_type", "field": "exists", "after": True}
    if full and occasion.undone and (since := changes.find_later(occasion.undone, **made)):
        raise Blocked(say(FULL, most=MOST_TYPES), entry=since)


TYPE_STANDS = undelete.build_existence(UnitType.delete, _free_place)


def _armies(campaign: Campaign, ids: set[str]) -> changes.RowsById:
    return armies_or_new(campaign, ids, PathfinderArmy)


def _stores(campaign: Campaign, ids: set[str]) -> changes.RowsById:
    rows = Kingdom.objects.filter(campaign=campaign, pk__in=ids).select_for_update().order_by("pk")
    return {str(kingdom.pk): kingdom for kingdom in rows}


def _visible_stores(user: User, campaign: Campaign, ids: set[str]) -> set[str]:
    return {str(pk) for pk in list_readable_kingdom_ids(user, campaign)} & ids


def _read_stock(kingdom: Kingdom) -> list[dict[str, Any]]:
    rows = KingdomStock.objects.filter(kingdom=kingdom)
    return [
        {"resource": row.resource, "size": row.size, "quantity": row.quantity, "mount": row.mount}
        for row in sorted(rows, key=lambda row: (row.resource, row.size, str(row.mount)))
    ]


def _write_stock(kingdom: Kingdom, stock: Iterable[Mapping[str, Any]], _occasion: changes.Occasion) -> None:
    KingdomStock.objects.filter(kingdom=kingdom).delete()
    KingdomStock.objects.bulk_create(
        KingdomStock(campaign_id=kingdom.campaign_id, kingdom=kingdom, **lot) for lot in stock
    )


def _read_repertoire(army: PathfinderArmy) -> dict[str, bool]:
    return {row.tactic: row.granted for row in sorted(army.tactics.all(), key=lambda row: row.tactic)}


def _write_repertoire(army: PathfinderArmy, known: Mapping[str, bool], _occasion: changes.Occasion) -> None:
    army.tactics.exclude(tactic__in=list(known)).delete()
    for slug, granted in known.items():
        ArmyTactic.objects.update_or_create(
            army=army, tactic=slug, defaults={"campaign": army.campaign, "granted": granted}
        )
    forget_rows(army)


def _read_tactics(army: PathfinderArmy) -> list[str]:
    return sorted(row.tactic for row in army.tactics.all())


def _write_tactics(army: PathfinderArmy, slugs: list[str], _occasion: changes.Occasion) -> None:
    """Learns new tactics and forgets missing ones. Granted ones that stay are still granted."""
    known = set(_read_tactics(army))
    army.tactics.filter(tactic__in=known - set(slugs)).delete()
    fresh = [slug for slug in slugs if slug not in known]
    ArmyTactic.objects.bulk_create(ArmyTactic(campaign=army.campaign, army=army, tactic=slug) for slug in fresh)
    forget_rows(army)


def _read_resources(army: PathfinderArmy) -> dict[str, int]:
    return {row.resource: row.quantity for row in army.resources.all()}


def _write_resources(army: PathfinderArmy, held: Mapping[str, int], _occasion: changes.Occasion) -> None:
    army.resources.exclude(resource__in=[slug for slug, quantity in held.items() if quantity > 0]).delete()
    for slug, quantity in held.items():
        if quantity > 0:
            ArmyResource.objects.update_or_create(
                army=army, resource=slug, defaults={"campaign": army.campaign, "quantity": quantity}
            )
    forget_rows(army)


def _read_created(army: PathfinderArmy) -> dict[str, Any] | None:
    return None if army._state.adding else army.origin


def _write_created(army: PathfinderArmy, origin: Mapping[str, Any] | None, _occasion: changes.Occasion) -> None:
    if origin is None:
        take_away(army)
        return
    try:
        _create(army, origin)
    except FAULTS as error:  # faults in an archive's document
        raise IllegalCommand(undelete.GONE) from error


def _create(army: PathfinderArmy, origin: Mapping[str, Any]) -> None:
    army.kingdom_id, army.name = UUID(str(origin["kingdom"])), origin["name"]
    undelete.require_same_kingdom(army)
    set_document(army, {name: origin.get(name) for name in ("unit", "count", "mount")})
    army.morale, army.origin = origin.get("morale", 0), dict(origin)
    army.status = origin.get("status", PathfinderArmy.Status.READY)
    set_figures(army)
    hp = origin.get("hp")
    army.hp = army.hp_max if hp is None else min(hp, army.hp_max)
    army.save(force_insert=True)


def _check_return(army: PathfinderArmy, kept: undelete.KeptColumns, occasion: changes.Occasion) -> None:
    """Also refuses to restore an army with a special ability of the campaign's own that is gone, unless it was
    disbanded, so that it may have lost the ability before (PF-HOUSE).
    """
    check_return(army, kept, occasion)
    if army.status != PathfinderArmy.Status.DISBANDED:
        _require_abilities(army)


def _require_abilities(army: PathfinderArmy) -> None:
    """Raises `IllegalCommand` if a special ability of the army is gone."""
    known = get_ruleset(army.campaign).abilities
    lost = next((choice["ability"] for choice in army.unit["abilities"] if choice["ability"] not in known), "")
    text = _("A special ability of {army} is no longer in the arsenal: {ability}. Restore that first.")
    require(not lost, text, army=army.name, ability=lost)


FIELDS = {
    **ARMY_FIELDS,
    "exists": undelete.build_existence(take_away, _check_return),
    "repertoire": changes.FieldAccess(_read_repertoire, _write_repertoire),
    "tactics": changes.FieldAccess(_read_tactics, _write_tactics),
    "resources": changes.FieldAccess(_read_resources, _write_resources),
    "created": changes.FieldAccess(_read_created, _write_created),
}


def _after(army: PathfinderArmy, changed: set[str]) -> None:
    if "status" in changed and army.standing:  # it was disbanded
        _require_abilities(army)
    if changed & FIGURES:
        refresh(army)
    elif "exists" in changed:
        with suppress(InvalidInput):  # an army that was invalid stays so
            refresh(army)
