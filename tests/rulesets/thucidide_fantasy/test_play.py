"""THUCIDIDE fantasy played by page and API: activation by taps, refusals in words, questions, the GM's report, gods."""

from __future__ import annotations

import re
from fractions import Fraction
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlencode

import pytest
from django.test import Client as Browser

from armies.forces.services import raise_army
from battles.models import Battle
from tests.battles.conftest import Client
from tests.everyday import everyday
from tests.rulesets.browsing import Reader
from tests.rulesets.thucidide_fantasy import hosts
from tests.rulesets.thucidide_fantasy.test_secrecy import _free, conjured, face


class Evening:
    """A battle in which the GM puts everybody where a test needs them."""

    def __init__(self, table: Any, battle: Battle):
        self.table, self.battle = table, battle
        self.gm, self.ana, self.bo = (Client(getattr(table, who), battle) for who in ("gm", "ana", "bo"))

    @property
    def state(self) -> Any:
        return hosts.state_of(self.battle)

    def id(self, name: str, side: int | None = None) -> str:
        tokens = self.state.field.tokens.values()
        return next(token.id for token in tokens if str(token.name) == name and side in (None, token.side))

    def put(self, what: str, at: str) -> None:
        self.set(what, "at", at)

    def set(self, what: str, field: str, value: Any) -> None:
        self.gm.ok(type="override", what=what, field=field, value=value, reason="for a test")

    def activate(self, *names: str, leader: str = "Chief Realm", people: tuple[str, ...] = ()) -> None:
        units, characters = [self.id(name, 0) for name in names], [self.id(name, 0) for name in people]
        self.gm.ok(type="activate", leader=self.id(leader), units=units, characters=characters)

    def end(self, phases: int = 1) -> None:
        for _phase in range(phases):
            self.gm.ok(type="end_phase")

    def page(self, user: Any, query: str = "") -> str:
        browser = Browser()
        browser.force_login(user)
        answer = browser.get(f"/battles/{self.battle.pk}/{query}")
        assert answer.status_code == 200
        return answer.content.decode()

    def chosen(self, user: Any, **picks: str) -> Any:
        """What the button of the foot sends with these picks."""
        browser = Browser()
        browser.force_login(user)
        version = Battle.objects.get(pk=self.battle.pk).version
        kept = {f"look-{name}": value for name, value in picks.items()}
        told = {"type": "chosen", "version": version, **picks, **kept}
        return browser.post(f"/battles/{self.battle.pk}/command/", told, headers={"HX-Request": "true"})

    def answered(self, user: Any, **fields: Any) -> Any:
        """The answer to what is asked, as the page's form sends it."""
        browser = Browser()
        browser.force_login(user)
        asked = self.gm.read()["pending"][0]["key"]
        version = Battle.objects.get(pk=self.battle.pk).version
        answers = {f"answer-{name}": value for name, value in fields.items()}
        told = {"type": "answer", "version": version, "key": asked, **answers}
        return browser.post(f"/battles/{self.battle.pk}/command/", told, headers={"HX-Request": "true"})


@pytest.fixture
def evening(table, begun) -> Evening:
    return Evening(table, begun)


def refused(client: Client, words: str, **command: Any) -> None:
    """The API says why not."""
    answer = client.send(**command)
    assert answer.status_code in (400, 409), answer.content
    assert words in answer.content.decode()


def refused_both_ways(evening: Evening, user: Any, words: str, picks: dict[str, str], **command: Any) -> None:
    """TF-T 8: the API says why not, so does the page to which these picks lead, and so does its button."""
    refused(Client(user, evening.battle), words, **command)
    query = urlencode({name: value.split() for name, value in picks.items()}, doseq=True)
    assert words in unescape(evening.page(user, f"?{query}")), f"page: {words}"
    answer = evening.chosen(user, **picks)
    assert answer.status_code == 422
    assert words in unescape(answer.content.decode()), f"button: {words}"


def choices(client: Client, *picks: str) -> dict[str, dict[str, Any]]:
    query = "&".join(f"pick={pick}" for pick in picks)
    told = client.api.get(f"{client.url}?{query}").json()
    return {one["id"]: one for one in told["choices"]}


# Command


def test_a_leader_activates_whom_the_player_taps(evening):
    """TF-1.3: as many units as the activation holds, each with its price; one too far says so."""
    chief = evening.id("Chief Realm")
    units = [evening.id(name, 0) for name in ("Medium foot 1", "Medium foot 2", "Heavy foot 1", "Heavy foot 2")]
    evening.put(units[3], "A5")
    found = choices(evening.ana, chief)
    assert "more than 5 hexes" in found[units[3]]["why_not"]
    picks = [f"with:{unit}" for unit in units[:3]]
    full = choices(evening.ana, chief, "", "", *picks)
    assert "Units per activation this turn: at most 3" in full[evening.id("Pikes")]["why_not"]
    done = evening.chosen(evening.table.ana, unit=chief, pick=" ".join(picks))
    assert done.status_code == 200
    (made,) = evening.state.activations
    assert made.units == tuple(units[:3])


def test_two_characters_alone_are_free(evening):
    """TF-1.3: they take no unit's place."""
    kadrin = evening.id("Sir Kadrin")
    evening.put(kadrin, "B10")
    evening.activate("Medium foot 1", "Medium foot 2", "Heavy foot 2", people=("Sir Kadrin",))
    assert evening.state.people[kadrin].doing.free


