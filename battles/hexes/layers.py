"""Layers of a board: what can be laid over it, at most three at once."""

from __future__ import annotations

from typing import NamedTuple

from rules.core.text import Said, _

LAYERS_MOST = 3


class Layer(NamedTuple):
    """Something that can be laid over the board. `usual`: it is, until somebody takes it away."""

    slug: str
    name: Said
    usual: bool = False


OF_EVERY_BOARD = (
    Layer("coordinates", _("Hex names")),
    Layer("heights", _("Heights")),
    Layer("sight", _("What is seen from the hex")),
    Layer("zones", _("Zones")),
    Layer("losses", _("Where units fell")),
)


class LookLink(NamedTuple):
    """A link that changes how the board is shown. `slug` of what it shows."""

    slug: str
    name: Said | str
    href: str
    on: bool
