"""Checklist of a new campaign: first steps with forms that are already filled in.

Apps contribute the steps. A step is done as soon as the campaign has the object that it would create, however that
object was made.
"""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, ClassVar, NamedTuple

from django import forms
from django.db.models import Exists, QuerySet
from django.http import Http404, QueryDict
from django.utils.module_loading import import_string
from django.utils.translation import get_language

from core.clean_input import NAME_MAX
from core.text import render
from core.text_search import fold_name
from kingdom.access.queries import is_gm
from kingdom.accounts.rate_limits import Limit, count_attempt
from kingdom.contributions import contributed
from kingdom.models import Campaign, User
from rules.core.errors import demand, require
from rules.core.text import NO_WORDS, Said, Term, _, say
from rules.registry import RULESETS, ruleset


class Ready(forms.Form):
    """Form of a step, already filled in. Its ids differ from those of other forms on the page."""

    def __init__(self, data: QueryDict | None = None, *, fields: Iterator[tuple[str, forms.Field]]):
        super().__init__(data, auto_id="first-%s")
        self.fields.update(dict(fields))


class FirstStep(ABC):
    """A first step. `told`: sentence of the done step; `after`: slugs of steps to be done before. The lowest `order` is
    first.
    """

    slug: ClassVar[str]
    order: ClassVar[int]
    icon: ClassVar[str]
    title: ClassVar[Term]
    about: ClassVar[Term]
    button: ClassVar[Term]
    told: ClassVar[Term]
    after: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def rows(self, campaign: Campaign) -> QuerySet[Any]:
        """Return the rows that make the step done."""

    @abstractmethod
    def fields(self, campaign: Campaign) -> Iterator[tuple[str, forms.Field]]:
        """Yield its fields, with initial values."""

    def form(self, campaign: Campaign, data: QueryDict | None = None) -> Ready:
        return Ready(data, fields=self.fields(campaign))

    @abstractmethod
    def do(self, by: User, campaign: Campaign, given: Mapping[str, Any]) -> str:
        """Run the step in one transaction, through services. Return the next address, or "". Raises what they raise."""

    def shown(self, campaign: Campaign) -> Mapping[str, Any]:
        """Return the further context of the done step."""
        return {}


def list_steps() -> Sequence[FirstStep]:
    return contributed().first_steps


def step_named(slug: str) -> FirstStep:
    found = next((step for step in list_steps() if step.slug == slug), None)
    if found is None:
        raise Http404
    return found


@dataclass(frozen=True, slots=True)
class StepLine:
    """A step on the page: done, open with its `form`, or still to come. `waits`: titles of the steps to be done
    before.
    """

    step: FirstStep
    done: bool
    waits: tuple[Term, ...] = ()
    form: forms.Form | None = None
    more: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class FirstSteps:
    """The checklist. `asked`: the reader wants to see all steps, not the summary."""

    lines: tuple[StepLine, ...]
    asked: bool = False

    @property
    def opened(self) -> bool:
        """Whether the list is open: in an empty campaign, or on request."""
        return self.asked or not self.done

    @property
    def done(self) -> int:
        return sum(line.done for line in self.lines)

    @property
    def next(self) -> Said:
        return next((line.step.title for line in self.lines if line.form), NO_WORDS)


def build_first_steps(
    user: User, campaign: Campaign, wanted: str = "", refused: tuple[str, forms.Form] | None = None
) -> FirstSteps | None:
    """Return the checklist; None for a user who is no GM, when all is done, or when it is hidden.

    `wanted`: the step to open, else the first that can be done; `refused`: the refused step with its form.
    """
    if not (campaign.first_steps and is_gm(user, campaign)):
        return None
    done = _done(campaign)
    if all(done.values()):
        return None
    chosen = refused[0] if refused else _open(done, wanted)
    lines = []
    for step in list_steps():
        form = None
        if step.slug == chosen:
            form = refused[1] if refused else step.form(campaign)
        lines.append(_line(step, campaign, done, form))
    return FirstSteps(tuple(lines), asked=bool(wanted or refused))


