"""Board of a battle as one viewer sees it: counters with badges, effects with turns left, graves, the turn track."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.core.text import Said, _, by_number, say
from rules.core.viewers import Viewer
from rules.hexbattle.board import Badge, Board, Cell, Clock, Counter, Effect
from rules.hexbattle.common import name_of
from rules.hexbattle.field import Token, by_name
from rules.hexbattle.ground import Timer
from rules.hexbattle.seeing import lying_on, set_up, sides_of
from rules.thucidide_fantasy.arsenal import TRAITS
from rules.thucidide_fantasy.battle.combat.engagement import must_fight, why_not_open
from rules.thucidide_fantasy.battle.combat.steps import OF_GM
from rules.thucidide_fantasy.battle.knowledge import places_shown
from rules.thucidide_fantasy.battle.marching_orders import must_move, why_not_move
from rules.thucidide_fantasy.battle.record.hand_fold import begun_now
from rules.thucidide_fantasy.battle.record.state import (
    COMMANDING,
    FIGHTING_PHASE,
    MOVING,
    PHASES,
    FantasyState,
)
from rules.thucidide_fantasy.battle.situation import GROVE, effects, flies, gifts
from rules.thucidide_fantasy.battle.spells.aiming import graves
from rules.thucidide_fantasy.battle.spells.spell_effects import why_not_cast
from rules.thucidide_fantasy.battle.telling.sentences import effect_name, effect_text
from rules.thucidide_fantasy.battle.telling.summary import glyph_of_effect
from rules.thucidide_fantasy.battle.turn import PHASE_NAMES
from rules.thucidide_fantasy.spec import (
    ARTILLERY,
    CAMELRY,
    CAVALRY,
    CHARIOTS,
    ELEPHANTS,
    GENERAL,
    INFANTRY,
)
from rules.thucidide_fantasy.starter import RANKS

ZONE_ROWS = 2
TAGS: Mapping[str, str] = {
    "recruits": "R", "foot-light": "FL", "foot-medium": "FM", "foot-heavy": "FH", "pike": "P", "guard": "G",
    "bows": "B", "crossbows": "X", "riders-light": "RL", "riders-medium": "RM", "riders-heavy": "RH",
    "warg-riders": "W", "tigers": "T", "ogres": "O", "giant-spider": "GS", "engine": "E", "mammoth": "M",
    "dragon": "D", "skeletons": "S", "zombies": "Z", "ghouls": "GH", "skeleton-riders": "SR",
    "hero": "H", "caster": "C", "leader": "L", "useful": "K",
}  # fmt: skip
"""Letters for each type and kind, the same in every language."""
OTHERS = "U"
GLYPHS: Mapping[str, str] = {
    "recruits": "levy", "foot-light": "light", "foot-medium": "medium", "foot-heavy": "heavy", "pike": "pike",
    "guard": "guard", "bows": "bows", "crossbows": "crossbow", "riders-light": "riders", "riders-medium": "riders",
    "riders-heavy": "riders", "warg-riders": "wargs", "tigers": "beasts", "ogres": "ogres", "giant-spider": "spider",
    "engine": "engine", "mammoth": "g-bull", "dragon": "dragon", "skeletons": "skeletons", "zombies": "zombies",
    "ghouls": "ghouls", "skeleton-riders": "skeletons", "hero": "hero", "caster": "mage", "leader": "g-crown",
    "useful": "g-hood",
}  # fmt: skip
OF_KINDS: Mapping[str, str] = {
    INFANTRY: "foot", CAVALRY: "riders", CAMELRY: "riders", CHARIOTS: "spider", ELEPHANTS: "g-bull",
    ARTILLERY: "engine",
}  # fmt: skip
ACTIVATED, ANNOUNCED, FOUGHT = _("activated"), _("announced a spell"), _("has fought")
FLIES = _("flies")
ACTIVE = by_number("{count} unit activated", "{count} units activated")
FALSE, TURNED = _("phantom"), _("turned against its own side")
GRAVES = _("Units that fell here can be raised once, if the hex is empty.")
TO_FIGHT = _("Units left to act: {left} of {count}")


def board(seen: FantasyState, viewer: Viewer) -> Board:
    """The board of the state a viewer sees."""
    field = seen.field
    tags = tags_of(seen)
    counters = (counter_of(seen, token, tags.get(token.id, "")) for token in by_name(field.tokens.values()))
    found = Board(
        tuple(
            counter for counter, token in zip(counters, by_name(field.tokens.values()), strict=True) if not token.gone
        ),
        tuple(effects_of(seen)),
        dict(field.ground.overlays),
        clock_of(seen, viewer) if field.started else None,
        seen.last,
        tuple((at, name_of(field, unit)) for at, unit in graves(seen)),
        GRAVES,
    )
    shown = places_shown(seen, sides_of(field, viewer))
    return set_up(found, field, viewer, seen.opening.sides, zone_rows=ZONE_ROWS, shown=shown)


def effects_of(seen: FantasyState) -> Iterator[Effect]:
    """The effects on hexes and units, with the turns left."""
    for timer in seen.field.timers:
        label, text, glyph = effect_name(seen, timer), effect_text(timer), glyph_of_effect(timer.effect)
        pieces = {seen.at(piece): piece for piece in timer.on if piece in seen.field.tokens}
        for at in lying_on(seen.field, timer):
            yield Effect(at, timer.effect, label, turns_left(seen, timer), pieces.get(at, ""), glyph, text)


def turns_left(seen: FantasyState, timer: Timer) -> int | None:
    """Its side's turns until an effect ends, without the spell phase in which it began (T-36); None if indefinite."""
    if timer.effect == GROVE:
        return None
    return max(1, timer.left - begun_now(seen, timer))


