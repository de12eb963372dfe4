"""Data directory (WARHOST_HOME): everything this installation made or stored."""

from __future__ import annotations

import fcntl
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

BASE_DIR = Path(__file__).resolve().parents[2]


def get_home() -> Path:
    """The directory, created on first use. Default: `.warhost` in the checkout, so two checkouts never meet."""
    path = Path(os.environ.get("WARHOST_HOME") or BASE_DIR / ".warhost").expanduser().resolve()
    path.mkdir(parents=True, exist_ok=True)
    return path


@contextmanager
def lock_directory(directory: Path, name: str) -> Iterator[None]:
    """One process at a time, of all that share this directory. The kernel opens the lock of one that dies."""
    with (directory / name).open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextmanager
def written_aside(path: Path) -> Iterator[Path]:
    """Where to write what takes the place of `path` when it is whole: others may be reading it, or writing it too."""
    aside = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    try:
        yield aside
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)


def keep_secret(name: str, *, bits: int) -> str:
    """The secret kept under this name, made up on first use. Readable by its owner only.

    Written aside and linked, so that of several first starts one makes it up and none reads half of it.
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
