"""What one law alone keeps of armies and commanders goes to that law; its tables stay where they are."""

from django.db import migrations, models

MOVED = ("ArmyResource", "ArmyTactic", "ArmyWeek", "KingdomStock", "RestCheck", "UnitType", "WeekChoices")
ARMY = (
    "morale", "arrears", "owed", "ill", "disease", "drain", "acr", "regrowth", "foraging", "rested_on", "surcharge",
    "led_days", "led_to", "unit", "count", "mount",
)
COMMANDER = (
    "character_class", "level", "charisma_modifier", "soldier_ranks", "leadership_feat", "player_character", "office",
    "office_boon", "office_tactic", "boons", "notorious", "active_days",
)


class Migration(migrations.Migration):
    dependencies = [("armies", "0009_army_listed")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                *(migrations.DeleteModel(name) for name in MOVED),
                *(
                    migrations.RemoveConstraint("army", name)
                    for name in ("army_morale", "army_owed", "army_count", "army_hp", "army_hp_max")
                ),
                *(
                    migrations.RemoveConstraint("commander", name)
                    for name in ("commander_level", "commander_active_days")
                ),
                *(migrations.RemoveField("army", name) for name in ARMY),
                *(migrations.RemoveField("commander", name) for name in COMMANDER),
            ],
        ),
        migrations.RunSQL(
            "ALTER TABLE armies_army DROP CONSTRAINT army_hp, DROP CONSTRAINT army_hp_max",
            migrations.RunSQL.noop,
        ),
        migrations.RenameField("army", "hp", "health"),
        migrations.RenameField("army", "hp_max", "health_max"),
        migrations.RenameField("army", "consumption", "upkeep"),
        migrations.AlterField("army", "upkeep", models.PositiveIntegerField(default=0)),
        migrations.AddField("army", "sheet", models.JSONField(default=dict)),
        migrations.AddField("commander", "sheet", models.JSONField(default=dict)),
        migrations.RunSQL(
            "UPDATE armies_army SET sheet = jsonb_build_object('unit', unit, 'count', count, 'mount', mount)",
            migrations.RunSQL.noop,
        ),
        migrations.AddConstraint(
            "army",
            models.CheckConstraint(name="army_health", condition=models.Q(health__lte=models.F("health_max"))),
        ),
        migrations.AddConstraint(
            "army", models.CheckConstraint(name="army_health_max", condition=models.Q(health_max__gte=1))
        ),
    ]
