"""`WeeksUI` of a campaign's ruleset, or the default: only the calendar and planned income and costs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from rest_framework.serializers import Serializer

from armies.forces.busy import load_recent_battles
from armies.models import Army, TimeStep
from armies.ruleset_ui import Cited, WeeksUI, find_army_ui, list_army_uis
from armies.weeks.forms import TimeForm
from armies.weeks.passage import DueLine, Passage, PassingPurses, TimeProposal
from kingdom.chronicle import changes
from kingdom.chronicle.changes import Change
from kingdom.models import Campaign, ChronicleEntry, Kingdom, User
from kingdom.models.base import Natural
from kingdom.models.calendar import DAYS_A_WEEK
from rules.core.errors import InvalidInput
from rules.core.text import Said, Term, _, say


class NoLife:
    """Weeks of a ruleset without any of its own: only days pass. Other `WeeksUI`s may inherit it."""

    rules = Cited()
    rolls: Mapping[str, Term] = {}
    choices_doc = ""
    members: type[Serializer] | None = None
    dated: frozenset[str] = frozenset()
    burdens: frozenset[str] = frozenset()
    strength = "health"
    ends_adjustments = False
    choices_template = proposal_template = panel_template = ""

    def propose(self, passage: Passage) -> TimeProposal:
        refuse_choices(passage.choices)
        purses = PassingPurses(passage)
        for day in range(passage.since + 1, passage.until + 1):
            purses.fall(day)
        lines, moves = tuple(purses.changes("")), tuple(purses.moves)
        return TimeProposal(
            since=passage.since, until=passage.until, changes=lines, moves=moves, events=tuple(purses.events)
        )

    def confirm(self, passage: Passage) -> TimeProposal:
        return self.propose(passage)

    def restore(self, step: TimeStep) -> None: ...

    def touched(self, entry: ChronicleEntry, other: ChronicleEntry) -> Said | None:
        return None

    def due(self, campaign: Campaign, kingdoms: Sequence[Kingdom]) -> Iterable[DueLine]:
        return ()

    def chosen(self, campaign: Campaign) -> Mapping[str, list[str]]:
        return {}

    def choose(self, campaign: Campaign, choices: Mapping[str, Any]) -> Sequence[Change]:
        refuse_choices(choices)
        return ()

    def offers(self, campaign: Campaign) -> Any: ...

    def form(self, campaign: Campaign, offers: Any, data: QueryDict | None = None) -> TimeForm:
        return TimeForm(data, campaign=campaign, rolls=self.rolls)

    def shown(self, campaign: Campaign, proposal: TimeProposal) -> Any: ...

    def panel(self, user: User, campaign: Campaign) -> Mapping[str, Any]:
        return {}


def refuse_choices(choices: Mapping[str, Any]) -> None:
    """Raises `InvalidInput` for any choice."""
    for name in choices:
        raise InvalidInput(_("This campaign’s ruleset has nothing to choose here."), f"/choices/{name}")


NO_LIFE: WeeksUI = NoLife()


def get_weeks_ui(campaign: Campaign) -> WeeksUI:
    ui = find_army_ui(campaign)
    return (ui and ui.life) or NO_LIFE


def list_weeks_uis() -> dict[str, WeeksUI]:
    """The `WeeksUI` of each ruleset family."""
    return {ui.family: ui.life or NO_LIFE for ui in list_army_uis()}


# Recent deeds of armies: who fights, who fought, who marched.


@dataclass(frozen=True, slots=True)
class LatelyDone:
    """`fighting`: ids of armies in a battle that is not over. `fought`: day of the last battle, by army's id."""

    fighting: frozenset[str]
    fought: Mapping[str, int]

    def rests(self, army: Army, day: int) -> bool:
        """Whether the army neither marched nor fought in the week that ends on this day."""
        key, since = str(army.pk), day - DAYS_A_WEEK
        return self.at_peace(key, day) and (army.marching_until is None or army.marching_until <= since)

    def at_peace(self, key: str, day: int) -> bool:
        return key not in self.fighting and self.fought.get(key, -DAYS_A_WEEK) <= day - DAYS_A_WEEK

    def next_peace(self, army: Army, campaign: Campaign) -> int | None:
        """The first end of a week that the army spends in peace; None while it fights."""
        return self._week_after(army, campaign, self.fought.get(str(army.pk), 0))

    def next_rest(self, army: Army, campaign: Campaign) -> int | None:
        """The first end of a week that the army spends at rest; None while it fights."""
        return self._week_after(army, campaign, max(self.fought.get(str(army.pk), 0), army.marching_until or 0))

    def _week_after(self, army: Army, campaign: Campaign, busy: int) -> int | None:
        """The first end of a week that begins on day `busy` or later."""
        if str(army.pk) in self.fighting:
            return None
        begins = -(-busy // DAYS_A_WEEK)
        return max(campaign.day + campaign.days_to_upkeep, (begins + 1) * DAYS_A_WEEK)


def load_recent_deeds(campaign: Campaign) -> LatelyDone:
    """Deeds of the running week. Two queries, and those of the battles."""
    fights = load_recent_battles(campaign, campaign.day - campaign.day % DAYS_A_WEEK)
    fought = dict.fromkeys(fights.fought, campaign.day)
    since = campaign.day - DAYS_A_WEEK
    battles = ChronicleEntry.objects.filter(
        campaign=campaign, kind=ChronicleEntry.Kind.BATTLE, day__gt=since, undone_at=None
    )
    for entry in battles.order_by("seq"):
        lines = (change for change in changes.list_changes(entry) if change.subject_kind == "army")
        fought |= {line.subject_id: max(entry.day, fought.get(line.subject_id, 0)) for line in lines}
    return LatelyDone(frozenset(fights.fighting), fought)


# Routed armies that are ready again after a week in peace.

MOST_RALLIES = 50
READY = _("{army}: ready again, unless it fights before then.")


def list_routed(kingdoms: Iterable[Kingdom]) -> list[Army]:
    """Routed armies of these kingdoms that have troops left, by name; only the first `MOST_RALLIES`."""
    rows = Army.objects.filter(kingdom__in=[kingdom.pk for kingdom in kingdoms], status=Army.Status.ROUTED)
    return list(rows.filter(health__gt=0).order_by(Natural("name"), "id")[:MOST_RALLIES])


def rallies_due(
    campaign: Campaign, kingdoms: Iterable[Kingdom], routed: Iterable[Army], lately: LatelyDone, rule: str
) -> Iterator[DueLine]:
    """Days on which these routed armies are ready again. No query."""
    of = {kingdom.pk: kingdom for kingdom in kingdoms}
    for army in routed:
        if (day := lately.next_peace(army, campaign)) is not None:
            text = say(READY, army=army.name)
            yield DueLine(day, campaign.dates.date(day), of[army.kingdom_id], text, rule, army=army.pk)
