"""Services for commanders, units that have fought, and spoils (BP-3, BP-6, B-49, B-50)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.db import transaction

from armies.breaking_point.forces.specs import tables_of
from armies.forces import busy
from armies.forces import services as frame
from armies.forces.busy import lock_army, lock_commander
from armies.forces.services import set_sheet
from armies.models import Army, Commander
from core.clean_input import clean_whole
from kingdom.access.decorators import RequestedChange, drop_unchanged, gm_only, needs_approval, unrestricted
from kingdom.access.queries import require_gm, require_runs
from kingdom.chronicle.transaction import record_changes
from kingdom.models import Kingdom, User
from rules.breaking_point.documents import COMMANDER_FIGURES, STRENGTH_MOST, read_commander, unit_from
from rules.breaking_point.figures import trained, with_recruits
from rules.breaking_point.losses import in_words
from rules.core.errors import demand, require
from rules.core.text import Message, Term, _, by_number, say, signed

# Commanders (BP-3): their characteristics, combat, Art of war and Diplomacy are kept in their sheet.


@needs_approval("armies.breaking_point.appoint_commander", "appoint")
@transaction.atomic
def appoint_commander(*, by: User, kingdom: Kingdom, name: str, **figures: Any) -> Commander:
    """Appoints a new commander of the kingdom. Figures left out have their defaults. Raises `InvalidInput`."""
    document = read_commander(figures)
    commander = frame.appoint_commander(by=by, kingdom=kingdom, name=name)
    commander.sheet = document
    commander.save(update_fields=["sheet"])
    return commander


def _changes(given: Mapping[str, Any]) -> RequestedChange:
    """Request to change a commander. Only changed figures need leave; the service refuses what only the GM may set."""
    commander = given["commander"]
    figures = {name: given[name] for name in COMMANDER_FIGURES if name in given}
    rest = {name: value for name, value in given.items() if name not in figures}
    wanted = drop_unchanged(commander, rest, rest.keys() - {"commander"})
    wanted |= {name: value for name, value in figures.items() if commander.sheet.get(name) != value}
    return RequestedChange(("attributes",) if wanted.keys() & figures.keys() else (), wanted)


@needs_approval("armies.breaking_point.update_commander", "attributes", wish=_changes)
@transaction.atomic
def update_commander(*, by: User, commander: Commander, **given: Any) -> Commander:
    """Changes the given fields: figures; name; for the GM also status, away_until, ransom. Raises `InvalidInput`."""
    figures = {name: given.pop(name) for name in COMMANDER_FIGURES if name in given}
    if given:
        commander = frame.update_commander(by=by, commander=commander, **given)
    return _rewrite(by, commander, figures) if figures else commander


def _rewrite(by: User, commander: Commander, figures: Mapping[str, Any]) -> Commander:
    require_runs(by, commander.kingdom)
    with record_changes(
        by=by, campaign=commander.campaign, kind="army", rule="BP-3", on=[("commander", commander)]
    ) as told:
        commander = lock_commander(commander)
        if led := Army.objects.filter(commander=commander.pk).first():
            busy.refuse_if_busy(led)
        commander.sheet = read_commander({**commander.sheet, **figures})
        commander.save(update_fields=["sheet"])
        told.text = say(_("{commander}’s sheet was changed."), commander=commander.name)
    return commander


# Spoils that are used up, handed on or lost (B-49).


@unrestricted("what one has taken one may part with")
@transaction.atomic
def part_with(*, by: User, army: Army, spoil: int) -> Army:
    """Removes one of the army's spoils, by its number. Raises `InvalidInput` if there is none."""
    require_runs(by, army.kingdom)
    with record_changes(by=by, campaign=army.campaign, kind="army", rule="B-49", on=[("army", army)]) as told:
        army = lock_army(army)
        held = list(army.sheet.get("spoils", ()))
        demand(0 <= spoil < len(held), _("This item isn’t among the army’s spoils."), field="/spoil")
        gone = held.pop(spoil)
        set_sheet(army, {**army.sheet, "spoils": held})
        army.save()
        told.text = say(_("{army} gave up: {what}."), army=army.name, what=in_words(gone))
    return army


# Units that have fought: experience, recruits, wounded (BP-6, B-50).

type KeptUnit = dict[str, Any]

MOST_POINTS = 10_000
RECRUITED = by_number("{army}: {men} recruit joined {unit}.", "{army}: {men} recruits joined {unit}.", "men")