def test_an_order_costs_its_counters_and_only_one_is_given(evening):
    """TF-1.13, TF-T 8."""
    pike = evening.id("Pikes")
    assert evening.chosen(evening.table.ana, unit=pike, pick="order:forced-march").status_code == 200
    assert evening.state.counters[0] == 3
    again = {"unit": pike, "pick": "order:courier"}
    refused_both_ways(
        evening,
        evening.table.ana,
        "A side can give one maneuver order per turn",
        again,
        type="order",
        kind="courier",
        unit=pike,
    )
    refused(evening.ana, "A side can give one maneuver order per turn", type="order", kind="reconnaissance")
    assert "A side can give one maneuver order per turn" in evening.page(evening.table.ana, f"?unit={pike}")


def test_a_woodsman_takes_as_many_difficult_hexes_as_are_paid(evening):
    pike = evening.id("Pikes")
    evening.chosen(evening.table.ana, unit=pike, pick="order:woodsman hexes:2")
    assert evening.state.units[pike].doing.woodsman == 2
    assert evening.state.counters[0] == 1


def test_the_last_step_is_taken_back_by_its_name(evening):
    evening.activate("Medium foot 1")
    assert "Undo the activation" in evening.page(evening.table.gm)
    evening.gm.ok(type="undo")
    assert evening.state.activations == ()


# Movement


def test_a_hex_is_tapped_and_the_unit_goes_there_its_character_stays(evening):
    """T-1: a character may stay where their unit leaves."""
    foot, chief = evening.id("Medium foot 1", 0), evening.id("Chief Realm")
    at = evening.state.at(foot)
    assert evening.state.at(chief) == at
    evening.activate("Medium foot 1")
    evening.end()
    step = next(one for one in choices(evening.ana, foot).values() if one["what"] == "hex" and one["cost"] == 1)
    evening.chosen(evening.table.ana, unit=foot, to=step["id"], pick=f"stay:{chief}")
    assert (evening.state.at(foot), evening.state.at(chief)) == (step["id"], at)


def test_tf_t_8_what_can_t_be_moved_is_refused(evening):
    """TF-T 8: landing on a friend; a second move."""
    foot, other = evening.id("Medium foot 1", 0), evening.id("Heavy foot 1", 0)
    evening.activate("Medium foot 1")
    evening.end()
    at = evening.state.at(other)
    refused_both_ways(evening, evening.table.ana, "reach", {"unit": foot, "to": at}, type="move", unit=foot, to=at)
    step = next(one for one in choices(evening.ana, foot).values() if one["what"] == "hex" and one["cost"] == 1)
    evening.ana.ok(type="move", unit=foot, to=step["id"])
    refused_both_ways(evening, evening.table.ana, "moved", {"unit": foot, "to": at}, type="move", unit=foot, to=at)
    refused_both_ways(
        evening, evening.table.ana, "activated", {"unit": other, "to": "H11"}, type="move", unit=other, to="H11"
    )


def test_a_flyer_carries_foot_by_two_taps_more(table):
    """T-8, T-89."""
    evening = Evening(table, hosts.begun(table))
    dragon, foot = evening.id("Vexar"), evening.id("Light foot")
    for what, at in ((dragon, "H6"), (foot, "I6")):
        evening.put(what, at)
    evening.end(3)
    evening.set(dragon, "activated", True)
    evening.end()
    picks = f"carry:{foot} down:H9"
    assert evening.chosen(table.bo, unit=dragon, to="H8", pick=picks).status_code == 200
    assert (evening.state.at(dragon), evening.state.at(foot)) == ("H8", "H9")


# Combat


def fighting(evening: Evening, *names: str) -> None:
    evening.activate(*names)
    evening.end(2)


def test_an_attack_shows_its_dice_their_chances_and_what_follows(evening):
    """TF-1.8, 1.11: the lines, exact chances, a riposte, heroes who fight first."""
    ours, ogres = evening.id("Heavy foot 1", 0), evening.id("Ogres")
    fighting(evening, "Heavy foot 1")
    evening.put(ours, "H8")
    evening.put(ogres, "H7")
    one = choices(evening.ana, ours)[ogres]
    assert sum(_fraction(piece["chance"]) for piece in one["outcomes"]) == 1
    assert one["throw"] == "5 dice", "the hero who is with them joins"
    page = evening.page(evening.table.ana, f"?unit={ours.rpartition(':')[2]}&target={ogres.rpartition(':')[2]}")
    assert "hitfaces" in page
    assert "#f-red" in page


def _fraction(text: str) -> Any:
    return Fraction(text)


def test_dice_are_typed_by_slug_or_number_and_drawn_in_the_log(evening):
    """TF-1.6."""
    ours, ogres = evening.id("Heavy foot 1", 0), evening.id("Ogres")
    fighting(evening, "Heavy foot 1")
    evening.put(ours, "H8")
    evening.put(ogres, "H7")
    evening.ana.ok(type="attack", unit=ours, target=ogres, dice=[face(ours, "attack", "red", "letter", 1, 2, "green")])
    assert evening.state.units[ogres].stands == 4
    assert evening.state.counters[0] == 6
    assert 'class="die fdie red typed"' in evening.page(evening.table.ana, "?rail=log")


def test_tf_t_8_ground_opens_no_melee_on_a_flyer_and_a_fleeing_unit_none(evening):
    """TF-T 8."""
    ours, dragon, ogres = evening.id("Heavy foot 1", 0), evening.id("Vexar"), evening.id("Ogres")
    fighting(evening, "Heavy foot 1")
    for what, at in ((ours, "H8"), (dragon, "H7"), (ogres, "G8")):
        evening.put(what, at)
    for foe, words in (
        (dragon, "Ground units can’t start a melee with a flyer"),
        (ogres, "A fleeing unit can’t start a melee"),
    ):
        picks = {"unit": ours, "target": foe, "pick": "melee"}
        refused_both_ways(evening, evening.table.ana, words, picks, type="attack", unit=ours, target=foe)
        assert foe not in choices(evening.ana, ours)
        evening.set(ours, "temper", "fleeing")


