"""UI protocol of a ruleset's armies: one `ArmyUI` for each family of rulesets. Nothing else in this app knows a
ruleset's words.

The settings name the UIs (`ARMY_UIS`); the frame asks for one by the family of the campaign's law. A law that keeps
all it needs in an army's document takes `armies.default.ui.DefaultArmyUI` as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from uuid import UUID

from armies.models import Army, Commander
from kingdom.models import Campaign, Kingdom, User
from kingdom.ruleset_uis import RulesetUIs
from rules.core.paper import OnPaper, PaperAid
from rules.core.text import Said, Term

if TYPE_CHECKING:
    from django.http import HttpResponse, QueryDict
    from rest_framework.serializers import Serializer

    from armies.arsenal.own_things import OwnThings
    from armies.bulk.many_deeds import ManyDeed
    from armies.forces.busy import Engaged
    from armies.models import TimeStep
    from armies.onboarding.starting_armies import Starts
    from armies.tables.tables import TableFile
    from armies.weeks.due import DueLine
    from armies.weeks.forms import TimeForm
    from armies.weeks.passage import Passage, TimeProposal
    from core.api.serializers import Input
    from kingdom.chronicle.changes import Change
    from kingdom.contributions import Contribution
    from kingdom.models import ChronicleEntry
    from kingdom.slots import SlotPanel
    from rules.muster import Muster


class Cited(NamedTuple):
    """Ids of what a law says of time: that it passes, of those who are back, of captives set free, of arrivals."""

    time: str = ""
    back: str = ""
    freed: str = ""
    arrives: str = ""


class WeeksUI(Protocol):
    """What days, weeks and months do under a law, for people and programs. Templates are names below `templates/`.

    The frame (`armies.weeks`) keeps the calendar, brings commanders home, writes the chronicle and the ledgers, and
    undoes; it hands a life the days and the dice. What a life leaves to people it asks by `form` and `choices`, before
    or in the proposal; what dice it needs it rolls one by one, and the frame asks for those that are to be typed.
    """

    rules: Cited
    rolls: Mapping[str, Term]
    """What each kind of roll is called where dice are typed. None: nobody is asked for dice."""
    choices_template: str
    """Draws the fields of `form` that are its own, inside the form. `form`, `page`."""
    proposal_template: str
    """What the proposal's page says beside changes, notes and warnings, inside the form. `proposal`, `shown`, `form`"""
    panel_template: str
    """What the campaign's page says of the running week, with what `panel` answers."""
    choices_doc: str
    """What the API's document says of its choices."""
    members: type[Serializer] | None
    """Its own members of a proposal in the API, drawn from the proposal."""
    dated: frozenset[str]
    """Figures of its armies whose changes mean something on their day only: no time is taken back below them."""
    burdens: frozenset[str]
    """Figures of its armies that are worse the higher they are; all others are worse the lower they are."""
    strength: str
    """The figure of its armies that heals, as lines of changes name it."""

    # time
    def propose(self, passage: Passage) -> TimeProposal:
        """What these days would do. Whatever it writes to find that out it rolls back.

        Raises `InvalidInput` (pointers below `/choices`), `IllegalCommand`, `DiceNeeded`.
        """

    def confirm(self, passage: Passage) -> TimeProposal:
        """The same, done: writes its changes that are `kept`; all others are written by the frame. The campaign is
        locked. Where it works in several steps it says which days it reaches (`passage.steps`).
        """

    def restore(self, step: TimeStep) -> None:
        """Take its `kept` changes of that step back. Later steps were taken back before.

        Raises `IllegalCommand` naming what has changed since. Treasuries are the frame's.
        """

    def touched(self, entry: ChronicleEntry, other: ChronicleEntry) -> Said | None:
        """What this passage of time changed without a line of its own, if the other entry changed it too."""

    # what is known before
    def due(self, campaign: Campaign, kingdoms: Sequence[Kingdom]) -> Iterable[DueLine]:
        """What falls due in these kingdoms if nobody decides anything more; returns and arrivals are the frame's."""

    def panel(self, user: User, campaign: Campaign) -> Mapping[str, Any]: ...

    # what is left to people
    def chosen(self, campaign: Campaign) -> Mapping[str, Sequence[str]]:
        """What was chosen for the running week: ids, by the names of the API."""

    def choose(self, campaign: Campaign, choices: Mapping[str, Any]) -> Sequence[Change]:
        """The changes that keep these for the running week. Raises `InvalidInput` with the pointer."""

    def offers(self, campaign: Campaign) -> Any:
        """What there is to choose, for the GM's page."""

    def form(self, campaign: Campaign, offers: Any, data: QueryDict | None = None) -> TimeForm: ...

    def shown(self, campaign: Campaign, proposal: Any) -> Any:
        """What its `proposal_template` draws, beside the proposal."""


class Holding(NamedTuple):
    """What of the law's own holds armies where they are, beside battles (`armies.forces.busy`). Who sits there is a
    model below `armies.models.ArmySeat`.

    `engaged` tells of them in lists, `explain` why they may not be changed.
    """

    engaged: Callable[[Campaign], Mapping[UUID, Engaged]]
    explain: Callable[[Collection[Army]], Mapping[UUID, Said]]


type Page = Callable[..., HttpResponse]
type Panel = tuple[str, dict[Any, Any]] | None

PAGES = (
    "army", "army_new", "army_preview", "army_edit", "army_correct", "army_remove", "army_assign", "army_place",
    "army_reveal", "army_disband", "commander", "commander_new", "commander_edit", "commander_remove",
)  # fmt: skip


