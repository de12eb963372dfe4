"""Battle page of mass combat."""
