"""REST API of campaigns and kingdoms, and base classes for every app's API."""
