"""World of the campaign for the aftermath of breaking points, and its changes in the chronicle's format."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from armies.breaking_point.forces.specs import is_besieged
from armies.breaking_point.sieges.siege_changes import (
    SiegeBattle,
    armies_of_siege,
    changes_after,
    find_siege_battle,
    fortified_place,
)
from armies.breaking_point.sieges.tracked_fields import name_of, summarize_siege
from armies.models import Army
from armies.models.army import rows_of
from battles.default.ui import PlainChange
from battles.models import Battle
from core.clean_input import parse_uuid
from core.text import load_said, render
from kingdom.chronicle.changes import Change, word_of
from kingdom.realms.figures import get_ruleset
from rules.breaking_point.battle.aftermath import ArmyInCampaign, Consequence, World
from rules.breaking_point.battle.aftermath.tolls import shares_of
from rules.breaking_point.battle.state.battle_state import ASSAULT, FIELD, BattleNow, FieldMark, Opening
from rules.breaking_point.battle.state.conditions import INVESTED
from rules.breaking_point.losses import in_words as spoil_in_words
from rules.breaking_point.siege.siege_battles import FoughtBody
from rules.core.errors import demand
from rules.core.text import Said, Term, _, by_number, say

# Words for changes of the world: an army's units by name, and their losses.

STATUSES: Mapping[str, Term] = {
    "ready": _("ready"),
    "routed": _("routed"),
    "defeated": _("defeated"),
    "disbanded": _("disbanded"),
    "captured": _("captured"),
    "free": _("free"),
    "killed": _("killed"),
}
FIELDS: Mapping[str, Term] = {
    "health": _("heads fit to fight"),
    "health_max": _("heads including wounded"),
    "sheet": _("units"),
}


def in_words(changes: Iterable[Change], names: Mapping[str, str]) -> list[PlainChange]:
    """Describe changes. `names` holds names of ids among the values (commanders)."""
    return [_in_words(change, names) for change in changes]


def _in_words(change: Change, names: Mapping[str, str]) -> PlainChange:
    before, after = change.before, change.after
    if change.field == "sheet":
        before, after = _differing(before, after)
    else:
        before, after = (_value(change.field, value, names) for value in (before, after))
    field: Said = FIELDS.get(change.field) or word_of(change.subject_kind, change.field)
    return PlainChange(change.subject, field, before, after, change.rule, change.label)


def _value(field: str, value: Any, names: Mapping[str, str]) -> Any:
    match field, value:
        case "status", str():
            return render(STATUSES.get(value, Term(value)))
        case "commander", str():
            return names.get(value, value)
        case "state", Mapping():
            return summarize_siege(value)
        case "kingdom" | "place", str():
            return name_of(field, value)
    return value


def _differing(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return the units that differ, before and after. A unit that is gone appears only before."""
    then, now = list(before["units"]), list(after["units"])
    gone = [unit for unit in then if not any(_same(unit, other) for other in now)]
    pairs = [(old, new) for old, new in _pairs(then, now) if old != new]
    has, had = _taken(after), _taken(before)
    old = [_unit(unit) for unit in (*(old for old, _new in pairs), *gone)]
    new = [_unit(new) for _old, new in pairs]
    lost, won = ([one for one in some if one not in others] for some, others in ((had, has), (has, had)))
    return [*old, *_loot(lost)], [*new, *_loot(won)]


def _loot(spoils: Sequence[str]) -> list[str]:
    """Return the spoils as one part, apart from the units."""
    return [str(render(say(_("loot ({spoils})"), spoils=", ".join(spoils))))] if spoils else []


def _taken(document: Mapping[str, Any]) -> list[str]:
    return [str(render(spoil_in_words(spoil))) for spoil in document.get("spoils", ())]


def _pairs(then: list[Any], now: list[Any]) -> Iterator[tuple[Any, Any]]:
    left = list(now)
    for old in then:
        new = next((unit for unit in left if _same(old, unit)), None)
        if new is not None:
            left.remove(new)
            yield old, new


def _same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return (one["name"], one.get("type")) == (other["name"], other.get("type"))


WOUNDED = by_number("{count} wounded", "{count} wounded")
GUNS = by_number("{count} gun", "{count} guns")


def _unit(unit: Mapping[str, Any]) -> str:
    told: list[Said] = [say(_("{unit} {heads}"), unit=unit["name"], heads=unit["strength"])]
    if unit.get("wounded"):
        told.append(say(WOUNDED, count=unit["wounded"]))
    if unit.get("pieces"):
        told.append(say(GUNS, count=unit["pieces"]))
    if unit.get("experience"):
        told.append(say(_("experience {points}"), points=unit["experience"]))
    return ", ".join(str(render(part)) for part in told)


# Battles of sieges: earlier losses of their armies, and their effect on the siege (B-55, B-56, B-60).


def siege_of(armies: Iterable[str]) -> SiegeBattle | None:
    return find_siege_battle(key for army in armies if (key := parse_uuid(army)))


