"""Page objects of pictures: an object's portrait on its page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.urls import reverse

from core.text import render
from kingdom.models import Campaign, Kingdom, User
from kingdom.pictures.owners import get_picture_owner
from kingdom.pictures.queries import Ref, ShownPicture, list_pictures
from rules.core.text import _, say


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
