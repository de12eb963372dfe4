import django.contrib.postgres.fields
from django.db import migrations, models


AS_IT_WAS = "UPDATE kingdom_campaign SET met_known = 1"


class Migration(migrations.Migration):
    """Campaigns that are there go on telling names, and nothing more because somebody was met."""

    dependencies = [
        ("kingdom", "0021_owners"),
    ]

    operations = [
        migrations.AddField(
            model_name="campaign",
            name="met_known",
            field=models.PositiveSmallIntegerField(
                choices=[
                    (1, "name and banner"),
                    (2, "a glance: kind, rough size, health in words"),
                    (3, "all: its whole sheet"),
                ],
                db_default=2,
                default=2,
            ),
        ),
        migrations.AddField(
            model_name="campaign",
            name="others_known",
            field=models.PositiveSmallIntegerField(
                choices=[
                    (0, "nothing"),
                    (1, "name and banner"),
                    (2, "a glance: kind, rough size, health in words"),
                    (3, "all: its whole sheet"),
                ],
                db_default=1,
                default=1,
            ),
        ),
        migrations.AddField(
            model_name="chronicleentry",
            name="names",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.UUIDField(), blank=True, db_default=[], default=list
            ),
        ),
        migrations.RunSQL(AS_IT_WAS, migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name="campaign",
            constraint=models.CheckConstraint(
                condition=models.Q(("others_known__in", [0, 1, 2, 3])), name="campaign_others_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="campaign",
            constraint=models.CheckConstraint(
                condition=models.Q(("met_known__in", [1, 2, 3])), name="campaign_met_known"
            ),
        ),
    ]
