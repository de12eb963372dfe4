"""Weeks as they were chosen, checks for rest by day, and the days a commander was with their army."""

import django.db.models.deletion
import kingdom.models.base
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('armies', '0006_least_regeneration'),
        ('kingdom', '0004_invitation_uses'),
    ]

    operations = [
        migrations.CreateModel(
            name='RestCheck',
            fields=[
                ('id', models.UUIDField(default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False)),
                ('day', models.PositiveIntegerField()),
                ('roll', models.PositiveSmallIntegerField()),
                ('loyalty', models.IntegerField()),
                ('unrest', models.IntegerField()),
                ('dc', models.IntegerField()),
            ],
            options={
                'ordering': ('day',),
            },
        ),
        migrations.CreateModel(
            name='WeekChoices',
            fields=[
                ('id', models.UUIDField(default=kingdom.models.base.uuid7, editable=False, primary_key=True, serialize=False)),
                ('week', models.PositiveIntegerField()),
                ('choices', models.JSONField(default=dict)),
            ],
            options={
                'verbose_name_plural': 'week choices',
                'ordering': ('week',),
            },
        ),
        migrations.AddField(
            model_name='army',
            name='led_days',
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='army',
            name='led_to',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='restcheck',
            name='campaign',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='kingdom.campaign'),
        ),
        migrations.AddField(
            model_name='restcheck',
            name='kingdom',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='kingdom.kingdom'),
        ),
        migrations.AddField(
            model_name='weekchoices',
            name='campaign',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='kingdom.campaign'),
        ),
        migrations.AddConstraint(
            model_name='restcheck',
            constraint=models.UniqueConstraint(fields=('kingdom', 'day'), name='rest_check_once'),
        ),
        migrations.AddConstraint(
            model_name='weekchoices',
            constraint=models.UniqueConstraint(fields=('campaign', 'week'), name='week_choices_once'),
        ),
    ]
