"""World of the campaign for the aftermath of mass combat, and its changes in the chronicle's format."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from armies.pathfinder.forces.specs import build_commander_spec
from armies.pathfinder.models import PathfinderArmy, PathfinderCommander
from battles.models import Battle
from core.text import render
from kingdom.chronicle.changes import Change
from kingdom.models import Kingdom
from kingdom.realms.figures import count_districts
from rules.core.text import Said, Term, _, say
from rules.pathfinder.battle import aftermath as law
from rules.pathfinder.battle.state.battle_state import BattleState as State
from rules.pathfinder.catalogues import NAMED_UNITS
from rules.pathfinder.kingdom_checks import control_dc
from rules.pathfinder.ruleset import Ruleset

# Words for changes of the world: names instead of slugs, and lists.

FIELDS: Mapping[str, Term] = {
    "hp": _("hit points"),
    "morale": _("morale"),
    "status": _("status"),
    "disease": _("disease"),
    "ill": _("ill"),
    "drain": _("energy drain"),
    "arrears": _("arrears"),
    "surcharge": _("potions to pay"),
    "tactics": _("tactics"),
    "resources": _("resources"),
    "commander": _("commander"),
    "created": _("new army"),
    "boons": _("boons"),
    "captures": _("times captured"),
    "ransom": _("ransom in BP"),
    "notorious": _("known for losing"),
    "economy": _("Economy"),
    "loyalty": _("Loyalty"),
    "stability": _("Stability"),
    "unrest": _("Unrest"),
    "treasury": _("treasury"),
}
STATUSES: Mapping[str, Term] = {
    "ready": _("ready"),
    "routed": _("routed"),
    "defeated": _("defeated"),
    "disbanded": _("disbanded"),
    "captured": _("captured"),
    "free": _("free"),
    "killed": _("killed"),
}


@dataclass(frozen=True)
class ShownChange:
    subject: str
    field: Said
    before: Any
    after: Any
    rule: str
    label: Said


def in_words(changes: Iterable[Change], law: Ruleset, names: Mapping[str, str]) -> list[ShownChange]:
    """Describe changes. `names` holds names of ids among the values (commanders)."""
    return [
        ShownChange(
            subject=change.subject,
            field=FIELDS.get(change.field, Term(change.field)),
            before=_value(change.field, change.before, law, names),
            after=_value(change.field, change.after, law, names),
            rule=change.rule,
            label=change.label,
        )
        for change in changes
    ]


def _value(field: str, value: Any, law: Ruleset, names: Mapping[str, str]) -> Any:
    match field, value:
        case _, None:
            return None
        case "status", str():
            return render(STATUSES.get(value, Term(value)))
        case "tactics", list() | tuple():
            return [_item(law.tactics, slug) for slug in value]
        case "resources", dict():
            return [_counted(_item(law.resources, slug), quantity) for slug, quantity in value.items()]
        case "boons", list() | tuple():
            return [_boon(law, boon) for boon in value]
        case "commander", str():
            return names.get(value, value)
        case "created", dict():
            return render(say(NAMED_UNITS, name=value.get("name"), count=value.get("count")))
    return value


def _item(catalogue: Mapping[str, Any], slug: str) -> str:
    return render(catalogue[slug].name) if slug in catalogue else slug


def _counted(name: str, quantity: int) -> str:
    return f"{name} × {quantity}" if quantity > 1 else name


def _boon(law: Ruleset, boon: Any) -> str:
    name, tactic = _item(law.boons, boon["boon"]), boon.get("tactic")
    return f"{name} ({_item(law.tactics, tactic)})" if tactic else name


STANDING = ("ready", "routed")


@dataclass(frozen=True, slots=True)
class WorldNow:
    """Armies of the battle, their kingdoms, and the commanders who led them at its beginning."""

    world: law.World
    armies: dict[str, PathfinderArmy]
    names: dict[str, str]

    def changes_of(self, state: State, found: Iterable[law.Consequence]) -> tuple[Change, ...]:
        """Return the changes for `kingdom.chronicle.changes`, and the commands that end by them."""
        changes = [self._change(state, change) for change in found]
        return (*changes, *self._commands_lost(changes))

    def _change(self, state: State, change: law.Consequence) -> Change:
        before, after = change.before, change.after
        if change.field == "tactics":
            before, after = _slugs(before), _slugs(after)
        name = self.names.get(change.subject_id) or state.armies[change.subject_id].name
        return Change(
            change.subject_kind, change.subject_id, change.field, before, after, change.rule, change.label, name
        )

    def _commands_lost(self, changes: list[Change]) -> Iterable[Change]:
        """Yield changes that remove the commander of an army that is gone, and a commander who is captured or dead
        (PF-2.8).
        """
        after = {change.place: change.after for change in changes}
        for key, army in self.armies.items():
            leader = str(army.commander_id) if army.commander_id else None
            gone = after.get(("army", key, "status"), army.status) not in STANDING
            lost = leader and after.get(("commander", leader, "status"), "free") != "free"
            if leader and (gone or lost):
                yield Change("army", key, "commander", leader, None, "PF-2.8", _("loses its commander"), army.name)


def _slugs(tactics: Any) -> list[str]:
    return sorted(known["tactic"] for known in tactics)


def read(battle: Battle) -> WorldNow:
    """Read the world. Three queries and their prefetches, whatever the size of the battle."""
    armies = PathfinderArmy.objects.filter(seats__battle=battle).complete().prefetch_related("kingdom__settlements")
    by_id = {str(army.pk): army for army in armies}
    kingdoms = {str(army.kingdom_id): army.kingdom for army in by_id.values()}
    leaders = PathfinderCommander.objects.filter(seats__battle=battle).select_related("campaign").distinct()
    commanders = {str(leader.pk): leader for leader in leaders}
    world = law.World(
        kingdoms={key: _kingdom(kingdom) for key, kingdom in kingdoms.items()},
        armies={key: _army(army) for key, army in by_id.items()},
        commanders={key: _commander(commander) for key, commander in commanders.items()},
    )
    rows: dict[str, Any] = {**by_id, **kingdoms, **commanders}
    return WorldNow(world, by_id, {key: row.name for key, row in rows.items()})


def _kingdom(kingdom: Kingdom) -> law.KingdomFigures:
    return law.KingdomFigures(
        name=kingdom.name,
        economy=kingdom.economy,
        loyalty=kingdom.loyalty,
        stability=kingdom.stability,
        unrest=kingdom.unrest,
        control_dc=_control_dc(kingdom),
    )


def _control_dc(kingdom: Kingdom) -> int:
    return control_dc(
        size=kingdom.size,
        districts=count_districts(kingdom),
        modifier=kingdom.control_dc_modifier,
        override=kingdom.control_dc_override,
    ).total


def _army(army: PathfinderArmy) -> law.ArmyInCampaign:
    return law.ArmyInCampaign(
        kingdom=str(army.kingdom_id),
        hp=army.hp,
        morale=army.morale,
        status=army.status,
        tactics=[{"tactic": row.tactic, "granted": row.granted} for row in army.tactics.all()],
        resources={row.resource: row.quantity for row in army.resources.all()},
        disease=army.disease,
        ill=army.ill,
        drain=army.drain,
        commander=str(army.commander_id) if army.commander_id else None,
        surcharge=army.surcharge,
        consumption=army.consumption,
        arrears=army.arrears,
    )


def _commander(commander: PathfinderCommander) -> law.CommanderInCampaign:
    return law.CommanderInCampaign(
        spec=build_commander_spec(commander),
        status=commander.status,
        captures=commander.captures,
        notorious=commander.notorious,
        ransom=commander.ransom,
        boons=list(commander.boons),
    )
