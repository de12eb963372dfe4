"""Page object of the aftermath: the proposed or confirmed changes, grouped by kingdom, army and commander."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from uuid import UUID

from django.http import QueryDict

from battles.aftermath.proposal_page import (
    ARMY,
    COMMANDER,
    LOST,
    NONE,
    OTHER,
    WON,
    AftermathLaidOut,
    Cause,
    Deed,
    News,
    RealmAfter,
    RemarkTold,
    Shift,
    WouldBeTakenBack,
)
from battles.codec import storage
from battles.field.field_ui import FieldAsked
from battles.field.forms import CommandForm
from battles.field.look import Look
from battles.log.phases import get_die_face
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.queries import get_battle_for, get_viewer
from battles.ruleset_ui import BattleUI, WordedChange, get_battle_ui
from battles.setup.page import names_in, next_battle, pick_colour
from battles.setup.queries import get_law_of_armies
from core.text import render
from kingdom.access.queries import is_gm, list_readable_kingdom_ids, reads_all
from kingdom.chronicle.changes import Change, visible_ids
from kingdom.chronicle.queries import list_visible_changes
from kingdom.models import Campaign, ChronicleEntry, Kingdom, User
from rules.core.dice import Roll
from rules.core.text import Said, Term
from rules.law import Combatant, DieSide, Law, Remark, Summary, Viewer

# Grouping of an aftermath: changes, remarks, choices and dice by whom they are about, in the order of sides.


@dataclass(frozen=True)
class Found:
    """Everything to lay out. `words`: the changes in words; `asks`: choices, each with the id of whom it is about."""

    changes: Sequence[Change]
    words: Sequence[WordedChange]
    remarks: Sequence[Remark] = ()
    asks: Sequence[tuple[str, Any]] = ()
    rolls: Sequence[Roll] = ()


@dataclass(frozen=True)
class Ground:
    """The battle of the aftermath.

    `crests`: of its armies. `shown`: armies with a line even without news. `rolls` and `die_sides`: names of rolls,
    symbols of dice. `health`: the field of an army's health.
    """

    summary: Summary
    bearers: Mapping[str, Kingdom]
    crests: Mapping[str, str]
    shown: Collection[str]
    rolls: Mapping[str, Said]
    die_sides: Mapping[str, tuple[DieSide, ...]]
    health: str

    def face(self, roll: Roll) -> tuple[Roll, Said | int | DieSide]:
        return roll, get_die_face(roll, self.die_sides)

    def realm_of(self, army: Combatant) -> str:
        known = self.bearers.get(army.id)
        return str(known.pk) if known else f"side-{army.side}"


def laid_out(ground: Ground, found: Found) -> AftermathLaidOut:
    shifts = fold_changes(found.changes, found.words)
    news = _Sorter(ground, found, shifts).news()
    armies = ground.summary.armies
    leaders = {army.leader for army in armies.values() if army.leader}
    at_home = {*armies, *leaders, *(str(one.pk) for one in ground.bearers.values())}
    names = {shift.place[1]: shift.subject for shift in shifts}
    return AftermathLaidOut(
        realms=tuple(_realms(ground, news)),
        others=tuple(Deed(OTHER, who, names[who], own) for who, own in news.items() if who not in {*at_home, ""}),
        besides=news.get("", NONE),
        dice=tuple(ground.face(roll) for roll in found.rolls),
        undoing=tuple(_undoing(shifts)),
    )


def owner_of(thrower: str) -> str:
    """Id of the army that a unit's id begins with; any other id unchanged."""
    return thrower.partition(":")[0]


def fold_changes(changes: Iterable[Change], words: Iterable[WordedChange]) -> list[Shift]:
    """Merges changes of one figure into one shift with several causes, in the order of the figures' first change."""
    found: dict[tuple[str, str, str], tuple[str, list[Cause]]] = {}
    for change, said in zip(changes, words, strict=True):
        _subject, causes = found.setdefault(change.place, (change.subject, []))
        causes.append(Cause(said, _difference(change)))
    return [Shift(place, subject, tuple(causes)) for place, (subject, causes) in found.items()]


