import django.db.models.deletion
from django.db import migrations, models
from django.db.models import OuterRef, Subquery


def of_their_notes(apps, schema_editor):
    notes = apps.get_model("kingdom", "Note").objects.filter(pk=OuterRef("note"))
    apps.get_model("kingdom", "NoteVersion").objects.update(campaign=Subquery(notes.values("campaign")))
    # the next step alters the table: what its constraints were waiting for is checked here
    schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")


class Migration(migrations.Migration):

    dependencies = [
        ('kingdom', '0015_planned_lines_and_units'),
    ]

    operations = [
        migrations.AddField(
            model_name='noteversion',
            name='campaign',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='kingdom.campaign'),
        ),
        migrations.RunPython(of_their_notes, migrations.RunPython.noop),
        migrations.AlterField(
            model_name='noteversion',
            name='campaign',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='kingdom.campaign'),
        ),
    ]
