from django.db import migrations, models

TAKE_OVER = """
UPDATE armies_army SET adjustments = own.adjustments FROM pathfinder_army own
WHERE own.army_ptr_id = armies_army.id AND own.adjustments <> '[]'::jsonb
"""
GIVE_BACK = """
UPDATE pathfinder_army SET adjustments = every.adjustments FROM armies_army every
WHERE every.id = army_ptr_id AND every.adjustments <> '[]'::jsonb
"""
DROP = "ALTER TABLE pathfinder_army DROP COLUMN adjustments"
MAKE = "ALTER TABLE pathfinder_army ADD COLUMN adjustments jsonb NOT NULL DEFAULT '[]'::jsonb"


class Migration(migrations.Migration):
    """Armies of every ruleset have adjustments; those of mass combat had them in a table of their own."""

    dependencies = [
        ("armies", "0015_plain_words_of_choices"),
        ("pathfinder", "0007_adjustments_of_every_law"),
    ]

    operations = [
        migrations.AddField(
            model_name="army",
            name="adjustments",
            field=models.JSONField(blank=True, db_default=[], default=list),
        ),
        migrations.RunSQL([TAKE_OVER, DROP], [MAKE, GIVE_BACK]),
    ]
