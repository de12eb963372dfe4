"""Page object of a forecast: odds as a bar, health left as bars, survivors, and a table of choices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.urls import reverse

from battles.codec.forecasts import HEALTH_MOST, PHASES_MOST
from battles.field.page import BattlePage
from battles.forecast.odds_page import (
    Segment,
    build_segments,
    explain_rounding,
    format_decimal,
    format_error,
    format_percent,
)
from battles.forecast.page_parts import TOLD_FROM, Ending, Head, Leftover, Table, ending_of, format_text
from battles.forecast.queries import Forecast, Foreseen, Wondered
from battles.models import Battle, Job
from battles.play import battle_state as play_battle_state
from battles.ruleset_ui import ArmyCard
from battles.setup.page import pick_colour
from rules.core.odds import AboutOdds, Odds, Retreat, TableKind
from rules.core.text import Said, Term, _, by_number, say
from rules.law import Combatant, Summary
from rules.odds.tasks import MOST as MOST_PLAYED
from rules.odds.tasks import SLICE
from rules.odds.viewer_forecast import WhichTable

CROOKED = {
    "phases": _("Enter a whole number of {span} from 1 to {most}."),
    "after": _("Enter a whole number of {span} from 0 to {most}."),
    "health": _("Enter a whole number from 0 to {most}."),
}
MOST = {"phases": {"most": PHASES_MOST}, "after": {"most": PHASES_MOST}, "health": {"most": HEALTH_MOST}}
BATTLES_PLAYED = by_number(
    "{count} battle played, ± {points} points (95% confidence).",
    "{count} battles played, ± {points} points (95% confidence).",
)
MANY = 4  # armies; with more, survivors are listed instead of one army's health


class WhatIf(NamedTuple):
    """What-if question of a reader: the army they look at, and their assumptions. Malformed input is dropped; `crooked`
    names its fields.
    """

    army: str = ""
    against: str = ""
    kind: str = ""
    unknown: str = "average"
    phases: int | None = None
    leaves: str = ""
    after: int | None = None
    health: int | None = None
    crooked: tuple[str, ...] = ()

    def amiss(self, span: Term) -> list[Said]:
        """Say which input was ignored, and what to do. `span` is the unit of time (`BattleUI.span`)."""
        found: list[Said] = [say(CROOKED[of], **MOST[of], span=span) for of in self.crooked]
        if self.leaves and self.after is None and self.health is None:
            found.append(say(_("Enter after how many {span} the army leaves, or at what strength."), span=span))
        if not self.leaves and (self.after is not None or self.health is not None):
            found.append(_("Choose the army that leaves."))
        return found

    def about(self, commands: tuple[Any, ...], armies: Mapping[str, Combatant]) -> AboutOdds:
        supposed = self.leaves in armies and (self.after is not None or self.health is not None)
        retreats = {self.leaves: Retreat(self.after, self.health)} if supposed else {}
        return AboutOdds(commands=commands, phases=self.phases, retreats=retreats, unknown=self._unknown)

    @property
    def _unknown(self) -> Any:
        return self.unknown if self.unknown == "worst" else "average"


@dataclass(frozen=True)
class ForecastPage:
    """Page of a forecast: the question, and its answer: a `forecast`, a running `job`, or neither. `typed`: it includes
    the order form as it is being typed.
    """

    page: BattlePage
    ahead: Foreseen
    what_if: WhatIf
    forecast: Forecast | None = None
    job: Job | None = None
    trouble: Said | str | None = None
    typed: bool = False

    @property
    def battle(self) -> Battle:
        return self.page.battle

    @property
    def summary(self) -> Summary:
        return self.ahead.summary

    @property
    def odds(self) -> Odds:
        assert self.forecast is not None
        return self.forecast.odds

    @cached_property
    def row(self) -> ArmyCard | None:
        """Army looked at: the requested one, else the picked one."""
        return row_of(self.page, self.what_if)

    @cached_property
    def foe(self) -> ArmyCard | None:
        return foe_of(self.page, self.row, self.what_if)

    @cached_property
    def kinds(self) -> Sequence[TableKind]:
        return self.ahead.kinds(self.row.id, self.foe.id) if self.row and self.foe else ()

    @property
    def kind(self) -> str:
        return kind_of(self.kinds, self.what_if)

    @property
    def heads(self) -> list[Head]:
        """Chances in the order of the bar: the sides, with what belongs to neither in the middle."""
        first, *others = (self._head(index) for index in range(len(self.odds.sides)))
        second = others[:1]
        between = [*others[1:], *self._neither()]
        return [first, *between, *second]

    def _head(self, side: int) -> Head:
        found = self.odds.sides[side]
        low, high = (
            (format_percent(found.low), format_percent(found.high)) if found.high - found.low > TOLD_FROM else ("", "")
        )
        return Head(pick_colour(side), format_percent(found.win), say(_("{side} wins"), side=found.name), low, high)

    def _neither(self) -> Iterator[Head]:
        if self.odds.mutual >= TOLD_FROM or self.odds.undecided < TOLD_FROM:
            yield Head("none", format_percent(self.odds.mutual), _("nobody wins"))
        if self.odds.undecided >= TOLD_FROM:
            yield Head("open", format_percent(self.odds.undecided), _("undecided"))

    @property
    def bar(self) -> list[Segment]:
        wins = [(pick_colour(index), side.win) for index, side in enumerate(self.odds.sides)]
        parts = [wins[0], *wins[2:], ("none", self.odds.mutual), ("open", self.odds.undecided), *wins[1:2]]
        return build_segments(parts)

    @property
    def spoken(self) -> str:
        return ", ".join(f"{format_text(head.text)} {head.chance}" for head in self.heads)

    @property
    def left(self) -> Leftover | None:
        """Health left of the army looked at; None if survivors are listed."""
        found = self.odds.armies.get(self.row.id) if self.row else None
        if self.row is None or found is None or len(self.summary.armies) > MANY:
            return None
        return Leftover(self.row, found, play_battle_state.get_engine(self.battle).status_words)

    @property
    def endings(self) -> list[Ending]:
        """Survivors at the end, if many armies fight."""
        if len(self.summary.armies) <= MANY:
            return []
        known = ((self.summary.armies[army], odds) for army, odds in self.odds.armies.items())
        return [ending_of(army, odds) for army, odds in known]

    @property
    def table(self) -> Table | None:
        table = self.forecast.table if self.forecast else None
        armies = self.summary.armies
        return None if table is None else Table(table, armies[table.row], armies[table.column])

    @property
    def open(self) -> bool:
        """Whether the forecast can be asked now."""
        return self.ahead.open

    @property
    def by_play(self) -> bool:
        return self.ahead.by_play

    @property
    def played_most(self) -> int:
        return MOST_PLAYED

    @property
    def played_so_far(self) -> int:
        """Battles played so far by the job."""
        return min(MOST_PLAYED, SLICE * self.job.done) if self.job else 0

    @property
    def startable(self) -> bool:
        """Whether its reader may start playing: nothing is running."""
        return self.by_play and self.open and not (self.job and self.job.running)

    @property
    def manner(self) -> Said:
        """Sentence on the method."""
        if self.odds.played:
            told = {"count": self.odds.played, "points": format_error(self.odds.error)}
            return say(BATTLES_PLAYED, **told)
        if self.odds.method == "exact":
            return _("Calculated exactly.")
        return say(
            _("Simulated, ± {points} points (95% confidence)."),
            points=format_error(self.odds.error),
        )

    @property
    def rounded(self) -> Said | None:
        """Note if the rounded chances do not add up."""
        return explain_rounding(self.odds)

    @property
    def length(self) -> Said | None:
        phases = self.odds.phases
        if not phases.p90:
            return None
        told = {"mean": format_decimal(phases.mean), "p90": phases.p90, "span": self.page.ui.span}
        return say(_("{mean} more {span} on average; 90%: at most {p90}."), **told)

    @property
    def guessed(self) -> bool:
        """Whether part of it rests on what the reader cannot know."""
        return any(side.high - side.low > TOLD_FROM for side in self.odds.sides)

    def colour(self, army: Combatant) -> str:
        return pick_colour(army.side)

    @property
    def standing(self) -> list[Combatant]:
        return [army for army in self.summary.armies.values() if army.fighting]

    @property
    def enemies(self) -> list[Combatant]:
        return [army for army in self.standing if self.row and army.side != self.row.side]

    @cached_property
    def url(self) -> str:
        return reverse("battles:forecast", args=[self.battle.pk])

    def with_kind(self, kind: str) -> str:
        """Return the page's address with another table."""
        kept: dict[str, Any] = {"army": self.row.id if self.row else "", "against": self.what_if.against, "kind": kind}
        kept |= {"unknown": self.what_if.unknown, "leaves": self.what_if.leaves}
        kept |= {"after": self.what_if.after, "health": self.what_if.health, "phases": self.what_if.phases}
        if self.page.look.side is not None:
            kept["as"] = self.page.look.side
        return f"{self.url}?{urlencode({name: value for name, value in kept.items() if value not in ('', None)})}"


