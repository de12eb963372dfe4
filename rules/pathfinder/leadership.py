"""Leadership, morale bonus and boons of commanders (PF-2)."""

from __future__ import annotations

from dataclasses import dataclass

from rules.core.breakdown import Breakdown, Line
from rules.core.content import SWITCHED_OFF
from rules.core.errors import InvalidInput, demand
from rules.core.text import Message, Said, _, by_number, say
from rules.pathfinder.catalogue.items import Boon
from rules.pathfinder.rulebook import Rulebook
from rules.pathfinder.spec import CommanderSpec

ALWAYS_KNOWN = _("All armies can use {tactic}: no need to learn it.")


@dataclass(frozen=True, slots=True)
class BoonState:
    """Boon of the catalogue in relation to a commander. `why` says what is missing if it is not active."""

    boon: Boon
    known: bool
    office: bool
    active: bool
    high_tier: bool
    tactics: tuple[str, ...] = ()
    why: Said | None = None
    learned: int = 0

    @property
    def may_be_learned(self) -> bool:
        """Whether they may still learn it. A boon of their office is theirs already (PF-2.4); only Bonus Tactic may be
        taken again (PF-2.9).
        """
        return self.boon.needs_tactic or not (self.known or self.office)


@dataclass(frozen=True, slots=True)
class CommanderSheet:
    leadership: Breakdown
    morale_bonus: Breakdown
    soldiering: int
    boons_max: int
    boons: tuple[BoonState, ...]

    @property
    def room(self) -> int:
        """Number of boons they may still learn. A boon of their office does not count (PF-2.4)."""
        return self.boons_max - sum(state.learned for state in self.boons)


