import django.contrib.postgres.fields
import django.db.models.deletion
import django.utils.crypto
import django.utils.timezone
import functools
import kingdom.models.base
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("kingdom", "0019_share_links"),
    ]

    operations = [
        migrations.CreateModel(
            name="Webhook",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=120)),
                ("url", models.CharField(max_length=2000)),
                ("events", django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40))),
                (
                    "shape",
                    models.CharField(
                        choices=[
                            ("standard", "for programs (Standard Webhooks)"),
                            ("discord", "for a Discord channel: a sentence"),
                        ],
                        default="standard",
                        max_length=10,
                    ),
                ),
                ("language", models.CharField(max_length=10)),
                ("origin", models.CharField(max_length=300)),
                (
                    "state",
                    models.CharField(
                        choices=[("on", "on"), ("paused", "paused"), ("off", "switched off: nobody answered there")],
                        default="on",
                        max_length=10,
                    ),
                ),
                (
                    "seed",
                    models.CharField(
                        default=functools.partial(django.utils.crypto.get_random_string, 32),
                        editable=False,
                        max_length=32,
                    ),
                ),
                ("old_seed", models.CharField(blank=True, default="", editable=False, max_length=32)),
                ("rotated_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("failing_since", models.DateTimeField(blank=True, null=True)),
                ("rests_until", models.DateTimeField(blank=True, null=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="webhooks", to="kingdom.campaign"
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("id",),
            },
        ),
        migrations.CreateModel(
            name="WebhookDelivery",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("event", models.CharField(max_length=40)),
                ("about", models.JSONField(default=dict)),
                ("at", models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ("body", models.TextField(blank=True, default="")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("delivered", "delivered"),
                            ("given-up", "given up"),
                            ("withheld", "kept back: not every player may read it"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                ("next_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="kingdom.campaign"
                    ),
                ),
                (
                    "webhook",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="deliveries", to="kingdom.webhook"
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "webhook deliveries",
                "ordering": ("-id",),
            },
        ),
        migrations.CreateModel(
            name="WebhookAttempt",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("milliseconds", models.PositiveIntegerField()),
                ("status", models.PositiveSmallIntegerField(blank=True, null=True)),
                (
                    "trouble",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "none"),
                            ("refused", "refused there"),
                            ("redirect", "sent elsewhere, where nothing is sent to"),
                            ("nowhere", "the name leads nowhere"),
                            ("forbidden", "leads to an address of a private network"),
                            ("unreachable", "nobody answers there"),
                            ("untrusted", "its certificate is not valid"),
                            ("slow", "no answer in time"),
                        ],
                        default="",
                        max_length=12,
                    ),
                ),
                ("answer", models.CharField(blank=True, default="", max_length=500)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="kingdom.campaign"
                    ),
                ),
                (
                    "delivery",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="attempts",
                        to="kingdom.webhookdelivery",
                    ),
                ),
            ],
            options={
                "ordering": ("id",),
            },
        ),
        migrations.AddConstraint(
            model_name="webhook",
            constraint=models.CheckConstraint(
                condition=models.Q(("shape__in", ("standard", "discord"))), name="webhook_shape"
            ),
        ),
        migrations.AddConstraint(
            model_name="webhook",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ("on", "paused", "off"))), name="webhook_state"
            ),
        ),
        migrations.AddIndex(
            model_name="webhookdelivery",
            index=models.Index(
                condition=models.Q(("state", "waiting")), fields=["webhook", "next_at"], name="webhook_due"
            ),
        ),
        migrations.AddConstraint(
            model_name="webhookdelivery",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ("waiting", "delivered", "given-up", "withheld"))),
                name="webhook_delivery_state",
            ),
        ),
    ]
