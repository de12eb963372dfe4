"""Services for commanders of every ruleset: appoint, change, delete, assign to an army."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404

from armies.forces import busy
from armies.forces.row_locks import lock_army, lock_commander
from armies.models import Army, Commander
from core.clean_input import BP_MAX, LAST_DAY, clean_optional_whole, clean_slug, clean_text
from kingdom.access.decorators import gm_only, needs_approval, require_not_deleted
from kingdom.access.queries import is_gm, require_gm, require_runs
from kingdom.chronicle.transaction import record_changes
from kingdom.models import Kingdom, User
from rules.core.errors import demand, require
from rules.core.text import Said, _, say

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
    leaves their army.
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
    return say(_("{army} no longer has a commander."), army=army.name)
