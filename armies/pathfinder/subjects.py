"""What of armies, commanders and stores time, battles and people may change (`kingdom.world`).

Army fields: `hp`, `morale`, `status`, `disease`, `ill`, `drain`, `arrears`, `owed`, `rested_on`, `surcharge`,
`foraging` (columns);
`tactics` (sorted slugs known), `resources` ({slug: quantity}), `commander` (id or None);
`created`: None → `{kingdom, name, unit, count, mount?, hp?, morale?, status?}` brings a new army (create spawn)
under the id chosen by the proposal, which states all its figures there; undoing takes it away again.
`repertoire`: {slug: granted} is the tactics known as people change them, `exists` whether it is there at all.
Commander fields: `status`, `boons`, `notorious`, `captures`, `ransom`… (columns), `exists`.
Stores go by their kingdom's id; `stock` is the list of what lies in them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.db.models import ProtectedError, RestrictedError

from armies.faces import face_for
from armies.pathfinder.access import armies_of, commanders_of
from armies.pathfinder.change_words import ARMY_WORDS, COMMANDER_WORDS, NAMES, STORE_WORDS, shown
from armies.pathfinder.models import ArmyResource, ArmyTactic, KingdomStock, PathfinderArmy, PathfinderCommander
from armies.pathfinder.models.army import STORED
from armies.pathfinder.services.figures import forget_rows, refresh, set_figures
from kingdom import world
from kingdom.models import Campaign, Kingdom, User
from kingdom.selectors import readable_kingdom_ids
from rules.errors import IllegalCommand, refuse, require
from rules.text import _

FAMILY = "pathfinder"
FIGURES = frozenset({"resources", "unit", "count", "mount"})


def register() -> None:
    world.register(
        "army",
        _armies,
        fields=FIELDS,
        visible=_visible_armies,
        after=_after,
        words=ARMY_WORDS,
        names=NAMES,
        shown=shown,
        kingdom=_owner,
        listed=_listed_armies,
        stored=STORED,
        family=FAMILY,
    )
    world.register(
        "commander",
        _commanders,
        fields={"exists": world.FieldAccess(_is_there, _strike)},
        family=FAMILY,
        visible=_visible_commanders,
        words=COMMANDER_WORDS,
        names=NAMES,
        shown=shown,
        kingdom=_owner,
        listed=_listed_commanders,
    )
    world.register(
        "stores",
        _stores,
        fields={"stock": world.FieldAccess(_read_stock, _write_stock)},
        visible=_visible_stores,
        words=STORE_WORDS,
        shown=shown,
        kingdom=lambda kingdom: kingdom.pk,
    )


def _owner(row: Any) -> UUID | None:
    return row.kingdom_id


def _armies(campaign: Campaign, ids: set[str]) -> world.Rows:
    """The armies; ids that are not there yet stand for armies about to be created."""
    rows = PathfinderArmy.objects.filter(campaign=campaign, pk__in=ids).complete()
    found: world.Rows = {str(army.pk): army for army in rows.locked()}
    return {**{pk: PathfinderArmy(pk=UUID(pk), campaign=campaign) for pk in sorted(ids - found.keys())}, **found}


def _commanders(campaign: Campaign, ids: set[str]) -> world.Rows:
    kind = face_for(campaign).commander
    rows = kind._default_manager.filter(campaign=campaign, pk__in=ids).select_for_update().order_by("pk")
    return {str(commander.pk): commander for commander in rows}


def _visible_armies(user: User, campaign: Campaign, ids: set[str]) -> set[str]:
    return {str(pk) for pk in armies_of(user, campaign).filter(pk__in=ids).values_list("pk", flat=True)}


def _visible_commanders(user: User, campaign: Campaign, ids: set[str]) -> set[str]:
    return {str(pk) for pk in commanders_of(user, campaign).filter(pk__in=ids).values_list("pk", flat=True)}


def _listed_armies(user: User, campaign: Campaign) -> Iterable[tuple[UUID, str]]:
    return armies_of(user, campaign).order_by("name", "id").values_list("pk", "name")


def _listed_commanders(user: User, campaign: Campaign) -> Iterable[tuple[UUID, str]]:
    return commanders_of(user, campaign).order_by("name", "id").values_list("pk", "name")


def _is_there(row: Any) -> bool:
    return not row._state.adding


def _strike(commander: PathfinderCommander, there: Any, _occasion: world.Occasion) -> None:
    """Undoing an appointment."""
    require(not there, _("This is gone for good."))
    led = PathfinderArmy.objects.filter(commander=commander).first()
    require(
        led is None,
        _("{commander} leads {army}: take the command away there first."),
        commander=commander.name,
        army=led.name if led else "",
    )
    commander.delete()


def _stores(campaign: Campaign, ids: set[str]) -> world.Rows:
    rows = Kingdom.objects.filter(campaign=campaign, pk__in=ids).select_for_update().order_by("pk")
    return {str(kingdom.pk): kingdom for kingdom in rows}


def _visible_stores(user: User, campaign: Campaign, ids: set[str]) -> set[str]:
    return {str(pk) for pk in readable_kingdom_ids(user, campaign)} & ids


def _read_stock(kingdom: Kingdom) -> list[dict[str, Any]]:
    rows = KingdomStock.objects.filter(kingdom=kingdom)
    return [
        {"resource": row.resource, "size": row.size, "quantity": row.quantity, "mount": row.mount}
        for row in sorted(rows, key=lambda row: (row.resource, row.size, str(row.mount)))
    ]


def _write_stock(kingdom: Kingdom, stock: Iterable[Mapping[str, Any]], _occasion: world.Occasion) -> None:
    KingdomStock.objects.filter(kingdom=kingdom).delete()
    KingdomStock.objects.bulk_create(
        KingdomStock(campaign_id=kingdom.campaign_id, kingdom=kingdom, **lot) for lot in stock
    )


def _read_repertoire(army: PathfinderArmy) -> dict[str, bool]:
    return {row.tactic: row.granted for row in sorted(army.tactics.all(), key=lambda row: row.tactic)}


def _write_repertoire(army: PathfinderArmy, known: Mapping[str, bool], _occasion: world.Occasion) -> None:
    army.tactics.exclude(tactic__in=list(known)).delete()
    for slug, granted in known.items():
        ArmyTactic.objects.update_or_create(
            army=army, tactic=slug, defaults={"campaign": army.campaign, "granted": granted}
        )
    forget_rows(army)


def _disown(army: PathfinderArmy, there: Any, _occasion: world.Occasion) -> None:
    """Undoing that an army was raised."""
    require(not there, _("This is gone for good."))
    _take_away(army)


def _read_tactics(army: PathfinderArmy) -> list[str]:
    return sorted(row.tactic for row in army.tactics.all())


def _write_tactics(army: PathfinderArmy, slugs: list[str], _occasion: world.Occasion) -> None:
    """Learn what is new, forget what is gone; granted ones that stay stay granted."""
    known = set(_read_tactics(army))
    army.tactics.filter(tactic__in=known - set(slugs)).delete()
    fresh = [slug for slug in slugs if slug not in known]
    ArmyTactic.objects.bulk_create(ArmyTactic(campaign=army.campaign, army=army, tactic=slug) for slug in fresh)
    forget_rows(army)


def _read_resources(army: PathfinderArmy) -> dict[str, int]:
    return {row.resource: row.quantity for row in army.resources.all()}


def _write_resources(army: PathfinderArmy, held: Mapping[str, int], _occasion: world.Occasion) -> None:
    army.resources.exclude(resource__in=[slug for slug, quantity in held.items() if quantity > 0]).delete()
    for slug, quantity in held.items():
        if quantity > 0:
            ArmyResource.objects.update_or_create(
                army=army, resource=slug, defaults={"campaign": army.campaign, "quantity": quantity}
            )
    forget_rows(army)


def _read_commander(army: PathfinderArmy) -> str | None:
    return str(army.commander_id) if army.commander_id else None


def _write_commander(army: PathfinderArmy, pk: str | None, _occasion: world.Occasion) -> None:
    if pk is not None:
        commander = PathfinderCommander.objects.filter(campaign=army.campaign, kingdom=army.kingdom_id, pk=pk).first()
        if commander is None:
            refuse(_("The commander of {army} is gone."), army=army.name)
        led = commander.led
        require(
            led is None or led.pk == army.pk,
            _("{commander} leads another army now: {army}."),
            commander=commander.name,
            army=led.name if led else "",
        )
    army.commander_id = pk
    army.save(update_fields=["commander"])


def _read_created(army: PathfinderArmy) -> dict[str, Any] | None:
    return None if army._state.adding else army.origin


def _write_created(army: PathfinderArmy, origin: Mapping[str, Any] | None, _occasion: world.Occasion) -> None:
    if origin is None:
        _take_away(army)
        return
    army.kingdom_id = origin["kingdom"]
    army.name, army.count = origin["name"], origin["count"]
    army.unit, army.mount = origin["unit"], origin.get("mount")
    army.morale, army.origin = origin.get("morale", 0), dict(origin)
    army.status = origin.get("status", PathfinderArmy.Status.READY)
    set_figures(army)
    hp = origin.get("hp")
    army.hp = army.hp_max if hp is None else min(hp, army.hp_max)
    army.save(force_insert=True)


def _take_away(army: PathfinderArmy) -> None:
    try:
        army.delete()
    except (ProtectedError, RestrictedError):
        raise IllegalCommand(_("A later battle remembers this army: undo that first.")) from None


FIELDS = {
    "exists": world.FieldAccess(_is_there, _disown),
    "repertoire": world.FieldAccess(_read_repertoire, _write_repertoire),
    "tactics": world.FieldAccess(_read_tactics, _write_tactics),
    "resources": world.FieldAccess(_read_resources, _write_resources),
    "commander": world.FieldAccess(_read_commander, _write_commander),
    "created": world.FieldAccess(_read_created, _write_created),
}


def _after(army: PathfinderArmy, changed: set[str]) -> None:
    if changed & FIGURES:
        refresh(army)
