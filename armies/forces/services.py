"""Services for armies of rulesets that keep everything in the sheet document; delete and reveal for any army."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction

from armies.forces.busy import refuse_if_busy
from armies.forces.commander_services import lead
from armies.forces.declared_figures import set_raised, set_right
from armies.forces.row_locks import lock_armies, lock_army
from armies.models import Army, Commander
from core.clean_input import clean_text
from kingdom.access.decorators import RequestedChange, drop_unchanged, gm_only, needs_approval, require_not_deleted
from kingdom.access.queries import require_gm, require_runs
from kingdom.chronicle.conflicts import unless_remembered
from kingdom.chronicle.transaction import record_changes
from kingdom.models import Kingdom, User
from kingdom.onboarding.name_suggestions import words_for
from kingdom.realms.figures import get_ruleset
from rules.army_figures import ARMY_FIGURES, CORRECTABLE, names_of
from rules.core.errors import InvalidInput, demand
from rules.core.text import Said, _, say

SEVERAL_MOST = 20  # most armies raised at once
STATE = names_of(ARMY_FIGURES, CORRECTABLE)


def request_raise(given: Mapping[str, Any]) -> RequestedChange:
    """Request to raise an army. With a commander it needs the right to appoint as well."""
    return RequestedChange(("raise", "appoint") if given.get("commander") else ("raise",), given)


@needs_approval("armies.raise_army", "raise", "appoint", wish=request_raise)
@transaction.atomic
def raise_army(
    *,
    by: User,
    kingdom: Kingdom,
    name: str,
    sheet: Mapping[str, Any],
    commander: Commander | None = None,
    **figures: Any,
) -> Army:
    """Raises a new army in full health. `figures`: its declared figures at raising.

    Raises `InvalidInput` with a pointer into the sheet ("/sheet/…"), `Http404` if the kingdom is dissolved meanwhile.
    """
    require_runs(by, kingdom)
    army = _build(by, kingdom, name, figures)
    with record_changes(by=by, campaign=kingdom.campaign, kind="army") as told:
        require_not_deleted(kingdom)
        what = set_sheet(army, sheet)
        army.save(force_insert=True)
        if commander:
            lead(army, commander)
        told.made("army", army)
        told.text = say(_("{kingdom} raised {army} ({what})."), kingdom=kingdom.name, army=army.name, what=what)
    return army


@needs_approval("armies.raise_armies", "raise", "appoint", wish=request_raise)
@transaction.atomic
def raise_armies(
    *,
    by: User,
    kingdom: Kingdom,
    names: Sequence[str],
    sheet: Mapping[str, Any],
    commander: Commander | None = None,
    **figures: Any,
) -> list[Army]:
    """Raises several like armies in one chronicle entry, one for each name. `commander` leads the first. Raises as
    `raise_army`.
    """
    require_runs(by, kingdom)
    require_several(names)
    with record_changes(by=by, campaign=kingdom.campaign, kind="army") as told:
        require_not_deleted(kingdom)
        armies = [_build(by, kingdom, name, figures) for name in names]
        for army in armies:
            set_sheet(army, sheet)
            army.save(force_insert=True)
            told.made("army", army)
        if commander:
            lead(armies[0], commander)
        told.text = say_several(kingdom, armies)
    return armies


def _build(by: User, kingdom: Kingdom, name: str, figures: Mapping[str, Any]) -> Army:
    army = Army(campaign=kingdom.campaign, kingdom=kingdom, name=clean_text(name, field="/name"))
    set_raised(by, army, ARMY_FIGURES, figures)
    return army


def require_several(names: Sequence[str]) -> None:
    """Raises `InvalidInput` unless the number of names is 1 to `SEVERAL_MOST`."""
    demand(1 <= len(names) <= SEVERAL_MOST, _("Use a number from {least} to {most}."), field="/copies", least=1,
           most=SEVERAL_MOST)  # fmt: skip


def say_several(kingdom: Kingdom, armies: Sequence[Army]) -> Said:
    """Chronicle text for armies raised together."""
    if len(armies) == 1:
        return say(_("{kingdom} raised {army}."), kingdom=kingdom.name, army=armies[0].name)
    text = _("{kingdom} raised {count} identical armies: {names}.")
    named = words_for([army.name for army in armies])
    return say(text, kingdom=kingdom.name, count=len(armies), names=named)


def set_sheet(army: Army, sheet: Mapping[str, Any]) -> Any:
    """Sets the sheet and the columns derived from it, and keeps damage that the sheet does not mention. Returns the
    sheet in words. Does not save.
    """
    law = get_ruleset(army.campaign).armies
    try:
        document = law.read(sheet)
        measure = law.measure(document)
    except InvalidInput as refusal:
        raise refusal.below("/sheet") from None
    damage = (army.health_max or measure.health) - (measure.health if army.health is None else army.health)
    least = 1 if army.health is None or army.health > 0 else 0
    army.sheet = {**document, "version": law.version}
    army.health_max, army.upkeep = measure.health, measure.upkeep
    fit = max(least, measure.health - damage) if measure.fit is None else measure.fit
    army.health = min(measure.health, fit)
    return measure.text


def request_sheet_change(given: Mapping[str, Any]) -> RequestedChange:
    """Request to change an army. Whoever runs it may rename it; a new sheet needs the right to raise."""
    army = given["army"]
    said = {name: value for name, value in given.items() if value is not None}
    if "sheet" in said:
        said["sheet"] = _as_kept(army, said["sheet"])
    wanted = drop_unchanged(army, said, {"name", "sheet"})
    return RequestedChange(("raise",) if "sheet" in wanted else (), wanted)


def _as_kept(army: Army, sheet: Mapping[str, Any]) -> Mapping[str, Any]:
    """The sheet in its normal form; unchanged if it is invalid, for the service to refuse."""
    law = get_ruleset(army.campaign).armies
    try:
        return {**law.read(sheet), "version": law.version}
    except InvalidInput:
        return sheet


@needs_approval("armies.update_army", "raise", wish=request_sheet_change)
@transaction.atomic
def update_army(*, by: User, army: Army, name: str | None = None, sheet: Mapping[str, Any] | None = None) -> Army:
    """Changes the given fields. A new sheet updates the derived figures and keeps damage."""
    require_runs(by, army.kingdom)
    with record_changes(by=by, campaign=army.campaign, kind="army", on=[("army", army)]) as told:
        army = lock_army(army)
        army.name = army.name if name is None else clean_text(name, field="/name")
        if sheet is not None:
            set_sheet(army, sheet)
        army.save()
        told.text = say(_("{army}’s sheet was changed."), army=army.name)
    return army


@gm_only
@transaction.atomic
def correct_army(*, by: User, army: Army, **state: Any) -> Army:
    """Sets figures and status outright (GM). An army that falls loses its commander."""
    require_gm(by, army.campaign)
    with record_changes(by=by, campaign=army.campaign, kind="army", on=[("army", army)]) as told:
        army = lock_armies([army.pk], type(army))[army.pk]
        if set(state) - {"revealed"}:
            refuse_if_busy(army)
        set_right(army, ARMY_FIGURES, state)
        army.commander = army.commander if army.standing else None
        army.save(update_fields=[*state, "commander"])
        told.text = say(_("The GM corrected {army}."), army=army.name)
    return army


@needs_approval("armies.disband_army", "disband")
@transaction.atomic
def disband_army(*, by: User, army: Army) -> Army:
    """Disbands the army and frees its commander."""
    require_runs(by, army.kingdom)
    with record_changes(by=by, campaign=army.campaign, kind="army", on=[("army", army)]) as told:
        army = lock_army(army)
        army.commander, army.status = None, Army.Status.DISBANDED
        army.save(update_fields=["commander", "status"])
        told.text = say(_("{army} was disbanded."), army=army.name)
    return army


@gm_only
@transaction.atomic
def remove_army(*, by: User, army: Army) -> None:
    """Deletes an army (GM). Undo restores it. Raises `IllegalCommand` if a battle refers to it."""
    require_gm(by, army.campaign)
    text = say(_("{army} was deleted."), army=army.name)
    with record_changes(by=by, campaign=army.campaign, kind="army", on=[("army", army)], text=text) as told:
        held = told.rows("army").get(str(army.pk))
        if held is None:  # somebody else has deleted it meanwhile
            return
        refuse_if_busy(held)
        told.gone("army", held)
        with unless_remembered(_("This army took part in a battle and can’t be deleted. Disband it instead.")):
            held.delete()


@gm_only
@transaction.atomic
def reveal_army(*, by: User, army: Army, revealed: bool) -> Army:
    """Reveals an army's sheet to everybody in the campaign, or hides it again (GM)."""
    require_gm(by, army.campaign)
    with record_changes(by=by, campaign=army.campaign, kind="army", on=[("army", army)]) as told:
        army = lock_armies([army.pk], type(army))[army.pk]
        army.revealed = bool(revealed)
        army.save(update_fields=["revealed"])
        told.text = say(_("The GM corrected {army}."), army=army.name)
    return army
