"""Wings in a campaign: raised by form, changed, shown with the reasons of every figure (C-1 to C-8)."""

from __future__ import annotations

import re
from typing import Any

from armies.models import Army
from armies.weeks.queries import list_due
from armies.weeks.services import confirm_time
from tests.armies.documents.test_document_armies import Form
from tests.armies.wing_command.conftest import SHEET, army_of, kept
from tests.rulesets.browsing import Reader, beside, plain


def raising(table: Any) -> Form:
    return Form(table, f"/kingdoms/{table.crown.pk}/armies/new/")


def changing(table: Any) -> Form:
    return Form(table, f"/armies/{table.watch.pk}/edit/")


# raising


def test_a_new_army_begins_as_a_sample_wing(table):
    form = raising(table)
    assert form.send(name="First wing").status_code == 302
    sheet = kept(army_of("First wing"))
    assert [troop["type"] for troop in sheet["troops"]] == ["foot", "foot", "heavy-foot", "archers"]


def test_another_sample_takes_its_place(table):
    form = raising(table)
    form.press(begin="1", starter="horde-2", name="Wings")
    assert "Griffins" in plain(form.markup)
    assert form.send().status_code == 302
    army = army_of("Wings")
    assert [troop["type"] for troop in kept(army)["troops"]] == ["griffins", "riders", "levy"]
    assert (army.health, army.health_max, army.upkeep) == (3, 3, 3)  # 12 points ÷ 4 (C-5)


def test_a_strange_sample_changes_nothing(table):
    for starter in ("crown-9", "nobody-0", "", "crown-x"):
        form = raising(table)
        form.press(begin="1", starter=starter)
        assert form.markup.count('id="troops-') == 4, starter


def test_the_form_shows_what_it_comes_to(table):
    form = raising(table)
    form.press(preview="1", **{"troops-0-melee": "2", "troops-3-guard": "1"})
    told = plain(form.markup)
    assert "16" in told  # 13 points, two steps of melee and one of guard (C-8)
    assert "move 5, melee 4, guard 3; points: 4" in told, "a type shows its figures"
    assert "Foot · melee 5, guard 3" in told


def test_an_army_is_raised_with_characters(table):
    form = raising(table)
    form.press(add="characters", name="Second wing")
    form.press(
        preview="1", order="attack", morale="10",
        **{"characters-0-name": "Odo", "characters-0-kind": "mage", "characters-0-art": "spirit"},
    )  # fmt: skip
    assert form.send().status_code == 302
    sheet = kept(army_of("Second wing"))
    assert (sheet["order"], sheet["morale"]) == ("attack", 10)
    assert sheet["characters"] == [{"name": "Odo", "kind": "mage", "art": "spirit", "level": 3}]


def test_what_is_always_written_begins_as_usual(table):
    form = raising(table)
    form.press(add="characters")
    assert re.search(r'name="characters-0-ability".*?<option value="E"\s+selected>', form.markup, re.DOTALL)
    assert re.search(r'name="order".*?<option value="attack"\s+selected>', form.markup, re.DOTALL), "the sample's"


def test_what_is_wrong_stands_beside_its_field(table):
    form = changing(table)
    for name, value, told in (
        ("troops-0-melee", "3", "Enter a whole number from 0 to 2."),
        ("troops-0-type", "dragons", "Choose one of"),
        ("morale", "13", "Enter a whole number from 4 to 12."),
        ("order", "retreat", "Choose one of"),
        ("characters-0-level", "7", "Enter a whole number from 0 to 6."),
        ("characters-0-name", "", "Enter text here."),
        ("characters-0-kind", "king", "Choose one of"),
    ):
        assert told in beside(form.refused(**{name: value}), name), name
    refused = form.refused(**{"characters-0-kind": "champion", "characters-0-level": "0", "characters-0-art": "fire"})
    assert "Enter a magic level of 1 or more, or choose no art." in beside(refused, "characters-0-level")
    assert kept(table.watch)["troops"] == SHEET["troops"]


def of_so_many_troops(wing: Army, number: int) -> None:
    """Foot, all of them."""
    Army.objects.filter(pk=wing.pk).update(sheet={**wing.sheet, "troops": [{"type": "foot"}] * number})


def test_a_wing_has_one_to_eight_troops(table):
    of_so_many_troops(table.watch, 7)
    form = changing(table)
    form.press(copy="troops-0")
    assert 'name="add" value="troops"' not in form.markup, "eight are all there may be (W-18)"
    of_so_many_troops(table.watch, 2)
    form = changing(table)
    for _time in range(2):
        form.press(drop="troops-0")
    form.press(name="Nobody")
    assert form.status == 422
    assert "A wing needs at least one troop." in plain(form.markup)


