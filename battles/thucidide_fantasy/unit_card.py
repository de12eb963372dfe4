"""Unit card: figures, traits, cards and spells of one unit or character, as far as its reader may know them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from battles.field.page import BattlePage
from battles.thucidide_fantasy.setup_forms import CardsForm, cards_form
from rules.core.text import Said, Term, UnitName, _, by_number, say
from rules.hexbattle.board import Effect, Target
from rules.thucidide_fantasy.arsenal import TRAITS
from rules.thucidide_fantasy.battle.factors import MELEE, SHOT, adjusted_dice
from rules.thucidide_fantasy.battle.legal.pieces import throw_of
from rules.thucidide_fantasy.battle.paces import pace_of
from rules.thucidide_fantasy.battle.record.state import FantasyState
from rules.thucidide_fantasy.battle.situation import backed
from rules.thucidide_fantasy.battle.telling.summary import glyph_of_spell, spell_name
from rules.thucidide_fantasy.battle.throws import Throw
from rules.thucidide_fantasy.spec import CARDS
from rules.thucidide_fantasy.starter import (
    CHARACTERS,
    EXPERIENCES,
    FACE_GLYPHS,
    FACE_ITEMS,
    FACES,
    LEVELS,
    RANKS,
    WEIGHTS,
)

WEIGHT_NAMES = {weight.level: weight.name for weight in WEIGHTS.values()}
MORE_DICE = by_number("{shown} die", "{shown} dice")
SPENDS = by_number("{count} spell point", "{count} spell points")


class PieceFigure(NamedTuple):
    """A figure with its name."""

    label: Said
    value: Said | int | str


class DieFace(NamedTuple):
    """A face of the die: its drawing, and whether it hits or counts as a flag in a throw."""

    slug: str
    name: Said
    glyph: str
    hits: bool
    flag: bool


class HandCard(NamedTuple):
    """A card in hand: a spell with its drawing, cost and number of cards."""

    name: Said
    glyph: str
    cost: int
    copies: int


class PieceCard:
    """The card of a unit or character. `state`: limited to what its reader sees."""

    def __init__(self, page: BattlePage, piece: str):
        self.page, self.piece = page, piece
        self.state: FantasyState = page.state
        self.unit = self.state.units.get(piece)
        self.person = self.state.people.get(piece)

    @property
    def figures(self) -> Iterator[PieceFigure]:
        yield from self._of_unit() if self.unit else self._of_person()

    def _of_unit(self) -> Iterator[PieceFigure]:
        assert self.unit is not None
        own = self.unit.own
        yield PieceFigure(_("Stands left"), say(_("{left} of {start}"), left=self.unit.stands, start=self.unit.start))
        yield PieceFigure(_("Protection"), WEIGHT_NAMES.get(own.weight, Term(str(own.weight))))
        yield PieceFigure(_("Assault"), own.assault)
        yield PieceFigure(_("Melee factor"), own.melee)
        if own.shot:
            yield PieceFigure(_("Shot"), say(_("{dice}, range {range}"), dice=own.shot, range=own.range))
        yield PieceFigure(_("Move"), self._move())
        yield PieceFigure(_("Experience"), EXPERIENCES[own.experience].name)
        for line in adjusted_dice(own):
            shown = say(Term("{amount:+}"), amount=line.value)
            yield PieceFigure(line.label, say(MORE_DICE, shown=shown, count=abs(line.value)))
        yield PieceFigure(_("Supported"), _("yes") if self._supported() else _("no"))

    def _move(self) -> Said:
        """The move in hexes, and the move without combat if it is greater."""
        pace = pace_of(self.state, self.piece)
        if pace.calm > pace.fighting:
            return say(_("{move}, {calm} without fighting"), move=pace.fighting, calm=pace.calm)
        return say(Term("{move}"), move=pace.calm)

    def _supported(self) -> bool:
        return self.state.standing(self.piece) and backed(self.state, self.piece)

    def _of_person(self) -> Iterator[PieceFigure]:
        assert self.person is not None
        own = self.person.own
        yield PieceFigure(_("Type"), CHARACTERS[own.kind].name)
        if self.person.rank:
            rank = RANKS[self.person.rank]
            yield PieceFigure(_("Rank"), rank.name)
            yield PieceFigure(_("Commands within"), rank.reach)
            if own.level:
                yield PieceFigure(_("Command level"), LEVELS[own.level].name)
        if own.hero:
            left = say(_("{left} of {start}"), left=self.person.left, start=self.person.start)
            yield PieceFigure(_("Resistance"), left)
            yield PieceFigure(_("Armor"), WEIGHT_NAMES.get(own.weight, Term(str(own.weight))))
            yield PieceFigure(_("Melee factor"), own.melee)
            if own.shot:
                yield PieceFigure(_("Shot"), say(_("{dice}, range {range}"), dice=own.shot, range=own.range))
        yield PieceFigure(_("Move"), self._move())

    @property
    def traits(self) -> list[Said]:
        own = self.unit.own if self.unit else self.person.own if self.person else None
        found: list[Said] = []
        for one in own.traits if own else ():
            name = TRAITS[one.trait].name
            found.append(say(_("{trait} ({object})"), trait=name, object=one.object) if one.object else name)
        return found

    @property
    def master(self) -> UnitName:
        master = self.unit.master if self.unit else ""
        return self.state.told_name(master) if master in self.state.field.tokens else ""

    @property
    def with_it(self) -> list[UnitName]:
        """The characters in its hex."""
        if self.unit is None or not self.state.at(self.piece):
            return []
        return [self.state.name(one) for one in self.state.people_at(self.state.at(self.piece))]

    @property
    def running(self) -> list[Effect]:
        """The spells on it."""
        return [effect for effect in self.page.law_field.board.effects if effect.unit == self.piece]

    # Spells

    @property
    def cards(self) -> list[HandCard]:
        """The cards in hand; the enemy's are unknown."""
        if self.person is None:
            return []
        spells = self.state.options.spells
        counts = Counter(slug for slug in self.person.cards if slug in spells)
        return [
            HandCard(spell_name(self.state, slug), glyph_of_spell(slug), spells[slug].cost, count)
            for slug, count in counts.items()
        ]

    @property
    def points(self) -> Said | None:
        """The spell points left, where spells are paid for with points."""
        if self.person is None or not self.person.points or self.state.options.supply == CARDS:
            return None
        return say(SPENDS, count=self.person.points)

    @property
    def cards_form(self) -> CardsForm | None:
        return cards_form(self.page, self.piece)

    # The die

    def faces(self, target: Target) -> list[DieFace]:
        """Effect of each face of the dice in the picked attack."""
        foe = self.state.field.tokens.get(target.target)
        if foe is None or target.how not in (MELEE, SHOT) or not target.throw:
            return []
        made, _lines = throw_of(self.state, self.piece, foe, target.source or self.state.at(self.piece), target.how)
        return list(build_sides(made))

    def confirms(self, target: Target) -> int:
        """The number of confirmations each loss needs."""
        foe = self.state.field.tokens.get(target.target)
        if foe is None or target.how not in (MELEE, SHOT) or not target.throw:
            return 0
        made, _lines = throw_of(self.state, self.piece, foe, target.source or self.state.at(self.piece), target.how)
        return len(made.confirms)


def build_sides(made: Throw) -> Iterator[DieFace]:
    """The six faces of the die, with their effects in this throw."""
    for number, slug in FACES.items():
        hits, flag = number in made.hits, number in made.flags
        yield DieFace(slug, FACE_ITEMS[slug].name, FACE_GLYPHS[slug], hits, flag)
