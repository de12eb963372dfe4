from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("kingdom", "0023_campaign_imports"),
    ]

    operations = [
        migrations.AddField(
            model_name="campaign",
            name="secrecy",
            field=models.JSONField(blank=True, db_default={}, default=dict),
        ),
    ]
