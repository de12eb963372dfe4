"""Plans of reformed armies under any ruleset: the armies that remain, their names and their commanders."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from armies.forces.busy import explain_busy_armies, explain_no_army
from armies.models import Army, Commander
from core.clean_input import clean_text
from rules.core.errors import IllegalCommand, demand, require
from rules.core.text import Said, _, say

MOST_ARMIES = 20
HAS_GONE_ON = _("{army}: on the march until day {day}. Halt the army first.")


class WantedPart(Protocol):
    """An army that is wanted: one of those that take part, or a new one with this name. `commander`: of one of the
    armies; None for the one that `army` has.
    """

    @property
    def army(self) -> Any: ...
    @property
    def name(self) -> str: ...
    @property
    def commander(self) -> Any: ...


class Formed(Protocol):
    """An army as it comes of it. `army`: the row that it goes on with, None for a new one."""

    @property
    def army(self) -> Any: ...
    @property
    def name(self) -> str: ...
    @property
    def commander(self) -> Any: ...


@dataclass(frozen=True, slots=True)
class Reformation[A: Army, F: Formed]:
    """Result of reforming the participating armies. `freed`: commanders who are left without an army. `mark` identifies
    all that is shown; confirming sends it. `rows`: the armies formed, once they are written.
    """

    armies: Sequence[A]
    formed: Sequence[F]
    freed: Sequence[Any]
    mark: str
    rows: Sequence[A] = ()

    @property
    def gone(self) -> list[A]:
        """Armies that are dissolved."""
        kept = {one.army.pk for one in self.formed if one.army}
        return [army for army in self.armies if army.pk not in kept]


def find_freed(armies: Sequence[Army], formed: Sequence[Formed]) -> list[Any]:
    """Commanders who are left without an army."""
    leading = {one.commander.pk for one in formed if one.commander}
    leaders = [leader_of(army) for army in armies]
    return [leader for leader in leaders if leader and leader.pk not in leading]


def leader_of(army: Any) -> Any:
    """The army's commander, in the model of its ruleset."""
    return getattr(army, "leader", army.commander)


def mark_of(*told: Any) -> str:
    """Mark that identifies the content of a preview."""
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:24]


# Which armies may take part.


def demand_several(armies: Sequence[Army]) -> None:
    """Raises `InvalidInput` if an army is listed twice, or there are too many."""
    demand(len({one.pk for one in armies}) == len(armies), _("List each army only once."), field="/armies")
    demand(len(armies) <= MOST_ARMIES, _("Choose {most} at most."), field="/armies", most=MOST_ARMIES)


def refuse_held(armies: Collection[Army]) -> None:
    """Raises `IllegalCommand` for an army that no longer stands, is busy or marches."""
    held = explain_busy_armies(armies)
    for army in armies:
        if not army.standing:
            raise IllegalCommand(explain_no_army(army))
        if reason := held.get(army.pk):
            raise IllegalCommand(reason)
        require(not army.marching, HAS_GONE_ON, army=army.name, day=army.marching_until)


def standing_at(army: Army) -> str:
    """Key of an army's place, equal for armies at the same place: their hex, else their place in words."""
    return army.hex or army.place.strip().casefold()


# What the armies are called, and who commands them.


def with_rows[W: Any](armies: Sequence[Army], parts: Sequence[W]) -> list[W]:
    """The parts with the rows of `armies`. Raises `InvalidInput` for another army, or one named twice."""
    known = {army.pk: army for army in armies}
    named = [part.army.pk for part in parts if part.army]
    for place, part in enumerate(parts):
        ours = part.army is None or part.army.pk in known
        demand(ours, _("This army isn’t one of those you are reforming."), field=f"/parts/{place}/army")
        twice = part.army is not None and named.count(part.army.pk) > 1
        demand(not twice, _("List each army only once."), field=f"/parts/{place}/army")
    return [part._replace(army=known[part.army.pk]) if part.army else part for part in parts]


def name_parts(parts: Sequence[WantedPart]) -> list[str]:
    """The names of the armies that are wanted. Raises `InvalidInput` for a new one without a name."""
    return [
        part.army.name if part.army and not part.name else _clean_name(part.name, f"/parts/{place}/name")
        for place, part in enumerate(parts)
    ]


def _clean_name(name: str, at: str) -> str:
    demand(name, _("Enter a name for the new army."), field=at)
    return clean_text(name, field=at)


def share_leaders(armies: Sequence[Army], parts: Sequence[WantedPart]) -> list[Any]:
    """Commander of each part: the one it names, else the current commander of the continuing army, unless another part
    names them.
    """
    leaders: list[Commander] = [leader for army in armies if (leader := leader_of(army))]
    known = {leader.pk: leader for leader in leaders}
    named = [part.commander.pk for part in parts if part.commander]
    for place, part in enumerate(parts):
        at = f"/parts/{place}/commander"
        theirs = part.commander is None or part.commander.pk in known
        demand(theirs, _("This commander leads none of these armies. Appoint them afterwards."), field=at)
        twice = part.commander is not None and named.count(part.commander.pk) > 1
        demand(not twice, _("A commander can lead only one army."), field=at)
    found = [part.commander or (leader_of(part.army) if part.army else None) for part in parts]
    return [
        None if leader is None or (not part.commander and leader.pk in named) else known[leader.pk]
        for part, leader in zip(parts, found, strict=True)
    ]


def find_kinds(parts: Sequence[WantedPart]) -> tuple[str, ...]:
    """Kinds of action that such a reform is: a commander whom a part names and who doesn't lead its army already is
    appointed, too.
    """
    leads = [
        part.army is not None and part.commander.pk == getattr(leader_of(part.army), "pk", None)
        for part in parts
        if part.commander
    ]
    return ("raise",) if all(leads) else ("raise", "appoint")


def describe_reform(before: Sequence[str], after: Sequence[str]) -> Said:
    """Chronicle text: the names of the armies before and after."""
    if len(before) == 1:
        return say(_("{army} divided: {armies}."), army=before[0], armies=list(after))
    if len(after) == 1:
        return say(_("Armies combined into {army}: {armies}."), armies=list(before), army=after[0])
    return say(_("Armies reformed ({armies}). Now: {others}."), armies=list(before), others=list(after))
