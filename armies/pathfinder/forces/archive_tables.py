"""Tables of mass combat in a campaign's archive, and the checks of their rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.db.models import Model
from django.utils.text import slugify

from armies.forces.declared_figures import allow_lost_items, columns_added, demand_figures
from armies.models import Army
from armies.pathfinder.armies.queries import on_paper
from armies.pathfinder.commanders.services import WHOLE
from armies.pathfinder.forces.specs import build_commander_spec
from armies.pathfinder.models import (
    ArmyResource,
    ArmyTactic,
    ArmyWeek,
    FoundryActor,
    KingdomStock,
    PathfinderArmy,
    PathfinderCommander,
    RestCheck,
    UnitType,
    WeekChoices,
)
from core.clean_input import clean_slug, clean_text, clean_whole
from kingdom.archive.import_checks import CarriedTable, select_campaign
from kingdom.realms.figures import get_ruleset
from rules.core.errors import InvalidInput, Refusal, demand
from rules.core.text import _, say
from rules.pathfinder.catalogue.units import FAMILIES
from rules.pathfinder.documents import mount_from_json
from rules.pathfinder.spec import MASS_COMBAT_FIGURES, MOST_UNITS, SIZES


def _complete(rows: Any) -> Any:
    return rows.complete()


def _demand_army(army: PathfinderArmy) -> None:
    """Checks that the campaign's ruleset accepts the army's unit, number, mount and figures. Raises `InvalidInput`."""
    law, kind, count = get_ruleset(army.campaign), army.sheet.get("unit"), army.sheet.get("count")
    with _in_its_sheet(army):
        sound = isinstance(kind, dict) and isinstance(kind.get("name"), str) and type(count) is int and count > 0
        demand(sound, _("This entry isn’t a valid army."))
        clean_whole(count, field="/count", least=1, most=MOST_UNITS)
        with allow_lost_items(army):
            law.unit(kind)
        mount_from_json(army.mount, law)
    demand_figures(army, MASS_COMBAT_FIGURES)
    called = army.called_up is None or (army.reserved_on is not None and army.reserved_on <= army.called_up)
    demand(called, _("An army can only be called up from reserve."), field="/called_up")
    on_paper(army)


@contextmanager
def _in_its_sheet(army: PathfinderArmy) -> Iterator[None]:
    """Tell refusals of the army's unit, number and mount where the document has them, with the army and the unit."""
    try:
        yield
    except Refusal as refusal:
        place = Army.objects.filter(campaign=army.campaign_id, pk__lt=army.pk).count()
        kind = army.sheet.get("unit")
        unit = kind.get("name") if isinstance(kind, dict) else None
        named = say(_("{army} ({unit})"), army=army.name, unit=unit) if isinstance(unit, str) else army.name
        errors = tuple(
            (f"/tables/armies/{place}/sheet{where}", say(_("{army}: {why}"), army=named, why=what))
            for where, what in refusal.errors
        )
        raise InvalidInput(errors[0][1], errors[0][0], errors) from None


def _demand_commander(commander: PathfinderCommander) -> None:
    """Checks that the campaign's ruleset knows the commander's office, boons and tactics. Raises `InvalidInput`."""
    law = get_ruleset(commander.campaign)
    for field, known in (("office", law.offices), ("office_boon", law.boons), ("office_tactic", law.tactics)):
        if (slug := getattr(commander, field)) is not None:
            clean_slug(slug, field=f"/{field}", among=known)
    demand_boons(law, commander.boons)
    for field, (least, most) in WHOLE.items():
        clean_whole(getattr(commander, field), field=f"/{field}", least=least, most=most)
    build_commander_spec(commander)


def demand_boons(law: Any, boons: Any) -> None:
    """Checks that each is a boon of this ruleset, with the tactic it needs. Raises `InvalidInput`."""
    demand(isinstance(boons, list), _("Send the boons as a list."), field="/boons")
    for place, boon in enumerate(boons):
        at = f"/boons/{place}"
        demand(isinstance(boon, dict), _("Send each boon with the fields “boon” and “tactic”."), field=at)
        clean_slug(boon.get("boon"), field=f"{at}/boon", among=law.boons)
        if boon.get("tactic") is not None:
            clean_slug(boon["tactic"], field=f"{at}/tactic", among=law.tactics)


def _demand_resource(row: ArmyResource) -> None:
    clean_slug(row.resource, field="/resource", among=get_ruleset(row.campaign).resources)


def _demand_tactic(row: ArmyTactic) -> None:
    clean_slug(row.tactic, field="/tactic", among=get_ruleset(row.campaign).tactics)


def _demand_stock(row: KingdomStock) -> None:
    """Checks that the stored resource, size and mount are valid. Raises `InvalidInput`."""
    law = get_ruleset(row.campaign)
    clean_slug(row.resource, field="/resource", among=law.resources)
    clean_slug(row.size, field="/size", among=SIZES)
    mount_from_json(row.mount, law)


def _demand_unit_type(kind: UnitType) -> None:
    clean_text(kind.name, field="/name", kept=True)
    clean_slug(kind.family, field="/family", among=FAMILIES)
    demand(slugify(kind.slug) == kind.slug, _("Use only letters, digits and hyphens."), field="/slug")
    get_ruleset(kind.campaign).unit(kind.unit)


CARRIED = (
    CarriedTable("pathfinder_commanders", PathfinderCommander, check=_demand_commander, ready=select_campaign),
    CarriedTable(
        "pathfinder_armies",
        PathfinderArmy,
        check=_demand_army,
        ready=_complete,
        added=columns_added(MASS_COMBAT_FIGURES, PathfinderArmy),
        moved={"adjustments": ("army_ptr", "armies")},
    ),
    CarriedTable("army_resources", ArmyResource, check=_demand_resource, ready=select_campaign),
    CarriedTable("army_tactics", ArmyTactic, check=_demand_tactic, ready=select_campaign),
    CarriedTable("army_weeks", ArmyWeek),
    CarriedTable("stores", KingdomStock, check=_demand_stock, ready=select_campaign),
    CarriedTable("unit_types", UnitType, check=_demand_unit_type, ready=select_campaign),
    CarriedTable("week_choices", WeekChoices),
    CarriedTable("rest_checks", RestCheck),
)
LEFT_OUT: Mapping[type[Model], str] = {
    FoundryActor: "what means something to another program alone: it goes out by its own file"
}
