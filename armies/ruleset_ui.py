"""UI protocol of a ruleset's armies: one `ArmyUI` for each family of rulesets.

The setting `ARMY_UIS` names them. The frame finds one by the family of the campaign's ruleset and knows no words of a
ruleset itself. A ruleset that keeps everything in an army's sheet document can use `armies.default.ui.DefaultArmyUI`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from uuid import UUID

from armies.models import Army, Commander
from core.queries import find_one
from kingdom.contributions import RulesetUIs
from kingdom.models import Campaign, Kingdom, User
from rules.core.breakdown import OnPaper, PaperAid
from rules.core.text import Said, Term

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpResponse, QueryDict
    from rest_framework.serializers import Serializer

    from armies.arsenal.own_things import OwnThings
    from armies.bulk.many_deeds import ManyDeed
    from armies.forces.busy import Engaged
    from armies.models import TimeStep
    from armies.onboarding.starting_armies import Starts
    from armies.tables.tables import TableFile
    from armies.weeks.forms import TimeForm
    from armies.weeks.passage import DueLine, Passage, TimeProposal
    from core.api.serializers import Input
    from kingdom.chronicle.changes import Change
    from kingdom.contributions import Contribution, SlotPanel
    from kingdom.models import ChronicleEntry
    from rules.aftermath import Muster


class Cited(NamedTuple):
    """Rule ids about time: its passing, commanders' return, the release of captives, arrivals."""

    time: str = ""
    back: str = ""
    freed: str = ""
    arrives: str = ""


class WeeksUI(Protocol):
    """Passage of time under a ruleset: the effects of days, weeks and months on its armies, for pages and the API.
    Templates are paths below `templates/`.

    The frame (`armies.weeks`) keeps the calendar, brings commanders home, writes the chronicle and the ledgers, and
    undoes; it gives this UI the days and the dice. The UI asks people for their choices with `form` and `choices`,
    before or in the proposal. It rolls its dice one by one, and the frame asks for those that people type.
    """

    rules: Cited
    rolls: Mapping[str, Term]
    """Names of the rolls, where dice are typed; None if nobody is asked for dice."""
    choices_template: str
    """Template of the ruleset's fields of `form`, inside the form. Context: `form`, `page`."""
    proposal_template: str
    """Template of what the proposal's page shows besides changes, notes and warnings, inside the form. Context:
    `proposal`, `shown`, `form`.
    """
    panel_template: str
    """Template of the running week on the campaign's page. Context: what `panel` returns."""
    choices_doc: str
    """Description of the choices in the OpenAPI document."""
    members: type[Serializer] | None
    """Serializer of the ruleset's own members of a proposal."""
    dated: frozenset[str]
    """Fields of armies whose changes count on their day only: time is not undone past such a change."""
    burdens: frozenset[str]
    """Fields of armies that are worse the higher they are; all others are worse the lower they are."""
    strength: str
    """The field of armies that heals, as changes name it."""
    ends_adjustments: bool
    """Whether its passages end lasting adjustments; else the frame ends them."""

    # passing time
    def propose(self, passage: Passage) -> TimeProposal:
        """Preview of the effects of these days. Writes made to compute it are rolled back.

        Raises `InvalidInput` (pointers below `/choices`), `IllegalCommand`, `DiceNeeded`.
        """

    def confirm(self, passage: Passage) -> TimeProposal:
        """Write the `kept` changes of the proposal and return it; the frame writes all others. The campaign is locked.

        A ruleset that works in several steps records where each ends (`passage.steps`).
        """

    def restore(self, step: TimeStep) -> None:
        """Undoes the `kept` changes of that step, after all later steps.

        Raises `IllegalCommand` that names what has changed since. The frame restores treasuries.
        """

    def touched(self, entry: ChronicleEntry, other: ChronicleEntry) -> Said | None:
        """Describe something that both this passage of time (without a listed change) and the other entry changed; None
        if there is nothing.
        """

    # shown in advance
    def due(self, campaign: Campaign, kingdoms: Sequence[Kingdom]) -> Iterable[DueLine]:
        """Payments due from these kingdoms without further decisions. The frame adds commanders' returns and
        arrivals.
        """

    def panel(self, user: User, campaign: Campaign) -> Mapping[str, Any]: ...

    # choices left to people
    def chosen(self, campaign: Campaign) -> Mapping[str, Sequence[str]]:
        """Choices stored for the running week: ids, by the names of the API."""

    def choose(self, campaign: Campaign, choices: Mapping[str, Any]) -> Sequence[Change]:
        """Changes that store these choices for the running week. Raises `InvalidInput` with the pointer."""

    def offers(self, campaign: Campaign) -> Any:
        """Available choices, for the GM's page."""

    def form(self, campaign: Campaign, offers: Any, data: QueryDict | None = None) -> TimeForm: ...

    def shown(self, campaign: Campaign, proposal: Any) -> Any:
        """Context of `proposal_template`, besides the proposal."""


