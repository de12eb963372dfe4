from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('kingdom', '0028_people_by_key'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='time_zone',
            field=models.CharField(blank=True, db_default='', default='', max_length=64),
        ),
    ]
