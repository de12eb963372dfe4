"""Invitations may name the kingdom that whoever joins by them runs."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('kingdom', '0030_struck_things'),
    ]

    operations = [
        migrations.AddField(
            model_name='invitation',
            name='kingdom',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='kingdom.kingdom'),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.CheckConstraint(condition=models.Q(('kingdom', None), ('role', 'player'), _connector='OR'), name='invitation_kingdom_of_player'),
        ),
    ]
