"""What webhooks are told is kept no more. Its column goes with a later release: while a site is upgraded, processes of
the version before still write it.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("kingdom", "0026_secrecy_in_battle"),
    ]

    operations = [
        migrations.AlterField(
            model_name="webhookdelivery",
            name="body",
            field=models.TextField(blank=True, db_default="", default=""),
        ),
        migrations.RunSQL("UPDATE kingdom_webhookdelivery SET body = '' WHERE body <> ''", migrations.RunSQL.noop),
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.RemoveField(model_name="webhookdelivery", name="body")]
        ),
    ]
