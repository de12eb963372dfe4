"""Opening of hex battles: sides and armies, the map, and options that differ from the house rules."""
