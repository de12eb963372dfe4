"""How many days may pass at once."""

MOST_DAYS = 366
