"""Summary of passing time: one row for each army, those with trouble first, and other changes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from armies.models import Army
from armies.ruleset_ui import WeeksUI
from armies.weeks.ruleset_weeks import get_weeks_ui
from kingdom.chronicle.changes import Change
from kingdom.chronicle.wording import ChangeInWords, changes_in_words
from kingdom.models import Campaign, User
from kingdom.models.natural import make_natural_key

MOST_NAMED = 200  # most unchanged armies that are named; further ones are counted


@dataclass(frozen=True, slots=True)
class ArmyOutcome:
    """What the days do to one army: its lines, and whether each is trouble."""

    army: str
    name: str
    lines: tuple[tuple[ChangeInWords, bool], ...]

    @property
    def bad(self) -> bool:
        return any(bad for _line, bad in self.lines)


@dataclass(frozen=True, slots=True)
class WeekSummary:
    """`quiet`: names of armies to which nothing happens; `quiet_count`: their number. `others`: changes that are not
    about armies.
    """

    rows: tuple[ArmyOutcome, ...]
    others: tuple[ChangeInWords, ...]
    quiet: tuple[str, ...] = ()
    quiet_count: int = 0

    @property
    def troubled(self) -> list[ArmyOutcome]:
        return [row for row in self.rows if row.bad]


def summarize(user: User, campaign: Campaign, changes: Sequence[Change]) -> WeekSummary:
    """Summary of a proposal's changes. The user must be allowed to read all of them."""
    told = list(zip(changes, changes_in_words(user, campaign, changes), strict=True))
    rows = _group([one for one in told if one[0].subject_kind == "army"], get_weeks_ui(campaign))
    rows.sort(key=lambda row: (not row.bad, make_natural_key(row.name)))
    others = [words for change, words in told if change.subject_kind != "army"]
    quiet = Army.objects.filter(campaign=campaign, status__in=Army.STANDING).exclude(pk__in=[row.army for row in rows])
    named = sorted(quiet.values_list("name", flat=True)[: MOST_NAMED + 1], key=make_natural_key)
    if len(named) > MOST_NAMED:
        return WeekSummary(tuple(rows), tuple(others), (), quiet.count())
    return WeekSummary(tuple(rows), tuple(others), tuple(named), len(named))


def is_bad(change: Change, life: WeeksUI) -> bool:
    """Whether a change of an army is trouble."""
    if change.field == "status":
        return change.after != Army.Status.READY.value
    if change.field == "commander":
        return change.after is None
    before, after = change.before, change.after
    if not (_is_number(before) and _is_number(after)):
        return False
    return bool(after > before if change.field in life.burdens else after < before)


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


@dataclass(frozen=True, slots=True)
class WhatPassed:
    """What the last passage of time did, from its chronicle entry."""

    arrived: tuple[str, ...]
    back: tuple[str, ...]
    healed: tuple[Change, ...]
    treasuries: tuple[tuple[str, int, int], ...]
    trouble: tuple[ArmyOutcome, ...]


def tell_passed(user: User, campaign: Campaign, changes: Sequence[Change]) -> WhatPassed:
    life = get_weeks_ui(campaign)
    armies = [change for change in changes if change.subject_kind == "army"]
    bad = [change for change in armies if is_bad(change, life)]
    trouble = list(zip(bad, changes_in_words(user, campaign, bad), strict=True))
    purses: dict[str, tuple[str, int, int]] = {}
    for change in changes:
        if (change.subject_kind, change.field) == ("kingdom", "treasury"):
            first = purses.get(change.subject_id, (str(change.subject), change.before, 0))
            purses[change.subject_id] = (first[0], first[1], change.after)
    return WhatPassed(
        arrived=tuple(str(change.subject) for change in armies if change.field == "marching"),
        back=tuple(str(one.subject) for one in changes if (one.subject_kind, one.field) == ("commander", "away")),
        healed=tuple(one for one in armies if one.field == life.strength and not is_bad(one, life)),
        treasuries=tuple(purses.values()),
        trouble=tuple(_group(trouble, life)),
    )


def _group(told: Sequence[tuple[Change, ChangeInWords]], life: WeeksUI) -> list[ArmyOutcome]:
    """Group changes of armies, each with its words, by army."""
    lines: dict[str, list[tuple[ChangeInWords, bool]]] = defaultdict(list)
    names: dict[str, str] = {}
    for change, words in told:
        lines[change.subject_id].append((words, is_bad(change, life)))
        names[change.subject_id] = str(change.subject)
    return [ArmyOutcome(key, names[key], tuple(found)) for key, found in lines.items()]
