"""Squashed migration: the tables of `kingdom` as 0001 to 0040 leave them, for an empty database.

The column `body` of deliveries stays while processes of an earlier version may write it (0027).
"""

import functools

import django.contrib.auth.models
import django.contrib.auth.validators
import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
import django.utils.crypto
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import kingdom.models.base


class Migration(migrations.Migration):
    replaces = [
        ("kingdom", name)
        for name in (
            "0001_initial",
            "0002_calendar",
            "0003_chronicle",
            "0004_invitation_uses",
            "0005_tally",
            "0006_leave",
            "0007_user_settings",
            "0008_arms",
            "0009_names_as_people_count",
            "0010_single_keys",
            "0011_campaign_map",
            "0012_first_steps",
            "0013_notes",
            "0014_live_campaigns",
            "0015_planned_lines_and_units",
            "0016_versions_of_notes",
            "0017_scopes_of_tokens",
            "0018_security_log",
            "0019_share_links",
            "0020_webhooks",
            "0021_owners",
            "0022_what_is_known",
            "0023_campaign_imports",
            "0024_sign_ins",
            "0025_names_in_requests",
            "0026_secrecy_in_battle",
            "0027_turns_of_webhooks",
            "0028_people_by_key",
            "0029_time_zones",
            "0030_struck_things",
            "0031_invitations_to_kingdoms",
            "0032_brought_bytes",
            "0033_standard_names_of_models",
            "0034_plain_user_manager",
            "0035_plain_words_of_choices",
            "0036_units_by_language",
            "0037_guests_and_tour",
            "0038_mails_and_call_offer",
            "0039_pictures",
            "0040_words_of_security_events",
        )
    ]

    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("sessions", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="User",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                (
                    "username",
                    models.CharField(
                        error_messages={"unique": "A user with that username already exists."},
                        help_text="Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.",
                        max_length=150,
                        unique=True,
                        validators=[django.contrib.auth.validators.UnicodeUsernameValidator()],
                        verbose_name="username",
                    ),
                ),
                ("first_name", models.CharField(blank=True, max_length=150, verbose_name="first name")),
                ("last_name", models.CharField(blank=True, max_length=150, verbose_name="last name")),
                ("email", models.EmailField(blank=True, max_length=254, verbose_name="email address")),
                (
                    "is_staff",
                    models.BooleanField(
                        default=False,
                        help_text="Designates whether the user can log into this admin site.",
                        verbose_name="staff status",
                    ),
                ),
                (
                    "is_active",
                    models.BooleanField(
                        default=True,
                        help_text="Designates whether this user should be treated as active. Unselect this instead of deleting accounts.",
                        verbose_name="active",
                    ),
                ),
                ("date_joined", models.DateTimeField(default=django.utils.timezone.now, verbose_name="date joined")),
                ("language", models.CharField(blank=True, default="", max_length=10)),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
                (
                    "dice",
                    models.CharField(
                        choices=[("server", "Server"), ("typed", "Typed")], default="server", max_length=10
                    ),
                ),
                ("notices", models.BooleanField(default=False)),
                ("sound", models.BooleanField(default=False)),
                ("keys", models.BooleanField(default=True)),
                (
                    "units",
                    models.CharField(
                        blank=True,
                        choices=[("metres", "Metres"), ("feet", "Feet")],
                        db_default="",
                        default="",
                        max_length=10,
                    ),
                ),
                ("time_zone", models.CharField(blank=True, db_default="", default="", max_length=64)),
                ("guest", models.BooleanField(db_default=False, default=False)),
                ("tour_taken", models.BooleanField(db_default=False, default=False)),
                ("call_offered", models.BooleanField(db_default=False, default=False)),
                (
                    "mails",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=40), blank=True, db_default=[], default=list
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
            managers=[
                ("objects", django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name="Campaign",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=120)),
                ("ruleset", models.CharField(max_length=40)),
                ("day", models.PositiveIntegerField(default=0)),
                ("house_rules", models.JSONField(blank=True, default=dict)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="campaigns_created",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("calendar", models.JSONField(blank=True, default=dict)),
                ("players_may", models.JSONField(blank=True, default=dict)),
                ("first_steps", models.BooleanField(default=False)),
                ("revision", models.PositiveBigIntegerField(db_default=0, default=0, editable=False)),
                ("players_share", models.BooleanField(db_default=False, default=False)),
                ("deleted_at", models.DateTimeField(blank=True, db_index=True, null=True)),
                (
                    "offered_to",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="campaigns_owned",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "met_known",
                    models.PositiveSmallIntegerField(
                        choices=[
                            (1, "name and banner"),
                            (2, "a glance: type, rough size, health in words"),
                            (3, "everything: the whole sheet"),
                        ],
                        db_default=2,
                        default=2,
                    ),
                ),
                (
                    "others_known",
                    models.PositiveSmallIntegerField(
                        choices=[
                            (0, "nothing"),
                            (1, "name and banner"),
                            (2, "a glance: type, rough size, health in words"),
                            (3, "everything: the whole sheet"),
                        ],
                        db_default=1,
                        default=1,
                    ),
                ),
                ("secrecy", models.JSONField(blank=True, db_default={}, default=dict)),
                ("brought_bytes", models.PositiveBigIntegerField(db_default=0, default=0, editable=False)),
            ],
            options={
                "ordering": (kingdom.models.base.Natural("name"), "id"),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("others_known__in", [0, 1, 2, 3])), name="campaign_others_known"
                    ),
                    models.CheckConstraint(condition=models.Q(("met_known__in", [1, 2, 3])), name="campaign_met_known"),
                ],
            },
        ),
        migrations.CreateModel(
            name="ApiToken",
            fields=[
                ("digest", models.CharField(max_length=128, primary_key=True, serialize=False)),
                ("token_key", models.CharField(db_index=True, max_length=25)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("expiry", models.DateTimeField(blank=True, null=True)),
                ("name", models.CharField(max_length=120)),
                ("public_id", models.UUIDField(default=kingdom.models.base.uuid7, editable=False, unique=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="auth_token_set",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "scope",
                    models.CharField(
                        choices=[("read", "read"), ("play", "play"), ("manage", "manage")],
                        db_default="manage",
                        default="manage",
                        max_length=10,
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="kingdom.campaign",
                    ),
                ),
                ("last_used_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ("-created",),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("scope__in", ["read", "play", "manage"])), name="token_scope"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Kingdom",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=120)),
                ("alignment", models.CharField(default="N", max_length=2)),
                ("economy", models.IntegerField(default=0)),
                ("loyalty", models.IntegerField(default=0)),
                ("stability", models.IntegerField(default=0)),
                ("unrest", models.PositiveIntegerField(default=0)),
                ("size", models.PositiveIntegerField(default=1)),
                ("districts", models.PositiveIntegerField(default=0)),
                ("control_dc_modifier", models.IntegerField(default=0)),
                ("control_dc_override", models.PositiveIntegerField(blank=True, null=True)),
                ("treasury", models.BigIntegerField(default=0, editable=False)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="kingdoms", to="kingdom.campaign"
                    ),
                ),
                ("consumption", models.PositiveIntegerField(default=0)),
                ("arms", models.JSONField(blank=True, default=dict)),
                ("planned", models.JSONField(blank=True, default=list)),
            ],
            options={
                "ordering": (kingdom.models.base.Natural("name"), "id"),
                "indexes": [models.Index(fields=["campaign", "name"], name="kingdom_name")],
            },
        ),
        migrations.CreateModel(
            name="KingdomPlayer",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
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
                        on_delete=django.db.models.deletion.CASCADE, related_name="seats", to="kingdom.kingdom"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="seats", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ("id",),
                "constraints": [models.UniqueConstraint(fields=("kingdom", "user"), name="kingdom_player_once")],
            },
        ),
        migrations.CreateModel(
            name="LedgerEntry",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("seq", models.PositiveIntegerField()),
                ("day", models.PositiveIntegerField()),
                ("amount", models.BigIntegerField()),
                ("balance", models.BigIntegerField()),
                ("reason", models.JSONField()),
                (
                    "source",
                    models.CharField(
                        choices=[
                            ("opening", "opening balance"),
                            ("manual", "entered by hand"),
                            ("purchase", "purchase"),
                            ("sale", "sale"),
                            ("week", "week"),
                            ("planned", "planned"),
                            ("battle", "battle"),
                            ("ransom", "ransom"),
                            ("undo", "undone"),
                            ("other", "other"),
                        ],
                        default="manual",
                        max_length=20,
                    ),
                ),
                ("at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
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
                        on_delete=django.db.models.deletion.CASCADE, related_name="ledger", to="kingdom.kingdom"
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "ledger entries",
                "ordering": ("kingdom", "-seq"),
                "constraints": [
                    models.UniqueConstraint(fields=("kingdom", "seq"), name="ledger_seq"),
                    models.CheckConstraint(condition=models.Q(("amount", 0), _negated=True), name="ledger_not_nothing"),
                    models.CheckConstraint(
                        condition=models.Q(("seq__gt", 1), ("balance", models.F("amount")), _connector="OR"),
                        name="ledger_first_balance",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "role",
                    models.CharField(choices=[("gm", "GM"), ("player", "player"), ("viewer", "viewer")], max_length=10),
                ),
                ("expires", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="invitations", to="kingdom.campaign"
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
                ("used", models.PositiveSmallIntegerField(default=0)),
                ("uses", models.PositiveSmallIntegerField(default=1)),
                (
                    "kingdom",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="kingdom.kingdom",
                    ),
                ),
                ("guests", models.BooleanField(db_default=False, default=False)),
            ],
            options={
                "ordering": ("id",),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("role__in", ["gm", "player", "viewer"])), name="invitation_role"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("uses__gte", 1), ("used__lte", models.F("uses"))), name="invitation_uses"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(models.Q(("role", "gm"), _negated=True), ("uses", 1), _connector="OR"),
                        name="invitation_gm_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("kingdom", None), ("role", "player"), _connector="OR"),
                        name="invitation_kingdom_of_player",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("guests", False), models.Q(("role", "gm"), _negated=True), _connector="OR"),
                        name="invitation_guests_no_gm",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "role",
                    models.CharField(choices=[("gm", "GM"), ("player", "player"), ("viewer", "viewer")], max_length=10),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="memberships", to="kingdom.campaign"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "invitation",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="seated",
                        to="kingdom.invitation",
                    ),
                ),
            ],
            options={
                "ordering": ("id",),
                "constraints": [
                    models.UniqueConstraint(fields=("campaign", "user"), name="membership_once"),
                    models.CheckConstraint(
                        condition=models.Q(("role__in", ["gm", "player", "viewer"])), name="membership_role"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Settlement",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=120)),
                ("districts", models.PositiveIntegerField(default=1)),
                (
                    "buildings",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=40), blank=True, default=list
                    ),
                ),
                ("defense_override", models.PositiveIntegerField(blank=True, null=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="kingdom.campaign"
                    ),
                ),
                (
                    "kingdom",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="settlements", to="kingdom.kingdom"
                    ),
                ),
                ("hex", models.CharField(blank=True, default="", max_length=8)),
                ("revealed", models.BooleanField(default=False)),
            ],
            options={
                "ordering": (kingdom.models.base.Natural("name"), "id"),
                "indexes": [models.Index(fields=["campaign", "kingdom"], name="settlement_kingdom")],
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("districts__gte", 1)), name="settlement_districts")
                ],
            },
        ),
        migrations.CreateModel(
            name="ChronicleEntry",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("seq", models.PositiveIntegerField()),
                ("day", models.PositiveIntegerField()),
                ("at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("kind", models.CharField(default="other", max_length=20)),
                ("text", models.JSONField()),
                ("changes", models.JSONField(blank=True, default=list)),
                ("undone_at", models.DateTimeField(blank=True, null=True)),
                ("battle_id", models.UUIDField(blank=True, db_index=True, null=True)),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="chronicle", to="kingdom.campaign"
                    ),
                ),
                (
                    "undone_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "kingdoms",
                    django.contrib.postgres.fields.ArrayField(base_field=models.UUIDField(), blank=True, default=list),
                ),
                ("private", models.BooleanField(default=False)),
                (
                    "names",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.UUIDField(), blank=True, db_default=[], default=list
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "chronicle entries",
                "ordering": ("-seq",),
                "constraints": [models.UniqueConstraint(fields=("campaign", "seq"), name="chronicle_seq")],
            },
        ),
        migrations.CreateModel(
            name="IdempotencyRecord",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=200)),
                ("fingerprint", models.CharField(max_length=64)),
                ("status", models.PositiveSmallIntegerField(null=True)),
                ("headers", models.JSONField(default=dict)),
                ("body", models.TextField(blank=True)),
                ("at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["user", "at"], name="idempotency_age")],
                "constraints": [models.UniqueConstraint(fields=("user", "key"), name="idempotency_key_once")],
            },
        ),
        migrations.CreateModel(
            name="CampaignMap",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=120)),
                ("columns", models.PositiveSmallIntegerField()),
                ("rows", models.PositiveSmallIntegerField()),
                ("written", models.JSONField(blank=True, default=dict)),
                ("version", models.PositiveIntegerField(default=1)),
                ("revision", models.UUIDField(default=kingdom.models.base.uuid7, editable=False)),
                ("fog", models.BooleanField(default=False)),
                ("sight", models.PositiveSmallIntegerField(default=2)),
                ("sizes", models.BooleanField(default=False)),
                ("put_away", models.BooleanField(default=False)),
                (
                    "campaign",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="map", to="kingdom.campaign"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("columns__gte", 1), ("columns__lte", 100), ("rows__gte", 1), ("rows__lte", 100)
                        ),
                        name="map_sides",
                    ),
                    models.CheckConstraint(condition=models.Q(("sight__lte", 20)), name="map_sight"),
                ],
            },
        ),
        migrations.CreateModel(
            name="MapKnowledge",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("seen", models.BinaryField(default=bytes)),
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
                (
                    "map",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="knowledge", to="kingdom.campaignmap"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("map", "kingdom"), name="map_knowledge_once")],
            },
        ),
        migrations.CreateModel(
            name="MapRow",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("terrain", models.CharField(max_length=100)),
                ("claims", models.JSONField(blank=True, default=list)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="kingdom.campaign"
                    ),
                ),
                (
                    "map",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="lines", to="kingdom.campaignmap"
                    ),
                ),
            ],
            options={
                "ordering": ("number",),
                "constraints": [models.UniqueConstraint(fields=("map", "number"), name="map_row_once")],
            },
        ),
        migrations.CreateModel(
            name="Note",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("text", models.TextField()),
                ("day", models.PositiveIntegerField()),
                (
                    "audience",
                    models.CharField(
                        choices=[("public", "the table"), ("kingdom", "one kingdom"), ("gm", "the GM")],
                        default="public",
                        max_length=10,
                    ),
                ),
                ("for_kingdom", models.UUIDField(blank=True, null=True)),
                ("about_kind", models.CharField(max_length=20)),
                ("about_id", models.UUIDField()),
                ("about_name", models.CharField(max_length=200)),
                ("about_kingdom", models.UUIDField(blank=True, null=True)),
                ("title", models.CharField(max_length=80)),
                ("mentions", models.JSONField(blank=True, default=list)),
                ("at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("edited_at", models.DateTimeField(blank=True, null=True)),
                ("version", models.PositiveIntegerField(default=1)),
                ("deleted_at", models.DateTimeField(blank=True, null=True)),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="notes", to="kingdom.campaign"
                    ),
                ),
                (
                    "deleted_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "edited_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("-id",),
                "indexes": [
                    models.Index(fields=["campaign", "day", "at"], name="note_story"),
                    models.Index(fields=["about_id", "about_kind"], name="note_about"),
                    django.contrib.postgres.indexes.GinIndex(
                        fields=["mentions"], name="note_mentions", opclasses=("jsonb_path_ops",)
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("audience", "kingdom"), ("for_kingdom__isnull", False)),
                            models.Q(("audience__in", ("public", "gm")), ("for_kingdom", None)),
                            _connector="OR",
                        ),
                        name="note_audience",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="NoteVersion",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("text", models.TextField()),
                ("day", models.PositiveIntegerField()),
                (
                    "audience",
                    models.CharField(
                        choices=[("public", "the table"), ("kingdom", "one kingdom"), ("gm", "the GM")],
                        default="public",
                        max_length=10,
                    ),
                ),
                ("for_kingdom", models.UUIDField(blank=True, null=True)),
                ("number", models.PositiveIntegerField()),
                ("at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "note",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="versions", to="kingdom.note"
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
                "ordering": ("-number",),
                "constraints": [models.UniqueConstraint(fields=("note", "number"), name="note_version")],
            },
        ),
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
                            ("sign-in-failed", "Wrong password or code"),
                            ("signed-out", "Signed out"),
                            ("session-ended", "Signed out on another device"),
                            ("others-ended", "Signed out on all other devices"),
                            ("password-changed", "Password changed: all other sessions and all tokens ended"),
                            ("password-reset", "Password reset by email: all sessions and tokens ended"),
                            ("factor-on", "Two-factor authentication turned on"),
                            ("factor-off", "Two-factor authentication turned off"),
                            ("passkey-added", "Passkey added"),
                            ("passkey-removed", "Passkey removed"),
                            ("codes-made", "Recovery codes generated"),
                            ("mail-changed", "Email address changed"),
                            ("token-made", "API token created"),
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
        migrations.CreateModel(
            name="ShareLink",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("kind", models.CharField(max_length=20)),
                ("thing", models.UUIDField()),
                ("digest", models.CharField(editable=False, max_length=64, unique=True)),
                ("language", models.CharField(blank=True, default="", max_length=10)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("expires", models.DateTimeField(blank=True, null=True)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                ("last_used_at", models.DateTimeField(blank=True, null=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="kingdom.campaign"
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
                "ordering": ("-id",),
                "indexes": [models.Index(fields=["campaign", "-id"], name="share_of_campaign")],
            },
        ),
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
                        choices=[
                            ("on", "active"),
                            ("paused", "paused"),
                            ("off", "switched off: the address didn’t answer"),
                        ],
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
                ("taken_by", models.UUIDField(blank=True, editable=False, null=True)),
                ("taken_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("quick", models.BooleanField(db_default=False, default=False, editable=False)),
            ],
            options={
                "ordering": ("id",),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("shape__in", ("standard", "discord"))), name="webhook_shape"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ("on", "paused", "off"))), name="webhook_state"
                    ),
                ],
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
                ("body", models.TextField(blank=True, db_default="", default="")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("delivered", "delivered"),
                            ("given-up", "given up"),
                            ("withheld", "withheld: not visible to every player"),
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
                "indexes": [
                    models.Index(
                        condition=models.Q(("state", "waiting")), fields=["webhook", "next_at"], name="webhook_due"
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ("waiting", "delivered", "given-up", "withheld"))),
                        name="webhook_delivery_state",
                    )
                ],
            },
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.RemoveField(model_name="webhookdelivery", name="body")],
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
                            ("refused", "refused by the server"),
                            ("redirect", "redirects are not followed"),
                            ("nowhere", "host name not found"),
                            ("forbidden", "leads to a private network address"),
                            ("unreachable", "no connection"),
                            ("untrusted", "invalid certificate"),
                            ("slow", "timed out"),
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
        migrations.CreateModel(
            name="CampaignImport",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("running", "running"),
                            ("done", "done"),
                            ("stopped", "stopped"),
                            ("failed", "failed"),
                        ],
                        default="running",
                        max_length=10,
                    ),
                ),
                (
                    "step",
                    models.CharField(
                        choices=[
                            ("reading", "Reading the file"),
                            ("writing", "Saving the campaign"),
                            ("checking", "Checking everything"),
                        ],
                        default="reading",
                        max_length=10,
                    ),
                ),
                ("done", models.PositiveIntegerField(default=0)),
                ("of", models.PositiveIntegerField(default=0)),
                ("faults", models.JSONField(default=list)),
                ("warnings", models.JSONField(default=list)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("beat_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "campaign",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="kingdom.campaign"
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ("-id",),
                "indexes": [models.Index(fields=["owner", "created_at"], name="import_of_owner")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ("running", "done", "stopped", "failed"))),
                        name="import_state_known",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SignIn",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("since", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("seen", models.DateTimeField(default=django.utils.timezone.now)),
                ("address", models.CharField(blank=True, default="", max_length=40)),
                ("device", models.CharField(blank=True, default="", max_length=60)),
                (
                    "session",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.DB_CASCADE, related_name="sign_in", to="sessions.session"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.DB_CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ("-seen", "-id"),
            },
        ),
        migrations.CreateModel(
            name="ApprovalRequest",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("day", models.PositiveIntegerField()),
                ("at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("kind", models.CharField(max_length=20)),
                ("command", models.CharField(max_length=60)),
                ("arguments", models.JSONField()),
                ("text", models.JSONField()),
                ("changes", models.JSONField(blank=True, default=list)),
                (
                    "kingdoms",
                    django.contrib.postgres.fields.ArrayField(base_field=models.UUIDField(), blank=True, default=list),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("granted", "granted"),
                            ("refused", "refused"),
                            ("withdrawn", "withdrawn"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("reason", models.CharField(blank=True, max_length=200)),
                ("answered_at", models.DateTimeField(blank=True, null=True)),
                (
                    "answered_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="petitions", to="kingdom.campaign"
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="kingdom.chronicleentry",
                    ),
                ),
                (
                    "names",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.UUIDField(), blank=True, db_default=[], default=list
                    ),
                ),
            ],
            options={
                "ordering": ("-id",),
                "indexes": [
                    models.Index(fields=["campaign", "status"], name="petition_waiting"),
                    models.Index(fields=["by", "campaign"], name="petition_asker"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("status__in", ("waiting", "granted", "refused", "withdrawn"))),
                        name="petition_status",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "kind__in",
                                ("attributes", "treasury", "raise", "disband", "buy", "found", "appoint", "march"),
                            )
                        ),
                        name="petition_kind",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("answered_at", None), ("status", "waiting")),
                            models.Q(models.Q(("status", "waiting"), _negated=True), ("answered_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="petition_answered",
                    ),
                ],
                "db_table": "kingdom_petition",
            },
        ),
        migrations.CreateModel(
            name="DeletedRow",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("kind", models.CharField(max_length=40)),
                ("thing", models.UUIDField()),
                ("hidden", models.BooleanField(default=False)),
                ("whole", models.JSONField()),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="kingdom.campaign"
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="struck", to="kingdom.chronicleentry"
                    ),
                ),
                (
                    "kingdom",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="kingdom.kingdom"
                    ),
                ),
            ],
            options={
                "ordering": ("id",),
                "constraints": [models.UniqueConstraint(fields=("entry", "kind", "thing"), name="struck_once")],
                "db_table": "kingdom_struckthing",
            },
        ),
        migrations.CreateModel(
            name="RateLimitCounter",
            fields=[
                ("key", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("count", models.PositiveIntegerField()),
                ("until", models.DateTimeField(db_index=True)),
            ],
            options={
                "db_table": "kingdom_tally",
            },
        ),
        migrations.CreateModel(
            name="DeletedMembership",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "role",
                    models.CharField(choices=[("gm", "GM"), ("player", "player"), ("viewer", "viewer")], max_length=10),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="kingdom.campaign"
                    ),
                ),
                (
                    "invitation",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="kingdom.invitation",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ("id",),
                "constraints": [models.UniqueConstraint(fields=("campaign", "user"), name="vacated_once")],
                "db_table": "kingdom_vacatedseat",
            },
        ),
        migrations.CreateModel(
            name="Picture",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("kind", models.CharField(max_length=20)),
                ("thing", models.UUIDField(blank=True, null=True)),
                ("slug", models.CharField(blank=True, default="", max_length=80)),
                ("name", models.CharField(max_length=200)),
                ("digest", models.CharField(max_length=64)),
                ("content", models.BinaryField()),
                ("width", models.PositiveSmallIntegerField()),
                ("height", models.PositiveSmallIntegerField()),
                ("shown", models.BooleanField(default=False)),
                ("at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
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
                "ordering": ("id",),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("thing", None), models.Q(("slug", ""), _negated=True)),
                            models.Q(("slug", ""), ("thing__isnull", False)),
                            _connector="OR",
                        ),
                        name="picture_of_one",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("shown", True), ("slug", "")),
                        fields=("campaign", "kind", "thing"),
                        name="picture_shown_of_thing",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("shown", True), ("thing", None)),
                        fields=("campaign", "kind", "slug"),
                        name="picture_shown_of_slug",
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="Kingdom",
            name="players",
            field=models.ManyToManyField(
                blank=True, related_name="kingdoms", through="kingdom.KingdomPlayer", to=settings.AUTH_USER_MODEL
            ),
        ),
    ]
