"""Model of counters for rate limits."""

from __future__ import annotations

from django.db import models


class RateLimitCounter(models.Model):
    """Tries under a key (a keyed hash: names and addresses are not kept) until `until`; then it starts anew."""

    key = models.CharField(max_length=64, primary_key=True)
    count = models.PositiveIntegerField()
    until = models.DateTimeField(db_index=True)

    class Meta:
        db_table = "kingdom_tally"

    def __str__(self) -> str:
        return f"{self.count} until {self.until}"
