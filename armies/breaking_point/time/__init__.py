"""What days and weeks do by this law: sieges, the wounded, upkeep."""
