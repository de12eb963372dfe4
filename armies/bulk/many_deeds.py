"""Orders for many armies at once, as a ruleset's UI names them (`ArmyUI.many`).

A deed says what it asks, once for all, and what it does to each army in hand; the frame (`armies.bulk.bulk_proposal`
and its services) reads, locks, compares, writes and tells. So a proposal is the deed itself, done to rows that are
not kept.
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
NAMED = 6  # armies by name in one sentence
OPTIONS = "/options"


class DeedAsk(NamedTuple):
    """What a deed asks of whoever orders it. `kind`: a text, a whole number (`least` to `most`), yes or no, or `EACH`:
    one of the deed's `choices` for each army, by the army's id.
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
    """Who orders what, of whom. `falls`: it is really done, so dice may fall; a proposal throws none."""

    by: User
    campaign: Campaign
    armies: Sequence[Any]
    options: Mapping[str, Any]
    falls: bool = False


class ManyDeed:
    """One of these is made for each proposal, and for each time it is done.

    `kind`: of leave (`kingdom.access.permissions`); "" for what is the GM's alone. `columns`: what `write` keeps of an
    army. `of_any`: also of armies that something holds, or that are no more. `one`, `many`, `across`: what the
    chronicle tells of one army, of several of one kingdom, of several kingdoms (whose armies are nobody else's
    business).
    """

    slug: ClassVar[str]
    name: ClassVar[Term]
    about: ClassVar[Term] = NO_WORDS
    rule: ClassVar[str] = ""
    kind: ClassVar[str] = ""
    asks: ClassVar[Sequence[DeedAsk]] = ()
    columns: ClassVar[Sequence[str]] = ()
    of_any: ClassVar[bool] = False
    do_not_call_in_templates: ClassVar[bool] = True  # lists of deeds hold the kinds themselves
    one: ClassVar[Term]
    many: ClassVar[Term]
    across: ClassVar[Term]

    def __init__(self, setting: ManyOrder):
        self.setting = setting
        self.campaign, self.options = setting.campaign, setting.options
        self.able: Sequence[Any] = setting.armies
        """Those that nothing of the frame's keeps from it, once it is known."""

    @property
    def kingdoms(self) -> dict[UUID, Kingdom]:
        return {army.kingdom_id: army.kingdom for army in self.setting.armies}

    @classmethod
    def offered(cls, campaign: Campaign) -> bool:
        """Whether there is anything there to do it with."""
        return True

    def prepare(self) -> None:
        """Read once what all of them need. Raises `Refusal` where nobody could do it."""

    def do(self, army: Any) -> Said:
        """Change the army in hand, nothing stored; in words. Raises `Refusal` before anything is changed."""
        raise TypeError(f"{self.slug} does nothing")

    def notes(self) -> Sequence[Said]:
        """What is to be said besides, once each army has done it."""
        return ()

    def touches(self) -> Iterable[tuple[str, Any]]:
        """What else it may change, beside the armies."""
        return ()

    def write(self, done: Sequence[Any]) -> None:
        """Keep what was done to these. They are locked."""
        rows: Any = type(done[0])._default_manager
        rows.bulk_update(done, self.columns)

    def words(self) -> Mapping[str, Any]:
        """What its sentences in the chronicle take beside the armies."""
        return {}

    def choices(self, army: Any, ask: DeedAsk) -> Sequence[tuple[str, Said | str]]:
        """What an `EACH` may be for this army: values with their words."""
        return ()

    def given(self, army: Any, ask: DeedAsk) -> str:
        """What an `EACH` is for this army if nobody says otherwise, or was said."""
        return ""

    def told(self, done: Sequence[Army]) -> Said:
        """What the chronicle says of it."""
        first, more = done[0], self.words()
        if len(done) == 1:
            return say(self.one, army=first.name, **more)
        if len({army.kingdom_id for army in done}) > 1:
            return say(self.across, **more) if more else self.across
        names = name_armies(done)
        return say(self.many, kingdom=first.kingdom.name, count=len(done), armies=names, **more)


def name_armies(armies: Sequence[Army]) -> Said | str:
    """The armies by name, the first of them where they are many."""
    first = ", ".join(army.name for army in armies[:NAMED])
    rest = len(armies) - NAMED
    return say(_("{armies} and {rest} more"), armies=first, rest=rest) if rest > 0 else first


def read_options(deed: type[ManyDeed], given: object) -> dict[str, Any]:
    """What was sent, checked: every ask by its name. Raises `InvalidInput` with pointers below `/options`."""
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
    """By army; "" for none. An army that is not named is left to the deed."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InvalidInput(_("Enter a JSON object here."), ask.at)
    for key, chosen in value.items():
        at = f"{ask.at}/{str(key)[:60]}"
        demand(chosen is None or isinstance(chosen, str), _("Enter text here."), field=at)
    return {str(key): str(chosen or "") for key, chosen in value.items()}


_READ: Mapping[str, Callable[[DeedAsk, Any], Any]] = {TEXT: _text, WHOLE: _whole, YES: _yes, EACH: _each}
