"""Dividing and combining armies of units (B-83), by service, API and page."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.urls import reverse

from armies.breaking_point.armies.services import appoint_commander
from armies.breaking_point.models import Stationed
from armies.breaking_point.sieges.place_services import enter_place, fortify
from armies.breaking_point.sieges.services import begin_siege
from armies.documents.reform_services import ReformedPart, TakenTroops, preview_reform, reform_armies
from armies.forces.services import assign_commander, correct_army, disband_army, raise_army
from armies.marches.services import place_army, put_army
from armies.models import Army
from kingdom.campaign.services import update_campaign
from kingdom.chronicle.services import undo_last
from kingdom.map.services import make_map
from kingdom.models import Campaign
from rules.core.errors import IllegalCommand, InvalidInput, StaleProposal
from tests.armies.breaking_point.conftest import ARCHERS, LEGION, TROLLS, units
from tests.armies.conftest import fought_in, seats  # noqa: F401 - a fixture
from tests.armies.pathfinder.armies.test_army_life import browser, fresh, latest, text
from tests.databases import tried
from tests.kingdom.conftest import api_of
from tests.walking import offered
from tests.worlds import built_once

API = "/api/v1"


@built_once
def camp(marches) -> SimpleNamespace:
    """The watch (480 legionaries, 200 archers, Ysolde), and a second army of 100 legionaries under Tam, with spoils."""
    tam = appoint_commander(by=marches.ana, kingdom=marches.crown, name="Tam")
    hundred = {**LEGION, "strength": 100, "wounded": 9}
    spoils = [{"what": "baggage", "of": "Steel", "share": 50}]
    second = raise_army(
        by=marches.gm, kingdom=marches.crown, name="Second", sheet={**units(hundred), "spoils": spoils}, commander=tam
    )
    return SimpleNamespace(**{**vars(marches), "tam": tam, "second": second})


def strengths(army) -> list[tuple[str, int]]:
    return [(unit["name"], unit["strength"]) for unit in fresh(army).sheet["units"]]


def state(*armies) -> list[tuple]:
    fields = ("name", "sheet", "health", "health_max", "upkeep", "status", "commander_id", "marching_until", "place")
    return [tuple(getattr(fresh(army), name) for name in fields) for army in armies]


def half(army) -> list[ReformedPart]:
    """The archers and half of the cohort go to a new army."""
    takes = (TakenTroops(army, "units", 0, 240), TakenTroops(army, "units", 1))
    return [ReformedPart(name="Vanguard", takes=takes)]


def test_b83_an_army_is_divided_and_the_entry_undoes_it(camp):
    before = state(camp.watch)
    watch, new = reform_armies(by=camp.ana, army=camp.watch, parts=half(camp.watch)).rows
    assert (strengths(watch), strengths(new)) == (
        [("First cohort", 240)], [("First cohort", 240), ("Archers", 200)]
    )  # fmt: skip
    new = fresh(new)
    assert (fresh(watch).health, new.health, new.health_max, new.commander, new.kingdom) == (
        240,
        440,
        440,
        None,
        camp.crown,
    )
    assert (fresh(watch).commander.name, text(latest())) == ("Ysolde", "Ironwatch divided: Ironwatch, Vanguard.")
    undo_last(by=camp.gm, campaign=camp.campaign)
    assert state(camp.watch) == before
    assert not Army.objects.filter(pk=new.pk).exists()


def test_b83_armies_are_combined_and_the_entry_undoes_it(camp):
    before = state(camp.watch, camp.second)
    plan = reform_armies(by=camp.ana, army=camp.watch, others=[camp.second])
    assert (plan.rows, plan.gone, [one.name for one in plan.freed]) == ([camp.watch], [camp.second], ["Tam"])
    watch, second = fresh(camp.watch), fresh(camp.second)
    assert strengths(watch) == [("First cohort", 580), ("Archers", 200)]
    assert (watch.health, watch.health_max, watch.sheet["spoils"][0]["of"]) == (780, 789, "Steel")
    assert (second.status, second.commander, "spoils" in second.sheet) == ("disbanded", None, False)
    assert text(latest()) == "Armies combined into Ironwatch: Ironwatch, Second."
    undo_last(by=camp.gm, campaign=camp.campaign)
    assert state(camp.watch, camp.second) == before


def test_b83_who_commands_is_chosen_and_a_dissolved_armys_commander_fills_a_gap(camp):
    before = state(camp.watch, camp.second)
    parts = [ReformedPart(camp.watch, commander=camp.tam), ReformedPart(camp.second, commander=camp.ysolde,
             takes=(TakenTroops(camp.watch, "units", 1),))]  # fmt: skip
    with tried():
        reform_armies(by=camp.ana, army=camp.watch, others=[camp.second], parts=parts)
        assert (fresh(camp.watch).commander.name, fresh(camp.second).commander.name) == ("Tam", "Ysolde")
        undo_last(by=camp.gm, campaign=camp.campaign)
        assert state(camp.watch, camp.second) == before
    assign_commander(by=camp.ana, army=camp.watch, commander=None)
    reform_armies(by=camp.ana, army=fresh(camp.watch), others=[camp.second])
    assert fresh(camp.watch).commander.name == "Tam"


def test_b83_refusals_leave_everything_as_it_was(camp):
    before, archers = state(camp.watch, camp.second), TakenTroops(camp.watch, "units", 1)
    cases = {
        "Choose what moves": ([], []),
        "Enter a name": ([], [ReformedPart(takes=(archers,))]),
        "List each army only once": ([camp.watch], []),
        "isn’t one of those": ([], [ReformedPart(camp.second, takes=(archers,))]),
        "has already been moved": ([], [ReformedPart(name="B", takes=(archers, archers))]),
        "leads none of these": ([], [ReformedPart(name="B", commander=camp.tam, takes=(archers,))]),
        "Ironwatch would have nothing left": ([], [
            ReformedPart(name="B", takes=(archers, TakenTroops(camp.watch, "units", 0)))
        ]),
        "Choose what the new army takes": ([], [*half(camp.watch), ReformedPart(name="C")]),
        "whole number from 1 to 200": ([], [ReformedPart(name="B", takes=(archers._replace(heads=201),))]),
        "different kingdoms": ([camp.tanks], []),
    }  # fmt: skip
    for why, (others, parts) in cases.items():
        with pytest.raises((IllegalCommand, InvalidInput), match=why):
            reform_armies(by=camp.gm, army=camp.watch, others=others, parts=parts)
    deeds = {
        "aren’t at the same place": lambda: place_army(by=camp.gm, army=camp.second, place="The ford"),
        "one of them is routed": lambda: correct_army(by=camp.gm, army=camp.second, status="routed"),
        "disbanded, so nothing can be changed": lambda: disband_army(by=camp.gm, army=camp.second),
        "on the march until": lambda: Army.objects.filter(pk=camp.second.pk).update(marching_until=4),
    }
    for why, do in deeds.items():
        with tried():
            do()
            with pytest.raises(IllegalCommand, match=why):
                reform_armies(by=camp.gm, army=camp.watch, others=[fresh(camp.second)])
    assert state(camp.watch, camp.second) == before


def test_b83_nobody_reforms_armies_of_others_nor_one_in_a_siege(camp):
    for army, others in ((camp.watch, [camp.second]), (camp.tanks, [camp.watch])):
        with pytest.raises((PermissionDenied, Http404)):
            reform_armies(by=camp.bo, army=army, others=others)
    place = fortify(by=camp.gm, kingdom=camp.horde, name="Ker", kind="fort", garrison=100)
    trolls = raise_army(by=camp.bo, kingdom=camp.horde, name="Trolls", sheet=units(TROLLS))
    enter_place(by=camp.bo, army=trolls, place=place)
    begin_siege(by=camp.ana, place=place, armies=[camp.watch])
    with pytest.raises(IllegalCommand, match="held by the siege of Ker"):
        reform_armies(by=camp.gm, army=camp.watch, parts=half(camp.watch))


def test_b83_a_new_army_garrisons_the_place_that_the_old_one_holds(camp):
    place = fortify(by=camp.gm, kingdom=camp.crown, name="Ker", kind="fortress", garrison=600)
    enter_place(by=camp.ana, army=camp.watch, place=place)
    with pytest.raises(IllegalCommand, match="aren’t at the same place"):
        reform_armies(by=camp.ana, army=fresh(camp.watch), others=[camp.second])
    _watch, new = reform_armies(by=camp.ana, army=fresh(camp.watch), parts=half(camp.watch)).rows
    assert inside(place) == {"Ironwatch", "Vanguard"}
    reform_armies(by=camp.ana, army=new, others=[fresh(camp.watch)])
    assert inside(place) == {"Vanguard"}
    for there in ({"Ironwatch", "Vanguard"}, {"Ironwatch"}):
        undo_last(by=camp.gm, campaign=camp.campaign)
        assert inside(place) == there


def test_b83_selected_armies_are_combined_and_a_dissolved_one_leaves_its_place(camp):
    place = fortify(by=camp.gm, kingdom=camp.crown, name="Ker", kind="fortress", garrison=600)
    for army in (camp.watch, camp.second):
        enter_place(by=camp.gm, army=army, place=place)
    before, picked = state(camp.watch, camp.second), [str(camp.watch.pk), str(camp.second.pk)]
    body = {"deed": "combine", "armies": picked, "options": {}}
    told = api_of(camp.gm).post("/api/v1/armies/bulk/", body, format="json").json()
    assert [line["done"] for line in told["armies"]] == [True, True]
    done = api_of(camp.gm).post("/api/v1/armies/bulk/", {**body, "confirm": True, "mark": told["mark"]}, format="json")
    assert done.status_code == 200, done.content
    assert len(inside(place)) == 1
    undo_last(by=camp.gm, campaign=camp.campaign)
    assert (state(camp.watch, camp.second), inside(place)) == (before, {"Ironwatch", "Second"})


def inside(place) -> set[str]:
    return set(Stationed.objects.filter(place=place).values_list("army__name", flat=True))


def test_b83_troops_that_fought_this_week_do_not_rest_elsewhere(camp, seats):  # noqa: F811
    Campaign.objects.filter(pk=camp.campaign.pk).update(day=3)
    watch, second = fresh(camp.watch), fresh(camp.second)
    seats.append(fought_in(watch, 3))
    with pytest.raises(IllegalCommand, match=r"Ironwatch fought this week.*on day 7"):
        reform_armies(by=camp.ana, army=watch, parts=half(watch))
    with pytest.raises(IllegalCommand, match="Ironwatch fought"):
        preview_reform(army=second, others=[watch])
    assert preview_reform(army=watch, others=[second]).gone == [second]
    seats.append(fought_in(second, 3))
    assert preview_reform(army=second, others=[watch]).gone == [watch]


def test_b83_troops_have_marched_as_lately_as_the_army_they_come_from(camp):
    Campaign.objects.filter(pk=camp.campaign.pk).update(day=5)
    Army.objects.filter(pk=camp.watch.pk).update(marching_until=4)
    watch, new = reform_armies(by=camp.ana, army=fresh(camp.watch), parts=half(camp.watch)).rows
    assert (fresh(watch).marching_until, fresh(new).marching_until) == (4, 4)


def test_b83_what_has_changed_since_the_preview_is_not_confirmed(camp):
    plan = preview_reform(army=camp.watch, others=[camp.second])
    correct_army(by=camp.gm, army=camp.second, status="routed")
    correct_army(by=camp.gm, army=fresh(camp.watch), status="routed")
    with pytest.raises(StaleProposal):
        reform_armies(by=camp.ana, army=camp.watch, others=[camp.second], mark=plan.mark)


# By the API.


def post(user, army, **body):
    return api_of(user).post(f"{API}/armies/{army.pk}/reform/", body, format="json")


def test_the_api_previews_and_confirms_by_the_mark(camp):
    take = {"army": str(camp.watch.pk), "part": "units", "entry": 0, "heads": 80}
    parts = [{"name": "Vanguard", "takes": [take]}]
    shown = post(camp.ana, camp.watch, parts=parts)
    told = shown.json()
    assert (shown.status_code, shown["ETag"]) == (200, f'"{told["mark"]}"')
    assert [(one["army"], one["health"], one["troops"]) for one in told["armies"]] == [
        (str(camp.watch.pk), 600, ["400 × First cohort (combat 6)", "200 × Archers (combat 5)"]),
        (None, 80, ["80 × First cohort (combat 6)"]),
    ]
    assert post(camp.ana, camp.watch, parts=parts, confirm=True).status_code == 428
    assert post(camp.ana, camp.watch, parts=parts, confirm=True, mark="0" * 32).status_code == 412
    assert strengths(camp.watch)[0] == ("First cohort", 480)
    done = post(camp.ana, camp.watch, parts=parts, confirm=True, mark=told["mark"]).json()
    assert done["armies"][1]["army"] == str(Army.objects.get(name="Vanguard").pk)


def test_the_api_combines_without_parts_and_points_at_what_is_wrong(camp):
    told = post(camp.ana, camp.watch, armies=[str(camp.second.pk)]).json()
    assert (told["gone"], told["freed"]) == ([str(camp.second.pk)], [str(camp.tam.pk)])
    take = {"army": str(camp.watch.pk), "part": "units", "entry": 0}
    cases = [
        ({}, 400, "/parts"),
        ({"parts": [{"takes": [take]}]}, 400, "/parts/0/name"),
        ({"parts": [{"name": "B", "takes": [{**take, "entry": 9}]}]}, 400, "/parts/0/takes/0/entry"),
        ({"parts": [{"name": "B", "takes": [{**take, "part": "spoils"}]}]}, 400, "/parts/0/takes/0/part"),
        ({"parts": [{"name": "B", "takes": [{**take, "heads": 999}]}]}, 400, "/parts/0/takes/0/heads"),
        ({"parts": [{"name": "B", "takes": [{**take, "army": str(camp.second.pk)}]}]}, 404, "/parts/0/takes/0/army"),
        ({"parts": [{"army": str(camp.second.pk)}]}, 404, "/parts/0/army"),
        ({"armies": ["x"]}, 400, "/armies/0"),
    ]
    for body, status, pointer in cases:
        answer = post(camp.ana, camp.watch, **body)
        assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (status, pointer), body
    assert post(camp.ana, camp.watch, armies=[str(camp.tanks.pk)]).status_code == 404
    assert post(camp.bo, camp.watch).status_code == 404


# On the page.


def page_of(camp):
    return reverse("armies:army_reform", args=[camp.watch.pk])


def send(user, camp, do, page="", **given):
    """Sends the form as the page that was drawn has it, changed where the test cares."""
    forms = [step.data for step in offered(page_of(camp), page) if ("do", "choose") in step.data]
    answer = browser(user).post(page_of(camp), {**dict(forms[0] if forms else ()), **given, "do": do})
    return answer, answer.content.decode()


def test_the_sheet_and_the_map_lead_whoever_runs_the_army_to_the_page(camp):
    make_map(by=camp.gm, campaign=camp.campaign)
    put_army(by=camp.gm, army=camp.watch, hex="B2")
    correct_army(by=camp.gm, army=fresh(camp.watch), revealed=True)
    sheet = reverse("armies:army", args=[camp.watch.pk])
    board = f"{reverse('armies:map', args=[camp.campaign.pk])}?army={camp.watch.pk}"
    for url in (sheet, board):
        assert page_of(camp) in browser(camp.ana).get(url).content.decode()
        assert page_of(camp) not in browser(camp.bo).get(url).content.decode()


def test_an_army_is_divided_on_the_page(camp):
    shown = browser(camp.ana).get(page_of(camp)).content.decode()
    assert "480 × First cohort" in shown
    assert "200 × Archers (combat 5)" in shown
    answer, drawn = send(camp.ana, camp, "preview", shown, heads0="999")
    assert (answer.status_code, "field-error" in drawn) == (422, True)
    answer, drawn = send(camp.ana, camp, "preview", shown, to0="1", to1="1")
    assert (answer.status_code, "Ironwatch would have nothing left" in drawn) == (422, True)
    answer, drawn = send(
        camp.ana, camp, "preview", shown,
        **{"to0": "1", "heads0": "80", "to1": "0", "part1-name": "Vanguard", "part1-commander": str(camp.ysolde.pk)},
    )  # fmt: skip
    assert (answer.status_code, "80 × First cohort" in drawn) == (200, True)
    answer, _drawn = send(camp.ana, camp, "confirm", drawn)
    assert (answer.status_code, answer["Location"]) == (302, reverse("armies:army", args=[camp.watch.pk]))
    new = Army.objects.get(name="Vanguard")
    assert (strengths(new), new.commander.name, fresh(camp.watch).commander) == ([("First cohort", 80)], "Ysolde", None)


def test_armies_are_combined_on_the_page_and_a_change_meanwhile_is_told(camp):
    shown = browser(camp.ana).get(page_of(camp)).content.decode()
    assert "Second (100)" in shown
    _answer, drawn = send(camp.ana, camp, "choose", shown, others=str(camp.second.pk), number="1")
    assert "Second: no longer an army of its own" in drawn
    assert "580 × First cohort" in drawn
    assign_commander(by=camp.gm, army=camp.second, commander=None)
    answer, again = send(camp.ana, camp, "confirm", drawn)
    assert (answer.status_code, fresh(camp.second).standing) == (412, True)
    answer, _drawn = send(camp.ana, camp, "confirm", again)
    assert (answer.status_code, fresh(camp.watch).health) == (302, 780)


def test_only_armies_at_the_same_place_are_offered(camp):
    place_army(by=camp.gm, army=camp.second, place="The ford")
    shown = browser(camp.ana).get(page_of(camp)).content.decode()
    assert "Second (100)" not in shown
    assert "No other army of this kingdom is at this place" in shown


def test_by_leave_the_gm_grants_what_was_previewed(camp):
    update_campaign(by=camp.gm, campaign=Campaign.objects.get(pk=camp.campaign.pk), players_may={"raise": "ask"})
    shown = browser(camp.ana).get(page_of(camp)).content.decode()
    _answer, drawn = send(camp.ana, camp, "preview", shown, to0="0", to1="1")
    answer, _drawn = send(camp.ana, camp, "confirm", drawn)
    assert (answer.status_code, strengths(camp.watch)[1]) == (302, ("Archers", 200))


def test_an_army_of_one_unit_is_halved_by_the_proposal(camp):
    archers = raise_army(by=camp.ana, kingdom=camp.crown, name="Bows", sheet=units(ARCHERS))
    drawn = browser(camp.ana).get(reverse("armies:army_reform", args=[archers.pk])).content.decode()
    assert drawn.count("100 × Archers") == 2
