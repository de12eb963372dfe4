"""Images that people upload: decoded, shrunk, and encoded anew without anything else the file held."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterable, Iterator
from io import BytesIO
from itertools import pairwise
from math import floor, inf
from threading import Lock
from typing import NamedTuple

from PIL import Image, ImageOps

from rules.core.errors import InvalidInput, demand
from rules.core.text import Term, _

PIXELS_MOST = 16 * 1024 * 1024
SIDE_LEAST, PROPORTION_MOST = 32, 20  # fewest pixels of a side; greatest ratio of the longer side to the shorter
FORMATS = ("JPEG", "PNG", "WEBP")
STORED_FORMAT = "WEBP"
QUALITIES = (82, 60, 35, 10)  # the next one where the file is still too large
CHUNKS = frozenset({b"VP8 ", b"VP8L", b"VP8X", b"ALPH"})  # WebP chunks of a file with one frame and no metadata

DAMAGED = _("This picture is damaged and can’t be read. Save it again or choose another.")
TOO_MANY_PIXELS = _("This picture has more than 16 megapixels. Make it smaller first.")
TOO_LONG = _("This picture is too long and narrow. Use one whose longer side is at most 20 times the shorter.")
TOO_SMALL = _("This picture is too small. Use one of at least 32 × 32 pixels.")

type Polygon = list[tuple[float, float]]


class ImageLimits(NamedTuple):
    """Limits of a kind of picture: bytes of what is sent, pixels of a side and bytes of what is kept, and what is said
    of them before (`asked`, `shrunk`) and to a file beyond them.
    """

    upload: int
    side: int
    stored: int
    asked: Term
    shrunk: Term
    too_large: Term
    not_stored: Term


PORTRAIT = ImageLimits(
    upload=2 * 1024 * 1024,
    side=512,
    stored=160 * 1024,
    asked=_("JPEG, PNG or WebP, at most 2 MB. Location, date and camera data are removed."),
    shrunk=_(
        "Large pictures are scaled down to 512 pixels on the longer side. "
        "Everyone who can see the page sees the picture."
    ),
    too_large=_("This picture is larger than 2 MB. Choose a smaller one."),
    not_stored=_("Use a WebP picture without metadata, at most 512 × 512 pixels and 160 KB."),
)
BACKGROUND = ImageLimits(
    upload=8 * 1024 * 1024,
    side=4096,
    stored=3 * 1024 * 1024,
    asked=_("JPEG, PNG or WebP, at most 8 MB and 16 megapixels. Location, date and camera data are removed."),
    shrunk=_(
        "Large pictures are scaled down to 4096 pixels on the longer side. Under fog of war players receive only the "
        "hexes they have seen. Everyone else receives the whole picture, even what lies beyond the hexes."
    ),
    too_large=_("This picture is larger than 8 MB. Choose a smaller one."),
    not_stored=_("Use a WebP picture without metadata, at most 4096 × 4096 pixels and 3 MB."),
)
CLOSE = 1e-6  # tolerance in pixels: a point this near touches the pixel
MASKED_SIDE = 2048  # most pixels of a side of a picture of which only a part is shown

Image.MAX_IMAGE_PIXELS = PIXELS_MOST
warnings.simplefilter("error", Image.DecompressionBombWarning)
_one_at_a_time = Lock()  # so that large pictures sent together do not add up in memory


class StoredImage(NamedTuple):
    """A WebP file. `digest` names its content."""

    content: bytes
    digest: str
    width: int
    height: int


def clean_image(sent: bytes, limits: ImageLimits = PORTRAIT, *, field: str = "/file") -> StoredImage:
    """Decode an uploaded picture, shrink it and encode it anew without metadata. Raises `InvalidInput` for files that
    are too large, too small, or no picture.
    """
    demand(sent, _("This file is empty. Choose a picture."), field=field)
    demand(len(sent) <= limits.upload, limits.too_large, field=field)
    with _one_at_a_time:
        try:
            image = Image.open(BytesIO(sent), formats=FORMATS)
        except (Image.DecompressionBombError, Image.DecompressionBombWarning):
            raise InvalidInput(TOO_MANY_PIXELS, field) from None
        except Exception:  # a hostile file may provoke any error
            raise InvalidInput(_("Choose a JPEG, PNG or WebP picture."), field) from None
        _demand_size(image, field)
        try:
            return _store(_shrink(image, limits.side), limits.stored)
        except Exception:  # a broken file that begins like a picture
            raise InvalidInput(DAMAGED, field) from None


def digest_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def demand_stored(content: bytes, limits: ImageLimits = PORTRAIT, *, field: str = "") -> StoredImage:
    """A file as `clean_image` makes them. Raises `InvalidInput` for any other."""
    demand(len(content) <= limits.stored and set(_list_chunks(content)) <= CHUNKS, limits.not_stored, field=field)
    try:
        image = Image.open(BytesIO(content), formats=(STORED_FORMAT,))
        demand(max(image.size) <= limits.side, limits.not_stored, field=field)
        image.load()
    except InvalidInput:
        raise
    except Exception:  # a hostile file may provoke any error
        raise InvalidInput(limits.not_stored, field) from None
    return StoredImage(content, digest_of(content), image.width, image.height)


def mask_image(content: bytes, shown: Iterable[Polygon], hidden: Iterable[Polygon]) -> StoredImage:
    """Copy of a stored picture, made smaller, with only the areas of `shown`; the rest is transparent. A pixel that a
    `hidden` polygon touches is empty, too: it is cut out before the picture is made smaller, so no color seeps over.
    The polygons are convex.
    """
    with _one_at_a_time:
        image = Image.open(BytesIO(content), formats=(STORED_FORMAT,)).convert("RGBA")
        emptied = bytearray(b"\xff" * (image.width * image.height))
        for polygons, color in ((shown, b"\0"), (hidden, b"\xff")):
            for polygon in polygons:
                for start, end in _list_touched(polygon, image.width, image.height):
                    emptied[start:end] = color * (end - start)
        image.paste((0, 0, 0, 0), mask=Image.frombytes("L", image.size, bytes(emptied)))
        image.thumbnail((MASKED_SIDE, MASKED_SIDE))
        return _store(image, BACKGROUND.stored)


def _list_touched(polygon: Polygon, width: int, height: int) -> Iterator[tuple[int, int]]:
    """Yield the pixels that touch a convex polygon, a row each: from which number to before which, of all the pixels
    row by row. Pillow's own polygons round their corners, so they may leave some out.
    """
    across, along = [x for x, _y in polygon], [y for _x, y in polygon]
    top, bottom = max(0, floor(min(along) - CLOSE)), min(height - 1, floor(max(along) + CLOSE))
    if top > bottom or max(across) < 0 or min(across) > width:
        return
    west, east = [inf] * (bottom - top + 1), [-inf] * (bottom - top + 1)
    for one, other in pairwise([*polygon, polygon[0]]):
        (x1, y1), (x2, y2) = sorted((one, other), key=lambda corner: corner[1])
        slope = (x2 - x1) / (y2 - y1) if y2 > y1 else 0.0
        for row in range(max(top, floor(y1 - CLOSE)), min(bottom, floor(y2 + CLOSE)) + 1):
            ends = (x1 + (max(row, y1) - y1) * slope, x1 + (min(row + 1, y2) - y1) * slope) if slope else (x1, x2)
            west[row - top] = min(west[row - top], *ends)
            east[row - top] = max(east[row - top], *ends)
    for row in range(top, bottom + 1):
        start, end = floor(west[row - top] - CLOSE), floor(east[row - top] + CLOSE) + 1
        if start < width and end > 0:
            yield row * width + max(0, start), row * width + min(width, end)


def _demand_size(image: Image.Image, field: str) -> None:
    demand(image.width * image.height <= PIXELS_MOST, TOO_MANY_PIXELS, field=field)
    demand(min(image.size) >= SIDE_LEAST, TOO_SMALL, field=field)
    demand(max(image.size) <= PROPORTION_MOST * min(image.size), TOO_LONG, field=field)


def _shrink(image: Image.Image, side: int) -> Image.Image:
    """Its first frame, upright, in plain colors."""
    image.draft("RGB", (2 * side, 2 * side))  # decodes a JPEG only at the needed resolution
    upright = ImageOps.exif_transpose(image)
    plain = upright.convert("RGBA" if upright.has_transparency_data else "RGB")
    plain.thumbnail((side, side))
    return plain


def _store(image: Image.Image, most: int) -> StoredImage:
    """The file of a picture, of lower quality and then smaller where it would have more than `most` bytes."""
    content = b""
    for quality in QUALITIES:
        content = _encode(image, quality)
        if len(content) <= most:
            break
    else:
        return _store(image.resize((image.width // 2, image.height // 2)), most)
    return StoredImage(content, digest_of(content), image.width, image.height)


def _encode(image: Image.Image, quality: int) -> bytes:
    out = BytesIO()
    image.save(out, STORED_FORMAT, quality=quality, alpha_quality=quality, method=4, exif=b"", icc_profile=b"", xmp=b"")
    return out.getvalue()


def _list_chunks(content: bytes) -> Iterator[bytes]:
    """The names of the chunks of a WebP file; b"" where it is none."""
    if content[:4] != b"RIFF" or content[8:12] != b"WEBP" or int.from_bytes(content[4:8], "little") != len(content) - 8:
        yield b""
    at = 12
    while at < len(content):
        yield content[at : at + 4]
        size = int.from_bytes(content[at + 4 : at + 8], "little")
        at += 8 + size + size % 2
