"""What can be said of a battle before its dice fall (PF-3): exactly where it can be reckoned, else by throwing it."""
