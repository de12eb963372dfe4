"""What a campaign has of its own beside the starter tables: written, named by units, changed, struck, taken back."""

from __future__ import annotations

from typing import Any

import pytest

from armies.arsenal.services import remove_thing, save_thing
from armies.forces.services import disband_army, raise_army, remove_army
from armies.models import Army
from battles.models import Battle
from kingdom.campaign.services import update_campaign
from kingdom.chronicle.services import undo_entry, undo_last
from kingdom.models import Campaign, ChronicleEntry
from rules.core.errors import IllegalCommand, InvalidInput
from tests.armies.breaking_point.armies.bench import Bench
from tests.armies.breaking_point.conftest import LEGION, TANKS, units
from tests.kingdom.archive.journeys import bring_in, taken_along
from tests.kingdom.conftest import api_of
from tests.rulesets.browsing import Reader, beside, plain
from tests.worlds import built_once

ARSENAL = "/api/v1/arsenal/"
BLUNDERBUSS = {"name": "Blunderbuss", "damage": 9, "rate": "1/4", "range": "short", "firearm": True}
WALKER = {"name": "Walker", "toughness": 120, "armour": 30, "weapons": [{"slug": "blunderbuss", "number": 2}]}
GRYPHONS = {"name": "Gryphon riders", "toughness": 30, "charge": 4, "mounted": True, "flies": True}
HUNTERS: dict[str, Any] = {
    "name": "Hunters", "type": "infantry", "strength": 160, "combat": 5, "armour": 0, "group": "shooting",
    "weapons": ["blunderbuss"],
}  # fmt: skip


def fresh(row: Any) -> Any:
    return type(row).objects.get(pk=row.pk)


def saved(marches, kind: str = "weapons", thing: Any = BLUNDERBUSS, slug: str = "") -> str:
    return save_thing(by=marches.gm, campaign=fresh(marches.campaign), kind=kind, thing=thing, slug=slug)


def struck(marches, kind: str = "weapons", slug: str = "blunderbuss") -> None:
    remove_thing(by=marches.gm, campaign=fresh(marches.campaign), kind=kind, slug=slug)


@built_once
def hunters(marches) -> Army:
    saved(marches)
    crown = fresh(marches.crown)
    return raise_army(by=marches.gm, kingdom=crown, name="Chase", sheet=units(HUNTERS))


def fire(army: Army, user: Any) -> int:
    found: int = api_of(user).get(f"/api/v1/armies/{army.pk}/").data["sheet"]["fire_power"]
    return found


# units name it


def test_a_unit_bears_the_campaigns_own_weapon(marches, hunters):
    """160 × 9 × 1/4, halved at short range: 180."""
    assert fire(hunters, marches.gm) == 180
    told = Reader(marches.gm).read(f"/armies/{hunters.pk}/")
    assert "Blunderbuss (9, rate 1/4, short)" in told


def test_the_builder_offers_weapons_machines_types_and_armour_of_the_campaign(marches):
    saved(marches)
    saved(marches, "machines", WALKER)
    saved(marches, "unit_types", GRYPHONS)
    saved(marches, "armours", {"name": "Bark", "full": 3})
    bench = Bench(marches.ana, f"/kingdoms/{marches.crown.pk}/armies/new/")
    told = bench.press(name="Menagerie", add=1, starter="walker")
    for words in ("Walker", "Blunderbuss (9, rate 1/4, short)", "Gryphon riders", "Bark (1)"):
        assert words in told, words
    bench.redraw(add=1, starter="knights")
    bench.redraw(preview=1, **{"units-1-type": "gryphon-riders", "units-1-worn": "bark", "units-1-toughness": ""})
    answer = bench.send()
    assert answer.status_code == 302, plain(answer.content.decode())
    machine, riders = Army.objects.get(name="Menagerie").sheet["units"]
    assert (machine["machine"], riders["type"], riders["armour"]) == ("walker", "gryphon-riders", 1)


def test_units_as_csv_name_it_too(marches, hunters):
    told = Reader(marches.gm).client.get(f"/armies/{hunters.pk}/units.csv").content.decode()
    assert "blunderbuss" in told
    bench = Bench(marches.gm, f"/armies/{hunters.pk}/edit/")
    bench.redraw(read=1, table=told)
    bench.send()
    assert fresh(hunters).sheet == hunters.sheet


