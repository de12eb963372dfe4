"""Battle page."""
