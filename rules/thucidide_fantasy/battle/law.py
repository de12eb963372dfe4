"""Battle law of THUCIDIDE fantasy (`rules.law.BattleLaw`), as used by the apps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rules.aftermath import BattleTolls, Muster, Sequel
from rules.battle_law import (
    AnswerCommand,
    LogEntry,
    Pending,
    Selection,
    Settling,
    SettlingEvent,
    Shapes,
    Stage,
    Summary,
)
from rules.core.dice import Dice, DieSide
from rules.core.errors import demand, require
from rules.core.odds import OddsLaw
from rules.core.text import Said, Term, _, say
from rules.core.viewers import Viewer
from rules.hexbattle import setup as common_setup
from rules.hexbattle.board import Board, BoardLegal
from rules.hexbattle.common import Revealed
from rules.hexbattle.field import Field, Token
from rules.hexbattle.ground import checked
from rules.hexbattle.law import COMMANDS, EVENTS, HexBattles
from rules.thucidide_fantasy.battle import decide, knowledge, setup, turn
from rules.thucidide_fantasy.battle.aftermath import REASONS, CampaignWorld, proposed, tolls_of
from rules.thucidide_fantasy.battle.decide import question
from rules.thucidide_fantasy.battle.legal.law import command_meant, legal_now, legal_of_setup
from rules.thucidide_fantasy.battle.paces import may_stand
from rules.thucidide_fantasy.battle.player.engine_choice import FantasyMoves
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record import fold
from rules.thucidide_fantasy.battle.record.entering import FrozenBattle, entering, freeze, state_of, thaw
from rules.thucidide_fantasy.battle.record.state import BattleOpening, FantasyState, RaisedType
from rules.thucidide_fantasy.battle.run import Run
from rules.thucidide_fantasy.battle.shown import board
from rules.thucidide_fantasy.battle.situation import unseen_in
from rules.thucidide_fantasy.battle.spells.appeals import RAISED
from rules.thucidide_fantasy.battle.telling.sentences import TELL
from rules.thucidide_fantasy.battle.telling.summary import STATUS_WORDS, stage_of, summary_of, undo_words
from rules.thucidide_fantasy.contingent import ContingentUnit
from rules.thucidide_fantasy.documents import contingent_from
from rules.thucidide_fantasy.figures import Tables, activations_of, unit_figures
from rules.thucidide_fantasy.house import options_of
from rules.thucidide_fantasy.spec import BattleOptions, ContingentSpec, House
from rules.thucidide_fantasy.starter import FACE_GLYPHS, FACE_ITEMS, FACES

SENT_AS: Mapping[type, str] = {common_setup.SetReady: "ready", **c.CALLED}
SHAPES = Shapes(
    opening=BattleOpening,
    command=c.Command | AnswerCommand | COMMANDS | Settling,
    event=e.BattleEvent | EVENTS | SettlingEvent,
    frozen=FrozenBattle,
    called=SENT_AS,
)
MOVES = FantasyMoves()
SYMBOLS = ("attack", "shot", "riposte", "heroes", "surplus", "confirm", "spell", "fire")
"""Names of rolls made with symbol dice."""
REVOCABLE = (
    c.AttachCharacter, c.DeployArmies, c.ChooseCards, c.ActivateUnits, c.GiveOrder, c.MovePiece, c.AnnounceSpell,
    c.EndPhase, c.DeclineSpell, c.OpenMelee, c.OpenShot, c.FleeTo, c.PursueFoe, c.AnswerGod, AnswerCommand,
)  # fmt: skip
LEAST_SHORT, LEAST_LONG = 9, 12


class FantasyBattles(HexBattles):
    """Battle law in which sides alternate turns of four phases: command, movement, combat, spells."""

    zone_rows = 2
    shapes = SHAPES
    status_words: Mapping[str, Term] = STATUS_WORDS
    end_reasons = REASONS

    def __init__(self, house: House | None = None, tables: Tables | None = None):
        self.house, self.tables = house or House(), tables or Tables()

    @property
    def die_sides(self) -> Mapping[str, tuple[DieSide, ...]]:
        sides = tuple(DieSide(slug, FACE_ITEMS[slug].name, FACE_GLYPHS[slug]) for slug in FACES.values())
        return dict.fromkeys(SYMBOLS, sides)

    # Opening and storage

    def check(self, opening: BattleOpening) -> BattleOpening:
        """The opening with its map normalised and all options filled in. Raises `InvalidInput` if it isn't valid."""
        demand(len(opening.sides) == 2, _("A battle needs two sides."), field="/sides")
        for side, name in enumerate(opening.sides):
            own = [army for army in opening.contingents if army.side == side]
            demand(own, _("{side} has no army. Add one."), field=f"/sides/{side}/armies", side=name)
            units = any(army.units for army in own)
            demand(units, _("{side} has no units. Add some."), field=f"/sides/{side}/armies", side=name)
            there = {army.id for army in own}
            here = not opening.generals[side] or opening.generals[side] in there
            demand(here, _("{side}: the general’s army isn’t on this side."), field=f"/sides/{side}/leader", side=name)
        for army in opening.contingents:
            twice = [one.id for one in opening.contingents].count(army.id) > 1
            demand(not twice, _("{army}: already in this battle."), field="/sides/1/armies", army=army.name)
        map_ = checked(opening.map)
        short, long_ = sorted((int(map_["columns"]), int(map_["rows"])))
        fits = short >= LEAST_SHORT and long_ >= LEAST_LONG
        demand(fits, _("The map needs at least 9 hexes in one direction and 12 in the other."), field="/map")
        raised = {
            slug: RaisedType(self.tables.troops[slug].name, unit_figures(ContingentUnit(slug), self.tables))
            for slug in RAISED
            if slug in self.tables.troops
        }
        contingents = tuple(entering(army, opening.salt) for army in opening.contingents)
        options = self._options(opening)
        return opening._replace(map=map_, contingents=contingents, options=options, raised=raised, asked={})

    def _options(self, opening: BattleOpening) -> BattleOptions:
        for name, value in opening.asked.items():
            setup.check_option(name, value, f"/{name}")
        asked: dict[str, Any] = dict(opening.asked)
        given, usual = opening.options, options_of(self.house, self.tables)
        if given == BattleOptions():
            return usual._replace(**asked)
        return given._replace(spells=given.spells or usual.spells, ladder=given.ladder or usual.ladder)

    def open(self, opening: BattleOpening) -> FantasyState:
        return state_of(opening)

    def freeze(self, state: FantasyState) -> FrozenBattle:
        return freeze(state)

    def thaw(self, opening: BattleOpening, frozen: FrozenBattle) -> FantasyState:
        return thaw(opening, frozen)

    # Deciding

    def _decided(self, state: FantasyState, command: Any, dice: Dice, viewer: Viewer) -> tuple[Any, ...]:
        run = Run(state, dice)
        if state.field.ended is None and setup.decide(run, command):
            return tuple(run.events)
        if isinstance(command, common_setup.Place) and setup.enters(state, command):
            setup.enter(run, command)
            return tuple(run.events)
        if isinstance(command, common_setup.Start) and not state.field.started:
            return self._started(state, command, dice, viewer)
        found = super()._decided(state, command, dice, viewer)
        if isinstance(command, common_setup.ChangeMap) and state.fight is not None:
            return self._asked_again(state, found, dice)
        return found

    def _asked_again(self, state: FantasyState, events: Sequence[Any], dice: Dice) -> tuple[Any, ...]:
        """The events, followed by those of asking the open question again on the changed map."""
        run = Run(state, dice)
        run.emit(*events)
        decide.ask_again(run)
        return tuple(run.events)

    def _started(self, state: FantasyState, command: Any, dice: Dice, viewer: Viewer) -> tuple[Any, ...]:
        """The events of the start: cards, victory numbers and the draw of lots."""
        events = super()._decided(state, command, dice, viewer)
        run = Run(state, dice)
        setup.before_start(run)
        run.emit(*events)
        turn.draw_lot(run)
        return tuple(run.events)

    def resolved(self, state: FantasyState, command: Any, dice: Dice, viewer: Viewer) -> Iterable[Any]:
        if isinstance(command, AnswerCommand):
            command = self.answered(state, command, viewer)
        run = Run(state, dice)
        decide.decide(run, command)
        return run.events

    def after(self, state: FantasyState, event: Any) -> FantasyState:
        return fold.after(state, event)

    def unseen(self, field: Field, side: int) -> frozenset[str]:
        """The enemies this side doesn't see. Only groves hide units, from any distance."""
        return unseen_in(field, side)

    def stands(self, state: FantasyState) -> common_setup.MayStand:
        """`may_stand` for this state, which takes flyers into account."""

        def stands_on(field: Field, token: Token, at: str) -> bool:
            return may_stand(state.but(field=field), token.id, at)

        return stands_on

    # Knowledge

    def seen(self, state: FantasyState, viewer: Viewer) -> FantasyState:
        return knowledge.seen(state, viewer)

    def witnessed(self, state: FantasyState, event: Any, viewer: Viewer) -> Any | None:
        told = super().witnessed(state, event, viewer)
        return told if told is None or viewer.gm else knowledge.without_secrets(state, told, viewer)

    # Legal

    def legal(self, state: FantasyState, viewer: Viewer, selection: Selection = ()) -> BoardLegal:
        found = super().legal(state, viewer, selection)
        in_setup = not (state.field.ended or state.field.started)
        return legal_of_setup(state, viewer, selection, found) if in_setup else found

    def legal_in_play(self, state: FantasyState, viewer: Viewer, selection: Selection) -> BoardLegal:
        return legal_now(state, viewer, selection)

    def meant(self, state: FantasyState, selection: Selection) -> Any:
        return command_meant(state, selection)

    def board(self, seen: FantasyState, viewer: Viewer) -> Board:
        """The board of the state a viewer sees, for pages and the API."""
        return board(seen, viewer)

    def pending(self, state: FantasyState, viewer: Viewer) -> Sequence[Pending]:
        found = question(state)
        if found is None or not decide.answers(state, viewer):
            return ()
        return (found,)

    def allows_in_play(self, state: FantasyState, command: Any, viewer: Viewer) -> bool:
        return decide.allows(state, command, viewer)

    def revocable(self, command: Any, events: Sequence[Any]) -> bool:
        """Whether a command can be undone by its player: no dice were rolled and nothing hidden was revealed."""
        if super().revocable(command, events):
            return True
        if not isinstance(command, REVOCABLE):
            return False
        shown = (Revealed, e.DiceThrown, e.PhantomVanished, e.GodAnswered)
        paused = (event.fight.todo[0] for event in events if isinstance(event, e.FightPaused))
        thrown = (getattr(one, "rolls", ()) for one in (*events, *paused))
        return not any(thrown) and not any(isinstance(event, shown) for event in events)

    def doubts(self, state: FantasyState) -> tuple[Said, ...]:
        """Warnings about the setup: sides with different activations (T-42), casters or spell points (T-35)."""
        units = [len(setup.own_units(state, side)) for side in (0, 1)]
        found = list(super().doubts(state))
        if activations_of(units[0]) != activations_of(units[1]):
            more = 0 if units[0] > units[1] else 1
            text = _("{side} activates more units each turn, which is worth more than its extra unit.")
            found.append(say(text, side=state.opening.sides[more]))
        points = [sorted(p.own.points for one, p in state.people.items() if p.own.casts and state.side_of(one) == side)
                  for side in (0, 1)]  # fmt: skip
        if points[0] != points[1]:
            found.append(_("The sides have different casters or spell points."))
        return tuple(found)

    # Texts

    def told(self, state: FantasyState, event: Any) -> LogEntry:
        return TELL[type(event)](state, event)

    def describe(self, state: FantasyState, event: Any) -> LogEntry:
        own = TELL.get(type(event))
        return own(state, event) if own else super().describe(state, event)

    def summary(self, state: FantasyState) -> Summary:
        return summary_of(state)

    def stage(self, kind: str, number: int) -> Stage:
        return stage_of(kind, number)

    @property
    def forecast(self) -> OddsLaw:
        """Odds by simulation; the same law also plays sides (F-7)."""
        return MOVES

    def undo_words(self, events: Sequence[Any]) -> Said:
        return undo_words(events)

    def reinforcement(self, army: ContingentSpec, side: int) -> c.Reinforce:
        require(army.units or army.characters, _("This army is empty. Add a unit."))
        return c.Reinforce(army, side)

    def aftermath(self, state: FantasyState, world: CampaignWorld, choices: Mapping[str, str], dice: Dice) -> Sequel:
        return proposed(state, world, choices, dice, self.tables, self.house)

    # Armies of other rulesets

    takes_others = True

    def army_from(self, muster: Muster) -> ContingentSpec:
        return contingent_from(muster, self.tables)

    def tolls(self, state: FantasyState) -> BattleTolls:
        return tolls_of(state)
