"""Army UI of THUCIDIDE fantasy (`DocumentArmies`), with a campaign's own things, changed house rules, and starting
armies (TF-2.3, 6.3, TF-8).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from armies.arsenal.own_things import PANEL as ARSENAL
from armies.arsenal.own_things import OwnThings
from armies.arsenal.table_rows import OwnThingTable, TypesTable
from armies.default.forms import StatusCorrectionForm
from armies.documents.drafts import DocumentDraft
from armies.documents.forms import DocumentForm
from armies.documents.ui import DocumentArmies, build_measure_follower, list_in_chunks
from armies.documents.weeks import LIFE
from armies.documents.weeks_ahead import OUTLOOK
from armies.models import Army, Commander
from armies.onboarding import casts as map_sheets
from armies.onboarding.casts import CampaignCast, HostCast, RealmCast, place_blockade
from armies.onboarding.starting_armies import Built, Starts, Troop
from armies.thucidide_fantasy import paper
from armies.thucidide_fantasy.api import API
from armies.thucidide_fantasy.forms import (
    FRESH,
    ContingentForm,
    document_of,
    draft_of,
    list_starters,
    offers_with_figures,
)
from armies.thucidide_fantasy.page import ContingentShown, army_page, build_contingent, commander_page
from core.shapes.forms import CatalogueChoices
from kingdom.access.permissions import PageRequest
from kingdom.contributions import Contribution
from kingdom.models import Campaign, User
from kingdom.realms.figures import get_ruleset
from rules.core.breakdown import OnPaper, PaperAid
from rules.core.errors import Refusal, refuse
from rules.core.shapes import shape_of
from rules.core.text import Said, Term, _
from rules.registry import family_of
from rules.thucidide_fantasy.contingent import SAMPLE_HOSTS, ContingentCommander, ContingentSheet, ContingentUnit
from rules.thucidide_fantasy.own import (
    KINDS,
    MOST,
    SHAPES,
    SPELLS,
    TROOPS,
    WEAPONS,
    OwnSpell,
    OwnTroop,
    OwnWeapon,
    bearing,
    taken,
    unknown_to,
)

# A campaign's own weapons, troops and spells (TF-2.3, 6.3), for the arsenal and for tables.

OWN_THINGS = OwnThings(
    kinds=KINDS,
    shapes=SHAPES,
    names={OwnWeapon: "ThucidideWeapon", OwnTroop: "ThucidideTroop", OwnSpell: "ThucidideSpell"},
    most=MOST,
    taken=taken,
    bearing=bearing,
    offers=offers_with_figures,
    tables={TROOPS: "units", WEAPONS: "weapons", SPELLS: "spells"},
    examples={
        "A shooting weapon": ("weapons", {"name": "Blunderbuss", "shot": 3, "range": 2}),
        "Troops": ("troops", {"name": "Long pikes", "kind": "infantry", "weight": "heavy", "weapon": "pike",
                              "points": 7}),
        "A spell": ("spells", {"name": "Hail", "cost": 2, "on": "enemy", "effect": "shot", "weapon": "sling"}),
    },
)  # fmt: skip

TABLES = (
    OwnThingTable(
        WEAPONS, SHAPES[WEAPONS], "weapons", _("Weapons"),
        _("Each row is a weapon made for this campaign, identified by its slug. Without a slug, one is made from the "
          "name."),
        _("This weapon is already in line {line}."),
        _("Weapons imported from a table: {new} new, {changed} changed."),
    ),
    TypesTable(TROOPS, SHAPES[TROOPS]),
    OwnThingTable(
        SPELLS, SHAPES[SPELLS], "spells", _("Spells"),
        _("Each row is a spell made for this campaign, identified by its slug. Without a slug, one is made "
          "from the name."),
        _("This spell is already in line {line}."),
        _("Spells imported from a table: {new} new, {changed} changed."),
    ),
)  # fmt: skip


# Guards and followers of changed house rules: nothing in use disappears, and no army becomes invalid.

FAMILY = "thucidide_fantasy"
IN_USE = _("{thing} is used by {name}. Remove it there first.")
NO_MORE = _("Under these rules, {name} would no longer be valid: {why}")

measure_amended = build_measure_follower(FAMILY)

type Read = Callable[[Mapping[str, Any]], Any]


def keep_in_use(campaign: Campaign, law: Any) -> None:
    """Guard: every army and commander valid under the current law must stay valid under this one.

    Raises `IllegalCommand` naming the first that wouldn't.
    """
    if not law.family == family_of(campaign.ruleset) == FAMILY:
        return
    now = get_ruleset(campaign)
    if law.tables == now.tables:
        return
    for name, document, read, wanted in _documents(campaign, now, law):
        if _refusal(read, document) is None and (why := _refusal(wanted, document)) is not None:
            _refuse(now, law, name, document, why)


def _documents(campaign: Campaign, now: Any, law: Any) -> Iterator[tuple[str, Mapping[str, Any], Read, Read]]:
    """Each document with its name, its current reader and its future reader."""
    for army in list_in_chunks(campaign, changeable=True):
        yield army.name, army.sheet, now.armies.value_of, law.armies.value_of
    for leader in Commander.objects.filter(campaign=campaign).order_by("pk"):
        yield leader.name, leader.sheet, now.armies.commander_of, law.armies.commander_of


def _refusal(read: Read, document: Mapping[str, Any]) -> Refusal | None:
    try:
        read(document)
    except Refusal as refusal:
        return refusal
    return None


def _refuse(now: Any, law: Any, name: str, document: Mapping[str, Any], why: Refusal) -> None:
    if (lost := unknown_to(law.tables, document)) is not None:
        kind, slug = lost
        refuse(IN_USE, field="/house_rules", thing=now.tables._asdict()[kind][slug].name, name=name)
    refuse(NO_MORE, field="/house_rules", name=name, why=why.message)


# Starting armies of THUCIDIDE fantasy: contingents of a few units each, and the sample armies (TF-8).

SHEET, COMMANDER = shape_of(ContingentSheet), shape_of(ContingentCommander)

CONTINGENTS: Mapping[str, tuple[Term, tuple[str, ...]]] = {
    "foot": (
        _("infantry: heavy infantry, pikes and archers"),
        ("foot-heavy", "foot-heavy", "foot-medium", "pike", "bows"),
    ),
    "horse": (_("cavalry: lancers and light riders"), ("riders-medium", "riders-medium", "riders-light", "foot-light")),
    "bows": (_("archers and crossbowmen with a guard"), ("bows", "bows", "crossbows", "foot-heavy")),
    "levy": (_("recruits with skirmishers"), ("recruits", "recruits", "recruits", "foot-light")),
    "guard": (_("a foot guard with crossbows"), ("guard", "guard", "crossbows")),
    "engines": (_("assault: siege engines behind heavy infantry"), ("foot-heavy", "foot-heavy", "engine", "engine")),
    "horde": (_("horde: goblins on wargs, ogres, light infantry"), ("warg-riders", "ogres", "foot-light", "recruits")),
    "beasts": (_("tigers, a giant spider and ogres"), ("tigers", "tigers", "giant-spider", "ogres")),
}  # fmt: skip


REALM_AND_DARK_HOST = CampaignCast(
    "realm-and-dark-host",
    _("Realm and Dark host"),
    _("The two sample armies of THUCIDIDE fantasy, each with nine units, a caster and a general, ready to fight."),
    "crossed-swords",
    (
        RealmCast(SAMPLE_HOSTS["realm"].name, "LG", {"Valmont": "city", "Brenn": "town"}, (
            HostCast(_("Host of the Realm"), "realm", "Isaut Verrane"),
        )),
        RealmCast(SAMPLE_HOSTS["dark-host"].name, "CE", {"Kardun": "city"}, (
            HostCast(_("Host of the dark"), "dark-host", "Sigrun Vaal"),
        )),
    ),
    map_sheets.TWO_REALMS._replace(hosts=" ".join(map_sheets.TWO_REALMS.hosts.split()[::3])),
)  # fmt: skip


class ContingentStarts:
    """Starting armies offered when a kingdom or campaign is founded (`Starts`)."""

    templates = True
    casts: Sequence[CampaignCast] = (REALM_AND_DARK_HOST,)

    def troops(self, campaign: Campaign) -> Mapping[str, Troop]:
        plain = {slug: Troop(name, _body(types)) for slug, (name, types) in CONTINGENTS.items()}
        samples = {
            slug: Troop(host.name, document_of(host), COMMANDER.write(host.commander))
            for slug, host in SAMPLE_HOSTS.items()
        }
        return {**plain, **samples}

    def leader(self, campaign: Campaign) -> dict[str, Any]:
        return {"rank": "general", "level": "normal"}

    def arrange(self, by: User, cast: CampaignCast, built: Built) -> None:
        """Place the armies of a blockade, in the town and before it; the ruleset has no sieges."""
        place_blockade(by, cast, built)


def _body(types: Sequence[str]) -> dict[str, Any]:
    return SHEET.write(ContingentSheet(tuple(ContingentUnit(slug) for slug in types)))


# Army UI of THUCIDIDE fantasy (`DocumentArmies`).


class ContingentArmyUI(DocumentArmies):
    reforms = True
    army_template = "armies/thucidide_fantasy/army.html"
    commander_template = "armies/thucidide_fantasy/commander.html"
    entries_template = "armies/thucidide_fantasy/entries.html"
    preview_template = "armies/thucidide_fantasy/preview.html"
    document_form = ContingentForm
    correction_form = StatusCorrectionForm
    life = LIFE
    contribution = Contribution(law_guards=(keep_in_use,), law_followers=(measure_amended,))
    own_things = OWN_THINGS
    panels = (*DocumentArmies.panels, ARSENAL, OUTLOOK)
    starts: Starts = ContingentStarts()
    stages: Sequence[Said] = paper.STAGES

    def __init__(self) -> None:
        super().__init__("thucidide_fantasy", ContingentSheet, commander=ContingentCommander, api=API)
        self.tables = (*self.tables, *TABLES)

    def picked(self, draft: DocumentDraft, data: Any, law: Any) -> DocumentDraft:
        host = SAMPLE_HOSTS.get(data.get("starter", "")) if "begin" in data else None
        return draft_of(host, draft.head, law) if host else draft

    def fresh(self, name: str, data: Any, law: Any) -> dict[str, Any]:
        return dict(FRESH.get(name, {}))

    def form_context(self, form: DocumentForm, data: Any) -> dict[str, Any]:
        return {"starters": list_starters(), "starter": data.get("starter", "")}

    def measured(self, law: Any, document: Mapping[str, Any]) -> ContingentShown:
        return build_contingent(law, law.armies.value_of(law.armies.read(document)))

    def commander_offers(self, law: Any) -> CatalogueChoices:
        return offers_with_figures(law)

    def army_page(self, request: PageRequest, army: Army) -> Any:
        return army_page(request.user, army)

    def commander_page(self, request: PageRequest, commander: Commander) -> Any:
        return commander_page(request.user, commander)

    def on_paper(self, army: Army) -> OnPaper:
        return paper.on_paper(army)

    def aids(self, campaign: Campaign) -> Sequence[PaperAid]:
        return paper.aids_of(campaign)


UI = ContingentArmyUI()
