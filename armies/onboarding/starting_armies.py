"""Starting armies that a ruleset offers, and the builder of kingdoms with settlements, armies and commanders for
templates, demo campaigns and first steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from armies.models import Army, Commander
from armies.ruleset_ui import get_army_ui
from armies.weeks.passage import sum_upkeep
from kingdom.models import Campaign, Kingdom, Settlement, User
from kingdom.realms import treasury_services
from kingdom.realms.services import found_kingdom, found_settlement
from rules.core.text import Said, Term, _

if TYPE_CHECKING:
    from armies.onboarding.casts import CampaignCast


# Starting armies that a ruleset offers, with their commanders' figures.


class Troop(NamedTuple):
    """A starting army: its name in a list, and its members in the body of POST armies/.

    `leader`: figures of its commander in a template that differ from the defaults.
    """

    name: Said
    body: dict[str, Any]
    leader: Mapping[str, Any] = {}


class Starts(Protocol):
    """Type of `ArmyUI.starts`."""

    templates: bool
    """Whether the campaign templates (`armies.onboarding.casts`) are offered. Then `troops` must have every kind that
    they name.
    """
    casts: Sequence[CampaignCast]
    """Templates of this ruleset only, which are listed first."""

    def troops(self, campaign: Campaign) -> Mapping[str, Troop]:
        """Starting armies by slug, in the reader's language; the first one is preselected."""

    def leader(self, campaign: Campaign) -> dict[str, Any]:
        """A commander's figures in the shape of POST commanders/, without name and kingdom."""

    def arrange(self, by: User, cast: CampaignCast, built: Built) -> None:
        """Hook after a template's armies are created: the ruleset places them and starts blockades."""


class PlainStarts:
    """Starting armies of a ruleset whose documents are numbers: one army, with the form's initial values."""

    templates = False
    casts: Sequence[CampaignCast] = ()

    def troops(self, campaign: Campaign) -> Mapping[str, Troop]:
        from kingdom.realms.figures import get_ruleset

        entries = get_ruleset(campaign).armies.entries
        if any(entry.start is None for entry in entries.values()):
            return {}
        return {"usual": Troop(USUAL, {"sheet": {slug: entry.start for slug, entry in entries.items()}})}

    def leader(self, campaign: Campaign) -> dict[str, Any]:
        return {}

    def arrange(self, by: User, cast: CampaignCast, built: Built) -> None:
        return None


USUAL: Term = _("standard army")


# Builder of kingdoms with settlements, armies and commanders, for templates, demo campaigns and first steps.
#
# It calls the ordinary services. The caller holds the transaction.


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


WEEKS_FUNDED = 4


def fund_first_weeks(by: User, kingdoms: Iterable[Kingdom]) -> None:
    """Gives kingdoms that begin without BP the upkeep of their armies' first weeks, if armies cost anything."""
    for kingdom in kingdoms:
        if not kingdom.treasury and not kingdom.without_treasury and not kingdom.ledger.exists():
            owed = sum_upkeep(kingdom.campaign).get(str(kingdom.pk), 0)
            treasury_services.open_ledger(by=by, kingdom=kingdom, amount=owed * WEEKS_FUNDED)
