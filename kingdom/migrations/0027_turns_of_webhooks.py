"""Who has a webhook in hand, and since when. What webhooks are told is kept no more: its column goes with a later
release, for processes of the version before still write it while a site is upgraded.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("kingdom", "0026_secrecy_in_battle"),
    ]

    operations = [
        migrations.AddField(
            model_name="webhook", name="taken_by", field=models.UUIDField(blank=True, editable=False, null=True)
        ),
        migrations.AddField(
            model_name="webhook", name="taken_at", field=models.DateTimeField(blank=True, editable=False, null=True)
        ),
        migrations.AddField(
            model_name="webhook",
            name="quick",
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
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
