"""Orders for several armies that every ruleset has: commanders, places, visibility."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar
from uuid import UUID

from armies.bulk.many_deeds import EACH, TEXT, DeedAsk, ManyDeed
from armies.forces.busy import explain_busy_armies
from armies.forces.services import describe_command_taken, describe_left_alone, refuse_unfit
from armies.forces.tracked_fields import forget_sightings
from armies.marches.queries import build_traveller, load_overland
from armies.marches.services import COLUMNS, set_out
from armies.models import Army, Commander
from armies.reform.plans import Reformation
from armies.ruleset_ui import get_army_ui
from kingdom.access.queries import was_mapless
from kingdom.map.fog_services import update_visibility
from kingdom.map.services import get_hex
from kingdom.models import Campaign
from kingdom.onboarding.steps import point_refusals
from rules.core.errors import IllegalCommand, Refusal, refuse, require
from rules.core.text import Said, Term, _, say
from rules.hexes.geometry import label_of

NOBODY = ""


class Commanded(ManyDeed):
    """Base of deeds that change who commands armies. A ruleset that counts them overrides `hands_over`."""

    kind = "appoint"
    columns: ClassVar[Sequence[str]] = ("commander",)

    def hands_over(self, army: Any) -> None:
        """Hook: the army is about to get another commander, or none."""

    def _command(self, army: Any, commander: Any) -> None:
        self.hands_over(army)
        army.commander = commander


class AssignMany(Commanded):
    """Gives each army without a commander a free one of its kingdom, in order of their names, or the one that was
    chosen.
    """

    slug = "assign"
    name = _("Assign commanders")
    about = _("Free commanders are assigned in alphabetical order, unless you choose others.")
    asks = (DeedAsk("commanders", _("Commander"), EACH),)
    one = _("{army}: new commander.")
    many = _("{kingdom}: {count} armies have new commanders ({armies}).")
    across = _("Some armies have new commanders.")

    def prepare(self) -> None:
        """Loads the free commanders of these kingdoms, and locks them when the deed is really done."""
        rows: Any = get_army_ui(self.campaign).commander._default_manager.filter(
            campaign=self.campaign, kingdom__in=list(self.kingdoms)
        )
        if self.setting.falls:
            kind = rows.model
            links = tuple(link.name for link in kind._meta.parents.values() if link)
            rows = rows.select_for_update(of=("self", *links))
        self.people: dict[str, Any] = {str(one.pk): one for one in rows}
        led = Army.objects.filter(commander__in=list(self.people)).only("id", "name", "commander_id")
        self.led: dict[UUID | None, Army] = {army.commander_id: army for army in led}
        self.chosen = {army.pk: key for army, key in self._shared_out()}

    def _shared_out(self) -> Iterator[tuple[Any, str]]:
        """Pairs of army and commander's id: chosen ones first, then free commanders for the remaining armies without
        one.
        """
        said = self.options["commanders"]
        taken = set(said.values())
        free = {key: one for key, one in self.people.items() if self._is_free(one) and key not in taken}
        for army in self.able:
            if (key := str(army.pk)) in said:
                yield army, said[key]
            elif army.commander_id is None:
                found = next((k for k, one in free.items() if one.kingdom_id == army.kingdom_id), NOBODY)
                free.pop(found, None)
                yield army, found

    def _is_free(self, commander: Any) -> bool:
        return commander.status == Commander.Status.FREE and commander.pk not in self.led

    def do(self, army: Any) -> Said:
        if army.pk not in self.chosen:
            refuse(_("A commander already leads {army}: {commander}."), army=army.name, commander=army.commander.name)
        wanted = self.chosen[army.pk]
        if wanted == NOBODY and str(army.pk) not in self.options["commanders"]:
            refuse(_("No free commander is left for {army}. Appoint one first."), army=army.name)
        if wanted == NOBODY:
            return _without(self, army)
        commander = self.people.get(wanted)
        if commander is None or commander.kingdom_id != army.kingdom_id:
            refuse(_("This commander isn’t in this kingdom."))
        refuse_unfit(army, commander, self.led.get(commander.pk))
        require(commander.pk != army.commander_id, _("{commander} already leads {army}."), commander=commander.name,
                army=army.name)  # fmt: skip
        self._command(army, commander)
        self.led[commander.pk] = army
        return describe_command_taken(army, commander)

    def choices(self, army: Any, ask: DeedAsk) -> Sequence[tuple[str, Said | str]]:
        ours = ((k, one) for k, one in self.people.items() if one.kingdom_id == army.kingdom_id)
        known = [(k, one.name) for k, one in ours if self._may_lead(one, army)]
        return [(NOBODY, _("nobody")), *known]

    def _may_lead(self, commander: Any, army: Any) -> bool:
        led = self.led.get(commander.pk)
        in_hand = {one.pk for one in self.setting.armies}
        return commander.status == Commander.Status.FREE and (led is None or led.pk == army.pk or led.pk in in_hand)

    def given(self, army: Any, ask: DeedAsk) -> str:
        known = self.chosen.get(army.pk)
        return str(army.commander_id or NOBODY) if known is None else known


def _without(deed: Commanded, army: Any) -> Said:
    require(army.commander_id, _("{army}: no commander."), army=army.name)
    deed._command(army, None)
    return describe_left_alone(army)


class RelieveMany(Commanded):
    slug = "relieve"
    name = _("Remove commanders")
    one = _("{army}: without a commander.")
    many = _("{kingdom}: {count} armies no longer have a commander ({armies}).")
    across = _("Some armies no longer have a commander.")

    def do(self, army: Any) -> Said:
        return _without(self, army)


class PlaceMany(ManyDeed):
    """Sets the armies' place, in free words."""

    slug = "place"
    name = _("Set location")
    kind = "march"
    asks = (DeedAsk("place", _("Location"), TEXT, required=True),)
    columns = ("place", *Army.BROKEN_OFF)
    one = _("{army}: now at {place}.")
    many = _("{kingdom}: {count} armies are now at {place} ({armies}).")
    across = _("Some armies are now at {place}.")

    def do(self, army: Any) -> Said:
        same = army.place == self.options["place"] and army.marching_until is None
        require(not same, _("{army}: already there."), army=army.name)
        army.break_off()
        army.place, army.marching_until = self.options["place"], None
        return say(_("{army}: now at {place}."), army=army.name, place=army.place)

    def words(self) -> dict[str, Any]:
        return {"place": self.options["place"]}


