"""UI protocol of a ruleset's battles: one `BattleUI` for each family of rulesets.

The setting `BATTLE_UIS` names them. The frame finds one by the family of the battle's ruleset, and knows none itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from battles.field.field_ui import FieldUI
from core.api.document_parts import DocumentPart
from kingdom.contributions import RulesetUIs
from rules.core.breakdown import OnPaper, PaperAid
from rules.core.text import Said, Term
from rules.law import Figures, Law, Legal, Summary, Team, Viewer

if TYPE_CHECKING:
    from django.http import QueryDict
    from rest_framework.serializers import Serializer

    from armies.marches.queries import Encounter
    from armies.models import Army
    from battles.codec.requests import Members
    from battles.field.bulk_orders import TogetherForm
    from battles.field.forms import CommandForm
    from battles.field.page import BattlePage
    from battles.models import Battle
    from battles.setup.seats import SeatFields
    from core.api.serializers import Input
    from kingdom.chronicle.changes import Change
    from kingdom.models import Campaign, User
    from rules.odds.tasks import Meeting

type Reader = Callable[[Members, tuple[str, ...]], Any]


class OpeningRequest(Protocol):
    """Opening as a request gave it: complete but for the armies, which are in the database."""

    @property
    def sides(self) -> Sequence[Team]: ...

    def with_armies(self, documents: Mapping[str, Any]) -> Any:
        """This opening of a battle, completed, in the ruleset's type. `documents`: its document of each army, by id."""


class WorldRead(Protocol):
    """The world as the ruleset's aftermath needs it."""

    @property
    def world(self) -> Any: ...

    def changes_of(self, state: Any, found: Iterable[Any]) -> tuple[Change, ...]:
        """The ruleset's changes, as `kingdom.chronicle.changes` takes them."""


class WordedChange(Protocol):
    """A change of one field, in words."""

    @property
    def subject(self) -> str: ...
    @property
    def field(self) -> Said: ...
    @property
    def before(self) -> Any: ...
    @property
    def after(self) -> Any: ...
    @property
    def rule(self) -> str: ...
    @property
    def label(self) -> Said: ...


class Onward(NamedTuple):
    """Label and icon of a button. `{phase}` in the label stands for the battle's phase."""

    label: Term
    icon: str


class Shown(Protocol):
    """A figure of an army that may open to its breakdown. `label` fits in a row, `title` is the full name."""

    @property
    def id(self) -> str: ...
    @property
    def label(self) -> Said: ...
    @property
    def title(self) -> Said: ...
    @property
    def value(self) -> int: ...
    @property
    def breakdown(self) -> Any: ...
    @property
    def signed(self) -> bool: ...


class ArmyCard(Protocol):
    """An army on the battle page as its reader may see it: its row, and the desk where it is selected.

    `ready`: "in", "thinking", "left" (to the computer), or "" if no order is awaited. `stance`: its present order;
    `aim`: the target's name. `steps`: the step of how many it takes. `share`: whether health is shown in hundredths;
    `words`: health in words, instead of a number. `choices`: the orders its reader may give, None where they do not
    command it. `orderable`: whether they can give one now; the view then sets `form` on the selected card. Anything
    else is for the ruleset's own templates.
    """

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def side(self) -> int: ...
    @property
    def colour(self) -> str: ...
    @property
    def crest(self) -> str: ...
    @property
    def status_word(self) -> Said: ...
    @property
    def gone(self) -> bool: ...
    @property
    def health(self) -> int: ...
    @property
    def health_max(self) -> int: ...
    @property
    def share(self) -> bool: ...
    @property
    def words(self) -> Said | None: ...
    @property
    def lost(self) -> int: ...
    @property
    def brink(self) -> int | None: ...
    @property
    def figures(self) -> Sequence[Shown]: ...
    @property
    def chips(self) -> Sequence[Any]: ...
    @property
    def ready(self) -> str: ...
    @property
    def stance(self) -> Said | None: ...
    @property
    def stance_icon(self) -> str: ...
    @property
    def aim(self) -> Said | None: ...
    @property
    def target(self) -> str: ...
    @property
    def steps(self) -> tuple[int, int] | None: ...
    @property
    def choices(self) -> Any: ...
    @property
    def orderable(self) -> bool: ...


class OrdersForMany(Protocol):
    """Orders for several armies at once. Whether each army may obey is judged when the order is given."""

    lapse: bool  # orders last for one phase only, so that the page offers to repeat them

    def form(self, page: BattlePage, data: QueryDict | None = None) -> TogetherForm:
        """The form of one order for several armies, bound when `data` is given."""

    def again(self, page: BattlePage, card: Any, given: Sequence[Any]) -> Any:
        """The command that repeats the army's last order (found in `given`), else lets it go on; None for neither."""

    def like(self, page: BattlePage, card: Any, given: Sequence[Any]) -> tuple[str, Any] | None:
        """The last order that the reader gave to another army of the same side in this phase, copied to this army.

        Returns the id of that army and the command for this one; None if there is none. `given`: latest first.
        """


