"""The French of the interface, without a gettext installation: Babel extracts, polib merges and compiles."""
