"""`WeeksUI` of mass combat: days, weeks and months (PF-7, PF-8.4)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import connection
from django.http import QueryDict
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from armies.models import TimeStep
from armies.pathfinder.weeks import bulk_sql, services
from armies.pathfinder.weeks.due import falls_due, in_short, list_weekly_due
from armies.pathfinder.weeks.forms import ROLLS, Offers, WeekForm, list_offers, weeks_paid
from armies.pathfinder.weeks.week_choices import choose, chosen_in_words, load_choices
from armies.ruleset_ui import Cited
from kingdom.access.queries import is_gm
from kingdom.api.fields import LineSerializer, serialize_lines
from kingdom.chronicle import changes
from kingdom.models import Campaign, ChronicleEntry, User
from rules.core.errors import require
from rules.core.text import Said, Term, _, say
from rules.pathfinder.weeks import Payment

# Members of a proposal in the API, besides the frame's: payments.


class PaymentSerializer(serializers.Serializer):
    """What an army claimed of its kingdom for a week, and what it got."""

    day = serializers.IntegerField()
    kingdom = serializers.CharField()
    army = serializers.CharField()
    name = serializers.CharField()
    due = serializers.IntegerField(source="due.total")
    spent = serializers.IntegerField()
    paid = serializers.BooleanField()
    arrears_paid = serializers.BooleanField(source="arrears")
    double = serializers.BooleanField()
    breakdown = serializers.SerializerMethodField()

    @extend_schema_field(LineSerializer(many=True))
    def get_breakdown(self, payment: Payment) -> list[Any]:
        return serialize_lines(payment.due)


class WeekMembers(serializers.Serializer):
    payments = PaymentSerializer(many=True)
    grouped = serializers.BooleanField(
        help_text="The armies are too many to name: lines count them by kingdom and rule."
    )


# Undo of passed days, from the records of each step.

DATED = frozenset({"rested_on"})  # count on their day only


def restore(step: TimeStep) -> None:
    """Undoes the step. Raises `IllegalCommand` that names an army which has changed since."""
    params: dict[str, Any] = {"campaign": step.campaign_id, "day": step.day}
    with connection.cursor() as cursor:
        cursor.execute(bulk_sql.OVERTAKEN, params)
        moved = cursor.fetchone()
        name = moved[0] if moved else ""
        require(not moved, _("{army} has changed since or no longer exists. Undo that first."), army=name or "–")
        cursor.execute(bulk_sql.RESTORE, params)
        cursor.execute(bulk_sql.FORGET, params)


def find_touched(time: ChronicleEntry, other: ChronicleEntry) -> Said | None:
    """The army that both this passage of time and the other entry changed; None for none. The passage lists its armies
    only by number.
    """
    days = list(TimeStep.objects.filter(entry=time).values_list("day", flat=True))
    places: dict[str, list[UUID]] = defaultdict(list)
    for change in changes.list_changes(other):
        if change.subject_kind == "army" and change.field in bulk_sql.TOUCHED:
            places[change.field].append(UUID(change.subject_id))
    found = (_name(time, days, field, ids) for field, ids in places.items())
    return next((say(Term("{name}"), name=name) for name in found if name), None)


def _name(time: ChronicleEntry, days: list[int], field: str, ids: list[UUID]) -> str | None:
    params: dict[str, Any] = {"campaign": time.campaign_id, "days": days, "ids": ids}
    with connection.cursor() as cursor:
        cursor.execute(bulk_sql.touched(field), params)
        row = cursor.fetchone()
    return row[0] if row else None


class PathfinderLife:
    rules = Cited(time="PF-7", back="PF-2.5", freed="PF-2.8", arrives="PF-1.8")
    rolls = ROLLS
    choices_template = "armies/pathfinder/weeks/choices.html"
    proposal_template = "armies/pathfinder/weeks/paid.html"
    panel_template = "armies/pathfinder/weeks/due.html"
    choices_doc = "`pay_double` also true or false for all kingdoms."
    members = WeekMembers
    dated = DATED
    burdens = frozenset({"arrears", "owed", "disease", "ill", "drain", "surcharge"})
    strength = "hp"

    propose, confirm = staticmethod(services.propose), staticmethod(services.confirm)
    restore, touched = staticmethod(restore), staticmethod(find_touched)
    due, chosen, choose = staticmethod(falls_due), staticmethod(load_choices), staticmethod(choose)
    offers, shown = staticmethod(list_offers), staticmethod(weeks_paid)

    def form(self, campaign: Campaign, offers: Offers, data: QueryDict | None = None) -> WeekForm:
        return WeekForm(data, campaign=campaign, offers=offers)

    def panel(self, user: User, campaign: Campaign) -> Mapping[str, Any]:
        """Cost of the week for each kingdom the user reads."""
        chosen = load_choices(campaign, campaign.kingdoms.all())
        dues = in_short(list_weekly_due(user, campaign, chosen))
        told = chosen_in_words(campaign, chosen) if is_gm(user, campaign) else []
        sums = {"spent": dues.spent, "before": dues.before, "after": dues.after}
        return {"dues": dues.shown, "rest": dues.rest, "chosen": told, **sums}
