"""Orders for several armies at once, as a ruleset's UI lists them (`ArmyUI.many`). A proposal carries the order out on
unsaved rows.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple
from uuid import UUID

from django.core.exceptions import PermissionDenied

from armies.forces import busy
from armies.forces.access import list_visible_armies, share_campaign
from armies.forces.busy import explain_no_army
from armies.models import Army
from armies.ruleset_ui import get_army_ui
from core.clean_input import NAME_MAX, clean_text, clean_whole
from kingdom.access.permissions import Forbidden
from kingdom.access.queries import is_gm, parse_uuid_or_404, require_gm, runs_kingdom
from kingdom.approvals.serializers import leave_of
from kingdom.chronicle import changes as chronicle_changes
from kingdom.chronicle.changes import Change
from kingdom.chronicle.transaction import Recording
from kingdom.models import Campaign, Kingdom, User
from rules.core.errors import InvalidInput, Refusal, demand
from rules.core.text import NO_WORDS, Said, Term, _, say

# Orders for several armies at once, as a ruleset's UI lists them (`ArmyUI.many`).
#
# A deed declares its options and what it does to a loaded army; the frame (`armies.bulk.many_deeds` and the services)
# reads, locks, compares, saves and writes the chronicle. A proposal is the same deed, done to rows that are not saved.

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
    """Order for several armies: its giver, the armies and the options. `falls`: it is carried out and may roll dice (a
    proposal rolls none). `record`: receives further changes when it is carried out.
    """

    by: User
    campaign: Campaign
    armies: Sequence[Any]
    options: Mapping[str, Any]
    falls: bool = False
    record: Recording | None = None


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
        """Whether the order can be offered in this campaign."""
        return True

    def prepare(self) -> None:
        """Loads data that all armies need. Raises `Refusal` if no army could do it."""

    def do(self, army: Any) -> Said:
        """Changes the loaded army without saving it. Returns the result in words. Raises `Refusal` before that."""
        raise TypeError(f"{self.slug} does nothing")

    def notes(self) -> Sequence[Said]:
        """Further remarks on the whole order, once every army has carried it out."""
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


# Proposal of an order for several armies: the deed itself, done to rows that are not saved.

MOST = 500


class ArmyLine(NamedTuple):
    """Result for one army, in words, and as changes for a proposal. If it is not `done`, `text` says why."""

    army: Any
    text: Said
    done: bool
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class ManyProposal:
    """The deed with the results for all armies. `mark` identifies everything shown; confirming sends it."""

    deed: ManyDeed
    lines: tuple[ArmyLine, ...]
    notes: tuple[Said, ...]

    @property
    def done(self) -> list[Any]:
        return [line.army for line in self.lines if line.done]

    @property
    def refused(self) -> int:
        return len(self.lines) - len(self.done)

    @property
    def mark(self) -> str:
        lines = [
            [str(line.army.pk), line.done, str(line.text), [[c.field, c.before, c.after] for c in line.changes]]
            for line in self.lines
        ]
        body = json.dumps([self.deed.slug, self.deed.options, lines, list(map(str, self.notes))], default=str)
        return hashlib.sha256(body.encode()).hexdigest()[:32]


def list_deeds(user: User, campaign: Campaign) -> list[type[ManyDeed]]:
    """Deeds of the campaign's ruleset that this user may order, or request from the GM, and that the campaign can use
    now.
    """
    return [deed for deed in _his_to_order(user, campaign) if deed.offered(campaign)]


def _his_to_order(user: User, campaign: Campaign) -> list[type[ManyDeed]]:
    may, gm = leave_of(user, campaign), is_gm(user, campaign)
    return [deed for deed in get_army_ui(campaign).many if gm or (deed.kind and may[deed.kind].offered)]


def get_deed(campaign: Campaign, slug: str) -> type[ManyDeed]:
    """The deed with this slug. Raises `InvalidInput`."""
    known = {deed.slug: deed for deed in get_army_ui(campaign).many}
    demand(slug in known, _("Unknown action. Use one of: {known}."), field="/deed",
           known=", ".join(known))  # fmt: skip
    return known[slug]


def load_picked(user: User, campaign: Campaign, ids: Sequence[str]) -> list[Any]:
    """Load these armies as the ruleset's model, sorted by name.

    Raises `InvalidInput` for one that the user may not see, `PermissionDenied` for one that they may not command.
    """
    demand(ids, _("Choose at least one army."), field="/armies")
    demand(len(ids) <= MOST, _("Choose {most} at most."), field="/armies", most=MOST)
    rows = list_visible_armies(user, get_army_ui(campaign).army).filter(
        campaign=campaign, pk__in=[parse_uuid_or_404(one) for one in ids]
    )
    found = {str(army.pk): army for army in rows}
    for place, one in enumerate(ids):
        demand(
            str(one).lower() in found,
            _("This army isn’t in this campaign. Choose another one."),
            field=f"/armies/{place}",
        )
    share_campaign(campaign, found.values())
    if not all(runs_kingdom(user, army.kingdom) for army in found.values()):
        raise PermissionDenied
    return list(found.values())


def require_ordered(user: User, campaign: Campaign, deed: type[ManyDeed]) -> None:
    """Raises `PermissionDenied` unless this user may order the deed, or request it."""
    if not deed.kind:
        require_gm(user, campaign)
    elif deed not in _his_to_order(user, campaign):
        raise Forbidden(_("Only the GM can do this in this campaign."))


def propose(
    user: User, campaign: Campaign, deed: type[ManyDeed], ids: Sequence[str], options: Mapping[str, Any]
) -> ManyProposal:
    """Preview of the order, army by army. Writes nothing and rolls no dice. Raises `InvalidInput`."""
    require_ordered(user, campaign, deed)
    setting = ManyOrder(user, campaign, load_picked(user, campaign, ids), read_options(deed, options))
    return carry_out(deed(setting))


def carry_out(deed: ManyDeed) -> ManyProposal:
    """Does the deed to the loaded rows, unsaved. An army that cannot do it stays as it is, with the reason."""
    armies = deed.setting.armies
    kept = {} if deed.of_any else _kept_from_it(armies)
    deed.able = [army for army in armies if army.pk not in kept]
    deed.prepare()
    lines = tuple(ArmyLine(army, kept[army.pk], False) if army.pk in kept else _line(deed, army) for army in armies)
    return ManyProposal(deed, lines, tuple(deed.notes()))


def _kept_from_it(armies: Sequence[Army]) -> dict[UUID, Said]:
    """Reasons why armies cannot be given orders now: they are busy, or no longer stand."""
    return {
        **busy.explain_busy_armies(armies),
        **{army.pk: explain_no_army(army) for army in armies if not army.standing},
    }


def _line(deed: ManyDeed, army: Army) -> ArmyLine:
    """Result for this army. Its changes are computed only for a proposal: a confirmed order has them in its entry."""
    compare = not deed.setting.falls
    before = chronicle_changes.figures_of("army", deed.campaign, army) if compare else {}
    try:
        text = deed.do(army)
    except Refusal as refusal:
        if refusal.field.startswith(OPTIONS):
            raise  # The option is wrong for every army.
        return ArmyLine(army, refusal.message, False)
    now = chronicle_changes.figures_of("army", deed.campaign, army) if compare else {}
    return ArmyLine(army, text, True, tuple(chronicle_changes.differences("army", army, before, now, deed.rule)))
