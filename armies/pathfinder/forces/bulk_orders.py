"""Orders of mass combat for several armies: rest, march, halt, pay arrears, combine, regroup."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from armies.bulk.common_orders import (
    EVERY_LAWS,
    AssignMany,
    CombineMany,
    Commanded,
    CrossMany,
    PlaceMany,
    RelieveMany,
)
from armies.bulk.many_deeds import TEXT, WHOLE, YES, DeedAsk, ManyDeed
from armies.forces.busy import load_recent_battles
from armies.models import Army
from armies.pathfinder.armies.march_services import count_healed, halt, made_today, make_check, refuse_restless, set_out
from armies.pathfinder.armies.reform_queries import group_of
from armies.pathfinder.armies.reform_services import (
    RULE,
    ReformPlan,
    carry_out_reform,
    preview_reform,
    preview_regroup,
    set_regrouped,
)
from armies.pathfinder.armies.reserve_services import COLUMNS, set_called_up, set_reserve
from armies.pathfinder.commanders.command_services import PRESENCE, days_led_so_far
from armies.pathfinder.forces.specs import Road, compute_recovery
from armies.pathfinder.models import PathfinderArmy
from kingdom.models import Campaign, Kingdom, LedgerEntry
from kingdom.realms.check_services import CheckResult
from kingdom.realms.figures import get_ruleset
from kingdom.realms.treasury_services import Move, append_many, refuse_without_treasury
from rules.core.errors import demand, require
from rules.core.text import MINUS, Said, _, say

HEXES_MAX = 10_000


class RestMany(ManyDeed):
    """A day of rest (PF-7.1), with one Loyalty check for each kingdom if wanted (R-79)."""

    slug = "rest"
    name = _("Rest for a day")
    rule, kind = "PF-7.1", "march"
    asks = (
        DeedAsk("rally", _("With a Loyalty check for each kingdom"), YES,
                _("One per kingdom each day. On a success, every army again regains hp equal to its ACR.")),
        DeedAsk("die", _("d20, if rolled at the table"), WHOLE, least=1, most=20),
    )  # fmt: skip
    columns = ("health", "rested_on")
    one = _("{army} rested for a day and regained {healed} hp.")
    many = _("{kingdom}: {count} armies rested for a day ({armies}) and regained {healed} hp.")
    across = _("Some armies rested for a day.")

    def prepare(self) -> None:
        self.fought = load_recent_battles(self.campaign, self.campaign.day).fought
        self.checks = {pk: made_today(one) for pk, one in self.kingdoms.items()} if self.options["rally"] else {}
        self.healed = 0
        if self.options["die"] is not None:
            (check,) = self.checks.values() if len(self.checks) == 1 else (True,)
            demand(check is None, _("A d20 result is only allowed if exactly one kingdom still has a Loyalty check "
                                    "to make today. Leave it out."),
                   field="/options/die")  # fmt: skip

    def do(self, army: PathfinderArmy) -> Said:
        refuse_restless(army, self.fought)
        check = self._check(army.kingdom)
        healed = count_healed(army, compute_recovery(army, rallied=bool(check and check.success)))
        at_best = (
            healed if check or not self.options["rally"] else count_healed(army, compute_recovery(army, rallied=True))
        )
        army.hp, army.rested_on = army.hp + healed, self.campaign.day
        self.healed += healed
        if at_best != healed:
            text = _("{army}: {least} hp regained, or {most} if the Loyalty check succeeds.")
            return say(text, army=army.name, least=healed, most=at_best)
        return say(_("{army}: {healed} hp regained."), army=army.name, healed=healed)

    def _check(self, kingdom: Kingdom) -> CheckResult | None:
        """The kingdom's check: the one of today, else made now; None in a proposal."""
        if self.options["rally"] and self.setting.falls and self.checks[kingdom.pk] is None:
            dice = None if self.options["die"] is None else [self.options["die"]]
            self.checks[kingdom.pk] = make_check(by=self.setting.by, kingdom=kingdom, dice=dice)
        return self.checks.get(kingdom.pk)

    def words(self) -> dict[str, Any]:
        return {"healed": self.healed}

    def told(self, done: Sequence[Army]) -> Said:
        text, made = super().told(done), [check for check in self.checks.values() if check]
        if len(self.checks) != 1 or not made:
            return text
        (check,) = made
        passed = _("Loyalty check passed ({total} against DC {dc}).")
        failed = _("Loyalty check failed ({total} against DC {dc}).")
        said = say(passed if check.success else failed, total=check.total, dc=check.dc)
        return say(_("{what} {check}"), what=text, check=said)


