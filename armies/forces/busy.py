"""Busy armies: which battle or other event holds an army, row locks that refuse it, and its recent battles."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.http import Http404
from django.shortcuts import get_object_or_404

from armies.forces.access import share_campaign
from armies.models import Army, Commander, list_seat_models, rows_of
from armies.ruleset_ui import find_army_ui, list_army_uis
from battles.models import Battle, BattleArmy, BattleRecord
from core.clean_input import parse_uuid
from kingdom.access.redaction import in_words
from kingdom.models import Campaign, ChronicleEntry, Kingdom
from rules.core.errors import IllegalCommand
from rules.core.text import Said, _, say
from rules.core.viewers import WHOLE, band_of
from rules.law import FIGHTING
from rules.registry import family_of, ruleset

# Busy armies: which battle or other event holds an army, and its state there.

# Which armies may not be changed now, and why.

FIGHTS = _("{army}: still in battle (“{battle}”). Finish that battle first.")
FOUGHT = _("{army} fought in “{battle}”. Settle its aftermath first.")


def untouched(campaign: Campaign, rows: QuerySet[Army]) -> QuerySet[Army]:
    """Armies of the campaign that are not busy."""
    for held in holding(campaign):
        rows = rows.exclude(held)
    return rows


def list_busy(campaign: Campaign, asked: Q, *also: Q) -> QuerySet[Army]:
    """Busy armies of the campaign among those asked for; those of `also` count as busy."""
    rows = Army.objects.filter(asked, campaign=campaign).select_related("kingdom__campaign")
    return rows.filter(reduce(Q.__or__, (*also, *holding(campaign))))


def holding(campaign: Campaign) -> list[Q]:
    """Conditions for the campaign's busy armies."""
    return [Q(pk__in=seats.list_bound(campaign.pk)) for seats in list_seat_models()]


def explain_busy_armies(armies: Collection[Army]) -> dict[UUID, Said]:
    """Reasons why armies may not be changed now, by id; free armies are left out. The number of queries does not grow
    with the number of armies.
    """
    return {**explain_held_by_ruleset(armies), **explain_in_battle(armies)}


def explain_held_by_ruleset(armies: Collection[Army]) -> dict[UUID, Said]:
    """Reasons from the armies' own rulesets, by id; armies that no ruleset holds are left out."""
    found: dict[UUID, Said] = {}
    for ui in list_army_uis():
        found |= ui.holding.explain(armies) if ui.holding else {}
    return found


def explain_in_battle(armies: Collection[Army]) -> dict[UUID, Said]:
    """Names of the battles that hold armies, as reasons by id; armies in no battle are left out."""
    names = {army.pk: army.name for army in armies}
    battles = {army: told for army, *told in _battles(names)}
    return {
        key: say(FOUGHT if status == Battle.Status.AFTERMATH else FIGHTS, army=names[key], battle=battle)
        for key, (battle, status) in battles.items()
    }


def _battles(armies: Collection[UUID]) -> QuerySet[BattleArmy, tuple[UUID, str, str]]:
    """Seats of armies in open battles: (army, battle's name, status), newest battle first, so that a dict keeps the
    oldest.
    """
    seats = BattleArmy.objects.filter(BattleArmy.BINDS, army__in=armies)
    return seats.order_by("-battle_id").values_list("army", "battle__name", "battle__status")


def explain_busy(army: Army) -> Said | None:
    """Why this army may not be changed now; None where it may."""
    return explain_busy_armies([army]).get(army.pk)


def refuse_if_busy(army: Army) -> None:
    """Raises `IllegalCommand` with the reason if the army may not be changed now."""
    if reason := explain_busy(army):
        raise IllegalCommand(reason)


def build_barred(campaign: Campaign) -> Q:
    """Condition for the campaign's armies that can't join a battle: in an open one, or absent by their ruleset."""
    barred = Q(pk__in=BattleArmy.list_bound(campaign.pk))
    ui = find_army_ui(campaign)
    return barred | Q(pk__in=ui.absence.ids(campaign)) if ui and ui.absence else barred


