"""What days, weeks and months do by this law (PF-7, PF-8.4), as `armies.time` asks it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db.models import QuerySet
from django.http import QueryDict

from armies.faces import Cited
from armies.models import TimeStep
from armies.pathfinder.time import passing, undoing
from armies.pathfinder.time.ahead import falls_due
from armies.pathfinder.time.choices import choose
from armies.pathfinder.time.chosen import chosen_for, told_choices, week_of
from armies.pathfinder.time.due import weekly_due
from armies.pathfinder.time.forms import ROLLS, WeekForm
from armies.pathfinder.time.members import WeekMembers
from armies.pathfinder.time.offers import Offers, offers_of, weeks_paid
from armies.pathfinder.time.proposal import WeekProposal
from armies.time.due import DueLine
from armies.time.passage import Passage
from kingdom.models import Campaign, ChronicleEntry, Kingdom, User
from kingdom.selectors import is_gm
from kingdom.world import Change
from rules.text import Said


class PathfinderLife:
    rules = Cited(time="PF-7", back="PF-2.5", freed="PF-2.8", arrives="PF-1.8")
    rolls = ROLLS
    choices_template = "armies/pathfinder/time/choices.html"
    proposal_template = "armies/pathfinder/time/paid.html"
    panel_template = "armies/pathfinder/panels/due.html"
    choices_doc = "`pay_double` also true or false for all kingdoms."
    members = WeekMembers
    dated = undoing.DATED

    def propose(self, passage: Passage) -> WeekProposal:
        return passing.propose(passage)

    def confirm(self, passage: Passage) -> WeekProposal:
        return passing.confirm(passage)

    def restore(self, step: TimeStep) -> None:
        undoing.restore(step)

    def touched(self, entry: ChronicleEntry, other: ChronicleEntry) -> Said | None:
        return undoing.touched(entry, other)

    def due(self, campaign: Campaign, kingdoms: QuerySet[Kingdom]) -> Iterator[DueLine]:
        return falls_due(campaign, kingdoms)

    def panel(self, user: User, campaign: Campaign) -> Mapping[str, Any]:
        """What the week will cost each kingdom the user reads."""
        dues = weekly_due(user, campaign)
        paying = any(due.week.armies for due in dues)
        return {"dues": dues, "paying": paying, "chosen": told_choices(campaign) if is_gm(user, campaign) else []}

    def chosen(self, campaign: Campaign) -> Mapping[str, Sequence[str]]:
        return chosen_for(campaign, week_of(campaign.day))

    def choose(self, campaign: Campaign, choices: Mapping[str, Any]) -> Sequence[Change]:
        return choose(campaign, choices)

    def offers(self, campaign: Campaign) -> Offers:
        return offers_of(campaign)

    def form(self, campaign: Campaign, offers: Offers, data: QueryDict | None = None) -> WeekForm:
        return WeekForm(data, campaign=campaign, offers=offers)

    def shown(self, campaign: Campaign, proposal: WeekProposal) -> Sequence[Mapping[str, Any]]:
        return weeks_paid(campaign, proposal)
