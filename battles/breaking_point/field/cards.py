"""Army cards on the battle page, and printed sheets of armies: each body with its figures, and how close it is to its
breaking point.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from armies.breaking_point.armies.paper import AIDS
from battles.default.ui import PlainCard
from rules.breaking_point.battle.state.battle_state import (
    ANNIHILATED,
    BATTERED,
    DECIMATED,
    FIGHTING,
    FLED,
    FRESH,
    RESERVE,
    ROUND,
    ROUTED,
    UNIT,
    WAITING,
    BattleNow,
    Body,
    BodyOrder,
)
from rules.breaking_point.battle.state.conditions import CONDITIONS, COVER, SURROUNDED
from rules.breaking_point.battle.state.field_figures import heads_now
from rules.breaking_point.battle.state.reach import steps_of
from rules.breaking_point.battle.telling.words import STATE_WORDS, STATUS_WORDS, body_name
from rules.breaking_point.losses import share
from rules.breaking_point.spec import Unit
from rules.core.breakdown import Breakdown, OnPaper, PaperAid, PaperFigure, PaperList
from rules.core.text import NO_WORDS, Said, Term, _, say, signed
from rules.core.viewers import band_of
from rules.law import Combatant, Figures, Summary, Viewer

# Army cards on the battle page: each body with its figures, and how close it is to its breaking point.
#
# What the reader may not know is left out. A masked body shows only its state, heads rounded to one digit, and losses
# in percent.

LADDER = 120  # length of the ladder in percent of the force
TONES = {FRESH: "good", BATTERED: "warn", DECIMATED: "bad", ANNIHILATED: "bad", ROUTED: "bad"}
KEY_NAMES: Mapping[str, Term] = {
    "contact": _("Contact group"),
    "shooting": _("Shooting group"),
    "garrison": _("Garrison"),
    "reserve-contact": _("Reserve, contact"),
    "reserve-shooting": _("Reserve, shooting"),
    "reserve-garrison": _("Reserve"),
    RESERVE: _("Reserve"),
}
SHOWN: tuple[tuple[str, Term, Term], ...] = (
    ("power", _("Power"), _("Attack power")),
    ("fire-power", _("Fire"), _("Fire power")),
    ("combat", _("Combat"), _("Combat rating")),
    ("defense", _("Defense"), _("Defense at contact")),
)
DEEDS: Mapping[str, tuple[Term, Term, str]] = {
    "attack": (_("attacks {target}"), _("attacks"), "battle"),
    "shoot": (_("shoots at {target}"), _("shoots"), "ranged"),
    "hold": (_("holds"), _("holds"), "hold"),
    "withdraw": (_("withdraws"), _("withdraws"), "withdraw"),
}


@dataclass(frozen=True)
class BodyFigure:
    """Figure of a body that unfolds its breakdown."""

    id: str
    label: Said
    title: Said
    value: int
    breakdown: Breakdown
    signed: bool = False


@dataclass(frozen=True)
class BodyChip:
    """Short fact. `entry` is the kind and slug of its codex entry."""

    text: Said
    icon: str
    tone: str = ""
    more: Said = NO_WORDS
    entry: tuple[str, str] | None = None


@dataclass(frozen=True)
class BodyBlock:
    """Body on a card. `took` and `breaks` are places on the ladder in percent of the force; `told` is the ladder in
    words. `dom` is the element's id.
    """

    id: str
    dom: str
    name: Said
    about: Said
    gone: bool
    figures: tuple[BodyFigure, ...]
    chips: tuple[BodyChip, ...]
    took: int
    breaks: int | None
    told: Said
    lost: Said
    left: Said
    order: Said | None
    order_icon: str
    units: tuple[Unit, ...]
    masked: bool


@dataclass(frozen=True)
class HostCard(PlainCard):
    """Card of an army. `about` names its leader. `sheet` is the army's page, "" for those who may not read it."""

    bodies: tuple[BodyBlock, ...] = ()
    about: Said = NO_WORDS
    sheet: str = ""


def list_blocks(
    battle: BattleNow, army: str, figures: Mapping[str, Breakdown], *, orders: bool
) -> tuple[BodyBlock, ...]:
    """Return the bodies of an army. `orders`: their orders may be shown."""
    return tuple(_block(battle, body, figures, orders=orders) for body in battle.of_army(army))


def chips_of_army(battle: BattleNow, army: Combatant) -> Iterator[BodyChip]:
    """Yield a chip for armies that strike first."""
    steps = steps_of(battle.scores) if battle.phase.kind == ROUND and army.fighting else ()
    if len(steps) > 1 and army.side in steps[0]:
        yield BodyChip(_("strikes first"), "battle", "good", _("Until the next command test."), ("rules", "B-20"))


