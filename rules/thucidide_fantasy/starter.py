"""Content of THUCIDIDE fantasy as data: troops, weapons, moves, hits, traits, characters, gods.

Spells are in `rules.thucidide_fantasy.grimoire`. Each item has a source mark: from the document, by ruling,
reconstructed, or seen in the game's other pages or those of its sister game.
"""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.content import Item, SourceMark
from rules.core.text import Term, _
from rules.thucidide_fantasy.spec import (
    ADVANTAGE,
    ARTILLERY,
    BLUE,
    CAMELRY,
    CASTER,
    CAVALRY,
    CHARIOTS,
    ELEPHANTS,
    ELITE,
    FANATIC,
    FLAG,
    FOUL_TOUCH,
    GENERAL,
    GREEN,
    GUARD,
    HEAVY,
    HERO,
    INFANTRY,
    LEADER,
    LETTER,
    LIGHT,
    MEDIUM,
    RECRUITS,
    RED,
    REGULAR,
    SENIOR_OFFICER,
    SUB_GENERAL,
    UNDEAD,
    USEFUL,
    VERY_HEAVY,
    VERY_LIGHT,
    BorneTrait,
    Bracket,
    CharacterKind,
    CommandLevel,
    CounterOrder,
    Experience,
    HitLevel,
    MoveRate,
    Rank,
    TroopKind,
    TroopType,
    TroopWeight,
    by_slug,
)

DOCUMENT, RULING = SourceMark.DOCUMENT, SourceMark.RULING
LOST, SEEN = SourceMark.RECONSTRUCTION, SourceMark.SEEN


# The die (TF-1.6)

FACES: Mapping[int, str] = {1: GREEN, 2: BLUE, 3: RED, 4: FLAG, 5: LETTER, 6: ADVANTAGE}
"""The face of each result of a plain die (ruling of TF-1.6)."""
FACE_GLYPHS: Mapping[str, str] = {
    GREEN: "f-green", BLUE: "f-blue", RED: "f-red", FLAG: "f-flag", LETTER: "f-letter", ADVANTAGE: "f-adv",
}  # fmt: skip
"""The drawings of the faces."""
COLORS = (RED, BLUE, GREEN)
"""Colors in the order in which levels of protection let them hit: red hits every level."""

FACE_ITEMS: Mapping[str, Item] = by_slug(
    Item(GREEN, _("Green"), "TF-1.6", _("1 on an ordinary die. Hits only very light and light troops."), mark=LOST),
    Item(BLUE, _("Blue"), "TF-1.6", _("2 on an ordinary die. Hits up to medium troops."), mark=LOST),
    Item(RED, _("Red"), "TF-1.6", _("3 on an ordinary die. Hits all troops; hits on very heavy troops must be "
                                    "confirmed."),
         mark=LOST),
    Item(FLAG, _("Flag"), "TF-1.6", _("4 on an ordinary die. The target may have to retreat."), mark=DOCUMENT),
    Item(LETTER, _("Order letter"), "TF-1.6", _("5 on an ordinary die. Gives a counter to the side that rolled it."),
         mark=SEEN),
    Item(ADVANTAGE, _("Advantage"), "TF-1.6",
         _("6 on an ordinary die. In melee, hits during an assault or with support."), mark=DOCUMENT),
)  # fmt: skip


# Troops: kinds, weights, moves, hits (TF-1.4, 1.7)

KINDS: Mapping[str, TroopKind] = by_slug(
    TroopKind(INFANTRY, _("Infantry"), "TF-1.4", _("On foot. Retreats 1 hex per flag."), mark=DOCUMENT),
    TroopKind(CAVALRY, _("Cavalry"), "TF-1.4", _("Pursues. Retreats 2 hexes per flag."), True, True, 2,
              mark=DOCUMENT),
    TroopKind(CAMELRY, _("Camelry"), "TF-1.4", _("Pursues. Retreats 2 hexes per flag."), True, True, 2,
              mark=DOCUMENT),
    TroopKind(CHARIOTS, _("Chariots"), "TF-1.4", _("They pursue, and retreat 2 hexes per flag."), True, True, 2,
              mark=DOCUMENT),
    TroopKind(ELEPHANTS, _("Elephants"), "TF-1.4", _("They pursue, and retreat 1 hex per flag."), True, True, 1,
              mark=RULING),
    TroopKind(ARTILLERY, _("Artillery"), "TF-1.4", _("Can’t shoot in a turn in which it moved."), mark=SEEN),
)  # fmt: skip

