"""Tables of battles that a campaign's archive carries, and the checks of their rows when an archive is read."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import Q

from battles.codec import storage
from battles.codec.storage import demand_weighed
from battles.log.queries import log_of
from battles.maps.tracked_fields import demand_map
from battles.models import Battle, BattleArmy, BattleMap, BattleRecord, Job, JobResult, Weighing
from battles.opponents.queries import list_sides
from battles.play import battle_state as play_battle_state
from battles.queries import viewer_over_all
from battles.ruleset_ui import get_battle_ui
from core.clean_input import clean_text
from core.text import render
from kingdom.archive.import_checks import CarriedTable, select_campaign
from kingdom.archive.versions import locate_faults
from rules.core.errors import demand
from rules.core.text import _
from rules.law import OMNISCIENT

EVERYTHING = "all"  # `Weighing.known` of the GM

FOLLOWING = _("Record {seq} is out of order. Number records and their events from 1, with increasing versions.")


def _demand_battle(battle: Battle) -> None:
    """Checks an archived battle: its opening loads, its records fold in order, its armies are those of its seats.
    Stores the summary for lists again where it differs. Raises `InvalidInput`.
    """
    clean_text(battle.name, field="/name", kept=True)
    engine = play_battle_state.get_engine(battle)
    with locate_faults("/opening"):
        storage.get_keeper(engine, exact=True).load_opening(battle.opening)
        state = play_battle_state.load_opening_state(battle)
        _draw(battle, state)
    with locate_faults("/figures"):
        figures = storage.load_figures(battle.figures)
        _draw(battle, state, figures)
    state = _followed(battle, state)
    _draw(battle, state)
    for line in log_of(battle, state, OMNISCIENT, undone=True):
        render(line.entry.text)
    with locate_faults("/opponents"):
        play_battle_state.left_to_the_engine(battle)
        for head in list_sides(battle, state):
            render(head.trouble)
    summary, told = engine.summary(state), play_battle_state.summarize_for_lists(battle, state)
    demand(battle.status == summary.status, _("This doesn’t match the battle’s records."), field="/status")
    if told != battle.state:  # The summary for lists can always be computed again.
        Battle.objects.filter(pk=battle.pk).update(state=told)
    seated = {str(army) for army in BattleArmy.objects.filter(battle=battle).values_list("army_id", flat=True)}
    demand(seated <= set(summary.armies), _("The armies in this battle aren’t those it was opened with."))


def _followed(battle: Battle, state: Any) -> Any:
    """Folds the archived records onto `state` and returns the final state.

    Checks that the records are numbered without gaps and that the page can be drawn at the end and wherever a record
    brings other figures. Stored intermediate states are not trusted: they are computed again from the events.
    """
    engine = play_battle_state.get_engine(battle)
    keeper = storage.get_keeper(engine, exact=True)
    due, event, version, standing = 1, 1, 0, 0
    for record in battle.records.order_by("seq").iterator():
        events = _read(keeper, record)
        follows = (record.seq, record.first_event) == (due, event) and version < record.version <= battle.version
        demand(follows, FOLLOWING, seq=record.seq)
        due, event, version = due + 1, event + len(record.events), record.version
        if not record.undone:
            state, standing = engine.fold(state, events), standing + 1
            if record.figures:
                _draw(battle, state, storage.load_figures(record.figures))
        _freeze(record, None if record.undone else play_battle_state.frozen_at(battle, state, standing))
    return state


def _draw(battle: Battle, state: Any, figures: Any = None) -> None:
    """Builds the army cards as the GM sees them, to prove that the page can be drawn. `figures`: those of now by
    default. Raises ValueError where the id of a kingdom or leader is no UUID.
    """
    position, law = play_battle_state.get_snapshot(battle, state), play_battle_state.get_law(battle)
    for army in position.summary.armies.values():
        for named in filter(None, (army.kingdom, army.leader)):
            UUID(named)
    viewer = viewer_over_all(position.summary.armies)
    figures = position.figures if figures is None else figures
    get_battle_ui(law).cards(state, position.summary, figures, viewer, law.battle.legal(state, viewer))


def _read(keeper: storage.Keeper, record: BattleRecord) -> tuple[Any, ...]:
    """Events of the record. Its dice, figures and command are loaded too, to prove that pages can read them."""
    storage.load_dice(record.dice)
    storage.load_figures(record.figures or {})
    keeper.load_command(record.command)
    return keeper.load_events(record.events)


def _freeze(record: BattleRecord, frozen: dict[str, Any] | None) -> None:
    if frozen != record.frozen:
        BattleRecord.objects.filter(pk=record.pk).update(frozen=frozen)


def _demand_weighing(weighing: Weighing) -> None:
    demand_weighed(weighing.found)


NO_BRANCHES = dict.fromkeys(("branch_of", "branched_at"), "of what-ifs, which are not exported")

CARRIED = (
    CarriedTable("battles", Battle, check=_demand_battle, ready=select_campaign, left_out=NO_BRANCHES, chosen=(
        Q(branch_of=None), "what-ifs are tries beside the campaign")),
    CarriedTable("battle_armies", BattleArmy),
    CarriedTable("battle_maps", BattleMap, check=demand_map),
    CarriedTable("battle_records", BattleRecord, chosen=(
        Q(battle__branch_of=None), "those of what-ifs stay behind with them")),
    CarriedTable("weighings", Weighing, check=_demand_weighing, chosen=(
        Q(known=EVERYTHING, record__battle__branch_of=None),
        "what others knew is named by ids: it is reckoned anew when they ask")),
)  # fmt: skip
LEFT_OUT = {
    Job: "work of a server under way, for one person",
    JobResult: "what came of such work, kept for a day",
}
