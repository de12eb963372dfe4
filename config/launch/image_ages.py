"""Check of container images: the comment above every pinned image must give its date.

`python config/launch/image_ages.py` reads Dockerfile and docker-compose.yml, lists images without a date or older than
90 days, and exits with 1 if there are any. It uses no network.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
FILES = ("Dockerfile", "docker-compose.yml")
DAYS_MOST = 90
OWN = "warhost"
FROM = re.compile(r"^FROM\s+(\S+)", re.IGNORECASE)
IMAGE = re.compile(r"^\s*image:\s*(\S+)")
DATED = re.compile(r"^\s*#\s*of\s+(\d{4}-\d{2}-\d{2})\b")
VERSION = re.compile(r":v?\d+\.\d+")  # at least minor version: a release, not only its series


class Pin(NamedTuple):
    """An image, its place, and the date in the comment above it ("" without one)."""

    file: str
    line: int
    image: str
    of: str


def list_pins(name: str, text: str) -> Iterator[Pin]:
    """Yield the images of others that this file uses."""
    above = ""
    for number, line in enumerate(text.splitlines(), 1):
        found = FROM.match(line) or IMAGE.match(line)
        if found and found[1].partition(":")[0] != OWN:
            dated = DATED.match(above)
            yield Pin(name, number, found[1], dated[1] if dated else "")
        above = line


def check_pin(pin: Pin, today: date) -> str:
    """Return a sentence on the problem of the image's pin; "" if there is none."""
    if not VERSION.search(pin.image):
        return "names no version: pin it"
    try:
        age = (today - date.fromisoformat(pin.of)).days
    except ValueError:
        return "says of no day it is: write “# of 2026-11-20” into the line above"
    if age > DAYS_MOST:
        return f"is {age} days old: look for a newer one"
    return ""


def main() -> int:
    found = [pin for name in FILES for pin in list_pins(name, (ROOT / name).read_text())]
    today = date.fromisoformat(os.environ.get("TODAY") or date.today().isoformat())
    told = [(pin, said) for pin in found if (said := check_pin(pin, today))]
    for pin, said in told:
        print(f"{pin.file}:{pin.line}: {pin.image} {said}.", file=sys.stderr)
    if not told:
        print(f"images: {len(found)}, none older than {DAYS_MOST} days.")
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
