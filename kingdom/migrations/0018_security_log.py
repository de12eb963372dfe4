import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("kingdom", "0017_scopes_of_tokens")]

    operations = [
        migrations.CreateModel(
            name="SecurityEvent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("signed-in", "Signed in"),
                            ("sign-in-failed", "A wrong password or code"),
                            ("signed-out", "Signed out: the session ended"),
                            ("password-changed", "Password changed: all other sessions and all tokens ended"),
                            ("password-reset", "Password reset by mail: all sessions and all tokens ended"),
                            ("factor-on", "Second factor switched on"),
                            ("factor-off", "Second factor switched off"),
                            ("codes-made", "New recovery codes made"),
                            ("mail-changed", "Mail address changed"),
                            ("token-made", "API token made"),
                            ("token-revoked", "API token revoked"),
                        ],
                        max_length=20,
                    ),
                ),
                ("address", models.CharField(blank=True, default="", max_length=40)),
                ("device", models.CharField(blank=True, default="", max_length=60)),
                ("about", models.CharField(blank=True, default="", max_length=120)),
                ("times", models.PositiveIntegerField(default=1)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ("-at", "-id"),
                "indexes": [models.Index(fields=["user", "-at"], name="security_of_user")],
            },
        ),
    ]
