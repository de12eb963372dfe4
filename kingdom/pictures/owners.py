"""Picture owners: kinds of objects that have a picture. Apps contribute them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import Http404

from kingdom.contributions import contributed
from kingdom.models import Campaign, Picture, User
from rules.core.text import Term


@dataclass(frozen=True, slots=True)
class PictureOwner:
    """A kind of object with a picture.

    - `find(user, campaign, key)`: the object, for a user who may see it (raises Http404).
    - `edits(user, thing)`: whether they may change its picture.
    - `visible(user, campaign, keys)`: those of these keys that they may see, in a few queries.
    - `kingdom(thing)`: its kingdom, None for an object of the whole campaign; `owner_of(campaign, key)`: the kingdom's
      id.
    - `page(campaign, key)`: the address of its page.
    - `entry`: the kind of its chronicle entries.
    - `by_slug`: it is named by a slug instead of an id.
    """

    word: Term
    changed: Term
    removed: Term
    find: Callable[[User, Campaign, str], Any]
    edits: Callable[[User, Any], bool]
    visible: Callable[[User, Campaign, Collection[str]], set[str]]
    kingdom: Callable[[Any], Any | None]
    owner_of: Callable[[Campaign, str], UUID | None]
    page: Callable[[Campaign, str], str]
    entry: str
    by_slug: bool = False


def list_picture_owners() -> Mapping[str, PictureOwner]:
    """Return all picture owners, by kind."""
    return contributed().picture_owners


def get_picture_owner(kind: str) -> PictureOwner:
    """Return the picture owner of this kind. Raises Http404 for a kind without pictures."""
    found = list_picture_owners().get(kind)
    if found is None:
        raise Http404
    return found


def build_place(owner: PictureOwner, key: str) -> dict[str, Any]:
    """Return the columns of `Picture` that name an object by its key. Raises Http404 for a malformed key."""
    if owner.by_slug:
        return {"thing": None, "slug": key}
    try:
        return {"thing": UUID(key), "slug": ""}
    except ValueError:
        raise Http404 from None


def owner_kingdom(picture: Picture) -> UUID | None:
    """Return the id of the kingdom a picture belongs to."""
    owner = list_picture_owners().get(picture.kind)
    return owner.owner_of(picture.campaign, picture.key) if owner else None
