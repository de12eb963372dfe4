"""Services for commanders (BP-3): characteristics, combat, Art of war and Diplomacy, kept in their sheet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from armies.forces import busy
from armies.forces import commander_services as frame
from armies.forces.row_locks import lock_commander
from armies.models import Army, Commander
from kingdom.access.decorators import RequestedChange, drop_unchanged, needs_approval
from kingdom.access.queries import require_runs
from kingdom.chronicle.transaction import record_changes
from kingdom.models import Kingdom, User
from rules.breaking_point.documents import COMMANDER_FIGURES, read_commander
from rules.core.text import _, say


@needs_approval("armies.breaking_point.appoint_commander", "appoint")
@transaction.atomic
def appoint_commander(*, by: User, kingdom: Kingdom, name: str, **figures: Any) -> Commander:
    """A new commander of the kingdom; figures not given are nobody's in particular. Raises `InvalidInput`."""
    document = read_commander(figures)
    commander = frame.appoint_commander(by=by, kingdom=kingdom, name=name)
    commander.sheet = document
    commander.save(update_fields=["sheet"])
    return commander


def _changes(given: Mapping[str, Any]) -> RequestedChange:
    """Their figures ask; their name and what only the GM may set (which the service refuses) do not."""
    commander = given["commander"]
    figures = {name: given[name] for name in COMMANDER_FIGURES if name in given}
    rest = {name: value for name, value in given.items() if name not in figures}
    wanted = drop_unchanged(commander, rest, rest.keys() - {"commander"})
    wanted |= {name: value for name, value in figures.items() if commander.sheet.get(name) != value}
    return RequestedChange(("attributes",) if wanted.keys() & figures.keys() else (), wanted)


@needs_approval("armies.breaking_point.update_commander", "attributes", wish=_changes)
@transaction.atomic
def update_commander(*, by: User, commander: Commander, **given: Any) -> Commander:
    """Change what is given: their figures; name; by the GM status, away_until, ransom. Raises `InvalidInput`."""
    figures = {name: given.pop(name) for name in COMMANDER_FIGURES if name in given}
    if given:
        commander = frame.update_commander(by=by, commander=commander, **given)
    return _rewrite(by, commander, figures) if figures else commander


def _rewrite(by: User, commander: Commander, figures: Mapping[str, Any]) -> Commander:
    require_runs(by, commander.kingdom)
    with record_changes(
        by=by, campaign=commander.campaign, kind="army", rule="BP-3", on=[("commander", commander)]
    ) as told:
        commander = lock_commander(commander)
        if led := Army.objects.filter(commander=commander.pk).first():
            busy.refuse_if_busy(led)
        commander.sheet = read_commander({**commander.sheet, **figures})
        commander.save(update_fields=["sheet"])
        told.text = say(_("{commander}: the figures are written anew."), commander=commander.name)
    return commander
