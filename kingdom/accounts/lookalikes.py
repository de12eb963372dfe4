"""Lookalike names: letters of several alphabets in one name, and letters that stand for others.

A name is written in one script, as Unicode's reports on security (UTS 39) have it; scripts that are written together
(Latin among Japanese, Chinese or Korean) are one. `unicodedata` knows the script of a letter by its name.
"""

from __future__ import annotations

import unicodedata

TOGETHER = (
    frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"}),
    frozenset({"LATIN", "CJK", "BOPOMOFO"}),
    frozenset({"LATIN", "CJK", "HANGUL"}),
)
ANY = frozenset({"MODIFIER", "IDEOGRAPHIC"})  # they belong to whatever they stand with
LIKE_LATIN = {
    sign: latin
    for signs, letters in (
        ("авеіјкмнорѕстухһԁԛԝ", "abeijkmhopsctyxhdqw"),  # Cyrillic
        ("αβγεηικμνορτυχ", "abyenikmvoptux"),  # Greek
        ("օսոհց", "ounhg"),  # Armenian
    )
    for sign, latin in zip(signs, letters, strict=True)
}
"""Lower case letters whose small or capital form reads as a Latin one."""


def looks_like_another(name: str) -> bool:
    """Whether it mixes scripts, or is written in forms that compatibility makes other letters of (ａ, 𝐚, ⓐ)."""
    if unicodedata.normalize("NFKC", name) != unicodedata.normalize("NFC", name):
        return True
    found = {script for sign in name if (script := _script(sign))}
    return len(found) > 1 and not any(found <= several for several in TOGETHER)


def _script(sign: str) -> str:
    """Of a letter; "" for what belongs to any script."""
    if unicodedata.category(sign)[0] != "L":
        return ""
    script = unicodedata.name(sign, "").partition(" ")[0]
    return "" if script in ANY else script


def find_latin_twin(name: str) -> str:
    """How it reads in Latin where each of its letters looks like a Latin one, "" else."""
    letters = [sign for sign in name.casefold() if sign.isalpha()]
    if not letters or any(sign not in LIKE_LATIN for sign in letters):
        return ""
    return "".join(LIKE_LATIN.get(sign, sign) for sign in name.casefold())