def _done(campaign: Campaign) -> dict[str, bool]:
    """Return which steps are done, in one query."""
    found = {step.slug: Exists(step.rows(campaign)) for step in list_steps()}
    row = Campaign.objects.filter(pk=campaign.pk).order_by().values(**found)[0]
    return {slug: bool(done) for slug, done in row.items()}


def _open(done: Mapping[str, bool], wanted: str) -> str:
    """Return the wanted step if it can be done, else the first open one that can; "" if there is none."""
    ready = [step.slug for step in list_steps() if all(done[slug] for slug in step.after)]
    return wanted if wanted in ready else next((slug for slug in ready if not done[slug]), "")


def _line(step: FirstStep, campaign: Campaign, done: Mapping[str, bool], form: forms.Form | None) -> StepLine:
    over = done[step.slug]
    waits = () if over else tuple(step_named(slug).title for slug in step.after if not done[slug])
    return StepLine(step, over, waits, form, step.shown(campaign) if over else None)


# Templates of campaigns and demo campaigns, by ruleset. Apps contribute them.


class CampaignTemplate(NamedTuple):
    """A template. `fill(by=user, campaign=campaign)` fills a new campaign through the services."""

    slug: str
    name: Said
    text: Said
    icon: str
    fill: Callable[..., object]


Source = Callable[[str], Iterable[CampaignTemplate]]
"""`source(ruleset)` returns the templates for a ruleset's slug."""


def list_templates(ruleset: str) -> dict[str, CampaignTemplate]:
    """Return the templates of one ruleset, by slug."""
    return {one.slug: one for source in contributed().templates for one in source(ruleset)}


def list_all_templates() -> dict[str, CampaignTemplate]:
    """Return the templates of all rulesets, each once."""
    return {slug: one for law in reversed(RULESETS) for slug, one in list_templates(law).items()}


def list_with_rulesets() -> list[tuple[CampaignTemplate, list[str]]]:
    """Return each template with the names of the rulesets that have it."""
    laws = [(render(law.name), list_templates(slug)) for slug, law in RULESETS.items()]
    return [
        (template, [name for name, offered in laws if slug in offered])
        for slug, template in list_all_templates().items()
    ]


def find_template(slug: str, ruleset: str) -> CampaignTemplate:
    """Return the template with this slug. Raises `InvalidInput` if the ruleset lacks it."""
    found = list_templates(ruleset)
    known = ", ".join(found) or "–"
    demand(slug in found, _("Unknown template for this ruleset. Use one of: {known}."), field="/template", known=known)
    return found[slug]


# Demo campaigns, created by makers that apps contribute for each ruleset.


LOADED = Limit("demo", 3, 60)
DemoMaker = str | Callable[..., Any]
"""`maker(owner=user)` creates a ruleset's demo campaign and returns it; a dotted path is imported when needed."""


def list_demos() -> list[tuple[str, Said]]:
    """Return the rulesets with a demo, by slug and name."""
    return [(slug, ruleset(slug).name) for slug in contributed().demos]


def load(*, owner: User, law: str = "") -> Campaign:
    """Create a demo campaign with `owner` as its GM, of this ruleset or the first that has one.

    Raises Http404 if there is no demo, `IllegalCommand` for too many in an hour: each is some thousand rows.
    """
    makers = contributed().demos
    if not makers or (law and law not in makers):
        raise Http404
    wait = count_attempt(LOADED, str(owner.pk))
    require(not wait, _("You can create {most} demo campaigns per hour. Try again in {minutes} min."),
            most=LOADED.most, minutes=math.ceil(wait / 60))  # fmt: skip
    return make(owner=owner, law=law)


def make(*, owner: User, law: str = "") -> Campaign:
    """Create a demo campaign for the administrator, without a limit."""
    makers = contributed().demos
    maker = makers[law or next(iter(makers))]
    found = import_string(maker) if isinstance(maker, str) else maker
    campaign: Campaign = found(owner=owner)
    return campaign


# Name suggestions in the reader's language: for new objects, and numbered for several of a kind.

