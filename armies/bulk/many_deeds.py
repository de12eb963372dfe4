"""Orders for several armies at once, as a ruleset's UI lists them (`ArmyUI.many`).

A deed declares its options and what it does to a loaded army; the frame (`armies.bulk.bulk_proposal` and the services)
reads, locks, compares, saves and writes the chronicle. A proposal is the same deed, done to rows that are not saved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple
from uuid import UUID

from armies.models import Army
from core.clean_input import NAME_MAX, clean_text, clean_whole
from kingdom.models import Campaign, Kingdom, User
from rules.core.errors import InvalidInput, demand
from rules.core.text import NO_WORDS, Said, Term, _, say

TEXT, WHOLE, YES, EACH = "text", "whole", "yes", "each"
NAMED = 6  # most armies named in one sentence
OPTIONS = "/options"


class DeedAsk(NamedTuple):
    """Option of a deed. `kind`: text, whole number (`least` to `most`), yes or no, or `EACH`: one of the deed's
    `choices` for each army, by its id.
    """

    name: str
    label: Said
    kind: str
    help: Said = NO_WORDS
    required: bool = False
    least: int = 0
    most: int = NAME_MAX

    @property
    def at(self) -> str:
        return f"{OPTIONS}/{self.name}"


class ManyOrder(NamedTuple):
    """Who orders which armies, with which options. `falls`: it is done and may roll dice; a proposal rolls none."""

    by: User
    campaign: Campaign
    armies: Sequence[Any]
    options: Mapping[str, Any]
    falls: bool = False


class ManyDeed:
    """An order for several armies. One instance is made for each proposal, and one for each time it is carried out.

    `kind`: kind of leave that a player needs (`kingdom.access.permissions`), "" for a deed of the GM alone. `columns`:
    those that `write` saves. `of_any`: whether busy and fallen armies may do it too. `one`, `many`, `across`: chronicle
    sentences for one army, for several of one kingdom, and for several kingdoms; the last names no army, since each
    kingdom's armies concern only that kingdom.
    """

    slug: ClassVar[str]
    name: ClassVar[Term]
    about: ClassVar[Term] = NO_WORDS
    rule: ClassVar[str] = ""
    kind: ClassVar[str] = ""
    asks: ClassVar[Sequence[DeedAsk]] = ()
    columns: ClassVar[Sequence[str]] = ()
    of_any: ClassVar[bool] = False
    do_not_call_in_templates: ClassVar[bool] = True  # Templates get the classes themselves in lists of deeds.
    one: ClassVar[Term]
    many: ClassVar[Term]
    across: ClassVar[Term]

    def __init__(self, setting: ManyOrder):
        self.setting = setting
        self.campaign, self.options = setting.campaign, setting.options
        self.able: Sequence[Any] = setting.armies
        """Armies that the frame lets do it, set once that is known."""

    @property
    def kingdoms(self) -> dict[UUID, Kingdom]:
        return {army.kingdom_id: army.kingdom for army in self.setting.armies}

    @classmethod
    def offered(cls, campaign: Campaign) -> bool:
        """Whether the campaign has what the deed needs."""
        return True

    def prepare(self) -> None:
        """Loads what all armies need. Raises `Refusal` where no army could do it."""

    def do(self, army: Any) -> Said:
        """Changes the loaded army without saving it. Returns the result in words. Raises `Refusal` before that."""
        raise TypeError(f"{self.slug} does nothing")

    def notes(self) -> Sequence[Said]:
        """Further remarks, once every army has done it."""
        return ()

    def touches(self) -> Iterable[tuple[str, Any]]:
        """Other rows that it may change, as (kind, row)."""
        return ()

    def write(self, done: Sequence[Any]) -> None:
        """Saves these armies, which are locked."""
        rows: Any = type(done[0])._default_manager
        rows.bulk_update(done, self.columns)

    def words(self) -> Mapping[str, Any]:
        """Further parameters of its chronicle sentences."""
        return {}

    def choices(self, army: Any, ask: DeedAsk) -> Sequence[tuple[str, Said | str]]:
        """Choices of an `EACH` option for this army: values and labels."""
        return ()

    def given(self, army: Any, ask: DeedAsk) -> str:
        """Value of an `EACH` option for this army: the chosen one, else its default."""
        return ""

    def told(self, done: Sequence[Army]) -> Said:
        """Chronicle sentence of the order."""
        first, more = done[0], self.words()
        if len(done) == 1:
            return say(self.one, army=first.name, **more)
        if len({army.kingdom_id for army in done}) > 1:
            return say(self.across, **more) if more else self.across
        names = name_armies(done)
        return say(self.many, kingdom=first.kingdom.name, count=len(done), armies=names, **more)


def name_armies(armies: Sequence[Army]) -> Said | str:
    """Names of the armies; only the first `NAMED` and a count where there are more."""
    first = ", ".join(army.name for army in armies[:NAMED])
    rest = len(armies) - NAMED
    return say(_("{armies} and {rest} more"), armies=first, rest=rest) if rest > 0 else first


def read_options(deed: type[ManyDeed], given: object) -> dict[str, Any]:
    """The validated options, every option by name. Raises `InvalidInput` with pointers below `/options`."""
    if not isinstance(given, Mapping):
        raise InvalidInput(_("Enter a JSON object here."), OPTIONS)
    known = {ask.name: ask for ask in deed.asks}
    for name in given:
        demand(name in known, _("Unknown option. Use one of: {known}."), field=f"{OPTIONS}/{str(name)[:60]}",
               known=", ".join(known) or "–")  # fmt: skip
    errors: list[tuple[str, Said]] = []
    found: dict[str, Any] = {}
    for name, ask in known.items():
        try:
            found[name] = _READ[ask.kind](ask, given.get(name))
        except InvalidInput as wrong:
            errors += wrong.errors
    if errors:
        raise InvalidInput(errors[0][1], errors[0][0], tuple(errors))
    return found


def _text(ask: DeedAsk, value: object) -> str:
    if not ask.required and (value is None or value == ""):
        return ""
    return clean_text("" if value is None else value, field=ask.at, most=ask.most)


def _whole(ask: DeedAsk, value: object) -> int | None:
    if value is None:
        demand(not ask.required, _("Enter a whole number."), field=ask.at)
        return None
    return clean_whole(value, field=ask.at, least=ask.least, most=ask.most)


def _yes(ask: DeedAsk, value: object) -> bool:
    demand(value is None or isinstance(value, bool), _("Use true or false."), field=ask.at)
    return bool(value)


def _each(ask: DeedAsk, value: object) -> dict[str, str]:
    """Chosen values by army's id, "" for none. Armies that are left out get the deed's default."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InvalidInput(_("Enter a JSON object here."), ask.at)
    for key, chosen in value.items():
        at = f"{ask.at}/{str(key)[:60]}"
        demand(chosen is None or isinstance(chosen, str), _("Enter text here."), field=at)
    return {str(key): str(chosen or "") for key, chosen in value.items()}


_READ: Mapping[str, Callable[[DeedAsk, Any], Any]] = {TEXT: _text, WHOLE: _whole, YES: _yes, EACH: _each}
