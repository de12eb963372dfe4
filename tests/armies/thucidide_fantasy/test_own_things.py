"""Weapons, troops and spells of a campaign's own under THUCIDIDE fantasy: page, forms, tables, API, refusals."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import Any

import pytest

from armies.arsenal.services import remove_thing, save_thing
from armies.documents.commander_services import update_commander
from armies.models import Army, Commander
from kingdom.chronicle.services import undo_entry
from kingdom.models import Campaign, ChronicleEntry
from rules.core.errors import IllegalCommand
from tests.kingdom.conftest import api_of
from tests.rulesets.browsing import Reader, beside

FANGS = {"name": "Poisoned fangs", "assault": 4, "melee": 3}
SERPENTS = {
    "name": "Great serpents", "kind": "cavalry", "weight": "light", "weapon": "poisoned-fangs", "points": 7,
    "stands": 3, "traits": ["animals"],
}  # fmt: skip
HAIL = {"name": "Hail", "cost": 2, "on": "enemy", "effect": "shot", "weapon": "sling", "times": 2}


@pytest.fixture
def own(table) -> Any:
    for kind, thing in (("weapons", FANGS), ("troops", SERPENTS), ("spells", HAIL)):
        save_thing(by=table.gm, campaign=table.campaign, kind=kind, thing=thing)
    return table


def arsenal(table: Any, *more: str) -> str:
    return "/".join((f"/c/{table.campaign.pk}/arsenal", *more, ""))


def things(table: Any) -> Any:
    return Campaign.objects.get(pk=table.campaign.pk).house_rules.get("own", {})


# the page and its forms


def test_everybody_reads_what_the_campaign_has_kind_by_kind(own):
    told = Reader(own.bo).read(arsenal(own))
    for words in ("Weapons", "Poisoned fangs", "assault 4, melee 3", "Troops", "Great serpents", "3 stands", "Spells",
                  "Hail", "2 × Sling"):  # fmt: skip
        assert words in told, words
    assert "Arsenal" in Reader(own.bo).read(f"/c/{own.campaign.pk}/")
    assert Reader(own.bo).status(arsenal(own, "weapons", "new")) == 403


def test_the_gm_writes_each_kind_by_form(table):
    gm = Reader(table.gm)
    gm.done(arsenal(table, "weapons", "new"), name="Blunderbuss", shot="3", range="2", fire="on")
    gm.done(arsenal(table, "troops", "new"), name="Gunners", kind="infantry", weight="light", weapon="short",
            missile="blunderbuss", points="5", **{"traits-0-slug": "hesitant"})  # fmt: skip
    gm.done(arsenal(table, "spells", "new"), name="Bang", cost="2", on="enemy", effect="shot", weapon="blunderbuss")
    assert things(table) == {
        "weapons": {"blunderbuss": {"name": "Blunderbuss", "shot": 3, "range": 2, "fire": True}},
        "troops": {"gunners": {"name": "Gunners", "kind": "infantry", "weight": "light", "weapon": "short",
                               "points": 5, "missile": "blunderbuss", "stands": 4, "traits": ["hesitant"]}},
        "spells": {"bang": {"name": "Bang", "cost": 2, "on": "enemy", "effect": "shot", "range": 3,
                            "weapon": "blunderbuss"}},
    }  # fmt: skip
    form = Reader(table.ana).markup(f"/kingdoms/{table.realm.pk}/armies/new/")
    assert "Gunners (2–2, shot 3/2, stands: 4, points: 5)" in form


def test_what_is_wrong_stands_beside_its_field(own):
    wrong = (
        (("weapons", "poisoned-fangs"), {"assault": "9"}, "assault", "Enter a whole number from 0 to 8."),
        (("weapons", "poisoned-fangs"), {"melee": "0"}, "melee", "Enter both assault and melee."),
        (("weapons", "poisoned-fangs"), {"fire": "on"}, "fire", "Only shooting weapons can use fire."),
        (("troops", "great-serpents"), {"weapon": "bow"}, "weapon", "Choose a melee weapon here."),
        (("troops", "great-serpents"), {"missile": "pike"}, "missile", "Choose a shooting weapon here."),
        (("troops", "great-serpents"), {"kind": "chariots", "weight": "very-light"}, "weight",
         "Chariots: not available in this weight. Choose another weight."),
        (("troops", "great-serpents"), {"points": "31"}, "points", "Enter a whole number from 1 to 30."),
        (("spells", "hail"), {"weapon": "pike"}, "weapon", "Choose a shooting weapon here."),
        (("spells", "hail"), {"effect": "trait", "lasts": "next"}, "trait", "Choose the trait the spell gives."),
        (("spells", "hail"), {"lasts": "two"}, "lasts", "morale attacks and healing are immediate"),
    )  # fmt: skip
    for thing, cases in groupby(wrong, key=itemgetter(0)):
        told = [(sent, field, said) for _at, sent, field, said in cases]
        answers = Reader(own.gm).refused_each(arsenal(own, *thing), [sent for sent, _field, _said in told])
        for markup, (sent, field, said) in zip(answers, told, strict=True):
            assert said in beside(markup, field), (thing, sent)
    assert things(own)["weapons"]["poisoned-fangs"] == FANGS


def test_what_is_in_use_stays(own):
    gm = own.gm
    with pytest.raises(IllegalCommand, match="Poisoned fangs is used by Type of troops: Great serpents"):
        remove_thing(by=gm, campaign=own.campaign, kind="weapons", slug="poisoned-fangs")
    api = api_of(own.ana)
    changed = api.patch(f"/api/v1/armies/{own.raiders.pk}/", {"units": [{"type": "great-serpents"}]}, format="json")
    assert changed.status_code == 404, "not hers"
    raised = api_of(own.bo).patch(f"/api/v1/armies/{own.raiders.pk}/", {"units": [{"type": "great-serpents"}]},
                                  format="json")  # fmt: skip
    assert raised.status_code == 200, raised.content
    with pytest.raises(IllegalCommand, match="Great serpents is used by Raiders"):
        remove_thing(by=gm, campaign=own.campaign, kind="troops", slug="great-serpents")
    update_commander(by=gm, commander=Commander.objects.get(pk=own.leader.pk), sheet={"cards": ["hail"]})
    with pytest.raises(IllegalCommand, match="Hail is used by Isaut"):
        remove_thing(by=gm, campaign=own.campaign, kind="spells", slug="hail")
    answer = Reader(own.gm).send(arsenal(own, "spells", "hail"), "/remove/")
    assert answer.status_code == 422
    assert "Hail is used" in answer.content.decode()


def test_what_nobody_uses_goes(own):
    for kind, slug in (("spells", "hail"), ("troops", "great-serpents"), ("weapons", "poisoned-fangs")):
        Reader(own.gm).done(arsenal(own, kind, slug), "/remove/")
    assert things(own) == {}


def test_armies_follow_and_none_becomes_unreadable(own):
    """C-5, C-8."""
    sheet = {"units": [{"type": "great-serpents", "lost": 2}, {"type": "bows"}]}
    api_of(own.bo).patch(f"/api/v1/armies/{own.raiders.pk}/", sheet, format="json")
    army = Army.objects.get(pk=own.raiders.pk)
    assert (army.health, army.health_max, army.upkeep) == (5, 7, 3)
    save_thing(by=own.gm, campaign=own.campaign, kind="troops", thing={**SERPENTS, "stands": 5, "points": 15},
               slug="great-serpents")  # fmt: skip
    army.refresh_from_db()
    assert (army.health, army.health_max, army.upkeep) == (7, 9, 5)
    with pytest.raises(IllegalCommand, match="Under these rules, Raiders would no longer be valid"):
        save_thing(by=own.gm, campaign=own.campaign, kind="troops", thing={**SERPENTS, "stands": 2},
                   slug="great-serpents")  # fmt: skip


def test_undo_does_not_take_a_type_from_its_army(own):
    _weapon, entry, spell = ChronicleEntry.objects.filter(campaign=own.campaign).order_by("seq").reverse()[:3][::-1]
    sheet = {"units": [{"type": "great-serpents"}]}
    assert api_of(own.bo).patch(f"/api/v1/armies/{own.raiders.pk}/", sheet, format="json").status_code == 200
    undo_entry(by=own.gm, entry=spell)
    with pytest.raises(IllegalCommand, match="Raiders"):
        undo_entry(by=own.gm, entry=entry)


# tables


def bring(table: Any, name: str, text: str) -> Any:
    api, url = api_of(table.gm), f"/api/v1/campaigns/{table.campaign.pk}/tables/{name}/"
    mark = api.post(url, {"file": text}, format="json").data.get("mark")
    return api.post(url, {"file": text, "confirm": True, "mark": mark}, format="json")


def test_each_kind_comes_and_goes_as_a_table(own):
    for name, text, kind, slug in (
        ("weapons", "name,shot,range,fire\nBlunderbuss,3,2,yes\n", "weapons", "blunderbuss"),
        ("units", "name,kind,weight,weapon,points,traits\n"
                  "Wolves,cavalry,light,bite,3,animals; hindrance?likes=tigers\n",
         "troops", "wolves"),
        ("spells", "name,cost,on,effect,dice,lasts\nFury,1,friend,dice,2,next\n", "spells", "fury"),
    ):  # fmt: skip
        answer = bring(own, name, text)
        assert answer.status_code == 200, answer.content
        assert slug in things(own)[kind]
        out = Reader(own.gm).client.get(f"/c/{own.campaign.pk}/tables/{name}.csv").content.decode("utf-8-sig")
        again = bring(own, name, out)
        assert "Nothing to import: everything in this file is already up to date." in again.content.decode(), name
    assert things(own)["troops"]["wolves"]["traits"] == ["animals", {"trait": "hindrance", "likes": ["tigers"]}]


def test_a_row_that_cannot_be_names_its_line_and_column(own):
    for name, text, pointer, said in (
        ("weapons", "name,shot\nBlunderbuss,9\n", "/rows/2/shot", "Enter a whole number from 0 to 8."),
        ("units", "name,kind,weight,weapon,points\nWolves,cavalry,light,spoon,3\n", "/rows/2/weapon", "Choose one of"),
        ("spells", "name,cost,on,effect\nFury,1,friend,wish\n", "/rows/2/effect", "Choose one of"),
        ("weapons", "slug,name,shot,range\nbow,Bow,1,1\n", "/rows/2/slug", "belongs to the rules"),
    ):  # fmt: skip
        api, url = api_of(own.gm), f"/api/v1/campaigns/{own.campaign.pk}/tables/{name}/"
        lines = api.post(url, {"file": text}, format="json").json()["lines"]
        problems = [problem for line in lines for problem in line["problems"]]
        assert pointer in [problem["pointer"] for problem in problems], (text, problems)
        assert any(said in problem["detail"] for problem in problems), text
    assert api_of(own.ana).post(url, {"file": text}, format="json").status_code == 403


# the API


def test_the_api_lists_writes_and_strikes(own):
    api, url = api_of(own.gm), "/api/v1/arsenal/"
    told = api.get(url, {"campaign": str(own.campaign.pk)}).json()["results"]
    assert [one["id"] for one in told] == ["weapons:poisoned-fangs", "troops:great-serpents", "spells:hail"]
    made = api.post(url, {"campaign": str(own.campaign.pk), "kind": "spells", "thing": {**HAIL, "name": "Sleet"}},
                    format="json")  # fmt: skip
    assert (made.status_code, made.json()["id"]) == (201, "spells:sleet")
    for thing, pointer in (
        ({**HAIL, "cost": 0}, "/thing/cost"),
        ({**HAIL, "speed": 1}, "/thing/speed"),
        ({}, "/thing/name"),
    ):
        body = {"campaign": str(own.campaign.pk), "kind": "spells", "thing": thing}
        refused = api.post(url, body, format="json")
        assert refused.status_code == 400, thing
        assert pointer in [error["pointer"] for error in refused.json()["errors"]], thing
    one = f"{url}spells:sleet/?campaign={own.campaign.pk}"
    assert api_of(own.ana).delete(one).status_code == 403
    assert api.delete(one).status_code == 204
    assert api.get(one).status_code == 404


def test_the_codex_marks_them_as_the_campaigns(own):
    told = Reader(own.ana).read(f"/c/{own.campaign.pk}/codex/?q=serpents")
    assert "from this campaign" in told
