"""The aftermath page: what the battle would do to the world, or what it did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from battles import folding
from battles.models import Battle
from battles.selectors.access import battle_for
from battles.selectors.pages.changes import ShownChange, in_words
from battles.selectors.pages.ground import outcome_of
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
    done: tuple[ShownChange, ...]

    @property
    def settled(self) -> bool:
        return self.battle.status == Battle.Status.CLOSED

    def shown(self, changes: Any) -> list[ShownChange]:
        return in_words(changes, folding.law_of(self.battle), self.names)


def aftermath_page(user: User, battle_id: UUID) -> AftermathPage:
    """Raises Http404 for strangers."""
    battle = battle_for(user, battle_id)
    state = folding.state_of(battle)
    entry = _entry(battle)
    names = {army.id: army.name for army in state.armies.values()}
    names |= {army.spec.commander.id: army.spec.commander.name for army in state.armies.values() if army.spec.commander}
    changes = visible_changes(user, battle.campaign, [entry])[entry.pk] if entry else []
    return AftermathPage(
        battle=battle,
        campaign=battle.campaign,
        gm=is_gm(user, battle.campaign),
        over=state.result is not None,
        outcome=outcome_of(state),
        names=names,
        entry=entry,
        done=tuple(in_words(changes, folding.law_of(battle), names)),
    )


def _entry(battle: Battle) -> ChronicleEntry | None:
    """What the aftermath wrote into the chronicle, while it stands."""
    entries = ChronicleEntry.objects.filter(campaign=battle.campaign_id, battle_id=battle.pk, undone_at=None)
    return entries.order_by("-seq").first() if battle.status == Battle.Status.CLOSED else None