def test_another_campaign_knows_nothing_of_it(marches, hunters):
    from kingdom.campaign.services import create_campaign
    from kingdom.realms.services import found_kingdom

    other = create_campaign(by=marches.gm, name="Elsewhere", ruleset="breaking-point")
    crown = found_kingdom(by=marches.gm, campaign=other, name="Crown")
    with pytest.raises(InvalidInput, match="Weapon “blunderbuss” not found"):
        raise_army(by=marches.gm, kingdom=crown, name="Chase", sheet=units(HUNTERS))


# figures change


def test_armies_follow_when_its_figures_change(marches, hunters):
    saved(marches, thing={**BLUNDERBUSS, "damage": 18, "name": "Great blunderbuss"}, slug="blunderbuss")
    assert fire(hunters, marches.gm) == 360
    assert "Great blunderbuss (18" in Reader(marches.gm).read(f"/armies/{hunters.pk}/")


def test_a_change_an_army_could_not_live_with_is_refused(marches, hunters):
    """Whoever shoots needs a weapon for it."""
    with pytest.raises(IllegalCommand, match="Chase would no longer be valid"):
        saved(marches, thing={"name": "Blunderbuss", "damage": 9}, slug="blunderbuss")
    assert fire(hunters, marches.gm) == 180


def test_a_battle_that_has_begun_keeps_what_it_began_with(marches, hunters):
    body = {
        "campaign": str(marches.campaign.pk), "name": "The chase",
        "sides": [{"name": "Crown", "armies": [str(hunters.pk)]}, {"name": "Horde", "armies": [str(marches.tanks.pk)]}],
    }  # fmt: skip
    answer = api_of(marches.gm).post("/api/v1/battles/", body, format="json")
    assert answer.status_code == 201, answer.data
    url = f"/api/v1/battles/{answer.data['id']}/"
    before = api_of(marches.gm).get(url).data["armies"]
    saved(marches, thing={**BLUNDERBUSS, "damage": 18}, slug="blunderbuss")
    assert api_of(marches.gm).get(url).data["armies"] == before
    assert Battle.objects.get().house_rules["own"]["weapons"]["blunderbuss"]["damage"] == 9


def test_another_upkeep_reaches_the_armies_there_are(marches):
    """B-69: 680 heads are seven hundreds."""
    update_campaign(by=marches.gm, campaign=fresh(marches.campaign), house_rules={"upkeep": 3})
    assert fresh(marches.watch).upkeep == 21
    undo_last(by=marches.gm, campaign=fresh(marches.campaign))
    assert fresh(marches.watch).upkeep == 0


# it goes


def test_what_is_in_use_is_not_struck(marches, hunters):
    with pytest.raises(IllegalCommand, match="Blunderbuss is in use by Hunters"):
        struck(marches)
    saved(marches, "machines", WALKER)
    Bench(marches.gm, f"/armies/{hunters.pk}/edit/").send(**{"units-0-weapons-0-slug": "longbow"})
    with pytest.raises(IllegalCommand, match="Blunderbuss is used by the machine Walker"):
        struck(marches)
    struck(marches, "machines", "walker")
    struck(marches)
    assert "own" not in fresh(marches.campaign).house_rules


def test_types_and_machines_in_use_are_not_struck(marches):
    saved(marches)
    saved(marches, "machines", WALKER)
    saved(marches, "unit_types", GRYPHONS)
    crown = fresh(marches.crown)
    riders = {**LEGION, "type": "gryphon-riders"}
    walkers = {**TANKS, "machine": "walker"}
    raise_army(by=marches.gm, kingdom=crown, name="Menagerie", sheet=units(riders, walkers))
    for kind, slug in (("machines", "walker"), ("unit_types", "gryphon-riders")):
        with pytest.raises(IllegalCommand, match="Menagerie"):
            struck(marches, kind, slug)


def test_house_rules_without_it_leave_it_and_house_rules_with_none_strike_it(marches, hunters):
    api, url = api_of(marches.gm), f"/api/v1/campaigns/{marches.campaign.pk}/"
    assert api.patch(url, {"house_rules": {"plain_die": True}}, format="json").status_code == 200
    assert "blunderbuss" in fresh(marches.campaign).house_rules["own"]["weapons"]
    assert api.patch(url, {"house_rules": {"own": {}}}, format="json").status_code == 409
    answer = api.patch(url, {"house_rules": {"own": {"weapons": {"blunderbuss": {"name": "B"}}}}}, format="json")
    assert answer.status_code == 400
    assert answer.data["errors"][0]["pointer"] == "/house_rules/own/weapons/blunderbuss/damage"


