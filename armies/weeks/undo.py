"""Undo of passed time: the ruleset's changes, step by step, then the treasuries by opposite ledger entries."""

from __future__ import annotations

from collections import defaultdict

from armies.forces.busy import load_recent_battles
from armies.models import Army, TimeStep
from armies.ruleset_ui import WeeksUI
from armies.weeks.army_moves import move_back
from armies.weeks.ruleset_weeks import get_weeks_ui
from core import text
from kingdom.chronicle import changes
from kingdom.chronicle.field_change import Blocked
from kingdom.models import Campaign, ChronicleEntry, Kingdom, LedgerEntry, User
from kingdom.realms import treasury_services
from rules.core.text import Said, Term, _, say

FOUGHT = _(
    "{army} fought on day {day}. Undo that battle first: on the page of “{battle}”, undo every step back to its start."
)
SETTLED = _(
    "The aftermath of “{battle}”, which changed {army}, was confirmed on day {day}. Undo it first, on "
    "the battle’s page or in the chronicle."
)
DATED = frozenset({"marching_until", "route"})  # count on their day only, under any ruleset


def take_back(entry: ChronicleEntry, by: User) -> None:
    """Undoes what `kingdom.chronicle.changes` cannot (see `kingdom.chronicle.changes.UndoFollower`).

    Raises `IllegalCommand` that names an army which has changed since, or has fought on the day to be undone.
    """
    if entry.kind != ChronicleEntry.Kind.WEEK:
        return
    _refuse_fought(entry)
    life = get_weeks_ui(entry.campaign)
    for step in TimeStep.objects.filter(entry=entry).order_by("-day"):
        life.restore(step)
        step.delete()
    move_back(entry)
    _refund(entry, by)


def _refuse_fought(entry: ChronicleEntry) -> None:
    """Refuses the undo where an army fought on its last day: an open battle has no chronicle entry that would
    conflict.
    """
    fights = load_recent_battles(Campaign(pk=entry.campaign_id, day=entry.day), entry.day)
    army = Army.objects.filter(campaign=entry.campaign_id, pk__in=fights.fought).first() if fights.fought else None
    if army is not None:
        key = str(army.pk)
        why = SETTLED if key in fights.settled else FOUGHT
        told = say(why, army=army.name, day=entry.day, battle=fights.battles.get(key, ""))
        raise Blocked(told, battle=fights.places.get(key))


def _refund(entry: ChronicleEntry, by: User) -> None:
    moved: dict[str, int] = defaultdict(int)
    for change in changes.list_changes(entry):
        if change.kept and change.field == "treasury":
            moved[change.subject_id] += change.after - change.before
    day = Campaign.objects.values_list("day", flat=True).get(pk=entry.campaign_id)
    rows = Kingdom.objects.select_for_update().filter(pk__in=moved).order_by("pk")
    for kingdom in rows:
        if moved[str(kingdom.pk)]:
            treasury_services.append(
                kingdom=kingdom,
                amount=-moved[str(kingdom.pk)],
                reason=text.load_said(entry.text),
                source=LedgerEntry.Origin.UNDO,
                by=by,
                day=day,
            )


def overlap(entry: ChronicleEntry, later: ChronicleEntry) -> Said | None:
    """The army that both entries changed, if one is a passage of time and lists its armies only by number, or if the
    other entry has a change that counts on its day only. None without a conflict.
    """
    if ChronicleEntry.Kind.WEEK not in (entry.kind, later.kind):
        return None
    life = get_weeks_ui(entry.campaign)
    pairs = ((entry, later), (later, entry))
    found = (life.touched(*pair) or _dated(life, *pair) for pair in pairs if pair[0].kind == entry.Kind.WEEK)
    return next((army for army in found if army), None)


def _dated(life: WeeksUI, time: ChronicleEntry, other: ChronicleEntry) -> Said | None:
    """The first army with a change in the other entry that counts on its day only."""
    if other.kind == ChronicleEntry.Kind.WEEK:
        return None
    dated = DATED | life.dated
    lines = (
        change for change in changes.list_changes(other) if change.subject_kind == "army" and change.field in dated
    )
    return next((say(Term("{name}"), name=line.subject) for line in lines), None)
