"""Names and rates of fire in documents of this law."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Annotated, Any

from rules.core.errors import InvalidInput
from rules.core.shapes import Spelled, Text
from rules.core.text import _

type Json = dict[str, Any]

NAME_MOST, RATE_CHARACTERS = 120, 12
RATE_MOST = 100
FRACTION = re.compile(r"[0-9]{1,4}/[0-9]{1,4}|[0-9]{0,4}\.[0-9]{1,17}|[0-9]{1,4}\.?")


def read_rate(value: object) -> Fraction:
    """Parse shots per round: 2, 0.5 or "1/4". Exponents are refused, because "1e-9999999" would take hours."""
    text = str(value).strip() if isinstance(value, int | float | str) and not isinstance(value, bool) else ""
    try:
        rate = Fraction(text) if FRACTION.fullmatch(text) else Fraction(0)
    except ZeroDivisionError:
        rate = Fraction(0)
    if not (0 < rate <= RATE_MOST and rate.denominator <= RATE_MOST):
        raise InvalidInput(_("Enter a rate of fire above 0 and at most 100, such as 2 or 1/4."))
    return rate


type NameText = Annotated[str, Text(NAME_MOST, _("Give a name of 1 to 120 characters."))]
type Rate = Annotated[Fraction, Spelled(read_rate, str, RATE_CHARACTERS)]