def test_tf_t_8_artillery_that_moved_doesn_t_move_again(table):
    """TF-T 8, TF-1.15."""
    sheet = table.realm.army.sheet
    sheet["units"].append({"type": "engine", "name": "Bombard"})
    table.realm.army.save()
    evening = Evening(table, hosts.begun(table))
    engine = evening.id("Bombard")
    evening.put(engine, "G12")
    evening.activate("Bombard")
    evening.end()
    evening.ana.ok(type="move", unit=engine, to="G11")
    refused_both_ways(
        evening, table.ana, "already moved", {"unit": engine, "to": "G12"}, type="move", unit=engine, to="G12"
    )


def test_a_caster_alone_flees_where_their_owner_taps(evening):
    """TF-4.5, T-9: the question stands on the board of whoever owns them."""
    ours, mage = evening.id("Heavy foot 1", 0), evening.id("Necromancer")
    fighting(evening, "Heavy foot 1")
    evening.put(ours, "H8")
    evening.put(mage, "H7")
    evening.ana.ok(type="attack", unit=ours, target=mage)
    assert evening.state.fight.asks == "flee"
    told = evening.bo.read()
    assert told["fight"] == {
        "attacker": mage, "target": None, "asks": "flee", "side": 1, "dice": None,
    } | {"attacker": told["fight"]["attacker"], "target": told["fight"]["target"]}  # fmt: skip
    hexes = [one["id"] for one in told["choices"] if one["what"] == "hex"]
    assert hexes
    assert 'class="go answer"' in evening.page(evening.table.bo)
    assert 'class="go answer"' not in evening.page(evening.table.ana)
    refused(evening.ana, "has to flee first", type="end_phase")
    assert evening.chosen(evening.table.bo, to=hexes[0]).status_code == 200
    assert evening.state.at(mage) == hexes[0]
    assert evening.state.fight is None


def test_riders_pursue_when_their_owner_says_so(evening):
    """TF-1.11."""
    riders, spider = evening.id("Medium riders", 0), evening.id("Ogres")
    bows = evening.id("Bows 1", 1)
    fighting(evening, "Medium riders")
    for what, at in ((riders, "H8"), (spider, "H7"), (bows, "H6")):
        evening.put(what, at)
    evening.set(spider, "stands", 1)
    evening.set("0", "counters", 1)
    evening.ana.ok(type="attack", unit=riders, target=spider, dice=[face(riders, "attack", "red", "red")])
    assert evening.state.fight.asks == "pursue"
    assert "No pursuit" in evening.page(evening.table.ana)
    assert evening.answered(evening.table.ana, target="none").status_code == 200
    assert evening.state.fight is None


def test_what_the_gm_reports_of_the_table_counts(table):
    """TF-1.17: nothing is rolled; stands, flags, hexes and counters are asked of the GM."""
    evening = Evening(table, hosts.begun(table, combat="table"))
    ours, ogres = evening.id("Heavy foot 1", 0), evening.id("Ogres")
    fighting(evening, "Heavy foot 1")
    evening.put(ours, "H8")
    evening.put(ogres, "H7")
    evening.ana.ok(type="attack", unit=ours, target=ogres)
    assert evening.state.fight.asks == "report"
    assert "Stands lost" in evening.page(table.gm)
    assert "Stands lost" not in evening.page(table.ana)
    assert evening.ana.send(type="report", stands=1, flags=0, hexes=0, counters=0).status_code in (403, 409)
    done = evening.answered(table.gm, stands="2", flags="1", hexes="1", counters="1")
    assert done.status_code == 200
    assert evening.state.units[ogres].stands == 3
    assert evening.state.at(ogres) != "H7"
    assert evening.state.counters[0] == 6


def test_a_whole_battle_is_reported_from_the_table(table):
    """TF-1.17: units fall by reports alone until a side has lost enough."""
    evening = Evening(table, hosts.begun(table, combat="table"))
    ours = [evening.id(name, 0) for name in ("Heavy foot 1", "Heavy foot 2", "Heavy foot 3", "Pikes")]
    theirs = [evening.id(name, 1) for name in ("Medium foot 1", "Medium foot 2", "Light foot", "Ogres")]
    evening.put(evening.id("Chief Realm"), "H9")
    for unit, foe, column in zip(ours, theirs, "EGIK", strict=True):
        evening.put(unit, f"{column}8")
        evening.put(foe, f"{column}7")
    for number in range(2):
        for unit in ours:
            evening.set(unit, "activated", True)
        evening.end(2)
        for unit, foe in list(zip(ours, theirs, strict=True))[2 * number : 2 * number + 2]:
            if evening.state.field.ended:
                break
            stands = evening.state.units[foe].stands
            evening.gm.ok(type="attack", unit=unit, target=foe)
            while stands > 0 and evening.state.fight:
                lost = min(stands, evening.state.fight.todo[0].throw.dice)
                evening.gm.ok(type="report", stands=lost, flags=0, hexes=0, counters=0)
                stands -= lost
            if evening.state.field.ended is None and not evening.state.token(foe).gone:
                evening.set(foe, "stands", 0)
        if evening.state.field.ended is None:
            evening.end(1)
            evening.end(3)
    assert evening.state.field.ended.winner == 0
    assert Reader(table.gm).status(f"/battles/{evening.battle.pk}/aftermath/") == 200


