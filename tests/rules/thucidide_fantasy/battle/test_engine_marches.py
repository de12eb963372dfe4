"""The engine player's marches: it goes to meet an enemy however far away they are."""

from tests.rules.thucidide_fantasy.fights import army, begun, open_ground, played


def test_it_marches_against_an_enemy_farther_than_eight_hexes():
    state = begun(army("a", 0, "foot-light", "bows"), army("b", 1, "foot-light", "bows"), map_=open_ground(11, 20))
    start = {unit: state.at(unit) for unit in state.units}
    over, _commands, _events = played(state, "far")
    assert any(over.at(unit) != at for unit, at in start.items())
    assert any(unit.stands < unit.start for unit in over.units.values()), "they meet"
