"""The database itself tells when somebody's right to watch may have ended, whoever writes: pages, tools, cascades.

The notice on `warhost_access` names whose streams are in doubt: `user:<id>`, `session:<key>` or a battle's id.
"""

from django.db import migrations

FUNCTION = """
CREATE FUNCTION warhost_tell_access() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('warhost_access', TG_ARGV[0] || (to_jsonb(OLD) ->> TG_ARGV[1]));
    RETURN NULL;
END $$;
"""
# table → (what is watched, when, prefix of the notice, its column)
WATCHED = {
    "kingdom_membership": ("DELETE OR UPDATE OF role", "", "user:", "user_id"),
    "kingdom_kingdomplayer": ("DELETE", "", "user:", "user_id"),
    "kingdom_user": ("UPDATE OF password, is_active",
                     "WHEN ((OLD.password, OLD.is_active) IS DISTINCT FROM (NEW.password, NEW.is_active))",
                     "user:", "id"),
    "django_session": ("DELETE", "", "session:", "session_key"),
    "battles_battle": ("DELETE", "", "", "id"),
}  # fmt: skip


def trigger(table: str) -> migrations.RunSQL:
    event, when, prefix, column = WATCHED[table]
    return migrations.RunSQL(
        f"CREATE TRIGGER warhost_access AFTER {event} ON {table} FOR EACH ROW {when} "
        f"EXECUTE FUNCTION warhost_tell_access('{prefix}', '{column}')",
        f"DROP TRIGGER warhost_access ON {table}",
    )


class Migration(migrations.Migration):
    dependencies = (
        ("battles", "0001_initial"),
        ("kingdom", "0004_invitation_uses"),
        ("sessions", "0001_initial"),
    )
    operations = (migrations.RunSQL(FUNCTION, "DROP FUNCTION warhost_tell_access"), *map(trigger, WATCHED))
