"""WC-T 9 at the table: what is refused is refused in words, by the page and by the API, and nothing happens."""

from __future__ import annotations

from collections.abc import Callable
from html import unescape
from typing import Any, NamedTuple

import pytest

from battles.models import Battle
from core.text import render
from tests.battles.conftest import Client
from tests.rulesets.wing_command.test_play import chosen, page_of, to_action
from tests.rulesets.wing_command.test_secrecy import face, wing

CHIEF, SECOND, MAGE, CHAMPION = "Chief C1", "Chief C2", "Mirel", "Kadrin"


class Scene:
    """A battle in its command phase. `set` puts a state by hand, `id` names a unit of the crown or else anyone's."""

    def __init__(self, table: Any, battle: Battle):
        self.table, self.battle = table, battle
        self.gm, self.ana = Client(table.gm, battle), Client(table.ana, battle)
        self.units = self.gm.read()["units"]

    def id(self, name: str, number: int | None = None) -> str:
        """`number`: of the crown's wing it is in."""
        found = [one for one in self.units if one["name"] == name]
        if number is not None:
            found = [one for one in found if one["own"]["wing"] == wing(self.table, "crown", number)]
        return str(found[0]["unit"])

    def set(self, unit: str, **values: Any) -> None:
        for field, value in values.items():
            self.gm.ok(type="override", what=unit, field=field, value=value, reason="for the test")

    def act(self, number: int, order: str = "attack") -> None:
        """To the action phase; this wing of the crown acts."""
        to_action(self.gm)
        self.set(wing(self.table, "crown", number), order=order)
        self.ana.ok(type="take_wing", wing=wing(self.table, "crown", number))


class Attempt(NamedTuple):
    """What is sent to the API, and what is picked on the page; `words` stand in both answers."""

    command: dict[str, Any]
    picks: dict[str, str]
    words: str


def changing_retreat(now: Scene) -> Attempt:
    now.set(wing(now.table, "crown", 1), order="retreat")
    chief = now.id(SECOND)
    return Attempt({"type": "change_order", "character": chief, "order": "hold"},
                   {"unit": chief, "pick": "change_order:hold"}, "can’t replace an order to retreat")  # fmt: skip


def orders_by_a_chaotic_character(now: Scene) -> Attempt:
    chief = now.id(CHIEF)
    now.set(chief, profile="chaotic")
    return Attempt({"type": "distribute", "character": chief}, {"unit": chief, "pick": "distribute"},
                   "Chaotic characters can’t give orders")  # fmt: skip


def an_order_to_a_chaotic_troop(now: Scene) -> Attempt:
    chief, foot = now.id(CHIEF), now.id("Foot 1", 0)
    now.set(foot, profile="chaotic")
    now.ana.ok(type="distribute", character=chief, dice=[face(chief, "points", 6)])
    return Attempt({"type": "give_order", "unit": foot}, {"unit": chief, "target": foot},
                   "Chaotic units can’t take special orders")  # fmt: skip


def a_spell_beside_an_enemy(now: Scene) -> Attempt:
    mage = now.id(MAGE)
    now.set(mage, at="B8")
    now.set(now.id("Levy 1"), at="B7")
    return Attempt({"type": "choose_spell", "character": mage, "spell": "firebolt"},
                   {"unit": mage, "pick": "choose_spell:firebolt"}, "An enemy is next to the caster")  # fmt: skip


def a_spell_in_a_stack(now: Scene) -> Attempt:
    mage, foot = now.id(MAGE), now.id("Foot 1", 0)
    now.set(foot, at="B9")
    now.set(mage, at="B9")
    return Attempt({"type": "choose_spell", "character": mage, "spell": "firebolt"},
                   {"unit": mage, "pick": "choose_spell:firebolt"}, "alone in the hex")  # fmt: skip


def casting_before_choosing(now: Scene) -> Attempt:
    mage = now.id(MAGE)
    return Attempt({"type": "cast", "character": mage}, {"unit": mage, "pick": "cast"}, "Choose a spell first")


def a_second_deed_in_a_turn(now: Scene) -> Attempt:
    mage = now.id(MAGE)
    now.set(mage, at="B9")
    now.ana.ok(type="choose_spell", character=mage, spell="firebolt")
    return Attempt({"type": "cast", "character": mage}, {"unit": mage, "pick": "cast"}, "already acted this turn")


def _duellists(now: Scene) -> tuple[str, str]:
    """The crown's second chief with foot, the horde's champion with foot, in hexes that touch."""
    chief, foe = now.id(SECOND), now.id("Brakk")
    now.set(now.id("Foot 1", 1), at="H8")
    now.set(chief, at="H8")
    now.set(now.id("Levy 1"), at="H7")
    now.set(foe, at="H7")
    now.act(1)
    return chief, foe


def a_duel_by_a_shaken_character(now: Scene) -> Attempt:
    chief, foe = _duellists(now)
    now.set(chief, morale=1)
    return Attempt({"type": "duel", "character": chief, "target": foe},
                   {"unit": chief, "target": foe, "pick": "duel-melee"},
                   "Shaken and routed characters can’t fight duels")  # fmt: skip


