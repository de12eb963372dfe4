"""Checklist of a new campaign: every first step is ready to be taken with a good start.

Every app contributes its own steps. A step is done once there is something it
would have made, by whatever way it came.
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
    """A step that asks what is filled in already; its fields do not meet those of other forms of the page."""

    def __init__(self, data: QueryDict | None = None, *, fields: Iterator[tuple[str, forms.Field]]):
        super().__init__(data, auto_id="first-%s")
        self.fields.update(dict(fields))


class FirstStep(ABC):
    """`told`: what the folded line says of the done step; `after`: the steps that must be done before. The step of the
    lowest `order` comes first.
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
        """The step is done when there are any."""

    @abstractmethod
    def fields(self, campaign: Campaign) -> Iterator[tuple[str, forms.Field]]:
        """What it asks, all of it filled in."""

    def form(self, campaign: Campaign, data: QueryDict | None = None) -> Ready:
        return Ready(data, fields=self.fields(campaign))

    @abstractmethod
    def do(self, by: User, campaign: Campaign, given: Mapping[str, Any]) -> str:
        """Do it in one transaction, through the services; where to go on, or nothing. Raises what they raise."""

    def shown(self, campaign: Campaign) -> Mapping[str, Any]:
        """What its folded line needs besides its words."""
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
    """A step as it is drawn: done, open with its `form`, or still to come. `waits`: what must be done before."""

    step: FirstStep
    done: bool
    waits: tuple[Term, ...] = ()
    form: forms.Form | None = None
    more: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class FirstSteps:
    """`asked`: the reader wants to see them all, not the line that sums them up."""

    lines: tuple[StepLine, ...]
    asked: bool = False

    @property
    def opened(self) -> bool:
        """Whether the list stands open: in a campaign that has nothing yet, and where it was asked for."""
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
    """The checklist for a GM, until all is done or they have put it away. `wanted`: the step that is to stand open,
    else the first that can be done; `refused`: the form of one that was.
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
    """Which steps are done, in one query."""
    found = {step.slug: Exists(step.rows(campaign)) for step in list_steps()}
    row = Campaign.objects.filter(pk=campaign.pk).order_by().values(**found)[0]
    return {slug: bool(done) for slug, done in row.items()}


def _open(done: Mapping[str, bool], wanted: str) -> str:
    """The one asked for, if it can be done, else the first that is not yet and can be."""
    ready = [step.slug for step in list_steps() if all(done[slug] for slug in step.after)]
    return wanted if wanted in ready else next((slug for slug in ready if not done[slug]), "")


def _line(step: FirstStep, campaign: Campaign, done: Mapping[str, bool], form: forms.Form | None) -> StepLine:
    over = done[step.slug]
    waits = () if over else tuple(step_named(slug).title for slug in step.after if not done[slug])
    return StepLine(step, over, waits, form, step.shown(campaign) if over else None)