WEIGHTS: Mapping[str, TroopWeight] = by_slug(
    TroopWeight(VERY_LIGHT, _("Very light weight"), "TF-1.7", _("White: hit by any color and by advantages."), 1,
                mark=LOST),
    TroopWeight(LIGHT, _("Light weight"), "TF-1.7", _("Green: hit by any color."), 2, mark=LOST),
    TroopWeight(MEDIUM, _("Medium weight"), "TF-1.7", _("Blue: hit by blue and red."), 3, mark=DOCUMENT),
    TroopWeight(HEAVY, _("Heavy weight"), "TF-1.7", _("Red: hit by red."), 4, mark=DOCUMENT),
    TroopWeight(VERY_HEAVY, _("Very heavy weight"), "TF-1.7", _(
        "Black: hit by red, and each loss has to be confirmed."
    ), 5,
                mark=DOCUMENT),
)  # fmt: skip
LEVEL_LEAST, LEVEL_MOST = 1, 7

HITS: Mapping[str, HitLevel] = by_slug(
    HitLevel("level-1", _("Level 1, white"), "TF-1.7", _("Very light troops."), 1, 3, advantage=True, mark=LOST),
    HitLevel("level-2", _("Level 2, green"), "TF-1.7", _("Light troops."), 2, 3, mark=LOST),
    HitLevel("level-3", _("Level 3, blue"), "TF-1.7", _("Medium troops."), 3, 2, mark=LOST),
    HitLevel("level-4", _("Level 4, red"), "TF-1.7", _("Heavy troops."), 4, 1, mark=LOST),
    HitLevel("level-5", _("Level 5, black"), "TF-1.7", _("Very heavy troops. Any color confirms a loss."), 5, 1, 3,
             mark=LOST),
    HitLevel("level-6", _("Level 6"), "TF-1.7", _("Only by armor. Blue or red confirms a loss."), 6, 1, 2, mark=LOST),
    HitLevel("level-7", _("Level 7 and above"), "TF-1.7", _("Only by armor. Only red confirms a loss."), 7, 1, 1,
             mark=LOST),
)  # fmt: skip
"""The table of hits by level. Levels above 7 count as 7."""


def _rate(
    kind: str, weight: str, name: Term, move: int, calm: int, mark: SourceMark = LOST, *, fixed: bool = False
) -> MoveRate:
    told = _("Hexes in a turn with combat, and in a turn without.")
    return MoveRate(f"{kind}-{weight}", name, "TF-1.4", told, kind, weight, move, calm, fixed, mark=mark)


MOVES: Mapping[str, MoveRate] = by_slug(
    _rate(INFANTRY, VERY_LIGHT, _("Very light infantry"), 2, 2),
    _rate(INFANTRY, LIGHT, _("Light infantry"), 2, 2, SEEN),
    _rate(INFANTRY, MEDIUM, _("Medium infantry"), 1, 2),
    _rate(INFANTRY, HEAVY, _("Heavy infantry"), 1, 2, SEEN),
    _rate(INFANTRY, VERY_HEAVY, _("Very heavy infantry"), 1, 1),
    _rate(CAVALRY, VERY_LIGHT, _("Very light cavalry"), 4, 4),
    _rate(CAVALRY, LIGHT, _("Light cavalry"), 4, 4, SEEN),
    _rate(CAVALRY, MEDIUM, _("Medium cavalry"), 3, 3),
    _rate(CAVALRY, HEAVY, _("Heavy cavalry"), 3, 3, SEEN),
    _rate(CAVALRY, VERY_HEAVY, _("Very heavy cavalry"), 2, 2, SEEN),
    _rate(CAMELRY, VERY_LIGHT, _("Very light camelry"), 3, 3),
    _rate(CAMELRY, LIGHT, _("Light camelry"), 3, 3, SEEN),
    _rate(CAMELRY, MEDIUM, _("Medium camelry"), 3, 3),
    _rate(CAMELRY, HEAVY, _("Heavy camelry"), 3, 3, SEEN),
    _rate(CAMELRY, VERY_HEAVY, _("Very heavy camelry"), 2, 2, SEEN),
    _rate(CHARIOTS, LIGHT, _("Light chariots"), 3, 3),
    _rate(CHARIOTS, MEDIUM, _("Medium chariots"), 3, 3),
    _rate(CHARIOTS, HEAVY, _("Heavy chariots"), 2, 2),
    _rate(ELEPHANTS, MEDIUM, _("Medium elephants"), 2, 2, SEEN),
    _rate(ELEPHANTS, HEAVY, _("Heavy elephants"), 2, 2, SEEN),
    _rate(ELEPHANTS, VERY_HEAVY, _("Very heavy elephants"), 2, 2),
    _rate(ARTILLERY, VERY_LIGHT, _("Very light artillery"), 1, 2, SEEN),
    _rate(ARTILLERY, LIGHT, _("Light artillery"), 0, 1),
    _rate(ARTILLERY, MEDIUM, _("Medium artillery"), 0, 1),
    _rate(ARTILLERY, HEAVY, _("Heavy artillery"), 0, 1, SEEN),
    _rate(ARTILLERY, VERY_HEAVY, _("Very heavy artillery"), 0, 1, SEEN, fixed=True),
)
"""Moves in hexes (TF-1.4), by kind and weight. Combinations without a move are missing."""
ISOLATED_MOVE = 3
"""The move in hexes of a character who is alone and isn't a hero."""
HERO_FASTER = 1
"""Extra hexes a hero moves compared with troops in the same armor (TF-4.2)."""

