"""A law of its own is played from the campaign's first page to the undone aftermath, through pages and the API."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from armies.models import Army, Commander
from battles.models import Battle
from kingdom.models import Campaign, Kingdom
from rules.core.errors import InvalidInput
from rules.core.text import Term
from rules.registry import RULESETS
from tests.battles.conftest import Client as BattleClient
from tests.everyday import everyday
from tests.kingdom.conftest import FREELY, api_of, make_user, seat
from tests.rulesets.browsing import Reader, beside, plain
from tests.rulesets.drivers import Driver, driver_of, sides_of
from tests.worlds import built_once

OF_THE_TESTS = ("coin", "turns", "skirmish")


@pytest.fixture(params=OF_THE_TESTS)
def driver(request) -> Driver:
    return driver_of(request.param)


@built_once
def table(db, driver) -> SimpleNamespace:
    """Campaign, kingdoms, a commander and armies, each made with its form."""
    table = SimpleNamespace(gm=make_user("gm"), stranger=make_user("stranger"))
    gm = Reader(table.gm)
    asked = {f"may:{kind}": choice for kind, choice in FREELY.items()}
    gm.done("/campaigns/new/?own=1", name="Marches", ruleset=driver.slug, **asked)
    table.campaign = Campaign.objects.get()
    table.ana = seat(table.gm, table.campaign, make_user("ana"), "player")
    table.bo = seat(table.gm, table.campaign, make_user("bo"), "player")
    founding = f"/c/{table.campaign.pk}/kingdoms/new/"
    for name, treasury, player in (("Crown", 100, table.ana), ("Horde", 20, table.bo)):
        gm.done(founding, name=name, treasury=treasury, players=player.pk)
    table.crown, table.horde = Kingdom.objects.get(name="Crown"), Kingdom.objects.get(name="Horde")
    appointing = f"/kingdoms/{table.crown.pk}/commanders/new/"
    Reader(table.ana).done(appointing, name="Ysolde")
    table.ysolde = Commander.objects.get()
    raising = f"/kingdoms/{table.crown.pk}/armies/new/"
    Reader(table.ana).done(raising, name="Ironwatch", sheet__men=2, commander=table.ysolde.pk)
    Reader(table.bo).done(f"/kingdoms/{table.horde.pk}/armies/new/", name="Raiders", sheet__men=2)
    table.watch, table.raiders = Army.objects.get(name="Ironwatch"), Army.objects.get(name="Raiders")
    table.driver = driver
    return table


def page(row: Any) -> str:
    kind = {"Army": "armies", "Commander": "commanders", "Kingdom": "kingdoms", "Campaign": "c", "Battle": "battles"}
    return f"/{kind[type(row).__name__]}/{row.pk}/"


def opened(table: Any) -> BattleClient:
    """A battle set up with its form, and the GM's key on it."""
    sides = {"one": "Crown", "armies-one": [table.watch.pk], "two": "Horde", "armies-two": [table.raiders.pk]}
    Reader(table.gm).done(f"{page(table.campaign)}battles/new/", name="The ford", **sides)
    return BattleClient(table.gm, Battle.objects.get())


def fought(table: Any) -> BattleClient:
    battle = opened(table)
    for command in table.driver.until_over(table):
        battle.ok(**command)
    return battle


def treasury(table: Any) -> int:
    return Kingdom.objects.get(pk=table.horde.pk).treasury


# through the pages


def test_the_army_stands_as_it_was_raised(table):
    watch = Army.objects.get(pk=table.watch.pk)
    assert (watch.health, watch.health_max, watch.sheet["men"]) == (2, 2, 2)
    assert watch.commander_id == table.ysolde.pk
    assert "Men 2 / 2" in Reader(table.ana).read(page(watch))


def test_kingdom_and_campaign_draw_the_armies_and_hide_what_is_hidden(table):
    for place in (page(table.crown), page(table.campaign)):
        assert "Ironwatch Men: 2" in Reader(table.ana).read(place)
    assert "Ysolde" in Reader(table.ana).read(f"{page(table.crown)}commanders/")
    told = Reader(table.bo).read(page(table.campaign))
    assert "Raiders Men: 2" in told
    assert "Ironwatch sheet hidden" in told


