"""Base model of seats: an army in something that goes on, a battle, or what a ruleset knows beside."""

from __future__ import annotations

from functools import cache
from typing import Any, ClassVar
from uuid import UUID

from django.apps import apps
from django.db.models import Q, QuerySet

from kingdom.models.base import CampaignOwned
from rules.core.text import Said


class ArmySeat(CampaignOwned):
    """An army in a battle, or in what its ruleset knows beside. Those who sit in one meet each other, and the whole
    table sees them all.

    `EVENT`: the foreign key to what it is in · `HELD`: what stands before its name, where the army is listed ·
    `GOES_ON`, `BINDS`: the conditions while the army is listed with it, and while nobody may change the army.
    """

    EVENT: ClassVar[str]
    EVENT_NAME: ClassVar[str]
    HELD: ClassVar[Said]
    GOES_ON: ClassVar[Q]
    BINDS: ClassVar[Q]

    class Meta:
        abstract = True

    @classmethod
    def list_bound(cls, campaign: UUID) -> QuerySet[Any, UUID]:
        """The ids of the campaign's armies that may not be changed now."""
        rows: QuerySet[Any] = cls._default_manager.filter(cls.BINDS, **{f"{cls.EVENT}__campaign": campaign})
        return rows.values_list("army", flat=True)

    @classmethod
    def list_met_by(cls, kingdoms: Any) -> QuerySet[Any]:
        """Seats beside which an army of one of these kingdoms (a query of ids) sits or sat."""
        rows: QuerySet[Any] = cls._default_manager.all()
        return rows.filter(**{f"{cls.EVENT}__in": rows.filter(army__kingdom__in=kingdoms).values(cls.EVENT)})


@cache
def list_seat_models() -> tuple[type[ArmySeat], ...]:
    """Battles first: they know better how an army stands than what else it is in."""
    return tuple(model for model in apps.get_models() if issubclass(model, ArmySeat))
