"""Pages of armies and commanders, as a browser without JavaScript (and htmx) asks for them."""

from __future__ import annotations

import re

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from armies.forces.services import reveal_army
from armies.pathfinder.armies.services import correct_army, teach_tactic
from armies.pathfinder.armies.trade_services import buy_resource, disband_army
from armies.pathfinder.commanders.command_services import assign_commander
from armies.pathfinder.commanders.services import appoint_commander
from armies.pathfinder.models import PathfinderArmy, PathfinderCommander
from kingdom.campaign.services import create_campaign
from kingdom.models import Kingdom
from kingdom.realms.services import found_kingdom
from tests.armies.conftest import multiplied, raised
from tests.everyday import at_most, by_turns

FORM = {
    "name": "Second levy",
    "count": "500",
    "unit_name": "Orc warrior 1",
    "cr": "1/3",
    "hit_die": "d10",
    "level": "1",
    "speed_m": "9",
    "creature_type": "humanoid",
    "alignment": "CE",
}
FIGURES = {
    "name": "Gorth",
    "level": "8",
    "charisma_modifier": "2",
    "soldier_ranks": "6",
}


def browser(user, **headers) -> Client:
    client = Client(headers=headers)
    client.force_login(user)
    return client


def url(name, pk, query="") -> str:
    return reverse(f"armies:{name}", args=[getattr(pk, "pk", pk)]) + query


def text_of(response) -> str:
    return response.content.decode()


# Reading


def test_the_sheet_shows_figures_with_their_lines(war):
    page = text_of(browser(war.ana).get(url("army", war.levy)))
    for word in (
        "Levy",
        "500 × Orc warrior 1",
        "huge",
        "ACR 3",
        "Ser Vell",
        "Ferocity",
        "PF-1.7",
        "PF-2.3",
        "Upkeep by ACR",
    ):
        assert word in page


def test_the_sheet_warns(war):
    assign_commander(by=war.gm, army=war.levy, commander=None)
    correct_army(by=war.gm, army=war.levy, status="routed", arrears=True, disease=1, drain=1)
    page = text_of(browser(war.ana).get(url("army", war.levy)))
    for word in ("Routed.", "Arrears.", "No commander.", "Ill.", "Drained."):
        assert word in page


READS = [("gm", 200, 200), ("ana", 200, 404), ("bo", 404, 200), ("viewer", 200, 200), ("stranger", 404, 404)]


def test_who_reads_which_sheet(war):
    for who, levy, raiders in READS:
        client = browser(getattr(war, who))
        assert client.get(url("army", war.levy)).status_code == levy, who
        assert client.get(url("army", war.raiders)).status_code == raiders, who
        assert client.get(url("commander", war.vell)).status_code == levy, who


def test_what_the_gm_reveals_everybody_at_the_table_reads_without_orders(war):
    reveal_army(by=war.gm, army=war.levy, revealed=True)
    for who, status in (("bo", 200), ("viewer", 200), ("stranger", 404)):
        client = browser(getattr(war, who))
        response = client.get(url("army", war.levy))
        assert response.status_code == status, who
        assert client.get(url("commander", war.vell)).status_code == status, who
        if status == 200:
            assert "<form" not in text_of(response).split('id="army"')[1].split("</main>")[0], who
            assert "Disband" not in text_of(response), who


def test_anonymous_visitors_sign_in_first(war):
    assert Client().get(url("army", war.levy)).status_code == 302


def test_the_campaign_page_lists_armies_and_hides_sheets(war):
    page = text_of(browser(war.ana).get(reverse("kingdom:campaign", args=[war.campaign.pk])))
    assert url("army", war.levy) in page
    assert "Raiders" in page
    assert url("army", war.raiders) not in page
    assert "sheet hidden" in page


def test_a_kingdoms_pages_list_armies_commanders_and_stores(war):
    buy_resource(by=war.ana, army=war.levy, resource="improved-armor")
    disband_army(by=war.ana, army=war.levy)
    page = text_of(browser(war.ana).get(reverse("kingdom:kingdom", args=[war.crown.pk])))
    assert "disbanded" in page
    assert 0 < page.index(">Restov<") < page.index(f'href="{url("army", war.levy)}"'), "settlements stand above armies"
    people = text_of(browser(war.ana).get(reverse("kingdom:people", args=[war.crown.pk])))
    for word in ("Ser Vell", "Improved armor", "For armies of size huge or smaller."):
        assert word in people


