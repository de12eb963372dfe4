"""Mass combat's own tables: what every army and commander had of it moves here; the other tables stay as they are."""

import django.db.models.deletion
import kingdom.models.base
from django.db import migrations, models


ARMY = """
    morale, arrears, owed, ill, disease, drain, acr, regrowth,
    foraging, rested_on, surcharge, led_days, led_to
"""
COMMANDER = """
    character_class, level, charisma_modifier, soldier_ranks, leadership_feat, player_character, office,
    office_boon, office_tactic, boons, notorious, active_days
"""
DROPPED = [column.strip() for column in ARMY.split(",")] + ["unit", "count", "mount"]
LEFT = [column.strip() for column in COMMANDER.split(",")]


def copied(table: str, pointer: str, source: str, names: str) -> str:
    return f"INSERT INTO {table} ({pointer}, {names}) SELECT id, {names} FROM {source}"


def without(table: str, names: list[str]) -> str:
    return f"ALTER TABLE {table} " + ", ".join(f"DROP COLUMN {name}" for name in names)


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('armies', '0010_shell'),
        ('kingdom', '0006_leave'),
    ]

    operations = [
        migrations.CreateModel(
            name='PathfinderArmy',
            fields=[
                ('army_ptr', models.OneToOneField(auto_created=True, on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, serialize=False, to='armies.army')),
                ('morale', models.SmallIntegerField(default=0)),
                ('arrears', models.BooleanField(default=False)),
                ('owed', models.BigIntegerField(default=0)),
                ('ill', models.BooleanField(default=False)),
                ('disease', models.PositiveSmallIntegerField(default=0)),
                ('drain', models.PositiveSmallIntegerField(default=0)),
                ('acr', models.PositiveSmallIntegerField(default=0)),
                ('regrowth', models.PositiveIntegerField(default=0)),
                ('foraging', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('rested_on', models.IntegerField(blank=True, null=True)),
                ('surcharge', models.PositiveIntegerField(default=0)),
                ('led_days', models.PositiveSmallIntegerField(default=0)),
                ('led_to', models.PositiveIntegerField(default=0)),
            ],
            options={
                'verbose_name_plural': 'armies',
                'db_table': 'pathfinder_army',
                'constraints': [models.CheckConstraint(condition=models.Q(('morale__gte', -4), ('morale__lte', 4)), name='army_morale'), models.CheckConstraint(condition=models.Q(('owed', 0), models.Q(('arrears', True), ('owed__gt', 0)), _connector='OR'), name='army_owed')],
            },
            bases=('armies.army',),
        ),
        migrations.CreateModel(
            name='PathfinderCommander',
            fields=[
                ('commander_ptr', models.OneToOneField(auto_created=True, on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, serialize=False, to='armies.commander')),
                ('character_class', models.CharField(blank=True, max_length=120)),
                ('level', models.PositiveSmallIntegerField(default=1)),
                ('charisma_modifier', models.SmallIntegerField(default=0)),
                ('soldier_ranks', models.PositiveSmallIntegerField(default=0)),
                ('leadership_feat', models.BooleanField(default=False)),
                ('player_character', models.BooleanField(default=False)),
                ('office', models.CharField(blank=True, max_length=40, null=True)),
                ('office_boon', models.CharField(blank=True, max_length=40, null=True)),
                ('office_tactic', models.CharField(blank=True, max_length=40, null=True)),
                ('boons', models.JSONField(blank=True, default=list)),
                ('notorious', models.BooleanField(default=False)),
                ('active_days', models.PositiveSmallIntegerField(default=7)),
            ],
            options={
                'db_table': 'pathfinder_commander',
                'constraints': [models.CheckConstraint(condition=models.Q(('level__gte', 1)), name='commander_level'), models.CheckConstraint(condition=models.Q(('active_days__lte', 7)), name='commander_active_days')],
            },
            bases=('armies.commander',),
        ),
        migrations.RunSQL(copied("pathfinder_army", "army_ptr_id", "armies_army", ARMY), migrations.RunSQL.noop),
        migrations.RunSQL(
            copied("pathfinder_commander", "commander_ptr_id", "armies_commander", COMMANDER), migrations.RunSQL.noop
        ),
        migrations.RunSQL(without("armies_army", DROPPED), migrations.RunSQL.noop),
        migrations.RunSQL(without("armies_commander", LEFT), migrations.RunSQL.noop),
        # Most weeks change a few figures of every army in place: room on its page spares the indexes.
        migrations.RunSQL("ALTER TABLE pathfinder_army SET (fillfactor = 70)", migrations.RunSQL.noop),
        # What waits for leave names the service by the law it is of.
        migrations.RunSQL(
            "UPDATE kingdom_petition SET command = 'armies.pathfinder.' || substr(command, 8) WHERE command LIKE 'armies.%%'",
            migrations.RunSQL.noop,
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name='ArmyResource',
                    fields=[
                        ('id', models.UUIDField(default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False)),
                        ('resource', models.CharField(max_length=40)),
                        ('quantity', models.PositiveIntegerField(default=1)),
                        ('army', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='resources', to='armies.army')),
                        ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='kingdom.campaign')),
                    ],
                    options={
                        'db_table': 'armies_armyresource',
                        'ordering': ('resource',),
                        'constraints': [models.UniqueConstraint(fields=('army', 'resource'), name='army_resource_once'), models.CheckConstraint(condition=models.Q(('quantity__gte', 1)), name='army_resource_quantity')],
                    },
                ),
                migrations.CreateModel(
                    name='ArmyTactic',
                    fields=[
                        ('id', models.UUIDField(default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False)),
                        ('tactic', models.CharField(max_length=40)),
                        ('granted', models.BooleanField(default=False)),
                        ('army', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tactics', to='armies.army')),
                        ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='kingdom.campaign')),
                    ],
                    options={
                        'db_table': 'armies_armytactic',
                        'ordering': ('tactic',),
                        'constraints': [models.UniqueConstraint(fields=('army', 'tactic'), name='army_tactic_once')],
                    },
                ),
                migrations.CreateModel(
                    name='ArmyWeek',
                    fields=[
                        ('pk', models.CompositePrimaryKey('campaign', 'day', 'army_id', blank=True, editable=False, primary_key=True, serialize=False)),
                        ('day', models.PositiveIntegerField()),
                        ('army_id', models.UUIDField()),
                        ('kingdom_id', models.UUIDField()),
                        ('due', models.PositiveIntegerField(null=True)),
                        ('paid', models.BigIntegerField(default=0)),
                        ('doubled', models.BooleanField(default=False)),
                        ('hp_before', models.PositiveIntegerField()),
                        ('hp_after', models.PositiveIntegerField()),
                        ('morale_before', models.SmallIntegerField()),
                        ('morale_after', models.SmallIntegerField()),
                        ('status_before', models.CharField(max_length=10)),
                        ('status_after', models.CharField(max_length=10)),
                        ('arrears_before', models.BooleanField()),
                        ('arrears_after', models.BooleanField()),
                        ('owed_before', models.BigIntegerField()),
                        ('owed_after', models.BigIntegerField()),
                        ('disease_before', models.PositiveSmallIntegerField()),
                        ('disease_after', models.PositiveSmallIntegerField()),
                        ('ill_before', models.BooleanField()),
                        ('ill_after', models.BooleanField()),
                        ('drain', models.PositiveSmallIntegerField(default=0)),
                        ('surcharge', models.PositiveIntegerField(default=0)),
                        ('commander', models.UUIDField(null=True)),
                        ('campaign', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='kingdom.campaign')),
                    ],
                    options={
                        'db_table': 'armies_armyweek',
                        'ordering': ('day', 'army_id'),
                        'indexes': [models.Index(fields=['campaign', 'day'], name='army_week_step')],
                    },
                ),
                migrations.CreateModel(
                    name='KingdomStock',
                    fields=[
                        ('id', models.UUIDField(default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False)),
                        ('resource', models.CharField(max_length=40)),
                        ('size', models.CharField(max_length=20)),
                        ('quantity', models.PositiveIntegerField(default=1)),
                        ('mount', models.JSONField(blank=True, null=True)),
                        ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='kingdom.campaign')),
                        ('kingdom', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='stores', to='kingdom.kingdom')),
                    ],
                    options={
                        'db_table': 'armies_kingdomstock',
                        'ordering': ('resource', 'size', 'id'),
                        'constraints': [models.CheckConstraint(condition=models.Q(('quantity__gte', 1)), name='kingdom_stock_quantity')],
                    },
                ),
                migrations.CreateModel(
                    name='RestCheck',
                    fields=[
                        ('id', models.UUIDField(default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False)),
                        ('day', models.PositiveIntegerField()),
                        ('roll', models.PositiveSmallIntegerField()),
                        ('loyalty', models.IntegerField()),
                        ('unrest', models.IntegerField()),
                        ('dc', models.IntegerField()),
                        ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='kingdom.campaign')),
                        ('kingdom', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='kingdom.kingdom')),
                    ],
                    options={
                        'db_table': 'armies_restcheck',
                        'ordering': ('day',),
                        'constraints': [models.UniqueConstraint(fields=('kingdom', 'day'), name='rest_check_once')],
                    },
                ),
                migrations.CreateModel(
                    name='UnitType',
                    fields=[
                        ('id', models.UUIDField(default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False)),
                        ('slug', models.CharField(max_length=80)),
                        ('name', models.CharField(max_length=120)),
                        ('family', models.CharField(max_length=40)),
                        ('unit', models.JSONField()),
                        ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='kingdom.campaign')),
                    ],
                    options={
                        'db_table': 'armies_unittype',
                        'ordering': ('name', 'id'),
                        'constraints': [models.UniqueConstraint(fields=('campaign', 'slug'), name='unit_type_once')],
                    },
                ),
                migrations.CreateModel(
                    name='WeekChoices',
                    fields=[
                        ('id', models.UUIDField(default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False)),
                        ('week', models.PositiveIntegerField()),
                        ('choices', models.JSONField(default=dict)),
                        ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='kingdom.campaign')),
                    ],
                    options={
                        'verbose_name_plural': 'week choices',
                        'db_table': 'armies_weekchoices',
                        'ordering': ('week',),
                        'constraints': [models.UniqueConstraint(fields=('campaign', 'week'), name='week_choices_once')],
                    },
                ),
            ],
        ),
    ]