def soldiering(spec: CommanderSpec) -> int:
    """Return floor(ranks / 5); for office holders max(floor(ranks / 5), floor(level / 6), 1) (PF-2.1)."""
    trained = spec.soldier_ranks // 5
    return max(trained, spec.level // 6, 1) if spec.office else trained


def leadership(spec: CommanderSpec) -> Breakdown:
    """Return level + Charisma modifier, + 3 with the feat (PF-2.2)."""
    lines = Breakdown((Line(_("Level"), spec.level, "PF-2.2"),))
    lines = lines.plus(_("Charisma"), spec.charisma_modifier, "PF-2.2")
    return lines.plus(_("Leadership feat"), 3 if spec.leadership_feat else 0, "PF-2.2")


def morale_bonus(spec: CommanderSpec) -> Breakdown:
    """Return Charisma modifier + soldiering (PF-2.3)."""
    lines = Breakdown().plus(_("Commander’s Charisma"), spec.charisma_modifier, "PF-2.3")
    return lines.plus(_("Commander’s soldiering"), soldiering(spec), "PF-2.3")


def commander_sheet(law: Rulebook, spec: CommanderSpec) -> CommanderSheet:
    figure = leadership(spec)
    states = tuple(_state(spec, boon, figure.total) for boon in law.boons.values())
    return CommanderSheet(figure, morale_bonus(spec), soldiering(spec), 1 + soldiering(spec), states)


def _state(spec: CommanderSpec, boon: Boon, prestige: int) -> BoonState:
    learned = [choice for choice in spec.boons if choice.boon == boon.slug]
    by_office = spec.office_boon == boon.slug
    met = boon.met_by(prestige)
    tactics = [choice.tactic for choice in learned if choice.tactic]
    known, active = bool(learned), not boon.off and (by_office or (bool(learned) and met))
    if by_office and spec.office_tactic:
        tactics.append(spec.office_tactic)
    why = _missing(boon, prestige, known, by_office)
    high = bool(boon.tier) and prestige >= boon.tier
    return BoonState(boon, known, by_office, active, high, tuple(tactics), why, len(learned))


def _missing(boon: Boon, prestige: int, known: bool, by_office: bool) -> Message | None:
    if boon.off:
        return say(SWITCHED_OFF, item=boon.name)
    if by_office or boon.met_by(prestige):
        return None
    if known:
        return say(_("Dormant: needs leadership {needed}, has {has}."), needed=boon.leadership, has=prestige)
    return say(_("Needs leadership {needed}, has {has}."), needed=boon.leadership, has=prestige)


def check_commander(law: Rulebook, spec: CommanderSpec) -> None:
    """Check a commander's figures and boons (PF-2.4, PF-2.6, PF-2.9). Raises `InvalidInput` with all problems."""
    problems = [*_figure_problems(spec), *_office_problems(law, spec), *_boon_problems(law, spec)]
    if problems:
        raise InvalidInput(problems[0][1], problems[0][0], tuple(problems))


def _figure_problems(spec: CommanderSpec) -> list[tuple[str, Said]]:
    problems: list[tuple[str, Said]] = []
    bounds = (("level", spec.level, 1, 60), ("charisma_modifier", spec.charisma_modifier, -5, 30),
              ("soldier_ranks", spec.soldier_ranks, 0, 60))  # fmt: skip
    for field, value, low, high in bounds:
        if not low <= value <= high:
            problems.append((f"/{field}", say(_("Enter a number from {low} to {high}."), low=low, high=high)))
    return problems


def _office_problems(law: Rulebook, spec: CommanderSpec) -> list[tuple[str, Said]]:
    if spec.office is None:
        return (
            [("/office_boon", _("Only office holders have an office boon. Choose an office first."))]
            if spec.office_boon
            else []
        )
    office = law.offices.get(spec.office)
    if office is None:
        return [("/office", say(_("Office “{slug}” not found."), slug=spec.office))]
    if spec.office_boon is None:
        return [("/office_boon", say(_("Choose the boon for the office {office}."), office=office.name))]
    if spec.office_boon not in office.boons:
        return [("/office_boon", say(_("The office {office} doesn’t give this boon."), office=office.name))]
    if law.boons[spec.office_boon].needs_tactic and spec.office_tactic not in law.tactics:
        return [("/office_tactic", _("Choose the tactic of the boon."))]
    return []


ROOM = by_number(
    "This commander has room for {room} boon (1 + soldiering).",
    "This commander has room for {room} boons (1 + soldiering).",
    by="room",
)


def _boon_problems(law: Rulebook, spec: CommanderSpec) -> list[tuple[str, Said]]:
    problems: list[tuple[str, Said]] = []
    seen: set[tuple[str, str | None]] = set()
    for index, choice in enumerate(spec.boons):
        said = _boon_problem(law, spec, choice.boon, choice.tactic)
        if said is None and (choice.boon, choice.tactic) in seen:
            said = _("This boon is listed twice. Remove one.")
        if said is not None:
            problems.append((f"/boons/{index}", said))
        seen.add((choice.boon, choice.tactic))
    room = 1 + soldiering(spec)
    if len(spec.boons) > room:
        problems.append(("/boons", say(ROOM, room=room)))
    return problems


def _boon_problem(law: Rulebook, spec: CommanderSpec, slug: str, tactic: str | None) -> Said | None:
    boon = law.boons.get(slug)
    if boon is None:
        return say(_("Boon “{slug}” not found."), slug=slug)
    if boon.needs_tactic and tactic not in law.tactics:
        return _("Choose the tactic of the boon.")
    if not boon.needs_tactic and tactic:
        return say(_("{boon} doesn’t take a tactic. Leave it empty."), boon=boon.name)
    return None


def learnable_boons(law: Rulebook, spec: CommanderSpec) -> tuple[Boon, ...]:
    """Return the boons they could learn now, with room left and enough Leadership (PF-2.4, PF-2.9)."""
    sheet = commander_sheet(law, spec)
    if sheet.room < 1:
        return ()
    prestige = sheet.leadership.total
    open_to = (s for s in sheet.boons if s.boon.met_by(prestige) and not s.boon.off)
    return tuple(s.boon for s in open_to if s.may_be_learned)


def taught_refusal(law: Rulebook, tactic: str) -> Said | None:
    """Return why no boon may teach this tactic, or None: every army knows it, or it is switched off
    (PF-2.9, PF-1.10).
    """
    item = law.tactics[tactic]
    if item.always_known:
        return say(ALWAYS_KNOWN, tactic=item.name)
    return say(SWITCHED_OFF, item=item.name) if item.off else None


def check_boon_learned(law: Rulebook, spec: CommanderSpec, slug: str, tactic: str | None) -> None:
    """Check whether they can learn this boon (PF-2.4, PF-2.9). Raises `InvalidInput` that says what is missing."""
    problem = _boon_problem(law, spec, slug, tactic)
    if problem is not None:
        raise InvalidInput(problem, "/boon")
    if tactic and (said := taught_refusal(law, tactic)):
        raise InvalidInput(said, "/tactic")
    sheet = commander_sheet(law, spec)
    state = next(state for state in sheet.boons if state.boon.slug == slug)
    boon, has = state.boon, sheet.leadership.total
    demand(state.may_be_learned, _("{commander} already knows this."), field="/boon", commander=spec.name)
    demand(not boon.off, SWITCHED_OFF, field="/boon", item=boon.name)
    demand(boon.met_by(has), _("{boon} needs leadership {needed}; this commander has {has}."),
           field="/boon", boon=boon.name, needed=boon.leadership, has=has)  # fmt: skip
    demand(sheet.room > 0, _("This commander has no room for another boon (at most {most})."),
           field="/boon", most=sheet.boons_max)  # fmt: skip