def test_an_army_is_renamed_and_its_sheet_written_anew(table):
    ana = Reader(table.ana)
    assert 'name="health"' not in ana.markup(f"{page(table.watch)}edit/")
    assert ana.done(f"{page(table.watch)}edit/", name="Ironguard", sheet__men=5) == page(table.watch)
    assert "Men 5 / 5" in ana.read(page(table.watch))
    assert "Ironguard" in ana.read(page(table.crown))


def test_the_gm_sets_its_state_right_and_damage_stays(table):
    gm, edit = Reader(table.gm), f"{page(table.watch)}edit/"
    gm.done(edit, "/correct/", health=1, status="ready")
    assert "Men 1 / 2" in gm.read(page(table.watch))
    gm.done(edit, edit, sheet__men=6)
    assert "Men 5 / 6" in gm.read(page(table.watch))
    assert beside(gm.refused(edit, "/correct/", health=7), "health") == "Use a whole number from 0 to 6."
    answer = Reader(table.ana).client.post(f"{page(table.watch)}correct/", {"health": 6, "status": "ready"})
    assert answer.status_code == 403


def test_the_command_is_taken_away_and_given(table):
    ana, watch = Reader(table.ana), page(table.watch)
    ana.done(watch, "/assign/")
    assert Army.objects.get(pk=table.watch.pk).commander_id == table.ysolde.pk, "the form stands as it is"
    ana.done(watch, "/assign/", commander="")
    assert "This army has no commander." in ana.read(watch)
    ana.done(watch, "/assign/", commander=table.ysolde.pk)
    assert "Ysolde" in ana.read(watch)
    assert "Ironwatch" in ana.read(page(table.ysolde))


def test_an_army_is_placed(table):
    ana = Reader(table.ana)
    ana.done(page(table.watch), "/place/", place="Old ford")
    assert Army.objects.get(pk=table.watch.pk).place == "Old ford"
    assert 'value="Old ford"' in ana.markup(page(table.watch))


def test_a_hidden_army_is_nobody_elses_until_the_gm_reveals_it(table):
    bo, watch = Reader(table.bo), page(table.watch)
    assert bo.status(watch) == Reader(table.stranger).status(watch) == 404
    assert bo.status(page(table.ysolde)) == 404
    Reader(table.gm).done(watch, "/reveal/")
    assert "Men 2 / 2" in bo.read(watch)
    assert "Ysolde" in bo.read(page(table.ysolde))
    assert Reader(table.stranger).status(watch) == 404
    for form in ("edit/", "disband/"):
        assert bo.status(f"{watch}{form}") == 403
    Reader(table.gm).done(watch, "/reveal/")
    assert bo.status(watch) == 404


NO_NUMBERS = (
    ("0", "At least 1."),
    ("101", "At most 100."),
    ("many", "Enter a whole number."),
    ("", "Fill this in."),
)


def test_a_wrong_number_comes_back_with_its_message_beside_it(table):
    ana = Reader(table.ana)
    for place in (f"/kingdoms/{table.crown.pk}/armies/new/", f"{page(table.watch)}edit/"):
        answers = ana.refused_each(place, [{"name": "Levy", "sheet__men": men} for men, _told in NO_NUMBERS])
        for sent, (men, told) in zip(answers, NO_NUMBERS, strict=True):
            assert beside(sent, "sheet-men") == told, (place, men)
            assert 'value="Levy"' in sent, (place, men)
    assert Army.objects.count() == 2


def test_what_only_the_law_refuses_stands_beside_its_field_too(table, monkeypatch):
    """The law may refuse what the form let pass."""

    def refuse(document: Any) -> None:
        raise InvalidInput(Term("An odd number, please."), "/men")

    monkeypatch.setattr(RULESETS[table.driver.slug].armies, "measure", refuse)
    sent = Reader(table.ana).refused(f"/kingdoms/{table.crown.pk}/armies/new/", name="Levy", sheet__men=2)
    assert beside(sent, "sheet-men") == "An odd number, please."