def test_a_change_moves_health_points_and_upkeep(table):
    form = changing(table)
    form.press(drop="troops-2")
    assert form.send().status_code == 302
    army = Army.objects.get(pk=table.watch.pk)
    assert (army.health, army.health_max, army.upkeep) == (2, 2, 3)  # 10 points


def test_upkeep_is_due_at_the_end_of_the_week_and_said_on_the_campaigns_page(table):
    """C-5. A treasury that can't pay all of it is told beforehand."""
    told = Reader(table.gm).read(f"/c/{table.campaign.pk}/")
    owed = sum(army.upkeep for army in Army.objects.filter(kingdom=table.crown))
    assert owed
    assert f"Army upkeep: {owed} BP" in told
    assert "Nothing else is due" not in told
    (line,) = [line for line in list_due(table.gm, table.campaign) if line.kingdom == table.crown]
    assert (line.day, line.rule, line.bad) == (7, "C-5", owed > table.crown.treasury)


# shown


def test_its_page_shows_figures_after_steps_of_quality(table):
    told = Reader(table.ana).read(f"/armies/{table.watch.pk}/")
    for words in ("Old guard", "Archers", "Griffins", "flies", "Mira", "Hold", "Standing order", "Isaut",
                  "Command ability", "1D3 × 4", "Fire magic, level 4", "2D6, 9 or less"):  # fmt: skip
        assert words in told, words


def test_every_figure_explains_itself(table):
    markup = Reader(table.ana).markup(f"/armies/{table.watch.pk}/")
    for at, words in (
        ("troop-0-melee", ("Foot", "Better in melee")), ("troop-0-points", ("Foot", "Better in melee", "Better guard")),
        ("troop-1-shot", ("Archers", "Better in melee")),
    ):  # fmt: skip
        opened = plain(markup.partition(f'id="{at}"')[2].partition("</div>")[0])
        assert all(word in opened for word in words), (at, opened)
    told = plain(markup)
    assert "16 points ÷ 4, rounded up" in told  # 5 + 5 + 6
    for spell in ("Firebolt", "Wall of fire"):
        assert spell in told
    assert "aptitude 3: 2D6, 8 or less" in told  # level 4 − difficulty 1


def test_without_a_commander_a_sergeant_leads(table):
    told = Reader(table.bo).read(f"/armies/{table.raiders.pk}/")
    assert "Without a commander, a sergeant leads the wing." in told
    assert "1 (irregular: one level below E)" in told


def test_from_afar_its_kinds_and_its_number_to_one_figure_are_seen(table):
    """C-4."""
    from kingdom.realms.figures import get_ruleset

    seen = get_ruleset(table.campaign).armies.from_afar(table.watch.sheet)
    assert [str(kind) for kind in seen.kind.params["kinds"]] == ["Foot", "Archers", "Griffins"]
    assert Reader(table.bo).status(f"/armies/{table.watch.pk}/") == 404


def test_a_week_mends_nothing_and_costs_a_quarter_of_the_points(table):
    """C-5, C-7."""
    before = kept(table.watch)
    confirm_time(by=table.gm, campaign=table.campaign, days=7)
    army = Army.objects.get(pk=table.watch.pk)
    assert kept(army) == before
    assert (army.health, army.upkeep) == (3, 4)


def test_the_chronicle_tells_what_changed(table):
    form = changing(table)
    form.press(drop="troops-1")
    form.send()
    told = Reader(table.ana).read(f"/c/{table.campaign.pk}/chronicle/")
    assert "Ironwatch’s sheet was changed." in told


def test_a_table_goes_out_and_comes_in(table):
    """C-2 as CSV."""
    csv = Reader(table.ana).client.get(f"/armies/{table.watch.pk}/units.csv").content.decode("utf-8-sig")
    head, *rows = csv.splitlines()
    assert head.startswith("list,order,morale,type,name,melee,guard,infiltrate,kind")
    assert rows[0].startswith("troops,hold,9,foot,Old guard,1,1")
    assert rows[3].startswith("characters,,,,Mira,,,,mage")
    form = changing(table)
    form.press(read="1", table=csv.replace("griffins", "riders"))
    assert form.send().status_code == 302
    assert kept(table.watch)["troops"][2] == {"type": "riders"}
    assert kept(table.watch)["characters"] == [{**SHEET["characters"][0]}]


def test_the_gm_alone_corrects_its_health(table):
    Reader(table.gm).done(f"/armies/{table.watch.pk}/edit/", "/correct/", health="2")
    assert Army.objects.get(pk=table.watch.pk).health == 2
