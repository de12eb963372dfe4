"""Services for several changes of an army at once: all or none, and one request where approval is needed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from django.db import transaction

from armies.pathfinder.armies.services import correct_army, request_sheet_change, update_army
from armies.pathfinder.commanders.command_services import assign_commander
from armies.pathfinder.models import PathfinderArmy, PathfinderCommander
from kingdom.access.decorators import RequestedChange, needs_approval
from kingdom.models.user import User


def _changes(given: Mapping[str, Any]) -> RequestedChange:
    """What `update_army` would want, and the command where it changes hands; the state is the GM's in any case."""
    sheet = {name: value for name, value in given.items() if name not in ("commander", "state")}
    kinds, wanted = request_sheet_change(sheet)
    arguments = {**wanted, **({"state": given["state"]} if given.get("state") else {})}
    commander = given.get("commander", False)
    if commander is False or commander == given["army"].commander:
        return RequestedChange(kinds, arguments)
    return RequestedChange((*kinds, "appoint"), {**arguments, "commander": commander})


@needs_approval("armies.pathfinder.change_army", "raise", "appoint", wish=_changes)
@transaction.atomic
def change_army(
    *,
    by: User,
    army: PathfinderArmy,
    commander: PathfinderCommander | Literal[False] | None = False,
    state: Mapping[str, Any] | None = None,
    **sheet: Any,
) -> None:
    """Change the sheet (as `update_army`), the commander unless `False`, and the state (GM: `correct_army`)."""
    if sheet:
        update_army(by=by, army=army, **sheet)
    if commander is not False:
        assign_commander(by=by, army=army, commander=commander)
    if state:
        correct_army(by=by, army=army, **state)
