"""Images that people upload: decoded, shrunk, and encoded anew without anything else the file held."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterator
from io import BytesIO
from threading import Lock
from typing import NamedTuple

from PIL import Image, ImageOps

from rules.core.errors import InvalidInput, demand
from rules.core.text import _

UPLOAD_MOST = 2 * 1024 * 1024  # bytes
PIXELS_MOST = 16 * 1024 * 1024
SIDE_LEAST, SIDE_MOST = 32, 512  # pixels: of what is sent, of what is kept
STORED_MOST = 160 * 1024  # bytes
FORMATS = ("JPEG", "PNG", "WEBP")
STORED_FORMAT = "WEBP"
QUALITIES = (82, 60, 35, 10)  # the next one where the file is still too large
CHUNKS = frozenset({b"VP8 ", b"VP8L", b"VP8X", b"ALPH"})  # of a file with one frame and no metadata

DAMAGED = _("This picture is damaged and can’t be read. Save it again or choose another.")
NOT_STORED = _("Use a WebP picture without metadata, at most 512 × 512 pixels and 160 KB.")
TOO_MANY_PIXELS = _("This picture has more than 16 megapixels. Make it smaller first.")
TOO_SMALL = _("This picture is too small. Use one of at least 32 × 32 pixels.")

Image.MAX_IMAGE_PIXELS = PIXELS_MOST
warnings.simplefilter("error", Image.DecompressionBombWarning)
_one_at_a_time = Lock()  # so that large pictures sent together do not add up in memory


class StoredImage(NamedTuple):
    """A WebP file. `digest` names its content."""

    content: bytes
    digest: str
    width: int
    height: int


def clean_image(sent: bytes, *, field: str = "/file") -> StoredImage:
    """A picture as it is stored. Raises `InvalidInput` for what is too large, too small, or no picture."""
    demand(sent, _("This file is empty. Choose a picture."), field=field)
    demand(len(sent) <= UPLOAD_MOST, _("This picture is larger than 2 MB. Choose a smaller one."), field=field)
    with _one_at_a_time:
        try:
            image = Image.open(BytesIO(sent), formats=FORMATS)
        except (Image.DecompressionBombError, Image.DecompressionBombWarning):
            raise InvalidInput(TOO_MANY_PIXELS, field) from None
        except Exception:  # whatever a hostile file provokes
            raise InvalidInput(_("Choose a JPEG, PNG or WebP picture."), field) from None
        _demand_size(image, field)
        try:
            return _store(_shrink(image))
        except Exception:  # a file that begins like a picture and is none
            raise InvalidInput(DAMAGED, field) from None


def digest_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def demand_stored(content: bytes, *, field: str = "") -> StoredImage:
    """A file as `clean_image` makes them. Raises `InvalidInput` for any other."""
    demand(len(content) <= STORED_MOST and set(_list_chunks(content)) <= CHUNKS, NOT_STORED, field=field)
    try:
        image = Image.open(BytesIO(content), formats=(STORED_FORMAT,))
        demand(max(image.size) <= SIDE_MOST, NOT_STORED, field=field)
        image.load()
    except InvalidInput:
        raise
    except Exception:  # whatever a hostile document provokes
        raise InvalidInput(NOT_STORED, field) from None
    return StoredImage(content, digest_of(content), image.width, image.height)


def _demand_size(image: Image.Image, field: str) -> None:
    demand(image.width * image.height <= PIXELS_MOST, TOO_MANY_PIXELS, field=field)
    demand(min(image.size) >= SIDE_LEAST, TOO_SMALL, field=field)


def _shrink(image: Image.Image) -> Image.Image:
    """Its first frame, upright, in plain colors."""
    image.draft("RGB", (2 * SIDE_MOST, 2 * SIDE_MOST))  # of a JPEG only as much is decoded as is needed
    upright = ImageOps.exif_transpose(image)
    plain = upright.convert("RGBA" if upright.has_transparency_data else "RGB")
    plain.thumbnail((SIDE_MOST, SIDE_MOST))
    return plain


def _store(image: Image.Image) -> StoredImage:
    content = b""
    for quality in QUALITIES:
        content = _encode(image, quality)
        if len(content) <= STORED_MOST:
            break
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
