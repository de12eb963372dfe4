"""Page objects of campaigns and kingdoms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.db import DatabaseError, InterfaceError
from django.forms import Form
from django.http import Http404, HttpRequest, QueryDict
from django.urls import resolve

from kingdom.access.permissions import Leave
from kingdom.access.queries import (
    get_campaign_for,
    get_kingdom_for,
    get_role,
    is_gm,
    reads_kingdom,
    runs_kingdom,
    was_silenced,
)
from kingdom.access.redaction import BARE, EXACT, HIDDEN, SHOWN, TOLD, WORDS
from kingdom.approvals.serializers import leave_of
from kingdom.campaign.queries import latest_entries, place_and_players, read_towns
from kingdom.members.queries import gm_names, is_landless
from kingdom.models import Campaign, Kingdom, Knowledge, LedgerEntry, Role, Settlement, User
from kingdom.realms.figures import (
    Need,
    compute_defense,
    derive_figures,
    get_realm_law,
    needs_of,
    read_figures,
    unlocked_by,
)
from rules.core.breakdown import Breakdown, Line
from rules.core.text import Said, Term, _
from rules.realm import BriefFigure, Checks, Notice

SIDES = ("one", "two", "three", "four", "five", "six")
LAST_ENTRIES = 8


@dataclass(frozen=True, slots=True)
class KingdomCard:
    """A kingdom on the campaign page. `glance` holds its main figures; None if the reader may not read its sheet."""

    kingdom: Kingdom
    side: str
    runs: bool
    glance: tuple[BriefFigure, ...] | None
    players: tuple[str, ...]

    @property
    def readable(self) -> bool:
        return self.glance is not None


@dataclass(frozen=True, slots=True)
class CampaignPage:
    """The campaign page. `founded`: it has a kingdom. `realms`: the kingdoms shown. `gives`: names of the GMs, for a
    player without a kingdom. `silenced`: a webhook was switched off (for the GM).
    """

    campaign: Campaign
    role: str
    founded: bool
    realms: tuple[KingdomCard, ...]
    gives: tuple[str, ...] = ()
    silenced: bool = False

    @property
    def gm(self) -> bool:
        return self.role == Role.GM


def campaign_page(user: User, campaign: Campaign, shown: Iterable[Kingdom]) -> CampaignPage:
    """Return the campaign page for a member, with these of the kingdoms read by `load_board`."""
    sides = {kingdom.pk: SIDES[place % len(SIDES)] for place, kingdom in enumerate(campaign.kingdoms.all())}
    return CampaignPage(
        campaign=campaign,
        role=get_role(user, campaign) or "",
        founded=bool(sides),
        realms=tuple(_realm(user, kingdom, sides[kingdom.pk]) for kingdom in shown),
        gives=tuple(gm_names(campaign)) if is_landless(user, campaign) else (),
        silenced=was_silenced(campaign) and is_gm(user, campaign),
    )


def _realm(user: User, kingdom: Any, side: str) -> KingdomCard:
    return KingdomCard(
        kingdom=kingdom,
        side=side,
        runs=runs_kingdom(user, kingdom),
        glance=_glance(kingdom) if reads_kingdom(user, kingdom) else None,
        players=tuple(kingdom.player_names),
    )


def _glance(kingdom: Kingdom) -> tuple[BriefFigure, ...]:
    return tuple(get_realm_law(kingdom.campaign).glance(read_figures(kingdom)))


@dataclass(frozen=True, slots=True)
class Town:
    """A settlement with its Defense, if the ruleset has it, its buildings and the wares they unlock."""

    settlement: Settlement
    defense: Breakdown | None
    buildings: tuple[tuple[Term, int], ...]
    unlocks: tuple[Term, ...]


class ShownFigure(NamedTuple):
    """A figure on the sheet or derived from it, with its breakdown and its anchor on the page."""

    word: Said
    value: int
    breakdown: Breakdown | None = None
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class KingdomSheet:
    """The figures of a kingdom in its ruleset. `builds`: settlements may have buildings."""

    figures: tuple[ShownFigure, ...]
    notices: tuple[Notice, ...]
    checks: Checks | None
    builds: bool
    buildings_help: Term
    defense_help: Term
    market_rule: str
    towns: tuple[Town, ...]
    entries: tuple[LedgerEntry, ...]
    balances: tuple[int, ...]
    needs: tuple[Need, ...]


@dataclass(frozen=True, slots=True)
class KingdomPage:
    """Page object of a kingdom for a member, without its sheet (`kingdom_sheet`). `stores`: the ruleset has stores."""

    kingdom: Kingdom
    campaign: Campaign
    side: str
    gm: bool
    runs: bool
    players: tuple[str, ...]
    may: dict[str, Leave]
    alignment: Term
    stores: bool = False

    @property
    def shares(self) -> bool:
        """Whether the reader may make a public link to it."""
        return self.gm or (self.runs and self.campaign.players_share)


def kingdom_brief(user: User, kingdom: Kingdom) -> KingdomPage:
    """Return the page object. One query."""
    earlier, players = place_and_players(kingdom)
    return KingdomPage(
        kingdom=kingdom,
        campaign=kingdom.campaign,
        side=SIDES[earlier % len(SIDES)],
        gm=is_gm(user, kingdom.campaign),
        runs=runs_kingdom(user, kingdom),
        players=tuple(players),
        may=leave_of(user, kingdom.campaign),
        alignment=Term(kingdom.alignment if get_realm_law(kingdom.campaign).alignments else ""),
        stores=bool(get_realm_law(kingdom.campaign).market_rule),
    )


def kingdom_sheet(kingdom: Kingdom) -> KingdomSheet:
    """Return the sheet, for readers of the kingdom. Two queries."""
    read_towns(kingdom)
    recent = latest_entries(kingdom)
    realm = get_realm_law(kingdom.campaign)
    return KingdomSheet(
        figures=tuple(_figures(kingdom)),
        notices=tuple(realm.notices(read_figures(kingdom))),
        checks=realm.checks,
        builds=bool(realm.buildings),
        buildings_help=realm.buildings_help,
        defense_help=realm.defense_help,
        market_rule=realm.market_rule,
        towns=tuple(_town(kingdom, settlement) for settlement in kingdom.settlements.all()),
        entries=tuple(recent[:LAST_ENTRIES]),
        balances=tuple(entry.balance for entry in reversed(recent)),
        needs=needs_of(kingdom),
    )


def _figures(kingdom: Kingdom) -> Iterator[ShownFigure]:
    """Yield the figures that the owner enters, then the derived ones."""
    realm, values = get_realm_law(kingdom.campaign), read_figures(kingdom)
    for slug, figure in realm.sheet.items():
        if not figure.gm:
            value = values[slug] or 0
            followed = figure.hexes and getattr(kingdom, "follows_map", False)
            why = Breakdown((Line(_("Claimed hexes on the map"), value, realm.rule),)) if followed else None
            yield ShownFigure(figure.name, value, why, f"{slug}-by-map" if followed else "")
    for slug, breakdown in derive_figures(kingdom).items():
        yield ShownFigure(realm.derived[slug], breakdown.total, breakdown, slug.replace("_", "-"))


def _town(kingdom: Kingdom, settlement: Settlement) -> Town:
    counted, known = Counter(settlement.buildings), get_realm_law(kingdom.campaign).buildings
    standing = tuple((known[slug].name, counted[slug]) for slug in known if counted[slug])
    return Town(settlement, compute_defense(settlement), standing, unlocked_by(kingdom, settlement.buildings))


def get_colour(kingdom: Kingdom) -> str:
    """Return the kingdom's colour, the same on every page."""
    earlier = Kingdom.objects.filter(campaign=kingdom.campaign_id, pk__lt=kingdom.pk).count()
    return SIDES[earlier % len(SIDES)]


