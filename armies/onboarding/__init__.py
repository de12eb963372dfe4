"""Starting armies of templates and first steps."""
