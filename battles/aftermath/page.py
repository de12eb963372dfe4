"""Page object of the aftermath: what the battle would change, or what it has changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import UUID

from django.http import QueryDict

from battles.aftermath.groups import Found, Ground, laid_out, owner_of
from battles.aftermath.proposal_page import AftermathLaidOut
from battles.codec import storage
from battles.field.field_ui import FieldAsked
from battles.field.forms import CommandForm
from battles.field.look import Look
from battles.field.table import find_bearers
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.queries import get_battle_for, get_viewer
from battles.ruleset_ui import BattleUI, get_battle_ui
from battles.setup.open_battles import next_battle
from battles.setup.other_laws import get_law_of_armies
from battles.setup.page import names_in, pick_colour
from kingdom.access.queries import is_gm, list_readable_kingdom_ids, reads_all
from kingdom.chronicle.changes import Change, visible_ids
from kingdom.chronicle.queries import list_visible_changes
from kingdom.models import Campaign, ChronicleEntry, User
from rules.core.text import Said
from rules.law import Law, Remark, Viewer

KINDS = ("army", "commander", "kingdom")


@dataclass(frozen=True)
class AftermathPage:
    """The aftermath for one reader.

    `done`: the confirmed changes that the reader may see; None before. `state`: the full state, from which the ruleset
    draws what concerns the reader's armies.
    """

    user: User
    battle: Battle
    campaign: Campaign
    gm: bool
    over: bool
    outcome: Said | None
    names: dict[str, str]
    entry: ChronicleEntry | None
    law: Law
    ground: Ground
    done: AftermathLaidOut | None
    state: Any = None
    viewer: Viewer | None = None
    ui: BattleUI | None = None
    law_field: Any = None
    """Context of the ruleset's field as it was at the end; None where it has none."""

    def said(self, data: QueryDict | None = None) -> Sequence[CommandForm]:
        """Forms of what the reader may still decide for their armies before confirmation. The one that was sent is
        bound to `data`.
        """
        if self.settled or not self.over or self.viewer is None:
            return ()
        return get_battle_ui(self.law).aftermath_forms(self.state, self.viewer, self.battle.version, data)

    @property
    def settled(self) -> bool:
        return self.battle.status == Battle.Status.CLOSED

    @cached_property
    def next(self) -> Battle | None:
        """The battle to go on with; None where there is none."""
        return next_battle(self.user, self.campaign)

    @property
    def colours(self) -> dict[str, str]:
        """Colour of its side for each army, by id."""
        return {army.id: pick_colour(army.side) for army in self.ground.summary.armies.values()}

    def proposed(self, proposal: Any, asks: Sequence[tuple[str, Any]]) -> AftermathLaidOut:
        """The proposal laid out. `asks`: the form's choices, each with the id of whom it is about."""
        own = get_law_of_armies(self.battle)
        words = get_battle_ui(own).in_words(proposal.changes, own, self.names)
        return laid_out(self.ground, Found(proposal.changes, words, proposal.notes, asks, proposal.rolls))


def aftermath_page(user: User, battle_id: UUID) -> AftermathPage:
    """The aftermath of the battle. Raises `Http404` for strangers."""
    battle = get_battle_for(user, battle_id)
    state = play_battle_state.load_state(battle)
    law, viewer = play_battle_state.get_law(battle), get_viewer(user, battle, state)
    position = play_battle_state.view_state(battle, state, viewer)
    summary, ui = position.summary, get_battle_ui(law)
    ground = _ground(user, battle, state, viewer)
    names = names_in(summary)
    names |= {army.leader: army.leader_name for army in summary.armies.values() if army.leader}
    entry = _entry(battle)
    return AftermathPage(
        user=user,
        battle=battle,
        campaign=battle.campaign,
        gm=is_gm(user, battle.campaign),
        over=summary.outcome is not None,
        outcome=summary.outcome.text if summary.outcome else None,
        names=names,
        entry=entry,
        law=law,
        ground=ground,
        done=laid_out(ground, _done(user, battle, entry, names)) if entry else None,
        state=state,
        viewer=viewer,
        ui=ui,
        law_field=ui.field(FieldAsked(battle, position.state, summary, viewer, Look())),
    )


def _ground(user: User, battle: Battle, state: Any, viewer: Viewer) -> Ground:
    law = play_battle_state.get_law(battle)
    own = get_law_of_armies(battle)
    own_ui = get_battle_ui(own)
    ui, position = get_battle_ui(law), play_battle_state.view_state(battle, state, viewer)
    summary = position.summary
    readable = {str(kingdom) for kingdom in list_readable_kingdom_ids(user, battle.campaign)}
    cards = ui.cards(position.state, summary, {}, viewer, None)
    return Ground(
        summary=summary,
        bearers=find_bearers(battle, summary),
        crests={army: card.crest for army, card in cards.items()},
        shown={army.id for army in summary.armies.values() if viewer.gm or army.kingdom in readable},
        rolls={**ui.rolls, **own_ui.rolls},
        die_sides={**law.battle.die_sides, **own.battle.die_sides},
        health=own_ui.health_field,
    )


def _done(user: User, battle: Battle, entry: ChronicleEntry, names: dict[str, str]) -> Found:
    """The confirmed changes from the chronicle entry, and remarks and dice from the battle's record, as the user may
    see them.
    """
    changes: Sequence[Change] = list_visible_changes(user, battle.campaign, [entry])[entry.pk]
    command = battle.records.filter(undone=False).latest("seq").command
    remarks = tuple(_told_to(user, battle.campaign, storage.load_remarks(command.get("notes", ()))))
    rolls = storage.load_dice(command.get("rolls", ()))
    if not reads_all(user, battle.campaign):
        seen = _readable(user, battle.campaign, {owner_of(roll.army) for roll in rolls})
        rolls = tuple(roll for roll in rolls if owner_of(roll.army) in seen)
    own = get_law_of_armies(battle)
    return Found(changes, get_battle_ui(own).in_words(changes, own, names), remarks, (), rolls)


def _told_to(user: User, campaign: Campaign, remarks: Iterable[Remark]) -> Iterable[Remark]:
    """Remarks about those whom the user may read; remarks about the whole battle only for users who read everything."""
    remarks = tuple(remarks)
    if reads_all(user, campaign):
        return remarks
    seen = _readable(user, campaign, {remark.about for remark in remarks if remark.about})
    return (remark for remark in remarks if remark.about in seen)


def _readable(user: User, campaign: Campaign, ids: set[str]) -> set[str]:
    """Those of these ids of armies, commanders and kingdoms whose chronicle lines the user may read."""
    return set().union(*(visible_ids(kind, user, campaign, ids) for kind in KINDS)) if ids else set()


def _entry(battle: Battle) -> ChronicleEntry | None:
    """The aftermath's chronicle entry; None unless it is confirmed."""
    entries = ChronicleEntry.objects.filter(campaign=battle.campaign_id, battle_id=battle.pk, undone_at=None)
    return entries.order_by("-seq").first() if battle.status == Battle.Status.CLOSED else None
