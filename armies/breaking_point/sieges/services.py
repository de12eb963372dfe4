"""Services for sieges: terms, assault, sortie, lifting, surrender, and the end of battles (B-53 to B-60)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.shortcuts import get_object_or_404

from armies.breaking_point.forces.specs import (
    MEMBERS,
    build_host,
    build_place,
    build_siege,
    load_armies,
    load_units,
    state_of,
)
from armies.breaking_point.models import RUNNING, FortifiedPlace, SiegeRow
from armies.breaking_point.sieges.siege_changes import (
    RULE,
    ToldLine,
    build_siege_change,
    describe_events,
    list_changes_after,
    list_drafts,
    paid,
    station,
)
from armies.breaking_point.sieges.tracked_fields import seat
from armies.forces.busy import lock_armies, lock_army, refuse_if_busy, refuse_unusable
from armies.models import Army
from core.clean_input import BP_MAX, clean_whole
from kingdom.access.decorators import gm_only, unrestricted
from kingdom.access.queries import reads_kingdom, require_gm, require_runs
from kingdom.chronicle import changes as chronicle_changes
from kingdom.chronicle.transaction import record_changes
from kingdom.models import Campaign, Kingdom, User
from kingdom.realms.figures import get_ruleset
from rules.breaking_point.siege import siege_ends
from rules.breaking_point.siege.events import SiegeBattleEnded
from rules.breaking_point.siege.siege_battles import after_battle
from rules.breaking_point.siege.siege_ends import Offer, terms
from rules.breaking_point.siege.siege_state import BESIEGER, FOUGHT, GARRISON, Siege, SiegeParty, lay_siege, reinforced
from rules.core.dice import Rolled, Typed, TypedDie
from rules.core.errors import IllegalCommand, demand, require
from rules.core.text import Term, _, say

OVER = _("This siege is over.")
OUR_SIEGE = "a siege's side commands itself"
type DecidedSiege = tuple[Siege, list[ToldLine]]
type Decision = Callable[[Siege, Campaign], DecidedSiege]


class SiegeMovedOn(IllegalCommand):
    """The siege has changed since the user saw it (HTTP 412). Nothing was written."""

    def __init__(self, version: int):
        super().__init__(_("This siege has changed since you opened the page. Check it and try again."))
        self.version = version


@unrestricted(OUR_SIEGE)
@transaction.atomic
def offer_terms(
    *, by: User, siege: SiegeRow, version: int | None = None, typed: Iterable[TypedDie] = (), ask: bool = False,
    money: int = 0,
) -> SiegeRow:  # fmt: skip
    """The besieger offers terms, at most once a week (B-59). `money`: Build Points, paid if the terms are accepted
    (B-80).

    Raises `DiceNeeded`, `InvalidInput` for spare dice, `IllegalCommand` for more money than their kingdom has.
    """
    _require_commands(by, siege, BESIEGER)
    money = clean_whole(money, field="/money", least=0, most=BP_MAX)
    dice = Typed(tuple(typed), by=by.get_username(), ask=ask, server=Rolled())
    told = ask and _reads_both(by, siege)

    def decide(now: Siege, campaign: Campaign) -> DecidedSiege:
        house = get_ruleset(campaign).house
        after, event = terms(now, dice, plain=house.plain_die, told=told, offer=Offer(money, house.price))
        dice.finish()
        return after, describe_events([event], now.place.name, campaign.day)

    return _decided(by, siege, version, decide, money)


@unrestricted(OUR_SIEGE)
@transaction.atomic
def begin_assault(*, by: User, siege: SiegeRow, version: int | None = None) -> SiegeRow:
    """The besieger begins an assault: a battle has to be fought, and the siege waits for its end (B-53)."""
    _require_commands(by, siege, BESIEGER)
    return _decided(by, siege, version, _saying(siege_ends.assault, _("{place}: the assault began."), "B-53"))


@unrestricted(OUR_SIEGE)
@transaction.atomic
def begin_sortie(*, by: User, siege: SiegeRow, version: int | None = None) -> SiegeRow:
    """The garrison makes a sortie: a battle in the open field (B-56)."""
    _require_commands(by, siege, GARRISON)
    return _decided(by, siege, version, _saying(siege_ends.sortie, _("{place}: the garrison made a sortie."), "B-56"))


@gm_only
@transaction.atomic
def begin_relief(*, by: User, siege: SiegeRow, version: int | None = None) -> SiegeRow:
    """A relief force attacks the besieger in the open field; the garrison may join it (B-60). GM."""
    require_gm(by, siege.campaign)
    return _decided(
        by, siege, version, _saying(siege_ends.relief, _("{place}: a relief force attacked the besiegers."), "B-60")
    )


@unrestricted(OUR_SIEGE)
@transaction.atomic
def lift_siege(*, by: User, siege: SiegeRow, version: int | None = None) -> SiegeRow:
    """The besieger lifts the siege (B-60). Losses of both sides are applied."""
    _require_commands(by, siege, BESIEGER)
    return _decided(by, siege, version, _telling(siege_ends.lift))


@unrestricted(OUR_SIEGE)
@transaction.atomic
def surrender_place(*, by: User, siege: SiegeRow, version: int | None = None) -> SiegeRow:
    """The garrison surrenders at its breaking point (B-57)."""
    _require_commands(by, siege, GARRISON)
    return _decided(by, siege, version, _telling(siege_ends.surrender))


@unrestricted(OUR_SIEGE)
@transaction.atomic
def order_siege(
    *,
    by: User,
    siege: SiegeRow,
    version: int | None = None,
    bombards: bool | None = None,
    answers: bool | None = None,
    hears: bool | None = None,
) -> SiegeRow:
    """Sets standing orders: whether the besieger's guns fire, the garrison's guns answer, and the garrison hears terms
    (B-58, B-59). None leaves an order as it is. Raises `InvalidInput` if nothing is given, and as `_decided`.
    """
    given = {"bombards": bombards, "answers": answers, "hears": hears}
    asked = {name: value for name, value in given.items() if value is not None}
    demand(asked, _("Enter at least one change."))
    for name in asked:
        _require_commands(by, siege, BESIEGER if name == "bombards" else GARRISON)
    text = _("{place}: new orders for the siege.")
    return _decided(by, siege, version, _saying(lambda now: _replaced(now, asked), text, "B-58"))


@gm_only
@transaction.atomic
def end_siege_battle(
    *, by: User, siege: SiegeRow, outcome: str, losses: Mapping[str, int] | None = None, version: int | None = None
) -> SiegeRow:
    """Ends an assault or a sortie that was fought outside the app (GM). `losses`: present losses of its bodies in
    points, by their ids (B-55).

    `outcome`: "goes-on", "lifted" or "fell". Raises `InvalidInput` for an unknown body, and `IllegalCommand` while the
    battle is fought in the app, where its aftermath ends it.
    """
    require_gm(by, siege.campaign)
    for army in load_armies([siege]).values():
        refuse_if_busy(army)
    return _decided(by, siege, version, _telling(lambda now: _fought(now, outcome, losses or {})))


def _fought(now: Siege, outcome: str, losses: Mapping[str, int]) -> tuple[Siege, SiegeBattleEnded]:
    require(now.status in FOUGHT, _("This siege has no battle in progress."))
    after = siege_ends.fought(after_battle(now, losses), outcome)
    return after, SiegeBattleEnded(after.status)


def _replaced(now: Siege, asked: Mapping[str, bool]) -> Siege:
    require(now.running, OVER)
    return replace(now, **asked)  # type: ignore[arg-type]


def _telling(command: Callable[[Siege], tuple[Siege, Any]]) -> Decision:
    """Decision by a command of the rules that returns its own event."""

    def decide(now: Siege, campaign: Campaign) -> DecidedSiege:
        after, event = command(now)
        return after, describe_events([event], now.place.name, campaign.day)

    return decide


def _saying(command: Callable[[Siege], Siege], template: Term, rule: str) -> Decision:
    def decide(now: Siege, campaign: Campaign) -> DecidedSiege:
        return command(now), [ToldLine(campaign.day, say(template, place=now.place.name), rule)]

    return decide


def _require_commands(by: User, siege: SiegeRow, side: str) -> None:
    """Requires that the user runs the kingdom of this side's chief army (B-15), or is the GM. Raises `IllegalCommand`
    if that army is missing: the siege is over then.
    """
    chief = load_armies([siege]).get(siege.state["besiegers" if side == BESIEGER else "inside"][0])
    if chief is None:
        raise IllegalCommand(OVER)
    require_runs(by, chief.kingdom)


def _reads_both(by: User, siege: SiegeRow) -> bool:
    """Whether the user may know the figures of both sides (B-18)."""
    armies = load_armies([siege])
    sides = ([armies[one] for one in siege.state[member] if one in armies] for member in MEMBERS.values())
    return all(any(reads_kingdom(by, army.kingdom) for army in side) for side in sides)


def _decided(by: User, siege: SiegeRow, version: int | None, decide: Decision, money: int = 0) -> SiegeRow:
    """Lets the rules decide on the locked siege and applies the changes. `money`: what the besieger pays if the place
    falls. Raises `Http404`, `SiegeMovedOn`, `IllegalCommand`.
    """
    campaign = chronicle_changes.lock(siege.campaign)
    rows = SiegeRow.objects.select_for_update(of=("self",)).select_related("place__kingdom")
    row = get_object_or_404(rows, pk=siege.pk)
    if version is not None and version != row.version:
        raise SiegeMovedOn(row.version)
    require(row.running, OVER)
    armies = load_armies([row], held=True)
    before = build_siege(row, armies)
    purses = _purses(row, armies[before.besieged_by], money) if money else None
    after, told = decide(before, campaign)
    changes = list_changes_after(row, before, after, told, list_drafts(armies))
    if purses and siege_ends.falls(after):
        changes += paid(*purses, money)
    kingdoms = {row.place.kingdom_id, *(army.kingdom_id for army in armies.values())}
    chronicle_changes.apply_held(
        campaign=campaign, changes=changes, by=by, kind="army", text=told[-1].text, kingdoms=kingdoms
    )
    row.refresh_from_db()
    return row


def _purses(row: SiegeRow, chief: Army, money: int) -> tuple[Kingdom, Kingdom]:
    """Paying and receiving kingdom, locked. Raises `IllegalCommand` if the first has too little."""
    rows = Kingdom.objects.select_for_update(of=("self",)).filter(pk__in=(chief.kingdom_id, row.place.kingdom_id))
    found = {kingdom.pk: kingdom for kingdom in rows.order_by("pk")}
    payer, paid_to = found[chief.kingdom_id], found[row.place.kingdom_id]
    poor = _("{kingdom} has no treasury, so it can’t offer money.")
    require(not payer.without_treasury, poor, field="/money", kingdom=payer.name)
    template = _("{kingdom} has {held} BP. It needs {missing} BP more to pay {amount}.")
    missing = money - payer.treasury
    require(missing <= 0, template, field="/money", kingdom=payer.name, held=payer.treasury, missing=missing,
            amount=money)  # fmt: skip
    return payer, paid_to


# Beginning sieges, and armies that join them (BP-8, B-60).

OUR_ARMIES = "armies of one's own besiege whom they like"
MOST = 50


@unrestricted(OUR_ARMIES)
@transaction.atomic
def begin_siege(*, by: User, place: FortifiedPlace, armies: Sequence[Army], chief: Army | None = None) -> SiegeRow:
    """Armies besiege a place of another kingdom (whoever runs them all). `chief`: the army whose commander speaks
    (B-15).

    Raises `InvalidInput` for armies the user may not send; `IllegalCommand` for armies that are busy or on the march,
    for a place without a garrison or already besieged, and while its outer place stands (B-61); `Http404` where one of
    them is deleted.
    """
    demand(armies, _("Choose the besieging armies."), field="/armies")
    demand(len(armies) <= MOST, _("Choose {most} at most."), field="/armies", most=MOST)
    for army in armies:
        require_runs(by, army.kingdom)
    with record_changes(by=by, campaign=place.campaign, kind="army", rule=RULE, private=False) as told:
        rows = FortifiedPlace.objects.select_for_update(of=("self",)).select_related("outer")
        place = get_object_or_404(rows, pk=place.pk)
        _refuse_place(place)
        outside = _usable([army.pk for army in armies], place)
        inside = _garrison(place)
        named = str(chief.pk) if chief else ""
        begun = lay_siege(
            build_place(place), [build_host(one) for one in inside], [build_host(one) for one in outside], named
        )
        row = _kept(place, begun)
        text = say(_("{army} laid siege to {place}."), army=_named(outside, begun.besieged_by), place=place.name)
        told.made("siege", row)
        told.about(place.kingdom)
        told.text = text
    return row


def _refuse_place(place: FortifiedPlace) -> None:
    besieged = SiegeRow.objects.filter(place=place, status__in=RUNNING).exists()
    require(not besieged, _("{place} is already besieged."), place=place.name)
    stands = place.outer is not None and place.outer.kingdom_id == place.kingdom_id
    outer = place.outer.name if place.outer else ""
    require(not stands, _("{place} is protected by {outer}. Take {outer} first."), outer=outer, place=place.name)


def _usable(ids: Sequence[Any], place: FortifiedPlace) -> list[Army]:
    """The besieging armies, locked, in the order given."""
    found: dict[Any, Army] = lock_armies(ids)
    for army in found.values():
        refuse_unusable(army)
        demand(
            army.campaign_id == place.campaign_id,
            _("This army isn’t in this campaign. Choose another one."),
            field="/armies",
        )
        require(
            army.kingdom_id != place.kingdom_id,
            _("{army} can’t besiege this place while holding it. Choose another army."),
            army=army.name,
        )
        require(
            not army.marching, _("{army}: on the march. Wait for the arrival or halt the army first."), army=army.name
        )
        require(load_units(army), _("{army}’s sheet doesn’t fit this ruleset. Edit the sheet first."), army=army.name)
    return [found[pk] for pk in dict.fromkeys(ids)]


def _garrison(place: FortifiedPlace) -> list[Army]:
    ids = place.stationed.values_list("army_id", flat=True)
    found: dict[Any, Army] = lock_armies(ids)
    return [army for army in found.values() if army.standing and load_units(army)]


def _named(armies: Sequence[Army], key: str) -> str:
    return next(army.name for army in armies if str(army.pk) == key)


def _kept(place: FortifiedPlace, begun: Siege) -> SiegeRow:
    row = SiegeRow(campaign=place.campaign, place=place, began=place.campaign.day)
    row.state = state_of(begun, sides_of(begun), [])
    row.save(force_insert=True)
    seat(row)
    return row


def sides_of(siege: Siege) -> dict[str, list[str]]:
    """Ids of both sides' armies, chiefs first; armies without units are left out."""
    outside = dict.fromkeys([siege.besieged_by, *siege.contact.armies, *siege.shooting.armies])
    inside = dict.fromkeys([siege.held_by, *siege.garrison.armies])
    return {MEMBERS[BESIEGER]: list(outside), MEMBERS[GARRISON]: list(inside)}


