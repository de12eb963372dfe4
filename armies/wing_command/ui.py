"""Army UI of wing command (`DocumentArmies`), with a campaign's own types of troops, changed house rules, and starting
armies (WC-HOUSE, C-5, WC-10).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from armies.arsenal.own_things import PANEL as ARSENAL
from armies.arsenal.own_things import OwnThings
from armies.arsenal.table_rows import TypesTable
from armies.documents.drafts import DocumentDraft
from armies.documents.forms import DocumentForm
from armies.documents.ui import DocumentArmies, build_measure_follower, list_in_chunks
from armies.documents.weeks import LIFE
from armies.documents.weeks_ahead import OUTLOOK
from armies.models import Army, Commander
from armies.onboarding import casts as map_sheets
from armies.onboarding.casts import CampaignCast, HostCast, RealmCast, place_blockade
from armies.onboarding.starting_armies import Built, Starts, Troop
from armies.wing_command import paper
from armies.wing_command.api import API
from armies.wing_command.forms import FRESH, WingForm, draft_of, find_starter, list_starters
from armies.wing_command.page import WingShown, army_page, build_wing, commander_page
from kingdom.access.permissions import PageRequest
from kingdom.contributions import Contribution
from kingdom.models import Campaign, User
from kingdom.realms.figures import get_ruleset
from rules.core.breakdown import OnPaper, PaperAid
from rules.core.errors import refuse
from rules.core.shapes import shape_of
from rules.core.text import Said, Term, _
from rules.registry import family_of
from rules.wing_command.house import MOST, SHAPE, TYPES, OwnTroop
from rules.wing_command.spec import ADVANCE, ATTACK, HOLD, TroopType
from rules.wing_command.starter import TROOPS
from rules.wing_command.wing import CROWN, HORDE, SAMPLE_HOSTS, WingCommander, WingSheet, WingTroop

# A campaign's own types of troops (WC-HOUSE), for the arsenal and for tables.


def is_taken(kind: str, slug: str) -> bool:
    return slug in TROOPS


PIKES = {"name": "Pikes", "tag": "Pk", "move": 2, "melee": 3, "guard": 4, "points": 4}
OWN_THINGS = OwnThings(
    kinds={TYPES: _("Type of troops")},
    shapes={TYPES: SHAPE},
    names={OwnTroop: "WingTroopType"},
    most=MOST,
    taken=is_taken,
    tables={TYPES: "units"},
    examples={"Troops of a wing": (TYPES, PIKES)},
)
TABLE = TypesTable(TYPES, SHAPE)


# Guards and followers of changed house rules: no type of troops in use disappears, and upkeep is updated (C-5).

FAMILY = "wing_command"

measure_amended = build_measure_follower(FAMILY)


def keep_in_use(campaign: Campaign, law: Any) -> None:
    """Guard: every type of troops in use must exist under this law. Raises `IllegalCommand` naming the first army."""
    if not law.family == family_of(campaign.ruleset) == FAMILY:
        return
    now: Mapping[str, TroopType] = get_ruleset(campaign).tables.troops
    lost = {slug: one.name for slug, one in now.items() if not one.off and slug not in law.armies.catalogues["troops"]}
    if not lost:
        return
    for army in list_in_chunks(campaign, changeable=True):
        for troop in army.sheet.get("troops", ()):
            if (name := lost.get(troop.get("type"))) is not None:
                text = _("Troops of {army} have the type {troop}. Change that army first.")
                refuse(text, field="/house_rules", troop=name, army=army.name)


# Starting armies of wing command: wings of a few troops each, and those of the sample hosts (WC-10).

COMMANDER = shape_of(WingCommander)

type WingPlan = tuple[Term, str, int, tuple[str, ...]]

WINGS: Mapping[str, WingPlan] = {
    "foot": (_("infantry: line infantry with archers"), ADVANCE, 8, ("foot", "foot", "heavy-foot", "archers")),
    "horse": (_("cavalry: riders with archers behind them"), ATTACK, 8, ("riders", "riders", "riders", "archers")),
    "bows": (_("archers with a guard"), ADVANCE, 8, ("archers", "archers", "foot")),
    "levy": (_("levies with scouts"), ADVANCE, 7, ("levy", "levy", "levy", "scouts")),
    "guard": (_("a guard of veterans"), HOLD, 10, ("heavy-foot", "heavy-foot", "archers")),
    "engines": (_("assault: heavy infantry and archers"), ATTACK, 8, ("heavy-foot", "foot", "archers", "archers")),
    "horde": (_("horde: levies, beasts and trolls"), ATTACK, 8, ("levy", "foot", "trolls", "beasts")),
    "beasts": (_("beasts and trolls"), ATTACK, 7, ("trolls", "beasts", "beasts")),
}


CROWN_AND_HORDE = CampaignCast(
    "crown-and-horde",
    _("Crown and Horde"),
    _("The two sample armies of wing command, each with three wings and their commanders, ready for battle."),
    "crossed-swords",
    (
        RealmCast(SAMPLE_HOSTS["crown"][0], "LG", {"Valmont": "city", "Brenn": "town"}, (
            HostCast(CROWN[0].name, "crown-0", "Isaut Verrane"), HostCast(CROWN[1].name, "crown-1", "Tancred Holm"),
            HostCast(CROWN[2].name, "crown-2", "Alix Morel"),
        )),
        RealmCast(SAMPLE_HOSTS["horde"][0], "CE", {"Kardun": "city"}, (
            HostCast(HORDE[0].name, "horde-0", "Sigrun Vaal"), HostCast(HORDE[1].name, "horde-1", "Brida Kessel"),
            HostCast(HORDE[2].name, "horde-2", "Ulf Tarn"),
        )),
    ),
    map_sheets.TWO_REALMS,
)  # fmt: skip


class WingStarts:
    """Starting armies offered when a kingdom or campaign is founded (`Starts`)."""

    templates = True
    casts: Sequence[CampaignCast] = (CROWN_AND_HORDE,)

    def troops(self, campaign: Campaign) -> Mapping[str, Troop]:
        plain = {slug: Troop(name, _body(_sheet(plan))) for slug, (name, *plan) in WINGS.items()}
        samples = {
            f"{host}-{place}": Troop(wing.name, _body(wing.sheet), COMMANDER.write(wing.commander))
            for host, (_name, wings) in SAMPLE_HOSTS.items()
            for place, wing in enumerate(wings)
        }
        return {**plain, **samples}

    def leader(self, campaign: Campaign) -> dict[str, Any]:
        return {"ability": "C"}

    def arrange(self, by: User, cast: CampaignCast, built: Built) -> None:
        """Place the armies of a blockade, in the town and before it; the ruleset has no sieges."""
        place_blockade(by, cast, built)


def _sheet(plan: Any) -> WingSheet:
    order, morale, types = plan
    return WingSheet(tuple(WingTroop(slug) for slug in types), order=order, morale=morale)


def _body(sheet: WingSheet) -> dict[str, Any]:
    return shape_of(WingSheet).write(sheet)


# Army UI of wing command (`DocumentArmies`).


class WingArmyUI(DocumentArmies):
    reforms = True
    army_template = "armies/wing_command/army.html"
    commander_template = "armies/wing_command/commander.html"
    entries_template = "armies/wing_command/entries.html"
    preview_template = "armies/wing_command/preview.html"
    document_form = WingForm
    contribution = Contribution(law_guards=(keep_in_use,), law_followers=(measure_amended,))
    own_things = OWN_THINGS
    panels = (*DocumentArmies.panels, ARSENAL, OUTLOOK)
    life = LIFE
    starts: Starts = WingStarts()
    stages: Sequence[Said] = paper.STAGES

    def __init__(self) -> None:
        super().__init__("wing_command", WingSheet, commander=WingCommander, api=API)
        self.tables = (*self.tables, TABLE)

    def picked(self, draft: DocumentDraft, data: Any, law: Any) -> DocumentDraft:
        wing = find_starter(data.get("starter", "")) if "begin" in data else None
        return draft_of(wing, draft.head, law) if wing else draft

    def fresh(self, name: str, data: Any, law: Any) -> dict[str, Any]:
        return dict(FRESH.get(name, {}))

    def form_context(self, form: DocumentForm, data: Any) -> dict[str, Any]:
        return {"starters": list_starters(), "starter": data.get("starter", "")}

    def measured(self, law: Any, document: Mapping[str, Any]) -> WingShown:
        return build_wing(law, law.armies.value_of(document))

    def army_page(self, request: PageRequest, army: Army) -> Any:
        return army_page(request.user, army)

    def commander_page(self, request: PageRequest, commander: Commander) -> Any:
        return commander_page(request.user, commander)

    def on_paper(self, army: Army) -> OnPaper:
        return paper.on_paper(army)

    def aids(self, campaign: Campaign) -> Sequence[PaperAid]:
        return paper.aids_of(campaign)


UI = WingArmyUI()
