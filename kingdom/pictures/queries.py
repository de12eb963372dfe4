"""Queries for pictures, limited to objects the reader may see."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import Http404
from django.urls import reverse

from core.images import PORTRAIT, ImageLimits, StoredImage
from core.queries import find_one
from core.text import render
from kingdom.access.queries import kingdom_in, require_member, runs_kingdom
from kingdom.contributions import contributed
from kingdom.models import Campaign, Kingdom, Picture, User
from rules.core.text import Term, _, say

# Picture owners: kinds of objects that have a picture. Apps contribute them.


class PictureMask(NamedTuple):
    """Mask of a picture for a reader who may see only a part. `digest` identifies the visible part, `cut` makes its
    file.
    """

    digest: str
    cut: Callable[[], StoredImage]


def hide_nothing(user: User, picture: Picture) -> PictureMask | None:
    return None


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
    - `limits`: how large its picture may be.
    - `mask(user, picture)`: what a reader who sees the object may not see of its picture; None for nothing.
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
    limits: ImageLimits = PORTRAIT
    mask: Callable[[User, Picture], PictureMask | None] = hide_nothing


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
    """Return the picture for a user who may see its object, or as much of it as they see. Raises Http404 without
    access, without a picture, or for another `digest`.
    """
    owned = find_owned(user, campaign, kind, key)
    found = find_shown(campaign, owned)
    if found is None:
        raise Http404
    found.campaign = campaign
    mask = owned.owner.mask(user, found)
    if digest not in ("", mask.digest if mask else found.digest):
        raise Http404
    if mask:  # the row is not saved
        found.content, _digest, found.width, found.height = mask.cut()
        found.digest = mask.digest
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
    owners = list_picture_owners()
    for row in _keep_visible(user, campaign, _shown(campaign).order_by("kind", "id")):
        row.campaign = campaign
        yield describe_picture(row, owners[row.kind].mask(user, row))


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


def describe_picture(row: Picture, mask: PictureMask | None = None) -> ShownPicture:
    digest = mask.digest if mask else row.digest
    url = reverse("kingdom:picture_file", args=[row.campaign_id, row.kind, row.key, digest])
    return ShownPicture(row.kind, row.key, url, digest, row.width, row.height)


def _shown(campaign: Campaign) -> QuerySet[Picture]:
    return Picture.objects.filter(campaign=campaign, shown=True)


def _group(things: Iterable[Ref]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for kind, key in things:
        found.setdefault(kind, set()).add(key)
    return found


# Page objects of pictures: an object's portrait on its page.


class Portrait(NamedTuple):
    """The picture of an object, or the drawing in its place (a symbol of static/portraits.svg, "" for none).

    `text` says what the picture shows. `edit`: address to change it, "" if the reader may not.
    """

    picture: ShownPicture | None
    drawing: str
    text: str
    edit: str = ""

    def __bool__(self) -> bool:
        return self.picture is not None or bool(self.drawing)


def build_portrait(
    user: User,
    campaign: Campaign,
    ref: Ref,
    thing: Any,
    found: Mapping[Ref, ShownPicture],
    *,
    instead: Ref | None = None,
    drawing: str = "",
) -> Portrait:
    """Return the portrait of an object the reader may see. `instead`: the object whose picture is shown if it
    has none.
    """
    owner = get_picture_owner(ref[0])
    picture = found.get(ref) or (found.get(instead) if instead else None)
    text = render(say(_("{what}: {name}"), what=owner.word, name=str(thing)))
    edit = reverse("kingdom:picture", args=[campaign.pk, *ref]) if owner.edits(user, thing) else ""
    return Portrait(picture, drawing, text, edit)


def build_banner(user: User, kingdom: Kingdom) -> Portrait:
    """Return the banner of a kingdom. Without a picture the page shows the arms."""
    ref = ("kingdom", str(kingdom.pk))
    return build_portrait(user, kingdom.campaign, ref, kingdom, list_pictures(kingdom.campaign, [ref]))


# Picture owner for kingdoms: their picture is the banner. Every member knows each kingdom and its arms.

KIND = "kingdom"


def _find(user: User, campaign: Campaign, key: str) -> Kingdom:
    require_member(user, campaign)
    return kingdom_in(campaign, key)


def _visible(user: User, campaign: Campaign, keys: Collection[str]) -> set[str]:
    found = Kingdom.objects.filter(campaign=campaign, pk__in=keys).values_list("pk", flat=True)
    return {str(pk) for pk in found}


def _owner_of(campaign: Campaign, key: str) -> UUID | None:
    return find_one(Kingdom.objects.filter(campaign=campaign, pk=key).values_list("pk", flat=True))


OWNER = PictureOwner(
    word=_("Banner"),
    changed=_("New banner: {name}."),
    removed=_("{name}’s banner was removed."),
    find=_find,
    edits=runs_kingdom,
    visible=_visible,
    kingdom=lambda kingdom: kingdom,
    owner_of=_owner_of,
    page=lambda campaign, key: reverse("kingdom:kingdom", args=[key]),
    entry="kingdom",
)
