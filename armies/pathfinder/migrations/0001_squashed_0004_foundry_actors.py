"""Squashed migration: the tables of mass combat as 0001 to 0004 leave them, for an empty database.

An older database has rows to move here from the tables of `armies`: `migrate` leads it through the old migrations.
"""

import django.db.models.deletion
from django.db import migrations, models

import kingdom.models.base


class Migration(migrations.Migration):
    replaces = [
        ("pathfinder", name)
        for name in (
            "0001_initial",
            "0002_names_as_people_count",
            "0003_document_version",
            "0004_foundry_actors",
        )
    ]

    initial = True

    dependencies = [
        ("armies", "0001_squashed_0015_plain_words_of_choices"),
        ("kingdom", "0001_squashed_0040_words_of_security_events"),
    ]

    operations = [
        migrations.CreateModel(
            name="PathfinderArmy",
            fields=[
                (
                    "army_ptr",
                    models.OneToOneField(
                        auto_created=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        parent_link=True,
                        primary_key=True,
                        serialize=False,
                        to="armies.army",
                    ),
                ),
                ("morale", models.SmallIntegerField(default=0)),
                ("arrears", models.BooleanField(default=False)),
                ("owed", models.BigIntegerField(default=0)),
                ("ill", models.BooleanField(default=False)),
                ("disease", models.PositiveSmallIntegerField(default=0)),
                ("drain", models.PositiveSmallIntegerField(default=0)),
                ("acr", models.PositiveSmallIntegerField(default=0)),
                ("regrowth", models.PositiveIntegerField(default=0)),
                ("foraging", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("rested_on", models.IntegerField(blank=True, null=True)),
                ("surcharge", models.PositiveIntegerField(default=0)),
                ("led_days", models.PositiveSmallIntegerField(default=0)),
                ("led_to", models.PositiveIntegerField(default=0)),
            ],
            options={
                "verbose_name_plural": "armies",
                "db_table": "pathfinder_army",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("morale__gte", -4), ("morale__lte", 4)), name="army_morale"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("owed", 0), models.Q(("arrears", True), ("owed__gt", 0)), _connector="OR"),
                        name="army_owed",
                    ),
                ],
            },
            bases=("armies.army",),
        ),
        migrations.CreateModel(
            name="PathfinderCommander",
            fields=[
                (
                    "commander_ptr",
                    models.OneToOneField(
                        auto_created=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        parent_link=True,
                        primary_key=True,
                        serialize=False,
                        to="armies.commander",
                    ),
                ),
                ("character_class", models.CharField(blank=True, max_length=120)),
                ("level", models.PositiveSmallIntegerField(default=1)),
                ("charisma_modifier", models.SmallIntegerField(default=0)),
                ("soldier_ranks", models.PositiveSmallIntegerField(default=0)),
                ("leadership_feat", models.BooleanField(default=False)),
                ("player_character", models.BooleanField(default=False)),
                ("office", models.CharField(blank=True, max_length=40, null=True)),
                ("office_boon", models.CharField(blank=True, max_length=40, null=True)),
                ("office_tactic", models.CharField(blank=True, max_length=40, null=True)),
                ("boons", models.JSONField(blank=True, default=list)),
                ("notorious", models.BooleanField(default=False)),
                ("active_days", models.PositiveSmallIntegerField(default=7)),
            ],
            options={
                "db_table": "pathfinder_commander",
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("level__gte", 1)), name="commander_level"),
                    models.CheckConstraint(condition=models.Q(("active_days__lte", 7)), name="commander_active_days"),
                ],
            },
            bases=("armies.commander",),
        ),
        migrations.CreateModel(
            name="ArmyResource",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("resource", models.CharField(max_length=40)),
                ("quantity", models.PositiveIntegerField(default=1)),
                (
                    "army",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="resources", to="armies.army"
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="kingdom.campaign"
                    ),
                ),
            ],
            options={
                "db_table": "armies_armyresource",
                "ordering": ("resource",),
                "constraints": [
                    models.UniqueConstraint(fields=("army", "resource"), name="army_resource_once"),
                    models.CheckConstraint(condition=models.Q(("quantity__gte", 1)), name="army_resource_quantity"),
                ],
            },
        ),
        migrations.CreateModel(
            name="ArmyTactic",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("tactic", models.CharField(max_length=40)),
                ("granted", models.BooleanField(default=False)),
                (
                    "army",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="tactics", to="armies.army"
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="kingdom.campaign"
                    ),
                ),
            ],
            options={
                "db_table": "armies_armytactic",
                "ordering": ("tactic",),
                "constraints": [models.UniqueConstraint(fields=("army", "tactic"), name="army_tactic_once")],
            },
        ),
        migrations.CreateModel(
            name="ArmyWeek",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "campaign", "day", "army_id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="kingdom.campaign",
                    ),
                ),
                ("day", models.PositiveIntegerField()),
                ("army_id", models.UUIDField()),
                ("kingdom_id", models.UUIDField()),
                ("due", models.PositiveIntegerField(null=True)),
                ("paid", models.BigIntegerField(default=0)),
                ("doubled", models.BooleanField(default=False)),
                ("hp_before", models.PositiveIntegerField()),
                ("hp_after", models.PositiveIntegerField()),
                ("morale_before", models.SmallIntegerField()),
                ("morale_after", models.SmallIntegerField()),
                ("status_before", models.CharField(max_length=10)),
                ("status_after", models.CharField(max_length=10)),
                ("arrears_before", models.BooleanField()),
                ("arrears_after", models.BooleanField()),
                ("owed_before", models.BigIntegerField()),
                ("owed_after", models.BigIntegerField()),
                ("disease_before", models.PositiveSmallIntegerField()),
                ("disease_after", models.PositiveSmallIntegerField()),
                ("ill_before", models.BooleanField()),
                ("ill_after", models.BooleanField()),
                ("drain", models.PositiveSmallIntegerField(default=0)),
                ("surcharge", models.PositiveIntegerField(default=0)),
                ("commander", models.UUIDField(null=True)),
            ],
            options={
                "db_table": "armies_armyweek",
                "ordering": ("day", "army_id"),
                "indexes": [models.Index(fields=["campaign", "day"], name="army_week_step")],
            },
        ),
        migrations.CreateModel(
            name="KingdomStock",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("resource", models.CharField(max_length=40)),
                ("size", models.CharField(max_length=20)),
                ("quantity", models.PositiveIntegerField(default=1)),
                ("mount", models.JSONField(blank=True, null=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="kingdom.campaign"
                    ),
                ),
                (
                    "kingdom",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="stores", to="kingdom.kingdom"
                    ),
                ),
            ],
            options={
                "db_table": "armies_kingdomstock",
                "ordering": ("resource", "size", "id"),
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("quantity__gte", 1)), name="kingdom_stock_quantity")
                ],
            },
        ),
        migrations.CreateModel(
            name="RestCheck",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("day", models.PositiveIntegerField()),
                ("roll", models.PositiveSmallIntegerField()),
                ("loyalty", models.IntegerField()),
                ("unrest", models.IntegerField()),
                ("dc", models.IntegerField()),
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
                "db_table": "armies_restcheck",
                "ordering": ("day",),
                "constraints": [models.UniqueConstraint(fields=("kingdom", "day"), name="rest_check_once")],
            },
        ),
        migrations.CreateModel(
            name="UnitType",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("slug", models.CharField(max_length=80)),
                ("name", models.CharField(max_length=120)),
                ("family", models.CharField(max_length=40)),
                ("unit", models.JSONField()),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="kingdom.campaign"
                    ),
                ),
            ],
            options={
                "db_table": "armies_unittype",
                "ordering": (kingdom.models.base.Natural("name"), "id"),
                "constraints": [models.UniqueConstraint(fields=("campaign", "slug"), name="unit_type_once")],
            },
        ),
        migrations.CreateModel(
            name="WeekChoices",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("week", models.PositiveIntegerField()),
                ("choices", models.JSONField(default=dict)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="kingdom.campaign"
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "week choices",
                "db_table": "armies_weekchoices",
                "ordering": ("week",),
                "constraints": [models.UniqueConstraint(fields=("campaign", "week"), name="week_choices_once")],
            },
        ),
        migrations.CreateModel(
            name="FoundryActor",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("actor", models.JSONField()),
                (
                    "army",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="foundry",
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
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="foundry",
                        to="kingdom.kingdom",
                    ),
                ),
            ],
            options={
                "db_table": "pathfinder_foundryactor",
                "ordering": ("id",),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("army", None), ("kingdom", None), _connector="XOR"),
                        name="foundry_actor_of_one",
                    )
                ],
            },
        ),
        # Most weeks change a few figures of every army in place: room on its page spares the indexes.
        migrations.RunSQL("ALTER TABLE pathfinder_army SET (fillfactor = 70)", migrations.RunSQL.noop),
        # Weeks are read a step at a time, by the index of steps: one of every row would only cost.
        migrations.RunSQL("ALTER TABLE armies_armyweek DROP CONSTRAINT armies_armyweek_pkey", migrations.RunSQL.noop),
    ]
