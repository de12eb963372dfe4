"""Services that make several changes of an army at once: all or none, and one request where approval is needed."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Literal

from django.db import transaction

from armies.forces.services import assign_commander, correct_army, request_sheet_change, update_army
from armies.models import Army, Commander
from kingdom.access.decorators import RequestedChange, Wisher, needs_approval
from kingdom.models import User


def request_change(given: Mapping[str, Any], request_sheet: Wisher) -> RequestedChange:
    """Request for several changes: `request_sheet` of its sheet, and the appointment if the commander changes. Only the
    GM may change the state.
    """
    wish = request_sheet({name: value for name, value in given.items() if name not in ("commander", "state")})
    arguments = {**wish.arguments, **({"state": given["state"]} if given.get("state") else {})}
    commander = given.get("commander", False)
    if commander is False or commander == given["army"].commander:
        return RequestedChange(wish.kinds, arguments)
    return RequestedChange((*wish.kinds, "appoint"), {**arguments, "commander": commander})


@needs_approval(
    "armies.change_army", "raise", "appoint", wish=partial(request_change, request_sheet=request_sheet_change)
)
@transaction.atomic
def change_army(
    *,
    by: User,
    army: Army,
    commander: Commander | Literal[False] | None = False,
    state: Mapping[str, Any] | None = None,
    **sheet: Any,
) -> None:
    """Changes name and sheet (`update_army`), the commander unless `False`, and the state (GM: `correct_army`)."""
    if commander is not False:
        assign_commander(by=by, army=army, commander=commander)
    if sheet:
        update_army(by=by, army=army, **sheet)
    if state:
        correct_army(by=by, army=army, **state)
