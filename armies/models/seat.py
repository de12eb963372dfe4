"""Base model of seats: an army in a battle, or in another event of its ruleset."""

from __future__ import annotations

from functools import cache
from typing import Any, ClassVar
from uuid import UUID

from django.apps import apps
from django.db.models import Q, QuerySet

from kingdom.models.base import CampaignOwned
from rules.core.text import Said


class ArmySeat(CampaignOwned):
    """An army in a battle or another event. Armies of one event have met, and everybody in the campaign sees them.

    `EVENT`: foreign key to the event. `EVENT_NAME`: lookup of its name. `HELD`: text before that name in lists of
    armies. `GOES_ON`: condition while the army is listed with the event. `BINDS`: condition while nobody may change the
    army.
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
        """Ids of the campaign's armies that may not be changed now."""
        rows: QuerySet[Any] = cls._default_manager.filter(cls.BINDS, **{f"{cls.EVENT}__campaign": campaign})
        return rows.values_list("army", flat=True)

    @classmethod
    def list_met_by(cls, kingdoms: Any) -> QuerySet[Any]:
        """Seats in events in which an army of one of these kingdoms (a query of ids) has, or had, a seat."""
        rows: QuerySet[Any] = cls._default_manager.all()
        return rows.filter(**{f"{cls.EVENT}__in": rows.filter(army__kingdom__in=kingdoms).values(cls.EVENT)})


@cache
def list_seat_models() -> tuple[type[ArmySeat], ...]:
    """All seat models, battles first: they know an army's present state best."""
    return tuple(model for model in apps.get_models() if issubclass(model, ArmySeat))
