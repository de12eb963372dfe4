"""What pages of battles of breaking points tell: who strikes first, how long a round is, what is left of whom."""

import re

import pytest
from django.urls import reverse

from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.setup.services import open_battle
from core.text import render
from rules.breaking_point.battle.orders.commands import ChangeCondition, End, Next, Resolve
from rules.breaking_point.battle.state.battle_state import FieldMark
from tests.battles.breaking_point.test_pages import card, page_of
from tests.battles.requests import play_request
from tests.browser.conftest import play
from tests.everyday import by_turns
from tests.kingdom.conftest import make_user, seat

pytestmark = pytest.mark.django_db


def chips(client, battle):
    return [render(chip.text) for chip in page_of(client, battle).context["page"].conditions]


def test_b3_a_player_knows_about_how_long_a_round_is(river):
    assert "rounds of 12 min 36 s" in chips(river.as_(river.gm), river.bridge)
    assert "rounds of about 12 min" in chips(river.as_(river.miv), river.bridge)


def test_b45_a_round_without_an_attack_warns_of_the_second(river):
    """Orders fall back to holding with each round: nobody is to draw a battle by forgetting."""
    battle = opened(river)
    play(river, battle, Resolve())
    assert not [chip for chip in chips(river.as_(river.gm), battle) if "no attack" in chip]
    play(river, battle, Resolve())
    for reader in (river.gm, river.dru):
        assert "no attack last round: another round without one is a draw" in chips(river.as_(reader), battle)


def test_b18_what_is_left_of_an_enemy_is_told_in_hundredths(river):
    page = page_of(river.as_(river.dru), river.bridge)
    text = page.content.decode()
    own, theirs = page.context["page"].sides
    assert (own.share, theirs.share) == (None, 86)
    assert "86% left" in text
    assert "of 100 force" not in text
    lines = {line.name: line for line in page.context["page"].strip.lines}
    assert (lines["Swordlords of Mivon"].share, lines["Swordlords of Mivon"].lost) == (True, 14)
    assert str(lines["Swordlords of Mivon"].text) == "engaged, 14% lost"
    assert "−14%" in text


def test_b18_lists_tell_it_so_as_well(river):
    text = river.as_(river.gm).get(f"/c/{river.campaign.pk}/armies/").content.decode()
    assert "92 / 100" not in text
    assert "In battle: Sellen bridge 86%" in " ".join(re.sub(r"<[^>]+>", " ", text).split())


def opened(river):
    sides = [{"name": "Drelev", "armies": [str(river.home.pk)]}, {"name": "Mivon", "armies": [str(river.raiders.pk)]}]
    Battle.objects.filter(pk=river.orbit.pk).delete()
    battle = open_battle(by=river.gm, campaign=river.campaign, name="Again", sides=sides, kind="fleet", medium="space")
    play(river, battle, Next())
    return battle


def test_b24_before_the_command_test_a_chief_is_asked_only_whether_his_side_withdraws(river):
    page = page_of(river.as_(river.dru), opened(river))
    form = page.context["card"].form
    assert list(form.fields) == ["withdraw"]
    assert str(form.fields["withdraw"].label) == "Withdraw before battle"


def test_bp41_the_verdict_of_a_command_test_says_who_strikes_first(river):
    strip = page_of(river.as_(river.gm), river.orbit).context["page"].strip
    assert [str(line.text) for line in strip.lines] == ["command test 10", "command test 11"]
    assert [str(line.word) for line in strip.lines] == ["all at once"] * 2
    spoken = page_of(river.as_(river.dru), river.orbit).context["page"].strip.own
    assert [str(sentence) for _army, sentence in spoken] == ["Home fleet: command test 10, all at once."]


def test_b17_who_strikes_first_and_who_is_surprised_stands_on_the_page(river):
    battle = opened(river)
    dice = [{"army": f"side-{side}", "roll": "command", "values": [face]} for side, face in ((0, 9), (1, 2))]
    data = {"type": "resolve", "dice": dice}
    play_request(river.gm, battle_now(battle), data)
    page = page_of(river.as_(river.miv), battle)
    assert [str(chip.text) for chip in card(page, river.home).chips] == ["strikes first"]
    assert [str(line.word) for line in page.context["page"].strip.lines] == ["strikes first", "surprised"]
    assert [str(chip.text) for chip in card(page, river.raiders).bodies[0].chips] == ["fresh", "surprised"]