class ArmyApi(Protocol):
    """The law's half of `armies/` and `commanders/`. What is sent is checked in its shape; services know the rules."""

    army_shape: type[Serializer]
    army_input: type[Input]
    army_change: type[Input]
    commander_shape: type[Serializer]
    commander_input: type[Input]
    commander_change: type[Input]
    march_input: type[Input]
    """`armies.marches.api.MarchInput`, or one below it where the law reckons roads without a map."""
    marched: Sequence[Any]
    """For the document: what `march_by_road` answers."""

    def march_by_road(self, by: User, army: Any, given: dict[str, Any]) -> Any:
        """A march of which no hex is named: what it would be, None where the army has set out. Raises `InvalidInput`
        where the law knows no such thing.
        """

    def raise_army(self, by: User, kingdom: Kingdom, given: dict[str, Any]) -> Army: ...
    def raise_armies(self, by: User, kingdom: Kingdom, names: Sequence[str], given: dict[str, Any]) -> Sequence[Army]:
        """Several alike in one deed: `given` is the body for one, its `name` aside."""

    def alike(self, army: Any) -> dict[str, Any]:
        """The body that raises another like it, new and whole, without its kingdom and its name."""

    def change_army(self, by: User, army: Any, given: dict[str, Any]) -> None: ...
    def appoint_commander(self, by: User, kingdom: Kingdom, given: dict[str, Any]) -> Commander: ...
    def change_commander(self, by: User, commander: Any, given: dict[str, Any]) -> None: ...
    def remove_commander(self, by: User, commander: Any) -> None: ...


class ArmyUI(Protocol):
    """One law's armies for people and programs."""

    family: str
    army: type[Army]
    """The model of its armies: `Army`, or one below it where the law keeps columns of its own."""
    commander: type[Commander]
    pages: Mapping[str, Page]
    """The views of `PAGES` by name, as the frame's addresses call them."""
    api: ArmyApi

    panels: Sequence[SlotPanel]
    """What it shows on the pages of campaigns and kingdoms, where they are played by this law."""
    contribution: Contribution
    """What it adds under every law: its tables, and what follows a change of law."""
    urls: str | None
    api_urls: str | None
    """Modules of addresses only this law knows."""
    many: Sequence[type[ManyDeed]]
    """What several of them can be told to do at once, in the order in which it is offered."""
    life: WeeksUI | None
    """What time does to them; None: nothing, but that those who were away come back and those on the march arrive."""

    holding: Holding | None
    """What of its own holds armies where they are, beside battles; None: nothing."""

    own_things: OwnThings | None
    """What a campaign may have of its own beside its tables (`armies.arsenal`); None: nothing."""

    starts: Starts
    """What it has ready for whoever begins: for first steps and for templates of campaigns."""

    tables: Sequence[TableFile]
    """What of it goes out and comes in as a table (`armies.tables`)."""
    other_files: Sequence[tuple[str, Term]]
    """Pages of the law's own where a GM brings in other files: the name of the address, and what it is called."""

    # battles by another law
    musters: bool
    """Whether its armies may fight by other laws at all."""

    def muster(self, army: Any) -> Muster | None:
        """The army as the law of another may understand it; None where it fights by its own law alone."""

    # marches over the map
    def traveller(self, army: Any) -> Any:
        """The army as the law's `travel` knows it."""

    def bound_to(self, army: Any) -> Sequence[str]:
        """The manners it marches in today whatever is ordered, of those its `travel` offers it."""

    def set_out(self, army: Any) -> Sequence[str]:
        """It sets out today: what the law changes of it then, the columns. Raises `IllegalCommand` where it may not."""

    # pictures
    def list_unit_types(self, campaign: Campaign) -> Mapping[str, str]:
        """The names of the unit types of a campaign by slug: those that may have a picture."""

    def get_unit_page(self, campaign: Campaign, slug: str) -> str:
        """The address of the page where a unit type stands."""

    def find_unit_type(self, army: Any) -> str:
        """The slug of the unit type an army consists of, "" where it has none or several."""

    def get_drawing(self, army: Any) -> str:
        """What stands in place of the army's picture: a symbol of static/portraits.svg."""

    # what is printed
    stages: Sequence[Said]
    """The phases of a battle for which a card has a line to write on."""

    def on_paper(self, army: Any) -> OnPaper:
        """The army with its figures; no more than its name and its health where the law no longer accepts it."""

    def aids(self, campaign: Campaign) -> Sequence[PaperAid]:
        """Tables to have at hand on each card."""


class ArmyUIs(RulesetUIs[ArmyUI]):
    def check(self, ui: ArmyUI) -> None:
        if missing := set(PAGES) - set(ui.pages):
            raise LookupError(f"the UI of {ui.family} has no page for {sorted(missing)}")


_uis = ArmyUIs("ARMY_UIS")
find_army_ui, list_army_uis = _uis.find, _uis.all


def get_army_ui(campaign: Campaign) -> ArmyUI:
    """The UI of the campaign's law. Raises `LookupError` where the settings name none."""
    found = find_army_ui(campaign)
    if found is None:
        raise LookupError(campaign.ruleset)
    return found


def find_row(kind: type[Army | Commander], campaign: Campaign, pk: str) -> Army | Commander | None:
    """The army or commander as the campaign's law keeps it."""
    ui = get_army_ui(campaign)
    rows = (ui.army if issubclass(kind, Army) else ui.commander)._default_manager
    return rows.filter(pk=pk, campaign=campaign).first()