@needs_approval("armies.breaking_point.train_unit", "raise")
@transaction.atomic
def train_unit(*, by: User, army: Army, unit: int, to: int | None = None) -> Army:
    """Spends experience on one more point of combat, which costs the new value, at least 1 (BP-6, B-50).

    `to`: the combat that the user expects; a unit that has it already is not trained again. Raises `IllegalCommand`.
    """
    require_runs(by, army.kingdom)

    def train(kept: KeptUnit) -> KeptUnit:
        there = to is None or kept["combat"] + 1 == to
        require(there, _("{unit}’s combat is already {combat}."), unit=kept["name"], combat=kept["combat"])
        after = trained(unit_from(kept, tables_of(army.campaign)))
        return {**kept, "combat": after.combat, "experience": after.experience}

    return _change(by, army, unit, train, "BP-6 B-50", _("{army}: {unit} completed its training."))


@gm_only
@transaction.atomic
def grant_experience(*, by: User, army: Army, unit: int, points: int) -> Army:
    """Grants a unit experience, or takes some back (GM).

    Raises `InvalidInput` for 0 points, and for taking back more than the unit has.
    """
    require_gm(by, army.campaign)
    points = clean_whole(points, field="/points", least=-MOST_POINTS, most=MOST_POINTS)
    demand(
        points, _("Enter a number other than 0: positive to grant points, negative to take them back."), field="/points"
    )

    def grant(kept: KeptUnit) -> KeptUnit:
        has = kept.get("experience", 0)
        demand(has + points >= 0, _("{unit}: only {has} experience points. Take back that many at most."),
               field="/points", unit=kept["name"], has=has)  # fmt: skip
        return {**kept, "experience": has + points}

    text = say(_("{army}: {points} experience for {unit}."), points=signed(points))
    return _change(by, army, unit, grant, "BP-6", text)


@needs_approval("armies.breaking_point.take_in_recruits", "raise")
@transaction.atomic
def take_in_recruits(*, by: User, army: Army, unit: int, men: int, combat: int) -> Army:
    """Adds recruits to a unit; its combat becomes the weighted mean, rounded down (B-50). `men`: number of recruits;
    `combat`: theirs, −20 to 30. Raises `InvalidInput`, also for more than `STRENGTH_MOST` heads.
    """
    require_runs(by, army.kingdom)
    men = clean_whole(men, field="/men", least=1, most=STRENGTH_MOST)
    combat = clean_whole(combat, field="/combat", least=-20, most=30)

    def fill(kept: KeptUnit) -> KeptUnit:
        room = STRENGTH_MOST - kept["strength"]
        demand(men <= room, _("{unit}: strength {strength}. Add {room} recruits at most."), field="/men",
               unit=kept["name"], strength=kept["strength"], room=room)  # fmt: skip
        mixed = with_recruits(kept["strength"], kept["combat"], men, combat)
        return {**kept, "strength": kept["strength"] + men, "combat": mixed}

    text = say(RECRUITED, men=men)
    return _change(by, army, unit, fill, "B-50", text)


@gm_only
@transaction.atomic
def tend_wounded(*, by: User, army: Army, unit: int, back: int = 0, dead: int = 0) -> Army:
    """Returns some of a unit's wounded to the ranks and lets some die (GM). Weekly recovery is B-69. Raises
    `InvalidInput` for more heads than are wounded, or none.
    """
    require_gm(by, army.campaign)
    back = clean_whole(back, field="/back", least=0, most=STRENGTH_MOST)
    dead = clean_whole(dead, field="/dead", least=0, most=STRENGTH_MOST)
    demand(back + dead, _("Enter how many have recovered or died."), field="/back")

    def tend(kept: KeptUnit) -> KeptUnit:
        wounded = kept.get("wounded", 0)
        demand(back + dead <= wounded, _("{unit}: only {wounded} wounded. The recovered and "
                                         "the dead can’t exceed that."), field="/back", unit=kept["name"],
               wounded=wounded)  # fmt: skip
        return {**kept, "strength": kept["strength"] + back, "wounded": wounded - back - dead}

    text = say(_("{army}: of {unit}’s wounded, {back} recovered and {dead} died."), back=back, dead=dead)
    return _change(by, army, unit, tend, "B-69", text)


def _change(
    by: User, army: Army, unit: int, change: Callable[[KeptUnit], KeptUnit], rule: str, text: Message | Term
) -> Army:  # fmt: skip
    """Replaces one unit of the army and updates derived figures. Raises `InvalidInput` if there is no such unit."""
    with record_changes(by=by, campaign=army.campaign, kind="army", rule=rule, on=[("army", army)]) as told:
        army = lock_army(army)
        units = army.sheet.get("units", [])
        there = isinstance(unit, int) and 0 <= unit < len(units)
        demand(there, _("This unit isn’t in this army."), field="/unit")
        changed = [change(dict(kept)) if place == unit else kept for place, kept in enumerate(units)]
        set_sheet(army, {**army.sheet, "units": changed})
        army.save()
        told.text = _said(text, army, units[unit])
    return army


def _said(text: Message | Term, army: Army, unit: Mapping[str, Any]) -> Message:
    template, params = (text.template, text.params) if isinstance(text, Message) else (text, {})
    return say(template, army=army.name, unit=unit["name"], **params)
