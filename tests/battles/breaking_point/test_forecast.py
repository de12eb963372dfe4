"""The forecast of battles of breaking points by the API: clear refusals, and no secret told."""

from __future__ import annotations

import re
from typing import Any

import pytest

from battles.forecast.single_flight import flights
from battles.models import Battle, Job
from tests.battles.conftest import Client as Key
from tests.kingdom.conftest import api_of, client_of
from tests.rulesets.drivers import driver_of, sides_of, table_of
from tests.worlds import built_once

SWORDS = {"name": "Swords", "type": "infantry", "strength": 100, "combat": 5, "armour": 3, "weapons": ["sword"]}
LEVY = {"name": "Levy", "units": [SWORDS]}
FOE = {**LEVY, "name": "Foe"}
SWORD_COMBAT = 3  # of both armies, and who has no commander commands by it
NOBODY = "01900000-0000-7000-8000-000000000000"


@pytest.fixture(autouse=True)
def _nothing_known():
    flights.clear()


@built_once
def war(db) -> Any:
    """Two armies of a hundred swords each; ana runs the crown's, bo the horde's."""
    return table_of(driver_of("breaking-point"))


def body(**changes: Any) -> dict[str, Any]:
    sides = [{"name": "One", "armies": [LEVY]}, {"name": "Two", "armies": [FOE]}]
    return {"ruleset": "breaking-point", "sides": sides, **changes}


def armies(*one: Any, two: Any = FOE) -> dict[str, Any]:
    return {"sides": [{"name": "One", "armies": list(one)}, {"name": "Two", "armies": [two]}]}


def unit(**changes: Any) -> dict[str, Any]:
    return {**LEVY, "units": [{**SWORDS, **changes}]}


def ask(user: Any, **changes: Any) -> Any:
    return api_of(user).post("/api/v1/forecast/", body(**changes))


def sweep(user: Any, **asked: Any) -> Any:
    return api_of(user).post("/api/v1/forecast/sweep/", {"ruleset": "breaking-point", **asked})


def pointers(answer: Any) -> list[str]:
    return [error["pointer"] for error in answer.json()["errors"]]


CANNOT_BE: tuple[tuple[dict[str, Any], str], ...] = (
    (armies({**LEVY, "units": []}), "/sides/0/armies/0/units"),
    (armies({"name": "Levy"}), "/sides/0/armies/0/units"),
    (armies({"units": [SWORDS]}), "/sides/0/armies/0/name"),
    (armies(unit(strength=0)), "/sides/0/armies/0/units/0/strength"),
    (armies(unit(strength=10**9)), "/sides/0/armies/0/units/0/strength"),
    (armies(unit(strength="many")), "/sides/0/armies/0/units/0/strength"),
    (armies(unit(weapons=["excalibur"])), "/sides/0/armies/0/units/0/weapons/0"),
    (armies(unit(type="unicorns")), "/sides/0/armies/0/units/0/type"),
    (armies(unit(machine="frigate", type="cavalry")), "/sides/0/armies/0/units/0/machine"),
    (armies(unit(wings=2)), "/sides/0/armies/0/units/0/wings"),
    (armies({**LEVY, "commander": {"mental": 99}}), "/sides/0/armies/0/commander/mental"),
    (armies({**LEVY, "commander": 7}), "/sides/0/armies/0/commander"),
    (armies(7), "/sides/0/armies/0"),
    (armies(LEVY, two=LEVY), "/sides/1/armies/0/name"),
    (armies(), "/sides/0/armies"),
    ({"sides": []}, "/sides"),
    ({"sides": 7}, "/sides"),
    ({"kind": "duel"}, "/kind"),
    ({"kind": "fleet"}, "/sides/0/armies/0"),
    ({"kind": "assault"}, "/place"),
    ({"place": {"kind": "fort", "garrison": 100}}, "/place"),
    ({"place": {"kind": "castle", "garrison": 100}}, "/place/kind"),
    ({"place": {"kind": "fort", "garrison": 0}}, "/place/garrison"),
    ({"conditions": [{"condition": "nowhere"}]}, "/conditions/0/condition"),
    ({"conditions": [{"condition": "cover", "body": "nobody", "value": 5}]}, "/conditions/0/body"),
    ({"conditions": [{"condition": "dusk", "value": 10**9}]}, "/conditions/0/value"),
    ({"house_rules": {"plain_die": 7}}, "/house_rules/plain_die"),
    ({"until": {"phases": 0}}, "/until/phases"),
    ({"withdraw": {"Nobody": {"after": 1}}}, "/withdraw/Nobody"),
    ({"orders": {"Nobody": {"bodies": {}}}}, "/army"),
    ({"table": {"kind": "tactic", "row": "Levy", "column": "Foe"}}, "/table/kind"),
    ({"surprise": True}, "/surprise"),
)  # fmt: skip

