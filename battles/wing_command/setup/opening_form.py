"""Form that opens a battle of wing command: sides with their army leaders, and what of the house rules is otherwise."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from battles.default.house_options import HouseOpening
from rules.wing_command.battle.setup.setup_commands import OPTIONS
from rules.wing_command.house import HOUSE_RULES


class WingOpening(HouseOpening):
    rules, names = HOUSE_RULES, OPTIONS
    leader_label, usual_leader = _("Army leader"), _("the best commander")