class LetKnow(ManyDeed):
    """Base of deeds that set one boolean column that decides what others know of the armies. For the GM only."""

    of_any = True
    on: ClassVar[bool]
    already: ClassVar[Term]

    def do(self, army: Any) -> Said:
        (column,) = self.columns
        require(getattr(army, column) != self.on, self.already, army=army.name)
        self.refuse_held(army)
        setattr(army, column, self.on)
        return say(self.one, army=army.name)

    def refuse_held(self, army: Any) -> None:
        """Hook: raises `Refusal` where the deed is impossible for this army."""


class RevealMany(LetKnow):
    """Reveals the armies' sheets to everybody in the campaign."""

    slug = "reveal"
    name = _("Show army sheets to everyone")
    columns, on = ("revealed",), True
    already = _("Everyone can already read {army}’s sheet.")
    one = _("Everyone at the table can now read {army}’s sheet.")
    many = _("{kingdom}: everyone can now read the sheets of {count} armies ({armies}).")
    across = _("Everyone can now read the sheets of more armies.")


class HideMany(LetKnow):
    slug = "hide"
    name = _("Hide army sheets again")
    columns, on = ("revealed",), False
    already = _("{army}’s sheet is already hidden.")
    one = _("{army}’s sheet is hidden again.")
    many = _("{kingdom}: the sheets of {count} armies are hidden again ({armies}).")
    across = _("Some army sheets are hidden again.")


class Hidden(LetKnow):
    """Base of deeds that hide armies from all but viewers and those who run their kingdom, or show them."""

    columns = ("hidden",)

    def write(self, done: Sequence[Any]) -> None:
        super().write(done)
        update_visibility(self.campaign)


class ConcealMany(Hidden):
    slug = "conceal"
    name = _("Hide armies from other players")
    about = _("They stay visible to viewers and to the players of their kingdom.")
    on = True
    already = _("{army}: already hidden.")
    one = _("{army}: hidden from the other players.")
    many = _("{kingdom}: {count} armies are hidden from the other players ({armies}).")
    across = _("Some armies are hidden from the other players.")

    def prepare(self) -> None:
        self.busy = explain_busy_armies(self.setting.armies)

    def refuse_held(self, army: Any) -> None:
        if reason := self.busy.get(army.pk):
            raise IllegalCommand(reason)

    def write(self, done: Sequence[Any]) -> None:
        forget_sightings(done)
        super().write(done)


class UnveilMany(Hidden):
    slug = "unveil"
    name = _("Stop hiding armies")
    on = False
    already = _("{army}: not hidden.")
    one = _("{army}: no longer hidden.")
    many = _("{kingdom}: {count} armies are no longer hidden ({armies}).")
    across = _("Some armies are no longer hidden.")


