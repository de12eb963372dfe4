"""Pages of armies that break, for everybody at the table: the sheet, what is done with units, the commander."""

from __future__ import annotations

import pytest

from armies.breaking_point.armies.services import grant_experience, take_in_recruits, tend_wounded
from armies.forces.services import reveal_army, update_army
from armies.models import Army, Commander
from kingdom.models import ChronicleEntry
from rules.breaking_point.documents import STRENGTH_MOST
from rules.core.errors import InvalidInput
from tests.armies.breaking_point.armies.bench import Bench
from tests.armies.breaking_point.conftest import TANKS, units
from tests.rulesets.browsing import Reader, beside, plain


def page(row) -> str:
    return f"/{'armies' if isinstance(row, Army) else 'commanders'}/{row.pk}/"


def kept(army) -> list[dict]:
    return Army.objects.get(pk=army.pk).sheet["units"]


# reading


def test_the_sheet_shows_every_figure_with_its_lines(marches):
    told = Reader(marches.ana).read(page(marches.watch))
    for words in (
        "1920 Attack power", "480 × First cohort", "+1920", "400 Fire power", "680 Strength", "5320 Force", "regular",
        "Breaking point, %", "Contact group", "Shooting group", "battered, −2, power halved", "BP-2.2",
        "from 2660 points on", "Effects of losses, in points of force", "points on, twice its force",
        "infantry, regular, heavy",
    ):  # fmt: skip
        assert words in told, words


def test_b69_who_fled_says_so_on_its_sheet(marches):
    reader = Reader(marches.ana)
    assert "needs a week before it can fight again" not in reader.read(page(marches.watch))
    Army.objects.filter(pk=marches.watch.pk).update(status=Army.Status.ROUTED)
    told = reader.read(page(marches.watch))
    assert "This army fled and needs a week before it can fight again. B-69" in told


def test_the_command_rally_and_terms_open_to_their_lines(marches):
    """BP-3: modifier of MENTAL 8 is 3; 3 + 5 + 5 = 13."""
    for told in (Reader(marches.ana).read(page(marches.watch)), Reader(marches.ana).read(page(marches.ysolde))):
        for words in ("+13 Command potential", "MENTAL 8", "Art of war", "+12 Rally", "+9 Siege terms"):
            assert words in told, words


def test_a_viewer_reads_what_is_done_only_by_others(marches):
    told = Reader(marches.viewer).read(page(marches.watch))
    assert "Contact group" in told
    assert "After a battle" not in told
    assert Reader(marches.stranger).status(page(marches.watch)) == 404


def test_a_hidden_sheet_is_hidden_and_a_revealed_one_is_read(marches):
    assert Reader(marches.bo).status(page(marches.watch)) == 404
    assert Reader(marches.bo).status(f"{page(marches.watch)}units.csv") == 404
    reveal_army(by=marches.gm, army=marches.watch, revealed=True)
    assert "Contact group" in Reader(marches.bo).read(page(marches.watch))
    assert Reader(marches.bo).client.post(f"{page(marches.watch)}units/train/", {"unit": 0}).status_code == 403


def test_power_against_a_chosen_armour_is_reckoned_and_not_kept(marches):
    """B-64: against tanks of armour 150 neither gladius nor longbow counts."""
    reveal_army(by=marches.gm, army=marches.tanks, revealed=True)
    before = kept(marches.watch)
    told = Reader(marches.ana).read(f"{page(marches.watch)}?against={marches.tanks.pk}")
    assert "Armor 150: weapons with less than 75 damage have no effect." in told
    assert "Contact group 0 / 1920 0" in told
    assert kept(marches.watch) == before


def test_only_enemies_whose_sheets_one_may_read_are_offered(marches):
    told = Reader(marches.ana).read(f"{page(marches.watch)}?against={marches.tanks.pk}")
    assert "Steel" not in told
    assert "Steel" in Reader(marches.gm).read(page(marches.watch))


# what is done with units


