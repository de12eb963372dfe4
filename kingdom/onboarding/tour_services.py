"""Service that remembers who has taken or skipped the tour."""

from __future__ import annotations

from kingdom.access.decorators import unrestricted
from kingdom.models import User


@unrestricted("It is their own setting.")
def end_tour(*, by: User) -> None:
    """Do not offer the tour to the user any more. They can still start it from Help."""
    if not by.tour_taken:
        by.tour_taken = True
        by.save(update_fields=["tour_taken"])
