"""What has to hold of a campaign that was brought in, beyond what the database knows: services see to it else."""

from __future__ import annotations

from django.db.models import Sum
from django.db.models.functions import Coalesce

from kingdom import world
from kingdom.calendar import clean_calendar
from kingdom.house_rules import clean_house_rules
from kingdom.inputs import clean_slug, clean_text
from kingdom.land import land_of
from kingdom.models import (
    Campaign,
    CampaignMap,
    ChronicleEntry,
    Kingdom,
    LedgerEntry,
    Note,
    NoteVersion,
    Petition,
    Settlement,
    StruckThing,
)
from kingdom.permissions import clean_players_may
from kingdom.searching import folded
from kingdom.secrecy import clean_secrecy
from kingdom.text import from_json, render
from rules.errors import demand
from rules.hexes.geometry import hex_at
from rules.registry import RULESETS
from rules.text import _

TEXT_MAX = 20_000  # characters of a note


def demand_playable(campaign: Campaign) -> None:
    """Its law is known here, and what it has chosen can be chosen."""
    clean_text(campaign.name, field="/name")
    clean_slug(campaign.ruleset, field="/ruleset", among=RULESETS)
    clean_house_rules(campaign.house_rules, ruleset=campaign.ruleset)
    clean_calendar(campaign.calendar)
    clean_players_may(campaign.players_may, stored={})
    clean_secrecy(campaign.secrecy, stored={})
    render(campaign.date.text)


def demand_kingdom(kingdom: Kingdom) -> None:
    clean_text(kingdom.name, field="/name")
    render(kingdom.arms_borne.blazon)
    for line in kingdom.planned_lines:
        render(line.said)
    spent = LedgerEntry.objects.filter(kingdom=kingdom).aggregate(sum=Coalesce(Sum("amount"), 0))["sum"]
    demand(kingdom.treasury == spent, _("The treasury is not the sum of its ledger."), field="/treasury")


def demand_settlement(town: Settlement) -> None:
    clean_text(town.name, field="/name")
    demand_hex(town.hex)


def demand_hex(label: str) -> None:
    """The name of a hex, or "" for none."""
    if label:
        hex_at(label)


def demand_map(drawn: CampaignMap) -> None:
    demand(len(drawn.written) < 100, _("This is too long."), field="/written")
    kingdoms = set(Kingdom.objects.filter(campaign=drawn.campaign_id).values_list("pk", flat=True))
    demand(land_of(drawn).realms.keys() <= kingdoms, _("Whoever claims a hex here is no kingdom of this document."))


def demand_entry(entry: ChronicleEntry) -> None:
    render(from_json(entry.text))
    for change in world.changes_of(entry):
        render(change.label)
        world.kind_of(change.subject_kind, entry.campaign)


def demand_struck(struck: StruckThing) -> None:
    demand(isinstance(struck.whole, dict), _("Write an object."), field="/whole")
    demand(type(struck.whole.get("day", 0)) is int, _("Write a whole number."), field="/whole/day")
    world.kind_of(struck.kind, struck.campaign)


def demand_petition(petition: Petition) -> None:
    render(from_json(petition.text))
    for change in world.changes_of(petition):
        render(change.label)
        world.kind_of(change.subject_kind, petition.campaign)


def demand_ledger(entry: LedgerEntry) -> None:
    render(entry.told)


def demand_note(note: Note) -> None:
    _demand_text(note.text)
    words = {folded(one["word"]): one["ref"] for one in note.mentions}
    demand(all(isinstance(ref, str) for ref in words.values()), _("Write a text here."), field="/mentions")


def demand_version(version: NoteVersion) -> None:
    _demand_text(version.text)


def _demand_text(text: str) -> None:
    demand(len(text) <= TEXT_MAX, _("This is too long."), field="/text")
