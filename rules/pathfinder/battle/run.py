"""What one phase needs while it is resolved: the draft, the dice, who attacks whom and how."""

from __future__ import annotations

from collections.abc import Iterable

from rules.breakdown import Line
from rules.dice import Dice
from rules.pathfinder import traits as t
from rules.pathfinder.figures import Situation, morale_lines, total
from rules.pathfinder.marks import BARRING

from . import events as e
from .draft import Draft
from .state import FIGHTING, KEEP, MELEE, ArmyInBattle, Mark, Order
from .view import ArmyView, can_shoot, wind_allows

type Plan = list[tuple[str, str, str]]  # attacker, target, mode

NO_ORDER = Order("")


class PhaseRun:
    """The working table of one phase. Everything that lasts goes through `emit`."""

    __slots__ = (
        "_firsts", "_seen", "at_range", "attacks", "dice", "draft", "emit", "orders", "phase", "plan", "present",
        "roll", "views",
    )  # fmt: skip

    def __init__(self, draft: Draft, dice: Dice):
        self.draft = draft
        self.dice = dice
        self.emit = draft.emit
        self.roll = dice.roll
        self.phase = draft.battle.phase
        self.orders = draft.battle.orders
        self.present = draft.battle.armies
        self.at_range: set[tuple[str, str]] = set()
        self.plan: Plan = []
        self.views: dict[str, ArmyView] = {}
        self._seen: dict[str, ArmyView] = {}
        self._firsts: dict[int, str | None] = {}
        self.attacks: list[e.Attacked] = []

    @property
    def tick(self) -> int:
        return self.phase.tick

    @property
    def melee(self) -> bool:
        return self.phase.kind == MELEE

    def army(self, army_id: str) -> ArmyInBattle:
        return self.draft.armies[army_id]

    def order(self, army_id: str) -> Order:
        return self.orders.get(army_id, NO_ORDER)

    def view(self, army_id: str) -> ArmyView:
        """The army as it is now; the view is kept while neither the army nor the field has changed."""
        army, battle = self.draft.armies[army_id], self.draft.battle
        view = self._seen.get(army_id)
        if view is None or view.army is not army or view.battle is not battle:
            view = self._seen[army_id] = ArmyView(battle, army)
        return view

    def look(self) -> None:
        """Keep everybody on the field as they are at step 6: blows and parting shots are reckoned from this."""
        battle = self.draft.battle
        self.views = {army.id: ArmyView(battle, army) for army in self.draft.on_field()}

    def waits(self, army: ArmyInBattle) -> bool:
        """A last stand waits for the next melee phase: it neither acts nor is attacked (R-52)."""
        if not army.marks:
            return False
        stand = army.mark("last-stand")
        return stand is not None and (not self.melee or stand.other == str(self.tick))

    def acting(self) -> list[ArmyInBattle]:
        """Who takes part in this phase: an army that rises in it acts from the next (R-54)."""
        here = self.present
        return [army for army in self.draft.on_field() if army.id in here and not (army.marks and self.waits(army))]

    def barred(self, army: ArmyInBattle) -> bool:
        """No Offense check this phase: fear, a natural 1, a potion, a feigned retreat (PF-3.8)."""
        return any(mark.kind in BARRING and mark.at == self.tick for mark in army.marks)

    def afraid(self, army: ArmyInBattle) -> bool:
        return any(mark.kind == "afraid" and mark.at == self.tick for mark in army.marks)

    def digging(self, army: ArmyInBattle) -> bool:
        return army.mark("burrowing", self.tick) is not None

    def mode(self, attacker: str, target: str) -> str:
        return "melee" if self.melee and (attacker, target) not in self.at_range else "shot"

    def able(self, army: str, mode: str) -> bool:
        """It has the means to attack so: anybody in melee, at range those who can shoot in this wind (PF-3.8)."""
        return mode == "melee" or (can_shoot(view := self.view(army)) and wind_allows(view))

    def may_face(self, army: ArmyInBattle, foe: str | None) -> bool:
        """An enemy on the field that can be attacked in this phase."""
        held = self.draft.armies.get(foe or "")
        return held is not None and held.side != army.side and held.status == FIGHTING and not self.waits(held)

    def target_of(self, army: ArmyInBattle) -> str | None:
        """The target ordered, else the one it had, else the first enemy it may attack (PF-3.5, R-21)."""
        wanted = self.order(army.id).target
        if wanted is None:
            return None
        if wanted != KEEP and self.may_face(army, wanted):
            return wanted
        if self.may_face(army, army.target):
            return army.target
        return self._first_foe(army.side)

    def _first_foe(self, side: int) -> str | None:
        """The first enemy in attack order; kept, for nobody leaves the field while targets are declared."""
        if side not in self._firsts:
            self._firsts[side] = next((foe.id for foe in self.acting() if foe.side != side), None)
        return self._firsts[side]

    def check(
        self, army: ArmyInBattle, name: str, purpose: str, dc: int, extra: Iterable[Line] = ()
    ) -> tuple[bool, dict[str, object]]:
        """A morale check against a fixed DC (PF-3.1): success, and what its event tells.

        A mindless army never fails and rolls nothing. Failing while already afraid dooms the army (R-45).
        """
        if t.MINDLESS in army.profile.traits:
            return True, {"against": dc, "automatic": True}
        lines = morale_lines(Situation(self.view(army.id), purpose=purpose), extra)
        roll = self.roll(army.id, name, 20)
        result = roll.value + total(lines)
        return result >= dc, {"rolls": (roll,), "check": result, "against": dc, "lines": lines}

    def doom(self, army: ArmyInBattle, success: bool) -> None:
        if not success and self.afraid(army) and army.mark("doomed") is None:
            self.emit(e.Marked(army.id, Mark("doomed", at=self.tick), rule="R-45"))


def healed(hp: int, hp_max: int, amount: int) -> int:
    """Hit points after healing at least 1, never above the maximum (R-2)."""
    return min(hp_max, hp + max(1, amount))