def _difference(change: Change) -> int | None:
    sides = (change.before, change.after)
    counts = all(isinstance(side, int) and not isinstance(side, bool) for side in sides)
    return change.after - change.before if counts else None


@dataclass
class _Pile:
    """News about one army, commander or kingdom, while it is collected."""

    shifts: list[Shift] = field(default_factory=list)
    told: list[RemarkTold] = field(default_factory=list)
    moments: list[RemarkTold] = field(default_factory=list)
    dice: list[tuple[Said, Roll, Said | int | DieSide]] = field(default_factory=list)
    asks: list[Any] = field(default_factory=list)

    def news(self) -> News:
        return News(tuple(self.shifts), tuple(self.told), tuple(self.moments), tuple(self.dice), tuple(self.asks))


class _Sorter:
    """Sorts everything by whom it is about."""

    def __init__(self, ground: Ground, found: Found, shifts: Iterable[Shift]):
        self.ground, self.found = ground, found
        self.piles: defaultdict[str, _Pile] = defaultdict(_Pile)
        armies = ground.summary.armies.values()
        self.risen = {army.name: army.id for army in armies if army.risen_from}
        self.known = {*ground.summary.armies, *(army.leader for army in armies)}
        self.known |= {str(one.pk) for one in ground.bearers.values()}
        for shift in shifts:
            self.piles[self.whose(shift)].shifts.append(shift)

    def whose(self, shift: Shift) -> str:
        """Id of whom the shift is about. An army that rose in the battle gets another id on confirmation and is found
        by its name.
        """
        kind, who, _field = shift.place
        return self.risen.get(shift.subject, who) if kind == ARMY and who not in self.known else who

    def news(self) -> dict[str, News]:
        for remark in self.found.remarks:
            self._remark(remark)
        for about, ask in self.found.asks:
            self.piles[self._home(about)].asks.append(ask)
        told = {roll for remark in self.found.remarks for roll in remark.rolls}
        for roll in self.found.rolls:
            if roll not in told:
                name = self.ground.rolls.get(roll.name, Term(roll.name))
                self.piles[self._home(roll.army)].dice.append((name, *self.ground.face(roll)))
        return {who: pile.news() for who, pile in self.piles.items()}

    def _remark(self, remark: Remark) -> None:
        pile = self.piles[self._home(remark.about)]
        dice = tuple(self.ground.face(roll) for roll in remark.rolls)
        figures = self._by_it_alone(pile, remark) if remark.moment else ()
        told = RemarkTold(remark.text, remark.rule, dice, remark.sum, remark.scale, figures)
        (pile.moments if remark.moment else pile.told).append(told)

    def _by_it_alone(self, pile: _Pile, remark: Remark) -> tuple[Shift, ...]:
        """Takes the shifts with the remark's own text as their cause out of the pile: the remark shows them."""
        own = [shift for shift in pile.shifts if shift.sole and render(shift.sole.label) == render(remark.text)]
        pile.shifts = [shift for shift in pile.shifts if shift not in own]
        return tuple(own)

    def _home(self, about: str) -> str:
        return next((one for one in (about, owner_of(about)) if one in self.known), "")


def _realms(ground: Ground, news: Mapping[str, News]) -> Iterator[RealmAfter]:
    camps: defaultdict[str, list[Combatant]] = defaultdict(list)
    for side in ground.summary.sides:
        for army in side.armies:
            known = ground.summary.armies[army]
            camps[ground.realm_of(known)].append(known)
    for key, armies in camps.items():
        own = news.get(key, NONE)
        deeds = [deed for army in armies for deed in _deeds(ground, army, news)]
        if deeds or own:
            yield _realm(ground, key, armies, own, tuple(deeds))


def _realm(ground: Ground, key: str, armies: Sequence[Combatant], own: News, deeds: tuple[Deed, ...]) -> RealmAfter:
    kingdom = ground.bearers.get(armies[0].id)
    return RealmAfter(
        id=key,
        name=kingdom.name if kingdom else ground.summary.sides[armies[0].side].name,
        kingdom=kingdom,
        colour=pick_colour(armies[0].side),
        fate=_fate(ground.summary, {army.side for army in armies}),
        standing=sum(army.fighting for army in armies),
        total=len(armies),
        news=own,
        deeds=deeds,
    )


