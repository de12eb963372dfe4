"""Summary of a battle (phases, sides, armies, whom it waits for, the result), and verdict of a command."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules import law
from rules.aftermath import HELD, HURT, Fate, Verdict, holder
from rules.breaking_point.battle.state import events as e
from rules.breaking_point.battle.state.battle_state import (
    AFTERMATH,
    ANNIHILATED,
    ASSAULT,
    CLOSED,
    COMMAND,
    FIGHTING,
    FLED,
    ON_FIELD,
    ROUND,
    SETUP,
    SURRENDERED,
    WAITING,
    WITHDRAWN,
    BattleNow,
    Body,
    Phase,
    state_of,
)
from rules.breaking_point.battle.state.field_figures import (
    CONTACT_USE,
    SHOT_USE,
    army_command,
    chief_army,
    combat_lines,
    defense_lines,
    power_lines,
)
from rules.breaking_point.battle.state.reach import steps_of
from rules.breaking_point.battle.telling.sentences import ENDS, words_of
from rules.breaking_point.battle.telling.words import STATE_WORDS, STATUS_WORDS, body_name, phase_label
from rules.breaking_point.figures import unit_force
from rules.breaking_point.losses import share, shared
from rules.core.breakdown import Breakdown, Line
from rules.core.text import Said, _, minus, say
from rules.core.viewers import WHOLE, band_of
from rules.law import Figures

STATUS_OF = {SETUP: law.SETUP, AFTERMATH: law.AFTERMATH, CLOSED: law.CLOSED}
GRAVEST = (SURRENDERED, ANNIHILATED, FLED, WITHDRAWN)


def summary_of(battle: BattleNow) -> law.Summary:
    return law.Summary(
        status=STATUS_OF.get(battle.phase.kind, law.RUNNING),
        stage=stage_of(battle.phase),
        stages=tuple(_stages(battle)),
        sides=tuple(law.Team(side.name, side.armies) for side in battle.sides),
        armies={army: _combatant(battle, army, at) for at, side in enumerate(battle.sides) for army in side.armies},
        waiting_for=tuple(_awaited(battle)),
        outcome=_outcome(battle),
        names=names_of(battle),
        ordered=frozenset(battle.orders),
    )  # fmt: skip


def stage_of(phase: Phase) -> law.Stage:
    return law.Stage(phase.kind, phase.number, phase_label(*phase))


def names_of(battle: BattleNow) -> dict[str, Said | str]:
    """Return names of bodies and sides, for which dice are rolled too."""
    sides: dict[str, Said | str] = {f"side-{index}": side.name for index, side in enumerate(battle.sides)}
    return {**sides, **{body.id: body_name(battle, body) for body in battle.bodies.values()}}


def _stages(battle: BattleNow) -> Iterator[tuple[law.Stage, str]]:
    for phase in battle.phases:
        yield stage_of(phase), "done"
    now = battle.phase
    if now.kind == CLOSED:
        yield stage_of(Phase(AFTERMATH)), "done"
        return
    yield stage_of(now), "current"
    ahead = (SETUP, COMMAND, ROUND, AFTERMATH)
    for kind in ahead[ahead.index(now.kind) + 1 :]:
        yield stage_of(Phase(kind)), "to come"


def _awaited(battle: BattleNow) -> Iterator[law.Awaited]:
    """Yield who has not given orders: before the command test each side's chief, in a round every army on the field."""
    if battle.phase.kind == COMMAND:
        chiefs = [chief_army(battle, side) for side in range(len(battle.sides))]
        yield from (law.Awaited(army, ("withdraw",)) for army in chiefs if army and army not in battle.orders)
    if battle.phase.kind == ROUND:
        for army in battle.owners():
            here = any(body.status in (FIGHTING, WAITING) for body in battle.of_army(army))
            if here and army not in battle.orders:
                yield law.Awaited(army, ("order",))


def _combatant(battle: BattleNow, army: str, side: int) -> law.Combatant:
    host = battle.armies[army]
    left, most = health_of(battle, army)
    status = status_of(battle, army)
    leader = host.commander
    return law.Combatant(
        id=army,
        name=host.name,
        side=side,
        status=status,
        status_word=STATUS_WORDS[status],
        health=left,
        health_max=most,
        kingdom=host.kingdom,
        leader=leader.id if leader else "",
        leader_name=leader.name if leader else "",
        fighting=status == FIGHTING,
        share=army in battle.masked,
        words=band_of(left, most).word if army in battle.worded else None,
    )


def bodies_of(battle: BattleNow, army: str) -> list[Body]:
    """Return the bodies in which it has units. In an assault others may own them."""
    return [b for b in battle.bodies.values() if b.army == army or any(m.army == army for m in b.formation.members)]


