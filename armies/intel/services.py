"""Services for intelligence: the GM hides armies, and sets spies and allies."""

from __future__ import annotations

from django.db import transaction

from armies.forces.busy import lock_armies
from armies.forces.tracked_fields import LEVELS, conceal
from armies.models import Army, Insight
from kingdom.access.decorators import gm_only, require_not_deleted
from kingdom.access.queries import require_gm
from kingdom.chronicle.transaction import record_changes
from kingdom.map.fog_services import update_visibility
from kingdom.models import Kingdom, Knowledge, User
from rules.core.errors import demand
from rules.core.text import Said, _, say


@gm_only
@transaction.atomic
def hide_army(*, by: User, army: Army, hidden: bool) -> Army:
    """Hides an army from everybody except viewers and those who run its kingdom, as if it did not exist (GM).

    Others' sightings of it are deleted. Raises `IllegalCommand` while something holds it, since everybody in the
    campaign sees it there.
    """
    require_gm(by, army.campaign)
    with record_changes(by=by, campaign=army.campaign, kind="army", on=[("army", army)]) as told:
        army = lock_armies([army.pk], type(army))[army.pk]
        conceal(army, bool(hidden))
        template = _("{army}: hidden from the other players.") if hidden else _("{army}: no longer hidden.")
        told.text = say(template, army=army.name)
    update_visibility(army.campaign)
    return army


@gm_only
@transaction.atomic
def let_know(
    *,
    by: User,
    kingdom: Kingdom,
    level: int,
    army: Army | None = None,
    realm: Kingdom | None = None,
    mutual: bool = False,
) -> Insight:
    """Informs a kingdom about one army, or about all armies of a `realm`, at this level (GM). `mutual`: allies, who are
    informed about each other.

    Level 0 ends it; knowledge from elsewhere stays. Raises `InvalidInput`, and `Http404` where one of them is deleted.
    """
    campaign = kingdom.campaign
    require_gm(by, campaign)
    demand(level in Knowledge.values, _("Choose a level from the list."), field="/level")
    kingdom, army, realm = _between(kingdom, army, realm, mutual)
    with record_changes(by=by, campaign=campaign, kind="other") as told:
        require_not_deleted(kingdom, army, realm)
        known, _new = Insight.objects.get_or_create(campaign=campaign, kingdom=kingdom, army=army, realm=realm,
                                                    mutual=mutual)  # fmt: skip
        told.watch([("insight", known)])
        known = told.rows("insight")[str(known.pk)]
        known.level = level
        known.save(update_fields=["level"])
        told.text = _in_words(known)
    return known


def _between(
    kingdom: Kingdom, army: Army | None, realm: Kingdom | None, mutual: bool
) -> tuple[Kingdom, Army | None, Kingdom | None]:
    """The validated informed kingdom, army and realm. Allies are returned in one order, whoever was named first."""
    demand((army is None) != (realm is None), _("Choose either an army or a kingdom, not both."), field="/army")
    if army is not None:
        demand(not mutual, _("Only kingdoms can be allies. Choose a kingdom."), field="/realm")
        demand(
            army.campaign_id == kingdom.campaign_id,
            _("This belongs to another campaign. Choose one from this campaign."),
            field="/army",
        )
        demand(
            army.kingdom_id != kingdom.pk,
            _("A kingdom always knows its own armies. Choose another kingdom."),
            field="/army",
        )
        return kingdom, army, None
    assert realm is not None
    demand(
        realm.campaign_id == kingdom.campaign_id,
        _("This belongs to another campaign. Choose one from this campaign."),
        field="/realm",
    )
    demand(realm.pk != kingdom.pk, _("A kingdom always knows its own armies. Choose another kingdom."), field="/realm")
    first, second = sorted((kingdom, realm), key=lambda one: str(one.pk)) if mutual else (kingdom, realm)
    return first, None, second


def _in_words(known: Insight) -> Said:
    """Chronicle sentence, for the GM."""
    template = (ALLIES if known.mutual else SPIES)[known.level > Knowledge.NOTHING]
    level = LEVELS.get(known.level, _("nothing"))
    return say(template, kingdom=known.kingdom.name, other=str(known.army or known.realm), level=level)


ALLIES = (
    _("{kingdom} and {other} are no longer allies."),
    _("{kingdom} and {other} are allies. What each knows about the other’s armies: {level}."),
)
SPIES = (
    _("{kingdom} no longer has spies in {other}."),
    _("{kingdom} has spies in {other}. What it knows: {level}."),
)
