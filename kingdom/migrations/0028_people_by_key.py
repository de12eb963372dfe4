"""People are asked for by a manager of their own. Nothing of it is in the tables."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("kingdom", "0027_turns_of_webhooks"),
    ]

    operations = [
        migrations.AlterModelManagers(name="user", managers=[]),
    ]