# Order for several armies to march on the map to one hex, under any ruleset.


LABEL_MOST = 8


class CrossMany(ManyDeed):
    """Each army takes its own cheapest route at its own pace. Hard marches have to be ordered one by one."""

    slug = "cross"
    name = _("March on the map")
    about = _("Each army takes its shortest route from its current hex.")
    rule, kind = "HX-3.1", "march"
    asks = (DeedAsk("to", _("Destination hex"), TEXT, _("As written on the map, for example C7."), required=True,
                    most=LABEL_MOST),)  # fmt: skip
    one = _("{army} set out for {place}.")
    many = _("{kingdom}: {count} armies set out for {place} ({armies}).")
    across = _("Some armies set out for {place}.")

    @classmethod
    def offered(cls, campaign: Campaign) -> bool:
        """Without a query: True unless the campaign is known to have no map. `prepare` refuses where there is none."""
        return not was_mapless(campaign)

    def prepare(self) -> None:
        """Loads the map once for all armies. Refuses a destination that is not on it."""
        self.land = load_overland(self.setting.by, self.campaign)
        require(self.land, _("This campaign has no map yet. Create one first."))
        assert self.land is not None
        field = self.land.field
        self.to = label_of(point_refusals(self.asks[0].at, lambda: get_hex(field, self.options["to"])))
        self.changed: set[str] = set(COLUMNS)

    def do(self, army: Any) -> Said:
        who = build_traveller(self.setting.by, army, self.land)
        text, columns = set_out(army, who.to(self.to), who.manner())
        self.changed.update(columns)
        return text

    def write(self, done: Sequence[Any]) -> None:
        type(done[0])._default_manager.bulk_update(done, sorted(self.changed))
        update_visibility(self.campaign)

    def words(self) -> dict[str, Any]:
        return {"place": self.to}


class CombineMany(ManyDeed):
    """Combines the armies that go together into the largest of them. A ruleset says which do, and how."""

    slug = "combine"
    name = _("Combine")
    kind = "raise"
    alone: ClassVar[Term]
    """Why an army is left that no other selected one goes with."""
    one = _("{army} combined with others.")
    many = _("{kingdom}: {count} armies were combined ({armies}).")
    across = _("Some armies were combined.")

    def group(self) -> Iterable[Sequence[Any]]:
        """Hook: the able armies that go together, the one that takes in the others first."""
        return ()

    def plan(self, army: Any, others: Sequence[Any]) -> Reformation[Any, Any]:
        """Hook: plan of the combined army. Raises `Refusal`."""
        raise TypeError(f"{self.slug} plans nothing")

    def describe(self, plan: Any) -> Said:
        """Hook: result for the army that takes in the others, in words."""
        text = _("Taken in by {army}: {armies}.")
        return say(text, army=plan.formed[0].name, armies=[army.name for army in plan.gone])

    def carry_out(self, plan: Any) -> None:
        """Hook: writes the plan."""

    def prepare(self) -> None:
        """Plans each group of armies that go together. The plan, or why there is none, is found by each army's id."""
        self.plans: list[Reformation[Any, Any]] = []
        self.planned: dict[UUID, Reformation[Any, Any] | Said] = {}
        for first, *others in self.group():
            try:
                require(others, self.alone)
                found: Reformation[Any, Any] | Said = self.plan(first, others)
            except Refusal as refusal:
                found = refusal.message
            self.planned |= dict.fromkeys((army.pk for army in (first, *others)), found)
            if isinstance(found, Reformation):
                self.plans.append(found)

    def do(self, army: Any) -> Said:
        plan = self.planned[army.pk]
        if not isinstance(plan, Reformation):
            raise IllegalCommand(plan)
        if army.pk == plan.armies[0].pk:
            return self.describe(plan)
        return say(_("{army}: combined with {other}."), army=army.name, other=plan.formed[0].name)

    def notes(self) -> Sequence[Said]:
        """Commanders who are left without an army."""
        text = _("{commander} is free to lead another army.")
        return [say(text, commander=one.name) for plan in self.plans for one in plan.freed]

    def write(self, done: Sequence[Any]) -> None:
        for plan in self.plans:
            self.carry_out(plan)


EVERY_LAWS: tuple[type[ManyDeed], ...] = (RevealMany, HideMany, ConcealMany, UnveilMany)
"""Deeds by which the GM decides what others know of armies, under every ruleset."""

PLAIN_DEEDS: tuple[type[ManyDeed], ...] = (CrossMany, PlaceMany, AssignMany, RelieveMany, *EVERY_LAWS)
"""Deeds of rulesets that keep everything in the sheet document."""
