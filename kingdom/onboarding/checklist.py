"""Checklist of a new campaign: first steps with forms that are already filled in.

Apps contribute the steps. A step is done as soon as the campaign has what it would create, however that was made.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from django import forms
from django.db.models import Exists, QuerySet
from django.http import Http404, QueryDict

from kingdom.access.queries import is_gm
from kingdom.contributions import contributed
from kingdom.models import Campaign, User
from rules.core.text import NO_WORDS, Said, Term


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
