"""The aftermath page: what the battle would do to the world, or what it did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from battles import folding
from battles.faces import WordedChange, face_of
from battles.models import Battle
from battles.selectors.access import battle_for, viewer_of
from kingdom.models import Campaign, ChronicleEntry, User
from kingdom.selectors import is_gm, visible_changes
from rules.text import Said


@dataclass(frozen=True)
class AftermathPage:
    """`done`: what was changed, as far as the reader may know, once the GM has confirmed."""

    battle: Battle
    campaign: Campaign
    gm: bool
    over: bool
    outcome: Said | None
    names: dict[str, str]
    entry: ChronicleEntry | None
    done: tuple[WordedChange, ...]

    @property
    def settled(self) -> bool:
        return self.battle.status == Battle.Status.CLOSED

    def shown(self, changes: Any) -> Sequence[WordedChange]:
        return _in_words(self.battle, changes, self.names)


def aftermath_page(user: User, battle_id: UUID) -> AftermathPage:
    """Raises Http404 for strangers."""
    battle = battle_for(user, battle_id)
    state = folding.state_of(battle)
    summary = folding.seen(battle, state, viewer_of(user, battle, state)).summary
    entry = _entry(battle)
    names = {**{army.id: army.name for army in summary.armies.values()}, **summary.names}
    names |= {army.leader: army.leader_name for army in summary.armies.values() if army.leader}
    changes = visible_changes(user, battle.campaign, [entry])[entry.pk] if entry else []
    return AftermathPage(
        battle=battle,
        campaign=battle.campaign,
        gm=is_gm(user, battle.campaign),
        over=summary.outcome is not None,
        outcome=summary.outcome.text if summary.outcome else None,
        names=names,
        entry=entry,
        done=tuple(_in_words(battle, changes, names)),
    )


def _in_words(battle: Battle, changes: Any, names: dict[str, str]) -> Sequence[WordedChange]:
    law = folding.law_of(battle)
    return face_of(law).in_words(changes, law, names)


def _entry(battle: Battle) -> ChronicleEntry | None:
    """What the aftermath wrote into the chronicle, while it stands."""
    entries = ChronicleEntry.objects.filter(campaign=battle.campaign_id, battle_id=battle.pk, undone_at=None)
    return entries.order_by("-seq").first() if battle.status == Battle.Status.CLOSED else None
