"""Battle page of breaking point."""
