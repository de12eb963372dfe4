import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("kingdom", "0024_sign_ins"),
    ]

    operations = [
        migrations.AddField(
            model_name="petition",
            name="names",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.UUIDField(), blank=True, db_default=[], default=list
            ),
        ),
    ]
