"""The bounds of Morale, and when an army has had enough (PF-1.9, PF-7.2)."""

LEAST_MORALE, MOST_MORALE = -4, 4
ARREARS = 2  # Morale, while anything is owed


def breaks(morale: int, arrears: bool) -> bool:
    """Whether the army disbands: at −5 or less, arrears included, before the figure is clamped."""
    return morale - (ARREARS if arrears else 0) < LEAST_MORALE


def clamped(morale: int) -> int:
    return max(LEAST_MORALE, min(MOST_MORALE, morale))
