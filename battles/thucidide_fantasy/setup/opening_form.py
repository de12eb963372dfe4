"""Form that opens a battle of THUCIDIDE fantasy: sides with their generals, and its own house rules."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from battles.default.house_options import HouseOpening
from rules.thucidide_fantasy.battle.setup import OPTIONS
from rules.thucidide_fantasy.house import HOUSE_RULES


class ContingentOpening(HouseOpening):
    rules, names = HOUSE_RULES, OPTIONS
    leader_label, usual_leader = _("General"), _("the first commander of this rank")
