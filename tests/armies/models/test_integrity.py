"""What holds of every table and every row: whose it is, what the treasury is, and that figures keep their reasons."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.apps import apps
from django.db.models import ForeignKey, Model

from armies.pathfinder.armies.march_services import march_army, rest_army
from armies.pathfinder.armies.resource_services import Share, transfer_resource
from armies.pathfinder.armies.services import teach_tactic
from armies.pathfinder.armies.trade_services import Disposal, buy_resource, disband_army
from armies.pathfinder.commanders.command_services import promote_soldier
from armies.pathfinder.commanders.services import update_commander
from armies.pathfinder.forces.specs import Road
from armies.pathfinder.models import PathfinderArmy
from armies.weeks import services as time
from kingdom.campaign.services import create_campaign
from kingdom.chronicle.services import undo_last
from kingdom.models import ChronicleEntry, Kingdom, LedgerEntry
from kingdom.models.base import CampaignOwned
from kingdom.realms.services import found_kingdom
from kingdom.realms.treasury_services import record_entry
from rules.core.errors import Refusal
from tests.armies.conftest import api_of, appointed, orc, raised
from tests.databases import tried
from tests.worlds import built_once

API = "/api/v1"
# they belong to no campaign, or are one; a job is its owner’s: a battle that is nowhere can be foretold too; a campaign
# on its way in is none yet
PEOPLE = {"User", "ApiToken", "IdempotencyRecord", "RateLimitCounter", "SecurityEvent", "SignIn", "Campaign",
          "CampaignImport", "Job", "JobResult"}  # fmt: skip


def game_tables() -> list[type[Model]]:
    ours = [model for model in apps.get_models() if model._meta.app_label in ("kingdom", "armies", "battles")]
    return [model for model in ours if model.__name__ not in PEOPLE]


def test_every_table_of_the_game_carries_its_campaigns_id():
    for model in game_tables():
        assert model._meta.get_field("campaign").null is False, model.__name__


@built_once
def busy_week(war) -> Any:
    """Everything people do to armies in a week, in one campaign of two."""
    gm, levy = war.gm, war.levy
    other = create_campaign(by=gm, name="Elsewhere", ruleset="combat-de-masse")
    raised(gm, found_kingdom(by=gm, campaign=other, name="Far", treasury=9), "Far away")
    buy_resource(by=gm, army=levy, resource="improved-armor")
    buy_resource(by=gm, army=fresh(levy), resource="improved-weapons")
    teach_tactic(by=gm, army=fresh(levy), tactic="taunt")
    guard = raised(gm, war.crown, "Guard", count=200)
    transfer_resource(by=gm, army=fresh(levy), resource="improved-armor", to=[Share(guard)])
    march_army(by=gm, army=fresh(guard), place="the ford", road=Road(hexes=2))
    rest_army(by=gm, army=fresh(levy))
    time.confirm_time(by=gm, campaign=fresh(war.campaign), days=9)
    promote_soldier(by=gm, army=fresh(war.raiders), name="Grak")
    disband_army(by=gm, army=fresh(levy), choices={"improved-weapons": Disposal("store")})
    undo_last(by=gm, campaign=fresh(war.campaign))
    disband_army(by=gm, army=fresh(levy), choices={"improved-weapons": Disposal("sell")})
    return war


def fresh(row: Any) -> Any:
    return type(row).objects.get(pk=row.pk)


def test_every_row_carries_the_campaign_of_what_it_belongs_to(busy_week):
    for model in game_tables():
        links = [field for field in model._meta.fields if isinstance(field, ForeignKey)]
        owned = [field.name for field in links if issubclass(field.related_model, CampaignOwned)]
        for row in model.objects.all():
            for above in filter(None, (getattr(row, name) for name in owned)):
                assert row.campaign_id == above.campaign_id, (model.__name__, row)


def test_every_treasury_is_the_sum_of_its_ledger_and_every_balance_what_was_there(busy_week):
    for kingdom in Kingdom.objects.all():
        total = 0
        for entry in LedgerEntry.objects.filter(kingdom=kingdom).order_by("seq"):
            total += entry.amount
            assert entry.balance == total
        assert kingdom.treasury == total


KEPT = ("hp", "morale", "status", "arrears", "owed", "disease", "ill", "drain", "surcharge", "commander_id")


def test_the_lines_of_the_chronicle_lead_from_a_raised_army_to_what_it_is(busy_week):
    """No figure changes without a line: following the lines that stand, one by one, nothing is missing."""
    for army in PathfinderArmy.objects.filter(campaign=busy_week.campaign):
        told: dict[str, Any] = {}
        for entry in ChronicleEntry.objects.filter(campaign=busy_week.campaign, undone_at=None).order_by("seq"):
            for line in entry.changes:
                if line["subject_id"] == str(army.pk):
                    known = told.get(line["field"], line["before"])
                    assert line["before"] == known, (army, line)
                    told[line["field"]] = line["after"]
        for field in KEPT:
            now = getattr(army, field)
            told_now = told.get(field.removesuffix("_id"), FIRST.get(field, army.hp_max if field == "hp" else None))
            if field == "commander_id" and army.name == "Levy":
                continue  # it was raised with its commander
            assert told_now == (str(now) if field == "commander_id" and now else now), (army, field)


FIRST = {"morale": 0, "status": "ready", "arrears": False, "owed": 0, "disease": 0, "ill": False, "drain": 0,
         "surcharge": 0}  # fmt: skip


# Refused with what is missing, nothing half done


def everything(war: Any) -> tuple[Any, ...]:
    return (
        sorted(
            PathfinderArmy.objects.values_list(
                "pk", "health", "morale", "status", "upkeep", "commander", "marching_until"
            )
        ),
        sorted(PathfinderArmy.objects.values_list("pk", "resources__resource", "resources__quantity"), key=str),
        sorted(Kingdom.objects.values_list("pk", "treasury")),
        fresh(war.campaign).day,
        LedgerEntry.objects.count(),
        ChronicleEntry.objects.count(),
    )


@built_once
def equipped(war) -> Any:
    """The levy has improved armor and an engine; the crown 1 BP; a host is larger, a guard smaller."""
    buy_resource(by=war.gm, army=war.levy, resource="improved-armor")
    buy_resource(by=war.gm, army=fresh(war.levy), resource="siege-engines", waive_building=True)
    war.host = raised(war.gm, war.crown, "Host", count=1000)
    war.guard = raised(war.gm, war.crown, "Guard", count=200)
    record_entry(by=war.gm, kingdom=war.crown, amount=1 - fresh(war.crown).treasury, reason="Fire")
    return war


def give(resource: str, who: str, **share: Any) -> Any:
    return lambda war: ("transfer", {"resource": resource, "to": [{"army": str(getattr(war, who).pk), **share}]})


SENT = {
    "to a larger army": (give("improved-armor", "host"), 409, "The set of Levy isn’t enough for Host"),
    "more than is there": (give("siege-engines", "guard", quantity=2), 409, "Too many for Levy"),
    "less than one": (give("siege-engines", "guard", quantity=-1), 400, "Enter a whole number from 1 to 1000"),
    "none": (give("siege-engines", "guard", quantity=0), 400, "Enter a whole number from 1 to 1000"),
    "a huge number": (give("siege-engines", "guard", quantity=10**30), 400, "This number is too large"),
    "what it has not": (give("magic-armor", "guard"), 409, "Too many for Levy"),
    "without money": (lambda war: ("resources", {"resource": "improved-weapons"}), 409, "needs 11 BP more to pay 12"),
    "hexes below 0": (lambda war: ("march", {"place": "x", "hexes": -3}), 400, "Enter 0 to 10,000 hexes"),
    "too many hexes": (lambda war: ("march", {"place": "x", "hexes": 10**30}), 400, "hexes|whole number|large"),
}


def test_what_cannot_be_done_is_refused_with_what_is_missing_and_changes_nothing(equipped):
    api = api_of(equipped.ana)
    for what, (ask, status, said) in SENT.items():
        with tried():
            order, body = ask(equipped)
            before = everything(equipped)
            answer = api.post(f"{API}/armies/{equipped.levy.pk}/{order}/", body, format="json")
            assert answer.status_code == status, what
            assert_says(answer, said)
            assert everything(equipped) == before, what


def assert_says(answer: Any, said: str) -> None:
    body = answer.json()
    told = " ".join([body["detail"], *(error["detail"] for error in body.get("errors", []))])
    assert re.search(said, told), told


ORDERS = {
    "disband": {},
    "rest": {},
    "march": {"place": "x", "hexes": 1},
    "transfer": {"resource": "improved-armor", "to": []},
    "assign": {"commander": None},
    "promote": {"name": "Grak"},
    "resources": {"resource": "ranged-weapons"},
}


def test_an_army_in_battle_is_left_alone(equipped, busy):
    busy.add(equipped.levy.pk)
    before, api = everything(equipped), api_of(equipped.gm)
    for order in ORDERS:
        body = dict(ORDERS[order])
        if order == "transfer":
            body["to"] = [{"army": str(equipped.guard.pk)}]
        answer = api.post(f"{API}/armies/{equipped.levy.pk}/{order}/", body, format="json")
        assert answer.status_code == 409, order
        assert_says(answer, "Levy fights")
        assert everything(equipped) == before, order


def test_nothing_is_given_to_an_army_in_battle(equipped, busy):
    busy.add(equipped.guard.pk)
    before = everything(equipped)
    with pytest.raises(Refusal, match="Guard fights"):
        transfer_resource(
            by=equipped.gm, army=fresh(equipped.levy), resource="improved-armor", to=[Share(equipped.guard)]
        )
    assert everything(equipped) == before


def test_a_leaders_fall_frees_the_army_and_is_told(war):
    """PF-2.8, PF-2.7: the line stands on the army as well as on them."""
    ada = appointed(war.gm, war.crown, "Ada")
    band = raised(war.gm, war.crown, "Band", unit=orc(), commander=ada)
    update_commander(by=war.gm, commander=fresh(ada), status="killed")
    lines = {(line["subject"], line["field"], line["after"]) for line in ChronicleEntry.objects.latest("seq").changes}
    assert lines == {("Ada", "status", "killed"), ("Band", "commander", None)}
    assert fresh(band).commander is None