def test_experience_is_granted_and_spent(marches):
    """BP-6: combat 6 → 7 costs 7; the breaking point follows."""
    gm, ana, sheet = Reader(marches.gm), Reader(marches.ana), page(marches.watch)
    gm.done(sheet, "/grant/", unit=0, points=10)
    assert kept(marches.watch)[0]["experience"] == 10
    ana.done(sheet, "/train/", unit="0")
    first = kept(marches.watch)[0]
    assert (first["combat"], first["experience"]) == (7, 3)
    answer = ana.client.post(f"{sheet}units/train/", {"unit": 0})
    assert answer.status_code == 422
    assert "First cohort: 3 points of experience. Raising combat to 8 costs 8." in plain(answer.content.decode())


def test_a_unit_is_trained_once_however_often_the_button_is_pressed(marches):
    """20 points would do for 7 and 8."""
    grant_experience(by=marches.gm, army=marches.watch, unit=0, points=20)
    ana, sheet = Reader(marches.ana), page(marches.watch)
    sent = {"unit": "0", "to": "7"}
    assert 'name="to" value="7"' in ana.markup(sheet)
    assert ana.client.post(f"{sheet}units/train/", sent).status_code == 302
    again = ana.client.post(f"{sheet}units/train/", sent)
    assert again.status_code == 422
    assert "First cohort’s combat is already 7." in plain(again.content.decode())
    assert (kept(marches.watch)[0]["combat"], kept(marches.watch)[0]["experience"]) == (7, 13)


def test_who_is_no_gm_grants_nothing(marches):
    assert "Grant experience" not in Reader(marches.ana).read(page(marches.watch))
    answer = Reader(marches.ana).client.post(f"{page(marches.watch)}units/grant/", {"unit": 0, "points": 10})
    assert answer.status_code == 403


def test_recruits_thin_a_unit_out(marches):
    """B-50: 480 of combat 6 and 480 of 1 are 960 of 3.5, down: 3."""
    ana = Reader(marches.ana)
    ana.done(page(marches.watch), "/recruits/", unit=0, men=480, combat=1)
    first = kept(marches.watch)[0]
    assert (first["strength"], first["combat"]) == (960, 3)
    assert Army.objects.get(pk=marches.watch.pk).health == 960 + 200
    markup = ana.refused(page(marches.watch), "/recruits/", unit=0, men=0, combat=1)
    assert 'id="recruits-men_error"' in markup
    assert "At least 1" in plain(markup)


def test_the_wounded_come_back_or_die(marches):
    gm, sheet = Reader(marches.gm), page(marches.watch)
    Bench(marches.gm, f"{sheet}edit/").send(**{"units-0-strength": "400", "units-0-wounded": "80"})
    army = Army.objects.get(pk=marches.watch.pk)
    assert (army.health, army.health_max) == (600, 680)
    gm.done(sheet, "/wounded/", unit=0, back=30, dead=20)
    first, army = kept(marches.watch)[0], Army.objects.get(pk=marches.watch.pk)
    assert (first["strength"], first["wounded"]) == (430, 30)
    assert (army.health, army.health_max) == (630, 660)
    markup = gm.refused(sheet, "/wounded/", unit=0, back=30, dead=1)
    assert 'id="wounded-back_error"' in markup
    assert "First cohort: only 30 wounded. The recovered and the dead can’t exceed that." in plain(markup)


def test_what_is_done_stands_in_the_chronicle_in_words(marches):
    Reader(marches.gm).done(page(marches.watch), "/grant/", unit=1, points=4)
    entry = ChronicleEntry.objects.filter(campaign=marches.campaign).order_by("-seq").first()
    told = Reader(marches.gm).read(f"/c/{marches.campaign.pk}/chronicle/")
    assert entry is not None
    assert "Ironwatch: +4 experience for Archers." in told
    assert "{'name'" not in told


# commanders


