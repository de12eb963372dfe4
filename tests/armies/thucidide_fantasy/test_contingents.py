"""Contingents in a campaign: raised by form, changed, shown with the reasons of every figure (C-1 to C-8)."""

from __future__ import annotations

import re
from typing import Any

from armies.forces.busy import FightsOfLate
from armies.models import Army
from armies.weeks import ruleset_weeks
from armies.weeks.passage import TimeStop
from armies.weeks.queries import find_days
from armies.weeks.services import confirm_time
from kingdom.chronicle.services import undo_entry
from kingdom.models import ChronicleEntry, Kingdom
from kingdom.realms.figures import get_ruleset
from tests.armies.documents.test_document_armies import Form
from tests.armies.thucidide_fantasy.conftest import SHEET, army_of, kept
from tests.rulesets.browsing import Reader, beside, plain


def raising(table: Any) -> Form:
    return Form(table, f"/kingdoms/{table.realm.pk}/armies/new/")


def changing(table: Any) -> Form:
    return Form(table, f"/armies/{table.watch.pk}/edit/")


# raising


def test_a_new_army_begins_as_the_realm(table):
    """TF-8: units of 42 points, a caster of 6."""
    form = raising(table)
    assert "48" in plain(form.markup)
    assert form.send(name="First host").status_code == 302
    army = army_of("First host")
    assert [unit["type"] for unit in kept(army)["units"]][:4] == [
        "foot-medium",
        "foot-medium",
        "foot-heavy",
        "foot-heavy",
    ]
    assert (army.health, army.health_max, army.upkeep) == (36, 36, 12)


def test_the_other_sample_takes_its_place(table):
    form = raising(table)
    form.press(begin="1", starter="dark-host", name="Hosts")
    assert "Goblins on wargs" in plain(form.markup)
    assert form.send().status_code == 302
    assert kept(army_of("Hosts"))["characters"][0]["cards"] == ["dust-warriors", "dust-warriors", "fear", "slowness"]


def test_a_strange_sample_changes_nothing(table):
    for starter in ("realm-9", "nobody", ""):
        form = raising(table)
        form.press(begin="1", starter=starter)
        assert 'id="units-8"' in form.markup, starter
        assert 'id="units-9"' not in form.markup, starter


def test_the_form_shows_what_it_comes_to(table):
    form = raising(table)
    form.press(preview="1", **{"units-0-experience": "guard", "units-6-weapon": "composite-bow"})
    told = plain(form.markup)
    assert "50" in told  # 48 points, and 2 for the guard
    assert "Medium foot · 4–5 · stands: 4 of 4" in told, "spear 2–3, guard +2"
    assert "Pikes (3–4, stands: 4, points: 6)" in told, "a type shows its figures"
    assert "Composite bow (shot 3/3)" in told


def test_an_army_is_raised_with_undead_and_their_master(table):
    form = raising(table)
    form.press(add="units", name="Bones")
    form.press(preview="1", **{"units-9-type": "zombies", "units-9-master": "commander"})
    assert form.send().status_code == 302
    assert kept(army_of("Bones"))["units"][9] == {"type": "zombies", "master": "commander"}


def test_a_name_taken_in_the_same_kingdom_is_allowed_with_a_warning(table):
    for name, warned in (("Twins", False), ("TWINS", True)):
        form = raising(table)
        answer = form.send(name=name)
        shown = plain(form.reader.client.get(answer.headers["Location"]).content.decode())
        assert ("This kingdom has another army named" in shown) is warned, name


def test_a_trait_is_given_with_what_it_likes_and_its_object(table):
    form = raising(table)
    form.press(preview="1", **{"units-0-traits-0-slug": "hindrance"})
    assert re.search(r'for="id_units-0-traits-0-likes-0-slug">\s*Affinities\s*<', form.markup)
    form.press(preview="1", **{"units-0-traits-0-likes-0-slug": "tigers", "units-0-traits-0-object": "Bell of brass"})
    assert form.send(name="Belled").status_code == 302
    assert kept(army_of("Belled"))["units"][0]["traits"] == [
        {"trait": "hindrance", "likes": ["tigers"], "object": "Bell of brass"}
    ]


