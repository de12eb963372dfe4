"""Battle log, replay, report, luck."""