def health_of(battle: BattleNow, army: str) -> tuple[int, int]:
    """Return force left and maximum force; for a masked army in hundredths, as its bodies appear."""
    left = most = 0
    for body in bodies_of(battle, army):
        owners = [member.army for member in body.formation.members] or [army]
        if set(owners) == {army}:
            own, lost = body.force, body.losses
        else:
            forces = [unit.strength if body.masked else unit_force(unit) for unit in battle.units(body)]
            own = sum(p for p, owner in zip(shared(body.force, forces), owners, strict=True) if owner == army)
            lost = sum(p for p, owner in zip(shared(body.losses, forces), owners, strict=True) if owner == army)
        seems = max(1, body.formation.heads) if body.masked else 1
        left, most = left + seems * max(0, own - lost), most + seems * own
    return (WHOLE * left // max(1, most), WHOLE) if army in battle.masked else (left, most)


def status_of(battle: BattleNow, army: str) -> str:
    """Return "fighting" while any body is on the field or waits; else the status of its strongest body."""
    own = bodies_of(battle, army)
    if any(body.status in (*ON_FIELD, WAITING) for body in own):
        return FIGHTING
    return max(own, key=lambda body: (body.force, -GRAVEST.index(body.status))).status


def _outcome(battle: BattleNow) -> law.Outcome | None:
    result = battle.result
    if result is None:
        return None
    winner = None if result.winner is None else battle.sides[result.winner].name
    reason: Said | str = ENDS.get(result.reason) or words_of(result.reason)
    return law.Outcome(result.winner, reason, holder(winner))


# Verdicts.


def verdict_of(before: BattleNow, events: Sequence[e.Event], after: BattleNow) -> Verdict:
    """Return the verdict on every army that was on the field before or joined."""
    there = {army for army in before.armies if status_of(before, army) == FIGHTING}
    joined = after.armies.keys() - before.armies.keys()
    armies = [army for side in after.sides for army in side.armies if army in there | joined]
    return Verdict(phase_label(*before.phase), tuple(_fate(before, events, after, army) for army in armies))


def _fate(before: BattleNow, events: Sequence[e.Event], after: BattleNow, army: str) -> Fate:
    left, most = health_of(after, army)
    status = status_of(after, army)
    gone, lost = status != FIGHTING, max(0, health_of(before, army)[0] - left) if army in before.armies else 0
    if before.phase.kind == COMMAND and not gone:
        text, word = _initiative(after, after.side_of(army))
        own = say(_("{army}: {fate}, {then}."), army=after.armies[army].name, fate=text, then=word)
        return Fate(army, lost, word, text, own)
    worded = army in after.worded
    text = _told_so(left, most) if worded else _shape(most - left, most)
    if worded:
        lost, word = 0, HURT if _was_hurt(events, after, army) else HELD
        own = say(_("{army}: {fate}."), army=after.armies[army].name, fate=text)
        return Fate(army, lost, STATUS_WORDS[status] if gone else word, text, own, gone)
    own = say(_("{army}: {fate}."), army=after.armies[army].name, fate=STATUS_WORDS[status] if gone else text)
    return Fate(army, lost, STATUS_WORDS[status] if gone else HELD, text, own, gone)


def _was_hurt(events: Sequence[e.Event], battle: BattleNow, army: str) -> bool:
    own = {body.id for body in bodies_of(battle, army)}
    return any(isinstance(event, e.Suffered) and event.body in own for event in events)


def _told_so(left: int, most: int) -> Said:
    """Return its health in a word, with the state of such losses (BP-4.8)."""
    state = STATE_WORDS[state_of(most - left, max(1, most))]
    return say(_("{word}, {state}"), word=band_of(left, most).word, state=state)


def _shape(losses: int, force: int) -> Said:
    state = STATE_WORDS[state_of(losses, max(1, force))]
    if not losses:
        return state
    return say(_("{state}, {share}% lost"), state=state, share=share(losses, force))


def _initiative(battle: BattleNow, side: int) -> tuple[Said, Said]:
    """Return the result of a side's command test, and when it strikes."""
    score = battle.scores[side] if battle.scores else None
    text = _("no command test") if score is None else say(_("command test {score}"), score=minus(score))
    if side in battle.surprised:
        return text, _("surprised")
    steps = steps_of(battle.scores)
    if len(steps) < 2:
        return text, _("all at once")
    return text, _("strikes first") if side in steps[0] else _("strikes second")


# Current figures of every army, by body, and the length of a round (BP-1, B-3).

LONGER_ROW, SECONDS_BELOW, SECONDS_FROM = 10_000, (3, 5), (9, 25)
"""Seconds per head as a fraction: 0.6 below 10 000 heads on the field, 0.36 from there on."""


def figures_of_all(battle: BattleNow) -> Figures:
    """Return figures by army. A slug is a figure and the body's key: "power:contact". "command" is the army's; without
    a commander it is that of its troops on the field (B-15).
    """
    found: dict[str, dict[str, Breakdown]] = {}
    for army in battle.armies:
        own = battle.of_army(army)
        shown = {f"{name}:{body.key}": lines for body in own for name, lines in body_figures_now(battle, body).items()}
        there = [body for body in own if body.on_field] or own
        found[army] = {**shown, "command": army_command(battle, army, there)}
    return found


def body_figures_now(battle: BattleNow, body: Body) -> dict[str, Breakdown]:
    """Return a body's figures, without a target."""
    found = {
        "power": power_lines(battle, body, CONTACT_USE),
        "fire-power": power_lines(battle, body, SHOT_USE),
        "combat": combat_lines(battle, body, SHOT_USE if body.shoots_only else CONTACT_USE),
        "defense": defense_lines(battle, body, CONTACT_USE),
        "force": Breakdown((Line(_("Force"), body.force, "BP-2.4"),)).plus(_("Losses"), -body.losses, "BP-4.6"),
        "mobility": Breakdown((Line(_("Mobility"), body.formation.mobility, "B-13"),)),
    }
    if body.value is not None:
        found["breaking"] = Breakdown((Line(_("Breaking value"), body.value, "BP-2.5"),))
    return found


def seconds_of_a_round(battle: BattleNow) -> int:
    """Return the seconds of a round, from the heads at the start; twice as long in an assault (BP-1, B-3). Approximate
    for readers who do not know all heads (B-18).
    """
    opening = battle.opening
    known = (formation.heads for formation in opening.formations)
    heads = sum(known) or sum(unit.strength for host in opening.armies for unit in host.units)
    much, little = SECONDS_FROM if heads >= LONGER_ROW else SECONDS_BELOW
    return heads * much * (2 if battle.kind == ASSAULT else 1) // little
