"""Fixtures of an evening of THUCIDIDE fantasy."""

from __future__ import annotations

from types import SimpleNamespace

from battles.models import Battle
from tests.rulesets.thucidide_fantasy import hosts
from tests.worlds import built_once


@built_once
def table(db) -> SimpleNamespace:
    return hosts.hosts()


@built_once
def setting_up(table) -> Battle:
    return hosts.opened(table)


@built_once
def begun(table) -> Battle:
    return hosts.begun(table)