def _fate(summary: Summary, sides: Collection[int]) -> str:
    """`WON` or `LOST`; "" without a winner, or for a kingdom with armies on several sides."""
    winner = summary.outcome.winner if summary.outcome else None
    if winner is None or len(sides) > 1:
        return ""
    return WON if winner in sides else LOST


def _deeds(ground: Ground, army: Combatant, news: Mapping[str, News]) -> Iterator[Deed]:
    own = news.get(army.id, NONE)
    if own or army.id in ground.shown:
        health = next((shift for shift in own.shifts if shift.place[2] == ground.health), None)
        crest = ground.crests.get(army.id, "")
        yield Deed(ARMY, army.id, army.name, own, ground.summary.fate_of(army), crest, not army.fighting, health)
    if army.leader and (led := news.get(army.leader, NONE)):
        yield Deed(COMMANDER, army.leader, army.leader_name, led, army.name)


def _undoing(shifts: Iterable[Shift]) -> Iterator[WouldBeTakenBack]:
    kinds: defaultdict[str, list[Shift]] = defaultdict(list)
    for shift in shifts:
        kinds[shift.place[0]].append(shift)
    for kind, own in kinds.items():
        fields = {render(shift.field): shift.field for shift in own}
        yield WouldBeTakenBack(kind, tuple(fields.values()), tuple(dict.fromkeys(shift.subject for shift in own)))


# Page object of the aftermath: what the battle would change, or what it has changed.

KINDS = ("army", "commander", "kingdom")


@dataclass(frozen=True)
class AftermathPage:
    """The aftermath for one reader.

    `done`: the confirmed changes that the reader may see; None before. `state`: the full state, from which the ruleset
    draws what concerns the reader's armies.
    """

    user: User
    battle: Battle
    campaign: Campaign
    gm: bool
    over: bool
    outcome: Said | None
    names: dict[str, str]
    entry: ChronicleEntry | None
    law: Law
    ground: Ground
    done: AftermathLaidOut | None
    state: Any = None
    viewer: Viewer | None = None
    ui: BattleUI | None = None
    law_field: Any = None
    """Context of the ruleset's field as it was at the end; None if it has none."""

    def said(self, data: QueryDict | None = None) -> Sequence[CommandForm]:
        """Forms of decisions that the reader may still make for their armies before confirmation. The one that was sent
        is bound to `data`.
        """
        if self.settled or not self.over or self.viewer is None:
            return ()
        return get_battle_ui(self.law).aftermath_forms(self.state, self.viewer, self.battle.version, data)

    @property
    def settled(self) -> bool:
        return self.battle.status == Battle.Status.CLOSED

    @cached_property
    def next(self) -> Battle | None:
        """The battle to go on with; None if there is none."""
        return next_battle(self.user, self.campaign)

    @property
    def colours(self) -> dict[str, str]:
        """Colour of its side for each army, by id."""
        return {army.id: pick_colour(army.side) for army in self.ground.summary.armies.values()}

    def proposed(self, proposal: Any, asks: Sequence[tuple[str, Any]]) -> AftermathLaidOut:
        """The proposal laid out. `asks`: the form's choices, each with the id of whom it is about."""
        own = get_law_of_armies(self.battle)
        words = get_battle_ui(own).in_words(proposal.changes, own, self.names)
        return laid_out(self.ground, Found(proposal.changes, words, proposal.notes, asks, proposal.rolls))


