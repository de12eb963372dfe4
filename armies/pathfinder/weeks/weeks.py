"""Weeks of mass combat: days, weeks and months (PF-7, PF-8.4), as `armies.weeks` asks for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict

from armies.pathfinder.weeks import services, undo
from armies.pathfinder.weeks.due import in_short, list_weekly_due
from armies.pathfinder.weeks.due_dates import falls_due
from armies.pathfinder.weeks.forms import ROLLS, WeekForm
from armies.pathfinder.weeks.offers import Offers, list_offers, weeks_paid
from armies.pathfinder.weeks.proposal_members import WeekMembers
from armies.pathfinder.weeks.week_choices import choose, chosen_in_words, load_choices
from armies.ruleset_ui import Cited
from kingdom.access.queries import is_gm
from kingdom.models import Campaign, User


class PathfinderLife:
    rules = Cited(time="PF-7", back="PF-2.5", freed="PF-2.8", arrives="PF-1.8")
    rolls = ROLLS
    choices_template = "armies/pathfinder/weeks/choices.html"
    proposal_template = "armies/pathfinder/weeks/paid.html"
    panel_template = "armies/pathfinder/weeks/due.html"
    choices_doc = "`pay_double` also true or false for all kingdoms."
    members = WeekMembers
    dated = undo.DATED

    propose, confirm = staticmethod(services.propose), staticmethod(services.confirm)
    restore, touched = staticmethod(undo.restore), staticmethod(undo.find_touched)
    due, chosen, choose = staticmethod(falls_due), staticmethod(load_choices), staticmethod(choose)
    offers, shown = staticmethod(list_offers), staticmethod(weeks_paid)

    def form(self, campaign: Campaign, offers: Offers, data: QueryDict | None = None) -> WeekForm:
        return WeekForm(data, campaign=campaign, offers=offers)

    def panel(self, user: User, campaign: Campaign) -> Mapping[str, Any]:
        """What the week will cost each kingdom the user reads."""
        chosen = load_choices(campaign, campaign.kingdoms.all())
        dues = in_short(list_weekly_due(user, campaign, chosen))
        told = chosen_in_words(campaign, chosen) if is_gm(user, campaign) else []
        sums = {"spent": dues.spent, "before": dues.before, "after": dues.after}
        return {"dues": dues.shown, "rest": dues.rest, "chosen": told, **sums}
