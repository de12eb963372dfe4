"""Services for what-ifs: a battle branched from another one at any event, which touches nothing of the campaign."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import transaction

from battles.models import Battle, BattleRecord
from battles.opponents.services import hold_engine
from battles.play import battle_state as play_battle_state
from battles.play.event_log import read_written
from battles.play.record_services import save, take
from battles.play.services import find_last_seq
from battles.queries import list_branches
from core.clean_input import NAME_MAX, clean_text
from core.text import render
from kingdom.access.decorators import gm_only
from kingdom.access.queries import require_gm
from kingdom.models import User
from kingdom.models.base import uuid7
from rules.core.errors import demand, require
from rules.core.text import _, say

WHAT_IFS_MOST = 20


@gm_only
@transaction.atomic
def branch_battle(*, by: User, battle_id: UUID | str, at: int, name: str = "") -> Battle:
    """Branches a what-if from the battle, as it was right after the command of the event `at`; 0: its opening (GM).

    It has copies of all records up to there, undone ones too. A what-if of a what-if belongs to the battle that both
    come from. Computer players that play by turns are paused. Raises `InvalidInput` for an unknown event,
    `IllegalCommand` for an undone one, after a confirmed aftermath, and where there are `WHAT_IFS_MOST`.
    """
    battle = take(by, battle_id)
    require_gm(by, battle.campaign)
    named = clean_text(name, field="/name") if name else _name_branch(battle)
    demand(0 <= at <= read_written(battle).event, _("This moment doesn’t exist in this battle."), field="/at")
    root = Battle.objects.select_for_update(of=("self",)).get(pk=battle.branch_of_id or battle.pk)
    require(
        list_branches(root).count() < WHAT_IFS_MOST,
        _("A battle can have at most {most} what-ifs. Delete one first."),
        most=WHAT_IFS_MOST,
    )
    last = find_last_seq(battle, at, field="/at")
    records = list(battle.records.filter(seq__lte=last).order_by("seq"))
    branch = _copy(battle, records, name=named, created_by=by, branch_of=root)
    now = play_battle_state.refold(branch)
    ended = play_battle_state.summarize(branch, now).status == Battle.Status.CLOSED
    require(not ended, _("Here the aftermath is already confirmed. Choose an earlier moment."))
    hold_engine(branch, now)
    save(branch, now, quiet=True)
    return branch


def _name_branch(battle: Battle) -> str:
    if battle.is_branch:
        return battle.name
    return render(say(_("What if: {battle}"), battle=battle.name))[:NAME_MAX]


def _copy(battle: Battle, records: Sequence[BattleRecord], **own: Any) -> Battle:
    """A what-if with these records of the battle. `own`: its other columns. Summary and status are not its own yet."""
    branch = Battle(
        campaign=battle.campaign,
        ruleset=battle.ruleset,
        ruleset_version=battle.ruleset_version,
        house_rules=battle.house_rules,
        opening=battle.opening,
        figures=battle.figures,
        state=battle.state,
        status=battle.status,
        opponents=battle.opponents,
        version=records[-1].version if records else 1,
        day=battle.day,
        branched_at=records[-1].first_event + len(records[-1].events) - 1 if records else 0,
        **own,
    )
    branch.save(force_insert=True)
    for record in records:
        record.pk, record.battle = uuid7(), branch
    BattleRecord.objects.bulk_create(records, batch_size=200)
    return branch


@gm_only
@transaction.atomic
def throw_branch_away(*, by: User, battle_id: UUID | str) -> UUID:
    """Deletes a what-if permanently (GM). Returns the id of the battle it came from. Raises `IllegalCommand` for a
    battle of the campaign.
    """
    battle = take(by, battle_id)
    require_gm(by, battle.campaign)
    require(battle.branch_of_id, _("Only what-ifs can be deleted. This battle belongs to the campaign."))
    original = battle.branch_of_id
    battle.delete()
    assert original is not None
    return original
