"""Weeks are read a step at a time: an index of where each step lies, instead of one of every row."""

import django.contrib.postgres.indexes
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("armies", "0004_life")]

    operations = [
        migrations.RunSQL(
            "ALTER TABLE armies_armyweek DROP CONSTRAINT armies_armyweek_pkey",
            "ALTER TABLE armies_armyweek ADD CONSTRAINT armies_armyweek_pkey PRIMARY KEY (campaign_id, day, army_id)",
        ),
        migrations.AddIndex(
            model_name="armyweek",
            index=django.contrib.postgres.indexes.BrinIndex(
                autosummarize=True, fields=["campaign", "day"], name="army_week_step"
            ),
        ),
    ]
