"""What is stored reads back as it was, word for word and type for type."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battles.codec import storage
from battles.models import Battle, BattleRecord
from battles.play import battle_state as play_battle_state
from rules.core.breakdown import Line
from rules.core.dice import Roll
from rules.core.errors import InvalidInput
from rules.core.text import Message, Term, say
from rules.hexes.geometry import Hex
from rules.law import Veiled
from rules.pathfinder.battle.orders.commands import Command, GiveOrder
from rules.pathfinder.battle.state.battle_state import KEEP, Opening, Order
from rules.pathfinder.battle.state.events import Attacked, Event
from rules.registry import ruleset
from tests.everyday import at_most

KEEPER = storage.get_keeper(ruleset("combat-de-masse").battle)

words = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12)
terms = words.map(Term)
params = st.dictionaries(words, st.one_of(terms, words, st.integers()), max_size=3)
messages = st.builds(
    Message, terms, st.one_of(params, st.dictionaries(words, st.builds(Message, terms, params), max_size=2))
)
numbers = st.integers(-(2**53), 2**53)

st.register_type_strategy(str, words)
st.register_type_strategy(int, numbers)
st.register_type_strategy(Veiled, numbers)  # type: ignore[arg-type]
st.register_type_strategy(float, st.one_of(numbers, st.sampled_from((4.5, 10.5, 13.5))))
st.register_type_strategy(Term, terms)
st.register_type_strategy(Message, messages)
st.register_type_strategy(object, st.one_of(words, st.booleans(), st.lists(words, max_size=2)))
st.register_type_strategy(Mapping, lambda kind: st.dictionaries(*map(st.from_type, get_args(kind)), max_size=3))
st.register_type_strategy(Line, st.builds(Line, st.one_of(terms, messages), numbers, words))

EVENTS = get_args(Event.__value__)
COMMANDS = get_args(Command.__value__)


def through_json(data: Any) -> Any:
    return json.loads(json.dumps(data, allow_nan=False))


def alike(left: Any, right: Any) -> bool:
    """Equal, and of the same types all the way down (a NamedTuple equals any tuple)."""
    return left == right and repr(left) == repr(right)


@given(st.one_of([st.from_type(kind) for kind in EVENTS]))
def test_events_read_back_as_they_were(event):
    (back,) = KEEPER.load_events(through_json(KEEPER.dump_events([event])))
    assert type(back) is type(event)
    assert alike(back, event)


def test_no_figure_of_an_event_is_written_down_as_kept_from_anybody(demonstration):
    """None stands in what a reader witnesses alone: no document may bring it in."""
    kept = next(event for record in BattleRecord.objects.all() for event in record.events if event["is"] == "Attacked")
    for name in ("check", "against", "damage", "hp_after"):
        with pytest.raises(Exception, match="Attacked"):
            KEEPER.load_events([{**kept, name: None}])


@given(st.one_of([st.from_type(kind) for kind in COMMANDS]))
def test_commands_read_back_as_they_were(command):
    back = KEEPER.load_command(through_json(KEEPER.dump_command(command)))
    assert type(back) is type(command)
    assert alike(back, command)


@settings(max_examples=at_most(6, full=400))
@given(st.from_type(Opening))
def test_openings_read_back_as_they_were(opening):
    assert alike(KEEPER.load_opening(through_json(KEEPER.dump_opening(opening))), opening)


@given(st.lists(st.from_type(Roll), max_size=4))
def test_dice_read_back_as_they_were(rolls):
    assert alike(storage.load_dice(through_json(storage.dump_dice(rolls))), tuple(rolls))


def test_a_hex_is_stored_as_its_label_as_a_value_and_as_a_key():
    converter = storage.build_converter()
    kind = Mapping[Hex, tuple[Hex, ...]]
    told = {Hex(-1, 6): (Hex(0, 0),)}
    kept = through_json(converter.unstructure(told, kind))
    assert kept == {"C7": ["A1"]}
    assert converter.structure(kept, kind) == told
    assert through_json(converter.unstructure({Hex(-1, 6)}, frozenset[Hex])) == ["C7"]
    with pytest.raises(InvalidInput, match="isn’t a hex"):
        converter.structure("7C", Hex)


def test_an_order_that_leaves_the_target_alone_is_no_order_to_hold():
    kept, held = GiveOrder(Order("a", target=KEEP)), GiveOrder(Order("a", target=None))
    assert "\0" not in json.dumps(KEEPER.dump_command(kept))
    assert KEEPER.load_command(through_json(KEEPER.dump_command(kept))) == kept
    assert KEEPER.load_command(through_json(KEEPER.dump_command(held))) == held
    assert KEEPER.dump_command(kept) != KEEPER.dump_command(held)


def test_labels_keep_their_words_for_every_language():
    label = say(Term("{army}: {what}"), army="Ironwatch", what=say(Term("worn {by}"), by=Term("siege engines")))
    event = Attacked("a", "b", "attack", "melee", (), 1, 2, (Line(label, 3, "PF-4"),), (), (), 0, 0, 1, 1)
    (back,) = KEEPER.load_events(through_json(KEEPER.dump_events([event])))
    assert str(back.om[0].label) == "Ironwatch: worn siege engines"
    assert isinstance(back.om[0].label.params["what"].params["by"], Term)


def test_a_played_battle_is_the_fold_of_what_is_stored(demonstration):
    for battle in Battle.objects.all():
        state = play_battle_state.refold(battle)
        assert battle.state == through_json(play_battle_state.summarize_for_lists(battle, state))
        assert battle.status == play_battle_state.summarize(battle, state).status
        assert play_battle_state.load_state(battle) == state
        assert KEEPER.dump_opening(KEEPER.load_opening(battle.opening)) == battle.opening


def test_stored_commands_and_events_dump_to_what_is_stored(demonstration):
    for record in BattleRecord.objects.all():
        assert KEEPER.dump_events(KEEPER.load_events(record.events)) == record.events
        assert storage.dump_dice(storage.load_dice(record.dice)) == record.dice
        assert KEEPER.dump_command(KEEPER.load_command(record.command)).items() <= record.command.items()