class Bench(Protocol):
    """Two armies in the odds workshop, as the page's address names them, for one reader.

    `armies`: those the reader can choose. `meeting`: the question for the odds, None if there is none; `refused`: why.
    `ids` and `names` of the two, where there are two. `today`: query string for both as they are now. `setup`: query
    string that begins the setup of their battle, "" if one of them is in no campaign. Anything else is for the
    ruleset's own template.
    """

    @property
    def enough(self) -> bool: ...
    @property
    def ready(self) -> bool: ...
    @property
    def meeting(self) -> Meeting | None: ...
    @property
    def refused(self) -> Said | None: ...
    @property
    def ids(self) -> tuple[str, str]: ...
    @property
    def names(self) -> Mapping[str, str]: ...
    @property
    def today(self) -> str: ...
    @property
    def setup(self) -> str: ...


class WorkshopUI(Protocol):
    """UI of a ruleset's odds workshop, for battles that nobody plays."""

    template: str
    """Template of the two armies and the ground as form fields. Context: `bench`."""
    army_template: str
    """Template of the form for an army that is in no campaign. Context: `form`."""
    field_template: str
    """Template of the ground alone. Context: `field`."""
    health: Term
    """Name of what the winner has left."""
    span: Term
    """As `BattleUI.span`."""
    tables: Sequence[str]
    """Kinds of the ruleset's tables of choices to show; the first is open."""
    icons: Mapping[str, str]
    """Icons of the sentences about dials, by the dial's slug."""

    def bench(self, user: User, campaign: Campaign, data: QueryDict) -> Bench:
        """The two armies that the address names. Only armies whose sheets the user may read can be chosen."""

    def read_field(self, law: Law, members: Members) -> Any:
        """The ground for all armies, from the API's members. It is not validated yet."""

    def check_field(self, law: Law, field: Any) -> None:
        """Validates the ground. Raises `InvalidInput` with pointers."""

    def field_form(self, campaign: Campaign, sent: QueryDict | None) -> Any:
        """Form of the ground for many armies at once. It renders itself; `conditions()` is there once it is valid."""

    def army_form(self, user: User, campaign: Campaign, side: str, data: QueryDict, sent: QueryDict | None) -> Any:
        """The form of an army that is written by hand for `side` ("a" or "b") of the workshop; bound to `sent`.

        `redrawn`: the form only grew or shrank and is shown again. Once valid, `address()` is the workshop's query
        string with the army in it.
        """


class Demo(NamedTuple):
    """Demo campaign of a ruleset. `maker`: dotted path of a function, `maker(owner=user)`, that makes and returns
    it.
    """

    ruleset: str
    maker: str


