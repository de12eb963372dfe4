"""The aftermath as its page lays it out: kingdom, army, commander; causes folded, fates, choices, what undoing does."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.urls import reverse

from armies.pathfinder.forces.specs import build_army_spec
from armies.pathfinder.models import PathfinderCommander
from battles.aftermath.proposal_page import News
from battles.models import Battle
from battles.play.services import undo
from kingdom.models import User
from rules.core.dice import TypedDie
from rules.pathfinder.battle.orders.commands import End, Override, Reinforce
from tests.battles.aftermath.test_services import PEASANTS, Hand, fight
from tests.battles.conftest import muster
from tests.battles.field.test_pages import as_, text
from tests.worlds import built_once


@built_once
def drowned(table) -> Battle:
    """Three armies of the horde went down: the raiders, whom Gruk led, and two bands of peasants."""
    bands = [muster(table.gm, table.horde, name, PEASANTS, 100) for name in ("Reeds", "Moor")]
    hand = fight(table, table.watch, table.raiders)
    hand.play(*(Reinforce(build_army_spec(band), 1) for band in bands))
    lost = (Override(str(army.pk), "status", "defeated", "drowned") for army in (table.raiders, *bands))
    hand.play(*lost, End("The ice broke", winner=0))
    return Battle.objects.get(pk=hand.battle.pk)


@pytest.fixture
def beaten(table, drowned) -> Hand:
    return Hand(table, drowned)


def fate(table: Any, face: int) -> TypedDie:
    return TypedDie(str(table.raiders.pk), "commander-fate", (face,))


def read(user: Any, hand: Hand) -> Any:
    return as_(user).get(reverse("battles:aftermath", args=[hand.battle.pk]))


def post(hand: Hand, **fields: Any) -> Any:
    hand.battle.refresh_from_db()
    address = reverse("battles:aftermath", args=[hand.battle.pk])
    return as_(hand.table.gm).post(address, {"version": hand.battle.version, **fields})


def thrown(hand: Hand, face: int) -> dict[str, Any]:
    """Gruk's fate typed, and no luck for the victors."""
    raiders, watch = hand.table.raiders.pk, hand.table.watch.pk
    keys = [f"{watch}|loyalty-tactic|20", f"{watch}|loyalty-boon|20", f"{raiders}|commander-fate|100"]
    return {"die": keys, "face": [1, 1, face], "settled": 3, "how": "rolled"}


def realm(reckoning: Any, name: str) -> Any:
    return next(found for found in reckoning.realms if found.name == name)


def deeds(reckoning: Any, name: str) -> list[tuple[str, str]]:
    return [(deed.kind, deed.name) for deed in realm(reckoning, name).deeds]


def fields(deed: Any) -> list[str]:
    return [str(shift.field) for line in deed.lines for shift in line.shifts]


def test_it_is_told_kingdom_by_kingdom_with_one_line_a_figure_whose_causes_are_folded(beaten, table):
    """Each army with its commander."""
    page = read(table.gm, beaten)
    told = page.context["reckoning"]
    assert [found.name for found in told.realms] == ["Crown", "Horde"]
    assert [(found.fate, found.standing, found.total) for found in told.realms] == [("won", 1, 1), ("lost", 0, 3)]
    assert deeds(told, "Horde")[:2] == [("army", "Raiders"), ("commander", "Gruk")]
    assert deeds(told, "Horde")[2:] == [("army", "Reeds"), ("army", "Moor")]
    assert deeds(told, "Crown")[0] == ("army", "Ironwatch")
    horde = realm(page.context["reckoning"], "Horde")
    economy = next(shift for shift in horde.figures if str(shift.field) == "Economy")
    assert len(economy.causes) > 1
    assert economy.before + sum(cause.by for cause in economy.causes) == economy.after
    assert economy.before == table.horde.economy
    assert len(horde.why) == len(economy.causes), "a cause stands once, with every figure it touches"
    body = text(page)
    shown = re.search(r"<dt>Economy</dt>\s*<dd><s>(\d+)</s>.*?<b>(\d+)</b>", body, re.DOTALL)
    assert shown
    assert [int(number) for number in shown.groups()] == [economy.before, economy.after]
    assert body.count("<dt>Economy</dt>") == 1
    folded = re.search(r'<details class="more causes fold">.*?</details>', body, re.DOTALL)
    assert folded
    assert "Raiders defeated" in folded[0]
    assert "PF-6.1" in folded[0]


