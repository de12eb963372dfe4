"""Names of enums in the OpenAPI document. All of them end with Enum (tests/config/test_openapi.py)."""

from __future__ import annotations

from typing import Any

ENUM_NAMES: dict[str, Any] = {
    "ArmourWeightEnum": ["very-light", "light", "medium", "heavy", "very-heavy"],
    "ArmyStatusEnum": "armies.models.Army.Status",
    "BattleStatusEnum": "battles.models.Battle.Status",
    "CombatByEngineEnum": ["engine", "table"],
    "CombatByTableEnum": ["table", "gm"],
    "CommanderStatusEnum": "armies.models.Commander.Status",
    "ContingentCharacterEnum": ["hero", "caster", "useful"],
    "CorrectionsToldEnum": ["told", "bare"],
    "DreamOfEnemyEnum": ["list", "deployment"],
    "DeliveryStateEnum": "kingdom.models.DeliveryState",
    "FiguresToldEnum": ["shown", "hidden"],
    "ForecastMethodEnum": "battles.api.serializers.forecast_shapes.METHODS",
    "HealthToldEnum": ["exact", "words"],
    "ImportStepEnum": "kingdom.models.CampaignImport.ImportStep",
    "KnowledgeEnum": "kingdom.api.fields.KNOWLEDGE",
    "LeaderLevelEnum": ["poor", "normal", "great"],
    "LeaveEnum": "kingdom.campaign.serializers.LEAVE",
    "LedgerSourceEnum": "kingdom.models.LedgerEntry.Origin",
    "OpeningOrderEnum": ["attack", "advance", "hold"],
    "OrdersAssumedEnum": "battles.api.serializers.forecast_shapes.ASSUMED",
    "RhythmEnum": "rules.realm.RHYTHMS",
    "RoleEnum": "kingdom.models.Role",
    "ShareKindEnum": "kingdom.sharing.api.KINDS",
    "StandingOrderEnum": ["attack", "advance", "hold", "retreat"],
    "TimeSpanEnum": "armies.weeks.api.SPANS",
    "TinctureEnum": "kingdom.models.heraldry.TINCTURE_SLUGS",
    "TokenKindEnum": ["troop", "character"],
    "TroopKindEnum": ["infantry", "cavalry", "camelry", "chariots", "elephants", "artillery"],
    "WebhookEventEnum": "kingdom.webhooks.api.EVENTS",
    "WebhookHitchEnum": "kingdom.models.WebhookAttempt.Hitch",
    "WebhookShapeEnum": "kingdom.models.Webhook.Shape",
    "WebhookStateEnum": "kingdom.models.WebhookState",
    "WebhookSwitchEnum": "kingdom.webhooks.api.STATES",
    "WorkStateEnum": "battles.models.Job.Status",
}