def test_the_settings_page_leaves_it_alone(marches, hunters):
    Reader(marches.gm).done(f"/c/{marches.campaign.pk}/edit/", plain_die="True")
    campaign = fresh(marches.campaign)
    assert campaign.house_rules["plain_die"] is True
    assert "blunderbuss" in campaign.house_rules["own"]["weapons"]


def test_taking_back_its_making_is_refused_while_it_is_in_use(marches):
    saved(marches)
    made = ChronicleEntry.objects.latest("seq")
    army = raise_army(by=marches.gm, kingdom=fresh(marches.crown), name="Chase", sheet=units(HUNTERS))
    with pytest.raises(IllegalCommand, match="Blunderbuss is in use by Hunters"):
        undo_entry(by=marches.gm, entry=made)
    assert fire(army, marches.gm) == 180
    undo_last(by=marches.gm, campaign=fresh(marches.campaign))
    undo_entry(by=marches.gm, entry=made)
    assert "own" not in fresh(marches.campaign).house_rules


def test_a_disbanded_army_that_lost_it_comes_back_and_goes_along_without_it(marches):
    saved(marches)
    army = raise_army(by=marches.gm, kingdom=fresh(marches.crown), name="Chase", sheet=units(HUNTERS))
    disband_army(by=marches.gm, army=army)
    struck(marches)
    before = fresh(army).sheet
    remove_army(by=marches.gm, army=army)
    undo_last(by=marches.gm, campaign=fresh(marches.campaign))
    assert fresh(army).sheet == before
    copy = bring_in(marches.gm, taken_along(fresh(marches.campaign))).campaign
    assert Army.objects.get(campaign=copy, name="Chase").sheet == before
    Army.objects.filter(pk=army.pk).update(sheet={"units": [{**before["units"][0], "strength": "many"}]})
    with pytest.raises(InvalidInput):
        bring_in(marches.gm, taken_along(fresh(marches.campaign)))


def test_the_chronicle_tells_it_with_its_figures(marches):
    saved(marches)
    told = Reader(marches.gm).read(f"/c/{marches.campaign.pk}/chronicle/")
    assert "Added to the arsenal: Blunderbuss." in told
    assert "Blunderbuss (damage 9, rate 1/4, short range, firearm)" in told


# pages


def test_the_gm_writes_changes_and_strikes_it_on_its_pages(marches):
    gm, home = Reader(marches.gm), f"/c/{marches.campaign.pk}/arsenal/"
    assert "Arsenal" in gm.read(f"/c/{marches.campaign.pk}/")
    gm.done(f"{home}weapons/new/", name="Blunderbuss", damage="9", rate="1/4", range="short", firearm="on")
    told = gm.read(home)
    assert "Blunderbuss damage 9, rate 1/4, short range, firearm" in told
    gm.done(f"{home}weapons/blunderbuss/", damage="10", munitions="8, 12")
    assert fresh(marches.campaign).house_rules["own"]["weapons"]["blunderbuss"] == {
        **BLUNDERBUSS, "damage": 10, "munitions": [8, 12],
    }  # fmt: skip
    gm.done(f"{home}machines/new/", name="Walker", toughness="120", armour="30",
            weapons__0__slug="blunderbuss", weapons__0__number="2")  # fmt: skip
    gm.done(f"{home}unit_types/new/", name="Gryphon riders", toughness="30", charge="4", rides="mounted", flies="on")
    gm.done(f"{home}armours/new/", name="Bark", full="3")
    told = gm.read(home)
    for words in ("Walker toughness 120, armor 30, mobility 3, 2 × Blunderbuss", "toughness 30, power × 4",
                  "3 for a full suit, 1 as worn by ancient"):  # fmt: skip
        assert words in told, words
    refused = gm.refused(f"{home}weapons/blunderbuss/", "/remove/")
    assert "Blunderbuss is used by the machine Walker. Remove it there first." in plain(refused)
    gm.done(f"{home}machines/walker/", "/remove/")
    gm.done(f"{home}weapons/blunderbuss/", "/remove/")
    assert "weapons" not in fresh(marches.campaign).house_rules["own"]


