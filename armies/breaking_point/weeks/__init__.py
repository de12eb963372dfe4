"""Days and weeks under breaking point."""