CANNOT_BE_SWEPT: tuple[tuple[dict[str, Any], str], ...] = (
    ({"army": {**LEVY, "units": []}}, "/army/units"),
    ({"army": unit(weapons=["excalibur"])}, "/army/units/0/weapons/0"),
    ({"against": [unit(strength=0)]}, "/against/0/units/0/strength"),
    ({"against": []}, "/against"), ({"against": 7}, "/against"),
    ({"army": None}, "/army"), ({"every": True}, "/army"),
    ({"conditions": [{"condition": "nowhere"}]}, "/conditions/0/condition"),
    ({"conditions": [{"condition": "cover", "body": "x:contact"}]}, "/conditions/0"),
    ({"conditions": [{"condition": "dusk", "value": 0}]}, "/conditions/0/value"),
    ({"conditions": [{"condition": "surrounded"}]}, "/conditions/0/body"),
    ({"conditions": [{"condition": "circumstances", "value": 2}]}, "/conditions/0/side"),
)  # fmt: skip


class TestNowhere:
    def test_armies_that_are_nowhere_are_foretold(self, war):
        answer = ask(war.ana)
        assert answer.status_code == 200, answer.json()
        told = answer.json()
        assert sum(side["win"] for side in told["sides"]) + told["mutual"] + told["undecided"] == pytest.approx(1)
        assert [side["name"] for side in told["sides"]] == ["One", "Two"]

    def test_commanders_places_ground_and_circumstances_are_taken(self, war):
        led = {**LEVY, "commander": {"name": "Gael", "mental": 8, "art_of_war": 4}}
        place = {"kind": "fort", "garrison": 100}
        for more in (armies(led), {"conditions": [{"condition": "mud"}]}, {"kind": "assault", "place": place}):
            assert ask(war.ana, **more).status_code == 200, more
        ships = {"name": "Ships", "units": [{"name": "F", "machine": "frigate", "strength": 2, "combat": 5}]}
        two = {**ships, "name": "More"}
        assert ask(war.ana, kind="fleet", medium="space", **armies(ships, two=two)).status_code == 200

    def test_what_cannot_be_is_refused_at_its_place(self, war):
        ana = api_of(war.ana)
        for changes, pointer in CANNOT_BE:
            answer = ana.post("/api/v1/forecast/", body(**changes))
            assert answer.status_code in (400, 409), (pointer, answer.json())
            assert any(pointer in found for found in pointers(answer)), (pointer, answer.json())

    def test_only_armies_whose_sheets_he_may_read_are_known_to_him(self, war):
        hidden = str(war.raiders.pk)
        refused = ask(war.ana, **armies(str(war.watch.pk), two=hidden))
        assert (refused.status_code, pointers(refused)) == (404, ["/sides/1/armies/0"])
        nobody = ask(war.ana, **armies(str(war.watch.pk), two=NOBODY))
        assert nobody.json() == refused.json()
        assert ask(war.ana, **armies(str(war.watch.pk))).status_code == 200


class TestSweep:
    @pytest.mark.django_db(transaction=True)
    def test_one_against_several_is_a_job(self, war):
        asked = sweep(war.ana, army=LEVY, against=[FOE, unit(strength=200)], conditions=[{"condition": "mud"}])
        assert asked.status_code == 202, asked.json()
        assert Job.objects.get().question["rows"] == [["Levy", "Levy"]]

    def test_what_cannot_be_is_refused_at_its_place(self, war):
        ana, plain = api_of(war.ana), {"ruleset": "breaking-point", "army": LEVY, "against": [FOE]}
        for changes, pointer in CANNOT_BE_SWEPT:
            answer = ana.post("/api/v1/forecast/sweep/", {**plain, **changes})
            assert answer.status_code == 400, (pointer, answer.json())
            assert pointer in pointers(answer), pointer
            assert not Job.objects.exists(), pointer

    def test_hidden_armies_are_nobodys(self, war):
        asked = {"campaign": str(war.campaign.pk), "army": str(war.watch.pk)}
        answers = [
            api_of(war.ana).post("/api/v1/forecast/sweep/", {**asked, "against": [other]})
            for other in (str(war.raiders.pk), NOBODY)
        ]
        assert [answer.status_code for answer in answers] == [404, 404]
        assert answers[0].json() == answers[1].json()


