"""What earlier records left to the law of the day: the figures of their armies."""

from __future__ import annotations

from typing import Any

from django.db import migrations


def write_down(apps: Any, schema_editor: Any) -> None:
    """Figures of battles fought before they were kept: as the law of this day reckons them."""
    from battles.codec.storage import dump_figures, get_keeper
    from rules.registry import ruleset

    records = apps.get_model("battles", "BattleRecord").objects
    for battle in apps.get_model("battles", "Battle").objects.iterator(50):
        engine = ruleset(battle.ruleset, battle.house_rules).battle
        keeper = get_keeper(engine)
        state = engine.open(keeper.load_opening(battle.opening))
        battle.figures = shown = dump_figures(engine.figures(state))
        battle.save(update_fields=["figures"])
        for record in records.filter(battle=battle, undone=False).order_by("seq"):
            state = engine.fold(state, keeper.load_events(record.events))
            if (now := dump_figures(engine.figures(state))) != shown:
                record.figures = shown = now
                record.save(update_fields=["figures"])


class Migration(migrations.Migration):
    dependencies = [("battles", "0005_figures")]
    operations = [migrations.RunPython(write_down, migrations.RunPython.noop)]
