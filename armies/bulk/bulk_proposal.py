"""Proposal of an order for several armies: the deed itself, done to rows that are not saved."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from django.core.exceptions import PermissionDenied

from armies.bulk.many_deeds import OPTIONS, ManyDeed, ManyOrder, read_options
from armies.forces import busy
from armies.forces.access import list_visible_armies
from armies.forces.row_locks import explain_no_army
from armies.models import Army
from armies.ruleset_ui import get_army_ui
from kingdom.access.permissions import Forbidden
from kingdom.access.queries import is_gm, parse_uuid_or_404, require_gm, runs_kingdom
from kingdom.approvals.queries import leave_of
from kingdom.chronicle import changes as chronicle_changes
from kingdom.chronicle.changes import Change
from kingdom.models import Campaign, Kingdom, User
from rules.core.errors import Refusal, demand
from rules.core.text import Said, _

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
    """These armies as the ruleset's model, by name.

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


def share_campaign(campaign: Campaign, armies: Iterable[Any]) -> None:
    """Makes the armies and their kingdoms share one campaign object, so that its rules and roles are loaded once."""
    kingdoms: dict[Any, Kingdom] = {}
    for army in armies:
        army.campaign = campaign
        army.kingdom = kingdoms.setdefault(army.kingdom_id, army.kingdom)
        army.kingdom.campaign = campaign
        if army.commander_id:
            army.commander.campaign = campaign


def require_ordered(user: User, campaign: Campaign, deed: type[ManyDeed]) -> None:
    """Raises `PermissionDenied` unless this user may order the deed, or request it."""
    if not deed.kind:
        require_gm(user, campaign)
    elif deed not in _his_to_order(user, campaign):
        raise Forbidden(_("Only the GM can do this in this campaign."))


def propose(
    user: User, campaign: Campaign, deed: type[ManyDeed], ids: Sequence[str], options: Mapping[str, Any]
) -> ManyProposal:
    """What the deed would do, army by army. Writes nothing and rolls no dice. Raises `InvalidInput`."""
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
