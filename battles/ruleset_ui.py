"""UI protocol of a ruleset's battles: one `BattleUI` for each family of rulesets. Nothing else in this app knows a
ruleset's words.

The settings name the UIs (`BATTLE_UIS`); the frame asks for one by the family of the battle's law.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from battles.field.field_ui import FieldUI
from kingdom.ruleset_uis import RulesetUIs
from rules.core.paper import OnPaper, PaperAid
from rules.core.text import Said, Term
from rules.law import Figures, Law, Legal, Summary, Team, Viewer

if TYPE_CHECKING:
    from django.http import QueryDict
    from rest_framework.serializers import Serializer

    from armies.marches.encounters import Encounter
    from armies.models import Army
    from battles.codec.requests import Members
    from battles.field.bulk_orders import TogetherForm
    from battles.field.forms import CommandForm
    from battles.field.page import BattlePage
    from battles.models import Battle
    from core.api.serializers import Input
    from kingdom.chronicle.changes import Change
    from kingdom.models import Campaign, User
    from rules.odds.questions import Meeting

type Reader = Callable[[Members, tuple[str, ...]], Any]


class OpeningRequest(Protocol):
    """An opening as somebody asked for it: complete but for the armies, which are in the database."""

    @property
    def sides(self) -> Sequence[Team]: ...

    def with_armies(self, documents: Mapping[str, Any]) -> Any:
        """The law's opening, with the law's document of each army."""


class WorldRead(Protocol):
    """The world as the law's aftermath wants it."""

    @property
    def world(self) -> Any: ...

    def changes_of(self, state: Any, found: Iterable[Any]) -> tuple[Change, ...]:
        """The law's changes as `kingdom.chronicle.changes` takes them."""


class WordedChange(Protocol):
    """A change in words."""

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
    """A button: what it says (`{phase}` is where the battle stands), and its icon."""

    label: Term
    icon: str


class Shown(Protocol):
    """A figure of an army that may open to its sum. `label` is short enough for a row, `title` says it in full."""

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
    """An army on the battle page, as its reader may see it: a row of the table, and the desk where it is picked.

    `ready`: "in", "thinking", or "" where no order is awaited. `stance`: what it does, `aim`: to whom; `steps`: the
    step it takes, of how many. `share`: its health is told in hundredths; `words`: in these. `choices`: what its reader
    may order (None where it is not theirs); `orderable`: whether they can now, and the view sets `form` on the one that
    is picked. Anything else is for the law's own templates.
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
    """What can be ordered of several armies at once. Whether an army may, the law says when it is ordered."""

    def form(self, page: BattlePage, data: QueryDict | None = None) -> TogetherForm:
        """One order for several armies. Bound when `data` is given."""

    def again(self, page: BattlePage, card: Any, given: Sequence[Any]) -> Any:
        """The command that orders an army what it was among those of the last phase, else to go on as it is."""

    def like(self, page: BattlePage, card: Any, given: Sequence[Any]) -> tuple[str, Any] | None:
        """Of those given in this phase (latest first) the last of another army of its side that the reader commands:
        that army, and the command that orders this one the same; None where there is none.
        """


class Bench(Protocol):
    """Two armies set against each other in the odds workshop, as its address says, for one reader.

    `armies`: whom they can pick. `meeting`: what is asked, None where it cannot be, and `refused` why. `ids` and
    `names` of the two, where there are two. `today`: the query that asks about them as they stand. `setup`: the query
    with which the setup of a battle begins with both of them, "" where one of them is in no campaign. Anything else is
    for the law's own template.
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
    """A law's battles that nobody fights, for people."""

    template: str
    """The two armies and the ground, as fields of the workshop's form. `bench`"""
    army_template: str
    """The form in which an army is written that is in no campaign. `form`"""
    field_template: str
    """The ground alone. `field`"""
    health: Term
    """What the winner has left, in words."""
    span: Term
    """`BattleUI.span`"""
    tables: Sequence[str]
    """Kinds of the law's tables of choices that are shown, the first of them open."""
    icons: Mapping[str, str]
    """By the slug of a dial the icon of a sentence about it."""

    def bench(self, user: User, campaign: Campaign, data: QueryDict) -> Bench:
        """What this address asks. Only armies whose sheets the user may read can be picked."""

    def read_field(self, law: Law, members: Members) -> Any:
        """What the ground is like for everybody, as the API says it. It is not judged yet."""

    def check_field(self, law: Law, field: Any) -> None:
        """Raises `InvalidInput` with pointers where the ground cannot be like that."""

    def field_form(self, campaign: Campaign, sent: QueryDict | None) -> Any:
        """What the ground is like for many armies at once; `conditions()` once it is valid. Drawn by itself."""

    def army_form(self, user: User, campaign: Campaign, side: str, data: QueryDict, sent: QueryDict | None) -> Any:
        """The form of the army on this side ("a" or "b") of the workshop at this address; bound when it was `sent`.

        `redrawn`: it only grows or shrinks; once it is valid `address()` is the workshop's query with the army in it.
        """


class Demo(NamedTuple):
    """`maker(owner=user)` makes and returns a campaign by this law: its place, imported when it is needed."""

    ruleset: str
    maker: str


