"""WARHOST_HOME: the one directory that holds what this installation made up or stored."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

BASE_DIR = Path(__file__).resolve().parent.parent


def home() -> Path:
    """The directory, created on first use. Default: `.warhost` in the checkout, so two checkouts never meet."""
    path = Path(os.environ.get("WARHOST_HOME") or BASE_DIR / ".warhost").expanduser().resolve()
    path.mkdir(parents=True, exist_ok=True)
    return path


def keep_secret(name: str, *, bits: int) -> str:
    """The secret kept under this name, made up on first use. Readable by its owner only."""
    path = home() / name
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text().strip()
    with os.fdopen(handle, "w") as file:
        file.write(secrets.token_hex(bits // 8) + "\n")
    return path.read_text().strip()
