"""Queries for a campaign's arsenal, by kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from armies.arsenal.own_things import UNITS_TABLE, OwnThings
from armies.ruleset_ui import find_army_ui
from core.errors import NotInRuleset
from kingdom.models import Campaign
from kingdom.models.natural import make_natural_key
from kingdom.realms.figures import get_ruleset
from rules.core.text import Said, Term
from rules.house import OWN
from rules.law import Catalogue


@dataclass(frozen=True, slots=True)
class Thing:
    """An entry as it is stored (`kept`), with its figures in words."""

    kind: str
    slug: str
    kept: Mapping[str, Any]
    facts: tuple[Said, ...]

    @property
    def name(self) -> str:
        return str(self.kept["name"])


@dataclass(frozen=True, slots=True)
class ThingsOfKind:
    """Entries of one kind.

    `one`: name of one entry; `title`: of all, as in the codex. `law`: number of entries in the ruleset. `room`: whether
    another may be added. `table`: slug of the kind's table file, "" for none.
    """

    kind: str
    one: Term
    title: Term
    things: tuple[Thing, ...]
    law: int
    room: bool
    table: str

    @property
    def pictured(self) -> bool:
        """Whether these are unit types, which may have pictures."""
        return self.table == UNITS_TABLE


def find_own_things(campaign: Campaign) -> OwnThings:
    """The ruleset's declaration of own entries. Raises `NotInRuleset` where it has none."""
    ui = find_army_ui(campaign)
    if ui is None or ui.own_things is None:
        raise NotInRuleset(campaign.ruleset)
    return ui.own_things


def arsenal_of(campaign: Campaign) -> tuple[ThingsOfKind, ...]:
    known = find_own_things(campaign)
    catalogues = get_ruleset(campaign).catalogues
    own = campaign.house_rules.get(OWN, {})
    found = []
    for kind, one in known.kinds.items():
        catalogue = catalogues[kind]
        things = [_thing(kind, slug, kept, catalogue) for slug, kept in own.get(kind, {}).items()]
        things.sort(key=lambda thing: make_natural_key(thing.name))
        law, room, table = len(catalogue.items) - len(things), len(things) < known.most, known.tables.get(kind, "")
        found.append(ThingsOfKind(kind, one, catalogue.label, tuple(things), law, room, table))
    return tuple(found)


def find_thing(campaign: Campaign, kind: str, slug: str) -> Thing | None:
    kept = campaign.house_rules.get(OWN, {}).get(kind, {}).get(slug)
    return None if kept is None else _thing(kind, slug, kept, get_ruleset(campaign).catalogues[kind])


def _thing(kind: str, slug: str, kept: Mapping[str, Any], catalogue: Catalogue) -> Thing:
    return Thing(kind, slug, kept, tuple(catalogue.facts(catalogue.items[slug])))
