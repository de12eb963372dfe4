"""Queries for pictures, limited to objects the reader may see."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import Http404
from django.urls import reverse

from kingdom.models import Campaign, Picture, User
from kingdom.pictures.owners import PictureOwner, build_place, get_picture_owner, list_picture_owners

type Ref = tuple[str, str]
"""An object: its kind, and its id or slug."""


class ShownPicture(NamedTuple):
    """A picture on a page, with its address."""

    kind: str
    key: str
    url: str
    digest: str
    width: int
    height: int


class OwnedThing(NamedTuple):
    """An object that may have a picture."""

    kind: str
    key: str
    owner: PictureOwner
    thing: Any

    @property
    def place(self) -> dict[str, Any]:
        return build_place(self.owner, self.key)


def find_owned(user: User, campaign: Campaign, kind: str, key: str) -> OwnedThing:
    """Return the object for a user who may see it. Raises Http404."""
    owner = get_picture_owner(kind)
    build_place(owner, key)
    return OwnedThing(kind, key.lower() if not owner.by_slug else key, owner, owner.find(user, campaign, key))


def get_editable(user: User, campaign: Campaign, kind: str, key: str) -> OwnedThing:
    """Return the object for a user who may change its picture. Raises Http404, and `PermissionDenied` for one who only
    sees it.
    """
    owned = find_owned(user, campaign, kind, key)
    if not owned.owner.edits(user, owned.thing):
        raise PermissionDenied
    return owned


def find_shown(campaign: Campaign, owned: OwnedThing) -> Picture | None:
    """Return the shown picture, or None. The caller has checked access."""
    return _shown(campaign).filter(kind=owned.kind, **owned.place).first()


def get_picture(user: User, campaign: Campaign, kind: str, key: str, digest: str = "") -> Picture:
    """Return the picture for a user who may see its object. Raises Http404 without access, without a picture, or for
    another `digest`.
    """
    found = find_shown(campaign, find_owned(user, campaign, kind, key))
    if found is None or digest not in ("", found.digest):
        raise Http404
    return found


def list_pictures(campaign: Campaign, things: Iterable[Ref]) -> Mapping[Ref, ShownPicture]:
    """Return the pictures of these objects. The caller has checked access. One query."""
    places = Q()
    for kind, keys in _group(things).items():
        owner = list_picture_owners()[kind]
        places |= Q(kind=kind, slug__in=keys) if owner.by_slug else Q(kind=kind, thing__in=keys)
    rows = _shown(campaign).filter(places).defer("content") if places else ()
    return {(row.kind, row.key): describe_picture(row) for row in rows}


def list_visible_pictures(user: User, campaign: Campaign) -> Iterator[ShownPicture]:
    """Return the campaign's pictures of objects the reader may see, by kind."""
    return map(describe_picture, _keep_visible(user, campaign, _shown(campaign).order_by("kind", "id")))


def visible_ids(user: User, campaign: Campaign, ids: Collection[str]) -> set[str]:
    """Return those of these picture ids whose objects the reader may see, for the chronicle."""
    rows = Picture.objects.filter(campaign=campaign, pk__in=ids)
    return {str(row.pk) for row in _keep_visible(user, campaign, rows)}


def _keep_visible(user: User, campaign: Campaign, rows: QuerySet[Picture]) -> list[Picture]:
    """Return those of these pictures whose objects the reader may see."""
    found = list(rows.defer("content"))
    keys = _group((row.kind, row.key) for row in found)
    owners = list_picture_owners()
    seen = {kind: owners[kind].visible(user, campaign, keys[kind]) for kind in keys if kind in owners}
    return [row for row in found if row.key in seen.get(row.kind, ())]


def describe_picture(row: Picture) -> ShownPicture:
    url = reverse("kingdom:picture_file", args=[row.campaign_id, row.kind, row.key, row.digest])
    return ShownPicture(row.kind, row.key, url, row.digest, row.width, row.height)


def _shown(campaign: Campaign) -> QuerySet[Picture]:
    return Picture.objects.filter(campaign=campaign, shown=True)


def _group(things: Iterable[Ref]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for kind, key in things:
        found.setdefault(kind, set()).add(key)
    return found