class TestFought:
    """A battle under way, as ana sees it: two worlds that look alike to ana are foretold alike."""

    def fought(self, war: Any, die: int, **changes: Any) -> Any:
        war.raiders.sheet = {"units": [{**war.raiders.sheet["units"][0], **changes}]}
        war.raiders.save()
        gm = Key(war.gm)
        opened = gm.api.post(
            "/api/v1/battles/", {"campaign": str(war.campaign.pk), "name": "The ford", "sides": sides_of(war)}
        )
        assert opened.status_code == 201, opened.json()
        found = opened.json()["id"]
        url = f"/api/v1/battles/{found}/"
        dice = [{"army": f"side-{side}", "roll": "command", "values": [face]} for side, face in enumerate((5, die))]
        for version, command in enumerate([{"type": "next"}, {"type": "resolve", "dice": dice}], 1):
            done = gm.api.post(f"{url}commands/", command, headers={"If-Match": f'"{version}"'})
            assert done.status_code == 200, done.json()
        told = api_of(war.ana).post(f"{url}forecast/", {"matrix": True}).json()
        end = gm.api.post(f"{url}commands/", {"type": "end", "reason": "Night"}, headers={"If-Match": '"3"'})
        assert end.status_code == 200, end.json()
        return told, found

    @pytest.mark.parametrize("changes", [{"combat": 5, "armour": 5, "strength": 104, "weapons": ["pike"]}])
    def test_hidden_figures_are_in_no_forecast(self, war, changes):
        """As many of them to one figure, and the same score of command: what they are besides moves no number."""
        found = []
        for die, world in ((5, {}), (5 - (5 - SWORD_COMBAT), changes)):
            told, battle = self.fought(war, die, **world)
            found.append(str(told).replace(battle, "battle"))
            Battle.objects.filter(pk=battle).delete()
        assert found[0] == found[1]
        assert "Raiders" in found[0]


class TestPage:
    """What each order would do, beside the battle and on a page of its own (B-22)."""

    def page(self, river: Any, user: Any, language: str = "en", **asked: str) -> str:
        client = client_of(user)
        client.cookies["django_language"] = language
        answer = client.get(f"/battles/{river.bridge.pk}/forecast/", {"army": str(river.host.pk), **asked})
        assert answer.status_code == 200
        return " ".join(answer.content.decode().split())

    def test_columns_that_begin_alike_are_numbered_and_told_below(self, river):
        """And a drawn battle is nobody's, not one of which nobody is left: dusk and quiet are draws too (B-45)."""
        shown = self.page(river, river.gm)
        heads = re.findall(r'<th scope="col"[^>]*> <abbr title="([^"]*)">([^<]*)</abbr>', shown)
        assert [short for _name, short in heads] == ["1", "2", "3", "4"]
        told = re.search(r"<ol [^>]*columns-told.*?</ol>", shown)
        assert told
        assert re.findall(r"<small>([^<]*)</small>", told.group()) == [name for name, _short in heads]
        assert "nobody wins" in shown
        assert "nobody left" not in shown

    def test_it_speaks_french_and_asks_again_without_scripts(self, river):
        shown = self.page(river, river.gm, "fr")
        for words in ("se replier", "engager la réserve", "personne ne gagne", "meilleure réponse"):
            assert words in shown
        assert '<form class="what-if stack" method="get"' in shown

    @pytest.mark.slow
    def test_a_player_reads_it_and_what_he_asked(self, river):
        assert "meilleure réponse" in self.page(river, river.dru, "fr")
        assert 'value="2"' in self.page(river, river.dru, "fr", phases="2")
