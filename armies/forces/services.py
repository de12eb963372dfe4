"""Services for armies and commanders of every ruleset: raise, change, delete and reveal armies; appoint, change, delete
and assign commanders.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404

from armies.forces import busy
from armies.forces.busy import lock_armies, lock_army, lock_commander, refuse_if_busy
from armies.forces.declared_figures import set_raised, set_right
from armies.models import Army, Commander
from core.clean_input import BP_MAX, LAST_DAY, clean_optional_whole, clean_slug, clean_text
from kingdom.access.decorators import RequestedChange, drop_unchanged, gm_only, needs_approval, require_not_deleted
from kingdom.access.queries import is_gm, require_gm, require_runs
from kingdom.chronicle.field_change import unless_remembered
from kingdom.chronicle.transaction import record_changes
from kingdom.models import Kingdom, User
from kingdom.onboarding.checklist import words_for
from kingdom.realms.figures import get_ruleset
from rules.army_law import ARMY_FIGURES, CORRECTABLE, names_of
from rules.core.errors import InvalidInput, demand, require
from rules.core.text import Said, _, say

# Services for commanders of every ruleset: appoint, change, delete, assign to an army.

GM_ONLY = frozenset({"status", "away_until", "ransom"})


@needs_approval("armies.appoint_commander", "appoint")
@transaction.atomic
def appoint_commander(*, by: User, kingdom: Kingdom, name: str) -> Commander:
    """Appoints a new commander of the kingdom. Raises `Http404` if it is dissolved meanwhile."""
    require_runs(by, kingdom)
    with record_changes(by=by, campaign=kingdom.campaign, kind="army") as told:
        require_not_deleted(kingdom)
        commander = Commander(campaign=kingdom.campaign, kingdom=kingdom, name=clean_text(name, field="/name"))
        commander.save(force_insert=True)
        told.made("commander", commander)
        told.text = say(_("{kingdom} appointed {commander}."), commander=commander.name, kingdom=kingdom.name)
    return commander


@needs_approval("armies.update_commander", "appoint")
@transaction.atomic
def update_commander(*, by: User, commander: Commander, **fields: Any) -> Commander:
    """Changes the given fields: name; for the GM also status, away_until, ransom. A commander who is no longer free
    leaves their army. Raises `InvalidInput`, `PermissionDenied` for a GM's field, and `IllegalCommand` if their army is
    busy.
    """
    require_runs(by, commander.kingdom)
    with record_changes(by=by, campaign=commander.campaign, kind="army", on=[("commander", commander)]) as told:
        commander = lock_commander(commander)
        led = Army.objects.filter(commander=commander.pk).first()
        told.watch([("army", led)] if led else ())
        if led:
            busy.refuse_if_busy(led)
        for field, value in fields.items():
            cleaned = _clean(field, value)
            if field in GM_ONLY and cleaned != getattr(commander, field) and not is_gm(by, commander.campaign):
                raise PermissionDenied
            setattr(commander, field, cleaned)
        commander.ransom = commander.ransom if commander.status == Commander.Status.CAPTURED else None
        commander.save()
        if led and commander.status != Commander.Status.FREE:
            led.commander = None
            led.save(update_fields=["commander"])
        told.text = say(_("{commander}’s sheet was changed."), commander=commander.name)
    return commander


def _clean(field: str, value: Any) -> Any:
    pointer = f"/{field}"
    match field:
        case "name":
            return clean_text(value, field=pointer)
        case "status":
            return clean_slug(value, field=pointer, among=Commander.Status.values)
        case "away_until":
            return clean_optional_whole(value, field=pointer, least=0, most=LAST_DAY)
        case "ransom":
            return clean_optional_whole(value, field=pointer, least=0, most=BP_MAX)
    raise TypeError(f"unknown field {field}")


@gm_only
@transaction.atomic
def remove_commander(*, by: User, commander: Commander) -> None:
    """Deletes a commander (GM). Their army stays without one. Undo restores them."""
    require_gm(by, commander.campaign)
    text = say(_("{commander} was deleted."), commander=commander.name)
    with record_changes(by=by, campaign=commander.campaign, kind="army", text=text) as told:
        try:
            commander = lock_commander(commander)
        except Http404:  # somebody else has deleted them meanwhile
            return
        if led := Army.objects.filter(commander=commander.pk).first():
            told.watch([("army", led)])
            busy.refuse_if_busy(led)
            led.commander = None
            led.save(update_fields=["commander"])
        told.gone("commander", commander)
        commander.delete()


# Services for who leads an army.


@needs_approval("armies.assign_commander", "appoint")
@transaction.atomic
def assign_commander(*, by: User, army: Army, commander: Commander | None) -> Army:
    """Gives the army this commander, or none. Raises `IllegalCommand` for a commander who leads another army."""
    require_runs(by, army.kingdom)
    with record_changes(by=by, campaign=army.campaign, kind="army", on=[("army", army)]) as told:
        army = lock_army(army)
        if commander is None:
            army.commander = None
            army.save(update_fields=["commander"])
            told.text = describe_left_alone(army)
        else:
            lead(army, commander)
            told.text = describe_command_taken(army, commander)
    return army


def lead(army: Army, commander: Commander) -> None:
    """Puts a free commander of the same kingdom in command of the army."""
    commander = fit_to_lead(army, commander)
    army.commander = commander
    army.save(update_fields=["commander"])


def fit_to_lead[C: Commander](army: Army, commander: C) -> C:
    """The commander, locked. Raises `InvalidInput` or `IllegalCommand` unless they are of the army's kingdom, free, and
    lead no other army.
    """
    ours = commander.kingdom_id == army.kingdom_id
    demand(ours, _("This commander isn’t in this kingdom."), field="/commander")
    commander = lock_commander(commander)
    led = Army.objects.filter(commander=commander.pk).first()  # after the lock: a request may have come first
    refuse_unfit(army, commander, led)
    return commander


def refuse_unfit(army: Army, commander: Commander, led: Army | None) -> None:
    """Raises `IllegalCommand` unless the commander is free. `led`: the army they lead now, if any."""
    require(
        led is None or led.pk == army.pk,
        _("{commander} already leads {army}. Remove them from that command first."),
        field="/commander",
        commander=commander.name,
        army=led.name if led else "",
    )
    require(
        commander.status == Commander.Status.FREE,
        _("{commander} is not free and can’t lead an army."),
        field="/commander",
        commander=commander.name,
    )


def describe_command_taken(army: Army, commander: Commander) -> Said:
    return say(_("{commander} took command of {army}."), commander=commander.name, army=army.name)


def describe_left_alone(army: Army) -> Said:
    return say(_("{army}: without a commander."), army=army.name)


# Services for armies of rulesets that keep everything in the sheet document; delete and reveal for any army.

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
            troops = set_sheet(army, sheet)
            army.save(force_insert=True)
            told.made("army", army)
        if commander:
            lead(armies[0], commander)
        told.text = _say_raised(kingdom, armies, troops)
    return armies


def _say_raised(kingdom: Kingdom, armies: Sequence[Army], troops: Any) -> Said:
    """Chronicle text with troops and upkeep, by which a GM can judge a request."""
    what, bp = say_several(kingdom, armies), sum(army.upkeep for army in armies)
    if len(armies) == 1:
        return say(_("{what} Troops: {troops}. {bp} BP a week."), what=what, troops=troops, bp=bp)
    return say(_("{what} Each: {troops}. Total: {bp} BP a week."), what=what, troops=troops, bp=bp)


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
        told.text = say(_("{army} disbanded."), army=army.name)
    return army


@gm_only
@transaction.atomic
def remove_army(*, by: User, army: Army) -> None:
    """Deletes an army (GM). Undo restores it. Raises `IllegalCommand` if a battle refers to it."""
    require_gm(by, army.campaign)
    text = say(_("{army} deleted."), army=army.name)
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
