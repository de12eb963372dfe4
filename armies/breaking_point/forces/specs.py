"""Specs of armies and commanders, as the rules read them."""

from __future__ import annotations

from typing import Any

from armies.models import Army, Commander
from kingdom.models import Campaign
from kingdom.realms.figures import get_ruleset
from rules.breaking_point.arms import Tables
from rules.breaking_point.documents import general_from
from rules.breaking_point.spec import General, Host, Unit
from rules.core.errors import Refusal


def load_units(army: Army) -> tuple[Unit, ...]:
    """Units of the army; empty where the ruleset no longer accepts them."""
    law: Any = get_ruleset(army.campaign)
    try:
        found: tuple[Unit, ...] = law.armies.units_of(army.sheet)
    except Refusal:
        return ()
    return found


def build_host(army: Army) -> Host:
    """The army with its commander. Needs `commander` and `campaign` loaded."""
    leader = build_general(army.commander)
    return Host(str(army.pk), army.name, str(army.kingdom_id), load_units(army), leader, army.status)


def tables_of(campaign: Campaign) -> Tables:
    """Tables of types, weapons, armours and machines that documents of this campaign may name."""
    law: Any = get_ruleset(campaign)
    tables: Tables = law.tables
    return tables


def build_general(commander: Commander | None) -> General | None:
    return None if commander is None else general_from(str(commander.pk), commander.name, commander.sheet)
