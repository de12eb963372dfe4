"""Four models get standard names. Their tables keep theirs, so nothing is done to the database."""

from django.db import migrations

NAMES = {
    "Petition": "ApprovalRequest",
    "StruckThing": "DeletedRow",
    "Tally": "RateLimitCounter",
    "VacatedSeat": "DeletedMembership",
}


class Migration(migrations.Migration):
    dependencies = [
        ("kingdom", "0032_brought_bytes"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                operation
                for old, new in NAMES.items()
                for operation in (
                    migrations.RenameModel(old, new),
                    migrations.AlterModelTable(new, f"kingdom_{old.lower()}"),
                )
            ]
        ),
    ]
