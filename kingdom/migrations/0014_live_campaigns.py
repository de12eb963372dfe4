from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("kingdom", "0013_notes"),)
    operations = (
        migrations.AddField(
            model_name="campaign",
            name="revision",
            field=models.PositiveBigIntegerField(db_default=0, default=0, editable=False),
        ),
    )
