"""Workshop forms: two armies with their orders and properties, and the ground, in the query of the address. Values for
an army hold while it is picked; another army starts from its current state.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from battles.workshop.matchups import WRITTEN, Armies
from core.text import render
from rules.pathfinder.battle.state.battle_state import SetCondition, UseOrder
from rules.pathfinder.battle.state.opening import figures_of
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.catalogue.conditions import WIND_NAMES
from rules.pathfinder.ruleset import Ruleset
from rules.pathfinder.spec import ArmySpec
from rules.pathfinder.workshop.setting import Bearing, Setting, begun, lasting_uses
from rules.pathfinder.workshop.workshop_law import levers

HOLD = "hold-the-line"
HEROES = (("", _("usual")), ("4", _("success: +4")), ("-4", _("failure: −4")))
TOGGLED = ("ability", "resource", "boon", "commander", "notorious", "mount", "morale", "wounds", "arrears", "disease",
           "drain")  # fmt: skip
BESIDES = 20

DEFENSE_MOST = 60
HP_MOST = 10_000


class TunerForm(forms.Form):
    """Form of one side. `today` holds the two armies as they are; `spec` is the picked one, `foe` the other."""

    army = forms.ChoiceField(label=_("Army"))
    known = forms.CharField(widget=forms.HiddenInput, required=False)
    body = forms.CharField(widget=forms.HiddenInput, required=False)
    tactic = forms.ChoiceField(label=_("Tactic"), required=False)
    strategy = forms.ChoiceField(label=_("Strategy"), required=False)
    has = forms.MultipleChoiceField(label=_("Traits"), required=False, widget=forms.CheckboxSelectMultiple)
    does = forms.MultipleChoiceField(label=_("Orders"), required=False, widget=forms.CheckboxSelectMultiple)
    hp = forms.IntegerField(label=_("Hit points"), required=False, min_value=1, max_value=HP_MOST)
    count = forms.IntegerField(label=_("Number of units"), required=False, min_value=1, max_value=10_000_000)
    walls = forms.IntegerField(label=_("Walls"), required=False, min_value=0, max_value=DEFENSE_MOST)
    ground = forms.ChoiceField(label=_("Ground"), required=False)
    heroes = forms.ChoiceField(label=_("Player characters"), choices=HEROES, required=False)
    om = forms.IntegerField(label=_("Extra OM"), required=False, min_value=-BESIDES, max_value=BESIDES)
    dv = forms.IntegerField(label=_("Extra DV"), required=False, min_value=-BESIDES, max_value=BESIDES)

    def __init__(self, data: QueryDict, today: Setting, spec: ArmySpec, foe: ArmySpec, picked: str, armies: Armies):
        self.today, self.law, self.spec, self.foe = today, cast("Ruleset", today.law), spec, foe
        self.figures, self.picked = figures_of(self.law, spec), picked
        self.owned = [
            (lever.slug, render(lever.name))
            for lever in levers(today)
            if lever.army == spec.id and lever.slug.partition(":")[0] in TOGGLED and lever.slug != f"boon:{HOLD}"
        ]
        prefix = "a" if spec is today.opening.armies[0] else "b"
        super().__init__(self._settled(data, prefix, picked), prefix=prefix, label_suffix="")
        self._offer(armies)

    def _settled(self, data: QueryDict, prefix: str, picked: str) -> QueryDict:
        """Return the input for this army, else its current state."""
        same = data.get(f"{prefix}-known") == picked and f"{prefix}-tactic" in data
        settled = QueryDict(mutable=True)
        for name in data if same else ():
            settled.setlist(name, data.getlist(name))
        if not same:
            settled[f"{prefix}-tactic"] = settled[f"{prefix}-strategy"] = "standard"
            settled.setlist(f"{prefix}-has", [slug for slug, _name in self.owned])
            settled[f"{prefix}-hp"], settled[f"{prefix}-count"] = str(self.figures.hp), str(self.spec.count)
        settled[f"{prefix}-army"] = settled[f"{prefix}-known"] = picked
        settled[f"{prefix}-body"] = data.get(f"{prefix}-body", "")
        return settled

    def _offer(self, armies: Any) -> None:
        fields: dict[str, Any] = self.fields
        law = self.law
        fields["army"].choices = [(group, [self._named(*army) for army in own]) for group, own in armies]
        fields["tactic"].choices = [(slug, render(law.tactics[slug].name)) for slug in law.tactics_of(self.spec)]
        fields["strategy"].choices = [(slug, render(item.name)) for slug, item in law.strategies.items()]
        fields["has"].choices = self.owned
        fields["does"].choices = self._deeds()
        grounds = ("advantageous-terrain", "battlefield-advantage")
        fields["ground"].choices = [
            ("", _("no special tactic")), *((slug, render(law.conditions[slug].name)) for slug in grounds)
        ]  # fmt: skip

    def _named(self, pk: str, name: str) -> tuple[str, str]:
        """Return the choice; a described army has the name it was given."""
        return pk, self.spec.name if pk == self.picked == WRITTEN else name

    def _deeds(self) -> list[tuple[str, str]]:
        """Return lasting orders: Hold the Line, and what is used once for the whole battle."""
        battle = begun(self.today)
        holds = t.HOLDS_THE_LINE in battle.armies[self.spec.id].profile.traits
        found = [(HOLD, render(self.law.boons[HOLD].name))] if holds else []
        for use in lasting_uses(battle, self.spec.id):
            slug, name = f"{use.kind}:{use.source.slug}", render(use.source.name)
            found += [(f"{slug}:{option}", f"{name} ({option})") for option in use.use.options] or [(slug, name)]
        return found

    # Results.
    @property
    def left_out(self) -> set[str]:
        """Traits that it has today but not here."""
        return {slug for slug, _name in self.owned} - set(self.cleaned_data["has"])

    def bearing(self) -> Bearing:
        given = self.cleaned_data
        deeds = [deed for deed in given["does"] if deed != HOLD]
        return Bearing(
            given["tactic"] or "standard", given["strategy"] or "standard", HOLD in given["does"],
            tuple(self._use(deed) for deed in deeds), given["om"] or 0, given["dv"] or 0,
        )  # fmt: skip

    def _use(self, deed: str) -> UseOrder:
        kind, slug, option = (*deed.split(":"), "")[:3]
        item: Any = {"ability": self.law.abilities, "resource": self.law.resources, "boon": self.law.boons}[kind][slug]
        target = {"enemy": self.foe.id, "ally": self.spec.id}.get(item.use.target if item.use else "", "")
        return UseOrder(kind, slug, option, target)

    def conditions(self) -> Iterator[SetCondition]:
        """Yield conditions of this army alone."""
        given, own = self.cleaned_data, (self.spec.id,)
        if given["walls"]:
            yield SetCondition("fortification", given["walls"], own)
        if given["ground"]:
            yield SetCondition(given["ground"], armies=own)
        if given["heroes"]:
            yield SetCondition("heroes", int(given["heroes"]), own)

    @property
    def is_tuned(self) -> bool:
        """Whether anything in the second row differs from today."""
        given = getattr(self, "cleaned_data", {})
        today = {"hp": self.figures.hp, "count": self.spec.count}
        return any(
            given.get(field.name) not in (None, "", today.get(field.name)) or field.errors for field in self.tuned
        )

    @property
    def tuned(self) -> list[forms.BoundField]:
        """Fields of the second row."""
        return [self[name] for name in ("hp", "count", "walls", "ground", "heroes", "om", "dv")]


class GroundForm(forms.Form):
    """Form of conditions of the whole field."""

    wind = forms.ChoiceField(label=_("Wind"), required=False)

    def __init__(self, data: QueryDict, law: Ruleset):
        super().__init__(data, prefix="field", label_suffix="")
        self.over = [item for item in law.conditions.values() if item.scope == "field" and not item.value]
        for item in self.over:
            self.fields[item.slug] = forms.BooleanField(
                label=render(item.name), required=False, help_text=render(item.summary)
            )
        wind: Any = self.fields["wind"]
        wind.choices = [("", _("calm")), *((slug, render(name)) for slug, name in WIND_NAMES.items())]

    @property
    def is_set(self) -> bool:
        """Whether anything is set, or was entered wrongly."""
        return not self.is_valid() or any(True for _condition in self.conditions())

    def conditions(self) -> Iterator[SetCondition]:
        for item in self.over:
            if self.cleaned_data[item.slug]:
                yield SetCondition(item.slug)
        if wind := self.cleaned_data["wind"]:
            yield SetCondition("wind", wind)

    @property
    def ticks(self) -> list[forms.BoundField]:
        return [self[item.slug] for item in self.over]
