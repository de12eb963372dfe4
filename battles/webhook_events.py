"""Webhook events of battles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy

from battles.field.table import format_names
from battles.models import ENGINE, Battle, BattleRecord
from battles.play import battle_state as play_battle_state
from battles.queries import battles_of_all
from core.queries import find_one
from core.text import render
from kingdom.members import mail
from kingdom.models import Campaign, User
from kingdom.sharing.share_kinds import LinkPreview, onlooker
from kingdom.webhooks.event_types import TAKEN_BACK, About, HookEvent, Letter, tell, tell_webhooks
from kingdom.webhooks.kingdom_events import members_of, players_of
from rules.narrative import tell_result

BEGUN, RESOLVED, ENDED, TURN = "battle.begun", "battle.phase.resolved", "battle.ended", "battle.turn"
PATIENCE = timedelta(minutes=10)
FOUGHT = (Battle.Status.AFTERMATH, Battle.Status.CLOSED)


def tell_of_command(battle: Battle, command: Any, record: BattleRecord, *, taken_back: bool = False) -> None:
    """Sends `battle.phase.resolved` for a command that carried orders out, or for its undo."""
    if play_battle_state.get_engine(battle).forecast.carries_out(command):
        _tell(battle, RESOLVED, {"record": record.seq, TAKEN_BACK: taken_back})


def tell_of_begin(battle: Battle, before: str = Battle.Status.SETUP, *, by: User | None = None) -> None:
    """Sends `battle.begun` if the battle has left its setup, or returned to it. `before`: its earlier status."""
    setup = Battle.Status.SETUP
    if (before == setup) != (battle.status == setup):
        _tell(battle, BEGUN, {TAKEN_BACK: battle.status == setup}, by=by.pk if by else None)


def tell_of_end(battle: Battle, before: str) -> None:
    """Sends `battle.ended` if the battle is over, or if its end was undone. `before`: its earlier status."""
    if (before in FOUGHT) != (battle.status in FOUGHT):
        _tell(battle, ENDED, {TAKEN_BACK: before in FOUGHT})


def tell_of_turn(battle: Battle, before: Mapping[str, Any] | None, *, taken_back: bool = False) -> None:
    """Sends `battle.turn` if other sides are awaited than before, unless the battle is over or the computer has the
    turn.

    `before`: the earlier summary for lists; None for a battle that was just opened.
    """
    sides, told = awaited_sides(battle.state), awaited_sides(before) if before else []
    if battle.status in FOUGHT or sides == told:
        return
    if sides or ENGINE not in battle.state["awaited"]:
        phase = _phase(battle.state)
        called = [side for side in sides if side not in told or not before or _phase(before) != phase]
        _tell(battle, TURN, {"sides": sides, TAKEN_BACK: taken_back}, called=called, phase=phase)


def tell_reminder(battle: Battle) -> None:
    """Sends `battle.turn` again for the sides that are awaited. The reminder itself is a mail, so no other one goes."""
    about = {"sides": awaited_sides(battle.state), TAKEN_BACK: False}
    tell_webhooks(battle.campaign_id, TURN, _about(battle, about))


def awaited_sides(told: Mapping[str, Any]) -> list[int]:
    """Indexes of the sides with armies that wait for people's orders. `told`: the battle's summary for lists."""
    waiting = set(told.get("waiting", ()))
    return [index for index, side in enumerate(told["sides"]) if not waiting.isdisjoint(_armies(side))]


def _phase(told: Mapping[str, Any]) -> list[Any]:
    return [told["phase"]["kind"], told["phase"]["number"]]


def _armies(side: Mapping[str, Any]) -> list[str]:
    return [army["army"] for army in side["armies"]]


def _tell(battle: Battle, event: str, about: dict[str, Any], **more: Any) -> None:
    """Sends the event, unless the battle is a what-if."""
    if not battle.is_branch:
        tell(battle.campaign_id, event, _about(battle, about), **more)


def _about(battle: Battle, about: Mapping[str, Any]) -> dict[str, Any]:
    return {"battle": str(battle.pk), "version": battle.version, **about}


def _seen_by_all(campaign: Campaign, about: About) -> QuerySet[Battle]:
    """The battle of the event, if every player may see it."""
    return battles_of_all(players_of(campaign)).filter(pk=about["battle"])


def _name(campaign: Campaign, about: About) -> str | None:
    return find_one(_seen_by_all(campaign, about).values_list("name", flat=True))


def _resolved(campaign: Campaign, about: About) -> str | None:
    back, on = gettext("“{battle}”: a phase was undone."), gettext("“{battle}”: a phase was resolved.")
    name = _name(campaign, about)
    return name and (back if about[TAKEN_BACK] else on).format(battle=name)


def _ended(campaign: Campaign, about: About) -> str | None:
    back, on = gettext("“{battle}” goes on: its end was undone."), gettext("“{battle}” is over.")
    name = _name(campaign, about)
    if not name or about[TAKEN_BACK]:
        return name and back.format(battle=name)
    return " ".join((on.format(battle=name), *_result(campaign, about)))


def _result(campaign: Campaign, about: About) -> Iterator[str]:
    """Sentences about who won and what it cost, as an onlooker may know it. Empty if it goes on again."""
    from battles.story.page import read_tale

    battle = _battle(campaign, about)
    tale = read_tale(onlooker(campaign), battle) if battle else None
    if tale and tale.over:
        yield from map(render, tell_result(tale))


def _battle(campaign: Campaign, about: About) -> Battle | None:
    battle = find_one(Battle.objects.filter(campaign=campaign, pk=about["battle"]))
    if battle:
        battle.campaign = campaign
    return battle


def _picture(campaign: Campaign, about: About) -> LinkPreview | None:
    """Link preview of the sides and what is left of each, as on a share link."""
    from battles.share_links import preview_battle

    battle = None if about[TAKEN_BACK] else _battle(campaign, about)
    return preview_battle(onlooker(campaign), battle) if battle else None


def _begun(campaign: Campaign, about: About) -> str | None:
    """Sentence about the sides that meet; None unless every player may see the battle."""
    battle = find_one(_seen_by_all(campaign, about).only("name", "state"))
    if battle is None:
        return None
    if about[TAKEN_BACK]:
        return gettext("“{battle}” is being set up again.").format(battle=battle.name)
    sides = format_names([side["name"] for side in battle.state["sides"]])
    return gettext("“{battle}” has begun. In the field: {sides}.").format(battle=battle.name, sides=sides)


def _turn(campaign: Campaign, about: About) -> str | None:
    """Sentence about whom the battle waits for; None unless every player may see it."""
    battle = find_one(_seen_by_all(campaign, about).only("name", "state"))
    if battle is None:
        return None
    known = dict(enumerate(side["name"] for side in battle.state["sides"]))
    names = [known[side] for side in about["sides"] if side in known]
    if not names:
        return gettext("“{battle}” is waiting for the GM.").format(battle=battle.name)
    return gettext("“{battle}” is waiting for {sides}.").format(battle=battle.name, sides=format_names(names))


def _api(_campaign: Campaign, about: About) -> str:
    return reverse("battle-detail", args=[about["battle"]])


def _page(_campaign: Campaign, about: About) -> str:
    return reverse("battles:battle", args=[about["battle"]])


def _awaited(campaign: Campaign, about: About) -> list[User]:
    """Users still awaited in the phase of the event: players of the called sides' armies, else the GMs."""
    battle = _battle(campaign, about)
    if battle is None or battle.status in FOUGHT or _phase(battle.state) != list(about["phase"]):
        return []
    sides = awaited_sides(battle.state)
    if not about["sides"]:
        return [] if sides or ENGINE in battle.state["awaited"] else mail.gms_of(campaign)
    called, waiting = set(sides).intersection(about["called"]), set(battle.state["waiting"])
    armies = [army for side in called for army in battle.state["sides"][side]["armies"] if army["army"] in waiting]
    kingdoms = {army["kingdom"] for army in armies}
    players = User.objects.filter(seats__kingdom__in=kingdoms - {""}).distinct()
    return [*players, *(mail.gms_of(campaign) if "" in kingdoms else ())]


def _your_turn(campaign: Campaign, about: About) -> str | None:
    battle = _battle(campaign, about)
    if battle is None:
        return None
    return gettext("“{battle}” is waiting for your orders.").format(battle=battle.name)


EVENTS = {
    BEGUN: HookEvent(
        gettext_lazy("A battle has begun"), _api, _page, _begun,
        letter=Letter(gettext_lazy("a battle begins"), members_of),
    ),
    RESOLVED: HookEvent(gettext_lazy("A phase of a battle is resolved"), _api, _page, _resolved),
    ENDED: HookEvent(gettext_lazy("A battle is over"), _api, _page, _ended, picture=_picture),
    TURN: HookEvent(
        gettext_lazy("Another side has to act in a battle"), _api, _page, _turn,
        letter=Letter(gettext_lazy("a battle has been waiting for me for ten minutes"), _awaited, _your_turn, PATIENCE),
    ),
}  # fmt: skip