class BattleUI(FieldUI, Protocol):
    """One law's battles for people and programs. Templates are names below `templates/`."""

    family: str
    rolls: Mapping[str, Term]
    """What each kind of roll is called where dice are typed."""
    throws: frozenset[str] = frozenset()
    """Commands of those who take turns that may throw dice, by their type in the API: while one can be given, the page
    has the dice switch."""
    onward: Mapping[str, Onward]
    """Commands by which the GM carries the battle on, which may need dice: the buttons of the page."""
    waiting: Term
    """What it means for the GM that some have not spoken yet: a sentence about `{names}`."""
    luck: Term
    """What the figures of luck are, in one sentence; "" where the law knows none."""
    by_players: Collection[str]
    """Commands that others than the GM may give, by their type. Who may give which, the law says (`allows`)."""
    keys: Sequence[tuple[str, Term]]
    """What the order form does by the keyboard (`data-key`): the keys, each a character, and a sentence about them."""
    many: OrdersForMany | None
    """Orders for several armies at once; None where the law knows none."""
    row_template: str
    """Draws the row of an army: a piece with `page`, `row` and `card`. Most take `battles/field/unit.html`."""
    about_template: str
    """What can be read of the picked army beside its row; "" where the row says it all."""
    order_template: str
    """The order form of the picked army."""
    span: Term
    """What passes from one order to the next, of several of them: "phases"."""
    health_name: Term
    """What its health is called, on its bar."""
    health_unit: Term
    """What its health is counted in, short: "men"; "" where the number speaks for itself."""
    health_field: str
    """Which field of an army its health is, where something changes it."""
    desk_template: str
    """The GM's tools of this law; "" for none."""
    turn_template: str
    """What whoever may act now acts with, where that is no order of one army; "" where the order forms have it all."""

    @property
    def by_turns(self) -> bool:
        """Whether sides take turns, so that commands are done at once and only whose turn it is counts."""
        return bool(self.turn_template)

    setup_template: str
    workshop: WorkshopUI | None
    """Battles that nobody fights; None where the law knows none."""
    demo: Demo | None
    """A campaign that shows what there is; None where there is none."""
    enums: Mapping[str, Sequence[str]]
    """What the API's document calls choices of its own, where the name of their member is not enough."""

    # reading
    def document(self, army: Army) -> Any:
        """The law's own document of an army, as it is now."""

    def supposed(self, law: Any, data: object, at: str) -> Any:
        """The law's document of an army that is nowhere, in the shape of the API; its name is its id. Raises
        `InvalidInput` with pointers.
        """

    def read_opening(self, data: Mapping[str, Any]) -> OpeningRequest:
        """The body of POST battles/ without campaign and name. Raises `InvalidInput` with pointers."""

    def read_world(self, battle: Battle) -> WorldRead: ...

    def in_words(self, changes: Iterable[Change], law: Law, names: Mapping[str, str]) -> Sequence[WordedChange]: ...

    # the battle page
    def army_of(self, command: Any) -> str:
        """The army that this command of the law orders; "" for any other command."""

    def conditions(self, state: Any) -> Sequence[Any]:
        """Chips above the field: what holds for it."""

    def cards(
        self, state: Any, summary: Summary, figures: Figures, viewer: Viewer, legal: Legal | None
    ) -> Mapping[str, ArmyCard]:
        """The card of every army, without what its reader may not know."""

    def desk(self, state: Any) -> Any:
        """What the GM's tools of this law need."""

    def command_form(self, page: BattlePage, kind: str, data: QueryDict) -> CommandForm | None:
        """The form of this kind that was sent, or None for one that is not this law's."""

    def order_form(self, page: BattlePage, card: ArmyCard, data: QueryDict | None = None) -> CommandForm:
        """The order of an army. Bound when `data` is given."""

    def desk_forms(self, page: BattlePage) -> dict[str, CommandForm]:
        """The GM's fresh forms by kind."""

    def aftermath_forms(
        self, state: Any, viewer: Viewer, version: int, data: QueryDict | None = None
    ) -> Sequence[CommandForm]:
        """What others than the GM may still say once the battle is over, before its aftermath is confirmed; each is
        drawn by its `own_template`. The one that was sent is bound to `data`.
        """

    # what is printed
    def on_paper(self, state: Any, summary: Summary, figures: Figures, viewer: Viewer) -> Mapping[str, OnPaper]:
        """Every army for the order of battle, without what its reader may not know."""

    def aids(self, state: Any) -> Sequence[PaperAid]:
        """Tables to have at hand beside it."""

    # the setup page
    def setup_page(self, user: User, campaign: Campaign) -> Any: ...

    def setup_form(self, page: Any, data: QueryDict | None) -> Any:
        """Fresh, grown by one ("add" was pressed), or bound."""

    def setup_at(self, meeting: Encounter) -> Mapping[str, str | Sequence[str]]:
        """The fields with which the setup of a battle begins where these armies met: their sides, and what the law says
        of such ground.
        """

    # the API
    def shape(self, state: Any, summary: Summary, figures: Figures, viewer: Viewer, legal: Legal) -> dict[str, Any]:
        """The law's members of a battle, as JSON."""

    battle_members: type[Serializer]

    @property
    def readers(self) -> Mapping[str, Reader]:
        """Commands of the API by their type."""

    @property
    def opening_members(self) -> type[Serializer]: ...

    @property
    def command_members(self) -> Mapping[str, type[Input]]: ...

    order_members: type[Serializer] | None
    condition_shape: type[Serializer] | None
    mustered_shape: type[Serializer] | None
    """Draws an army of another law as this one knows it; None where it takes none."""
    supposed_army: type[Serializer] | None
    """For the OpenAPI document; of commands by their type, what each takes."""


_uis = RulesetUIs["BattleUI"]("BATTLE_UIS")
get_battle_ui, find_battle_ui, list_battle_uis = _uis.for_law, _uis.find, _uis.all