def test_a_commander_is_appointed_and_changed_with_his_form(marches):
    ana = Reader(marches.ana)
    ana.done(f"/kingdoms/{marches.crown.pk}/commanders/new/", name="Vell", mental=6, art_of_war=2)
    vell = Commander.objects.get(name="Vell")
    assert (vell.sheet["mental"], vell.sheet["art_of_war"]) == (6, 2)
    ana.done(f"{page(vell)}edit/", combat=4)
    vell.refresh_from_db()
    assert vell.sheet["combat"] == 4
    assert "+7 Command potential" in ana.read(page(vell))
    told = Reader(marches.gm).read(f"/c/{marches.campaign.pk}/chronicle/")
    assert "Vell’s sheet was changed." in told
    refused = ana.refused(f"{page(vell)}edit/", mental=99)
    assert beside(refused, "mental")


# on paper


def test_the_card_and_the_order_of_battle_are_printed(marches):
    ana = Reader(marches.ana)
    told = ana.read(f"{page(marches.watch)}order-of-battle/")
    for words in ("Commander in chief: Ysolde · Potential: +13", "Main force", "First cohort", "Reserve", "routed"):
        assert words in told, words
    card = ana.read(f"/kingdoms/{marches.crown.pk}/armies/cards/")
    assert "480 × First cohort (6)" in card
    assert "power and defense halved" in card


def test_in_french_everything_is_french(marches):
    told = Reader(marches.ana, "fr").read(page(marches.watch))
    for words in ("Puissance d’attaque", "Seuil de rupture", "Troupe de mêlée", "Potentiel de commandement"):
        assert words in told, words
    edit = Reader(marches.ana, "fr").read(f"{page(marches.watch)}edit/")
    assert "Effectif" in edit
    assert "glaive" in edit


def test_a_fleet_stands_whole_in_the_main_force(marches):
    told = Reader(marches.bo).read(f"{page(marches.tanks)}order-of-battle/")
    assert "Tanks" in told.partition("Support")[0]


def test_in_a_fleet_each_unit_has_its_own_states_to_tick_off(marches):
    """BP-9: each unit fights for itself; 20 × 500 and 10 × 280 of force."""
    fleet = units(TANKS, {**TANKS, "name": "Scouts", "machine": "medium-tank", "strength": 10})
    update_army(by=marches.bo, army=marches.tanks, sheet=fleet)
    told = Reader(marches.bo).read(f"{page(marches.tanks)}order-of-battle/")
    main = told.partition("Losses")[2].partition("Support")[0]
    assert "Tanks 10000 ☐ engaged" in main
    assert "Scouts 2800 ☐ engaged" in main
    watch = Reader(marches.ana).read(f"{page(marches.watch)}order-of-battle/")
    assert watch.partition("Losses")[2].count("☐ engaged") == 3, "an army by its groups"


@pytest.mark.parametrize(("points", "said"), [
    (0, "Enter a number other than 0: positive to grant points, negative to take them back."),
    (-11, "First cohort: only 10 experience points. Take back that many at most."),
])  # fmt: skip
def test_a_grant_of_nothing_and_one_that_takes_more_than_there_is_change_nothing(marches, points, said):
    grant_experience(by=marches.gm, army=marches.watch, unit=0, points=10)
    markup = Reader(marches.gm).refused(page(marches.watch), "/grant/", unit=0, points=points)
    assert said in plain(markup)
    assert kept(marches.watch)[0]["experience"] == 10
    grant_experience(by=marches.gm, army=marches.watch, unit=0, points=-10)
    assert kept(marches.watch)[0].get("experience", 0) == 0


def test_recruits_are_refused_with_the_room_that_is_left(marches):
    """A unit has a million heads at most, those that are there counted."""
    with pytest.raises(InvalidInput, match=r"First cohort: strength 480\. Add 999520 recruits"):
        take_in_recruits(by=marches.ana, army=marches.watch, unit=0, men=STRENGTH_MOST, combat=1)
    assert kept(marches.watch)[0]["strength"] == 480


def test_tending_nobody_is_no_tending(marches):
    with pytest.raises(InvalidInput, match="Enter how many have recovered or died"):
        tend_wounded(by=marches.gm, army=marches.watch, unit=0)
