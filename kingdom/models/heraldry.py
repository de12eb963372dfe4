"""Coats of arms: their parts, drawn from a name, validated, and described by a blazon.

A metal lies on a colour and a colour on a metal. A parted field shows its tincture in two shades, so that a charge is
visible on both; a chief and a bordure have the charge's tincture. Pure functions.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections import Counter
from collections.abc import Collection, Mapping
from typing import NamedTuple, Self

from rules.core.errors import InvalidInput, demand
from rules.core.text import Message, Term, _, say


class Charge(NamedTuple):
    """A charge on a shield: its icon in the sprite, its name, and its words in a blazon."""

    icon: str
    name: Term
    blazon: Term


class Tincture(NamedTuple):
    """A tincture: its name, its words at the start of a blazon (as the field), and its words for a charge."""

    name: Term
    field: Term
    blazon: Term
    metal: bool = False


class Division(NamedTuple):
    """A division of the field or an ordinary across it, with the template of its blazon."""

    name: Term
    blazon: Term
    ordinary: bool = False  # whether it has the charge's tincture


SHIELDS: Mapping[str, Term] = {
    "heater": _("Heater"),
    "notched": _("Notched"),
    "square": _("Square"),
    "round": _("Round"),
    "kite": _("Kite"),
    "angular": _("Angular"),
}

DIVISIONS: Mapping[str, Division] = {
    "plain": Division(_("Plain"), _("{field}, {charge} {tincture}")),
    "pale": Division(_("Per pale"), _("{field}, parted per pale, {charge} {tincture}")),
    "fess": Division(_("Per fess"), _("{field}, parted per fess, {charge} {tincture}")),
    "bend": Division(_("Per bend"), _("{field}, parted per bend, {charge} {tincture}")),
    "quarterly": Division(_("Quarterly"), _("{field}, quarterly, {charge} {tincture}")),
    "chevron": Division(_("Per chevron"), _("{field}, parted per chevron, {charge} {tincture}")),
    "pile": Division(_("Pile"), _("{field}, parted per pile, {charge} {tincture}")),
    "chief": Division(_("Chief"), _("{field}, a chief and {charge} {tincture}"), ordinary=True),
    "bordure": Division(_("Bordure"), _("{field}, {charge} within a bordure {tincture}"), ordinary=True),
}

CHARGES: Mapping[str, Charge] = {
    "crown": Charge("crown", _("Crown"), _("a crown")),
    "wolf": Charge("wolf-head", _("Wolf"), _("a wolf’s head")),
    "dragon": Charge("dragon-head", _("Dragon"), _("a dragon’s head")),
    "horse": Charge("horse-head", _("Horse"), _("a horse’s head")),
    "lion": Charge("lion", _("Lion"), _("a lion’s head")),
    "stag": Charge("stag-head", _("Stag"), _("a stag’s head")),
    "bear": Charge("bear-head", _("Bear"), _("a bear’s head")),
    "griffin": Charge("griffin-symbol", _("Griffin"), _("a griffin")),
    "eagle": Charge("eagle-emblem", _("Eagle"), _("an eagle")),
    "raven": Charge("raven", _("Raven"), _("a raven")),
    "tower": Charge("white-tower", _("Tower"), _("a tower")),
    "sun": Charge("sun", _("Sun"), _("a sun")),
    "moon": Charge("moon", _("Moon"), _("a moon")),
    "star": Charge("round-star", _("Star"), _("a star")),
    "key": Charge("key", _("Key"), _("a key")),
    "oak": Charge("oak", _("Oak"), _("an oak")),
    "rose": Charge("rose", _("Rose"), _("a rose")),
    "lily": Charge("fleur-de-lys", _("Lily"), _("a lily")),
    "anchor": Charge("anchor", _("Anchor"), _("an anchor")),
    "hammer": Charge("thor-hammer", _("Hammer"), _("a hammer")),
    "wheat": Charge("wheat", _("Wheat"), _("ears of wheat")),
    "sword": Charge("broadsword", _("Sword"), _("a sword")),
    "axe": Charge("battle-axe", _("Axe"), _("an axe")),
    "skull": Charge("skull-crossed-bones", _("Skull"), _("a skull and bones")),
    "laurels": Charge("laurels", _("Laurels"), _("a wreath of laurel")),
    "waves": Charge("waves", _("Waves"), _("waves")),
    "fist": Charge("fist", _("Fist"), _("a fist")),
}

TINCTURES: Mapping[str, Tincture] = {
    "gules": Tincture(_("Gules (red)"), _("Gules"), _("gules")),
    "azure": Tincture(_("Azure (blue)"), _("Azure"), _("azure")),
    "vert": Tincture(_("Vert (green)"), _("Vert"), _("vert")),
    "purpure": Tincture(_("Purpure (purple)"), _("Purpure"), _("purpure")),
    "tenne": Tincture(_("Tenné (brown)"), _("Tenné"), _("tenné")),
    "sable": Tincture(_("Sable (black)"), _("Sable"), _("sable")),
    "or": Tincture(_("Or (gold)"), _("Or"), _("or"), metal=True),
    "argent": Tincture(_("Argent (silver)"), _("Argent"), _("argent"), metal=True),
}
TINCTURE_SLUGS = tuple(TINCTURES)
METALS = tuple(slug for slug, tincture in TINCTURES.items() if tincture.metal)
COLOURS = tuple(slug for slug, tincture in TINCTURES.items() if not tincture.metal)

PARTS: Mapping[str, Term] = {
    "shield": _("Outline"),
    "division": _("Division"),
    "field": _("Field color"),
    "charge": _("Charge"),
    "tincture": _("Charge color"),
}
KNOWN: Mapping[str, Mapping[str, NamedTuple | Term]] = {
    "shield": SHIELDS,
    "division": DIVISIONS,
    "field": TINCTURES,
    "charge": CHARGES,
    "tincture": TINCTURES,
}
ON_METAL = _("On a metal field, the charge must be a color: {known}.")
ON_COLOUR = _("On a color field, the charge must be a metal: {known}.")


class Arms(NamedTuple):
    """A kingdom's arms, by slugs. `field` is the field's tincture, `tincture` that of what lies on it."""

    shield: str
    division: str
    field: str
    charge: str
    tincture: str

    @property
    def icon(self) -> str:
        return CHARGES[self.charge].icon

    @property
    def blazon(self) -> Message:
        """The arms in words."""
        return say(
            DIVISIONS[self.division].blazon,
            field=TINCTURES[self.field].field,
            charge=CHARGES[self.charge].blazon,
            tincture=TINCTURES[self.tincture].blazon,
        )

    @classmethod
    def kept(cls, stored: Mapping[str, str], *, name: str) -> Self | Arms:
        """Return the stored arms, or those drawn from the name if none are stored."""
        return cls(**stored) if stored else draw_arms(name)


def list_tinctures(field: str) -> tuple[str, ...]:
    """Return the tinctures that may lie on a field of this tincture."""
    return COLOURS if TINCTURES[field].metal else METALS


def fitted(given: Mapping[str, str], now: Arms) -> Arms:
    """Return arms while they are being picked: unknown parts stay as in `now`, and the tincture is made to fit the
    field.
    """
    arms = now._replace(**{part: given[part] for part in KNOWN if given.get(part) in KNOWN[part]})
    fitting = list_tinctures(arms.field)
    return arms if arms.tincture in fitting else arms._replace(tincture=fitting[0])


def clean_arms(given: object, *, at: str = "/arms", now: Arms) -> Arms:
    """Return the given arms, with missing parts as in `now`. Raises `InvalidInput` at the faulty part."""
    if not isinstance(given, Mapping):
        raise InvalidInput(_("Enter a JSON object here."), at)
    for part, slug in given.items():
        demand(part in KNOWN, _("Unknown part of the arms. Use: {known}."), field=f"{at}/{part}", known=_parts())
        demand(
            isinstance(slug, str) and slug in KNOWN[part],
            _("“{slug}” isn’t allowed here. Use one of: {known}."),
            field=f"{at}/{part}",
            slug=str(slug)[:60],
            known=", ".join(KNOWN[part]),
        )
    arms = now._replace(**given)
    _refuse_alike(arms, at)
    return arms


def _parts() -> str:
    return ", ".join(KNOWN)


def _refuse_alike(arms: Arms, at: str) -> None:
    fitting = list_tinctures(arms.field)
    rule = ON_METAL if TINCTURES[arms.field].metal else ON_COLOUR
    names = tuple(TINCTURES[slug].name for slug in fitting)
    demand(arms.tincture in fitting, rule, field=f"{at}/tincture", known=names)


def draw_arms(name: str, beside: Collection[Arms] = ()) -> Arms:
    """Return arms drawn from a name: the same each time, spread evenly over all possible arms.

    Outline, division, field and charge are chosen among those that arms in `beside` use least.
    """
    lots = _Lots(name)
    shield = lots.draw(SHIELDS, [arms.shield for arms in beside])
    division = lots.draw(DIVISIONS, [arms.division for arms in beside])
    field = lots.draw(COLOURS if lots.among(4) else METALS, [arms.field for arms in beside])
    charge = lots.draw(CHARGES, [arms.charge for arms in beside])
    return Arms(shield, division, field, charge, lots.draw(list_tinctures(field)))


class _Lots:
    """Pseudo-random numbers derived from a name, without regard to case and white space."""

    def __init__(self, name: str):
        plain = " ".join(unicodedata.normalize("NFKC", name).casefold().split())
        self._left = int.from_bytes(hashlib.blake2b(plain.encode(errors="replace"), digest_size=16).digest())

    def among(self, count: int) -> int:
        self._left, lot = divmod(self._left, count)
        return lot

    def draw(self, options: Collection[str], borne: Collection[str] = ()) -> str:
        """Return one of the options that are least frequent in `borne`."""
        known, often = list(options), Counter(borne)
        first = self.among(len(known))
        turned = [*known[first:], *known[:first]]
        return min(turned, key=lambda slug: often[slug])
