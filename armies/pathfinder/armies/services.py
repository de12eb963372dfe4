"""Services for armies: raise, change, correct, teach tactics (PF-1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from functools import partial
from typing import Any, Literal

from django.db import transaction

from armies.forces.busy import lock_armies, refuse_if_busy
from armies.forces.change_services import request_change
from armies.forces.declared_figures import set_raised, set_right
from armies.forces.services import request_raise, require_several, say_several
from armies.pathfinder.armies import resource_services
from armies.pathfinder.armies.resource_services import forget_rows, set_figures, set_hit_points
from armies.pathfinder.commanders.command_services import assign_commander, hand_over
from armies.pathfinder.forces.access import lock_army
from armies.pathfinder.forces.specs import build_army_spec
from armies.pathfinder.models import ArmyTactic, PathfinderArmy, PathfinderCommander
from armies.pathfinder.models.army import columns, newly_raised
from core.clean_input import clean_text
from kingdom.access.decorators import RequestedChange, drop_unchanged, gm_only, needs_approval, require_not_deleted
from kingdom.access.queries import is_gm, require_gm, require_runs
from kingdom.chronicle.transaction import record_changes
from kingdom.models import Kingdom
from kingdom.models.user import User
from kingdom.realms.figures import get_ruleset
from rules.core.errors import IllegalCommand, InvalidInput, demand, refuse, require
from rules.core.text import Said, _, say
from rules.pathfinder.documents import mount_from_json, mount_to_json
from rules.pathfinder.sheet import rating_of
from rules.pathfinder.spec import MASS_COMBAT_FIGURES


@needs_approval("armies.pathfinder.raise_army", "raise", "appoint", wish=request_raise)
@transaction.atomic
def raise_army(
    *,
    by: User,
    kingdom: Kingdom,
    name: str,
    unit: dict[str, Any],
    count: int,
    mount: dict[str, Any] | None = None,
    commander: PathfinderCommander | None = None,
    **figures: Any,
) -> PathfinderArmy:
    """Raises a new army at full hp and morale 0, without tactics (PF-1.9, PF-1.10). `figures`: its declared figures at
    raising.

    Only the GM raises monstrous units (PF-8.5). Raises `InvalidInput` with a pointer into the unit, `Http404` where the
    kingdom is dissolved meanwhile.
    """
    require_runs(by, kingdom)
    with record_changes(by=by, campaign=kingdom.campaign, kind="army", rule="PF-1.9") as told:
        require_not_deleted(kingdom)
        army = _new(by, kingdom, name, {"unit": unit, "count": count, "mount": mount}, figures)
        if commander:
            hand_over(army, commander, raised=True)
        told.made("army", army)
        told.text = _raised(army)
    return army


@needs_approval("armies.pathfinder.raise_armies", "raise", "appoint", wish=request_raise)
@transaction.atomic
def raise_armies(
    *,
    by: User,
    kingdom: Kingdom,
    names: Sequence[str],
    unit: dict[str, Any],
    count: int,
    mount: dict[str, Any] | None = None,
    commander: PathfinderCommander | None = None,
    **figures: Any,
) -> list[PathfinderArmy]:
    """Raises several like armies in one chronicle entry, one for each name. `commander` leads the first. Raises as
    `raise_army`.
    """
    require_runs(by, kingdom)
    require_several(names)
    with record_changes(by=by, campaign=kingdom.campaign, kind="army", rule="PF-1.9") as told:
        require_not_deleted(kingdom)
        document = {"unit": unit, "count": count, "mount": mount}
        armies = [_new(by, kingdom, name, document, figures) for name in names]
        if commander:
            hand_over(armies[0], commander, raised=True)
        for army in armies:
            told.made("army", army)
        told.text = _raised_together(kingdom, armies)
    return armies


def _new(
    by: User, kingdom: Kingdom, name: str, document: Mapping[str, Any], figures: Mapping[str, Any]
) -> PathfinderArmy:
    """The saved army with its figures."""
    army = PathfinderArmy(campaign=kingdom.campaign, kingdom=kingdom, name=clean_text(name, field="/name"))
    set_raised(by, army, MASS_COMBAT_FIGURES, figures)
    set_document(army, deepcopy(document))
    _require_ally(by, army)
    newly_raised(army)
    set_figures(army)
    army.save(force_insert=True)
    forget_rows(army)
    return army


def _raised_together(kingdom: Kingdom, armies: Sequence[PathfinderArmy]) -> Said:
    if len(armies) == 1:
        return _raised(armies[0])
    first, bp = armies[0], sum(army.consumption for army in armies)
    text = _("{what} Each: {count} × {unit}, ACR {acr}. Total: {bp} BP a week.")
    what = say_several(kingdom, armies)
    return say(text, what=what, count=first.count, unit=first.unit["name"], acr=_rating(first), bp=bp)


def _raised(army: PathfinderArmy) -> Said:
    """Chronicle text with ACR and cost, by which a GM can judge a request."""
    text = _("{kingdom} raised {army}: {count} × {unit}.")
    what = say(text, kingdom=army.kingdom.name, army=army.name, count=army.count, unit=army.unit["name"])
    return say(_("{what} ACR {acr}, {bp} BP a week."), what=what, acr=_rating(army), bp=army.consumption)


def _rating(army: PathfinderArmy) -> str:
    """ACR of an army just raised, with fractions, as its sheet says it: the column is rounded down."""
    newly_raised(army)  # resources and tactics change nothing of it, so they are not read
    rating = str(rating_of(build_army_spec(army))[1])
    forget_rows(army)
    return rating


def set_document(army: PathfinderArmy, document: Mapping[str, Any]) -> None:
    """Sets the army's document (its unit and mount) in the ruleset's normal form, unsaved. `set_figures` then checks
    the number of units.

    Raises `InvalidInput`.
    """
    army.sheet = _read(army, document)
    army.unit["name"] = clean_text(army.unit["name"], field="/unit/name")


def _read(army: PathfinderArmy, document: Mapping[str, Any]) -> dict[str, Any]:
    """The document in its normal form, with its version."""
    law = get_ruleset(army.campaign).armies
    read = law.read(document)
    return {**read, "mount": _named(read["mount"]), "version": law.version}


def clean_mount(mount: Any, ruleset: Any) -> dict[str, Any] | None:
    """A mount in its normal form. Raises `InvalidInput`."""
    return _named(mount_to_json(mount_from_json(mount, ruleset)))


def _named(mount: dict[str, Any] | None) -> dict[str, Any] | None:
    return {**mount, "name": clean_text(mount["name"], field="/mount/name")} if mount and mount["name"] else mount


def _require_ally(by: User, army: PathfinderArmy) -> None:
    """Refuses monstrous units unless the GM raises them: they follow only allies and friends (PF-8.5)."""
    monstrous = army.unit["creature_type"] != "humanoid"
    require(
        not monstrous or is_gm(by, army.campaign),
        _("Monstrous troops serve only allies and friends. Ask the GM to raise them for you."),
        field="/unit/creature_type",
    )


WHAT = frozenset({"unit", "count", "mount"})


def request_sheet_change(given: Mapping[str, Any]) -> RequestedChange:
    """Request to change an army. Whoever runs it may rename it; other units or another number need the right to
    raise.
    """
    army = given["army"]
    unsaid = {"mount": False, "name": None, "unit": None, "count": None}
    said = {name: value for name, value in given.items() if name not in unsaid or value is not unsaid[name]}
    wanted = drop_unchanged(army, _as_kept(army, said), {*WHAT, "name"})
    return RequestedChange(("raise",) if wanted.keys() & WHAT else (), wanted)


def _as_kept(army: PathfinderArmy, given: dict[str, Any]) -> dict[str, Any]:
    """The document in its normal form; unchanged if it is invalid, for the service to refuse."""
    try:
        read = _read(army, {**army.sheet, **given})
    except InvalidInput:
        return given
    return {name: read[name] if name in WHAT else value for name, value in given.items()}


@needs_approval("armies.pathfinder.update_army", "raise", wish=request_sheet_change)
@transaction.atomic
def update_army(
    *,
    by: User,
    army: PathfinderArmy,
    name: str | None = None,
    unit: dict[str, Any] | None = None,
    count: int | None = None,
    mount: dict[str, Any] | Literal[False] | None = False,
) -> PathfinderArmy:
    """Changes the given fields; `mount=None` removes the mount. Figures are updated, damage stays. Resources the army
    can no longer use go to the stores.
    """
    require_runs(by, army.kingdom)
    with record_changes(by=by, campaign=army.campaign, kind="army", rule="PF-1.11", on=[("army", army)]) as told:
        army = lock_army(army)
        before = army.unit["creature_type"]
        army.name = army.name if name is None else clean_text(name, field="/name")
        said = {"unit": unit, "count": count}
        new = {name: value for name, value in said.items() if value is not None}
        set_document(army, {**army.sheet, **new, **({} if mount is False else {"mount": mount})})
        if army.unit["creature_type"] != before:
            _require_ally(by, army)
        if unit is not None and (unfit := resource_services.unfit_for(army)):
            told.watch([("stores", army.kingdom_id)])
            resource_services.lay_up(army, unfit)
        set_figures(army)
        army.save()
        told.text = say(_("{army}’s sheet was changed."), army=army.name)
    return army


@gm_only
@transaction.atomic
def correct_army(*, by: User, army: PathfinderArmy, **state: Any) -> PathfinderArmy:
    """Sets figures and status outright (GM). Clearing `arrears` cancels what is owed."""
    require_gm(by, army.campaign)
    with record_changes(by=by, campaign=army.campaign, kind="army", on=[("army", army)]) as told:
        army = lock_armies([army.pk], PathfinderArmy)[army.pk]
        told.watch([("commander", army.commander_id)] if army.commander_id else ())
        if set(state) - {"revealed"}:
            refuse_if_busy(army)
        _set_state(army, state)
        told.text = say(_("The GM corrected {army}."), army=army.name)
    return army


def _set_state(army: PathfinderArmy, state: Mapping[str, Any]) -> None:
    """Sets corrected values. An army that falls loses its commander, who is captured with a captured army (R-55)."""
    set_right(army, MASS_COMBAT_FIGURES, state)
    if "hp" in state:
        set_hit_points(army, army.hp)
    if not army.arrears:
        army.owed = 0
    leader = army.leader
    if leader and not army.standing:
        army.commander = None
        if army.status == PathfinderArmy.Status.CAPTURED:
            leader.status, leader.ransom = PathfinderCommander.Status.CAPTURED, army.consumption
            leader.captures += 1
            leader.save(update_fields=["status", "ransom", "captures"])
    army.save(update_fields=columns([*state, "owed", "commander", "adjustments"]))


# Several changes of an army at once: all or none, and one request where approval is needed.


@needs_approval(
    "armies.pathfinder.change_army",
    "raise",
    "appoint",
    wish=partial(request_change, request_sheet=request_sheet_change),
)
@transaction.atomic
def change_army(
    *,
    by: User,
    army: PathfinderArmy,
    commander: PathfinderCommander | Literal[False] | None = False,
    state: Mapping[str, Any] | None = None,
    **sheet: Any,
) -> None:
    """Changes the sheet (`update_army`), the commander unless `False`, and the state (GM: `correct_army`)."""
    if sheet:
        update_army(by=by, army=army, **sheet)
    if commander is not False:
        assign_commander(by=by, army=army, commander=commander)
    if state:
        correct_army(by=by, army=army, **state)


# Tactics that an army learns, is granted, or gives up (PF-1.10).


@gm_only
@transaction.atomic
def teach_tactic(*, by: User, army: PathfinderArmy, tactic: str, granted: bool = False) -> ArmyTactic:
    """Teaches the army a tactic if it has room, or grants one that takes no room.

    GM only: by the rules a tactic is won in battle (PF-6.3) or granted. Raises `InvalidInput` for an unknown tactic,
    `IllegalCommand` if the army cannot learn it.
    """
    require_gm(by, army.campaign)
    with record_changes(by=by, campaign=army.campaign, kind="army", rule="PF-1.10", on=[("army", army)]) as told:
        army = lock_army(army)
        ruleset = get_ruleset(army.campaign)
        demand(tactic in ruleset.tactics, _("Unknown tactic. Choose one from the list."), field="/tactic")
        if reason := ruleset.learn_tactic_refusal(build_army_spec(army), tactic, granted):
            raise IllegalCommand(reason, "/tactic")
        text = _("Tactic granted to {army}: {tactic}.") if granted else _("{army} learned {tactic}.")
        told.text = say(text, army=army.name, tactic=ruleset.tactics[tactic].name)
        return ArmyTactic.objects.create(campaign=army.campaign, army=army, tactic=tactic, granted=granted)


@needs_approval("armies.pathfinder.forget_tactic", "appoint")
@transaction.atomic
def forget_tactic(*, by: User, army: PathfinderArmy, tactic: str) -> None:
    """The army gives up a learned tactic, which makes room. Only the GM takes granted ones back. Raises
    `IllegalCommand` if it does not know the tactic, `PermissionDenied`.
    """
    require_runs(by, army.kingdom)
    with record_changes(by=by, campaign=army.campaign, kind="army", rule="PF-1.10", on=[("army", army)]) as told:
        army = lock_army(army)
        row = next((row for row in army.tactics.all() if row.tactic == tactic), None)
        if row is None:
            refuse(_("{army} must learn this tactic first."), field="/tactic", army=army.name)
        if row.granted:
            require_gm(by, army.campaign)
        row.delete()
        told.text = say(_("{army} gave up a tactic."), army=army.name)
