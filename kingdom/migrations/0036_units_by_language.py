from django.db import migrations, models


def follow_language(apps, schema_editor):
    """Metres were the default that nobody had to choose."""
    apps.get_model("kingdom", "User").objects.filter(units="metres").update(units="")


class Migration(migrations.Migration):
    dependencies = [
        ("kingdom", "0035_plain_words_of_choices"),
    ]

    operations = [
        migrations.AlterField(
            model_name="user",
            name="units",
            field=models.CharField(
                blank=True, choices=[("metres", "Metres"), ("feet", "Feet")], db_default="", default="", max_length=10
            ),
        ),
        migrations.RunPython(follow_language, migrations.RunPython.noop),
    ]