def test_what_is_wrong_stands_beside_its_field(table):
    form = changing(table)
    for name, value, told in (
        ("units-0-type", "dragoons", "Choose one of"),
        ("units-0-experience", "heroic", "Choose one of"),
        ("units-0-stands", "11", "Enter a whole number from 1 to 10."),
        ("units-0-lost", "4", "At least one of the 4 stands must be left."),
        ("units-0-weapon", "spoon", "Choose one of"),
        ("units-0-master", "Mira", "Only undead units have a master."),
        ("units-3-master", "Nobody", "The army has no character “Nobody”."),
        ("units-2-traits-0-slug", "speed", "Choose one of"),
        ("units-2-traits-1-slug", "hindrance", "Hindrance is listed twice. Remove one."),
        ("units-2-traits-1-likes-0-slug", "tigers", "Only hindrance can have affinities."),
        ("characters-0-name", "", "Enter text here."),
        ("characters-0-name", "Odo", "“Odo” already exists. Give each character a different name."),
        ("characters-0-kind", "king", "Choose one of"),
        ("characters-0-melee", "2", "Only heroes can have this."),
        ("characters-0-points", "2", "These cards cost 3 points; the limit is 2."),
        ("characters-1-shot", "2", "Enter both shot and range, or neither."),
        ("characters-1-resistance", "9", "Enter a whole number from 1 to 8."),
    ):  # fmt: skip
        refused = form.refused(**{name: value})
        at = {"characters-1-shot": "characters-1-range", "characters-0-points": "characters-0-cards-0-slug"}
        second = {("characters-0-name", "Odo"): "characters-1-name"}
        assert told in beside(refused, second.get((name, value), at.get(name, name))), (name, value)
    assert kept(table.watch) == kept(Army.objects.get(pk=table.watch.pk))


def of_so_many_units(army: Army, number: int) -> None:
    """Bows, all of them."""
    Army.objects.filter(pk=army.pk).update(sheet={**army.sheet, "units": [{"type": "bows"}] * number})


def test_an_army_has_one_to_twenty_units(table):
    of_so_many_units(table.watch, 19)
    form = changing(table)
    form.press(copy="units-1")
    assert 'name="add" value="units"' not in form.markup, "twenty are all there may be (C-3)"
    of_so_many_units(table.watch, 2)
    form = changing(table)
    for _time in range(2):
        form.press(drop="units-0")
    form.press(name="Nobody")
    assert form.status == 422
    assert "An army needs at least one unit." in plain(form.markup)


def test_many_units_fold(table):
    of_so_many_units(table.watch, 19)
    form = changing(table)
    form.press(copy="units-2")
    assert "folded" in form.markup
    assert form.send().status_code == 302
    assert len(kept(table.watch)["units"]) == 20


def test_a_change_moves_health_points_and_upkeep(table):
    form = changing(table)
    form.press(drop="units-1")
    assert form.send().status_code == 302
    army = Army.objects.get(pk=table.watch.pk)
    assert (army.health, army.health_max, army.upkeep) == (9, 11, 6)  # 6 + 4 + 4 + 6 + 3 points


# shown


def test_its_page_shows_units_with_their_stands(table):
    reader = Reader(table.ana)
    told = reader.read(f"/armies/{table.watch.pk}/")
    for words in ("Old guard", "Bows", "Goblins on wargs", "Skeletons", "Elite", "Heavy weight", "Rapid",
                  "Hindrance, except Tigers", "master: Mira", "Mira", "Spell cards: 3 of 6 points", "Odo",
                  "Threat (Crown of dread)", "has a mount", "Isaut", "General", "7 counters at the start",
                  "units the enemy must destroy to win"):  # fmt: skip
        assert words in told, words
    markup = reader.markup(f"/armies/{table.watch.pk}/")
    assert 'aria-label="Stands: 2 of 4"' in markup
    assert 'aria-label="Stands: 3 of 3"' in markup


def test_every_figure_explains_itself(table):
    """From which weapon: TF-1.8, TF-1.14, TF-3, TF-8."""
    markup = Reader(table.ana).markup(f"/armies/{table.watch.pk}/")
    for at, words in (
        ("unit-0-assault", ("Two-handed weapon", "Elite")), ("unit-0-points", ("Heavy foot", "Elite")),
        ("unit-0-stands", ("Heavy foot", "Stands lost")), ("unit-2-move", ("Medium cavalry", "Rapid")),
        ("unit-3-stands", ("Skeletons", "The unit’s own stands")), ("character-1-move", ("Heavy cavalry", "Hero")),
        ("points", ("Old guard", "Mira", "Odo")),
    ):  # fmt: skip
        opened = plain(markup.partition(f'id="{at}"')[2].partition("</div>")[0])
        assert all(word in opened for word in words), (at, opened)
    assert 'href="/rules/C-6/?ruleset=thucidide-fantasy"' in markup, "wing command has a C-6 of its own"
    told = plain(markup)
    assert "27 points ÷ 4, rounded up" in told
    assert "A third of 4 units, rounded up" in told


def test_from_afar_its_kinds_and_its_stands_to_one_figure_are_seen(table):
    """C-4."""
    seen = get_ruleset(table.campaign).armies.from_afar(table.watch.sheet)
    assert [str(kind) for kind in seen.kind.params["kinds"]] == ["Infantry", "Cavalry"]
    assert seen.size.params["count"] == 10  # 13 are left
    assert Reader(table.bo).status(f"/armies/{table.watch.pk}/") == 404


