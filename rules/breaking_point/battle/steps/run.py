"""What a round needs while it is resolved: the draft, the dice, who aims at whom."""

from __future__ import annotations

from typing import NamedTuple

from rules.breakdown import Breakdown
from rules.breaking_point import dice as d
from rules.breaking_point.battle import events as e
from rules.breaking_point.battle.field import CLOSE_USE, CONTACT_USE, power_lines
from rules.breaking_point.battle.fold import Draft
from rules.breaking_point.battle.reach import why_out_of_reach
from rules.breaking_point.battle.state import FIGHTING, BattleNow, Body
from rules.dice import Dice, Roll

ATTACK, SHOOT = "attack", "shoot"


class Aim(NamedTuple):
    """What a body was ordered to do to whom."""

    body: str
    target: str
    do: str


class Run:
    """The working table of one command. Everything that lasts goes through `emit`."""

    __slots__ = ("_powers", "aims", "attacked", "dice", "draft", "emit", "lost")

    def __init__(self, battle: BattleNow, dice: Dice):
        self.draft = Draft(battle)
        self.dice = dice
        self.emit = self.draft.emit
        self.aims: dict[str, Aim] = {}
        self.lost: set[str] = set()
        self.attacked: set[str] = set()
        self._powers: dict[tuple[str, str, int], Breakdown] = {}

    @property
    def battle(self) -> BattleNow:
        return self.draft.battle

    def body(self, body_id: str) -> Body:
        return self.draft.bodies[body_id]

    def throw(self, owner: str, name: str) -> tuple[tuple[Roll, ...], int]:
        """An open die, and its worth (B-1)."""
        plain = self.battle.house.plain_die
        rolls = d.throw(self.dice, owner, name, plain=plain)
        return rolls, d.worth(rolls, plain=plain)

    def look(self) -> None:
        """A step begins: what is reckoned in it is reckoned from here (B-21)."""
        self._powers.clear()

    def power(self, body: Body, use: str, armour: int) -> Breakdown:
        key = (body.id, use, armour)
        if key not in self._powers:
            self._powers[key] = power_lines(self.battle, body, use, armour)
        return self._powers[key]

    def weight(self, body: Body, against: Body) -> int:
        """Its power at contact, as numbers compare it: shooters count with what they have there (B-29)."""
        use = CLOSE_USE if body.shoots_only else CONTACT_USE
        return max(0, self.power(body, use, against.formation.armour).total)

    def take_aim(self) -> None:
        """The orders are revealed; what has become impossible is lost for the round (B-23)."""
        for body in self.battle.on_field():
            order = self.battle.order_of(body)
            if order.do in (ATTACK, SHOOT):
                aim = self.aims[body.id] = Aim(body.id, order.target, order.do)
                if why := self.why_lost(aim):
                    self.lose(aim, why)

    def lose(self, aim: Aim, why: str, rule: str = "B-23") -> None:
        self.lost.add(aim.body)
        self.emit(e.OrderLost(aim.body, aim.target, why, rule))

    def standing(self, *deeds: str) -> list[Aim]:
        """Aims to do these that were not lost."""
        return [aim for aim in self.aims.values() if aim.do in deeds and aim.body not in self.lost]

    def why_lost(self, aim: Aim) -> str:
        """Why this aim cannot be carried out any more, "" where it can (B-23)."""
        body, target = self.body(aim.body), self.draft.bodies.get(aim.target)
        if body.status != FIGHTING:
            return "broken"
        if target is None or not target.on_field:
            return "gone"
        if body.rests == self.battle.round:
            return "rests"
        return why_out_of_reach(self.battle, body, target, aim.do)

    def attackers(self) -> dict[str, list[str]]:
        """By body, those who attack it at contact and still can."""
        found: dict[str, list[str]] = {}
        for aim in self.standing(ATTACK):
            if not self.why_lost(aim):
                found.setdefault(aim.target, []).append(aim.body)
        return found
