"""Decorators that say who may call a service, and the campaign lock under which permission is checked again.

Every service has exactly one decorator:

  @needs_approval("armies.raise_army", "raise")   a player, as the GM's settings allow (`kingdom.access.permissions`)
  @gm_only                                        the GM; the service itself checks it
  @unrestricted("a battle's order")               anybody the service accepts; the argument gives the reason
  @internal                                       a part of other services, never called for a person

Only players of the campaign need approval. The GM may do everything, and the service itself refuses everybody else. A
service called inside another service needs no approval of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from importlib import import_module
from pkgutil import walk_packages
from typing import Any, NamedTuple

from django.conf import settings
from django.db import models
from django.http import Http404

from kingdom.access import permissions
from kingdom.access.permissions import Permission
from kingdom.access.queries import get_role, require_gm
from kingdom.chronicle import changes
from kingdom.models import ApprovalRequest, Campaign, Role, User


class RequestedChange(NamedTuple):
    """The arguments that would change something, and the kinds of action that makes it. Without a kind no approval is
    needed. `further(by)`: more kinds, where they depend on what the player may see.
    """

    kinds: Iterable[str]
    arguments: Mapping[str, Any]
    further: Callable[[User], Iterable[str]] | None = None

    def list_kinds(self, by: User) -> set[str]:
        return {*self.kinds, *(self.further(by) if self.further else ())}


Wisher = Callable[[Mapping[str, Any]], RequestedChange]


class Warrant(NamedTuple):
    """A service and its permission: the kinds of action it may be, or in `why` the reason that it needs none.

    `name` is a fixed slug where a call may wait for approval: the waiting request stores it, so it survives moved code.
    """

    name: str
    service: Callable[..., Any]
    kinds: tuple[str, ...]
    wish: Wisher | None
    why: str

    def wanted(self, arguments: Mapping[str, Any]) -> RequestedChange:
        return self.wish(arguments) if self.wish else RequestedChange(self.kinds, arguments)


GM, WITHIN = "gm", "within"

WARRANTS: dict[str, Warrant] = {}

_inside: ContextVar[bool] = ContextVar("inside", default=False)


class ApprovalRequested(Exception):
    """Not a failure: the call waits for the GM as this approval request. Nothing else has changed."""

    def __init__(self, petition: ApprovalRequest):
        super().__init__(petition)
        self.petition = petition


def needs_approval[**P, R](
    slug: str, *kinds: str, wish: Wisher | None = None
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorate a service that players may call as the GM's settings allow.

    `slug` is stored with waiting requests: never change it. `wish(arguments)` returns the `RequestedChange`: the
    arguments that differ from the current state, and their kinds.

    The service raises `ApprovalRequested` where the call waits for the GM, and `permissions.Forbidden` where only the
    GM may do it.
    """
    if unknown := set(kinds) - permissions.KINDS.keys():
        raise ValueError(f"no such kinds of deeds: {unknown}")
    if slug in WARRANTS:
        raise ValueError(f"two services have the slug {slug}")

    def guard(service: Callable[P, R]) -> Callable[P, R]:
        warrant = _warrant(slug, service, kinds, wish, "")

        @wraps(service)
        def guarded(*args: P.args, **given: P.kwargs) -> R:
            if not _inside.get():
                ask_leave(warrant, given)
            with inside():
                return service(*args, **given)

        return guarded

    return guard


def gm_only[**P, R](service: Callable[P, R]) -> Callable[P, R]:
    _warrant(_name_of(service), service, (), None, GM)
    return service


def internal[**P, R](service: Callable[P, R]) -> Callable[P, R]:
    _warrant(_name_of(service), service, (), None, WITHIN)
    return service


def unrestricted[**P, R](why: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    def open_to_all(service: Callable[P, R]) -> Callable[P, R]:
        _warrant(_name_of(service), service, (), None, why)
        return service

    return open_to_all


def app_of(module: str) -> str:
    """Return the Django app a module belongs to: "kingdom", or the app of one ruleset ("armies.<law>")."""
    apps = (app for app in settings.INSTALLED_APPS if f"{module}.".startswith(f"{app}."))
    return max(apps, key=len, default=module.partition(".")[0])


def is_service_module(module: str) -> bool:
    """Return whether the module holds services: `…services.treasury`, `…services`, `…treasury_services`."""
    return "services" in module.split(".") or module.endswith("_services")


def _name_of(service: Callable[..., Any]) -> str:
    return f"{app_of(service.__module__)}.{service.__name__}"


def _warrant(name: str, service: Callable[..., Any], kinds: tuple[str, ...], wish: Wisher | None, why: str) -> Warrant:
    WARRANTS[name] = Warrant(name, service, kinds, wish, why)
    return WARRANTS[name]


def import_services(app: str) -> None:
    """Import every service module of an app, so that a waiting request finds its service by slug."""
    package = import_module(app)
    for found in walk_packages(package.__path__, f"{app}."):
        if is_service_module(found.name):
            import_module(found.name)


@contextmanager
def inside() -> Iterator[None]:
    """Context in which services need no approval of their own: the outer call has been approved."""
    token = _inside.set(True)
    try:
        yield
    finally:
        _inside.reset(token)


def ask_leave(warrant: Warrant, given: Mapping[str, Any]) -> None:
    """Return if the service may run now. Raises `ApprovalRequested` or `permissions.Forbidden` otherwise."""
    from kingdom.approvals.submission import ask

    by, campaign = given["by"], _campaign_of(given)
    if get_role(by, campaign) != Role.PLAYER:
        return
    wish = warrant.wanted({name: value for name, value in given.items() if name != "by"})
    kind, choice = permissions.strictest(campaign.players_may, wish.list_kinds(by))
    permissions.refuse_kept(kind, choice)
    if choice == Permission.ASK:
        raise ApprovalRequested(
            ask(by=by, campaign=campaign, kind=kind, command=warrant.name, arguments=wish.arguments)
        )


def _campaign_of(given: Mapping[str, Any]) -> Campaign:
    """Return the campaign of the first argument that has one. Raises `TypeError` if none has."""
    for value in given.values():
        if isinstance(value, Campaign):
            return value
        if hasattr(value, "campaign_id"):
            found: Campaign = value.campaign
            return found
    raise TypeError("a player's deed needs a thing of a campaign")


def drop_unchanged(row: Any, given: Mapping[str, Any], fields: Collection[str]) -> dict[str, Any]:
    """Return the arguments without those in `fields` whose value the row has already."""
    return {name: value for name, value in given.items() if name not in fields or getattr(row, name) != value}


# Locks of campaigns that check permission again once locked: a seat lost while waiting no longer counts.


def lock_campaign_as_gm(by: User, campaign: Campaign) -> Campaign:
    """Lock the campaign's row for one of its GMs and return it.

    Raises Http404 for strangers, `PermissionDenied` for members who are not, or no longer, a GM.
    """
    require_gm(by, campaign)  # people without permission must not wait for the lock, nor hold it
    held = changes.lock(campaign)
    require_gm(by, held)
    return held


def require_not_deleted(*rows: models.Model | None) -> None:
    """Raise Http404 if one of these rows has been deleted meanwhile. Call it under the campaign's lock, before a new
    row refers to them.
    """
    for row in rows:
        if row is not None and not type(row)._default_manager.filter(pk=row.pk).exists():
            raise Http404