EXPERIENCES: Mapping[str, Experience] = by_slug(
    Experience(RECRUITS, _("Recruits"), "TF-1.8", _("1 fewer die."), -1, 0, mark=LOST),
    Experience(REGULAR, _("Regulars"), "TF-1.8", _("According to their weapons."), 0, 0, mark=LOST),
    Experience(ELITE, _("Elite"), "TF-1.8", _("1 extra die. Costs 1 extra point."), 1, 1, mark=LOST),
    Experience(GUARD, _("Guard"), "TF-1.8", _("2 extra dice. Costs 2 extra points."), 2, 2, mark=LOST),
)  # fmt: skip


# Troops (TF-8)


def _borne(*slugs: str) -> tuple[BorneTrait, ...]:
    return tuple(BorneTrait(slug) for slug in slugs)


def _troop(
    slug: str, name: Term, kind: str, weight: str, stands: int, weapon: str, missile: str, points: int, summary: Term,
    *traits: str, experience: str = REGULAR,
) -> TroopType:  # fmt: skip
    return TroopType(
        slug,
        name,
        "TF-8",
        summary,
        kind,
        weight,
        stands,
        weapon,
        missile,
        experience,
        _borne(*traits),
        points,
        mark=LOST,
    )


TROOPS: Mapping[str, TroopType] = by_slug(
    _troop("recruits", _("Recruits on foot"), INFANTRY, LIGHT, 3, "short", "", 2, _("Cheap, few and unreliable."),
           experience=RECRUITS),
    _troop("foot-light", _("Light foot"), INFANTRY, LIGHT, 4, "short", "javelin", 4, _("Skirmishers with javelins.")),
    _troop("foot-medium", _("Medium foot"), INFANTRY, MEDIUM, 4, "spear", "", 4, _("Line troops with spears.")),
    _troop("foot-heavy", _("Heavy foot"), INFANTRY, HEAVY, 4, "spear", "", 5, _("Armored line troops with spears.")),
    _troop("pike", _("Pikes"), INFANTRY, HEAVY, 4, "pike", "", 6, _("Strong in assault, stronger in melee.")),
    _troop("guard", _("Foot guard"), INFANTRY, HEAVY, 5, "two-handed", "", 7, _("Armored and numerous, with great "
                                                                                "weapons.")),
    _troop("bows", _("Bows"), INFANTRY, LIGHT, 4, "short", "bow", 4, _("They shoot up to 3 hexes.")),
    _troop("crossbows", _("Crossbows"), INFANTRY, MEDIUM, 4, "short", "crossbow", 7, _("They shoot up to 4 hexes.")),
    _troop("riders-light", _("Light riders"), CAVALRY, LIGHT, 4, "individual", "javelin", 3, _("Fast, with javelins.")),
    _troop("riders-medium", _("Medium riders"), CAVALRY, MEDIUM, 4, "lance", "", 5, _("Lancers: strong in assault.")),
    _troop("riders-heavy", _("Heavy riders"), CAVALRY, HEAVY, 4, "lance", "", 8, _("Knights: armored lancers.")),
    _troop("warg-riders", _("Goblins on wargs"), CAVALRY, MEDIUM, 4, "two-handed", "", 4,
           _("Other animals avoid them."), "hindrance"),
    _troop("tigers", _("Tigers"), CAVALRY, LIGHT, 3, "strong-bite", "", 3,
           _("Wild beasts that attack anything nearby."),
           FANATIC, experience=ELITE),
    _troop("ogres", _("Ogres"), INFANTRY, HEAVY, 5, "great-blow", "", 6, _("Big, tough infantry.")),
    _troop("giant-spider", _("Giant spider"), CHARIOTS, MEDIUM, 4, "strong-bite", "", 5,
           _("As large as a chariot, and as fast."), FANATIC),
    _troop("engine", _("War engine"), ARTILLERY, MEDIUM, 3, "crew", "artillery-medium", 4, _("Shoots up to 5 hexes.")),
    _troop("mammoth", _("Woolly mammoth"), ELEPHANTS, VERY_HEAVY, 4, "elephant", "", 8, _("A living tower.")),
    _troop("dragon", _("Dragon"), ELEPHANTS, VERY_HEAVY, 5, "very-strong-claw", "flame-thrower-heavy", 18,
           _("Flies, breathes fire, and frightens troops nearby."), "flyer", "rapid", "invulnerable", "threat"),
    _troop("skeletons", _("Skeletons"), INFANTRY, HEAVY, 4, "individual", "", 4, _("Undead on foot."), UNDEAD),
    _troop("zombies", _("Zombies"), INFANTRY, MEDIUM, 4, "individual", "", 4, _("Undead on foot."), UNDEAD),
    _troop("ghouls", _("Ghouls"), INFANTRY, LIGHT, 4, "short", "", 4, _(
        "Undead whose touch turns armor into a burden."
    ),
           UNDEAD, FOUL_TOUCH),
    _troop("skeleton-riders", _("Skeleton riders"), CAVALRY, HEAVY, 4, "individual", "", 5,
           _("Undead on skeleton horses."), UNDEAD),
)  # fmt: skip