CAMPAIGNS = (_("The amber road"), _("A winter of crowns"), _("Ash and iron"), _("The war of two rivers"))
KINGDOMS = (
    _("Crown of Estmere"), _("Duchy of Aldren"), _("March of Thornwald"), _("League of Free Towns"),
    _("County of Orlen"), _("Principality of Kessel"), _("Bishopric of Varn"), _("Clans of the North"),
)  # fmt: skip
ENEMIES = (_("Horde of the Ashen Hills"), _("Black Company of Morgath"), _("Host of the Pale King"))
SETTLEMENTS = ("Valmont", "Castelmar", "Brenn", "Orsenne", "Havreval", "Kardun", "Lisière", "Tarnwick")
COMMANDERS = (
    "Isaut Verrane", "Tancred Holm", "Maelys d’Orsenne", "Gauvin Thorne", "Yvain Carrec", "Brida Kessel",
    "Odo Marchant", "Sigrun Vaal", "Aldous Ferrant", "Roxane Tyr",
)  # fmt: skip
ARMIES = (_("Iron Guard"), _("Company of the Ford"), _("Host of the Marches"), _("Watch of the Gate"),
          _("Red Banners"), _("Riders of Dawn"))  # fmt: skip
BATTLES = (_("The battle of the ford"), _("The battle of the mill"), _("The battle of the old bridge"))

ORDINAL = re.compile(r"^(\d{1,4})(st|nd|rd|th|re|er|ère|e|ème)\s+(\S.*)$", re.IGNORECASE)
NUMBER = re.compile(r"^(.*\S)\s+(\d{1,4})$")
ENGLISH = {"st", "nd", "rd", "th"}
TEENS = (11, 12, 13)


def suggest_name(names: Sequence[str], taken: Iterable[str]) -> str:
    """Return the first of these names that is free, in the reader's language; if none is, the last one numbered."""
    said = [render(name) for name in names]
    borne = {fold_name(name) for name in taken}
    return next((name for name in said if fold_name(name) not in borne), None) or number_names(said[-1], 1, borne)[0]


def several(names: Sequence[str], taken: Collection[str], many: int) -> list[str]:
    """Return `many` different free names."""
    found: list[str] = []
    for _turn in range(many):
        found.append(suggest_name(names, [*taken, *found]))
    return found


def number_names(name: str, many: int, taken: Iterable[str] = ()) -> list[str]:
    """Return `many` free names that continue this one: 2nd company, 3rd company; Raiders 4, Raiders 5.

    A name without a number is the first of its kind; if it is taken, numbering starts at 2.
    """
    borne = {fold_name(one) for one in taken}
    start, called = _counted(name, borne)
    names: Iterator[str] = (one for one in map(called, count(start)) if fold_name(one) not in borne)
    return [next(names) for _turn in range(many)]


def _counted(name: str, borne: Collection[str]) -> tuple[int, Callable[[int], str]]:
    """Return the first number, and the function that makes a name of each number."""
    if found := ORDINAL.match(name):
        suffix, rest = found[2], found[3]
        return int(found[1]), lambda number: _short(f"{number}{_suffix(number, suffix)}", rest, "{mark} {name}")
    if found := NUMBER.match(name):
        stem = found[1]
        return int(found[2]), lambda number: _short(str(number), stem, "{name} {mark}")
    first = 2 if fold_name(name) in borne else 1
    return first, lambda number: _short(_ordinal(number), name, render(_("{mark} {name}")))


def _ordinal(number: int) -> str:
    """Return an ordinal in English (2nd); elsewhere the plain number, which agrees with any noun."""
    english = (get_language() or "en").startswith("en")
    return f"{number}{_suffix(number, 'th')}" if english else str(number)


def _suffix(number: int, like: str) -> str:
    """Return the suffix of an ordinal, in the language of the one that was typed."""
    if like.casefold() in ENGLISH:
        return "th" if number % 100 in TEENS else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    if number == 1:
        return "er" if like.casefold() == "er" else "re"
    return "e"


def _short(mark: str, name: str, pattern: str) -> str:
    room = NAME_MAX - len(pattern.format(mark=mark, name=""))
    return pattern.format(mark=mark, name=name[:room].strip())


def words_for(names: Sequence[Any]) -> Any:
    """Return the names of objects created together, for the chronicle: all of a few, the first and the last of many."""
    few = 6
    if len(names) <= few:
        return [str(name) for name in names]
    return say(_("{first} to {last}"), first=names[0], last=names[-1])
