"""Pictures people send: what is kept of them, and what is refused."""

from __future__ import annotations

import random
import struct
import zlib
from functools import cache
from io import BytesIO
from itertools import pairwise, product
from math import hypot, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from core.images import BACKGROUND, CLOSE, PORTRAIT, clean_image, demand_stored, mask_image
from rules.core.errors import InvalidInput
from tests.pictures_sent import make_picture


def opened(content: bytes) -> Image.Image:
    return Image.open(BytesIO(content))


SIDE = 1 / sqrt(3)
HEXAGON = ((0, -SIDE), (0.5, -SIDE / 2), (0.5, SIDE / 2), (0, SIDE), (-0.5, SIDE / 2), (-0.5, -SIDE / 2))
"""Corners of a hex one wide."""
PLACES = st.tuples(st.integers(0, 2), st.integers(0, 2))


@cache
def make_stored(width: int, height: int) -> bytes:
    return clean_image(make_picture("PNG", width, height, color="red"), BACKGROUND).content


def refusal_of(sent: bytes) -> str:
    with pytest.raises(InvalidInput) as refused:
        clean_image(sent)
    assert refused.value.field == "/file"
    return str(refused.value)


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP"])
def test_every_picture_is_kept_as_a_small_webp_file(form):
    kept = clean_image(make_picture(form, 2000, 1000))
    image = opened(kept.content)
    assert (image.format, image.size) == ("WEBP", (512, 256)) == ("WEBP", (kept.width, kept.height))
    assert demand_stored(kept.content) == kept


def test_a_small_picture_is_not_enlarged():
    assert clean_image(make_picture("PNG", 64, 40))[2:] == (64, 40)


def test_nothing_but_the_picture_is_kept():
    exif = Image.Exif()
    exif[0x010F], exif[0x8825] = "SECRETCAM", {1: "N"}
    notes = PngInfo()
    notes.add_itxt("Author", "SECRETNAME", zip=True)
    for sent in (
        make_picture("JPEG", exif=exif, comment=b"SECRETNOTE", icc_profile=b"SECRETICC" * 20),
        make_picture("PNG", pnginfo=notes, exif=exif),
        make_picture("WEBP", exif=exif, xmp=b"<x>SECRETXMP</x>"),
    ):
        kept = clean_image(sent).content
        assert b"SECRET" not in kept
        assert not opened(kept).getexif()


def test_a_picture_taken_sideways_is_turned_upright():
    exif = Image.Exif()
    exif[0x0112] = 6  # the camera was turned to the right
    kept = clean_image(make_picture("JPEG", 400, 200, exif=exif))
    assert (kept.width, kept.height) == (200, 400)


def test_of_an_animation_the_first_frame_is_kept():
    first, second = Image.new("RGB", (64, 64), "red"), Image.new("RGB", (64, 64), "blue")
    out = BytesIO()
    first.save(out, "WEBP", save_all=True, append_images=[second], duration=100, lossless=True)
    kept = opened(clean_image(out.getvalue()).content)
    red, _green, blue = kept.convert("RGB").getpixel((32, 32))
    assert (getattr(kept, "n_frames", 1), red > 200, blue < 60) == (1, True, True)


def test_transparent_places_stay_so():
    kept = opened(clean_image(make_picture("PNG", mode="RGBA", color=(10, 20, 30, 0))).content)
    assert kept.convert("RGBA").getpixel((20, 20))[3] == 0


def test_noise_still_becomes_a_small_file():
    noise = Image.frombytes("RGB", (700, 700), random.Random(7).randbytes(700 * 700 * 3))
    out = BytesIO()
    noise.save(out, "JPEG", quality=90)
    assert len(clean_image(out.getvalue()).content) <= PORTRAIT.stored


def test_a_picture_below_a_map_is_kept_large_but_not_larger_than_it_may_be():
    noise = Image.effect_noise((2_600, 2_600), 90)
    out = BytesIO()
    noise.save(out, "JPEG", quality=60)
    kept = clean_image(out.getvalue(), BACKGROUND)
    assert 512 < kept.width <= BACKGROUND.side
    assert demand_stored(kept.content, BACKGROUND) == kept
    with pytest.raises(InvalidInput, match="512 × 512"):
        demand_stored(kept.content)


def test_of_a_masked_picture_nothing_is_left_but_what_is_shown():
    sent = make_picture("PNG", 3000, 1000, color="red")
    left, right = ([(x, 0), (x + 600, 0), (x + 600, 900), (x, 900)] for x in (0, 500))
    kept = mask_image(clean_image(sent, BACKGROUND).content, [left], [right])
    image = opened(kept.content).convert("RGBA")
    assert image.size == (kept.width, kept.height) == (2048, 683)
    assert [image.getpixel((x, 300))[3] for x in (100, 330, 345, 400, 2000)] == [255, 255, 0, 0, 0]
    assert image.getpixel((100, 660))[3] == 0
    assert image.getpixel((100, 300))[0] > 240


