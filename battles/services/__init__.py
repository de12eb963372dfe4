"""Everything that changes battles. Keyword-only, one transaction each.

Raises `InvalidInput` (the input is wrong), `IllegalCommand` (not legal now, said in the player's words),
`StaleVersion` (the battle changed meanwhile), `DiceNeeded` (dice must be typed first), `PermissionDenied`
or `Http404`; then nothing has changed.
"""

from battles.services.aftermath import Proposal, confirm_aftermath, propose_aftermath, roll_anew
from battles.services.errors import StaleVersion, UnknownArmy
from battles.services.obeying import obey
from battles.services.opening import open_battle
from battles.services.playing import Played, play, reinforce
from battles.services.undoing import undo

__all__ = [
    "Played",
    "Proposal",
    "StaleVersion",
    "UnknownArmy",
    "confirm_aftermath",
    "obey",
    "open_battle",
    "play",
    "propose_aftermath",
    "reinforce",
    "roll_anew",
    "undo",
]
