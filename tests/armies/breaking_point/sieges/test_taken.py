"""What a siege's battles teach and what its end hands over: proposed, confirmed, undone as one (B-48 to B-50, B-59)."""

from __future__ import annotations

import pytest
from django.urls import reverse

from armies.breaking_point.sieges import services as sieges_services
from armies.breaking_point.sieges.queries import build_siege_page
from armies.breaking_point.sieges.services import begin_siege
from armies.weeks import services as time
from battles.models import Battle
from battles.setup.services import open_battle
from kingdom.chronicle.services import undo_last
from rules.breaking_point.losses import baggage, guns, stores
from rules.core.dice import TypedDie
from tests.armies.breaking_point.armies.test_builder import Bench, edit
from tests.armies.breaking_point.sieges import tables
from tests.armies.breaking_point.sieges.tables import again, foot
from tests.armies.breaking_point.sieges.test_fought import command, opened
from tests.armies.weeks.test_pages import browser, text_of
from tests.kingdom.conftest import api_of
from tests.worlds import built_once

pytestmark = pytest.mark.django_db


@built_once
def armed(walls):
    """The guard has five guns of its own."""
    walls.guard.sheet = {"units": [foot(80), tables.guns(5, 8)], "version": 1}
    walls.guard.save()
    return walls


@built_once
def shut_in(armed):
    return begin_siege(by=armed.bo, place=armed.ker, armies=[armed.host])


def play(walls, battle, *fates, winner: str | None = None) -> None:
    """To its end by the GM's word. `fates`: of bodies, each with a figure."""
    command(walls, battle, type="next")
    sides = [{"army": f"side-{side}", "roll": "command", "values": [5]} for side in (0, 1)]
    command(walls, battle, type="resolve", dice=sides)
    for body, field, value in fates:
        command(walls, battle, type="override", body=body, field=field, value=value, reason="So it went")
    battle.refresh_from_db()
    if battle.status != "aftermath":
        command(walls, battle, type="end", reason="It is over", **({"winner": winner} if winner else {}))


def confirm(walls, battle, **choices) -> None:
    command(walls, battle, type="aftermath", confirm=True, choices=choices)


def fight(walls, kind: str, *fates, winner: str | None = None) -> Battle:
    battle = opened(walls, kind)
    play(walls, battle, *fates, winner=winner)
    return battle


def units(army):
    return again(army).sheet["units"]


def test_b50_an_assault_teaches_both_sides_and_is_undone_with_all_it_taught(armed, shut_in):
    sieges_services.begin_assault(by=armed.bo, siege=shut_in)
    battle = fight(armed, "assault", (f"{armed.guard.pk}:garrison", "losses", 333))
    shown = command(armed, battle, type="aftermath")
    assert [question.key for question in shown.questions] == ["experience-0", "experience-1"]
    confirm(armed, battle, **{"experience-0": "30"})
    assert (again(shut_in).status, sum(again(shut_in).state["garrison"]["borne"])) == ("open", 333)
    assert [unit["experience"] for unit in units(armed.host)] == [30, 30]
    assert [unit["experience"] for unit in units(armed.guard)] == [12, 12]
    assert [unit["strength"] for unit in units(armed.guard)] == [80, 20], "heads stay with the siege"
    undo_last(by=armed.gm, campaign=again(armed.campaign))
    assert again(shut_in).status == "assault"
    assert all("experience" not in unit for army in (armed.host, armed.guard) for unit in units(army))


def test_b49_a_sortie_that_drives_the_besieger_off_takes_his_guns_and_he_needs_his_week(armed, shut_in):
    sieges_services.begin_sortie(by=armed.ana, siege=shut_in)
    host = str(armed.host.pk)
    fates = [(f"{host}:{group}", "status", "fled") for group in ("contact", "shooting")]
    battle = fight(armed, "field", (f"{host}:contact", "losses", 100), *fates, winner="Crown")
    confirm(armed, battle)
    assert again(shut_in).status == "lifted"
    assert (again(armed.host).status, units(armed.host)[1]["pieces"]) == ("routed", 2)
    assert "wounded" not in units(armed.host)[0], "who fled left his wounded behind"
    assert again(armed.guard).sheet["spoils"] == [guns("Host", "Guns", 8), baggage("Host", 50)]
    undo_last(by=armed.gm, campaign=again(armed.campaign))
    assert (again(armed.host).status, units(armed.host)[1]["pieces"]) == ("ready", 10)
    assert "spoils" not in again(armed.guard).sheet


def test_b59_unconditionally_the_guns_the_baggage_and_the_stores_are_the_besiegers(armed, shut_in):
    dice = [TypedDie(str(armed.host.pk), "terms", (10, 10, 9))]
    after = sieges_services.offer_terms(by=armed.bo, siege=shut_in, typed=dice)
    assert after.status == "unconditional"
    assert again(armed.host).sheet["spoils"] == [guns("Guard", "Guns", 5), baggage("Guard"), stores("Ker")]
    assert units(armed.guard)[1]["pieces"] == 0
    assert [line["rule"] for line in after.state["told"]] == ["B-59", "B-59"]
    undo_last(by=armed.gm, campaign=again(armed.campaign))
    assert "spoils" not in again(armed.host).sheet
    assert units(armed.guard)[1]["pieces"] == 5


def test_b59_with_the_honours_of_war_everything_leaves_with_the_garrison(armed, shut_in):
    need = siege_needs(armed, shut_in)
    after = sieges_services.offer_terms(
        by=armed.bo, siege=shut_in, typed=[TypedDie(str(armed.host.pk), "terms", (need,))]
    )
    assert after.status == "honours"
    assert "spoils" not in again(armed.host).sheet
    assert units(armed.guard)[1]["pieces"] == 5


