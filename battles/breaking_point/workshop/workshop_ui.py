"""Workshop UI of breaking points: which armies can be compared, and the questions about them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict

from battles.breaking_point.workshop.forms import BattlefieldForm, HostTunerForm
from battles.breaking_point.workshop.hypothetical import EXAMPLE, WrittenHostForm, host_from_text, read_host
from battles.codec.requests import Members
from battles.workshop.matchups import COLOURS, SIDES, WRITTEN, PairBench, list_matchup_sides, offered, picks, refusal_of
from battles.workshop.sweeps import names_of
from core.text import render
from kingdom.models import Campaign, User
from kingdom.realms.figures import get_ruleset
from rules.breaking_point.battle.state import conditions as c
from rules.breaking_point.battle.state.battle_state import ASSAULT, FieldMark, Opening
from rules.breaking_point.battle.state.opening import mark_problems
from rules.breaking_point.figures import body_figures
from rules.breaking_point.lines import command_lines
from rules.breaking_point.spec import Host
from rules.breaking_point.workshop.setting import MatchUp, check_match_up, opening_of
from rules.core.errors import InvalidInput, Refusal, demand
from rules.core.shapes import shape_of
from rules.core.text import Said, _, in_percent, minus, signed
from rules.odds.tasks import Meeting

FIGURES = (("strength", _("Heads")), ("power", _("Attack power")), ("fire_power", _("Fire power")),
           ("force", _("Force")), ("combat", _("Combat")), ("defense", _("Defense")))  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class HostBench(PairBench):
    """Two armies as the address describes them. `meeting` is None if it is impossible; `refused` is the reason."""

    ground: BattlefieldForm | None = None
    asked: MatchUp | None = None

    @cached_property
    def meeting(self) -> Meeting | None:
        if self.asked is None or self.refused:
            return None
        return Meeting(self.campaign.ruleset, self.campaign.house_rules, self.asked.opening, self.asked.plans)

    @property
    def hosts(self) -> Sequence[Host]:
        assert self.asked is not None
        return self.asked.opening.armies

    @property
    def ids(self) -> tuple[str, str]:
        one, two = self.hosts
        return one.id, two.id

    @property
    def names(self) -> dict[str, str]:
        return {host.id: host.name for host in self.hosts}

    @property
    def sides(self) -> list[dict[str, Any]]:
        return self.drawn([figures_of(host) for host in self.hosts] if self.asked else [[], []])

    @property
    def setup(self) -> str:
        """Query of the set-up form for this battle; "" if an army is only described."""
        return urlencode(setup_of(self.asked)) if self.exist and self.asked else ""


def figures_of(host: Host) -> list[tuple[Said, str]]:
    """Return the figures of an army for its row, as it enters the field."""
    if not host.units:
        return []
    found = body_figures(host.units)
    told = [(name, minus(getattr(found, figure))) for figure, name in FIGURES]
    if found.breaking is not None:
        told.append((_("Breaks above"), render(in_percent(found.breaking))))
    return [*told, (_("Command potential"), signed(command_lines(host.commander, host.units).total))]


def setup_of(asked: MatchUp) -> dict[str, str]:
    """Return the fields of the set-up form: armies, ground and place."""
    opening = asked.opening
    told = {f"armies-{side}": army.id for side, army in zip(COLOURS, opening.armies, strict=True)}
    told |= {"kind": opening.kind, "add": "picked"}
    told |= {f"circumstances-{side}": str(asked.plan(army.id).circumstances)
             for side, army in zip(COLOURS, opening.armies, strict=True)}  # fmt: skip
    told |= {mark.kind: "on" for mark in opening.conditions if c.CONDITIONS[mark.kind].family in (c.GROUND, c.WEATHER)}
    if opening.kind == ASSAULT and opening.place is not None:
        told |= {"place-kind": opening.place.kind.slug, "garrison": str(opening.place.garrison),
                 "place": render(opening.place.kind.name), "defender": str(opening.defender)}  # fmt: skip
    return told


def bench(user: User, campaign: Campaign, data: QueryDict) -> HostBench:
    """Return the bench that this address describes. Only armies whose sheets the user may read can be picked."""
    names, law = names_of(user, campaign), get_ruleset(campaign)
    picked = picks(names, data)
    if picked is None:
        return HostBench(campaign=campaign)
    armies = offered(names)
    pair = list_matchup_sides(user, campaign, picked, data, lambda body, army: written(body, law, army))
    made = HostBench(campaign=campaign, armies=armies, pair=pair, refused=refusal_of(pair))
    if made.refused:
        return made
    one, two = (found.document for found in pair)
    today = MatchUp(law.house, opening_of(one, two))
    tuners = tuple(HostTunerForm(data, today, found.document, found.picked, armies, law) for found in pair)
    ground = BattlefieldForm(data, names=dict(zip(SIDES, (one.name, two.name), strict=True)))
    return _judged(replace(made, tuners=tuners, ground=ground), today)


def written(body: str, law: Any, army: str) -> Host:
    return host_from_text(body, law, army) if body else read_host(EXAMPLE, law, army)


def _judged(made: HostBench, today: MatchUp) -> HostBench:
    """Return the bench with the forms' changes, or with the reason why they are impossible."""
    assert made.ground is not None
    if not all(form.is_valid() for form in (*made.tuners, made.ground)):
        return made
    asked = today
    for form in made.tuners:
        asked = form.asked(asked)
    one, two = asked.opening.armies
    kinds = opening_of(one, two).kind if one.units and two.units else today.opening.kind
    asked = made.ground.asked(asked.with_opening(kind=kinds))
    try:
        check_match_up(asked)
    except Refusal as refusal:
        return replace(made, asked=asked, refused=refusal.message)
    return replace(made, asked=asked)


class HostWorkshopUI:
    template = "battles/breaking_point/workshop/workshop.html"
    field_template = "battles/breaking_point/workshop/battlefield.html"
    army_template = "battles/breaking_point/workshop/written_army.html"
    health = _("points of force")
    span = _("rounds")
    tables: Sequence[str] = ()
    icons: Mapping[str, str] = {
        "count": "army", "combat": "crossed-swords", "defense": "checked-shield", "circumstances": "commander",
        "armour": "breastplate", "cover": "mountains", "walls": "castle",
    }  # fmt: skip

    def bench(self, user: User, campaign: Campaign, data: QueryDict) -> HostBench:
        return bench(user, campaign, data)

    def read_field(self, law: Any, members: Members) -> tuple[FieldMark, ...]:
        return members.each("conditions", shape_of(FieldMark).read_document)

    def check_field(self, law: Any, field: Iterable[FieldMark]) -> None:
        for index, mark in enumerate(field):
            at = f"/conditions/{index}"
            demand(not mark.body and mark.side is None, _("This condition applies to all armies."), field=at)
            for pointer, said in mark_problems(Opening((), ()), mark):
                raise InvalidInput(said, at + pointer)

    def field_form(self, campaign: Campaign, sent: QueryDict | None) -> BattlefieldForm:
        return BattlefieldForm(sent or QueryDict())

    def army_form(
        self, user: User, campaign: Campaign, side: str, data: QueryDict, sent: QueryDict | None
    ) -> WrittenHostForm:
        """Return a form that starts from the army on that side."""
        pair = bench(user, campaign, data).pair
        host = pair[SIDES.index(side)].document if pair else None
        law = get_ruleset(campaign)
        return WrittenHostForm(law, host or read_host(EXAMPLE, law, WRITTEN), side, data, sent)
