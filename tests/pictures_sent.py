"""Pictures that tests send."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from PIL import Image


def make_picture(
    form: str = "PNG", width: int = 64, height: int = 64, mode: str = "RGB", color: Any = "purple", **options: Any
) -> bytes:
    """A picture of one color as a file of this format."""
    out = BytesIO()
    Image.new(mode, (width, height), color).save(out, form, **options)
    return out.getvalue()