@unrestricted(OUR_ARMIES)
@transaction.atomic
def join_siege(*, by: User, siege: SiegeRow, army: Army) -> SiegeRow:
    """An army joins the besiegers, or the garrison unless the place is invested (whoever runs it). Raises `Http404`."""
    require_runs(by, army.kingdom)
    campaign = chronicle_changes.lock(siege.campaign)
    rows = SiegeRow.objects.select_for_update(of=("self",)).select_related("place")
    row = get_object_or_404(rows, pk=siege.pk)
    army = lock_army(army)
    refuse_unusable(army)
    demand(army.campaign_id == campaign.pk, _("This army isn’t in this campaign. Choose another one."), field="/army")
    require(not army.marching, _("{army}: on the march. Wait for the arrival or halt the army first."), army=army.name)
    require(row.running, _("This siege is over."))
    side: SiegeParty = GARRISON if army.kingdom_id == row.place.kingdom_id else BESIEGER
    after = reinforced(build_siege(row, load_armies([row], held=True)), side, build_host(army))
    text = say(_("{army} joined the siege of {place}."), army=army.name, place=row.place.name)
    members = {MEMBERS[side]: [*row.state[MEMBERS[side]], str(army.pk)]}
    changes = [build_siege_change(row, after, [ToldLine(campaign.day, text, "B-60")], members)]
    if side == GARRISON:
        changes.append(station(army, None, row.place))
    chronicle_changes.apply_held(
        campaign=campaign, changes=changes, by=by, kind="army", text=text, kingdoms={army.kingdom_id}
    )
    row.refresh_from_db()
    return row