def a_duel_of_small_ones_without_a_large_unit(now: Scene) -> Attempt:
    chief, foe = _duellists(now)
    return Attempt({"type": "duel", "character": chief, "target": foe},
                   {"unit": chief, "target": foe, "pick": "duel-melee"}, "with a large unit")  # fmt: skip


def moving_two_hexes_under_hold(now: Scene) -> Attempt:
    now.act(1, "hold")
    foot = now.id("Foot 1", 1)
    now.set(foot, at="H10")
    return Attempt({"type": "act", "unit": foot, "to": "H8"}, {"unit": foot, "to": "H8"}, "at most 1 hex")


def shooting_while_engaged(now: Scene) -> Attempt:
    archers, foe = now.id("Archers", 0), now.id("Levy 1")
    now.set(archers, at="H8")
    now.set(foe, at="H7")
    now.act(0)
    attack = {"target": foe, "how": "melee"}
    now.ana.ok(type="act", unit=archers, attack=attack, dice=[face(archers, "melee", 3, 3)])
    assert foe in {one["unit"] for one in now.gm.read()["units"]}
    now.set(archers, acted=False)
    return Attempt({"type": "act", "unit": archers, "attack": {**attack, "how": "missile"}},
                   {"unit": archers, "target": foe, "pick": "missile"}, "Engaged units can’t shoot")  # fmt: skip


def a_charge_when_exhausted(now: Scene) -> Attempt:
    riders, foe = now.id("Riders 1", 2), now.id("Levy 1")
    now.set(riders, at="H11", fatigue=2)
    now.set(foe, at="H8")
    now.act(2)
    attack = {"target": foe, "how": "melee"}
    return Attempt({"type": "act", "unit": riders, "to": "H9", "attack": attack, "charge": True},
                   {"unit": riders, "to": "H9", "target": foe, "pick": "charge:yes"}, "can’t charge")  # fmt: skip


SCENES: list[Callable[[Scene], Attempt]] = [
    changing_retreat, orders_by_a_chaotic_character, an_order_to_a_chaotic_troop, a_spell_beside_an_enemy,
    a_spell_in_a_stack, a_duel_by_a_shaken_character, a_duel_of_small_ones_without_a_large_unit,
    casting_before_choosing, a_second_deed_in_a_turn, moving_two_hexes_under_hold, shooting_while_engaged,
    a_charge_when_exhausted,
]  # fmt: skip


@pytest.fixture
def scene(table, begun) -> Scene:
    return Scene(table, begun)


def refuse_by_api(scene: Scene, tried: Attempt) -> None:
    before = Battle.objects.get(pk=scene.battle.pk).version
    answer = scene.ana.send(**tried.command)
    assert answer.status_code == 409, answer.content
    assert tried.words in answer.json()["detail"]
    assert Battle.objects.get(pk=scene.battle.pk).version == before


@pytest.mark.parametrize("build", SCENES[:-1], ids=lambda build: build.__name__)
def test_wc_t_9_is_refused_in_words_by_the_api_and_by_the_page(scene, build):
    """The reason stands with what was picked; what is sent all the same is refused with it, too."""
    tried = build(scene)
    refuse_by_api(scene, tried)
    query = "&".join(f"{name}={value}" for name, value in tried.picks.items())
    shown = page_of(scene.table.ana, scene.battle, f"?{query}").content.decode()
    assert plain(tried.words) in plain(shown)
    before = Battle.objects.get(pk=scene.battle.pk).version
    answer = chosen(scene.table.ana, scene.battle, **tried.picks)
    assert answer.status_code == 422
    assert plain(tried.words) in plain(answer.content.decode())
    assert Battle.objects.get(pk=scene.battle.pk).version == before


def test_wc_t_9_the_page_offers_no_charge_to_who_is_exhausted_and_the_api_refuses_it(scene):
    tried = a_charge_when_exhausted(scene)
    refuse_by_api(scene, tried)
    query = "&".join(f"{name}={value}" for name, value in tried.picks.items() if name != "pick")
    confirm = page_of(scene.table.ana, scene.battle, f"?{query}").context["page"].law_field.legal.confirm
    assert render(confirm.button) == "Attack Levy 1"
    assert confirm.command.charge is None


def plain(markup: str) -> str:
    return unescape(markup).replace("’", "'")


def _missile_duel(now: Scene) -> tuple[str, str]:
    """A character who shoots, alone and not engaged; a small one stands with trolls."""
    shooter, foe = now.id(CHAMPION), now.id("Brakk")
    now.set(shooter, at="B11", shot=3, range=4)
    now.set(now.id("Trolls"), at="B9")
    now.set(foe, at="B9")
    now.act(1)
    return shooter, foe


@pytest.mark.parametrize("by", ["api", "page"])
def test_wc_t_9_a_missile_duel_by_a_character_alone_at_a_small_one_on_trolls_is_accepted(scene, by):
    shooter, foe = _missile_duel(scene)
    if by == "api":
        scene.ana.ok(type="duel", character=shooter, target=foe, how="missile")
    else:
        answer = chosen(scene.table.ana, scene.battle, unit=shooter, target=foe, pick="duel-missile")
        assert answer.status_code == 200, answer.content.decode()[:500]
    told = scene.gm.api.get(f"{scene.gm.url}events/").json()["results"]
    assert any("duel" in event["type"] for event in told)
