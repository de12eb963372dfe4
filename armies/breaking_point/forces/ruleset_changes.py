"""Changes of a campaign's rules, applied to armies of units.

Entries that armies use cannot be removed, and upkeep follows the rules (B-69). All other figures are computed when they
are read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from armies.models import Army
from kingdom.chronicle import changes
from kingdom.models import Campaign
from kingdom.realms.figures import get_ruleset
from rules.breaking_point.own import Own, named_by, unknown_to
from rules.core.errors import IllegalCommand, InvalidInput, refuse
from rules.core.text import _, say
from rules.registry import family_of

FAMILY = "breaking_point"
CHUNK = 500


def keep_in_use(campaign: Campaign, law: Any) -> None:
    """Raises `IllegalCommand` that names the first army which would be invalid without the campaign's own entries that
    this ruleset drops or changes.
    """
    if not law.family == family_of(campaign.ruleset) == FAMILY:
        return
    own = get_ruleset(campaign).house.own
    moved = {(kind, slug) for kind in own for slug, thing in own[kind].items() if _other(law, kind, slug, thing)}
    if not moved:
        return
    for army in Army.objects.filter(campaign=campaign).order_by("pk").iterator(chunk_size=CHUNK):
        if any(found in moved for unit in army.sheet.get("units", ()) for found in named_by(unit)):
            _refuse_lost(army, law, own)
            _refuse_changed(army, law)


def _other(law: Any, kind: str, slug: str, thing: Mapping[str, Any]) -> bool:
    return bool(law.house.own.get(kind, {}).get(slug) != thing)


def _refuse_lost(army: Army, law: Any, own: Own) -> None:
    for unit in army.sheet["units"]:
        if (lost := unknown_to(law.tables, unit)) is not None:
            kind, slug = lost
            name = own.get(kind, {}).get(slug, {}).get("name", slug)
            text = _("{thing} is in use by {unit} ({army}). Change that unit first.")
            refuse(text, thing=name, unit=unit.get("name", ""), army=army.name)


def _refuse_changed(army: Army, law: Any) -> None:
    try:
        law.armies.units_of({"units": army.sheet["units"]})
    except InvalidInput as refusal:
        template = _("Under these rules, {army} would no longer be valid: {why}")
        raise IllegalCommand(say(template, army=army.name, why=refusal.message)) from None


def upkeep_amended(campaign: Campaign) -> Iterator[changes.Change]:
    """Changes of upkeep for armies that cost another sum by the campaign's new rules."""
    if family_of(campaign.ruleset) != FAMILY:
        return
    law, label = get_ruleset(campaign).armies, changes.word_of("army", "upkeep")
    for army in Army.objects.filter(campaign=campaign).order_by("pk").iterator(chunk_size=CHUNK):
        try:
            upkeep = law.measure(law.read({"units": army.sheet.get("units")})).upkeep
        except InvalidInput:
            continue
        if upkeep != army.upkeep:
            yield changes.Change("army", str(army.pk), "upkeep", army.upkeep, upkeep, "B-69", label, army.name)
