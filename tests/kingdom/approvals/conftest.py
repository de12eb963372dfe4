"""A war whose GM leaves their players what is ordinary, and every deed of the world, ready to be asked for."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from types import SimpleNamespace
from typing import Any

from django.apps import apps

from armies.breaking_point.armies import services as generals
from armies.documents import commander_services as declared
from armies.documents.reform_services import ReformedPart, TakenTroops
from armies.forces import services
from armies.forces import services as forces_services
from armies.marches.services import march_along, put_army
from armies.pathfinder.armies.reform_services import WantedArmy
from armies.pathfinder.armies.reserve_services import reserve_army
from armies.pathfinder.armies.resource_services import Share
from armies.pathfinder.armies.services import correct_army, teach_tactic
from armies.pathfinder.armies.trade_services import Disposal, buy_resource
from armies.pathfinder.commanders.services import appoint_commander
from armies.pathfinder.forces.specs import Road
from armies.pathfinder.models import KingdomStock, PathfinderCommander
from kingdom.access.permissions import KINDS
from kingdom.campaign.services import create_campaign, update_campaign
from kingdom.map.services import make_map
from kingdom.models import ApprovalRequest, Campaign, ChronicleEntry, LastChange
from kingdom.models.base import uuid7
from kingdom.realms.planned_services import plan_line
from kingdom.realms.services import assign_player, found_kingdom
from tests.armies.conftest import orc, raised, war  # noqa: F401 - fixtures
from tests.kingdom.conftest import campaign, crown, gm, seat, table  # noqa: F401 - fixtures
from tests.rows import write_rows
from tests.worlds import built_once, rows_of


# Every service a player may need leave for, by its warrant: (its campaign's things) → arguments that change something.
def planned(court: Any) -> str:
    """The line that stands there."""
    return str(court.crown.planned[0]["id"])


DEEDS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "kingdom.update_kingdom": lambda c: {"kingdom": c.crown, "economy": 99},
    "kingdom.record_entry": lambda c: {"kingdom": c.crown, "amount": 100_000, "reason": "Found it"},
    "kingdom.plan_line": lambda c: {"kingdom": c.crown, "name": "Taxes", "amount": 100_000},
    "kingdom.change_line": lambda c: {"kingdom": c.crown, "line": planned(c), "amount": 100_000},
    "kingdom.strike_line": lambda c: {"kingdom": c.crown, "line": planned(c)},
    "kingdom.found_settlement": lambda c: {"kingdom": c.crown, "name": "Varnhold", "buildings": ["castle"]},
    "kingdom.update_settlement": lambda c: {"settlement": c.restov, "districts": 9},
    "kingdom.raze_settlement": lambda c: {"settlement": c.restov},
    "kingdom.put_settlement": lambda c: {"settlement": c.restov, "hex": "C7"},
    "armies.pathfinder.assign_commander": lambda c: {"army": c.levy, "commander": None},
    "armies.pathfinder.promote_soldier": lambda c: {"army": c.guard, "name": "Old Tam"},
    "armies.pathfinder.raise_army": lambda c: {"kingdom": c.crown, "name": "More", "unit": orc(), "count": 5000},
    "armies.pathfinder.raise_armies": lambda c: {
        "kingdom": c.crown, "names": ["2nd levy", "3rd levy"], "unit": orc(), "count": 5000,
    },
    "armies.pathfinder.update_army": lambda c: {"army": c.levy, "count": 50_000},
    "armies.pathfinder.change_army": lambda c: {"army": c.levy, "name": "Great levy", "count": 600, "commander": None},
    "armies.pathfinder.appoint_commander": lambda c: {"kingdom": c.crown, "name": "Hero", "level": 20},
    "armies.pathfinder.update_commander": lambda c: {"commander": c.vell, "level": 20},
    "armies.pathfinder.learn_boon": lambda c: {"commander": c.vell, "boon": "loyalty"},
    "armies.pathfinder.forget_boon": lambda c: {"commander": c.vell, "boon": "defensive-tactics"},
    "armies.pathfinder.buy_resource": lambda c: {"army": c.guard, "resource": "improved-weapons"},
    "armies.pathfinder.issue_from_stores": lambda c: {"army": c.guard, "stock": c.stock},
    "armies.pathfinder.transfer_resource": lambda c: {
        "army": c.levy, "resource": "improved-armor", "to": [Share(c.guard)],
    },
    "armies.pathfinder.ransom_commander": lambda c: {"commander": c.captive},
    "armies.pathfinder.disband_army": lambda c: {
        "army": c.levy, "choices": {"improved-armor": Disposal("give", (Share(c.guard),))}
    },
    "armies.pathfinder.reform_armies": lambda c: {
        "army": c.levy,
        "parts": [WantedArmy(300, resources={"improved-armor": 1}), WantedArmy(200, name="B", commander=c.vell)],
    },
    "armies.pathfinder.reserve_army": lambda c: {"army": c.guard},
    "armies.pathfinder.call_up_army": lambda c: {"army": c.reserve},
    "armies.pathfinder.regroup_army": lambda c: {"army": c.guard},
    "armies.pathfinder.march_army": lambda c: {"army": c.levy, "place": "The ford", "road": Road(hexes=4)},
    "armies.pathfinder.place_army": lambda c: {"army": c.levy, "place": "The ford"},
    "armies.pathfinder.rest_army": lambda c: {"army": c.levy},
    "armies.together.order_armies": lambda c: {
        "campaign": c.campaign, "deed": "march", "armies": [str(c.levy.pk), str(c.guard.pk)],
        "options": {"place": "The ford", "hexes": 4},
    },
    "armies.files.bring_in_table": lambda c: {
        "campaign": c.campaign, "table": "armies", "text": f"kingdom,army,count\n{c.crown.name},{c.levy.name},5000",
    },
    "armies.pathfinder.forget_tactic": lambda c: {"army": c.levy, "tactic": "taunt"},
}  # fmt: skip


# The same for laws that keep all they need in an army's document.
PLAIN_DEEDS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "armies.raise_army": lambda c: {"kingdom": c.crown, "name": "More", "sheet": {"men": 5}},
    "armies.raise_armies": lambda c: {"kingdom": c.crown, "names": ["2nd levy", "3rd levy"], "sheet": {"men": 5}},
    "armies.update_army": lambda c: {"army": c.levy, "sheet": {"men": 50}},
    "armies.change_army": lambda c: {"army": c.levy, "commander": None, "sheet": {"men": 50}},
    "armies.assign_commander": lambda c: {"army": c.levy, "commander": None},
    "armies.place_army": lambda c: {"army": c.levy, "place": "The ford"},
    "armies.march_along": lambda c: {"army": c.levy, "path": ["C2", "D2"], "manner": []},
    "armies.halt_army": lambda c: {"army": c.scouts},
    "armies.disband_army": lambda c: {"army": c.levy},
    "armies.appoint_commander": lambda c: {"kingdom": c.crown, "name": "Hero"},
    "armies.update_commander": lambda c: {"commander": c.vell, "name": "Ser Vell the Old"},
}


# And for the law of breaking points, whose armies are units and whose commanders have figures of their own.
UNIT_DEEDS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "armies.breaking_point.appoint_commander": lambda c: {"kingdom": c.crown, "name": "Hero", "mental": 8},
    "armies.breaking_point.update_commander": lambda c: {"commander": c.vell, "art_of_war": 4},
    "armies.breaking_point.train_unit": lambda c: {"army": c.levy, "unit": 0},
    "armies.breaking_point.take_in_recruits": lambda c: {"army": c.levy, "unit": 0, "men": 10, "combat": 1},
}


# And for laws whose commanders have a declared document.
DOCUMENT_DEEDS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "armies.documents.appoint_commander": lambda c: {"kingdom": c.crown, "name": "Hero", "sheet": {"ability": "B"}},
    "armies.documents.update_commander": lambda c: {"commander": c.vell, "sheet": {"ability": "A"}},
    "armies.documents.reform_armies": lambda c: {
        "army": c.levy,
        "parts": [ReformedPart(name="Bows", takes=(TakenTroops(c.levy, "troops", 1),))],
    },
}


@built_once
def wing_court(table) -> SimpleNamespace:  # noqa: F811
    """A campaign by wing command, with the same people."""
    campaign = create_campaign(by=table.gm, name="Wings", ruleset="wing-command")  # noqa: F811
    crown = found_kingdom(by=table.gm, campaign=campaign, name="Crown", treasury=20)  # noqa: F811
    seat(table.gm, campaign, table.ana, "player")
    assign_player(by=table.gm, kingdom=crown, player=table.ana)
    vell = declared.appoint_commander(by=table.gm, kingdom=crown, name="Ser Vell")
    troops = {"troops": [{"type": "foot"}, {"type": "archers"}]}
    levy = forces_services.raise_army(by=table.gm, kingdom=crown, name="Levy", sheet=troops)
    found = SimpleNamespace(gm=table.gm, ana=table.ana, campaign=campaign, crown=crown, vell=vell, levy=levy)
    return afresh(found)


@built_once
def unit_court(table) -> SimpleNamespace:  # noqa: F811
    """A campaign by that law, with the same people."""
    campaign = create_campaign(by=table.gm, name="Rivers", ruleset="breaking-point")  # noqa: F811
    crown = found_kingdom(by=table.gm, campaign=campaign, name="Crown", treasury=20)  # noqa: F811
    seat(table.gm, campaign, table.ana, "player")
    assign_player(by=table.gm, kingdom=crown, player=table.ana)
    vell = generals.appoint_commander(by=table.gm, kingdom=crown, name="Ser Vell")
    swords = {"name": "Swords", "type": "infantry", "strength": 100, "combat": 3, "armour": 0, "group": "contact",
              "weapons": ["sword"], "experience": 20}  # fmt: skip
    levy = forces_services.raise_army(
        by=table.gm, kingdom=crown, name="Levy", sheet={"units": [swords]}, commander=vell
    )
    found = SimpleNamespace(gm=table.gm, ana=table.ana, campaign=campaign, crown=crown, vell=vell, levy=levy)
    return afresh(found)


@built_once
def plain_court(table) -> SimpleNamespace:  # noqa: F811
    """A campaign by such a law, with the same people."""
    campaign = create_campaign(by=table.gm, name="Coins", ruleset="coin")  # noqa: F811
    crown = found_kingdom(by=table.gm, campaign=campaign, name="Crown", treasury=20)  # noqa: F811
    seat(table.gm, campaign, table.ana, "player")
    assign_player(by=table.gm, kingdom=crown, player=table.ana)
    vell = services.appoint_commander(by=table.gm, kingdom=crown, name="Ser Vell")
    levy = forces_services.raise_army(by=table.gm, kingdom=crown, name="Levy", sheet={"men": 2}, commander=vell)
    scouts = forces_services.raise_army(by=table.gm, kingdom=crown, name="Scouts", sheet={"men": 1})
    make_map(by=table.gm, campaign=campaign)
    levy, scouts = (put_army(by=table.gm, army=army, hex="B2") for army in (levy, scouts))
    scouts = march_along(by=table.gm, army=scouts, path=["C2", "D2", "E2"])
    found = SimpleNamespace(
        gm=table.gm, ana=table.ana, campaign=campaign, crown=crown, vell=vell, levy=levy, scouts=scouts
    )
    return afresh(found)


@built_once
def court(war) -> SimpleNamespace:  # noqa: F811
    """The war with the ordinary choices and a map, and one of everything the deeds need."""
    make_map(by=war.gm, campaign=war.campaign)
    guard = raised(war.gm, war.crown, "Guard", count=400)
    correct_army(by=war.gm, army=guard, hp=2)
    reserve = reserve_army(by=war.gm, army=raised(war.gm, war.crown, "Reserve", unit=orc(level=2)))
    buy_resource(by=war.gm, army=war.levy, resource="improved-armor")
    teach_tactic(by=war.gm, army=war.levy, tactic="taunt")
    stock = KingdomStock.objects.create(
        campaign=war.campaign, kingdom=war.crown, resource="improved-armor", size="huge", quantity=1
    )
    plan_line(by=war.gm, kingdom=war.crown, name="Wages", amount=-3)
    captive = appoint_commander(by=war.gm, kingdom=war.crown, name="Poor Wil")
    PathfinderCommander.objects.filter(pk=captive.pk).update(status="captured", ransom=3)
    players_may(war, **{kind: deed.ordinary.value for kind, deed in KINDS.items()})
    found = SimpleNamespace(**vars(war), guard=guard, stock=stock, captive=captive, reserve=reserve)
    found.restov = war.crown.settlements.get()
    return afresh(found)


def players_may(table: Any, **choices: str) -> None:  # noqa: F811
    update_campaign(by=table.gm, campaign=Campaign.objects.get(pk=table.campaign.pk), players_may=choices)


def afresh(found: SimpleNamespace) -> SimpleNamespace:
    """Everything as the database has it now."""
    again = {
        name: type(thing).objects.filter(pk=thing.pk).first() if hasattr(thing, "pk") else thing
        for name, thing in vars(found).items()
    }
    return SimpleNamespace(**again)


def world_of(apps_too: tuple[str, ...] = ("kingdom", "armies", "pathfinder", "battles")) -> dict[str, set[str]]:
    """Every row of every table, but what was asked, and what follows from the chronicle."""
    ours = [model for app in apps_too for model in apps.get_app_config(app).get_models()]
    return rows_of(model._meta.db_table for model in ours if model not in (ApprovalRequest, LastChange))


def more_like(petition: ApprovalRequest, times: int) -> list[ApprovalRequest]:
    """Where only their number counts."""
    rows = [copy(petition) for _time in range(times)]
    for row in rows:
        row.pk = uuid7()
    write_rows(rows)
    return rows


def latest() -> ChronicleEntry:
    found = ChronicleEntry.objects.order_by("-seq").first()
    assert found
    return found
