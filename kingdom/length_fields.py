"""Form field for lengths: stored in metres, typed and shown in the reader's unit.

The field's name in the request tells the unit: `speed_m` is in metres, `speed_ft` in feet, even if the reader has
changed their unit meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from decimal import Decimal
from typing import Any

from django import forms
from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import get_language

from kingdom.models.user import Units

type Words = str | Promise

BEYOND = Decimal(99_999)  # more than any ruleset allows


class Feet(str):
    """A value typed in feet."""

    __slots__ = ()


def name_in_feet(name: str) -> str:
    return name.removesuffix("_m") + "_ft"


class LengthInput(forms.NumberInput):
    feet = False

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        return super().get_context(name_in_feet(name) if self.feet else name, value, attrs)

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> Any:
        feet = data.get(name_in_feet(name))
        if feet is not None and (self.feet or name not in data):
            return Feet(feet)
        return super().value_from_datadict(data, files, name)

    def format_value(self, value: Any) -> str | None:
        """Return the value converted to the widget's unit; a text that is no number is returned unchanged."""
        if value in (None, ""):
            return None
        typed = isinstance(value, Feet)
        if typed != self.feet:
            with suppress(ArithmeticError):
                value = (convert_to_metres if typed else convert_to_feet)(Decimal(str(value)))
        return str(value)


class LengthField(forms.DecimalField):
    """Form field that returns metres, rounded to 0.01. `in_feet`: its label for readers of feet.

    The rules check the range. Values are clamped to ±`BEYOND`, so that no number is too large for them.
    """

    widget = LengthInput

    def __init__(self, *, in_feet: Words, **options: Any):
        super().__init__(decimal_places=2, **options)
        self.in_feet = in_feet

    def read_by(self, reader: Any) -> None:
        """Set the unit of the user who fills in this form."""
        if reads_feet(reader):
            self.label, self.widget.feet = self.in_feet, True  # type: ignore[assignment]

    def to_python(self, value: Any) -> Any:
        number: Decimal | None = super().to_python(value)
        if number is not None and number.is_finite() and not -BEYOND <= number <= BEYOND:
            number = BEYOND.copy_sign(number)
        if number is None or not isinstance(value, Feet):
            return number
        self.validate(number)
        self.run_validators(number)
        return convert_to_metres(number)


# Units of length. The rules count in metres, and metres are stored; a square is 5 feet or 1.5 m.


FEET_LANGUAGES = frozenset({"en"})  # as in the two editions of the game
A_FOOT = Decimal("0.3")  # in metres, as the two editions of the game count
CENT = Decimal("0.01")


def reads_feet(reader: Any) -> bool:
    """Return whether the reader reads feet: by choice, or by default in English (metres in French)."""
    chosen = getattr(reader, "units", "")
    return chosen == Units.FEET if chosen else (get_language() or settings.LANGUAGE_CODE) in FEET_LANGUAGES


def convert_to_feet(metres: Decimal) -> Decimal:
    """Convert to feet, rounded to 0.01: fine enough to convert every 0.01 m back exactly."""
    return _short((metres / A_FOOT).quantize(CENT))


def convert_to_metres(feet: Decimal) -> Decimal:
    """Convert to metres, rounded to 0.01; exact for whole feet."""
    return _short((feet * A_FOOT).quantize(CENT))


def _short(number: Decimal) -> Decimal:
    """Return the number without trailing zeros: 30, not 30.00."""
    return number.to_integral_value() if number == number.to_integral_value() else number.normalize()
