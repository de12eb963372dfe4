"""Picture owners: kinds of things that have a picture, which apps contribute."""

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
    """What is known of a kind of thing.

    `find(user, campaign, key)`: the thing, for whoever may see it (Http404). `edits(user, thing)`: whether they may
    change its picture. `visible(user, campaign, keys)`: those of these that they may see, in a few queries.
    `kingdom(thing)`: the kingdom it belongs to, None for a thing of the whole campaign. `owner_of(campaign, key)`: the
    same by its id. `page(campaign, key)`: the address of its page. `entry`: the kind of its entries in the chronicle.
    `by_slug`: it has a slug and no id. `drawing`: what stands in its place (static/portraits.svg), "" for nothing.
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
    """All kinds."""
    return contributed().picture_owners


def get_picture_owner(kind: str) -> PictureOwner:
    """Raises Http404 for a kind that has no pictures."""
    found = list_picture_owners().get(kind)
    if found is None:
        raise Http404
    return found


def build_place(owner: PictureOwner, key: str) -> dict[str, Any]:
    """The columns of `Picture` that name a thing by its key. Raises Http404 for a key that names nothing."""
    if owner.by_slug:
        return {"thing": None, "slug": key}
    try:
        return {"thing": UUID(key), "slug": ""}
    except ValueError:
        raise Http404 from None


def owner_kingdom(picture: Picture) -> UUID | None:
    """The kingdom a picture belongs to."""
    owner = list_picture_owners().get(picture.kind)
    return owner.owner_of(picture.campaign, picture.key) if owner else None
