"""Reformed armies: what comes of armies that are divided, combined or regrouped (R-94)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from rules.core.errors import InvalidInput, demand, require
from rules.core.text import Term, _
from rules.movable_entries import UNLIKE_ARMIES
from rules.pathfinder.catalogue.items import Resource
from rules.pathfinder.ruleset import Ruleset
from rules.pathfinder.sheet import rating_of
from rules.pathfinder.spec import MOST_UNITS, ArmySpec, breaks, size_of

MOST_PARTS = 20
MOUNTS = "mounts"
OFF = _("A house rule of this campaign keeps armies as they were raised.")


@dataclass(frozen=True, slots=True)
class Troops:
    """An army before or after a reform. `place`: where it stands. `owed` and `surcharge` are BP."""

    army: ArmySpec
    place: str = ""
    owed: int = 0
    surcharge: int = 0
    ill: bool = False


@dataclass(frozen=True, slots=True)
class TroopPart:
    """One of the resulting armies: its units, and the equipment it gets, by slug."""

    count: int
    resources: Mapping[str, int] = field(default_factory=dict)


class Stored(NamedTuple):
    """Equipment that no part can use, of this army. It goes to the kingdom's stores."""

    army: str
    resource: str
    quantity: int


@dataclass(frozen=True, slots=True)
class Reformed:
    """Result of a reform. `lost`: hit points above the maximum of the new armies."""

    parts: tuple[Troops, ...]
    stored: tuple[Stored, ...] = ()
    lost: int = 0


def reform(law: Ruleset, troops: Sequence[Troops], parts: Sequence[TroopPart]) -> Reformed:
    """Form these parts of all the armies' units: one army is divided, several are combined or evened out (R-94).

    Equipment that no part names goes to the first part, as far as it is enough for it. Raises `Refusal` with pointers
    into "/parts".
    """
    refuse_unlike(law, troops)
    _demand_parts(troops, parts)
    goods = _Goods(law, troops, parts)
    goods.share_out()
    before, counts = _hit_points(law, troops), [part.count for part in parts]
    hit_points = _share_hit_points(before, counts)
    owed = share(sum(one.owed for one in troops), counts)
    surcharge = share(sum(one.surcharge for one in troops), counts)
    ill, formed = any(one.ill for one in troops), []
    for place, part in enumerate(parts):
        army = _form(troops, part, goods.given[place], f"/parts/{place}/count")
        hp = min(law.sheet(army).hp_max, hit_points[place])
        army = replace(army, hp=hp, arrears=_owing(troops, owed[place]))
        _refuse_breaking(army)
        formed.append(Troops(army, troops[0].place, owed[place], surcharge[place], ill))
    lost = before - sum(one.army.hp or 0 for one in formed)
    return Reformed(tuple(formed), tuple(goods.stored), max(0, lost))


