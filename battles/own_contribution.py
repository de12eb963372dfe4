"""Contribution of `battles` to kingdoms, campaigns and armies."""

from __future__ import annotations

from django.urls import reverse

from battles import archive_tables, search, share_links, slots, webhook_events
from battles.log.queries import list_own_commands
from battles.maps import tracked_fields as map_fields
from battles.models import Battle, BattleMap
from battles.onboarding_steps import TOUR_STOP, FirstBattle
from battles.play.undo_services import reopen
from battles.queries import get_battle_for, list_battles, version_of
from battles.ruleset_ui import list_battle_uis
from battles.setup import open_battles
from battles.story import share_kind as story_share
from kingdom.campaign.campaign_cards import CardSlot
from kingdom.contributions import Contribution
from kingdom.live.stream import Followable
from kingdom.notes.targets import NoteTarget
from kingdom.slots import SlotPanel
from rules.core.text import _

BATTLES = Contribution(
    slots=[
        SlotPanel("campaign-actions", slots.workshop, 1),
        SlotPanel("campaign-actions", slots.new_battle),
        SlotPanel("campaign", slots.met, -1),
        SlotPanel("met", slots.met),
        SlotPanel("commander", slots.history),
        SlotPanel("help", slots.shortcuts),
    ],
    cards=[CardSlot(open_battles.cards)],
    awaiting={open_battles.TAB: open_battles.COUNTER},
    search=search.FINDERS,
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
    followables={"battle": Followable(get_battle_for, version_of)},
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