def test_health_is_the_stands_that_are_there(table):
    """C-4."""
    army = Army.objects.get(pk=table.watch.pk)
    assert (army.health, army.health_max) == (13, 15)


def test_the_chronicle_tells_what_changed(table):
    form = changing(table)
    form.press(drop="units-1")
    form.send()
    told = Reader(table.ana).read(f"/c/{table.campaign.pk}/chronicle/")
    assert "Ironwatch’s sheet was changed." in told


def test_a_table_goes_out_and_comes_in(table):
    """C-3 as CSV."""
    csv = Reader(table.ana).client.get(f"/armies/{table.watch.pk}/units.csv").content.decode("utf-8-sig")
    head, *rows = csv.splitlines()
    assert head.startswith("list,type,name,experience,stands,lost,traits,weapon,master,kind,armour")
    assert rows[0].startswith("units,foot-heavy,Old guard,elite,,2,,two-handed")
    assert "hindrance?likes=tigers; rapid" in rows[2]
    form = changing(table)
    form.press(read="1", table=csv.replace("bows", "crossbows"))
    assert form.send().status_code == 302
    assert kept(table.watch)["units"][1] == {"type": "crossbows"}
    assert kept(table.watch)["characters"] == SHEET["characters"]


# weeks


def stands_lost(table: Any) -> list[int]:
    return [unit.get("lost", 0) for unit in kept(table.watch)["units"]]


def test_a_week_without_battle_gives_each_unit_a_stand_back(table):
    """C-7; taken back with the week."""
    Army.objects.filter(pk=table.watch.pk).update(status="routed")
    entry = confirm_time(by=table.gm, campaign=table.campaign, days=7)
    army = Army.objects.get(pk=table.watch.pk)
    assert (stands_lost(table), army.health, army.health_max, army.status) == ([1, 0, 0, 0], 14, 15, "ready")
    confirm_time(by=table.gm, campaign=table.campaign, days=14)
    army.refresh_from_db()
    assert (stands_lost(table), army.health) == ([0, 0, 0, 0], 15)
    told = Reader(table.ana).read(f"/c/{table.campaign.pk}/chronicle/")
    assert "Week without battle" in told
    undo_entry(by=table.gm, entry=ChronicleEntry.objects.filter(campaign=table.campaign, kind="week").latest("seq"))
    undo_entry(by=table.gm, entry=entry)
    army.refresh_from_db()
    assert (stands_lost(table), army.health, army.status) == ([2, 0, 0, 0], 13, "routed")


def test_time_can_pass_until_every_stand_is_back(table):
    assert find_days(by=table.gm, campaign=table.campaign, stop=TimeStop.RECOVERY) == 14


def test_time_can_pass_until_a_routed_army_is_ready(table):
    Army.objects.filter(pk=table.watch.pk).update(status="routed")
    assert find_days(by=table.gm, campaign=table.campaign, stop=TimeStop.RECOVERY) == 7


def test_fewer_days_than_a_week_give_nothing_back(table):
    confirm_time(by=table.gm, campaign=table.campaign, days=6)
    assert stands_lost(table) == [2, 0, 0, 0]


def test_who_fought_in_the_week_gets_nothing_back(table, monkeypatch):
    """C-7."""
    fought = FightsOfLate(fighting=frozenset({str(table.watch.pk)}))
    monkeypatch.setattr(ruleset_weeks, "load_recent_battles", lambda *_args: fought)
    confirm_time(by=table.gm, campaign=table.campaign, days=7)
    assert stands_lost(table) == [2, 0, 0, 0]


def test_a_week_costs_a_quarter_of_the_points(table):
    """C-5: 27 points cost 7 BP; the treasury of the Dark host has 20, and 8 points cost 2."""
    Kingdom.objects.filter(pk=table.dark.pk).update(treasury=3)
    confirm_time(by=table.gm, campaign=table.campaign, days=14)
    treasuries = dict(Kingdom.objects.filter(campaign=table.campaign).values_list("name", "treasury"))
    assert treasuries == {"Realm": 86, "Dark host": 0}, "paid as far as it reaches"


def test_how_many_stands_are_lost_is_corrected_in_the_units(table):
    markup = Reader(table.gm).markup(f"/armies/{table.watch.pk}/edit/")
    assert 'name="health"' not in markup
    assert 'name="units-0-lost"' in markup
    Reader(table.gm).done(f"/armies/{table.watch.pk}/edit/", "/correct/", status="routed")
    assert Army.objects.get(pk=table.watch.pk).status == "routed"
