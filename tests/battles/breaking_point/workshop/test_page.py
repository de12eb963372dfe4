"""The odds workshop under breaking points: two armies changed in place, written or pasted; who may know what."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.urls import reverse
from django.utils.html import escape

from armies.models import Army
from battles.forecast.single_flight import flights
from battles.models import Battle, BattleRecord
from battles.workshop.page import WorkshopPage
from tests.battles.workshop.test_page import odds_of, page_asked, plain_of, quick  # noqa: F401 - a fixture
from tests.everyday import at_most
from tests.kingdom.conftest import client_of, make_user

NOBODY = "01900000-0000-7000-8000-000000000000"
SWORDS = {"name": "Swords", "type": "infantry", "strength": 100, "combat": 5, "armour": 3, "weapons": ["sword"]}


@pytest.fixture(autouse=True)
def _nothing_known():
    flights.clear()


def ask(user: Any, river: Any, **said: Any) -> Any:
    return client_of(user).get(reverse("battles:workshop", args=[river.campaign.pk]), fields(said))


def page_for(user: Any, river: Any, **said: Any) -> WorkshopPage:
    """What the page is drawn of, where nothing hinges on its text."""
    return page_asked(user, river, **fields(said))


def fields(said: dict[str, Any]) -> dict[str, Any]:
    return {name.replace("_", "-", name.count("_") if "led" not in name else 2): value for name, value in said.items()}


def written(*units: dict[str, Any], **more: Any) -> str:
    return json.dumps({"name": "Levy", "units": list(units) or [SWORDS], **more})


def two(**said: Any) -> dict[str, Any]:
    """Two written armies, alike, with the form as it is drawn."""
    drawn = {"army": "written", "known": "written", "contact": "", "shooting": "shoot", "has": "armour"}
    known = {f"{side}_{name}": value for side in "ab" for name, value in drawn.items()}
    return {"a_body": written(), "b_body": written(name="Foe"), **known, **said}


def host_of(page: WorkshopPage, side: int = 0) -> Any:
    return page.bench.asked.opening.armies[side]


@pytest.mark.usefixtures("quick")
class TestAsked:
    @pytest.mark.slow
    def test_two_equal_armies_are_about_equally_likely(self, river):
        odds = odds_of(page_for(river.gm, river, **two()))
        assert abs(odds.sides[0].win - odds.sides[1].win) < 2 * odds.error

    def test_without_an_address_the_first_two_meet_as_they_stand(self, river):
        page = page_for(river.gm, river)
        assert odds_of(page)
        assert page.bench.asked.plans.keys() == {army.id for army in page.bench.hosts}

    def test_a_unit_is_changed_in_place(self, river):
        for said, told in (
            ({"a_u0_strength": "150", "a_u0_combat": "8"}, {"strength": 150, "combat": 8}),
            ({"a_u0_armour": "0", "a_u0_strength": ""}, {"armour": 0, "strength": 100}),
        ):
            unit = host_of(page_for(river.gm, river, **two(**said))).units[0]
            assert {name: getattr(unit, name) for name in told} == told, said

    def test_its_weapon_is_one_of_the_tables_that_its_group_can_fight_with(self, river):
        page = page_for(river.gm, river, **two(a_u0_weapon="pike"))
        assert [weapon.slug for weapon in host_of(page).units[0].weapons] == ["pike"]
        offered = [slug for _title, found in page.bench.tuners[0].fields["a-u0-weapon"[2:]].choices[1:]
                   for slug, _name in found]  # fmt: skip
        assert "sword" in offered
        assert not {"catapult", "pilum"} & set(offered)

    def test_guns_keep_their_share_of_crew(self, river):
        guns = {**SWORDS, "name": "Guns", "type": "artillery", "group": "shooting", "strength": 40, "pieces": 10,
                "weapons": ["8-pounder"]}  # fmt: skip
        page = page_for(river.gm, river, **two(a_body=written(SWORDS, guns), a_u1_strength="20"))
        assert (host_of(page).units[1].strength, host_of(page).units[1].pieces) == (20, 5)

    def test_no_heads_leave_a_unit_out(self, river):
        page = page_for(river.gm, river, **two(a_body=written(SWORDS, {**SWORDS, "name": "More"}), a_u1_strength="0"))
        assert [unit.name for unit in host_of(page).units] == ["Swords"]

    def test_who_leads_is_changed_made_and_taken_away(self, river):
        led = written(SWORDS, commander={"name": "Gael", "mental": 8, "art_of_war": 3, "diplomacy": 4})
        kept = {"a_led_mental": "8", "a_led_presence": "5", "a_led_combat": "0", "a_led_art_of_war": "6"}
        changed = host_of(
            page_for(river.gm, river, **two(a_body=led, **kept, a_has=["commander", "art-of-war"]))
        ).commander
        assert (changed.name, changed.art_of_war, changed.diplomacy) == ("Gael", 6, 4)
        assert host_of(page_for(river.gm, river, **two(a_body=led))).commander is None
        made = host_of(page_for(river.gm, river, **two(a_led_art_of_war="4"))).commander
        assert (made.mental, made.art_of_war) == (5, 4)

    def test_what_an_army_has_can_be_left_out(self, river):
        whole, bare = (host_of(page_for(river.gm, river, **two(a_has=has))) for has in (["armour"], []))
        assert (whole.units[0].armour, bare.units[0].armour) == (3, 0)

    def test_plans_ground_weather_and_the_gms_word_are_asked(self, river):
        said = {"a_contact": "hold", "b_pursue": "on", "a_combat": "2", "a_circumstances": "-3", "b_cover": "5",
                "field_mud": "on", "field_night": "on", "field_narrow": "on", "field_distance": "long"}  # fmt: skip
        meant = page_for(river.gm, river, **two(**said)).bench.asked
        one, two_ = (meant.plan(army.id) for army in meant.opening.armies)
        assert (one.contact, one.combat, one.circumstances, two_.pursue, two_.cover) == ("hold", 2, -3, True, 5)
        assert [mark.kind for mark in meant.opening.conditions] == ["mud", "night", "narrow", "distance"]

    def test_one_of_them_may_hold_a_place(self, river):
        said = {"field_place": "fort", "field_holder": "a", "field_garrison": "200", "field_equipped": "on"}
        meant = page_for(river.gm, river, **two(**said)).bench.asked
        assert (meant.opening.kind, meant.opening.defender, meant.opening.place.garrison) == ("assault", 0, 200)
        assert [mark.kind for mark in meant.opening.conditions] == ["equipped"]

    def test_fleets_meet_as_fleets(self, river):
        ships = page_for(river.gm, river, a_army=str(river.home.pk), b_army=str(river.raiders.pk))
        assert ships.bench.asked.opening.kind == "fleet"
        assert odds_of(ships)
        mixed = page_for(river.gm, river, a_army=str(river.home.pk), b_army=str(river.host.pk))
        assert mixed.bench.asked.opening.kind == "field"

    def test_another_army_in_its_place_begins_as_it_stands(self, river):
        page = page_for(river.gm, river, **two(a_army=str(river.host.pk), a_u0_strength="1", a_combat="9"))
        host = host_of(page)
        assert host.units[0].strength == river.host.sheet["units"][0]["strength"]
        assert page.bench.asked.plan(host.id).combat == 0

    def test_an_army_meets_itself(self, river):
        page = page_for(river.gm, river, a_army=str(river.host.pk), b_army=str(river.host.pk))
        assert len(set(page.bench.ids)) == 2
        assert odds_of(page)


NO_ARMIES = (
    (two(a_body="{"), "This isn’t valid JSON: copy an army in API format"),
    (two(a_body="[]"), "Enter a JSON object."),
    (two(a_body=json.dumps({"name": "Nobody", "units": []})), "An army needs at least one unit."),
    (two(a_body=written({**SWORDS, "strength": 0})), "Enter a whole number from 1 to"),
    (two(a_body=written({**SWORDS, "strength": 10**9})), "Enter a whole number from 1 to"),
    (two(a_body=written({**SWORDS, "weapons": ["excalibur"]})), "excalibur"),
    (two(a_body=written({**SWORDS, "type": "unicorns"})), "Choose one of"),
    (two(a_u0_strength="0"), "no units. Add one first."),
    (two(field_place="fort", field_garrison="10"), "holds at most 20 heads"),
    ({"a_army": NOBODY}, "can’t read the sheet"), ({"a_army": "nonsense"}, "can’t read the sheet"),
    ({"a_army": "\0"}, "can’t read the sheet"),
)  # fmt: skip
NO_FIELDS = (
    ({"a_u0_strength": "1000000000"}, "At most 1000000"),
    ({"b_u0_strength": "-1"}, "At least 0"),
    ({"a_u0_combat": "many"}, "Enter a whole number"),
    ({"a_u0_weapon": "catapult"}, "This choice isn’t available"),
    ({"a_contact": "dance"}, "This choice isn’t available"),
    ({"a_has": "wings"}, "This choice isn’t available"),
    ({"a_led_mental": "21"}, "At most 20"),
    ({"field_place": "castle"}, "This choice isn’t available"),
    ({"field_distance": "far"}, "This choice isn’t available"),
)
WRONG = {name: value for said, _words in NO_FIELDS for name, value in said.items()}


@pytest.mark.usefixtures("quick")
class TestRefused:
    def test_what_cannot_be_is_told_in_words_and_nothing_is_asked(self, river):
        one_by_one = [(two(**said), [words]) for said, words in NO_FIELDS]
        at_once = (two(**WRONG), [words for _said, words in NO_FIELDS])
        armies = [(said, [words]) for said, words in NO_ARMIES]
        for said, words in (*armies, *at_most((), full=one_by_one), at_once):
            page = ask(river.gm, river, **said)
            assert page.status_code == 200
            assert [word for word in words if word not in page.text] == [], said
            assert page.context["page"].answers is None, said

    def test_a_wrong_figure_is_told_where_it_can_be_read(self, river):
        page = plain_of(ask(river.gm, river, **two(a_u0_combat="many", b_cover="99", field_distance="far")))
        assert all(f'id="{part}" open' in page for part in ("units-a", "more-b", "ground"))


class TestAnswered:
    def test_what_decides_and_what_would_make_it_even_stand_on_the_page(self, river):
        page = ask(river.gm, river, **two(field_mud="on", a_u0_combat="6"))
        answers = page.context["page"].answers
        assert not answers.pending
        slugs = {bar.cause.slug for bar in answers.causes.bars}
        assert slugs & {"combat", "defense", "breaking"}
        assert all(min(even.win, even.other) < 0.5 <= max(even.win, even.other) for even in answers.explained.evens)
        text = page.content.decode()
        for bar in answers.causes.bars:
            assert f"{abs(100 * bar.cause.points):.1f}</b>" in text
        assert "rounds on average" in text
        assert "phase" not in plain_of(page)


@pytest.mark.usefixtures("quick")
class TestNothingChanges:
    @pytest.mark.slow
    def test_nothing_here_touches_the_campaign(self, river):
        before = [list(model.objects.values()) for model in (Battle, BattleRecord, Army)]
        ask(river.gm, river, a_army=str(river.host.pk), b_army=str(river.swords.pk))
        ask(river.gm, river, **two(a_u0_strength="3"))
        assert before == [list(model.objects.values()) for model in (Battle, BattleRecord, Army)]

    def test_set_this_battle_up_begins_the_setup_with_both_and_their_ground(self, river):
        known = str(river.host.pk)
        said = {"a_army": known, "b_army": str(river.swords.pk), "a_known": known, "a_contact": "",
                "a_has": "commander", "a_circumstances": "2", "field_mud": "on", "field_place": "fortress"}  # fmt: skip
        drawn = ask(river.gm, river, **said)
        page = drawn.context["page"]
        assert page.setup, page.bench.refused
        assert f"/new/?{escape(page.setup)}" in drawn.text
        setup = client_of(river.gm).get(reverse("battles:battle_new", args=[river.campaign.pk]) + "?" + page.setup)
        form = setup.context["form"]
        assert form["armies-one"].value() == [known]
        assert form["armies-two"].value() == [str(river.swords.pk)]
        assert (form["kind"].value(), form["place-kind"].value(), form["defender"].value()) == (
            "assault",
            "fortress",
            "1",
        )
        assert form["mud"].value()
        assert form["circumstances-one"].value() == "2"
        assert page_for(river.dru, river, **said).setup == ""
        assert page_for(river.gm, river, **two()).setup == ""


@pytest.mark.usefixtures("quick")
class TestKnown:
    def test_a_player_picks_his_own_and_what_is_revealed_and_nobody_else(self, river):
        own, foreign = str(river.host.pk), str(river.swords.pk)
        page = ask(river.dru, river, a_army=own, b_army=foreign)
        offered = [pk for tuner in page_for(river.dru, river).bench.tuners
                   for _kingdom, armies in tuner.fields["army"].choices for pk, _name in armies]  # fmt: skip
        assert own in offered
        assert foreign not in offered
        assert page.context["page"].answers is None
        assert river.swords.name not in plain_of(page)
        nowhere = ask(river.dru, river, a_army=own, b_army=NOBODY)
        assert plain_of(nowhere).replace(NOBODY, foreign) == plain_of(page)
        river.swords.revealed = True
        river.swords.save()
        assert odds_of(page_for(river.dru, river, a_army=own, b_army=foreign))

    def test_two_worlds_that_look_alike_to_him_are_told_alike(self, river):
        """Whatever a hidden army is, nothing they may ask tells of it."""
        own = str(river.host.pk)
        asked = ({}, {"a_army": own}, {"a_army": own, "b_army": str(river.swords.pk)})
        asked = asked[:: at_most(2, full=1)]
        before = [plain_of(ask(river.dru, river, **said)) for said in asked]
        river.swords.sheet = {"units": [{**river.swords.sheet["units"][0], "strength": 7, "combat": 10}]}
        river.swords.save()
        assert [plain_of(ask(river.dru, river, **said)) for said in asked] == before

    @pytest.mark.slow
    def test_strangers_find_nothing(self, river):
        assert ask(make_user("stranger"), river).status_code == 404

    @pytest.mark.slow
    def test_doors_stand_on_the_campaign_and_on_an_army(self, river):
        here = reverse("battles:workshop", args=[river.campaign.pk])
        client = client_of(river.gm)
        assert here in client.get(reverse("kingdom:campaign", args=[river.campaign.pk])).content.decode()
        army = client.get(reverse("armies:army", args=[river.host.pk])).content.decode()
        assert f"{here}?a-army={river.host.pk}" in army


class TestWritten:
    def here(self, river: Any, side: str = "b", **asked: str) -> str:
        return reverse("battles:workshop_army", args=[river.campaign.pk, side]) + f"?a-army={river.host.pk}"

    FIELDS = {"name": "Ogres", "units-0-name": "Ogre", "units-0-type": "trolls", "units-0-strength": "50",
              "units-0-combat": "5", "units-0-armour": "2", "units-0-group": "contact", "units-0-weapons-0-slug": "axe",
              "led_by": "Grukk", "art_of_war": "2"}  # fmt: skip

    def test_an_army_is_written_by_the_builder(self, river):
        client = client_of(river.dru)
        grown = client.post(self.here(river), {**self.FIELDS, "add": "1", "starter": "orcs"})
        assert [unit["type"] for unit in grown.context["form"].units] == ["trolls", "orcs"]
        assert 'value="Grukk"' in grown.content.decode()
        refused = client.post(self.here(river), {**self.FIELDS, "units-0-strength": "0"})
        assert (refused.status_code, "units-0-strength" in refused.context["form"].errors) == (422, True)
        mind = client.post(self.here(river), {**self.FIELDS, "art_of_war": "many"})
        assert (mind.status_code, "art_of_war" in mind.context["form"].errors) == (422, True)
        done = client.post(self.here(river), self.FIELDS)
        query = parse_qs(urlsplit(done["Location"]).query)
        assert query["a-army"] == [str(river.host.pk)]
        body = json.loads(query["b-body"][0])
        assert (body["name"], body["units"][0]["weapons"], body["commander"]["art_of_war"]) == ("Ogres", ["axe"], 2)

    def test_it_begins_from_whoever_stands_there(self, river):
        form = client_of(river.dru).get(self.here(river, "a")).context["form"]
        assert form["name"].value() == river.host.name
        assert len(form.units) == len(river.host.sheet["units"])

    def test_an_army_is_pasted_as_the_api_tells_it(self, river):
        client = client_of(river.dru)
        done = client.post(self.here(river), {"pasted": written(name="Pasted")})
        assert json.loads(parse_qs(urlsplit(done["Location"]).query)["b-body"][0])["name"] == "Pasted"
        for wrong in ("{", '{"name": "x"}', written({**SWORDS, "weapons": ["excalibur"]})):
            refused = client.post(self.here(river), {"pasted": wrong})
            assert refused.status_code == 422
            assert refused.context["form"].errors["pasted"]

    def test_units_come_from_a_table(self, river):
        client = client_of(river.dru)
        table = client.get(reverse("armies:units_csv", args=[river.host.pk])).content.decode("utf-8-sig")
        read = client.post(self.here(river), {"name": "Copied", "table": table, "read": "1"})
        assert len(read.context["form"].units) == len(river.host.sheet["units"])
        bad = client.post(self.here(river), {"name": "Copied", "table": "nonsense", "read": "1"})
        assert (bad.status_code, "table" in bad.context["form"].errors) == (422, True)

    def test_what_is_too_long_for_an_address_is_refused(self, river):
        many = [{**SWORDS, "name": f"A unit with quite a long name, number {n}"} for n in range(60)]
        refused = client_of(river.dru).post(self.here(river), {"pasted": written(*many)})
        assert refused.status_code == 422