def distance_of(x: float, y: float, polygon: list[tuple[float, float]]) -> float:
    """How far outside of a convex polygon, its corners clockwise as seen, the square pixel lies along an edge's normal;
    negative where no edge parts them.
    """
    across, along = zip(*polygon, strict=True)
    found = max(x - max(across), min(across) - (x + 1), y - max(along), min(along) - (y + 1))
    if found > 1:
        return found
    for (x1, y1), (x2, y2) in pairwise([*polygon, polygon[0]]):
        east, south, long = x2 - x1, y2 - y1, hypot(x2 - x1, y2 - y1)
        corners = [(x + right, y + down) for right in (0, 1) for down in (0, 1)]
        found = max(found, min(((px - x1) * south - (py - y1) * east) / long for px, py in corners))
    return found


@settings(max_examples=12)
@given(
    st.integers(32, 40), st.integers(32, 40), st.floats(-4, 4), st.floats(-4, 4), st.floats(5, 40), st.sets(PLACES),
)  # fmt: skip
def test_no_pixel_that_touches_a_hidden_hex_stays(width, height, left, top, wide, seen):
    hexes = {}
    for column, row in product(range(3), range(3)):
        x, y = left + wide * (column + 0.5 + row % 2 / 2), top + wide * SIDE * (1 + 1.5 * row)
        hexes[column, row] = [(x + east * wide, y + south * wide) for east, south in HEXAGON]
    shown, hidden = ([at for place, at in hexes.items() if (place in seen) is it] for it in (True, False))
    kept = mask_image(make_stored(width, height), shown, hidden)
    alpha = opened(kept.content).convert("RGBA").getchannel("A")
    for x, y in product(range(width), range(height)):
        apart = min((distance_of(x, y, one) for one in hidden), default=1.0)
        within = any(distance_of(x, y, one) < -CLOSE for one in shown)
        if apart < 0 or not shown:
            assert alpha.getpixel((x, y)) == 0
        elif apart > CLOSE and within:
            assert alpha.getpixel((x, y)) > 240


def test_a_picture_smaller_than_a_hex_is_cut_as_quickly():
    far = [(x * 1e6, y * 1e6) for x, y in HEXAGON]
    assert opened(mask_image(make_stored(64, 64), [far], []).content).convert("RGBA").getpixel((5, 5))[3] == 255
    assert opened(mask_image(make_stored(64, 64), [far], [far]).content).convert("RGBA").getpixel((5, 5))[3] == 0


def png_of(width: int, height: int, data: bytes = b"") -> bytes:
    """A PNG file that claims this size."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


REFUSED = {
    "an empty file": (b"", "empty"),
    "a large file": (b"x" * (PORTRAIT.upload + 1), "larger than 2 MB"),
    "a text": (b"Not a picture at all", "JPEG, PNG or WebP"),
    "SVG": (b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', "JPEG, PNG or WebP"),
    "HTML": (b"<html><script>alert(1)</script>", "JPEG, PNG or WebP"),
    "PDF": (b"%PDF-1.7", "JPEG, PNG or WebP"),
    "GIF": (make_picture("GIF"), "JPEG, PNG or WebP"),
    "BMP": (make_picture("BMP"), "JPEG, PNG or WebP"),
    "TIFF": (make_picture("TIFF"), "JPEG, PNG or WebP"),
    "half a WebP header": (make_picture("WEBP")[:20], "JPEG, PNG or WebP"),
    "a narrow picture": (make_picture("PNG", 31, 400), "too small"),
    "a long and narrow picture": (make_picture("PNG", 32, 641), "too long and narrow"),
    "a longer one": (png_of(40_000, 32), "too long and narrow"),
    "17 megapixels": (png_of(4_200, 4_200), "16 megapixels"),
    "144 megapixels": (png_of(12_000, 12_000), "16 megapixels"),
    "3600 megapixels": (png_of(60_000, 60_000), "16 megapixels"),
    "more than any memory": (png_of(2_000_000_000, 2_000_000_000), "16 megapixels"),
    "a PNG without data": (png_of(100, 100, b"no data"), "damaged"),
    "half a JPEG": (make_picture("JPEG", 400, 400)[:1_500], "damaged"),
}


@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_picture_of_ours_is_refused(name):
    sent, words = REFUSED[name]
    assert words in refusal_of(sent)


def test_data_beyond_the_picture_is_not_unpacked():
    kept = clean_image(png_of(100, 100, zlib.compress(b"\0" * 30_000_000)))
    assert (kept.width, kept.height) == (100, 100)


def test_a_picture_with_something_else_behind_it_loses_that():
    kept = clean_image(make_picture("JPEG") + b"PK\x03\x04 an archive <script>").content
    assert b"archive" not in kept


def test_a_stored_file_is_taken_as_it_is_made_and_no_other():
    kept = clean_image(make_picture("JPEG")).content
    animated = BytesIO()
    frames = [Image.new("RGB", (64, 64), color) for color in ("red", "blue")]
    frames[0].save(animated, "WEBP", save_all=True, append_images=frames[1:])
    for other in (
        b"", b"RIFF", kept[:-2], kept + b"more", make_picture("PNG"), make_picture("WEBP", 600, 40),
        make_picture("WEBP", xmp=b"<x/>"), animated.getvalue(), kept[:20] + b"\xff" * (len(kept) - 20),
        b"RIFF\x04\x00\x00\x00WEBP", b"x" * (PORTRAIT.stored + 1),
    ):  # fmt: skip
        with pytest.raises(InvalidInput, match="WebP picture without metadata"):
            demand_stored(other)
