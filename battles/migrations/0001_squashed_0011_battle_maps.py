"""Squashed migration: the tables of `battles` as 0001 to 0011 leave them, for an empty database.

The database itself tells when somebody's right to watch may have ended, whoever writes: pages, tools, cascades. The
notice on `warhost_access` names whose streams are in doubt: `user:<id>`, `session:<key>` or a battle's id.
"""

import django.db.models.deletion
import django.utils.timezone
import kingdom.models.base
from django.conf import settings
from django.db import migrations, models


FUNCTION = """
CREATE FUNCTION warhost_tell_access() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('warhost_access', TG_ARGV[0] || (to_jsonb(OLD) ->> TG_ARGV[1]));
    RETURN NULL;
END $$;
"""
# table → (what is watched, when, prefix of the notice, its column)
WATCHED = {
    'kingdom_membership': ('DELETE OR UPDATE OF role', '', 'user:', 'user_id'),
    'kingdom_kingdomplayer': ('DELETE', '', 'user:', 'user_id'),
    'kingdom_user': ('UPDATE OF password, is_active',
                     'WHEN ((OLD.password, OLD.is_active) IS DISTINCT FROM (NEW.password, NEW.is_active))',
                     'user:', 'id'),
    'django_session': ('DELETE', '', 'session:', 'session_key'),
    'battles_battle': ('DELETE', '', '', 'id'),
}


def trigger(table):
    event, when, prefix, column = WATCHED[table]
    return migrations.RunSQL(
        f'CREATE TRIGGER warhost_access AFTER {event} ON {table} FOR EACH ROW {when} '
        f"EXECUTE FUNCTION warhost_tell_access('{prefix}', '{column}')",
        f'DROP TRIGGER warhost_access ON {table}',
    )


class Migration(migrations.Migration):

    replaces = [
        ('battles', name)
        for name in (
            '0001_initial',
            '0002_access_notices',
            '0003_frozen_states',
            '0004_records_that_stay_true',
            '0005_figures',
            '0006_figures_written_down',
            '0007_jobs',
            '0008_weighings',
            '0009_opponents',
            '0010_job_results',
            '0011_battle_maps',
        )
    ]

    initial = True

    dependencies = [
        ('armies', '0001_squashed_0015_plain_words_of_choices'),
        ('kingdom', '0001_squashed_0040_words_of_security_events'),
        ('sessions', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Battle',
            fields=[
                ('id', models.UUIDField(default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=120)),
                ('ruleset', models.CharField(max_length=40)),
                ('ruleset_version', models.CharField(max_length=20)),
                ('house_rules', models.JSONField(blank=True, default=dict)),
                ('opening', models.JSONField()),
                ('state', models.JSONField()),
                ('version', models.PositiveIntegerField(default=1)),
                ('revision', models.UUIDField(default=kingdom.models.base.uuid7, editable=False)),
                ('status', models.CharField(choices=[('setup', 'being set up'), ('running', 'running'), ('aftermath', 'fought, aftermath open'), ('closed', 'over')], default='setup', max_length=10)),
                ('day', models.PositiveIntegerField()),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='battles', to='kingdom.campaign')),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('figures', models.JSONField(blank=True, default=dict)),
                ('opponents', models.JSONField(blank=True, default=dict)),
            ],
            options={
                'ordering': ('-id',),
                'indexes': [models.Index(fields=['campaign', 'status'], name='battle_status')],
                'constraints': [models.CheckConstraint(condition=models.Q(('status__in', ('setup', 'running', 'aftermath', 'closed'))), name='battle_status_known')],
            },
        ),
        migrations.CreateModel(
            name='BattleArmy',
            fields=[
                ('id', models.UUIDField(default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False)),
                ('side', models.PositiveSmallIntegerField()),
                ('army', models.ForeignKey(on_delete=django.db.models.deletion.RESTRICT, related_name='seats', to='armies.army')),
                ('battle', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='battles.battle')),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='kingdom.campaign')),
                ('commander', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='seats', to='armies.commander')),
            ],
            options={
                'verbose_name_plural': 'armies in battles',
                'ordering': ('battle', 'side', 'id'),
                'constraints': [models.UniqueConstraint(fields=('battle', 'army'), name='battle_army_once')],
            },
        ),
        migrations.CreateModel(
            name='BattleRecord',
            fields=[
                ('id', models.UUIDField(default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False)),
                ('seq', models.PositiveIntegerField()),
                ('version', models.PositiveIntegerField()),
                ('first_event', models.PositiveIntegerField()),
                ('command', models.JSONField()),
                ('dice', models.JSONField(blank=True, default=list)),
                ('events', models.JSONField()),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('undone', models.BooleanField(default=False)),
                ('undone_at', models.DateTimeField(blank=True, null=True)),
                ('battle', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='records', to='battles.battle')),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='kingdom.campaign')),
                ('undone_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('frozen', models.JSONField(blank=True, null=True)),
                ('figures', models.JSONField(blank=True, null=True)),
            ],
            options={
                'ordering': ('battle', 'seq'),
                'constraints': [models.UniqueConstraint(fields=('battle', 'seq'), name='battle_record_seq')],
            },
        ),
        migrations.CreateModel(
            name='Job',
            fields=[
                ('id', models.UUIDField(default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(max_length=20)),
                ('question', models.JSONField(default=dict)),
                ('done', models.PositiveIntegerField(default=0)),
                ('of', models.PositiveIntegerField()),
                ('state', models.CharField(choices=[('running', 'running'), ('done', 'done'), ('stopped', 'stopped'), ('failed', 'failed')], default='running', max_length=10)),
                ('trouble', models.JSONField(null=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('beat_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('campaign', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='kingdom.campaign')),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('-id',),
                'indexes': [models.Index(fields=['created_at'], name='job_created')],
                'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ('running', 'done', 'stopped', 'failed'))), name='job_state_known')],
            },
        ),
        migrations.CreateModel(
            name='Weighing',
            fields=[
                ('id', models.UUIDField(default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False)),
                ('known', models.CharField(max_length=64)),
                ('found', models.JSONField(null=True)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='kingdom.campaign')),
                ('record', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='weighings', to='battles.battlerecord')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('record', 'known'), name='weighing_once')],
            },
        ),
        migrations.CreateModel(
            name='JobResult',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.PositiveIntegerField()),
                ('answer', models.JSONField(null=True)),
                ('job', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='results', to='battles.job')),
            ],
            options={
                'ordering': ('place',),
                'constraints': [models.UniqueConstraint(fields=('job', 'place'), name='one_answer_to_a_piece')],
            },
        ),
        migrations.CreateModel(
            name='BattleMap',
            fields=[
                ('id', models.UUIDField(default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=120)),
                ('columns', models.PositiveSmallIntegerField()),
                ('rows', models.PositiveSmallIntegerField()),
                ('written', models.JSONField()),
                ('kept_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='battle_maps', to='kingdom.campaign')),
                ('kept_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('-id',),
            },
        ),
        migrations.AddField(
            model_name='Battle',
            name='armies',
            field=models.ManyToManyField(related_name='battles', through='battles.BattleArmy', to='armies.army'),
        ),
        migrations.RunSQL(FUNCTION, 'DROP FUNCTION warhost_tell_access'),
        *map(trigger, WATCHED),
    ]