@pytest.mark.parametrize("by_page", everyday([True, False], first=1), ids=["page", "api"])
def test_tf_1_17_a_battle_is_reported_and_settled_to_the_confirmed_aftermath(table, by_page):
    """Stands, flags, hexes and counters are the GM's report, a riposte's too; nothing else decides it."""
    battle = hosts.opened(table, combat="table")
    gm = hosts.lined_up(table, battle)
    gm.ok(type="victory", side=0, number=1)
    gm.ok(type="start", dice=hosts.lot(table))
    evening = Evening(table, battle)

    def report(**told: int) -> None:
        if by_page:
            told_so = {name: str(number) for name, number in told.items()}
            assert evening.answered(table.gm, **told_so).status_code == 200
        else:
            gm.ok(type="report", **told)

    ours, other, foe = evening.id("Heavy foot 1", 0), evening.id("Pikes"), evening.id("Light foot")
    first, second = evening.id("Ogres"), evening.id("Medium foot 1", 1)
    fighting(evening, "Heavy foot 1", "Pikes")
    for what, at in ((ours, "H8"), (foe, "H7"), (other, "E8"), (first, "E7"), (second, "D7")):
        evening.put(what, at)
    evening.put(evening.id("Medium foot 2", 1), "F7")
    for unit, target in ((other, first), (ours, foe)):
        if by_page:
            assert evening.chosen(table.ana, unit=unit, target=target).status_code == 200
        else:
            evening.ana.ok(type="attack", unit=unit, target=target)
        if target == first:
            report(stands=1, flags=1, hexes=0, counters=2)
            assert evening.state.fight.todo[0].unit == first, "they strike back"
            report(stands=1, flags=0, hexes=0, counters=0)
    report(stands=4, flags=0, hexes=0, counters=0)
    assert (evening.state.field.ended.winner, evening.state.counters[0]) == (0, 7)
    assert [evening.state.units[one].stands for one in (first, other)] == [4, 3]
    version = Battle.objects.get(pk=battle.pk).version
    if by_page:
        told = {"do": "confirm", "version": version}
        assert Reader(table.gm).client.post(f"/battles/{battle.pk}/aftermath/", told).status_code == 302
    else:
        gm.ok(type="aftermath", confirm=True)
    assert Battle.objects.get(pk=battle.pk).status == "closed"
    table.dark.army.refresh_from_db()
    assert table.dark.army.status == "routed"
    lost = {unit["type"]: unit.get("lost", 0) for unit in table.dark.army.sheet["units"]}
    assert (lost.get("ogres"), "foot-light" in lost) == (1, False)


# Spells and gods


def casting(evening: Evening, *cards: str) -> str:
    """The court mage has these cards, is activated and announces; the spell phase has come."""
    mage = evening.id("Court mage")
    assert set(cards) <= set(evening.state.people[mage].cards)
    evening.gm.ok(type="activate", leader=None, units=[], characters=[mage])
    evening.end()
    evening.gm.ok(type="announce", caster=mage)
    evening.end(2)
    return mage


def near(evening: Evening, mage: str, far: int = 2) -> str:
    """A free hex so far from the mage."""
    ground, at = evening.state.field.ground, evening.state.at(mage)
    hexes = sorted(ground.within(at, far) - ground.within(at, far - 1))
    return next(one for one in hexes if not evening.state.field.at(one) and ground.terrain(one).on_foot)


def dealt(table: Any, *cards: str, **options: Any) -> Evening:
    """A battle that begins with these cards in the court mage's hand."""
    battle = hosts.opened(table, **options)
    gm = hosts.lined_up(table, battle)
    gm.ok(type="edit_unit", unit=hosts.unit(battle, "Court mage"), fields={"melee": 0})
    Client(table.ana, battle).ok(type="choose_cards", caster=hosts.unit(battle, "Court mage"), spells=list(cards))
    gm.ok(type="consent", side=1, on=True)
    gm.ok(type="start", dice=hosts.lot(table))
    return Evening(table, battle)


def test_a_spell_is_chosen_then_its_target_then_cast(table):
    """TF-6: cards, targets in range on the board, the card spent."""
    evening = dealt(table, "slowness", "armour")
    mage, ogres = casting(evening, "slowness"), evening.id("Ogres")
    at = near(evening, mage)
    evening.put(ogres, at)
    assert set(choices(evening.ana, mage)) == {"spell:slowness", "spell:armour", "decline"}
    aimed = choices(evening.ana, mage, "", "", "spell:slowness")
    assert [one for one, told in aimed.items() if told["what"] == "target"] == [ogres]
    done = evening.chosen(evening.table.ana, unit=mage, target=ogres, pick="spell:slowness")
    assert done.status_code == 200
    assert evening.state.people[mage].cards == ("armour",)
    effect = next(one for one in evening.ana.read()["effects"] if one["effect"] == "slowness")
    assert (effect["hex"], effect["left"]) == (at, 1)


def test_a_phantom_takes_a_hex_and_then_its_kind(table):
    """TF-6.3: what has several parts is chosen part by part."""
    evening = dealt(table, "phantom-troop")
    mage = casting(evening, "phantom-troop")
    at = near(evening, mage)
    told = choices(evening.ana, mage, "", at, "spell:phantom-troop")
    kinds = {one for one in told if one.startswith("aim:")}
    assert "aim:pike" in kinds
    assert evening.chosen(table.ana, unit=mage, target=at, pick="spell:phantom-troop aim:pike").status_code == 200
    (false,) = [one for one, own in evening.state.units.items() if own.false]
    assert evening.state.units[false].own.type == "pike"


def followed(evening: Evening, query: str, pattern: str) -> str:
    """The query of the first link of ana's page that matches."""
    page = unescape(evening.page(evening.table.ana, query))
    found = re.search(rf'href="(\?[^"]*{pattern})"', page)
    assert found, (pattern, re.findall(r'href="(\?unit[^"]*)"', page))
    return found[1]