def test_a_form_without_its_number_is_refused(table):
    client = Reader(table.ana).client
    answer = client.post(f"/kingdoms/{table.crown.pk}/armies/new/", {"name": "Levy"})
    assert answer.status_code == 422
    assert beside(answer.content.decode(), "sheet-men") == "Fill this in."


def test_a_commander_is_renamed_captured_and_struck(table):
    ana, gm, edit = Reader(table.ana), Reader(table.gm), f"{page(table.ysolde)}edit/"
    ana.done(edit, edit, name="Ysolde Vell")
    assert 'name="status"' not in ana.markup(edit)
    gm.done(edit, edit, status="captured", away_until=9, ransom=3)
    assert "captured" in ana.read(page(table.ysolde))
    assert Army.objects.get(pk=table.watch.pk).commander is None
    gm.done(edit, "/remove/")
    assert not Commander.objects.exists()


def test_a_battle_is_opened_fought_settled_and_undone(table):
    battle, before = fought(table), treasury(table)
    watched = page(battle.battle)
    dice = table.driver.aftermath_dice(table)
    typed = {"die": f"{dice[0]['army']}|{dice[0]['roll']}|2", "face": dice[0]["values"][0]} if dice else {}
    gm = Reader(table.gm)
    settling = dict(version=Battle.objects.get().version, do="confirm", **typed)
    assert gm.client.post(f"{watched}aftermath/", settling).status_code == 302
    assert treasury(table) < before
    assert Battle.objects.get().status == "closed"
    gm.client.post(f"{watched}command/", {"type": "undo", "version": Battle.objects.get().version})
    assert (treasury(table), Battle.objects.get().status) == (before, "aftermath")


def test_an_army_that_fights_is_busy(table):
    opened(table)
    ana, watch = Reader(table.ana), page(table.watch)
    markup = ana.markup(watch)
    assert "The ford" in plain(markup)
    assert "/assign/" not in markup
    assert "/place/" not in markup
    orders = {
        "assign": {"commander": ""},
        "place": {"place": "Away"},
        "edit": {"name": "X", "sheet-men": 9},
        "disband": {"confirm": "1"},
    }
    for form, sent in orders.items():
        answer = ana.client.post(f"{watch}{form}/", sent)
        assert answer.status_code == 422, form
        assert "The ford" in plain(answer.content.decode())
    kept = Army.objects.get(pk=table.watch.pk)
    assert (kept.place, kept.name, kept.status) == ("", "Ironwatch", "ready")
    assert kept.commander_id == table.ysolde.pk


def test_an_army_goes_home(table):
    ana, watch = Reader(table.ana), page(table.watch)
    ana.done(f"{watch}disband/", confirm="1")
    told = ana.read(watch)
    assert "disbanded" in told
    assert "Disband…" not in told
    assert "No army." in ana.read(page(table.ysolde))
    assert "disbanded" in ana.read(page(table.crown))


def test_a_raising_is_undone(table):
    gm = Reader(table.gm)
    Reader(table.ana).done(f"/kingdoms/{table.crown.pk}/armies/new/", name="Levy", sheet__men=3)
    gm.done(f"{page(table.campaign)}chronicle/", "/undo/")
    assert not Army.objects.filter(name="Levy").exists()
    assert "Levy" not in Reader(table.ana).read(page(table.crown))


def test_what_was_raised_in_error_is_struck(table):
    Reader(table.gm).done(f"{page(table.watch)}edit/", "/remove/")
    assert not Army.objects.filter(pk=table.watch.pk).exists()


TOLD = {
    "en": (
        "Crown raised Ironwatch (Men: 2).",
        "Crown appointed Ysolde.",
        "Ironwatch’s sheet was changed.",
        "Sheet Men 2 →becomes Men 4",
        "Ironwatch: now at Old ford.",
        "Location – →becomes Old ford",
        "The GM corrected Ironwatch.",
        "Ironwatch disbanded.",
        "Status ready →becomes disbanded",
    ),
    "fr": (
        "Crown a levé Ironwatch (Men : 2).",
        "Crown : nomination d’Ysolde.",
        "Ironwatch : fiche modifiée.",
        "Fiche Men 2 →devient Men 4",
        "Ironwatch : nouvelle position, Old ford.",
        "Position – →devient Old ford",
        "Le MJ a corrigé l’armée Ironwatch.",
        "Ironwatch : armée dissoute.",
        "État prête →devient dissoute",
    ),
}


