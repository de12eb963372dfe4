"""Demo campaign of THUCIDIDE fantasy: a battle of Realm and Dark host after two turns, and a finished raid."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from armies.documents.commander_services import appoint_commander
from armies.forces.services import raise_army
from armies.models import Army
from armies.onboarding.starting_armies import fund_first_weeks
from battles.aftermath.services import confirm_aftermath
from battles.demo_battles import DemoTable
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.setup.services import open_battle
from core.text import translate
from kingdom.campaign.services import create_campaign
from kingdom.models import Campaign, Kingdom, User
from kingdom.realms.services import found_kingdom
from rules.core.shapes import shape_of
from rules.core.text import Term, _
from rules.core.viewers import Viewer
from rules.hexbattle.ending import End
from rules.hexbattle.setup import SetReady, Start
from rules.thucidide_fantasy.battle.player import next_command
from rules.thucidide_fantasy.battle.record.commands import DeployArmies
from rules.thucidide_fantasy.battle.record.state import FIGHTING_PHASE, FantasyState
from rules.thucidide_fantasy.contingent import DARK_HOST, REALM, ContingentCommander, ContingentSheet, ContingentUnit
from rules.thucidide_fantasy.spec import SUB_GENERAL

CAMPAIGN = _("Realm and Dark host")
AT_THE_FORD = (4, 3, 5, 2, 6, 3, 1, 4, 5, 2)
IN_THE_MEADOWS = (3, 6, 4, 5, 4, 3, 6, 2, 5, 4, 1)
"""The faces of typed dice, repeated from the start when used up."""
SEED = "demo"
MOST = 600  # commands
TURNS_AT_THE_FORD = 2
TURNS_OF_THE_RAID = 3
WATCH = ContingentSheet((ContingentUnit("foot-medium"), ContingentUnit("bows"), ContingentUnit("riders-light")))
RAIDERS = ContingentSheet((ContingentUnit("warg-riders"), ContingentUnit("recruits"), ContingentUnit("ogres")))


def load_demo(owner: User) -> Campaign:
    """Create a demo campaign whose GM is `owner`, using the same services as players."""
    campaign = create_campaign(by=owner, name=translate(CAMPAIGN), ruleset="thucidide-fantasy", first_steps=False)
    realm, dark = (found_kingdom(by=owner, campaign=campaign, name=translate(host.name)) for host in (REALM, DARK_HOST))
    hosts = [
        _army(owner, kingdom, host.name, host.called(translate), leader, host.commander)
        for kingdom, host, leader in ((realm, REALM, "Ysolde Marrec"), (dark, DARK_HOST, "Vorgash"))
    ]
    second = ContingentCommander(SUB_GENERAL)
    watch = _army(owner, realm, _("Watch of the meadows"), WATCH, "Odile Brant", second)
    raiders = _army(owner, dark, _("Raiding party"), RAIDERS, "Skarn", second)
    fund_first_weeks(owner, (realm, dark))
    _raid(owner, campaign, watch, raiders)
    _ford(owner, campaign, *hosts)
    return campaign


def _army(
    owner: User, realm: Kingdom, name: Term, sheet: ContingentSheet, leader: str, commander: ContingentCommander
) -> Army:
    document = shape_of(ContingentCommander).write(commander)
    led = appoint_commander(by=owner, kingdom=realm, name=leader, sheet=document)
    body = shape_of(ContingentSheet).write(sheet)
    return raise_army(by=owner, kingdom=realm, name=translate(name), sheet=body, commander=led)


def _ford(owner: User, campaign: Campaign, realm: Army, dark: Army) -> None:
    """The battle at the ford, stopped in the third turn before its combats."""
    table = _opened(owner, campaign, _("The ford"), realm, dark, "the-ford", AT_THE_FORD)
    _play(table, lambda state: state.turn > TURNS_AT_THE_FORD and state.phase == FIGHTING_PHASE)


def _raid(owner: User, campaign: Campaign, watch: Army, raiders: Army) -> None:
    """A raid of some turns, until a surviving unit has lost stands; then it ends and is settled."""
    table = _opened(owner, campaign, _("A raid in the meadows"), watch, raiders, "meadows", IN_THE_MEADOWS)

    def is_night(state: FantasyState) -> bool:
        """Whether the raid can end: a surviving unit has lost stands, which remain visible in its army's document."""
        hurt = (key for key, unit in state.units.items() if unit.stands < unit.start)
        return state.turn > TURNS_OF_THE_RAID and any(state.field.tokens[key].standing for key in hurt)

    state = _play(table, is_night)
    if not state.field.ended:
        table.play(End(0, translate(_("The raiders escape at nightfall."))))
    table.typing(confirm_aftermath)


def _play(table: DemoTable, until: Callable[[FantasyState], bool]) -> FantasyState:
    """Play both sides with the computer player until `until` is true."""
    random = Random(SEED)
    for _command in range(MOST):
        state = play_battle_state.load_state(table.battle)
        if state.field.ended or until(state):
            break
        side = state.fight.side if state.fight else state.side
        viewer = Viewer(armies=frozenset(army for army, own in state.field.armies.items() if own == side))
        law = play_battle_state.get_engine(table.battle)
        table.play(next_command(law.seen(state, viewer), viewer, random))
    return state


def _opened(
    owner: User, campaign: Campaign, name: Term, one: Army, two: Army, land: str, faces: tuple[int, ...]
) -> DemoTable:
    """An opened battle with both sides lined up, ready and started."""
    sides: list[dict[str, Any]] = [{"name": army.kingdom.name, "armies": [str(army.pk)]} for army in (one, two)]
    battle: Battle = open_battle(by=owner, campaign=campaign, name=translate(name), sides=sides, map=land)
    table = DemoTable(owner, battle, faces)
    for side in (0, 1):
        table.play(DeployArmies(tuple(sides[side]["armies"])), SetReady(side))
    table.play(Start())
    return table
