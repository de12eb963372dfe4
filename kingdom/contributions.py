"""Contributions: what an app or ruleset adds to the pages and services of other apps. Kingdoms know no armies or
battles.

Each app has one `Contribution` in its `own_contribution.py`, each ruleset one in its UI. The setting `CONTRIBUTIONS`
names them all. Callers read the merged result:

    for event in contributed().webhook_events.values(): ...
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache, cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Protocol
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.module_loading import import_string
from django.utils.safestring import SafeString, mark_safe

from kingdom.models import Campaign
from rules import registry
from rules.law import Law

if TYPE_CHECKING:
    from django.db.models import Model
    from django.db.models.expressions import Combinable

    from kingdom.accounts.personal_data import Provider
    from kingdom.approvals.submission import ArgumentReader
    from kingdom.archive.import_checks import CarriedTable, Check
    from kingdom.campaign.awaiting_counts import Counter
    from kingdom.campaign.campaign_cards import CardSlot
    from kingdom.campaign.services import LawFollower, LawGuard
    from kingdom.chronicle.changes import Overlap, UndoFollower
    from kingdom.chronicle.field_change import TrackedModel
    from kingdom.chronicle.undelete import Demand, Detachment
    from kingdom.live.stream import Followable
    from kingdom.notes.targets import NoteTarget
    from kingdom.onboarding.checklist import DemoMaker, FirstStep, Source
    from kingdom.onboarding.tour import TourStop
    from kingdom.pictures.queries import PictureOwner
    from kingdom.realms.treasury_services import TreasuryFollower
    from kingdom.search.search_registry import Finder, Shelf
    from kingdom.sharing.share_kinds import ShareKind
    from kingdom.webhooks.event_types import HookEvent


@dataclass(frozen=True, kw_only=True, eq=False)
class Contribution:
    """Everything an app or a ruleset adds, by kind.

    Contributions are in the order of `CONTRIBUTIONS`; those named in `ORDERED` are sorted by their `order`, lowest
    first.
    """

    # Pages of kingdoms and campaigns
    slots: Sequence[SlotPanel] = ()
    cards: Sequence[CardSlot] = ()
    awaiting: Mapping[str, Counter] = field(default_factory=dict)
    """By the tab that shows the count."""

    kingdom_annotations: Mapping[str, Combinable] = field(default_factory=dict)
    """Expressions by attribute: annotations of each kingdom in the query of a campaign's page."""

    # What readers look for, write about, share and follow
    search: Sequence[Finder | Shelf] = ()
    note_targets: Mapping[str, NoteTarget] = field(default_factory=dict)
    picture_owners: Mapping[str, PictureOwner] = field(default_factory=dict)
    share_kinds: Mapping[str, ShareKind] = field(default_factory=dict)
    followables: Mapping[str, Followable] = field(default_factory=dict)
    """By the name in the address: pages follow objects at /live/<name>/<id>/."""
    webhook_events: Mapping[str, HookEvent] = field(default_factory=dict)
    personal_data: Mapping[str, Provider] = field(default_factory=dict)
    """By the name of the member in the document of personal data."""

    # Start of a campaign
    first_steps: Sequence[FirstStep] = ()
    tour_stops: Sequence[TourStop] = ()
    templates: Sequence[Source] = ()
    demos: Mapping[str, DemoMaker] = field(default_factory=dict)
    """By the ruleset's slug."""

    # Export and import of a campaign
    carried_tables: Sequence[CarriedTable] = ()
    left_out: Mapping[type[Model], str] = field(default_factory=dict)
    """Models that are not exported, each with the reason."""
    whole_checks: Sequence[Check] = ()
    """Called with an imported campaign, after the checks of its rows."""

    # The chronicle and its undo
    tracked_models: Sequence[TrackedModel] = ()
    undo_followers: Sequence[UndoFollower] = ()
    overlaps: Sequence[Overlap] = ()
    detachments: Sequence[Detachment] = ()
    restored_by_own_lines: Sequence[type[Model]] = ()
    """Rows of these models are deleted and restored by their own lines of an entry, never with their parent."""
    restore_demands: Mapping[type[Model], Demand] = field(default_factory=dict)
    """`demand(row, on)` raises `IllegalCommand` if a row of this model may not be restored with its parent. Rows of
    other models are restored if everything else they refer to exists.
    """
    restored_where: Mapping[type[Model], Callable[[Any], bool]] = field(default_factory=dict)
    """Rows of this model are restored only where this returns True; their parent is restored without the others."""

    # Requests that wait for approval
    arguments: Mapping[type[Any], ArgumentReader] = field(default_factory=dict)
    """How to read models (with subclasses) and named tuples that are arguments of services."""

    # Changes of a campaign's ruleset or house rules
    law_guards: Sequence[LawGuard] = ()
    law_followers: Sequence[LawFollower] = ()

    # A kingdom that no longer has a treasury
    treasury_followers: Sequence[TreasuryFollower] = ()


ORDERED = ("slots", "cards", "search", "first_steps", "tour_stops", "detachments")


def contributed() -> Contribution:
    """Return all contributions merged into one."""
    return _merge()


