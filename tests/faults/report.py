"""What was done to Warhost and how it bore it, in figures: `build/faults.json`, which `make test-full` writes."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from config.ops.data_directory import BASE_DIR

REPORT = BASE_DIR / "build" / "faults.json"
ROUNDS = int(os.environ.get("WARHOST_FAULT_ROUNDS", "0"))

type Figure = int | float | str


def rounds(usual: int) -> int:
    """How often a fault is done: as usual, or as often as WARHOST_FAULT_ROUNDS says, for a quick look."""
    return ROUNDS or usual


def told(name: str, **figures: Figure) -> None:
    """Enter these figures of a fault, in the place of those of another time. Raises nothing if others write too."""
    REPORT.parent.mkdir(exist_ok=True)
    with Path(f"{REPORT}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        known = json.loads(REPORT.read_text()) if REPORT.exists() else []
        entries = {entry["name"]: entry for entry in known} | {name: {"name": name, **figures}}
        REPORT.write_text(json.dumps([entries[key] for key in sorted(entries)], indent=2) + "\n")


def spread(seconds: Sequence[float]) -> dict[str, Figure]:
    """The median and the worst of these."""
    return {"median_s": round(median(seconds), 3), "worst_s": round(max(seconds), 3)}