def row_of(page: BattlePage, what_if: WhatIf) -> ArmyCard | None:
    cards = [card for card in page.cards if not card.gone]
    asked = next((card for card in cards if card.id == what_if.army), None)
    picked = page.picked if page.picked is not None and not page.picked.gone else None
    return asked or picked or next(iter(cards), None)


def foe_of(page: BattlePage, row: ArmyCard | None, what_if: WhatIf) -> ArmyCard | None:
    """Return the requested enemy, else its target, else one that targets it, else the first."""
    if row is None:
        return None
    foes = [card for card in page.cards if not card.gone and card.side != row.side]
    ranks = ([card for card in foes if card.id == what_if.against], [card for card in foes if card.id == row.target],
             [card for card in foes if card.target == row.id], foes)  # fmt: skip
    return next((found[0] for found in ranks if found), None)


def kind_of(kinds: Sequence[TableKind], what_if: WhatIf) -> str:
    slugs = [kind.slug for kind in kinds]
    return what_if.kind if what_if.kind in slugs else next(iter(slugs), "")


def wondered(shown: ForecastPage, commands: tuple[Any, ...]) -> Wondered:
    """Return the question of this page."""
    about = shown.what_if.about(commands, shown.summary.armies)
    row, foe = shown.row, shown.foe
    table = WhichTable(shown.kind, row.id, foe.id) if row and foe and shown.kind else None
    return Wondered(about, table)