def test_a_fate_is_a_moment_with_its_die_on_its_scale(beaten):
    for face, word in ((15, "killed"), (34, "captured"), (99, "escapes")):
        page = post(beaten, **thrown(beaten, face))
        gruk = realm(page.context["reckoning"], "Horde").deeds[1]
        (moment,) = gruk.news.moments
        assert moment.dice[0][1] == face
        box = text(page).split('<div class="fate">')[1].split("</ul>")[0]
        assert f"Gruk {word if word == 'escapes' else f'is {word}'}." in box
        assert re.search(rf'class="\w+ hit">{word} ', box)
        assert f'd="M{10 * face - 17} 0H{10 * face + 7}' in box
        if word == "captured":  # what follows from it alone stands in it
            assert [str(shift.field) for shift in moment.figures] == ["status", "times captured"]
            assert fields(gruk) == ["ransom in BP"]


def test_figures_that_change_for_one_reason_share_a_line_and_its_hit_points_are_named(beaten, table):
    """Their numbers stand beside the army's name too; here they have their reason."""
    page = read(table.gm, beaten)
    raiders = realm(page.context["reckoning"], "Horde").deeds[0]
    assert [str(shift.field) for shift in raiders.lines[0].shifts] == ["hit points", "status"]
    assert "defeated" in raiders.lines[0].shifts[1].after
    assert not raiders.lines[0].why, "it is said once"
    assert (raiders.health.before, raiders.health.after) == (table.raiders.hp, 0)
    body = text(page).split("<h3>Raiders</h3>")[1].split("</article>")[0]
    (line,) = [line for line in raiders.lines if raiders.health in line.shifts]
    told = body.split('<p class="ripple">')[raiders.lines.index(line) + 1].split("</p>")[0]
    assert len(line.shifts) > 1
    for shift in line.shifts:
        assert str(shift.field) in told
    assert f"<s>{table.raiders.hp}</s>" in told, "with its numbers, so that the row does not look empty"


def test_a_victor_reads_what_the_battle_left_of_it_and_what_victory_gave_back(table):
    """What it lost, or what it lost and rallied to, stands beside the morale that it gains."""
    hand = fight(table, table.watch, table.raiders)
    hand.play(Override(str(table.watch.pk), "hp", 1, "mauled"), End("Fled", 0))
    dice = {"die": [f"{table.watch.pk}|loyalty-tactic|20", f"{table.watch.pk}|loyalty-boon|20"], "face": [20, 1]}
    page = post(hand, **dice, settled=2, how="rolled")
    deed = realm(page.context["reckoning"], "Crown").deeds[0]
    body = text(page).split("<h3>Ironwatch</h3>")[1].split("</article>")[0]
    lines = [" ".join(re.sub("<[^>]*>", " ", piece.split("</p>")[0]).split())
             for piece in body.split('<p class="ripple">')[1:]]  # fmt: skip
    assert any(line.startswith("hit points") and "1 left after" in line for line in lines), lines
    assert any(line.startswith("morale") and "victorious" in line for line in lines), lines
    assert deed.health.before == table.watch.hp


def test_an_army_with_two_blows_to_its_morale_shows_one_figure(table):
    """Set by the GM, then routed."""
    hand = fight(table, table.watch, table.raiders)
    raiders = str(table.raiders.pk)
    hand.play(Override(raiders, "morale", 2, "song"), Override(raiders, "status", "routed", "fled"), End("Fled", 0))
    page = read(table.gm, hand)
    deed = realm(page.context["reckoning"], "Horde").deeds[0]
    (morale,) = [line for line in deed.lines if line.words is None]
    (shift,) = morale.shifts
    assert (shift.before, shift.after, [cause.by for cause in shift.causes]) == (0, 1, [2, -1])
    body = text(page).split("<h3>Raiders</h3>")[1].split("</article>")[0]
    folded = body.split('<details class="more causes ripple">')[1].split("</details>")[0]
    assert "PF-3.12" in folded
    assert "PF-6.2" in folded


