"""The aftermath against a second computation from the law alone (C-6, TF-4.7, TF-9), of battles ended at random."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from rules.hexbattle.field import Ended
from rules.thucidide_fantasy.battle.aftermath import CampaignArmy, CampaignWorld
from rules.thucidide_fantasy.battle.law import FantasyBattles
from rules.thucidide_fantasy.documents import ContingentDocuments
from rules.thucidide_fantasy.figures import Tables, contingent_of
from rules.thucidide_fantasy.spec import House
from rules.thucidide_fantasy.starter import TROOPS
from tests.rules.thucidide_fantasy.fights import Loaded, opening

STANDS = {"pike": 4, "recruits": 3, "guard": 5, "dragon": 5, "skeletons": 4}
HEROES = ("Bo", "Kai", "Una")
BATTLES = 60
LEAVES = ("killed", "captured")


def drawn(random: Random) -> dict[str, Any]:
    """An army document."""
    people: list[dict[str, Any]] = [
        {"name": name, "kind": "hero", "armour": "light", "melee": 1, "resistance": random.randint(1, 4)}
        for name in HEROES[: random.randint(1, 3)]
    ]
    units: list[dict[str, Any]] = []
    for _unit in range(random.randint(1, 4)):
        unit: dict[str, Any] = {"type": random.choice(list(STANDS))}
        whole = random.choice((STANDS[unit["type"]], 2, 6))
        unit |= {"stands": whole} if whole != STANDS[unit["type"]] else {}
        unit |= {"lost": random.randint(1, whole - 1)} if random.random() < 0.5 else {}
        unit |= {"master": random.choice(("Bo", "commander"))} if unit["type"] == "skeletons" else {}
        units.append(unit)
    return {"units": units, "characters": people}


def ended(law: FantasyBattles, documents: dict[str, Any], random: Random) -> Any:
    """A battle of these two armies; stands are set, lost and gone at random."""
    docs = ContingentDocuments(law.tables, law.house)
    hosts = [
        contingent_of(id_, id_, side, docs.value_of(document),
                      commander=(f"c-{id_}", f"Chief {id_}", docs.commander_of({"rank": None, "resistance": 3})))
        for side, (id_, document) in enumerate(documents.items())
    ]  # fmt: skip
    state = law.open(opening(*hosts))
    for unit, own in tuple(state.units.items()):
        start = random.choice((own.start, own.start, random.randint(1, 7)))
        state = state.with_unit(unit, start=start, stands=random.choice((start, random.randint(1, start))))
    for person, who in tuple(state.people.items()):
        state = state.with_person(person, left=random.choice((who.start, random.randint(0, who.start))))
    field = state.field
    for piece in state.field.tokens:
        person = state.people.get(piece)
        out = person is not None and not person.left
        ways = ("destroyed",) if out else ("captured", "destroyed") if person else ("destroyed", "crumbled")
        if out or random.random() < 0.3:
            field = field.put(piece, at="", gone=random.choice(ways))
    winner = random.choice((0, 1, None))
    return state.but(field=replace(field, ended=Ended(winner, "enough-destroyed")))


def fates(state: Any, army: str, dice: Iterator[int]) -> dict[str, str]:
    """TF-4.7: of who lost resistance, in the order of T-66; whoever was captured is captured."""
    found = {}
    for one, person in state.people.items():
        token = state.token(one)
        lost = person.start - person.left
        if token.army != army:
            continue
        name = "*" if person.commander else token.name
        if token.gone == "captured":
            found[name] = "captured"
        elif lost:
            faces = [next(dice) for _stand in range(lost)]
            sixes, highest = faces.count(6), max(faces)
            found[name] = "wounded" if highest in (4, 5) else "escapes"
            if sixes:
                found[name] = "killed" if next(dice) > 6 - sixes else "captured"
        elif token.gone == "destroyed":
            found[name] = "killed"
    return found


def after(document: dict[str, Any], state: Any, army: str, survivors: int, told: dict[str, str]) -> dict[str, Any]:
    """C-6: what is left of a document; stands lost are those of the battle, whatever the GM had set before it."""
    won = state.field.ended.winner == state.field.armies[army]
    gone = {name for name, fate in told.items() if fate in LEAVES}
    units = [unit for unit in state.units if state.token(unit).army == army]
    left: list[dict[str, Any]] = []
    for written, unit in zip(document["units"], units, strict=True):
        whole = written.get("stands", STANDS[written["type"]])
        had, own = whole - written.get("lost", 0), state.units[unit]
        stays = max(1, had - (own.start - own.stands))
        if state.token(unit).gone:
            stays = min(had, survivors) if won else 0
        kept = {key: value for key, value in written.items() if key != "lost" and value not in gone}
        left += [{**kept, "lost": whole - stays} if stays < whole else kept] * bool(stays)
    return {"units": left, "characters": [one for one in document["characters"] if one["name"] not in gone]}


@pytest.mark.parametrize("first", range(0, BATTLES, 20))
def test_c_6_documents_and_fates_are_those_of_a_second_computation(first):
    assert {slug: TROOPS[slug].stands for slug in STANDS} == STANDS
    for seed in range(first, first + 20):
        random = Random(f"aftermath {seed}")
        house = House(survivors=random.choice((0, 1, 3)))
        law, docs = FantasyBattles(house), ContingentDocuments(Tables(), house)
        documents = {id_: docs.read(drawn(random)) for id_ in "ab"}
        state, rolled = ended(law, documents, random), Loaded(f"{seed}")
        armies = {id_: CampaignArmy(one, "ready", 0, 0) for id_, one in documents.items()}
        world = CampaignWorld(armies, docs.measure, {"c-a": "alive", "c-b": "alive"})
        sequel = law.aftermath(state, world, {}, rolled)
        found = {(change.subject_id, change.field): change.after for change in sequel.changes}
        dice = iter([roll.value for roll in rolled.rolled])
        for id_, document in documents.items():
            told = fates(state, id_, dice)
            left = after(document, state, id_, house.survivors, told)
            lost = state.field.ended.winner == 1 - state.field.armies[id_]
            status = "defeated" if not left["units"] else "routed" if lost else None
            assert found.get((id_, "status")) == status, seed
            if left["units"]:
                assert found.get((id_, "sheet"), document) == docs.read(left), seed
            chief = told.get("*", "")
            assert found.get((f"c-{id_}", "status")) == (chief if chief in LEAVES else None), seed
            own = [one for one in state.units if state.token(one).army == id_]
            stay = sum(0 if state.token(one).gone else state.units[one].stands for one in own)
            start = sum(state.units[one].start for one in own)
            assert law.tolls(state).armies[id_].lost == Fraction(start - stay, start), seed
        assert not list(dice), seed
