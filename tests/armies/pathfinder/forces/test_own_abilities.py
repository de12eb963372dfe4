"""Special abilities of a campaign's own under mass combat (PF-HOUSE): pages, table, API, armies, battles, undo."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils.translation import override

from armies.arsenal.services import remove_thing, save_thing
from armies.forces.services import remove_army
from armies.models import Army
from armies.pathfinder.armies.services import raise_army
from armies.pathfinder.armies.trade_services import disband_army
from armies.pathfinder.models import PathfinderArmy, UnitType
from armies.pathfinder.unit_types.services import save_unit_type
from battles.models import Battle
from kingdom.campaign.services import create_campaign, update_campaign
from kingdom.chronicle.services import undo_entry, undo_last
from kingdom.models import Campaign, ChronicleEntry
from kingdom.realms.services import found_kingdom
from rules.core.errors import IllegalCommand, InvalidInput
from tests.armies.weeks.conftest import now
from tests.kingdom.archive.journeys import bring_in, taken_along
from tests.kingdom.conftest import api_of
from tests.rulesets.browsing import Reader, beside

pytestmark = pytest.mark.django_db

BLESSED: dict[str, Any] = {"name": "Blessed by the lake", "summary": "The lake looks after them.",
                           "modifiers": [{"stat": "om", "amount": 2}]}  # fmt: skip
SLUG = "blessed-by-the-lake"
UNIT: dict[str, Any] = {"name": "Lakemen", "cr": "1", "abilities": [{"ability": SLUG}]}


def saved(war: Any, thing: Any = BLESSED, slug: str = "") -> str:
    return save_thing(by=war.gm, campaign=now(war.campaign), kind="abilities", thing=thing, slug=slug)


def removed(war: Any, slug: str = SLUG) -> None:
    remove_thing(by=war.gm, campaign=now(war.campaign), kind="abilities", slug=slug)


def things(war: Any) -> Any:
    return now(war.campaign).house_rules.get("own", {}).get("abilities", {})


def raised(war: Any, name: str = "Lake guard", unit: Any = UNIT) -> PathfinderArmy:
    army = raise_army(by=war.gm, kingdom=now(war.crown), name=name, unit=unit, count=100)
    return PathfinderArmy.objects.get(pk=army.pk)


def arsenal(war: Any, *more: str) -> str:
    return "/".join((f"/c/{war.campaign.pk}/arsenal", *more, ""))


def brought(war: Any, table: str, text: str) -> Any:
    """The proposal of this import, confirmed if it can be done."""
    api, url = api_of(war.gm), f"/api/v1/campaigns/{war.campaign.pk}/tables/{table}/"
    proposed = api.post(url, {"file": text}, format="json")
    mark = proposed.data.get("mark")
    if not mark or not proposed.data.get("ready", True):
        return proposed
    return api.post(url, {"file": text, "confirm": True, "mark": mark}, format="json")


# armies have it


def test_an_army_has_it_and_its_sheet_names_it(war):
    saved(war)
    army = raised(war)
    answer = api_of(war.gm).get(f"/api/v1/armies/{army.pk}/").data
    assert answer["om"] == 3
    assert {"label": "Blessed by the lake", "value": 2, "rule": "PF-HOUSE"} in answer["breakdown"]["om"]
    told = Reader(war.gm).read(f"/armies/{army.pk}/")
    for words in ("Blessed by the lake", "The lake looks after them.", "Offense (OM) +2"):
        assert words in told, words


def test_the_forms_of_armies_and_unit_types_offer_it(war):
    saved(war)
    for page in (f"/kingdoms/{war.crown.pk}/armies/new/", f"/c/{war.campaign.pk}/units/new/"):
        assert f'<option value="{SLUG}">Blessed by the lake</option>' in Reader(war.gm).markup(page), page


def test_unit_types_have_it_and_are_found_by_it(war):
    saved(war)
    save_unit_type(by=war.gm, campaign=now(war.campaign), unit=UNIT)
    api, whose = api_of(war.gm), f"?campaign={war.campaign.pk}"
    for query in (f"&ability={SLUG}", "&q=blessed+lake"):
        found = api.get(f"/api/v1/unit-types/{whose}{query}").data["results"]
        assert [row["slug"] for row in found] == ["lakemen"], query
    assert api.get(f"/api/v1/unit-types/{whose}&ability=luck").status_code == 400
    assert "Blessed by the lake" in Reader(war.gm).read(f"/c/{war.campaign.pk}/units/?q=lakemen")


def test_armies_as_csv_name_it(war):
    saved(war)
    army = raised(war)
    table = api_of(war.gm).get(f"/api/v1/campaigns/{war.campaign.pk}/tables/armies/").content.decode()
    assert SLUG in table
    before = now(army).unit
    assert brought(war, "armies", table.replace(",100,", ",200,")).status_code < 300
    assert (now(army).unit, now(army).count) == (before, 200)


def test_another_campaign_knows_nothing_of_it(war):
    saved(war)
    other = create_campaign(by=war.gm, name="Elsewhere", ruleset="combat-de-masse")
    realm = found_kingdom(by=war.gm, campaign=other, name="Crown")
    with pytest.raises(InvalidInput, match=f"Ability “{SLUG}” not found"):
        raise_army(by=war.gm, kingdom=realm, name="Lake guard", unit=UNIT, count=100)


# a change


def test_armies_follow_a_change_and_battles_keep_what_they_began_with(war):
    saved(war)
    army = raised(war)
    body = {"campaign": str(war.campaign.pk), "name": "The ford",
            "sides": [{"name": "Crown", "armies": [str(army.pk)]},
                      {"name": "Horde", "armies": [str(war.levy.pk)]}]}  # fmt: skip
    opened = api_of(war.gm).post("/api/v1/battles/", body, format="json")
    assert opened.status_code == 201, opened.data
    url = f"/api/v1/battles/{opened.data['id']}/"
    before = api_of(war.gm).get(url).data["armies"]
    saved(war, {**BLESSED, "modifiers": [{"stat": "om", "amount": 5}]}, SLUG)
    assert api_of(war.gm).get(f"/api/v1/armies/{army.pk}/").data["om"] == 6
    assert api_of(war.gm).get(url).data["armies"] == before
    assert Battle.objects.get().house_rules["own"]["abilities"][SLUG] == BLESSED
    page = Reader(war.gm).read(f"/battles/{opened.data['id']}/")
    assert "Blessed by the lake" in page


def test_a_change_an_army_could_not_live_with_is_refused(war):
    saved(war)
    raised(war)
    with pytest.raises(IllegalCommand, match="Lake guard would no longer be valid: Blessed by the lake needs a number"):
        saved(war, {**BLESSED, "number": True}, SLUG)
    assert things(war)[SLUG] == BLESSED


# it goes


def test_what_is_in_use_stays(war):
    saved(war)
    army = raised(war)
    with pytest.raises(IllegalCommand, match=r"Blessed by the lake is used by Lake guard\. Remove it there first\."):
        removed(war)
    refused = Reader(war.gm).send(arsenal(war, "abilities", SLUG), "/remove/")
    assert refused.status_code == 422
    assert "is used by Lake guard" in refused.content.decode()
    army.delete()
    save_unit_type(by=war.gm, campaign=now(war.campaign), unit=UNIT)
    with pytest.raises(IllegalCommand, match="is used by Lakemen"):
        removed(war)
    UnitType.objects.all().delete()
    immune = {**UNIT, "abilities": [{"ability": "immunity", "options": {"to": [SLUG]}}]}
    army = raised(war, unit=immune)
    with pytest.raises(IllegalCommand, match="is used by Lake guard"):
        removed(war)
    army.delete()
    saved(war, {"name": "Warded", "summary": "Against the lake.", "immune": [SLUG]})
    with pytest.raises(IllegalCommand, match="is used by Warded"):
        removed(war)
    removed(war, "warded")
    removed(war)
    assert things(war) == {}


def test_a_disbanded_army_holds_it_no_longer_and_does_not_stand_up_without_it(war):
    saved(war)
    army = raised(war)
    disband_army(by=war.gm, army=army)
    disbanding = ChronicleEntry.objects.filter(campaign=war.campaign).latest("seq")
    removed(war)
    assert things(war) == {}
    assert "Lake guard" in Reader(war.gm).read(f"/armies/{army.pk}/")
    told = api_of(war.gm).get(f"/api/v1/armies/{army.pk}/")
    assert (told.status_code, told.json()["status"]) == (200, "disbanded")
    with pytest.raises(IllegalCommand, match="no longer in the arsenal"):
        undo_entry(by=war.gm, entry=disbanding)
    saved(war, slug=SLUG)
    undo_entry(by=war.gm, entry=disbanding)
    assert now(army).status == "ready"


def test_a_disbanded_army_that_lost_it_comes_back_and_goes_along_without_it(war):
    saved(war)
    army = raised(war)
    disband_army(by=war.gm, army=army)
    removed(war)
    before = now(army).sheet
    remove_army(by=war.gm, army=army)
    undo_last(by=war.gm, campaign=now(war.campaign))
    assert now(army).sheet == before
    copy = bring_in(war.gm, taken_along(now(war.campaign))).campaign
    assert PathfinderArmy.objects.get(campaign=copy, name="Lake guard").sheet == before
    PathfinderArmy.objects.filter(pk=army.pk).update(status="ready")
    with pytest.raises(InvalidInput, match=f"Ability “{SLUG}” not found"):
        bring_in(war.gm, taken_along(now(war.campaign)))


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_name_that_is_taken_is_refused_in_both_languages(war, language):
    saved(war)
    other = saved(war, {**BLESSED, "name": "Bénis"})
    with override(language):
        for name in ("Poison", " poison ", "POISON", "blessed  by the LAKE", "benis", "Régénération", "regeneration"):
            with pytest.raises(InvalidInput) as refused:
                saved(war, {**BLESSED, "name": name})
            assert refused.value.field == "/thing/name", name
    with pytest.raises(InvalidInput, match=r"“Blessed by the lake” already exists\. Choose another name\."):
        saved(war, BLESSED, other)
    assert saved(war, {**BLESSED, "name": "benis"}, other) == other
    assert saved(war, BLESSED, SLUG) == SLUG
    assert sorted(things(war)) == [other, SLUG]


def test_a_name_without_a_letter_makes_a_slug_of_the_kind(war):
    assert [saved(war, {**BLESSED, "name": name}) for name in ("🔥", "水")] == ["ability", "ability-2"]


def test_its_making_is_not_taken_back_while_it_is_in_use(war):
    saved(war)
    made = ChronicleEntry.objects.latest("seq")
    raised(war)
    with pytest.raises(IllegalCommand, match="is used by Lake guard"):
        undo_entry(by=war.gm, entry=made)
    undo_last(by=war.gm, campaign=now(war.campaign))
    undo_entry(by=war.gm, entry=made)
    assert things(war) == {}


def test_an_army_does_not_come_back_without_its_ability(war):
    saved(war)
    army = raised(war)
    remove_army(by=war.gm, army=army)
    gone = ChronicleEntry.objects.latest("seq")
    removed(war)
    with pytest.raises(IllegalCommand, match=f"no longer in the arsenal: {SLUG}"):
        undo_entry(by=war.gm, entry=gone)
    undo_last(by=war.gm, campaign=now(war.campaign))
    undo_entry(by=war.gm, entry=gone)
    assert Army.objects.filter(pk=army.pk).exists()


def test_it_goes_along_to_the_other_edition(war):
    """PF-VAR: house rules sent with the ruleset leave it alone, as under one ruleset."""
    saved(war)
    raised(war)
    update_campaign(by=war.gm, campaign=now(war.campaign), ruleset="ultimate-campaign",
                    house_rules={"minimum_damage": 0})  # fmt: skip
    assert things(war) == {SLUG: BLESSED}


# chronicle and files


def test_the_chronicle_tells_it_with_its_effects(war):
    saved(war)
    told = Reader(war.gm).read(f"/c/{war.campaign.pk}/chronicle/")
    assert "Added to the arsenal: Blessed by the lake." in told
    assert "Blessed by the lake (Offense (OM) +2)" in told


def test_the_campaigns_document_carries_it(war):
    saved(war)
    raised(war)
    copy = bring_in(war.gm, taken_along(now(war.campaign))).campaign
    assert copy.house_rules["own"] == {"abilities": {SLUG: BLESSED}}
    army = PathfinderArmy.objects.get(campaign=copy, name="Lake guard")
    assert api_of(war.gm).get(f"/api/v1/armies/{army.pk}/").data["om"] == 3


def test_abilities_come_and_go_as_a_table(war):
    saved(war, {**BLESSED, "modifiers": ["dv", {"stat": "om", "amount": -2, "when": "melee", "against": "fey"}],
                "immune": ["fear"]})  # fmt: skip
    before, url = things(war), f"/api/v1/campaigns/{war.campaign.pk}/tables/abilities/"
    table = api_of(war.gm).get(url).content.decode()
    assert "dv?amount=1; om?" in table
    assert "amount=-2" in table
    more = table + 'venom,Venom,Their arrows are poisoned.,,poison,"dv; om?amount=3&when=shot",poison\n'
    answer = brought(war, "abilities", more)
    assert answer.status_code < 300, answer.data
    venom = {"name": "Venom", "summary": "Their arrows are poisoned.", "like": "poison",
             "modifiers": [{"stat": "dv", "amount": 1}, {"stat": "om", "amount": 3, "when": "shot"}],
             "immune": ["poison"]}  # fmt: skip
    assert things(war) == {**before, "venom": venom}
    wrong = table + "luck,Luck,They are lucky.,,,luck,\n"
    assert "/rows/3/modifiers" in str(brought(war, "abilities", wrong).data)
    assert "luck" not in things(war)


# pages and programs


def test_the_gm_writes_changes_and_removes_it_on_its_pages(war):
    gm = Reader(war.gm)
    assert "Arsenal" in gm.read(f"/c/{war.campaign.pk}/")
    gm.done(arsenal(war, "abilities", "new"), name="Venom", summary="Poisoned arrows.", like="poison",
            **{"modifiers-0-slug": "om", "modifiers-0-amount": "2", "modifiers-0-when": "shot",
               "immune-0-slug": "poison"})  # fmt: skip
    venom = {"name": "Venom", "summary": "Poisoned arrows.", "like": "poison", "immune": ["poison"],
             "modifiers": [{"stat": "om", "amount": 2, "when": "shot"}]}  # fmt: skip
    assert things(war) == {"venom": venom}
    told = gm.read(arsenal(war))
    assert "Venom works like Poison, Offense (OM) +2 at range, immune to Poison Poisoned arrows." in told
    gm.done(arsenal(war, "abilities", "venom"))
    assert things(war) == {"venom": venom}, "sent as it stands, nothing is another"
    gm.done(arsenal(war, "abilities", "venom"), "/remove/")
    assert things(war) == {}


def test_what_is_wrong_stands_beside_its_field(war):
    gm, name = Reader(war.gm), {"name": "Luck", "summary": "They are lucky."}
    for sent, field, said in (
        ({"name": "Luck"}, "summary", "Enter text here"),
        ({**name, "like": "luck"}, "like", "Choose one of"),
        ({**name, "modifiers-0-slug": "om", "modifiers-0-amount": "0"}, "modifiers-0-amount", "other than 0"),
        ({**name, "modifiers-0-slug": "om", "modifiers-0-when": "rout"}, "modifiers-0-when", "can’t depend on this"),
        ({**name, "modifiers-0-slug": "om", "modifiers-0-times": "number"}, "modifiers-0-times", "has no number"),
        ({**name, "immune-0-slug": "fortune"}, "immune-0-slug", "Choose one of"),
    ):  # fmt: skip
        answer = gm.client.post(arsenal(war, "abilities", "new"), sent)
        assert answer.status_code == 422, sent
        assert said in beside(answer.content.decode(), field), sent
    assert things(war) == {}


def test_players_read_and_only_the_gm_writes(war):
    saved(war)
    told = Reader(war.ana).read(arsenal(war))
    assert "Blessed by the lake" in told
    assert Reader(war.ana).status(arsenal(war, "abilities", "new")) == 403
    body = {"campaign": str(war.campaign.pk), "kind": "abilities", "thing": BLESSED}
    assert api_of(war.ana).post("/api/v1/arsenal/", body, format="json").status_code == 403
    codex = Reader(war.ana).read(f"/c/{war.campaign.pk}/codex/?q=blessed")
    assert "from this campaign" in codex
    assert "Offense (OM) +2" in codex


def test_the_api_writes_reads_and_removes_it(war):
    api, whose = api_of(war.gm), f"?campaign={war.campaign.pk}"
    body = {"campaign": str(war.campaign.pk), "kind": "abilities", "thing": BLESSED}
    answer = api.post("/api/v1/arsenal/", body, format="json")
    assert answer.status_code == 201, answer.data
    assert answer.data == {"id": f"abilities:{SLUG}", "kind": "abilities", "slug": SLUG,
                           "name": "Blessed by the lake", "thing": BLESSED}  # fmt: skip
    for more, pointer in (
        ({"thing": {**BLESSED, "modifiers": ["luck"]}}, "/thing/modifiers/0"),
        ({"thing": BLESSED, "slug": "poison"}, "/slug"),
        ({"thing": BLESSED, "kind": "weapons"}, "/kind"),
    ):
        refused = api.post("/api/v1/arsenal/", {**body, **more}, format="json")
        assert (refused.status_code, refused.data["errors"][0]["pointer"]) == (400, pointer), more
    again = api.post("/api/v1/arsenal/", {**body, "thing": {**BLESSED, "name": "Poison"}}, format="json")
    assert (again.status_code, again.data["errors"][0]["pointer"]) == (400, "/thing/name"), "the law’s name is taken"
    assert api.delete(f"/api/v1/arsenal/abilities:{SLUG}/{whose}").status_code == 204
    assert api.get(f"/api/v1/arsenal/abilities:{SLUG}/{whose}").status_code == 404


def test_house_rules_without_it_leave_it_alone(war):
    saved(war)
    Reader(war.gm).done(f"/c/{war.campaign.pk}/edit/", minimum_damage="0")
    campaign = Campaign.objects.get(pk=war.campaign.pk)
    assert campaign.house_rules["own"]["abilities"] == {SLUG: BLESSED}
