"""Serializers of campaigns, kingdoms and settlements. Services validate and write."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api.serializers import Input, OneDieInput
from core.clean_input import ATTRIBUTE_MAX, BP_MAX, DISTRICTS_MAX, LAST_DAY, NAME_MAX, REASON_MAX
from core.text import load_said, render
from kingdom.access.permissions import KINDS, Permission, read_choices
from kingdom.access.queries import get_role, reads_kingdom
from kingdom.access.redaction import SETTINGS, read_settings
from kingdom.api.fields import BreakdownField, KnowledgeField, NameField, OriginsField, SaidField, WholeField
from kingdom.campaign.house_rules import HouseRulesField
from kingdom.chronicle.last_changes import UpdatedAtField
from kingdom.models import Campaign, Kingdom, Knowledge, LedgerEntry, Settlement
from kingdom.models.calendar import dump_calendar
from kingdom.models.calendar_input import CalendarField, CalendarSerializer
from kingdom.models.heraldry import CHARGES, DIVISIONS, SHIELDS, TINCTURE_SLUGS
from kingdom.realms.figures import (
    SWITCHES,
    AttributeField,
    CheckDieField,
    compute_defense,
    derive_figures,
    figure_field,
    get_realm_law,
    list_derived_figures,
    list_realm_laws,
    members_of,
    read_figures,
    sheet_figures,
)
from rules.realm import RHYTHMS, WEEK
from rules.registry import RULESETS

DEFENSE = ("defense", "defense_override")
LEAVE = tuple(choice.value for choice in Permission)


class PlayersMaySerializer(serializers.Serializer):
    """Permissions of players, by kind of action: `free`, `ask` (with the GM's approval) or `no`."""

    def get_fields(self) -> dict[str, serializers.Field]:
        return {kind: serializers.ChoiceField(choices=LEAVE, required=False) for kind in KINDS}


@extend_schema_field(PlayersMaySerializer)
class PlayersMayField(serializers.DictField):
    """JSON field of permissions. The service reports unknown keys."""


class SecrecySerializer(serializers.Serializer):
    """Secrecy settings: the players' information on enemies in battle: `health` (`exact`, `words`), their attack and
    defence figures (`figures`: `shown`, `hidden`), and figures the GM sets by hand (`corrections`: `told`, `bare`).
    """

    def get_fields(self) -> dict[str, serializers.Field]:
        return {
            name: serializers.ChoiceField(choices=tuple(kept.choices), required=False)
            for name, kept in SETTINGS.items()
        }


@extend_schema_field(SecrecySerializer)
class SecrecyField(serializers.DictField):
    """JSON field of secrecy. The service reports unknown keys."""


class CampaignSerializer(serializers.ModelSerializer):
    """A campaign. `calendar` is complete, with defaults filled in; `date` is today in words, `sky` season and moons."""

    role = serializers.SerializerMethodField()
    week = serializers.IntegerField(read_only=True)
    date = SaidField(source="date.text")
    sky = serializers.ListField(child=SaidField(), read_only=True)
    calendar = serializers.SerializerMethodField()
    house_rules = HouseRulesField(required=False)
    players_may = serializers.SerializerMethodField()
    others_known = KnowledgeField(read_only=True)
    met_known = KnowledgeField(Knowledge.NAME, read_only=True)
    secrecy = serializers.SerializerMethodField()

    class Meta:
        model = Campaign
        fields = (
            "id", "name", "ruleset", "day", "week", "date", "sky", "calendar", "house_rules", "players_may",
            "first_steps", "players_share", "others_known", "met_known", "secrecy", "origins", "role",
        )  # fmt: skip

    @extend_schema_field(CalendarSerializer)
    def get_calendar(self, campaign: Campaign) -> dict[str, Any]:
        return dump_calendar(campaign.dates)

    @extend_schema_field(SecrecySerializer)
    def get_secrecy(self, campaign: Campaign) -> dict[str, str]:
        return read_settings(campaign.secrecy)

    @extend_schema_field(PlayersMaySerializer)
    def get_players_may(self, campaign: Campaign) -> dict[str, str]:
        return read_choices(campaign.players_may)

    def get_role(self, campaign: Campaign) -> str:
        return campaign.seat if hasattr(campaign, "seat") else get_role(self._user, campaign) or ""

    @property
    def _user(self) -> Any:
        return self.context["request"].user


class RulesetField(serializers.ChoiceField):
    """The slug of a registered ruleset."""

    def __init__(self, **options: Any):
        super().__init__(choices=tuple(RULESETS), **options)


class CampaignChange(Input):
    """`first_steps`: whether the page shows GMs the checklist until it is done.

    `others_known`: what players know of all other armies; `met_known`: what they know at least of armies theirs have
    met, in a battle or under the fog of the map.
    """

    name = NameField(max_length=NAME_MAX)
    ruleset = RulesetField()
    house_rules = HouseRulesField(required=False)
    calendar = CalendarField(required=False)
    players_may = PlayersMayField(required=False)
    secrecy = SecrecyField(required=False)
    first_steps = serializers.BooleanField(required=False)
    players_share = serializers.BooleanField(
        required=False, help_text="whether who runs a kingdom may make public links to its page"
    )
    others_known = KnowledgeField(required=False)
    met_known = KnowledgeField(Knowledge.NAME, required=False)
    origins = OriginsField(required=False)


class CampaignInput(CampaignChange):
    """`template`: kingdoms, settlements, commanders and armies to begin with, named in the requested language.
    `rules/{ruleset}/` lists the templates of a ruleset.
    """

    template = serializers.CharField(required=False, allow_blank=True, max_length=NAME_MAX)
    origins = None  # type: ignore[assignment]  # only a campaign that exists names some


class UndoInput(Input):
    """`entry`: the chronicle entry to undo; or `after`: the entry after which all is undone. Without either, the latest
    one is undone.
    """

    entry = serializers.UUIDField(required=False)
    after = serializers.UUIDField(required=False)

    def validate(self, given: dict[str, Any]) -> dict[str, Any]:
        if len(given) > 1:
            raise serializers.ValidationError({"after": [_("Send either “entry” or “after”, not both.")]})
        return given


class PartlyTold:
    """Serializer mixin: some fields appear only under some rulesets, or on request."""

    @classmethod
    def untold_sometimes(cls) -> set[str]:
        raise TypeError  # every serializer defines its own


class ArmsSerializer(serializers.Serializer):
    """The arms of a kingdom, by slugs: a metal on a field of colour, a colour on a field of metal.

    `field` is the tincture of the field, `tincture` that of the charge (and of a chief or a bordure).
    """

    shield = serializers.ChoiceField(choices=tuple(SHIELDS), required=False)
    division = serializers.ChoiceField(choices=tuple(DIVISIONS), required=False)
    field = serializers.ChoiceField(choices=TINCTURE_SLUGS, required=False)
    charge = serializers.ChoiceField(choices=tuple(CHARGES), required=False)
    tincture = serializers.ChoiceField(choices=TINCTURE_SLUGS, required=False)


@extend_schema_field(ArmsSerializer)
class ArmsField(serializers.DictField):
    """JSON field of arms. The service reports unknown keys."""


class KingdomSerializer(PartlyTold, serializers.ModelSerializer):
    """A kingdom. Every figure is null for members who may not read its sheet. Everybody sees its arms.

    `without_treasury`: its armies cost nothing, and its ledger takes no entries. `needs_commanders`: they need
    commanders even so.
    """

    players = serializers.ListField(child=serializers.CharField(), read_only=True)
    arms = ArmsField(source="arms_borne", read_only=True)
    updated_at = UpdatedAtField()

    class Meta:
        model = Kingdom
        fields = ("id", "campaign", "name", "treasury", "players", "arms", "updated_at")

    @classmethod
    def untold_sometimes(cls) -> set[str]:
        return {
            name
            for realm in list_realm_laws()
            for name in set(members_of(list_realm_laws())) - set(members_of([realm]))
        }

    def get_field_names(self, declared_fields: Any, info: Any) -> list[str]:
        return [*members_of(list_realm_laws()), "updated_at"]

    def get_extra_kwargs(self) -> dict[str, Any]:
        names = ("alignment", *sheet_figures(), "treasury", *SWITCHES)
        return {name: {"allow_null": True, "read_only": True} for name in names}

    def get_fields(self) -> dict[str, serializers.Field]:
        reckoned = {
            name: serializers.IntegerField(read_only=True, allow_null=True)
            for name in ("districts", *list_derived_figures())
        }
        self._declared_fields = {**type(self)._declared_fields, **reckoned}
        return super().get_fields()

    def to_representation(self, kingdom: Kingdom) -> dict[str, Any]:
        user = self.context["request"].user
        members = members_of([get_realm_law(kingdom.campaign)])
        players = sorted(player.username for player in kingdom.players.all())
        known = {"id": str(kingdom.pk), "campaign": str(kingdom.campaign_id), "arms": kingdom.arms_borne._asdict()}
        known["updated_at"] = self.fields["updated_at"].to_representation(kingdom)
        if not reads_kingdom(user, kingdom):
            return {**dict.fromkeys(members), **known, "name": kingdom.name, "players": players}
        plain = {name: getattr(kingdom, name) for name in members if hasattr(kingdom, name)}
        reckoned = {slug: breakdown.total for slug, breakdown in derive_figures(kingdom).items()}
        return {**plain, **known, **read_figures(kingdom), **reckoned, "players": players}


class KingdomChange(Input):
    """`arms`: the given parts change, others stay; null restores the arms drawn from the name."""

    name = NameField(max_length=NAME_MAX)
    alignment = NameField(max_length=2, required=False)
    arms = ArmsField(required=False, allow_null=True)
    players = serializers.ListField(child=NameField(max_length=150), required=False, max_length=200)
    treasury = WholeField(min_value=-BP_MAX, max_value=BP_MAX, required=False)
    without_treasury = serializers.BooleanField(required=False)
    needs_commanders = serializers.BooleanField(required=False)

    def get_fields(self) -> dict[str, serializers.Field]:
        fields = super().get_fields()
        first = {name: fields.pop(name) for name in ("name", "alignment")}
        return {**first, **{slug: figure_field(figure) for slug, figure in sheet_figures().items()}, **fields}


class KingdomInput(KingdomChange):
    campaign = serializers.UUIDField()


class KingdomPatch(KingdomChange):
    """`reason` appears in the chronicle beside the changes."""

    reason = serializers.CharField(max_length=REASON_MAX, required=False, allow_blank=True)


class LedgerSerializer(serializers.ModelSerializer):
    reason = serializers.SerializerMethodField()
    by = serializers.CharField(source="by.username", default=None, read_only=True, allow_null=True)

    class Meta:
        model = LedgerEntry
        fields = ("id", "seq", "day", "amount", "balance", "reason", "source", "by", "at")

    def get_reason(self, entry: LedgerEntry) -> str:
        return render(load_said(entry.reason))


class LedgerInput(Input):
    amount = WholeField(min_value=-BP_MAX, max_value=BP_MAX)
    reason = NameField(max_length=REASON_MAX)


class PlannedSerializer(serializers.Serializer):
    """Planned income (above 0) or costs in BP, due on the last day of each week or the first of each month, after day
    `since` and up to day `until` (null: for ever).
    """

    id = serializers.CharField(read_only=True)
    name = serializers.CharField(read_only=True)
    amount = serializers.IntegerField(read_only=True)
    every = serializers.ChoiceField(choices=list(RHYTHMS), read_only=True)
    since = serializers.IntegerField(read_only=True)
    until = serializers.IntegerField(read_only=True, allow_null=True)


class PlannedInput(Input):
    """`since`: default today."""

    name = NameField(max_length=REASON_MAX)
    amount = WholeField(min_value=-BP_MAX, max_value=BP_MAX)
    every = serializers.ChoiceField(choices=list(RHYTHMS), default=WEEK)
    since = WholeField(min_value=0, max_value=LAST_DAY, required=False)
    until = WholeField(min_value=0, max_value=LAST_DAY, required=False, allow_null=True)


class CheckInput(OneDieInput):
    """`dice`: the result typed by the user, `14` or `[14]`; without it the server rolls."""

    attribute = AttributeField()
    dc = WholeField(min_value=-ATTRIBUTE_MAX, max_value=ATTRIBUTE_MAX, required=False, allow_null=True)
    dice = serializers.ListField(child=CheckDieField(), required=False, allow_null=True)


class CheckSerializer(serializers.Serializer):
    attribute = serializers.CharField(read_only=True)
    roll = serializers.IntegerField(read_only=True)
    source = serializers.CharField(  # type: ignore[assignment]
        source="die.source", read_only=True, help_text="rolled or typed"
    )
    total = serializers.IntegerField(read_only=True)
    dc = serializers.IntegerField(read_only=True)
    success = serializers.BooleanField(read_only=True)
    breakdown = BreakdownField()


class SettlementSerializer(PartlyTold, serializers.ModelSerializer):
    """A settlement: its districts, buildings and Defense."""

    defense = serializers.SerializerMethodField()
    updated_at = UpdatedAtField()

    class Meta:
        model = Settlement
        fields = ("id", "kingdom", "name", "districts", "buildings", "defense", "defense_override", "updated_at")

    @classmethod
    def untold_sometimes(cls) -> set[str]:
        return set(DEFENSE) if any(realm.defense((), None) is None for realm in list_realm_laws()) else set()

    def get_defense(self, settlement: Settlement) -> int:
        found = compute_defense(settlement)
        return found.total if found else 0

    def to_representation(self, settlement: Settlement) -> dict[str, Any]:
        told = super().to_representation(settlement)
        if compute_defense(settlement) is None:
            return {name: value for name, value in told.items() if name not in DEFENSE}
        return told


class SettlementChange(Input):
    name = NameField(max_length=NAME_MAX)
    districts = WholeField(min_value=1, max_value=DISTRICTS_MAX, required=False)
    buildings = serializers.ListField(child=NameField(max_length=40), required=False)
    defense_override = WholeField(min_value=0, max_value=ATTRIBUTE_MAX, required=False, allow_null=True)


class SettlementInput(SettlementChange):
    kingdom = serializers.UUIDField()
