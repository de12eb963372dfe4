import django.db.models.deletion
import kingdom.models.base
from django.db import migrations, models


NAMED = """
UPDATE kingdom_chronicleentry entry SET names = found.ids FROM (
    SELECT told.id, array_agg(army.id ORDER BY army.id) AS ids
    FROM kingdom_chronicleentry told
    JOIN armies_army army ON army.campaign_id = told.campaign_id
        AND strpos(told.text::text, to_json(army.name)::text) > 0
    WHERE army.kingdom_id = ANY(told.kingdoms) OR NOT EXISTS (
        SELECT 1 FROM armies_army near
        WHERE near.campaign_id = army.campaign_id AND near.name = army.name AND near.kingdom_id = ANY(told.kingdoms)
    )
    GROUP BY told.id
) found WHERE found.id = entry.id
"""


class Migration(migrations.Migration):
    """Entries of the chronicle learn which armies they name (`kingdom.access.redaction`)."""

    dependencies = [
        ("armies", "0013_routes"),
        ("kingdom", "0022_what_is_known"),
    ]

    operations = [
        migrations.AddField(
            model_name="army",
            name="hidden",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.CreateModel(
            name="Insight",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "level",
                    models.PositiveSmallIntegerField(
                        choices=[
                            (0, "nothing"),
                            (1, "name and banner"),
                            (2, "a glance: kind, rough size, health in words"),
                            (3, "all: its whole sheet"),
                        ],
                        default=0,
                    ),
                ),
                ("mutual", models.BooleanField(default=False)),
                (
                    "army",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="insights",
                        to="armies.army",
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="kingdom.campaign"
                    ),
                ),
                (
                    "kingdom",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="insights", to="kingdom.kingdom"
                    ),
                ),
                (
                    "realm",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="kingdom.kingdom",
                    ),
                ),
            ],
            options={
                "ordering": ("id",),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("army", None), ("realm__isnull", False)),
                            models.Q(("army__isnull", False), ("mutual", False), ("realm", None)),
                            _connector="OR",
                        ),
                        name="insight_of_one",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("realm", None), models.Q(("realm", models.F("kingdom")), _negated=True), _connector="OR"
                        ),
                        name="insight_of_others",
                    ),
                    models.CheckConstraint(condition=models.Q(("level__in", [0, 1, 2, 3])), name="insight_level"),
                    models.UniqueConstraint(fields=("kingdom", "army"), name="insight_army_once"),
                    models.UniqueConstraint(fields=("kingdom", "realm", "mutual"), name="insight_realm_once"),
                ],
            },
        ),
        migrations.RunSQL(NAMED, migrations.RunSQL.noop),
    ]