def add_siege(opening: Opening) -> Opening:
    """Return the opening with the data of its siege, if there is one. Raises `InvalidInput` if the siege waits for
    another battle.
    """
    armies = [army for side in opening.sides for army in side.armies]
    found = siege_of(armies)
    if found is None:
        return _without_siege(opening)
    wanted = FIELD if found.place is None else ASSAULT
    stormed = _("The siege of {place} is waiting for an assault.")
    template = _("The siege of {place} is waiting for a battle in the open field.") if wanted == FIELD else stormed
    demand(opening.kind == wanted, template, field="/kind", place=found.row.place.name)
    opening = replace(opening, losses=found.losses, besieged=(*found.besiegers, *found.garrison))
    return _assault(opening, found) if wanted == ASSAULT else opening


def _without_siege(opening: Opening) -> Opening:
    """Return the opening of a battle outside of sieges. A fortified place of the campaign can only be assaulted from
    its siege: raises `InvalidInput`.
    """
    if opening.kind == ASSAULT and opening.place is not None and opening.defender in range(len(opening.sides)):
        inside = [key for army in opening.sides[opening.defender].armies if (key := parse_uuid(army))]
        held = fortified_place(inside, opening.place.name)
        besieged = held is not None and is_besieged(held)
        closed = _("{place} is besieged: start the assault from the siege’s page.")
        template = (
            closed if besieged else _("{place} isn’t besieged: start a siege, then launch the assault from its page.")
        )
        demand(held is None, template, field="/place", place=held.name if held else "")
    return opening


def _assault(opening: Opening, found: SiegeBattle) -> Opening:
    defender = next((i for i, side in enumerate(opening.sides) if set(side.armies) & set(found.garrison)), None)
    demand(defender is not None, _("The garrison isn’t in this battle. Add it."), field="/sides")
    marks = [mark for mark in opening.conditions if mark.kind != INVESTED]
    shut_in = [FieldMark(INVESTED)] if found.invested else []
    return replace(opening, place=found.place, defender=defender or 0, conditions=(*marks, *shut_in))


def changes_of_siege(found: SiegeBattle, state: BattleNow, figures: Mapping[str, Mapping[str, Any]]) -> list[Change]:
    """Return the changes of the siege by the end of the battle. `figures` are the new values of its armies, by id."""
    bodies = [
        FoughtBody(
            tuple((member.army, member.unit) for member in body.formation.members),
            body.factor,
            body.brought,
            body.losses,
            body.status,
            {(one.army, one.unit): one.points for one in shares_of(state, body)},
        )
        for body in state.bodies.values()
    ]
    return changes_after(found.row, bodies, figures)


def outcome_of_siege(changes: Iterable[Change]) -> Said | None:
    """Return how the battle ended its siege or left it, as the siege tells it; None outside of sieges."""
    states = [change.after for change in changes if change.subject_kind == "siege" and change.field == "state"]
    return load_said(states[0]["told"][0]["text"]) if states else None


def list_kept_armies(found: SiegeBattle | None) -> frozenset[str]:
    """Return the armies whose losses the siege keeps."""
    return armies_of_siege(found.row) if found else frozenset()


STANDING = ("ready", "routed")
FREE = "free"
LEFT_WITHOUT = _("nobody left to command")
LEADERLESS = _("loses its commander")


class WorldNow(NamedTuple):
    """Armies of the battle as they are in the campaign."""

    world: World
    armies: Mapping[str, Army]
    names: Mapping[str, str]
    siege: SiegeBattle | None = None

    def changes_of(self, state: Any, found: Iterable[Consequence]) -> tuple[Change, ...]:
        """Return the changes for `kingdom.chronicle.changes`. An army that is gone loses its commander. Losses of a
        siege's armies go back into the siege.
        """
        held: dict[str, dict[str, Any]] = defaultdict(dict)
        changes = []
        for change in found:
            if change.subject_id in self.world.besieged:
                held[change.subject_id][change.field] = change.after
            else:
                changes.append(Change(*change, self.names[change.subject_id]))
        changes += changes_of_siege(self.siege, state, held) if self.siege else []
        fates = [change for change in changes if change.field == "status"]
        gone = {one.subject_id for one in fates if one.subject_kind == "army" and one.after not in STANDING}
        lost = {one.subject_id for one in fates if one.subject_kind == "commander" and one.after != FREE}
        return (*changes, *self._commands_lost(gone, lost))

    def _commands_lost(self, gone: Collection[str], lost: Collection[str]) -> Iterator[Change]:
        """Yield changes that remove the commander of an army that is gone, and a commander who is dead or captured."""
        for key in sorted(self.armies):
            leader = str(self.armies[key].commander_id or "")
            if leader and (key in gone or leader in lost):
                label = LEFT_WITHOUT if key in gone else LEADERLESS
                yield Change("army", key, "commander", leader, None, "B-48", label, self.armies[key].name)


def read(battle: Battle) -> WorldNow:
    armies = rows_of(Army).filter(seats__battle=battle).complete()
    by_id = {str(army.pk): army for army in armies}
    sheets = get_ruleset(battle.campaign).armies
    siege = siege_of(by_id)
    leaders = {str(army.commander.pk): army.commander for army in by_id.values() if army.commander}
    world = World(
        {key: _army(army) for key, army in by_id.items()},
        sheets.measure,
        list_kept_armies(siege),
        {key: leader.status for key, leader in leaders.items()},
    )
    names = {key: army.name for key, army in by_id.items()} | {key: leader.name for key, leader in leaders.items()}
    return WorldNow(world, by_id, names, siege)


def _army(army: Army) -> ArmyInCampaign:
    return ArmyInCampaign(army.sheet, army.status, army.health, army.health_max, army.upkeep)