# Characters and command (TF-1.3, 1.13, 4)

CHARACTERS: Mapping[str, CharacterKind] = by_slug(
    CharacterKind(LEADER, _("Leader"), "TF-4.1", _("Activates units. If attacked alone, flees up to 2 hexes."), 2,
                  mark=RULING),
    CharacterKind(HERO, _("Hero"), "TF-4.2", _(
        "Adds dice to a unit, or fights alone. Never flees, doesn’t lead troops."
    ), 0,
                  3,
                  mark=DOCUMENT),
    CharacterKind(CASTER, _("Caster"), "TF-6.1", _(
        "Casts one spell per turn. If attacked alone, flees up to 2 hexes."
    ), 2,
                  mark=DOCUMENT),
    CharacterKind(USEFUL, _("Useful person"), "TF-4.1", _("Has a task, or an aura. If attacked alone, flees 1 hex."),
                  1,
                  mark=DOCUMENT),
)  # fmt: skip
"""Kinds of characters. Leaders are commanders and don't occur in documents; they flee by ruling (M-8)."""

RANKS: Mapping[str, Rank] = by_slug(
    Rank(GENERAL, _("General"), "TF-1.3", _("Commands within 5 hexes and has the side’s counters. Free."), 5, 1,
         mark=SEEN),
    Rank(SUB_GENERAL, _("Sub-general"), "TF-1.3", _("Commands within 3 hexes. Free."), 3, 1, mark=SEEN),
    Rank(SENIOR_OFFICER, _("Senior officer"), "TF-1.3", _("Commands within 1 hex."), 1, 0, mark=SEEN),
)  # fmt: skip

LEVELS: Mapping[str, CommandLevel] = by_slug(
    CommandLevel("poor", _("Poor"), "TF-1.13", _("Starts with 3 counters."), 3, mark=LOST),
    CommandLevel("normal", _("Normal"), "TF-1.13", _("Starts with 5 counters."), 5, mark=LOST),
    CommandLevel("great", _("Great"), "TF-1.13", _("Starts with 7 counters."), 7, mark=LOST),
)  # fmt: skip

BRACKETS = (Bracket(9, 1, 3), Bracket(15, 1, 4), Bracket(1_000_000, 2, 3))
"""Activations per turn by the number of units on the table (TF-1.3)."""
FREE_CHARACTERS = 2
"""The number of isolated characters activated for free each turn."""

ORDERS: Mapping[str, CounterOrder] = by_slug(
    CounterOrder("reconnaissance", _("Reconnaissance"), "TF-1.13",
                 _("Activate only one unit. Gain counters equal to the general’s level."), 1, mark=SEEN),
    CounterOrder("forced-march", _("Forced march"), "TF-1.13", _("One unit moves 1 extra hex and can still fight."), 2,
                 mark=SEEN),
    CounterOrder("woodsman", _("Woodsman"), "TF-1.13",
                 _("One unit crosses difficult hexes like open ground. Pay for each hex."), 2, True, mark=SEEN),
    CounterOrder("courier", _("Courier"), "TF-1.13", _("Activate one extra unit, anywhere."), 3, mark=SEEN),
    CounterOrder("manoeuvre", _("Maneuver"), "TF-1.13", _("One leader’s units can be anywhere."), 4, mark=SEEN),
    CounterOrder("forward", _("Forward"), "TF-1.13", _("A forced march for all units one leader activates."), 5,
                 mark=SEEN),
    CounterOrder("general-assault", _("General assault"), "TF-1.13", _("A second activation of other units."), 10,
                 mark=SEEN),
)  # fmt: skip
"""Manoeuvre orders. *Mount* and *dismount* are not implemented (T-26)."""


# Fate (TF-4.7)

FATE_DIE, DEATH, WOUND = 6, 6, 4
"""Fate of a character by the highest of 1D6 for each stand lost: 6 means death or prison, 4 or 5 a wound, less that
they got away.
"""