def aftermath_page(user: User, battle_id: UUID) -> AftermathPage:
    """The aftermath of the battle. Raises `Http404` for strangers."""
    battle = get_battle_for(user, battle_id)
    state = play_battle_state.load_state(battle)
    law, viewer = play_battle_state.get_law(battle), get_viewer(user, battle, state)
    position = play_battle_state.view_state(battle, state, viewer)
    summary, ui = position.summary, get_battle_ui(law)
    ground = _ground(user, battle, state, viewer)
    names = names_in(summary)
    names |= {army.leader: army.leader_name for army in summary.armies.values() if army.leader}
    entry = _entry(battle)
    return AftermathPage(
        user=user,
        battle=battle,
        campaign=battle.campaign,
        gm=is_gm(user, battle.campaign),
        over=summary.outcome is not None,
        outcome=summary.outcome.text if summary.outcome else None,
        names=names,
        entry=entry,
        law=law,
        ground=ground,
        done=laid_out(ground, _done(user, battle, entry, names)) if entry else None,
        state=state,
        viewer=viewer,
        ui=ui,
        law_field=ui.field(FieldAsked(battle, position.state, summary, viewer, Look())),
    )


def _find_bearers(battle: Battle, summary: Summary) -> Mapping[str, Kingdom]:
    """The kingdoms of the armies, by army id."""
    asked = {army.id: UUID(army.kingdom) for army in summary.armies.values() if army.kingdom}
    known = Kingdom.objects.filter(campaign=battle.campaign_id).in_bulk(asked.values()) if asked else {}
    return {army: known[kingdom] for army, kingdom in asked.items() if kingdom in known}


def _ground(user: User, battle: Battle, state: Any, viewer: Viewer) -> Ground:
    law = play_battle_state.get_law(battle)
    own = get_law_of_armies(battle)
    own_ui = get_battle_ui(own)
    ui, position = get_battle_ui(law), play_battle_state.view_state(battle, state, viewer)
    summary = position.summary
    readable = {str(kingdom) for kingdom in list_readable_kingdom_ids(user, battle.campaign)}
    cards = ui.cards(position.state, summary, {}, viewer, None)
    return Ground(
        summary=summary,
        bearers=_find_bearers(battle, summary),
        crests={army: card.crest for army, card in cards.items()},
        shown={army.id for army in summary.armies.values() if viewer.gm or army.kingdom in readable},
        rolls={**ui.rolls, **own_ui.rolls},
        die_sides={**law.battle.die_sides, **own.battle.die_sides},
        health=own_ui.health_field,
    )


def _done(user: User, battle: Battle, entry: ChronicleEntry, names: dict[str, str]) -> Found:
    """The confirmed changes from the chronicle entry, and remarks and dice from the battle's record, as the user may
    see them.
    """
    changes: Sequence[Change] = list_visible_changes(user, battle.campaign, [entry])[entry.pk]
    command = battle.records.filter(undone=False).latest("seq").command
    remarks = tuple(_told_to(user, battle.campaign, storage.load_remarks(command.get("notes", ()))))
    rolls = storage.load_dice(command.get("rolls", ()))
    if not reads_all(user, battle.campaign):
        seen = _readable(user, battle.campaign, {owner_of(roll.army) for roll in rolls})
        rolls = tuple(roll for roll in rolls if owner_of(roll.army) in seen)
    own = get_law_of_armies(battle)
    return Found(changes, get_battle_ui(own).in_words(changes, own, names), remarks, (), rolls)


def _told_to(user: User, campaign: Campaign, remarks: Iterable[Remark]) -> Iterable[Remark]:
    """Remarks about those whom the user may read; remarks about the whole battle only for users who read everything."""
    remarks = tuple(remarks)
    if reads_all(user, campaign):
        return remarks
    seen = _readable(user, campaign, {remark.about for remark in remarks if remark.about})
    return (remark for remark in remarks if remark.about in seen)


def _readable(user: User, campaign: Campaign, ids: set[str]) -> set[str]:
    """Ids among these (of armies, commanders and kingdoms) whose chronicle lines the user may read."""
    return set().union(*(visible_ids(kind, user, campaign, ids) for kind in KINDS)) if ids else set()


def _entry(battle: Battle) -> ChronicleEntry | None:
    """The aftermath's chronicle entry; None unless it is confirmed."""
    entries = ChronicleEntry.objects.filter(campaign=battle.campaign_id, battle_id=battle.pk, undone_at=None)
    return entries.order_by("-seq").first() if battle.status == Battle.Status.CLOSED else None
