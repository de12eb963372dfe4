"""Examples of Pathfinder in the API's document: a story from the campaign to the aftermath."""

from __future__ import annotations

from core.api.document_parts import (
    BATTLE,
    CAMPAIGN,
    CROWN,
    HORDE,
    RAIDERS,
    SIDES,
    WATCH,
    YSOLDE,
    AnswerExample,
    DocumentPart,
    Example,
    begin_story,
    command,
)

TAGS = {
    "stores": "Resources that kingdoms keep in store (Pathfinder).",
    "unit-types": "The bestiary, and unit types of a campaign's own (Pathfinder).",
}
SPEARMAN = {"name": "Spearman", "cr": "1", "hit_die": "d10", "speed_m": 9, "level": 1, "ranged": True}
SHAMAN = {
    "name": "Orc shaman", "cr": "2", "hit_die": "d8", "alignment": "CE", "creature_type": "humanoid",
    "abilities": [{"ability": "ferocity"}, {"ability": "spellcasting", "value": 2, "options": {"ranged": False}}],
}  # fmt: skip
STORY: list[Example | AnswerExample] = [
    *begin_story("combat-de-masse", "Pathfinder"),
    Example("settlements_create", "Town", {"kingdom": CROWN, "name": "Restov", "buildings": ["smithy"]}),
    Example(
        "commanders_create", "Pathfinder",
        {"kingdom": CROWN, "name": "Ysolde", "level": 6, "charisma_modifier": 2,
         "boons": [{"boon": "defensive-tactics"}]},
        makes=YSOLDE,
    ),
    Example(
        "armies_create", "Pathfinder",
        {"kingdom": CROWN, "name": "Ironwatch", "unit": SPEARMAN, "count": 500, "commander": YSOLDE}, makes=WATCH,
    ),
    Example(
        "armies_create", "Pathfinder, with abilities",
        {"kingdom": HORDE, "name": "Raiders", "unit": SHAMAN, "count": 200}, makes=RAIDERS,
    ),
    Example("kingdoms_check_create", "A die of the table", {"attribute": "loyalty", "dc": 10, "dice": [14]}, at=CROWN),
    Example("kingdoms_ledger_create", "Income", {"amount": 5, "reason": "Tolls of the bridge"}, at=CROWN),
    Example("notes_create", "About an army", {"about": f"army:{WATCH}", "text": "Sworn at the ford."}),
    Example("campaigns_invitations_create", "For a player", {"role": "player"}, at=CAMPAIGN),
    Example("campaigns_partial_update", "House rule", {"house_rules": {"minimum_damage": 1}}, at=CAMPAIGN),
    Example("campaigns_advance_create", "A week, proposed", {"days": 7}, at=CAMPAIGN),
    Example(
        "battles_create", "Pathfinder",
        {"campaign": CAMPAIGN, "name": "The ford", "sides": SIDES,
         "conditions": [{"condition": "fog", "except": [WATCH]}]},
        makes=BATTLE,
    ),
    command("Set-up is over", type="next"),
    command("Order for the tactics phase", type="order", army=WATCH, tactic="standard"),
    command("Dice of the site", type="resolve"),
    command("Hold", type="order", army=RAIDERS, target=None),
    command("Dice of the table", type="resolve", dice=[{"army": WATCH, "roll": "attack", "values": [14]}]),
    AnswerExample(
        "battles_commands_create", "409", "Dice needed",
        {"type": "urn:warhost:problem:dice-needed", "title": "Dice needed", "status": 409,
         "detail": "Enter these dice first.",
         "asks": [{"army": WATCH, "roll": "attack", "die": "d20", "label": "Attack", "need": "12"}], "follows": None},
    ),
    command("Order for melee", type="order", army=WATCH, strategy="aggressive", target=RAIDERS),
    Example("battles_forecast_create", "As ordered", {"until": {"phases": 3}}, at=BATTLE),
    command("Undo", type="undo"),
    command("The GM ends it", type="end", winner="Crown", reason="The horde has had enough."),
    command("Aftermath, proposed", type="aftermath", confirm=False),
    command("Aftermath, confirmed", type="aftermath", confirm=True),
    Example("campaigns_shares_create", "Report", {"kind": "report", "thing": BATTLE, "days": 7}, at=CAMPAIGN),
    Example("campaigns_undo_create", "The last change", {}, at=CAMPAIGN),
]  # fmt: skip
IN_DOCUMENT = DocumentPart(examples=STORY, tags=TAGS)