class Holding(NamedTuple):
    """Events of the ruleset, besides battles, that hold armies (`armies.forces.busy`). Their seats are subclasses of
    `armies.models.ArmySeat`.

    `engaged`: the held armies of a campaign, for lists. `explain`: why armies may not be changed.
    """

    engaged: Callable[[Campaign], Mapping[UUID, Engaged]]
    explain: Callable[[Collection[Army]], Mapping[UUID, Said]]


class Absence(NamedTuple):
    """Armies that stand, but can't be led into a battle today, whoever asks for it.

    `ids`: those of a campaign. `explain`: why, by army.
    """

    ids: Callable[[Campaign], QuerySet[Any, UUID]]
    explain: Callable[[Collection[UUID]], Mapping[UUID, Said]]


type Page = Callable[..., HttpResponse]
type Panel = tuple[str, dict[Any, Any]] | None

PAGES = (
    "army", "army_new", "army_preview", "army_edit", "army_correct", "army_remove", "army_assign", "army_place",
    "army_reveal", "army_disband", "army_reform", "commander", "commander_new", "commander_edit", "commander_remove",
)  # fmt: skip


class ArmyApi(Protocol):
    """The ruleset's part of `armies/` and `commanders/`. Serializers check shapes, services check rules."""

    army_shape: type[Serializer]
    army_input: type[Input]
    army_change: type[Input]
    commander_shape: type[Serializer]
    commander_input: type[Input]
    commander_change: type[Input]
    march_input: type[Input]
    """`armies.marches.api.MarchInput`, or a subclass where the ruleset has marches by road, without a map."""
    marched: Sequence[Any]
    """Shapes that `march_by_road` returns, for the OpenAPI document."""

    def march_by_road(self, by: User, army: Any, given: dict[str, Any]) -> Any:
        """A march without hexes. Returns its preview; None if the army has set out. Raises `InvalidInput` if the
        ruleset has no such march.
        """

    reform_input: type[Input] | None
    """Body that divides and combines armies; None if the ruleset doesn’t."""
    reformed: type[Serializer] | None

    def reform(self, by: User, army: Any, given: Mapping[str, Any], mark: str | None) -> tuple[dict[str, Any], str]:
        """Preview of dividing and combining armies; carried out if the `mark` of the preview is given. Returns the
        answer and its mark.
        """

    def raise_army(self, by: User, kingdom: Kingdom, given: dict[str, Any]) -> Army: ...
    def raise_armies(self, by: User, kingdom: Kingdom, names: Sequence[str], given: dict[str, Any]) -> Sequence[Army]:
        """Raises several like armies in one chronicle entry. `given`: the body for one of them, without its `name`."""

    def alike(self, army: Any) -> dict[str, Any]:
        """Request body that raises a new, unharmed copy of the army, without its kingdom and name."""

    def change_army(self, by: User, army: Any, given: dict[str, Any]) -> None: ...
    def appoint_commander(self, by: User, kingdom: Kingdom, given: dict[str, Any]) -> Commander: ...
    def change_commander(self, by: User, commander: Any, given: dict[str, Any]) -> None: ...
    def remove_commander(self, by: User, commander: Any) -> None: ...