def test_a_choice_stands_beside_what_it_decides(beaten):
    """Asked for by a die that was typed just now, it shows what holds meanwhile: the form was sent without it."""
    PathfinderCommander.objects.filter(name="Gruk").update(captures=1)
    page = post(beaten, **thrown(beaten, 34))
    gruk = realm(page.context["reckoning"], "Horde").deeds[1]
    (asked,) = gruk.news.asks
    assert asked.name.startswith("choice-notorious:")
    assert asked.value() == "yes"
    assert '<option value="yes" selected>' in str(asked)
    article = text(page).split("<h3>Gruk</h3>")[1].split("</article>")[0]
    assert f'name="{asked.name}"' in article
    assert "One choice to make" in text(page)
    assert "known for losing" in fields(gruk)
    made = post(beaten, **thrown(beaten, 34), do="preview", **{asked.name: "no"})
    assert "known for losing" not in fields(realm(made.context["reckoning"], "Horde").deeds[1])


def test_a_choice_that_typed_dice_take_away_is_left_aside_and_the_dice_stay(beaten, table):
    """The server's dice had let the victors learn; those on the table do not."""
    gone = {f"choice-tactic:{table.watch.pk}": "", f"choice-notorious:{table.raiders.pk}": "yes"}
    page = post(beaten, **thrown(beaten, 34), **gone)
    assert page.status_code == 200
    assert [roll.value for roll, _face in page.context["reckoning"].dice] == [34, 1, 1]
    assert not page.context["form"].errors


def test_what_was_confirmed_keeps_its_remarks_and_its_dice(beaten, table):
    before = read(table.gm, beaten).context["reckoning"]
    beaten.confirm()
    page = read(table.gm, beaten)
    after = page.context["page"].done
    told = [
        [(deed.name, [str(note.text) for note in deed.news.told + deed.news.moments]) for deed in found.deeds]
        for found in before.realms
    ]
    assert any(notes for found in told for _name, notes in found)
    assert told == [
        [(deed.name, [str(note.text) for note in deed.news.told + deed.news.moments]) for deed in found.deeds]
        for found in after.realms
    ]
    assert [str(note.text) for note in before.besides.told] == [str(note.text) for note in after.besides.told]
    assert before.dice == after.dice
    assert all(str(note.text) in text(page).replace("&amp;", "&") for note in after.besides.told)


def test_a_player_reads_of_his_own_alone(beaten, table):
    beaten.confirm(typed=[fate(table, 15)])
    crown, horde = (text(read(user, beaten)).split('id="aftermath"')[1] for user in (table.ana, table.bo))
    assert "Gruk" not in crown
    assert "Raiders" not in crown
    assert "Loyalty check for morale" in crown
    assert "Gruk is killed." in horde
    assert "Loyalty check" not in horde
    assert " XP " not in crown + horde
    assert "Undo takes back" not in crown + horde


def test_it_says_what_undoing_takes_back_and_what_it_keeps(beaten, table):
    proposed = text(read(table.gm, beaten)).split('aria-labelledby="sealed"')[1]
    beaten.confirm(typed=[fate(table, 15)])
    confirmed = text(read(table.gm, beaten)).split('aria-labelledby="sealed"')[1]
    for told in (proposed, confirmed):
        assert "Undo takes back" in told
        back, _sep, kept = told.partition("It keeps")
        assert "Raiders, Reeds, Moor" in " ".join(back.split())
        assert "Economy" in back
        assert "the dice as rolled" in kept
        assert "struck through" in kept
    assert re.search(r'class="die typed"[^>]*>15<', confirmed)
    undo(**beaten.seen)
    assert re.search(r'class="die typed"[^>]*>15<', text(read(table.gm, beaten)).split('<div class="fate">')[1])


def test_what_was_chosen_is_offered_again_after_it_was_taken_back(beaten, table):
    watch = str(table.watch.pk)
    lucky = [TypedDie(watch, "loyalty-tactic", (20,)), TypedDie(watch, "loyalty-boon", (1,)), fate(table, 15)]
    beaten.confirm(typed=lucky, choices={f"tactic:{watch}": "taunt"})
    undo(**beaten.seen)
    again = read(table.gm, beaten)
    chosen = {field.name: field.value() for field in again.context["form"].questions}
    assert chosen == {f"choice-tactic:{watch}": "taunt"}
    assert [change.after for change in again.context["proposal"].changes if change.field == "tactics"] == [["taunt"]]
    other = post(beaten, **{f"choice-tactic:{watch}": ""})
    assert not [change for change in other.context["proposal"].changes if change.field == "tactics"]
    post(beaten, do="reroll")
    beaten.battle.refresh_from_db()
    assert read(table.gm, beaten).status_code == 200


