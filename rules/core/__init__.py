"""Values every law shares: dice, text, breakdowns, errors."""
