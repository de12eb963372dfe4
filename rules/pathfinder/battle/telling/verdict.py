"""Verdict of a phase: what it did to each army, in a few words, at the top of every page (PF-3.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rules.core.health import band_of
from rules.core.text import Said, _, say
from rules.law import Fate, Verdict, whole
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import FIGHTING, ArmyInBattle, BattleState
from rules.pathfinder.battle.telling.summary import STATUS_WORDS, phase_label
from rules.verdicts import HELD, HURT, LEFT_OF

UNTOUCHED, JOINED = _("untouched"), _("joined")


@dataclass(frozen=True, slots=True)
class Story:
    """What happened to one army: the events of the phase that concern it. `after`: how it stands now."""

    army: ArmyInBattle
    own: tuple[e.Event, ...]
    blows: tuple[e.Attacked, ...]
    names: dict[str, str]
    worded: bool = False

    def last[T](self, kind: type[T]) -> T | None:
        return next((event for event in reversed(self.own) if isinstance(event, kind)), None)

    @property
    def lost(self) -> int:
        """As far as it is told (`secrecy`)."""
        wounds = (event.amount or 0 for event in self.own if isinstance(event, e.Wounded))
        blows = (whole(blow.hp_before) - whole(blow.hp_after) for blow in self.blows if blow.hp_before is not None)
        return sum(blows) + sum(wounds)

    @property
    def hurt(self) -> bool:
        """Whether it lost anything, told or not."""
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
    """Of every army that stood on the field before it, or came onto it, in their order."""
    there = {army.id for army in before.on_field()} | (after.armies.keys() - before.armies.keys())
    armies = (after.armies[army] for side in after.sides for army in side.armies if army in there)
    names = {army.id: army.name for army in after.armies.values()}
    fates = tuple(_fate(_story(army, events, names, worded=army.id in after.worded)) for army in armies)
    return Verdict(phase_label(before.phase), fates)


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
    """What there is to say of it, the most telling first. There is always something."""
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
        yield _("could not get away")


def _misses(story: Story) -> Iterator[Said]:
    if not story.blows or story.hurt:
        return
    if len(story.blows) > 1:
        yield _("nobody broke through")
        return
    blow = story.blows[0]
    foe = story.names[blow.army]
    if blow.check is None or blow.against is None:
        yield say(_("{foe} missed"), foe=foe)
        return
    short = blow.against - blow.check
    yield say(_("{foe} missed by {short}"), foe=foe, short=short) if short > 0 else say(_("{foe} did no harm"), foe=foe)


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
    return say(_("{army} was not attacked: {left}."), army=army, left=text)
