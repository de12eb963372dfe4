"""REST API of campaigns and kingdoms, and the plumbing every app's API shares."""
