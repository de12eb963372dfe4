"""Arsenal: weapons, armour, machines and troop types of a campaign."""