def cast_as_picked(evening: Evening, query: str) -> Any:
    """What the page at this address would send."""
    picks = parse_qs(query.removeprefix("?"))
    named = {name: picks[name][0] for name in ("unit", "to", "target") if name in picks}
    return evening.chosen(evening.table.ana, **named, pick=" ".join(picks.get("pick", ())))


def test_what_runs_and_who_fell_is_told_on_the_board_and_beside_it(table):
    """T-36, T-11: turns left on counter and hex, graves; links to what they are on, which says what they do."""
    evening = dealt(table, "slowness", "shackles")
    mage, ogres = casting(evening, "slowness"), evening.id("Ogres")
    evening.put(ogres, near(evening, mage))
    evening.ana.ok(type="cast", caster=mage, spell="slowness", targets=[ogres])
    evening.end(4)
    fallen = evening.id("Medium riders", 0)
    grave = evening.state.at(fallen)
    evening.set(fallen, "stands", 0)
    evening.gm.ok(type="activate", leader=None, units=[], characters=[mage])
    evening.end()
    evening.gm.ok(type="announce", caster=mage)
    evening.end(2)
    at = near(evening, mage, 3)
    evening.ana.ok(type="cast", caster=mage, spell="shackles", targets=[at])
    effects = {one["effect"]: one for one in evening.bo.read()["effects"]}
    assert (effects["slowness"]["unit"], effects["shackles"]["unit"]) == (ogres, None)
    assert "1 fewer die" in effects["slowness"]["about"]
    page = unescape(evening.page(table.bo))
    short = ogres.rpartition(":")[2]
    timers = page.partition('class="sheet timers"')[2].partition("</section>")[0]
    assert re.search(rf'href="\?unit={short}".*?Slowness.*?1 turn left', timers, re.DOTALL)
    assert re.search(rf'href="\?hex={at}".*?Shackles.*?1 turn left', timers, re.DOTALL)
    assert re.search(rf'href="\?hex={grave}".*?Medium riders', timers, re.DOTALL)
    assert re.search(rf'class="fx-hex"[^>]*href="\?hex={at}"[^>]*aria-label="Shackles, 1 turn left"', page)
    assert re.search(rf'class="grave"[^>]*href="\?hex={grave}"', page)
    assert 'class="onbadge"' in page
    assert "moves 1 hex less" in evening.page(table.bo, f"?unit={short}")
    assert "at most 2 dice" in evening.page(table.bo, f"?hex={at}")
    assert "can be raised" in evening.page(table.bo, f"?hex={grave}")


def test_the_strip_draws_counters_and_units_destroyed(evening):
    """Coins, diamonds, and whom the side that acts has activated."""
    evening.activate("Medium foot 1")
    evening.set(evening.id("Light foot"), "stands", 0)
    page = evening.page(evening.table.bo)
    realm, dark = re.findall(r'<section class="force .*?</section>', page, re.DOTALL)
    assert (realm.count('<i class="disc"></i>'), dark.count('<i class="disc"></i>')) == (5, 5)
    assert (realm.count('class="on"'), dark.count('class="on"')) == (1, 0)
    assert f"unit={evening.id('Medium foot 1', 0).rpartition(':')[2]}" in realm
    assert "acting-row" not in dark


def test_t_98_a_phantoms_kind_is_chosen_by_links_alone(table):
    """T-98: the kind keeps the spell and the hex, another one takes its place."""
    evening = dealt(table, "phantom-troop")
    mage = casting(evening, "phantom-troop")
    at, short = near(evening, mage), mage.rpartition(":")[2]
    query = followed(evening, f"?unit={short}", "pick=spell:phantom-troop")
    aimed = evening.page(evening.table.ana, query)
    assert "<b>Choose the target of the spell.</b>" in aimed
    assert 'class="reticle aim"' in aimed
    query = followed(evening, query, f"target={at}&pick=spell:phantom-troop")
    for kind in ("pike", "foot-heavy"):
        query = followed(evening, query, f"pick=aim:{kind}")
    assert cast_as_picked(evening, query).status_code == 200
    (false,) = [one for one, own in evening.state.units.items() if own.false]
    assert (evening.state.units[false].own.type, evening.state.at(false)) == ("foot-heavy", at)


def test_t_76_the_hexes_of_an_element_are_tapped_one_by_one(table):
    """T-16, T-76, T-98: each tap takes a hex in or out; the same hexes by the API."""
    evening = dealt(table, "allied-nature")
    (first, second, third), free = wooded(evening)
    evening.put(evening.id("Court mage"), free)
    mage = casting(evening, "allied-nature")
    query = followed(evening, f"?unit={mage.rpartition(':')[2]}", "pick=spell:allied-nature")
    assert "Choose up to 7 adjacent hexes of the same terrain." in evening.page(table.ana, query)
    for at in (first, second, third):
        query = followed(evening, query, f"pick={at}")
    query = followed(evening, query, rf"pick=spell:allied-nature&pick={first}&pick={second}")
    told = choices(evening.ana, mage, "", "", "spell:allied-nature", first, second)
    assert told[third]["what"] == "target"
    assert cast_as_picked(evening, query).status_code == 200
    (timer,) = [one for one in evening.state.field.timers if one.effect == "allied-nature"]
    assert set(timer.on) == {first, second}


def wooded(evening: Evening) -> tuple[list[str], str]:
    """Three hexes of a wood on the realm's half, each beside the first, and a free hex beside that."""
    ground = evening.state.field.ground
    woods = [at for at in ground.labels if ground.terrain(at).slug == "wood"]
    for at in reversed(woods):
        around = ground.around(at)
        near = [one for one in around if one in woods]
        free = [one for one in around if ground.terrain(one).slug == "open" and not evening.state.field.at(one)]
        if len(near) > 1 and free:
            return [at, *near[:2]], free[0]
    raise LookupError(woods)