def _block(battle: BattleNow, body: Body, figures: Mapping[str, Breakdown], *, orders: bool) -> BodyBlock:
    gone = not (body.on_field or body.waiting)
    percent = share(min(body.losses, body.force) if gone else body.losses, body.force)
    worded = body.army in battle.worded
    ordered = _ordered(battle, body) if orders else None
    return BodyBlock(
        id=body.id,
        dom=body.id.replace(":", "-"),
        name=KEY_NAMES.get(body.key) or body_name(battle, body),
        about=_about(battle, body),
        gone=gone,
        figures=() if body.masked or gone else tuple(_figures(body, figures)),
        chips=tuple(_chips(battle, body)),
        took=min(LADDER, percent),
        breaks=None if body.breaking is None else min(LADDER, body.breaking),
        told=_in_words(body) if worded else _told(body, percent),
        lost=band_of(body.force - body.losses, body.force).word if worded else _lost(body, percent),
        left=_left(body),
        order=ordered[0] if ordered else None,
        order_icon=ordered[1] if ordered else "",
        units=tuple(battle.units(body)),
        masked=body.masked,
    )


def _about(battle: BattleNow, body: Body) -> Said:
    if body.formation.kind == RESERVE:
        return _("composition unknown")
    units = list(battle.units(body))
    heads = body.formation.heads if body.masked else heads_now(battle, body)
    text = _("about {heads}: {units}") if body.masked else _("{heads} of {whole}: {units}")
    names = ", ".join(dict.fromkeys(unit.name for unit in units))
    if body.formation.kind == UNIT:  # it has the name of its unit
        text = _("about {heads}") if body.masked else _("{heads} of {whole}")
    return say(text, heads=heads, whole=body.formation.heads, units=names)


def _in_words(body: Body) -> Said:
    word = band_of(body.force - body.losses, body.force).word
    return say(_("{state}: {word}"), state=STATE_WORDS[body.state], word=word)


def _told(body: Body, percent: int) -> Said:
    state = STATE_WORDS[body.state]
    if body.breaking is None or body.masked or not _holds(body):
        return say(_("{state}: {percent}% of its force lost"), state=state, percent=percent)
    text = _("{state}: {percent}% of its force lost, breaks above {breaking}%")
    return say(text, state=state, percent=percent, breaking=body.breaking)


def _lost(body: Body, percent: int) -> Said:
    if body.masked:
        return say(_("{percent}% lost"), percent=percent)
    losses = body.losses if body.on_field or body.waiting else min(body.losses, body.force)  # B-72
    return say(_("{losses} of {force} lost, {percent}%"), losses=losses, force=body.force, percent=percent)


def _holds(body: Body) -> bool:
    return body.status in (FIGHTING, WAITING)


def _left(body: Body) -> Said:
    """Say how far it is from breaking; nothing for a body that broke or left."""
    if body.masked or not _holds(body):
        return NO_WORDS
    if body.value is None:
        return _("never breaks")
    left = body.value - body.losses
    if left < 0:
        return say(_("above {percent}%: the next loss breaks it"), percent=body.breaking)
    return say(_("breaks above {percent}%: {left} to go"), percent=body.breaking, left=left)


def _figures(body: Body, found: Mapping[str, Breakdown]) -> Iterator[BodyFigure]:
    for slug, label, title in SHOWN:
        lines = found.get(f"{slug}:{body.key}")
        if lines is None or (slug in ("power", "fire-power") and not lines.total and _other(body, slug, found)):
            continue
        yield BodyFigure(f"{slug}-{body.id.replace(':', '-')}", label, title, lines.total, lines)


def _other(body: Body, slug: str, found: Mapping[str, Breakdown]) -> bool:
    """Whether the body has the other power, so that a 0 of this one need not be shown."""
    other = found.get(f"{'fire-power' if slug == 'power' else 'power'}:{body.key}")
    return other is not None and other.total > 0


