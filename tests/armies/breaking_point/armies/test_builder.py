"""The builder: units added and taken away by buttons, figures as one types, refusals beside their field."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from armies.breaking_point.armies.builder_choices import MEN, starter_of
from armies.breaking_point.armies.services import grant_experience
from armies.models import Army
from rules.breaking_point.ruleset import BREAKING_POINT
from rules.breaking_point.starter import STARTERS
from tests.armies.breaking_point.armies.bench import Bench
from tests.rulesets.browsing import Reader, beside, plain


def edit(army) -> str:
    return f"/armies/{army.pk}/edit/"


def new(kingdom) -> str:
    return f"/kingdoms/{kingdom.pk}/armies/new/"


def test_an_army_is_raised_from_the_starter_units_without_scripts(marches):
    """legionaries: 4 a head at contact, 9 of force; longbowmen: 2 of fire."""
    bench = Bench(marches.ana, new(marches.crown))
    bench.redraw(name="Second levy", add=1, starter="legionaries")
    told = bench.press(add=1, starter="longbowmen")
    assert 'name="units-1-type"' in bench.markup
    assert "Attack power" in told
    answer = bench.send(**{"units-0-strength": "200", "units-1-strength": "100"})
    army = Army.objects.get(name="Second levy")
    assert answer.headers["Location"] == f"/armies/{army.pk}/"
    assert [unit["strength"] for unit in army.sheet["units"]] == [200, 100]
    told = bench.reader.read(f"/armies/{army.pk}/")
    assert "800 Attack power" in told
    assert "200 Fire power" in told


def test_a_unit_to_begin_with_is_the_one_of_the_tables():
    """Robots know no hunger, whoever raises them (BP-2.1)."""
    for slug, starter in STARTERS.items():
        (begun,) = BREAKING_POINT.armies.units_of({"units": [starter_of(slug, BREAKING_POINT)]})
        assert replace(begun, name=starter.name) == starter.unit(MEN), slug


SOUGHT = {
    "en": {
        "HORSE light": ["light-horse"],
        "cavalry": ["cuirassiers", "feudal-horse", "horse-archers", "knights", "light-horse"],
        "x" * 100_000: [],
        "\0 %_ ( [ *": [],
    },
    "fr": {
        "epees": [],
        "ELEPHANTS": ["war-elephants"],
        "war elephants": ["war-elephants"],
        "revoltes paysans": ["peasants"],
    },
}


@pytest.mark.parametrize(("language", "less"), [("en", "Try fewer words"), ("fr", "Essayez avec moins de mots")])
def test_units_to_begin_from_are_found_by_every_word(marches, language, less):
    bench = Bench(marches.ana, new(marches.crown), language)
    for query, slugs in SOUGHT[language].items():
        bench.redraw(name="Second levy", find=1, sought=query)
        offered = re.findall(r'<option value="([^"]*)"', bench.markup.split('id="starter"')[1].split("</select>")[0])
        assert (bench.status, sorted(offered)) == (200, slugs or [""]), query[:20]
        assert (less in bench.markup) == (not slugs), query[:20]
        assert 'value="Second levy"' in bench.markup


def test_enter_in_the_search_raises_nothing_and_the_button_does(marches):
    bench = Bench(marches.ana, new(marches.crown))
    bench.redraw(name="Second levy", add=1, starter="knights")
    answer = bench.send(sought="orcs", **{"raise": "1"})
    assert answer.status_code == 302, "whoever presses the button raises"
    fields = {name: value for name, value in bench.fields.items() if name != "raise"}
    entered = bench.reader.client.post(bench.url, {**fields, "name": "Third levy", "sought": "orcs"})
    assert (entered.status_code, entered.context["sought"]) == (200, "orcs")
    assert [slug for _title, found in entered.context["starters"] for slug, _name in found] == ["orcs"]
    assert not Army.objects.filter(name="Third levy").exists()


def test_units_are_copied_and_taken_away_by_buttons(marches):
    bench = Bench(marches.ana, edit(marches.watch))
    bench.redraw(copy="0")
    assert bench.markup.count("First cohort</b>") == 2
    assert 'name="units-2-type"' in bench.markup
    bench.redraw(drop="1")
    told = bench.press(drop="0")
    assert "First cohort" not in told
    assert Army.objects.get(pk=marches.watch.pk).sheet["units"][0]["name"] == "First cohort", "nothing is saved yet"
    bench.send()
    assert [unit["name"] for unit in Army.objects.get(pk=marches.watch.pk).sheet["units"]] == ["Archers"]


def test_figures_follow_what_is_typed(marches):
    bench, kingdom = Bench(marches.ana, edit(marches.watch)), marches.crown
    sent = {**bench.fields, "units-0-strength": "100"}
    answer = bench.reader.client.post(f"/kingdoms/{kingdom.pk}/armies/preview/?army={marches.watch.pk}", sent)
    told = plain(answer.content.decode())
    assert answer.status_code == 200
    assert "400 Attack power" in told
    assert "<html" not in answer.content.decode()
    sent["units-0-strength"] = "0"
    answer = bench.reader.client.post(f"/kingdoms/{kingdom.pk}/armies/preview/", sent)
    assert "First cohort:" in plain(answer.content.decode())


def test_a_quality_word_and_a_piece_of_armour_fill_their_fields(marches):
    """B-12: mail is 5, worn 2 where the world halves it; BP-2.5: a veteran has 7 to 9."""
    bench = Bench(marches.ana, edit(marches.watch))
    bench.redraw(preview=1, **{"units-0-quality": "veteran", "units-0-worn": "mail"})
    sent = bench.fields
    assert sent["units-0-combat"] == ["8"]
    assert sent["units-0-armour"] == ["2"]
    assert sent["units-0-quality"] == [""]


def test_a_weapon_of_ones_own_is_typed_out(marches):
    bench = Bench(marches.ana, edit(marches.watch))
    bench.redraw(preview=1, **{"units-1-weapons-0-slug": "own"})
    typed = {"name": "Blunderbuss", "damage": "9", "rate": "1/4", "range": "short", "area": "2", "firearm": "on"}
    bench.send(**{f"units-1-weapons-0-{name}": value for name, value in typed.items()})
    weapon = Army.objects.get(pk=marches.watch.pk).sheet["units"][1]["weapons"][0]
    assert (weapon["name"], weapon["damage"], weapon["rate"], weapon["firearm"]) == ("Blunderbuss", 9, "1/4", True)
    assert "Blunderbuss (9, rate 1/4, short, area 2)" in bench.reader.read(f"/armies/{marches.watch.pk}/")


def test_another_weapon_is_taken_up_and_laid_down(marches):
    bench = Bench(marches.ana, edit(marches.watch))
    bench.redraw(preview=1, **{"units-1-weapons-1-slug": "crossbow"})
    bench.send(**{"units-1-weapons-0-slug": ""})
    assert Army.objects.get(pk=marches.watch.pk).sheet["units"][1]["weapons"] == ["crossbow"]


def test_a_machine_brings_its_figures_and_arms(marches):
    bench = Bench(marches.bo, edit(marches.tanks))
    bench.redraw(preview=1, **{"units-0-machine": "own"})
    typed = {"name": "Mole", "toughness": "300", "armour": "100", "mobility": "1", "control": "−2"}
    bench.send(**{f"units-0-machine-{name}": value for name, value in typed.items()}, **{"units-0-armour": ""})
    machine = Army.objects.get(pk=marches.tanks.pk).sheet["units"][0]["machine"]
    assert (machine["name"], machine["control"]) == ("Mole", -2)


def test_what_is_wrong_stands_beside_its_field_and_nothing_changes(marches):
    before = Army.objects.get(pk=marches.watch.pk).sheet
    bench = Bench(marches.ana, edit(marches.watch))
    sent = bench.fields
    for name, value in (
        ("units-0-strength", "0"), ("units-0-strength", "1000000000"), ("units-0-combat", "brave"),
        ("units-1-weapons-0-slug", "trebuchet-of-doom"), ("units-0-type", "unicorns"), ("units-1-group", "air"),
    ):  # fmt: skip
        answer = bench.reader.client.post(bench.url, {**sent, name: value})
        assert answer.status_code == 422, (name, value)
        assert beside(answer.content.decode(), name)
        assert answer.context["form"]["name"].value() == "Ironwatch"
    assert Army.objects.get(pk=marches.watch.pk).sheet == before


def test_an_army_of_no_unit_is_refused(marches):
    bench = Bench(marches.ana, new(marches.crown))
    bench.redraw(name="Nobody")
    assert bench.status == 422
    assert not Army.objects.filter(name="Nobody").exists()


def test_units_leave_as_a_table_and_come_back(marches):
    """Pasted or as a file; the table says what the document said."""
    before = Army.objects.get(pk=marches.watch.pk).sheet
    csv = Reader(marches.ana).client.get(f"/armies/{marches.watch.pk}/units.csv")
    assert csv.headers["Content-Type"].startswith("text/csv")
    bench = Bench(marches.ana, edit(marches.watch))
    bench.redraw(drop="0")
    bench.redraw(read=1, table=csv.content.decode())
    bench.send()
    assert Army.objects.get(pk=marches.watch.pk).sheet == before
    bench = Bench(marches.ana, new(marches.crown))
    told = bench.press(read=1, name="Copy", file=SimpleUploadedFile("units.csv", csv.content, "text/csv"))
    assert "First cohort" in told
    bench.send()
    assert Army.objects.get(name="Copy").sheet == before


def test_a_table_that_is_none_is_refused_beside_it(marches):
    bench = Bench(marches.ana, edit(marches.watch))
    for table in ("", "name;type", "name,type,strength\n", "name,type,strength,height\nA,infantry,1,2\n"):
        bench.redraw(read=1, table=table)
        assert bench.status == 422
        assert beside(bench.markup, "table")
        assert bench.fields["units-0-name"] == ["First cohort"], "what stood there stands"
    bench.redraw(read=1, table="name;type", name="")
    assert bench.markup.count('class="field-error"') == 1, "nothing else is judged yet"


def test_what_another_has_changed_meanwhile_is_not_overwritten_unseen(marches):
    """Experience that was granted while the builder stood open."""
    bench = Bench(marches.ana, edit(marches.watch))
    grant_experience(by=marches.gm, army=marches.watch, unit=0, points=10)
    told = bench.press(**{"units-0-strength": "300"})
    assert bench.status == 422
    assert "This army has changed since you opened this page." in told
    unit = Army.objects.get(pk=marches.watch.pk).sheet["units"][0]
    assert (unit["strength"], unit["experience"]) == (480, 10)
    assert bench.fields["units-0-strength"] == ["300"], "what was typed stands"
    bench.send(**{"units-0-experience": "10"})
    unit = Army.objects.get(pk=marches.watch.pk).sheet["units"][0]
    assert (unit["strength"], unit["experience"]) == (300, 10)


def test_only_who_runs_the_kingdom_builds_for_it(marches):
    assert Reader(marches.bo).status(edit(marches.watch)) == 404
    assert Reader(marches.bo).status(new(marches.crown)) == 403
    assert Reader(marches.viewer).status(new(marches.crown)) == 403
    assert Reader(marches.stranger).status(new(marches.crown)) == 404


def test_the_gm_corrects_what_no_unit_says(marches):
    gm = Reader(marches.gm)
    gm.done(edit(marches.watch), "/correct/", status="captured")
    assert Army.objects.get(pk=marches.watch.pk).status == "captured"
    assert 'name="health"' not in gm.markup(edit(marches.watch))