def test_the_week_is_announced(war):
    page = text_of(browser(war.ana).get(reverse("kingdom:campaign", args=[war.campaign.pk])))
    assert "Crown of Restov pays 1 BP for 1 army (treasury 200 → 199)." in page
    assert "Greenbelt horde pays" not in page


# Raising


def test_an_army_is_raised_from_the_form(war):
    response = browser(war.ana).post(url("army_new", war.crown), FORM)
    army = PathfinderArmy.objects.get(name="Second levy")
    assert response.headers["Location"] == url("army", army)
    assert (army.unit["speed_m"], army.unit["abilities"], army.mount) == (9, [], None)


def test_abilities_are_picked_without_javascript(war):
    client = browser(war.ana)
    grown = client.post(url("army_new", war.crown), {**FORM, "add": "1", "new-ability": "spellcasting"})
    page = text_of(grown)
    assert grown.status_code == 200
    assert 'name="ability-0" value="spellcasting"' in page
    assert 'value="Second levy"' in page
    picked = {"ability-0": "spellcasting", "ability-0-value": "3", "ability-0-ranged": "on", "ability-1": "ferocity"}
    shrunk = text_of(client.post(url("army_new", war.crown), {**FORM, **picked, "drop": "1"}))
    assert 'name="ability-1"' not in shrunk
    client.post(url("army_new", war.crown), {**FORM, **picked})
    assert PathfinderArmy.objects.get(name="Second levy").unit["abilities"] == [
        {"ability": "spellcasting", "value": 3, "options": {"ranged": True}},
        {"ability": "ferocity"},
    ]


def test_options_of_every_kind_reach_the_army(war):
    picked = {
        "ability-0": "immunity", "ability-0-to": ["fear", "poison"],
        "ability-1": "favored-enemy", "ability-1-creature_type": "undead",
        "ability-2": "hex", "ability-2-choice": "cauldron",
        "ability-3": "tactician", "ability-3-tactic": "cavalry-experts",
    }  # fmt: skip
    browser(war.ana).post(url("army_new", war.crown), {**FORM, **picked})
    options = [choice["options"] for choice in PathfinderArmy.objects.get(name="Second levy").unit["abilities"]]
    assert options == [
        {"to": ["fear", "poison"]},
        {"creature_type": "undead"},
        {"choice": "cauldron"},
        {"tactic": "cavalry-experts"},
    ]


def test_a_mount_and_a_commander_come_with_the_form(war):
    free = appoint_commander(by=war.ana, kingdom=war.crown, name="Free")
    more = {
        "mounted": "on",
        "mount_name": "warg",
        "mount_cr": "2",
        "mount_speed_m": "15",
        "mount_creature_type": "animal",
    }
    browser(war.ana).post(url("army_new", war.crown), {**FORM, **more, "commander": str(free.pk)})
    army = PathfinderArmy.objects.get(name="Second levy")
    assert (army.commander, army.mount["cr"], army.mount["speed_m"]) == (free, "2", 15)


WRONG = [
    ({"count": "0"}, "An army has from 1 to"),
    ({"count": "1000000000"}, "An army has from 1 to"),
    ({"count": "many"}, "Enter a whole number"),
    ({"mounted": "on"}, "Give the mount a name, a CR or a speed"),
    ({"count": "10"}, "Add units until it reaches ACR 1/8"),
    ({"cr": "0"}, "is not a challenge rating"),
    ({"cr": "abc"}, "is not a challenge rating"),
    ({"hit_die": "d7"}, "Choose one of"),
    ({"speed_m": "-3"}, "Enter a speed"),
    ({"name": ""}, "Fill this in."),
    ({"creature_type": "undead"}, "Ask the GM to raise them"),
    ({"ability-0": "spellcasting"}, "Spellcasting needs a number"),
    ({"ability-0": "spellcasting", "ability-0-value": "lots"}, "whole number from 1 to"),
    ({"ability-0": "hex"}, "choose one of the two"),
]


def test_bad_input_is_refused_beside_its_field(war):
    before, client = PathfinderArmy.objects.count(), browser(war.ana)
    for changes, words in WRONG:
        response = client.post(url("army_new", war.crown), {**FORM, **changes})
        assert response.status_code == 422, changes
        assert re.search(rf"field-error.*{words}", text_of(response), re.DOTALL), changes
        assert PathfinderArmy.objects.count() == before, changes


