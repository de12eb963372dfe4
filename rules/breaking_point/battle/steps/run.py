"""Working state of a round while it is resolved: the draft, the dice, and each body's target."""

from __future__ import annotations

from typing import NamedTuple

from rules.breaking_point import dice as d
from rules.breaking_point.battle.state import events as e
from rules.breaking_point.battle.state.battle_state import FIGHTING, ON_FIELD, BattleNow, Body
from rules.breaking_point.battle.state.field_figures import CLOSE_USE, CONTACT_USE, Sums, power_now
from rules.breaking_point.battle.state.fold import Draft
from rules.breaking_point.battle.state.reach import why_out_of_reach
from rules.core.dice import Dice, Roll

ATTACK, SHOOT = "attack", "shoot"


class Aim(NamedTuple):
    """Order of a body to attack or shoot at a target."""

    body: str
    target: str
    do: str


class Run:
    """Working state of one command. Every lasting change goes through `emit`."""

    __slots__ = (
        "_attackers", "_moves", "_possible", "_powers", "aims", "attacked", "battle", "bodies", "dice", "draft",
        "emit", "lost",
    )  # fmt: skip

    def __init__(self, battle: BattleNow, dice: Dice):
        self.draft = Draft(battle)
        self.battle, self.bodies = self.draft.battle, self.draft.bodies
        self.dice = dice
        self.emit = self.draft.emit
        self.aims: dict[str, Aim] = {}
        self.lost: set[str] = set()
        self.attacked: set[str] = set()
        self._powers: dict[tuple[str, str, int], Sums] = {}
        self._possible: dict[str, list[Aim]] = {}
        self._attackers: dict[str, list[str]] | None = None
        self._moves = 0

    def body(self, body_id: str) -> Body:
        return self.bodies[body_id]

    def throw(self, owner: str, name: str) -> tuple[tuple[Roll, ...], int]:
        """Roll an open die. Returns the rolls and their value (B-1)."""
        plain = self.battle.house.plain_die
        rolls = d.throw(self.dice, owner, name, plain=plain)
        return rolls, d.worth(rolls, plain=plain)

    def look(self) -> None:
        """Begin a step. Powers within it are computed from its start (B-21)."""
        self._powers.clear()

    def power(self, body: Body, use: str, armour: int) -> Sums:
        key = (body.formation.id, use, armour)
        known = self._powers.get(key)
        if known is None:
            known = self._powers[key] = power_now(self.battle, body, use, armour)
        return known

    def weight(self, body: Body, against: Body) -> int:
        """Return its power at contact, for the ratio of numbers. Shooters count with their shots at contact (B-29)."""
        use = CLOSE_USE if body.shoots_only else CONTACT_USE
        return max(0, self.power(body, use, against.formation.armour).total)

    def take_aim(self) -> None:
        """Reveal the orders. Those that have become impossible are lost for the round (B-23)."""
        for body in self.battle.on_field():
            order = self.battle.order_of(body)
            if order.do in (ATTACK, SHOOT):
                own = body.formation.id
                aim = self.aims[own] = Aim(own, order.target, order.do)
                if why := self.why_lost(aim):
                    self.lose(aim, why)
        self._moves = self.draft.moves

    @property
    def moved(self) -> bool:
        """Whether a body broke, entered or left the field since the orders were revealed."""
        return self._moves != self.draft.moves

    def lose(self, aim: Aim, why: str, rule: str = "B-23") -> None:
        self.lost.add(aim.body)
        self._possible.clear()
        self._attackers = None
        self.emit(e.OrderLost(aim.body, aim.target, why, rule))

    def forget(self, body: str) -> None:
        """Drop the rest of a body's order."""
        self.aims.pop(body, None)
        self._possible.clear()
        self._attackers = None

    def standing(self, do: str) -> list[Aim]:
        """Return the aims of this kind that are not lost."""
        return [aim for aim in self.aims.values() if aim.do == do and aim.body not in self.lost]

    def possible(self, do: str) -> list[Aim]:
        """Return the aims of this kind that can still be carried out."""
        if self.moved:
            return [aim for aim in self.standing(do) if not self.why_lost(aim)]
        if do not in self._possible:
            self._possible[do] = self.standing(do)
        return self._possible[do]

    def why_lost(self, aim: Aim) -> str:
        """Return why this aim can no longer be carried out, or "" (B-23)."""
        body, target = self.bodies[aim.body], self.bodies.get(aim.target)
        if body.status != FIGHTING:
            return "broken"
        if target is None or target.status not in ON_FIELD:
            return "gone"
        if body.rests >= 0 and body.rests == self.battle.round:
            return "rests"
        return why_out_of_reach(self.battle, body, target, aim.do)

    def attackers(self) -> dict[str, list[str]]:
        """Return, for each body, the bodies that attack it at contact and still can."""
        if self._attackers is not None and not self.moved:
            return self._attackers
        found: dict[str, list[str]] = {}
        for aim in self.possible(ATTACK):
            found.setdefault(aim.target, []).append(aim.body)
        self._attackers = found
        return found
