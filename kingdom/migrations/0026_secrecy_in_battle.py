from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("kingdom", "0025_names_in_requests"),
    ]

    operations = [
        migrations.AddField(
            model_name="campaign",
            name="secrecy",
            field=models.JSONField(blank=True, db_default={}, default=dict),
        ),
    ]
