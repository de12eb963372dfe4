"""Dividing and combining armies of the laws on hexes (C-9): what moves is judged by the law."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest
from django.urls import reverse

from armies.documents.commander_services import appoint_commander
from armies.documents.reform_services import ReformedPart, TakenTroops, preview_reform, reform_armies
from armies.forces.services import raise_army
from armies.models import Army
from kingdom.campaign.services import create_campaign
from kingdom.chronicle.services import undo_last
from kingdom.realms.services import assign_player, found_kingdom
from rules.core.errors import InvalidInput, StaleProposal
from tests.armies.pathfinder.armies.test_army_life import browser, fresh, latest, text
from tests.kingdom.conftest import FREELY, api_of, make_user, seat
from tests.walking import offered
from tests.worlds import built_once

WING: dict[str, Any] = {
    "troops": [{"type": "foot", "name": "Old guard"}, {"type": "archers"}, {"type": "foot"}, {"type": "levy"},
               {"type": "riders"}],
    "characters": [{"name": "Mira", "kind": "mage"}], "order": "hold", "morale": 9,
}  # fmt: skip
CONTINGENT: dict[str, Any] = {
    "units": [{"type": "foot-heavy", "lost": 1}, {"type": "bows"}, {"type": "skeletons", "master": "Mira"}],
    "characters": [{"name": "Mira", "kind": "caster"}],
}  # fmt: skip


def table_of(law: str, sheet: dict[str, Any]) -> SimpleNamespace:
    gm = make_user(f"gm {law}")
    campaign = create_campaign(by=gm, name="Marches", ruleset=law, players_may=FREELY)
    ana = seat(gm, campaign, make_user(f"ana {law}"), "player")
    crown = found_kingdom(by=gm, campaign=campaign, name="Crown", treasury=100)
    assign_player(by=gm, kingdom=crown, player=ana)
    isaut = appoint_commander(by=gm, kingdom=crown, name="Isaut")
    watch = raise_army(by=gm, kingdom=crown, name="Ironwatch", sheet=sheet, commander=isaut)
    second = raise_army(by=gm, kingdom=crown, name="Second", sheet=sheet)
    return SimpleNamespace(gm=gm, ana=ana, campaign=campaign, crown=crown, isaut=isaut, watch=watch, second=second)


@built_once
def wings(db) -> SimpleNamespace:
    return table_of("wing-command", WING)


@built_once
def contingents(db) -> SimpleNamespace:
    return table_of("thucidide-fantasy", CONTINGENT)


def kept(army: Army) -> tuple[Any, ...]:
    army = fresh(army)
    return army.name, army.sheet, army.health, army.health_max, army.upkeep, army.status, army.commander_id


def types_of(army: Army, part: str) -> list[str]:
    return [one["type"] for one in fresh(army).sheet[part]]


def test_c9_troops_go_from_wing_to_wing_and_to_a_new_one(wings):
    before = [kept(army) for army in (wings.watch, wings.second)]
    parts = [
        ReformedPart(wings.second, takes=(TakenTroops(wings.watch, "troops", 4),)),
        ReformedPart(name="Scouts", commander=wings.isaut, takes=(TakenTroops(wings.watch, "troops", 1),
                     TakenTroops(wings.second, "troops", 3), TakenTroops(wings.watch, "characters", 0))),
    ]  # fmt: skip
    plan = reform_armies(by=wings.ana, army=wings.watch, others=[wings.second], parts=parts)
    new = next(row for row in plan.rows if row.name == "Scouts")
    assert types_of(wings.watch, "troops") == ["foot", "foot", "levy"]
    assert types_of(wings.second, "troops") == ["foot", "archers", "foot", "riders", "riders"]
    assert types_of(new, "troops") == ["archers", "levy"]
    new, watch = fresh(new), fresh(wings.watch)
    assert (new.sheet["order"], new.sheet["morale"], new.sheet["characters"][0]["name"]) == ("hold", 9, "Mira")
    assert (watch.commander, new.commander.name, watch.health, new.health) == (None, "Isaut", 3, 2)
    assert text(latest()) == "Armies reformed (Ironwatch, Second). Now: Ironwatch, Second, Scouts."
    undo_last(by=wings.gm, campaign=wings.campaign)
    assert [kept(army) for army in (wings.watch, wings.second)] == before
    assert not Army.objects.filter(pk=new.pk).exists()


def test_c9_lost_stands_go_with_their_unit_and_combined_characters_need_other_names(contingents):
    watch, second = contingents.watch, contingents.second
    parts = [ReformedPart(name="Vanguard", takes=(TakenTroops(watch, "units", 0),))]
    _watch, new = reform_armies(by=contingents.ana, army=watch, parts=parts).rows
    assert (new.health_max - new.health, fresh(watch).health_max - fresh(watch).health) == (1, 0)
    with pytest.raises(InvalidInput, match="Ironwatch: “Mira” already exists"):
        reform_armies(by=contingents.ana, army=fresh(watch), others=[second])


def test_c9_what_the_law_does_not_let_an_army_be_is_refused_with_its_words(wings, contingents):
    before = kept(wings.watch), kept(contingents.watch)
    with pytest.raises(InvalidInput, match="Ironwatch: A wing can have at most 8 troops") as refused:
        reform_armies(by=wings.ana, army=wings.watch, others=[wings.second])
    assert refused.value.field == "/parts/0"
    undead = [ReformedPart(name="Dead", takes=(TakenTroops(contingents.watch, "units", 2),))]
    with pytest.raises(InvalidInput, match="Dead: The army has no character “Mira”"):
        reform_armies(by=contingents.ana, army=contingents.watch, parts=undead)
    assert (kept(wings.watch), kept(contingents.watch)) == before


def page_of(army: Army) -> str:
    return reverse("armies:army_reform", args=[army.pk])


def send(user, army, do, page, **given):
    forms = [step.data for step in offered(page_of(army), page) if ("do", "choose") in step.data]
    answer = browser(user).post(page_of(army), {**dict(forms[0]), **given, "do": do})
    return answer, answer.content.decode()


def test_a_wing_is_divided_on_the_page_which_proposes_halves(wings):
    sheet = browser(wings.ana).get(reverse("armies:army", args=[wings.watch.pk])).content.decode()
    assert page_of(wings.watch) in sheet
    shown = browser(wings.ana).get(page_of(wings.watch)).content.decode()
    assert "Old guard" in shown
    assert "Mira" in shown
    assert 'id="confirm"' in shown
    assert "/rules/C-9/?ruleset=wing-command" in shown  # other laws have another ruling of this id
    _answer, drawn = send(wings.ana, wings.watch, "choose", shown, others=str(wings.second.pk), number="1")
    assert "A wing can have at most 8 troops" in drawn
    answer, _drawn = send(wings.ana, wings.watch, "confirm", shown)
    assert answer.status_code == 302
    assert [len(army.sheet["troops"]) for army in Army.objects.order_by("pk")] == [3, 5, 2]


def test_destinations_of_long_names_differ_where_a_phone_cuts_them(wings):
    shown = browser(wings.ana).get(page_of(wings.watch)).content.decode()
    choices = re.findall(r"<option[^>]*>([^<]*)", shown.partition('name="to0"')[2].partition("</select>")[0])
    assert [one[:4] for one in choices] == ["1 · ", "2 · "]


def test_the_page_leaves_the_choice_to_people_where_halves_are_not_allowed(contingents):
    undead = {"units": [{"type": "foot-heavy"}, {"type": "skeletons", "master": "Mira"}],
              "characters": [{"name": "Mira", "kind": "caster"}]}  # fmt: skip
    army = raise_army(by=contingents.ana, kingdom=contingents.crown, name="Dead", sheet=undead)
    shown = browser(contingents.ana).get(page_of(army)).content.decode()
    assert 'id="confirm"' not in shown
    assert "no character" not in shown
    answer, drawn = send(contingents.ana, army, "preview", shown, to1="1")
    assert (answer.status_code, "The army has no character “Mira”" in drawn) == (422, True)
    answer, drawn = send(contingents.ana, army, "preview", shown, to1="1", to2="1")
    assert (answer.status_code, 'id="confirm"' in drawn) == (200, True)


def test_the_api_takes_entries_of_any_list(wings):
    take = {"army": str(wings.watch.pk), "part": "characters", "entry": 0}
    body = {"armies": [str(wings.second.pk)], "parts": [{"army": str(wings.second.pk), "takes": [take]}]}
    told = api_of(wings.ana).post(f"/api/v1/armies/{wings.watch.pk}/reform/", body, format="json").json()
    assert [len(one["troops"]) for one in told["armies"]] == [5, 7]
    take["heads"] = 1
    answer = api_of(wings.ana).post(f"/api/v1/armies/{wings.watch.pk}/reform/", body, format="json")
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, "/parts/0/takes/0/heads")


def test_by_api_an_army_that_takes_from_itself_is_named_at_a_member_of_the_input(wings):
    take = {"army": str(wings.second.pk), "part": "characters", "entry": 0}
    body = {"armies": [str(wings.second.pk)], "parts": [{"army": str(wings.second.pk), "takes": [take]}]}
    answer = api_of(wings.ana).post(f"/api/v1/armies/{wings.watch.pk}/reform/", body, format="json")
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, "/parts/0/takes/0/army")


def test_a_mark_of_armies_that_have_changed_is_stale_whatever_was_asked(wings):
    parts = [ReformedPart(wings.second, takes=(TakenTroops(wings.watch, "troops", 1),))]
    mark = preview_reform(army=fresh(wings.watch), others=[fresh(wings.second)], parts=parts).mark
    fewer = {**wings.watch.sheet, "troops": wings.watch.sheet["troops"][:1]}
    type(wings.watch).objects.filter(pk=wings.watch.pk).update(sheet=fewer)
    given = {"by": wings.gm, "army": fresh(wings.watch), "others": [fresh(wings.second)], "parts": parts}
    with pytest.raises(StaleProposal, match="changed since"):
        reform_armies(**given, mark=mark)
    with pytest.raises(InvalidInput):
        reform_armies(**given)


def test_a_ruleset_without_it_has_no_page_and_no_api(db):
    gm = make_user("gm")
    campaign = create_campaign(by=gm, name="Coins", ruleset="coin")
    crown = found_kingdom(by=gm, campaign=campaign, name="Crown")
    army = raise_army(by=gm, kingdom=crown, name="Levy", sheet={"men": 2})
    assert browser(gm).get(page_of(army)).status_code == 404
    answer = api_of(gm).post(f"/api/v1/armies/{army.pk}/reform/", {}, format="json")
    assert (answer.status_code, "Not available in this ruleset" in answer.json()["detail"]) == (404, True)


# Several selected armies at once.


def order(table, *armies, user=None, **more):
    body = {"deed": "combine", "armies": [str(army.pk) for army in armies], "options": {}, **more}
    return api_of(user or table.gm).post("/api/v1/armies/bulk/", body, format="json")


def test_c9_selected_armies_are_combined_place_by_place_and_the_entry_undoes_it(wings):
    small = {**WING, "troops": [{"type": "foot"}, {"type": "archers"}], "characters": []}
    first = raise_army(by=wings.gm, kingdom=wings.crown, name="First", sheet=small)
    third = raise_army(by=wings.gm, kingdom=wings.crown, name="Third", sheet={**small, "troops": [{"type": "levy"}]})
    away = raise_army(by=wings.gm, kingdom=wings.crown, name="Away", sheet=small)
    Army.objects.filter(pk=away.pk).update(place="Elsewhere")
    before = [kept(army) for army in (first, third, away)]
    told = order(wings, first, third, away).json()
    lines = {line["name"]: (line["done"], line["text"]) for line in told["armies"]}
    assert lines == {
        "First": (True, "Taken in by First: Third."),
        "Third": (True, "Third: combined with First."),
        "Away": (False, "No other selected army of its kingdom is in the same place, in the same state."),
    }
    done = order(wings, first, third, away, confirm=True, mark=told["mark"])
    assert done.status_code == 200, done.content
    assert types_of(first, "troops") == ["foot", "archers", "levy"]
    assert (fresh(third).status, text(latest())) == ("disbanded", "Crown: 2 armies were combined (First, Third).")
    undo_last(by=wings.gm, campaign=wings.campaign)
    assert [kept(army) for army in (first, third, away)] == before


def test_c9_selected_armies_that_the_law_keeps_apart_are_left_with_the_reason(wings, contingents):
    for table, why in ((wings, "at most 8 troops"), (contingents, "already exists")):
        told = order(table, table.watch, table.second).json()
        assert [(line["done"], why in line["text"]) for line in told["armies"]] == [(False, True)] * 2
        before = [kept(army) for army in (table.watch, table.second)]
        assert order(table, table.watch, table.second, confirm=True, mark=told["mark"]).status_code in (409, 422)
        assert [kept(army) for army in (table.watch, table.second)] == before


def test_c9_a_player_combines_their_own_on_the_page_of_several_armies(contingents):
    away = {**CONTINGENT, "characters": [{"name": "Oda", "kind": "caster"}],
            "units": [{"type": "bows"}, {"type": "skeletons", "master": "Oda"}]}  # fmt: skip
    other = raise_army(by=contingents.gm, kingdom=contingents.crown, name="Other", sheet=away)
    picked = {"army": [str(contingents.watch.pk), str(other.pk)], "deed": "combine", "asked": "combine"}
    where = reverse("armies:together", args=[contingents.campaign.pk])
    shown = browser(contingents.ana).post(where, picked)
    assert "Taken in by Ironwatch: Other." in shown.content.decode()
    browser(contingents.ana).post(where, {**picked, "do": "confirm", "mark": shown.context["proposal"].mark})
    assert fresh(other).status == "disbanded"
    assert [one["name"] for one in fresh(contingents.watch).sheet["characters"]] == ["Mira", "Oda"]