def regroup(law: Ruleset, troops: Troops) -> Troops:
    """Form a worn army anew of the units that its hit points stand for: it is whole again, and smaller (R-94)."""
    _require_allowed(law)
    army = troops.army
    most = law.sheet(army).hp_max
    hp = most if army.hp is None else army.hp
    require(hp < most, _("{army}: no hit points lost, so there is nothing to regroup."), army=army.name)
    count = -(-army.count * hp // most)
    require(count < army.count, _("{army}: too few hit points lost to regroup."), army=army.name)
    smaller = replace(army, count=count, hp=None)
    require(
        _is_army(smaller),
        _(
            "Regrouped, {army} would have {count} units: too few for an army. Let the "
            "army rest, or combine it with others."
        ),
        army=army.name,
        count=count,
    )
    return replace(troops, army=replace(smaller, hp=law.sheet(smaller).hp_max))


def _is_army(army: ArmySpec) -> bool:
    """Whether these are enough units for an army (PF-1.3)."""
    try:
        rating_of(army)
    except InvalidInput:
        return False
    return True


def share(total: int, weights: Sequence[int]) -> list[int]:
    """Share a whole number out by weight, without loss: rounded down, what is left over goes to the largest rests."""
    whole = sum(weights)
    shares = [total * weight // whole for weight in weights]
    by_rest = sorted(range(len(weights)), key=lambda place: (-(total * weights[place] % whole), place))
    for place in by_rest[: total - sum(shares)]:
        shares[place] += 1
    return shares


def even_parts(heads: int, number: int) -> list[int]:
    """Return the units of so many parts of about one size."""
    return share(heads, [1] * number)


# Which armies go together.

UNLIKE: Sequence[tuple[str, Term]] = (
    ("kingdom", UNLIKE_ARMIES["kingdom"]),
    ("unit", _("{army} and {other} have different units. Choose armies of the same unit.")),
    ("mounts", _("{army} and {other} are mounted differently. Choose armies with the same mounts.")),
    ("place", UNLIKE_ARMIES["place"]),
    ("adjustments", _("The GM’s adjustments of {army} and {other} differ. Ask the GM to make them alike or end them.")),
    ("status", UNLIKE_ARMIES["status"]),
)


def refuse_unlike(law: Ruleset, troops: Sequence[Troops]) -> None:
    """Raise `Refusal` unless these armies may be reformed into one another: one kingdom, one unit, one place (R-94)."""
    _require_allowed(law)
    first, *others = troops
    for other in others:
        mine, theirs = find_likeness(first), find_likeness(other)
        for name, template in UNLIKE:
            require(mine[name] == theirs[name], template, field="/armies", army=first.army.name, other=other.army.name)


def _require_allowed(law: Ruleset) -> None:
    require(law.house.reform, OFF)


def find_likeness(one: Troops) -> dict[str, object]:
    """Return the properties that must be equal for armies to be combined."""
    army = one.army
    return {
        "kingdom": army.kingdom,
        "unit": army.unit,
        "mounts": (army.mount, bool(army.resources.get(MOUNTS))),
        "place": one.place,
        "adjustments": sorted(map(repr, army.adjustments)),
        "status": army.status,
    }


def _demand_parts(troops: Sequence[Troops], parts: Sequence[TroopPart]) -> None:
    demand(parts, _("Form at least one army."), field="/parts")
    demand(len(parts) <= MOST_PARTS, _("Form {most} armies at most."), field="/parts", most=MOST_PARTS)
    for place, part in enumerate(parts):
        demand(_is_whole(part.count), _("Enter a whole number from 1."), field=f"/parts/{place}/count")
    heads, given = _heads(troops), sum(part.count for part in parts)
    demand(heads <= MOST_UNITS, _("An army has from 1 to {most} units."), field="/armies", most=MOST_UNITS)
    demand(
        given == heads,
        _("The new armies have {given} units in total, but you have {heads}. Change the numbers."),
        field="/parts",
        given=given,
        heads=heads,
    )


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


# What comes of them.


def _heads(troops: Iterable[Troops]) -> int:
    return sum(one.army.count for one in troops)


def _hit_points(law: Ruleset, troops: Iterable[Troops]) -> int:
    return sum(law.sheet(one.army).hp_max if one.army.hp is None else one.army.hp for one in troops)


def _share_hit_points(before: int, counts: Sequence[int]) -> list[int]:
    """Share hit points out by units, rounded down, at least 1 each, and never more than there were."""
    require(before >= len(counts), _("There aren’t enough hit points for so many armies. Form fewer."), field="/parts")
    shares = [max(1, before * count // sum(counts)) for count in counts]
    while sum(shares) > before:
        shares[shares.index(max(shares))] -= 1
    return shares


def _form(troops: Sequence[Troops], part: TroopPart, goods: Mapping[str, int], at: str) -> ArmySpec:
    """Return the army of this part: tactics are those of the largest army, Morale the mean by units, rounded down."""
    largest = max(troops, key=lambda one: one.army.count).army
    mounted = MOUNTS in goods or not largest.resources.get(MOUNTS)
    formed = replace(
        largest,
        count=part.count,
        hp=None,
        mount=largest.mount if mounted else None,
        resources=dict(goods),
        morale=sum(one.army.morale * one.army.count for one in troops) // _heads(troops),
        disease=max(one.army.disease for one in troops),
        drain=max(one.army.drain for one in troops),
    )
    try:
        rating_of(formed)
    except InvalidInput as refusal:
        raise refusal.repointed(lambda _field: at) from None
    return formed


def _owing(troops: Sequence[Troops], owed: int) -> bool:
    """Return whether a part is in arrears: it owes BP, or one of the armies was in arrears. So nobody sheds them by
    dividing; the end of the week clears the arrears of an army that owes nothing.
    """
    return owed > 0 or any(one.army.arrears for one in troops)


def _refuse_breaking(army: ArmySpec) -> None:
    """Refuse to form an army that would disband at once by its Morale, arrears included (PF-1.9, PF-7.2)."""
    text = _("With this Morale and these arrears, the new army would disband. Pay the arrears first.")
    require(not breaks(army.morale, army.arrears), text)


# Equipment. A set is enough for as many units as its army has, or for one army of the same or a smaller size (PF-5.2).


@dataclass(slots=True)
class _Goods:
    """The equipment of all armies, shared out to the parts."""

    law: Ruleset
    troops: Sequence[Troops]
    parts: Sequence[TroopPart]
    given: list[dict[str, int]] = field(default_factory=list)
    stored: list[Stored] = field(default_factory=list)

    def share_out(self) -> None:
        self.given = [{} for _part in self.parts]
        held = {slug for one in self.troops for slug, quantity in one.army.resources.items() if quantity > 0}
        for place, part in enumerate(self.parts):
            for slug, quantity in part.resources.items():
                at = f"/parts/{place}/resources/{slug}"
                demand(slug in held, _("The army doesn’t have this resource."), field=at)
                demand(_is_whole(quantity), _("Enter a whole number from 1."), field=at)
        for slug in sorted(held, key=lambda slug: (self.law.resources[slug].replaces == "", slug)):
            item = self.law.resources[slug]
            self._share_pieces(item) if item.several else self._share_set(item)

    def _carriers(self, item: Resource) -> list[ArmySpec]:
        """The armies that have it, the largest first."""
        found = [one.army for one in self.troops if one.army.resources.get(item.slug)]
        return sorted(found, key=lambda army: -army.count)

    def _share_pieces(self, item: Resource) -> None:
        left = sum(army.resources[item.slug] for army in self._carriers(item))
        for place, part in enumerate(self.parts):
            wanted = part.resources.get(item.slug, 0)
            at = f"/parts/{place}/resources/{item.slug}"
            demand(wanted <= left, _("The army doesn’t have that many. Enter a lower number."), field=at)
            left -= wanted
            if wanted:
                self.given[place][item.slug] = wanted
        if left:
            self.given[0][item.slug] = self.given[0].get(item.slug, 0) + left

    def _share_set(self, item: Resource) -> None:
        carriers = self._carriers(item)
        named = [place for place, part in enumerate(self.parts) if item.slug in part.resources]
        if not named and self._enough(carriers, [0]) and not self._better(item, 0):
            named = [0]
        elif named:
            self._refuse_set(item, carriers, named)
        for place in named:
            self.given[place][item.slug] = 1
        used = self._count_used(carriers, named)
        self.stored += [Stored(army.id, item.slug, 1) for army in carriers[used:]]

    def _refuse_set(self, item: Resource, carriers: Sequence[ArmySpec], named: Sequence[int]) -> None:
        """Refuse a set that is not enough for these parts, or that something better replaces."""
        for place in named:
            at = f"/parts/{place}/resources/{item.slug}"
            demand(self.parts[place].resources[item.slug] == 1, _("An army can only have {resource} once."), field=at,
                   resource=item.name)  # fmt: skip
            better = self._better(item, place)
            require(better is None, _("This army already has something better: {better}."), field=at,
                    better=better.name if better else "")  # fmt: skip
        text = _("There isn’t enough {resource} for all these units. Give it to fewer armies, or to smaller ones.")
        at = f"/parts/{named[0]}/resources/{item.slug}"
        require(self._enough(carriers, named), text, field=at, resource=item.name)

    def _better(self, item: Resource, place: int) -> Resource | None:
        """An item of this part that replaces this one; None without such an item."""
        known = self.law.resources
        return next((known[slug] for slug in self.given[place] if known[slug].replaces == item.slug), None)

    def _enough(self, carriers: Sequence[ArmySpec], named: Sequence[int]) -> bool:
        return self._of_same_size(carriers, named) or self._units(named) <= sum(army.count for army in carriers)

    def _of_same_size(self, carriers: Sequence[ArmySpec], named: Sequence[int]) -> bool:
        """Whether it is for one part, whose size is not above that of the largest carrier."""
        return len(named) == 1 and size_of(self._units(named)).rank <= size_of(carriers[0].count).rank

    def _units(self, named: Iterable[int]) -> int:
        return sum(self.parts[place].count for place in named)

    def _count_used(self, carriers: Sequence[ArmySpec], named: Sequence[int]) -> int:
        """Return how many sets equip these parts, of the largest armies first: as many as it takes to have their units
        together. So a set that was shared by dividing is not stored twice by combining.
        """
        if not named:
            return 0
        return next((many for many in range(1, len(carriers) + 1)
                     if sum(army.count for army in carriers[:many]) >= self._units(named)), len(carriers))  # fmt: skip
