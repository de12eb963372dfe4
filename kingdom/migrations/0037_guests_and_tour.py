from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("kingdom", "0036_units_by_language"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="guest",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="user",
            name="tour_taken",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="invitation",
            name="guests",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddConstraint(
            model_name="invitation",
            constraint=models.CheckConstraint(
                condition=models.Q(("guests", False), models.Q(("role", "gm"), _negated=True), _connector="OR"),
                name="invitation_guests_no_gm",
            ),
        ),
    ]
