"""Page objects of campaigns and kingdoms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from kingdom.access.permissions import Leave
from kingdom.access.queries import get_role, is_gm, reads_kingdom, runs_kingdom, was_silenced
from kingdom.approvals.queries import leave_of
from kingdom.campaign.queries import latest_entries, place_and_players, read_towns
from kingdom.members.queries import gm_names, is_landless
from kingdom.models import Campaign, Kingdom, LedgerEntry, Role, Settlement, User
from kingdom.realms.figures import compute_defense, derive_figures, get_realm_law, read_figures
from kingdom.realms.requirements import Need, needs_of, unlocked_by
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
    """What a member may know of a kingdom, without its sheet (`kingdom_sheet`). `stores`: the ruleset has stores."""

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