# Counters


def tags_of(seen: FantasyState) -> dict[str, str]:
    """The tag of each unit and character: letters of its kind and a number per side, in the order of the armies."""
    counts: dict[tuple[int, str], int] = {}
    found = {}
    for piece in (*seen.units, *seen.people):
        token = seen.field.tokens.get(piece)
        if token is None:
            continue
        letter = letter_of(seen, piece)
        number = counts[token.side, letter] = counts.get((token.side, letter), 0) + 1
        found[piece] = f"{letter}{number}"
    return found


def letter_of(seen: FantasyState, piece: str) -> str:
    kind = kind_of(seen, piece)
    return TAGS.get(kind, OTHERS)


def kind_of(seen: FantasyState, piece: str) -> str:
    """The type of a unit, or the kind of a character."""
    return seen.units[piece].own.type if piece in seen.units else seen.people[piece].own.kind


def glyph_of(seen: FantasyState, piece: str) -> str:
    """The drawing of a unit or character; for a campaign's own type that of its kind of troops."""
    kind = kind_of(seen, piece)
    if piece in seen.units:
        return GLYPHS.get(kind) or OF_KINDS.get(seen.units[piece].own.kind, "foot")
    return GLYPHS.get(kind, "hero")


def counter_of(seen: FantasyState, token: Token, tag: str) -> Counter:
    piece = token.id
    unit = seen.units.get(piece)
    hero = seen.people[piece] if unit is None else None
    pips = (unit.stands, unit.start) if unit else (hero.left, hero.start) if hero and hero.own.hero else None
    return Counter(
        piece, token.army, token.side, token.name, token.at, glyph_of(seen, piece), tag, pips, token.character,
        can_act=can_act(seen, piece), done=seen.doing(piece).fought, group=f"side-{token.side}",
        badges=tuple(badges_of(seen, piece)), states=tuple(states_of(seen, piece)),
    )  # fmt: skip


def can_act(seen: FantasyState, piece: str) -> bool:
    """Whether a unit or character can do something in this phase."""
    token = seen.token(piece)
    if not seen.field.started or seen.field.ended or token.side != seen.side or not token.standing:
        return False
    if seen.phase == COMMANDING:
        return not seen.doing(piece).activated
    if seen.phase == MOVING:
        return why_not_move(seen, piece) is None
    if seen.phase == FIGHTING_PHASE:
        return why_not_open(seen, piece) is None
    return piece in seen.people and why_not_cast(seen, piece) is None


