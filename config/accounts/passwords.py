"""Password validators beside Django's own."""

from __future__ import annotations

import re

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

WORDS = ("warhost", "pathfinder", "kingmaker", "kingdom", "royaume", "army", "armee", "gamemaster")
"""Words that attackers try first (docs/asvs.md)."""


class NotOurWords:
    """Password validator: no word of this site with only numbers and signs around it."""

    def validate(self, password: str, user: object = None) -> None:
        letters = re.sub("[^a-z]", "", password.lower())
        if any(letters.removeprefix("my").removeprefix("the").rstrip("s") == word for word in WORDS):
            raise ValidationError(self.get_help_text(), code="password_of_this_site")

    def get_help_text(self) -> str:
        return _("Your password can’t be a word from this site with numbers around it. Choose another one.")