def explain_absent(armies: Collection[UUID]) -> dict[UUID, Said]:
    """Reasons why armies can't be led into a battle although nothing holds them, by id."""
    found: dict[UUID, Said] = {}
    for ui in list_army_uis():
        found |= ui.absence.explain(armies) if ui.absence else {}
    return found


def refuse_absent(armies: Collection[UUID], pointer: str = "") -> None:
    """Raises `IllegalCommand` with the reason if one of these armies can't be led into a battle."""
    for reason in explain_absent(armies).values():
        raise IllegalCommand(reason, pointer)


def refuse_hidden(ids: Collection[UUID]) -> None:
    """Raises `IllegalCommand` if one of these armies is hidden, since a battle would show it to everybody."""
    hidden = Army.objects.filter(pk__in=ids, hidden=True).order_by("pk").first()
    if hidden:
        raise IllegalCommand(say(_("{army}: hidden from the players. Stop hiding the army before it joins a battle."),
                                 army=hidden.name))  # fmt: skip


# Armies in current battles, for lists and sheets.


class Engaged(NamedTuple):
    """An army in a battle or another event that is not over.

    `health` of `health_max`: as it is there; `share`: both are percentages. `word`: how it left, None while it fights.
    `words`: its health in words. `held`, `icon`: what kind of event holds it. `able`: what is left of its own health,
    where an event tells that apart.
    """

    name: str
    url: str
    health: int
    health_max: int
    word: Said | None
    share: bool = False
    words: Said | None = None
    held: Said = BattleArmy.HELD
    icon: str = "crossed-swords"
    able: int | None = None

    def for_enemies(self, campaign: Campaign) -> Engaged:
        """The engagement as shown to users who may not read the army's sheet: with health in words, if the campaign
        tells health in words.
        """
        if not in_words(campaign.secrecy):
            return self
        band = band_of(self.health, self.health_max)
        return self._replace(health=band.shown, health_max=WHOLE, share=True, words=band.word)


def find_engaged(campaign: Campaign) -> dict[UUID, Engaged]:
    """Every busy army of the campaign by id, with what holds it. Battles take precedence over the rulesets' own
    events.
    """
    return find_held_by_ruleset(campaign) | find_in_battle(campaign)


def find_held_by_ruleset(campaign: Campaign) -> dict[UUID, Engaged]:
    """Every army that an event of the campaign's own ruleset holds, by id."""
    ui = find_army_ui(campaign)
    return dict(ui.holding.engaged(campaign)) if ui and ui.holding else {}


class Hold(NamedTuple):
    """What holds an army: why it may not be changed now, and the event that it is in. None for nothing."""

    reason: Said | None
    engaged: Engaged | None


def find_hold(army: Army) -> Hold:
    """What holds this army. The campaign's battles are read only for an army that is in one."""
    reasons, held = explain_held_by_ruleset([army]), find_held_by_ruleset(army.campaign)
    if fights := explain_in_battle([army]):
        reasons, held = reasons | fights, held | find_in_battle(army.campaign)
    return Hold(reasons.get(army.pk), held.get(army.pk))


def find_in_battle(campaign: Campaign) -> dict[UUID, Engaged]:
    """Armies of the campaign's open battles. One query; nothing is folded."""
    return dict(seat for battle in open_now(campaign) for seat in _seats(battle, campaign))


def _seats(battle: Battle, campaign: Campaign) -> Iterator[tuple[UUID, Engaged]]:
    url, words = battle.get_absolute_url(), words_of_leaving(battle)
    other = family_of(battle.ruleset) != family_of(campaign.ruleset)
    for side in battle.state["sides"]:
        for army in side["armies"]:
            if key := parse_uuid(army["army"]):  # an army that rose on the field has no row
                yield key, _engaged(battle.name, url, in_hundredths(army) if other else army, words)