@pytest.mark.parametrize("who, language", everyday([("gm", "fr"), ("ana", "en"), ("gm", "en"), ("ana", "fr")], first=1))
def test_the_chronicle_tells_it(table, who, language):
    ana, watch = Reader(table.ana), page(table.watch)
    ana.done(f"{watch}edit/", sheet__men=4)
    ana.done(watch, "/place/", place="Old ford")
    Reader(table.gm).done(f"{watch}edit/", "/correct/", health=3, status="ready")
    ana.done(watch, "/assign/", commander="")
    ana.done(f"{watch}disband/", confirm="1")
    told = Reader(getattr(table, who), language).read(f"{page(table.campaign)}chronicle/")
    assert [line for line in TOLD[language] if line not in told] == []
    assert "Ironwatch" not in Reader(table.bo, language).read(f"{page(table.campaign)}chronicle/")


# through the API


def created(api: Any, kind: str, body: Any) -> Any:
    answer = api.post(f"/api/v1/{kind}/", body, format="json")
    assert answer.status_code == 201, answer.content
    return answer.json()


@built_once
def made(db, driver) -> SimpleNamespace:
    """The same made through the API."""
    table = SimpleNamespace(gm=make_user("gm"), driver=driver, stranger=make_user("stranger"))
    api = api_of(table.gm)
    body = {"name": "Marches", "ruleset": driver.slug, "players_may": FREELY}
    table.campaign = Campaign.objects.get(pk=created(api, "campaigns", body)["id"])
    table.ana = seat(table.gm, table.campaign, make_user("ana"), "player")
    table.bo = seat(table.gm, table.campaign, make_user("bo"), "player")
    for name, treasury, player in (("Crown", 100, "ana"), ("Horde", 20, "bo")):
        body = {"campaign": str(table.campaign.pk), "name": name, "treasury": treasury, "players": [player]}
        setattr(table, name.lower(), Kingdom.objects.get(pk=created(api, "kingdoms", body)["id"]))
    ana_api, bo_api = api_of(table.ana), api_of(table.bo)
    crown, horde = str(table.crown.pk), str(table.horde.pk)
    table.ysolde = created(ana_api, "commanders", {"kingdom": crown, "name": "Ysolde"})
    raised = {"kingdom": crown, "name": "Ironwatch", "sheet": {"men": 2}, "commander": table.ysolde["id"]}
    table.raised = created(ana_api, "armies", raised)
    created(bo_api, "armies", {"kingdom": horde, "name": "Raiders", "sheet": {"men": 2}})
    table.watch, table.raiders = Army.objects.get(name="Ironwatch"), Army.objects.get(name="Raiders")
    return table


@pytest.fixture
def programs(made) -> SimpleNamespace:
    """With everybody's key."""
    made.api, made.ana_api, made.bo_api = api_of(made.gm), api_of(made.ana), api_of(made.bo)
    return made


def at(row: Any) -> str:
    return f"/api/v1/armies/{row.pk}/"


def test_the_api_answers_the_army_with_its_document(programs):
    assert programs.raised["sheet"] == {"men": 2, "version": 1}
    assert (programs.raised["health"], programs.raised["health_max"]) == (2, 2)
    assert programs.raised["commander"] == programs.ysolde["id"]
    assert programs.ana_api.get(at(programs.watch)).json() == programs.raised
    listed = programs.ana_api.get(f"/api/v1/armies/?campaign={programs.campaign.pk}").json()
    assert [army["name"] for army in listed["results"]] == ["Ironwatch"]
    assert programs.bo_api.get(at(programs.watch)).status_code == 404
    assert programs.bo_api.get(f"/api/v1/commanders/{programs.ysolde['id']}/").status_code == 404


