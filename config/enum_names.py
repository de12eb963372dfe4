"""Names of choices in the API's document. All of them end with Enum (tests/config/test_openapi.py)."""

from __future__ import annotations

from typing import Any

ENUM_NAMES: dict[str, Any] = {
    "ArmyStatusEnum": "armies.models.Army.Status",
    "BattleStatusEnum": "battles.models.Battle.Status",
    "CombatByEngineEnum": ["engine", "table"],
    "CombatByTableEnum": ["table", "gm"],
    "CommanderStatusEnum": "armies.models.Commander.Status",
    "CorrectionsToldEnum": ["told", "bare"],
    "DeliveryStateEnum": "kingdom.models.DeliveryState",
    "FiguresToldEnum": ["shown", "hidden"],
    "ForecastMethodEnum": "battles.api.serializers.forecast_shapes.METHODS",
    "HealthToldEnum": ["exact", "words"],
    "ImportStepEnum": "kingdom.models.CampaignImport.ImportStep",
    "WorkStateEnum": "battles.models.Job.Status",
    "KnowledgeEnum": "kingdom.api.fields.KNOWLEDGE",
    "LeaderLevelEnum": ["poor", "normal", "great"],
    "LeaveEnum": "kingdom.campaign.serializers.LEAVE",
    "LedgerSourceEnum": "kingdom.models.LedgerEntry.Origin",
    "OpeningOrderEnum": ["attack", "advance", "hold"],
    "OrdersAssumedEnum": "battles.api.serializers.forecast_shapes.ASSUMED",
    "RhythmEnum": "rules.planned.RHYTHMS",
    "RoleEnum": "kingdom.models.Role",
    "ShareKindEnum": "kingdom.sharing.api.KINDS",
    "StandingOrderEnum": ["attack", "advance", "hold", "retreat"],
    "TimeSpanEnum": "armies.weeks.api.SPANS",
    "TinctureEnum": "kingdom.realms.heraldry.TINCTURE_SLUGS",
    "UnitKindEnum": ["troop", "character"],
    "WebhookEventEnum": "kingdom.webhooks.api.EVENTS",
    "WebhookHitchEnum": "kingdom.models.WebhookAttempt.Hitch",
    "WebhookShapeEnum": "kingdom.models.Webhook.Shape",
    "WebhookStateEnum": "kingdom.models.WebhookState",
    "WebhookSwitchEnum": "kingdom.webhooks.api.STATES",
}