class MarchMany(ManyDeed):
    """Armies set out for one place by one road, each at its own speed (PF-1.8)."""

    slug = "march"
    name = _("Set out")
    rule, kind = "PF-1.8", "march"
    asks = (
        DeedAsk("place", _("Destination"), TEXT, required=True),
        DeedAsk("hexes", _("Open hexes"), WHOLE, most=HEXES_MAX),
        DeedAsk("difficult_hexes", _("Difficult hexes"), WHOLE, most=HEXES_MAX),
        DeedAsk("land", _("Live off the land"), YES),
    )
    columns = ("place", "marching_until", "route", "foraging")
    one = _("{army} set out for {place}.")
    many = _("{kingdom}: {count} armies set out for {place} ({armies}).")
    across = _("Some armies set out for {place}.")

    def do(self, army: PathfinderArmy) -> Said:
        given = self.options
        road = Road(given["hexes"] or 0, given["difficult_hexes"] or 0, given["land"])
        return set_out(army, given["place"], road)

    def words(self) -> dict[str, Any]:
        return {"place": self.options["place"]}


class CrossTogether(CrossMany):
    rule = "PF-1.8"


class HaltMany(PlaceMany):
    """Sets the armies' place; those on the march halt there."""

    rule = "PF-1.8"

    def do(self, army: PathfinderArmy) -> Said:
        same = army.place == self.options["place"] and not army.marching
        require(not same, _("{army}: already there."), army=army.name)
        return halt(army, self.options["place"])


class PayMany(ManyDeed):
    """Pays arrears now (PF-7.2): as at the end of a week the cheapest first, while the treasury lasts."""

    slug = "pay"
    name = _("Pay arrears")
    about = _("Arrears are paid at once, smallest first, as far as the treasury allows.")
    rule, kind = "PF-7.2", "buy"
    columns = ("owed", "arrears")
    one = _("{army}’s arrears were paid: {bp} BP.")
    many = _("{kingdom}: the arrears of {count} armies were paid ({armies}), {bp} BP.")
    across = _("Some armies’ arrears were paid.")

    def prepare(self) -> None:
        self.left = {pk: kingdom.treasury for pk, kingdom in self.kingdoms.items()}
        self.paid: dict[UUID, int] = {}
        for army in sorted(self.able, key=lambda army: (army.owed, str(army.pk))):
            if 0 < army.owed <= self.left[army.kingdom_id]:
                self.left[army.kingdom_id] -= army.owed
                self.paid[army.pk] = army.owed

    def do(self, army: PathfinderArmy) -> Said:
        require(army.owed, _("{army}: no arrears."), army=army.name)
        refuse_without_treasury(army.kingdom)
        text = _("{kingdom} can’t afford the {bp} BP owed to {army}.")
        require(army.pk in self.paid, text, kingdom=army.kingdom.name, bp=army.owed, army=army.name)
        paid, army.owed, army.arrears = army.owed, 0, False
        return say(_("{army}: {bp} BP paid."), army=army.name, bp=paid)

    def notes(self) -> Sequence[Said]:
        text = _("{kingdom}: treasury {before} → {after}")
        return [
            say(text, kingdom=one.name, before=one.treasury, after=self.left[pk])
            for pk, one in self.kingdoms.items()
            if self.left[pk] != one.treasury
        ]

    def touches(self) -> Iterable[tuple[str, Any]]:
        return [("kingdom", pk) for pk in self.kingdoms]

    def write(self, done: Sequence[Any]) -> None:
        super().write(done)
        day = self.campaign.day
        append_many(
            [
                Move(army.kingdom, -self.paid[army.pk], say(_("Arrears of {army}"), army=army.name), day)
                for army in done
            ],
            source=LedgerEntry.Origin.OTHER,
            by=self.setting.by,
        )

    def words(self) -> dict[str, Any]:
        return {"bp": sum(self.paid.values())}


