"""Documents of armies say which shape they are in, as those of every other law do."""

from django.db import migrations

MARK = """UPDATE armies_army SET sheet = sheet || '{"version": 1}'
    WHERE id IN (SELECT army_ptr_id FROM pathfinder_army) AND NOT sheet ? 'version'"""


class Migration(migrations.Migration):
    dependencies = [("pathfinder", "0002_names_as_people_count")]

    operations = [migrations.RunSQL(MARK, migrations.RunSQL.noop)]