def test_t_98_a_chain_is_tapped_hex_by_hex(table):
    """TF-5.3, T-98: four empty hexes in a row; until then the button says what is missing."""
    evening = dealt(table, "army-of-the-dead")
    mage = casting(evening, "army-of-the-dead")
    short = mage.rpartition(":")[2]
    spell = "spell:army-of-the-dead"
    start = next(
        at for at in choices(evening.ana, mage, "", "", spell) if "fill" in choices(evening.ana, mage, spell, at)
    )
    query = followed(evening, f"?unit={short}&pick={spell}", f"pick={start}")
    page = evening.page(table.ana, query)
    assert "Choose 3 more adjacent hexes." in page
    assert "each next to the one before" in page
    assert cast_as_picked(evening, query).status_code == 422
    query = followed(evening, query, "pick=fill")
    assert evening.chosen(table.ana, unit=short, pick=" ".join(parse_qs(query[1:])["pick"])).status_code == 200
    raised = [one for one, own in evening.state.units.items() if own.summoned]
    assert len(raised) == 4
    assert start in {evening.state.at(one) for one in raised}


def test_tf_t_8_casting_beside_an_enemy_or_where_nothing_died(table):
    """TF-T 8: casting beside an enemy, after moving, 901 without a grave, an appeal without consent."""
    evening = dealt(table, "animate-dead", "slowness", "divine-appeal")
    mage, ogres = casting(evening), evening.id("Ogres")
    at = near(evening, mage)
    told = {"type": "cast", "caster": mage}
    picks = {"unit": mage, "target": at, "pick": f"spell:animate-dead aim:{ogres}"}
    refused_both_ways(
        evening,
        table.ana,
        "No unit that could return was destroyed on this hex",
        picks,
        **told,
        spell="animate-dead",
        targets=[at, ogres],
    )
    evening.put(ogres, near(evening, mage, 1))
    picks = {"unit": mage, "target": ogres, "pick": "spell:slowness"}
    words = "enemy is next to the caster"
    refused_both_ways(evening, table.ana, words, picks, **told, spell="slowness", targets=[ogres])
    assert mage not in evening.ana.read()["able"]
    evening.put(ogres, near(evening, mage))
    evening.set(mage, "fought", True)
    words = "moved or fought this turn can’t cast a spell"
    refused_both_ways(evening, table.ana, words, picks, **told, spell="slowness", targets=[ogres])


def test_tf_t_8_an_appeal_needs_consent(table):
    """TF-T 8, TF-7."""
    battle = hosts.opened(table)
    gm = hosts.lined_up(table, battle)
    mage = hosts.unit(battle, "Court mage")
    Client(table.ana, battle).ok(type="choose_cards", caster=mage, spells=["divine-appeal"])
    gm.ok(type="start", dice=hosts.lot(table))
    evening = Evening(table, battle)
    casting(evening, "divine-appeal")
    assert "spell:divine-appeal" not in choices(evening.ana, mage)
    picks = {"unit": mage, "pick": "spell:divine-appeal"}
    told = {"type": "cast", "caster": mage, "spell": "divine-appeal", "targets": []}
    refused_both_ways(evening, table.ana, "appeals to a god", picks, **told)


def test_ten_stands_come_back_where_the_owner_says(table):
    """TF-7, T-98: a form in the column, a number for each unit and a hex for those that are gone."""
    evening = dealt(table, "divine-appeal")
    foot, pike = evening.id("Heavy foot 1", 0), evening.id("Pikes")
    evening.set(foot, "stands", 1)
    evening.set(pike, "stands", 0)
    mage = casting(evening, "divine-appeal")
    dice = [face(mage, "divine", 6, 6), face(mage, "intervention", 1, 1)]
    evening.ana.ok(type="cast", caster=mage, spell="divine-appeal", targets=[], dice=dice)
    assert evening.state.fight.asks == "god"
    asked = {one["key"] for one in evening.ana.read()["pending"][0]["asks"]}
    assert {foot, pike, f"place:{pike}"} <= asked
    page = evening.page(table.ana)
    assert "Stands for Heavy foot 1" in page
    at = near(evening, mage)
    alone = evening.answered(table.ana, **{foot: "3", pike: "0", f"place:{pike}": "none"})
    assert alone.status_code == 200, "a unit that is gone may stay away"
    assert evening.state.token(pike).gone
    evening.gm.ok(type="undo")
    answer = evening.answered(table.ana, **{foot: "3", pike: "2", f"place:{pike}": at})
    assert answer.status_code == 200, answer.content.decode()[-2000:]
    assert evening.state.units[foot].stands == 4
    assert (evening.state.units[pike].stands, evening.state.at(pike)) == (2, at)


