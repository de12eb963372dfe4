"""Downloads: answers that lie in temporary files until their readers have them, however slow those are.

Each process counts its own: how many an account has open, and the bytes of all together. Where these have no room for
more, whoever holds most loses a download, so that no account keeps others out.
"""

from __future__ import annotations

import threading
import weakref
from collections import Counter
from http import HTTPStatus
from itertools import count
from tempfile import SpooledTemporaryFile

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from config.web.request_bodies import ClientGone, Refused

IN_MEMORY = 1_048_576  # bytes of one answer; more go to a temporary file
NUMBERS = count()
TOO_MANY = _("You are already downloading %(most)s files. Wait until one is done.")
TOO_MUCH = _("Too much is being downloaded from this server just now: try again in a moment.")


class Downloads:
    """Those under way."""

    def __init__(self) -> None:
        self._lock = threading.RLock()  # one that is forgotten gives back what it took wherever that happens
        self.open: Counter[str] = Counter()
        self.held: Counter[str] = Counter()  # bytes
        self.used = 0
        self._complete: dict[int, tuple[str, weakref.ref[Download]]] = {}  # whose they are; oldest first

    def begin(self, whose: str) -> None:
        """Raises `Refused` where somebody has too many; "" is nobody in particular."""
        with self._lock:
            if whose and self.open[whose] >= settings.DOWNLOADS:
                raise Refused(HTTPStatus.TOO_MANY_REQUESTS, TOO_MANY, most=settings.DOWNLOADS)
            self.open[whose] += 1

    def claim(self, whose: str, size: int) -> None:
        """Raises `Refused` where there is no room for so many bytes more."""
        with self._lock:
            while self.used + size > settings.DOWNLOAD_SPACE:
                self._make_room(self.held[whose] + size)
            self.used += size
            self.held[whose] += size

    def complete(self, number: int, whose: str, download: Download) -> None:
        """It waits for its reader from here on, and may have to make room."""
        with self._lock:
            self._complete[number] = whose, weakref.ref(download)

    def end(self, number: int, whose: str, size: int) -> None:
        with self._lock:
            self._complete.pop(number, None)
            self.open[whose] -= 1
            self.used -= size
            self.held[whose] -= size
            if not self.open[whose]:
                del self.open[whose], self.held[whose]

    def _make_room(self, wanted: int) -> None:
        """Close the oldest download of whoever holds most, if that is more than twice what is wanted."""
        heaviest = max((whose for whose, _file in self._complete.values()), key=self.held.__getitem__, default="")
        if self.held[heaviest] <= 2 * wanted:
            raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, TOO_MUCH)
        oldest = next(number for number, (whose, _file) in self._complete.items() if whose == heaviest)
        _whose, found = self._complete.pop(oldest)
        if download := found():
            download.close()


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
        self._whose, self._number, self._claimed = whose, next(NUMBERS), [0]
        self._end = weakref.finalize(self, _give_back, self._number, whose, self._claimed)

    def write(self, part: bytes) -> int:  # type: ignore[override]
        size = self.tell() + len(part)
        if size > IN_MEMORY:
            downloads.claim(self._whose, size - self._claimed[0])
            self._claimed[0] = size
        return super().write(part)

    def complete(self) -> None:
        """All of it is written: from here on it is read."""
        downloads.complete(self._number, self._whose, self)

    def read(self, size: int = -1) -> bytes:
        """Raises `ClientGone` where it had to make room for another."""
        try:
            return super().read(size)
        except ValueError:
            raise ClientGone from None

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        super().close()
        self._end()


def _give_back(number: int, whose: str, claimed: list[int]) -> None:
    downloads.end(number, whose, claimed[0])
