"""Services for pictures: upload, removal, and the campaign's quota."""

from __future__ import annotations

from contextlib import AbstractContextManager

from django.db import transaction
from django.db.models import Func, IntegerField, QuerySet, Sum

from core.images import StoredImage, clean_image
from kingdom.access.decorators import unrestricted
from kingdom.chronicle.transaction import Recording, record_changes
from kingdom.models import Campaign, Picture, User
from kingdom.pictures.queries import OwnedThing, find_shown, get_editable
from rules.core.errors import require
from rules.core.text import _, say

CAMPAIGN_MOST = 24 * 1024 * 1024  # bytes of all pictures of a campaign, replaced ones included
FULL = _("This campaign’s pictures take up {most} MB, the most it can hold. Remove some of them first.")
WHY = "nothing in the world depends on a picture, as with arms"


@unrestricted(WHY)
@transaction.atomic
def save_picture(*, by: User, campaign: Campaign, kind: str, key: str, sent: bytes) -> Picture:
    """Replace the picture of an object (whoever runs its kingdom; for unit types the GM).

    `sent`: the uploaded file. Raises Http404 for a user who may not see the object, `PermissionDenied` for one who may
    not change it, `InvalidInput` for an invalid file, `IllegalCommand` if the campaign's quota is used up.
    """
    owned = get_editable(by, campaign, kind, key)
    image = clean_image(sent, owned.owner.limits)
    with _record(by, campaign, owned) as told:
        before = find_shown(campaign, owned)
        if before is not None and before.digest == image.digest:
            return before
        picture = _create(by, campaign, owned, image)
        told.watch([("picture", row) for row in (before, picture) if row is not None])
        _show(picture, instead_of=before)
        told.text = say(owned.owner.changed, name=str(owned.thing))
    return picture


@unrestricted(WHY)
@transaction.atomic
def remove_picture(*, by: User, campaign: Campaign, kind: str, key: str) -> None:
    """Remove the picture of an object (as `save_picture`). Without a picture nothing happens."""
    owned = get_editable(by, campaign, kind, key)
    with _record(by, campaign, owned) as told:
        before = find_shown(campaign, owned)
        if before is None:
            return
        told.watch([("picture", before)])
        _show(None, instead_of=before)
        told.text = say(owned.owner.removed, name=str(owned.thing))


def _record(by: User, campaign: Campaign, owned: OwnedThing) -> AbstractContextManager[Recording]:
    """Return the recording of the change; private if the object belongs to a kingdom."""
    private = owned.owner.kingdom(owned.thing) is not None
    return record_changes(by=by, campaign=campaign, kind=owned.owner.entry, private=private)


def _create(by: User, campaign: Campaign, owned: OwnedThing, image: StoredImage) -> Picture:
    """Create a new row: undo hides the later row first, so two are never shown at once."""
    _make_room(campaign, len(image.content))
    return Picture.objects.create(
        campaign=campaign, kind=owned.kind, name=str(owned.thing), digest=image.digest, content=image.content,
        width=image.width, height=image.height, by=by, **owned.place,
    )  # fmt: skip


def _show(picture: Picture | None, *, instead_of: Picture | None) -> None:
    """Hide the old picture, then show the new one."""
    for row, shown in ((instead_of, False), (picture, True)):
        if row is not None:
            row.shown = shown
            row.save(update_fields=["shown"])


def _make_room(campaign: Campaign, size: int) -> None:
    """Delete the oldest replaced pictures until the new one fits. Raises `IllegalCommand` if it cannot."""
    rows = Picture.objects.filter(campaign=campaign)
    free = CAMPAIGN_MOST - _count_bytes(rows)
    replaced = rows.filter(shown=False).annotate(size=_size()).order_by("pk")
    doomed = []
    for row in replaced.only("pk") if free < size else ():
        doomed.append(row.pk)
        free += row.size
        if free >= size:
            break
    require(free >= size, FULL, most=CAMPAIGN_MOST // (1024 * 1024))
    rows.filter(pk__in=doomed).delete()


def _size() -> Func:
    return Func("content", function="octet_length", output_field=IntegerField())


def _count_bytes(rows: QuerySet[Picture]) -> int:
    return rows.aggregate(sum=Sum(_size()))["sum"] or 0
