"""Page object of a battle's result: who won, the turning point, losses, leaders and their fates, and the next steps."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from django.urls import reverse

from battles.field.field_ui import FieldAsked
from battles.log.parts import luck_of
from battles.log.phases import PageLine, build_line
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.result.turn_losses import BattleCourse, BattleStory, TurnLosses, load_story, lost_by
from battles.ruleset_ui import BattleUI
from battles.setup.page import pick_colour
from kingdom.models import ChronicleEntry
from rules.core.text import Said, Term, UnitName, _, by_number, closed, say
from rules.law import AFTERMATH, Combatant

# Leaders in a finished battle, and their fates.

FALLEN, UNHURT, FATE_OPEN = _("fallen"), _("unhurt"), _("fate open")
SETTLED: Mapping[str, tuple[str, Term, str]] = {
    "killed": ("tombstone", _("killed"), "bad"),
    "captured": ("padlock", _("captured"), "warn"),
}
ESCAPED = ("run", _("escaped"), "quiet")


class LeaderFate(NamedTuple):
    """A leader, or another character who was lost. `tone`: "warn", "bad" or "quiet"."""

    name: UnitName
    colour: str
    icon: str
    word: Said
    tone: str
    about: tuple[Said | str, ...]


def list_commanders(asked: FieldAsked, fates_open: Collection[str]) -> Iterator[LeaderFate]:
    """Commanders of the armies whose figures the reader knows. `fates_open`: slugs of the fates of armies for whose
    commanders the aftermath still rolls.
    """
    settled = {} if asked.summary.status == AFTERMATH else _settled_fates(asked.battle)
    for army in asked.summary.armies.values():
        if army.leader and army.leader_name and asked.viewer.knows(army.id):
            led = _("leads {army}") if army.fighting else _("led {army}")
            fate = _fate(army, settled, fates_open, over=asked.summary.status != AFTERMATH)
            yield LeaderFate(army.leader_name, pick_colour(army.side), *fate, (say(led, army=army.name),))


def _fate(
    army: Combatant, settled: Mapping[str, str], fates_open: Collection[str], *, over: bool
) -> tuple[str, Said, str]:
    if army.leader in settled:
        return SETTLED[settled[army.leader]]
    if army.status in fates_open:
        return ESCAPED if over else ("hourglass", FATE_OPEN, "warn")
    return "crested-helmet", UNHURT if army.fighting else army.status_word, "quiet"


def _settled_fates(battle: Battle) -> dict[str, str]:
    """Fates of commanders whom the confirmed aftermath killed or made captive, by id."""
    entries = ChronicleEntry.objects.filter(campaign=battle.campaign_id, battle_id=battle.pk, undone_at=None)
    entry = entries.order_by("-seq").first()
    changes = entry.changes if entry else []
    return {
        change["subject_id"]: change["after"]
        for change in changes
        if (change["subject_kind"], change["field"]) == ("commander", "status") and change["after"] in SETTLED
    }


# Page object of a battle's result: who won, the turning point, losses, leaders, and the next steps.

LASTED = by_number("The battle lasted {count} turn.", "The battle lasted {count} turns.")
LASTED_PHASES = by_number("The battle lasted {count} phase.", "The battle lasted {count} phases.")
CHART_HIGH = 40


class ArmyLosses(NamedTuple):
    """An army before and after the battle. `fate`: how it left the field."""

    army: Combatant
    colour: str
    lost: int
    fate: Said

    @property
    def before(self) -> int:
        return self.army.health + self.lost


class ChartBar(NamedTuple):
    """Bar of a side's losses in one turn."""

    x: int
    y: int
    high: int
    colour: str


class TurnColumn(NamedTuple):
    """A turn or phase in the chart of losses."""

    short: str
    label: Said
    lost: tuple[int, ...]
    bars: tuple[ChartBar, ...]
    turning: bool


class NextStep(NamedTuple):
    """A next step. `href`: where to do it, "" where the reader cannot."""

    title: Said
    about: Said
    href: str = ""
    now: bool = False