def test_a_die_is_thrown_again_by_whom_a_god_has_favoured(table):
    """T-34: the throw waits; who holds the die chooses one by tapping it, or lets them lie."""
    evening = dealt(table, "divine-appeal")
    mage = casting(evening, "divine-appeal")
    dice = [face(mage, "divine", 6, 6), face(mage, "intervention", 2, 3)]
    evening.ana.ok(type="cast", caster=mage, spell="divine-appeal", targets=[], dice=dice)
    evening.end()
    evening.end(3)
    ours, ogres = evening.id("Heavy foot 1", 0), evening.id("Ogres")
    evening.put(ours, "H8")
    evening.put(ogres, "H7")
    evening.activate("Heavy foot 1")
    evening.end(2)
    evening.ana.ok(
        type="attack", unit=ours, target=ogres, dice=[face(ours, "attack", "green", "green", "red", "green", "green")]
    )
    assert evening.state.fight.asks == "reroll"
    assert "Reroll none" in evening.page(table.ana)
    assert evening.state.units[ogres].stands == 5
    evening.gm.ok(type="undo")
    assert evening.state.fight is None
    faces = ("green", "green", "red", "green", "green")
    evening.ana.ok(type="attack", unit=ours, target=ogres, dice=[face(ours, "attack", *faces)])
    for again, stands in (("red", 3), ("green", 4)):
        assert evening.state.fight.asks == "reroll"
        assert "Reroll none" in evening.page(table.ana), "whoever opens the page anew is asked too"
        evening.ana.ok(type="reroll", roll="attack", index=0, dice=[face(ours, "attack", again)])
        assert evening.state.units[ogres].stands == stands
        evening.gm.ok(type="undo")
    assert evening.state.units[ogres].stands == 5


# Undead


def test_tf_t_8_undead_stay_within_four_hexes_of_their_master(evening):
    """TF-5.1, TF-T 8."""
    evening.end(3)
    bones, mage = evening.id("Bones"), evening.id("Necromancer")
    evening.put(mage, "H3")
    evening.put(bones, "H7")
    evening.set(bones, "activated", True)
    evening.end()
    picks = {"unit": bones, "to": "H8"}
    words = "stay within 4 hexes of their master"
    refused_both_ways(evening, evening.table.bo, words, picks, type="move", unit=bones, to="H8")
    assert "H8" not in choices(evening.bo, bones)
    assert "Distance from the undead’s master" in evening.page(evening.table.bo, f"?unit={bones.rpartition(':')[2]}")


# Setup


def test_a_side_is_lined_up_in_one_tap_and_says_that_it_is_ready(table, setting_up):
    evening = Evening(table, setting_up)
    page = f"/battles/{setting_up.pk}/"
    ana = Reader(table.ana)
    browser = ana.client
    browser.post(f"{page}command/", {"type": "line_up", "version": setting_up.version})
    state = evening.state
    assert all(token.at for token in state.field.of_side(0))
    assert all(not token.at for token in state.field.of_side(1))
    refused(evening.gm, "at least one army", type="line_up", armies=[])
    assert evening.ana.send(type="line_up", armies=[str(table.dark.army.pk)]).status_code == 403
    version = Battle.objects.get(pk=setting_up.pk).version
    assert evening.chosen(table.ana).status_code == 200
    assert Battle.objects.get(pk=setting_up.pk).version == version + 1
    assert evening.state.field.ready == frozenset({0})


def test_a_character_joins_a_unit_by_a_tap(table, setting_up):
    evening = Evening(table, setting_up)
    hosts.lined_up(table, setting_up)
    mage, pike = evening.id("Court mage"), evening.id("Pikes")
    assert evening.chosen(table.ana, unit=mage, pick=f"attach:{pike}").status_code == 200
    assert evening.state.at(mage) == evening.state.at(pike)


def test_the_gm_changes_leaders_and_points_in_the_battle_on_the_page(table, begun):
    """TF-9."""
    evening = Evening(table, begun)
    chief, mage = evening.id("Chief Realm"), evening.id("Court mage")
    for who, field, value in ((chief, "level", "great"), (chief, "resistance", "2"), (mage, "points", "3")):
        assert 'name="value"' in evening.page(table.gm, f"?rail=tools&do=override&army={who}&what={field}")
        told = {"type": "override", "version": Battle.objects.get(pk=begun.pk).version, "on": who, "field": field,
                "value": value, "reason": "the story"}  # fmt: skip
        answer = Reader(table.gm).client.post(f"/battles/{begun.pk}/command/", told)
        assert answer.status_code == 302, answer.content.decode()[-1500:]
    people = evening.state.people
    assert (people[chief].own.level, people[chief].own.hero, people[mage].points) == ("great", True, 3)
    evening.set(chief, "rank", "sub-general")
    assert evening.state.people[chief].rank == "sub-general"


def test_the_gm_sets_options_traits_generals_and_numbers(table, setting_up):
    """TF-HOUSE, TF-7, T-41, T-84."""
    evening = Evening(table, setting_up)
    gm = evening.gm
    gm.ok(type="option", name="combat", value="table")
    gm.ok(type="victory", side=0, number=2)
    gm.ok(type="grant", unit=evening.id("Pikes"), trait="invulnerable", object="A charm")
    gm.ok(type="name_general", army=str(table.dark.army.pk))
    told = gm.read()
    assert told["contingents"][0]["victory"] == 2
    pike = next(unit for unit in told["units"] if unit["name"] == "Pikes")
    assert {"trait": "invulnerable", "object": "A charm"} in pike["own"]["traits"]
    assert evening.state.options.combat == "table"
    chief = evening.id("Chief Realm")
    asked = {"type": "edit_unit", "version": Battle.objects.get(pk=setting_up.pk).version, "unit": chief}
    for field, value in (("points", "4"), ("resistance", "3"), ("rank", "")):
        assert 'name="value"' in evening.page(table.gm, f"?rail=tools&do=edit_unit&army={chief}&what={field}")
        answer = Reader(table.gm).client.post(
            f"/battles/{setting_up.pk}/command/", {**asked, "field": field, "value": value}
        )
        assert answer.status_code == 302, answer.content.decode()[-1500:]
        asked["version"] += 1
    own = evening.state.people[chief]
    assert (own.own.hero, own.own.casts, own.rank) == (True, True, "")
    granted = {"type": "grant", "version": asked["version"], "unit": evening.id("Pikes"),
               "deed": "trait:+hindrance"}  # fmt: skip
    answer = Reader(table.gm).client.post(f"/battles/{setting_up.pk}/command/", {**granted, "likes": ["pike"]})
    assert answer.status_code == 302, answer.content.decode()[-1500:]
    assert evening.state.units[evening.id("Pikes")].own.traits[-1].likes == ("pike",)
    page = evening.page(table.gm, "?rail=tools")
    for words in ("Rules of this battle…", "Generals…", "Victory numbers…", "Consent to divine appeals…", "Traits…"):
        assert words in page, words


