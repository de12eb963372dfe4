"""Decorators that say who may call a service, and the lock under which it is asked again. Every service has one.

    @needs_approval("armies.raise_army", "raise")   a player, as the GM chose (`kingdom.access.permissions`)
    @gm_only                                        the GM; the service itself asks for them
    @unrestricted("a battle's order")               whoever the service lets; the reason stands here
    @internal                                       part of other services, never called for a person

Who is no player of the campaign is not asked for one: the GM does everything freely, and the service turns the
others away.
What a service does by means of other services is its own deed: those ask nobody again.
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
    """What of the arguments would change something, and of which kinds that is; no kind: it needs no leave."""

    kinds: Iterable[str]
    arguments: Mapping[str, Any]


Wisher = Callable[[Mapping[str, Any]], RequestedChange]


class Warrant(NamedTuple):
    """A service. `kinds`: those it may be of; without any `why` says why it needs none.

    `name` is a slug of its own where a deed may wait for leave: a waiting request keeps it, wherever the code moves.
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
    """Not a failure: the deed waits for the GM as this petition. Nothing else has changed."""

    def __init__(self, petition: ApprovalRequest):
        super().__init__(petition)
        self.petition = petition


def needs_approval[**P, R](
    slug: str, *kinds: str, wish: Wisher | None = None
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """The warrant of a player's deed. `slug` is stored with waiting requests: never change it.

    `wish(arguments)` narrows what is asked to what differs from how things stand.

    The service raises `ApprovalRequested` where the deed waits for the GM, `permissions.Forbidden` where only the GM
    may do it.
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
                _ask_leave(warrant, given)
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
    """The Django app a module belongs to: "kingdom", or one law's ("armies.<law>")."""
    apps = (app for app in settings.INSTALLED_APPS if f"{module}.".startswith(f"{app}."))
    return max(apps, key=len, default=module.partition(".")[0])


def is_service_module(module: str) -> bool:
    """`…services.treasury`, `…services`, `…treasury_services`."""
    return "services" in module.split(".") or module.endswith("_services")


def _name_of(service: Callable[..., Any]) -> str:
    return f"{app_of(service.__module__)}.{service.__name__}"


def _warrant(name: str, service: Callable[..., Any], kinds: tuple[str, ...], wish: Wisher | None, why: str) -> Warrant:
    WARRANTS[name] = Warrant(name, service, kinds, wish, why)
    return WARRANTS[name]


def import_services(app: str) -> None:
    """Import every service of an app: a deed that waits for leave is found by its slug."""
    package = import_module(app)
    for found in walk_packages(package.__path__, f"{app}."):
        if is_service_module(found.name):
            import_module(found.name)


@contextmanager
def inside() -> Iterator[None]:
    """What is done here needs no other leave than what led here."""
    token = _inside.set(True)
    try:
        yield
    finally:
        _inside.reset(token)


def _ask_leave(warrant: Warrant, given: Mapping[str, Any]) -> None:
    """Return if the deed may be done now. Raises `ApprovalRequested` or `permissions.Forbidden` otherwise."""
    from kingdom.approvals.submission import ask

    by, campaign = given["by"], _campaign_of(given)
    if get_role(by, campaign) != Role.PLAYER:
        return
    wish = warrant.wanted({name: value for name, value in given.items() if name != "by"})
    kind, choice = permissions.strictest(campaign.players_may, wish.kinds)
    permissions.refuse_kept(kind, choice)
    if choice == Permission.ASK:
        raise ApprovalRequested(
            ask(by=by, campaign=campaign, kind=kind, command=warrant.name, arguments=wish.arguments)
        )


def _campaign_of(given: Mapping[str, Any]) -> Campaign:
    """The campaign of the first thing of one among the arguments."""
    for value in given.values():
        if isinstance(value, Campaign):
            return value
        if hasattr(value, "campaign_id"):
            found: Campaign = value.campaign
            return found
    raise TypeError("a player's deed needs a thing of a campaign")


def drop_unchanged(row: Any, given: Mapping[str, Any], fields: Collection[str]) -> dict[str, Any]:
    """The arguments without those of these fields that say what the row says already."""
    return {name: value for name, value in given.items() if name not in fields or getattr(row, name) != value}


# Locks of campaigns that ask for permission again: a seat that was lost while waiting counts no more.


def lock_campaign_as_gm(by: User, campaign: Campaign) -> Campaign:
    """The campaign's row, locked by one of its GMs.

    Raises Http404 for strangers, `PermissionDenied` for members who are no GM, or no longer one.
    """
    require_gm(by, campaign)  # others hold nobody up
    held = changes.lock(campaign)
    require_gm(by, held)
    return held


def require_not_deleted(*rows: models.Model | None) -> None:
    """For who makes something that leans on these, once the campaign is held: raises Http404 where somebody else has
    struck one of them meanwhile.
    """
    for row in rows:
        if row is not None and not type(row)._default_manager.filter(pk=row.pk).exists():
            raise Http404
