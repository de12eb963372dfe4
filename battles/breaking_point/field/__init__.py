"""Battle page of breaking points."""
