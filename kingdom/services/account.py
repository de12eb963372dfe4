"""A person's own settings."""

from __future__ import annotations

from django.conf import settings

from kingdom.inputs import clean_slug
from kingdom.models import User
from kingdom.warrants import freely


@freely("It is his own account.")
def choose_language(*, by: User, language: str) -> None:
    """The language pages speak for this account; empty: what the browser asks for. Raises `InvalidInput`."""
    known = ["", *dict(settings.LANGUAGES)]
    by.language = clean_slug(language, field="/language", among=known)
    by.save(update_fields=["language"])
