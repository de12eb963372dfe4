"""Workshop UI of mass combat: which armies can be compared, and the questions about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any

from django.http import QueryDict

from battles.codec.requests import Members
from battles.pathfinder.command_shapes import parse_condition
from battles.pathfinder.workshop.forms import GroundForm, TunerForm
from battles.pathfinder.workshop.hypothetical import WrittenArmyForm, parse_spec
from battles.workshop.matchups import SIDES, WRITTEN, PairBench, list_matchup_sides, offered, picks, refusal_of
from battles.workshop.sweeps import names_of
from kingdom.models import Campaign, User
from kingdom.realms.figures import get_ruleset
from rules.core.errors import InvalidInput, Refusal, demand
from rules.core.text import Said, Term, _
from rules.odds.tasks import Meeting
from rules.pathfinder.battle.orders.legal import figures
from rules.pathfinder.battle.state.battle_state import MELEE, Opening, SetCondition, Side, changed
from rules.pathfinder.battle.state.opening import condition_problems
from rules.pathfinder.ruleset import Ruleset
from rules.pathfinder.spec import ArmySpec
from rules.pathfinder.workshop.setting import Setting, begun, check_setting
from rules.pathfinder.workshop.workshop_law import levers


@dataclass(frozen=True, kw_only=True)
class PathfinderBench(PairBench):
    """Two armies as the address describes them. `meeting` is None if it is impossible; `refused` is the reason."""

    law: Ruleset
    ground: GroundForm | None = None
    setting: Setting | None = None

    @cached_property
    def meeting(self) -> Meeting | None:
        if self.setting is None or self.refused:
            return None
        return Meeting(self.law.slug, self.campaign.house_rules, self.setting.opening, self.setting.bearings)

    @property
    def ids(self) -> tuple[str, str]:
        assert self.pair is not None
        return tuple(found.document.id for found in self.pair if found.document)

    @property
    def names(self) -> dict[str, str]:
        assert self.setting is not None
        return {spec.id: spec.name for spec in self.setting.opening.armies}

    @property
    def sides(self) -> list[dict[str, Any]]:
        return self.drawn(self._figures())

    def _figures(self) -> list[list[tuple[Said, str]]]:
        """Return the figures of each army for its row, as in its first melee phase."""
        if self.setting is None:
            return [[] for _tuner in self.tuners]
        battle = begun(self.setting)
        battle = changed(battle, phase=battle.phase._replace(kind=MELEE))
        return [_figures(battle, army) for army in battle.armies]

    @property
    def setup(self) -> str:
        """Query of the set-up form for this battle; "" if an army is only described."""
        return _setup_query(self.setting).urlencode() if self.exist and self.setting else ""


def _figures(battle: Any, army_id: str) -> list[tuple[Said, str]]:
    army, found = battle.armies[army_id], figures(battle, army_id)
    told = ((_("OM"), found.om), (_("DV"), found.dv), (_("Morale"), found.morale_check))
    signs = {"OM": "+", "Morale": "+"}
    shown = [(name, format(breakdown.total, f"{signs.get(name, '')}d").replace("-", "−")) for name, breakdown in told]
    return [(Term("hp"), str(army.hp)), *shown]


def bench(user: User, campaign: Campaign, data: QueryDict) -> PathfinderBench:
    """Return the bench that this address describes. Only armies whose sheets the user may read can be picked."""
    law: Ruleset = get_ruleset(campaign)
    names = names_of(user, campaign)
    armies, picked = offered(names), picks(names, data)
    if picked is None:
        return PathfinderBench(campaign=campaign, law=law, armies=armies)
    pair = list_matchup_sides(user, campaign, picked, data, lambda body, army: parse_spec(body or EXAMPLE, law, army))
    made = PathfinderBench(campaign=campaign, law=law, armies=armies, pair=pair, refused=refusal_of(pair))
    return made if made.refused else _tuned(made, data)


EXAMPLE = '{"name": "A hundred soldiers", "unit": {"name": "warrior", "cr": "1/2", "hit_die": "d10"}, "count": 100}'


def _tuned(made: PathfinderBench, data: QueryDict) -> PathfinderBench:
    assert made.pair is not None
    law = made.law
    specs = tuple(found.document for found in made.pair if found.document)
    today = Setting(law, Opening(specs, tuple(_sides(specs))))
    tuners = tuple(
        TunerForm(data, today, spec, foe, found.picked, made.armies)
        for found, spec, foe in zip(made.pair, specs, reversed(specs), strict=True)
    )
    ground = GroundForm(data, law)
    made = replace(made, tuners=tuners, ground=ground)
    if not all(form.is_valid() for form in (*tuners, ground)):
        return made
    setting = _asked(today, tuners, ground)
    try:
        check_setting(setting)
    except Refusal as refusal:
        return replace(made, setting=setting, refused=refusal.message)
    return replace(made, setting=setting)


def _sides(specs: Sequence[ArmySpec]) -> Iterator[Side]:
    """Yield a side for each army with its name. The second of two equal names is numbered."""
    for index, spec in enumerate(specs):
        twice = index and spec.name == specs[0].name
        yield Side(f"{spec.name[:114]} (2)" if twice else spec.name, (spec.id,))


def _asked(today: Setting, tuners: Sequence[TunerForm], ground: GroundForm) -> Setting:
    """Return the setting with the forms' changes."""
    setting = today
    for form in tuners:
        setting = _changed(setting, form)
    conditions = chain(ground.conditions(), *(form.conditions() for form in tuners))
    return replace(setting, opening=replace(setting.opening, conditions=tuple(conditions)))


