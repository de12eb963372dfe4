"""Services that reform armies: divide, combine, even out, regroup (R-94)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction

from armies.adjustments.services import keep_spared
from armies.bulk.services import refuse_stale
from armies.forces.busy import load_recent_battles, lock_armies
from armies.pathfinder.armies.march_services import refuse_in_reserve
from armies.pathfinder.armies.reform_queries import build_troops
from armies.pathfinder.armies.resource_services import MOUNTS, forget_rows, set_figures, set_hit_points, store
from armies.pathfinder.commanders.command_services import PRESENCE, days_led_so_far
from armies.pathfinder.models import ArmyResource, ArmyTactic, PathfinderArmy, PathfinderCommander
from armies.pathfinder.models.army import newly_raised
from armies.reform.plans import (
    Reformation,
    demand_several,
    describe_reform,
    find_freed,
    find_kinds,
    mark_of,
    name_parts,
    refuse_held,
    share_leaders,
    with_rows,
)
from kingdom.access.decorators import RequestedChange, needs_approval
from kingdom.access.queries import require_runs
from kingdom.chronicle.transaction import record_changes
from kingdom.models import User
from kingdom.realms.figures import get_ruleset
from rules.core.errors import demand, require
from rules.core.text import Said, _, say
from rules.pathfinder.reform import Reformed, Stored, TroopPart, Troops, reform, regroup
from rules.pathfinder.spec import ADJUSTABLE

RULE = "R-94"


class WantedArmy(NamedTuple):
    """An army that is wanted: one of those that take part (`army`), or a new one with this name.

    `commander`: of one of the armies; None for the one that `army` has. `resources`: its equipment, by slug.
    """

    units: int
    army: PathfinderArmy | None = None
    name: str = ""
    commander: PathfinderCommander | None = None
    resources: Mapping[str, int] = {}


class FormedArmy(NamedTuple):
    """An army as it comes of it. `army`: the row that it goes on with, None for a new one."""

    army: PathfinderArmy | None
    name: str
    commander: PathfinderCommander | None
    troops: Troops
    hp_max: int
    acr: str
    consumption: int


@dataclass(frozen=True, slots=True)
class ReformPlan(Reformation[PathfinderArmy, FormedArmy]):
    """Plan of reformed armies of mass combat. `stored`: equipment for the stores; `lost`: hit points."""

    stored: Sequence[Stored] = ()
    lost: int = 0


# Preview.


def preview_reform(
    *, army: PathfinderArmy, others: Sequence[PathfinderArmy] = (), parts: Sequence[WantedArmy] = ()
) -> ReformPlan:
    """Preview of reforming this army and the others. Without parts they are combined into the first. Writes nothing.

    Raises `InvalidInput` with pointers below "/parts", and `IllegalCommand` for armies that can't be reformed now.
    """
    armies = [army, *others]
    demand_several(armies)
    changes = len(armies) > 1 or len(parts) > 1
    demand(changes, _("Choose other armies to combine, or form several armies."), field="/parts")
    _refuse_held(armies)
    parts = _with_rows(armies, parts or [combine(armies)])
    law = get_ruleset(army.campaign)
    found = reform(law, [build_troops(one) for one in armies], [TroopPart(one.units, one.resources) for one in parts])
    names = name_parts(parts)
    leaders = share_leaders(armies, parts)
    formed = []
    for part, name, leader, troops in zip(parts, names, leaders, found.parts, strict=True):
        sheet = law.sheet(troops.army)
        formed.append(FormedArmy(part.army, name, leader, troops, sheet.hp_max, str(sheet.acr),
                                 sheet.consumption.total))  # fmt: skip
    mark = _mark(armies, formed, found)
    return ReformPlan(armies, formed, find_freed(armies, formed), mark, stored=found.stored, lost=found.lost)


def _mark(armies: Sequence[PathfinderArmy], formed: Sequence[FormedArmy], found: Reformed) -> str:
    told = [[str(army.pk), army.name, army.count, army.hp, army.morale, str(army.commander_id)] for army in armies]
    new = [[one.name, str(one.army and one.army.pk), str(one.commander and one.commander.pk), repr(one.troops)]
           for one in formed]  # fmt: skip
    return mark_of(told, new, found.stored, found.lost)


def combine(armies: Sequence[PathfinderArmy]) -> WantedArmy:
    """Return the resulting army that combines these: the first one, under its own commander or else the first commander
    of the others.
    """
    leader = next((army.leader for army in armies if army.leader), None)
    return WantedArmy(sum(army.count for army in armies), armies[0], commander=leader)


def _refuse_held(armies: Collection[PathfinderArmy]) -> None:
    """Raises `IllegalCommand` for an army that no longer stands, is busy, marches, is in reserve, or fought today: its
    parts would rest today (PF-7.1).
    """
    refuse_held(armies)
    campaign = next(iter(armies)).campaign
    fought = load_recent_battles(campaign, campaign.day).fought
    for army in armies:
        refuse_in_reserve(army)
        require(str(army.pk) not in fought, _("{army} fought today. Reform the army tomorrow."), army=army.name)


def _with_rows(armies: Sequence[PathfinderArmy], parts: Sequence[WantedArmy]) -> list[WantedArmy]:
    """The parts; the first goes on with the first army where no part names one."""
    found = with_rows(armies, parts)
    return found if any(part.army for part in parts) else [found[0]._replace(army=armies[0]), *found[1:]]


# Divide, combine, even out.


def request_reform(given: Mapping[str, Any]) -> RequestedChange:
    """Request to reform armies. The mark is dropped: the request is granted later, when the preview has changed."""
    parts: Sequence[WantedArmy] = given.get("parts", ())
    if len(parts) == 1 and parts[0].commander == combine([given["army"], *given.get("others", ())]).commander:
        parts = ()  # all units are combined, under the commander that they get of themselves
    return RequestedChange(find_kinds(parts), {name: value for name, value in given.items() if name != "mark"})


@needs_approval("armies.pathfinder.reform_armies", "raise", "appoint", wish=request_reform)
@transaction.atomic
def reform_armies(
    *,
    by: User,
    army: PathfinderArmy,
    others: Sequence[PathfinderArmy] = (),
    parts: Sequence[WantedArmy] = (),
    mark: str | None = None,
) -> ReformPlan:
    """Forms the armies of `parts` of all units of these armies, and returns the plan with their rows. Without parts
    they are combined into `army`.

    `mark`: the mark of the preview that the user confirms. Raises as `preview_reform`, and `StaleProposal` if the
    preview would differ now.
    """
    for kingdom in {one.kingdom for one in (army, *others)}:
        require_runs(by, kingdom)
    keys = [army.pk, *(one.pk for one in others)]
    on = [*(("army", key) for key in keys), ("stores", army.kingdom_id)]
    with record_changes(by=by, campaign=army.campaign, kind="army", rule=RULE, on=on) as told:
        rows = lock_armies(keys, PathfinderArmy)
        parts = [part._replace(army=rows.get(part.army.pk, part.army)) if part.army else part for part in parts]
        plan = preview_reform(army=rows[army.pk], others=[rows[one.pk] for one in others], parts=parts)
        if mark is not None:
            refuse_stale(mark, plan.mark)
        told.text = describe_reform([one.name for one in plan.armies], [one.name for one in plan.formed])

        def tell(new: PathfinderArmy) -> None:
            told.made("army", new)
            told.watch([("army", new)])

        return replace(plan, rows=carry_out_reform(plan, tell))


def carry_out_reform(
    plan: ReformPlan, made: Callable[[PathfinderArmy], None] = lambda army: None
) -> list[PathfinderArmy]:
    """Writes the plan to its rows, which are locked, and returns the armies formed. `made` is called with each new
    army, before it is commanded.
    """
    carriers = {str(army.pk): army for army in plan.armies}
    for key, slug, quantity in plan.stored:
        carrier = carriers[key]
        store(carrier, slug, quantity, carrier.mount if slug == MOUNTS else None)
    led, rows = _free_leaders(plan), []
    for one in plan.formed:
        rows.append(one.army or _build(plan, one))
        _write(plan, rows[-1], one)
        if one.army is None:
            made(rows[-1])
    for army in plan.gone:
        _dissolve(army)
    for row, one in zip(rows, plan.formed, strict=True):
        if one.commander and row.commander_id != one.commander.pk:
            row.commander = one.commander
            row.led_days, row.led_to = led[one.commander.pk]
            row.save(update_fields=["commander", *PRESENCE])
    return rows


def _free_leaders(plan: ReformPlan) -> dict[UUID, tuple[int, int]]:
    """Takes the command from whoever loses it. Returns the days that each commander has led in this week (R-80)."""
    led: dict[UUID, tuple[int, int]] = {}
    keeps = {one.army.pk: one.commander for one in plan.formed if one.army}
    for army in plan.armies:
        if army.commander_id is None or keeps.get(army.pk) == army.commander:
            continue
        days_led_so_far(army)
        led[army.commander_id] = army.led_days, army.led_to
        days_led_so_far(army, parting=True)
        army.commander = None
        army.save(update_fields=["commander", *PRESENCE])
    return led


def _build(plan: ReformPlan, one: FormedArmy) -> PathfinderArmy:
    """The saved row of a new army, at the place of the first one."""
    first = plan.armies[0]
    army = PathfinderArmy(
        campaign=first.campaign, kingdom=first.kingdom, name=one.name, status=first.status, place=first.place,
        hex=first.hex, hidden=first.hidden, revealed=first.revealed,
        adjustments=keep_spared(first.adjustments, ADJUSTABLE, 0),
        sheet={**deepcopy(first.sheet), "count": one.troops.army.count},
    )  # fmt: skip
    newly_raised(army)
    set_figures(army)
    army.save(force_insert=True)
    return army


def _write(plan: ReformPlan, army: PathfinderArmy, one: FormedArmy) -> None:
    """Writes what the rules have formed, but for the commander."""
    spec = one.troops.army
    army.name = one.name
    for name in ("count", "morale", "disease", "drain", "arrears"):
        setattr(army, name, getattr(spec, name))
    for name in ("owed", "surcharge", "ill"):
        setattr(army, name, getattr(one.troops, name))
    army.mount = army.mount if spec.mount else None
    army.rested_on = _furthest(max, (other.rested_on for other in plan.armies))
    army.foraging = _furthest(min, (other.foraging for other in plan.armies))
    _write_rows(army, spec.resources, {known.tactic: known.granted for known in spec.tactics})
    set_figures(army)
    set_hit_points(army, spec.hp or 1)
    army.save()


def _furthest(choose: Any, days: Iterable[int | None]) -> int | None:
    known = [day for day in days if day is not None]
    return choose(known) if known else None


def _write_rows(army: PathfinderArmy, resources: Mapping[str, int], tactics: Mapping[str, bool]) -> None:
    """Writes resources and tactics, where they differ."""
    own: dict[str, Any] = {"campaign": army.campaign, "army": army}
    if resources != {row.resource: row.quantity for row in army.resources.all()}:
        ArmyResource.objects.filter(army=army).delete()
        ArmyResource.objects.bulk_create(
            ArmyResource(**own, resource=slug, quantity=quantity) for slug, quantity in resources.items()
        )
    if tactics != {row.tactic: row.granted for row in army.tactics.all()}:
        ArmyTactic.objects.filter(army=army).delete()
        ArmyTactic.objects.bulk_create(
            ArmyTactic(**own, tactic=slug, granted=granted) for slug, granted in tactics.items()
        )
    forget_rows(army)


def _dissolve(army: PathfinderArmy) -> None:
    """Ends an army whose units, equipment and debts have gone on to others."""
    ArmyResource.objects.filter(army=army).delete()
    forget_rows(army)
    army.status, army.arrears, army.owed, army.surcharge, army.ill = PathfinderArmy.Status.DISBANDED, False, 0, 0, False
    set_figures(army)
    army.save()


# Regroup.


def preview_regroup(*, army: PathfinderArmy) -> Troops:
    """The army of the units that its hit points stand for. Writes nothing. Raises `IllegalCommand`."""
    _refuse_held([army])
    return regroup(get_ruleset(army.campaign), build_troops(army))


@needs_approval("armies.pathfinder.regroup_army", "raise")
@transaction.atomic
def regroup_army(*, by: User, army: PathfinderArmy) -> PathfinderArmy:
    """Makes a worn army smaller and whole again. Raises as `preview_regroup`."""
    require_runs(by, army.kingdom)
    with record_changes(by=by, campaign=army.campaign, kind="army", rule=RULE, on=[("army", army)]) as told:
        army = lock_armies([army.pk], PathfinderArmy)[army.pk]
        told.text = set_regrouped(army, preview_regroup(army=army))
        army.save()
    return army


def set_regrouped(army: PathfinderArmy, troops: Troops) -> Said:
    """Sets the loaded army to its smaller size, unsaved. Returns the chronicle text."""
    before = army.count
    army.count = troops.army.count
    set_figures(army)
    set_hit_points(army, army.hp_max)
    text = _("{army} regrouped: {before} → {count} units, {hp} hp.")
    return say(text, army=army.name, before=before, count=army.count, hp=army.hp)
