"""Squashed migration: the tables of breaking point as 0001 to 0003 leave them, for an empty database."""

import django.db.models.deletion
from django.db import migrations, models

import kingdom.models.base


class Migration(migrations.Migration):
    replaces = [
        ("breaking_point", name)
        for name in (
            "0001_places_and_sieges",
            "0002_sieges_hold_armies",
            "0003_plain_words_of_choices",
        )
    ]

    initial = True

    dependencies = [
        ("armies", "0001_squashed_0015_plain_words_of_choices"),
        ("kingdom", "0001_squashed_0040_words_of_security_events"),
    ]

    operations = [
        migrations.CreateModel(
            name="FortifiedPlace",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=120)),
                ("kind", models.CharField(max_length=40)),
                ("garrison", models.PositiveIntegerField()),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="kingdom.campaign"
                    ),
                ),
                (
                    "kingdom",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="fortified_places",
                        to="kingdom.kingdom",
                    ),
                ),
                (
                    "outer",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="inner",
                        to="breaking_point.fortifiedplace",
                    ),
                ),
                (
                    "settlement",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="kingdom.settlement",
                    ),
                ),
            ],
            options={
                "ordering": (kingdom.models.base.Natural("name"), "id"),
                "indexes": [models.Index(fields=["campaign", "kingdom"], name="place_kingdom")],
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("garrison__gte", 1)), name="place_garrison")
                ],
            },
        ),
        migrations.CreateModel(
            name="SiegeRow",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("began", models.PositiveIntegerField()),
                ("version", models.PositiveIntegerField(default=0)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("open", "besieged"),
                            ("broken", "at its breaking point"),
                            ("sortie", "sortie"),
                            ("assault", "assault"),
                            ("lifted", "lifted"),
                            ("honours", "surrendered with the honors of war"),
                            ("unconditional", "surrendered unconditionally"),
                            ("taken", "taken by assault"),
                        ],
                        default="open",
                        max_length=20,
                    ),
                ),
                ("state", models.JSONField(default=dict)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="kingdom.campaign"
                    ),
                ),
                (
                    "place",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sieges",
                        to="breaking_point.fortifiedplace",
                    ),
                ),
            ],
            options={
                "ordering": ("-id",),
                "indexes": [models.Index(fields=["campaign", "status"], name="siege_status")],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("status__in", ("open", "broken", "sortie", "assault"))),
                        fields=("place",),
                        name="siege_once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SiegeArmy",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("side", models.CharField(max_length=10)),
                ("position", models.PositiveSmallIntegerField()),
                (
                    "army",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.RESTRICT, related_name="sieges", to="armies.army"
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="kingdom.campaign"
                    ),
                ),
                (
                    "siege",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="armies", to="breaking_point.siegerow"
                    ),
                ),
            ],
            options={
                "ordering": ("side", "position"),
                "constraints": [models.UniqueConstraint(fields=("siege", "army"), name="siege_army_once")],
            },
        ),
        migrations.CreateModel(
            name="Stationed",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "army",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="stationed", to="armies.army"
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="kingdom.campaign"
                    ),
                ),
                (
                    "place",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="stationed",
                        to="breaking_point.fortifiedplace",
                    ),
                ),
            ],
            options={
                "ordering": ("id",),
            },
        ),
    ]
