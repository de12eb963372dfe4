"""Detection of lookalike names: letters of several scripts in one name, and letters that look like Latin ones.

A name must be in one script (UTS 39). Scripts that are written together (Latin among Japanese, Chinese or Korean) count
as one. `unicodedata` gives the script in a letter's name.
"""

from __future__ import annotations

import unicodedata

TOGETHER = (
    frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"}),
    frozenset({"LATIN", "CJK", "BOPOMOFO"}),
    frozenset({"LATIN", "CJK", "HANGUL"}),
)
ANY = frozenset({"MODIFIER", "IDEOGRAPHIC"})  # letters of any script
LIKE_LATIN = {
    sign: latin
    for signs, letters in (
        ("авеіјкмнорѕстухһԁԛԝ", "abeijkmhopsctyxhdqw"),  # Cyrillic
        ("αβγεηικμνορτυχ", "abyenikmvoptux"),  # Greek
        ("օսոհց", "ounhg"),  # Armenian
    )
    for sign, latin in zip(signs, letters, strict=True)
}
"""Lower case letters whose small or capital form looks like a Latin one."""


def looks_like_another(name: str) -> bool:
    """Return whether the name mixes scripts, or uses compatibility forms of other letters (ａ, 𝐚, ⓐ)."""
    if unicodedata.normalize("NFKC", name) != unicodedata.normalize("NFC", name):
        return True
    found = {script for sign in name if (script := _script(sign))}
    return len(found) > 1 and not any(found <= several for several in TOGETHER)


def _script(sign: str) -> str:
    """Return the script of a letter; "" for signs of any script."""
    if unicodedata.category(sign)[0] != "L":
        return ""
    script = unicodedata.name(sign, "").partition(" ")[0]
    return "" if script in ANY else script


def find_latin_twin(name: str) -> str:
    """Return the Latin name that this one looks like, if each of its letters looks like a Latin one; else ""."""
    letters = [sign for sign in name.casefold() if sign.isalpha()]
    if not letters or any(sign not in LIKE_LATIN for sign in letters):
        return ""
    return "".join(LIKE_LATIN.get(sign, sign) for sign in name.casefold())
