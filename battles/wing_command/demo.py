"""Demo campaign of wing command: a battle of Crown and Horde after two turns, and a finished, settled raid."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
from rules.wing_command.battle.player import next_command
from rules.wing_command.battle.record.commands import LineUp
from rules.wing_command.battle.record.state import ACTION, HostState
from rules.wing_command.spec import ATTACK
from rules.wing_command.wing import CROWN, HORDE, SAMPLE_HOSTS, WingCommander, WingSheet, WingTroop

CAMPAIGN = _("Crown and Horde")
AT_THE_FORD = (4, 3, 5, 2, 6, 3, 1, 4, 5, 2)
IN_THE_MEADOWS = (5, 4, 3, 6, 2, 5, 4, 1, 3, 6, 4)
"""The faces of typed dice, repeated from the start when used up."""
SEED = "demo"
MOST = 600  # commands
TURNS_AT_THE_FORD = 2
TURNS_OF_THE_RAID = 4
LEADERS = (("Isaut Verrane", "Tancred Holm", "Alix Morel"), ("Sigrun Vaal", "Brida Kessel", "Ulf Tarn"))
WATCH = WingSheet((WingTroop("foot"), WingTroop("foot", melee=1), WingTroop("archers")), order=ATTACK)
RAIDERS = WingSheet((WingTroop("levy"), WingTroop("beasts"), WingTroop("levy")), order=ATTACK)


def load_demo(owner: User) -> Campaign:
    """Create a demo campaign whose GM is `owner`, using the same services as players."""
    campaign = create_campaign(by=owner, name=translate(CAMPAIGN), ruleset="wing-command", first_steps=False)
    crown, horde = (
        found_kingdom(by=owner, campaign=campaign, name=translate(name)) for name, _wings in SAMPLE_HOSTS.values()
    )
    hosts = [
        [_army(owner, realm, one.name, one.sheet, name, one.commander) for one, name in zip(host, names, strict=True)]
        for realm, host, names in zip((crown, horde), (CROWN, HORDE), LEADERS, strict=True)
    ]
    watch = _army(owner, crown, _("Watch of the meadows"), WATCH, "Odile Brant", WingCommander("C"))
    raiders = _army(owner, horde, _("Raiding party"), RAIDERS, "Skarn", WingCommander("E"))
    fund_first_weeks(owner, (crown, horde))
    _raid(owner, campaign, watch, raiders)
    _ford(owner, campaign, *hosts)
    return campaign


def _army(owner: User, realm: Kingdom, name: Term, sheet: WingSheet, leader: str, commander: WingCommander) -> Army:
    document = shape_of(WingCommander).write(commander)
    led = appoint_commander(by=owner, kingdom=realm, name=leader, sheet=document)
    body = shape_of(WingSheet).write(sheet)
    return raise_army(by=owner, kingdom=realm, name=translate(name), sheet=body, commander=led)


def _ford(owner: User, campaign: Campaign, crown: Sequence[Army], horde: Sequence[Army]) -> None:
    """The battle at the ford, stopped in the third turn before the next wing is chosen."""
    table = _opened(owner, campaign, _("The ford"), crown, horde, "the-ford", AT_THE_FORD)
    _play(table, lambda state: state.turn > TURNS_AT_THE_FORD and state.phase == ACTION)


def _raid(owner: User, campaign: Campaign, watch: Army, raiders: Army) -> None:
    """A raid of some turns, which then ends and is settled."""
    table = _opened(owner, campaign, _("A raid in the meadows"), [watch], [raiders], "meadows", IN_THE_MEADOWS)
    state = _play(table, lambda state: state.turn > TURNS_OF_THE_RAID)
    if not state.field.ended:
        table.play(End(0, translate(_("The raiders escape at nightfall."))))
    table.typing(confirm_aftermath)


def _play(table: DemoTable, until: Callable[[HostState], bool]) -> HostState:
    """Play both sides with the computer player until `until` is true."""
    random = Random(SEED)
    for _command in range(MOST):
        state = play_battle_state.load_state(table.battle)
        if state.field.ended or until(state):
            break
        viewer = Viewer(armies=frozenset(wing.id for wing in state.wings_of(state.side)))
        law = play_battle_state.get_engine(table.battle)
        table.play(next_command(law.seen(state, viewer), viewer, random))
    return state


def _opened(
    owner: User, campaign: Campaign, name: Term, one: Sequence[Army], two: Sequence[Army], land: str,
    faces: tuple[int, ...],
) -> DemoTable:  # fmt: skip
    """An opened battle with both sides lined up, ready and started."""
    sides: list[dict[str, Any]] = [
        {"name": armies[0].kingdom.name, "armies": [str(army.pk) for army in armies]} for armies in (one, two)
    ]
    battle: Battle = open_battle(by=owner, campaign=campaign, name=translate(name), sides=sides, map=land)
    table = DemoTable(owner, battle, faces)
    for side in (0, 1):
        table.play(LineUp(tuple(sides[side]["armies"])), SetReady(side))
    table.play(Start())
    return table