def test_another_campaigns_commander_cannot_be_chosen(war):
    far = create_campaign(by=war.gm, name="Far", ruleset="combat-de-masse")
    realm = found_kingdom(by=war.gm, campaign=far, name="Far realm")
    stranger = appoint_commander(by=war.gm, kingdom=realm, name="Stranger")
    response = browser(war.ana).post(url("army_new", war.crown), {**FORM, "commander": str(stranger.pk)})
    assert response.status_code == 422
    assign = browser(war.ana).post(url("army_assign", war.levy), {"commander": str(stranger.pk)})
    assert assign.status_code == 422
    assert PathfinderArmy.objects.get(pk=war.levy.pk).commander == war.vell


def test_the_preview_recomputes_as_one_types(war):
    client = browser(war.ana, HX_Request="true")
    page = text_of(client.post(url("army_preview", war.crown), {**FORM, "name": "", "count": "1000"}))
    assert page.lstrip().startswith('<section class="sheet stack" id="preview"')
    assert "ACR 5" in page
    assert "gargantuan" in page
    small = text_of(client.post(url("army_preview", war.crown), {**FORM, "count": "10"}))
    assert "Add units until it reaches ACR 1/8" in small
    waiting = text_of(client.post(url("army_preview", war.crown), {**FORM, "count": ""}))
    assert "Fill in the unit" in waiting
    assert "Number of units: Fill this in." in waiting


def test_the_preview_button_works_without_javascript(war):
    response = browser(war.ana).post(url("army_new", war.crown), {**FORM, "name": "", "preview": "1"})
    assert response.status_code == 200
    assert "ACR 3" in text_of(response)
    assert "field-error" not in text_of(response)


def test_the_preview_of_an_army_counts_what_it_carries(war):
    buy_resource(by=war.ana, army=war.levy, resource="improved-weapons")
    page = text_of(browser(war.ana).post(url("army_preview", war.crown, f"?army={war.levy.pk}"), FORM))
    assert "Improved weapons" in page
    assert browser(war.bo).post(url("army_preview", war.horde, f"?army={war.levy.pk}"), FORM).status_code == 404


def test_editing_keeps_what_was_not_changed(war):
    client = browser(war.ana)
    page = text_of(client.get(url("army_edit", war.levy)))
    assert 'name="ability-0" value="ferocity"' in page
    assert (
        client.post(
            url("army_edit", war.levy), {**FORM, "name": "Levy", "count": "1000", "ability-0": "ferocity"}
        ).status_code
        == 302
    )
    war.levy.refresh_from_db()
    assert (war.levy.count, war.levy.unit["abilities"]) == (1000, [{"ability": "ferocity"}])


def test_the_gm_corrects_and_strikes(war):
    client = browser(war.gm)
    given = {"hp": "3", "morale": "-2", "status": "routed", "disease": "0", "drain": "0"}
    assert client.post(url("army_correct", war.levy), given).status_code == 302
    war.levy.refresh_from_db()
    assert (war.levy.hp, war.levy.morale, war.levy.status, war.levy.revealed) == (3, -2, "routed", False)
    assert client.post(url("army_correct", war.levy), {**given, "hp": "99"}).status_code == 422
    assert client.post(url("army_remove", war.levy)).status_code == 302
    assert not PathfinderArmy.objects.filter(pk=war.levy.pk).exists()


# Orders


def test_a_purchase_without_bp_or_building_says_which(war):
    client = browser(war.ana)
    refused = client.post(url("army_resources", war.levy), {"resource": "siege-engines", "quantity": "1"})
    assert refused.status_code == 422
    assert "Crown of Restov must have a settlement with one of these buildings" in text_of(refused)
    poor = browser(war.bo).post(url("army_resources", war.raiders), {"resource": "ranged-weapons"})
    assert poor.status_code == 422
    assert "needs 6 BP more" in text_of(poor)
    assert client.post(url("army_resources", war.levy), {"resource": "ranged-weapons"}).status_code == 302
    assert Kingdom.objects.get(pk=war.crown.pk).treasury == 192


def test_htmx_orders_answer_with_the_sheet_alone(war):
    client = browser(war.ana, HX_Request="true")
    response = client.post(url("army_resources", war.levy), {"resource": "ranged-weapons"})
    assert text_of(response).lstrip().startswith('<div id="army"')
    assert "Purchase made." in text_of(response)
    assert "HX-Request" in response.headers["Vary"]


