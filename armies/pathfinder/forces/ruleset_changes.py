"""Changes of a campaign's rules, applied to the cached figures of armies (PF-HOUSE)."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Q

from armies.forces import busy
from armies.pathfinder.armies.resource_services import CACHED, set_figures
from armies.pathfinder.models import PathfinderArmy
from armies.pathfinder.models.army import PathfinderArmyQuerySet
from kingdom.chronicle import changes
from kingdom.models import Campaign
from rules.core.errors import IllegalCommand, InvalidInput
from rules.core.text import _, say

CHUNK = 500
IN_BATTLE = ("consumption", "regrowth")  # a battle keeps the rules of its first day for all other figures
REGROW = ("fast-healing", "regeneration")


def figures_amended(campaign: Campaign) -> Iterator[changes.Change]:
    """Changes of cached figures that differ by the campaign's new rules. Raises `IllegalCommand` that names an army
    they refuse.
    """
    for army in _concerned(campaign).complete().order_by("pk").iterator(chunk_size=CHUNK):
        army.campaign = campaign
        yield from _amended(army)


def _concerned(campaign: Campaign) -> PathfinderArmyQuerySet:
    """Armies that house rules can affect: with resources, or with abilities that regrow hp."""
    regrow = Q()
    for slug in REGROW:
        regrow |= Q(sheet__unit__abilities__contains=[{"ability": slug}])
    carries = PathfinderArmy.objects.filter(campaign=campaign, resources__isnull=False).values("pk")
    return PathfinderArmy.objects.filter(Q(pk__in=carries) | regrow, campaign=campaign)


def _amended(army: PathfinderArmy) -> Iterator[changes.Change]:
    before = {field: getattr(army, field) for field in CACHED}
    try:
        set_figures(army)
    except InvalidInput as refusal:
        template = _("Under these rules, {army} would no longer be valid: {why}")
        raise IllegalCommand(say(template, army=army.name, why=refusal.message)) from None
    changed = [field for field in CACHED if getattr(army, field) != before[field]]
    if set(changed) - set(IN_BATTLE) and busy.explain_busy(army):
        changed = [field for field in changed if field in IN_BATTLE]
    for field in changed:
        label = changes.word_of("army", field)
        yield changes.Change(
            "army", str(army.pk), field, before[field], getattr(army, field), "PF-HOUSE", label, army.name
        )
