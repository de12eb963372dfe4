"""Subsetter of the typefaces: reads the files of Fontsource, writes static/fonts (`make fonts`).

Letters: all are kept, those of the extended files included. Hints are removed: only Windows on low-resolution screens
uses them. Digits: lining tabular ones replace the old-style ones. Fractions and other features are removed.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

TARGET = Path(__file__).resolve().parents[2] / "static" / "fonts"
FEATURES = ["ccmp", "kern", "liga", "locl", "mark", "mkmk"]
FIGURES = ("lnum", "tnum")
NOTHING = bytes.fromhex("b801ff85b0048d")  # PUSHW 511, SCANCTRL, PUSHB 4, SCANTYPE
SINGLE, EXTENSION = 1, 7  # types of lookups: one glyph for another; another lookup, far away


def main(source: Path) -> None:
    for file in sorted(TARGET.glob("*.woff2")):
        family = file.name.partition("-latin-")[0]
        (original,) = source.glob(f"@fontsource/{family}/files/{file.name}")
        write_subset(original, file)
        print(f"{file.name}: {original.stat().st_size} → {file.stat().st_size}")


def write_subset(original: Path, file: Path) -> None:
    from fontTools.subset import Options, Subsetter, load_font, save_font

    options = Options(flavor="woff2", hinting=False, layout_features=FEATURES, drop_tables=["STAT", "DSIG"])
    font = load_font(str(original), options)
    letters = set(font.getBestCmap())
    for feature in FIGURES:
        put_in_place(font, feature)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=letters)
    subsetter.subset(font)
    assert set(font.getBestCmap()) == letters
    drop_hints(font)
    save_font(font, str(file), options)


def drop_hints(font: Any) -> None:
    """Leave a program that does nothing but fill gaps: where there is none, FreeType makes hints of its own."""
    from fontTools.ttLib import newTable
    from fontTools.ttLib.tables.ttProgram import Program

    font["prep"] = program = newTable("prep")
    program.program = Program()
    program.program.fromBytecode(NOTHING)
    font["gasp"] = smoothing = newTable("gasp")
    smoothing.version, smoothing.gaspRange = 1, {0xFFFF: 0b1111}


def put_in_place(font: Any, feature: str) -> None:
    """Let characters have the glyphs that this feature would give them."""
    found = {}
    gsub = font["GSUB"].table
    for record in gsub.FeatureList.FeatureRecord:
        if record.FeatureTag == feature:
            for index in record.Feature.LookupListIndex:
                for table in gsub.LookupList.Lookup[index].SubTable:
                    single = table.ExtSubTable if table.LookupType == EXTENSION else table
                    assert single.LookupType == SINGLE, (feature, single.LookupType)
                    found.update(single.mapping)
    for table in font["cmap"].tables:
        table.cmap = {letter: found.get(glyph, glyph) for letter, glyph in table.cmap.items()}


if __name__ == "__main__":
    main(Path(sys.argv[1]))
