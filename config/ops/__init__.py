"""Operations: server start, PostgreSQL, backups, worker, health."""
