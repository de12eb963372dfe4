"""Battles with their records travel in a campaign's document."""

from __future__ import annotations

from typing import Any

from django.db.models import Q

from battles import folding
from battles.codec import storage
from battles.models import Battle, BattleArmy, BattleRecord, Job, JobResult, Weighing
from kingdom.archive.tables import CarriedTable, carry, leave_out
from kingdom.inputs import clean_text
from rules.errors import demand
from rules.law import ANYBODY
from rules.text import _

EVERYTHING = "all"  # `Weighing.known` of the GM

FOLLOWING = _(
    "Number {seq} of its records does not follow the one before it: records are numbered from 1, their events too, and "
    "versions grow."
)


def register() -> None:
    carry(
        CarriedTable("battles", Battle, check=_demand_battle, ready=lambda rows: rows.select_related("campaign")),
        CarriedTable("battle_armies", BattleArmy),
        CarriedTable("battle_records", BattleRecord),
        CarriedTable("weighings", Weighing, chosen=(
            Q(known=EVERYTHING), "what others knew is named by ids: it is reckoned anew when they ask")),
    )  # fmt: skip
    leave_out(Job, "work of a server under way, for one person")
    leave_out(JobResult, "what came of such work, kept for a day")


def _demand_battle(battle: Battle) -> None:
    """Its records follow one another, and fold to a battle of the armies that stand in it."""
    clean_text(battle.name, field="/name", kept=True)
    engine = folding.engine_of(battle)
    keeper = storage.keeper_of(engine)
    due, event, version = 1, 1, 0
    for record in battle.records.order_by("seq").iterator():
        _read(keeper, record)
        follows = (record.seq, record.first_event) == (due, event) and version < record.version <= battle.version
        demand(follows, FOLLOWING, seq=record.seq)
        due, event, version = due + 1, event + len(record.events), record.version
    state = folding.refold(battle)
    summary, told = engine.summary(state), folding.glance(engine.summary(engine.seen(state, ANYBODY)))
    demand(battle.status == summary.status, _("Its records say something else."), field="/status")
    if told != battle.state:  # what lists show, which can always be made again
        Battle.objects.filter(pk=battle.pk).update(state=told)
    seated = {str(army) for army in BattleArmy.objects.filter(battle=battle).values_list("army_id", flat=True)}
    demand(seated <= set(summary.armies), _("Other armies stand in this battle than it was opened with."))


def _read(keeper: storage.Keeper, record: BattleRecord) -> Any:
    storage.load_dice(record.dice)
    storage.load_figures(record.figures or {})
    return keeper.load_command(record.command), keeper.load_events(record.events)
