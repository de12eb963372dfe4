"""Services that open a battle."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db import transaction

from armies.forces import busy
from armies.forces.busy import lock_armies
from armies.models import Army, rows_of
from armies.ruleset_ui import get_army_ui
from battles.codec import storage
from battles.codec.requests import Members
from battles.models import Battle
from battles.opponents.queries import NOT_HERE, call_engine, check_leaning
from battles.play import battle_state as play_battle_state
from battles.play.errors import UnknownArmy
from battles.play.record_services import seat
from battles.ruleset_ui import OpeningRequest, get_battle_ui
from battles.setup.queries import build_document, choose_battle_law, house_rules_for
from battles.setup.side_names import name_sides
from battles.webhook_events import tell_of_begin, tell_of_turn
from core import live
from core.clean_input import clean_text, parse_uuid
from kingdom.access.decorators import gm_only
from kingdom.access.queries import require_gm
from kingdom.chronicle.changes import hold
from kingdom.models import Campaign, User
from rules.core.errors import IllegalCommand, demand
from rules.core.text import _
from rules.law import Law


@gm_only
@transaction.atomic
def open_battle(
    *, by: User, campaign: Campaign, name: str, sides: Any, opponents: Any = None, ruleset: Any = None, **rest: Any
) -> Battle:
    """Opens a battle in its setup, for the GM. Arguments have the shape of the API; `rest` has its other members.

    `ruleset`: slug, the campaign's own by default. `opponents`: the sides that the computer commands, `[{side, leaning,
    left}]`. Raises `InvalidInput` with pointers, `IllegalCommand` for an army in another battle, `UnknownArmy`.
    """
    require_gm(by, campaign)
    name = clean_text(name, field="/name")
    held = hold(campaign)  # Locks the campaign, so that no day passes while the battle is opened.
    law = choose_battle_law(held, ruleset)
    ui = get_battle_ui(law)
    asked = ui.read_opening({"sides": name_sides(campaign, sides), **rest})
    armies = _armies(campaign, asked)
    opening = law.battle.check(asked.with_armies(_documents(law, asked, armies)))
    state = law.battle.open(opening)
    summary = law.battle.summary(state)
    heads = heads_from_json(opponents, law, len(summary.sides))
    battle = Battle.objects.create(
        campaign=campaign,
        name=name,
        ruleset=law.slug,
        ruleset_version=law.version,
        house_rules=house_rules_for(held, law),
        opening=storage.get_keeper(law.battle).dump_opening(opening),
        figures=storage.dump_figures(law.battle.figures(state)),
        state=_as_listed(campaign, law, heads, state),
        status=summary.status,
        day=campaign.day,
        created_by=by,
        opponents=heads,
    )
    seat(battle, summary)
    tell_of_begin(battle, by=by)
    tell_of_turn(battle, None)
    call_engine(battle, state)
    live.notify(battle.pk, battle.version, beside=campaign.pk)
    return battle


def read_setup(*, campaign: Campaign, law: Law, name: str = "", sides: Any, **rest: Any) -> Any:
    """The validated opening of a battle with this setup. It locks nothing and accepts armies of other battles.

    Raises `InvalidInput` with pointers, `UnknownArmy`.
    """
    asked = get_battle_ui(law).read_opening({"sides": name_sides(campaign, sides), **rest})
    keys = [key for _pointer, key in _named(asked) if key]
    rows = rows_of(get_army_ui(campaign).army).filter(campaign=campaign, pk__in=keys).complete()
    armies = {army.pk: army for army in rows}
    for pointer, key in _named(asked):
        if key not in armies:
            raise UnknownArmy(pointer)
    for army in armies.values():
        army.campaign = campaign
    return law.battle.check(asked.with_armies(_documents(law, asked, armies)))


def _documents(law: Law, asked: OpeningRequest, armies: dict[UUID, Army]) -> dict[str, Any]:
    """The ruleset's document of every army, by id."""
    named = ((pointer, armies[key]) for pointer, key in _named(asked) if key in armies)
    return {str(army.pk): build_document(law, army, pointer) for pointer, army in named}


def _as_listed(campaign: Campaign, law: Law, heads: dict[str, Any], state: Any) -> dict[str, Any]:
    """Summary for lists of a battle that is about to be opened in this state."""
    fresh = Battle(ruleset=law.slug, house_rules=house_rules_for(campaign, law), opponents=heads)
    return play_battle_state.summarize_for_lists(fresh, state)


def _armies(campaign: Campaign, asked: OpeningRequest) -> dict[UUID, Army]:
    """Every named army, locked. Raises `UnknownArmy`, and `IllegalCommand` with the pointer of the first army that is
    busy.
    """
    wanted = {key: pointer for pointer, key in _named(asked)}
    found = lock_armies((key for key in wanted if key is not None), get_army_ui(campaign).army)
    for pointer, key in _named(asked):
        army = found.get(key) if key else None
        if army is None or army.campaign_id != campaign.pk:
            raise UnknownArmy(pointer)
        refuse_busy(army, pointer)
    for army in found.values():
        army.campaign = campaign
    return found


def _named(asked: OpeningRequest) -> list[tuple[str, UUID | None]]:
    """(pointer, id) of every army, in order; the id is None where it is no UUID."""
    return [
        (f"/sides/{side}/armies/{index}", parse_uuid(army))
        for side, found in enumerate(asked.sides)
        for index, army in enumerate(found.armies)
    ]


def refuse_busy(army: Army, pointer: str) -> None:
    """Raises `IllegalCommand` where another battle holds the army, or it is absent by its ruleset."""
    if reason := busy.explain_busy(army):
        raise IllegalCommand(reason, pointer)
    busy.refuse_absent([army.pk], pointer)


# Opponents (who commands which side) in the shape of the API.


def heads_from_json(data: object, law: Law, sides: int) -> dict[str, Any]:
    """Sides that the computer commands in a new battle, in their stored form. Raises `InvalidInput` with pointers."""
    if data is None:
        return {}
    demand(isinstance(data, list), _("Must be a list."), field="/opponents")
    assert isinstance(data, list)
    demand(not data or law.battle.forecast.commands, NOT_HERE, field="/opponents")
    return dict(_head(item, f"/opponents/{index}", sides) for index, item in enumerate(data))


def _head(item: object, at: str, sides: int) -> tuple[str, dict[str, Any]]:
    members = Members(item, at)
    side, leaning, left = members.whole("side", 0, sides - 1), members.slug("leaning"), members.flag("left")
    check_leaning(leaning, f"{at}/leaning")
    members.done()
    return str(side), {"leaning": leaning, "left": left}