class ArmyUI(Protocol):
    """Armies of one ruleset family on pages and in the API."""

    family: str
    army: type[Army]
    """Model of the armies: `Army`, or a subclass with columns of its own."""
    commander: type[Commander]
    pages: Mapping[str, Page]
    """Views by the names of `PAGES`, which the frame's URLs call."""
    api: ArmyApi

    panels: Sequence[SlotPanel]
    """Panels on pages of campaigns and kingdoms of this ruleset family."""
    contribution: Contribution
    """What it contributes under every ruleset: its tables, and what follows a change of ruleset."""
    urls: str | None
    api_urls: str | None
    """Module of API URLs that only this ruleset has; None without any."""
    many: Sequence[type[ManyDeed]]
    """Actions on several armies at once, in the order in which they are offered."""
    life: WeeksUI | None
    """What time does to its armies; None if commanders only return and marches only arrive."""

    holding: Holding | None
    """Its events besides battles that hold armies; None without any."""

    absence: Absence | None
    """Its armies that can’t be led into a battle; None without any."""

    own_things: OwnThings | None
    """What a campaign may have of its own besides the tables (`armies.arsenal`); None for nothing."""

    starts: Starts
    """Its part of the first steps and of campaign templates."""

    tables: Sequence[TableFile]
    """Its tables that are exported and imported (`armies.tables`)."""
    column_words: Mapping[str, tuple[str, ...]]
    """Other headings of its columns, folded (`armies.tables.headings`)."""
    other_files: Sequence[tuple[str, Term]]
    """Pages where a GM imports other files: URL name, and label."""

    reforms: bool
    """Whether armies can be divided and combined."""

    def get_reform_page(self, army: Any) -> str:
        """Address of the page that divides and combines the army; "" if the ruleset or the campaign has none."""

    # battles by another ruleset
    musters: bool
    """Whether its armies may fight by other rulesets."""

    def muster(self, army: Any) -> Muster | None:
        """The army in the form that other rulesets read; None if it fights by its own ruleset only."""

    # marches on the map
    def traveller(self, army: Any) -> Any:
        """The army in the form that the ruleset's `travel` reads."""

    def bound_to(self, army: Any) -> Sequence[str]:
        """Manners of marching among those of `travel` that the army cannot decline today."""

    def set_out(self, army: Any) -> Sequence[str]:
        """Changes the army as it sets out today. Returns the changed columns. Raises `IllegalCommand` if it may not."""

    def follow_adjustments(self, army: Any, spared: int) -> None:
        """Hook: saves further changes that follow from a change of the army's lasting adjustments
        (`armies.adjustments`). `spared`: damage that the former ones have spared it.
        """

    # pictures
    def list_unit_types(self, campaign: Campaign) -> Mapping[str, str]:
        """Names of a campaign's unit types by slug: those that may have a picture."""

    def get_unit_page(self, campaign: Campaign, slug: str) -> str:
        """Address of the page that shows a unit type."""

    def find_unit_type(self, army: Any) -> str:
        """Slug of the army's only unit type; "" if it has none or several."""

    def get_drawing(self, army: Any) -> str:
        """Symbol of static/portraits.svg that stands in for a missing picture."""

    # print
    stages: Sequence[Said]
    """Phases of a battle that have a line to write on."""

    def on_paper(self, army: Any) -> OnPaper:
        """The army with its figures for print; only name and health where its ruleset no longer accepts it."""

    def aids(self, campaign: Campaign) -> Sequence[PaperAid]:
        """Reference tables to print on each card."""


class ArmyUIs(RulesetUIs[ArmyUI]):
    def check(self, ui: ArmyUI) -> None:
        if missing := set(PAGES) - set(ui.pages):
            raise LookupError(f"the UI of {ui.family} has no page for {sorted(missing)}")


_uis = ArmyUIs("ARMY_UIS")
find_army_ui, list_army_uis = _uis.find, _uis.all


def get_army_ui(campaign: Campaign) -> ArmyUI:
    """The UI of the campaign's ruleset. Raises `LookupError` if the settings name none."""
    found = find_army_ui(campaign)
    if found is None:
        raise LookupError(campaign.ruleset)
    return found


def find_row(kind: type[Army | Commander], campaign: Campaign, pk: str) -> Army | Commander | None:
    """The army or commander as an instance of the campaign ruleset's model; None if there is none."""
    ui = get_army_ui(campaign)
    model: Any = ui.army if issubclass(kind, Army) else ui.commander
    found: Army | Commander | None = find_one(model._default_manager.filter(pk=pk, campaign=campaign))
    return found
