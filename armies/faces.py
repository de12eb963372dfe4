"""How a law's armies are kept, shown and read: one `ArmyFace` for each family of laws, and nothing else in this app
knows a law's words.

A face registers itself once, from the settings (`ARMY_FACES`); the frame asks for it by the family of the campaign's
law. A law that keeps all it needs in an army's document takes `armies.plain.PlainArmies` as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from django.conf import settings
from django.utils.module_loading import import_string

from armies.models import Army, Commander
from kingdom.models import Campaign, Kingdom, User
from kingdom.selectors import ruleset_of
from rules.law import Law

if TYPE_CHECKING:
    from django.http import HttpResponse
    from rest_framework.serializers import Serializer

    from kingdom.api.bodies import Input

type Page = Callable[..., HttpResponse]
type Panel = tuple[str, dict[Any, Any]] | None

PAGES = (
    "army", "army_new", "army_preview", "army_edit", "army_correct", "army_remove", "army_assign", "army_place",
    "army_reveal", "army_disband", "commander", "commander_new", "commander_edit", "commander_remove",
)  # fmt: skip


class ArmyApi(Protocol):
    """The law's half of `armies/` and `commanders/`. What is sent is checked in its shape; services know the rules."""

    army_shape: type[Serializer]
    army_input: type[Input]
    army_change: type[Input]
    commander_shape: type[Serializer]
    commander_input: type[Input]
    commander_change: type[Input]

    def raise_army(self, by: User, kingdom: Kingdom, given: dict[str, Any]) -> Army: ...
    def change_army(self, by: User, army: Any, given: dict[str, Any]) -> None: ...
    def appoint_commander(self, by: User, kingdom: Kingdom, given: dict[str, Any]) -> Commander: ...
    def change_commander(self, by: User, commander: Any, given: dict[str, Any]) -> None: ...
    def remove_commander(self, by: User, commander: Any) -> None: ...


class ArmyFace(Protocol):
    """One law's armies for people and programs."""

    family: str
    army: type[Army]
    """The model of its armies: `Army`, or one below it where the law keeps columns of its own."""
    commander: type[Commander]
    pages: Mapping[str, Page]
    """The views of `PAGES` by name, as the frame's addresses call them."""
    api: ArmyApi

    panels: Sequence[tuple[str, Callable[..., Panel], int]]
    """What it shows on the pages of campaigns and kingdoms: place, provider and order (`kingdom.panels`)."""
    urls: str | None
    api_urls: str | None
    """Modules of addresses only this law knows."""


_faces: dict[str, ArmyFace] = {}


def register(face: ArmyFace) -> None:
    if missing := set(PAGES) - set(face.pages):
        raise LookupError(f"the face of {face.family} has no page for {sorted(missing)}")
    _faces[face.family] = face


def face_of(law: Law) -> ArmyFace:
    """The face of this law's family. Raises `LookupError` where the settings name none."""
    return _faces[law.family]


def face_for(campaign: Campaign) -> ArmyFace:
    return face_of(ruleset_of(campaign))


def known(campaign: Campaign) -> ArmyFace | None:
    """The face of the campaign's law, or None where nobody knows how to show its armies."""
    return _faces.get(ruleset_of(campaign).family)


def all_faces() -> tuple[ArmyFace, ...]:
    return tuple(_faces.values())


def register_all() -> None:
    """Take in every face the settings name."""
    for path in settings.ARMY_FACES:
        register(import_string(path))


def in_its_law(kind: type[Army | Commander], campaign: Campaign, pk: str) -> Army | Commander | None:
    """The army or commander as the campaign's law keeps it."""
    face = face_for(campaign)
    rows = (face.army if issubclass(kind, Army) else face.commander)._default_manager
    return rows.filter(pk=pk, campaign=campaign).first()