class BattleUI(FieldUI, Protocol):
    """Battles of one ruleset family on pages and in the API. Templates are paths below `templates/`."""

    family: str
    rolls: Mapping[str, Term]
    """Names of the kinds of rolls, shown where dice are typed."""
    throws: frozenset[str] = frozenset()
    """Types of API commands that may roll dice, where sides take turns: while one is legal, the page has the dice
    switch.
    """
    onward: Mapping[str, Onward]
    """Buttons by which the GM carries the battle on, by command type. They may need dice."""
    waiting: Term
    """Sentence that tells the GM who has not given orders yet, about `{names}`."""
    luck: Term
    """Sentence that explains the figures of luck; "" if the ruleset has none."""
    by_players: Collection[str]
    """Types of commands that players may give too. The ruleset's `allows` decides who may give which."""
    keys: Sequence[tuple[str, Term]]
    """Shortcuts of the order form (`data-key`): a character and a sentence about it."""
    many: OrdersForMany | None
    """Orders for several armies at once; None if the ruleset has none."""
    row_template: str
    """Template of an army's row. Context: `page`, `row` and `card`. Most use `battles/field/unit.html`."""
    about_template: str
    """Template of details of the selected army beside its row; "" if the row says it all."""
    order_template: str
    """Template of the selected army's order form."""
    span: Term
    """Plural noun of what passes between two orders: "phases"."""
    health_name: Term
    """Name of health, on its bar."""
    health_unit: Term
    """Short unit of health: "men"; "" if there is none."""
    setup_health: tuple[Term, Term] | None
    """Name and unit of an army's health before a battle; None where they are the same as in it."""
    health_field: str
    """The army's field that holds its health, where changes name it."""
    desk_template: str
    """Template of the GM's tools; "" for none."""
    turn_template: str
    """Template of the actions of a turn that are not orders of one army; "" if order forms have them all."""

    @property
    def by_turns(self) -> bool:
        """Whether sides take turns: commands are then carried out at once, and only the side whose turn it is
        counts.
        """
        return bool(self.turn_template)

    setup_template: str
    """Template of the setup's questions beside who is on which side. Context: `form`."""
    seats: SeatFields
    """How the setup form sends each army's side."""
    workshop: WorkshopUI | None
    """The odds workshop; None if the ruleset has none."""
    demo: Demo | None
    """The demo campaign; None if there is none."""
    in_document: DocumentPart = DocumentPart()
    """What it adds to the OpenAPI document."""

    # reading
    def document(self, army: Army) -> Any:
        """The ruleset's document of an army, as it is now."""

    def supposed(self, law: Any, data: object, at: str) -> Any:
        """A made-up army as the ruleset's document, from the API's shape; its name is its id. Raises `InvalidInput`."""

    def read_opening(self, data: Mapping[str, Any]) -> OpeningRequest:
        """Reads the body of POST battles/ without campaign and name. Raises `InvalidInput` with pointers."""

    def read_world(self, battle: Battle) -> WorldRead: ...

    def in_words(self, changes: Iterable[Change], law: Law, names: Mapping[str, str]) -> Sequence[WordedChange]: ...

    def outcome_in_campaign(self, changes: Iterable[Change]) -> Said | None:
        """What the aftermath decides beyond the battle, such as the fall of a place; None for nothing."""

    # the battle page
    def army_of(self, command: Any) -> str:
        """Id of the army that this command orders; "" for any other command."""

    def conditions(self, state: Any) -> Sequence[Any]:
        """Chips above the field: the conditions of the battle."""

    def cards(
        self, state: Any, summary: Summary, figures: Figures, viewer: Viewer, legal: Legal | None
    ) -> Mapping[str, ArmyCard]:
        """The card of every army, without what its reader may not know."""

    def desk(self, state: Any) -> Any:
        """Context of the GM's tools."""

    def command_form(self, page: BattlePage, kind: str, data: QueryDict) -> CommandForm | None:
        """The submitted form of this kind, or None for a kind of another ruleset."""

    def order_form(self, page: BattlePage, card: ArmyCard, data: QueryDict | None = None) -> CommandForm:
        """The order form of an army, bound when `data` is given."""

    def desk_forms(self, page: BattlePage) -> dict[str, CommandForm]:
        """Fresh forms of the GM's tools, by kind."""

    def aftermath_forms(
        self, state: Any, viewer: Viewer, version: int, data: QueryDict | None = None
    ) -> Sequence[CommandForm]:
        """Forms that players may still send between the battle's end and the confirmed aftermath. Each is drawn by its
        `own_template`; the one that was sent is bound to `data`.
        """

    # print
    def on_paper(self, state: Any, summary: Summary, figures: Figures, viewer: Viewer) -> Mapping[str, OnPaper]:
        """Every army for the printed order of battle, without what its reader may not know."""

    def aids(self, state: Any) -> Sequence[PaperAid]:
        """Reference tables to print beside the order of battle."""

    # the setup page
    def setup_page(self, user: User, campaign: Campaign) -> Any: ...

    def setup_form(self, page: Any, data: QueryDict | None) -> Any:
        """The setup form: fresh, with one more part (after "add"), or bound to `data`."""

    def setup_at(self, meeting: Encounter) -> Mapping[str, str | Sequence[str]]:
        """Initial fields of the setup where these armies met: their sides, and what the ruleset says of the ground."""

    # the API
    def shape(self, state: Any, summary: Summary, figures: Figures, viewer: Viewer, legal: Legal) -> dict[str, Any]:
        """The ruleset's JSON members of a battle."""

    battle_members: type[Serializer]

    @property
    def readers(self) -> Mapping[str, Reader]:
        """Readers of API commands, by type."""

    @property
    def opening_members(self) -> type[Serializer]: ...

    @property
    def command_members(self) -> Mapping[str, type[Input]]: ...

    order_members: type[Serializer] | None
    condition_shape: type[Serializer] | None
    mustered_shape: type[Serializer] | None
    """Shape of an army of another ruleset as this one reads it; None if it takes none."""
    supposed_army: type[Serializer] | None
    """Shape of a made-up army, for the OpenAPI document."""


_uis = RulesetUIs["BattleUI"]("BATTLE_UIS")
get_battle_ui, find_battle_ui, list_battle_uis = _uis.for_law, _uis.find, _uis.all
