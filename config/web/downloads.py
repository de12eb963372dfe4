"""Downloads: answers that lie in temporary files until their readers have them, however slow those are.

Each process counts its own: how many an account has open, and the bytes of all together.
"""

from __future__ import annotations

import threading
import weakref
from collections import Counter
from http import HTTPStatus
from tempfile import SpooledTemporaryFile

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from config.web.bodies import Refused

IN_MEMORY = 1_048_576  # bytes of one answer; more go to a temporary file
TOO_MANY = _("You are already downloading %(most)s files. Wait until one is done.")
TOO_MUCH = _("Too much is being downloaded from this server just now: try again in a moment.")


class Downloads:
    """Those under way."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.open: Counter[str] = Counter()
        self.used = 0

    def begin(self, whose: str) -> None:
        """Raises `Refused` where somebody has too many; "" is nobody in particular."""
        with self._lock:
            if whose and self.open[whose] >= settings.DOWNLOADS:
                raise Refused(HTTPStatus.TOO_MANY_REQUESTS, TOO_MANY, most=settings.DOWNLOADS)
            self.open[whose] += 1

    def claim(self, size: int) -> None:
        """Raises `Refused` where there is no room for so many bytes more."""
        with self._lock:
            if self.used + size > settings.DOWNLOAD_SPACE:
                raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, TOO_MUCH)
            self.used += size

    def end(self, whose: str, size: int) -> None:
        with self._lock:
            self.open[whose] -= 1
            self.used -= size
            if not self.open[whose]:
                del self.open[whose]


downloads = Downloads()


class Download(SpooledTemporaryFile[bytes]):
    """The file of one. Closed, or forgotten because its reader is gone, it gives back what it took."""

    def __init__(self, whose: str):
        super().__init__(IN_MEMORY)
        try:
            downloads.begin(whose)
        except Refused:
            super().close()
            raise
        self._claimed = [0]
        self._end = weakref.finalize(self, _give_back, whose, self._claimed)

    def write(self, part: bytes) -> int:  # type: ignore[override]
        size = self.tell() + len(part)
        if size > IN_MEMORY:
            downloads.claim(size - self._claimed[0])
            self._claimed[0] = size
        return super().write(part)

    def close(self) -> None:
        super().close()
        self._end()


def _give_back(whose: str, claimed: list[int]) -> None:
    downloads.end(whose, claimed[0])
