"""Random battles of thucidide-fantasy: any legal command may be next."""

from __future__ import annotations

from random import Random
from typing import Any

from rules.core.viewers import Viewer
from rules.pending import AnswerCommand, AskedField, Pending
from rules.thucidide_fantasy.battle.record.state import FantasyState
from rules.thucidide_fantasy.battle.spells.appeals import usual_answer
from rules.thucidide_fantasy.contingent import ContingentCharacter, ContingentUnit
from rules.thucidide_fantasy.grimoire import SPELLS
from rules.thucidide_fantasy.spec import BattleOptions, ContingentSpec
from tests.rules.thucidide_fantasy.fights import LAW, army, begun, open_ground, starter

ROUGH = (
    "............", "............", "............", "..ww..t..w..", "..t...AA.^..", "...m..~~.t..", "............",
    ".w..t...kk..", "...^....t...", "............", "............", "............",
)  # fmt: skip
EVERY_SPELL = tuple(SPELLS) * 2
MAGES = tuple(
    ContingentCharacter(name, "caster", points=500, cards=EVERY_SPELL) for name in ("Ash", "Ida")
)  # fmt: skip
HEROES = (
    ContingentCharacter("Bo", "hero", "medium", melee=2, resistance=3, shot=2, range=3),
    ContingentCharacter("Kai", "hero", "light", melee=1, resistance=2, traits=("invulnerable", "morale")),
    ContingentCharacter("Sage", "useful", traits=("threat",)),
)


def motley(side: int) -> tuple[ContingentSpec, ...]:
    """Two armies with everything the law knows."""
    one, two = f"{'ab'[side]}0", f"{'ab'[side]}1"
    veterans = ContingentUnit("foot-medium", "Veterans", "elite", traits=("tenacious", "armour"))
    return (
        army(one, side, "dragon", "tigers", "skeletons", "ghouls", veterans, people=MAGES, chief=f"Chief {one}"),
        army(two, side, "riders-medium", "bows", "engine", "warg-riders", "pike", people=HEROES, rank="sub-general",
             chief=f"Chief {two}"),
    )  # fmt: skip


def ground(number: int) -> dict[str, Any]:
    maps = (open_ground(12, 10), open_ground(terrain=ROUGH), starter("meadows"), starter("the-pass"))
    return maps[number % len(maps)]


def start(seed: int, **more: Any) -> FantasyState:
    options = BattleOptions(turn_limit=8, **more.pop("options", {}))
    state = begun(*motley(0), *motley(1), map_=ground(seed), options=options, **more)
    state = state.but(consents=(True, True), counters=(12, 12))
    return nearer(state) if seed % 2 else state


def nearer(state: FantasyState) -> FantasyState:
    """The northern side has come near the southern one."""
    field, shift = state.field, state.field.ground.rows - 5
    for token in sorted(field.of_side(1), key=lambda one: one.id):
        at = f"{token.at[0]}{int(token.at[1:]) + shift}"
        room = all(one.side == 1 and (one.character or token.character) for one in field.at(at))
        if field.ground.terrain(at).footing == "clear" and room:
            field = field.put(token.id, at=at)
    return state.but(field=field)


def any_command(seen: FantasyState, viewer: Viewer, random: Random) -> Any:
    """A legal command, drawn step by step as a person picks it."""
    pending = LAW.pending(seen, viewer)
    if pending:
        return any_answer(seen, pending[0], random)
    for _try in range(12):
        legal = LAW.legal(seen, viewer)
        if complete(legal) and (random.random() < 0.06 or not (legal.able or legal.acts)):
            return legal.confirm.command
        picks: tuple[str, ...] = ()
        for _step in range(4):
            offers = _offers(legal, picks)
            if not offers:
                break
            picks = (*picks, random.choice(offers))
            legal = LAW.legal(seen, viewer, picks)
            if complete(legal) and (legal.targets or random.random() < 0.5) and random.random() < 0.8:
                return legal.confirm.command
    legal = LAW.legal(seen, viewer)
    if complete(legal):
        return legal.confirm.command
    return forced_command(seen, viewer, random)


def complete(legal: Any) -> bool:
    """The board offers a command, and nothing is missing to it."""
    return legal.confirm is not None and legal.confirm.why_not is None


def forced_command(seen: FantasyState, viewer: Viewer, random: Random) -> Any:
    """What has to be done before the phase can end."""
    from rules.thucidide_fantasy.battle.turn import forced

    unit = next(forced(seen))
    legal = LAW.legal(seen, viewer, (unit,))
    offers = [step.hex for step in legal.steps if step.why_not is None] + [one.target for one in legal.targets]
    return LAW.legal(seen, viewer, (unit, random.choice(offers))).confirm.command


def _offers(legal: Any, picks: tuple[str, ...]) -> list[str]:
    found = [] if picks else list(legal.able)
    found += [step.hex for step in legal.steps if step.why_not is None]
    found += [target.target for target in legal.targets if target.why_not is None]
    found += [act.slug for act in legal.acts if act.why_not is None]
    return [one for one in found if one not in picks]


def any_answer(seen: FantasyState, asked: Pending, random: Random) -> Any:
    if asked.key == "god" and random.random() < 0.5:
        return usual_answer(seen)
    answers = {field.key: _any_of(field, random) for field in asked.asks}
    numbers = [key for key, value in answers.items() if isinstance(value, int) and asked.key == "god"]
    for key in numbers[2:]:
        answers[key] = 0
    for key in numbers:
        place = f"place:{key}"
        if answers.get(place) == "":
            answers[key] = 0
        answers[key] = min(answers[key], 4)
    if asked.key == "god" and len({value for key, value in answers.items() if key.startswith("place:")}) > 1:
        return usual_answer(seen)
    return AnswerCommand(asked.key, "", answers)


def _any_of(field: AskedField, random: Random) -> Any:
    if field.kind == "number":
        return random.randint(field.low, field.high)
    if field.kind == "die":
        return random.choice([None, *range(len(field.dice))])
    return random.choice(field.options)[0]
