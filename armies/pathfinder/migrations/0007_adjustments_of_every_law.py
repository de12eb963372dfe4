from django.db import migrations


class Migration(migrations.Migration):
    """The column stays until `armies` has taken over what it holds."""

    dependencies = [
        ("pathfinder", "0006_reserve"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.RemoveField(model_name="pathfinderarmy", name="adjustments")]
        ),
    ]
