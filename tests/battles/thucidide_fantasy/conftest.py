"""Two hosts of THUCIDIDE fantasy, a battle between them that is being set up, and one that has cost both sides much."""

from __future__ import annotations

from types import SimpleNamespace

from battles.models import Battle
from tests.battles.conftest import Client
from tests.rulesets.thucidide_fantasy import hosts
from tests.rulesets.thucidide_fantasy.test_secrecy import face
from tests.worlds import built_once

REASON = "for a test"


@built_once
def table(db) -> SimpleNamespace:
    return hosts.hosts()


@built_once
def over(table) -> Battle:
    return build_over(table)


def build_over(table: SimpleNamespace) -> Battle:
    """The realm won. It lost its pikes and three stands more, and its hero is hurt; the dark host lost a unit, its
    hero and its undead, its chief was captured, and a god carried its necromancer home.
    """
    battle = hosts.begun(table, combat="table")
    gm = Client(table.gm, battle)

    def by_hand(name: str, field: str, value: object) -> None:
        gm.ok(type="override", what=hosts.unit(battle, name), field=field, value=value, reason=REASON)

    for name, at in (("Heavy foot 1", "H8"), ("Chief Dark host", "H7"), ("Necromancer", "H4"), ("Court mage", "H11")):
        by_hand(name, "at", at)
    for name, field, left in (
        ("Pikes", "stands", 0), ("Heavy foot 1", "stands", 1), ("Sir Kadrin", "left", 1), ("Light foot", "stands", 0),
        ("Grash", "left", 0),
    ):  # fmt: skip
        by_hand(name, field, left)
    mage = hosts.unit(battle, "Necromancer")
    gm.ok(type="divine", character=mage, dice=[face(mage, "divine", 4, 4)])
    ours, chief = hosts.unit(battle, "Heavy foot 1"), hosts.unit(battle, "Chief Dark host")
    by_hand("Heavy foot 1", "activated", True)
    gm.ok(type="end_phase")
    gm.ok(type="end_phase")
    gm.ok(type="attack", unit=ours, target=chief)
    gm.ok(type="flee", character=chief, hex="H7")
    gm.ok(type="end", winner=0, reason="Night falls")
    return Battle.objects.get(pk=battle.pk)
