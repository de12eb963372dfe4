"""Permissions of players: the GM's choice for each campaign and kind of action.

An action is allowed, needs the GM's approval (a request they grant or refuse), or is forbidden. Only choices that
differ from the default are stored. Each service names its kinds (`kingdom.access.decorators`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from django.core.exceptions import PermissionDenied

from core.clean_input import clean_choices
from core.text import render
from rules.core.text import Said, Term, _, say


class Forbidden(PermissionDenied):
    """Only the GM may do this kind of action (HTTP 403). The message is in the player's words."""

    def __init__(self, message: Said):
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return render(self.message)


class Permission(StrEnum):
    FREE = "free"
    ASK = "ask"
    NO = "no"


class DeedKind(NamedTuple):
    """A kind of action: its name, its help text and its default permission."""

    name: Term
    help: Term
    ordinary: Permission


KINDS: Mapping[str, DeedKind] = {
    "attributes": DeedKind(
        _("Edit sheets"),
        _("Everything on a kingdom’s or commander’s sheet, except names and the treasury."),
        Permission.ASK,
    ),
    "treasury": DeedKind(_("Enter BP in the ledger"), _("Income and expenses entered by hand."), Permission.ASK),
    "raise": DeedKind(_("Raise armies"), _("New armies, and changes to an army’s units and numbers."), Permission.ASK),
    "disband": DeedKind(_("Disband armies"), _("Including what happens to their equipment."), Permission.ASK),
    "buy": DeedKind(
        _("Buy and hand out"), _("From the treasury or the stores; transfers and ransoms."), Permission.FREE
    ),
    "found": DeedKind(
        _("Found and build"), _("Settlements, districts and buildings; also razing settlements."), Permission.ASK
    ),
    "appoint": DeedKind(
        _("Appoint and teach"),
        _("New commanders, and what they lead and grant."),
        Permission.FREE,
    ),
    "march": DeedKind(_("March and rest"), _("Setting out, halting, resting."), Permission.FREE),
}

CHOICES: Mapping[Permission, Term] = {
    Permission.FREE: _("Allowed"),
    Permission.ASK: _("Needs GM approval"),
    Permission.NO: _("GM only"),
}

STRICTNESS = (Permission.FREE, Permission.ASK, Permission.NO)


class Leave(NamedTuple):
    """Permission of a user for one kind of action, for their pages: whether it is offered, and whether it needs
    approval.
    """

    kind: str
    choice: Permission

    @property
    def offered(self) -> bool:
        return self.choice != Permission.NO

    @property
    def asks(self) -> bool:
        return self.choice == Permission.ASK


def read_choices(stored: Mapping[str, str]) -> dict[str, str]:
    """Return every kind with its permission, the default where the campaign stores none."""
    return {kind: Permission(stored.get(kind, deed.ordinary)).value for kind, deed in KINDS.items()}


def strictest(stored: Mapping[str, str], kinds: Iterable[str]) -> tuple[str, Permission]:
    """Return the kind with the strictest permission, and that permission; `("", FREE)` for no kinds."""
    chosen = read_choices(stored)
    found = [(kind, Permission(chosen[kind])) for kind in KINDS if kind in frozenset(kinds)]
    return max(found, key=lambda pair: STRICTNESS.index(pair[1]), default=("", Permission.FREE))


def refuse_kept(kind: str, choice: Permission) -> None:
    """Raise `Forbidden` if only the GM may do this kind of action."""
    if choice == Permission.NO:
        raise Forbidden(say(_("In this campaign, only the GM can do this: {kind}."), kind=KINDS[kind].name))


def clean_players_may(given: object, *, stored: Mapping[str, str]) -> dict[str, str]:
    """Return `stored` updated with the given choices, without those that equal the default. Raises `InvalidInput`."""
    among = dict.fromkeys(KINDS, tuple(Permission))
    return clean_choices(given, field="/players_may", stored=stored, among=among, ordinary=read_choices({}))


# Request types with a signed-in user, for views behind `login_required`.

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django_htmx.middleware import HtmxDetails
    from rest_framework.request import Request

    from kingdom.models import User

    class PageRequest(HttpRequest):
        user: User
        htmx: HtmxDetails

    class ApiRequest(Request):
        user: User

else:
    from django.http import HttpRequest as PageRequest
    from rest_framework.request import Request as ApiRequest

__all__ = ["ApiRequest", "PageRequest"]
