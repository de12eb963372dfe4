"""Steps of several campaigns lie among each other: each row of a step is found by its key, not by where it lies."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("armies", "0007_presence_and_choices")]

    operations = [
        migrations.RemoveIndex(model_name="armyweek", name="army_week_step"),
        migrations.AddIndex(
            model_name="armyweek",
            index=models.Index(fields=["campaign", "day"], name="army_week_step"),
        ),
    ]