def in_hundredths(army: Mapping[str, Any]) -> Mapping[str, Any]:
    """The army with health as a percentage, since another ruleset's unit of health is not comparable."""
    if army.get("share"):
        return army
    return {**army, "hp": army["hp"] * WHOLE // max(1, army["hp_max"]), "hp_max": WHOLE, "share": True}


def _engaged(name: str, url: str, army: Mapping[str, Any], words: Mapping[str, Any]) -> Engaged:
    return Engaged(name, url, army["hp"], army["hp_max"], words.get(army["status"]), army.get("share", False))


def words_of_leaving(battle: Battle) -> dict[str, Said]:
    """Words for how armies left the field, by status."""
    words = ruleset(battle.ruleset).battle.status_words
    return {status: word for status, word in words.items() if status != FIGHTING}


def open_now(campaign: Campaign) -> list[Battle]:
    """Open battles of the campaign, newest first. One query; the next call with the same campaign object uses its
    result once.
    """
    found = campaign.__dict__.pop(_READ, None)
    if found is None:
        found = campaign.__dict__[_READ] = list(_open(campaign))
    return found


def _open(campaign: Campaign) -> QuerySet[Battle]:
    rows = Battle.objects.filter(campaign=campaign, status__in=Battle.OPEN)
    return rows.defer("opening", "figures").order_by("-id")


_READ = "_open_battles"  # attribute of a campaign with the battles just read


# Row locks for armies, taken in one order, so that two transactions never deadlock.
#
# The order, as in `kingdom.chronicle.changes`: campaign, armies by id, commanders, kingdoms (with their treasuries),
# stores. Raises `Http404` where a row was deleted while waiting for its lock.


def lock_campaign(campaign_id: UUID) -> None:
    """Locks the campaign, for changes that go through the chronicle. Raises `Http404`."""
    get_object_or_404(Campaign.objects.select_for_update(no_key=True).only("pk"), pk=campaign_id)


class LockedArmies[A: Army](dict[UUID, A]):
    """Locked armies by id. A missing id raises `Http404`, since that army was deleted."""

    def __missing__(self, key: UUID) -> A:
        raise Http404


def lock_armies[A: Army](ids: Iterable[UUID], kind: type[A] = Army) -> LockedArmies[A]:  # type: ignore[assignment]
    """Locks armies in the order of their ids, with everything their sheets need."""
    wanted = list(set(ids))
    rows = rows_of(kind).filter(pk__in=wanted).without_campaign().select_related("campaign").locked() if wanted else ()
    for army in rows:
        share_campaign(army.campaign, [army])
    return LockedArmies({army.pk: army for army in rows})


def lock_armies_in(campaign: Campaign, ids: Collection[str], kind: type[Army]) -> dict[str, Any]:
    """Locks the campaign's armies with these ids as `lock_armies` does, and returns them by str(id)."""
    rows = rows_of(kind).filter(campaign=campaign, pk__in=ids).without_campaign().locked() if ids else ()
    share_campaign(campaign, rows)
    return {str(army.pk): army for army in rows}


def lock_army[A: Army](army: A) -> A:
    """The army, locked and read again. Raises `Http404`, and `IllegalCommand` if it is busy or no longer stands."""
    fresh = lock_armies([army.pk], type(army))[army.pk]
    refuse_unusable(fresh)
    return fresh


def refuse_unusable(army: Army) -> None:
    """Raises `IllegalCommand` unless the army stands and is not busy."""
    if not army.standing:
        raise IllegalCommand(explain_no_army(army))
    refuse_if_busy(army)


NO_ARMY = {
    Army.Status.DISBANDED: _("{army}: disbanded, so nothing can be changed. The chronicle can undo this."),
    Army.Status.DEFEATED: _("{army}: defeated, so nothing can be changed."),
    Army.Status.CAPTURED: _("{army}: captured, so nothing can be changed."),
}


def explain_no_army(army: Army) -> Said:
    """Message that a fallen, disbanded or captured army can do nothing."""
    return say(NO_ARMY[Army.Status(army.status)], army=army.name)


def lock_commander[C: Commander](commander: C) -> C:
    """The commander, locked and read again, after the army they lead. Raises `Http404`."""
    list(Army.objects.filter(commander=commander.pk).locked().values_list("pk"))
    kind = type(commander)
    held = ("self", *(link.name for link in kind._meta.parents.values() if link))
    rows: QuerySet[C] = kind._default_manager.select_for_update(of=held)  # type: ignore[assignment]
    return get_object_or_404(rows.select_related("kingdom__campaign", "campaign", "army"), pk=commander.pk)


def lock_kingdom(kingdom_id: UUID) -> None:
    """Locks the kingdom, and with it its stores. Raises `Http404`."""
    get_object_or_404(Kingdom.objects.select_for_update().only("pk"), pk=kingdom_id)


# Recent battles of armies, for passing time: who fights, who fought today, who won.
#
# A battle counts for the day it was opened and, if it lasted past midnight, for the day its aftermath was confirmed.

NOBODY: frozenset[str] = frozenset()
UNSETTLED = (Battle.Status.RUNNING, Battle.Status.AFTERMATH)
WERE_FOUGHT = (*UNSETTLED, Battle.Status.CLOSED)


@dataclass(frozen=True, slots=True)
class FightsOfLate:
    """Ids of armies. `fighting`: in a battle that is not settled. `fought`: in one of this day. `won`: in one since
    `since`.

    `battles`: names of this day's battles, by army; `places`: their ids. `settled`: armies for whose battle only the
    aftermath is of this day.
    """

    fighting: frozenset[str] = NOBODY
    fought: frozenset[str] = NOBODY
    won: frozenset[str] = NOBODY
    battles: Mapping[str, str] = field(default_factory=dict)
    places: Mapping[str, str] = field(default_factory=dict)
    settled: frozenset[str] = NOBODY


def load_recent_battles(campaign: Campaign, since: int) -> FightsOfLate:
    """Battles of the campaign's armies from day `since` to today. One query.

    A battle in its setup does not keep armies from rest, nor does one whose every command was undone. A battle that
    waits for its aftermath holds its armies, since the aftermath starts from their state before it.
    """
    seats = list_seats_since(campaign, since)
    today = [seat for seat in seats if seat.begun and campaign.day in (seat.day, seat.confirmed)]
    return FightsOfLate(
        fighting=_ids(seat for seat in seats if seat.status in UNSETTLED),
        fought=_ids(today),
        won=_ids(seat for seat in seats if seat.result and seat.result["winner"] == seat.side),
        battles={str(seat.army): seat.name for seat in today},
        places={str(seat.army): str(seat.battle) for seat in today},
        settled=_ids(seat for seat in today if seat.day != campaign.day),
    )


class SeatInBattle(NamedTuple):
    """An army in a battle. `day`: when the battle was opened; `confirmed`: when its aftermath was. `begun`: whether it
    has any command that is not undone.
    """

    army: UUID
    side: int
    status: str
    day: int
    name: str
    battle: UUID
    result: Mapping[str, Any] | None
    confirmed: int | None
    begun: bool


def list_seats_since(campaign: Campaign, since: int) -> list[SeatInBattle]:
    entries = ChronicleEntry.objects.filter(
        campaign=campaign, kind=ChronicleEntry.Kind.BATTLE, day__gte=since, undone_at=None, battle_id__isnull=False
    )
    confirmed = entries.filter(battle_id=OuterRef("battle")).order_by("-seq").values("day")[:1]
    unsettled = Q(battle__status__in=UNSETTLED)
    since_then = Q(battle__day__gte=since) | Q(battle__in=entries.order_by().values("battle_id"))
    seats = BattleArmy.objects.filter(unsettled | Q(battle__status__in=WERE_FOUGHT) & since_then, campaign=campaign)
    figures = ("army_id", "side", "battle__status", "battle__day", "battle__name", "battle_id", "battle__state__result")
    begun = Exists(BattleRecord.objects.filter(battle=OuterRef("battle"), undone=False))
    return [SeatInBattle(*row) for row in seats.order_by("id").values_list(*figures, Subquery(confirmed), begun)]


def _ids(seats: Iterable[SeatInBattle]) -> frozenset[str]:
    return frozenset(str(seat.army) for seat in seats)
