"""Icon generator: renders the app's icons from static/favicon.svg (`python -m config.app.icons`)."""

from __future__ import annotations

import re
from pathlib import Path

import resvg_py

from config.app import GROUND
from config.ops.data_directory import BASE_DIR

SOURCE = BASE_DIR / "static" / "favicon.svg"
FOLDER = BASE_DIR / "static" / "app"
# A mask may cut off everything outside the central four fifths: the drawing is smaller there, with background to the
# edges.
SIZES = {"icon-192.png": (192, False), "icon-512.png": (512, False), "maskable-512.png": (512, True),
         "touch-180.png": (180, True)}  # fmt: skip
SHRUNK = "translate(107 107) scale(.58)"


def maskable(drawing: str) -> str:
    """Return the drawing reduced to the centre, on a background without rounded corners."""
    return re.sub(r'transform="[^"]*"', f'transform="{SHRUNK}"', drawing).replace(' rx="96"', "")


def draw(folder: Path = FOLDER) -> None:
    """Write all icons."""
    drawing = SOURCE.read_text()
    folder.mkdir(exist_ok=True)
    for name, (size, masked) in SIZES.items():
        svg = maskable(drawing) if masked else drawing
        background = GROUND if masked else None
        picture = resvg_py.svg_to_bytes(svg_string=svg, width=size, height=size, background=background)
        (folder / name).write_bytes(bytes(picture))


if __name__ == "__main__":
    draw()