def test_every_form_comes_back_as_it_was_kept(marches):
    """Sent as it stands, nothing is another."""
    saved(marches, thing={**BLUNDERBUSS, "munitions": [8, 10], "area": 2, "secondary": True, "bursts": True})
    saved(marches, "machines", {**WALKER, "control": -2, "defense": 0})
    saved(marches, "unit_types", {**GRYPHONS, "beasts": True, "never": True, "starves": False, "anywhere": True})
    saved(marches, "armours", {"name": "Bark", "full": 3, "worn": 0})
    before = fresh(marches.campaign).house_rules
    for kind, slug in (("weapons", "blunderbuss"), ("machines", "walker"), ("unit_types", "gryphon-riders"),
                       ("armours", "bark")):  # fmt: skip
        Reader(marches.gm).done(f"/c/{marches.campaign.pk}/arsenal/{kind}/{slug}/")
    assert fresh(marches.campaign).house_rules == before


def test_what_is_wrong_stands_beside_its_field(marches):
    gm, home = Reader(marches.gm), f"/c/{marches.campaign.pk}/arsenal/"
    for kind, field, typed in (
        ("weapons", "damage", {"name": "Gun", "damage": "many"}),
        ("weapons", "name", {"damage": "3"}),
        ("weapons", "rate", {"name": "Gun", "damage": "3", "rate": "often"}),
        ("weapons", "area", {"name": "Gun", "damage": "3", "area": "2"}),
        ("armours", "full", {"name": "Bark", "full": str(10**9)}),
        ("machines", "toughness", {"name": "Walker", "armour": "3"}),
        ("machines", "weapons-0-slug", {"name": "W", "toughness": "3", "armour": "3", "weapons-0-slug": "doom"}),
        ("unit_types", "charge", {"name": "Riders", "toughness": "3", "charge": "1000"}),
    ):
        answer = gm.client.post(f"{home}{kind}/new/", typed)
        assert answer.status_code == 422, (kind, typed)
        assert beside(answer.content.decode(), field)
    assert fresh(marches.campaign).house_rules == {}


def test_players_read_and_only_the_gm_writes(marches):
    saved(marches)
    home = f"/c/{marches.campaign.pk}/arsenal/"
    told = Reader(marches.ana).read(home)
    assert "Blunderbuss" in told
    assert "weapons/new/" not in told
    assert Reader(marches.ana).status(f"{home}weapons/new/") == 403
    assert Reader(marches.ana).client.post(f"{home}weapons/blunderbuss/remove/").status_code == 403
    assert Reader(marches.stranger).status(home) == 404
    assert Reader(marches.gm).status(f"{home}ships/new/") == 404
    assert Reader(marches.gm).status(f"{home}weapons/doom/") == 404


def test_a_law_without_own_things_has_no_arsenal(marches):
    from kingdom.campaign.services import create_campaign

    other = create_campaign(by=marches.gm, name="Elsewhere", ruleset="coin")
    assert Reader(marches.gm).status(f"/c/{other.pk}/arsenal/") == 404
    assert api_of(marches.gm).get(f"{ARSENAL}?campaign={other.pk}").status_code == 404


def test_the_codex_marks_it_as_the_campaigns(marches):
    saved(marches)
    told = Reader(marches.ana).read(f"/c/{marches.campaign.pk}/codex/?q=blunderbuss")
    assert "Blunderbuss" in told
    assert "from this campaign" in told
    items = api_of(marches.ana).get(f"/api/v1/rules/breaking-point/?campaign={marches.campaign.pk}&kind=weapons").data
    assert "blunderbuss" in [item["slug"] for item in items["weapons"]]


def test_a_name_that_the_law_or_another_entry_has_is_refused_in_both_languages(marches):
    saved(marches, thing={"name": "Blade", "damage": 6})
    for name in ("Sword", "Épée", "epee", " BLADE "):
        with pytest.raises(InvalidInput, match="already exists") as refused:
            saved(marches, thing={"name": name, "damage": 6})
        assert refused.value.field == "/thing/name", name


def test_names_like_the_laws_slugs_get_a_slug_of_their_own(marches):
    assert saved(marches, thing={"name": "Own", "damage": 6}) == "own-2"
    assert saved(marches, thing={"name": "剣", "damage": 6}) == "weapon"
    assert saved(marches, thing={"name": "Blade {of} light_saber", "damage": 7}) == "blade-of-light-saber"
    assert "Blade {of} light_saber" in Reader(marches.gm).read(f"/c/{marches.campaign.pk}/arsenal/")


# programs


