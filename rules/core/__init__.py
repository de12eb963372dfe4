"""Values that every law shares: dice, text, breakdowns, errors."""
