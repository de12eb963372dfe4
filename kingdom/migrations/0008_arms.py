"""Every kingdom bears arms: those its name gives, with an outline of its own among the kingdoms of its campaign."""

from itertools import groupby

from django.db import migrations, models

from kingdom.heraldry import draw_arms


def bear_arms(apps, schema_editor):
    kingdoms = apps.get_model("kingdom", "Kingdom").objects
    ordered = kingdoms.order_by("campaign_id", "id").only("id", "campaign_id", "name", "arms")
    for _campaign, realms in groupby(ordered.iterator(), key=lambda kingdom: kingdom.campaign_id):
        borne = []
        for kingdom in realms:
            borne.append(draw_arms(kingdom.name, borne))
            kingdoms.filter(pk=kingdom.pk).update(arms=borne[-1]._asdict())


class Migration(migrations.Migration):

    dependencies = [
        ('kingdom', '0007_user_settings'),
    ]

    operations = [
        migrations.AddField(
            model_name='kingdom',
            name='arms',
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.RunPython(bear_arms, migrations.RunPython.noop),
    ]
