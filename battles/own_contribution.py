"""Contribution of `battles` to kingdoms, campaigns and armies, with its search and its steps of the onboarding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from uuid import UUID

from django import forms
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext_lazy

from armies.forces import busy
from armies.forces.access import list_named_armies
from armies.models import Army
from armies.onboarding.steps import raise_enemy
from battles import archive_tables, share_links, slots, webhook_events
from battles import share_links as story_share
from battles.codex.page import indexed
from battles.log.queries import list_own_commands
from battles.maps import tracked_fields as map_fields
from battles.models import Battle, BattleMap
from battles.play.services import reopen
from battles.queries import get_battle_alone, list_battles, version_of
from battles.ruleset_ui import list_battle_uis
from battles.setup import page
from battles.setup.queries import FEW
from battles.setup.services import open_battle
from core.text import render
from kingdom.campaign.campaign_cards import CardSlot
from kingdom.contributions import Contribution, SlotPanel
from kingdom.live.stream import Followable
from kingdom.models import Campaign, Kingdom, User
from kingdom.notes.targets import NoteTarget
from kingdom.onboarding import checklist
from kingdom.onboarding.checklist import FirstStep
from kingdom.onboarding.steps import build_name_field, list_names
from kingdom.onboarding.tour import TourStop
from kingdom.realms.figures import get_ruleset
from kingdom.search.search_registry import BESIDE, Finder, FoundThing, Search, Shelf, rank_of
from rules.core.errors import demand
from rules.core.text import _

# Search of battles, and of the rules of their campaigns.


def _battle_url(key: UUID, _owner: UUID) -> str:
    return reverse("battles:battle", args=[key])


def _tables(sought: Search) -> Iterable[Campaign]:
    """Campaigns whose rules are searched: the one the reader is in, else one for each ruleset they play."""
    if sought.here:
        return [sought.campaigns[sought.here]]
    return {one.ruleset: one for one in reversed(sought.campaigns.values())}.values()


def _rules(sought: Search) -> Iterator[FoundThing]:
    """Codex items by name (in either language), rule text or description."""
    for campaign in _tables(sought):
        law = get_ruleset(campaign)
        codex = reverse("battles:codex", args=[campaign.pk])
        for entry, names, text in indexed(law):
            if all(word in text for word in sought.words):
                rank = min(rank_of(name, sought.query) for name in names)
                url = f"{codex}?kind={entry.kind}#{entry.anchor}"
                about = f"{render(law.catalogues[entry.kind].label)} · {entry.rule}"
                key = f"{campaign.ruleset}/{entry.kind}/{entry.slug}"
                yield FoundThing("rule", key, entry.name, about, campaign, url, False, min(rank, BESIDE))


FINDERS = (
    Finder("battle", _("Battles"), "crossed-swords", list_battles, _battle_url, order=5),
    Shelf("rule", _("Rules"), "rule", _rules, order=7),
)


# Onboarding: the first step that opens a battle between two free armies, and the tour's stop at a battle.

ENEMY = "enemy"


class FirstBattle(FirstStep):
    slug, icon, after, order = "battle", "battle", ("army",), 50
    title, told = _("Open the first battle"), _("The first battle is open")
    about = _("Two armies face each other. Use “New battle” above for conditions and more armies.")
    button = _("Start the battle")

    def rows(self, campaign: Campaign) -> QuerySet[Any]:
        return Battle.objects.filter(campaign=campaign)

    def fields(self, campaign: Campaign) -> Iterator[tuple[str, forms.Field]]:
        armies = self._ready(campaign)
        ours, theirs = _opponents(armies)
        listed = [(str(army.pk), f"{army.name} ({army.kingdom.name})") for army in armies]
        enemy = [(ENEMY, gettext_lazy("a new enemy, with an army of its own"))]
        name = checklist.suggest_name(checklist.BATTLES, list_names(Battle, campaign))
        second = forms.ChoiceField(label=gettext_lazy("Second army"), choices=[*listed, *enemy], initial=theirs)
        yield "name", build_name_field(gettext_lazy("Name of the battle"), name)
        yield "ours", forms.ChoiceField(label=gettext_lazy("First army"), choices=listed, initial=ours)
        yield "theirs", second

    def _ready(self, campaign: Campaign) -> list[Army]:
        rows = busy.untouched(campaign, list_named_armies(campaign)).exclude(busy.build_barred(campaign))
        return list(rows.select_related("kingdom").order_by("kingdom_id", "pk")[:FEW])

    @transaction.atomic
    def do(self, by: User, campaign: Campaign, given: Mapping[str, Any]) -> str:
        demand(given["ours"] != given["theirs"], _("An army can’t fight itself: choose another."), field="/theirs")
        ready = {str(army.pk): army for army in self._ready(campaign)}
        if given["theirs"] == ENEMY:
            enemy = raise_enemy(by, campaign, checklist.suggest_name(checklist.ENEMIES, list_names(Kingdom, campaign)))
            ready[ENEMY] = enemy
        sides = _sides(ready[given["ours"]], ready[given["theirs"]])
        battle = open_battle(by=by, campaign=campaign, name=given["name"], sides=sides)
        return reverse("battles:battle", args=[battle.pk])


def _opponents(armies: list[Army]) -> tuple[str, str]:
    """Initial choices of the form: the id of the first army, and of the first army of another kingdom, else `ENEMY`."""
    if not armies:
        return "", ENEMY
    first = armies[0]
    other = next((army for army in armies if army.kingdom_id != first.kingdom_id), None)
    return str(first.pk), str(other.pk) if other else ENEMY


def _sides(*armies: Army) -> list[dict[str, Any]]:
    """One side for each army, named after its kingdom, or after the army where all are of one kingdom."""
    one = len({army.kingdom_id for army in armies}) == 1
    return [{"name": army.name if one else army.kingdom.name, "armies": [str(army.pk)]} for army in armies]


# Stop of the tour at a battle.


def _battle(user: User, campaign: Campaign) -> str:
    """Address of the newest battle that goes on, else of the newest one; "" where there is none."""
    found = list_battles(user).filter(campaign=campaign).order_by("-id")
    battle = found.filter(status=Battle.Status.RUNNING).first() or found.first()
    return reverse("battles:battle", args=[battle.pk]) if battle else ""


TOUR_STOP = TourStop(
    "battle",
    50,
    _("A battle"),
    _("While it goes on: select an army, choose its orders and give them. Below you see what comes next."),
    _battle,
)


# Contribution of `battles` to kingdoms, campaigns and armies.

BATTLES = Contribution(
    slots=[
        SlotPanel("campaign-actions", slots.workshop, 1),
        SlotPanel("campaign-actions", slots.new_battle),
        SlotPanel("campaign", slots.met, -1),
        SlotPanel("met", slots.met),
        SlotPanel("commander", slots.history),
        SlotPanel("help", slots.shortcuts),
    ],
    cards=[CardSlot(page.cards)],
    awaiting={page.TAB: page.COUNTER},
    search=FINDERS,
    note_targets={
        "battle": NoteTarget(
            Battle,
            _("Battle"),
            list_battles,
            lambda key: reverse("battles:battle", args=[key]),
            "battle",
            everybody=True,
        ),
    },
    share_kinds={**share_links.KINDS, story_share.STORY: story_share.KIND},
    followables={"battle": Followable(get_battle_alone, version_of)},
    webhook_events=webhook_events.EVENTS,
    personal_data={"commands": list_own_commands},
    first_steps=[FirstBattle()],
    tour_stops=[TOUR_STOP],
    demos={ui.demo.ruleset: ui.demo.maker for ui in list_battle_uis() if ui.demo},
    carried_tables=archive_tables.CARRIED,
    left_out=archive_tables.LEFT_OUT,
    tracked_models=[map_fields.TRACKED],
    undo_followers=[reopen],
    restored_by_own_lines=[BattleMap],
)
