import django.db.models.deletion
from django.db import migrations, models

NAMED = "UPDATE kingdom_apitoken SET name = 'Token of ' || to_char(created, 'YYYY-MM-DD') WHERE name = ''"


class Migration(migrations.Migration):
    """Tokens that are there go on working: they manage, in all campaigns, and have a name."""

    dependencies = [("kingdom", "0016_versions_of_notes")]

    operations = [
        migrations.AddField(
            "apitoken",
            "scope",
            models.CharField(
                choices=[("read", "read"), ("play", "play"), ("manage", "manage")],
                db_default="manage",
                default="manage",
                max_length=10,
            ),
        ),
        migrations.AddField(
            "apitoken",
            "campaign",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="kingdom.campaign",
            ),
        ),
        migrations.AddField("apitoken", "last_used_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddConstraint(
            "apitoken",
            models.CheckConstraint(condition=models.Q(("scope__in", ["read", "play", "manage"])), name="token_scope"),
        ),
        migrations.RunSQL(NAMED, migrations.RunSQL.noop),
        migrations.AlterField("apitoken", "name", models.CharField(max_length=120)),
    ]
