"""Data directory (WARHOST_HOME): everything this installation has generated or stored."""

from __future__ import annotations

import fcntl
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

BASE_DIR = Path(__file__).resolve().parents[2]


def get_home() -> Path:
    """Return the directory, created on first use. Default: `.warhost` in the checkout, so that checkouts do not share
    one.
    """
    path = Path(os.environ.get("WARHOST_HOME") or BASE_DIR / ".warhost").expanduser().resolve()
    path.mkdir(parents=True, exist_ok=True)
    return path


@contextmanager
def lock_directory(directory: Path, name: str) -> Iterator[None]:
    """Hold a file lock in this directory: one process at a time. The kernel releases the lock of a dead process."""
    with (directory / name).open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextmanager
def written_aside(path: Path) -> Iterator[Path]:
    """Context that yields a temporary path and moves the complete file to `path`, which others may be reading or
    writing.
    """
    aside = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    try:
        yield aside
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)


def keep_secret(name: str, *, bits: int) -> str:
    """Return the secret with this name, generated on first use. Only its owner can read it.

    It is written to a temporary file and linked, so that of several first starts one generates it and none reads half
    of it.
    """
    path = get_home() / name
    if not path.exists():
        aside = path.with_name(f".{name}.{os.getpid()}.{secrets.token_hex(4)}")
        try:
            with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(secrets.token_hex(bits // 8) + "\n")
            with suppress(FileExistsError):
                os.link(aside, path)
        finally:
            aside.unlink(missing_ok=True)
    return path.read_text().strip()