def test_the_whole_life_of_an_army_by_its_buttons(war):
    gm = browser(war.gm)
    guard = raised(war.gm, war.crown, "Guard", count=200)
    gm.post(url("army_resources", war.levy), {"resource": "healing-potions", "waive": "on"})
    gm.post(url("army_transfer", war.levy), {"resource": "healing-potions", "to": [str(guard.pk)]})
    gm.post(url("army_tactics", war.levy), {"tactic": "taunt", "learn": "1"})
    gm.post(url("army_tactics", war.levy), {"tactic": "full-defense", "grant": "1"})
    gm.post(url("army_tactics", war.levy), {"forget": "taunt"})
    gm.post(url("army_assign", war.levy), {"commander": ""})
    gm.post(url("army_assign", war.levy), {"promote": "1", "name": "Grub"})
    gm.post(url("army_reveal", war.levy), {"revealed": "1"})
    gm.post(
        url("army_correct", war.levy),
        {"hp": "5", "morale": "0", "status": "ready", "disease": "0", "drain": "0", "revealed": "on"},
    )
    gm.post(url("army_rest", war.levy), {"rally": "on", "die": "20"})
    army = PathfinderArmy.objects.get(pk=war.levy.pk)
    assert (army.hp, army.commander.name, army.revealed) == (11, "Grub", True)
    assert [row.tactic for row in army.tactics.all()] == ["full-defense"]
    assert [row.resource for row in guard.resources.all()] == ["healing-potions"]
    gm.post(url("army_disband", war.levy), {"confirm": "1"})
    assert PathfinderArmy.objects.get(pk=war.levy.pk).status == "disbanded"


SENSELESS = [
    ("army_resources", {"resource": "cannons"}),
    ("army_resources", {"stock": "nothing"}),
    ("army_transfer", {"resource": "ranged-weapons", "to": "nobody"}),
    ("army_transfer", {"resource": "ranged-weapons"}),
    ("army_assign", {"commander": "nobody"}),
    ("army_assign", {"promote": "1", "name": ""}),
    ("army_tactics", {"tactic": "dance", "learn": "1"}),
    ("army_tactics", {"forget": "dance"}),
    ("army_rest", {"rally": "on", "die": "77"}),
]


def test_orders_that_make_no_sense_are_refused_in_their_section(war):
    client = browser(war.gm)
    for name, given in SENSELESS:
        response = client.post(url(name, war.levy), given)
        assert response.status_code == 422, name
        assert 'class="field-error"' in text_of(response), name


ORDERS = ("army_resources", "army_transfer", "army_assign", "army_tactics", "army_rest", "army_reveal", "army_disband",
          "army_correct", "army_remove", "army_edit")  # fmt: skip
REFUSED = {"bo": 403, "viewer": 403, "stranger": 404}


def test_orders_are_for_whoever_runs_the_army(war):
    people = {who: (browser(getattr(war, who)), status) for who, status in REFUSED.items()}
    reveal_army(by=war.gm, army=war.levy, revealed=True)
    for name in ORDERS:
        for who in by_turns(name, [*people]):
            client, status = people[who]
            assert client.post(url(name, war.levy), {"hp": "1"}).status_code == status, (name, who)
    reveal_army(by=war.gm, army=war.levy, revealed=False)
    for name in ORDERS:
        assert people["bo"][0].post(url(name, war.levy)).status_code == 404, name


def test_disbanding_shows_what_it_would_do_first(war):
    buy_resource(by=war.ana, army=war.levy, resource="improved-armor")
    client = browser(war.ana)
    page = text_of(client.post(url("army_disband", war.levy), {"choice-improved-armor": "sell", "preview": "1"}))
    assert "Improved armor: sold for 6 BP." in page
    assert "Treasury 188 → 194 BP" in page
    assert PathfinderArmy.objects.get(pk=war.levy.pk).status == "ready"
    odd = client.post(url("army_disband", war.levy), {"choice-improved-armor": "give", "confirm": "1"})
    assert odd.status_code == 422
    client.post(url("army_disband", war.levy), {"choice-improved-armor": "sell", "confirm": "1"})
    assert Kingdom.objects.get(pk=war.crown.pk).treasury == 194


