"""What earlier records left to the law of the day is written into them: figures at the start, and natural 1s (R-46)."""

from __future__ import annotations

from typing import Any

from django.db import migrations

BATCH = 200


def write_down(apps: Any, schema_editor: Any) -> None:
    Battle, BattleRecord = apps.get_model("battles", "Battle"), apps.get_model("battles", "BattleRecord")
    for battle in Battle.objects.only("pk", "ruleset", "house_rules", "opening").iterator(BATCH):
        _battle(battle)
    changed = []
    for record in BattleRecord.objects.select_related("battle").iterator(BATCH):
        if any([_event(record.battle, event) for event in record.events]):
            changed.append(record)
        if len(changed) == BATCH:
            BattleRecord.objects.bulk_update(changed, ["events"])
            changed = []
    BattleRecord.objects.bulk_update(changed, ["events"])


def _battle(battle: Any) -> None:
    from battles.codec.storage import get_keeper
    from rules.pathfinder.battle.state.opening import with_figures
    from rules.registry import ruleset

    law = ruleset(battle.ruleset, battle.house_rules)
    keeper = get_keeper(law.battle)
    if not battle.opening.get("entered"):
        battle.opening = keeper.dump_opening(with_figures(law, keeper.load_opening(battle.opening)))
        battle.save(update_fields=["opening"])


def _event(battle: Any, event: dict[str, Any]) -> bool:
    """Whether the event lacked something that is in it now."""
    match event["is"]:
        case "Attacked" | "EngineAttacked" if "bars" not in event:
            event["bars"] = event["rolls"][0]["value"] == 1
        case "ArmyJoined" if "entered" not in event:
            event["entered"] = _entered(battle, event)
        case _:
            return False
    return True


def _entered(battle: Any, event: dict[str, Any]) -> dict[str, Any]:
    from battles.codec.storage import get_keeper
    from rules.pathfinder.battle.state.opening import figures_of
    from rules.registry import ruleset

    law = ruleset(battle.ruleset, battle.house_rules)
    keeper = get_keeper(law.battle)
    (joined,) = keeper.load_events([event])
    (dumped,) = keeper.dump_events([joined._replace(entered=figures_of(law, joined.spec))])
    return dumped["entered"]


class Migration(migrations.Migration):
    dependencies = [("battles", "0003_frozen_states")]
    operations = [migrations.RunPython(write_down, migrations.RunPython.noop)]