# Frame of a campaign around a page that belongs to none: a rule, or a 404.
#
# It keeps the campaign's navigation. The campaign is that of the nearest parent address, else of the page with the
# link. Only addresses of campaigns and kingdoms that the reader may see count, so that the frame never reveals whether
# another object exists.


def campaign_around(request: HttpRequest) -> Campaign | None:
    """Return the campaign for a member; None for everybody else."""
    try:
        user = getattr(request, "user", None)
        return _found(request, user) if user is not None and user.is_authenticated else None
    except (DatabaseError, InterfaceError):  # the error page is rendered without a frame
        return None


def _found(request: HttpRequest, user: User) -> Campaign | None:
    addresses = (address for path in (request.path, _led_from(request)) for address in _upwards(path))
    return next(filter(None, (_named_by(user, address) for address in addresses)), None)


def _led_from(request: HttpRequest) -> str:
    """Return the path of the page of this site that linked here, or ""."""
    try:
        before = urlsplit(request.headers.get("Referer", ""))
    except ValueError:
        return ""
    return before.path if before.netloc == request.get_host() else ""


def _upwards(path: str) -> Iterator[str]:
    """Yield the address and its parents."""
    parts = path.strip("/").split("/")
    for size in range(len(parts), 0, -1):
        yield f"/{'/'.join(parts[:size])}/"


