"""Summary of a battle, and verdict of each phase (PF-3.2, PF-3.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rules import law
from rules.aftermath import HELD, HURT, LEFT_OF, holder
from rules.core.text import Said, Term, _, say
from rules.core.viewers import band_of
from rules.law import Fate, Verdict, whole
from rules.pathfinder.battle.orders.legal import awaiting
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import (
    AFTERMATH,
    CAPTURED,
    CLOSED,
    DEFEATED,
    FIGHTING,
    MELEE,
    RANGED,
    ROUTED,
    SETUP,
    TACTICS,
    WITHDRAWN,
    ArmyInBattle,
    BattleState,
    Phase,
)

# Summary: phases, sides and armies, who is awaited, and the result.

STATUS_OF = {SETUP: law.SETUP, AFTERMATH: law.AFTERMATH, CLOSED: law.CLOSED}
STATUS_WORDS: dict[str, Term] = {
    FIGHTING: _("fighting"),
    WITHDRAWN: _("withdrew"),
    ROUTED: _("routed"),
    DEFEATED: _("defeated"),
    CAPTURED: _("captured"),
}
STAGE_NAMES: dict[str, Term] = {
    SETUP: _("Setup"),
    TACTICS: _("Tactics"),
    RANGED: _("Ranged"),
    MELEE: _("Melee"),
    AFTERMATH: _("Aftermath"),
    CLOSED: _("Aftermath"),
}
NUMBERED = {RANGED: _("Ranged {number}"), MELEE: _("Melee {number}")}
TO_COME = (SETUP, TACTICS, RANGED, MELEE, AFTERMATH)
RISEN = "~"  # in the id of an army that arose in the battle


def summary_of(battle: BattleState) -> law.Summary:
    return law.Summary(
        status=STATUS_OF.get(battle.phase.kind, law.RUNNING),
        stage=stage_of(battle.phase),
        stages=tuple(_stages(battle)),
        sides=tuple(law.Team(side.name, side.armies) for side in battle.sides),
        armies={army.id: _combatant(army, worded=army.id in battle.worded) for army in battle.armies.values()},
        waiting_for=tuple(law.Awaited(army, what) for army, what in awaiting(battle)),
        outcome=_outcome(battle),
        ordered=frozenset(army.id for army in battle.on_field() if army.id in battle.orders),
    )


def stage_of(phase: Phase) -> law.Stage:
    return law.Stage(phase.kind, phase.number, phase_label(phase))


def phase_label(phase: Phase) -> Said:
    """Return the phase's name, such as "Melee 2". The first ranged phase has no number, because there is usually only
    one.
    """
    if phase.kind == MELEE or (phase.kind == RANGED and phase.number > 1):
        return say(NUMBERED[phase.kind], number=phase.number)
    return STAGE_NAMES[phase.kind]


def _stages(battle: BattleState) -> Iterator[tuple[law.Stage, str]]:
    now = battle.phase
    for phase in battle.phases:
        yield stage_of(phase), "done"
    if now.kind == CLOSED:
        yield stage_of(Phase(AFTERMATH)), "done"
        return
    yield stage_of(now), "current"
    for kind in TO_COME[TO_COME.index(now.kind) + 1 :]:
        yield law.Stage(kind, 1, STAGE_NAMES[kind]), "to come"


def _combatant(army: ArmyInBattle, *, worded: bool) -> law.Combatant:
    leader = army.spec.commander
    words = band_of(army.hp, army.hp_max).word if worded else None
    return law.Combatant(
        id=army.id,
        name=army.name,
        side=army.side,
        status=army.status,
        status_word=STATUS_WORDS[army.status],
        health=army.hp,
        health_max=army.hp_max,
        kingdom=army.spec.kingdom,
        leader=leader.id if leader else "",
        leader_name=leader.name if leader else "",
        risen_from=army.id.partition(RISEN)[0] if RISEN in army.id else "",
        fighting=army.status == FIGHTING,
        share=words is not None,
        words=words,
    )


def _outcome(battle: BattleState) -> law.Outcome | None:
    result = battle.result
    if result is None:
        return None
    winner = None if result.winner is None else battle.sides[result.winner].name
    return law.Outcome(result.winner, str(result.reason), holder(winner))


# Verdict of a phase: its effect on each army in a few words, at the top of every page (PF-3.5).

UNTOUCHED, JOINED = _("untouched"), _("joined")


@dataclass(frozen=True, slots=True)
class Story:
    """Story of one army in a phase: the events that concern it. `army` is its state afterwards."""

    army: ArmyInBattle
    own: tuple[e.Event, ...]
    blows: tuple[e.Attacked, ...]
    names: dict[str, str]
    worded: bool = False

    def last[T](self, kind: type[T]) -> T | None:
        return next((event for event in reversed(self.own) if isinstance(event, kind)), None)

    @property
    def lost(self) -> int:
        """Hit points lost, as far as the reader may know (`secrecy`)."""
        wounds = (event.amount or 0 for event in self.own if isinstance(event, e.Wounded))
        blows = (whole(blow.hp_before) - whole(blow.hp_after) for blow in self.blows if blow.hp_before is not None)
        return sum(blows) + sum(wounds)

    @property
    def hurt(self) -> bool:
        """Whether the army lost hit points, known or hidden."""
        hit = any(blow.damage is None for blow in self.blows)
        return bool(self.lost) or hit or any(isinstance(ev, e.Wounded) and ev.amount is None for ev in self.own)

    @property
    def left(self) -> Said:
        army = self.army
        return band_of(army.hp, army.hp_max).word if self.worded else say(LEFT_OF, left=army.hp, max=army.hp_max)

    @property
    def gone(self) -> bool:
        return self.army.status != FIGHTING


def verdict_of(before: BattleState, events: Sequence[e.Event], after: BattleState) -> Verdict:
    """Return the verdict on every army that was on the field before or joined, in order."""
    there = {army.id for army in before.on_field()} | (after.armies.keys() - before.armies.keys())
    armies = (after.armies[army] for side in after.sides for army in side.armies if army in there)
    names = {army.id: army.name for army in after.armies.values()}
    stories = [_story(army, events, names, worded=army.id in after.worded) for army in armies]
    if before.phase.kind in (SETUP, TACTICS) and not any(story.blows for story in stories):
        begun = BEGUN if before.phase.kind == SETUP else None
        return Verdict(phase_label(before.phase), tuple(_before_blows(stories)), news=begun)
    return Verdict(phase_label(before.phase), tuple(map(_fate, stories)))


BEGUN = _("The battle has begun")


def _before_blows(stories: Iterable[Story]) -> Iterator[Fate]:
    """Yield the fates of armies to which something happened before anybody could attack."""
    for story in stories:
        fate = _fate(story)
        if story.gone or story.lost or fate.word != UNTOUCHED:
            yield fate
        elif fate.text != story.left:
            yield fate._replace(own=say(_("{army}: {fate}."), army=story.army.name, fate=fate.text))


def _story(army: ArmyInBattle, events: Sequence[e.Event], names: dict[str, str], *, worded: bool) -> Story:
    own = tuple(event for event in events if getattr(event, "army", "") == army.id)
    blows = tuple(event for event in events if isinstance(event, e.Attacked) and event.target == army.id)
    return Story(army, own, blows, names, worded)


def _fate(story: Story) -> Fate:
    text = next(_texts(story))
    return Fate(story.army.id, story.lost, _word(story), text, _own(story, text), story.gone)


def _word(story: Story) -> Said:
    if story.gone:
        return STATUS_WORDS[story.army.status]
    if story.hurt and not story.lost:
        return HURT
    return HELD if story.blows else JOINED if story.last(e.ArmyJoined) else UNTOUCHED


def _texts(story: Story) -> Iterator[Said]:
    """Yield short texts on the army, most important first. There is always one."""
    yield from _trials(story)
    yield from _misses(story)
    yield from _changes(story)
    yield story.left


def _trials(story: Story) -> Iterator[Said]:
    if story.gone:
        return
    if story.last(e.LastStand):
        yield _("makes its last stand")
    rout, fear = story.last(e.RoutChecked), story.last(e.FearChecked)
    if rout is not None and rout.rolls:
        yield say(_("stood firm: {check} against {against}"), check=rout.check, against=rout.against)
    if fear is not None and not fear.success:
        yield _("shaken by fear")
    withdrawal = story.last(e.WithdrawalDecided)
    if withdrawal is not None and withdrawal.outcome in ("stays", "pursued"):
        yield _("couldn’t get away")


def _misses(story: Story) -> Iterator[Said]:
    if not story.blows or story.hurt:
        return
    if len(story.blows) > 1:
        yield _("no attacker broke through")
        return
    blow = story.blows[0]
    foe = story.names[blow.army]
    if blow.check is None or blow.against is None:
        yield say(_("{foe} missed"), foe=foe)
        return
    short = blow.against - blow.check
    yield (
        say(_("{foe} missed by {short}"), foe=foe, short=short)
        if short > 0
        else say(_("{foe} dealt no damage"), foe=foe)
    )


def _changes(story: Story) -> Iterator[Said]:
    healed, changed = story.last(e.Healed), story.last(e.TacticChosen)
    if story.hurt or story.gone:
        return
    if healed is not None and healed.amount is None:
        yield _("recovered")
    elif healed is not None and healed.amount:
        yield say(_("healed {amount}"), amount=healed.amount)
    if changed is not None and not changed.success:
        yield _("did not change its tactic")


def _own(story: Story, text: Said) -> Said:
    army = story.army.name
    if story.gone:
        return say(_("{army}: {fate}."), army=army, fate=STATUS_WORDS[story.army.status])
    if story.lost:
        return say(_("{army} lost {lost}: {left}."), army=army, lost=story.lost, left=text)
    if story.blows:
        return say(_("{army} held: {left}."), army=army, left=text)
    return say(_("{army}: not attacked, {left}."), army=army, left=text)
