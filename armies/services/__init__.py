"""Everything that changes armies and commanders. Keyword-only, one transaction each.

Raises `InvalidInput` (the input is wrong), `IllegalCommand` (not possible now, said in the player's
words) or `PermissionDenied`; then nothing has changed.
"""

from armies.services.changing import change_army
from armies.services.command import assign_commander, promote_soldier
from armies.services.commanders import (
    appoint_commander,
    forget_boon,
    learn_boon,
    remove_commander,
    update_commander,
)
from armies.services.disband import Disposal, disband_army, preview_disband
from armies.services.marching import march_army, place_army, reckon_march
from armies.services.muster import correct_army, raise_army, remove_army, reveal_army, update_army
from armies.services.purchase import buy_resource, issue_from_stores
from armies.services.ransom import ransom_commander
from armies.services.recovery import rest_army
from armies.services.tactics import forget_tactic, teach_tactic
from armies.services.transfer import Share, transfer_resource

__all__ = [
    "Disposal",
    "Share",
    "appoint_commander",
    "assign_commander",
    "buy_resource",
    "change_army",
    "correct_army",
    "disband_army",
    "forget_boon",
    "forget_tactic",
    "issue_from_stores",
    "learn_boon",
    "march_army",
    "place_army",
    "preview_disband",
    "promote_soldier",
    "raise_army",
    "ransom_commander",
    "reckon_march",
    "remove_army",
    "remove_commander",
    "rest_army",
    "reveal_army",
    "teach_tactic",
    "transfer_resource",
    "update_army",
    "update_commander",
]
