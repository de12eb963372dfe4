"""Battle law of wing command (`rules.law.BattleLaw`), as used by the apps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rules.aftermath import BattleTolls, Muster, Sequel
from rules.battle_law import LogEntry, Pending, Selection, Settling, SettlingEvent, Shapes, Stage, Summary
from rules.core.dice import Dice, Roll
from rules.core.errors import InvalidInput, demand, require
from rules.core.odds import OddsLaw
from rules.core.text import Said, Term, _, say
from rules.core.viewers import Viewer
from rules.hexbattle import setup
from rules.hexbattle.board import Board, BoardLegal
from rules.hexbattle.common import Revealed, army_of
from rules.hexbattle.field import SIDES, Field, Token, commands
from rules.hexbattle.ground import checked
from rules.hexbattle.law import CALLED, COMMANDS, EVENTS, HexBattles
from rules.pending import AnswerCommand
from rules.wing_command.battle import shown, turn
from rules.wing_command.battle.aftermath import World, proposed, tolls_of
from rules.wing_command.battle.blows import fate_of
from rules.wing_command.battle.demoralisation import REASONS
from rules.wing_command.battle.legal.law import command_meant, legal_now, legal_of_setup
from rules.wing_command.battle.movement import may_set_up
from rules.wing_command.battle.overrides import WINGS_MOST
from rules.wing_command.battle.player.engine_choice import WingMoves
from rules.wing_command.battle.record import commands as c
from rules.wing_command.battle.record import events as e
from rules.wing_command.battle.record import fold
from rules.wing_command.battle.record.entering import FrozenBattle, freeze, identified, state_of, thaw
from rules.wing_command.battle.record.state import COMMAND, INITIATIVE, ROUT, BattleOpening, HostState
from rules.wing_command.battle.run import Run
from rules.wing_command.battle.setup import check_option, check_start
from rules.wing_command.battle.setup import decide as decide_setup
from rules.wing_command.battle.shown import board
from rules.wing_command.battle.situation import SEES_HIDDEN_WITHIN
from rules.wing_command.battle.spells import check_aim, spell_targets
from rules.wing_command.battle.telling.sentences import TELL, TELL_COMMON
from rules.wing_command.battle.telling.summary import STATUS_WORDS, stage_of, summary_of, undo_words
from rules.wing_command.documents import wing_from
from rules.wing_command.figures import Tables
from rules.wing_command.house import options_of
from rules.wing_command.spec import ZONE_ROWS, BattleOptions, House, WingSpec
from rules.wing_command.starter import SPELLS

SHAPES = Shapes(
    opening=BattleOpening,
    command=c.Command | COMMANDS | AnswerCommand | Settling,
    event=e.BattleEvent | EVENTS | SettlingEvent,
    frozen=FrozenBattle,
    called={**CALLED, **c.CALLED},
)
MOVES = WingMoves()
OF_THE_GM = (c.SetOption, c.NameArmyLeader, c.EditUnit, c.ReportBlow, c.Reinforce, c.Override)
OF_ANY_MEMBER = (c.RollInitiative, c.ResolveRout)
REVOCABLE = (
    c.SetOrder, c.SetPosture, c.LineUp, c.Distribute, c.GiveOrder, c.EndDistribution, c.ChooseSpell, c.PassCommand,
    c.TakeWing, c.UnitAct, c.EndWing,
)  # fmt: skip
OF_ONE_CHARACTER = (c.Distribute, c.ChangeOrder, c.TakeCommand, c.Resign, c.ChooseSpell, c.CastSpell)
PENDING_AIM = "aim"


class WingBattles(HexBattles):
    """Battle law in which sides command, then their wings act in turns, and each action is resolved at once."""

    zone_rows = ZONE_ROWS
    zone_margin = 2
    sees_hidden_within = SEES_HIDDEN_WITHIN
    generated_rows = 18
    """Rows of a generated map, margin included, so that units routed in their zone have a turn to rally (W-62)."""
    shapes = SHAPES
    status_words: Mapping[str, Term] = STATUS_WORDS
    end_reasons = REASONS

    def __init__(self, house: House | None = None, tables: Tables | None = None):
        self.house, self.tables = house or House(), tables or Tables()

    # Opening and storage

    def check(self, opening: BattleOpening) -> BattleOpening:
        """The opening with its map normalised and all options filled in. Raises `InvalidInput` if it isn't valid."""
        demand(len(opening.sides) == 2, _("A battle needs two sides."), field="/sides")
        for side, name in enumerate(opening.sides):
            own = [wing for wing in opening.wings if wing.side == side]
            demand(own, _("{side} has no army. Add one."), field=f"/sides/{side}/armies", side=name)
            told = _("{side}: at most {most} armies, as each is a wing. Remove some.")
            demand(len(own) <= WINGS_MOST, told, field=f"/sides/{side}/armies", side=name, most=WINGS_MOST)
            for wing in own:
                there = [one.id for one in opening.wings if one.side <= side].count(wing.id)
                taken = _("{army}: already in this battle.")
                demand(there == 1, taken, field=f"/sides/{side}/armies", army=wing.name)
                demand(wing.troops, _("{army}: no troops. Add one."), field=f"/sides/{side}/armies", army=wing.name)
            leader = opening.army_leaders[side]
            here = not leader or leader in {wing.id for wing in own}
            demand(here, _("{side}: choose an army leader from this side."), field=f"/sides/{side}/leader", side=name)
        wings = tuple(identified(wing, opening.salt) for wing in opening.wings)
        options = self._options(opening)
        return opening._replace(map=self._checked_map(opening.map), wings=wings, options=options, asked={})

    def _checked_map(self, told: Mapping[str, Any]) -> dict[str, Any]:
        try:
            return checked(told)
        except InvalidInput as refusal:
            raise refusal.below("/map") from refusal

    def _options(self, opening: BattleOpening) -> BattleOptions:
        """The campaign's options, with those chosen for this battle."""
        for name, value in opening.asked.items():
            check_option(name, value, f"/{name}")
        thresholds = {slug: ability.threshold for slug, ability in self.tables.abilities.items()}
        spells = {slug: spell.difficulty for slug, spell in self.tables.spells.items() if not spell.off}
        asked: dict[str, Any] = dict(opening.asked)
        given = opening.options
        if given == BattleOptions():
            given = options_of(self.house)._replace(**asked)
        return given._replace(
            thresholds=dict(given.thresholds or thresholds), difficulties=dict(given.difficulties or spells)
        )

    def open(self, opening: BattleOpening) -> HostState:
        return state_of(opening)

    def freeze(self, state: HostState) -> FrozenBattle:
        return freeze(state)

    def thaw(self, opening: BattleOpening, frozen: FrozenBattle) -> HostState:
        return thaw(opening, frozen)

    # Deciding

    def side_names(self, state: HostState) -> tuple[str, ...]:
        return state.opening.sides

    def _decided(self, state: HostState, command: Any, dice: Dice, viewer: Viewer) -> tuple[Any, ...]:
        if isinstance(command, setup.Start):
            require(not state.field.started, _("The battle has begun already."))
            check_start(state)
        run = Run(state, dice)
        if state.field.ended is None and decide_setup(run, command):
            return tuple(run.events)
        found = super()._decided(state, command, dice, viewer)
        if isinstance(command, setup.ChangeMap) and state.aiming is not None:
            check_aim(self.fold(state, found))
        return found

    def stands(self, state: HostState) -> setup.MayStand:
        """`may_stand` for this state, by posture and with units at the same height."""

        def may_stand(field: Field, token: Token, at: str) -> bool:
            own = state.units.get(token.id)
            return own is not None and may_set_up(state, field, token, at, own.posture)

        return may_stand

    def resolved(self, state: HostState, command: Any, dice: Dice, viewer: Viewer) -> Iterable[Any]:
        run = Run(state, dice)
        turn.decide(run, _aimed(command) if isinstance(command, AnswerCommand) else command)
        return run.events

    def after(self, state: HostState, event: Any) -> HostState:
        return fold.after(state, event)

    # Knowledge

    def seen(self, state: HostState, viewer: Viewer) -> HostState:
        return shown.seen(state, viewer)

    def witnessed(self, state: HostState, event: Any, viewer: Viewer) -> Any | None:
        told = super().witnessed(state, event, viewer)
        return told if told is None or viewer.gm else shown.without_secrets(state, told, viewer)

    # Legal

    def legal(self, state: HostState, viewer: Viewer, selection: Selection = ()) -> BoardLegal:
        found = super().legal(state, viewer, selection)
        in_setup = not (state.field.ended or state.field.started)
        return legal_of_setup(state, viewer, selection, found) if in_setup else found

    def legal_in_play(self, state: HostState, viewer: Viewer, selection: Selection) -> BoardLegal:
        return legal_now(state, viewer, selection)

    def meant(self, state: HostState, selection: Selection) -> Any:
        return command_meant(state, selection)

    def board(self, seen: HostState, viewer: Viewer) -> Board:
        """The board of the state a viewer sees, for pages and the API."""
        return board(seen, viewer)

    def pending(self, state: HostState, viewer: Viewer) -> Sequence[Pending]:
        """The question for the target of a spell that succeeded (W-28)."""
        aiming = state.aiming
        if aiming is None or not aiming.spell or not viewer.commands(army_of(aiming.character)):
            return ()
        options = tuple(
            (target, say(Term("{target}"), target=state.told_name(target) if ":" in target else target))
            for target in spell_targets(state, aiming.character, aiming.spell)
        )
        text = say(_("Choose the target of {spell}."), spell=SPELLS[aiming.spell].name)
        return (Pending(PENDING_AIM, army_of(aiming.character), text, options),)

    def allows_in_play(self, state: HostState, command: Any, viewer: Viewer) -> bool:
        """Whether a viewer may give a command: who commands the unit's army or the acting wing, and the GM."""
        if viewer.gm:
            return True
        if isinstance(command, OF_THE_GM):
            return False
        if isinstance(command, OF_ANY_MEMBER):
            return any(viewer.commands(wing) for wing in state.wings)
        return self._owns(state, command, viewer)

    def _owns(self, state: HostState, command: Any, viewer: Viewer) -> bool:
        """Whether a command's unit or wing is the viewer's. For units they don't see, the answer reveals nothing."""
        match command:
            case c.SetOrder(wing) | c.TakeWing(wing):
                return viewer.commands(wing)
            case c.LineUp(wings):
                return bool(wings) and all(map(viewer.commands, wings))
            case c.EndWing():
                return viewer.commands(state.wing)
            case c.GiveOrder() | c.EndDistribution():
                return state.distribution is not None and viewer.commands(army_of(state.distribution.character))
            case c.Aim() | AnswerCommand():
                return state.aiming is not None and viewer.commands(army_of(state.aiming.character))
            case c.PassCommand(side):
                return self._may_pass(state, side, viewer)
        unit = getattr(command, "character", "") or getattr(command, "unit", "")
        token = state.field.tokens.get(unit)
        if token is None or (token.hidden and unit not in self.seen(state, viewer).field.tokens):
            return any(viewer.commands(wing) for wing in state.wings)
        return commands(viewer, token) or viewer.commands(state.units[unit].wing)

    def _may_pass(self, state: HostState, side: int, viewer: Viewer) -> bool:
        """Whether a viewer may pass: who commands the army leader, or every character left."""
        if side not in SIDES:
            return False
        chief = state.leaders[side]
        if chief and viewer.commands(army_of(chief)):
            return True
        left = turn.commanders(state, side) if state.phase == COMMAND else ()
        return bool(left) and all(viewer.commands(army_of(unit)) for unit in left)

    def revocable(self, command: Any, events: Sequence[Any]) -> bool:
        """Whether a command can be undone by its player: nothing was rolled or revealed (W-33)."""
        if super().revocable(command, events):
            return True
        if not isinstance(command, REVOCABLE):
            return False
        return not any(isinstance(event, Revealed | e.BlowAsked) or _rolled(event) for event in events)

    def bears(self, command: Any, since: Sequence[Any]) -> bool:
        """Whether a command is still valid after commands to other characters only (W-34)."""
        if not isinstance(command, OF_ONE_CHARACTER):
            return False
        return all(isinstance(other, OF_ONE_CHARACTER) and other.character != command.character for other in since)

    # Texts

    def told(self, state: HostState, event: Any) -> LogEntry:
        return (TELL.get(type(event)) or TELL_COMMON[type(event)])(state, event)

    def headline(self, state: HostState, events: Sequence[Any]) -> Said | None:
        """The headline of an attack includes what happened to its target, if that is worse than the result."""
        blow = next((event for event in events if isinstance(event, e.Attacked | e.DuelFought)), None)
        if blow is None or state.field.ended is not None:
            return super().headline(state, events)
        fate = fate_of(blow, events)
        told = self.describe(state, blow).text
        return say(Term("{blow} {fate}"), blow=told, fate=self.describe(state, fate).text) if fate else told

    def onward(self, state: HostState) -> Any | None:
        """The command that needs no decision: initiative, or flights and rallies; None for none."""
        if not state.field.started or state.field.ended is not None or state.blow is not None:
            return None
        return {INITIATIVE: c.RollInitiative(), ROUT: c.ResolveRout()}.get(state.phase)

    def empty(self, state: HostState) -> bool:
        there = isinstance(self.onward(state), c.ResolveRout)
        return there and self.house.empty_phases and turn.has_nothing_to_do(state)

    def undo_words(self, events: Sequence[Any]) -> Said:
        return undo_words(events)

    def summary(self, state: HostState) -> Summary:
        return summary_of(state)

    def stage(self, kind: str, number: int) -> Stage:
        return stage_of(kind, number)

    def reinforcement(self, army: WingSpec, side: int) -> c.Reinforce:
        return c.Reinforce(army, side)

    @property
    def forecast(self) -> OddsLaw:
        """Odds by simulation; the same law also plays sides (F-7)."""
        return MOVES

    def aftermath(self, state: HostState, world: World, choices: Mapping[str, str], dice: Dice) -> Sequel:
        return proposed(state, world, choices, dice)

    # Armies of other rulesets

    takes_others = True

    def army_from(self, muster: Muster) -> WingSpec:
        return wing_from(muster, self.tables)

    def tolls(self, state: HostState) -> BattleTolls:
        return tolls_of(state)


def _aimed(answer: AnswerCommand) -> c.Aim:
    """The answer as an `Aim` command: the target of a spell is this law's only question."""
    demand(answer.key == PENDING_AIM, _("This question hasn’t been asked."), field="/key")
    return c.Aim(answer.choice)


def _rolled(event: Any) -> bool:
    rolls: tuple[Roll, ...] = getattr(event, "rolls", ())
    return bool(rolls)