def badges_of(seen: FantasyState, piece: str) -> Iterator[Badge]:
    """Badges on the corners: leader or hero, flying, a spell announced or in effect, activation."""
    if piece in seen.people:
        person = seen.people[piece]
        if person.rank:
            yield Badge("nw", "chief" if person.rank == GENERAL else "leader", RANKS[person.rank].name)
    if flies(seen, piece):
        yield Badge("ne", "wing", FLIES)
    doing = seen.doing(piece)
    if doing.announced:
        yield Badge("sw", "star", ANNOUNCED)
    elif running := effects(seen).get(piece):
        left = [turns for timer in running if (turns := turns_left(seen, timer))]
        yield Badge("sw", "timer", effect_name(seen, running[0]), str(min(left)) if left else "")
    if doing.activated:
        yield Badge("se", "order", ACTIVATED)


def states_of(seen: FantasyState, piece: str) -> Iterator[Said]:
    """Its states in words."""
    doing = seen.doing(piece)
    if piece in seen.units:
        own = seen.units[piece]
        if own.own.temper:
            yield TRAITS[own.own.temper].name
        if own.false:
            yield FALSE
        if own.turner:
            yield TURNED
    yield from (effect_name(seen, timer) for timer in effects(seen).get(piece, ()))
    yield from (TRAITS[slug].name for slug in sorted(gifts(seen, piece)) if slug in TRAITS)
    if doing.fought:
        yield FOUGHT
    if piece in seen.units and seen.side == seen.side_of(piece) and (must_move(seen, piece) or must_fight(seen, piece)):
        yield _("has to act")


# The clock


def clock_of(seen: FantasyState, viewer: Viewer) -> Clock:
    """Whose turn it is, the phases, and a cell for each side with its counters and losses."""
    place = PHASES.index(seen.phase)
    steps = tuple(
        (PHASE_NAMES[phase], "current" if at == place else "done" if at < place else "to come")
        for at, phase in enumerate(PHASES)
    )
    now = _whose(seen, viewer)
    cells = tuple(cell_of(seen, side) for side in (0, 1))
    number = say(_("Turn {number} of {limit}"), number=seen.turn, limit=seen.options.turn_limit)
    active = sum(len(one.units) for one in seen.activations)
    then = say(ACTIVE, count=active) if active else PHASE_NAMES[seen.phase]
    return Clock(number, now, then, cells=cells, steps=steps)


def _whose(seen: FantasyState, viewer: Viewer) -> Said:
    """The side to act next: the one that has to answer a question, else the one whose turn it is."""
    own = frozenset() if viewer.gm else sides_of(seen.field, viewer)
    fight = seen.fight
    if fight is None or fight.side == seen.side:
        return _("You act") if seen.side in own else say(_("{side} acts"), side=seen.opening.sides[seen.side])
    if fight.side == OF_GM:
        return _("GM enters result")
    return _("You answer") if fight.side in own else say(_("{side} answers"), side=seen.opening.sides[fight.side])


def cell_of(seen: FantasyState, side: int) -> Cell:
    """A side's cell: its counters, enemy units destroyed and needed, and its units that act this turn."""
    acts = side == seen.side
    active = tuple(unit for one in seen.activations for unit in one.units if seen.standing(unit)) if acts else ()
    word: Said = _("waiting")
    if acts:
        left = sum(can_act(seen, unit) for unit in active)
        fights = active and seen.phase in (MOVING, FIGHTING_PHASE)
        word = say(TO_FIGHT, left=left, count=len(active)) if fights else _("to act")
    fight = seen.fight
    goes_on = fight.side if fight is not None and fight.side != OF_GM else seen.side
    if goes_on != seen.side:
        word = _("answers") if goes_on == side else _("waiting")
    destroyed, number = len(seen.fallen[1 - side]), seen.victory[side]
    tally = (_("Destroyed"), min(destroyed, number), number) if number else None
    return Cell(
        f"side-{side}", side, seen.opening.sides[side], state="acting" if goes_on == side else "to act", word=word,
        tokens=(_("Counters"), seen.counters[side]), tally=tally, acting=active,
    )  # fmt: skip