class CombineTogether(CombineMany):
    """Combines the armies of one unit at one place into the largest of them (R-94), place by place."""

    about = _("Armies with the same unit type in the same place become one. The largest takes in the others.")
    alone = _("No other selected army with the same unit type is in the same place.")
    rule = RULE

    @classmethod
    def offered(cls, campaign: Campaign) -> bool:
        return bool(get_ruleset(campaign).house.reform)

    def group(self) -> Iterable[Sequence[PathfinderArmy]]:
        groups: dict[object, list[PathfinderArmy]] = {}
        for army in self.able:
            groups.setdefault(group_of(army), []).append(army)
        return [sorted(group, key=lambda army: -army.count) for group in groups.values()]

    def plan(self, army: PathfinderArmy, others: Sequence[PathfinderArmy]) -> ReformPlan:
        return preview_reform(army=army, others=others)

    def describe(self, plan: ReformPlan) -> Said:
        (one,) = plan.formed
        spec = one.troops.army
        text = _("{army} will have {count} units, {hp} of {most} hp, Morale {morale}.")
        return say(text, army=one.name, count=spec.count, hp=spec.hp, most=one.hp_max,
                   morale=str(spec.morale).replace("-", MINUS))  # fmt: skip

    def notes(self) -> Sequence[Said]:
        """Equipment that goes to the stores, and commanders who are left without an army."""
        law, text = get_ruleset(self.campaign), _("{resource}: moved to the stores.")
        stored = [one for plan in self.plans for one in plan.stored]  # type: ignore[attr-defined]
        return [*(say(text, resource=law.resources[one.resource].name) for one in stored), *super().notes()]

    def touches(self) -> Iterable[tuple[str, Any]]:
        return [("stores", pk) for pk in self.kingdoms]

    def carry_out(self, plan: ReformPlan) -> None:
        carry_out_reform(plan)


class RegroupMany(ManyDeed):
    """Makes worn armies smaller and whole again (R-94)."""

    slug = "regroup"
    name = _("Regroup the survivors")
    about = _("Each army keeps only as many units as its hit points are worth, and is at full strength again.")
    rule, kind = RULE, "raise"
    columns = ("sheet", "health", "health_max", "upkeep", "acr", "regrowth")
    one = _("{army} regrouped.")
    many = _("{kingdom}: {count} armies were regrouped ({armies}).")
    across = _("Some armies were regrouped.")

    @classmethod
    def offered(cls, campaign: Campaign) -> bool:
        return bool(get_ruleset(campaign).house.reform)

    def do(self, army: PathfinderArmy) -> Said:
        return set_regrouped(army, preview_regroup(army=army))


class ReserveMany(ManyDeed):
    """Puts armies in reserve (R-94)."""

    slug = "reserve"
    name = _("Put in reserve")
    about = _("Armies in reserve are paid once a month and can’t march. Calling them up takes a week.")
    rule, kind = RULE, "march"
    columns = COLUMNS
    one = _("{army} put in reserve.")
    many = _("{kingdom}: {count} armies were put in reserve ({armies}).")
    across = _("Some armies were put in reserve.")

    def do(self, army: PathfinderArmy) -> Said:
        return set_reserve(army)


class CallUpMany(ManyDeed):
    """Calls armies up from the reserve (R-94)."""

    slug = "call-up"
    name = _("Call up from the reserve")
    rule, kind = RULE, "march"
    columns = COLUMNS
    one = _("{army} called up from the reserve.")
    many = _("{kingdom}: {count} armies were called up from the reserve ({armies}).")
    across = _("Some armies were called up from the reserve.")

    def do(self, army: PathfinderArmy) -> Said:
        return set_called_up(army)


class _CountsDays(Commanded):
    """Mixin that counts a commander's days with the army when the command changes (R-80)."""

    rule = "PF-2.5"
    columns = ("commander", *PRESENCE)

    def hands_over(self, army: PathfinderArmy) -> None:
        days_led_so_far(army, parting=True)


class AssignLeaders(_CountsDays, AssignMany):
    pass


class RelieveLeaders(_CountsDays, RelieveMany):
    pass


DEEDS: tuple[type[ManyDeed], ...] = (
    RestMany, CrossTogether, MarchMany, HaltMany, PayMany, AssignLeaders, RelieveLeaders, CombineTogether, RegroupMany,
    ReserveMany, CallUpMany, *EVERY_LAWS,
)  # fmt: skip
