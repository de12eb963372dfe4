"""Builder of kingdoms with settlements, armies and commanders, for templates, demo campaigns and first steps.

It calls the ordinary services. The caller holds the transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from armies.models import Army, Commander
from armies.ruleset_ui import get_army_ui
from kingdom.models import Campaign, Kingdom, Settlement, User
from kingdom.realms.services import found_kingdom
from kingdom.realms.settlement_services import found_settlement


class HostPlan(NamedTuple):
    """An army in the shape of POST armies/, without kingdom and commander. `leader`: its commander in the shape of POST
    commanders/.
    """

    body: Mapping[str, Any]
    leader: Mapping[str, Any] | None = None


class RealmPlan(NamedTuple):
    """A kingdom, its settlements (each as its service takes it), and its armies."""

    kingdom: Mapping[str, Any]
    towns: Sequence[Mapping[str, Any]] = ()
    hosts: Sequence[HostPlan] = ()


@dataclass
class Built:
    """Everything that was created, in the order of the plan or by name."""

    campaign: Campaign
    kingdoms: list[Kingdom] = field(default_factory=list)
    towns: dict[str, Settlement] = field(default_factory=dict)
    hosts: dict[str, Any] = field(default_factory=dict)
    leaders: dict[str, Commander] = field(default_factory=dict)


def build(by: User, campaign: Campaign, realms: Iterable[RealmPlan]) -> Built:
    """Creates all of these kingdoms. The campaign's ruleset reads the armies. Raises like the services."""
    built = Built(campaign)
    for realm in realms:
        kingdom = settle(by, built, realm)
        for host in realm.hosts:
            muster(by, built, kingdom, host)
    return built


def settle(by: User, built: Built, realm: RealmPlan) -> Kingdom:
    """Creates the kingdom and its settlements."""
    kingdom = found_kingdom(by=by, campaign=built.campaign, **realm.kingdom)
    built.kingdoms.append(kingdom)
    for town in realm.towns:
        built.towns[town["name"]] = found_settlement(by=by, kingdom=kingdom, **town)
    return kingdom


def muster(by: User, built: Built, kingdom: Kingdom, host: HostPlan) -> Army:
    """Creates the army and its commander."""
    api = get_army_ui(built.campaign).api
    given = dict(host.body)
    if host.leader:
        leader = api.appoint_commander(by, kingdom, dict(host.leader))
        built.leaders[leader.name] = leader
        given["commander"] = leader.pk
    army = api.raise_army(by, kingdom, given)
    built.hosts[army.name] = army
    return army
