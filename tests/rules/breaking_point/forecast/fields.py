"""Battles to be foretold."""

from rules.breaking_point.battle.orders.commands import GiveOrder
from rules.breaking_point.battle.state.battle_state import BodyOrder, FieldMark, Opening, Order, Phase, Side
from rules.breaking_point.documents import units_of
from rules.breaking_point.ruleset import BREAKING_POINT
from rules.breaking_point.spec import Host
from rules.breaking_point.starter import STARTERS
from rules.law import Viewer

LAW = BREAKING_POINT.battle


def host(name, *units, commander=None):
    return Host(name, name.upper(), "kingdom", tuple(STARTERS[slug].unit(heads) for slug, heads in units), commander)


def squadron(name, *units):
    documents = [{"name": slug, "strength": count, "combat": 5, "machine": slug} for slug, count in units]
    return Host(name, name.upper(), "kingdom", units_of({"units": documents}))


def field(*hosts, kind="field", medium="land", law=LAW, marks=()):
    """Each army a side, in its first round; nobody has the initiative."""
    sides = tuple(Side(one.name, (one.id,)) for one in hosts)
    conditions = tuple(FieldMark(mark) for mark in marks)
    opening = law.check(Opening(sides, hosts, kind=kind, medium=medium, conditions=conditions))
    return law.open(opening).changed(phase=Phase("round", 1), scores=(5,) * len(hosts))


def before(battle):
    """The same before its command test."""
    return battle.changed(phase=Phase("command"), scores=())


def told(army, bodies, **order):
    return GiveOrder(Order(army, {key: BodyOrder(*given) for key, given in bodies.items()}, **order))


def who(*armies):
    """Somebody who commands these."""
    return Viewer(armies=frozenset(armies))
