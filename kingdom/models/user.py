from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.db import models

from kingdom.models.base import Uuid7Model


class User(Uuid7Model, AbstractUser):  # type: ignore[django-manager-missing]
    """A person who signs in. `language` is the one chosen for the pages; empty: what the browser asks for."""

    language = models.CharField(max_length=10, blank=True, default="")