def _chips(battle: BattleNow, body: Body) -> Iterator[BodyChip]:
    if body.status in (FIGHTING, WAITING):
        yield BodyChip(STATE_WORDS[body.state], body.state, TONES.get(body.state, "warn"), entry=("rules", "BP-4.8"))
    if body.status != FIGHTING:
        empty = body.status == FLED and body.losses >= body.force
        word = _("nobody left") if empty else STATUS_WORDS[body.status]
        yield BodyChip(word, body.status, TONES.get(body.status, ""), entry=("rules", "BP-4.10"))
    if body.side in battle.surprised and body.status == FIGHTING:
        more = _("Combat −5. Defense is halved, or 0 in a fleet.")
        yield BodyChip(_("surprised"), "fog", "bad", more, ("rules", "B-20"))
    if body.penalty:
        text = say(_("failed withdrawal {penalty}"), penalty=signed(body.penalty))
        yield BodyChip(text, "withdraw", "bad", entry=("rules", "B-36"))
    if body.rests and body.rests == battle.round:
        yield BodyChip(_("has pursued"), "hold", "", _("Can’t attack this round."), ("rules", "B-39"))
    for slug in (COVER, SURROUNDED):
        held = battle.condition(slug, body=body.id)
        if held is not None:
            named: Said = CONDITIONS[slug].name
            told = say(_("{name} +{value}"), name=named, value=held.value) if held.value else named
            yield BodyChip(told, slug, "bad" if slug == SURROUNDED else "good", entry=("rules", CONDITIONS[slug].rule))
    for name, value in body.adjusted.items():
        yield BodyChip(say(_("GM: {figure} {value}"), figure=ADJUSTED[name], value=signed(value)), "gm")


ADJUSTED: Mapping[str, Term] = {
    "combat": _("combat"),
    "defense": _("defense"),
    "power": _("power"),
    "fire-power": _("fire power"),
}


def _ordered(battle: BattleNow, body: Body) -> tuple[Said, str] | None:
    order = battle.orders.get(body.army)
    if order is None or not body.on_field:
        return None
    if order.withdraw:
        return DEEDS["withdraw"][1], DEEDS["withdraw"][2]
    given: BodyOrder = battle.order_of(body)
    aimed, bare, icon = DEEDS[given.do]
    target = battle.bodies.get(given.target)
    if target is None:
        return bare, icon
    return say(aimed, target=body_name(battle, target)), icon


# Printed sheets of armies in a battle: a box for each percent of the force, grey from the breaking point on.

WHOLE = 100
MEASURE = _("Percent of the force")


def on_paper(state: BattleNow, summary: Summary, figures: Figures, viewer: Viewer) -> Mapping[str, OnPaper]:
    """Return every army with its bodies, or with only its name and remaining share if the reader may not know more."""
    return {army.id: _on_paper(state, army, figures, army.id in viewer.reads) for army in summary.armies.values()}


def _on_paper(state: BattleNow, army: Combatant, figures: Figures, known: bool) -> OnPaper:
    bodies = state.of_army(army.id)
    found = figures.get(army.id, {})
    leader = army.leader_name if known else ""
    if army.words is not None:
        return OnPaper(army.id, army.name, 0, 0, about=army.words, kingdom=army.kingdom, charge="army")
    whole = OnPaper(army.id, army.name, WHOLE * army.health // max(1, army.health_max), WHOLE, leader=leader,
                    kingdom=army.kingdom, charge="army", measure=MEASURE)  # fmt: skip
    if not known or not bodies:
        return whole
    parts = tuple(_part(state, whole, body, found) for body in bodies)
    return parts[0] if len(parts) == 1 else replace(whole, parts=parts)


def _part(state: BattleNow, whole: OnPaper, body: Body, found: Mapping[str, Breakdown]) -> OnPaper:
    """Return a body as a part, with its own boxes and breaking point."""
    brink = 0 if body.breaking is None else max(0, WHOLE - body.breaking)
    one = len(state.of_army(body.army)) == 1
    return replace(
        whole,
        id=body.id,
        health=max(0, WHOLE - share(body.losses, body.force)),
        about=NO_WORDS if one and body.formation.kind != UNIT else KEY_NAMES.get(body.key) or body_name(state, body),
        brink=brink,
        brink_help=_("gray: beyond the breaking point") if brink else NO_WORDS,
        figures=tuple(_paper_figures(body, found)),
        lists=() if body.masked else (_units(state, body),),
    )


def _paper_figures(body: Body, found: Mapping[str, Breakdown]) -> Iterator[PaperFigure]:
    """Yield this body's figures, of the same kinds as its army's other bodies; powers only where there are any."""
    for slug, label, _title in SHOWN:
        every = [lines.total for name, lines in found.items() if name.startswith(f"{slug}:")]
        lines = found.get(f"{slug}:{body.key}")
        if lines is not None and (any(every) or slug not in ("power", "fire-power")):
            yield PaperFigure(label, lines.total, lines.lines, plain=True)


def _units(state: BattleNow, body: Body) -> PaperList:
    units = (say(_("{heads} × {unit} ({combat})"), heads=u.strength, unit=u.name, combat=u.combat)
             for u in state.units(body))  # fmt: skip
    return PaperList(body_name(state, body), tuple(units))


def aids(state: BattleNow) -> Sequence[PaperAid]:
    return AIDS
