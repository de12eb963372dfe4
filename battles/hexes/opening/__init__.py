"""Opening of hex battles: sides and armies, the map, and what of the house rules is otherwise."""
