"""Legal commands of the command phase: characters' commands, special orders with prices, spells and targets."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rules.battle_law import Selection
from rules.core.breakdown import Breakdown
from rules.core.odds import whole_percent
from rules.core.text import Said, Term, _, in_percent, say, signed
from rules.core.viewers import Viewer
from rules.hexbattle.board import Act, BoardLegal, Confirm, Ring, Target, name_side, picks_of
from rules.hexbattle.common import army_of
from rules.hexbattle.field import by_name, commands
from rules.wing_command.battle import command, spells, turn
from rules.wing_command.battle.combat import Setting
from rules.wing_command.battle.command import TRANCHE, command_test, costs_from
from rules.wing_command.battle.legal.pieces import (
    ORDER_GLYPHS,
    confirm,
    deed_of,
    first_of,
    standing,
    target_of,
)
from rules.wing_command.battle.movement import ON_FOOT
from rules.wing_command.battle.record import commands as c
from rules.wing_command.battle.record.state import HostState
from rules.wing_command.spec import MISSILE
from rules.wing_command.starter import ORDERS, SPELLS

SLUGS = (
    "distribute", "give_order", "end_distribution", "change_order", "take_command", "resign", "choose_spell", "cast",
    "aim", "pass",
)  # fmt: skip
RINGS = 4
COMMAND_DISTANCE = _("Command distance: +1 beyond each line")


def legal_command(state: HostState, viewer: Viewer, selection: Selection) -> BoardLegal:
    """Legal commands of a viewer in the command phase, given their picks."""
    if state.aiming:
        return _aiming(state, viewer, selection)
    if state.distribution:
        return _distributing(state, viewer, selection)
    able = tuple(
        token.id for token in by_name(state.token(unit) for unit in turn.commanders(state, state.side))
        if commands(viewer, token)
    )  # fmt: skip
    picked = selection[0] if selection and selection[0] in able else ""
    if not picked:
        passes = _passing(state, viewer, able)
        return BoardLegal(SLUGS if able or passes else (), able=able, confirm=passes, turn=bool(able))
    acts = tuple(deeds_of(state, picked))
    chosen = deed_of(selection)
    act = next((act for act in acts if act.slug == chosen and act.why_not is None), None)
    return BoardLegal(
        SLUGS, standing(picked, more=(chosen,) if act else ()), able, acts=acts, rings=tuple(rings_of(state, picked)),
        confirm=_confirm(state, picked, act)._replace(button=act.label) if act else None, turn=True,
    )  # fmt: skip


def _passing(state: HostState, viewer: Viewer, able: tuple[str, ...]) -> Confirm | None:
    """The button to pass for the side, for whoever commands the army leader or the last characters."""
    chief = state.leaders[state.side]
    last = turn.commanders(state, state.side)
    may = viewer.gm or (chief and viewer.commands(army_of(chief))) or (able and set(last) <= set(able))
    side = state.opening.sides[state.side]
    title = say(_("Choose a character, or pass for {side}"), side=side)
    return Confirm(c.PassCommand(state.side), title, name_side(say(_("Pass")), side, viewer)) if may else None


# Commands of one character


def deeds_of(state: HostState, character: str) -> Iterator[Act]:
    """The commands of WC-6 for a character, each with its chance or why not; impossible ones last."""
    yield from sorted(_every_deed(state, character), key=lambda act: act.why_not is not None)


def _every_deed(state: HostState, character: str) -> Iterator[Act]:
    why = turn.deeds(state, character)
    own = state.units[character]
    if own.own.art:
        yield from _magic(state, character, why["choose_spell"], why["cast"])
    ability = command.reduced_ability(state, character)
    note = say(_("Command ability {ability}"), ability=ability) if ability else say(_("1 point, no roll"))
    yield Act("distribute", _("Give special orders"), "g-trumpet", note, why["distribute"])
    wing = state.led_by(character)
    if wing is not None:
        chance = _chance(command_test(state, character, wing).chance)
        for slug, order in ORDERS.items():
            label = say(_("New order: {order}"), order=order.name)
            yield Act(f"change_order:{slug}", label, ORDER_GLYPHS[slug], chance, why["change_order"])
        yield Act("resign", _("Give up command"), "g-flag", chance, why["resign"])
    for other in state.wings_of(state.side_of(character)):
        if not other.leader and wing is None:
            chance = _chance(command_test(state, character, other).chance)
            label = say(_("Take command of {wing}"), wing=other.name)
            yield Act(f"take_command:{other.id}", label, "g-crown", chance, why["take_command"])


def _magic(state: HostState, character: str, not_choose: Said | None, not_cast: Said | None) -> Iterator[Act]:
    prepared = state.units[character].spell
    if prepared:
        chance = _chance(spells.casting_test(state, character, prepared).chance)
        yield Act("cast", say(_("Cast {spell}"), spell=SPELLS[prepared].name), "g-swirl", chance, not_cast)
    for spell in spells.known_spells(state, character):
        chance = _chance(spells.casting_test(state, character, spell.slug).chance)
        yield Act(
            f"choose_spell:{spell.slug}", say(_("Prepare {spell}"), spell=spell.name), "g-cards", chance, not_choose
        )


def _chance(chance: Fraction) -> Said:
    return in_percent(whole_percent(chance))


def _confirm(state: HostState, character: str, act: Act) -> Confirm:
    kind, _colon, what = act.slug.partition(":")
    match kind:
        case "distribute":
            return confirm(c.Distribute(character), _named(state, character, act), throws=True)
        case "change_order":
            return confirm(c.ChangeOrder(character, what), _named(state, character, act), throws=True)
        case "take_command":
            return confirm(c.TakeCommand(character, what), _named(state, character, act), throws=True)
        case "resign":
            return confirm(c.Resign(character), _named(state, character, act), throws=True)
        case "choose_spell":
            return confirm(c.ChooseSpell(character, what), _named(state, character, act))
    return confirm(c.CastSpell(character), _named(state, character, act), throws=True)


def _named(state: HostState, character: str, act: Act) -> Said:
    return say(Term("{unit}: {deed}"), unit=state.name_in_side(character), deed=act.label)


def rings_of(state: HostState, character: str) -> Iterator[Ring]:
    """Command distance as nested areas: beyond each, a test or price is 1 worse."""
    if state.units[character].own.fly:
        return
    at = state.token(character).at
    costs = costs_from(state.field.ground, at, ON_FOOT) if at else {}
    for tranche in range(1, RINGS):
        hexes = frozenset(at for at, cost in costs.items() if cost < tranche * TRANCHE)
        if len(hexes) < len(costs):
            yield Ring("command", COMMAND_DISTANCE, hexes, f"+{tranche}")


# Special orders


def _distributing(state: HostState, viewer: Viewer, selection: Selection) -> BoardLegal:
    open_ = state.distribution
    assert open_ is not None
    if not viewer.commands(army_of(open_.character)):
        return BoardLegal(())
    targets = tuple(order_targets(state, open_.character, open_.points))
    able = tuple(target.target for target in targets if target.why_not is None)
    picked = first_of(selection) if first_of(selection) in able else ""
    if picked:
        told = {"unit": state.name_in_side(picked)}
        cost = next(target.mark for target in targets if target.target == picked)
        title = say(_("Special order to {unit}: {cost} of {count} order points"), cost=cost, count=open_.points, **told)
        act = Confirm(
            c.GiveOrder(picked), title, say(_("Order {unit}: cost {cost}"), cost=cost, **told), icon="g-trumpet"
        )
    else:
        title = say(_("Choose a unit for a special order, or stop: the points left are lost"))
        act = Confirm(c.EndDistribution(), title, say(_("Give no more orders")))
    must = say(_("{unit}: {count} order points left."), unit=state.name_in_side(open_.character), count=open_.points)
    return BoardLegal(
        SLUGS, standing(picked, target=picked), targets=targets, must=must, confirm=act,
        rings=tuple(rings_of(state, open_.character)), turn=True,
    )  # fmt: skip


def order_targets(state: HostState, character: str, points: int) -> Iterator[Target]:
    """Every unit of the side with the price of a special order, or the reason why it can't get one."""
    for token in by_name(state.field.of_side(state.side_of(character))):
        if token.id == character or not token.standing:
            continue
        why = command.why_not_order(state, character, token.id)
        cost = command.order_cost(state, character, token.id)
        if why is None and cost.points > points:
            why = _("Not enough order points.")
        yield Target(
            token.id, token.at, state.name_in_side(token.id), "order", sum=_reasons(cost.sum),
            label=command.price(cost.points), why_not=why, mark=str(cost.points), icon="g-trumpet",
        )  # fmt: skip