def battle_now(battle):
    return Battle.objects.get(pk=battle.pk)


def test_why_a_battle_ended_is_said_once(river):
    play(river, river.bridge, End("They parley", 1))
    text = page_of(river.as_(river.gm), river.bridge).content.decode()
    assert "Victory on the field: Mivon.</h2>" in text
    assert "They parley." in text
    quiet = opened(river)
    play(river, quiet, *[Resolve()] * 3)
    now = play_battle_state.load_state(battle_now(quiet))
    outcome = play_battle_state.summarize(quiet, now).outcome
    assert (str(outcome.text), str(outcome.reason)) == (
        "No side holds the field.", "Two rounds without an attack: the battle ends in a draw.",
    )  # fmt: skip


def test_every_page_of_a_battle_is_there_for_all_at_the_table(river):
    """Armies of several bodies, of one body each, and of ships: each page for one after the other."""
    river.viewer = seat(river.gm, river.campaign, make_user("vie"), "viewer")
    over = opened(river)
    play(river, over, Resolve(), End("They parley", 1))
    for battle, pages in ((river.bridge, RUNNING), (over, (*RUNNING, "aftermath", "report"))):
        for name in pages:
            for who in READERS if name == "log" else by_turns(f"{battle.name} {name}", READERS):
                answer = river.as_(getattr(river, who)).get(reverse(f"battles:{name}", args=[battle.pk]))
                assert answer.status_code == 200, (who, name, battle.name)


READERS = ("gm", "dru", "miv", "viewer")
RUNNING = ("battle", "replay", "order_of_battle", "log", "log_text", "log_json", "log_luck")


def test_the_order_of_battle_has_a_row_a_body_with_its_own_boxes(river):
    page = river.as_(river.dru).get(reverse("battles:order_of_battle", args=[river.bridge.pk])).context["page"]
    own, theirs = page.sides
    assert [(str(row.army.about), row.army.health, row.army.brink) for row in own.rows] == [
        ("Contact group", 89, 30), ("Shooting group", 100, 50), ("Reserve, contact", 100, 10),
    ]  # fmt: skip
    assert [str(column) for column in own.columns] == ["Power", "Fire", "Combat", "Defense"]
    assert [(row.army.name, row.army.figures, row.army.words) for row in theirs.rows] == [
        ("Swordlords of Mivon", (), ()),
    ]  # fmt: skip


def test_b16_circumstances_are_none_on_a_side_that_is_added_and_in_a_battle_begun_elsewhere(river):
    """A select that was not sent begins with its own first value, not with the first of its list."""
    address = reverse("battles:battle_new", args=[river.campaign.pk])
    begun = {"add": "sides", "name": "The ford", "kind": "assault", "garrison": "80"}
    form = river.as_(river.gm).get(address, begun).context["form"]
    assert (form["kind"].value(), form["garrison"].value()) == ("assault", "80")
    assert [form[f"circumstances-{side}"].value() for side in ("one", "two", "three")] == [0, 0, 0]
    assert form["defender"].value() == "1"


@pytest.mark.parametrize(("language", "time"), [("en", "rounds of about 12 min"), ("fr", "séquences d’environ 12 min")])
def test_a_report_lists_the_conditions_with_one_colon(river, language, time):
    """Whatever is said of the field: of a side, of troops, of both."""
    body = next(iter(play_battle_state.load_state(river.bridge).bodies))
    marks = FieldMark("radio", side=0), FieldMark("circumstances", 2, side=1), FieldMark("cover", 1, body=body)
    play(river, river.bridge, *map(ChangeCondition, marks), End("They went home", 0))
    url, reader = reverse("battles:report", args=[river.bridge.pk]), river.as_(river.miv)
    page = reader.get(url, headers={"accept-language": language}).content.decode()
    told = " ".join(re.search(r"Conditions (?:of the field|du champ)[^.]*", page)[0].split())
    assert time in told
    assert "radio (" in told
    assert told.count(":") == 1
