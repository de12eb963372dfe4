"""Army cards on the battle page, and printed sheets of armies, without what the reader may not know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from battles.pathfinder.words import Chip
from battles.setup.page import pick_colour
from rules.core.breakdown import Breakdown, OnPaper, PaperAid
from rules.core.text import NO_WORDS, Said, Term, _, say, signed
from rules.core.viewers import HealthTold, band_of, told_of
from rules.law import Figures, Summary, Viewer
from rules.pathfinder import sheet
from rules.pathfinder.battle.orders.legal import ArmyChoices
from rules.pathfinder.battle.state.battle_state import (
    AFTERMATH,
    CLOSED,
    FIGHTING,
    KEEP,
    MELEE,
    PHASES,
    ArmyInBattle,
    BattleState,
    Mark,
    Order,
)
from rules.pathfinder.battle.state.battle_state import (
    BattleState as State,
)
from rules.pathfinder.battle.telling.summary import RISEN, STATUS_WORDS
from rules.pathfinder.catalogue.conditions import MARKS
from rules.pathfinder.leadership import commander_sheet
from rules.pathfinder.sheet import device_of, rating_of
from rules.pathfinder.spec import BY_RANK

# Army cards on the battle page, without what the reader may not know.

# Armies on the field as a viewer may see them.


@dataclass(frozen=True, slots=True)
class ArmyOnField:
    """Army as a viewer may see it. Figures and order are None if only its own side may read them."""

    army: ArmyInBattle
    side: str
    acr: str
    marks: tuple[Mark, ...]
    om: Breakdown | None
    dv: Breakdown | None
    morale_check: Breakdown | None
    order: Order | None
    commanded: bool
    worded: bool = False

    @property
    def told(self) -> HealthTold:
        return told_of(self.army.hp, self.army.hp_max, worded=self.worded)

    @property
    def readable(self) -> bool:
        return self.om is not None

    @property
    def morale(self) -> int | None:
        return self.army.morale if self.readable else None


def armies_on_field(state: State, figures: Figures, viewer: Viewer) -> tuple[ArmyOnField, ...]:
    """Return every army of the battle, past ones included, in attack order, as this viewer may see it."""
    return tuple(_army(state, figures, viewer, army) for side in state.sides for army in side.armies)


def _army(state: State, figures: Figures, viewer: Viewer, army_id: str) -> ArmyOnField:
    army = state.armies[army_id]
    own = figures.get(army_id, {}) if army_id in viewer.reads else {}
    commanded = viewer.commands(army_id)
    return ArmyOnField(
        army=army,
        side=state.sides[army.side].name,
        acr=str(rating_of(army.spec)[1]),
        marks=shown_marks(state, army),
        om=own.get("om"),
        dv=own.get("dv"),
        morale_check=own.get("morale_check"),
        order=state.orders.get(army_id) if commanded else None,
        commanded=commanded,
        worded=army_id in state.worded,
    )


def shown_marks(state: State, army: ArmyInBattle) -> tuple[Mark, ...]:
    """Return its visible marks: in force now or later, without internal ones."""
    if army.status != FIGHTING:
        return ()
    known = (mark for mark in army.marks if mark.kind in MARKS and not MARKS[mark.kind].hidden)
    return tuple(mark for mark in known if mark.at is None or mark.at >= state.phase.tick)


def telling_marks(state: State, army: ArmyInBattle) -> tuple[Mark, ...]:
    """Return the visible marks that still matter. After the battle these are energy drain (R-44)
    and illness (PF-7.3).
    """
    shown = shown_marks(state, army)
    return tuple(mark for mark in shown if MARKS[mark.kind].outlasts) if is_over(state) else shown


def is_over(state: State) -> bool:
    """Whether the fighting is over, settled or not."""
    return state.phase.kind in (AFTERMATH, CLOSED)


# Stance of an army in its row: tactic, strategy and target.


@dataclass(frozen=True)
class Stance:
    """Stance of an army. `steps` is the place of its strategy on the track, and the length of the track."""

    tactic: Said
    icon: str
    aim: Said | None = None
    target: str = ""
    steps: tuple[int, int] | None = None


def build_stance(battle: BattleState, army: ArmyInBattle, *, commanded: bool) -> Stance:
    """Return the stance: for readers who command the army the ordered one, which may take effect only in the next
    phase; for all others the one it had in its last action.
    """
    order = battle.orders.get(army.id) if commanded else None
    tactic = battle.law.tactics[(order.tactic if order else None) or army.tactic]
    if order is not None and order.surrender:
        return Stance(MARKS["surrendering"].name, "surrendering")
    if army.status != FIGHTING or battle.phase.kind not in PHASES or tactic.slug == "withdraw":
        return Stance(tactic.name, tactic.slug)
    chosen = army.target if order is None or order.target == KEEP else order.target
    foe = battle.armies.get(chosen or "")
    target = foe.id if foe is not None and foe.status == FIGHTING else ""
    whom: Said = say(Term("{name}"), name=foe.name) if foe is not None and target else _("hold (no target)")
    if battle.phase.kind != MELEE:
        aim: Said | None = say(_("→ {army}"), army=whom) if target else None
        if order is not None and order.stay_at_range:
            aim = say(_("at range → {army}"), army=whom) if target else _("at range")
        return Stance(tactic.name, tactic.slug, aim, target)
    slug = (order.strategy if order else None) or army.strategy
    track = list(battle.law.strategies)
    meant = say(_("{strategy} → {army}"), strategy=battle.law.strategies[slug].name, army=whom)
    known = meant if target or order else battle.law.strategies[slug].name
    return Stance(tactic.name, tactic.slug, known, target, (track.index(slug), len(track)))


@dataclass(frozen=True)
class Figure:
    """Figure that unfolds its breakdown. `label` is short enough for a row."""

    id: str
    label: Term
    title: Term
    value: int
    breakdown: Breakdown
    signed: bool = False


@dataclass(frozen=True)
class CardTrait:
    """Trait of an army, with a sentence on its effect."""

    name: Term
    summary: Term
    icon: str
    more: str = ""


@dataclass(frozen=True)
class Card:
    """`ArmyCard` of mass combat. `figures`, `cost`, `about`, `traits`, `brink` and `choices` are empty if the reader
    may not know them. `lost` are the hit points lost in the latest phase. Orders are shown to whoever commands the
    army; others see its last actions.
    """

    id: str
    name: str
    side: int
    colour: str
    crest: str
    about: Said
    commander: str
    sheet: str
    status: str
    status_word: Said
    hp: int
    hp_max: int
    lost: int
    brink: int | None
    figures: tuple[Figure, ...]
    cost: Figure | None
    stance: Said
    stance_icon: str
    aim: Said | None
    target: str
    steps: tuple[int, int] | None
    chips: tuple[Chip, ...]
    traits: tuple[CardTrait, ...]
    ready: str
    choices: ArmyChoices | None
    form: Any = None
    share: bool = False
    words: Said | None = None

    @property
    def health(self) -> int:
        return self.hp

    @property
    def health_max(self) -> int:
        return self.hp_max

    @property
    def gone(self) -> bool:
        return self.status != FIGHTING

    @property
    def orderable(self) -> bool:
        return self.choices is not None and self.choices.why_not is None


def card_of(
    battle: BattleState,
    army_id: str,
    figures: Mapping[str, Breakdown],
    viewer: Viewer,
    choices: Any,
    ready: str,
) -> Card:
    army = battle.armies[army_id]
    known, worded = army_id in viewer.reads, army_id in battle.worded
    stance = build_stance(battle, army, commanded=viewer.commands(army_id))
    return Card(
        id=army_id,
        name=army.name,
        side=army.side,
        colour=pick_colour(army.side),
        crest=device_of(army.spec),
        about=_about(army) if known else Term(""),
        commander=army.spec.commander.name if known and army.spec.commander else "",
        sheet="" if not known or RISEN in army_id else army_id,
        status=army.status,
        status_word=STATUS_WORDS[army.status],
        hp=army.hp,
        hp_max=army.hp_max,
        lost=army.last_loss,
        brink=army.acr if known and army.acr else None,
        figures=tuple(_figures(army_id, figures)) if known and figures else (),
        cost=_cost(army_id, figures) if known and figures else None,
        stance=stance.tactic,
        stance_icon=stance.icon,
        aim=stance.aim,
        target=stance.target,
        steps=stance.steps,
        chips=tuple(_chips(battle, army, known=known)),
        traits=tuple(_traits(battle, army)) if known else (),
        ready=ready,
        choices=choices,
        share=worded,
        words=band_of(army.hp, army.hp_max).word if worded else None,
    )


def _about(army: ArmyInBattle) -> Said:
    size, acr = BY_RANK[army.rank], rating_of(army.spec)[1]
    return say(
        _("{count} × {unit} · {size} · ACR {acr}"),
        count=army.spec.count, unit=army.spec.unit.name, size=size.name, acr=str(acr),
    )  # fmt: skip


def _figures(army_id: str, found: Mapping[str, Breakdown]) -> Iterator[Figure]:
    om, dv, morale = (found[name] for name in ("om", "dv", "morale_check"))
    yield Figure(f"om-{army_id}", _("OM"), _("Offense (OM)"), om.total, om, signed=True)
    yield Figure(f"dv-{army_id}", _("DV"), _("Defense (DV)"), dv.total, dv)
    yield Figure(f"morale-{army_id}", _("Morale"), _("Morale check"), morale.total, morale, signed=True)


def _cost(army_id: str, found: Mapping[str, Breakdown]) -> Figure:
    cost = found["consumption"]
    return Figure(f"cost-{army_id}", _("BP per week"), _("BP per week"), cost.total, cost)


def _chips(battle: BattleState, army: ArmyInBattle, *, known: bool) -> Iterator[Chip]:
    """Yield chips for its marks and its state. At the brink a further loss requires a rout check (PF-3.9)."""
    if army.status != FIGHTING:
        yield Chip(STATUS_WORDS[army.status], army.status, "bad" if army.status != "withdrawn" else "")
        return
    if army.id in battle.ambushed and not is_over(battle):
        yield Chip(_("Ambushed"), "ambush", "bad", _("Can’t act in the tactics phase."), ("rules", "PF-3.3"))
    for mark in telling_marks(battle, army):
        yield _mark_chip(battle, mark)
    if known and army.lost_hp and army.hp <= army.acr and not is_over(battle):
        yield Chip(
            _("about to rout"),
            "",
            "bad",
            _("So few hit points left that any loss calls for a rout check."),
            ("rules", "PF-3.9"),
        )
    if known:
        yield from _own_chips(army)


def _mark_chip(battle: BattleState, mark: Mark) -> Chip:
    effect = MARKS[mark.kind]
    text: Said = effect.name
    if mark.other in battle.armies:
        text = say(_("{mark}: {army}"), mark=text, army=battle.armies[mark.other].name)
    if mark.amount > 1:
        text = say(_("{mark} ×{amount}"), mark=text, amount=mark.amount)
    if mark.at is not None and mark.at > battle.phase.tick:
        text = say(_("{mark} (next phase)"), mark=text)
    return Chip(text, mark.kind, "bad" if effect.bad else "", effect.summary, ("marks", mark.kind))


def _own_chips(army: ArmyInBattle) -> Iterator[Chip]:
    if army.spec.commander is None or not army.spec.commander.active:
        yield Chip(_("Leaderless"), "leaderless", "bad", _("No commander’s bonus and no boons."), ("rules", "PF-2.5"))
    for change in army.adjustments:
        figure = {"om": _("OM {value}: {reason}"), "dv": _("DV {value}: {reason}")}[change.field]
        tone = "good" if change.value > 0 else "bad"
        yield Chip(say(figure, value=signed(change.value), reason=change.reason), "gm", tone)
    if army.engines:
        yield Chip(
            say(_("Siege engines: {count}"), count=army.engines), "siege-engines", entry=("resources", "siege-engines")
        )


def _traits(battle: BattleState, army: ArmyInBattle) -> Iterator[CardTrait]:
    """Yield abilities, resources and boons, in this order."""
    law = battle.law
    for choice in army.profile.choices.values():
        item = law.abilities[choice.ability]
        icon = item.like or item.slug
        yield CardTrait(item.name, item.summary, icon, str(choice.value) if choice.value else "")
    for slug, quantity in army.spec.resources.items():
        if quantity > 0:
            held = law.resources[slug]
            yield CardTrait(held.name, held.summary, slug, f"× {quantity}" if quantity > 1 else "")
    if army.spec.commander is not None and army.spec.commander.active:
        for state in commander_sheet(law, army.spec.commander).boons:
            if state.active:
                yield CardTrait(state.boon.name, state.boon.summary, state.boon.slug)


# Printed sheets of mass combat armies in a battle.

FIGURES = ("om", "dv", "morale_check")


def on_paper(state: BattleState, summary: Summary, figures: Figures, viewer: Viewer) -> Mapping[str, OnPaper]:
    """Return every army with its figures, or with only name and hit points if the reader may not know more."""
    return {army: _on_paper(state, summary, army, figures, viewer) for army in summary.armies}


def _on_paper(state: BattleState, summary: Summary, army_id: str, figures: Figures, viewer: Viewer) -> OnPaper:
    army = state.armies[army_id]
    if army_id not in viewer.reads:
        device = sheet.device_of(army.spec)
        if army_id in state.worded:
            words = summary.armies[army_id].words
            return OnPaper(army_id, army.name, 0, 0, about=words or NO_WORDS, kingdom=army.spec.kingdom, charge=device)
        return OnPaper(
            army_id, army.name, army.hp, army.hp_max,
            kingdom=army.spec.kingdom, charge=device, measure=sheet.MEASURE,
        )  # fmt: skip
    known = figures.get(army_id, {})
    shown = {slug: known[slug] for slug in FIGURES if slug in known}
    return sheet.on_paper(state.law, army.spec, shown, health=army.hp, health_max=army.hp_max)


def aids(state: BattleState) -> Sequence[PaperAid]:
    return (sheet.strategies_on_paper(state.law),)
