"""Queries about an account for its owner."""

from __future__ import annotations

import unicodedata
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.contrib.auth import HASH_SESSION_KEY
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from kingdom.campaign.queries import annotate_namesakes
from kingdom.models import Campaign, Membership, Role, SignIn, User
from kingdom.models.base import Natural


class SignedIn(NamedTuple):
    """A session that is still signed in. `here`: the present one."""

    id: UUID
    device: str
    address: str
    since: datetime
    seen: datetime
    here: bool


SIGN_INS_MOST = 100


def sign_ins_of(user: User, *, here: str) -> list[SignedIn]:
    """Return the user's sessions, the present one (key `here`) first, then by last use; the newest hundred."""
    now, mark = timezone.now(), user.get_session_auth_hash()
    rows = SignIn.objects.filter(user=user, session__expire_date__gt=now).select_related("session")
    kept = [row for row in rows[:SIGN_INS_MOST] if row.session.get_decoded().get(HASH_SESSION_KEY) == mark]
    told = [SignedIn(r.pk, r.device, r.address, r.since, r.seen, r.session_id == here) for r in kept]
    return sorted(told, key=lambda row: not row.here)


# Queries for the deletion of an account: what still prevents it.


def in_the_way(user: User) -> list[Campaign]:
    """Return the campaigns that the user owns, or that would have no GM without them. One query."""
    gms = Membership.objects.filter(campaign=OuterRef("pk"), role=Role.GM)
    only = Exists(gms.filter(user=user)) & ~Exists(gms.exclude(user=user))
    rows = Campaign.objects.filter(Q(owner=user) | Q(only), deleted_at=None)
    return list(annotate_namesakes(user, rows).order_by(Natural("name"), "id"))


# Detection of lookalike names: letters of several scripts in one name, and letters that look like Latin ones.
#
# A name must be in one script (UTS 39). Scripts that are written together (Latin among Japanese, Chinese or Korean)
# count as one. `unicodedata` gives the script in a letter's name.

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
