"""Helpers of forms that raise one army or several copies, under any ruleset."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from armies.forces.access import list_army_names
from armies.models import Army
from kingdom.access.request_types import PageRequest
from kingdom.models import Kingdom
from kingdom.onboarding import name_suggestions


def raise_as_asked(
    kingdom: Kingdom,
    given: dict[str, Any],
    copies: int | None,
    one: Callable[..., Army],
    several: Callable[..., Sequence[Army]],
    **told: Any,
) -> Sequence[Army]:
    """Raises one army with the ruleset's service `one`, or several with `several`; then `name` is the first of the
    names.
    """
    if copies in (None, 1):
        return [one(kingdom=kingdom, **given, **told)]
    rest = {key: value for key, value in given.items() if key != "name"}
    names = name_suggestions.number_names(given["name"], copies or 1, list_army_names(kingdom))
    return several(kingdom=kingdom, names=names, **rest, **told)


def go_to_raised(request: PageRequest, armies: Sequence[Army]) -> HttpResponse:
    """Redirects to the army's page, or to the kingdom's for several armies."""
    if len(armies) == 1:
        messages.success(request, _("%(army)s raised.") % {"army": armies[0].name})
        return redirect("armies:army", armies[0].pk)
    names = ", ".join(army.name for army in armies)
    messages.success(request, _("Armies raised: %(armies)s.") % {"armies": names})
    return redirect("kingdom:kingdom", armies[0].kingdom_id)