def _reasons(found: Breakdown) -> tuple[Said, ...]:
    """The parts of a price: 1 for every order, and the extra costs."""
    first, *others = found.lines
    more = [say(_("{label} {value}"), label=line.label, value=signed(line.value)) for line in others if line.value]
    return (say(Term("{value}"), value=first.value), *more)


# Aiming


def _aiming(state: HostState, viewer: Viewer, selection: Selection) -> BoardLegal:
    aiming = state.aiming
    assert aiming is not None
    if not (aiming.spell and viewer.commands(army_of(aiming.character))):
        return BoardLegal(())
    found = spells.spell_targets(state, aiming.character, aiming.spell)
    targets = tuple(_aimed(state, aiming.character, aiming.spell, target) for target in found)
    picked = first_of(selection) if first_of(selection) in found else ""
    looked_at = picks_of(selection).unit  # the unit being looked at stays picked beside the target
    unit = looked_at if looked_at in state.units and looked_at != picked else ""
    spell = SPELLS[aiming.spell].name
    act = None
    if picked:
        name = state.told_name(picked) if ":" in picked else picked
        title = say(_("Cast {spell} on {aim}"), spell=spell, aim=name)
        act = confirm(c.Aim(picked), title, throws=aiming.spell == "firebolt")
    must = say(_("Choose the target of {spell}."), spell=spell)
    return BoardLegal(SLUGS, standing(unit, target=picked), targets=targets, must=must, confirm=act, turn=True)


def _aimed(state: HostState, character: str, spell: str, target: str) -> Target:
    if ":" not in target:
        return Target(target, target, target, "spell", icon="g-swirl")
    token = state.token(target)
    if spell == "firebolt":
        own = state.units[character]
        setting = Setting(state.token(character).at, out=own.infiltrating, bolt=True)
        return target_of(state, character, token, MISSILE, setting)._replace(
            how="spell", source="", pick="", icon="g-swirl"
        )
    return Target(target, token.at, state.told_name(target), "spell", icon="g-swirl")
