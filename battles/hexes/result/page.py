"""Page object of a result: who won and how, the turning point, losses by army, leaders, and what comes next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from django.urls import reverse

from battles.field.field_ui import FieldAsked
from battles.hexes.result.turn_losses import Course, TurnLosses, load_course, lost_by
from battles.log.queries import LogLine, log_of
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.setup.page import pick_colour
from rules.core.text import Said, Term, _, by_number, closed, say
from rules.hexbattle.common import DESTROYED, Destroyed, Withdrawn
from rules.hexbattle.field import Ended
from rules.hexbattle.tokens import Token
from rules.law import AFTERMATH, FIGHTING, Combatant, Viewer


class LastSeen(NamedTuple):
    """Where a unit left the battle: the turn (0 for setup), and its last hex ("" where none is told)."""

    turn: int
    hex: str


class BattleStory(NamedTuple):
    """`turning_point`: the turn that decided the battle; `moment`: what weighs most in it, in words; `stop`: the step
    of the replay it begins with. `left`: by unit, where it left the battle.
    """

    course: Course
    turning_point: TurnLosses | None
    moment: Said | None
    stop: int
    left: Mapping[str, LastSeen]


def load_story(battle: Battle, state: Any, viewer: Viewer, winner: int | None) -> BattleStory:
    """As this viewer may know it. `state`: what they see of the battle as it stands."""
    return play_battle_state.reckon_once(battle, ("story", viewer), lambda: _read_story(battle, state, viewer, winner))


def _read_story(battle: Battle, state: Any, viewer: Viewer, winner: int | None) -> BattleStory:
    course, lines = load_course(battle, viewer), log_of(battle, state, viewer)
    turn = course.turning_point(winner)
    moment = _moment(lines, turn) if turn else None
    stop = sum(not line.entry.quiet for line in lines if turn and line.seq < turn.first_event) + 1
    return BattleStory(course, turn, moment, stop, dict(_departures(course, lines)))


def _moment(lines: Sequence[LogLine], turn: TurnLosses) -> Said | None:
    """What weighs most in the turn, of equals the last; the end itself is told elsewhere."""
    told = [
        line
        for line in lines
        if turn.first_event <= line.seq <= turn.last_event
        and not (line.entry.quiet or line.entry.heading or isinstance(line.event, Ended))
    ]
    found = max(reversed(told), key=lambda line: line.entry.weight, default=None)
    return found.entry.text if found else None


def _departures(course: Course, lines: Sequence[LogLine]) -> Iterator[tuple[str, LastSeen]]:
    """Of each unit its end, else the last that is told of it."""
    latest: dict[str, LogLine] = {}
    for line in lines:
        unit = getattr(line.event, "unit", "")
        if unit and not isinstance(getattr(latest.get(unit), "event", None), Destroyed | Withdrawn):
            latest[unit] = line
    for unit, line in latest.items():
        yield unit, LastSeen(course.turn_of(line.seq), getattr(line.event, "at", ""))


LEFT_THE_MAP, FALLEN, UNHURT, FATE_OPEN = _("left the map"), _("fallen"), _("unhurt"), _("fate open")
LASTED = by_number("The battle lasted {count} turn.", "The battle lasted {count} turns.")
CHART_HIGH = 40


class ArmyLosses(NamedTuple):
    """An army as it came and as it is. `fate`: what became of it."""

    army: Combatant
    colour: str
    lost: int
    fate: Said

    @property
    def before(self) -> int:
        return self.army.health + self.lost


class LeaderFate(NamedTuple):
    """A leader, or another character who is gone. `tone`: "warn", "bad" or "quiet"."""

    name: str
    colour: str
    icon: str
    word: Said
    tone: str
    about: tuple[Said | str, ...]


class ChartBar(NamedTuple):
    """What a side lost in a turn, drawn."""

    x: int
    y: int
    high: int
    colour: str


class TurnColumn(NamedTuple):
    """A turn in the chart of losses."""

    number: int
    lost: tuple[int, ...]
    bars: tuple[ChartBar, ...]
    turning: bool


class NextStep(NamedTuple):
    """What comes next, and where it is done ("" where it's nobody's here)."""

    title: Said
    about: Said
    href: str = ""
    now: bool = False


class BattleResult:
    """How a battle ended, as its reader saw it. `asked`: as the board is drawn of it; `gone_words`: the law's, of
    characters who left the battle; `throws_every_fate`: not commanders' alone, in the aftermath.
    """

    def __init__(self, asked: FieldAsked, gone_words: Mapping[str, Term], *, throws_every_fate: bool = False):
        self.asked, self.summary, self.gone_words = asked, asked.summary, gone_words
        self.throws_every_fate = throws_every_fate

    # Who won, and how

    @property
    def winner(self) -> int | None:
        return self.summary.outcome.winner if self.summary.outcome else None

    @property
    def colour(self) -> str:
        return "" if self.winner is None else pick_colour(self.winner)

    @property
    def own_sides(self) -> frozenset[int]:
        """Those of which the reader commands an army."""
        commands, sides = self.asked.viewer.commands, self.summary.sides
        return frozenset(side for side, team in enumerate(sides) if any(map(commands, team.armies)))

    @property
    def takes_part(self) -> bool:
        """Whether the reader stands on one side."""
        return len(self.own_sides) == 1 and not self.asked.viewer.gm

    @property
    def headline(self) -> Said | None:
        """From the reader's side."""
        outcome = self.summary.outcome
        if not outcome or not self.takes_part or outcome.winner is None:
            return outcome.text if outcome else None
        return _("You won the battle.") if outcome.winner in self.own_sides else _("You lost the battle.")

    @property
    def told(self) -> Iterator[Said | str]:
        """The sentences below the headline."""
        outcome = self.summary.outcome
        if outcome and outcome.text != self.headline:
            yield outcome.text
        if outcome and outcome.reason:
            yield closed(outcome.reason)
        if self.course.turns:
            yield say(LASTED, count=len(self.course.turns))

    # Losses

    @cached_property
    def story(self) -> BattleStory:
        return load_story(self.asked.battle, self.asked.state, self.asked.viewer, self.winner)

    @property
    def course(self) -> Course:
        return self.story.course

    @property
    def in_shares(self) -> bool:
        """Whether some army's health is told in hundredths: then nothing is summed up."""
        return any(army.share for army in self.summary.armies.values())

    @cached_property
    def losses(self) -> tuple[tuple[ArmyLosses, ...], ...]:
        """By side."""
        return tuple(
            tuple(self._army(self.summary.armies[army], side) for army in team.armies)
            for side, team in enumerate(self.summary.sides)
        )

    def _army(self, army: Combatant, side: int) -> ArmyLosses:
        lost = lost_by(army, self.course.start.armies.get(army.id))
        fate = army.in_the_end if army.status == FIGHTING else army.status_word
        return ArmyLosses(army, pick_colour(side), lost, fate)

    @property
    def score(self) -> list[tuple[str, str, int, int]]:
        """Of each side its colour, name, what is left and of how much."""
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
        most = max((lost for turn in self.course.turns for lost in turn.lost), default=0)
        return tuple(self._column(place, turn, most) for place, turn in enumerate(self.course.turns))

    def _column(self, place: int, turn: TurnLosses, most: int) -> TurnColumn:
        bars = tuple(
            ChartBar(20 * place + 3 + 7 * side, CHART_HIGH - high, high, pick_colour(side))
            for side, lost in enumerate(turn.lost)
            for high in (CHART_HIGH * lost // max(1, most),)
        )
        return TurnColumn(turn.number, turn.lost, bars, turn is self.turning_point)

    @property
    def chart_size(self) -> tuple[int, int]:
        return 20 * len(self.chart), CHART_HIGH

    @property
    def moment(self) -> Said | None:
        """What weighs most in the turn that decided it."""
        return self.story.moment

    @property
    def replay(self) -> str:
        """The replay at the beginning of that turn."""
        return f"{reverse('battles:replay', args=[self.asked.battle.pk])}?step={self.story.stop}"

    # Leaders

    @cached_property
    def leaders(self) -> tuple[LeaderFate, ...]:
        """Characters who are gone, then the leaders of armies who stand."""
        field = getattr(self.asked.state, "field", None)
        tokens = [token for token in field.tokens.values() if token.character] if field else []
        found = [token for token in tokens if token.gone or self._leads(token)]
        return tuple(self._leader(token) for token in sorted(found, key=lambda token: not token.gone))

    def _leads(self, token: Token) -> bool:
        army = self.summary.armies.get(token.army)
        return bool(army and army.leader and army.leader_name == token.name)

    def _leader(self, token: Token) -> LeaderFate:
        """The fate of who fell is open until the aftermath has thrown for it."""
        army = self.summary.armies.get(token.army)
        leads = self._leads(token)
        led = _("led {army}") if token.gone else _("leads {army}")
        about: list[Said | str] = [say(led, army=army.name) if leads else army.name] if army else []
        if token.gone:
            about.extend(self._where(token))
        return LeaderFate(token.name, pick_colour(token.side), *self._fate(token.gone, leads=leads), tuple(about))

    def _fate(self, gone: str, *, leads: bool) -> tuple[str, Said, str]:
        if not gone:
            return "crested-helmet", UNHURT, "quiet"
        if gone != DESTROYED:
            return "crested-helmet", self.gone_words.get(gone, LEFT_THE_MAP), "quiet"
        if (leads or self.throws_every_fate) and self.summary.status == AFTERMATH:
            return "hourglass", FATE_OPEN, "warn"
        return "tombstone", FALLEN, "bad"

    def _where(self, token: Token) -> Iterator[Said]:
        """The turn they left the battle in, and their last hex."""
        left = self.story.left.get(token.id)
        if left and left.turn and left.hex:
            yield say(_("turn {number}, {hex}"), number=left.turn, hex=left.hex)
        elif left and left.turn:
            yield say(_("turn {number}"), number=left.turn)

    # What comes next

    @property
    def next_steps(self) -> tuple[NextStep, ...]:
        battle = self.asked.battle
        aftermath, report = reverse("battles:aftermath", args=[battle.pk]), reverse("battles:report", args=[battle.pk])
        told = NextStep(_("Report of the battle"), _("what happened, turn by turn, to read or print"), report)
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
