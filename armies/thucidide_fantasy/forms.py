"""Form for raising or changing a contingent, with sample armies to start from and figures beside each type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from armies.documents.drafts import DocumentDraft, EntryDraft
from armies.documents.forms import TypedTroopForm, offers_of
from core.shapes.forms import CatalogueChoices, FormChoices, JsonDocument
from core.text import render
from rules.core.shapes import shape_of
from rules.thucidide_fantasy.contingent import REALM, SAMPLE_HOSTS, ContingentSheet, ContingentUnit, SampleHost
from rules.thucidide_fantasy.figures import Tables, unit_figures
from rules.thucidide_fantasy.spec import CASTER, Spell, TroopType, Weapon
from rules.thucidide_fantasy.starter import CHARACTERS

SHAPE = shape_of(ContingentSheet)
FRESH: Mapping[str, JsonDocument] = {"units": {"type": "foot-medium"}, "characters": {"kind": CASTER}}


def list_starters() -> FormChoices:
    """The sample armies as choices."""
    return [(slug, render(host.name)) for slug, host in SAMPLE_HOSTS.items()]


def document_of(host: SampleHost) -> JsonDocument:
    """The document of a sample, with its caster's name in the reader's language."""
    written: JsonDocument = SHAPE.write(host.called(render))
    return written


def draft_of(host: SampleHost, head: JsonDocument, law: Any) -> DocumentDraft:
    """The form filled with a sample army, without types the campaign lacks."""
    document = document_of(host)
    known = law.tables.troops
    units = [one for one in document["units"] if one["type"] in known]
    return DocumentDraft(head, {}, {"units": EntryDraft(units), "characters": EntryDraft(document["characters"])})


def describe_type(kind: TroopType, tables: Tables) -> str:
    """A type with its figures, as an option of a list."""
    figures = unit_figures(ContingentUnit(kind.slug), tables)
    shot = _(", shot %(shot)s/%(range)s") % {"shot": figures.shot, "range": figures.range} if figures.shot else ""
    told = _("%(assault)s–%(melee)s%(shot)s, stands: %(stands)s, points: %(points)s") % {
        "assault": figures.assault, "melee": figures.melee, "shot": shot, "stands": kind.stands, "points": kind.points,
    }  # fmt: skip
    return f"{render(kind.name)} ({told})"


def describe_weapon(weapon: Weapon) -> str:
    """A weapon with its dice, as an option of a list."""
    if weapon.shoots:
        told = _("shot %(shot)s/%(range)s") % {"shot": weapon.shot, "range": weapon.range}
    else:
        told = f"{weapon.assault}–{weapon.melee}"
    return f"{render(weapon.name)} ({told})"


def describe_spell(spell: Spell) -> str:
    """A spell with its cost, as an option of a list."""
    return f"{render(spell.name)} ({spell.cost})"


def offers_with_figures(law: Any) -> CatalogueChoices:
    """The options of all lists: everything by name; troops, weapons and spells with figures."""
    tables: Tables = law.tables
    return {
        **offers_of(law.armies),
        "troops": [(slug, describe_type(kind, tables)) for slug, kind in tables.troops.items()],
        "weapons": [(slug, describe_weapon(weapon)) for slug, weapon in tables.weapons.items()],
        "spells": sorted(((slug, describe_spell(one)) for slug, one in tables.spells.items()), key=lambda it: it[1]),
        "traits": [(slug, render(trait.name)) for slug, trait in tables.traits.items()],
    }


class ContingentForm(TypedTroopForm):
    """Form of a contingent."""

    troops, kinds = "units", CHARACTERS

    @property
    def offers(self) -> CatalogueChoices:
        return offers_with_figures(self.law)

    def begun(self) -> DocumentDraft:
        """The starting content of the form for a new army: the Realm."""
        return draft_of(REALM, {}, self.law)

    def describe_troop(self, entry: Mapping[str, Any]) -> str:
        unit = self.law.armies.value_of({"units": [{**entry, "master": ""}]}).units[0]
        kind, figures = self.law.tables.troops[unit.type], unit_figures(unit, self.law.tables)
        return _("%(type)s · %(assault)s–%(melee)s · stands: %(left)s of %(stands)s") % {
            "type": render(kind.name), "assault": max(1, figures.assault + figures.dice),
            "melee": max(1, figures.melee + figures.dice), "left": figures.stands, "stands": unit.whole(kind),
        }  # fmt: skip