@cache
def _merge() -> Contribution:
    parts = [_load(path) for path in settings.CONTRIBUTIONS]
    joined = {one.name: _join([getattr(part, one.name) for part in parts]) for one in fields(Contribution)}
    ordered = {name: tuple(sorted(joined[name], key=attrgetter("order"))) for name in ORDERED}
    return Contribution(**{**joined, **ordered})


def _load(path: str) -> Contribution:
    """Return the contribution at this path, or that of the ruleset UI there."""
    found = import_string(path)
    contribution: Contribution = getattr(found, "contribution", found)
    return contribution


def _join(values: Sequence[Any]) -> Any:
    if isinstance(values[0], Mapping):
        return {key: item for value in values for key, item in value.items()}
    return tuple(item for value in values for item in value)


# Slots on kingdom pages that other apps fill. Kingdoms do not know armies or battles.
#
# A provider returns `(template, context)`, or None to show nothing. Places and the arguments of their providers:
#
# - `nav`, `campaign-actions`, `campaign`, `met`: (user, campaign)
# - `realms`: (user, campaign, kingdoms); its context is `{kingdom_id: context}`
# - `kingdom`, `people`, `outlook`: (user, kingdom, look)
# - `kingdom-actions`, `treasury`: (user, kingdom)
# - `shared`: (onlooker, kingdom), on its public page
# - `account`, `help`: (user)
# - `commander`: (user, commander), what battles know of them
# - `beneath`: (user, kind, object), below the page of any object that notes may be about (`kingdom.notes.targets`)

PanelProvider = Callable[..., tuple[str, dict[Any, Any]] | None]

PLACES = frozenset(
    {
        "nav",
        "realms",
        "campaign",
        "campaign-actions",
        "met",
        "kingdom",
        "people",
        "outlook",
        "kingdom-actions",
        "treasury",
        "shared",
        "account",
        "help",
        "commander",
        "beneath",
    }
)


@dataclass(frozen=True, slots=True)
class SlotPanel:
    """A provider for a place."""

    place: str
    provider: PanelProvider
    order: int = 0

    def __post_init__(self) -> None:
        if self.place not in PLACES:
            raise ValueError(f"no place called {self.place}")


def list_providers(place: str) -> list[PanelProvider]:
    return [panel.provider for panel in contributed().slots if panel.place == place]


def link_campaign(template: str) -> PanelProvider:
    """Return a provider that renders this template for everybody, with `campaign` as its context."""
    return lambda user, campaign: (template, {"campaign": campaign})


def render_place(request: HttpRequest, place: str, *subject: Any) -> list[SafeString]:
    """Return the place's rendered panels for the signed-in user."""
    return rendered_to(request.user, request, place, *subject)


def rendered_to(user: Any, request: HttpRequest, place: str, *subject: Any) -> list[SafeString]:
    """Return the place's rendered panels for another user than the one who sends the request."""
    answers = (provider(user, *subject) for provider in list_providers(place))
    drawn = [_panel(request, *answer) for answer in answers if answer]
    return [panel for panel in drawn if panel]


def _panel(request: HttpRequest, template: str, context: dict[Any, Any]) -> SafeString:
    return mark_safe(render_to_string(template, context, request=request))  # Jinja2 does not mark its output as safe


def render_beneath(request: HttpRequest, kind: str, thing: Any) -> Iterator[SafeString]:
    """Yield the panels below the page of an object. Lazy: a partial page does not render them."""
    yield from render_place(request, "beneath", kind, thing)


def rendered_for_each(request: HttpRequest, place: str, *subject: Any) -> dict[UUID, list[SafeString]]:
    """Return the rendered panels of each kingdom, by kingdom id."""
    drawn: dict[UUID, list[SafeString]] = defaultdict(list)
    for provider in list_providers(place):
        template, contexts = provider(request.user, *subject) or ("", {})
        for key, context in contexts.items():
            drawn[key].append(_panel(request, template, context))
    return drawn


# Registry of ruleset UIs: each app has one for each family of rulesets, named by the settings.


class OfFamily(Protocol):
    family: str


class RulesetUIs[UI: OfFamily]:
    """The UIs of an app. `setting` lists their import paths ("package.module.NAME")."""

    def __init__(self, setting: str):
        self._setting = setting

    @cached_property
    def by_family(self) -> dict[str, UI]:
        found: list[UI] = [import_string(path) for path in getattr(settings, self._setting)]
        for ui in found:
            self.check(ui)
        return {ui.family: ui for ui in found}

    def check(self, ui: UI) -> None:
        """Raise `LookupError` for an incomplete UI."""

    def for_law(self, law: Law) -> UI:
        """Return the UI of this ruleset's family. Raises `LookupError` if the settings name none."""
        return self.by_family[law.family]

    def find(self, campaign: Campaign) -> UI | None:
        """Return the UI of the campaign's ruleset, or None. The house rules are not read."""
        return self.by_family.get(registry.family_of(campaign.ruleset))

    def all(self) -> tuple[UI, ...]:
        return tuple(self.by_family.values())