def test_an_opening_asks_for_generals_and_options(table):
    """The page and the API, by the same names."""
    page = Reader(table.gm).markup(f"/c/{table.campaign.pk}/battles/new/")
    assert 'name="leader-one"' in page
    assert 'name="victory_share"' in page
    body = {"sides": [
        {"name": name, "armies": [str(army.pk)], "leader": str(army.pk)}
        for name, army in (("Realm", table.realm.army), ("Dark host", table.dark.army))
    ]}  # fmt: skip
    told = {"campaign": str(table.campaign.pk), "name": "Barrows", **body, "victory_share": "half", "appeals": "never"}
    wrong = {**told, "sides": [{**body["sides"][0], "leader": str(table.dark.army.pk)}, body["sides"][1]]}
    answer = Client(table.gm).api.post("/api/v1/battles/", wrong)
    assert answer.json()["errors"][0]["pointer"] == "/sides/0/leader"
    answer = Client(table.gm).api.post("/api/v1/battles/", told)
    assert answer.status_code == 201, answer.content
    state = hosts.state_of(Battle.objects.get(pk=answer.json()["id"]))
    assert (state.options.victory_share, state.options.appeals) == ("half", "never")


# The GM's hand


def test_the_gm_sets_states_by_hand(evening):
    evening.set("1", "counters", 9)
    evening.set(evening.id("Sir Kadrin"), "left", 1)
    assert evening.gm.read()["contingents"][1]["counters"] == 9
    for query in ("?rail=tools&do=override&army=1&what=counters",
                  f"?rail=tools&do=override&army={evening.id('Vexar')}&what=stands",
                  f"?rail=tools&do=override&army={evening.id('Sir Kadrin')}&what=left"):  # fmt: skip
        assert 'name="value"' in evening.page(evening.table.gm, query), query


def test_an_army_joins_and_enters_on_its_base_line(table, evening):
    """T-97."""
    more = raise_army(by=table.gm, kingdom=table.realm.kingdom, name="Late riders", sheet={"units": [
        {"type": "riders-heavy", "name": "Lances"}]})  # fmt: skip
    evening.gm.ok(type="reinforce", army=str(more.pk), side=0)
    lances = evening.id("Lances")
    assert lances in evening.ana.read()["able"]
    refused(evening.ana, "base line", type="place", unit=lances, at="H8")
    assert evening.chosen(table.ana, unit=lances, to="A14").status_code == 200
    assert evening.state.at(lances) == "A14"


# The aftermath


def test_an_aftermath_with_fates_is_read_by_everybody_undone_and_confirmed_again(table, evening):
    """TF-4.7, C-6: dice of a character are the army's; whoever may read the army reads them."""
    kadrin = evening.id("Sir Kadrin")
    evening.set(kadrin, "left", 2)
    evening.gm.ok(type="end", winner=0, reason="Night falls")
    address = f"/battles/{evening.battle.pk}/"
    gm = Reader(table.gm)
    for _time in range(2):
        version = Battle.objects.get(pk=evening.battle.pk).version
        told = {"do": "confirm", "version": version}
        assert gm.client.post(f"{address}aftermath/", told).status_code == 302
        assert Battle.objects.get(pk=evening.battle.pk).status == "closed"
        for user in (table.gm, table.ana, table.bo, table.viewer):
            assert Reader(user).status(f"{address}aftermath/") == 200
        told = {"type": "undo", "version": version + 1}
        gm.client.post(f"{address}command/", told)
        assert Battle.objects.get(pk=evening.battle.pk).status == "aftermath"


def test_the_order_of_battle_is_printed_by_side_with_what_its_reader_knows(table):
    """TF-9, T-43: stands left; a phantom is a unit like any other to the enemy; hexes of the enemy after setup."""
    battle, _gm = conjured(table, "phantom-troop", lambda battle: [_free(battle), "foot-medium"])
    (false,) = [one for one, own in hosts.state_of(battle).units.items() if own.false]
    at = hosts.state_of(battle).at(false)
    sheets = {who: Reader(getattr(table, who)).markup(f"/battles/{battle.pk}/order-of-battle/")
              for who in ("gm", "ana", "bo", "viewer")}  # fmt: skip
    for who, markup in sheets.items():
        assert f"<td>{at}</td>" in markup, who
        assert "4 of 4 left" in markup, who
        assert ("phantom" in markup.casefold()) is (who in ("gm", "bo")), who
        assert [f"{side}: Units" in markup for side in hosts.SIDES] == [True, True], who


def test_tf_t_1_a_target_that_is_picked_tells_the_chances_of_its_dice(evening):
    """Three dice on medium troops: no loss to three of 216."""
    ours, ogres = evening.id("Heavy foot 2", 0), evening.id("Ogres")
    fighting(evening, "Heavy foot 2")
    foe = evening.id("Medium foot 1", 1)
    for what, at in ((ours, "H8"), (foe, "H7"), (ogres, "A1")):
        evening.put(what, at)
    one = choices(evening.ana, ours)[foe]
    dice = int(one["throw"].partition(" ")[0])
    found = [Fraction(piece["chance"]) for piece in one["outcomes"]]
    assert dice == 3, one["throw"]
    assert found[:4] == [Fraction(count, 216) for count in (64, 96, 48, 8)]
