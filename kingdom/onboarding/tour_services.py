"""Service of the tour: it is remembered who has taken or skipped it."""

from __future__ import annotations

from kingdom.access.decorators import unrestricted
from kingdom.models import User


@unrestricted("It is their own setting.")
def end_tour(*, by: User) -> None:
    """The tour is not offered to them any more. They can take it again from Help."""
    if not by.tour_taken:
        by.tour_taken = True
        by.save(update_fields=["tour_taken"])