def siege_needs(walls, row) -> int:
    """The face with which terms are just heard."""
    page = build_siege_page(walls.gm, row)
    need = page.difficulty.total - page.score.total
    assert 1 < need < 10
    return need


def test_b59_a_week_that_ends_in_surrender_hands_over_all_and_says_so_before(armed, shut_in):
    week = {"by": armed.gm, "campaign": again(armed.campaign), "days": 7, "choices": {"terms": [str(shut_in.pk)]}}
    dice = [TypedDie(str(armed.host.pk), "shot", (2,)), TypedDie(str(armed.guard.pk), "shot", (2,)),
            TypedDie(str(armed.host.pk), "terms", (10, 10, 9))]  # fmt: skip
    shown = time.propose_time(**week, typed=dice)
    assert str(shown.notes[-1].text) == "Day 7. 5 guns and the stores of Ker go to Host."
    assert "spoils" not in again(armed.host).sheet
    time.confirm_time(**week, typed=dice, mark=shown.mark)
    assert again(armed.host).sheet["spoils"][0] == guns("Guard", "Guns", 5)


def test_an_assault_that_takes_the_place_hands_over_each_thing_once(armed, shut_in):
    sieges_services.begin_assault(by=armed.bo, siege=shut_in)
    garrison = f"{armed.guard.pk}:garrison"
    battle = fight(armed, "assault", (garrison, "losses", 900), (garrison, "status", "surrendered"), winner="Horde")
    confirm(armed, battle)
    assert (again(shut_in).status, again(armed.guard).status) == ("taken", "captured")
    taken = again(armed.host).sheet["spoils"]
    assert taken == [guns("Guard", "Guns", 5), baggage("Guard"), stores("Ker")]
    assert units(armed.guard)[1]["pieces"] == 0
    chronicle = text_of(browser(armed.viewer).get(reverse("kingdom:chronicle", args=[armed.campaign.pk])))
    assert f"Aftermath of “{battle.name}”. Victory on the field: Horde. Ker was taken by assault." in chronicle


def test_b60_relief_teaches_whoever_fought_in_it(armed, shut_in):
    friends = tables.army(armed.crown, "Friends", foot(400))
    sieges_services.begin_relief(by=armed.gm, siege=shut_in)
    sides = [{"name": "Horde", "armies": [str(armed.host.pk)]}, {"name": "Crown", "armies": [str(friends.pk)]}]
    battle = open_battle(by=armed.gm, campaign=again(armed.campaign), name="Relief", sides=sides)
    play(armed, battle, (f"{friends.pk}:contact", "losses", 1))
    confirm(armed, battle)
    assert again(shut_in).status == "open"
    assert [units(army)[0]["experience"] for army in (armed.host, friends)] == [12, 12]
    assert "experience" not in units(armed.guard)[0], "who stayed inside learnt nothing"


def taken(armed, shut_in):
    sieges_services.offer_terms(by=armed.bo, siege=shut_in, typed=[TypedDie(str(armed.host.pk), "terms", (10, 10, 9))])
    return again(armed.host).sheet["spoils"]


def test_what_was_taken_stays_when_the_units_are_written_anew(armed, shut_in):
    had, api = taken(armed, shut_in), api_of(armed.bo)
    read = api.get(f"/api/v1/armies/{armed.host.pk}/").json()
    assert read["spoils"] == had
    answer = api.patch(f"/api/v1/armies/{armed.host.pk}/", {"units": read["units"][:1]}, format="json")
    assert answer.status_code == 200, answer.content
    assert again(armed.host).sheet["spoils"] == had
    bench = Bench(armed.bo, edit(armed.host))
    assert bench.send(name="Host of the Horde").status_code == 302
    assert (again(armed.host).name, again(armed.host).sheet["spoils"]) == ("Host of the Horde", had)


def test_the_sheet_shows_what_was_taken_and_it_is_given_away_piece_by_piece(armed, shut_in):
    had = taken(armed, shut_in)
    client = browser(armed.bo)
    url = reverse("armies:army", args=[armed.host.pk])
    assert "guns taken from Guns (Guard): 5" in text_of(client.get(url))
    drop = reverse("armies:spoils_drop", args=[armed.host.pk])
    client.post(drop, {"spoil": "0"})
    assert again(armed.host).sheet["spoils"] == had[1:]
    refused = client.post(drop, {"spoil": "7"})
    assert refused.status_code == 422
    assert browser(armed.ana).post(drop, {"spoil": "0"}).status_code in (403, 404)
    assert again(armed.host).sheet["spoils"] == had[1:]
    undo_last(by=armed.gm, campaign=again(armed.campaign))
    assert again(armed.host).sheet["spoils"] == had


def test_a_garrison_that_falls_to_the_last_man_in_a_sortie_leaves_each_gun_once(armed, shut_in):
    sieges_services.begin_sortie(by=armed.ana, siege=shut_in)
    bodies = {f"{armed.guard.pk}:contact": 800, f"{armed.guard.pk}:shooting": 240}
    fates = [(body, *what) for body, lost in bodies.items() for what in (("losses", lost), ("status", "fled"))]
    confirm(armed, fight(armed, "field", *fates, winner="Horde"))
    assert (again(shut_in).status, again(armed.guard).status) == ("unconditional", "defeated")
    assert again(armed.host).sheet["spoils"][0] == guns("Guard", "Guns", 5)
    assert again(armed.host).sheet["spoils"][1:] == [baggage("Guard"), stores("Ker")]
