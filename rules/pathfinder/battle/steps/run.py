"""Working state of one phase while it is resolved: the draft, the dice, and each army's target and kind of attack."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rules.core.breakdown import Line
from rules.core.dice import Dice
from rules.pathfinder.battle.orders.options import why_it_stays
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import FIGHTING, KEEP, MELEE, ArmyInBattle, Mark, Order, Status
from rules.pathfinder.battle.state.draft import Draft
from rules.pathfinder.battle.state.events import SaidAgain
from rules.pathfinder.battle.state.fold import unsaid_again
from rules.pathfinder.battle.state.view import ArmyView, can_shoot, wind_allows
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.catalogue.conditions import BARRING, MARKS
from rules.pathfinder.catalogue.effects import Mode, Purpose, Situation
from rules.pathfinder.figures import morale_lines, total

# Current rules for the duration and combination of marks. They are written into events, so the fold never decides them.

OUTLASTING = tuple(slug for slug, mark in MARKS.items() if mark.outlasts or mark.stays)
ENDS_GIVEN = tuple(slug for slug, mark in MARKS.items() if mark.ends_with == "giver")
ENDS_BORNE = tuple(slug for slug, mark in MARKS.items() if mark.ends_with == "bearer")
_SAID: dict[str, SaidAgain] = {slug: mark.again for slug, mark in MARKS.items() if mark.again != unsaid_again(slug)}


def said_again(kind: str) -> SaidAgain:
    """Return how a new mark combines with another of its kind; "" if it is as in the oldest records."""
    return _SAID.get(kind, "")


type PlannedAttacks = list[tuple[str, str, Mode]]  # (attacker, target, mode)

NO_ORDER = Order("")


def as_carried_out(orders: Mapping[str, Order]) -> Mapping[str, Order]:
    """Return orders as they are carried out. An army that surrenders does nothing else (R-88)."""
    if not any(order.surrender for order in orders.values()):
        return orders
    return {
        army: Order(army, target=None, surrender=True) if order.surrender else order for army, order in orders.items()
    }


class PhaseRun:
    """Working state of one phase. Every lasting change goes through `emit`."""

    __slots__ = (
        "_acting", "_seen", "at_range", "attacks", "dice", "draft", "emit", "orders", "phase", "plan", "present",
        "roll", "views",
    )  # fmt: skip

    def __init__(self, draft: Draft, dice: Dice):
        self.draft = draft
        self.dice = dice
        self.emit = draft.emit
        self.roll = dice.roll
        self.phase = draft.battle.phase
        self.orders = as_carried_out(draft.battle.orders)
        self.present = draft.battle.armies
        self.at_range: set[tuple[str, str]] = set()
        self.plan: PlannedAttacks = []
        self.views: dict[str, ArmyView] = {}
        self._seen: dict[str, ArmyView] = {}
        self._acting: list[str] | None = None
        self.attacks: list[e.Attacked] = []

    def mark(self, army: str, mark: Mark, rule: str, by: str = "") -> None:
        """Put a mark on an army."""
        self.emit(e.Marked(army, mark, by, rule, said_again(mark.kind)))

    def leave(self, army: str, status: Status, rule: str, by: str = "") -> None:
        """Let an army leave the field. Its songs and the like end (R-25)."""
        self.emit(e.Left(army, status, by, rule, ENDS_GIVEN, ENDS_BORNE))

    @property
    def tick(self) -> int:
        return self.phase.tick

    @property
    def melee(self) -> bool:
        return self.phase.kind == MELEE

    @property
    def everyday(self) -> Mode:
        """Mode of attacks in this phase, except for armies that keep their distance."""
        return "melee" if self.melee else "shot"

    def army(self, army_id: str) -> ArmyInBattle:
        return self.draft.armies[army_id]

    def order(self, army_id: str) -> Order:
        return self.orders.get(army_id, NO_ORDER)

    def view(self, army_id: str) -> ArmyView:
        """Return a view of the army's current state. It is cached until the army or the field changes."""
        army, battle = self.draft.armies[army_id], self.draft.battle
        view = self._seen.get(army_id)
        if view is None or view.army is not army or view.battle is not battle:
            view = self._seen[army_id] = ArmyView(battle, army)
        return view

    def look(self) -> None:
        """Freeze the views of all armies at step 6. Blows and parting shots are computed from these."""
        battle = self.draft.battle
        self.views = {army.id: ArmyView(battle, army) for army in self.draft.on_field()}

    def waits(self, army: ArmyInBattle) -> bool:
        """Whether the army's last stand waits for the next melee phase. Until then it neither acts nor is
        attacked (R-52).
        """
        if not army.marks:
            return False
        stand = army.mark("last-stand")
        return stand is not None and (not self.melee or stand.other == str(self.tick))

    def acting(self) -> list[ArmyInBattle]:
        """Return the armies that take part in this phase. One that arises in it acts from the next on (R-54)."""
        here = self.present
        return [army for army in self.draft.on_field() if army.id in here and not (army.marks and self.waits(army))]

    def barred(self, army: ArmyInBattle) -> bool:
        """Whether the army makes no Offense check this phase: fear, a natural 1, a potion, a
        feigned retreat (PF-3.8).
        """
        return any(mark.kind in BARRING and mark.at == self.tick for mark in army.marks)

    def afraid(self, army: ArmyInBattle) -> bool:
        return any(mark.kind == "afraid" and mark.at == self.tick for mark in army.marks)

    def digging(self, army: ArmyInBattle) -> bool:
        return army.mark("burrowing", self.tick) is not None

    def mode(self, attacker: str, target: str) -> Mode:
        return "melee" if self.melee and (attacker, target) not in self.at_range else "shot"

    def able(self, army: str, mode: Mode) -> bool:
        """Whether the army can attack in this mode. Anyone can in melee; at range those who can shoot in this wind
        (PF-3.8) and do not burrow (R-60).
        """
        if mode == "melee":
            return True
        view = self.view(army)
        return can_shoot(view) and wind_allows(view) and not self.digging(self.army(army))

    def out_of_reach(self, army: ArmyInBattle, target: ArmyInBattle, mode: Mode) -> str:
        """Return why the army cannot reach the target in this mode ("burrowing", "hovering"), or "" (R-26)."""
        if not army.marks and not target.marks:
            return ""
        below = self.digging(army) or (self.digging(target) and target.profile.works(t.BURROWS, army.profile))
        if below and not (t.BURROWS in army.profile.traits and t.BURROWS in target.profile.traits):
            return "burrowing"
        hovers = target.mark("hovering", self.tick) is not None and target.profile.works(t.FLIES, army.profile)
        return "hovering" if hovers and mode == "melee" and t.FLIES not in army.profile.traits else ""

    def may_leave(self, army: ArmyInBattle) -> bool:
        """Whether the army can leave the field by withdrawing (R-59, R-62)."""
        return why_it_stays(self.draft.battle, army) is None

    def may_face(self, army: ArmyInBattle, foe: str | None) -> bool:
        """Whether this is an enemy on the field that can be attacked in this phase."""
        held = self.draft.armies.get(foe or "")
        return held is not None and held.side != army.side and held.status == FIGHTING and not self.waits(held)

    def seeks(self, army: ArmyInBattle) -> bool:
        """Whether the army has to find a target: neither an ordered nor a previous one is available (PF-3.5, R-21)."""
        wanted = self.order(army.id).target
        named = wanted is None or (wanted != KEEP and self.may_face(army, wanted))
        return not named and not self.may_face(army, army.target)

    def target_of(self, army: ArmyInBattle) -> str | None:
        """Return the ordered target, else the previous one, else the first enemy it may attack (PF-3.5, R-21)."""
        if self.seeks(army):
            return self.first_foe(army)
        wanted = self.order(army.id).target
        return wanted if wanted is None or (wanted != KEEP and self.may_face(army, wanted)) else army.target

    def first_foe(self, army: ArmyInBattle) -> str | None:
        """Return the first reachable enemy in attack order. The list is cached, because nobody leaves while targets are
        declared.
        """
        if self._acting is None:
            self._acting = [held.id for held in self.acting()]
        for held in self._acting:
            foe = self.draft.armies[held]
            if foe.side != army.side and not self.out_of_reach(army, foe, self.everyday):
                return held
        return None

    def check(
        self, army: ArmyInBattle, name: str, purpose: Purpose, dc: int, extra: Iterable[Line] = ()
    ) -> tuple[bool, dict[str, object]]:
        """Make a morale check against a fixed DC (PF-3.1). Returns the success and the fields of its event.

        A mindless army succeeds without a roll. An army that fails while it is afraid is doomed to rout (R-45).
        """
        if t.MINDLESS in army.profile.traits:
            return True, {"against": dc, "automatic": True}
        lines = morale_lines(Situation(self.view(army.id), purpose=purpose), extra)
        roll = self.roll(army.id, name, 20)
        result = roll.value + total(lines)
        return result >= dc, {"rolls": (roll,), "check": result, "against": dc, "lines": lines}

    def doom(self, army: ArmyInBattle, success: bool) -> None:
        if not success and self.afraid(army) and army.mark("doomed") is None:
            self.mark(army.id, Mark("doomed", at=self.tick), "R-45")


def chance_to_pass(bonus: int, dc: int) -> float:
    """Return the chance that a morale check reaches its DC (PF-3.1)."""
    return min(20, max(0, 21 + bonus - dc)) / 20


def healed(hp: int, hp_max: int, amount: int) -> int:
    """Return hit points after healing of at least 1, at most the maximum (R-2)."""
    return min(hp_max, hp + max(1, amount))