# Commanders


def test_a_commanders_head_leads_to_his_army(war):
    client = browser(war.ana)
    to_army = f'href="{url("army", war.levy)}"'
    assert to_army in text_of(client.get(url("commander", war.vell))).partition("<h1>")[0]
    assign_commander(by=war.gm, army=war.levy, commander=None)
    assert to_army not in text_of(client.get(url("commander", war.vell)))


def test_a_commander_is_appointed_and_edited(war):
    client = browser(war.ana)
    given = {**FIGURES, "boons": ["bonus-tactic", "triage"], "boon_tactic": "taunt"}
    response = client.post(url("commander_new", war.crown), given)
    gorth = PathfinderCommander.objects.get(name="Gorth")
    assert response.headers["Location"] == url("commander", gorth)
    assert gorth.boons == [{"boon": "bonus-tactic", "tactic": "taunt"}, {"boon": "triage", "tactic": None}]
    client.post(url("commander_edit", gorth), {**FIGURES, "level": "9", "office": "warden", "office_boon": "loyalty"})
    gorth.refresh_from_db()
    assert (gorth.level, gorth.office_boon, len(gorth.boons)) == (9, "loyalty", 2)


NO_COMMANDERS = [
    ({"name": ""}, "Fill this in."),
    ({"level": "0"}, "from 1 to 60"),
    ({"level": "x"}, "Enter a whole number"),
    ({"office": "warden"}, "Choose the boon for the office"),
    ({"boons": ["bonus-tactic"]}, "Choose the tactic"),
    ({"level": "1", "boons": ["loyalty"]}, "Loyalty needs leadership 6; this commander has 3"),
    ({"boons": ["triage", "loyalty", "merciless"]}, "room for 2 boons"),
    ({"boons": ["luck"]}, "This choice isn’t available"),
]


def test_commanders_that_cannot_be_are_refused_beside_the_field(war):
    client = browser(war.ana)
    for changes, words in NO_COMMANDERS:
        response = client.post(url("commander_new", war.crown), {**FIGURES, **changes})
        assert response.status_code == 422, changes
        assert re.search(rf"field-error.*{words}", text_of(response), re.DOTALL), changes
        assert not PathfinderCommander.objects.filter(name="Gorth").exists(), changes


def test_boons_are_learned_and_forgotten_on_the_page(war):
    client = browser(war.ana)
    assert client.post(url("commander_boons", war.vell), {"boon": "triage"}).status_code == 302
    full = client.post(url("commander_boons", war.vell), {"boon": "merciless"})
    assert full.status_code == 422
    assert "no room for another boon" in text_of(full)
    client.post(url("commander_boons", war.vell), {"boon": "triage", "forget": "1"})
    war.vell.refresh_from_db()
    assert [boon["boon"] for boon in war.vell.boons] == ["defensive-tactics"]


def test_the_fate_of_a_commander_is_not_offered_to_players(war):
    assert 'name="status"' not in text_of(browser(war.ana).get(url("commander_edit", war.vell)))
    assert 'name="status"' in text_of(browser(war.gm).get(url("commander_edit", war.vell)))
    assert browser(war.ana).post(url("commander_remove", war.vell)).status_code == 403
    assert browser(war.gm).post(url("commander_remove", war.vell)).status_code == 302


def test_a_commander_whose_army_fights_is_not_struck_and_his_page_says_so(war, busy):
    busy.add(war.levy.pk)
    refused = browser(war.gm).post(url("commander_remove", war.vell))
    assert refused.status_code == 422
    assert "Levy fights." in text_of(refused)
    assert PathfinderCommander.objects.filter(pk=war.vell.pk).exists()


# Costs


def test_pages_ask_as_much_for_many_armies_as_for_one(war):
    client = browser(war.ana)
    pages = [reverse("kingdom:campaign", args=[war.campaign.pk]), reverse("kingdom:kingdom", args=[war.crown.pk])]
    counts = []
    teach_tactic(by=war.gm, army=war.levy, tactic="taunt", granted=True)
    for size in (0, at_most(24, full=49)):
        multiplied(war.levy, size)
        for page in pages:
            client.get(page)
            with CaptureQueriesContext(connection) as captured:
                assert client.get(page).status_code == 200
            counts.append(len(captured))
    assert counts[0] == counts[2]
    assert counts[3] == counts[1] + 1  # the pages are counted
