"""Kingdom checks (PF-3.1, PF-8.2, PF-8.4)."""

from __future__ import annotations

from tests.armies.pathfinder.weeks.oracle.world import Realm

ANARCHY = 20


def control_dc(realm: Realm) -> int:
    if realm.fixed_dc is not None:
        return realm.fixed_dc
    return 20 + realm.size + realm.districts + realm.modifier


def total(realm: Realm, attribute: str, die: int, penalty: int = 0) -> int:
    """What the check comes to: 0 in anarchy."""
    if realm.unrest >= ANARCHY:
        return 0
    return die + getattr(realm, attribute) - realm.unrest - penalty


def passes(realm: Realm, attribute: str, die: int, penalty: int = 0) -> bool:
    """A natural 1 fails and a natural 20 succeeds; in anarchy the check is 0 whatever is rolled."""
    if realm.unrest >= ANARCHY:
        return control_dc(realm) <= 0
    if die in (1, 20):
        return die == 20
    return total(realm, attribute, die, penalty) >= control_dc(realm)
