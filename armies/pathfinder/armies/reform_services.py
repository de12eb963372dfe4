"""Services that reform armies: divide, combine, even out, regroup (R-94)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction

from armies.bulk.services import refuse_stale
from armies.forces.busy import explain_busy_armies, explain_no_army, load_recent_battles, lock_armies
from armies.pathfinder.armies.march_services import refuse_in_reserve
from armies.pathfinder.armies.reform_queries import build_troops
from armies.pathfinder.armies.resource_services import MOUNTS, forget_rows, set_figures, store
from armies.pathfinder.commanders.command_services import PRESENCE, days_led_so_far
from armies.pathfinder.models import ArmyResource, ArmyTactic, PathfinderArmy, PathfinderCommander
from armies.pathfinder.models.army import newly_raised
from core.clean_input import clean_text
from kingdom.access.decorators import RequestedChange, needs_approval
from kingdom.access.queries import require_runs
from kingdom.chronicle.transaction import record_changes
from kingdom.models import User
from kingdom.realms.figures import get_ruleset
from rules.core.errors import IllegalCommand, demand, require
from rules.core.text import Said, _, say
from rules.pathfinder.reform import Stored, TroopPart, Troops, reform, regroup

MOST_ARMIES = 20
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
class ReformPlan:
    """What comes of the armies that take part. `mark` identifies all that is shown; confirming sends it."""

    armies: Sequence[PathfinderArmy]
    formed: Sequence[FormedArmy]
    stored: Sequence[Stored]
    lost: int

    @property
    def gone(self) -> list[PathfinderArmy]:
        """Armies that are dissolved."""
        kept = {one.army.pk for one in self.formed if one.army}
        return [army for army in self.armies if army.pk not in kept]

    @property
    def freed(self) -> list[PathfinderCommander]:
        """Commanders who are left without an army."""
        leading = {one.commander.pk for one in self.formed if one.commander}
        return [army.leader for army in self.armies if army.leader and army.commander_id not in leading]

    @property
    def mark(self) -> str:
        told = [
            [str(army.pk), army.name, army.count, army.hp, army.morale, str(army.commander_id)] for army in self.armies
        ]
        new = [[one.name, str(one.army and one.army.pk), str(one.commander and one.commander.pk), repr(one.troops)]
               for one in self.formed]  # fmt: skip
        body = json.dumps([told, new, self.stored, self.lost])
        return hashlib.sha256(body.encode()).hexdigest()[:32]


# Preview.


def preview_reform(
    *, army: PathfinderArmy, others: Sequence[PathfinderArmy] = (), parts: Sequence[WantedArmy] = ()
) -> ReformPlan:
    """What comes of this army and the others. Without parts they are combined into the first. Writes nothing.

    Raises `InvalidInput` with pointers below "/parts", and `IllegalCommand` for armies that can't be reformed now.
    """
    armies = [army, *others]
    demand(len({one.pk for one in armies}) == len(armies), _("List each army only once."), field="/armies")
    demand(len(armies) <= MOST_ARMIES, _("Choose {most} at most."), field="/armies", most=MOST_ARMIES)
    changes = len(armies) > 1 or len(parts) > 1
    demand(changes, _("Choose other armies to combine, or form several armies."), field="/parts")
    _refuse_held(armies)
    parts = _with_rows(armies, parts or [combine(armies)])
    law = get_ruleset(army.campaign)
    found = reform(law, [build_troops(one) for one in armies], [TroopPart(one.units, one.resources) for one in parts])
    names = _name_parts(parts)
    leaders = _share_leaders(armies, parts)
    formed = []
    for part, name, leader, troops in zip(parts, names, leaders, found.parts, strict=True):
        sheet = law.sheet(troops.army)
        formed.append(FormedArmy(part.army, name, leader, troops, sheet.hp_max, str(sheet.acr),
                                 sheet.consumption.total))  # fmt: skip
    return ReformPlan(armies, formed, found.stored, found.lost)


def combine(armies: Sequence[PathfinderArmy]) -> WantedArmy:
    """All of these armies as one, which goes on as the first, under its commander or else the first there is."""
    leader = next((army.leader for army in armies if army.leader), None)
    return WantedArmy(sum(army.count for army in armies), armies[0], commander=leader)


def _refuse_held(armies: Collection[PathfinderArmy]) -> None:
    """Raises `IllegalCommand` for an army that no longer stands, is busy, marches, or fought today: its parts would
    rest today (PF-7.1).
    """
    held = explain_busy_armies(armies)
    campaign = next(iter(armies)).campaign
    fought = load_recent_battles(campaign, campaign.day).fought
    for army in armies:
        if not army.standing:
            raise IllegalCommand(explain_no_army(army))
        if reason := held.get(army.pk):
            raise IllegalCommand(reason)
        text = _("{army} is on the march until day {day}. Halt it first.")
        require(not army.marching, text, army=army.name, day=army.marching_until)
        refuse_in_reserve(army)
        require(str(army.pk) not in fought, _("{army} fought today. Reform it tomorrow."), army=army.name)


def _with_rows(armies: Sequence[PathfinderArmy], parts: Sequence[WantedArmy]) -> list[WantedArmy]:
    """The parts; the first goes on with the first army where no part names one."""
    known = {army.pk: army for army in armies}
    named = [part.army.pk for part in parts if part.army]
    for place, part in enumerate(parts):
        ours = part.army is None or part.army.pk in known
        demand(ours, _("This army isn’t one of those you are reforming."), field=f"/parts/{place}/army")
        twice = part.army is not None and named.count(part.army.pk) > 1
        demand(not twice, _("List each army only once."), field=f"/parts/{place}/army")
    found = [part._replace(army=known[part.army.pk]) if part.army else part for part in parts]
    return found if named else [found[0]._replace(army=armies[0]), *found[1:]]


def _name_parts(parts: Sequence[WantedArmy]) -> list[str]:
    return [
        part.army.name if part.army and not part.name else _clean_name(part.name, f"/parts/{place}/name")
        for place, part in enumerate(parts)
    ]


def _clean_name(name: str, at: str) -> str:
    demand(name, _("Enter a name for the new army."), field=at)
    return clean_text(name, field=at)


def _share_leaders(
    armies: Sequence[PathfinderArmy], parts: Sequence[WantedArmy]
) -> list[PathfinderCommander | None]:  # fmt: skip
    """Who commands each part: whom it names, else who leads the army that goes on, unless another part names them."""
    known = {army.leader.pk: army.leader for army in armies if army.leader}
    named = [part.commander.pk for part in parts if part.commander]
    for place, part in enumerate(parts):
        at = f"/parts/{place}/commander"
        theirs = part.commander is None or part.commander.pk in known
        demand(theirs, _("This commander leads none of these armies. Appoint them afterwards."), field=at)
        twice = part.commander is not None and named.count(part.commander.pk) > 1
        demand(not twice, _("A commander can lead only one army."), field=at)
    found = [part.commander or (part.army.leader if part.army else None) for part in parts]
    return [
        None if leader is None or (not part.commander and leader.pk in named) else known[leader.pk]
        for part, leader in zip(parts, found, strict=True)
    ]


# Divide, combine, even out.


def request_reform(given: Mapping[str, Any]) -> RequestedChange:
    """Request to reform armies. The mark is dropped: the request is granted later, when the preview has changed."""
    return RequestedChange(("raise",), {name: value for name, value in given.items() if name != "mark"})


@needs_approval("armies.pathfinder.reform_armies", "raise", wish=request_reform)
@transaction.atomic
def reform_armies(
    *,
    by: User,
    army: PathfinderArmy,
    others: Sequence[PathfinderArmy] = (),
    parts: Sequence[WantedArmy] = (),
    mark: str | None = None,
) -> list[PathfinderArmy]:
    """Forms the armies of `parts` of all units of these armies, and returns them. Without parts they are combined into
    `army`.

    `mark`: that of the preview somebody has seen. Raises as `preview_reform`, and `StaleProposal` if the preview would
    differ now.
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
        told.text = describe_reform(plan)

        def tell(new: PathfinderArmy) -> None:
            told.made("army", new)
            told.watch([("army", new)])

        return carry_out_reform(plan, tell)


def describe_reform(plan: ReformPlan) -> Said:
    """Chronicle text of the plan."""
    before, after = [army.name for army in plan.armies], [one.name for one in plan.formed]
    if len(before) == 1:
        return say(_("{army} was divided: {armies}."), army=before[0], armies=after)
    if len(after) == 1:
        return say(_("Armies combined into {army}: {armies}."), armies=before, army=after[0])
    return say(_("Armies reformed ({armies}). Now: {others}."), armies=before, others=after)


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
        hex=first.hex, hidden=first.hidden, revealed=first.revealed, adjustments=deepcopy(first.adjustments),
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
    army.hp = spec.hp or 1
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
    army.hp = army.hp_max
    text = _("{army} was regrouped: {before} → {count} units, {hp} hp.")
    return say(text, army=army.name, before=before, count=army.count, hp=army.hp)