class BattleResult:
    """How a battle ended, for one reader. `asked`: the arguments for drawing its field."""

    def __init__(self, asked: FieldAsked, ui: BattleUI):
        self.asked, self.summary, self.ui = asked, asked.summary, ui

    # The winner

    @property
    def winner(self) -> int | None:
        return self.summary.outcome.winner if self.summary.outcome else None

    @property
    def colour(self) -> str:
        return "" if self.winner is None else pick_colour(self.winner)

    @property
    def own_sides(self) -> frozenset[int]:
        """Indexes of sides on which the reader commands an army."""
        commands, sides = self.asked.viewer.commands, self.summary.sides
        return frozenset(side for side, team in enumerate(sides) if any(map(commands, team.armies)))

    @property
    def takes_part(self) -> bool:
        """Whether the reader, who is not the GM, commands armies on exactly one side."""
        return len(self.own_sides) == 1 and not self.asked.viewer.gm

    @property
    def headline(self) -> Said | None:
        """The outcome, from the reader's side if they took part."""
        outcome = self.summary.outcome
        if not outcome or not self.takes_part or outcome.winner is None:
            return outcome.text if outcome else None
        return _("You won the battle.") if outcome.winner in self.own_sides else _("You lost the battle.")

    @property
    def told(self) -> Iterator[Said | str]:
        """Sentences below the headline."""
        outcome = self.summary.outcome
        if outcome and outcome.text != self.headline:
            yield outcome.text
        if outcome and outcome.reason:
            yield closed(outcome.reason)
        if self.course.turns:
            yield say(LASTED if self.ui.by_turns else LASTED_PHASES, count=len(self.course.turns))

    # Losses

    @cached_property
    def story(self) -> BattleStory:
        return load_story(self.asked.battle, self.asked.state, self.asked.viewer, self.winner)

    @property
    def course(self) -> BattleCourse:
        return self.story.course

    @property
    def in_shares(self) -> bool:
        """Whether any army's health is a percentage, so that there are no sums."""
        return any(army.share for army in self.summary.armies.values())

    @cached_property
    def losses(self) -> tuple[tuple[ArmyLosses, ...], ...]:
        """Losses of each army, by side."""
        return tuple(
            tuple(self._army(self.summary.armies[army], side) for army in team.armies)
            for side, team in enumerate(self.summary.sides)
        )

    def _army(self, army: Combatant, side: int) -> ArmyLosses:
        lost = lost_by(army, self.course.start.armies.get(army.id))
        return ArmyLosses(army, pick_colour(side), lost, self.summary.fate_of(army))

    @property
    def score(self) -> list[tuple[str, str, int, int]]:
        """Colour, name, health left and full health of each side; empty where health is told in percentages."""
        if self.in_shares:
            return []
        return [
            (pick_colour(side), team.name, sum(one.army.health for one in own), sum(one.before for one in own))
            for side, (team, own) in enumerate(zip(self.summary.sides, self.losses, strict=True))
        ]

    # The turning point

    @property
    def turning_point(self) -> TurnLosses | None:
        return self.story.turning_point

    @cached_property
    def chart(self) -> tuple[TurnColumn, ...]:
        """Losses by turn; empty where nobody lost anything."""
        most = max((lost for turn in self.course.turns for lost in turn.lost), default=0)
        if not most:
            return ()
        return tuple(self._column(place, turn, most) for place, turn in enumerate(self.course.turns))

    def _column(self, place: int, turn: TurnLosses, most: int) -> TurnColumn:
        bars = tuple(
            ChartBar(20 * place + 3 + 7 * side, CHART_HIGH - high, high, pick_colour(side))
            for side, lost in enumerate(turn.lost)
            for high in (CHART_HIGH * lost // max(1, most),)
        )
        return TurnColumn(turn.short, turn.label, turn.lost, bars, turn is self.turning_point)

    @property
    def chart_size(self) -> tuple[int, int]:
        return 20 * len(self.chart), CHART_HIGH

    @property
    def moment(self) -> Said | None:
        """Text of the weightiest log line in the decisive turn; None without one."""
        return self.story.moment.entry.text if self.story.moment else None

    @cached_property
    def moment_line(self) -> PageLine | None:
        """The weightiest log line of the decisive turn (`moment`) with its dice; None without one."""
        return build_line(self.story.moment) if self.story.moment else None

    @property
    def replay(self) -> str:
        """Address of the replay from the beginning of the decisive turn."""
        return f"{reverse('battles:replay', args=[self.asked.battle.pk])}?play&step={self.story.stop}"

    # Leaders

    @cached_property
    def leaders(self) -> tuple[LeaderFate, ...]:
        """Leaders as the ruleset lists them, else the commanders of armies; those who were lost come first."""
        own = self.ui.leaders(self)
        found = list_commanders(self.asked, self.ui.fates_open) if own is None else own
        return tuple(sorted(found, key=lambda leader: leader.tone == "quiet"))

    # The sentence for the chronicle, and luck with dice

    @property
    def tale(self) -> list[Said | str]:
        """Sentences about how it ended and what decided it."""
        outcome, point = self.summary.outcome, self.turning_point
        told: list[Said | str] = []
        if outcome:
            told.append(closed(outcome.text))
        if point and self.moment:
            told.append(say(_("{phase} decided it: {moment}"), phase=point.label, moment=self.moment))
        return told

    @property
    def luck(self) -> tuple[tuple[str, str, str], ...]:
        """Name, colour and luck of each side: how far its dice were from their average. Empty where that means
        nothing.
        """
        engine = play_battle_state.get_engine(self.asked.battle)
        return luck_of(self.story.lines, engine, self.asked.state, self.summary) if self.ui.luck else ()

    # Next steps

    @property
    def next_steps(self) -> tuple[NextStep, ...]:
        battle = self.asked.battle
        aftermath, report = reverse("battles:aftermath", args=[battle.pk]), reverse("battles:report", args=[battle.pk])
        if battle.is_branch:
            original = reverse("battles:battle", args=[battle.branch_of_id])
            return (NextStep(_("Back to the battle"), _("as it was really fought"), original),)
        told = NextStep(_("Report of the battle"), _("what happened, to read or print"), report)
        campaign = reverse("kingdom:campaign", args=[battle.campaign_id])
        if self.summary.status != AFTERMATH:
            changed = NextStep(_("Aftermath"), _("what the battle changed in the campaign"), aftermath)
            back = NextStep(_("Back to the campaign"), _("armies march, rest and fight again"), campaign)
            return (changed, told, back)
        about = _("losses, returns, the fate of commanders")
        settle = (
            NextStep(_("Settle the aftermath"), about, aftermath, now=True)
            if self.asked.viewer.gm
            else NextStep(_("The GM settles the aftermath"), about, now=True)
        )
        return (settle, told, NextStep(_("Then armies march, rest and fight again"), _("on the campaign’s page")))
