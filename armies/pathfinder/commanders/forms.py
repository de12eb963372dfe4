"""Form that appoints or changes a commander."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from armies.pathfinder.armies.unit_fields import name_choices, select
from armies.pathfinder.commanders.services import APPOINTED, FIGURES
from armies.pathfinder.models import PathfinderCommander
from core.text import render
from kingdom.access.queries import is_gm
from kingdom.approvals.serializers import leave_of
from kingdom.models import Kingdom, User
from kingdom.realms.figures import get_ruleset
from rules.pathfinder.leadership import taught_refusal


class CommanderForm(forms.Form):
    """Figures, office and its boon. For a new commander also the learned boons; later those are on the commander's
    page.
    """

    name = forms.CharField(label=_("Name"), max_length=120)
    character_class = forms.CharField(
        label=_("Class or creature type"), max_length=120, required=False, help_text=_("Fighter 5, ogre…")
    )
    level = forms.IntegerField(label=_("Level or HD"), initial=1)
    charisma_modifier = forms.IntegerField(label=_("Charisma modifier"), initial=0)
    soldier_ranks = forms.IntegerField(label=_("Ranks in Profession (soldier)"), initial=0)
    active_days = forms.IntegerField(
        label=_("Days per week with the army"),
        initial=7,
        required=False,
        help_text=_("0 to 7. With fewer than 3, the commander is not active (PF-2.5)."),
    )
    leadership_feat = forms.BooleanField(label=_("Leadership feat"), required=False)
    player_character = forms.BooleanField(label=_("Player character"), required=False)
    office = forms.CharField(label=_("Office"), required=False)
    office_boon = forms.CharField(label=_("Boon from office"), required=False)
    office_tactic = forms.CharField(label=_("Office boon’s tactic"), required=False)
    boons = forms.MultipleChoiceField(label=_("Boons"), required=False, widget=forms.CheckboxSelectMultiple)
    boon_tactic = forms.CharField(label=_("Tactic from Bonus Tactic"), required=False)
    status = forms.ChoiceField(label=_("Status"), choices=PathfinderCommander.Status)
    notorious = forms.BooleanField(label=_("Notorious for defeats, captures and ransoms"), required=False)
    captures = forms.IntegerField(label=_("Times captured"), initial=0)

    away_until = forms.IntegerField(
        label=_("Away until day"),
        required=False,
        help_text=_("The day they return from a journey or captivity. Leave empty if not away."),
    )

    ransom = forms.IntegerField(
        label=_("Ransom in BP"),
        required=False,
        help_text=_("Only for captives. Leave empty for the Consumption of the army they led."),
    )

    GM_FIELDS = ("status", "notorious", "captures", "away_until", "ransom")
    LISTED = (
        "name", "character_class", "level", "charisma_modifier", "soldier_ranks", "active_days", "leadership_feat",
        "player_character", "office", "office_boon", "office_tactic",
    )  # fmt: skip

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        kingdom: Kingdom,
        user: User,
        commander: PathfinderCommander | None = None,
    ):
        super().__init__(data, initial=_initial(commander) if commander else None)
        self.ruleset = get_ruleset(kingdom.campaign)
        self._draw_selects()
        may = leave_of(user, kingdom.campaign)
        self.figures, self.appointing = may["attributes"], may["appoint"]
        self._open_to(commander, is_gm(user, kingdom.campaign))

    def _draw_selects(self) -> None:
        boons = [(slug, _boon_label(boon)) for slug, boon in self.ruleset.boons.items() if not boon.off]
        tactics = name_choices({slug: item for slug, item in self.ruleset.tactics.items() if self._taught(slug)})
        offered = {
            "office": [("", "–"), *name_choices(self.ruleset.offices)],
            "office_boon": [("", "–"), *self._office_boons()],
            "office_tactic": [("", "–"), *tactics],
            "boon_tactic": [("", "–"), *tactics],
        }
        for name, choices in offered.items():
            self.fields[name].widget = select(choices)
        learned: Any = self.fields["boons"]
        learned.choices = boons

    def _taught(self, slug: str) -> bool:
        """Whether a boon may teach this tactic, or that of their office teaches it already."""
        return slug == self.initial.get("office_tactic") or taught_refusal(self.ruleset, slug) is None

    def _office_boons(self) -> list[tuple[str, Any]]:
        """Boons that offices give, each with its offices."""
        given: dict[str, list[str]] = {}
        for office in self.ruleset.offices.values():
            for slug in office.boons:
                given.setdefault(slug, []).append(render(office.name))
        return [
            (slug, f"{render(self.ruleset.boons[slug].name)} ({', '.join(offices)})") for slug, offices in given.items()
        ]

    def _open_to(self, commander: PathfinderCommander | None, gm: bool) -> None:
        hidden = [] if gm and commander else list(self.GM_FIELDS)
        hidden += ["boons", "boon_tactic"] if commander else []
        if commander:  # for a new one, figures are part of the appointment
            hidden += [] if self.figures.offered else sorted(FIGURES)
            hidden += [] if self.appointing.offered else sorted(APPOINTED & self.fields.keys() - {*hidden})
        for name in hidden:
            del self.fields[name]

    def values(self) -> dict[str, Any]:
        """Arguments of the services."""
        given = {name: value for name, value in self.cleaned_data.items() if name != "boon_tactic"}
        if given.get("active_days", 0) is None:
            del given["active_days"]
        if "boons" in given:
            given["boons"] = [self._boon(slug) for slug in given["boons"]]
        return given

    def _boon(self, slug: str) -> dict[str, Any]:
        tactic = self.cleaned_data.get("boon_tactic") if self.ruleset.boons[slug].needs_tactic else None
        return {"boon": slug, "tactic": tactic or None}


def _boon_label(boon: Any) -> str:
    needs = _("leadership %(least)s") % {"least": boon.leadership} if boon.leadership else ""
    return f"{render(boon.name)} ({needs})" if needs else render(boon.name)


def _initial(commander: PathfinderCommander) -> dict[str, Any]:
    return {name: getattr(commander, name) for name in (*CommanderForm.LISTED, *CommanderForm.GM_FIELDS)}
