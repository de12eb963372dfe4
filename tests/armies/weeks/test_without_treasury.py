"""Armies outside an economy: a kingdom without a treasury pays nothing, owes nothing and gains nothing."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse

from armies.models import Army
from armies.pathfinder.armies.queries import list_warnings
from armies.pathfinder.armies.trade_services import Disposal, buy_resource, disband_army
from armies.pathfinder.commanders.command_services import ransom_commander
from armies.pathfinder.models import PathfinderCommander
from armies.pathfinder.weeks.outlook import build_outlook
from armies.pathfinder.weeks.weeks import dues_of, in_short
from armies.weeks.queries import list_due
from battles.default.ui import PlainPayers
from core.text import render
from kingdom.campaign.services import create_campaign
from kingdom.chronicle.services import undo_last
from kingdom.models import ChronicleEntry, Kingdom, LedgerEntry
from kingdom.realms.forms import KingdomForm
from kingdom.realms.planned_services import plan_line
from kingdom.realms.services import found_kingdom, update_kingdom
from kingdom.realms.treasury_services import record_entry
from rules.core.errors import IllegalCommand, InvalidInput
from rules.treasury_projection import Outgoings
from tests.armies.conftest import raised
from tests.armies.weeks.conftest import now, pass_days, set_army, treasury
from tests.armies.weeks.test_pages import browser, text_of
from tests.databases import tried
from tests.kingdom.archive.journeys import bring_in, taken_along
from tests.kingdom.conftest import api_of

pytestmark = pytest.mark.django_db
NOTHING = "No treasury: armies cost nothing."


def freed(table: Any, **switches: Any) -> Kingdom:
    """The crown without a treasury."""
    return update_kingdom(by=table.gm, kingdom=now(table.crown), without_treasury=True, **switches)


def shown(user: Any, name: str, thing: Any) -> str:
    """The page of a thing, which the user may read."""
    page = browser(user).get(reverse(name, args=[thing.pk]))
    assert page.status_code == 200
    return text_of(page)


def test_a_week_costs_nothing_and_leaves_the_balance(quiet):
    alone = raised(quiet.gm, quiet.crown, "Alone")
    kingdom = freed(quiet)
    entry = pass_days(quiet.gm, quiet.campaign, days=14)
    assert treasury(kingdom) == 200
    assert (now(alone).morale, now(alone).arrears, now(quiet.levy).owed) == (0, False, 0)
    assert not LedgerEntry.objects.filter(kingdom=kingdom, day__gt=0).exists()
    undo_last(by=quiet.gm, campaign=quiet.campaign)
    assert (treasury(kingdom), now(entry).undone) == (200, True)


def test_commanders_count_where_the_gm_says_so(quiet):
    alone = raised(quiet.gm, quiet.crown, "Alone")
    kingdom = freed(quiet, needs_commanders=True)
    (due,) = dues_of(quiet.campaign, [kingdom])
    assert (due.trouble, due.week.losing, in_short([due]).spent) == (True, 1, 0)
    pass_days(quiet.gm, quiet.campaign)
    assert (now(alone).morale, now(quiet.levy).morale) == (-1, 0)


def test_old_debts_end_with_the_treasury_and_come_back_by_undo(quiet):
    set_army(quiet.levy, arrears=True, owed=4)
    kingdom = freed(quiet)
    assert (now(quiet.levy).arrears, now(quiet.levy).owed) == (False, 0)
    undo_last(by=quiet.gm, campaign=quiet.campaign)
    assert (now(quiet.levy).arrears, now(quiet.levy).owed, now(kingdom).without_treasury) == (True, 4, False)


def test_the_gm_alone_decides_it(quiet):
    with pytest.raises(PermissionDenied):
        update_kingdom(by=quiet.ana, kingdom=now(quiet.crown), without_treasury=True)
    with pytest.raises(InvalidInput) as refused:
        update_kingdom(by=quiet.gm, kingdom=now(quiet.crown), without_treasury="yes")
    assert refused.value.field == "/without_treasury"


def test_the_chronicle_tells_it(quiet):
    freed(quiet)
    assert "No treasury" in shown(quiet.gm, "kingdom:chronicle", quiet.campaign)


def test_a_new_kingdom_without_a_treasury_begins_with_nothing(quiet):
    horde = found_kingdom(by=quiet.gm, campaign=quiet.campaign, name="Band", without_treasury=True)
    assert (horde.without_treasury, horde.treasury) == (True, 0)
    with pytest.raises(InvalidInput) as refused:
        found_kingdom(by=quiet.gm, campaign=quiet.campaign, name="Rich", without_treasury=True, treasury=5)
    assert refused.value.field == "/treasury"


def test_nothing_is_entered_or_planned(quiet):
    kingdom = freed(quiet)
    for deed in (
        lambda: record_entry(by=quiet.ana, kingdom=kingdom, amount=3, reason="Loot"),
        lambda: plan_line(by=quiet.ana, kingdom=kingdom, name="Loot", amount=3),
    ):
        with pytest.raises(IllegalCommand) as refused:
            deed()
        assert "has no treasury" in render(refused.value.message)
    assert treasury(kingdom) == 200


def test_planned_entries_rest(quiet):
    plan_line(by=quiet.gm, kingdom=now(quiet.crown), name="Tribute", amount=9)
    kingdom = freed(quiet)
    assert not [line for line in list_due(quiet.gm, quiet.campaign) if "Tribute" in render(line.text)]
    pass_days(quiet.gm, quiet.campaign)
    assert treasury(kingdom) == 200
    assert "suspended: no treasury" in shown(quiet.gm, "kingdom:ledger", kingdom)


def test_what_is_bought_costs_nothing(quiet):
    freed(quiet)
    levy = now(quiet.levy)
    assert "<b>free</b>" in shown(quiet.ana, "armies:army", levy)
    buy_resource(by=quiet.ana, army=levy, resource="improved-weapons")
    assert treasury(quiet.crown) == 200


def test_a_ransom_costs_nothing(quiet):
    kingdom = freed(quiet)
    PathfinderCommander.objects.filter(pk=quiet.vell.pk).update(status="captured", ransom=500)
    assert "the ransom costs nothing" in shown(quiet.ana, "armies:commander", quiet.vell)
    assert ransom_commander(by=quiet.ana, commander=now(quiet.vell)).status == "free"
    assert treasury(kingdom) == 200


def test_nothing_is_sold(quiet):
    buy_resource(by=quiet.gm, army=now(quiet.levy), resource="improved-weapons")
    held = treasury(freed(quiet))
    levy = now(quiet.levy)
    with pytest.raises(InvalidInput) as refused:
        disband_army(by=quiet.ana, army=levy, choices={"improved-weapons": Disposal("sell")})
    assert refused.value.field == "/resources/0/choice"
    assert "Sell for" not in shown(quiet.ana, "armies:army_disband", levy)
    disband_army(by=quiet.ana, army=levy)
    assert treasury(quiet.crown) == held


def test_a_battle_that_costs_bp_costs_nothing_there(quiet):
    levy, raiders = str(quiet.levy.pk), str(quiet.raiders.pk)
    payers = PlainPayers({levy: freed(quiet), raiders: now(quiet.horde)}, "R-1")
    (change,) = payers.changes_of(None, [(levy, 3), (raiders, 2)])
    assert (change.subject_id, change.before - change.after) == (str(quiet.horde.pk), 2)


def test_money_cannot_be_chosen_for_a_week(quiet):
    key = str(freed(quiet).pk)
    for choice in ("pay_double", "collect_taxes"):
        with pytest.raises(InvalidInput) as refused:
            pass_days(quiet.gm, quiet.campaign, choices={choice: [key]})
        assert refused.value.field == f"/choices/{choice}/0", choice
    with tried():
        pass_days(quiet.gm, quiet.campaign, choices={"pay_double": True, "collect_taxes": True})
        assert treasury(quiet.crown) == 200
    form = shown(quiet.gm, "armies:time", quiet.campaign)
    assert f'name="loyalty_check" value="{key}"' in form
    assert f'name="pay_double" value="{key}"' not in form


def test_pages_say_it_and_do_not_nag(quiet):
    raised(quiet.gm, quiet.crown, "Alone")
    record_entry(by=quiet.gm, kingdom=quiet.crown, amount=-250, reason="Ruin")
    kingdom = freed(quiet)
    assert NOTHING in shown(quiet.ana, "kingdom:kingdom", kingdom)
    outlook = shown(quiet.ana, "kingdom:outlook", kingdom)
    assert NOTHING in outlook
    assert "can’t be paid" not in outlook
    board = shown(quiet.ana, "kingdom:campaign", quiet.campaign)
    assert "<dd>none</dd>" in board
    assert "no commander" not in board
    assert "can’t pay" not in board
    assert not [line for line in list_due(quiet.ana, quiet.campaign) if line.kingdom == kingdom]
    assert "not paid: no treasury" in shown(quiet.ana, "armies:army", quiet.levy)


def test_warnings_of_an_army_without_a_commander(quiet):
    alone = raised(quiet.gm, quiet.crown, "Alone")
    told = [warning.slug for warning in list_warnings(now(alone))]
    freed(quiet)
    assert (told, list_warnings(now(alone))) == (["no-commander"], ())
    freed(quiet, needs_commanders=True)
    (warning,) = list_warnings(now(alone))
    assert render(warning.text) == "Loses 1 Morale each week (PF-2.7)."


def test_the_outlook_has_nothing_ahead(quiet):
    found = build_outlook(freed(quiet))
    assert (found.due, found.ahead, found.endless) == (Outgoings(), (), True)
    assert found.worst.ransom == 0


def test_the_form_has_the_switches_for_the_gm_only(quiet):
    assert "without_treasury" not in shown(quiet.ana, "kingdom:kingdom_edit", quiet.crown)
    form = KingdomForm(campaign=quiet.campaign, user=quiet.gm, kingdom=now(quiet.crown))
    sent = {name: form[name].value() for name in form.fields if form[name].value() or form[name].value() == 0}
    sent.pop("needs_commanders")
    sent |= {"without_treasury": "on", "players": [quiet.ana.pk]}
    saved = browser(quiet.gm).post(reverse("kingdom:kingdom_edit", args=[quiet.crown.pk]), sent)
    assert saved.status_code == 302, saved.context["form"].errors
    assert (now(quiet.crown).without_treasury, now(quiet.crown).needs_commanders) == (True, False)


def test_the_api_sets_and_tells_it(quiet):
    address = f"/api/v1/kingdoms/{quiet.crown.pk}/"
    changed = api_of(quiet.gm, scope="manage").patch(address, {"without_treasury": True}, format="json")
    assert (changed.status_code, changed.json()["without_treasury"]) == (200, True)
    assert changed.json()["needs_commanders"] is False
    assert api_of(quiet.bo, scope="manage").get(address).json()["without_treasury"] is None
    wrong = api_of(quiet.gm, scope="manage").patch(address, {"without_treasury": "maybe"}, format="json")
    assert wrong.status_code == 400
    outlook = api_of(quiet.ana).get(f"{address}outlook/").json()
    assert (outlook["weeks_until_empty"], outlook["ahead"], outlook["due"]["weekly"]) == (None, [], 0)


def test_it_travels_in_the_campaigns_file_and_files_before_it_still_come_in(quiet):
    freed(quiet, needs_commanders=True)
    document = taken_along(quiet.campaign)
    came = bring_in(quiet.gm, document).campaign.kingdoms.get(name=quiet.crown.name)
    assert (came.without_treasury, came.needs_commanders) == (True, True)
    for row in document["tables"]["kingdoms"]:
        del row["without_treasury"], row["needs_commanders"]
    came = bring_in(quiet.gm, document).campaign.kingdoms.get(name=quiet.crown.name)
    assert (came.without_treasury, came.needs_commanders) == (False, False)


def test_under_a_ruleset_that_counts_its_weeks_by_documents_nothing_is_paid_either(db, gm):
    campaign = create_campaign(by=gm, name="Marches", ruleset="wing-command")
    band = found_kingdom(by=gm, campaign=campaign, name="Band", without_treasury=True)
    Army.objects.create(campaign=campaign, kingdom=band, name="Riders", upkeep=7, health=3, health_max=3)
    entry = pass_days(gm, campaign)
    assert (treasury(band), now(entry).kind) == (0, ChronicleEntry.Kind.WEEK)
    with pytest.raises(InvalidInput) as refused:
        update_kingdom(by=gm, kingdom=band, needs_commanders=True)
    assert refused.value.field == "/needs_commanders"
