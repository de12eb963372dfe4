"""Translation without a gettext installation: Babel extracts, polib merges and compiles."""
