"""Services for commanders of rulesets that know no more of them than every ruleset does."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404

from armies.forces import busy
from armies.forces.row_locks import lock_commander
from armies.models import Army, Commander
from core.clean_input import BP_MAX, LAST_DAY, clean_optional_whole, clean_slug, clean_text
from kingdom.access.decorators import gm_only, needs_approval, require_not_deleted
from kingdom.access.queries import is_gm, require_gm, require_runs
from kingdom.chronicle.transaction import record_changes
from kingdom.models import Kingdom, User
from rules.core.text import _, say

GM_ONLY = frozenset({"status", "away_until", "ransom"})


@needs_approval("armies.appoint_commander", "appoint")
@transaction.atomic
def appoint_commander(*, by: User, kingdom: Kingdom, name: str) -> Commander:
    """A new commander of the kingdom. Raises Http404 where it is dissolved by now."""
    require_runs(by, kingdom)
    with record_changes(by=by, campaign=kingdom.campaign, kind="army") as told:
        require_not_deleted(kingdom)
        commander = Commander(campaign=kingdom.campaign, kingdom=kingdom, name=clean_text(name, field="/name"))
        commander.save(force_insert=True)
        told.made("commander", commander)
        told.text = say(_("{commander} took service with {kingdom}."), commander=commander.name, kingdom=kingdom.name)
    return commander


@needs_approval("armies.update_commander", "appoint")
@transaction.atomic
def update_commander(*, by: User, commander: Commander, **fields: Any) -> Commander:
    """Change what is given: name; by the GM status, away_until, ransom. Who is not free leaves their army."""
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
        told.text = say(_("{commander}: the figures are written anew."), commander=commander.name)
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
    """Strike a commander from the rolls (GM). Their army is left without one. Taking that back brings them back."""
    require_gm(by, commander.campaign)
    text = say(_("{commander} is struck from the rolls."), commander=commander.name)
    with record_changes(by=by, campaign=commander.campaign, kind="army", text=text) as told:
        try:
            commander = lock_commander(commander)
        except Http404:  # somebody else has struck them
            return
        if led := Army.objects.filter(commander=commander.pk).first():
            told.watch([("army", led)])
            busy.refuse_if_busy(led)
            led.commander = None
            led.save(update_fields=["commander"])
        told.gone("commander", commander)
        commander.delete()