def test_the_api_changes_corrects_and_disbands(programs):
    def patch(api: Any, answered: int = 200, **body: Any) -> Any:
        answer = api.patch(at(programs.watch), body, format="json")
        assert answer.status_code == answered, answer.content
        return answer.json()

    assert patch(programs.ana_api, sheet={"men": 5}, name="Ironguard")["health_max"] == 5
    assert patch(programs.api, health=1)["health"] == 1
    assert patch(programs.ana_api, commander=None)["commander"] is None
    assert patch(programs.api, revealed=True)["revealed"] is True
    assert programs.bo_api.get(at(programs.watch)).status_code == 200
    patch(programs.ana_api, 403, health=5)
    patch(programs.bo_api, 403, name="Mine")
    assert patch(programs.api, status="disbanded")["status"] == "disbanded"


def test_the_api_points_at_the_wrong_number(programs):
    for men in (0, 101, "many", None, True, 1.5, []):
        body = {"kingdom": str(programs.crown.pk), "name": "Levy", "sheet": {"men": men}}
        for answer in (
            programs.ana_api.post("/api/v1/armies/", body, format="json"),
            programs.ana_api.patch(at(programs.watch), {"sheet": {"men": men}}, format="json"),
        ):
            assert answer.status_code == 400, (men, answer.content)
            errors = answer.json()["errors"]
            assert [error["pointer"] for error in errors] == ["/sheet/men"], men
            assert errors[0]["detail"] == "Use a whole number from 1 to 100.", men
    assert Army.objects.count() == 2


def test_the_api_refuses_a_document_that_is_none(programs):
    body = {"kingdom": str(programs.crown.pk), "name": "Levy"}
    for sheet in (None, 3, "men", [], [1]):
        answer = programs.ana_api.post("/api/v1/armies/", {**body, "sheet": sheet}, format="json")
        assert answer.status_code == 400, (sheet, answer.content)
        assert [error["pointer"] for error in answer.json()["errors"]] == ["/sheet"], sheet
    assert programs.ana_api.post("/api/v1/armies/", body, format="json").status_code == 400


def test_the_api_refuses_members_the_document_does_not_know(programs):
    body = {"kingdom": str(programs.crown.pk), "name": "Levy", "sheet": {"men": 2, "horses": 3}}
    answer = programs.ana_api.post("/api/v1/armies/", body, format="json")
    assert answer.status_code == 400, answer.content
    assert [error["pointer"] for error in answer.json()["errors"]] == ["/sheet/horses"]


def test_the_api_plays_a_battle_to_its_undone_aftermath(programs):
    before = treasury(programs)
    body = {"campaign": str(programs.campaign.pk), "name": "The ford", "sides": sides_of(programs)}
    gm = BattleClient(programs.gm, Battle.objects.get(pk=created(programs.api, "battles", body)["id"]))
    busy = programs.ana_api.patch(at(programs.watch), {"name": "Ironguard"}, format="json")
    assert busy.status_code == 409
    assert "The ford" in busy.json()["detail"]
    for command in programs.driver.until_over(programs):
        gm.ok(**command)
    settled = gm.ok(type="aftermath", confirm=True, dice=programs.driver.aftermath_dice(programs))
    assert settled["status"] == "closed"
    assert treasury(programs) < before
    gm.ok(type="undo")
    assert treasury(programs) == before


def test_the_api_undoes_a_raising(programs):
    undone = programs.api.post(f"/api/v1/campaigns/{programs.campaign.pk}/undo/", {}, format="json")
    assert undone.status_code == 200, undone.content
    assert not Army.objects.filter(name="Raiders").exists()


def test_rosters_and_sheets_name_health_as_the_law_does_and_show_no_upkeep_where_there_is_none(table):
    gm = Reader(table.gm)
    for address in (page(table.campaign), page(table.crown), page(table.watch)):
        shown = gm.markup(address)
        assert 'aria-label="Men: 2 of 2"' in shown
        assert "it points" not in shown
        assert "Upkeep</th>" not in shown
