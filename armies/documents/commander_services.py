"""Services for commanders with a declared document, which is kept in `sheet`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from armies.forces import busy
from armies.forces import services as frame
from armies.forces.busy import lock_commander
from armies.models import Army, Commander
from kingdom.access.decorators import RequestedChange, drop_unchanged, needs_approval
from kingdom.access.queries import require_runs
from kingdom.chronicle.transaction import record_changes
from kingdom.models import Campaign, Kingdom, User
from kingdom.realms.figures import get_ruleset
from rules.core.errors import InvalidInput
from rules.core.text import _, say


@needs_approval("armies.documents.appoint_commander", "appoint")
@transaction.atomic
def appoint_commander(*, by: User, kingdom: Kingdom, name: str, sheet: Mapping[str, Any] | None = None) -> Commander:
    """Appoints a new commander of the kingdom. Raises `InvalidInput` with a pointer into the document ("/sheet/…")."""
    document = _read(kingdom.campaign, sheet or {})
    commander = frame.appoint_commander(by=by, kingdom=kingdom, name=name)
    commander.sheet = document
    commander.save(update_fields=["sheet"])
    return commander


def _changes(given: Mapping[str, Any]) -> RequestedChange:
    """Request to change a commander. Only a changed document needs leave; the service refuses what only the GM may
    set.
    """
    commander = given["commander"]
    rest = {name: value for name, value in given.items() if name != "sheet"}
    wanted = drop_unchanged(commander, rest, rest.keys() - {"commander"})
    sheet = given.get("sheet")
    if sheet is None or is_same_sheet(commander, sheet):
        return RequestedChange((), wanted)
    return RequestedChange(("attributes",), {**wanted, "sheet": sheet})


def is_same_sheet(commander: Commander, sheet: Mapping[str, Any]) -> bool:
    """Whether this document equals the commander's after reading; False for an invalid one, which the service
    refuses.
    """
    try:
        return _read(commander.campaign, sheet) == _read(commander.campaign, commander.sheet)
    except InvalidInput:
        return False


@needs_approval("armies.documents.update_commander", "attributes", wish=_changes)
@transaction.atomic
def update_commander(
    *, by: User, commander: Commander, sheet: Mapping[str, Any] | None = None, **given: Any
) -> Commander:
    """Changes the given fields: the whole document; name; for the GM also status, away_until, ransom.

    Raises `InvalidInput` with a pointer into the document ("/sheet/…").
    """
    if given:
        commander = frame.update_commander(by=by, commander=commander, **given)
    return commander if sheet is None else _rewrite(by, commander, sheet)


def _rewrite(by: User, commander: Commander, sheet: Mapping[str, Any]) -> Commander:
    require_runs(by, commander.kingdom)
    with record_changes(by=by, campaign=commander.campaign, kind="army", on=[("commander", commander)]) as told:
        commander = lock_commander(commander)
        if led := Army.objects.filter(commander=commander.pk).first():
            busy.refuse_if_busy(led)
        commander.sheet = _read(commander.campaign, sheet)
        commander.save(update_fields=["sheet"])
        told.text = say(_("{commander}’s sheet was changed."), commander=commander.name)
    return commander


def _read(campaign: Campaign, sheet: Mapping[str, Any]) -> dict[str, Any]:
    law: Any = get_ruleset(campaign).armies
    try:
        return {**law.read_commander(sheet), "version": law.version}
    except InvalidInput as refusal:
        raise refusal.below("/sheet") from None