def test_the_api_writes_reads_and_strikes_it(marches):
    api, whose = api_of(marches.gm), f"?campaign={marches.campaign.pk}"
    body = {"campaign": str(marches.campaign.pk), "kind": "weapons", "thing": BLUNDERBUSS}
    answer = api.post(ARSENAL, body, format="json")
    assert answer.status_code == 201, answer.data
    assert answer.data == {"id": "weapons:blunderbuss", "kind": "weapons", "slug": "blunderbuss",
                           "name": "Blunderbuss", "thing": BLUNDERBUSS}  # fmt: skip
    changed = api.post(ARSENAL, {**body, "slug": "blunderbuss", "thing": {**BLUNDERBUSS, "damage": 10}}, format="json")
    assert changed.data["thing"]["damage"] == 10
    listed = api_of(marches.ana).get(f"{ARSENAL}{whose}&kind=weapons").data["results"]
    assert [row["id"] for row in listed] == ["weapons:blunderbuss"]
    assert api.get(f"{ARSENAL}weapons:blunderbuss/{whose}").data == changed.data
    assert api_of(marches.ana).delete(f"{ARSENAL}weapons:blunderbuss/{whose}").status_code == 403
    raise_army(by=marches.gm, kingdom=fresh(marches.crown), name="Chase", sheet=units(HUNTERS))
    busy = api.delete(f"{ARSENAL}weapons:blunderbuss/{whose}")
    assert (busy.status_code, busy.data["detail"]) == (
        409, "Blunderbuss is in use by Hunters (Chase). Change that unit first.",
    )  # fmt: skip
    Army.objects.filter(name="Chase").delete()
    assert api.delete(f"{ARSENAL}weapons:blunderbuss/{whose}").status_code == 204
    assert api.get(f"{ARSENAL}weapons:blunderbuss/{whose}").status_code == 404
    assert api.delete(f"{ARSENAL}weapons:blunderbuss/{whose}").status_code == 404


def test_the_api_points_at_what_is_wrong(marches):
    api, body = api_of(marches.gm), {"campaign": str(marches.campaign.pk), "kind": "weapons"}
    for more, pointer in (
        ({"thing": {"name": "Gun"}}, "/thing/damage"),
        ({"thing": "gun"}, "/thing/name"),
        ({"thing": {"name": "Gun", "damage": 10**9}}, "/thing/damage"),
        ({"thing": {"name": "Gun", "damage": 3, "weight": 4}}, "/thing/weight"),
        ({"thing": BLUNDERBUSS, "slug": "sword"}, "/slug"),
        ({"thing": BLUNDERBUSS, "slug": "A b"}, "/slug"),
        ({"thing": BLUNDERBUSS, "kind": "ships"}, "/kind"),
        ({"kind": "weapons"}, "/thing"),
    ):
        answer = api.post(ARSENAL, {**body, **more}, format="json")
        assert answer.status_code == 400, more
        assert answer.data["errors"][0]["pointer"] == pointer, more
    assert api_of(marches.ana).post(ARSENAL, {**body, "thing": BLUNDERBUSS}, format="json").status_code == 403
    assert api_of(marches.stranger).post(ARSENAL, {**body, "thing": BLUNDERBUSS}, format="json").status_code in (
        400,
        404,
    )
    assert Campaign.objects.get(pk=marches.campaign.pk).house_rules == {}


def test_it_is_said_in_french(marches):
    saved(marches)
    told = Reader(marches.gm, "fr").read(f"/c/{marches.campaign.pk}/arsenal/")
    for words in ("Arsenal", "Blunderbuss", "dommage"):
        assert words in told, words
    refused = api_of(marches.gm).post(
        ARSENAL,
        {"campaign": str(marches.campaign.pk), "kind": "weapons", "thing": {**BLUNDERBUSS, "range": "far"}},
        format="json",
        headers={"accept-language": "fr"},
    )
    assert "courte portée (short)" in refused.data["errors"][0]["detail"]


def test_another_law_has_no_arsenal_and_gives_it_back_when_it_is_taken_back(marches):
    """Through the settings page: the house rules of the one law go with it, and come back with it."""
    from kingdom.campaign.services import create_campaign

    other = create_campaign(by=marches.gm, name="Elsewhere", ruleset="breaking-point",
                            house_rules={"overlay": {"weapons": {"sword": {"damage": 5}}}})  # fmt: skip
    save_thing(by=marches.gm, campaign=other, kind="weapons", thing=BLUNDERBUSS)
    before = fresh(other).house_rules
    update_campaign(by=marches.gm, campaign=fresh(other), ruleset="combat-de-masse", house_rules={})
    assert (fresh(other).ruleset, fresh(other).house_rules) == ("combat-de-masse", {})
    undo_last(by=marches.gm, campaign=fresh(other))
    assert (fresh(other).ruleset, fresh(other).house_rules) == ("breaking-point", before)