def _changed(setting: Setting, form: TunerForm) -> Setting:
    given, army = form.cleaned_data, form.spec.id
    if given["count"] and given["count"] != form.spec.count:
        setting = setting.with_spec(replace(form.spec, count=given["count"], hp=None))
    for slug in sorted(form.left_out):
        setting = next(
            (lever.without for lever in levers(setting) if (lever.army, lever.slug) == (army, slug)), setting
        )
    if given["hp"] and given["hp"] != form.figures.hp:
        setting = setting.with_hp(army, given["hp"])  # last, because removing properties resets them
    return setting.with_bearing(army, form.bearing())


def _setup_query(setting: Setting) -> QueryDict:
    """Return the fields of the set-up form: armies, walls, ground and weather."""
    query = QueryDict(mutable=True)
    query["add"] = "picked"
    for number, side in enumerate(setting.opening.sides, 1):
        query[f"army-{side.armies[0]}"] = str(number)
    forts = 0
    for held in setting.opening.conditions:
        if held.condition == "fortification":
            query[f"fort-{forts}-armies"], query[f"fort-{forts}-value"] = held.armies[0], str(held.value)
            forts += 1
        elif held.condition == "wind":
            query["wind"] = str(held.value)
        elif held.condition == "heroes":
            query[f"heroes-{held.armies[0]}"] = str(held.value)
        else:
            query["-".join((held.condition, *held.armies))] = "on"
    query["n-forts"] = str(max(forts, 1))
    return query


class PathfinderWorkshop:
    template = "battles/pathfinder/workshop/workshop.html"
    field_template = "battles/pathfinder/workshop/ground.html"
    health = _("hit points")
    span = _("phases")
    army_template = "battles/pathfinder/workshop/written_army.html"
    tables = ("strategy", "tactic")
    icons: Mapping[str, str] = {
        "hp": "bleeding-wound", "count": "army", "walls": "fortification", "ground": "advantageous-terrain",
        "om": "improved-weapons",
    }  # fmt: skip

    def bench(self, user: User, campaign: Campaign, data: QueryDict) -> PathfinderBench:
        return bench(user, campaign, data)

    def read_field(self, law: Ruleset, members: Members) -> tuple[SetCondition, ...]:
        return members.each("conditions", parse_condition)

    def check_field(self, law: Ruleset, field: Iterable[SetCondition]) -> None:
        for index, held in enumerate(field):
            at = f"/conditions/{index}"
            demand(not held.armies and not held.exempt, _("This condition applies to all armies."), field=at)
            for pointer, said in condition_problems(law, Opening((), ()), held):
                raise InvalidInput(said, at + pointer)

    def field_form(self, campaign: Campaign, sent: QueryDict | None) -> GroundForm:
        return GroundForm(sent or QueryDict(), get_ruleset(campaign))

    def army_form(
        self, user: User, campaign: Campaign, side: str, data: QueryDict, sent: QueryDict | None
    ) -> WrittenArmyForm:
        return written_army(bench(user, campaign, data), side, data, sent, user)


def written_army(
    made: PathfinderBench, side: str, data: QueryDict, sent: QueryDict | None, reader: User
) -> WrittenArmyForm:
    """Return a form that starts from the army on that side."""
    who = made.pair[SIDES.index(side)] if made.pair else None
    spec = who.document if who is not None and who.document is not None else parse_spec(EXAMPLE, made.law, WRITTEN)
    return WrittenArmyForm(made.law, spec, side, data, sent, reader)
