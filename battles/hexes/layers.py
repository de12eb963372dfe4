"""Layers that can be shown over a board, at most three at once."""

from __future__ import annotations

from typing import NamedTuple

from rules.core.text import Said, _

LAYERS_MOST = 3


class Layer(NamedTuple):
    """A layer. `usual`: whether it is on by default."""

    slug: str
    name: Said
    usual: bool = False


OF_EVERY_BOARD = (
    Layer("coordinates", _("Hex names")),
    Layer("heights", _("Heights")),
    Layer("sight", _("Sight from the hex")),
    Layer("zones", _("Zones")),
    Layer("losses", _("Where units were destroyed")),
)


class LookLink(NamedTuple):
    """A link that changes how the board is shown. `slug`: of what it shows."""

    slug: str
    name: Said | str
    href: str
    on: bool