def test_of_what_was_chosen_only_what_is_offered_no_more_is_left_aside(beaten, table):
    """Another choice comes back, and dice that are still to fall are asked of whoever types theirs (R-69)."""
    watch, gruk = str(table.watch.pk), str(table.raiders.commander_id)
    PathfinderCommander.objects.filter(name="Gruk").update(captures=1)
    lucky = [TypedDie(watch, "loyalty-tactic", (20,)), TypedDie(watch, "loyalty-boon", (1,)), fate(table, 34)]
    beaten.confirm(typed=lucky, choices={f"tactic:{watch}": "taunt", f"notorious:{gruk}": "no"})
    undo(**beaten.seen)
    latest = beaten.battle.records.latest("seq")
    latest.command["choices"][f"tactic:{watch}"] = "a tactic of another law"
    latest.save()
    page = read(table.gm, beaten)
    chosen = {field.name: field.value() for field in page.context["form"].questions}
    assert chosen == {f"choice-tactic:{watch}": "", f"choice-notorious:{gruk}": "no"}
    assert not page.context["form"].errors
    latest.command["rolls"] = [die for die in latest.command["rolls"] if die["name"] != "commander-fate"]
    latest.save()
    for dice in ("server", "typed"):
        User.objects.filter(pk=table.gm.pk).update(dice=dice)
        assert bool(read(table.gm, beaten).context["form"].asked) is (dice == "typed")


def test_a_kingdom_has_a_place_for_what_is_told_beside_its_figures_where_anything_is(beaten, table):
    horde = realm(read(table.gm, beaten).context["reckoning"], "Horde")
    assert horde.figures
    bare = replace(horde, news=News(shifts=horde.figures))
    word = replace(horde.figures[0], causes=(replace(horde.figures[0].causes[0], by=None),))
    others = [{"shifts": (word,)}, *({name: (object(),)} for name in ("told", "moments", "dice", "asks"))]
    assert (bare.tells, [replace(bare, news=News(**other)).tells for other in others]) == (False, [True] * 5)
    frame = '<div class="deed">'
    drawn = [render_to_string("battles/aftermath/realm.html", {"realm": replace(found, deeds=())}) for found in (
        bare, replace(bare, news=News(shifts=(word,)))
    )]  # fmt: skip
    assert [frame in page for page in drawn] == [False, True]


def test_peace_changes_nothing_and_says_so(table):
    hand = fight(table, table.watch, table.raiders)
    hand.play(End("Peace"))
    assert "Nothing changes." in text(read(table.gm, hand))
    hand.confirm()
    assert "the end of the battle and its effects" in text(read(table.gm, hand))


def test_a_confirmation_kept_without_remarks_still_shows_its_dice(beaten, table):
    """As all were before remarks were kept."""
    beaten.confirm(typed=[fate(table, 15)])
    record = beaten.battle.records.latest("seq")
    record.command.pop("notes")
    record.save(update_fields=["command"])
    page = read(table.gm, beaten)
    raiders = realm(page.context["page"].done, "Horde").deeds[0]
    assert [shown for _name, _roll, shown in raiders.news.dice] == [15]
    assert "the commander’s fate</span>" in text(page)


def foot_of(answer: Any) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode().split('class="foot"')[1]).split())


def test_the_foot_counts_the_choices_that_are_still_to_be_made(beaten):
    PathfinderCommander.objects.filter(name="Gruk").update(captures=1)
    typed = thrown(beaten, 34)
    shown, chosen = post(beaten, **typed), {}
    assert re.search(r"(One choice|\d+ choices) to make", foot_of(shown))
    for _each in range(3):  # one choice may open another
        questions = shown.context["form"].questions
        chosen |= {field.html_name: field.field.choices[0][0] for field in questions if field.html_name not in chosen}
        shown = post(beaten, **typed, **chosen)
    assert shown.status_code == 200
    assert chosen
    assert "to make" not in foot_of(shown)
    assert "All choices made" in foot_of(shown)