def _named_by(user: User, address: str) -> Campaign | None:
    try:
        named = resolve(address).kwargs
        if "campaign_id" in named:
            return get_campaign_for(user, named["campaign_id"])
        return get_kingdom_for(user, named["kingdom_id"]).campaign if "kingdom_id" in named else None
    except Http404:
        return None


# Page of a campaign’s settings: its tabs, and presets of what players see.

PRESET = "preset"  # name of the buttons


class SettingsTab(NamedTuple):
    """A tab: the id of its panel, and whether a field in it was refused."""

    slug: str
    label: Term
    icon: str
    wrong: bool


def list_tabs(form: Form, delete_form: Form) -> list[SettingsTab]:
    wrong = {_tab_of(name) for name in form.errors} | ({"export"} if delete_form.errors else set())
    return [SettingsTab(slug, label, icon, slug in wrong) for slug, (label, icon) in TABS.items()]


TABS: Mapping[str, tuple[Term, str]] = {
    "rules": (_("Rules"), "spell-book"),
    "permissions": (_("Permissions"), "key"),
    "secrecy": (_("Secrecy"), "semi-closed-eye"),
    "export": (_("Export, delete"), "save-arrow"),
}


def _tab_of(field: str) -> str:
    if field.startswith("may:") or field in ("players_share", "origins"):
        return "permissions"
    return "secrecy" if field.startswith("kept:") or field in ("others_known", "met_known") else "rules"


class SecrecyPreset(NamedTuple):
    """A preset. `told`: what players see under it. `values`: by form field."""

    name: Term
    icon: str
    told: Term
    values: Mapping[str, Any]


def _preset_values(others: Knowledge, met: Knowledge, health: str, figures: str, corrections: str) -> dict[str, Any]:
    in_battle = {"kept:health": health, "kept:figures": figures, "kept:corrections": corrections}
    return {"others_known": int(others), "met_known": int(met), **in_battle}


PRESETS: Mapping[str, SecrecyPreset] = {
    "open": SecrecyPreset(
        _("All open"),
        "eye-shield",
        _("Players see every army’s full sheet. In battle they see enemy health, attack and defense as numbers."),
        _preset_values(Knowledge.ALL, Knowledge.ALL, EXACT, SHOWN, TOLD),
    ),
    "fair": SecrecyPreset(
        _("Fair"),
        "semi-closed-eye",
        _(
            "Players know the names and banners of other armies, and the type and rough size of those they have met. "
            "In battle they see enemy health, attack and defense as numbers."
        ),
        _preset_values(Knowledge.NAME, Knowledge.GLANCE, EXACT, SHOWN, TOLD),
    ),
    "grim": SecrecyPreset(
        _("Grim"),
        "sight-disabled",
        _(
            "Players know nothing about an army until they have met it, and then only its name and banner. "
            "In battle they see enemy health in words, and no attack or defense."
        ),
        _preset_values(Knowledge.NOTHING, Knowledge.NAME, WORDS, HIDDEN, BARE),
    ),
}


class PresetChoice(NamedTuple):
    """A preset on the page. `chosen`: the form has these values."""

    slug: str
    preset: SecrecyPreset
    chosen: bool


def list_presets(form: Form) -> list[PresetChoice]:
    return [PresetChoice(slug, preset, _is_set(form, preset)) for slug, preset in PRESETS.items()]


def _is_set(form: Form, preset: SecrecyPreset) -> bool:
    return all(str(form[name].value()) == str(value) for name, value in preset.values.items())


def fill_in(data: QueryDict) -> tuple[QueryDict, SecrecyPreset | None]:
    """Return the submitted data with the values of the preset whose button was pressed, and that preset."""
    preset = PRESETS.get(data.get(PRESET, ""))
    if preset is None:
        return data, None
    filled = data.copy()
    for name, value in preset.values.items():
        filled[name] = str(value)
    return filled, preset
