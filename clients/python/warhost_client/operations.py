"""Operations of the API, generated from openapi.yaml by `make client`."""

from __future__ import annotations

from typing import Any, Literal

from warhost_client import types as t
from warhost_client.transport import Transport, fill


class Operations(Transport):
    """One method for each operation of the API, under the name the document gives it."""

    def account_security_list(
        self, *, cursor: str | None = None, limit: int | None = None
    ) -> t.PaginatedSecurityEventList:
        """Read one's own security log. The account's security log of the last 90 days, newest first. A token needs the scope `manage` and must not be limited to one campaign."""
        answer: t.PaginatedSecurityEventList = self.call(
            "GET", fill("/api/v1/account/security/"), query={"cursor": cursor, "limit": limit}
        )
        return answer

    def armies_list(
        self,
        *,
        campaign: str | None = None,
        cursor: str | None = None,
        kingdom: str | None = None,
        limit: int | None = None,
        status: Literal["captured", "defeated", "disbanded", "ready", "routed"] | None = None,
    ) -> t.PaginatedAnyArmyList:
        """Armies whose sheet you may read."""
        answer: t.PaginatedAnyArmyList = self.call(
            "GET",
            fill("/api/v1/armies/"),
            query={"campaign": campaign, "cursor": cursor, "kingdom": kingdom, "limit": limit, "status": status},
        )
        return answer

    def armies_create(
        self, body: t.AnyArmyInputRequest, *, idempotency_key: str | None = None
    ) -> t.AnyArmy | t.ApprovalRequest:
        """Raise an army."""
        answer: t.AnyArmy | t.ApprovalRequest = self.call(
            "POST", fill("/api/v1/armies/"), body=body, idempotency_key=idempotency_key
        )
        return answer

    def armies_foundry_retrieve(self, army_id: str) -> dict[str, Any]:
        """An army as an actor of Foundry."""
        answer: dict[str, Any] = self.call("GET", fill("/api/v1/armies/{army_id}/foundry/", army_id=army_id))
        return answer

    def armies_hidden_create(
        self, army_id: str, body: t.HiddenInputRequest, *, idempotency_key: str | None = None
    ) -> t.ArmyHidden:
        """Hide an army from the other players, or not (GM)."""
        answer: t.ArmyHidden = self.call(
            "POST",
            fill("/api/v1/armies/{army_id}/hidden/", army_id=army_id),
            body=body,
            idempotency_key=idempotency_key,
        )
        return answer

    def armies_mustered_retrieve(self, army_id: str, *, ruleset: str | None = None) -> t.Mustered:
        """What an army would be in a battle by another ruleset, for whoever may read its sheet."""
        answer: t.Mustered = self.call(
            "GET", fill("/api/v1/armies/{army_id}/mustered/", army_id=army_id), query={"ruleset": ruleset}
        )
        return answer

    def armies_place_retrieve(self, army_id: str) -> t.ArmyPlace:
        """Where an army stands, as far as you see it."""
        answer: t.ArmyPlace = self.call("GET", fill("/api/v1/armies/{army_id}/place/", army_id=army_id))
        return answer

    def armies_place_create(
        self, army_id: str, body: t.StandInputRequest, *, idempotency_key: str | None = None
    ) -> t.ArmyPlace:
        """Put an army on a hex (GM); empty: nowhere."""
        answer: t.ArmyPlace = self.call(
            "POST", fill("/api/v1/armies/{army_id}/place/", army_id=army_id), body=body, idempotency_key=idempotency_key
        )
        return answer

    def armies_retrieve(self, id: str) -> t.AnyArmy:
        """An army with its derived figures."""
        answer: t.AnyArmy = self.call("GET", fill("/api/v1/armies/{id}/", id=id))
        return answer

    def armies_partial_update(
        self, id: str, body: t.PatchedAnyArmyChangeRequest | None = None, *, if_match: int | str | None = None
    ) -> t.AnyArmy | t.ApprovalRequest:
        """Change an army."""
        answer: t.AnyArmy | t.ApprovalRequest = self.call(
            "PATCH", fill("/api/v1/armies/{id}/", id=id), body=body, if_match=if_match
        )
        return answer

    def armies_destroy(self, id: str, *, if_match: int | str | None = None) -> None:
        """Strike an army that no battle remembers."""
        self.call("DELETE", fill("/api/v1/armies/{id}/", id=id), if_match=if_match)

    def armies_assign_create(
        self,
        id: str,
        body: t.AssignInputRequest,
        *,
        if_match: int | str | None = None,
        idempotency_key: str | None = None,
    ) -> t.Army | t.ApprovalRequest:
        """Give or take away the command."""
        answer: t.Army | t.ApprovalRequest = self.call(
            "POST",
            fill("/api/v1/armies/{id}/assign/", id=id),
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
        )
        return answer

    def armies_disband_create(
        self,
        id: str,
        body: t.DisbandInputRequest | None = None,
        *,
        if_match: int | str | None = None,
        idempotency_key: str | None = None,
    ) -> t.Disbanded | t.ApprovalRequest:
        """Disband, or say what that would do."""
        answer: t.Disbanded | t.ApprovalRequest = self.call(
            "POST",
            fill("/api/v1/armies/{id}/disband/", id=id),
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
        )
        return answer

    def armies_duplicate_create(
        self,
        id: str,
        body: t.DuplicateInputRequest | None = None,
        *,
        if_match: int | str | None = None,
        idempotency_key: str | None = None,
    ) -> list[t.AnyArmy] | t.ApprovalRequest:
        """Raise more like it."""
        answer: list[t.AnyArmy] | t.ApprovalRequest = self.call(
            "POST",
            fill("/api/v1/armies/{id}/duplicate/", id=id),
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
        )
        return answer

    def armies_halt_create(
        self, id: str, *, if_match: int | str | None = None, idempotency_key: str | None = None
    ) -> t.AnyArmy | t.ApprovalRequest:
        """Halt where it stands today."""
        answer: t.AnyArmy | t.ApprovalRequest = self.call(
            "POST", fill("/api/v1/armies/{id}/halt/", id=id), if_match=if_match, idempotency_key=idempotency_key
        )
        return answer

    def armies_march_retrieve(
        self, id: str, *, days: int | None = None, if_match: int | str | None = None
    ) -> t.MarchingShape:
        """The way it is on, and what it can reach."""
        answer: t.MarchingShape = self.call(
            "GET", fill("/api/v1/armies/{id}/march/", id=id), query={"days": days}, if_match=if_match
        )
        return answer

    def armies_march_create(
        self,
        id: str,
        body: t.AnyMarchInputRequest | None = None,
        *,
        if_match: int | str | None = None,
        idempotency_key: str | None = None,
    ) -> t.Marched | t.ApprovalRequest:
        """Set out, or say what a march would be."""
        answer: t.Marched | t.ApprovalRequest = self.call(
            "POST",
            fill("/api/v1/armies/{id}/march/", id=id),
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
        )
        return answer

    def armies_promote_create(
        self,
        id: str,
        body: t.PromoteInputRequest,
        *,
        if_match: int | str | None = None,
        idempotency_key: str | None = None,
    ) -> t.Army | t.ApprovalRequest:
        """Promote a soldier to command."""
        answer: t.Army | t.ApprovalRequest = self.call(
            "POST",
            fill("/api/v1/armies/{id}/promote/", id=id),
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
        )
        return answer

    def armies_resources_list(self, id: str, *, if_match: int | str | None = None) -> list[t.Offer]:
        """What it may buy, and what is missing."""
        answer: list[t.Offer] = self.call("GET", fill("/api/v1/armies/{id}/resources/", id=id), if_match=if_match)
        return answer

    def armies_resources_create(
        self,
        id: str,
        body: t.BuyInputRequest | None = None,
        *,
        if_match: int | str | None = None,
        idempotency_key: str | None = None,
    ) -> t.Army | t.ApprovalRequest:
        """Buy a resource, or issue one."""
        answer: t.Army | t.ApprovalRequest = self.call(
            "POST",
            fill("/api/v1/armies/{id}/resources/", id=id),
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
        )
        return answer

    def armies_rest_create(
        self,
        id: str,
        body: t.RestInputRequest | None = None,
        *,
        if_match: int | str | None = None,
        idempotency_key: str | None = None,
    ) -> t.Rested | t.ApprovalRequest:
        """Rest a day."""
        answer: t.Rested | t.ApprovalRequest = self.call(
            "POST",
            fill("/api/v1/armies/{id}/rest/", id=id),
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
        )
        return answer

    def armies_tactics_create(
        self,
        id: str,
        body: t.TacticInputRequest,
        *,
        if_match: int | str | None = None,
        idempotency_key: str | None = None,
    ) -> t.Army:
        """Learn or grant a tactic (GM)."""
        answer: t.Army = self.call(
            "POST",
            fill("/api/v1/armies/{id}/tactics/", id=id),
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
        )
        return answer

    def armies_tactics_destroy(
        self, id: str, tactic: str, *, if_match: int | str | None = None
    ) -> t.Army | t.ApprovalRequest:
        """Forget a tactic."""
        answer: t.Army | t.ApprovalRequest = self.call(
            "DELETE", fill("/api/v1/armies/{id}/tactics/{tactic}/", id=id, tactic=tactic), if_match=if_match
        )
        return answer

    def armies_transfer_create(
        self,
        id: str,
        body: t.TransferInputRequest,
        *,
        if_match: int | str | None = None,
        idempotency_key: str | None = None,
    ) -> t.Army | t.ApprovalRequest:
        """Hand a resource to other armies."""
        answer: t.Army | t.ApprovalRequest = self.call(
            "POST",
            fill("/api/v1/armies/{id}/transfer/", id=id),
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
        )
        return answer

    def armies_bulk_create(
        self, body: t.ManyArmiesInputRequest, *, idempotency_key: str | None = None
    ) -> t.ManyArmies | t.ApprovalRequest:
        """Have many armies do one thing: the proposal, or with confirm what was done."""
        answer: t.ManyArmies | t.ApprovalRequest = self.call(
            "POST", fill("/api/v1/armies/bulk/"), body=body, idempotency_key=idempotency_key
        )
        return answer

    def armies_several_create(
        self, body: t.AnySeveralArmiesInputRequest, *, idempotency_key: str | None = None
    ) -> list[t.AnyArmy] | t.ApprovalRequest:
        """Raise several armies."""
        answer: list[t.AnyArmy] | t.ApprovalRequest = self.call(
            "POST", fill("/api/v1/armies/several/"), body=body, idempotency_key=idempotency_key
        )
        return answer

    def arsenal_list(
        self,
        *,
        campaign: str,
        kind: Literal["armours", "machines", "spells", "troops", "unit_types", "weapons"] | None = None,
    ) -> t.ThingPage:
        """What a campaign has of its own. A campaign's own entries. Units name them by slug, as they name entries of the ruleset's tables."""
        answer: t.ThingPage = self.call("GET", fill("/api/v1/arsenal/"), query={"campaign": campaign, "kind": kind})
        return answer

    def arsenal_create(self, body: t.ThingInputRequest, *, idempotency_key: str | None = None) -> t.Thing:
        """Write one (GM). A campaign's own entries. Units name them by slug, as they name entries of the ruleset's tables."""
        answer: t.Thing = self.call("POST", fill("/api/v1/arsenal/"), body=body, idempotency_key=idempotency_key)
        return answer

    def arsenal_retrieve(self, id: str, *, campaign: str) -> t.Thing:
        """One of them. A campaign's own entries. Units name them by slug, as they name entries of the ruleset's tables."""
        answer: t.Thing = self.call("GET", fill("/api/v1/arsenal/{id}/", id=id), query={"campaign": campaign})
        return answer

    def arsenal_destroy(self, id: str, *, campaign: str) -> None:
        """Strike one that nobody uses (GM). A campaign's own entries. Units name them by slug, as they name entries of the ruleset's tables."""
        self.call("DELETE", fill("/api/v1/arsenal/{id}/", id=id), query={"campaign": campaign})

    def auth_token_create(
        self, body: t.TokenInputRequest | None = None, *, idempotency_key: str | None = None
    ) -> t.Token:
        """Get a token. Trade a username and password (HTTP Basic) for a token. Its key is shown here and never again."""
        answer: t.Token = self.call("POST", fill("/api/v1/auth/token/"), body=body, idempotency_key=idempotency_key)
        return answer

    def battles_list(
        self,
        *,
        army: str | None = None,
        campaign: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        status: Literal["aftermath", "closed", "running", "setup"] | None = None,
    ) -> t.PaginatedBattleLineList:
        """Battles of your campaigns."""
        answer: t.PaginatedBattleLineList = self.call(
            "GET",
            fill("/api/v1/battles/"),
            query={"army": army, "campaign": campaign, "cursor": cursor, "limit": limit, "status": status},
        )
        return answer

    def battles_create(self, body: t.BattleInputRequest, *, idempotency_key: str | None = None) -> t.Battle:
        """Open a battle (GM)."""
        answer: t.Battle = self.call("POST", fill("/api/v1/battles/"), body=body, idempotency_key=idempotency_key)
        return answer

    def battles_retrieve(self, id: str, *, pick: list[str] | None = None) -> t.Battle:
        """A battle, as far as you may see it."""
        answer: t.Battle = self.call("GET", fill("/api/v1/battles/{id}/", id=id), query={"pick": pick})
        return answer

    def battles_commands_create(
        self, id: str, body: t.CommandInputRequest, *, if_match: int | str, idempotency_key: str | None = None
    ) -> t.Answer:
        """Give an order, resolve, undo…"""
        answer: t.Answer = self.call(
            "POST",
            fill("/api/v1/battles/{id}/commands/", id=id),
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
        )
        return answer

    def battles_events_retrieve(
        self, id: str, *, after: int | None = None, limit: int | None = None, undone: bool | None = None
    ) -> t.EventPage:
        """What happened, in order."""
        answer: t.EventPage = self.call(
            "GET", fill("/api/v1/battles/{id}/events/", id=id), query={"after": after, "limit": limit, "undone": undone}
        )
        return answer

    def battles_export_retrieve(
        self, id: str, *, as_: Literal["json", "jsonl", "txt"] | None = None
    ) -> bytes | dict[str, Any]:
        """The whole log as a file, in your language, as far as you may know it."""
        answer: bytes | dict[str, Any] = self.call(
            "GET", fill("/api/v1/battles/{id}/export/", id=id), query={"as": as_}
        )
        return answer

    def battles_fairness_retrieve(self, id: str) -> t.Fairness | t.Job:
        """How lucky each side of a battle that is over was, phase by phase, as far as you may know."""
        answer: t.Fairness | t.Job = self.call("GET", fill("/api/v1/battles/{id}/fairness/", id=id))
        return answer

    def battles_forecast_create(
        self, id: str, body: t.ForecastInputRequest | None = None, *, idempotency_key: str | None = None
    ) -> t.Forecast | t.Job:
        """What is to come, as far as you may know."""
        answer: t.Forecast | t.Job = self.call(
            "POST", fill("/api/v1/battles/{id}/forecast/", id=id), body=body, idempotency_key=idempotency_key
        )
        return answer

    def battles_opponents_retrieve(self, id: str) -> t.Opponents:
        """Who commands which side, and what the engine would order (GM)."""
        answer: t.Opponents = self.call("GET", fill("/api/v1/battles/{id}/opponents/", id=id))
        return answer

    def battles_opponents_create(
        self, id: str, body: t.SetHeadInputRequest, *, idempotency_key: str | None = None
    ) -> t.Opponents:
        """Let the engine command a side, or people (GM)."""
        answer: t.Opponents = self.call(
            "POST", fill("/api/v1/battles/{id}/opponents/", id=id), body=body, idempotency_key=idempotency_key
        )
        return answer

    def battles_opponents_orders_create(
        self, id: str, body: t.WhichSideInputRequest, *, if_match: int | str, idempotency_key: str | None = None
    ) -> t.GivenByEngine:
        """Give a side what the engine proposes for it (GM)."""
        answer: t.GivenByEngine = self.call(
            "POST",
            fill("/api/v1/battles/{id}/opponents/orders/", id=id),
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
        )
        return answer

    def battles_opponents_pause_create(
        self, id: str, body: t.PauseInputRequest, *, idempotency_key: str | None = None
    ) -> t.Opponents:
        """Pause the engine where sides take turns, or let it go on (GM)."""
        answer: t.Opponents = self.call(
            "POST", fill("/api/v1/battles/{id}/opponents/pause/", id=id), body=body, idempotency_key=idempotency_key
        )
        return answer

    def battles_remind_create(self, id: str, *, idempotency_key: str | None = None) -> t.Reminded:
        """Remind the players a battle waits for, once an hour (GM)."""
        answer: t.Reminded = self.call(
            "POST", fill("/api/v1/battles/{id}/remind/", id=id), idempotency_key=idempotency_key
        )
        return answer

    def battles_replay_retrieve(self, id: str) -> t.Replay:
        """The whole log, decided again from the recorded dice."""
        answer: t.Replay = self.call("GET", fill("/api/v1/battles/{id}/replay/", id=id))
        return answer

    def campaigns_list(
        self, *, cursor: str | None = None, limit: int | None = None, ruleset: str | None = None
    ) -> t.PaginatedCampaignList:
        """Your campaigns."""
        answer: t.PaginatedCampaignList = self.call(
            "GET", fill("/api/v1/campaigns/"), query={"cursor": cursor, "limit": limit, "ruleset": ruleset}
        )
        return answer

    def campaigns_create(self, body: t.CampaignInputRequest, *, idempotency_key: str | None = None) -> t.Campaign:
        """Open a campaign."""
        answer: t.Campaign = self.call("POST", fill("/api/v1/campaigns/"), body=body, idempotency_key=idempotency_key)
        return answer

    def campaigns_advance_create(
        self,
        campaign_id: str,
        body: t.AdvanceInputRequest | None = None,
        *,
        if_match: int | str | None = None,
        idempotency_key: str | None = None,
    ) -> t.Advanced:
        """Let days pass: the proposal, or with confirm its chronicle entry (GM)."""
        answer: t.Advanced = self.call(
            "POST",
            fill("/api/v1/campaigns/{campaign_id}/advance/", campaign_id=campaign_id),
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
        )
        return answer

    def campaigns_due_list(self, campaign_id: str) -> list[t.DueLine]:
        """What falls due in the kingdoms you may read."""
        answer: list[t.DueLine] = self.call(
            "GET", fill("/api/v1/campaigns/{campaign_id}/due/", campaign_id=campaign_id)
        )
        return answer

    def campaigns_insights_list(
        self, campaign_id: str, *, cursor: str | None = None, limit: int | None = None
    ) -> t.PaginatedInsightList:
        """Spies and allies (GM)."""
        answer: t.PaginatedInsightList = self.call(
            "GET",
            fill("/api/v1/campaigns/{campaign_id}/insights/", campaign_id=campaign_id),
            query={"cursor": cursor, "limit": limit},
        )
        return answer

    def campaigns_insights_create(
        self, campaign_id: str, body: t.InsightInputRequest, *, idempotency_key: str | None = None
    ) -> t.Insight:
        """Let a kingdom know of armies (GM)."""
        answer: t.Insight = self.call(
            "POST",
            fill("/api/v1/campaigns/{campaign_id}/insights/", campaign_id=campaign_id),
            body=body,
            idempotency_key=idempotency_key,
        )
        return answer

    def campaigns_known_armies_list(
        self, campaign_id: str, *, cursor: str | None = None, limit: int | None = None
    ) -> t.PaginatedKnownArmyList:
        """Armies, as far as you know of them."""
        answer: t.PaginatedKnownArmyList = self.call(
            "GET",
            fill("/api/v1/campaigns/{campaign_id}/known-armies/", campaign_id=campaign_id),
            query={"cursor": cursor, "limit": limit},
        )
        return answer

    def campaigns_map_retrieve(self, campaign_id: str) -> t.CampaignMap:
        """The campaign's map, as far as you see it."""
        answer: t.CampaignMap = self.call("GET", fill("/api/v1/campaigns/{campaign_id}/map/", campaign_id=campaign_id))
        return answer

    def campaigns_map_update(
        self, campaign_id: str, body: t.MapDocumentRequest, *, if_match: int | str | None = None
    ) -> t.CampaignMap:
        """Make or replace the map (GM): its document, with claims if they change."""
        answer: t.CampaignMap = self.call(
            "PUT", fill("/api/v1/campaigns/{campaign_id}/map/", campaign_id=campaign_id), body=body, if_match=if_match
        )
        return answer

    def campaigns_map_partial_update(
        self, campaign_id: str, body: t.PatchedMapRulesInputRequest | None = None
    ) -> t.CampaignMap:
        """Change the map's rules (GM)."""
        answer: t.CampaignMap = self.call(
            "PATCH", fill("/api/v1/campaigns/{campaign_id}/map/", campaign_id=campaign_id), body=body
        )
        return answer

    def campaigns_map_claims_create(
        self, campaign_id: str, body: t.ClaimInputRequest, *, idempotency_key: str | None = None
    ) -> t.CampaignMap:
        """Draw a border (GM)."""
        answer: t.CampaignMap = self.call(
            "POST",
            fill("/api/v1/campaigns/{campaign_id}/map/claims/", campaign_id=campaign_id),
            body=body,
            idempotency_key=idempotency_key,
        )
        return answer

    def campaigns_maps_list(
        self, campaign_id: str, *, cursor: str | None = None, limit: int | None = None
    ) -> t.PaginatedBattleMapLineList:
        """Battle maps the campaign keeps. The campaign's library of battle maps. Members read it, the GM changes it."""
        answer: t.PaginatedBattleMapLineList = self.call(
            "GET",
            fill("/api/v1/campaigns/{campaign_id}/maps/", campaign_id=campaign_id),
            query={"cursor": cursor, "limit": limit},
        )
        return answer

    def campaigns_maps_create(
        self, campaign_id: str, body: t.BattleMapInputRequest | None = None, *, idempotency_key: str | None = None
    ) -> t.BattleMap:
        """Keep a battle map (GM). The campaign's library of battle maps. Members read it, the GM changes it."""
        answer: t.BattleMap = self.call(
            "POST",
            fill("/api/v1/campaigns/{campaign_id}/maps/", campaign_id=campaign_id),
            body=body,
            idempotency_key=idempotency_key,
        )
        return answer

    def campaigns_maps_retrieve(self, campaign_id: str, map: str) -> t.BattleMap:
        """A battle map. The campaign's library of battle maps. Members read it, the GM changes it."""
        answer: t.BattleMap = self.call(
            "GET", fill("/api/v1/campaigns/{campaign_id}/maps/{map}/", campaign_id=campaign_id, map=map)
        )
        return answer

    def campaigns_maps_partial_update(
        self,
        campaign_id: str,
        map: str,
        body: t.PatchedBattleMapChangeRequest | None = None,
        *,
        if_match: int | str | None = None,
    ) -> t.BattleMap:
        """Rename a battle map (GM). The campaign's library of battle maps. Members read it, the GM changes it."""
        answer: t.BattleMap = self.call(
            "PATCH",
            fill("/api/v1/campaigns/{campaign_id}/maps/{map}/", campaign_id=campaign_id, map=map),
            body=body,
            if_match=if_match,
        )
        return answer

    def campaigns_maps_destroy(self, campaign_id: str, map: str, *, if_match: int | str | None = None) -> None:
        """Delete a battle map; undo brings it back (GM). The campaign's library of battle maps. Members read it, the GM changes it."""
        self.call(
            "DELETE",
            fill("/api/v1/campaigns/{campaign_id}/maps/{map}/", campaign_id=campaign_id, map=map),
            if_match=if_match,
        )

    def pictures_list(self, campaign_id: str) -> t.PictureList:
        """Pictures you may see. The pictures of a campaign."""
        answer: t.PictureList = self.call(
            "GET", fill("/api/v1/campaigns/{campaign_id}/pictures/", campaign_id=campaign_id)
        )
        return answer

    def campaigns_pictures_retrieve(
        self, campaign_id: str, kind: Literal["army", "commander", "kingdom", "unit"], thing: str
    ) -> bytes:
        """The picture of a thing. The picture of one object."""
        answer: bytes = self.call(
            "GET",
            fill(
                "/api/v1/campaigns/{campaign_id}/pictures/{kind}/{thing}/",
                campaign_id=campaign_id,
                kind=kind,
                thing=thing,
            ),
        )
        return answer

    def campaigns_pictures_update(
        self, campaign_id: str, kind: Literal["army", "commander", "kingdom", "unit"], thing: str, file: bytes
    ) -> t.Picture:
        """Upload the picture of a thing. The picture of one object."""
        answer: t.Picture = self.call(
            "PUT",
            fill(
                "/api/v1/campaigns/{campaign_id}/pictures/{kind}/{thing}/",
                campaign_id=campaign_id,
                kind=kind,
                thing=thing,
            ),
            file=file,
        )
        return answer

    def campaigns_pictures_destroy(
        self, campaign_id: str, kind: Literal["army", "commander", "kingdom", "unit"], thing: str
    ) -> None:
        """Remove the picture of a thing. The picture of one object."""
        self.call(
            "DELETE",
            fill(
                "/api/v1/campaigns/{campaign_id}/pictures/{kind}/{thing}/",
                campaign_id=campaign_id,
                kind=kind,
                thing=thing,
            ),
        )

    def campaigns_shares_list(
        self, campaign_id: str, *, cursor: str | None = None, limit: int | None = None
    ) -> t.PaginatedShareLinkList:
        """Share links. Share links of a campaign that are not revoked: all for the GM, their own for others."""
        answer: t.PaginatedShareLinkList = self.call(
            "GET",
            fill("/api/v1/campaigns/{campaign_id}/shares/", campaign_id=campaign_id),
            query={"cursor": cursor, "limit": limit},
        )
        return answer

    def campaigns_shares_create(
        self, campaign_id: str, body: t.ShareLinkInputRequest, *, idempotency_key: str | None = None
    ) -> t.ShareLink:
        """Make a share link. Share links of a campaign that are not revoked: all for the GM, their own for others."""
        answer: t.ShareLink = self.call(
            "POST",
            fill("/api/v1/campaigns/{campaign_id}/shares/", campaign_id=campaign_id),
            body=body,
            idempotency_key=idempotency_key,
        )
        return answer

    def campaigns_shares_destroy(self, campaign_id: str, share: str) -> None:
        """Revoke a share link. Share links of a campaign that are not revoked: all for the GM, their own for others."""
        self.call(
            "DELETE", fill("/api/v1/campaigns/{campaign_id}/shares/{share}/", campaign_id=campaign_id, share=share)
        )

    def campaigns_webhooks_list(
        self, campaign_id: str, *, cursor: str | None = None, limit: int | None = None
    ) -> t.PaginatedWebhookList:
        """Webhooks of a campaign (GM)."""
        answer: t.PaginatedWebhookList = self.call(
            "GET",
            fill("/api/v1/campaigns/{campaign_id}/webhooks/", campaign_id=campaign_id),
            query={"cursor": cursor, "limit": limit},
        )
        return answer

    def campaigns_webhooks_create(
        self, campaign_id: str, body: t.WebhookInputRequest, *, idempotency_key: str | None = None
    ) -> t.Webhook:
        """Make a webhook (GM)."""
        answer: t.Webhook = self.call(
            "POST",
            fill("/api/v1/campaigns/{campaign_id}/webhooks/", campaign_id=campaign_id),
            body=body,
            idempotency_key=idempotency_key,
        )
        return answer

    def campaigns_week_retrieve(self, campaign_id: str) -> t.Week:
        """What was chosen for the running week (GM)."""
        answer: t.Week = self.call("GET", fill("/api/v1/campaigns/{campaign_id}/week/", campaign_id=campaign_id))
        return answer

    def campaigns_week_partial_update(self, campaign_id: str, body: t.PatchedWeekInputRequest | None = None) -> t.Week:
        """Choose, or choose anew, what holds until it ends (GM)."""
        answer: t.Week = self.call(
            "PATCH", fill("/api/v1/campaigns/{campaign_id}/week/", campaign_id=campaign_id), body=body
        )
        return answer

    def campaigns_retrieve(self, id: str) -> t.Campaign:
        """A campaign."""
        answer: t.Campaign = self.call("GET", fill("/api/v1/campaigns/{id}/", id=id))
        return answer

    def campaigns_partial_update(
        self, id: str, body: t.PatchedCampaignChangeRequest | None = None, *, if_match: int | str | None = None
    ) -> t.Campaign:
        """Change a campaign."""
        answer: t.Campaign = self.call("PATCH", fill("/api/v1/campaigns/{id}/", id=id), body=body, if_match=if_match)
        return answer

    def campaigns_destroy(self, id: str, *, if_match: int | str | None = None) -> None:
        """Delete a campaign; for seven days it can be restored (owner)."""
        self.call("DELETE", fill("/api/v1/campaigns/{id}/", id=id), if_match=if_match)

    def campaigns_chronicle_list(
        self,
        id: str,
        *,
        army: str | None = None,
        commander: str | None = None,
        cursor: str | None = None,
        from_: int | None = None,
        kind: Literal["army", "battle", "kingdom", "other", "week"] | None = None,
        kingdom: str | None = None,
        limit: int | None = None,
        to: int | None = None,
    ) -> t.PaginatedChronicleList:
        """What happened, newest first."""
        answer: t.PaginatedChronicleList = self.call(
            "GET",
            fill("/api/v1/campaigns/{id}/chronicle/", id=id),
            query={
                "army": army,
                "commander": commander,
                "cursor": cursor,
                "from": from_,
                "kind": kind,
                "kingdom": kingdom,
                "limit": limit,
                "to": to,
            },
        )
        return answer

    def campaigns_export_retrieve(self, id: str, *, members: Literal["false", "true"] | None = None) -> dict[str, Any]:
        """A campaign as one document, to be brought in elsewhere (GM)."""
        answer: dict[str, Any] = self.call(
            "GET", fill("/api/v1/campaigns/{id}/export/", id=id), query={"members": members}
        )
        return answer

    def campaigns_foundry_create(
        self, id: str, body: t.ActorsInputRequest, *, idempotency_key: str | None = None
    ) -> t.Bringing:
        """Bring actors of Foundry in (GM): the proposal, or with confirm what was done."""
        answer: t.Bringing = self.call(
            "POST", fill("/api/v1/campaigns/{id}/foundry/", id=id), body=body, idempotency_key=idempotency_key
        )
        return answer

    def campaigns_invitations_list(
        self, id: str, *, cursor: str | None = None, limit: int | None = None
    ) -> t.PaginatedInvitationList:
        """Invitation links."""
        answer: t.PaginatedInvitationList = self.call(
            "GET", fill("/api/v1/campaigns/{id}/invitations/", id=id), query={"cursor": cursor, "limit": limit}
        )
        return answer

    def campaigns_invitations_create(
        self, id: str, body: t.InviteInputRequest, *, idempotency_key: str | None = None
    ) -> t.Invitation:
        """Make an invitation link."""
        answer: t.Invitation = self.call(
            "POST", fill("/api/v1/campaigns/{id}/invitations/", id=id), body=body, idempotency_key=idempotency_key
        )
        return answer

    def campaigns_invitations_destroy(self, id: str, invitation: str) -> None:
        """Revoke an invitation link."""
        self.call("DELETE", fill("/api/v1/campaigns/{id}/invitations/{invitation}/", id=id, invitation=invitation))

    def campaigns_map_land_create(
        self, id: str, body: t.LandInputRequest, *, idempotency_key: str | None = None
    ) -> t.MapDocument | t.MapLaid:
        """A land from a seed: its document; with `confirm` it is the campaign's map (GM). Where it becomes the map, `told` says what was done, and which armies left the map with it."""
        answer: t.MapDocument | t.MapLaid = self.call(
            "POST", fill("/api/v1/campaigns/{id}/map/land/", id=id), body=body, idempotency_key=idempotency_key
        )
        return answer

    def campaigns_map_picture_retrieve(self, id: str, *, as_: Literal["png", "svg"] | None = None) -> bytes:
        """The map as you see it, as a picture."""
        answer: bytes = self.call("GET", fill("/api/v1/campaigns/{id}/map/picture/", id=id), query={"as": as_})
        return answer

    def campaigns_map_strokes_create(
        self, id: str, body: t.MapStrokeRequest, *, idempotency_key: str | None = None
    ) -> t.Stroke:
        """Paint the map: one stroke (GM). Commands `paint`, `raise`, `edge`, `road`, `river`, `label`, `claim`, `resize`, `load_map` and `generate_map`. A stroke is painted on the map as it is when its turn comes."""
        answer: t.Stroke = self.call(
            "POST", fill("/api/v1/campaigns/{id}/map/strokes/", id=id), body=body, idempotency_key=idempotency_key
        )
        return answer

    def campaigns_map_strokes_undo_create(self, id: str, *, idempotency_key: str | None = None) -> t.Stroke:
        """Take back your latest stroke (GM)."""
        answer: t.Stroke = self.call(
            "POST", fill("/api/v1/campaigns/{id}/map/strokes/undo/", id=id), idempotency_key=idempotency_key
        )
        return answer

    def campaigns_members_list(
        self, id: str, *, cursor: str | None = None, limit: int | None = None
    ) -> t.PaginatedMemberList:
        """Who sits at the table."""
        answer: t.PaginatedMemberList = self.call(
            "GET", fill("/api/v1/campaigns/{id}/members/", id=id), query={"cursor": cursor, "limit": limit}
        )
        return answer

    def campaigns_members_partial_update(
        self, id: str, user: str, body: t.PatchedRoleInputRequest | None = None
    ) -> t.Member:
        """Give a member another role."""
        answer: t.Member = self.call(
            "PATCH", fill("/api/v1/campaigns/{id}/members/{user}/", id=id, user=user), body=body
        )
        return answer

    def campaigns_members_destroy(self, id: str, user: str) -> None:
        """Take a seat away, or leave."""
        self.call("DELETE", fill("/api/v1/campaigns/{id}/members/{user}/", id=id, user=user))

    def campaigns_offer_create(self, id: str, body: t.OfferInputRequest, *, idempotency_key: str | None = None) -> None:
        """Offer the campaign to a member (owner)."""
        self.call("POST", fill("/api/v1/campaigns/{id}/offer/", id=id), body=body, idempotency_key=idempotency_key)

    def campaigns_offer_destroy(self, id: str) -> None:
        """Take the offer back, or decline it."""
        self.call("DELETE", fill("/api/v1/campaigns/{id}/offer/", id=id))

    def campaigns_offer_accept_create(self, id: str, *, idempotency_key: str | None = None) -> t.Campaign:
        """Accept the campaign that is offered to you."""
        answer: t.Campaign = self.call(
            "POST", fill("/api/v1/campaigns/{id}/offer/accept/", id=id), idempotency_key=idempotency_key
        )
        return answer

    def campaigns_restore_create(self, id: str, *, idempotency_key: str | None = None) -> t.Campaign:
        """Restore a deleted campaign (owner)."""
        answer: t.Campaign = self.call(
            "POST", fill("/api/v1/campaigns/{id}/restore/", id=id), idempotency_key=idempotency_key
        )
        return answer

    def campaigns_story_retrieve(
        self,
        id: str,
        *,
        army: str | None = None,
        commander: str | None = None,
        cursor: str | None = None,
        from_: int | None = None,
        kind: Literal["army", "battle", "kingdom", "note", "other", "week"] | None = None,
        kingdom: str | None = None,
        limit: int | None = None,
        order: Literal["latest"] | None = None,
        to: int | None = None,
        undone: bool | None = None,
    ) -> t.StoryPage:
        """The story of the war, day by day."""
        answer: t.StoryPage = self.call(
            "GET",
            fill("/api/v1/campaigns/{id}/story/", id=id),
            query={
                "army": army,
                "commander": commander,
                "cursor": cursor,
                "from": from_,
                "kind": kind,
                "kingdom": kingdom,
                "limit": limit,
                "order": order,
                "to": to,
                "undone": undone,
            },
        )
        return answer

    def campaigns_story_chapters_retrieve(self, id: str, *, page: int | None = None) -> t.StoryChapters:
        """The story of the war in prose, season by season."""
        answer: t.StoryChapters = self.call(
            "GET", fill("/api/v1/campaigns/{id}/story/chapters/", id=id), query={"page": page}
        )
        return answer

    def campaigns_story_document_retrieve(
        self,
        id: str,
        *,
        army: str | None = None,
        commander: str | None = None,
        from_: int | None = None,
        kind: Literal["army", "battle", "kingdom", "note", "other", "week"] | None = None,
        kingdom: str | None = None,
        order: Literal["latest"] | None = None,
        to: int | None = None,
        undone: bool | None = None,
    ) -> bytes:
        """The story as one document in Markdown."""
        answer: bytes = self.call(
            "GET",
            fill("/api/v1/campaigns/{id}/story/document/", id=id),
            query={
                "army": army,
                "commander": commander,
                "from": from_,
                "kind": kind,
                "kingdom": kingdom,
                "order": order,
                "to": to,
                "undone": undone,
            },
        )
        return answer

    def campaigns_tables_retrieve(
        self, id: str, table: Literal["armies", "commanders", "spells", "units", "weapons"]
    ) -> bytes:
        """Armies whose sheet you may read, or unit types, as CSV."""
        answer: bytes = self.call("GET", fill("/api/v1/campaigns/{id}/tables/{table}/", id=id, table=table))
        return answer

    def campaigns_tables_create(
        self,
        id: str,
        table: Literal["armies", "commanders", "spells", "units", "weapons"],
        body: t.TableInputRequest,
        *,
        idempotency_key: str | None = None,
    ) -> t.Bringing | t.ApprovalRequest:
        """Bring armies, unit types or commanders in as CSV: the proposal, or with confirm what was done."""
        answer: t.Bringing | t.ApprovalRequest = self.call(
            "POST",
            fill("/api/v1/campaigns/{id}/tables/{table}/", id=id, table=table),
            body=body,
            idempotency_key=idempotency_key,
        )
        return answer

    def campaigns_undo_create(
        self, id: str, body: t.UndoInputRequest | None = None, *, idempotency_key: str | None = None
    ) -> t.Chronicle:
        """Undo the last world change, the entry named, or all after an entry (GM)."""
        answer: t.Chronicle = self.call(
            "POST", fill("/api/v1/campaigns/{id}/undo/", id=id), body=body, idempotency_key=idempotency_key
        )
        return answer

    def campaigns_import_create(
        self, body: dict[str, Any], *, idempotency_key: str | None = None
    ) -> t.BroughtIn | t.Import:
        """Bring in a campaign from its document; whoever does is its GM."""
        answer: t.BroughtIn | t.Import = self.call(
            "POST", fill("/api/v1/campaigns/import/"), body=body, idempotency_key=idempotency_key
        )
        return answer

    def campaigns_import_retrieve(self, import_id: str) -> t.Import:
        """How far a campaign that is brought in is, and what came of it. A running import. Only the user who started it may read it; it is kept for a day."""
        answer: t.Import = self.call("GET", fill("/api/v1/campaigns/import/{import_id}/", import_id=import_id))
        return answer

    def campaigns_import_destroy(self, import_id: str) -> None:
        """Stop it: nothing is brought in then. A running import. Only the user who started it may read it; it is kept for a day."""
        self.call("DELETE", fill("/api/v1/campaigns/import/{import_id}/", import_id=import_id))

    def commanders_list(
        self,
        *,
        campaign: str | None = None,
        cursor: str | None = None,
        kingdom: str | None = None,
        limit: int | None = None,
        status: Literal["captured", "free", "killed"] | None = None,
    ) -> t.PaginatedAnyCommanderList:
        """Commanders you may read."""
        answer: t.PaginatedAnyCommanderList = self.call(
            "GET",
            fill("/api/v1/commanders/"),
            query={"campaign": campaign, "cursor": cursor, "kingdom": kingdom, "limit": limit, "status": status},
        )
        return answer

    def commanders_create(
        self, body: t.AnyCommanderInputRequest, *, idempotency_key: str | None = None
    ) -> t.AnyCommander | t.ApprovalRequest:
        """Appoint a commander."""
        answer: t.AnyCommander | t.ApprovalRequest = self.call(
            "POST", fill("/api/v1/commanders/"), body=body, idempotency_key=idempotency_key
        )
        return answer

    def commanders_retrieve(self, id: str) -> t.AnyCommander:
        """A commander with his derived figures."""
        answer: t.AnyCommander = self.call("GET", fill("/api/v1/commanders/{id}/", id=id))
        return answer

    def commanders_partial_update(
        self, id: str, body: t.PatchedAnyCommanderChangeRequest | None = None, *, if_match: int | str | None = None
    ) -> t.AnyCommander | t.ApprovalRequest:
        """Change a commander."""
        answer: t.AnyCommander | t.ApprovalRequest = self.call(
            "PATCH", fill("/api/v1/commanders/{id}/", id=id), body=body, if_match=if_match
        )
        return answer

    def commanders_destroy(self, id: str, *, if_match: int | str | None = None) -> None:
        """Strike a commander from the rolls (GM)."""
        self.call("DELETE", fill("/api/v1/commanders/{id}/", id=id), if_match=if_match)

    def commanders_boons_create(
        self,
        id: str,
        body: t.BoonInputRequest,
        *,
        if_match: int | str | None = None,
        idempotency_key: str | None = None,
    ) -> t.Commander | t.ApprovalRequest:
        """Learn a boon."""
        answer: t.Commander | t.ApprovalRequest = self.call(
            "POST",
            fill("/api/v1/commanders/{id}/boons/", id=id),
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
        )
        return answer

    def commanders_ransom_create(
        self, id: str, *, if_match: int | str | None = None, idempotency_key: str | None = None
    ) -> t.Commander | t.ApprovalRequest:
        """Pay a captive's ransom from the treasury."""
        answer: t.Commander | t.ApprovalRequest = self.call(
            "POST", fill("/api/v1/commanders/{id}/ransom/", id=id), if_match=if_match, idempotency_key=idempotency_key
        )
        return answer

    def find_retrieve(
        self,
        *,
        q: str,
        campaign: str | None = None,
        kind: Literal["army", "battle", "campaign", "commander", "glimpse", "kingdom", "note", "rule", "settlement"]
        | None = None,
    ) -> t.Find:
        """Everything by that name that you may see, in all your campaigns."""
        answer: t.Find = self.call("GET", fill("/api/v1/find/"), query={"campaign": campaign, "kind": kind, "q": q})
        return answer

    def forecast_create(
        self, body: t.SupposedInputRequest, *, idempotency_key: str | None = None
    ) -> t.Forecast | t.Job:
        """What would become of a battle. A hypothetical battle of armies that you may read, by their ids, and of others as you describe them."""
        answer: t.Forecast | t.Job = self.call(
            "POST", fill("/api/v1/forecast/"), body=body, idempotency_key=idempotency_key
        )
        return answer

    def forecast_sweep_create(
        self, body: t.SweepInputRequest | None = None, *, idempotency_key: str | None = None
    ) -> t.Job:
        """Odds of many armies. `army` against each of `against`, or with `every` each of `against` against every other. An army is an id, or a description as in POST forecast/, then identified by its `name`. Without `against`: all armies of `campaign` whose sheets you may read. `conditions` are those of the whole field."""
        answer: t.Job = self.call("POST", fill("/api/v1/forecast/sweep/"), body=body, idempotency_key=idempotency_key)
        return answer

    def jobs_retrieve(self, id: str) -> t.Job:
        """How far it got, and what came of it. Work that takes longer than a request. Only whoever started it can read it. It is kept for a day."""
        answer: t.Job = self.call("GET", fill("/api/v1/jobs/{id}/", id=id))
        return answer

    def jobs_destroy(self, id: str) -> None:
        """Stop it. Work that takes longer than a request. Only whoever started it can read it. It is kept for a day."""
        self.call("DELETE", fill("/api/v1/jobs/{id}/", id=id))

    def kingdoms_list(
        self, *, campaign: str | None = None, cursor: str | None = None, limit: int | None = None
    ) -> t.PaginatedKingdomList:
        """Kingdoms of your campaigns."""
        answer: t.PaginatedKingdomList = self.call(
            "GET", fill("/api/v1/kingdoms/"), query={"campaign": campaign, "cursor": cursor, "limit": limit}
        )
        return answer

    def kingdoms_create(self, body: t.KingdomInputRequest, *, idempotency_key: str | None = None) -> t.Kingdom:
        """Found a kingdom."""
        answer: t.Kingdom = self.call("POST", fill("/api/v1/kingdoms/"), body=body, idempotency_key=idempotency_key)
        return answer

    def kingdoms_foundry_retrieve(self, kingdom_id: str) -> dict[str, Any]:
        """A kingdom as an actor of Foundry."""
        answer: dict[str, Any] = self.call("GET", fill("/api/v1/kingdoms/{kingdom_id}/foundry/", kingdom_id=kingdom_id))
        return answer

    def kingdoms_outlook_retrieve(self, kingdom_id: str) -> t.Outlook:
        """The treasury past and to come, and what a defeat would cost."""
        answer: t.Outlook = self.call("GET", fill("/api/v1/kingdoms/{kingdom_id}/outlook/", kingdom_id=kingdom_id))
        return answer

    def kingdoms_retrieve(self, id: str) -> t.Kingdom:
        """A kingdom."""
        answer: t.Kingdom = self.call("GET", fill("/api/v1/kingdoms/{id}/", id=id))
        return answer

    def kingdoms_partial_update(
        self, id: str, body: t.PatchedKingdomPatchRequest | None = None, *, if_match: int | str | None = None
    ) -> t.Kingdom | t.ApprovalRequest:
        """Change a kingdom."""
        answer: t.Kingdom | t.ApprovalRequest = self.call(
            "PATCH", fill("/api/v1/kingdoms/{id}/", id=id), body=body, if_match=if_match
        )
        return answer

    def kingdoms_destroy(self, id: str, *, if_match: int | str | None = None) -> None:
        """Dissolve a kingdom; undoing its entry brings it back."""
        self.call("DELETE", fill("/api/v1/kingdoms/{id}/", id=id), if_match=if_match)

    def kingdoms_check_create(
        self, id: str, body: t.CheckInputRequest, *, idempotency_key: str | None = None
    ) -> t.Check:
        """Roll a kingdom check."""
        answer: t.Check = self.call(
            "POST", fill("/api/v1/kingdoms/{id}/check/", id=id), body=body, idempotency_key=idempotency_key
        )
        return answer

    def kingdoms_ledger_list(
        self,
        id: str,
        *,
        cursor: str | None = None,
        direction: Literal["in", "out"] | None = None,
        limit: int | None = None,
        since: int | None = None,
        source: Literal["battle", "manual", "opening", "other", "planned", "purchase", "ransom", "sale", "undo", "week"]
        | None = None,
        until: int | None = None,
    ) -> t.PaginatedLedgerList:
        """The treasury, entry by entry."""
        answer: t.PaginatedLedgerList = self.call(
            "GET",
            fill("/api/v1/kingdoms/{id}/ledger/", id=id),
            query={
                "cursor": cursor,
                "direction": direction,
                "limit": limit,
                "since": since,
                "source": source,
                "until": until,
            },
        )
        return answer

    def kingdoms_ledger_create(
        self, id: str, body: t.LedgerInputRequest, *, idempotency_key: str | None = None
    ) -> t.Ledger | t.ApprovalRequest:
        """Record BP gained or paid."""
        answer: t.Ledger | t.ApprovalRequest = self.call(
            "POST", fill("/api/v1/kingdoms/{id}/ledger/", id=id), body=body, idempotency_key=idempotency_key
        )
        return answer

    def kingdoms_planned_list(self, id: str) -> list[t.Planned]:
        """Planned income and costs."""
        answer: list[t.Planned] = self.call("GET", fill("/api/v1/kingdoms/{id}/planned/", id=id))
        return answer

    def kingdoms_planned_create(
        self, id: str, body: t.PlannedInputRequest, *, idempotency_key: str | None = None
    ) -> t.Planned | t.ApprovalRequest:
        """Plan a line."""
        answer: t.Planned | t.ApprovalRequest = self.call(
            "POST", fill("/api/v1/kingdoms/{id}/planned/", id=id), body=body, idempotency_key=idempotency_key
        )
        return answer

    def kingdoms_planned_partial_update(
        self, id: str, line: str, body: t.PatchedPlannedInputRequest | None = None
    ) -> t.Planned | t.ApprovalRequest:
        """Plan a line otherwise."""
        answer: t.Planned | t.ApprovalRequest = self.call(
            "PATCH", fill("/api/v1/kingdoms/{id}/planned/{line}/", id=id, line=line), body=body
        )
        return answer

    def kingdoms_planned_destroy(self, id: str, line: str) -> t.ApprovalRequest | None:
        """Strike a planned line."""
        answer: t.ApprovalRequest | None = self.call(
            "DELETE", fill("/api/v1/kingdoms/{id}/planned/{line}/", id=id, line=line)
        )
        return answer

    def notes_list(
        self,
        *,
        about: str | None = None,
        campaign: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        mentions: str | None = None,
    ) -> t.PaginatedNoteList:
        """Notes you may read."""
        answer: t.PaginatedNoteList = self.call(
            "GET",
            fill("/api/v1/notes/"),
            query={"about": about, "campaign": campaign, "cursor": cursor, "limit": limit, "mentions": mentions},
        )
        return answer

    def notes_create(self, body: t.NoteInputRequest, *, idempotency_key: str | None = None) -> t.Note:
        """Write a note."""
        answer: t.Note = self.call("POST", fill("/api/v1/notes/"), body=body, idempotency_key=idempotency_key)
        return answer

    def notes_retrieve(self, id: str) -> t.Note:
        """A note."""
        answer: t.Note = self.call("GET", fill("/api/v1/notes/{id}/", id=id))
        return answer

    def notes_partial_update(
        self, id: str, body: t.PatchedNoteChangeRequest | None = None, *, if_match: int | str | None = None
    ) -> t.Note:
        """Change a note."""
        answer: t.Note = self.call("PATCH", fill("/api/v1/notes/{id}/", id=id), body=body, if_match=if_match)
        return answer

    def notes_destroy(self, id: str, *, if_match: int | str | None = None) -> None:
        """Delete a note; it can be restored."""
        self.call("DELETE", fill("/api/v1/notes/{id}/", id=id), if_match=if_match)

    def notes_restore_create(self, id: str, *, idempotency_key: str | None = None) -> t.Note:
        """Bring a deleted note back (its author, the GM)."""
        answer: t.Note = self.call("POST", fill("/api/v1/notes/{id}/restore/", id=id), idempotency_key=idempotency_key)
        return answer

    def notes_versions_list(
        self, id: str, *, cursor: str | None = None, limit: int | None = None
    ) -> t.PaginatedVersionList:
        """Every text a note had, latest first (its author, the GM)."""
        answer: t.PaginatedVersionList = self.call(
            "GET", fill("/api/v1/notes/{id}/versions/", id=id), query={"cursor": cursor, "limit": limit}
        )
        return answer

    def places_list(
        self,
        *,
        campaign: str | None = None,
        cursor: str | None = None,
        kingdom: str | None = None,
        limit: int | None = None,
    ) -> t.PaginatedPlaceList:
        """Fortified places of your campaigns."""
        answer: t.PaginatedPlaceList = self.call(
            "GET",
            fill("/api/v1/places/"),
            query={"campaign": campaign, "cursor": cursor, "kingdom": kingdom, "limit": limit},
        )
        return answer

    def places_create(self, body: t.PlaceInputRequest, *, idempotency_key: str | None = None) -> t.Place:
        """Fortify a place (GM)."""
        answer: t.Place = self.call("POST", fill("/api/v1/places/"), body=body, idempotency_key=idempotency_key)
        return answer

    def places_retrieve(self, id: str) -> t.Place:
        """A fortified place."""
        answer: t.Place = self.call("GET", fill("/api/v1/places/{id}/", id=id))
        return answer

    def places_partial_update(
        self, id: str, body: t.PatchedPlaceInputRequest | None = None, *, if_match: int | str | None = None
    ) -> t.Place:
        """Change a place (GM)."""
        answer: t.Place = self.call("PATCH", fill("/api/v1/places/{id}/", id=id), body=body, if_match=if_match)
        return answer

    def places_destroy(self, id: str) -> None:
        """Raze a place (GM)."""
        self.call("DELETE", fill("/api/v1/places/{id}/", id=id))

    def places_enter_create(
        self, id: str, body: t.PlaceArmyInputRequest, *, idempotency_key: str | None = None
    ) -> t.Place:
        """An army garrisons the place."""
        answer: t.Place = self.call(
            "POST", fill("/api/v1/places/{id}/enter/", id=id), body=body, idempotency_key=idempotency_key
        )
        return answer

    def places_leave_create(
        self, id: str, body: t.PlaceArmyInputRequest, *, idempotency_key: str | None = None
    ) -> t.Place:
        """An army leaves the place."""
        answer: t.Place = self.call(
            "POST", fill("/api/v1/places/{id}/leave/", id=id), body=body, idempotency_key=idempotency_key
        )
        return answer

    def requests_list(
        self,
        *,
        campaign: str | None = None,
        cursor: str | None = None,
        kind: Literal["appoint", "attributes", "buy", "disband", "found", "march", "raise", "treasury"] | None = None,
        limit: int | None = None,
        status: Literal["granted", "refused", "waiting", "withdrawn"] | None = None,
    ) -> t.PaginatedApprovalRequestList:
        """What was asked of the GM, as far as you may read it."""
        answer: t.PaginatedApprovalRequestList = self.call(
            "GET",
            fill("/api/v1/requests/"),
            query={"campaign": campaign, "cursor": cursor, "kind": kind, "limit": limit, "status": status},
        )
        return answer

    def requests_retrieve(self, id: str) -> t.ApprovalRequest:
        """A request."""
        answer: t.ApprovalRequest = self.call("GET", fill("/api/v1/requests/{id}/", id=id))
        return answer

    def requests_destroy(self, id: str) -> None:
        """Withdraw your own request."""
        self.call("DELETE", fill("/api/v1/requests/{id}/", id=id))

    def requests_grant_create(self, id: str, *, idempotency_key: str | None = None) -> t.ApprovalRequest:
        """Grant a request: it is done now (GM)."""
        answer: t.ApprovalRequest = self.call(
            "POST", fill("/api/v1/requests/{id}/grant/", id=id), idempotency_key=idempotency_key
        )
        return answer

    def requests_refuse_create(
        self, id: str, body: t.RefuseInputRequest | None = None, *, idempotency_key: str | None = None
    ) -> t.ApprovalRequest:
        """Refuse a request (GM)."""
        answer: t.ApprovalRequest = self.call(
            "POST", fill("/api/v1/requests/{id}/refuse/", id=id), body=body, idempotency_key=idempotency_key
        )
        return answer

    def requests_withdraw_create(self, id: str, *, idempotency_key: str | None = None) -> t.ApprovalRequest:
        """Withdraw your own request."""
        answer: t.ApprovalRequest = self.call(
            "POST", fill("/api/v1/requests/{id}/withdraw/", id=id), idempotency_key=idempotency_key
        )
        return answer

    def rulesets_list(self) -> list[t.Ruleset]:
        """The rulesets a campaign may choose. The rulesets a campaign may use."""
        answer: list[t.Ruleset] = self.call("GET", fill("/api/v1/rules/"))
        return answer

    def rules_retrieve(
        self,
        ruleset: str,
        *,
        campaign: str | None = None,
        kind: Literal[
            "abilities",
            "appeals",
            "armours",
            "boons",
            "buildings",
            "characters",
            "conditions",
            "experiences",
            "faces",
            "ground",
            "hits",
            "interventions",
            "kinds",
            "levels",
            "machines",
            "marks",
            "moves",
            "offices",
            "orders",
            "places",
            "postures",
            "profiles",
            "qualities",
            "ranks",
            "resources",
            "rules",
            "sizes",
            "spells",
            "states",
            "strategies",
            "tactics",
            "traits",
            "troops",
            "unit_types",
            "units",
            "weapons",
            "weather",
            "weights",
        ]
        | None = None,
        mark: Literal["document", "reconstruction", "ruling", "seen"] | None = None,
        q: str | None = None,
    ) -> t.RulesetItems:
        """One ruleset, whole. A ruleset with all its items. `kind`, `mark` and `q` filter them; `campaign` applies that campaign's house rules."""
        answer: t.RulesetItems = self.call(
            "GET",
            fill("/api/v1/rules/{ruleset}/", ruleset=ruleset),
            query={"campaign": campaign, "kind": kind, "mark": mark, "q": q},
        )
        return answer

    def settlements_list(
        self,
        *,
        campaign: str | None = None,
        cursor: str | None = None,
        kingdom: str | None = None,
        limit: int | None = None,
    ) -> t.PaginatedSettlementList:
        """Settlements you may read."""
        answer: t.PaginatedSettlementList = self.call(
            "GET",
            fill("/api/v1/settlements/"),
            query={"campaign": campaign, "cursor": cursor, "kingdom": kingdom, "limit": limit},
        )
        return answer

    def settlements_create(
        self, body: t.SettlementInputRequest, *, idempotency_key: str | None = None
    ) -> t.Settlement | t.ApprovalRequest:
        """Found a settlement."""
        answer: t.Settlement | t.ApprovalRequest = self.call(
            "POST", fill("/api/v1/settlements/"), body=body, idempotency_key=idempotency_key
        )
        return answer

    def settlements_retrieve(self, id: str) -> t.Settlement:
        """A settlement."""
        answer: t.Settlement = self.call("GET", fill("/api/v1/settlements/{id}/", id=id))
        return answer

    def settlements_partial_update(
        self, id: str, body: t.PatchedSettlementChangeRequest | None = None, *, if_match: int | str | None = None
    ) -> t.Settlement | t.ApprovalRequest:
        """Change a settlement."""
        answer: t.Settlement | t.ApprovalRequest = self.call(
            "PATCH", fill("/api/v1/settlements/{id}/", id=id), body=body, if_match=if_match
        )
        return answer

    def settlements_destroy(self, id: str, *, if_match: int | str | None = None) -> t.ApprovalRequest | None:
        """Strike a settlement from the map."""
        answer: t.ApprovalRequest | None = self.call(
            "DELETE", fill("/api/v1/settlements/{id}/", id=id), if_match=if_match
        )
        return answer

    def settlements_place_retrieve(self, settlement_id: str) -> t.SettlementPlace:
        """Where a settlement lies."""
        answer: t.SettlementPlace = self.call(
            "GET", fill("/api/v1/settlements/{settlement_id}/place/", settlement_id=settlement_id)
        )
        return answer

    def settlements_place_create(
        self, settlement_id: str, body: t.SettlementPlaceInputRequest, *, idempotency_key: str | None = None
    ) -> t.SettlementPlace | t.ApprovalRequest:
        """Put a settlement on a hex."""
        answer: t.SettlementPlace | t.ApprovalRequest = self.call(
            "POST",
            fill("/api/v1/settlements/{settlement_id}/place/", settlement_id=settlement_id),
            body=body,
            idempotency_key=idempotency_key,
        )
        return answer

    def sieges_list(
        self,
        *,
        campaign: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        place: str | None = None,
        status: Literal["assault", "broken", "honours", "lifted", "open", "sortie", "taken", "unconditional"]
        | None = None,
    ) -> t.PaginatedSiegeLineList:
        """Sieges of your campaigns."""
        answer: t.PaginatedSiegeLineList = self.call(
            "GET",
            fill("/api/v1/sieges/"),
            query={"campaign": campaign, "cursor": cursor, "limit": limit, "place": place, "status": status},
        )
        return answer

    def sieges_create(self, body: t.SiegeInputRequest, *, idempotency_key: str | None = None) -> t.Siege:
        """Lay siege to a place."""
        answer: t.Siege = self.call("POST", fill("/api/v1/sieges/"), body=body, idempotency_key=idempotency_key)
        return answer

    def sieges_retrieve(self, id: str) -> t.Siege:
        """A siege, as far as you may know it."""
        answer: t.Siege = self.call("GET", fill("/api/v1/sieges/{id}/", id=id))
        return answer

    def sieges_commands_create(
        self, id: str, body: t.SiegeCommandRequest, *, if_match: int | str, idempotency_key: str | None = None
    ) -> t.Siege:
        """Command in a siege."""
        answer: t.Siege = self.call(
            "POST",
            fill("/api/v1/sieges/{id}/commands/", id=id),
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
        )
        return answer

    def stores_list(
        self,
        *,
        campaign: str | None = None,
        cursor: str | None = None,
        kingdom: str | None = None,
        limit: int | None = None,
        resource: Literal[
            "healing-potions",
            "improved-armor",
            "improved-weapons",
            "magic-armor",
            "magic-weapons",
            "mounts",
            "ranged-weapons",
            "siege-engines",
        ]
        | None = None,
    ) -> t.PaginatedStockList:
        """What your kingdoms keep in store."""
        answer: t.PaginatedStockList = self.call(
            "GET",
            fill("/api/v1/stores/"),
            query={"campaign": campaign, "cursor": cursor, "kingdom": kingdom, "limit": limit, "resource": resource},
        )
        return answer

    def stores_retrieve(self, id: str) -> t.Stock:
        """A resource in store."""
        answer: t.Stock = self.call("GET", fill("/api/v1/stores/{id}/", id=id))
        return answer

    def unit_types_list(
        self,
        *,
        campaign: str,
        ability: Literal[
            "ability-damage",
            "alchemy",
            "amphibious",
            "animal-companion",
            "aquatic",
            "armor-training",
            "aura-of-courage",
            "bleed",
            "blindsense",
            "blindsight",
            "bomb",
            "bravery",
            "breath-weapon",
            "brew-potion",
            "burn",
            "burrow",
            "cannibalize",
            "challenge",
            "channel-negative-energy",
            "channel-positive-energy",
            "climb",
            "combat-style",
            "construct",
            "create-sandstorm",
            "create-spawn",
            "damage-reduction",
            "darkvision",
            "discovery",
            "disease",
            "divine-health",
            "earth-glide",
            "eidolon",
            "energy-drain",
            "ethereal-travel",
            "evasion",
            "fast-healing",
            "favored-enemy",
            "favored-terrain",
            "fear",
            "ferocity",
            "flight",
            "flurry-of-blows",
            "grab",
            "hex",
            "hunters-bond",
            "immunity",
            "incorporeal",
            "inspire-courage",
            "invisibility",
            "judgment",
            "ki-pool",
            "lay-on-hands",
            "light-blindness",
            "light-sensitivity",
            "low-light-vision",
            "mercy",
            "mindless",
            "mobility",
            "mount",
            "order",
            "paralysis",
            "petrification",
            "plant",
            "poison",
            "poison-resistance",
            "pounce",
            "powerful-charge",
            "rage",
            "rake",
            "regeneration",
            "rend",
            "resistance",
            "rock-catching",
            "rock-throwing",
            "rogue-talent",
            "scent",
            "shield-ally",
            "significant-defense",
            "smite-evil",
            "sneak-attack",
            "spell-resistance",
            "spellcasting",
            "stunning-fist",
            "swarm",
            "tactician",
            "teleportation",
            "track",
            "trample",
            "trap-sense",
            "tremorsense",
            "trip",
            "undead",
            "unnatural-aura",
            "vortex",
            "weapon-specialization",
            "whirlwind",
            "wild-shape",
        ]
        | None = None,
        family: Literal[
            "animals",
            "constructs",
            "elementals",
            "giants",
            "humanoids",
            "monsters",
            "mounts",
            "other",
            "outsiders",
            "undead",
        ]
        | None = None,
        least: Literal[
            "1",
            "1/2",
            "1/3",
            "1/4",
            "1/6",
            "1/8",
            "10",
            "11",
            "12",
            "13",
            "14",
            "15",
            "16",
            "17",
            "18",
            "19",
            "2",
            "20",
            "21",
            "22",
            "23",
            "24",
            "25",
            "26",
            "27",
            "28",
            "29",
            "3",
            "30",
            "31",
            "32",
            "33",
            "34",
            "35",
            "36",
            "37",
            "38",
            "39",
            "4",
            "40",
            "41",
            "42",
            "43",
            "44",
            "45",
            "46",
            "47",
            "48",
            "49",
            "5",
            "50",
            "51",
            "52",
            "53",
            "54",
            "55",
            "56",
            "57",
            "58",
            "59",
            "6",
            "60",
            "7",
            "8",
            "9",
        ]
        | None = None,
        most: Literal[
            "1",
            "1/2",
            "1/3",
            "1/4",
            "1/6",
            "1/8",
            "10",
            "11",
            "12",
            "13",
            "14",
            "15",
            "16",
            "17",
            "18",
            "19",
            "2",
            "20",
            "21",
            "22",
            "23",
            "24",
            "25",
            "26",
            "27",
            "28",
            "29",
            "3",
            "30",
            "31",
            "32",
            "33",
            "34",
            "35",
            "36",
            "37",
            "38",
            "39",
            "4",
            "40",
            "41",
            "42",
            "43",
            "44",
            "45",
            "46",
            "47",
            "48",
            "49",
            "5",
            "50",
            "51",
            "52",
            "53",
            "54",
            "55",
            "56",
            "57",
            "58",
            "59",
            "6",
            "60",
            "7",
            "8",
            "9",
        ]
        | None = None,
        q: str | None = None,
        terrain: Literal[
            "badlands",
            "coast",
            "desert",
            "farmland",
            "forest",
            "glacier",
            "hills",
            "jungle",
            "lake",
            "moor",
            "mountains",
            "peaks",
            "plains",
            "sea",
            "swamp",
            "tundra",
        ]
        | None = None,
        type: Literal[
            "aberration",
            "animal",
            "construct",
            "dragon",
            "fey",
            "humanoid",
            "magical-beast",
            "monstrous-humanoid",
            "ooze",
            "outsider",
            "plant",
            "undead",
            "vermin",
        ]
        | None = None,
    ) -> t.UnitTypePage:
        """Unit types of a campaign. Unit types are addressed by campaign and slug. The library is the same for everybody; a changed type becomes the campaign's own."""
        answer: t.UnitTypePage = self.call(
            "GET",
            fill("/api/v1/unit-types/"),
            query={
                "ability": ability,
                "campaign": campaign,
                "family": family,
                "least": least,
                "most": most,
                "q": q,
                "terrain": terrain,
                "type": type,
            },
        )
        return answer

    def unit_types_create(self, body: t.UnitTypeInputRequest, *, idempotency_key: str | None = None) -> t.UnitType:
        """Write a unit type (GM). Unit types are addressed by campaign and slug. The library is the same for everybody; a changed type becomes the campaign's own."""
        answer: t.UnitType = self.call("POST", fill("/api/v1/unit-types/"), body=body, idempotency_key=idempotency_key)
        return answer

    def unit_types_retrieve(self, id: str, *, campaign: str) -> t.UnitType:
        """A unit type. Unit types are addressed by campaign and slug. The library is the same for everybody; a changed type becomes the campaign's own."""
        answer: t.UnitType = self.call("GET", fill("/api/v1/unit-types/{id}/", id=id), query={"campaign": campaign})
        return answer

    def unit_types_destroy(self, id: str, *, campaign: str) -> None:
        """Remove a unit type of the campaign (GM). Unit types are addressed by campaign and slug. The library is the same for everybody; a changed type becomes the campaign's own."""
        self.call("DELETE", fill("/api/v1/unit-types/{id}/", id=id), query={"campaign": campaign})

    def unit_types_export_retrieve(
        self, *, campaign: str, as_: Literal["csv", "json"] | None = None
    ) -> t.UnitFile | bytes:
        """Export as JSON or CSV. Unit types are addressed by campaign and slug. The library is the same for everybody; a changed type becomes the campaign's own."""
        answer: t.UnitFile | bytes = self.call(
            "GET", fill("/api/v1/unit-types/export/"), query={"as": as_, "campaign": campaign}
        )
        return answer

    def unit_types_import_create(
        self, body: t.UnitTypesInputRequest, *, idempotency_key: str | None = None
    ) -> list[t.UnitType]:
        """Import (GM). Unit types are addressed by campaign and slug. The library is the same for everybody; a changed type becomes the campaign's own."""
        answer: list[t.UnitType] = self.call(
            "POST", fill("/api/v1/unit-types/import/"), body=body, idempotency_key=idempotency_key
        )
        return answer

    def webhooks_retrieve(self, id: str) -> t.Webhook:
        """A webhook (GM)."""
        answer: t.Webhook = self.call("GET", fill("/api/v1/webhooks/{id}/", id=id))
        return answer

    def webhooks_partial_update(
        self, id: str, body: t.PatchedWebhookChangeRequest | None = None, *, if_match: int | str | None = None
    ) -> t.Webhook:
        """Change a webhook (GM)."""
        answer: t.Webhook = self.call("PATCH", fill("/api/v1/webhooks/{id}/", id=id), body=body, if_match=if_match)
        return answer

    def webhooks_destroy(self, id: str, *, if_match: int | str | None = None) -> None:
        """Remove a webhook (GM)."""
        self.call("DELETE", fill("/api/v1/webhooks/{id}/", id=id), if_match=if_match)

    def webhooks_deliveries_list(
        self, id: str, *, cursor: str | None = None, limit: int | None = None
    ) -> t.PaginatedWebhookDeliveryList:
        """What it was told, newest first (GM)."""
        answer: t.PaginatedWebhookDeliveryList = self.call(
            "GET", fill("/api/v1/webhooks/{id}/deliveries/", id=id), query={"cursor": cursor, "limit": limit}
        )
        return answer

    def webhooks_deliveries_again_create(
        self, delivery: str, id: str, *, idempotency_key: str | None = None
    ) -> t.WebhookDelivery:
        """Send a message again, under its own id (GM)."""
        answer: t.WebhookDelivery = self.call(
            "POST",
            fill("/api/v1/webhooks/{id}/deliveries/{delivery}/again/", delivery=delivery, id=id),
            idempotency_key=idempotency_key,
        )
        return answer

    def webhooks_secret_create(self, id: str, *, idempotency_key: str | None = None) -> t.Webhook:
        """A new secret; the old one signs along for a day (GM)."""
        answer: t.Webhook = self.call(
            "POST", fill("/api/v1/webhooks/{id}/secret/", id=id), idempotency_key=idempotency_key
        )
        return answer

    def webhooks_test_create(self, id: str, *, idempotency_key: str | None = None) -> t.WebhookDelivery:
        """Send a test (GM)."""
        answer: t.WebhookDelivery = self.call(
            "POST", fill("/api/v1/webhooks/{id}/test/", id=id), idempotency_key=idempotency_key
        )
        return answer
