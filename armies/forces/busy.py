"""Busy armies: which battle or other event holds an army, and its state there."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Q, QuerySet

from armies.models import Army, list_seat_models
from armies.ruleset_ui import list_army_uis
from battles.models import Battle, BattleArmy
from core.clean_input import parse_uuid
from kingdom.access.redaction import in_words
from kingdom.models import Campaign
from rules.core.errors import IllegalCommand
from rules.core.health import WHOLE, band_of
from rules.core.text import Said, _, say
from rules.law import FIGHTING
from rules.registry import family_of, ruleset

# Which armies may not be changed now, and why.

FIGHTS = _("{army} is fighting in “{battle}”. Finish that battle first.")
FOUGHT = _("{army} fought in “{battle}”. Settle its aftermath first.")


def untouched(campaign: Campaign, rows: QuerySet[Army]) -> QuerySet[Army]:
    """Those of the campaign's armies that are not busy."""
    for held in holding(campaign):
        rows = rows.exclude(held)
    return rows


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


def refuse_hidden(ids: Collection[UUID]) -> None:
    """Raises `IllegalCommand` if one of these armies is hidden, since a battle would show it to everybody."""
    hidden = Army.objects.filter(pk__in=ids, hidden=True).order_by("pk").first()
    if hidden:
        raise IllegalCommand(say(_("{army} is hidden from the players. Stop hiding it before it joins a battle."),
                                 army=hidden.name))  # fmt: skip


# Armies in current battles, for lists and sheets.


class Engaged(NamedTuple):
    """An army in a battle or another event that is not over.

    `health` of `health_max`: as it is there; `share`: both are percentages. `word`: how it left, None while it fights.
    `words`: its health in words. `held`, `icon`: what kind of event holds it.
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

    def for_enemies(self, campaign: Campaign) -> Engaged:
        """The same for somebody who may not read the army's sheet: in words, where the campaign tells health in
        words.
        """
        if not in_words(campaign.secrecy):
            return self
        band = band_of(self.health, self.health_max)
        return self._replace(health=band.shown, health_max=WHOLE, share=True, words=band.word)


def find_engaged(campaign: Campaign) -> dict[UUID, Engaged]:
    """Every busy army of the campaign by id, with what holds it. Battles take precedence over the rulesets' own
    events.
    """
    found: dict[UUID, Engaged] = {}
    for ui in list_army_uis():
        found |= ui.holding.engaged(campaign) if ui.holding else {}
    return found | find_in_battle(campaign)


def find_engagement(army: Army) -> Engaged | None:
    return find_engaged(army.campaign).get(army.pk)


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
