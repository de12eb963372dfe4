"""Squashed migration: the tables of `armies` as 0001 to 0015 leave them, for an empty database.

Three columns are made under their first names and renamed: the constraints of their own have those names everywhere.
"""

import django.db.models.deletion
from django.db import migrations, models

import kingdom.models.base


class Migration(migrations.Migration):
    replaces = [
        ("armies", name)
        for name in (
            "0001_initial",
            "0002_unit_types",
            "0003_time",
            "0004_life",
            "0005_week_by_step",
            "0006_least_regeneration",
            "0007_presence_and_choices",
            "0008_week_index",
            "0009_army_listed",
            "0010_shell",
            "0011_names_as_people_count",
            "0012_campaign_map",
            "0013_routes",
            "0014_what_is_known",
            "0015_plain_words_of_choices",
        )
    ]

    initial = True

    dependencies = [
        ("kingdom", "0001_squashed_0040_words_of_security_events"),
    ]

    operations = [
        migrations.CreateModel(
            name="Commander",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=120)),
                (
                    "status",
                    models.CharField(
                        choices=[("free", "free"), ("captured", "captured"), ("killed", "killed")],
                        default="free",
                        max_length=10,
                    ),
                ),
                ("captures", models.PositiveSmallIntegerField(default=0)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="kingdom.campaign"
                    ),
                ),
                (
                    "kingdom",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="commanders", to="kingdom.kingdom"
                    ),
                ),
                ("away_until", models.PositiveIntegerField(blank=True, null=True)),
                ("ransom", models.PositiveIntegerField(blank=True, null=True)),
                ("sheet", models.JSONField(default=dict)),
            ],
            options={
                "ordering": (kingdom.models.base.Natural("name"), "id"),
                "indexes": [models.Index(fields=["campaign", "kingdom"], name="commander_kingdom")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("status__in", ("free", "captured", "killed"))), name="commander_status"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Army",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=120)),
                ("hp", models.PositiveIntegerField()),
                ("hp_max", models.PositiveIntegerField()),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("ready", "ready"),
                            ("routed", "routed"),
                            ("defeated", "defeated"),
                            ("disbanded", "disbanded"),
                            ("captured", "captured"),
                        ],
                        default="ready",
                        max_length=10,
                    ),
                ),
                ("consumption", models.PositiveIntegerField(default=0)),
                ("revealed", models.BooleanField(default=False)),
                ("origin", models.JSONField(blank=True, editable=False, null=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="kingdom.campaign"
                    ),
                ),
                (
                    "kingdom",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="armies", to="kingdom.kingdom"
                    ),
                ),
                (
                    "commander",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="army",
                        to="armies.commander",
                    ),
                ),
                ("marching_until", models.PositiveIntegerField(blank=True, null=True)),
                ("place", models.CharField(blank=True, default="", max_length=120)),
                ("sheet", models.JSONField(default=dict)),
                ("hex", models.CharField(blank=True, default="", max_length=8)),
                ("route", models.JSONField(blank=True, editable=False, null=True)),
                ("hidden", models.BooleanField(db_default=False, default=False)),
            ],
            options={
                "verbose_name_plural": "armies",
                "ordering": (kingdom.models.base.Natural("name"), "id"),
                "indexes": [
                    models.Index(fields=["campaign", "kingdom"], name="army_kingdom"),
                    models.Index(fields=["campaign", "status"], name="army_status"),
                    models.Index(fields=["campaign", "id"], name="army_listed"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("status__in", ("ready", "routed", "defeated", "disbanded", "captured"))),
                        name="army_status_known",
                    )
                ],
            },
        ),
        migrations.RenameField("army", "hp", "health"),
        migrations.RenameField("army", "hp_max", "health_max"),
        migrations.RenameField("army", "consumption", "upkeep"),
        migrations.AddConstraint(
            model_name="army",
            constraint=models.CheckConstraint(
                condition=models.Q(("health__lte", models.F("health_max"))), name="army_health"
            ),
        ),
        migrations.AddConstraint(
            model_name="army",
            constraint=models.CheckConstraint(condition=models.Q(("health_max__gte", 1)), name="army_health_max"),
        ),
        # Most weeks change a few figures of every army in place: room on its page spares the indexes.
        migrations.RunSQL("ALTER TABLE armies_army SET (fillfactor = 70)", migrations.RunSQL.noop),
        migrations.CreateModel(
            name="TimeStep",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("since", models.PositiveIntegerField()),
                ("day", models.PositiveIntegerField()),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="kingdom.campaign"
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="kingdom.chronicleentry",
                    ),
                ),
            ],
            options={
                "ordering": ("day",),
                "constraints": [
                    models.UniqueConstraint(fields=("campaign", "day"), name="time_step_once"),
                    models.CheckConstraint(
                        condition=models.Q(("day__gt", models.F("since"))), name="time_step_forward"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Sighting",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("hex", models.CharField(max_length=8)),
                ("day", models.PositiveIntegerField()),
                (
                    "army",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="sightings", to="armies.army"
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
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="kingdom.kingdom"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("kingdom", "army"), name="sighting_once")],
            },
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
                            (2, "a glance: type, rough size, health in words"),
                            (3, "everything: the whole sheet"),
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
    ]
